mod columns;
pub(crate) mod draw;
mod filter;
mod folds;
pub(crate) mod json;
mod lines;
mod words;
mod wrap;

pub(crate) use columns::{LineColumn, column_widths};
pub(crate) use lines::Lines;
pub(crate) use words::{Rows, WordRef};

use std::{
    collections::{BTreeSet, HashMap, HashSet},
    fmt,
    hash::Hash,
};

use json::JsonStep;
use ratatui::layout::Rect;

use crate::{
    config::Meaning,
    domain::{Target, text},
};

/// Columns of indent per tree level.
pub(crate) const INDENT: usize = 2;
/// Maximum rows of a long line under the cursor.
const EXPANDED_ROWS: usize = 6;
/// Maximum rows of prose away from the cursor.
const PROSE_ROWS: usize = 8;

/// Line name for documents without named lines; it has no values.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Unnamed {}

pub(crate) trait LineName: Clone + fmt::Debug + Eq + Hash {}

impl<T: Clone + fmt::Debug + Eq + Hash> LineName for T {}

/// Text and its meaning; creation removes control characters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct TextSpan {
    pub(crate) meaning: Meaning,
    pub(crate) text: String,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum FilterMatch {
    #[default]
    ByItself,
    /// Matches the line with its children; shows all of them or none.
    AsUnit,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Line<Id = Unnamed> {
    /// Level in the tree. The deeper lines that follow are the line's children.
    pub(crate) depth: u16,
    pub(crate) pieces: Vec<TextSpan>,
    pub(crate) copy: Option<String>,
    /// JSON path step of the value that the line shows or opens.
    pub(crate) step: Option<JsonStep>,
    pub(crate) link: Option<Target>,
    /// Whether the document first hides the line's children.
    pub(crate) starts_folded: bool,
    /// Name in the document; the cursor stays on it while other lines change.
    pub(crate) name: Option<Id>,
    /// Screen rows of the line while the cursor is elsewhere.
    pub(crate) rows: Rows,
    /// Selectable words, in order.
    pub(crate) word_refs: Vec<WordRef>,
    pub(crate) filter_match: FilterMatch,
    pub(crate) column: LineColumn,
}

impl<Id> Default for Line<Id> {
    fn default() -> Self {
        Self {
            depth: 0,
            pieces: Vec::new(),
            copy: None,
            step: None,
            link: None,
            starts_folded: false,
            name: None,
            rows: Rows::default(),
            word_refs: Vec::new(),
            filter_match: FilterMatch::default(),
            column: LineColumn::default(),
        }
    }
}

impl<Id> Line<Id> {
    pub(crate) fn at(depth: u16) -> Self {
        Self { depth, ..Self::default() }
    }

    #[must_use]
    pub(crate) fn with(mut self, meaning: Meaning, piece: impl AsRef<str>) -> Self {
        self.pieces.push(TextSpan { meaning, text: text::clean(piece.as_ref()).into_owned() });
        self
    }

    #[must_use]
    pub(crate) fn copying(mut self, value: impl Into<String>) -> Self {
        self.copy = Some(text::clean(&value.into()).into_owned());
        self
    }

    #[must_use]
    pub(crate) fn leading_to(mut self, target: Option<Target>) -> Self {
        self.link = target;
        self
    }

    /// Starts the line folded: its children are hidden.
    #[must_use]
    pub(crate) fn folded(mut self) -> Self {
        self.starts_folded = true;
        self
    }

    #[must_use]
    pub(crate) fn named(mut self, name: Id) -> Self {
        self.name = Some(name);
        self
    }

    /// Makes the line the head of a unit. A filter finds its words anywhere in the unit and shows all of it or none.
    #[must_use]
    pub(crate) fn unit(mut self) -> Self {
        self.filter_match = FilterMatch::AsUnit;
        self
    }

    fn is_unit(&self) -> bool {
        self.filter_match == FilterMatch::AsUnit
    }

    pub(crate) fn text(&self) -> String {
        self.pieces.iter().map(|piece| piece.text.as_str()).collect()
    }

    fn contains(&self, needle: &str) -> bool {
        crate::domain::searching::holds(&self.text().to_lowercase(), needle)
    }

    /// Whether the line only closes a bracket of JSON.
    fn is_closing(&self) -> bool {
        matches!(self.text().as_str(), "}" | "}," | "]" | "],")
    }
}

/// Text with a cursor, folding and a filter.
#[derive(Debug)]
pub(crate) struct Document<Id = Unnamed> {
    lines: Vec<Line<Id>>,
    shown: Vec<usize>,
    folded: BTreeSet<usize>,
    /// Lines that the user folded while the filter was active.
    folded_in_filter: BTreeSet<usize>,
    filter: String,
    /// Lines that match the active filter.
    kept: Option<BTreeSet<usize>>,
    cursor: usize,
    /// Selected word of the cursor's line.
    word_ref: Option<usize>,
    marked: Vec<Id>,
    /// First shown line on screen of the cursor's column.
    top: usize,
    /// First shown line on screen of the other column.
    top_beside: usize,
    width: usize,
    height: usize,
}

#[derive(Debug)]
pub(crate) struct ScreenRow<'a, Id = Unnamed> {
    pub(crate) line: &'a Line<Id>,
    /// Text of this screen row, a part of the line.
    pub(crate) pieces: Vec<TextSpan>,
    pub(crate) is_cursor: bool,
    pub(crate) is_first: bool,
    /// `Some(true)` for a folded line, `Some(false)` for a foldable line.
    pub(crate) folded: Option<bool>,
    pub(crate) is_marked: bool,
    /// Index among the shown lines.
    pub(crate) place: usize,
}

