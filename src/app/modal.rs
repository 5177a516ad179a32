//! What lies over a screen and has the keys: inputs, menus, help, the inspector.

use nucleo_matcher::{
    Config, Matcher, Utf32Str,
    pattern::{CaseMatching, Normalization, Pattern},
};
use tui_input::Input;

use super::{
    bridge::{entry::Entry, pick::Pick},
    commands::Hint,
    go_to::GoTo,
    rich_list::DenomPicker,
};
use crate::{config::Command, domain::MsgType, widgets::document::Document};

/// What lies over the screen.
#[derive(Debug)]
pub(crate) enum Modal {
    /// `/`: anything that has a page.
    GoTo(GoTo),
    /// `:`: any command that can be done here, by name.
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

/// The palette: the commands that can be done where it was opened.
#[derive(Debug)]
pub(crate) struct Palette {
    /// What was typed.
    pub(crate) input: Input,
    /// All that were known where it was opened, most useful first.
    hints: Vec<Hint>,
    /// Commands that match, best first.
    pub(crate) matches: Vec<Command>,
    /// Where none matches: one that would, and why it cannot be done.
    pub(crate) refused: Option<Hint>,
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

    /// With these commands, of which those that cannot be done are only named where nothing else is.
    pub(crate) fn new(mut hints: Vec<Hint>) -> Self {
        // Ctrl-C is q, said twice; and the palette is open.
        hints.retain(|hint| !matches!(hint.command, Command::ForceQuit | Command::Palette));
        let input = Input::default();
        let mut palette = Self { input, hints, matches: Vec::new(), refused: None, target: None, marked: 0 };
        palette.search();
        palette
    }

    /// Ranks the commands by what was typed.
    pub(crate) fn search(&mut self) {
        self.marked = 0;
        let text = self.input.value().trim().to_owned();
        let mut matcher = Matcher::new(Config::DEFAULT);
        let pattern = Pattern::parse(&text, CaseMatching::Ignore, Normalization::Smart);
        let mut buffer = Vec::new();
        let mut score = |command: Command| {
            let by_name = pattern.score(Utf32Str::new(&command.to_string(), &mut buffer), &mut matcher);
            let by_text = pattern.score(Utf32Str::new(command.help(), &mut buffer), &mut matcher);
            by_name.map(|score| score + 40).max(by_text)
        };
        let mut scored: Vec<(u32, &Hint)> =
            self.hints.iter().filter_map(|hint| Some((score(hint.command)?, hint))).collect();
        // Among equals the order of the screen stays.
        scored.sort_by_key(|(score, _)| std::cmp::Reverse(*score));
        let (can, cannot): (Vec<&Hint>, Vec<&Hint>) =
            scored.into_iter().map(|(_, hint)| hint).partition(|hint| hint.is_available());
        self.matches = can.into_iter().map(|hint| hint.command).collect();
        self.refused = cannot.first().filter(|_| self.matches.is_empty()).map(|hint| (*hint).clone());
    }

    /// How many commands there are to choose from before anything is typed.
    pub(crate) fn most(&self) -> usize {
        self.hints.iter().filter(|hint| hint.is_available()).count()
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
