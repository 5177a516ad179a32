//! Lines of a transaction's EVM side: receipt, logs and calls.

use std::{borrow::Cow, collections::HashMap, ops::Range};

use super::evm::{EvmSide, ReceiptLink};
use crate::{
    app::page::{TxLine, TxTab},
    config::Meaning,
    domain::{
        Address, AddressStyle, Target,
        text::{self, Foreign},
    },
    panes::{
        receipt_price,
        tx_document::{self, Line, address_line, field},
    },
    story::{ContractLog, DecodedEvent, FeeUpkeep, Glossary, ReceiptProof, decode, revert_reason},
    widgets::document::json::json_lines,
    wire::{EvmTx, HexText, InternalTx, Tx},
};

/// Maximum characters of return data that a line shows.
const HEX_SHOWN: usize = 20_000;
/// Bytes of an ABI word. A revert's data is a selector of [`SELECTOR`] bytes and whole words.
const WORD: usize = 32;
const SELECTOR: usize = 4;

/// Records of a transaction, and the settings for showing them.
pub(super) struct TxRecords<'a> {
    /// Cosmos transaction, if known.
    pub(super) tx: Option<&'a Tx>,
    pub(super) evm: &'a EvmSide,
    pub(super) style: AddressStyle,
    /// Names of addresses and denoms on the chain.
    pub(super) glossary: &'a Glossary,
    /// Height up to which the server indexed calls, if it reports that height.
    pub(super) traced: Option<u64>,
}

impl TxRecords<'_> {
    /// Returns the address style of logs and calls: hexadecimal.
    fn evm_style(&self) -> AddressStyle {
        self.style.flipped()
    }
}

/// Returns the line with the EVM hash, below the Cosmos hash.
pub(super) fn beside(side: &TxRecords<'_>) -> Option<Line> {
    let line = field(0, "evm hash");
    let receipt = side.evm.receipt.value();
    Some(match (side.evm.link, receipt) {
        (Some(ReceiptLink::NoReceipt), _) => return None,
        (Some(ReceiptLink::Proven(proof)), Some(receipt)) => {
            let hash = receipt.transaction_hash.to_string();
            line.with(Meaning::Link, &hash).copying(hash).with(Meaning::Good, format!("  ✓ {}", words(proof)))
        }
        (Some(ReceiptLink::TooMany), _) => {
            line.with(Meaning::Warning, "the block has too many transactions to compare")
        }
        (Some(_), _) => line.with(Meaning::Warning, "no receipt in the block is proven to match this transaction"),
        (None, _) => match side.evm.receipts.error().or(side.evm.block_txs.error()) {
            Some(error) if error.is_not_found() => line.with(Meaning::Muted, "this server has no EVM receipts"),
            Some(error) => line.with(Meaning::Warning, format!("unknown: {}", error.brief())),
            None => line.with(Meaning::Muted, "searching for its receipt…"),
        },
    })
}

fn words(proof: ReceiptProof) -> String {
    match proof {
        ReceiptProof::Hash => "derived from the Cosmos hash".to_owned(),
        ReceiptProof::Logs(1) => "matched by 1 log".to_owned(),
        ReceiptProof::Logs(count) => format!("matched by {count} logs"),
        ReceiptProof::Place => "matched by block position, sender, target and result; no logs".to_owned(),
    }
}

/// Returns the lines of a tab for a receipt whose Cosmos transaction is unknown.
pub(super) fn receipt_lines(side: &TxRecords<'_>, tab: TxTab) -> Vec<Line> {
    let Some(receipt) = side.evm.receipt.value() else { return Vec::new() };
    if tab == TxTab::Raw {
        return json_lines(&serde_json::to_string(&**receipt).unwrap_or_default());
    }
    let elsewhere = |what: &str| {
        let text = format!("The receipt has no {what}; the Cosmos transaction has them.");
        vec![Line::at(0).with(Meaning::Muted, text)]
    };
    match tab {
        TxTab::Events => return elsewhere("events"),
        TxTab::Messages => return elsewhere("messages"),
        _ => {}
    }
    let mut lines = facts(receipt, side);
    lines.push(Line::at(0));
    lines.extend(candidates(side));
    lines
}

