//! Node of the embedded rollup: `CometBFT` RPC, Cosmos REST and, on the EVM, JSON-RPC. It reads the ledger, not the
//! index, so that clients can compare the two (`docs/apis/node.md`).
//!
//! The interfaces have the paths [`RPC`], [`REST`] and [`JSON_RPC`] on the rollup's listener, because RPC and indexer
//! both have a `/status`.

mod block;
mod brought;
mod contract;
mod executor;
mod json_rpc;
mod light;
mod paging;
mod raw;
mod rendered;
mod request;
mod rest;
mod rpc;
mod view;

use std::sync::{Arc, Weak};

use axum::{
    extract::Request,
    http::{HeaderMap, Method, StatusCode},
};
use serde_json::Value;

pub(super) use self::rendered::RenderedBlocks;
use self::{
    brought::BroughtTxs,
    request::{Interface, NodeRequest},
    view::NodeView,
};
use super::shared::RollupShared;
use crate::{
    domain::{ChainId, Vm},
    indexer::http::{HttpRefusal, QueryString, Reply, decode},
};

pub(super) const PREFIX: &str = "/node/";

/// Path of the `CometBFT` RPC.
pub(super) const RPC: &str = "/node/rpc";

pub(super) fn rpc_url(rollup: &str) -> String {
    format!("{rollup}{RPC}")
}

/// Path of Cosmos REST.
pub(super) const REST: &str = "/node/rest";

/// Path of the bridge executor's API.
pub(super) const EXECUTOR: &str = "/executor";

/// Path of the EVM's JSON-RPC.
pub(super) const JSON_RPC: &str = "/node/json-rpc";

/// Maximum bytes of a request body, enough for a transaction that contains a contract's code.
const BODY_BYTES: usize = 4 * 1024 * 1024;

/// Headers that name the height of a state query.
const HEIGHT_HEADERS: [&str; 2] = ["x-cosmos-block-height", "grpc-metadata-x-cosmos-block-height"];

impl Interface {
    /// Answers a request about the rollup; `None` if the chain has no node.
    fn answer(self, view: &NodeView<'_>, shared: &RollupShared, request: &NodeRequest) -> Option<(StatusCode, Value)> {
        Some(match self {
            Self::Rpc => rpc::answer(view, request),
            Self::Rest => rest::answer(view, request),
            Self::JsonRpc => json_rpc::answer(view, request),
            Self::Executor => return executor::answer(view.chain, shared, request),
        })
    }

    /// Returns the raw transactions in a request: Cosmos transactions or, by JSON-RPC, Ethereum transactions.
    fn brought(self, request: &NodeRequest) -> Vec<Vec<u8>> {
        match self {
            Self::Rpc => rpc::brought(request),
            Self::Rest => brought::of_rest(request),
            Self::JsonRpc => json_rpc::brought(request),
            Self::Executor => Vec::new(),
        }
    }
}

/// Chain whose node the client queries.
#[derive(Clone, Debug, PartialEq, Eq)]
enum NodeOf {
    Rollup,
    /// Another chain that the router simulates.
    Light(ChainId),
}

/// Whether a path belongs to the node.
pub(super) fn is_its(path: &str) -> bool {
    path.starts_with(PREFIX) || path.strip_prefix(EXECUTOR).is_some_and(|rest| rest.starts_with('/'))
}

