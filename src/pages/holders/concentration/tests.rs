//! Compares the concentration with brute force, for amounts of any size.

use alloy_primitives::U256;
use proptest::{
    collection::vec,
    prelude::{Just, ProptestConfig, Strategy, any, prop_oneof},
    proptest,
};

use crate::{
    domain::{Amount, Balance},
    pages::holders::concentration::{Concentration, Ratio},
};

fn amounts() -> impl Strategy<Value = Balance> {
    let huge = U256::from(1) << 255;
    prop_oneof![
        1 => Just(Balance::default()),
        1 => any::<u64>().prop_map(|below| Balance::below_zero(Amount::from(u128::from(below)))),
        6 => any::<(u128, u8)>().prop_map(|(bits, shift)| Balance::from(Amount::from(bits >> (shift % 128)))),
        1 => any::<u64>().prop_map(move |over| Balance::from(Amount::new(huge + U256::from(over)))),
    ]
}

fn counted(balances: &[Balance]) -> Concentration {
    let mut concentration = Concentration::default();
    for balance in balances {
        concentration.add(*balance);
    }
    concentration
}

/// Returns positive amounts as fractions of the largest. Floats are exact enough for ratios.
fn parts(balances: &[Balance]) -> Vec<f64> {
    let amounts = balances.iter().filter_map(|balance| balance.amount()).filter(|amount| !amount.is_zero());
    amounts.map(|amount| f64::from(amount.get())).collect()
}

fn millionths(ratio: Ratio) -> u32 {
    u32::try_from(ratio.steps(1_000_000)).expect("a part of a million")
}

fn assert_near(ratio: Option<Ratio>, expected: f64, what: &str) {
    let ratio = ratio.expect(what);
    let value = f64::from(millionths(ratio)) / 1e6;
    assert!((value - expected).abs() < 2e-6, "{what}: {value} instead of {expected}");
}

#[expect(clippy::cast_precision_loss, reason = "a few hundred holders")]
fn check(balances: &mut [Balance]) {
    balances.sort_unstable_by(|a, b| b.cmp(a));
    let concentration = counted(balances);
    let parts = parts(balances);
    let sum: f64 = parts.iter().sum();
    let at = |balance: &&Balance| balance.amount().is_some_and(Amount::is_zero);
    assert_eq!(concentration.counted(), balances.len() as u64);
    assert_eq!(concentration.positives(), parts.len() as u64);
    assert_eq!(concentration.zeros(), balances.iter().filter(at).count() as u64);
    assert_eq!(concentration.negatives(), balances.iter().filter(|balance| balance.is_negative()).count() as u64);
    assert!(concentration.is_ordered());
    if parts.is_empty() {
        assert!(concentration.gini().is_none() && concentration.lorenz(8).is_empty());
        return;
    }
    // Gini is the mean difference of all pairs over twice the mean.
    let differences: f64 = parts.iter().flat_map(|a| parts.iter().map(move |b| (a - b).abs())).sum();
    assert_near(concentration.gini(), differences / (2.0 * parts.len() as f64 * sum), "Gini");
    for (count, share) in concentration.tops() {
        let held: f64 = parts.iter().take(usize::try_from(count).expect("a hundred at most")).sum();
        assert_near(share, held / sum, "top");
    }
    let steps = parts.len() as u64;
    for (step, point) in concentration.lorenz(steps).into_iter().enumerate() {
        let held: f64 = parts.iter().rev().take(step).sum();
        assert_near(Some(point), held / sum, "Lorenz");
    }
    let histogram = concentration.histogram();
    assert_eq!(histogram.iter().map(|bar| bar.count).sum::<u64>(), parts.len() as u64);
    for bar in histogram {
        let is_in = |balance: &&Balance| {
            balance.amount().is_some_and(|amount| !amount.is_zero() && amount.to_string().len() == bar.digits)
        };
        assert_eq!(bar.count, balances.iter().filter(is_in).count() as u64);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn figures_are_those_of_brute_force(mut balances in vec(amounts(), 0..160)) {
        check(&mut balances);
    }

    #[test]
    fn sums_are_exact_whatever_their_size(balances in vec(amounts(), 0..60)) {
        let wide = |balance: &Balance| balance.amount().map_or(alloy_primitives::U512::ZERO, |amount| alloy_primitives::U512::from(amount.get()));
        let sum = balances.iter().map(wide).fold(alloy_primitives::U512::ZERO, |sum, amount| sum + amount);
        assert_eq!(counted(&balances).sum_digits(), sum.to_string());
    }
}

#[test]
fn a_hundred_thousand_holders_need_no_more_memory_than_a_few_hundred() {
    let balances = (1..=100_000_u128).rev().map(|amount| Balance::from(Amount::from(amount)));
    let mut concentration = Concentration::default();
    for balance in balances {
        concentration.add(balance);
    }
    // The sum of 1 to n is n(n+1)/2; the Gini of 1 to n is (n-1)/3n.
    assert_eq!(concentration.sum_digits(), "5000050000");
    assert_near(concentration.gini(), 99_999.0 / 300_000.0, "Gini");
    let line = concentration.lorenz(4);
    for (step, expected) in [0.0, 0.062_500_5, 0.250_003, 0.562_503, 1.0].into_iter().enumerate() {
        let off = |ratio: Ratio| (f64::from(millionths(ratio)) / 1e6 - expected).abs();
        assert!(off(line[step]) < 1e-4, "{step}: {:?} instead of {expected}", line[step]);
    }
}

#[test]
fn equal_holders_have_no_gini_and_a_straight_line() {
    let concentration = counted(&[Balance::from(Amount::from(7)); 40]);
    assert_eq!(concentration.gini().map(millionths), Some(0));
    assert_eq!(
        concentration.lorenz(4).iter().copied().map(millionths).collect::<Vec<_>>(),
        [0, 250_000, 500_000, 750_000, 1_000_000]
    );
    let of_seven = |text: &str| concentration.share(text.parse().expect("a balance")).map(Ratio::percent);
    assert_eq!(of_seven("7").as_deref(), Some("2.50 %"));
    assert_eq!((of_seven("0").as_deref(), of_seven("-7")), (Some("0.00 %"), None));
}

#[test]
fn amounts_that_rise_again_are_noticed_as_the_list_moved_meanwhile() {
    let balances = ["9", "5", "6"].map(|text| text.parse().expect("a balance"));
    assert!(!counted(&balances).is_ordered() && counted(&balances[..2]).is_ordered());
}
