//! Two transactions side by side: one is marked, the other open or selected.

mod comparing;
mod lines;
mod rows;

use std::sync::Arc;

pub(crate) use lines::columns;

use self::{
    comparing::{Side, compare},
    lines::{Spots, lay_out},
    rows::{Group, Spot},
};
use super::{App, format::AddressForm, view::View};
use crate::{
    config::Command,
    domain::TxHash,
    story::{Glossary, Story},
    widgets::{
        document::Document,
        layout::{Pane, Regions},
    },
    wire::Tx,
};

/// The page that compares two transactions.
#[derive(Debug)]
pub(crate) struct ComparePage {
    /// The marked one.
    pub(crate) left: Arc<Tx>,
    /// The other one.
    pub(crate) right: Arc<Tx>,
    /// Which of the two Enter opens where a line is of both.
    pub(crate) side: Pane,
    /// What is equal and what is not.
    pub(crate) document: Document,
    sections: Option<(AddressForm, Vec<Group>)>,
    spots: Vec<Spots>,
    /// What the lines were made for.
    made: Option<(AddressForm, usize)>,
}

impl ComparePage {
    fn new(left: Arc<Tx>, right: Arc<Tx>) -> Self {
        let (document, spots) = (Document::default(), Vec::new());
        Self { left, right, side: Pane::Second, document, sections: None, spots, made: None }
    }

    /// `Compare 8E1C…04F2 with 11AA…97C0`.
    pub(crate) fn title(&self) -> String {
        format!("Compare {} with {}", self.left.txhash.short(), self.right.txhash.short())
    }

    /// Makes the lines where they lack, for so many columns.
    pub(super) fn make_lines(&mut self, form: AddressForm, glossary: &Glossary, width: usize) {
        if self.made == Some((form, width)) {
            return;
        }
        let (left, right) = (&self.left, &self.right);
        let sections = match self.sections.take() {
            Some((of, sections)) if of == form => sections,
            _ => {
                let stories = (Story::of(left, glossary), Story::of(right, glossary));
                let side = |tx, story| Side { tx, story };
                compare(side(left, &stories.0), side(right, &stories.1), form, glossary)
            }
        };
        let layout = lay_out(&sections, width);
        self.spots = layout.spots;
        if self.made.is_none() {
            self.document = Document::new(layout.lines);
        } else {
            self.document.show_instead(layout.lines);
        }
        (self.sections, self.made) = (Some((form, sections)), Some((form, width)));
    }

    /// Gives the lines their room.
    pub(super) fn fit(&mut self, regions: &Regions) {
        let rows = regions.document_rows(regions.body);
        self.document.set_room(usize::from(rows.width), usize::from(rows.height));
    }

    /// Gives back what can be made again.
    pub(super) fn shrink(&mut self) {
        self.sections = None;
    }

    /// The transaction that is chosen of the two.
    pub(super) fn chosen(&self) -> &Arc<Tx> {
        match self.side {
            Pane::First => &self.left,
            Pane::Second => &self.right,
        }
    }

    /// Whether the line under the cursor leads to a place in one of the two.
    pub(super) fn leads(&self) -> bool {
        self.spot().is_some()
    }

    /// Where the line under the cursor leads: of both the chosen one, else the only one that it is of.
    fn spot(&self) -> Option<(&Arc<Tx>, &Spot)> {
        let place = usize::try_from(self.document.selected()?.name?).ok()?;
        let (left, right) = self.spots.get(place)?;
        let left = left.as_ref().map(|spot| (&self.left, spot));
        let right = right.as_ref().map(|spot| (&self.right, spot));
        match self.side {
            Pane::First => left.or(right),
            Pane::Second => right.or(left),
        }
    }
}

impl App {
    /// Marks the transaction that is open or selected; a marked one is unmarked.
    pub(super) fn mark_tx(&mut self) {
        let Some(tx) = self.selected_tx() else {
            return self.refuse("no transaction is selected that could be marked");
        };
        if self.marked_hash() == Some(tx.txhash) {
            self.marked = None;
            return self.done(format!("{} is no longer marked", tx.txhash.short()));
        }
        let key = self.keymap.shown(self.layers(), Command::Compare).unwrap_or_default();
        self.done(format!("{} is marked; {key} on another compares the two", tx.txhash.short()));
        self.marked = Some(tx);
    }

    /// Opens the comparison of the transaction that is open or selected with the marked one.
    pub(super) fn compare_txs(&mut self) {
        let key = |action| self.keymap.shown(self.layers(), action).unwrap_or_default();
        let (mark, compare) = (key(Command::Mark), key(Command::Compare));
        if matches!(self.navigation.current(), View::Compare(_)) {
            return self.refuse("these two are compared here; Esc goes back");
        }
        let (marked, selected) = (self.marked.clone(), self.selected_tx());
        match (marked, selected) {
            (None, _) => {
                self.refuse(format!("nothing is marked: {mark} marks a transaction, {compare} on another compares"));
            }
            (Some(_), None) => self.refuse("no transaction is selected to compare with the marked one"),
            (Some(marked), Some(tx)) if marked.txhash == tx.txhash => {
                self.refuse(format!("this is the marked one: {compare} on another compares the two"));
            }
            (Some(marked), Some(tx)) => {
                self.navigation.open(|_| View::Compare(ComparePage::new(marked, tx)));
                self.effects.redraw = true;
            }
        }
    }

    /// Opens the transaction and place that the line under the cursor is of.
    pub(super) fn open_in_compare(&mut self) {
        let origin = self.navigation.current_id();
        let View::Compare(page) = self.navigation.current_mut() else { return };
        let Some((tx, spot)) = page.spot().map(|(tx, spot)| (Arc::clone(tx), spot.clone())) else {
            self.effects.redraw |= page.document.toggle_fold();
            return;
        };
        self.open_loaded_tx(tx, Some(origin));
        if let View::Tx(page) = self.navigation.current_mut() {
            page.detail.show(spot.tab);
            page.detail.seek(spot.names);
        }
    }

    /// The other one of the two is chosen.
    pub(super) fn turn_compared(&mut self) {
        if let View::Compare(page) = self.navigation.current_mut() {
            page.side = page.side.other();
            self.effects.redraw = true;
        }
    }
}
