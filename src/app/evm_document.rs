//! The EVM's side of a transaction as lines to read: logs, calls, the receipt.

use std::{borrow::Cow, collections::HashMap};

use super::{
    document::Line,
    evm_side::{EvmSide, Link},
    format::AddressForm,
    json_document::json_lines,
    tx_document::{TxTab, address_line, field},
};
use crate::{
    config::Meaning,
    domain::{Address, Target, text},
    story::{Log, Proof, decode, selector_name, signature},
    wire::{EvmTx, HexText, InternalTx, Tx},
};
use alloy_primitives::U256;

/// Hex digits of one word.
const WORD: usize = 64;
/// Words of a log's data, and characters of a call's, that are written out.
const WORDS: usize = 64;
const HEX_SHOWN: usize = 20_000;

/// What the lines are made of.
pub(super) struct Side<'a> {
    /// The Cosmos transaction, where it is known.
    pub(super) tx: Option<&'a Tx>,
    /// The EVM's side.
    pub(super) evm: &'a EvmSide,
    /// The form of addresses.
    pub(super) form: AddressForm,
    /// How far the server's index of calls is, where it says so.
    pub(super) traced: Option<u64>,
}

/// The line that stands below a transaction's own hash: the one that the EVM gave it.
pub(super) fn beside(side: &Side<'_>) -> Option<Line> {
    let line = field(0, "evm hash");
    let receipt = side.evm.receipt.value();
    Some(match (side.evm.link, receipt) {
        (Some(Link::NoReceipt), _) => return None,
        (Some(Link::Proven(proof)), Some(receipt)) => {
            let hash = receipt.transaction_hash.to_string();
            line.with(Meaning::Link, &hash).copying(hash).with(Meaning::Good, format!("  ✓ {}", words(proof)))
        }
        (Some(Link::TooMany), _) => line.with(Meaning::Warning, "the block holds too many transactions to compare"),
        (Some(_), _) => line.with(Meaning::Warning, "no receipt of this block is proven to be of it"),
        (None, _) => match side.evm.receipts.error().or(side.evm.block_txs.error()) {
            Some(error) if error.is_not_found() => line.with(Meaning::Muted, "this server keeps no EVM receipts"),
            Some(error) => line.with(Meaning::Warning, format!("not found out: {}", error.brief())),
            None => line.with(Meaning::Muted, "looking for its receipt…"),
        },
    })
}

fn words(proof: Proof) -> String {
    match proof {
        Proof::Logs(1) => "same event: 1 log agrees".to_owned(),
        Proof::Logs(count) => format!("same event: {count} logs agree"),
        Proof::Place => "same event: place, sender, target and result agree, no logs".to_owned(),
    }
}

/// The tabs of a receipt whose Cosmos transaction is not known.
pub(super) fn receipt_lines(side: &Side<'_>, tab: TxTab) -> Vec<Line> {
    let Some(receipt) = side.evm.receipt.value() else { return Vec::new() };
    if tab == TxTab::Raw {
        return json_lines(&serde_json::to_string(&**receipt).unwrap_or_default());
    }
    let elsewhere = |what: &str| {
        let text = format!("The receipt has no {what}: they belong to the Cosmos transaction.");
        vec![Line::at(0).with(Meaning::Muted, text)]
    };
    match tab {
        TxTab::Events => return elsewhere("events"),
        TxTab::Messages => return elsewhere("messages"),
        _ => {}
    }
    let mut lines = facts(receipt, side.form);
    lines.push(Line::at(0));
    lines.extend(candidates(side));
    lines
}

fn facts(receipt: &EvmTx, form: AddressForm) -> Vec<Line> {
    let result = if receipt.is_success() { (Meaning::Good, "✓ success") } else { (Meaning::Bad, "✗ failed") };
    let hash = receipt.transaction_hash.to_string();
    let number = |quantity: &HexText| match quantity.quantity() {
        Some(amount) => text::group_digits(&amount.to_string()),
        None => text::clip(&quantity.0, 80),
    };
    let mut lines = vec![
        field(0, "result").with(result.0, result.1),
        field(0, "evm hash").with(Meaning::Link, &hash).copying(hash),
    ];
    if let Some(height) = receipt.height() {
        let line = field(0, "block").with(Meaning::Link, text::group(height.get())).copying(height.to_string());
        lines.push(line.leading_to(Some(Target::Block(height))));
    }
    lines.push(party(field(0, "from"), &receipt.from, form));
    match &receipt.contract_address {
        Some(contract) => lines.push(party(field(0, "deployed"), contract, form)),
        None => lines.push(party(field(0, "to"), &receipt.to, form)),
    }
    lines.push(field(0, "gas").with(Meaning::Number, number(&receipt.gas_used)));
    lines.push(field(0, "gas price").with(Meaning::Number, number(&receipt.effective_gas_price)));
    lines.push(field(0, "type").with(Meaning::Text, &receipt.kind.0));
    lines
}

