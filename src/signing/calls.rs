//! What the known functions do that a router has called: of EVM contracts and of Move modules.

use alloy_dyn_abi::{DynSolType, DynSolValue};
use alloy_primitives::{U256, keccak256};
use base64::{Engine as _, prelude::BASE64_STANDARD};

use super::{effect::FundsEffect, onward::Onward};
use crate::{
    domain::{Address, Amount, Denom},
    wire::bcs,
};

/// A function that is known, and what it does by its arguments; `None` where they make no sense.
type CallMeaning = fn(&CallArguments) -> Option<FundsEffect>;

/// Every function whose calls are offered. What is not here is named and refused.
const FUNCTIONS: &[(&str, CallMeaning)] = &[
    ("approve(address,uint256)", approve),
    ("transfer(address,uint256)", transfer),
    ("toLocal(address,string,uint8)", to_local),
    ("toRemote(address,string,uint256)", to_remote),
    ("depositForBurn(uint256,uint32,bytes32,address)", burn),
    ("requestCCTPTransfer(uint256,uint32,bytes32,address,uint256)", relayed_burn),
    ("relayTransfer(uint256,uint32,bytes32,address,uint256,string)", instructed_burn),
    ("submitOrder(bytes32,bytes32,uint256,uint256,uint32,uint64,bytes)", order),
];

/// The values of a call, and the contract that is called.
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

    fn onward(&self, place: usize) -> Option<Onward> {
        let text = match self.values.get(place)? {
            DynSolValue::Bytes(bytes) => std::str::from_utf8(bytes).ok()?,
            other => other.as_str()?,
        };
        Onward::of(text).ok()
    }
}

/// What a call of an EVM contract does; `None` where the function is not known, or its arguments are not exactly those
/// that an encoder would write.
pub(super) fn evm_effect(contract: Address, data: &[u8]) -> Option<FundsEffect> {
    let (selector, arguments) = data.split_at_checked(4)?;
    let (signature, meaning) = FUNCTIONS.iter().find(|(name, _)| keccak256(name).starts_with(selector))?;
    let values = decode(signature, arguments)?;
    meaning(&CallArguments { contract, values })
}

/// The selector of a call, for a person: `0x095ea7b3`.
pub(super) fn selector_text(data: &[u8]) -> String {
    alloy_primitives::hex::encode_prefixed(data.get(..4).unwrap_or(data))
}

fn decode(signature: &str, data: &[u8]) -> Option<Vec<DynSolValue>> {
    let (_, kinds) = signature.trim_end_matches(')').split_once('(')?;
    let kinds: Vec<DynSolType> = kinds.split(',').map(DynSolType::parse).collect::<Result<_, _>>().ok()?;
    let read = DynSolType::Tuple(kinds).abi_decode_params(data).ok()?;
    // Two readers may understand an odd encoding differently: only the one that encoders write is taken.
    (read.abi_encode_params() == data).then_some(())?;
    match read {
        DynSolValue::Tuple(values) => Some(values),
        _ => None,
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
    Some(FundsEffect::Conversion { wrapper, to, denom, amount: None })
}

fn to_remote(call: &CallArguments) -> Option<FundsEffect> {
    let (wrapper, to, denom) = (call.contract, call.address(0)?, Denom::new(call.text(1)?));
    Some(FundsEffect::Conversion { wrapper, to, denom, amount: Some(call.amount(2)?) })
}

fn burn(call: &CallArguments) -> Option<FundsEffect> {
    let (token, domain, recipient) = (call.address(3)?, call.domain(1)?, call.word(2)?);
    Some(FundsEffect::Burn { token, amount: call.amount(0)?, domain, recipient, onward: Onward::Nothing })
}

/// Circle's burn with a relayer's fee, which is taken besides what is burnt.
fn relayed_burn(call: &CallArguments) -> Option<FundsEffect> {
    let amount = call.amount(0)?.checked_add(call.amount(4)?)?;
    let (token, domain, recipient) = (call.address(3)?, call.domain(1)?, call.word(2)?);
    Some(FundsEffect::Burn { token, amount, domain, recipient, onward: Onward::Nothing })
}

/// The same with the fee out of what is burnt, and instructions for what follows.
fn instructed_burn(call: &CallArguments) -> Option<FundsEffect> {
    let (token, domain, recipient) = (call.address(3)?, call.domain(1)?, call.word(2)?);
    Some(FundsEffect::Burn { token, amount: call.amount(0)?, domain, recipient, onward: call.onward(5)? })
}

fn order(call: &CallArguments) -> Option<FundsEffect> {
    Some(FundsEffect::Order {
        sender: call.word(0)?,
        recipient: call.word(1)?,
        amount: call.amount(2)?,
        least: call.amount(3)?,
        domain: call.domain(4)?,
        onward: call.onward(6)?,
    })
}

/// What a call of a Move function does; `None` where the function is not known. Arguments in base64 of BCS.
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

/// The arguments of a Move call as a memo has them.
pub(super) fn move_arguments(args: &[String]) -> Option<Vec<Vec<u8>>> {
    args.iter().map(|arg| BASE64_STANDARD.decode(arg).ok()).collect()
}
