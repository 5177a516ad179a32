//! Nodes of the chains that the rollup trades with, as far as wallets need them: accounts, balances, blocks and posted
//! transactions. A light chain only contains movements of the demo and of posted transactions.

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

/// Handles a request about a light chain.
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
        // The executor belongs to the rollup; `has` rejects it before.
        Interface::Executor => (StatusCode::NOT_FOUND, json!({ "error": "this chain has no executor" })),
    }
}
