//! Names of chains and amounts, and well-known chains that a router may not list.

use crate::domain::{Amount, ChainId, Denom};

/// Source of names for chains and amounts; unknown chains and amounts keep their ids.
pub trait Names {
    /// Returns a chain's display name, cleaned.
    fn chain(&self, chain: &ChainId) -> String;

    /// Formats an amount in display units with its ticker if the decimals are known, cleaned.
    fn amount(&self, chain: &ChainId, denom: &Denom, amount: Amount) -> String;

    /// Returns a denom's ticker, or a short form of the denom, cleaned.
    fn denom(&self, chain: &ChainId, denom: &Denom) -> String;

    /// Whether settings or registry tell the ticker and the decimals, and not only a router.
    fn is_proven(&self, _chain: &ChainId, _denom: &Denom) -> bool {
        true
    }

    /// Whether the chain hosts OPinit bridges, so that a transfer to it over one is a withdrawal. The default knows the
    /// L1 of Initia's two networks.
    fn is_settlement(&self, chain: &ChainId) -> bool {
        matches!(chain.as_str(), "interwoven-1" | "initiation-2")
    }
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

/// Returns the display name of a well-known chain.
pub fn known_chain(chain: &ChainId) -> Option<&'static str> {
    KNOWN.iter().find(|(id, _)| *id == chain.as_str()).map(|(_, name)| *name)
}
