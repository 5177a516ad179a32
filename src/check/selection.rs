use std::collections::BTreeSet;

use crate::domain::Height;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BlockSelection {
    /// The newest blocks that both sides have.
    Newest(u64),
    /// All blocks above a block.
    Above(Height),
    /// Inclusive range; an open end means the last block that both sides have.
    Range {
        from: Option<Height>,
        to: Option<Height>,
    },
    Sample {
        count: u64,
        seed: u64,
        from: Option<Height>,
        to: Option<Height>,
    },
}

/// Reason why no blocks can be selected.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SelectionError {
    #[error("node and indexer share no block")]
    Nothing,
    #[error("block {asked} is below block {lowest}, the lowest common block")]
    TooLow { asked: Height, lowest: Height },
    #[error("block {asked} is above block {highest}, the highest common block")]
    TooHigh { asked: Height, highest: Height },
    #[error("--from is above --to")]
    Backwards,
}

impl BlockSelection {
    /// Returns ascending heights; both sides have the blocks from `lowest` to `highest`.
    pub fn heights(self, lowest: Height, highest: Height) -> Result<Vec<Height>, SelectionError> {
        if lowest > highest {
            return Err(SelectionError::Nothing);
        }
        let all = |from: Height, to: Height| (from.get()..=to.get()).filter_map(Height::new);
        match self {
            Self::Newest(count) => Ok(all(lowest.max(highest.back(count.saturating_sub(1))), highest).collect()),
            Self::Above(last) => Ok(all(lowest.max(last.next()), highest).collect()),
            Self::Range { from, to } => {
                let (from, to) = range(from, to, lowest, highest)?;
                Ok(all(from, to).collect())
            }
            Self::Sample { count, seed, from, to } => {
                let (from, to) = range(from, to, lowest, highest)?;
                let blocks = to.get() - from.get() + 1;
                if count >= blocks {
                    return Ok(all(from, to).collect());
                }
                // Floyd's algorithm draws a uniform sample without a list of all blocks.
                let (mut chosen, mut state) = (BTreeSet::new(), seed);
                for last in blocks - count..blocks {
                    let place = below(&mut state, last + 1);
                    let is_new = chosen.insert(place);
                    if !is_new {
                        chosen.insert(last);
                    }
                }
                Ok(chosen.into_iter().filter_map(|place| Height::new(from.get() + place)).collect())
            }
        }
    }
}

fn range(
    from: Option<Height>,
    to: Option<Height>,
    lowest: Height,
    highest: Height,
) -> Result<(Height, Height), SelectionError> {
    let (from, to) = (from.unwrap_or(lowest), to.unwrap_or(highest));
    for asked in [from, to] {
        if asked < lowest {
            return Err(SelectionError::TooLow { asked, lowest });
        }
        if asked > highest {
            return Err(SelectionError::TooHigh { asked, highest });
        }
    }
    if from > to { Err(SelectionError::Backwards) } else { Ok((from, to)) }
}

/// Returns the next random number below a bound, by splitmix64.
fn below(state: &mut u64, bound: u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mixed = (*state ^ (*state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    let wide = u128::from(mixed ^ (mixed >> 31)) * u128::from(bound);
    u64::try_from(wide >> 64).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn height(height: u64) -> Height {
        Height::new(height).unwrap()
    }

    fn heights(selection: BlockSelection) -> Result<Vec<u64>, SelectionError> {
        Ok(selection.heights(height(5), height(20))?.into_iter().map(Height::get).collect())
    }

    #[test]
    fn only_what_both_have_is_chosen() {
        assert_eq!(heights(BlockSelection::Newest(3)), Ok(vec![18, 19, 20]));
        assert_eq!(heights(BlockSelection::Newest(100)).map(|all| all.len()), Ok(16));
        assert_eq!(heights(BlockSelection::Above(height(18))), Ok(vec![19, 20]));
        assert_eq!(heights(BlockSelection::Above(height(2))).map(|all| all.len()), Ok(16));
        assert_eq!(heights(BlockSelection::Above(height(20))), Ok(vec![]));
        let range = |from, to| BlockSelection::Range { from: Some(height(from)), to: Some(height(to)) };
        assert_eq!(heights(range(7, 9)), Ok(vec![7, 8, 9]));
        assert_eq!(heights(range(4, 9)), Err(SelectionError::TooLow { asked: height(4), lowest: height(5) }));
        assert_eq!(heights(range(7, 21)), Err(SelectionError::TooHigh { asked: height(21), highest: height(20) }));
        assert_eq!(heights(range(9, 7)), Err(SelectionError::Backwards));
        assert_eq!(BlockSelection::Newest(1).heights(height(9), height(8)), Err(SelectionError::Nothing));
    }

    #[test]
    fn a_seed_chooses_the_same_blocks_each_once() {
        let sample = |seed| heights(BlockSelection::Sample { count: 6, seed, from: None, to: None }).unwrap();
        let chosen = sample(1);
        assert_eq!((chosen.len(), chosen.is_sorted()), (6, true));
        assert!(chosen.windows(2).all(|pair| pair[0] < pair[1]) && chosen.iter().all(|one| (5..=20).contains(one)));
        assert_eq!(sample(1), chosen);
        assert!((2..9).any(|seed| sample(seed) != chosen));
        assert_eq!(heights(BlockSelection::Sample { count: 99, seed: 1, from: None, to: None }).unwrap().len(), 16);
    }
}
