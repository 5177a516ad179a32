//! The page where a route is made ready: warnings acknowledged, addresses, hook, messages; then it is sent by the demo
//! wallet, or elsewhere and its hash typed in.
//!
//! The page is driven by what it lacks: after every change [`PreparePage::needs`] says what is to be asked next, so
//! that the order of the stages is written in one place, whoever pressed what.

mod addresses;
mod commands;
mod hook;
mod hook_lines;
mod lines;
mod messages;
mod papers;
mod requote;
mod send;
mod slippage;
mod spot;
mod tx_lines;
pub(in crate::app) mod warnings;

use std::{collections::BTreeSet, sync::Arc, time::Duration};

use self::{
    addresses::AddressSlot,
    hook::HookStage,
    lines::Scene,
    messages::MessagesStage,
    requote::{Changed, QuoteStage},
    spot::Spot,
};
use crate::{
    app::{
        App,
        directory::Directory,
        view::{PageId, View},
    },
    domain::{ChainId, Slippage, Timestamp, TransferId, TransferRecord},
    msg::{Answer, PageNeed, Request, Slot},
    widgets::{
        document::{Document, json::json_lines},
        layout::Regions,
    },
    wire::{
        ApiError, Verbatim,
        router::{Route, RouteRequest},
    },
};

/// How old a quote and the messages may be when they are sent (`docs/apis/router.md` §7).
const FRESH: Duration = Duration::from_secs(10);

/// Rows from which messages are unfolded at first.
const TALL: u16 = 40;

/// What a person wants done, as far as it goes by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Goal {
    /// The demo wallet signs the hook.
    SignHook,
    /// The demo wallet signs and sends.
    Send {
        /// Whether the quote was asked for again on the way; once is enough.
        is_requoted: bool,
    },
}

/// A kept transfer that goes on.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Further {
    id: TransferId,
    /// The number of the transaction that comes next.
    tx: usize,
}

/// A route being made ready.
#[derive(Debug)]
pub(crate) struct PreparePage {
    /// The route, with its JSON.
    pub(crate) route: Arc<Verbatim<Route>>,
    /// The steps in lines, or the messages as JSON.
    pub(crate) document: Document,
    quote: QuoteStage,
    further: Option<Further>,
    acknowledged: BTreeSet<String>,
    slippage: Slippage,
    addresses: Vec<AddressSlot>,
    hook: HookStage,
    messages: MessagesStage,
    /// What differs from the quote before.
    changes: Vec<Changed>,
    goal: Option<Goal>,
    /// Why it does not go on.
    notice: Option<String>,
    /// The transfer that it became.
    pub(crate) sent: Option<TransferId>,
    is_raw: bool,
    /// Whether something came above all lines that must be seen.
    calls: bool,
}

