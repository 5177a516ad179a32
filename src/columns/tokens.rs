use super::{CellValue, Column, ColumnHeader, List, Resource};
use crate::{config::Meaning, domain::text, wire::Token};

pub(crate) struct Tokens;

/// Most columns of a token id.
const ID: u16 = 24;

impl Resource for Tokens {
    type Row<'a> = &'a Token;

    const LISTS: &'static [List] = &[List::Nfts, List::AccountNfts];
    const COLUMNS: &'static [Column<Self>] = &[
        Column::<Self>::new(
            "collection_addr",
            "Collection address",
            ColumnHeader::new("address", 15).rank(3).of(Meaning::Link),
            |token, _| CellValue::hex(&token.collection_addr),
        )
        .table(60)
        .csv(10),
        Column::<Self>::new(
            "collection_name",
            "Collection",
            ColumnHeader::new("collection", 18).growing(1),
            |token, _| CellValue::text(token.collection_name.as_received()),
        )
        .on(List::AccountNfts, 10)
        .table(20)
        .csv(20),
        Column::<Self>::new(
            "collection_origin_name",
            "Origin class",
            ColumnHeader::new("origin", 16).rank(4).of(Meaning::Muted),
            |token, _| CellValue::text(token.collection_origin_name.as_received()),
        )
        .csv(30),
        Column::<Self>::new(
            "token_id",
            "Id",
            ColumnHeader::new("id", 12).hugging(ID).growing(1).of(Meaning::Link),
            |token, _| CellValue::account_ends(token.nft.token_id.as_received(), None),
        )
        .on(List::Nfts, 20)
        .on_as(List::AccountNfts, 20, ColumnHeader::new("id", ID).hugging(ID).of(Meaning::Link))
        .table(30)
        .csv(40),
        Column::<Self>::new("owner", "Owner", ColumnHeader::new("owner", 18), |token, _| {
            CellValue::account(&token.owner, token.owner_address())
        })
        .on(List::Nfts, 30)
        .table(40)
        .csv(50),
        Column::<Self>::new("uri", "URI", ColumnHeader::new("uri", 34).rank(2).of(Meaning::Muted), |token, _| {
            uri(token)
        })
        .exact(|token| token.nft.uri.as_received().into())
        .on_as(List::Nfts, 40, ColumnHeader::new("metadata", 34).growing(2).rank(3).of(Meaning::Muted))
        .on(List::AccountNfts, 40)
        .table(50)
        .csv(60),
        Column::<Self>::new(
            "object_addr",
            "Object",
            ColumnHeader::new("object", 15).rank(4).of(Meaning::Muted),
            |token, _| CellValue::hex(&token.object_addr),
        )
        .csv(70),
        Column::<Self>::new("height", "Height", ColumnHeader::new("block", 11).right().rank(2), |token, _| {
            CellValue::number(token.height.get())
        })
        .on(List::Nfts, 50)
        .table(10)
        .csv(80),
        Column::<Self>::new("timestamp", "Time (UTC)", ColumnHeader::time().rank(1).of(Meaning::Muted), |token, _| {
            CellValue::time(token.timestamp)
        })
        .on(List::Nfts, 60)
        .on(List::AccountNfts, 60)
        .csv(90),
    ];
}

/// Returns the URI of the metadata; for inline data only the media type, because all such URIs begin alike.
fn uri(token: &Token) -> CellValue<'_> {
    let uri = token.nft.uri.as_received();
    match uri.strip_prefix("data:").and_then(|inline| inline.split([',', ';']).next()) {
        Some(kind) => CellValue::written(format!("inline {}", text::clip(kind, 30)), uri.to_owned(), None),
        None => CellValue::text(uri),
    }
}
