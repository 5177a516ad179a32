//! Column chooser. The list below shows each change at once.

use crate::{
    columns::{ChoiceRow, ColumnChoice, Columns, List},
    config::{Key, KeyCode},
};

#[derive(Debug)]
pub(crate) struct ColumnsChooser {
    choice: ColumnChoice,
    marked: usize,
    /// Columns before the choice, which Esc restores.
    before: Columns,
}

#[derive(Debug, PartialEq, Eq)]
pub(super) enum Chosen {
    /// Show these columns in the list; the chooser stays open.
    Shown(List, Vec<&'static str>),
    /// Keep the changed columns and close.
    Kept,
    /// Close without a change.
    Unchanged,
    TakenBack(Columns),
    /// Copy the line for the settings file.
    Copied(String),
}

impl ColumnsChooser {
    pub(crate) fn new(list: List, columns: &Columns) -> Self {
        Self { choice: ColumnChoice::new(list, columns), marked: 0, before: columns.clone() }
    }

    pub(crate) fn rows(&self) -> &[ChoiceRow] {
        self.choice.rows()
    }

    pub(crate) fn marked(&self) -> usize {
        self.marked
    }

    pub(crate) fn list(&self) -> List {
        self.choice.list()
    }

    /// Returns the line of the settings file that keeps the choice.
    pub(crate) fn setting(&self) -> String {
        let ids: Vec<String> = self.choice.ids().iter().map(|id| format!("\"{id}\"")).collect();
        format!("{} = [{}]", self.list(), ids.join(", "))
    }

    pub(super) fn press(&mut self, key: Key) -> Option<Chosen> {
        let last = self.rows().len().saturating_sub(1);
        match key.code {
            KeyCode::Esc => return Some(Chosen::TakenBack(self.before.clone())),
            KeyCode::Enter => return Some(if self.is_changed() { Chosen::Kept } else { Chosen::Unchanged }),
            KeyCode::Char('y') => return Some(Chosen::Copied(self.setting())),
            KeyCode::Down | KeyCode::Tab | KeyCode::Char('j') => self.marked = (self.marked + 1).min(last),
            KeyCode::Up | KeyCode::BackTab | KeyCode::Char('k') => self.marked = self.marked.saturating_sub(1),
            KeyCode::Home => self.marked = 0,
            KeyCode::End => self.marked = last,
            KeyCode::Char(' ') if self.choice.toggle(self.marked) => return Some(self.shown()),
            KeyCode::Char('J') => {
                self.marked = self.choice.move_by(self.marked, 1);
                return Some(self.shown());
            }
            KeyCode::Char('K') => {
                self.marked = self.choice.move_by(self.marked, -1);
                return Some(self.shown());
            }
            KeyCode::Char('r') => {
                self.choice.reset();
                return Some(self.shown());
            }
            _ => {}
        }
        None
    }

    pub(super) fn scroll(&mut self, rows: isize) {
        self.marked = self.marked.saturating_add_signed(rows).min(self.rows().len().saturating_sub(1));
    }

    fn is_changed(&self) -> bool {
        let mut now = self.before.clone();
        now.choose(self.list(), self.choice.ids());
        now != self.before
    }

    fn shown(&self) -> Chosen {
        Chosen::Shown(self.list(), self.choice.ids())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn press(chooser: &mut ColumnsChooser, keys: &str) -> Option<Chosen> {
        keys.split(' ').map(|key| chooser.press(key.parse().unwrap())).last().unwrap()
    }

    #[test]
    fn each_key_changes_what_is_shown_and_esc_takes_all_back() {
        let before = Columns::default();
        let mut chooser = ColumnsChooser::new(List::Blocks, &before);
        let default = List::Blocks.default_ids();
        assert_eq!(
            press(&mut chooser, "J"),
            Some(Chosen::Shown(List::Blocks, {
                let mut ids = default.clone();
                ids.swap(0, 1);
                ids
            }))
        );
        assert_eq!(chooser.marked(), 1, "the mark goes with the column");
        assert_eq!(press(&mut chooser, "K"), Some(Chosen::Shown(List::Blocks, default.clone())));
        assert_eq!(press(&mut chooser, "space"), Some(Chosen::Shown(List::Blocks, default[1..].to_vec())));
        assert_eq!(press(&mut chooser, "r"), Some(Chosen::Shown(List::Blocks, default.clone())));
        assert_eq!(press(&mut chooser, "enter"), Some(Chosen::Unchanged), "all is as it was");
        assert_eq!(press(&mut chooser, "J enter"), Some(Chosen::Kept));
        assert_eq!(press(&mut chooser, "x"), None);
        assert_eq!(press(&mut chooser, "esc"), Some(Chosen::TakenBack(before)));
    }

    #[test]
    fn the_setting_is_what_a_settings_file_reads() {
        let mut columns = Columns::default();
        columns.choose(List::Holders, vec!["amount"]);
        let mut chooser = ColumnsChooser::new(List::Holders, &columns);
        assert_eq!(press(&mut chooser, "y"), Some(Chosen::Copied("holders = [\"amount\"]".to_owned())));
        assert_eq!(press(&mut chooser, "space"), None, "the last column stays");
    }
}
