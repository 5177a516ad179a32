//! Lines that come and go while somebody reads: they are known by their names.

use std::collections::BTreeSet;

use super::{Document, Line};

impl Document {
    /// Shows the lines of the same thing at a later time. The cursor stays on the line with its name, and that line where
    /// it is on the screen; folds stay with theirs.
    pub(crate) fn show_later(&mut self, lines: Vec<Line>) {
        if lines == self.lines {
            return;
        }
        let selected = self.selected().and_then(|line| line.name.clone());
        let row = self.cursor.saturating_sub(self.top);
        let known: BTreeSet<&str> = self.lines.iter().filter_map(|line| line.name.as_deref()).collect();
        let folded: BTreeSet<&str> =
            self.folded.iter().filter_map(|&place| self.lines.get(place)?.name.as_deref()).collect();
        let is_folded = |line: &Line| match line.name.as_deref() {
            Some(name) if known.contains(name) => folded.contains(name),
            _ => line.starts_folded,
        };
        self.folded = lines.iter().enumerate().filter(|(_, line)| is_folded(line)).map(|(place, _)| place).collect();
        self.lines = lines;
        self.show();
        let is_it =
            |&place: &usize| selected.is_some() && self.lines.get(place).is_some_and(|line| line.name == selected);
        if let Some(place) = self.shown.iter().position(is_it) {
            self.cursor = place;
            self.top = place.saturating_sub(row);
        }
        self.keep_cursor_visible();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Meaning;

    fn lines(names: &[&str]) -> Vec<Line> {
        names.iter().map(|name| Line::at(0).with(Meaning::Text, name).named(*name)).collect()
    }

    #[test]
    fn the_cursor_stays_on_its_line_and_the_line_on_its_row() {
        let mut document = Document::new(lines(&["a", "b", "c", "d", "e", "f"]));
        document.set_room(40, 3);
        document.move_to(3);
        let row = document.cursor - document.top;
        document.show_later(lines(&["new", "a", "b", "more", "c", "d", "e", "f"]));
        assert_eq!(document.selected().and_then(|line| line.name.as_deref()), Some("d"));
        assert_eq!(document.cursor - document.top, row);
    }

    #[test]
    fn folds_stay_with_their_lines() {
        let tree = |first: &str| {
            vec![
                Line::at(0).with(Meaning::Text, first).named(first),
                Line::at(1).with(Meaning::Text, "below"),
                Line::at(0).with(Meaning::Text, "x").named("x"),
                Line::at(1).with(Meaning::Text, "hidden"),
            ]
        };
        let mut document = Document::new(tree("a"));
        document.move_to(2);
        document.toggle_fold();
        let mut longer = vec![Line::at(0).with(Meaning::Text, "news").named("news")];
        longer.extend(tree("a"));
        document.show_later(longer);
        assert_eq!(document.counts(), (4, 5));
        assert_eq!(document.selected().and_then(|line| line.name.as_deref()), Some("x"));
    }
}
