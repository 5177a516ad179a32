//! The event loop and the harness that other tests drive the explorer with, on a small state machine of their own.

use std::time::Duration;

use ratatui::{
    Frame,
    style::{Modifier, Style},
    text::Line,
};
use rollscope::{
    app::{Effect, Event},
    config::{Key, Styles},
    domain::Timestamp,
    msg::{Answer, Instruction, Report, Request, Slot, Ticket},
    tui::{Program, SessionEnd, StartError},
    widgets::Drawn,
    wire::{ApiError, ErrorKind},
};

use crate::harness::{Builder, Explorer};

/// Shows what it was told, and asks for something at some keys.
#[derive(Default)]
struct Notebook {
    size: (u16, u16),
    typed: String,
    said: String,
    ticks: u32,
    resizes: u32,
    is_ticking: bool,
    generation: u64,
}

impl Notebook {
    fn press(&mut self, key: Key) -> Vec<Effect> {
        let mut host = match key.to_string().as_str() {
            "ctrl-c" => vec![Effect::Quit],
            "C" => vec![Effect::Copy(self.typed.clone())],
            "O" => vec![Effect::Open("https://example.org/1".to_owned())],
            "W" => vec![Effect::WriteFiles(vec![("notes.txt".to_owned(), self.typed.clone())])],
            "B" => vec![Effect::Bell],
            "Z" => vec![Effect::Suspend],
            "T" => {
                self.is_ticking = !self.is_ticking;
                vec![]
            }
            "F" => {
                self.generation += 1;
                let ticket = Ticket { slot: Slot::AvgBlockTime, generation: self.generation };
                return vec![Effect::Worker(Instruction::Fetch(ticket, Request::AvgBlockTime))];
            }
            // Seen, but nothing changes.
            "." => return Vec::new(),
            name => {
                self.typed.push_str(name);
                vec![]
            }
        };
        host.push(Effect::Redraw);
        host
    }
}

impl Program for Notebook {
    fn update(&mut self, event: Event, _now: Timestamp) -> Vec<Effect> {
        match event {
            Event::Key(key) => return self.press(key),
            Event::Paste(text) => self.typed.push_str(&text),
            Event::Resize(columns, rows) => {
                self.size = (columns, rows);
                self.resizes += 1;
            }
            Event::Tick => self.ticks += 1,
            Event::Done(Ok(sentence) | Err(sentence)) => self.said = sentence,
            Event::Report(Report::Reply(ticket, outcome)) => {
                self.said = format!("answer {} {outcome:?}", ticket.generation);
                // A second request, which only the first answer brings about.
                if ticket.generation == 1 {
                    return [self.press(Key::char('F')), vec![Effect::Redraw]].concat();
                }
            }
            _ => return Vec::new(),
        }
        vec![Effect::Redraw]
    }

    fn next_tick(&self, _now: Timestamp) -> Option<Duration> {
        self.is_ticking.then_some(Duration::from_secs(1))
    }

    fn draw(&self, frame: &mut Frame<'_>, _styles: &Styles) -> Drawn {
        let (columns, rows) = self.size;
        let lines = [
            format!("size {columns}x{rows} after {} changes", self.resizes),
            format!("typed {}", self.typed),
            format!("said {}", self.said),
            format!("ticks {}", self.ticks),
        ];
        for (line, row) in lines.into_iter().zip(frame.area().rows()) {
            frame.render_widget(Line::styled(line, Style::new().add_modifier(Modifier::BOLD)), row);
        }
        Drawn::default()
    }
}

fn start(builder: Builder) -> Explorer {
    builder.start_program(|size, _now| (Notebook { size, ..Notebook::default() }, Vec::new()))
}

#[test]
fn keys_reach_the_program_and_the_screen() {
    let explorer = start(Explorer::builder().size(40, 6));
    explorer.keys("a enter ctrl-d pgdn").type_text("G").paste("0xAB").wait_for("typed aenterctrl-dpgdnG0xAB");
    assert!(explorer.screen().starts_with("size 40x6 after 0 changes\n"), "{}", explorer.screen());
    assert!(explorer.buffer().content.iter().any(|cell| cell.modifier.contains(Modifier::BOLD)));
    explorer.quit();
}

#[test]
#[should_panic(expected = "waiting for “typed b”: the explorer ended: Some(Ok(Quit)); its last screen:\nsize 40x6")]
fn waiting_for_what_can_no_longer_come_fails_with_the_last_screen() {
    start(Explorer::builder().size(40, 6)).keys("a ctrl-c").wait_for("typed b");
}

#[test]
#[should_panic(expected = "did not come in time; its last screen:\nsize 40x6 after 0 changes\ntyped a")]
fn waiting_for_what_does_not_come_fails_with_the_last_screen() {
    let explorer = start(Explorer::builder().size(40, 6).patience(Duration::from_secs(1)));
    explorer.keys("a").settle().wait_for("typed b");
}

#[test]
#[should_panic(expected = "“nowhere” is not on the screen")]
fn a_click_on_what_is_not_there_fails() {
    start(Explorer::builder()).click("nowhere");
}

