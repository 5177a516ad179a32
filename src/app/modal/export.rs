//! Dialog that writes the rows of a list to a file.

use std::{path::PathBuf, sync::Arc};

use tui_input::Input;

use crate::{
    app::page::ListFacts,
    config::{Key, KeyCode},
    domain::{RowsFile, RowsFormat, WrittenRows},
    msg::{Request, Total},
    widgets::input::edit,
};

#[derive(Debug)]
pub(crate) struct ExportDialog {
    pub(crate) list: ListFacts,
    pub(crate) field: ExportField,
    /// Whether to write the whole list rather than the loaded rows.
    pub(crate) is_whole: bool,
    pub(crate) format: RowsFormat,
    pub(crate) is_masked: bool,
    pub(crate) path: Input,
    /// Folder of a relative path.
    pub(crate) folder: String,
    pub(crate) state: ExportState,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, strum::EnumIter)]
pub(crate) enum ExportField {
    Rows,
    Format,
    Addresses,
    Path,
}

#[derive(Debug)]
pub(crate) enum ExportState {
    Choosing,
    /// Rows received so far, of the server's total.
    Writing(u64, Total),
    /// Nothing was written, for this reason.
    Failed(String),
    Done(WrittenRows),
}

#[derive(Debug)]
pub(in crate::app) enum ExportStep {
    Close,
    /// Write the loaded rows.
    Loaded {
        path: String,
        format: RowsFormat,
        is_masked: bool,
    },
    /// Read the whole list and write it.
    List(Box<Request>, Arc<RowsFile>),
    /// Stop reading the list.
    Cancel,
}

impl ExportDialog {
    pub(in crate::app) fn new(list: ListFacts, folder: String) -> Self {
        let mut dialog = Self {
            list,
            field: ExportField::Rows,
            is_whole: false,
            format: RowsFormat::JsonLines,
            is_masked: false,
            path: Input::default(),
            folder,
            state: ExportState::Choosing,
        };
        dialog.path = Input::new(dialog.usual_path());
        dialog
    }

    /// Returns the name of the file unless the user types another.
    fn usual_path(&self) -> String {
        let part = if self.is_whole { &self.list.stem } else { &self.list.loaded_stem };
        format!("{part}{}.{}", if self.is_masked { "-masked" } else { "" }, self.format.ending())
    }

    /// Changes a choice; the file's usual name follows.
    fn change(&mut self, change: impl FnOnce(&mut Self)) {
        let is_usual = self.path.value() == self.usual_path();
        let ending = format!(".{}", self.format.ending());
        change(self);
        if is_usual {
            self.path = Input::new(self.usual_path());
        } else if let Some(stem) = self.path.value().strip_suffix(&ending) {
            self.path = Input::new(format!("{stem}.{}", self.format.ending()));
        }
    }

    fn turn(&mut self, field: ExportField, step: isize) {
        match field {
            ExportField::Rows if self.list.whole.is_some() => self.change(|dialog| dialog.is_whole = !dialog.is_whole),
            ExportField::Format => self.change(|dialog| dialog.format = beside(dialog.format, step)),
            ExportField::Addresses => self.change(|dialog| dialog.is_masked = !dialog.is_masked),
            ExportField::Rows | ExportField::Path => {}
        }
    }

    /// Returns the path while the user may type it.
    pub(super) fn typed(&mut self) -> Option<&mut Input> {
        let is_open = matches!(self.state, ExportState::Choosing | ExportState::Failed(_));
        (is_open && self.field == ExportField::Path).then_some(&mut self.path)
    }

    pub(super) fn press(&mut self, key: Key) -> Option<ExportStep> {
        match (&self.state, key.code) {
            (ExportState::Writing(..), KeyCode::Esc) => return Some(ExportStep::Cancel),
            (ExportState::Writing(..), _) => return None,
            (ExportState::Done(_), KeyCode::Esc | KeyCode::Enter) | (_, KeyCode::Esc) => {
                return Some(ExportStep::Close);
            }
            (ExportState::Done(_), _) => return None,
            (ExportState::Choosing | ExportState::Failed(_), KeyCode::Enter) => return self.submit(),
            (ExportState::Choosing | ExportState::Failed(_), _) => self.state = ExportState::Choosing,
        }
        let is_text = self.field == ExportField::Path;
        match key.code {
            KeyCode::Down | KeyCode::Tab => self.field = beside(self.field, 1),
            KeyCode::Up | KeyCode::BackTab => self.field = beside(self.field, -1),
            _ if is_text => drop(edit(&mut self.path, key)),
            KeyCode::Char('j') => self.field = beside(self.field, 1),
            KeyCode::Char('k') => self.field = beside(self.field, -1),
            KeyCode::Right | KeyCode::Char(' ' | 'l') => self.turn(self.field, 1),
            KeyCode::Left | KeyCode::Char('h') => self.turn(self.field, -1),
            KeyCode::Char('a') => self.turn(ExportField::Rows, 1),
            KeyCode::Char('f') => self.turn(ExportField::Format, 1),
            KeyCode::Char('m') => self.turn(ExportField::Addresses, 1),
            _ => {}
        }
        None
    }

    fn submit(&mut self) -> Option<ExportStep> {
        let path = self.path.value().trim().to_owned();
        if path.is_empty() {
            (self.field, self.state) = (ExportField::Path, ExportState::Failed("the file has no name".to_owned()));
            return None;
        }
        let (format, is_masked) = (self.format, self.is_masked);
        let Some(whole) = self.list.whole.as_ref().filter(|_| self.is_whole) else {
            return Some(ExportStep::Loaded { path, format, is_masked });
        };
        self.state = ExportState::Writing(0, self.list.total);
        let (folder, filter, denom) = (PathBuf::from(&self.folder), whole.filter, self.list.denom.clone());
        let file = RowsFile { folder, path, format, filter, denom, is_masked };
        Some(ExportStep::List(Box::new(whole.request.clone()), Arc::new(file)))
    }
}

/// Returns the value `step` places after another, around the end.
fn beside<T: Copy + PartialEq + strum::IntoEnumIterator>(of: T, step: isize) -> T {
    let all: Vec<T> = T::iter().collect();
    let count = isize::try_from(all.len()).unwrap_or(isize::MAX);
    let place = all.iter().position(|value| *value == of).and_then(|place| isize::try_from(place).ok());
    let next = place.and_then(|place| usize::try_from((place + step).rem_euclid(count)).ok());
    next.and_then(|next| all.get(next).copied()).unwrap_or(of)
}
