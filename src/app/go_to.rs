//! `/`: go to anything. What was typed is read as everything that it may name; what is ambiguous is looked up both ways.

mod known;
mod state;
mod suggest;
mod tracking;

pub(crate) use state::{GoTo, Suggestion, SuggestionSource};

pub(crate) use known::word_for;
pub(super) use known::{KnownNames, list_kinds};
pub(crate) use tracking::{TrackOffer, TrackTarget};

use std::collections::BTreeSet;

use super::{App, modal::Modal, page::Destination};
use crate::{
    domain::{ListedTransfer, RECENTS, Several, Target, TargetKind, Vm, several},
    msg::{
        Answer, Instruction, Lane, PageRequest, Request, Slot, TokenOrder, TokenQuery, TokenScope, TxQuery, TxScope,
    },
    wire::{ApiError, ErrorKind},
};
use state::{Outcome, Probe};

/// Readings looked up at the most.
const READINGS: usize = 8;

/// What the session does for the input.
#[derive(Debug)]
pub(super) enum GoToStep {
    /// No answer to what was asked for it is waited for any more.
    StopAsking,
    /// No further suggestions are waited for.
    StopSuggesting,
    /// The server may know more to suggest.
    AskServer(Request),
    /// A reading is looked up.
    LookUp(Lane, Request),
    /// The input closes, and this opens with what its look-up brought; then this is said.
    Open(Target, Option<Answer>, Option<String>),
    /// The router is asked for its chains, unless it was.
    LearnChains,
    /// The input closes, and the router is asked where the funds of this are.
    Track(TrackTarget),
    /// The input closes, and all of these are tracked.
    TrackAll(Vec<ListedTransfer>),
    /// The input closes, and the table of several things opens.
    OpenAll(Several),
}

impl GoTo {
    /// Enter: opens what is meant. A second Enter does not wait for a look-up.
    pub(super) fn submit(&mut self, names: &KnownNames<'_>) -> Vec<GoToStep> {
        if let Some(chosen) = self.picker.selected().cloned() {
            match chosen.track {
                Some(TrackOffer::One(track)) => return vec![GoToStep::Track(track)],
                Some(TrackOffer::All(all)) => return vec![GoToStep::TrackAll(all)],
                None => {}
            }
            return match chosen.targets.first() {
                Some(target) if self.is_choice() => self.open(&target.clone()),
                _ => self.look_up(chosen.targets, names),
            };
        }
        if self.is_waiting() {
            let mut probes = self.probes.iter();
            let likeliest = probes.find(|probe| !matches!(probe.outcome, Outcome::Absent | Outcome::Failed));
            return likeliest.map(|probe| probe.target.clone()).map_or_else(Vec::new, |target| self.open(&target));
        }
        let typed = self.picker.input.value().to_owned();
        self.submit_typed(&typed, names)
    }

    fn submit_typed(&mut self, typed: &str, names: &KnownNames<'_>) -> Vec<GoToStep> {
        if let Some(several) = several(typed) {
            return vec![GoToStep::OpenAll(several)];
        }
        let reading = names.understand(typed);
        if let Some(track) = reading.as_ref().ok().and_then(|reading| names.tracked_at(typed, reading)) {
            return vec![GoToStep::Track(track)];
        }
        let is_sure = reading.as_ref().is_ok_and(|reading| names.is_sure(reading));
        match (reading, self.picker.choices()) {
            (Ok(reading), rivals) if is_sure || rivals.len() < 2 => {
                self.elsewhere = names.elsewhere(&reading);
                return self.look_up(reading.targets, names);
            }
            (Ok(_), _) => self.problem = Some("several things go by this name: choose with ↓ and Enter".to_owned()),
            (Err(_), [only]) if only.is_close && !typed.trim().is_empty() => {
                let targets = only.targets.clone();
                return self.look_up(targets, names);
            }
            (Err(problem), _) => self.problem = Some(problem.to_string()),
        }
        Vec::new()
    }

