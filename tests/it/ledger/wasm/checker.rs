//! Follows coins and NFTs by what events say.

use std::collections::BTreeMap;

use alloy_primitives::U256;
use rollscope::{
    demo::ledger::{CommittedTx, Ledger, TxEvent},
    domain::{Address, Amount, Height},
};

/// Balances and owners as the events tell them.
#[derive(Default)]
pub(super) struct Checker {
    balances: BTreeMap<(String, Address), U256>,
    owners: BTreeMap<(Address, String), (Address, Height)>,
    strict: bool,
    /// How many movements of coins were seen.
    pub(super) movements: usize,
    /// What does not add up.
    pub(super) faults: Vec<String>,
}

fn text<'a>(event: &'a TxEvent, key: &str) -> Option<&'a str> {
    event.value(key)
}

fn address(event: &TxEvent, key: &str) -> Address {
    text(event, key).and_then(|text| text.parse().ok()).unwrap_or_else(|| panic!("no address {key} in {event:?}"))
}

/// Amount and denom of a coin.
fn coin(event: &TxEvent) -> (U256, String) {
    let text = text(event, "amount").expect("an amount");
    let digits = text.find(|c: char| !c.is_ascii_digit()).expect("a denom");
    (text[..digits].parse().expect("a number"), text[digits..].to_owned())
}

impl Checker {
    /// Starts from the state of a ledger; from here on nobody may spend what they do not have.
    pub(super) fn beginning_with(ledger: &Ledger) -> Self {
        let mut checker = Self { strict: true, ..Self::default() };
        for token in ledger.tokens() {
            for (account, amount) in ledger.holders(&token.denom) {
                checker.balances.insert((token.denom.to_string(), account), amount.get());
            }
        }
        let owners = ledger.nfts().into_iter().map(|nft| ((nft.collection, nft.token_id), (nft.owner, nft.moved)));
        checker.owners = owners.collect();
        checker
    }

    /// Everybody who holds a coin.
    pub(super) fn holders(&self, denom: &str) -> BTreeMap<Address, Amount> {
        let of_denom = self.balances.iter().filter(|((of, _), amount)| of == denom && !amount.is_zero());
        of_denom.map(|((_, account), amount)| (*account, Amount::new(*amount))).collect()
    }

    /// Who owns which NFT, and since when.
    pub(super) fn owners(&self) -> &BTreeMap<(Address, String), (Address, Height)> {
        &self.owners
    }

    /// Follows a transaction, and holds what was received against what was spent and made.
    pub(super) fn take(&mut self, height: Height, tx: &CommittedTx) {
        let mut sums: BTreeMap<String, [U256; 2]> = BTreeMap::new();
        for event in &tx.events {
            let side = match &*event.kind {
                "coin_received" | "burn" => 0,
                "coin_spent" | "coinbase" => 1,
                "wasm" => {
                    self.follow(height, event, tx);
                    continue;
                }
                _ => continue,
            };
            let (amount, denom) = coin(event);
            sums.entry(denom.clone()).or_default()[side] += amount;
            match &*event.kind {
                "coin_received" => self.receive(denom, address(event, "receiver"), amount),
                "coin_spent" => self.spend(denom, address(event, "spender"), amount, tx),
                _ => {}
            }
        }
        for (denom, [received, spent]) in sums {
            if received != spent {
                self.faults.push(format!("{received} against {spent} {denom} in {}", tx.hash));
            }
        }
    }

    fn receive(&mut self, denom: String, account: Address, amount: U256) {
        self.movements += 1;
        *self.balances.entry((denom, account)).or_default() += amount;
    }

    fn spend(&mut self, denom: String, account: Address, amount: U256, tx: &CommittedTx) {
        if !self.strict {
            return;
        }
        let balance = self.balances.entry((denom, account)).or_default();
        match balance.checked_sub(amount) {
            Some(left) => *balance = left,
            None => self.faults.push(format!("{account} overspends in {}", tx.hash)),
        }
    }

    /// What a CW-721 contract says of a token.
    fn follow(&mut self, height: Height, event: &TxEvent, tx: &CommittedTx) {
        let (Some(action), Some(id)) = (text(event, "action"), text(event, "token_id")) else { return };
        let key = (address(event, "_contract_address"), id.to_owned());
        let (before, after) = match action {
            "mint" => (None, Some(address(event, "owner"))),
            "transfer_nft" | "send_nft" => (Some(address(event, "sender")), Some(address(event, "recipient"))),
            "burn" => (Some(address(event, "sender")), None),
            _ => return,
        };
        let known = self.owners.remove(&key).map(|(owner, _)| owner);
        if self.strict && known != before {
            self.faults.push(format!("{action} of {id} by {before:?}, owned by {known:?}, in {}", tx.hash));
        }
        if let Some(owner) = after {
            self.owners.insert(key, (owner, height));
        }
    }
}
