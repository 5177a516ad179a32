//! The events of a transaction, grouped by message: each one line that says what it is about, its attributes below.

use super::{
    Line, TxSheet, abi,
    tree::{Tree, ValuePlace},
};
use crate::{
    app::page::TxLine,
    config::Meaning,
    domain::{Address, Coin, parse_coins, text},
    story::{ContractLog, Decoded, DecodedEvent, EventPhase, diff::ValuePath},
};

/// Characters of one value in an event's line.
const VALUE_SHOWN: usize = 28;
/// Values in an event's line.
const VALUES: usize = 4;

pub(super) fn event_lines(sheet: &TxSheet<'_>) -> Vec<Line> {
    let decoded = &sheet.story.decoded;
    let mut tree = Tree::new(sheet);
    let mut phase = None;
    for (place, event) in decoded.events.iter().enumerate() {
        if phase != Some(event.phase) {
            phase = Some(event.phase);
            tree.push(phase_heading(decoded, event.phase));
        }
        push_event(&mut tree, place, event);
        if tree.is_full() {
            break;
        }
    }
    if tree.is_empty() {
        let words = decoded.problem.as_deref().unwrap_or("This transaction emitted no events.");
        tree.push(Line::at(0).with(Meaning::Muted, words));
    }
    tree.done()
}

/// What the events of a phase stand under.
pub(crate) fn phase_title(decoded: &Decoded, phase: EventPhase) -> String {
    match phase {
        EventPhase::Before => "Before the messages: fee and signature".to_owned(),
        EventPhase::After => "After the messages".to_owned(),
        EventPhase::Message(index) => {
            let kind = decoded.messages.get(index).map_or("", |message| message.kind.short());
            format!("Message {}  {kind}", index + 1)
        }
    }
}

fn phase_heading(decoded: &Decoded, phase: EventPhase) -> Line {
    let count = decoded.events.iter().filter(|event| event.phase == phase).count();
    let events = text::count(count, "event");
    Line::at(0).with(Meaning::Heading, phase_title(decoded, phase)).with(Meaning::Muted, format!("  {events}"))
}

fn push_event(tree: &mut Tree<'_>, place: usize, event: &DecodedEvent) {
    tree.begin(None);
    let head = Line::at(1).with(Meaning::Kind, format!("{:<13}", event.kind)).named(TxLine::Event(place));
    let head = summary(tree, event).into_iter().fold(head, |line, (meaning, piece)| line.with(meaning, piece));
    tree.push(head.folded().unit());
    let width = event.attributes.iter().map(|(key, _)| key.chars().count()).max().unwrap_or(0).min(20);
    for (key, value) in &event.attributes {
        let path = ValuePath::default().key(key);
        let at = ValuePlace { depth: 2, path: &path, nesting: 0 };
        let label = format!("{key:<width$} ");
        if event.kind == "evm" && key == "log" && abi::push_log(tree, at, &label, value) {
            continue;
        }
        match readable_coins(tree, key, value) {
            Some(coins) => {
                let line = tree.plain(tree.head(at, &label), value);
                tree.push(line.with(Meaning::Muted, format!("  = {coins}")));
            }
            None => tree.text(at, &label, value),
        }
    }
}

/// A coin list of known tokens in display units.
fn readable_coins(tree: &Tree<'_>, key: &str, value: &str) -> Option<String> {
    if !is_coin_list(key) {
        return None;
    }
    let coins = parse_coins(value).ok().filter(|coins| !coins.is_empty())?;
    let is_any = coins.iter().any(|coin| tree.readable(coin).is_some());
    let written = coins.iter().map(|coin| tree.readable(coin).unwrap_or_else(|| unnamed_coin(coin)));
    is_any.then(|| written.collect::<Vec<_>>().join(" + "))
}

/// A coin of an unknown token.
fn unnamed_coin(coin: &Coin) -> String {
    format!("{} {}", text::group_digits(&coin.amount.to_string()), coin.denom.short())
}

/// Whether an attribute of this name holds coins, where it holds what looks like some.
fn is_coin_list(key: &str) -> bool {
    matches!(key, "amount" | "fee" | "coins" | "refund_amount")
}

