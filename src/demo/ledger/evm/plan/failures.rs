//! Plans for failing transactions, one kind after the other.

use super::{PlannedTx, Planner, evm_style};
use crate::demo::ledger::{
    common::{
        catalogue::FEE_TOKEN,
        plan::{failures, ibc::owned},
        record::{PartyId, SignMode, TokenId, TxOutcome},
    },
    evm::{
        Msg,
        record::{ContractCall, RevertReason, VmFailure, VmMessage, VmStop},
    },
};

/// Counter of failures in [`super::LedgerState::turns`].
const FAILURE_TURN: usize = 3;
/// Number of kinds that [`any`] knows.
const KINDS: u32 = 24;

const BALANCE: RevertReason = RevertReason::Reason("ERC20: transfer amount exceeds balance");

pub(super) fn any(planner: &mut Planner<'_>) -> Option<PlannedTx> {
    let kind = planner.state.turn(FAILURE_TURN, KINDS);
    let round = planner.state.turns[FAILURE_TURN] / KINDS;
    let sender = planner.user()?;
    match kind {
        0..=5 => Some(refused(planner, sender, kind)),
        6..=10 => stopped(planner, sender, kind),
        11..=14 => Some(out_of_gas(planner, sender, kind)),
        15 if round.is_multiple_of(2) => Some(several(planner, sender)),
        15 => Some(bank(planner, sender)),
        16 | 17 => failures::before_fee(planner, sender, kind == 17),
        18 => Some(failures::no_authorization(planner, sender)),
        19 | 20 => Some(failures::not_permitted(planner, sender, kind == 19)),
        21 => Some(failures::no_channel(planner, sender)),
        22 => Some(bad_input(planner, sender)),
        _ => Some(failures::relayer(planner, sender, round.is_multiple_of(2))),
    }
}

/// Returns more than the account's balance.
fn too_much(planner: &Planner<'_>, token: TokenId, party: PartyId) -> u128 {
    planner.state.balance(token, party) * 3 + 1_000_000
}

/// Plans a call that reverts: with a reason, with a Solidity panic, or with a custom error.
fn refused(planner: &mut Planner<'_>, sender: PartyId, kind: u32) -> PlannedTx {
    let (to, token) = (planner.other(sender), TokenId(10));
    let amount = too_much(planner, token, sender);
    let ping = ContractCall::Ping { application: 3, argument: planner.rng.next() };
    let (call, refusal) = match kind {
        0 => (ContractCall::Transfer { token, to, amount }, BALANCE),
        1 => (ContractCall::ToRemote { wrap: 0, amount: 1 }, RevertReason::Reason("dust amount should be zero")),
        2 => (ContractCall::Unstake { amount }, RevertReason::Reason("arithmetic underflow or overflow")),
        3 => (ping, RevertReason::Reason("out-of-bounds access of an array or bytesN")),
        4 => (ContractCall::Claim { amount }, RevertReason::Custom),
        _ => (ping, RevertReason::Reason("division or modulo by zero")),
    };
    let style = evm_style(planner);
    PlannedTx::new(sender, style, 66_000, Msg::Vm(VmMessage::Call { sender, call }))
        .ending(TxOutcome::Vm(VmFailure::Reverted(refusal)))
}

