//! Lines that come and go while somebody reads: they are known by their names, or by their distance behind a named one.

use std::collections::{BTreeSet, HashMap, HashSet};

use super::{Document, Line};

/// The name of a line or of the next named one above it, and how far below that it is.
type Identity<'a> = (Option<&'a str>, usize);

fn identities(lines: &[Line]) -> Vec<Identity<'_>> {
    let mut last: Identity<'_> = (None, 0);
    let each = lines.iter().map(|line| {
        last = line.name.as_deref().map_or((last.0, last.1 + 1), |name| (Some(name), 0));
        last
    });
    each.collect()
}

impl Document {
    /// Shows the lines of the same thing at a later time; says whether anything changed. The cursor stays on its line, and
    /// that line where it is on the screen; folds stay with theirs.
    pub(crate) fn show_later(&mut self, lines: Vec<Line>) -> bool {
        if lines == self.lines {
            return false;
        }
        let before = identities(&self.lines);
        let places: HashMap<Identity<'_>, usize> = identities(&lines).into_iter().zip(0..).collect();
        let known: HashSet<Identity<'_>> = before.iter().copied().collect();
        let selected = self.shown.get(self.cursor).and_then(|&place| before.get(place));
        // A line that is gone leaves the cursor on the named one above it.
        let place = selected.and_then(|it| places.get(it).or_else(|| places.get(&(it.0, 0)))).copied();
        let kept = self.folded.iter().filter_map(|&place| places.get(before.get(place)?).copied());
        let fresh = places
            .iter()
            .filter(|(it, place)| !known.contains(*it) && lines.get(**place).is_some_and(|line| line.starts_folded));
        let folded: BTreeSet<usize> = kept.chain(fresh.map(|(_, place)| *place)).collect();
        let row = self.cursor.saturating_sub(self.top);
        (self.lines, self.folded) = (lines, folded);
        self.show();
        if let Some(place) = place {
            self.cursor = self.shown.partition_point(|&shown| shown < place).min(self.shown.len().saturating_sub(1));
            self.top = self.cursor.saturating_sub(row);
        }
        self.keep_cursor_visible();
        true
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

    #[test]
    fn cursor_and_folds_stay_with_named_lines_while_others_come_and_go() {
        let line = |name: &str, text: &str| Line::at(0).named(name).with(Meaning::Text, text);
        let below = |text: &str| Line::at(1).with(Meaning::Text, text).copying(text);
        let mut document = Document::new(vec![
            line("1", "a"),
            line("2", "b"),
            below("b1"),
            below("b2"),
            line("3", "c").folded(),
            below("c1"),
        ]);
        document.move_to(3);
        assert_eq!(document.copied().as_deref(), Some("b2"));
        let more = vec![
            line("1", "a"),
            below("new"),
            line("2", "b"),
            below("b1"),
            below("b2"),
            line("3", "c").folded(),
            below("c1"),
        ];
        assert!(document.show_later(more.clone()) && !document.show_later(more));
        assert_eq!((document.copied().as_deref(), document.counts()), (Some("b2"), (6, 7)));
        document.move_to(5);
        document.toggle_fold();
        document.show_later(vec![line("3", "c").folded(), below("c1")]);
        assert_eq!(document.counts(), (2, 2), "what was opened stays open");
        assert_eq!(document.selected().and_then(|line| line.name.as_deref()), Some("3"));
    }
}
