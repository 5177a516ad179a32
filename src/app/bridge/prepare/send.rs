//! Off it goes: signed and sent by the demo wallet, or sent elsewhere and its hash typed in.

use std::sync::Arc;

use super::{FRESH, Goal, PreparePage};
use crate::app::transfers::Departure;
use crate::{
    app::{
        App,
        modal::EntryPurpose,
        view::{PageId, View},
    },
    domain::{BroadcastHash, ChainId, TransferId, TransferRecord},
    msg::{Answer, Request, Slot},
    story::transfer::Names,
    wire::{
        ApiError, ErrorKind,
        router::{Broadcast, BroadcastRequest},
    },
};

/// What a person is told where nothing is sent.
pub(super) const NO_WALLET: &str =
    "rollscope neither signs nor broadcasts here: sign the messages with your own wallet and give their hash";

impl PreparePage {
    fn departure(&self, view: PageId) -> Departure {
        Departure {
            page: view,
            further: self.further.as_ref().map(|further| further.id.clone()),
            route: self.route.raw.get().into(),
            addresses: self.addresses.iter().filter_map(|slot| slot.text().map(str::to_owned)).collect(),
            chain: self.tx_chain(self.tx()),
        }
    }
}

impl App {
    /// Signs and sends with the demo wallet, where there is one.
    pub(in crate::app) fn demo_send(&mut self) {
        let is_sending = self.transfers.departing.is_some();
        let View::Prepare(page) = self.navigation.current() else { return self.refuse("first choose a route to send") };
        if let Some(refusal) = page.refusal_to_send(&self.directory, is_sending) {
            return self.refuse(refusal);
        }
        if let Some(page) = self.prepare_page() {
            page.goal = Some(Goal::Send { is_requoted: false });
            page.notice = None;
            page.changes.clear();
        }
        self.effects.redraw = true;
    }

    /// Hands the messages to the demo wallet once they are fresh.
    pub(super) fn depart_if_ready(&mut self, view: PageId) {
        let now = self.now;
        if self.transfers.departing.is_some() {
            return;
        }
        let Some(View::Prepare(page)) = self.navigation.view_mut(view) else { return };
        let is_wanted = matches!(page.goal, Some(Goal::Send { .. })) && !page.quote.is_awaited;
        let is_signed = !page.route.value.required_op_hook || page.hook.signed().is_some();
        if !is_wanted || !is_signed || !page.messages.is_fresh(now, FRESH) {
            return;
        }
        if page.warnings().iter().any(|warning| page.must_acknowledge(warning)) {
            return page.stop("The messages came with a warning: acknowledge it with a, then send once more.");
        }
        let Some(answer) = page.messages.answer().map(Arc::clone) else { return };
        let tx = page.tx();
        if tx >= answer.value.txs.len() {
            return page.stop("The router gave no transaction to sign.");
        }
        page.goal = None;
        let departure = page.departure(view);
        let tx_index = u32::try_from(tx).ok();
        self.transfers.departing = Some(departure);
        let request = BroadcastRequest { msgs: answer.raw.clone(), tx_index };
        self.fetch(Slot::Broadcast(view), Request::DemoBroadcast(Arc::new(request)));
    }

    /// What became of the transaction that the demo wallet was given; `false` where nothing was.
    pub(in crate::app) fn take_departed(&mut self, view: PageId, result: &Result<Answer, ApiError>) {
        if self.transfers.departing.as_ref().is_none_or(|departure| departure.page != view) {
            return;
        }
        let Some(departure) = self.transfers.departing.take() else { return };
        self.effects.redraw = true;
        match result {
            Ok(Answer::Broadcast(broadcast)) => self.take_broadcast(departure, broadcast),
            Ok(_) => self.complain("the demo wallet gave another answer than the hash of what it sent"),
            Err(error) => {
                let text = refusal(error);
                match self.navigation.view_mut(view) {
                    Some(View::Prepare(page)) => page.stop(text),
                    _ => self.complain(text),
                }
            }
        }
    }

