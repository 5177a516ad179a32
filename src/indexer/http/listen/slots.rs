//! Connection slots: when all are taken, the connection of the longest idle client is closed.

use std::{
    collections::BTreeMap,
    pin::pin,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use tokio::{sync::Notify, time::Instant};

/// Minimum idle time before a client may be disconnected: it may be about to send a request.
const YOUNG: Duration = Duration::from_millis(250);

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
    /// Idle connections, ordered by the start of their idle time.
    awaited: BTreeMap<(Instant, u64), Arc<Notify>>,
}

/// Slot of one connection; dropping it frees the slot.
#[derive(Debug)]
pub(super) struct ConnectionSlot {
    slots: Arc<ConnectionSlots>,
    number: u64,
    gone: Arc<Notify>,
    turn: Mutex<ClientTurn>,
}

#[derive(Debug, Default)]
struct ClientTurn {
    /// Number of requests in progress.
    answering: usize,
    /// Whether bytes are written that the client does not read.
    is_stalled: bool,
    /// Start of the idle time; `None` while the client is not idle.
    awaited: Option<Instant>,
}

#[derive(Debug)]
pub(super) struct AnswerInProgress(Arc<ConnectionSlot>);

impl ConnectionSlots {
    pub(super) fn new(most: usize) -> Arc<Self> {
        Arc::new(Self { most: most.max(1), state: Mutex::default(), freed: Notify::new() })
    }

    /// Waits for a slot. If all slots are taken, the longest idle client loses its slot.
    pub(super) async fn enter(self: &Arc<Self>) -> ConnectionSlot {
        loop {
            let mut freed = pin!(self.freed.notified());
            freed.as_mut().enable();
            match self.try_enter(Instant::now()) {
                Ok(slot) => return slot,
                Err(None) => freed.await,
                Err(Some(pause)) => {
                    // Retry after the pause or after a change.
                    let _ = tokio::time::timeout(pause, freed).await;
                }
            }
        }
    }

    /// Takes a slot, or returns the time until a client can be disconnected.
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
    /// Waits until the connection must make room for another.
    pub(super) async fn has_to_go(&self) {
        self.gone.notified().await;
    }

    /// Starts a response; the client is not idle while the result lives.
    pub(super) fn answer(self: &Arc<Self>) -> AnswerInProgress {
        self.change(|turn| turn.answering += 1);
        AnswerInProgress(Arc::clone(self))
    }

    /// Records that the client has not read the written bytes.
    pub(super) fn reads_nothing(&self) {
        self.change(|turn| turn.is_stalled = true);
    }

    /// Records that the client has read the written bytes.
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

/// Locks a mutex; no code panics halfway through a change, so a poisoned lock holds valid data.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
