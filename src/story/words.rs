//! Meaning of a transaction in words: sentences, explanations of failures, list rows.

pub(super) mod builder;
pub(super) mod clause;
pub(super) mod explanation;
pub(super) mod message_summary;
pub(super) mod nft;
pub(super) mod phrase;
pub(super) mod row;
pub(super) mod sentence;
pub(super) mod signing;
pub(super) mod signing_names;
pub(super) mod simulation;
pub(super) mod unsigned;
