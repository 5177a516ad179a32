//! Blocks and headers in the words of `CometBFT`; REST says the same with bytes in base64.
//!
//! Data hashes are real. Hashes of state, results and validators are this simulation's own: no light client could check
//! them, as it could not check the block's.

use alloy_primitives::hex;
use base64::{Engine as _, prelude::BASE64_STANDARD};
use serde_json::{Value, json};

use super::{
    merkle,
    raw::{self, UnwritableTx},
    view::NodeView,
};
use crate::{
    demo::ledger::{CommittedBlock, CommittedTx, TxEvent, derive::sha256},
    domain::{Address, Height},
    indexer::source::EventAttribute,
};

/// How an interface writes a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BlockForm {
    /// `CometBFT`'s JSON: hashes in upper-case hex.
    Comet,
    /// Proto JSON: bytes in base64, enums by name.
    Proto,
}

impl BlockForm {
    pub(super) fn bytes(self, bytes: &[u8]) -> String {
        match self {
            Self::Comet => hex::encode_upper(bytes),
            Self::Proto => BASE64_STANDARD.encode(bytes),
        }
    }

    /// The name of a block's parts.
    fn parts(self) -> &'static str {
        match self {
            Self::Comet => "parts",
            Self::Proto => "part_set_header",
        }
    }

    /// A block's id: its hash and that of its parts; nothing stands for the block before the first.
    pub(super) fn id(self, hash: Option<&[u8; 32]>) -> Value {
        let parts = hash.map_or_else(String::new, |hash| self.bytes(&filler("parts", hash)));
        let written = hash.map_or_else(String::new, |hash| self.bytes(hash));
        json!({ "hash": written, self.parts(): { "total": u8::from(hash.is_some()), "hash": parts } })
    }

    /// The block's header.
    pub(super) fn header(self, view: &NodeView<'_>, block: &CommittedBlock) -> Result<Value, UnwritableTx> {
        let previous = view.previous(block.height);
        let before = previous.as_ref().map_or([0; 32], |previous| *previous.hash.bytes());
        let leaf = |tx| raw::bytes(tx).map(|bytes| sha256(bytes).to_vec());
        let leaves: Vec<Vec<u8>> = block.txs.iter().map(leaf).collect::<Result<_, _>>()?;
        let version = match self {
            Self::Comet => json!({ "block": "11" }),
            Self::Proto => json!({ "block": "11", "app": "0" }),
        };
        let sequencer = self.bytes(&filler("validators", &word(&proposer(block))));
        Ok(json!({
            "version": version,
            "chain_id": view.chain_id(),
            "height": block.height.to_string(),
            "time": block.time.to_string(),
            "last_block_id": self.id(previous.as_ref().map(|previous| previous.hash.bytes())),
            "last_commit_hash": self.bytes(&filler("commit", &before)),
            "data_hash": self.bytes(&merkle::root(&leaves)),
            "validators_hash": sequencer,
            "next_validators_hash": sequencer,
            "consensus_hash": self.bytes(&sha256("consensus")),
            "app_hash": self.bytes(&filler("state", &before)),
            "last_results_hash": self.bytes(&filler("results", &before)),
            "evidence_hash": self.bytes(&sha256([])),
            "proposer_address": self.bytes(&proposer(block)),
        }))
    }

    /// The block with its transactions.
    pub(super) fn block(self, view: &NodeView<'_>, block: &CommittedBlock) -> Result<Value, UnwritableTx> {
        let txs: Vec<String> = block.txs.iter().map(raw::base64).collect::<Result<_, _>>()?;
        Ok(json!({
            "header": self.header(view, block)?,
            "data": { "txs": txs },
            "evidence": { "evidence": [] },
            "last_commit": self.last_commit(view, block),
        }))
    }

    /// The commit of the block before this one.
    fn last_commit(self, view: &NodeView<'_>, block: &CommittedBlock) -> Value {
        let previous = view.previous(block.height);
        let signed = previous.as_ref().map(|previous| {
            let flag = match self {
                Self::Comet => json!(2),
                Self::Proto => json!("BLOCK_ID_FLAG_COMMIT"),
            };
            let hash = previous.hash.bytes();
            let signature = [filler("vote", hash), filler("vote again", hash)].concat();
            json!({
                "block_id_flag": flag,
                "validator_address": self.bytes(&proposer(previous)),
                "timestamp": block.time.to_string(),
                "signature": BASE64_STANDARD.encode(signature),
            })
        });
        json!({
            "height": block.height.previous().map_or(0, Height::get).to_string(),
            "round": 0,
            "block_id": self.id(previous.as_ref().map(|previous| previous.hash.bytes())),
            "signatures": signed.into_iter().collect::<Vec<_>>(),
        })
    }
}

/// The bytes of the operator's address, by which blocks name their proposer.
pub(super) fn proposer(block: &CommittedBlock) -> Vec<u8> {
    bech32::decode(&block.proposer.operator_address).map(|(_, bytes)| bytes).unwrap_or_default()
}

fn word(bytes: &[u8]) -> [u8; 32] {
    Address::from_bytes(bytes).map_or([0; 32], |address| address.word())
}

/// A hash that stands for what a simulation does not have.
pub(super) fn filler(label: &str, hash: &[u8; 32]) -> [u8; 32] {
    sha256([label.as_bytes(), hash].concat())
}

/// The result of a transaction, as `CometBFT` keeps it.
pub(super) fn result(tx: &CommittedTx) -> Value {
    let data = (!tx.data.is_empty()).then(|| BASE64_STANDARD.encode(&tx.data));
    json!({
        "code": tx.code,
        "data": data,
        "log": tx.raw_log,
        "info": tx.info,
        "gas_wanted": tx.gas_wanted.to_string(),
        "gas_used": tx.gas_used.to_string(),
        "events": events(&tx.events),
        "codespace": tx.codespace,
    })
}

/// Events as both interfaces write them.
pub(super) fn events(events: &[TxEvent]) -> Vec<Value> {
    let attribute = |attribute: &EventAttribute| json!({ "key": attribute.key, "value": attribute.value, "index": attribute.is_indexed });
    events
        .iter()
        .map(|event| {
            let attributes: Vec<Value> = event.attributes.iter().map(attribute).collect();
            json!({ "type": event.kind, "attributes": attributes })
        })
        .collect()
}
