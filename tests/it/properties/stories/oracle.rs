//! Judges what is told by the record's JSON: amounts, accounts and ids in the events of a message, sums of the bank,
//! and the outcome. It knows nothing of how rollscope reads events.

use std::collections::BTreeMap;

use alloy_primitives::{I256, U256, hex};
use rollscope::{
    domain::{Address, Vm},
    story::{Phrase, Sentence, SentenceKind, Style, Word, text_of},
};
use serde_json::Value;
use sha3::{Digest, Sha3_256};

use super::{Source, kinds::Variant};
use crate::story::evidence::witness::{shows_account, shows_number, unwitnessed};

/// What is said of a record.
#[derive(Clone)]
pub(super) struct Told {
    pub(super) sentences: Vec<Sentence>,
    /// How many changes of balances are shown.
    pub(super) balances: usize,
    pub(super) is_conserved: bool,
    pub(super) explanation: String,
}

/// What is told of a variant and is not so.
pub(super) fn false_statements(source: &Source, variant: &Variant, told: &Told) -> Vec<String> {
    let record = &variant.source;
    let done = || told.sentences.iter().filter(|sentence| sentence.kind != SentenceKind::Asked);
    let text = |sentence: &Sentence| text_of(&sentence.phrases, Style::Exact);
    let mut found = Vec::new();
    if !record.is_success() {
        found.extend(done().map(|sentence| format!("it failed, but “{}”", text(sentence))));
        found.extend((told.balances > 0).then(|| "it failed, but balances changed".to_owned()));
    }
    if record.is_success() && told.is_conserved && !adds_up(record) {
        found.push("the events do not add up, but are told as complete".to_owned());
    }
    let left = attributed(record.events());
    // Fee and signature come before the messages, and prove who signed.
    let signed = record.events().iter().filter(|event| event["type"] == "tx").cloned();
    let with_signature: Vec<Value> = left.iter().cloned().chain(signed).collect();
    for sentence in done() {
        let index = sentence.message.to_string();
        let has_events = left.iter().any(|event| attributes(event, "msg_index").next() == Some(&index));
        found.extend((!has_events).then(|| format!("no event at all shows “{}”", text(sentence))));
        found.extend(unwitnessed(sentence, source.events(), &with_signature));
        found.extend(without_side(sentence, &left));
        let stranger = variant.stranger.as_ref().filter(|_| sentence.kind == SentenceKind::Proven);
        found.extend(
            stranger
                .filter(|stranger| rests_on(sentence, &left, stranger))
                .map(|_| format!("only a stranger shows “{}”, which is told as proven", text(sentence))),
        );
    }
    let summed = done().filter(|sentence| variant.sum.is_some_and(|sum| tells_sum(sentence, sum)));
    found.extend(summed.map(|sentence| format!("a payment of somebody else is in “{}”", text(sentence))));
    let explanation = without_quotes(&told.explanation, variant.is_quotable);
    found.extend(
        variant
            .imitation
            .filter(|mark| explanation.contains(mark))
            .map(|_| format!("the sender's text decides: {}", told.explanation)),
    );
    let lacks = |word: &&String| !told.explanation.contains(word.as_str());
    found.extend(variant.cause.iter().filter(lacks).map(|word| format!("{word} is lost: {}", told.explanation)));
    found
}

/// The events that the chain gives to a message: each with its last `msg_index` alone, since contracts may write one
/// before.
fn attributed(events: &[Value]) -> Vec<Value> {
    let one = |event: &Value| {
        let mut attributes = event["attributes"].as_array()?.clone();
        let last = attributes.iter().rposition(|attribute| attribute["key"] == "msg_index")?;
        let index = attributes.swap_remove(last);
        attributes.retain(|attribute| attribute["key"] != "msg_index");
        attributes.push(index);
        let mut event = event.clone();
        event["attributes"] = Value::from(attributes);
        Some(event)
    };
    events.iter().filter_map(one).collect()
}

fn attributes<'a>(event: &'a Value, wanted: &'a str) -> impl Iterator<Item = &'a str> {
    let all = event["attributes"].as_array().into_iter().flatten();
    all.filter(move |attribute| attribute["key"] == wanted).filter_map(|attribute| attribute["value"].as_str())
}

