//! The wallet in the browser: what it is asked for next, and what the page there is told to be doing.

use super::{
    SendPage,
    commands::first_it_needs,
    state::{Goal, SendView, Sender},
};
use crate::{
    app::{
        Context,
        page::Cx,
        transfers::{BrowserSigning, BrowserStage, Departure, TransferWish},
    },
    domain::{ChainId, text::clean},
    signing::{RecordDraft, SendingAccess, SigningOrder, SigningRefusal, WalletHook, WalletTx},
    story::{hook_offer_words, offer_words},
};

impl SendPage {
    /// Has the wallet in the browser sign, as soon as all is fresh: the hook first, where the route needs one.
    pub(super) fn begin_signing(&mut self) {
        self.goal = Some(Goal::Send { by: Sender::Browser, is_requoted: false });
        (self.notice, self.view) = (None, SendView::Steps);
        self.changes.clear();
    }

    /// Why the wallet in the browser cannot be asked now, in words.
    pub(super) fn refusal_to_sign(&self, cx: &Context) -> Option<String> {
        if self.sent.is_some() {
            return Some(super::commands::IS_SENT.to_owned());
        }
        let own = self.browser_signing(cx).filter(|open| open.stage != BrowserStage::Waiting);
        if own.is_some() || self.goal.is_some() || cx.transfers.departing.is_some() {
            return Some("it is being signed".to_owned());
        }
        if cx.transfers.signing.as_ref().is_some_and(|open| matches!(open.stage, BrowserStage::Sending(_))) {
            return Some("another transaction is being sent just now".to_owned());
        }
        if cx.transfers.signing.as_ref().is_some_and(|open| !open.is_of(self.id) && open.is_with_wallet()) {
            return Some(
                "another transaction is with your wallet: finish it there, or take it back where it began".into(),
            );
        }
        let unread = || self.has_unread_warnings().then(|| "the warnings above acknowledged: a".to_owned());
        self.missing_before_hook(&cx.directory).or_else(unread).map(|missing| first_it_needs(&missing))
    }

    /// The page in the browser that has something of this one.
    pub(super) fn browser_signing<'a>(&self, cx: &'a Context) -> Option<&'a BrowserSigning> {
        cx.transfers.signing.as_ref().filter(|open| open.is_of(self.id))
    }

    /// Whether a second yes is asked for.
    pub(super) fn is_asked_for_yes(&self, cx: &Context) -> bool {
        self.browser_signing(cx).is_some_and(|open| matches!(open.stage, BrowserStage::Asked(_)))
    }

    /// Takes back what is with the wallet. Says whether anything was.
    pub(super) fn cancel_signing(&mut self, cx: &mut Cx<'_>) -> bool {
        let can = self.browser_signing(cx).is_some_and(BrowserSigning::can_cancel);
        let is_ours = matches!(self.goal, Some(Goal::Send { by: Sender::Browser, .. }));
        if can {
            cx.wish(crate::app::page::Wish::Transfer(TransferWish::StopSigning));
        } else if is_ours {
            self.stop("Cancelled here: nothing was sent.");
        }
        can || is_ours
    }

    /// What the wallet in the browser is to be asked for now, where all is fresh that a person wants signed.
    pub(super) fn ready_to_sign(&mut self, cx: &Cx<'_>) -> Option<(Departure, SigningOrder)> {
        let is_wanted = matches!(self.goal, Some(Goal::Send { by: Sender::Browser, .. })) && !self.quote.is_awaited;
        let further = self.further.as_ref().map(|further| &further.id);
        let is_free = match &cx.transfers.signing {
            Some(open) => open.awaits(cx.id, further) || open.stage == BrowserStage::Waiting,
            None => true,
        };
        if !is_wanted || !is_free {
            return None;
        }
        let order = if self.route.value.required_op_hook && self.hook.signed().is_none() {
            self.hook_order(cx)
        } else if self.messages.is_fresh(cx.now, super::state::FRESH) {
            self.tx_order(cx)
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

    /// `None` while what is to be signed is awaited.
    fn hook_order(&self, cx: &Context) -> Option<Result<SigningOrder, String>> {
        let hook = &self.hook.payload().value()?.value;
        let compared = self.with_quote(|quote| quote.compare_hook(hook));
        Some(match compared {
            Ok((_, effects)) => {
                let signer = self.addresses.last().and_then(|slot| slot.text()).unwrap_or_default();
                Ok(SigningOrder::Hook(Box::new(WalletHook {
                    words: hook_offer_words(&hook.chain_id, signer, &effects, &cx.directory),
                    access: access(&hook.chain_id, cx),
                    signer: signer.to_owned(),
                    starts_there: self.route.value.source_asset_chain_id == hook.chain_id,
                    hook: hook.clone(),
                })))
            }
            Err(refusal @ SigningRefusal::UnknownContract { .. }) => {
                Err(clean(&format!("Nothing is signed: {refusal}.")).into_owned())
            }
            Err(refusal) => {
                Err(clean(&format!("Nothing is signed, since the hook is not that of the quote: {refusal}."))
                    .into_owned())
            }
        })
    }

    /// The transaction whose turn it is, compared with the quote.
    fn tx_order(&mut self, cx: &Context) -> Option<Result<SigningOrder, String>> {
        if self.has_unread_warnings() {
            return Some(Err(
                "The messages came with a warning: acknowledge it with a, then sign once more.".to_owned()
            ));
        }
        let compared = self.compared()?;
        let place = self.tx();
        let differs = |refusal| {
            clean(&format!("Nothing is signed, since the messages are not those of the quote: {refusal}.")).into_owned()
        };
        let ready = match compared {
            Ok(ready) => ready,
            Err(refusal) => return Some(Err(differs(refusal))),
        };
        let count = ready.len();
        let Some(tx) = ready.into_iter().nth(place) else {
            return Some(Err("The router gave no transaction to sign.".to_owned()));
        };
        self.goal = None;
        let planned =
            WalletTx { words: offer_words(&tx, (place, count), &cx.directory), access: access(&tx.chain_id, cx), tx };
        let addresses = self.addresses.iter().filter_map(|slot| slot.text().map(str::to_owned)).collect();
        let draft = RecordDraft { route: self.route.raw.get().into(), addresses, kept: None };
        let is_last = place + 1 == count;
        Some(Ok(SigningOrder::Tx { planned: Box::new(planned), draft: Box::new(draft), is_last }))
    }
}

/// How a chain is reached, as far as the router and the network say.
fn access(chain: &ChainId, cx: &Context) -> SendingAccess {
    let own = cx.network.node.as_ref().filter(|_| cx.own_chain().as_ref() == Some(chain));
    cx.directory.sending_access(chain, own.and_then(|node| node.rest.as_deref()))
}
