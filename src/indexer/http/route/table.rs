use super::{Entry, EvmRoute, Route, RouterRoute, WalletRoute};

/// The form of a query's value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::indexer::http) enum Form {
    /// Any text.
    Text,
    /// A whole number.
    Integer,
    /// `true` or `false`.
    Boolean,
    /// Texts, repeated.
    Texts,
}

/// A parameter of a query.
#[derive(Clone, Copy, Debug)]
pub(in crate::indexer::http) struct Parameter {
    /// As it stands before `=`.
    pub(in crate::indexer::http) name: &'static str,
    /// What its value is.
    pub(in crate::indexer::http) form: Form,
    /// What it does, and what holds without it.
    pub(in crate::indexer::http) description: &'static str,
}

const fn parameter(name: &'static str, form: Form, description: &'static str) -> Parameter {
    Parameter { name, form, description }
}

const KEY: Parameter = parameter("pagination.key", Form::Text, "Where the page starts: a key of another page");
const OFFSET: Parameter = parameter("pagination.offset", Form::Integer, "Rows to skip; 0 if left out");
const LIMIT: Parameter = parameter("pagination.limit", Form::Integer, "Rows at the most, 1 to 1000; 100 if left out");
const COUNT_TOTAL: Parameter = parameter("pagination.count_total", Form::Boolean, "Count all rows; true if left out");
const REVERSE: Parameter = parameter("pagination.reverse", Form::Boolean, "Descending; true if left out");

/// What every list knows.
const PAGING: &[Parameter] = &[KEY, OFFSET, LIMIT, COUNT_TOTAL, REVERSE];
/// A list that is always counted.
const COUNTED_PAGING: &[Parameter] = &[KEY, OFFSET, LIMIT, REVERSE];
const MESSAGES: &[Parameter] = &[parameter("msgs", Form::Texts, "Only those with a message of one of these types")];
const SIGNER: &[Parameter] = &[parameter("is_signer", Form::Boolean, "Only those that the account signed first")];
const COLLECTION: &[Parameter] = &[parameter("collection_addr", Form::Text, "Only tokens of this collection")];
const TOKEN: &[Parameter] = &[
    parameter("token_id", Form::Text, "Only the token with this id"),
    parameter("order_by", Form::Text, "token_id, which is the default, or height"),
];

const CHAINS: &[Parameter] = &[parameter("chain_ids", Form::Texts, "Only these chains; joined by commas or repeated")];
const TX: &[Parameter] = &[
    parameter("tx_hash", Form::Text, "The signed transaction; needed"),
    parameter("chain_id", Form::Text, "Where it was broadcast; needed"),
];

