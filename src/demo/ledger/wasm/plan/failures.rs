//! Plans for failing transactions, one kind after the other.

use super::{PlannedTx, Planner, call, contracts::changeable, nfts::owned, tokens::can_pay, vm};
use crate::demo::ledger::{
    common::{
        catalogue::FEE_TOKEN,
        plan::failures,
        record::{Msg, PartyId, SignMode, TokenId, TxOutcome},
        world::PartyRole,
    },
    wasm::{
        catalogue::{COUNTER_CODE, STAKED},
        record::{ContractCall, CreatedContract, Cw20, PoolAsset, Swap, VmFailure, VmMessage},
        state::Contract,
    },
};

/// Counter of failures in [`crate::demo::ledger::common::state::LedgerState::turns`].
const FAILURE_TURN: usize = 3;
/// Number of kinds that [`any`] knows.
const KINDS: u32 = 30;

/// Error of a CW-20 contract if the balance is too low.
const OVERFLOW: &str = "Overflow: Cannot Sub with given operands";

pub(super) fn any(planner: &mut Planner<'_>) -> Option<PlannedTx> {
    let kind = planner.state.turn(FAILURE_TURN, KINDS);
    let round = planner.state.turns[FAILURE_TURN] / KINDS;
    let sender = planner.user()?;
    match kind {
        0..=5 => refused(planner, sender, kind),
        6 | 7 => Some(inside(planner, sender, kind)),
        8..=10 => Some(unknown(planner, sender, kind)),
        11..=15 => contract(planner, sender, kind),
        16..=18 => denom(planner, sender, kind),
        19 => Some(funds(planner, sender)),
        20..=22 => Some(out_of_gas(planner, sender, kind)),
        23 | 24 => failures::before_fee(planner, sender, kind == 24),
        25 => Some(failures::no_authorization(planner, sender)),
        26 | 27 => Some(failures::not_permitted(planner, sender, kind == 26)),
        28 => Some(failures::no_channel(planner, sender)),
        _ => Some(failures::relayer(planner, sender, round.is_multiple_of(2))),
    }
}

fn failing(planner: &mut Planner<'_>, sender: PartyId, gas: u32, message: VmMessage, failure: VmFailure) -> PlannedTx {
    vm(planner, sender, gas, message).ending(TxOutcome::Vm(failure))
}

/// Returns more than the account's balance.
fn too_much(planner: &Planner<'_>, asset: PoolAsset, party: PartyId) -> u128 {
    planner.state.asset_balance(asset, party) * 3 + 1_000_000
}

fn refused(planner: &mut Planner<'_>, sender: PartyId, kind: u32) -> Option<PlannedTx> {
    let to = planner.other(sender);
    let (signer, call_of, words) = match kind {
        0 | 1 => {
            let token = Cw20(planner.rng.place(2));
            let amount = too_much(planner, PoolAsset::Contract(token), sender);
            (sender, ContractCall::Transfer { token, to, amount }, OVERFLOW)
        }
        2 => {
            let (id, owner) = owned(planner, 0)?;
            let thief = planner.user().filter(|thief| *thief != owner)?;
            (thief, ContractCall::GiveNft { collection: 0, id, to }, "Unauthorized")
        }
        3 => {
            let id = planner.state.minted(5) + 1;
            (sender, ContractCall::MintNft { collection: 5, id, owner: sender }, "Unauthorized")
        }
        4 => {
            let swap = Swap { pool: 1, forward: true, sold: 400_000_000, bought: 0 };
            let words = "Operation exceeds max spread limit";
            (sender, ContractCall::Swap(swap), words)
        }
        _ => {
            (sender, ContractCall::Claim { amount: 1_000_000 }, "Generic error: nothing to claim before the next epoch")
        }
    };
    let tx = call(planner, signer, 171_000, call_of);
    Some(tx.ending(TxOutcome::Vm(VmFailure::Refused(words))))
}

/// Plans a call in which another contract refuses.
fn inside(planner: &mut Planner<'_>, sender: PartyId, kind: u32) -> PlannedTx {
    let (call_of, words) = if kind == 6 {
        let amount = too_much(planner, PoolAsset::Contract(STAKED), sender);
        (ContractCall::Unstake { amount }, OVERFLOW)
    } else {
        let id = planner.state.minted(1).max(1);
        (ContractCall::Launch { collection: 1, id, price: 100_000 }, "token_id already claimed")
    };
    call(planner, sender, 248_000, call_of).ending(TxOutcome::Vm(VmFailure::RefusedInside(words)))
}