/// Answers a request under [`PREFIX`].
pub(super) async fn answer(shared: Arc<RollupShared>, request: Request) -> Reply {
    let (method, path) = (request.method().clone(), request.uri().path().to_owned());
    let Some((whose, interface, rest)) = interface_of(&path, &shared) else {
        let why = "the node's interfaces are /node/rpc, /node/rest and, on the EVM, /node/json-rpc; those of another \
                   chain are /node/CHAIN/rpc and the like, of an EVM chain /node/CHAIN/json-rpc";
        return HttpRefusal::NotFound(why.to_owned()).into();
    };
    if !matches!(method, Method::GET | Method::HEAD | Method::POST) {
        return HttpRefusal::Method("GET, HEAD, POST").into();
    }
    if interface == Interface::Executor && method == Method::POST {
        return HttpRefusal::Method("GET, HEAD").into();
    }
    let asked = NodeRequest {
        is_post: method == Method::POST,
        parts: rest.split('/').filter(|part| !part.is_empty()).map(|part| decode(part).into_owned()).collect(),
        query: QueryString::parse(request.uri().query().unwrap_or_default()),
        height: height_of(request.headers()),
        body: Vec::new(),
    };
    let Ok(body) = axum::body::to_bytes(request.into_body(), BODY_BYTES).await else {
        return HttpRefusal::Bad("the body is too long or incomplete".to_owned()).into();
    };
    let asked = NodeRequest { body: body.into(), ..asked };
    // The server drops it when the client disconnects.
    let awaited = Arc::new(());
    let is_awaited = Arc::downgrade(&awaited);
    let answer = tokio::task::spawn_blocking(move || match whose {
        NodeOf::Rollup => ask(&shared, interface, asked, is_awaited),
        NodeOf::Light(chain_id) => {
            let brought = BroughtTxs::bring(&shared, &chain_id, interface, interface.brought(&asked));
            reply(light::answer(&shared, chain_id, interface, brought, &asked))
        }
    })
    .await;
    drop(awaited);
    answer.ok().flatten().unwrap_or_else(|| HttpRefusal::Internal.into())
}

/// Queries the chain between two blocks; `None` if the chain has ended or has no node.
fn ask(shared: &Arc<RollupShared>, interface: Interface, request: NodeRequest, is_awaited: Weak<()>) -> Option<Reply> {
    let held = Arc::clone(shared);
    let chain_id = ChainId::new(shared.router().world().rollup().chain_id);
    let brought = BroughtTxs::bring(shared, &chain_id, interface, interface.brought(&request));
    reply(shared.look(move |chain| {
        // An abandoned request would delay all others.
        is_awaited.upgrade()?;
        let bridge = *held.router().bridge();
        let view = NodeView::new(chain, chain.state()?, held.index(), held.rendered(), brought, bridge)?;
        interface.answer(&view, &held, &request)
    })??)
}

fn reply((status, json): (StatusCode, Value)) -> Option<Reply> {
    Reply::json(&json).ok().map(|reply| Reply { status, ..reply })
}

fn interface_of<'a>(path: &'a str, shared: &RollupShared) -> Option<(NodeOf, Interface, &'a str)> {
    let under =
        |path: &'a str, prefix: &str| path.strip_prefix(prefix).filter(|rest| rest.is_empty() || rest.starts_with('/'));
    let named = |path: &'a str| {
        let interfaces = [("rpc", Interface::Rpc), ("rest", Interface::Rest), ("json-rpc", Interface::JsonRpc)];
        interfaces.into_iter().find_map(|(name, interface)| Some((interface, under(path, name)?)))
    };
    if let Some(rest) = under(path, EXECUTOR) {
        return Some((NodeOf::Rollup, Interface::Executor, rest));
    }
    let path = path.strip_prefix(PREFIX)?;
    let is_evm = shared.settings().ledger.vm == Vm::Evm;
    if let Some((interface, rest)) = named(path).filter(|(interface, _)| *interface != Interface::JsonRpc || is_evm) {
        return Some((NodeOf::Rollup, interface, rest));
    }
    let (chain_id, path) = path.split_once('/')?;
    let chain_id = ChainId::new(chain_id);
    let (interface, rest) = named(path)?;
    light::has(shared, &chain_id, interface).then_some((NodeOf::Light(chain_id), interface, rest))
}

fn height_of(headers: &HeaderMap) -> Option<String> {
    let written = HEIGHT_HEADERS.iter().find_map(|name| headers.get(*name))?;
    Some(written.to_str().unwrap_or("?").to_owned())
}
