//! Cosmos REST as a node's gateway serves it: proto JSON, and gRPC errors.

pub(super) mod accounts;
mod bank;
pub(super) mod base;
mod evm;
mod grants;
mod ibc;
pub(super) mod movevm;
pub(super) mod opinit;
mod refusal;
pub(super) mod txs;
mod wasm;

use axum::http::StatusCode;
use serde_json::Value;

pub(super) use self::refusal::{RestAnswer, RestRefusal, written};
use super::{NodeRequest, view::NodeView};
use crate::domain::{Height, Vm};

pub(super) fn answer(view: &NodeView<'_>, request: &NodeRequest) -> (StatusCode, Value) {
    written(routed(view, request))
}

fn routed(view: &NodeView<'_>, request: &NodeRequest) -> RestAnswer {
    let path = request.path();
    if let ["cosmos", "tx", "v1beta1", rest @ ..] = &path[..] {
        return txs::answer(view, request, rest);
    }
    if let ["cosmos", "base", "tendermint", "v1beta1", rest @ ..] = &path[..] {
        return base::answer(view, request, rest);
    }
    check_height(view, request, &path)?;
    match &path[..] {
        ["cosmos", "bank", "v1beta1", rest @ ..] => bank::answer(view, request, rest),
        ["cosmos", "auth", "v1beta1", rest @ ..] => accounts::answer(view, request, rest),
        ["cosmos", "authz", "v1beta1", rest @ ..] => grants::authz(view, request, rest),
        ["cosmos", "feegrant", "v1beta1", rest @ ..] => grants::feegrant(view, request, rest),
        ["opinit", "opchild", "v1", rest @ ..] => opinit::answer(view, request, rest),
        ["ibc", rest @ ..] => ibc::answer(view, request, rest),
        ["minievm", "evm", "v1", rest @ ..] if view.vm() == Vm::Evm => evm::answer(view, request, rest),
        ["initia", "move", "v1", rest @ ..] if view.vm() == Vm::Move => movevm::answer(view, request, rest),
        ["cosmwasm", "wasm", "v1", rest @ ..] if view.vm() == Vm::Wasm => wasm::answer(view, request, rest),
        _ => Err(RestRefusal::not_implemented()),
    }
}

/// Checks the height of a state query. State exists only at the newest block, as on a pruning node; balances exist at
/// some earlier blocks.
fn check_height(view: &NodeView<'_>, request: &NodeRequest, path: &[&str]) -> Result<(), RestRefusal> {
    let Some(text) = request.height.as_deref().filter(|text| *text != "0") else { return Ok(()) };
    let Ok(height) = text.parse::<u64>() else {
        return Err(RestRefusal::invalid(format!("strconv.ParseInt: parsing \"{text}\": invalid syntax")));
    };
    let tip = view.tip.get();
    let is_of_balances = matches!(path, ["cosmos", "bank", "v1beta1", "balances" | "spendable_balances", ..]);
    let is_kept = is_of_balances && Height::new(height).is_some_and(|height| view.look_at(height));
    if height == tip || is_kept {
        return Ok(());
    }
    if height > tip {
        let why = "cannot query with height in the future; please provide a valid height";
        return Err(RestRefusal::sdk(26, "invalid height", why));
    }
    let why = format!("failed to load state at height {height}; version does not exist (latest height: {tip})");
    Err(RestRefusal::sdk(18, "invalid request", &why))
}
