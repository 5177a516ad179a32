//! Go-to input. It parses a text as every target that it may mean, and looks up ambiguous ones.

mod known;
mod seeking;
mod state;
mod suggest;
mod time;
mod tracking;

pub(crate) use state::{GoTo, Suggestion, SuggestionSource};

pub(crate) use known::word_for;
pub(super) use known::{KnownNames, list_kinds};
pub(crate) use tracking::{SuggestedStep, TrackTarget};

use std::{collections::BTreeSet, sync::Arc};

use super::{
    App,
    modal::Modal,
    offered::use_network,
    page::{Destination, FoundTarget},
};
use crate::{
    config::OfferedNetwork,
    domain::{ListedTransfer, RECENTS, Several, Target, TargetError, TargetKind, Vm, several, text},
    msg::{
        Ask, Instruction, Lane, ListPage, PageRequest, Slot, TokenOrder, TokenQuery, TokenScope, TxQuery, TxScope, ask,
    },
    story::numbered_queries,
    wire::{self, ApiError, Collection, ErrorKind, node::SearchedTxs, router::TrackRequest},
};
use state::{Outcome, Probe};
use tracking::{TrackOutcome, TrackProbe};

/// Maximum readings of a text to look up.
const READINGS: usize = 8;
/// Maximum transactions in which a transfer with a number began, and as many in which one arrived.
const MOST_TRANSFERS: u16 = 20;

#[derive(Debug)]
pub(super) enum GoToStep {
    /// Cancel the lookups.
    StopAsking,
    StopSuggesting,
    AskServer(Ask<ListPage<Arc<Collection>>>),
    LookUp(Lane, Ask<Option<FoundTarget>>),
    AskRouter(Lane, Ask<()>),
    /// Close the input, open this target with its record, then show this message.
    Open(Target, Option<FoundTarget>, Option<String>),
    /// Request the router's chains, unless already requested.
    LearnChains,
    /// Close the input and open this page.
    OpenPage(Destination),
    /// Request a block between two, for the block of a time.
    LookUpTime(Ask<Option<FoundTarget>>),
    /// Close the input and let the router track this transaction.
    Track(TrackTarget),
    TrackAll(Vec<ListedTransfer>),
    /// Close the input and open the table of pasted entries.
    OpenAll(Several),
    /// Close the input and examine the network of this link.
    UseNetwork(String),
}

