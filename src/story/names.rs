//! Names of accounts, tokens and chains, with their sources.

pub(super) mod bridge_number;
pub(super) mod chain_names;
pub(super) mod denoms;
pub(super) mod glossary;
pub(super) mod metadata;
pub(crate) mod move_address;
