//! Keys in overlays. An input reacts only to Esc, Enter, Ctrl-C and editing keys.

use std::{collections::VecDeque, sync::Arc};

use super::{ExportStep, LineCommand, Modal, PaletteRow, columns::Chosen};
use crate::{
    app::{
        facts::exchange_lines,
        page::{Choice, Export, SearchStep},
        prompt::{CopyChoice, EntryPurpose, Prompt},
    },
    columns::{Columns, List},
    config::{Command, Key, KeyCode},
    domain::{ListedTransfer, Target, listed_transfers, several, text},
    msg::Request,
    widgets::{
        document::Document,
        input::{edit, insert},
        picker::{Picker, PickerStep},
    },
    wire::Exchange,
};

/// Maximum characters of a paste, enough for a hundred hashes or a signed hook.
const LONG_PASTE: usize = 16_000;
/// Maximum characters of a paste into a search.
const SHORT_PASTE: usize = 2000;

#[derive(Debug)]
pub(in crate::app) enum ModalStep {
    Close,
    /// The text changed.
    Typed,
    MovePage(isize),
    Find(String),
    Search(String, SearchStep),
    GoTo,
    GoToText(String),
    Run(Command),
    /// Run a command with the rest of its line.
    RunLine(LineCommand, String),
    /// Drop the bookmark under the cursor of the go-to list.
    DropBookmark(Target),
    /// No command has the typed name.
    NoCommand,
    /// A command of an editor that saves or opens a file.
    NothingToSave,
    Choose(Choice),
    Copy(String),
    CopyBody(Request),
    CopyHere(String),
    Write(Vec<Export>),
    Export(ExportStep),
    Columns(List, Vec<&'static str>),
    ColumnsAsBefore(Columns),
    ColumnsKept,
    Submit(EntryPurpose, String),
}

pub(in crate::app) fn step_of(choice: &CopyChoice) -> ModalStep {
    match &choice.asks {
        Some(request) => ModalStep::CopyBody(request.clone()),
        None => ModalStep::Copy(choice.text.clone()),
    }
}

impl Modal {
    /// Whether keys are commands, not text.
    pub(in crate::app) fn is_reader(&self) -> bool {
        matches!(self, Self::Help(_) | Self::Inspector(_))
    }

    /// Handles a key in an overlay other than help or inspector.
    pub(in crate::app) fn press(&mut self, key: Key) -> Option<ModalStep> {
        match self {
            Self::Prompt(Prompt::Find(input)) => match key.code {
                KeyCode::Enter => Some(ModalStep::Close),
                KeyCode::Esc => Some(ModalStep::Find(String::new())),
                KeyCode::Up => Some(ModalStep::MovePage(-1)),
                KeyCode::Down => Some(ModalStep::MovePage(1)),
                _ => edit(input, key).then_some(ModalStep::Typed),
            },
            Self::Prompt(Prompt::Search(_, input)) => match key.code {
                KeyCode::Esc => Some(ModalStep::Search(input.value().to_owned(), SearchStep::Abandoned)),
                KeyCode::Enter => Some(ModalStep::Search(input.value().to_owned(), SearchStep::Submitted)),
                KeyCode::Up => Some(ModalStep::MovePage(-1)),
                KeyCode::Down => Some(ModalStep::MovePage(1)),
                _ => edit(input, key).then_some(ModalStep::Typed),
            },
            Self::Prompt(Prompt::Entry(entry)) => match key.code {
                KeyCode::Esc => Some(ModalStep::Close),
                KeyCode::Enter => Some(ModalStep::Submit(entry.purpose.clone(), entry.input.value().trim().to_owned())),
                _ => {
                    entry.problem = None;
                    edit(&mut entry.input, key).then_some(ModalStep::Typed)
                }
            },
            Self::ExportRows(dialog) => dialog.press(key).map(ModalStep::Export),
            Self::Columns(chooser) => chooser.press(key).map(|chosen| match chosen {
                Chosen::Shown(list, ids) => ModalStep::Columns(list, ids),
                Chosen::Kept => ModalStep::ColumnsKept,
                Chosen::Unchanged => ModalStep::Close,
                Chosen::TakenBack(columns) => ModalStep::ColumnsAsBefore(columns),
                Chosen::Copied(line) => ModalStep::CopyHere(line),
            }),
            Self::GoTo(go_to)
                if key.code == KeyCode::Delete
                    && let Some(target) = go_to.marked_bookmark() =>
            {
                Some(ModalStep::DropBookmark(target.clone()))
            }
            _ => match self.picker_mut()?.press(key) {
                PickerStep::Left => Some(ModalStep::Close),
                PickerStep::Chosen => self.choose(),
                PickerStep::Typed => Some(ModalStep::Typed),
                PickerStep::Nothing => self.letter(key),
                PickerStep::Moved => None,
            },
        }
    }

