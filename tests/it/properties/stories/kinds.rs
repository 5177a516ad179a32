//! The kinds of changes.

use std::{collections::BTreeSet, sync::Arc};

use alloy_primitives::{U256, hex};
use rollscope::{
    domain::{Address, Amount, Vm},
    story::Word,
};
use serde_json::{Value, json};

use super::{Draw, Source, attribute, of_next_message, oracle::Told};

/// A changed record, and what is known of it beside its JSON.
pub(super) struct Variant {
    pub(super) source: Source,
    /// Address of a contract, or beginning of a type tag, whose reports prove nothing.
    pub(super) stranger: Option<String>,
    /// Sum of two payments, of which only one belongs to what was called.
    pub(super) sum: Option<U256>,
    /// Mark in a text that the sender wrote.
    pub(super) imitation: Option<&'static str>,
    /// Whether the sender's text is the error itself, which may be quoted.
    pub(super) is_quotable: bool,
    /// Words of the true error.
    pub(super) cause: Option<String>,
}

impl Variant {
    pub(super) fn new(source: Source) -> Self {
        Self { source, stranger: None, sum: None, imitation: None, is_quotable: false, cause: None }
    }
}

type Vary = fn(&Source, &[Source], &mut Draw) -> Vec<Variant>;
/// What would be false of the variant: by the record as it was, the variant, and what was told of the former.
type Lie = fn(&Source, &Variant, &Told) -> Told;

const AS_BEFORE: Lie = |_, _, told| told.clone();
const OF_NEXT: Lie = |_, _, told| of_next_message(told);
const AS_IMITATED: Lie = |source, variant, _| imitating(source, variant);

/// Name, how it changes a record, and a lie about it.
pub(super) const KINDS: &[(&str, Vary, Lie)] = &[
    ("events removed by type", |source, _, _| removed_by_type(source), AS_BEFORE),
    ("one side removed", |source, _, _| sides(source, 0), AS_BEFORE),
    ("one side doubled", |source, _, _| sides(source, 2), AS_BEFORE),
    ("accounts exchanged in the events", |source, _, draw| exchanged(source, draw), AS_BEFORE),
    ("another receiver", |source, _, _| received_by_other(source), AS_BEFORE),
    ("a payment of somebody else added", |source, _, _| paid_again(source), |_, variant, told| summed(variant, told)),
    ("amounts changed in the events", |source, _, _| amounts(source, Part::Events), AS_BEFORE),
    // The lie has the message's amount in the events too.
    (
        "amounts changed in the message",
        |source, _, _| amounts(source, Part::Messages),
        |source, variant, _| twin(variant, &amounts(source, Part::Both)),
    ),
    ("failed, with events", |source, _, _| failed(source, true), AS_BEFORE),
    ("failed, without events", |source, _, _| failed(source, false), AS_BEFORE),
    ("a stranger's contract or module", |source, _, _| of_stranger(source), AS_BEFORE),
    ("messages reordered", |source, _, _| reordered(source), OF_NEXT),
    ("joined", joined, OF_NEXT),
    ("wrapped in MsgExec", |source, _, _| wrapped(source), AS_BEFORE),
    ("msg_index missing", |source, _, _| without_index(source), AS_BEFORE),
    ("msg_index by contracts", |source, _, _| with_foreign_index(source), OF_NEXT),
    ("echoed in MsgExec", |source, _, draw| echoed(source, draw), AS_IMITATED),
    ("imitated by a contract", |source, _, draw| imitated(source, draw), AS_IMITATED),
];

/// What is told of another variant with the message of this one.
fn twin(variant: &Variant, others: &[Variant]) -> Told {
    let is_twin = |other: &&Variant| other.source.record["tx"] == variant.source.record["tx"];
    others.iter().find(is_twin).unwrap_or(variant).source.told()
}

/// As if both payments belonged to what is told.
fn summed(variant: &Variant, told: &Told) -> Told {
    let mut lie = told.clone();
    for phrase in lie.sentences.iter_mut().flat_map(|sentence| &mut sentence.phrases) {
        if let Word::Coin { coin, .. } = &mut phrase.word {
            coin.amount = Amount::new(variant.sum.unwrap_or_default());
        }
    }
    lie
}

fn with(source: &Source, change: impl FnOnce(&mut Value)) -> Variant {
    let mut changed = source.clone();
    change(&mut changed.record);
    Variant::new(changed)
}

fn with_events(source: &Source, events: Vec<Value>) -> Variant {
    with(source, |record| record["events"] = Value::from(events))
}

