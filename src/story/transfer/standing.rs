use super::{Evidence, Names, NextStep, Phase, Standing};
use crate::domain::{Timestamp, TransferRecord};

/// How a transfer stands now, by its kept record and by what indexers have found.
pub fn standing(_record: &TransferRecord, _evidence: &[Evidence], _names: &dyn Names, _now: Timestamp) -> Standing {
    Standing {
        phase: Phase::NotKnown,
        headline: "The router does not know this transaction yet.".to_owned(),
        notes: Vec::new(),
        hops: Vec::new(),
        release: None,
        problem: None,
        next: NextStep::Wait,
        expected: None,
    }
}
