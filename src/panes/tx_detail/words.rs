//! Moving from word to word of a story, to the events that prove a word, and back.

use super::TxDetail;
use crate::{
    app::page::{Cx, Handled, TxLine, Wish},
    domain::TxHash,
    widgets::document::{Document, Spot},
};

/// What Enter does on a line of a transaction.
enum Way {
    /// To the next of the marked events.
    NextMark,
    /// To the events behind a word.
    Events(Spot),
    /// To the transfer that a move over a bridge belongs to.
    Transfer,
    /// To what a word names.
    Link(Spot),
}

impl TxDetail {
    /// Whether Enter on the line under the cursor leads to events, to a transfer or to what a word names.
    pub(super) fn leads(&self) -> bool {
        match way(self) {
            Some(Way::Link(spot)) => spot.link.is_some(),
            way => way.is_some(),
        }
    }

    /// Goes to the next word that has events or leads somewhere, or to the one before; among the events of a word, to the
    /// next of them.
    pub(super) fn move_word(&mut self, step: isize, cx: &mut Cx<'_>) {
        let is_among_events = self.is_among_events();
        let Some(document) = &mut self.document else { return };
        let moved = if is_among_events { document.step_mark(step) } else { document.step_spot(step) };
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
        match way(self) {
            Some(Way::NextMark) => {
                if let Some(document) = &mut self.document {
                    document.step_mark(1);
                }
            }
            Some(Way::Events(spot)) => self.show_events(spot.events),
            Some(Way::Link(Spot { link: Some(target), .. })) => cx.wish(Wish::OpenTarget(target)),
            Some(Way::Transfer) => match tx {
                Some(hash) => cx.wish(Wish::TrackOwn(hash)),
                None => return Handled::Pass,
            },
            Some(Way::Link(_)) | None => return Handled::Pass,
        }
        Handled::Done
    }
}

fn way(detail: &TxDetail) -> Option<Way> {
    let document = detail.document.as_ref()?;
    let line = document.selected()?;
    if detail.is_among_events() && line.name.as_ref().is_some_and(|name| is_one_of_several(document, name)) {
        return Some(Way::NextMark);
    }
    if matches!(line.name, Some(TxLine::BridgeMove(_))) && document.chosen().is_none() {
        return Some(Way::Transfer);
    }
    let spot = document.meant()?.clone();
    Some(if spot.events.is_empty() { Way::Link(spot) } else { Way::Events(spot) })
}

fn is_one_of_several(document: &Document<TxLine>, name: &TxLine) -> bool {
    document.marked().len() > 1 && document.marked().contains(name)
}
