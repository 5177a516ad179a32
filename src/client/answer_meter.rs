//! Memory for a node's answers: of all records, one at a time may have large answers.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

use tokio::sync::{OnceCell, OwnedSemaphorePermit, Semaphore};

use crate::wire::ErrorKind;

/// Bytes of one answer, or of all answers of one record, above which they are large.
pub(super) const LARGE: usize = 2 << 20;

/// Bytes of the answers from which one record is made. Above 2 MiB they wait for a turn, of which there is one for all
/// hosts. They keep it until the meter is dropped, so keep the meter until the record is written.
///
/// Nothing may wait for a node while it keeps a turn, except the rest of the same record.
#[derive(Debug, Default)]
pub struct AnswerMeter {
    bytes: AtomicUsize,
    /// Turns of large records; `None` refuses their answers.
    turns: Option<Arc<Semaphore>>,
    turn: OnceCell<OwnedSemaphorePermit>,
}

impl AnswerMeter {
    /// Creates the meter of a record that was made of so many bytes.
    pub fn of(bytes: usize) -> Self {
        Self { bytes: AtomicUsize::new(bytes), ..Self::default() }
    }

    pub(super) fn new(turns: Arc<Semaphore>) -> Self {
        Self { turns: Some(turns), ..Self::default() }
    }

    pub fn bytes(&self) -> usize {
        self.bytes.load(Ordering::Relaxed)
    }

    /// Whether no other record with large answers may be in memory.
    pub fn is_large(&self) -> bool {
        self.bytes() > LARGE
    }

    /// Adds received bytes; returns whether they have to wait for a turn.
    pub(super) fn add(&self, bytes: usize) -> bool {
        let before = self.bytes.fetch_add(bytes, Ordering::Relaxed);
        before + bytes > LARGE && !self.turn.initialized()
    }

    /// Removes the bytes of an answer that was dropped.
    pub(super) fn remove(&self, bytes: usize) {
        self.bytes.fetch_sub(bytes, Ordering::Relaxed);
    }

    /// Waits for the turn.
    pub(super) async fn enter(&self) -> Result<(), ErrorKind> {
        let Some(turns) = &self.turns else { return Err(ErrorKind::TooLarge(LARGE as u64)) };
        // Nobody closes the semaphore.
        let turn = self.turn.get_or_try_init(|| Arc::clone(turns).acquire_owned()).await;
        turn.map(drop).map_err(|error| ErrorKind::Unusable(error.to_string()))
    }
}
