//! Graph of assets on chains, and of the connections between them.

use std::sync::Arc;

use crate::{
    domain::{Amount, ChainId, Denom},
    wire::router::Asset,
};

/// Node of the graph: an asset on a chain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ListedAsset {
    pub(super) asset: Asset,
    /// Price of one whole token, in millionths of a US dollar; `None` if unknown.
    pub(super) price: Option<Amount>,
    /// Channel path and base denom. Their hash is the IBC denom.
    pub(super) path: String,
    /// On an EVM rollup, the denom that this 18-decimal asset wraps.
    pub(super) wraps: Option<Denom>,
    /// On an EVM rollup, the ERC-20 contract in the chain's address format.
    pub(super) contract: Option<String>,
    /// Whether its contract changes an allowance only from or to 0, as USDT's on Ethereum.
    pub(super) resets_allowance: bool,
    /// Initial balance of the demo wallet.
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
        self.asset.symbol.as_received()
    }

    pub(super) fn decimals(&self) -> u8 {
        self.asset.decimals.unwrap_or_default()
    }

    /// Formats an amount with the asset's symbol: `1,234.5 USDC`.
    pub(super) fn say(&self, amount: Amount) -> String {
        format!("{} {}", amount.display(self.decimals()), self.symbol())
    }
}

/// Edge of the graph: a connection between two assets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct AssetEdge {
    pub(super) from: Arc<ListedAsset>,
    pub(super) to: Arc<ListedAsset>,
    pub(super) kind: EdgeKind,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum EdgeKind {
    Ibc {
        /// Channel on the sending chain.
        channel: String,
        /// Channel on the receiving chain.
        there: String,
        /// Duration in seconds; `None` if unknown.
        seconds: Option<u64>,
    },
    /// OPinit bridge from the L1 to the rollup.
    Deposit { bridge_id: u64 },
    /// OPinit bridge from the rollup to the L1.
    Withdraw { bridge_id: u64 },
    /// Swap through liquidity pools of one chain.
    Swap {
        /// Pools in the order of the swap; at least one.
        sides: Vec<PoolSide>,
    },
    /// Transfer to another account on the chain.
    Send,
    Cctp {
        /// Whether a paid relayer mints the tokens and forwards them.
        relayed: bool,
    },
    /// Instant payment by a solver.
    GoFast,
}

/// Liquidity pool, seen from the asset that the swap sells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct PoolSide {
    /// Object of the pool on the L1.
    pub(super) pool: Denom,
    pub(super) venue: String,
    pub(super) sold: Arc<ListedAsset>,
    pub(super) bought: Arc<ListedAsset>,
    pub(super) reserve_sold: Amount,
    pub(super) reserve_bought: Amount,
    /// Fee in hundredths of a percent of the sold amount.
    pub(super) basis_points: u32,
}

impl AssetEdge {
    /// Whether the edge stays on one chain.
    pub(super) fn is_local(&self) -> bool {
        matches!(self.kind, EdgeKind::Swap { .. } | EdgeKind::Send)
    }

    /// Whether a signed hook wraps the arriving asset in an 18-decimal token.
    pub(super) fn wraps(&self) -> bool {
        matches!(self.kind, EdgeKind::Deposit { .. }) && self.to.wraps.is_some()
    }

    /// Whether the asset is an 18-decimal wrapper, which the route unwraps before it leaves.
    pub(super) fn unwraps(&self) -> bool {
        matches!(self.kind, EdgeKind::Withdraw { .. } | EdgeKind::Ibc { .. }) && self.from.wraps.is_some()
    }
}
