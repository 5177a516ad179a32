//! A transfer as it is kept: everything that is needed to watch it again after a restart.

use std::{fmt, str::FromStr, sync::Arc};

use super::{BroadcastHash, ChainId, Timestamp};

/// Names a kept transfer for good: its first transaction's chain and hash.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TransferId {
    /// Where its first transaction was broadcast.
    pub chain_id: ChainId,
    /// That transaction's hash.
    pub hash: BroadcastHash,
}

/// How far the registration of a transaction with the router is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, strum::Display, strum::EnumString)]
#[strum(serialize_all = "snake_case")]
pub enum Tracking {
    /// The router has not accepted it yet; it is asked again.
    #[default]
    Pending,
    /// The router accepted it.
    Accepted,
    /// The router refused it to the end; a person may ask again.
    Refused,
}

/// One signed transaction of a transfer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceTx {
    /// Where it was broadcast.
    pub chain_id: ChainId,
    /// Its hash.
    pub hash: BroadcastHash,
    /// When it was broadcast, or given to us.
    pub at: Timestamp,
    /// Whether the router watches it.
    pub tracking: Tracking,
    /// The newest answer of the status endpoint, verbatim JSON, and when it came.
    pub status: Option<(Arc<str>, Timestamp)>,
}

/// A change of what is known, for the history on the transfer page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TransferChange {
    /// When we learnt of it.
    pub at: Timestamp,
    /// What was known from then on: the headline, or what a person did.
    pub text: String,
}

/// A transfer as it is kept in the state file: it outlives the program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TransferRecord {
    /// Its name.
    pub id: TransferId,
    /// When it was begun.
    pub created: Timestamp,
    /// A person's own name for it; empty without one.
    pub label: String,
    /// The whole route as the router gave it, verbatim JSON; `None` for a hash that was typed.
    pub route: Option<Arc<str>>,
    /// The addresses that go with the route's `required_chain_addresses`, in that order; empty without a route.
    pub addresses: Vec<String>,
    /// Its transactions in order; never empty. The next one is added when it is broadcast.
    pub txs: Vec<SourceTx>,
    /// What changed, oldest first; bounded.
    pub changes: Vec<TransferChange>,
    /// Whether there is nothing more to wait for: it is polled only when a person asks.
    pub is_over: bool,
    /// The chain under which it was kept, where another one is at the network's address now; `None` for all others.
    pub gone_chain: Option<ChainId>,
}

impl TransferRecord {
    /// Changes kept at the most; the oldest go first.
    pub const CHANGES: usize = 200;

    /// A transfer of which only the hash is known.
    pub fn of_hash(chain_id: ChainId, hash: &BroadcastHash, at: Timestamp) -> Self {
        let hash = hash.for_chain(&chain_id);
        let tx = SourceTx {
            chain_id: chain_id.clone(),
            hash: hash.clone(),
            at,
            tracking: Tracking::default(),
            status: None,
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
        }
    }

    /// Whether it was begun here, so that its transactions were sent when the record says; a hash that was typed may be
    /// of any age.
    pub fn is_sent_here(&self) -> bool {
        !self.addresses.is_empty()
    }

    /// Notes a change where the text differs from the last one.
    pub fn note(&mut self, at: Timestamp, text: &str) {
        if self.changes.last().is_some_and(|last| last.text == text) {
            return;
        }
        if self.changes.len() >= Self::CHANGES {
            self.changes.remove(0);
        }
        self.changes.push(TransferChange { at, text: text.to_owned() });
    }
}

impl fmt::Display for TransferId {
    /// `chain/hash`.
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
