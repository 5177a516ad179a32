//! Selectable words of a line, marked lines, and rows per line.

use std::ops::Range;

use unicode_width::UnicodeWidthStr as _;

use super::{Document, EXPANDED_ROWS, Line, LineName, PROSE_ROWS, TextSpan, wrap::wrap};
use crate::{
    config::Meaning,
    domain::{Target, text},
};

/// Rows of a line away from the cursor.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Rows {
    /// One row; cuts longer text.
    #[default]
    One,
    /// As many rows as needed.
    Prose,
    /// As many rows as needed, indented below the first part.
    Hanging,
}

/// Selectable word with its evidence and its link.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct WordRef {
    pieces: Range<usize>,
    /// Indices of the events that prove the word's statement.
    pub(crate) events: Vec<usize>,
    pub(crate) link: Option<Target>,
    pub(crate) copy: Option<String>,
}

impl WordRef {
    /// Creates a word that these events prove, given by index.
    pub(crate) fn by(events: &[usize]) -> Self {
        Self { events: events.to_vec(), ..Self::default() }
    }

    #[must_use]
    pub(crate) fn leading_to(mut self, target: Option<Target>) -> Self {
        self.link = target;
        self
    }

    #[must_use]
    pub(crate) fn copying(mut self, value: impl Into<String>) -> Self {
        self.copy = Some(text::clean(&value.into()).into_owned());
        self
    }

    /// Whether the word has evidence or a link.
    fn leads(&self) -> bool {
        !self.events.is_empty() || self.link.is_some()
    }
}

impl<Id> Line<Id> {
    /// Appends a piece, selectable if its word has evidence or a link.
    #[must_use]
    pub(crate) fn with_word(mut self, meaning: Meaning, piece: impl AsRef<str>, word_ref: WordRef) -> Self {
        if word_ref.leads() {
            let place = self.pieces.len();
            self.word_refs.push(WordRef { pieces: place..place + 1, ..word_ref });
        }
        self.with(meaning, piece)
    }

    /// Wraps the line to as many rows as needed.
    #[must_use]
    pub(crate) fn prose(mut self) -> Self {
        self.rows = Rows::Prose;
        self
    }

    /// Wraps the line and indents its rows below the first piece.
    #[must_use]
    pub(crate) fn hanging(mut self) -> Self {
        self.rows = Rows::Hanging;
        self
    }
}

impl<Id: LineName> Document<Id> {
    pub(crate) fn chosen(&self) -> Option<&WordRef> {
        self.selected()?.word_refs.get(self.word_ref?)
    }

    /// Returns the word that Enter opens: the selected word, else the line's first with events.
    pub(crate) fn meant(&self) -> Option<&WordRef> {
        self.chosen().or_else(|| self.selected()?.word_refs.iter().find(|word_ref| !word_ref.events.is_empty()))
    }

    /// Returns the text of [`Self::meant`].
    pub(crate) fn meant_text(&self) -> Option<String> {
        let pieces = self.selected()?.pieces.get(self.meant()?.pieces.clone())?;
        Some(pieces.iter().map(|piece| piece.text.as_str()).collect::<String>().trim().to_owned())
    }

    /// Copies the width and height of another document.
    pub(crate) fn take_room_of(&mut self, other: &Self) {
        self.set_room(other.width, other.height);
    }

    /// Selects the next or previous word, in this line or another; false if there is none.
    pub(crate) fn step_word(&mut self, step: isize) -> bool {
        let Some((place, word_ref)) = self.next_word(step) else { return false };
        if place != self.cursor {
            self.move_to(place);
        }
        self.word_ref = Some(word_ref);
        true
    }

    pub(crate) fn can_step_word(&self, step: isize) -> bool {
        self.next_word(step).is_some()
    }

    /// Returns the shown line and the index in it of the next or previous word.
    fn next_word(&self, step: isize) -> Option<(usize, usize)> {
        let here = self.selected().map_or(0, |line| line.word_refs.len());
        let within = match (self.word_ref, step > 0) {
            (Some(word_ref), _) => word_ref.checked_add_signed(step),
            (None, true) => Some(0),
            (None, false) => None,
        };
        if let Some(word_ref) = within.filter(|word_ref| *word_ref < here) {
            return Some((self.cursor, word_ref));
        }
        let count = |place: &usize| {
            self.shown.get(*place).and_then(|&line| self.lines.get(line)).map(|line| line.word_refs.len())
        };
        let has_words = |place: &usize| count(place).is_some_and(|words| words > 0);
        let place = if step > 0 {
            (self.cursor + 1..self.shown.len()).find(has_words)?
        } else {
            (0..self.cursor).rev().find(has_words)?
        };
        let last = count(&place).unwrap_or(1).saturating_sub(1);
        Some((place, if step > 0 { 0 } else { last }))
    }

