//! Explanation of a failed transaction, or of one with a problem (`docs/apis/story.md` §5).

mod aborts;
mod chain;
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

use std::fmt;

use super::phrase::{Style, Word};
use crate::{
    domain::{Coin, parse_coins, text},
    events::{keys, names::TX},
    story::{context::TxContext, decode::failure::TxFailure},
};

/// Maximum columns of a raw log in a sentence; another line shows the whole log.
const MOST_QUOTED: usize = 160;
/// Maximum columns of a name in a sentence.
const MOST_SAID: usize = 120;
/// Maximum bytes of a raw log to parse.
const MOST_READ: usize = 16_384;

/// Explained failure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explanation {
    /// Message, reason and effect in whole sentences.
    pub text: String,
    /// Name of the failure: `out of gas`.
    pub name: String,
    /// Code with its codespace: `sdk 11`; `None` if the transaction succeeded.
    pub code: Option<String>,
    /// Reason alone; empty if the transaction itself succeeded.
    pub reason: String,
    /// Effect at the end of the text; `None` if it ends with advice, or only a part failed.
    pub effect: Option<FailureEffect>,
    /// Whether the transaction succeeded, and only an attached part failed.
    pub is_partial: bool,
    /// Events that prove the reason; empty if the log proves it.
    pub events: Vec<usize>,
    /// Words around the reason of a revert that the record lacks.
    unrecorded: Option<Unrecorded>,
}

/// Effect of a failed transaction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FailureEffect {
    /// The fee was taken.
    FeeOnly,
    /// None: the fee was zero.
    Nothing,
    /// None: the chain refused the transaction before the fee.
    NoFeeTaken,
}

/// Words around an unrecorded reason.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Unrecorded {
    subject: String,
    end: String,
}

/// Failure as input of the readers.
struct Case<'a> {
    context: &'a TxContext<'a>,
    codespace: &'a str,
    code: u32,
    /// Message named in the log.
    message: Option<usize>,
    /// Log without the message's index, cut to the parsed length.
    log: &'a str,
}

/// Result of a reader.
struct Reason {
    /// Name, if more specific than the code's.
    name: Option<&'static str>,
    predicate: Predicate,
    /// Advice as a whole sentence, which replaces the effect.
    advice: Option<String>,
}

/// Predicate of a failure, without a full stop.
enum Predicate {
    /// Verb phrase: "ran out of gas: …".
    Verb(String),
    /// Cause after a colon: "the contract refused the call — …".
    Cause(String),
    /// Cause of a failure before the messages ran.
    Refused(String),
    /// Revert with this reason; `None` if the record lacks the reason, which a call frame may provide.
    Reverted(Option<String>),
}

/// Returns the registered name of a code: `out of gas`.
pub fn code_name(codespace: &str, code: u32) -> Option<&'static str> {
    codes::entry(codespace, code).map(|entry| entry.name)
}

impl Reason {
    fn new(predicate: Predicate) -> Self {
        Self { name: None, predicate, advice: None }
    }

    fn named(name: &'static str, predicate: Predicate) -> Self {
        Self { name: Some(name), predicate, advice: None }
    }
}

impl Predicate {
    /// Builds a cause, or a refusal if the messages never ran.
    fn cause(case: &Case<'_>, words: String) -> Self {
        if case.has_run() { Self::Cause(words) } else { Self::Refused(words) }
    }

    /// Returns the reason alone, for a failure with this name.
    fn alone(&self, name: &str) -> String {
        let words = match self {
            Self::Verb(words) | Self::Cause(words) => words.clone(),
            Self::Refused(words) => format!("{name}: {words}"),
            Self::Reverted(_) => self.to_string().trim_start().to_owned(),
        };
        words.trim_end_matches('.').to_owned()
    }
}

impl fmt::Display for Predicate {
    /// Formats the text after the subject: ` ran out of gas: …`, `: the contract refused the call — …`.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Verb(words) => write!(formatter, " {words}"),
            Self::Cause(words) => write!(formatter, ": {words}"),
            Self::Refused(words) => write!(formatter, " was rejected before its messages ran: {words}"),
            Self::Reverted(Some(reason)) => write!(formatter, " reverted: {reason}"),
            Self::Reverted(None) => formatter.write_str(" reverted without a recorded reason"),
        }
    }
}

impl fmt::Display for FailureEffect {
    /// Formats the closing sentence of an explanation.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::FeeOnly => "Nothing changed except the fee.",
            Self::Nothing => "Nothing changed.",
            Self::NoFeeTaken => "Nothing changed, and no fee was taken.",
        })
    }
}