/// Every route. The first that fits a path is taken, so fixed parts stand before parameters in the same place.
pub(in crate::indexer::http) static ROUTES: [Entry; 44] = [
    Entry { path: "/status", summary: "How far the index is", query: &[], make: |_| Some(Route::Status) },
    Entry {
        path: "/indexer/block/v1/avg_blocktime",
        summary: "The average time between the newest blocks",
        query: &[],
        make: |_| Some(Route::AvgBlockTime),
    },
    Entry {
        path: "/indexer/block/v1/blocks",
        summary: "Blocks by height",
        query: &[COUNTED_PAGING],
        make: |_| Some(Route::Blocks),
    },
    Entry {
        path: "/indexer/block/v1/blocks/{height}",
        summary: "One block",
        query: &[],
        make: |values| values.first().map(|height| Route::Block(height)),
    },
    Entry {
        path: "/indexer/tx/v1/txs",
        summary: "Transactions in the order of the chain",
        query: &[PAGING, MESSAGES],
        make: |_| Some(Route::Txs),
    },
    Entry {
        path: "/indexer/tx/v1/txs/by_account/{account}",
        summary: "Transactions that touch an account",
        query: &[PAGING, MESSAGES, SIGNER],
        make: |values| values.first().map(|account| Route::TxsByAccount(account)),
    },
    Entry {
        path: "/indexer/tx/v1/txs/by_height/{height}",
        summary: "Transactions of one block",
        query: &[PAGING, MESSAGES],
        make: |values| values.first().map(|height| Route::TxsByHeight(height)),
    },
    Entry {
        path: "/indexer/tx/v1/txs/{tx_hash}",
        summary: "One transaction",
        query: &[],
        make: |values| values.first().map(|hash| Route::Tx(hash)),
    },
    Entry {
        path: "/indexer/tx/v1/evm-txs",
        summary: "EVM receipts, newest first",
        query: &[PAGING],
        make: |_| Some(Route::Evm(EvmRoute::Txs)),
    },
    Entry {
        path: "/indexer/tx/v1/evm-txs/by_account/{account}",
        summary: "EVM receipts that touch an account",
        query: &[PAGING, SIGNER],
        make: |values| values.first().map(|account| Route::Evm(EvmRoute::TxsByAccount(account))),
    },
    Entry {
        path: "/indexer/tx/v1/evm-txs/by_height/{height}",
        summary: "EVM receipts of one block",
        query: &[PAGING],
        make: |values| values.first().map(|height| Route::Evm(EvmRoute::TxsByHeight(height))),
    },
    Entry {
        path: "/indexer/tx/v1/evm-txs/{tx_hash}",
        summary: "One EVM receipt",
        query: &[],
        make: |values| values.first().map(|hash| Route::Evm(EvmRoute::Tx(hash))),
    },
    Entry {
        path: "/indexer/tx/v1/evm-internal-txs",
        summary: "Call frames, newest first",
        query: &[PAGING],
        make: |_| Some(Route::Evm(EvmRoute::InternalTxs)),
    },
    Entry {
        path: "/indexer/tx/v1/evm-internal-txs/by_account/{account}",
        summary: "Call frames from or to an account",
        query: &[PAGING],
        make: |values| values.first().map(|account| Route::Evm(EvmRoute::InternalTxsByAccount(account))),
    },
    Entry {
        path: "/indexer/tx/v1/evm-internal-txs/by_height/{height}",
        summary: "Call frames of one block",
        query: &[PAGING],
        make: |values| values.first().map(|height| Route::Evm(EvmRoute::InternalTxsByHeight(height))),
    },
    Entry {
        path: "/indexer/tx/v1/evm-internal-txs/{tx_hash}",
        summary: "Call frames of one EVM transaction",
        query: &[PAGING],
        make: |values| values.first().map(|hash| Route::Evm(EvmRoute::InternalTxsOfTx(hash))),
    },
    Entry {
        path: "/indexer/nft/v1/collections",
        summary: "NFT collections by height",
        query: &[PAGING],
        make: |_| Some(Route::Collections),
    },
    Entry {
        path: "/indexer/nft/v1/collections/by_account/{account}",
        summary: "Collections in which an account owns a token",
        query: &[PAGING],
        make: |values| values.first().map(|account| Route::CollectionsByAccount(account)),
    },
    Entry {
        path: "/indexer/nft/v1/collections/by_name/{name}",
        summary: "Collections whose name holds these letters and digits",
        query: &[PAGING],
        make: |values| values.first().map(|name| Route::CollectionsByName(name)),
    },
    Entry {
        path: "/indexer/nft/v1/collections/{collection_addr}",
        summary: "One collection",
        query: &[],
        make: |values| values.first().map(|collection| Route::Collection(collection)),
    },
    Entry {
        path: "/indexer/nft/v1/tokens/by_account/{account}",
        summary: "NFTs that an account owns",
        query: &[PAGING, COLLECTION, TOKEN],
        make: |values| values.first().map(|account| Route::TokensByAccount(account)),
    },
    Entry {
        path: "/indexer/nft/v1/tokens/by_collection/{collection_addr}",
        summary: "NFTs of a collection",
        query: &[PAGING, TOKEN],
        make: |values| values.first().map(|collection| Route::TokensByCollection(collection)),
    },
    Entry {
        path: "/indexer/nft/v1/txs/{collection_addr}/{token_id}",
        summary: "Transactions that made, moved or burned an NFT",
        query: &[PAGING],
        make: |values| match *values {
            [collection, token_id] => Some(Route::NftTxs { collection, token_id }),
            _ => None,
        },
    },
    Entry {
        path: "/indexer/richlist/v1/{denom}",
        summary: "Who holds a token, largest amount first",
        query: &[PAGING],
        make: |values| values.first().map(|denom| Route::Holders(denom)),
    },
    Entry {
        path: "/v2/fungible/route",
        summary: "A route for an amount of an asset to another asset",
        query: &[],
        make: |_| Some(Route::Router(RouterRoute::Route)),
    },
    Entry {
        path: "/op-hook",
        summary: "The messages that an application signs beforehand, for a deposit that requires it",
        query: &[],
        make: |_| Some(Route::Router(RouterRoute::OpHook)),
    },
    Entry {
        path: "/v2/fungible/msgs",
        summary: "The transactions that do a route",
        query: &[],
        make: |_| Some(Route::Router(RouterRoute::Msgs)),
    },
    Entry {
        path: "/v2/tx/track",
        summary: "Begins to track a transaction",
        query: &[],
        make: |_| Some(Route::Router(RouterRoute::Track)),
    },
    Entry {
        path: "/v2/tx/retry_track",
        summary: "Tracks a transaction again that was given up",
        query: &[],
        make: |_| Some(Route::Router(RouterRoute::RetryTrack)),
    },
    Entry {
        path: "/v2/tx/status",
        summary: "How far a tracked transaction is",
        query: &[TX],
        make: |_| Some(Route::Router(RouterRoute::Status)),
    },
    Entry {
        path: "/v2/info/chains",
        summary: "The chains that can be routed to",
        query: &[],
        make: |_| Some(Route::Router(RouterRoute::Chains)),
    },
    Entry {
        path: "/v2/info/bridges",
        summary: "The bridges that routes go over",
        query: &[],
        make: |_| Some(Route::Router(RouterRoute::Bridges)),
    },
    Entry {
        path: "/v2/fungible/assets",
        summary: "The assets that can be routed, by chain",
        query: &[CHAINS],
        make: |_| Some(Route::Router(RouterRoute::Assets)),
    },
    Entry { path: "/swagger", summary: "To the page about this API", query: &[], make: |_| Some(Route::Swagger) },
    Entry {
        path: "/swagger/index.html",
        summary: "The routes as a page",
        query: &[],
        make: |_| Some(Route::SwaggerPage),
    },
    Entry {
        path: "/swagger/doc.json",
        summary: "The routes as Swagger 2.0",
        query: &[],
        make: |_| Some(Route::SwaggerDocument),
    },
    Entry { path: "/demo/v1", summary: "What this server is", query: &[], make: |_| Some(Route::Demo) },
    Entry {
        path: "/demo/v1/faults",
        summary: "Replaces what goes wrong",
        query: &[],
        make: |_| Some(Route::DemoFaults),
    },
    Entry {
        path: "/demo/v1/sign",
        summary: "Signs a hook as the demo wallet",
        query: &[],
        make: |_| Some(Route::Wallet(WalletRoute::Sign)),
    },
    Entry {
        path: "/demo/v1/broadcast",
        summary: "Signs and sends a transaction as the demo wallet",
        query: &[],
        make: |_| Some(Route::Wallet(WalletRoute::Broadcast)),
    },
    Entry {
        path: "/demo/v1/txs/{chain_id}/{tx_hash}",
        summary: "A transaction of a chain that nobody indexes",
        query: &[],
        make: |values| match *values {
            [chain_id, tx_hash] => Some(Route::Wallet(WalletRoute::Tx { chain_id, tx_hash })),
            _ => None,
        },
    },
    Entry {
        path: "/demo/v1/art/{collection}/{file}",
        summary: "The picture of an NFT of the demo",
        query: &[],
        make: |values| match *values {
            [collection, file] => Some(Route::DemoArt { collection, file }),
            _ => None,
        },
    },
    Entry {
        path: "/demo/v1/nft/{collection}/{file}",
        summary: "The metadata of an NFT of the demo",
        query: &[],
        make: |values| match *values {
            [collection, file] => Some(Route::DemoMetadata { collection, file }),
            _ => None,
        },
    },
    Entry {
        path: "/demo/v1/ipfs/{folder}/{file}",
        summary: "What the demo's ipfs: addresses name",
        query: &[],
        make: |values| match *values {
            [folder, file] => Some(Route::DemoIpfs { folder, file }),
            _ => None,
        },
    },
];
