use std::{io, time::Duration};

use crossterm::event::Event as TerminalEvent;
use futures_util::{
    future::poll_immediate,
    stream::{Stream, StreamExt},
};
use ratatui::Frame;
use tokio::{
    sync::mpsc,
    time::{Instant, sleep_until, timeout_at},
};

use super::{
    background::{BackgroundQuery, SortedInput},
    host::{Host, Reporter},
    input,
    signals::{EndSignal, Signal},
};
use crate::{
    app::{App, Effect, Event, NetworkSwitch},
    config::Styles,
    domain::{SteadyClock, Timestamp, text},
    ui::{self},
    widgets::{Drawn, HitMap, PlacedPicture},
};

mod left;
mod sources;

pub use left::{LeftProgram, StartedProgram};
use sources::Wake;
pub use sources::{Sources, Start, StartError, WorkerLink};

/// Minimum time between frames.
const FRAME_TIME: Duration = Duration::from_millis(16);
/// Minimum time until a tick; a screen could not show an earlier tick.
const SHORTEST_TICK: Duration = FRAME_TIME;
/// Time between the terminal's return and the stop. The system drops a SIGCONT that comes at the moment of the stop;
/// one that follows at once comes before it.
const STOP_DELAY: Duration = Duration::from_millis(100);
/// Time that the end of a session waits for a reply that is still open.
const LAST_REPLY: Duration = Duration::from_millis(300);
/// Maximum events of one kind before the loop handles other kinds and draws.
const BATCH: usize = 256;

/// State machine and drawing of the explorer, as the loop uses them.
pub trait Program {
    fn update(&mut self, event: Event, now: Timestamp) -> Vec<Effect>;
    /// Returns the delay before the next [`Event::Tick`].
    fn next_tick(&self, now: Timestamp) -> Option<Duration>;
    /// Draws the whole screen and returns the positions of its elements.
    fn draw(&self, frame: &mut Frame<'_>, styles: &Styles) -> Drawn;
}

impl Program for App {
    fn update(&mut self, event: Event, now: Timestamp) -> Vec<Effect> {
        Self::update(self, event, now)
    }

    fn next_tick(&self, now: Timestamp) -> Option<Duration> {
        Self::next_tick(self, now)
    }

