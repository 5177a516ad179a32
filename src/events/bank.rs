//! Events of the bank module. A chain reports each movement twice: as a `transfer`, and as the change of each account.

use super::{
    EventClass, EventRecord,
    keys::{self, AttributeKey},
};
use crate::domain::{Address, Coin, parse_coins, same_account};

/// Change of one account's coins, or of the supply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct BankEvent<'e> {
    pub(crate) change: BankChange,
    /// Account as the chain writes it.
    pub(crate) account: Option<&'e str>,
    /// List of coins as the chain writes it.
    pub(crate) amount: Option<&'e str>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum BankChange {
    Spent,
    Received,
    /// Added to the supply; a `Received` follows.
    Minted,
    /// Removed from the supply; a `Spent` precedes.
    Burned,
}

impl BankChange {
    /// Whether the change takes coins away.
    pub(crate) fn is_loss(self) -> bool {
        matches!(self, Self::Spent | Self::Burned)
    }

    pub(crate) fn is_of_supply(self) -> bool {
        matches!(self, Self::Minted | Self::Burned)
    }

    fn account_key(self) -> AttributeKey<Address> {
        match self {
            Self::Spent => keys::SPENDER,
            Self::Received => keys::RECEIVER,
            Self::Minted => keys::MINTER,
            Self::Burned => keys::BURNER,
        }
    }
}

impl<'e> BankEvent<'e> {
    pub(crate) fn of(event: &'e impl EventRecord) -> Option<Self> {
        let EventClass::Bank(change) = *event.class() else { return None };
        Some(Self { change, account: event.text(change.account_key()), amount: event.text(keys::COINS) })
    }

    pub(crate) fn received(event: &'e impl EventRecord) -> Option<Self> {
        Self::of(event).filter(|event| event.change == BankChange::Received)
    }

    pub(crate) fn address(&self) -> Option<Address> {
        self.account?.parse().ok()
    }

    /// Whether the event names this account, in either format.
    pub(crate) fn is_of(&self, account: &str) -> bool {
        self.account.is_some_and(|named| same_account(named, account))
    }

    /// Returns the coins; none if the list is missing or unreadable.
    pub(crate) fn coins(&self) -> Vec<Coin> {
        self.amount.and_then(|text| parse_coins(text).ok()).unwrap_or_default()
    }

    pub(crate) fn holds(&self, coin: &Coin) -> bool {
        self.coins().contains(coin)
    }
}
