//! Off it goes: signed and sent by the demo wallet, or sent elsewhere and its hash typed in.

use std::sync::Arc;

use super::{
    SendPage,
    state::{FRESH, Goal, Sender},
};
use crate::{
    app::{
        Context,
        directory::Directory,
        page::{Cx, DepartureOutcome, Wish},
        prompt::{Entry, EntryPurpose},
        transfers::{Departure, TransferWish},
    },
    domain::{BroadcastHash, ChainId, Timestamp},
    msg::PageId,
    story::transfer::Names,
    wire::router::{BroadcastRequest, ChainInfo, ChainKind},
};

/// What a person is told where nothing is sent.
pub(super) const NO_WALLET: &str =
    "no demo wallet is here: sign with your own in the browser, or elsewhere, and give the hash";

impl SendPage {
    pub(super) fn departure(&self, page: PageId) -> Departure {
        Departure {
            page,
            further: self.further.as_ref().map(|further| further.id.clone()),
            route: self.route.raw.get().into(),
            addresses: self.addresses.iter().filter_map(|slot| slot.text().map(str::to_owned)).collect(),
            chain: self.tx_chain(self.tx()),
        }
    }

    /// Signs and sends with the demo wallet, as soon as all is fresh.
    pub(super) fn begin_sending(&mut self) {
        self.goal = Some(Goal::Send { by: Sender::Demo, is_requoted: false });
        self.notice = None;
        self.changes.clear();
    }

    /// What the demo wallet is to be given now, where all is fresh that a person wants sent.
    pub(super) fn ready_to_depart(&mut self, page: PageId, now: Timestamp) -> Option<(Departure, BroadcastRequest)> {
        let is_wanted = matches!(self.goal, Some(Goal::Send { by: Sender::Demo, .. })) && !self.quote.is_awaited;
        let is_signed = !self.route.value.required_op_hook || self.hook.signed().is_some();
        if !is_wanted || !is_signed || !self.messages.is_fresh(now, FRESH) {
            return None;
        }
        if self.has_unread_warnings() {
            self.stop("The messages came with a warning: acknowledge it with a, then send once more.");
            return None;
        }
        let answer = Arc::clone(self.messages.answer()?);
        let tx = self.tx();
        if tx >= answer.value.txs.len() {
            self.stop("The router gave no transaction to sign.");
            return None;
        }
        self.goal = None;
        let request = BroadcastRequest { msgs: answer.raw.clone(), tx_index: u32::try_from(tx).ok() };
        Some((self.departure(page), request))
    }

    pub(super) fn take_outcome(&mut self, outcome: &DepartureOutcome) {
        match outcome {
            Ok(id) => {
                self.sent = Some(id.clone());
                (self.goal, self.notice) = (None, None);
                self.changes.clear();
            }
            Err(text) => self.stop(text.clone()),
        }
    }

    /// Asks for the hash of the transaction with this number.
    pub(super) fn hash_entry(&self, tx: usize, names: &Directory) -> Entry {
        let chain = Names::chain(names, &self.tx_chain(tx));
        Entry::new(EntryPurpose::SentHash(tx), format!("The hash of transaction {} on {chain}", tx + 1), "")
    }

    /// The hash of a transaction that was sent elsewhere was typed.
    pub(super) fn enter_sent_hash(&self, tx: usize, text: &str, cx: &mut Cx<'_>) -> Result<(), String> {
        if self.sent.is_some() || self.tx() != tx {
            return Ok(());
        }
        let departure = self.departure(cx.id);
        let hash = text.parse::<BroadcastHash>().map_err(|error| error.to_string())?;
        if hash.tx_hash().is_none() && !is_solana(cx, &departure.chain) {
            let chain = Names::chain(&cx.directory, &departure.chain);
            return Err(format!("a transaction of {chain} has a hash of 64 hexadecimal digits"));
        }
        let hash = hash.for_chain(&departure.chain);
        if cx.transfers.is_kept(&departure.chain, &hash) {
            return Err("this transaction is kept already".to_owned());
        }
        // The transfer's page takes the place of the input.
        cx.wish(Wish::CloseModal);
        cx.wish(Wish::Transfer(TransferWish::Begin(departure, hash)));
        Ok(())
    }
}

fn is_solana(cx: &Context, chain: &ChainId) -> bool {
    let kind = cx.directory.chain(chain).map(ChainInfo::kind);
    !matches!(kind, Some(ChainKind::Cosmos | ChainKind::Evm))
        && !chain.as_str().bytes().all(|byte| byte.is_ascii_digit())
        && cx.network.chain_id.as_deref() != Some(chain.as_str())
}
