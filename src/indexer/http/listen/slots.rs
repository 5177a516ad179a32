//! Connection slots: when all are taken, the connection of the longest idle client is closed, if it was idle for long.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use prometheus_client::metrics::gauge::Gauge;
use tokio::{sync::Notify, time::Instant};

#[derive(Debug)]
pub(super) struct ConnectionSlots {
    most: i64,
    /// Minimum idle time before a client may be disconnected: it may be about to send a request.
    spare_time: Duration,
    state: Mutex<SlotState>,
    /// Tells the number of open connections.
    open: Gauge,
}

#[derive(Debug, Default)]
struct SlotState {
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
    /// Number of requests so far.
    begun: u64,
    /// Whether bytes are written that the client does not read.
    is_stalled: bool,
    /// Start of the idle time; `None` while the client is not idle.
    awaited: Option<Instant>,
}

#[derive(Debug)]
pub(super) struct AnswerInProgress(Arc<ConnectionSlot>);

impl ConnectionSlots {
    pub(super) fn new(most: usize, spare_time: Duration, open: Gauge) -> Arc<Self> {
        let most = i64::try_from(most.max(1)).unwrap_or(i64::MAX);
        Arc::new(Self { most, spare_time, state: Mutex::default(), open })
    }

    /// Takes a slot; if all are taken, that of the client that was idle for the longest. `None` if no client was idle
    /// for long enough.
    pub(super) fn enter(self: &Arc<Self>) -> Option<ConnectionSlot> {
        let mut state = lock(&self.state);
        if self.open.get() >= self.most {
            let longest = state.awaited.first_entry()?;
            if longest.key().0.elapsed() < self.spare_time {
                return None;
            }
            // Its slot is free as soon as its task runs.
            longest.remove().notify_one();
        }
        self.open.inc();
        state.next += 1;
        let number = state.next;
        drop(state);
        let slot = ConnectionSlot { slots: Arc::clone(self), number, gone: Arc::default(), turn: Mutex::default() };
        slot.change(|_| {});
        Some(slot)
    }
}

impl ConnectionSlot {
    /// Waits until the connection must make room for another.
    pub(super) async fn has_to_go(&self) {
        self.gone.notified().await;
    }

    /// Starts a response; the client is not idle while the result lives.
    pub(super) fn answer(self: &Arc<Self>) -> AnswerInProgress {
        self.change(|turn| {
            turn.answering += 1;
            turn.begun += 1;
        });
        AnswerInProgress(Arc::clone(self))
    }

    /// Returns the number of requests so far, if none is in progress.
    pub(super) fn awaited_request(&self) -> Option<u64> {
        let turn = lock(&self.turn);
        (turn.answering == 0).then_some(turn.begun)
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
        self.slots.open.dec();
    }
}

/// Locks a mutex; no code panics halfway through a change, so a poisoned lock holds valid data.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
