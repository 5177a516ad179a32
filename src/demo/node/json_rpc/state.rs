//! State queries of Ethereum. Balances exist at recent blocks, other state only at the newest.

use alloy_primitives::{U256, hex};
use serde_json::{Value, json};

use super::{EthAnswer, EthParams, EthRefusal, quantity, read_account, read_height, read_number};
use crate::{
    demo::{
        ledger::{MessageFailure, derive::filler, ethereum_chain_id},
        node::{
            contract::{self, CallRefusal},
            view::NodeView,
        },
        posted::{EthereumPayload, PostedTx, TrialPayload, TxRefusal},
    },
    domain::{Address, Denom, Height},
    signing::{ADMIN_SLOT, BEACON_SLOT, IMPLEMENTATION_SLOT},
};

/// Bytes of simulated code that a contract has.
const CODE_BYTES: usize = 64;

/// Maximum gas of a payment, which MiniEVM executes as a call of the fee token.
const PAYMENT_GAS: u128 = 72_000;

/// Maximum gas of a call to a token.
const TOKEN_CALL_GAS: u128 = 108_000;

/// Divisor of the gas that an estimate adds: a call's gas varies by up to a sixth.
const SPREAD: u64 = 6;

/// Maximum blocks of a fee query.
const MOST_FEE_BLOCKS: u128 = 1_024;

pub(super) fn chain_id() -> u64 {
    ethereum_chain_id()
}

/// Returns the gas price in the fee token's smallest unit.
pub(super) fn gas_price(view: &NodeView<'_>) -> u128 {
    view.facts().gas_price_milli / 1000
}

/// Returns the code at an address. Its bytes only show that the address is a contract.
pub(in crate::demo::node) fn code_of(view: &NodeView<'_>, address: &Address) -> Vec<u8> {
    if !contract::is_contract(view, address) {
        return Vec::new();
    }
    let number = address.tail().first_chunk().map_or(0, |start| u64::from_be_bytes(*start));
    filler("contract code", &[number], CODE_BYTES)
}

/// Returns a storage word; `None` for slots that the simulation does not keep. No simulated contract is a proxy.
pub(in crate::demo::node) fn storage_of(view: &NodeView<'_>, address: &Address, slot: &str) -> Option<String> {
    let slot = hex::decode(slot).ok()?;
    let is_of_proxy = [IMPLEMENTATION_SLOT, ADMIN_SLOT, BEACON_SLOT].iter().any(|known| *known == slot[..]);
    (is_of_proxy || code_of(view, address).is_empty()).then(|| hex::encode_prefixed([0; 32]))
}

pub(super) fn storage(view: &NodeView<'_>, params: &EthParams<'_>) -> EthAnswer {
    params.check_newest(view, 2)?;
    let word = storage_of(view, &params.account(0)?, params.text(1)?);
    Ok(word.ok_or_else(|| EthRefusal::failed("this simulated node keeps no storage of contracts"))?.into())
}

pub(super) fn transaction_count(view: &NodeView<'_>, params: &EthParams<'_>) -> EthAnswer {
    params.check_newest(view, 1)?;
    let address = params.account(0)?;
    let number = if params.value(1) == "pending" {
        view.state.next_sequence(&address)
    } else {
        view.state.account(&address).map(|account| account.sequence)
    };
    Ok(quantity(u128::from(number.unwrap_or(0))))
}

pub(super) fn balance(view: &NodeView<'_>, params: &EthParams<'_>) -> EthAnswer {
    params.look_at(view, 1)?;
    let account = params.account(0)?;
    let fee = view.facts().tokens.first();
    let held = fee.map(|token| view.balance(&account, &token.denom)).unwrap_or_default();
    Ok(format!("{:#x}", held.get()).into())
}

pub(super) fn code(view: &NodeView<'_>, params: &EthParams<'_>) -> EthAnswer {
    params.check_newest(view, 1)?;
    Ok(hex::encode_prefixed(code_of(view, &params.account(0)?)).into())
}

/// Returns the target and the input of a call.
fn called(params: &EthParams<'_>) -> Result<(Option<Address>, Vec<u8>), EthRefusal> {
    let call = params.value(0);
    let to = call.get("to").and_then(Value::as_str).map(read_account).transpose()?;
    let input = call.get("input").or_else(|| call.get("data")).and_then(Value::as_str).unwrap_or("0x");
    let input = hex::decode(input).map_err(|error| EthRefusal::params(format!("invalid argument: {error}")))?;
    Ok((to, input))
}

