//! What can be done in a transaction that is open in tabs.

use super::TxDetail;
use crate::{
    app::hint::Hint,
    config::Command,
    panes::commands::{filter_lines, folds, open_line},
};

/// All of it, most useful first; `tabs` are the commands for the next tab, the one before, and the record.
pub(crate) fn commands(detail: &TxDetail, tabs: [Hint; 3]) -> Vec<Hint> {
    let [next_tab, previous_tab, raw] = tabs;
    let document = detail.document.as_ref();
    let [next_word, previous_word] = words(Some(detail));
    let [fold, fold_all, unfold_all] = folds(document);
    let open = if detail.leads() { Hint::of(Command::Open) } else { open_line(document) };
    vec![
        open,
        next_tab,
        next_word,
        filter_lines(document),
        fold,
        raw,
        previous_tab,
        previous_word,
        fold_all,
        unfold_all,
    ]
}

/// Going from word to word of a story, or from event to event of those behind a word.
pub(crate) fn words(detail: Option<&TxDetail>) -> [Hint; 2] {
    let is_among_events = detail.is_some_and(TxDetail::is_among_events);
    let hint =
        |command: Command, step: isize| {
            let document = detail.and_then(|detail| detail.document.as_ref());
            let can_step = document.is_some_and(|document| {
                if is_among_events { document.can_step_mark() } else { document.can_step_word(step) }
            });
            let why = match (is_among_events, step > 0) {
                _ if detail.is_none() => "words are chosen in an open transaction",
                (true, _) => "no other event is behind this word",
                (false, true) => "no word that leads anywhere follows here",
                (false, false) => "no word that leads anywhere stands before this",
            };
            Hint::of(command).needs(can_step, why)
        };
    let [next, previous] = [hint(Command::NextWord, 1), hint(Command::PreviousWord, -1)];
    let previous = previous.spare();
    if is_among_events { [next.called("next event"), previous.called("event back")] } else { [next, previous] }
}
