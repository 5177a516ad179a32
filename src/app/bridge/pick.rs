//! Choosing one of many by typing a part of it: a chain, an asset.

use nucleo_matcher::{
    Config, Matcher, Utf32Str,
    pattern::{CaseMatching, Normalization, Pattern},
};
use tui_input::Input;

use crate::{
    app::{App, modal::Modal},
    config::{Key, KeyCode},
};

/// What is chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PickPurpose {
    /// The chain to send from.
    SourceChain,
    /// The asset to send.
    SourceAsset,
    /// The chain to send to.
    DestinationChain,
    /// The asset to receive.
    DestinationAsset,
}

/// One of many.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Choice {
    /// What it is called; cleaned.
    pub(crate) label: String,
    /// More on it, in muted letters; cleaned.
    pub(crate) detail: String,
    /// What it is: a chain's id, a denom.
    pub(crate) value: String,
}

/// A list that is narrowed by typing.
#[derive(Debug)]
pub(crate) struct Pick {
    /// What is chosen.
    pub(crate) purpose: PickPurpose,
    /// What stands above it.
    pub(crate) title: String,
    /// What was typed.
    pub(crate) input: Input,
    /// All there is.
    choices: Vec<Choice>,
    /// Places of those that match, best first.
    matches: Vec<usize>,
    /// The marked row: one that matches, or behind them the text as typed.
    pub(crate) marked: usize,
}

impl Pick {
    /// With all of them, the present one marked.
    pub(crate) fn new(purpose: PickPurpose, title: impl Into<String>, choices: Vec<Choice>, present: &str) -> Self {
        let marked = choices.iter().position(|choice| choice.value == present).unwrap_or(0);
        let matches = (0..choices.len()).collect();
        Self { purpose, title: title.into(), input: Input::default(), choices, matches, marked }
    }

    /// Ranks them by what was typed.
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
        for (place, choice) in self.choices.iter().enumerate() {
            let by_label = score(&choice.label).map(|score| score + 40);
            let best = by_label.max(score(&choice.value)).max(score(&choice.detail));
            scored.extend(best.map(|score| (score, place)));
        }
        scored.sort_by_key(|(score, place)| (std::cmp::Reverse(*score), *place));
        self.matches = scored.into_iter().map(|(_, place)| place).collect();
    }

    /// Those that match, best first.
    pub(crate) fn matching(&self) -> impl Iterator<Item = &Choice> {
        self.matches.iter().filter_map(|&place| self.choices.get(place))
    }

    /// What was typed, where it is not one of them: routers know more than they list.
    pub(crate) fn typed(&self) -> Option<&str> {
        let typed = self.input.value().trim();
        let is_known = self.choices.iter().any(|choice| choice.value == typed);
        let is_fit = !typed.is_empty() && typed.len() <= 128 && !typed.contains(char::is_whitespace);
        (is_fit && !is_known).then_some(typed)
    }

    /// How many rows can be marked.
    pub(crate) fn rows(&self) -> usize {
        self.matches.len() + usize::from(self.typed().is_some())
    }

    /// Moves the mark; past an end it goes on at the other one.
    pub(crate) fn move_mark(&mut self, step: isize) {
        let rows = isize::try_from(self.rows()).unwrap_or(isize::MAX).max(1);
        let marked = isize::try_from(self.marked).unwrap_or(0);
        self.marked = marked.saturating_add(step).rem_euclid(rows).unsigned_abs();
    }

    fn chosen(&self) -> Option<String> {
        let matching = self.matching().nth(self.marked).map(|choice| choice.value.clone());
        matching.or_else(|| self.typed().map(ToOwned::to_owned))
    }
}

impl App {
    pub(in crate::app) fn press_in_pick(&mut self, key: Key) {
        let Some(Modal::Pick(pick)) = &mut self.modal else { return };
        match key.code {
            KeyCode::Esc => self.modal = None,
            KeyCode::Up | KeyCode::BackTab => pick.move_mark(-1),
            KeyCode::Down | KeyCode::Tab => pick.move_mark(1),
            KeyCode::Enter => {
                if let Some(value) = pick.chosen() {
                    let purpose = pick.purpose;
                    self.modal = None;
                    self.take_choice(purpose, &value);
                }
            }
            _ => self.edit(key),
        }
    }
}
