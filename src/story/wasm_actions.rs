//! What contracts of Wasm say that they did (`docs/apis/story.md` §2.4). Anybody may write such events.

use std::collections::HashSet;

use super::DecodedEvent;
use crate::domain::{Address, Amount, Coin, Denom};

/// One act of a contract: the attributes from one `action` to the next.
#[derive(Clone, Copy)]
pub(super) struct ContractAction<'a> {
    /// The contract, as the chain writes it into the event.
    pub(super) contract: &'a str,
    /// What it says that it did.
    pub(super) name: &'a str,
    attributes: &'a [(String, String)],
}

impl<'a> ContractAction<'a> {
    /// The first attribute of this name.
    pub(super) fn value(&self, name: &str) -> Option<&'a str> {
        self.attributes.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }

    /// An attribute that is an account.
    pub(super) fn address(&self, name: &str) -> Option<Address> {
        self.value(name)?.parse().ok()
    }

    /// The amount of the contract's own token that is in this attribute.
    pub(super) fn coin(&self, name: &str) -> Option<Coin> {
        let amount: Amount = self.value(name)?.parse().ok()?;
        Some(Coin { denom: token_of(self.contract), amount })
    }

    /// Whether it says that tokens or NFTs went somewhere, came to be or ceased to be.
    pub(super) fn moves(&self) -> bool {
        const MOVES: [&str; 9] =
            ["transfer", "send", "transfer_from", "send_from", "mint", "burn", "burn_from", "transfer_nft", "send_nft"];
        MOVES.contains(&self.name)
    }
}

/// What the token of a CW-20 contract is called here: any contract may speak like one, so it is named after it.
pub(super) fn token_of(contract: &str) -> Denom {
    Denom::new(format!("cw20:{contract}"))
}

/// The acts in an event of a contract, nearly always one. Attributes before the first `action` belong to it.
pub(super) fn actions(event: &DecodedEvent) -> impl Iterator<Item = ContractAction<'_>> {
    let is_start = |key: &str| key == "_contract_address";
    let mut starts: Vec<usize> = Vec::new();
    let mut seen = HashSet::new();
    for (place, (key, _)) in event.attributes.iter().enumerate().filter(|_| event.kind == "wasm") {
        if is_start(key) {
            seen.clear();
            starts.push(place);
        } else if key == "action" && !seen.insert("action") {
            starts.push(place);
        }
    }
    let ends: Vec<usize> = starts.iter().skip(1).copied().chain([event.attributes.len()]).collect();
    let mut contract = None;
    starts.into_iter().zip(ends).filter_map(move |(start, end)| {
        let attributes = event.attributes.get(start..end)?;
        let address = attributes.iter().find(|(key, _)| is_start(key));
        contract = address.map(|(_, value)| value.as_str()).or(contract);
        let action = attributes.iter().find(|(key, _)| key == "action");
        Some(ContractAction { contract: contract?, name: action?.1.as_str(), attributes })
    })
}
