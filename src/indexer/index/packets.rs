//! Transactions of each IBC packet, by the packet's end on this chain.

use crate::indexer::index::dialect::Connection;
use sha2::{Digest as _, Sha256};

use super::{IndexError, filling::EventTable, integer, page::KeySpan, prepare::PreparedTx};
use crate::{
    domain::LocalPacket,
    events::{TxEvent, ibc::PacketEvent},
};

pub(super) const TABLES: &str = "
    CREATE TABLE IF NOT EXISTS tx_packet (
        packet INTEGER NOT NULL, sequence INTEGER NOT NULL, PRIMARY KEY (packet, sequence)
    ) WITHOUT ROWID;";

pub(super) const FILLED: EventTable =
    EventTable { flag: "packets", marks: &[b"\"packet_sequence\""], insert: insert_stored };

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
    let rows = txs.iter().flat_map(|tx| {
        let sequence = base.saturating_add(integer(tx.sequence));
        tx.packets.iter().map(move |packet| [packet.0, sequence])
    });
    connection.insert_all("INSERT INTO tx_packet VALUES (?1, ?2)", rows)
}

fn insert_stored(connection: &Connection, events: &[TxEvent], sequence: i64) -> Result<(), IndexError> {
    let sql = "INSERT INTO tx_packet VALUES (?1, ?2) ON CONFLICT DO NOTHING";
    let mut statement = connection.prepare_cached(sql)?;
    for packet in PacketHash::all_in(events) {
        statement.execute([packet.0, sequence])?;
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
    connection.prepare_cached(sql)?.query_row([packet.0], |row| row.get(0))
}
