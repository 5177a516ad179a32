//! The index: follows the ledger with its own delay and writes `SQLite`; every list is a keyset query.
//!
//! It holds the blocks of one range without a gap, `from` to `tip`. New blocks are put above, older ones below, in
//! chunks; counters are kept at ingest, so a list never counts rows to say its total.

mod balances;
mod changes;
mod codec;
mod database;
mod direct;
mod evm;
mod externals;
mod holders;
mod keyset;
mod members;
mod nft;
mod page;
mod place;
mod prepare;
mod query;
mod schema;
mod select;
mod state;
mod stores;
mod undo;
mod write;

pub use balances::{AccountBalances, DueBalances};
pub use direct::{NftStep, block_record, call_records, nft_steps, receipt_records, tx_record, used_stores};
pub(super) use evm::bloom_of;
pub use evm::{FoundInternalTxs, FoundReceipts, InternalTxSelection, ReceiptSelection, TracedBlocks};
pub use holders::TokenKey;
pub use keyset::{KeysetPage, KeysetPosition, KeysetPrevious, Seek};
pub(super) use members::address_of_digits;
pub use members::{AccountRole, AccountRules, account_roles};
pub use nft::{CollectionSelection, NftKey, SeenCollection, TokenSelection, TokenSorting, UnknownNft, sought};
pub use page::{Neighbours, PageRange, Previous};
pub use place::{ChainPlace, RecordKind};
pub use prepare::Prepared;
pub use query::FoundBlocks;
pub use select::{FoundTxs, TxSelection};

use std::{
    path::{Path, PathBuf},
    sync::{
        Mutex, OnceLock, PoisonError,
        atomic::{AtomicBool, AtomicU64, Ordering},
        mpsc,
    },
    thread,
};

use rusqlite::Connection;

use self::{codec::Codec, database::Database, page::KeySpan};
use super::source::CommittedBlock;
use crate::{
    domain::{Address, Amount, BlockHash, Denom, Height, MsgType, Timestamp, TxHash, Vm},
    files::{FileLock, LockError},
    wire::{Block, Collection, Holder, Token},
};

/// Blocks kept in memory at the most, however few transactions they hold.
const KEPT_BLOCKS: u64 = 100_000;

/// Bytes of the database that are kept in memory at the most, however few transactions they are.
const KEPT_BYTES: i64 = 110 << 20;

/// The first sequence of an index that numbers by itself. Older records get lower ones and newer ones higher: neither end
/// is ever reached.
const ORIGIN: i64 = 1 << 40;

/// Why the index cannot do something.
#[derive(Debug, thiserror::Error)]
pub enum IndexError {
    /// The database failed.
    #[error("the index's database failed: {0}")]
    Database(#[from] rusqlite::Error),
    /// The file holds another chain.
    #[error(
        "the file belongs to another rollup: its {name} is {kept}, not {wanted}; give it the same options or another --data"
    )]
    Belongs {
        /// Which option differs.
        name: &'static str,
        /// As the file has it.
        kept: String,
        /// As it was asked for.
        wanted: String,
    },
    /// Another program has the file, or the system refuses it.
    #[error(transparent)]
    Lock(#[from] LockError),
    /// It was closed.
    #[error("the index is closed")]
    Closed,
    /// A stored body cannot be read.
    #[error("a record of the index is damaged")]
    Body,
    /// A block that the source has shown cannot be read.
    #[error("the chain has lost block {0}")]
    NoBlock(Height),
    /// A block that names another block before it than the one that is held.
    #[error("block {0} does not follow the block that is held below it")]
    OtherParent(Height),
    /// Blocks that do not touch those that are held.
    #[error("the index holds blocks {0} to {1}; block {2} leaves a gap")]
    Gap(Height, Height, Height),
}

/// What an index is fed by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IndexFeed {
    /// A simulation, which knows the number of each of its records.
    Simulation,
    /// A rollup's node, which does not: the index numbers by itself, downwards and upwards from where it began.
    Node,
}

