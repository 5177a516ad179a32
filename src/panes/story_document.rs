//! Story of a transaction as a document: result, sentences, changes, facts. In a wide document, story, facts
//! and messages stand on the left, effects and events on the right.

mod amounts;
mod facts;
mod matrix;
mod parts;

use unicode_width::UnicodeWidthStr as _;

pub(crate) use facts::receipt_price;

use self::{
    amounts::{Amounts, signed},
    facts::fact_lines,
    matrix::balance_lines,
    parts::{account_text, heading, push_folding, short_hex, with_account},
};
use super::tx_document::{
    Line, TxSheet,
    events::event_lines,
    messages::{MessageTitle, message_lines},
};
use crate::{
    app::page::TxLine,
    config::Meaning,
    domain::{Address, AddressStyle, PacketSide, Target, text},
    story::{
        BridgeIdentity, BridgeMove, NftChange, NftName, PacketWay, PartialFailure, Phrase, Sentence, Style,
        SupplyChange, Word, claim_outlook, text_of,
    },
    widgets::document::{FilterMatch, INDENT, LineColumn, Rows, WordRef, column_widths},
};

/// Maximum characters of a word, since a sender can choose long texts.
const WORD: usize = 400;
/// Maximum bytes of a transaction, and maximum events, that the story shows: its lines are made again as it ages.
const MESSAGES_SHOWN: usize = 64 * 1024;
const EVENTS_SHOWN: usize = 200;
/// End of a line about an NFT whose previous owner no event names.
const UNNAMED_OWNER: &str = "; the events do not name its owner";
/// Visible characters of a token ID.
const ID: usize = 24;
/// Maximum words per line.
const WORDS: usize = 120;

pub(super) fn story_lines(sheet: &TxSheet<'_>) -> Vec<Line> {
    let amounts = Amounts::of(sheet);
    let mut lines = verdict_lines(sheet);
    push_block(&mut lines, sentence_lines(sheet));
    let Some((_, right)) = column_widths(sheet.width) else {
        push_block(&mut lines, effect_lines(sheet, &amounts, sheet.width));
        push_block(&mut lines, fact_lines(sheet, &amounts));
        return lines;
    };
    push_block(&mut lines, fact_lines(sheet, &amounts));
    if sheet.tx.tx.get().len() <= MESSAGES_SHOWN {
        push_block(&mut lines, message_lines(sheet, MessageTitle::Kind).into_iter().map(Line::prose).collect());
    }
    let mut beside = effect_lines(sheet, &amounts, right);
    if sheet.story.decoded.events.len() <= EVENTS_SHOWN {
        let room = sheet.height.saturating_sub(rows(&beside, right) + 1);
        push_block(&mut beside, events_within(sheet, right, room));
    }
    lines.extend(beside.into_iter().map(|line| line.in_column(LineColumn::Right)));
    lines
}

/// Returns the events, folded below their messages if they do not fit into this many rows.
fn events_within(sheet: &TxSheet<'_>, width: usize, room: usize) -> Vec<Line> {
    let mut lines = event_lines(sheet);
    for line in &mut lines {
        // The story's lines are no units of a filter.
        (line.rows, line.filter_match) = (Rows::Prose, FilterMatch::ByItself);
    }
    if rows(&lines, width) > room {
        lines.iter_mut().filter(|line| line.depth == 0).for_each(|line| line.starts_folded = true);
    }
    lines
}

/// Estimates the rows of unfolded lines and of the lines directly below them.
fn rows(lines: &[Line], width: usize) -> usize {
    let shown = lines.iter().filter(|line| line.depth <= 1);
    shown.map(|line| line.text().width().div_ceil(width.saturating_sub(2 * INDENT).max(1)).max(1)).sum()
}

/// Returns what the transaction changed, in this many columns.
fn effect_lines(sheet: &TxSheet<'_>, amounts: &Amounts, width: usize) -> Vec<Line> {
    let mut lines = bridge_lines(sheet);
    push_block(&mut lines, nft_lines(sheet));
    push_block(&mut lines, balance_lines(sheet, amounts, width));
    push_block(&mut lines, supply_lines(sheet, amounts));
    lines
}

/// Appends these lines, after an empty line unless they are the first.
fn push_block(lines: &mut Vec<Line>, block: Vec<Line>) {
    if !block.is_empty() {
        lines.extend((!lines.is_empty()).then(|| Line::at(0)));
        lines.extend(block);
    }
}

