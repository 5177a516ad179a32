//! Lines of a call or log decoded by the ABI registry.

use std::ops::Range;

use alloy_primitives::hex;

use super::{
    Line,
    tree::{Tree, ValuePlace, cut},
};
use crate::{
    app::page::TxLine,
    config::Meaning,
    domain::{Address, AddressStyle, text},
    story::{AbiReading, AbiValue, Argument, ContractLog, FeePlaces, Glossary, diff::ValuePath},
};

/// Hex digits of a 32-byte word.
const WORD: usize = 64;
/// Maximum words that get a line each.
const MOST_WORDS: usize = 64;

/// Adds name and types of a call or event to a line, or the selector of an unknown one.
pub(super) fn titled(line: Line, reading: &AbiReading) -> Line {
    let line = match (&reading.signature, &reading.selector) {
        (Some(signature), _) => line.with(Meaning::Kind, format!("{signature}  ")),
        (None, Some(selector)) => line.with(Meaning::Kind, format!("unknown {}  ", text::clip(selector, 10))),
        (None, None) => line,
    };
    let line = if reading.is_guess { line.with(Meaning::Warning, "guessed by its shape  ") } else { line };
    match &reading.source {
        Some(source) => line.with(Meaning::Muted, format!("by {source}  ")),
        None => line,
    }
}

/// Adds the argument values; `contract` is the called or logging contract.
pub(super) fn push_arguments(tree: &mut Tree<'_>, at: ValuePlace<'_>, reading: &AbiReading, contract: Option<Address>) {
    if reading.is_misfit() {
        let words = "the data does not match this signature; shown raw";
        return tree.push(Line::at(at.depth).with(Meaning::Warning, words));
    }
    let Some(arguments) = &reading.arguments else { return };
    let calls = Calls::of(reading, contract);
    push_fields(tree, at, arguments, contract, calls);
}

/// Whether byte arguments are nested calls; the function's name decides.
#[derive(Clone, Copy)]
enum Calls {
    /// No: byte arguments are arbitrary data.
    No,
    /// Calls to the contract that was called (`multicall`).
    Same,
    /// Calls to the addresses in neighbouring fields (`aggregate`).
    Beside,
}

impl Calls {
    fn of(reading: &AbiReading, contract: Option<Address>) -> Self {
        match reading.name.as_deref() {
            Some("multicall") if contract.is_some() => Self::Same,
            Some(name) if name.starts_with("aggregate") => Self::Beside,
            _ => Self::No,
        }
    }
}

fn push_fields(tree: &mut Tree<'_>, at: ValuePlace<'_>, fields: &[Argument], contract: Option<Address>, calls: Calls) {
    let name = |(place, field): (usize, &Argument)| match &*field.name {
        "" => format!("{}.", place + 1),
        name => text::clip(name, 24),
    };
    let names: Vec<String> = fields.iter().enumerate().map(name).collect();
    let width = names.iter().map(|name| name.chars().count()).max().unwrap_or(0);
    let beside = fields.iter().find_map(|field| field.value.address());
    for (field, name) in fields.iter().zip(names) {
        let to = match calls {
            Calls::No => None,
            Calls::Same => contract,
            Calls::Beside => beside,
        };
        let label = format!("{name:<width$} ");
        push_value(tree, at, &label, &field.value, (Some(field), contract), (to, calls));
    }
}

/// Adds a value with its type. `of` is the argument and the contract that interprets it. `calls` is the contract that
/// nested calls go to.
fn push_value(
    tree: &mut Tree<'_>,
    at: ValuePlace<'_>,
    label: &str,
    value: &AbiValue,
    of: (Option<&Argument>, Option<Address>),
    calls: (Option<Address>, Calls),
) {
    let kind = of.0.map(|argument| format!("  {}", argument.kind)).unwrap_or_default();
    let line = Line::at(at.depth).with(Meaning::Key, label);
    match value {
        AbiValue::Address(address) => {
            let line = tree.account(line, *address).with(Meaning::Muted, kind);
            tree.push(line);
        }
        AbiValue::Number(number) => {
            let digits = number.to_string();
            let readable = of.1.filter(|_| of.0.is_some_and(is_amount));
            let readable = readable.and_then(|contract| tree.readable_at(contract, *number));
            let line = line.with(Meaning::Number, text::group_digits(&digits));
            // No sender means this number literally: it grants an unlimited allowance.
            let is_largest = number.get() == alloy_primitives::U256::MAX;
            let note = if is_largest { Some("2^256 − 1, unlimited".to_owned()) } else { readable };
            let line = match note {
                Some(note) => line.with(Meaning::Muted, format!("  = {note}")),
                None => line,
            };
            tree.push(line.with(Meaning::Muted, kind).copying(digits));
        }
        AbiValue::Text(inside) if at.nesting == 0 || tree.may_open(at.nesting) => tree.text(at, label, inside),
        AbiValue::Bytes(bytes) if matches!(calls, (Some(_), _)) && bytes.len() >= 4 && tree.may_open(at.nesting) => {
            let input = hex::encode_prefixed(bytes);
            tree.call(ValuePlace { nesting: at.nesting + 1, ..at }, label, calls.0, &input);
        }
        AbiValue::List(items) if items.is_empty() => tree.push(line.with(Meaning::Muted, format!("empty{kind}"))),
        AbiValue::List(items) => {
            let head = line.with(Meaning::Muted, format!("({}){kind}", items.len())).copying(value.write());
            tree.with_below(head, |tree| {
                for (place, item) in items.iter().enumerate() {
                    push_value(tree, at.below(), &format!("{}. ", place + 1), item, (None, of.1), calls);
                }
            });
        }
        AbiValue::Tuple(fields) => {
            let head = line.with(Meaning::Muted, kind).copying(value.write());
            tree.with_below(head, |tree| push_fields(tree, at.below(), fields, of.1, calls.1));
        }
        AbiValue::Digest(_) => {
            let written = value.write();
            let note = format!("{kind}: the log holds only the Keccak-256");
            tree.push(line.with(Meaning::Text, &written).with(Meaning::Muted, note).copying(written));
        }
        AbiValue::Bool(_) | AbiValue::Signed(_) | AbiValue::Bytes(_) | AbiValue::Text(_) => {
            let written = value.write();
            tree.push(line.with(Meaning::Text, cut(&written)).with(Meaning::Muted, kind).copying(written));
        }
    }
}

