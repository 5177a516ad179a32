//! Writers of list rows in the output's format.

use super::{
    super::{
        CommandError,
        arguments::Format,
        names::CommandNames,
        output::CommandOutput,
        record::{self, CommandRecord, PagePosition, RecordTable},
        table::{TableCell, TableLayout, paint},
    },
    report::OddRows,
    walk::WalkedRow,
};
use crate::{
    columns::CsvCell,
    config::Meaning,
    domain::{Denom, text::clip},
    msg::{ListedRow, UnreadableRow},
    story::{Glossary, NamedTokenRecord},
};

pub(in crate::cli) trait ListWriter<T> {
    /// Requests names for the rows of a page, before it is written.
    async fn prepare(&mut self, rows: &[WalkedRow<T>], place: PagePosition);
    fn write(&mut self, rows: &[WalkedRow<T>], place: PagePosition) -> Result<(), CommandError>;
    /// Ends the output. Writes nothing if the list failed before its first row.
    fn finish(&mut self, is_whole: bool) -> Result<(), CommandError>;
    /// Returns how the format shows unreadable and repeated rows.
    fn odd_rows(&self) -> OddRows {
        OddRows::LeftOut
    }
    /// Whether the format shows the height of the list.
    fn has_height(&self) -> bool {
        false
    }
}

pub(super) struct RowWriter<'a> {
    output: &'a mut CommandOutput,
    /// Names for sentences; `None` if the output has no room for sentences.
    names: Option<CommandNames>,
    /// Name of the rows' denom, for CSV.
    last_cells: Option<NamedCells>,
    /// Columns and widths, which the first page determines.
    layout: Option<(Vec<usize>, TableLayout)>,
    /// Whether the header or the opening bracket is written.
    begun: bool,
}

enum TableLine {
    Cells(Vec<TableCell>),
    Unreadable(String),
}

impl<'a> RowWriter<'a> {
    pub(super) fn new(
        output: &'a mut CommandOutput,
        names: Option<CommandNames>,
        last_cells: Option<NamedCells>,
    ) -> Self {
        Self { output, names, last_cells, layout: None, begun: false }
    }
}

/// Last cells of each line of CSV whose rows share a denom; empty cells for an unnamed denom.
pub(super) struct NamedCells([CsvCell; 3]);

impl NamedCells {
    const HEADER: [&'static str; 3] = ["symbol", "decimals", "named_by"];

    pub(super) async fn look_up(names: &mut CommandNames, denom: &Denom) -> Self {
        // The lookup notes that the denom has no certain name.
        names.glossary.token(denom);
        names.look_up().await;
        let Some(token) = NamedTokenRecord::named(denom, &names.glossary) else {
            return Self([const { CsvCell::Text(String::new()) }; 3]);
        };
        let decimals = token.decimals.map(|decimals| decimals.to_string()).unwrap_or_default();
        Self([CsvCell::Text(token.symbol), CsvCell::Number(decimals), CsvCell::Text(token.named_by.to_owned())])
    }
}

impl<T: CommandRecord> ListWriter<T> for RowWriter<'_> {
    async fn prepare(&mut self, rows: &[WalkedRow<T>], place: PagePosition) {
        if let Some(names) = &mut self.names {
            // The sentences look up the denoms.
            drop(record::table(&values(rows), place, Some(&names.glossary), None));
            names.look_up().await;
        }
    }

    fn write(&mut self, rows: &[WalkedRow<T>], place: PagePosition) -> Result<(), CommandError> {
        match self.output.format {
            Format::Table => self.write_table(rows, place)?,
            Format::Csv => {
                if !self.begun {
                    let last = self.last_cells.iter().flat_map(|_| NamedCells::HEADER);
                    self.output.csv(record::csv_header::<T>().into_iter().chain(last))?;
                    self.begun = true;
                }
                record::csv_lines(&values(rows), place).try_for_each(|line| {
                    let last = self.last_cells.iter().flat_map(|cells| cells.0.iter().cloned());
                    self.output.csv(line.into_iter().chain(last))
                })?;
            }
            Format::Jsonl => rows.iter().filter_map(ListedRow::read).try_for_each(|row| {
                self.output.json(&super::one_line(row.raw.get()))?;
                self.output.line("")
            })?,
            Format::Json => self.write_array(rows)?,
        }
        self.output.flush()
    }

