use std::{collections::BTreeSet, sync::Arc, time::Duration};

use super::{
    addresses::AddressSlot,
    hook::HookStage,
    line::SendLine,
    messages::MessagesStage,
    requote::{Changed, QuoteStage},
    sought::SoughtStage,
};
use crate::{
    app::{
        directory::Directory,
        known_contracts,
        page::{Cx, Wish},
    },
    domain::{ChainId, Slippage, Timestamp, TransferId, TransferRecord},
    msg::{Answer, PageId, PageNeed, Request},
    signing::KnownContracts,
    widgets::document::Document,
    wire::{
        ApiError, Verbatim,
        router::{Route, RouteRequest},
    },
};

/// How old a quote and the messages may be when they are sent (`docs/apis/router.md` §7).
pub(super) const FRESH: Duration = Duration::from_secs(10);

/// What a person wants done, as far as it goes by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Goal {
    /// The demo wallet signs the hook.
    SignHook,
    /// A wallet signs and sends.
    Send {
        /// Which.
        by: Sender,
        /// Whether the quote was asked for again on the way; once is enough.
        is_requoted: bool,
    },
}

/// Whose wallet signs and sends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sender {
    Demo,
    /// The person's own, in the browser.
    Browser,
}

/// What the page shows of the route.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SendView {
    Steps,
    /// The messages as JSON.
    Json,
    /// A link to a web bridge, and its code.
    WebBridge,
}

impl SendView {
    /// This view; the steps where it is shown already.
    pub(super) fn toggled(self, view: Self) -> Self {
        if self == view { Self::Steps } else { view }
    }
}

/// A kept transfer that goes on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Further {
    pub(super) id: TransferId,
    /// The number of the transaction that comes next.
    pub(super) tx: usize,
}

/// A route being made ready.
#[derive(Debug)]
pub(in crate::pages) struct SendPage {
    /// The route, with its JSON.
    pub(super) route: Arc<Verbatim<Route>>,
    /// The steps in lines, or the messages as JSON.
    pub(in crate::pages) document: Document<SendLine>,
    pub(super) quote: QuoteStage,
    pub(super) further: Option<Further>,
    pub(super) acknowledged: BTreeSet<String>,
    pub(super) slippage: Slippage,
    pub(super) addresses: Vec<AddressSlot>,
    pub(super) hook: HookStage,
    pub(super) messages: MessagesStage,
    /// What differs from the quote before.
    pub(super) changes: Vec<Changed>,
    pub(super) goal: Option<Goal>,
    /// Why it does not go on.
    pub(super) notice: Option<String>,
    /// The transfer that it became.
    pub(in crate::pages) sent: Option<TransferId>,
    /// The search for what a person signs elsewhere.
    pub(super) sought: SoughtStage,
    /// What is known of contracts here; `None` before it is known of which chain the network is.
    pub(super) known: Option<KnownContracts>,
    pub(super) view: SendView,
    /// Whether the wallet in the browser had something of it when it was on screen last.
    pub(super) is_in_browser: bool,
    /// Its own name, once it was on screen.
    pub(super) id: Option<PageId>,
    /// Whether something came above all lines that must be seen.
    pub(super) calls: bool,
}

impl SendPage {
    /// With a route that was chosen, what it answers, and when it came.
    pub(super) fn new(request: Option<RouteRequest>, route: Arc<Verbatim<Route>>, quoted: Timestamp) -> Self {
        let addresses = route.value.required_chain_addresses.iter().cloned().map(AddressSlot::new).collect();
        Self {
            route,
            document: Document::new(Vec::new()),
            quote: QuoteStage { request, at: quoted, asked: quoted, is_awaited: false, is_expired: false },
            further: None,
            acknowledged: BTreeSet::new(),
            slippage: Slippage::DEFAULT,
            addresses,
            hook: HookStage::default(),
            messages: MessagesStage::default(),
            changes: Vec::new(),
            goal: None,
            notice: None,
            sent: None,
            sought: SoughtStage::default(),
            known: None,
            view: SendView::Steps,
            is_in_browser: false,
            id: None,
            calls: false,
        }
    }