/// Name of the line, or of the nearest named line above it, and the distance to that line.
type Identity<Id> = (Option<Id>, usize);

fn identities<Id: LineName>(lines: &[Line<Id>]) -> Vec<Identity<Id>> {
    let mut last = (None, 0);
    let each = lines.iter().map(|line| {
        last = if line.name.is_some() { (line.name.clone(), 0) } else { (last.0.take(), last.1 + 1) };
        last.clone()
    });
    each.collect()
}

fn folded_at_first<Id>(lines: &[Line<Id>]) -> BTreeSet<usize> {
    lines.iter().enumerate().filter(|(_, line)| line.starts_folded).map(|(place, _)| place).collect()
}

impl<Id> Default for Document<Id> {
    fn default() -> Self {
        Self {
            lines: Vec::new(),
            shown: Vec::new(),
            folded: BTreeSet::new(),
            folded_in_filter: BTreeSet::new(),
            filter: String::new(),
            kept: None,
            cursor: 0,
            word_ref: None,
            marked: Vec::new(),
            top: 0,
            top_beside: 0,
            width: 0,
            height: 0,
        }
    }
}

impl<Id: LineName> Document<Id> {
    pub(crate) fn new(lines: Vec<Line<Id>>) -> Self {
        let folded = folded_at_first(&lines);
        let mut document = Self { lines, folded, width: 80, height: 1, ..Self::default() };
        document.show();
        document
    }

    /// Returns the number of shown lines and of all lines.
    pub(crate) fn counts(&self) -> (usize, usize) {
        (self.shown.len(), self.lines.len())
    }

    pub(crate) fn filter(&self) -> &str {
        &self.filter
    }

    /// Shows only lines that contain this text, with their headings.
    pub(crate) fn set_filter(&mut self, filter: &str) {
        if self.filter != filter {
            filter.clone_into(&mut self.filter);
            self.folded_in_filter.clear();
            self.sift();
            self.show();
            if let Some(&first) = self.matches().first() {
                self.move_to_line(first);
            }
        }
    }

    pub(crate) fn fit(&mut self, area: Rect) {
        self.set_room(usize::from(area.width), usize::from(area.height));
    }

    fn set_room(&mut self, width: usize, height: usize) {
        self.width = width.max(8);
        self.height = height.max(1);
        self.keep_cursor_visible();
    }

    pub(crate) fn selected(&self) -> Option<&Line<Id>> {
        self.lines.get(self.selected_place()?)
    }

    /// Returns the index of the cursor's line among all lines.
    pub(crate) fn selected_place(&self) -> Option<usize> {
        self.shown.get(self.cursor).copied()
    }

    /// Whether the cursor is on this shown line.
    pub(crate) fn is_cursor_at(&self, place: usize) -> bool {
        self.cursor == place
    }

    /// Whether the cursor is on the last shown line.
    pub(crate) fn is_cursor_at_end(&self) -> bool {
        self.cursor + 1 >= self.shown.len()
    }

    /// Returns the copied value: the selected word's, else the line's, else the text of all lines below it.
    pub(crate) fn copied(&self) -> Option<String> {
        if let Some(value) = self.chosen().and_then(|word_ref| word_ref.copy.clone()) {
            return Some(value);
        }
        let place = *self.shown.get(self.cursor)?;
        let line = self.lines.get(place)?;
        if line.copy.is_some() || !self.has_children(place) {
            return line.copy.clone();
        }
        // A closing bracket of JSON has the depth of its opening line.
        let below = self.lines.iter().skip(place + 1).take_while(|below| below.depth > line.depth).count();
        let closing = self.lines.get(place + 1 + below).filter(|last| last.depth == line.depth && last.is_closing());
        let whole = self.lines.iter().skip(place).take(1 + below).chain(closing);
        let texts = whole.map(|part| {
            let indent = " ".repeat(usize::from(part.depth - line.depth) * INDENT);
            format!("{indent}{}", part.text())
        });
        let text = texts.collect::<Vec<_>>().join("\n");
        let text = text.strip_suffix(',').unwrap_or(&text);
        let value = text.find(['{', '[']).filter(|_| closing.is_some()).map_or(text, |start| &text[start..]);
        Some(value.to_owned())
    }

