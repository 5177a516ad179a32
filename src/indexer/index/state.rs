//! State beside the blocks: NFTs and holders. It starts with the node's current state, and newer blocks change it by
//! their events; older blocks do not change it.

use std::sync::{PoisonError, atomic::Ordering};

use crate::indexer::index::dialect::Connection;
use rusqlite::params;

use super::{
    AccountRules, Index, IndexError, IndexFeed, ORIGIN, TxSelection, balances, evm,
    gaps::{self, BlockGaps},
    holders::{self, HolderSnapshot},
    integer, meta,
    nft::{self, Existing, UnknownNft},
    prepare::Prepared,
    query, undecoded, unsigned,
};
use crate::{
    domain::{Address, Height, Vm},
    indexer::source::{OwnedNft, Source},
    wire::{BlockGap, BlockPart, LackReason, UndecodedPart},
};

const HEIGHT: &str = "nft height";

/// Key of the lowest block's parent hash.
pub(super) const LOWEST_PARENT: &str = "lowest parent";

impl Index {
    /// Sets the lag of the rich list, in blocks.
    #[must_use]
    pub fn with_rich_list_lag(self, blocks: u64) -> Self {
        Self { rich_list_lag: blocks, ..self }
    }

    /// Imports one missing piece of the node's state: all NFTs, or some holders of a token. Blocks may be written
    /// between two pieces.
    ///
    /// Returns false if nothing is missing. The node's newest block must be at least as high as in all earlier
    /// responses to this index.
    pub fn take_state(&self, source: &dyn Source, rich_list: bool) -> Result<bool, IndexError> {
        let is_taken = self.take_piece(source, rich_list)?;
        self.set_state(!is_taken);
        Ok(is_taken)
    }

    /// Whether the last import found the node's state complete.
    pub fn has_state(&self) -> bool {
        self.has_state.load(Ordering::Acquire)
    }

    pub fn has_nfts(&self) -> Result<bool, IndexError> {
        // A node's blocks determine NFTs from the first stored block on.
        Ok(self.feed == IndexFeed::Node || self.database.read(height)?.is_some())
    }

    fn take_piece(&self, source: &dyn Source, rich_list: bool) -> Result<bool, IndexError> {
        let Some(tip) = source.tip() else { return Ok(false) };
        let Some(held) = self.database.read(height)? else {
            self.database.write(|connection| {
                nft::snapshot(connection, source)?;
                set_height(connection, tip)
            })?;
            self.followed.store(tip.get(), Ordering::Release);
            return Ok(true);
        };
        if !rich_list {
            return Ok(false);
        }
        let mut taking = self.taking.lock().unwrap_or_else(PoisonError::into_inner);
        // After an error, the list starts again.
        if let Some(mut token) = taking.take() {
            let is_whole = self.database.write(|connection| token.go_on(connection))?;
            *taking = Some(token).filter(|_| !is_whole);
            return Ok(true);
        }
        // Blocks between the node's height and this height would change the new list, but are not read again.
        if tip < held {
            return Ok(false);
        }
        let listed = self.database.read(holders::listed)?;
        let Some(token) = source.tokens().into_iter().find(|token| !listed.contains(&token.denom)) else {
            return Ok(false);
        };
        let found = source.holders(&token.denom);
        *taking = Some(self.database.write(|connection| HolderSnapshot::begin(connection, &token, found, tip))?);
        Ok(true)
    }

    /// Deletes the rich list, which would become outdated without updates.
    pub fn forget_rich_list(&self) -> Result<(), IndexError> {
        *self.taking.lock().unwrap_or_else(PoisonError::into_inner) = None;
        self.database.write(holders::clear)
    }

    /// Returns the height at which the rich list is complete; `None` while incomplete.
    pub fn rich_list_height(&self) -> Result<Option<Height>, IndexError> {
        self.database.read(|connection| rich_list_height(connection, self.feed))
    }

