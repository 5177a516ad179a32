//! What a log says, by its first topic and its form (`docs/apis/story.md` §2.2 and §7.2).

use alloy_primitives::{U256, hex};

use super::{Short, TokenMove, items::batch, last_twenty};
use crate::{
    domain::{Address, Amount},
    story::{ContractLog, log::TRANSFER},
};

const TRANSFER_SINGLE: &str = "0xc3d58168c5ae7397731d063d5bbf3d657854427343f4c083240f7aacaa2d0f62";
const TRANSFER_BATCH: &str = "0x4a39dc06d4c0dbc64b70af90fd698a233a518aa5d07e595d983b8c0526c8f7fb";
const DEPOSIT: &str = "0xe1fffcc4923d04b559f4d29a8bfc6cda04eb5b0d3c460751c2402c5c5cc9109c";
const WITHDRAWAL: &str = "0x7fcf532c15f0a6db0bd6d0e038bea71d30d808c7d98cb3bf7268a95bf5081b65";

/// What a log says of who has what.
pub(super) enum LogMeaning {
    /// An ERC-20 movement.
    Moved(TokenMove),
    /// Coins were wrapped or unwrapped, as WETH logs it.
    Wrapped(TokenMove),
    /// An ERC-721 movement.
    Nft { contract: Short, from: Option<Short>, to: Option<Short>, id: U256 },
    /// An ERC-1155 movement: ids and how many of each.
    Items { contract: Short, from: Option<Short>, to: Option<Short>, items: Vec<(U256, U256)> },
    /// Nothing of that, or in a form that no standard has.
    Other,
}

pub(super) fn meaning(log: &ContractLog) -> LogMeaning {
    let known = [TRANSFER, TRANSFER_SINGLE, TRANSFER_BATCH, DEPOSIT, WITHDRAWAL];
    let first = log.topics.first().and_then(|first| known.into_iter().find(|topic| first.eq_ignore_ascii_case(topic)));
    first.and_then(|topic| read(log, topic)).unwrap_or(LogMeaning::Other)
}

fn read(log: &ContractLog, topic: &str) -> Option<LogMeaning> {
    let words: Vec<[u8; 32]> =
        log.topics.iter().skip(1).map(|topic| hex::decode_to_array(topic).ok()).collect::<Option<_>>()?;
    let Address::Short(contract) = log.address.parse().ok()? else { return None };
    // The third word of a movement is an id; that of items begins with who moved them.
    let parties = if topic == TRANSFER { words.get(..2) } else { words.get(..) };
    if !parties.unwrap_or_default().iter().all(is_account) {
        return None;
    }
    match (topic, words.as_slice()) {
        (TRANSFER, [from, to]) => {
            let amount = one_word(&log.data)?;
            Some(LogMeaning::Moved(TokenMove { contract, from: party(from), to: party(to), amount }))
        }
        (TRANSFER, [from, to, id]) if matches!(log.data.as_str(), "" | "0x") => {
            Some(LogMeaning::Nft { contract, from: party(from), to: party(to), id: U256::from_be_bytes(*id) })
        }
        (TRANSFER_SINGLE | TRANSFER_BATCH, [_, from, to]) => {
            let data = words_of(&log.data)?;
            let items = if topic == TRANSFER_BATCH { batch(&data)? } else { single(&data)? };
            Some(LogMeaning::Items { contract, from: party(from), to: party(to), items })
        }
        (DEPOSIT, [to]) => {
            let amount = one_word(&log.data)?;
            Some(LogMeaning::Wrapped(TokenMove { contract, from: None, to: party(to), amount }))
        }
        (WITHDRAWAL, [from]) => {
            let amount = one_word(&log.data)?;
            Some(LogMeaning::Wrapped(TokenMove { contract, from: party(from), to: None, amount }))
        }
        _ => None,
    }
}

/// Whether a word holds an account: nothing stands before its 20 bytes.
fn is_account(word: &[u8; 32]) -> bool {
    word.iter().take(12).all(|&byte| byte == 0)
}

/// The account in a word; nobody for the zero address.
fn party(word: &[u8; 32]) -> Option<Short> {
    let account = last_twenty(word);
    account.iter().any(|&byte| byte != 0).then_some(account)
}

fn one_word(data: &str) -> Option<Amount> {
    hex::decode_to_array(data).ok().map(|word| Amount::new(U256::from_be_bytes::<32>(word)))
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
