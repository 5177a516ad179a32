//! Transactions that fail, every kind in turn.

use super::{Draft, Planner, calls};
use crate::rollup::ledger::evm::{
    catalogue::{FEE_TOKEN, GAS_PRICE},
    record::{Act, Call, Fee, Memo, Msg, Outcome, Packet, PartyId, Refusal, Right, Style, TokenId},
    world::Role,
};

/// Which of [`super::State::turns`] counts failures.
const FAILURE_TURN: usize = 3;
/// How many kinds there are in [`any`].
const KINDS: u32 = 24;

const BALANCE: Refusal = Refusal::Reason("ERC20: transfer amount exceeds balance");

pub(super) fn any(planner: &mut Planner<'_>) -> Option<Draft> {
    let kind = planner.state.turn(FAILURE_TURN, KINDS);
    let sender = planner.user()?;
    match kind {
        0..=5 => Some(refused(planner, sender, kind)),
        6..=10 => stopped(planner, sender, kind),
        11..=14 => Some(out_of_gas(planner, sender, kind)),
        15 => Some(bank(planner, sender)),
        16 | 17 => before_fee(planner, sender, kind),
        18 => Some(no_authorization(planner, sender)),
        19 | 20 => Some(not_permitted(planner, sender, kind)),
        21 => Some(no_channel(planner, sender)),
        22 => Some(bad_input(planner, sender)),
        _ => Some(relayer(planner, sender)),
    }
}

/// More of a token than the account holds.
fn too_much(planner: &Planner<'_>, token: TokenId, party: PartyId) -> u128 {
    planner.state.balance(token, party) * 3 + 1_000_000
}

/// Contracts that refuse: with a reason, a Solidity panic, a custom error.
fn refused(planner: &mut Planner<'_>, sender: PartyId, kind: u32) -> Draft {
    let (to, token) = (planner.other(sender), TokenId(10));
    let amount = too_much(planner, token, sender);
    let ping = Call::Ping { application: 3, argument: planner.rng.next() };
    let (call, refusal) = match kind {
        0 => (Call::Transfer { token, to, amount }, BALANCE),
        1 => (Call::ToRemote { wrap: 0, amount: 1 }, Refusal::Reason("dust amount should be zero")),
        2 => (Call::Unstake { amount }, Refusal::Reason("arithmetic underflow or overflow")),
        3 => (ping, Refusal::Reason("out-of-bounds access of an array or bytesN")),
        4 => (Call::Claim { amount }, Refusal::Custom),
        _ => (ping, Refusal::Reason("division or modulo by zero")),
    };
    let style = planner.evm_style();
    Draft::new(sender, style, 66_000, Msg::Call { sender, call }).ending(Outcome::Reverted(refusal))
}

/// Calls and deployments that the EVM itself stops.
fn stopped(planner: &mut Planner<'_>, sender: PartyId, kind: u32) -> Option<Draft> {
    let style = planner.evm_style();
    let ping = Msg::Call { sender, call: Call::Ping { application: 6, argument: planner.rng.next() } };
    let deploy = Msg::Create { sender, nonce: planner.state.sequence(sender), salt: None };
    Some(match kind {
        6 => Draft::new(sender, style, 181_000, ping).ending(Outcome::CallFailed("out of gas")),
        7 => Draft::new(sender, style, 143_000, ping).ending(Outcome::CallFailed("invalid opcode: INVALID")),
        8 => {
            let amount = too_much(planner, TokenId(FEE_TOKEN), sender);
            let to = planner.other(sender);
            let pay = Msg::Call { sender, call: Call::Pay { to, amount } };
            let outcome = Outcome::CallFailed("insufficient balance for transfer");
            Draft::new(sender, style, 41_000, pay).ending(outcome)
        }
        9 => {
            let outcome = Outcome::CreateFailed("contract creation code storage out of gas");
            Draft::new(sender, style, 604_000, deploy).ending(outcome)
        }
        _ => {
            let (id, owner) = calls::owned(planner, 0)?;
            let to = planner.other(owner);
            let thief = planner.user().filter(|thief| *thief != owner)?;
            let give = Msg::Call { sender: thief, call: Call::Give { collection: 0, id, to } };
            Draft::new(thief, style, 58_000, give).ending(Outcome::Reverted(Refusal::Custom))
        }
    })
}

/// Gas limits that were too low, and a panic of the application.
fn out_of_gas(planner: &mut Planner<'_>, sender: PartyId, kind: u32) -> Draft {
    let (to, token) = (planner.other(sender), TokenId(FEE_TOKEN));
    let send = Msg::Send { from: sender, to, token, amount: 1_000_000_000_000_000 };
    let ping = Msg::Call { sender, call: Call::Ping { application: 4, argument: planner.rng.next() } };
    match kind {
        11 => Draft::new(sender, Style::Personal, 111_000, send).ending(Outcome::OutOfGas("ReadFlat")),
        12 => {
            let style = planner.evm_style();
            Draft::new(sender, style, 155_000, ping).ending(Outcome::OutOfGas("EVM gas consumption"))
        }
        13 => Draft::new(sender, Style::Ethereum, 21_000, ping).ending(Outcome::IntrinsicGas),
        _ => Draft::new(sender, Style::Personal, 90_000, ping).ending(Outcome::Recovered),
    }
}

