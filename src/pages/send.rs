//! The page where a route is made ready: warnings acknowledged, addresses, hook, messages; then it is sent by the demo
//! wallet, or elsewhere and its hash typed in.
//!
//! The page is driven by what it lacks: after every change [`SendPage::drive`] says what is to be asked next, so that the
//! order of the stages is written in one place, whoever pressed what.

mod addresses;
mod browser;
mod commands;
mod compared;
mod departing;
mod draw;
mod exports;
mod hook;
mod hook_lines;
mod line;
mod lines;
mod link;
mod messages;
mod requote;
mod slippage;
mod sought;
mod sought_lines;
mod state;
mod tx_lines;
mod warnings;

pub(super) use state::SendPage;

use std::{sync::Arc, time::Duration};

use self::{
    line::SendLine,
    state::{Further, SendView},
};
use crate::{
    app::{
        Context,
        hint::Hint,
        page::{Cx, DepartureOutcome, Destination, Drawing, Export, Handled, Page, Surroundings, Tab, Wish},
        prompt::{CopyChoice, Entry, EntryPurpose, Prompt},
        transfers::TransferWish,
    },
    config::{Command, KeyScope},
    domain::{Timestamp, TransferRecord},
    msg::{Answer, PageNeed},
    widgets::{
        canvas::Canvas,
        cursor::Cursor,
        document::{Document, Lines},
        layout::Regions,
    },
    wire::{
        ApiError, Verbatim,
        router::{Route, RouteRequest, SignedOpHook},
    },
};

/// With a route that was chosen, what it answers, and when it came.
pub(super) fn open(request: RouteRequest, route: Arc<Verbatim<Route>>, quoted: Timestamp) -> Box<dyn Page> {
    Box::new(SendPage::new(Some(request), route, quoted))
}

/// For the transaction of a kept transfer with this number, which the wallet in the browser signs next.
pub(super) fn sign_next(record: &TransferRecord, route: Arc<Verbatim<Route>>, tx: usize) -> Box<dyn Page> {
    let mut page = SendPage::next(record, route, tx);
    page.begin_signing();
    Box::new(page)
}

/// For the transaction of a kept transfer with this number, which is to be sent next.
pub(super) fn open_next(record: &TransferRecord, route: Arc<Verbatim<Route>>, tx: usize) -> Box<dyn Page> {
    Box::new(SendPage::next(record, route, tx))
}

impl Page for SendPage {
    fn title(&self) -> String {
        self.name()
    }

    fn tab(&self) -> Tab {
        Tab::Bridge
    }

    fn scope(&self) -> KeyScope {
        KeyScope::Bridge
    }

    fn fit(&mut self, regions: &Regions, _cx: &Context) {
        let inner = regions.inner(regions.body);
        self.document.set_room(usize::from(inner.width), usize::from(inner.height));
    }

    fn draw(&self, canvas: &mut Canvas<'_>, cx: &Drawing<'_>) {
        self.draw_on(canvas, cx);
    }

    fn commands(&self, cx: &Context, _surroundings: &Surroundings) -> Vec<Hint> {
        self.hints(cx)
    }

    fn restart(&mut self) -> Option<Destination> {
        self.forget();
        None
    }

    fn update(&mut self, cx: &mut Cx<'_>) {
        let departs = self.drive(cx);
        if let Some(Further { id, tx }) = &self.further
            && cx.transfers.get(id).is_some_and(|kept| kept.record.txs.len() > *tx)
        {
            self.sent = Some(id.clone());
        }
        let is_departing = departs || cx.transfers.departing.as_ref().is_some_and(|departure| departure.page == cx.id);
        let is_in_browser = self.browser_signing(cx).is_some();
        // What is signed must be seen, wherever one has scrolled.
        let was_in_browser = std::mem::replace(&mut self.is_in_browser, is_in_browser);
        self.calls |= is_in_browser && !was_in_browser;
        let lines = self.lines(is_departing, self.browser_signing(cx), cx);
        cx.redraw_if(self.document.update_lines(lines));
        if std::mem::take(&mut self.calls) && self.view == SendView::Steps {
            self.document.move_to(0);
        }
    }

    fn take(&mut self, need: PageNeed, result: Result<Answer, ApiError>, cx: &mut Cx<'_>) {
        match need {
            PageNeed::Sought => self.take_sought(result, cx),
            _ => self.take_answer(need, result, cx),
        }
        self.drive(cx);
    }

    fn refresh(&mut self, cx: &mut Cx<'_>) {
        if self.sent.is_some() {
            return;
        }
        self.begin_anew();
        if let Some((need, request)) = self.ask_quote(cx.now) {
            cx.fetch(need, request);
        }
    }

    fn is_loading(&self) -> bool {
        self.is_waiting()
    }

