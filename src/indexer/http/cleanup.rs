//! Simulated progress of the real server's cleanup of data from older versions, as in `/status` (`docs/apis/indexer.md`
//! §4). This index has no such data.

use crate::domain::{Height, Vm};

/// Number of blocks before the cleanup starts.
const WAITING: u64 = 1;
/// Number of transactions that the cleanup processes per block.
const ROWS: u64 = 200;
/// One in this number of transactions loses or gains an account.
const DELETED: u64 = 40;
const INSERTED: u64 = 90;

/// Work of the cleanup, as of the first status request.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cleanup {
    pub(super) tip: Height,
    /// Sequence number of the newest transaction.
    pub(super) sequence: u64,
}

/// Progress of the cleanup. The response omits zero values; -1 means not started.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct CleanupProgress {
    pub(super) returns_height: Option<u64>,
    pub(super) sequence: Option<i64>,
    pub(super) deleted: Option<i64>,
    pub(super) inserted: Option<i64>,
}

impl Cleanup {
    pub(super) fn progress(&self, vm: Vm, tip: Height) -> CleanupProgress {
        let Some(blocks) = tip.get().saturating_sub(self.tip.get()).checked_sub(WAITING).filter(|blocks| *blocks > 0)
        else {
            let before = Some(-1);
            return CleanupProgress { returns_height: None, sequence: before, deleted: before, inserted: before };
        };
        let done = self.sequence.min(blocks.saturating_mul(ROWS));
        let count = |rows: u64| i64::try_from(rows).ok().filter(|rows| *rows > 0);
        let returns = self.tip.get().saturating_mul(done).checked_div(self.sequence);
        CleanupProgress {
            returns_height: returns.filter(|height| *height > 0 && vm == Vm::Evm),
            sequence: count(self.sequence - done),
            deleted: count(done / DELETED),
            inserted: count(done / INSERTED),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_waits_counts_down_and_is_gone() {
        let height = |height| Height::new(height).unwrap();
        let cleanup = Cleanup { tip: height(1_000), sequence: 450 };
        let waiting =
            CleanupProgress { returns_height: None, sequence: Some(-1), deleted: Some(-1), inserted: Some(-1) };
        for tip in [1_000, 1_001] {
            assert_eq!(cleanup.progress(Vm::Evm, height(tip)), waiting);
        }
        let begun = cleanup.progress(Vm::Evm, height(1_002));
        assert_eq!(
            begun,
            CleanupProgress { returns_height: Some(444), sequence: Some(250), deleted: Some(5), inserted: Some(2) }
        );
        let done = cleanup.progress(Vm::Evm, height(1_004));
        assert_eq!(
            done,
            CleanupProgress { returns_height: Some(1_000), sequence: None, deleted: Some(11), inserted: Some(5) }
        );
        assert_eq!(cleanup.progress(Vm::Move, height(1_004)).returns_height, None);
        let empty = Cleanup { tip: height(1), sequence: 0 };
        assert_eq!(empty.progress(Vm::Evm, height(9)), CleanupProgress::default());
    }
}