/// Bank messages that the token's contract refuses.
fn bank(planner: &mut Planner<'_>, sender: PartyId) -> Draft {
    let token = TokenId(2);
    let amount = too_much(planner, token, sender);
    let message = if planner.rng.chance(1, 2) {
        Msg::Withdraw { sender, token, amount, sequence: 0 }
    } else {
        Msg::Send { from: sender, to: planner.other(sender), token, amount }
    };
    Draft::new(sender, Style::Personal, 84_000, message).ending(Outcome::Reverted(BALANCE))
}

/// What is refused before the fee is taken: a number already used, a fee too low.
fn before_fee(planner: &mut Planner<'_>, sender: PartyId, kind: u32) -> Option<Draft> {
    let amount = GAS_PRICE * 1_000_000;
    let send = Msg::Send { from: sender, to: planner.other(sender), token: TokenId(FEE_TOKEN), amount };
    let draft = Draft::new(sender, Style::Personal, 120_000, send);
    if kind == 17 {
        return Some(Draft { fee: Fee::TooLittle, ..draft }.ending(Outcome::InsufficientFee));
    }
    let expected = planner.state.sequence(sender);
    let sequence = Some(expected.checked_sub(1)?);
    Some(Draft { sequence, ..draft }.ending(Outcome::WrongSequence { expected }))
}

/// Acting for somebody who never allowed it, or taking back what was never given.
fn no_authorization(planner: &mut Planner<'_>, sender: PartyId) -> Draft {
    let granter = planner.other(sender);
    if planner.rng.chance(1, 2) {
        let message = Msg::RevokeFees { granter: sender, grantee: planner.world.role(Role::Vault) };
        return Draft::new(sender, Style::Personal, 61_000, message).ending(Outcome::NoAllowance);
    }
    if planner.rng.chance(1, 2) {
        let message = Msg::Revoke { granter: sender, grantee: planner.world.role(Role::Vault), right: Right::Call };
        return Draft::new(sender, Style::Personal, 61_000, message).ending(Outcome::NoAuthorization);
    }
    let inner = Msg::Send { from: granter, to: sender, token: TokenId(3), amount: 5_000_000 };
    let message = Msg::Exec { grantee: sender, inner: Box::new([inner]) };
    Draft::new(sender, Style::Personal, 64_000, message).ending(Outcome::NoAuthorization)
}

/// What only the executor or the admin may do.
fn not_permitted(planner: &mut Planner<'_>, sender: PartyId, kind: u32) -> Draft {
    if kind == 19 {
        let message = Msg::SetBridgeInfo { sender };
        return Draft::new(sender, Style::Personal, 52_000, message).ending(Outcome::NotExecutor);
    }
    let act = Act::SpendFeePool { recipient: sender, amount: 1_000_000_000_000_000_000 };
    let _ = planner.rng.next();
    Draft::new(sender, Style::Personal, 52_000, Msg::Execute { sender, act }).ending(Outcome::NotAdmin)
}

/// A transfer over a channel that does not exist.
fn no_channel(planner: &mut Planner<'_>, sender: PartyId) -> Draft {
    let packet = Packet {
        channel: u8::MAX,
        sequence: 0,
        local: sender,
        token: TokenId(2),
        amount: 1_000_000,
        sent: planner.height,
        patience: None,
        memo: Memo::Empty,
    };
    Draft::new(sender, Style::Personal, 71_000, Msg::Transfer(Box::new(packet))).ending(Outcome::NoChannel)
}

/// A call whose input is not hex.
fn bad_input(planner: &mut Planner<'_>, sender: PartyId) -> Draft {
    let call = Call::Ping { application: u8::MAX, argument: planner.rng.next() };
    Draft::new(sender, Style::Personal, 49_000, Msg::Call { sender, call }).ending(Outcome::BadInput)
}

/// A relayer too late for a packet, or with a light client that expired.
fn relayer(planner: &mut Planner<'_>, sender: PartyId) -> Draft {
    let signer = planner.world.role(Role::LateRelayer);
    let packet = Packet {
        channel: 0,
        sequence: planner.state.outgoing[0].saturating_sub(1).max(1),
        local: sender,
        token: TokenId(5),
        amount: 2_000_000,
        sent: planner.height.saturating_sub(400),
        patience: Some(100),
        memo: Memo::Empty,
    };
    if planner.rng.chance(1, 2) {
        let update = Msg::UpdateClient { signer, channel: 2, sent: planner.height };
        return Draft::free(signer, Fee::Zero, 210_000, vec![update]).ending(Outcome::InactiveClient);
    }
    let timeout = Msg::Timeout { signer, packet: Box::new(packet) };
    Draft::free(signer, Fee::Zero, 190_000, vec![timeout]).ending(Outcome::NoCommitment)
}
