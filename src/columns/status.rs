use super::{CellValue, Column, ColumnHeader, List, Resource};
use crate::wire::Status;

/// Heights of an index: a single row that no list shows.
pub(crate) struct StatusFacts;

impl Resource for StatusFacts {
    type Row<'a> = &'a Status;

    const LISTS: &'static [List] = &[];
    const COLUMNS: &'static [Column<Self>] = &[
        Column::<Self>::new("chain_id", "Chain", ColumnHeader::new("chain", 12), |status, _| {
            CellValue::text(&status.chain_id)
        })
        .table(10)
        .csv(10),
        Column::<Self>::new("height", "Height", ColumnHeader::new("height", 11).right(), |status, _| {
            CellValue::number(status.height.get())
        })
        .table(20)
        .csv(20),
        Column::<Self>::new(
            "internal_tx_height",
            "Internal transactions",
            ColumnHeader::new("internal", 11).right(),
            |status, _| height(status.internal_tx_height),
        )
        .csv(30),
        Column::<Self>::new(
            "rich_list_height",
            "Rich list",
            ColumnHeader::new("rich list", 11).right(),
            |status, _| height(status.rich_list_height),
        )
        .csv(40),
        Column::<Self>::new("version", "Version", ColumnHeader::new("version", 12), |status, _| {
            CellValue::text(&status.version)
        })
        .csv(50),
        Column::<Self>::new("commit_hash", "Commit", ColumnHeader::new("commit", 12), |status, _| {
            CellValue::text(&status.commit_hash)
        })
        .csv(60),
    ];
}

fn height(height: Option<u64>) -> CellValue<'static> {
    height.map_or_else(CellValue::absent, CellValue::number)
}
