//! Puts a stranger in the place of an account that a transaction's messages name, in every form that messages write
//! accounts in: bech32, hex, words of a call's input, arguments in base64, text within either.

use std::collections::BTreeSet;

use alloy_primitives::hex;
use base64::{Engine, prelude::BASE64_STANDARD};
use rollscope::{
    domain::Address,
    story::{AccountPlace, Word},
};

/// Nobody in any record.
pub(super) const STRANGER: Address = Address::Short([0xee; 20]);
/// The account in the long form, which logs also write.
const LONG: Address = Address::Long([0xee; 32]);
/// Zeros before an account in a word of a call's input.
const PADDING: &str = "000000000000000000000000";

/// The stranger in the place of an account, in the same form and of the same length.
fn stranger_for(account: &str) -> Option<String> {
    let address: Address = account.parse().ok()?;
    let stranger = if matches!(address, Address::Long(_)) { LONG } else { STRANGER };
    let written = if account.starts_with("0x") { stranger.hex() } else { stranger.bech32() };
    (written.len() == account.len()).then_some(written)
}

/// The stranger in every form that a sentence may write an account in.
pub(super) fn words() -> [Word; 6] {
    let account = |address, place| Word::Account { address, label: None, place };
    [
        account(STRANGER, AccountPlace::Here),
        account(STRANGER, AccountPlace::Elsewhere),
        account(LONG, AccountPlace::Contract),
        Word::Foreign(STRANGER.checksummed()),
        Word::Code(format!("{}::coin::transfer", LONG.hex())),
        Word::Text(format!(" to {}", STRANGER.bech32()).into()),
    ]
}

/// Whether a text in small letters names the stranger.
pub(super) fn is_named_in(text: &str) -> bool {
    text.contains(&STRANGER.hex()[2..]) || text.contains(&STRANGER.bech32()) || text.contains(&LONG.bech32())
}

/// The accounts in a text.
fn accounts(text: &str) -> BTreeSet<&str> {
    let words = text.split(|sign: char| !sign.is_ascii_alphanumeric());
    words.filter(|word| word.len() >= 42 && stranger_for(word).is_some()).collect()
}

/// What to put in the place of what, in bytes that were text.
fn within(bytes: &[u8]) -> Vec<Vec<u8>> {
    let text = String::from_utf8_lossy(bytes);
    let all = accounts(&text).into_iter().filter_map(|account| {
        let stranger = stranger_for(account)?;
        let place = bytes.windows(account.len()).position(|part| part == account.as_bytes())?;
        let mut changed = bytes.to_vec();
        changed[place..place + account.len()].copy_from_slice(stranger.as_bytes());
        Some(changed)
    });
    all.collect()
}

/// A call's input, with each account in it changed in turn.
fn inputs(word: &str) -> Vec<String> {
    let Some(digits) = word.strip_prefix("0x").filter(|digits| digits.len() > 64) else { return Vec::new() };
    let mut all: BTreeSet<String> = BTreeSet::new();
    for place in 0..digits.len().saturating_sub(64) {
        let Some(account) = digits.get(place..place + 64).and_then(|word| word.strip_prefix(PADDING)) else { continue };
        // Words of a call within a call begin behind its selector of four bytes.
        if place % 8 == 0 && !account.starts_with("00000000") && !account.ends_with("00000000") {
            all.insert(word.replace(account, &STRANGER.hex()[2..]));
        }
    }
    let texts = hex::decode(digits).map(|bytes| within(&bytes)).unwrap_or_default();
    all.into_iter().chain(texts.into_iter().map(hex::encode_prefixed)).collect()
}

/// An argument in base64, with each account in it changed in turn.
fn arguments(word: &str) -> Vec<String> {
    let Ok(bytes) = BASE64_STANDARD.decode(word) else { return Vec::new() };
    let whole = (bytes.len() == 32).then(|| LONG.bytes().to_vec());
    whole.into_iter().chain(within(&bytes)).map(|bytes| BASE64_STANDARD.encode(bytes)).collect()
}

/// Every way to put the stranger in the place of one account that the messages name.
pub(super) fn instead(messages: &str) -> Vec<String> {
    let named = accounts(messages).into_iter().filter_map(|account| Some((account, stranger_for(account)?)));
    let hex_words = messages.split(|sign: char| !sign.is_ascii_alphanumeric()).collect::<BTreeSet<_>>();
    let of_inputs = hex_words.into_iter().flat_map(|word| inputs(word).into_iter().map(move |new| (word, new)));
    let is_base64 = |sign: char| sign.is_ascii_alphanumeric() || "+/=".contains(sign);
    let words = messages.split(|sign: char| !is_base64(sign)).filter(|word| word.len() >= 28);
    let words = words.collect::<BTreeSet<_>>();
    let of_arguments = words.into_iter().flat_map(|word| arguments(word).into_iter().map(move |new| (word, new)));
    named.chain(of_inputs).chain(of_arguments).map(|(old, new)| messages.replace(old, &new)).collect()
}
