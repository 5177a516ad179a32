//! Guided tour: plays keys over a program, with a caption for each stop, until the user takes over.

use std::{collections::VecDeque, num::NonZeroU8, time::Duration};

use ratatui::{Frame, style::Modifier, text::Line};
use unicode_width::UnicodeWidthStr as _;

use super::event_loop::Program;
use crate::{
    app::{Effect, Event},
    config::{Key, KeyCode, Meaning, Styles},
    domain::{Timestamp, text},
    widgets::{Drawn, ascii},
};

/// Pause between two keys, so that a viewer sees what each does.
const BETWEEN_KEYS: Duration = Duration::from_millis(900);
/// How long the caption of an ended tour stays.
const FAREWELL: Duration = Duration::from_secs(8);

/// Keys to press, what the viewer should see then, and for how long, in seconds.
struct Stop {
    keys: &'static str,
    caption: &'static str,
    seconds: u64,
}

const fn stop(keys: &'static str, caption: &'static str, seconds: u64) -> Stop {
    Stop { keys, caption, seconds }
}

impl Stop {
    fn keys(&self) -> VecDeque<Key> {
        self.keys.split_whitespace().filter_map(|key| key.parse().ok()).collect()
    }
}

/// The operator's five minutes.
const STOPS: &[Stop] = &[
    stop("1", "a whole rollup in this program: a block each second, no network", 7),
    stop("shift-tab", "failures by message type, over the newest transactions", 7),
    stop("2 f", "blocks with transactions only; missing heights would be named above", 6),
    stop("f 3 F", "what failed (✗), and what failed in part (!), each with its reason", 6),
    stop("enter", "what went wrong, in words, with the evidence", 7),
    stop("esc F j enter", "a transaction as sentences, with what each account gained and lost", 7),
    stop("w w enter", "each word leads to the event that proves it", 7),
    stop("4 G enter", "a collection of NFTs and its tokens", 5),
    stop("enter", "an NFT: picture, traits, owner, history", 7),
    stop("5", "the rich list with its concentration; m marks it, to see what changes", 7),
    stop("6", "routes across chains, side by side: output, time, cost, each hop", 7),
    stop("tab enter", "before anything is signed: warnings, addresses, messages", 8),
    stop("S", "sent by the demo wallet: where the funds are, who says so, what comes next", 40),
    stop("7", "all transfers; those that need you come first", 6),
    stop("f12", "every request with its times; y copies one as a curl command", 7),
    stop("esc 1", "rollscope --node URL explores your rollup the same way", 8),
];

/// Program that a tour may play; without one it only passes everything on.
#[derive(Debug)]
pub struct Tour<P> {
    program: P,
    player: Option<TourPlayer>,
}

#[derive(Debug)]
struct TourPlayer {
    /// Index of the current stop.
    place: usize,
    keys: VecDeque<Key>,
    /// When the next key is due, or the next stop; `None` while paused.
    due: Option<Timestamp>,
    /// Time left when the user paused.
    left: Duration,
    speed: u32,
    has_ended: bool,
}

impl<P: Program> Tour<P> {
    /// Wraps a program. `speed` divides the tour's times; `None` plays no tour.
    pub fn new(program: P, speed: Option<NonZeroU8>, now: Timestamp) -> Self {
        Self { program, player: speed.map(|speed| TourPlayer::new(speed, now)) }
    }

    pub(super) fn program(&self) -> &P {
        &self.program
    }

    fn play(&mut self, now: Timestamp) -> Vec<Effect> {
        let Some(player) = &mut self.player else { return Vec::new() };
        if player.due.is_none_or(|due| due > now) {
            return Vec::new();
        }
        let mut effects = vec![Effect::Redraw];
        match player.next_step(now) {
            TourStep::Press(key) => effects.extend(self.program.update(Event::Key(key), now)),
            TourStep::Wait => {}
            TourStep::End => self.player = None,
        }
        effects
    }
}

enum TourStep {
    Press(Key),
    Wait,
    End,
}

impl TourPlayer {
    fn new(speed: NonZeroU8, now: Timestamp) -> Self {
        let (left, speed) = (Duration::ZERO, u32::from(speed.get()));
        let mut player = Self { place: 0, keys: VecDeque::new(), due: None, left, speed, has_ended: false };
        player.begin(0, now);
        player
    }

