//! Comparison of a hook with the deposit that runs it.

use alloy_primitives::hex;
use serde_json::Value;

use super::{AcceptedQuote, SigningRefusal, cosmos, receives_account};
use crate::{
    domain::{Address, Amount, Coin, Denom},
    signing::{ContractPart, FundsEffect, MessageError, SignableMessage, TokenApproval},
    wire::router::{HookMessage, OpHook, OperationKind},
};

/// Decodes a hook's messages: one conversion for the recipient, and before it the allowance for its contract. Returns
/// both for the amount of the deposit, since the wrapper takes the smaller of balance and allowance.
pub(super) fn effects(
    quote: &AcceptedQuote<'_>,
    messages: &[SignableMessage],
) -> Result<Vec<FundsEffect>, SigningRefusal> {
    let mut effects: Vec<FundsEffect> =
        messages.iter().map(FundsEffect::of_message).collect::<Result<_, _>>().map_err(SigningRefusal::from)?;
    let step = |found: String| SigningRefusal::Step { quoted: "into another form".to_owned(), found };
    for (index, effect) in effects.iter().enumerate() {
        match effect {
            FundsEffect::Allowance { token, .. } => {
                cosmos::is_for_next(&effects, index, None)?;
                // The chain makes the bridged token's contract, so a token of another denom is not the one that arrives.
                let named = Denom::new(format!("evm/{}", token.checksummed().trim_start_matches("0x")));
                if quote.known.decimals_of(&quote.route.dest_asset_chain_id, &named).is_some() {
                    let (quoted, found) = (deposited(quote)?.denom, token.checksummed());
                    return Err(SigningRefusal::SourceAsset { quoted, found });
                }
            }
            FundsEffect::Conversion { to, denom, .. } => {
                receives_account(quote.recipient(), *to)?;
                cosmos::is_quoted_denom(&deposited(quote)?.denom, denom.as_str())?;
            }
            other => return Err(step(cosmos::words(other))),
        }
    }
    match effects.as_mut_slice() {
        [FundsEffect::Allowance { amount: allowed, .. }, FundsEffect::Conversion { amount, .. }] => {
            let exact = deposited(quote)?.amount;
            (*allowed, *amount) = (exact, Some(exact));
        }
        [FundsEffect::Conversion { .. }] => {}
        [] => return Err(step("nowhere".to_owned())),
        _ => return Err(step("there several times".to_owned())),
    }
    Ok(effects)
}

/// Writes the allowances of a hook anew with the amounts of its effects.
pub(super) fn with_effects(hook: &OpHook, effects: &[FundsEffect]) -> Result<OpHook, SigningRefusal> {
    let messages = hook.hook.iter().zip(effects).map(|(message, effect)| match effect {
        FundsEffect::Allowance { token, spender, amount } => {
            let approval = TokenApproval { token: *token, spender: *spender, amount: *amount };
            let written = with_input(message, &approval.approve_data());
            written.ok_or_else(|| MessageError::Form(message.msg_type_url.clone()).into())
        }
        _ => Ok(message.clone()),
    });
    Ok(OpHook { chain_id: hook.chain_id.clone(), hook: messages.collect::<Result<_, SigningRefusal>>()? })
}

/// Replaces the input of a call.
fn with_input(message: &HookMessage, data: &[u8]) -> Option<HookMessage> {
    let mut fields: Value = serde_json::from_str(&message.msg).ok()?;
    *fields.get_mut("input")? = hex::encode_prefixed(data).into();
    Some(HookMessage { msg: fields.to_string(), ..message.clone() })
}

/// Returns what the route's last step deposits, in its form on the rollup.
fn deposited(quote: &AcceptedQuote<'_>) -> Result<Coin, SigningRefusal> {
    let steps = &quote.route.operations;
    let last = steps.last().filter(|step| step.kind == OperationKind::OpInitTransfer);
    let deposit = last.and_then(|step| {
        let bridge = step.facts.op_init_bridge_id.parse().ok()?;
        let quoted: Option<Amount> = if steps.len() == 1 { Some(quote.route.amount_in) } else { step.amount_in };
        Some(Coin { denom: cosmos::bridged(bridge, step.denom_in()?), amount: quoted? })
    });
    deposit.ok_or(SigningRefusal::Quote("the deposit that runs the hook"))
}

/// Returns the contract of a hook's message unless it is the token itself, which the route's end determines.
pub(super) fn called_contract(effect: &FundsEffect) -> Option<(Address, ContractPart)> {
    match effect {
        FundsEffect::Conversion { wrapper, .. } => Some((*wrapper, ContractPart::Called)),
        FundsEffect::Allowance { spender, .. } => Some((*spender, ContractPart::Spender)),
        _ => None,
    }
}