type ReasonReader = fn(&Case<'_>) -> Option<Reason>;

/// Readers by codespace and code. No other part of a log decides, because contracts control its text.
const READERS: [ReasonReader; 15] = [
    gas::ran_out,
    gas::intrinsic,
    gas::panicked,
    signing::sequence,
    signing::fee,
    signing::funds,
    signing::permission,
    signing::authority,
    chain::client,
    chain::missing,
    movevm::stopped,
    movevm::aborted,
    evm::explained,
    wasm::explained,
    movevm::other,
];

/// Explains a failure, if there is one.
pub(crate) fn explanation(context: &TxContext<'_>) -> Option<Explanation> {
    match context.decoded.failure.as_ref() {
        Some(failure) => Some(failed(context, failure)),
        None => partial::problem(context),
    }
}

fn failed(context: &TxContext<'_>, failure: &TxFailure) -> Explanation {
    let case = Case {
        context,
        codespace: &context.tx.codespace,
        code: context.tx.code,
        message: failure.message_index,
        log: head(&failure.detail, MOST_READ),
    };
    let reason = reason(&case).unwrap_or_else(|| codes::general(&case));
    let name = reason.name.unwrap_or_else(|| case.code_name());
    let (effect, end) = match reason.advice {
        Some(advice) => (None, advice),
        None => (Some(case.effect()), case.effect().to_string()),
    };
    // If the messages never ran, none of them is to blame.
    let is_refused = matches!(reason.predicate, Predicate::Refused(_));
    let subject = if is_refused { "The transaction".to_owned() } else { case.subject() };
    let lacks_reason = matches!(reason.predicate, Predicate::Reverted(None));
    Explanation {
        text: sentences(&subject, &reason.predicate, &end),
        name: name.to_owned(),
        code: Some(failure.code.clone()),
        reason: reason.predicate.alone(name),
        effect,
        is_partial: false,
        events: Vec::new(),
        unrecorded: lacks_reason.then_some(Unrecorded { subject, end }),
    }
}

fn sentences(subject: &str, predicate: &Predicate, end: &str) -> String {
    format!("{subject}{}. {end}", predicate.to_string().trim_end_matches('.'))
}

impl Explanation {
    /// Returns the name with its code: `out of gas (sdk 11)`.
    pub fn title(&self) -> String {
        match &self.code {
            Some(code) => format!("{} ({code})", self.name),
            None => self.name.clone(),
        }
    }
}

fn reason(case: &Case<'_>) -> Option<Reason> {
    READERS.iter().find_map(|read| read(case))
}

impl Case<'_> {
    /// Returns the code's name in the table, else a generic one.
    fn code_name(&self) -> &'static str {
        codes::entry(self.codespace, self.code).map_or("unknown code", |entry| entry.name)
    }

    /// Returns the failed message. Gas errors and panics do not name it; then it is the only message.
    fn subject(&self) -> String {
        match (self.message, self.context.decoded.messages.len()) {
            // An index beyond the last message is invalid.
            (Some(message), count) if message < count => format!("Message {}", message.saturating_add(1)),
            (_, 1) if self.has_run() => "Message 1".to_owned(),
            (_, count) if count > 1 && self.has_run() => format!("One of the {count} messages"),
            _ => "The transaction".to_owned(),
        }
    }

    /// Whether execution of the messages began, after the fee was paid.
    fn has_run(&self) -> bool {
        self.message.is_some() || self.fee().is_some()
    }

    /// Returns the paid fee by the events.
    fn fee(&self) -> Option<&str> {
        let events = self.context.decoded.events.iter();
        events.filter(|event| event.kind == TX).find_map(|event| event.text(keys::FEE))
    }

    /// Returns the effect by the fee's event; an executed transaction paid even if that event is missing.
    fn effect(&self) -> FailureEffect {
        let is_paid = |fee: &str| parse_coins(fee).is_ok_and(|coins| coins.iter().any(|coin| !coin.amount.is_zero()));
        match self.fee() {
            Some(fee) if is_paid(fee) => FailureEffect::FeeOnly,
            Some(_) => FailureEffect::Nothing,
            None if self.message.is_some() => FailureEffect::FeeOnly,
            None => FailureEffect::NoFeeTaken,
        }
    }

    /// Formats an account: by label, else in full; any other text stays.
    fn party(&self, text: &str) -> String {
        let Ok(address) = text.trim().parse() else { return said(text) };
        match self.context.account(address) {
            Word::Account { label: Some(label), .. } => text::clip(&label, MOST_SAID),
            word => word.write(Style::Exact).into_owned(),
        }
    }

    /// Formats an amount in display units if known.
    fn coin(&self, coin: &Coin) -> String {
        self.context.coin(coin).write(Style::Short).into_owned()
    }

    /// Formats a coin list in display units; any other text stays.
    fn coins(&self, text: &str) -> String {
        match parse_coins(text.trim()) {
            Ok(coins) if coins.is_empty() => "nothing".to_owned(),
            Ok(coins) => coins.iter().map(|coin| self.coin(coin)).collect::<Vec<_>>().join(", "),
            Err(_) => said(text),
        }
    }
}

/// Formats an external name or number; quotes any other text.
fn said(text: &str) -> String {
    let text = head(text, MOST_SAID * 8).trim();
    text::clip(&Word::code(text).write(Style::Exact), MOST_SAID)
}

/// Quotes text from a log, which contracts may control.
fn quote(text: &str) -> String {
    text::quoted_within(head(text, MOST_QUOTED * 8).trim(), MOST_QUOTED)
}

/// Returns the first bytes of a text, cut at a character boundary.
fn head(text: &str, most: usize) -> &str {
    let fits = (0..=most.min(text.len())).rev().find(|end| text.is_char_boundary(*end));
    text.get(..fits.unwrap_or_default()).unwrap_or_default()
}

/// Returns the text between two marks and the text after the second. The last match counts: a log ends with the actual
/// error, and contracts may control the rest.
fn between<'a>(text: &'a str, start: &str, end: &str) -> Option<(&'a str, &'a str)> {
    text.rsplit_once(start)?.1.split_once(end)
}
