//! Outcomes of transfers wait here for the person's program: one at a time, each once.

use std::{sync::Arc, thread};

use tokio::{
    runtime::Handle,
    sync::{mpsc, oneshot},
};

use super::{OutcomeProgram, store_handle::StoreHandle};
use crate::msg::TransferOutcome;

/// The way to the program, where there is one.
pub(super) struct OutcomeQueue(Option<mpsc::UnboundedSender<Arc<TransferOutcome>>>);

impl OutcomeQueue {
    /// Waits for outcomes as long as this lives; what fails is told to `warn`.
    pub(super) fn start(
        program: Option<OutcomeProgram>,
        store: StoreHandle,
        runtime: &Handle,
        warn: impl Fn(String) + Send + 'static,
    ) -> Self {
        let Some(program) = program else { return Self(None) };
        let (sender, mut waiting) = mpsc::unbounded_channel::<Arc<TransferOutcome>>();
        runtime.spawn(async move {
            while let Some(outcome) = waiting.recv().await {
                if !store.claim_outcome(outcome.id.clone(), outcome.outcome).await {
                    continue;
                }
                tracing::info!("on_end is told that {} is {}", outcome.id, outcome.outcome);
                if let Err(failure) = run(program.clone(), outcome).await {
                    warn(failure);
                }
            }
        });
        Self(Some(sender))
    }

    /// Has the program told of it in its turn; never blocks.
    pub(super) fn tell(&self, outcome: Arc<TransferOutcome>) {
        if let Some(queue) = &self.0 {
            // Its end is that of the runtime, when nothing is told any more.
            let _ = queue.send(outcome);
        }
    }
}

/// Runs it on a thread of its own: leaving the explorer does not wait for it.
async fn run(program: OutcomeProgram, outcome: Arc<TransferOutcome>) -> Result<(), String> {
    let (ended, end) = oneshot::channel();
    let work = move || ended.send(program.run(&outcome.facts).map_err(|error| error.to_string()));
    let started = thread::Builder::new().name("on_end".to_owned()).spawn(move || drop(work()));
    started.map_err(|error| format!("on_end: no thread for it: {error}"))?;
    end.await.unwrap_or_else(|_| Err("on_end: its thread broke off".to_owned()))
}
