//! Columns that the user chose in the settings, or with the chooser on a page.

use std::collections::BTreeMap;

use strum::IntoEnumIterator as _;

use super::{ColumnHeader, ColumnInfo, FittedColumns, List, ListColumns, Resource, SUMMARY, Txs};
use crate::{
    config::{ColumnSetting, Settings, nearest},
    domain::text::clip,
};

/// Comment above the columns in a settings file.
const INTRODUCTION: &str = "
# Columns of the lists, from left to right. Each line below is the default; a list hides columns that do not fit.
# The header line of `--format csv` has the column names.
#[columns]
";

/// Chosen columns by list; a list without an entry uses its defaults.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Columns {
    chosen: BTreeMap<List, Vec<&'static str>>,
    /// List that shows its last columns where not all fit, instead of the most important ones.
    last_shown: Option<List>,
}

impl Columns {
    /// Reads the settings. An invalid entry becomes a warning with line and key, and its list keeps the default.
    pub fn from_settings(settings: &Settings) -> (Self, Vec<String>) {
        let (mut columns, mut warnings) = (Self::default(), Vec::new());
        for setting in &settings.columns {
            match read(setting) {
                Ok((list, ids)) => columns.choose(list, ids),
                Err((line, problem)) => {
                    let key = format!("columns.{}", clip(&setting.list.value, 40));
                    warnings.push(settings.warning(line, &key, &problem));
                }
            }
        }
        (columns, warnings)
    }

    /// Sets a list's columns; removes the choice if it equals the default or is empty.
    pub fn choose(&mut self, list: List, ids: Vec<&'static str>) {
        if ids.is_empty() || ids == list.default_ids() {
            self.chosen.remove(&list);
        } else {
            self.chosen.insert(list, ids);
        }
    }

    pub fn chosen(&self, list: List) -> Option<&[&'static str]> {
        self.chosen.get(&list).map(Vec::as_slice)
    }

    /// Returns the lines of a settings file for all lists with chosen columns.
    pub fn lines(&self) -> Vec<String> {
        self.chosen.iter().map(|(list, ids)| line(*list, ids)).collect()
    }

    pub(crate) fn shown<R: Resource>(&self, list: List, width: u16) -> ListColumns<R> {
        match self.chosen(list) {
            _ if self.last_shown == Some(list) => ListColumns::last(list, &self.wanted(list, width), width),
            Some(ids) => ListColumns::chosen(list, ids, width),
            None => ListColumns::by_default(list, width),
        }
    }

    /// Shows the last columns of this list; `None` shows the most important ones of every list.
    pub(crate) fn show_last(&mut self, list: Option<List>) {
        self.last_shown = list;
    }

    pub(crate) fn last_shown(&self) -> Option<List> {
        self.last_shown
    }

    /// Returns the columns that the list would show if its rows were wide enough.
    fn wanted(&self, list: List, width: u16) -> Vec<&'static str> {
        let is_wanted = |column: &ColumnInfo| column.is_default && !column.header.is_replaced_at(width);
        match self.chosen(list) {
            Some(ids) => ids.to_vec(),
            None => list.columns().iter().filter(|column| is_wanted(column)).map(|column| column.id).collect(),
        }
    }

    /// Whether the list hides columns for which rows of this width have no room.
    pub(crate) fn hide_some(&self, list: List, width: u16) -> bool {
        let (wanted, is_chosen) = (self.wanted(list, width), self.chosen(list).is_some());
        let columns = list.columns();
        let headers = columns.iter().filter(|column| wanted.contains(&column.id)).map(|column| &column.header);
        let is_late = |header: &ColumnHeader| !is_chosen && !header.is_for_width(width);
        headers.clone().any(is_late) || !FittedColumns::have_room(headers, width)
    }

    /// Whether a list of transactions with this width shows sentences.
    pub(crate) fn have_words(&self, list: List, width: u16) -> bool {
        self.shown::<Txs>(list, width).width_of(SUMMARY).is_some()
    }
}

/// Formats a settings line such as `blocks = ["height", "hash"]`.
fn line(list: List, ids: &[&str]) -> String {
    let ids: Vec<String> = ids.iter().map(|id| format!("\"{id}\"")).collect();
    format!("{list} = [{}]", ids.join(", "))
}

/// Returns the commented `[columns]` table of a settings file: each list's default columns, and the other columns that
/// the list can show.
pub fn default_settings() -> String {
    let lists = List::iter().map(|list| {
        let others: Vec<_> =
            list.columns().iter().filter(|column| !column.is_default).map(|column| column.id).collect();
        let others = if others.is_empty() { String::new() } else { format!("# … and {}\n", others.join(", ")) };
        format!("#{}\n{others}", line(list, &list.default_ids()))
    });
    std::iter::once(INTRODUCTION.to_owned()).chain(lists).collect()
}

/// Parses a settings entry to a list and its columns; an error comes with the line number.
fn read(setting: &ColumnSetting) -> Result<(List, Vec<&'static str>), (usize, String)> {
    let name = setting.list.value.as_str();
    let list: List = name.parse().map_err(|_| {
        let lists: Vec<&'static str> = List::iter().map(Into::into).collect();
        (setting.list.line, format!("unknown list; {}", meant(name, &lists)))
    })?;
    let known: Vec<&'static str> = list.columns().iter().map(|column| column.id).collect();
    let mut ids: Vec<&'static str> = Vec::new();
    for id in &setting.ids {
        let shown = clip(&id.value, 30);
        let Some(found) = known.iter().find(|known| **known == id.value) else {
            return Err((id.line, format!("unknown column “{shown}”; {}", meant(&id.value, &known))));
        };
        if ids.contains(found) {
            return Err((id.line, format!("duplicate column “{shown}”")));
        }
        ids.push(found);
    }
    if ids.is_empty() {
        return Err((setting.list.line, format!("the list needs a column; known columns: {}", known.join(", "))));
    }
    Ok((list, ids))
}

