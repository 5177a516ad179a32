//! Records of lists as rows of text, for commands and for files.

use std::{borrow::Cow, num::NonZeroU64};

use super::{
    Blocks, CollectionFields, Collections, CsvCell, EvmTxs, Forms, HolderFields, Holders, InternalTxs, Resource,
    StatusFacts, Tokens, TxFields, Txs, Withdrawals,
};
use crate::{
    domain::{Amount, Balance, DenomName, RowsFilter, RowsFormat, Timestamp},
    story::{Glossary, MessageSummary, Style, row_words},
    wire::{Block, Collection, EvmTx, Holder, InternalTx, Status, Token, Tx, Verbatim, opinit::ExecutorWithdrawal},
};

/// Record that can be listed and written as CSV.
pub(crate) trait ListRecord: Sized {
    type Columns: Resource;
    const NAME: &'static str;
    /// Name of the filter that servers may ignore, so that the client filters.
    const FILTER: &'static str = "filter by type";
    /// Whether the client filters page by page, so that more pages may find more rows.
    const SCANS_PAGES: bool = true;

    /// Whether a filter keeps the record.
    fn is_kept(&self, _filter: RowsFilter) -> bool {
        true
    }

    /// Creates the column data of records at a position of a list. `glossary` is `None` if the output has no room for
    /// sentences.
    fn rows<'a>(items: &[&'a Self], place: PagePosition, glossary: Option<&Glossary>) -> Vec<RowOf<'a, Self>>;
}

pub(crate) type RowOf<'a, T> = <<T as ListRecord>::Columns as Resource>::Row<'a>;

#[derive(Clone, Copy, Debug)]
pub(crate) struct PagePosition {
    /// Number of rows before the page; `None` if unknown, or in reverse order.
    pub(crate) first: Option<u64>,
    /// Whether the page is the whole output.
    pub(crate) is_whole: bool,
    pub(crate) is_terminal: bool,
    /// Height of the list, for lists whose rows have no height; `None` if the server does not report it.
    pub(crate) height: Option<u64>,
    /// Time of the response.
    pub(crate) at: Option<Timestamp>,
}

impl PagePosition {
    /// Position of a record that is shown without a list.
    pub(crate) const ALONE: Self = Self { first: None, is_whole: false, is_terminal: false, height: None, at: None };
}

pub(crate) fn csv_header<T: ListRecord>() -> Vec<&'static str> {
    T::Columns::csv().into_iter().map(|column| column.id).collect()
}

/// Returns the lines of CSV; numbers are exact and have no thousands separators.
pub(crate) fn csv_lines<T: ListRecord>(items: &[&T], place: PagePosition) -> impl Iterator<Item = Vec<CsvCell>> {
    let columns = T::Columns::csv();
    let line = move |row: RowOf<'_, T>| columns.iter().map(|column| column.csv_cell(&row, &Forms::PLAIN)).collect();
    T::rows(items, place, None).into_iter().map(line)
}

/// Row with its JSON.
pub(crate) trait WrittenRow<T> {
    fn value(&self) -> &T;
    fn json(&self) -> Cow<'_, str>;
}

impl<T> WrittenRow<T> for Verbatim<T> {
    fn value(&self) -> &T {
        &self.value
    }

    fn json(&self) -> Cow<'_, str> {
        self.raw.get().into()
    }
}

/// Record without its JSON as received.
impl<T: serde::Serialize> WrittenRow<T> for T {
    fn value(&self) -> &T {
        self
    }

    fn json(&self) -> Cow<'_, str> {
        serde_json::to_string(self).unwrap_or_default().into()
    }
}

/// Text of the rows of a list, page by page.
#[derive(Debug)]
pub(crate) struct RowsText {
    format: RowsFormat,
    /// Name of the rows' denom, for CSV.
    denom: Option<DenomName>,
    has_begun: bool,
}

impl RowsText {
    /// Columns of CSV after the rows' own, for rows of one denom.
    const DENOM_HEADER: [&'static str; 3] = ["symbol", "decimals", "named_by"];

    pub(crate) fn new(format: RowsFormat, denom: Option<DenomName>) -> Self {
        Self { format, denom, has_begun: false }
    }

    /// Returns the text of the next page.
    pub(crate) fn page<T: ListRecord, R: WrittenRow<T>>(&mut self, rows: &[&R], place: PagePosition) -> String {
        let mut text = String::new();
        match self.format {
            RowsFormat::Csv => {
                if !self.has_begun {
                    let last = self.denom.iter().flat_map(|_| Self::DENOM_HEADER);
                    text += &csv_line(csv_header::<T>().into_iter().chain(last));
                }
                let last = self.denom.as_ref().map(denom_cells);
                let values: Vec<&T> = rows.iter().map(|row| row.value()).collect();
                for line in csv_lines(&values, place) {
                    text += &csv_line(line.into_iter().chain(last.iter().flatten().cloned()));
                }
                self.has_begun = true;
            }
            RowsFormat::JsonLines => rows.iter().for_each(|row| text += &(one_line(&row.json()) + "\n")),
            RowsFormat::Json => {
                for row in rows {
                    text += if self.has_begun { ",\n" } else { "[\n" };
                    text += &row.json();
                    self.has_begun = true;
                }
            }
        }
        text
    }

    /// Returns the end of the text; an empty list is `[]` in JSON, and nothing if it failed before its first row.
    pub(crate) fn end(&self, is_whole: bool) -> &'static str {
        match (self.format, self.has_begun) {
            (RowsFormat::Json, true) => "\n]\n",
            (RowsFormat::Json, false) if is_whole => "[]\n",
            _ => "",
        }
    }
}

