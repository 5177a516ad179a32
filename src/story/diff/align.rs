//! Alignment of two lists.

use std::cell::Cell;

/// Maximum comparisons for all lists of a difference.
const MOST_COMPARED: usize = 4_000_000;

/// Aligned indices: left, right or both.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Pair {
    /// Item in both lists, by index; the two values may differ.
    Both(usize, usize),
    /// Item only in the left list, by index.
    Left(usize),
    /// Item only in the right list, by index.
    Right(usize),
}

/// Remaining comparisons.
#[derive(Debug)]
pub(super) struct Budget(Cell<usize>);

impl Default for Budget {
    fn default() -> Self {
        Self(Cell::new(MOST_COMPARED))
    }
}

impl Budget {
    fn takes(&self, cost: usize) -> bool {
        let left = self.0.get().checked_sub(cost);
        left.inspect(|left| self.0.set(*left)).is_some()
    }
}

/// Aligns two lists by equal items first, then by similar items in between.
///
/// `same` returns a key that is equal for equal items, `alike` a key that is equal for comparable items.
pub(super) fn align<T, S: Ord, A: Ord>(
    left: &[T],
    right: &[T],
    budget: &Budget,
    same: impl Fn(&T) -> S,
    alike: impl Fn(&T) -> A,
) -> Vec<Pair> {
    let keys = |items: &[T]| items.iter().map(&same).collect::<Vec<_>>();
    let kinds = |items: &[T]| items.iter().map(&alike).collect::<Vec<_>>();
    let (left_kinds, right_kinds) = (kinds(left), kinds(right));
    let mut pairs = Vec::with_capacity(left.len().max(right.len()));
    let (mut i, mut j) = (0, 0);
    let matched = matches(&keys(left), &keys(right), budget);
    for (next_i, next_j) in matched.into_iter().chain([(left.len(), right.len())]) {
        let (gap_left, gap_right) = (left_kinds.get(i..next_i), right_kinds.get(j..next_j));
        push_gap(
            &mut pairs,
            GapStart { left: i, right: j },
            gap_left.unwrap_or_default(),
            gap_right.unwrap_or_default(),
            budget,
        );
        if next_i < left.len() && next_j < right.len() {
            pairs.push(Pair::Both(next_i, next_j));
        }
        (i, j) = (next_i + 1, next_j + 1);
    }
    pairs
}

#[derive(Clone, Copy)]
struct GapStart {
    left: usize,
    right: usize,
}

/// Aligns the items between two equal items.
fn push_gap<K: Ord>(pairs: &mut Vec<Pair>, start: GapStart, left: &[K], right: &[K], budget: &Budget) {
    let (mut from_left, mut from_right) = (0, 0);
    let matched = matches(left, right, budget);
    for (next_left, next_right) in matched.into_iter().chain([(left.len(), right.len())]) {
        pairs.extend((from_left..next_left).map(|place| Pair::Left(start.left + place)));
        pairs.extend((from_right..next_right).map(|place| Pair::Right(start.right + place)));
        if next_left < left.len() && next_right < right.len() {
            pairs.push(Pair::Both(start.left + next_left, start.right + next_right));
        }
        (from_left, from_right) = (next_left + 1, next_right + 1);
    }
}

