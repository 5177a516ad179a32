//! What probes and metrics say of an index, read apart from their requests: a store that hangs must hang no probe.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};

use tokio::sync::watch;

use crate::{
    domain::{Height, Timestamp},
    indexer::index::{Bounds, Index},
};

/// Time that a request waits for the store; afterwards it is answered from the last sample.
const WAIT: Duration = Duration::from_millis(80);

/// Values of one moment.
#[derive(Clone, Debug)]
pub(crate) struct IndexSample {
    /// Indexed range, or why it cannot be read.
    pub(super) held: Result<Option<Bounds>, String>,
    /// Time of the newest block.
    pub(super) tip_time: Option<Timestamp>,
    /// First block of the newest range without a gap.
    pub(super) oldest: u64,
    pub(super) traced: u64,
    pub(super) rich_list: u64,
    pub(super) undecoded: u64,
    pub(super) file_bytes: u64,
    taken: Instant,
}

impl IndexSample {
    /// Reads the index; call it on a blocking thread.
    pub(crate) fn read(index: &Index) -> Self {
        // An index that cannot be read is reported by its range.
        drop(index.refresh());
        let held = index.bounds().map_err(|error| error.to_string());
        let bounds = held.as_ref().ok().copied().flatten();
        Self {
            tip_time: bounds.and_then(|held| index.time_of(held.tip).ok().flatten()),
            oldest: bounds.map_or(0, |held| {
                index.gaps().map_or(held.from, |gaps| gaps.start_of_range(held.tip, held.from)).get()
            }),
            traced: index.traced().ok().flatten().map_or(0, |traced| traced.tip.get()),
            rich_list: index.rich_list_height().ok().flatten().map_or(0, Height::get),
            undecoded: index.lacking(0).map_or(0, |lacking| lacking.undecoded.0),
            file_bytes: index.file_bytes(),
            held,
            taken: Instant::now(),
        }
    }

    /// Returns the time since the store last answered.
    pub(super) fn age(&self) -> Duration {
        self.taken.elapsed()
    }
}

/// Latest sample of an index.
#[derive(Debug)]
pub(crate) struct IndexSampler {
    index: Arc<Index>,
    latest: watch::Sender<Option<Arc<IndexSample>>>,
    is_reading: AtomicBool,
}

impl IndexSampler {
    pub(crate) fn new(index: &Arc<Index>) -> Arc<Self> {
        let (latest, is_reading) = (watch::Sender::new(None), AtomicBool::new(false));
        Arc::new(Self { index: Arc::clone(index), latest, is_reading })
    }

    /// Returns a new sample, or the last one if the store does not answer in time; `None` before its first answer.
    pub(crate) async fn sample(self: &Arc<Self>) -> Option<Arc<IndexSample>> {
        let mut latest = self.latest.subscribe();
        latest.mark_unchanged();
        // At most one thread waits for a store that hangs.
        if !self.is_reading.swap(true, Ordering::AcqRel) {
            let sampler = Arc::clone(self);
            tokio::task::spawn_blocking(move || {
                let sample = IndexSample::read(&sampler.index);
                sampler.is_reading.store(false, Ordering::Release);
                sampler.latest.send_replace(Some(Arc::new(sample)));
            });
        }
        drop(tokio::time::timeout(WAIT, latest.changed()).await);
        latest.borrow().clone()
    }
}
