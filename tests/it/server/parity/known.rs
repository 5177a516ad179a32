//! Where our answers with the real server's quirks are others than the real indexer's, and why.

use rollscope::domain::Vm;

use super::Difference;

/// A difference that is meant.
pub(super) struct KnownDifference {
    pub(super) vm: Vm,
    pub(super) reason: &'static str,
    pub(super) is_it: fn(&Difference) -> bool,
}

pub(super) const KNOWN: &[KnownDifference] = &[];
