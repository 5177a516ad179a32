//! Fuzzy picker, with the keys, the ranking and the drawing of all pickers.

mod draw;

pub(crate) use draw::{PickerLook, draw};

use std::{borrow::Cow, collections::BTreeSet};

use nucleo_matcher::{
    Config, Matcher, Utf32Str,
    pattern::{CaseMatching, Normalization, Pattern},
};
use tui_input::Input;

use super::input::{edit, insert};
use crate::{
    config::{Key, KeyCode},
    domain::searching,
};

/// Rows that a page key moves.
const SCREEN: usize = 10;
/// Extra score of a match in a name.
const NAME: u32 = 40;

pub(crate) trait Pickable {
    /// Searchable texts. An item without texts is not ranked and stays in place.
    fn texts(&self) -> Vec<SearchText<'_>>;
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum SearchText<'a> {
    /// Name; ranks above other texts.
    Name(Cow<'a, str>),
    Text(Cow<'a, str>),
    /// Hash or path. Digits and paths match it only as a whole, since single characters would match anywhere.
    Id(Cow<'a, str>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PickerStep {
    Nothing,
    Moved,
    Typed,
    Chosen,
    Left,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum RowSource {
    Choice(usize),
    /// The typed text, offered as a choice of its own.
    Typed,
}

#[derive(Debug)]
pub(crate) struct PickerRow<'a, T> {
    pub(crate) item: &'a T,
    /// Whether the row is the typed text itself.
    pub(crate) is_typed: bool,
    pub(crate) is_marked: bool,
    /// Whether the row is ticked; `None` in a single-choice picker.
    pub(crate) is_ticked: Option<bool>,
}

/// Items that a user searches by typing, and a selection.
#[derive(Debug)]
pub(crate) struct Picker<T> {
    pub(crate) input: Input,
    choices: Vec<T>,
    /// Indices of the matches, best first; contiguous matches come before all others.
    matches: Vec<usize>,
    /// Number of contiguous matches.
    close: usize,
    /// The typed text, offered as a choice of its own.
    typed: Option<T>,
    kind: PickerKind,
    /// Selected row; `None` selects the input.
    marked: Option<usize>,
    ticked: BTreeSet<usize>,
}

/// Role of a picker's input.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Typing {
    /// The input is above the rows; the selection never reaches the input.
    #[default]
    Aside,
    /// The input is above the rows; the selection reaches the input like a row.
    AsRow,
    /// No input: letters are command keys.
    Nothing,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct PickerKind {
    /// Whether the space key ticks rows, for multiple choice.
    has_ticks: bool,
    /// Whether the typed text is the first row instead of the last.
    is_typed_first: bool,
    typing: Typing,
}

/// Picker of any item type.
pub(crate) trait AnyPicker {
    fn press(&mut self, key: Key) -> PickerStep;

    /// Pastes text, up to `room` characters in all.
    fn paste(&mut self, text: &str, room: usize);

    /// Moves the selection like a mouse wheel, stopping at the ends.
    fn scroll(&mut self, rows: isize);

    fn has_input(&self) -> bool;
}

impl<T: Pickable> Default for Picker<T> {
    fn default() -> Self {
        Self::new(Vec::new())
    }
}

impl<T: Pickable> Picker<T> {
    pub(crate) fn new(choices: Vec<T>) -> Self {
        let (input, matches, close) = (Input::default(), (0..choices.len()).collect(), choices.len());
        let (typed, kind, ticked) = (None, PickerKind::default(), BTreeSet::new());
        Self { input, choices, matches, close, typed, kind, marked: Some(0), ticked }
    }

    /// Selects the first item that matches the predicate, if any.
    #[must_use]
    pub(crate) fn marking(mut self, is_it: impl FnMut(&T) -> bool) -> Self {
        self.marked = Some(self.choices.iter().position(is_it).unwrap_or(0));
        self
    }

    /// Allows multiple choice and ticks these items.
    #[must_use]
    pub(crate) fn ticking(mut self, is_ticked: impl Fn(&T) -> bool) -> Self {
        self.kind.has_ticks = true;
        self.ticked =
            (0..).zip(&self.choices).filter(|(_, choice)| is_ticked(choice)).map(|(place, _)| place).collect();
        self
    }

    /// Puts the typed text above the other rows. No scattered match is selected until the user moves, since Enter
    /// would take what was not meant.
    #[must_use]
    pub(crate) fn typed_first(mut self) -> Self {
        self.kind.is_typed_first = true;
        self
    }

    /// Selects the input first; down moves to the first row.
    #[must_use]
    pub(crate) fn beginning_at_input(mut self) -> Self {
        (self.kind.typing, self.marked) = (Typing::AsRow, None);
        self
    }

    #[must_use]
    pub(crate) fn with_text(mut self, text: String) -> Self {
        self.input = Input::new(text);
        self
    }

    #[must_use]
    pub(crate) fn menu(mut self) -> Self {
        self.kind.typing = Typing::Nothing;
        self
    }

    /// Returns the typed text, trimmed.
    pub(crate) fn text(&self) -> &str {
        self.input.value().trim()
    }

    /// Returns all items, ignoring the typed text.
    pub(crate) fn choices(&self) -> &[T] {
        &self.choices
    }

    pub(crate) fn rows(&self) -> impl Iterator<Item = PickerRow<'_, T>> {
        self.sources().enumerate().filter_map(|(place, source)| {
            Some(PickerRow {
                item: self.item(source)?,
                is_typed: source == RowSource::Typed,
                is_marked: self.marked == Some(place),
                is_ticked: self.kind.has_ticks.then(|| self.is_ticked(source)),
            })
        })
    }

    pub(crate) fn count(&self) -> usize {
        self.matches.len() + usize::from(self.typed.is_some())
    }

    pub(crate) fn marked(&self) -> Option<usize> {
        self.marked.filter(|place| *place < self.count())
    }

    pub(crate) fn selected(&self) -> Option<&T> {
        self.item(self.sources().nth(self.marked()?)?)
    }

    /// Returns the ticked items, in their original order.
    pub(crate) fn ticked(&self) -> impl Iterator<Item = &T> {
        self.ticked.iter().filter_map(|&place| self.choices.get(place))
    }

    pub(crate) fn tick_marked(&mut self) {
        if let Some(RowSource::Choice(place)) = self.marked().and_then(|marked| self.sources().nth(marked)) {
            self.ticked.insert(place);
        } else {
            self.take_typed();
        }
    }

    /// Replaces the items, keeping their order and ignoring the typed text.
    pub(crate) fn offer(&mut self, choices: Vec<T>, marked: Option<usize>) {
        (self.matches, self.close) = ((0..choices.len()).collect(), choices.len());
        (self.choices, self.marked, self.typed) = (choices, marked, None);
        self.ticked.clear();
    }

    pub(crate) fn unmark(&mut self) {
        self.marked = None;
    }

    /// Inserts an item; the selection stays on its item.
    pub(crate) fn insert(&mut self, place: usize, choice: T) {
        self.choices.insert(place, choice);
        (self.matches, self.close) = ((0..self.choices.len()).collect(), self.choices.len());
        self.marked = self.marked.map(|marked| marked + usize::from(marked >= place));
    }

    /// Changes the texts of items; order and selection stay.
    pub(crate) fn change(&mut self, act: impl FnMut(&mut T)) {
        self.choices.iter_mut().for_each(act);
    }

    /// Offers the typed text as an item; `None` if it is empty or already offered.
    pub(crate) fn set_typed(&mut self, typed: Option<T>) {
        self.typed = typed;
        if self.typed.is_some() && self.kind.is_typed_first {
            self.marked = self.marked.or(Some(0));
        }
    }

    /// Ranks the items by the typed text and selects the first; unranked items stay in place.
    pub(crate) fn search(&mut self) {
        self.marked = (!self.is_input_a_row()).then_some(0);
        let Some(needle) = Needle::new(self.text()) else {
            (self.matches, self.close) = ((0..self.choices.len()).collect(), self.choices.len());
            return;
        };
        let mut matcher = Matcher::new(Config::DEFAULT);
        let mut scored: Vec<((bool, u32), usize)> = Vec::new();
        for (place, choice) in self.choices.iter().enumerate() {
            let texts = choice.texts();
            let best = if texts.is_empty() { Some((true, 0)) } else { needle.best(&texts, &mut matcher) };
            scored.extend(best.map(|rank| (rank, place)));
        }
        // A stable sort keeps the original order of equals.
        scored.sort_by_key(|(rank, _)| std::cmp::Reverse(*rank));
        self.close = scored.iter().filter(|((is_close, _), _)| *is_close).count();
        self.matches = scored.into_iter().map(|(_, place)| place).collect();
        if self.kind.is_typed_first && self.close == 0 {
            self.marked = None;
        }
    }

    /// Moves the selection by one row, wrapping around, including a selectable input.
    fn step(&mut self, is_down: bool) -> PickerStep {
        let last = self.count().checked_sub(1);
        self.marked = match (self.marked, last) {
            (_, None) => self.marked.filter(|_| !self.is_input_a_row()),
            (None, Some(last)) => Some(if is_down { 0 } else { last }),
            (Some(0), Some(last)) if !is_down => (!self.is_input_a_row()).then_some(last),
            (Some(place), Some(last)) if is_down && place >= last => (!self.is_input_a_row()).then_some(0),
            (Some(place), Some(_)) => Some(if is_down { place + 1 } else { place - 1 }),
        };
        PickerStep::Moved
    }

    fn is_input_a_row(&self) -> bool {
        self.kind.typing == Typing::AsRow
    }

    fn jump(&mut self, place: usize) -> PickerStep {
        if let Some(last) = self.count().checked_sub(1) {
            self.marked = Some(place.min(last));
        }
        PickerStep::Moved
    }

    fn toggle(&mut self) -> PickerStep {
        match self.marked().and_then(|marked| self.sources().nth(marked)) {
            Some(RowSource::Choice(place)) if self.ticked.remove(&place) => {}
            Some(RowSource::Choice(place)) => {
                self.ticked.insert(place);
            }
            Some(RowSource::Typed) => self.take_typed(),
            None => {}
        }
        PickerStep::Moved
    }

    /// Adds the typed text to the items and ticks it.
    fn take_typed(&mut self) {
        if let Some(typed) = self.typed.take() {
            self.ticked.insert(self.choices.len());
            self.choices.push(typed);
            self.input.reset();
            self.search();
        }
    }

    /// Yields the rows in order: contiguous matches, the typed text, then scattered matches.
    fn sources(&self) -> impl Iterator<Item = RowSource> {
        let typed = self.typed.as_ref().map(|_| RowSource::Typed);
        let before = if self.kind.is_typed_first { 0 } else { self.close.min(self.matches.len()) };
        let (close, scattered) = self.matches.split_at(before);
        let choice = |place: &usize| RowSource::Choice(*place);
        close.iter().map(choice).chain(typed).chain(scattered.iter().map(choice))
    }

    fn item(&self, source: RowSource) -> Option<&T> {
        match source {
            RowSource::Choice(place) => self.choices.get(place),
            RowSource::Typed => self.typed.as_ref(),
        }
    }

    fn is_ticked(&self, source: RowSource) -> bool {
        matches!(source, RowSource::Choice(place) if self.ticked.contains(&place))
    }
}

impl<T: Pickable> AnyPicker for Picker<T> {
    fn press(&mut self, key: Key) -> PickerStep {
        let is_plain = !key.ctrl && !key.alt;
        match (key.code, key.ctrl) {
            (KeyCode::Esc, _) => PickerStep::Left,
            (KeyCode::Enter, _) => PickerStep::Chosen,
            (KeyCode::Up | KeyCode::BackTab, _) | (KeyCode::Char('p'), true) => self.step(false),
            (KeyCode::Down | KeyCode::Tab, _) | (KeyCode::Char('n'), true) => self.step(true),
            (KeyCode::PageUp, _) => self.jump(self.marked.unwrap_or(0).saturating_sub(SCREEN)),
            (KeyCode::PageDown, _) => self.jump(self.marked.unwrap_or(0).saturating_add(SCREEN)),
            (KeyCode::Home, _) => self.jump(0),
            (KeyCode::End, _) => self.jump(usize::MAX),
            (KeyCode::Char(' '), _) if is_plain && self.kind.has_ticks => self.toggle(),
            _ if self.kind.typing == Typing::Nothing => PickerStep::Nothing,
            _ if edit(&mut self.input, key) => {
                self.search();
                PickerStep::Typed
            }
            _ => PickerStep::Moved,
        }
    }

    fn paste(&mut self, text: &str, room: usize) {
        insert(&mut self.input, text, room);
        self.search();
    }

    fn scroll(&mut self, rows: isize) {
        self.jump(self.marked.unwrap_or(0).saturating_add_signed(rows));
    }

    fn has_input(&self) -> bool {
        self.kind.typing != Typing::Nothing
    }
}

pub(crate) fn best<'a, T: Pickable>(choices: &'a [T], text: &str) -> Option<&'a T> {
    let needle = Needle::new(text)?;
    let mut matcher = Matcher::new(Config::DEFAULT);
    let scored = choices.iter().rev().filter_map(|choice| Some((needle.best(&choice.texts(), &mut matcher)?, choice)));
    scored.max_by_key(|(rank, _)| *rank).map(|(_, choice)| choice)
}

