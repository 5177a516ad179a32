//! The columns that somebody chose: in the settings, or by a choice that is under way on a page.

use std::collections::BTreeMap;

use strum::IntoEnumIterator as _;

use super::{List, ListColumns, Resource, SUMMARY, Txs};
use crate::{
    config::{ColumnSetting, Settings, nearest},
    domain::text::clip,
};

/// What settings say of columns before they name any.
const INTRODUCTION: &str = "
# The columns of the lists on screen, from left to right; what has no room vanishes. As they stand here the lists have
# them by themselves, and choose by their width. They are called what the first line of `--format csv` calls them.
#[columns]
";

/// Which columns lists have where somebody chose them; every other list has those of its default.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Columns {
    chosen: BTreeMap<List, Vec<&'static str>>,
}

impl Columns {
    /// What the settings say. What is wrong there is a warning with line and key, and the list keeps its default.
    pub fn of(settings: &Settings) -> (Self, Vec<String>) {
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

    /// Gives a list these columns; its default again where they are just that, or none.
    pub fn choose(&mut self, list: List, ids: Vec<&'static str>) {
        if ids.is_empty() || ids == list.default_ids() {
            self.chosen.remove(&list);
        } else {
            self.chosen.insert(list, ids);
        }
    }

    /// What was chosen for a list.
    pub fn chosen(&self, list: List) -> Option<&[&'static str]> {
        self.chosen.get(&list).map(Vec::as_slice)
    }

    /// The lists as a settings file would write them: those for which something was chosen.
    pub fn lines(&self) -> Vec<String> {
        self.chosen.iter().map(|(list, ids)| line(*list, ids)).collect()
    }

    /// The columns of a list that is so wide.
    pub(crate) fn shown<R: Resource>(&self, list: List, width: u16) -> ListColumns<R> {
        match self.chosen(list) {
            Some(ids) => ListColumns::chosen(list, ids, width),
            None => ListColumns::by_default(list, width),
        }
    }

    /// Whether a list of transactions that is so wide says in words what each did.
    pub(crate) fn have_words(&self, list: List, width: u16) -> bool {
        self.shown::<Txs>(list, width).width_of(SUMMARY).is_some()
    }
}

/// `blocks = ["height", "hash"]`
fn line(list: List, ids: &[&str]) -> String {
    let ids: Vec<String> = ids.iter().map(|id| format!("\"{id}\"")).collect();
    format!("{list} = [{}]", ids.join(", "))
}

/// The `[columns]` table of a settings file, every line of it off: each list with the columns of its default, and the
/// others that it can show.
pub fn default_settings() -> String {
    let lists = List::iter().map(|list| {
        let others: Vec<_> =
            list.columns().iter().filter(|column| !column.is_default).map(|column| column.id).collect();
        let others = if others.is_empty() { String::new() } else { format!("# … and {}\n", others.join(", ")) };
        format!("#{}\n{others}", line(list, &list.default_ids()))
    });
    std::iter::once(INTRODUCTION.to_owned()).chain(lists).collect()
}

/// A list and its columns by a line of the settings, or what is wrong there and in which line.
fn read(setting: &ColumnSetting) -> Result<(List, Vec<&'static str>), (usize, String)> {
    let name = setting.list.value.as_str();
    let list: List = name.parse().map_err(|_| {
        let lists: Vec<&'static str> = List::iter().map(Into::into).collect();
        (setting.list.line, format!("no such list; {}", meant(name, &lists)))
    })?;
    let known: Vec<&'static str> = list.columns().iter().map(|column| column.id).collect();
    let mut ids: Vec<&'static str> = Vec::new();
    for id in &setting.ids {
        let shown = clip(&id.value, 30);
        let Some(found) = known.iter().find(|known| **known == id.value) else {
            return Err((id.line, format!("no column is called “{shown}”; {}", meant(&id.value, &known))));
        };
        if ids.contains(found) {
            return Err((id.line, format!("“{shown}” stands there twice")));
        }
        ids.push(found);
    }
    if ids.is_empty() {
        return Err((setting.list.line, format!("a column is needed; there are {}", known.join(", "))));
    }
    Ok((list, ids))
}

/// The one that was likely meant, and all that there are.
fn meant(typed: &str, known: &[&'static str]) -> String {
    let all = known.join(", ");
    match nearest(typed, known.iter().copied()) {
        Some(name) => format!("did you mean {name}? There are {all}"),
        None => format!("there are {all}"),
    }
}

/// A column in a choice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChoiceRow {
    /// What settings call it.
    pub id: &'static str,
    /// Its heading.
    pub heading: &'static str,
    /// Whether the list shows it.
    pub is_shown: bool,
}

/// A choice of a list's columns while it is made: all that the list can show, in the order in which it shows them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ColumnChoice {
    list: List,
    rows: Vec<ChoiceRow>,
}

impl ColumnChoice {
    /// Begins with what the list shows now; the columns that it does not show come last.
    pub fn of(list: List, columns: &Columns) -> Self {
        Self { list, rows: rows(list, columns.chosen(list)) }
    }

    /// Of which list.
    pub fn list(&self) -> List {
        self.list
    }

    /// The columns.
    pub fn rows(&self) -> &[ChoiceRow] {
        &self.rows
    }

    /// Shows the column at this place, or no longer. False where it is the only one left, which stays.
    pub fn toggle(&mut self, place: usize) -> bool {
        let shown = self.rows.iter().filter(|row| row.is_shown).count();
        match self.rows.get_mut(place) {
            Some(row) if !row.is_shown || shown > 1 => row.is_shown = !row.is_shown,
            _ => return false,
        }
        true
    }

    /// Moves the column at this place so many places on, or back, as far as there are places; gives its new place.
    pub fn move_by(&mut self, place: usize, step: isize) -> usize {
        let Some(row) = self.rows.get(place).copied() else { return place };
        let to = place.saturating_add_signed(step).min(self.rows.len() - 1);
        self.rows.remove(place);
        self.rows.insert(to, row);
        to
    }

    /// The list's default.
    pub fn reset(&mut self) {
        self.rows = rows(self.list, None);
    }

    /// The ids of what is shown, in order.
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
        let choice = ColumnChoice::of(List::Blocks, &columns);
        assert_eq!(shown(&choice), List::Blocks.default_ids());
        assert_eq!(choice.rows().len(), List::Blocks.columns().len());
        columns.choose(List::Blocks, vec!["hash", "height"]);
        let choice = ColumnChoice::of(List::Blocks, &columns);
        assert_eq!(choice.ids(), ["hash", "height"]);
        assert!(choice.rows()[2..].iter().all(|row| !row.is_shown));
        assert_eq!(choice.rows().len(), List::Blocks.columns().len(), "every column once");
    }

    #[test]
    fn columns_are_switched_moved_and_reset() {
        let mut choice = ColumnChoice::of(List::AccountNfts, &Columns::default());
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
        let mut choice = ColumnChoice::of(List::Holders, &columns);
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