/// What an event is about, in a few words of its own attributes.
fn summary(tree: &Tree<'_>, event: &DecodedEvent) -> Vec<(Meaning, String)> {
    match event.kind.as_str() {
        "evm" => return logs_in_short(tree, event),
        "transfer" | "ibc_transfer" => {
            if let (Some(to), Some(amount)) =
                (event.value("recipient").or(event.value("receiver")), event.value("amount"))
            {
                let from = event.value("sender").map(|from| short(tree, "sender", from)).unwrap_or_default();
                let words = format!("  {from} → {}  {}", short(tree, "recipient", to), short(tree, "amount", amount));
                return vec![(Meaning::Text, words)];
            }
        }
        "send_packet" | "recv_packet" | "write_acknowledgement" | "acknowledge_packet" | "timeout_packet" => {
            if let Some(sequence) = event.value("packet_sequence") {
                let part = |name| text::clip(event.value(name).unwrap_or_default(), VALUE_SHOWN);
                let (from, to) = (part("packet_src_channel"), part("packet_dst_channel"));
                let ports = (part("packet_src_port"), part("packet_dst_port"));
                let words = format!("  #{}  {}/{from} → {}/{to}", text::clip(sequence, 20), ports.0, ports.1);
                return vec![(Meaning::Text, words)];
            }
        }
        "execute" if event.value("module_name").is_some() => {
            let part = |name| event.value(name).unwrap_or_default();
            let words = format!("  {}::{}", part("module_name"), part("function_name"));
            return vec![(Meaning::Text, text::clip(&words, 2 * VALUE_SHOWN))];
        }
        "move" => {
            if let Some(tag) = event.value("type_tag") {
                let mut words = vec![(Meaning::Text, format!("  {}", text::clip(tag, 2 * VALUE_SHOWN)))];
                words.extend(move_data(tree, event));
                return words;
            }
        }
        _ => {}
    }
    let told = main_attributes(event);
    told.flat_map(|(key, value)| {
        [(Meaning::Muted, format!("  {} ", text::clip(key, 20))), (Meaning::Text, short(tree, key, value))]
    })
    .collect()
}

/// The attributes that say what an event is about: the first ones that are not known by its place anyway.
fn main_attributes(event: &DecodedEvent) -> impl Iterator<Item = (&str, &str)> {
    let is_main = |key: &str, value: &str| {
        !value.is_empty()
            && !matches!(key, "authz_msg_index" | "packet_data" | "packet_data_hex" | "packet_ack" | "header" | "ret")
    };
    let attributes = event.attributes.iter().map(|(key, value)| (key.as_str(), value.as_str()));
    attributes.filter(move |(key, value)| is_main(key, value)).take(VALUES)
}

/// The amount that the data of a Move event tell.
fn move_data(tree: &Tree<'_>, event: &DecodedEvent) -> Option<(Meaning, String)> {
    let data: serde_json::Value = serde_json::from_str(event.value("data")?).ok()?;
    let amount = data.get("amount").and_then(|amount| amount.as_str().map(str::to_owned));
    let owner =
        ["owner", "to", "owner_addr"].iter().find_map(|name| data.get(*name).and_then(serde_json::Value::as_str));
    let words = match (amount, owner) {
        (Some(amount), _) => format!("  {}", text::group_digits(&text::clip(&amount, 80))),
        (None, Some(owner)) => format!("  {}", short(tree, "owner", owner)),
        (None, None) => return None,
    };
    Some((Meaning::Number, words))
}

/// `Transfer · Transfer · Approval`: the logs of an EVM run, by the book.
fn logs_in_short(tree: &Tree<'_>, event: &DecodedEvent) -> Vec<(Meaning, String)> {
    let mut counted: Vec<(String, usize)> = Vec::new();
    for log in ContractLog::of_event(event) {
        let reading = tree.glossary.abi.decode_log(&log);
        let title = if reading.name.is_some() { reading.title() } else { "unknown" };
        match counted.iter_mut().find(|(name, _)| name == title) {
            Some((_, count)) => *count += 1,
            None => counted.push((title.to_owned(), 1)),
        }
    }
    let words = counted.into_iter().map(|(name, count)| {
        let name = text::clip(&name, VALUE_SHOWN);
        if count == 1 { name } else { format!("{name} ×{count}") }
    });
    let words = words.collect::<Vec<_>>().join(" · ");
    vec![if words.is_empty() {
        (Meaning::Muted, "  no logs".to_owned())
    } else {
        (Meaning::Text, format!("  {words}"))
    }]
}

/// A value in a few characters: an account by its first and last, coins in display units.
fn short(tree: &Tree<'_>, key: &str, value: &str) -> String {
    if let Some(coins) = readable_coins(tree, key, value) {
        return text::clip(&coins, 2 * VALUE_SHOWN);
    }
    let account = (value.starts_with("init1") || value.starts_with("0x")).then(|| value.parse::<Address>().ok());
    match account.flatten() {
        Some(address) => match tree.glossary.label(address) {
            Some(label) => text::clip(label, VALUE_SHOWN),
            None => tree.style.short(address),
        },
        None => match parse_coins(value).ok().filter(|coins| !coins.is_empty() && is_coin_list(key)) {
            Some(coins) => {
                let words = coins.iter().map(unnamed_coin);
                text::clip(&words.collect::<Vec<_>>().join(" + "), 2 * VALUE_SHOWN)
            }
            None => text::clip(value, VALUE_SHOWN),
        },
    }
}
