//! Findings of a check, as facts without words.

use std::{collections::BTreeMap, fmt};

use serde_json::{Value, json};
use strum::{Display, EnumIter};

use super::{KnownWay, UnprovenClaim};
use crate::domain::{Address, Denom, EvmTxHash, Height, MsgType, TxHash, text};

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Display, EnumIter)]
#[strum(serialize_all = "lowercase")]
pub enum CheckedPart {
    /// Block records: hash, time, proposer, gas, fees.
    Blocks,
    #[strum(serialize = "transactions")]
    Txs,
    /// Transactions of a block, and their order in lists.
    Order,
    #[strum(serialize = "message types")]
    MessageTypes,
    Accounts,
    /// EVM receipts, by Ethereum hash.
    Receipts,
    /// Call frames, if the node can trace.
    Calls,
    /// Owners and URIs, from the contract or object.
    #[strum(serialize = "NFTs")]
    Nfts,
    /// Name, creator and size of collections, from the contract or object.
    Collections,
    Holders,
    Totals,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CheckedRecord {
    Block(Height),
    /// Transactions of a block, in order.
    TxsOf(Height),
    /// Receipts of a block, in order.
    ReceiptsOf(Height),
    /// Call frames of all transactions of a block.
    CallsOf(Height),
    Tx(TxHash),
    Receipt(EvmTxHash),
    /// Call frame, as `hash#index`.
    Call(String),
    /// All transactions of an account, or only those that it signed.
    Account {
        address: Address,
        /// Whether the list contains only transactions whose first signer is the account.
        is_signer: bool,
    },
    Nft {
        /// Contract or object of the NFT's collection.
        collection: Address,
        /// Hostile text: clean it before display.
        token_id: String,
    },
    /// Transactions of an NFT.
    NftTxs {
        collection: Address,
        /// Hostile text: clean it before display.
        token_id: String,
    },
    /// Record of a collection, and the number of its listed NFTs.
    Collection(Address),
    Holder {
        denom: Denom,
        /// Account; hostile text if it is not an address.
        account: String,
    },
    RichList(Denom),
    AllBlocks,
    AllTxs,
    TxsOfType(MsgType),
    /// The whole chain: heights and totals.
    Chain,
}

impl CheckedRecord {
    fn kind(&self) -> &'static str {
        match self {
            Self::Block(_) => "block",
            Self::TxsOf(_) => "txs",
            Self::ReceiptsOf(_) => "receipts",
            Self::CallsOf(_) => "calls",
            Self::Tx(_) => "tx",
            Self::Receipt(_) => "receipt",
            Self::Call(_) => "call",
            Self::Account { is_signer: false, .. } => "account",
            Self::Account { is_signer: true, .. } => "signer",
            Self::Nft { .. } => "nft",
            Self::NftTxs { .. } => "nft_txs",
            Self::Holder { .. } => "holder",
            Self::RichList(_) => "rich_list",
            Self::Collection(_) => "collection",
            Self::AllBlocks => "all_blocks",
            Self::AllTxs => "all_txs",
            Self::TxsOfType(_) => "txs_of_type",
            Self::Chain => "chain",
        }
    }

    fn name(&self) -> String {
        match self {
            Self::Block(height) | Self::TxsOf(height) | Self::ReceiptsOf(height) | Self::CallsOf(height) => {
                height.to_string()
            }
            Self::Tx(hash) => hash.to_string(),
            Self::Receipt(hash) => hash.to_string(),
            Self::Call(name) => name.clone(),
            Self::Account { address, .. } => address.bech32(),
            Self::Nft { collection, token_id } | Self::NftTxs { collection, token_id } => {
                format!("{}/{token_id}", collection.hex())
            }
            Self::Holder { denom, account } => format!("{denom}/{account}"),
            Self::RichList(denom) => denom.to_string(),
            Self::Collection(address) => address.hex(),
            Self::TxsOfType(kind) => kind.as_str().to_owned(),
            Self::AllBlocks | Self::AllTxs | Self::Chain => String::new(),
        }
    }
}