impl GoTo {
    /// Opens the selected target, on Enter. A second Enter does not wait for lookups.
    pub(super) fn submit(&mut self, names: &KnownNames<'_>) -> Vec<GoToStep> {
        if let Some(chosen) = self.picker.selected().cloned() {
            if let Some(offer) = chosen.offer {
                return vec![step_of(offer)];
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
        if OfferedNetwork::of_link(typed).is_some() {
            return vec![GoToStep::UseNetwork(typed.to_owned())];
        }
        if let Some(at) = names.time(typed) {
            return self.seek_time(at, names);
        }
        if let Some(sentence) = names.describe_amount(typed) {
            self.problem = Some(sentence);
            return Vec::new();
        }
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
            (Ok(_), _) => self.problem = Some("several matches: choose with ↓ and Enter".to_owned()),
            (Err(problem), choices) => {
                let is_named = |choice: &&Suggestion| choice.is_close && choice.source < SuggestionSource::Typed;
                // Digits of an address that is too short are no name that was mistyped.
                let is_name = !typed.trim().is_empty() && !matches!(problem, TargetError::Short(_));
                let taken = choices.first().filter(|_| choices.len() == 1).or(choices.iter().find(is_named));
                let taken = taken.filter(|_| is_name);
                let Some(Suggestion { label, targets, offer, .. }) = taken.cloned() else {
                    self.problem = Some(problem.to_string());
                    return Vec::new();
                };
                if let Some(offer) = offer {
                    return vec![step_of(offer)];
                }
                self.elsewhere = Some(format!("“{}” read as {label}", text::clip(typed, 40)));
                return self.look_up(targets, names);
            }
        }
        Vec::new()
    }

    /// Opens the reading of a text if there is only one, else looks up all.
    fn look_up(&mut self, mut targets: Vec<Target>, names: &KnownNames<'_>) -> Vec<GoToStep> {
        if names.context.network.vm.is_some_and(|vm| vm != Vm::Evm) && targets.len() > 1 {
            targets.retain(|target| target.kind() != TargetKind::EvmTx);
        }
        targets.truncate(READINGS);
        if let [target] = targets.as_slice()
            && !matches!(target, Target::Transfer(_))
        {
            if let Target::Chain(name) = target {
                let sentence = names.describe_chain(name);
                let is_url = self.picker.input.value().contains("://");
                self.problem = Some(if is_url { format!("the URL names only a chain: {sentence}") } else { sentence });
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
                Some(ask) => steps.push(GoToStep::LookUp(lane(place), ask)),
                None => steps.extend(self.settle(place, Outcome::Absent, names)),
            }
        }
        steps
    }

    /// Closes the input and opens a target, with the record that its lookup found.
    fn open(&mut self, target: &Target) -> Vec<GoToStep> {
        let found = self.take_found(target);
        vec![GoToStep::Open(target.clone(), found, self.elsewhere.take())]
    }

    /// Takes the result of a reading's lookup.
    pub(super) fn take_probe(
        &mut self,
        Lane(place): Lane,
        result: Result<Option<FoundTarget>, ApiError>,
        names: &KnownNames<'_>,
    ) -> Vec<GoToStep> {
        let problem = match &result {
            Err(error) if !is_absence(error) => Some(self.sentence_of_failure(error)),
            _ => None,
        };
        let outcome = match result {
            Ok(Some(FoundTarget::Transfers(txs))) => {
                let probe = |tx: &Arc<wire::Tx>| Probe {
                    target: Target::Tx(tx.txhash),
                    outcome: Outcome::Found(FoundTarget::Transfers(vec![Arc::clone(tx)])),
                };
                self.probes = txs.iter().map(probe).collect();
                return self.decide(names);
            }
            Ok(Some(found)) => Outcome::Found(found),
            Err(_) if problem.is_some() => Outcome::Failed,
            _ => Outcome::Absent,
        };
        self.problem = problem.or(self.problem.take());
        self.settle(usize::from(place), outcome, names)
    }

    /// Explains a failed lookup by the text that the user typed, not by the request.
    fn sentence_of_failure(&self, error: &ApiError) -> String {
        let targets: Vec<Target> = self.probes.iter().map(|probe| probe.target.clone()).collect();
        format!("search for {} failed: {}; {}", list_kinds(&targets), error.brief(), error.advice())
    }

    fn settle(&mut self, place: usize, outcome: Outcome, names: &KnownNames<'_>) -> Vec<GoToStep> {
        let Some(probe) = self.probes.get_mut(place) else { return Vec::new() };
        probe.outcome = outcome;
        if self.is_waiting() { Vec::new() } else { self.decide(names) }
    }

    /// Decides when all lookups have ended: opens the only match, offers several, or reports that there is none.
    fn decide(&mut self, names: &KnownNames<'_>) -> Vec<GoToStep> {
        let label = |probe: &Probe| match &probe.outcome {
            Outcome::Found(FoundTarget::Transfers(txs)) => txs.first().map(|tx| names.label_of_transfers(tx)),
            Outcome::Found(_) => Some(names.label_of(&probe.target)),
            _ => None,
        };
        let (found, labels): (Vec<Target>, Vec<String>) =
            self.probes.iter().filter_map(|probe| Some((probe.target.clone(), label(probe)?))).unzip();
        let has_failed = self.probes.iter().any(|probe| matches!(probe.outcome, Outcome::Failed));
        match found.as_slice() {
            [only] => self.open(&only.clone()),
            [] => {
                let targets = || self.probes.iter().map(|probe| &probe.target);
                let is_hash = targets().any(is_transaction);
                let account = targets().find(|target| target.kind() == TargetKind::Account && !is_hash);
                match account.cloned() {
                    // An account needs no transaction to exist, so its page opens.
                    Some(account) if !has_failed => self.open(&account),
                    _ => {
                        let targets: Vec<Target> = targets().cloned().collect();
                        self.ask_router(&targets, names)
                    }
                }
            }
            several => {
                let mut labels = labels.into_iter();
                let offer = |target: &Target| Suggestion {
                    targets: vec![target.clone()],
                    label: labels.next().unwrap_or_default(),
                    source: SuggestionSource::Found,
                    is_close: true,
                    offer: None,
                };
                self.picker.offer(several.iter().map(offer).collect(), Some(0));
                vec![GoToStep::StopSuggesting]
            }
        }
    }

    /// Opens the kept transfer of a hash that this chain does not have, or asks the router on which chain it tracks it.
    /// The chains are offered meanwhile.
    fn ask_router(&mut self, targets: &[Target], names: &KnownNames<'_>) -> Vec<GoToStep> {
        let offers = names.trackable(targets);
        let tracks = offers.iter().filter_map(|offer| match &offer.offer {
            Some(SuggestedStep::Track(target)) => Some(target.clone()),
            _ => None,
        });
        self.track_probes = tracks.map(|target| TrackProbe { target, outcome: TrackOutcome::Awaited }).collect();
        let is_kept = |probe: &&TrackProbe| names.context.transfers.is_kept(&probe.target.chain, &probe.target.hash);
        if let Some(kept) = self.track_probes.iter().find(is_kept) {
            return vec![GoToStep::Track(kept.target.clone())];
        }
        let first = Some(0).filter(|_| !offers.is_empty());
        self.picker.offer(offers, first);
        self.say_nothing_found();
        self.unanswered.clone_from(&self.problem);
        self.say_of_router();
        let ask = |target: &TrackTarget| {
            let request = TrackRequest { tx_hash: target.hash.to_string(), chain_id: target.chain.clone() };
            ask::transfer_status(request).map(|_| ())
        };
        let asks = self.track_probes.iter().map(|probe| ask(&probe.target));
        asks.enumerate().map(|(place, ask)| GoToStep::AskRouter(lane(place), ask)).collect()
    }

    /// Tracks the transaction where the router knows it.
    fn take_track_probe(&mut self, Lane(place): Lane, result: &Result<(), ApiError>) -> Vec<GoToStep> {
        let Some(probe) = self.track_probes.get_mut(usize::from(place)) else { return Vec::new() };
        probe.outcome = match result {
            Ok(()) => return vec![GoToStep::StopAsking, GoToStep::Track(probe.target.clone())],
            Err(error) if is_absence(error) => TrackOutcome::Unknown,
            Err(_) => TrackOutcome::Failed,
        };
        self.say_of_router();
        Vec::new()
    }

    /// Adds to the problem what the router has said so far.
    fn say_of_router(&mut self) {
        let count = |outcome| self.track_probes.iter().filter(|probe| probe.outcome == outcome).count();
        let all = self.track_probes.len();
        let said = match (count(TrackOutcome::Awaited), count(TrackOutcome::Failed)) {
            _ if all == 0 => return,
            (0, 0) => "the router tracks it on none of these chains".to_owned(),
            (0, failed) => format!("the router did not answer for {failed} of these {all} chains"),
            (left, _) => format!("asking the router about {}", text::count(left, "chain")),
        };
        self.problem = self.unanswered.as_ref().map(|problem| format!("{problem}; {said}"));
    }

    fn say_nothing_found(&mut self) {
        let targets: Vec<Target> = std::mem::take(&mut self.probes).into_iter().map(|probe| probe.target).collect();
        let elsewhere = self.elsewhere.as_ref().map(|elsewhere| format!(" ({elsewhere})")).unwrap_or_default();
        let is_hash = targets.iter().any(is_transaction);
        let blocks = if is_hash { "; the API has no lookup of blocks by hash" } else { "" };
        let sentence = format!("not found{elsewhere} as {}{blocks}", list_kinds(&targets));
        self.problem.get_or_insert(sentence);
    }
}

impl App {
    /// Makes a target the first of the recents.
    pub(super) fn remember(&mut self, target: &Target) {
        let (text, tagged) = (target.text(), target.tagged());
        self.recents.retain(|known| *known != text && *known != tagged);
        self.recents.insert(0, tagged.clone());
        self.recents.truncate(RECENTS as usize);
        self.requests.instruct(Instruction::Remember(tagged));
    }

