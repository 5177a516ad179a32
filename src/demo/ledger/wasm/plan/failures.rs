//! Transactions that fail, every kind in turn.

use super::{Draft, Planner, call, contracts::changeable, nfts::owned, tokens::can_pay};
use crate::demo::ledger::{
    common::{
        catalogue::FEE_TOKEN,
        plan::failures,
        record::{Msg, Outcome, PartyId, Style, TokenId},
        world::Role,
    },
    wasm::{
        apply::holding,
        catalogue::{COUNTER_CODE, STAKED},
        record::{Asset, Call, Cw20, Failure, Made, Swap, Vm},
        state::Contract,
    },
};

/// Which of [`crate::demo::ledger::common::state::State::turns`] counts failures.
const FAILURE_TURN: usize = 3;
/// How many kinds there are in [`any`].
const KINDS: u32 = 30;

/// What CW-20 contracts say when an account has too little.
const OVERFLOW: &str = "Overflow: Cannot Sub with given operands";

pub(super) fn any(planner: &mut Planner<'_>) -> Option<Draft> {
    let kind = planner.state.turn(FAILURE_TURN, KINDS);
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
        _ => Some(failures::relayer(planner, sender)),
    }
}

fn failing(planner: &mut Planner<'_>, sender: PartyId, gas: u32, message: Vm, failure: Failure) -> Draft {
    let style = planner.cosmos_style();
    Draft::new(sender, style, gas, Msg::Vm(message)).ending(Outcome::Vm(failure))
}

/// More of an asset than the account holds.
fn too_much(planner: &Planner<'_>, asset: Asset, party: PartyId) -> u128 {
    holding(planner.state, asset, party) * 3 + 1_000_000
}

/// Contracts that refuse, in their own words.
fn refused(planner: &mut Planner<'_>, sender: PartyId, kind: u32) -> Option<Draft> {
    let to = planner.other(sender);
    let (signer, call_of, words) = match kind {
        0 | 1 => {
            let token = Cw20(planner.rng.place(2));
            let amount = too_much(planner, Asset::Contract(token), sender);
            (sender, Call::Transfer { token, to, amount }, OVERFLOW)
        }
        2 => {
            let (id, owner) = owned(planner, 0)?;
            let thief = planner.user().filter(|thief| *thief != owner)?;
            (thief, Call::GiveNft { collection: 0, id, to }, "Unauthorized")
        }
        3 => {
            let id = planner.state.minted(5) + 1;
            (sender, Call::MintNft { collection: 5, id, owner: sender }, "Unauthorized")
        }
        4 => {
            let swap = Swap { pool: 1, forward: true, sold: 400_000_000, bought: 0 };
            let words = "Operation exceeds max spread limit";
            (sender, Call::Swap(swap), words)
        }
        _ => (sender, Call::Claim { amount: 1_000_000 }, "Generic error: nothing to claim before the next epoch"),
    };
    let draft = call(planner, signer, 171_000, call_of);
    Some(draft.ending(Outcome::Vm(Failure::Refused(words))))
}

/// Contracts that a called contract calls in vain.
fn inside(planner: &mut Planner<'_>, sender: PartyId, kind: u32) -> Draft {
    let (call_of, words) = if kind == 6 {
        let amount = too_much(planner, Asset::Contract(STAKED), sender);
        (Call::Unstake { amount }, OVERFLOW)
    } else {
        let id = planner.state.minted(1).max(1);
        (Call::Launch { collection: 1, id, price: 100_000 }, "token_id already claimed")
    };
    call(planner, sender, 248_000, call_of).ending(Outcome::Vm(Failure::RefusedInside(words)))
}

/// Messages that a contract does not know, codes and contracts that are not there.
fn unknown(planner: &mut Planner<'_>, sender: PartyId, kind: u32) -> Draft {
    match kind {
        8 => {
            let call_of = Call::Unknown { application: planner.rng.place(4) };
            call(planner, sender, 117_000, call_of).ending(Outcome::Vm(Failure::UnknownMessage))
        }
        9 => {
            let to = planner.other(sender);
            call(planner, sender, 83_000, Call::Nowhere { to }).ending(Outcome::Vm(Failure::NoContract))
        }
        _ => {
            let code = planner.state.own.codes + 900;
            let contract = Made { maker: sender, code, instance: planner.state.own.instances + 1, is_salted: false };
            let message = Vm::Instantiate { contract, is_mistyped: false };
            failing(planner, sender, 88_000, message, Failure::NoCode(code))
        }
    }
}

