use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use rollscope::{domain::Timestamp, tui::Clock};
use tokio::sync::watch;

/// Looks again and again until it is so.
pub(crate) fn wait_until(what: &str, is_so: impl Fn() -> bool) {
    let begun = Instant::now();
    while !is_so() {
        assert!(begun.elapsed() < Duration::from_secs(60), "waiting for {what} in vain");
        std::thread::park_timeout(Duration::from_millis(5));
    }
}

/// A clock that stands still until the test moves it.
#[derive(Clone)]
pub(super) struct TestClock(Arc<watch::Sender<Moment>>);

#[derive(Clone, Copy)]
struct Moment {
    wall: Timestamp,
    elapsed: Duration,
}

impl TestClock {
    pub(super) fn new(now: Timestamp) -> Self {
        Self(Arc::new(watch::Sender::new(Moment { wall: now, elapsed: Duration::ZERO })))
    }

    pub(super) fn advance(&self, span: Duration) {
        self.0.send_modify(|moment| {
            *moment = Moment { wall: moment.wall.after(span), elapsed: moment.elapsed + span };
        });
    }

    /// Sets the wall clock; no time passes.
    pub(super) fn set(&self, change: impl FnOnce(Timestamp) -> Timestamp) {
        self.0.send_modify(|moment| moment.wall = change(moment.wall));
    }
}

impl Clock for TestClock {
    fn now(&self) -> Timestamp {
        self.0.borrow().wall
    }

    fn elapsed(&self) -> Duration {
        self.0.borrow().elapsed
    }

    async fn sleep(&self, span: Duration) {
        let mut time = self.0.subscribe();
        let due = time.borrow_and_update().elapsed + span;
        // The sender lives as long as this clock.
        let _ = time.wait_for(|moment| moment.elapsed >= due).await;
    }
}
