//! Decoders of the functions that routers call in EVM contracts and Move modules.

use std::time::Duration;

use alloy_dyn_abi::{DynSolType, DynSolValue};
use alloy_primitives::{U256, keccak256};
use base64::{Engine as _, prelude::BASE64_STANDARD};

use super::{
    effect::{BurnCall, FundsEffect},
    memo_action::MemoAction,
};
use crate::{
    domain::{Address, Amount, Denom, Timestamp},
    wire::bcs,
};

/// Decoder of one known function's call; `None` for invalid arguments.
type CallMeaning = fn(&CallArguments) -> Option<FundsEffect>;

/// All supported functions. The guard refuses calls of other functions and names them.
const FUNCTIONS: &[(&str, CallMeaning)] = &[
    ("approve(address,uint256)", approve),
    ("transfer(address,uint256)", transfer),
    ("toLocal(address,string,uint8)", to_local),
    ("toRemote(address,string,uint256)", to_remote),
    ("depositForBurn(uint256,uint32,bytes32,address)", burn),
    ("depositForBurnWithCaller(uint256,uint32,bytes32,address,bytes32)", burn_for_caller),
    ("depositForBurn(uint256,uint32,bytes32,address,bytes32,uint256,uint32)", second_burn),
    ("requestCCTPTransfer(uint256,uint32,bytes32,address,uint256)", relayed_burn),
    ("requestCCTPTransferWithCaller(uint256,uint32,bytes32,address,uint256,bytes32)", relayed_burn_for_caller),
    ("requestCCTPTransfer(uint256,uint32,bytes32,address,uint256,uint256,uint32,bytes)", second_relayed_burn),
    ("relayTransfer(uint256,uint32,bytes32,address,uint256,string)", instructed_burn),
    ("submitOrder(bytes32,bytes32,uint256,uint256,uint32,uint64,bytes)", order),
    ("send((uint32,bytes32,uint256,uint256,bytes,bytes,bytes),(uint256,uint256),address)", message),
];

struct CallArguments {
    contract: Address,
    values: Vec<DynSolValue>,
}

impl CallArguments {
    fn address(&self, place: usize) -> Option<Address> {
        let address = self.values.get(place)?.as_address()?;
        Some(Address::Short(address.0.0))
    }

    fn number(&self, place: usize) -> Option<U256> {
        Some(self.values.get(place)?.as_uint()?.0)
    }

    fn amount(&self, place: usize) -> Option<Amount> {
        self.number(place).map(Amount::new)
    }

    fn domain(&self, place: usize) -> Option<u32> {
        u32::try_from(self.number(place)?).ok()
    }

    fn word(&self, place: usize) -> Option<[u8; 32]> {
        let (word, size) = self.values.get(place)?.as_fixed_bytes()?;
        (size == 32).then(|| word.try_into().ok()).flatten()
    }

    fn text(&self, place: usize) -> Option<&str> {
        self.values.get(place)?.as_str()
    }

    fn is_empty(&self, place: usize) -> bool {
        matches!(self.values.get(place), Some(DynSolValue::Bytes(bytes)) if bytes.is_empty())
    }

    /// Returns the values of the struct at this position.
    fn inner(&self, place: usize) -> Option<Self> {
        let values = self.values.get(place)?.as_tuple()?.to_vec();
        Some(Self { contract: self.contract, values })
    }

    fn onward(&self, place: usize) -> Option<MemoAction> {
        let text = match self.values.get(place)? {
            DynSolValue::Bytes(bytes) => std::str::from_utf8(bytes).ok()?,
            other => other.as_str()?,
        };
        MemoAction::parse(text).ok()
    }
}

/// Decodes a call of an EVM contract; `None` for an unknown function, or for arguments that are not canonically
/// encoded.
pub(super) fn evm_effect(contract: Address, data: &[u8]) -> Option<FundsEffect> {
    let (selector, arguments) = data.split_at_checked(4)?;
    let (signature, meaning) = FUNCTIONS.iter().find(|(name, _)| keccak256(name).starts_with(selector))?;
    let values = decode(signature, arguments)?;
    meaning(&CallArguments { contract, values })
}

/// Formats the selector of a call: `0x095ea7b3`.
pub(super) fn selector_text(data: &[u8]) -> String {
    alloy_primitives::hex::encode_prefixed(data.get(..4).unwrap_or(data))
}

fn decode(signature: &str, data: &[u8]) -> Option<Vec<DynSolValue>> {
    let kinds = DynSolType::parse(signature.get(signature.find('(')?..)?).ok()?;
    let read = kinds.abi_decode_params(data).ok()?;
    // Two decoders may read an odd encoding differently, so accept only the canonical encoding.
    (read.abi_encode_params() == data && fits(&read)).then_some(())?;
    match read {
        DynSolValue::Tuple(values) => Some(values),
        _ => None,
    }
}

/// Whether each number has the bits of its type: chains refuse calls with others.
fn fits(value: &DynSolValue) -> bool {
    match value {
        DynSolValue::Uint(number, bits) => number.bit_len() <= *bits,
        DynSolValue::Tuple(values) | DynSolValue::Array(values) | DynSolValue::FixedArray(values) => {
            values.iter().all(fits)
        }
        _ => true,
    }
}

fn approve(call: &CallArguments) -> Option<FundsEffect> {
    Some(FundsEffect::Allowance { token: call.contract, spender: call.address(0)?, amount: call.amount(1)? })
}

fn transfer(call: &CallArguments) -> Option<FundsEffect> {
    Some(FundsEffect::TokenTransfer { token: call.contract, to: call.address(0)?, amount: call.amount(1)? })
}

