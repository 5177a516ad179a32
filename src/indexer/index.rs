//! SQLite index of a chain, with a delay of its own; every list is a keyset query.
//!
//! The index holds a contiguous range of blocks, `from` to `tip`, and grows at both ends in chunks. On request it goes
//! on above blocks that the node had pruned (`gaps`). Ingesting updates counters, which provide totals without counting
//! rows.

mod backup;
mod balances;
mod changes;
mod codec;
mod contract_tokens;
mod copy;
mod database;
mod decode_again;
mod dialect;
mod direct;
mod evm;
mod externals;
mod filling;
mod gaps;
mod holders;
mod keyset;
mod members;
mod meta;
mod migrate;
mod model;
mod nft;
mod packets;
mod page;
mod place;
#[cfg(feature = "postgres")]
mod postgres;
mod prepare;
mod query;
mod reader;
mod schema;
mod select;
#[cfg(feature = "postgres")]
mod shared;
mod sql;
mod state;
mod status;
mod stores;
mod undecoded;
mod undo;
mod version;
mod write;

pub use backup::{BackupError, back_up};
pub use balances::{AccountBalances, DueBalances};
pub use copy::CopyStep;
pub use decode_again::{BlockReplacement, LackingParts, PartLack};
pub use direct::{
    NftStep, block_record, call_records, nft_steps, receipt_accounts, receipt_records, tx_record, used_stores,
};
pub(super) use evm::bloom_of;
pub use evm::{FoundInternalTxs, FoundReceipts, InternalTxSelection, ReceiptSelection, TracedBlocks};
pub use gaps::BlockGaps;
pub use holders::TokenKey;
pub use keyset::{KeysetPage, KeysetPosition, KeysetPrevious, Seek};
pub(super) use members::address_of_digits;
pub use members::{AccountRole, AccountRules, account_roles};
pub use model::{Bounds, ChainBranch, IndexError, IndexFeed, IndexIdentity};
pub use nft::{CollectionSelection, NftKey, SeenCollection, TokenSelection, TokenSorting, UnknownNft, sought};
pub use packets::PacketHash;
pub use page::{Neighbours, PageRange, Previous};
pub use place::{ChainPlace, RecordKind};
#[cfg(feature = "postgres")]
pub use postgres::{Lease, LeaseError, PostgresError, PostgresUrl};
pub use prepare::Prepared;
pub use query::{FoundBlocks, TxOfHash};
pub use select::{FoundTxs, TxSelection};
pub use sql::{
    EffectsOfRecord, RangeEnds, SQL_VIEWS, SqlColumn, SqlError, SqlKind, SqlLimits, SqlReader, SqlSink, SqlValue,
    SqlView, StoreSnapshot, StoreTables, server_views,
};
pub use status::IndexStatus;
pub use undecoded::BareBlock;

use std::{
    path::{Path, PathBuf},
    sync::{
        Mutex, OnceLock, PoisonError,
        atomic::{AtomicBool, AtomicU64, Ordering},
        mpsc,
    },
    thread,
};

use alloy_primitives::hex;

use self::{
    codec::Codec,
    database::Database,
    model::{FileReader, ORIGIN, integer, unsigned},
    page::KeySpan,
};
use super::source::CommittedBlock;
use crate::indexer::index::dialect::Connection;
use crate::{
    domain::{Address, Amount, BlockHash, Denom, Height, MsgType, Timestamp, TxHash, Vm},
    files::FileLock,
    proof::{self, TxResult},
    wire::{Block, Collection, Holder, Token, Tx},
};

/// Maximum blocks in memory, even if the blocks have few transactions.
const KEPT_BLOCKS: u64 = 100_000;

/// Maximum bytes of an in-memory database, even with few transactions.
const KEPT_BYTES: i64 = 110 << 20;

