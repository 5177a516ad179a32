//! Moves between a story's words and the events that prove them.

use super::TxDetail;
use crate::{
    app::page::{Handled, PageCx, PageEffect, TxLine},
    domain::{Target, TxHash},
    widgets::document::{Document, WordRef},
};

enum EnterAction {
    NextMark,
    Events(WordRef),
    /// Opens the transfer over a bridge; without a router, the transaction with its next step.
    Transfer(Option<Target>),
    /// Opens the events or the record of a word.
    Link(WordRef),
}

impl TxDetail {
    /// Whether Enter opens events, a transfer or a record from the selected line.
    pub(super) fn leads(&self) -> bool {
        match enter_action(self) {
            Some(EnterAction::Link(word_ref)) => word_ref.link.is_some(),
            enter_action => enter_action.is_some(),
        }
    }

    /// Moves to the next or previous selectable word or, among a word's events, to the next or previous event.
    pub(super) fn move_word(&mut self, step: isize, cx: &mut PageCx<'_>) {
        let is_among_events = self.is_among_events();
        let Some(document) = &mut self.document else { return };
        let moved = if is_among_events { document.step_mark(step) } else { document.step_word(step) };
        if !moved {
            cx.refuse(if is_among_events {
                "this word has no other event"
            } else if step > 0 {
                "no link after this word"
            } else {
                "no link before this word"
            });
        }
    }

    /// Handles Enter; passes the key on if the line has no action of its own.
    pub(super) fn open(&mut self, tx: Option<TxHash>, cx: &mut PageCx<'_>) -> Handled {
        match enter_action(self) {
            Some(EnterAction::NextMark) => {
                if let Some(document) = &mut self.document {
                    document.step_mark(1);
                }
            }
            Some(EnterAction::Events(word_ref)) => self.show_events(word_ref.events),
            Some(EnterAction::Link(WordRef { link: Some(target), .. })) => cx.emit(PageEffect::OpenTarget(target)),
            Some(EnterAction::Transfer(Some(target))) if !cx.context.has_router() => {
                cx.emit(PageEffect::OpenTarget(target));
            }
            Some(EnterAction::Transfer(_)) => match tx {
                Some(hash) => cx.emit(PageEffect::TrackOwn(hash)),
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
        return Some(EnterAction::Transfer(line.link.clone()));
    }
    let word_ref = document.meant()?.clone();
    Some(if word_ref.events.is_empty() { EnterAction::Link(word_ref) } else { EnterAction::Events(word_ref) })
}

fn is_one_of_several(document: &Document<TxLine>, name: &TxLine) -> bool {
    document.marked().len() > 1 && document.marked().contains(name)
}
