//! Moving from word to word of a story, to the events that prove a word, and back.

use super::{
    App,
    story_document::bridge_move_of,
    tx_detail::TxDetail,
    view::{TxsView, View},
};
use crate::{
    app::page::TxTab,
    widgets::{
        document::{Document, Spot},
        layout::Pane,
    },
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
}

impl View {
    /// The transaction in tabs that has the focus.
    pub(super) fn detail(&self) -> Option<&TxDetail> {
        match self {
            Self::Tx(page) => Some(&page.detail),
            Self::Txs(TxsView { focus: Pane::Second, preview: Some((_, detail)), .. }) => Some(detail),
            _ => None,
        }
    }

    /// The same, to change it.
    fn detail_mut(&mut self) -> Option<&mut TxDetail> {
        match self {
            Self::Tx(page) => Some(&mut page.detail),
            Self::Txs(TxsView { focus: Pane::Second, preview: Some((_, detail)), .. }) => Some(detail),
            _ => None,
        }
    }
}

impl App {
    /// Goes to the next word that has events or leads somewhere, or to the one before; among the events of a word, to the
    /// next of them.
    pub(super) fn move_word(&mut self, step: isize) {
        if let View::Txs(TxsView { focus, preview: Some(_), .. }) = self.navigation.current_mut() {
            *focus = Pane::Second;
        }
        self.effects.redraw = true;
        let Some(detail) = self.navigation.current_mut().detail_mut() else {
            return self.refuse("words are chosen in an open transaction");
        };
        let is_among_events = detail.is_among_events();
        let Some(document) = &mut detail.document else { return };
        let moved = if is_among_events { document.step_mark(step) } else { document.step_spot(step) };
        if !moved {
            self.refuse(if is_among_events {
                "no other event is behind this word"
            } else if step > 0 {
                "no word that leads anywhere follows here"
            } else {
                "no word that leads anywhere stands before this"
            });
        }
    }

    /// Enter in a transaction; false where the line does what lines do everywhere.
    pub(super) fn open_in_detail(&mut self) -> bool {
        let Some(detail) = self.navigation.current_mut().detail_mut() else { return false };
        let Some(way) = way(detail) else { return false };
        self.effects.redraw = true;
        match way {
            Way::NextMark => {
                if let Some(document) = &mut detail.document {
                    document.step_mark(1);
                }
            }
            Way::Events(spot) => detail.show_events(spot.events),
            Way::Link(spot) => match spot.link {
                Some(target) => self.open_target(&target),
                None => return false,
            },
            Way::Transfer => match self.selected_tx() {
                Some(tx) => self.track_own(tx.txhash),
                None => return false,
            },
        }
        true
    }

    /// Back from the events of a word to the story, where one was; false elsewhere.
    pub(super) fn leave_events(&mut self) -> bool {
        self.navigation.current_mut().detail_mut().is_some_and(TxDetail::leave_events)
    }
}

fn way(detail: &TxDetail) -> Option<Way> {
    let document = detail.document.as_ref()?;
    let line = document.selected()?;
    if detail.is_among_events() && line.name.is_some_and(|name| is_one_of_several(document, name)) {
        return Some(Way::NextMark);
    }
    let is_bridge = detail.tab == TxTab::Story && line.name.is_some_and(|name| bridge_move_of(name).is_some());
    if is_bridge && document.chosen().is_none() {
        return Some(Way::Transfer);
    }
    let spot = document.meant()?.clone();
    Some(if spot.events.is_empty() { Way::Link(spot) } else { Way::Events(spot) })
}

fn is_one_of_several(document: &Document, name: u32) -> bool {
    document.marked().len() > 1 && document.marked().contains(&name)
}
