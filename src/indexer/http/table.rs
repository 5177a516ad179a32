//! Routes of the indexer API, with their handlers and descriptions.

use super::{
    api::Api,
    route::{ParameterType, QueryParameter, RouteEntry},
    value::MAYBE_ADDRESS,
};

const KEY: QueryParameter = QueryParameter::new(
    "pagination.key",
    ParameterType::Pattern(BASE64),
    "Start of the page: a next_key of another page; 404 for an unknown key",
);
/// Pattern of padded base64 without stray bits in the padding.
const BASE64: &str =
    "^([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{4}|[A-Za-z0-9+/]{2}[AEIMQUYcgkosw048]=|[A-Za-z0-9+/][AQgw]==)?$";
const OFFSET: QueryParameter =
    QueryParameter::new("pagination.offset", ParameterType::Integer(0, None), "Rows to skip").or("0");
const LIMIT: QueryParameter =
    QueryParameter::new("pagination.limit", ParameterType::Integer(1, Some(1000)), "Maximum number of rows").or("100");
const COUNT_TOTAL: QueryParameter =
    QueryParameter::new("pagination.count_total", ParameterType::Boolean, "Count all rows").or("true");
const REVERSE: QueryParameter =
    QueryParameter::new("pagination.reverse", ParameterType::Boolean, "Descending").or("true");

const PAGING: &[QueryParameter] = &[KEY, OFFSET, LIMIT, COUNT_TOTAL, REVERSE];
const COUNTED_PAGING: &[QueryParameter] = &[KEY, OFFSET, LIMIT, REVERSE];
const MESSAGES: &[QueryParameter] =
    &[QueryParameter::new("msgs", ParameterType::Texts, "Only transactions with a message of one of these types")];
const SIGNER: &[QueryParameter] =
    &[QueryParameter::new("is_signer", ParameterType::Boolean, "Only transactions with the account as first signer")
        .or("false")];
const COLLECTION: &[QueryParameter] =
    &[QueryParameter::new("collection_addr", ParameterType::Pattern(MAYBE_ADDRESS), "Only tokens of this collection")];
const TOKEN: &[QueryParameter] = &[
    QueryParameter::new("token_id", ParameterType::Text, "Only the token with this id"),
    QueryParameter::new("order_by", ParameterType::Word(&["token_id", "height"]), "Sort order").or("\"token_id\""),
];

/// Errors of a list of the whole chain: invalid parameter, unknown page key, incomplete history.
const LIST: &[u16] = &[400, 404, 503];
/// Errors of a record that the path names.
const NAMED: &[u16] = &[400, 404, 503];

/// Seconds for which the real server caches lists.
const BRIEF: u16 = 1;
/// Seconds for which the real server caches single records and the rich list.
const LONG: u16 = 10;
/// Seconds for which a reader may reuse a block or transaction: only a fork changes it.
const MAX_AGE: u16 = 60;

/// Routes of every rollup. The first match counts, so fixed segments precede parameters.
pub(super) static ROUTES: &[RouteEntry<Api>] = &[
    RouteEntry::get("/status", "getStatus", "Heights of the index", "Status", Api::status).kept_for(BRIEF),
    RouteEntry::get(
        "/indexer/block/v1/avg_blocktime",
        "getAvgBlockTime",
        "Average time between the newest blocks",
        "AvgBlockTime",
        Api::avg_block_time,
    )
    .kept_for(LONG),
    RouteEntry::get("/indexer/block/v1/blocks", "listBlocks", "Blocks by height", "BlocksResponse", Api::blocks)
        .with_query(&[COUNTED_PAGING])
        .refusing(LIST)
        .kept_for(BRIEF),
    RouteEntry::get("/indexer/block/v1/blocks/{height}", "getBlock", "One block", "BlockResponse", Api::block)
        .refusing(NAMED)
        .kept_for(LONG)
        .with_max_age(MAX_AGE),
    RouteEntry::get("/indexer/tx/v1/txs", "listTxs", "Transactions in chain order", "TxsResponse", Api::txs)
        .with_query(&[PAGING, MESSAGES])
        .refusing(LIST)
        .kept_for(BRIEF),
    RouteEntry::get(
        "/indexer/tx/v1/txs/by_account/{account}",
        "listTxsByAccount",
        "Transactions that involve an account",
        "TxsResponse",
        Api::txs_by_account,
    )
    .with_query(&[PAGING, MESSAGES, SIGNER])
    .refusing(NAMED)
    .kept_for(BRIEF),
    RouteEntry::get(
        "/indexer/tx/v1/txs/by_height/{height}",
        "listTxsByHeight",
        "Transactions of one block",
        "TxsResponse",
        Api::txs_by_height,
    )
    .with_query(&[PAGING, MESSAGES])
    .refusing(NAMED)
    .kept_for(BRIEF),
    RouteEntry::get("/indexer/tx/v1/txs/{tx_hash}", "getTx", "One transaction", "TxResponse", Api::tx)
        .refusing(NAMED)
        .kept_for(LONG)
        .with_max_age(MAX_AGE),
    RouteEntry::get(
        "/indexer/nft/v1/collections",
        "listCollections",
        "NFT collections by height",
        "CollectionsResponse",
        Api::collections,
    )
    .with_query(&[PAGING])
    .refusing(LIST)
    .kept_for(BRIEF),
    RouteEntry::get(
        "/indexer/nft/v1/collections/by_account/{account}",
        "listCollectionsByAccount",
        "Collections in which an account owns a token",
        "CollectionsResponse",
        Api::collections_by_account,
    )
    .with_query(&[PAGING])
    .refusing(NAMED)
    .kept_for(BRIEF),
    RouteEntry::get(
        "/indexer/nft/v1/collections/by_name/{name}",
        "listCollectionsByName",
        "Collections whose name contains these letters and digits",
        "CollectionsResponse",
        Api::collections_by_name,
    )
    .with_query(&[PAGING])
    .refusing(NAMED)
    .kept_for(BRIEF),
    RouteEntry::get(
        "/indexer/nft/v1/collections/{collection_addr}",
        "getCollection",
        "One collection",
        "CollectionResponse",
        Api::collection,
    )
    .refusing(NAMED)
    .kept_for(LONG),
    RouteEntry::get(
        "/indexer/nft/v1/tokens/by_account/{account}",
        "listTokensByAccount",
        "NFTs of an account",
        "TokensResponse",
        Api::tokens_by_account,
    )
    .with_query(&[PAGING, COLLECTION, TOKEN])
    .refusing(NAMED)
    .kept_for(BRIEF),
    RouteEntry::get(
        "/indexer/nft/v1/tokens/by_collection/{collection_addr}",
        "listTokensByCollection",
        "NFTs of a collection",
        "TokensResponse",
        Api::tokens_by_collection,
    )
    .with_query(&[PAGING, TOKEN])
    .refusing(NAMED)
    .kept_for(BRIEF),
    RouteEntry::get(
        "/indexer/nft/v1/txs/{collection_addr}/{token_id}",
        "listNftTxs",
        "Transactions that minted, moved or burned an NFT",
        "TxsResponse",
        Api::nft_txs,
    )
    .with_query(&[PAGING])
    .refusing(NAMED)
    .kept_for(BRIEF),
    RouteEntry::get(
        "/indexer/richlist/v1/{denom}",
        "listHolders",
        "Holders of a token, largest amount first",
        "HoldersResponse",
        Api::holders,
    )
    .with_query(&[PAGING])
    .refusing(NAMED)
    .kept_for(LONG),
];

