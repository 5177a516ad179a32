//! Comparison of an Ethereum wallet's call with the quoted steps.

use super::{Performed, QuotedTx, SigningRefusal, cosmos, is_at_most, is_signed_by, receives_account, timeouts};
use crate::{
    domain::{Address, Amount, Denom},
    signing::{ContractPart, EthereumCall, FundsEffect, MemoAction, ethereum::evm_address, known::Numbering},
    wire::router::OperationKind,
};

/// Fee of a message, in the smallest unit of the chain's own coin, above which the user is asked: 0.01 coins.
pub(super) const LARGE_FEE: Amount = Amount::new(alloy_primitives::U256::from_limbs([10_000_000_000_000_000, 0, 0, 0]));

/// Decodes a call and its approvals, compares them with the quote, and returns their effects.
pub(super) fn effects(stage: &QuotedTx<'_>, call: &EthereumCall) -> Result<Vec<FundsEffect>, SigningRefusal> {
    let effect = FundsEffect::of_call(call)?;
    if !call.data.is_empty() {
        stage.note_evm(call.to, ContractPart::Called);
    }
    let denom = stage.denom_in(0)?;
    let taken = compare(stage, call, &effect, denom)?;
    let listed = stage.additional_fees(|denom| evm_address(denom.as_str()).is_none());
    // Real routers quote a message's fee in the step, but not always in the list of fees.
    let native = listed.max(stage.steps.first().and_then(|step| step.facts.messaging_fee_amount).unwrap_or_default());
    let fee = match &effect {
        FundsEffect::Message { fee, .. } => *fee,
        _ => Amount::ZERO,
    };
    is_at_most(native, fee)?;
    // A contract that takes no value would keep it.
    let value = if is_native(denom) { taken.checked_add(fee).unwrap_or(taken) } else { fee };
    is_at_most(value, call.value)?;
    if call.value != value {
        return Err(SigningRefusal::AmountBelow { quoted: value, found: call.value });
    }
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
        stage.note_evm(approval.spender, ContractPart::Spender);
        effects.push(FundsEffect::Allowance {
            token: approval.token,
            spender: approval.spender,
            amount: approval.amount,
        });
    }
    effects.push(effect);
    if let Some(part) = stage.performed.borrow_mut().last_mut() {
        part.effect = effects.len() - 1;
    }
    Ok(effects)
}

/// Compares the call with the quote; returns the amount of the source asset that the call takes.
fn compare(
    stage: &QuotedTx<'_>,
    call: &EthereumCall,
    effect: &FundsEffect,
    denom: &Denom,
) -> Result<Amount, SigningRefusal> {
    let first = stage.steps.first().ok_or(SigningRefusal::Quote("the effect of each transaction"))?;
    let behind = match (&first.kind, effect) {
        (kind, FundsEffect::Burn(burn)) if is_burn(kind) => {
            is_token(denom, burn.token)?;
            is_chain(stage, Numbering::Cctp, burn.domain)?;
            is_least(first.amount_out, burn.least)?;
            if let (Some(finisher), Some(chain)) = (burn.finisher, first.to_chain()) {
                let address = Address::Long(finisher);
                let address =
                    Address::from_bytes(&finisher[12..]).filter(|short| short.word() == finisher).unwrap_or(address);
                stage.note_contract(chain, address, address.hex(), ContractPart::Finisher);
            }
            goes_on(stage, &burn.recipient, &burn.onward)?
        }
        (OperationKind::LayerZeroTransfer, FundsEffect::Message { endpoint, recipient, amount, least, refund, .. }) => {
            is_chain(stage, Numbering::LayerZero, *endpoint)?;
            is_least(Some(stage.quote.slippage.least_of(*amount)), *least)?;
            receives_account(stage.signer()?, *refund)?;
            goes_on(stage, recipient, &MemoAction::Nothing)?
        }
        (
            OperationKind::GoFastTransfer,
            FundsEffect::Order { sender, recipient, least, domain, deadline, onward, .. },
        ) => {
            timeouts::ends_soon(stage, "the order", *deadline)?;
            is_chain(stage, Numbering::GoFast, *domain)?;
            is_signed_by(stage.signer()?, &Address::from_bytes(&sender[12..]).map_or_else(String::new, |it| it.hex()))?;
            is_least(first.amount_out, *least)?;
            goes_on(stage, recipient, onward)?
        }
        (OperationKind::BankSend, FundsEffect::TokenTransfer { token, to, .. }) => {
            is_token(denom, *token)?;
            receives_account(stage.receiver_of(0)?, *to)?;
            1
        }
        (OperationKind::BankSend, FundsEffect::Value { to, .. }) if is_native(denom) => {
            receives_account(stage.receiver_of(0)?, *to)?;
            1
        }
        (kind, _) => {
            let (quoted, found) =
                (format!("a step of the kind “{kind}”"), format!("a call of {}", call.to.checksummed()));
            return Err(SigningRefusal::Step { quoted, found });
        }
    };
    // A relayer continues after Circle's burn: the signer does not perform the later steps.
    let is_left_to_others = is_burn(&first.kind) && first.facts.smart_relay;
    if behind < stage.steps.len() && !is_left_to_others {
        return Err(SigningRefusal::Step {
            quoted: stage
                .steps
                .get(behind)
                .map_or_else(String::new, |step| format!("a step of the kind “{}”", step.kind)),
            found: "no further step".to_owned(),
        });
    }
    let taken = match effect {
        FundsEffect::Burn(burn) => burn.amount,
        FundsEffect::Message { amount, .. }
        | FundsEffect::Order { amount, .. }
        | FundsEffect::TokenTransfer { amount, .. }
        | FundsEffect::Value { amount, .. } => *amount,
        _ => Amount::ZERO,
    };
    stage.takes(0, taken)?;
    stage.performed.borrow_mut().push(Performed { effect: 0, from: 0, to: behind });
    Ok(taken)
}

