//! What becomes of a part of a block that the node refuses: the feed asks again, or leaves the part out.

use std::{
    collections::{BTreeMap, BTreeSet},
    time::Duration,
};

use tokio::time::Instant;

use crate::{
    domain::Height,
    indexer::node::feed::{NodeRefusal, RefusalKind},
    wire::{BlockPart, PartFloor},
};

/// Attempts to decode a part of a block. Then the block is indexed without it.
pub(super) const DECODINGS: u32 = 4;

/// Pauses between the attempts to get a refused part, in seconds.
const PAUSES: [u32; 4] = [1, 2, 4, 8];

/// Blocks below the tip from which on a refusal is not one of a node that lags.
const OLD: u64 = 10;

/// Blocks that the node must be past a recent block before a part of it is left out.
const PAST: u64 = 3;

/// Time for which the node is asked for a part of a recent block, in seconds.
const RECENT: u32 = 120;

/// Attempts that are kept; each belongs to a block that is being read.
const KEPT: usize = 5_000;

/// How a part of a block failed to come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Lack {
    /// It came in a form that could not be decoded.
    Malformed,
    Refused(RefusalKind),
}

/// What to do about a part that did not come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    /// Ask again after this pause.
    Ask(Duration),
    /// Ask again after this pause; older blocks need not wait for the part.
    Await(Duration),
    LeaveOut,
}

/// One part of one block that did not come.
#[derive(Clone, Copy, Debug)]
pub(super) struct Attempts {
    pub(super) lack: Lack,
    /// Blocks between this one and the node's newest.
    pub(super) depth: u64,
    pub(super) count: u32,
    /// Time since the first attempt.
    pub(super) since: Duration,
    /// Whether each configured node was asked.
    pub(super) is_asked_of_all: bool,
}

impl Attempts {
    /// Decides what becomes of the part. `second` is the unit of all times.
    pub(super) fn verdict(&self, second: Duration) -> Verdict {
        if self.lack == Lack::Malformed {
            return if self.count < DECODINGS { Verdict::Ask(Duration::ZERO) } else { Verdict::LeaveOut };
        }
        if self.lack == Lack::Refused(RefusalKind::Discarded) && self.depth > 0 {
            return Verdict::LeaveOut;
        }
        let place = usize::try_from(self.count.saturating_sub(1)).unwrap_or(usize::MAX);
        let longest = PAUSES.last().copied().unwrap_or(1);
        let pause = second * if self.depth < PAST { 1 } else { PAUSES.get(place).copied().unwrap_or(longest) };
        let is_exhausted = place >= PAUSES.len();
        let is_spoken = matches!(self.lack, Lack::Refused(RefusalKind::Spoken | RefusalKind::Contradicts));
        let is_past = self.depth >= PAST && is_spoken && self.since >= second * RECENT;
        match (is_exhausted, self.depth) {
            (true, OLD..) => Verdict::LeaveOut,
            (true, _) if is_past && self.is_asked_of_all => Verdict::LeaveOut,
            (true, 1..) => Verdict::Await(pause),
            _ => Verdict::Ask(pause),
        }
    }
}

#[derive(Debug)]
struct RefusedPart {
    count: u32,
    first: Instant,
    due: Instant,
    kind: RefusalKind,
    cause: String,
    /// Places of the nodes that were asked.
    nodes: BTreeSet<usize>,
}

/// Failed attempts of all parts, and the heights below which no part is requested.
#[derive(Debug)]
pub(super) struct Refusals {
    failures: BTreeMap<(Height, BlockPart), RefusedPart>,
    floors: Vec<PartFloor>,
    probed: Option<Height>,
    pub(super) second: Duration,
}

impl Default for Refusals {
    fn default() -> Self {
        let (failures, floors) = (BTreeMap::new(), Vec::new());
        Self { failures, floors, probed: None, second: Duration::from_secs(1) }
    }
}

impl Refusals {
    pub(super) fn set_floors(&mut self, floors: &[PartFloor], probed: Option<Height>) {
        self.floors = floors.to_vec();
        self.probed = probed;
        // A probe is one request, whatever came before.
        self.failures.retain(|(height, _), _| Some(*height) != probed);
    }

    /// Returns the floor of a part above this block, below which nothing is requested.
    pub(super) fn floor_above(&self, height: Height, part: BlockPart) -> Option<&PartFloor> {
        let floor = self.floors.iter().find(|floor| floor.part == part && floor.height > height);
        floor.filter(|_| self.probed != Some(height))
    }

    /// Returns the last refusal of a part that may not be requested again yet.
    pub(super) fn pause(&self, height: Height, part: BlockPart, now: Instant) -> Option<NodeRefusal> {
        let failure = self.failures.get(&(height, part))?;
        let again = failure.due.checked_duration_since(now).filter(|rest| !rest.is_zero())?;
        Some(NodeRefusal { kind: failure.kind, cause: failure.cause.clone(), again })
    }

    pub(super) fn count(&self, height: Height, part: BlockPart) -> u32 {
        self.failures.get(&(height, part)).map_or(0, |failure| failure.count)
    }

