//! Queue of outcomes for the user's program, stored in the state file. The program gets one outcome at a time, and each
//! outcome once. The next session continues an interrupted queue.

use std::{
    sync::{
        Arc, Mutex, PoisonError,
        mpsc::{Receiver, Sender, channel},
    },
    thread,
};

use super::{OutcomeProgram, OutcomeProgramError, store_handle::StoreHandle};
use crate::{domain::text, msg::TransferOutcome};

/// Lock that is held while the program runs: each process runs one program at a time.
#[derive(Clone, Debug, Default)]
pub struct OutcomeTurn(Arc<Mutex<()>>);

/// Handle of the thread that runs the program; without a configured program there is no thread.
pub(super) struct OutcomeQueue {
    wake: Option<Sender<()>>,
    store: StoreHandle,
    /// Whether the queue is closed. The lock is held while a program starts and its start is recorded.
    is_closed: Arc<Mutex<bool>>,
}

impl OutcomeQueue {
    /// Processes waiting and new outcomes until the queue is closed; passes failures to `warn`.
    pub(super) fn start(
        program: Option<OutcomeProgram>,
        store: StoreHandle,
        turn: OutcomeTurn,
        warn: impl Fn(String) + Send + 'static,
    ) -> Self {
        let is_closed = Arc::default();
        let Some(program) = program else { return Self { wake: None, store, is_closed } };
        let (wake, woken) = channel();
        let runner = OutcomeRunner { program, store: store.clone(), turn, is_closed: Arc::clone(&is_closed), warn };
        // A separate thread: quitting the explorer neither waits for the program nor interrupts it.
        if let Err(error) = thread::Builder::new().name("on_end".to_owned()).spawn(move || runner.run(&woken)) {
            tracing::error!("on_end: cannot start a thread: {error}");
        }
        let queue = Self { wake: Some(wake), store, is_closed };
        queue.wake();
        queue
    }

    /// Queues an outcome; never blocks.
    pub(super) fn tell(&self, outcome: Arc<TransferOutcome>) {
        if self.wake.is_some() {
            self.store.queue_outcome(outcome);
            self.wake();
        }
    }

    /// Prevents further program starts; a running program continues to its end.
    pub(super) fn close(&self) {
        *self.is_closed.lock().unwrap_or_else(PoisonError::into_inner) = true;
    }

    fn wake(&self) {
        if let Some(wake) = &self.wake {
            // Without the thread, outcomes stay in the file.
            let _ = wake.send(());
        }
    }
}

/// Runner that starts the program for one outcome after another.
pub(super) struct OutcomeRunner<W> {
    pub(super) program: OutcomeProgram,
    pub(super) store: StoreHandle,
    pub(super) turn: OutcomeTurn,
    pub(super) is_closed: Arc<Mutex<bool>>,
    pub(super) warn: W,
}

impl<W: Fn(String)> OutcomeRunner<W> {
    fn run(&self, woken: &Receiver<()>) {
        self.report_lost();
        while woken.recv().is_ok() {
            while self.tell_next() {}
        }
    }

    /// Reports outcomes that a killed session had begun to process.
    pub(super) fn report_lost(&self) {
        for id in self.store.lost_outcomes() {
            let name = format!("{} {}", text::clean(id.chain_id.as_str()), id.hash.short());
            (self.warn)(format!("on_end may have missed {name}: a session ended during the call"));
        }
    }

    /// Runs the program for the oldest outcome and waits for its end. Returns false if no outcome waits or the program
    /// cannot start.
    pub(super) fn tell_next(&self) -> bool {
        let _turn = self.turn.0.lock().unwrap_or_else(PoisonError::into_inner);
        let running = {
            let is_closed = self.is_closed.lock().unwrap_or_else(PoisonError::into_inner);
            if *is_closed {
                return false;
            }
            let Some(taken) = self.store.next_outcome() else { return false };
            let started = self.program.start(&taken.facts);
            tracing::info!("on_end reports {}: {}", taken.id, started.is_ok());
            self.store.settle_outcome(taken, started.is_ok());
            started
        };
        match running {
            Ok(running) => {
                if let Err(error) = running.wait() {
                    (self.warn)(error.to_string());
                }
                true
            }
            // The outcome stays in the file: a retry now would fail again.
            Err(error @ OutcomeProgramError::Start { .. }) => {
                (self.warn)(format!("{error}; rollscope keeps the outcome for the next start"));
                false
            }
            Err(error) => {
                (self.warn)(error.to_string());
                true
            }
        }
    }
}
