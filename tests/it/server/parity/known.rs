//! Where our answers are others than the real indexer's, and why.

use rollscope::domain::Vm;

use super::{super::client::Mode, Difference};

/// A difference that is meant. Each is needed: one that nothing is an example of fails the test.
pub(super) struct KnownDifference {
    pub(super) vm: Vm,
    /// Where it is seen.
    pub(super) modes: &'static [Mode],
    pub(super) reason: &'static str,
    pub(super) is_it: fn(&Difference) -> bool,
}

pub(super) const KNOWN: &[KnownDifference] = &[];
