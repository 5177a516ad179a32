//! Sending by the demo wallet, or by the user elsewhere, who then enters the hash.

use std::sync::Arc;

use super::{
    SendPage,
    state::{FRESH, Goal, Sender},
};
use crate::{
    app::{
        Context,
        directory::Directory,
        page::{BroadcastOutcome, PageCx, PageEffect},
        prompt::{Entry, EntryPurpose},
        transfers::PendingBroadcast,
    },
    domain::{BroadcastHash, ChainId, Timestamp},
    msg::PageId,
    story::Names,
    wire::router::{BroadcastRequest, ChainInfo, ChainKind},
};

/// Refusal of a network without demo wallet.
pub(super) const NO_WALLET: &str = "no demo wallet: sign in your browser, or send elsewhere and enter the hash";

impl SendPage {
    pub(super) fn departure(&self, page: PageId) -> PendingBroadcast {
        PendingBroadcast {
            page,
            further: self.further.as_ref().map(|further| further.id.clone()),
            route: self.route.raw.get().into(),
            addresses: self.addresses.iter().filter_map(|slot| slot.text().map(str::to_owned)).collect(),
            chain: self.tx_chain(self.tx()),
        }
    }

    /// Starts signing and sending with the demo wallet.
    pub(super) fn begin_sending(&mut self) {
        self.goal = Some(Goal::Send { by: Sender::Demo, is_requoted: false });
        self.notice = None;
        self.changes.clear();
    }

    /// Returns the next order for the demo wallet, once all data is fresh.
    pub(super) fn ready_to_depart(
        &mut self,
        page: PageId,
        now: Timestamp,
    ) -> Option<(PendingBroadcast, BroadcastRequest)> {
        let is_wanted = matches!(self.goal, Some(Goal::Send { by: Sender::Demo, .. })) && !self.quote.is_awaited;
        let is_signed = !self.route.value.required_op_hook || self.hook.signed().is_some();
        if !is_wanted || !is_signed || !self.messages.is_fresh(now, FRESH) {
            return None;
        }
        if self.has_unread_warnings() {
            self.stop("The messages have a new warning: press a to acknowledge it, then send again.");
            return None;
        }
        if let Some(why) = &self.refused {
            self.stop(format!("Sending stopped; the messages differ from the quote: {why}."));
            return None;
        }
        let answer = Arc::clone(self.messages.answer()?);
        let tx = self.tx();
        if tx >= answer.value.txs.len() {
            self.stop("The router sent no transaction to sign: choose another route.");
            return None;
        }
        self.goal = None;
        let request = BroadcastRequest { msgs: answer.raw.clone(), tx_index: u32::try_from(tx).ok() };
        Some((self.departure(page), request))
    }

    pub(super) fn take_outcome(&mut self, outcome: &BroadcastOutcome) {
        match outcome {
            Ok(id) => {
                self.sent = Some(id.clone());
                (self.goal, self.notice) = (None, None);
                self.changes.clear();
            }
            Err(text) => self.stop(text.clone()),
        }
    }

    /// Returns the input for the hash of transaction `tx`.
    pub(super) fn hash_entry(&self, tx: usize, names: &Directory) -> Entry {
        let chain = Names::chain(names, &self.tx_chain(tx));
        Entry::new(EntryPurpose::SentHash(tx), format!("The hash of transaction {} on {chain}", tx + 1), "")
    }

    /// Tracks a transaction that the user sent elsewhere, by the typed hash.
    pub(super) fn enter_sent_hash(&self, tx: usize, text: &str, cx: &mut PageCx<'_>) -> Result<(), String> {
        if self.sent.is_some() || self.tx() != tx {
            return Ok(());
        }
        let departure = self.departure(cx.id);
        let hash = text.parse::<BroadcastHash>().map_err(|error| error.to_string())?;
        if hash.tx_hash().is_none() && !is_solana(cx.context, &departure.chain) {
            let chain = Names::chain(&cx.context.directory, &departure.chain);
            return Err(format!("a hash on {chain} has 64 hexadecimal digits"));
        }
        let hash = hash.for_chain(&departure.chain);
        if cx.context.transfers.is_kept(&departure.chain, &hash) {
            return Err("rollscope tracks this transaction already".to_owned());
        }
        // The transfer's page opens instead of the input.
        cx.emit(PageEffect::CloseModal);
        cx.emit(PageEffect::KeepSent(departure, hash));
        Ok(())
    }
}

fn is_solana(cx: &Context, chain: &ChainId) -> bool {
    let kind = cx.directory.chain(chain).map(ChainInfo::kind);
    !matches!(kind, Some(ChainKind::Cosmos | ChainKind::Evm))
        && !chain.as_str().bytes().all(|byte| byte.is_ascii_digit())
        && cx.network.chain_id.as_deref() != Some(chain.as_str())
}
