//! What the bank says beside the logs of its contracts: which denom a contract stands for, whose the account is that a
//! log cut short, and that nothing moved without a log.

use std::collections::HashMap;

use super::{
    super::{NftChange, ledger::listed},
    Short, TokenMove,
};
use crate::{
    domain::{Address, Amount, Coin, Denom},
    story::{DecodedEvent, EventPhase, Work},
};

/// Logs of equal movements that are looked at for the right contract.
const MOST_EQUALS: usize = 8;

/// A side of a movement.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum BankSide {
    Gives,
    Gets,
}

/// The bank's word on a transaction.
#[derive(Default)]
pub(super) struct Bank {
    /// Contracts by movement, of the message that is read: those whose logs no event of the bank has repeated yet.
    logs: HashMap<(BankSide, Short, Amount), Vec<Short>>,
    phase: Option<EventPhase>,
    denoms: HashMap<Short, Denom>,
    /// Denoms that `erc20_created` gave, which is the registry's own word.
    registered: HashMap<Short, Denom>,
    /// Accounts that the bank named, by what a log leaves of them; of several the short one, which is all of them.
    whole: HashMap<Short, Address>,
}

impl Bank {
    /// The bank repeats what happened in the same message.
    pub(super) fn enters(&mut self, phase: EventPhase) {
        if self.phase.replace(phase) != Some(phase) {
            self.logs.clear();
        }
    }

    /// A contract logged a movement.
    pub(super) fn logged(&mut self, transfer: TokenMove) {
        let sides = [(BankSide::Gives, transfer.from), (BankSide::Gets, transfer.to)];
        for (side, who) in sides {
            if let Some(who) = who {
                self.logs.entry((side, who, transfer.amount)).or_default().push(transfer.contract);
            }
        }
    }

    /// Coins left an account, by being spent or burned; false where no log says so.
    pub(super) fn spent(&mut self, event: &DecodedEvent, who: &str, work: &Work) -> bool {
        self.repeats(event, (who, BankSide::Gives), work)
    }

    /// Coins came to an account.
    pub(super) fn received(&mut self, event: &DecodedEvent, work: &Work) -> bool {
        self.repeats(event, ("receiver", BankSide::Gets), work)
    }

    pub(super) fn minted(&mut self, event: &DecodedEvent, work: &Work) -> bool {
        self.repeats(event, ("minter", BankSide::Gets), work)
    }

    /// A denom got its contract.
    pub(super) fn created(&mut self, event: &DecodedEvent) {
        let contract = event.value("contract").and_then(|text| text.parse().ok());
        if let (Some(Address::Short(contract)), Some(denom)) = (contract, event.value("denom")) {
            self.registered.insert(contract, Denom::new(denom));
        }
    }

    /// The chain's wrapper named the denom of a contract.
    pub(super) fn converted(&mut self, contract: Short, denom: Denom) {
        if !denom.as_str().starts_with("evm/") || denom == unnamed(contract) {
            self.denoms.entry(contract).or_insert(denom);
        }
    }

    /// The denom of a contract.
    pub(super) fn denom(&self, contract: Short) -> Denom {
        let told = self.registered.get(&contract).or_else(|| self.denoms.get(&contract));
        told.cloned().unwrap_or_else(|| unnamed(contract))
    }

    /// Whether anybody but the contract itself says that it is a token.
    pub(super) fn knows(&self, contract: &Short) -> bool {
        self.registered.contains_key(contract) || self.denoms.contains_key(contract)
    }

    /// The account that a log cut short, where the bank named it whole.
    pub(super) fn whole(&self, account: Short) -> Address {
        self.whole.get(&account).copied().unwrap_or(Address::Short(account))
    }

    /// The same for both sides of an NFT's movement.
    pub(super) fn whole_sides(&self, change: NftChange) -> NftChange {
        let whole = |side: Option<Address>| side.map(|address| self.whole(address.tail()));
        NftChange { from: whole(change.from), to: whole(change.to), ..change }
    }

    fn repeats(&mut self, event: &DecodedEvent, (who, side): (&str, BankSide), work: &Work) -> bool {
        let Some(coins) = event.value("amount").and_then(|text| listed(text, work)) else { return false };
        let coins: Vec<Coin> = coins.into_iter().filter(|coin| !coin.amount.is_zero()).collect();
        let Some(who) = event.value(who).and_then(|text| text.parse::<Address>().ok()) else { return coins.is_empty() };
        let named = self.whole.entry(who.tail()).or_insert(who);
        if *named != who {
            *named = Address::Short(who.tail());
        }
        // Several coins have their logs in the same order, all before the one event.
        let mut is_told = true;
        for coin in coins.into_iter().rev() {
            is_told &= self.repeated(coin, (side, who.tail()));
        }
        is_told
    }

    fn repeated(&mut self, coin: Coin, (side, who): (BankSide, Short)) -> bool {
        let Some(logs) = self.logs.get_mut(&(side, who, coin.amount)) else { return false };
        let own = match coin.denom.as_str().strip_prefix("evm/").map(|digits| format!("0x{digits}").parse()) {
            Some(Ok(Address::Short(contract))) => Some(contract),
            _ => None,
        };
        let first = logs.len().saturating_sub(MOST_EQUALS);
        let fits = |contract: &Short| match own {
            Some(own) => *contract == own,
            None => self.denoms.get(contract).is_none_or(|denom| *denom == coin.denom),
        };
        let place = logs.get(first..).and_then(|last| last.iter().rposition(fits)).map(|place| first + place);
        let Some(contract) = place.map(|place| logs.remove(place)) else { return false };
        self.denoms.entry(contract).or_insert(coin.denom);
        true
    }
}

/// The denom of a contract that no other denom is known of.
pub(super) fn unnamed(contract: Short) -> Denom {
    let checksummed = Address::Short(contract).checksummed();
    Denom::new(format!("evm/{}", checksummed.trim_start_matches("0x")))
}
