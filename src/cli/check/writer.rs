//! Findings of a check in the output's format.

use serde_json::{Value, json};
use strum::IntoEnumIterator as _;

use super::super::{
    CommandError,
    arguments::Format,
    output::CommandOutput,
    table::{Align, Heading, TableCell, TableLayout, paint},
};
use crate::{
    check::{CheckedPart, CheckedRecord, DifferenceCause, Findings, KnownWay, PartCounts, UnprovenClaim},
    config::Meaning,
    domain::text::{self, group},
};

const COLUMNS: &[Heading] = &[
    ("Part", Align::Left),
    ("Compared", Align::Right),
    ("Different", Align::Right),
    ("Known ways", Align::Right),
    ("Not compared", Align::Right),
    ("Unknown", Align::Right),
    ("Result", Align::Left),
];

const CSV: &[&str] = &["kind", "part", "record", "name", "difference", "field", "node", "indexer", "count", "sentence"];

/// Writer of findings as they come, and of a summary at the end.
pub(super) struct CheckWriter<'a> {
    output: &'a mut CommandOutput,
    begun: bool,
}

impl<'a> CheckWriter<'a> {
    pub(super) fn new(output: &'a mut CommandOutput) -> Self {
        Self { output, begun: false }
    }

    /// Writes the new findings and removes them from `findings`.
    pub(super) fn take(&mut self, findings: &mut Findings) -> Result<(), CommandError> {
        for finding in findings.differences.drain(..) {
            self.entry(&finding.json(), || (Meaning::Bad, finding.to_string()))?;
        }
        for missed in findings.not_asked.drain(..) {
            let words = || format!("{} not compared: {}", missed.record, text::clean(&missed.cause));
            self.entry(&missed.json(), || (Meaning::Heading, words()))?;
        }
        self.output.flush()
    }

    /// Writes the known deviations, the causes of the differences, most frequent first, and the totals.
    pub(super) fn finish(&mut self, findings: &Findings) -> Result<(), CommandError> {
        for (way, (count, record)) in &findings.known {
            self.entry(&known_json(*way, *count, record), || (Meaning::Text, known_words(*way, *count, record)))?;
        }
        for (claim, (count, record)) in &findings.unproven {
            let words = || (Meaning::Text, unproven_words(*claim, *count, record));
            self.entry(&unproven_json(*claim, *count, record), words)?;
        }
        let mut causes: Vec<_> = findings.causes.iter().collect();
        causes.sort_by_key(|(_, (count, _))| std::cmp::Reverse(*count));
        for (cause, (count, record)) in causes {
            self.entry(&cause_json(cause, *count, record), || (Meaning::Bad, cause_words(cause, *count, record)))?;
        }
        let parts = CheckedPart::iter().filter_map(|part| Some((part, *findings.counts.get(&part)?)));
        if self.output.format == Format::Table {
            self.table(&parts.collect::<Vec<_>>())?;
        } else {
            for (part, counts) in parts {
                self.entry(&part_json(part, counts), || (Meaning::Text, String::new()))?;
            }
        }
        if self.output.format == Format::Json {
            self.output.end_array(self.begun, true)?;
        }
        self.output.flush()
    }

    fn entry(&mut self, json: &Value, words: impl FnOnce() -> (Meaning, String)) -> Result<(), CommandError> {
        match self.output.format {
            Format::Table => {
                let (meaning, words) = words();
                self.output.line(&paint(meaning, &words, self.output.colored))
            }
            Format::Jsonl => {
                self.output.json(&json.to_string())?;
                self.output.line("")
            }
            Format::Json => {
                self.output.text(if self.begun { ",\n" } else { "[\n" })?;
                self.begun = true;
                self.output.json(&json.to_string())
            }
            Format::Csv => {
                if !self.begun {
                    self.output.csv(CSV.iter().copied())?;
                    self.begun = true;
                }
                let cell = |name: &str| match &json[name] {
                    Value::String(text) => text.clone(),
                    Value::Null => String::new(),
                    other => other.to_string(),
                };
                let sentence = if json["cause"].is_null() { cell("sentence") } else { cell("cause") };
                let count = if json["compared"].is_null() { cell("count") } else { cell("compared") };
                let cells = CSV.iter().map(|name| match *name {
                    "sentence" => sentence.clone(),
                    "count" => count.clone(),
                    name => cell(name),
                });
                self.output.csv(cells)
            }
        }
    }

