//! Bank sends, rights and fee allowances.

#![expect(clippy::similar_names, reason = "granter and grantee, sender and spender are the field's words")]

use super::{Draft, FEE_RESERVE, Planner};
use crate::rollup::ledger::evm::{
    catalogue::{FEE_TOKEN, TOKENS},
    record::{Call, Fee, Msg, Right, TokenId},
};

/// The most rights and allowances that are open at a time.
const OPEN: usize = 200;

fn any_token(planner: &mut Planner<'_>) -> u8 {
    planner.rng.place(TOKENS.len())
}

pub(super) fn send(planner: &mut Planner<'_>) -> Option<Draft> {
    if planner.rng.chance(1, 10)
        && let Some(draft) = send_on_allowance(planner)
    {
        return Some(draft);
    }
    let choice = if planner.rng.chance(1, 3) { FEE_TOKEN } else { any_token(planner) };
    let (from, token, amount) = planner.holder(&[choice], 80)?;
    let to = if planner.rng.chance(1, 40) { from } else { planner.other(from) };
    let style = planner.cosmos_style();
    Some(Draft::new(from, style, 121_000, Msg::Send { from, to, token, amount }))
}

/// A send whose fee another account pays.
fn send_on_allowance(planner: &mut Planner<'_>) -> Option<Draft> {
    let (granter, from) = planner.rng.pick(&planner.state.allowances).copied()?;
    let choice = any_token(planner);
    let token = TokenId(choice);
    let amount = planner.rng.share(planner.spendable(token, from), 80);
    if amount == 0 || planner.state.balance(TokenId(FEE_TOKEN), granter) < FEE_RESERVE {
        return None;
    }
    let to = planner.other(from);
    let style = planner.cosmos_style();
    let draft = Draft::new(from, style, 138_000, Msg::Send { from, to, token, amount });
    Some(Draft { fee: Fee::Granter(granter), ..draft })
}

pub(super) fn grant(planner: &mut Planner<'_>) -> Option<Draft> {
    if planner.state.grants.len() > OPEN {
        return None;
    }
    let granter = planner.user()?;
    let grantee = planner.user().filter(|grantee| *grantee != granter)?;
    let right = if planner.rng.chance(1, 2) { Right::Send } else { Right::Call };
    if planner.state.grants.contains(&(granter, grantee, right)) {
        return None;
    }
    let days = if planner.rng.chance(1, 4) { 0 } else { 7 + u16::try_from(planner.rng.index(80)).ok()? };
    let style = planner.cosmos_style();
    Some(Draft::new(granter, style, 86_000, Msg::Grant { granter, grantee, right, days }))
}

pub(super) fn revoke(planner: &mut Planner<'_>) -> Option<Draft> {
    let (granter, grantee, right) = planner.rng.pick(&planner.state.grants).copied()?;
    let style = planner.cosmos_style();
    Some(Draft::new(granter, style, 79_000, Msg::Revoke { granter, grantee, right }))
}

pub(super) fn exec(planner: &mut Planner<'_>) -> Option<Draft> {
    let (granter, grantee, right) = planner.rng.pick(&planner.state.grants).copied()?;
    let choice = any_token(planner);
    let token = TokenId(choice);
    let amount = planner.rng.share(planner.spendable(token, granter), 50);
    if amount == 0 || planner.spendable(TokenId(FEE_TOKEN), grantee) < FEE_RESERVE {
        return None;
    }
    let to = planner.other(granter);
    let inner = match right {
        Right::Send => Msg::Send { from: granter, to, token, amount },
        Right::Call => Msg::Call { sender: granter, call: Call::Transfer { token, to, amount } },
    };
    let style = planner.cosmos_style();
    Some(Draft::new(grantee, style, 164_000, Msg::Exec { grantee, inner: Box::new([inner]) }))
}

pub(super) fn allow_fees(planner: &mut Planner<'_>) -> Option<Draft> {
    if planner.state.allowances.len() > OPEN {
        return None;
    }
    let granter = planner.user()?;
    let grantee = planner.other(granter);
    if planner.state.allowances.contains(&(granter, grantee)) {
        return None;
    }
    let limit = 1_000_000_000_000_000_000 * u128::from(1 + planner.rng.below(9));
    let days = 30 + u16::try_from(planner.rng.index(60)).ok()?;
    let style = planner.cosmos_style();
    Some(Draft::new(granter, style, 83_000, Msg::AllowFees { granter, grantee, limit, days }))
}

pub(super) fn revoke_fees(planner: &mut Planner<'_>) -> Option<Draft> {
    let (granter, grantee) = planner.rng.pick(&planner.state.allowances).copied()?;
    let style = planner.cosmos_style();
    Some(Draft::new(granter, style, 76_000, Msg::RevokeFees { granter, grantee }))
}

/// Anybody may clear away allowances that expired; here none does within a demo's days.
pub(super) fn prune_allowances(planner: &mut Planner<'_>) -> Option<Draft> {
    let pruner = planner.user()?;
    let style = planner.cosmos_style();
    Some(Draft::new(pruner, style, 71_000, Msg::PruneAllowances { pruner }))
}
