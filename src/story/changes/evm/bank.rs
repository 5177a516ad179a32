//! Bank events beside the logs: they provide the denom of a contract, the full address of a truncated account, and
//! proof that no movement lacks a log.

use std::collections::HashMap;

use crate::{
    domain::{Address, Amount, Coin, Denom},
    events::{bank::BankEvent, evm::LoggedMove, keys, names::ERC20_CREATED},
    story::{
        changes::{ledger::listed, parts::NftChange},
        decode::{DecodedEvent, EventPhase},
        limits::Work,
    },
};

/// Account or contract as a log writes it: longer accounts are truncated to their last 20 bytes.
pub(super) type Short = [u8; 20];

/// Maximum equal movements searched for the right contract.
const MOST_EQUALS: usize = 8;

#[derive(Default)]
pub(super) struct Bank {
    /// Logged movements of the current message that no bank event has repeated yet, with their contracts. Whether it is
    /// a loss, the account, and the amount are the key.
    logs: HashMap<(bool, Short, Amount), Vec<Short>>,
    phase: Option<EventPhase>,
    denoms: HashMap<Short, Denom>,
    /// Denoms from `erc20_created`, the registry's own event.
    registered: HashMap<Short, Denom>,
    /// Full accounts by their last 20 bytes; among several the 20-byte account, which is not truncated.
    whole: HashMap<Short, Address>,
}

impl Bank {
    /// Enters a message or another phase. Within one phase, the bank repeats the logged movements.
    pub(super) fn enters(&mut self, phase: EventPhase) {
        if self.phase.replace(phase) != Some(phase) {
            self.logs.clear();
        }
    }

    pub(super) fn logged(&mut self, transfer: &LoggedMove, amount: Amount) {
        let sides = [(true, transfer.sender()), (false, transfer.recipient())];
        for (is_loss, who) in sides {
            if let Some(who) = who {
                self.logs.entry((is_loss, who.tail(), amount)).or_default().push(transfer.contract.tail());
            }
        }
    }

    /// Records the contract of a new denom.
    pub(super) fn created(&mut self, event: &DecodedEvent) {
        let contract = event.get(keys::CONTRACT).filter(|_| event.kind == ERC20_CREATED);
        if let (Some(Address::Short(contract)), Some(denom)) = (contract, event.text(keys::DENOM)) {
            self.registered.insert(contract, Denom::new(denom));
        }
    }

    /// Records a denom that the chain's wrapper named.
    pub(super) fn converted(&mut self, contract: Short, denom: Denom) {
        if !denom.as_str().starts_with("evm/") || denom == unnamed(contract) {
            self.denoms.entry(contract).or_insert(denom);
        }
    }

    pub(super) fn denom(&self, contract: Short) -> Denom {
        let told = self.registered.get(&contract).or_else(|| self.denoms.get(&contract));
        told.cloned().unwrap_or_else(|| unnamed(contract))
    }

    /// Whether the bank or a wrapper confirms that the contract is a token.
    pub(super) fn knows(&self, contract: &Short) -> bool {
        self.registered.contains_key(contract) || self.denoms.contains_key(contract)
    }

    /// Returns the full address of a truncated account, if the bank named it.
    pub(super) fn whole(&self, account: Short) -> Address {
        self.whole.get(&account).copied().unwrap_or(Address::Short(account))
    }

    /// Completes both accounts of an NFT's movement.
    pub(super) fn whole_sides(&self, change: NftChange) -> NftChange {
        let whole = |side: Option<Address>| side.map(|address| self.whole(address.tail()));
        NftChange { from: whole(change.from), to: whole(change.to), ..change }
    }

    /// Handles a change that the bank reports; false if no log matches.
    pub(super) fn repeats(&mut self, event: BankEvent<'_>, work: &Work) -> bool {
        let Some(coins) = event.amount.and_then(|text| listed(text, work)) else { return false };
        let coins: Vec<Coin> = coins.into_iter().filter(|coin| !coin.amount.is_zero()).collect();
        let Some(who) = event.address() else { return coins.is_empty() };
        let named = self.whole.entry(who.tail()).or_insert(who);
        if *named != who {
            *named = Address::Short(who.tail());
        }
        // The logs of several coins come in order, all before the single bank event.
        let mut is_told = true;
        for coin in coins.into_iter().rev() {
            is_told &= self.repeated(coin, (event.change.is_loss(), who.tail()));
        }
        is_told
    }

    fn repeated(&mut self, coin: Coin, (is_loss, who): (bool, Short)) -> bool {
        let Some(logs) = self.logs.get_mut(&(is_loss, who, coin.amount)) else { return false };
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

pub(super) fn unnamed(contract: Short) -> Denom {
    let checksummed = Address::Short(contract).checksummed();
    Denom::new(format!("evm/{}", checksummed.trim_start_matches("0x")))
}
