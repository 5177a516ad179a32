//! The optimistic bridge, the oracle and the operator.

#![expect(clippy::similar_names, reason = "granter and grantee, sender and spender are the field's words")]

use super::{Draft, Planner, calls};
use crate::rollup::ledger::evm::{
    apply::wrap_tokens,
    catalogue::{FEE_TOKEN, SEQUENCERS, TOKENS, WRAP_FACTOR},
    record::{Act, Call, Deposit, Fee, Hook, Msg, Style, TokenId},
    world::Role,
};

/// Tokens that come from the L1.
const BRIDGED: [u8; 4] = [2, 2, 3, 4];
/// Which of [`super::State::turns`] counts the operator's acts.
const ACT_TURN: usize = 0;
/// Which of them counts deposits with something special.
const HOOK_TURN: usize = 1;

pub(super) fn deposit(planner: &mut Planner<'_>) -> Option<Draft> {
    let executor = planner.world.role(Role::Executor);
    let to = planner.other(executor);
    let token = TokenId(planner.rng.pick(&BRIDGED).copied()?);
    let whole = 10u128.pow(u32::from(TOKENS.get(usize::from(token.0))?.decimals));
    let amount = whole / 100 * u128::from(1 + planner.rng.below(90_000));
    let plain = Deposit { executor, sequence: planner.state.deposit, to, token, amount, hook: Hook::None };
    let deposit = if planner.rng.chance(1, 4) { special(planner, &plain)? } else { plain };
    let gas = if deposit.hook == Hook::None { 236_000 } else { 541_000 };
    Some(Draft::free(executor, Fee::Empty, gas, vec![Msg::Deposit(Box::new(deposit))]))
}

/// A deposit with a hook, with one that fails, one that is refused, or one that was done before.
fn special(planner: &mut Planner<'_>, plain: &Deposit) -> Option<Deposit> {
    let (remote, _) = wrap_tokens(0);
    let sequence = planner.state.sequence(plain.to);
    match planner.state.turn(HOOK_TURN, 10) {
        0 | 2 | 3 | 5 | 7 | 9 => {
            let converted = planner.state.balance(remote, plain.to) + plain.amount;
            Some(Deposit { token: remote, hook: Hook::Convert { sequence, converted }, ..*plain })
        }
        1 | 6 => {
            let stale = sequence.checked_sub(2)?;
            Some(Deposit { token: remote, hook: Hook::Stale { sequence: stale, expected: sequence }, ..*plain })
        }
        4 => {
            let to = planner.world.role(Role::FeeCollector);
            Some(Deposit { to, hook: Hook::Refused { withdrawal: planner.state.withdrawal }, ..*plain })
        }
        _ => {
            let sequence = plain.sequence.checked_sub(1).filter(|sequence| *sequence > 0)?;
            Some(Deposit { sequence, hook: Hook::Repeated, ..*plain })
        }
    }
}

pub(super) fn withdraw(planner: &mut Planner<'_>) -> Option<Draft> {
    let sequence = planner.state.withdrawal;
    if planner.rng.chance(1, 3) {
        return withdraw_local(planner, sequence);
    }
    let (sender, token, amount) = planner.holder(&BRIDGED, 200)?;
    let style = planner.cosmos_style();
    Some(Draft::new(sender, style, 262_000, Msg::Withdraw { sender, token, amount, sequence }))
}

/// The way of people who hold the 18-decimal form: approve, convert, withdraw, in one transaction.
fn withdraw_local(planner: &mut Planner<'_>, sequence: u64) -> Option<Draft> {
    let (remote, _) = wrap_tokens(0);
    let (sender, local, amount) = calls::whole_local(planner, 0)?;
    let spender = planner.world.role(Role::Wrapper);
    let approve = Call::Approve { token: local, spender, amount: Some(amount) };
    let convert = Call::ToRemote { wrap: 0, amount };
    let withdraw = Msg::Withdraw { sender, token: remote, amount: amount / WRAP_FACTOR, sequence };
    let mut draft = Draft::new(sender, Style::Personal, 489_000, Msg::Call { sender, call: approve });
    draft.messages.extend([Msg::Call { sender, call: convert }, withdraw]);
    Some(draft)
}

#[expect(clippy::unnecessary_wraps, reason = "all actions have one shape")]
pub(super) fn oracle(planner: &mut Planner<'_>) -> Option<Draft> {
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
pub(super) fn operator(planner: &mut Planner<'_>) -> Option<Draft> {
    let admin = planner.world.role(Role::Admin);
    let someone = planner.other(admin);
    let turn = planner.state.turn(ACT_TURN, 12);
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
        5 => Act::UpdateEvmParams,
        6 => Act::AddValidator((now + 1) % count),
        7 => Act::RemoveValidator((now + count - 1) % count),
        8 => Act::UpdateParams,
        11 => Act::UpdateAdmin,
        9 => Act::RemoveFeeWhitelist(planner.world.role(Role::LateRelayer)),
        _ => Act::RemoveExecutor(planner.world.role(Role::OracleBot)),
    };
    Some(Draft::new(admin, Style::Direct, 118_000, Msg::Execute { sender: admin, act }))
}
