use std::{cell::RefCell, convert::Infallible, time::Duration};

use crate::{
    domain::{SteadyClock, Timestamp},
    tui::{Clock, WallClock},
};

/// Time between two looks at the system clock.
const LOOK: Duration = Duration::from_secs(5);

/// Time of a command that waits: it goes on steadily when somebody sets the system clock, so that nothing waits for
/// hours.
#[derive(Debug)]
pub(super) struct CommandClock<C = WallClock> {
    clock: C,
    steady: RefCell<SteadyClock>,
}

impl Default for CommandClock {
    fn default() -> Self {
        Self::new(WallClock)
    }
}

impl<C: Clock> CommandClock<C> {
    fn new(clock: C) -> Self {
        let steady = RefCell::new(SteadyClock::new(clock.now(), clock.elapsed()));
        Self { clock, steady }
    }

    pub(super) fn now(&self) -> Timestamp {
        self.steady.borrow_mut().read(self.clock.now(), self.clock.elapsed()).0
    }

    /// Tells each change of the system clock; never ends.
    pub(super) async fn watch(&self, tell: impl Fn(&str)) -> Infallible {
        loop {
            self.clock.sleep(LOOK).await;
            let (_, news) = self.steady.borrow_mut().news(self.clock.now(), self.clock.elapsed());
            match news {
                Some(Some(shift)) => tell(&format!("the system clock was {shift}")),
                Some(None) => tell("the system clock agrees with the elapsed time again"),
                None => {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::{
        cell::Cell,
        future::{pending, ready},
        pin::pin,
        task::{Context, Poll, Waker},
    };

    use futures_util::future::Either;

    use super::*;

    /// Wall clock with these hours after its start, one for each look; the elapsed time goes on by a second each.
    struct ScriptedClock {
        hours: Vec<i64>,
        looks: Cell<usize>,
    }

    impl Clock for &ScriptedClock {
        fn now(&self) -> Timestamp {
            let noon = Timestamp::EPOCH.after(Duration::from_hours(1000));
            let hours = self.hours[self.looks.get()];
            let by = Duration::from_hours(hours.unsigned_abs());
            if hours < 0 { noon.before(by) } else { noon.after(by) }
        }

        fn elapsed(&self) -> Duration {
            Duration::from_secs(self.looks.get() as u64)
        }

        fn sleep(&self, _: Duration) -> impl Future<Output = ()> {
            self.looks.set(self.looks.get() + 1);
            if self.looks.get() < self.hours.len() { Either::Left(ready(())) } else { Either::Right(pending()) }
        }
    }

    #[test]
    fn a_clock_that_is_set_is_told_once_and_time_goes_on() {
        let script = ScriptedClock { hours: vec![0, 0, -3, -3, 0, 24, 24], looks: Cell::default() };
        let clock = CommandClock::new(&script);
        let told = RefCell::new(Vec::new());
        let start = clock.now();
        {
            let watching = pin!(clock.watch(|sentence| told.borrow_mut().push(sentence.to_owned())));
            assert!(matches!(watching.poll(&mut Context::from_waker(Waker::noop())), Poll::Pending));
        }
        let expected = [
            "the system clock was set back by 3 h",
            "the system clock agrees with the elapsed time again",
            "the system clock was set forward by 23 h",
        ];
        assert_eq!(told.into_inner(), expected);
        script.looks.set(6);
        assert!(clock.now().since(start) < Duration::from_secs(10), "no waiting for a day");
    }
}