    /// Notes a failed attempt, and decides what becomes of the part.
    pub(super) fn failed(
        &mut self,
        (height, part): (Height, BlockPart),
        (lack, cause): (Lack, &str),
        depth: u64,
        (node, nodes): (usize, usize),
        now: Instant,
    ) -> Verdict {
        let kind = if let Lack::Refused(kind) = lack { kind } else { RefusalKind::Spoken };
        let new = || RefusedPart { count: 0, first: now, due: now, kind, cause: String::new(), nodes: BTreeSet::new() };
        let failure = self.failures.entry((height, part)).or_insert_with(new);
        failure.count += 1;
        failure.kind = kind;
        cause.clone_into(&mut failure.cause);
        failure.nodes.insert(node);
        let since = now.duration_since(failure.first);
        let attempts =
            Attempts { lack, depth, count: failure.count, since, is_asked_of_all: failure.nodes.len() >= nodes };
        let verdict = attempts.verdict(self.second);
        match verdict {
            Verdict::Ask(pause) | Verdict::Await(pause) => failure.due = now + pause,
            Verdict::LeaveOut => self.forget(height, part),
        }
        while self.failures.len() > KEPT {
            self.failures.pop_last();
        }
        verdict
    }

    pub(super) fn forget(&mut self, height: Height, part: BlockPart) {
        self.failures.remove(&(height, part));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SPOKEN: Lack = Lack::Refused(RefusalKind::Spoken);
    const SILENT: Lack = Lack::Refused(RefusalKind::Silent);
    const DISCARDED: Lack = Lack::Refused(RefusalKind::Discarded);

    fn attempts(lack: Lack, depth: u64, count: u32, seconds: u64) -> Attempts {
        Attempts { lack, depth, count, since: Duration::from_secs(seconds), is_asked_of_all: true }
    }

    #[test]
    fn an_old_part_is_asked_for_again_four_times_and_then_left_out() {
        let second = Duration::from_secs(1);
        let mut total = Duration::ZERO;
        for (count, pause) in [(1, 1), (2, 2), (3, 4), (4, 8)] {
            for (lack, depth) in [(SPOKEN, 10), (SILENT, 9_000)] {
                let verdict = attempts(lack, depth, count, 0).verdict(second);
                assert_eq!(verdict, Verdict::Ask(second * pause), "{lack:?} {count}");
            }
            total += second * pause;
        }
        assert!(total <= Duration::from_secs(20), "{total:?}");
        assert_eq!(attempts(SILENT, 10, 5, 15).verdict(second), Verdict::LeaveOut);
        assert_eq!(attempts(DISCARDED, 1, 1, 0).verdict(second), Verdict::LeaveOut, "asking is useless");
        assert_eq!(attempts(Lack::Malformed, 0, 3, 0).verdict(second), Verdict::Ask(Duration::ZERO));
        assert_eq!(attempts(Lack::Malformed, 0, 4, 0).verdict(second), Verdict::LeaveOut);
    }

    #[test]
    fn a_part_of_a_recent_block_is_left_out_late_and_only_if_the_node_goes_on_and_says_so() {
        let second = Duration::from_secs(1);
        let verdict = |lack, depth, seconds| attempts(lack, depth, 30, seconds).verdict(second);
        assert_eq!(verdict(SPOKEN, 9, 119), Verdict::Await(second * 8), "too soon");
        assert_eq!(verdict(SPOKEN, 3, 120), Verdict::LeaveOut);
        assert_eq!(verdict(SPOKEN, 2, 9_000), Verdict::Await(second), "the node may lag behind its own tip");
        assert_eq!(verdict(SILENT, 9, 9_000), Verdict::Await(second * 8), "silence is no refusal");
        assert_eq!(verdict(DISCARDED, 0, 9_000), Verdict::Ask(second), "the newest block may yet come");
        let one_node = Attempts { is_asked_of_all: false, ..attempts(SPOKEN, 5, 30, 130) };
        assert_eq!(one_node.verdict(second), Verdict::Await(second * 8), "another node may have it");
    }

    #[test]
    fn nothing_is_requested_before_it_is_due_nor_below_a_floor() {
        let (height, part, now) = (Height::new(50).unwrap(), BlockPart::Results, Instant::now());
        let mut refusals = Refusals::default();
        assert_eq!(refusals.pause(height, part, now), None);
        refusals.failed((height, part), (SPOKEN, "no"), 100, (0, 1), now);
        let pause = refusals.pause(height, part, now).map(|refusal| (refusal.cause, refusal.again));
        assert_eq!(pause, Some(("no".to_owned(), Duration::from_secs(1))));
        assert_eq!(refusals.pause(height, part, now + Duration::from_secs(1)), None);
        assert_eq!(refusals.pause(height, BlockPart::Receipts, now), None, "of another part");
        let floor = PartFloor { part, height: Height::new(60).unwrap(), cause: "gone".into() };
        refusals.set_floors(&[floor], None);
        assert!(
            refusals.floor_above(height, part).is_some() && refusals.floor_above(height, BlockPart::Receipts).is_none()
        );
        refusals.set_floors(&refusals.floors.clone(), Some(height));
        assert!(refusals.floor_above(height, part).is_none() && refusals.pause(height, part, now).is_none());
    }
}
