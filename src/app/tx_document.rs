//! The tabs of a transaction as documents: its story, messages, events, raw.

use serde_json::{Map, Value};

use super::{
    document::Line,
    format::{AddressForm, coin_text},
    json_document::{json_lines, link_of},
    story_document::story_lines,
};
use crate::{
    config::{Meaning, Network},
    domain::{Address, Coin, Denom, Target, parse_coins},
    story::{Decoded, DecodedEvent, Glossary, Phase, Story, signature},
    wire::Tx,
};

/// The tabs of a transaction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, strum::EnumIter, strum::Display)]
pub(crate) enum TxTab {
    /// What it means, and whether it worked.
    #[default]
    Story,
    /// What it asked for.
    Messages,
    /// What it emitted.
    Events,
    /// What its contracts logged.
    Logs,
    /// The calls within it.
    Calls,
    /// The record as received.
    Raw,
}

impl TxTab {
    /// The tabs that a transaction has.
    pub(crate) fn all(has_evm: bool) -> &'static [Self] {
        if has_evm {
            &[Self::Story, Self::Messages, Self::Events, Self::Logs, Self::Calls, Self::Raw]
        } else {
            &[Self::Story, Self::Messages, Self::Events, Self::Raw]
        }
    }
}

/// What the lines of a transaction are made of.
pub(crate) struct TxSheet<'a> {
    /// The record.
    pub(crate) tx: &'a Tx,
    /// What it means; the record taken apart is in it.
    pub(crate) story: &'a Story,
    /// The form of addresses.
    pub(crate) form: AddressForm,
    /// The chain it is of.
    pub(crate) network: &'a Network,
    /// What is known by name there.
    pub(crate) glossary: &'a Glossary,
    /// What is known of the hash that the EVM gave it; it stands below the transaction's own.
    pub(crate) beside: Option<Line>,
    /// Its place among its block's transactions from 0, and their number, where they are known.
    pub(crate) place: Option<(usize, usize)>,
    /// How long ago it was, where times are shown so.
    pub(crate) age: Option<String>,
    /// Columns that the lines have.
    pub(crate) width: usize,
}

/// The lines of one tab.
pub(crate) fn tx_lines(sheet: &TxSheet<'_>, tab: TxTab) -> Vec<Line> {
    let (decoded, form, network) = (&sheet.story.decoded, sheet.form, sheet.network);
    match tab {
        TxTab::Story => story_lines(sheet),
        TxTab::Messages => message_lines(decoded, form, network),
        // Without the EVM's own record, what its events say of the logs is all there is.
        TxTab::Events | TxTab::Logs | TxTab::Calls => event_lines(decoded, form, network),
        TxTab::Raw => json_lines(&serde_json::to_string(sheet.tx).unwrap_or_default()),
    }
}

pub(super) fn field(depth: u16, name: &str) -> Line {
    Line::at(depth).with(Meaning::Key, format!("{name:<11} "))
}

fn message_lines(decoded: &Decoded, form: AddressForm, network: &Network) -> Vec<Line> {
    let mut lines = Vec::new();
    if let Some(problem) = &decoded.problem {
        lines.push(field(0, "note").with(Meaning::Warning, problem));
    }
    let total = decoded.messages.len();
    for (index, message) in decoded.messages.iter().enumerate() {
        if !lines.is_empty() {
            lines.push(Line::at(0));
        }
        let failed = decoded.failure.as_ref().is_some_and(|failure| failure.message_index == Some(index));
        let mark = if failed { Meaning::Bad } else { Meaning::Heading };
        lines.push(
            Line::at(0)
                .with(mark, format!("{} of {total}  ", index + 1))
                .with(Meaning::Kind, message.kind.short())
                .with(Meaning::Muted, format!("  {}", message.kind))
                .copying(message.kind.to_string()),
        );
        push_fields(&mut lines, 1, &message.fields, form, network);
    }
    if lines.is_empty() {
        lines.push(Line::at(0).with(Meaning::Muted, "This transaction holds no messages."));
    }
    lines
}

pub(super) fn address_line(line: Line, address: Address, form: AddressForm) -> Line {
    let text = form.write(address);
    line.with(Meaning::Link, &text).copying(text).leading_to(Some(Target::Account(address)))
}

/// Columns that a field's name is padded to at the most.
const NAME_WIDTH: usize = 22;

/// The fields of a message or of something in it, with their values in line.
fn push_fields(lines: &mut Vec<Line>, depth: u16, fields: &Map<String, Value>, form: AddressForm, network: &Network) {
    let width = fields.keys().map(String::len).max().unwrap_or(0).min(NAME_WIDTH);
    for (name, value) in fields {
        push_field(lines, depth, &format!("{name:<width$}"), value, form, network);
    }
}

/// A field, plain: lists and objects open below their name.
fn push_field(lines: &mut Vec<Line>, depth: u16, name: &str, value: &Value, form: AddressForm, network: &Network) {
    let head = || Line::at(depth).with(Meaning::Key, format!("{name} "));
    if let Some(coin) = coin(value) {
        lines.push(head().with(Meaning::Number, coin_text(&coin, network)).copying(coin.to_string()));
        return;
    }
    match value {
        Value::Object(fields) => {
            lines.push(head());
            push_fields(lines, depth + 1, fields, form, network);
        }
        Value::Array(items) if items.is_empty() => lines.push(head().with(Meaning::Muted, "empty")),
        Value::Array(items) => match items.as_slice() {
            [only] if coin(only).is_some() => push_field(lines, depth, name, only, form, network),
            _ => {
                lines.push(head().with(Meaning::Muted, format!("({})", items.len())));
                for (index, child) in items.iter().enumerate() {
                    push_field(lines, depth + 1, &format!("{}.", index + 1), child, form, network);
                }
            }
        },
        Value::String(text) => lines.push(text_line(head(), text, name.trim_end(), form)),
        Value::Null => lines.push(head().with(Meaning::Muted, "none")),
        other => lines.push(head().with(Meaning::Number, other.to_string()).copying(other.to_string())),
    }
}

