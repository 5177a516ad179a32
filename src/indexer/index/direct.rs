//! API records made directly from committed data, without an index: the reference for an index of these blocks.

use std::collections::BTreeSet;

use super::{
    changes::{BlockChanges, NftEvent},
    evm::{accounts_of_receipt, internal_tx, receipt_on_the_wire},
    prepare, stores,
};
use crate::{
    domain::{Address, Height, Timestamp, TxHash, Vm},
    indexer::source::{CommittedBlock, CommittedTx, EvmReceipt, EvmReceipts, EvmTraces},
    wire::{Block, EvmTx, InternalTx},
};

/// Builds a block's record, with its time in nanoseconds. Without the previous block's time, the interval is 0, as in
/// an indexer's first block.
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
        tx_count: prepared.tx_count,
        total_fee: serde_json::from_str(&prepared.total_fee).unwrap_or_default(),
        proposer: block.proposer.clone().record(),
    }
}

/// Builds the JSON of a transaction's record.
pub fn tx_record(block: &CommittedBlock, tx: &CommittedTx) -> String {
    let mut record = String::new();
    prepare::write_tx(&mut record, block, tx);
    record
}

/// Builds the records of a block's receipts, in order.
pub fn receipt_records(height: Height, receipts: &EvmReceipts) -> Vec<EvmTx> {
    let record = |receipt: &_| receipt_on_the_wire(receipt, height, receipts.block_hash);
    receipts.receipts.iter().map(record).collect()
}

/// Returns the accounts whose lists contain a receipt.
pub fn receipt_accounts(receipt: &EvmReceipt) -> BTreeSet<Address> {
    accounts_of_receipt(receipt).into_iter().map(Address::Short).collect()
}

/// Builds the records of a block's call frames, depth first, in the order of the receipts.
pub fn call_records(height: Height, receipts: &EvmReceipts, traces: &EvmTraces) -> Vec<InternalTx> {
    let mut records = Vec::new();
    for trace in &traces.traces {
        let place = usize::try_from(trace.receipt).unwrap_or(usize::MAX);
        let Some(receipt) = receipts.receipts.get(place) else { continue };
        let frames = 0..trace.frames.len();
        records.extend(frames.filter_map(|index| internal_tx(&trace.frames, index, height, receipt.hash)));
    }
    records
}

/// Returns the Move stores whose coins a transaction moved, each with its metadata object.
pub fn used_stores(tx: &CommittedTx) -> BTreeSet<(Address, Address)> {
    stores::stores_of(tx).used
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NftStep {
    /// The NFT was minted or transferred. `object` is its object on Move, if the events name it.
    Moved {
        collection: Address,
        token_id: String,
        object: Option<Address>,
    },
    /// A contract or object was created at this address; it may be a collection.
    Created(Address),
    /// The object at this address, possibly an NFT, has another owner or URI.
    Given(Address),
    Burned {
        collection: Address,
        token_id: String,
    },
}

/// Returns the effects of a block on NFTs, in order, each with its transaction; `None` for events outside
/// transactions.
pub fn nft_steps(vm: Vm, block: &CommittedBlock) -> Vec<(NftStep, Option<TxHash>)> {
    let step = |event| match event {
        NftEvent::Moved { nft, object, .. } => {
            NftStep::Moved { collection: nft.collection, token_id: nft.token_id, object }
        }
        NftEvent::Given { object, .. } | NftEvent::Mutated { object, .. } => NftStep::Given(object),
        NftEvent::Burned(nft) => NftStep::Burned { collection: nft.collection, token_id: nft.token_id },
        NftEvent::Created(collection) => NftStep::Created(collection),
    };
    let (changes, by_tx) = prepare::changes_of(vm, block);
    let tx_at = |place| block.txs.iter().zip(&by_tx).find(|(_, steps)| steps.contains(&place)).map(|(tx, _)| tx.hash);
    changes.nfts.into_iter().enumerate().map(|(place, event)| (step(event), tx_at(place))).collect()
}
