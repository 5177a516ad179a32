//! Plan of a signed transaction's effects, hop by hop. The router makes it with the messages; the tracker executes it.

use serde::{Deserialize, Serialize};

use crate::domain::{Amount, ChainId, Denom};

/// Effects of one signed transaction of a route.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Plan {
    /// Index of the transaction among the route's transactions, from 0.
    pub tx_index: u32,
    pub chain_id: ChainId,
    pub signer: String,
    /// Steps in order, including those on one chain: swaps and sends.
    pub steps: Vec<PlanStep>,
}

/// Step of a plan, one operation of the route.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlanStep {
    #[serde(alias = "way")]
    pub kind: StepKind,
    pub from: ChainId,
    /// Destination chain; equal to `from` for a step on one chain.
    pub to: ChainId,
    /// Denom of the input, on `from`.
    pub denom_in: Denom,
    /// Denom of the output, on `to`.
    pub denom_out: Denom,
    /// Input in the smallest unit of `denom_in`.
    pub amount_in: Amount,
    /// Output in the smallest unit of `denom_out`.
    pub amount_out: Amount,
    /// Account that holds the funds before the step, in its chain's format.
    pub sender: String,
    /// Account that holds the funds after the step, in its chain's format. It may be an intermediate account.
    pub receiver: String,
    /// Duration in seconds on the chain, including a scaled wait for finality.
    pub seconds: u64,
    /// Coin in the packet, if it differs from the input: the original of a wrapped token.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub carried: Option<(Denom, Amount)>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum StepKind {
    Ibc {
        /// Channel on the sending chain.
        channel: String,
        /// Channel on the receiving chain.
        channel_there: String,
        /// Memo of the packet, with a forward, swap or hook; empty without one.
        memo: String,
    },
    /// Deposit over the OPinit bridge.
    OpDeposit {
        bridge_id: String,
        /// Signed hook in base64.
        hook: Option<String>,
    },
    /// Withdrawal over the OPinit bridge. It begins on the rollup; a claim on the L1 completes it after the challenge
    /// period.
    OpWithdraw { bridge_id: String },
    Swap {
        /// Venue of a swap, such as `initia-dex`.
        venue: String,
    },
    /// Transfer to another account on the chain.
    Send,
    /// Burn and mint, with an attestation between them.
    Cctp,
    /// Instant payment by a solver, whom the order later repays.
    GoFast,
}

impl StepKind {
    /// Whether the step stays on one chain. Such steps are not hops in the status.
    pub fn is_local(&self) -> bool {
        matches!(self, Self::Swap { .. } | Self::Send)
    }
}
