//! Commands for an open transaction with tabs.

use super::TxDetail;
use crate::{app::hint::Hint, config::Command};

/// Adapts a command's hint to the open transaction. `hint` already reflects the document.
pub(crate) fn hint(hint: Hint, detail: Option<&TxDetail>) -> Hint {
    match hint.command {
        Command::Open if detail.is_some_and(TxDetail::leads) => Hint::new(Command::Open),
        Command::NextWord => word_hint(hint, detail, 1, "next event"),
        Command::PreviousWord => word_hint(hint, detail, -1, "previous event").hidden_in_footer(),
        _ => hint,
    }
}

/// Adapts the hint of a step between a story's words, or between a word's events.
fn word_hint(hint: Hint, detail: Option<&TxDetail>, step: isize, of_events: &'static str) -> Hint {
    let is_among_events = detail.is_some_and(TxDetail::is_among_events);
    let can_step = detail
        .and_then(|detail| detail.document.as_ref())
        .is_some_and(|document| if is_among_events { document.can_step_mark() } else { document.can_step_word(step) });
    let why = match (is_among_events, step > 0) {
        _ if detail.is_none() => "select words in an open transaction",
        (true, _) => "this word has no other event",
        (false, true) => "no link to the right of this word",
        (false, false) => "no link to the left of this word",
    };
    let hint = hint.enabled_if(can_step, why);
    if is_among_events { hint.label(of_events) } else { hint }
}
