//! Protobuf codec driven by a table: transactions and state queries, as bytes and as the JSON of a node's REST
//! interface.
//!
//! `assets/proto.tsv` declares every known message field by field, for one reader and one writer. Both use the JSON of
//! Cosmos nodes: field names and order as declared; bytes in base64 and missing bytes as `null`; 64-bit integers as
//! text; enums by name, or by number if the name is unknown; durations as `3600s`; an `Any` as its message with `@type`
//! first; messages of Wasm contracts as inline JSON.
//!
//! The reader keeps unknown data, which never fails the rest of a message:
//! - an `Any` of unknown type or with invalid bytes is `{"@type": …, "@value": base64}`;
//! - the unknown fields of a message become its last entry, `"@unknown": base64`.
//!
//! The writer restores both to the original bytes.

mod error;
mod keys;
mod reader;
mod table;
#[cfg(test)]
mod tests;
mod values;
mod writer;

use serde_json::Value;
use sha2::{Digest as _, Sha256};

pub use error::{ProtoError, ProtoProblem};
pub use keys::{first_signer, public_key};

use self::table::ProtoTable;
use super::protobuf::{ProtoFields, ProtoWriter};
use crate::domain::{MsgType, Timestamp, TxHash};

/// Maximum nesting of messages. Nodes refuse more than ten.
const MAX_DEPTH: usize = 32;
/// Maximum size of the JSON in bytes, many times the size of a block.
const MAX_JSON: usize = 32 << 20;
const TX: &str = "cosmos.tx.v1beta1.Tx";

/// Returns the message types with this short name, such as `MsgSend`, in any case.
pub fn types_named(short: &str) -> Vec<MsgType> {
    let types = ProtoTable::get().names().into_iter().map(MsgType::new);
    types.filter(|kind| kind.short().starts_with("Msg") && kind.short().eq_ignore_ascii_case(short)).collect()
}

/// Signed transaction. The signatures cover the bytes of body and auth info.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TxRaw {
    /// Encoded `TxBody`: messages, memo, timeout.
    pub body_bytes: Vec<u8>,
    /// Encoded `AuthInfo`: signers and fee.
    pub auth_info_bytes: Vec<u8>,
    pub signatures: Vec<Vec<u8>>,
}

impl TxRaw {
    /// Splits a raw transaction. Unknown fields are an error, as on nodes.
    pub fn read(bytes: &[u8]) -> Result<Self, ProtoError> {
        let mut tx = Self::default();
        for field in ProtoFields::new(bytes) {
            let field = field.ok_or(ProtoProblem::Broken)?;
            match (field.number, field.bytes) {
                (1, Some(bytes)) => tx.body_bytes = bytes.to_vec(),
                (2, Some(bytes)) => tx.auth_info_bytes = bytes.to_vec(),
                (3, Some(bytes)) => tx.signatures.push(bytes.to_vec()),
                (1..=3, None) => return Err(ProtoProblem::Encoding("bytes").into()),
                (number, _) => return Err(ProtoError::from(ProtoProblem::Field).within(&number.to_string())),
            }
        }
        Ok(tx)
    }

    pub fn write(&self) -> Vec<u8> {
        let mut writer = ProtoWriter::new();
        for (number, part) in [(1, &self.body_bytes), (2, &self.auth_info_bytes)] {
            if !part.is_empty() {
                writer = writer.bytes(number, part);
            }
        }
        self.signatures.iter().fold(writer, |writer, signature| writer.bytes(3, signature)).finish()
    }
}

/// Computes a transaction's hash: SHA-256 of its raw bytes.
pub fn tx_hash(raw: &[u8]) -> TxHash {
    TxHash::new(Sha256::digest(raw).into())
}

/// Decodes a raw transaction to REST's compact JSON `{"body":…,"auth_info":…,"signatures":[…]}`.
pub fn decode_tx(raw: &[u8]) -> Result<String, ProtoError> {
    reader::read(TX, raw)
}

/// Encodes a transaction from REST's JSON to the bytes that Cosmos clients produce.
pub fn encode_tx(json: &str) -> Result<Vec<u8>, ProtoError> {
    writer::write(TX, json)
}

/// Decodes a message by its full name, such as `cosmos.bank.v1beta1.MsgSend`, to compact JSON.
pub fn decode_message(name: &str, bytes: &[u8]) -> Result<String, ProtoError> {
    reader::read(name, bytes)
}

/// Encodes a message by its full name. Missing fields are empty.
pub fn encode_message(name: &str, json: &str) -> Result<Vec<u8>, ProtoError> {
    writer::write(name, json)
}

/// Encodes the request of a state query. `path` is the gRPC path, such as `/cosmos.bank.v1beta1.Query/AllBalances`;
/// fields are REST's JSON, and missing fields are empty. The query of a Wasm contract is inline JSON.
pub fn encode_request(path: &str, request: &Value) -> Result<Vec<u8>, ProtoError> {
    writer::write(&query_message(path, "Request")?, &request.to_string())
}

/// Decodes the response of a state query to REST's JSON.
pub fn decode_answer(path: &str, bytes: &[u8]) -> Result<Value, ProtoError> {
    value(&reader::read(&query_message(path, "Response")?, bytes)?)
}

/// Decodes a request of [`encode_request`], for a server.
pub fn decode_request(path: &str, bytes: &[u8]) -> Result<Value, ProtoError> {
    value(&reader::read(&query_message(path, "Request")?, bytes)?)
}

/// Encodes a response for [`decode_answer`], for a server.
pub fn encode_answer(path: &str, answer: &Value) -> Result<Vec<u8>, ProtoError> {
    writer::write(&query_message(path, "Response")?, &answer.to_string())
}

/// Formats a time like REST, with fraction digits in groups of three. Empty outside of the years 1 to 9999: messages
/// hold no other times.
pub fn time_text(time: Timestamp) -> String {
    let nanos = i32::try_from(time.as_nanos().rem_euclid(1_000_000_000)).unwrap_or_default();
    let seconds = i64::try_from(time.as_nanos().div_euclid(1_000_000_000)).unwrap_or_default();
    values::time_text((seconds, nanos)).unwrap_or_default()
}

fn value(json: &str) -> Result<Value, ProtoError> {
    serde_json::from_str(json).map_err(|_| ProtoProblem::Value("JSON of limited nesting").into())
}

/// Returns the message type of a request or response: `/a.b.Query/Name` uses `a.b.QueryNameRequest`, other services use
/// `a.b.NameRequest`.
fn query_message(path: &str, side: &str) -> Result<String, ProtoError> {
    let unknown = || ProtoError::from(ProtoProblem::Type(path.to_owned()));
    let (service, method) = path.trim_start_matches('/').split_once('/').ok_or_else(unknown)?;
    let (package, service) = service.rsplit_once('.').ok_or_else(unknown)?;
    let prefix = if service == "Query" { "Query" } else { "" };
    Ok(format!("{package}.{prefix}{method}{side}"))
}
