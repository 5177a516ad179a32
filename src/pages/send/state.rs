use std::{collections::BTreeSet, sync::Arc, time::Duration};

use super::{
    addresses::AddressSlot,
    claim_wait::WaitStage,
    hook::HookStage,
    line::SendLine,
    messages::MessagesStage,
    reported_units::UnitStage,
    requote::{Changed, QuoteStage},
    simulated::SimulationStage,
    sought::SearchStage,
};
use crate::{
    app::{
        Context,
        directory::Directory,
        page::{PageCx, PageEffect},
    },
    domain::{ChainId, Slippage, Timestamp, TransferId, TransferRecord, text::clean},
    msg::PageId,
    panes::route_warnings::{RouteWarning, warning_of_unverified},
    signing::{KnownContracts, SigningRefusal},
    widgets::document::Document,
    wire::{
        ApiError, Verbatim,
        router::{MsgsResponse, OpHook, Route, RouteRequest},
    },
};

/// Maximum age of quote and messages when sending (`docs/apis/router.md` §7).
pub(super) const FRESH: Duration = Duration::from_secs(10);

/// Goal that the page pursues without further input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Goal {
    /// Signing the hook with the demo wallet.
    SignHook,
    /// Signing and sending with a wallet.
    Send {
        by: Sender,
        /// Whether the page already refreshed the quote for this goal; once is enough.
        is_requoted: bool,
    },
}

/// Wallet that signs and sends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sender {
    Demo,
    /// The user's wallet in the browser.
    Browser,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SendView {
    Steps,
    /// Messages as JSON.
    Json,
    /// Link to a web bridge with its QR code.
    WebBridge,
}

impl SendView {
    /// Returns this view, or the steps if this view is already shown.
    pub(super) fn toggled(self, view: Self) -> Self {
        if self == view { Self::Steps } else { view }
    }
}

/// Transfer under way that the page continues.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Further {
    pub(super) id: TransferId,
    /// Index of the next transaction.
    pub(super) tx: usize,
}

/// Preparation of a route, from the warnings to the transaction's hash.
#[derive(Debug)]
pub(in crate::pages) struct SendPage {
    pub(super) route: Arc<Verbatim<Route>>,
    /// Lines of the steps, or of the messages as JSON.
    pub(in crate::pages) document: Document<SendLine>,
    pub(super) quote: QuoteStage,
    pub(super) further: Option<Further>,
    pub(super) acknowledged: BTreeSet<String>,
    pub(super) slippage: Slippage,
    pub(super) addresses: Vec<AddressSlot>,
    pub(super) hook: HookStage,
    pub(super) messages: MessagesStage,
    pub(super) simulation: SimulationStage,
    /// Changes since the previous quote.
    pub(super) changes: Vec<Changed>,
    pub(super) goal: Option<Goal>,
    /// Why the page stopped pursuing its goal.
    pub(super) notice: Option<String>,
    /// Transfer that began with this route.
    pub(in crate::pages) sent: Option<TransferId>,
    /// Search for a transaction that the user signed elsewhere.
    pub(super) sought: SearchStage,
    pub(super) wait: WaitStage,
    pub(super) reported: UnitStage,
    /// Why rollscope cannot verify the messages; the user acknowledges it.
    pub(super) unverified: Option<RouteWarning>,
    /// Why the messages are not those of the quote; nothing sends them.
    pub(super) refused: Option<String>,
    /// Known contracts, and the chain of this network for which they were collected.
    pub(super) known: Option<(Option<ChainId>, KnownContracts)>,
    pub(super) view: SendView,
    /// Whether the browser wallet had a request of this page at the last frame.
    pub(super) is_in_browser: bool,
    /// ID of the page; `None` before its first frame.
    pub(super) id: Option<PageId>,
    /// Whether to scroll to the top, where an important line appeared.
    pub(super) calls: bool,
}

