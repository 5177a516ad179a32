//! Who may be connected at once, and who has to go for others: the one whose client has been waited for the longest.

use std::{
    collections::BTreeMap,
    pin::pin,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use tokio::{sync::Notify, time::Instant};

/// A client that has been waited for less than this is not sent away: it may be just about to ask.
const YOUNG: Duration = Duration::from_millis(250);

/// As many connections as there may be.
#[derive(Debug)]
pub(super) struct ConnectionSlots {
    most: usize,
    state: Mutex<SlotState>,
    freed: Notify,
}

#[derive(Debug, Default)]
struct SlotState {
    open: usize,
    next: u64,
    /// The connections whose clients are waited for, and since when.
    awaited: BTreeMap<(Instant, u64), Arc<Notify>>,
}

/// One connection's place; free again when it is dropped.
#[derive(Debug)]
pub(super) struct ConnectionSlot {
    slots: Arc<ConnectionSlots>,
    number: u64,
    gone: Arc<Notify>,
    turn: Mutex<ClientTurn>,
}

/// Whose turn it is on a connection.
#[derive(Debug, Default)]
struct ClientTurn {
    /// Requests that are being answered.
    answering: usize,
    /// Whether the client reads nothing of what was written.
    is_stalled: bool,
    /// Since when the client is waited for.
    awaited: Option<Instant>,
}

/// An answer that is being made or sent.
#[derive(Debug)]
pub(super) struct AnswerInProgress(Arc<ConnectionSlot>);

impl ConnectionSlots {
    pub(super) fn new(most: usize) -> Arc<Self> {
        Arc::new(Self { most: most.max(1), state: Mutex::default(), freed: Notify::new() })
    }

    /// Waits for a place; where all are taken the client that has been waited for the longest loses its own.
    pub(super) async fn enter(self: &Arc<Self>) -> ConnectionSlot {
        loop {
            let mut freed = pin!(self.freed.notified());
            freed.as_mut().enable();
            match self.try_enter(Instant::now()) {
                Ok(slot) => return slot,
                Err(None) => freed.await,
                Err(Some(pause)) => {
                    // Whether the pause or the change comes first, it is looked again.
                    let _ = tokio::time::timeout(pause, freed).await;
                }
            }
        }
    }

    /// A place; else after which time somebody can be sent away, where nobody was just now.
    fn try_enter(self: &Arc<Self>, now: Instant) -> Result<ConnectionSlot, Option<Duration>> {
        let mut state = lock(&self.state);
        if state.open < self.most {
            state.open += 1;
            state.next += 1;
            let slot = ConnectionSlot {
                slots: Arc::clone(self),
                number: state.next,
                gone: Arc::default(),
                turn: Mutex::default(),
            };
            drop(state);
            slot.change(|_| {});
            return Ok(slot);
        }
        let Some(longest) = state.awaited.first_entry() else { return Err(None) };
        let waited = now.duration_since(longest.key().0);
        if waited < YOUNG {
            return Err(Some(YOUNG.saturating_sub(waited)));
        }
        longest.remove().notify_one();
        Err(None)
    }
}

impl ConnectionSlot {
    /// Waits until the connection has to end for another one.
    pub(super) async fn has_to_go(&self) {
        self.gone.notified().await;
    }

    /// A request came; as long as the answer to it lives its client is not waited for.
    pub(super) fn answer(self: &Arc<Self>) -> AnswerInProgress {
        self.change(|turn| turn.answering += 1);
        AnswerInProgress(Arc::clone(self))
    }

    /// What is written has to wait.
    pub(super) fn reads_nothing(&self) {
        self.change(|turn| turn.is_stalled = true);
    }

    /// Something was taken off.
    pub(super) fn reads_again(&self) {
        self.change(|turn| turn.is_stalled = false);
    }

    fn change(&self, change: impl FnOnce(&mut ClientTurn)) {
        let mut turn = lock(&self.turn);
        change(&mut turn);
        let is_awaited = turn.answering == 0 || turn.is_stalled;
        if is_awaited == turn.awaited.is_some() {
            return;
        }
        let mut state = lock(&self.slots.state);
        if is_awaited {
            let since = Instant::now();
            turn.awaited = Some(since);
            state.awaited.insert((since, self.number), Arc::clone(&self.gone));
        } else if let Some(since) = turn.awaited.take() {
            state.awaited.remove(&(since, self.number));
        }
        drop(state);
        self.slots.freed.notify_waiters();
    }
}

impl Drop for AnswerInProgress {
    fn drop(&mut self) {
        self.0.change(|turn| turn.answering -= 1);
    }
}

impl Drop for ConnectionSlot {
    fn drop(&mut self) {
        let awaited = lock(&self.turn).awaited.take();
        let mut state = lock(&self.slots.state);
        if let Some(since) = awaited {
            state.awaited.remove(&(since, self.number));
        }
        state.open -= 1;
        drop(state);
        self.slots.freed.notify_waiters();
    }
}

/// Every value here is whole at any time, so a lock whose holder panicked is still good.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
