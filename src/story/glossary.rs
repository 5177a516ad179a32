mod chain_names;
mod labels;
mod listed;
mod own_names;
mod well_known;

pub use labels::LabelSource;
pub use listed::NameSource;

use std::{
    collections::{BTreeSet, HashMap},
    sync::Arc,
};

use self::{labels::Labels, own_names::OwnNames};
use super::{AbiRegistry, metadata::metadata_of};
use crate::domain::{Address, ContractRole, Denom, Vm};

/// What is known by name on a chain: tokens, accounts, the chains behind its channels and bridges. Made once, read for
/// every story.
#[derive(Clone, Debug)]
pub struct Glossary {
    /// The chain, where it is known.
    pub chain_id: Option<String>,
    /// Its machine, where it is known.
    pub vm: Option<Vm>,
    /// The number of its optimistic bridge on the L1, where it is known.
    pub bridge_id: Option<u64>,
    /// The chain that it settles on, where it is a rollup and that is known.
    pub l1_chain_id: Option<String>,
    /// The functions, events and errors of contracts.
    pub abi: AbiRegistry,
    tokens: HashMap<Denom, Arc<TokenUnit>>,
    /// Those of them that only the router names.
    routed: BTreeSet<Denom>,
    /// Those that only the chain's own state names, and how.
    own_units: HashMap<Denom, NameSource>,
    metadata: HashMap<[u8; 32], Denom>,
    l1_tokens: HashMap<Denom, Arc<TokenUnit>>,
    labels: Labels,
    roles: HashMap<Address, ContractRole>,
    own_names: OwnNames,
    channels: HashMap<(String, String), Arc<str>>,
    bridges: HashMap<u64, Arc<str>>,
}

/// What people call a token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TokenUnit {
    /// As people say it; hostile text when it came from outside.
    pub symbol: String,
    /// Power of ten between the smallest and the display unit.
    pub decimals: u8,
}

impl Default for Glossary {
    /// What every chain has in common: modules, system contracts of the EVM, and the L1's native token
    /// (`docs/apis/story.md` §6).
    fn default() -> Self {
        let mut glossary = Self {
            chain_id: None,
            vm: None,
            bridge_id: None,
            l1_chain_id: None,
            abi: AbiRegistry::default(),
            tokens: HashMap::new(),
            routed: BTreeSet::new(),
            own_units: HashMap::new(),
            metadata: HashMap::new(),
            l1_tokens: HashMap::new(),
            labels: Labels::default(),
            roles: HashMap::new(),
            own_names: OwnNames::default(),
            channels: HashMap::new(),
            bridges: HashMap::new(),
        };
        glossary.add_l1_token(Denom::new("uinit"), "INIT", 6);
        glossary
    }
}

impl Glossary {
    /// Learns a token.
    pub fn add_token(&mut self, denom: Denom, symbol: impl Into<String>, decimals: u8) {
        self.metadata.insert(metadata_of(&denom), denom.clone());
        self.tokens.insert(denom, Arc::new(TokenUnit { symbol: symbol.into(), decimals }));
    }

    /// Learns a token of the L1, by its denom there.
    pub fn add_l1_token(&mut self, denom: Denom, symbol: impl Into<String>, decimals: u8) {
        self.l1_tokens.insert(denom, Arc::new(TokenUnit { symbol: symbol.into(), decimals }));
    }

    /// Learns which part a contract plays.
    pub fn add_role(&mut self, contract: Address, role: ContractRole) {
        self.roles.insert(contract, role);
    }

    /// The part of a contract that its address tells: as the network's list has it, or as every chain has it.
    pub fn role(&self, contract: Address) -> Option<ContractRole> {
        self.roles.get(&contract).copied().or_else(|| ContractRole::of_singleton(contract))
    }

    /// The contracts with this part.
    pub fn contracts(&self, role: ContractRole) -> impl Iterator<Item = Address> + '_ {
        self.roles.iter().filter(move |(_, known)| **known == role).map(|(contract, _)| *contract)
    }

    /// Learns which chain is behind a channel of this chain. The account that holds what left over it gets a label.
    pub fn add_channel(&mut self, port: impl Into<String>, channel: impl Into<String>, chain: impl Into<Arc<str>>) {
        let (port, channel) = (port.into(), channel.into());
        if let Some(escrow) = well_known::escrow(&port, &channel) {
            self.labels.derive(escrow, || format!("escrow of {channel}"));
        }
        self.channels.insert((port, channel), chain.into());
    }

    /// Learns which rollup is behind a bridge of this chain, an L1. The account that holds what was deposited gets a
    /// label.
    pub fn add_bridge(&mut self, bridge_id: u64, chain: impl Into<Arc<str>>) {
        let chain = chain.into();
        self.labels.derive(well_known::bridge(bridge_id), || format!("bridge to {chain}"));
        self.bridges.insert(bridge_id, chain);
    }

    /// Symbol and decimals of a denom; a known token of Move is also found by its metadata object, `move/<hex>`.
    pub fn token(&self, denom: &Denom) -> Option<&Arc<TokenUnit>> {
        self.tokens.get(denom).or_else(|| {
            let object = denom.as_str().starts_with("move/").then(|| metadata_of(denom))?;
            self.tokens.get(self.metadata.get(&object)?)
        })
    }

    /// The denom of a known token, by its metadata object on a Move chain.
    pub fn denom_of_metadata(&self, metadata: &[u8; 32]) -> Option<&Denom> {
        self.metadata.get(metadata)
    }

    /// Symbol and decimals of a token of the L1, by its denom there.
    pub fn l1_token(&self, denom: &Denom) -> Option<&Arc<TokenUnit>> {
        self.l1_tokens.get(denom)
    }

    /// The chain at the other end of a channel. A chain numbers its channels whatever their ports, so one that is known
    /// under another port is the same.
    pub fn chain_behind(&self, port: &str, channel: &str) -> Option<&Arc<str>> {
        let exact = self.channels.get(&(port.to_owned(), channel.to_owned()));
        exact.or_else(|| self.channels.iter().find(|((_, known), _)| known == channel).map(|(_, chain)| chain))
    }

    /// Whether a channel is known under this very port, so that whoever has the port is known too.
    pub fn is_port_known(&self, port: &str, channel: &str) -> bool {
        self.channels.contains_key(&(port.to_owned(), channel.to_owned()))
    }

    /// The rollup behind a bridge of this chain, an L1.
    pub fn chain_of_bridge(&self, bridge_id: u64) -> Option<&Arc<str>> {
        self.bridges.get(&bridge_id)
    }
}
