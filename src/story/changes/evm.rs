//! MiniEVM: the logs of its contracts alone tell what moved, since everything held there is an ERC-20 token
//! (`wire/story.md` §2.2). The bank's events repeat part of it: they lend their denoms and their word.

mod bank;
mod items;
mod topics;

use std::collections::{HashMap, HashSet};

use self::{bank::Bank, items::NftLog, topics::Told};
use super::{
    Holder, NftChange, Reading,
    tally::{Books, Place, gain, loss},
};
use crate::{
    domain::{Amount, Denom},
    story::{Decoded, DecodedEvent, Log, Work},
};

/// An account or contract as a log writes it: longer accounts are cut to their last 20 bytes.
type Short = [u8; 20];

/// Reads the events of a transaction.
pub(super) fn read(decoded: &Decoded, work: &Work) -> Reading {
    let mut reader = Reader::new(decoded, work);
    for (event, decoded) in decoded.events.iter().enumerate() {
        if !work.takes_event() {
            reader.is_incomplete = true;
            break;
        }
        reader.take(Place { event, phase: decoded.phase }, decoded);
    }
    reader.done()
}

struct Reader<'a> {
    decoded: &'a Decoded,
    work: &'a Work,
    books: Books<Short, Short>,
    bank: Bank,
    nfts: Vec<NftChange>,
    is_incomplete: bool,
}

/// One movement of a token; nobody gives a mint and nobody gets a burn.
#[derive(Clone, Copy)]
struct Transfer {
    contract: Short,
    from: Option<Short>,
    to: Option<Short>,
    amount: Amount,
}

impl<'a> Reader<'a> {
    fn new(decoded: &'a Decoded, work: &'a Work) -> Self {
        Self { decoded, work, books: Books::default(), bank: Bank::default(), nfts: Vec::new(), is_incomplete: false }
    }

    fn take(&mut self, place: Place, event: &DecodedEvent) {
        self.bank.enters(place.phase);
        let is_told = match event.kind.as_str() {
            "evm" => self.run(place, event),
            "coin_spent" => self.bank.spent(event, "spender", self.work),
            "coin_received" => self.bank.received(event, self.work),
            "coinbase" => self.bank.minted(event, self.work),
            "burn" => self.bank.spent(event, "burner", self.work),
            "erc20_created" => {
                self.bank.created(event);
                true
            }
            _ => true,
        };
        self.is_incomplete |= !is_told;
    }

    /// All logs of one run of the machine; false where one cannot be read.
    fn run(&mut self, place: Place, event: &DecodedEvent) -> bool {
        let mut wraps = Vec::new();
        let mut minters = HashSet::new();
        let mut is_whole = true;
        for (_, text) in event.attributes.iter().filter(|(key, _)| key == "log") {
            if !self.work.takes_event() {
                return false;
            }
            let Ok(log) = serde_json::from_str::<Log>(text) else {
                is_whole = false;
                continue;
            };
            match topics::told(&log) {
                Told::Moved(transfer) => {
                    if transfer.from.is_none() || transfer.to.is_none() {
                        minters.insert(transfer.contract);
                    }
                    self.moves(place, transfer);
                }
                Told::Wrapped(transfer) => wraps.push(transfer),
                Told::Nft { contract, from, to, id } => {
                    self.nft(place, NftLog { contract, from, to, id, amount: None });
                }
                Told::Items { contract, from, to, items } => {
                    for (id, count) in items {
                        if !self.work.takes_event() {
                            return false;
                        }
                        self.nft(place, NftLog { contract, from, to, id, amount: Some(Amount::new(count)) });
                    }
                }
                Told::Other => {}
            }
        }
        // A wrapper of native coins that logs its mints as movements too would be counted twice.
        for transfer in wraps.into_iter().filter(|transfer| !minters.contains(&transfer.contract)) {
            self.moves(place, transfer);
        }
        is_whole
    }

    fn moves(&mut self, place: Place, transfer: Transfer) {
        let Transfer { contract, from, to, amount } = transfer;
        if amount.is_zero() {
            return;
        }
        self.bank.logged(transfer);
        match from {
            Some(from) => self.books.moves(place, from, contract, loss(amount)),
            None => self.books.supplies(place, contract, gain(amount)),
        }
        match to {
            Some(to) => self.books.moves(place, to, contract, gain(amount)),
            None => self.books.supplies(place, contract, loss(amount)),
        }
    }

    fn nft(&mut self, place: Place, log: NftLog) {
        self.nfts.push(log.change(self.decoded, place));
    }

    /// Names accounts and tokens.
    fn done(self) -> Reading {
        let bank = self.bank;
        let mut names: HashMap<Short, Denom> = HashMap::new();
        let mut reported = HashSet::new();
        let mut taken = HashSet::new();
        let mut is_incomplete = self.is_incomplete;
        for contract in self.books.parts().map(|(_, contract)| contract).chain(self.books.supplied()) {
            names.entry(*contract).or_insert_with(|| {
                let denom = bank.denom(*contract);
                if !bank.knows(contract) {
                    reported.insert(denom.clone());
                }
                // A denom has one contract: where two seem to be it, one of them only copies its logs.
                is_incomplete |= !taken.insert(denom.clone());
                denom
            });
        }
        let holder = |account: &Short| Holder::Account(bank.whole(*account));
        let denom = |contract: &Short| names.get(contract).cloned().unwrap_or_else(|| bank::unnamed(*contract));
        Reading {
            books: self.books.named(holder, denom),
            nfts: self.nfts.into_iter().map(|change| bank.whole_sides(change)).collect(),
            reported,
            is_incomplete,
            ..Reading::default()
        }
    }
}

/// The last 20 bytes of a word.
fn last_twenty(word: &[u8; 32]) -> Short {
    let mut short = [0; 20];
    short.iter_mut().zip(word.iter().skip(12)).for_each(|(to, from)| *to = *from);
    short
}