    fn letter(&mut self, key: Key) -> Option<ModalStep> {
        if let Self::Export(exports) = self
            && key == Key::char('m')
            && !exports.choices().iter().any(|export| export.is_masked)
        {
            *exports = Picker::new(exports.choices().iter().map(Export::masked).collect()).menu();
        }
        let Self::Copy(choices) = self else { return None };
        let is_meant = |choice: &&CopyChoice| KeyCode::Char(choice.key) == key.code && !key.ctrl && !key.alt;
        choices.choices().iter().find(is_meant).map(step_of)
    }

    /// Handles Enter in a picker.
    fn choose(&mut self) -> Option<ModalStep> {
        Some(match self {
            Self::GoTo(_) => ModalStep::GoTo,
            Self::Palette(palette) => match (palette.picker.selected(), &palette.refused) {
                (None, _) if palette.is_of_editor() => ModalStep::NothingToSave,
                (None, _) if palette.means_quitting() => ModalStep::Run(Command::Quit),
                (Some(PaletteRow::GoTo(target)), _) => ModalStep::GoToText(target.text.clone()),
                (Some(PaletteRow::Line { command, rest, .. }), _) => ModalStep::RunLine(*command, rest.clone()),
                (Some(PaletteRow::Command(command)), _) => ModalStep::Run(*command),
                (None, Some(hint)) => ModalStep::Run(hint.command),
                (None, None) => ModalStep::NoCommand,
            },
            // If no row is ticked, or the user typed a text, the row under the cursor counts too.
            Self::Prompt(Prompt::Types(picker)) => {
                if !picker.text().is_empty() {
                    picker.tick_marked();
                }
                ModalStep::Choose(Choice::Types(picker.ticked().map(|choice| choice.kind.clone()).collect()))
            }
            Self::Prompt(Prompt::Denoms(picker)) => ModalStep::Choose(Choice::Denom(picker.selected()?.denom.clone())),
            Self::Prompt(Prompt::Pick(pick)) if pick.refusal.is_some() => return None,
            Self::Prompt(Prompt::Pick(pick)) => {
                ModalStep::Choose(Choice::Pick(pick.purpose, pick.picker.selected()?.value.clone()))
            }
            Self::Copy(choices) => match choices.selected() {
                Some(choice) => step_of(choice),
                None => ModalStep::Close,
            },
            Self::Export(exports) => ModalStep::Write(exports.choices().to_vec()),
            Self::Prompt(_) | Self::ExportRows(_) | Self::Columns(_) | Self::Help(_) | Self::Inspector(_) => {
                return None;
            }
        })
    }

    /// Offers the typed text as a choice, if it is valid.
    pub(in crate::app) fn read_typed(&mut self) {
        if let Self::Prompt(prompt) = self {
            prompt.read_typed();
        }
    }

    /// Whether the overlay has a text input.
    pub(in crate::app) fn has_input(&mut self) -> bool {
        self.input_mut().is_some() || self.picker_mut().is_some_and(|picker| picker.has_input())
    }

