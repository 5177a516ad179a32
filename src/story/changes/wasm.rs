//! MiniWasm: bank coins with mints and burns, and contracts' reports on their own tokens (`docs/apis/story.md` §2.4).
//! Also applies to coins on an unknown VM.

use std::collections::HashMap;

use super::{
    ledger::{BalanceLedger, EventPlace, EventReading, LedgerTransfer, gain, listed, loss, message_of},
    parts::{BalanceHolder, NftChange, NftName},
};
use crate::{
    domain::{Address, Amount, Denom},
    events::{
        ChainEvent,
        bank::BankEvent,
        keys,
        names::TRANSFER,
        wasm::{ContractAction, ReportedMove, actions},
    },
    story::{
        decode::{Decoded, DecodedEvent},
        limits::Work,
    },
};

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
    denoms: HashMap<String, Denom>,
    reading: EventReading,
}

impl<'a> WasmReader<'a> {
    fn take(&mut self, place: EventPlace, event: &'a DecodedEvent) {
        match ChainEvent::of(event) {
            ChainEvent::Bank(event) => self.take_coins(place, event),
            ChainEvent::Wasm => actions(event).for_each(|action| self.take_action(place, &action)),
            _ if event.kind == TRANSFER => self.take_transfer(place, event),
            _ => {}
        }
    }

    fn take_coins(&mut self, place: EventPlace, event: BankEvent<'_>) {
        let Some(coins) = self.listed(event) else { return };
        let sign = if event.change.is_loss() { loss } else { gain };
        let holder = event.address().map(BalanceHolder::Account);
        for (denom, amount) in coins {
            match holder {
                _ if event.change.is_of_supply() => {
                    let (from, to) = if event.change.is_loss() { (holder, None) } else { (None, holder) };
                    let asset = denom.clone();
                    self.ledger.transfers.push(LedgerTransfer { place, from, to, asset, amount });
                    self.ledger.supplies(place, denom, sign(amount));
                }
                Some(holder) => self.ledger.moves(place, holder, denom, sign(amount)),
                None => self.reading.is_incomplete = true,
            }
        }
    }

    /// Records the bank's transfer, which repeats a debit and a credit.
    fn take_transfer(&mut self, place: EventPlace, event: &DecodedEvent) {
        let side = |account: Option<Address>| account.map(BalanceHolder::Account);
        let (from, to) = (side(event.get(keys::SENDER)), side(event.get(keys::RECIPIENT)));
        for coin in event.text(keys::COINS).and_then(|text| listed(text, self.work)).unwrap_or_default() {
            let asset = self.same(coin.denom);
            self.ledger.transfers.push(LedgerTransfer { place, from, to, asset, amount: coin.amount });
        }
    }

    fn listed(&mut self, event: BankEvent<'_>) -> Option<Vec<(Denom, Amount)>> {
        let coins = event.amount.and_then(|text| listed(text, self.work));
        self.reading.is_incomplete |= coins.is_none();
        let mut listed = Vec::new();
        for (place, coin) in coins?.into_iter().enumerate() {
            // Each coin after the first costs as much as an event.
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
        match action.text(keys::TOKEN_ID) {
            Some(_) => self.act_on_nft(place, action),
            None => self.act_on_token(place, action),
        }
    }

    /// Records an action of CW-721.
    fn act_on_nft(&mut self, place: EventPlace, action: &ContractAction<'_>) {
        let Some((token_id, moved)) = action.nft() else { return };
        let to = moved.recipient();
        let from = if matches!(moved, ReportedMove::Minted { .. }) { None } else { action.get(keys::SENDER) };
        if from.is_none() && to.is_none() {
            return;
        }
        self.reading.nfts.push(NftChange {
            message: message_of(place.phase, self.decoded),
            what: NftName::Token { contract: action.contract.to_owned(), token_id: token_id.to_owned() },
            from,
            is_inferred: from.is_some(),
            to,
            amount: None,
            origin_id: None,
            events: vec![place.event],
        });
    }

    /// Records an action of CW-20. Any contract may act like one, so its address names the token.
    fn act_on_token(&mut self, place: EventPlace, action: &ContractAction<'_>) {
        let Some((moved, amount)) = action.token().zip(action.get(keys::AMOUNT)) else { return };
        let (from, to) = (moved.sender(), moved.recipient());
        let is_known = match moved {
            ReportedMove::Moved { .. } => from.and(to).is_some(),
            ReportedMove::Minted { .. } | ReportedMove::Burned { .. } => from.or(to).is_some(),
        };
        if !is_known {
            return;
        }
        let denom = self.same(Denom::of_cw20(action.contract));
        let [sender, recipient] = [from, to].map(|side| side.map(BalanceHolder::Account));
        let transfer = LedgerTransfer { place, from: sender, to: recipient, asset: denom.clone(), amount };
        self.ledger.transfers.push(transfer);
        self.reading.reported.insert(denom.clone());
        match moved {
            ReportedMove::Minted { .. } => self.ledger.supplies(place, denom.clone(), gain(amount)),
            ReportedMove::Burned { .. } => self.ledger.supplies(place, denom.clone(), loss(amount)),
            ReportedMove::Moved { .. } => {}
        }
        for (who, delta) in [(from, loss(amount)), (to, gain(amount))] {
            if let Some(who) = who {
                self.ledger.moves(place, BalanceHolder::Account(who), denom.clone(), delta);
            }
        }
    }
}
