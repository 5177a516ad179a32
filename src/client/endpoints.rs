//! Endpoints of both APIs: path, parameters and response type.
//!
//! Each endpoint is one function, each list one [`ListEndpoint`](super::ListEndpoint). The clients implement transport,
//! decoding and retries once for all endpoints.

use std::fmt::Write as _;

use serde::Serialize;

pub use super::target::{Endpoint, RequestTarget};
use super::target::{Failures, RetryPolicy};
use crate::{
    domain::{Address, ChainId, Denom, EvmTxHash, Height, LocalPacket, TxHash},
    msg::{
        CollectionScope, EvmTxScope, InternalTxScope, Order, PageRequest, PageStart, TokenName, TokenOrder, TokenQuery,
        TokenScope, TxQuery, TxScope,
    },
    wire::{
        self, ErrorKind,
        router::{
            AssetsResponse, BalancesRequest, BalancesResponse, Broadcast, BroadcastRequest, ChainInfo, ChainsResponse,
            DemoInfo, FaucetGift, FundRequest, MsgsRequest, MsgsResponse, OpHook, OpHookRequest, ReachRequest,
            ReachResponse, Route, RouteRequest, SignedOpHook, TrackRequest, TrackResponse, TransferStatus,
        },
    },
};

const BLOCKS: &str = "/indexer/block/v1/blocks";
const TXS: &str = "/indexer/tx/v1/txs";
const EVM_TXS: &str = "/indexer/tx/v1/evm-txs";
const INTERNAL_TXS: &str = "/indexer/tx/v1/evm-internal-txs";
const COLLECTIONS: &str = "/indexer/nft/v1/collections";
const TOKENS: &str = "/indexer/nft/v1/tokens";
const PACKETS: &str = "/indexer/ibc/v1/packets";
const NFT_TXS: &str = "/indexer/nft/v1/txs";
const RICH_LIST: &str = "/indexer/richlist/v1";
const TOKEN_CONTRACTS: &str = "/indexer/token/v1/contracts";

/// Requests the height of the index. HTTP 500 means an empty index.
pub fn status() -> Endpoint<wire::Status> {
    RequestTarget::get("/status").read_as()
}

/// Requests the mean seconds per block over the newest 100 blocks; 0 with fewer than two blocks.
pub fn avg_block_time() -> Endpoint<wire::AvgBlockTime, f64> {
    RequestTarget::get("/indexer/block/v1/avg_blocktime").read_by(|answer: wire::AvgBlockTime| answer.avg_block_time)
}

pub fn block(height: Height) -> Endpoint<wire::BlockResponse, wire::Block> {
    RequestTarget::get(format!("{BLOCKS}/{height}")).read_by(|answer: wire::BlockResponse| answer.block)
}

pub fn tx(hash: TxHash) -> Endpoint<wire::TxResponse, wire::Tx> {
    RequestTarget::get(format!("{TXS}/{hash}")).read_by(|answer: wire::TxResponse| {
        let heights = answer.heights.iter().filter_map(|height| Height::new(height.parse().ok()?)).collect();
        wire::Tx { heights, ..answer.tx }
    })
}

pub fn evm_tx(hash: EvmTxHash) -> Endpoint<wire::EvmTxResponse, wire::EvmTx> {
    RequestTarget::get(format!("{EVM_TXS}/{hash}")).read_by(|answer: wire::EvmTxResponse| answer.tx)
}

pub fn collection(address: Address) -> Endpoint<wire::CollectionResponse, wire::Collection> {
    let target = RequestTarget::get(format!("{COLLECTIONS}/{}", address.hex()));
    target.read_by(|answer: wire::CollectionResponse| answer.collection)
}

/// Requests a page of blocks. The list has no `count_total`: its total is the newest height and costs the server
/// nothing. A bad block fails its page every time; the client has a workaround (`docs/apis/indexer.md` §4).
pub(super) fn blocks(page: &PageRequest) -> RequestTarget {
    let target = RequestTarget::get(query(BLOCKS.to_owned(), &paging(page)));
    if page.limit > 1 { target.retried(RetryPolicy::NotServerErrors) } else { target }
}

