//! Session facts that the transfers read, and the context in which they emit effects.

use std::borrow::Cow;

use super::{ShownTransfers, Transfers, WatchedTransfer};
use crate::{
    app::{
        directory::Directory,
        page::{Destination, PageEffect},
        prompt::{Entry, Prompt},
        requests::SlotRequest,
        toast::ToastKind,
    },
    config::{Command, Keymap, Layer},
    domain::{Address, ChainId, LocalZone, Timestamp, TransferId, text},
    msg::{Answer, Ask, Slot, WitnessOf},
    story::Names,
    transfers::{FollowerContext, L1Addresses, PollPriority, QuestionKind},
    wire::ApiError,
};

/// Maximum columns of a chain id in a sentence.
const NAME: usize = 24;

#[derive(Debug)]
pub(in crate::app) struct SessionFacts {
    pub(in crate::app) now: Timestamp,
    pub(in crate::app) zone: LocalZone,
    /// Chain that the indexer serves.
    pub(in crate::app) own_chain: Option<ChainId>,
    /// URL of the bridge executor's API, if known.
    pub(in crate::app) executor: Option<String>,
    /// L1 of the network; `None` for a simulation.
    pub(in crate::app) l1: Option<ChainId>,
    pub(in crate::app) has_router: bool,
    /// Whether the router restarted together with the indexer.
    pub(in crate::app) is_router_gone: bool,
    /// Block time in seconds, if known.
    pub(in crate::app) block_seconds: Option<f64>,
    pub(in crate::app) shown: ShownTransfers,
    /// Accounts that the user named; `None` unless the screen shows unclaimed withdrawals.
    pub(in crate::app) labelled: Option<Vec<Address>>,
    /// Transfer on the page, or under the cursor.
    pub(in crate::app) selected: Option<TransferId>,
    /// Whether an overlay covers the page.
    pub(in crate::app) has_modal: bool,
    pub(in crate::app) layers: &'static [Layer],
}

/// Function with which the transfers take the reply to their request.
pub(crate) type TakeForTransfers = dyn FnOnce(&mut Transfers, Result<Answer, ApiError>, &mut TransferCx<'_>);

#[derive(Debug)]
pub(crate) struct TransferCx<'a> {
    pub(in crate::app) facts: SessionFacts,
    pub(in crate::app) directory: &'a Directory,
    pub(in crate::app) keymap: &'a Keymap,
    pub(in crate::app) pending: Vec<&'a Slot>,
    /// In order of emission.
    pub(in crate::app) effects: Vec<PageEffect>,
}

pub(super) fn slot_of(id: &TransferId, kind: QuestionKind) -> Slot {
    let witness = |of| Slot::Witness(id.clone(), of);
    match kind {
        QuestionKind::Track => Slot::Track(id.clone()),
        QuestionKind::Status => Slot::TransferStatus(id.clone()),
        QuestionKind::Estimate => witness(WitnessOf::Estimate),
        QuestionKind::Source => witness(WitnessOf::Source),
        QuestionKind::Crossing => witness(WitnessOf::Crossing),
        QuestionKind::Arrival => witness(WitnessOf::Arrival),
        QuestionKind::Return => witness(WitnessOf::Return),
        QuestionKind::Settlement => witness(WitnessOf::Settlement),
        QuestionKind::Expiry => witness(WitnessOf::Expiry),
    }
}