/// Whether a number is an amount of the contract's own token, by the parameter names of the token standards.
fn is_amount(argument: &Argument) -> bool {
    matches!(&*argument.name, "amount" | "value" | "wad" | "_value" | "_amount")
}

/// Adds a log below its attribute: decoded, or its topics and data if the event is unknown.
pub(super) fn push_log(tree: &mut Tree<'_>, at: ValuePlace<'_>, label: &str, received: &str, log: &ContractLog) {
    let reading = tree.glossary.abi.decode_log(log);
    let head = titled(tree.head(at, label), &reading).with(Meaning::Muted, cut(received)).copying(received);
    tree.with_below(head, |tree| push_inside(tree, at.below(), log, &reading));
}

fn push_inside(tree: &mut Tree<'_>, at: ValuePlace<'_>, log: &ContractLog, reading: &AbiReading) {
    let contract = log.address.parse::<Address>().ok();
    let line = Line::at(at.depth).with(Meaning::Key, "contract ");
    let line = match contract {
        Some(contract) => tree.account(line, contract),
        None => tree.plain(line, &log.address),
    };
    tree.push(line);
    push_arguments(tree, at, reading, contract);
    if reading.arguments.is_none() {
        for (place, topic) in log.topics.iter().enumerate() {
            let line = Line::at(at.depth).with(Meaning::Key, format!("topic {place} "));
            tree.push(line.with(Meaning::Text, cut(topic)).copying(topic.as_str()));
        }
        push_words(tree, at, log.data.strip_prefix("0x").unwrap_or(&log.data));
    }
}

/// Adds bytes of unknown types: a line per word if there are few, else one line.
pub(super) fn push_words(tree: &mut Tree<'_>, at: ValuePlace<'_>, digits: &str) {
    let line = |name: &str| Line::at(at.depth).with(Meaning::Key, format!("{name} "));
    let is_words = digits.is_ascii() && digits.len().is_multiple_of(WORD) && digits.len() / WORD <= MOST_WORDS;
    if !is_words {
        let whole = format!("0x{digits}");
        return tree.push(line("data").with(Meaning::Text, cut(&whole)).copying(whole));
    }
    for (place, word) in digits.as_bytes().chunks(WORD).enumerate() {
        let word = format!("0x{}", String::from_utf8_lossy(word));
        tree.push(line(&format!("word {place}")).with(Meaning::Text, &word).copying(word));
    }
}

/// Returns the lines of a receipt's logs. Those that only move the fee are folded below the others.
pub(crate) fn log_lines(style: &AddressStyle, glossary: &Glossary, logs: &[ContractLog], fee: &FeePlaces) -> Vec<Line> {
    let mut tree = Tree::of(style.clone(), glossary);
    push_logs(&mut tree, logs, fee.asked(logs.len()), 0);
    for (name, places) in fee.parts() {
        let count = text::count(places.len(), "log");
        tree.push(Line::at(0).with(Meaning::Muted, format!("{name}: {count}")).folded());
        push_logs(&mut tree, logs, places, 1);
    }
    tree.done()
}

fn push_logs(tree: &mut Tree<'_>, logs: &[ContractLog], places: Range<usize>, depth: u16) {
    let (style, glossary, path) = (tree.style.clone(), tree.glossary, ValuePath::default());
    for (number, log) in logs.iter().enumerate().take(places.end).skip(places.start) {
        let reading = glossary.abi.decode_log(log);
        let head = titled(Line::at(depth).with(Meaning::Key, format!("{:>3}  ", number + 1)), &reading);
        let emitter = match log.address.parse::<Address>() {
            Ok(address) => glossary.label(address).map_or_else(|| style.write(address), ToString::to_string),
            Err(_) => text::clip(&log.address, 80),
        };
        let head = head.with(Meaning::Muted.of_name(&emitter), emitter).named(TxLine::Log(number)).prose();
        tree.with_below(head, |tree| {
            push_inside(tree, ValuePlace { depth: depth + 1, path: &path, nesting: 0 }, log, &reading);
        });
    }
}

/// Adds the input of a call to a contract, below a label.
pub(crate) fn input_lines(
    style: &AddressStyle,
    glossary: &Glossary,
    depth: u16,
    (to, input): (Option<Address>, &str),
) -> Vec<Line> {
    let mut tree = Tree::of(style.clone(), glossary);
    tree.call(ValuePlace { depth, path: &ValuePath::default(), nesting: 0 }, "input   ", to, input);
    tree.done()
}
