//! Identity of the chain at the network's address, and how it changes.
//!
//! Only another chain ID, or another hash at a known height, proves another chain. A lower height alone may come from a
//! lagging server, so rollscope requests the lowest known block to decide.

use std::{collections::BTreeMap, time::Duration};

use crate::domain::{Anchor, Anchors, BlockHash, ChainId, ChainSighting, Height, Timestamp};

/// Interval between reports of newer anchors. A new lowest anchor is reported at once.
const KEEP_EVERY: Duration = Duration::from_secs(60);
/// Maximum heights that the store may ask for.
const MOST_WANTED: usize = 8;

/// Verdict of a status or block on the chain's identity.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum ChainVerdict {
    /// Nothing contradicts the known chain.
    Same,
    /// The height fell. That proves no other chain, and there is no known block to compare.
    Lagging,
    /// The block at this height can decide.
    Unproven(Height),
    Another(ChainDifference),
}

/// Evidence of another chain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum ChainDifference {
    ChainId { was: ChainId, is: ChainId },
    Hash { height: Height, was: BlockHash, is: BlockHash },
}

/// Identity of the chain: its ID, some of its blocks, and open questions.
#[derive(Debug, Default)]
pub(crate) struct ChainIdentity {
    chain_id: Option<ChainId>,
    anchors: Anchors,
    /// Anchors since the latest status, each with the highest block in its answer. If the next status is another
    /// chain's, they may be too.
    fresh: BTreeMap<Height, Height>,
    highest: Option<Height>,
    /// Height in the latest status.
    claimed: Option<Height>,
    /// Set while the server may have changed to another chain than the anchors'.
    doubt: Option<Doubt>,
    /// Heights of blocks to request, with which the store recognises the chain.
    wanted: Vec<Height>,
    /// Blocks at the heights in `wanted`.
    extra: Anchors,
    /// Whether a request may be sent. After a failure it waits for the next status.
    is_due: bool,
    reported: Option<ReportedHeights>,
}

/// Anchors whose request failed; each flag says whether the status had reached the anchor's height.
#[derive(Debug, Default)]
struct Doubt(BTreeMap<Height, bool>);

/// Heights that the store was last told.
#[derive(Clone, Copy, Debug)]
struct ReportedHeights {
    lowest: Height,
    newest: Height,
    at: Timestamp,
}

impl ChainIdentity {
    pub(crate) fn chain_id(&self) -> Option<&ChainId> {
        self.chain_id.as_ref()
    }

    /// Whether the block at this height is known.
    pub(crate) fn knows(&self, height: Height) -> bool {
        self.anchors.get(height).is_some() || self.extra.get(height).is_some() || self.wanted.contains(&height)
    }

    /// Returns the highest height in any status. A lagging server does not lower it.
    pub(crate) fn highest(&self) -> Option<Height> {
        self.highest
    }

    /// Whether the latest height is below the highest height.
    pub(crate) fn is_behind(&self) -> bool {
        self.claimed < self.highest
    }

    /// Whether no block can identify the chain any more.
    pub(crate) fn is_undecidable(&self) -> bool {
        self.is_behind() && self.doubt.is_some() && self.next_height().is_none()
    }

    pub(crate) fn see_status(&mut self, chain_id: &str, height: Height) -> ChainVerdict {
        match &self.chain_id {
            Some(known) if known.as_str() != chain_id => {
                return ChainVerdict::Another(ChainDifference::ChainId {
                    was: known.clone(),
                    is: ChainId::new(chain_id),
                });
            }
            Some(_) => {}
            None => self.chain_id = Some(ChainId::new(chain_id)),
        }
        self.is_due = true;
        let before = self.claimed.replace(height);
        let has_dropped = before.is_some_and(|before| height < before);
        self.highest = self.highest.max(Some(height));
        if has_dropped && self.is_behind() {
            self.suspect();
        }
        if self.doubt.is_none() {
            self.fresh.clear();
        }
        self.give_up();
        self.verdict()
    }

    /// Applies a block, and the highest block in its answer. Returns `Another` if the hash differs from the known one.
    pub(crate) fn see_block(&mut self, block: Anchor, highest: Height) -> ChainVerdict {
        let height = block.height;
        match self.anchors.get(height).or_else(|| self.extra.get(height)) {
            Some(kept) if kept.hash != block.hash => {
                let (was, is) = (kept.hash, block.hash);
                return ChainVerdict::Another(ChainDifference::Hash { height, was, is });
            }
            Some(_) => self.see_again(height, highest),
            // The block may be the first of another chain.
            None if self.doubt.is_some() => {}
            None => {
                self.anchors.insert(block);
                self.fresh.insert(height, highest);
                if self.wanted.contains(&height) {
                    self.extra.insert(block);
                    self.reported = None;
                }
            }
        }
        if self.doubt.is_none() {
            self.wanted.retain(|wanted| *wanted != height);
        }
        self.give_up();
        self.verdict()
    }

