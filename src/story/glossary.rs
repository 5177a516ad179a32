use std::{collections::HashMap, sync::Arc};

use super::{AbiBook, metadata::metadata_of};
use crate::domain::{Address, Denom, Vm};

/// What is known by name on a chain: tokens, accounts, the chains behind its channels. Made once, read for every story.
#[derive(Clone, Debug, Default)]
pub struct Glossary {
    /// The chain, where it is known.
    pub chain_id: Option<String>,
    /// Its machine, where it is known.
    pub vm: Option<Vm>,
    /// The number of its optimistic bridge on the L1, where it is known.
    pub bridge_id: Option<u64>,
    /// The functions, events and errors of contracts.
    pub abi: AbiBook,
    tokens: HashMap<Denom, Arc<TokenName>>,
    metadata: HashMap<[u8; 32], Denom>,
    labels: HashMap<Address, Arc<str>>,
    channels: HashMap<(String, String), Arc<str>>,
}

/// What people call a token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TokenName {
    /// As people say it; hostile text when it came from outside.
    pub symbol: String,
    /// Power of ten between the smallest and the display unit.
    pub decimals: u8,
}

impl Glossary {
    /// Learns a token.
    pub fn add_token(&mut self, denom: Denom, symbol: impl Into<String>, decimals: u8) {
        self.metadata.insert(metadata_of(&denom), denom.clone());
        self.tokens.insert(denom, Arc::new(TokenName { symbol: symbol.into(), decimals }));
    }

    /// Learns what an account is called.
    pub fn add_label(&mut self, account: Address, label: impl Into<Arc<str>>) {
        self.labels.insert(account, label.into());
    }

    /// Learns which chain is behind a channel of this chain.
    pub fn add_channel(&mut self, port: impl Into<String>, channel: impl Into<String>, chain: impl Into<Arc<str>>) {
        self.channels.insert((port.into(), channel.into()), chain.into());
    }

    /// Symbol and decimals of a denom.
    pub fn token(&self, denom: &Denom) -> Option<&Arc<TokenName>> {
        self.tokens.get(denom)
    }

    /// The denom of a known token, by its metadata object on a Move chain.
    pub fn denom_of_metadata(&self, metadata: &[u8; 32]) -> Option<&Denom> {
        self.metadata.get(metadata)
    }

    /// What an account is called.
    pub fn label(&self, account: Address) -> Option<&Arc<str>> {
        self.labels.get(&account)
    }

    /// The chain at the other end of a channel.
    pub fn chain_behind(&self, port: &str, channel: &str) -> Option<&Arc<str>> {
        self.channels.get(&(port.to_owned(), channel.to_owned()))
    }
}
