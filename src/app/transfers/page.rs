//! The page of one transfer.

mod hops;
mod lines;

use std::{collections::BTreeMap, time::Duration};

use ratatui::layout::Rect;
use serde_json::{Value, json};

pub(crate) use hops::bar;

use super::{WatchedTransfer, board};
use crate::{
    app::{App, view::View},
    config::Meaning,
    domain::{Timestamp, TransferId, TransferRecord},
    story::transfer::{HopPhase, NextStep, TransferStatusView},
    widgets::{
        document::{Document, json::json_lines},
        layout::{Regions, Tier},
    },
};

/// Rows of the page's head: two of the headline, two bars, the next step and a line between.
const HEAD: u16 = 6;
/// The same where there is little room.
const COMPACT_HEAD: u16 = 3;

/// What stands above the lines: where the funds are, how long it takes, what to do.
#[derive(Clone, Debug)]
pub(crate) struct TransferHead {
    /// What the sign means.
    pub(crate) meaning: Meaning,
    /// Sign and word of the state.
    pub(crate) sign: (&'static str, &'static str),
    /// Where the funds are.
    pub(crate) headline: String,
    /// How long it takes or took, so far.
    pub(crate) elapsed: Duration,
    /// How long it should take.
    pub(crate) planned: Option<Duration>,
    /// When it should be there.
    pub(crate) expected: Option<Timestamp>,
    /// Whether that is a time from which it can be claimed.
    pub(crate) is_withdrawal: bool,
    /// Whether it waits for a person, and so for no time.
    pub(crate) is_with_person: bool,
    /// Whether nothing is awaited any more.
    pub(crate) is_over: bool,
    /// What can be done next, in words; `None` where it is to wait.
    pub(crate) next: Option<String>,
}

/// The page of one transfer.
#[derive(Debug)]
pub(crate) struct TransferPage {
    /// Which one.
    pub(crate) id: TransferId,
    /// What stands above the lines; `None` while the transfer is not read from the store yet, or is forgotten.
    pub(crate) head: Option<TransferHead>,
    /// All the rest in lines.
    pub(crate) document: Document,
    /// The web pages of the lines' transactions; `None` where there is none.
    pub(crate) urls: BTreeMap<u32, Option<String>>,
    /// The status as it came, instead of the lines.
    raw: Option<(String, Document)>,
    /// What the lines were made of: the transfer's version, the second, the columns.
    made: Option<(u64, i64, u16)>,
}

impl TransferPage {
    /// The page before its lines are made.
    pub(crate) fn new(id: TransferId) -> Self {
        let document = Document::new(Vec::new());
        Self { id, head: None, document, urls: BTreeMap::new(), raw: None, made: None }
    }

    /// What it shows.
    pub(crate) fn title(&self) -> String {
        format!("Transfer {}", self.id.hash.short())
    }

    /// Whether the status is shown as it came.
    pub(crate) fn is_raw(&self) -> bool {
        self.raw.is_some()
    }

    /// The lines on screen.
    pub(crate) fn shown(&self) -> &Document {
        self.raw.as_ref().map_or(&self.document, |(_, document)| document)
    }

    /// The same, to move in them.
    pub(crate) fn shown_mut(&mut self) -> &mut Document {
        match &mut self.raw {
            Some((_, document)) => document,
            None => &mut self.document,
        }
    }

    /// Gives it its room.
    pub(crate) fn fit(&mut self, regions: &Regions) {
        let (_, below) = rooms(regions);
        self.shown_mut().set_room(usize::from(below.width), usize::from(below.height));
    }

    pub(super) fn toggle_raw(&mut self, json: &str) {
        self.raw = match self.raw.take() {
            None => Some((json.to_owned(), Document::new(json_lines(json)))),
            Some(_) => None,
        };
    }
}

/// The room of the head, and that of the lines.
pub(crate) fn rooms(regions: &Regions) -> (Rect, Rect) {
    let inner = regions.inner(regions.body);
    let rows = if regions.tier <= Tier::Compact { COMPACT_HEAD } else { HEAD }.min(inner.height);
    let below = Rect::new(inner.x, inner.y + rows, inner.width, inner.height - rows);
    (Rect { height: rows, ..inner }, below)
}

/// The newest status of each transaction as it came: one alone, or a list.
pub(super) fn raw_status(record: &TransferRecord) -> Option<String> {
    let all: Vec<&str> = record.txs.iter().filter_map(|tx| tx.status.as_ref()).map(|(body, _)| &**body).collect();
    match all.as_slice() {
        [] => None,
        [only] => Some((*only).to_owned()),
        several => Some(format!("[{}]", several.join(","))),
    }
}

