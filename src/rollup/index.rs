//! The index: follows the ledger with its own delay and writes `SQLite`; every list is a keyset query.
