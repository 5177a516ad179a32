//! Names of chains and amounts, and well-known chains that a router may not list.

use crate::domain::{
    Amount, ChainId, Denom,
    text::{Foreign, clean},
};

/// Source of names for chains and amounts; unknown chains and amounts keep their ids.
pub trait Names {
    /// Returns a chain's display name, cleaned.
    fn chain(&self, chain: &ChainId) -> String;

    /// Returns a chain's name by settings or registry, cleaned; `None` if only a router names the chain.
    fn settled_chain(&self, chain: &ChainId) -> Option<String> {
        Some(self.chain(chain))
    }

    /// Formats an amount in display units with its ticker if the decimals are known, cleaned.
    fn amount(&self, chain: &ChainId, denom: &Denom, amount: Amount) -> String;

    /// Returns a denom's ticker, or the shortened denom, cleaned.
    fn denom(&self, chain: &ChainId, denom: &Denom) -> String;

    /// Returns the source of a denom's ticker and decimals.
    fn unit_source(&self, _chain: &ChainId, _denom: &Denom) -> UnitSource {
        UnitSource::Known
    }

    /// Whether the chain hosts OPinit bridges, so that a transfer to it over such a bridge is a withdrawal. The default
    /// knows the L1 of Initia's two networks.
    fn is_settlement(&self, chain: &ChainId) -> bool {
        matches!(chain.as_str(), "interwoven-1" | "initiation-2")
    }
}

/// Source of a denom's display units.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnitSource {
    /// The settings or the registry.
    Known,
    /// The token's issuer or contract, as its chain reports: anyone can issue a token of any name.
    Issuer,
    Router,
    /// No source: amounts are in the smallest unit.
    Nobody,
}

impl UnitSource {
    /// Returns the source for units that are known, or that a router lists.
    pub fn of(is_known: bool, is_listed: bool) -> Self {
        match (is_known, is_listed) {
            (true, _) => Self::Known,
            (false, true) => Self::Router,
            (false, false) => Self::Nobody,
        }
    }
}

/// Maximum characters of a symbol that only a router states.
const LONGEST_SYMBOL: usize = 16;

/// Returns a router's symbol if it can only be a symbol: other texts could pass for a sentence.
pub fn routed_symbol(symbol: &str) -> Option<&str> {
    let is_sign = |sign: char| sign.is_ascii_alphanumeric() || matches!(sign, '.' | '-');
    let is_fit = !symbol.is_empty() && symbol.len() <= LONGEST_SYMBOL && symbol.chars().all(is_sign);
    is_fit.then_some(symbol)
}

/// Returns a chain's settled name: the well-known one, else that of the settings, in the router's letter case if both
/// have the same letters.
pub fn settled_name(chain: &ChainId, settings: Option<&str>, listed: Option<&Foreign>) -> Option<String> {
    let settings = || {
        let name = settings?;
        let listed = listed.map(Foreign::as_received);
        Some(listed.filter(|listed| listed.eq_ignore_ascii_case(name)).unwrap_or(name))
    };
    known_chain(chain).or_else(settings).map(|name| clean(name).into_owned())
}

/// Chain ids as routers write them, with display names.
const KNOWN: &[(&str, &str)] = &[
    ("1", "Ethereum"),
    ("10", "Optimism"),
    ("56", "BNB Chain"),
    ("137", "Polygon"),
    ("8453", "Base"),
    ("42161", "Arbitrum"),
    ("43114", "Avalanche"),
    ("solana", "Solana"),
    ("interwoven-1", "Initia"),
    ("initiation-2", "Initia testnet"),
    ("noble-1", "Noble"),
    ("osmosis-1", "Osmosis"),
    ("cosmoshub-4", "Cosmos Hub"),
    ("celestia", "Celestia"),
    ("neutron-1", "Neutron"),
];

pub fn known_chain(chain: &ChainId) -> Option<&'static str> {
    KNOWN.iter().find(|(id, _)| *id == chain.as_str()).map(|(_, name)| *name)
}
