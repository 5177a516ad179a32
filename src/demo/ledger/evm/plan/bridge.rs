//! Plans for withdrawals to the L1, including those of 18-decimal tokens.

use super::{PlannedTx, Planner, calls};
use crate::demo::ledger::{
    common::{
        Flavour as _,
        plan::bridge,
        record::{Msg, SignMode},
    },
    evm::{Evm, apply::wrap_tokens, catalogue::WRAP_FACTOR},
};

/// Plans a withdrawal. A third of the withdrawals convert their token first.
pub(super) fn withdraw(planner: &mut Planner<'_>) -> Option<PlannedTx> {
    if planner.rng.chance(1, 3) {
        return withdraw_local(planner);
    }
    bridge::withdraw(planner)
}

/// Plans a withdrawal of an 18-decimal token: approve, convert and withdraw in one transaction.
fn withdraw_local(planner: &mut Planner<'_>) -> Option<PlannedTx> {
    let sequence = planner.state.withdrawal;
    let (token, _) = wrap_tokens(0);
    let (sender, _, amount) = calls::whole_local(planner, 0)?;
    let withdraw = Msg::Withdraw { sender, to: None, token, amount: amount / WRAP_FACTOR, sequence };
    let unwrap = Evm::unwrap(planner.world, sender, 0, amount).into_iter().map(Msg::Vm);
    Some(PlannedTx::of(sender, SignMode::Personal, 489_000, unwrap.chain([withdraw]).collect()))
}
