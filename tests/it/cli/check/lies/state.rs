//! Lies about holders and NFTs, and about what is of the whole chain.

use serde_json::{Value, json};

use super::{Lie, NOBODY, by, field, is, is_account, is_of, is_signer, lacks, rows, set};

fn is_nft(target: &str) -> bool {
    target.contains("/nft/v1/tokens/by_collection/") && target.contains("token_id=")
}

fn is_rich_list(target: &str) -> bool {
    target.contains("/richlist/v1/")
}

fn adds_to_total(json: &mut Value, count: i64) -> bool {
    let total = json.pointer("/pagination/total").and_then(|total| total.as_str()?.parse::<i64>().ok());
    total.is_some_and(|total| set(json, "/pagination/total", (total + count).to_string()))
}

pub(super) const STATE: &[Lie] = &[
    field(
        "how much a holder has",
        is_rich_list,
        ("/holders/0/amount", "\"999999999999999999999999999999999\""),
        ("holders", "amount"),
    ),
    by(
        "how much the least holder has",
        is_rich_list,
        |json| {
            let last = rows(json, "holders", 7).and_then(|rows| rows.last_mut());
            let amount = last.and_then(|row| row.pointer_mut("/amount"));
            let less = amount.and_then(|amount| Some((amount.as_str()?.parse::<u128>().ok()?.checked_sub(1)?, amount)));
            less.map(|(less, amount)| *amount = less.to_string().into()).is_some()
        },
        |difference| is(difference, "holders", "value", "amount") && difference["node"] != "0",
    ),
    by(
        "who holds nothing",
        is_rich_list,
        |json| {
            let other = json!({"account": NOBODY, "amount": "1"});
            rows(json, "holders", 7).map(|rows| rows.push(other)).is_some() && adds_to_total(json, 1)
        },
        |difference| is(difference, "holders", "value", "amount") && difference["node"] == "0",
    ),
    field(
        "who owns an NFT",
        is_nft,
        ("/tokens/0/owner", "\"init1gfpyysjzgfpyysjzgfpyysjzgfpyysjzv8t30m\""),
        ("NFTs", "owner"),
    ),
    field("an NFT's URI", is_nft, ("/tokens/0/nft/uri", "\"https://elsewhere.example/1\""), ("NFTs", "nft.uri")),
    field("an NFT's height", is_nft, ("/tokens/0/height", "1"), ("NFTs", "height")),
    field("an NFT's collection", is_nft, ("/tokens/0/collection_name", "\"Nowhere\""), ("NFTs", "collection_name")),
];

/// The id of an NFT that does not exist.
const NO_NFT: &str = "987654321";

pub(super) const LEFT_OUT: &[Lie] = &[
    by(
        "a holder that is left out",
        is_rich_list,
        |json| lacks(json, "holders", 3, 0) && adds_to_total(json, -1),
        |difference| is(difference, "holders", "missing", ""),
    ),
    by(
        "an NFT that is left out",
        is_nft,
        |json| rows(json, "tokens", 1).is_some_and(|rows| rows.pop().is_some()),
        |difference| is_of(difference, "NFTs", "nft", "missing"),
    ),
];

