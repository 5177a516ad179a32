//! Why a transaction failed, or completed with a problem, in a sentence (`wire/story.md` §5).

mod aborts;
mod codes;
mod evm;
mod gas;
mod mistyped;
mod movevm;
mod partial;
mod revert;
mod signing;
mod wasm;

#[cfg(test)]
mod tests;

use super::{Failure, Style, Word, scene::Scene};
use crate::domain::{Coin, parse_coins, text::clip};

/// Columns of a raw log that a sentence repeats at the most; the whole log is shown elsewhere.
const MOST_SAID: usize = 480;
/// Bytes of a raw log that are read at all.
const MOST_READ: usize = 16_384;

/// A failure in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explanation {
    /// Which message, what happened and why, and what stays; whole sentences.
    pub text: String,
    /// What the code is called: `out of gas (sdk 11)`.
    pub name: String,
    /// Why alone, for where other words say which transaction it is; empty where the transaction itself succeeded.
    pub reason: String,
    /// Whether the transaction itself succeeded, and only something attached to it failed.
    pub is_partial: bool,
    /// The events that say so; none where the log says it.
    pub events: Vec<usize>,
}

/// A failure as its readers see it.
struct Case<'a> {
    scene: &'a Scene<'a>,
    codespace: &'a str,
    code: u32,
    /// The message that the log names.
    message: Option<usize>,
    /// The log without the message's number, cut to what is read.
    log: &'a str,
}

/// What a reader makes of a failure.
struct Reason {
    /// What it is called, where that says more than the name of the code.
    name: Option<String>,
    /// What follows the subject, without a full stop: " ran out of gas: …", ": the contract refused the call — …".
    told: String,
    /// What a person can do about it, as a whole sentence. It takes the place of what stays.
    advice: Option<String>,
}

impl Reason {
    fn new(told: String) -> Self {
        Self { name: None, told, advice: None }
    }

    fn named(name: &str, told: String) -> Self {
        Self { name: Some(name.to_owned()), told, advice: None }
    }
}

type Reader = fn(&Case<'_>) -> Option<Reason>;

/// What may hide in a log of any code, as errors within errors keep their texts.
const ANYWHERE: [Reader; 5] = [gas::ran_out, signing::sequence, movevm::stopped, movevm::aborted, gas::intrinsic];
/// What belongs to its codespace.
const BY_CODE: [Reader; 7] =
    [gas::panicked, signing::fee, signing::funds, signing::permission, evm::explained, wasm::explained, movevm::other];

/// The explanation, where something failed.
pub(super) fn explanation(scene: &Scene<'_>) -> Option<Explanation> {
    match scene.decoded.failure.as_ref() {
        Some(failure) => Some(failed(scene, failure)),
        None => partial::problem(scene),
    }
}

fn failed(scene: &Scene<'_>, failure: &Failure) -> Explanation {
    let case = Case {
        scene,
        codespace: &scene.tx.codespace,
        code: scene.tx.code,
        message: failure.message_index,
        log: head(&failure.detail, MOST_READ),
    };
    let reason = reason(&case).unwrap_or_else(|| codes::general(&case));
    let name = reason.name.unwrap_or_else(|| case.code_name());
    let end = reason.advice.unwrap_or_else(|| case.stays().to_owned());
    let told = reason.told.trim_end_matches('.');
    Explanation {
        text: format!("{}{told}. {end}", case.subject()),
        reason: alone(&name, told),
        name: format!("{name} ({})", failure.code),
        is_partial: false,
        events: Vec::new(),
    }
}

/// What follows a subject, without one.
fn alone(name: &str, told: &str) -> String {
    match told.strip_prefix(" was refused before its messages ran: ") {
        Some(told) => format!("{name}: {told}"),
        None => told.trim_start_matches([':', ' ']).to_owned(),
    }
}

fn reason(case: &Case<'_>) -> Option<Reason> {
    ANYWHERE.iter().chain(&BY_CODE).find_map(|read| read(case))
}

impl Case<'_> {
    /// What the table calls the code; where it has none, what it is at least.
    fn code_name(&self) -> String {
        codes::entry(self.codespace, self.code).map_or_else(|| "unknown code".to_owned(), |entry| entry.name.to_owned())
    }

    /// Which message it is about. Gas and panics name none: where there is only one it is that.
    fn subject(&self) -> String {
        match (self.message, self.scene.decoded.messages.len()) {
            (Some(message), _) => format!("Message {}", message.saturating_add(1)),
            (None, 1) if self.has_run() => "Message 1".to_owned(),
            (None, count) if count > 1 && self.has_run() => format!("One of the {count} messages"),
            (None, _) => "The transaction".to_owned(),
        }
    }

    /// Whether the messages were begun with: the fee was taken before.
    fn has_run(&self) -> bool {
        self.message.is_some() || self.fee().is_some()
    }

    /// The fee that the events say was taken.
    fn fee(&self) -> Option<&str> {
        let events = self.scene.decoded.events.iter();
        events.filter(|event| event.kind == "tx").find_map(|event| event.value("fee"))
    }

    /// What stays of a transaction that failed.
    fn stays(&self) -> &'static str {
        let is_paid = |fee: &str| parse_coins(fee).is_ok_and(|coins| coins.iter().any(|coin| !coin.amount.is_zero()));
        match self.fee() {
            Some(fee) if is_paid(fee) => "Nothing changed except the fee.",
            Some(_) => "Nothing changed.",
            None if self.message.is_some() => "Nothing changed except the fee.",
            None => "Nothing changed, and no fee was taken.",
        }
    }

    /// An account by name, else by its whole address; what is none as it is.
    fn party(&self, text: &str) -> String {
        let Ok(address) = text.trim().parse() else { return said(text) };
        match self.scene.account(address) {
            Word::Account { label: Some(label), .. } => said(&label),
            word => word.write(Style::Exact).into_owned(),
        }
    }

    /// An amount in display units, where they are known.
    fn coin(&self, coin: &Coin) -> String {
        self.scene.coin(coin).write(Style::Short).into_owned()
    }

    /// A coin list in display units; a text that is none as it is.
    fn coins(&self, text: &str) -> String {
        match parse_coins(text.trim()) {
            Ok(coins) if coins.is_empty() => "nothing".to_owned(),
            Ok(coins) => coins.iter().map(|coin| self.coin(coin)).collect::<Vec<_>>().join(", "),
            Err(_) => said(text),
        }
    }
}

/// A text from outside as a sentence may repeat it: on one line, and not for ever.
fn said(text: &str) -> String {
    clip(head(text, MOST_SAID * 8).trim(), MOST_SAID)
}

/// The first bytes of a text, whole characters only.
fn head(text: &str, most: usize) -> &str {
    let fits = (0..=most.min(text.len())).rev().find(|end| text.is_char_boundary(*end));
    text.get(..fits.unwrap_or_default()).unwrap_or_default()
}

/// What stands between two marks, and what follows the second.
fn between<'a>(text: &'a str, start: &str, end: &str) -> Option<(&'a str, &'a str)> {
    text.split_once(start)?.1.split_once(end)
}
