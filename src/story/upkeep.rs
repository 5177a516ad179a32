//! Calls and logs with which a MiniEVM chain takes a transaction's fee and returns the rest of it.

use std::ops::Range;

use alloy_primitives::{U256, hex};

use super::{
    ContractLog,
    changes::fee::COLLECTOR,
    decode::{Decoded, EventPhase},
};
use crate::{
    domain::{Address, Amount, Coin},
    events::{evm::LoggedMove, keys, names::GAS_REFUND},
    wire::InternalTx,
};

/// Caller with which the chain reads a contract.
const READER: Address = Address::Short([0; 20]);
/// Caller with which the bank moves tokens.
const BANK: Address = {
    let mut bytes = [0; 20];
    bytes[19] = 1;
    Address::Short(bytes)
};
/// Selector of `decimals()`, which the chain calls to convert a gas price.
const DECIMALS: [u8; 4] = [0x31, 0x3c, 0xe5, 0x67];
/// Selector of `sudoTransfer(address,address,uint256)`.
const SUDO_TRANSFER: [u8; 4] = [0x19, 0x88, 0x51, 0x3b];

/// Amounts of a transaction's fee, which the chain moves before and after the messages.
#[derive(Debug)]
pub struct FeeUpkeep {
    offered: Vec<Amount>,
    refunded: Vec<Amount>,
}

/// Places of the calls or logs that only move the fee; empty where none is proven to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FeePlaces {
    /// At the start: the fee is taken.
    pub taken: Range<usize>,
    /// At the end: the rest is returned.
    pub returned: Range<usize>,
}

impl FeePlaces {
    /// Returns the places of what the transaction asked for.
    pub fn asked(&self, count: usize) -> Range<usize> {
        let end = if self.returned.is_empty() { count } else { self.returned.start };
        self.taken.end..end
    }

    /// Returns each part with its name, without empty parts.
    pub fn parts(&self) -> impl Iterator<Item = (&'static str, Range<usize>)> {
        let parts = [("fee taken", self.taken.clone()), ("rest returned", self.returned.clone())];
        parts.into_iter().filter(|(_, places)| !places.is_empty())
    }
}

impl FeeUpkeep {
    pub fn of(decoded: &Decoded) -> Self {
        let amounts =
            |coins: &[Coin]| coins.iter().map(|coin| coin.amount).filter(|amount| !amount.is_zero()).collect();
        let is_refund = |event: &&super::DecodedEvent| event.phase == EventPhase::After && event.kind == GAS_REFUND;
        let refunds = decoded.events.iter().filter(is_refund);
        let refunds: Vec<Coin> = refunds.filter_map(|event| event.get(keys::GAS_REFUND)).flatten().collect();
        Self { offered: amounts(&decoded.fee), refunded: amounts(&refunds) }
    }

    /// Returns the places of the calls that move the fee, in a trace in depth-first order. Only calls directly below an
    /// outermost call of the chain itself count: the fee is taken before the first other call, and returned after the
    /// last.
    pub fn calls(&self, frames: &[impl AsRef<InternalTx>]) -> FeePlaces {
        let frames: Vec<&InternalTx> = frames.iter().map(AsRef::as_ref).collect();
        let Some(outer) = frames.first().filter(|outer| outer.parent_index < 0 && is_from(outer, READER)) else {
            return FeePlaces::default();
        };
        let steps: Vec<(usize, FeeStep)> = frames
            .iter()
            .enumerate()
            .filter(|(_, frame)| frame.parent_index == outer.index)
            .map(|(place, frame)| (place, FeeStep::of(frame)))
            .collect();
        let taken = run(steps.iter().map(|(_, step)| step), |step| step.pays(&self.offered, |_, to| to == COLLECTOR));
        let rest = steps.get(taken..).unwrap_or_default();
        let returned =
            run(rest.iter().rev().map(|(_, step)| step), |step| step.pays(&self.refunded, |from, _| from == COLLECTOR));
        let place = |step: usize| steps.get(step).map_or(frames.len(), |(place, _)| *place);
        let last = steps.len() - returned;
        FeePlaces {
            taken: if taken > 0 { place(0)..place(taken) } else { 0..0 },
            returned: if returned > 0 { place(last)..frames.len() } else { 0..0 },
        }
    }

