//! Stored transfer, with all data that rollscope needs to continue watching it after a restart.

use std::{fmt, str::FromStr, sync::Arc};

use serde::{Deserialize, Serialize};

use super::{AmountError, Balance, BroadcastHash, ChainId, Denom, TimedText, Timestamp};

/// Permanent identity of a transfer: chain and hash of its first transaction.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TransferId {
    /// Chain of the first broadcast.
    pub chain_id: ChainId,
    pub hash: BroadcastHash,
}

/// Place in a transfer that a later transaction left, because a node said that it refused the transaction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FormerPlace {
    pub transfer: TransferId,
    /// Index among the transfer's transactions.
    pub index: usize,
}

/// Registration of a transaction with the router.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, strum::Display, strum::EnumString)]
#[strum(serialize_all = "snake_case")]
pub enum Tracking {
    /// The router has not accepted the registration yet; rollscope repeats it.
    #[default]
    Pending,
    Accepted,
    /// The router refused the registration permanently; the user may retry.
    Refused,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceTx {
    pub chain_id: ChainId,
    pub hash: BroadcastHash,
    /// Time of the broadcast; for a hash that the user typed, time of the input.
    pub at: Timestamp,
    pub tracking: Tracking,
    /// Newest response of the router's status endpoint as verbatim JSON, with its time.
    pub status: Option<(Arc<str>, Timestamp)>,
    /// Terms that later prove that no block included the transaction; `None` without such terms.
    pub terms: Option<TxTerms>,
    /// What a node simulated; `None` if nothing is known.
    pub simulated: Option<SimulatedOutcome>,
}

/// Conditions under which a block can include a signed transaction, by a node that no router named.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TxTerms {
    /// Cosmos REST URL of the node.
    pub rest: String,
    /// Signer as bech32.
    pub signer: String,
    pub sequence: u64,
    /// Last height at which a block can include the transaction.
    pub timeout_height: u64,
}

/// What a node said before the signature that a transaction would do.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SimulatedOutcome {
    /// Host and port of the node.
    pub host: String,
    /// Account whose balances move, in the chain's format.
    pub signer: String,
    /// Movements without the fee, once per denom.
    pub moves: Vec<SignerMove>,
}

/// Movement of a signer's balance by a transaction, without the fee.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "(String, String)", try_from = "(String, String)")]
pub struct SignerMove {
    pub denom: Denom,
    /// Change in the smallest unit, never zero.
    pub delta: Balance,
}

impl From<SignerMove> for (String, String) {
    fn from(moved: SignerMove) -> Self {
        (moved.denom.as_str().to_owned(), moved.delta.to_string())
    }
}

impl TryFrom<(String, String)> for SignerMove {
    type Error = AmountError;

    fn try_from((denom, delta): (String, String)) -> Result<Self, AmountError> {
        Ok(Self { denom: Denom::new(denom), delta: delta.parse()? })
    }
}

/// Height of a chain, and the sequence number of an account's next transaction after that height.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AccountAt {
    pub height: u64,
    pub sequence: u64,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TransferChange {
    /// Time when rollscope noticed the change.
    pub at: Timestamp,
    /// New headline, or the user's action.
    pub text: TimedText,
}

/// Transfer in the state file, which survives the program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TransferRecord {
    pub id: TransferId,
    pub created: Timestamp,
    /// Name that the user gave; empty without a name.
    pub label: String,
    /// Whole route as verbatim JSON from the router; `None` for a typed hash.
    pub route: Option<Arc<str>>,
    /// Addresses for the route's `required_chain_addresses`, in that order; empty without a route.
    pub addresses: Vec<String>,
    /// Transactions in order, never empty. A broadcast adds its transaction.
    pub txs: Vec<SourceTx>,
    /// Changes, oldest first; at most [`Self::CHANGES`].
    pub changes: Vec<TransferChange>,
    /// Whether the transfer is final, so that rollscope polls it only on request.
    pub is_over: bool,
    /// Former chain of the transfer, if another chain now answers at the network's address.
    pub gone_chain: Option<ChainId>,
    /// Where the only transaction belongs if its chain includes it after all; `None` for a transfer of its own.
    pub former_place: Option<FormerPlace>,
}

impl TransferRecord {
    /// Maximum stored changes; the oldest are dropped.
    pub const CHANGES: usize = 200;

    /// Creates a transfer from a hash, without a route.
    pub fn of_hash(chain_id: ChainId, hash: &BroadcastHash, at: Timestamp) -> Self {
        let hash = hash.for_chain(&chain_id);
        let tx = SourceTx {
            chain_id: chain_id.clone(),
            hash: hash.clone(),
            at,
            tracking: Tracking::default(),
            status: None,
            terms: None,
            simulated: None,
        };
        Self {
            id: TransferId { chain_id, hash },
            created: at,
            label: String::new(),
            route: None,
            addresses: Vec::new(),
            txs: vec![tx],
            changes: Vec::new(),
            is_over: false,
            gone_chain: None,
            former_place: None,
        }
    }

    /// Whether rollscope broadcast the transfer, so that the record has the actual times; a typed hash may be of any
    /// age.
    pub fn is_sent_here(&self) -> bool {
        !self.addresses.is_empty()
    }

    /// Adds a change, unless its text equals the last change's.
    pub fn note(&mut self, at: Timestamp, text: impl Into<TimedText>) {
        let text = text.into();
        if self.changes.last().is_some_and(|last| last.text == text) {
            return;
        }
        if self.changes.len() >= Self::CHANGES {
            self.changes.remove(0);
        }
        self.changes.push(TransferChange { at, text });
    }
}

impl fmt::Display for TransferId {
    /// Formats the id as `chain/hash`.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}/{}", self.chain_id, self.hash)
    }
}

impl FromStr for TransferId {
    type Err = super::BroadcastHashError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (chain, hash) = text.rsplit_once('/').unwrap_or(("", text));
        Ok(Self { chain_id: ChainId::new(chain), hash: hash.parse()? })
    }
}