/// Suggests the nearest name and lists all names.
fn meant(typed: &str, known: &[&'static str]) -> String {
    let all = known.join(", ");
    match nearest(typed, known.iter().copied()) {
        Some(name) => format!("did you mean {name}? Known names: {all}"),
        None => format!("known names: {all}"),
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChoiceRow {
    pub id: &'static str,
    pub heading: &'static str,
    pub is_shown: bool,
}

/// Chooser of a list's columns: all columns that the list can show, in display order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ColumnChoice {
    list: List,
    rows: Vec<ChoiceRow>,
}

impl ColumnChoice {
    /// Creates a chooser with the list's current columns first, hidden columns last.
    pub fn new(list: List, columns: &Columns) -> Self {
        Self { list, rows: rows(list, columns.chosen(list)) }
    }

    pub fn list(&self) -> List {
        self.list
    }

    pub fn rows(&self) -> &[ChoiceRow] {
        &self.rows
    }

    /// Shows or hides a column. Returns false for the last visible column, which stays.
    pub fn toggle(&mut self, place: usize) -> bool {
        let shown = self.rows.iter().filter(|row| row.is_shown).count();
        match self.rows.get_mut(place) {
            Some(row) if !row.is_shown || shown > 1 => row.is_shown = !row.is_shown,
            _ => return false,
        }
        true
    }

    /// Moves a column by `step` positions, clamped to the ends; returns its new position.
    pub fn move_by(&mut self, place: usize, step: isize) -> usize {
        let Some(row) = self.rows.get(place).copied() else { return place };
        let to = place.saturating_add_signed(step).min(self.rows.len() - 1);
        self.rows.remove(place);
        self.rows.insert(to, row);
        to
    }

    pub fn reset(&mut self) {
        self.rows = rows(self.list, None);
    }

    /// Returns the ids of the visible columns, in order.
    pub fn ids(&self) -> Vec<&'static str> {
        self.rows.iter().filter(|row| row.is_shown).map(|row| row.id).collect()
    }
}

fn rows(list: List, chosen: Option<&[&'static str]>) -> Vec<ChoiceRow> {
    let columns = list.columns();
    let default = list.default_ids();
    let shown = chosen.unwrap_or(&default);
    let row = |id: &str, is_shown| {
        let column = columns.iter().find(|column| column.id == id)?;
        Some(ChoiceRow { id: column.id, heading: column.heading, is_shown })
    };
    let others = columns.iter().filter(|column| !shown.contains(&column.id));
    shown.iter().filter_map(|id| row(id, true)).chain(others.filter_map(|column| row(column.id, false))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(choice: &ColumnChoice) -> Vec<&'static str> {
        choice.rows().iter().filter(|row| row.is_shown).map(|row| row.id).collect()
    }

    #[test]
    fn a_choice_begins_with_what_is_shown_and_ends_with_what_could_be() {
        let mut columns = Columns::default();
        let choice = ColumnChoice::new(List::Blocks, &columns);
        assert_eq!(shown(&choice), List::Blocks.default_ids());
        assert_eq!(choice.rows().len(), List::Blocks.columns().len());
        columns.choose(List::Blocks, vec!["hash", "height"]);
        let choice = ColumnChoice::new(List::Blocks, &columns);
        assert_eq!(choice.ids(), ["hash", "height"]);
        assert!(choice.rows()[2..].iter().all(|row| !row.is_shown));
        assert_eq!(choice.rows().len(), List::Blocks.columns().len(), "every column once");
    }

    #[test]
    fn columns_are_switched_moved_and_reset() {
        let mut choice = ColumnChoice::new(List::AccountNfts, &Columns::default());
        let default = choice.ids();
        assert_eq!(choice.move_by(0, 1), 1);
        assert_eq!(choice.ids()[..2], [default[1], default[0]]);
        assert_eq!(choice.move_by(1, -5), 0, "not past the first place");
        assert_eq!(choice.ids(), default);
        let last = choice.rows().len() - 1;
        assert_eq!(choice.move_by(0, 500), last);
        assert_eq!(choice.rows()[last].id, default[0]);
        choice.reset();
        assert_eq!(choice.ids(), default);
        assert!(choice.toggle(1) && !choice.ids().contains(&default[1]));
        assert!(choice.toggle(1) && choice.ids() == default, "its place is kept");
        assert!(choice.toggle(last) && choice.ids().len() == default.len() + 1);
        assert!(!choice.toggle(500) && choice.move_by(500, 1) == 500);
    }

    #[test]
    fn the_last_column_that_is_shown_stays() {
        let mut columns = Columns::default();
        columns.choose(List::Holders, vec!["amount"]);
        let mut choice = ColumnChoice::new(List::Holders, &columns);
        assert!(!choice.toggle(0));
        assert_eq!(choice.ids(), ["amount"]);
    }

    #[test]
    fn the_default_chosen_is_the_default() {
        let mut columns = Columns::default();
        columns.choose(List::Txs, vec!["height"]);
        assert!(!columns.have_words(List::Txs, 100) && columns.have_words(List::AccountTxs, 100));
        columns.choose(List::Txs, List::Txs.default_ids());
        assert_eq!(columns, Columns::default());
        assert!(columns.have_words(List::Txs, 56) && !columns.have_words(List::Txs, 55));
        columns.choose(List::Txs, vec!["summary"]);
        assert!(columns.have_words(List::Txs, 20), "what was chosen is shown while it fits");
        columns.choose(List::Txs, Vec::new());
        assert_eq!(columns, Columns::default());
    }
}
