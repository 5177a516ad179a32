//! OPinit bridges of the L1. It hosts only the embedded rollup's.

use base64::{Engine as _, prelude::BASE64_STANDARD};
use serde_json::{Value, json};

use super::view::LightView;
use crate::{
    demo::{
        node::{
            NodeRequest,
            paging::PageAsked,
            rest::{RestAnswer, RestRefusal, opinit::bridge_config},
        },
        settlement::BridgeOutput,
        shared::RollupShared,
    },
    domain::{Address, ChainId},
};

/// Answers a query about a bridge, by the path after the bridge ID.
pub(super) fn answer(view: &LightView<'_>, request: &NodeRequest, bridge_id: &str, path: &[&str]) -> RestAnswer {
    let asked: u64 = bridge_id.parse().map_err(|_| {
        RestRefusal::invalid(format!("type mismatch, parameter: bridge_id, error: parsing \"{bridge_id}\""))
    })?;
    let shared = view.shared;
    let bridge_id = shared.router().bridge().bridge_id;
    if asked != bridge_id {
        return Err(RestRefusal::not_found(format!("collections: not found: key '{asked}' of type uint64")));
    }
    match path {
        [] => Ok(config(shared)),
        ["outputs"] => outputs(shared, request),
        ["outputs", index] => {
            let index: u64 = index.parse().map_err(|_| RestRefusal::invalid(format!("output_index: {index}")))?;
            let found = shared.output(index);
            let missing = || RestRefusal::not_found(format!("output {index} of bridge {bridge_id} not found"));
            Ok(written(shared, &found.ok_or_else(missing)?))
        }
        ["withdrawals", "claimed", "by_hash"] => {
            let text = request.query.first("withdrawal_hash").unwrap_or_default();
            let hash = BASE64_STANDARD.decode(text).ok().and_then(|bytes| <[u8; 32]>::try_from(bytes).ok());
            let hash = hash.ok_or_else(|| RestRefusal::invalid("withdrawal_hash must be 32 bytes in base64"))?;
            let sequence = shared.look(move |chain| {
                let all = chain.state()?.withdrawals();
                all.iter().find(|one| one.leaf(bridge_id) == hash).map(|one| one.sequence)
            });
            let claimed = sequence.flatten().is_some_and(|sequence| shared.router().is_claimed(sequence, view.now));
            Ok(json!({ "claimed": claimed }))
        }
        _ => Err(RestRefusal::not_implemented()),
    }
}

fn config(shared: &RollupShared) -> Value {
    let terms = shared.router().bridge();
    let facts = shared.router().world().rollup();
    let executor = facts.accounts.iter().find(|(_, name)| *name == "bridge executor");
    let executor = executor.map(|(address, _): &(Address, _)| address.bech32());
    json!({
        "bridge_id": terms.bridge_id.to_string(),
        "bridge_addr": facts.bridge_account.bech32(),
        "bridge_config": bridge_config(terms, executor.as_deref()),
    })
}

fn outputs(shared: &RollupShared, request: &NodeRequest) -> RestAnswer {
    let page = PageAsked::read(&request.query)?;
    let tip = shared.tip().map_or(0, |tip| shared.router().bridge().outputs(tip, shared.chain_now()));
    let one = |index: &u64| shared.output(*index).map_or(Value::Null, |output| written(shared, &output));
    Ok(page.cut("output_proposals", (1..=tip).collect(), one))
}

fn written(shared: &RollupShared, output: &BridgeOutput) -> Value {
    let l1 = ChainId::new(shared.router().world().rollup().l1_chain_id);
    let block = shared.router().with_light(&l1, |chain| chain.height(output.proposed)).unwrap_or_default();
    json!({
        "bridge_id": shared.router().bridge().bridge_id.to_string(),
        "output_index": output.index.to_string(),
        "output_proposal": {
            "output_root": BASE64_STANDARD.encode(output.root()),
            "l1_block_number": block.to_string(),
            "l1_block_time": output.proposed.to_string(),
            "l2_block_number": output.height.to_string(),
        },
    })
}
