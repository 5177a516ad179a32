//! Tables of text: aligned, truncated to the terminal's width, coloured by meaning.

use unicode_width::UnicodeWidthStr;

pub(super) use crate::columns::TableCell;

use crate::{config::Meaning, domain::text::clip};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Align {
    Left,
    /// Right-aligned column of numbers; never truncated.
    Right,
}

/// Colours text by its meaning if colours are allowed. Colours add no information.
pub(super) fn paint(meaning: Meaning, text: &str, colored: bool) -> String {
    let code = match meaning {
        Meaning::Good => 32,
        Meaning::Bad => 31,
        Meaning::Heading => 1,
        _ => return text.to_owned(),
    };
    if colored { format!("\x1b[{code}m{text}\x1b[0m") } else { text.to_owned() }
}

pub(super) type Heading = (&'static str, Align);

/// Column widths, which the first rows determine, so that later pages align.
#[derive(Clone, Debug)]
pub(super) struct TableLayout {
    columns: Vec<(String, Align)>,
    widths: Vec<usize>,
    short: bool,
    colored: bool,
}

const GAP: usize = 2;
/// Minimum width of a text column, in terminal columns.
const LEAST: usize = 8;

impl TableLayout {
    /// Fits columns to rows within `width` terminal columns.
    ///
    /// If the table is too wide, shortens values first, then truncates text columns, then drops the last columns.
    pub(super) fn fit(
        columns: &[(impl AsRef<str>, Align)],
        rows: &[Vec<TableCell>],
        width: Option<usize>,
        colored: bool,
    ) -> Self {
        let columns: Vec<(String, Align)> =
            columns.iter().map(|(title, align)| (title.as_ref().to_owned(), *align)).collect();
        let natural = |short: bool| -> Vec<usize> {
            let of = |(index, (title, _)): (usize, &(String, Align))| {
                let cells = rows.iter().filter_map(|row| row.get(index)).map(|cell| cell.form(short).width());
                cells.chain([title.width()]).max().unwrap_or_default()
            };
            columns.iter().enumerate().map(of).collect()
        };
        let limit = width.unwrap_or(usize::MAX);
        let [whole, short] = [natural(false), natural(true)];
        let mut layout = Self { columns, widths: whole, short: false, colored };
        if layout.total() > limit {
            layout.short = true;
            layout.widths = short;
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

    /// Narrows the widest text column by one terminal column; false if no column can shrink.
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

    pub(super) fn heading(&self) -> String {
        let cells =
            self.columns.iter().map(|(title, _)| TableCell::new(title).meaning(Meaning::Heading)).collect::<Vec<_>>();
        self.line(&cells)
    }

    /// Returns a row without trailing spaces.
    pub(super) fn line(&self, cells: &[TableCell]) -> String {
        let mut line = String::new();
        let mut owed = 0;
        for ((cell, &width), (_, align)) in cells.iter().zip(&self.widths).zip(&self.columns) {
            let text = clip(cell.form(self.short), width);
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

/// Formats one record as lines of name and value, without truncation.
pub(super) fn details(fields: &[(&str, TableCell)], colored: bool) -> String {
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
    use super::{Align, Heading, TableCell, TableLayout};
    use crate::config::Meaning;
    use unicode_width::UnicodeWidthStr;

    const COLUMNS: &[Heading] = &[("Height", Align::Right), ("Hash", Align::Left), ("Name", Align::Left)];

    fn row(height: &str, name: &str) -> Vec<TableCell> {
        vec![TableCell::new(height), TableCell::new("0123456789abcdef").or_short("01…ef"), TableCell::new(name)]
    }

    #[test]
    fn aligns_numbers_right_and_words_left() {
        let rows = [row("7", "a"), row("1234567", "b")];
        let layout = TableLayout::fit(COLUMNS, &rows, None, false);
        assert_eq!(layout.heading(), " Height  Hash              Name");
        assert_eq!(layout.line(&rows[0]), "      7  0123456789abcdef  a");
    }

    #[test]
    fn shortens_then_cuts_then_leaves_columns_out_but_never_numbers() {
        let rows = [row("1234567", "日本語の長い名前の検証者")];
        for width in (7..60).rev() {
            let layout = TableLayout::fit(COLUMNS, &rows, Some(width), false);
            let line = layout.line(&rows[0]);
            assert!(line.width() <= width, "{width}: {line}");
            assert!(line.contains("1234567"), "{line}");
        }
        assert!(TableLayout::fit(COLUMNS, &rows, Some(30), false).line(&rows[0]).contains("01…ef"));
    }

    #[test]
    fn colours_only_when_asked_and_cleans_always() {
        let cells = [TableCell::new("\u{1b}[2Jx").meaning(Meaning::Bad)];
        let columns: &[Heading] = &[("A", Align::Left)];
        let rows = [cells.to_vec()];
        assert_eq!(TableLayout::fit(columns, &rows, None, false).line(&cells), "x");
        assert_eq!(TableLayout::fit(columns, &rows, None, true).line(&cells), "\u{1b}[31mx\u{1b}[0m");
    }
}
