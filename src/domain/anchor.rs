//! Block hashes at stored heights. They distinguish chains that have one chain id.

use super::{BlockHash, ChainId, Height, Timestamp};

/// Block that identifies its chain.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Anchor {
    pub height: Height,
    /// Hash of the block, unique to the chain even if another chain has the chain id.
    pub hash: BlockHash,
    pub at: Timestamp,
}

/// A few blocks of one chain: the lowest and the newest seen, and some between.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Anchors(Vec<Anchor>);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kinship {
    Same,
    /// The two chains have different blocks at this height.
    Different(Height),
    /// The sets share no height, so they prove nothing.
    Unproven,
}

impl Anchors {
    /// Maximum number of blocks in a set.
    pub const MOST: usize = 12;

    /// Iterates in order of height.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &Anchor> {
        self.0.iter()
    }

    pub fn get(&self, height: Height) -> Option<&Anchor> {
        self.place(height).ok().and_then(|place| self.0.get(place))
    }

    /// Returns the lowest block. Sessions request its height first to identify a chain: most servers have it.
    pub fn lowest(&self) -> Option<&Anchor> {
        self.0.first()
    }

    pub fn newest(&self) -> Option<&Anchor> {
        self.0.last()
    }

    pub fn len(&self) -> usize {
        self.0.len()
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Adds a block, unless the set has a block at its height. Beyond [`Anchors::MOST`], drops the inner block with the
    /// closest neighbours, so that the rest stays spread.
    pub fn insert(&mut self, anchor: Anchor) {
        let Err(place) = self.place(anchor.height) else { return };
        self.0.insert(place, anchor);
        if self.0.len() > Self::MOST {
            let gaps =
                self.0.iter().zip(self.0.iter().skip(2)).map(|(below, above)| above.height.get() - below.height.get());
            if let Some((closest, _)) = gaps.enumerate().min_by_key(|(_, gap)| *gap) {
                self.0.remove(closest + 1);
            }
        }
    }

    /// Compares all common heights. One different block proves different chains, even if other blocks are equal.
    pub fn compare(&self, other: &Self) -> Kinship {
        let mut kinship = Kinship::Unproven;
        for anchor in &self.0 {
            match other.get(anchor.height) {
                Some(known) if known.hash != anchor.hash => return Kinship::Different(anchor.height),
                Some(_) => kinship = Kinship::Same,
                None => {}
            }
        }
        kinship
    }

    fn place(&self, height: Height) -> Result<usize, usize> {
        self.0.binary_search_by_key(&height, |anchor| anchor.height)
    }
}

impl FromIterator<Anchor> for Anchors {
    fn from_iter<I: IntoIterator<Item = Anchor>>(anchors: I) -> Self {
        let mut all = Self::default();
        anchors.into_iter().for_each(|anchor| all.insert(anchor));
        all
    }
}

/// Chain as seen at a server. Stored state belongs to the chain, not to the server's address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChainSighting {
    /// Chain id; several chains may have it.
    pub chain_id: ChainId,
    pub anchors: Anchors,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn anchor(height: u64, chain: u8) -> Anchor {
        let mut hash = [chain; 32];
        hash[..8].copy_from_slice(&height.to_be_bytes());
        Anchor { height: Height::new(height).unwrap(), hash: BlockHash::new(hash), at: Timestamp::EPOCH }
    }

    fn anchors(chain: u8, heights: impl IntoIterator<Item = u64>) -> Anchors {
        heights.into_iter().map(|height| anchor(height, chain)).collect()
    }

    fn heights(anchors: &Anchors) -> Vec<u64> {
        anchors.iter().map(|anchor| anchor.height.get()).collect()
    }

    #[test]
    fn the_lowest_the_newest_and_a_spread_are_kept() {
        let kept = anchors(1, 1..=1000);
        assert_eq!((kept.len(), kept.lowest().unwrap().height), (Anchors::MOST, Height::FIRST));
        assert_eq!(kept.newest().unwrap().height.get(), 1000);
        let heights = heights(&kept);
        let widest = heights.windows(2).map(|pair| pair[1] - pair[0]).max().unwrap();
        assert!(widest <= 400, "no hole: {heights:?}");
        // From the top down: a node that fills its history returns blocks in this order.
        let kept = anchors(1, (1..=1000).rev());
        assert_eq!((kept.lowest().unwrap().height.get(), kept.newest().unwrap().height.get()), (1, 1000));
    }

    #[test]
    fn a_block_that_is_kept_is_not_replaced() {
        let mut kept = anchors(1, [5]);
        kept.insert(anchor(5, 2));
        assert_eq!(kept, anchors(1, [5]));
    }

    #[test]
    fn one_difference_is_proof_and_no_common_height_is_none() {
        assert_eq!(anchors(1, [1, 5]).compare(&anchors(1, [5, 9])), Kinship::Same);
        assert_eq!(anchors(1, [1, 5]).compare(&anchors(2, [5, 9])), Kinship::Different(Height::new(5).unwrap()));
        assert_eq!(anchors(1, [1, 5]).compare(&anchors(2, [2, 9])), Kinship::Unproven);
        let mut forked = anchors(1, [1]);
        forked.insert(anchor(5, 2));
        assert_eq!(forked.compare(&anchors(1, [1, 5])), Kinship::Different(Height::new(5).unwrap()));
    }
}