/// Returns the result and the failure reason.
fn verdict_lines(sheet: &TxSheet<'_>) -> Vec<Line> {
    let line = Line::at(0).named(TxLine::Verdict);
    let Some(explanation) = sheet.story.explanation.as_ref() else {
        return vec![if let Some(success) = PartialFailure::verdict(&sheet.story.partial) {
            line.with(Meaning::Warning, &success).copying(success)
        } else if sheet.tx.is_success() {
            line.with(Meaning::Good, "✓ success").copying("success")
        } else {
            line.with(Meaning::Bad, "✗ failed").copying(sheet.tx.raw_log.as_received())
        }];
    };
    let (meaning, mark, word) =
        if explanation.is_partial { (Meaning::Warning, "! ", "") } else { (Meaning::Bad, "✗ ", "failed: ") };
    let (first, rest) = first_sentence(&explanation.text);
    let word_ref = WordRef::by(&explanation.events).copying(explanation.text.clone());
    let line = line.with(meaning, mark).with(meaning, word);
    let mut lines = vec![line.with_word(meaning, first, word_ref).copying(explanation.text.clone()).hanging()];
    if explanation.is_partial {
        let success = PartialFailure::verdict(&sheet.story.partial);
        let success = success.unwrap_or_else(|| "! success, but a part of it failed".to_owned());
        lines.insert(0, Line::at(0).with(Meaning::Warning, success));
    }
    lines.extend(below(Meaning::Text, rest));
    lines.extend(below(Meaning::Muted, &explanation.title()));
    lines
}

fn below(meaning: Meaning, text: &str) -> Option<Line> {
    (!text.is_empty()).then(|| Line::at(0).with(Meaning::Text, "  ").with(meaning, text).copying(text).hanging())
}

/// Splits off the first sentence, which ends at a full stop before a capital letter.
fn first_sentence(text: &str) -> (&str, &str) {
    let ends = text.match_indices(". ").map(|(place, _)| place + 1);
    let is_end = |place: &usize| {
        let next = text.get(*place..).and_then(|rest| rest.trim_start().chars().next());
        next.is_some_and(|sign| sign.is_uppercase() || sign == '“')
    };
    match ends.into_iter().find(is_end) {
        Some(place) => (text.get(..place).unwrap_or(text), text.get(place..).unwrap_or_default().trim_start()),
        None => (text, ""),
    }
}

/// Returns a sentence per message. Maintenance messages are folded.
fn sentence_lines(sheet: &TxSheet<'_>) -> Vec<Line> {
    let decoded = &sheet.story.decoded;
    let mut lines = Vec::new();
    if let Some(problem) = &decoded.problem {
        lines.push(Line::at(0).with(Meaning::Warning, "! ").with(Meaning::Warning, problem).hanging());
    }
    let sentences = &sheet.story.sentences;
    let (noise, told): (Vec<&Sentence>, Vec<&Sentence>) = sentences.iter().partition(|sentence| sentence.is_noise);
    let (noise, told) = if told.is_empty() { (told, noise) } else { (noise, told) };
    let line = |depth: u16, sentence: &Sentence| {
        let failed = decoded.failure.as_ref().is_some_and(|failure| failure.message_index == Some(sentence.message));
        let width = sentences.len().to_string().len();
        let number = match (sentences.len() > 1, failed) {
            (true, true) => format!("{:>width$} ✗ ", sentence.message + 1),
            (true, false) => format!("{:>width$}  ", sentence.message + 1),
            (false, _) => String::new(),
        };
        let meaning = if failed { Meaning::Bad } else { Meaning::Muted };
        let line = Line::at(depth).with(meaning, number).named(TxLine::Sentence(sentence.message));
        let exact = text_of(&sentence.phrases, Style::Exact);
        told_line(line, &sentence.phrases, &sheet.style, sentence.is_noise).copying(exact).hanging()
    };
    push_folding(&mut lines, 0, &told, |depth, sentence| line(depth, sentence), "message");
    if !noise.is_empty() {
        let count = text::count(noise.len(), "message");
        let text = format!("{count} more for maintenance, such as an IBC client update");
        lines.push(Line::at(0).with(Meaning::Muted, text).folded().named(TxLine::Upkeep));
        lines.extend(noise.iter().map(|sentence| line(1, sentence)));
    }
    lines
}

/// Appends phrases to a line. A phrase with evidence or a link is selectable.
fn told_line(mut line: Line, phrases: &[Phrase], style: &AddressStyle, is_muted: bool) -> Line {
    let style = Style::Screen(style);
    for phrase in phrases.iter().take(WORDS) {
        let (meaning, target) = match &phrase.word {
            Word::Text(_) | Word::Foreign(_) | Word::Quoted(_) => (Meaning::Text, None),
            Word::Account { address, label, .. } => {
                let meaning = Meaning::Link.of_name(label.as_deref().unwrap_or_default());
                (meaning, Some(Target::Account(*address)))
            }
            Word::Coin { .. } | Word::Amount(_) => (Meaning::Number, None),
            Word::Token { denom, .. } => (Meaning::Number, Some(Target::Denom(denom.clone()))),
            Word::Block(height) => (Meaning::Link, Some(Target::Block(*height))),
            Word::Code(_) => (Meaning::Kind, None),
        };
        let meaning = if is_muted { Meaning::Muted } else { meaning };
        let word_ref = WordRef::by(&phrase.events).leading_to(target).copying(phrase.word.write(Style::Exact));
        line = line.with_word(meaning, text::clip(&phrase.word.write(style), WORD), word_ref);
    }
    if phrases.len() > WORDS { line.with(Meaning::Muted, " …") } else { line }
}

