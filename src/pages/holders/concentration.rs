//! Concentration of a token among its holders, in constant memory.

#[cfg(test)]
mod tests;

use alloy_primitives::{U256, U512};

use crate::domain::{Amount, Balance};

/// Decimal digits of the largest 256-bit amount.
const DIGITS: usize = 78;
/// Maximum points of the Lorenz curve. Beyond it the curve drops every second point.
const CHECKPOINTS: usize = 256;
/// Group sizes whose share the page shows: the largest 1, 10 and 100 holders.
pub(crate) const TOPS: [u64; 3] = [1, 10, 100];

/// Ratio in millionths, rounded; for display only.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Ratio(u64);

impl Ratio {
    pub(crate) const ONE: Self = Self(1_000_000);

    /// Computes a ratio; `None` if the denominator is zero. Both arguments must be below 2^480.
    fn of(numerator: U512, denominator: U512) -> Option<Self> {
        if denominator.is_zero() {
            return None;
        }
        let two = U512::from(2);
        let millionths = (numerator * U512::from(2_000_000) + denominator) / (denominator * two);
        Some(Self(u64::try_from(millionths).unwrap_or(u64::MAX)))
    }

    /// Returns how many of `steps` the ratio fills, rounded. Only zero gives 0.
    pub(crate) fn steps(self, steps: usize) -> usize {
        let whole = u128::from(Self::ONE.0);
        let filled = (u128::from(self.0) * steps as u128 + whole / 2) / whole;
        usize::try_from(filled).unwrap_or(steps).clamp(usize::from(self.0 > 0), steps)
    }

    /// Formats `12.34 %`, or `< 0.01 %` for a smaller non-zero ratio.
    pub(crate) fn percent(self) -> String {
        let hundredths = (self.0 + 50) / 100;
        match (self.0, hundredths) {
            (1.., 0) => "< 0.01 %".to_owned(),
            _ => format!("{}.{:02} %", hundredths / 100, hundredths % 100),
        }
    }

    /// Formats four decimals: `0.8123`.
    pub(crate) fn decimal(self) -> String {
        let tenths = (self.0 + 50) / 100;
        format!("{}.{:04}", tenths / 10_000, tenths % 10_000)
    }
}

/// Holders whose amounts have equal numbers of digits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Bucket {
    count: u64,
    sum: U512,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct HistogramBar {
    /// Decimal digits of the amounts in the smallest unit: 3 for 100 to 999.
    pub(crate) digits: usize,
    pub(crate) count: u64,
    pub(crate) share: Ratio,
}

/// Running sums over holders in list order, largest first.
///
/// Shares, Gini and Lorenz curve cover positive balances; zero and negative balances have their own counts. Sums are
/// exact: 2^64 amounts of 256 bits, each times its rank, stay below 2^384.
#[derive(Clone, Debug)]
pub(crate) struct Concentration {
    zeros: u64,
    negatives: u64,
    positives: u64,
    sum: U512,
    /// Sum of each amount times its rank.
    weighted: U512,
    tops: [U512; TOPS.len()],
    buckets: Box<[Bucket; DIGITS]>,
    /// Cumulative sums of the largest 0, `stride`, 2 × `stride`… holders.
    checkpoints: Vec<U512>,
    stride: u64,
    largest: Amount,
    last: Option<Balance>,
    is_ordered: bool,
    widest: usize,
    fewest_zeros: Option<usize>,
}

impl Default for Concentration {
    fn default() -> Self {
        Self {
            zeros: 0,
            negatives: 0,
            positives: 0,
            sum: U512::ZERO,
            weighted: U512::ZERO,
            tops: [U512::ZERO; TOPS.len()],
            buckets: Box::new([Bucket::default(); DIGITS]),
            checkpoints: vec![U512::ZERO],
            stride: 1,
            largest: Amount::ZERO,
            last: None,
            is_ordered: true,
            widest: 1,
            fewest_zeros: None,
        }
    }
}

impl Concentration {
    /// Adds the holder that follows in the list.
    pub(crate) fn add(&mut self, balance: Balance) {
        self.is_ordered &= self.last.is_none_or(|last| last >= balance);
        self.last = Some(balance);
        let text = balance.magnitude().to_string();
        self.widest = self.widest.max(text.len());
        match balance.amount() {
            None => self.negatives += 1,
            Some(amount) if amount.is_zero() => return self.zeros += 1,
            Some(amount) => self.add_amount(amount, text.len()),
        }
        let zeros = text.len() - text.trim_end_matches('0').len();
        self.fewest_zeros = Some(self.fewest_zeros.map_or(zeros, |fewest| fewest.min(zeros)));
    }

