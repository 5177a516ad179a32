//! The routing API.

use axum::http::StatusCode;
use serde::Deserialize;
use serde_json::json;

use super::forms;
use crate::{
    demo::{router::error::RouterError, shared::RollupShared},
    domain::{ChainId, Denom, text::clip},
    indexer::http::{HttpRefusal, HttpRequest, ParameterType, QueryParameter, Reply, RouteEntry},
    wire::router::{ChainsResponse, MsgsRequest, OpHookRequest, RouteRequest, TrackRequest},
};

const CHAINS: &[QueryParameter] =
    &[QueryParameter::new("chain_ids", ParameterType::Texts, "Only these chains; joined by commas or repeated")];
const TX: &[QueryParameter] = &[
    QueryParameter::new("tx_hash", ParameterType::Pattern(forms::BROADCAST_HASH), "The signed transaction").required(),
    QueryParameter::new("chain_id", ParameterType::Pattern("^.+$"), "Where it was broadcast").required(),
];

pub(super) static ROUTES: &[RouteEntry<RollupShared>] = &[
    RouteEntry::post(
        "/v2/fungible/route",
        "getRoute",
        "A route for an amount of an asset to another asset",
        &forms::ROUTE,
        route,
    )
    .asking_only()
    .with_body(&forms::ROUTE_REQUEST)
    .refusing_as(&[400, 404, 500], &forms::REFUSAL),
    RouteEntry::post(
        "/op-hook",
        "getOpHook",
        "The messages that an application signs beforehand, for a deposit that requires it",
        &forms::OP_HOOK,
        op_hook,
    )
    .asking_only()
    .with_body(&forms::OP_HOOK_REQUEST)
    .refusing_as(&[400, 404], &forms::REFUSAL),
    // Guarded: what is given out is remembered for the broadcast, and pushes out what was given out before.
    RouteEntry::post("/v2/fungible/msgs", "getMsgs", "The transactions that do a route", &forms::MSGS, msgs)
        .with_body(&forms::MSGS_REQUEST)
        .refusing_as(&[400, 404], &forms::REFUSAL),
    RouteEntry::post("/v2/tx/track", "trackTx", "Begins to track a transaction", &forms::TRACK, track)
        .with_body(&forms::TRACK_REQUEST)
        .refusing_as(&[400, 404], &forms::REFUSAL),
    RouteEntry::post(
        "/v2/tx/retry_track",
        "retryTrackTx",
        "Tracks a transaction again that was given up",
        &forms::TRACK,
        track,
    )
    .with_body(&forms::TRACK_REQUEST)
    .refusing_as(&[400, 404], &forms::REFUSAL),
    RouteEntry::get(
        "/v2/tx/status",
        "getTxStatus",
        "How far a tracked transaction is",
        &forms::TRANSFER_STATUS,
        status,
    )
    .with_query(&[TX])
    .refusing_as(&[400, 404], &forms::REFUSAL),
    RouteEntry::get("/v2/info/chains", "listChains", "The chains that can be routed to", &forms::CHAINS, chains),
    RouteEntry::get("/v2/info/bridges", "listBridges", "The bridges that routes go over", &forms::BRIDGES, bridges),
    RouteEntry::get(
        "/v2/fungible/assets",
        "listAssets",
        "The assets that can be routed, by chain",
        &forms::ASSETS,
        assets,
    )
    .with_query(&[CHAINS]),
];

/// The assets at both ends of a route.
#[derive(Deserialize)]
struct RouteEnds {
    source_asset_chain_id: ChainId,
    source_asset_denom: Denom,
    dest_asset_chain_id: ChainId,
    dest_asset_denom: Denom,
}

/// Chains that one question about assets may name.
const MOST_CHAINS: usize = 100;

fn route(shared: &RollupShared, request: &HttpRequest<'_>) -> Result<Reply, HttpRefusal> {
    Reply::json(&shared.router().world().route(&read::<RouteRequest>(request)?, shared.chain_now())?)
}

