//! The page of one kept transfer: where the funds are, who says so, what was done and what can be.

mod claim;
mod draw;
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
use crate::widgets::document::Lines;
use crate::{
    app::{
        Context,
        hint::Hint,
        page::{Cx, Destination, Drawing, Export, Handled, Page, ShownTransfers, Surroundings, Tab, WebSubject, Wish},
        prompt::CopyChoice,
        transfers::{
            TransferWish, WatchedTransfer,
            record::{exported, file_name, raw_status},
        },
    },
    config::{Command, KeyScope},
    domain::{Timestamp, TransferId},
    panes::transfers::{choices, of_transfer},
    story::transfer::{Attention, claim_reminder},
    widgets::{
        canvas::Canvas,
        cursor::Cursor,
        document::{Document, json::json_lines},
        layout::Regions,
    },
};

#[derive(Debug)]
pub(super) struct TransferPage {
    pub(super) id: TransferId,
    /// What stands above the lines; `None` while the transfer is not read from the store yet, or is forgotten.
    head: Option<TransferHead>,
    /// All the rest in lines.
    pub(super) document: Document<TransferLine>,
    urls: Urls,
    /// The status as it came, instead of the lines.
    raw: Option<(String, Document<TransferLine>)>,
    /// What the lines were made of: the transfer's version, the second, the columns, what is with the wallet.
    made: Option<(u64, i64, u16, u64)>,
    /// Whether its claim is with the wallet in the browser.
    is_in_browser: bool,
}

impl TransferPage {
    /// Before its lines are made.
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

    /// The lines on screen.
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

    fn toggle_raw(&mut self, cx: &mut Cx<'_>) {
        if self.raw.take().is_none() {
            let Some(transfer) = self.transfer(cx) else { return };
            let Some(json) = raw_status(&transfer.record) else {
                return cx.refuse("the router has not told its status yet");
            };
            let document = Document::new(json_lines(&json));
            self.raw = Some((json, document));
        }
        cx.redraw();
    }

    /// The transfer beside this one takes its place.
    fn step(&mut self, step: isize, cx: &mut Cx<'_>) {
        if let Some(id) = cx.context().transfers.beside(&self.id, step).cloned() {
            *self = Self::new(id.clone());
            cx.wish(Wish::Transfer(TransferWish::Watch(id)));
            cx.redraw();
        }
    }

    /// At which time it shows everything: a frozen page at that at which it was frozen.
    fn shown_at(&self, cx: &Context) -> Timestamp {
        let made = self.made.map(|(_, second, ..)| Timestamp::EPOCH.after(Duration::from_secs(second.unsigned_abs())));
        made.filter(|_| cx.frozen).unwrap_or(cx.now)
    }
}

impl Page for TransferPage {
    fn title(&self) -> String {
        format!("Transfer {}", self.id.hash.short())
    }

    fn tab(&self) -> Tab {
        Tab::Bridge
    }

    fn scope(&self) -> KeyScope {
        KeyScope::Bridge
    }

    fn fit(&mut self, regions: &Regions, _cx: &Context) {
        let (_, below) = rooms(regions);
        self.shown_mut().set_room(usize::from(below.width), usize::from(below.height));
    }

    fn draw(&self, canvas: &mut Canvas<'_>, cx: &Drawing<'_>) {
        draw::draw(canvas, cx, self);
    }

    fn commands(&self, cx: &Context, _surroundings: &Surroundings) -> Vec<Hint> {
        let document = self.shown();
        let line = document.selected();
        let leads = document.can_fold() || line.is_some_and(|line| line.link.is_some());
        let is_elsewhere = line.and_then(|line| line.name.as_ref()).is_some_and(|name| self.urls.contains_key(name));
        let open = Hint::of(Command::Open)
            .needs(leads || !is_elsewhere, "this transaction is of another chain; its page in the browser may show it")
            .needs(leads, "nothing is behind this line");
        let has_status = self.transfer(cx).is_some_and(|transfer| raw_status(&transfer.record).is_some());
        let raw = Hint::of(Command::RawJson)
            .called(if self.raw.is_some() { "page" } else { "JSON" })
            .needs(has_status, "the router has not told its status yet");
        let [next, sign, label, again, forget] = of_transfer(Some(&self.id), cx);
        let sibling = |command, step| {
            Hint::of(command)
                .needs(cx.transfers.beside(&self.id, step).is_some(), "no further transfer is kept in this direction")
        };
        let yes = self.is_asked_for_yes(cx).then(|| Hint::of(Command::Acknowledge));
        let hints = vec![
            next,
            sign,
            open,
            Hint::of(Command::Refresh),
            raw,
            label,
            again,
            forget,
            sibling(Command::PreviousSibling, -1),
            sibling(Command::NextSibling, 1),
            Hint::of(Command::Back),
            Hint::of(Command::Filter).called("find"),
        ];
        yes.into_iter().chain(hints).collect()
    }

