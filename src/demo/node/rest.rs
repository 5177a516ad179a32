//! Cosmos REST in the form of a node's gateway: proto JSON, and errors of gRPC.

mod accounts;
mod bank;
mod base;
mod evm;
mod ibc;
mod movevm;
pub(super) mod opinit;
pub(super) mod txs;
mod wasm;

use axum::http::StatusCode;
use serde_json::{Value, json};

use super::{NodeRequest, raw::UnwritableTx, view::NodeView};
use crate::domain::{Height, Vm};

/// Error of a REST request.
#[derive(Debug)]
pub(super) struct RestRefusal {
    status: StatusCode,
    code: u8,
    message: String,
}

impl From<UnwritableTx> for RestRefusal {
    fn from(error: UnwritableTx) -> Self {
        Self::machine(error.to_string())
    }
}

impl RestRefusal {
    fn new(status: StatusCode, code: u8, message: impl Into<String>) -> Self {
        Self { status, code, message: message.into() }
    }

    /// Builds the error for an unreadable request.
    pub(super) fn invalid(message: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, 3, message)
    }

    /// Builds the error for an unknown record.
    pub(super) fn not_found(message: impl Into<String>) -> Self {
        Self::new(StatusCode::NOT_FOUND, 5, message)
    }

    /// Builds the error for an unsupported query.
    pub(super) fn not_implemented() -> Self {
        Self::new(StatusCode::NOT_IMPLEMENTED, 12, "Not Implemented")
    }

    /// Builds an error of the SDK about the request.
    fn sdk(code: u8, name: &str, detail: &str) -> Self {
        Self::new(StatusCode::BAD_REQUEST, 2, format!("codespace sdk code {code}: {name}: {detail}"))
    }

    /// Builds the error for a failed simulation.
    pub(super) fn tried(why: &dyn std::fmt::Display) -> Self {
        Self::new(StatusCode::BAD_REQUEST, 2, format!("{why} with gas used: '0': unknown request"))
    }

    /// Builds an error of the VM or a contract.
    pub(super) fn machine(message: impl Into<String>) -> Self {
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, 2, message)
    }
}

pub(super) type RestAnswer = Result<Value, RestRefusal>;

pub(super) fn answer(view: &NodeView<'_>, request: &NodeRequest) -> (StatusCode, Value) {
    written(routed(view, request))
}

/// Returns a response with its status.
pub(super) fn written(answer: RestAnswer) -> (StatusCode, Value) {
    match answer {
        Ok(json) => (StatusCode::OK, json),
        Err(RestRefusal { status, code, message }) => {
            (status, json!({ "code": code, "message": message, "details": [] }))
        }
    }
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
        ["opinit", "opchild", "v1", rest @ ..] => opinit::answer(view, request, rest),
        ["ibc", rest @ ..] => ibc::answer(view, request, rest),
        ["minievm", "evm", "v1", rest @ ..] if view.vm() == Vm::Evm => evm::answer(view, request, rest),
        ["initia", "move", "v1", rest @ ..] if view.vm() == Vm::Move => movevm::answer(view, request, rest),
        ["cosmwasm", "wasm", "v1", rest @ ..] if view.vm() == Vm::Wasm => wasm::answer(view, request, rest),
        _ => Err(RestRefusal::not_implemented()),
    }
}

/// Checks the requested height: state exists at the newest block only, like on a pruning node, and balances at some
/// earlier blocks.
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