    /// Returns the places of the logs that move the fee: the first and the last.
    pub fn logs(&self, logs: &[ContractLog]) -> FeePlaces {
        let moved = |log: Option<&ContractLog>, amounts: &[Amount], party: fn(&LoggedMove) -> Address| {
            let moved = log.and_then(LoggedMove::of);
            moved.is_some_and(|moved| {
                party(&moved) == COLLECTOR && moved.amount().is_some_and(|amount| amounts.contains(&amount))
            })
        };
        let taken = usize::from(moved(logs.first(), &self.offered, |moved| moved.to));
        let rest = logs.get(taken..).unwrap_or_default();
        let returned = usize::from(moved(rest.last(), &self.refunded, |moved| moved.from));
        let last = logs.len() - returned;
        FeePlaces { taken: 0..taken, returned: if returned > 0 { last..logs.len() } else { 0..0 } }
    }
}

/// Call directly below the outermost one.
enum FeeStep {
    /// The chain reads a token's decimals.
    Decimals,
    /// The bank moves a token.
    Payment {
        from: Address,
        to: Address,
        amount: Amount,
    },
    Other,
}

impl FeeStep {
    fn of(frame: &InternalTx) -> Self {
        let Some(input) = frame.input.bytes() else { return Self::Other };
        let Some((selector, arguments)) = input.split_first_chunk::<4>() else { return Self::Other };
        match *selector {
            DECIMALS if frame.kind == "STATICCALL" && arguments.is_empty() && is_from(frame, READER) => Self::Decimals,
            SUDO_TRANSFER if frame.kind == "CALL" && is_from(frame, BANK) && frame.error.is_none() => {
                Self::payment(arguments).unwrap_or(Self::Other)
            }
            _ => Self::Other,
        }
    }

    fn payment(arguments: &[u8]) -> Option<Self> {
        let account = |word: &[u8]| crate::events::evm::account(&hex::encode(word));
        let (from, rest) = arguments.split_at_checked(32)?;
        let (to, amount) = rest.split_at_checked(32)?;
        let amount = Amount::new(U256::from_be_bytes::<32>(amount.try_into().ok()?));
        Some(Self::Payment { from: account(from)?, to: account(to)?, amount })
    }

    fn pays(&self, amounts: &[Amount], is_between: impl Fn(Address, Address) -> bool) -> bool {
        matches!(self, Self::Payment { from, to, amount } if amounts.contains(amount) && is_between(*from, *to))
    }
}

fn is_from(frame: &InternalTx, caller: Address) -> bool {
    frame.from.parse() == Ok(caller)
}

/// Returns how many leading steps read decimals or are the one payment; 0 without the payment.
fn run<'s>(steps: impl Iterator<Item = &'s FeeStep>, is_payment: impl Fn(&FeeStep) -> bool) -> usize {
    let mut is_paid = false;
    let upkeep = steps.take_while(|step| {
        let pays = !is_paid && is_payment(step);
        is_paid |= pays;
        pays || matches!(step, FeeStep::Decimals)
    });
    let count = upkeep.count();
    if is_paid { count } else { 0 }
}

#[cfg(test)]
mod tests {
    use alloy_primitives::keccak256;

    use super::*;

    #[test]
    fn selectors_are_those_of_their_functions() {
        for (selector, signature) in
            [(DECIMALS, "decimals()"), (SUDO_TRANSFER, "sudoTransfer(address,address,uint256)")]
        {
            assert_eq!(keccak256(signature)[..4], selector, "{signature}");
        }
    }
}
