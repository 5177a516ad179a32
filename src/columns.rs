//! Registry of columns per resource, shared by lists on screen, tables of the command line and CSV.
//!
//! A column is one row of its resource's `COLUMNS`: id, headings, width, rank, default position and value. The row
//! generates the column in lists, tables, CSV, `config.toml` and the column chooser.
//!
//! ```text
//! value            value of a row in a column, for lists, tables and CSV
//! header           layout of columns in a list, fitted to its width
//! records          records as rows of tables, CSV and JSON, page by page
//! choice           columns that the user chose in the settings or on a page
//! blocks txs …     one resource each
//! ```

mod blocks;
mod choice;
mod collections;
mod evm_txs;
mod header;
mod holders;
mod internal_txs;
mod records;
mod registry;
mod status;
mod tokens;
mod txs;
mod value;
mod withdrawals;

pub use choice::{ChoiceRow, ColumnChoice, Columns, default_settings};
pub use header::ColumnInfo;

pub(crate) use blocks::{Blocks, proposer_details, proposer_name};
pub(crate) use collections::{CollectionFields, Collections};
pub(crate) use evm_txs::EvmTxs;
pub(crate) use header::{AGE, ColumnHeader, FittedColumns};
pub(crate) use holders::{HolderFields, Holders};
pub(crate) use internal_txs::InternalTxs;
pub(crate) use records::{ListRecord, PagePosition, RowsText, WrittenRow, csv_header, csv_line, csv_lines, one_line};
pub(crate) use status::StatusFacts;
pub(crate) use tokens::Tokens;
pub(crate) use txs::{SUMMARY, SignedParts, TxFields, Txs};
pub(crate) use value::{CellValue, CsvCell, Forms, TableCell, eighths_bar, ends, fee_text};
pub(crate) use withdrawals::Withdrawals;

use std::borrow::Cow;

use unicode_width::UnicodeWidthStr as _;

use crate::domain::{RowSortKey, text::columns};

/// List on screen with configurable columns. The settings name it by its variant in snake case, such as `account_txs`.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    strum::Display,
    strum::EnumString,
    strum::EnumIter,
    strum::IntoStaticStr,
)]
#[strum(serialize_all = "snake_case")]
pub enum List {
    Blocks,
    Txs,
    AccountTxs,
    NftTxs,
    Collections,
    AccountCollections,
    Nfts,
    AccountNfts,
    Holders,
    Withdrawals,
}

/// Resource of the API with its columns.
pub(crate) trait Resource: Sized + 'static {
    /// Data from which the columns compute a row's values.
    type Row<'a>;
    const LISTS: &'static [List];
    /// Columns of the resource. Ids follow the API's names.
    const COLUMNS: &'static [Column<Self>];

    /// Returns the columns of the command line's table, in order.
    fn table() -> Vec<&'static Column<Self>> {
        in_order(|column| column.table)
    }

    /// Returns the columns of CSV, in order. The header line contains their ids.
    fn csv() -> Vec<&'static Column<Self>> {
        in_order(|column| column.csv)
    }

    /// Returns the exact value by which a list sorts the row; `None` if it has none in this column.
    fn sort_key(id: &str, row: &Self::Row<'_>) -> Option<RowSortKey> {
        let column = Self::COLUMNS.iter().find(|column| column.id == id)?;
        match column.sorts_as {
            Some(sorts_as) => sorts_as(row),
            None => (column.value)(row, &Forms::PLAIN).sort_key(),
        }
    }
}

/// Returns the columns that have a position, sorted by position.
fn in_order<R: Resource>(place: impl Fn(&Column<R>) -> Option<u8>) -> Vec<&'static Column<R>> {
    let mut columns: Vec<_> = R::COLUMNS.iter().filter_map(|column| Some((place(column)?, column))).collect();
    columns.sort_by_key(|(place, _)| *place);
    columns.into_iter().map(|(_, column)| column).collect()
}

/// Function that computes a column's value for a row.
type Getter<R> = for<'a, 'b, 'c> fn(&'b <R as Resource>::Row<'a>, &'c Forms<'c>) -> CellValue<'b>;
/// Function that returns a row's CSV text, for columns whose CSV text differs from the cell's text.
type ExactGetter<R> = for<'a, 'b> fn(&'b <R as Resource>::Row<'a>) -> Cow<'b, str>;

/// Function that returns the value to sort by, for columns whose cell is not exact.
type SortGetter<R> = for<'a, 'b> fn(&'b <R as Resource>::Row<'a>) -> Option<RowSortKey>;

pub(crate) struct Column<R: Resource> {
    /// Id in settings and in CSV's header line.
    pub(crate) id: &'static str,
    /// Heading in tables of the command line.
    pub(crate) label: &'static str,
    header: ColumnHeader,
    value: Getter<R>,
    exact: Option<ExactGetter<R>>,
    /// Whether the CSV text is a number.
    is_exact_number: bool,
    sorts_as: Option<SortGetter<R>>,
    /// Lists that show the column by default, with its position.
    lists: [Option<DefaultPlace>; 3],
    /// Whether only the lists with a default position may show the column.
    is_special: bool,
    /// Whether a table omits the column if no row has a value.
    pub(crate) is_optional: bool,
    table: Option<u8>,
    csv: Option<u8>,
}

