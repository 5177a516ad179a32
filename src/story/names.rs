//! Names of accounts, tokens and chains, with their sources.

pub(super) mod bridge_number;
pub(super) mod chain_names;
pub(super) mod denoms;
pub(super) mod glossary;
pub(crate) mod metadata;
pub(super) mod reported_units;

pub(crate) use crate::domain::move_address;
