//! What a page acts with: it reads the context, and wishes of the session what only that can do.

use std::{borrow::Cow, ops::Deref, sync::Arc};

use super::Destination;
use crate::{
    app::{
        context::Context,
        prompt::{PickChoice, PickPurpose, Prompt},
        requests::Requests,
        toast::ToastKind,
        transfers::{Departure, TransferWish},
    },
    config::{Command, Layer},
    domain::{ChainId, Target, TransferId},
    msg::{PageId, PageNeed, Request, Slot},
    signing::SigningOrder,
    wire::{self, router::BroadcastRequest},
};

/// What a page wishes to be done, in the order in which it said so.
#[derive(Debug)]
pub(crate) enum Wish {
    /// Something is to be asked; its answer comes to [`super::Page::take`].
    Fetch(PageNeed, Request),
    /// An answer is not waited for any more.
    Cancel(PageNeed),
    /// Of all that the page asked for beside its lists and its record, no answer is waited for any more.
    CancelExtras,
    /// No answer to anything that the page asked for is waited for any more.
    CancelAll,
    /// A page is to be opened.
    Open(Box<Destination>),
    /// What a text was understood as is to be opened.
    OpenTarget(Target),
    /// A person is to be asked.
    Ask(Box<Prompt>),
    /// What lies over the screen is to be closed.
    CloseModal,
    /// More is known of what can be chosen: the details of the open list become those of these.
    Describe(PickPurpose, Vec<PickChoice>),
    Say(ToastKind, Cow<'static, str>),
    /// A block came by: it may date the newest height.
    SawBlock(Arc<wire::Block>),
    /// Assets of this chain are named on screen.
    WantAssets(ChainId),
    /// What the router did not tell is to be asked again.
    AskRouterAgain,
    /// A transaction goes to the demo wallet.
    Depart(Departure, Arc<BroadcastRequest>),
    /// Something is handed to the wallet in the browser.
    Sign(Departure, Box<SigningOrder>),
    Transfer(TransferWish),
    /// The transfer of a transaction of this chain is to be tracked.
    TrackOwn(crate::domain::TxHash),
    Redraw,
}

/// What lies around a page in the list that it was opened from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Surroundings {
    pub(crate) siblings: Siblings,
    /// The place of a transaction among its block's from 0, and their number.
    pub(crate) place_in_block: Option<(usize, usize)>,
}

/// What lies before and after a page in the list that it was opened from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Siblings {
    /// It was not opened from a list.
    #[default]
    NoList,
    /// Whether one lies before it, and one after it.
    Beside(bool, bool),
}

/// The context, and a way to wish for what only the session can do.
pub(crate) struct Cx<'a> {
    pub(super) context: &'a Context,
    pub(super) requests: &'a Requests,
    pub(super) wishes: &'a mut Vec<Wish>,
    /// The page itself.
    pub(crate) id: PageId,
    /// The keys that are in force on it.
    pub(crate) layers: &'static [Layer],
    pub(crate) surroundings: Surroundings,
}

impl Deref for Cx<'_> {
    type Target = Context;

    fn deref(&self) -> &Context {
        self.context
    }
}

impl<'a> Cx<'a> {
    pub(in crate::app) fn new(
        context: &'a Context,
        requests: &'a Requests,
        wishes: &'a mut Vec<Wish>,
        (id, layers, surroundings): (PageId, &'static [Layer], Surroundings),
    ) -> Self {
        Self { context, requests, wishes, id, layers, surroundings }
    }

    /// The context for longer than this borrow.
    pub(crate) fn context(&self) -> &'a Context {
        self.context
    }

    pub(crate) fn wish(&mut self, wish: Wish) {
        self.wishes.push(wish);
    }

    /// Asks for something; the answer comes to [`super::Page::take`] with the same need.
    pub(crate) fn fetch(&mut self, need: PageNeed, request: Request) {
        self.wish(Wish::Fetch(need, request));
    }

    pub(crate) fn is_waiting(&self, need: PageNeed) -> bool {
        self.requests.is_waiting(&Slot::Page(self.id, need))
    }

    /// Whether the router is being asked how a kept transfer stands.
    pub(crate) fn is_asking_status(&self, id: &TransferId) -> bool {
        self.requests.is_waiting(&Slot::TransferStatus(id.clone()))
    }

    pub(crate) fn open(&mut self, destination: Destination) {
        self.wish(Wish::Open(Box::new(destination)));
    }

    /// Asks a person; the answer comes to `chosen`, `enter`, `find` or `search` of the page.
    pub(crate) fn ask(&mut self, prompt: Prompt) {
        self.wish(Wish::Ask(Box::new(prompt)));
    }

    /// Says that what was asked for happened.
    pub(crate) fn done(&mut self, text: impl Into<Cow<'static, str>>) {
        self.wish(Wish::Say(ToastKind::Done, text.into()));
    }

    /// Says why nothing happened.
    pub(crate) fn refuse(&mut self, text: impl Into<Cow<'static, str>>) {
        self.wish(Wish::Say(ToastKind::Refused, text.into()));
    }

    pub(crate) fn redraw(&mut self) {
        self.wish(Wish::Redraw);
    }

    pub(crate) fn redraw_if(&mut self, has_changed: bool) {
        if has_changed {
            self.redraw();
        }
    }

    /// The key that runs a command on this page, as the user has set it; empty where there is none.
    pub(crate) fn key(&self, command: Command) -> String {
        self.context.keymap.shown(self.layers, command).unwrap_or_default()
    }
}
