//! Properties of the state machine and its drawing: nothing that is typed, shown or answered breaks them. Properties of
//! stories are in [`stories`].

mod bridge;
mod replies;
mod stories;
mod ways;

use std::{cell::RefCell, collections::BTreeSet, time::Duration};

use proptest::{
    prelude::*,
    test_runner::{TestCaseError, TestRunner},
};
use ratatui::{Terminal, backend::TestBackend, buffer::Buffer};
use rollscope::{
    app::{App, AppOptions, Effect, Event},
    config::{Announcements, Key, Keymap, Network, NodeLocation, Styles, ThemeName},
    domain::{BroadcastHash, LocalZone, Timestamp, Vm},
    msg::{Answer, Instruction, Report, Request, Slot, Ticket},
    ui,
    widgets::HitMap,
};

use replies::{KINDS, Reply, fitting, kind_of, replies, report};

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
    /// All that is awaited is answered with what fits, and what is asked then, some times.
    Served(u64),
    /// What is awaited by a request of this kind is not there.
    Missing(&'static str),
    /// Where the screen shows this text, if it does.
    ClickOn(String),
}

const KEYS: [&str; 76] = [
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
    "S",
    "t",
    "R",
    "D",
    "=",
    "{",
    "}",
    "B",
    "ctrl-o",
    ">",
    "C",
    "w",
    "M",
    "%",
    "A",
];

/// One of the ways somewhere, and then anything.
fn happenings(most: usize) -> impl Strategy<Value = Vec<Happening>> {
    (ways::ways(), accidents(most)).prop_map(|(way, rest)| [way, rest].concat())
}

fn accidents(most: usize) -> impl Strategy<Value = Vec<Happening>> {
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
        2 => (0_u64..10_000).prop_map(Happening::Served),
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
    reached: Reached,
}

/// What was come to.
#[derive(Debug, Default)]
struct Reached {
    /// The kinds of requests that were answered with what they ask for, while that was awaited.
    answered: BTreeSet<&'static str>,
    /// The titles of frames, by their beginnings.
    pages: BTreeSet<&'static str>,
}

/// Seeds that each way is gone with, and how many at the most until every request was answered: which of the answers
/// fit depends on how many were given before.
const LEAST_SEEDS: u64 = 2;
const MOST_SEEDS: u64 = 64;

/// Answers in a row at the most.
const SERVED: u64 = 40;

/// Frames that nobody comes to without many answers in the right order.
const PAGES: [&str; 3] = ["┌ Send ", "┌ Transfer ", "┌ Transfers · "];

impl Reached {
    fn add(&mut self, other: Self) {
        self.answered.extend(other.answered);
        self.pages.extend(other.pages);
    }

    /// The kinds of requests that were never answered with what they ask for.
    fn missing(&self) -> Vec<&'static str> {
        KINDS.iter().copied().filter(|kind| !self.answered.contains(kind)).collect()
    }
}

impl Bench {
    fn new() -> Self {
        let options = AppOptions {
            network: Network {
                name: "p".to_owned(),
                indexer: "http://127.0.0.1:1".to_owned(),
                chain_id: Some("p".to_owned()),
                vm: Some(Vm::Evm),
                router: Some("http://127.0.0.1:1".to_owned()),
                executor: Some("http://127.0.0.1:1".to_owned()),
                node: Some(NodeLocation { node: "http://127.0.0.1:1".to_owned(), ..NodeLocation::default() }),
                fetches_metadata: true,
                ..Network::default()
            },
            networks: rollscope::config::Networks::default(),
            kept: Vec::new(),
            abi: rollscope::story::AbiRegistry::default(),
            keymap: Keymap::built_in(),
            warnings: vec!["a warning".to_owned()],
            log_file: None,
            folder: "/exports".into(),
            announcements: Announcements::default(),
            zone: LocalZone::default(),
            columns: rollscope::columns::Columns::default(),
            pages: rollscope::pages::PAGES,
            path_of: rollscope::client::path_of,
        };
        let now: Timestamp = "2026-01-31T12:00:00Z".parse().expect("a fixed time");
        let (app, effects) = App::new(options, (80, 24), now);
        let Ok(screen) = Terminal::new(TestBackend::new(80, 24));
        let styles = Styles::new(ThemeName::default());
        let (asked, waiting) = (Vec::new(), Vec::new());
        let (hits, reached) = (HitMap::default(), Reached::default());
        let mut bench = Self { app, now, screen, hits, styles, asked, waiting, reached };
        bench.note(&effects);
        bench
    }