impl fmt::Display for CheckedRecord {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = self.name();
        let name = text::clean(&name);
        match self {
            Self::Block(_) => write!(formatter, "block {name}"),
            Self::TxsOf(_) => write!(formatter, "transactions of block {name}"),
            Self::ReceiptsOf(_) => write!(formatter, "receipts of block {name}"),
            Self::CallsOf(_) => write!(formatter, "calls of block {name}"),
            Self::Tx(_) => write!(formatter, "transaction {name}"),
            Self::Receipt(_) => write!(formatter, "receipt {name}"),
            Self::Call(_) => write!(formatter, "call {name}"),
            Self::Account { is_signer: false, .. } => write!(formatter, "account {name}"),
            Self::Account { is_signer: true, .. } => write!(formatter, "signer {name}"),
            Self::Nft { .. } => write!(formatter, "NFT {name}"),
            Self::NftTxs { .. } => write!(formatter, "transactions of NFT {name}"),
            Self::Holder { .. } => write!(formatter, "holder {name}"),
            Self::RichList(_) => write!(formatter, "holders of {name}"),
            Self::Collection(_) => write!(formatter, "collection {name}"),
            Self::AllBlocks => formatter.write_str("all blocks"),
            Self::AllTxs => formatter.write_str("all transactions"),
            Self::TxsOfType(_) => write!(formatter, "transactions with {name}"),
            Self::Chain => formatter.write_str("the chain"),
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SideDifference {
    Value {
        /// Path in the record, such as `events[3].attributes[2].value`.
        field: String,
        /// Value from the node; `None` if the node lacks the field.
        node: Option<Value>,
        /// Value from the indexer; `None` if the indexer lacks the field.
        indexer: Option<Value>,
    },
    /// The indexer lacks a record of the chain.
    Missing {
        node: Value,
    },
    /// The indexer has a record that the chain lacks.
    Unfounded {
        indexer: Value,
    },
    /// Both sides have equal values in different orders.
    Order {
        /// Path in the record; empty for the rows of a list.
        field: String,
        /// Values in the node's order.
        node: Vec<String>,
        /// Values in the indexer's order.
        indexer: Vec<String>,
    },
    Total {
        node: u64,
        indexer: u64,
    },
}

impl SideDifference {
    pub(super) fn value(field: &str, node: impl Into<Value>, indexer: impl Into<Value>) -> Self {
        Self::Value { field: field.to_owned(), node: Some(node.into()), indexer: Some(indexer.into()) }
    }

    /// Returns the name of the variant for scripts.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Value { .. } => "value",
            Self::Missing { .. } => "missing",
            Self::Unfounded { .. } => "unfounded",
            Self::Order { .. } => "order",
            Self::Total { .. } => "total",
        }
    }

    /// Returns the path in the record; empty for the whole record.
    pub fn field(&self) -> &str {
        match self {
            Self::Value { field, .. } | Self::Order { field, .. } => field,
            Self::Missing { .. } | Self::Unfounded { .. } | Self::Total { .. } => "",
        }
    }

    /// Returns the values of node and indexer; `None` for a missing value.
    pub fn sides(&self) -> (Option<Value>, Option<Value>) {
        match self {
            Self::Value { node, indexer, .. } => (node.clone(), indexer.clone()),
            Self::Missing { node } => (Some(node.clone()), None),
            Self::Unfounded { indexer } => (None, Some(indexer.clone())),
            Self::Order { node, indexer, .. } => (Some(json!(node)), Some(json!(indexer))),
            Self::Total { node, indexer } => (Some(json!(node)), Some(json!(indexer))),
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    pub part: CheckedPart,
    pub record: CheckedRecord,
    pub difference: SideDifference,
}

impl Finding {
    pub fn json(&self) -> Value {
        let (node, indexer) = self.difference.sides();
        json!({
            "kind": "difference", "part": self.part.to_string(), "record": self.record.kind(),
            "name": self.record.name(), "difference": self.difference.kind(), "field": self.difference.field(),
            "node": node, "indexer": indexer,
        })
    }
}

/// Maximum width of one side's value in a line, in terminal columns.
const VALUE: usize = 120;

impl fmt::Display for Finding {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let side = |value: Option<Value>| {
            value.map_or_else(|| "nothing".to_owned(), |value| text::clip(&value.to_string(), VALUE))
        };
        let (node, indexer) = self.difference.sides();
        write!(formatter, "{}", self.record)?;
        if !self.difference.field().is_empty() {
            write!(formatter, ", {}", text::clean(self.difference.field()))?;
        }
        match self.difference {
            SideDifference::Order { .. } => formatter.write_str(", order")?,
            SideDifference::Total { .. } => formatter.write_str(", total")?,
            SideDifference::Value { .. } | SideDifference::Missing { .. } | SideDifference::Unfounded { .. } => {}
        }
        write!(formatter, ": node {}, indexer {}", side(node), side(indexer))
    }
}

/// Record that could not be compared, with the reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotAsked {
    pub part: CheckedPart,
    pub record: CheckedRecord,
    /// Reason as a sentence; may contain hostile text of a server.
    pub cause: String,
}