/// Requests a page of transactions. `msgs` is repeated because the real server does not split at commas.
pub(super) fn txs(filter: &TxQuery, page: &PageRequest) -> RequestTarget {
    let mut parameters = counted(page);
    let path = match &filter.scope {
        TxScope::All => TXS.to_owned(),
        TxScope::Account { address, signer_only } => {
            parameters.extend(signer(*signer_only));
            format!("{TXS}/by_account/{address}")
        }
        TxScope::Height(height) => format!("{TXS}/by_height/{height}"),
        TxScope::Token(TokenName { collection, token_id }) => {
            let path = format!("{NFT_TXS}/{}/{}", collection.hex(), segment(token_id));
            return RequestTarget::get(query(path, &parameters));
        }
        TxScope::Packet(LocalPacket { side, port, channel, sequence }) => {
            format!("{PACKETS}/{side}/{}/{}/{sequence}", segment(port), segment(channel))
        }
    };
    parameters.extend(filter.msgs.iter().map(|kind| ("msgs", kind.as_str().to_owned())));
    let target = RequestTarget::get(query(path, &parameters));
    match FragileFilter::of(filter, page) {
        Some(_) => target.retried(RetryPolicy::NotServerErrors),
        None => target,
    }
}

/// List whose message filter fails on some real servers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FragileFilter {
    Account,
    /// A block's list after a cursor.
    AfterKey,
}

impl FragileFilter {
    /// Returns the fragile filter that a query uses; `None` if it uses no such filter.
    pub(super) fn of(query: &TxQuery, page: &PageRequest) -> Option<Self> {
        match (&query.scope, &page.cursor) {
            _ if query.msgs.is_empty() => None,
            (TxScope::Account { .. }, _) => Some(Self::Account),
            (TxScope::Height(_), PageStart::Key(_)) => Some(Self::AfterKey),
            _ => None,
        }
    }
}

pub(super) fn evm_txs(scope: &EvmTxScope, page: &PageRequest) -> RequestTarget {
    let mut parameters = counted(page);
    let path = match scope {
        EvmTxScope::All => EVM_TXS.to_owned(),
        EvmTxScope::Account { address, signer_only } => {
            parameters.extend(signer(*signer_only));
            format!("{EVM_TXS}/by_account/{}", address.hex())
        }
        EvmTxScope::Height(height) => format!("{EVM_TXS}/by_height/{height}"),
    };
    RequestTarget::get(query(path, &parameters))
}

pub(super) fn internal_txs(scope: &InternalTxScope, page: &PageRequest) -> RequestTarget {
    let path = match scope {
        InternalTxScope::All => INTERNAL_TXS.to_owned(),
        InternalTxScope::Account(address) => format!("{INTERNAL_TXS}/by_account/{}", address.hex()),
        InternalTxScope::Height(height) => format!("{INTERNAL_TXS}/by_height/{height}"),
        InternalTxScope::Tx(hash) => format!("{INTERNAL_TXS}/{hash}"),
    };
    RequestTarget::get(query(path, &counted(page)))
}

pub(super) fn collections(scope: &CollectionScope, page: &PageRequest) -> RequestTarget {
    let path = match scope {
        CollectionScope::All => COLLECTIONS.to_owned(),
        CollectionScope::Owner(address) => format!("{COLLECTIONS}/by_account/{address}"),
        CollectionScope::Name(name) | CollectionScope::NameAtServer(name) => {
            format!("{COLLECTIONS}/by_name/{}", segment(name))
        }
    };
    RequestTarget::get(query(path, &counted(page)))
}

/// Requests a page of NFTs. A bad row fails its page every time; the client has a workaround (`docs/apis/indexer.md`
/// §6.2).
pub(super) fn tokens(filter: &TokenQuery, page: &PageRequest) -> RequestTarget {
    let mut parameters = counted(page);
    let path = match filter.scope {
        TokenScope::Owner { address, collection } => {
            parameters.extend(collection.map(|collection| ("collection_addr", collection.hex())));
            format!("{TOKENS}/by_account/{address}")
        }
        TokenScope::Collection(collection) => format!("{TOKENS}/by_collection/{}", collection.hex()),
    };
    parameters.extend(filter.token_id.iter().map(|id| ("token_id", id.to_string())));
    if filter.order_by != TokenOrder::default() {
        parameters.push(("order_by", filter.order_by.to_string()));
    }
    RequestTarget::get(query(path, &parameters)).retried(RetryPolicy::NotServerErrors)
}

