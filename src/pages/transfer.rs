//! Page of a kept transfer: where the funds are, the evidence, the history and the next action.

mod claim;
mod draw;
mod exports;
mod hops;
mod line;
mod lines;
mod state;
mod withdrawals;

use std::time::Duration;

use self::{
    line::{TransferLine, Urls},
    state::{TransferHead, rooms},
};
use crate::{
    app::{
        Context,
        hint::Hint,
        page::{
            Drawing, Focus, FocusMut, Handled, Page, PageCx, PageEffect, PageEvent, Place, Selection, ShownTransfers,
            Shows, Tab, TakeAway, WebSubject,
        },
        transfers::{WatchedTransfer, record::raw_status},
    },
    config::{Command, KeyScope},
    domain::{Timestamp, TransferId},
    panes::transfers::{choices, of_transfer},
    widgets::{
        canvas::Canvas,
        document::{Document, json::json_lines},
    },
};

const COMMANDS: &[&[Command]] = &[
    &[Command::NextStep, Command::SignInBrowser, Command::Open],
    &[Command::Refresh, Command::RawJson, Command::Label],
    &[Command::TrackAgain, Command::Forget, Command::PreviousSibling],
    &[Command::NextSibling, Command::Back, Command::Filter],
];
const NO_STATUS: &str = "the router has sent no status yet";
const ELSEWHERE: &str = "this transaction is on another chain; try the web explorer";

#[derive(Debug)]
pub(super) struct TransferPage {
    pub(super) id: TransferId,
    /// Head above the lines; `None` until the store returned the transfer, and after the user deleted it.
    head: Option<TransferHead>,
    /// Lines below the head.
    pub(super) document: Document<TransferLine>,
    urls: Urls,
    /// JSON of the router's status. While set, it replaces the lines.
    raw: Option<(String, Document<TransferLine>)>,
    /// Inputs of the lines: version of the transfer, second, columns, version of the signing state.
    made: Option<(u64, i64, u16, u64)>,
    /// Whether the browser wallet has a claim of this transfer.
    is_in_browser: bool,
}

impl TransferPage {
    pub(super) fn new(id: TransferId) -> Self {
        Self {
            id,
            head: None,
            document: Document::new(Vec::new()),
            urls: Urls::new(),
            raw: None,
            made: None,
            is_in_browser: false,
        }
    }

    fn transfer<'a>(&self, cx: &'a Context) -> Option<&'a WatchedTransfer> {
        cx.transfers.get(&self.id)
    }

    fn shown(&self) -> &Document<TransferLine> {
        self.raw.as_ref().map_or(&self.document, |(_, document)| document)
    }

    fn shown_mut(&mut self) -> &mut Document<TransferLine> {
        match &mut self.raw {
            Some((_, document)) => document,
            None => &mut self.document,
        }
    }

    #[cfg(test)]
    pub(super) fn has_withdrawal(&self) -> bool {
        self.head.as_ref().is_some_and(|head| head.is_withdrawal)
    }

    fn toggle_raw(&mut self, cx: &mut PageCx<'_>) {
        if self.raw.take().is_none() {
            let Some(transfer) = self.transfer(cx.context) else { return };
            let Some(json) = raw_status(&transfer.follower.record) else {
                return cx.refuse(NO_STATUS);
            };
            let document = Document::new(json_lines(&json));
            self.raw = Some((json, document));
        }
        cx.redraw();
    }

    /// Shows the next or previous transfer of the board.
    fn step(&mut self, step: isize, cx: &mut PageCx<'_>) {
        if let Some(id) = cx.context.transfers.beside(&self.id, step).cloned() {
            *self = Self::new(id.clone());
            cx.emit(PageEffect::WatchTransfer(id));
            cx.redraw();
        }
    }

    /// Returns the time to which ages refer: now, or the moment of the freeze.
    fn shown_at(&self, cx: &Context) -> Timestamp {
        let made = self.made.map(|(_, second, ..)| Timestamp::EPOCH.after(Duration::from_secs(second.unsigned_abs())));
        made.filter(|_| cx.frozen).unwrap_or(cx.now)
    }
}

impl Page for TransferPage {
    fn title(&self) -> String {
        format!("Transfer {}", self.id.hash.short())
    }

    fn place(&self) -> Place {
        Place {
            shows: &[Shows::RouterNames],
            transfers: ShownTransfers::One(self.id.clone()),
            ..Place::new(Tab::Bridge, KeyScope::Bridge)
        }
    }

    fn draw(&self, canvas: &mut Canvas<'_>, cx: &Drawing<'_>) {
        draw::draw(canvas, cx, self);
    }

    fn commands(&self, cx: &Context) -> Vec<Command> {
        let yes = self.is_asked_for_yes(cx).then_some(Command::Acknowledge);
        yes.into_iter().chain(COMMANDS.concat()).collect()
    }

