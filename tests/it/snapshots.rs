//! snapshots.
