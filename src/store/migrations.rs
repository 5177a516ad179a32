//! The tables, as the steps that lead to them; `user_version` counts the steps a file has taken.

use rusqlite::{Connection, TransactionBehavior};

const STEPS: [&str; VERSION as usize] = ["CREATE TABLE recents (
        network TEXT NOT NULL,
        text TEXT NOT NULL,
        at INTEGER NOT NULL, -- nanoseconds since 1970
        PRIMARY KEY (network, text)
    );
    CREATE INDEX recents_by_age ON recents (network, at DESC);"];

/// The version of a file that took every step.
pub(super) const VERSION: u32 = 1;

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