    fn add_amount(&mut self, amount: Amount, digits: usize) {
        let wide = widen(amount.get());
        self.positives += 1;
        self.sum += wide;
        self.weighted += wide * U512::from(self.positives);
        self.largest = self.largest.max(amount);
        for (top, sum) in TOPS.iter().zip(&mut self.tops) {
            if self.positives <= *top {
                *sum += wide;
            }
        }
        if let Some(bucket) = self.buckets.get_mut(digits - 1) {
            bucket.count += 1;
            bucket.sum += wide;
        }
        if self.positives.is_multiple_of(self.stride) {
            self.checkpoints.push(self.sum);
        }
        if self.checkpoints.len() > CHECKPOINTS {
            let mut place = 0;
            self.checkpoints.retain(|_| {
                place += 1;
                place % 2 == 1
            });
            self.stride *= 2;
        }
    }

    /// Returns the number of holders with any balance: positive, zero or negative.
    pub(crate) fn counted(&self) -> u64 {
        self.positives + self.zeros + self.negatives
    }

    pub(crate) fn positives(&self) -> u64 {
        self.positives
    }

    pub(crate) fn zeros(&self) -> u64 {
        self.zeros
    }

    pub(crate) fn negatives(&self) -> u64 {
        self.negatives
    }

    /// Returns the sum of positive amounts in the smallest unit, as decimal digits, since it may exceed 256 bits.
    pub(crate) fn sum_digits(&self) -> String {
        self.sum.to_string()
    }

    /// Whether the amounts came in descending order. Only then is the Gini coefficient exact.
    pub(crate) fn is_ordered(&self) -> bool {
        self.is_ordered
    }

    /// Returns the number of decimal digits of the longest amount.
    pub(crate) fn widest(&self) -> usize {
        self.widest
    }

    /// Returns the maximum number of fraction digits of an amount in display units.
    pub(crate) fn fraction_digits(&self, decimals: u8) -> usize {
        self.fewest_zeros.map_or(0, |zeros| usize::from(decimals).saturating_sub(zeros))
    }

    /// Returns an amount's share of the sum; `None` for a negative amount or a zero sum.
    pub(crate) fn share(&self, balance: Balance) -> Option<Ratio> {
        Ratio::of(widen(balance.amount()?.get()), self.sum)
    }

    /// Returns an amount as a ratio of the largest; zero for a negative amount.
    pub(crate) fn height(&self, balance: Balance) -> Ratio {
        let amount = balance.amount().unwrap_or_default();
        Ratio::of(widen(amount.get()), widen(self.largest.get())).unwrap_or_default().min(Ratio::ONE)
    }

    /// Returns the shares of the groups in [`TOPS`].
    pub(crate) fn tops(&self) -> impl Iterator<Item = (u64, Option<Ratio>)> {
        TOPS.into_iter().zip(self.tops.iter().map(|top| Ratio::of(*top, self.sum)))
    }

    /// Returns the Gini coefficient: 0 if all balances are equal, near 1 if one holder has everything.
    pub(crate) fn gini(&self) -> Option<Ratio> {
        let count = U512::from(self.positives);
        let all = (count + U512::ONE) * self.sum;
        Ratio::of(all.saturating_sub(self.weighted * U512::from(2)), count * self.sum)
    }

    /// Returns `steps` + 1 points of the Lorenz curve: the cumulative share of the poorest 0, 1, … of `steps` parts.
    pub(crate) fn lorenz(&self, steps: u64) -> Vec<Ratio> {
        let point = |step: u64| {
            let richest = self.held_by(u128::from(self.positives) * u128::from(steps - step), steps);
            Ratio::of(self.sum - richest, self.sum).unwrap_or_default()
        };
        if steps == 0 || self.sum.is_zero() { Vec::new() } else { (0..=steps).map(point).collect() }
    }

    /// Returns the sum of the largest `part` / `parts` of the holders, interpolated between checkpoints.
    fn held_by(&self, part: u128, parts: u64) -> U512 {
        let (parts, stride) = (u128::from(parts), u128::from(self.stride));
        let before = usize::try_from(part / (parts * stride))
            .unwrap_or(usize::MAX)
            .min(self.checkpoints.len().saturating_sub(1));
        let base = self.checkpoints.get(before).copied().unwrap_or_default();
        let start = before as u128 * stride;
        let (end, next) = match self.checkpoints.get(before + 1) {
            Some(next) => (start + stride, *next),
            None => (u128::from(self.positives), self.sum),
        };
        let beyond = part.saturating_sub(start * parts);
        if end <= start { base } else { base + (next - base) * U512::from(beyond) / U512::from((end - start) * parts) }
    }

    /// Returns the histogram by powers of ten, largest first, including empty bars between; empty without positive
    /// balances.
    pub(crate) fn histogram(&self) -> Vec<HistogramBar> {
        let first = self.buckets.iter().position(|bucket| bucket.count > 0);
        let last = self.buckets.iter().rposition(|bucket| bucket.count > 0);
        let (Some(first), Some(last)) = (first, last) else { return Vec::new() };
        let bars = self.buckets.iter().enumerate().take(last + 1).skip(first);
        bars.rev()
            .map(|(place, bucket)| HistogramBar {
                digits: place + 1,
                count: bucket.count,
                share: Ratio::of(bucket.sum, self.sum).unwrap_or_default(),
            })
            .collect()
    }
}

fn widen(amount: U256) -> U512 {
    U512::from(amount)
}
