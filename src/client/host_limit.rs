//! Limit of concurrent requests per host: falls when the host is overloaded and rises slowly otherwise.

use std::{
    pin::pin,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use tokio::sync::Notify;

use crate::wire::ErrorKind;

/// Maximum pause that a host may request; a longer pause becomes an error.
const LONGEST_PAUSE: Duration = Duration::from_secs(10 * 60);

/// Limit of concurrent requests to one host, shared by all clients.
#[derive(Debug)]
pub(super) struct HostLimit {
    state: Mutex<LimitState>,
    freed: Notify,
    /// Upper bound of the limit.
    most: usize,
}

#[derive(Debug)]
struct LimitState {
    limit: usize,
    running: usize,
    /// Responses since the limit last changed.
    answered: usize,
    paused_until: Option<Instant>,
}

/// Permit for one request; dropping it returns the permit.
#[derive(Debug)]
pub(super) struct HostPermit {
    limit: Arc<HostLimit>,
}

impl HostLimit {
    pub(super) fn new(most: usize) -> Arc<Self> {
        let most = most.max(1);
        let state = LimitState { limit: most, running: 0, answered: 0, paused_until: None };
        Arc::new(Self { state: Mutex::new(state), freed: Notify::new(), most })
    }

    pub(super) async fn enter(self: &Arc<Self>) -> HostPermit {
        loop {
            let mut freed = pin!(self.freed.notified());
            freed.as_mut().enable();
            match self.try_enter(Instant::now()) {
                Ok(()) => return HostPermit { limit: Arc::clone(self) },
                Err(None) => freed.await,
                Err(Some(pause)) => {
                    let _ = tokio::time::timeout(pause, freed).await;
                }
            }
        }
    }

    /// Takes a permit, or returns the remaining pause that the host requested.
    fn try_enter(&self, now: Instant) -> Result<(), Option<Duration>> {
        let mut state = self.state();
        if let Some(pause) = state.paused_until.and_then(|until| until.checked_duration_since(now))
            && !pause.is_zero()
        {
            return Err(Some(pause));
        }
        state.paused_until = None;
        if state.running >= state.limit {
            return Err(None);
        }
        state.running += 1;
        Ok(())
    }

    /// Adjusts the limit after a response.
    fn heard(&self, is_busy: bool, pause: Option<Duration>, now: Instant) {
        let mut state = self.state();
        if is_busy {
            state.limit = (state.limit / 2).max(1);
            state.answered = 0;
            let until = pause.and_then(|pause| now.checked_add(pause.min(LONGEST_PAUSE)));
            state.paused_until = state.paused_until.max(until);
            return;
        }
        state.answered += 1;
        if state.limit < self.most && state.answered > 4 * state.limit {
            state.limit += 1;
            state.answered = 0;
        }
    }

    fn state(&self) -> MutexGuard<'_, LimitState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl HostPermit {
    /// Records the result of the request: 429 and 503 mean overload.
    pub(super) fn heard(self, failure: Option<(&ErrorKind, Option<Duration>)>) {
        let (is_busy, pause) = match failure {
            Some((ErrorKind::RateLimited(asked), pause)) => (true, asked.or(pause)),
            Some((ErrorKind::Server { status: 503, .. }, pause)) => (true, pause),
            // Without a response the load is unknown.
            Some((ErrorKind::Offline { .. } | ErrorKind::Timeout(_), _)) => return,
            _ => (false, None),
        };
        self.limit.heard(is_busy, pause, Instant::now());
    }
}

impl Drop for HostPermit {
    fn drop(&mut self) {
        self.limit.state().running -= 1;
        self.limit.freed.notify_waiters();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn limit_of(limit: &HostLimit) -> usize {
        limit.state().limit
    }

    #[test]
    fn complaints_halve_and_answers_raise_it_slowly() {
        let limit = HostLimit::new(16);
        let now = Instant::now();
        for expected in [8, 4, 2, 1, 1] {
            limit.heard(true, None, now);
            assert_eq!(limit_of(&limit), expected);
        }
        let mut answers = 0;
        while limit_of(&limit) < 16 {
            limit.heard(false, None, now);
            answers += 1;
        }
        assert!(answers > 300, "{answers}");
        (0..1_000).for_each(|_| limit.heard(false, None, now));
        assert_eq!(limit_of(&limit), 16);
    }

    #[test]
    fn nobody_asks_while_the_host_wants_its_peace_and_no_more_than_the_limit_after() {
        let limit = HostLimit::new(2);
        let now = Instant::now();
        limit.heard(true, Some(Duration::from_secs(7)), now);
        assert_eq!(limit.try_enter(now), Err(Some(Duration::from_secs(7))));
        let later = now + Duration::from_secs(7);
        assert_eq!(limit.try_enter(later), Ok(()));
        assert_eq!(limit.try_enter(later), Err(None));
    }

    #[tokio::test]
    async fn a_turn_given_back_is_the_next_ones() {
        let limit = HostLimit::new(1);
        let first = limit.enter().await;
        let waiting = tokio::spawn({
            let limit = Arc::clone(&limit);
            async move { limit.enter().await }
        });
        tokio::task::yield_now().await;
        assert!(!waiting.is_finished());
        first.heard(None);
        waiting.await.unwrap().heard(None);
        assert_eq!(limit.state().running, 0);
    }
}