    /// Whether the cursor is on a value that can be copied.
    pub(crate) fn can_copy(&self) -> bool {
        let has_value = |line: &Line<Id>| line.copy.is_some();
        self.chosen().is_some_and(|word_ref| word_ref.copy.is_some())
            || self.selected().is_some_and(has_value)
            || self.can_fold()
    }

    /// Replaces the lines. Cursor and folds stay if the lines are unchanged; else only the filter stays.
    pub(crate) fn replace_lines(&mut self, lines: Vec<Line<Id>>) {
        if lines.len() != self.lines.len() {
            self.folded = folded_at_first(&lines);
            (self.cursor, self.top, self.top_beside, self.word_ref) = (0, 0, 0, None);
            self.shown.clear();
        }
        self.lines = lines;
        self.folded_in_filter.clear();
        self.sift();
        self.show();
    }

    /// Updates the lines of one subject and returns whether any changed. Cursor and folds follow named lines, or their
    /// distance from one.
    pub(crate) fn update_lines(&mut self, lines: Vec<Line<Id>>) -> bool {
        if lines == self.lines {
            return false;
        }
        let before = identities(&self.lines);
        let after: HashMap<Identity<Id>, usize> =
            identities(&lines).into_iter().enumerate().map(|(place, identity)| (identity, place)).collect();
        let above = self.cursor.saturating_sub(self.top);
        let word_ref = self.word_ref;
        let at = self.selected_place().and_then(|place| before.get(place));
        let cursor =
            at.and_then(|identity| after.get(identity).or_else(|| after.get(&(identity.0.clone(), 0))).copied());
        // The user cannot have unfolded a line that had no children.
        let could_fold = before.iter().enumerate().filter(|(place, _)| self.has_children(*place));
        let could_fold: HashSet<&Identity<Id>> = could_fold.map(|(_, identity)| identity).collect();
        let mut folded: BTreeSet<usize> =
            self.folded.iter().filter_map(|&place| after.get(before.get(place)?).copied()).collect();
        folded.extend(
            after
                .iter()
                .filter(|(identity, place)| {
                    lines.get(**place).is_some_and(|line| line.starts_folded) && !could_fold.contains(*identity)
                })
                .map(|(_, place)| *place),
        );
        (self.lines, self.folded) = (lines, folded);
        self.folded_in_filter.clear();
        self.shown.clear();
        self.sift();
        self.show();
        self.cursor = cursor.map_or(0, |place| self.shown.partition_point(|&shown| shown < place));
        self.cursor = self.cursor.min(self.shown.len().saturating_sub(1));
        self.word_ref = cursor.and(word_ref);
        self.top = self.cursor.saturating_sub(above);
        self.keep_cursor_visible();
        true
    }

    /// Moves the cursor; returns whether anything changed.
    pub(crate) fn move_by(&mut self, lines: isize) -> bool {
        self.move_to(self.cursor.saturating_add_signed(lines))
    }

    /// Moves the cursor to a shown line; returns whether anything changed.
    pub(crate) fn move_to(&mut self, place: usize) -> bool {
        let before = (self.cursor, self.top, self.word_ref.take());
        self.cursor = place.min(self.shown.len().saturating_sub(1));
        self.keep_cursor_visible();
        before != (self.cursor, self.top, None)
    }

    pub(crate) fn page_by(&mut self, screens: isize) -> bool {
        self.scroll_by(screens.saturating_mul(isize::try_from(self.lines_on_screen()).unwrap_or(1)))
    }

    pub(crate) fn half_page_by(&mut self, sign: isize) -> bool {
        self.scroll_by(sign * isize::try_from(self.lines_on_screen().div_ceil(2)).unwrap_or(1))
    }

    fn scroll_by(&mut self, lines: isize) -> bool {
        let column = self.column();
        let last = self.top_above(column.end.saturating_sub(1)).max(column.start);
        self.top = self.top.saturating_add_signed(lines).clamp(column.start, last);
        self.move_by(lines)
    }

    /// Returns the place of the line in the middle of the screen.
    pub(crate) fn middle(&self) -> usize {
        self.top + self.lines_on_screen().min(self.shown.len().saturating_sub(self.top)).saturating_sub(1) / 2
    }