    /// Opens the only reading there is, or looks all of them up.
    fn look_up(&mut self, mut targets: Vec<Target>, names: &KnownNames<'_>) -> Vec<GoToStep> {
        if names.context.network.vm.is_some_and(|vm| vm != Vm::Evm) && targets.len() > 1 {
            targets.retain(|target| target.kind() != TargetKind::EvmTx);
        }
        targets.truncate(READINGS);
        if let [target] = targets.as_slice() {
            if let Target::Chain(name) = target {
                self.problem = Some(names.describe_chain(name));
                return Vec::new();
            }
            return self.open(&target.clone());
        }
        self.problem = None;
        self.picker.unmark();
        self.probes =
            targets.iter().map(|target| Probe { target: target.clone(), outcome: Outcome::Awaited }).collect();
        let mut steps = Vec::new();
        for (place, target) in targets.iter().enumerate() {
            match probe(target) {
                Some(request) => steps.push(GoToStep::LookUp(lane(place), request)),
                None => steps.extend(self.settle(place, Outcome::Absent, names)),
            }
        }
        steps
    }

    /// Closes the input and opens a reading, with what its look-up brought.
    fn open(&mut self, target: &Target) -> Vec<GoToStep> {
        let answer = self.take_answer(target);
        vec![GoToStep::Open(target.clone(), answer, self.elsewhere.take())]
    }

    /// One reading of an ambiguous text was looked up.
    pub(super) fn take_probe(
        &mut self,
        Lane(place): Lane,
        result: Result<Answer, ApiError>,
        names: &KnownNames<'_>,
    ) -> Vec<GoToStep> {
        let problem = match &result {
            Err(error) if !is_absence(error) => Some(self.sentence_of_failure(error)),
            _ => None,
        };
        let outcome = match result {
            Ok(answer) if is_something(&answer) => Outcome::Found(answer),
            Err(_) if problem.is_some() => Outcome::Failed,
            _ => Outcome::Absent,
        };
        self.problem = problem.or(self.problem.take());
        self.settle(usize::from(place), outcome, names)
    }

    /// Why what was typed could not be looked up: in its own terms, not in those of the request.
    fn sentence_of_failure(&self, error: &ApiError) -> String {
        let targets: Vec<Target> = self.probes.iter().map(|probe| probe.target.clone()).collect();
        format!("could not look for {}: {}; {}", list_kinds(&targets), error.brief(), error.advice())
    }

    fn settle(&mut self, place: usize, outcome: Outcome, names: &KnownNames<'_>) -> Vec<GoToStep> {
        let Some(probe) = self.probes.get_mut(place) else { return Vec::new() };
        probe.outcome = outcome;
        if self.is_waiting() { Vec::new() } else { self.decide(names) }
    }

    /// All readings are looked up: one opens, several are offered, none is said.
    fn decide(&mut self, names: &KnownNames<'_>) -> Vec<GoToStep> {
        let found = self.probes.iter().filter(|probe| matches!(probe.outcome, Outcome::Found(_)));
        let found: Vec<Target> = found.map(|probe| probe.target.clone()).collect();
        let has_failed = self.probes.iter().any(|probe| matches!(probe.outcome, Outcome::Failed));
        match found.as_slice() {
            [only] => self.open(&only.clone()),
            [] => {
                let targets = || self.probes.iter().map(|probe| &probe.target);
                let is_hash = targets().any(is_transaction);
                let account = targets().find(|target| target.kind() == TargetKind::Account && !is_hash);
                match account.cloned() {
                    // Its page says that there is nothing; an address need not have done anything.
                    Some(account) if !has_failed => self.open(&account),
                    _ => {
                        let targets: Vec<Target> = targets().cloned().collect();
                        self.picker.offer(names.trackable(&targets), None);
                        self.say_nothing_found();
                        Vec::new()
                    }
                }
            }
            several => {
                let labels: Vec<String> = several.iter().map(|target| names.label_of(target)).collect();
                let mut labels = labels.into_iter();
                let offer = |target: &Target| Suggestion {
                    targets: vec![target.clone()],
                    label: labels.next().unwrap_or_default(),
                    source: SuggestionSource::Found,
                    is_close: true,
                    track: None,
                };
                self.picker.offer(several.iter().map(offer).collect(), Some(0));
                vec![GoToStep::StopSuggesting]
            }
        }
    }

