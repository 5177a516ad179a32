//! Random numbers of the ledger: splitmix64, implemented here so that no crate update changes the chain.

/// Deterministic stream of random numbers.
#[derive(Clone, Debug)]
pub(super) struct Rng(u64);

pub(super) fn mix(value: u64) -> u64 {
    let value = (value ^ (value >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let value = (value ^ (value >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    value ^ (value >> 31)
}

impl Rng {
    /// Creates the stream for a seed and a purpose. Streams are independent.
    pub(super) fn new(seed: u64, stream: u64) -> Self {
        Self(mix(seed ^ mix(stream.wrapping_add(0x9e37_79b9_7f4a_7c15))))
    }

    pub(super) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        mix(self.0)
    }

    /// Returns a number below `bound`; 0 if the bound is 0.
    pub(super) fn below(&mut self, bound: u64) -> u64 {
        let wide = u128::from(self.next()) * u128::from(bound);
        u64::try_from(wide >> 64).unwrap_or(0)
    }

    /// Returns a 32-bit number below `bound`.
    pub(super) fn index(&mut self, bound: u32) -> u32 {
        u32::try_from(self.below(u64::from(bound))).unwrap_or(0)
    }

    /// Returns a random index into a list of this length.
    pub(super) fn place(&mut self, length: usize) -> u8 {
        u8::try_from(self.below(length as u64)).unwrap_or(0)
    }

    /// Returns true with probability `part` / `whole`.
    pub(super) fn chance(&mut self, part: u64, whole: u64) -> bool {
        self.below(whole) < part
    }

    /// Returns a random index below `bound`. A cubic law favours small indices, as real chains have few busy accounts.
    pub(super) fn skewed(&mut self, bound: u32) -> u32 {
        let uniform = self.next() >> 32;
        let square = (uniform * uniform) >> 32;
        let cube = (square * uniform) >> 32;
        u32::try_from((cube * u64::from(bound)) >> 32).unwrap_or(0)
    }

    /// Returns a random item of a list; `None` if it is empty.
    pub(super) fn pick<'a, T>(&mut self, list: &'a [T]) -> Option<&'a T> {
        list.get(usize::try_from(self.below(list.len() as u64)).unwrap_or(0))
    }

    /// Returns a random part of `whole`, from 1/1000 to `most`/1000, with three significant digits.
    pub(super) fn share(&mut self, whole: u128, most: u64) -> u128 {
        let part = whole / 1000 * u128::from(1 + self.below(most.max(1)));
        let mut unit = 1u128;
        while part / unit >= 1000 {
            unit *= 10;
        }
        part / unit * unit
    }
}

#[cfg(test)]
mod tests {
    use super::Rng;

    #[test]
    fn streams_repeat_and_differ() {
        let take = |seed, stream| {
            let mut rng = Rng::new(seed, stream);
            [rng.next(), rng.next(), rng.next()]
        };
        assert_eq!(take(7, 1), take(7, 1));
        assert_ne!(take(7, 1), take(7, 2));
        assert_ne!(take(7, 1), take(8, 1));
    }

    #[test]
    fn skewed_prefers_small_indexes() {
        let mut rng = Rng::new(1, 1);
        let low = (0..1000).filter(|_| rng.skewed(1000) < 125).count();
        assert!(low > 450 && low < 550, "a half of the draws must fall in the first eighth, got {low}");
    }

    #[test]
    fn share_keeps_three_digits() {
        let mut rng = Rng::new(1, 2);
        for _ in 0..100 {
            let share = rng.share(123_456_789_000_000, 900);
            assert!(share > 0 && share < 123_456_789_000_000);
            assert!(share.to_string().trim_end_matches('0').len() <= 3);
        }
    }
}
