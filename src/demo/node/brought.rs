//! Transactions in a request. The server submits them before it answers, since it cannot query and change the chain at
//! once.

use base64::{Engine as _, prelude::BASE64_STANDARD};
use serde_json::{Value, json};

use super::{Interface, NodeRequest, rest::RestRefusal};
use crate::{
    demo::{posted::TxRefusal, shared::RollupShared},
    domain::ChainId,
    wire::proto::{encode_tx, tx_hash},
};

/// Transactions of one request, each with the chain's refusal if it has one.
#[derive(Debug, Default)]
pub(super) struct BroughtTxs(Vec<(Vec<u8>, Option<TxRefusal>)>);

impl BroughtTxs {
    /// Submits raw transactions to a chain, in order.
    pub(super) fn bring(shared: &RollupShared, chain_id: &ChainId, over: Interface, txs: Vec<Vec<u8>>) -> Self {
        let post = |raw: Vec<u8>| {
            let router = shared.router();
            let refusal = shared.calling(|call| match over {
                Interface::JsonRpc => router.post_ethereum(chain_id, &raw, call).err(),
                Interface::Rpc | Interface::Rest | Interface::Executor => router.post(chain_id, &raw, call).err(),
            });
            (raw, refusal)
        };
        Self(txs.into_iter().map(post).collect())
    }

    /// Returns why the chain refused a transaction; `None` if it accepted it.
    pub(super) fn refusal(&self, raw: &[u8]) -> Option<&TxRefusal> {
        self.0.iter().find(|(brought, _)| brought == raw)?.1.as_ref()
    }

    /// Writes the REST answer to a broadcast.
    pub(super) fn tx_response(&self, request: &NodeRequest) -> Result<Value, RestRefusal> {
        let raw = rest_tx(request)?;
        let refusal = self.refusal(&raw);
        Ok(json!({ "tx_response": {
            "height": "0",
            "txhash": tx_hash(&raw).to_string(),
            "codespace": refusal.map_or("", |refusal| refusal.codespace),
            "code": refusal.map_or(0, |refusal| refusal.code),
            "data": "",
            "raw_log": refusal.map_or("", |refusal| refusal.log.as_str()),
            "logs": [],
            "info": "",
            "gas_wanted": "0",
            "gas_used": "0",
            "tx": null,
            "timestamp": "",
            "events": [],
        } }))
    }
}

/// Whether a REST request broadcasts a transaction.
fn is_broadcast(request: &NodeRequest) -> bool {
    request.is_post && request.path() == ["cosmos", "tx", "v1beta1", "txs"]
}

/// Returns the raw transaction in a REST request.
pub(super) fn of_rest(request: &NodeRequest) -> Vec<Vec<u8>> {
    if is_broadcast(request) { rest_tx(request).into_iter().collect() } else { Vec::new() }
}

fn rest_tx(request: &NodeRequest) -> Result<Vec<u8>, RestRefusal> {
    let (body, bytes) = body_with_tx(request)?;
    let mode = body.get("mode").unwrap_or(&Value::Null);
    match (mode.as_str(), mode.as_u64()) {
        (Some("BROADCAST_MODE_SYNC" | "BROADCAST_MODE_ASYNC"), _) | (_, Some(2 | 3)) => Ok(bytes),
        _ => Err(RestRefusal::invalid("unsupported return type; supported types: sync, async")),
    }
}

/// Parses a JSON body and its `tx_bytes`, or `txBytes` as protobuf's own JSON writes it.
pub(super) fn body_with_tx(request: &NodeRequest) -> Result<(Value, Vec<u8>), RestRefusal> {
    let body: Value = serde_json::from_slice(&request.body).map_err(|error| RestRefusal::invalid(error.to_string()))?;
    let bytes = body.get("tx_bytes").or_else(|| body.get("txBytes")).and_then(Value::as_str);
    let bytes = bytes.and_then(|text| BASE64_STANDARD.decode(text).ok());
    let bytes = bytes.filter(|bytes| !bytes.is_empty());
    let bytes = bytes.ok_or_else(|| RestRefusal::invalid("invalid empty tx: tx_bytes must be base64"))?;
    Ok((body, bytes))
}

/// Returns the transaction of a simulation: `tx_bytes`, or the deprecated `tx` as JSON.
pub(super) fn tx_to_simulate(request: &NodeRequest) -> Result<Vec<u8>, RestRefusal> {
    let body: Value = serde_json::from_slice(&request.body).map_err(|error| RestRefusal::invalid(error.to_string()))?;
    match body.get("tx").filter(|tx| tx.is_object()) {
        Some(tx) => encode_tx(&tx.to_string()).map_err(|error| RestRefusal::invalid(error.to_string())),
        None => body_with_tx(request).map(|(_, bytes)| bytes),
    }
}