/// What the receipt may belong to, where nothing proves it.
fn candidates(side: &Side<'_>) -> Vec<Line> {
    let heading = |text: &str| Line::at(0).with(Meaning::Heading, text);
    match (side.evm.link, side.evm.receipts.error().or(side.evm.block_txs.error())) {
        (Some(Link::TooMany), _) => {
            vec![Line::at(0).with(Meaning::Warning, "Its block holds too many transactions to compare them.")]
        }
        (Some(_), _) => {
            let mut lines = vec![
                heading("Not proven to be the same as any transaction of the block"),
                Line::at(0).with(Meaning::Muted, "The two records share no hash; their logs, order or senders differ."),
            ];
            lines.extend(side.evm.candidates.iter().map(|(hash, is_success)| {
                Line::at(1)
                    .with(Meaning::Text, if *is_success { "✓ " } else { "✗ " })
                    .with(Meaning::Link, hash.to_string())
                    .copying(hash.to_string())
                    .leading_to(Some(Target::Tx(*hash)))
            }));
            lines
        }
        (None, Some(error)) => {
            vec![Line::at(0).with(Meaning::Warning, format!("Its transaction is not found out: {}", error.brief()))]
        }
        (None, None) => vec![Line::at(0).with(Meaning::Muted, "looking for its Cosmos transaction…")],
    }
}

fn party(line: Line, text: &str, form: AddressForm) -> Line {
    match text.parse::<Address>() {
        Ok(address) => address_line(line, address, form),
        Err(_) if text.is_empty() => line.with(Meaning::Muted, "nobody"),
        Err(_) => line.with(Meaning::Text, text).copying(text),
    }
}

/// The logs: those of the receipt where it is known, else those in the events.
pub(super) fn log_lines(side: &Side<'_>) -> Vec<Line> {
    let is_of_receipt = matches!(side.evm.link, Some(Link::Proven(_))) || side.tx.is_none();
    let receipt = side.evm.receipt.value().filter(|_| is_of_receipt);
    let (source, logs): (&str, Vec<Log>) = match (receipt, side.tx) {
        (Some(receipt), _) => ("of its receipt", receipt.logs().iter().map(Log::of_receipt).collect()),
        (None, Some(tx)) => ("in its events", decode(tx).events.iter().flat_map(Log::of_event).collect()),
        (None, None) => ("", Vec::new()),
    };
    if logs.is_empty() {
        return vec![Line::at(0).with(Meaning::Muted, "No contract logged anything.")];
    }
    let count = if logs.len() == 1 { "1 log".to_owned() } else { format!("{} logs", logs.len()) };
    let mut lines = vec![Line::at(0).with(Meaning::Muted, format!("{count} {source}"))];
    for (place, log) in logs.iter().enumerate() {
        push_log(&mut lines, place, log, side.form);
    }
    lines
}

fn push_log(lines: &mut Vec<Line>, place: usize, log: &Log, form: AddressForm) {
    let known = log.topics.first().and_then(|topic| signature(topic.strip_prefix("0x").unwrap_or(topic)));
    let emitter = log.address.parse::<Address>().map_or_else(|_| log.address.clone(), |at| form.write(at));
    lines.push(
        Line::at(0)
            .with(Meaning::Key, format!("{:>3}  ", place + 1))
            .with(Meaning::Kind, known.unwrap_or("unknown event"))
            .with(Meaning::Muted, format!("  {emitter}")),
    );
    lines.push(party(Line::at(1).with(Meaning::Key, "contract  "), &log.address, form));
    let (topics, data) = known.map(|known| places(known, log.topics.len().saturating_sub(1))).unwrap_or_default();
    let mut of_topics = topics.iter();
    if known.is_none()
        && let Some(topic) = log.topics.first()
    {
        lines.push(Line::at(1).with(Meaning::Key, "topic 0   ").with(Meaning::Text, topic).copying(topic.as_str()));
    }
    for (number, topic) in log.topics.iter().enumerate().skip(1) {
        let parameter = of_topics.next();
        let name = parameter.map(|parameter| parameter.name).filter(|name| !name.is_empty());
        let name = format!("{:<10}", name.map_or_else(|| format!("topic {number}"), str::to_owned));
        let kind = parameter.map(|parameter| parameter.kind.as_str());
        lines.push(word_line(&name, topic.strip_prefix("0x").unwrap_or(topic), kind, form));
    }
    push_data(lines, &log.data, &data, form);
}

