//! What a check finds, as facts; words come last.

use std::{collections::BTreeMap, fmt};

use serde_json::{Value, json};
use strum::{Display, EnumIter};

use super::{KnownWay, UnprovenClaim};
use crate::domain::{Address, Denom, EvmTxHash, Height, MsgType, TxHash, text};

/// A part of what an indexer answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Display, EnumIter)]
#[strum(serialize_all = "lowercase")]
pub enum CheckedPart {
    /// What the block records say: hash, time, proposer, gas, fees.
    Blocks,
    /// What the transaction records say, field by field.
    #[strum(serialize = "transactions")]
    Txs,
    /// Which transactions a block has, and in which order lists give them.
    Order,
    /// The filter by message type.
    #[strum(serialize = "message types")]
    MessageTypes,
    /// Whose lists have which transactions.
    Accounts,
    /// The EVM's receipts, whose hashes are Ethereum's.
    Receipts,
    /// Call frames, where the node traces.
    Calls,
    /// Owners and URIs, by the contract or object itself.
    #[strum(serialize = "NFTs")]
    Nfts,
    /// Name, creator and size of collections, by the contract or object itself.
    Collections,
    /// Who holds how much.
    Holders,
    /// What lists say of their length.
    Totals,
}

/// What is wrong, or cannot be asked, is about one of these.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CheckedRecord {
    /// The record of the block at this height.
    Block(Height),
    /// Which transactions a block has, in their order.
    TxsOf(Height),
    /// Which receipts a block has, in their order.
    ReceiptsOf(Height),
    /// All call frames of the transactions of a block.
    CallsOf(Height),
    /// The record of a transaction, by its Cosmos hash.
    Tx(TxHash),
    /// A receipt, by its Ethereum hash.
    Receipt(EvmTxHash),
    /// A call frame, as `hash#index`.
    Call(String),
    /// The transactions that touch an account; of those that it signed.
    Account {
        /// Whose transactions they are.
        address: Address,
        /// Whether only those are meant that it signed first.
        is_signer: bool,
    },
    /// What an NFT's record says.
    Nft {
        /// Contract or object of its collection.
        collection: Address,
        /// Its id; hostile text.
        token_id: String,
    },
    /// What a collection's record says, and how many NFTs are listed of it.
    Collection(Address),
    /// What an account holds of a denom.
    Holder {
        /// The token, as the chain writes it.
        denom: Denom,
        /// Who; hostile text where it is no address.
        account: String,
    },
    /// All holders of a denom.
    RichList(Denom),
    /// The list of all blocks.
    AllBlocks,
    /// The list of all transactions.
    AllTxs,
    /// The list of all transactions with a message of this type.
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
            Self::Holder { .. } => "holder",
            Self::RichList(_) => "rich_list",
            Self::Collection(_) => "collection",
            Self::AllBlocks => "all_blocks",
            Self::AllTxs => "all_txs",
            Self::TxsOfType(_) => "txs_of_type",
            Self::Chain => "chain",
        }
    }

    /// What names it among those of its kind, as it came.
    fn name(&self) -> String {
        match self {
            Self::Block(height) | Self::TxsOf(height) | Self::ReceiptsOf(height) | Self::CallsOf(height) => {
                height.to_string()
            }
            Self::Tx(hash) => hash.to_string(),
            Self::Receipt(hash) => hash.to_string(),
            Self::Call(name) => name.clone(),
            Self::Account { address, .. } => address.bech32(),
            Self::Nft { collection, token_id } => format!("{}/{token_id}", collection.hex()),
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

/// How both sides differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SideDifference {
    /// A field has another value, or only one side has it.
    Value {
        /// Where in the record: `events[3].attributes[2].value`.
        field: String,
        /// What the node has; `None` where it has no such field.
        node: Option<Value>,
        /// What the indexer says; `None` where it does not.
        indexer: Option<Value>,
    },
    /// The indexer lacks what the chain has.
    Missing {
        /// What the node has.
        node: Value,
    },
    /// The indexer has what the chain does not.
    Unfounded {
        /// What the indexer says.
        indexer: Value,
    },
    /// The same, in another order.
    Order {
        /// Where in the record; empty for the rows of a list.
        field: String,
        /// In the node's order.
        node: Vec<String>,
        /// In the order in which the indexer lists them.
        indexer: Vec<String>,
    },
    /// A list says another length.
    Total {
        /// What the chain has.
        node: u64,
        /// What the indexer says.
        indexer: u64,
    },
}

impl SideDifference {
    /// A field's two values.
    pub(super) fn value(field: &str, node: impl Into<Value>, indexer: impl Into<Value>) -> Self {
        Self::Value { field: field.to_owned(), node: Some(node.into()), indexer: Some(indexer.into()) }
    }

    /// The one name of its kind.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Value { .. } => "value",
            Self::Missing { .. } => "missing",
            Self::Unfounded { .. } => "unfounded",
            Self::Order { .. } => "order",
            Self::Total { .. } => "total",
        }
    }

    /// Where in the record it is; empty where it is about the record as a whole.
    pub fn field(&self) -> &str {
        match self {
            Self::Value { field, .. } | Self::Order { field, .. } => field,
            Self::Missing { .. } | Self::Unfounded { .. } | Self::Total { .. } => "",
        }
    }

    /// What the node has, and what the indexer says; `None` where a side has nothing.
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