impl IndexFeed {
    /// As files have it.
    fn name(self) -> &'static str {
        match self {
            Self::Simulation => "simulation",
            Self::Node => "node",
        }
    }
}

/// What a file's index must agree with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IndexIdentity {
    /// The virtual machine, which says how blocks are read.
    pub vm: Vm,
    /// What feeds it.
    pub feed: IndexFeed,
    /// What else tells the chain from others, by name: of a simulation the options that fix every byte.
    pub facts: Vec<(&'static str, String)>,
}

/// What an index holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// The oldest block.
    pub from: Height,
    /// The newest block.
    pub tip: Height,
    /// The sequence of the first transaction held.
    pub first_sequence: u64,
    /// The sequence that the next new transaction gets.
    pub next_sequence: u64,
}

impl Bounds {
    /// Blocks held.
    pub fn blocks(&self) -> u64 {
        self.tip.get() - self.from.get() + 1
    }

    /// Transactions held.
    pub fn txs(&self) -> u64 {
        self.next_sequence - self.first_sequence
    }
}

/// The index of one chain, in memory or in a file. It may be read while it is written.
#[derive(Debug)]
pub struct Index {
    database: Database,
    path: Option<PathBuf>,
    /// The file is no other program's as long as this is there; dropped after the database.
    lock: Mutex<Option<FileLock>>,
    codec: OnceLock<Codec>,
    /// Reads and writes bodies as long as nothing is known of them that could be a dictionary.
    plain: Codec,
    /// How many transactions are kept; all of them in a file.
    keep: Option<u64>,
    vm: Vm,
    feed: IndexFeed,
    chain_id: Mutex<String>,
    /// The lowest block that can be had or is wanted; history ends there.
    floor: AtomicU64,
    /// Whether the database in memory is as large as it may be, and whether it ever was: then nothing older is kept.
    is_heavy: AtomicBool,
    was_heavy: AtomicBool,
    /// Blocks above this change NFTs and holders.
    followed: AtomicU64,
    rich_list_lag: u64,
    /// The token whose holders are being taken over.
    taking: Mutex<Option<holders::HolderSnapshot>>,
    /// Whether nothing of the node's state was missing when it was last looked.
    has_state: AtomicBool,
}

impl Index {
    /// An empty index in memory that keeps the newest `keep` transactions (whole blocks, so a few more).
    pub fn in_memory(identity: &IndexIdentity, keep: u64) -> Result<Self, IndexError> {
        Self::open(Database::memory()?, identity, Some(keep))
    }

    /// The index in this file, made if it is missing; it keeps everything.
    pub fn in_file(path: &Path, identity: &IndexIdentity) -> Result<Self, IndexError> {
        Self::in_locked_file(path, FileLock::take(path)?, identity)
    }

    /// The same of a file that was taken before.
    pub fn in_locked_file(path: &Path, lock: FileLock, identity: &IndexIdentity) -> Result<Self, IndexError> {
        let index = Self { path: Some(path.to_owned()), ..Self::open(Database::file(path)?, identity, None)? };
        *index.lock.lock().unwrap_or_else(PoisonError::into_inner) = Some(lock);
        Ok(index)
    }

    /// Ends it: everything is put into the one file, which others may have from then on. Whoever reads or writes
    /// afterwards gets an error.
    pub fn close(&self) {
        self.database.close();
        *self.lock.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }

