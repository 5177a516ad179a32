//! Between the session and the transfers: they act with what is so in the session, which then does what they want.

use std::time::Duration;

use tui_input::InputRequest;

use super::{
    App,
    context::Context,
    modal::Modal,
    page::Destination,
    prompt::{Entry, EntryPurpose, Prompt},
    transfers::{SessionFacts, TransferCx, TransferEffect, Transfers},
};
use crate::domain::{ChainId, Timestamp, TransferId};

impl App {
    /// Lets the transfers act, and then does what they want.
    pub(super) fn with_transfers<R>(&mut self, act: impl FnOnce(&mut Transfers, &mut TransferCx<'_>) -> R) -> R {
        let facts = self.transfer_facts();
        let Self { context: Context { transfers, directory, keymap, .. }, requests, .. } = self;
        let mut cx = TransferCx { facts, directory, keymap, requests, effects: Vec::new() };
        let result = act(transfers, &mut cx);
        for effect in cx.effects {
            self.carry_out_for_transfers(effect);
        }
        result
    }

    fn transfer_facts(&self) -> SessionFacts {
        let page = self.navigation.current();
        SessionFacts {
            now: self.now,
            zone: self.zone.clone(),
            own_chain: self.own_chain(),
            executor: self.executor(),
            l1: self.network.l1.as_deref().map(ChainId::new),
            has_router: self.has_router(),
            is_router_gone: self.has_own_router(),
            block_seconds: self.chain.average.value().copied(),
            shown: page.shown_transfers(),
            selected: page.selected_transfer(),
            has_modal: self.modal.is_some(),
            layers: self.layers(),
        }
    }

    fn carry_out_for_transfers(&mut self, effect: TransferEffect) {
        match effect {
            TransferEffect::Ask(slot, request) => self.requests.fetch(slot, request),
            TransferEffect::Cancel(slot) => self.requests.cancel_where(|waiting| *waiting == slot),
            TransferEffect::Instruct(instruction) => self.requests.instruct(instruction),
            TransferEffect::Say(kind, text) => self.toasts.say(kind, text),
            TransferEffect::Unsay => self.toasts.take_back(),
            TransferEffect::Host(effect) => self.effects.host.push(effect),
            TransferEffect::OpenTransfer(id) => self.open_page(Destination::Transfer(id)),
            TransferEffect::OpenBoard => self.open_page(Destination::Transfers),
            TransferEffect::QuoteFrom(release, to) => self.open_page(Destination::QuoteFrom(release, to)),
            TransferEffect::SendNext(record, route, tx, false) => {
                self.open_page(Destination::SendNext(record, route, tx));
            }
            TransferEffect::SendNext(record, route, tx, true) => {
                self.open_page(Destination::SignNext(record, route, tx));
            }
            TransferEffect::HookSigned(page, signed) => {
                self.with_page(page, |page, cx| page.hook_signed(signed, cx));
            }
            TransferEffect::AskForHash { prompt, text, problem } => {
                let mut entry = Entry::new(EntryPurpose::TrackHash, prompt, &text);
                entry.problem = problem;
                entry.input.handle(InputRequest::GoToStart);
                self.open_modal(Modal::Prompt(Prompt::Entry(entry)));
            }
            TransferEffect::AskForLabel(id, label) => {
                let prompt = "Name of this transfer (empty takes it away)";
                self.open_modal(Modal::Prompt(Prompt::Entry(Entry::new(EntryPurpose::Label(id), prompt, &label))));
            }
            TransferEffect::CloseModal => self.modal = None,
            TransferEffect::Departed(page, outcome) => match (self.navigation.page_mut(page), outcome) {
                (Some(page), outcome) => page.departed(&outcome),
                (None, Err(text)) => self.toasts.complain(text),
                (None, Ok(_)) => {}
            },
            TransferEffect::Leave => self.travel(false),
            TransferEffect::Redraw => self.effects.redraw = true,
        }
    }

    /// Asks for what the kept transfers lack, and saves what changed of them. Runs after every update.
    pub(super) fn meet_transfer_needs(&mut self) {
        // What is told of live transfers on other screens names chains and assets too.
        if self.has_router() && self.transfers.live() > 0 {
            let (named, now) = (self.transfers.named_chains(), self.now);
            let asked = self.directory.learn(named, now);
            self.requests.fetch_all(asked);
        }
        self.with_transfers(Transfers::meet_needs);
    }

    /// Until a transfer is to be asked about again.
    pub(super) fn next_transfer_poll(&self, now: Timestamp) -> Option<Duration> {
        let Self { context: Context { transfers, directory, keymap, .. }, requests, .. } = self;
        let facts = self.transfer_facts();
        let cx = TransferCx { facts, directory, keymap, requests, effects: Vec::new() };
        transfers.next_question(&cx).map(|at| at.since(now))
    }

    /// A hash to track was typed.
    pub(super) fn enter_track_hash(&mut self, text: &str) -> Result<(), String> {
        self.with_transfers(|transfers, cx| transfers.enter_hash(text, cx))
    }

    /// A name for a transfer was typed.
    pub(super) fn enter_label(&mut self, id: &TransferId, typed: &str) -> Result<(), String> {
        self.with_transfers(|transfers, _| transfers.enter_label(id, typed))
    }

    /// Somebody is here: the title is what it was.
    pub(super) fn take_title_back(&mut self) {
        self.with_transfers(Transfers::take_title_back);
    }
}
