//! The optimistic bridge, the oracle and the operator.

use super::{Draft, Planner};
use crate::demo::ledger::common::{
    Flavour,
    catalogue::{FEE_TOKEN, SEQUENCERS},
    record::{Act, Deposit, Fee, Hook, Msg, Style, TokenId},
    world::Role,
};

/// Which of [`super::State::turns`] counts the operator's acts.
const ACT_TURN: usize = 0;
/// Which of them counts deposits with something special.
const HOOK_TURN: usize = 1;

/// A deposit from the L1 arrives.
pub(crate) fn deposit<F: Flavour>(planner: &mut Planner<'_, F>) -> Option<Draft<F>> {
    let executor = planner.world.role(Role::Executor);
    let to = planner.other(executor);
    let token = TokenId(planner.rng.pick(planner.world.catalogue.bridged).copied()?);
    let whole = planner.world.catalogue.whole(token.0);
    let amount = whole / 100 * u128::from(1 + planner.rng.below(90_000));
    let sequence = planner.state.deposit;
    let plain = Deposit { executor, sequence, from: None, to, token, amount, hook: Hook::None };
    let deposit = if planner.rng.chance(1, 4) { special(planner, &plain)? } else { plain };
    let gas = if deposit.hook == Hook::None { 236_000 } else { 541_000 };
    Some(Draft::free(executor, Fee::Empty, gas, vec![Msg::Deposit(Box::new(deposit))]))
}

/// A deposit with a hook, with one that fails, one that is refused, or one that was done before.
fn special<F: Flavour>(planner: &mut Planner<'_, F>, plain: &Deposit) -> Option<Deposit> {
    let token = TokenId(planner.world.catalogue.bridged_token(0));
    let sequence = planner.state.sequence(plain.to);
    match planner.state.turn(HOOK_TURN, 10) {
        0 | 2 | 3 | 5 | 7 | 9 => {
            let amount = F::hook_amount(planner.state.balance(token, plain.to), plain.amount);
            Some(Deposit { token, hook: Hook::Run { sequence, amount }, ..plain.clone() })
        }
        1 | 6 => {
            let stale = sequence.checked_sub(2)?;
            Some(Deposit { token, hook: Hook::Stale { sequence: stale, expected: sequence }, ..plain.clone() })
        }
        4 => {
            let to = planner.world.role(Role::FeeCollector);
            Some(Deposit { to, hook: Hook::Refused { withdrawal: planner.state.withdrawal }, ..plain.clone() })
        }
        _ => {
            let sequence = plain.sequence.checked_sub(1).filter(|sequence| *sequence > 0)?;
            Some(Deposit { sequence, hook: Hook::Repeated, ..plain.clone() })
        }
    }
}

/// A withdrawal to the L1 starts.
pub(crate) fn withdraw<F: Flavour>(planner: &mut Planner<'_, F>) -> Option<Draft<F>> {
    let sequence = planner.state.withdrawal;
    let (sender, token, amount) = planner.holder(planner.world.catalogue.bridged, 200)?;
    let style = planner.cosmos_style();
    Some(Draft::new(sender, style, 262_000, Msg::Withdraw { sender, to: None, token, amount, sequence }))
}

/// Prices of the L1 arrive.
#[expect(clippy::unnecessary_wraps, reason = "all actions have one shape")]
pub(crate) fn oracle<F: Flavour>(planner: &mut Planner<'_, F>) -> Option<Draft<F>> {
    let executor = planner.world.role(Role::Executor);
    let bot = planner.world.role(Role::OracleBot);
    Some(match planner.rng.index(8) {
        0 => Draft::free(bot, Fee::Empty, 388_000, vec![Msg::RelayOracle { sender: bot }]),
        1 | 2 => Draft::free(executor, Fee::Empty, 301_000, vec![Msg::UpdateOracle { sender: executor }]),
        _ => {
            let inner = Box::new([Msg::UpdateOracle { sender: executor }]);
            Draft::free(bot, Fee::Empty, 327_000, vec![Msg::Exec { grantee: bot, inner }])
        }
    })
}

/// What the operator does, one thing after another.
pub(crate) fn operator<F: Flavour>(planner: &mut Planner<'_, F>) -> Option<Draft<F>> {
    let admin = planner.world.role(Role::Admin);
    let someone = planner.other(admin);
    let turn = planner.state.turn(ACT_TURN, 13);
    let now = planner.state.sequencer;
    let count = u8::try_from(SEQUENCERS.len()).ok()?;
    let act = match turn {
        0 => {
            let executor = planner.world.role(Role::Executor);
            return Some(Draft::free(executor, Fee::Empty, 94_000, vec![Msg::SetBridgeInfo { sender: executor }]));
        }
        1 => Act::AddFeeWhitelist(planner.world.role(Role::Relayer)),
        2 => Act::UpdateMinGasPrices,
        3 => {
            let collected = planner.state.balance(TokenId(FEE_TOKEN), planner.world.role(Role::FeeCollector));
            let amount = planner.rng.share(collected, 200);
            if amount == 0 {
                return None;
            }
            Act::SpendFeePool { recipient: someone, amount }
        }
        4 => Act::AddExecutor(planner.world.role(Role::OracleBot)),
        5 => Act::UpdateVmParams,
        6 => Act::AddValidator((now + 1) % count),
        7 => Act::RemoveValidator((now + count - 1) % count),
        8 => Act::UpdateParams,
        11 => Act::UpdateAdmin,
        12 => Act::UpdateSequencer((now + 1) % count),
        9 => Act::RemoveFeeWhitelist(planner.world.role(Role::LateRelayer)),
        _ => Act::RemoveExecutor(planner.world.role(Role::OracleBot)),
    };
    Some(Draft::new(admin, Style::Direct, 118_000, Msg::Execute { sender: admin, act }))
}
