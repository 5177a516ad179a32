//! The endpoints of both APIs: where each is asked for, with which parameters, and what its answer is read as.
//!
//! One function each, and one [`ListEndpoint`](super::ListEndpoint) for each list; everything else about asking is written
//! once, in the clients.

use std::fmt::Write as _;

use serde::Serialize;

use super::{
    filters::FragileFilter,
    lists::{BlocksQuery, HoldersQuery, ListEndpoint as _},
    retry::RetryPolicy,
};
use crate::{
    domain::{Address, ChainId, Denom, EvmTxHash, Height, TxHash},
    msg::{
        CollectionScope, EvmTxScope, InternalTxScope, Order, PageRequest, PageStart, Request, TokenName, TokenOrder,
        TokenQuery, TokenScope, TxQuery, TxScope,
    },
    wire::{
        self, ApiError, ErrorKind, RawJson,
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
const NFT_TXS: &str = "/indexer/nft/v1/txs";
const RICH_LIST: &str = "/indexer/richlist/v1";

/// An endpoint with its parameters: where it is asked for, and what its answer `W` on the wire comes to.
pub struct Endpoint<W, T = W> {
    pub(super) target: RequestTarget,
    pub(super) value: fn(W) -> T,
}

/// Where something is asked for, and how.
#[derive(Clone, Debug)]
pub struct RequestTarget {
    /// Path and query below the server's base address, percent-encoded.
    pub path: String,
    /// The JSON of a POST, or why it cannot be written.
    pub(super) json: Option<Result<String, String>>,
    pub(super) retry_policy: RetryPolicy,
    /// Whether the answer is searched or built anew by each request, so that it is waited for half as long again.
    pub(super) is_thorough: bool,
    pub(super) failures: Failures,
    /// As of which block a node's state is asked for; its newest where this is `None`.
    pub(super) at: Option<Height>,
}

/// What a failure means at an endpoint, where it is not what it means everywhere.
#[derive(Clone, Debug)]
pub(super) enum Failures {
    Plain,
    /// Not found has a name of its own.
    NotFoundAs(fn(String) -> ErrorKind),
    /// The real server tells in words of its own question that the chain does not know this denom.
    UnknownDenom(Denom),
}

impl<W, T> From<Endpoint<W, T>> for RequestTarget {
    fn from(endpoint: Endpoint<W, T>) -> Self {
        endpoint.target
    }
}

impl RequestTarget {
    pub(super) fn get(path: impl Into<String>) -> Self {
        Self {
            path: path.into(),
            json: None,
            retry_policy: RetryPolicy::Transient,
            is_thorough: false,
            failures: Failures::Plain,
            at: None,
        }
    }

    pub(super) fn post(path: &str, body: &impl Serialize) -> Self {
        let json = serde_json::to_string(body).map_err(|error| error.to_string());
        Self { json: Some(json), ..Self::get(path) }
    }

    fn thorough(self) -> Self {
        Self { is_thorough: true, ..self }
    }

    pub(super) fn retried(self, retry_policy: RetryPolicy) -> Self {
        Self { retry_policy, ..self }
    }

    fn failing(self, failures: Failures) -> Self {
        Self { failures, ..self }
    }

    fn read_as<W>(self) -> Endpoint<W> {
        Endpoint { target: self, value: |answer| answer }
    }

    fn read_by<W, T>(self, value: fn(W) -> T) -> Endpoint<W, T> {
        Endpoint { target: self, value }
    }
}

/// How far the index is. A 500 means that nothing is indexed yet.
pub fn status() -> Endpoint<wire::Status> {
    RequestTarget::get("/status").read_as()
}

/// Seconds per block over the newest 100; 0 with fewer than two.
pub fn avg_block_time() -> Endpoint<wire::AvgBlockTime, f64> {
    RequestTarget::get("/indexer/block/v1/avg_blocktime").read_by(|answer: wire::AvgBlockTime| answer.avg_block_time)
}

/// One block.
pub fn block(height: Height) -> Endpoint<wire::BlockResponse, wire::Block> {
    RequestTarget::get(format!("{BLOCKS}/{height}")).read_by(|answer: wire::BlockResponse| answer.block)
}

/// One transaction by its Cosmos hash.
pub fn tx(hash: TxHash) -> Endpoint<wire::TxResponse, wire::Tx> {
    RequestTarget::get(format!("{TXS}/{hash}")).read_by(|answer: wire::TxResponse| answer.tx)
}

/// One EVM receipt by the EVM's hash.
pub fn evm_tx(hash: EvmTxHash) -> Endpoint<wire::EvmTxResponse, wire::EvmTx> {
    RequestTarget::get(format!("{EVM_TXS}/{hash}")).read_by(|answer: wire::EvmTxResponse| answer.tx)
}

/// One NFT collection.
pub fn collection(address: Address) -> Endpoint<wire::CollectionResponse, wire::Collection> {
    let target = RequestTarget::get(format!("{COLLECTIONS}/{}", address.hex()));
    target.read_by(|answer: wire::CollectionResponse| answer.collection)
}

/// The block list has no `count_total`: its total is the newest height and costs nothing. One bad block fails a page
/// whenever it is asked for, and there is a way around (`docs/apis/indexer.md` §4).
pub(super) fn blocks(page: &PageRequest) -> RequestTarget {
    let target = RequestTarget::get(query(BLOCKS.to_owned(), &paging(page)));
    if page.limit > 1 { target.retried(RetryPolicy::NotServerErrors) } else { target }
}

/// `msgs` is repeated because the real server does not split at commas.
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
    };
    parameters.extend(filter.msgs.iter().map(|kind| ("msgs", kind.as_str().to_owned())));
    let target = RequestTarget::get(query(path, &parameters));
    match FragileFilter::of(filter, page) {
        Some(_) => target.retried(RetryPolicy::NotServerErrors),
        None => target,
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

/// One bad row fails a page whenever it is asked for, and there is a way around (`docs/apis/indexer.md` §6.2).
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

/// The denom is the one path parameter that servers decode, and only with upper-case digits (`docs/apis/indexer.md`
/// §7). A denom that an EVM rollup does not know takes its server most of a minute, for each try anew.
pub(super) fn holders(denom: &Denom, page: &PageRequest) -> RequestTarget {
    let path = query(format!("{RICH_LIST}/{}", segment(denom.as_str())), &counted(page));
    RequestTarget::get(path).retried(RetryPolicy::NotTimeouts).failing(Failures::UnknownDenom(denom.clone()))
}

/// The chains that can be routed to.
pub fn chains() -> Endpoint<ChainsResponse, Vec<ChainInfo>> {
    RequestTarget::get("/v2/info/chains").read_by(|answer: ChainsResponse| answer.chains)
}

/// The assets of one chain, since servers disagree on how several are written; of all where none is named, which is a
/// large answer.
pub fn assets(chain: Option<&ChainId>) -> Endpoint<AssetsResponse> {
    let parameters: Vec<_> = chain.iter().map(|chain| ("chain_ids", chain.as_str().to_owned())).collect();
    RequestTarget::get(query("/v2/fungible/assets".to_owned(), &parameters)).read_as()
}

/// The best route. Whether unsafe ones count is always said: they do where the request leaves it open, as the
/// specification has it.
pub fn route(request: &RouteRequest) -> Endpoint<Route> {
    let request = RouteRequest { allow_unsafe: request.allow_unsafe.or(Some(true)), ..request.clone() };
    let target = RequestTarget::post("/v2/fungible/route", &request).thorough();
    target.failing(Failures::NotFoundAs(ErrorKind::NoRoute)).read_as()
}

/// What accounts hold; real routers know it of the chains that they index.
pub fn router_balances(request: &BalancesRequest) -> Endpoint<BalancesResponse> {
    RequestTarget::post("/v2/info/balances", request).read_as()
}

/// What an asset can become; not on every server.
pub fn assets_from_source(request: &ReachRequest) -> Endpoint<ReachResponse> {
    RequestTarget::post("/v2/fungible/assets_from_source", request).read_as()
}

/// What must be signed before the messages of a route that requires a hook. Without a version, unlike the others.
pub fn op_hook(request: &OpHookRequest) -> Endpoint<OpHook> {
    RequestTarget::post("/op-hook", request).thorough().read_as()
}

/// What is to be signed and broadcast for a route.
pub fn msgs(request: &MsgsRequest) -> Endpoint<MsgsResponse> {
    RequestTarget::post("/v2/fungible/msgs", request).thorough().read_as()
}

/// Has a transaction watched.
pub fn track(request: &TrackRequest) -> Endpoint<TrackResponse> {
    RequestTarget::post("/v2/tx/track", request).failing(Failures::NotFoundAs(ErrorKind::Untracked)).read_as()
}

/// Has an abandoned transaction watched again; not in the specification, and not on every server.
pub fn retry_track(request: &TrackRequest) -> Endpoint<TrackResponse> {
    RequestTarget::post("/v2/tx/retry_track", request).failing(Failures::NotFoundAs(ErrorKind::Untracked)).read_as()
}

/// How a transaction's transfers stand.
pub fn transfer_status(request: &TrackRequest) -> Endpoint<TransferStatus> {
    let parameters = [("tx_hash", request.tx_hash.clone()), ("chain_id", request.chain_id.as_str().to_owned())];
    let target = RequestTarget::get(query("/v2/tx/status".to_owned(), &parameters));
    target.failing(Failures::NotFoundAs(ErrorKind::Untracked)).read_as()
}

/// What the embedded rollup says of itself.
pub fn demo() -> Endpoint<DemoInfo> {
    RequestTarget::get("/demo/v1").read_as()
}

/// An answer of [`op_hook`], given verbatim, signed by the demo wallet. Never repeated by itself.
pub fn demo_sign(hook: &RawJson) -> Endpoint<SignedOpHook> {
    RequestTarget::post("/demo/v1/sign", hook).retried(RetryPolicy::Never).read_as()
}

/// A transaction of an answer of [`msgs`], signed and broadcast by the demo wallet. Never repeated by itself: after a
/// timeout it may have been sent all the same.
pub fn demo_broadcast(request: &BroadcastRequest) -> Endpoint<Broadcast> {
    RequestTarget::post("/demo/v1/broadcast", request).retried(RetryPolicy::Never).read_as()
}

/// The claim of an optimistic withdrawal on the L1, by the demo wallet; the transaction is that which started it. Never
/// repeated by itself.
pub fn demo_claim(started: &TrackRequest) -> Endpoint<Broadcast> {
    RequestTarget::post("/demo/v1/claim", started).retried(RetryPolicy::Never).read_as()
}

/// Something of the demo wallet's for an account. Never repeated by itself: it gives so often and not more.
pub fn demo_fund(request: &FundRequest) -> Endpoint<FaucetGift> {
    RequestTarget::post("/demo/v1/fund", request).retried(RetryPolicy::Never).read_as()
}

/// Path and query of what a request asks the indexer; `None` for what it asks elsewhere: the routing API, which may be
/// another server, the web, or this machine.
pub fn path_of(request: &Request) -> Option<String> {
    let target = match request {
        Request::Status => status().target,
        Request::AvgBlockTime => avg_block_time().target,
        Request::OldestBlock => BlocksQuery.target(&PageRequest::oldest()),
        Request::Blocks(page) => BlocksQuery.target(page),
        Request::Block(height) => block(*height).target,
        Request::Txs(query, page) => query.target(page),
        Request::Tx(hash) => tx(*hash).target,
        Request::EvmTxs(scope, page) => scope.target(page),
        Request::EvmTx(hash) => evm_tx(*hash).target,
        Request::InternalTxs(scope, page) => scope.target(page),
        Request::Collections(scope, page) => scope.target(page),
        Request::Collection(address) => collection(*address).target,
        Request::Tokens(query, page) => query.target(page),
        Request::Holders(denom, page) => HoldersQuery(denom.clone()).target(page),
        _ => return None,
    };
    Some(target.path)
}

impl Failures {
    /// The failure by the name that it has at this endpoint.
    pub(super) fn name(&self, error: ApiError) -> ApiError {
        match (self, error.kind) {
            (Self::NotFoundAs(kind), ErrorKind::NotFound(sentence)) => ApiError { kind: kind(sentence), ..error },
            // `docs/apis/indexer.md` §1.2
            (Self::UnknownDenom(denom), ErrorKind::Rejected { status: 400, sentence })
                if sentence.starts_with("exhausted all endpoints") && sentence.contains("HTTP 404") =>
            {
                let denom = crate::domain::text::clip(denom.as_str(), 80);
                let kind = ErrorKind::NotFound(format!("the chain knows no token “{denom}”"));
                ApiError { kind, ..error }
            }
            (_, kind) => ApiError { kind, ..error },
        }
    }
}

fn signer(signer_only: bool) -> Option<(&'static str, String)> {
    signer_only.then(|| ("is_signer", "true".to_owned()))
}

/// Paging of a list whose total costs the server a count, so that it is declined unless it was asked for.
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

/// A path parameter: what may stand in a path stays as it is, since real servers compare what was sent.
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

/// A text as one part of a path or query, so that it means nothing but itself.
pub(super) fn encoded(text: &str) -> String {
    let mut part = String::new();
    percent_encode(text, &mut part);
    part
}

/// Encodes all but RFC 3986's unreserved characters: cursors are base64, whose `+`, `/` and `=` mean other things.
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