    /// Ages and countdowns go on every second.
    fn wake_in(&self, cx: &Context, now: Timestamp) -> Option<Duration> {
        let into_second = u64::try_from(now.as_nanos().rem_euclid(1_000_000_000)).unwrap_or(0);
        let step = Duration::from_secs(1).saturating_sub(Duration::from_nanos(into_second));
        (self.sent.is_none() && !cx.frozen).then(|| step.max(Duration::from_millis(20)))
    }

    fn cursor(&self) -> Option<&dyn Cursor> {
        Some(&self.document)
    }

    fn cursor_mut(&mut self) -> Option<&mut dyn Cursor> {
        Some(&mut self.document)
    }

    fn document(&self) -> Option<&dyn Lines> {
        Some(&self.document)
    }

    fn document_mut(&mut self) -> Option<&mut dyn Lines> {
        Some(&mut self.document)
    }

    fn act(&mut self, command: Command, cx: &mut Cx<'_>) -> Handled {
        match command {
            Command::Open => return self.open_line(cx),
            Command::Acknowledge if self.is_asked_for_yes(cx) => {
                cx.wish(Wish::Transfer(TransferWish::AllowSigning));
            }
            Command::Acknowledge => self.acknowledge(),
            Command::Slippage => self.turn_slippage(),
            Command::DemoSend => self.begin_sending(),
            Command::SignInBrowser => self.begin_signing(),
            Command::Back if self.cancel_signing(cx) => {}
            Command::RawJson => {
                self.view = self.view.toggled(SendView::Json);
                self.document = Document::new(Vec::new());
            }
            // The page's own part of it only.
            Command::Export | Command::Copy => {
                self.begin_search(cx.context());
                return Handled::Pass;
            }
            Command::WebBridge => {
                self.begin_search(cx.context());
                self.view = self.view.toggled(SendView::WebBridge);
                self.document = Document::new(Vec::new());
            }
            // Back to the steps, not to the page before.
            Command::Back if self.view == SendView::WebBridge => {
                self.view = SendView::Steps;
                self.document = Document::new(Vec::new());
            }
            _ => return Handled::Pass,
        }
        Handled::Done
    }

    fn enter(&mut self, purpose: &EntryPurpose, text: &str, cx: &mut Cx<'_>) -> Result<(), String> {
        match purpose {
            EntryPurpose::Slippage => self.enter_slippage(text),
            EntryPurpose::Address(place) => self.enter_address(*place, text),
            EntryPurpose::SignedHook => self.enter_signed_hook(text, cx),
            EntryPurpose::SentHash(tx) => self.enter_sent_hash(*tx, text, cx),
            _ => Ok(()),
        }
    }

    fn departed(&mut self, outcome: &DepartureOutcome) {
        self.take_outcome(outcome);
    }

    fn hook_signed(&mut self, signed: SignedOpHook, cx: &mut Cx<'_>) {
        self.take_signature(signed);
        self.drive(cx);
    }

    fn copies(&self, cx: &Context) -> Vec<CopyChoice> {
        self.choices(cx.network.router.as_deref())
    }

    fn export(&self, cx: &Context) -> Vec<Export> {
        self.files(cx)
    }

    fn has_export(&self, _cx: &Context) -> bool {
        self.has_file()
    }
}

impl SendPage {
    fn selected_line(&self) -> Option<&SendLine> {
        self.document.selected()?.name.as_ref()
    }

    fn open_line(&mut self, cx: &mut Cx<'_>) -> Handled {
        let names = &cx.context().directory;
        match self.selected_line().cloned() {
            Some(SendLine::Warnings | SendLine::Warning(..)) => self.acknowledge(),
            Some(SendLine::Slippage) => ask(Some(self.slippage_entry()), cx),
            Some(SendLine::Address(place)) => ask(self.address_entry(place, names), cx),
            Some(SendLine::SignHook) => self.sign_hook(),
            Some(SendLine::PasteHook) => ask(Some(hook::entry()), cx),
            Some(SendLine::DemoSend) => self.begin_sending(),
            Some(SendLine::SignInBrowser) => self.begin_signing(),
            Some(SendLine::Hash(tx)) => ask(Some(self.hash_entry(tx, names)), cx),
            Some(SendLine::Found(place)) => self.take_proposal(place, cx),
            Some(SendLine::Transfer) => {
                if let Some(id) = &self.sent {
                    cx.open(Destination::Transfer(id.clone()));
                }
            }
            _ => return Handled::Pass,
        }
        Handled::Done
    }
}

fn ask(entry: Option<Entry>, cx: &mut Cx<'_>) {
    if let Some(entry) = entry {
        cx.ask(Prompt::Entry(entry));
    }
}
