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
    pub(super) left: Arc<Tx>,
    pub(super) right: Arc<Tx>,
    /// Side that Enter opens if a line has both.
    pub(super) side: Pane,
    pub(super) document: Document<ComparedLine>,
    /// Compared sections with their inputs; dropped while the page is covered.
    pub(super) sections: Option<(MadeFor, Vec<Group>)>,
    pub(super) accounts: Vec<Address>,
    positions: Vec<Positions>,
    /// Inputs of the current lines: style, names and columns.
    made: Option<(MadeFor, usize)>,
}

type MadeFor = (AddressStyle, Arc<Glossary>);

impl ComparePage {
    pub(super) fn new(left: Arc<Tx>, right: Arc<Tx>) -> Self {
        let (document, positions) = (Document::default(), Vec::new());
        Self { left, right, side: Pane::Second, document, sections: None, accounts: Vec::new(), positions, made: None }
    }

    /// Builds the lines for `width` columns, unless they are current.
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

    pub(super) fn chosen(&self) -> &Arc<Tx> {
        match self.side {
            Pane::First => &self.left,
            Pane::Second => &self.right,
        }
    }

    /// Returns the position that the cursor's line opens: on the selected side, else on the side that has one.
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
