//! What the world's graph is made of: assets on chains, and the ways between them.

use std::sync::Arc;

use crate::{
    domain::{Amount, ChainId, Denom},
    wire::router::Asset,
};

/// An asset on a chain: a node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ListedAsset {
    /// As clients are told.
    pub(super) asset: Asset,
    /// Millionths of a dollar for one token; `None` where nobody knows.
    pub(super) price: Option<Amount>,
    /// Over which ports and channels it came, with the denom where it comes from: what an IBC denom is the hash of.
    pub(super) path: String,
    /// What it is the 18-decimal form of, on an EVM rollup.
    pub(super) wraps: Option<Denom>,
    /// Its ERC-20 contract in the form of its chain, on EVM rollups.
    pub(super) contract: Option<String>,
    /// What the demo wallet has at the start.
    pub(super) start: Amount,
}

impl ListedAsset {
    pub(super) fn chain(&self) -> &ChainId {
        &self.asset.chain_id
    }

    pub(super) fn denom(&self) -> &Denom {
        &self.asset.denom
    }

    pub(super) fn symbol(&self) -> &str {
        &self.asset.symbol
    }

    pub(super) fn decimals(&self) -> u8 {
        self.asset.decimals.unwrap_or_default()
    }

    /// An amount of it for a person: `1,234.5 USDC`.
    pub(super) fn say(&self, amount: Amount) -> String {
        format!("{} {}", amount.display(self.decimals()), self.symbol())
    }
}

/// A way from one asset to another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct AssetEdge {
    pub(super) from: Arc<ListedAsset>,
    pub(super) to: Arc<ListedAsset>,
    pub(super) kind: EdgeKind,
}

/// How one asset becomes another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum EdgeKind {
    Ibc {
        /// The channel on the sending side.
        channel: String,
        /// The channel on the receiving side.
        there: String,
        /// How long it takes; `None` where nobody knows.
        seconds: Option<u64>,
    },
    /// The optimistic bridge, towards the rollup.
    Deposit { bridge_id: u64 },
    /// The optimistic bridge, towards the L1.
    Withdraw { bridge_id: u64 },
    /// Swaps through pools of one chain.
    Swap {
        /// In order; never empty.
        sides: Vec<PoolSide>,
    },
    /// To another account of the chain.
    Send,
    /// Burn and mint.
    Cctp {
        /// Whether a paid relayer mints and sends on.
        relayed: bool,
    },
    /// A solver pays out at once.
    GoFast,
}

/// A pool, from the side that is sold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct PoolSide {
    /// The pool's object on the L1.
    pub(super) pool: Denom,
    pub(super) venue: String,
    pub(super) sold: Arc<ListedAsset>,
    pub(super) bought: Arc<ListedAsset>,
    pub(super) reserve_sold: Amount,
    pub(super) reserve_bought: Amount,
    /// The fee, in hundredths of a percent of what is sold.
    pub(super) basis_points: u32,
}

impl AssetEdge {
    /// Whether it stays on its chain.
    pub(super) fn is_local(&self) -> bool {
        matches!(self.kind, EdgeKind::Swap { .. } | EdgeKind::Send)
    }

    /// Whether the 18-decimal form is made of what arrives: a signed hook does that.
    pub(super) fn wraps(&self) -> bool {
        matches!(self.kind, EdgeKind::Deposit { .. }) && self.to.wraps.is_some()
    }

    /// Whether the 18-decimal form is given up before it leaves.
    pub(super) fn unwraps(&self) -> bool {
        matches!(self.kind, EdgeKind::Withdraw { .. } | EdgeKind::Ibc { .. }) && self.from.wraps.is_some()
    }
}
