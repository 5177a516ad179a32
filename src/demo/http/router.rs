//! Routes of the routing API.

use axum::http::StatusCode;
use serde::Deserialize;
use serde_json::json;

mod info;

use super::body::{read, read_as};
use crate::{
    demo::{posted::AnteAccount, router::error::RouterError, shared::RollupShared},
    domain::{Address, ChainId, Denom, PublicKey},
    indexer::http::{HttpRefusal, HttpRequest, ParameterType, QueryParameter, Reply, RouteEntry},
    wire::router::{MsgsRequest, OpHookRequest, RouteRequest, SubmitRequest, TrackRequest},
};

/// Pattern of a transaction hash: hexadecimal, or base58 as on Solana.
const BROADCAST_HASH: &str = "^((0[xX])?[0-9a-fA-F]{64}|[1-9A-HJ-NP-Za-km-z]{80,90})$";

const TX: &[QueryParameter] = &[
    QueryParameter::new("tx_hash", ParameterType::Pattern(BROADCAST_HASH), "Hash of the signed transaction").required(),
    QueryParameter::new("chain_id", ParameterType::Pattern("^.+$"), "Chain ID of the transaction").required(),
];

pub(super) use self::info::ROUTES as INFO_ROUTES;

pub(super) static ROUTES: &[RouteEntry<RollupShared>] = &[
    RouteEntry::post("/v2/fungible/route", "getRoute", "Quote a route for an amount", "Route", route)
        .asking_only()
        .with_body("RouteRequest")
        .refusing_as(&[400, 404, 500], "RouterRefusal"),
    RouteEntry::post("/op-hook", "getOpHook", "Get the hook messages that the recipient signs", "OpHook", op_hook)
        .asking_only()
        .with_body("OpHookRequest")
        .refusing_as(&[400, 404], "RouterRefusal"),
    // Web pages may call it. It has one side effect: the router remembers the messages for the broadcast.
    RouteEntry::post("/v2/fungible/msgs", "getMsgs", "Get the transactions of a route", "MsgsResponse", msgs)
        .shared()
        .with_body("MsgsRequest")
        .refusing_as(&[400, 404], "RouterRefusal"),
    RouteEntry::post("/v2/tx/track", "trackTx", "Track a transaction", "TrackResponse", track)
        .shared()
        .with_body("TrackRequest")
        .refusing_as(&[400, 404], "RouterRefusal"),
    RouteEntry::post(
        "/v2/tx/retry_track",
        "retryTrackTx",
        "Track an abandoned transaction again",
        "TrackResponse",
        track,
    )
    .shared()
    .with_body("TrackRequest")
    .refusing_as(&[400, 404], "RouterRefusal"),
    RouteEntry::post(
        "/v2/tx/submit",
        "submitTx",
        "Broadcast a signed transaction and track it",
        "TrackResponse",
        submit,
    )
    .shared()
    .with_body("SubmitRequest")
    .refusing_as(&[400, 404], "RouterRefusal"),
    RouteEntry::get(
        "/v2/tx/status",
        "getTxStatus",
        "Get the status of a tracked transaction",
        "TransferStatus",
        status,
    )
    .with_query(&[TX])
    .refusing_as(&[400, 404], "RouterRefusal"),
];

#[derive(Deserialize)]
struct RouteEnds {
    source_asset_chain_id: ChainId,
    source_asset_denom: Denom,
    dest_asset_chain_id: ChainId,
    dest_asset_denom: Denom,
}

/// Checks that both assets exist before it parses the rest of the request.
fn check_ends(shared: &RollupShared, request: &HttpRequest<'_>) -> Result<(), RouterError> {
    let ends = read::<RouteEnds>(request)?;
    let world = shared.router().world();
    world.check_end(&ends.source_asset_chain_id, &ends.source_asset_denom)?;
    world.check_end(&ends.dest_asset_chain_id, &ends.dest_asset_denom)
}

fn route(shared: &RollupShared, request: &HttpRequest<'_>) -> Result<Reply, HttpRefusal> {
    Reply::json(&shared.router().world().route(&read_as::<RouteRequest>(request, "RouteRequest")?, shared.chain_now())?)
}

fn op_hook(shared: &RollupShared, request: &HttpRequest<'_>) -> Result<Reply, HttpRefusal> {
    Reply::json(&shared.router().world().op_hook(&read_as::<OpHookRequest>(request, "OpHookRequest")?)?)
}

