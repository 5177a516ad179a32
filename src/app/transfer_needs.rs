//! Events for the kept transfers, and their automatic requests.

use std::time::Duration;

use super::{
    App,
    context::Context,
    page::Shows,
    transfers::{SessionFacts, TransferCx, Transfers},
};
use crate::domain::{ChainId, Timestamp};

impl SessionFacts {
    pub(super) fn new(app: &App) -> Self {
        let page = app.navigation.current();
        Self {
            now: app.context.now,
            zone: app.context.zone.clone(),
            own_chain: app.context.own_chain(),
            executor: app.context.executor(),
            l1: app.context.network.l1.as_deref().map(ChainId::new),
            has_router: app.context.has_router(),
            is_router_gone: app.context.has_own_router(),
            block_seconds: app.context.chain.average.value().copied(),
            shown: page.place().transfers,
            labelled: page
                .place()
                .shows(Shows::Claims)
                .then(|| app.context.glossary.named_accounts().into_iter().collect()),
            selected: page.selection().transfer,
            has_modal: app.modal.is_some(),
            layers: app.screen().layers(),
        }
    }
}

impl App {
    /// Requests missing data of kept transfers and saves their changes, after every update.
    pub(super) fn meet_transfer_needs(&mut self) {
        // Headlines also appear on other screens, and name chains and assets.
        if self.context.has_router() && self.context.transfers.needs_names() {
            let (named, now) = (self.context.transfers.named_chains(), self.context.now);
            let asked = self.context.directory.learn(named, now);
            self.requests.fetch_all(asked);
        }
        self.with_transfers(Transfers::meet_needs);
    }

    /// Returns the time until the next request about a transfer.
    pub(super) fn next_transfer_poll(&self, now: Timestamp) -> Option<Duration> {
        let Self { context: Context { transfers, directory, keymap, .. }, requests, .. } = self;
        let facts = SessionFacts::new(self);
        let pending = requests.slots().collect();
        let cx = TransferCx { facts, directory, keymap, pending, effects: Vec::new() };
        transfers.next_question(&cx).map(|at| at.since(now))
    }
}