    /// Sets whether the required state is complete.
    pub fn set_state(&self, is_whole: bool) {
        self.set_flag(&self.has_state, is_whole);
    }

    /// Returns the collections in these blocks that the index does not know, each with a block that names it.
    pub fn unknown_collections(&self, prepared: &Prepared) -> Result<Vec<(Address, Height)>, IndexError> {
        self.database.read(|connection| nft::unknown_collections(connection, prepared))
    }

    /// Returns the NFTs in these blocks that the index does not know; only of known collections.
    pub fn unknown_nfts(&self, prepared: &Prepared) -> Result<Vec<UnknownNft>, IndexError> {
        self.database.read(|connection| nft::unknown_nfts(connection, prepared))
    }

    /// Returns the NFTs restored after a rollback whose data was never requested from the node.
    pub fn unnamed_nfts(&self) -> Result<Vec<UnknownNft>, IndexError> {
        self.database.read(nft::unnamed)
    }

    /// Stores the node's data on NFTs from [`Self::unnamed_nfts`].
    pub fn name_nfts(&self, asked: &[UnknownNft], found: &[OwnedNft]) -> Result<(), IndexError> {
        self.database.write(|connection| nft::name(connection, asked, found))
    }

    /// Returns the selection of an existing NFT's transactions; `None` without transactions. On Move, these are its
    /// object's transactions.
    pub fn nft_scope(
        &self,
        collection: &Address,
        token_id: &str,
        rules: AccountRules,
    ) -> Result<Option<TxSelection>, IndexError> {
        self.database.read(|connection| {
            Ok(match nft::existing(connection, collection, token_id)? {
                None => None,
                Some(Existing { object: Some(object) }) if self.vm == Vm::Move => {
                    Some(TxSelection::Account(object, rules))
                }
                Some(_) => nft::edge_key(connection, collection, token_id)?.map(TxSelection::Nft),
            })
        })
    }
}

/// Returns the height at which the rich list is complete; `None` while incomplete.
pub(super) fn rich_list_height(connection: &Connection, feed: IndexFeed) -> Result<Option<Height>, IndexError> {
    match feed {
        IndexFeed::Node => balances::height(connection),
        IndexFeed::Simulation if holders::has_list(connection)? => holders::height(connection),
        IndexFeed::Simulation => Ok(None),
    }
}

/// Returns the height of the NFTs; `None` before the snapshot.
pub(super) fn height(connection: &Connection) -> Result<Option<Height>, IndexError> {
    let kept = meta::load(connection, HEIGHT)?.and_then(|bytes| String::from_utf8(bytes).ok());
    Ok(kept.and_then(|text| Height::new(text.parse().ok()?)))
}

pub(super) fn set_height(connection: &Connection, height: Height) -> Result<(), IndexError> {
    meta::save(connection, HEIGHT, height.to_string().as_bytes())
}

/// Applies prepared blocks that are newer than the state.
pub(super) fn follow_upwards(connection: &Connection, prepared: &Prepared, lag: u64) -> Result<(), IndexError> {
    let Some(held) = height(connection)? else { return Ok(()) };
    let newer = || prepared.blocks.iter().filter(|block| block.height > held);
    for block in newer() {
        nft::follow_upwards(connection, &block.changes.nfts, &prepared.facts, block.height, block.time)?;
    }
    holders::follow(connection, newer().map(|block| (block.height, block.changes.coins.as_slice())), lag)?;
    match newer().next_back() {
        Some(newest) => set_height(connection, newest.height),
        None => Ok(()),
    }
}

