//! Looks in the plain record for what a sentence says: its accounts, amounts and ids, in whatever form records write
//! them. It knows nothing of how the sentence was made.

use std::collections::BTreeMap;

use alloy_primitives::U256;
use rollscope::{
    domain::Address,
    story::{Sentence, Style, Word, text_of},
};
use serde_json::Value;

use super::strangers;

/// The events that may speak of a message: its own, and those that are of none.
fn of_message(events: &[Value], message: usize) -> Vec<&Value> {
    let number = |event: &Value| {
        let attributes = event["attributes"].as_array()?;
        let index = attributes.iter().find(|attribute| attribute["key"] == "msg_index")?;
        index["value"].as_str()?.parse::<usize>().ok()
    };
    events.iter().filter(|event| number(event).is_none_or(|number| number == message)).collect()
}

/// What a sentence says that was shown by the events as they were and is shown by none that is left, and whoever it
/// names that none of them ever named.
pub(crate) fn unwitnessed(sentence: &Sentence, whole: &[Value], left: &[Value]) -> Vec<String> {
    let (whole, left) = (Shown::by(whole, sentence.message), Shown::by(left, sentence.message));
    let said = || text_of(&sentence.phrases, Style::Exact);
    let missing = sentence.phrases.iter().filter_map(|phrase| match &phrase.word {
        Word::Account { address, .. } => (whole.account(*address) && !left.account(*address)).then(|| address.bech32()),
        Word::Coin { coin, .. } => {
            let amount = coin.amount.get();
            (whole.number(amount) && !left.number(amount)).then(|| amount.to_string())
        }
        Word::Code(code) => {
            let id = code.parse::<U256>().ok()?;
            (whole.number(id) && !left.number(id)).then(|| code.clone())
        }
        _ => None,
    });
    let is_stranger = strangers::is_named_in(&said().to_lowercase()) && !strangers::is_named_in(&left.text);
    let missing = missing.chain(is_stranger.then(|| "the stranger".to_owned()));
    missing.map(|missing| format!("no event has {missing}, of “{}”", said())).collect()
}

/// What the events of a message show.
struct Shown {
    text: String,
    sums: Vec<U256>,
}

impl Shown {
    fn by(events: &[Value], message: usize) -> Self {
        let events = of_message(events, message);
        let text = events.iter().map(|event| event["attributes"].to_string().to_lowercase()).collect();
        Self { text, sums: sums(&events) }
    }

    fn account(&self, address: Address) -> bool {
        shows_account(&self.text, address)
    }

    fn number(&self, number: U256) -> bool {
        shows_number(&self.text, &self.sums, number)
    }
}

pub(crate) fn shows_account(text: &str, address: Address) -> bool {
    let hex = alloy_primitives::hex::encode(address.tail());
    // Move leaves out the zeros at the beginning of an address.
    let short = hex.trim_start_matches('0');
    text.contains(&address.bech32()) || text.contains(&hex) || text.contains(&format!("0x{short}"))
}

pub(crate) fn shows_number(text: &str, sums: &[U256], number: U256) -> bool {
    let decimal = number.to_string();
    let is_whole = |(place, _): (usize, &str)| {
        let is_digit = |sign: Option<char>| sign.is_some_and(|sign| sign.is_ascii_digit());
        let after = text.get(place + decimal.len()..).and_then(|rest| rest.chars().next());
        let before = text.get(..place).and_then(|head| head.chars().next_back());
        !is_digit(before) && !is_digit(after)
    };
    number.is_zero()
        || text.match_indices(decimal.as_str()).any(is_whole)
        || text.contains(&format!("{number:064x}"))
        || sums.contains(&number)
}

/// What amounts of one kind come to: of a contract's logs, or of one attribute of one kind of event. A payment to many,
/// or what is left after a part came back, is told in one sum.
fn sums(events: &[&Value]) -> Vec<U256> {
    let mut groups: BTreeMap<String, Vec<U256>> = BTreeMap::new();
    for event in events {
        let kind = event["type"].as_str().unwrap_or_default();
        for attribute in event["attributes"].as_array().into_iter().flatten() {
            let (key, value) = (attribute["key"].as_str().unwrap_or_default(), attribute["value"].as_str());
            let value = value.unwrap_or_default();
            if let Ok(log) = serde_json::from_str::<Value>(value)
                && let Some(data) = log["data"].as_str().filter(|data| data.len() == 66)
                && let Ok(word) = U256::from_str_radix(&data[2..], 16)
            {
                groups.entry(log["address"].to_string()).or_default().push(word);
                continue;
            }
            for coin in value.split(',') {
                let end = coin.find(|sign: char| !sign.is_ascii_digit()).unwrap_or(coin.len());
                let (digits, denom) = coin.split_at(end);
                if let Ok(amount) = digits.parse::<U256>() {
                    groups.entry(format!("{kind} {key} {denom}")).or_default().push(amount);
                }
            }
        }
    }
    groups.into_values().flat_map(|amounts| runs(&amounts)).collect()
}

/// The sums of neighbours, and the differences of two.
fn runs(amounts: &[U256]) -> Vec<U256> {
    const MOST: usize = 80;
    let amounts = &amounts[..amounts.len().min(MOST)];
    let mut all = Vec::new();
    for start in 0..amounts.len() {
        let mut sum = U256::ZERO;
        for (place, amount) in amounts.iter().enumerate().skip(start) {
            sum = sum.saturating_add(*amount);
            all.push(sum);
            all.extend(amounts[start].checked_sub(*amount).filter(|_| place > start));
        }
    }
    all
}
