//! MiniEVM: logs determine the movements, because every token there is an ERC-20 (`docs/apis/story.md` §2.2). Bank
//! events repeat some of them and add denoms and confirmation.

mod bank;
mod items;
mod origin;
mod topics;

use std::collections::{HashMap, HashSet};

use self::{
    bank::{Bank, Short},
    items::NftLog,
    topics::LogMeaning,
};
use super::{
    ledger::{BalanceLedger, EventPlace, EventReading, LedgerTransfer, gain, loss},
    parts::{BalanceHolder, NftChange},
};
use crate::{
    domain::{Address, Amount, Denom},
    events::{
        ChainEvent,
        evm::{EventLogs, LoggedMove, Moved},
    },
    story::{
        ContractLog,
        abi::conversion::WrapperConversion,
        decode::{Decoded, DecodedEvent},
        limits::Work,
    },
};

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
    /// Chain's own wrappers, whose denoms are trusted.
    wrappers: &'a [Address],
    work: &'a Work,
    ledger: BalanceLedger<Short, Short>,
    bank: Bank,
    nfts: Vec<NftChange>,
    /// Contracts that logged a transfer of amounts.
    tokens: HashSet<Short>,
    wraps: Vec<Wrap>,
    is_incomplete: bool,
}

/// `Deposit` or `Withdrawal` log. Wrapped coins and stakes log it alike, so it alone moves no token.
struct Wrap {
    place: EventPlace,
    moved: LoggedMove,
    /// Contracts that moved an equal amount into the contract, or out of it.
    paid_in: Vec<Short>,
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
            tokens: HashSet::new(),
            wraps: Vec::new(),
            is_incomplete: false,
        }
    }

    fn take(&mut self, place: EventPlace, event: &DecodedEvent) {
        self.bank.enters(place.phase);
        let is_told = match ChainEvent::of(event) {
            ChainEvent::Evm(run) => self.run(place, run),
            ChainEvent::Bank(event) => self.bank.repeats(event, self.work),
            _ => {
                self.bank.created(event);
                true
            }
        };
        self.is_incomplete |= !is_told;
    }

    /// Reads all logs of one EVM run; false if a log is unreadable.
    fn run(&mut self, place: EventPlace, run: &EventLogs) -> bool {
        let mut wraps = Vec::new();
        let (mut beside, mut conversions) = (Vec::new(), Vec::new());
        let mut minters = HashSet::new();
        let mut is_whole = true;
        for log in &run.logs {
            if !self.work.takes_event() {
                return false;
            }
            let Some(log) = log else {
                is_whole = false;
                continue;
            };
            match topics::meaning(log) {
                LogMeaning::Moved(transfer) => {
                    if let Moved::Nft(id) = transfer.what {
                        let LoggedMove { contract, .. } = transfer;
                        let (from, to) = (transfer.sender(), transfer.recipient());
                        self.nft(place, NftLog { contract, from, to, id, amount: None });
                        continue;
                    }
                    if transfer.sender().is_none() || transfer.recipient().is_none() {
                        minters.insert(transfer.contract);
                    }
                    beside.push(transfer);
                    self.tokens.insert(transfer.contract.tail());
                    self.moves(place, transfer);
                }
                LogMeaning::Wrapped(transfer) => wraps.push(transfer),
                LogMeaning::Items { contract, from, to, items } => {
                    for (id, count) in items {
                        if !self.work.takes_event() {
                            return false;
                        }
                        self.nft(place, NftLog { contract, from, to, id, amount: Some(Amount::new(count)) });
                    }
                }
                LogMeaning::Other => conversions.extend(self.conversion(log)),
            }
        }
        // A wrapper of native coins that also logs its mints as transfers would count twice.
        for moved in wraps.into_iter().filter(|moved| !minters.contains(&moved.contract)) {
            let Some(amount) = moved.amount().filter(|amount| !amount.is_zero()) else { continue };
            self.bank.logged(&moved, amount);
            let is_payment = |paid: &&LoggedMove| {
                let side = if moved.sender().is_none() { paid.recipient() } else { paid.sender() };
                side == Some(moved.contract) && paid.amount() == Some(amount)
            };
            let paid_in = beside.iter().filter(is_payment).map(|paid| paid.contract.tail()).collect();
            self.wraps.push(Wrap { place, moved, paid_in });
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

    /// Returns the conversion that a wrapper of the chain reports.
    fn conversion(&self, log: &ContractLog) -> Option<(Address, WrapperConversion)> {
        let wrapper = log.address.parse().ok().filter(|wrapper| self.wrappers.contains(wrapper))?;
        Some((wrapper, WrapperConversion::of(log)?))
    }

    fn moves(&mut self, place: EventPlace, transfer: LoggedMove) {
        let Some(amount) = transfer.amount().filter(|amount| !amount.is_zero()) else { return };
        self.bank.logged(&transfer, amount);
        self.adds(place, transfer, amount);
    }

    fn adds(&mut self, place: EventPlace, transfer: LoggedMove, amount: Amount) {
        let contract = transfer.contract.tail();
        let (from, to) = (transfer.sender().map(|from| from.tail()), transfer.recipient().map(|to| to.tail()));
        self.ledger.transfers.push(LedgerTransfer { place, from, to, asset: contract, amount });
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

    /// Adds the movements of wrapped coins. The evidence: the bank knows the contract, the contract also logs
    /// transfers, or an equal amount of the fee's denom moved the other way.
    fn adds_wraps(&mut self) {
        for wrap in std::mem::take(&mut self.wraps) {
            let contract = wrap.moved.contract.tail();
            let is_fee = |paid: &Short| {
                let denom = self.bank.denom(*paid);
                self.decoded.fee.iter().any(|fee| fee.denom == denom)
            };
            let is_token = self.bank.knows(&contract) || self.tokens.contains(&contract);
            if let Some(amount) = wrap.moved.amount()
                && (is_token || wrap.paid_in.iter().any(is_fee))
            {
                self.adds(wrap.place, wrap.moved, amount);
            }
        }
    }

    fn done(mut self) -> EventReading {
        self.adds_wraps();
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
                // A denom has one contract: if two claim it, one only imitates its logs.
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