    fn open(database: Database, identity: &IndexIdentity, keep: Option<u64>) -> Result<Self, IndexError> {
        let opened = database.write(|connection| {
            schema::open(connection, identity)?;
            Ok((schema::load(connection, "dictionary")?, state::height(connection)?))
        });
        // A file of another chain is left as one file.
        let (dictionary, followed) = opened.inspect_err(|_| database.close())?;
        let (codec, plain) = (OnceLock::new(), Codec::new(Vec::new())?);
        if let Some(dictionary) = dictionary {
            let kept = Codec::new(dictionary)?;
            codec.get_or_init(|| kept);
        }
        // What a node's blocks do is followed from the first one that comes, in whichever order.
        let unfollowed = if identity.feed == IndexFeed::Node { 0 } else { u64::MAX };
        let followed = followed.filter(|_| identity.feed == IndexFeed::Simulation);
        let followed = AtomicU64::new(followed.map_or(unfollowed, Height::get));
        let taking = Mutex::default();
        Ok(Self {
            database,
            path: None,
            lock: Mutex::default(),
            codec,
            plain,
            keep,
            vm: identity.vm,
            feed: identity.feed,
            chain_id: Mutex::default(),
            floor: AtomicU64::new(Height::FIRST.get()),
            is_heavy: AtomicBool::new(false),
            was_heavy: AtomicBool::new(false),
            followed,
            rich_list_lag: 0,
            taking,
            has_state: AtomicBool::new(false),
        })
    }

    /// What a file has for one of its chain's [`IndexIdentity::facts`]; `None` in a new file.
    pub fn fact_of(path: &Path, name: &str) -> Result<Option<String>, IndexError> {
        if !path.exists() {
            return Ok(None);
        }
        let connection = Connection::open(path)?;
        let kept = match schema::load(&connection, name) {
            Err(IndexError::Database(rusqlite::Error::SqliteFailure(_, Some(message))))
                if message.starts_with("no such table") =>
            {
                None
            }
            other => other?,
        };
        Ok(kept.and_then(|text| String::from_utf8(text).ok()))
    }

    /// Says which chain it is; fails where the file holds another one.
    pub fn claim(&self, chain_id: &str) -> Result<(), IndexError> {
        self.database.write(|connection| schema::claim(connection, "chain id", chain_id))?;
        chain_id.clone_into(&mut self.chain_id.lock().unwrap_or_else(PoisonError::into_inner));
        Ok(())
    }

