//! Comparison of a Cosmos transaction's messages with the quoted steps.

use alloy_primitives::hex;
use serde_json::Value;
use sha3::{Digest as _, Sha3_256};

use super::{
    AcceptedQuote, Performed, QuotedTx, SigningRefusal, is_at_most, is_same, is_word_of, receives, receives_account,
    timeouts,
};
use crate::{
    domain::{Address, Amount, Coin, Denom, text::clip},
    signing::{
        ContractPart, FundsEffect, MemoAction, MessageError, SignableMessage, SwapContractCall, TokenApproval,
        account_of, ethereum::evm_address,
    },
    wire::router::{HookMessage, OpHook, Operation, OperationKind},
};

/// Placeholder receiver of a packet that the receiving chain forwards: the chain replaces it by its own account.
const PASSED_ON: &str = "pfm";

/// Decodes and compares all messages. The messages must perform exactly the steps of the transaction.
pub(super) fn effects(stage: &QuotedTx<'_>, messages: &[SignableMessage]) -> Result<Vec<FundsEffect>, SigningRefusal> {
    let effects: Vec<FundsEffect> =
        messages.iter().map(FundsEffect::of_message).collect::<Result<_, _>>().map_err(SigningRefusal::from)?;
    let mut place = 0;
    let mut is_converted = false;
    for (index, effect) in effects.iter().enumerate() {
        match effect {
            FundsEffect::Allowance { spender, .. } => {
                is_for_next(&effects, index, Some((stage.denom_in(place)?, stage.amount_in(place)?)))?;
                stage.note_evm(*spender, ContractPart::Spender);
            }
            FundsEffect::Conversion { wrapper, to, denom, amount, .. } => {
                stage.note_evm(*wrapper, ContractPart::Called);
                receives_account(stage.signer()?, *to)?;
                is_quoted_denom(stage.denom_in(place)?, denom.as_str())?;
                let amount = amount.ok_or_else(|| way(stage, place, "a token conversion of the whole balance"))?;
                stage.takes(place, amount)?;
                is_converted = true;
            }
            main => {
                let from = place;
                place = step(stage, place, main, is_converted)?;
                stage.performed.borrow_mut().push(Performed { effect: index, from, to: place });
                is_converted = false;
            }
        }
    }
    if place < stage.steps.len() || effects.is_empty() {
        return Err(way(stage, place, "no further step"));
    }
    Ok(effects)
}

/// Whether an allowance is for the contract that the next message calls, and for exactly the quoted amount.
fn is_for_next(effects: &[FundsEffect], index: usize, quoted: Option<(&Denom, Amount)>) -> Result<(), SigningRefusal> {
    let Some(FundsEffect::Allowance { token, spender, amount }) = effects.get(index) else { return Ok(()) };
    let called = match effects.get(index + 1) {
        Some(FundsEffect::Conversion { wrapper, .. }) => Some(*wrapper),
        _ => None,
    };
    if called != Some(*spender) {
        let called = called.map_or_else(|| "none".to_owned(), |called| called.checksummed());
        return Err(SigningRefusal::Spender { called, found: spender.checksummed() });
    }
    if let Some((denom, taken)) = quoted {
        if contract_of(denom) != Some(*token) {
            return Err(SigningRefusal::SourceAsset { quoted: denom.clone(), found: token.checksummed() });
        }
        if *amount != taken {
            return Err(SigningRefusal::AllowanceAmount { taken, found: *amount });
        }
    }
    Ok(())
}