    /// For the transaction of a kept transfer with this number, which is to be sent next.
    pub(super) fn next(record: &TransferRecord, route: Arc<Verbatim<Route>>, tx: usize) -> Self {
        let mut page = Self::new(None, route, record.created);
        page.further = Some(Further { id: record.id.clone(), tx });
        for (slot, text) in page.addresses.iter_mut().zip(&record.addresses) {
            slot.keep(text);
        }
        page
    }

    pub(super) fn name(&self) -> String {
        match &self.further {
            Some(further) => format!("Send transaction {}", further.tx + 1),
            None if self.sent.is_some() => "Sent".to_owned(),
            None => "Send".to_owned(),
        }
    }

    pub(super) fn is_waiting(&self) -> bool {
        self.quote.is_awaited || self.hook.is_waiting() || self.messages.is_asked()
    }

    /// The number of the transaction that is sent from here.
    pub(super) fn tx(&self) -> usize {
        self.further.as_ref().map_or(0, |further| further.tx)
    }

    /// Where that transaction is signed and broadcast.
    pub(super) fn tx_chain(&self, tx: usize) -> ChainId {
        let by_messages = self.messages.txs().get(tx).and_then(|tx| tx.chain_id().cloned());
        let operations = &self.route.value.operations;
        let by_route = operations.iter().find(|operation| usize::try_from(operation.tx_index) == Ok(tx));
        by_messages
            .or_else(|| by_route.and_then(|operation| operation.from_chain().cloned()))
            .unwrap_or_else(|| self.route.value.source_asset_chain_id.clone())
    }

    /// What must be done before the hook can be asked for, in words.
    pub(super) fn missing_before_hook(&self, names: &Directory) -> Option<String> {
        if self.warnings().iter().any(|warning| warning.is_before_messages && self.must_acknowledge(warning)) {
            return Some("the warnings above acknowledged: a".to_owned());
        }
        self.missing_address(names)
    }

    /// What must be done before the messages can be asked for, in words.
    pub(super) fn missing_before_messages(&self, names: &Directory) -> Option<String> {
        self.missing_before_hook(names).or_else(|| {
            let is_missing = self.route.value.required_op_hook && self.hook.signed().is_none();
            is_missing.then(|| "the signed hook".to_owned())
        })
    }

    /// What must be done before something can be sent elsewhere, in words.
    pub(super) fn missing_before_hash(&self, names: &Directory) -> Option<String> {
        self.missing_before_messages(names).or_else(|| {
            if self.messages.answer().is_none() {
                return Some("the messages".to_owned());
            }
            self.has_unread_warnings().then(|| "the warnings above acknowledged: a".to_owned())
        })
    }

    /// What is to be asked now.
    fn needs(&mut self, names: &Directory, now: Timestamp) -> Vec<(PageNeed, Request)> {
        if self.sent.is_some() {
            return Vec::new();
        }
        let mut needs = Vec::new();
        let is_ready = self.missing_before_hook(names).is_none();
        if is_ready && self.route.value.required_op_hook {
            let request = self.hook_request();
            needs.extend(self.hook.need(request, now).map(|request| (PageNeed::OpHook, request)));
        }
        if self.missing_before_messages(names).is_none() && !self.quote.is_awaited {
            let request = self.messages_request();
            needs.extend(self.messages.need(request, now).map(|request| (PageNeed::Messages, request)));
        }
        if self.is_relay_quote_over(now) && now.since(self.quote.asked) >= FRESH {
            needs.extend(self.ask_quote(now));
        }
        needs.extend(self.pursue(now));
        needs
    }

