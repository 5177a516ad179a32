//! Methods about the node and its height.

use alloy_primitives::hex;
use base64::{Engine as _, prelude::BASE64_STANDARD};
use serde_json::{Value, json};

use super::{
    super::{block::proposer, view::NodeView},
    MethodRefusal,
    params::RpcParams,
};
use crate::{
    demo::{chain::Sequencer, ledger::derive::sha256},
    domain::Height,
    proof::address_of,
};

/// Version of `CometBFT` that the answers report.
pub(in crate::demo::node) const COMET_VERSION: &str = "0.38.17";

pub(in crate::demo::node) fn node_id(view: &NodeView<'_>) -> String {
    hex::encode(sha256(view.chain_id()).get(..20).unwrap_or_default())
}

pub(super) fn status(view: &NodeView<'_>, _: &RpcParams) -> Result<Value, MethodRefusal> {
    let newest = view.block(view.tip).ok_or_else(|| MethodRefusal::failed("no block yet"))?;
    let oldest = view.block(view.oldest()).ok_or_else(|| MethodRefusal::failed("no block yet"))?;
    let app_hash = |height: Height| {
        view.state.header(height).map_or_else(String::new, |header| hex::encode_upper(header.app_hash.0))
    };
    let sequencers = view.state.sequencers();
    let current = sequencers.iter().find(|sequencer| sequencer.is_current);
    Ok(json!({
        "node_info": {
            "protocol_version": { "p2p": "8", "block": "11", "app": "0" },
            "id": node_id(view),
            "listen_addr": "tcp://127.0.0.1:26656",
            "network": view.chain_id(),
            "version": COMET_VERSION,
            "channels": "40202122233038606100",
            "moniker": current.map_or("", |sequencer| sequencer.moniker),
            "other": { "tx_index": "on", "rpc_address": "tcp://127.0.0.1:26657" },
        },
        "sync_info": {
            "latest_block_hash": hex::encode_upper(newest.hash.bytes()),
            "latest_app_hash": app_hash(newest.height),
            "latest_block_height": newest.height.to_string(),
            "latest_block_time": newest.time.to_string(),
            "earliest_block_hash": hex::encode_upper(oldest.hash.bytes()),
            "earliest_app_hash": app_hash(oldest.height),
            "earliest_block_height": oldest.height.to_string(),
            "earliest_block_time": oldest.time.to_string(),
            "catching_up": false,
        },
        "validator_info": current.map(validator_info),
    }))
}

fn validator_info(sequencer: &Sequencer) -> Value {
    json!({
        "address": hex::encode_upper(address_of(&sequencer.key)),
        "pub_key": { "type": "tendermint/PubKeyEd25519", "value": BASE64_STANDARD.encode(sequencer.key) },
        "voting_power": "1",
    })
}

#[expect(clippy::unnecessary_wraps, reason = "all methods have one form")]
pub(super) fn net_info(_: &NodeView<'_>, _: &RpcParams) -> Result<Value, MethodRefusal> {
    Ok(json!({ "listening": true, "listeners": ["Listener(@)"], "n_peers": "0", "peers": [] }))
}

#[expect(clippy::unnecessary_wraps, reason = "all methods have one form")]
pub(super) fn abci_info(view: &NodeView<'_>, _: &RpcParams) -> Result<Value, MethodRefusal> {
    Ok(json!({ "response": {
        "data": "minitiad",
        "version": env!("CARGO_PKG_VERSION"),
        "last_block_height": view.tip.to_string(),
        "last_block_app_hash": view.state.app_hash(view.tip).map(|hash| BASE64_STANDARD.encode(hash)),
    } }))
}

/// Returns the validators: only the proposer.
pub(super) fn validators(view: &NodeView<'_>, params: &RpcParams) -> Result<Value, MethodRefusal> {
    let height = params.height("height")?.unwrap_or(view.tip);
    let bytes = proposer(&super::blocks::found(view, height)?);
    let sequencers = view.state.sequencers();
    let found = sequencers.iter().find(|sequencer| address_of(&sequencer.key)[..] == bytes);
    let mut validator = found.map_or_else(|| json!({}), validator_info);
    if let Some(fields) = validator.as_object_mut() {
        fields.insert("proposer_priority".to_owned(), "0".into());
    }
    Ok(json!({ "block_height": height.to_string(), "validators": [validator], "count": "1", "total": "1" }))
}