impl NotAsked {
    pub fn json(&self) -> Value {
        json!({
            "kind": "not_asked", "part": self.part.to_string(), "record": self.record.kind(),
            "name": self.record.name(), "cause": self.cause,
        })
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PartCounts {
    pub compared: u64,
    pub different: u64,
    pub known: u64,
    /// Number of records that could not be compared.
    pub not_asked: u64,
    /// Number of the indexer's claims that the node neither proves nor refutes.
    pub unproven: u64,
}

/// Differences with one cause: one field of one part.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct DifferenceCause {
    pub part: CheckedPart,
    /// Name of the [`SideDifference`] variant.
    pub kind: &'static str,
    /// Path in the record without list positions, such as `events[].attributes[].value`; hostile text.
    pub field: String,
}

/// Maximum counted causes; further fields are counted together.
const CAUSES: usize = 1_000;

#[derive(Clone, Debug, Default)]
pub struct Findings {
    pub differences: Vec<Finding>,
    pub not_asked: Vec<NotAsked>,
    /// Number of occurrences of each known deviation, with the first record.
    pub known: BTreeMap<KnownWay, (u64, CheckedRecord)>,
    /// Number of occurrences of each unproven claim, with the first record.
    pub unproven: BTreeMap<UnprovenClaim, (u64, CheckedRecord)>,
    pub counts: BTreeMap<CheckedPart, PartCounts>,
    /// Number of differences of each cause, with the first record.
    pub causes: BTreeMap<DifferenceCause, (u64, CheckedRecord)>,
}

impl Findings {
    pub(super) fn compared(&mut self, part: CheckedPart, records: usize) {
        self.counts.entry(part).or_default().compared += records as u64;
    }

    pub(super) fn differs(&mut self, part: CheckedPart, record: CheckedRecord, difference: SideDifference) {
        self.counts.entry(part).or_default().different += 1;
        let cause = DifferenceCause { part, kind: difference.kind(), field: without_places(difference.field()) };
        self.add_cause(cause, 1, record.clone());
        self.differences.push(Finding { part, record, difference });
    }

    fn add_cause(&mut self, mut cause: DifferenceCause, count: u64, record: CheckedRecord) {
        if self.causes.len() >= CAUSES && !self.causes.contains_key(&cause) {
            cause.field = String::new();
        }
        self.causes.entry(cause).or_insert((0, record)).0 += count;
    }

    pub(super) fn known(&mut self, way: KnownWay, record: CheckedRecord) {
        self.counts.entry(way.part()).or_default().known += 1;
        self.known.entry(way).or_insert((0, record)).0 += 1;
    }

    pub(super) fn unproven(&mut self, claim: UnprovenClaim, record: CheckedRecord) {
        self.counts.entry(claim.part()).or_default().unproven += 1;
        self.unproven.entry(claim).or_insert((0, record)).0 += 1;
    }

    pub(crate) fn not_asked(&mut self, part: CheckedPart, record: CheckedRecord, cause: impl fmt::Display) {
        self.counts.entry(part).or_default().not_asked += 1;
        self.not_asked.push(NotAsked { part, record, cause: cause.to_string() });
    }

    /// Adds the findings of another comparison.
    pub(crate) fn take(&mut self, other: Self) {
        self.differences.extend(other.differences);
        self.not_asked.extend(other.not_asked);
        for (way, (count, record)) in other.known {
            self.known.entry(way).or_insert((0, record)).0 += count;
        }
        for (cause, (count, record)) in other.causes {
            self.add_cause(cause, count, record);
        }
        for (claim, (count, record)) in other.unproven {
            self.unproven.entry(claim).or_insert((0, record)).0 += count;
        }
        for (part, counts) in other.counts {
            let sum = self.counts.entry(part).or_default();
            sum.compared += counts.compared;
            sum.different += counts.different;
            sum.known += counts.known;
            sum.not_asked += counts.not_asked;
            sum.unproven += counts.unproven;
        }
    }
}

/// Removes list positions from a path.
fn without_places(field: &str) -> String {
    let mut parts = field.split('[');
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |path, part| {
        let is_place = |place: &str| place.bytes().all(|byte| byte.is_ascii_digit());
        match part.split_once(']') {
            Some((place, rest)) if is_place(place) => format!("{path}[]{rest}"),
            _ => format!("{path}[{part}"),
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn differences_of_one_field_have_one_cause() {
        assert_eq!(without_places("events[3].attributes[12].value"), "events[].attributes[].value");
        for other in ["", "tx.body", "a[b].c", "a[", "a]"] {
            assert_eq!(without_places(other), other);
        }
    }
}
