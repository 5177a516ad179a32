//! Effects of pages: a page reads the context and emits effects for the session.

use std::{any::Any, borrow::Cow, mem::discriminant, sync::Arc};

use super::{BroadcastOutcome, Destination, Page, WordWork};
use crate::{
    app::{
        Effect,
        context::Context,
        prompt::{PickChoice, PickPurpose, Prompt},
        requests::{Requests, SlotRequest},
        toast::ToastKind,
        transfers::PendingBroadcast,
    },
    config::{Command, Layer},
    domain::{BroadcastHash, ChainId, Target, TransferId, TxHash},
    msg::{Ask, Instruction, PageId, PageNeed, Slot},
    signing::SigningOrder,
    widgets::layout::Regions,
    wire::{
        self, ApiError,
        router::{BroadcastRequest, SignedOpHook},
    },
};

/// Effect that a page or a transfer asks of the session; `App::apply_effect` executes effects in order.
#[derive(Debug)]
pub(crate) enum PageEffect {
    Request(SlotRequest),
    Cancel(Slot),
    /// Cancels all requests of this page except for its lists and its record.
    CancelExtras(PageId),
    /// Cancels all requests of this page.
    CancelPage(PageId),
    Instruct(Instruction),
    Shell(Effect),
    Open(Box<Destination>),
    /// Replaces this page, even if it is covered.
    Replace(PageId, Box<Destination>),
    OpenTarget(Target),
    /// Goes one place back in the history.
    Leave,
    /// Opens a prompt.
    Ask(Box<Prompt>),
    /// Keeps the typed line open with this error below.
    RefuseEntry(String),
    CloseModal,
    /// Replaces the details of the given choices in the open list.
    Describe(PickPurpose, Vec<PickChoice>),
    Say(ToastKind, Cow<'static, str>),
    /// Dismisses the last toast.
    Unsay,
    /// Reports a block, which may date the newest height.
    SawBlock(Arc<wire::Block>),
    /// Requests the assets of a chain on screen.
    WantAssets(ChainId),
    /// Repeats the router's failed requests.
    AskRouterAgain,
    /// Hands a transaction to the demo wallet.
    Depart(PendingBroadcast, Arc<BroadcastRequest>),
    /// Hands an order to the browser wallet.
    Sign(PendingBroadcast, Box<SigningOrder>),
    /// Confirms the order in the browser wallet.
    AllowSigning,
    /// Withdraws the order from the browser wallet.
    StopSigning,
    /// Hands a signed hook to the page that requested it.
    HookSigned(PageId, SignedOpHook),
    /// Reports the outcome of a broadcast to a page.
    Departed(PageId, BroadcastOutcome),
    /// Keeps a transaction that the user signed elsewhere.
    KeepSent(PendingBroadcast, BroadcastHash),
    /// Tracks the transfer of a transaction of this chain.
    TrackOwn(TxHash),
    /// Reads the kept transfers again: other instances write them too.
    ReadTransfers,
    /// Reports the order of the transfers on the board.
    ListTransfers(Vec<TransferId>),
    /// Reports the transfer whose page is on screen.
    WatchTransfer(TransferId),
    Redraw,
}

pub(crate) struct PageCx<'a> {
    pub(crate) context: &'a Context,
    pub(super) requests: &'a Requests,
    pub(super) effects: &'a mut Vec<PageEffect>,
    pub(crate) id: PageId,
    /// Active key layers of the page.
    pub(crate) layers: &'static [Layer],
    pub(crate) regions: Regions,
    /// Index of the open transaction in its block, from 0, and the block's size; set in `update` only.
    pub(crate) place_in_block: Option<(usize, usize)>,
    /// Budget for summarising rows; set in `update` only.
    pub(crate) words: WordWork,
}

impl<'a> PageCx<'a> {
    pub(in crate::app) fn new(
        context: &'a Context,
        requests: &'a Requests,
        effects: &'a mut Vec<PageEffect>,
        (id, layers): (PageId, &'static [Layer]),
    ) -> Self {
        let regions = Regions::new(context.size);
        Self { context, requests, effects, id, layers, regions, place_in_block: None, words: WordWork::default() }
    }

    pub(crate) fn emit(&mut self, effect: PageEffect) {
        self.effects.push(effect);
    }

    pub(crate) fn cancel(&mut self, need: PageNeed) {
        self.emit(PageEffect::Cancel(Slot::Page(self.id, need)));
    }

    /// Sends a request; `take` gets the answer in the type that the request names. It replaces an earlier request of
    /// the page of the same kind.
    pub(crate) fn request<P: Page, T: 'static>(
        &mut self,
        ask: Ask<T>,
        take: impl FnOnce(&mut P, Result<T, ApiError>, &mut PageCx<'_>) + 'static,
    ) {
        self.request_for(PageNeed::Kind(discriminant(ask.request())), ask, take);
    }

    /// Sends one of several concurrent requests of a kind; it replaces the earlier request for the same need.
    pub(crate) fn request_for<P: Page, T: 'static>(
        &mut self,
        need: PageNeed,
        ask: Ask<T>,
        take: impl FnOnce(&mut P, Result<T, ApiError>, &mut PageCx<'_>) + 'static,
    ) {
        let id = self.id;
        self.emit(PageEffect::Request(SlotRequest::new(Slot::Page(id, need), ask, move |app, result| {
            app.with_page(id, |page, cx| {
                if let Some(page) = (page as &mut dyn Any).downcast_mut() {
                    take(page, result, cx);
                } else {
                    tracing::error!("a reply came to a page of another type");
                }
            });
            app.needs_redraw = true;
        })));
    }

    pub(crate) fn is_waiting(&self, need: PageNeed) -> bool {
        self.requests.is_waiting(&Slot::Page(self.id, need))
    }

    /// Whether a status request for this transfer is pending.
    pub(crate) fn is_asking_status(&self, id: &TransferId) -> bool {
        self.requests.is_waiting(&Slot::TransferStatus(id.clone()))
    }

    pub(crate) fn open(&mut self, destination: Destination) {
        self.emit(PageEffect::Open(Box::new(destination)));
    }

    pub(crate) fn replace(&mut self, destination: Destination) {
        self.emit(PageEffect::Replace(self.id, Box::new(destination)));
    }

    /// Keeps a rejected line open with its error.
    pub(crate) fn refuse_entry(&mut self, taken: Result<(), String>) {
        if let Err(problem) = taken {
            self.emit(PageEffect::RefuseEntry(problem));
        }
    }

    /// Opens a prompt; the answer arrives as [`super::PageEvent`] `Chosen`, `Entered`, `Find` or `Search`.
    pub(crate) fn ask(&mut self, prompt: Prompt) {
        self.emit(PageEffect::Ask(Box::new(prompt)));
    }

    /// Shows a success message.
    pub(crate) fn done(&mut self, text: impl Into<Cow<'static, str>>) {
        self.emit(PageEffect::Say(ToastKind::Done, text.into()));
    }

    /// Shows the reason for a refusal.
    pub(crate) fn refuse(&mut self, text: impl Into<Cow<'static, str>>) {
        self.emit(PageEffect::Say(ToastKind::Refused, text.into()));
    }

    pub(crate) fn redraw(&mut self) {
        self.emit(PageEffect::Redraw);
    }

    pub(crate) fn redraw_if(&mut self, has_changed: bool) {
        if has_changed {
            self.redraw();
        }
    }

    /// Returns the key of a command on this page as the user configured it; empty without a key.
    pub(crate) fn key(&self, command: Command) -> String {
        self.context.keymap.shown(self.layers, command).unwrap_or_default()
    }
}
