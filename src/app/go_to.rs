//! `/`: go to anything. What was typed is read as everything that it may name; what is ambiguous is looked up both ways.

mod known;
mod state;
mod suggest;

pub(crate) use state::{GoTo, Source, Suggestion};

pub(super) use known::list_kinds;
pub(crate) use known::word_for;

use super::{App, modal::Modal, page::Destination};
use crate::{
    domain::{RECENTS, Reading, Target, TargetKind, Vm, several},
    msg::{
        Answer, Instruction, Lane, PageRequest, Request, Slot, TokenOrder, TokenQuery, TokenScope, TxQuery, TxScope,
    },
    wire::{ApiError, ErrorKind},
};
use state::{Outcome, Probe};

/// Readings looked up at the most.
const READINGS: usize = 8;

impl App {
    /// Keeps what was opened as the newest recent, with its kind.
    pub(super) fn remember_target(&mut self, target: &Target) {
        let text = target.text();
        self.recents.retain(|known| *known != text);
        self.remember(target.tagged());
    }

    /// Keeps a text as the newest recent.
    pub(super) fn remember(&mut self, text: String) {
        self.recents.retain(|known| *known != text);
        self.recents.insert(0, text.clone());
        self.recents.truncate(RECENTS as usize);
        self.effects.instructions.push(Instruction::Remember(text));
    }

    /// Opens the input with a text and goes where it leads.
    pub(super) fn go_to_text(&mut self, text: String) {
        self.open_modal(Modal::GoTo(GoTo::of(text)));
        self.submit_go_to();
    }

    /// Enter in the go-to input: opens what is meant. A second Enter does not wait for a look-up.
    pub(super) fn submit_go_to(&mut self) {
        let Some(Modal::GoTo(go_to)) = &mut self.modal else { return };
        self.effects.redraw = true;
        if let Some(chosen) = go_to.picker.selected().cloned() {
            match chosen.targets.first() {
                Some(target) if go_to.is_choice() => self.open_found(&target.clone()),
                _ => self.look_up(chosen.targets),
            }
        } else if go_to.is_waiting() {
            let likeliest =
                go_to.probes.iter().find(|probe| !matches!(probe.outcome, Outcome::Absent | Outcome::Failed));
            if let Some(target) = likeliest.map(|probe| probe.target.clone()) {
                self.open_found(&target);
            }
        } else {
            let typed = go_to.picker.input.value().to_owned();
            self.submit_typed(&typed);
        }
    }

    fn submit_typed(&mut self, typed: &str) {
        if let Some(several) = several(typed) {
            self.close_go_to();
            return self.open_page(Destination::Results(several));
        }
        let reading = self.understand(typed);
        let is_sure = reading.as_ref().is_ok_and(|reading| self.is_sure(reading));
        let Some(Modal::GoTo(go_to)) = &mut self.modal else { return };
        match (reading, go_to.picker.choices()) {
            (Ok(reading), rivals) if is_sure || rivals.len() < 2 => self.follow(&reading),
            (Ok(_), _) => go_to.problem = Some("several things go by this name: choose with ↓ and Enter".to_owned()),
            (Err(_), [only]) if only.is_close && !typed.trim().is_empty() => {
                let targets = only.targets.clone();
                self.look_up(targets);
            }
            (Err(problem), _) => go_to.problem = Some(problem.to_string()),
        }
    }

    fn follow(&mut self, reading: &Reading) {
        let elsewhere = self.elsewhere(reading);
        if let Some(Modal::GoTo(go_to)) = &mut self.modal {
            go_to.elsewhere = elsewhere;
        }
        self.look_up(reading.targets.clone());
    }

    /// Opens the only reading there is, or looks all of them up.
    fn look_up(&mut self, mut targets: Vec<Target>) {
        if self.network.vm.is_some_and(|vm| vm != Vm::Evm) && targets.len() > 1 {
            targets.retain(|target| target.kind() != TargetKind::EvmTx);
        }
        targets.truncate(READINGS);
        if let [target] = targets.as_slice() {
            return self.open_only(target);
        }
        let Some(Modal::GoTo(go_to)) = &mut self.modal else { return };
        go_to.problem = None;
        go_to.picker.unmark();
        go_to.probes =
            targets.iter().map(|target| Probe { target: target.clone(), outcome: Outcome::Awaited }).collect();
        for (place, target) in targets.iter().enumerate() {
            if let Some(request) = probe(target) {
                self.fetch(Slot::GoTo(lane(place)), request);
            } else {
                self.settle_probe(place, Outcome::Absent);
            }
        }
    }

    fn open_only(&mut self, target: &Target) {
        if let Target::Chain(name) = target {
            let sentence = self.describe_chain(name);
            if let Some(Modal::GoTo(go_to)) = &mut self.modal {
                go_to.problem = Some(sentence);
            }
            return;
        }
        self.open_found(target);
    }

    /// Closes the input and opens a reading, with what its look-up brought.
    fn open_found(&mut self, target: &Target) {
        let Some(Modal::GoTo(mut go_to)) = self.modal.take() else { return };
        self.cancel_go_to();
        match go_to.take_answer(target).and_then(Destination::found) {
            Some(destination) => self.open_page(destination),
            None => self.open_target(target),
        }
        if let Some(elsewhere) = go_to.elsewhere {
            self.tell(elsewhere);
        }
    }