/// Returns the indices of a longest common subsequence, in order; an approximation for long lists. Symmetric: ties are
/// broken by the items, not by the side.
fn matches<K: Ord>(left: &[K], right: &[K], budget: &Budget) -> Vec<(usize, usize)> {
    if left > right {
        let mut mirrored = matches(right, left, budget);
        for (one, other) in &mut mirrored {
            std::mem::swap(one, other);
        }
        return mirrored;
    }
    let ahead = left.iter().zip(right).take_while(|(one, other)| one == other).count();
    let (left_rest, right_rest) = (left.get(ahead..).unwrap_or_default(), right.get(ahead..).unwrap_or_default());
    let behind = left_rest.iter().rev().zip(right_rest.iter().rev()).take_while(|(one, other)| one == other).count();
    let inner = |list: &[K]| ahead..list.len() - behind;
    let (left_inner, right_inner) =
        (left.get(inner(left)).unwrap_or_default(), right.get(inner(right)).unwrap_or_default());
    let mut result: Vec<(usize, usize)> = (0..ahead).map(|place| (place, place)).collect();
    let middle = if budget.takes(left_inner.len().saturating_mul(right_inner.len())) {
        longest(left_inner, right_inner)
    } else {
        near(left_inner, right_inner)
    };
    result.extend(middle.into_iter().map(|(i, j)| (ahead + i, ahead + j)));
    result.extend((0..behind).rev().map(|back| (left.len() - 1 - back, right.len() - 1 - back)));
    result
}

fn longest<K: Ord>(left: &[K], right: &[K]) -> Vec<(usize, usize)> {
    let width = right.len() + 1;
    let mut lengths = vec![0_u32; (left.len() + 1) * width];
    let at = |lengths: &[u32], i: usize, j: usize| lengths.get(i * width + j).copied().unwrap_or(0);
    for (i, one) in left.iter().enumerate().rev() {
        for (j, other) in right.iter().enumerate().rev() {
            let length = if one == other {
                at(&lengths, i + 1, j + 1) + 1
            } else {
                at(&lengths, i + 1, j).max(at(&lengths, i, j + 1))
            };
            if let Some(cell) = lengths.get_mut(i * width + j) {
                *cell = length;
            }
        }
    }
    let (mut i, mut j) = (0, 0);
    let mut result = Vec::new();
    while let (Some(one), Some(other)) = (left.get(i), right.get(j)) {
        if one == other {
            result.push((i, j));
            (i, j) = (i + 1, j + 1);
        } else if at(&lengths, i + 1, j) >= at(&lengths, i, j + 1) {
            i += 1;
        } else {
            j += 1;
        }
    }
    result
}

/// Matches items near their expected position, for lists too long for a full comparison.
fn near<K: Ord>(left: &[K], right: &[K]) -> Vec<(usize, usize)> {
    const WINDOW: usize = 32;
    let mut next = 0;
    let mut result = Vec::new();
    for (i, one) in left.iter().enumerate() {
        let found = right.iter().enumerate().skip(next).take(WINDOW).find(|(_, other)| *other == one);
        if let Some((j, _)) = found {
            result.push((i, j));
            next = j + 1;
        }
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    fn letters(left: &str, right: &str) -> Vec<Pair> {
        let (left, right): (Vec<char>, Vec<char>) = (left.chars().collect(), right.chars().collect());
        align(&left, &right, &Budget::default(), |letter| *letter, char::to_ascii_lowercase)
    }

    #[test]
    fn equal_items_come_first_and_alike_ones_between_them() {
        use Pair::{Both, Left, Right};
        assert_eq!(letters("abc", "abc"), [Both(0, 0), Both(1, 1), Both(2, 2)]);
        assert_eq!(letters("abc", "xabc"), [Right(0), Both(0, 1), Both(1, 2), Both(2, 3)]);
        assert_eq!(letters("aBc", "abc"), [Both(0, 0), Both(1, 1), Both(2, 2)], "alike");
        assert_eq!(letters("ab", ""), [Left(0), Left(1)]);
        assert_eq!(letters("axc", "ayc"), [Both(0, 0), Left(1), Right(1), Both(2, 2)]);
    }

    #[test]
    fn lists_too_long_to_compare_wholly_are_still_aligned() {
        let left: Vec<usize> = (0..5000).collect();
        let right: Vec<usize> = (1..5002).filter(|number| number % 100 != 0).collect();
        let pairs = align(&left, &right, &Budget::default(), |number| *number, |number| *number);
        let both = pairs.iter().filter(|pair| matches!(pair, Pair::Both(..))).count();
        assert!(both > 4900, "{both}");
    }
}
