//! Search for a transaction that rollscope prepared and another program signed, so that rollscope does not know its
//! hash.

use serde::Deserialize;
use serde_json::{Map, Value};

use super::message::{SignableMessage, account_of};
use crate::{
    domain::{ChainId, Timestamp, TxHash, same_account},
    wire::{RawJson, Tx},
};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SignedElsewhereSearch {
    pub chain_id: ChainId,
    /// Signer in the chain's format.
    pub signer: String,
    pub messages: Vec<SignableMessage>,
    /// Time when the messages were created: earlier transactions do not match.
    pub since: Timestamp,
}

/// Transaction of the signer with equal or similar messages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoundTx {
    pub hash: TxHash,
    pub at: Timestamp,
    /// Whether the transaction failed on chain.
    pub is_failed: bool,
    /// Paths of the fields that differ, such as `MsgTransfer.memo`.
    pub differs: Vec<String>,
}

impl FoundTx {
    /// Whether the transaction succeeded and equals the prepared transaction in every field.
    pub fn is_exact(&self) -> bool {
        self.differs.is_empty() && !self.is_failed
    }
}

/// Result of searching the signer's newest transactions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum SearchVerdict {
    #[default]
    Nothing,
    /// The search found exactly the prepared transaction.
    Exact(FoundTx),
    /// The search found similar transactions, or several equal transactions: the user must choose. Exact matches come
    /// first, then the newest.
    Proposed(Vec<FoundTx>),
}

impl SearchVerdict {
    /// Evaluates found transactions, in any order.
    pub fn from_found(mut found: Vec<FoundTx>) -> Self {
        found.sort_by_key(|tx| (!tx.is_exact(), std::cmp::Reverse(tx.at)));
        match found.as_slice() {
            [] => Self::Nothing,
            [one, rest @ ..] if one.is_exact() && !rest.iter().any(FoundTx::is_exact) => Self::Exact(one.clone()),
            _ => Self::Proposed(found),
        }
    }
}

impl SignedElsewhereSearch {
    /// Creates a search; `None` if the messages have no signer, or several.
    pub fn new(chain_id: ChainId, messages: Vec<SignableMessage>, since: Timestamp) -> Option<Self> {
        let signer = messages.first()?.signer().to_owned();
        let is_one = messages.iter().all(|message| same_account(message.signer(), &signer));
        (is_one && account_of(&signer).is_some()).then_some(Self { chain_id, signer, messages, since })
    }

    /// Searches the signer's transactions, given in any order.
    pub fn search<'a>(&self, txs: impl IntoIterator<Item = &'a Tx>) -> SearchVerdict {
        SearchVerdict::from_found(txs.into_iter().filter_map(|tx| self.compare(tx)).collect())
    }

    /// Compares a later transaction that has messages of equal types and this signer; `None` for other transactions.
    pub fn compare(&self, tx: &Tx) -> Option<FoundTx> {
        let messages = messages_of(&tx.tx)?;
        if tx.timestamp < self.since || messages.len() != self.messages.len() {
            return None;
        }
        let mut differs = Vec::new();
        for (own, (kind, fields)) in self.messages.iter().zip(&messages) {
            if own.kind().as_str() != kind.trim_start_matches('/') {
                return None;
            }
            let text = Value::Object(fields.clone()).to_string();
            match SignableMessage::read(kind, &text) {
                Ok(other) if !same_account(other.signer(), &self.signer) => return None,
                Ok(other) => differs.extend(own.differing_fields(&other)),
                Err(_) => differs.push(own.kind().short().to_owned()),
            }
        }
        Some(FoundTx { hash: tx.txhash, at: tx.timestamp, is_failed: !tx.is_success(), differs })
    }
}

/// Returns types and fields of a transaction's messages; `None` if unreadable.
fn messages_of(tx: &RawJson) -> Option<Vec<(String, Map<String, Value>)>> {
    #[derive(Deserialize)]
    struct RecordTx {
        body: RecordBody,
    }
    #[derive(Deserialize)]
    struct RecordBody {
        messages: Vec<Map<String, Value>>,
    }
    let record: RecordTx = serde_json::from_str(tx.get()).ok()?;
    let split = |mut fields: Map<String, Value>| match fields.remove("@type") {
        Some(Value::String(kind)) => Some((kind, fields)),
        _ => None,
    };
    record.body.messages.into_iter().map(split).collect()
}