/// The data: word by word where the signature has only parameters of one word, else as it is.
fn push_data(lines: &mut Vec<Line>, data: &str, parameters: &[Parameter], form: AddressForm) {
    let digits = data.strip_prefix("0x").unwrap_or(data);
    if digits.is_empty() {
        return;
    }
    let is_one_word = |kind: &str| !kind.ends_with(']') && kind != "string" && kind != "bytes";
    let is_plain = parameters.iter().all(|parameter| is_one_word(&parameter.kind));
    let is_words = digits.is_ascii() && digits.len().is_multiple_of(WORD) && digits.len() / WORD <= WORDS;
    if !is_words {
        lines.push(Line::at(1).with(Meaning::Key, "data      ").with(Meaning::Text, shown(data)).copying(data));
        return;
    }
    let is_decoded = is_plain && parameters.len() == digits.len() / WORD;
    for place in 0..digits.len() / WORD {
        let parameter = parameters.get(place).filter(|_| is_decoded);
        let name = parameter.map(|parameter| parameter.name).filter(|name| !name.is_empty());
        let name = format!("{:<10}", name.map_or_else(|| format!("word {place}"), str::to_owned));
        let kind = parameter.map(|parameter| parameter.kind.as_str());
        let word = digits.get(place * WORD..(place + 1) * WORD).unwrap_or_default();
        lines.push(word_line(&name, word, kind, form));
    }
}

/// One word by the type that its event's signature gives it. Without one it is shown as it is, never a guess.
fn word_line(name: &str, word: &str, kind: Option<&str>, form: AddressForm) -> Line {
    let line = Line::at(1).with(Meaning::Key, name);
    let raw = || line.clone().with(Meaning::Text, format!("0x{}", shown(word))).copying(format!("0x{word}"));
    let number = || U256::from_str_radix(word, 16).ok();
    match kind {
        Some("address") => match word.get(24..).and_then(|digits| digits.parse::<Address>().ok()) {
            Some(address) => address_line(line, address, form),
            None => raw(),
        },
        Some("bool") => match number().map(|number| number.to_string()).as_deref() {
            Some("0") => line.with(Meaning::Number, "false").copying("false"),
            Some("1") => line.with(Meaning::Number, "true").copying("true"),
            _ => raw(),
        },
        Some(kind) if kind.starts_with("uint") => match number() {
            Some(number) => {
                let digits = number.to_string();
                line.with(Meaning::Number, text::group_digits(&digits)).copying(digits)
            }
            None => raw(),
        },
        _ => raw(),
    }
}

/// The types in `Transfer(address,address,uint256)`; a tuple counts as one that is not plain.
fn parameter_types(signature: &str) -> Vec<String> {
    let inner = signature.split_once('(').map_or("", |(_, rest)| rest.strip_suffix(')').unwrap_or(rest));
    if inner.is_empty() || inner.contains('(') {
        return Vec::new();
    }
    inner.split(',').map(str::to_owned).collect()
}

/// A parameter of an event whose place in a log is sure.
struct Parameter {
    /// Empty where nobody can know it: signatures have no names.
    name: &'static str,
    kind: String,
}

/// Which parameters an event has in its topics, and which in its data. A signature does not say which are indexed: where
/// some are in the topics and some in the data, only the standard events are known.
fn places(signature: &str, topics: usize) -> (Vec<Parameter>, Vec<Parameter>) {
    let types = parameter_types(signature);
    let names = standard(signature);
    let parameter = |(place, kind): (usize, String)| {
        let name = names.and_then(|names| names.get(place)).map_or("", |(name, _)| *name);
        (Parameter { name, kind }, names.and_then(|names| names.get(place)).is_some_and(|(_, indexed)| *indexed))
    };
    let count = types.len();
    let all = types.into_iter().enumerate().map(parameter);
    if topics == count {
        return (all.map(|(parameter, _)| parameter).collect(), Vec::new());
    }
    if topics == 0 {
        return (Vec::new(), all.map(|(parameter, _)| parameter).collect());
    }
    let (indexed, rest): (Vec<_>, Vec<_>) = all.partition(|(_, is_indexed)| *is_indexed);
    if indexed.len() != topics {
        return (Vec::new(), Vec::new());
    }
    let plain = |parameters: Vec<(Parameter, bool)>| parameters.into_iter().map(|(parameter, _)| parameter).collect();
    (plain(indexed), plain(rest))
}