fn denom_cells(denom: &DenomName) -> [CsvCell; 3] {
    let decimals = denom.decimals.map(|decimals| decimals.to_string()).unwrap_or_default();
    [denom.symbol.as_str().into(), CsvCell::Number(decimals), denom.named_by.into()]
}

/// Returns a line of CSV with its end.
pub(crate) fn csv_line(cells: impl IntoIterator<Item = impl Into<CsvCell>>) -> String {
    let mut writer = csv::Writer::from_writer(Vec::new());
    let fields: Vec<String> = cells.into_iter().map(|cell| cell.into().written()).collect();
    // Writing to memory does not fail.
    let line = writer.write_record(&fields).ok().and_then(|()| writer.into_inner().ok());
    String::from_utf8(line.unwrap_or_default()).unwrap_or_default()
}

/// Removes line breaks from JSON; they occur only between tokens.
pub(crate) fn one_line(json: &str) -> String {
    json.replace(['\n', '\r'], "")
}

impl ListRecord for Block {
    type Columns = Blocks;

    const NAME: &'static str = "blocks";

    fn is_kept(&self, filter: RowsFilter) -> bool {
        filter != RowsFilter::BlocksWithTxs || self.tx_count > 0
    }

    fn rows<'a>(items: &[&'a Self], _: PagePosition, _: Option<&Glossary>) -> Vec<&'a Self> {
        items.to_vec()
    }
}

impl ListRecord for Tx {
    type Columns = Txs;

    const NAME: &'static str = "transactions";

    fn is_kept(&self, filter: RowsFilter) -> bool {
        filter != RowsFilter::FailedTxs || MessageSummary::of(self).has_failure(self)
    }

    fn rows<'a>(items: &[&'a Self], _: PagePosition, glossary: Option<&Glossary>) -> Vec<TxFields<'a>> {
        let words = |tx: &Tx| Some(Cow::Owned(row_words(tx, &MessageSummary::of(tx), glossary?, Style::Short)));
        let fields = |tx: &&'a Tx| {
            let mut fields = TxFields::new(tx);
            fields.words = words(tx);
            fields
        };
        items.iter().map(fields).collect()
    }
}

impl ListRecord for Status {
    type Columns = StatusFacts;

    const NAME: &'static str = "statuses";

    fn rows<'a>(items: &[&'a Self], _: PagePosition, _: Option<&Glossary>) -> Vec<&'a Self> {
        items.to_vec()
    }
}

impl ListRecord for EvmTx {
    type Columns = EvmTxs;

    const NAME: &'static str = "receipts";

    fn rows<'a>(items: &[&'a Self], _: PagePosition, _: Option<&Glossary>) -> Vec<&'a Self> {
        items.to_vec()
    }
}

impl ListRecord for InternalTx {
    type Columns = InternalTxs;

    const NAME: &'static str = "call frames";

    fn rows<'a>(items: &[&'a Self], _: PagePosition, _: Option<&Glossary>) -> Vec<&'a Self> {
        items.to_vec()
    }
}

impl ListRecord for Collection {
    type Columns = Collections;

    const NAME: &'static str = "collections";
    const FILTER: &'static str = "search by name";
    const SCANS_PAGES: bool = false;

    fn rows<'a>(items: &[&'a Self], _: PagePosition, _: Option<&Glossary>) -> Vec<CollectionFields<'a>> {
        items.iter().map(|collection| CollectionFields { collection, most: None, is_age_known: true }).collect()
    }
}

impl ListRecord for Token {
    type Columns = Tokens;

    const NAME: &'static str = "NFTs";

    fn rows<'a>(items: &[&'a Self], _: PagePosition, _: Option<&Glossary>) -> Vec<&'a Self> {
        items.to_vec()
    }
}

impl ListRecord for ExecutorWithdrawal {
    type Columns = Withdrawals;

    const NAME: &'static str = "withdrawals";

    fn rows<'a>(items: &[&'a Self], _: PagePosition, _: Option<&Glossary>) -> Vec<&'a Self> {
        items.to_vec()
    }
}

impl ListRecord for Holder {
    type Columns = Holders;

    const NAME: &'static str = "holders";

    /// Adds ranks if the position is known. On a terminal, also adds shares of the sum of the printed rows, because the
    /// API has no supply.
    fn rows<'a>(items: &[&'a Self], place: PagePosition, _: Option<&Glossary>) -> Vec<HolderFields<'a>> {
        let sum = items.iter().filter_map(|holder| holder.amount.amount()).try_fold(Amount::ZERO, Amount::checked_add);
        let has_shares = place.first.is_some() && place.is_whole && place.is_terminal;
        let row = |(holder, position): (&&'a Self, u64)| HolderFields {
            rank: place.first.and_then(|first| NonZeroU64::new(first + position)),
            share: has_shares.then(|| share(holder.amount, sum).unwrap_or_default()),
            height: place.height,
            at: place.at,
            ..HolderFields::new(holder)
        };
        items.iter().zip(1..).map(row).collect()
    }
}

/// Formats a share such as `12.34 %` with integers, rounded down; `None` if the sum is zero or less than the balance.
fn share(balance: Balance, sum: Option<Amount>) -> Option<String> {
    let (amount, sum) = (balance.amount()?.get(), sum?.get());
    let hundredths = amount.checked_mul(10_000_u64.try_into().ok()?)?.checked_div(sum)?;
    let hundredths = u64::try_from(hundredths).ok()?;
    Some(format!("{}.{:02} %", hundredths / 100, hundredths % 100))
}
