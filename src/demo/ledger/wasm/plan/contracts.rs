//! Plans for codes and contracts of users, and for calls of applications.

use super::{PlannedTx, Planner, call, tokens::can_pay, vm};
use crate::demo::ledger::{
    common::record::PartyId,
    wasm::{
        catalogue::{APPLICATIONS, COUNTER_CODE, TOKEN_CODE},
        record::{ContractCall, CreatedContract, VmMessage},
        state::Contract,
    },
};

/// Maximum number of users' contracts that have an admin.
const OPEN: usize = 200;
/// Of so many users' contracts, one is a CW-20 token: the first, and then each of this number.
const TOKENS_EVERY: usize = 3;

pub(super) fn ping(planner: &mut Planner<'_>) -> Option<PlannedTx> {
    let sender = planner.user()?;
    let application = planner.rng.place(APPLICATIONS.len());
    let argument = planner.rng.next();
    Some(call(planner, sender, 128_000, ContractCall::Ping { application, argument }))
}

pub(super) fn store(planner: &mut Planner<'_>) -> Option<PlannedTx> {
    let sender = planner.user()?;
    let code = planner.state.own.codes + 1;
    Some(vm(planner, sender, 1_424_000, VmMessage::StoreCode { sender, code }))
}

/// Returns the code for a user's contract: usually the counter's, sometimes another user's.
fn any_code(planner: &mut Planner<'_>) -> u32 {
    let later = planner.state.own.codes - COUNTER_CODE;
    if later > 0 && planner.rng.chance(1, 3) { COUNTER_CODE + 1 + planner.rng.index(later) } else { COUNTER_CODE }
}

pub(super) fn instantiate(planner: &mut Planner<'_>) -> Option<PlannedTx> {
    if planner.state.own.changeable().len() > OPEN {
        return None;
    }
    let maker = planner.user()?;
    let (code, is_salted) = (any_code(planner), planner.rng.chance(1, 3));
    let own = &planner.state.own;
    let instance = if is_salted { own.salts + 1 } else { own.instances + 1 };
    let code = if own.made.len().is_multiple_of(TOKENS_EVERY) { TOKEN_CODE } else { code };
    let contract = CreatedContract { maker, code, instance, is_salted };
    Some(vm(planner, maker, 256_000, VmMessage::Instantiate { contract, is_mistyped: false }))
}

/// Returns a contract with its admin, who can pay fees.
pub(super) fn changeable(planner: &mut Planner<'_>) -> Option<(Contract, PartyId)> {
    let (contract, admin) = planner.rng.pick(&planner.state.own.changeable()).copied()?;
    can_pay(planner, admin).then_some((contract, admin))
}

pub(super) fn migrate(planner: &mut Planner<'_>) -> Option<PlannedTx> {
    let (Contract { made: contract, code: now, .. }, sender) = changeable(planner)?;
    let code = any_code(planner);
    (code != now).then(|| vm(planner, sender, 231_000, VmMessage::Migrate { sender, contract, code }))
}

pub(super) fn set_admin(planner: &mut Planner<'_>) -> Option<PlannedTx> {
    let (Contract { made: contract, .. }, sender) = changeable(planner)?;
    let admin = if planner.rng.chance(1, 2) { None } else { Some(planner.other(sender)) };
    Some(vm(planner, sender, 96_000, VmMessage::SetAdmin { sender, contract, admin }))
}

pub(super) fn set_label(planner: &mut Planner<'_>) -> Option<PlannedTx> {
    let (Contract { made: contract, .. }, sender) = changeable(planner)?;
    Some(vm(planner, sender, 94_000, VmMessage::SetLabel { sender, contract }))
}
