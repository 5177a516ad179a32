use std::{
    collections::{BTreeMap, BTreeSet},
    ops::Range,
};

use super::{
    IndexError,
    changes::{BlockChanges, NftEvent, NftId},
    codec::Codec,
    evm::PreparedReceipts,
    members::{self, AccountListing},
    nft,
    packets::PacketHash,
    stores::{MadeStore, StoresOfTx, stores_of},
    undecoded::BareBlock,
};
use crate::{
    domain::{Address, Amount, BlockHash, Denom, Height, MsgType, Timestamp, TxHash, Vm},
    events::tokens::contract_tokens,
    indexer::{
        json::{push_escaped, push_string},
        source::{BlockPhase, BlockProposer, CommittedBlock, CommittedTx, NftCollection, OwnedNft, Source, TxEvent},
    },
    wire::{UndecodedPart, WireCoin},
};

/// Blocks prepared for the database: all work is done that needs no lock.
#[derive(Debug, Default)]
pub struct Prepared {
    pub(super) blocks: Vec<PreparedBlock>,
    pub(super) txs: Vec<PreparedTx>,
    /// Move stores that the blocks created.
    pub(super) stores_made: Vec<MadeStore>,
    /// The node's data on changed NFTs.
    pub(super) facts: nft::NftFacts,
    pub(super) receipts: PreparedReceipts,
    /// Whether the source has no sequence numbers; the numbers of this batch then start at 0 until the write.
    pub(super) is_unnumbered: bool,
    /// Whether the blocks may only be written below the stored blocks.
    pub(super) is_older: bool,
    /// Whether blocks below these may be missing for ever.
    pub(super) may_leave_gap: bool,
    /// Sequence numbers that the blocks need, also for transactions that the source cannot return.
    pub(super) numbers: u64,
    /// Parts that the blocks lack.
    pub(super) undecoded: Vec<UndecodedPart>,
    /// Those of the blocks that are made of their headers alone.
    pub(super) bare: Vec<BareBlock>,
}

#[derive(Debug)]
pub(super) struct PreparedBlock {
    pub(super) height: Height,
    pub(super) hash: BlockHash,
    pub(super) time: Timestamp,
    pub(super) block_time_ms: i64,
    pub(super) gas_used: u64,
    pub(super) gas_wanted: u64,
    pub(super) tx_count: u64,
    pub(super) first_sequence: u64,
    pub(super) total_fee: String,
    pub(super) proposer: BlockProposer,
    /// Effects on NFTs and balances; empty for blocks below the oldest stored state.
    pub(super) changes: BlockChanges,
    /// Hash of the previous block; `None` if the source omits it.
    pub(super) previous_hash: Option<BlockHash>,
    /// Accounts whose coins the block moved, in or outside of transactions.
    pub(super) touched: BTreeSet<Address>,
}

#[derive(Debug)]
pub(super) struct PreparedTx {
    pub(super) sequence: u64,
    pub(super) hash: TxHash,
    pub(super) signer: Option<Address>,
    pub(super) accounts: BTreeMap<Address, AccountListing>,
    pub(super) message_types: BTreeSet<MsgType>,
    pub(super) nfts: BTreeSet<NftId>,
    pub(super) packets: BTreeSet<PacketHash>,
    /// Tokens whose contracts reported a movement.
    pub(super) tokens: BTreeSet<Denom>,
    pub(super) stores: BTreeSet<Address>,
    pub(super) body: Vec<u8>,
}

