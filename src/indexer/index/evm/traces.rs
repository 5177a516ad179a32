use std::collections::BTreeMap;

use crate::indexer::index::dialect::Connection;
use rusqlite::params;

use super::{
    super::{IndexError, gaps, integer, unsigned},
    record::pack_frames,
    sequences::{held, of_block},
    write::{EvmCounts, base_of, count_accounts, forget_frames, insert_edges, make_room},
};
use crate::{
    domain::Height,
    indexer::source::{EvmFrame, EvmTrace, EvmTraces},
};

/// Range of blocks with call frames.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TracedBlocks {
    pub from: Height,
    pub tip: Height,
    /// Whether any of the blocks has a frame.
    pub has_frames: bool,
}

/// Returns the range of blocks with call frames, which has no gaps; `None` if empty.
pub(crate) fn traced(connection: &Connection) -> Result<Option<TracedBlocks>, IndexError> {
    let edge = |sql: &str| -> Result<Option<i64>, IndexError> {
        connection.prepare_cached(sql)?.query_row([], |row| row.get(0))
    };
    let from = edge("SELECT MIN(height) FROM evm_trace_block")?.map(unsigned).and_then(Height::new);
    let tip = edge("SELECT MAX(height) FROM evm_trace_block")?.map(unsigned).and_then(Height::new);
    let has_frames = edge("SELECT MAX(first_sequence) FROM evm_trace")?.is_some();
    Ok(from.zip(tip).map(|(from, tip)| TracedBlocks { from, tip, has_frames }))
}

/// Returns the oldest block with call frames, their first sequence number, and the next; `None` without call frames.
pub(crate) fn traced_sequences(connection: &Connection) -> Result<Option<(i64, i64, i64)>, IndexError> {
    let oldest =
        connection.query_row("SELECT MIN(height) FROM evm_trace_block", [], |row| row.get::<Option<i64>>(0))?;
    Ok(oldest.zip(held(connection, "evm_trace_block")?).map(|(oldest, run)| (oldest, run.first, run.next)))
}

/// Writes the call frames of blocks and updates the counters.
pub(super) fn insert(connection: &Connection, blocks: &[(Height, EvmTraces)]) -> Result<(), IndexError> {
    let gaps = gaps::load(connection)?;
    if let (Some(held), Some((first, _)), Some((last, _))) = (traced(connection)?, blocks.first(), blocks.last())
        && *first != gaps.at_or_above(held.tip.next())
        && last.next() != held.from
        && held.from.previous().is_none_or(|below| *last != gaps.at_or_below(below))
    {
        return Err(IndexError::Gap(held.from, held.tip, *first));
    }
    let mut next = match blocks.first() {
        Some((first, _)) => {
            let frames =
                |(_, block): &(Height, EvmTraces)| block.traces.iter().map(|trace| trace.frames.len()).sum::<usize>();
            let count = blocks.iter().map(frames).sum();
            base_of(connection, "evm_trace_block", integer(first.get()), count)?
        }
        None => return Ok(()),
    };
    let mut touched: Vec<([u8; 20], i64)> = Vec::new();
    for (height, block) in blocks {
        let first = block.first_sequence.map_or(next, integer);
        next = insert_block(connection, *height, first, &block.traces, &mut touched)?;
    }
    insert_touched(connection, touched)
}

/// Replaces the call frames of a traced block. Does nothing for a block that is not traced yet.
pub(in super::super) fn replace(
    connection: &Connection,
    height: Height,
    traces: &EvmTraces,
) -> Result<bool, IndexError> {
    let Some(run) = of_block(connection, "evm_trace_block", height)? else { return Ok(false) };
    forget_frames(connection, run)?;
    let count = traces.traces.iter().map(|trace| trace.frames.len()).sum::<usize>() as u64;
    let columns = ["evm_trace.first_sequence", "evm_frame_account.sequence"];
    let first = make_room(connection, &columns, "evm_trace_block", integer(height.get()), run, integer(count))?;
    connection.execute("DELETE FROM evm_trace_block WHERE height = ?1", [integer(height.get())])?;
    let mut touched = Vec::new();
    insert_block(connection, height, first, &traces.traces, &mut touched)?;
    insert_touched(connection, touched)?;
    Ok(true)
}

/// Counts the accounts of call frames, and writes their places.
fn insert_touched(connection: &Connection, touched: Vec<([u8; 20], i64)>) -> Result<(), IndexError> {
    let mut counts: BTreeMap<[u8; 20], EvmCounts> = BTreeMap::new();
    for (account, _) in &touched {
        counts.entry(*account).or_default().frames += 1;
    }
    let ids = count_accounts(connection, counts)?;
    let edges = touched.into_iter().filter_map(|(account, sequence)| Some((*ids.get(&account)?, sequence)));
    insert_edges(connection, "evm_frame_account", edges.collect())
}

/// Writes one block's call frames and returns the next sequence number.
fn insert_block(
    connection: &Connection,
    height: Height,
    first: i64,
    traces: &[EvmTrace],
    touched: &mut Vec<([u8; 20], i64)>,
) -> Result<i64, IndexError> {
    let first_receipt = of_block(connection, "evm_block", height)?.map(|run| run.first);
    let mut statement = connection.prepare_cached("INSERT INTO evm_trace VALUES (?1, ?2, ?3, ?4)")?;
    let mut sequence = first;
    for trace in traces {
        let first_receipt = first_receipt.ok_or(IndexError::Body)?;
        let count = i64::try_from(trace.frames.len()).unwrap_or(i64::MAX);
        let tx = first_receipt.saturating_add(integer(trace.receipt));
        statement.execute(params![sequence, count, tx, pack_frames(&trace.frames)])?;
        touched.extend(
            (sequence..)
                .zip(&trace.frames)
                .flat_map(|(sequence, frame)| accounts_of(frame).map(move |account| (account, sequence))),
        );
        sequence = sequence.saturating_add(count);
    }
    connection.prepare_cached("INSERT INTO evm_trace_block VALUES (?1, ?2, ?3)")?.execute(params![
        integer(height.get()),
        first,
        sequence - first
    ])?;
    Ok(sequence)
}

/// Returns caller and callee, only once if equal (`docs/apis/indexer.md` §5.5).
fn accounts_of(frame: &EvmFrame) -> impl Iterator<Item = [u8; 20]> {
    std::iter::once(frame.from).chain(frame.to.filter(|to| *to != frame.from))
}
