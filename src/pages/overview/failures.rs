//! Failures among the newest transactions, by message type and by cause, with the sample size.

use std::collections::BTreeMap;

use ratatui::layout::Rect;
use unicode_width::UnicodeWidthStr as _;

use super::{draw::label, types::TypeCursor};
use crate::{
    config::Meaning,
    domain::{MsgType, text},
    panes::rows::TxRow,
    story::{PartialFailure, code_name},
    widgets::{
        Hit,
        canvas::{Canvas, Part, row},
        list::ListWindow,
    },
};

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct TypeCount {
    /// Transactions with this type, and how many of them failed.
    txs: usize,
    failed: usize,
}

/// Counts over the transactions that the list holds.
#[derive(Debug, Default)]
pub(super) struct Sample {
    txs: usize,
    failed: usize,
    /// Successful transactions with a partial failure, and these failures by kind.
    partly: usize,
    partial: BTreeMap<PartialFailure, usize>,
    /// Counts by message type, most frequent first.
    types: Vec<(MsgType, TypeCount)>,
    /// Counts by codespace and code, most frequent first.
    causes: Vec<((String, u32), usize)>,
}

impl Sample {
    pub(super) fn of<'a>(rows: impl Iterator<Item = &'a TxRow>) -> Self {
        let (mut types, mut causes) = (BTreeMap::<&MsgType, TypeCount>::new(), BTreeMap::<(&str, u32), usize>::new());
        let mut sample = Self::default();
        // Bytes that a proposer put into its block are no transactions.
        for row in rows.filter(|row| !row.tx.is_injected()) {
            let failed = usize::from(!row.tx.is_success());
            (sample.txs, sample.failed) = (sample.txs + 1, sample.failed + failed);
            sample.partly += usize::from(!row.headline.partial.is_empty());
            for kind in &row.headline.partial {
                *sample.partial.entry(*kind).or_default() += 1;
            }
            if failed > 0 {
                *causes.entry((row.tx.codespace.as_received(), row.tx.code)).or_default() += 1;
            }
            let kinds = &row.headline.types;
            for (place, kind) in kinds.iter().enumerate() {
                if !kinds.iter().take(place).any(|before| before == kind) {
                    let count = types.entry(kind).or_default();
                    (count.txs, count.failed) = (count.txs + 1, count.failed + failed);
                }
            }
        }
        sample.types = types.into_iter().map(|(kind, count)| (kind.clone(), count)).collect();
        sample.types.sort_by(|(a, x), (b, y)| y.txs.cmp(&x.txs).then_with(|| a.cmp(b)));
        sample.causes = causes.into_iter().map(|((space, code), count)| ((space.to_owned(), code), count)).collect();
        sample.causes.sort_by(|(a, x), (b, y)| y.cmp(x).then_with(|| a.cmp(b)));
        sample
    }

    pub(super) fn type_at(&self, place: usize) -> Option<MsgType> {
        self.types.get(place).map(|(kind, _)| kind.clone())
    }

    /// Returns the short name of a type, or its full URL if two types share the short name.
    fn name_of<'a>(&self, kind: &'a MsgType) -> &'a str {
        let alike = self.types.iter().filter(|(other, _)| other.short() == kind.short()).count();
        if alike > 1 { kind.as_str() } else { kind.short() }
    }
}

/// Returns the known name of an error code, else codespace and code.
fn cause_name(codespace: &str, code: u32) -> String {
    let place = if codespace.is_empty() { "code" } else { codespace };
    code_name(codespace, code).map_or_else(|| format!("{} {code}", text::clip(place, 16)), ToOwned::to_owned)
}

/// Draws the failure rate, its causes, and the message types with their failures.
pub(super) fn draw(canvas: &mut Canvas<'_>, area: Rect, txs: &ListWindow<TxRow>, cursor: &TypeCursor) {
    let sample = Sample::of(txs.rows().iter());
    let mut lines = vec![rate(&sample, area.width)];
    lines.extend(kinds(&sample, area.width));
    let first = lines.len();
    lines.extend(types(&sample, area.width));
    for (place, line) in lines.into_iter().enumerate().take(usize::from(area.height)) {
        let area = row(area, u16::try_from(place).unwrap_or(u16::MAX));
        canvas.parts(area, line);
        let Some(kind) = place.checked_sub(first) else { continue };
        if cursor.has_focus && cursor.place == kind {
            canvas.mark_row(area, true);
        }
        canvas.hit(area, Hit::PageTab(kind));
    }
}

