//! Protobuf by one table: transactions and state queries, between their bytes and the JSON of a node's REST interface.
//!
//! `assets/proto.tsv` names every message that this program knows, field by field; over it are one reader and one
//! writer. Both follow what Cosmos nodes write: names as declared, in the order of the declaration; bytes in base64 and
//! absent ones as `null`; 64-bit integers as text; enums by name, or by number where it has none; durations as `3600s`;
//! an `Any` as its message with `@type` first; the messages of Wasm contracts as JSON in place.
//!
//! What is not in the table is never lost, and never fails the rest:
//! - an `Any` of another type, or whose bytes are no message of its type, is `{"@type": …, "@value": base64}`;
//! - fields that a message does not have in the table are together its last entry, `"@unknown": base64`.
//!
//! The writer turns both back into the bytes that they were.

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

use super::protobuf::{ProtoFields, ProtoWriter};
use crate::domain::{Timestamp, TxHash};

/// How deep messages may lie in each other. Nodes refuse more than ten.
const MAX_DEPTH: usize = 32;
/// The largest JSON that is made, in bytes: many times what a block may hold.
const MAX_JSON: usize = 32 << 20;
const TX: &str = "cosmos.tx.v1beta1.Tx";

/// A transaction as it is signed: its parts are bytes, since signatures are made of them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TxRaw {
    /// Messages, memo, timeout: a `TxBody`.
    pub body_bytes: Vec<u8>,
    /// Signers and fee: an `AuthInfo`.
    pub auth_info_bytes: Vec<u8>,
    /// One for each signer.
    pub signatures: Vec<Vec<u8>>,
}

impl TxRaw {
    /// The parts of a raw transaction; other fields than these three are an error, as they are to nodes.
    pub fn read(bytes: &[u8]) -> Result<Self, ProtoError> {
        let mut tx = Self::default();
        for field in ProtoFields::of(bytes) {
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

    /// The raw transaction.
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

/// What a block calls a transaction: SHA-256 of its raw bytes.
pub fn tx_hash(raw: &[u8]) -> TxHash {
    TxHash::new(Sha256::digest(raw).into())
}

/// A raw transaction as REST gives it: compact JSON `{"body":…,"auth_info":…,"signatures":[…]}`.
pub fn decode_tx(raw: &[u8]) -> Result<String, ProtoError> {
    reader::read(TX, raw)
}

/// The raw bytes of a transaction in REST's JSON, as Cosmos clients would write it.
pub fn encode_tx(json: &str) -> Result<Vec<u8>, ProtoError> {
    writer::write(TX, json)
}

/// A message of the table by its full name, such as `cosmos.bank.v1beta1.MsgSend`, as compact JSON.
pub fn decode_message(name: &str, bytes: &[u8]) -> Result<String, ProtoError> {
    reader::read(name, bytes)
}

/// The bytes of a message of the table by its full name. Missing fields are empty.
pub fn encode_message(name: &str, json: &str) -> Result<Vec<u8>, ProtoError> {
    writer::write(name, json)
}

/// The bytes of a state query's request: `path` as gRPC and `abci_query` have it, such as
/// `/cosmos.bank.v1beta1.Query/AllBalances`; fields as in the JSON of REST, missing ones empty. The query of a smart
/// query is JSON in place.
pub fn encode_request(path: &str, request: &Value) -> Result<Vec<u8>, ProtoError> {
    writer::write(&query_message(path, "Request")?, &request.to_string())
}

/// The answer of a state query as REST gives it.
pub fn decode_answer(path: &str, bytes: &[u8]) -> Result<Value, ProtoError> {
    value(&reader::read(&query_message(path, "Response")?, bytes)?)
}

/// The other side of [`encode_request`], for who answers.
pub fn decode_request(path: &str, bytes: &[u8]) -> Result<Value, ProtoError> {
    value(&reader::read(&query_message(path, "Request")?, bytes)?)
}

/// The other side of [`decode_answer`], for who answers.
pub fn encode_answer(path: &str, answer: &Value) -> Result<Vec<u8>, ProtoError> {
    writer::write(&query_message(path, "Response")?, &answer.to_string())
}

/// A time as REST writes it: with as many digits behind the seconds as it needs, in groups of three. Empty before the
/// year 1 and after 9999, which no message can hold.
pub fn time_text(time: Timestamp) -> String {
    let nanos = i32::try_from(time.as_nanos().rem_euclid(1_000_000_000)).unwrap_or_default();
    let seconds = i64::try_from(time.as_nanos().div_euclid(1_000_000_000)).unwrap_or_default();
    values::time_text((seconds, nanos)).unwrap_or_default()
}

fn value(json: &str) -> Result<Value, ProtoError> {
    serde_json::from_str(json).map_err(|_| ProtoProblem::Value("JSON that is not too deep").into())
}

/// `/a.b.Query/Name` asks with `a.b.QueryNameRequest`, any other service with `a.b.NameRequest`.
fn query_message(path: &str, side: &str) -> Result<String, ProtoError> {
    let unknown = || ProtoError::from(ProtoProblem::Type(path.to_owned()));
    let (service, method) = path.trim_start_matches('/').split_once('/').ok_or_else(unknown)?;
    let (package, service) = service.rsplit_once('.').ok_or_else(unknown)?;
    let prefix = if service == "Query" { "Query" } else { "" };
    Ok(format!("{package}.{prefix}{method}{side}"))
}