fn facts(receipt: &EvmTx, side: &TxRecords<'_>) -> Vec<Line> {
    let style = &side.style;
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
    lines.push(party(field(0, "from"), &receipt.from, style));
    match &receipt.contract_address {
        Some(contract) => lines.push(party(field(0, "deployed"), contract, style)),
        None => lines.push(party(field(0, "to"), &receipt.to, style)),
    }
    lines.push(field(0, "gas").with(Meaning::Number, number(&receipt.gas_used)));
    let price = &receipt.effective_gas_price;
    let price = price.quantity().map_or_else(|| number(price), |price| receipt_price(price, side.glossary));
    lines.push(field(0, "gas price").with(Meaning::Number, price).with(Meaning::Text, " charged"));
    lines.push(field(0, "type").with(Meaning::Text, &receipt.kind.0));
    lines
}

/// Returns the transactions that an unlinked receipt may belong to.
fn candidates(side: &TxRecords<'_>) -> Vec<Line> {
    let heading = |text: &str| Line::at(0).with(Meaning::Heading, text);
    match (side.evm.link, side.evm.receipts.error().or(side.evm.block_txs.error())) {
        (Some(ReceiptLink::TooMany), _) => {
            vec![Line::at(0).with(Meaning::Warning, "The block has too many transactions to compare.")]
        }
        (Some(_), _) => {
            let mut lines = vec![
                heading("No transaction of the block is proven to match the receipt"),
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
            vec![Line::at(0).with(Meaning::Warning, format!("Cosmos transaction unknown: {}", error.brief()))]
        }
        (None, None) => vec![Line::at(0).with(Meaning::Muted, "searching for the Cosmos transaction…")],
    }
}

fn party(line: Line, text: &str, style: &AddressStyle) -> Line {
    match text.parse::<Address>() {
        Ok(address) => address_line(line, address, style),
        Err(_) if text.is_empty() => line.with(Meaning::Muted, "none"),
        Err(_) => line.with(Meaning::Text, text).copying(text),
    }
}

/// Returns the receipt's logs, else the logs in the Cosmos events.
pub(super) fn log_lines(side: &TxRecords<'_>) -> Vec<Line> {
    let is_of_receipt = matches!(side.evm.link, Some(ReceiptLink::Proven(_))) || side.tx.is_none();
    let receipt = side.evm.receipt.value().filter(|_| is_of_receipt);
    let decoded = side.tx.map(decode);
    let (source, logs): (&str, Vec<ContractLog>) = match (receipt, &decoded) {
        (Some(receipt), _) => ("from its receipt", receipt.logs().iter().map(ContractLog::of_receipt).collect()),
        (None, Some(decoded)) => {
            ("from its events", decoded.events.iter().flat_map(DecodedEvent::logs).cloned().collect())
        }
        (None, None) => ("", Vec::new()),
    };
    if logs.is_empty() {
        return vec![Line::at(0).with(Meaning::Muted, "No contract emitted a log.")];
    }
    let count = if logs.len() == 1 { "1 log".to_owned() } else { format!("{} logs", logs.len()) };
    let mut lines = vec![Line::at(0).with(Meaning::Muted, format!("{count} {source}"))];
    let fee = decoded.map(|decoded| FeeUpkeep::of(&decoded).logs(&logs)).unwrap_or_default();
    lines.extend(tx_document::log_lines(&side.evm_style(), side.glossary, &logs, &fee));
    lines
}

fn shown(hex: &str) -> Cow<'_, str> {
    match hex.char_indices().nth(HEX_SHOWN) {
        Some((place, _)) => Cow::Owned(format!("{}…", hex.get(..place).unwrap_or_default())),
        None => Cow::Borrowed(hex),
    }
}

