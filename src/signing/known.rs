//! Contracts of known protocols, bridges and tokens, with the source of that knowledge. A router's word is no source.

use std::{
    collections::{HashMap, HashSet},
    sync::LazyLock,
};

use super::message::account_of;
use crate::domain::{Address, ChainId, Denom};

/// Registry file; its header explains the columns.
const BUILT_IN: &str = include_str!("../../assets/contracts.tsv");

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ContractPart {
    Called,
    Spender,
    /// The contract alone can complete the transfer on the destination chain.
    Finisher,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ContractSource {
    /// Built-in registry, in which each row names its source, or the list of networks.
    Registry,
    /// The chain's state, through a node that the user chose.
    Chain,
    Person,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ContractVerdict {
    Known {
        name: String,
        source: ContractSource,
    },
    QuotedToken,
    /// Unknown: the router may have deployed the contract, and all other parts would still match the quote.
    Unknown,
    /// Unknown, and the user confirmed the contract.
    Accepted,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ContractUse {
    pub chain_id: ChainId,
    pub address: Address,
    /// Address in the chain's format.
    pub shown: String,
    pub part: ContractPart,
    pub verdict: ContractVerdict,
}

impl ContractPart {
    /// Returns the consequence for the signer, such as "would be called".
    pub const fn consequence(self) -> &'static str {
        match self {
            Self::Called => "would be called",
            Self::Spender => "might take tokens",
            Self::Finisher => "alone could finish the transfer",
        }
    }
}

impl ContractUse {
    /// Whether the contract is unknown, also if the user confirmed it.
    pub fn is_unknown(&self) -> bool {
        matches!(self.verdict, ContractVerdict::Unknown | ContractVerdict::Accepted)
    }
}

/// Protocols that number chains in their own way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, strum::EnumString)]
#[strum(serialize_all = "kebab-case")]
pub(super) enum Numbering {
    Cctp,
    GoFast,
    /// `LayerZero`'s endpoint ids.
    LayerZero,
}

/// Known contracts on all chains, with bridges and tokens of the known networks.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KnownContracts {
    contracts: HashMap<(ChainId, [u8; 32]), (String, ContractSource)>,
    finishers: HashMap<(ChainId, [u8; 32]), String>,
    numbers: Vec<(Numbering, u32, ChainId)>,
    trusted: HashSet<(ChainId, [u8; 32])>,
    /// Bridge number on the L1, by rollup.
    bridges: HashMap<ChainId, u64>,
    /// L1, by rollup.
    l1s: HashMap<ChainId, ChainId>,
    /// Chain at the other end of a token channel, by chain and channel.
    channels: HashMap<(ChainId, String), ChainId>,
    /// Denom of Circle's USDC, by chain.
    usdc: HashMap<ChainId, Denom>,
    /// Decimals of tokens; denoms in lower case.
    decimals: HashMap<(ChainId, String), u8>,
}

impl KnownContracts {
    /// Returns the built-in registry; parsed once.
    pub fn built_in() -> &'static Self {
        static BUILT_IN_CONTRACTS: LazyLock<KnownContracts> = LazyLock::new(|| KnownContracts::read(BUILT_IN));
        &BUILT_IN_CONTRACTS
    }

    #[must_use]
    pub fn with(mut self, chain: ChainId, address: Address, name: &str, source: ContractSource) -> Self {
        self.contracts.insert((chain, address.word()), (name.to_owned(), source));
        self
    }

    #[must_use]
    pub fn with_bridge(mut self, rollup: ChainId, bridge_id: u64) -> Self {
        self.bridges.insert(rollup, bridge_id);
        self
    }

    #[must_use]
    pub fn with_l1(mut self, rollup: ChainId, l1: ChainId) -> Self {
        self.l1s.insert(rollup, l1);
        self
    }

    #[must_use]
    pub fn with_channel(mut self, chain: ChainId, channel: &str, counterparty: ChainId) -> Self {
        self.channels.insert((chain, channel.to_owned()), counterparty);
        self
    }

    #[must_use]
    pub fn with_decimals(mut self, chain: ChainId, denom: &str, decimals: u8) -> Self {
        self.decimals.insert((chain, denom.to_ascii_lowercase()), decimals);
        self
    }

    /// Adds the decimals that chains report of their tokens, unless settings or registry know a token.
    #[must_use]
    pub fn with_reported_decimals<'a>(mut self, told: impl Iterator<Item = (&'a ChainId, &'a Denom, u8)>) -> Self {
        for (chain, denom, decimals) in told {
            self.decimals.entry((chain.clone(), denom.as_str().to_ascii_lowercase())).or_insert(decimals);
        }
        self
    }

    pub(super) fn bridge_of(&self, rollup: &ChainId) -> Option<u64> {
        self.bridges.get(rollup).copied()
    }

    /// Returns a rollup's L1.
    pub(super) fn l1_of(&self, rollup: &ChainId) -> Option<&ChainId> {
        self.l1s.get(rollup)
    }

    /// Returns the rollup of a bridge on an L1.
    pub(super) fn rollup_of(&self, l1: &ChainId, bridge: u64) -> Option<&ChainId> {
        let mut all = self.bridges.iter().filter(|(_, known)| **known == bridge).map(|(rollup, _)| rollup);
        all.find(|rollup| self.l1_of(rollup) == Some(l1))
    }

    /// Returns the chain at the other end of a token channel.
    pub(super) fn counterparty_of(&self, chain: &ChainId, channel: &str) -> Option<&ChainId> {
        self.channels.get(&(chain.clone(), channel.to_owned()))
    }

    /// Returns the token channel of a chain that leads to another chain; `None` unless exactly one is known.
    pub(super) fn channel_to(&self, chain: &ChainId, other: &ChainId) -> Option<&str> {
        let mut found = self.channels.iter().filter(|((own, _), end)| own == chain && *end == other);
        let (((_, channel), _), None) = (found.next()?, found.next()) else { return None };
        Some(channel)
    }

    /// Lists the known token channels of a chain.
    pub(super) fn token_channels(&self, chain: &ChainId) -> impl Iterator<Item = &str> {
        self.channels.keys().filter(move |(own, _)| own == chain).map(|(_, channel)| channel.as_str())
    }

    /// Lists the denoms of known tokens, in lower case.
    pub(super) fn denoms(&self) -> impl Iterator<Item = &str> {
        self.decimals.keys().map(|(_, denom)| denom.as_str())
    }

    /// Returns Circle's USDC of a chain.
    pub(super) fn usdc_of(&self, chain: &ChainId) -> Option<&Denom> {
        self.usdc.get(chain)
    }

    /// Returns the decimals of a token by settings, registry or its chain.
    pub fn decimals_of(&self, chain: &ChainId, denom: &Denom) -> Option<u8> {
        self.decimals.get(&(chain.clone(), denom.as_str().to_ascii_lowercase())).copied()
    }

    /// Adds contracts that the user trusts, each on its own chain and in any role.
    #[must_use]
    pub fn trusting(mut self, contracts: impl IntoIterator<Item = (ChainId, Address)>) -> Self {
        self.trusted.extend(contracts.into_iter().map(|(chain, address)| (chain, address.word())));
        self
    }

    fn read(text: &str) -> Self {
        let mut known = Self::default();
        for line in text.lines().filter(|line| !line.starts_with('#')) {
            known.read_row(line);
        }
        known
    }

    fn read_row(&mut self, line: &str) -> Option<()> {
        let mut cells = line.split('\t');
        let (kind, chain, value, name) = (cells.next()?, ChainId::new(cells.next()?), cells.next()?, cells.next()?);
        match kind {
            "contract" => {
                let entry = (name.to_owned(), ContractSource::Registry);
                self.contracts.insert((chain, account_of(value)?.word()), entry);
            }
            "finisher" => {
                self.finishers.insert((chain, account_of(value)?.word()), name.to_owned());
            }
            "usdc" => {
                self.usdc.insert(chain, Denom::new(value));
            }
            numbering => self.numbers.push((numbering.parse().ok()?, value.parse().ok()?, chain)),
        }
        Some(())
    }

    /// Returns whether a contract in a role is known, trusted by the user, or unknown.
    pub fn verdict(&self, chain: &ChainId, address: Address, part: ContractPart) -> ContractVerdict {
        let key = (chain.clone(), address.word());
        let known = match part {
            ContractPart::Called | ContractPart::Spender => self.contracts.get(&key).cloned(),
            ContractPart::Finisher => self.finishers.get(&key).map(|name| (name.clone(), ContractSource::Registry)),
        };
        let trusted = || {
            let is_trusted = self.trusted.contains(&key);
            is_trusted.then(|| ("a contract that you trust".to_owned(), ContractSource::Person))
        };
        let known = known.or_else(trusted);
        known.map_or(ContractVerdict::Unknown, |(name, source)| ContractVerdict::Known { name, source })
    }

    /// Returns the chain with this number in a protocol; `None` if unknown.
    pub(super) fn chain_of(&self, numbering: Numbering, number: u32) -> Option<&ChainId> {
        self.numbers.iter().find(|(kind, own, _)| *kind == numbering && *own == number).map(|(.., chain)| chain)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_is_read_and_says_who_says_so() {
        let rows: Vec<&str> = BUILT_IN.lines().filter(|line| !line.starts_with('#')).collect();
        for row in &rows {
            let cells: Vec<&str> = row.split('\t').collect();
            assert!(cells.len() == 5 && !cells[4].is_empty(), "{row}");
            assert!(KnownContracts::default().read_row(row).is_some(), "{row}");
        }
        let known = KnownContracts::built_in();
        let count = known.contracts.len() + known.finishers.len() + known.numbers.len() + known.usdc.len();
        assert_eq!(count, rows.len(), "no row stands twice");
    }

    #[test]
    fn a_contract_is_known_on_its_own_chain_and_in_its_own_part_only() {
        let known = KnownContracts::built_in();
        let messenger = "0xBd3fa81B58Ba92a82136038B25aDec7066af3155".parse().unwrap();
        let on = |chain: &str, part| known.verdict(&ChainId::new(chain), messenger, part);
        assert!(matches!(on("1", ContractPart::Called), ContractVerdict::Known { .. }));
        assert_eq!(on("8453", ContractPart::Called), ContractVerdict::Unknown);
        assert_eq!(on("1", ContractPart::Finisher), ContractVerdict::Unknown);
    }
}
