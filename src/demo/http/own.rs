//! Demo routes: description, faults, and the demo wallet, which replaces a signing application.

use serde::Serialize;

use super::body::read;
use crate::{
    demo::{faults::Fault, node, router::error::RouterError, shared::RollupShared},
    domain::{Height, Vm, text::clip},
    indexer::http::{ANYTHING, HttpRefusal, HttpRequest, Reply, RouteEntry},
    wire::router::{BroadcastRequest, DemoFault, DemoWallet, FundRequest, SignRequest, TrackRequest},
};

/// Demo routes; faults do not affect them.
pub(super) static ROUTES: &[RouteEntry<RollupShared>] = &[
    RouteEntry::get("/demo/v1", "", "Describe this server", ANYTHING, describe),
    RouteEntry::put("/demo/v1/faults", "", "Replace the active faults", ANYTHING, replace_faults),
    RouteEntry::post("/demo/v1/sign", "", "Sign a hook as the demo wallet", ANYTHING, sign),
    RouteEntry::post("/demo/v1/broadcast", "", "Sign and send a transaction as the demo wallet", ANYTHING, broadcast),
    RouteEntry::post(
        "/demo/v1/claim",
        "",
        "Claim an optimistic withdrawal on the L1 as the demo wallet",
        ANYTHING,
        claim,
    ),
    RouteEntry::post("/demo/v1/fund", "", "Fund an account from the demo wallet", ANYTHING, fund),
    RouteEntry::get(
        "/demo/v1/txs/{chain_id}/{tx_hash}",
        "",
        "Get a transaction of a chain without an indexer",
        ANYTHING,
        light_tx,
    ),
];

/// Maximum bytes of a list of faults.
const FAULTS_BYTES: usize = 16 * 1024;

/// Response of `GET /demo/v1`: the server's features.
#[derive(Debug, Serialize)]
struct DemoDescription {
    name: &'static str,
    chain_id: String,
    vm: String,
    seed: u64,
    quirks: bool,
    faults: Vec<String>,
    /// Faults that may be added.
    possible_faults: Vec<DemoFault>,
    index: IndexedRange,
    wallet: DemoWallet,
    node: NodeInterfaces,
    /// Path of the bridge executor's API on this listener.
    executor: &'static str,
}

/// Paths of the rollup's node on this listener.
#[derive(Debug, Serialize)]
struct NodeInterfaces {
    rpc: &'static str,
    rest: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    json_rpc: Option<&'static str>,
}

/// Indexed heights and the chain's height; 0 if there is no block yet.
#[derive(Debug, Serialize)]
struct IndexedRange {
    from_height: u64,
    height: u64,
    tip: u64,
}

#[derive(Debug, Serialize)]
struct SignedHook {
    signer: String,
    hook: String,
}

fn describe(shared: &RollupShared, _: &HttpRequest<'_>) -> Result<Reply, HttpRefusal> {
    let held = shared.index().bounds()?;
    let settings = shared.settings();
    Reply::json(&DemoDescription {
        name: "rollscope",
        chain_id: shared.index().chain_id(),
        vm: settings.ledger.vm.to_string(),
        seed: settings.ledger.seed,
        quirks: settings.quirks,
        faults: words(shared),
        possible_faults: Fault::COMMON
            .map(|(fault, effect)| DemoFault { fault: fault.to_string(), effect: effect.to_owned() })
            .into(),
        index: IndexedRange {
            from_height: held.map_or(0, |held| held.from.get()),
            height: held.map_or(0, |held| held.tip.get()),
            tip: shared.tip().map_or(0, Height::get),
        },
        wallet: shared.wallet()?,
        node: NodeInterfaces {
            rpc: node::RPC,
            rest: node::REST,
            json_rpc: (settings.ledger.vm == Vm::Evm).then_some(node::JSON_RPC),
        },
        executor: node::EXECUTOR,
    })
}

fn replace_faults(shared: &RollupShared, request: &HttpRequest<'_>) -> Result<Reply, HttpRefusal> {
    let body = request.body.as_deref().filter(|body| body.len() <= FAULTS_BYTES);
    let body = body.ok_or_else(|| HttpRefusal::Bad("the list of faults is too long".to_owned()))?;
    let words_given: Vec<String> = serde_json::from_slice(body).map_err(|_| {
        HttpRefusal::Bad("send a JSON list of strings, such as [\"latency=250\",\"error500\"]".to_owned())
    })?;
    let fault = |word: &String| word.parse::<Fault>().map_err(|error| HttpRefusal::Bad(error.to_string()));
    shared.set_faults(words_given.iter().map(fault).collect::<Result<_, _>>()?);
    Reply::json(&words(shared))
}

fn words(shared: &RollupShared) -> Vec<String> {
    shared.faults().iter().map(ToString::to_string).collect()
}

fn sign(shared: &RollupShared, request: &HttpRequest<'_>) -> Result<Reply, HttpRefusal> {
    let (signer, hook) = shared.router().sign(&read::<SignRequest>(request)?)?;
    Reply::json(&SignedHook { signer, hook })
}

fn broadcast(shared: &RollupShared, request: &HttpRequest<'_>) -> Result<Reply, HttpRefusal> {
    let request = read::<BroadcastRequest>(request)?;
    Reply::json(&shared.calling(|call| shared.router().broadcast(&request, call))?)
}

/// Claims the withdrawal that a tracked transaction began.
fn claim(shared: &RollupShared, request: &HttpRequest<'_>) -> Result<Reply, HttpRefusal> {
    let request = read::<TrackRequest>(request)?;
    Reply::json(&shared.calling(|call| shared.router().claim(&request, call))?)
}

fn fund(shared: &RollupShared, request: &HttpRequest<'_>) -> Result<Reply, HttpRefusal> {
    let FundRequest { address } = read::<FundRequest>(request)?;
    Reply::json(&shared.calling(|call| shared.router().fund(&address, call))?)
}

fn light_tx(shared: &RollupShared, request: &HttpRequest<'_>) -> Result<Reply, HttpRefusal> {
    let (chain_id, tx_hash) = (request.parameter(0), request.parameter(1));
    let unknown = || RouterError::not_found(format!("unknown transaction {}", clip(tx_hash, 70)));
    Reply::json(&shared.router().light_tx(chain_id, tx_hash, shared.chain_now()).ok_or_else(unknown)?)
}