/// Default position of a column in a list; may contain a header for that list.
#[derive(Clone, Copy)]
struct DefaultPlace {
    list: List,
    at: u8,
    header: Option<ColumnHeader>,
}

impl<R: Resource> Column<R> {
    /// Creates a column that every list of the resource may show, hidden by default.
    const fn new(id: &'static str, label: &'static str, header: ColumnHeader, value: Getter<R>) -> Self {
        Self {
            id,
            label,
            header,
            value,
            exact: None,
            is_exact_number: false,
            sorts_as: None,
            lists: [None; 3],
            is_special: false,
            is_optional: false,
            table: None,
            csv: None,
        }
    }

    /// Shows the column by default in a list; lists sort columns by `at`.
    const fn on(self, list: List, at: u8) -> Self {
        self.placed(DefaultPlace { list, at, header: None })
    }

    /// Shows the column by default in a list, with a header for that list.
    const fn on_as(self, list: List, at: u8, header: ColumnHeader) -> Self {
        self.placed(DefaultPlace { list, at, header: Some(header) })
    }

    #[expect(
        clippy::indexing_slicing,
        reason = "evaluated at compile time: a column in too many lists fails the build"
    )]
    const fn placed(mut self, place: DefaultPlace) -> Self {
        let mut free = 0;
        while self.lists[free].is_some() {
            free += 1;
        }
        self.lists[free] = Some(place);
        self
    }

    /// Restricts the column to the lists with a default position.
    const fn there_only(mut self) -> Self {
        self.is_special = true;
        self
    }

    /// Omits the column from a table if no row has a value.
    const fn optional(mut self) -> Self {
        self.is_optional = true;
        self
    }

    /// Sets the column's position in the command line's table.
    const fn table(mut self, at: u8) -> Self {
        self.table = Some(at);
        self
    }

    /// Sets the column's position in CSV.
    const fn csv(mut self, at: u8) -> Self {
        self.csv = Some(at);
        self
    }

    /// Sets a CSV text that differs from the cell's text.
    const fn exact(mut self, exact: ExactGetter<R>) -> Self {
        self.exact = Some(exact);
        self
    }

    /// Sets a CSV number that differs from the cell's text.
    const fn exact_number(mut self, exact: ExactGetter<R>) -> Self {
        self.exact = Some(exact);
        self.is_exact_number = true;
        self
    }

    /// Sets a value to sort by that differs from the cell's.
    const fn sorts_as(mut self, key: SortGetter<R>) -> Self {
        self.sorts_as = Some(key);
        self
    }

    fn place(&self, list: List) -> Option<&DefaultPlace> {
        self.lists.iter().flatten().find(|place| place.list == list)
    }

    /// Whether a list can show the column.
    fn is_for(&self, list: List) -> bool {
        R::LISTS.contains(&list) && (!self.is_special || self.place(list).is_some())
    }

    fn header(&self, list: List) -> ColumnHeader {
        self.place(list).and_then(|place| place.header).unwrap_or(self.header).named(self.id)
    }

    /// Whether a table of the command line right-aligns the column's cells.
    pub(crate) fn is_right_in_table(&self) -> bool {
        self.header.is_right && self.header.title != AGE
    }

    /// Returns a row's cell in a table of the command line; `None` without a value.
    pub(crate) fn table_cell(&self, row: &R::Row<'_>, forms: &Forms<'_>) -> Option<TableCell> {
        (self.value)(row, forms).table_cell()
    }

    /// Returns a row's cell in CSV: exact, without thousands separators.
    pub(crate) fn csv_cell(&self, row: &R::Row<'_>, forms: &Forms<'_>) -> CsvCell {
        match self.exact {
            Some(exact) if self.is_exact_number => CsvCell::Number(exact(row).into_owned()),
            Some(exact) => CsvCell::Text(exact(row).into_owned()),
            None => (self.value)(row, forms).csv_cell(),
        }
    }
}

/// Columns of a list on screen with their current widths.
pub(crate) struct ListColumns<R: Resource> {
    columns: Vec<&'static Column<R>>,
    pub(crate) fitted: FittedColumns,
}

/// Column that the list hid, with its former place.
pub(crate) struct TakenColumn<R: Resource> {
    place: usize,
    column: &'static Column<R>,
    header: ColumnHeader,
}

impl<R: Resource> ListColumns<R> {
    fn by_default(list: List, width: u16) -> Self {
        let mut columns = in_order(|column: &Column<R>| column.place(list).map(|place| place.at));
        columns.retain(|column| column.header(list).is_for_width(width));
        let headers = columns.iter().map(|column| column.header(list)).collect();
        Self { columns, fitted: FittedColumns::new(headers, width) }
    }