/// The record with its route and statuses as JSON.
pub(super) fn exported(record: &TransferRecord) -> Value {
    let parsed = |text: &str| serde_json::from_str::<Value>(text).unwrap_or_else(|_| text.into());
    let txs = record.txs.iter().map(|tx| {
        json!({
            "chain_id": tx.chain_id.as_str(), "tx_hash": tx.hash.as_str(), "at": tx.at.to_string(),
            "tracking": tx.tracking.to_string(),
            "status": tx.status.as_ref().map(|(body, _)| parsed(body)),
            "status_at": tx.status.as_ref().map(|(_, at)| at.to_string()),
        })
    });
    let changes = record.changes.iter().map(|change| json!({"at": change.at.to_string(), "text": change.text}));
    json!({
        "chain_id": record.id.chain_id.as_str(), "tx_hash": record.id.hash.as_str(),
        "label": record.label, "created": record.created.to_string(), "is_over": record.is_over,
        "addresses": record.addresses, "txs": txs.collect::<Vec<_>>(), "changes": changes.collect::<Vec<_>>(),
        "route": record.route.as_deref().map(parsed),
    })
}

fn head(app: &App, transfer: &WatchedTransfer, status_view: &TransferStatusView, now: Timestamp) -> TransferHead {
    let begun = transfer.current_tx().map_or(transfer.record.created, |tx| tx.at);
    let ended = status_view.hops.iter().filter_map(|hop| hop.ended).max();
    let is_done = status_view.hops.iter().all(|hop| hop.phase != HopPhase::Active) && status_view.phase.is_over();
    let last_change = transfer.record.changes.last().map(|change| change.at);
    let until = if is_done { ended.or(last_change).unwrap_or(now) } else { now };
    let first = transfer.record.created.min(begun);
    let next = match &status_view.next {
        NextStep::Wait => None,
        NextStep::TrackAgain => Some("ask the router to watch it again".to_owned()),
        NextStep::RouteFrom(_) => Some("look for a new route from where the funds are".to_owned()),
        NextStep::SendNext(tx) => Some(format!("make transaction {} ready and send it", tx + 1)),
        NextStep::Claim => Some("claim it on the L1 with any wallet; it goes to the recipient".to_owned()),
        NextStep::CheckDestination => Some("ask the chain where the funds should be".to_owned()),
    };
    TransferHead {
        meaning: board::meaning(transfer, status_view),
        sign: board::sign(transfer, status_view),
        headline: status_view.headline.to_string(),
        elapsed: until.since(if is_done { first } else { begun }),
        planned: status_view.expected.map(|at| at.since(begun)).filter(|span| !span.is_zero()),
        expected: status_view.expected,
        is_withdrawal: lines::is_withdrawal(app, transfer, status_view, now),
        is_with_person: matches!(status_view.next, NextStep::SendNext(_) | NextStep::Claim),
        is_over: !transfer.is_live(),
        next,
    }
}

impl App {
    /// Makes the lines of the transfer's page anew where something of it changed, or a second passed. A frozen screen
    /// shows what happens, at the time at which it was frozen.
    pub(super) fn make_transfer_page(&mut self) {
        let View::Transfer(page) = self.navigation.current() else { return };
        let Some(transfer) = self.transfers.get(&page.id) else {
            let is_gone = self.transfers.loaded.value().is_some() && page.head.is_some();
            if let (View::Transfer(page), true) = (self.navigation.current_mut(), is_gone) {
                *page = TransferPage::new(page.id.clone());
            }
            return;
        };
        let frozen_at =
            page.made.map(|(_, second, _)| Timestamp::EPOCH.after(Duration::from_secs(second.unsigned_abs())));
        let now = frozen_at.filter(|_| self.frozen).unwrap_or(self.now);
        let made = (transfer.version, now.as_seconds(), self.size.0);
        if page.made == Some(made) {
            return;
        }
        let status_view = transfer.status_view_at(&self.directory, self.own_chain().as_ref(), now);
        let head = head(self, transfer, &status_view, now);
        let (lines, urls) = lines::lines(self, transfer, &status_view, now);
        let raw = page.is_raw().then(|| raw_status(&transfer.record)).flatten();
        let View::Transfer(page) = self.navigation.current_mut() else { return };
        page.head = Some(head);
        page.document.show_again(lines);
        page.urls = urls;
        page.made = Some(made);
        if let (Some((shown, document)), Some(raw)) = (&mut page.raw, raw)
            && *shown != raw
        {
            document.show_instead(json_lines(&raw));
            *shown = raw;
        }
        self.effects.redraw = true;
    }
}
