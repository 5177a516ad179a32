use std::{
    convert::Infallible,
    io,
    sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use ratatui::{
    Frame, Terminal,
    backend::TestBackend,
    buffer::Buffer,
    layout::{Position, Rect},
};
use rollscope::{
    domain::Timestamp,
    msg::{Instruction, Ticket},
    tui::{Screen, SessionEnd},
    widgets::PlacedPicture,
};
use unicode_width::UnicodeWidthStr;

/// What the test and the explorer's thread know of each other.
pub(super) struct State {
    /// The size that the terminal has.
    pub(super) size: (u16, u16),
    pub(super) buffer: Buffer,
    /// The pictures of the last frame.
    pub(super) pictures: Vec<PlacedPicture>,
    pub(super) frames: u64,
    /// The last mark that the loop took from its input.
    pub(super) mark: u64,
    /// The last mark after which the loop had nothing left to do.
    pub(super) idle_since_mark: u64,
    /// Until when the loop sleeps if nothing comes.
    pub(super) next_tick: Option<Timestamp>,
    pub(super) copied: Vec<String>,
    pub(super) opened: Vec<String>,
    pub(super) written: Vec<(String, String)>,
    pub(super) bells: usize,
    pub(super) titles: Vec<String>,
    pub(super) commands: Vec<Instruction>,
    /// The generation that each slot waits for.
    pub(super) outstanding: Vec<Ticket>,
    end: Option<Result<SessionEnd, String>>,
}

impl State {
    pub(super) fn screen(&self) -> String {
        text(&self.buffer)
    }
}

/// The state, and a bell for each change.
pub(super) struct Shared {
    state: Mutex<State>,
    changed: Condvar,
    patience: Duration,
}

impl Shared {
    pub(super) fn new(size: (u16, u16), patience: Duration) -> Self {
        let state = State {
            size,
            buffer: Buffer::empty(Rect::new(0, 0, size.0, size.1)),
            pictures: Vec::new(),
            frames: 0,
            mark: 0,
            idle_since_mark: 0,
            next_tick: None,
            copied: Vec::new(),
            opened: Vec::new(),
            written: Vec::new(),
            bells: 0,
            titles: Vec::new(),
            commands: Vec::new(),
            outstanding: Vec::new(),
            end: None,
        };
        Self { state: Mutex::new(state), changed: Condvar::new(), patience }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn read<T>(&self, read: impl FnOnce(&State) -> T) -> T {
        read(&self.lock())
    }

    pub(super) fn change(&self, change: impl FnOnce(&mut State)) {
        change(&mut self.lock());
        self.changed.notify_all();
    }

    /// Waits for the condition; panics with the last screen when it does not come true, or no longer can.
    pub(super) fn wait(&self, what: &str, is_reached: impl Fn(&State) -> bool) {
        let is_over = |state: &State| is_reached(state) || state.end.is_some();
        let (state, timeout) = self
            .changed
            .wait_timeout_while(self.lock(), self.patience, |state| !is_over(state))
            .unwrap_or_else(PoisonError::into_inner);
        if is_reached(&state) {
            return;
        }
        let (screen, end) = (state.screen(), state.end.clone());
        // A panic with the lock held would hide this message behind one about the lock.
        drop(state);
        let reason = if timeout.timed_out() { "did not come in time".to_owned() } else { format!("ended: {end:?}") };
        panic!("waiting for {what}: the explorer {reason}; its last screen:\n{screen}");
    }

    pub(super) fn wait_end(&self) -> Result<SessionEnd, String> {
        self.wait("the end", |state| state.end.is_some());
        self.read(|state| state.end.clone().expect("waited for it"))
    }
}

/// Tells the test that the explorer's thread is over, however that came.
pub(super) struct EndReport(Arc<Shared>);

impl EndReport {
    pub(super) fn new(shared: Arc<Shared>) -> Self {
        Self(shared)
    }

    pub(super) fn set(&self, end: Result<SessionEnd, String>) {
        self.0.change(|state| state.end = Some(end));
    }
}

impl Drop for EndReport {
    fn drop(&mut self) {
        self.0.change(|state| {
            state.end.get_or_insert_with(|| Err("its thread panicked".to_owned()));
        });
    }
}

/// A screen in memory that tells the test about every frame.
pub(super) struct TestScreen {
    terminal: Terminal<TestBackend>,
    shared: Arc<Shared>,
}

impl TestScreen {
    pub(super) fn new(shared: Arc<Shared>) -> Self {
        let (columns, rows) = shared.read(|state| state.size);
        let Ok(terminal) = Terminal::new(TestBackend::new(columns, rows));
        Self { terminal, shared }
    }
}

impl Screen for TestScreen {
    fn size(&self) -> io::Result<(u16, u16)> {
        Ok(self.shared.read(|state| state.size))
    }

    fn draw(&mut self, render: impl FnOnce(&mut Frame<'_>) -> Vec<PlacedPicture>) -> io::Result<()> {
        let (columns, rows) = self.shared.read(|state| state.size);
        self.terminal.backend_mut().resize(columns, rows);
        let mut pictures = Vec::new();
        let drawn: Result<_, Infallible> = self.terminal.draw(|frame| pictures = render(frame));
        let Ok(frame) = drawn;
        self.shared.change(|state| {
            state.buffer = frame.buffer.clone();
            state.pictures = pictures;
            state.frames += 1;
        });
        Ok(())
    }

    fn repaint(&mut self) -> io::Result<()> {
        Ok(())
    }

    fn leave(&mut self) {}

    fn enter(&mut self) -> io::Result<()> {
        Ok(())
    }

    fn idle(&mut self, until: Option<Timestamp>) {
        self.shared.change(|state| {
            state.idle_since_mark = state.mark;
            state.next_tick = until;
        });
    }
}

/// The lines of a buffer without spaces at their ends. A wide character hides the cell behind it.
fn text(buffer: &Buffer) -> String {
    let lines = (0..buffer.area.height).map(|row| {
        let mut line = String::new();
        let mut column = 0;
        while let Some(cell) = buffer.cell(Position::new(column, row)) {
            line.push_str(cell.symbol());
            column += u16::try_from(cell.symbol().width().max(1)).unwrap_or(1);
        }
        line.trim_end().to_owned()
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// Column and row of the first place that shows this text.
pub(super) fn find(buffer: &Buffer, needle: &str) -> Option<(u16, u16)> {
    text(buffer).lines().zip(0..).find_map(|(line, row)| {
        let before = line.find(needle).and_then(|position| line.get(..position))?;
        Some((u16::try_from(before.width()).ok()?, row))
    })
}
