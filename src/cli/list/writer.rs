//! Writers of list rows in the output's format.

use super::super::{
    CommandError,
    arguments::Format,
    names::CommandNames,
    output::CommandOutput,
    record::{self, CommandRecord, RecordTable},
    table::{TableCell, TableLayout, paint},
};
use crate::{
    columns::{PagePosition, RowsText},
    config::Meaning,
    domain::{Denom, DenomName, RowsFormat, text::clip},
    listing::{ListWriter, OddRows, WalkedRow},
    msg::{ListedRow, UnreadableRow},
    story::{Glossary, NamedTokenRecord},
    wire::Verbatim,
};

pub(super) struct RowWriter<'a> {
    output: &'a mut CommandOutput,
    /// Names for sentences; `None` if the output has no room for sentences.
    names: Option<CommandNames>,
    /// Rows in the output's format; `None` for a table.
    text: Option<RowsText>,
    /// Columns and widths of a table, which the first page determines.
    layout: Option<(Vec<usize>, TableLayout)>,
}

enum TableLine {
    Cells(Vec<TableCell>),
    Unreadable(String),
}

impl<'a> RowWriter<'a> {
    pub(super) fn new(output: &'a mut CommandOutput, names: Option<CommandNames>, denom: Option<DenomName>) -> Self {
        let format = match output.format {
            Format::Table => None,
            Format::Csv => Some(RowsFormat::Csv),
            Format::Json => Some(RowsFormat::Json),
            Format::Jsonl => Some(RowsFormat::JsonLines),
        };
        Self { output, names, text: format.map(|format| RowsText::new(format, denom)), layout: None }
    }
}

/// Returns the name of the rows' denom for CSV.
pub(super) async fn denom_name(names: &mut CommandNames, denom: &Denom) -> DenomName {
    // The lookup notes that the denom has no certain name.
    names.glossary.token(denom);
    names.look_up().await;
    NamedTokenRecord::named(denom, &names.glossary).map(DenomName::from).unwrap_or_default()
}

impl<T: CommandRecord> ListWriter<T> for RowWriter<'_> {
    type Error = CommandError;

    async fn prepare(&mut self, rows: &[WalkedRow<T>], place: PagePosition) {
        if let Some(names) = &mut self.names {
            // The sentences look up the denoms.
            drop(record::table(&values(rows), place, Some(&names.glossary), None));
            names.look_up().await;
        }
    }

    fn write(&mut self, rows: &[WalkedRow<T>], place: PagePosition) -> Result<(), CommandError> {
        match &mut self.text {
            None => self.write_table(rows, place)?,
            Some(text) => {
                let read: Vec<&Verbatim<T>> = rows.iter().filter_map(ListedRow::read).map(|row| &**row).collect();
                self.output.json(&text.page::<T, _>(&read, place))?;
            }
        }
        self.output.flush()
    }

    fn finish(&mut self, is_whole: bool) -> Result<(), CommandError> {
        if let Some(text) = &self.text {
            self.output.text(text.end(is_whole))?;
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
}

/// Formats an unreadable row as `unreadable: …`, truncated to the width.
pub(in crate::cli) fn unreadable(row: &UnreadableRow, width: Option<usize>) -> String {
    clip(&format!("unreadable: {}", row.error.brief()), width.unwrap_or(240))
}

fn values<T>(rows: &[WalkedRow<T>]) -> Vec<&T> {
    rows.iter().filter_map(ListedRow::read).map(|row| &row.value).collect()
}
