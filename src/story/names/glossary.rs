mod chain_names;
mod claims;
mod labels;
mod listed;
mod looked_up;
mod own_names;
mod returned;
mod well_known;

pub use labels::LabelSource;
pub use listed::NameSource;
pub use returned::{RevertedTx, returned_by};

use std::{collections::HashMap, sync::Arc};

pub use self::well_known::escrow_account;
pub(crate) use self::well_known::module_account;
use self::{claims::NamedToken, labels::Labels, looked_up::LookedUp, own_names::OwnNames};
use crate::{
    domain::{Address, ContractRole, Denom, TxHash, Vm, text::foreign},
    story::abi::AbiRegistry,
};

/// Decimals of ether, in whose smallest units the EVM counts value and gas prices.
const ETHER_DECIMALS: u8 = 18;

/// Known names of a chain: tokens, accounts, chains behind channels and bridges. Built once and used for every story.
#[derive(Clone, Debug)]
pub struct Glossary {
    pub chain_id: Option<String>,
    pub vm: Option<Vm>,
    /// Id of the chain's OPinit bridge on the L1, if known.
    pub bridge_id: Option<u64>,
    /// L1 of a rollup, if known.
    pub l1_chain_id: Option<String>,
    /// Denom in which an EVM chain counts gas, by its node.
    pub gas_denom: Option<Denom>,
    pub abi: AbiRegistry,
    tokens: HashMap<Denom, NamedToken>,
    unnamed: LookedUp<Denom>,
    returned: HashMap<TxHash, Arc<[u8]>>,
    reverted: LookedUp<RevertedTx>,
    metadata: HashMap<[u8; 32], Denom>,
    /// Tokens of the L1 by the network's list or by a router.
    l1_tokens: HashMap<Denom, (Arc<TokenUnit>, NameSource)>,
    labels: Labels,
    roles: HashMap<Address, ContractRole>,
    own_names: OwnNames,
    nameless: LookedUp<Address>,
    channels: HashMap<(String, String), Arc<str>>,
    bridges: HashMap<u64, Arc<str>>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TokenUnit {
    /// Display symbol; hostile text if from outside.
    pub symbol: String,
    /// Power of ten between the smallest and the display unit.
    pub decimals: u8,
}

impl Default for Glossary {
    /// Returns the names that all chains share: modules, EVM system contracts, and the L1's native token
    /// (`docs/apis/story.md` §6).
    fn default() -> Self {
        let mut glossary = Self {
            chain_id: None,
            vm: None,
            bridge_id: None,
            l1_chain_id: None,
            gas_denom: None,
            abi: AbiRegistry::default(),
            tokens: HashMap::new(),
            unnamed: LookedUp::default(),
            returned: HashMap::new(),
            reverted: LookedUp::default(),
            metadata: HashMap::new(),
            l1_tokens: HashMap::new(),
            labels: Labels::default(),
            roles: HashMap::new(),
            own_names: OwnNames::default(),
            nameless: LookedUp::default(),
            channels: HashMap::new(),
            bridges: HashMap::new(),
        };
        glossary.add_l1_token(Denom::new("uinit"), "INIT", 6);
        glossary
    }
}

impl Glossary {
    /// Adds a token of the network's list.
    pub fn add_token(&mut self, denom: Denom, symbol: impl Into<String>, decimals: u8) {
        self.claim(denom, TokenUnit { symbol: symbol.into(), decimals }, NameSource::Network);
    }

    /// Adds a token of the L1, by its denom on the L1.
    pub fn add_l1_token(&mut self, denom: Denom, symbol: impl Into<String>, decimals: u8) {
        let unit = Arc::new(TokenUnit { symbol: foreign(&symbol.into()).into_owned(), decimals });
        self.l1_tokens.insert(denom, (unit, NameSource::Network));
    }

    pub fn add_role(&mut self, contract: Address, role: ContractRole) {
        self.roles.insert(contract, role);
    }

    /// Returns the denom of values in the EVM, if it has as many decimals as ether: the chain scales one that has not.
    pub fn ether_denom(&self) -> Option<&Denom> {
        let is_ether = |denom: &&Denom| self.token(denom).is_some_and(|token| token.decimals == ETHER_DECIMALS);
        self.gas_denom.as_ref().filter(is_ether)
    }

    /// Returns the role of a contract by its address: from the network's list, else common to every chain.
    pub fn role(&self, contract: Address) -> Option<ContractRole> {
        self.roles.get(&contract).copied().or_else(|| ContractRole::of_singleton(contract))
    }

    pub fn contracts(&self, role: ContractRole) -> impl Iterator<Item = Address> + '_ {
        self.roles.iter().filter(move |(_, known)| **known == role).map(|(contract, _)| *contract)
    }

    /// Adds the chain behind a channel, and labels the channel's escrow account.
    pub fn add_channel(&mut self, port: impl Into<String>, channel: impl Into<String>, chain: impl Into<Arc<str>>) {
        let (port, channel) = (port.into(), channel.into());
        if let Some(escrow) = well_known::escrow_account(&port, &channel) {
            self.labels.derive(escrow, || format!("escrow of {channel}"));
        }
        self.channels.insert((port, channel), chain.into());
    }

    /// Adds the rollup behind a bridge of this L1, and labels the bridge's custody account.
    pub fn add_bridge(&mut self, bridge_id: u64, chain: impl Into<Arc<str>>) {
        let chain = chain.into();
        self.labels.derive(well_known::bridge(bridge_id), || format!("bridge to {chain}"));
        self.bridges.insert(bridge_id, chain);
    }

    /// Returns the denom of a known token by its metadata object on a Move chain.
    pub fn denom_of_metadata(&self, metadata: &[u8; 32]) -> Option<&Denom> {
        self.metadata.get(metadata)
    }

    /// Returns symbol and decimals of an L1 token of the network's list, by its denom on the L1. A router's list proves
    /// no units.
    pub fn l1_token(&self, denom: &Denom) -> Option<&Arc<TokenUnit>> {
        self.l1_tokens.get(denom).filter(|(_, source)| *source == NameSource::Network).map(|(unit, _)| unit)
    }

    /// Returns the chain at the other end of a channel. Channel ids are unique on a chain, so the port may differ.
    pub fn chain_behind(&self, port: &str, channel: &str) -> Option<&Arc<str>> {
        let exact = self.channels.get(&(port.to_owned(), channel.to_owned()));
        exact.or_else(|| self.channels.iter().find(|((_, known), _)| known == channel).map(|(_, chain)| chain))
    }

    /// Whether a channel is known under this port, which identifies the port's owner.
    pub fn is_port_known(&self, port: &str, channel: &str) -> bool {
        self.channels.contains_key(&(port.to_owned(), channel.to_owned()))
    }

    /// Returns the rollup behind a bridge of this L1.
    pub fn chain_of_bridge(&self, bridge_id: u64) -> Option<&Arc<str>> {
        self.bridges.get(&bridge_id)
    }
}
