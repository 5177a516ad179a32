use crate::indexer::index::dialect::{Connection, OptionalRow as _, StoreRow};
use rusqlite::params;

use super::{
    super::{
        IndexError,
        page::{self, KeyRange, Neighbours, PageRange},
        unsigned,
    },
    record::{ReceiptPlace, internal_tx, on_the_wire, unpack_frames, unpack_receipt},
    sequences::{SequenceRun, hash_key, held, of_block},
};
use crate::{
    domain::{Address, EvmTxHash, Height},
    indexer::source::EvmFrame,
    wire::{EvmTx, InternalTx},
};

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum InternalTxSelection {
    #[default]
    Chain,
    Account(Address),
    Height(Height),
    Tx(EvmTxHash),
}

#[derive(Clone, Debug)]
pub struct FoundReceipts {
    pub txs: Vec<EvmTx>,
    pub neighbours: Neighbours,
    /// Number of matches; `None` if not requested.
    pub total: Option<i64>,
    /// Highest sequence number of all receipts; 0 without receipts.
    pub highest: i64,
    /// Number to subtract from sequence numbers, as in [`crate::indexer::index::Index::offset`].
    pub offset: Option<i64>,
    /// Lowest block read while older blocks are missing; else `None`.
    pub oldest: Option<Height>,
}

#[derive(Clone, Debug)]
pub struct FoundInternalTxs {
    pub txs: Vec<InternalTx>,
    pub neighbours: Neighbours,
    /// Number of matches; `None` if not requested.
    pub total: Option<i64>,
    /// Highest sequence number of all frames; 0 without frames.
    pub highest: i64,
    /// Number to subtract from sequence numbers, as in [`crate::indexer::index::Index::offset`].
    pub offset: Option<i64>,
    /// Lowest block read while older blocks are missing; else `None`.
    pub oldest: Option<Height>,
}

#[derive(Clone, Copy, Debug)]
enum EvmSequences {
    Run(SequenceRun),
    /// Sequence numbers of an account, by the index of `table` on `column`.
    Account {
        table: &'static str,
        column: &'static str,
        id: i64,
        count: i64,
    },
}

impl EvmSequences {
    const NOTHING: Self = Self::Run(SequenceRun { first: 1, next: 1 });

    fn of_run(run: Option<SequenceRun>) -> Self {
        run.map_or(Self::NOTHING, Self::Run)
    }

    /// Returns the number of rows from counters, without reading rows.
    fn count(&self) -> i64 {
        match self {
            Self::Run(run) => run.next - run.first,
            Self::Account { count, .. } => *count,
        }
    }

