use serde::Deserialize;

use super::DecodedEvent;
use crate::{domain::Address, wire::EvmLog};

/// The topic of `Transfer(address,address,uint256)`: with three topics of an ERC-20 token, with four of an NFT.
pub(super) const TRANSFER: &str = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";

/// What stands before an account of 20 bytes in a word of 32.
const PADDING: &str = "000000000000000000000000";

/// An EVM log in one form, whichever record it is from: hex in lower case.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct ContractLog {
    /// The contract.
    pub address: String,
    /// Up to four words.
    #[serde(default)]
    pub topics: Vec<String>,
    /// Any number of bytes.
    #[serde(default)]
    pub data: String,
}

impl ContractLog {
    /// The logs of a transaction's `evm` event, in order.
    pub fn of_event(event: &DecodedEvent) -> impl Iterator<Item = Self> + '_ {
        let is_wanted = event.kind == "evm";
        let texts = event.attributes.iter().filter(move |(key, _)| is_wanted && key == "log");
        texts.filter_map(|(_, text)| serde_json::from_str::<Self>(text).ok().map(Self::lower))
    }

    /// A log of a receipt.
    pub fn of_receipt(log: &EvmLog) -> Self {
        let topics = log.topics.iter().map(|topic| topic.0.clone()).collect();
        Self { address: log.address.clone(), topics, data: log.data.0.clone() }.lower()
    }

    /// The account that a topic holds; `None` for the zero address, which stands for nobody.
    pub(super) fn party(topic: &str) -> Option<Address> {
        let address = Self::account(topic)?;
        address.bytes().iter().any(|&byte| byte != 0).then_some(address)
    }

    /// The account in a word, the zero address among them; a word with anything before the 20 bytes holds none.
    pub(super) fn account(word: &str) -> Option<Address> {
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
