//! The fee apart from everything else: what was declared, who paid it, what came back.

use super::{
    FeeLine, Holder, Tally,
    tally::{gain, loss},
};
use crate::{
    domain::{Address, Coin, Denom, parse_coins},
    story::{Decoded, DecodedEvent, MOST_EVENTS, Phase},
};

/// Where fees go on every Initia chain: the module account `fee_collector` (`wire/story.md` §6).
const COLLECTOR: Address = Address::Short([
    0xf1, 0x82, 0x96, 0x76, 0xdb, 0x57, 0x76, 0x82, 0xe9, 0x44, 0xfc, 0x34, 0x93, 0xd4, 0x51, 0xb6, 0x7f, 0xf3, 0xe2,
    0x9f,
]);

impl FeeLine {
    /// Reads the fee from what happened outside the messages. Without its event nothing was paid.
    pub(super) fn of(decoded: &Decoded) -> Self {
        let mut line = Self { declared: decoded.fee.clone(), ..Self::default() };
        let mut refunds = Vec::new();
        for (place, event) in decoded.events.iter().enumerate().take(MOST_EVENTS) {
            if matches!(event.phase, Phase::Message(_)) {
                continue;
            }
            match event.kind.as_str() {
                "tx" if line.net_paid.is_empty() => line.paid(place, event),
                "use_feegrant" => {
                    line.granter = address(event, "granter");
                    line.events.push(place);
                }
                "gas_refund" => {
                    refunds.extend(event.value("coins").and_then(|text| parse_coins(text).ok()).unwrap_or_default());
                    line.events.push(place);
                }
                _ => {}
            }
        }
        line.payer = line.payer.or(line.granter).or(decoded.signer);
        for refund in refunds {
            let paid = line.net_paid.iter_mut().find(|coin| coin.denom == refund.denom);
            if let Some((paid, rest)) = paid.and_then(|paid| Some((paid.amount.checked_sub(refund.amount)?, paid))) {
                rest.amount = paid;
            }
        }
        line.net_paid.retain(|coin| !coin.amount.is_zero());
        line
    }

    /// The event that says what was paid and by whom.
    fn paid(&mut self, place: usize, event: &DecodedEvent) {
        let Some(fee) = event.value("fee") else { return };
        self.events.push(place);
        self.payer = address(event, "fee_payer");
        let coins = parse_coins(fee).unwrap_or_else(|_| self.declared.clone());
        for coin in coins.into_iter().filter(|coin| !coin.amount.is_zero()) {
            let same = self.net_paid.iter().position(|paid| paid.denom == coin.denom);
            match same.and_then(|place| self.net_paid.get_mut(place)) {
                Some(paid) => paid.amount = paid.amount.checked_add(coin.amount).unwrap_or(paid.amount),
                None => self.net_paid.push(coin),
            }
        }
    }

    /// Takes the fee out of what moved outside the messages, so that it is counted once: here. The rest, if there is
    /// any, was no fee.
    pub(super) fn settle(&mut self, outside: &mut Tally<(Holder, Denom)>) {
        let Some(payer) = self.payer.map(Holder::Account) else { return };
        for Coin { denom, amount } in &self.net_paid {
            let sides = [(payer, gain(*amount)), (Holder::Account(COLLECTOR), loss(*amount))];
            if outside.get(&(payer, denom.clone())).is_none() {
                continue;
            }
            for (holder, delta) in sides {
                let key = (holder, denom.clone());
                if let Some(cell) = outside.get(&key) {
                    self.events.extend(&cell.events);
                }
                outside.correct(&key, delta);
            }
        }
        self.events.sort_unstable();
        self.events.dedup();
    }
}

fn address(event: &DecodedEvent, name: &str) -> Option<Address> {
    event.value(name)?.parse().ok()
}
