use std::num::NonZeroU64;

use super::{CellValue, Column, ColumnHeader, List, Resource, eighths_bar};
use crate::{
    config::Meaning,
    domain::{RowSortKey, Timestamp},
    wire::Holder,
};

pub(crate) struct Holders;

/// Width of a shortened address, in terminal columns.
const SHORT_ADDRESS: u16 = 18;
/// Width of the bar of amounts, in terminal columns.
const BAR: u16 = 12;

/// Maximum decimals of an amount in a list; copies and files keep all.
const PLACES: usize = 4;

/// Data of a holder's row.
pub(crate) struct HolderFields<'a> {
    pub(crate) holder: &'a Holder,
    /// Position in the whole list; `None` if unknown.
    pub(crate) rank: Option<NonZeroU64>,
    /// Formatted share of the list's sum; `None` if the list hides shares.
    pub(crate) share: Option<String>,
    /// Change since the list was marked.
    pub(crate) since: Option<(Meaning, String)>,
    /// Number of filled eighths of [`Holders::BAR`].
    pub(crate) bar: Option<usize>,
    pub(crate) decimals: u8,
    /// Number of digits after the point of every amount.
    pub(crate) fraction: u8,
    /// Height of the rich list; `None` if the server does not report it.
    pub(crate) height: Option<u64>,
    pub(crate) at: Option<Timestamp>,
}

impl Holders {
    pub(crate) const SHORT_ADDRESS: u16 = SHORT_ADDRESS;
    pub(crate) const BAR: u16 = BAR;

    /// Returns the number of digits after the point for amounts with at most `digits` fraction digits.
    pub(crate) fn shown_fraction(digits: usize) -> u8 {
        u8::try_from(digits.min(PLACES)).unwrap_or_default()
    }
}

impl<'a> HolderFields<'a> {
    /// Creates the data of a single record, without a list.
    pub(crate) fn new(holder: &'a Holder) -> Self {
        Self {
            holder,
            rank: None,
            share: None,
            since: None,
            bar: None,
            decimals: 0,
            fraction: 0,
            height: None,
            at: None,
        }
    }
}

impl Resource for Holders {
    type Row<'a> = HolderFields<'a>;

    const LISTS: &'static [List] = &[List::Holders];
    const COLUMNS: &'static [Column<Self>] = &[
        Column::<Self>::new("rank", "Rank", ColumnHeader::new("rank", 5).right().of(Meaning::Muted), |row, _| {
            row.rank.map_or_else(CellValue::absent, |rank| CellValue::number(rank.get()))
        })
        .on(List::Holders, 10)
        .optional()
        .table(10),
        Column::<Self>::new(
            "account",
            "Account",
            ColumnHeader::new("account", SHORT_ADDRESS).growing(1).of(Meaning::Link),
            |row, _| CellValue::account_ends(&row.holder.account, row.holder.address()),
        )
        .on(List::Holders, 20)
        .table(40)
        .csv(10),
        Column::<Self>::new(
            "other_form",
            "Other format",
            ColumnHeader::new("other format", SHORT_ADDRESS).of(Meaning::Muted),
            |row, forms| {
                let other = row.holder.address().map(|address| forms.address.flipped().write(address));
                CellValue::other_ends(other.unwrap_or_default(), row.holder.address())
            },
        )
        .on(List::Holders, 30),
        Column::<Self>::new(
            "amount",
            "Amount",
            ColumnHeader::new("amount", 12).right().of(Meaning::Number),
            |row, _| amount(row),
        )
        .exact_number(|row| row.holder.amount.to_string().into())
        .sorts_as(|row| Some(held(row)))
        .on(List::Holders, 40)
        .table(20)
        .csv(20),
        Column::<Self>::new("since", "Since the mark", ColumnHeader::new("since", 12).right(), |row, _| {
            let change = row.since.as_ref();
            change.map_or_else(CellValue::absent, |(meaning, text)| CellValue::text(text.as_str()).of(*meaning))
        })
        .there_only()
        .on(List::Holders, 45),
        Column::<Self>::new(
            "share",
            "Share of loaded total",
            ColumnHeader::new("loaded share", 12).right().rank(1),
            |row, _| row.share.as_deref().map_or_else(CellValue::absent, CellValue::text),
        )
        .sorts_as(|row| Some(held(row)))
        .on(List::Holders, 50)
        .optional()
        .table(30),
        Column::<Self>::new("bar", "Bar", ColumnHeader::new("", BAR).rank(2).of(Meaning::Number), |row, _| {
            row.bar.map_or_else(CellValue::absent, |eighths| CellValue::text(eighths_bar(eighths)))
        })
        .sorts_as(|_| None)
        .on(List::Holders, 60),
        Column::<Self>::new("height", "Height", ColumnHeader::new("height", 10).right(), |row, _| {
            row.height.map_or_else(CellValue::absent, CellValue::number)
        })
        .there_only()
        .csv(30),
        Column::<Self>::new("time", "Time (UTC)", ColumnHeader::new("time", 10), |row, _| {
            row.at.map_or_else(CellValue::absent, CellValue::time)
        })
        .there_only()
        .csv(40),
    ];
}

fn held(row: &HolderFields<'_>) -> RowSortKey {
    RowSortKey::Number(row.holder.amount)
}

fn amount<'b>(row: &HolderFields<'_>) -> CellValue<'b> {
    let balance = row.holder.amount;
    let value = CellValue::written(balance.fixed(row.decimals, row.fraction), balance.display(0), None);
    if balance.is_negative() { value.of(Meaning::Bad) } else { value }
}
