//! Reasons of failures, and explanations made of them.

use std::fmt;

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
    /// Whether the call reverted, and neither record nor trace tells why.
    pub has_no_reason: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FailureEffect {
    FeeOnly,
    /// The fee was zero.
    Nothing,
    /// None: the chain refused the transaction before the fee.
    NoFeeTaken,
}

/// Result of a reader.
pub(super) struct Reason {
    /// Name, if more specific than the code's.
    pub(super) name: Option<&'static str>,
    pub(super) predicate: Predicate,
    /// Advice as a whole sentence, which replaces the effect.
    pub(super) advice: Option<String>,
}

/// Predicate of a failure, without a full stop.
pub(super) enum Predicate {
    /// Verb phrase: "ran out of gas: …".
    Verb(String),
    /// Cause after a colon: "the contract refused the call — …".
    Cause(String),
    /// Cause of a failure before the messages ran.
    Refused(String),
    /// Revert with this reason; `None` if the record lacks the reason, which the trace of the calls may have.
    Reverted(Option<String>),
}

impl Reason {
    pub(super) fn new(predicate: Predicate) -> Self {
        Self { name: None, predicate, advice: None }
    }

    pub(super) fn named(name: &'static str, predicate: Predicate) -> Self {
        Self { name: Some(name), predicate, advice: None }
    }
}

impl Predicate {
    /// Returns the reason alone, for a failure with this name.
    pub(super) fn alone(&self, name: &str) -> String {
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
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::FeeOnly => "Nothing changed except the fee.",
            Self::Nothing => "Nothing changed.",
            Self::NoFeeTaken => "Nothing changed, and no fee was taken.",
        })
    }
}

pub(super) fn sentences(subject: &str, predicate: &Predicate, end: &str) -> String {
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
