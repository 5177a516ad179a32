//! Calls pages and transfers, then applies the [`PageEffect`]s that they emitted. No other module interprets them.

use super::{
    App,
    context::Context,
    modal::Modal,
    page::{Page, PageCx, PageEffect, PageEvent, WalletUpdate},
    prompt::{PickChoice, PickPurpose, Prompt},
    requests::SlotRequest,
    transfers::{SessionFacts, TransferCx, Transfers, read_again},
};
use crate::msg::{PageId, PageNeed, Slot};

/// History entry of a transfer whose hash the user typed.
const SENT_ELSEWHERE: &str = "Sent outside rollscope; you entered the hash";

impl App {
    /// Calls `act` with the current page, then applies its effects.
    pub(super) fn with_current<R>(&mut self, act: impl FnOnce(&mut dyn Page, &mut PageCx<'_>) -> R) -> Option<R> {
        self.with_page(self.navigation.current_id(), act)
    }

    pub(super) fn notify_page(&mut self, event: PageEvent<'_>) {
        self.with_current(|page, cx| page.on(event, cx));
    }

    /// Calls `act` with a page, even if another covers it, then applies its effects; `None` if the history dropped the
    /// page.
    pub(super) fn with_page<R>(
        &mut self,
        id: PageId,
        act: impl FnOnce(&mut dyn Page, &mut PageCx<'_>) -> R,
    ) -> Option<R> {
        let Self { context, navigation, requests, .. } = self;
        let page = navigation.page_mut(id)?;
        let mut effects = Vec::new();
        let layers = page.place().scope.layers();
        let result = act(page, &mut PageCx::new(context, requests.slots().collect(), &mut effects, (id, layers)));
        for effect in effects {
            self.apply_effect(effect);
        }
        Some(result)
    }

    /// Calls `act` with the transfers, then applies their effects.
    pub(super) fn with_transfers<R>(&mut self, act: impl FnOnce(&mut Transfers, &mut TransferCx<'_>) -> R) -> R {
        let facts = SessionFacts::new(self);
        let Self { context: Context { transfers, directory, keymap, .. }, requests, .. } = self;
        let pending = requests.slots().collect();
        let mut cx = TransferCx { facts, directory, keymap, pending, effects: Vec::new() };
        let result = act(transfers, &mut cx);
        let effects = cx.effects;
        for effect in effects {
            self.apply_effect(effect);
        }
        result
    }

    fn apply_effect(&mut self, effect: PageEffect) {
        match effect {
            PageEffect::Request(id, SlotRequest { slot, request, take }) => {
                let take = move |app: &mut Self, result| {
                    app.with_page(id, |page, cx| take(page, result, cx));
                    app.needs_redraw = true;
                };
                self.requests.fetch_any(slot, request, Box::new(take));
            }
            PageEffect::RequestForTransfers(SlotRequest { slot, request, take }) => {
                let take = move |app: &mut Self, result| {
                    app.with_transfers(|transfers, cx| {
                        take(transfers, result, cx);
                        cx.redraw();
                    });
                };
                self.requests.fetch_any(slot, request, Box::new(take));
            }
            PageEffect::Cancel(slot) => self.requests.cancel_where(|waiting| *waiting == slot),
            PageEffect::CancelExtras(id) => self
                .requests
                .cancel_where(|slot| matches!(slot, Slot::Page(of, need) if *of == id && *need != PageNeed::Record)),
            PageEffect::CancelPage(id) => self.requests.cancel_page(id),
            PageEffect::Instruct(instruction) => self.requests.instruct(instruction),
            PageEffect::Shell(effect) => self.effects.push(effect),
            PageEffect::Open(destination) => self.open_page(*destination),
            PageEffect::Replace(id, destination) => {
                let page = (self.open_with)(*destination, &self.context);
                self.navigation.replace(id, page);
            }
            PageEffect::OpenTarget(target) => self.open_target(&target),
            PageEffect::Leave => self.travel(false),
            PageEffect::Ask(prompt) => self.open_modal(Modal::Prompt(*prompt)),
            PageEffect::RefuseEntry(problem) => {
                if let Some(Modal::Prompt(Prompt::Entry(entry))) = &mut self.modal {
                    entry.problem = Some(problem);
                }
            }
            PageEffect::CloseModal => self.modal = None,
            PageEffect::Describe(purpose, choices) => {
                self.needs_redraw |= describe_choices(&mut self.modal, purpose, &choices);
            }
            PageEffect::Say(kind, text) => self.toasts.say(kind, text),
            PageEffect::Reword(said, text) => self.toasts.reword(&said, text),
            PageEffect::Unsay => self.toasts.take_back(),
            PageEffect::SawBlock(block) => self.context.chain.saw_block(&block),
            PageEffect::WantAssets(chain) => self.context.directory.want(&chain),
            PageEffect::AskRouterAgain => self.context.directory.forget_failures(),
            PageEffect::HookSigned(page, signed) => {
                self.with_page(page, |page, cx| page.on(PageEvent::Wallet(WalletUpdate::HookSigned(signed)), cx));
            }
            PageEffect::Departed(page, outcome) => {
                let failure = outcome.as_ref().err().cloned();
                let taken =
                    self.with_page(page, |page, cx| page.on(PageEvent::Wallet(WalletUpdate::Sent(outcome)), cx));
                if let (None, Some(failure)) = (taken, failure) {
                    self.toasts.complain(failure);
                }
            }
            PageEffect::Redraw => self.needs_redraw = true,
            PageEffect::Depart(departure, request) => {
                self.with_transfers(|transfers, cx| transfers.depart(departure, request, cx));
            }
            PageEffect::Sign(departure, order) => {
                self.with_transfers(|transfers, cx| transfers.sign(departure, *order, cx));
            }
            PageEffect::ConnectWallet(page, chains) => {
                self.with_transfers(|transfers, cx| transfers.connect_wallet(page, chains, cx));
            }
            PageEffect::AllowSigning => self.with_transfers(Transfers::allow_signing),
            PageEffect::StopSigning => self.with_transfers(Transfers::stop_signing),
            PageEffect::KeepSent(departure, hash) => {
                self.with_transfers(|transfers, cx| transfers.keep_sent(&departure, &hash, SENT_ELSEWHERE, cx));
            }
            PageEffect::ClaimOpen(account) => {
                self.with_transfers(|transfers, cx| transfers.claim_open(account, cx));
            }
            PageEffect::Track(chain, hash) => {
                self.with_transfers(|transfers, cx| transfers.track_found(chain, &hash, cx));
            }
            PageEffect::TrackOwn(hash) => self.with_transfers(|transfers, cx| transfers.track_own(hash, cx)),
            PageEffect::ReadTransfers => self.with_transfers(|_, cx| read_again(cx)),
            PageEffect::ListTransfers(ids) => self.context.transfers.list(ids),
            PageEffect::WatchTransfer(id) => {
                self.with_transfers(|transfers, cx| transfers.watch(&id, cx));
            }
        }
    }
}

/// Updates the details in an open list with this purpose. Rows keep their places. Returns whether such a list is open.
fn describe_choices(modal: &mut Option<Modal>, purpose: PickPurpose, choices: &[PickChoice]) -> bool {
    let Some(Modal::Prompt(Prompt::Pick(pick))) = modal else { return false };
    if pick.purpose != purpose {
        return false;
    }
    pick.picker.change(|choice| {
        if let Some(known) = choices.iter().find(|known| known.value == choice.value) {
            choice.detail.clone_from(&known.detail);
        }
    });
    true
}