    fn draw(&self, frame: &mut Frame<'_>, styles: &Styles) -> Drawn {
        ui::draw(frame, self, styles)
    }
}

pub trait Screen {
    fn size(&self) -> io::Result<(u16, u16)>;
    /// Draws one frame immediately, with the best pictures that are ready.
    fn draw(&mut self, render: impl FnOnce(&mut Frame<'_>) -> Vec<PlacedPicture>) -> io::Result<()>;
    /// Makes the next frame paint every cell, after a resize whose effect on the terminal is unknown.
    fn repaint(&mut self) -> io::Result<()>;
    /// Sends the query for the terminal's background colour; the reply arrives as input.
    fn ask_background(&mut self) -> io::Result<()> {
        Ok(())
    }
    /// Gives the terminal to another program.
    fn leave(&mut self);
    /// Takes the terminal again; the next frame paints every cell.
    fn enter(&mut self) -> io::Result<()>;
    /// Uses the time while the loop waits for an event after the worker connected, until this time.
    fn idle(&mut self, _until: Option<Timestamp>) {}
    /// Resolves when a new frame would show better pictures. Cancel-safe.
    fn improve(&mut self) -> impl Future<Output = ()> {
        std::future::pending()
    }
}

pub trait Clock {
    /// Returns the wall clock's time, which anybody may set.
    fn now(&self) -> Timestamp;
    /// Returns the time since a fixed moment, with the time that the machine slept.
    fn elapsed(&self) -> Duration;
    fn sleep(&self, span: Duration) -> impl Future<Output = ()>;
}

#[derive(Clone, Copy, Debug, Default)]
pub struct WallClock;

impl Clock for WallClock {
    fn now(&self) -> Timestamp {
        Timestamp::now()
    }

    fn elapsed(&self) -> Duration {
        // The monotonic clock of Linux stands still while the machine sleeps; that of macOS does not.
        #[cfg(any(target_os = "linux", target_os = "android"))]
        let clock = rustix::time::ClockId::Boottime;
        #[cfg(not(any(target_os = "linux", target_os = "android")))]
        let clock = rustix::time::ClockId::Monotonic;
        Duration::try_from(rustix::time::clock_gettime(clock)).unwrap_or_default()
    }

    fn sleep(&self, span: Duration) -> impl Future<Output = ()> {
        tokio::time::sleep(span)
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SessionEnd {
    Quit,
    /// The user chose this network.
    Switch(NetworkSwitch),
    /// The explorer had no chain to show and the user quit; with the reason.
    Refused(String),
    Signal(EndSignal),
}

#[derive(Debug, thiserror::Error)]
pub enum SessionError {
    #[error("the terminal failed: {0}")]
    Terminal(#[from] io::Error),
    #[error("{0}")]
    Start(StartError),
}

/// End of a session, and what a later session can continue with.
#[derive(Debug)]
pub struct EndedSession<P> {
    pub end: SessionEnd,
    /// Program of a network that the user left for another; `None` if its worker had not started.
    pub left: Option<LeftProgram<P>>,
}

/// Running explorer: the state machine with its connections to the outside.
#[derive(Debug)]
pub struct Session<P, S, H, C> {
    program: P,
    styles: Styles,
    background: Option<BackgroundQuery>,
    screen: S,
    host: H,
    clock: C,
    steady: SteadyClock,
    hits: HitMap,
    dirty: bool,
    /// Whether the next frame paints every cell.
    repaint: bool,
    /// Earliest time of the next frame.
    frame_due: Instant,
    tick_due: Option<Timestamp>,
    end: Option<SessionEnd>,
    suspended: bool,
    reporter: Reporter,
    outcomes: mpsc::UnboundedReceiver<Result<String, String>>,
}

impl<P: Program, S: Screen, H: Host, C: Clock + Send + 'static> Session<P, S, H, C> {
    /// Creates a session. Must be called inside the runtime.
    pub fn new(program: P, styles: Styles, screen: S, host: H, clock: C) -> Self {
        let (reporter, outcomes) = mpsc::unbounded_channel();
        let steady = SteadyClock::new(clock.now(), clock.elapsed());
        Self {
            program,
            styles,
            background: None,
            screen,
            host,
            clock,
            steady,
            hits: HitMap::default(),
            dirty: true,
            repaint: false,
            frame_due: Instant::now(),
            tick_due: None,
            end: None,
            suspended: false,
            reporter,
            outcomes,
        }
    }

    /// Has the terminal's background choose the styles after the first frame.
    #[must_use]
    pub fn with_background(self, background: Option<BackgroundQuery>) -> Self {
        Self { background, ..self }
    }

    /// Continues the time of an earlier session.
    #[must_use]
    pub fn with_clock(self, steady: SteadyClock) -> Self {
        Self { steady, ..self }
    }

    /// Draws the first frame, starts the worker, and runs until the end. `first` holds the initial effects, whose
    /// commands wait for the worker. Restores the terminal before it returns.
    pub async fn run(
        mut self,
        first: Vec<Effect>,
        mut sources: Sources<impl Stream<Item = io::Result<TerminalEvent>> + Unpin, impl Stream<Item = Signal> + Unpin>,
    ) -> Result<EndedSession<P>, SessionError> {
        let end = self.run_until_end(first, &mut sources).await?;
        let Self { program, steady, clock, .. } = self;
        let link = matches!(end, SessionEnd::Switch(_)).then(|| sources.into_link()).flatten();
        let left = link.map(|link| LeftProgram::new(program, link, steady, clock));
        Ok(EndedSession { end, left })
    }

    async fn run_until_end<I, G>(
        &mut self,
        first: Vec<Effect>,
        sources: &mut Sources<I, G>,
    ) -> Result<SessionEnd, SessionError>
    where
        I: Stream<Item = io::Result<TerminalEvent>> + Unpin,
        G: Stream<Item = Signal> + Unpin,
    {
        self.perform(first, sources);
        self.draw()?;
        let now = self.now();
        if let Some(background) = &mut self.background {
            self.screen.ask_background()?;
            background.ask(now);
        }
        sources.start();
        loop {
            if self.suspended {
                self.stop(sources).await?;
            }
            if let Some(end) = self.end.take() {
                self.take_last_reply(sources).await;
                return Ok(end);
            }
            self.take_overdue(sources);
            let drained = self.drain(sources).await?;
            if self.end.is_some() || self.suspended {
                continue;
            }
            let now = self.look_at_clock(sources);
            self.plan_tick(now);
            if self.tick_due.is_some_and(|due| due <= now) {
                self.tick_due = None;
                self.update(Event::Tick, sources);
            } else if self.dirty && self.frame_due <= Instant::now() {
                self.draw()?;
            } else {
                if drained && !self.dirty && !sources.is_starting() {
                    self.screen.idle(self.tick_due);
                }
                let wake = self.wait(sources).await;
                self.handle(wake, sources)?;
            }
        }
    }

    async fn wait<I, G>(&mut self, sources: &mut Sources<I, G>) -> Wake
    where
        I: Stream<Item = io::Result<TerminalEvent>> + Unpin,
        G: Stream<Item = Signal> + Unpin,
    {
        let now = self.now();
        let until_tick = self.tick_due.map(|due| due.since(now));
        let until_key = self.background.as_ref().and_then(BackgroundQuery::due).map(|due| due.since(now));
        tokio::select! {
            biased;
            wake = sources.next() => wake,
            Some(outcome) = self.outcomes.recv() => Wake::Outcome(outcome),
            () = self.screen.improve() => Wake::Picture,
            () = self.clock.sleep(until_tick.unwrap_or_default()), if until_tick.is_some() => Wake::Time,
            () = self.clock.sleep(until_key.unwrap_or_default()), if until_key.is_some() => Wake::Time,
            () = sleep_until(self.frame_due), if self.dirty => Wake::Time,
        }
    }

    /// Handles pending events up to a maximum, without waiting; returns whether no event is left. Of consecutive
    /// resizes, only the last counts.
    async fn drain<I, G>(&mut self, sources: &mut Sources<I, G>) -> Result<bool, SessionError>
    where
        I: Stream<Item = io::Result<TerminalEvent>> + Unpin,
        G: Stream<Item = Signal> + Unpin,
    {
        let mut resized = None;
        let mut drained = true;
        for turn in 1.. {
            // Poll with the task's own waker: crossterm's stream keeps the first waker that it sees.
            match poll_immediate(sources.input.next()).await {
                Some(Some(Ok(TerminalEvent::Resize(columns, rows)))) => resized = Some(Event::Resize(columns, rows)),
                Some(event) => {
                    if let Some(resize) = resized.take() {
                        self.update(resize, sources);
                    }
                    self.handle(Wake::Input(event), sources)?;
                }
                None => break,
            }
            if turn == BATCH || self.end.is_some() || self.suspended {
                drained = false;
                break;
            }
        }
        if let Some(resize) = resized {
            self.update(resize, sources);
        }
        for turn in 0.. {
            if turn == BATCH {
                return Ok(false);
            }
            let wake = match self.outcomes.try_recv() {
                Ok(outcome) => Wake::Outcome(outcome),
                Err(_) => match sources.waiting_report() {
                    Some(report) => Wake::Report(report),
                    None => break,
                },
            };
            self.handle(wake, sources)?;
        }
        Ok(drained)
    }

    fn handle<I, G>(&mut self, wake: Wake, sources: &mut Sources<I, G>) -> Result<(), SessionError> {
        match wake {
            Wake::Signal(Signal::End(signal)) => self.end = Some(SessionEnd::Signal(signal)),
            Wake::Signal(Signal::Suspend) => self.suspended = true,
            Wake::Signal(Signal::Continue) => self.enter(sources)?,
            // The terminal closed; its signal may follow.
            Wake::Input(None) => self.end = Some(SessionEnd::Signal(EndSignal::HangUp)),
            Wake::Input(Some(event)) => {
                let events = self.sort(event?);
                self.take_input(events, sources);
            }
            Wake::Started(link) => {
                let link = link.map_err(SessionError::Start)?;
                sources.connect(link);
            }
            Wake::Report(report) => self.update(Event::Report(report), sources),
            Wake::Outcome(outcome) => self.update(Event::Done(outcome), sources),
            Wake::Picture => self.dirty = true,
            Wake::Time => {}
        }
        Ok(())
    }

    fn take_input<I, G>(&mut self, events: Vec<TerminalEvent>, sources: &mut Sources<I, G>) {
        for event in events {
            if let Some(event) = input::translate(event, |column, row| self.hits.at(column, row)) {
                self.update(event, sources);
            }
        }
    }

    /// Takes input that looked like the start of a reply.
    fn take_overdue<I, G>(&mut self, sources: &mut Sources<I, G>) {
        let now = self.now();
        let events = self.background.as_mut().map(|background| background.overdue(now));
        self.take_input(events.unwrap_or_default(), sources);
    }

    /// Waits for the reply about the background, which the shell would read as typed after the end.
    async fn take_last_reply<I, G>(&mut self, sources: &mut Sources<I, G>)
    where
        I: Stream<Item = io::Result<TerminalEvent>> + Unpin,
    {
        let (until, now) = (Instant::now() + LAST_REPLY, self.now());
        while self.background.as_ref().is_some_and(|background| background.is_open(now)) {
            match timeout_at(until, sources.input.next()).await {
                Ok(Some(Ok(event))) => drop(self.sort(event)),
                _ => return,
            }
        }
    }

    /// Takes the reply about the background out of the input.
    fn sort(&mut self, event: TerminalEvent) -> Vec<TerminalEvent> {
        let now = self.now();
        let Some(background) = &mut self.background else { return vec![event] };
        match background.sort(event, now) {
            SortedInput::Events(events) => return events,
            SortedInput::Held => {}
            SortedInput::Answered(styles) => {
                self.dirty |= styles.is_some();
                self.styles = styles.map_or(self.styles, |styles| *styles);
            }
        }
        Vec::new()
    }

    /// Returns the session's time, which goes on steadily.
    fn now(&mut self) -> Timestamp {
        self.steady.read(self.clock.now(), self.clock.elapsed()).0
    }

    /// Returns the session's time. Reports a wall clock that was set, or that is right again.
    fn look_at_clock<I, G>(&mut self, sources: &mut Sources<I, G>) -> Timestamp {
        let (now, news) = self.steady.news(self.clock.now(), self.clock.elapsed());
        if let Some(shift) = news {
            self.update(Event::ClockShifted(shift), sources);
        }
        now
    }

    fn update<I, G>(&mut self, event: Event, sources: &mut Sources<I, G>) {
        self.repaint |= matches!(event, Event::Resize(..));
        let now = self.now();
        let effects = self.program.update(event, now);
        self.perform(effects, sources);
    }

    fn perform<I, G>(&mut self, effects: Vec<Effect>, sources: &mut Sources<I, G>) {
        for effect in effects {
            match effect {
                Effect::Worker(instruction) => sources.send(instruction),
                Effect::Redraw => self.dirty = true,
                Effect::Quit => self.end = Some(SessionEnd::Quit),
                Effect::Switch(network) => self.end = Some(SessionEnd::Switch(network)),
                Effect::Fail(reason) => self.end = Some(SessionEnd::Refused(reason)),
                Effect::Suspend => self.host.ask_to_suspend(&self.reporter),
                Effect::Copy(text) => self.host.copy(&text::clean_lines(&text), &self.reporter),
                Effect::Open(url) => self.host.open(&url, &self.reporter),
                Effect::WriteFiles(files) => self.host.write_files(files, &self.reporter),
                Effect::Bell => self.host.bell(),
                Effect::Title(title) => self.host.set_title(&title),
            }
        }
    }

    /// Plans the earliest requested tick: events that request later ticks must not postpone it forever.
    fn plan_tick(&mut self, now: Timestamp) {
        let wish = self.program.next_tick(now).map(|span| now.after(span.max(SHORTEST_TICK)));
        self.tick_due = match (self.tick_due, wish) {
            (Some(planned), Some(wish)) => Some(planned.min(wish)),
            (_, wish) => wish,
        };
    }

    fn draw(&mut self) -> io::Result<()> {
        self.frame_due = Instant::now() + FRAME_TIME;
        self.dirty = false;
        if std::mem::take(&mut self.repaint) {
            self.screen.repaint()?;
        }
        let (program, styles, hits) = (&self.program, &self.styles, &mut self.hits);
        self.screen.draw(|frame| {
            let drawn = program.draw(frame, styles);
            *hits = drawn.hits;
            drawn.pictures
        })
    }

    /// Gives back the terminal, stops the process, and returns when the process continues or ends.
    async fn stop<I, G>(&mut self, sources: &mut Sources<I, G>) -> io::Result<()>
    where
        G: Stream<Item = Signal> + Unpin,
    {
        self.suspended = false;
        self.screen.leave();
        let mut has_stopped = false;
        loop {
            let signal = tokio::select! {
                biased;
                signal = sources.signals.next() => signal,
                () = self.clock.sleep(STOP_DELAY), if !has_stopped => {
                    has_stopped = true;
                    self.host.stop();
                    continue;
                }
            };
            match signal {
                Some(Signal::Suspend) => {}
                Some(Signal::Continue) => return self.enter(sources),
                Some(Signal::End(signal)) => {
                    self.end = Some(SessionEnd::Signal(signal));
                    return Ok(());
                }
                None => return Ok(()),
            }
        }
    }

    /// Takes the terminal again after another program used it. Its size and content may have changed.
    fn enter<I, G>(&mut self, sources: &mut Sources<I, G>) -> io::Result<()> {
        self.screen.enter()?;
        self.dirty = true;
        let (columns, rows) = self.screen.size()?;
        self.update(Event::Resize(columns, rows), sources);
        Ok(())
    }
}
