//! Every route of the indexer API, with its handler and what `/swagger/doc.json` says of it.

use super::{
    api::Api,
    route::{Entry, Form, Parameter},
};

const KEY: Parameter = Parameter::new("pagination.key", Form::Text, "Where the page starts: a key of another page");
const OFFSET: Parameter = Parameter::new("pagination.offset", Form::Integer, "Rows to skip; 0 if left out");
const LIMIT: Parameter =
    Parameter::new("pagination.limit", Form::Integer, "Rows at the most, 1 to 1000; 100 if left out");
const COUNT_TOTAL: Parameter =
    Parameter::new("pagination.count_total", Form::Boolean, "Count all rows; true if left out");
const REVERSE: Parameter = Parameter::new("pagination.reverse", Form::Boolean, "Descending; true if left out");

/// What every list knows.
const PAGING: &[Parameter] = &[KEY, OFFSET, LIMIT, COUNT_TOTAL, REVERSE];
/// A list that is always counted.
const COUNTED_PAGING: &[Parameter] = &[KEY, OFFSET, LIMIT, REVERSE];
const MESSAGES: &[Parameter] =
    &[Parameter::new("msgs", Form::Texts, "Only those with a message of one of these types")];
const SIGNER: &[Parameter] = &[Parameter::new("is_signer", Form::Boolean, "Only those that the account signed first")];
const COLLECTION: &[Parameter] = &[Parameter::new("collection_addr", Form::Text, "Only tokens of this collection")];
const TOKEN: &[Parameter] = &[
    Parameter::new("token_id", Form::Text, "Only the token with this id"),
    Parameter::new("order_by", Form::Text, "token_id, which is the default, or height"),
];

/// What every rollup has. The first that fits a path is taken, so fixed parts stand before parameters in the same place.
pub(super) static ROUTES: &[Entry<Api>] = &[
    Entry::get("/status", "How far the index is", &[], Api::status),
    Entry::get(
        "/indexer/block/v1/avg_blocktime",
        "The average time between the newest blocks",
        &[],
        Api::avg_block_time,
    ),
    Entry::get("/indexer/block/v1/blocks", "Blocks by height", &[COUNTED_PAGING], Api::blocks),
    Entry::get("/indexer/block/v1/blocks/{height}", "One block", &[], Api::block),
    Entry::get("/indexer/tx/v1/txs", "Transactions in the order of the chain", &[PAGING, MESSAGES], Api::txs),
    Entry::get(
        "/indexer/tx/v1/txs/by_account/{account}",
        "Transactions that touch an account",
        &[PAGING, MESSAGES, SIGNER],
        Api::txs_by_account,
    ),
    Entry::get(
        "/indexer/tx/v1/txs/by_height/{height}",
        "Transactions of one block",
        &[PAGING, MESSAGES],
        Api::txs_by_height,
    ),
    Entry::get("/indexer/tx/v1/txs/{tx_hash}", "One transaction", &[], Api::tx),
    Entry::get("/indexer/nft/v1/collections", "NFT collections by height", &[PAGING], Api::collections),
    Entry::get(
        "/indexer/nft/v1/collections/by_account/{account}",
        "Collections in which an account owns a token",
        &[PAGING],
        Api::collections_by_account,
    ),
    Entry::get(
        "/indexer/nft/v1/collections/by_name/{name}",
        "Collections whose name holds these letters and digits",
        &[PAGING],
        Api::collections_by_name,
    ),
    Entry::get("/indexer/nft/v1/collections/{collection_addr}", "One collection", &[], Api::collection),
    Entry::get(
        "/indexer/nft/v1/tokens/by_account/{account}",
        "NFTs that an account owns",
        &[PAGING, COLLECTION, TOKEN],
        Api::tokens_by_account,
    ),
    Entry::get(
        "/indexer/nft/v1/tokens/by_collection/{collection_addr}",
        "NFTs of a collection",
        &[PAGING, TOKEN],
        Api::tokens_by_collection,
    ),
    Entry::get(
        "/indexer/nft/v1/txs/{collection_addr}/{token_id}",
        "Transactions that made, moved or burned an NFT",
        &[PAGING],
        Api::nft_txs,
    ),
    Entry::get("/indexer/richlist/v1/{denom}", "Who holds a token, largest amount first", &[PAGING], Api::holders),
];

/// What only EVM rollups have (`wire/indexer.md` §5.4, §5.5).
pub(super) static EVM_ROUTES: &[Entry<Api>] = &[
    Entry::get("/indexer/tx/v1/evm-txs", "EVM receipts, newest first", &[PAGING], Api::all_evm_txs),
    Entry::get(
        "/indexer/tx/v1/evm-txs/by_account/{account}",
        "EVM receipts that touch an account",
        &[PAGING, SIGNER],
        Api::evm_txs_by_account,
    ),
    Entry::get(
        "/indexer/tx/v1/evm-txs/by_height/{height}",
        "EVM receipts of one block",
        &[PAGING],
        Api::evm_txs_by_height,
    ),
    Entry::get("/indexer/tx/v1/evm-txs/{tx_hash}", "One EVM receipt", &[], Api::evm_tx),
    Entry::get("/indexer/tx/v1/evm-internal-txs", "Call frames, newest first", &[PAGING], Api::all_internal_txs),
    Entry::get(
        "/indexer/tx/v1/evm-internal-txs/by_account/{account}",
        "Call frames from or to an account",
        &[PAGING],
        Api::internal_txs_by_account,
    ),
    Entry::get(
        "/indexer/tx/v1/evm-internal-txs/by_height/{height}",
        "Call frames of one block",
        &[PAGING],
        Api::internal_txs_by_height,
    ),
    Entry::get(
        "/indexer/tx/v1/evm-internal-txs/{tx_hash}",
        "Call frames of one EVM transaction",
        &[PAGING],
        Api::internal_txs_of_tx,
    ),
];