/// Returns the number of types that fit below the lines above them.
pub(super) fn types_shown(sample: &Sample, area: Rect) -> usize {
    let above = 1 + kinds(sample, area.width).count();
    sample.types.len().min(usize::from(area.height).saturating_sub(above))
}

fn rate(sample: &Sample, width: u16) -> Vec<Part> {
    let permille = (sample.failed * 1000).checked_div(sample.txs).unwrap_or(0);
    let share = format!("{}.{} %", permille / 10, permille % 10);
    let meaning = if sample.failed == 0 { Meaning::Good } else { Meaning::Bad };
    let (failed, txs) = (text::group(sample.failed as u64), text::count(sample.txs, "tx"));
    let room = usize::from(width).saturating_sub(12 + share.width());
    let (long, short) = (format!("  {failed} of the newest {txs}"), format!("  {failed} of {txs}"));
    let partly = format!(", {} partly", text::group(sample.partly as u64));
    let partly = if sample.partly == 0 { "" } else { &partly };
    let texts = [format!("{long}{partly}"), format!("{short}{partly}"), long, short];
    let over = texts.iter().find(|text| text.width() <= room).or(texts.last()).cloned().unwrap_or_default();
    vec![label("failed"), (meaning, share), (Meaning::Muted, over)]
}

/// Returns the causes of failed transactions, and the partial failures of successful ones, as far as there are any.
fn kinds(sample: &Sample, width: u16) -> impl Iterator<Item = Vec<Part>> {
    let causes = sample.causes.iter().map(|((codespace, code), count)| (cause_name(codespace, *code), *count));
    let partial = sample.partial.iter().map(|(kind, count)| (kind.to_string(), *count));
    [counts("causes", causes, width), counts("partly", partial, width)].into_iter().flatten()
}

/// Returns the counts that fit in the width, in their order; `None` if none does.
fn counts(name: &str, counts: impl Iterator<Item = (String, usize)>, width: u16) -> Option<Vec<Part>> {
    let mut room = usize::from(width).saturating_sub(13);
    let mut parts = vec![label(name)];
    for (kind, count) in counts {
        let comma = if parts.len() == 1 { "" } else { " · " };
        let text = format!("{comma}{kind} {}", text::group(count as u64));
        let Some(rest) = room.checked_sub(text.width()) else { break };
        room = rest;
        parts.push((Meaning::Text, text));
    }
    (parts.len() > 1).then_some(parts)
}

