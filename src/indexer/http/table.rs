//! Every route of the indexer API, with its handler and what `/swagger/doc.json` says of it.

use super::{
    api::Api,
    route::{ParameterType, QueryParameter, RouteEntry},
};

const KEY: QueryParameter =
    QueryParameter::new("pagination.key", ParameterType::Text, "Where the page starts: a key of another page");
const OFFSET: QueryParameter =
    QueryParameter::new("pagination.offset", ParameterType::Integer, "Rows to skip; 0 if left out");
const LIMIT: QueryParameter =
    QueryParameter::new("pagination.limit", ParameterType::Integer, "Rows at the most, 1 to 1000; 100 if left out");
const COUNT_TOTAL: QueryParameter =
    QueryParameter::new("pagination.count_total", ParameterType::Boolean, "Count all rows; true if left out");
const REVERSE: QueryParameter =
    QueryParameter::new("pagination.reverse", ParameterType::Boolean, "Descending; true if left out");

/// What every list knows.
const PAGING: &[QueryParameter] = &[KEY, OFFSET, LIMIT, COUNT_TOTAL, REVERSE];
/// A list that is always counted.
const COUNTED_PAGING: &[QueryParameter] = &[KEY, OFFSET, LIMIT, REVERSE];
const MESSAGES: &[QueryParameter] =
    &[QueryParameter::new("msgs", ParameterType::Texts, "Only those with a message of one of these types")];
const SIGNER: &[QueryParameter] =
    &[QueryParameter::new("is_signer", ParameterType::Boolean, "Only those that the account signed first")];
const COLLECTION: &[QueryParameter] =
    &[QueryParameter::new("collection_addr", ParameterType::Text, "Only tokens of this collection")];
const TOKEN: &[QueryParameter] = &[
    QueryParameter::new("token_id", ParameterType::Text, "Only the token with this id"),
    QueryParameter::new("order_by", ParameterType::Text, "token_id, which is the default, or height"),
];

/// What every rollup has. The first that fits a path is taken, so fixed parts stand before parameters in the same
/// place.
pub(super) static ROUTES: &[RouteEntry<Api>] = &[
    RouteEntry::get("/status", "How far the index is", &[], Api::status),
    RouteEntry::get(
        "/indexer/block/v1/avg_blocktime",
        "The average time between the newest blocks",
        &[],
        Api::avg_block_time,
    ),
    RouteEntry::get("/indexer/block/v1/blocks", "Blocks by height", &[COUNTED_PAGING], Api::blocks),
    RouteEntry::get("/indexer/block/v1/blocks/{height}", "One block", &[], Api::block),
    RouteEntry::get("/indexer/tx/v1/txs", "Transactions in the order of the chain", &[PAGING, MESSAGES], Api::txs),
    RouteEntry::get(
        "/indexer/tx/v1/txs/by_account/{account}",
        "Transactions that touch an account",
        &[PAGING, MESSAGES, SIGNER],
        Api::txs_by_account,
    ),
    RouteEntry::get(
        "/indexer/tx/v1/txs/by_height/{height}",
        "Transactions of one block",
        &[PAGING, MESSAGES],
        Api::txs_by_height,
    ),
    RouteEntry::get("/indexer/tx/v1/txs/{tx_hash}", "One transaction", &[], Api::tx),
    RouteEntry::get("/indexer/nft/v1/collections", "NFT collections by height", &[PAGING], Api::collections),
    RouteEntry::get(
        "/indexer/nft/v1/collections/by_account/{account}",
        "Collections in which an account owns a token",
        &[PAGING],
        Api::collections_by_account,
    ),
    RouteEntry::get(
        "/indexer/nft/v1/collections/by_name/{name}",
        "Collections whose name holds these letters and digits",
        &[PAGING],
        Api::collections_by_name,
    ),
    RouteEntry::get("/indexer/nft/v1/collections/{collection_addr}", "One collection", &[], Api::collection),
    RouteEntry::get(
        "/indexer/nft/v1/tokens/by_account/{account}",
        "NFTs that an account owns",
        &[PAGING, COLLECTION, TOKEN],
        Api::tokens_by_account,
    ),
    RouteEntry::get(
        "/indexer/nft/v1/tokens/by_collection/{collection_addr}",
        "NFTs of a collection",
        &[PAGING, TOKEN],
        Api::tokens_by_collection,
    ),
    RouteEntry::get(
        "/indexer/nft/v1/txs/{collection_addr}/{token_id}",
        "Transactions that made, moved or burned an NFT",
        &[PAGING],
        Api::nft_txs,
    ),
    RouteEntry::get("/indexer/richlist/v1/{denom}", "Who holds a token, largest amount first", &[PAGING], Api::holders),
];

/// What only EVM rollups have (`docs/apis/indexer.md` §5.4, §5.5).
pub(super) static EVM_ROUTES: &[RouteEntry<Api>] = &[
    RouteEntry::get("/indexer/tx/v1/evm-txs", "EVM receipts, newest first", &[PAGING], Api::all_evm_txs),
    RouteEntry::get(
        "/indexer/tx/v1/evm-txs/by_account/{account}",
        "EVM receipts that touch an account",
        &[PAGING, SIGNER],
        Api::evm_txs_by_account,
    ),
    RouteEntry::get(
        "/indexer/tx/v1/evm-txs/by_height/{height}",
        "EVM receipts of one block",
        &[PAGING],
        Api::evm_txs_by_height,
    ),
    RouteEntry::get("/indexer/tx/v1/evm-txs/{tx_hash}", "One EVM receipt", &[], Api::evm_tx),
    RouteEntry::get("/indexer/tx/v1/evm-internal-txs", "Call frames, newest first", &[PAGING], Api::all_internal_txs),
    RouteEntry::get(
        "/indexer/tx/v1/evm-internal-txs/by_account/{account}",
        "Call frames from or to an account",
        &[PAGING],
        Api::internal_txs_by_account,
    ),
    RouteEntry::get(
        "/indexer/tx/v1/evm-internal-txs/by_height/{height}",
        "Call frames of one block",
        &[PAGING],
        Api::internal_txs_by_height,
    ),
    RouteEntry::get(
        "/indexer/tx/v1/evm-internal-txs/{tx_hash}",
        "Call frames of one EVM transaction",
        &[PAGING],
        Api::internal_txs_of_tx,
    ),
];
