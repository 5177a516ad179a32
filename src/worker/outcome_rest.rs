//! Outcomes left at the end of the explorer: it processes them on quit, or the next session does.

use std::{
    path::PathBuf,
    sync::{Arc, Mutex, PoisonError},
    thread,
    time::Duration,
};

use tokio::sync::oneshot;

use super::{
    OutcomeProgram,
    outcome_queue::{OutcomeRunner, OutcomeTurn},
    store_handle::StoreHandle,
};

/// Outcomes that no session has processed.
pub struct OutcomeRest {
    program: OutcomeProgram,
    store: StoreHandle,
    count: usize,
}

impl OutcomeRest {
    /// Returns the waiting outcomes; `None` if no outcome waits. Blocks for the file.
    pub fn find(program: OutcomeProgram, state_file: PathBuf) -> Option<Self> {
        // Outcomes belong to no network, so the name has no effect.
        let store = StoreHandle::open(Some(state_file), String::new(), |warning| tracing::warn!("{warning}"));
        let count = store.waiting_outcomes();
        let rest = Self { program, store, count };
        (count > 0).then_some(rest)
    }

    pub fn count(&self) -> usize {
        self.count
    }

    /// Processes the outcomes, after those that are already in progress, until the time limit or `interrupted`. Returns
    /// the failures, and the number of outcomes left for the next session.
    pub async fn tell(
        self,
        turn: OutcomeTurn,
        patience: Duration,
        interrupted: impl Future<Output = ()>,
    ) -> (Vec<String>, usize) {
        let (failures, is_closed) = (Arc::new(Mutex::new(Vec::new())), Arc::new(Mutex::new(false)));
        let noted = Arc::clone(&failures);
        let warn = move |failure: String| noted.lock().unwrap_or_else(PoisonError::into_inner).push(failure);
        let runner = OutcomeRunner {
            program: self.program.clone(),
            store: self.store.clone(),
            turn,
            is_closed: Arc::clone(&is_closed),
            warn,
        };
        let (ended, end) = oneshot::channel();
        let work = move || {
            while runner.tell_next() {}
            // After an interruption, the receiver is dropped.
            let _ = ended.send(());
        };
        if let Err(error) = thread::Builder::new().name("on_end".to_owned()).spawn(work) {
            tracing::error!("on_end: cannot start a thread: {error}");
        }
        tokio::select! {
            biased;
            () = interrupted => {}
            _ = tokio::time::timeout(patience, end) => {}
        }
        *is_closed.lock().unwrap_or_else(PoisonError::into_inner) = true;
        let failures = std::mem::take(&mut *failures.lock().unwrap_or_else(PoisonError::into_inner));
        (failures, self.store.waiting_outcomes())
    }
}

impl Drop for OutcomeRest {
    fn drop(&mut self) {
        self.store.close();
    }
}
