//! A call of an Ethereum wallet against the steps that were quoted.

use super::{QuotedTx, SigningRefusal, cosmos, is_at_most, is_signed_by, receives};
use crate::{
    domain::{Address, Amount, Denom},
    signing::{EthereumCall, FundsEffect, Onward, ethereum::evm_address},
    wire::router::OperationKind,
};

/// Decodes and compares a call and its allowances; the effects are those of the allowances and of the call.
pub(super) fn effects(stage: &QuotedTx<'_>, call: &EthereumCall) -> Result<Vec<FundsEffect>, SigningRefusal> {
    let effect = FundsEffect::of_call(call)?;
    let denom = stage.denom_in(0)?;
    let taken = compare(stage, call, &effect, denom)?;
    let native = stage.additional_fees(|denom| evm_address(denom.as_str()).is_none());
    let most = if is_native(denom) { stage.amount_in(0)?.checked_add(native) } else { Some(native) };
    is_at_most(most.unwrap_or(native), call.value)?;
    let mut effects = Vec::new();
    for approval in &call.approvals {
        if approval.spender != call.to {
            let (called, found) = (call.to.checksummed(), approval.spender.checksummed());
            return Err(SigningRefusal::Spender { called, found });
        }
        if evm_address(denom.as_str()) != Some(approval.token) {
            return Err(SigningRefusal::SourceAsset { quoted: denom.clone(), found: approval.token.checksummed() });
        }
        if approval.amount != taken {
            return Err(SigningRefusal::AllowanceAmount { taken, found: approval.amount });
        }
        effects.push(FundsEffect::Allowance {
            token: approval.token,
            spender: approval.spender,
            amount: approval.amount,
        });
    }
    effects.push(effect);
    Ok(effects)
}

/// Compares what the call does; what it takes of the source asset comes back.
fn compare(
    stage: &QuotedTx<'_>,
    call: &EthereumCall,
    effect: &FundsEffect,
    denom: &Denom,
) -> Result<Amount, SigningRefusal> {
    let first = stage.steps.first().ok_or(SigningRefusal::Quote("what each transaction does"))?;
    let behind = match (&first.kind, effect) {
        (OperationKind::CctpTransfer, FundsEffect::Burn { token, recipient, onward, .. }) => {
            is_token(denom, *token)?;
            goes_on(stage, recipient, onward)?
        }
        (OperationKind::GoFastTransfer, FundsEffect::Order { sender, recipient, least, onward, .. }) => {
            is_signed_by(stage.signer()?, &Address::from_bytes(&sender[12..]).map_or_else(String::new, |it| it.hex()))?;
            let accepted = first.amount_out.ok_or(SigningRefusal::Quote("what comes out of each step"))?;
            if *least < accepted {
                return Err(SigningRefusal::MinimumBelow { least: accepted, found: Some(*least) });
            }
            goes_on(stage, recipient, onward)?
        }
        (OperationKind::BankSend, FundsEffect::TokenTransfer { token, to, .. }) => {
            is_token(denom, *token)?;
            receives(stage.receiver_of(0)?, &to.hex())?;
            1
        }
        (OperationKind::BankSend, FundsEffect::Value { to, .. }) if is_native(denom) => {
            receives(stage.receiver_of(0)?, &to.hex())?;
            1
        }
        (kind, _) => {
            let (quoted, found) = (format!("on by {kind}"), format!("into a call of {}", call.to.checksummed()));
            return Err(SigningRefusal::Step { quoted, found });
        }
    };
    // Circle's burn ends on a chain where somebody of the route's own takes over: those steps are not the signer's.
    let is_left_to_others = first.kind == OperationKind::CctpTransfer && first.facts.smart_relay;
    if behind < stage.steps.len() && !is_left_to_others {
        return Err(SigningRefusal::Step {
            quoted: format!("on by {}", stage.steps.get(behind).map_or_else(String::new, |step| step.kind.to_string())),
            found: "no further".to_owned(),
        });
    }
    let taken = match effect {
        FundsEffect::Burn { amount, .. }
        | FundsEffect::Order { amount, .. }
        | FundsEffect::TokenTransfer { amount, .. } => *amount,
        _ => Amount::ZERO,
    };
    is_at_most(stage.amount_in(0)?, taken)?;
    Ok(taken)
}

/// Compares who has the funds on the other chain and what follows there; the place behind the steps that this does.
fn goes_on(stage: &QuotedTx<'_>, recipient: &[u8; 32], onward: &Onward) -> Result<usize, SigningRefusal> {
    cosmos::receives_word(stage, 0, recipient)?;
    match onward {
        Onward::Nothing | Onward::Note(_) => Ok(1),
        // The funds are with the person's own account there when the forward begins.
        Onward::Forward { .. } => cosmos::arrives(stage, 0, stage.receiver_of(0)?, onward),
        Onward::Call { .. } => Err(SigningRefusal::Step {
            quoted: "with steps that are known".to_owned(),
            found: "into a call on the other chain".to_owned(),
        }),
    }
}

fn is_token(quoted: &Denom, token: Address) -> Result<(), SigningRefusal> {
    if evm_address(quoted.as_str()) == Some(token) {
        return Ok(());
    }
    Err(SigningRefusal::SourceAsset { quoted: quoted.clone(), found: token.checksummed() })
}

/// Whether a denom of an EVM chain is the chain's own coin, as routers name it: `ethereum-native`.
fn is_native(denom: &Denom) -> bool {
    denom.as_str().ends_with("-native")
}