    /// Returns the place of the nearest line, below or above the cursor, that begins a group: a heading, or the first
    /// line after an empty one.
    pub(crate) fn group(&self, is_below: bool) -> Option<usize> {
        let begins = |place: usize| {
            let line = |place: usize| self.shown.get(place).and_then(|&index| self.lines.get(index));
            let is_empty = |place: usize| line(place).is_none_or(|line| line.text().trim().is_empty());
            let is_heading = line(place).is_some_and(|line| line.depth == 0)
                && self.shown.get(place).is_some_and(|&index| self.has_children(index));
            !is_empty(place) && (place == 0 || is_heading || is_empty(place - 1))
        };
        if is_below {
            (self.cursor + 1..self.shown.len()).find(|place| begins(*place))
        } else {
            (0..self.cursor).rev().find(|place| begins(*place))
        }
    }

    fn has_children(&self, place: usize) -> bool {
        match (self.lines.get(place), self.lines.get(place + 1)) {
            (Some(line), Some(next)) => next.depth > line.depth,
            _ => false,
        }
    }

    fn show(&mut self) {
        let selected = self.shown.get(self.cursor).copied();
        self.shown.clear();
        let mut hidden_below: Option<u16> = None;
        for (place, line) in self.lines.iter().enumerate() {
            if hidden_below.is_some_and(|depth| line.depth > depth) {
                continue;
            }
            hidden_below = self.is_folded(place).then_some(line.depth);
            if self.kept.as_ref().is_none_or(|kept| kept.contains(&place)) {
                self.shown.push(place);
            }
        }
        self.cursor = selected.map_or(0, |place| self.shown.partition_point(|&shown| shown < place));
        self.cursor = self.cursor.min(self.shown.len().saturating_sub(1));
        if self.shown.get(self.cursor).copied() != selected {
            self.word_ref = None;
        }
        self.keep_cursor_visible();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::widgets::document::json::json_lines;

    fn at<Id: LineName>(document: &mut Document<Id>, place: usize) -> String {
        document.move_to(place);
        document.copied().unwrap_or_default()
    }

    #[test]
    fn a_line_of_json_copies_its_value_and_an_opening_one_all_that_it_opens() {
        let mut document: Document = Document::new(json_lines(r#"{"a":{"b":[1,{"c":"x"}]},"d":"y"}"#));
        assert_eq!(at(&mut document, 1), "{\n  \"b\": [\n    1,\n    {\n      \"c\": \"x\"\n    }\n  ]\n}");
        assert_eq!(at(&mut document, 3), "1");
        assert_eq!(at(&mut document, 5), "x");
        assert_eq!(serde_json::from_str::<serde_json::Value>(&at(&mut document, 0)).unwrap()["d"], "y");
    }

    #[test]
    fn other_lines_keep_the_filter_and_the_same_number_keeps_the_cursor() {
        let lines = |word: &str| json_lines::<Unnamed>(&format!(r#"{{"a":"{word}","b":"keep {word}"}}"#));
        let mut document = Document::new(lines("one"));
        document.move_to(2);
        document.replace_lines(lines("two"));
        assert_eq!(document.copied().as_deref(), Some("keep two"));
        document.set_filter("keep");
        document.replace_lines(json_lines(r#"{"z":1,"b":"keep three","c":2}"#));
        assert_eq!(document.counts(), (2, 5), "the heading and the match");
    }

    #[test]
    fn cursor_and_folds_stay_with_named_lines_while_others_come_and_go() {
        let line = |name: u32, text: &str| Line::at(0).named(name).with(Meaning::Text, text);
        let below = |text: &str| Line::at(1).with(Meaning::Text, text).copying(text);
        let mut document = Document::new(vec![
            line(1, "a"),
            line(2, "b"),
            below("b1"),
            below("b2"),
            line(3, "c").folded(),
            below("c1"),
        ]);
        assert_eq!(at(&mut document, 3), "b2");
        let more = vec![
            line(1, "a"),
            below("new"),
            line(2, "b"),
            below("b1"),
            below("b2"),
            line(3, "c").folded(),
            below("c1"),
        ];
        assert!(document.update_lines(more.clone()) && !document.update_lines(more));
        assert_eq!((document.copied().as_deref(), document.counts()), (Some("b2"), (6, 7)));
        document.move_to(5);
        document.toggle_fold();
        document.update_lines(vec![line(3, "c").folded(), below("c1")]);
        assert_eq!(document.counts(), (2, 2), "what was opened stays open");
        assert_eq!(document.selected().and_then(|line| line.name), Some(3));
    }

    #[test]
    fn a_line_longer_than_the_screen_opens_under_the_cursor_only() {
        let mut document: Document = Document::new(json_lines(&format!(r#"["{}","short"]"#, "x".repeat(500))));
        document.set_room(40, 20);
        assert_eq!(document.rows().len(), 4);
        document.move_to(1);
        assert_eq!(document.rows().len(), 3 + EXPANDED_ROWS);
    }
}
