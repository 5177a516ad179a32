//! A failure as the readers see it, and the texts they take from its log.

use super::reason::{FailureEffect, Predicate};
use crate::{
    domain::{Coin, parse_coins, text},
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
/// Maximum bytes of a raw log to parse.
const MOST_READ: usize = 16_384;

/// Failure as input of the readers.
pub(super) struct Case<'a> {
    pub(super) context: &'a TxContext<'a>,
    pub(super) codespace: &'a str,
    pub(super) code: u32,
    /// Message named in the log.
    pub(super) message: Option<usize>,
    /// Log without the message's index, cut to the parsed length.
    pub(super) log: &'a str,
}

impl<'a> Case<'a> {
    pub(super) fn of(context: &'a TxContext<'a>, failure: &'a TxFailure) -> Self {
        Self {
            context,
            codespace: &context.tx.codespace,
            code: context.tx.code,
            message: failure.message_index,
            log: head(&failure.detail, MOST_READ),
        }
    }

    /// Builds a cause, or a refusal if the messages never ran.
    pub(super) fn cause(&self, words: String) -> Predicate {
        if self.has_run() { Predicate::Cause(words) } else { Predicate::Refused(words) }
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

/// Returns the text between two marks and the text after the second. The last match counts: a log ends with the actual
/// error, and contracts may control the rest.
pub(super) fn between<'a>(text: &'a str, start: &str, end: &str) -> Option<(&'a str, &'a str)> {
    text.rsplit_once(start)?.1.split_once(end)
}
