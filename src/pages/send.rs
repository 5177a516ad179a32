//! Send page. The user acknowledges warnings, enters addresses and a hook, and checks the messages. Then a wallet sends
//! the transaction, or the user enters the hash of a transaction sent elsewhere.
//!
//! After every change [`SendPage::drive`] determines the next request, so one function defines the order of the stages.

mod addresses;
mod browser;
mod claim_wait;
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
mod reported_units;
mod requote;
mod simulated;
mod slippage;
mod sought;
mod sought_lines;
mod state;
#[cfg(test)]
mod tests;
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
        page::{
            Destination, Drawing, Focus, FocusMut, Handled, Page, PageCx, PageEffect, PageEvent, Place, Shows, Tab,
            TakeAway, WalletUpdate,
        },
        prompt::{Entry, EntryPurpose, Prompt},
    },
    config::{Command, KeyScope},
    domain::{Timestamp, TransferRecord},
    widgets::{canvas::Canvas, document::Document},
    wire::{
        Verbatim,
        router::{Route, RouteRequest},
    },
};

/// Creates the page for a chosen route, its request, and the time of its quote.
pub(super) fn open(request: RouteRequest, route: Arc<Verbatim<Route>>, quoted: Timestamp) -> Box<dyn Page> {
    Box::new(SendPage::new(Some(request), route, quoted))
}

/// Creates the page for transaction `tx` of a kept transfer and asks the browser wallet to sign it.
pub(super) fn sign_next(record: &TransferRecord, route: Arc<Verbatim<Route>>, tx: usize) -> Box<dyn Page> {
    let mut page = SendPage::next(record, route, tx);
    page.begin_signing();
    Box::new(page)
}

/// Creates the page for transaction `tx` of a kept transfer.
pub(super) fn open_next(record: &TransferRecord, route: Arc<Verbatim<Route>>, tx: usize) -> Box<dyn Page> {
    Box::new(SendPage::next(record, route, tx))
}

impl Page for SendPage {
    fn title(&self) -> String {
        self.name()
    }

    fn place(&self) -> Place {
        Place {
            is_loading: self.is_waiting(),
            shows: &[Shows::RouterNames],
            ..Place::new(Tab::Bridge, KeyScope::Bridge)
        }
    }

    fn draw(&self, canvas: &mut Canvas<'_>, cx: &Drawing<'_>) {
        self.draw_on(canvas, cx);
    }

    fn commands(&self, _cx: &Context) -> Vec<Command> {
        commands::COMMANDS.concat()
    }

    fn hint(&self, hint: Hint, cx: &Context) -> Hint {
        self.hint_of(hint, cx)
    }

    fn on(&mut self, event: PageEvent<'_>, cx: &mut PageCx<'_>) {
        match event {
            PageEvent::ChainChanged => self.forget(),
            PageEvent::Refresh if self.sent.is_none() => {
                self.begin_anew();
                self.ask_quote(cx);
            }
            PageEvent::Entered(purpose, text) => {
                let taken = match purpose {
                    EntryPurpose::Slippage => self.enter_slippage(text),
                    EntryPurpose::Address(place) => self.enter_address(*place, text),
                    EntryPurpose::SignedHook => self.enter_signed_hook(text, cx),
                    EntryPurpose::SentHash(tx) => self.enter_sent_hash(*tx, text, cx),
                    _ => Ok(()),
                };
                cx.refuse_entry(taken);
            }
            PageEvent::Wallet(WalletUpdate::Sent(outcome)) => self.take_outcome(&outcome),
            PageEvent::Wallet(WalletUpdate::HookSigned(signed)) => {
                self.take_signature(signed);
                self.drive(cx);
            }
            _ => {}
        }
    }

    fn update(&mut self, cx: &mut PageCx<'_>) {
        let departs = self.drive(cx);
        if let Some(Further { id, tx }) = &self.further
            && cx.context.transfers.get(id).is_some_and(|kept| kept.follower.record.txs.len() > *tx)
        {
            self.sent = Some(id.clone());
        }
        let is_departing =
            departs || cx.context.transfers.departing.as_ref().is_some_and(|departure| departure.page == cx.id);
        let is_in_browser = self.browser_signing(cx.context).is_some();
        // The signing request must be visible, so the view scrolls to it.
        let was_in_browser = std::mem::replace(&mut self.is_in_browser, is_in_browser);
        self.calls |= is_in_browser && !was_in_browser;
        let lines = self.lines(is_departing, self.browser_signing(cx.context), cx.context);
        cx.redraw_if(self.document.update_lines(lines));
        if std::mem::take(&mut self.calls) && self.view == SendView::Steps {
            self.document.move_to(0);
        }
        self.document.fit(cx.regions.inner(cx.regions.body));
    }

    /// Ages and countdowns change every second.
    fn wake_in(&self, cx: &Context, now: Timestamp) -> Option<Duration> {
        let into_second = u64::try_from(now.as_nanos().rem_euclid(1_000_000_000)).unwrap_or(0);
        let step = Duration::from_secs(1).saturating_sub(Duration::from_nanos(into_second));
        (self.sent.is_none() && !cx.frozen).then(|| step.max(Duration::from_millis(20)))
    }

    fn focus(&self) -> Option<Focus<'_>> {
        Some(Focus::Lines(&self.document))
    }

    fn focus_mut(&mut self) -> Option<FocusMut<'_>> {
        Some(FocusMut::Lines(&mut self.document))
    }

    fn act(&mut self, command: Command, cx: &mut PageCx<'_>) -> Handled {
        match command {
            Command::Open => return self.open_line(cx),
            Command::Acknowledge if self.is_asked_for_yes(cx.context) => cx.emit(PageEffect::AllowSigning),
            Command::Acknowledge => self.acknowledge(),
            Command::Slippage => self.turn_slippage(),
            Command::DemoSend => self.begin_sending(),
            Command::SignInBrowser => self.begin_signing(),
            Command::ConnectWallet => {
                let chains = self.addresses.iter().map(|slot| slot.chain.clone()).collect();
                cx.emit(PageEffect::ConnectWallet(cx.id, chains));
            }
            Command::Back if self.cancel_signing(cx) => {}
            Command::RawJson => self.show(self.view.toggled(SendView::Json)),
            Command::Export | Command::Copy => {
                self.begin_search(cx.context);
                return Handled::Pass;
            }
            Command::WebBridge => {
                self.begin_search(cx.context);
                self.show(self.view.toggled(SendView::WebBridge));
            }
            // Esc returns to the steps before it leaves the page.
            Command::Back if self.view == SendView::WebBridge => self.show(SendView::Steps),
            _ => return Handled::Pass,
        }
        Handled::Done
    }

    fn take_away<'a>(&'a self, cx: &'a Context) -> TakeAway<'a> {
        TakeAway::new()
            .copies(move || self.choices(cx.network.router.as_deref()))
            .exports_if(self.has_file(), move || self.files(cx))
    }
}

impl SendPage {
    fn show(&mut self, view: SendView) {
        (self.view, self.document) = (view, Document::new(Vec::new()));
    }

    fn selected_line(&self) -> Option<&SendLine> {
        self.document.selected()?.name.as_ref()
    }

    fn open_line(&mut self, cx: &mut PageCx<'_>) -> Handled {
        let names = &cx.context.directory;
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

fn ask(entry: Option<Entry>, cx: &mut PageCx<'_>) {
    if let Some(entry) = entry {
        cx.ask(Prompt::Entry(entry));
    }
}
