//! What tells one chain from another of the same chain id: hashes of blocks at kept heights.

use super::{BlockHash, ChainId, Height, Timestamp};

/// A block by which a chain is known again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Anchor {
    /// Where it is.
    pub height: Height,
    /// Differs between any two chains, whatever their ids.
    pub hash: BlockHash,
    /// The block's own time.
    pub at: Timestamp,
}

/// A few blocks of one chain: the lowest and the newest that were seen, and some between them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Anchors(Vec<Anchor>);

/// What two sets of anchors say of their chains.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kinship {
    /// They have a block in common.
    Same,
    /// At this height they have different blocks.
    Different(Height),
    /// They have no height in common: nothing is proven.
    Unproven,
}

impl Anchors {
    /// Blocks kept of a chain at the most.
    pub const MOST: usize = 12;

    /// In order of height.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &Anchor> {
        self.0.iter()
    }

    /// The block kept at this height.
    pub fn get(&self, height: Height) -> Option<&Anchor> {
        self.place(height).ok().and_then(|place| self.0.get(place))
    }

    /// The one that is asked for to prove a chain: the longer a block lies back, the more chains have one there.
    pub fn lowest(&self) -> Option<&Anchor> {
        self.0.first()
    }

    /// The highest one.
    pub fn newest(&self) -> Option<&Anchor> {
        self.0.last()
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether nothing of the chain is known.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Keeps a block where none is kept at its height; beyond [`Anchors::MOST`] the one between two others that lie
    /// closest goes, so that the kept ones stay spread.
    pub fn insert(&mut self, anchor: Anchor) {
        let Err(place) = self.place(anchor.height) else { return };
        self.0.insert(place, anchor);
        if self.0.len() > Self::MOST {
            let gaps = self.0.windows(3).map(|of| of[2].height.get() - of[0].height.get());
            if let Some((closest, _)) = gaps.enumerate().min_by_key(|(_, gap)| *gap) {
                self.0.remove(closest + 1);
            }
        }
    }

    /// Compares by all heights that both have. One difference is proof, whatever else is equal.
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

/// A chain as it was seen at a server: what is kept of it goes by this, not by the server's address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChainSighting {
    /// Its id; several chains may have the same.
    pub chain_id: ChainId,
    /// Blocks of it.
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
        // From the top down, as a node that fills its history gives them.
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