    fn table(&mut self, parts: &[(CheckedPart, PartCounts)]) -> Result<(), CommandError> {
        let number = |number: u64| TableCell::new(group(number));
        let row = |(part, counts): &(CheckedPart, PartCounts)| {
            let (words, meaning) = match counts {
                PartCounts { different: 1.., .. } => ("✗ differs", Meaning::Bad),
                PartCounts { not_asked: 1.., .. } => ("? partly compared", Meaning::Heading),
                PartCounts { compared: 0, unproven: 1.., .. } => ("? unknown", Meaning::Heading),
                PartCounts { unproven: 1.., .. } => ("✓ equal where comparable", Meaning::Good),
                PartCounts { known: 1.., .. } => ("✓ equal, known deviations", Meaning::Good),
                PartCounts { .. } => ("✓ equal", Meaning::Good),
            };
            vec![
                TableCell::new(part.to_string()),
                number(counts.compared),
                number(counts.different),
                number(counts.known),
                number(counts.not_asked),
                number(counts.unproven),
                TableCell::new(words).meaning(meaning),
            ]
        };
        let rows: Vec<_> = parts.iter().map(row).collect();
        let layout = TableLayout::fit(COLUMNS, &rows, self.output.width, self.output.colored);
        if self.begun {
            self.output.line("")?;
        }
        self.output.line(&layout.heading())?;
        rows.iter().try_for_each(|row| self.output.line(&layout.line(row)))
    }
}

fn known_json(way: KnownWay, count: u64, record: &CheckedRecord) -> Value {
    json!({
        "kind": "known_way", "part": way.part().to_string(), "sentence": way.sentence(), "is_loss": way.is_loss(),
        "count": count, "first": record.to_string(),
    })
}

fn known_words(way: KnownWay, count: u64, record: &CheckedRecord) -> String {
    let kind = if way.is_loss() { "loss" } else { "form" };
    let times = times(count);
    format!("known indexer deviation ({kind}): {}; {times}, first in {record}", way.sentence())
}

fn unproven_json(claim: UnprovenClaim, count: u64, record: &CheckedRecord) -> Value {
    json!({
        "kind": "unproven", "part": claim.part().to_string(), "sentence": claim.sentence(), "count": count,
        "first": record.to_string(),
    })
}

fn unproven_words(claim: UnprovenClaim, count: u64, record: &CheckedRecord) -> String {
    format!("unknown: {}; {}, first in {record}", claim.sentence(), times(count))
}

fn cause_json(cause: &DifferenceCause, count: u64, record: &CheckedRecord) -> Value {
    json!({
        "kind": "cause", "part": cause.part.to_string(), "difference": cause.kind, "field": cause.field,
        "count": count, "first": record.to_string(),
    })
}

fn cause_words(cause: &DifferenceCause, count: u64, record: &CheckedRecord) -> String {
    let DifferenceCause { part, kind, field } = cause;
    let of = if field.is_empty() { String::new() } else { format!(" of {}", text::clean(field)) };
    format!("{}: {part}, {kind}{of}; first in {record}", times(count))
}

fn times(count: u64) -> String {
    if count == 1 { "once".to_owned() } else { format!("{} times", group(count)) }
}

fn part_json(part: CheckedPart, counts: PartCounts) -> Value {
    let PartCounts { compared, different, known, not_asked, unproven } = counts;
    json!({
        "kind": "part", "part": part.to_string(), "compared": compared, "different": different, "known": known,
        "not_asked": not_asked, "unproven": unproven,
    })
}
