//! Plans for failing transactions, one kind after the other.

use super::{PlannedTx, Planner};
use crate::demo::ledger::{
    common::{
        catalogue::FEE_TOKEN,
        plan::{failures, ibc::owned},
        record::{PartyId, SignMode, TokenId, TxOutcome},
        world::PartyRole,
    },
    movevm::{
        Msg,
        catalogue::REWARD_TOKEN,
        record::{ContractCall, ModulePlace, Swap, VmFailure, VmMessage},
        world::publisher,
    },
};

const FAILURE_TURN: usize = 3;
/// Number of kinds that [`any`] knows.
const KINDS: u32 = 20;

/// Abort of `fungible_asset`: the store's balance is too low.
const BALANCE: VmFailure = VmFailure::Aborted { at: ModulePlace::Std, module: "fungible_asset", code: 0x1_0004 };

pub(super) fn any(planner: &mut Planner<'_>) -> Option<PlannedTx> {
    let kind = planner.state.turn(FAILURE_TURN, KINDS);
    let round = planner.state.turns[FAILURE_TURN] / KINDS;
    let sender = planner.user()?;
    match kind {
        0..=5 => aborted(planner, sender, kind),
        6..=8 => Some(stopped(planner, sender, kind)),
        9..=11 => Some(out_of_gas(planner, sender, kind)),
        12 => Some(bank(planner, sender)),
        13 | 14 => failures::before_fee(planner, sender, kind == 14),
        15 => Some(failures::no_authorization(planner, sender)),
        16 | 17 => Some(failures::not_permitted(planner, sender, kind == 16)),
        18 => Some(failures::no_channel(planner, sender)),
        _ => Some(failures::relayer(planner, sender, round.is_multiple_of(2))),
    }
}

fn execute(planner: &mut Planner<'_>, sender: PartyId, gas: u32, call: ContractCall) -> PlannedTx {
    let style = planner.cosmos_style();
    PlannedTx::new(sender, style, gas, Msg::Vm(VmMessage::Execute { sender, json: false, call }))
}

/// Returns more than the account's balance.
fn too_much(planner: &Planner<'_>, token: TokenId, party: PartyId) -> u128 {
    (planner.state.balance(token, party) * 3 + 1_000_000).min(planner.world.catalogue.largest)
}

fn ping(planner: &mut Planner<'_>, module: u8) -> ContractCall {
    ContractCall::Ping { module, argument: planner.rng.next() >> 40 }
}

/// Plans a call that a module of the standard library, or another module, aborts.
fn aborted(planner: &mut Planner<'_>, sender: PartyId, kind: u32) -> Option<PlannedTx> {
    let std = |module, code| VmFailure::Aborted { at: ModulePlace::Std, module, code };
    let other = |place, module, code| VmFailure::Aborted { at: ModulePlace::Party(place), module, code };
    let (sender, call, failure) = match kind {
        0 => {
            let (to, token) = (planner.other(sender), TokenId(REWARD_TOKEN));
            (sender, ContractCall::Transfer { token, to, amount: too_much(planner, token, sender) }, BALANCE)
        }
        1 => {
            let swap = Swap { pool: 0, forward: true, sold: 1_000_000, bought: 0, least: 900_000_000_000 };
            (sender, ContractCall::Swap(Box::new(swap)), std("dex", 0x3_0003))
        }
        2 => {
            let place = publisher(planner.world, 0);
            (sender, ping(planner, 0), other(place, "arena", 0x3_0007))
        }
        3 => {
            let (number, owner) = owned(planner, 0)?;
            let thief = planner.user().filter(|thief| *thief != owner)?;
            let to = planner.other(owner);
            (thief, ContractCall::Give { collection: 0, number, to }, std("object", 0x5_0004))
        }
        4 => {
            let number = planner.state.minted(1) + 1;
            let stranger = PartyId(planner.world.users() - 1);
            let fee = planner.world.catalogue.fee_reserve();
            (planner.spendable(TokenId(FEE_TOKEN), stranger) > fee).then_some(())?;
            (stranger, ContractCall::Mint { collection: 1, number, to: None }, std("object", 0x6_0002))
        }
        _ => {
            let place = planner.world.role(PartyRole::Airdrop);
            (sender, ContractCall::Claim { amount: 1_000_000 }, other(place, "airdrop", 0x8_0002))
        }
    };
    Some(execute(planner, sender, 118_000, call).ending(TxOutcome::Vm(failure)))
}

/// Plans a call that the VM stops.
fn stopped(planner: &mut Planner<'_>, sender: PartyId, kind: u32) -> PlannedTx {
    let stop = |at, module, words: [&'static str; 2], function| VmFailure::Stopped {
        at,
        module,
        status: words[0],
        message: words[1],
        function,
    };
    let (call, failure) = match kind {
        6 => {
            let amount = too_much(planner, TokenId(REWARD_TOKEN), sender);
            let words = ["ARITHMETIC_ERROR", "Subtraction overflow"];
            let place = ModulePlace::Party(planner.world.role(PartyRole::Vault));
            (ContractCall::Unstake { amount }, stop(place, "vault", words, [4, 31]))
        }
        7 => {
            let words = ["VECTOR_OPERATION_ERROR", "vector index out of bounds"];
            let place = ModulePlace::Party(publisher(planner.world, 2));
            (ping(planner, 6), stop(place, "dice", words, [1, 12]))
        }
        _ => {
            let swap = Swap { pool: 1, forward: true, sold: 1, bought: 0, least: 0 };
            let words = ["ARITHMETIC_ERROR", "Division by zero"];
            (ContractCall::Swap(Box::new(swap)), stop(ModulePlace::Std, "decimal128", words, [9, 6]))
        }
    };
    execute(planner, sender, 104_000, call).ending(TxOutcome::Vm(failure))
}

/// Plans a transaction whose gas limit is too low, or which makes the application panic.
fn out_of_gas(planner: &mut Planner<'_>, sender: PartyId, kind: u32) -> PlannedTx {
    let (to, token) = (planner.other(sender), TokenId(FEE_TOKEN));
    match kind {
        9 => {
            let send = Msg::Send { from: sender, to, token, amount: 1_000_000 };
            PlannedTx::new(sender, SignMode::Personal, 116_000, send).ending(TxOutcome::OutOfGas("ReadFlat"))
        }
        10 => {
            let call = ping(planner, 2);
            execute(planner, sender, 149_000, call).ending(TxOutcome::OutOfGas("move runtime"))
        }
        _ => {
            let call = ping(planner, 9);
            execute(planner, sender, 88_000, call).ending(TxOutcome::Recovered)
        }
    }
}

/// Plans a bank or bridge message that the coin module rejects.
fn bank(planner: &mut Planner<'_>, sender: PartyId) -> PlannedTx {
    let token = TokenId(planner.world.catalogue.bridged_token(2));
    let amount = too_much(planner, token, sender);
    let message = if planner.rng.chance(1, 2) {
        Msg::Withdraw { sender, to: None, token, amount, sequence: 0 }
    } else {
        Msg::Send { from: sender, to: planner.other(sender), token, amount }
    };
    PlannedTx::new(sender, SignMode::Personal, 97_000, message).ending(TxOutcome::Vm(BALANCE))
}