/// Fails if one of these blocks contradicts a stored neighbour by its parent hash.
pub(super) fn check_parents(connection: &Connection, prepared: &Prepared) -> Result<(), IndexError> {
    let mut below = match prepared.blocks.first().and_then(|first| first.height.previous()) {
        Some(below) => query::block_hash(connection, below)?,
        None => None,
    };
    for block in &prepared.blocks {
        if block.previous_hash.zip(below).is_some_and(|(named, held)| named != held) {
            return Err(IndexError::OtherParent(block.height));
        }
        below = Some(block.hash);
    }
    let last = prepared.blocks.last().map(|last| last.height);
    if let (Some(above), Some(lowest)) = (last.map(Height::next), meta::load(connection, LOWEST_PARENT)?)
        && query::bounds(connection)?.is_some_and(|held| held.from == above)
        && below.is_some_and(|below| below.bytes().as_slice() != lowest)
    {
        return Err(IndexError::OtherParent(above));
    }
    Ok(())
}

/// Applies prepared blocks in any order: the highest block determines an NFT's state.
pub(super) fn follow_either_way(connection: &Connection, prepared: &Prepared, vm: Vm) -> Result<(), IndexError> {
    for block in &prepared.blocks {
        nft::follow_either_way(connection, &block.changes.nfts, &prepared.facts, block.height, block.time)?;
    }
    nft::find_makers(connection, prepared, vm)?;
    if vm == Vm::Move && prepared.is_older {
        nft::raise_mutated(connection)?;
    }
    let (Some(first), Some(last)) = (prepared.blocks.first(), prepared.blocks.last()) else { return Ok(()) };
    balances::add_parties(connection, prepared)?;
    let held = query::bounds(connection)?;
    if let Some(hash) = first.previous_hash.filter(|_| held.is_some_and(|held| held.from == first.height)) {
        meta::save(connection, LOWEST_PARENT, hash.bytes())?;
    }
    if height(connection)?.is_none_or(|held| held < last.height) {
        set_height(connection, last.height)?;
        // Balances that were queried later already include older blocks.
        balances::touch(connection, prepared)?;
    }
    Ok(())
}

/// Adds a gap above the newest block. What follows from all blocks is no longer known: the holders of all tokens are
/// queried again, and call frames that were to come for the blocks below are lost with the pruned state.
pub(super) fn open_gap(connection: &Connection, vm: Vm, from: Height, to: Height) -> Result<(), IndexError> {
    let BlockGaps(mut gaps) = gaps::load(connection)?;
    gaps.push(BlockGap { from, to });
    gaps::save(connection, &gaps)?;
    let due = integer(to.next().get());
    connection.execute("UPDATE balance_account SET due = MIN(COALESCE(due, ?1), ?1)", [due])?;
    connection.execute("UPDATE rich_token SET is_whole = 0", [])?;
    meta::remove(connection, holders::WHOLE)?;
    meta::remove(connection, holders::PARTIES)?;
    set_height(connection, to)?;
    if vm == Vm::Evm { end_traces(connection) } else { Ok(()) }
}

/// Gives up the call frames that the stored blocks lack.
fn end_traces(connection: &Connection) -> Result<(), IndexError> {
    let lost = "SELECT height FROM evm_block
                WHERE count > 0 AND height NOT IN (SELECT height FROM evm_trace_block) ORDER BY height";
    let mut statement = connection.prepare_cached(lost)?;
    let rows = statement.query_map([], |row| row.get::<i64>(0))?;
    let part = |height: i64| {
        let height = Height::new(unsigned(height)).ok_or(IndexError::Body)?;
        let cause = "the node pruned the block before its call frames were read".to_owned();
        Ok(UndecodedPart {
            height,
            part: BlockPart::CallFrames,
            index: None,
            cause: cause.into(),
            reason: LackReason::Refused,
        })
    };
    let parts = rows.map(|height| part(height?)).collect::<Result<Vec<_>, IndexError>>()?;
    undecoded::insert(connection, &parts)?;
    let (from, first, next) = evm::traced_sequences(connection)?.unwrap_or((0, ORIGIN, ORIGIN));
    connection.execute(
        "INSERT INTO evm_trace_block SELECT height, CASE WHEN height < ?1 THEN ?2 ELSE ?3 END, 0 FROM block
         WHERE height NOT IN (SELECT height FROM evm_trace_block)",
        params![from, first, next],
    )?;
    Ok(())
}