impl Prepared {
    /// Parses ascending blocks; `previous` is the time of the block before them. Only blocks above `followed` change
    /// NFTs and balances.
    pub(super) fn new(
        blocks: Vec<CommittedBlock>,
        mut previous: Option<Timestamp>,
        codec: &Codec,
        vm: Vm,
        followed: u64,
    ) -> Result<Self, IndexError> {
        let mut prepared = Self { blocks: Vec::with_capacity(blocks.len()), ..Self::default() };
        let mut body = String::new();
        for block in blocks {
            let first_sequence = block.first_sequence.unwrap_or(prepared.numbers);
            prepared.is_unnumbered |= block.first_sequence.is_none();
            let (changes, by_tx) = changes_of(vm, &block);
            for ((sequence, tx), steps) in (first_sequence..).zip(&block.txs).zip(by_tx) {
                body.clear();
                write_tx(&mut body, &block, tx);
                let StoresOfTx { made, used } = if vm == Vm::Move { stores_of(tx) } else { StoresOfTx::default() };
                prepared.stores_made.extend(made);
                prepared.txs.push(PreparedTx {
                    sequence,
                    hash: tx.hash,
                    signer: tx.signer,
                    accounts: members::listings_of(tx),
                    message_types: tx.message_types.iter().cloned().collect(),
                    nfts: nfts_of(vm, changes.nfts.get(steps).unwrap_or_default()),
                    packets: PacketHash::all_in(&tx.events).collect(),
                    tokens: contract_tokens(&tx.events).collect(),
                    stores: used.into_iter().map(|(store, _)| store).collect(),
                    body: codec.compress(body.as_bytes())?,
                });
            }
            let time = block.time;
            prepared.numbers += block.txs.len() as u64 + block.missing_txs;
            let is_newer = block.height.get() > followed;
            let changes = if is_newer { changes } else { BlockChanges::default() };
            prepared.blocks.push(prepare_block(block, first_sequence, previous, changes));
            previous = Some(time);
        }
        Ok(prepared)
    }

    /// Restricts the write to blocks below the lowest stored block at that time.
    #[must_use]
    pub fn below_what_is_held(self) -> Self {
        Self { is_older: true, ..self }
    }

    /// Allows the write to leave a gap above the newest stored block.
    #[must_use]
    pub fn above_a_gap(self) -> Self {
        Self { may_leave_gap: true, ..self }
    }

    /// Names those of the blocks that are made of their headers alone.
    #[must_use]
    pub fn with_bare(self, bare: Vec<BareBlock>) -> Self {
        Self { bare, ..self }
    }

    /// Adds the parts that the blocks lack.
    #[must_use]
    pub fn with_undecoded(self, undecoded: Vec<UndecodedPart>) -> Self {
        Self { undecoded, ..self }
    }

    /// Adds the node's data on a collection.
    pub fn learn_collection(&mut self, collection: NftCollection) {
        let time = self.blocks.iter().find(|block| block.height == collection.created).map(|block| block.time);
        self.facts.learn_collection(collection, time.unwrap_or(Timestamp::EPOCH));
    }

    /// Adds the node's data on an NFT.
    pub fn learn_nft(&mut self, nft: OwnedNft) {
        self.facts.learn_nft(nft);
    }

    /// Requests the data on changed NFTs that events lack.
    pub fn ask(&mut self, source: &dyn Source) {
        self.facts.ask(source, self.blocks.iter().flat_map(|block| &block.changes.nfts));
    }
}

/// Returns a block's effects in order: before, in and after its transactions; and the positions of each transaction's
/// effects on NFTs.
pub(super) fn changes_of(vm: Vm, block: &CommittedBlock) -> (BlockChanges, Vec<Range<usize>>) {
    let outside = |is_end: bool| {
        let wanted = block.events.iter().filter(move |event| (event.phase == BlockPhase::End) == is_end);
        wanted.map(|event| &event.event)
    };
    let mut changes = BlockChanges::default();
    changes.follow(vm, outside(false));
    let steps = |tx: &CommittedTx| {
        let first = changes.nfts.len();
        changes.follow(vm, &tx.events);
        first..changes.nfts.len()
    };
    let by_tx = block.txs.iter().map(steps).collect();
    changes.follow(vm, outside(true));
    (changes, by_tx)
}

/// Returns the NFTs that a transaction minted, moved or burned. On Move the object's account lists its transactions.
fn nfts_of(vm: Vm, steps: &[NftEvent]) -> BTreeSet<NftId> {
    let named = steps.iter().filter(|_| vm != Vm::Move).filter_map(|event| match event {
        NftEvent::Moved { nft, .. } | NftEvent::Burned(nft) => Some(nft.clone()),
        NftEvent::Created(_) | NftEvent::Given { .. } | NftEvent::Mutated { .. } => None,
    });
    named.collect()
}

/// Number of samples of each kind for a dictionary.
const SAMPLES: usize = 3;

