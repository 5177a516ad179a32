//! Requests to the browser wallet, and the state of the page that signs.

use super::{
    SendPage,
    commands::first_it_needs,
    state::{Goal, SendView, Sender},
};
use crate::{
    app::{
        Context,
        page::{PageCx, PageEffect},
        transfers::{BrowserSigning, BrowserStage, PendingBroadcast},
    },
    domain::{ChainId, text::clean},
    signing::{FundsEffect, RecordDraft, SendingAccess, SigningOrder, SigningRefusal, WalletHook, WalletTx},
    story::{OfferPlace, claim_lines, hook_offer_words, offer_words},
};

impl SendPage {
    /// Starts signing in the browser. A required hook comes first; all data must be fresh.
    pub(super) fn begin_signing(&mut self) {
        self.goal = Some(Goal::Send { by: Sender::Browser, is_requoted: false });
        (self.notice, self.view) = (None, SendView::Steps);
        self.changes.clear();
    }

    /// Returns why the browser wallet cannot sign now.
    pub(super) fn refusal_to_sign(&self, cx: &Context) -> Option<String> {
        if self.sent.is_some() {
            return Some(super::commands::IS_SENT.to_owned());
        }
        let own = self.browser_signing(cx).filter(|open| open.stage != BrowserStage::Waiting);
        if own.is_some() || self.goal.is_some() || cx.transfers.departing.is_some() {
            return Some("signing is in progress".to_owned());
        }
        if cx.transfers.signing.as_ref().is_some_and(BrowserSigning::is_sending) {
            return Some("another transaction is being sent".to_owned());
        }
        if cx.transfers.signing.as_ref().is_some_and(|open| !open.is_of(self.id) && open.is_with_wallet()) {
            return Some("your wallet has another transaction: finish or cancel it first".into());
        }
        let unread = || self.has_unread_warnings().then(|| "your acknowledgement of the warnings (press a)".to_owned());
        self.missing_before_hook(&cx.directory).or_else(unread).map(|missing| first_it_needs(&missing))
    }