    fn note(&mut self, effects: &[Effect]) {
        for effect in effects {
            let Effect::Worker(instruction) = effect else { continue };
            match instruction {
                Instruction::Fetch(ticket, request) => {
                    let is_awaited = self.waiting.iter().any(|waiting| waiting.slot == ticket.slot);
                    let is_list = matches!(ticket.slot, Slot::List(..));
                    assert!(!(is_list && is_awaited), "a list asks twice at once: {:?}", ticket.slot);
                    assert!(!(is_broadcast(&ticket.slot) && is_awaited), "a broadcast replaces another");
                    self.asked.push((ticket.clone(), request.clone()));
                    self.waiting.retain(|waiting| waiting.slot != ticket.slot);
                    self.waiting.push(ticket.clone());
                }
                Instruction::Cancel(slot) => {
                    assert!(!is_broadcast(slot), "a broadcast is cancelled");
                    self.waiting.retain(|waiting| waiting.slot != *slot);
                }
                Instruction::TellOutcome(_)
                | Instruction::Remember(_)
                | Instruction::KeepPersonal(_)
                | Instruction::KeepView(_)
                | Instruction::Keep(_)
                | Instruction::Forget(_)
                | Instruction::CloseChainScope
                | Instruction::Sign(..)
                | Instruction::StopSigning(..)
                | Instruction::AllowSigning(_) => {}
            }
        }
    }

    fn update(&mut self, event: Event) -> Vec<Effect> {
        let mut sent = None;
        if let Event::Report(Report::Reply(ticket, result)) = &event {
            let is_awaited = self.waiting.contains(ticket);
            self.waiting.retain(|waiting| waiting != ticket);
            if let (true, true, Ok(Answer::Broadcast(broadcast))) = (is_awaited, is_broadcast(&ticket.slot), result) {
                sent = broadcast.tx_hash.parse::<BroadcastHash>().ok().map(|hash| hash.for_chain(&broadcast.chain_id));
            }
        }
        let effects = self.app.update(event, self.now);
        if let Some(hash) = sent {
            let is_it = |effect: &Effect| matches!(effect, Effect::Worker(Instruction::Keep(record)) if record.txs.iter().any(|tx| tx.hash == hash));
            assert!(effects.iter().any(is_it), "what was sent is kept: {hash}");
        }
        self.note(&effects);
        effects
    }

    /// The answer that a request expects comes.
    fn serve(&mut self, ticket: &Ticket, request: &Request, reply: &Reply) {
        let report = report(ticket.clone(), &fitting(request, reply));
        if self.waiting.contains(ticket) && matches!(report, Report::Reply(_, Ok(_))) {
            self.reached.answered.insert(kind_of(request));
        }
        self.update(Event::Report(report));
    }

    /// Answers what is awaited, and what is asked then, as often as it goes on for a while.
    fn serve_all(&mut self, seed: u64) {
        for number in seed..seed + SERVED {
            let Some(ticket) = self.waiting.first().cloned() else { return };
            let request = self.request_of(&ticket).clone();
            self.serve(&ticket, &request, &Reply::Status(number));
        }
    }

    fn request_of(&self, ticket: &Ticket) -> &Request {
        let asked = self.asked.iter().rev().find(|(asked, _)| asked == ticket);
        asked.map(|(_, request)| request).expect("what is awaited was asked")
    }

    /// The place of a text on screen.
    fn find(&self, text: &str) -> Option<(u16, u16)> {
        let buffer = self.screen.backend().buffer();
        (0..buffer.area.height).find_map(|row| {
            let line: String = (0..buffer.area.width).map(|column| buffer[(column, row)].symbol()).collect();
            let before = line.split_once(text)?.0.chars().count();
            Some((u16::try_from(before).ok()?, row))
        })
    }

    fn draw(&mut self) -> Buffer {
        let (app, styles, hits) = (&self.app, &self.styles, &mut self.hits);
        let Ok(frame) = self.screen.draw(|frame| *hits = ui::draw(frame, app, styles).hits);
        frame.buffer.clone()
    }