    /// Marks the named lines and goes to the first, opening folds and clearing a filter that hide it.
    pub(crate) fn mark(&mut self, names: &[Id]) -> bool {
        names.clone_into(&mut self.marked);
        names.first().is_some_and(|name| self.reveal_whole(name.clone()))
    }

    pub(crate) fn marked(&self) -> &[Id] {
        &self.marked
    }

    /// Moves to the next or previous marked line, wrapping around; false if no other is marked.
    pub(crate) fn step_mark(&mut self, step: isize) -> bool {
        let Some(&at) = self.shown.get(self.cursor) else { return false };
        let named = self.lines.iter().enumerate().filter_map(|(place, line)| Some((place, line.name.as_ref()?)));
        let places: Vec<(usize, &Id)> = named.filter(|(_, name)| self.marked.contains(name)).collect();
        let next = if step > 0 {
            places.iter().find(|(place, _)| *place > at).or(places.first())
        } else {
            places.iter().rev().find(|(place, _)| *place < at).or(places.last())
        };
        match next {
            Some(&(place, name)) if place != at => self.reveal_whole(name.clone()),
            _ => false,
        }
    }

    /// Whether there is a marked line other than the cursor's.
    pub(crate) fn can_step_mark(&self) -> bool {
        let at =
            self.shown.get(self.cursor).and_then(|&place| self.lines.get(place)).and_then(|line| line.name.as_ref());
        let mut others = self.lines.iter().filter_map(|line| line.name.as_ref()).filter(|name| Some(*name) != at);
        others.any(|name| self.marked.contains(name))
    }

    /// Moves to the named line and scrolls its children into view, if they fit.
    fn reveal_whole(&mut self, name: Id) -> bool {
        if !self.reveal(name) {
            return false;
        }
        self.show_below();
        true
    }

    fn show_below(&mut self) {
        let Some(depth) = self.selected().map(|line| line.depth) else { return };
        let lines = self.shown.iter().skip(self.cursor + 1).filter_map(|&place| self.lines.get(place));
        let below = lines.take_while(|line| line.depth > depth).count();
        let last = self.cursor + below.min(self.height.saturating_sub(1));
        self.top = self.top.max(self.top_above(last)).min(self.cursor);
    }

    pub(crate) fn cut(&self, line: &Line<Id>, is_cursor: bool) -> Vec<Vec<TextSpan>> {
        let most = match (line.rows != Rows::One, is_cursor) {
            (true, true) => self.height,
            (true, false) => PROSE_ROWS.min(self.height),
            (false, true) => EXPANDED_ROWS.min(self.height),
            (false, false) => 1,
        };
        let mut pieces = line.pieces.clone();
        let chosen = self.word_ref.filter(|_| is_cursor).and_then(|word_ref| line.word_refs.get(word_ref));
        for piece in chosen.and_then(|chosen| pieces.get_mut(chosen.pieces.clone())).into_iter().flatten() {
            piece.meaning = Meaning::Chosen;
        }
        let (most, room) = (most.max(1), self.room_of(line));
        let first = pieces.first().cloned().filter(|_| line.rows == Rows::Hanging);
        let Some(first) = first else { return wrap(&self.highlighted(pieces), room, most) };
        let indent = first.text.width().min(room / 2);
        let mut rows = wrap(&self.highlighted(pieces.split_off(1)), room - indent, most);
        for (place, row) in rows.iter_mut().enumerate() {
            let blank = || TextSpan { meaning: Meaning::Text, text: " ".repeat(indent) };
            row.insert(0, if place == 0 { first.clone() } else { blank() });
        }
        rows
    }

    /// Returns the number of rows of a shown line.
    fn rows_at(&self, place: usize) -> usize {
        let Some(line) = self.shown.get(place).and_then(|&place| self.lines.get(place)) else { return 1 };
        let is_cursor = place == self.cursor;
        if is_cursor || line.rows != Rows::One { self.cut(line, is_cursor).len() } else { 1 }
    }

