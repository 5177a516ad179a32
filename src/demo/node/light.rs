//! Nodes of the chains that the rollup trades with. They offer what wallets need: accounts, balances, blocks and
//! broadcasts. Such a light chain contains only the demo's movements and posted transactions.

mod json_rpc;
mod ophost;
mod rest;
mod rpc;
mod view;

use axum::http::StatusCode;
use serde_json::{Value, json};

use self::view::LightView;
use super::{Interface, NodeRequest, brought::BroughtTxs};
use crate::{demo::shared::RollupShared, domain::ChainId, wire::router::ChainKind};

pub(super) fn has(shared: &RollupShared, chain_id: &ChainId, interface: Interface) -> bool {
    let world = shared.router().world();
    let is_rollup = chain_id.as_str() == world.rollup().chain_id;
    let kind = world.chain(chain_id).filter(|_| !is_rollup).map(crate::wire::router::ChainInfo::kind);
    match interface {
        Interface::Rpc | Interface::Rest => kind == Some(ChainKind::Cosmos),
        Interface::JsonRpc => kind == Some(ChainKind::Evm),
        Interface::Executor => false,
    }
}

/// Answers a request about a light chain.
pub(super) fn answer(
    shared: &RollupShared,
    chain_id: ChainId,
    interface: Interface,
    brought: BroughtTxs,
    request: &NodeRequest,
) -> (StatusCode, Value) {
    let view = LightView { shared, chain_id, brought, now: shared.chain_now() };
    match interface {
        Interface::Rest => rest::answer(&view, request),
        Interface::Rpc => rpc::answer(&view, request),
        Interface::JsonRpc => json_rpc::answer(&view, request),
        // Unreachable: only the rollup has an executor, and `has` refuses the request before.
        Interface::Executor => (StatusCode::NOT_FOUND, json!({ "error": "this chain has no executor" })),
    }
}
