//! Methods for transactions by hash, and for broadcasts.

use alloy_primitives::hex;
use serde_json::{Value, json};

use super::{
    super::{block, raw, view::NodeView},
    MethodRefusal,
    params::RpcParams,
};
use crate::{
    demo::ledger::CommittedBlock,
    domain::{Height, TxHash},
};

fn written(block: &CommittedBlock, place: usize) -> Option<Result<Value, MethodRefusal>> {
    named(block, place, block.txs.get(place)?.hash)
}

fn named(block: &CommittedBlock, place: usize, hash: TxHash) -> Option<Result<Value, MethodRefusal>> {
    let tx = block.txs.get(place)?;
    let raw = match raw::base64(tx) {
        Ok(raw) => raw,
        Err(error) => return Some(Err(error.into())),
    };
    Some(Ok(json!({
        "hash": hex::encode_upper(hash.bytes()),
        "height": block.height.to_string(),
        "index": place,
        "tx_result": block::result(tx),
        "tx": raw,
    })))
}

pub(super) fn tx(view: &NodeView<'_>, params: &RpcParams) -> Result<Value, MethodRefusal> {
    let bytes = params.bytes("hash").ok_or_else(|| MethodRefusal::Params("hash must be bytes".to_owned()))?;
    let hash = <[u8; 32]>::try_from(bytes.as_slice()).ok().map(TxHash::new);
    let found = hash.and_then(|hash| {
        let (block, place) = view.find_tx(&hash).or_else(|| view.find_served(&hash))?;
        named(&block, place, hash)
    });
    found.ok_or_else(|| MethodRefusal::Failed(format!("tx ({}) not found", hex::encode_upper(bytes))))?
}

enum Search {
    Hash(TxHash),
    Height(Height),
}

impl Search {
    fn read(query: &str) -> Option<Self> {
        let (name, value) = query.split_once('=')?;
        let value = value.trim().trim_matches('\'');
        match name.trim() {
            "tx.hash" => value.parse().ok().map(Self::Hash),
            "tx.height" => value.parse().ok().and_then(Height::new).map(Self::Height),
            _ => None,
        }
    }
}

pub(super) fn tx_search(view: &NodeView<'_>, params: &RpcParams) -> Result<Value, MethodRefusal> {
    let query = params.text("query").unwrap_or_default();
    let search = Search::read(query)
        .ok_or_else(|| MethodRefusal::failed("this simulated node searches only for tx.hash='…' and tx.height=…"))?;
    let found: Vec<Result<Value, MethodRefusal>> = match search {
        Search::Hash(hash) => {
            view.find_tx(&hash).and_then(|(block, place)| written(&block, place)).into_iter().collect()
        }
        Search::Height(height) => view
            .block(height)
            .map(|block| (0..block.txs.len()).filter_map(|place| written(&block, place)).collect())
            .unwrap_or_default(),
    };
    let mut found: Vec<Value> = found.into_iter().collect::<Result<_, _>>()?;
    if params.text("order_by") == Some("desc") {
        found.reverse();
    }
    let total = found.len();
    let number = |name, otherwise: usize| {
        params.number(name).map(|given| given.and_then(|number| usize::try_from(number).ok()).unwrap_or(otherwise))
    };
    let (page, size) = (number("page", 1)?.max(1), number("per_page", 30)?.clamp(1, 100));
    let txs: Vec<Value> = found.into_iter().skip((page - 1) * size).take(size).collect();
    Ok(json!({ "txs": txs, "total_count": total.to_string() }))
}

pub(super) fn broadcast(view: &NodeView<'_>, params: &RpcParams) -> Result<Value, MethodRefusal> {
    super::broadcast(&view.brought, params)
}
