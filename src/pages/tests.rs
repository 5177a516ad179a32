//! Tests of the state machine alone: events in, requests out. The test plays the server.

mod block_ranks;
mod denom_questions;
mod lists;
mod nfts;
mod node_names;
mod packets;
mod personal;
mod proposer;
mod screens;
mod summaries;
mod transfers;

use std::{sync::Arc, time::Duration};

use ratatui::{buffer::Buffer, layout::Rect};

use crate::{
    app::{
        App, AppOptions, Effect, Event,
        page::{self, Destination},
    },
    config::{Announcements, Key, Keymap, Network, Styles, ThemeName},
    domain::{KeptView, LocalZone, PersonalEntry, Timestamp, TransferRecord},
    msg::{
        Answer, Instruction, ListPage, Note, PageKey, PageRequest, PageStart, Report, Request, SigningId, Slot, Ticket,
        Total,
    },
    pages::{PAGES, block::BlockPage, txs::TxsPage},
    panes::rows::TxRow,
    signing::SigningOrder,
    widgets::{Drawn, canvas::Canvas, layout::Regions, list::ListWindow},
    wire::{ApiError, Tx},
};

/// The explorer and the requests that the test has not answered.
pub(super) struct Bench {
    pub(super) app: App,
    pub(super) now: Timestamp,
    pub(super) asked: Vec<(Ticket, Request)>,
    pub(super) cancelled: Vec<Slot>,
    pub(super) kept: Vec<Arc<TransferRecord>>,
    pub(super) host: Vec<Effect>,
    pub(super) personal: Vec<PersonalEntry>,
    /// Orders that the explorer gave to the browser wallet.
    pub(super) signed: Vec<(SigningId, SigningOrder)>,
    /// Signing pages that the explorer told to stop.
    pub(super) stopped: Vec<SigningId>,
    /// Signing pages that the user confirmed.
    pub(super) allowed: Vec<SigningId>,
    pub(super) view: Option<KeptView>,
}

impl Bench {
    pub(super) fn new(size: (u16, u16)) -> Self {
        Self::with_warnings(size, Vec::new())
    }

    pub(super) fn with_warnings(size: (u16, u16), warnings: Vec<String>) -> Self {
        Self::on(Network { name: "test".to_owned(), ..Network::default() }, size, warnings)
    }

    pub(super) fn on(network: Network, size: (u16, u16), warnings: Vec<String>) -> Self {
        let options = AppOptions {
            network,
            networks: crate::config::Networks::default(),
            kept: Vec::new(),
            abi: crate::story::AbiRegistry::default(),
            keymap: Keymap::built_in(),
            warnings,
            log_file: None,
            folder: "/exports".into(),
            announcements: Announcements::default(),
            zone: LocalZone::default(),
            columns: crate::columns::Columns::default(),
            pages: PAGES,
            path_of: |_| None,
        };
        let now = Timestamp::EPOCH;
        let (app, effects) = App::new(options, size, now);
        let mut bench = Self {
            app,
            now,
            asked: Vec::new(),
            cancelled: Vec::new(),
            kept: Vec::new(),
            host: Vec::new(),
            personal: Vec::new(),
            signed: Vec::new(),
            stopped: Vec::new(),
            allowed: Vec::new(),
            view: None,
        };
        bench.note(effects);
        bench
    }

    pub(super) fn open(&mut self, destination: Destination) {
        self.app.open_page(destination);
        self.send(Event::Tick);
    }

    /// Returns the current page; fails the test if its type differs.
    pub(super) fn page<P: page::Page>(&self) -> &P {
        let page = self.app.navigation.current();
        page.as_page().unwrap_or_else(|| panic!("another page: {page:?}"))
    }

    fn note(&mut self, effects: Vec<Effect>) {
        for effect in effects {
            let Effect::Worker(instruction) = effect else {
                self.host.push(effect);
                continue;
            };
            match instruction {
                Instruction::Fetch(ticket, request) => {
                    self.asked.retain(|(known, _)| known.slot != ticket.slot);
                    self.asked.push((ticket, request));
                }
                Instruction::Cancel(slot) => self.cancelled.push(slot),
                Instruction::Keep(record) => self.kept.push(record),
                Instruction::KeepPersonal(entry) => self.personal.push(entry),
                Instruction::KeepView(view) => self.view = Some(view),
                Instruction::TellOutcome(_)
                | Instruction::Remember(_)
                | Instruction::Forget(_)
                | Instruction::CloseChainScope => {}
                Instruction::Sign(id, order) => self.signed.push((id, order)),
                Instruction::StopSigning(id, _) => self.stopped.push(id),
                Instruction::AllowSigning(id) => self.allowed.push(id),
            }
        }
    }

    pub(super) fn send(&mut self, event: Event) {
        let effects = self.app.update(event, self.now);
        self.note(effects);
    }

    pub(super) fn keys(&mut self, keys: &str) {
        for key in keys.split_whitespace() {
            self.send(Event::Key(key.parse::<Key>().expect("a key")));
        }
    }

    pub(super) fn wait(&mut self, seconds: u64) {
        self.now = self.now.after(Duration::from_secs(seconds));
        self.send(Event::Tick);
    }

    pub(super) fn pass(&mut self, millis: u64) {
        self.now = self.now.after(Duration::from_millis(millis));
        self.send(Event::Tick);
    }

    pub(super) fn reply(&mut self, ticket: Ticket, result: Result<Answer, ApiError>) {
        self.send(Event::Report(Report::Reply(ticket, result)));
    }

