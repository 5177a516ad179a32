//! One registry of columns per resource: what the lists on screen, the tables of the command line and CSV show of a row.
//!
//! A column is one row of its resource's `COLUMNS`: its id, its headings, how wide it is and when it vanishes, where it
//! stands unless somebody chose otherwise, and its value. Everything else follows from that row: the lists of the screens,
//! the tables and the CSV of the commands, the ids that `config.toml` knows, and the choice of columns.
//!
//! ```text
//! value            a row's value in a column: in a list, in a table, in CSV
//! header           how a column stands in a list; which columns fit
//! choice           the columns that somebody chose, from the settings or on a page
//! blocks txs …     one resource each
//! ```

mod blocks;
mod choice;
mod collections;
mod evm_txs;
mod header;
mod holders;
mod internal_txs;
mod status;
mod tokens;
mod txs;
mod value;

pub use choice::{ChoiceRow, ColumnChoice, Columns, default_settings};
pub use header::ColumnInfo;

pub(crate) use blocks::Blocks;
pub(crate) use collections::{CollectionFields, Collections};
pub(crate) use evm_txs::EvmTxs;
pub(crate) use header::{AGE, ColumnHeader, FittedColumns};
pub(crate) use holders::{HolderFields, Holders};
pub(crate) use internal_txs::InternalTxs;
pub(crate) use status::StatusFacts;
pub(crate) use tokens::Tokens;
pub(crate) use txs::{SUMMARY, SignedParts, TxFields, Txs};
pub(crate) use value::{CellValue, CsvCell, Forms, TableCell, eighths_bar, ends, fee_text};

use std::borrow::Cow;

/// A list on screen whose columns can be chosen; its name in the settings is that of the variant, `account_txs`.
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
    /// Blocks, wherever they are listed.
    Blocks,
    /// Transactions of the chain and of a block.
    Txs,
    /// The history of an account.
    AccountTxs,
    /// The history of an NFT.
    NftTxs,
    /// NFT collections of the chain.
    Collections,
    /// Those of which an account owns some.
    AccountCollections,
    /// The NFTs of a collection.
    Nfts,
    /// Those of an account.
    AccountNfts,
    /// The holders of a denom.
    Holders,
}

/// A resource of the API, as the registry knows it.
pub(crate) trait Resource: Sized + 'static {
    /// What the values of a row are made from.
    type Row<'a>;
    /// The lists on screen that show it.
    const LISTS: &'static [List];
    /// The registry. Ids are the names of the API where it has one.
    const COLUMNS: &'static [Column<Self>];

    /// The columns of the command line's table, in their order.
    fn table() -> Vec<&'static Column<Self>> {
        in_order(|column| column.table)
    }

    /// The columns of CSV, in their order. The header line has their ids.
    fn csv() -> Vec<&'static Column<Self>> {
        in_order(|column| column.csv)
    }
}

/// The columns that have a place, by their places.
fn in_order<R: Resource>(place: impl Fn(&Column<R>) -> Option<u8>) -> Vec<&'static Column<R>> {
    let mut columns: Vec<_> = R::COLUMNS.iter().filter_map(|column| Some((place(column)?, column))).collect();
    columns.sort_by_key(|(place, _)| *place);
    columns.into_iter().map(|(_, column)| column).collect()
}

/// How a column's value is made.
type Getter<R> = for<'a, 'b, 'c> fn(&'b <R as Resource>::Row<'a>, &'c Forms<'c>) -> CellValue<'b>;
/// The text of CSV, where it is not what the value says by itself.
type ExactGetter<R> = for<'a, 'b> fn(&'b <R as Resource>::Row<'a>) -> Cow<'b, str>;

/// A column of a resource.
pub(crate) struct Column<R: Resource> {
    /// What settings and CSV's header line call it.
    pub(crate) id: &'static str,
    /// Its heading in tables of the command line.
    pub(crate) label: &'static str,
    header: ColumnHeader,
    value: Getter<R>,
    exact: Option<ExactGetter<R>>,
    /// Whether that text is a number.
    is_exact_number: bool,
    /// The lists that have it by default, with its place there.
    lists: [Option<DefaultPlace>; 3],
    /// Whether only these lists can show it.
    is_special: bool,
    /// Whether a table in which no row has a value leaves it out.
    pub(crate) is_optional: bool,
    table: Option<u8>,
    csv: Option<u8>,
}

