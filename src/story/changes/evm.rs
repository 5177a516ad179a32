//! MiniEVM: the logs of its contracts alone tell what moved, since everything held there is an ERC-20 token
//! (`docs/apis/story.md` §2.2). The bank's events repeat part of it: they lend their denoms and their word.

mod bank;
mod items;
mod origin;
mod topics;

use std::collections::{HashMap, HashSet};

use self::{bank::Bank, items::NftLog, topics::LogMeaning};
use super::{
    BalanceHolder, EventReading, NftChange,
    ledger::{BalanceLedger, EventPlace, gain, loss},
};
use crate::{
    domain::{Address, Amount, Denom},
    story::{
        ContractLog, Decoded, DecodedEvent, Work,
        conversion::{MovedBeside, WrapperConversion},
    },
};

/// An account or contract as a log writes it: longer accounts are cut to their last 20 bytes.
type Short = [u8; 20];

/// Reads the events of a transaction.
pub(super) fn read(decoded: &Decoded, wrappers: &[Address], work: &Work) -> EventReading {
    let mut reader = EvmReader::new(decoded, wrappers, work);
    for (event, decoded) in decoded.events.iter().enumerate() {
        if !work.takes_event() {
            reader.is_incomplete = true;
            break;
        }
        reader.take(EventPlace { event, phase: decoded.phase }, decoded);
    }
    reader.done()
}

struct EvmReader<'a> {
    decoded: &'a Decoded,
    /// The chain's own, whose word on denoms is taken.
    wrappers: &'a [Address],
    work: &'a Work,
    ledger: BalanceLedger<Short, Short>,
    bank: Bank,
    nfts: Vec<NftChange>,
    is_incomplete: bool,
}

/// One movement of a token; nobody gives a mint and nobody gets a burn.
#[derive(Clone, Copy)]
struct TokenMove {
    contract: Short,
    from: Option<Short>,
    to: Option<Short>,
    amount: Amount,
}

impl TokenMove {
    fn beside(&self) -> MovedBeside {
        let side = |side: Option<Short>| Address::Short(side.unwrap_or_default());
        MovedBeside {
            contract: Address::Short(self.contract),
            from: side(self.from),
            to: side(self.to),
            amount: self.amount,
        }
    }
}

impl<'a> EvmReader<'a> {
    fn new(decoded: &'a Decoded, wrappers: &'a [Address], work: &'a Work) -> Self {
        Self {
            decoded,
            wrappers,
            work,
            ledger: BalanceLedger::default(),
            bank: Bank::default(),
            nfts: Vec::new(),
            is_incomplete: false,
        }
    }

    fn take(&mut self, place: EventPlace, event: &DecodedEvent) {
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
    fn run(&mut self, place: EventPlace, event: &DecodedEvent) -> bool {
        let mut wraps = Vec::new();
        let (mut beside, mut conversions) = (Vec::new(), Vec::new());
        let mut minters = HashSet::new();
        let mut is_whole = true;
        for (_, text) in event.attributes.iter().filter(|(key, _)| key == "log") {
            if !self.work.takes_event() {
                return false;
            }
            let Ok(log) = serde_json::from_str::<ContractLog>(text) else {
                is_whole = false;
                continue;
            };
            match topics::meaning(&log) {
                LogMeaning::Moved(transfer) => {
                    if transfer.from.is_none() || transfer.to.is_none() {
                        minters.insert(transfer.contract);
                    }
                    beside.push(transfer.beside());
                    self.moves(place, transfer);
                }
                LogMeaning::Wrapped(transfer) => wraps.push(transfer),
                LogMeaning::Nft { contract, from, to, id } => {
                    self.nft(place, NftLog { contract, from, to, id, amount: None });
                }
                LogMeaning::Items { contract, from, to, items } => {
                    for (id, count) in items {
                        if !self.work.takes_event() {
                            return false;
                        }
                        self.nft(place, NftLog { contract, from, to, id, amount: Some(Amount::new(count)) });
                    }
                }
                LogMeaning::Other => conversions.extend(self.conversion(&log)),
            }
        }
        // A wrapper of native coins that logs its mints as movements too would be counted twice.
        for transfer in wraps.into_iter().filter(|transfer| !minters.contains(&transfer.contract)) {
            self.moves(place, transfer);
        }
        for (wrapper, conversion) in conversions {
            let sides = conversion.sides(wrapper, &beside);
            for (side, coin) in sides.into_iter().zip([conversion.from, conversion.to]) {
                if let Some(moved) = side.and_then(|side| beside.get(side)) {
                    self.bank.converted(moved.contract.tail(), coin.denom);
                }
            }
        }
        is_whole
    }

    /// What one of the chain's wrappers says that it converted.
    fn conversion(&self, log: &ContractLog) -> Option<(Address, WrapperConversion)> {
        let wrapper = log.address.parse().ok().filter(|wrapper| self.wrappers.contains(wrapper))?;
        Some((wrapper, WrapperConversion::of(log)?))
    }

    fn moves(&mut self, place: EventPlace, transfer: TokenMove) {
        let TokenMove { contract, from, to, amount } = transfer;
        if amount.is_zero() {
            return;
        }
        self.bank.logged(transfer);
        match from {
            Some(from) => self.ledger.moves(place, from, contract, loss(amount)),
            None => self.ledger.supplies(place, contract, gain(amount)),
        }
        match to {
            Some(to) => self.ledger.moves(place, to, contract, gain(amount)),
            None => self.ledger.supplies(place, contract, loss(amount)),
        }
    }

    fn nft(&mut self, place: EventPlace, log: NftLog) {
        self.nfts.push(log.change(self.decoded, place));
    }

    fn done(self) -> EventReading {
        let bank = self.bank;
        let mut names: HashMap<Short, Denom> = HashMap::new();
        let mut reported = HashSet::new();
        let mut taken = HashSet::new();
        let mut is_incomplete = self.is_incomplete;
        for contract in self.ledger.parts().map(|(_, contract)| contract).chain(self.ledger.supplied()) {
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
        let holder = |account: &Short| BalanceHolder::Account(bank.whole(*account));
        let denom = |contract: &Short| names.get(contract).cloned().unwrap_or_else(|| bank::unnamed(*contract));
        let nfts = self.nfts.into_iter().map(|change| bank.whole_sides(change));
        EventReading {
            ledger: self.ledger.named(holder, denom),
            nfts: origin::named(nfts.collect(), &self.decoded.events),
            reported,
            is_incomplete,
            ..EventReading::default()
        }
    }
}

/// The last 20 bytes of a word.
fn last_twenty(word: &[u8; 32]) -> Short {
    let mut short = [0; 20];
    short.iter_mut().zip(word.iter().skip(12)).for_each(|(to, from)| *to = *from);
    short
}