    /// Returns the browser's signing page if it handles a request of this page.
    pub(super) fn browser_signing<'a>(&self, cx: &'a Context) -> Option<&'a BrowserSigning> {
        cx.transfers.signing.as_ref().filter(|open| open.is_of(self.id))
    }

    /// Whether the signing page waits for the user's second confirmation.
    pub(super) fn is_asked_for_yes(&self, cx: &Context) -> bool {
        self.browser_signing(cx).is_some_and(|open| matches!(open.stage, BrowserStage::Asked(_)))
    }

    /// Cancels the request to the wallet. Returns whether a request was open.
    pub(super) fn cancel_signing(&mut self, cx: &mut PageCx<'_>) -> bool {
        let can = self.browser_signing(cx.context).is_some_and(BrowserSigning::can_cancel);
        let is_ours = matches!(self.goal, Some(Goal::Send { by: Sender::Browser, .. }));
        if can {
            cx.emit(PageEffect::StopSigning);
        } else if is_ours {
            self.stop("Cancelled: rollscope sent nothing.");
        }
        can || is_ours
    }

    /// Returns the next order for the browser wallet, once all data is fresh.
    pub(super) fn ready_to_sign(&mut self, cx: &PageCx<'_>) -> Option<(PendingBroadcast, SigningOrder)> {
        let is_wanted = matches!(self.goal, Some(Goal::Send { by: Sender::Browser, .. })) && !self.quote.is_awaited;
        let further = self.further.as_ref().map(|further| &further.id);
        let is_free = match &cx.context.transfers.signing {
            Some(open) => open.awaits(cx.id, further) || open.stage == BrowserStage::Waiting,
            None => true,
        };
        if !is_wanted || !is_free {
            return None;
        }
        let order = if self.route.value.required_op_hook && self.hook.signed().is_none() {
            self.hook_order(cx.context)
        } else if self.messages.is_fresh(cx.context.now, super::state::FRESH) && !self.simulation.is_awaited() {
            self.tx_order(cx.context)
        } else {
            return None;
        };
        match order? {
            Ok(order) => Some((self.departure(cx.id), order)),
            Err(why) => {
                self.stop(why);
                None
            }
        }
    }

    /// Requests the simulation of new messages. Messages that differ from the quote are not simulated.
    pub(super) fn ask_simulation(&mut self, cx: &mut PageCx<'_>) {
        let messages = self.messages.at().filter(|_| self.messages.error().is_none());
        if !self.simulation.begin(messages) {
            return;
        }
        let compared = self.compared(&cx.context.directory, cx.context.now);
        let ready = compared.and_then(Result::ok).unwrap_or_default();
        let has_more = self.tx() + 1 < ready.len();
        let Some(tx) = ready.into_iter().nth(self.tx()) else { return };
        let has_later = has_more || tx.arrives_on != tx.chain_id;
        let access = access(&tx.chain_id, cx.context);
        cx.request(self.simulation.ask(tx, access, has_later), move |page: &mut Self, result, cx| {
            page.simulation.take(messages, result, cx.context);
            page.drive(cx);
        });
    }

    /// Returns the order that signs the hook; `None` while data is missing.
    fn hook_order(&self, cx: &Context) -> Option<Result<SigningOrder, String>> {
        let hook = &self.hook.payload().value().filter(|_| !self.reported.is_pending())?.value;
        let signer = self.addresses.last().and_then(|slot| slot.text()).unwrap_or_default();
        let names = self.reported.units.before(&cx.directory);
        let compared: Result<_, SigningRefusal> = self.with_quote(cx.now, |quote| {
            let (exact, effects) = quote.hook_effects(hook)?;
            let contracts = quote.hook_contracts(&exact, &effects);
            let words = hook_offer_words(&exact.chain_id, signer, &effects, &contracts, &names);
            let doubts = quote.hook_doubts(&exact, &effects);
            Ok((exact, words, contracts, doubts, FundsEffect::approved_tokens(&effects)))
        });
        Some(match compared {
            Ok((hook, words, contracts, doubts, tokens)) => Ok(SigningOrder::Hook(Box::new(WalletHook {
                words,
                access: access(&hook.chain_id, cx),
                signer: signer.to_owned(),
                starts_there: self.route.value.source_asset_chain_id == hook.chain_id,
                contracts,
                tokens,
                doubts,
                hook,
            }))),
            Err(refusal) => {
                Err(clean(&format!("Signing stopped; the hook differs from the quote: {refusal}.")).into_owned())
            }
        })
    }

    /// Returns the order for the next transaction, after checking it against the quote.
    fn tx_order(&mut self, cx: &Context) -> Option<Result<SigningOrder, String>> {
        if self.has_unread_warnings() {
            return Some(
                Err("The messages have a new warning: press a to acknowledge it, then sign again.".to_owned()),
            );
        }
        if self.reported.is_pending() {
            return None;
        }
        let compared = self.compared(&cx.directory, cx.now)?;
        let place = self.tx();
        let differs = |refusal: SigningRefusal| {
            clean(&format!("Signing stopped; the messages differ from the quote: {refusal}.")).into_owned()
        };
        let ready = match compared {
            Ok(ready) => ready,
            Err(refusal) => return Some(Err(differs(refusal))),
        };
        let count = ready.len();
        let Some(mut tx) = ready.into_iter().nth(place) else {
            return Some(Err("The router sent no transaction to sign: choose another route.".to_owned()));
        };
        if let Err(refusal) = self.simulation.settle(self.messages.at(), &mut tx) {
            return Some(Err(differs(refusal)));
        }
        if tx.is_withdrawal() && self.wait.find_in_messages() {
            return Some(
                Err("The messages withdraw optimistically: press a to accept the wait, then sign.".to_owned()),
            );
        }
        self.goal = None;
        let seconds = self.route.value.seconds().filter(|_| self.further.is_none());
        let step = OfferPlace { place, count, seconds, now: cx.now };
        let names = self.reported.units.before(&cx.directory);
        let mut words = offer_words(&tx, step, &names);
        if let Some(wait) = self.wait.claim_wait().filter(|_| tx.is_withdrawal()) {
            words.lines.extend(claim_lines(wait, cx.now, &names));
        }
        words.lines.extend(self.simulation.lines(self.messages.at(), &cx.directory));
        let planned = WalletTx { words, access: access(&tx.chain_id, cx), simulated: self.simulation.outcome(), tx };
        let addresses = self.addresses.iter().filter_map(|slot| slot.text().map(str::to_owned)).collect();
        let draft = RecordDraft { route: self.route.raw.get().into(), addresses, kept: None };
        let is_last = place + 1 == count;
        Some(Ok(SigningOrder::Tx { planned: Box::new(planned), draft: Box::new(draft), is_last }))
    }
}

/// Returns the endpoints of a chain, from settings, registry and router.
fn access(chain: &ChainId, cx: &Context) -> SendingAccess {
    cx.directory.sending_access(chain, cx.own_chain().as_ref())
}
