//! Lays out a comparison: two columns if there is room, else one value above the other.

use unicode_width::UnicodeWidthStr as _;

use super::rows::{Cell, Group, Row};
use crate::{
    app::page::TxPosition,
    config::Meaning,
    domain::text,
    widgets::document::{self, INDENT},
};

/// Minimum columns for two values side by side.
const WIDE_FROM: usize = 100;
/// Columns of the labels, including the indent.
const NAMES: usize = 38;
/// Separator of the columns.
const GAP: &str = " │ ";
/// Labels of rows that hold sentences. Sentences wrap instead of being cut.
const SENTENCES: [&str; 2] = ["reason", "in words"];

type Line = document::Line<ComparedLine>;

/// Identity of a line, independent of the layout: its part of the nested groups.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct ComparedLine {
    /// Indices of the groups, outermost first.
    groups: Vec<usize>,
    part: GroupPart,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum GroupPart {
    Title,
    /// Index of a difference.
    Row(usize),
    /// Line that counts the equal rows.
    Same,
    SameRow(usize),
}

/// Positions in the left and right transaction that Enter opens from a line.
pub(super) type Positions = (Option<TxPosition>, Option<TxPosition>);

#[derive(Default)]
pub(super) struct Layout {
    pub(super) lines: Vec<Line>,
    pub(super) positions: Vec<Positions>,
    width: usize,
    /// Indices of the open groups, outermost first.
    groups: Vec<usize>,
    /// Whether the current row is a sentence.
    is_sentence: bool,
}

/// Returns the offsets of the second and third column, and their width; `None` if two columns do not fit.
pub(super) fn columns(width: usize) -> Option<(usize, usize, usize)> {
    let cell = width.checked_sub(NAMES + GAP.width())? / 2;
    (width >= WIDE_FROM).then_some((NAMES, NAMES + cell + GAP.width(), cell))
}

pub(super) fn lay_out(sections: &[Group], width: usize) -> Layout {
    let mut layout = Layout { width, ..Layout::default() };
    for (place, section) in sections.iter().enumerate() {
        let (meaning, verdict) = section.verdict();
        let line = Line::at(0).with(Meaning::Heading, format!("{}  ", section.title)).with(meaning, verdict);
        let line =
            if section.note.is_empty() { line } else { line.with(Meaning::Warning, format!("  {}", section.note)) };
        let line = if section.differences() == 0 { line.folded() } else { line };
        layout.group(place, line, (None, None), |layout| layout.fill(1, section));
    }
    layout
}

impl Layout {
    fn push(&mut self, line: Line, positions: Positions) {
        self.lines.push(line);
        self.positions.push(positions);
    }

    /// Names the next line after this part of the current group.
    fn name(&self, part: GroupPart) -> ComparedLine {
        ComparedLine { groups: self.groups.clone(), part }
    }

    fn group(&mut self, place: usize, title: Line, positions: Positions, inside: impl FnOnce(&mut Self)) {
        self.groups.push(place);
        let name = self.name(GroupPart::Title);
        self.push(title.named(name), positions);
        inside(self);
        self.groups.pop();
    }

    fn fill(&mut self, depth: u16, group: &Group) {
        for (place, row) in group.rows.iter().enumerate() {
            let first = self.lines.len();
            self.row(depth, row);
            // Further lines of a row count their distance from the row's first line.
            let name = self.name(GroupPart::Row(place));
            if let Some(line) = self.lines.get_mut(first) {
                line.name = Some(name);
            }
        }
        for (place, inner) in group.groups.iter().enumerate() {
            let (meaning, verdict) = inner.verdict();
            let line = Line::at(depth).with(Meaning::Kind, &inner.title);
            let note = if inner.note.is_empty() { String::new() } else { format!("  {}", inner.note) };
            let line = line.with(Meaning::Muted, note).with(meaning, format!("  {verdict}"));
            let line = if inner.differences() == 0 { line.folded() } else { line };
            self.group(place, line, inner.positions.clone(), |layout| layout.fill(depth + 1, inner));
        }
        if !group.same.is_empty() {
            let count = group.same.len();
            let noun = if count == 1 { group.nouns.0 } else { group.nouns.1 };
            let line = Line::at(depth).with(Meaning::Muted, format!("= {count} {noun} equal")).folded();
            self.push(line.named(self.name(GroupPart::Same)), (None, None));
            for (place, row) in group.same.iter().enumerate() {
                self.same(depth + 1, place, row);
            }
        }
    }

    fn same(&mut self, depth: u16, place: usize, row: &Row) {
        let Some(cell) = &row.left else { return };
        let line = Line::at(depth).with(Meaning::Key, format!("{}  ", row.label)).with(Meaning::Text, &cell.text);
        let positions = (Some(cell.position.clone()), row.right.as_ref().map(|right| right.position.clone()));
        self.push(line.copying(cell.copy.as_str()).named(self.name(GroupPart::SameRow(place))), positions);
    }

    fn row(&mut self, depth: u16, row: &Row) {
        self.is_sentence = SENTENCES.contains(&row.label.as_str());
        if let Some((_, _, room)) = columns(self.width) {
            return self.beside(depth, row, room);
        }
        let label = text::clip(&row.label, self.width / 2);
        // The second line leaves the label's columns blank.
        let again = if row.left.is_some() { " ".repeat(label.width()) } else { label.clone() };
        self.one_side(depth, '−', &label, row.left.as_ref(), |position| (Some(position), None));
        self.one_side(depth, '+', &again, row.right.as_ref(), |position| (None, Some(position)));
    }