/// Another text in the place of a part of the record, also where it is written in hex.
fn replaced(source: &Source, part: &str, replace: impl Fn(&str) -> String) -> Option<Variant> {
    let text = source.record[part].to_string();
    let mut new: Value = serde_json::from_str(&replace(&text)).ok()?;
    for event in new.as_array_mut().into_iter().flatten() {
        let attributes = event["attributes"].as_array_mut().into_iter().flatten();
        for attribute in
            attributes.filter(|attribute| attribute["key"].as_str().is_some_and(|key| key.ends_with("_hex")))
        {
            let inner =
                attribute["value"].as_str().and_then(|digits| String::from_utf8(hex::decode(digits).ok()?).ok());
            if let Some(inner) = inner {
                attribute["value"] = json!(hex::encode(replace(&inner)));
            }
        }
    }
    (new != source.record[part]).then(|| with(source, |record| record[part] = new))
}

fn index(event: &Value) -> Option<usize> {
    let attributes = event["attributes"].as_array()?;
    let last = attributes.iter().rfind(|attribute| attribute["key"] == "msg_index")?;
    last["value"].as_str()?.parse().ok()
}

fn kind(event: &Value) -> &str {
    event["type"].as_str().unwrap_or_default()
}

/// All events of a message that moved something, by type.
fn removed_by_type(source: &Source) -> Vec<Variant> {
    let own = source.events().iter().filter(|event| source.is_success() && index(event).is_some());
    let kinds: BTreeSet<&str> = own.map(kind).collect();
    let without = |gone: &str| source.events().iter().filter(|event| kind(event) != gone).cloned().collect();
    kinds.into_iter().map(|gone| with_events(source, without(gone))).collect()
}

/// Each event with one side of a movement, so many times.
fn sides(source: &Source, times: usize) -> Vec<Variant> {
    let is_side = |event: &Value| match (source.vm, kind(event)) {
        (Some(Vm::Wasm), kind) => matches!(kind, "coin_spent" | "coin_received"),
        (Some(Vm::Move), "move") => {
            let text = event["attributes"].to_string();
            ["WithdrawEvent", "DepositEvent"].iter().any(|name| text.contains(&format!("0x1::fungible_asset::{name}")))
        }
        _ => false,
    };
    let events = source.events();
    let places = (0..events.len()).filter(|place| source.is_success() && is_side(&events[*place]));
    let changed = places.map(|place| {
        let copies = events.iter().enumerate().map(|(at, event)| (if at == place { times } else { 1 }, event));
        with_events(source, copies.flat_map(|(count, event)| std::iter::repeat_n(event.clone(), count)).collect())
    });
    changed.collect()
}

/// Accounts that events of movements name.
fn accounts(source: &Source) -> Vec<Address> {
    let moves = |kind: &str| kind.starts_with("coin_") || kind.ends_with("_token_packet") || kind == "wasm";
    let own = source.events().iter().filter(|event| index(event).is_some() && moves(kind(event)));
    let values = own.flat_map(|event| event["attributes"].as_array().cloned().unwrap_or_default());
    let all: BTreeSet<Address> = values.filter_map(|attribute| attribute["value"].as_str()?.parse().ok()).collect();
    all.into_iter().collect()
}

/// Both forms of an account in the place of another's, in texts of any case.
fn exchange(text: &str, one: Address, other: Address) -> String {
    const BETWEEN: &str = "\u{1}";
    let forms = |account: Address| [account.bech32(), hex::encode(account.tail())];
    let pairs = forms(one).into_iter().zip(forms(other));
    pairs.fold(text.to_owned(), |text, (one, other)| {
        text.replace(&one, BETWEEN).replace(&other, &one).replace(BETWEEN, &other)
    })
}

fn exchanged(source: &Source, draw: &mut Draw) -> Vec<Variant> {
    let accounts = draw.some(accounts(source), 2);
    let [one, other] = accounts.as_slice() else { return Vec::new() };
    replaced(source, "events", |text| exchange(text, *one, *other)).into_iter().collect()
}

/// Whom no record knows.
const NOBODY: Address = Address::Short([0xee; 20]);

/// Somebody else in the place of each who got something: everywhere, and everywhere but in what a packet asks for.
fn received_by_other(source: &Source) -> Vec<Variant> {
    let others = accounts(source).into_iter().filter(|_| source.is_success());
    let changed = others.flat_map(|account| {
        let other = |event: &Value| serde_json::from_str(&exchange(&event.to_string(), account, NOBODY)).ok();
        let is_packet = |event: &Value| event["attributes"].to_string().contains("\"packet_");
        let events = source.events().iter();
        let but_packets =
            events.map(|event| other(event).filter(|_| !is_packet(event)).unwrap_or_else(|| event.clone()));
        let everywhere = replaced(source, "events", |text| exchange(text, account, NOBODY));
        let but_packets: Vec<Value> = but_packets.collect();
        let has_packet = source.events().iter().any(is_packet);
        [everywhere, has_packet.then(|| with_events(source, but_packets))]
    });
    changed.flatten().collect()
}