/// Whether a step uses Circle's protocol, in either version.
pub(super) fn is_burn(kind: &OperationKind) -> bool {
    *kind == OperationKind::CctpTransfer || matches!(kind, OperationKind::Other(name) if name == "cctp_transfer_v2")
}

fn is_least(quoted: Option<Amount>, found: Amount) -> Result<(), SigningRefusal> {
    let least = quoted.ok_or(SigningRefusal::Quote("the output of each step"))?;
    if found >= least { Ok(()) } else { Err(SigningRefusal::MinimumBelow { least, found: Some(found) }) }
}

/// Checks that a protocol's chain number means the destination chain of the first step.
fn is_chain(stage: &QuotedTx<'_>, numbering: Numbering, number: u32) -> Result<(), SigningRefusal> {
    let quoted = stage.steps.first().and_then(|step| step.to_chain());
    let quoted = quoted.ok_or(SigningRefusal::Quote("the destination chain of each step"))?;
    match stage.quote.known.chain_of(numbering, number) {
        Some(found) if found == quoted => Ok(()),
        found => Err(SigningRefusal::Step {
            quoted: format!("a transfer to {quoted}"),
            found: found.map_or_else(
                || format!("a transfer to an unknown chain with number {number}"),
                |found| format!("a transfer to {found}"),
            ),
        }),
    }
}

/// Compares recipient and action on the other chain with the route; returns the index after the performed steps.
fn goes_on(stage: &QuotedTx<'_>, recipient: &[u8; 32], onward: &MemoAction) -> Result<usize, SigningRefusal> {
    cosmos::receives_word(stage, 0, recipient)?;
    match onward {
        MemoAction::Nothing | MemoAction::Note(_) => Ok(1),
        // The user's own account there holds the funds when the forward begins.
        MemoAction::Forward(_) => cosmos::arrives(stage, 0, stage.receiver_of(0)?, onward),
        MemoAction::Call { .. } => Err(SigningRefusal::Step {
            quoted: "known steps".to_owned(),
            found: "a call on the other chain".to_owned(),
        }),
    }
}

fn is_token(quoted: &Denom, token: Address) -> Result<(), SigningRefusal> {
    if evm_address(quoted.as_str()) == Some(token) {
        return Ok(());
    }
    Err(SigningRefusal::SourceAsset { quoted: quoted.clone(), found: token.checksummed() })
}

/// Whether a denom is the router's name for an EVM chain's native coin, such as `ethereum-native`.
fn is_native(denom: &Denom) -> bool {
    denom.as_str().ends_with("-native")
}
