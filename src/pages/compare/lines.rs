//! A comparison as lines: two columns where there is room for them, else one above the other.

use unicode_width::UnicodeWidthStr as _;

use super::rows::{Cell, Group, Row};
use crate::{
    app::page::TxSpot,
    config::Meaning,
    domain::text,
    widgets::document::{self, INDENT},
};

/// Columns from which the two stand side by side.
const WIDE_FROM: usize = 100;
/// Columns of the names at the left, the indent among them.
const NAMES: usize = 38;
/// Columns between the two.
const GAP: &str = " │ ";
/// What is in sentences, which are shown to their end.
const SENTENCES: [&str; 2] = ["reason", "in words"];

/// A line of the comparison.
type Line = document::Line<ComparedLine>;

/// The line at this place of the comparison, and what it leads to among [`Layout::spots`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct ComparedLine(pub(super) usize);

/// Where a line leads, on the left and on the right.
pub(super) type Spots = (Option<TxSpot>, Option<TxSpot>);

/// Lines in the making.
#[derive(Default)]
pub(super) struct Layout {
    pub(super) lines: Vec<Line>,
    /// For each of the lines.
    pub(super) spots: Vec<Spots>,
    width: usize,
    /// Whether what is being laid out is in sentences.
    is_sentence: bool,
}

/// Where the second and the third column begin, and how wide they are; `None` where there is no room for both.
pub(super) fn columns(width: usize) -> Option<(usize, usize, usize)> {
    let cell = width.checked_sub(NAMES + GAP.width())? / 2;
    (width >= WIDE_FROM).then_some((NAMES, NAMES + cell + GAP.width(), cell))
}

/// The lines for so many columns.
pub(super) fn lay_out(sections: &[Group], width: usize) -> Layout {
    let mut layout = Layout { width, ..Layout::default() };
    for section in sections {
        let (meaning, verdict) = section.verdict();
        let line = Line::at(0).with(Meaning::Heading, format!("{}  ", section.title)).with(meaning, verdict);
        let line =
            if section.note.is_empty() { line } else { line.with(Meaning::Warning, format!("  {}", section.note)) };
        let line = if section.differences() == 0 { line.folded() } else { line };
        layout.push(line, (None, None));
        layout.fill(1, section);
    }
    layout
}

impl Layout {
    fn push(&mut self, line: Line, spots: Spots) {
        self.lines.push(line.named(ComparedLine(self.spots.len())));
        self.spots.push(spots);
    }

    fn fill(&mut self, depth: u16, group: &Group) {
        group.rows.iter().for_each(|row| self.row(depth, row));
        for inner in &group.groups {
            let (meaning, verdict) = inner.verdict();
            let line = Line::at(depth).with(Meaning::Kind, &inner.title);
            let note = if inner.note.is_empty() { String::new() } else { format!("  {}", inner.note) };
            let line = line.with(Meaning::Muted, note).with(meaning, format!("  {verdict}"));
            let line = if inner.differences() == 0 { line.folded() } else { line };
            self.push(line, inner.spots.clone());
            self.fill(depth + 1, inner);
        }
        if !group.same.is_empty() {
            let count = group.same.len();
            let noun = if count == 1 { group.nouns.0 } else { group.nouns.1 };
            self.push(
                Line::at(depth).with(Meaning::Muted, format!("= {count} {noun} the same")).folded(),
                (None, None),
            );
            group.same.iter().for_each(|row| self.same(depth + 1, row));
        }
    }

    fn same(&mut self, depth: u16, row: &Row) {
        let Some(cell) = &row.left else { return };
        let line = Line::at(depth).with(Meaning::Key, format!("{}  ", row.label)).with(Meaning::Text, &cell.text);
        let spots = (Some(cell.spot.clone()), row.right.as_ref().map(|right| right.spot.clone()));
        self.push(line.copying(cell.copy.as_str()), spots);
    }

    fn row(&mut self, depth: u16, row: &Row) {
        self.is_sentence = SENTENCES.contains(&row.label.as_str());
        if let Some((_, _, room)) = columns(self.width) {
            return self.beside(depth, row, room);
        }
        let label = text::clip(&row.label, self.width / 2);
        // The second of two lines has its value below the first's.
        let again = if row.left.is_some() { " ".repeat(label.width()) } else { label.clone() };
        self.one_side(depth, '−', &label, row.left.as_ref(), |spot| (Some(spot), None));
        self.one_side(depth, '+', &again, row.right.as_ref(), |spot| (None, Some(spot)));
    }

    fn one_side(&mut self, depth: u16, sign: char, label: &str, cell: Option<&Cell>, spots: impl Fn(TxSpot) -> Spots) {
        let Some(cell) = cell else { return };
        let line = Line::at(depth)
            .with(Meaning::Heading, format!("{sign} "))
            .with(Meaning::Key, format!("{label}  "))
            .with(Meaning::Text, &cell.text);
        let line = if self.is_sentence { line.prose() } else { line };
        self.push(line.copying(cell.copy.as_str()), spots(cell.spot.clone()));
    }

    /// One line with both; what is cut in it hangs whole below it.
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
        let spot = |cell: &Option<Cell>| cell.as_ref().map(|cell| cell.spot.clone());
        let spots = (spot(&row.left), spot(&row.right));
        let is_cut = left.width() > room || right.width() > room || row.label.width() > names;
        let copy = [&row.left, &row.right].map(|cell| cell.as_ref().map(|cell| cell.copy.as_str()));
        let line = line.copying(copy.into_iter().flatten().collect::<Vec<_>>().join("\n"));
        self.push(if is_cut { line.folded() } else { line }, spots);
        if is_cut {
            self.one_side(depth + 1, '−', &row.label, row.left.as_ref(), |spot| (Some(spot), None));
            self.one_side(depth + 1, '+', &row.label, row.right.as_ref(), |spot| (None, Some(spot)));
        }
    }
}

/// A text cut or filled to so many columns.
fn padded(text: &str, room: usize) -> String {
    let cut = text::clip(text, room);
    let missing = room.saturating_sub(cut.width());
    format!("{cut}{}", " ".repeat(missing))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{app::page::TxTab, pages::compare::rows::spot_in};

    fn cell(text: &str) -> Cell {
        Cell { text: text.to_owned(), copy: text.to_owned(), spot: spot_in(TxTab::Messages) }
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
        assert_eq!(layout.lines.len(), layout.spots.len());
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
        assert_eq!(lines[5], "= 1 field the same");
    }

    #[test]
    fn one_above_the_other_where_there_is_no_room() {
        assert_eq!(columns(99), None);
        let lines = written(80);
        assert_eq!(lines[1..4], ["− 漢字  漢", "+       b", "− gone  only here"]);
    }
}