/// A difference, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The part in whose counts it stands.
    pub part: CheckedPart,
    /// The record that differs.
    pub record: CheckedRecord,
    /// How both sides differ, with their values.
    pub difference: SideDifference,
}

impl Finding {
    /// The finding as scripts read it.
    pub fn json(&self) -> Value {
        let (node, indexer) = self.difference.sides();
        json!({
            "kind": "difference", "part": self.part.to_string(), "record": self.record.kind(),
            "name": self.record.name(), "difference": self.difference.kind(), "field": self.difference.field(),
            "node": node, "indexer": indexer,
        })
    }
}

/// Columns of one side's value in a line for people.
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

/// Something that could not be compared, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotAsked {
    /// The part in whose counts it stands.
    pub part: CheckedPart,
    /// The record that was to be compared.
    pub record: CheckedRecord,
    /// Why, as a sentence; in the words of a server, which are hostile text.
    pub cause: String,
}

impl NotAsked {
    /// The same as scripts read it.
    pub fn json(&self) -> Value {
        json!({
            "kind": "not_asked", "part": self.part.to_string(), "record": self.record.kind(),
            "name": self.record.name(), "cause": self.cause,
        })
    }
}

/// What a part of a check came to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PartCounts {
    /// Records that were compared.
    pub compared: u64,
    /// Differences that no known way explains.
    pub different: u64,
    /// Times that a known way of the real indexer was met.
    pub known: u64,
    /// Records that could not be compared.
    pub not_asked: u64,
    /// Times that the indexer claims what the node neither proves nor refutes.
    pub unproven: u64,
}

/// What was found, in the order in which it was.
#[derive(Clone, Debug, Default)]
pub struct Findings {
    /// What differs and was not told yet.
    pub differences: Vec<Finding>,
    /// What could not be asked and was not told yet.
    pub not_asked: Vec<NotAsked>,
    /// How often each known way was met, and the first record.
    pub known: BTreeMap<KnownWay, (u64, CheckedRecord)>,
    /// How often each claim was met that is not proven, and the first record.
    pub unproven: BTreeMap<UnprovenClaim, (u64, CheckedRecord)>,
    /// Counts of each part that was compared or could not be.
    pub counts: BTreeMap<CheckedPart, PartCounts>,
}

impl Findings {
    pub(super) fn compared(&mut self, part: CheckedPart, records: usize) {
        self.counts.entry(part).or_default().compared += records as u64;
    }

    pub(super) fn differs(&mut self, part: CheckedPart, record: CheckedRecord, difference: SideDifference) {
        self.counts.entry(part).or_default().different += 1;
        self.differences.push(Finding { part, record, difference });
    }

    pub(super) fn known(&mut self, way: KnownWay, record: CheckedRecord) {
        self.counts.entry(way.part()).or_default().known += 1;
        self.known.entry(way).or_insert((0, record)).0 += 1;
    }

    pub(super) fn unproven(&mut self, claim: UnprovenClaim, record: CheckedRecord) {
        self.counts.entry(claim.part()).or_default().unproven += 1;
        self.unproven.entry(claim).or_insert((0, record)).0 += 1;
    }

    pub(super) fn not_asked(&mut self, part: CheckedPart, record: CheckedRecord, cause: impl fmt::Display) {
        self.counts.entry(part).or_default().not_asked += 1;
        self.not_asked.push(NotAsked { part, record, cause: cause.to_string() });
    }

    /// Takes over what another comparison found.
    pub(super) fn take(&mut self, other: Self) {
        self.differences.extend(other.differences);
        self.not_asked.extend(other.not_asked);
        for (way, (count, record)) in other.known {
            self.known.entry(way).or_insert((0, record)).0 += count;
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