fn msgs(shared: &RollupShared, request: &HttpRequest<'_>) -> Result<Reply, HttpRefusal> {
    check_ends(shared, request)?;
    let request = read_as::<MsgsRequest>(request, "MsgsRequest")?;
    shared.router().check_hook(&request, |address| account_of(shared, address))?;
    let response = shared.router().msgs(&request, shared.chain_now())?;
    with_old_form(serde_json::to_value(response).map_err(|_| HttpRefusal::Internal)?)
}

/// Returns an account of the embedded rollup, for checking a signature.
fn account_of(shared: &RollupShared, address: Address) -> Option<AnteAccount> {
    let account = shared.look(move |chain| chain.state()?.account(&address))??;
    let key = account.key.and_then(|(kind, key)| PublicKey::new(kind.type_url(), &key));
    Some(AnteAccount { number: account.number, sequence: account.sequence, key })
}

fn track(shared: &RollupShared, request: &HttpRequest<'_>) -> Result<Reply, HttpRefusal> {
    let request = read_as::<TrackRequest>(request, "TrackRequest")?;
    Reply::json(&shared.calling(|call| shared.router().track(&request, call))?)
}

fn submit(shared: &RollupShared, request: &HttpRequest<'_>) -> Result<Reply, HttpRefusal> {
    let request = read_as::<SubmitRequest>(request, "SubmitRequest")?;
    Reply::json(&shared.calling(|call| shared.router().submit(&request, call))?)
}

fn status(shared: &RollupShared, request: &HttpRequest<'_>) -> Result<Reply, HttpRefusal> {
    let needed = |name: &str| {
        let value = request.query.first(name).filter(|value| !value.is_empty()).map(str::to_owned);
        value.ok_or_else(|| RouterError::invalid(format!("{name} is missing: /v2/tx/status?tx_hash=…&chain_id=…")))
    };
    let asked = TrackRequest { tx_hash: needed("tx_hash")?, chain_id: ChainId::new(needed("chain_id")?) };
    Reply::json(&shared.calling(|call| shared.router().status(&asked, call))?)
}

/// Puts the listener's own refusals into this API's format: an unknown path or a wrong method.
pub(super) fn in_its_words(path: &str, mut reply: Reply) -> Reply {
    let path = path.to_ascii_lowercase();
    let is_its = path.starts_with("/v2/") || path.trim_end_matches('/') == "/op-hook";
    let is_text = reply.content_type.starts_with("text/plain");
    let (code, message) = match reply.status {
        StatusCode::NOT_FOUND if is_its && is_text => (5, "Not Found"),
        StatusCode::METHOD_NOT_ALLOWED if is_its && is_text => (12, "Method Not Allowed"),
        _ => return reply,
    };
    reply.content_type = "application/json";
    reply.body = json!({ "code": code, "message": message, "details": [] }).to_string().into_bytes();
    reply
}

/// Adds the deprecated field `msgs` beside `txs` (`docs/apis/router.md` §3.2).
fn with_old_form(mut answer: serde_json::Value) -> Result<Reply, HttpRefusal> {
    let messages: Vec<serde_json::Value> =
        answer.get("txs").and_then(|txs| txs.as_array()).into_iter().flatten().flat_map(old_messages).collect();
    if let Some(fields) = answer.as_object_mut() {
        fields.entry("msgs").or_insert(messages.into());
    }
    Reply::json(&answer)
}

/// Returns a transaction's messages in the deprecated format, each with its chain ID and path.
fn old_messages(tx: &serde_json::Value) -> Vec<serde_json::Value> {
    let cosmos = &tx["cosmos_tx"];
    let multi_chain = |message: &serde_json::Value| {
        json!({ "multi_chain_msg": {
            "chain_id": cosmos["chain_id"],
            "path": cosmos["path"],
            "msg": message["msg"],
            "msg_type_url": message["msg_type_url"],
        } })
    };
    match (cosmos["msgs"].as_array(), tx.get("evm_tx")) {
        (Some(messages), _) => messages.iter().map(multi_chain).collect(),
        (None, Some(evm)) => vec![json!({ "evm_tx": evm })],
        (None, None) => Vec::new(),
    }
}

impl From<RouterError> for HttpRefusal {
    fn from(error: RouterError) -> Self {
        let status = StatusCode::from_u16(error.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        Self::Foreign { status, json: error.body() }
    }
}
