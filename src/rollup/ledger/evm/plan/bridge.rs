//! Withdrawals to the L1 by people who hold the 18-decimal form.

#![expect(clippy::similar_names, reason = "sender and spender are the field's words")]

use super::{Draft, Planner, calls};
use crate::rollup::ledger::{
    common::{
        plan::bridge,
        record::{Msg, Style},
        world::Role,
    },
    evm::{
        apply::wrap_tokens,
        catalogue::WRAP_FACTOR,
        record::{Call, Vm},
    },
};

/// A withdrawal, a third of them in the long way.
pub(super) fn withdraw(planner: &mut Planner<'_>) -> Option<Draft> {
    if planner.rng.chance(1, 3) {
        return withdraw_local(planner);
    }
    bridge::withdraw(planner)
}

/// The way of people who hold the 18-decimal form: approve, convert, withdraw, in one transaction.
fn withdraw_local(planner: &mut Planner<'_>) -> Option<Draft> {
    let sequence = planner.state.withdrawal;
    let (remote, _) = wrap_tokens(0);
    let (sender, local, amount) = calls::whole_local(planner, 0)?;
    let spender = planner.world.role(Role::Wrapper);
    let approve = Call::Approve { token: local, spender, amount: Some(amount) };
    let convert = Call::ToRemote { wrap: 0, amount };
    let withdraw = Msg::Withdraw { sender, token: remote, amount: amount / WRAP_FACTOR, sequence };
    let mut draft = Draft::new(sender, Style::Personal, 489_000, Msg::Vm(Vm::Call { sender, call: approve }));
    draft.messages.extend([Msg::Vm(Vm::Call { sender, call: convert }), withdraw]);
    Some(draft)
}