/// For each log of a payment another one to its receiver, from somebody else.
fn paid_again(source: &Source) -> Vec<Variant> {
    const TRANSFER: &str = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";
    let mut variants = Vec::new();
    for (place, event) in source.events().iter().enumerate().filter(|_| source.is_success()) {
        let attributes = event["attributes"].as_array().map_or(&[][..], Vec::as_slice);
        for (at, attribute) in attributes.iter().enumerate().filter(|(_, attribute)| attribute["key"] == "log") {
            let log = attribute["value"].as_str().and_then(|text| serde_json::from_str::<Value>(text).ok());
            let Some(mut log) = log.filter(|log| log["topics"][0] == TRANSFER) else { continue };
            // An NFT's log has no amount.
            let Some(amount) = log["data"].as_str().and_then(|data| data.parse::<U256>().ok()) else { continue };
            let more = amount + U256::from(7);
            log["data"] = json!(format!("0x{more:064x}"));
            log["topics"][1] = json!(format!("0x{:0>64}", hex::encode(NOBODY.tail())));
            let variant = with(source, |record| {
                if let Some(attributes) = record["events"][place]["attributes"].as_array_mut() {
                    attributes.insert(at + 1, super::attribute("log", &log.to_string()));
                }
            });
            variants.push(Variant { sum: Some(amount + more), ..variant });
        }
    }
    variants
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    Events,
    Messages,
    Both,
}

/// Each amount that the messages name: three times as much, and more than any supply.
fn amounts(source: &Source, part: Part) -> Vec<Variant> {
    let texts = source.record["tx"]["body"]["messages"].to_string();
    let numbers: BTreeSet<U256> =
        texts.split('"').filter(|text| text.len() > 3).filter_map(|text| text.parse().ok()).collect();
    let huge = (U256::from(1) << 200) + U256::from(1);
    let pairs = numbers.into_iter().filter(|_| source.is_success());
    let pairs = pairs.flat_map(|number| [number * U256::from(3), huge].map(|new| (number, new)));
    let changed = pairs.filter_map(|(old, new)| {
        let replace = |text: &str| renumbered(text, old, new);
        match part {
            Part::Events => replaced(source, "events", replace),
            Part::Messages => replaced(source, "tx", replace),
            Part::Both => replaced(&replaced(source, "tx", replace)?.source, "events", replace),
        }
    });
    changed.collect()
}

/// A number in decimal and as a word of 32 bytes, where it stands alone.
fn renumbered(text: &str, old: U256, new: U256) -> String {
    let (digits, mut out, mut rest) = (old.to_string(), String::new(), text);
    while let Some(place) = rest.find(&digits) {
        let (before, after) = (&rest[..place], &rest[place + digits.len()..]);
        let is_part = before.ends_with(|sign: char| sign.is_ascii_alphanumeric())
            || after.starts_with(|sign: char| sign.is_ascii_digit());
        out.push_str(before);
        out.push_str(&if is_part { digits.clone() } else { new.to_string() });
        rest = after;
    }
    out.push_str(rest);
    out.replace(&format!("{old:064x}"), &format!("{new:064x}"))
}

fn failed(source: &Source, keeps_events: bool) -> Vec<Variant> {
    if !source.is_success() {
        return Vec::new();
    }
    let events = source.events().iter().filter(|event| keeps_events || index(event).is_none());
    let mut variant = with_events(source, events.cloned().collect());
    let record = &mut variant.source.record;
    (record["code"], record["codespace"]) = (json!(5), json!("sdk"));
    record["raw_log"] = json!("failed to execute message; message index: 0: no: insufficient funds");
    vec![variant]
}

/// A contract that nobody knows.
const OTHER: &str = "5ca3ee00000000000000000000000000005ca3ee";

