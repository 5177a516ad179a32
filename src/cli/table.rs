//! Columns of text for people: aligned, cut to the terminal's width, coloured by meaning.

use unicode_width::UnicodeWidthStr;

use crate::{
    columns::TableCell,
    config::Meaning,
    domain::text::{clean, clip},
};

/// On which side a column's text stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Align {
    /// Words.
    Left,
    /// Numbers; never cut.
    Right,
}

/// The text in the colour of its meaning, where colours may be used. The text says the same without it.
pub(super) fn paint(meaning: Meaning, text: &str, colored: bool) -> String {
    let code = match meaning {
        Meaning::Good => 32,
        Meaning::Bad => 31,
        Meaning::Heading => 1,
        _ => return text.to_owned(),
    };
    if colored { format!("\x1b[{code}m{text}\x1b[0m") } else { text.to_owned() }
}

/// One value of a row. Cleaned of anything that could steer the terminal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Cell {
    text: String,
    short: Option<String>,
    meaning: Meaning,
}

impl Cell {
    /// A value.
    pub(super) fn new(text: impl AsRef<str>) -> Self {
        Self { text: clean(text.as_ref()).into_owned(), short: None, meaning: Meaning::Text }
    }

    /// With a form for narrow terminals.
    pub(super) fn or_short(self, short: impl AsRef<str>) -> Self {
        Self { short: Some(clean(short.as_ref()).into_owned()), ..self }
    }

    /// With a colour.
    pub(super) fn meaning(self, meaning: Meaning) -> Self {
        Self { meaning, ..self }
    }

    fn show(&self, short: bool) -> &str {
        self.short.as_deref().filter(|_| short).unwrap_or(&self.text)
    }
}

impl From<TableCell> for Cell {
    fn from(TableCell { text, short, meaning }: TableCell) -> Self {
        let cell = Self::new(text).meaning(meaning);
        match short {
            Some(short) => cell.or_short(short),
            None => cell,
        }
    }
}

/// A column's heading and side.
pub(super) type Column = (&'static str, Align);

/// How wide each column is; fixed by the first rows, so that later pages line up with them.
#[derive(Clone, Debug)]
pub(super) struct Layout {
    columns: Vec<Column>,
    widths: Vec<usize>,
    short: bool,
    colored: bool,
}

const GAP: usize = 2;
/// A column of words is not cut below this.
const LEAST: usize = 8;

impl Layout {
    /// A layout for rows like these, within `width` terminal columns where there is a limit.
    ///
    /// Too wide a table first takes the short forms, then cuts words, then leaves out its last columns.
    pub(super) fn fit(columns: &[Column], rows: &[Vec<Cell>], width: Option<usize>, colored: bool) -> Self {
        let natural = |short: bool| -> Vec<usize> {
            let of = |(index, (title, _)): (usize, &Column)| {
                let cells = rows.iter().filter_map(|row| row.get(index)).map(|cell| cell.show(short).width());
                cells.chain([title.width()]).max().unwrap_or_default()
            };
            columns.iter().enumerate().map(of).collect()
        };
        let limit = width.unwrap_or(usize::MAX);
        let mut layout = Self { columns: columns.to_vec(), widths: natural(false), short: false, colored };
        if layout.total() > limit {
            layout.short = true;
            layout.widths = natural(true);
        }
        while layout.total() > limit && layout.cut_widest() {}
        while layout.total() > limit && layout.widths.len() > 1 {
            layout.widths.pop();
        }
        layout
    }

    fn total(&self) -> usize {
        self.widths.iter().sum::<usize>() + GAP * self.widths.len().saturating_sub(1)
    }

    /// Takes a column from the widest column of words; false when none can give any more.
    fn cut_widest(&mut self) -> bool {
        let words = self.widths.iter_mut().zip(&self.columns).filter(|(_, (_, align))| *align == Align::Left);
        match words.map(|(width, _)| width).max() {
            Some(width) if *width > LEAST => {
                *width -= 1;
                true
            }
            _ => false,
        }
    }

    /// The line of headings.
    pub(super) fn heading(&self) -> String {
        let cells =
            self.columns.iter().map(|(title, _)| Cell::new(title).meaning(Meaning::Heading)).collect::<Vec<_>>();
        self.line(&cells)
    }

    /// A row, without spaces at its end.
    pub(super) fn line(&self, cells: &[Cell]) -> String {
        let mut line = String::new();
        let mut owed = 0;
        for ((cell, &width), (_, align)) in cells.iter().zip(&self.widths).zip(&self.columns) {
            let text = clip(cell.show(self.short), width);
            let space = width - text.width().min(width);
            let before = if *align == Align::Right { space } else { 0 };
            owed += before;
            if !text.is_empty() {
                line.extend(std::iter::repeat_n(' ', owed));
                line.push_str(&paint(cell.meaning, &text, self.colored));
                owed = 0;
            }
            owed += space - before + GAP;
        }
        line
    }
}

/// One thing as lines of name and value; nothing is cut.
pub(super) fn details(fields: &[(&str, Cell)], colored: bool) -> String {
    let width = fields.iter().map(|(name, _)| name.width()).max().unwrap_or_default();
    let mut lines = String::new();
    for (name, cell) in fields {
        lines.push_str(&paint(Meaning::Heading, name, colored));
        lines.extend(std::iter::repeat_n(' ', width - name.width() + GAP));
        lines.push_str(&paint(cell.meaning, &cell.text, colored));
        lines.push('\n');
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::{Align, Cell, Column, Layout};
    use crate::config::Meaning;
    use unicode_width::UnicodeWidthStr;

    const COLUMNS: &[Column] = &[("Height", Align::Right), ("Hash", Align::Left), ("Name", Align::Left)];

    fn row(height: &str, name: &str) -> Vec<Cell> {
        vec![Cell::new(height), Cell::new("0123456789abcdef").or_short("01…ef"), Cell::new(name)]
    }

    #[test]
    fn aligns_numbers_right_and_words_left() {
        let rows = [row("7", "a"), row("1234567", "b")];
        let layout = Layout::fit(COLUMNS, &rows, None, false);
        assert_eq!(layout.heading(), " Height  Hash              Name");
        assert_eq!(layout.line(&rows[0]), "      7  0123456789abcdef  a");
    }

    #[test]
    fn shortens_then_cuts_then_leaves_columns_out_but_never_numbers() {
        let rows = [row("1234567", "日本語の長い名前の検証者")];
        for width in (7..60).rev() {
            let layout = Layout::fit(COLUMNS, &rows, Some(width), false);
            let line = layout.line(&rows[0]);
            assert!(line.width() <= width, "{width}: {line}");
            assert!(line.contains("1234567"), "{line}");
        }
        assert!(Layout::fit(COLUMNS, &rows, Some(30), false).line(&rows[0]).contains("01…ef"));
    }

    #[test]
    fn colours_only_when_asked_and_cleans_always() {
        let cells = [Cell::new("\u{1b}[2Jx").meaning(Meaning::Bad)];
        let columns: &[Column] = &[("A", Align::Left)];
        let rows = [cells.to_vec()];
        assert_eq!(Layout::fit(columns, &rows, None, false).line(&cells), "[2Jx");
        assert_eq!(Layout::fit(columns, &rows, None, true).line(&cells), "\u{1b}[31m[2Jx\u{1b}[0m");
    }
}
