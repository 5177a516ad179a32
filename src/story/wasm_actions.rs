//! Actions that Wasm contracts report (`docs/apis/story.md` §2.4). Any contract may write such events.

use std::collections::HashSet;

use super::decode::DecodedEvent;
use crate::domain::{Coin, Denom};
use crate::events::keys::{self, AttributeKey, AttributeValue};

/// Reported action of a contract: its attributes up to the next `action`.
#[derive(Clone, Copy)]
pub(super) struct ContractAction<'a> {
    /// Contract, as the chain writes it into the event.
    pub(super) contract: &'a str,
    pub(super) name: &'a str,
    attributes: &'a [(String, String)],
}

impl<'a> ContractAction<'a> {
    /// Returns the first attribute with this key.
    pub(super) fn text<T>(&self, wanted: AttributeKey<T>) -> Option<&'a str> {
        self.attributes.iter().find(|(key, _)| key == wanted.name()).map(|(_, value)| value.as_str())
    }

    pub(super) fn get<T: AttributeValue>(&self, key: AttributeKey<T>) -> Option<T> {
        T::read(self.text(key)?)
    }

    /// Returns an amount of the contract's own token.
    pub(super) fn coin(&self) -> Option<Coin> {
        Some(Coin { denom: token_of(self.contract), amount: self.get(keys::AMOUNT)? })
    }

    /// Whether it reports a transfer, mint or burn of tokens or NFTs.
    pub(super) fn moves(&self) -> bool {
        const MOVES: [&str; 9] =
            ["transfer", "send", "transfer_from", "send_from", "mint", "burn", "burn_from", "transfer_nft", "send_nft"];
        MOVES.contains(&self.name)
    }
}

/// Returns the denom of a CW-20 token: any contract may act like one, so its address names the token.
pub(super) fn token_of(contract: &str) -> Denom {
    Denom::new(format!("cw20:{contract}"))
}

/// Returns the actions in a contract's event, usually one. Attributes before the first `action` belong to it.
pub(super) fn actions(event: &DecodedEvent) -> impl Iterator<Item = ContractAction<'_>> {
    let is_start = |key: &str| keys::WASM_CONTRACT.is(key);
    let mut starts: Vec<usize> = Vec::new();
    let mut seen = HashSet::new();
    for (place, (key, _)) in event.attributes.iter().enumerate().filter(|_| event.kind == "wasm") {
        if is_start(key) {
            seen.clear();
            starts.push(place);
        } else if keys::ACTION.is(key) && !seen.insert("action") {
            starts.push(place);
        }
    }
    let ends: Vec<usize> = starts.iter().skip(1).copied().chain([event.attributes.len()]).collect();
    let mut contract = None;
    starts.into_iter().zip(ends).filter_map(move |(start, end)| {
        let attributes = event.attributes.get(start..end)?;
        let address = attributes.iter().find(|(key, _)| is_start(key));
        contract = address.map(|(_, value)| value.as_str()).or(contract);
        let action = attributes.iter().find(|(key, _)| keys::ACTION.is(key));
        Some(ContractAction { contract: contract?, name: action?.1.as_str(), attributes })
    })
}
