//! Overlays that have the focus: inputs, menus, help, the inspector.

mod columns;
mod export;
mod keys;

pub(crate) use columns::ColumnsChooser;
pub(super) use export::ExportStep;
pub(crate) use export::{ExportDialog, ExportField, ExportState};
pub(super) use keys::{ModalStep, step_of};

use tui_input::Input;

use super::{
    go_to::GoTo,
    hint::Hint,
    latency::LatencyOrder,
    page::Export,
    prompt::{CopyChoice, Prompt},
};
use crate::{
    config::Command,
    widgets::{
        document::Document,
        picker::{AnyPicker, Pickable, Picker, SearchText, best},
    },
};

/// Overlay above the page.
#[derive(Debug)]
pub(crate) enum Modal {
    /// Input that goes to any target with a page (`/`).
    GoTo(GoTo),
    /// Palette that runs a command by name (`:`).
    Palette(Palette),
    /// Question from the page below.
    Prompt(Prompt),
    /// Chooser for a list's columns (`C`).
    Columns(ColumnsChooser),
    /// Copy menu (`y`).
    Copy(Picker<CopyChoice>),
    /// Files to write (`e`).
    Export(Picker<Export>),
    /// File of a list's rows (`e`).
    ExportRows(Box<ExportDialog>),
    /// Help (`?`).
    Help(Document),
    /// List of exchanges, or one in detail (`F12`).
    Inspector(Inspector),
}

impl Modal {
    pub(super) fn picker_mut(&mut self) -> Option<&mut dyn AnyPicker> {
        Some(match self {
            Self::GoTo(go_to) => &mut go_to.picker,
            Self::Palette(palette) => &mut palette.picker,
            Self::Prompt(prompt) => return prompt.picker_mut(),
            Self::Copy(picker) => picker,
            Self::Export(picker) => picker,
            Self::ExportRows(_) | Self::Columns(_) | Self::Help(_) | Self::Inspector(_) => return None,
        })
    }

    /// Returns the text input; `None` for an overlay that has a picker.
    pub(super) fn input_mut(&mut self) -> Option<&mut Input> {
        match self {
            Self::Prompt(prompt) => prompt.input_mut(),
            Self::ExportRows(dialog) => dialog.typed(),
            _ => None,
        }
    }
}

/// What vi's hands type to save, to open a file, or to save and quit.
const EDITOR_COMMANDS: &[&str] = &["w", "w!", "wq", "wq!", "x", "x!", "e", "e!", "wa", "wqa"];

/// What vi's hands type to quit, besides `q`.
const QUITTING_COMMANDS: &[&str] = &["q!", "qa", "qa!"];

/// Palette of commands. Each command's availability is determined when the palette opens.
#[derive(Debug)]
pub(crate) struct Palette {
    pub(crate) picker: Picker<PaletteRow>,
    /// Commands that are not available.
    impossible: Vec<Hint>,
    /// Command that matches but is not available, if no other matches.
    pub(crate) refused: Option<Hint>,
}

#[derive(Clone, Debug)]
pub(crate) enum PaletteRow {
    Command(Command),
    /// Target that the user typed instead of a command, or after a command.
    GoTo(PaletteTarget),
    /// Command with the rest of its line, and a sentence on what it does.
    Line {
        command: LineCommand,
        rest: String,
        told: String,
    },
}

/// Command that takes the rest of its line: `:label Alice`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, strum::EnumString, strum::Display)]
#[strum(serialize_all = "kebab-case")]
pub(crate) enum LineCommand {
    Use,
    Label,
    Note,
    Bookmark,
    View,
    Sort,
}

impl LineCommand {
    /// Reads command and rest. `use` alone is a command of the list, and `sort` the start of one.
    pub(super) fn read(line: &str) -> Option<(Self, String)> {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        let command = word.parse().ok().filter(|command| !matches!(command, Self::Use | Self::Sort) || line != word)?;
        Some((command, rest.trim().to_owned()))
    }
}

#[derive(Clone, Debug)]
pub(crate) struct PaletteTarget {
    pub(super) text: String,
    /// Sentence on the text's meaning.
    pub(crate) understood: String,
}

impl Palette {
    /// Creates a palette of commands, and of lines with a sentence each. It shows unavailable commands only if nothing
    /// else matches.
    pub(crate) fn new(mut hints: Vec<Hint>, lines: impl Iterator<Item = PaletteRow>) -> Self {
        // Ctrl-C does the work of `q`, and the palette is already open.
        hints.retain(|hint| !matches!(hint.command, Command::ForceQuit | Command::Palette));
        let (can, impossible): (Vec<Hint>, Vec<Hint>) = hints.into_iter().partition(Hint::is_available);
        let rows = can.into_iter().map(|hint| PaletteRow::Command(hint.command)).chain(lines).collect();
        Self { picker: Picker::new(rows).typed_first(), impossible, refused: None }
    }

    /// Returns the texts that may be a target: the whole text, and the text after the first word.
    pub(super) fn arguments(&self) -> Vec<String> {
        let text = self.picker.text();
        let argument = text.split_once(' ').map(|(_, argument)| argument);
        [Some(text), argument].into_iter().flatten().map(ToOwned::to_owned).collect()
    }

    pub(super) fn take_typed(&mut self, typed: Option<PaletteRow>) {
        self.picker.set_typed(typed);
        self.refused = match self.picker.count() {
            0 => best(&self.impossible, self.picker.text()).cloned(),
            _ => None,
        };
        if self.is_of_editor() || self.means_quitting() {
            self.picker.unmark();
        }
    }

    /// Offers the best of these columns to sort by, unless the palette lists them; `none` says that no column matches.
    pub(super) fn take_column(&mut self, columns: &[PaletteRow], none: PaletteRow) {
        self.take_typed(None);
        if !self.picker.rows().any(|row| matches!(row.item, PaletteRow::Line { command: LineCommand::Sort, .. })) {
            self.take_typed(Some(best(columns, self.picker.text()).cloned().unwrap_or(none)));
        }
    }

    /// Whether the text is a command of an editor. It selects no row, until the user moves to one.
    fn is_of_editor(&self) -> bool {
        EDITOR_COMMANDS.contains(&self.picker.text())
    }

    /// Whether the text quits an editor. It selects no row, until the user moves to one.
    fn means_quitting(&self) -> bool {
        QUITTING_COMMANDS.contains(&self.picker.text())
    }
}

impl Pickable for PaletteRow {
    fn texts(&self) -> Vec<SearchText<'_>> {
        match self {
            Self::Command(command) => command_texts(*command),
            Self::GoTo(_) => Vec::new(),
            Self::Line { command, rest, .. } => vec![SearchText::Name(format!("{command} {rest}").into())],
        }
    }
}

impl Pickable for Hint {
    fn texts(&self) -> Vec<SearchText<'_>> {
        command_texts(self.command)
    }
}

fn command_texts(command: Command) -> Vec<SearchText<'static>> {
    vec![SearchText::Name(command.to_string().into()), SearchText::Text(command.help().into())]
}

#[derive(Debug, Default)]
pub(crate) struct Inspector {
    /// Index of the selected exchange; 0 is the newest.
    pub(crate) marked: usize,
    pub(crate) detail: Option<Document>,
    /// Order of the latency figures; `None` shows the exchanges.
    pub(crate) figures: Option<LatencyOrder>,
}

impl Inspector {
    /// Shows the next view: the exchanges, then the figures in each order.
    pub(super) fn turn(&mut self) {
        self.figures = match self.figures {
            None => Some(LatencyOrder::default()),
            Some(order) => order.next(),
        };
        self.marked = 0;
    }
}