/// Requests a page of holders. Of all path parameters, servers decode only the denom, and only with upper-case hex
/// digits (`docs/apis/indexer.md` §7). An unknown denom keeps an EVM rollup's server busy for most of a minute on every
/// attempt.
pub(super) fn holders(denom: &Denom, page: &PageRequest) -> RequestTarget {
    let path = query(format!("{RICH_LIST}/{}", segment(denom.as_str())), &counted(page));
    RequestTarget::get(path).retried(RetryPolicy::NotTimeouts).failing(Failures::UnknownDenom(denom.clone()))
}

pub(super) fn token_contracts(page: &PageRequest) -> RequestTarget {
    RequestTarget::get(query(TOKEN_CONTRACTS.to_owned(), &counted(page)))
}

pub fn chains() -> Endpoint<ChainsResponse, Vec<ChainInfo>> {
    RequestTarget::get("/v2/info/chains").read_by(|answer: ChainsResponse| answer.chains)
}

/// Requests the assets of one chain; servers disagree on the syntax for several chains. Without a chain, requests the
/// assets of all chains, a large response.
pub fn assets(chain: Option<&ChainId>) -> Endpoint<AssetsResponse> {
    let parameters: Vec<_> = chain.iter().map(|chain| ("chain_ids", chain.as_str().to_owned())).collect();
    RequestTarget::get(query("/v2/fungible/assets".to_owned(), &parameters)).read_as()
}

/// Requests the best route. The request always states whether unsafe routes count, because the specified default allows
/// them.
pub fn route(request: &RouteRequest) -> Endpoint<Route> {
    let request = RouteRequest { allow_unsafe: request.allow_unsafe.or(Some(true)), ..request.clone() };
    let target = RequestTarget::post("/v2/fungible/route", &request).thorough();
    target.failing(Failures::NotFoundAs(ErrorKind::NoRoute)).read_as()
}

/// Requests balances; real routers only know balances on chains that they index.
pub fn router_balances(request: &BalancesRequest) -> Endpoint<BalancesResponse> {
    RequestTarget::post("/v2/info/balances", request).read_as()
}

/// Requests the assets reachable from an asset. Some servers lack this endpoint.
pub fn assets_from_source(request: &ReachRequest) -> Endpoint<ReachResponse> {
    RequestTarget::post("/v2/fungible/assets_from_source", request).read_as()
}

/// Requests the hook to sign for a route that requires a hook. Unlike the other paths, this path has no version.
pub fn op_hook(request: &OpHookRequest) -> Endpoint<OpHook> {
    RequestTarget::post("/op-hook", request).thorough().read_as()
}

/// Requests the messages to sign and broadcast for a route.
pub fn msgs(request: &MsgsRequest) -> Endpoint<MsgsResponse> {
    RequestTarget::post("/v2/fungible/msgs", request).thorough().read_as()
}

pub fn track(request: &TrackRequest) -> Endpoint<TrackResponse> {
    RequestTarget::post("/v2/tx/track", request).failing(Failures::NotFoundAs(ErrorKind::Untracked)).read_as()
}

/// Tracks an abandoned transaction again. The specification lacks this endpoint, and so do some servers.
pub fn retry_track(request: &TrackRequest) -> Endpoint<TrackResponse> {
    RequestTarget::post("/v2/tx/retry_track", request).failing(Failures::NotFoundAs(ErrorKind::Untracked)).read_as()
}

pub fn transfer_status(request: &TrackRequest) -> Endpoint<TransferStatus> {
    let parameters = [("tx_hash", request.tx_hash.clone()), ("chain_id", request.chain_id.as_str().to_owned())];
    let target = RequestTarget::get(query("/v2/tx/status".to_owned(), &parameters));
    target.failing(Failures::NotFoundAs(ErrorKind::Untracked)).read_as()
}

