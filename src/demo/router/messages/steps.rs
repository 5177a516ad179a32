//! Builds the plans of signed transactions.

use super::{MessageBuilder, UNKNOWN_SECONDS};
use crate::{
    demo::router::{
        graph::EdgeKind,
        plan::{Plan, PlanStep, StepKind},
        quote::{QuoteLeg, seconds},
    },
    domain::{Address, ChainId},
    wire::router::ChainKind,
};

impl MessageBuilder<'_> {
    pub(super) fn plan(&self, tx_index: u32) -> Plan {
        let legs = self.legs_of(tx_index);
        let chain = legs.first().map(|leg| leg.edge.from.chain().clone());
        let chain_id = chain.unwrap_or_else(|| ChainId::new(""));
        let steps = (0..legs.len()).filter_map(|place| self.step(legs.get(place..)?)).collect();
        Plan { tx_index, signer: self.account(&chain_id, self.address(&chain_id)), chain_id, steps }
    }

    /// Plans the first of these steps; the later steps determine the receiver.
    fn step(&self, legs: &[&QuoteLeg]) -> Option<PlanStep> {
        let (leg, rest) = legs.split_first()?;
        let edge = leg.edge.as_ref();
        Some(PlanStep {
            kind: self.kind(leg, rest),
            from: edge.from.chain().clone(),
            to: edge.to.chain().clone(),
            denom_in: edge.from.denom().clone(),
            denom_out: edge.to.denom().clone(),
            amount_in: leg.amount_in,
            amount_out: leg.amount_out,
            sender: self.account(edge.from.chain(), self.address(edge.from.chain())),
            receiver: self.account(edge.to.chain(), self.receiver(edge)),
            seconds: seconds(self.world, edge).unwrap_or(UNKNOWN_SECONDS),
            carried: edge.from.wraps.clone().filter(|_| edge.unwraps()).map(|denom| (denom, leg.amount_out)),
        })
    }

    /// Returns an address in the chain's canonical format, since an EVM address has several.
    fn account(&self, chain: &ChainId, text: &str) -> String {
        let is_evm = self.world.chain(chain).is_some_and(|chain| chain.kind() == ChainKind::Evm);
        let address: Option<Address> = text.parse().ok().filter(|_| is_evm);
        address.map_or_else(|| text.to_owned(), |address| address.checksummed())
    }

    fn kind(&self, leg: &QuoteLeg, rest: &[&QuoteLeg]) -> StepKind {
        match &leg.edge.kind {
            EdgeKind::Ibc { channel, there, .. } => {
                StepKind::Ibc { channel: channel.clone(), channel_there: there.clone(), memo: self.memo(rest) }
            }
            EdgeKind::Deposit { bridge_id } => {
                let hook = self.hook.clone().filter(|_| leg.edge.wraps());
                StepKind::OpDeposit { bridge_id: bridge_id.to_string(), hook }
            }
            EdgeKind::Withdraw { bridge_id } => StepKind::OpWithdraw { bridge_id: bridge_id.to_string() },
            EdgeKind::Swap { sides } => {
                StepKind::Swap { venue: sides.first().map(|side| side.venue.clone()).unwrap_or_default() }
            }
            EdgeKind::Send => StepKind::Send,
            EdgeKind::Cctp { .. } => StepKind::Cctp,
            EdgeKind::GoFast => StepKind::GoFast,
        }
    }
}
