//! Transactions of each IBC packet, by the packet's end on this chain.

use rusqlite::{Connection, params};
use sha2::{Digest as _, Sha256};

use super::{IndexError, codec::Codec, integer, meta, nft::stored_events, page::KeySpan, prepare::PreparedTx};
use crate::{
    domain::LocalPacket,
    events::{TxEvent, ibc::PacketEvent},
};

pub(super) const TABLES: &str = "
    CREATE TABLE IF NOT EXISTS tx_packet (
        packet INTEGER NOT NULL, sequence INTEGER NOT NULL, PRIMARY KEY (packet, sequence)
    ) WITHOUT ROWID;";

/// Name of the flag that the table covers all stored transactions.
const IS_FILLED: &str = "packets";

/// Transactions between two lines of progress in the log.
const REPORTED: u64 = 100_000;

/// Attribute of every packet event.
const MARK: &[u8] = b"\"packet_sequence\"";

/// Start of the hash of a packet's end. Readers compare the records: two ends may have one key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct PacketHash(pub(super) i64);

impl PacketHash {
    pub fn of(end: &LocalPacket) -> Self {
        let LocalPacket { side, port, channel, sequence } = end;
        let hash = Sha256::digest(format!("{side}/{port}/{channel}/{sequence}"));
        Self(hash.first_chunk().map_or(0, |start| i64::from_be_bytes(*start)))
    }

    pub(super) fn all_in(events: &[TxEvent]) -> impl Iterator<Item = Self> {
        events.iter().filter_map(|event| PacketEvent::of(event)?.end()).map(|end| Self::of(&end))
    }
}

/// Writes the packets of these transactions, whose sequence numbers start at `base`.
pub(super) fn insert(connection: &Connection, txs: &[PreparedTx], base: i64) -> Result<(), IndexError> {
    let mut statement = connection.prepare_cached("INSERT INTO tx_packet VALUES (?1, ?2)")?;
    for tx in txs {
        for packet in &tx.packets {
            statement.execute([packet.0, base.saturating_add(integer(tx.sequence))])?;
        }
    }
    Ok(())
}

pub(super) fn forget(connection: &Connection, sequences: KeySpan) -> Result<(), IndexError> {
    connection
        .prepare_cached("DELETE FROM tx_packet WHERE sequence > ?1 AND sequence < ?2")?
        .execute([sequences.low, sequences.high])?;
    Ok(())
}

pub(super) fn count(connection: &Connection, packet: PacketHash) -> Result<i64, IndexError> {
    let sql = "SELECT COUNT(*) FROM tx_packet WHERE packet = ?1";
    Ok(connection.prepare_cached(sql)?.query_row([packet.0], |row| row.get(0))?)
}

/// Reads the packets of a file that an earlier program wrote from its stored transactions.
pub(super) fn fill(connection: &Connection, codec: &Codec) -> Result<(), IndexError> {
    if meta::load(connection, IS_FILLED)?.is_some() {
        return Ok(());
    }
    let total: i64 = connection.query_row("SELECT COUNT(*) FROM tx", [], |row| row.get(0))?;
    if total > 0 {
        tracing::info!("reading the packets of {total} stored transactions, once for this file");
    }
    let mut insert = connection.prepare("INSERT OR IGNORE INTO tx_packet VALUES (?1, ?2)")?;
    let mut statement = connection.prepare("SELECT sequence, body FROM tx")?;
    let mut rows = statement.query([])?;
    let (mut body, mut done) = (Vec::new(), 0_u64);
    while let Some(row) = rows.next()? {
        done += 1;
        if done.is_multiple_of(REPORTED) {
            tracing::info!("read the packets of {done} of {total} transactions");
        }
        body.clear();
        codec.expand(row.get_ref(1)?.as_blob().map_err(|_| IndexError::Body)?, &mut body)?;
        if !body.windows(MARK.len()).any(|text| text == MARK) {
            continue;
        }
        let sequence: i64 = row.get(0)?;
        for packet in PacketHash::all_in(&stored_events(&body)?) {
            insert.execute(params![packet.0, sequence])?;
        }
    }
    meta::save(connection, IS_FILLED, b"1")
}