pub(super) const COLLECTIONS: &[Lie] = &[
    field(
        "a collection's name",
        is_collection,
        ("/collection/collection/name", "\"Another\""),
        ("collections", "collection.name"),
    ),
    field(
        "whose collection it is",
        is_collection,
        ("/collection/object_addr", "\"0x0bad\""),
        ("collections", "object_addr"),
    ),
    by(
        "an NFT that its owner lacks",
        |target| target.contains("/nft/v1/tokens/by_account/"),
        |json| lacks(json, "tokens", 1, 0),
        |difference| {
            let side = difference["node"].as_str().unwrap_or_default();
            is_of(difference, "NFTs", "nft", "missing") && side.starts_with("list of ")
        },
    ),
    by(
        "a collection that its owner lacks",
        |target| target.contains("/nft/v1/collections/by_account/"),
        |json| rows(json, "collections", 1).map(Vec::clear).is_some(),
        |difference| {
            let side = difference["node"].as_str().unwrap_or_default();
            is_of(difference, "NFTs", "nft", "missing") && side.starts_with("collections of ")
        },
    ),
    by(
        "a transaction that an NFT lacks",
        |target| target.contains("/nft/v1/txs/"),
        |json| lacks(json, "txs", 1, 0),
        |difference| is_of(difference, "NFTs", "nft_txs", "missing"),
    ),
    by(
        "an NFT that does not exist",
        |target| {
            target.contains("/nft/v1/tokens/by_collection/")
                && (!target.contains("token_id=") || target.contains(&format!("token_id={NO_NFT}")))
        },
        |json| {
            let row = json!({
                "collection_addr": "", "collection_name": "", "collection_origin_name": "",
                "object_addr": "0x00000000000000000000000000000000000000000000000000000000987654ff",
                "owner": NOBODY, "nft": {"token_id": NO_NFT, "uri": ""}, "height": 1,
                "timestamp": "2026-01-01T00:00:00Z",
            });
            rows(json, "tokens", 0).map(|rows| rows.insert(0, row)).is_some()
        },
        |difference| {
            let name = difference["name"].as_str().unwrap_or_default();
            is_of(difference, "NFTs", "nft", "unfounded") && name.ends_with(NO_NFT)
        },
    ),
    field(
        "how many NFTs a collection has",
        is_collection,
        ("/collection/collection/nfts/length", "99999"),
        ("collections", "collection.nfts.length"),
    ),
    by(
        "how many NFTs are listed",
        |target| target.contains("/nft/v1/tokens/by_collection/") && !target.contains("token_id="),
        |json| set(json, "/pagination/total", "99998"),
        |difference| is_total(difference, "collection", 99_998),
    ),
];

pub(super) const CREATORS: &[Lie] = &[field(
    "who made a collection",
    is_collection,
    ("/collection/collection/creator", "\"init1gfpyysjzgfpyysjzgfpyysjzgfpyysjzv8t30m\""),
    ("collections", "collection.creator"),
)];

pub(super) const ORDER: &[Lie] = &[by(
    "holders in another order",
    is_rich_list,
    |json| rows(json, "holders", 2).map(|rows| rows.reverse()).is_some(),
    |difference| is(difference, "holders", "order", "amount"),
)];

pub(super) const WHOLE: &[Lie] = &[
    by(
        "a list of holders that is not there",
        is_rich_list,
        |json| {
            *json = Value::Null;
            true
        },
        |difference| is_of(difference, "holders", "rich_list", "missing"),
    ),
    field(
        "the average time of blocks",
        |target| target.ends_with("/avg_blocktime"),
        ("/avg_block_time", "99.5"),
        ("totals", "avg_block_time"),
    ),
];

/// Lies about the lists over the whole chain: for a check of every block.
pub(in crate::cli::check) const TOTALS: &[Lie] = &[
    by(
        "how many blocks there are",
        |target| target.contains("/block/v1/blocks?"),
        |json| set(json, "/pagination/total", "9999"),
        |difference| is_total(difference, "all_blocks", 9_999),
    ),
    by(
        "how many transactions there are",
        |target| target.contains("/tx/v1/txs?") && !target.contains("msgs="),
        |json| set(json, "/pagination/total", "1"),
        |difference| is_total(difference, "all_txs", 1),
    ),
    by(
        "how many transactions there are of a type",
        |target| target.contains("/tx/v1/txs?") && target.contains("msgs="),
        |json| set(json, "/pagination/total", "9998"),
        |difference| is_total(difference, "txs_of_type", 9_998),
    ),
    by(
        "how many transactions an account has",
        is_account,
        |json| set(json, "/pagination/total", "0"),
        |difference| is_total(difference, "account", 0),
    ),
    by(
        "how many transactions an account signed",
        is_signer,
        |json| set(json, "/pagination/total", "9997"),
        |difference| is_total(difference, "signer", 9_997),
    ),
];

fn is_total(difference: &Value, record: &str, indexer: u64) -> bool {
    is_of(difference, "totals", record, "total") && difference["indexer"] == indexer
}

fn is_collection(target: &str) -> bool {
    target.contains("/nft/v1/collections/0x")
}