/// A `{denom, amount}` object as a coin.
fn coin(value: &Value) -> Option<Coin> {
    let fields = value.as_object().filter(|fields| fields.len() == 2)?;
    let amount = fields.get("amount")?.as_str()?.parse().ok()?;
    Some(Coin { denom: Denom::new(fields.get("denom")?.as_str()?), amount })
}

fn text_line(line: Line, text: &str, name: &str, form: AddressForm) -> Line {
    if text.is_empty() {
        return line.with(Meaning::Muted, "empty").copying("");
    }
    if let Some(Target::Account(address)) = link_of(text).filter(|_| text.len() != 66) {
        return address_line(line, address, form);
    }
    let line = if name == "input" {
        let selector = text.strip_prefix("0x").unwrap_or(text).get(..8);
        match selector.and_then(signature) {
            Some(signature) => line.with(Meaning::Kind, format!("{signature} ")),
            None => line,
        }
    } else {
        line
    };
    line.with(Meaning::Text, text).copying(text).leading_to(link_of(text))
}

fn event_lines(decoded: &Decoded, form: AddressForm, network: &Network) -> Vec<Line> {
    let mut lines = Vec::new();
    let mut phase = None;
    for (place, event) in decoded.events.iter().enumerate() {
        if phase != Some(event.phase) {
            phase = Some(event.phase);
            lines.push(phase_heading(decoded, event.phase));
        }
        push_event(&mut lines, place, event, form, network);
    }
    if lines.is_empty() {
        lines.push(
            Line::at(0)
                .with(Meaning::Muted, decoded.problem.as_deref().unwrap_or("This transaction emitted no events.")),
        );
    }
    lines
}

fn phase_heading(decoded: &Decoded, phase: Phase) -> Line {
    let count = decoded.events.iter().filter(|event| event.phase == phase).count();
    let title = match phase {
        Phase::Before => "Before the messages: fee and signature".to_owned(),
        Phase::After => "After the messages".to_owned(),
        Phase::Message(index) => {
            let kind = decoded.messages.get(index).map_or("", |message| message.kind.short());
            format!("Message {}  {kind}", index + 1)
        }
    };
    let events = if count == 1 { "1 event".to_owned() } else { format!("{count} events") };
    Line::at(0).with(Meaning::Heading, title).with(Meaning::Muted, format!("  {events}"))
}

/// An event; its first line is named after its place, for whoever comes from the story.
fn push_event(lines: &mut Vec<Line>, place: usize, event: &DecodedEvent, form: AddressForm, network: &Network) {
    let head = Line::at(1).with(Meaning::Kind, &event.kind).copying(event.kind.clone());
    lines.push(head.named(u32::try_from(place).unwrap_or(u32::MAX)));
    for (key, value) in &event.attributes {
        if event.kind == "evm" && key == "log" && push_log(lines, value, form) {
            continue;
        }
        let line = text_line(Line::at(2).with(Meaning::Key, format!("{key} ")), value, key, form);
        lines.push(match readable_coins(key, value, network) {
            Some(coins) => line.with(Meaning::Muted, format!("  = {coins}")),
            None => line,
        });
    }
}

/// A coin list of known tokens in display units.
fn readable_coins(key: &str, value: &str, network: &Network) -> Option<String> {
    if !matches!(key, "amount" | "fee" | "coins") {
        return None;
    }
    let coins = parse_coins(value).ok().filter(|coins| !coins.is_empty())?;
    let known = |coin: &Coin| network.tokens.iter().any(|token| token.denom == coin.denom.as_str());
    coins.iter().any(known).then(|| coins.iter().map(|coin| coin_text(coin, network)).collect::<Vec<_>>().join(" + "))
}

/// An EVM log, opened: the event's signature, the emitter, topics and data. False when it is not such a log.
fn push_log(lines: &mut Vec<Line>, text: &str, form: AddressForm) -> bool {
    let Ok(Value::Object(log)) = serde_json::from_str::<Value>(text) else { return false };
    let topics: Vec<&str> =
        log.get("topics").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str).collect();
    let first = topics.first().map(|topic| topic.strip_prefix("0x").unwrap_or(topic));
    let name = first.and_then(signature).unwrap_or("unknown event");
    lines.push(Line::at(2).with(Meaning::Key, "log ").with(Meaning::Kind, name).copying(text));
    if let Some(address) = log.get("address").and_then(Value::as_str) {
        lines.push(text_line(Line::at(3).with(Meaning::Key, "address "), address, "address", form));
    }
    for (index, topic) in topics.iter().enumerate().skip(1) {
        lines.push(topic_line(index, topic, form));
    }
    let data = log.get("data").and_then(Value::as_str).unwrap_or_default();
    lines.push(Line::at(3).with(Meaning::Key, "data ").with(Meaning::Text, data).copying(data));
    true
}

/// A topic; 12 leading zero bytes mean that it holds an address.
fn topic_line(index: usize, topic: &str, form: AddressForm) -> Line {
    let line = Line::at(3).with(Meaning::Key, format!("topic {index} "));
    let address = topic.strip_prefix("0x000000000000000000000000").and_then(|digits| digits.parse::<Address>().ok());
    match address {
        Some(address) if address.bytes().iter().take(4).any(|&byte| byte != 0) => address_line(line, address, form),
        _ => line.with(Meaning::Text, topic).copying(topic),
    }
}