    fn take(&self, connection: &Connection, take: KeyRange) -> Result<Vec<i64>, IndexError> {
        match self {
            Self::Run(run) => Ok(page::contiguous(run.first, run.next - 1, take)),
            Self::Account { table, column, id, .. } => {
                let order = if take.descending { "DESC" } else { "ASC" };
                let sql = format!(
                    "SELECT sequence FROM {table} WHERE {column} = ?1 AND sequence > ?2 AND sequence < ?3
                     ORDER BY sequence {order} LIMIT ?4 OFFSET ?5"
                );
                let mut statement = connection.prepare_cached(&sql)?;
                let values = params![id, take.span.low, take.span.high, take.limit, take.offset];
                let keys = statement.query_map(values, |row| row.get(0))?;
                Ok(keys.collect::<Result<_, _>>()?)
            }
        }
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ReceiptSelection {
    #[default]
    Chain,
    Account(Address),
    Signer(Address),
    Height(Height),
}

pub(super) fn receipts(
    connection: &Connection,
    scope: ReceiptSelection,
    range: &PageRange,
    count: bool,
) -> Result<FoundReceipts, IndexError> {
    let all = held(connection, "evm_block")?;
    let source = match scope {
        ReceiptSelection::Chain => EvmSequences::of_run(all),
        ReceiptSelection::Height(height) => EvmSequences::of_run(of_block(connection, "evm_block", height)?),
        ReceiptSelection::Account(address) => account(connection, &address, "evm_tx_account", "account", "txs")?,
        ReceiptSelection::Signer(address) => account(connection, &address, "evm_tx", "sender", "sent")?,
    };
    let (keys, neighbours) = page::find(range, |take| source.take(connection, take))?;
    let txs = connection.prepare_cached(RECEIPT)?.query_keys(&keys, read_receipt)?;
    let total = count.then(|| source.count());
    let highest = all.map_or(0, |run| run.next - 1);
    Ok(FoundReceipts { txs, neighbours, total, highest, offset: None, oldest: None })
}

pub(super) fn receipt(connection: &Connection, hash: &EvmTxHash) -> Result<Option<EvmTx>, IndexError> {
    let found = find(connection, hash)?.map(|sequence| [sequence]);
    let read = |keys: [i64; 1]| connection.prepare_cached(RECEIPT)?.query_keys(&keys, read_receipt);
    Ok(found.map(read).transpose()?.and_then(|mut found| found.pop()))
}

/// Returns the block of a receipt and its place there.
pub(super) fn receipt_place(connection: &Connection, hash: &EvmTxHash) -> Result<Option<(Height, u64)>, IndexError> {
    let Some(sequence) = find(connection, hash)? else { return Ok(None) };
    let sql = "SELECT evm_tx.height, evm_tx.sequence - evm_block.first_sequence
               FROM evm_tx JOIN evm_block ON evm_block.height = evm_tx.height WHERE evm_tx.sequence = ?1";
    let read = |row: &StoreRow| Ok((row.get::<i64>(0)?, row.get::<i64>(1)?));
    let (height, place) = connection.prepare_cached(sql)?.query_row([sequence], read)?;
    Ok(Some((height_of(height)?, unsigned(place))))
}

fn find(connection: &Connection, hash: &EvmTxHash) -> Result<Option<i64>, IndexError> {
    let mut statement = connection.prepare_cached("SELECT sequence, body FROM evm_tx WHERE hash_key = ?1")?;
    let mut rows = statement.query([hash_key(hash.bytes())])?;
    while let Some(row) = rows.next()? {
        let body = row.get_ref(1)?.as_blob().map_err(|_| IndexError::Body)?;
        if body.starts_with(hash.bytes()) {
            return Ok(Some(row.get(0)?));
        }
    }
    Ok(None)
}

const RECEIPT: &str = "SELECT evm_tx.sequence, evm_tx.body, evm_tx.height, evm_block.hash
    FROM evm_tx JOIN evm_block ON evm_block.height = evm_tx.height WHERE evm_tx.sequence = ?1";

fn read_receipt(row: &StoreRow) -> Result<EvmTx, IndexError> {
    let receipt = unpack_receipt(row.get_ref(1)?.as_blob().map_err(|_| IndexError::Body)?)?;
    Ok(on_the_wire(receipt, ReceiptPlace { height: height_of(row.get(2)?)?, block_hash: row.get(3)? }))
}

fn height_of(value: i64) -> Result<Height, IndexError> {
    Height::new(unsigned(value)).ok_or(IndexError::Body)
}

fn account(
    connection: &Connection,
    address: &Address,
    table: &'static str,
    column: &'static str,
    counter: &str,
) -> Result<EvmSequences, IndexError> {
    let sql = format!("SELECT id, {counter} FROM evm_account WHERE address = ?1");
    let found: Option<(i64, i64)> = connection
        .prepare_cached(&sql)?
        .query_row([address.bytes()], |row| Ok((row.get(0)?, row.get(1)?)))
        .optional()?;
    Ok(found.map_or(EvmSequences::NOTHING, |(id, count)| EvmSequences::Account { table, column, id, count }))
}

/// Reads a page of call frames; `None` for a transaction that is not stored.
pub(super) fn frames(
    connection: &Connection,
    scope: InternalTxSelection,
    range: &PageRange,
    count: bool,
) -> Result<Option<FoundInternalTxs>, IndexError> {
    let all = held(connection, "evm_trace_block")?;
    let source = match scope {
        InternalTxSelection::Chain => EvmSequences::of_run(all),
        InternalTxSelection::Height(height) => EvmSequences::of_run(of_block(connection, "evm_trace_block", height)?),
        InternalTxSelection::Account(address) => {
            account(connection, &address, "evm_frame_account", "account", "frames")?
        }
        InternalTxSelection::Tx(hash) => match find(connection, &hash)? {
            Some(tx) => EvmSequences::of_run(run_of_tx(connection, tx)?),
            None => return Ok(None),
        },
    };
    let (keys, neighbours) = page::find(range, |take| source.take(connection, take))?;
    let mut trace = None;
    let mut txs = Vec::with_capacity(keys.len());
    for key in keys {
        let current = match trace.take().filter(|trace: &TxFrames| trace.holds(key)) {
            Some(trace) => trace,
            None => read_trace(connection, key)?,
        };
        txs.push(current.frame(key)?);
        trace = Some(current);
    }
    let total = count.then(|| source.count());
    let highest = all.map_or(0, |run| run.next - 1);
    Ok(Some(FoundInternalTxs { txs, neighbours, total, highest, offset: None, oldest: None }))
}

fn run_of_tx(connection: &Connection, tx: i64) -> Result<Option<SequenceRun>, IndexError> {
    let mut statement =
        connection.prepare_cached("SELECT first_sequence, first_sequence + count FROM evm_trace WHERE tx = ?1")?;
    statement.query_row([tx], |row| Ok(SequenceRun { first: row.get(0)?, next: row.get(1)? })).optional()
}

/// Frames of one transaction; a page reads them once.
struct TxFrames {
    first: i64,
    frames: Vec<EvmFrame>,
    height: Height,
    hash: [u8; 32],
}

impl TxFrames {
    /// Returns the frame's position in the transaction; `None` for a frame of another transaction.
    fn index(&self, sequence: i64) -> Option<usize> {
        usize::try_from(sequence.checked_sub(self.first)?).ok().filter(|index| *index < self.frames.len())
    }

    fn holds(&self, sequence: i64) -> bool {
        self.index(sequence).is_some()
    }

    fn frame(&self, sequence: i64) -> Result<InternalTx, IndexError> {
        let index = self.index(sequence).ok_or(IndexError::Body)?;
        internal_tx(&self.frames, index, self.height, self.hash).ok_or(IndexError::Body)
    }
}

/// Reads the trace that contains this sequence number: the last trace that starts at or below it.
fn read_trace(connection: &Connection, sequence: i64) -> Result<TxFrames, IndexError> {
    let mut statement = connection.prepare_cached(
        "SELECT first_sequence, count, trace.body, evm_tx.height, evm_tx.body
         FROM (SELECT * FROM evm_trace WHERE first_sequence <= ?1 ORDER BY first_sequence DESC LIMIT 1) AS trace
         JOIN evm_tx ON evm_tx.sequence = trace.tx",
    )?;
    let mut rows = statement.query([sequence])?;
    let row = rows.next()?.ok_or(IndexError::Body)?;
    let blob = |column| row.get_ref(column)?.as_blob().map_err(|_| IndexError::Body);
    let hash = *blob(4)?.first_chunk().ok_or(IndexError::Body)?;
    let frames = unpack_frames(blob(2)?, unsigned(row.get(1)?))?;
    Ok(TxFrames { first: row.get(0)?, frames, height: height_of(row.get(3)?)?, hash })
}
