//! The tables, as the steps that lead to them; `user_version` counts the steps a file has taken.

use rusqlite::{Connection, TransactionBehavior};

const STEPS: [&str; VERSION as usize] = [
    "CREATE TABLE recents (
        network TEXT NOT NULL,
        text TEXT NOT NULL,
        at INTEGER NOT NULL, -- nanoseconds since 1970
        PRIMARY KEY (network, text)
    );
    CREATE INDEX recents_by_age ON recents (network, at DESC);",
    "CREATE TABLE transfers (
        id INTEGER PRIMARY KEY,
        network TEXT NOT NULL,
        chain TEXT NOT NULL,
        hash TEXT NOT NULL,
        created INTEGER NOT NULL, -- nanoseconds since 1970
        label TEXT NOT NULL,
        route TEXT, -- JSON as received
        addresses TEXT NOT NULL, -- a JSON list
        is_over INTEGER NOT NULL,
        UNIQUE (network, chain, hash)
    );
    CREATE INDEX transfers_by_age ON transfers (network, created DESC);
    CREATE TABLE transfer_txs (
        transfer INTEGER NOT NULL REFERENCES transfers (id) ON DELETE CASCADE,
        place INTEGER NOT NULL,
        chain TEXT NOT NULL,
        hash TEXT NOT NULL,
        at INTEGER NOT NULL,
        tracking INTEGER NOT NULL, -- 0 pending, 1 refused, 2 accepted: what is more advanced is larger
        status TEXT, -- JSON as received
        status_at INTEGER,
        PRIMARY KEY (transfer, chain, hash)
    );
    CREATE TABLE transfer_changes (
        transfer INTEGER NOT NULL REFERENCES transfers (id) ON DELETE CASCADE,
        at INTEGER NOT NULL,
        text TEXT NOT NULL,
        UNIQUE (transfer, at, text)
    );",
];

/// The version of a file that took every step.
pub(super) const VERSION: u32 = 2;

/// Takes the steps that the file has not taken; returns the version it then has, which may be a newer one.
pub(super) fn apply(connection: &mut Connection) -> rusqlite::Result<u32> {
    if version(connection)? >= VERSION {
        return version(connection);
    }
    // Immediate, so that a second instance waits here and then finds nothing left to do.
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let taken = version(&transaction)?;
    for step in STEPS.iter().skip(taken as usize) {
        transaction.execute_batch(step)?;
    }
    transaction.pragma_update(None, "user_version", VERSION.max(taken))?;
    transaction.commit()?;
    Ok(VERSION.max(taken))
}

fn version(connection: &Connection) -> rusqlite::Result<u32> {
    connection.query_row("PRAGMA user_version", [], |row| row.get(0))
}