/// Codes and contracts that cannot be made or changed.
fn contract(planner: &mut Planner<'_>, sender: PartyId, kind: u32) -> Option<Draft> {
    let instance = planner.state.own.instances + 1;
    let made = Made { maker: sender, code: COUNTER_CODE, instance, is_salted: false };
    Some(match kind {
        11 => {
            let message = Vm::Instantiate { contract: made, is_mistyped: true };
            failing(planner, sender, 214_000, message, Failure::MistypedAddress)
        }
        12 => {
            let Contract { made: contract, admin: sender, .. } = changeable(planner)?;
            let message = Vm::Migrate { sender, contract, code: COUNTER_CODE };
            failing(planner, sender, 187_000, message, Failure::MigrationRefused)
        }
        13 => {
            let code = planner.state.own.codes + 1;
            failing(planner, sender, 932_000, Vm::StoreCode { sender, code }, Failure::BadCode)
        }
        _ => {
            let others = changeable(planner).filter(|contract| contract.admin != sender)?;
            let (contract, code) = (others.made, COUNTER_CODE);
            let message = match kind {
                14 => Vm::Migrate { sender, contract, code },
                _ => Vm::SetAdmin { sender, contract, admin: Some(sender) },
            };
            failing(planner, sender, 91_000, message, Failure::NotContractAdmin)
        }
    })
}

/// Denoms that exist, or do not, or belong to others.
fn denom(planner: &mut Planner<'_>, sender: PartyId, kind: u32) -> Option<Draft> {
    Some(match kind {
        16 => {
            let (sender, number) = planner.state.own.newest_denom.filter(|(maker, _)| can_pay(planner, *maker))?;
            failing(planner, sender, 78_000, Vm::CreateDenom { sender, number }, Failure::DenomExists)
        }
        17 => {
            let number = planner.state.own.denoms + 1_000;
            failing(planner, sender, 79_000, Vm::MintUnknown { sender, number }, Failure::NoDenom { number })
        }
        _ => {
            let (to, token) = (planner.other(sender), TokenId(8));
            let sender = planner.world.role(Role::Admin);
            let message = Vm::Mint { sender, token, amount: 5_000_000, to };
            failing(planner, sender, 81_000, message, Failure::NotDenomAdmin)
        }
    })
}

/// Bank messages about more than there is.
fn funds(planner: &mut Planner<'_>, sender: PartyId) -> Draft {
    let token = TokenId(1);
    let has = planner.state.balance(token, sender);
    let amount = too_much(planner, Asset::Coin(token), sender);
    let message = if planner.rng.chance(1, 2) {
        Msg::Withdraw { sender, to: None, token, amount, sequence: 0 }
    } else {
        Msg::Send { from: sender, to: planner.other(sender), token, amount }
    };
    Draft::new(sender, Style::Personal, 84_000, message).ending(Outcome::Vm(Failure::InsufficientFunds { has }))
}

/// Gas limits that were too low, and a panic of the application.
fn out_of_gas(planner: &mut Planner<'_>, sender: PartyId, kind: u32) -> Draft {
    let (to, token) = (planner.other(sender), TokenId(FEE_TOKEN));
    let ping = Call::Ping { application: 2, argument: planner.rng.next() };
    match kind {
        20 => {
            let send = Msg::Send { from: sender, to, token, amount: 1_000_000 };
            Draft::new(sender, Style::Personal, 111_000, send).ending(Outcome::OutOfGas("ReadFlat"))
        }
        21 => call(planner, sender, 162_000, ping).ending(Outcome::OutOfGas("wasm contract")),
        _ if planner.rng.chance(1, 2) => {
            call(planner, sender, 71_000, ping).ending(Outcome::OutOfGas("Loading CosmWasm module: execute"))
        }
        _ => call(planner, sender, 90_000, ping).ending(Outcome::Recovered),
    }
}
