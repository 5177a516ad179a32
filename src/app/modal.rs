//! What lies over a screen and has the keys: inputs, menus, help, the inspector.

mod columns;
mod entry;
mod keys;
mod pick;

pub(crate) use columns::ColumnsChooser;
pub(crate) use entry::{Entry, EntryPurpose};
pub(super) use keys::ModalStep;
pub(crate) use pick::{Choice, Pick, PickPurpose};

use tui_input::Input;

use super::{commands::Hint, denoms::KnownDenom, go_to::GoTo};
use crate::{
    config::Command,
    domain::MsgType,
    widgets::{
        document::Document,
        picker::{AnyPicker, Pickable, Picker, Searched, best},
    },
};

/// What lies over the screen.
#[derive(Debug)]
pub(crate) enum Modal {
    /// `/`: anything that has a page.
    GoTo(GoTo),
    /// `:`: any command that can be done here, by name.
    Palette(Palette),
    /// `f` in a document: text to find.
    Find(Input),
    /// `f` in a list of NFTs: a name or an id, after a prompt.
    Search(&'static str, Input),
    /// `f` in a list of transactions: message types.
    Types(Picker<TypeChoice>),
    /// `f` in the rich list: a denom.
    Denoms(Picker<KnownDenom>),
    /// A line for a bridge screen.
    Entry(Entry),
    /// A chain or an asset for a bridge screen.
    Pick(Pick),
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
            Self::Types(picker) => picker,
            Self::Denoms(picker) => picker,
            Self::Pick(pick) => &mut pick.picker,
            Self::Copy(picker) => picker,
            Self::Find(_)
            | Self::Search(..)
            | Self::Entry(_)
            | Self::Columns(_)
            | Self::Help(_)
            | Self::Inspector(_) => return None,
        })
    }

    /// The line that is typed where nothing is picked.
    pub(super) fn input_mut(&mut self) -> Option<&mut Input> {
        match self {
            Self::Find(input) | Self::Search(_, input) => Some(input),
            Self::Entry(entry) => Some(&mut entry.input),
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
    fn texts(&self) -> Vec<Searched<'_>> {
        match self {
            Self::Command(command) => command_texts(*command),
            Self::GoTo(_) => Vec::new(),
        }
    }
}

impl Pickable for Hint {
    fn texts(&self) -> Vec<Searched<'_>> {
        command_texts(self.command)
    }
}

fn command_texts(command: Command) -> Vec<Searched<'static>> {
    vec![Searched::Name(command.to_string().into()), Searched::Text(command.help().into())]
}

/// A message type in the picker.
#[derive(Clone, Debug)]
pub(crate) struct TypeChoice {
    /// The type.
    pub(crate) kind: MsgType,
    /// In how many transactions of this list it was seen.
    pub(crate) seen: usize,
}

impl TypeChoice {
    /// What was typed as a type, where it looks like a full name and is not among those seen.
    pub(super) fn typed(picker: &Picker<Self>) -> Option<Self> {
        let text = picker.text();
        let is_known = picker.choices().iter().any(|choice| choice.kind.as_str() == text);
        let is_full = text.contains('.') && !text.contains(char::is_whitespace);
        (is_full && !is_known).then(|| Self { kind: MsgType::new(text), seen: 0 })
    }
}

impl Pickable for TypeChoice {
    fn texts(&self) -> Vec<Searched<'_>> {
        vec![Searched::Name(self.kind.short().into()), Searched::Id(self.kind.as_str().into())]
    }
}

/// Something that can be copied.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct CopyChoice {
    /// The key that chooses it.
    pub(crate) key: char,
    /// What it is.
    pub(crate) label: &'static str,
    /// What is copied.
    pub(crate) text: String,
}

impl Pickable for CopyChoice {
    fn texts(&self) -> Vec<Searched<'_>> {
        Vec::new()
    }
}

/// The request inspector.
#[derive(Debug, Default)]
pub(crate) struct Inspector {
    /// The marked exchange, 0 is the newest.
    pub(crate) marked: usize,
    /// One exchange in lines.
    pub(crate) detail: Option<Document>,
}
