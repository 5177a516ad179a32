//! Meaning of a log by its first topic and its form (`docs/apis/story.md` §2.2 and §7.2).

use alloy_primitives::{U256, hex};

use super::{Short, TokenMove, items::batch, last_twenty};
use crate::{
    domain::{Address, Amount},
    events::names::{DEPOSIT_TOPIC, TRANSFER_BATCH_TOPIC, TRANSFER_SINGLE_TOPIC, TRANSFER_TOPIC, WITHDRAWAL_TOPIC},
    story::ContractLog,
};

/// Ownership change in a log.
pub(super) enum LogMeaning {
    /// ERC-20 transfer.
    Moved(TokenMove),
    /// Wrapping or unwrapping of coins, as WETH logs it.
    Wrapped(TokenMove),
    /// ERC-721 transfer.
    Nft { contract: Short, from: Option<Short>, to: Option<Short>, id: U256 },
    /// ERC-1155 transfer: ids with counts.
    Items { contract: Short, from: Option<Short>, to: Option<Short>, items: Vec<(U256, U256)> },
    /// Any other event, or a non-standard form.
    Other,
}

pub(super) fn meaning(log: &ContractLog) -> LogMeaning {
    let known = [TRANSFER_TOPIC, TRANSFER_SINGLE_TOPIC, TRANSFER_BATCH_TOPIC, DEPOSIT_TOPIC, WITHDRAWAL_TOPIC];
    let first = log.topics.first().and_then(|first| known.into_iter().find(|topic| first.eq_ignore_ascii_case(topic)));
    first.and_then(|topic| read(log, topic)).unwrap_or(LogMeaning::Other)
}

fn read(log: &ContractLog, topic: &str) -> Option<LogMeaning> {
    let words: Vec<[u8; 32]> =
        log.topics.iter().skip(1).map(|topic| hex::decode_to_array(topic).ok()).collect::<Option<_>>()?;
    let Address::Short(contract) = log.address.parse().ok()? else { return None };
    // The third word of an ERC-721 transfer is an id; multi-token transfers begin with the operator.
    let parties = if topic == TRANSFER_TOPIC { words.get(..2) } else { words.get(..) };
    if !parties.unwrap_or_default().iter().all(is_account) {
        return None;
    }
    match (topic, words.as_slice()) {
        (TRANSFER_TOPIC, [from, to]) => {
            let amount = one_word(&log.data)?;
            Some(LogMeaning::Moved(TokenMove { contract, from: party(from), to: party(to), amount }))
        }
        (TRANSFER_TOPIC, [from, to, id]) if matches!(log.data.as_str(), "" | "0x") => {
            Some(LogMeaning::Nft { contract, from: party(from), to: party(to), id: U256::from_be_bytes(*id) })
        }
        (TRANSFER_SINGLE_TOPIC | TRANSFER_BATCH_TOPIC, [_, from, to]) => {
            let data = words_of(&log.data)?;
            let items = if topic == TRANSFER_BATCH_TOPIC { batch(&data)? } else { single(&data)? };
            Some(LogMeaning::Items { contract, from: party(from), to: party(to), items })
        }
        (DEPOSIT_TOPIC, [to]) => {
            let amount = one_word(&log.data)?;
            Some(LogMeaning::Wrapped(TokenMove { contract, from: None, to: party(to), amount }))
        }
        (WITHDRAWAL_TOPIC, [from]) => {
            let amount = one_word(&log.data)?;
            Some(LogMeaning::Wrapped(TokenMove { contract, from: party(from), to: None, amount }))
        }
        _ => None,
    }
}

/// Whether a word holds an account: its first 12 bytes are zero.
fn is_account(word: &[u8; 32]) -> bool {
    word.iter().take(12).all(|&byte| byte == 0)
}

/// Returns the account in a word; `None` for the zero address.
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