/// Where a column stands in a list by default, and how where that differs.
#[derive(Clone, Copy)]
struct DefaultPlace {
    list: List,
    at: u8,
    header: Option<ColumnHeader>,
}

impl<R: Resource> Column<R> {
    /// A column that every list of the resource can show, and none does by default.
    const fn new(id: &'static str, label: &'static str, header: ColumnHeader, value: Getter<R>) -> Self {
        Self {
            id,
            label,
            header,
            value,
            exact: None,
            is_exact_number: false,
            lists: [None; 3],
            is_special: false,
            is_optional: false,
            table: None,
            csv: None,
        }
    }

    /// Shown by default in this list at this place: lists are in the order of these numbers.
    const fn on(self, list: List, at: u8) -> Self {
        self.placed(DefaultPlace { list, at, header: None })
    }

    /// The same with a header of its own there.
    const fn on_as(self, list: List, at: u8, header: ColumnHeader) -> Self {
        self.placed(DefaultPlace { list, at, header: Some(header) })
    }

    const fn placed(mut self, place: DefaultPlace) -> Self {
        let mut free = 0;
        while self.lists[free].is_some() {
            free += 1;
        }
        self.lists[free] = Some(place);
        self
    }

    /// Meaningless in other lists than those it was placed in.
    const fn there_only(mut self) -> Self {
        self.is_special = true;
        self
    }

    /// Left out of a table in which no row has a value.
    const fn optional(mut self) -> Self {
        self.is_optional = true;
        self
    }

    /// At this place of the command line's table.
    const fn table(mut self, at: u8) -> Self {
        self.table = Some(at);
        self
    }

    /// At this place of CSV.
    const fn csv(mut self, at: u8) -> Self {
        self.csv = Some(at);
        self
    }

    /// With another text in CSV than the value has by itself.
    const fn exact(mut self, exact: ExactGetter<R>) -> Self {
        self.exact = Some(exact);
        self
    }

    /// With another number in CSV than the value has by itself.
    const fn exact_number(mut self, exact: ExactGetter<R>) -> Self {
        self.exact = Some(exact);
        self.is_exact_number = true;
        self
    }

    fn place(&self, list: List) -> Option<&DefaultPlace> {
        self.lists.iter().flatten().find(|place| place.list == list)
    }

    /// Whether a list can show it.
    fn is_for(&self, list: List) -> bool {
        R::LISTS.contains(&list) && (!self.is_special || self.place(list).is_some())
    }

    fn header(&self, list: List) -> ColumnHeader {
        self.place(list).and_then(|place| place.header).unwrap_or(self.header)
    }

    /// Whether its cells stand at the right in a table of the command line.
    pub(crate) fn is_right_in_table(&self) -> bool {
        self.header.is_right && self.header.title != AGE
    }

    /// A row's cell in a table of the command line; `None` where the row has nothing of the kind.
    pub(crate) fn table_cell(&self, row: &R::Row<'_>, forms: &Forms<'_>) -> Option<TableCell> {
        (self.value)(row, forms).table_cell()
    }

    /// A row's cell in CSV: exact and ungrouped.
    pub(crate) fn csv_cell(&self, row: &R::Row<'_>, forms: &Forms<'_>) -> CsvCell {
        match self.exact {
            Some(exact) if self.is_exact_number => CsvCell::Number(exact(row).into_owned()),
            Some(exact) => CsvCell::Text(exact(row).into_owned()),
            None => (self.value)(row, forms).csv_cell(),
        }
    }
}

/// The columns of a list on screen, with the width that each has now.
pub(crate) struct ListColumns<R: Resource> {
    columns: Vec<&'static Column<R>>,
    pub(crate) fitted: FittedColumns,
}

/// A column that was left out of a list.
pub(crate) struct TakenColumn<R: Resource> {
    place: usize,
    column: &'static Column<R>,
    header: ColumnHeader,
}

