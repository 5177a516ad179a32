use std::sync::Arc;

use super::{
    comparing::{Side, compare},
    lines::{ComparedLine, Positions, lay_out},
    rows::Group,
};
use crate::{
    app::page::TxPosition,
    domain::{Address, AddressStyle},
    story::{Glossary, Story},
    widgets::{document::Document, layout::Pane},
    wire::Tx,
};

#[derive(Debug)]
pub(crate) struct ComparePage {
    /// The marked one.
    pub(super) left: Arc<Tx>,
    /// The other one.
    pub(super) right: Arc<Tx>,
    /// Which of the two Enter opens where a line is of both.
    pub(super) side: Pane,
    /// What is equal and what is not.
    pub(super) document: Document<ComparedLine>,
    /// What the lines are made of, while it is on screen.
    pub(super) sections: Option<(MadeFor, Vec<Group>)>,
    /// The accounts that they name.
    pub(super) accounts: Vec<Address>,
    positions: Vec<Positions>,
    /// What the lines were made for.
    made: Option<(MadeFor, usize)>,
}

/// How accounts are written, and by which names the two were read.
type MadeFor = (AddressStyle, Arc<Glossary>);

impl ComparePage {
    pub(super) fn new(left: Arc<Tx>, right: Arc<Tx>) -> Self {
        let (document, positions) = (Document::default(), Vec::new());
        Self { left, right, side: Pane::Second, document, sections: None, accounts: Vec::new(), positions, made: None }
    }

    /// Makes the lines where they lack, for so many columns.
    pub(super) fn make_lines(&mut self, style: AddressStyle, glossary: &Arc<Glossary>, width: usize) {
        let is_so = |told: &MadeFor| told.0 == style && Arc::ptr_eq(&told.1, glossary);
        if self.made.as_ref().is_some_and(|(told, made_for)| is_so(told) && *made_for == width) {
            return;
        }
        let (left, right) = (&self.left, &self.right);
        let sections = match self.sections.take() {
            Some((told, sections)) if is_so(&told) => sections,
            _ => {
                let stories = (Story::of(left, glossary), Story::of(right, glossary));
                let side = |tx, story| Side { tx, story };
                self.accounts = [stories.0.accounts(), stories.1.accounts()].concat();
                compare(side(left, &stories.0), side(right, &stories.1), &style, glossary)
            }
        };
        let layout = lay_out(&sections, width);
        self.positions = layout.positions;
        if self.made.is_none() {
            self.document = Document::new(layout.lines);
        } else {
            self.document.update_lines(layout.lines);
        }
        let told = (style, Arc::clone(glossary));
        (self.sections, self.made) = (Some((told.clone(), sections)), Some((told, width)));
    }

    /// The transaction that is chosen of the two.
    pub(super) fn chosen(&self) -> &Arc<Tx> {
        match self.side {
            Pane::First => &self.left,
            Pane::Second => &self.right,
        }
    }

    /// Where the line under the cursor leads: of both the chosen one, else the only one that it is of.
    pub(super) fn position(&self) -> Option<(&Arc<Tx>, &TxPosition)> {
        let (left, right) = self.positions.get(self.document.selected_place()?)?;
        let left = left.as_ref().map(|position| (&self.left, position));
        let right = right.as_ref().map(|position| (&self.right, position));
        match self.side {
            Pane::First => left.or(right),
            Pane::Second => right.or(left),
        }
    }
}
