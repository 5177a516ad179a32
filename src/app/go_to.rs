//! `/`: a height, a hash or an address, with suggestions from what was opened and what is loaded.

use super::{
    App,
    modal::{GoTo, Modal},
    view::View,
};
use crate::{
    domain::{Address, Target, classify},
    msg::{Answer, Command, PageRequest, Request, Slot, TxQuery, TxScope},
    wire::ApiError,
};

/// Suggestions shown at the most.
const SUGGESTIONS: usize = 8;
/// Recents held at the most.
const RECENTS: usize = 200;

impl App {
    /// Keeps what was opened as the newest recent.
    pub(super) fn remember(&mut self, text: String) {
        self.recents.retain(|known| *known != text);
        self.recents.insert(0, text.clone());
        self.recents.truncate(RECENTS);
        self.effects.commands.push(Command::Remember(text));
    }

    /// Fills the suggestions by what was typed so far.
    pub(super) fn suggest(&mut self) {
        let Some(Modal::GoTo(go_to)) = &self.modal else { return };
        let typed = go_to.input.value().trim().to_lowercase();
        let typed = typed.strip_prefix("0x").unwrap_or(&typed).to_owned();
        let matches = |text: &str| text.to_lowercase().contains(&typed);
        let mut suggestions: Vec<String> =
            self.recents.iter().filter(|text| matches(text)).take(SUGGESTIONS).cloned().collect();
        if typed.len() >= 2 {
            for text in self.loaded_names().filter(|text| matches(text)) {
                if suggestions.len() >= SUGGESTIONS {
                    break;
                }
                if !suggestions.contains(&text) {
                    suggestions.push(text);
                }
            }
        }
        if let Some(Modal::GoTo(go_to)) = &mut self.modal {
            go_to.suggestions = suggestions;
            go_to.marked = None;
            go_to.problem = None;
            go_to.found.clear();
        }
    }

    /// Hashes and heights of what the current tabs hold.
    fn loaded_names(&self) -> impl Iterator<Item = String> + '_ {
        use super::{navigation::Navigation, view::Tab};
        let txs = match self.navigation.view(Navigation::root(Tab::Txs)) {
            Some(View::Txs(view)) => Some(view.list.rows().iter().map(|row| row.tx.txhash.to_string())),
            _ => None,
        };
        let blocks = match self.navigation.view(Navigation::root(Tab::Blocks)) {
            Some(View::Blocks(view)) => Some(view.list.rows().iter().map(|row| row.0.height.to_string())),
            _ => None,
        };
        txs.into_iter().flatten().chain(blocks.into_iter().flatten())
    }

    /// Enter in the go-to input: opens what is meant; what may be two things is looked up both ways.
    pub(super) fn submit_go_to(&mut self) {
        let Some(Modal::GoTo(go_to)) = &mut self.modal else { return };
        self.effects.redraw = true;
        if let Some(target) = go_to.chosen_reading().cloned() {
            self.modal = None;
            self.open_target(&target);
            return;
        }
        let text = match go_to.marked.and_then(|place| go_to.suggestions.get(place)) {
            Some(text) => text.clone(),
            None => go_to.input.value().to_owned(),
        };
        let targets = match classify(&text) {
            Ok(targets) => targets,
            Err(problem) => {
                go_to.problem = Some(problem);
                return;
            }
        };
        if let [target] = targets.as_slice() {
            self.modal = None;
            self.open_target(target);
            return;
        }
        go_to.problem = None;
        go_to.found.clear();
        go_to.waiting.clone_from(&targets);
        for (place, target) in targets.iter().enumerate() {
            self.fetch(Slot::GoTo(u8::try_from(place).unwrap_or(u8::MAX)), probe(target));
        }
    }

    /// One reading of an ambiguous text was looked up.
    pub(super) fn take_go_to(&mut self, place: u8, result: &Result<Answer, ApiError>) {
        let Some(Modal::GoTo(go_to)) = &mut self.modal else { return };
        self.effects.redraw = true;
        let Some(target) = go_to.waiting.get(usize::from(place)).cloned() else { return };
        let exists = match result {
            Ok(Answer::Txs(page)) => !page.items.is_empty(),
            Ok(_) => true,
            Err(_) => false,
        };
        if exists {
            go_to.found.push(target);
        }
        if let Err(error) = result
            && !error.is_not_found()
        {
            go_to.problem = Some(format!("{error}; {}", error.advice()));
        }
        let is_last = !self.in_flight.keys().any(|slot| matches!(slot, Slot::GoTo(_)));
        if is_last {
            self.decide_go_to();
        }
    }

    fn decide_go_to(&mut self) {
        let Some(Modal::GoTo(go_to)) = &mut self.modal else { return };
        go_to.waiting.clear();
        match go_to.found.as_slice() {
            [only] => {
                let only = only.clone();
                self.modal = None;
                self.open_target(&only);
            }
            [] => {
                go_to.problem.get_or_insert_with(|| "neither a transaction nor an account of this chain".to_owned());
            }
            several => {
                go_to.suggestions = several.iter().map(target_text).collect();
                go_to.marked = Some(0);
            }
        }
    }

    /// Stops the look-ups of a closed input.
    pub(super) fn cancel_go_to(&mut self) {
        for place in 0..3 {
            self.cancel(Slot::GoTo(place));
        }
    }

    /// Moves the mark over the suggestions.
    pub(super) fn mark_suggestion(go_to: &mut GoTo, step: isize) {
        let count = go_to.suggestions.len();
        go_to.marked = match (go_to.marked, step) {
            (_, _) if count == 0 => None,
            (None, 1..) => Some(0),
            (None, _) => Some(count - 1),
            (Some(0), ..0) => None,
            (Some(place), _) => Some(place.saturating_add_signed(step).min(count - 1)),
        };
    }
}

fn probe(target: &Target) -> Request {
    match target {
        Target::Block(height) => Request::Block(*height),
        Target::Tx(hash) => Request::Tx(*hash),
        Target::EvmTx(hash) => Request::EvmTx(*hash),
        Target::Account(address) => account_probe(*address),
    }
}

fn account_probe(address: Address) -> Request {
    let query = TxQuery { scope: TxScope::Account { address, signer_only: false }, msgs: Vec::new() };
    Request::Txs(query, PageRequest { count_total: false, ..PageRequest::newest(1) })
}

fn target_text(target: &Target) -> String {
    match target {
        Target::Block(height) => height.to_string(),
        Target::Tx(hash) => hash.to_string(),
        Target::EvmTx(hash) => hash.to_string(),
        Target::Account(address) => address.bech32(),
    }
}
