//! Every route of the indexer API, with its handler and what `/swagger/doc.json` says of it.

use super::{
    api::Api,
    forms,
    route::{ParameterType, QueryParameter, RouteEntry},
    value::MAYBE_ADDRESS,
};

const KEY: QueryParameter = QueryParameter::new(
    "pagination.key",
    ParameterType::Pattern(BASE64),
    "Where the page starts: a key of another page; 404 for what is the key of none",
);
/// Padded, with no bit set that the padding leaves unused.
const BASE64: &str =
    "^([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{4}|[A-Za-z0-9+/]{2}[AEIMQUYcgkosw048]=|[A-Za-z0-9+/][AQgw]==)?$";
const OFFSET: QueryParameter =
    QueryParameter::new("pagination.offset", ParameterType::Integer(0, None), "Rows to skip").or("0");
const LIMIT: QueryParameter =
    QueryParameter::new("pagination.limit", ParameterType::Integer(1, Some(1000)), "Rows at the most").or("100");
const COUNT_TOTAL: QueryParameter =
    QueryParameter::new("pagination.count_total", ParameterType::Boolean, "Count all rows").or("true");
const REVERSE: QueryParameter =
    QueryParameter::new("pagination.reverse", ParameterType::Boolean, "Descending").or("true");

/// What every list knows.
const PAGING: &[QueryParameter] = &[KEY, OFFSET, LIMIT, COUNT_TOTAL, REVERSE];
/// A list that is always counted.
const COUNTED_PAGING: &[QueryParameter] = &[KEY, OFFSET, LIMIT, REVERSE];
const MESSAGES: &[QueryParameter] =
    &[QueryParameter::new("msgs", ParameterType::Texts, "Only those with a message of one of these types")];
const SIGNER: &[QueryParameter] =
    &[QueryParameter::new("is_signer", ParameterType::Boolean, "Only those that the account signed first").or("false")];
const COLLECTION: &[QueryParameter] =
    &[QueryParameter::new("collection_addr", ParameterType::Pattern(MAYBE_ADDRESS), "Only tokens of this collection")];
const TOKEN: &[QueryParameter] = &[
    QueryParameter::new("token_id", ParameterType::Text, "Only the token with this id"),
    QueryParameter::new("order_by", ParameterType::Word(&["token_id", "height"]), "The order").or("\"token_id\""),
];

/// Refusals of a list of the whole chain: what is asked for, a key of no page, and history that is not indexed yet.
const LIST: &[u16] = &[400, 404, 503];
/// Refusals of what is named in the path.
const NAMED: &[u16] = &[400, 404, 503];

/// Seconds that the real server keeps lists for.
const BRIEF: u16 = 1;
/// Seconds that it keeps one thing for, and the rich list.
const LONG: u16 = 10;

/// What every rollup has. The first that fits a path is taken, so fixed parts stand before parameters in the same
/// place.
pub(super) static ROUTES: &[RouteEntry<Api>] = &[
    RouteEntry::get("/status", "getStatus", "How far the index is", &forms::STATUS, Api::status).kept_for(BRIEF),
    RouteEntry::get(
        "/indexer/block/v1/avg_blocktime",
        "getAvgBlockTime",
        "The average time between the newest blocks",
        &forms::AVERAGE,
        Api::avg_block_time,
    )
    .kept_for(LONG),
    RouteEntry::get("/indexer/block/v1/blocks", "listBlocks", "Blocks by height", &forms::BLOCKS, Api::blocks)
        .with_query(&[COUNTED_PAGING])
        .refusing(LIST)
        .kept_for(BRIEF),
    RouteEntry::get("/indexer/block/v1/blocks/{height}", "getBlock", "One block", &forms::BLOCK_ANSWER, Api::block)
        .refusing(NAMED)
        .kept_for(LONG),
    RouteEntry::get("/indexer/tx/v1/txs", "listTxs", "Transactions in the order of the chain", &forms::TXS, Api::txs)
        .with_query(&[PAGING, MESSAGES])
        .refusing(LIST)
        .kept_for(BRIEF),
    RouteEntry::get(
        "/indexer/tx/v1/txs/by_account/{account}",
        "listTxsByAccount",
        "Transactions that touch an account",
        &forms::TXS,
        Api::txs_by_account,
    )
    .with_query(&[PAGING, MESSAGES, SIGNER])
    .refusing(NAMED)
    .kept_for(BRIEF),
    RouteEntry::get(
        "/indexer/tx/v1/txs/by_height/{height}",
        "listTxsByHeight",
        "Transactions of one block",
        &forms::TXS,
        Api::txs_by_height,
    )
    .with_query(&[PAGING, MESSAGES])
    .refusing(NAMED)
    .kept_for(BRIEF),
    RouteEntry::get("/indexer/tx/v1/txs/{tx_hash}", "getTx", "One transaction", &forms::TX_ANSWER, Api::tx)
        .refusing(NAMED)
        .kept_for(LONG),
    RouteEntry::get(
        "/indexer/nft/v1/collections",
        "listCollections",
        "NFT collections by height",
        &forms::COLLECTIONS,
        Api::collections,
    )
    .with_query(&[PAGING])
    .refusing(LIST)
    .kept_for(BRIEF),
    RouteEntry::get(
        "/indexer/nft/v1/collections/by_account/{account}",
        "listCollectionsByAccount",
        "Collections in which an account owns a token",
        &forms::COLLECTIONS,
        Api::collections_by_account,
    )
    .with_query(&[PAGING])
    .refusing(NAMED)
    .kept_for(BRIEF),
    RouteEntry::get(
        "/indexer/nft/v1/collections/by_name/{name}",
        "listCollectionsByName",
        "Collections whose name holds these letters and digits",
        &forms::COLLECTIONS,
        Api::collections_by_name,
    )
    .with_query(&[PAGING])
    .refusing(NAMED)
    .kept_for(BRIEF),
    RouteEntry::get(
        "/indexer/nft/v1/collections/{collection_addr}",
        "getCollection",
        "One collection",
        &forms::COLLECTION_ANSWER,
        Api::collection,
    )
    .refusing(NAMED)
    .kept_for(LONG),
    RouteEntry::get(
        "/indexer/nft/v1/tokens/by_account/{account}",
        "listTokensByAccount",
        "NFTs that an account owns",
        &forms::TOKENS,
        Api::tokens_by_account,
    )
    .with_query(&[PAGING, COLLECTION, TOKEN])
    .refusing(NAMED)
    .kept_for(BRIEF),
    RouteEntry::get(
        "/indexer/nft/v1/tokens/by_collection/{collection_addr}",
        "listTokensByCollection",
        "NFTs of a collection",
        &forms::TOKENS,
        Api::tokens_by_collection,
    )
    .with_query(&[PAGING, TOKEN])
    .refusing(NAMED)
    .kept_for(BRIEF),
    RouteEntry::get(
        "/indexer/nft/v1/txs/{collection_addr}/{token_id}",
        "listNftTxs",
        "Transactions that made, moved or burned an NFT",
        &forms::TXS,
        Api::nft_txs,
    )
    .with_query(&[PAGING])
    .refusing(NAMED)
    .kept_for(BRIEF),
    RouteEntry::get(
        "/indexer/richlist/v1/{denom}",
        "listHolders",
        "Who holds a token, largest amount first",
        &forms::HOLDERS,
        Api::holders,
    )
    .with_query(&[PAGING])
    .refusing(NAMED)
    .kept_for(LONG),
];

