//! When the status is asked for, and when the router is asked to watch, on a clock that stands still.

use std::time::Duration;

use proptest::prelude::*;
use rollscope::{
    domain::Timestamp,
    transfers::{LastPoll, NextStep, Phase, PollPriority, TrackReason, TransferStatusView, next_poll, next_try},
};

use super::{NOTHING, at, look, record, source_tx};

fn of(phase: Phase, expected: Option<Timestamp>) -> TransferStatusView {
    TransferStatusView { phase, expected, next: NextStep::Wait, ..look(&record(None, None), NOTHING) }
}

fn answered(at: Timestamp) -> LastPoll {
    LastPoll { at, failures: 0, retry_after: None }
}

/// Seconds from an answer at this moment to the next poll.
fn wait(view: &TransferStatusView, now: u64) -> Option<u64> {
    let next = next_poll(view, at(0), Some(answered(at(now))), PollPriority::Watched, at(now), 0)?;
    Some(next.since(at(now)).as_secs())
}

#[test]
fn the_nearer_the_end_the_more_often_it_is_asked_for() {
    let day = 24 * 3600;
    for (phase, expected, now, seconds) in [
        (Phase::Moving, Some(1000), 0, Some(60)),
        (Phase::Moving, Some(1000), 699, Some(60)),
        (Phase::Moving, Some(1000), 700, Some(5)),
        (Phase::Moving, Some(1000), 999, Some(5)),
        (Phase::Moving, Some(1000), 1000, Some(1)),
        (Phase::Failing, Some(1000), 5000, Some(1)),
        (Phase::Moving, Some(1000), 1000 + day, Some(60)),
        (Phase::NotKnown, Some(30), 5, Some(5)),
        (Phase::Moving, None, 0, Some(5)),
        (Phase::Moving, None, 599, Some(5)),
        (Phase::Moving, None, 600, Some(60)),
        (Phase::Strange, None, 10, Some(5)),
        (Phase::Finalizing, Some(7 * day), day, Some(60)),
        (Phase::Finalizing, Some(7 * day), 7 * day - 200, Some(5)),
        (Phase::Finalizing, Some(7 * day), 7 * day + 1, Some(1)),
        (Phase::Finalizing, Some(7 * day), 7 * day + 600, Some(60)),
        (Phase::FailedHeld, Some(1000), 5000, Some(60)),
        (Phase::Arrived, Some(1000), 0, None),
        (Phase::FailedReleased, None, 0, None),
        (Phase::EndedUnstated, None, 0, None),
        (Phase::Abandoned, None, 0, None),
    ] {
        assert_eq!(wait(&of(phase.clone(), expected.map(at)), now), seconds, "{phase:?} {expected:?} at {now}");
    }
    let to_send = TransferStatusView { next: NextStep::SendNext(1), ..of(Phase::Moving, Some(at(9))) };
    assert_eq!(wait(&to_send, 50), Some(60), "nothing moves before a person sends");
}

#[test]
fn what_is_hidden_pauses_and_what_is_watched_never_does() {
    let view = of(Phase::Moving, Some(at(30)));
    let next = |attention, last, now| next_poll(&view, at(0), last, attention, at(now), 0);
    assert_eq!(next(PollPriority::Hidden, Some(answered(at(3))), 4), None);
    assert_eq!(
        next(PollPriority::Watched, Some(answered(at(3))), 4),
        next(PollPriority::Shown, Some(answered(at(3))), 4)
    );
    assert_eq!(next(PollPriority::Watched, None, 4), Some(at(4)), "it has never been asked for");
    assert_eq!(next(PollPriority::Shown, Some(answered(at(3))), 20), Some(at(20)), "it was hidden for long");
}

#[test]
fn failures_slow_it_down_and_the_server_is_heeded() {
    let view = of(Phase::Moving, Some(at(10)));
    let wait = |failures, retry_after: Option<u64>, jitter| {
        let last = LastPoll { at: at(100), failures, retry_after: retry_after.map(Duration::from_secs) };
        let next = next_poll(&view, at(0), Some(last), PollPriority::Shown, at(100), jitter);
        next.map(|next| next.since(at(100)).as_millis())
    };
    let waits: Vec<_> = (0..7).map(|failures| wait(failures, None, 0).unwrap()).collect();
    assert_eq!(waits, [1000, 2000, 4000, 8000, 16_000, 30_000, 30_000]);
    assert_eq!(wait(9, None, 255), Some(60_000), "by chance up to as much again");
    assert_eq!(wait(1, None, 255), Some(4000));
    assert_eq!(wait(1, Some(90), 0), Some(90_000));
    assert_eq!(wait(0, Some(7), 0), Some(7000));
    assert_eq!(wait(1, Some(1_000_000), 0), Some(3_600_000), "no server is heeded for ever");
}

#[test]
fn a_router_is_asked_to_watch_as_often_as_real_clients_do() {
    for (occasion, tries, pause) in [(TrackReason::Broadcast, 31, 1), (TrackReason::Later, 7, 5)] {
        let (mut now, mut last, mut times) = (at(0), None, Vec::new());
        while let Some(time) = next_try(occasion, u32::try_from(times.len()).unwrap(), last, None, now) {
            times.push(time);
            (now, last) = (time, Some(time));
        }
        let expected: Vec<_> = (0..tries).map(|count| at(count * pause)).collect();
        assert_eq!(times, expected, "{occasion:?}");
    }
    let retry = Some(Duration::from_secs(20));
    assert_eq!(next_try(TrackReason::Later, 1, Some(at(3)), retry, at(4)), Some(at(23)));
    assert_eq!(next_try(TrackReason::Later, 1, Some(at(3)), None, at(60)), Some(at(60)), "after a restart at once");
    let tx = source_tx("echelon-1", 1, None);
    assert_eq!(
        (TrackReason::of(&tx, at(29)), TrackReason::of(&tx, at(30))),
        (TrackReason::Broadcast, TrackReason::Later)
    );
}

fn phases() -> impl Strategy<Value = Phase> {
    use Phase::{
        Abandoned, Arrived, EndedUnstated, FailedAtSource, FailedHeld, FailedReleased, Failing, Finalizing, Forgotten,
        Moving, NotKnown, Strange, Waiting,
    };
    prop::sample::select(vec![
        Abandoned,
        Arrived,
        EndedUnstated,
        FailedAtSource,
        FailedHeld,
        FailedReleased,
        Failing,
        Finalizing,
        Forgotten,
        Moving,
        NotKnown,
        Strange,
        Waiting,
    ])
}

proptest! {
    /// Never sooner than a second after the last answer, never in the past, and always some time unless it is over.
    #[test]
    fn the_next_poll_comes_but_not_at_once(
        phase in phases(), expected in prop::option::of(0..2_000_000_u64), polled in 0..1_000_000_u64, passed in 0..100_000_u64,
        failures in 0..40_u32, retry in prop::option::of(any::<u64>()), jitter in any::<u8>(), is_shown in any::<bool>(),
    ) {
        let attention = if is_shown { PollPriority::Shown } else { PollPriority::Watched };
        let last = LastPoll { at: at(polled), failures, retry_after: retry.map(Duration::from_secs) };
        let now = at(polled + passed);
        let view = of(phase.clone(), expected.map(at));
        let next = next_poll(&view, at(0), Some(last), attention, now, jitter);
        prop_assert_eq!(next.is_none(), phase.is_over());
        if let Some(next) = next {
            prop_assert!(next >= now && next >= at(polled + 1));
            prop_assert!(next <= now.after(Duration::from_secs(3600)));
        }
    }
}
