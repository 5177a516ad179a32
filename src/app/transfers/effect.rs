//! What the transfers read of the session, and what they want it to do.

use std::{borrow::Cow, ops::Deref, sync::Arc};

use super::{ShownTransfers, WatchedTransfer};
use crate::{
    app::{HostEffect, directory::Directory, requests::Requests, toast::ToastKind},
    config::{Command, Keymap, Layer},
    domain::{ChainId, Denom, LocalZone, Timestamp, TransferId, TransferRecord},
    msg::{Instruction, PageId, Request, Slot, WitnessOf},
    story::transfer::Attention,
    wire::{
        Verbatim,
        router::{AssetRelease, Route, SignedOpHook},
    },
};

/// Something that only the session can do.
#[derive(Debug)]
pub(in crate::app) enum TransferEffect {
    Ask(Slot, Request),
    /// An answer is not waited for any more.
    Cancel(Slot),
    /// For the store.
    Instruct(Instruction),
    Say(ToastKind, Cow<'static, str>),
    /// What was said last is over.
    Unsay,
    Host(HostEffect),
    /// The page of a kept transfer is to be opened.
    OpenTransfer(TransferId),
    /// The list of all of them is to be shown.
    OpenBoard,
    /// A form for a route from where funds were released; to this chain and denom, where it is known.
    QuoteFrom(AssetRelease, Option<(ChainId, Denom)>),
    /// The transaction with this number is to be made ready.
    /// Whether the wallet in the browser is asked at once.
    SendNext(Box<TransferRecord>, Arc<Verbatim<Route>>, usize, bool),
    /// The wallet in the browser signed the hook of what this page makes ready.
    HookSigned(PageId, SignedOpHook),
    AskForHash {
        prompt: &'static str,
        /// What stands there already, behind the cursor.
        text: String,
        /// Why a person is asked again.
        problem: Option<String>,
    },
    /// A name is to be typed in place of this one.
    AskForLabel(TransferId, String),
    CloseModal,
    /// What became of what this page gave to the demo wallet.
    Departed(PageId, Result<TransferId, String>),
    /// The page on screen is to be left for the one before.
    Leave,
    Redraw,
}

/// What is so in the session while the transfers act.
#[derive(Debug)]
pub(in crate::app) struct SessionFacts {
    pub(in crate::app) now: Timestamp,
    /// The time zone of who looks.
    pub(in crate::app) zone: LocalZone,
    /// The chain of the indexer that is asked.
    pub(in crate::app) own_chain: Option<ChainId>,
    /// The API of the executor of its bridge, where that is known.
    pub(in crate::app) executor: Option<String>,
    /// The L1 that this network is known to settle on; none of a simulation.
    pub(in crate::app) l1: Option<ChainId>,
    pub(in crate::app) has_router: bool,
    /// Whether the router is gone where the indexer's chain is.
    pub(in crate::app) is_router_gone: bool,
    /// Seconds between two blocks, where that is known.
    pub(in crate::app) block_seconds: Option<f64>,
    pub(in crate::app) shown: ShownTransfers,
    /// The transfer on the page, or under the cursor.
    pub(in crate::app) selected: Option<TransferId>,
    /// Whether something lies over the page.
    pub(in crate::app) has_modal: bool,
    /// The keys in force on the page.
    pub(in crate::app) layers: &'static [Layer],
}

/// What the transfers act with.
#[derive(Debug)]
pub(in crate::app) struct TransferCx<'a> {
    pub(in crate::app) facts: SessionFacts,
    pub(in crate::app) directory: &'a Directory,
    pub(in crate::app) keymap: &'a Keymap,
    pub(in crate::app) requests: &'a Requests,
    /// What is to be done, in this order.
    pub(in crate::app) effects: Vec<TransferEffect>,
}

impl Deref for TransferCx<'_> {
    type Target = SessionFacts;

    fn deref(&self) -> &SessionFacts {
        &self.facts
    }
}

impl TransferCx<'_> {
    pub(super) fn is_waiting(&self, slot: &Slot) -> bool {
        self.requests.is_waiting(slot)
    }

    pub(super) fn attention(&self, transfer: &WatchedTransfer) -> Attention {
        if self.shown.has(&transfer.record.id) {
            Attention::Shown
        } else if transfer.is_watched {
            Attention::Watched
        } else {
            Attention::Hidden
        }
    }

    pub(super) fn effect(&mut self, effect: TransferEffect) {
        self.effects.push(effect);
    }

    pub(super) fn ask(&mut self, slot: Slot, request: Request) {
        self.effect(TransferEffect::Ask(slot, request));
    }

    /// Nobody waits any more for what was asked of a transfer.
    pub(super) fn cancel_questions(&mut self, id: &TransferId) {
        for slot in [
            Slot::Track(id.clone()),
            Slot::TransferStatus(id.clone()),
            Slot::Witness(id.clone(), WitnessOf::Source),
            Slot::Witness(id.clone(), WitnessOf::Crossing),
            Slot::Witness(id.clone(), WitnessOf::Arrival),
            Slot::Witness(id.clone(), WitnessOf::Return),
            Slot::Witness(id.clone(), WitnessOf::Settlement),
        ] {
            self.effect(TransferEffect::Cancel(slot));
        }
    }

    pub(super) fn host(&mut self, effect: HostEffect) {
        self.effect(TransferEffect::Host(effect));
    }

    pub(super) fn done(&mut self, text: impl Into<Cow<'static, str>>) {
        self.effect(TransferEffect::Say(ToastKind::Done, text.into()));
    }

    pub(super) fn inform(&mut self, text: impl Into<Cow<'static, str>>) {
        self.effect(TransferEffect::Say(ToastKind::Info, text.into()));
    }

    pub(super) fn refuse(&mut self, text: impl Into<Cow<'static, str>>) {
        self.effect(TransferEffect::Say(ToastKind::Refused, text.into()));
    }

    pub(super) fn complain(&mut self, text: impl Into<Cow<'static, str>>) {
        self.effect(TransferEffect::Say(ToastKind::Failed, text.into()));
    }

    pub(super) fn redraw(&mut self) {
        self.effect(TransferEffect::Redraw);
    }

    /// The key that runs a command on this page, as the user has set it; empty where there is none.
    pub(super) fn key(&self, command: Command) -> String {
        self.keymap.shown(self.layers, command).unwrap_or_default()
    }
}
