//! Migrations of the tables; `user_version` counts the applied migrations.

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
    // From here on, `network` holds the key of a session's rows: the network's name, or the address of an unnamed
    // network, until the chain is known; then `chain N`, with its number in `chains`.
    "CREATE TABLE chains (
        id INTEGER PRIMARY KEY AUTOINCREMENT, -- never given twice: another session may still write to it
        chain_id TEXT NOT NULL
    );
    CREATE INDEX chains_by_id ON chains (chain_id);
    CREATE TABLE anchors (
        chain INTEGER NOT NULL REFERENCES chains (id) ON DELETE CASCADE,
        height INTEGER NOT NULL,
        hash TEXT NOT NULL,
        at INTEGER NOT NULL, -- of the block, in nanoseconds since 1970
        PRIMARY KEY (chain, height)
    ) WITHOUT ROWID;
    CREATE TABLE network_chains (
        network TEXT NOT NULL, -- the name or address
        chain INTEGER NOT NULL REFERENCES chains (id) ON DELETE CASCADE,
        seen INTEGER NOT NULL, -- when it was last found there, in nanoseconds since 1970
        PRIMARY KEY (network, chain)
    ) WITHOUT ROWID;",
    // The key is the network's name or address, for any chain: a label belongs to the account, not to a chain.
    "CREATE TABLE labels (
        network TEXT NOT NULL,
        account TEXT NOT NULL, -- in hex
        label TEXT NOT NULL, -- a person's own name for it
        PRIMARY KEY (network, account)
    ) WITHOUT ROWID;
    CREATE TABLE views (
        network TEXT PRIMARY KEY,
        tab TEXT NOT NULL,
        page TEXT, -- what the page was of; none: the tab's own
        at INTEGER NOT NULL -- nanoseconds since 1970
    );",
    // Outcomes that a session delivered to the user's program.
    "CREATE TABLE outcomes (
        chain TEXT NOT NULL,
        hash TEXT NOT NULL,
        outcome TEXT NOT NULL,
        at INTEGER NOT NULL, -- nanoseconds since 1970
        PRIMARY KEY (chain, hash, outcome)
    ) WITHOUT ROWID;",
    // Outcomes get a network key, like transfers; earlier rows match all networks. Pending outcomes survive their
    // session.
    "ALTER TABLE outcomes RENAME TO told_outcomes;
    CREATE TABLE outcomes (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        network TEXT NOT NULL,
        chain TEXT NOT NULL,
        hash TEXT NOT NULL,
        outcome TEXT NOT NULL,
        at INTEGER NOT NULL, -- of its newest state, in nanoseconds since 1970
        state INTEGER NOT NULL, -- 0 waiting, 1 its program is being started, 2 told
        facts TEXT, -- a line of JSON, until it is told
        UNIQUE (network, chain, hash, outcome)
    );
    INSERT INTO outcomes (network, chain, hash, outcome, at, state)
        SELECT '', chain, hash, outcome, at, 2 FROM told_outcomes;
    DROP TABLE told_outcomes;",
    // Times in the text, with their positions; rows of earlier versions have no times.
    "ALTER TABLE transfer_changes ADD COLUMN times TEXT;",
    // What proves that no block included a transaction, as JSON.
    "ALTER TABLE transfer_txs ADD COLUMN terms TEXT;",
    // What a node simulated before the signature, as JSON.
    "ALTER TABLE transfer_txs ADD COLUMN simulated TEXT;",
    // Contracts that rollscope does not know and the user accepted.
    "CREATE TABLE accepted_contracts (
        network TEXT NOT NULL,
        chain TEXT NOT NULL,
        address TEXT NOT NULL, -- in hex
        code TEXT NOT NULL, -- as JSON
        at INTEGER NOT NULL, -- nanoseconds since 1970
        PRIMARY KEY (network, chain, address)
    );",
    // What nodes said of denoms. The key is always a chain's: before the chain is identified, nothing is stored.
    "CREATE TABLE denom_reports (
        network TEXT NOT NULL,
        denom TEXT NOT NULL,
        node TEXT NOT NULL, -- address of the node
        claim TEXT NOT NULL, -- as JSON; null where the chain names no unit
        at INTEGER NOT NULL, -- nanoseconds since 1970
        PRIMARY KEY (network, denom)
    );
    CREATE INDEX denom_reports_by_age ON denom_reports (at);",
    // Transfer and place of a later transaction that a node refused, so that its record stands apart.
    "ALTER TABLE transfers ADD COLUMN former_chain TEXT;
    ALTER TABLE transfers ADD COLUMN former_hash TEXT;
    ALTER TABLE transfers ADD COLUMN former_index INTEGER;",
];

pub(super) const VERSION: u32 = 12;

/// Tables that earlier versions neither need nor read, so that the file's version stays and they can open it.
pub(super) const ADDED: &str = "CREATE TABLE IF NOT EXISTS personal (
        network TEXT NOT NULL, -- the name or address, as in `labels`
        kind TEXT NOT NULL,
        subject TEXT NOT NULL, -- a tagged target, or a view's name
        text TEXT NOT NULL,
        at INTEGER NOT NULL, -- nanoseconds since 1970
        PRIMARY KEY (network, kind, subject)
    ) WITHOUT ROWID;";

/// Applies missing migrations; returns the file's version, which may be newer than the last migration here.
pub(super) fn apply(connection: &mut Connection) -> rusqlite::Result<u32> {
    if version(connection)? >= VERSION {
        return version(connection);
    }
    // Immediate: a second instance waits here and then finds no missing migration.
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