    fn say_nothing_found(&mut self) {
        let targets: Vec<Target> = std::mem::take(&mut self.probes).into_iter().map(|probe| probe.target).collect();
        let elsewhere = self.elsewhere.as_ref().map(|elsewhere| format!(" ({elsewhere})")).unwrap_or_default();
        let is_hash = targets.iter().any(is_transaction);
        let blocks = if is_hash { "; blocks cannot be found by their hash" } else { "" };
        let sentence =
            format!("not here{elsewhere}: neither {}{blocks}", list_kinds(&targets).replace(" or ", " nor "));
        self.problem.get_or_insert(sentence);
    }
}

impl App {
    /// Keeps a text as the newest recent.
    pub(super) fn remember(&mut self, target: &Target) {
        let (text, tagged) = (target.text(), target.tagged());
        self.recents.retain(|known| *known != text && *known != tagged);
        self.recents.insert(0, tagged.clone());
        self.recents.truncate(RECENTS as usize);
        self.requests.instruct(Instruction::Remember(tagged));
    }

    /// Opens the input with a text and goes where it leads.
    pub(super) fn go_to_text(&mut self, text: String) {
        self.open_modal(Modal::GoTo(GoTo::of(text)));
        self.in_go_to(GoTo::submit);
    }

    /// Lets the input act, and then does what it wants.
    pub(super) fn in_go_to(&mut self, act: impl FnOnce(&mut GoTo, &KnownNames<'_>) -> Vec<GoToStep>) {
        let Some(Modal::GoTo(go_to)) = &mut self.modal else { return };
        let names = KnownNames::new(&self.context, &self.navigation, &self.recents, go_to.loaded.clone());
        let steps = act(go_to, &names);
        self.effects.redraw = true;
        for step in steps {
            self.take_go_to_step(step);
        }
    }

    fn take_go_to_step(&mut self, step: GoToStep) {
        match step {
            GoToStep::StopAsking => {
                self.requests.cancel_where(|slot| matches!(slot, Slot::Suggestions | Slot::GoTo(_)));
            }
            GoToStep::StopSuggesting => self.requests.cancel_where(|slot| *slot == Slot::Suggestions),
            GoToStep::AskServer(request) => self.requests.fetch(Slot::Suggestions, request),
            GoToStep::LookUp(lane, request) => self.requests.fetch(Slot::GoTo(lane), request),
            GoToStep::Open(target, answer, elsewhere) => {
                self.close_go_to();
                match answer.and_then(Destination::found) {
                    Some(destination) => self.open_page(destination),
                    None => self.open_target(&target),
                }
                if let Some(elsewhere) = elsewhere {
                    self.toasts.inform(elsewhere);
                }
            }
            GoToStep::LearnChains => {
                if self.has_router() {
                    let now = self.now;
                    let asked = self.directory.learn(BTreeSet::new(), now);
                    self.requests.fetch_all(asked);
                }
            }
            GoToStep::Track(TrackTarget { chain, hash }) => {
                self.close_go_to();
                self.with_transfers(|transfers, cx| transfers.track_found(chain, &hash, cx));
            }
            GoToStep::TrackAll(all) => {
                self.close_go_to();
                self.with_transfers(|transfers, cx| transfers.track_list(all, cx));
            }
            GoToStep::OpenAll(several) => {
                self.close_go_to();
                self.open_page(Destination::Results(several));
            }
        }
    }

    /// Closes the input and stops its look-ups.
    pub(super) fn close_go_to(&mut self) {
        self.requests.cancel_where(|slot| matches!(slot, Slot::Suggestions | Slot::GoTo(_)));
        self.modal = None;
        self.effects.redraw = true;
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
