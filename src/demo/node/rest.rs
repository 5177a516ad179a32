//! Cosmos REST, as the gateway of a node answers: proto JSON, and refusals as gRPC has them.

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

/// Why a question gets no answer.
#[derive(Debug)]
pub(super) struct RestRefusal {
    status: StatusCode,
    /// As gRPC counts.
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

    /// Something that was sent cannot be read.
    pub(super) fn invalid(message: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, 3, message)
    }

    /// There is no such thing.
    pub(super) fn not_found(message: impl Into<String>) -> Self {
        Self::new(StatusCode::NOT_FOUND, 5, message)
    }

    /// The chain has no such question.
    pub(super) fn not_implemented() -> Self {
        Self::new(StatusCode::NOT_IMPLEMENTED, 12, "Not Implemented")
    }

    /// One of the SDK's own errors about what was asked for.
    fn sdk(code: u8, name: &str, detail: &str) -> Self {
        Self::new(StatusCode::BAD_REQUEST, 2, format!("codespace sdk code {code}: {name}: {detail}"))
    }

    /// A transaction that was only tried would fail.
    pub(super) fn tried(why: &dyn std::fmt::Display) -> Self {
        Self::new(StatusCode::BAD_REQUEST, 2, format!("{why} with gas used: '0': unknown request"))
    }

    /// The virtual machine or a contract refused.
    pub(super) fn machine(message: impl Into<String>) -> Self {
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, 2, message)
    }
}

/// What a question gets.
pub(super) type RestAnswer = Result<Value, RestRefusal>;

/// Answers a request.
pub(super) fn answer(view: &NodeView<'_>, request: &NodeRequest) -> (StatusCode, Value) {
    written(routed(view, request))
}

/// An answer with its status.
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

/// The state is kept at the newest height alone, as by a node that prunes everything; balances of some blocks before it.
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
