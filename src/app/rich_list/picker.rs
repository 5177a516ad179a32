//! The picker of denoms.

use nucleo_matcher::{
    Config, Matcher, Utf32Str,
    pattern::{CaseMatching, Normalization, Pattern},
};
use tui_input::Input;

use crate::{
    app::{App, denoms::KnownDenom, modal::Modal, view::View},
    config::{Key, KeyCode},
    domain::Denom,
};

/// What was typed, and the denoms that match it.
#[derive(Debug)]
pub(crate) struct DenomPicker {
    /// What was typed.
    pub(crate) input: Input,
    /// All known denoms, the most seen first.
    choices: Vec<KnownDenom>,
    /// Places of those that match, best first.
    matches: Vec<usize>,
    /// The marked row: one that matches, or behind them the text as typed.
    pub(crate) marked: usize,
}

impl DenomPicker {
    /// With every denom, the shown one marked.
    fn new(choices: Vec<KnownDenom>, shown: Option<&Denom>) -> Self {
        let marked = choices.iter().position(|known| Some(&known.denom) == shown).unwrap_or(0);
        let matches = (0..choices.len()).collect();
        Self { input: Input::default(), choices, matches, marked }
    }

    /// Ranks the denoms by what was typed.
    pub(crate) fn search(&mut self) {
        self.marked = 0;
        let typed = self.input.value().trim();
        if typed.is_empty() {
            self.matches = (0..self.choices.len()).collect();
            return;
        }
        let mut matcher = Matcher::new(Config::DEFAULT);
        let pattern = Pattern::parse(typed, CaseMatching::Ignore, Normalization::Smart);
        let mut buffer = Vec::new();
        let mut score = |text: &str| pattern.score(Utf32Str::new(text, &mut buffer), &mut matcher);
        let mut scored: Vec<(u32, usize)> = Vec::new();
        for (place, known) in self.choices.iter().enumerate() {
            let by_symbol = known.symbol.as_deref().and_then(&mut score).map(|score| score + 40);
            scored.extend(by_symbol.max(score(known.denom.as_str())).map(|score| (score, place)));
        }
        scored.sort_by_key(|(score, place)| (std::cmp::Reverse(*score), *place));
        self.matches = scored.into_iter().map(|(_, place)| place).collect();
    }

    /// The denoms that match, best first.
    pub(crate) fn matching(&self) -> impl Iterator<Item = &KnownDenom> {
        self.matches.iter().filter_map(|&place| self.choices.get(place))
    }

    /// What was typed as a denom, where it can be one and is not known as such.
    pub(crate) fn typed(&self) -> Option<Denom> {
        let typed = self.input.value().trim();
        let is_known = || self.choices.iter().any(|known| known.denom.as_str() == typed);
        (Denom::is_fit(typed) && !is_known()).then(|| Denom::new(typed))
    }

    /// How many rows can be marked.
    pub(crate) fn rows(&self) -> usize {
        self.matches.len() + usize::from(self.typed().is_some())
    }

    /// Moves the mark; past an end it goes on at the other one.
    fn move_mark(&mut self, step: isize) {
        let rows = isize::try_from(self.rows()).unwrap_or(isize::MAX).max(1);
        let marked = isize::try_from(self.marked).unwrap_or(0);
        self.marked = marked.saturating_add(step).rem_euclid(rows).unsigned_abs();
    }

    /// Moves the mark as the wheel does, and stops at the ends.
    pub(crate) fn scroll(&mut self, step: isize) {
        self.marked = self.marked.saturating_add_signed(step).min(self.rows().saturating_sub(1));
    }

    fn chosen(&self) -> Option<Denom> {
        match self.matching().nth(self.marked) {
            Some(known) => Some(known.denom.clone()),
            None => self.typed(),
        }
    }
}

impl App {
    /// `f` on the rich list's tab.
    pub(in crate::app) fn pick_denom(&mut self) {
        self.look_for_denoms();
        if let View::RichList(view) = self.navigation.current() {
            let picker = DenomPicker::new(view.known.clone(), view.denom.as_ref());
            self.open_modal(Modal::Denoms(picker));
        }
    }

    /// A key in the picker; gives back one that edits the input.
    pub(in crate::app) fn press_in_denoms(&mut self, key: Key) -> Option<Key> {
        let Some(Modal::Denoms(picker)) = &mut self.modal else { return None };
        match key.code {
            KeyCode::Esc => self.modal = None,
            KeyCode::Up | KeyCode::BackTab => picker.move_mark(-1),
            KeyCode::Down | KeyCode::Tab => picker.move_mark(1),
            KeyCode::Enter => self.apply_denom(),
            _ => return Some(key),
        }
        None
    }

    fn apply_denom(&mut self) {
        let Some(Modal::Denoms(picker)) = &self.modal else { return };
        let Some(denom) = picker.chosen() else { return };
        let is_typed = picker.typed().as_ref() == Some(&denom);
        self.modal = None;
        if let View::RichList(view) = self.navigation.current_mut()
            && is_typed
        {
            view.typed.retain(|known| *known != denom);
            view.typed.insert(0, denom.clone());
            view.typed.truncate(50);
        }
        self.open_rich_list(denom);
        self.look_for_denoms();
    }
}