    fn hint(&self, hint: Hint, cx: &Context) -> Hint {
        let sibling = |hint: Hint, step| {
            let has_any = cx.transfers.beside(&self.id, step).is_some();
            Hint::new(hint.command).enabled_if(has_any, "no further transfer on the board")
        };
        match hint.command {
            Command::Open => {
                let name = self.shown().selected().and_then(|line| line.name.as_ref());
                let is_elsewhere = name.is_some_and(|name| self.urls.contains_key(name));
                match hint.refusal {
                    Some(_) if is_elsewhere => Hint::new(Command::Open).enabled_if(false, ELSEWHERE),
                    _ => hint,
                }
            }
            Command::RawJson => {
                let has_status =
                    self.transfer(cx).is_some_and(|transfer| raw_status(&transfer.follower.record).is_some());
                hint.label(if self.raw.is_some() { "page" } else { "JSON" }).enabled_if(has_status, NO_STATUS)
            }
            Command::PreviousSibling => sibling(hint, -1),
            Command::NextSibling => sibling(hint, 1),
            _ => of_transfer(hint, Some(&self.id), cx),
        }
    }

    /// Ignores events, because the lines derive from the kept transfer.
    fn on(&mut self, _event: PageEvent<'_>, _cx: &mut PageCx<'_>) {}

    /// Rebuilds the lines when the transfer changed or a second passed.
    fn update(&mut self, cx: &mut PageCx<'_>) {
        self.shown_mut().fit(rooms(&cx.regions).1);
        let Some(transfer) = cx.context.transfers.get(&self.id) else {
            if cx.context.transfers.loaded.value().is_some() && self.head.is_some() {
                *self = Self::new(self.id.clone());
            }
            return;
        };
        let now = self.shown_at(cx.context);
        let made =
            (transfer.follower.version, now.as_seconds(), cx.context.size.0, cx.context.transfers.signing_version());
        if self.made == Some(made) {
            return;
        }
        let status_view = transfer.view_at(&cx.context.directory, cx.context.own_chain().as_ref(), now);
        let is_asking = cx.is_asking_status(&self.id);
        let facts = hops::TransferFacts { cx: cx.context, transfer, status_view: &status_view, is_asking, now };
        self.head = Some(TransferHead::new(&facts));
        let (lines, urls) = facts.lines();
        self.document.update_lines(lines);
        (self.urls, self.made) = (urls, Some(made));
        let is_in_browser = self.signing(cx.context).is_some();
        if is_in_browser && !std::mem::replace(&mut self.is_in_browser, is_in_browser) {
            // The signing request must be visible, so the view scrolls to it.
            self.raw = None;
            self.document.move_to(0);
        }
        self.is_in_browser = is_in_browser;
        if let Some((shown, document)) = &mut self.raw
            && let Some(raw) = raw_status(&transfer.follower.record).filter(|raw| raw != shown)
        {
            document.replace_lines(json_lines(&raw));
            *shown = raw;
        }
        cx.redraw();
    }

    /// This page's clocks tick every second, even if other pages show absolute times.
    fn wake_in(&self, cx: &Context, now: Timestamp) -> Option<Duration> {
        let transfer = self.transfer(cx).filter(|_| !cx.frozen)?;
        let is_asked = cx.has_router() && transfer.poll_at(cx.now).is_some();
        let is_counting = transfer.is_live() || is_asked;
        // The age of a finished transfer's status ticks by seconds at first, later by minutes.
        let age = transfer.follower.view.headline.source.at.map(|at| now.since(at));
        let pace = match age {
            _ if is_counting => 1,
            Some(age) if age.as_secs() < 60 => 1,
            Some(_) => 60,
            None => return None,
        };
        Some(now.cut_to_seconds().after(Duration::from_secs(pace)).since(now))
    }

    fn focus(&self) -> Option<Focus<'_>> {
        Some(Focus::Lines(self.shown()))
    }

    fn focus_mut(&mut self) -> Option<FocusMut<'_>> {
        Some(FocusMut::Lines(self.shown_mut()))
    }

    fn act(&mut self, command: Command, cx: &mut PageCx<'_>) -> Handled {
        match command {
            Command::RawJson => self.toggle_raw(cx),
            Command::Acknowledge if self.is_asked_for_yes(cx.context) => cx.emit(PageEffect::AllowSigning),
            Command::Back if self.cancel_signing(cx) => {}
            Command::PreviousSibling => self.step(-1, cx),
            Command::NextSibling => self.step(1, cx),
            _ => return Handled::Pass,
        }
        Handled::Done
    }

    fn selection(&self) -> Selection {
        let web = || self.urls.get(self.document.selected()?.name.as_ref()?)?.clone().map(WebSubject::Url);
        Selection { transfer: Some(self.id.clone()), web: web(), ..Selection::default() }
    }

    fn take_away<'a>(&'a self, cx: &'a Context) -> TakeAway<'a> {
        let Some(transfer) = self.transfer(cx) else { return TakeAway::new() };
        TakeAway::new().copies(move || choices(transfer, cx)).exports_if(true, move || exports::of(transfer, cx))
    }
}