/// A contract or module that nobody knows, which does the same.
fn of_stranger(source: &Source) -> Vec<Variant> {
    let Some(message) = source.messages().first().filter(|_| source.is_success()) else { return Vec::new() };
    let both = |old: String, new: &str, stranger: String| {
        let replace = |text: &str| text.replace(&old, new).replace(&old.to_lowercase(), new);
        let changed = replaced(source, "events", replace)?;
        let source = replaced(&changed.source, "tx", replace).unwrap_or(changed).source;
        Some(Variant { stranger: Some(stranger), ..Variant::new(source) })
    };
    let variant = match message["@type"].as_str().unwrap_or_default() {
        "/minievm.evm.v1.MsgCall" => {
            let contract: Option<Address> = message["contract_addr"].as_str().and_then(|text| text.parse().ok());
            contract.filter(|contract| contract.bytes()[..19] != [0; 19]).and_then(|contract| {
                let text = source.record["events"].to_string();
                let written = text
                    .find(&contract.checksummed()[2..])
                    .map_or_else(|| contract.hex()[2..].to_owned(), |_| contract.checksummed()[2..].to_owned());
                both(written, OTHER, format!("0x{OTHER}"))
            })
        }
        "/initia.move.v1.MsgExecute" | "/initia.move.v1.MsgExecuteJSON" => {
            both("\"0x1::".to_owned(), "\"0x5ca3::", "0x5ca3".to_owned())
        }
        _ => None,
    };
    variant.into_iter().collect()
}

/// Each two neighbouring messages, without their events.
fn reordered(source: &Source) -> Vec<Variant> {
    let last = source.messages().len().saturating_sub(1).min(4);
    let swap = |place: usize| {
        with(source, |record| {
            if let Some(messages) = record["tx"]["body"]["messages"].as_array_mut() {
                messages.swap(place, place + 1);
            }
        })
    };
    let differ = |place: &usize| source.messages()[*place] != source.messages()[place + 1];
    (0..last).filter(|_| source.is_success()).filter(differ).map(swap).collect()
}

/// With another transaction of the same VM behind it.
fn joined(source: &Source, all: &[Source], draw: &mut Draw) -> Vec<Variant> {
    let same =
        |other: &&Source| other.vm == source.vm && other.is_success() && Arc::ptr_eq(&other.glossary, &source.glossary);
    let others: Vec<&Source> = all.iter().filter(same).collect();
    if others.is_empty() || !source.is_success() {
        return Vec::new();
    }
    let other = others[draw.below(others.len())];
    let first = source.messages().len();
    let later = other.events().iter().filter_map(|event| {
        let number = index(event)? + first;
        let mut event = event.clone();
        for attribute in event["attributes"].as_array_mut()? {
            if attribute["key"] == "msg_index" {
                attribute["value"] = json!(number.to_string());
            }
        }
        Some(event)
    });
    let variant = with_events(source, source.events().iter().cloned().chain(later).collect());
    let messages: Vec<Value> = source.messages().iter().chain(other.messages()).cloned().collect();
    vec![with(&variant.source, |record| record["tx"]["body"]["messages"] = Value::from(messages))]
}

/// Its only message within a `MsgExec`: with its events, and without them.
fn wrapped(source: &Source) -> Vec<Variant> {
    let [message] = source.messages() else { return Vec::new() };
    if !source.is_success() {
        return Vec::new();
    }
    let wrap = |record: &mut Value| record["tx"]["body"]["messages"] = json!([exec(message)]);
    let inner = source.events().iter().cloned().map(|mut event| {
        let place = index(&event).and(event["attributes"].as_array_mut());
        if let Some(attributes) = place {
            attributes.insert(attributes.len() - 1, attribute("authz_msg_index", "0"));
        }
        event
    });
    let bare = source.events().iter().filter(|event| index(event).is_none()).cloned();
    [inner.collect(), bare.collect()].map(|events| with(&with_events(source, events).source, wrap)).into()
}

fn exec(message: &Value) -> Value {
    json!({"@type": "/cosmos.authz.v1beta1.MsgExec", "grantee": Address::Short([0xcc; 20]).bech32(), "msgs": [message]})
}

fn without_index(source: &Source) -> Vec<Variant> {
    let mut events = source.events().to_vec();
    let attributes = events.iter_mut().filter_map(|event| event["attributes"].as_array_mut());
    attributes.for_each(|attributes| attributes.retain(|attribute| attribute["key"] != "msg_index"));
    if source.is_success() { vec![with_events(source, events)] } else { Vec::new() }
}

/// Where a contract's own attributes come first, another index among them.
fn with_foreign_index(source: &Source) -> Vec<Variant> {
    let mut events = source.events().to_vec();
    let mut is_changed = false;
    for event in &mut events {
        let is_own = matches!(kind(event), "wasm" | "evm" | "move") && index(event).is_some();
        if let Some(attributes) = event["attributes"].as_array_mut().filter(|_| is_own) {
            attributes.insert(0, attribute("msg_index", "1"));
            is_changed = true;
        }
    }
    if source.is_success() && is_changed { vec![with_events(source, events)] } else { Vec::new() }
}

