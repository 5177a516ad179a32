use super::{CellValue, Column, ColumnHeader, List, Resource, eighths_bar};
use crate::{config::Meaning, domain::RowSortKey, wire::Collection};

pub(crate) struct Collections;

/// Width of the size bar, in terminal columns.
const SIZE: u16 = 6;

/// Data of a collection's row.
pub(crate) struct CollectionFields<'a> {
    pub(crate) collection: &'a Collection,
    /// Number of NFTs of the list's largest collection; `None` if the list does not compare sizes.
    pub(crate) most: Option<u64>,
    /// Whether the record's block and time are the collection's first, and not the first that the index has.
    pub(crate) is_age_known: bool,
}

impl Resource for Collections {
    type Row<'a> = CollectionFields<'a>;

    const LISTS: &'static [List] = &[List::Collections, List::AccountCollections];
    const COLUMNS: &'static [Column<Self>] = &[
        Column::<Self>::new(
            "object_addr",
            "Address",
            ColumnHeader::new("address", 15).rank(3).of(Meaning::Link),
            |row, _| CellValue::hex(&row.collection.object_addr),
        )
        .table(40)
        .csv(10),
        Column::<Self>::new("name", "Name", ColumnHeader::new("name", 18).growing(1).of(Meaning::Link), |row, _| {
            name(row)
        })
        .exact(|row| row.collection.collection.name.as_received().into())
        .on(List::Collections, 10)
        .on_as(List::AccountCollections, 10, ColumnHeader::new("name", 20).growing(1).of(Meaning::Link))
        .table(20)
        .csv(20),
        Column::<Self>::new(
            "origin_name",
            "Origin class",
            ColumnHeader::new("origin", 16).rank(4).of(Meaning::Muted),
            |row, _| CellValue::text(row.collection.collection.origin_name.as_received()),
        )
        .on(List::Collections, 50)
        .table(60)
        .csv(30),
        Column::<Self>::new("creator", "Creator", ColumnHeader::new("creator", 18).rank(2), |row, _| {
            let facts = &row.collection.collection;
            CellValue::account(&facts.creator, facts.creator_address())
        })
        .on(List::Collections, 40)
        .on_as(List::AccountCollections, 30, ColumnHeader::new("creator", 18).rank(2).of(Meaning::Muted))
        .table(50)
        .csv(40),
        Column::<Self>::new("length", "NFTs", ColumnHeader::new("tokens", 7).right().of(Meaning::Number), |row, _| {
            CellValue::number(row.collection.collection.nfts.length)
        })
        .on(List::Collections, 20)
        .on_as(List::AccountCollections, 20, ColumnHeader::new("total tokens", 14).right())
        .table(30)
        .csv(50),
        Column::<Self>::new("size", "Size", ColumnHeader::new("size", SIZE).rank(3).of(Meaning::Number), |row, _| {
            row.most.map_or_else(CellValue::absent, |most| {
                CellValue::text(share_bar(row.collection.collection.nfts.length, most, SIZE))
            })
        })
        .sorts_as(|row| Some(RowSortKey::number(row.collection.collection.nfts.length)))
        .on(List::Collections, 30)
        .there_only(),
        Column::<Self>::new("height", "Height", ColumnHeader::new("block", 11).right().rank(2), |row, _| {
            CellValue::number(row.collection.height.get())
        })
        .table(10)
        .csv(60),
        Column::<Self>::new("timestamp", "Time (UTC)", ColumnHeader::time().rank(1).of(Meaning::Muted), |row, _| {
            if row.is_age_known { CellValue::time(row.collection.timestamp) } else { CellValue::text("?") }
        })
        .on(List::Collections, 60)
        .on(List::AccountCollections, 40)
        .csv(70),
    ];
}

/// Returns the name; a placeholder for a name without visible characters.
fn name<'b>(row: &'b CollectionFields<'_>) -> CellValue<'b> {
    let name = row.collection.collection.name.as_received();
    if crate::domain::text::clip(name, 80).trim().is_empty() {
        return CellValue::written("(no name)".to_owned(), name.to_owned(), None);
    }
    CellValue::text(name)
}

/// Draws `value` of `most` as a bar of `width` terminal columns. Zero is empty; any higher value is visible.
fn share_bar(value: u64, most: u64, width: u16) -> String {
    let whole = u128::from(width) * 8;
    let filled = (u128::from(value) * whole).checked_div(u128::from(most)).unwrap_or(0);
    eighths_bar(usize::try_from(filled.max(u128::from(value > 0)).min(whole)).unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use super::share_bar;

    #[test]
    fn a_bar_is_as_long_as_its_share() {
        assert_eq!(share_bar(8, 8, 2), "██");
        assert_eq!(share_bar(0, 8, 2), "");
        assert_eq!(share_bar(1, 1_000_000, 2), "▏");
        assert_eq!(share_bar(9, 16, 2), "█▏");
        assert_eq!(share_bar(u64::MAX, 1, 2), "██", "never longer than its room");
        assert_eq!(share_bar(0, 0, 2), "");
    }
}