    /// One reading of an ambiguous text was looked up.
    pub(super) fn take_go_to(&mut self, Lane(place): Lane, result: Result<Answer, ApiError>) {
        let problem = match &result {
            Err(error) if !is_absence(error) => Some(format!("{error}; {}", error.advice())),
            _ => None,
        };
        let outcome = match result {
            Ok(answer) if is_something(&answer) => Outcome::Found(answer),
            Err(_) if problem.is_some() => Outcome::Failed,
            _ => Outcome::Absent,
        };
        if let (Some(Modal::GoTo(go_to)), Some(problem)) = (&mut self.modal, problem) {
            go_to.problem = Some(problem);
        }
        self.settle_probe(usize::from(place), outcome);
    }

    fn settle_probe(&mut self, place: usize, outcome: Outcome) {
        let Some(Modal::GoTo(go_to)) = &mut self.modal else { return };
        self.effects.redraw = true;
        let Some(probe) = go_to.probes.get_mut(place) else { return };
        probe.outcome = outcome;
        if !go_to.is_waiting() {
            self.decide_go_to();
        }
    }

    /// All readings are looked up: one opens, several are offered, none is said.
    fn decide_go_to(&mut self) {
        let Some(Modal::GoTo(go_to)) = &mut self.modal else { return };
        let found = go_to.probes.iter().filter(|probe| matches!(probe.outcome, Outcome::Found(_)));
        let found: Vec<Target> = found.map(|probe| probe.target.clone()).collect();
        let has_failed = go_to.probes.iter().any(|probe| matches!(probe.outcome, Outcome::Failed));
        match found.as_slice() {
            [only] => self.open_found(&only.clone()),
            [] => {
                let targets = || go_to.probes.iter().map(|probe| &probe.target);
                let is_hash = targets().any(is_transaction);
                let account = targets().find(|target| target.kind() == TargetKind::Account && !is_hash);
                match account.cloned() {
                    // Its page says that there is nothing; an address need not have done anything.
                    Some(account) if !has_failed => self.open_found(&account),
                    _ => self.say_nothing_found(),
                }
            }
            several => {
                let offer = |target: &Target| Suggestion {
                    targets: vec![target.clone()],
                    label: suggest::label_of(target),
                    source: Source::Found,
                    is_close: true,
                };
                go_to.picker.offer(several.iter().map(offer).collect(), Some(0));
                self.cancel(&Slot::Suggestions);
            }
        }
    }

    fn say_nothing_found(&mut self) {
        let Some(Modal::GoTo(go_to)) = &mut self.modal else { return };
        let targets: Vec<Target> = std::mem::take(&mut go_to.probes).into_iter().map(|probe| probe.target).collect();
        let elsewhere = go_to.elsewhere.as_ref().map(|elsewhere| format!(" ({elsewhere})")).unwrap_or_default();
        let is_hash = targets.iter().any(is_transaction);
        let blocks = if is_hash { "; blocks cannot be found by their hash" } else { "" };
        let sentence =
            format!("not here{elsewhere}: neither {}{blocks}", list_kinds(&targets).replace(" or ", " nor "));
        go_to.problem.get_or_insert(sentence);
    }

    /// Closes the input and stops its look-ups.
    pub(super) fn close_go_to(&mut self) {
        self.cancel_go_to();
        self.modal = None;
        self.effects.redraw = true;
    }

    /// Stops the look-ups of a closed input.
    pub(super) fn cancel_go_to(&mut self) {
        self.cancel(&Slot::Suggestions);
        for place in 0..READINGS {
            self.cancel(&Slot::GoTo(lane(place)));
        }
    }
}

fn lane(place: usize) -> Lane {
    Lane(u8::try_from(place).unwrap_or(u8::MAX))
}

fn is_transaction(target: &Target) -> bool {
    matches!(target.kind(), TargetKind::Tx | TargetKind::EvmTx)
}

/// Whether an error says that the thing does not exist: a server without such things has no route for them either.
pub(crate) fn is_absence(error: &ApiError) -> bool {
    error.is_not_found() || matches!(error.kind, ErrorKind::Rejected { status: 404, .. })
}

/// Whether an answer says that the thing exists.
pub(crate) fn is_something(answer: &Answer) -> bool {
    match answer {
        Answer::Txs(page) => !page.items.is_empty(),
        Answer::Tokens(page) => !page.items.is_empty(),
        Answer::Holders(page) => !page.items.is_empty(),
        _ => true,
    }
}

/// What shows whether a thing exists; `None` where the server cannot be asked.
pub(crate) fn probe(target: &Target) -> Option<Request> {
    let one = || PageRequest { count_total: false, ..PageRequest::newest(1) };
    Some(match target {
        Target::Block(height) => Request::Block(*height),
        Target::Tx(hash) => Request::Tx(*hash),
        Target::EvmTx(hash) => Request::EvmTx(*hash),
        Target::Account(address) => {
            let scope = TxScope::Account { address: *address, signer_only: false };
            Request::Txs(TxQuery { scope, msgs: Vec::new() }, one())
        }
        Target::Collection(address) => Request::Collection(*address),
        Target::Token { collection, token_id } => {
            let scope = TokenScope::Collection(*collection);
            let query = TokenQuery { scope, token_id: Some(token_id.clone()), order_by: TokenOrder::default() };
            Request::Tokens(query, one())
        }
        Target::Denom(denom) => Request::Holders(denom.clone(), one()),
        Target::Chain(_) => return None,
    })
}
