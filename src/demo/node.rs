//! The embedded rollup as a node: `CometBFT` RPC, Cosmos REST and, on the EVM, JSON-RPC, answered by the ledger itself and
//! not by its index, so that the one can be held against the other (`docs/apis/node.md`).
//!
//! The three lie under [`RPC`], [`REST`] and [`JSON_RPC`] on the rollup's listener: both the RPC and the indexer API have a
//! `/status`.

mod block;
mod contract;
mod json_rpc;
mod merkle;
mod paging;
mod raw;
mod rendered;
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
use self::view::NodeView;
use super::shared::RollupShared;
use crate::{
    domain::Vm,
    indexer::http::{HttpRefusal, QueryString, Reply, decode},
};

/// Where everything of the node lies.
pub(super) const PREFIX: &str = "/node/";

/// Where the `CometBFT` RPC lies.
pub(super) const RPC: &str = "/node/rpc";

/// Where the RPC of the rollup at this address is.
pub(super) fn rpc_url(rollup: &str) -> String {
    format!("{rollup}{RPC}")
}

/// Where Cosmos REST lies.
pub(super) const REST: &str = "/node/rest";

/// Where the JSON-RPC lies, on the EVM.
pub(super) const JSON_RPC: &str = "/node/json-rpc";

/// Bytes that a body may have: a transaction with a contract's code fits.
const BODY_BYTES: usize = 4 * 1024 * 1024;

/// The headers that name the height of a question about the state.
const HEIGHT_HEADERS: [&str; 2] = ["x-cosmos-block-height", "grpc-metadata-x-cosmos-block-height"];

/// What the node is asked.
#[derive(Debug)]
struct NodeRequest {
    is_post: bool,
    /// The path behind the interface's own, in its decoded parts.
    parts: Vec<String>,
    query: QueryString,
    /// The height at which the state is asked for, as it was sent.
    height: Option<String>,
    body: Vec<u8>,
}

impl NodeRequest {
    /// The path behind the interface's own.
    fn path(&self) -> Vec<&str> {
        self.parts.iter().map(String::as_str).collect()
    }
}

/// One of the three interfaces, which answers a request.
type Interface = fn(&NodeView<'_>, &NodeRequest) -> (StatusCode, Value);

/// Whether a path is the node's.
pub(super) fn is_its(path: &str) -> bool {
    path.starts_with(PREFIX)
}

/// Answers a request under [`PREFIX`].
pub(super) async fn answer(shared: Arc<RollupShared>, request: Request) -> Reply {
    let (method, path) = (request.method().clone(), request.uri().path().to_owned());
    let vm = shared.settings().ledger.vm;
    let Some((interface, rest)) = interface_of(&path, vm) else {
        return HttpRefusal::NotFound(
            "the node's interfaces are /node/rpc, /node/rest and, on the EVM, /node/json-rpc".to_owned(),
        )
        .into();
    };
    if !matches!(method, Method::GET | Method::HEAD | Method::POST) {
        return HttpRefusal::Method("GET, HEAD, POST").into();
    }
    let asked = NodeRequest {
        is_post: method == Method::POST,
        parts: rest.split('/').filter(|part| !part.is_empty()).map(|part| decode(part).into_owned()).collect(),
        query: QueryString::parse(request.uri().query().unwrap_or_default()),
        height: height_of(request.headers()),
        body: Vec::new(),
    };
    let Ok(body) = axum::body::to_bytes(request.into_body(), BODY_BYTES).await else {
        return HttpRefusal::Bad("the body is too long, or broke off".to_owned()).into();
    };
    let asked = NodeRequest { body: body.into(), ..asked };
    // Gone as soon as whoever asked is.
    let awaited = Arc::new(());
    let is_awaited = Arc::downgrade(&awaited);
    let answer = tokio::task::spawn_blocking(move || ask(&shared, interface, asked, is_awaited)).await;
    drop(awaited);
    answer.ok().flatten().unwrap_or_else(|| HttpRefusal::Internal.into())
}

/// Asks the chain between two of its blocks; `None` when it has ended, or is none that has a node.
fn ask(shared: &Arc<RollupShared>, interface: Interface, request: NodeRequest, is_awaited: Weak<()>) -> Option<Reply> {
    let held = Arc::clone(shared);
    let (status, json) = shared.look(move |chain| {
        // Answers that nobody waits for any more would hold up all others.
        is_awaited.upgrade()?;
        let view = NodeView::new(chain, chain.state()?, held.index(), held.rendered())?;
        Some(interface(&view, &request))
    })??;
    Reply::json(&json).ok().map(|reply| Reply { status, ..reply })
}

fn interface_of(path: &str, vm: Vm) -> Option<(Interface, &str)> {
    let under = |prefix: &str| path.strip_prefix(prefix).filter(|rest| rest.is_empty() || rest.starts_with('/'));
    if let Some(rest) = under(RPC) {
        return Some((rpc::answer, rest));
    }
    if let Some(rest) = under(REST) {
        return Some((rest::answer, rest));
    }
    under(JSON_RPC).filter(|_| vm == Vm::Evm).map(|rest| (json_rpc::answer as Interface, rest))
}

fn height_of(headers: &HeaderMap) -> Option<String> {
    let written = HEIGHT_HEADERS.iter().find_map(|name| headers.get(*name))?;
    Some(written.to_str().unwrap_or("?").to_owned())
}