/// Requests the embedded rollup's description.
pub fn demo() -> Endpoint<DemoInfo> {
    RequestTarget::get("/demo/v1").read_as()
}

/// Replaces the active faults of the embedded rollup.
pub fn demo_faults(faults: &[String]) -> Endpoint<Vec<String>> {
    RequestTarget::put("/demo/v1/faults", &faults).read_as()
}

/// Signs a hook with the demo wallet. Never retried automatically.
pub fn demo_sign(hook: &impl Serialize) -> Endpoint<SignedOpHook> {
    RequestTarget::post("/demo/v1/sign", hook).retried(RetryPolicy::Never).read_as()
}

/// Signs and broadcasts a transaction from a response of [`msgs`] with the demo wallet. Never retried automatically:
/// after a timeout the wallet may have broadcast the transaction.
pub fn demo_broadcast(request: &BroadcastRequest) -> Endpoint<Broadcast> {
    RequestTarget::post("/demo/v1/broadcast", request).retried(RetryPolicy::Never).read_as()
}

/// Claims a withdrawal on the L1 with the demo wallet; `started` is the transaction that started the withdrawal. Never
/// retried automatically.
pub fn demo_claim(started: &TrackRequest) -> Endpoint<Broadcast> {
    RequestTarget::post("/demo/v1/claim", started).retried(RetryPolicy::Never).read_as()
}

/// Requests tokens from the faucet for an account. Never retried automatically, because the faucet limits its payments.
pub fn demo_fund(request: &FundRequest) -> Endpoint<FaucetGift> {
    RequestTarget::post("/demo/v1/fund", request).retried(RetryPolicy::Never).read_as()
}

fn signer(signer_only: bool) -> Option<(&'static str, String)> {
    signer_only.then(|| ("is_signer", "true".to_owned()))
}

/// Returns the paging parameters of a list whose total costs the server a count: the client requests it only on demand.
fn counted(page: &PageRequest) -> Vec<(&'static str, String)> {
    let mut parameters = paging(page);
    if !page.count_total {
        parameters.push(("pagination.count_total", "false".to_owned()));
    }
    parameters
}

fn paging(page: &PageRequest) -> Vec<(&'static str, String)> {
    let mut parameters = Vec::with_capacity(6);
    match &page.cursor {
        PageStart::Start => {}
        PageStart::Key(key) => parameters.push(("pagination.key", key.0.to_string())),
        PageStart::Offset(rows) => parameters.push(("pagination.offset", rows.to_string())),
    }
    parameters.push(("pagination.limit", page.limit.to_string()));
    if page.order == Order::Ascending {
        parameters.push(("pagination.reverse", "false".to_owned()));
    }
    parameters
}

fn query(mut path: String, parameters: &[(&'static str, String)]) -> String {
    for (position, (name, value)) in parameters.iter().enumerate() {
        path.push(if position == 0 { '?' } else { '&' });
        path.push_str(name);
        path.push('=');
        percent_encode(value, &mut path);
    }
    path
}

/// Encodes a path parameter. Allowed characters stay unescaped, because real servers compare the text as received.
fn segment(text: &str) -> String {
    let mut segment = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '!' | '$' | '&' | '\'' | '(' | ')' | '*' | '+' | ',' | ';' | '=' | ':' | '@' => segment.push(character),
            _ => percent_encode(character.encode_utf8(&mut [0; 4]), &mut segment),
        }
    }
    segment
}

/// Encodes a text as one component of a path or query.
pub(super) fn encoded(text: &str) -> String {
    let mut part = String::new();
    percent_encode(text, &mut part);
    part
}

/// Encodes all characters except RFC 3986's unreserved characters: in a URL, the `+`, `/` and `=` of base64 cursors
/// have other meanings.
fn percent_encode(text: &str, into: &mut String) {
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b'~') {
            into.push(char::from(byte));
        } else {
            // Writing into a String cannot fail.
            let _ = write!(into, "%{byte:02X}");
        }
    }
}