pub(super) fn call(view: &NodeView<'_>, params: &EthParams<'_>) -> EthAnswer {
    let named = params.look_at(view, 1)?;
    let (to, input) = called(params)?;
    let to = to.ok_or_else(|| EthRefusal::failed("this simulated node does not run code: name a contract in `to`"))?;
    match contract::call(view, &to, &input) {
        Ok(bytes) => Ok(hex::encode_prefixed(bytes).into()),
        Err(CallRefusal::Reverted) => Err(EthRefusal::failed("Reverted")),
        Err(CallRefusal::Pruned) => Err(EthParams::pruned(view, named)),
        Err(CallRefusal::Unknown(_)) if !view.is_at_tip() => Err(EthParams::pruned(view, named)),
        Err(CallRefusal::Unknown(why)) => match trial(view, params)?.map(|trial| simulated(view, &trial)) {
            // The tokens' functions that change state return `true`, those of collections nothing.
            Some(Ok(Ok(_))) if contract::token_at(view, &to).is_some() => Ok(format!("{:#066x}", U256::from(1)).into()),
            Some(Ok(Ok(_))) => Ok("0x".into()),
            Some(Ok(Err(failure))) => Err(of_failure(failure)),
            Some(Err(_)) | None => Err(EthRefusal::failed(why)),
        },
    }
}

/// Returns the call as a transaction of its sender; `None` without an existing account.
fn trial(view: &NodeView<'_>, params: &EthParams<'_>) -> Result<Option<TrialPayload>, EthRefusal> {
    let (to, input) = called(params)?;
    let from = params.value(0).get("from").and_then(Value::as_str).map(read_account).transpose()?;
    let value = params.value(0).get("value").and_then(Value::as_str).map_or(Ok(U256::ZERO), read_word)?;
    let trial = |(from, to): (Address, Address)| {
        let nonce = view.state.next_sequence(&from)?;
        Some(EthereumPayload::trial([from.tail(), to.tail()], nonce, value, input))
    };
    Ok(from.zip(to).and_then(trial))
}

/// Estimates gas by a simulation if the account exists, else as the maximum of a supported call.
pub(super) fn estimate_gas(view: &NodeView<'_>, params: &EthParams<'_>) -> EthAnswer {
    if let Some(trial) = trial(view, params)? {
        let gas = simulated(view, &trial)?.map_err(of_failure)?;
        return Ok(quantity(u128::from(gas + gas / SPREAD + 1)));
    }
    let (to, input) = called(params)?;
    let is_token = to.is_some_and(|to| contract::token_at(view, &to).is_some());
    match (to, input.is_empty()) {
        (Some(_), true) => Ok(quantity(PAYMENT_GAS)),
        (Some(_), false) if is_token => Ok(quantity(TOKEN_CALL_GAS)),
        _ => Err(EthRefusal::failed("this simulated node estimates gas only for payments and token calls")),
    }
}

/// Returns the gas of a transaction, or the failure of its message.
fn simulated(view: &NodeView<'_>, trial: &TrialPayload) -> Result<Result<u64, MessageFailure>, EthRefusal> {
    let fee = view.facts().tokens.first().map_or_else(|| Denom::new(""), |token| token.denom.clone());
    let refused = |refusal: TxRefusal| EthRefusal::failed(refusal.log);
    let posted = trial.to_cosmos(&fee).and_then(|raw| PostedTx::read(&raw)).map_err(refused)?;
    let tried = view.state.simulate(&posted).map_err(|error| EthRefusal::failed(error.to_string()))?;
    Ok(tried.map(|trial| trial.gas))
}

fn of_failure(failure: MessageFailure) -> EthRefusal {
    failure.reverted.map_or_else(|| EthRefusal::failed(failure.log), EthRefusal::reverted)
}

/// Parses a number of any size.
fn read_word(text: &str) -> Result<U256, EthRefusal> {
    let digits = text.strip_prefix("0x").filter(|digits| !digits.is_empty());
    let number = digits.and_then(|digits| U256::from_str_radix(digits, 16).ok());
    number.ok_or_else(|| EthRefusal::params(format!("invalid argument: {text} is not a hex number")))
}

pub(super) fn fee_history(view: &NodeView<'_>, params: &EthParams<'_>) -> EthAnswer {
    let count = match params.value(0) {
        Value::String(text) => read_number(text)?,
        other => u128::from(other.as_u64().unwrap_or(1)),
    };
    let newest = read_height(view, params.value(1))?.unwrap_or(Height::FIRST).min(view.tip);
    let count = u64::try_from(count.clamp(1, MOST_FEE_BLOCKS)).unwrap_or(1);
    let oldest = newest.back(count - 1).max(view.oldest());
    let blocks = usize::try_from(newest.get() - oldest.get() + 1).unwrap_or(1);
    let price = quantity(gas_price(view));
    let percentiles = params.value(2).as_array().map_or(0, Vec::len);
    let rewards = vec![vec!["0x1"; percentiles]; blocks];
    Ok(json!({
        "oldestBlock": quantity(u128::from(oldest.get())),
        "baseFeePerGas": vec![price; blocks + 1],
        "gasUsedRatio": vec![0; blocks],
        "reward": if percentiles == 0 { Value::Null } else { json!(rewards) },
    }))
}