impl PreparePage {
    /// With a route that was chosen, what it answers, and when it came.
    fn new(request: Option<RouteRequest>, route: Arc<Verbatim<Route>>, quoted: Timestamp) -> Self {
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
            is_raw: false,
            calls: false,
        }
    }

    /// What it shows.
    pub(crate) fn title(&self) -> String {
        match &self.further {
            Some(further) => format!("Send transaction {}", further.tx + 1),
            None if self.sent.is_some() => "Sent".to_owned(),
            None => "Send".to_owned(),
        }
    }

    /// Gives it its room.
    pub(crate) fn fit(&mut self, regions: &Regions) {
        let inner = regions.inner(regions.body);
        self.document.set_room(usize::from(inner.width), usize::from(inner.height));
    }

    /// Whether something is awaited.
    pub(crate) fn is_loading(&self) -> bool {
        self.quote.is_awaited || self.hook.is_waiting() || self.messages.is_asked()
    }

    /// Whether the messages are shown as JSON instead of the steps.
    pub(crate) fn is_raw(&self) -> bool {
        self.is_raw
    }

    /// The number of the transaction that is sent from here.
    fn tx(&self) -> usize {
        self.further.as_ref().map_or(0, |further| further.tx)
    }

    /// Where that transaction is signed and broadcast.
    fn tx_chain(&self, tx: usize) -> ChainId {
        let by_messages = self.messages.txs().get(tx).and_then(|tx| tx.chain_id().cloned());
        let operations = &self.route.value.operations;
        let by_route = operations.iter().find(|operation| usize::try_from(operation.tx_index) == Ok(tx));
        by_messages
            .or_else(|| by_route.and_then(|operation| operation.from_chain().cloned()))
            .unwrap_or_else(|| self.route.value.source_asset_chain_id.clone())
    }

    /// What must be done before the hook can be asked for, in words.
    fn missing_before_hook(&self, names: &Directory) -> Option<String> {
        if self.warnings().iter().any(|warning| warning.is_before_messages && self.must_acknowledge(warning)) {
            return Some("the warnings above acknowledged: a".to_owned());
        }
        self.missing_address(names)
    }

    /// What must be done before the messages can be asked for, in words.
    fn missing_before_messages(&self, names: &Directory) -> Option<String> {
        self.missing_before_hook(names).or_else(|| {
            let is_missing = self.route.value.required_op_hook && self.hook.signed().is_none();
            is_missing.then(|| "the signed hook".to_owned())
        })
    }

    /// What must be done before something can be sent elsewhere, in words.
    fn missing_before_hash(&self, names: &Directory) -> Option<String> {
        self.missing_before_messages(names).or_else(|| {
            if self.messages.answer().is_none() {
                return Some("the messages".to_owned());
            }
            let is_unread = self.warnings().iter().any(|warning| self.must_acknowledge(warning));
            is_unread.then(|| "the warnings above acknowledged: a".to_owned())
        })
    }

    /// What is to be asked now, with the numbers of the slots.
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
            Goal::Send { is_requoted: false } if now.since(self.quote.at) > FRESH && self.quote.request.is_some() => {
                self.goal = Some(Goal::Send { is_requoted: true });
                self.ask_quote(now)
            }
            Goal::Send { .. } if self.route.value.required_op_hook && self.hook.signed().is_none() => {
                self.hook.need_signature().map(|request| (PageNeed::Signature, request))
            }
            Goal::Send { .. } => self.messages.need_fresh(now, FRESH).map(|request| (PageNeed::Messages, request)),
        }
    }

    /// Another chain is there now: what was signed or made ready for the one before is worth nothing.
    pub(in crate::app) fn forget(&mut self) {
        if self.sent.is_none() {
            self.hook.go_stale();
            self.messages.forget();
            self.quote.is_awaited = false;
            self.stop("The chain was restarted: this route is of the one before. Ask for a new quote.");
        }
    }

    /// It cannot go on by itself.
    fn stop(&mut self, why: impl Into<String>) {
        self.goal = None;
        self.notice = Some(why.into());
        self.calls = true;
    }
}

impl App {
    /// Opens the page for a route: what was asked for, the answer, and when that came.
    pub(in crate::app) fn open_prepare(
        &mut self,
        request: RouteRequest,
        route: Arc<Verbatim<Route>>,
        quoted: Timestamp,
    ) {
        self.navigation.open(|_| View::Prepare(PreparePage::new(Some(request), route, quoted)));
        self.effects.redraw = true;
    }

    /// Opens the page again for the transaction of a kept transfer with this number, which is to be sent next.
    pub(in crate::app) fn open_prepare_next(&mut self, record: &TransferRecord, tx: usize) {
        let route = record.route.as_deref().and_then(|json| serde_json::from_str::<Verbatim<Route>>(json).ok());
        let Some(route) = route else { return self.refuse("its route is not known here: it cannot be gone on with") };
        let mut page = PreparePage::new(None, Arc::new(route), record.created);
        page.further = Some(Further { id: record.id.clone(), tx });
        for (slot, text) in page.addresses.iter_mut().zip(&record.addresses) {
            slot.keep(text);
        }
        self.navigation.open(|_| View::Prepare(page));
        self.effects.redraw = true;
    }

    /// The page on screen.
    fn prepare_page(&mut self) -> Option<&mut PreparePage> {
        match self.navigation.current_mut() {
            View::Prepare(page) => Some(page),
            _ => None,
        }
    }

    /// Asks for what the page lacks, and makes its lines.
    pub(in crate::app) fn meet_prepare_needs(&mut self) {
        let id = self.navigation.current_id();
        self.drive_prepare(id);
        let regions = Regions::of(self.size);
        let room = regions.inner(regions.body);
        let departing = self.transfers.departing.as_ref().is_some_and(|departure| departure.page == id);
        let View::Prepare(page) = self.navigation.current_mut() else { return };
        if let Some(Further { id, tx }) = &page.further
            && self.context.transfers.get(id).is_some_and(|kept| kept.record.txs.len() > *tx)
        {
            page.sent = Some(id.clone());
        }
        let transfer = page.sent.as_ref().and_then(|id| self.context.transfers.get(id)).map(|kept| &kept.record);
        let lines = if page.is_raw {
            page.messages.answer().map(|answer| json_lines(answer.raw.get())).unwrap_or_default()
        } else {
            let (names, now, width) = (&self.context.directory, self.context.now, usize::from(room.width));
            let is_tall = room.height >= TALL;
            lines::page_lines(&Scene { page, names, transfer, now, width, is_tall, departing })
        };
        self.effects.redraw |= page.document.show_again(lines);
        if std::mem::take(&mut page.calls) && !page.is_raw {
            page.document.move_to(0);
        }
    }

