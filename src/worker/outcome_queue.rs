//! Outcomes of transfers wait in the state file for the person's program: one at a time, each once. What a session leaves
//! is told by the next.

use std::{
    sync::{
        Arc, Mutex, PoisonError,
        mpsc::{Receiver, Sender, channel},
    },
    thread,
};

use super::{OutcomeProgram, OutcomeProgramError, store_handle::StoreHandle};
use crate::{domain::text, msg::TransferOutcome};

/// Held while the program runs: what asks for it in one process runs it one at a time.
#[derive(Clone, Debug, Default)]
pub struct OutcomeTurn(Arc<Mutex<()>>);

/// The way to the program, where there is one.
pub(super) struct OutcomeQueue {
    wake: Option<Sender<()>>,
    store: StoreHandle,
    turn: OutcomeTurn,
    /// Whether nothing is begun any more. Held while a program is started and that is noted.
    is_closed: Arc<Mutex<bool>>,
}

impl OutcomeQueue {
    /// Tells what waits, and what comes, until this is closed; what fails is told to `warn`.
    pub(super) fn start(
        program: Option<OutcomeProgram>,
        store: StoreHandle,
        warn: impl Fn(String) + Send + 'static,
    ) -> Self {
        let (turn, is_closed) = (OutcomeTurn::default(), Arc::default());
        let Some(program) = program else { return Self { wake: None, store, turn, is_closed } };
        let (wake, woken) = channel();
        let (of_store, of_turn) = (store.clone(), turn.clone());
        let runner = OutcomeRunner { program, store: of_store, turn: of_turn, is_closed: Arc::clone(&is_closed), warn };
        // A thread of its own: leaving the explorer does not wait for the program, and nothing ends it halfway.
        if let Err(error) = thread::Builder::new().name("on_end".to_owned()).spawn(move || runner.run(&woken)) {
            tracing::error!("on_end: no thread for it: {error}");
        }
        let queue = Self { wake: Some(wake), store, turn, is_closed };
        queue.wake();
        queue
    }

    /// Has the program told of it in its turn; never blocks.
    pub(super) fn tell(&self, outcome: Arc<TransferOutcome>) {
        if self.wake.is_some() {
            self.store.queue_outcome(outcome);
            self.wake();
        }
    }

    /// Begins nothing any more. A program that runs goes on.
    pub(super) fn close(&self) {
        *self.is_closed.lock().unwrap_or_else(PoisonError::into_inner) = true;
    }

    /// Held while its program runs.
    pub(super) fn turn(&self) -> OutcomeTurn {
        self.turn.clone()
    }

    fn wake(&self) {
        if let Some(wake) = &self.wake {
            // Without its thread nothing is told, and everything is kept.
            let _ = wake.send(());
        }
    }
}

/// Gives the program one outcome after the other.
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

    /// What a session was about to tell when it was killed.
    pub(super) fn report_lost(&self) {
        for id in self.store.lost_outcomes() {
            let name = format!("{} {}", text::clean(id.chain_id.as_str()), id.hash.short());
            (self.warn)(format!(
                "on_end: nobody knows whether it was told of {name}: the session ended at that moment"
            ));
        }
    }

    /// Tells the oldest that waits, and waits for its end. False where none waits, or none can be told.
    pub(super) fn tell_next(&self) -> bool {
        let _turn = self.turn.0.lock().unwrap_or_else(PoisonError::into_inner);
        let running = {
            let is_closed = self.is_closed.lock().unwrap_or_else(PoisonError::into_inner);
            if *is_closed {
                return false;
            }
            let Some(taken) = self.store.next_outcome() else { return false };
            let started = self.program.start(&taken.facts);
            tracing::info!("on_end is told of {}: {}", taken.id, started.is_ok());
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
            // It is kept, and would fail again.
            Err(error @ OutcomeProgramError::Start { .. }) => {
                (self.warn)(format!("{error}; the outcome is kept for the next start"));
                false
            }
            Err(error) => {
                (self.warn)(error.to_string());
                true
            }
        }
    }
}
