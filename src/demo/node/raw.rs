//! The bytes of a transaction, whose SHA-256 is its hash.

use base64::{Engine as _, prelude::BASE64_STANDARD};

use crate::{demo::ledger::CommittedTx, wire::proto};

/// The raw transaction; nothing where its JSON is none that the table of messages can write.
pub(super) fn bytes(tx: &CommittedTx) -> Vec<u8> {
    if let Some(raw) = &tx.raw {
        return raw.to_vec();
    }
    proto::encode_tx(&tx.body).unwrap_or_else(|error| {
        tracing::error!(%error, hash = %tx.hash, "a transaction cannot be written as bytes");
        Vec::new()
    })
}

/// The raw transaction in base64.
pub(super) fn base64(tx: &CommittedTx) -> String {
    BASE64_STANDARD.encode(bytes(tx))
}