#[test]
fn nothing_is_drawn_when_nothing_changed() {
    let explorer = start(Explorer::builder());
    explorer.keys("a").settle();
    let frames = explorer.frames();
    explorer.keys(". . . .").click("typed").settle();
    assert_eq!(explorer.frames(), frames);
    explorer.keys("b").settle();
    assert_eq!(explorer.frames(), frames + 1);
}

#[test]
fn a_burst_is_drawn_in_few_frames_and_its_last_change_is_not_lost() {
    let explorer = start(Explorer::builder().size(3_000, 4));
    let text = "x".repeat(2_000);
    explorer.type_text(&text).settle();
    assert!(explorer.screen().contains(&format!("typed {text}\n")));
    assert!(explorer.frames() < 500, "{} frames", explorer.frames());
}

#[test]
fn of_many_sizes_at_once_the_last_one_counts() {
    let explorer = start(Explorer::builder().size(80, 24));
    // The first key keeps the loop busy with a frame; what follows piles up.
    explorer.keys("a").resize(19, 4).resize(0, 0).resize(1, 1).resize(60, 10).wait_for("size 60x10").settle();
    assert_eq!(explorer.buffer().area.as_size(), (60, 10).into());
    explorer.quit();
}

#[test]
fn time_passes_only_when_the_program_asks_for_it() {
    let explorer = start(Explorer::builder());
    assert!(!explorer.is_ticking());
    explorer.advance(Duration::from_secs(60));
    explorer.wait_for("ticks 0");
    explorer.keys("T");
    assert!(explorer.is_ticking());
    explorer.advance(Duration::from_millis(999)).wait_for("ticks 0");
    explorer.advance(Duration::from_millis(1)).wait_for("ticks 1");
    explorer.keys("T");
    assert!(!explorer.is_ticking());
}

#[test]
fn events_do_not_put_a_tick_off() {
    let explorer = start(Explorer::builder());
    explorer.keys("T").settle();
    for _ in 0..3 {
        explorer.advance(Duration::from_millis(400)).keys("a").settle();
    }
    explorer.wait_for("ticks 1");
}

#[test]
fn effects_reach_the_host_and_their_outcome_comes_back() {
    let explorer = start(Explorer::builder());
    explorer.type_text("abc").keys("C").wait_for("said copied abc");
    explorer.keys("O").wait_for("said opened https://example.org/1");
    explorer.keys("W").wait_for("said saved notes.txt");
    explorer.keys("B").settle();
    assert_eq!(explorer.copied(), ["abc"]);
    assert_eq!(explorer.opened(), ["https://example.org/1"]);
    assert_eq!(explorer.written(), [("notes.txt".to_owned(), "abc".to_owned())]);
    assert_eq!(explorer.bells(), 1);
    explorer.keys("Z").wait_for("said cannot suspend: the explorer has no parent shell").wait_gone("saved");
}

#[test]
fn settling_waits_for_answers_and_for_what_they_bring_about() {
    let mut asked = 0;
    let explorer = start(Explorer::builder().server("http://127.0.0.1:1").scripted(move |request| {
        assert_eq!(*request, Request::AvgBlockTime);
        asked += 1;
        match asked {
            1 => Ok(Answer::AvgBlockTime(0.5)),
            _ => Err(ApiError { kind: ErrorKind::NotFound("no".into()), url: "u".into(), body: None }),
        }
    }));
    explorer.keys("F").settle();
    assert!(explorer.screen().contains("said answer 2 Err"), "{}", explorer.screen());
    assert_eq!(explorer.commands().len(), 2);
}

#[test]
fn commands_given_before_the_worker_is_there_reach_it() {
    let ticket = Ticket { slot: Slot::AvgBlockTime, generation: 7 };
    let explorer = Explorer::builder().scripted(|_| Ok(Answer::AvgBlockTime(2.0))).start_program(move |_, _| {
        (Notebook::default(), vec![Effect::Worker(Instruction::Fetch(ticket, Request::AvgBlockTime))])
    });
    explorer.wait_for("said answer 7 Ok(AvgBlockTime(2.0))");
}

#[test]
fn a_worker_that_cannot_start_ends_the_session_with_its_reason() {
    let refuse = async { Err(StartError::from("the embedded rollup has no port")) };
    let explorer = start(Explorer::builder().worker(Box::pin(refuse)));
    assert_eq!(explorer.end(), Err("the embedded rollup has no port".to_owned()));
}

#[test]
fn the_explorer_itself_starts_and_draws() {
    let explorer = Explorer::builder()
        .network(rollscope::config::Network::default())
        .theme(rollscope::config::ThemeName::Mono)
        .at(Timestamp::EPOCH)
        .start();
    explorer.wait_for("connecting");
    explorer.quit();
}

#[test]
fn quitting_ends_with_quit() {
    let explorer = start(Explorer::builder());
    explorer.keys("ctrl-c");
    assert_eq!(explorer.end(), Ok(SessionEnd::Quit));
}