/// Returns a line per transfer over a bridge; Enter tracks the transfer.
fn bridge_lines(sheet: &TxSheet<'_>) -> Vec<Line> {
    let moves = &sheet.story.bridge;
    if moves.is_empty() {
        return Vec::new();
    }
    let mut lines = vec![heading(TxLine::BridgeMoves, "Bridge")];
    let mut items: Vec<Line> = Vec::new();
    for (place, moved) in moves.iter().enumerate() {
        let steps = step_lines(sheet, place, moved);
        let target = steps.iter().rev().find_map(|step| step.link.clone());
        items.push(bridge_line(place, moved, &sheet.style).leading_to(target));
        items.extend(steps);
        items.extend(claim_lines(sheet, place, moved));
    }
    let line = |depth: u16, line: &Line| Line { depth: depth + line.depth, ..line.clone() };
    push_folding(&mut lines, 1, &items, line, "line");
    lines
}

/// Returns the lines on where and about when a withdrawal can be claimed, and with which command.
fn claim_lines(sheet: &TxSheet<'_>, place: usize, moved: &BridgeMove) -> Vec<Line> {
    let (BridgeIdentity::Withdrawal { l2_sequence, .. }, Some(shown)) = (&moved.identity, sheet.claims) else {
        return Vec::new();
    };
    let line = |number: usize| Line::at(1).with(Meaning::Muted, "↳ ").named(TxLine::BridgeStep(place, number));
    let outlook = claim_outlook(shown.bridge, sheet.tx.timestamp).in_zone(shown.zone);
    let command = shown.command.as_ref().map(|(start, end)| format!("{start} {l2_sequence}{end}"));
    let command = command.map(|command| line(1).with(Meaning::Kind, &command).copying(command).hanging());
    [Some(line(0).with(Meaning::Text, outlook).hanging()), command].into_iter().flatten().collect()
}

/// Returns a line per other step of a packet; Enter opens its transaction.
fn step_lines(sheet: &TxSheet<'_>, place: usize, moved: &BridgeMove) -> Vec<Line> {
    let Some(packet) = &moved.packet else { return Vec::new() };
    let line =
        |number: usize| Line::at(1).with(Meaning::Muted, "↳ ").named(TxLine::BridgeStep(place, number)).hanging();
    let relay = packet.relay.as_ref().map(|other| {
        let words = match other.side {
            PacketSide::Sent => "passed on as ",
            PacketSide::Received => "carries on ",
        };
        line(0).with(Meaning::Text, format!("{words}{other}"))
    });
    let mut lines: Vec<Line> = relay.into_iter().collect();
    let Some(shown) = sheet.packets else { return lines };
    let steps = shown.trail.steps(packet);
    let others = || steps.iter().filter(|step| step.txhash != sheet.tx.txhash);
    lines.extend(others().enumerate().map(|(number, step)| {
        let line = line(number + 1).with(Meaning::Link, format!("block {}", text::group(step.height.get())));
        line.with(Meaning::Text, format!(" · {}", step.state)).leading_to(Some(Target::Tx(step.txhash)))
    }));
    let has_first = others().map(|step| step.way).chain(moved.way()).any(PacketWay::is_first);
    let has_last = shown.trail.is_settled(moved, packet);
    let missing = match packet.end.side {
        _ if !has_first => Some(if packet.end.side == PacketSide::Sent { "sending" } else { "arrival" }),
        PacketSide::Sent if !has_last => Some("acknowledgement or timeout"),
        PacketSide::Received if !has_last && packet.relay.is_some() => Some("acknowledgement"),
        _ => None,
    };
    lines.extend(missing.map(|missing| line(0).with(Meaning::Muted, shown.note(missing, packet))));
    lines
}

fn bridge_line(place: usize, moved: &BridgeMove, style: &AddressStyle) -> Line {
    let line = Line::at(0).with(Meaning::Muted, "⇄ ").named(TxLine::BridgeMove(place));
    let line = told_line(line, &moved.phrases, style, false);
    // For an untracked transfer, the copied query finds the transaction on the other chain.
    let copy = moved.search.clone().unwrap_or_else(|| text_of(&moved.phrases, Style::Exact));
    line.copying(copy).hanging()
}

