//! Programs without a terminal: what a session leaves, and how another continues it.

use std::{fmt, future, time::Duration};

use tokio::{
    sync::{mpsc::Receiver, oneshot},
    task::JoinHandle,
};

use super::{Clock, Program, Start, WorkerLink};
use crate::{
    app::{Effect, Event},
    domain::{SteadyClock, Timestamp},
    msg::{Instruction, Report},
};

/// Program that the user left, with its worker. It requests nothing. Pending reports are received, each with its time,
/// so that their ages are right when the program continues.
pub struct LeftProgram<P> {
    pub(in crate::tui) program: P,
    steady: SteadyClock,
    send: Box<dyn FnMut(Instruction) + Send>,
    receiving: JoinHandle<ReceivedReports>,
    /// Ends the receiving task.
    stop: oneshot::Sender<()>,
}

/// Reports with the elapsed time at which each arrived.
struct ReceivedReports {
    reports: Vec<(Duration, Report)>,
    further: Receiver<Report>,
}

impl<P> fmt::Debug for LeftProgram<P> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("LeftProgram").finish_non_exhaustive()
    }
}

/// What a session needs of its program to start.
pub struct StartedProgram<P> {
    pub program: P,
    pub effects: Vec<Effect>,
    pub start: Start,
    /// Clock of the program's time; a new one could set it back.
    pub steady: SteadyClock,
}

impl<P> fmt::Debug for StartedProgram<P> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("StartedProgram").field("effects", &self.effects).finish_non_exhaustive()
    }
}

impl<P> LeftProgram<P> {
    /// Must be called inside the runtime.
    pub(super) fn new(program: P, link: WorkerLink, steady: SteadyClock, clock: impl Clock + Send + 'static) -> Self {
        let (stop, mut stopped) = oneshot::channel();
        let WorkerLink { send, reports: mut further } = link;
        let receiving = tokio::spawn(async move {
            let mut reports = Vec::new();
            loop {
                tokio::select! {
                    biased;
                    Some(report) = further.recv() => reports.push((clock.elapsed(), report)),
                    _ = &mut stopped => return ReceivedReports { reports, further },
                }
            }
        });
        Self { program, steady, send, receiving, stop }
    }

    /// Ends the program, and returns the connection that ends its worker when it is dropped, which may take seconds.
    pub(in crate::tui) fn into_worker(self) -> impl Send {
        self.send
    }
}

impl<P: Program> LeftProgram<P> {
    /// Continues the program, which first takes the reports that came, then this event.
    pub async fn resume(
        self,
        returned: Event,
        clock: &impl Clock,
    ) -> Result<StartedProgram<P>, tokio::task::JoinError> {
        let Self { mut program, mut steady, send, receiving, stop } = self;
        // The task has ended if it panicked, which the next line tells.
        let _ = stop.send(());
        let ReceivedReports { reports, further } = receiving.await?;
        let elapsed = clock.elapsed();
        let (now, _) = steady.read(clock.now(), elapsed);
        let at = |arrived: Duration| -> Timestamp { now.before(elapsed.saturating_sub(arrived)) };
        let events = reports.into_iter().map(|(arrived, report)| (Event::Report(report), at(arrived)));
        let effects = events.chain([(returned, now)]).flat_map(|(event, at)| program.update(event, at)).collect();
        let link = WorkerLink { send, reports: further };
        Ok(StartedProgram { program, effects, start: Box::pin(future::ready(Ok(link))), steady })
    }
}

#[cfg(test)]
mod tests {
    use std::sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    };

    use ratatui::Frame;
    use tokio::sync::mpsc;

    use super::*;
    use crate::{config::Styles, widgets::Drawn};

    /// Writes down each event with its time.
    #[derive(Default)]
    struct EventBook(Vec<(String, Timestamp)>);

    impl Program for EventBook {
        fn update(&mut self, event: Event, now: Timestamp) -> Vec<Effect> {
            self.0.push((format!("{event:?}"), now));
            vec![Effect::Bell]
        }

        fn next_tick(&self, _: Timestamp) -> Option<Duration> {
            None
        }

        fn draw(&self, _: &mut Frame<'_>, _: &Styles) -> Drawn {
            Drawn::default()
        }
    }

    #[derive(Clone, Default)]
    struct SecondsClock(Arc<AtomicU64>);

    impl Clock for SecondsClock {
        fn now(&self) -> Timestamp {
            Timestamp::EPOCH.after(self.elapsed())
        }

        fn elapsed(&self) -> Duration {
            Duration::from_secs(self.0.load(Ordering::SeqCst))
        }

        fn sleep(&self, _: Duration) -> impl Future<Output = ()> {
            future::pending()
        }
    }

    #[tokio::test]
    async fn a_report_that_comes_meanwhile_has_its_own_time() {
        let clock = SecondsClock::default();
        let (sender, reports) = mpsc::channel(1);
        let link = WorkerLink { send: Box::new(|_| {}), reports };
        let steady = SteadyClock::new(clock.now(), clock.elapsed());
        let left = LeftProgram::new(EventBook::default(), link, steady, clock.clone());
        for (seconds, name) in [(2, "first"), (5, "second")] {
            clock.0.store(seconds, Ordering::SeqCst);
            sender.send(Report::Warning(name.to_owned())).await.unwrap();
            // This thread is the only one: the task takes the report now.
            tokio::task::yield_now().await;
        }
        clock.0.store(200, Ordering::SeqCst);
        let started = left.resume(Event::Focus(true), &clock).await.unwrap();
        let at = |seconds| Timestamp::EPOCH.after(Duration::from_secs(seconds));
        let expected = [
            (r#"Report(Warning("first"))"#.to_owned(), at(2)),
            (r#"Report(Warning("second"))"#.to_owned(), at(5)),
            ("Focus(true)".to_owned(), at(200)),
        ];
        assert_eq!(started.program.0, expected);
        assert_eq!(started.effects, vec![Effect::Bell; 3]);
        let mut link = started.start.await.unwrap();
        sender.send(Report::Warning("third".to_owned())).await.unwrap();
        assert!(matches!(link.reports.recv().await, Some(Report::Warning(text)) if text == "third"));
    }
}
