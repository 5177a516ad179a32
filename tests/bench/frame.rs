//! From a key to a drawn frame, in process: `update` and `draw` at 200×50 after paging through 100,000 rows.
//!
//! Budget: 1 ms. The pseudo-terminal's share is measured by the `pty` bench.

#![expect(clippy::expect_used, clippy::indexing_slicing, reason = "a benchmark ends where it meets what cannot be")]

use std::{sync::Arc, time::Duration};

use criterion::{Criterion, criterion_group, criterion_main};
use ratatui::{Terminal, backend::TestBackend};
use rollscope::{
    app::{App, AppOptions, Effect, Event},
    config::{Announcements, Key, KeyCode, Keymap, Network, Styles, ThemeName},
    domain::{LocalZone, Timestamp},
    msg::{Answer, Instruction, ListPage, PageKey, PageStart, Report, Request, Total},
    ui, wire,
};

const ROWS: u64 = 100_000;
const SIZE: (u16, u16) = (200, 50);

/// A server that answers at once: transaction `n` of [`ROWS`], newest first, in pages by sequence.
struct Server {
    template: String,
}

impl Server {
    fn new() -> Self {
        let body = format!(
            r#"{{"body":{{"messages":[{{"@type":"/minievm.evm.v1.MsgCall","sender":"init1","input":"0xa9059cbb{}"}}],"memo":""}},"auth_info":{{"fee":{{"amount":[]}}}},"signatures":["{}"]}}"#,
            "0".repeat(128),
            "A".repeat(88),
        );
        let event = r#"{"type":"transfer","attributes":[{"key":"recipient","value":"init1yh03a2wr9f5sr9ln0nlpgpwah7gqurccy33y0h","index":true}]}"#;
        let events = vec![event; 30].join(",");
        let template = format!(
            r#"{{"txhash":"%HASH%","height":"%HEIGHT%","code":0,"gas_wanted":"1","gas_used":"1","tx":{body},"timestamp":"2026-01-01T00:00:00Z","events":[{events}]}}"#
        );
        Self { template }
    }

    fn tx(&self, sequence: u64) -> Arc<wire::Tx> {
        let text = self
            .template
            .replace("%HASH%", &format!("{sequence:064X}"))
            .replace("%HEIGHT%", &(1 + sequence / 3).to_string());
        Arc::new(serde_json::from_str(&text).expect("the template is a transaction"))
    }

    fn answer(&self, request: &Request) -> Option<Answer> {
        match request {
            Request::Txs(_, page) => {
                let start = match &page.cursor {
                    PageStart::Key(key) => key.0.parse().unwrap_or(0),
                    _ => ROWS,
                };
                let items: Vec<_> = (0..u64::from(page.limit))
                    .filter_map(|step| start.checked_sub(step + 1))
                    .map(|n| self.tx(n))
                    .collect();
                let last = start.saturating_sub(items.len() as u64);
                let next = (last > 0).then(|| PageKey(last.to_string().into()));
                Some(Answer::Txs(ListPage { items, next, total: Total::About(ROWS), notes: Vec::new() }))
            }
            _ => None,
        }
    }

    /// Answers everything that an update asked for, until nothing more is asked.
    fn serve(&self, app: &mut App, effects: Vec<Effect>) {
        let mut waiting = effects;
        while let Some(effect) = waiting.pop() {
            if let Effect::Worker(Instruction::Fetch(ticket, request)) = effect
                && let Some(answer) = self.answer(&request)
            {
                let event = Event::Report(Report::Reply(ticket, Ok(answer)));
                waiting.extend(app.update(event, Timestamp::EPOCH));
            }
        }
    }
}

fn paged_app(server: &Server) -> App {
    let options = AppOptions {
        network: Network::default(),
        networks: rollscope::config::Networks::default(),
        kept: Vec::new(),
        abi: rollscope::story::AbiRegistry::default(),
        keymap: Keymap::built_in(),
        warnings: Vec::new(),
        log_file: None,
        folder: "/exports".into(),
        announcements: Announcements::default(),
        zone: LocalZone::default(),
        columns: rollscope::columns::Columns::default(),
        pages: rollscope::pages::PAGES,
        path_of: rollscope::client::path_of,
    };
    let (mut app, effects) = App::new(options, SIZE, Timestamp::EPOCH);
    server.serve(&mut app, effects);
    let mut press = |key| {
        let effects = app.update(Event::Key(key), Timestamp::EPOCH);
        server.serve(&mut app, effects);
    };
    press(Key::char('3'));
    for _ in 0..ROWS / 40 {
        press(Key::char('n'));
    }
    app
}

fn key_to_frame(criterion: &mut Criterion) {
    let server = Server::new();
    let mut app = paged_app(&server);
    let mut terminal = Terminal::new(TestBackend::new(SIZE.0, SIZE.1)).expect("a backend in memory");
    let styles = Styles::new(ThemeName::Ansi);
    let mut up = false;
    let mut group = criterion.benchmark_group("key to frame after 100,000 rows, 200×50");
    group.measurement_time(Duration::from_secs(3));
    for (name, codes) in [("one row", [KeyCode::Up, KeyCode::Down]), ("one page", [KeyCode::PageUp, KeyCode::PageDown])]
    {
        group.bench_function(name, |bencher| {
            bencher.iter(|| {
                up = !up;
                let effects = app.update(Event::Key(Key::plain(codes[usize::from(!up)])), Timestamp::EPOCH);
                server.serve(&mut app, effects);
                terminal
                    .draw(|frame| {
                        ui::draw(frame, &app, &styles);
                    })
                    .map(drop)
                    .expect("a backend in memory cannot fail");
            });
        });
    }
    group.finish();
}

criterion_group! { name = benches; config = Criterion::default().sample_size(30); targets = key_to_frame }
criterion_main!(benches);
