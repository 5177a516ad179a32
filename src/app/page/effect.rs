//! Effects of pages. A page reads the context and emits effects for the session.

use std::{any::Any, borrow::Cow, mem::discriminant, sync::Arc};

use super::{BroadcastOutcome, Destination, Page};
use crate::{
    app::{
        Effect,
        context::Context,
        prompt::{PickChoice, PickPurpose, Prompt},
        requests::SlotRequest,
        toast::ToastKind,
        transfers::{PendingBroadcast, TakeForTransfers},
    },
    config::{Command, Layer},
    domain::{Address, BroadcastHash, ChainId, Target, TransferId, TxHash},
    msg::{Answer, Ask, Instruction, PageId, PageNeed, Slot},
    signing::SigningOrder,
    widgets::layout::Regions,
    wire::{
        self, ApiError,
        router::{BroadcastRequest, SignedOpHook},
    },
};

/// Function with which a page takes the reply to its request.
pub(crate) type TakeForPage = dyn FnOnce(&mut dyn Page, Result<Answer, ApiError>, &mut PageCx<'_>);

/// Effect that a page or transfer asks of the session. `App::apply_effect` applies effects in order.
#[derive(Debug)]
pub(crate) enum PageEffect {
    Request(PageId, SlotRequest<TakeForPage>),
    RequestForTransfers(SlotRequest<TakeForTransfers>),
    Cancel(Slot),
    /// Cancel all requests of this page, except those of its lists and its record.
    CancelExtras(PageId),
    /// Cancel all requests of this page.
    CancelPage(PageId),
    Instruct(Instruction),
    Shell(Effect),
    Open(Box<Destination>),
    /// Replace this page, even if another covers it.
    Replace(PageId, Box<Destination>),
    OpenTarget(Target),
    /// Go back by one place in the history.
    Leave,
    Ask(Box<Prompt>),
    /// Keep the typed line open, with this error below.
    RefuseEntry(String),
    CloseModal,
    /// Replace the details of these choices in the open list.
    Describe(PickPurpose, Vec<PickChoice>),
    Say(ToastKind, Cow<'static, str>),
    /// Replaces the first text by the second one while it is on screen.
    Reword(String, String),
    /// Remove the last message.
    Unsay,
    /// Report a block, which may date the newest height.
    SawBlock(Arc<wire::Block>),
    /// Request the assets of a chain that is on screen.
    WantAssets(ChainId),
    /// Repeat failed requests to the router.
    AskRouterAgain,
    /// Give a transaction to the demo wallet.
    Depart(PendingBroadcast, Arc<BroadcastRequest>),
    /// Give an order to the browser wallet.
    Sign(PendingBroadcast, Box<SigningOrder>),
    /// Ask a browser wallet for its accounts on these chains.
    ConnectWallet(PageId, Vec<ChainId>),
    /// Confirm the order in the browser wallet.
    AllowSigning,
    /// Take the order back from the browser wallet.
    StopSigning,
    /// Give a signed hook to the page that requested the signature.
    HookSigned(PageId, SignedOpHook),
    /// Report the result of a broadcast to its page.
    Departed(PageId, BroadcastOutcome),
    /// Keep a transaction that the user sent elsewhere.
    KeepSent(PendingBroadcast, BroadcastHash),
    /// Claim all claimable withdrawals to this account with the browser wallet.
    ClaimOpen(Address),
    /// Track the transfer of a transaction on this chain.
    TrackOwn(TxHash),
    /// Tracks the transfer of a transaction of any chain.
    Track(ChainId, BroadcastHash),
    /// Read the kept transfers again, since other instances write them too.
    ReadTransfers,
    /// Report the order of the transfers on the board.
    ListTransfers(Vec<TransferId>),
    WatchTransfer(TransferId),
    Redraw,
}

/// Budget for summarising rows in one update.
#[derive(Debug, Default)]
pub(crate) struct WordWork {
    pub(crate) rows: usize,
    pub(crate) bytes: usize,
    /// Whether rows are left for the next update.
    pub(crate) is_left: bool,
    pub(crate) has_changed: bool,
}

pub(crate) struct PageCx<'a> {
    pub(crate) context: &'a Context,
    pending: Vec<&'a Slot>,
    pub(super) effects: &'a mut Vec<PageEffect>,
    pub(crate) id: PageId,
    pub(crate) layers: &'static [Layer],
    pub(crate) regions: Regions,
    /// Index of the open transaction in its block, from 0, and the block's size. Only set in `update`.
    pub(crate) place_in_block: Option<(usize, usize)>,
    /// Budget for summarising rows. Only set in `update`.
    pub(crate) words: WordWork,
}

impl<'a> PageCx<'a> {
    pub(in crate::app) fn new(
        context: &'a Context,
        pending: Vec<&'a Slot>,
        effects: &'a mut Vec<PageEffect>,
        (id, layers): (PageId, &'static [Layer]),
    ) -> Self {
        let regions = Regions::new(context.size);
        Self { context, pending, effects, id, layers, regions, place_in_block: None, words: WordWork::default() }
    }

    pub(crate) fn emit(&mut self, effect: PageEffect) {
        self.effects.push(effect);
    }

    pub(crate) fn cancel(&mut self, need: PageNeed) {
        self.emit(PageEffect::Cancel(Slot::Page(self.id, need)));
    }

    /// Sends a request. `take` gets the answer, in the type that the request names. Replaces the page's earlier request
    /// of this kind.
    pub(crate) fn request<P: Page, T: 'static>(
        &mut self,
        ask: Ask<T>,
        take: impl FnOnce(&mut P, Result<T, ApiError>, &mut PageCx<'_>) + 'static,
    ) {
        self.request_for(PageNeed::Kind(discriminant(ask.request())), ask, take);
    }

    /// Sends one of several requests of a kind. Replaces only the earlier request for this need.
    pub(crate) fn request_for<P: Page, T: 'static>(
        &mut self,
        need: PageNeed,
        ask: Ask<T>,
        take: impl FnOnce(&mut P, Result<T, ApiError>, &mut PageCx<'_>) + 'static,
    ) {
        let request = ask.request().clone();
        let take = Box::new(move |page: &mut dyn Page, reply, cx: &mut PageCx<'_>| {
            if let Some(page) = (page as &mut dyn Any).downcast_mut() {
                take(page, ask.read(reply), cx);
            } else {
                tracing::error!("a reply came to a page of another type");
            }
        });
        self.emit(PageEffect::Request(self.id, SlotRequest { slot: Slot::Page(self.id, need), request, take }));
    }

    pub(crate) fn is_waiting(&self, need: PageNeed) -> bool {
        self.pending.contains(&&Slot::Page(self.id, need))
    }

    /// Whether a status request for this transfer is pending.
    pub(crate) fn is_asking_status(&self, id: &TransferId) -> bool {
        self.pending.contains(&&Slot::TransferStatus(id.clone()))
    }

    pub(crate) fn open(&mut self, destination: Destination) {
        self.emit(PageEffect::Open(Box::new(destination)));
    }

    pub(crate) fn replace(&mut self, destination: Destination) {
        self.emit(PageEffect::Replace(self.id, Box::new(destination)));
    }

    /// Keeps a typed line open if it was rejected, with the error.
    pub(crate) fn refuse_entry(&mut self, taken: Result<(), String>) {
        if let Err(problem) = taken {
            self.emit(PageEffect::RefuseEntry(problem));
        }
    }

    /// Opens a prompt. The answer comes as [`super::PageEvent`] `Chosen`, `Entered`, `Find` or `Search`.
    pub(crate) fn ask(&mut self, prompt: Prompt) {
        self.emit(PageEffect::Ask(Box::new(prompt)));
    }

    /// Shows a message of success.
    pub(crate) fn done(&mut self, text: impl Into<Cow<'static, str>>) {
        self.emit(PageEffect::Say(ToastKind::Done, text.into()));
    }

    /// Shows why something is not possible.
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

    /// Returns the configured key of a command on this page; empty without a key.
    pub(crate) fn key(&self, command: Command) -> String {
        self.context.keymap.shown(self.layers, command).unwrap_or_default()
    }
}