    /// Does what the page with this id wants next, also while another screen covers it.
    fn drive_prepare(&mut self, id: PageId) {
        let (now, own) = (self.now, self.own_chain());
        let Some(View::Prepare(page)) = self.navigation.view_mut(id) else { return };
        page.fill_addresses(&self.context.directory, own.as_ref());
        for (what, request) in page.needs(&self.context.directory, now) {
            self.fetch(Slot::Page(id, what), request);
        }
        self.depart_if_ready(id);
    }

    /// An answer for the page came; `what` is the number of its slot.
    pub(in crate::app) fn take_prepared(&mut self, id: PageId, what: PageNeed, result: Result<Answer, ApiError>) {
        let now = self.now;
        let Some(View::Prepare(page)) = self.navigation.view_mut(id) else { return };
        match (what, result) {
            (PageNeed::Requote, Ok(Answer::Route(route))) => page.take_quote(route, &self.context.directory, now),
            (PageNeed::Requote, Err(error)) => page.lose_quote(&error),
            (PageNeed::OpHook, Ok(Answer::OpHook(payload))) => page.hook.take_payload(Ok(payload), now),
            (PageNeed::OpHook, Err(error)) => {
                page.hook.take_payload(Err(error), now);
                page.goal = None;
            }
            (PageNeed::Signature, Ok(Answer::SignedHook(signed))) => page.take_signature(signed),
            (PageNeed::Signature, Err(error)) => {
                page.hook.give_up_signature();
                page.stop(format!("The demo wallet did not sign the hook: {}", error.brief()));
            }
            (PageNeed::Messages, Ok(Answer::Msgs(answer))) => page.messages.take(Ok(answer), now),
            (PageNeed::Messages, Err(error)) => page.lose_messages(error, now),
            (PageNeed::File, Ok(Answer::File(text))) => {
                if let Err(problem) = page.read_signed_hook(&text) {
                    page.stop(format!("The file holds no signed hook: {problem}"));
                }
            }
            (PageNeed::File, Err(error)) => page.stop(format!("The file cannot be read: {}", error.brief())),
            _ => {}
        }
        if self.navigation.current_id() != id {
            self.drive_prepare(id);
        }
        self.effects.redraw = true;
    }

    /// Until the page says something else by itself: ages and countdowns go on every second.
    pub(in crate::app) fn next_prepare_step(&self, now: Timestamp) -> Option<Duration> {
        let View::Prepare(page) = self.navigation.current() else { return None };
        let into_second = u64::try_from(now.as_nanos().rem_euclid(1_000_000_000)).unwrap_or(0);
        let step = Duration::from_secs(1).saturating_sub(Duration::from_nanos(into_second));
        (page.sent.is_none() && !self.frozen).then(|| step.max(Duration::from_millis(20)))
    }

    /// Enter on a line of the page.
    pub(in crate::app) fn open_in_prepare(&mut self) {
        self.effects.redraw = true;
        let Some(page) = self.prepare_page() else { return };
        let selected = page.document.selected();
        let spot = selected.and_then(|line| line.name).and_then(Spot::of).filter(|_| !page.is_raw);
        let link = selected.and_then(|line| line.link.clone());
        match spot {
            Some(Spot::Warnings | Spot::Warning(_)) => self.acknowledge(),
            Some(Spot::Slippage) => self.ask_slippage(),
            Some(Spot::Address(place)) => self.ask_address(place),
            Some(Spot::SignHook) => self.sign_hook(),
            Some(Spot::PasteHook) => self.ask_signed_hook(),
            Some(Spot::DemoSend) => self.demo_send(),
            Some(Spot::Hash(tx)) => self.ask_sent_hash(tx),
            Some(Spot::Transfer) => self.open_sent_transfer(),
            _ => match link {
                Some(target) => self.open_target(&target),
                None => {
                    if let Some(page) = self.prepare_page() {
                        page.document.toggle_fold();
                    }
                }
            },
        }
    }

    /// The messages as JSON, or the steps again.
    pub(in crate::app) fn toggle_prepare_raw(&mut self) {
        let Some(page) = self.prepare_page() else { return };
        if page.messages.answer().is_none() {
            return self.refuse("the messages are not here yet");
        }
        page.is_raw = !page.is_raw;
        page.document = Document::new(Vec::new());
        self.effects.redraw = true;
    }

    /// Asks for quote and messages again, whatever failed.
    pub(in crate::app) fn refresh_prepare(&mut self) {
        let now = self.now;
        let id = self.navigation.current_id();
        let Some(page) = self.prepare_page().filter(|page| page.sent.is_none()) else { return };
        page.notice = None;
        page.hook.forget_failure();
        page.messages.forget();
        if let Some((what, request)) = page.ask_quote(now) {
            self.fetch(Slot::Page(id, what), request);
        }
    }
}
