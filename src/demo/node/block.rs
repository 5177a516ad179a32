//! Blocks, headers and commits in `CometBFT`'s format, and in REST's format with base64 bytes.

use alloy_primitives::hex;
use base64::{Engine as _, prelude::BASE64_STANDARD};
use serde_json::{Value, json};

use super::{
    raw::{self, UnwritableTx},
    view::NodeView,
};
use crate::{
    demo::ledger::{CommittedBlock, CommittedTx, TxEvent, derive::sha256},
    domain::Height,
    indexer::source::EventAttribute,
    wire::node::{BlockCommit, CommitSignature, ConsensusBlockId, ConsensusHeader, HexBytes},
};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BlockForm {
    /// `CometBFT`'s JSON: hashes in upper-case hex.
    Comet,
    /// Proto JSON: base64 bytes, enums by name.
    Proto,
}

impl BlockForm {
    pub(super) fn bytes(self, bytes: &[u8]) -> String {
        match self {
            Self::Comet => hex::encode_upper(bytes),
            Self::Proto => BASE64_STANDARD.encode(bytes),
        }
    }

    /// Returns the name of the field with a block's part set header.
    fn parts(self) -> &'static str {
        match self {
            Self::Comet => "parts",
            Self::Proto => "part_set_header",
        }
    }

    /// Writes a block ID: the hash and the part set. It is empty for the block before the first.
    pub(super) fn id(self, id: &ConsensusBlockId) -> Value {
        let parts = json!({ "total": id.parts.total, "hash": self.bytes(&id.parts.hash.0) });
        json!({ "hash": self.bytes(&id.hash.0), self.parts(): parts })
    }

    pub(super) fn header(self, header: &ConsensusHeader) -> Value {
        let version = match self {
            Self::Comet => json!({ "block": header.version.block.to_string() }),
            Self::Proto => json!({ "block": header.version.block.to_string(), "app": header.version.app.to_string() }),
        };
        let bytes = |bytes: &HexBytes| self.bytes(&bytes.0);
        json!({
            "version": version,
            "chain_id": header.chain_id,
            "height": header.height.to_string(),
            "time": header.time.to_string(),
            "last_block_id": self.id(&header.last_block_id),
            "last_commit_hash": bytes(&header.last_commit_hash),
            "data_hash": bytes(&header.data_hash),
            "validators_hash": bytes(&header.validators_hash),
            "next_validators_hash": bytes(&header.next_validators_hash),
            "consensus_hash": bytes(&header.consensus_hash),
            "app_hash": bytes(&header.app_hash),
            "last_results_hash": bytes(&header.last_results_hash),
            "evidence_hash": bytes(&header.evidence_hash),
            "proposer_address": bytes(&header.proposer_address),
        })
    }

    /// Writes the header of a block; null if the preceding block is pruned.
    pub(super) fn header_of(self, view: &NodeView<'_>, height: Height) -> Value {
        view.state.header(height).map_or(Value::Null, |header| self.header(&header))
    }

    pub(super) fn block(self, view: &NodeView<'_>, block: &CommittedBlock) -> Result<Value, UnwritableTx> {
        let txs: Vec<Vec<u8>> = block.txs.iter().map(raw::bytes).collect::<Result<_, _>>()?;
        view.note_served(block.height, &txs);
        let txs: Vec<String> = txs.iter().map(|bytes| BASE64_STANDARD.encode(bytes)).collect();
        let last_commit = block.height.previous().and_then(|below| view.state.commit(below));
        let header = self.header_of(view, block.height);
        Ok(self.written(&header, &txs, &last_commit.unwrap_or_else(no_commit)))
    }

    pub(super) fn written(self, header: &Value, txs: &[String], last_commit: &BlockCommit) -> Value {
        json!({
            "header": header,
            "data": { "txs": txs },
            "evidence": { "evidence": [] },
            "last_commit": self.commit(last_commit),
        })
    }

    pub(super) fn commit(self, commit: &BlockCommit) -> Value {
        let flag = |flag: u8| match self {
            Self::Comet => json!(flag),
            Self::Proto => json!("BLOCK_ID_FLAG_COMMIT"),
        };
        let vote = |vote: &CommitSignature| {
            json!({
                "block_id_flag": flag(vote.block_id_flag),
                "validator_address": self.bytes(&vote.validator_address.0),
                "timestamp": vote.timestamp.to_string(),
                "signature": vote.signature,
            })
        };
        json!({
            "height": commit.height.to_string(),
            "round": commit.round,
            "block_id": self.id(&commit.block_id),
            "signatures": commit.signatures.iter().map(vote).collect::<Vec<_>>(),
        })
    }
}

/// Returns the empty commit that the first block contains.
pub(super) fn no_commit() -> BlockCommit {
    BlockCommit { height: 0, round: 0, block_id: ConsensusBlockId::default(), signatures: Vec::new() }
}

/// Returns the consensus address, by which blocks name their proposer.
pub(super) fn proposer(block: &CommittedBlock) -> Vec<u8> {
    block.proposer.consensus_address.map(|address| address.bytes().to_vec()).unwrap_or_default()
}

/// Derives a hash for data that the simulation does not have.
pub(super) fn filler(label: &str, hash: &[u8; 32]) -> [u8; 32] {
    sha256([label.as_bytes(), hash].concat())
}

/// Writes a transaction's result in `CometBFT`'s format.
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

/// Writes events in the format of both interfaces.
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
