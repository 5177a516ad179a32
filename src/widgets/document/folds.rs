//! Folding hides or shows the children of a line.

use super::{Document, LineName};

impl<Id: LineName> Document<Id> {
    /// Folds or unfolds the cursor's line; false without children.
    pub(crate) fn toggle_fold(&mut self) -> bool {
        let Some(&place) = self.shown.get(self.cursor) else { return false };
        if !self.has_children(place) {
            return false;
        }
        let folded = self.folds_mut();
        if !folded.remove(&place) {
            folded.insert(place);
        }
        self.show();
        true
    }

    /// Folds or unfolds the cursor's line; without children, folds its heading and moves the cursor there.
    pub(crate) fn toggle_fold_around(&mut self) -> bool {
        if self.toggle_fold() {
            return true;
        }
        let Some(&place) = self.shown.get(self.cursor) else { return false };
        let Some(heading) = self.heading_of(place) else { return false };
        self.folds_mut().insert(heading);
        self.put_cursor_on(heading);
        true
    }

    /// Whether the cursor's line has children.
    pub(crate) fn can_fold(&self) -> bool {
        self.shown.get(self.cursor).is_some_and(|&place| self.has_children(place))
    }

    /// Whether [`Self::toggle_fold_around`] would change anything.
    pub(crate) fn can_fold_around(&self) -> bool {
        self.shown.get(self.cursor).is_some_and(|&place| self.has_children(place) || self.heading_of(place).is_some())
    }

    pub(crate) fn has_folds(&self) -> bool {
        (0..self.lines.len()).any(|place| self.has_children(place))
    }

    /// Folds all lines with children; false without any. The cursor moves to the outermost heading of its line.
    pub(crate) fn fold_all(&mut self) -> bool {
        let all: Vec<usize> = (0..self.lines.len()).filter(|place| self.has_children(*place)).collect();
        let is_any = !all.is_empty();
        self.folds_mut().extend(all);
        let mut place = self.shown.get(self.cursor).copied();
        while let Some(heading) = place.and_then(|place| self.heading_of(place)) {
            place = Some(heading);
        }
        self.put_cursor_on(place.unwrap_or(0));
        is_any
    }

    pub(crate) fn unfold_all(&mut self) -> bool {
        let is_any = (0..self.lines.len()).any(|place| self.has_children(place));
        self.folds_mut().clear();
        self.show();
        is_any
    }

    /// Unfolds the headings of the named line and puts the cursor on it; false if the document lacks the line.
    pub(crate) fn reveal(&mut self, name: Id) -> bool {
        let name = Some(name);
        let Some(place) = self.lines.iter().position(|line| line.name == name) else { return false };
        if self.kept.as_ref().is_some_and(|kept| !kept.contains(&place)) {
            self.set_filter("");
        }
        let mut above = Some(place);
        while let Some(opened) = above {
            self.folds_mut().remove(&opened);
            above = self.heading_of(opened);
        }
        self.put_cursor_on(place);
        true
    }

    /// Returns the nearest line above whose children include this line.
    fn heading_of(&self, place: usize) -> Option<usize> {
        let depth = self.lines.get(place)?.depth;
        (0..place).rev().find(|above| self.lines.get(*above).is_some_and(|line| line.depth < depth))
    }

    fn put_cursor_on(&mut self, place: usize) {
        self.word_ref = None;
        self.show();
        self.cursor = self.shown.partition_point(|&shown| shown < place).min(self.shown.len().saturating_sub(1));
        self.keep_cursor_visible();
    }

    /// Returns the folds in effect. An active filter has its own, initially none.
    fn folds_mut(&mut self) -> &mut std::collections::BTreeSet<usize> {
        if self.kept.is_some() { &mut self.folded_in_filter } else { &mut self.folded }
    }

    /// Whether the children of a line are hidden.
    pub(crate) fn is_folded(&self, place: usize) -> bool {
        if self.kept.is_some() { self.folded_in_filter.contains(&place) } else { self.folded.contains(&place) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Meaning;
    use crate::widgets::document::Line;

    fn tree() -> Document<u32> {
        let line = |depth, text: &str, name| Line::at(depth).with(Meaning::Text, text).copying(text).named(name);
        Document::new(vec![
            line(0, "a", 1),
            line(1, "b", 2).folded(),
            line(2, "c", 3),
            line(0, "d", 4),
            line(1, "e", 5),
            line(1, "f", 6),
        ])
    }

    #[test]
    fn everything_is_folded_and_unfolded_around_the_cursor() {
        let mut document = tree();
        assert_eq!(document.counts().0, 5, "c is hidden at first");
        document.move_to(3);
        assert!(document.fold_all());
        assert_eq!((document.counts().0, document.copied().as_deref()), (2, Some("d")));
        assert!(document.unfold_all());
        assert_eq!((document.counts().0, document.copied().as_deref()), (6, Some("d")));
        document.move_to(2);
        assert!(document.toggle_fold_around(), "the line's heading is folded");
        assert_eq!((document.counts().0, document.copied().as_deref()), (5, Some("b")));
        assert!(document.toggle_fold_around());
        assert_eq!(document.counts().0, 6);
    }

    #[test]
    fn a_hidden_line_is_revealed() {
        let mut document = tree();
        document.fold_all();
        assert!(document.reveal(3) && !document.reveal(9));
        assert_eq!(document.copied().as_deref(), Some("c"));
        document.set_filter("f");
        assert!(document.reveal(3), "a filter that hides it is taken back");
        assert_eq!((document.copied().as_deref(), document.filter()), (Some("c"), ""));
    }

    #[test]
    fn a_filter_opens_all_and_gives_the_folds_back() {
        let mut document = tree();
        document.fold_all();
        document.set_filter("c");
        assert_eq!(document.counts().0, 3);
        document.move_to(1);
        document.toggle_fold();
        assert_eq!(document.counts().0, 2, "what is folded then stays folded");
        document.set_filter("");
        assert_eq!(document.counts().0, 2, "as it was before");
    }
}