/// Whether what came is what went and was made, by the bank on Wasm and by the asset events on Move. On the EVM each
/// log has both sides.
fn adds_up(record: &Source) -> bool {
    let mut sums: BTreeMap<String, I256> = BTreeMap::new();
    let mut add = |token: String, amount: Option<U256>, is_more: bool| {
        let amount = amount.and_then(|amount| I256::try_from(amount).ok()).unwrap_or_default();
        *sums.entry(token).or_default() += if is_more { amount } else { -amount };
    };
    for event in record.events() {
        match (record.vm, event["type"].as_str().unwrap_or_default()) {
            (Some(Vm::Wasm), kind @ ("coin_received" | "coin_spent" | "coinbase" | "burn")) => {
                for coin in attributes(event, "amount").flat_map(|coins| coins.split(',')) {
                    let end = coin.find(|sign: char| !sign.is_ascii_digit()).unwrap_or(coin.len());
                    add(coin[end..].to_owned(), coin[..end].parse().ok(), matches!(kind, "coin_received" | "burn"));
                }
            }
            (Some(Vm::Move), "move") => {
                let name =
                    attributes(event, "type_tag").next().and_then(|tag| tag.strip_prefix("0x1::fungible_asset::"));
                let Some(name @ ("DepositEvent" | "WithdrawEvent" | "MintEvent" | "BurnEvent")) = name else {
                    continue;
                };
                let data: Value = attributes(event, "data")
                    .next()
                    .and_then(|data| serde_json::from_str(data).ok())
                    .unwrap_or_default();
                let amount = data["amount"].as_str().and_then(|amount| amount.parse().ok());
                add(data["metadata_addr"].to_string(), amount, matches!(name, "DepositEvent" | "BurnEvent"));
            }
            _ => {}
        }
    }
    sums.values().all(I256::is_zero)
}

/// What one event, or one log of it, says of a movement.
struct Unit {
    contract: String,
    text: String,
    /// The parts that name who gave, and who got.
    sides: [String; 2],
}

const GIVEN: usize = 0;
const GOT: usize = 1;

/// The movements of a message. Packets are none: they say what is to be.
fn units(left: &[Value], message: usize) -> Vec<Unit> {
    let mut units = Vec::new();
    let own = |event: &&Value| attributes(event, "msg_index").next() == Some(&message.to_string());
    for event in left.iter().filter(own) {
        let all = event["attributes"].to_string().to_lowercase().replace("\\\"", "\"");
        let named = |keys: &[&str]| -> String { keys.iter().flat_map(|key| attributes(event, key)).collect() };
        let contract = |key| attributes(event, key).next().unwrap_or_default().to_lowercase();
        let (contract, sides) = match event["type"].as_str().unwrap_or_default() {
            "coin_spent" | "burn" => (String::new(), [all.clone(), String::new()]),
            "coin_received" | "coinbase" => (String::new(), [String::new(), all.clone()]),
            "non_fungible_token_packet" => (String::new(), [String::new(), named(&["receiver"])]),
            "transfer" => (String::new(), [named(&["sender"]), named(&["recipient"])]),
            "wasm" => (
                contract("_contract_address"),
                [named(&["from", "sender", "owner"]), named(&["to", "recipient", "owner"])],
            ),
            "move" => {
                let tag = contract("type_tag");
                let gives = if tag.contains("deposit") { String::new() } else { all.clone() };
                let gets = if tag.contains("withdraw") { String::new() } else { all.clone() };
                (tag, [gives, gets])
            }
            "evm" => {
                units.extend(attributes(event, "log").filter_map(of_log));
                continue;
            }
            _ => continue,
        };
        units.push(Unit { contract, text: all, sides });
    }
    units
}

fn of_log(text: &str) -> Option<Unit> {
    let log: Value = serde_json::from_str(text).ok()?;
    let topic = |place: usize| log["topics"][place].as_str().unwrap_or_default().to_lowercase();
    let sides = if topic(0).starts_with("0xddf252ad") {
        [topic(1), topic(2)]
    } else {
        [text.to_lowercase(), text.to_lowercase()]
    };
    Some(Unit { contract: log["address"].as_str()?.to_lowercase(), text: text.to_lowercase(), sides })
}

impl Unit {
    /// Whether this side is the account, or on Move its store of the asset.
    fn names(&self, side: usize, account: Address) -> bool {
        if shows_account(&self.sides[side], account) {
            return true;
        }
        let Some((_, rest)) = self.sides[side].split_once("\"metadata_addr\":\"0x") else { return false };
        let Some((asset, _)) = rest.split_once('"') else { return false };
        let Ok(asset) = hex::decode(format!("{asset:0>64}")) else { return false };
        let mut owner = [0; 32];
        let bytes = account.bytes();
        owner[32 - bytes.len()..].copy_from_slice(bytes);
        let store = Sha3_256::new().chain_update(owner).chain_update(asset).chain_update([0xfc]).finalize();
        self.text.contains(hex::encode(store).trim_start_matches('0'))
    }
}