fn nft_lines(sheet: &TxSheet<'_>) -> Vec<Line> {
    let moves = sheet.story.changes.nft_outcomes();
    if moves.is_empty() {
        return Vec::new();
    }
    let mut lines = vec![heading(TxLine::NftChanges, "NFTs")];
    let line = |depth: u16, (place, moved): &(usize, NftChange)| {
        nft_line(depth, moved, sheet).named(TxLine::NftChange(*place))
    };
    push_folding(&mut lines, 1, &moves, line, "movement");
    lines
}

fn nft_line(depth: u16, moved: &NftChange, sheet: &TxSheet<'_>) -> Line {
    let word_ref = || WordRef::by(&moved.events);
    let (name, of, target) = nft_name(&moved.what);
    let many = moved.amount.map_or_else(String::new, |amount| format!("{amount} × "));
    let mut line = Line::at(depth).with(Meaning::Muted, "◆ ").with_word(
        Meaning::Number,
        format!("{many}{}", short_id(&name)),
        word_ref().copying(name).leading_to(target),
    );
    if let Some(of) = of {
        let collection = moved.what.collection();
        line = line.with(Meaning::Muted, " of ").with_word(
            Meaning::Link,
            collection.map_or_else(|| text::clip(&of, 42), |address| account_text(address, sheet)),
            WordRef::default().leading_to(collection.map(Target::Collection)).copying(of),
        );
        if let Some(name) = collection.and_then(|address| sheet.glossary.own_name(address)) {
            line = line.with(Meaning::Muted, format!(" ({})", text::quoted(name)));
        }
    }
    let party = |line: Line, words: &str, who: Address| with_account(line.with(Meaning::Text, words), who, sheet);
    match (moved.from, moved.to) {
        (Some(from), Some(to)) if moved.is_inferred => {
            party(party(line, " went to ", to), " at the request of ", from).with(Meaning::Text, UNNAMED_OWNER)
        }
        (Some(from), Some(to)) => party(party(line, " went from ", from), " to ", to),
        (None, Some(to)) => party(line, " was minted to ", to),
        (Some(from), None) if moved.is_inferred => {
            party(line, " was burned at the request of ", from).with(Meaning::Text, UNNAMED_OWNER)
        }
        (Some(from), None) => party(line, " was burned by ", from),
        (None, None) => line.with(Meaning::Text, " moved"),
    }
    .hanging()
}

/// Returns an NFT's name, its collection's name, and the page to open.
fn nft_name(what: &NftName) -> (String, Option<String>, Option<Target>) {
    match what {
        NftName::Token { contract, token_id } => (token_id.clone(), Some(contract.clone()), None),
        NftName::Nft { collection, token_id, .. } => (token_id.clone(), Some(collection.clone()), None),
        NftName::Object { object } => {
            let target = object.parse().ok().map(Target::Account);
            (format!("object {}", short_hex(object)), None, target)
        }
    }
}

/// Shortens a token ID; of a 256-bit ID the first and last digits remain.
fn short_id(id: &str) -> String {
    let is_long = id.len() > ID && id.is_ascii() && !id.contains(' ');
    match (id.get(..ID / 2), id.get(id.len().saturating_sub(ID / 3)..)) {
        (Some(head), Some(tail)) if is_long => format!("{head}…{tail}"),
        _ => text::clip(id, 60),
    }
}

/// Returns a line per mint and burn.
fn supply_lines(sheet: &TxSheet<'_>, amounts: &Amounts) -> Vec<Line> {
    let supply = &sheet.story.changes.supply;
    if supply.is_empty() {
        return Vec::new();
    }
    let mut lines = vec![heading(TxLine::Supplies, "Supply")];
    let supply: Vec<(usize, &SupplyChange)> = supply.iter().enumerate().collect();
    let line = |depth: u16, (place, change): &(usize, &SupplyChange)| {
        let verb = if change.delta.is_negative() { "  burned" } else { "  minted" };
        let value = format!("{} {}", amounts.write(change.delta, &change.denom), amounts.symbol(&change.denom));
        let exact = format!("{}{}", change.delta, change.denom);
        let line = Line::at(depth).named(TxLine::Supply(*place)).copying(exact.clone());
        let word_ref = WordRef::by(&change.events).copying(exact);
        line.with_word(signed(change.delta), value, word_ref).with(Meaning::Muted, verb)
    };
    push_folding(&mut lines, 1, &supply, line, "token");
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_sentence_ends_at_a_full_stop_before_a_capital() {
        let text = "Message 1 stopped in 0x1::dex v1.2 after 1.5 INIT. Nothing changed. Really";
        let (first, rest) = first_sentence(text);
        assert_eq!(first, "Message 1 stopped in 0x1::dex v1.2 after 1.5 INIT.");
        assert_eq!(rest, "Nothing changed. Really");
        assert_eq!(first_sentence("one. two"), ("one. two", ""));
        assert_eq!(first_sentence(""), ("", ""));
    }
}