pub(super) fn call_lines(side: &TxRecords<'_>) -> Vec<Line> {
    let only_line = |meaning, text: String| vec![Line::at(0).with(meaning, text)];
    let receipt = match (side.evm.receipt.value(), side.evm.link) {
        (Some(receipt), _) => receipt,
        (None, Some(ReceiptLink::NoReceipt)) => {
            return only_line(
                Meaning::Muted,
                "The index traces only calls of Ethereum-signed transactions.".to_owned(),
            );
        }
        (None, Some(_)) => {
            return only_line(
                Meaning::Warning,
                "Calls unknown: no receipt is proven to match this transaction.".to_owned(),
            );
        }
        (None, None) => return only_line(Meaning::Muted, "searching for its receipt…".to_owned()),
    };
    let Some(frames) = side.evm.frames.value() else {
        return match side.evm.frames.error() {
            Some(error) if error.is_not_found() => {
                only_line(Meaning::Muted, format!("This server has no calls of this transaction: {}", error.brief()))
            }
            Some(error) => only_line(Meaning::Bad, format!("✗ {}; {}", error.brief(), error.advice())),
            None => only_line(Meaning::Muted, "loading its calls…".to_owned()),
        };
    };
    if frames.is_empty() && receipt.sender().is_none_or(|sender| sender.bytes().iter().all(|&byte| byte == 0)) {
        return only_line(Meaning::Muted, "The index traces only calls of Ethereum-signed transactions.".to_owned());
    }
    if frames.is_empty() {
        return only_line(Meaning::Warning, absent(receipt, side.traced));
    }
    let mut lines = vec![summary(receipt, frames, side.evm.has_more_frames())];
    let depths = depths(frames);
    let push = |lines: &mut Vec<Line>, places: Range<usize>, below: u16| {
        let shown = frames.iter().zip(&depths).take(places.end).skip(places.start);
        shown.for_each(|(frame, depth)| push_frame(lines, frame, depth.saturating_add(below), receipt, side));
    };
    let fee = side.tx.map(|tx| FeeUpkeep::of(&decode(tx)).calls(frames)).unwrap_or_default();
    // The outermost call leads to all others.
    push(&mut lines, 0..fee.taken.start.min(1), 0);
    push(&mut lines, fee.taken.end..fee.asked(frames.len()).end, 0);
    for (name, places) in fee.parts() {
        let count = text::count(places.len(), "call");
        lines.push(Line::at(1).with(Meaning::Muted, format!("{name}: {count}")).folded());
        push(&mut lines, places, 1);
    }
    lines
}

/// Explains missing calls: the index may lag, or the transaction has none.
fn absent(receipt: &EvmTx, traced: Option<u64>) -> String {
    let height = receipt.height().map_or(0, crate::domain::Height::get);
    match traced {
        Some(traced) if traced < height => format!(
            "Not traced yet: its block is {}, the call index is at {}. r refreshes.",
            text::group(height),
            text::group(traced)
        ),
        Some(_) => "No calls: tracing failed, or the first call never started.".to_owned(),
        None => "No calls; the server does not report its call index height.".to_owned(),
    }
}

fn summary(receipt: &EvmTx, frames: &[impl AsRef<InternalTx>], has_more: bool) -> Line {
    let result = if receipt.is_success() { (Meaning::Good, "✓ success") } else { (Meaning::Bad, "✗ failed") };
    let more = if has_more { " at least" } else { "" };
    let count = format!("{}{more}", text::count(frames.len(), "call"));
    let known = "  results: of the receipt; of inner calls, their errors";
    Line::at(0).with(Meaning::Text, format!("{count}  ")).with(result.0, result.1).with(Meaning::Muted, known)
}

/// Returns each call's depth below the outermost call, from the parent indices.
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

fn push_frame(lines: &mut Vec<Line>, frame: &InternalTx, depth: u16, receipt: &EvmTx, side: &TxRecords<'_>) {
    let is_outer = frame.parent_index < 0;
    let reading = side.glossary.abi.decode_call(frame.to.parse().ok(), &frame.input.0);
    let called = match (&reading.name, &reading.selector) {
        _ if frame.kind.starts_with("CREATE") => "new contract".to_owned(),
        (Some(name), _) => format!("{}()", text::clip(name, 60)),
        (None, Some(selector)) => selector.clone(),
        (None, None) => "no input".to_owned(),
    };
    let mut line = Line::at(depth);
    let failure = failure(frame, side.glossary);
    line = match failure {
        Some(_) => line.with(Meaning::Bad, "✗ "),
        None if is_outer && receipt.is_success() => line.with(Meaning::Good, "✓ "),
        None if is_outer => line.with(Meaning::Bad, "✗ "),
        None => line.with(Meaning::Muted, "  "),
    };
    line =
        line.with(Meaning::Key, format!("{} ", text::clip(&frame.kind, 14))).with(Meaning::Kind, format!("{called} "));
    // The failure reason matters most: it comes first, and the address gets less room.
    let is_failed = failure.is_some();
    if let Some(failure) = failure {
        line = line.with(Meaning::Bad, format!("{failure}  "));
    } else if let Some(selector) = error_form(frame).filter(|_| frame.error.is_none()) {
        line = line.with(Meaning::Warning, format!("returned {selector}, in the form of an error  "));
    }
    let style = side.evm_style();
    let target = frame.to.parse::<Address>();
    let written = match &target {
        Ok(to) if is_failed => style.short(*to),
        Ok(to) => style.write(*to),
        Err(_) => frame.to.clone(),
    };
    line = line.with(Meaning::Link, written);
    // Precompiles and known contracts have names.
    if let Some(label) = target.as_ref().ok().and_then(|to| side.glossary.label(*to)) {
        line = line.with(Meaning::Muted, format!(" ({})", text::clip(label, 32)));
    }
    if frame.undone && !is_failed {
        line = line.with(Meaning::Muted, "  undone");
    }
    if let Some(value) = frame.moved().filter(|value| !value.is_zero() && receipt.is_success()) {
        line = line.with(Meaning::Number, format!("  value {}", text::group_digits(&value.to_string())));
    }
    // A failed creation has no address.
    let line = if frame.to.is_empty() { line } else { line.copying(frame.to.clone()) };
    lines.push(line.named(TxLine::Call(frame.index)));
    push_frame_data(lines, frame, depth.saturating_add(1), side);
}