    /// The chain as [`Index::claim`] named it; empty before.
    pub fn chain_id(&self) -> String {
        self.chain_id.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The virtual machine.
    pub fn vm(&self) -> Vm {
        self.vm
    }

    /// What it holds; `None` while it is empty.
    pub fn bounds(&self) -> Result<Option<Bounds>, IndexError> {
        self.database.read(query::bounds)
    }

    /// Whether no older block would be kept.
    pub fn is_full(&self, bounds: &Bounds) -> bool {
        let is_enough = |keep| bounds.txs() >= keep || bounds.blocks() >= KEPT_BLOCKS;
        bounds.from.get() <= self.floor.load(Ordering::Acquire)
            || self.keep.is_some_and(is_enough)
            || self.was_heavy.load(Ordering::Acquire)
    }

    /// Says which is the lowest block that can be had or is wanted: history ends there, and is whole with it.
    pub fn set_floor(&self, floor: Height) {
        self.floor.store(floor.get(), Ordering::Release);
    }

    /// What is to be taken off the sequences of transactions to have the chain's own numbers, which begin with 1; `None`
    /// while history does not reach back to the first block, so that nobody knows.
    pub fn offset(&self, bounds: &Bounds) -> Option<u64> {
        match self.feed {
            IndexFeed::Simulation => Some(0),
            IndexFeed::Node => (bounds.from == Height::FIRST).then(|| bounds.first_sequence.saturating_sub(1)),
        }
    }

    /// What feeds it.
    pub fn feed(&self) -> IndexFeed {
        self.feed
    }

    /// The lowest block of an index that holds these, while older ones are still to come; `None` when none will.
    pub fn oldest_so_far(&self, bounds: Option<Bounds>) -> Option<Height> {
        bounds.filter(|held| held.from > Height::FIRST && !self.is_full(held)).map(|held| held.from)
    }

    /// Reads blocks, ascending and without a gap, and does all of the work on them that needs no database.
    ///
    /// `previous` is the time of the block before the first one: `None` for the chain's first.
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

    /// Writes prepared blocks: above the newest, below the oldest, or as the first ones.
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
                return Err(IndexError::Gap(held.from, held.tip, first.height));
            }
            if !prepared.txs.is_empty()
                && let Some(codec) = self.codec.get()
                && schema::load(connection, "dictionary")?.is_none()
            {
                schema::save(connection, "dictionary", codec.dictionary())?;
            }
            let base = match query::bounds(connection)? {
                _ if !prepared.is_unnumbered => 0,
                None => ORIGIN,
                Some(held) if first.height > held.tip => integer(held.next_sequence),
                Some(held) => integer(held.first_sequence).saturating_sub(integer(prepared.txs.len() as u64)),
            };
            if self.feed == IndexFeed::Node {
                state::check_parents(connection, prepared)?;
            }
            write::insert(connection, prepared, base)?;
            evm::insert(connection, &prepared.receipts)?;
            match self.feed {
                IndexFeed::Simulation => state::follow_upwards(connection, prepared, self.rich_list_lag)?,
                IndexFeed::Node => state::follow_either_way(connection, prepared, self.vm)?,
            }
            self.weigh(connection)
        })
    }

    /// Writes chunk after chunk: while one is written, the next one is made ready by `chunks`, on this thread.
    ///
    /// On an error the chunks before it are written.
    pub fn write_all<E: From<IndexError>>(&self, chunks: impl Iterator<Item = Result<Prepared, E>>) -> Result<(), E> {
        thread::scope(|scope| {
            let (sender, receiver) = mpsc::sync_channel::<Prepared>(1);
            let writer = scope.spawn(move || receiver.iter().try_for_each(|prepared| self.write(&prepared)));
            let mut result = Ok(());
            for chunk in chunks {
                match chunk {
                    Ok(prepared) => {
                        // A writer that failed says why below.
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

    /// Reads and writes blocks in one go.
    pub fn ingest(&self, blocks: Vec<CommittedBlock>, previous: Option<Timestamp>) -> Result<(), IndexError> {
        self.write(&self.prepare(blocks, previous)?)
    }

    /// Forgets the oldest blocks that need not be kept. Does nothing until a good number of them has come together.
    pub fn prune(&self) -> Result<(), IndexError> {
        let (Some(keep), Some(held)) = (self.keep, self.bounds()?) else { return Ok(()) };
        let is_heavy = self.is_heavy.load(Ordering::Acquire);
        if !is_heavy && held.txs() <= keep + keep / 40 && held.blocks() <= KEPT_BLOCKS + KEPT_BLOCKS / 40 {
            return Ok(());
        }
        // What weighs too much is made lighter by a tenth.
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
            schema::remove(connection, state::LOWEST_PARENT)?;
            self.weigh(connection)
        })
    }

    /// Looks how large the database in memory is.
    fn weigh(&self, connection: &Connection) -> Result<(), IndexError> {
        if self.keep.is_none() {
            return Ok(());
        }
        let number = |pragma: &str| connection.query_row(pragma, [], |row| row.get::<_, i64>(0));
        let pages = number("PRAGMA page_count")? - number("PRAGMA freelist_count")?;
        let is_heavy = pages.saturating_mul(number("PRAGMA page_size")?) > KEPT_BYTES;
        self.is_heavy.store(is_heavy, Ordering::Release);
        self.was_heavy.fetch_or(is_heavy, Ordering::AcqRel);
        Ok(())
    }

    /// A page of blocks.
    pub fn blocks(&self, chain_id: &str, range: &PageRange) -> Result<FoundBlocks, IndexError> {
        let found = self.database.read(|connection| query::blocks(connection, chain_id, range))?;
        Ok(FoundBlocks { oldest: self.oldest_so_far(found.bounds), ..found })
    }

    /// One block; `None` where it is not held.
    pub fn block(&self, chain_id: &str, height: Height) -> Result<Option<Block>, IndexError> {
        self.database.read(|connection| query::block(connection, chain_id, height))
    }

    /// The hash of a block that is held.
    pub fn block_hash(&self, height: Height) -> Result<Option<BlockHash>, IndexError> {
        self.database.read(|connection| query::block_hash(connection, height))
    }

    /// The times of the oldest and newest of the newest 100 blocks, and the number of intervals between them.
    pub fn recent_times(&self) -> Result<Option<(Timestamp, Timestamp, i64)>, IndexError> {
        self.database.read(query::recent_times)
    }

    /// What bodies are read with.
    fn codec(&self) -> &Codec {
        self.codec.get().unwrap_or(&self.plain)
    }

    /// The JSON of a transaction; `None` where it is not held.
    pub fn tx(&self, hash: &TxHash) -> Result<Option<Vec<u8>>, IndexError> {
        self.database.read(|connection| query::tx(connection, self.codec(), hash))
    }

    /// A page of transactions with one of these message types (empty: all), counted if asked.
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
            TxSelection::Chain | TxSelection::Account(..) | TxSelection::Signer(_) | TxSelection::Nft(_) => true,
        });
        let offset = found.bounds.and_then(|held| self.offset(&held));
        Ok(FoundTxs { oldest, offset, ..found })
    }

    /// A page of collections by height, counted if asked. `keeps_length`: a collection whose last token was burned
    /// keeps its length, as the real server has it.
    pub fn collections(
        &self,
        scope: &CollectionSelection,
        seek: &Seek,
        keeps_length: bool,
        count: bool,
    ) -> Result<KeysetPage<Collection>, IndexError> {
        self.database.read(|connection| nft::collections(connection, scope, seek, keeps_length, count))
    }

    /// One collection; `None` where it is not known.
    pub fn collection(&self, address: &Address, keeps_length: bool) -> Result<Option<Collection>, IndexError> {
        self.database.read(|connection| nft::collection(connection, address, keeps_length))
    }

    /// The collections above a height, lowest first.
    pub fn recent_collections(&self, above: u64) -> Result<Vec<SeenCollection>, IndexError> {
        self.database.read(|connection| nft::recent_collections(connection, above))
    }

    /// A page of tokens, counted if asked. The scope must name an owner or a collection.
    pub fn tokens(
        &self,
        scope: &TokenSelection,
        order: TokenSorting,
        seek: &Seek,
        count: bool,
    ) -> Result<KeysetPage<Token>, IndexError> {
        self.database.read(|connection| nft::tokens(connection, scope, order, seek, count))
    }

    /// Whether a token without a list may have holders all the same: some were found and not all, or it is a contract that
    /// the bank may not know, and not every block was read.
    pub fn is_partly_listed(&self, token: &TokenKey) -> Result<bool, IndexError> {
        let is_by_events = self.feed == IndexFeed::Node && matches!(token, TokenKey::Contract(_));
        Ok(is_by_events && !self.has_parties()?
            || self.database.read(|connection| holders::is_partial(connection, token))?)
    }

    /// What an account holds of every token that has a list.
    pub fn balances(&self, account: &Address) -> Result<Vec<(Denom, Amount)>, IndexError> {
        self.database.read(|connection| holders::balances(connection, account))
    }

    /// A page of a token's holders, always counted; `None` where the token has no list.
    pub fn holders(&self, token: &TokenKey, seek: &Seek) -> Result<Option<KeysetPage<Holder>>, IndexError> {
        self.database.read(|connection| holders::page(connection, self.vm, token, seek))
    }

    /// Which of these message types occur.
    pub fn known(&self, message_types: &[MsgType]) -> Result<Vec<MsgType>, IndexError> {
        self.database.read(|connection| select::known(connection, message_types))
    }
}

/// A number as the database has it; heights and sequences never come near the end.
fn integer(value: u64) -> i64 {
    i64::try_from(value).unwrap_or(i64::MAX)
}

/// A number of the database that is never negative.
fn unsigned(value: i64) -> u64 {
    u64::try_from(value).unwrap_or(0)
}