/// What only EVM rollups have (`docs/apis/indexer.md` §5.4, §5.5).
pub(super) static EVM_ROUTES: &[RouteEntry<Api>] = &[
    RouteEntry::get(
        "/indexer/tx/v1/evm-txs",
        "listEvmTxs",
        "EVM receipts, newest first",
        &forms::RECEIPTS,
        Api::all_evm_txs,
    )
    .with_query(&[PAGING])
    .refusing(LIST)
    .kept_for(BRIEF),
    RouteEntry::get(
        "/indexer/tx/v1/evm-txs/by_account/{account}",
        "listEvmTxsByAccount",
        "EVM receipts that touch an account",
        &forms::RECEIPTS,
        Api::evm_txs_by_account,
    )
    .with_query(&[PAGING, SIGNER])
    .refusing(NAMED)
    .kept_for(BRIEF),
    RouteEntry::get(
        "/indexer/tx/v1/evm-txs/by_height/{height}",
        "listEvmTxsByHeight",
        "EVM receipts of one block",
        &forms::RECEIPTS,
        Api::evm_txs_by_height,
    )
    .with_query(&[PAGING])
    .refusing(NAMED)
    .kept_for(BRIEF),
    RouteEntry::get(
        "/indexer/tx/v1/evm-txs/{tx_hash}",
        "getEvmTx",
        "One EVM receipt",
        &forms::RECEIPT_ANSWER,
        Api::evm_tx,
    )
    .refusing(NAMED)
    .kept_for(LONG),
    RouteEntry::get(
        "/indexer/tx/v1/evm-internal-txs",
        "listInternalTxs",
        "Call frames, newest first",
        &forms::FRAMES,
        Api::all_internal_txs,
    )
    .with_query(&[PAGING])
    .refusing(LIST)
    .kept_for(BRIEF),
    RouteEntry::get(
        "/indexer/tx/v1/evm-internal-txs/by_account/{account}",
        "listInternalTxsByAccount",
        "Call frames from or to an account",
        &forms::FRAMES,
        Api::internal_txs_by_account,
    )
    .with_query(&[PAGING])
    .refusing(NAMED)
    .kept_for(BRIEF),
    RouteEntry::get(
        "/indexer/tx/v1/evm-internal-txs/by_height/{height}",
        "listInternalTxsByHeight",
        "Call frames of one block",
        &forms::FRAMES,
        Api::internal_txs_by_height,
    )
    .with_query(&[PAGING])
    .refusing(NAMED)
    .kept_for(BRIEF),
    RouteEntry::get(
        "/indexer/tx/v1/evm-internal-txs/{tx_hash}",
        "listInternalTxsOfTx",
        "Call frames of one EVM transaction",
        &forms::FRAMES,
        Api::internal_txs_of_tx,
    )
    .with_query(&[PAGING])
    .refusing(NAMED)
    .kept_for(LONG),
];
