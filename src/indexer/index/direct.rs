//! The records of the API made of what the chain committed, without an index in between: what an index of the same
//! blocks has to answer.

use std::collections::BTreeSet;

use super::{
    changes::{BlockChanges, NftEvent},
    evm::{internal_tx, receipt_on_the_wire},
    prepare, stores,
};
use crate::{
    domain::{Address, Height, Timestamp, Vm},
    indexer::source::{CommittedBlock, CommittedTx, EvmReceipts, EvmTraces},
    wire::{Block, EvmTx, InternalTx, Proposer},
};

/// A block's record, with its time to the nanosecond. Without the time of the block before it the time between them is 0,
/// as in the first block that an indexer holds.
pub fn block_record(block: &CommittedBlock, previous: Option<Timestamp>, chain_id: &str) -> Block {
    let prepared = prepare::prepare_block(block.clone(), 0, previous, BlockChanges::default());
    Block {
        chain_id: chain_id.to_owned(),
        height: block.height,
        hash: block.hash,
        block_time: prepared.block_time_ms,
        timestamp: block.time,
        gas_used: prepared.gas_used,
        gas_wanted: prepared.gas_wanted,
        tx_count: prepared.tx_count as u64,
        total_fee: serde_json::from_str(&prepared.total_fee).unwrap_or_default(),
        proposer: Proposer {
            moniker: block.proposer.moniker.clone(),
            identity: String::new(),
            operator_address: block.proposer.operator_address.clone(),
        },
    }
}

/// The JSON of a transaction's record.
pub fn tx_record(block: &CommittedBlock, tx: &CommittedTx) -> String {
    let mut record = String::new();
    prepare::write_tx(&mut record, block, tx);
    record
}

/// The records of a block's receipts, in order.
pub fn receipt_records(height: Height, receipts: &EvmReceipts) -> Vec<EvmTx> {
    let record = |receipt: &_| receipt_on_the_wire(receipt, height, receipts.block_hash);
    receipts.receipts.iter().map(record).collect()
}

/// The records of a block's call frames, depth first in the receipts' order. The output of an outer call is not kept.
pub fn call_records(height: Height, receipts: &EvmReceipts, traces: &EvmTraces) -> Vec<InternalTx> {
    let mut records = Vec::new();
    for trace in &traces.traces {
        let place = usize::try_from(trace.receipt).unwrap_or(usize::MAX);
        let Some(receipt) = receipts.receipts.get(place) else { continue };
        for (index, frame) in (0..).zip(&trace.frames) {
            let mut record = internal_tx(frame, height, receipt.hash, index);
            if frame.parent.is_none() {
                "0x".clone_into(&mut record.output.0);
            }
            records.push(record);
        }
    }
    records
}

/// On Move the stores whose coins a transaction moved, each with the metadata of what it holds.
pub fn used_stores(tx: &CommittedTx) -> BTreeSet<(Address, Address)> {
    stores::stores_of(tx).used
}

/// What a block did to an NFT.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NftStep {
    /// It was made, or has another owner. Its own object is named where it is, on Move.
    Moved {
        /// Its collection.
        collection: Address,
        /// Its id.
        token_id: String,
        /// Its object.
        object: Option<Address>,
    },
    /// A collection was made, if the contract or object at this address is one.
    Created(Address),
    /// The object at this address, which may be an NFT, has another owner or URI.
    Given(Address),
    /// It is gone.
    Burned {
        /// Its collection.
        collection: Address,
        /// Its id.
        token_id: String,
    },
}

/// What a block did to NFTs, in its order.
pub fn nft_steps(vm: Vm, block: &CommittedBlock) -> Vec<NftStep> {
    let step = |event| match event {
        NftEvent::Moved { nft, object, .. } => {
            NftStep::Moved { collection: nft.collection, token_id: nft.token_id, object }
        }
        NftEvent::Given { object, .. } | NftEvent::Mutated { object, .. } => NftStep::Given(object),
        NftEvent::Burned(nft) => NftStep::Burned { collection: nft.collection, token_id: nft.token_id },
        NftEvent::Created(collection) => NftStep::Created(collection),
    };
    prepare::changes_of(vm, block).nfts.into_iter().map(step).collect()
}