/// Compares a message with the steps from `place` on; returns the index after the steps that the message performs.
fn step(stage: &QuotedTx<'_>, place: usize, effect: &FundsEffect, is_converted: bool) -> Result<usize, SigningRefusal> {
    let Some(step) = stage.steps.get(place) else { return Err(way(stage, place, &words(effect))) };
    // The signer can perform only steps on the transaction's own chain.
    if step.from_chain() != Some(stage.chain) {
        return Err(way(stage, place, &words(effect)));
    }
    let receiver = stage.receiver_of(place)?;
    match (&step.kind, effect) {
        (OperationKind::BankSend, FundsEffect::Send { coins, to }) => {
            let [coin] = coins.as_slice() else { return Err(way(stage, place, "a payment of several coins")) };
            is_coin(stage, place, coin, is_converted)?;
            receives(receiver, to)?;
            Ok(place + 1)
        }
        (OperationKind::OpInitTransfer, FundsEffect::Deposit { coin, bridge_id, to, hook }) => {
            is_coin(stage, place, coin, is_converted)?;
            is_bridge(step.facts.op_init_bridge_id.as_received(), *bridge_id)?;
            receives(receiver, to)?;
            is_hook(stage, hook)?;
            Ok(place + 1)
        }
        (OperationKind::OpInitTransfer, FundsEffect::Withdrawal { coin, to }) => {
            is_coin(stage, place, coin, is_converted)?;
            receives(receiver, to)?;
            Ok(place + 1)
        }
        (OperationKind::Transfer, FundsEffect::Packet { coin, channel, receiver: to, timeout, onward }) => {
            timeouts::ends_soon(stage, "the packet", *timeout)?;
            is_coin(stage, place, coin, is_converted)?;
            is_channel(&step.facts.channel, channel)?;
            arrives(stage, place, to, onward)
        }
        (OperationKind::Swap, FundsEffect::Swap { pool, sold, amount, least }) => {
            is_pool(step, *pool)?;
            is_swap(stage, place, *sold, *amount, *least)?;
            Ok(place + 1)
        }
        (OperationKind::Swap, FundsEffect::VenueSwap { contract, sold: Some(sold), least, deadline, after }) => {
            timeouts::ends_soon(stage, "the swap", *deadline)?;
            is_coin(stage, place, sold, is_converted)?;
            buys(stage, place, contract, least, after)
        }
        _ => Err(way(stage, place, &words(effect))),
    }
}

/// Compares the action on a packet's arrival with the steps from `place` on.
pub(super) fn arrives(
    stage: &QuotedTx<'_>,
    place: usize,
    to: &str,
    onward: &MemoAction,
) -> Result<usize, SigningRefusal> {
    let receiver = stage.receiver_of(place)?;
    let next = place + 1;
    match onward {
        MemoAction::Nothing | MemoAction::Note(_) => {
            receives(receiver, to)?;
            Ok(next)
        }
        MemoAction::Forward(forward) => {
            let channel = &forward.channel;
            timeouts::tries_soon(stage, forward)?;
            if to != PASSED_ON {
                receives(receiver, to)?;
            }
            let step = stage.steps.get(next).filter(|step| step.kind == OperationKind::Transfer);
            let step = step.ok_or_else(|| way(stage, next, &format!("a transfer over {channel}")))?;
            is_channel(&step.facts.channel, channel)?;
            arrives(stage, next, &forward.receiver, &forward.next)
        }
        MemoAction::Call { effect, place: called, .. } => {
            if to != called {
                receives(receiver, to)?;
            }
            let step = stage.steps.get(next).filter(|step| step.kind == OperationKind::Swap);
            match (step, effect.as_ref()) {
                // The packet brings the sold coin, so the contract must be its receiver.
                (Some(_), FundsEffect::VenueSwap { contract, sold: None, least, deadline, after }) if to == called => {
                    timeouts::ends_soon(stage, "the swap", *deadline)?;
                    buys(stage, next, contract, least, after)
                }
                (Some(_), FundsEffect::Swap { sold, amount, least, .. }) => {
                    is_swap(stage, next, *sold, *amount, *least)?;
                    // The bought coin would stay with the account that the chain derives for the call; the user does
                    // not own that account.
                    Err(way(stage, next + 1, "a swap for the account that the chain derives for the call"))
                }
                _ => Err(way(stage, next, &words(effect))),
            }
        }
    }
}

/// Compares a swap with the step at `place` and the steps that forward the bought coin; returns the index after these
/// steps.
fn buys(
    stage: &QuotedTx<'_>,
    place: usize,
    contract: &str,
    least: &Coin,
    after: &SwapContractCall,
) -> Result<usize, SigningRefusal> {
    let step = stage.steps.get(place).ok_or(SigningRefusal::Quote("the effect of each transaction"))?;
    let chain = step.from_chain().ok_or(SigningRefusal::Quote("the source chain of each step"))?;
    let address = account_of(contract).ok_or_else(|| way(stage, place, &format!("a swap by {contract}")))?;
    stage.note_contract(chain, address, clip(contract, 90), ContractPart::Called);
    is_quoted_denom(step.denom_out().ok_or(SigningRefusal::Quote("the output of each step"))?, least.denom.as_str())?;
    let out = step.amount_out.ok_or(SigningRefusal::Quote("the output of each step"))?;
    let accepted = stage.quote.slippage.least_of(out);
    if least.amount < accepted {
        return Err(SigningRefusal::MinimumBelow { least: accepted, found: Some(least.amount) });
    }
    match after {
        SwapContractCall::Send { to } => {
            receives(stage.receiver_of(place)?, to)?;
            Ok(place + 1)
        }
        SwapContractCall::Packet { channel, receiver, refund, onward } => {
            receives(stage.address_on(chain)?, refund)?;
            let next = place + 1;
            let step = stage.steps.get(next).filter(|step| step.kind == OperationKind::Transfer);
            let step = step.ok_or_else(|| way(stage, next, &format!("a transfer over {}", clip(channel, 40))))?;
            is_channel(&step.facts.channel, channel)?;
            arrives(stage, next, receiver, onward)
        }
    }
}

