//! The bytes of a transaction, whose SHA-256 is its hash.

use base64::{Engine as _, prelude::BASE64_STANDARD};
use serde::Deserialize;
use serde_json::value::RawValue;

use crate::{demo::ledger::CommittedTx, wire::protobuf::ProtoWriter};

/// A transaction's parts as REST writes them.
#[derive(Deserialize)]
struct WrittenTx<'a> {
    #[serde(borrow)]
    body: &'a RawValue,
    #[serde(borrow)]
    auth_info: &'a RawValue,
    signatures: Vec<String>,
}

/// The raw transaction.
pub(super) fn bytes(tx: &CommittedTx) -> Vec<u8> {
    let Ok(written) = serde_json::from_str::<WrittenTx<'_>>(&tx.body) else { return Vec::new() };
    let raw = ProtoWriter::new().bytes(1, written.body.get()).bytes(2, written.auth_info.get());
    written.signatures.iter().fold(raw, |raw, signature| raw.bytes(3, signature)).finish()
}

/// The raw transaction in base64.
pub(super) fn base64(tx: &CommittedTx) -> String {
    BASE64_STANDARD.encode(bytes(tx))
}