    /// Applies a known block that the server still has. This ends the doubt, unless the block itself came after the
    /// last certain status: then it may be the other chain's.
    fn see_again(&mut self, height: Height, highest: Height) {
        let is_proof = self.fresh.get(&height).is_none_or(|with| Some(*with) > self.claimed);
        self.is_due = true;
        match &mut self.doubt {
            Some(Doubt(tried)) if !is_proof => drop(tried.insert(height, true)),
            Some(_) => {
                self.doubt = None;
                self.fresh.clear();
            }
            None => {
                self.fresh.entry(height).and_modify(|with| *with = highest.max(*with));
            }
        }
    }

    /// Records that the server does not have the block at this height, since it is pruned or still to come.
    pub(crate) fn miss_block(&mut self, height: Height) -> ChainVerdict {
        let is_reached = self.is_reached(height);
        match &mut self.doubt {
            Some(Doubt(tried)) => drop(tried.insert(height, is_reached)),
            None => self.wanted.retain(|wanted| *wanted != height),
        }
        self.is_due = true;
        self.give_up();
        self.verdict()
    }

    /// Marks the chain as uncertain, after the server was unreachable.
    pub(crate) fn suspect(&mut self) {
        if !self.anchors.is_empty() {
            self.doubt.get_or_insert_default().0.clear();
        }
    }

    /// Sets which heights to request, with which the store recognises the chain.
    pub(crate) fn want(&mut self, heights: &[Height]) {
        let known = |height: &&Height| self.anchors.get(**height).is_none() && self.extra.get(**height).is_none();
        self.wanted = heights.iter().filter(known).take(MOST_WANTED).copied().collect();
        self.is_due = true;
    }

    /// Returns the height to request. It returns a height once, until the answer or the next status.
    pub(crate) fn take_question(&mut self) -> Option<Height> {
        if !self.is_due {
            return None;
        }
        self.is_due = false;
        self.next_height().or_else(|| self.wanted.first().copied().filter(|_| self.doubt.is_none()))
    }

    /// Returns what to report to the store: the chain once a block is known, and again with a lower block or after much
    /// growth.
    pub(crate) fn take_news(&mut self, now: Timestamp) -> Option<ChainSighting> {
        let (chain_id, None) = (self.chain_id.clone()?, &self.doubt) else { return None };
        let (lowest, newest) = (self.anchors.lowest()?.height, self.anchors.newest()?.height);
        let is_told = self.reported.is_some_and(|reported| {
            reported.lowest == lowest && (reported.newest == newest || now.since(reported.at) < KEEP_EVERY)
        });
        if is_told {
            return None;
        }
        self.reported = Some(ReportedHeights { lowest, newest, at: now });
        let mut anchors = self.anchors.clone();
        // The report must keep the heights that the store asked for.
        let room = Anchors::MOST.saturating_sub(self.extra.len());
        if !self.extra.is_empty() && anchors.len() > room {
            anchors = anchors.iter().take(1).chain(anchors.iter().rev().take(1)).copied().collect();
        }
        self.extra.iter().for_each(|block| anchors.insert(*block));
        Some(ChainSighting { chain_id, anchors })
    }

    /// Accepts the chain as unchanged. The heights continue and the server has none of the known blocks, so nothing can
    /// decide. New blocks identify the chain from now on.
    fn give_up(&mut self) {
        if self.doubt.is_some() && !self.is_behind() && self.next_height().is_none() {
            (self.doubt, self.reported) = (None, None);
            (self.anchors, self.extra) = (Anchors::default(), Anchors::default());
            self.fresh.clear();
        }
    }

    fn verdict(&self) -> ChainVerdict {
        match self.next_height() {
            Some(height) => ChainVerdict::Unproven(height),
            None if self.is_behind() => ChainVerdict::Lagging,
            None => ChainVerdict::Same,
        }
    }

    /// Returns the next anchor to request: the lowest first, then those that the status has reached.
    fn next_height(&self) -> Option<Height> {
        let Doubt(tried) = self.doubt.as_ref()?;
        let lowest = self.anchors.lowest().map(|anchor| anchor.height).filter(|height| !tried.contains_key(height));
        let is_open = |height: &Height| self.is_reached(*height) && tried.get(height) != Some(&true);
        lowest.or_else(|| self.anchors.iter().map(|anchor| anchor.height).find(is_open))
    }