/// Routes that the real server lacks.
pub(super) static OWN_ROUTES: &[RouteEntry<Api>] = &[
    RouteEntry::get(
        "/indexer/ibc/v1/packets/{side}/{port}/{channel}/{sequence}",
        "listPacketTxs",
        "Transactions with an event about an IBC packet that the chain sent or received",
        "TxsResponse",
        Api::packet_txs,
    )
    .with_query(&[PAGING])
    .refusing(NAMED),
    RouteEntry::get(
        "/indexer/token/v1/contracts",
        "listTokenContracts",
        "Tokens whose ERC-20 or CW-20 contract reported a movement",
        "TokenContractsResponse",
        Api::token_contracts,
    )
    .with_query(&[PAGING])
    .refusing(LIST),
];

/// Routes that only EVM rollups have (`docs/apis/indexer.md` §5.4, §5.5).
pub(super) static EVM_ROUTES: &[RouteEntry<Api>] = &[
    RouteEntry::get(
        "/indexer/tx/v1/evm-txs",
        "listEvmTxs",
        "EVM receipts, newest first",
        "EvmTxsResponse",
        Api::all_evm_txs,
    )
    .with_query(&[PAGING])
    .refusing(LIST)
    .kept_for(BRIEF),
    RouteEntry::get(
        "/indexer/tx/v1/evm-txs/by_account/{account}",
        "listEvmTxsByAccount",
        "EVM receipts that involve an account",
        "EvmTxsResponse",
        Api::evm_txs_by_account,
    )
    .with_query(&[PAGING, SIGNER])
    .refusing(NAMED)
    .kept_for(BRIEF),
    RouteEntry::get(
        "/indexer/tx/v1/evm-txs/by_height/{height}",
        "listEvmTxsByHeight",
        "EVM receipts of one block",
        "EvmTxsResponse",
        Api::evm_txs_by_height,
    )
    .with_query(&[PAGING])
    .refusing(NAMED)
    .kept_for(BRIEF),
    RouteEntry::get("/indexer/tx/v1/evm-txs/{tx_hash}", "getEvmTx", "One EVM receipt", "EvmTxResponse", Api::evm_tx)
        .refusing(NAMED)
        .kept_for(LONG)
        .with_max_age(MAX_AGE),
    RouteEntry::get(
        "/indexer/tx/v1/evm-internal-txs",
        "listInternalTxs",
        "Call frames, newest first",
        "InternalTxsResponse",
        Api::all_internal_txs,
    )
    .with_query(&[PAGING])
    .refusing(LIST)
    .kept_for(BRIEF),
    RouteEntry::get(
        "/indexer/tx/v1/evm-internal-txs/by_account/{account}",
        "listInternalTxsByAccount",
        "Call frames from or to an account",
        "InternalTxsResponse",
        Api::internal_txs_by_account,
    )
    .with_query(&[PAGING])
    .refusing(NAMED)
    .kept_for(BRIEF),
    RouteEntry::get(
        "/indexer/tx/v1/evm-internal-txs/by_height/{height}",
        "listInternalTxsByHeight",
        "Call frames of one block",
        "InternalTxsResponse",
        Api::internal_txs_by_height,
    )
    .with_query(&[PAGING])
    .refusing(NAMED)
    .kept_for(BRIEF),
    RouteEntry::get(
        "/indexer/tx/v1/evm-internal-txs/{tx_hash}",
        "listInternalTxsOfTx",
        "Call frames of one EVM transaction",
        "InternalTxsResponse",
        Api::internal_txs_of_tx,
    )
    .with_query(&[PAGING])
    .refusing(NAMED)
    .kept_for(LONG),
];