    /// Returns the topmost line from which all rows of this line still fit on screen.
    pub(crate) fn top_above(&self, place: usize) -> usize {
        let mut left = self.height.saturating_sub(self.rows_at(place));
        let mut top = place;
        while let Some(above) = top.checked_sub(1) {
            let Some(rest) = left.checked_sub(self.rows_at(above)) else { break };
            (left, top) = (rest, above);
        }
        top
    }

    /// Returns how many whole lines fit below the top of the screen, at least one. A line that expands only under the
    /// cursor counts as one row.
    pub(crate) fn lines_on_screen(&self) -> usize {
        let mut left = self.height;
        let end = self.column().end;
        let places = self.shown.iter().take(end).skip(self.top).filter_map(|&place| self.lines.get(place));
        let fitting = places.take_while(|line| {
            let rows = if line.rows == Rows::One { 1 } else { self.cut(line, false).len() };
            let fits = left.checked_sub(rows);
            left = fits.unwrap_or(left);
            fits.is_some() && rows > 0
        });
        let lines = fitting.count();
        // Below the end of a document the screen is empty.
        if self.top + lines >= end { (lines + left).max(1) } else { lines.max(1) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::widgets::document::Unnamed;

    fn document() -> Document<u32> {
        let word =
            |line: Line<u32>, text: &str, events: &[usize]| line.with_word(Meaning::Link, text, WordRef::by(events));
        let first =
            word(word(Line::at(0).with(Meaning::Text, "one "), "two", &[4, 5]).with(Meaning::Text, " "), "3", &[6]);
        let event = |name| Line::at(1).with(Meaning::Kind, "event").named(name);
        let below = |text| Line::at(2).with(Meaning::Text, text);
        Document::new(vec![
            first,
            Line::at(0).with(Meaning::Heading, "between").folded(),
            event(4),
            below("a"),
            event(5),
            word(Line::at(0), "last", &[7]),
            word(Line::at(0), "nowhere", &[]),
        ])
    }

    #[test]
    fn words_are_chosen_one_after_another_across_lines() {
        let mut document = document();
        document.set_room(40, 10);
        let said = |document: &Document<u32>| document.chosen().and(document.meant_text());
        assert_eq!((said(&document), document.meant_text().as_deref()), (None, Some("two")), "Enter takes the first");
        for expected in ["two", "3", "last"] {
            assert!(document.step_word(1));
            assert_eq!(said(&document).as_deref(), Some(expected));
        }
        assert!(!document.step_word(1), "a word that leads nowhere is none");
        for expected in ["3", "two"] {
            assert!(document.step_word(-1));
            assert_eq!(said(&document).as_deref(), Some(expected));
        }
        assert!(!document.step_word(-1));
        assert!(document.move_by(1) && document.chosen().is_none(), "moving lets go of the word");
    }

    #[test]
    fn marked_lines_are_opened_one_after_another_around_the_end() {
        let mut document = document();
        document.set_room(40, 10);
        assert!(document.mark(&[4, 5]));
        let at = |document: &Document<u32>| document.selected().and_then(|line| line.name);
        assert_eq!(at(&document), Some(4), "the fold above is opened");
        for expected in [5, 4] {
            assert!(document.step_mark(1));
            assert_eq!(at(&document), Some(expected));
        }
        assert!(document.step_mark(-1) && at(&document) == Some(5));
        assert_eq!(document.rows().iter().filter(|slice| slice.is_marked).count(), 2);
        assert!(!document.mark(&[9]) && !document.step_mark(1), "what is not there is not gone to");
    }

    #[test]
    fn prose_is_whole_and_hangs_on_its_first_piece_and_pages_count_its_rows() {
        let prose =
            || Line::<Unnamed>::at(0).with(Meaning::Muted, "1  ").with(Meaning::Text, "word ".repeat(20)).hanging();
        let mut document = Document::new(vec![prose(), prose(), prose(), Line::at(0).with(Meaning::Text, "end")]);
        document.set_room(40, 6);
        let rows = document.rows();
        let texts: Vec<String> =
            rows.iter().map(|row| row.pieces.iter().map(|piece| piece.text.as_str()).collect()).collect();
        assert!(texts[0].starts_with("1  word") && texts[1].starts_with("   word"), "{texts:?}");
        assert_eq!(rows.iter().filter(|row| row.is_first).count(), 2, "{texts:?}");
        document.move_to(3);
        assert!(document.rows().iter().any(|row| row.is_cursor), "the cursor is on screen");
        document.move_to(0);
        document.page_by(1);
        assert!(document.rows().iter().any(|row| row.is_cursor));
    }
}