    /// Takes the first open request that fits.
    pub(super) fn take(&mut self, fits: impl Fn(&Slot) -> bool) -> Option<(Ticket, Request)> {
        let place = self.asked.iter().position(|(ticket, _)| fits(&ticket.slot))?;
        Some(self.asked.remove(place))
    }

    pub(super) fn take_request(&mut self, fits: impl Fn(&Request) -> bool) -> Option<(Ticket, Request)> {
        let place = self.asked.iter().position(|(_, request)| fits(request))?;
        Some(self.asked.remove(place))
    }

    /// Takes the open request for the newest page of the current list.
    pub(super) fn take_newest(&mut self) -> Option<(Ticket, Request)> {
        let here = self.app.navigation.current_id();
        self.take(
            |slot| matches!(slot, Slot::List(of, request) if *of == here && matches!(**request, Request::Txs(..)) && !request.is_further()),
        )
    }

    /// Takes the open request for a further page of the current list.
    pub(super) fn take_page(&mut self) -> Option<(Ticket, Request)> {
        let here = self.app.navigation.current_id();
        self.take(
            |slot| matches!(slot, Slot::List(of, request) if *of == here && matches!(**request, Request::Txs(..)) && request.is_further()),
        )
    }

    /// Answers a list's requests until it sends no more. Returns how many it sent.
    pub(super) fn serve_txs(&mut self, chain: &Txs) -> usize {
        for count in 0.. {
            let open = self.take_newest().or_else(|| self.take_page());
            let Some((ticket, request)) = open else { return count };
            assert!(count < 500, "it never stops asking: {request:?}");
            let answer = chain.answer(&request);
            self.reply(ticket, Ok(answer));
        }
        unreachable!("the loop returns")
    }

    /// Delivers a status with this height, which makes lists poll for new rows.
    pub(super) fn grow(&mut self, height: u64) {
        self.wait(7);
        let Some((ticket, _)) = self.take(|slot| *slot == Slot::Status) else { panic!("no status was asked for") };
        self.reply(ticket, Ok(Answer::Status(Box::new(status(height)))));
    }

    /// Returns the transactions of the current tab or block.
    pub(super) fn txs(&self) -> &ListWindow<TxRow> {
        let page = self.app.navigation.current();
        let of_tab = page.as_page::<TxsPage>().map(|page| &page.txs.list);
        let of_block = || page.as_page::<BlockPage>().map(|page| &page.txs);
        of_tab.or_else(of_block).unwrap_or_else(|| panic!("no list of transactions: {page:?}"))
    }

    /// Returns the numbers of the rows that the list holds.
    pub(super) fn held(&self) -> Vec<usize> {
        self.txs().rows().iter().map(|row| number_of(&row.tx)).collect()
    }
}

/// Returns the rows of the current page, on a terminal of this size.
pub(super) fn drawn(app: &App, size: (u16, u16)) -> String {
    let area = Rect::new(0, 0, size.0, size.1);
    let (mut buffer, mut drawn) = (Buffer::empty(area), Drawn::default());
    let regions = Regions::new(size);
    let mut canvas = Canvas { buffer: &mut buffer, styles: &Styles::new(ThemeName::Mono), drawn: &mut drawn };
    app.navigation.current().draw(&mut canvas, &app.drawing(&regions));
    let row = |row: u16| {
        let cells = (0..area.width).filter_map(|column| Some(buffer.cell((column, row))?.symbol()));
        cells.collect::<String>().trim_end().to_owned()
    };
    (regions.body.y..area.height).map(row).collect::<Vec<_>>().join("\n")
}

pub(super) fn status(height: u64) -> crate::wire::Status {
    let text = format!(r#"{{"version":"","commit_hash":"","chain_id":"test-1","height":{height}}}"#);
    serde_json::from_str(&text).expect("a status")
}

/// Server's transactions, numbered from the oldest.
pub(super) struct Txs {
    pub(super) count: usize,
    /// Every `failing`-th transaction failed; 0 for no failures.
    pub(super) failing: usize,
    /// Every `kept`-th transaction passes the client's filter; 0 for no filter.
    pub(super) kept: usize,
}

impl Txs {
    pub(super) fn of(count: usize) -> Self {
        Self { count, failing: 0, kept: 0 }
    }

    pub(super) fn answer(&self, request: &Request) -> Answer {
        let Request::Txs(_, PageRequest { cursor, limit, .. }) = request else { panic!("{request:?}") };
        let start = match cursor {
            PageStart::Key(key) => key.0.parse().expect("a key of this server"),
            _ => self.count,
        };
        let end = start.saturating_sub(usize::from(*limit));
        let mut items: Vec<Arc<Tx>> = (end..start).rev().map(|number| Arc::new(self.tx(number))).collect();
        let mut notes = Vec::new();
        if self.kept > 0 {
            notes.push(Note::FilteredHere { scanned: items.len() });
            items.retain(|tx| number_of(tx).is_multiple_of(self.kept));
        }
        let next = (end > 0).then(|| PageKey(end.to_string().into()));
        Answer::Txs(ListPage { items, next, total: Total::Unknown, notes })
    }

    fn tx(&self, number: usize) -> Tx {
        let code = u8::from(self.failing > 0 && number.is_multiple_of(self.failing));
        let text = format!(
            r#"{{"txhash":"{number:064X}","height":"{}","code":{code},"timestamp":"2026-01-31T12:00:00Z","tx":{{"body":{{"messages":[]}}}}}}"#,
            number + 1
        );
        serde_json::from_str(&text).expect("a transaction")
    }
}

fn number_of(tx: &Tx) -> usize {
    usize::from_str_radix(&tx.txhash.to_string(), 16).expect("a number")
}