fn is_coin(stage: &QuotedTx<'_>, place: usize, coin: &Coin, is_converted: bool) -> Result<(), SigningRefusal> {
    if !is_converted {
        is_quoted_denom(stage.denom_in(place)?, coin.denom.as_str())?;
        return stage.takes(place, coin.amount);
    }
    // Only a bridged token has a known converted denom: bridge id and L1 denom determine it.
    let step = stage.steps.get(place);
    let made = step.and_then(|step| {
        let bridge: u64 = step.facts.op_init_bridge_id.as_received().parse().ok()?;
        Some((bridged(bridge, step.denom_out()?), step.amount_out?))
    });
    let (denom, amount) = made.ok_or(SigningRefusal::Quote("the denom of the converted asset"))?;
    is_quoted_denom(&denom, coin.denom.as_str())?;
    is_at_most(amount, coin.amount)?;
    if coin.amount == amount {
        return Ok(());
    }
    Err(SigningRefusal::AmountBelow { quoted: amount, found: coin.amount })
}

fn is_quoted_denom(quoted: &Denom, found: &str) -> Result<(), SigningRefusal> {
    if quoted.is_same(&Denom::new(found)) {
        return Ok(());
    }
    Err(SigningRefusal::SourceAsset { quoted: quoted.clone(), found: found.to_owned() })
}

fn is_channel(quoted: &str, found: &str) -> Result<(), SigningRefusal> {
    if !quoted.is_empty() && quoted == found {
        return Ok(());
    }
    Err(SigningRefusal::Step { quoted: format!("a transfer over {quoted}"), found: format!("a transfer over {found}") })
}

fn is_bridge(quoted: &str, found: u64) -> Result<(), SigningRefusal> {
    if quoted.parse() == Ok(found) {
        return Ok(());
    }
    Err(SigningRefusal::Step {
        quoted: format!("a deposit over bridge {quoted}"),
        found: format!("a deposit over bridge {found}"),
    })
}

/// Whether a deposit carries exactly the signed hook, or no hook if none was signed.
fn is_hook(stage: &QuotedTx<'_>, found: &[u8]) -> Result<(), SigningRefusal> {
    use base64::{Engine as _, prelude::BASE64_STANDARD};
    let signed = stage.quote.hook.filter(|_| stage.quote.route.required_op_hook);
    let is_same = match signed {
        Some(signed) => BASE64_STANDARD.decode(signed.hook()).is_ok_and(|signed| signed == found),
        None => found.is_empty(),
    };
    if is_same { Ok(()) } else { Err(SigningRefusal::Hook) }
}

fn is_swap(
    stage: &QuotedTx<'_>,
    place: usize,
    sold: [u8; 32],
    amount: Amount,
    least: Option<Amount>,
) -> Result<(), SigningRefusal> {
    let quoted = stage.denom_in(place)?;
    if metadata(quoted) != Some(sold) {
        return Err(SigningRefusal::SourceAsset { quoted: quoted.clone(), found: hex::encode_prefixed(sold) });
    }
    stage.takes(place, amount)?;
    let out = stage.steps.get(place).and_then(|step| step.amount_out);
    let accepted = stage.quote.slippage.least_of(out.ok_or(SigningRefusal::Quote("the output of each step"))?);
    if least.is_none_or(|least| least < accepted) {
        return Err(SigningRefusal::MinimumBelow { least: accepted, found: least });
    }
    Ok(())
}

