//! List of the parts of stored blocks that the index lacks, and replacement of such blocks.

use std::collections::BTreeSet;

use crate::indexer::index::dialect::OptionalRow as _;
use rusqlite::params;

use super::{
    ChainBranch, Index, IndexError, dialect::Connection, evm, integer, page::KeySpan, prepare::Prepared, state,
    undecoded, write,
};
use crate::{
    domain::{Height, TxHash},
    indexer::source::EvmTraces,
    wire::{BlockPart, LackReason, PartFloor, UndecodedPart},
};

/// Parts of stored blocks that the index lacks.
#[derive(Clone, Debug, Default)]
pub struct LackingParts {
    /// Number of parts that could not be decoded, and the newest of them.
    pub undecoded: (u64, Vec<UndecodedPart>),
    /// Number of parts that the node refused or that contradict the chain, and the newest of them.
    pub left_out: (u64, Vec<UndecodedPart>),
    pub floors: Vec<PartFloor>,
    /// Whether the node is still asked for a part, as for one of a new block.
    pub is_waiting: bool,
}

/// Reason why an index lacks a part of a block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PartLack {
    /// The node refuses the part of all blocks below a height.
    BelowFloor(PartFloor),
    LeftOut(UndecodedPart),
}

impl Index {
    /// Returns the parts that the index lacks, at most `limit` of a kind.
    pub fn lacking(&self, limit: usize) -> Result<LackingParts, IndexError> {
        self.database.read(|connection| lacking(connection, limit))
    }

    /// Returns the newest part that contradicts the chain's headers.
    pub fn contradicting(&self) -> Result<Option<UndecodedPart>, IndexError> {
        let parts = self.database.read(undecoded::all)?;
        Ok(parts.into_iter().find(|part| part.reason == LackReason::Contradicts))
    }

    /// Returns the heights of the stored blocks that lack a part.
    pub fn undecoded_heights(&self) -> Result<BTreeSet<Height>, IndexError> {
        self.database.read(undecoded::heights)
    }

    /// Returns the listed parts that a stored block lacks.
    pub fn undecoded_of(&self, height: Height) -> Result<Vec<UndecodedPart>, IndexError> {
        self.database.read(|connection| undecoded::of_block(connection, integer(height.get())))
    }

    /// Whether the index has no results of some of its blocks.
    pub fn has_bare_blocks(&self) -> Result<bool, IndexError> {
        self.database.read(undecoded::has_bare)
    }

    /// Whether a stored block has transactions.
    pub fn has_txs(&self, height: Height) -> Result<bool, IndexError> {
        self.database.read(|connection| {
            let sql = "SELECT EXISTS (SELECT 1 FROM block WHERE height = ?1 AND tx_count > 0)";
            connection.prepare_cached(sql)?.query_row([integer(height.get())], |row| row.get(0))
        })
    }

    /// Whether the index has no results of a block.
    pub fn is_bare_block(&self, height: Height) -> Result<bool, IndexError> {
        self.database.read(|connection| undecoded::is_bare(connection, height))
    }

    /// Returns the heights below which the node refuses a part.
    pub fn floors(&self) -> Result<Vec<PartFloor>, IndexError> {
        self.database.read(undecoded::floors)
    }

    /// Sets the floors that follow from the listed parts; returns the new ones.
    pub fn find_floors(&self) -> Result<Vec<PartFloor>, IndexError> {
        if self.database.read(undecoded::heights)?.is_empty() {
            return Ok(Vec::new());
        }
        self.database.write(|connection| {
            let known = undecoded::floors(connection)?;
            let parts = [BlockPart::Results, BlockPart::Receipts, BlockPart::CallFrames].into_iter();
            let wanted = parts.filter(|part| !known.iter().any(|floor| floor.part == *part));
            let found = wanted.map(|part| undecoded::find_floor(connection, part)).collect::<Result<Vec<_>, _>>()?;
            Ok(found.into_iter().flatten().collect())
        })
    }

    /// Sets the floor of a part, or removes it.
    pub fn set_part_floor(&self, part: BlockPart, floor: Option<PartFloor>) -> Result<(), IndexError> {
        self.database.write(|connection| undecoded::set_floor(connection, part, floor))
    }

    /// Returns the reason why the index has no results of the transaction with this hash; `None` for an unknown hash.
    pub fn lack_of_tx(&self, hash: &TxHash) -> Result<Option<PartLack>, IndexError> {
        self.database.read(|connection| match undecoded::block_of(connection, hash)? {
            Some(height) => lack_of(connection, height, BlockPart::Results, None),
            None => Ok(None),
        })
    }

    /// Returns the reason why the index lacks a part of a block, or of the record with this place in it; `None` if it
    /// has it.
    pub fn lack_of(&self, height: Height, part: BlockPart, place: Option<u64>) -> Result<Option<PartLack>, IndexError> {
        self.database.read(|connection| lack_of(connection, height, part, place))
    }