    /// Opens the input, enters a text and submits it.
    pub(super) fn go_to_text(&mut self, text: String) {
        self.open_modal(Modal::GoTo(GoTo::of(text)));
        self.in_go_to(GoTo::submit);
    }

    /// Runs an action of the input, then the steps that it returns.
    pub(super) fn in_go_to(&mut self, act: impl FnOnce(&mut GoTo, &KnownNames<'_>) -> Vec<GoToStep>) {
        let Some(Modal::GoTo(go_to)) = &mut self.modal else { return };
        let names = KnownNames::new(&self.context, &self.navigation, &self.recents, go_to.loaded.clone());
        let steps = act(go_to, &names);
        self.needs_redraw = true;
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
            GoToStep::AskServer(ask) => self.requests.fetch(Slot::Suggestions, ask, |app, result| {
                // Without the server's answer there are only fewer suggestions.
                if let (Ok(page), Some(Modal::GoTo(go_to))) = (result, &mut app.modal) {
                    go_to.take_suggestions(&page);
                    app.needs_redraw = true;
                }
            }),
            GoToStep::LookUp(lane, ask) => self.requests.fetch(Slot::GoTo(lane), ask, move |app, result| {
                app.in_go_to(|go_to, names| go_to.take_probe(lane, result, names));
            }),
            GoToStep::AskRouter(lane, ask) => self.requests.fetch(Slot::GoTo(lane), ask, move |app, result| {
                app.in_go_to(|go_to, _| go_to.take_track_probe(lane, &result));
            }),
            GoToStep::OpenPage(destination) => {
                self.close_modal();
                self.open_page(destination);
            }
            GoToStep::LookUpTime(ask) => self.requests.fetch(Slot::GoTo(lane(0)), ask, |app, result| {
                app.in_go_to(|go_to, names| go_to.take_time(result, names));
            }),
            GoToStep::Open(target, found, elsewhere) => {
                self.close_modal();
                match found.and_then(Destination::found) {
                    Some(destination) => self.open_page(destination),
                    None => self.open_target(&target),
                }
                if let Some(elsewhere) = elsewhere {
                    self.toasts.inform(elsewhere);
                }
            }
            GoToStep::LearnChains => {
                if self.context.has_router() {
                    let now = self.context.now;
                    let asked = self.context.directory.learn(BTreeSet::new(), now);
                    self.requests.fetch_all(asked);
                }
            }
            GoToStep::Track(TrackTarget { chain, hash }) => {
                self.close_modal();
                self.with_transfers(|transfers, cx| transfers.track_found(chain, &hash, cx));
            }
            GoToStep::TrackAll(all) => {
                self.close_modal();
                self.with_transfers(|transfers, cx| transfers.track_list(all, cx));
            }
            GoToStep::UseNetwork(link) => {
                self.close_modal();
                use_network(self, &link);
            }
            GoToStep::OpenAll(several) => {
                self.close_modal();
                self.open_page(Destination::Results(several));
            }
        }
    }
}

fn step_of(offer: SuggestedStep) -> GoToStep {
    match offer {
        SuggestedStep::Track(track) => GoToStep::Track(track),
        SuggestedStep::TrackAll(all) => GoToStep::TrackAll(all),
        SuggestedStep::TxsOf(kind) => GoToStep::OpenPage(Destination::TxsOf(kind)),
    }
}

fn lane(place: usize) -> Lane {
    Lane(u8::try_from(place).unwrap_or(u8::MAX))
}

fn is_transaction(target: &Target) -> bool {
    matches!(target.kind(), TargetKind::Tx | TargetKind::EvmTx)
}

/// Whether an error means that the target does not exist. A server without such records has no route for them.
pub(crate) fn is_absence(error: &ApiError) -> bool {
    error.is_not_found() || matches!(error.kind, ErrorKind::Rejected { status: 404, .. })
}

/// Returns the request that shows whether a target exists; `None` if no request can.
pub(crate) fn probe(target: &Target) -> Option<Ask<Option<FoundTarget>>> {
    let one = || PageRequest { count_total: false, ..PageRequest::newest(1) };
    Some(match target {
        Target::Block(height) => ask::block(*height).map(|block| Some(FoundTarget::Block(block))),
        Target::Tx(hash) => ask::tx(*hash).map(|tx| Some(FoundTarget::Tx(tx))),
        Target::EvmTx(hash) => ask::evm_tx(*hash).map(|receipt| Some(FoundTarget::Receipt(receipt))),
        Target::Account(address) => {
            let scope = TxScope::Account { address: *address, signer_only: false };
            let ask = ask::txs(TxQuery { scope, msgs: Vec::new() }, one());
            ask.map(|page| page.items.into_iter().next().map(FoundTarget::Account))
        }
        Target::Collection(address) => ask::collection(*address).map(|record| Some(FoundTarget::Collection(record))),
        Target::Token { collection, token_id } => {
            let scope = TokenScope::Collection(*collection);
            let query = TokenQuery { scope, token_id: Some(token_id.clone()), order_by: TokenOrder::default() };
            ask::tokens(query, one()).map(|page| page.items.into_iter().next().map(FoundTarget::Token))
        }
        Target::Denom(denom) => {
            ask::holders(denom.clone(), one()).map(|page| page.items.first().map(|_| FoundTarget::Denom))
        }
        Target::Chain(_) => return None,
        Target::Transfer(transfer) => {
            let found =
                |found: &Arc<SearchedTxs>| (!found.txs.is_empty()).then(|| FoundTarget::Transfers(found.txs.clone()));
            ask::node_txs(numbered_queries(*transfer), MOST_TRANSFERS).map(move |txs| found(&txs))
        }
    })
}