/// The parameters of the standard events: name, and whether it is indexed.
fn standard(signature: &str) -> Option<&'static [(&'static str, bool)]> {
    Some(match signature {
        "Transfer(address,address,uint256)" => &[("from", true), ("to", true), ("value", false)],
        "Approval(address,address,uint256)" => &[("owner", true), ("spender", true), ("value", false)],
        "ApprovalForAll(address,address,bool)" => &[("owner", true), ("operator", true), ("approved", false)],
        "TransferSingle(address,address,address,uint256,uint256)" => {
            &[("operator", true), ("from", true), ("to", true), ("id", false), ("value", false)]
        }
        "Swap(address,uint256,uint256,uint256,uint256,address)" => {
            &[("sender", true), ("in 0", false), ("in 1", false), ("out 0", false), ("out 1", false), ("to", true)]
        }
        "Deposit(address,uint256)" => &[("to", true), ("value", false)],
        "Withdrawal(address,uint256)" => &[("from", true), ("value", false)],
        _ => return None,
    })
}

fn shown(hex: &str) -> Cow<'_, str> {
    match hex.char_indices().nth(HEX_SHOWN) {
        Some((place, _)) => Cow::Owned(format!("{}…", hex.get(..place).unwrap_or_default())),
        None => Cow::Borrowed(hex),
    }
}

/// The calls as a tree.
pub(super) fn call_lines(side: &Side<'_>) -> Vec<Line> {
    let say = |meaning, text: String| vec![Line::at(0).with(meaning, text)];
    let receipt = match (side.evm.receipt.value(), side.evm.link) {
        (Some(receipt), _) => receipt,
        (None, Some(Link::NoReceipt)) => {
            return say(Meaning::Muted, "No Ethereum wallet signed it: servers trace no calls of such.".to_owned());
        }
        (None, Some(_)) => {
            return say(Meaning::Warning, "No receipt is proven to be of it, so its calls are not known.".to_owned());
        }
        (None, None) => return say(Meaning::Muted, "looking for its receipt…".to_owned()),
    };
    let Some(frames) = side.evm.frames.value() else {
        return match side.evm.frames.error() {
            Some(error) if error.is_not_found() => {
                say(Meaning::Muted, format!("This server has no calls of it: {}", error.brief()))
            }
            Some(error) => say(Meaning::Bad, format!("✗ {}; {}", error.brief(), error.advice())),
            None => say(Meaning::Muted, "loading its calls…".to_owned()),
        };
    };
    if frames.is_empty() && receipt.sender().is_none_or(|sender| sender.bytes().iter().all(|&byte| byte == 0)) {
        return say(Meaning::Muted, "No Ethereum wallet signed it: servers trace no calls of such.".to_owned());
    }
    if frames.is_empty() {
        return say(Meaning::Warning, absent(receipt, side.traced));
    }
    let mut lines = vec![summary(receipt, frames, side.evm.has_more_frames())];
    let depths = depths(frames);
    for (frame, depth) in frames.iter().zip(&depths) {
        push_frame(&mut lines, frame, *depth, receipt, side);
    }
    lines
}

/// Why there are no calls: an index that is not there yet is something else than a transaction without any.
fn absent(receipt: &EvmTx, traced: Option<u64>) -> String {
    let height = receipt.height().map_or(0, crate::domain::Height::get);
    match traced {
        Some(traced) if traced < height => format!(
            "Not traced yet: its block is {}, the index of calls is at {}. r asks again.",
            text::group(height),
            text::group(traced)
        ),
        Some(_) => "No calls were recorded: tracing it failed, or it ended before it called anything.".to_owned(),
        None => "No calls, and the server does not say how far its index of calls is.".to_owned(),
    }
}

fn summary(receipt: &EvmTx, frames: &[impl AsRef<InternalTx>], has_more: bool) -> Line {
    let result = if receipt.is_success() { (Meaning::Good, "✓ success") } else { (Meaning::Bad, "✗ failed") };
    let more = if has_more { " at least" } else { "" };
    let count = if frames.len() == 1 { "1 call".to_owned() } else { format!("{} calls{more}", frames.len()) };
    let known = "  by the receipt; of inner calls only known errors can be told";
    Line::at(0).with(Meaning::Text, format!("{count}  ")).with(result.0, result.1).with(Meaning::Muted, known)
}