    pub(in crate::app) fn paste(&mut self, pasted: &str) {
        let is_go_to = matches!(self, Self::GoTo(_));
        let clean = if is_go_to { one_line(pasted) } else { plain(pasted) };
        let room = if is_go_to || matches!(self, Self::Prompt(Prompt::Entry(_))) { LONG_PASTE } else { SHORT_PASTE };
        if let Some(input) = self.input_mut() {
            insert(input, &clean, room);
        } else if let Some(picker) = self.picker_mut() {
            picker.paste(&clean, room);
        }
    }

    pub(in crate::app) fn read(&mut self, command: Command, exchanges: &VecDeque<Arc<Exchange>>) -> Option<ModalStep> {
        let rows = match command {
            Command::Back | Command::Quit | Command::Help | Command::Inspector => return self.close_reader(),
            Command::Open => {
                self.open_exchange(exchanges);
                return None;
            }
            Command::NextPane => {
                if let Self::Inspector(inspector) = self
                    && inspector.detail.is_none()
                {
                    inspector.turn();
                }
                return None;
            }
            Command::Copy => return self.copied(exchanges).map(ModalStep::CopyHere),
            Command::Down => 1,
            Command::Up => -1,
            Command::HalfDown => 10,
            Command::HalfUp => -10,
            Command::NextPage => 20,
            Command::PreviousPage => -20,
            Command::Top => isize::MIN,
            Command::Bottom => isize::MAX,
            _ => return None,
        };
        self.scroll(rows, exchanges.len());
        None
    }

    fn close_reader(&mut self) -> Option<ModalStep> {
        let closes_detail = matches!(self, Self::Inspector(inspector) if inspector.detail.is_some());
        if let Self::Inspector(inspector) = self {
            inspector.detail = None;
        }
        (!closes_detail).then_some(ModalStep::Close)
    }

    /// Scrolls by rows. `exchanges` is the number of exchanges that the inspector lists.
    pub(in crate::app) fn scroll(&mut self, rows: isize, exchanges: usize) {
        match self {
            Self::Help(document) | Self::Inspector(super::Inspector { detail: Some(document), .. }) => {
                document.move_by(rows);
            }
            Self::Inspector(inspector) => {
                inspector.marked = inspector.marked.saturating_add_signed(rows).min(exchanges.saturating_sub(1));
            }
            Self::Columns(chooser) => chooser.scroll(rows),
            _ => {
                if let Some(picker) = self.picker_mut() {
                    picker.scroll(rows);
                }
            }
        }
    }

    fn open_exchange(&mut self, exchanges: &VecDeque<Arc<Exchange>>) {
        if let Self::Inspector(inspector) = self
            && inspector.detail.is_none()
            && inspector.figures.is_none()
            && let Some(exchange) = exchanges.get(inspector.marked)
        {
            inspector.detail = Some(Document::new(exchange_lines(exchange)));
        }
    }

    fn copied(&self, exchanges: &VecDeque<Arc<Exchange>>) -> Option<String> {
        match self {
            Self::Help(document) => document.copied(),
            Self::Inspector(inspector) => match &inspector.detail {
                Some(document) => document.copied(),
                None if inspector.figures.is_some() => None,
                None => exchanges.get(inspector.marked).map(|exchange| exchange.curl()),
            },
            _ => None,
        }
    }
}

fn plain(pasted: &str) -> String {
    text::clean(pasted.trim()).into_owned()
}

/// Joins lines to one. Items are on lines of their own, or separated by semicolons in one line. A chain stays with its
/// transaction.
fn one_line(pasted: &str) -> String {
    let listed = listed_transfers(pasted);
    match several(pasted) {
        Some(several) if listed.len() == several.pieces.len() => {
            let written = |listed: &ListedTransfer| match &listed.chain {
                Some(chain) => format!("{} {}", chain.replace(';', " "), listed.hash),
                None => listed.hash.to_string(),
            };
            listed.iter().map(written).collect::<Vec<_>>().join("; ")
        }
        Some(several) => several.pieces.iter().map(|piece| piece.text.as_str()).collect::<Vec<_>>().join("; "),
        None => plain(pasted),
    }
}