    fn is_reached(&self, height: Height) -> bool {
        self.claimed.is_some_and(|claimed| height <= claimed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn height(number: u64) -> Height {
        Height::new(number).unwrap()
    }

    fn block(number: u64, chain: u8) -> Anchor {
        Anchor { height: height(number), hash: BlockHash::new([chain; 32]), at: Timestamp::EPOCH }
    }

    /// Returns the identity of chain 1 at this height, with these blocks.
    fn known(tip: u64, blocks: &[u64]) -> ChainIdentity {
        let mut identity = ChainIdentity::default();
        for number in blocks {
            assert_eq!(identity.see_block(block(*number, 1), height(*number)), ChainVerdict::Same);
        }
        assert_eq!(identity.see_status("demo-1", height(tip)), ChainVerdict::Same);
        identity
    }

    #[test]
    fn heights_that_alternate_are_a_server_that_lags() {
        let mut identity = known(100, &[1, 100]);
        for _ in 0..3 {
            assert_eq!(identity.see_status("demo-1", height(98)), ChainVerdict::Unproven(height(1)));
            assert_eq!(identity.take_question(), Some(height(1)), "it is asked at once");
            assert_eq!(identity.see_block(block(1, 1), height(1)), ChainVerdict::Lagging);
            assert_eq!(identity.highest(), Some(height(100)));
            assert_eq!(identity.see_status("demo-1", height(98)), ChainVerdict::Lagging, "no drop, no question");
            assert_eq!(identity.take_question(), None);
            assert_eq!(identity.see_status("demo-1", height(100)), ChainVerdict::Same);
        }
    }

    #[test]
    fn another_hash_at_a_kept_height_proves_another_chain() {
        let mut identity = known(502, &[1, 400, 502]);
        assert_eq!(identity.see_status("demo-1", height(4)), ChainVerdict::Unproven(height(1)));
        // Other blocks of the new chain prove nothing, and the old chain does not get them.
        assert_eq!(identity.see_block(block(4, 2), height(4)), ChainVerdict::Unproven(height(1)));
        let (was, is) = (BlockHash::new([1; 32]), BlockHash::new([2; 32]));
        let another = ChainVerdict::Another(ChainDifference::Hash { height: height(1), was, is });
        assert_eq!(identity.see_block(block(1, 2), height(1)), another);
        assert_eq!(identity.see_block(block(400, 2), height(400)).clone(), {
            ChainVerdict::Another(ChainDifference::Hash { height: height(400), was, is })
        });
    }

    #[test]
    fn a_block_that_came_since_the_last_status_may_be_of_the_new_chain() {
        // The new chain's first block comes before the status with the lower height.
        let mut identity = known(502, &[403, 502]);
        identity.see_block(block(1, 2), height(1));
        assert_eq!(identity.see_status("demo-1", height(4)), ChainVerdict::Unproven(height(1)));
        assert_eq!(identity.see_block(block(1, 2), height(1)), ChainVerdict::Lagging, "its hash proves nothing");
        assert!(identity.is_undecidable());
        assert_eq!(identity.see_status("demo-1", height(403)), ChainVerdict::Unproven(height(403)));
        assert!(matches!(identity.see_block(block(403, 2), height(403)), ChainVerdict::Another(_)));
        // A block belongs to the old chain if its answer has a block that the new chain cannot have.
        let mut identity = known(100, &[]);
        identity.see_block(block(1, 1), height(100));
        assert_eq!(identity.see_status("demo-1", height(98)), ChainVerdict::Unproven(height(1)));
        assert_eq!(identity.see_block(block(1, 1), height(1)), ChainVerdict::Lagging);
        assert!(!identity.is_undecidable());
    }

    #[test]
    fn another_chain_id_proves_another_chain_at_any_height() {
        let mut identity = known(10, &[]);
        let difference = ChainDifference::ChainId { was: ChainId::new("demo-1"), is: ChainId::new("demo-2") };
        assert_eq!(identity.see_status("demo-2", height(11)), ChainVerdict::Another(difference));
    }

    #[test]
    fn a_height_that_the_server_does_not_have_proves_nothing_until_it_is_reached() {
        let mut identity = known(502, &[403, 502]);
        assert_eq!(identity.see_status("demo-1", height(4)), ChainVerdict::Unproven(height(403)));
        assert_eq!(identity.take_question(), Some(height(403)));
        assert_eq!(identity.miss_block(height(403)), ChainVerdict::Lagging);
        assert!(identity.is_undecidable());
        assert_eq!(identity.see_status("demo-1", height(402)), ChainVerdict::Lagging);
        assert_eq!(
            identity.see_status("demo-1", height(403)),
            ChainVerdict::Unproven(height(403)),
            "now it may be there"
        );
        assert_eq!(identity.take_question(), Some(height(403)));
        assert!(matches!(identity.see_block(block(403, 2), height(403)), ChainVerdict::Another(_)));
    }

    #[test]
    fn a_pruned_anchor_gives_way_to_the_next_one() {
        let mut identity = known(100, &[1, 50, 100]);
        assert_eq!(identity.see_status("demo-1", height(60)), ChainVerdict::Unproven(height(1)));
        assert_eq!(identity.miss_block(height(1)), ChainVerdict::Unproven(height(50)));
        assert_eq!(identity.take_question(), Some(height(50)));
        assert_eq!(identity.miss_block(height(50)), ChainVerdict::Lagging, "100 is not reached");
    }

    #[test]
    fn a_question_that_failed_waits_for_the_next_status() {
        let mut identity = known(100, &[1]);
        identity.see_status("demo-1", height(9));
        assert_eq!((identity.take_question(), identity.take_question()), (Some(height(1)), None));
        identity.see_status("demo-1", height(10));
        assert_eq!(identity.take_question(), Some(height(1)));
    }

    #[test]
    fn who_was_away_is_asked_for_the_lowest_block_also_at_a_greater_height() {
        let mut identity = known(100, &[1, 100]);
        identity.suspect();
        assert_eq!(identity.see_status("demo-1", height(5000)), ChainVerdict::Unproven(height(1)));
        assert_eq!(identity.see_block(block(1, 1), height(1)), ChainVerdict::Same);
        let mut unknown = known(100, &[]);
        unknown.suspect();
        assert_eq!(
            unknown.see_status("demo-1", height(101)),
            ChainVerdict::Same,
            "nothing is known that could be asked for"
        );
    }

    #[test]
    fn blocks_that_a_server_has_no_longer_give_way_to_new_ones() {
        let mut identity = known(100, &[1, 90]);
        identity.suspect();
        assert_eq!(identity.see_status("demo-1", height(5000)), ChainVerdict::Unproven(height(1)));
        assert_eq!(identity.miss_block(height(1)), ChainVerdict::Unproven(height(90)));
        assert_eq!(identity.miss_block(height(90)), ChainVerdict::Same, "nothing speaks against it");
        identity.see_block(block(5000, 1), height(5000));
        assert_eq!(identity.see_status("demo-1", height(4000)), ChainVerdict::Unproven(height(5000)));
    }

    #[test]
    fn the_store_is_told_of_a_lower_block_at_once_and_of_newer_ones_now_and_then() {
        let mut identity = known(100, &[50]);
        let now = Timestamp::EPOCH;
        let heights = |sighting: ChainSighting| sighting.anchors.iter().map(|of| of.height.get()).collect::<Vec<_>>();
        assert_eq!(identity.take_news(now).map(heights), Some(vec![50]));
        identity.see_block(block(60, 1), height(60));
        assert_eq!(identity.take_news(now.after(Duration::from_secs(5))), None);
        assert_eq!(identity.take_news(now.after(KEEP_EVERY)).map(heights), Some(vec![50, 60]));
        identity.see_block(block(7, 1), height(7));
        assert_eq!(identity.take_news(now.after(KEEP_EVERY)).map(heights), Some(vec![7, 50, 60]));
    }

    #[test]
    fn what_the_store_wants_to_compare_is_asked_for_and_told() {
        let mut identity = known(1000, &[]);
        (500..=900).for_each(|number| drop(identity.see_block(block(number, 1), height(number))));
        let reported = identity.take_news(Timestamp::EPOCH).unwrap();
        let wanted = (500..900).map(height).find(|height| reported.anchors.get(*height).is_none()).unwrap();
        identity.want(&[height(3), wanted, reported.anchors.lowest().unwrap().height]);
        assert_eq!((identity.take_question(), identity.miss_block(height(3))), (Some(height(3)), ChainVerdict::Same));
        assert_eq!(identity.take_question(), Some(wanted));
        identity.see_block(block(wanted.get(), 1), wanted);
        assert_eq!(identity.take_question(), None, "the third is known");
        let reported = identity.take_news(Timestamp::EPOCH).expect("news at once");
        assert!(reported.anchors.get(wanted).is_some(), "{reported:?}");
    }
}
