//! What a signed transaction will set going, hop by hop: made with the messages, followed by the tracker.

use serde::{Deserialize, Serialize};

use crate::domain::{Amount, ChainId, Denom};

/// What one signed transaction of a route does.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Plan {
    /// Which transaction of the route, from 0.
    pub tx_index: u32,
    /// Where it is broadcast.
    pub chain_id: ChainId,
    /// Who signs.
    pub signer: String,
    /// Its steps, local ones (swaps, sends) included, in order.
    pub steps: Vec<PlanStep>,
}

/// One step of a plan: one operation of the route.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlanStep {
    /// How.
    #[serde(alias = "way")]
    pub kind: StepKind,
    /// Where it starts.
    pub from: ChainId,
    /// Where it ends; the same for a local step.
    pub to: ChainId,
    /// The asset before, on its chain.
    pub denom_in: Denom,
    /// The asset after, on its chain.
    pub denom_out: Denom,
    /// What goes in, in the smallest unit of `denom_in`.
    pub amount_in: Amount,
    /// What comes out, in the smallest unit of `denom_out`.
    pub amount_out: Amount,
    /// Who has it before, as that chain writes addresses.
    pub sender: String,
    /// Who has it after, as that chain writes addresses; an intermediate account on the way.
    pub receiver: String,
    /// How long it takes, in seconds of the chain's time, a scaled finalization included.
    pub seconds: u64,
    /// What a packet carries, in its smallest unit, where that is not what goes in: the coin beneath a wrapped form.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub carried: Option<(Denom, Amount)>,
}

/// How a step is done.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum StepKind {
    /// An IBC packet.
    Ibc {
        /// The channel on the sending side.
        channel: String,
        /// The channel on the receiving side.
        channel_there: String,
        /// The packet's memo: forwarding, a swap, a hook; empty without one.
        memo: String,
    },
    /// A deposit over the optimistic bridge.
    OpDeposit {
        /// The bridge's number.
        bridge_id: String,
        /// The signed hook as base64, where one goes with it.
        hook: Option<String>,
    },
    /// A withdrawal over the optimistic bridge: initiated on the rollup, claimed on the L1 after its finalization.
    OpWithdraw {
        /// The bridge's number.
        bridge_id: String,
    },
    /// A swap on the chain.
    Swap {
        /// `initia-dex` and the like.
        venue: String,
    },
    /// A transfer to another account of the chain.
    Send,
    /// Burn and mint, attested in between.
    Cctp,
    /// A solver pays out at once, and is paid later.
    GoFast,
}

impl StepKind {
    /// Whether it happens within one chain: such steps never appear as a hop of the status.
    pub fn is_local(&self) -> bool {
        matches!(self, Self::Swap { .. } | Self::Send)
    }
}
