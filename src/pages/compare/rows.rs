//! What a comparison says, before it is known how much room there is.

use crate::{
    app::page::{TxLine, TxPosition, TxTab},
    config::Meaning,
};

/// What one of the two has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Cell {
    pub(super) text: String,
    /// The exact value, to copy.
    pub(super) copy: String,
    /// Where its line leads: the lines in it are the most exact first.
    pub(super) position: TxPosition,
}

/// One thing that both have, or only one of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Row {
    pub(super) label: String,
    pub(super) left: Option<Cell>,
    pub(super) right: Option<Cell>,
}

/// What belongs together: a section of the page, a message, an event.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Group {
    pub(super) title: String,
    /// What is said behind the title.
    pub(super) note: String,
    /// What differs.
    pub(super) rows: Vec<Row>,
    /// What is equal.
    pub(super) same: Vec<Row>,
    /// What the equal things are called: one of them, and several.
    pub(super) nouns: (&'static str, &'static str),
    /// What it is made of.
    pub(super) groups: Vec<Group>,
    /// Where its title leads.
    pub(super) positions: (Option<TxPosition>, Option<TxPosition>),
}

impl Group {
    pub(super) fn new(title: impl Into<String>) -> Self {
        Self { title: title.into(), nouns: ("field", "fields"), ..Self::default() }
    }

    /// Adds what both have or only one: equal ones apart.
    pub(super) fn push(&mut self, label: impl Into<String>, left: Option<Cell>, right: Option<Cell>) {
        let row = Row { label: label.into(), left, right };
        match (&row.left, &row.right) {
            (None, None) => {}
            (Some(one), Some(other)) if one.copy == other.copy => self.same.push(row),
            _ => self.rows.push(row),
        }
    }

    /// How many things differ in it.
    pub(super) fn differences(&self) -> usize {
        self.rows.len() + self.groups.iter().map(Self::differences).sum::<usize>()
    }

    /// `3 differences`, or that there is none.
    pub(super) fn verdict(&self) -> (Meaning, String) {
        match self.differences() {
            0 => (Meaning::Muted, "the same".to_owned()),
            1 => (Meaning::Warning, "1 difference".to_owned()),
            count => (Meaning::Warning, format!("{count} differences")),
        }
    }
}

/// A tab, without a line in it.
pub(super) fn position_in(tab: TxTab) -> TxPosition {
    TxPosition { tab, lines: Vec::new() }
}

/// The event at this place.
pub(super) fn position_of_event(place: usize) -> TxPosition {
    TxPosition { tab: TxTab::Events, lines: vec![TxLine::Event(place)] }
}