impl TransferCx<'_> {
    pub(super) fn is_waiting(&self, slot: &Slot) -> bool {
        self.pending.contains(&slot)
    }

    fn priority(&self, transfer: &WatchedTransfer) -> PollPriority {
        if self.facts.shown.has(&transfer.follower.record.id) {
            PollPriority::Shown
        } else if transfer.is_watched {
            PollPriority::Watched
        } else {
            PollPriority::Hidden
        }
    }

    /// Returns the facts that a transfer's follower needs for its questions.
    pub(super) fn follower_context<'a>(
        &'a self,
        transfer: &WatchedTransfer,
        l1s: &'a L1Addresses,
    ) -> FollowerContext<'a> {
        FollowerContext {
            now: self.facts.now,
            names: self.directory,
            own_chain: self.facts.own_chain.as_ref(),
            has_router: self.facts.has_router,
            executor: self.facts.executor.as_deref(),
            l1s,
            block_seconds: self.facts.block_seconds,
            priority: self.priority(transfer),
            is_watched: transfer.is_watched,
        }
    }

    pub(super) fn l1_addresses(&self) -> L1Addresses {
        let listed = self.directory.chains.value().into_iter().flat_map(|chains| chains.iter());
        let hosts =
            listed.filter(|chain| !chain.rest.is_empty() && Names::is_settlement(self.directory, &chain.chain_id));
        let listed: Vec<(ChainId, String)> = hosts.map(|chain| (chain.chain_id.clone(), chain.rest.clone())).collect();
        let all = self.facts.l1.iter().chain(listed.iter().map(|(l1, _)| l1));
        let known = all.filter_map(|l1| {
            let rest = self.directory.trust(l1, self.facts.own_chain.as_ref()).rest?;
            Some((l1.clone(), rest))
        });
        L1Addresses { is_awaited: self.directory.awaits_chains(), known: known.collect(), listed }
    }

    /// Returns the name of the indexer's chain for a sentence.
    pub(super) fn own_name(&self) -> String {
        self.facts.own_chain.as_ref().map_or_else(|| "this chain".to_owned(), |own| text::clip(own.as_str(), NAME))
    }

    pub(super) fn emit(&mut self, effect: PageEffect) {
        self.effects.push(effect);
    }

    /// Sends a request. `take` gets the answer, in the type that the request names.
    pub(super) fn request<T: 'static>(
        &mut self,
        slot: Slot,
        ask: Ask<T>,
        take: impl FnOnce(&mut Transfers, Result<T, ApiError>, &mut TransferCx<'_>) + 'static,
    ) {
        let request = ask.request().clone();
        let take = Box::new(move |transfers: &mut Transfers, reply, cx: &mut TransferCx<'_>| {
            take(transfers, ask.read(reply), cx);
        });
        self.emit(PageEffect::RequestForTransfers(SlotRequest { slot, request, take }));
    }

    pub(super) fn cancel_questions(&mut self, id: &TransferId) {
        for kind in QuestionKind::ALL {
            self.emit(PageEffect::Cancel(slot_of(id, kind)));
        }
    }

    pub(super) fn open(&mut self, destination: Destination) {
        self.emit(PageEffect::Open(Box::new(destination)));
    }

    pub(super) fn ask_person(&mut self, entry: Entry) {
        self.emit(PageEffect::Ask(Box::new(Prompt::Entry(entry))));
    }

    pub(super) fn done(&mut self, text: impl Into<Cow<'static, str>>) {
        self.emit(PageEffect::Say(ToastKind::Done, text.into()));
    }

    pub(super) fn inform(&mut self, text: impl Into<Cow<'static, str>>) {
        self.emit(PageEffect::Say(ToastKind::Info, text.into()));
    }

    pub(super) fn refuse(&mut self, text: impl Into<Cow<'static, str>>) {
        self.emit(PageEffect::Say(ToastKind::Refused, text.into()));
    }

    pub(super) fn complain(&mut self, text: impl Into<Cow<'static, str>>) {
        self.emit(PageEffect::Say(ToastKind::Failed, text.into()));
    }

    pub(in crate::app) fn redraw(&mut self) {
        self.emit(PageEffect::Redraw);
    }

    /// Returns the configured key of a command on this page; empty without a key.
    pub(super) fn key(&self, command: Command) -> String {
        self.keymap.shown(self.facts.layers, command).unwrap_or_default()
    }
}
