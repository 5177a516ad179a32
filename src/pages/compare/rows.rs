//! Content of a comparison, independent of the layout.

use crate::{
    app::page::{TxLine, TxPosition, TxTab},
    config::Meaning,
};

/// Value on one side.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Cell {
    pub(super) text: String,
    pub(super) copy: String,
    /// Position of the value in its transaction, as precise as known.
    pub(super) position: TxPosition,
}

/// Value on both sides, or on only one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Row {
    pub(super) label: String,
    pub(super) left: Option<Cell>,
    pub(super) right: Option<Cell>,
}

/// Group of rows: a section, a message or an event.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Group {
    pub(super) title: String,
    /// Note after the title.
    pub(super) note: String,
    pub(super) rows: Vec<Row>,
    pub(super) same: Vec<Row>,
    /// Singular and plural of the equal items.
    pub(super) nouns: (&'static str, &'static str),
    pub(super) groups: Vec<Group>,
    pub(super) positions: (Option<TxPosition>, Option<TxPosition>),
}

impl Group {
    pub(super) fn new(title: impl Into<String>) -> Self {
        Self { title: title.into(), nouns: ("field", "fields"), ..Self::default() }
    }

    /// Adds a row to the differences, or to the equal rows.
    pub(super) fn push(&mut self, label: impl Into<String>, left: Option<Cell>, right: Option<Cell>) {
        let row = Row { label: label.into(), left, right };
        match (&row.left, &row.right) {
            (None, None) => {}
            (Some(one), Some(other)) if one.copy == other.copy => self.same.push(row),
            _ => self.rows.push(row),
        }
    }

    pub(super) fn differences(&self) -> usize {
        self.rows.len() + self.groups.iter().map(Self::differences).sum::<usize>()
    }

    /// Returns `same` or the number of differences, as in `3 differences`.
    pub(super) fn verdict(&self) -> (Meaning, String) {
        match self.differences() {
            0 => (Meaning::Muted, "same".to_owned()),
            1 => (Meaning::Warning, "1 difference".to_owned()),
            count => (Meaning::Warning, format!("{count} differences")),
        }
    }
}

pub(super) fn position_in(tab: TxTab) -> TxPosition {
    TxPosition { tab, lines: Vec::new() }
}

pub(super) fn position_of_event(place: usize) -> TxPosition {
    TxPosition { tab: TxTab::Events, lines: vec![TxLine::Event(place)] }
}
