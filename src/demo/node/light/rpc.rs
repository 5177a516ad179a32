//! RPC of a light chain. It offers what a client needs to broadcast a transaction and wait for it.

use alloy_primitives::hex;
use axum::http::StatusCode;
use base64::{Engine as _, prelude::BASE64_STANDARD};
use serde_json::{Value, json};

use super::{
    rest,
    view::{LightView, PostedInBlock},
};
use crate::{
    demo::node::{
        NodeRequest,
        block::{BlockForm, filler},
        rpc::{self, COMET_VERSION, MethodRefusal, RpcMethod, params::RpcParams, query},
    },
    domain::TxHash,
};

const FORM: BlockForm = BlockForm::Comet;

fn methods<'a>() -> [RpcMethod<LightView<'a>>; 11] {
    [
        ("health", &[], |_, _| Ok(json!({}))),
        ("status", &[], status),
        ("abci_info", &[], abci_info),
        ("block", &["height"], block),
        ("header", &["height"], header),
        ("tx", &["hash", "prove"], tx),
        ("tx_search", &["query", "prove", "page", "per_page", "order_by"], tx_search),
        ("broadcast_tx_sync", &["tx"], broadcast),
        ("broadcast_tx_async", &["tx"], broadcast),
        ("broadcast_tx_commit", &["tx"], broadcast),
        ("abci_query", &["path", "data", "height", "prove"], abci_query),
    ]
}

pub(super) fn answer(view: &LightView<'_>, request: &NodeRequest) -> (StatusCode, Value) {
    rpc::answer_by(&methods(), view, request)
}

type MethodAnswer = Result<Value, MethodRefusal>;

#[expect(clippy::unnecessary_wraps, reason = "all methods have one form")]
fn status(view: &LightView<'_>, _: &RpcParams) -> MethodAnswer {
    let tip = view.tip();
    let app_hash = |height| hex::encode_upper(filler("state", &view.hash(height)));
    Ok(json!({
        "node_info": {
            "protocol_version": { "p2p": "8", "block": "11", "app": "0" },
            "id": view.node_id(),
            "listen_addr": "tcp://127.0.0.1:26656",
            "network": view.chain_id,
            "version": COMET_VERSION,
            "channels": "40202122233038606100",
            "moniker": "demo",
            "other": { "tx_index": "on", "rpc_address": "tcp://127.0.0.1:26657" },
        },
        "sync_info": {
            "latest_block_hash": hex::encode_upper(view.hash(tip)),
            "latest_app_hash": app_hash(tip),
            "latest_block_height": tip.to_string(),
            "latest_block_time": view.time(tip).to_string(),
            "earliest_block_hash": hex::encode_upper(view.hash(1)),
            "earliest_app_hash": app_hash(1),
            "earliest_block_height": "1",
            "earliest_block_time": view.time(1).to_string(),
            "catching_up": false,
        },
        "validator_info": {
            "address": hex::encode_upper(&filler("proposer", &view.hash(0))[..20]),
            "pub_key": {
                "type": "tendermint/PubKeyEd25519",
                "value": BASE64_STANDARD.encode(filler("validator key", &view.hash(0))),
            },
            "voting_power": "1",
        },
    }))
}

#[expect(clippy::unnecessary_wraps, reason = "all methods have one form")]
fn abci_info(view: &LightView<'_>, _: &RpcParams) -> MethodAnswer {
    Ok(json!({ "response": {
        "data": "demo",
        "version": env!("CARGO_PKG_VERSION"),
        "last_block_height": view.tip().to_string(),
        "last_block_app_hash": BASE64_STANDARD.encode(filler("state", &view.hash(view.tip()))),
    } }))
}

fn height(view: &LightView<'_>, params: &RpcParams) -> Result<u64, MethodRefusal> {
    let tip = view.tip();
    let height = params.height("height")?.map_or(tip, crate::domain::Height::get);
    if height > tip {
        let why = format!("height {height} must be less than or equal to the current blockchain height {tip}");
        return Err(MethodRefusal::Failed(why));
    }
    Ok(height)
}

fn block(view: &LightView<'_>, params: &RpcParams) -> MethodAnswer {
    height(view, params).map(|height| view.block(FORM, height))
}

fn header(view: &LightView<'_>, params: &RpcParams) -> MethodAnswer {
    height(view, params).map(|height| json!({ "header": FORM.header(&view.header(height)) }))
}

fn written(found: &PostedInBlock) -> Value {
    json!({
        "hash": found.light.tx_hash,
        "height": found.light.height.to_string(),
        "index": 0,
        "tx_result": {
            "code": found.code(),
            "data": null,
            "log": found.log(),
            "info": "",
            "gas_wanted": found.posted.gas().to_string(),
            "gas_used": found.gas_used().to_string(),
            "events": found.events(),
            "codespace": found.codespace(),
        },
        "tx": BASE64_STANDARD.encode(found.posted.raw()),
    })
}

fn tx(view: &LightView<'_>, params: &RpcParams) -> MethodAnswer {
    let bytes = params.bytes("hash").ok_or_else(|| MethodRefusal::Params("hash must be bytes".to_owned()))?;
    let hash = <[u8; 32]>::try_from(bytes.as_slice()).ok().map(TxHash::new);
    let found = hash.and_then(|hash| view.tx(&hash)).map(|found| written(&found));
    found.ok_or_else(|| MethodRefusal::Failed(format!("tx ({}) not found", hex::encode_upper(bytes))))
}

fn tx_search(view: &LightView<'_>, params: &RpcParams) -> MethodAnswer {
    let query = params.text("query").unwrap_or_default();
    let asked = query.split_once('=').map(|(name, value)| (name.trim(), value.trim().trim_matches('\'')));
    let found: Vec<Value> = match asked {
        Some(("tx.hash", hash)) => {
            hash.parse().ok().and_then(|hash: TxHash| view.tx(&hash)).iter().map(written).collect()
        }
        Some(("tx.height", height)) => {
            let height: u64 = height.parse().unwrap_or_default();
            view.posted_in(height).iter().filter(|_| height <= view.tip()).map(written).collect()
        }
        _ => return Err(MethodRefusal::failed("this simulated node searches only for tx.hash='…' and tx.height=…")),
    };
    Ok(json!({ "total_count": found.len().to_string(), "txs": found }))
}

fn broadcast(view: &LightView<'_>, params: &RpcParams) -> MethodAnswer {
    rpc::broadcast(&view.brought, params)
}

fn abci_query(view: &LightView<'_>, params: &RpcParams) -> MethodAnswer {
    query::answer_by(params, view.tip(), |question| rest::answer(view, question))
}