/// How deep each call lies below the outer one, by the calls that they name as their callers.
fn depths(frames: &[impl AsRef<InternalTx>]) -> Vec<u16> {
    let mut by_index: HashMap<i64, u16> = HashMap::new();
    frames
        .iter()
        .map(|frame| {
            let frame = frame.as_ref();
            let depth = by_index.get(&frame.parent_index).map_or(0, |parent| parent.saturating_add(1));
            by_index.insert(frame.index, depth);
            depth
        })
        .collect()
}

fn push_frame(lines: &mut Vec<Line>, frame: &InternalTx, depth: u16, receipt: &EvmTx, side: &Side<'_>) {
    let is_outer = frame.parent_index < 0;
    let input = frame.input.0.strip_prefix("0x").unwrap_or(&frame.input.0);
    let creates = frame.kind.starts_with("CREATE");
    let called = match input.get(..8).filter(|_| !creates) {
        Some(selector) => selector_name(selector).map_or_else(|| format!("0x{selector}"), |name| format!("{name}()")),
        None if creates => "new contract".to_owned(),
        None => "no input".to_owned(),
    };
    let mut line = Line::at(depth);
    line = match failure(frame) {
        Some(_) => line.with(Meaning::Bad, "✗ "),
        None if is_outer && receipt.is_success() => line.with(Meaning::Good, "✓ "),
        None if is_outer => line.with(Meaning::Bad, "✗ "),
        None => line.with(Meaning::Muted, "  "),
    };
    line =
        line.with(Meaning::Key, format!("{} ", text::clip(&frame.kind, 14))).with(Meaning::Kind, format!("{called} "));
    let target = frame.to.parse::<Address>();
    line = line.with(Meaning::Link, target.as_ref().map_or_else(|_| frame.to.clone(), |to| side.form.write(*to)));
    if let Some(value) = frame.value.quantity().filter(|value| !value.is_zero()) {
        line = line.with(Meaning::Number, format!("  value {}", text::group_digits(&value.to_string())));
    }
    if let Some(failure) = failure(frame) {
        line = line.with(Meaning::Bad, format!("  {failure}"));
    }
    lines.push(line.copying(frame.to.clone()));
    push_frame_data(lines, frame, depth.saturating_add(1), side);
}

/// From, gas, input and output of a call, hidden until somebody looks.
fn push_frame_data(lines: &mut Vec<Line>, frame: &InternalTx, depth: u16, side: &Side<'_>) {
    let gas = |quantity: &HexText| match quantity.small() {
        Some(gas) => text::group(gas),
        None => "?".to_owned(),
    };
    let bytes = |hex: &HexText| hex.0.len().saturating_sub(2) / 2;
    let sizes = format!(
        "gas {} of {} · {} bytes in · {} bytes out",
        gas(&frame.gas_used),
        gas(&frame.gas),
        bytes(&frame.input),
        bytes(&frame.output)
    );
    lines.push(Line::at(depth).with(Meaning::Muted, sizes).folded());
    let below = depth.saturating_add(1);
    lines.push(party(Line::at(below).with(Meaning::Key, "from    "), &frame.from, side.form));
    lines.push(party(Line::at(below).with(Meaning::Key, "to      "), &frame.to, side.form));
    let hex = |name: &str, hex: &HexText| {
        Line::at(below).with(Meaning::Key, name).with(Meaning::Text, shown(&hex.0)).copying(hex.0.clone())
    };
    lines.push(hex("input   ", &frame.input));
    lines.push(hex("output  ", &frame.output));
}

/// What an inner call's output says where it begins with one of the two errors that every compiler knows.
fn failure(frame: &InternalTx) -> Option<String> {
    let output = frame.output.0.strip_prefix("0x")?;
    if let Some(words) = output.strip_prefix("08c379a0") {
        let length = usize::try_from(u64::from_str_radix(words.get(WORD + 48..2 * WORD)?, 16).ok()?).ok()?;
        let digits = words.get(2 * WORD..(2 * WORD).checked_add(length.checked_mul(2)?)?)?;
        let bytes = alloy_primitives::hex::decode(digits).ok()?;
        return Some(format!("reverted: {}", text::clip(&String::from_utf8_lossy(&bytes), 200)));
    }
    let code = output.strip_prefix("4e487b71")?.get(WORD - 2..WORD)?;
    Some(format!("panic 0x{code}"))
}