/// Index of one chain, in memory or in a file. Supports concurrent reads and writes.
#[derive(Debug)]
pub struct Index {
    database: Database,
    path: Option<PathBuf>,
    /// Lock on the file; dropped after the database.
    lock: Mutex<Option<FileLock>>,
    codec: OnceLock<Codec>,
    /// Codec for bodies before a dictionary exists.
    plain: Codec,
    /// Maximum transactions; `None` keeps all, as in a file.
    keep: Option<u64>,
    vm: Vm,
    feed: IndexFeed,
    chain_id: Mutex<String>,
    /// Lowest available or wanted block: the history is complete when it reaches this block.
    floor: AtomicU64,
    /// Whether the in-memory database is or was at its maximum size; the index then adds no older blocks.
    is_heavy: AtomicBool,
    was_heavy: AtomicBool,
    /// Height above which blocks change NFTs and holders.
    followed: AtomicU64,
    /// Times that stored blocks were removed.
    branch: AtomicU64,
    rich_list_lag: u64,
    /// Token whose holders are being imported.
    taking: Mutex<Option<holders::HolderSnapshot>>,
    /// Whether the node's state was complete at the last check.
    has_state: AtomicBool,
    /// Whether the node cannot trace, so that no call frames will follow.
    is_untraced: AtomicBool,
    /// State of an index that another process writes.
    reader: Option<FileReader>,
}

impl Index {
    /// Creates an empty in-memory index of the newest `keep` transactions. It drops only whole blocks, so it keeps
    /// slightly more.
    pub fn in_memory(identity: &IndexIdentity, keep: u64) -> Result<Self, IndexError> {
        Self::open(Database::memory()?, identity, Some(keep))
    }

    /// Opens or creates the index in a file; an index in a file never drops blocks.
    pub fn in_file(path: &Path, identity: &IndexIdentity) -> Result<Self, IndexError> {
        Self::in_locked_file(path, FileLock::take(path)?, identity)
    }

    /// Opens a file whose lock the caller already holds. A file of an older format is converted first.
    pub fn in_locked_file(path: &Path, lock: FileLock, identity: &IndexIdentity) -> Result<Self, IndexError> {
        migrate::migrate(path, identity)?;
        let index = Self { path: Some(path.to_owned()), ..Self::open(Database::file(path)?, identity, None)? };
        *index.lock.lock().unwrap_or_else(PoisonError::into_inner) = Some(lock);
        Ok(index)
    }

    /// Closes the index: merges the write-ahead log into the file and releases it. Later reads and writes fail.
    pub fn close(&self) {
        self.database.close();
        *self.lock.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }

    fn open(database: Database, identity: &IndexIdentity, keep: Option<u64>) -> Result<Self, IndexError> {
        let opened = database.write(|connection| {
            schema::open(connection, identity)?;
            Ok((meta::load(connection, "dictionary")?, state::height(connection)?))
        });
        // A file of another chain must stay one file.
        let (dictionary, followed) = opened.inspect_err(|_| database.close())?;
        let index = Self::over(database, identity.vm, identity.feed, keep)?;
        if let Some(dictionary) = dictionary {
            let kept = Codec::new(dictionary)?;
            index.codec.get_or_init(|| kept);
        }
        if let Some(followed) = followed.filter(|_| identity.feed == IndexFeed::Simulation) {
            index.followed.store(followed.get(), Ordering::Release);
        }
        index.database.write(|connection| {
            filling::fill(connection, index.codec(), &[packets::FILLED, contract_tokens::FILLED])
        })?;
        Ok(index)
    }

    fn over(database: Database, vm: Vm, feed: IndexFeed, keep: Option<u64>) -> Result<Self, IndexError> {
        // Changes from a node's blocks count from the first block on, in any order.
        let unfollowed = if feed == IndexFeed::Node { 0 } else { u64::MAX };
        Ok(Self {
            database,
            path: None,
            lock: Mutex::default(),
            codec: OnceLock::new(),
            plain: Codec::new(Vec::new())?,
            keep,
            vm,
            feed,
            chain_id: Mutex::default(),
            floor: AtomicU64::new(Height::FIRST.get()),
            is_heavy: AtomicBool::new(false),
            was_heavy: AtomicBool::new(false),
            followed: AtomicU64::new(unfollowed),
            branch: AtomicU64::new(0),
            rich_list_lag: 0,
            taking: Mutex::default(),
            has_state: AtomicBool::new(false),
            is_untraced: AtomicBool::new(false),
            reader: None,
        })
    }

