//! Meaning of a log by its first topic and its shape (`docs/apis/story.md` §2.2 and §7.2).

use alloy_primitives::{U256, hex};

use super::items::batch;
use crate::{
    domain::{Address, Amount},
    events::{
        evm::{LoggedMove, Moved, account, number, party},
        names::{DEPOSIT_TOPIC, TRANSFER_BATCH_TOPIC, TRANSFER_SINGLE_TOPIC, WITHDRAWAL_TOPIC},
    },
    story::ContractLog,
};

/// Zero address: the other side of a wrapping.
const NOBODY: Address = Address::Short([0; 20]);

pub(super) enum LogMeaning {
    /// ERC-20 or ERC-721 transfer.
    Moved(LoggedMove),
    /// Wrapping or unwrapping of coins, as WETH logs it.
    Wrapped(LoggedMove),
    /// ERC-1155 transfer: ids with counts.
    Items { contract: Address, from: Option<Address>, to: Option<Address>, items: Vec<(U256, U256)> },
    /// Any other event, or an event in a non-standard format.
    Other,
}

pub(super) fn meaning(log: &ContractLog) -> LogMeaning {
    if let Some(moved) = LoggedMove::of(log) {
        return LogMeaning::Moved(moved);
    }
    let known = [TRANSFER_SINGLE_TOPIC, TRANSFER_BATCH_TOPIC, DEPOSIT_TOPIC, WITHDRAWAL_TOPIC];
    let first = log.topics.first().and_then(|first| known.into_iter().find(|topic| first.eq_ignore_ascii_case(topic)));
    first.and_then(|topic| read(log, topic)).unwrap_or(LogMeaning::Other)
}

fn read(log: &ContractLog, topic: &str) -> Option<LogMeaning> {
    let accounts: Vec<Address> = log.topics.iter().skip(1).map(|topic| account(topic)).collect::<Option<_>>()?;
    let contract = log.address.parse().ok().filter(|contract| matches!(contract, Address::Short(_)))?;
    let wrapped = |from: Address, to: Address| {
        let what = Moved::Amount(Amount::new(number(&log.data)?));
        Some(LogMeaning::Wrapped(LoggedMove { contract, from, to, what }))
    };
    match (topic, accounts.as_slice()) {
        (TRANSFER_SINGLE_TOPIC | TRANSFER_BATCH_TOPIC, [_, from, to]) => {
            let data = words_of(&log.data)?;
            let items = if topic == TRANSFER_BATCH_TOPIC { batch(&data)? } else { single(&data)? };
            Some(LogMeaning::Items { contract, from: party(*from), to: party(*to), items })
        }
        (DEPOSIT_TOPIC, [to]) => wrapped(NOBODY, *to),
        (WITHDRAWAL_TOPIC, [from]) => wrapped(*from, NOBODY),
        _ => None,
    }
}

fn single(data: &[U256]) -> Option<Vec<(U256, U256)>> {
    match data {
        [id, count] => Some(vec![(*id, *count)]),
        _ => None,
    }
}

fn words_of(data: &str) -> Option<Vec<U256>> {
    let bytes = hex::decode(data).ok()?;
    bytes.chunks(32).map(|word| word.try_into().ok().map(U256::from_be_bytes::<32>)).collect()
}
