use std::{error::Error, fmt, io, mem, pin::Pin};

use crossterm::event::Event as TerminalEvent;
use futures_util::stream::{Stream, StreamExt};
use tokio::{
    sync::mpsc::Receiver,
    task::{JoinError, JoinHandle},
};

use super::super::signals::Signal;
use crate::msg::{Instruction, Report};

/// Reason why the worker did not start, as a sentence for the user.
pub type StartError = Box<dyn Error + Send + Sync>;

/// Future that starts the worker. A runtime thread runs it after the first frame, so it may block.
pub type Start = Pin<Box<dyn Future<Output = Result<WorkerLink, StartError>> + Send>>;

pub struct WorkerLink {
    /// Sends a command. Must not block.
    pub send: Box<dyn FnMut(Instruction) + Send>,
    pub reports: Receiver<Report>,
}

impl fmt::Debug for WorkerLink {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Link").finish_non_exhaustive()
    }
}

pub(super) enum Wake {
    Signal(Signal),
    Input(Option<io::Result<TerminalEvent>>),
    Started(Result<WorkerLink, StartError>),
    Report(Report),
    Outcome(Result<String, String>),
    /// A better picture is ready for the screen.
    Picture,
    /// A tick or a frame may be due.
    Time,
}

enum WorkerState {
    Waiting(Start),
    Starting(JoinHandle<Result<WorkerLink, StartError>>),
    Running(WorkerLink),
    Gone,
}

pub struct Sources<I, G> {
    pub(super) input: I,
    pub(super) signals: G,
    worker: WorkerState,
    /// Commands from before the worker connected.
    early: Vec<Instruction>,
}

impl<I, G> fmt::Debug for Sources<I, G> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Sources").field("early", &self.early).finish_non_exhaustive()
    }
}

impl<I, G> Sources<I, G> {
    /// Creates the sources: terminal events, signals, and the future worker.
    pub fn new(input: I, signals: G, start: Start) -> Self {
        Self { input, signals, worker: WorkerState::Waiting(start), early: Vec::new() }
    }

    pub(super) fn start(&mut self) {
        self.worker = match mem::replace(&mut self.worker, WorkerState::Gone) {
            WorkerState::Waiting(start) => WorkerState::Starting(tokio::spawn(start)),
            other => other,
        };
    }

    /// Whether the worker has not connected yet.
    pub(super) fn is_starting(&self) -> bool {
        matches!(self.worker, WorkerState::Waiting(_) | WorkerState::Starting(_))
    }

    /// Connects the worker and sends the queued commands to it.
    pub(super) fn connect(&mut self, mut link: WorkerLink) {
        self.early.drain(..).for_each(&mut link.send);
        self.worker = WorkerState::Running(link);
    }

    /// Sends a command, or queues it until the worker connects.
    pub(super) fn send(&mut self, command: Instruction) {
        match &mut self.worker {
            WorkerState::Running(link) => (link.send)(command),
            WorkerState::Waiting(_) | WorkerState::Starting(_) => self.early.push(command),
            WorkerState::Gone => {}
        }
    }

    /// Returns the connection to the worker; `None` if the worker has not connected.
    pub(super) fn into_link(self) -> Option<WorkerLink> {
        match self.worker {
            WorkerState::Running(link) => Some(link),
            WorkerState::Waiting(_) | WorkerState::Starting(_) | WorkerState::Gone => None,
        }
    }

    pub(super) fn waiting_report(&mut self) -> Option<Report> {
        match &mut self.worker {
            WorkerState::Running(link) => link.reports.try_recv().ok(),
            _ => None,
        }
    }
}

impl<I, G> Sources<I, G>
where
    I: Stream<Item = io::Result<TerminalEvent>> + Unpin,
    G: Stream<Item = Signal> + Unpin,
{
    /// Waits for the next event. Cancel-safe.
    pub(super) async fn next(&mut self) -> Wake {
        tokio::select! {
            biased;
            Some(signal) = self.signals.next() => Wake::Signal(signal),
            event = self.input.next() => Wake::Input(event),
            Some(wake) = self.worker.next() => wake,
        }
    }
}

impl WorkerState {
    async fn next(&mut self) -> Option<Wake> {
        match self {
            Self::Running(link) => link.reports.recv().await.map(Wake::Report),
            Self::Starting(task) => {
                let outcome = task.await.unwrap_or_else(|error: JoinError| Err(error.into()));
                *self = Self::Gone;
                Some(Wake::Started(outcome))
            }
            Self::Waiting(_) | Self::Gone => None,
        }
    }
}