/// Plans a call or deployment that the EVM stops.
fn stopped(planner: &mut Planner<'_>, sender: PartyId, kind: u32) -> Option<PlannedTx> {
    let style = evm_style(planner);
    let ping =
        Msg::Vm(VmMessage::Call { sender, call: ContractCall::Ping { application: 6, argument: planner.rng.next() } });
    let deploy = Msg::Vm(VmMessage::Create { sender, nonce: planner.state.sequence(sender), salt: None });
    Some(match kind {
        6 => {
            PlannedTx::new(sender, style, 181_000, ping).ending(TxOutcome::Vm(VmFailure::CallFailed(VmStop::OutOfGas)))
        }
        7 => PlannedTx::new(sender, style, 143_000, ping)
            .ending(TxOutcome::Vm(VmFailure::CallFailed(VmStop::InvalidOpcode))),
        8 => {
            let amount = too_much(planner, TokenId(FEE_TOKEN), sender);
            let to = planner.other(sender);
            let pay = Msg::Vm(VmMessage::Call { sender, call: ContractCall::Pay { to, amount } });
            let outcome = TxOutcome::Vm(VmFailure::CallFailed(VmStop::Funds));
            PlannedTx::new(sender, style, 41_000, pay).ending(outcome)
        }
        9 => {
            let outcome = TxOutcome::Vm(VmFailure::CreateFailed(VmStop::CodeStorage));
            PlannedTx::new(sender, style, 604_000, deploy).ending(outcome)
        }
        _ => {
            let (id, owner) = owned(planner, 0)?;
            let to = planner.other(owner);
            let thief = planner.user().filter(|thief| *thief != owner)?;
            let give = Msg::Vm(VmMessage::Call { sender: thief, call: ContractCall::Give { collection: 0, id, to } });
            PlannedTx::new(thief, style, 58_000, give).ending(TxOutcome::Vm(VmFailure::Reverted(RevertReason::Custom)))
        }
    })
}

/// Plans a transaction whose gas limit is too low, or which makes the application panic.
fn out_of_gas(planner: &mut Planner<'_>, sender: PartyId, kind: u32) -> PlannedTx {
    let (to, token) = (planner.other(sender), TokenId(FEE_TOKEN));
    let send = Msg::Send { from: sender, to, token, amount: 1_000_000_000_000_000 };
    let ping =
        Msg::Vm(VmMessage::Call { sender, call: ContractCall::Ping { application: 4, argument: planner.rng.next() } });
    match kind {
        11 => PlannedTx::new(sender, SignMode::Personal, 111_000, send).ending(TxOutcome::OutOfGas("ReadFlat")),
        12 => {
            let style = evm_style(planner);
            PlannedTx::new(sender, style, 155_000, ping).ending(TxOutcome::OutOfGas("EVM gas consumption"))
        }
        13 => PlannedTx::new(sender, SignMode::Ethereum, 21_000, ping).ending(TxOutcome::Vm(VmFailure::IntrinsicGas)),
        _ => PlannedTx::new(sender, SignMode::Personal, 90_000, ping).ending(TxOutcome::Recovered),
    }
}

/// Plans a bank message that the token's contract rejects.
fn bank(planner: &mut Planner<'_>, sender: PartyId) -> PlannedTx {
    let token = TokenId(2);
    let amount = too_much(planner, token, sender);
    let message = if planner.rng.chance(1, 2) {
        Msg::Withdraw { sender, to: None, token, amount, sequence: 0 }
    } else {
        Msg::Send { from: sender, to: planner.other(sender), token, amount }
    };
    PlannedTx::new(sender, SignMode::Personal, 84_000, message).ending(TxOutcome::Vm(VmFailure::Reverted(BALANCE)))
}

/// Plans a multi-send, which banks with contract tokens reject.
fn several(planner: &mut Planner<'_>, sender: PartyId) -> PlannedTx {
    let amount = planner.world.catalogue.whole_fee_token();
    let outputs = Box::new([planner.other(sender), planner.other(sender)].map(|to| (to, amount)));
    let message = Msg::MultiSend { from: sender, token: TokenId(FEE_TOKEN), outputs };
    PlannedTx::new(sender, SignMode::Personal, 58_000, message).ending(TxOutcome::Vm(VmFailure::NotSupported))
}

/// Plans a call whose input is not hexadecimal.
fn bad_input(planner: &mut Planner<'_>, sender: PartyId) -> PlannedTx {
    let call = ContractCall::Ping { application: u8::MAX, argument: planner.rng.next() };
    PlannedTx::new(sender, SignMode::Personal, 49_000, Msg::Vm(VmMessage::Call { sender, call }))
        .ending(TxOutcome::Vm(VmFailure::BadInput))
}
