//! Moving from word to word of a story, to the events that prove a word, and back.

use super::TxDetail;
use crate::{
    app::page::{Cx, Handled, TxLine, Wish},
    domain::TxHash,
    widgets::document::{Document, WordRef},
};

/// What Enter does on a line of a transaction.
enum EnterAction {
    /// To the next of the marked events.
    NextMark,
    /// To the events behind a word.
    Events(WordRef),
    /// To the transfer that a move over a bridge belongs to.
    Transfer,
    /// To what a word names.
    Link(WordRef),
}

impl TxDetail {
    /// Whether Enter on the line under the cursor leads to events, to a transfer or to what a word names.
    pub(super) fn leads(&self) -> bool {
        match enter_action(self) {
            Some(EnterAction::Link(word_ref)) => word_ref.link.is_some(),
            enter_action => enter_action.is_some(),
        }
    }

    /// Goes to the next word that has events or leads somewhere, or to the one before; among the events of a word, to the
    /// next of them.
    pub(super) fn move_word(&mut self, step: isize, cx: &mut Cx<'_>) {
        let is_among_events = self.is_among_events();
        let Some(document) = &mut self.document else { return };
        let moved = if is_among_events { document.step_mark(step) } else { document.step_word(step) };
        if !moved {
            cx.refuse(if is_among_events {
                "no other event is behind this word"
            } else if step > 0 {
                "no word that leads anywhere follows here"
            } else {
                "no word that leads anywhere stands before this"
            });
        }
    }

    /// Enter; passes where the line does what lines do everywhere.
    pub(super) fn open(&mut self, tx: Option<TxHash>, cx: &mut Cx<'_>) -> Handled {
        match enter_action(self) {
            Some(EnterAction::NextMark) => {
                if let Some(document) = &mut self.document {
                    document.step_mark(1);
                }
            }
            Some(EnterAction::Events(word_ref)) => self.show_events(word_ref.events),
            Some(EnterAction::Link(WordRef { link: Some(target), .. })) => cx.wish(Wish::OpenTarget(target)),
            Some(EnterAction::Transfer) => match tx {
                Some(hash) => cx.wish(Wish::TrackOwn(hash)),
                None => return Handled::Pass,
            },
            Some(EnterAction::Link(_)) | None => return Handled::Pass,
        }
        Handled::Done
    }
}

fn enter_action(detail: &TxDetail) -> Option<EnterAction> {
    let document = detail.document.as_ref()?;
    let line = document.selected()?;
    if detail.is_among_events() && line.name.as_ref().is_some_and(|name| is_one_of_several(document, name)) {
        return Some(EnterAction::NextMark);
    }
    if matches!(line.name, Some(TxLine::BridgeMove(_))) && document.chosen().is_none() {
        return Some(EnterAction::Transfer);
    }
    let word_ref = document.meant()?.clone();
    Some(if word_ref.events.is_empty() { EnterAction::Link(word_ref) } else { EnterAction::Events(word_ref) })
}

fn is_one_of_several(document: &Document<TxLine>, name: &TxLine) -> bool {
    document.marked().len() > 1 && document.marked().contains(name)
}
