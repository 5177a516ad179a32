use std::{sync::Arc, time::Duration};

use rollscope::{domain::Timestamp, tui::Clock};
use tokio::sync::watch;

/// A clock that stands still until the test moves it.
#[derive(Clone)]
pub(super) struct TestClock(Arc<watch::Sender<Timestamp>>);

impl TestClock {
    pub(super) fn new(now: Timestamp) -> Self {
        Self(Arc::new(watch::Sender::new(now)))
    }

    pub(super) fn advance(&self, span: Duration) {
        self.0.send_modify(|now| *now = now.after(span));
    }
}

impl Clock for TestClock {
    fn now(&self) -> Timestamp {
        *self.0.borrow()
    }

    async fn sleep(&self, span: Duration) {
        let mut time = self.0.subscribe();
        let due = time.borrow_and_update().after(span);
        // The sender lives as long as this clock.
        let _ = time.wait_for(|now| *now >= due).await;
    }
}