fn op_hook(shared: &RollupShared, request: &HttpRequest<'_>) -> Result<Reply, HttpRefusal> {
    Reply::json(&shared.router().world().op_hook(&read::<OpHookRequest>(request)?)?)
}

fn msgs(shared: &RollupShared, request: &HttpRequest<'_>) -> Result<Reply, HttpRefusal> {
    // What is sent for assets that nobody knows is not looked at further.
    let ends = read::<RouteEnds>(request)?;
    let world = shared.router().world();
    world.check_end(&ends.source_asset_chain_id, &ends.source_asset_denom)?;
    world.check_end(&ends.dest_asset_chain_id, &ends.dest_asset_denom)?;
    let response = shared.router().msgs(&read::<MsgsRequest>(request)?, shared.chain_now())?;
    with_old_form(serde_json::to_value(response).map_err(|_| HttpRefusal::Internal)?)
}

fn track(shared: &RollupShared, request: &HttpRequest<'_>) -> Result<Reply, HttpRefusal> {
    let request = read::<TrackRequest>(request)?;
    Reply::json(&shared.calling(|call| shared.router().track(&request, call))?)
}

fn status(shared: &RollupShared, request: &HttpRequest<'_>) -> Result<Reply, HttpRefusal> {
    let needed = |name: &str| {
        let value = request.query.first(name).filter(|value| !value.is_empty()).map(str::to_owned);
        value.ok_or_else(|| RouterError::invalid(format!("{name} is missing: /v2/tx/status?tx_hash=…&chain_id=…")))
    };
    let asked = TrackRequest { tx_hash: needed("tx_hash")?, chain_id: ChainId::new(needed("chain_id")?) };
    Reply::json(&shared.calling(|call| shared.router().status(&asked, call))?)
}

fn chains(shared: &RollupShared, _: &HttpRequest<'_>) -> Result<Reply, HttpRefusal> {
    Reply::json(&ChainsResponse { chains: shared.router().world().chains() })
}

fn bridges(_: &RollupShared, _: &HttpRequest<'_>) -> Result<Reply, HttpRefusal> {
    let bridges = ["IBC", "OPINIT", "CCTP", "GO_FAST"].map(|id| json!({ "id": id }));
    Reply::json(&json!({ "bridges": bridges }))
}

fn assets(shared: &RollupShared, request: &HttpRequest<'_>) -> Result<Reply, HttpRefusal> {
    let named = request.query.all("chain_ids").flat_map(|value| value.split(','));
    let chains: Vec<ChainId> = named.filter(|id| !id.is_empty()).take(MOST_CHAINS).map(ChainId::new).collect();
    Reply::json(&shared.router().world().assets(&chains))
}

/// Reads a body; what is wrong is said with the field's name.
pub(super) fn read<'de, T: Deserialize<'de>>(request: &'de HttpRequest<'_>) -> Result<T, RouterError> {
    let body = request.body.as_deref();
    let body = body.ok_or_else(|| RouterError::invalid("body: more than 1 MiB, or it broke off"))?;
    let mut json = serde_json::Deserializer::from_slice(body);
    let read = serde_path_to_error::deserialize(&mut json).map_err(|error| {
        let field = error.path().to_string();
        let field = if field == "." { "body".to_owned() } else { clip(&field, 80) };
        RouterError::invalid(format!("{field}: {}", clip(&error.inner().to_string(), 200)))
    })?;
    json.end().map_err(|_| RouterError::invalid("body: there is text after the JSON"))?;
    Ok(read)
}

/// The answer as it is, and where it lacks them the deprecated `msgs` beside `txs` (`docs/apis/router.md` §3.2).
fn with_old_form(mut answer: serde_json::Value) -> Result<Reply, HttpRefusal> {
    let messages: Vec<serde_json::Value> =
        answer["txs"].as_array().into_iter().flatten().flat_map(old_messages).collect();
    if let Some(fields) = answer.as_object_mut() {
        fields.entry("msgs").or_insert(messages.into());
    }
    Reply::json(&answer)
}

/// The messages of a transaction in the deprecated form: each with its chain and path.
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