/// Whether a swap is in the pool that the route names, if it names one.
fn is_pool(step: &Operation, found: [u8; 32]) -> Result<(), SigningRefusal> {
    let found = format!("move/{}", hex::encode(found));
    match step.pools().as_slice() {
        [] => Ok(()),
        [quoted] if quoted.eq_ignore_ascii_case(&found) => Ok(()),
        quoted => Err(SigningRefusal::Step {
            quoted: format!("a swap in pool {}", quoted.join(", ")),
            found: format!("a swap in pool {found}"),
        }),
    }
}

/// Returns the metadata object of an L1 denom: a `move/…` denom contains it, and the chain derives it from other
/// denoms.
fn metadata(denom: &Denom) -> Option<[u8; 32]> {
    const OBJECT_OF_A_NAME: u8 = 0xfe;
    if let Some(object) = denom.as_str().strip_prefix("move/") {
        return hex::decode(object).ok()?.try_into().ok();
    }
    let mut chain = [0; 32];
    chain[31] = 1;
    let digest = Sha3_256::new().chain_update(chain).chain_update(denom.as_str()).chain_update([OBJECT_OF_A_NAME]);
    Some(digest.finalize().into())
}

/// Returns the denom of an L1 token on the rollup with this bridge.
pub(super) fn bridged(bridge: u64, denom: &Denom) -> Denom {
    let hash = Sha3_256::new().chain_update(bridge.to_be_bytes()).chain_update(denom.as_str()).finalize();
    Denom::new(format!("l2/{}", hex::encode(hash)))
}

/// Returns the contract of a token from its denom; `None` for other denoms.
pub(super) fn token_of(denom: &Denom) -> Option<Address> {
    contract_of(denom).or_else(|| evm_address(denom.as_str()))
}

/// Returns the contract in a denom such as `evm/…`; `None` for other denoms.
fn contract_of(denom: &Denom) -> Option<Address> {
    let bytes = hex::decode(denom.as_str().strip_prefix("evm/")?).ok()?;
    Address::from_bytes(&bytes).filter(|address| matches!(address, Address::Short(_)))
}

fn way(stage: &QuotedTx<'_>, place: usize, found: &str) -> SigningRefusal {
    let quoted = match stage.steps.get(place) {
        Some(step) => format!("a step of the kind “{}”", step.kind),
        None => "no further step".to_owned(),
    };
    SigningRefusal::Step { quoted, found: found.to_owned() }
}

/// Describes an effect that the guard found instead of a quoted step.
fn words(effect: &FundsEffect) -> String {
    match effect {
        FundsEffect::Send { to, .. } => format!("a payment to {to} on the same chain"),
        FundsEffect::Packet { channel, .. } => format!("a transfer over {channel}"),
        FundsEffect::Deposit { bridge_id, .. } => format!("a deposit over bridge {bridge_id}"),
        FundsEffect::Withdrawal { .. } => "a withdrawal to the L1".to_owned(),
        FundsEffect::Claim { .. } => "a claim on the L1".to_owned(),
        FundsEffect::Allowance { spender, .. } => format!("an allowance for {}", spender.checksummed()),
        FundsEffect::TokenTransfer { to, .. } | FundsEffect::Value { to, .. } => {
            format!("a payment to {} on the same chain", to.checksummed())
        }
        FundsEffect::Conversion { .. } => "a token conversion".to_owned(),
        FundsEffect::Swap { .. } => "a swap".to_owned(),
        FundsEffect::VenueSwap { contract, .. } => format!("a swap by {}", clip(contract, 90)),
        FundsEffect::Message { endpoint, .. } => format!("a LayerZero transfer to endpoint {endpoint}"),
        FundsEffect::Burn(_) => "a transfer over Circle's CCTP".to_owned(),
        FundsEffect::Order { .. } => "an order for a solver".to_owned(),
    }
}

/// Whether a 32-byte word of a call is the user's account after the step at `place`.
pub(super) fn receives_word(stage: &QuotedTx<'_>, place: usize, word: &[u8; 32]) -> Result<(), SigningRefusal> {
    let receiver = stage.receiver_of(place)?;
    if is_word_of(receiver, word) || is_same(receiver, &hex::encode_prefixed(word)) {
        return Ok(());
    }
    Err(SigningRefusal::Receiver { expected: receiver.to_owned(), found: hex::encode_prefixed(word) })
}