    fn one_side(
        &mut self,
        depth: u16,
        sign: char,
        label: &str,
        cell: Option<&Cell>,
        positions: impl Fn(TxPosition) -> Positions,
    ) {
        let Some(cell) = cell else { return };
        let line = Line::at(depth)
            .with(Meaning::Heading, format!("{sign} "))
            .with(Meaning::Key, format!("{label}  "))
            .with(Meaning::Text, &cell.text);
        let line = if self.is_sentence { line.prose() } else { line };
        self.push(line.copying(cell.copy.as_str()), positions(cell.position.clone()));
    }

    /// Adds one line with both values, and full lines below for values that were cut.
    fn beside(&mut self, depth: u16, row: &Row, room: usize) {
        let sign = match (&row.left, &row.right) {
            (Some(_), Some(_)) => "≠ ",
            (Some(_), None) => "− ",
            _ => "+ ",
        };
        let names = NAMES.saturating_sub(usize::from(depth) * INDENT + 2 + sign.width() + 1);
        let text = |cell: &Option<Cell>| cell.as_ref().map_or("", |cell| cell.text.as_str()).to_owned();
        let (left, right) = (text(&row.left), text(&row.right));
        let line = Line::at(depth)
            .with(Meaning::Heading, sign)
            .with(Meaning::Key, format!("{} ", padded(&row.label, names)))
            .with(Meaning::Text, padded(&left, room))
            .with(Meaning::Muted, GAP)
            .with(Meaning::Text, text::clip(&right, room));
        let position = |cell: &Option<Cell>| cell.as_ref().map(|cell| cell.position.clone());
        let positions = (position(&row.left), position(&row.right));
        let is_cut = left.width() > room || right.width() > room || row.label.width() > names;
        let copy = [&row.left, &row.right].map(|cell| cell.as_ref().map(|cell| cell.copy.as_str()));
        let line = line.copying(copy.into_iter().flatten().collect::<Vec<_>>().join("\n"));
        self.push(if is_cut { line.folded() } else { line }, positions);
        if is_cut {
            self.one_side(depth + 1, '−', &row.label, row.left.as_ref(), |position| (Some(position), None));
            self.one_side(depth + 1, '+', &row.label, row.right.as_ref(), |position| (None, Some(position)));
        }
    }
}

/// Cuts or pads a text to `room` columns.
fn padded(text: &str, room: usize) -> String {
    let cut = text::clip(text, room);
    let missing = room.saturating_sub(cut.width());
    format!("{cut}{}", " ".repeat(missing))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{app::page::TxTab, pages::compare::rows::position_in, widgets::document::Document};

    fn cell(text: &str) -> Cell {
        Cell { text: text.to_owned(), copy: text.to_owned(), position: position_in(TxTab::Messages) }
    }

    fn section() -> Group {
        let mut group = Group::new("Messages");
        group.push("sender", Some(cell("a")), Some(cell("a")));
        group.push("漢字", Some(cell("漢")), Some(cell("b")));
        group.push("gone", Some(cell("only here")), None);
        group.push("memo", None, Some(cell(&"x".repeat(300))));
        group
    }

    fn written(width: usize) -> Vec<String> {
        let layout = lay_out(&[section()], width);
        assert_eq!(layout.lines.len(), layout.positions.len());
        let text = |line: &Line| line.pieces.iter().map(|piece| piece.text.as_str()).collect::<String>();
        layout.lines.iter().map(text).collect()
    }

    #[test]
    fn side_by_side_every_column_begins_at_its_place() {
        let (_, second, room) = columns(120).unwrap();
        let lines = written(120);
        assert_eq!(lines[0], "Messages  3 differences");
        assert!(lines[1].starts_with("≠ 漢字 ") && lines[2].starts_with("− gone ") && lines[3].starts_with("+ memo "));
        for line in &lines[1..4] {
            let (before, _) = line.split_once('│').expect("two columns");
            assert_eq!(before.width() + INDENT + 2, second - 2, "{line}");
            assert!(line.width() + INDENT + 2 <= second + room, "{line}");
        }
        assert_eq!(lines[4], format!("+ memo  {}", "x".repeat(300)), "whole below the line where it was cut");
        assert_eq!(lines[5], "= 1 field equal");
    }

    #[test]
    fn the_cursor_stays_on_its_row_as_columns_come_and_go() {
        let mut document = Document::new(lay_out(&[section()], 80).lines);
        let at = |document: &Document<ComparedLine>| document.selected().map(|line| line.pieces[1].text.clone());
        document.move_to(4);
        assert_eq!(at(&document).as_deref(), Some("memo  "), "below the two lines of the first row");
        document.update_lines(lay_out(&[section()], 120).lines);
        assert!(at(&document).is_some_and(|text| text.starts_with("memo ")));
        assert_eq!(document.counts(), (5, 7), "what is cut hangs folded below its line, as if made anew");
        document.update_lines(lay_out(&[section()], 80).lines);
        assert_eq!(at(&document).as_deref(), Some("memo  "));
        document.move_to(2);
        document.update_lines(lay_out(&[section()], 120).lines);
        assert!(
            at(&document).is_some_and(|text| text.starts_with("漢字 ")),
            "from the second line of a row to the row"
        );
    }

    #[test]
    fn one_above_the_other_where_there_is_no_room() {
        assert_eq!(columns(99), None);
        let lines = written(80);
        assert_eq!(lines[1..4], ["− 漢字  漢", "+       b", "− gone  only here"]);
    }
}
