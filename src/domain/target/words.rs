//! Decoration around a pasted value: quotes, brackets, punctuation, a word that names its kind.

use super::{Target, TargetKind, addresses, bare, hashes, slashed_denom, token};
use crate::domain::{Denom, Height, NumberedTransfer};

/// Characters that may surround a pasted value.
const DECORATION: &[char] = &[
    '"', '\'', '`', '“', '”', '‘', '’', '«', '»', '(', ')', '[', ']', '{', '}', '<', '>', ',', ';', '.', ':', '!', '?',
    '#', '*', '|', '=',
];

/// Separators between groups of digits.
const SEPARATORS: &[char] = &[',', ' ', '\'', '’', '\u{a0}', '\u{202f}'];

/// Removes the decoration around a text.
pub(super) fn strip(text: &str) -> &str {
    text.trim_matches(|c: char| c.is_whitespace() || DECORATION.contains(&c))
}

/// Whether a text starts with `0x`.
pub(super) fn is_prefixed(text: &str) -> bool {
    text.starts_with("0x") || text.starts_with("0X")
}

/// Returns the digits after `0x`, if the text starts with `0x`.
pub(super) fn without_prefix(text: &str) -> &str {
    if is_prefixed(text) { text.get(2..).unwrap_or_default() } else { text }
}

/// Parses a height with separators between groups of three digits, or with `_` at any place. `12 34` is two heights.
pub(super) fn height(value: &str) -> Option<Height> {
    if !value.starts_with(|c: char| c.is_ascii_digit()) || value.len() > 40 {
        return None;
    }
    let groups: Vec<&str> = value.split(SEPARATORS).collect();
    let is_grouped = groups.iter().enumerate().all(|(place, group)| {
        let digits = group.bytes().filter(u8::is_ascii_digit).count();
        group.bytes().all(|byte| byte.is_ascii_digit() || byte == b'_')
            && (groups.len() == 1 || digits == 3 || place == 0 && (1..=3).contains(&digits))
    });
    is_grouped.then(|| groups.concat().parse().ok()).flatten()
}

/// Parses a value after a word that names its kind: `block 5000`, `tx:HASH`, `height=7`, `denom uinit`.
pub(super) fn named(text: &str) -> Vec<Target> {
    let Some(end) = text.find([':', '=', '#', ' ']) else { return Vec::new() };
    let (word, value) = text.split_at(end);
    let value = value.trim_start_matches([':', '=', '#', ' ']).trim_end();
    let stripped = strip(value);
    if stripped.is_empty() {
        return Vec::new();
    }
    match word.to_ascii_lowercase().as_str() {
        "tx" | "txn" | "txs" | "transaction" | "txhash" | "tx_hash" | "hash" => hashes(stripped),
        "height" | "blk" => height(stripped).map(Target::Block).into_iter().collect(),
        "address" | "addr" | "contract" | "wallet" | "owner" | "sender" | "signer" => addresses(stripped),
        "nft" => token(value).map_or_else(|| of_kind(TargetKind::Collection, stripped), |token| vec![token]),
        "coin" | "asset" | "richlist" | "rich-list" | "holders" => of_kind(TargetKind::Denom, stripped),
        "network" => of_kind(TargetKind::Chain, stripped),
        word => match (word.parse::<TargetKind>(), value) {
            // A token id may contain any character.
            (Ok(TargetKind::Token), value) => token(value).into_iter().collect(),
            (Ok(TargetKind::Denom), value) => of_kind(TargetKind::Denom, value),
            (Ok(TargetKind::Withdrawal), _) => numbered(stripped, NumberedTransfer::Withdrawal),
            (Ok(TargetKind::Deposit), _) => numbered(stripped, NumberedTransfer::Deposit),
            (Ok(TargetKind::Packet), _) => numbered(stripped, NumberedTransfer::Packet),
            (Ok(kind), _) => of_kind(kind, stripped),
            (Err(_), _) => Vec::new(),
        },
    }
}

fn numbered(value: &str, of: fn(u64) -> NumberedTransfer) -> Vec<Target> {
    height(value).map(|number| Target::Transfer(of(number.get()))).into_iter().collect()
}

fn of_kind(kind: TargetKind, value: &str) -> Vec<Target> {
    let is_word = !value.is_empty() && value.len() <= 128 && !value.contains(char::is_whitespace);
    match kind {
        TargetKind::Denom if is_word => {
            vec![Target::Denom(slashed_denom(value).unwrap_or_else(|| Denom::new(value)))]
        }
        TargetKind::Chain if is_word => vec![Target::Chain(value.to_owned())],
        TargetKind::Denom | TargetKind::Chain => Vec::new(),
        _ => bare(value).into_iter().filter(|target| target.kind() == kind).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::classify;

    #[test]
    fn heights_are_read_however_they_are_written() {
        for text in [
            "5000",
            "5,000",
            "5_000",
            "5 000",
            "5'000",
            "#5000",
            "block 5000",
            "Height=5000",
            "block #5,000",
            "“5000”.",
            "(5000)",
            "[5000],",
            "BLOCK: 5000",
        ] {
            assert_eq!(classify(text), Ok(vec![Target::Block(Height::new(5000).unwrap())]), "{text}");
        }
        for text in ["12 34", "1, 2", "5000 6000", "1,23", "5000x"] {
            assert_eq!(height(text), None, "{text}");
        }
    }

    #[test]
    fn a_word_before_the_value_narrows_what_it_may_be() {
        let digits = "ab".repeat(32);
        let kinds = |text: &str| -> Vec<TargetKind> { classify(text).unwrap().iter().map(Target::kind).collect() };
        assert_eq!(kinds(&format!("tx:{digits}")), [TargetKind::Tx, TargetKind::EvmTx]);
        assert_eq!(kinds(&format!("evm-tx 0X{digits}")), [TargetKind::EvmTx]);
        assert_eq!(kinds(&format!("account {digits}")), [TargetKind::Account]);
        assert_eq!(kinds(&format!("contract: {digits}")), [TargetKind::Account, TargetKind::Collection]);
        assert_eq!(kinds("denom GAS"), [TargetKind::Denom]);
        assert_eq!(kinds("chain evm-1"), [TargetKind::Chain]);
        assert_eq!(kinds(&format!("nft {digits}/a b")), [TargetKind::Token]);
    }
}
