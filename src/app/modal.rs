//! What lies over a screen and has the keys: inputs, menus, help, the inspector.

mod columns;
mod keys;

pub(crate) use columns::ColumnsChooser;
pub(super) use keys::ModalStep;

use tui_input::Input;

use super::{
    go_to::GoTo,
    hint::Hint,
    latency::LatencyOrder,
    prompt::{CopyChoice, Prompt},
};
use crate::{
    config::Command,
    widgets::{
        document::Document,
        picker::{AnyPicker, Pickable, Picker, SearchText, best},
    },
};

/// What lies over the screen.
#[derive(Debug)]
pub(crate) enum Modal {
    /// `/`: anything that has a page.
    GoTo(GoTo),
    /// `:`: any command that can be done here, by name.
    Palette(Palette),
    /// What the page below asks.
    Prompt(Prompt),
    /// `C`: the columns of the list on screen.
    Columns(ColumnsChooser),
    /// `y`: what to copy.
    Copy(Picker<CopyChoice>),
    /// `?`
    Help(Document),
    /// `F12`: the list of exchanges, or one of them in lines.
    Inspector(Inspector),
}

impl Modal {
    /// What is picked in.
    pub(super) fn picker_mut(&mut self) -> Option<&mut dyn AnyPicker> {
        Some(match self {
            Self::GoTo(go_to) => &mut go_to.picker,
            Self::Palette(palette) => &mut palette.picker,
            Self::Prompt(prompt) => return prompt.picker_mut(),
            Self::Copy(picker) => picker,
            Self::Columns(_) | Self::Help(_) | Self::Inspector(_) => return None,
        })
    }

    /// The line that is typed where nothing is picked.
    pub(super) fn input_mut(&mut self) -> Option<&mut Input> {
        match self {
            Self::Prompt(prompt) => prompt.input_mut(),
            _ => None,
        }
    }
}

/// The palette: the commands that can be done where it was opened.
#[derive(Debug)]
pub(crate) struct Palette {
    pub(crate) picker: Picker<PaletteRow>,
    /// Those that cannot be done there.
    impossible: Vec<Hint>,
    /// Where no other is meant: one that cannot be done, and why.
    pub(crate) refused: Option<Hint>,
}

/// What the palette runs.
#[derive(Debug)]
pub(crate) enum PaletteRow {
    Command(Command),
    /// Something to go to that was typed instead of a name, or after one.
    GoTo(PaletteTarget),
}

/// Something to go to that was typed into the palette.
#[derive(Debug)]
pub(crate) struct PaletteTarget {
    /// The text that names it.
    pub(super) text: String,
    /// What it was understood as.
    pub(crate) understood: String,
}

impl Palette {
    /// With these commands, of which those that cannot be done are only named where nothing else is.
    pub(crate) fn new(mut hints: Vec<Hint>) -> Self {
        // Ctrl-C is q, said twice; and the palette is open.
        hints.retain(|hint| !matches!(hint.command, Command::ForceQuit | Command::Palette));
        let (can, impossible): (Vec<Hint>, Vec<Hint>) = hints.into_iter().partition(Hint::is_available);
        let rows = can.into_iter().map(|hint| PaletteRow::Command(hint.command)).collect();
        Self { picker: Picker::new(rows).typed_first(), impossible, refused: None }
    }

    /// What may name something to go to: all that was typed, and what follows the first word.
    pub(super) fn arguments(&self) -> Vec<String> {
        let text = self.picker.text();
        let argument = text.split_once(' ').map(|(_, argument)| argument);
        [Some(text), argument].into_iter().flatten().map(ToOwned::to_owned).collect()
    }

    /// Another text was typed, and this is what it names.
    pub(super) fn take_typed(&mut self, target: Option<PaletteTarget>) {
        self.picker.set_typed(target.map(PaletteRow::GoTo));
        self.refused = match self.picker.count() {
            0 => best(&self.impossible, self.picker.text()).cloned(),
            _ => None,
        };
    }
}

impl Pickable for PaletteRow {
    fn texts(&self) -> Vec<SearchText<'_>> {
        match self {
            Self::Command(command) => command_texts(*command),
            Self::GoTo(_) => Vec::new(),
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
    /// The marked exchange, 0 is the newest.
    pub(crate) marked: usize,
    /// One exchange in lines.
    pub(crate) detail: Option<Document>,
    /// The figures of each endpoint in this order, instead of the exchanges.
    pub(crate) figures: Option<LatencyOrder>,
}

impl Inspector {
    /// The next of its views: the exchanges, and the figures in each order.
    pub(super) fn turn(&mut self) {
        self.figures = match self.figures {
            None => Some(LatencyOrder::default()),
            Some(order) => order.next(),
        };
        self.marked = 0;
    }
}
