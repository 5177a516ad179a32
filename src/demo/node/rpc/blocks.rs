//! Blocks, headers and results.

use base64::{Engine as _, prelude::BASE64_STANDARD};
use serde_json::{Value, json};

use super::{
    super::{
        block::{self, BlockForm},
        raw,
        view::NodeView,
    },
    MethodRefusal,
    params::RpcParams,
};
use crate::{
    demo::ledger::{CommittedBlock, block_id},
    domain::Height,
    wire::node::ConsensusBlockId,
};

const FORM: BlockForm = BlockForm::Comet;

/// Maximum number of headers in a response.
const MOST_HEADERS: u64 = 20;

/// Returns a block, or the error with which a node refuses it.
pub(super) fn found(view: &NodeView<'_>, height: Height) -> Result<CommittedBlock, MethodRefusal> {
    let (tip, oldest) = (view.tip, view.oldest());
    if height > tip {
        let why = format!("height {height} must be less than or equal to the current blockchain height {tip}");
        return Err(MethodRefusal::Failed(why));
    }
    view.block(height)
        .ok_or_else(|| MethodRefusal::Failed(format!("height {height} is not available, lowest height is {oldest}")))
}

fn asked(view: &NodeView<'_>, params: &RpcParams) -> Result<CommittedBlock, MethodRefusal> {
    found(view, params.height("height")?.unwrap_or(view.tip))
}

pub(super) fn block(view: &NodeView<'_>, params: &RpcParams) -> Result<Value, MethodRefusal> {
    with_id(view, &asked(view, params)?)
}

fn with_id(view: &NodeView<'_>, block: &CommittedBlock) -> Result<Value, MethodRefusal> {
    Ok(json!({ "block_id": FORM.id(&block_id(block.hash.bytes())), "block": FORM.block(view, block)? }))
}

/// Searches the newest blocks for a hash.
pub(super) fn block_by_hash(view: &NodeView<'_>, params: &RpcParams) -> Result<Value, MethodRefusal> {
    let hash = params.bytes("hash").ok_or_else(|| MethodRefusal::Params("hash must be bytes".to_owned()))?;
    let heights = (view.oldest().get()..=view.tip.get()).rev().filter_map(Height::new);
    let block = heights.filter_map(|height| view.block(height)).find(|block| block.hash.bytes()[..] == hash);
    block.map_or_else(
        || Ok(json!({ "block_id": FORM.id(&ConsensusBlockId::default()), "block": null })),
        |block| with_id(view, &block),
    )
}

pub(super) fn header(view: &NodeView<'_>, params: &RpcParams) -> Result<Value, MethodRefusal> {
    Ok(json!({ "header": FORM.header_of(view, asked(view, params)?.height) }))
}

pub(super) fn commit(view: &NodeView<'_>, params: &RpcParams) -> Result<Value, MethodRefusal> {
    let height = asked(view, params)?.height;
    let commit = view.state.commit(height).ok_or_else(|| MethodRefusal::failed("the node no longer has the commit"))?;
    Ok(json!({
        "signed_header": { "header": FORM.header_of(view, height), "commit": FORM.commit(&commit) },
        "canonical": height < view.tip,
    }))
}

/// Returns at most 20 headers of a height range with their block sizes, newest first.
pub(super) fn blockchain(view: &NodeView<'_>, params: &RpcParams) -> Result<Value, MethodRefusal> {
    let bound = |name| params.number(name).map(Option::unwrap_or_default);
    let (lowest, highest) = (bound("minHeight")?, bound("maxHeight")?);
    if lowest < 0 || highest < 0 {
        return Err(MethodRefusal::failed("heights must be non-negative"));
    }
    let given = |number: i64| u64::try_from(number).ok().and_then(Height::new);
    let top = given(highest).unwrap_or(view.tip).min(view.tip);
    let bottom = given(lowest).unwrap_or(Height::FIRST).max(view.oldest()).max(top.back(MOST_HEADERS - 1));
    if bottom > top {
        return Err(MethodRefusal::Failed(format!("min height {bottom} can't be greater than max height {top}")));
    }
    let heights = (bottom.get()..=top.get()).rev().filter_map(Height::new);
    let blocks = heights.filter_map(|height| view.block(height));
    let metas: Vec<Value> = blocks.map(|block| meta(view, &block)).collect::<Result<_, _>>()?;
    Ok(json!({ "last_height": view.tip.to_string(), "block_metas": metas }))
}

fn meta(view: &NodeView<'_>, block: &CommittedBlock) -> Result<Value, MethodRefusal> {
    let sizes = block.txs.iter().map(|tx| raw::bytes(tx).map(|bytes| bytes.len()));
    let size: usize = sizes.sum::<Result<_, _>>()?;
    Ok(json!({
        "block_id": FORM.id(&block_id(block.hash.bytes())),
        "block_size": size.to_string(),
        "header": FORM.header_of(view, block.height),
        "num_txs": block.txs.len().to_string(),
    }))
}

/// Returns the results of a block. All its events belong to transactions.
pub(super) fn block_results(view: &NodeView<'_>, params: &RpcParams) -> Result<Value, MethodRefusal> {
    let block = asked(view, params)?;
    let results: Vec<Value> = block.txs.iter().map(block::result).collect();
    Ok(json!({
        "height": block.height.to_string(),
        "txs_results": (!results.is_empty()).then_some(results),
        "finalize_block_events": null,
        "validator_updates": null,
        "consensus_param_updates": null,
        "app_hash": view.state.app_hash(block.height).map(|hash| BASE64_STANDARD.encode(hash)),
    }))
}
