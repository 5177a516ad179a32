//! Plan of a signed transaction's effects, hop by hop: created with the messages, executed by the tracker.

use serde::{Deserialize, Serialize};

use crate::domain::{Amount, ChainId, Denom};

/// Effects of one signed transaction of a route.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Plan {
    /// Index of the transaction in the route, from 0.
    pub tx_index: u32,
    /// Chain of the broadcast.
    pub chain_id: ChainId,
    pub signer: String,
    /// Steps in order, including local ones (swaps, sends).
    pub steps: Vec<PlanStep>,
}

/// Step of a plan: one operation of the route.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlanStep {
    #[serde(alias = "way")]
    pub kind: StepKind,
    pub from: ChainId,
    /// Destination chain; equal to `from` for a local step.
    pub to: ChainId,
    /// Input denom on its chain.
    pub denom_in: Denom,
    /// Output denom on its chain.
    pub denom_out: Denom,
    /// Input in the smallest unit of `denom_in`.
    pub amount_in: Amount,
    /// Output in the smallest unit of `denom_out`.
    pub amount_out: Amount,
    /// Holder before the step, in the chain's address form.
    pub sender: String,
    /// Holder after the step, in the chain's address form; possibly an intermediate account.
    pub receiver: String,
    /// Duration in seconds of chain time, including a scaled finalization.
    pub seconds: u64,
    /// Coin of the packet in its smallest unit, if not the input: the original of a wrapped form.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub carried: Option<(Denom, Amount)>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum StepKind {
    Ibc {
        /// Channel on the sending side.
        channel: String,
        /// Channel on the receiving side.
        channel_there: String,
        /// Packet memo with forwarding, swap or hook; empty without one.
        memo: String,
    },
    /// Deposit over the OPinit bridge.
    OpDeposit {
        bridge_id: String,
        /// Signed hook in base64, if any.
        hook: Option<String>,
    },
    /// Withdrawal over the OPinit bridge: started on the rollup, claimed on the L1 after its finalization.
    OpWithdraw { bridge_id: String },
    Swap {
        /// Venue, such as `initia-dex`.
        venue: String,
    },
    /// Transfer to another account of the chain.
    Send,
    /// Burn and mint with an attestation.
    Cctp,
    /// Instant payment by a solver, who is repaid later.
    GoFast,
}

impl StepKind {
    /// Whether the step stays on one chain: such steps are no hops of the status.
    pub fn is_local(&self) -> bool {
        matches!(self, Self::Swap { .. } | Self::Send)
    }
}
