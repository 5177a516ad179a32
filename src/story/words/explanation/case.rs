//! Failure with the texts that its explanations take from the log.

use super::{
    place::{FailedPart, PlacedError},
    reason::{FailureEffect, Predicate},
};
use crate::{
    domain::{Coin, MsgType, Vm, parse_coins, text},
    events::{keys, names::TX},
    story::{
        context::TxContext,
        decode::failure::TxFailure,
        words::phrase::{Style, Word},
    },
};

/// Maximum columns of a raw log in a sentence; another line shows the whole log.
const MOST_QUOTED: usize = 160;
/// Maximum columns of a name in a sentence.
const MOST_SAID: usize = 120;
/// Message that runs messages for other accounts.
const MSG_EXEC: &str = "cosmos.authz.v1beta1.MsgExec";
/// Maximum bytes of a raw log to parse.
const MOST_READ: usize = 16_384;

/// Failure as input of the readers.
pub(super) struct Case<'a> {
    pub(super) context: &'a TxContext<'a>,
    pub(super) codespace: &'a str,
    pub(super) code: u32,
    pub(super) message: Option<usize>,
    pub(super) part: FailedPart,
    /// Error without the chain's prefix, cut to the parsed length.
    pub(super) log: &'a str,
    /// Whether the error's beginning is known; else `log` is only the end of the whole log.
    pub(super) has_start: bool,
}

impl<'a> Case<'a> {
    /// Reads a failure. Its error may begin with a contract's words (`is_of_contract`), or be the VM's own
    /// (`is_of_vm`).
    pub(super) fn of(context: &'a TxContext<'a>, failure: &'a TxFailure, is_of_contract: bool, is_of_vm: bool) -> Self {
        let (codespace, code) = (context.tx.codespace.as_received(), context.tx.code);
        let kind = context.decoded.messages.get(failure.message_index.unwrap_or(0)).map(|message| &message.kind);
        let is_exec = kind.is_some_and(|kind| kind.as_str() == MSG_EXEC);
        let error = PlacedError::of(&failure.detail, is_exec || !is_of_contract);
        let is_call = kind.is_some_and(may_send) && !is_of_vm;
        Self {
            context,
            codespace,
            code,
            message: failure.message_index,
            part: if is_call && error.part == FailedPart::Message { FailedPart::Called } else { error.part },
            log: error.text.map_or_else(|| tail(&failure.detail), |text| head(text, MOST_READ)),
            has_start: error.text.is_some(),
        }
    }

    /// Builds a cause, or a refusal if the messages never ran.
    pub(super) fn cause(&self, words: String) -> Predicate {
        if self.has_run() { self.ran_cause(&words) } else { Predicate::Refused(words) }
    }

    /// Builds the cause of a failure that proves the execution; it names the part that failed.
    pub(super) fn ran_cause(&self, words: &str) -> Predicate {
        Predicate::Cause(format!("{}{words}", self.part.words()))
    }

    /// Returns the failed message. Gas errors and panics do not name it; then it is the only message.
    pub(super) fn subject(&self) -> String {
        match (self.message, self.context.decoded.messages.len()) {
            // An index beyond the last message is invalid.
            (Some(message), count) if message < count => format!("Message {}", message.saturating_add(1)),
            (_, 1) if self.has_run() => "Message 1".to_owned(),
            (_, count) if count > 1 && self.has_run() => format!("One of the {count} messages"),
            _ => "The transaction".to_owned(),
        }
    }

    /// Whether execution of the messages began, after the fee was paid.
    pub(super) fn has_run(&self) -> bool {
        self.message.is_some() || self.fee().is_some()
    }

    /// Returns the paid fee by the events.
    fn fee(&self) -> Option<&str> {
        let events = self.context.decoded.events.iter();
        events.filter(|event| event.kind == TX).find_map(|event| event.text(keys::FEE))
    }

    /// Returns the effect by the fee's event; an executed transaction paid even if that event is missing.
    pub(super) fn effect(&self) -> FailureEffect {
        let is_paid = |fee: &str| parse_coins(fee).is_ok_and(|coins| coins.iter().any(|coin| !coin.amount.is_zero()));
        match self.fee() {
            Some(fee) if is_paid(fee) => FailureEffect::FeeOnly,
            Some(_) => FailureEffect::Nothing,
            None if self.message.is_some() => FailureEffect::FeeOnly,
            None => FailureEffect::NoFeeTaken,
        }
    }

    /// Formats an account: by label, else in full; any other text stays.
    pub(super) fn party(&self, text: &str) -> String {
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
    pub(super) fn coins(&self, text: &str) -> String {
        match parse_coins(text.trim()) {
            Ok(coins) if coins.is_empty() => "nothing".to_owned(),
            Ok(coins) => coins.iter().map(|coin| self.coin(coin)).collect::<Vec<_>>().join(", "),
            Err(_) => said(text),
        }
    }
}

/// Whether a message runs code of the EVM or Move, which may send messages: their errors have no mark.
fn may_send(kind: &MsgType) -> bool {
    const RUNS: [&str; 4] = ["MsgCall", "MsgCreate", "MsgExecute", "MsgScript"];
    matches!(kind.vm(), Some(Vm::Evm | Vm::Move)) && RUNS.iter().any(|name| kind.short().starts_with(name))
}

/// Formats an external name or number; quotes any other text.
pub(super) fn said(text: &str) -> String {
    let text = head(text, MOST_SAID * 8).trim();
    text::clip(&Word::code(text).write(Style::Exact), MOST_SAID)
}

/// Quotes text from a log, which contracts may control.
pub(super) fn quote(text: &str) -> String {
    text::quoted_within(head(text, MOST_QUOTED * 8).trim(), MOST_QUOTED)
}

/// Returns the first bytes of a text, cut at a character boundary.
fn head(text: &str, most: usize) -> &str {
    let fits = (0..=most.min(text.len())).rev().find(|end| text.is_char_boundary(*end));
    text.get(..fits.unwrap_or_default()).unwrap_or_default()
}

/// Returns the end of a log, as much as a sentence quotes.
fn tail(text: &str) -> &str {
    let start = text.len().saturating_sub(MOST_QUOTED - 1);
    let start = (start..=text.len()).find(|start| text.is_char_boundary(*start));
    start.and_then(|start| text.get(start..)).unwrap_or_default()
}

/// Returns the text between `start` at the beginning and `end`, and the text after `end`.
pub(super) fn between<'a>(text: &'a str, start: &str, end: &str) -> Option<(&'a str, &'a str)> {
    text.strip_prefix(start)?.split_once(end)
}
