use super::{CellValue, Column, ColumnHeader, List, Resource};
use crate::{config::Meaning, wire::opinit::ExecutorWithdrawal};

/// Optimistic withdrawals, as a bridge's executor lists them.
pub(crate) struct Withdrawals;

impl Resource for Withdrawals {
    type Row<'a> = &'a ExecutorWithdrawal;

    const LISTS: &'static [List] = &[List::Withdrawals];
    const COLUMNS: &'static [Column<Self>] = &[
        Column::<Self>::new("sequence", "Number", ColumnHeader::new("number", 8).right(), |row, _| {
            CellValue::number(row.sequence)
        })
        .on(List::Withdrawals, 10)
        .csv(10),
        Column::<Self>::new(
            "amount",
            "Amount",
            ColumnHeader::new("amount", 20).growing(1).of(Meaning::Number),
            |row, _| CellValue::coins(std::slice::from_ref(&row.amount)),
        )
        .on(List::Withdrawals, 20)
        .csv(20),
        Column::<Self>::new("from", "From", ColumnHeader::new("from", 18).rank(1).of(Meaning::Link), |row, _| {
            CellValue::account(&row.from, row.from.parse().ok())
        })
        .on(List::Withdrawals, 30)
        .csv(30),
        Column::<Self>::new("output_index", "Output", ColumnHeader::new("output", 12).right(), |row, _| {
            match row.output_index {
                0 => CellValue::text("no date").of(Meaning::Muted),
                index => CellValue::number(index),
            }
        })
        .on(List::Withdrawals, 40)
        .csv(40),
        Column::<Self>::new("tx_hash", "Transaction", ColumnHeader::new("tx", 11).rank(2), |row, _| {
            row.tx_hash.as_deref().map_or_else(CellValue::absent, CellValue::text)
        })
        .on(List::Withdrawals, 50)
        .csv(50),
    ];
}
