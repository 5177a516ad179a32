//! Properties of the state machine and its drawing: nothing that is typed, shown or answered breaks them.

mod replies;

use std::time::Duration;

use proptest::prelude::*;
use ratatui::{Terminal, backend::TestBackend, buffer::Buffer};
use rollscope::{
    app::{App, AppOptions, Effects, Event},
    config::{Announcements, Key, Keymap, Network, Styles, ThemeName},
    domain::Timestamp,
    msg::{Instruction, Report, Request, Ticket},
    ui,
    widgets::HitMap,
};

use replies::{Reply, fitting, replies, report};

/// Something that happens to the explorer.
#[derive(Clone, Debug)]
enum Happening {
    Key(&'static str),
    Paste(String),
    Resize(u16, u16),
    Click(u16, u16),
    Scroll(u16, u16, i32),
    Pass(u64),
    /// The request with this number among all so far, the last ones first, is answered.
    Answered(usize, Reply),
}

const KEYS: [&str; 61] = [
    "1",
    "2",
    "3",
    "4",
    "5",
    "6",
    "/",
    ":",
    "?",
    "f1",
    "f12",
    "esc",
    "backspace",
    "H",
    "L",
    "y",
    "e",
    "o",
    "space",
    "r",
    "x",
    "T",
    "tab",
    "shift-tab",
    "q",
    "ctrl-z",
    "j",
    "k",
    "down",
    "up",
    "ctrl-d",
    "ctrl-u",
    "n",
    "p",
    "pgdn",
    "pgup",
    "g",
    "G",
    "home",
    "end",
    "enter",
    "f",
    "s",
    "F",
    "a",
    "b",
    "l",
    "h",
    "left",
    "right",
    "[",
    "]",
    "J",
    "v",
    "O",
    "N",
    "m",
    "c",
    "0",
    "ctrl-w",
    "alt-b",
];

fn happenings(most: usize) -> impl Strategy<Value = Vec<Happening>> {
    let happening = prop_oneof![
        12 => prop::sample::select(&KEYS[..]).prop_map(Happening::Key),
        1 => "\\PC{0,40}|[0-9a-f]{64}|init1[a-z0-9]{38}|[0-9]{1,25}".prop_map(Happening::Paste),
        1 => "([0-9]{1,4}\n){1,30}|(0x)?([0-9A-F]{64}[ ,;\n]){2,4}|https://x.y/(txs|nft)/[0-9a-f]{64}|[a-z]{2,9}"
            .prop_map(Happening::Paste),
        2 => (1_u16..=300, 1_u16..=100).prop_map(|(columns, rows)| Happening::Resize(columns, rows)),
        1 => (0_u16..300, 0_u16..100).prop_map(|(column, row)| Happening::Click(column, row)),
        1 => (0_u16..300, 0_u16..100, -5..5).prop_map(|(column, row, by)| Happening::Scroll(column, row, by)),
        1 => (0_u64..20_000).prop_map(Happening::Pass),
        12 => (0_usize..8, replies()).prop_map(|(which, reply)| Happening::Answered(which, reply)),
    ];
    prop::collection::vec(happening, 1..most)
}

/// The state machine, its screen, and what it has asked for.
struct Bench {
    app: App,
    now: Timestamp,
    screen: Terminal<TestBackend>,
    hits: HitMap,
    styles: Styles,
    asked: Vec<(Ticket, Request)>,
    waiting: Vec<Ticket>,
}

impl Bench {
    fn new() -> Self {
        let options = AppOptions {
            network: Network {
                name: "p".to_owned(),
                indexer: "http://127.0.0.1:1".to_owned(),
                chain_id: Some("p".to_owned()),
                router: Some("http://127.0.0.1:1".to_owned()),
                fetches_metadata: true,
                ..Network::default()
            },
            abi: rollscope::story::AbiRegistry::default(),
            keymap: Keymap::built_in(),
            warnings: vec!["a warning".to_owned()],
            log_file: None,
            announcements: Announcements::default(),
            columns: rollscope::columns::Columns::default(),
            pages: rollscope::pages::PAGES,
            path_of: rollscope::client::path_of,
        };
        let now: Timestamp = "2026-01-31T12:00:00Z".parse().expect("a fixed time");
        let (app, effects) = App::new(options, (80, 24), now);
        let Ok(screen) = Terminal::new(TestBackend::new(80, 24));
        let styles = Styles::new(ThemeName::default());
        let (asked, waiting) = (Vec::new(), Vec::new());
        let mut bench = Self { app, now, screen, hits: HitMap::default(), styles, asked, waiting };
        bench.note(&effects);
        bench
    }