/// Plans a transaction that names an unknown message, code or contract.
fn unknown(planner: &mut Planner<'_>, sender: PartyId, kind: u32) -> PlannedTx {
    match kind {
        8 => {
            let call_of = ContractCall::Unknown { application: planner.rng.place(4) };
            call(planner, sender, 117_000, call_of).ending(TxOutcome::Vm(VmFailure::UnknownMessage))
        }
        9 => {
            let to = planner.other(sender);
            call(planner, sender, 83_000, ContractCall::Nowhere { to }).ending(TxOutcome::Vm(VmFailure::NoContract))
        }
        _ => {
            let code = planner.state.own.codes + 900;
            let contract =
                CreatedContract { maker: sender, code, instance: planner.state.own.instances + 1, is_salted: false };
            let message = VmMessage::Instantiate { contract, is_mistyped: false };
            failing(planner, sender, 88_000, message, VmFailure::NoCode(code))
        }
    }
}

/// Plans an invalid upload, instantiation or change of a contract.
fn contract(planner: &mut Planner<'_>, sender: PartyId, kind: u32) -> Option<PlannedTx> {
    let instance = planner.state.own.instances + 1;
    let made = CreatedContract { maker: sender, code: COUNTER_CODE, instance, is_salted: false };
    Some(match kind {
        11 => {
            let message = VmMessage::Instantiate { contract: made, is_mistyped: true };
            failing(planner, sender, 214_000, message, VmFailure::MistypedAddress)
        }
        12 => {
            let (Contract { made: contract, .. }, sender) = changeable(planner)?;
            let message = VmMessage::Migrate { sender, contract, code: COUNTER_CODE };
            failing(planner, sender, 187_000, message, VmFailure::MigrationRefused)
        }
        13 => {
            let code = planner.state.own.codes + 1;
            failing(planner, sender, 932_000, VmMessage::StoreCode { sender, code }, VmFailure::BadCode)
        }
        _ => {
            let (others, _) = changeable(planner).filter(|(_, admin)| *admin != sender)?;
            let (contract, code) = (others.made, COUNTER_CODE);
            let message = match kind {
                14 => VmMessage::Migrate { sender, contract, code },
                _ => VmMessage::SetAdmin { sender, contract, admin: Some(sender) },
            };
            failing(planner, sender, 91_000, message, VmFailure::NotContractAdmin)
        }
    })
}

/// Plans a message that names an existing, an unknown, or another user's denom.
fn denom(planner: &mut Planner<'_>, sender: PartyId, kind: u32) -> Option<PlannedTx> {
    Some(match kind {
        16 => {
            let (sender, number) = planner.state.own.newest_denom.filter(|(maker, _)| can_pay(planner, *maker))?;
            failing(planner, sender, 78_000, VmMessage::CreateDenom { sender, number }, VmFailure::DenomExists)
        }
        17 => {
            let number = planner.state.own.denoms + 1_000;
            failing(planner, sender, 79_000, VmMessage::MintUnknown { sender, number }, VmFailure::NoDenom { number })
        }
        _ => {
            let (to, token) = (planner.other(sender), TokenId(8));
            let sender = planner.world.role(PartyRole::Admin);
            let message = VmMessage::Mint { sender, token, amount: 5_000_000, to };
            failing(planner, sender, 81_000, message, VmFailure::NotDenomAdmin)
        }
    })
}

/// Plans a bank message that spends more than the balance.
fn funds(planner: &mut Planner<'_>, sender: PartyId) -> PlannedTx {
    let token = TokenId(1);
    let has = planner.state.balance(token, sender);
    let amount = too_much(planner, PoolAsset::Coin(token), sender);
    let message = if planner.rng.chance(1, 2) {
        Msg::Withdraw { sender, to: None, token, amount, sequence: 0 }
    } else {
        Msg::Send { from: sender, to: planner.other(sender), token, amount }
    };
    PlannedTx::new(sender, SignMode::Personal, 84_000, message)
        .ending(TxOutcome::Vm(VmFailure::InsufficientFunds { has }))
}

/// Plans a transaction whose gas limit is too low, or which makes the application panic.
fn out_of_gas(planner: &mut Planner<'_>, sender: PartyId, kind: u32) -> PlannedTx {
    let (to, token) = (planner.other(sender), TokenId(FEE_TOKEN));
    let ping = ContractCall::Ping { application: 2, argument: planner.rng.next() };
    match kind {
        20 => {
            let send = Msg::Send { from: sender, to, token, amount: 1_000_000 };
            PlannedTx::new(sender, SignMode::Personal, 111_000, send).ending(TxOutcome::OutOfGas("ReadFlat"))
        }
        21 => call(planner, sender, 162_000, ping).ending(TxOutcome::OutOfGas("Wasm engine function execution")),
        _ if planner.rng.chance(1, 2) => {
            call(planner, sender, 71_000, ping).ending(TxOutcome::OutOfGas("Loading CosmWasm module: execute"))
        }
        _ => call(planner, sender, 90_000, ping).ending(TxOutcome::Recovered),
    }
}