    /// Its lines are made of what is kept of the transfer.
    fn restart(&mut self) -> Option<Destination> {
        None
    }

    /// Makes the lines anew where something of the transfer changed, or a second passed.
    fn update(&mut self, cx: &mut Cx<'_>) {
        let Some(transfer) = cx.context().transfers.get(&self.id) else {
            if cx.transfers.loaded.value().is_some() && self.head.is_some() {
                *self = Self::new(self.id.clone());
            }
            return;
        };
        let now = self.shown_at(cx);
        let made = (transfer.version, now.as_seconds(), cx.size.0, cx.transfers.signing_version());
        if self.made == Some(made) {
            return;
        }
        let status_view = transfer.status_view_at(&cx.directory, cx.own_chain().as_ref(), now);
        let is_asking = cx.is_asking_status(&self.id);
        let facts = hops::TransferFacts { cx: cx.context(), transfer, status_view: &status_view, is_asking, now };
        self.head = Some(TransferHead::new(&facts));
        let (lines, urls) = facts.lines();
        self.document.update_lines(lines);
        (self.urls, self.made) = (urls, Some(made));
        let is_in_browser = self.signing(cx).is_some();
        if is_in_browser && !std::mem::replace(&mut self.is_in_browser, is_in_browser) {
            // What is signed must be seen, wherever one has scrolled.
            self.raw = None;
            self.document.move_to(0);
        }
        self.is_in_browser = is_in_browser;
        if let Some((shown, document)) = &mut self.raw
            && let Some(raw) = raw_status(&transfer.record).filter(|raw| raw != shown)
        {
            document.replace_lines(json_lines(&raw));
            *shown = raw;
        }
        cx.redraw();
    }

    /// Clocks go on by the second, whatever form times have elsewhere.
    fn wake_in(&self, cx: &Context, now: Timestamp) -> Option<Duration> {
        let transfer = self.transfer(cx).filter(|_| !cx.frozen)?;
        let is_asked = cx.has_router() && transfer.poll_at(Attention::Shown, cx.now).is_some();
        let is_counting = transfer.is_live() || is_asked;
        // How old the last word on what is over is goes on by the second, then by the minute.
        let age = transfer.status_view.headline.source.at.map(|at| now.since(at));
        let pace = match age {
            _ if is_counting => 1,
            Some(age) if age.as_secs() < 60 => 1,
            Some(_) => 60,
            None => return None,
        };
        Some(now.cut_to_seconds().after(Duration::from_secs(pace)).since(now))
    }

    fn shown_transfers(&self) -> ShownTransfers {
        ShownTransfers::One(self.id.clone())
    }

    fn selected_transfer(&self) -> Option<TransferId> {
        Some(self.id.clone())
    }

    fn cursor(&self) -> Option<&dyn Cursor> {
        Some(self.shown())
    }

    fn cursor_mut(&mut self) -> Option<&mut dyn Cursor> {
        Some(self.shown_mut())
    }

    fn document(&self) -> Option<&dyn Lines> {
        Some(self.shown())
    }

    fn document_mut(&mut self) -> Option<&mut dyn Lines> {
        Some(self.shown_mut())
    }

    fn act(&mut self, command: Command, cx: &mut Cx<'_>) -> Handled {
        match command {
            Command::RawJson => self.toggle_raw(cx),
            Command::Acknowledge if self.is_asked_for_yes(cx) => {
                cx.wish(Wish::Transfer(TransferWish::AllowSigning));
            }
            Command::Back if self.cancel_signing(cx) => {}
            Command::PreviousSibling => self.step(-1, cx),
            Command::NextSibling => self.step(1, cx),
            _ => return Handled::Pass,
        }
        Handled::Done
    }

    fn copies(&self, cx: &Context) -> Vec<CopyChoice> {
        self.transfer(cx).map(|transfer| choices(transfer, cx)).unwrap_or_default()
    }

    fn has_copies(&self, cx: &Context) -> bool {
        self.transfer(cx).is_some()
    }

    fn export(&self, cx: &Context) -> Vec<Export> {
        let Some(transfer) = self.transfer(cx) else { return Vec::new() };
        let name = file_name(&self.id);
        let route = transfer.route().map(AsRef::as_ref);
        let reminder = claim_reminder(&transfer.record, &transfer.status_view, route, &cx.directory, cx.now).ok();
        let reminder = reminder.map(|contents| Export::new(format!("claim-{name}.ics"), contents));
        let record = Export::record(format!("transfer-{name}.json"), &exported(&transfer.record));
        reminder.into_iter().chain(claim::unsigned(transfer, cx)).chain([record]).collect()
    }

    fn has_export(&self, cx: &Context) -> bool {
        self.transfer(cx).is_some()
    }

    /// The web page of the transaction under the cursor.
    fn web_subject(&self) -> Option<WebSubject> {
        let url = self.urls.get(self.document.selected()?.name.as_ref()?)?.clone();
        url.map(WebSubject::Url)
    }
}
