//! Signed transactions in the JSON format of Ethereum nodes, for any chain.

use alloy_primitives::hex;
use serde_json::{Value, json};

use super::quantity;
use crate::demo::posted::{AccessEntry, EthereumPayload};

/// Writes the signed fields and the signature, without the block's fields.
pub(in crate::demo::node) fn signed(payload: &EthereumPayload) -> Value {
    let part = |from: usize, to: usize| integer(payload.signature.get(from..to).unwrap_or_default());
    let parity = u128::from(payload.parity());
    let chain_id = u128::from(payload.chain_id);
    let mut written = json!({
        "chainId": quantity(chain_id),
        "nonce": quantity(u128::from(payload.nonce)),
        "gas": quantity(u128::from(payload.gas)),
        "gasPrice": quantity(payload.fee_cap),
        "to": payload.to.map(hex::encode_prefixed),
        "value": format!("{:#x}", payload.value),
        "input": hex::encode_prefixed(&payload.input),
        "type": quantity(u128::from(payload.kind)),
        "v": quantity(if payload.kind == 0 { chain_id * 2 + 35 + parity } else { parity }),
        "r": part(0, 32),
        "s": part(32, 64),
    });
    let Some(fields) = written.as_object_mut() else { return written };
    if payload.kind > 0 {
        let listed = payload.access_list.iter().map(access_entry).collect::<Vec<_>>();
        fields.extend([("accessList".to_owned(), listed.into()), ("yParity".to_owned(), quantity(parity))]);
    }
    if payload.kind == 2 {
        let fees = [("maxFeePerGas", payload.fee_cap), ("maxPriorityFeePerGas", payload.tip)];
        fields.extend(fees.map(|(name, fee)| (name.to_owned(), quantity(fee))));
    }
    written
}

fn access_entry(entry: &AccessEntry) -> Value {
    let keys: Vec<String> = entry.storage_keys.iter().map(hex::encode_prefixed).collect();
    json!({ "address": hex::encode_prefixed(entry.address), "storageKeys": keys })
}

/// Formats an integer from its big-endian bytes.
fn integer(bytes: &[u8]) -> Value {
    let digits = hex::encode(bytes);
    let digits = digits.trim_start_matches('0');
    if digits.is_empty() { "0x0".into() } else { format!("0x{digits}").into() }
}