/// Whom a sentence says to have given or got an amount, and no movement of the message does.
fn without_side(sentence: &Sentence, left: &[Value]) -> Vec<String> {
    let text = text_of(&sentence.phrases, Style::Exact);
    let is_arrival = text.contains(" arrived ") && !text.contains("call") && !text.contains("passing");
    // Whoever gets it on another chain has no event here.
    let is_elsewhere = ["channel-", " L1", "rewards", "withdrawal"].iter().any(|other| text.contains(other));
    let (mut said, mut missing) = (Vec::new(), Vec::new());
    let first = sentence.phrases.iter().find_map(|phrase| match &phrase.word {
        Word::Coin { coin, .. } => Some(coin.amount.get()),
        _ => None,
    });
    for pair in sentence.phrases.windows(2).filter(|_| is_arrival) {
        if let (Word::Text(to), Word::Account { address, .. }) = (&pair[0].word, &pair[1].word)
            && to.ends_with("→ ")
        {
            said.extend(first.map(|amount| (GOT, *address, amount)));
        }
        if let (Word::Text(to), Word::Account { address, .. }) = (&pair[0].word, &pair[1].word)
            && to.ends_with(" for ")
            && text.contains("NFT")
        {
            let names = |unit: &Unit| unit.names(GOT, *address);
            let is_there = units(left, sentence.message).iter().any(names);
            missing.extend((!is_there).then(|| format!("{} got nothing, of “{text}”", address.bech32())));
        }
    }
    for three in sentence.phrases.windows(3).filter(|_| !is_elsewhere) {
        match (&three[0].word, &three[1].word, &three[2].word) {
            (Word::Coin { coin, .. }, Word::Text(word), Word::Account { address, .. }) => match &**word {
                " to " => said.push((GOT, *address, coin.amount.get())),
                " from " => said.push((GIVEN, *address, coin.amount.get())),
                _ => {}
            },
            (Word::Account { address, .. }, Word::Text(word), Word::Coin { coin, .. }) => match &**word {
                " sent " => said.push((GIVEN, *address, coin.amount.get())),
                " claimed " | " received " => said.push((GOT, *address, coin.amount.get())),
                _ => {}
            },
            _ => {}
        }
    }
    let units = if said.is_empty() { Vec::new() } else { units(left, sentence.message) };
    let lacks = |(side, account, amount): &(usize, Address, U256)| {
        let own: Vec<&Unit> = units.iter().filter(|unit| unit.names(*side, *account)).collect();
        // A sum is told of several.
        !amount.is_zero() && own.len() < 2 && !own.iter().any(|unit| shows_number(&unit.text, &[], *amount))
    };
    let sides = said.into_iter().filter(lacks);
    missing.extend(sides.map(|(_, account, amount)| format!("{} has no {amount}, of “{text}”", account.bech32())));
    missing
}

/// Whether a sentence has this amount, and not only as what an account got in all.
fn tells_sum(sentence: &Sentence, sum: U256) -> bool {
    let text = text_of(&sentence.phrases, Style::Exact);
    let is_it = |phrase: &Phrase| match &phrase.word {
        Word::Coin { coin, .. } => coin.amount.get() == sum,
        Word::Text(text) => text.split(' ').any(|word| word == sum.to_string()),
        _ => false,
    };
    !text.contains("together") && sentence.phrases.iter().any(is_it)
}

/// Whether all that shows an amount or an id of the sentence is the stranger's.
fn rests_on(sentence: &Sentence, left: &[Value], stranger: &str) -> bool {
    let number = |phrase: &Phrase| match &phrase.word {
        Word::Coin { coin, .. } => Some(coin.amount.get()),
        Word::Code(code) => code.parse().ok(),
        _ => None,
    };
    let units = units(left, sentence.message);
    sentence.phrases.iter().filter_map(number).filter(|number| !number.is_zero()).any(|number| {
        let mut shown = units.iter().filter(|unit| shows_number(&unit.text, &[], number)).peekable();
        shown.peek().is_some() && shown.all(|unit| unit.contract.starts_with(stranger))
    })
}

/// The text outside closed quotes.
fn without_quotes(text: &str, is_quotable: bool) -> String {
    if !is_quotable {
        return text.to_owned();
    }
    let outside = text.split('“').enumerate().map(|(place, part)| match part.split_once('”') {
        Some((_, after)) if place > 0 => after,
        _ => part,
    });
    outside.collect()
}
