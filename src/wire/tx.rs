use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::{Pagination, scalar::text};
use crate::domain::{Height, MsgType, Timestamp, TxHash, text::Foreign, text::group};

/// Raw JSON exactly as received, parsed on demand.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub struct RawJson(Box<RawValue>);

impl RawJson {
    /// Wraps JSON text.
    pub fn parse(text: String) -> Result<Self, serde_json::Error> {
        RawValue::from_string(text).map(Self)
    }

    /// Returns the JSON text as received.
    pub fn get(&self) -> &str {
        self.0.get()
    }

    fn empty_list() -> Self {
        Self(RawValue::NULL.to_owned()).or_list()
    }

    fn or_list(self) -> Self {
        RawValue::from_string("[]".to_owned()).map_or(self, Self)
    }
}

impl PartialEq for RawJson {
    /// Compares the JSON texts as received.
    fn eq(&self, other: &Self) -> bool {
        self.get() == other.get()
    }
}

impl Eq for RawJson {}

impl From<Box<RawValue>> for RawJson {
    fn from(raw: Box<RawValue>) -> Self {
        Self(raw)
    }
}

/// Transaction with its result from the indexer (`docs/apis/indexer.md` §5.1). All 13 fields are always present.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Tx {
    /// SHA-256 of the raw transaction, as upper-case hex without `0x`.
    pub txhash: TxHash,
    pub height: Height,
    /// Namespace of `code`; empty on success.
    #[serde(default)]
    pub codespace: Foreign,
    /// Result code; 0 means success.
    #[serde(default)]
    pub code: u32,
    /// Result data, upper-case hex.
    #[serde(default)]
    pub data: String,
    /// Reason of a failure; empty on success.
    #[serde(default)]
    pub raw_log: Foreign,
    /// Parsed logs; `[]` on every current chain.
    #[serde(default = "RawJson::empty_list")]
    pub logs: RawJson,
    #[serde(default)]
    pub info: Foreign,
    #[serde(with = "text", default)]
    pub gas_wanted: u64,
    #[serde(with = "text", default)]
    pub gas_used: u64,
    /// JSON object `{body, auth_info, signatures}`.
    pub tx: RawJson,
    /// Block time, up to nanoseconds.
    pub timestamp: Timestamp,
    /// JSON list `[{type, attributes: [{key, value, index}]}]`.
    #[serde(default = "RawJson::empty_list")]
    pub events: RawJson,
    /// Heights of all records of the hash, ascending, if the answer by hash told of several: [`TxResponse::heights`].
    #[serde(skip)]
    pub heights: Vec<Height>,
}

impl Tx {
    /// Returns the sentence about the other records of the hash; `None` if none is known.
    pub fn other_records(&self) -> Option<String> {
        let others = self.heights.iter().filter(|height| **height != self.height).map(|height| group(height.get()));
        let others: Vec<String> = others.collect();
        let what = if self.is_success() { "carried out here" } else { "the newest is here" };
        match others.as_slice() {
            [] => None,
            [other] => Some(format!("{what}; another record is in block {other}")),
            others => Some(format!("{what}; other records are in blocks {}", others.join(", "))),
        }
    }

    pub fn is_success(&self) -> bool {
        self.code == 0
    }

    /// Whether these are bytes that the proposer put into the block: no transaction, and nothing that failed.
    pub fn is_injected(&self) -> bool {
        !self.is_success()
            && self.gas_used == 0
            && self.events.get() == "[]"
            && self.tx.get().trim_start().starts_with("{\"@value\"")
    }

    pub fn holds_any(&self, types: &[MsgType]) -> bool {
        self.message_types().iter().any(|kind| types.contains(kind))
    }

    /// Returns the types of the transaction's messages, in order; empty if the body is unreadable.
    pub fn message_types(&self) -> Vec<MsgType> {
        self.message_heads().iter().map(MessageHead::kind).collect()
    }