    fn note(&mut self, effects: &Effects) {
        for command in &effects.instructions {
            match command {
                Instruction::Fetch(ticket, request) => {
                    self.asked.push((ticket.clone(), request.clone()));
                    self.waiting.retain(|waiting| waiting.slot != ticket.slot);
                    self.waiting.push(ticket.clone());
                }
                Instruction::Cancel(slot) => {
                    self.waiting.retain(|waiting| waiting.slot != *slot);
                }
                Instruction::Remember(_)
                | Instruction::Keep(_)
                | Instruction::Forget(_)
                | Instruction::PartWithChain => {}
            }
        }
    }

    fn update(&mut self, event: Event) -> Effects {
        if let Event::Report(Report::Reply(ticket, _)) = &event {
            self.waiting.retain(|waiting| waiting != ticket);
        }
        let effects = self.app.update(event, self.now);
        self.note(&effects);
        effects
    }

    fn draw(&mut self) -> Buffer {
        let (app, styles, hits) = (&self.app, &self.styles, &mut self.hits);
        let Ok(frame) = self.screen.draw(|frame| *hits = ui::draw(frame, app, styles).hits);
        frame.buffer.clone()
    }

    fn happen(&mut self, happening: &Happening) {
        let event = match happening {
            Happening::Key(name) => Event::Key(name.parse::<Key>().expect("the name of a key")),
            Happening::Paste(text) => Event::Paste(text.clone()),
            Happening::Resize(columns, rows) => {
                self.screen.backend_mut().resize(*columns, *rows);
                Event::Resize(*columns, *rows)
            }
            Happening::Click(column, row) => match self.hits.at(*column, *row) {
                Some(hit) => Event::Click(hit),
                None => return,
            },
            Happening::Scroll(column, row, by) => Event::Scroll(*by, self.hits.at(*column, *row)),
            Happening::Pass(millis) => {
                self.now = self.now.after(Duration::from_millis(*millis));
                Event::Tick
            }
            Happening::Answered(which, reply) => {
                let place = self.asked.len().saturating_sub(1 + which);
                let Some((ticket, request)) = self.asked.get(place) else { return };
                // Every third answer is of a kind that nobody expects.
                let reply = if which % 3 == 2 { reply.clone() } else { fitting(request, reply) };
                Event::Report(report(ticket.clone(), &reply))
            }
        };
        self.update(event);
        // Whatever the time of the next tick is, asking for it must not fail.
        let _ = self.app.next_tick(self.now);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, failure_persistence: None, max_shrink_iters: 300, ..ProptestConfig::default() })]

    #[test]
    fn no_sequence_of_keys_sizes_and_answers_breaks_the_explorer(what in happenings(60)) {
        let mut bench = Bench::new();
        bench.draw();
        for happening in &what {
            bench.happen(happening);
            let buffer = bench.draw();
            prop_assert!(
                buffer.content.iter().all(|cell| !cell.symbol().chars().any(char::is_control)),
                "a control character is on screen after {happening:?}"
            );
        }
    }

    #[test]
    fn a_late_answer_changes_nothing(what in happenings(40), late in prop::collection::vec((any::<prop::sample::Index>(), replies()), 1..12)) {
        let mut bench = Bench::new();
        for happening in &what {
            bench.happen(happening);
        }
        let before = bench.draw();
        for (which, reply) in &late {
            let (ticket, request) = which.get(&bench.asked).clone();
            // Only those that nobody waits for any more, and generations that never were.
            let is_awaited = bench.waiting.contains(&ticket);
            let ticket = if is_awaited { Ticket { generation: ticket.generation + 1_000_000, ..ticket } } else { ticket };
            let effects = bench.update(Event::Report(report(ticket.clone(), &fitting(&request, reply))));
            prop_assert!(!effects.redraw && effects.instructions.is_empty() && effects.host.is_empty(), "{ticket:?}: {effects:?}");
        }
        prop_assert!(bench.draw() == before, "the screen changed");
    }
}