/// Decodes a hook's messages: one conversion for the recipient, and before it the allowance for its contract. Returns
/// both for the amount of the deposit, since the wrapper takes the smaller of balance and allowance.
pub(super) fn hook_effects(
    quote: &AcceptedQuote<'_>,
    messages: &[SignableMessage],
) -> Result<Vec<FundsEffect>, SigningRefusal> {
    let mut effects: Vec<FundsEffect> =
        messages.iter().map(FundsEffect::of_message).collect::<Result<_, _>>().map_err(SigningRefusal::from)?;
    let step = |found: String| SigningRefusal::Step { quoted: "a token conversion".to_owned(), found };
    for (index, effect) in effects.iter().enumerate() {
        match effect {
            FundsEffect::Allowance { token, .. } => {
                is_for_next(&effects, index, None)?;
                // The chain makes the bridged token's contract, so a token of another denom is not what arrives.
                let named = Denom::new(format!("evm/{}", token.checksummed().trim_start_matches("0x")));
                if quote.known.decimals_of(&quote.route.dest_asset_chain_id, &named).is_some() {
                    let (quoted, found) = (deposited(quote)?.denom, token.checksummed());
                    return Err(SigningRefusal::SourceAsset { quoted, found });
                }
            }
            FundsEffect::Conversion { to, denom, decimals, .. } => {
                receives_account(quote.recipient(), *to)?;
                is_quoted_denom(&deposited(quote)?.denom, denom.as_str())?;
                // The wrapper has a token for each number of decimals.
                let both = decimals.zip(known_decimals(quote, denom));
                if let Some((found, known)) = both.filter(|(found, known)| found != known) {
                    return Err(SigningRefusal::Decimals { denom: denom.clone(), known, found });
                }
            }
            other => return Err(step(words(other))),
        }
    }
    match effects.as_mut_slice() {
        [FundsEffect::Allowance { amount: allowed, .. }, FundsEffect::Conversion { amount, .. }] => {
            let exact = deposited(quote)?.amount;
            (*allowed, *amount) = (exact, Some(exact));
        }
        // An earlier allowance may be used up.
        [FundsEffect::Conversion { amount: None, .. }] => return Err(SigningRefusal::NoAllowance),
        [FundsEffect::Conversion { .. }] => {}
        [] => return Err(step("no message".to_owned())),
        _ => return Err(step("several conversions".to_owned())),
    }
    Ok(effects)
}

/// Returns the decimals of a hook's coin, on the rollup or on the L1: bridges keep them.
pub(super) fn known_decimals(quote: &AcceptedQuote<'_>, denom: &Denom) -> Option<u8> {
    let there = quote.known.decimals_of(&quote.route.dest_asset_chain_id, denom);
    there.or_else(|| {
        let last = quote.route.operations.last()?;
        quote.known.decimals_of(last.from_chain()?, last.denom_in()?)
    })
}

/// Writes the allowances of a hook anew with the amounts of its effects.
pub(super) fn hook_with_effects(hook: &OpHook, effects: &[FundsEffect]) -> Result<OpHook, SigningRefusal> {
    let messages = hook.hook.iter().zip(effects).map(|(message, effect)| match effect {
        FundsEffect::Allowance { token, spender, amount } => {
            let approval = TokenApproval { token: *token, spender: *spender, amount: *amount };
            let written = with_input(message, &approval.approve_data());
            written.ok_or_else(|| MessageError::Form(message.msg_type_url.as_received().to_owned()).into())
        }
        _ => Ok(message.clone()),
    });
    Ok(OpHook { chain_id: hook.chain_id.clone(), hook: messages.collect::<Result<_, SigningRefusal>>()? })
}

/// Replaces the input of a call.
fn with_input(message: &HookMessage, data: &[u8]) -> Option<HookMessage> {
    let mut fields: Value = serde_json::from_str(message.msg.as_received()).ok()?;
    *fields.get_mut("input")? = hex::encode_prefixed(data).into();
    Some(HookMessage { msg: fields.to_string().into(), ..message.clone() })
}

/// Returns what the route's last step deposits, in its form on the rollup.
fn deposited(quote: &AcceptedQuote<'_>) -> Result<Coin, SigningRefusal> {
    let steps = &quote.route.operations;
    let last = steps.last().filter(|step| step.kind == OperationKind::OpInitTransfer);
    let deposit = last.and_then(|step| {
        let bridge = step.facts.op_init_bridge_id.as_received().parse().ok()?;
        let quoted: Option<Amount> = if steps.len() == 1 { Some(quote.route.amount_in) } else { step.amount_in };
        Some(Coin { denom: bridged(bridge, step.denom_in()?), amount: quoted? })
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
