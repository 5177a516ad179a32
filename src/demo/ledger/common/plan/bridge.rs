//! Plans for the OPinit bridge, the oracle and the operator.

use super::{PlannedTx, Planner, TRIES};
use crate::demo::ledger::common::{
    Flavour,
    catalogue::{FEE_TOKEN, SEQUENCERS},
    record::{AdminAct, DepositHook, DepositRecord, FeePayment, Msg, PartyId, SignMode, TokenId},
    world::PartyRole,
};

/// Counter of the operator's actions in [`super::LedgerState::turns`].
const ACT_TURN: usize = 0;
/// Counter of special deposits in [`super::LedgerState::turns`].
const HOOK_TURN: usize = 1;

pub(crate) fn deposit<F: Flavour>(planner: &mut Planner<'_, F>) -> Option<PlannedTx<F>> {
    let executor = planner.world.role(PartyRole::Executor);
    let to = planner.other(executor);
    let token = TokenId(planner.rng.pick(planner.world.catalogue.bridged).copied()?);
    let whole = planner.world.catalogue.whole(token.0);
    let amount = whole / 100 * u128::from(1 + planner.rng.below(90_000));
    let sequence = planner.state.deposit;
    let plain = DepositRecord { executor, sequence, from: None, to, token, amount, hook: DepositHook::None };
    let deposit = if planner.rng.chance(1, 4) { special(planner, &plain)? } else { plain };
    let gas = if deposit.hook == DepositHook::None { 236_000 } else { 541_000 };
    Some(PlannedTx::free(executor, F::DEPOSIT_FEE, gas, vec![Msg::Deposit(Box::new(deposit))]))
}

/// Plans a deposit with a hook, with a failing hook, to a blocked receiver, or a repeated deposit.
fn special<F: Flavour>(planner: &mut Planner<'_, F>, plain: &DepositRecord) -> Option<DepositRecord> {
    let token = TokenId(planner.world.catalogue.bridged_token(0));
    let sequence = planner.state.sequence(plain.to);
    let turn = planner.state.turn(HOOK_TURN, 10);
    match turn {
        0 | 2 | 3 | 5 | 7 | 9 => {
            let amount = F::hook_amount(planner.state.balance(token, plain.to), plain.amount);
            Some(DepositRecord { token, hook: DepositHook::Run { sequence, amount }, ..plain.clone() })
        }
        1 | 6 => {
            let (to, expected) = signed_before(planner)?;
            let sequence = expected - 2;
            let hook = if turn == 1 {
                DepositHook::Stale { sequence, expected }
            } else {
                let withdrawal = planner.state.withdrawal;
                DepositHook::TakenBack { sequence, expected, withdrawal }
            };
            Some(DepositRecord { to, token, hook, ..plain.clone() })
        }
        4 => {
            let to = planner.world.role(PartyRole::FeeCollector);
            Some(DepositRecord {
                to,
                hook: DepositHook::Refused { withdrawal: planner.state.withdrawal },
                ..plain.clone()
            })
        }
        _ => {
            let sequence = plain.sequence.checked_sub(1).filter(|sequence| *sequence > 0)?;
            Some(DepositRecord { sequence, hook: DepositHook::Repeated, ..plain.clone() })
        }
    }
}

/// Returns a user who signed at least twice, and the user's next sequence number.
fn signed_before<F: Flavour>(planner: &mut Planner<'_, F>) -> Option<(PartyId, u32)> {
    (0..TRIES * 4).find_map(|_| {
        let user = planner.anybody();
        Some((user, planner.state.sequence(user))).filter(|(_, sequence)| *sequence >= 2)
    })
}

pub(crate) fn withdraw<F: Flavour>(planner: &mut Planner<'_, F>) -> Option<PlannedTx<F>> {
    let sequence = planner.state.withdrawal;
    let (sender, token, amount) = planner.holder(planner.world.catalogue.bridged, 200)?;
    let style = planner.cosmos_style();
    Some(PlannedTx::new(sender, style, 262_000, Msg::Withdraw { sender, to: None, token, amount, sequence }))
}

/// Plans an update of the oracle prices from the L1.
#[expect(clippy::unnecessary_wraps, reason = "all actions have one shape")]
pub(crate) fn oracle<F: Flavour>(planner: &mut Planner<'_, F>) -> Option<PlannedTx<F>> {
    let executor = planner.world.role(PartyRole::Executor);
    let bot = planner.world.role(PartyRole::OracleBot);
    Some(match planner.rng.index(8) {
        0 => PlannedTx::free(bot, FeePayment::Empty, 388_000, vec![Msg::RelayOracle { sender: bot }]),
        1 | 2 => PlannedTx::free(executor, FeePayment::Empty, 301_000, vec![Msg::UpdateOracle { sender: executor }]),
        _ => {
            let inner = Box::new([Msg::UpdateOracle { sender: executor }]);
            PlannedTx::free(bot, FeePayment::Empty, 327_000, vec![Msg::Exec { grantee: bot, inner }])
        }
    })
}

pub(crate) fn operator<F: Flavour>(planner: &mut Planner<'_, F>) -> Option<PlannedTx<F>> {
    let admin = planner.world.role(PartyRole::Admin);
    let someone = planner.other(admin);
    let turn = planner.state.turn(ACT_TURN, 13);
    let now = planner.state.sequencer;
    let count = u8::try_from(SEQUENCERS.len()).ok()?;
    let act = match turn {
        0 => {
            let executor = planner.world.role(PartyRole::Executor);
            return Some(PlannedTx::free(
                executor,
                FeePayment::Empty,
                94_000,
                vec![Msg::SetBridgeInfo { sender: executor }],
            ));
        }
        1 => AdminAct::AddFeeWhitelist(planner.world.role(PartyRole::Relayer)),
        2 => AdminAct::UpdateMinGasPrices,
        3 => {
            let collected = planner.state.balance(TokenId(FEE_TOKEN), planner.world.role(PartyRole::FeeCollector));
            let amount = planner.rng.share(collected, 200);
            if amount == 0 {
                return None;
            }
            AdminAct::SpendFeePool { recipient: someone, amount }
        }
        4 => AdminAct::AddExecutor(planner.world.role(PartyRole::OracleBot)),
        5 => AdminAct::UpdateVmParams,
        6 => AdminAct::AddValidator((now + 1) % count),
        7 => AdminAct::RemoveValidator((now + count - 1) % count),
        8 => AdminAct::UpdateParams,
        11 => AdminAct::UpdateAdmin,
        12 => AdminAct::UpdateSequencer((now + 1) % count),
        9 => AdminAct::RemoveFeeWhitelist(planner.world.role(PartyRole::LateRelayer)),
        _ => AdminAct::RemoveExecutor(planner.world.role(PartyRole::OracleBot)),
    };
    Some(PlannedTx::new(admin, SignMode::Direct, 118_000, Msg::Execute { sender: admin, act }))
}
