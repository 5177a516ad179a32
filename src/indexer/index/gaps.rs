//! Gaps between the stored blocks: blocks that the node had pruned before they were read.

use crate::indexer::index::dialect::Connection;

use super::{IndexError, meta};
use crate::{domain::Height, wire::BlockGap};

const GAPS: &str = "gaps";

/// Gaps of an index, ascending, between its oldest and its newest block.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BlockGaps(pub(super) Vec<BlockGap>);

impl BlockGaps {
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &BlockGap> {
        self.0.iter()
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the number of missing blocks.
    pub fn blocks(&self) -> u64 {
        self.0.iter().map(|gap| gap.to.get() + 1 - gap.from.get()).sum()
    }

    /// Returns the gap with this block.
    pub fn of(&self, height: Height) -> Option<&BlockGap> {
        self.0.iter().find(|gap| gap.from <= height && height <= gap.to)
    }

    /// Returns the first block from this one on that is in no gap.
    pub fn at_or_above(&self, height: Height) -> Height {
        self.of(height).map_or(height, |gap| gap.to.next())
    }

    /// Returns the last block up to this one that is in no gap.
    pub fn at_or_below(&self, height: Height) -> Height {
        self.of(height).and_then(|gap| gap.from.previous()).unwrap_or(height)
    }

    /// Returns the last block above this one, up to `to`, before a gap.
    pub fn end_of_range(&self, height: Height, to: Height) -> Height {
        let next = self.0.iter().find(|gap| gap.from > height);
        next.and_then(|gap| gap.from.previous()).map_or(to, |end| end.min(to))
    }

    /// Returns the first block below this one, down to `from`, after a gap.
    pub fn start_of_range(&self, height: Height, from: Height) -> Height {
        let last = self.0.iter().rev().find(|gap| gap.to < height);
        last.map_or(from, |gap| gap.to.next().max(from))
    }
}

pub(super) fn load(connection: &Connection) -> Result<BlockGaps, IndexError> {
    let Some(json) = meta::load(connection, GAPS)? else { return Ok(BlockGaps::default()) };
    serde_json::from_slice(&json).map(BlockGaps).map_err(|_| IndexError::Body)
}

pub(super) fn save(connection: &Connection, gaps: &[BlockGap]) -> Result<(), IndexError> {
    meta::save(connection, GAPS, &serde_json::to_vec(gaps).map_err(|_| IndexError::Body)?)
}

/// Drops the gaps above a block, which the index then ends with; returns the highest stored block up to it.
pub(super) fn undo(connection: &Connection, height: Height) -> Result<Height, IndexError> {
    let gaps = load(connection)?;
    let end = gaps.at_or_below(height);
    let kept: Vec<BlockGap> = gaps.0.into_iter().filter(|gap| gap.to < end).collect();
    save(connection, &kept)?;
    Ok(end)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_end_at_gaps() {
        let at = |height| Height::new(height).unwrap();
        let gap = |from, to| BlockGap { from: at(from), to: at(to) };
        let gaps = BlockGaps(vec![gap(11, 20), gap(31, 31)]);
        assert_eq!(gaps.blocks(), 11);
        for (height, above, below) in [(10, 10, 10), (11, 21, 10), (20, 21, 10), (21, 21, 21), (31, 32, 30)] {
            assert_eq!(
                (gaps.at_or_above(at(height)), gaps.at_or_below(at(height))),
                (at(above), at(below)),
                "{height}"
            );
        }
        for (height, end, start) in [(5, 10, 3), (10, 10, 3), (21, 30, 21), (25, 30, 21), (32, 40, 32), (40, 40, 32)] {
            let range = (gaps.end_of_range(at(height), at(40)), gaps.start_of_range(at(height), at(3)));
            assert_eq!(range, (at(end), at(start)), "{height}");
        }
    }
}