/// Search text prepared for matching.
struct Needle {
    pattern: Pattern,
    lower: String,
    /// The whole text in lower case if it is digits or a path, which must match as a whole.
    piece: Option<String>,
}

impl Needle {
    /// Creates a needle; `None` if the text matches every item.
    fn new(text: &str) -> Option<Self> {
        if text.is_empty() {
            return None;
        }
        let pattern = Pattern::parse(text, CaseMatching::Ignore, Normalization::Smart);
        let lower = text.to_lowercase();
        let bare = lower.strip_prefix("0x").unwrap_or(&lower);
        let is_hex = bare.len() >= 3 && bare.bytes().all(|byte| byte.is_ascii_hexdigit());
        let is_path = bare.contains(['/', '.']);
        let piece = (is_hex || is_path).then(|| bare.to_owned());
        Some(Self { pattern, lower, piece })
    }

    /// Returns the best match in the texts: whether it is contiguous, and its score.
    fn best(&self, texts: &[SearchText<'_>], matcher: &mut Matcher) -> Option<(bool, u32)> {
        let mut buffer = Vec::new();
        let mut fuzzy = |text: &str| self.pattern.score(Utf32Str::new(text, &mut buffer), matcher);
        let rank = |text: &SearchText<'_>| {
            let (SearchText::Name(words) | SearchText::Text(words) | SearchText::Id(words)) = text;
            let words_in_lower = words.to_lowercase();
            let is_close = |needle: &str| needle.split_whitespace().all(|word| searching::holds(&words_in_lower, word));
            match (text, &self.piece) {
                (SearchText::Name(_), _) => Some((is_close(&self.lower), fuzzy(words)? + NAME)),
                (SearchText::Id(_), Some(piece)) if !words_in_lower.contains(piece) => None,
                (SearchText::Id(_), Some(_)) => Some((true, fuzzy(words)?)),
                _ => Some((is_close(&self.lower), fuzzy(words)?)),
            }
        };
        texts.iter().filter_map(rank).max()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Clone, Debug, PartialEq, Eq)]
    struct Word(&'static str);

    impl Pickable for Word {
        fn texts(&self) -> Vec<SearchText<'_>> {
            vec![SearchText::Id(self.0.into())]
        }
    }

    fn words() -> Picker<Word> {
        Picker::new(["alpha", "beta", "gamma"].map(Word).to_vec())
    }

    fn press(picker: &mut Picker<Word>, keys: &str) -> Vec<PickerStep> {
        keys.split(' ').map(|key| picker.press(key.parse().unwrap())).collect()
    }

    fn at(picker: &Picker<Word>) -> Option<&'static str> {
        picker.selected().map(|word| word.0)
    }

    #[test]
    fn the_mark_goes_around_the_ends() {
        let mut picker = words();
        for (key, expected) in [
            ("down", "beta"),
            ("ctrl-n", "gamma"),
            ("tab", "alpha"),
            ("up", "gamma"),
            ("home", "alpha"),
            ("shift-tab", "gamma"),
            ("ctrl-p", "beta"),
            ("pgdn", "gamma"),
            ("pgup", "alpha"),
            ("end", "gamma"),
        ] {
            assert_eq!(press(&mut picker, key), [PickerStep::Moved]);
            assert_eq!(at(&picker), Some(expected), "after {key}");
        }
        picker.scroll(5);
        assert_eq!(at(&picker), Some("gamma"), "the wheel stops at the end");
        assert_eq!(press(&mut picker, "enter esc"), [PickerStep::Chosen, PickerStep::Left]);
    }

    #[test]
    fn where_the_input_has_a_place_the_mark_goes_by_it() {
        let mut picker = words().beginning_at_input();
        assert_eq!(at(&picker), None);
        press(&mut picker, "up");
        assert_eq!(at(&picker), Some("gamma"));
        press(&mut picker, "down");
        assert_eq!(at(&picker), None);
        press(&mut picker, "down up");
        assert_eq!(at(&picker), None);
        let mut empty = Picker::<Word>::default().beginning_at_input();
        press(&mut empty, "down up end pgdn");
        assert_eq!(empty.marked(), None);
    }

    #[test]
    fn typing_narrows_and_marks_the_best() {
        let mut picker = words();
        assert_eq!(press(&mut picker, "down t a"), [PickerStep::Moved, PickerStep::Typed, PickerStep::Typed]);
        assert_eq!((picker.count(), at(&picker)), (1, Some("beta")));
        picker.set_typed(Some(Word("ta")));
        press(&mut picker, "end");
        assert_eq!((picker.count(), at(&picker)), (2, Some("ta")));
        assert!(picker.rows().nth(1).is_some_and(|row| row.is_typed && row.is_marked));
        press(&mut picker, "z");
        picker.set_typed(None);
        assert_eq!((picker.count(), at(&picker)), (0, None));
        press(&mut picker, "down up");
        press(&mut picker, "ctrl-u");
        assert_eq!((picker.count(), at(&picker)), (3, Some("alpha")));
    }

    #[test]
    fn several_are_ticked_and_what_is_typed_becomes_one_of_them() {
        let mut picker = words().ticking(|word| word.0 == "gamma");
        press(&mut picker, "down space");
        assert_eq!(picker.ticked().map(|word| word.0).collect::<Vec<_>>(), ["beta", "gamma"]);
        press(&mut picker, "space x");
        picker.set_typed(Some(Word("x.y")));
        press(&mut picker, "space");
        assert_eq!(picker.ticked().map(|word| word.0).collect::<Vec<_>>(), ["gamma", "x.y"]);
        assert_eq!((picker.text(), picker.count()), ("", 4));
    }

    #[test]
    fn a_menu_has_no_input() {
        let mut picker = words().menu();
        assert_eq!(press(&mut picker, "b down"), [PickerStep::Nothing, PickerStep::Moved]);
        assert_eq!((picker.text(), at(&picker)), ("", Some("beta")));
    }

    #[test]
    fn what_was_typed_comes_before_what_only_has_its_letters() {
        let mut picker = Picker::new(["uatom", "beta"].map(Word).to_vec());
        press(&mut picker, "a t m");
        picker.set_typed(Some(Word("atm")));
        assert_eq!((picker.count(), at(&picker)), (2, Some("atm")), "the letters of uatom lie apart");
        press(&mut picker, "backspace");
        picker.set_typed(Some(Word("at")));
        assert_eq!(at(&picker), Some("uatom"), "which holds this in one piece");
    }

    #[test]
    fn hexadecimal_letters_are_found_in_one_piece_too() {
        let mut picker = Picker::new(vec![Word("ibc/d0e0a0d1"), Word("evm/12dead34")]);
        press(&mut picker, "d e a d");
        assert_eq!((picker.count(), at(&picker)), (1, Some("evm/12dead34")));
    }

    #[test]
    fn digits_are_found_in_one_piece() {
        let mut picker = Picker::new(vec![Word("ibc/60b20f6f"), Word("evm/626F11"), Word("uinit")]);
        press(&mut picker, "6 2 6 f");
        assert_eq!((picker.count(), at(&picker)), (1, Some("evm/626F11")));
        let mut picker = Picker::new(vec![Word("ibc/60b20f6f"), Word("uinit")]);
        press(&mut picker, "u n t");
        assert_eq!(at(&picker), Some("uinit"), "letters may lie apart");
    }
}