/// Trains a codec on these blocks: some samples of each kind, with the most frequent kind last.
pub(super) fn train(blocks: &[CommittedBlock]) -> Result<Option<Codec>, IndexError> {
    let mut kinds: BTreeMap<&[MsgType], (usize, Vec<String>)> = BTreeMap::new();
    for block in blocks {
        for tx in &block.txs {
            let (count, samples) = kinds.entry(&tx.message_types).or_default();
            *count += 1;
            if samples.len() < SAMPLES {
                let mut sample = String::new();
                write_tx(&mut sample, block, tx);
                samples.push(sample);
            }
        }
    }
    let mut kinds: Vec<(usize, Vec<String>)> = kinds.into_values().collect();
    kinds.sort();
    let samples: Vec<&[u8]> = kinds.iter().flat_map(|(_, samples)| samples).map(String::as_bytes).collect();
    if samples.is_empty() { Ok(None) } else { Codec::train(samples.into_iter()).map(Some) }
}

pub(super) fn prepare_block(
    block: CommittedBlock,
    first_sequence: u64,
    previous: Option<Timestamp>,
    changes: BlockChanges,
) -> PreparedBlock {
    let mut fees: BTreeMap<Denom, Amount> = BTreeMap::new();
    for coin in block.txs.iter().flat_map(|tx| &tx.fee).filter(|coin| !coin.amount.is_zero()) {
        let sum = fees.entry(coin.denom.clone()).or_default();
        *sum = sum.checked_add(coin.amount).unwrap_or(*sum);
    }
    let coins: Vec<WireCoin> =
        fees.into_iter().map(|(denom, amount)| WireCoin { denom: denom.to_string(), amount }).collect();
    let block_time = previous.map_or(0, |previous| block.time.since(previous).as_millis());
    // EVM contracts and Move modules move coins without bank events.
    let mut touched = members::holders_of(&block);
    touched.extend(changes.coins.iter().map(|change| change.account));
    PreparedBlock {
        height: block.height,
        hash: block.hash,
        time: block.time,
        block_time_ms: i64::try_from(block_time).unwrap_or(i64::MAX),
        gas_used: gas_of(&block, |tx| tx.gas_used),
        gas_wanted: gas_of(&block, |tx| tx.gas_wanted),
        tx_count: block.txs.len() as u64 + block.missing_txs,
        first_sequence,
        total_fee: serde_json::to_string(&coins).unwrap_or_else(|_| "[]".to_owned()),
        touched,
        previous_hash: block.previous_hash,
        proposer: block.proposer,
        changes,
    }
}

/// Sums the gas of a block's transactions; what has no limit, as a negative number says, does not count.
fn gas_of(block: &CommittedBlock, gas: fn(&CommittedTx) -> u64) -> u64 {
    block.txs.iter().map(gas).filter(|gas| i64::try_from(*gas).is_ok()).fold(0, u64::saturating_add)
}

/// Writes a transaction as JSON equal to [`crate::wire::Tx`], in the real server's field order and with its escapes
/// (`docs/apis/indexer.md` §5.1).
pub(super) fn write_tx(out: &mut String, block: &CommittedBlock, tx: &CommittedTx) {
    use std::fmt::Write as _;
    let _ = write!(out, "{{\"txhash\":\"{}\",\"height\":\"{}\",\"codespace\":", tx.hash, block.height);
    push_string(out, &tx.codespace);
    let data = alloy_primitives::hex::encode_upper(&tx.data);
    let _ = write!(out, ",\"code\":{},\"data\":\"{data}\",\"raw_log\":", tx.code);
    push_string(out, &tx.raw_log);
    out.push_str(",\"logs\":[],\"info\":");
    push_string(out, &tx.info);
    let _ = write!(out, ",\"gas_wanted\":\"{}\",\"gas_used\":\"{}\",\"tx\":", tx.gas_wanted, tx.gas_used);
    push_escaped(out, &tx.body);
    let _ = write!(out, ",\"timestamp\":\"{}\",\"events\":[", block.time);
    for (position, event) in tx.events.iter().enumerate() {
        if position > 0 {
            out.push(',');
        }
        write_event(out, event);
    }
    out.push_str("]}");
}

/// Writes an event; an event without attributes has no list, as on the node.
fn write_event(out: &mut String, event: &TxEvent) {
    use std::fmt::Write as _;
    out.push_str("{\"type\":");
    push_string(out, &event.kind);
    for (position, attribute) in event.attributes.iter().enumerate() {
        out.push_str(if position == 0 { ",\"attributes\":[{\"key\":" } else { ",{\"key\":" });
        push_string(out, &attribute.key);
        let _ = write!(out, ",\"index\":{},\"value\":", attribute.is_indexed);
        push_string(out, &attribute.value);
        out.push('}');
    }
    out.push_str(if event.attributes.is_empty() { "}" } else { "]}" });
}