/// Adds caller, gas, input and output of a call as folded lines.
fn push_frame_data(lines: &mut Vec<Line>, frame: &InternalTx, depth: u16, side: &TxRecords<'_>) {
    let gas = |quantity: &HexText| match quantity.small() {
        Some(gas) => text::group(gas),
        None => "?".to_owned(),
    };
    let bytes = |hex: &HexText| hex.0.len().saturating_sub(2) / 2;
    // Many servers drop the output of the outermost call.
    let output = match bytes(&frame.output) {
        0 if frame.parent_index < 0 => "no output served".to_owned(),
        count => format!("{count} bytes out"),
    };
    let (used, limit, input) = (gas(&frame.gas_used), gas(&frame.gas), bytes(&frame.input));
    let sizes = format!("gas {used} of {limit} · {input} bytes in · {output}");
    lines.push(Line::at(depth).with(Meaning::Muted, sizes).folded());
    let below = depth.saturating_add(1);
    lines.push(party(Line::at(below).with(Meaning::Key, "from    "), &frame.from, &side.evm_style()));
    if !frame.to.is_empty() {
        lines.push(party(Line::at(below).with(Meaning::Key, "to      "), &frame.to, &side.evm_style()));
    }
    if frame.kind.starts_with("CREATE") {
        let code = Line::at(below).with(Meaning::Key, "code    ");
        lines.push(code.with(Meaning::Text, shown(&frame.input.0)).copying(frame.input.0.clone()));
    } else {
        let call = (frame.to.parse().ok(), frame.input.0.as_str());
        lines.extend(tx_document::input_lines(&side.evm_style(), side.glossary, below, call));
    }
    let output = Line::at(below).with(Meaning::Key, "output  ");
    lines.push(output.with(Meaning::Text, shown(&frame.output.0)).copying(frame.output.0.clone()));
}

/// Returns why a call failed, in the words of [`revert_reason`]. Servers without errors of calls only have the
/// outputs: an error of a known ABI proves the failure.
fn failure(frame: &InternalTx, glossary: &Glossary) -> Option<String> {
    let reason = || revert_reason(&frame.output.bytes()?, glossary).map(|reason| text::clip(&reason, 200));
    match frame.error.as_ref().map(Foreign::as_received) {
        Some("execution reverted") => Some(match reason() {
            Some(reason) => format!("reverted: {reason}"),
            None => "reverted, and returned no reason".to_owned(),
        }),
        Some(error) => Some(text::clip(error, 200)),
        None => {
            error_form(frame)?;
            glossary.abi.decode_error(frame.to.parse().ok(), &frame.output.0).arguments?;
            reason().map(|reason| format!("reverted: {reason}"))
        }
    }
}

/// Returns the selector of an output in the form of an error. Successful calls return whole words.
fn error_form(frame: &InternalTx) -> Option<&str> {
    let digits = frame.output.0.get(..2 + 2 * SELECTOR)?;
    (frame.output.0.len() % (2 * WORD) == digits.len()).then_some(digits)
}