    /// Returns one of the chain's [`IndexIdentity::facts`] from a file; `None` for a new file.
    pub fn fact_of(path: &Path, name: &str) -> Result<Option<String>, IndexError> {
        if !path.exists() {
            return Ok(None);
        }
        let file = rusqlite::Connection::open(path)?;
        let connection = Connection::Sqlite(&file);
        if meta::format_of(&connection)?.is_none() {
            return Ok(None);
        }
        let kept = meta::load(&connection, name)?;
        Ok(kept.and_then(|text| String::from_utf8(text).ok()))
    }

    /// Sets the chain id; fails if the file belongs to another chain.
    pub fn claim(&self, chain_id: &str) -> Result<(), IndexError> {
        self.database.write(|connection| meta::claim(connection, "chain id", chain_id))?;
        let _change = self.database.changes.begin();
        chain_id.clone_into(&mut self.chain_id.lock().unwrap_or_else(PoisonError::into_inner));
        Ok(())
    }

    /// Returns the chain id that [`Index::claim`] set; empty before.
    pub fn chain_id(&self) -> String {
        self.chain_id.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub fn vm(&self) -> Vm {
        self.vm
    }

    /// Returns the denoms of a page of the known token contracts, and the number of all.
    pub fn contract_tokens(&self, limit: u16, offset: u64, descending: bool) -> Result<(Vec<Denom>, u64), IndexError> {
        self.database.read(|connection| contract_tokens::page(connection, limit, offset, descending))
    }

    /// Returns the range of stored blocks; `None` if the index is empty.
    pub fn bounds(&self) -> Result<Option<Bounds>, IndexError> {
        self.database.read(query::bounds)
    }

    /// Returns what keeps the store from being written for now, such as a full disk; from memory.
    pub(crate) fn store_trouble(&self) -> Option<String> {
        self.database.trouble()
    }

    /// Whether the index would drop older blocks.
    pub fn is_full(&self, bounds: &Bounds) -> bool {
        let is_enough = |keep| bounds.txs() >= keep || bounds.blocks() >= KEPT_BLOCKS;
        bounds.from.get() <= self.floor.load(Ordering::Acquire)
            || self.keep.is_some_and(is_enough)
            || self.was_heavy.load(Ordering::Acquire)
    }

    /// Sets the lowest available or wanted block; the history is complete when it reaches this block.
    pub fn set_floor(&self, floor: Height) {
        if self.floor.load(Ordering::Acquire) != floor.get() {
            let _change = self.database.changes.begin();
            self.floor.store(floor.get(), Ordering::Release);
        }
    }

    /// Sets a flag that answers depend on.
    fn set_flag(&self, flag: &AtomicBool, value: bool) {
        if flag.load(Ordering::Acquire) != value {
            let _change = self.database.changes.begin();
            flag.store(value, Ordering::Release);
        }
    }

    /// Whether reading waits for a server: then no read belongs on a thread of a runtime.
    pub(crate) fn is_on_server(&self) -> bool {
        self.database.is_on_server()
    }

    /// Returns the version of all that answers depend on: it rises with each change. `None` during a change.
    pub(crate) fn version(&self) -> Option<u64> {
        match &self.reader {
            // Whoever may wait for the server takes up its changes.
            Some(reader) if self.is_on_server() => reader.is_current.load(Ordering::Acquire).then_some(())?,
            _ => self.refresh().ok()?,
        }
        self.database.changes.version()
    }

    /// Returns the offset between the index's sequence numbers and the chain's own, which start at 1; `None` until the
    /// history reaches the first block.
    pub fn offset(&self, bounds: &Bounds) -> Option<u64> {
        match self.feed {
            IndexFeed::Simulation => Some(0),
            IndexFeed::Node => {
                (bounds.from == Height::FIRST && bounds.missing == 0).then(|| bounds.first_sequence.saturating_sub(1))
            }
        }
    }

    pub fn feed(&self) -> IndexFeed {
        self.feed
    }

    /// Returns the lowest block of an index with these bounds while older blocks are still missing.
    pub fn oldest_so_far(&self, bounds: Option<Bounds>) -> Option<Height> {
        bounds.filter(|held| held.from > Height::FIRST && !self.is_full(held)).map(|held| held.from)
    }

    /// Parses ascending, contiguous blocks and does all work that needs no database.
    ///
    /// `previous` is the time of the block before the first; `None` for the chain's first block.
    pub fn prepare(&self, blocks: Vec<CommittedBlock>, previous: Option<Timestamp>) -> Result<Prepared, IndexError> {
        let codec = match self.codec.get() {
            Some(codec) => codec,
            None => match prepare::train(&blocks)? {
                Some(codec) => self.codec.get_or_init(|| codec),
                None => &self.plain,
            },
        };
        Prepared::new(blocks, previous, codec, self.vm, self.followed.load(Ordering::Acquire))
    }

    /// Writes prepared blocks: above the newest block, below the oldest, or as the first blocks.
    pub fn write(&self, prepared: &Prepared) -> Result<(), IndexError> {
        let (Some(first), Some(last)) = (prepared.blocks.first(), prepared.blocks.last()) else { return Ok(()) };
        self.database.write(|connection| {
            if prepared.is_older && query::bounds(connection)?.is_none_or(|held| last.height.next() != held.from) {
                return Err(IndexError::Gap(last.height, last.height, first.height));
            }
            if let Some(held) = query::bounds(connection)?
                && first.height != held.tip.next()
                && last.height.next() != held.from
            {
                match first.height.previous().filter(|below| prepared.may_leave_gap && *below > held.tip) {
                    Some(below) => state::open_gap(connection, self.vm, held.tip.next(), below)?,
                    None => return Err(IndexError::Gap(held.from, held.tip, first.height)),
                }
            }
            if !prepared.txs.is_empty()
                && let Some(codec) = self.codec.get()
                && meta::load(connection, "dictionary")?.is_none()
            {
                meta::save(connection, "dictionary", codec.dictionary())?;
            }
            let base = match query::bounds(connection)? {
                _ if !prepared.is_unnumbered => 0,
                None => ORIGIN,
                Some(held) if first.height > held.tip => integer(held.next_sequence),
                Some(held) => integer(held.first_sequence).saturating_sub(integer(prepared.numbers)),
            };
            if self.feed == IndexFeed::Node {
                state::check_parents(connection, prepared)?;
            }
            write::insert(connection, prepared, base)?;
            evm::insert(connection, &prepared.receipts)?;
            match self.feed {
                IndexFeed::Simulation => state::follow_upwards(connection, prepared, self.rich_list_lag)?,
                IndexFeed::Node => {
                    state::follow_either_way(connection, prepared, self.vm)?;
                    self.save_flags(connection)?;
                }
            }
            self.weigh(connection)
        })
    }

    /// Writes chunks while `chunks` prepares the next chunk on this thread.
    ///
    /// After an error, the earlier chunks are written.
    pub fn write_all<E: From<IndexError>>(&self, chunks: impl Iterator<Item = Result<Prepared, E>>) -> Result<(), E> {
        thread::scope(|scope| {
            let (sender, receiver) = mpsc::sync_channel::<Prepared>(1);
            let writer = scope.spawn(move || receiver.iter().try_for_each(|prepared| self.write(&prepared)));
            let mut result = Ok(());
            for chunk in chunks {
                match chunk {
                    Ok(prepared) => {
                        // The code below reports the writer's own error.
                        if sender.send(prepared).is_err() {
                            break;
                        }
                    }
                    Err(error) => {
                        result = Err(error);
                        break;
                    }
                }
            }
            drop(sender);
            writer.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))?;
            result
        })
    }

    pub fn ingest(&self, blocks: Vec<CommittedBlock>, previous: Option<Timestamp>) -> Result<(), IndexError> {
        self.write(&self.prepare(blocks, previous)?)
    }

    /// Drops the oldest blocks beyond the limit, in batches.
    pub fn prune(&self) -> Result<(), IndexError> {
        let (Some(keep), Some(held)) = (self.keep, self.bounds()?) else { return Ok(()) };
        let is_heavy = self.is_heavy.load(Ordering::Acquire);
        if !is_heavy && held.txs() <= keep + keep / 40 && held.blocks() <= KEPT_BLOCKS + KEPT_BLOCKS / 40 {
            return Ok(());
        }
        // A database above its maximum size loses a tenth of its transactions.
        let keep = if is_heavy { keep.min(held.txs() - held.txs() / 10) } else { keep };
        self.database.write(|connection| {
            let Some(held) = query::bounds(connection)? else { return Ok(()) };
            let oldest_kept = integer(held.next_sequence.saturating_sub(keep));
            let floor = integer(held.tip.get().saturating_sub(KEPT_BLOCKS - 1));
            let (height, sequence): (i64, i64) = connection.query_row(
                "SELECT height, first_sequence FROM block
                 WHERE height >= ?1 AND (first_sequence + tx_count > ?2 OR height = ?3) ORDER BY height LIMIT 1",
                [floor, oldest_kept, integer(held.tip.get())],
                |row| Ok((row.get(0)?, row.get(1)?)),
            )?;
            let heights = KeySpan::below(height);
            evm::forget(connection, heights)?;
            write::forget(connection, heights, KeySpan::below(sequence))?;
            meta::remove(connection, state::LOWEST_PARENT)?;
            self.weigh(connection)
        })
    }

    /// Checks the size of the in-memory database.
    fn weigh(&self, connection: &Connection) -> Result<(), IndexError> {
        if self.keep.is_none() {
            return Ok(());
        }
        let number = |pragma: &str| connection.query_row(pragma, [], |row| row.get::<i64>(0));
        let pages = number("PRAGMA page_count")? - number("PRAGMA freelist_count")?;
        let is_heavy = pages.saturating_mul(number("PRAGMA page_size")?) > KEPT_BYTES;
        self.is_heavy.store(is_heavy, Ordering::Release);
        self.was_heavy.fetch_or(is_heavy, Ordering::AcqRel);
        Ok(())
    }

    pub fn blocks(&self, chain_id: &str, range: &PageRange) -> Result<FoundBlocks, IndexError> {
        let found = self.database.read(|connection| query::blocks(connection, chain_id, range))?;
        Ok(FoundBlocks { oldest: self.oldest_so_far(found.bounds), ..found })
    }

    /// Returns a block; `None` if not stored.
    pub fn block(&self, chain_id: &str, height: Height) -> Result<Option<Block>, IndexError> {
        self.database.read(|connection| query::block(connection, chain_id, height))
    }

    pub fn block_hash(&self, height: Height) -> Result<Option<BlockHash>, IndexError> {
        self.database.read(|connection| query::block_hash(connection, height))
    }

    /// Returns the times of the oldest and the newest of the newest 100 blocks, and the number of intervals between
    /// them.
    pub fn recent_times(&self) -> Result<Option<(Timestamp, Timestamp, i64)>, IndexError> {
        self.database.read(query::recent_times)
    }

    fn codec(&self) -> &Codec {
        self.codec.get().unwrap_or(&self.plain)
    }

    /// Returns the JSON of a transaction; `None` if not stored. Of several records of one hash, returns the one that
    /// was carried out, else the newest.
    pub fn tx(&self, hash: &TxHash) -> Result<Option<Vec<u8>>, IndexError> {
        Ok(query::told(self.txs_of(hash)?).map(|record| record.json))
    }

    /// Returns the records of a hash, oldest first.
    pub fn txs_of(&self, hash: &TxHash) -> Result<Vec<TxOfHash>, IndexError> {
        self.database.read(|connection| query::txs_of(connection, self.codec(), hash))
    }

    /// Returns a page of transactions with a message of one of these types (empty: all), counted on request.
    pub fn txs(
        &self,
        scope: TxSelection,
        message_types: &[MsgType],
        range: &PageRange,
        count: bool,
    ) -> Result<FoundTxs, IndexError> {
        let found = self
            .database
            .read(|connection| select::txs(connection, self.codec(), scope, message_types, range, count))?;
        let oldest = self.oldest_so_far(found.bounds).filter(|oldest| match scope {
            TxSelection::Height(height) => height < *oldest,
            _ => true,
        });
        let offset = found.bounds.and_then(|held| self.offset(&held));
        Ok(FoundTxs { oldest, offset, ..found })
    }

    /// Computes the root of a block's results; `None` if the block has no transactions, or the index not all of them.
    pub fn results_hash(&self, height: Height) -> Result<Option<[u8; 32]>, IndexError> {
        let range = PageRange { limit: u16::MAX, ..PageRange::default() };
        let found = self.txs(TxSelection::Height(height), &[], &range, false)?;
        if found.rows == 0 || found.is_partial || found.neighbours.more {
            return Ok(None);
        }
        let json = [b"[", found.json.as_slice(), b"]"].concat();
        let Ok(txs) = serde_json::from_slice::<Vec<Tx>>(&json) else { return Ok(None) };
        let data: Vec<_> = txs.iter().map(|tx| hex::decode(&tx.data).unwrap_or_default()).collect();
        Ok(Some(proof::results_hash(txs.iter().zip(&data).map(|(tx, data)| TxResult {
            code: tx.code,
            data,
            gas_wanted: tx.gas_wanted.cast_signed(),
            gas_used: tx.gas_used.cast_signed(),
        }))))
    }

    /// Returns a page of collections by height, counted on request. With `keeps_length`, a collection keeps its length
    /// after its last token was burned, as on the real server.
    pub fn collections(
        &self,
        scope: &CollectionSelection,
        seek: &Seek,
        keeps_length: bool,
        count: bool,
    ) -> Result<KeysetPage<Collection>, IndexError> {
        self.database.read(|connection| nft::collections(connection, scope, seek, keeps_length, count))
    }

    /// Returns a collection; `None` if unknown.
    pub fn collection(&self, address: &Address, keeps_length: bool) -> Result<Option<Collection>, IndexError> {
        self.database.read(|connection| nft::collection(connection, address, keeps_length))
    }

    /// Returns the collections above a height, lowest first.
    pub fn recent_collections(&self, above: u64) -> Result<Vec<SeenCollection>, IndexError> {
        self.database.read(|connection| nft::recent_collections(connection, above))
    }

    /// Returns a page of tokens, counted on request. The scope must name an owner or a collection.
    pub fn tokens(
        &self,
        scope: &TokenSelection,
        order: TokenSorting,
        seek: &Seek,
        count: bool,
    ) -> Result<KeysetPage<Token>, IndexError> {
        self.database.read(|connection| nft::tokens(connection, scope, order, seek, count))
    }

    /// Whether a token without a list may have holders: either only some holders were found, or it is a contract that
    /// the bank may not list and not every block is indexed.
    pub fn is_partly_listed(&self, token: &TokenKey) -> Result<bool, IndexError> {
        let is_by_events = self.feed == IndexFeed::Node && matches!(token, TokenKey::Contract(_));
        Ok(is_by_events && !self.has_parties()?
            || self.database.read(|connection| holders::is_partial(connection, token))?)
    }

    /// Returns an account's balances of all tokens with a list.
    pub fn balances(&self, account: &Address) -> Result<Vec<(Denom, Amount)>, IndexError> {
        self.database.read(|connection| holders::balances(connection, account))
    }

    /// Returns a page of a token's holders with its total; `None` without a list.
    pub fn holders(&self, token: &TokenKey, seek: &Seek) -> Result<Option<KeysetPage<Holder>>, IndexError> {
        self.database.read(|connection| holders::page(connection, self.vm, token, seek))
    }

    /// Returns the requested message types that occur in the index.
    pub fn known(&self, message_types: &[MsgType]) -> Result<Vec<MsgType>, IndexError> {
        self.database.read(|connection| select::known(connection, message_types))
    }
}
