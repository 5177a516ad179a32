//! Fee apart from the rest: declared, paid and refunded amounts.

use std::collections::BTreeMap;

use super::{
    ledger::{Sum, Sums, gain, listed, loss},
    parts::{BalanceHolder, FeeLine},
};
use crate::{
    domain::{Address, Amount, Coin, Denom},
    events::{
        keys,
        names::{GAS_REFUND, TX, USE_FEEGRANT},
    },
    story::{
        decode::{Decoded, DecodedEvent, EventPhase},
        limits::{MOST_EVENTS, Work},
    },
};

/// Account of the fees on every Initia chain: the module account `fee_collector` (`docs/apis/story.md` §6).
pub(in crate::story) const COLLECTOR: Address = Address::Short([
    0xf1, 0x82, 0x96, 0x76, 0xdb, 0x57, 0x76, 0x82, 0xe9, 0x44, 0xfc, 0x34, 0x93, 0xd4, 0x51, 0xb6, 0x7f, 0xf3, 0xe2,
    0x9f,
]);

/// Fee as read so far.
#[derive(Default)]
struct FeeReader {
    line: FeeLine,
    paid: Option<BTreeMap<Denom, Amount>>,
    refunds: Vec<Coin>,
    is_incomplete: bool,
}

impl FeeLine {
    /// Reads the fee from the events outside the messages; also returns whether that failed. Without a fee event
    /// nothing was paid.
    pub(super) fn read(decoded: &Decoded, work: &Work) -> (Self, bool) {
        let mut reader = FeeReader::default();
        for (place, event) in decoded.events.iter().enumerate().take(MOST_EVENTS) {
            if !matches!(event.phase, EventPhase::Message(_)) {
                reader.take(place, event, work);
            }
        }
        let FeeReader { mut line, paid, refunds, mut is_incomplete } = reader;
        let mut paid = paid.unwrap_or_default();
        for Coin { denom, amount } in refunds {
            let left = paid.get_mut(&denom).and_then(|paid| Some((paid.checked_sub(amount)?, paid)));
            match left {
                Some((left, paid)) => *paid = left,
                // The refund exceeds the payment, so the fee is unknown.
                None => is_incomplete |= !amount.is_zero(),
            }
        }
        let left = paid.into_iter().filter(|(_, amount)| !amount.is_zero());
        line.net_paid = left.map(|(denom, amount)| Coin { denom, amount }).collect();
        line.payer = line.payer.or(line.granter).or(decoded.signer);
        line.declared.clone_from(&decoded.fee);
        (line, is_incomplete)
    }

    /// Removes the fee from the movements outside the messages, so that it counts once. Any remainder is not a fee.
    /// Returns false if the movements contradict this fee.
    pub(super) fn settle(&mut self, outside: &mut Sums<(BalanceHolder, Denom)>) -> bool {
        let collector = BalanceHolder::Account(COLLECTOR);
        let Some(payer) = self.payer.map(BalanceHolder::Account) else { return self.net_paid.is_empty() };
        let mut is_paid = true;
        for Coin { denom, amount } in &self.net_paid {
            let collected = (collector, denom.clone());
            let sides = [((payer, denom.clone()), gain(*amount)), (collected.clone(), loss(*amount))];
            if outside.get(&(payer, denom.clone())).is_none() {
                // Another account paid, or no event shows a payment.
                is_paid &= outside.get(&collected).is_none_or(Sum::is_zero);
                continue;
            }
            for (key, delta) in sides {
                if let Some(sum) = outside.get(&key) {
                    self.events.extend(&sum.events);
                }
                outside.correct(&key, delta);
            }
            is_paid &= outside.get(&collected).is_none_or(Sum::is_zero);
        }
        self.events.sort_unstable();
        self.events.dedup();
        is_paid && outside.is_exact()
    }
}

impl FeeReader {
    fn take(&mut self, place: usize, event: &DecodedEvent, work: &Work) {
        match event.kind.as_str() {
            TX if self.paid.is_none() => {
                let Some(fee) = event.text(keys::FEE) else { return };
                self.line.payer = event.get(keys::FEE_PAYER);
                let mut paid = BTreeMap::new();
                for Coin { denom, amount } in self.coins(fee, work) {
                    let sum: &mut Amount = paid.entry(denom).or_default();
                    self.is_incomplete |= sum.checked_add(amount).map(|more| *sum = more).is_none();
                }
                self.paid = Some(paid);
            }
            USE_FEEGRANT => self.line.granter = event.get(keys::GRANTER),
            GAS_REFUND => {
                let coins = self.coins(event.text(keys::GAS_REFUND).unwrap_or_default(), work);
                self.refunds.extend(coins);
                let gas: u64 = event.get(keys::REFUNDED_GAS).unwrap_or_default();
                self.line.refunded_gas = self.line.refunded_gas.saturating_add(gas);
            }
            _ => return,
        }
        self.line.events.push(place);
    }

    fn coins(&mut self, text: &str, work: &Work) -> Vec<Coin> {
        let coins = listed(text, work);
        self.is_incomplete |= coins.is_none();
        coins.unwrap_or_default()
    }
}
