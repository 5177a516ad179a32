//! Actions that Wasm contracts report (`docs/apis/story.md` §2.4). Any contract may write such events.

use std::collections::HashSet;

use super::{
    DecodedEvent, EventClass, EventRecord,
    keys::{self, AttributeKey, AttributeValue},
};
use crate::domain::{Address, Coin, Denom};

/// Reported action of a contract: its attributes up to the next `action`.
#[derive(Clone, Copy)]
pub(crate) struct ContractAction<'a> {
    /// Contract, as the chain writes it into the event.
    pub(crate) contract: &'a str,
    pub(crate) name: &'a str,
    attributes: &'a [(String, String)],
}

impl<'a> ContractAction<'a> {
    /// Returns the first attribute with this key.
    pub(crate) fn text<T>(&self, wanted: AttributeKey<T>) -> Option<&'a str> {
        self.attributes.iter().find(|(key, _)| key == wanted.name()).map(|(_, value)| value.as_str())
    }

    pub(crate) fn get<T: AttributeValue>(&self, key: AttributeKey<T>) -> Option<T> {
        T::read(self.text(key)?)
    }

    /// Returns an amount of the contract's own token.
    pub(crate) fn coin(&self) -> Option<Coin> {
        Some(Coin { denom: Denom::of_cw20(self.contract), amount: self.get(keys::AMOUNT)? })
    }

    /// Returns the reported movement of the contract's NFT, with its id.
    pub(crate) fn nft(&self) -> Option<(&'a str, ReportedMove)> {
        Some((self.text(keys::TOKEN_ID)?, ReportedMove::of_nft(self.name, |key| self.get(key))?))
    }

    pub(crate) fn token(&self) -> Option<ReportedMove> {
        ReportedMove::of_token(self.name, |key| self.get(key))
    }

    /// Whether the action reports a transfer, mint or burn of tokens or NFTs.
    pub(crate) fn moves(&self) -> bool {
        self.token().is_some() || ReportedMove::of_nft(self.name, |_| None).is_some()
    }
}

/// Movement that a contract reports, with the parties it names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ReportedMove {
    Minted { to: Option<Address> },
    Moved { from: Option<Address>, to: Option<Address> },
    Burned { from: Option<Address> },
}

impl ReportedMove {
    /// Reads an action of CW-721. The action names no owner: its `sender` requested the transfer, often as an operator.
    pub(crate) fn of_nft(action: &str, party: impl Fn(AttributeKey<Address>) -> Option<Address>) -> Option<Self> {
        Some(match action {
            "mint" => Self::Minted { to: party(keys::OWNER) },
            "transfer_nft" | "send_nft" => Self::Moved { from: None, to: party(keys::RECIPIENT) },
            "burn" => Self::Burned { from: None },
            _ => return None,
        })
    }

    /// Reads an action of CW-20.
    pub(crate) fn of_token(action: &str, party: impl Fn(AttributeKey<Address>) -> Option<Address>) -> Option<Self> {
        Some(match action {
            "mint" => Self::Minted { to: party(keys::TO) },
            "transfer" | "send" | "transfer_from" | "send_from" => {
                Self::Moved { from: party(keys::FROM), to: party(keys::TO) }
            }
            "burn" | "burn_from" => Self::Burned { from: party(keys::FROM) },
            _ => return None,
        })
    }

    pub(crate) fn sender(&self) -> Option<Address> {
        match self {
            Self::Minted { .. } => None,
            Self::Moved { from, .. } | Self::Burned { from } => *from,
        }
    }

    pub(crate) fn recipient(&self) -> Option<Address> {
        match self {
            Self::Burned { .. } => None,
            Self::Moved { to, .. } | Self::Minted { to } => *to,
        }
    }
}

/// Returns the actions in a contract's event, almost always one. Attributes before the first `action` belong to the
/// first action.
pub(crate) fn actions(event: &DecodedEvent) -> impl Iterator<Item = ContractAction<'_>> {
    let is_start = |key: &str| keys::WASM_CONTRACT.is(key);
    let mut starts: Vec<usize> = Vec::new();
    let mut seen = HashSet::new();
    let is_report = matches!(event.class(), EventClass::Wasm);
    for (place, (key, _)) in event.attributes.iter().enumerate().filter(|_| is_report) {
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
