use serde::Deserialize;

use super::{DecodedEvent, keys};
use crate::{domain::Address, wire::EvmLog};

/// Padding before a 20-byte account in a 32-byte word.
const PADDING: &str = "000000000000000000000000";

/// EVM log in one form for all sources: lower-case hex.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct ContractLog {
    pub address: String,
    /// Up to four words.
    #[serde(default)]
    pub topics: Vec<String>,
    /// Any number of bytes.
    #[serde(default)]
    pub data: String,
}

impl ContractLog {
    /// Returns the logs in a transaction's `evm` event, in order.
    pub fn of_event(event: &DecodedEvent) -> impl Iterator<Item = Self> + '_ {
        let is_wanted = event.kind == "evm";
        let texts = event.attributes.iter().filter(move |(key, _)| is_wanted && keys::LOG.is(key));
        texts.filter_map(|(_, text)| serde_json::from_str::<Self>(text).ok().map(Self::lower))
    }

    pub fn of_receipt(log: &EvmLog) -> Self {
        let topics = log.topics.iter().map(|topic| topic.0.clone()).collect();
        Self { address: log.address.clone(), topics, data: log.data.0.clone() }.lower()
    }

    /// Returns the account in a topic; `None` for the zero address.
    pub(crate) fn party(topic: &str) -> Option<Address> {
        let address = Self::account(topic)?;
        address.bytes().iter().any(|&byte| byte != 0).then_some(address)
    }

    /// Returns the account in a word, including the zero address; `None` if the padding is not zero.
    pub(crate) fn account(word: &str) -> Option<Address> {
        let digits = word.strip_prefix("0x")?.strip_prefix(PADDING)?;
        if digits.len() == 40 { format!("0x{digits}").parse().ok() } else { None }
    }

    fn lower(mut self) -> Self {
        self.address.make_ascii_lowercase();
        self.topics.iter_mut().for_each(|topic| topic.make_ascii_lowercase());
        self.data.make_ascii_lowercase();
        self
    }
}
