//! Why a transaction failed, or completed with a problem, in a sentence (`docs/apis/story.md` §5).

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

use super::{Style, TxFailure, Word, context::TxContext};
use crate::domain::{Coin, parse_coins, text};

/// Columns of a raw log that a sentence repeats at the most; the whole log is shown elsewhere.
const MOST_QUOTED: usize = 160;
/// Columns of a name that a sentence repeats at the most.
const MOST_SAID: usize = 120;
/// Bytes of a raw log that are read at all.
const MOST_READ: usize = 16_384;

/// A failure in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explanation {
    /// Which message, what happened and why, and what stays; whole sentences.
    pub text: String,
    /// What the failure is called: `out of gas`.
    pub name: String,
    /// The code, with its codespace: `sdk 11`; `None` where the transaction itself succeeded.
    pub code: Option<String>,
    /// Why alone, for where other words say which transaction it is; empty where the transaction itself succeeded.
    pub reason: String,
    /// What the text ends with; `None` where it ends otherwise: with advice, or because only a part failed.
    pub effect: Option<FailureEffect>,
    /// Whether the transaction itself succeeded, and only something attached to it failed.
    pub is_partial: bool,
    /// The events that say so; none where the log says it.
    pub events: Vec<usize>,
    /// What stands around the reason of a revert, where the record keeps none.
    unrecorded: Option<Unrecorded>,
}

/// What a failed transaction changed all the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FailureEffect {
    /// The fee was taken.
    FeeOnly,
    /// Nothing: the fee was zero.
    Nothing,
    /// Nothing: it was refused before a fee was taken.
    NoFeeTaken,
}

/// The words around a reason that is not recorded.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Unrecorded {
    subject: String,
    end: String,
}

/// A failure as its readers see it.
struct Case<'a> {
    context: &'a TxContext<'a>,
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
    name: Option<&'static str>,
    predicate: Predicate,
    /// What a person can do about it, as a whole sentence. It takes the place of what stays.
    advice: Option<String>,
}

/// What is said of the subject of a failure, without a full stop.
enum Predicate {
    /// A verb and what follows it: "ran out of gas: …".
    Verb(String),
    /// What stands behind a colon: "the contract refused the call — …".
    Cause(String),
    /// The same, of what was refused before its messages ran.
    Refused(String),
    /// A call that gave up with this reason; without one where the record keeps none, which a call frame may tell
    /// later.
    Reverted(Option<String>),
}

/// What a code of a codespace is registered as: `out of gas`.
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
    /// A cause, or a refusal where the messages were not begun with.
    fn cause(case: &Case<'_>, words: String) -> Self {
        if case.has_run() { Self::Cause(words) } else { Self::Refused(words) }
    }

    /// Why alone, for a failure of this name.
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
    /// As it follows the subject: ` ran out of gas: …`, `: the contract refused the call — …`.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Verb(words) => write!(formatter, " {words}"),
            Self::Cause(words) => write!(formatter, ": {words}"),
            Self::Refused(words) => write!(formatter, " was refused before its messages ran: {words}"),
            Self::Reverted(Some(reason)) => write!(formatter, " was reverted: {reason}"),
            Self::Reverted(None) => formatter.write_str(" was reverted, reason not recorded"),
        }
    }
}

impl fmt::Display for FailureEffect {
    /// As the sentence that ends an explanation.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::FeeOnly => "Nothing changed except the fee.",
            Self::Nothing => "Nothing changed.",
            Self::NoFeeTaken => "Nothing changed, and no fee was taken.",
        })
    }
}

type ReasonReader = fn(&Case<'_>) -> Option<Reason>;

/// Each reads what is of its codespace and code, and nothing else: the text of a log may be anybody's.
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

/// The explanation, where something failed.
pub(super) fn explanation(context: &TxContext<'_>) -> Option<Explanation> {
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
    // What was refused before its messages ran no one message is to blame for.
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
    /// What the failure is called, with its code: `out of gas (sdk 11)`.
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
    /// What the table calls the code; where it has none, what it is at least.
    fn code_name(&self) -> &'static str {
        codes::entry(self.codespace, self.code).map_or("unknown code", |entry| entry.name)
    }

    /// Which message it is about. Gas and panics name none: where there is only one it is that.
    fn subject(&self) -> String {
        match (self.message, self.context.decoded.messages.len()) {
            // A number beyond the last message names none.
            (Some(message), count) if message < count => format!("Message {}", message.saturating_add(1)),
            (_, 1) if self.has_run() => "Message 1".to_owned(),
            (_, count) if count > 1 && self.has_run() => format!("One of the {count} messages"),
            _ => "The transaction".to_owned(),
        }
    }

    /// Whether the messages were begun with: the fee was taken before.
    fn has_run(&self) -> bool {
        self.message.is_some() || self.fee().is_some()
    }

    /// The fee that the events say was taken.
    fn fee(&self) -> Option<&str> {
        let events = self.context.decoded.events.iter();
        events.filter(|event| event.kind == "tx").find_map(|event| event.value("fee"))
    }

    /// By the fee's event; what ran has paid, even where that is cut off.
    fn effect(&self) -> FailureEffect {
        let is_paid = |fee: &str| parse_coins(fee).is_ok_and(|coins| coins.iter().any(|coin| !coin.amount.is_zero()));
        match self.fee() {
            Some(fee) if is_paid(fee) => FailureEffect::FeeOnly,
            Some(_) => FailureEffect::Nothing,
            None if self.message.is_some() => FailureEffect::FeeOnly,
            None => FailureEffect::NoFeeTaken,
        }
    }

    /// An account by name, else by its whole address; what is none as it is.
    fn party(&self, text: &str) -> String {
        let Ok(address) = text.trim().parse() else { return said(text) };
        match self.context.account(address) {
            Word::Account { label: Some(label), .. } => text::clip(&label, MOST_SAID),
            word => word.write(Style::Exact).into_owned(),
        }
    }

    /// An amount in display units, where they are known.
    fn coin(&self, coin: &Coin) -> String {
        self.context.coin(coin).write(Style::Short).into_owned()
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

/// A name or a number from outside as a sentence may repeat it: in quotes where it has not the shape of one.
fn said(text: &str) -> String {
    let text = head(text, MOST_SAID * 8).trim();
    text::clip(&Word::code(text).write(Style::Exact), MOST_SAID)
}

/// Words of a log, which may be anybody's.
fn quote(text: &str) -> String {
    text::quoted_within(head(text, MOST_QUOTED * 8).trim(), MOST_QUOTED)
}

/// The first bytes of a text, whole characters only.
fn head(text: &str, most: usize) -> &str {
    let fits = (0..=most.min(text.len())).rev().find(|end| text.is_char_boundary(*end));
    text.get(..fits.unwrap_or_default()).unwrap_or_default()
}

/// What stands between two marks, and what follows the second. The last that begins so: errors come last in a log, and
/// what they wrap may be anybody's.
fn between<'a>(text: &'a str, start: &str, end: &str) -> Option<(&'a str, &'a str)> {
    text.rsplit_once(start)?.1.split_once(end)
}
