//! Limit of concurrent requests per host: falls when the host is overloaded and rises slowly otherwise.

use std::{
    collections::BTreeMap,
    pin::pin,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use tokio::sync::{Notify, OwnedSemaphorePermit, Semaphore};

use super::base_url::BaseUrl;
use crate::wire::ErrorKind;

/// Maximum pause that a host may request; a longer pause becomes an error.
const LONGEST_PAUSE: Duration = Duration::from_secs(10 * 60);

/// Failures in a row from which on the host counts as away.
const OUTAGE: u32 = 3;

/// First and longest pause between requests to a host that is away; each further failure doubles the pause.
const OUTAGE_PAUSE: (Duration, Duration) = (Duration::from_millis(250), Duration::from_secs(5));

/// Limits of all hosts, so that the clients of one host share its limit. Clones share them.
#[derive(Clone, Debug)]
pub struct HostLimits {
    /// Maximum concurrent requests to each host.
    most: usize,
    hosts: Arc<Mutex<BTreeMap<String, Arc<HostLimit>>>>,
    large_records: Arc<Semaphore>,
}

impl From<usize> for HostLimits {
    fn from(most: usize) -> Self {
        Self { most, hosts: Arc::default(), large_records: Arc::new(Semaphore::new(1)) }
    }
}

impl HostLimits {
    /// Returns the limit of a URL's host, whatever its port.
    pub(super) fn of(&self, url: &BaseUrl) -> Arc<HostLimit> {
        let mut hosts = self.hosts.lock().unwrap_or_else(PoisonError::into_inner);
        let limit = || HostLimit::new(self.most, Arc::clone(&self.large_records));
        Arc::clone(hosts.entry(url.host()).or_insert_with(limit))
    }
}

/// Limit of concurrent requests to one host, shared by all clients. One large answer is read and decoded at a time, so
/// that large blocks do not exhaust the memory.
#[derive(Debug)]
pub(super) struct HostLimit {
    state: Mutex<LimitState>,
    freed: Notify,
    large: Arc<Semaphore>,
    /// Turns of records with large answers, of all hosts.
    pub(super) large_records: Arc<Semaphore>,
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
    /// Failures in a row, of which the requests that ran at the same time count once.
    failures: u32,
}

/// Permit for one request; dropping it returns the permit.
#[derive(Debug)]
pub(super) struct HostPermit {
    limit: Arc<HostLimit>,
}

impl HostLimit {
    fn new(most: usize, large_records: Arc<Semaphore>) -> Arc<Self> {
        let most = most.max(1);
        let state = LimitState { limit: most, running: 0, answered: 0, paused_until: None, failures: 0 };
        let large = Arc::new(Semaphore::new(1));
        Arc::new(Self { state: Mutex::new(state), freed: Notify::new(), large, large_records, most })
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
        // A host that is away gets one request, until it answers.
        let limit = if state.failures >= OUTAGE { 1 } else { state.limit };
        if state.running >= limit {
            return Err(None);
        }
        state.running += 1;
        Ok(())
    }

    /// Adjusts the limit after a response.
    fn heard(&self, is_busy: bool, pause: Option<Duration>, now: Instant) {
        let mut state = self.state();
        state.failures = 0;
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

    /// Pauses longer after each failure of a host that is away.
    fn missed(&self, now: Instant) {
        let mut state = self.state();
        if state.paused_until.is_some_and(|until| until > now) {
            return;
        }
        state.failures = state.failures.saturating_add(1);
        if let Some(doublings) = state.failures.checked_sub(OUTAGE) {
            let (first, longest) = OUTAGE_PAUSE;
            let pause = first.saturating_mul(1 << doublings.min(16)).min(longest);
            state.paused_until = now.checked_add(pause);
        }
    }

    /// Whether the host failed several times in a row.
    pub(super) fn is_away(&self) -> bool {
        self.state().failures >= OUTAGE
    }

    /// Returns the rest of the pause that the host asked for.
    pub(super) fn pause(&self) -> Option<Duration> {
        let state = self.state();
        // A host that is away asked for nothing.
        let until = state.paused_until.filter(|_| state.failures == 0)?;
        until.checked_duration_since(Instant::now()).filter(|rest| !rest.is_zero())
    }

    fn state(&self) -> MutexGuard<'_, LimitState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl HostPermit {
    /// Returns the permit to the host while its answer waits for a turn, which another request of the host may have.
    pub(super) fn lend(&self) -> LentPermit<'_> {
        self.limit.state().running -= 1;
        self.limit.freed.notify_waiters();
        LentPermit(self)
    }

    /// Waits for the turn to read a large answer.
    pub(super) async fn enter_large(&self) -> Option<OwnedSemaphorePermit> {
        // Nobody closes the semaphore.
        Arc::clone(&self.limit.large).acquire_owned().await.ok()
    }

    /// Records the result of the request: 429 and 503 mean overload.
    pub(super) fn heard(self, failure: Option<(&ErrorKind, Option<Duration>)>) {
        let (is_busy, pause) = match failure {
            Some((ErrorKind::RateLimited(asked), pause)) => (true, asked.or(pause)),
            Some((ErrorKind::Server { status: 503, .. }, pause)) => (true, pause),
            Some((
                ErrorKind::Offline { .. } | ErrorKind::Timeout(_) | ErrorKind::Server { status: 502 | 504, .. },
                _,
            )) => {
                self.limit.missed(Instant::now());
                return;
            }
            _ => (false, None),
        };
        self.limit.heard(is_busy, pause, Instant::now());
    }
}

/// Permit that another request may use meanwhile; dropping this takes it back, if need be above the limit.
#[derive(Debug)]
pub(super) struct LentPermit<'a>(&'a HostPermit);

impl Drop for LentPermit<'_> {
    fn drop(&mut self) {
        self.0.limit.state().running += 1;
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

    fn limited(most: usize) -> Arc<HostLimit> {
        HostLimit::new(most, Arc::new(Semaphore::new(1)))
    }

    fn limit_of(limit: &HostLimit) -> usize {
        limit.state().limit
    }

    #[test]
    fn complaints_halve_and_answers_raise_it_slowly() {
        let limit = limited(16);
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
        let limit = limited(2);
        let now = Instant::now();
        limit.heard(true, Some(Duration::from_secs(7)), now);
        assert_eq!(limit.try_enter(now), Err(Some(Duration::from_secs(7))));
        let later = now + Duration::from_secs(7);
        assert_eq!(limit.try_enter(later), Ok(()));
        assert_eq!(limit.try_enter(later), Err(None));
    }

    #[test]
    fn a_host_that_is_away_is_asked_once_and_ever_more_seldom_until_it_answers() {
        let limit = limited(16);
        let mut now = Instant::now();
        for _ in 1..OUTAGE {
            limit.missed(now);
            assert_eq!(limit.try_enter(now), Ok(()), "one failure is not an outage");
        }
        (0..OUTAGE - 1).for_each(|_| limit.state().running -= 1);
        for pause in [250, 500, 1_000, 2_000, 4_000, 5_000, 5_000].map(Duration::from_millis) {
            (0..16).for_each(|_| limit.missed(now));
            assert_eq!(limit.try_enter(now), Err(Some(pause)), "requests at the same time count once");
            now += pause;
        }
        assert_eq!((limit.try_enter(now), limit.try_enter(now)), (Ok(()), Err(None)));
        limit.heard(false, None, now);
        assert_eq!(limit.try_enter(now), Ok(()));
    }

    #[tokio::test]
    async fn a_turn_given_back_is_the_next_ones() {
        let limit = limited(1);
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