    fn stop(&self) -> Option<&'static Stop> {
        STOPS.get(self.place)
    }

    fn begin(&mut self, place: usize, now: Timestamp) {
        self.place = place;
        self.keys = self.stop().map(Stop::keys).unwrap_or_default();
        self.due = Some(now.after(BETWEEN_KEYS / self.speed));
    }

    /// Takes the key that is due. After a stop's last key its time begins, and then the next stop.
    fn next_step(&mut self, now: Timestamp) -> TourStep {
        if self.has_ended {
            return TourStep::End;
        }
        let Some(key) = self.keys.pop_front() else {
            if self.place + 1 < STOPS.len() {
                self.begin(self.place + 1, now);
            } else {
                self.has_ended = true;
                self.due = Some(now.after(FAREWELL));
            }
            return TourStep::Wait;
        };
        let seen = self.stop().map_or(Duration::ZERO, |stop| Duration::from_secs(stop.seconds));
        let wait = if self.keys.is_empty() { seen } else { BETWEEN_KEYS };
        self.due = Some(now.after(wait / self.speed));
        TourStep::Press(key)
    }

    fn turn_pause(&mut self, now: Timestamp) {
        match self.due.take() {
            Some(due) => self.left = due.since(now),
            None => self.due = Some(now.after(self.left)),
        }
    }

    fn caption(&self) -> String {
        let (place, of) = (self.place + 1, STOPS.len());
        let caption = self.stop().map(|stop| stop.caption).unwrap_or_default();
        match (self.has_ended, self.due) {
            (true, _) => "the tour is over: the keys are yours, ? lists them".to_owned(),
            (false, None) => format!("{place}/{of} paused, Space goes on: {caption}"),
            (false, Some(_)) => format!("{place}/{of} {caption}"),
        }
    }
}

/// Keys of the tour at the right end of the caption, where there is room.
const KEYS: &str = "Space pauses · → next · another key ends the tour ";

impl<P: Program> Program for Tour<P> {
    fn update(&mut self, event: Event, now: Timestamp) -> Vec<Effect> {
        let Some(player) = self.player.as_mut() else { return self.program.update(event, now) };
        match event {
            Event::Key(key) if key == Key::char(' ') && !player.has_ended => player.turn_pause(now),
            Event::Key(key) if key.code == KeyCode::Right && !player.has_ended => {
                player.due = Some(now);
                if player.keys.is_empty() {
                    return self.play(now);
                }
                // The keys of this stop lead to the next one.
                let keys = std::mem::take(&mut player.keys);
                let mut effects = vec![Effect::Redraw];
                for key in keys {
                    effects.extend(self.program.update(Event::Key(key), now));
                }
                return effects;
            }
            Event::Key(_) | Event::Click(_) | Event::Paste(_) => {
                self.player = None;
                return [self.program.update(event, now), vec![Effect::Redraw]].concat();
            }
            event => {
                let effects = self.program.update(event, now);
                return [effects, self.play(now)].concat();
            }
        }
        vec![Effect::Redraw]
    }

    fn next_tick(&self, now: Timestamp) -> Option<Duration> {
        let due = self.player.as_ref().and_then(|player| player.due).map(|due| due.since(now));
        [self.program.next_tick(now), due].into_iter().flatten().min()
    }

    fn draw(&self, frame: &mut Frame<'_>, styles: &Styles) -> Drawn {
        let drawn = self.program.draw(frame, styles);
        let Some(player) = &self.player else { return drawn };
        let mut area = frame.area();
        area.y = area.bottom().saturating_sub(1);
        area.height = area.height.min(1);
        let style = styles.of(Meaning::Heading).add_modifier(Modifier::REVERSED);
        let room = usize::from(area.width);
        let caption = text::clip(&format!(" {}", player.caption()), room);
        let gap = room.saturating_sub(caption.width() + KEYS.width());
        let keys = if gap > 1 && !player.has_ended { format!("{}{KEYS}", " ".repeat(gap)) } else { String::new() };
        let line = format!("{caption}{keys}");
        let line = format!("{line}{}", " ".repeat(room.saturating_sub(line.width())));
        frame.render_widget(Line::styled(line, style), area);
        if styles.is_ascii() {
            ascii::replace(frame.buffer_mut());
        }
        drawn
    }
}
