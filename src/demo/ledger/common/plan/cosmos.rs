//! Plans for bank transfers, authz grants and fee allowances.

#![expect(clippy::similar_names, reason = "granter and grantee, sender and spender are the field's words")]

use super::{MemoNumber, PlannedTx, Planner};
use crate::demo::ledger::common::{
    Flavour,
    catalogue::FEE_TOKEN,
    record::{FeePayment, Msg, PartyId, Right, TokenId},
    state::{FeeAllowance, Grant},
};

/// Maximum number of active grants, and of active allowances.
const OPEN: usize = 200;

fn any_token<F: Flavour>(planner: &mut Planner<'_, F>) -> u8 {
    planner.rng.place(planner.world.catalogue.tokens.len())
}

/// Plans a bank transfer. Some use a fee allowance, some go to the sender itself.
pub(crate) fn send<F: Flavour>(planner: &mut Planner<'_, F>) -> Option<PlannedTx<F>> {
    if planner.rng.chance(1, 10)
        && let Some(planned) = send_on_allowance(planner)
    {
        return Some(planned);
    }
    let choice = if planner.rng.chance(1, 3) { FEE_TOKEN } else { any_token(planner) };
    let (from, token, amount) = planner.holder(&[choice], 80)?;
    let to = if planner.rng.chance(1, 40) { from } else { planner.other(from) };
    let style = planner.cosmos_style();
    let planned = PlannedTx::new(from, style, 121_000, Msg::Send { from, to, token, amount });
    Some(PlannedTx { note: MemoNumber::of(from, planner.state.number), ..planned })
}

/// Plans a bank transfer of one token to several accounts, which the EVM does not support.
pub(crate) fn multi_send<F: Flavour>(planner: &mut Planner<'_, F>) -> Option<PlannedTx<F>> {
    let choice = any_token(planner);
    let (from, token, amount) = planner.holder(&[choice], 300)?;
    let count = 3 + planner.rng.index(10);
    let shares: Vec<u64> = (0..count).map(|_| 1 + planner.rng.below(99)).collect();
    let part = amount / u128::from(shares.iter().sum::<u64>());
    let mut outputs: Vec<(PartyId, u128)> = Vec::with_capacity(shares.len());
    for share in shares.into_iter().filter(|_| part > 0) {
        let to = planner.other(from);
        if outputs.iter().all(|(known, _)| *known != to) {
            outputs.push((to, part * u128::from(share)));
        }
    }
    let style = planner.cosmos_style();
    let gas = 90_000 + 42_000 * count;
    let outputs = outputs.into_boxed_slice();
    (outputs.len() > 1).then(|| PlannedTx::new(from, style, gas, Msg::MultiSend { from, token, outputs }))
}

/// Plans a transfer whose fee another account pays.
fn send_on_allowance<F: Flavour>(planner: &mut Planner<'_, F>) -> Option<PlannedTx<F>> {
    let FeeAllowance { granter, grantee: from, .. } = planner.rng.pick(&planner.state.allowances).copied()?;
    let choice = any_token(planner);
    let token = TokenId(choice);
    let amount = planner.rng.share(planner.spendable(token, from), 80);
    if amount == 0 || planner.state.balance(TokenId(FEE_TOKEN), granter) < planner.world.catalogue.fee_reserve() {
        return None;
    }
    let to = planner.other(from);
    let style = planner.cosmos_style();
    let planned = PlannedTx::new(from, style, 138_000, Msg::Send { from, to, token, amount });
    Some(PlannedTx { fee: FeePayment::Granter(granter), ..planned })
}

pub(crate) fn grant<F: Flavour>(planner: &mut Planner<'_, F>) -> Option<PlannedTx<F>> {
    if planner.state.grants.len() > OPEN {
        return None;
    }
    let granter = planner.user()?;
    let grantee = planner.user().filter(|grantee| *grantee != granter)?;
    let right = if planner.rng.chance(1, 2) { Right::Send } else { Right::Call };
    let is_it = |grant: &Grant| (grant.granter, grant.grantee, grant.right) == (granter, grantee, right);
    if planner.state.grants.iter().any(is_it) {
        return None;
    }
    let days = if planner.rng.chance(1, 4) { 0 } else { 7 + u16::try_from(planner.rng.index(80)).ok()? };
    let style = planner.cosmos_style();
    Some(PlannedTx::new(granter, style, 86_000, Msg::Grant { granter, grantee, right, days }))
}

pub(crate) fn revoke<F: Flavour>(planner: &mut Planner<'_, F>) -> Option<PlannedTx<F>> {
    let Grant { granter, grantee, right, .. } = planner.rng.pick(&planner.state.grants).copied()?;
    let style = planner.cosmos_style();
    Some(PlannedTx::new(granter, style, 79_000, Msg::Revoke { granter, grantee, right }))
}

pub(crate) fn exec<F: Flavour>(planner: &mut Planner<'_, F>) -> Option<PlannedTx<F>> {
    let Grant { granter, grantee, right, .. } = planner.rng.pick(&planner.state.grants).copied()?;
    let choice = any_token(planner);
    let token = TokenId(choice);
    let amount = planner.rng.share(planner.spendable(token, granter), 50);
    if amount == 0 || planner.spendable(TokenId(FEE_TOKEN), grantee) < planner.world.catalogue.fee_reserve() {
        return None;
    }
    let to = planner.other(granter);
    let inner = match right {
        Right::Send => Msg::Send { from: granter, to, token, amount },
        Right::Call => Msg::Vm(F::transfer(granter, token, to, amount)),
    };
    let style = planner.cosmos_style();
    Some(PlannedTx::new(grantee, style, 164_000, Msg::Exec { grantee, inner: Box::new([inner]) }))
}

pub(crate) fn allow_fees<F: Flavour>(planner: &mut Planner<'_, F>) -> Option<PlannedTx<F>> {
    if planner.state.allowances.len() > OPEN {
        return None;
    }
    let granter = planner.user()?;
    let grantee = planner.other(granter);
    if planner.state.allowances.iter().any(|one| (one.granter, one.grantee) == (granter, grantee)) {
        return None;
    }
    let limit = planner.world.catalogue.whole_fee_token() * u128::from(1 + planner.rng.below(9));
    let days = 30 + u16::try_from(planner.rng.index(60)).ok()?;
    let style = planner.cosmos_style();
    Some(PlannedTx::new(granter, style, 83_000, Msg::AllowFees { granter, grantee, limit, days }))
}

pub(crate) fn revoke_fees<F: Flavour>(planner: &mut Planner<'_, F>) -> Option<PlannedTx<F>> {
    let FeeAllowance { granter, grantee, .. } = planner.rng.pick(&planner.state.allowances).copied()?;
    let style = planner.cosmos_style();
    Some(PlannedTx::new(granter, style, 76_000, Msg::RevokeFees { granter, grantee }))
}

/// Plans the removal of expired allowances. In practice none expires.
pub(crate) fn prune_allowances<F: Flavour>(planner: &mut Planner<'_, F>) -> Option<PlannedTx<F>> {
    let pruner = planner.user()?;
    let style = planner.cosmos_style();
    Some(PlannedTx::new(pruner, style, 71_000, Msg::PruneAllowances { pruner }))
}
