//! MiniWasm: the bank's coins, complete with mints and burns, and what contracts say of their own tokens
//! (`docs/apis/story.md` §2.4). Also whatever has coins and no machine that is known.

use std::collections::HashMap;

use super::{
    BalanceHolder, EventReading, NftChange, NftName,
    ledger::{BalanceLedger, EventPlace, gain, listed, loss},
    message_of,
};
use crate::{
    domain::{Amount, Balance, Denom},
    story::{
        Decoded, DecodedEvent, Work,
        wasm_actions::{ContractAction, actions, token_of},
    },
};

/// Reads the events of a transaction.
pub(super) fn read(decoded: &Decoded, work: &Work) -> EventReading {
    let mut reader = WasmReader {
        decoded,
        work,
        ledger: BalanceLedger::default(),
        denoms: HashMap::new(),
        reading: EventReading::default(),
    };
    for (event, decoded) in decoded.events.iter().enumerate() {
        if !work.takes_event() {
            reader.reading.is_incomplete = true;
            break;
        }
        reader.take(EventPlace { event, phase: decoded.phase }, decoded);
    }
    EventReading { ledger: reader.ledger, ..reader.reading }
}

struct WasmReader<'a> {
    decoded: &'a Decoded,
    work: &'a Work,
    ledger: BalanceLedger<BalanceHolder, Denom>,
    /// Each denom's text is kept once.
    denoms: HashMap<String, Denom>,
    reading: EventReading,
}

impl<'a> WasmReader<'a> {
    fn take(&mut self, place: EventPlace, event: &'a DecodedEvent) {
        match event.kind.as_str() {
            "coin_spent" => self.coins(place, event, "spender", loss),
            "coin_received" => self.coins(place, event, "receiver", gain),
            "coinbase" => self.supply(place, event, gain),
            "burn" => self.supply(place, event, loss),
            "wasm" => actions(event).for_each(|action| self.take_action(place, &action)),
            _ => {}
        }
    }

    /// One side of a movement of coins.
    fn coins(&mut self, place: EventPlace, event: &DecodedEvent, who: &str, sign: fn(Amount) -> Balance) {
        let Some(coins) = self.listed(event) else { return };
        match event.value(who).and_then(|who| who.parse().ok()) {
            Some(who) => {
                for (denom, amount) in coins {
                    self.ledger.moves(place, BalanceHolder::Account(who), denom, sign(amount));
                }
            }
            None => self.reading.is_incomplete |= !coins.is_empty(),
        }
    }

    fn supply(&mut self, place: EventPlace, event: &DecodedEvent, sign: fn(Amount) -> Balance) {
        for (denom, amount) in self.listed(event).unwrap_or_default() {
            self.ledger.supplies(place, denom, sign(amount));
        }
    }

    fn listed(&mut self, event: &DecodedEvent) -> Option<Vec<(Denom, Amount)>> {
        let coins = event.value("amount").and_then(|text| listed(text, self.work));
        self.reading.is_incomplete |= coins.is_none();
        let mut listed = Vec::new();
        for (place, coin) in coins?.into_iter().enumerate() {
            // Each coin after the first costs what an event costs.
            if place > 0 && !self.work.takes_event() {
                self.reading.is_incomplete = true;
                break;
            }
            listed.push((self.same(coin.denom), coin.amount));
        }
        Some(listed)
    }

    fn same(&mut self, denom: Denom) -> Denom {
        self.denoms.entry(denom.to_string()).or_insert(denom).clone()
    }

    fn take_action(&mut self, place: EventPlace, action: &ContractAction<'_>) {
        match action.value("token_id") {
            Some(token_id) => self.act_on_nft(place, action, token_id),
            None => self.act_on_token(place, action),
        }
    }

    /// CW-721.
    fn act_on_nft(&mut self, place: EventPlace, action: &ContractAction<'_>, token_id: &str) {
        let (from, to) = match action.name {
            "mint" => (None, action.address("owner")),
            "transfer_nft" | "send_nft" => (action.address("sender"), action.address("recipient")),
            "burn" => (action.address("sender"), None),
            _ => return,
        };
        if from.is_none() && to.is_none() {
            return;
        }
        self.reading.nfts.push(NftChange {
            message: message_of(place.phase, self.decoded),
            what: NftName::Token { contract: action.contract.to_owned(), token_id: token_id.to_owned() },
            from,
            is_inferred: false,
            to,
            amount: None,
            origin_id: None,
            events: vec![place.event],
        });
    }

    /// CW-20. Any contract may speak like one, so its token is named after it.
    fn act_on_token(&mut self, place: EventPlace, action: &ContractAction<'_>) {
        let (from, to) = match action.name {
            "transfer" | "send" | "transfer_from" | "send_from" => {
                let sides = (action.address("from"), action.address("to"));
                let (Some(from), Some(to)) = sides else { return };
                (Some(from), Some(to))
            }
            "mint" => (None, action.address("to")),
            "burn" | "burn_from" => (action.address("from"), None),
            _ => return,
        };
        let amount = action.value("amount").and_then(|text| text.parse::<Amount>().ok());
        let Some(amount) = amount.filter(|_| from.is_some() || to.is_some()) else { return };
        let denom = self.same(token_of(action.contract));
        self.reading.reported.insert(denom.clone());
        match (from, to) {
            (None, _) => self.ledger.supplies(place, denom.clone(), gain(amount)),
            (_, None) => self.ledger.supplies(place, denom.clone(), loss(amount)),
            _ => {}
        }
        for (who, delta) in [(from, loss(amount)), (to, gain(amount))] {
            if let Some(who) = who {
                self.ledger.moves(place, BalanceHolder::Account(who), denom.clone(), delta);
            }
        }
    }
}