impl<R: Resource> ListColumns<R> {
    /// The columns that the list has by default where it is so wide.
    fn by_default(list: List, width: u16) -> Self {
        let mut columns = in_order(|column: &Column<R>| column.place(list).map(|place| place.at));
        columns.retain(|column| column.header(list).is_for_width(width));
        let headers = columns.iter().map(|column| column.header(list)).collect();
        Self { columns, fitted: FittedColumns::new(headers, width) }
    }

    /// The columns with these ids, whatever the width, while they fit.
    fn chosen(list: List, ids: &[&'static str], width: u16) -> Self {
        let find = |id: &&str| R::COLUMNS.iter().find(|column| column.id == *id && column.is_for(list));
        let columns: Vec<_> = ids.iter().filter_map(find).collect();
        let headers = columns.iter().map(|column| column.header(list)).collect();
        Self { columns, fitted: FittedColumns::chosen(headers, width) }
    }

    /// The width of a column; `None` where it is not shown.
    pub(crate) fn width_of(&self, id: &str) -> Option<u16> {
        let place = self.columns.iter().position(|column| column.id == id)?;
        self.fitted.widths().get(place).copied().filter(|width| *width > 0)
    }

    /// Changes the header of a column, where it is there, and fits all of them anew.
    pub(crate) fn adapt(&mut self, id: &str, change: impl FnOnce(ColumnHeader) -> ColumnHeader) {
        if let Some(place) = self.columns.iter().position(|column| column.id == id) {
            self.fitted.change(place, change);
        }
    }

    pub(crate) fn take_out(&mut self, id: &str) -> Option<TakenColumn<R>> {
        let place = self.columns.iter().position(|column| column.id == id)?;
        Some(TakenColumn { place, column: self.columns.remove(place), header: self.fitted.remove(place) })
    }

    /// Shows a column again where it was, so wide.
    pub(crate) fn put_back(&mut self, taken: &TakenColumn<R>, width: u16) {
        self.columns.insert(taken.place, taken.column);
        self.fitted.insert(taken.place, taken.header.wide(width));
    }

    /// A row's cells, one for each column; nothing for a column that has no room.
    pub(crate) fn cells(&self, row: &R::Row<'_>, forms: &Forms<'_>) -> Vec<(crate::config::Meaning, String)> {
        let columns = self.columns.iter().zip(self.fitted.headers()).zip(self.fitted.widths());
        let cell = |((column, header), &width): ((&&Column<R>, &ColumnHeader), &u16)| match width {
            0 => (header.meaning, String::new()),
            _ => (column.value)(row, forms).list_cell(forms, usize::from(width), header.meaning),
        };
        columns.map(cell).collect()
    }
}

impl List {
    /// Every column that the list can show, those of its default first and in their order.
    pub fn columns(self) -> Vec<ColumnInfo> {
        match self {
            Self::Blocks => info::<Blocks>(self),
            Self::Txs | Self::AccountTxs | Self::NftTxs => info::<Txs>(self),
            Self::Collections | Self::AccountCollections => info::<Collections>(self),
            Self::Nfts | Self::AccountNfts => info::<Tokens>(self),
            Self::Holders => info::<Holders>(self),
        }
    }

    /// The ids of the columns that it shows by default where there is room for all of them.
    pub fn default_ids(self) -> Vec<&'static str> {
        self.columns().into_iter().filter(|column| column.is_default).map(|column| column.id).collect()
    }
}

fn info<R: Resource>(list: List) -> Vec<ColumnInfo> {
    let default = in_order(|column: &Column<R>| column.place(list).map(|place| place.at));
    let others = R::COLUMNS.iter().filter(|column| column.is_for(list) && column.place(list).is_none());
    let info = |column: &Column<R>| ColumnInfo {
        id: column.id,
        heading: [column.header(list).title, column.label, column.id]
            .into_iter()
            .find(|name| !name.is_empty())
            .unwrap_or(""),
        is_default: column.place(list).is_some(),
    };
    default.into_iter().chain(others).map(info).collect()
}

#[cfg(test)]
mod tests;
