//! What lies over a screen and has the keys: inputs, menus, help, the inspector.

use nucleo_matcher::{
    Config, Matcher, Utf32Str,
    pattern::{CaseMatching, Normalization, Pattern},
};
use strum::IntoEnumIterator as _;
use tui_input::Input;

use super::{
    bridge::{entry::Entry, pick::Pick},
    go_to::GoTo,
    rich_list::DenomPicker,
};
use crate::{config::Command, domain::MsgType, widgets::document::Document};

/// What lies over the screen.
#[derive(Debug)]
pub(crate) enum Modal {
    /// `/`: anything that has a page.
    GoTo(GoTo),
    /// `:`: any action by name.
    Palette(Palette),
    /// `f` in a document: text to find.
    Find(Input),
    /// `f` in a list of NFTs: a name or an id.
    Search(Input),
    /// `f` in a list of transactions: message types.
    Types(TypePicker),
    /// `f` in the rich list: a denom.
    Denoms(DenomPicker),
    /// A line for a bridge screen.
    Entry(Entry),
    /// A chain or an asset for a bridge screen.
    Pick(Pick),
    /// `y`: what to copy.
    Copy(Vec<CopyChoice>),
    /// `?`
    Help(Document),
    /// `F12`: the list of exchanges, or one of them in lines.
    Inspector(Inspector),
}

/// The palette.
#[derive(Debug)]
pub(crate) struct Palette {
    /// What was typed.
    pub(crate) input: Input,
    /// Actions that match, best first.
    pub(crate) matches: Vec<Command>,
    /// Something to go to that was typed instead of a name, or after one.
    pub(crate) target: Option<PaletteTarget>,
    /// The marked row.
    pub(crate) marked: usize,
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
    /// What may name something to go to: all that was typed, and what follows the first word.
    pub(super) fn arguments(&self) -> Vec<String> {
        let text = self.input.value().trim();
        let argument = text.split_once(' ').map(|(_, argument)| argument);
        [Some(text), argument].into_iter().flatten().map(ToOwned::to_owned).collect()
    }

    /// With every action.
    pub(crate) fn new() -> Self {
        let mut palette = Self { input: Input::default(), matches: Vec::new(), target: None, marked: 0 };
        palette.search();
        palette
    }

    /// Ranks the actions by what was typed.
    pub(crate) fn search(&mut self) {
        self.marked = 0;
        let text = self.input.value().trim().to_owned();
        let mut matcher = Matcher::new(Config::DEFAULT);
        let pattern = Pattern::parse(&text, CaseMatching::Ignore, Normalization::Smart);
        let mut buffer = Vec::new();
        let mut scored: Vec<(u32, Command)> = Command::iter()
            .filter(|action| *action != Command::ForceQuit)
            .filter_map(|action| {
                let name = action.to_string();
                let by_name = pattern.score(Utf32Str::new(&name, &mut buffer), &mut matcher);
                let by_text = pattern.score(Utf32Str::new(action.help(), &mut buffer), &mut matcher);
                by_name.map(|score| score + 40).max(by_text).map(|score| (score, action))
            })
            .collect();
        scored.sort_by_key(|(score, action)| (std::cmp::Reverse(*score), *action));
        self.matches = scored.into_iter().map(|(_, action)| action).collect();
    }

    /// How many rows can be chosen.
    pub(crate) fn rows(&self) -> usize {
        self.matches.len() + usize::from(self.target.is_some())
    }
}

/// A message type in the picker.
#[derive(Clone, Debug)]
pub(crate) struct TypeChoice {
    /// The type.
    pub(crate) kind: MsgType,
    /// In how many transactions of this session it was seen.
    pub(crate) seen: usize,
    /// Whether it is chosen.
    pub(crate) chosen: bool,
}

/// The picker of message types.
#[derive(Debug)]
pub(crate) struct TypePicker {
    /// What was typed to narrow the list.
    pub(crate) input: Input,
    /// Types seen, most frequent first, and typed ones.
    pub(crate) choices: Vec<TypeChoice>,
    /// The marked row among the ones that match.
    pub(crate) marked: usize,
}

impl TypePicker {
    /// The places of the choices that match what was typed.
    pub(crate) fn matching(&self) -> Vec<usize> {
        let needle = self.input.value().trim().to_lowercase();
        let matches = |choice: &TypeChoice| choice.kind.as_str().to_lowercase().contains(&needle);
        self.choices.iter().enumerate().filter(|(_, choice)| matches(choice)).map(|(place, _)| place).collect()
    }

    /// Chooses the marked row or takes it back; a typed full name that nobody saw yet is added.
    pub(crate) fn toggle(&mut self) {
        match self.matching().get(self.marked) {
            Some(&place) => self.choices[place].chosen = !self.choices[place].chosen,
            None => self.add_typed(),
        }
    }

    /// Adds what was typed as a chosen type, when it looks like a full name.
    pub(crate) fn add_typed(&mut self) {
        let typed = self.input.value().trim().to_owned();
        if typed.contains('.') && !typed.contains(char::is_whitespace) {
            self.choices.push(TypeChoice { kind: MsgType::new(&typed), seen: 0, chosen: true });
            self.input.reset();
        }
    }

    /// The chosen types.
    pub(crate) fn chosen(&self) -> Vec<MsgType> {
        self.choices.iter().filter(|choice| choice.chosen).map(|choice| choice.kind.clone()).collect()
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

/// The request inspector.
#[derive(Debug, Default)]
pub(crate) struct Inspector {
    /// The marked exchange, 0 is the newest.
    pub(crate) marked: usize,
    /// One exchange in lines.
    pub(crate) detail: Option<Document>,
}