fn to_local(call: &CallArguments) -> Option<FundsEffect> {
    let (wrapper, to, denom) = (call.contract, call.address(0)?, Denom::new(call.text(1)?));
    let decimals = Some(u8::try_from(call.number(2)?).ok()?);
    Some(FundsEffect::Conversion { wrapper, to, denom, amount: None, decimals })
}

fn to_remote(call: &CallArguments) -> Option<FundsEffect> {
    let (wrapper, to, denom) = (call.contract, call.address(0)?, Denom::new(call.text(1)?));
    Some(FundsEffect::Conversion { wrapper, to, denom, amount: Some(call.amount(2)?), decimals: None })
}

/// Decodes the arguments that all burns have; `amount` is the total taken, `least` the minimum minted, in the smallest
/// unit.
fn burnt(call: &CallArguments, amount: Amount, least: Amount) -> Option<BurnCall> {
    let (domain, recipient, token) = (call.domain(1)?, call.word(2)?, call.address(3)?);
    Some(BurnCall { token, amount, least, domain, recipient, finisher: None, onward: MemoAction::Nothing })
}

fn burn(call: &CallArguments) -> Option<FundsEffect> {
    let amount = call.amount(0)?;
    burnt(call, amount, amount).map(FundsEffect::Burn)
}

/// Decodes a burn that names the only account that can finish it; zeros allow any account.
fn burn_for_caller(call: &CallArguments) -> Option<FundsEffect> {
    let amount = call.amount(0)?;
    Some(FundsEffect::Burn(burnt(call, amount, amount)?.with_finisher(call.word(4)?)))
}

/// Decodes a burn of protocol version 2, where Circle may deduct a fee from the minted amount.
fn second_burn(call: &CallArguments) -> Option<FundsEffect> {
    let amount = call.amount(0)?;
    let least = amount.checked_sub(call.amount(5)?)?;
    Some(FundsEffect::Burn(burnt(call, amount, least)?.with_finisher(call.word(4)?)))
}

/// Decodes a burn with a relayer's fee in addition to the burnt amount.
fn relayed_burn(call: &CallArguments) -> Option<FundsEffect> {
    let least = call.amount(0)?;
    burnt(call, least.checked_add(call.amount(4)?)?, least).map(FundsEffect::Burn)
}

fn relayed_burn_for_caller(call: &CallArguments) -> Option<FundsEffect> {
    let least = call.amount(0)?;
    let burn = burnt(call, least.checked_add(call.amount(4)?)?, least)?;
    Some(FundsEffect::Burn(burn.with_finisher(call.word(5)?)))
}

/// Decodes a version 2 burn with a relayer's fee; refuses a follow-up call.
fn second_relayed_burn(call: &CallArguments) -> Option<FundsEffect> {
    let (burnt_amount, fee, most_kept) = (call.amount(0)?, call.amount(4)?, call.amount(5)?);
    let burn = burnt(call, burnt_amount.checked_add(fee)?, burnt_amount.checked_sub(most_kept)?)?;
    call.is_empty(7).then_some(FundsEffect::Burn(burn))
}

/// Decodes a burn with follow-up instructions, whose fee is deducted from the burnt amount.
fn instructed_burn(call: &CallArguments) -> Option<FundsEffect> {
    let amount = call.amount(0)?;
    let burn = burnt(call, amount, amount.checked_sub(call.amount(4)?)?)?;
    Some(FundsEffect::Burn(BurnCall { onward: call.onward(5)?, ..burn }))
}

/// Decodes a `LayerZero` send; refuses a follow-up call, and a fee in the protocol's own token.
fn message(call: &CallArguments) -> Option<FundsEffect> {
    let (sent, fee) = (call.inner(0)?, call.inner(1)?);
    let is_plain = sent.is_empty(5) && sent.is_empty(6) && fee.amount(1)?.is_zero();
    is_plain.then_some(FundsEffect::Message {
        endpoint: sent.domain(0)?,
        recipient: sent.word(1)?,
        amount: sent.amount(2)?,
        least: sent.amount(3)?,
        fee: fee.amount(0)?,
        refund: call.address(2)?,
    })
}

fn order(call: &CallArguments) -> Option<FundsEffect> {
    Some(FundsEffect::Order {
        sender: call.word(0)?,
        recipient: call.word(1)?,
        amount: call.amount(2)?,
        least: call.amount(3)?,
        domain: call.domain(4)?,
        deadline: Timestamp::EPOCH.after(Duration::from_secs(u64::try_from(call.number(5)?).ok()?)),
        onward: call.onward(6)?,
    })
}

/// Decodes a call of a Move function from its BCS arguments; `None` for an unknown function.
pub(super) fn move_effect(module: &str, function: [&str; 2], args: &[Vec<u8>]) -> Option<FundsEffect> {
    let standard = Address::Short([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1]);
    let is_standard = module.parse::<Address>().is_ok_and(|module| module.word() == standard.word());
    let ([pool, sold, amount, least], ["dex", "swap_script"], true) = (args, function, is_standard) else {
        return None;
    };
    let amount_of = |bytes: &[u8]| (bytes.len() == 8).then(|| bcs::number(bytes)).flatten();
    let least = match least.split_first()? {
        (0, []) => None,
        (1, number) => Some(amount_of(number)?),
        _ => return None,
    };
    Some(FundsEffect::Swap {
        pool: pool.as_slice().try_into().ok()?,
        sold: sold.as_slice().try_into().ok()?,
        amount: amount_of(amount)?,
        least,
    })
}

/// Decodes the base64 arguments of a Move call in a memo.
pub(super) fn move_arguments(args: &[String]) -> Option<Vec<Vec<u8>>> {
    args.iter().map(|arg| BASE64_STANDARD.decode(arg).ok()).collect()
}