    fn note_pages(&mut self) {
        let new = PAGES.into_iter().filter(|title| !self.reached.pages.contains(title));
        let shown: Vec<&str> = new.filter(|title| self.find(title).is_some()).collect();
        self.reached.pages.extend(shown);
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
                let Some((ticket, request)) = self.asked.get(place).cloned() else { return };
                // Every third answer is of a kind that nobody expects.
                if which % 3 != 2 {
                    return self.serve(&ticket, &request, reply);
                }
                Event::Report(report(ticket, reply))
            }
            Happening::Served(seed) => return self.serve_all(*seed),
            Happening::Missing(kind) => {
                let found = self.waiting.iter().find(|ticket| kind_of(self.request_of(ticket)) == *kind);
                let Some(ticket) = found.cloned() else { return };
                Event::Report(report(ticket, &Reply::Failed(0)))
            }
            Happening::ClickOn(text) => match self.find(text).and_then(|(column, row)| self.hits.at(column, row)) {
                Some(hit) => Event::Click(hit),
                None => return,
            },
        };
        self.update(event);
    }

    /// What holds at any time.
    fn check(&mut self, happening: &Happening) -> Result<(), TestCaseError> {
        let buffer = self.draw();
        prop_assert!(
            buffer.content.iter().all(|cell| !cell.symbol().chars().any(char::is_control)),
            "a control character is on screen after {happening:?}"
        );
        self.note_pages();
        // Whatever the time of the next tick is, asking for it must not fail.
        let _ = self.app.next_tick(self.now);
        Ok(())
    }
}

fn is_broadcast(slot: &Slot) -> bool {
    matches!(slot, Slot::Broadcast(_))
}

/// All that happens to one explorer; what it came to is added to the rest.
fn live_through(what: &[Happening], reached: &RefCell<Reached>) -> Result<(), TestCaseError> {
    let mut bench = Bench::new();
    bench.draw();
    for happening in what {
        bench.happen(happening);
        bench.check(happening)?;
    }
    reached.borrow_mut().add(bench.reached);
    Ok(())
}

#[test]
fn no_sequence_of_keys_sizes_and_answers_breaks_the_explorer() {
    let reached = RefCell::new(Reached::default());
    for seed in 0..MOST_SEEDS {
        if seed >= LEAST_SEEDS && reached.borrow().missing().is_empty() {
            break;
        }
        for what in ways::with_seed(seed) {
            live_through(&what, &reached).unwrap_or_else(|failure| panic!("{failure} in {what:#?}"));
        }
    }
    let config =
        ProptestConfig { cases: 32, failure_persistence: None, max_shrink_iters: 300, ..ProptestConfig::default() };
    let outcome = TestRunner::new(config).run(&happenings(60), |what| live_through(&what, &reached));
    outcome.unwrap_or_else(|failure| panic!("{failure}"));
    let reached = reached.into_inner();
    assert!(reached.missing().is_empty(), "never answered: {:?}", reached.missing());
    assert_eq!(reached.pages.len(), PAGES.len(), "only these were come to: {:?}", reached.pages);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, failure_persistence: None, max_shrink_iters: 300, ..ProptestConfig::default() })]

    #[test]
    fn a_late_answer_changes_nothing(what in happenings(40), late in prop::collection::vec((any::<prop::sample::Index>(), replies()), 1..12)) {
        let mut bench = Bench::new();
        for happening in &what {
            bench.happen(happening);
        }
        // What the last frame shows may still be looked up.
        bench.draw();
        bench.update(Event::Tick);
        let before = bench.draw();
        for (which, reply) in &late {
            let (ticket, request) = which.get(&bench.asked).clone();
            // Only those that nobody waits for any more, and generations that never were.
            let is_awaited = bench.waiting.contains(&ticket);
            let ticket = if is_awaited { Ticket { generation: ticket.generation + 1_000_000, ..ticket } } else { ticket };
            let effects = bench.update(Event::Report(report(ticket.clone(), &fitting(&request, reply))));
            prop_assert!(effects.is_empty(), "{ticket:?}: {effects:?}");
        }
        prop_assert!(bench.draw() == before, "the screen changed");
    }
}