    /// Ends the output; an empty list is `[]` in JSON.
    fn finish(&mut self, is_whole: bool) -> Result<(), CommandError> {
        if self.output.format == Format::Json {
            self.output.end_array(self.begun, is_whole)?;
        }
        self.output.flush()
    }

    fn odd_rows(&self) -> OddRows {
        if self.output.format == Format::Table { OddRows::Marked } else { OddRows::LeftOut }
    }

    fn has_height(&self) -> bool {
        self.output.format == Format::Csv
    }
}

impl RowWriter<'_> {
    fn glossary(&self) -> Option<&Glossary> {
        self.names.as_ref().map(|names| &names.glossary)
    }

    fn write_table<T: CommandRecord>(
        &mut self,
        rows: &[WalkedRow<T>],
        place: PagePosition,
    ) -> Result<(), CommandError> {
        let kept = self.layout.as_ref().map(|(kept, _)| kept.as_slice());
        let table = record::table(&values(rows), place, self.glossary(), kept);
        if self.layout.is_none() {
            let layout = TableLayout::fit(&table.headings, &table.rows, self.output.width, self.output.colored);
            self.output.line(&layout.heading())?;
            self.layout = Some((table.kept.clone(), layout));
        }
        let lines = self.table_lines(rows, place, table);
        let Some((_, layout)) = &self.layout else { return Ok(()) };
        lines.iter().try_for_each(|line| match line {
            TableLine::Cells(cells) => self.output.line(&layout.line(cells)),
            TableLine::Unreadable(text) => self.output.line(&paint(Meaning::Bad, text, self.output.colored)),
        })
    }

    /// Returns the table lines of a page, including unreadable rows. Ranks count unreadable rows too; shares are then
    /// unknown.
    fn table_lines<T: CommandRecord>(
        &self,
        rows: &[WalkedRow<T>],
        place: PagePosition,
        table: RecordTable,
    ) -> Vec<TableLine> {
        if rows.iter().all(|row| row.read().is_some()) {
            return table.rows.into_iter().map(TableLine::Cells).collect();
        }
        let mut lines = Vec::with_capacity(rows.len());
        for (behind, row) in (0_u64..).zip(rows) {
            match row {
                ListedRow::Unreadable(row) => lines.push(TableLine::Unreadable(unreadable(row, self.output.width))),
                ListedRow::Read(row) => {
                    let first = place.first.map(|first| first + behind);
                    let place = PagePosition { first, is_whole: false, ..place };
                    let table = record::table(&[&row.value], place, self.glossary(), Some(&table.kept));
                    lines.extend(table.rows.into_iter().map(TableLine::Cells));
                }
            }
        }
        lines
    }

    fn write_array<T>(&mut self, rows: &[WalkedRow<T>]) -> Result<(), CommandError> {
        for row in rows.iter().filter_map(ListedRow::read) {
            self.output.text(if self.begun { ",\n" } else { "[\n" })?;
            self.output.json(row.raw.get())?;
            self.begun = true;
        }
        Ok(())
    }
}

/// Formats an unreadable row as `unreadable: …`, truncated to the width.
pub(in crate::cli) fn unreadable(row: &UnreadableRow, width: Option<usize>) -> String {
    clip(&format!("unreadable: {}", row.error.brief()), width.unwrap_or(240))
}

fn values<T>(rows: &[WalkedRow<T>]) -> Vec<&T> {
    rows.iter().filter_map(ListedRow::read).map(|row| &row.value).collect()
}
