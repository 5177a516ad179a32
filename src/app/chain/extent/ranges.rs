use std::collections::BTreeMap;

/// Maximum number of ranges, so that a server with random heights cannot fill the memory.
const MOST: usize = 20_000;

/// Set of heights as disjoint ranges that do not touch.
#[derive(Debug, Default)]
pub(super) struct HeightRanges {
    spans: BTreeMap<u64, u64>,
}

impl HeightRanges {
    /// Adds all heights from `low` to `high`.
    pub(super) fn insert(&mut self, low: u64, high: u64) {
        let (mut low, mut high) = (low, high);
        // A range that starts at most one above the new end touches it. The last such range may start far below.
        while let Some((&first, &last)) = self.spans.range(..=high.saturating_add(1)).next_back()
            && last.saturating_add(1) >= low
        {
            self.spans.remove(&first);
            (low, high) = (low.min(first), high.max(last));
        }
        self.spans.insert(low, high);
        while self.spans.len() > MOST {
            self.spans.pop_first();
        }
    }

    pub(super) fn contains(&self, height: u64) -> bool {
        self.contains_all(height, height)
    }

    pub(super) fn contains_all(&self, low: u64, high: u64) -> bool {
        self.spans.range(..=low).next_back().is_some_and(|(_, last)| *last >= high)
    }

    /// Counts the heights between two others.
    pub(super) fn count_between(&self, below: u64, above: u64) -> u64 {
        let (low, before) = (below.saturating_add(1), self.spans.range(..=below).next_back());
        let spans = before.into_iter().chain(self.spans.range(low..above.max(low)));
        let part = |(first, last): (&u64, &u64)| above.min(last.saturating_add(1)).saturating_sub(*first.max(&low));
        spans.map(part).sum()
    }

    pub(super) fn count(&self) -> u64 {
        self.spans.iter().map(|(first, last)| last - first + 1).fold(0, u64::saturating_add)
    }

    /// Counts the heights that `others` lacks, and returns the highest of them.
    pub(super) fn without(&self, others: &Self) -> (u64, Option<u64>) {
        let (mut count, mut highest) = (0_u64, None);
        for (&first, &last) in &self.spans {
            let before = others.spans.range(..first).next_back().filter(|(_, end)| **end >= first);
            // Next height to examine.
            let mut next = Some(first);
            for (&start, &end) in before.into_iter().chain(others.spans.range(first..=last)) {
                if let Some(from) = next.filter(|from| *from < start) {
                    count = count.saturating_add(start - from);
                    highest = Some(start - 1);
                }
                next = end.checked_add(1);
            }
            if let Some(from) = next.filter(|from| *from <= last) {
                count = count.saturating_add(last - from + 1);
                highest = Some(last);
            }
        }
        (count, highest)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn spans_are_the_same_as_sets(
            ours in prop::collection::vec((0_u64..60, 0_u64..12), 0..12),
            others in prop::collection::vec((0_u64..60, 0_u64..12), 0..12),
        ) {
            let build = |spans: &[(u64, u64)]| {
                let (mut ranges, mut set) = (HeightRanges::default(), BTreeSet::new());
                for (low, length) in spans {
                    ranges.insert(*low, low + length);
                    set.extend(*low..=low + length);
                }
                (ranges, set)
            };
            let ((mine, mine_set), (theirs, theirs_set)) = (build(&ours), build(&others));
            let lacking: Vec<u64> = mine_set.difference(&theirs_set).copied().collect();
            prop_assert_eq!(mine.count(), mine_set.len() as u64);
            prop_assert_eq!(mine.without(&theirs), (lacking.len() as u64, lacking.last().copied()));
            for height in 0..80 {
                prop_assert_eq!(mine.contains(height), mine_set.contains(&height));
                let between = mine_set.iter().filter(|one| (8..height).contains(*one)).count() as u64;
                prop_assert_eq!(mine.count_between(7, height), between);
            }
        }
    }
}