    /// Returns the columns with these ids, as far as they fit.
    fn chosen(list: List, ids: &[&'static str], width: u16) -> Self {
        let find = |id: &&str| R::COLUMNS.iter().find(|column| column.id == *id && column.is_for(list));
        let columns: Vec<_> = ids.iter().filter_map(find).collect();
        let headers = columns.iter().map(|column| column.header(list)).collect();
        Self { columns, fitted: FittedColumns::chosen(headers, width) }
    }

    /// Returns the first of the columns with these ids, and as many of the last ones as fit.
    fn last(list: List, ids: &[&'static str], width: u16) -> Self {
        let all = Self::chosen(list, ids, u16::MAX);
        let headers = all.columns.iter().map(|column| column.header(list)).collect();
        Self { fitted: FittedColumns::last(headers, width), ..all }
    }

    /// Returns a column's width; `None` if the column is hidden.
    pub(crate) fn width_of(&self, id: &str) -> Option<u16> {
        let place = self.columns.iter().position(|column| column.id == id)?;
        self.fitted.widths().get(place).copied().filter(|width| *width > 0)
    }

    /// Changes the header of a visible column, then fits all columns again.
    pub(crate) fn adapt(&mut self, id: &str, change: impl FnOnce(ColumnHeader) -> ColumnHeader) {
        if let Some(place) = self.columns.iter().position(|column| column.id == id) {
            self.fitted.change(place, change);
        }
    }

    /// Gives the columns that hug their cells the width that these rows need, up to the columns' maximum; beyond it
    /// only what the growing column leaves blank.
    pub(crate) fn hug(&mut self, rows: &[R::Row<'_>], forms: &Forms<'_>) {
        let mut cut = Vec::new();
        for place in 0..self.columns.len() {
            let Some(header) = self.fitted.headers().get(place).copied() else { continue };
            let Some(most) = header.most() else { continue };
            let widest = self.widest(place, most, rows, forms).max(header.name(forms.time).width());
            let width = u16::try_from(widest).unwrap_or(most).min(most);
            self.fitted.change(place, |header| header.wide(width));
            if width == most {
                cut.push(place);
            }
        }
        let growing = self.fitted.growing().map(|(place, _)| place);
        cut.retain(|place| Some(*place) != growing);
        let mut spare = if cut.is_empty() { 0 } else { self.spare(rows, forms) };
        for place in cut {
            let shown = self.fitted.widths().get(place).copied().unwrap_or_default();
            // A dropped column stays dropped.
            if shown > 0 && spare > 0 {
                let room = shown.saturating_add(spare);
                let widest = u16::try_from(self.widest(place, room, rows, forms)).unwrap_or(room).clamp(shown, room);
                self.fitted.change(place, |header| header.wide(widest));
                spare -= widest - shown;
            }
        }
    }

    /// Returns how much of the growing column is blank beyond its minimum, below which it would be dropped.
    fn spare(&self, rows: &[R::Row<'_>], forms: &Forms<'_>) -> u16 {
        let Some((place, width)) = self.fitted.growing() else { return 0 };
        let least = self.fitted.headers().get(place).map_or(width, |header| header.width);
        let widest = u16::try_from(self.widest(place, width, rows, forms)).unwrap_or(width);
        width.saturating_sub(widest.max(least))
    }

    /// Returns the width of the column's widest cell, where a cell has this room.
    fn widest(&self, place: usize, room: u16, rows: &[R::Row<'_>], forms: &Forms<'_>) -> usize {
        let Some((column, header)) = self.columns.get(place).zip(self.fitted.headers().get(place)) else { return 0 };
        let cell = |row| columns(&(column.value)(row, forms).list_cell(forms, usize::from(room), header.meaning).1);
        rows.iter().map(cell).max().unwrap_or_default()
    }

    pub(crate) fn take_out(&mut self, id: &str) -> Option<TakenColumn<R>> {
        let place = self.columns.iter().position(|column| column.id == id)?;
        Some(TakenColumn { place, column: self.columns.remove(place), header: self.fitted.remove(place) })
    }

    /// Shows a hidden column at its former position with this width.
    pub(crate) fn put_back(&mut self, taken: &TakenColumn<R>, width: u16) {
        self.columns.insert(taken.place, taken.column);
        self.fitted.insert(taken.place, taken.header.wide(width));
    }

    /// Returns a row's cells, one per column; a cell without room is empty.
    pub(crate) fn cells(&self, row: &R::Row<'_>, forms: &Forms<'_>) -> Vec<(crate::config::Meaning, String)> {
        let columns = self.columns.iter().zip(self.fitted.headers()).zip(self.fitted.widths());
        let cell = |((column, header), &width): ((&&Column<R>, &ColumnHeader), &u16)| match width {
            0 => (header.meaning, String::new()),
            _ => (column.value)(row, forms).list_cell(forms, usize::from(width), header.meaning),
        };
        columns.map(cell).collect()
    }
}

#[cfg(test)]
mod tests;