    /// Returns the message fields that a list row shows; empty if the body is unreadable.
    pub fn message_heads(&self) -> Vec<MessageHead<'_>> {
        #[derive(Deserialize)]
        struct Outer<'a> {
            #[serde(borrow)]
            body: Body<'a>,
        }
        #[derive(Deserialize)]
        struct Body<'a> {
            #[serde(borrow, default)]
            messages: Vec<MessageHead<'a>>,
        }
        serde_json::from_str::<Outer<'_>>(self.tx.get()).map(|outer| outer.body.messages).unwrap_or_default()
    }
}

/// Fields of a message that lists show: its type, the called contract, and the called function.
#[derive(Debug, Deserialize)]
pub struct MessageHead<'a> {
    #[serde(rename = "@type", borrow, default)]
    kind: Cow<'a, str>,
    #[serde(borrow, default)]
    input: Option<&'a RawValue>,
    #[serde(borrow, default)]
    module_name: Option<&'a RawValue>,
    #[serde(borrow, default)]
    function_name: Option<&'a RawValue>,
    #[serde(borrow, default)]
    contract_addr: Option<&'a RawValue>,
    #[serde(borrow, default)]
    contract: Option<&'a RawValue>,
    #[serde(borrow, default)]
    msg: Option<&'a RawValue>,
}

impl MessageHead<'_> {
    pub fn kind(&self) -> MsgType {
        MsgType::new(&self.kind)
    }

    /// Returns `input`, which is the call data of a `MsgCall`; other messages give the field another meaning.
    pub fn input(&self) -> Option<Cow<'_, str>> {
        self.input.and_then(text_of)
    }

    /// Returns the contract that the message calls; other messages than calls give the fields another meaning.
    pub fn contract(&self) -> Option<Cow<'_, str>> {
        self.contract_addr.or(self.contract).and_then(text_of)
    }

    /// Returns the action of a call of a Wasm contract: the first name in its message. `None` for a message in another
    /// form than inline JSON.
    pub fn action(&self) -> Option<String> {
        let fields: serde_json::Map<String, serde_json::Value> = serde_json::from_str(self.msg?.get()).ok()?;
        fields.keys().next().cloned()
    }

    /// Returns the module and the function of a Move call; `None` for other messages.
    pub fn move_function(&self) -> Option<(Cow<'_, str>, Cow<'_, str>)> {
        Some((self.module_name.and_then(text_of)?, self.function_name.and_then(text_of)?))
    }
}

fn text_of(raw: &RawValue) -> Option<Cow<'_, str>> {
    if raw.get().contains('\\') {
        return serde_json::from_str(raw.get()).ok().map(Cow::Owned);
    }
    serde_json::from_str(raw.get()).ok().map(Cow::Borrowed)
}

/// Response of `GET /indexer/tx/v1/txs`, also `…/by_account/{account}` and `…/by_height/{height}`.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct TxsResponse<T = Tx> {
    /// Transactions, newest first by default.
    pub txs: Vec<T>,
    pub pagination: Pagination,
}

/// Response of `GET /indexer/tx/v1/txs/{tx_hash}`.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct TxResponse {
    /// Of several records of one hash, the one that was carried out, else the newest.
    pub tx: Tx,
    /// Heights of all records of the hash, ascending, if there are several. The real server lacks the field.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub heights: Vec<String>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_other_records_of_a_hash_are_told_of_what_was_carried_out() {
        let record = |code: u32, heights: &[u64]| Tx {
            heights: heights.iter().filter_map(|height| Height::new(*height)).collect(),
            ..serde_json::from_value(serde_json::json!({
                "txhash": "AB".repeat(32), "height": "1200", "code": code, "timestamp": "2026-11-01T00:00:00Z",
                "tx": {},
            }))
            .expect("a record")
        };
        assert_eq!(record(0, &[]).other_records(), None);
        assert_eq!(record(0, &[1200]).other_records(), None);
        let told = record(0, &[1100, 1200]).other_records();
        assert_eq!(told.as_deref(), Some("carried out here; another record is in block 1,100"));
        let told = record(5, &[7, 1100, 1200]).other_records();
        assert_eq!(told.as_deref(), Some("the newest is here; other records are in blocks 7, 1,100"));
    }
}