/// Mark of an imitation, in no record.
const MARK: &str = "777";
/// Errors as chains write them, with the mark where a number or a name is told.
const IMITATIONS: [&str; 9] = [
    "intrinsic gas too low: have 777001, want 777002",
    "VM aborted: location=0x1::coin, code=777003",
    "VM failure: status OUT_OF_GAS_777 of type None, location=0x1::coin",
    "out of gas in location: x777; gasWanted: 777004, gasUsed: 777005: out of gas",
    "expected x777, got y777",
    "account sequence mismatch, expected 777006, got 777007",
    "unknown variant `refund777`, expected `claim777`",
    "spendable balance 777008uinit is smaller than 777009uinit: insufficient funds",
    "execution reverted: paid777",
];
/// True errors: codespace, code, log, and a part that must be told.
const ERRORS: [(&str, u64, &str, &str); 8] = [
    ("undefined", 1, "VM aborted: location=bad::shop, code=3", "0xbad::shop"),
    ("undefined", 1, "VM failure: status MISSING_DATA of type Execution, location=bad::shop", "MISSING_DATA"),
    ("undefined", 1, "something new", "something new"),
    ("sdk", 4, "can not migrate: unauthorized", "can not migrate"),
    ("sdk", 5, "spendable balance 5umin is smaller than 6umin: insufficient funds", "5"),
    ("evm", 23, "revert: sold out: Reverted", "sold out"),
    ("evm", 3, "execution reverted: sold out: EVMCall failed: EVMCall failed", "sold out"),
    ("wasm", 5, "sold out: execute wasm contract failed", "sold out"),
];

fn with_failure(source: &Source, messages: &[Value], (codespace, code): (&str, u64), log: &str) -> Source {
    let mut variant = failed(source, false).remove(0);
    let record = &mut variant.source.record;
    (record["code"], record["codespace"]) = (json!(code), json!(codespace));
    record["raw_log"] = json!(format!("failed to execute message; message index: 0: {log}"));
    record["tx"]["body"]["messages"] = Value::from(messages);
    variant.source
}

/// A failure within a `MsgExec`: the chain repeats the inner message, whose sender imitates another failure.
fn echoed(source: &Source, draw: &mut Draw) -> Vec<Variant> {
    let Some(message) = source.messages().first().filter(|_| source.is_success()) else { return Vec::new() };
    let (codespace, code, error, cause) = ERRORS[draw.below(ERRORS.len())];
    let imitation = IMITATIONS[draw.below(IMITATIONS.len())];
    let quoted = Value::from(format!("{imitation}: {error}")).to_string();
    let log = format!(
        "failed to execute message; message sender:\"a\" amount:<denom:\"u\" amount:\"1\" > memo:{quoted} : {error}"
    );
    let source = with_failure(source, &[exec(message)], (codespace, code), &log);
    vec![Variant { imitation: Some(MARK), cause: Some(cause.to_owned()), ..Variant::new(source) }]
}

/// A contract's own reason that imitates a failure of the chain.
fn imitated(source: &Source, draw: &mut Draw) -> Vec<Variant> {
    let imitation = IMITATIONS[draw.below(IMITATIONS.len())];
    let (code, log) = match source.vm {
        Some(Vm::Evm) => (("evm", 23), format!("revert: {imitation}: Reverted")),
        Some(Vm::Wasm) => (("wasm", 5), format!("{imitation}: execute wasm contract failed")),
        _ => return Vec::new(),
    };
    if !source.is_success() {
        return Vec::new();
    }
    let source = with_failure(source, source.messages(), code, &log);
    vec![Variant { imitation: Some(MARK), is_quotable: true, ..Variant::new(source) }]
}

/// What would be told if the imitation were the error.
fn imitating(source: &Source, variant: &Variant) -> Told {
    let log = variant.source.record["raw_log"].as_str().unwrap_or_default();
    let imitation = IMITATIONS.iter().find(|imitation| log.contains(*imitation)).copied().unwrap_or_default();
    let code = match imitation {
        "" => ("undefined", 1),
        imitation if imitation.starts_with("out of gas") => ("sdk", 11),
        imitation if imitation.starts_with("expected") => ("sdk", 4),
        imitation if imitation.starts_with("account") => ("sdk", 32),
        imitation if imitation.starts_with("spendable") => ("sdk", 5),
        imitation if imitation.starts_with("execution") => ("evm", 3),
        _ => ("undefined", 1),
    };
    with_failure(source, source.messages(), code, imitation).told()
}