    fn take_broadcast(&mut self, departure: Departure, broadcast: &Broadcast) {
        match broadcast.tx_hash.parse::<BroadcastHash>() {
            Ok(hash) => {
                let chain = broadcast.chain_id.clone();
                self.begin(Departure { chain, ..departure }, &hash, "Sent by the demo wallet");
            }
            Err(error) => self.complain(format!("it was sent, but {error}")),
        }
    }

    /// Keeps what was sent.
    fn begin(&mut self, departure: Departure, hash: &BroadcastHash, how: &str) {
        let Departure { page: view, further, route, addresses, chain } = departure;
        let now = self.now;
        let fresh = TransferRecord::of_hash(chain, hash, now);
        let kept = further.and_then(|id| self.transfers.get(&id)).map(|kept| kept.record.clone());
        let mut record = match kept {
            Some(mut kept) => {
                kept.txs.extend(fresh.txs);
                kept.is_over = false;
                kept
            }
            None => TransferRecord { route: Some(route), addresses, ..fresh },
        };
        record.note(now, how);
        if let Some(View::Prepare(page)) = self.navigation.view_mut(view) {
            page.sent = Some(record.id.clone());
            (page.goal, page.notice) = (None, None);
            page.changes.clear();
        }
        self.begin_transfer(record);
    }

    /// Asks for the hash of the transaction with this number.
    pub(super) fn ask_sent_hash(&mut self, tx: usize) {
        let Some(page) = self.prepare_page().filter(|page| page.sent.is_none()) else { return };
        if tx > page.tx() {
            return self.refuse("this opens when the one before has arrived");
        }
        if tx < page.tx() {
            return self.refuse("this was sent already");
        }
        let chain = page.tx_chain(tx);
        let View::Prepare(page) = self.navigation.current() else { return };
        if let Some(missing) = page.missing_before_hash(&self.directory) {
            return self.refuse(format!("first it needs {missing}"));
        }
        let prompt = format!("The hash of transaction {} on {}", tx + 1, Names::chain(&self.directory, &chain));
        self.ask_for(EntryPurpose::SentHash(tx), prompt, "");
    }

    /// The hash of a transaction that was sent elsewhere was typed.
    pub(in crate::app) fn enter_sent_hash(&mut self, place: usize, text: &str) -> Result<(), String> {
        let view = self.navigation.current_id();
        let Some(page) = self.prepare_page().filter(|page| page.sent.is_none() && page.tx() == place) else {
            return Ok(());
        };
        let departure = page.departure(view);
        let hash = text.parse::<BroadcastHash>().map_err(|error| error.to_string())?;
        if hash.tx_hash().is_none() && !self.is_solana(&departure.chain) {
            let chain = Names::chain(&self.directory, &departure.chain);
            return Err(format!("a transaction of {chain} has a hash of 64 hexadecimal digits"));
        }
        let hash = hash.for_chain(&departure.chain);
        if self.is_kept(&departure.chain, &hash) {
            return Err("this transaction is kept already".to_owned());
        }
        // The transfer's page takes the place of the input.
        self.modal = None;
        self.begin(departure, &hash, "Sent elsewhere, hash given");
        Ok(())
    }

    fn is_solana(&self, chain: &ChainId) -> bool {
        let kind = self.directory.chain(chain).map(crate::wire::router::ChainInfo::kind);
        !matches!(kind, Some(crate::wire::router::ChainKind::Cosmos | crate::wire::router::ChainKind::Evm))
            && !chain.as_str().bytes().all(|byte| byte.is_ascii_digit())
            && self.network.chain_id.as_deref() != Some(chain.as_str())
    }

    /// Opens the transfer that the route became.
    pub(super) fn open_sent_transfer(&mut self) {
        if let Some(id) = self.prepare_page().and_then(|page| page.sent.clone()) {
            self.open_transfer(id);
        }
    }
}

/// Why nothing was sent, or why nobody can say.
fn refusal(error: &ApiError) -> String {
    match &error.kind {
        ErrorKind::Timeout(_) | ErrorKind::Offline { .. } | ErrorKind::Server { .. } => format!(
            "It is not known whether it was sent: {}. Look at the account's transactions before you send again.",
            error.brief()
        ),
        _ => format!("It was not sent: {}", error.brief()),
    }
}
