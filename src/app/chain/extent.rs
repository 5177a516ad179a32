//! Range of the index, from its answers: the first block, whether a backfill still moves it, and gaps or duplicates in
//! lists.

mod ranges;

use std::{collections::BTreeSet, time::Duration};

use self::ranges::HeightRanges;
use crate::domain::{Height, Timestamp};

/// How long the first block must stay before the backfill counts as finished.
const STILL: Duration = Duration::from_secs(2);
/// [`STILL`] for an index whose first block has moved before.
const STILL_AGAIN: Duration = Duration::from_secs(5);
/// Maximum duplicate heights to remember.
const MOST_DOUBLED: usize = 1000;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum FillState {
    /// No first block is known.
    #[default]
    Unseen,
    /// The first block is known, but not long enough.
    Unsettled { since: Timestamp },
    /// The first block moved down, last at this time.
    Moving { last: Timestamp },
    /// The first block no longer moves, or is the chain's first.
    Over,
    /// The server cannot return its first block.
    Unknowable,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct ListFaults {
    /// Number of skipped heights.
    pub(crate) missing: u64,
    /// Highest height that was skipped.
    pub(crate) highest_missing: Option<u64>,
    /// Number of duplicate rows.
    pub(crate) doubled: usize,
}

impl ListFaults {
    pub(crate) fn is_none(&self) -> bool {
        self.missing == 0 && self.doubled == 0
    }
}

/// Range of the index according to the answers.
#[derive(Debug, Default)]
pub(crate) struct IndexExtent {
    filling: FillState,
    oldest: Option<Height>,
    listed: HeightRanges,
    /// Heights of the blocks received.
    seen: HeightRanges,
    /// Heights of the blocks received in lists that have no transactions.
    empty: HeightRanges,
    doubled: BTreeSet<u64>,
    /// Number of rows in further pages that earlier pages already had.
    repeated: usize,
    faults: ListFaults,
    /// Whether the server returned an empty list of blocks.
    is_empty: bool,
}

impl IndexExtent {
    /// Applies the first block. Returns whether the backfill has just ended.
    pub(super) fn take_oldest(&mut self, oldest: Option<Height>, now: Timestamp) -> bool {
        let may_have_filled = matches!(self.filling, FillState::Unsettled { .. } | FillState::Moving { .. });
        let before = std::mem::replace(&mut self.oldest, oldest);
        self.is_empty = oldest.is_none();
        let has_moved = matches!((before, oldest), (Some(before), Some(now)) if now < before);
        self.filling = match (oldest, self.filling) {
            (Some(Height::FIRST), _) => FillState::Over,
            (None, _) => FillState::Unseen,
            (Some(_), _) if has_moved => FillState::Moving { last: now },
            (Some(_), FillState::Unseen | FillState::Unknowable) => FillState::Unsettled { since: now },
            (Some(_), FillState::Unsettled { since }) if now.since(since) >= STILL => FillState::Over,
            (Some(_), FillState::Moving { last }) if now.since(last) >= STILL_AGAIN => FillState::Over,
            (Some(_), filling) => filling,
        };
        self.filling == FillState::Over && may_have_filled
    }

    /// Records that the request for the first block failed.
    pub(super) fn fail_oldest(&mut self) {
        if matches!(self.filling, FillState::Unseen | FillState::Unsettled { .. }) {
            self.filling = FillState::Unknowable;
        }
    }

    /// Records the server's report that its backfill has reached this block.
    pub(super) fn see_filling(&mut self, oldest: Height, now: Timestamp) {
        self.oldest = Some(oldest);
        self.filling = FillState::Moving { last: now };
    }

    pub(crate) fn filling(&self) -> FillState {
        self.filling
    }

    /// Whether the index may be incomplete. Then the server's counts are too low.
    pub(crate) fn may_be_filling(&self) -> bool {
        matches!(self.filling, FillState::Unseen | FillState::Unsettled { .. } | FillState::Moving { .. })
    }

    /// Returns the oldest block last seen.
    pub(crate) fn oldest(&self) -> Option<Height> {
        self.oldest
    }

    /// Whether the index has the chain's first block, and so the first appearance of everything in it.
    pub(crate) fn begins_with_chain(&self) -> bool {
        !self.may_be_filling() && self.oldest.is_some_and(|oldest| oldest.get() == 1)
    }

    /// Whether the server answers but has no block.
    pub(crate) fn is_empty(&self) -> bool {
        self.is_empty
    }

    /// Applies a page of the block list, in its order.
    pub(super) fn see_page(&mut self, heights: &[u64]) {
        self.is_empty = false;
        let is_sorted = heights.is_sorted_by(|a, b| a >= b) || heights.is_sorted();
        for (height, next) in heights.iter().zip(heights.iter().skip(1)) {
            if height == next && self.doubled.len() < MOST_DOUBLED {
                self.doubled.insert(*height);
            }
        }
        for height in heights {
            self.seen.insert(*height, *height);
        }
        if is_sorted && let (Some(low), Some(high)) = (heights.iter().min(), heights.iter().max()) {
            self.listed.insert(*low, *high);
        }
        self.count();
    }

    /// Records a block of a list that has no transactions.
    pub(super) fn see_empty(&mut self, height: Height) {
        self.empty.insert(height.get(), height.get());
    }

    /// Counts the blocks between two others that are known to have no transactions.
    pub(crate) fn empty_between(&self, below: Height, above: Height) -> u64 {
        self.empty.count_between(below.get(), above.get())
    }

    /// Records that the first page is empty.
    pub(super) fn see_nothing(&mut self) {
        self.is_empty = true;
    }

    pub(in crate::app) fn see_block(&mut self, height: Height) {
        self.is_empty = false;
        if !self.seen.contains(height.get()) {
            self.seen.insert(height.get(), height.get());
            self.count();
        }
    }

    /// Applies rows, newest first. Gaps between pages count.
    pub(in crate::app) fn see_rows(&mut self, heights: impl Iterator<Item = u64>) {
        let mut above: Option<u64> = None;
        let mut has_grown = false;
        for height in heights {
            if let Some(above) = above.filter(|above| *above > height)
                && !self.listed.contains_all(height, above)
            {
                self.listed.insert(height, above);
                has_grown = true;
            }
            above = Some(height);
        }
        if has_grown {
            self.count();
        }
    }

    /// Counts the rows of a further page that earlier pages already had.
    pub(in crate::app) fn see_repeated(&mut self, rows: usize) {
        self.repeated = self.repeated.saturating_add(rows);
        self.count();
    }

    fn count(&mut self) {
        let (missing, highest_missing) = self.listed.without(&self.seen);
        self.faults = ListFaults { missing, highest_missing, doubled: self.doubled.len() + self.repeated };
    }

    /// Returns the faults of the lists. A height that arrived later is not missing.
    pub(crate) fn faults(&self) -> ListFaults {
        self.faults
    }

    /// Returns how many heights the listed ranges span, including missing ones.
    pub(crate) fn listed(&self) -> u64 {
        self.listed.count()
    }

    /// Whether the session received every block from the first to this height.
    pub(crate) fn has_all_to(&self, height: Height) -> bool {
        self.seen.contains_all(1, height.get())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn second(number: u64) -> Timestamp {
        Timestamp::EPOCH.after(Duration::from_secs(number))
    }

    fn looked(looks: &[(u64, u64)]) -> IndexExtent {
        let mut extent = IndexExtent::default();
        for (at, oldest) in looks {
            extent.take_oldest(Height::new(*oldest), second(*at));
        }
        extent
    }

    #[test]
    fn one_look_above_the_first_block_proves_nothing() {
        assert!(IndexExtent::default().may_be_filling(), "nobody has looked");
        assert!(looked(&[(0, 5_901)]).may_be_filling());
        assert!(looked(&[(0, 5_901), (1, 5_901)]).may_be_filling(), "a second may be a pause");
        assert!(!looked(&[(0, 5_901), (1, 5_901), (2, 5_901)]).may_be_filling());
        assert!(!looked(&[(0, 1)]).may_be_filling(), "nothing can be older than the first block");
    }

    #[test]
    fn a_beginning_that_moves_down_is_filling_and_one_that_moves_up_is_pruned() {
        let moving = looked(&[(0, 5_901), (1, 4_000)]);
        assert_eq!(moving.filling(), FillState::Moving { last: second(1) });
        assert!(looked(&[(0, 5_901), (1, 4_000), (4, 4_000)]).may_be_filling());
        assert!(!looked(&[(0, 5_901), (1, 4_000), (6, 4_000)]).may_be_filling());
        assert!(!looked(&[(0, 50), (2, 50), (20, 70)]).may_be_filling(), "old blocks go");
        assert!(looked(&[(0, 50), (2, 50), (20, 40)]).may_be_filling(), "it fills again");
    }

    #[test]
    fn the_end_of_filling_is_news_once() {
        let mut extent = looked(&[(0, 90), (1, 20)]);
        assert!(!extent.take_oldest(Height::new(20), second(3)));
        assert!(extent.take_oldest(Height::new(1), second(4)));
        assert!(!extent.take_oldest(Height::new(1), second(5)));
        assert!(!IndexExtent::default().take_oldest(Height::new(1), second(0)), "nothing was counted before");
    }

    #[test]
    fn a_server_that_cannot_show_its_beginning_is_not_said_to_fill() {
        let mut extent = IndexExtent::default();
        extent.fail_oldest();
        assert_eq!((extent.filling(), extent.may_be_filling()), (FillState::Unknowable, false));
        let mut moving = looked(&[(0, 90), (1, 20)]);
        moving.fail_oldest();
        assert!(moving.may_be_filling(), "one failure does not end what was seen to go on");
    }

    #[test]
    fn a_server_that_says_that_it_is_filling_is_believed_until_it_shows_its_beginning() {
        let mut extent = looked(&[(0, 90), (1, 90), (3, 90)]);
        assert_eq!(extent.filling(), FillState::Over);
        extent.see_filling(Height::new(80).unwrap(), second(4));
        assert!(extent.may_be_filling() && extent.oldest() == Height::new(80));
        assert!(!extent.take_oldest(Height::new(70), second(60)), "it moved since");
        assert!(extent.take_oldest(Height::new(70), second(70)));
    }

    #[test]
    fn passed_heights_are_missing_until_they_come() {
        let mut extent = IndexExtent::default();
        extent.see_page(&[10, 9, 7, 6, 3]);
        assert_eq!(extent.faults(), ListFaults { missing: 3, highest_missing: Some(8), doubled: 0 });
        assert_eq!(extent.listed(), 8);
        extent.see_block(Height::new(8).unwrap());
        extent.see_page(&[5, 4, 3]);
        assert!(extent.faults().is_none(), "{:?}", extent.faults());
    }

    #[test]
    fn heights_between_pages_are_missing_only_where_the_list_went_on() {
        let mut extent = IndexExtent::default();
        extent.see_page(&[100, 99]);
        extent.see_page(&[50, 49]);
        assert!(extent.faults().is_none(), "nobody listed what lies between");
        extent.see_rows([100, 99, 50, 49].into_iter());
        assert_eq!(extent.faults().missing, 48);
    }

    #[test]
    fn a_page_without_order_proves_no_gap() {
        let mut extent = IndexExtent::default();
        extent.see_page(&[10, 2, 9]);
        assert!(extent.faults().is_none());
    }

    #[test]
    fn doubled_heights_are_counted_once_each() {
        let mut extent = IndexExtent::default();
        extent.see_page(&[9, 8, 8, 7]);
        extent.see_page(&[9, 8, 8, 7]);
        assert_eq!(extent.faults(), ListFaults { missing: 0, highest_missing: None, doubled: 1 });
        extent.see_repeated(2);
        assert_eq!(extent.faults().doubled, 3);
    }

    #[test]
    fn complete_is_what_was_seen_from_the_first_block_on() {
        let mut extent = looked(&[(0, 1)]);
        extent.see_page(&[60, 59, 58]);
        assert!(!extent.has_all_to(Height::new(60).unwrap()), "57 blocks were never seen");
        extent.see_page(&(1..=57).rev().collect::<Vec<u64>>());
        assert!(extent.has_all_to(Height::new(60).unwrap()));
    }
}
