//! Queries about the node and its blocks.

use serde_json::{Value, json};

use super::{
    super::{
        NodeRequest,
        block::{BlockForm, proposer},
        rpc::{COMET_VERSION, node_id},
        view::NodeView,
    },
    RestAnswer, RestRefusal,
};
use crate::{
    demo::ledger::{CommittedBlock, block_id},
    domain::{Address, Height, Vm},
};

const FORM: BlockForm = BlockForm::Proto;

pub(super) fn answer(view: &NodeView<'_>, request: &NodeRequest, path: &[&str]) -> RestAnswer {
    if request.is_post {
        return Err(RestRefusal::not_implemented());
    }
    match path {
        ["node_info"] => Ok(node_info(view)),
        ["syncing"] => Ok(json!({ "syncing": false })),
        ["blocks", "latest"] => with_id(view, view.tip),
        ["blocks", height] => {
            let number: i64 = height.parse().map_err(|_| {
                RestRefusal::invalid(format!(
                    "type mismatch, parameter: height, error: strconv.ParseInt: parsing \"{height}\": invalid syntax"
                ))
            })?;
            match u64::try_from(number).ok().and_then(Height::new) {
                Some(height) if height > view.tip => {
                    Err(RestRefusal::invalid("requested block height is bigger then the chain length"))
                }
                Some(height) => with_id(view, height),
                None => Err(RestRefusal::machine("height must be greater than 0")),
            }
        }
        _ => Err(RestRefusal::not_implemented()),
    }
}

fn node_info(view: &NodeView<'_>) -> Value {
    let sequencers = view.state.sequencers();
    let moniker = sequencers.iter().find(|sequencer| sequencer.is_current).map_or("", |sequencer| sequencer.moniker);
    let name = match view.vm() {
        Vm::Evm => "minievm",
        Vm::Move => "minimove",
        Vm::Wasm => "miniwasm",
    };
    described(view.chain_id(), &node_id(view), moniker, [name, "minitiad"])
}

/// Writes the information of a node; `names` are those of the application and its program.
pub(in crate::demo::node) fn described(network: &str, id: &str, moniker: &str, names: [&str; 2]) -> Value {
    json!({
        "default_node_info": {
            "protocol_version": { "p2p": "8", "block": "11", "app": "0" },
            "default_node_id": id,
            "listen_addr": "tcp://127.0.0.1:26656",
            "network": network,
            "version": COMET_VERSION,
            "channels": "QCAhIiMwOGBhAA==",
            "moniker": moniker,
            "other": { "tx_index": "on", "rpc_address": "tcp://127.0.0.1:26657" },
        },
        "application_version": {
            "name": names[0],
            "app_name": names[1],
            "version": concat!("rollscope-", env!("CARGO_PKG_VERSION")),
            "git_commit": "",
            "build_tags": "",
            "go_version": "",
            "build_deps": [],
            "cosmos_sdk_version": "",
        },
    })
}

/// Returns a block, or the error with which a node refuses it.
pub(super) fn found(view: &NodeView<'_>, height: Height) -> Result<CommittedBlock, RestRefusal> {
    view.block(height).ok_or_else(|| {
        let oldest = view.oldest();
        RestRefusal::machine(format!("height {height} is not available, lowest height is {oldest}"))
    })
}

/// Writes a block with its ID, and a second format that has the proposer as an address.
fn with_id(view: &NodeView<'_>, height: Height) -> RestAnswer {
    let block = found(view, height)?;
    let written = FORM.block(view, &block)?;
    let mut readable = written.clone();
    if let Some(header) = readable.get_mut("header").and_then(Value::as_object_mut) {
        let address = Address::from_bytes(&proposer(&block)).map(|address| address.bech32_as("initvalcons"));
        header.insert("proposer_address".to_owned(), address.into());
    }
    Ok(json!({ "block_id": FORM.id(&block_id(block.hash.bytes())), "block": written, "sdk_block": readable }))
}