impl SendPage {
    /// Creates the page for a chosen route, its request, and the time of its quote.
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
            simulation: SimulationStage::default(),
            changes: Vec::new(),
            goal: None,
            notice: None,
            sent: None,
            sought: SearchStage::default(),
            wait: WaitStage::default(),
            reported: UnitStage::default(),
            unverified: None,
            refused: None,
            known: None,
            view: SendView::Steps,
            is_in_browser: false,
            id: None,
            calls: false,
        }
    }

    /// Creates the page for transaction `tx` of a kept transfer.
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

    /// Returns the index of the next transaction.
    pub(super) fn tx(&self) -> usize {
        self.further.as_ref().map_or(0, |further| further.tx)
    }

    /// Returns the chain on which transaction `tx` is signed and sent.
    pub(super) fn tx_chain(&self, tx: usize) -> ChainId {
        let by_messages = self.messages.txs().get(tx).and_then(|tx| tx.chain_id().cloned());
        let operations = &self.route.value.operations;
        let by_route = operations.iter().find(|operation| usize::try_from(operation.tx_index) == Ok(tx));
        by_messages
            .or_else(|| by_route.and_then(|operation| operation.from_chain().cloned()))
            .unwrap_or_else(|| self.route.value.source_asset_chain_id.clone())
    }

    /// Names the first input that the hook's request still needs.
    pub(super) fn missing_before_hook(&self, names: &Directory) -> Option<String> {
        if self.warnings().iter().any(|warning| warning.is_before_messages && self.must_acknowledge(warning)) {
            return Some("your acknowledgement of the warnings (press a)".to_owned());
        }
        self.missing_address(names)
    }

    /// Names the first input that the messages' request still needs.
    pub(super) fn missing_before_messages(&self, names: &Directory) -> Option<String> {
        self.missing_before_hook(names).or_else(|| {
            let is_missing = self.route.value.required_op_hook && self.hook.signed().is_none();
            is_missing.then(|| "the signed hook".to_owned())
        })
    }

    /// Names the first input that is still needed before the user can send elsewhere.
    pub(super) fn missing_before_hash(&self, names: &Directory) -> Option<String> {
        self.missing_before_messages(names).or_else(|| {
            if self.messages.answer().is_none() {
                return Some("the messages".to_owned());
            }
            self.has_unread_warnings().then(|| "your acknowledgement of the warnings (press a)".to_owned())
        })
    }

    /// Sends the requests for missing data.
    fn ask_needs(&mut self, cx: &mut PageCx<'_>) {
        if self.sent.is_some() {
            return;
        }
        let (names, now) = (&cx.context.directory, cx.context.now);
        let is_ready = self.missing_before_hook(names).is_none();
        if is_ready && self.route.value.required_op_hook {
            let request = self.hook_request();
            if let Some(ask) = self.hook.need(request, now) {
                cx.request(ask, Self::take_payload);
            }
        }
        if self.missing_before_messages(names).is_none() && !self.quote.is_awaited {
            let request = self.messages_request();
            if let Some(ask) = self.messages.need(request, now) {
                cx.request(ask, Self::take_messages);
            }
        }
        self.ask_simulation(cx);
        let now = cx.context.now;
        if self.is_relay_quote_over(now) && now.since(self.quote.asked) >= FRESH {
            self.ask_quote(cx);
        }
        if let Some(goal) = self.goal.filter(|_| !self.quote.is_awaited) {
            self.pursue(goal, cx);
        }
    }

    /// Takes the next step towards the goal.
    fn pursue(&mut self, goal: Goal, cx: &mut PageCx<'_>) {
        match goal {
            Goal::SignHook => self.ask_signature(cx),
            Goal::Send { by, is_requoted: false }
                if cx.context.now.since(self.quote.at) > FRESH && self.quote.request.is_some() =>
            {
                self.goal = Some(Goal::Send { by, is_requoted: true });
                self.ask_quote(cx);
            }
            Goal::Send { by, .. } if self.route.value.required_op_hook && self.hook.signed().is_none() => match by {
                Sender::Demo => self.ask_signature(cx),
                // The browser wallet needs no request from here; it signs once all data is ready.
                Sender::Browser => {}
            },
            Goal::Send { .. } => {
                if let Some(ask) = self.messages.need_fresh(cx.context.now, FRESH) {
                    cx.request(ask, Self::take_messages);
                }
            }
        }
    }

    fn ask_signature(&mut self, cx: &mut PageCx<'_>) {
        let Some(hook) = self.hook.need_signature() else { return };
        // The demo wallet has nothing to lose by a hook that rollscope does not understand.
        let exact = self.with_quote(cx.context.now, |quote| quote.hook_effects(hook));
        let exact = exact.map_or_else(|_| hook.clone(), |(exact, _)| exact);
        let ask = self.hook.ask_signature(exact);
        cx.request(ask, |page: &mut Self, result, cx| {
            match result {
                Ok(signed) => page.take_signature(signed),
                Err(error) => {
                    page.hook.give_up_signature();
                    page.stop(format!("The demo wallet did not sign the hook: {}", error.brief()));
                }
            }
            page.drive(cx);
        });
    }

    fn take_payload(&mut self, result: Result<Arc<Verbatim<OpHook>>, ApiError>, cx: &mut PageCx<'_>) {
        if result.is_err() {
            self.goal = None;
        }
        self.hook.take_payload(result, cx.context.now);
        self.drive(cx);
    }

    fn take_messages(&mut self, result: Result<Arc<Verbatim<MsgsResponse>>, ApiError>, cx: &mut PageCx<'_>) {
        match result {
            Ok(answer) => self.messages.take(Ok(answer), cx.context.now),
            Err(error) => self.lose_messages(error, cx.context.now),
        }
        self.drive(cx);
    }

    /// Drops signatures and messages after a chain change.
    pub(super) fn forget(&mut self) {
        if self.sent.is_none() {
            self.hook.go_stale();
            self.messages.forget();
            self.quote.is_awaited = false;
            self.stop("The chain restarted: this route belongs to the old chain. Request a new quote.");
        }
    }

    /// Requests quote and messages again after a failure.
    pub(super) fn begin_anew(&mut self) {
        self.notice = None;
        self.hook.forget_failure();
        self.messages.forget();
    }

    /// Stops pursuing the goal and shows why.
    pub(super) fn stop(&mut self, why: impl Into<String>) {
        self.goal = None;
        self.notice = Some(why.into());
        self.calls = true;
    }

    /// Compares the messages with the quote.
    fn judge(&mut self, cx: &Context) {
        let refusal = self.compared(&cx.directory, self.messages.at().unwrap_or(cx.now)).and_then(Result::err);
        let (unknown, differs) = match refusal {
            Some(refusal) if refusal.is_unknown() => (Some(refusal), None),
            other => (None, other),
        };
        self.unverified = unknown.map(|refusal| warning_of_unverified(&refusal.to_string()));
        let contradicts = differs.filter(SigningRefusal::contradicts_facts);
        self.refused = contradicts.map(|refusal| clean(&refusal.to_string()).into_owned());
    }

    /// Lets the chain's decimals contradict the router's.
    fn know_reported_units(&mut self) {
        let units = self.reported.units.clone();
        self.learn(|known| known.with_reported_decimals(units.decimals()));
    }

    fn learn(&mut self, more: impl FnOnce(KnownContracts) -> KnownContracts) {
        self.known = self.known.take().map(|(of, known)| (of, more(known)));
    }

    /// Requests missing data and gives ready data to a wallet, even while another page covers this one. Returns whether
    /// the demo wallet got an order.
    pub(super) fn drive(&mut self, cx: &mut PageCx<'_>) -> bool {
        self.id = Some(cx.id);
        let own = cx.context.own_chain();
        if self.known.as_ref().is_none_or(|(of, _)| *of != own) {
            self.known = Some((own.clone(), cx.context.directory.known_contracts(own.as_ref())));
        }
        if let Some(ask) = self.wait.ask_bridge(&self.route.value, cx.context) {
            cx.request(ask, |page: &mut Self, result, cx| {
                let bridge = page.wait.take(result);
                let (bridge_id, rollup) =
                    (bridge.as_ref().and_then(|it| it.bridge_id.parse().ok()), cx.context.own_chain());
                page.reported.take_bridge(bridge, cx.context);
                page.know_reported_units();
                if let Some((rollup, bridge_id)) = rollup.zip(bridge_id) {
                    page.learn(|known| known.with_bridge(rollup, bridge_id));
                }
                page.drive(cx);
            });
        }
        let known = self.known.as_ref().map(|(_, known)| known);
        if let Some(ask) = known.and_then(|known| self.reported.ask(&self.route.value, known, cx.context)) {
            cx.request(ask, |page: &mut Self, result, cx| {
                page.reported.take(result, cx.context);
                page.know_reported_units();
                page.drive(cx);
            });
        }
        self.wait.learn(&self.route.value, self.quote.at, cx.context);
        self.fill_addresses(&cx.context.directory, own.as_ref(), cx.context.transfers.accounts.as_ref());
        self.ask_needs(cx);
        self.judge(cx.context);
        self.search_again(cx);
        if cx.context.transfers.departing.is_some() {
            return false;
        }
        if let Some((departure, order)) = self.ready_to_sign(cx) {
            cx.emit(PageEffect::Sign(departure, Box::new(order)));
            return false;
        }
        let Some((departure, request)) = self.ready_to_depart(cx.id, cx.context.now) else { return false };
        cx.emit(PageEffect::Depart(departure, Arc::new(request)));
        true
    }
}
