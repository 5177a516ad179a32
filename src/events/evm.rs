use alloy_primitives::{U256, hex};
use serde::Deserialize;

use super::{keys, names::TRANSFER_TOPIC};
use crate::{
    domain::{Address, Amount},
    wire::EvmLog,
};

/// EVM log in lower-case hex, whatever its source.
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

/// Logs in an `evm` event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct EventLogs {
    /// In order; `None` for an unreadable log.
    pub(crate) logs: Vec<Option<ContractLog>>,
}

/// `Transfer` of an ERC-20 or ERC-721 contract. The zero address means a mint or burn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct LoggedMove {
    pub(crate) contract: Address,
    pub(crate) from: Address,
    pub(crate) to: Address,
    pub(crate) what: Moved,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Moved {
    /// Amount of the contract's token.
    Amount(Amount),
    /// Id of the contract's NFT.
    Nft(U256),
}

impl EventLogs {
    pub(super) fn of<'e>(attributes: impl Iterator<Item = (&'e str, &'e str)>) -> Self {
        let texts = attributes.filter(|(key, _)| keys::LOG.is(key)).map(|(_, text)| text);
        Self { logs: texts.map(|text| serde_json::from_str(text).ok().map(ContractLog::lower)).collect() }
    }
}

impl ContractLog {
    pub fn of_receipt(log: &EvmLog) -> Self {
        let topics = log.topics.iter().map(|topic| topic.0.clone()).collect();
        Self { address: log.address.clone(), topics, data: log.data.0.clone() }.lower()
    }

    fn lower(mut self) -> Self {
        self.address.make_ascii_lowercase();
        self.topics.iter_mut().for_each(|topic| topic.make_ascii_lowercase());
        self.data.make_ascii_lowercase();
        self
    }
}

impl LoggedMove {
    /// Reads a log; `None` for another event or a malformed log. Three topics and a word mean an amount; four topics
    /// without data mean an NFT.
    pub(crate) fn of(log: &ContractLog) -> Option<Self> {
        let (first, rest) = log.topics.split_first()?;
        if !first.eq_ignore_ascii_case(TRANSFER_TOPIC) {
            return None;
        }
        let (from, to, what) = match rest {
            [from, to] => (from, to, Moved::Amount(Amount::new(number(&log.data)?))),
            [from, to, id] if matches!(&*log.data, "" | "0x") => (from, to, Moved::Nft(number(id)?)),
            _ => return None,
        };
        let contract = log.address.parse().ok().filter(|contract| matches!(contract, Address::Short(_)))?;
        Some(Self { contract, from: account(from)?, to: account(to)?, what })
    }

    /// Returns the sender; `None` for a mint.
    pub(crate) fn sender(&self) -> Option<Address> {
        party(self.from)
    }

    /// Returns the recipient; `None` for a burn.
    pub(crate) fn recipient(&self) -> Option<Address> {
        party(self.to)
    }

    pub(crate) fn amount(&self) -> Option<Amount> {
        match self.what {
            Moved::Amount(amount) => Some(amount),
            Moved::Nft(_) => None,
        }
    }

    pub(crate) fn nft(&self) -> Option<U256> {
        match self.what {
            Moved::Nft(id) => Some(id),
            Moved::Amount(_) => None,
        }
    }
}

/// Returns the account; `None` for the zero address of mints and burns.
pub(crate) fn party(account: Address) -> Option<Address> {
    account.bytes().iter().any(|&byte| byte != 0).then_some(account)
}

/// Returns the account in a word; `None` if its first 12 bytes are not zero.
pub(crate) fn account(word: &str) -> Option<Address> {
    let word: [u8; 32] = hex::decode_to_array(word).ok()?;
    let (padding, account) = word.split_at(12);
    Address::from_bytes(account).filter(|_| padding.iter().all(|&byte| byte == 0))
}

pub(crate) fn number(word: &str) -> Option<U256> {
    hex::decode_to_array(word).ok().map(U256::from_be_bytes::<32>)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn topic(last: &str) -> String {
        format!("0x{last:0>64}")
    }

    fn log(topics: &[&str], data: &str) -> String {
        format!("{{\"address\":\"0x{:0>40}\",\"topics\":{topics:?},\"data\":\"{data}\"}}", "c")
    }

    #[test]
    fn coins_and_nfts_are_told_apart_by_topics_and_data() {
        let read =
            |text: &str| EventLogs::of([("log", text)].into_iter()).logs.first()?.as_ref().and_then(LoggedMove::of);
        let (from, to, id) = (topic("a"), topic("b"), topic("1f"));
        let coins = read(&log(&[TRANSFER_TOPIC, &from, &to], &topic("64"))).unwrap();
        assert_eq!(coins.amount(), Some(Amount::from(100)));
        let nft = read(&log(&[TRANSFER_TOPIC, &from, &to, &id], "0x")).unwrap();
        assert!(nft.nft() == Some(U256::from(31)) && nft.recipient().is_some());
        let burned = read(&log(&[TRANSFER_TOPIC, &from, &topic("0"), &id], "0x")).unwrap();
        assert_eq!((burned.sender().is_some(), burned.recipient()), (true, None));
        let padded = topic(&format!("1{:0>40}", "a"));
        for other in [
            log(&[TRANSFER_TOPIC], &format!("0x{}", "0".repeat(192))),
            log(&[TRANSFER_TOPIC, &from, &to, &id], &topic("1")),
            log(&[TRANSFER_TOPIC, &from, &to], "0x"),
            log(&[&id, &from, &to], &topic("64")),
            log(&[TRANSFER_TOPIC, "0x12", &to], &topic("64")),
            log(&[TRANSFER_TOPIC, &padded, &to], &topic("64")),
            "no log".to_owned(),
        ] {
            assert!(read(&other).is_none(), "{other}");
        }
    }
}
