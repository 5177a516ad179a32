//! A transaction that was made here, signed somewhere else and is looked for on its chain: nobody brings its hash.

use serde::Deserialize;
use serde_json::{Map, Value};

use super::message::{SignableMessage, account_of};
use crate::{
    domain::{ChainId, Timestamp, TxHash, same_account},
    wire::{RawJson, Tx},
};

/// What is looked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SoughtTx {
    /// Where it is to be signed.
    pub chain_id: ChainId,
    /// Who signs, as the chain writes it.
    pub signer: String,
    /// What is signed.
    pub messages: Vec<SignableMessage>,
    /// When the messages were made: what is older is another.
    pub since: Timestamp,
}

/// A transaction of the signer that has these messages, or some that are like them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoundTx {
    /// Its hash.
    pub hash: TxHash,
    /// The time of its block.
    pub at: Timestamp,
    /// Whether the chain ran it without success.
    pub is_failed: bool,
    /// The fields whose values are others, as `MsgTransfer.memo`.
    pub differs: Vec<String>,
}

impl FoundTx {
    /// Whether it is what was made, field by field, and did what it was to do.
    pub fn is_exact(&self) -> bool {
        self.differs.is_empty() && !self.is_failed
    }
}

/// What a look at the signer's newest transactions shows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum SearchVerdict {
    /// Nothing of the kind.
    #[default]
    Nothing,
    /// The one that was made.
    Exact(FoundTx),
    /// What is like it, or several that are equal: a person must say which. Exact ones first, then the newest.
    Proposed(Vec<FoundTx>),
}

impl SearchVerdict {
    /// What is to be made of these, in whatever order.
    pub fn of(mut found: Vec<FoundTx>) -> Self {
        found.sort_by_key(|tx| (!tx.is_exact(), std::cmp::Reverse(tx.at)));
        match found.as_slice() {
            [] => Self::Nothing,
            [one, rest @ ..] if one.is_exact() && !rest.iter().any(FoundTx::is_exact) => Self::Exact(one.clone()),
            _ => Self::Proposed(found),
        }
    }
}

impl SoughtTx {
    /// The transaction of these messages; `None` where they are signed by nobody, or by several.
    pub fn new(chain_id: ChainId, messages: Vec<SignableMessage>, since: Timestamp) -> Option<Self> {
        let signer = messages.first()?.signer().to_owned();
        let is_one = messages.iter().all(|message| same_account(message.signer(), &signer));
        (is_one && account_of(&signer).is_some()).then_some(Self { chain_id, signer, messages, since })
    }

    /// Looks for it among transactions of its chain, in whatever order.
    pub fn search<'a>(&self, txs: impl IntoIterator<Item = &'a Tx>) -> SearchVerdict {
        SearchVerdict::of(txs.into_iter().filter_map(|tx| self.compare(tx)).collect())
    }

    /// What differs between this and a transaction with messages of the same types by the same signer, from then on;
    /// `None` of any other.
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

/// Types and fields of a record's messages.
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