fn types(sample: &Sample, width: u16) -> Vec<Vec<Part>> {
    let most = sample.types.first().map_or(1, |(_, count)| count.txs).max(1);
    let names = usize::from(width).saturating_sub(40).clamp(14, 30);
    let failed = |count: &TypeCount| if count.failed > 0 { format!(" {} ✗", count.failed) } else { String::new() };
    let widest = sample.types.iter().map(|(_, count)| failed(count).width()).max().unwrap_or_default();
    // Subtract label, type, count and failures.
    let room = usize::from(width).saturating_sub(12 + names + 5 + widest);
    let line = |(place, (kind, count)): (usize, &(MsgType, TypeCount))| {
        let name = if place == 0 { label("txs with") } else { (Meaning::Text, " ".repeat(12)) };
        let whole = (count.txs * room).div_ceil(most);
        let tail = (count.failed * room).div_ceil(most).min(whole);
        vec![
            name,
            (Meaning::Kind, format!("{:<names$}", text::clip(sample.name_of(kind), names))),
            (Meaning::Number, format!("{:>4} ", count.txs)),
            (Meaning::Number, "▪".repeat(whole - tail)),
            (Meaning::Bad, format!("{}{}", "▪".repeat(tail), failed(count))),
        ]
    };
    sample.types.iter().enumerate().map(line).collect()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    fn tx(number: u64, kinds: &[&str], failure: Option<(&str, u32)>) -> TxRow {
        let messages: Vec<String> = kinds.iter().map(|kind| format!(r#"{{"@type":"/a.b.{kind}"}}"#)).collect();
        let (codespace, code) = failure.unwrap_or(("", 0));
        let text = format!(
            r#"{{"txhash":"{number:064X}","height":"1","timestamp":"2026-01-01T00:00:00Z","code":{code},
            "codespace":"{codespace}","tx":{{"body":{{"messages":[{}]}}}}}}"#,
            messages.join(",")
        );
        TxRow::new(Arc::new(serde_json::from_str(&text).unwrap()))
    }

    #[test]
    fn a_transaction_with_several_messages_of_a_type_fails_once() {
        let rows = [
            tx(1, &["MsgSend", "MsgSend", "MsgCall"], Some(("sdk", 11))),
            tx(2, &["MsgSend"], None),
            tx(3, &["MsgCall"], Some(("sdk", 11))),
            tx(4, &["MsgCall"], Some(("odd", 7))),
        ];
        let sample = Sample::of(rows.iter());
        assert_eq!((sample.txs, sample.failed), (4, 3));
        let counts = |txs, failed| TypeCount { txs, failed };
        let expected = [(MsgType::new("a.b.MsgCall"), counts(3, 3)), (MsgType::new("a.b.MsgSend"), counts(2, 1))];
        assert_eq!(sample.types, expected);
        let rows: Vec<Vec<Part>> = types(&sample, 60);
        let said = |row: &[Part]| row.iter().map(|(_, text)| text.as_str()).collect::<String>();
        assert!(said(&rows[0]).ends_with("   3 ▪▪▪▪▪▪▪▪▪▪▪▪▪▪▪▪▪▪▪ 3 ✗"), "{}", said(&rows[0]));
        let tail = |row: &[Part]| row.iter().filter(|(meaning, _)| *meaning == Meaning::Bad).count();
        assert_eq!(
            (said(&rows[1]).matches('▪').count(), tail(&rows[1])),
            (13, 1),
            "its bar is two thirds of the first"
        );
        assert_eq!(sample.causes, [(("sdk".to_owned(), 11), 2), (("odd".to_owned(), 7), 1)]);
    }

    #[test]
    fn failures_within_successful_transactions_are_counted_apart() {
        let mut rows = [tx(1, &["MsgCall"], None), tx(2, &["MsgSend"], Some(("sdk", 11)))];
        rows[0].headline.partial = [PartialFailure::HookFailed, PartialFailure::Refused].into();
        let said: String = rate(&Sample::of(rows.iter()), 80).into_iter().map(|(_, text)| text).collect();
        assert!(said.ends_with("50.0 %  1 of the newest 2 txs, 1 partly"), "{said}");
        let said: String = rate(&Sample::of(rows.iter()), 30).into_iter().map(|(_, text)| text).collect();
        assert!(said.ends_with("50.0 %  1 of 2 txs"), "{said}");
        let lines: Vec<String> =
            kinds(&Sample::of(rows.iter()), 80).map(|line| line.into_iter().map(|(_, text)| text).collect()).collect();
        assert_eq!(lines, [" causes     out of gas 1", " partly     refused 1 · hook failed 1"]);
    }

    #[test]
    fn causes_are_called_by_their_codes_and_else_by_their_numbers() {
        assert_eq!(cause_name("sdk", 11), "out of gas");
        assert_eq!(cause_name("odd", 7), "odd 7");
        assert_eq!(cause_name("", 7), "code 7");
    }

    #[test]
    fn nothing_failed_is_no_cause() {
        let sample = Sample::of([tx(1, &["MsgSend"], None)].iter());
        assert_eq!(kinds(&sample, 80).count(), 0);
        let words: String = rate(&sample, 80).into_iter().map(|(_, text)| text).collect();
        assert!(words.ends_with("0.0 %  0 of the newest 1 tx"), "{words}");
    }
}
