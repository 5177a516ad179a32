//! Chains that everybody knows by a name, for where a router does not list them.

use crate::domain::ChainId;

/// Chain ids as routers write them, and what people call the chain.
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

/// What people call a chain; `None` where it is none of those that everybody knows.
pub fn known_chain(chain: &ChainId) -> Option<&'static str> {
    KNOWN.iter().find(|(id, _)| *id == chain.as_str()).map(|(_, name)| *name)
}