    /// Replaces a stored block with one that lacks fewer parts, and lists what it lacks. Receipts stay where they were
    /// whole. Does nothing if the index holds another block at this height. Returns whether anything was replaced, and
    /// whether the call frames of the block must be read again.
    pub fn replace(&self, prepared: &Prepared) -> Result<BlockReplacement, IndexError> {
        let [block] = prepared.blocks.as_slice() else { return Ok(BlockReplacement::default()) };
        let height = integer(block.height.get());
        self.database.write(|connection| {
            let sql = "SELECT first_sequence FROM block WHERE height = ?1 AND hash = ?2 AND tx_count = ?3";
            let values = params![height, block.hash.bytes(), integer(block.tx_count)];
            let first: Option<i64> = connection.prepare_cached(sql)?.query_row(values, |row| row.get(0)).optional()?;
            let Some(first) = first else { return Ok(BlockReplacement::default()) };
            let listed = undecoded::of_block(connection, height)?;
            let was_bare = undecoded::is_bare(connection, block.height)?;
            // A whole part counts as much as any number of records in it.
            let count = |parts: &[UndecodedPart], part: fn(BlockPart) -> bool| {
                let of_kind = parts.iter().filter(|one| part(one.part) && one.reason != LackReason::Injected);
                of_kind.map(|one| if one.index.is_none() { 1 << 32 } else { 1 }).sum::<u64>()
            };
            let counts = |part| (count(&prepared.undecoded, part), count(&listed, part));
            let is_receipts = |part| part == BlockPart::Receipts;
            let ((new_txs, old_txs), (new_receipts, old_receipts)) =
                (counts(BlockPart::is_of_txs), counts(is_receipts));
            let floors = undecoded::floors(connection)?;
            let was_below = floors.iter().any(|floor| is_receipts(floor.part) && floor.height > block.height);
            let has_better_txs = if was_bare { prepared.bare.is_empty() } else { new_txs < old_txs };
            let has_better_receipts = new_receipts < old_receipts || was_below && new_receipts == 0;
            if has_better_txs {
                let sequences = KeySpan { low: first - 1, high: first.saturating_add(integer(block.tx_count)) };
                write::forget(connection, KeySpan { low: height - 1, high: height + 1 }, sequences)?;
                write::insert(connection, prepared, first)?;
                // The events of a block without results were unknown.
                if was_bare {
                    state::follow_either_way(connection, prepared, self.vm)?;
                }
            }
            if has_better_receipts {
                evm::replace_receipts(connection, &prepared.receipts)?;
            }
            let of = |parts: &[UndecodedPart], part: fn(BlockPart) -> bool| {
                parts.iter().filter(|one| part(one.part)).cloned().collect::<Vec<_>>()
            };
            let mut list = of(if new_txs <= old_txs { &prepared.undecoded } else { &listed }, BlockPart::is_of_txs);
            list.extend(of(if new_receipts <= old_receipts { &prepared.undecoded } else { &listed }, is_receipts));
            if has_better_receipts {
                let (part, reason) = (BlockPart::CallFrames, LackReason::Refused);
                let cause = "the receipts of the block came later".to_owned();
                list.push(UndecodedPart { height: block.height, part, index: None, cause: cause.into(), reason });
            } else {
                list.extend(of(&listed, |part| part == BlockPart::CallFrames));
            }
            undecoded::forget_list(connection, height)?;
            undecoded::insert(connection, &list)?;
            let is_changed = has_better_txs || has_better_receipts;
            if is_changed {
                undecoded::count_mended(connection, height)?;
            }
            Ok(BlockReplacement { is_changed, needs_traces: has_better_receipts })
        })
    }

    /// Replaces the call frames of a traced block, and lists what they lack.
    pub fn replace_traces(
        &self,
        branch: ChainBranch,
        height: Height,
        traces: &EvmTraces,
        lacking: &[UndecodedPart],
    ) -> Result<(), IndexError> {
        self.write_on(branch, |connection| {
            if !evm::replace_traces(connection, height, traces)? {
                return Ok(());
            }
            let mut kept = undecoded::of_block(connection, integer(height.get()))?;
            kept.retain(|part| part.part != BlockPart::CallFrames);
            undecoded::forget_list(connection, integer(height.get()))?;
            undecoded::insert(connection, kept.iter().chain(lacking))
        })
    }
}

/// What became of a stored block.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BlockReplacement {
    pub is_changed: bool,
    /// Whether the block has other receipts now, whose call frames are unknown.
    pub needs_traces: bool,
}

pub(super) fn lacking(connection: &Connection, limit: usize) -> Result<LackingParts, IndexError> {
    let parts = undecoded::all(connection)?;
    let is_waiting = parts.iter().any(|part| part.reason == LackReason::Waiting);
    // Single receipts and call frames are no whole part.
    let is_form = |part: &UndecodedPart| part.reason.is_form() && (part.index.is_none() || part.part.is_of_txs());
    let (undecoded, left_out): (Vec<_>, Vec<_>) = parts.into_iter().partition(is_form);
    let newest = |parts: Vec<UndecodedPart>| (parts.len() as u64, parts.into_iter().take(limit).collect());
    Ok(LackingParts {
        undecoded: newest(undecoded),
        left_out: newest(left_out),
        floors: undecoded::floors(connection)?,
        is_waiting,
    })
}

fn lack_of(
    connection: &Connection,
    height: Height,
    part: BlockPart,
    place: Option<u64>,
) -> Result<Option<PartLack>, IndexError> {
    let floor = undecoded::floors(connection)?.into_iter().find(|floor| floor.part == part && floor.height > height);
    if let Some(floor) = floor {
        return Ok(Some(PartLack::BelowFloor(floor)));
    }
    let is_such = |found: &UndecodedPart| {
        found.part == part && (found.index.is_none() || place.is_some() && found.index == place)
    };
    Ok(undecoded::of_block(connection, integer(height.get()))?.into_iter().find(is_such).map(PartLack::LeftOut))
}