    /// The next step towards what a person wants done.
    fn pursue(&mut self, now: Timestamp) -> Option<(PageNeed, Request)> {
        match self.goal? {
            _ if self.quote.is_awaited => None,
            Goal::SignHook => self.hook.need_signature().map(|request| (PageNeed::Signature, request)),
            Goal::Send { by, is_requoted: false }
                if now.since(self.quote.at) > FRESH && self.quote.request.is_some() =>
            {
                self.goal = Some(Goal::Send { by, is_requoted: true });
                self.ask_quote(now)
            }
            Goal::Send { by, .. } if self.route.value.required_op_hook && self.hook.signed().is_none() => match by {
                Sender::Demo => self.hook.need_signature().map(|request| (PageNeed::Signature, request)),
                // That of the browser is no request: it is asked when all else is ready.
                Sender::Browser => None,
            },
            Goal::Send { .. } => self.messages.need_fresh(now, FRESH).map(|request| (PageNeed::Messages, request)),
        }
    }

    /// Another chain is there now: what was signed or made ready for the one before is worth nothing.
    pub(super) fn forget(&mut self) {
        if self.sent.is_none() {
            self.hook.go_stale();
            self.messages.forget();
            self.quote.is_awaited = false;
            self.stop("The chain was restarted: this route is of the one before. Ask for a new quote.");
        }
    }

    /// Quote and messages are to be asked for again, whatever failed.
    pub(super) fn begin_anew(&mut self) {
        self.notice = None;
        self.hook.forget_failure();
        self.messages.forget();
    }

    /// It cannot go on by itself.
    pub(super) fn stop(&mut self, why: impl Into<String>) {
        self.goal = None;
        self.notice = Some(why.into());
        self.calls = true;
    }

    /// Asks for what is wanted next, and gives a wallet what is ready; says whether that was the demo wallet. Goes on also
    /// while another page covers it.
    pub(super) fn drive(&mut self, cx: &mut Cx<'_>) -> bool {
        self.id = Some(cx.id);
        let own = cx.own_chain();
        if self.known.is_none() {
            self.known = own.clone().map(|chain| known_contracts(Some((&cx.network, chain))));
        }
        self.fill_addresses(&cx.directory, own.as_ref());
        for (need, request) in self.needs(&cx.context().directory, cx.now) {
            cx.fetch(need, request);
        }
        if let Some((need, request)) = self.need_search(cx.context()) {
            cx.fetch(need, request);
        }
        if cx.transfers.departing.is_some() {
            return false;
        }
        if let Some((departure, order)) = self.ready_to_sign(cx) {
            cx.wish(Wish::Sign(departure, Box::new(order)));
            return false;
        }
        let Some((departure, request)) = self.ready_to_depart(cx.id, cx.now) else { return false };
        cx.wish(Wish::Depart(departure, Arc::new(request)));
        true
    }

    pub(super) fn take_answer(&mut self, need: PageNeed, result: Result<Answer, ApiError>, cx: &Cx<'_>) {
        let now = cx.now;
        match (need, result) {
            (PageNeed::Requote, Ok(Answer::Route(route))) => self.take_quote(route, &cx.directory, now),
            (PageNeed::Requote, Err(error)) => self.lose_quote(&error),
            (PageNeed::OpHook, Ok(Answer::OpHook(payload))) => self.hook.take_payload(Ok(payload), now),
            (PageNeed::OpHook, Err(error)) => {
                self.hook.take_payload(Err(error), now);
                self.goal = None;
            }
            (PageNeed::Signature, Ok(Answer::SignedHook(signed))) => self.take_signature(signed),
            (PageNeed::Signature, Err(error)) => {
                self.hook.give_up_signature();
                self.stop(format!("The demo wallet did not sign the hook: {}", error.brief()));
            }
            (PageNeed::Messages, Ok(Answer::Msgs(answer))) => self.messages.take(Ok(answer), now),
            (PageNeed::Messages, Err(error)) => self.lose_messages(error, now),
            (PageNeed::File, Ok(Answer::File(text))) => {
                if let Err(problem) = self.read_signed_hook(&text) {
                    self.stop(format!("The file holds no signed hook: {problem}"));
                }
            }
            (PageNeed::File, Err(error)) => self.stop(format!("The file cannot be read: {}", error.brief())),
            _ => {}
        }
    }
}
