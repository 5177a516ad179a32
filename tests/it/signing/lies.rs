//! Any message that a router could make of an honest one: what is offered does what was quoted.

use proptest::prelude::*;
use rollscope::{
    domain::{Amount, Timestamp},
    signing::{FundsEffect, MemoAction},
};

use super::guard::{DEPOSIT, HOOKED, Offer, PACKETS, SWAP, WITHDRAWAL};

/// What must not change, and the amount that must not grow.
fn shape(effect: &FundsEffect) -> (FundsEffect, Amount) {
    let mut same = effect.clone();
    let taken = match &mut same {
        FundsEffect::Packet { coin, timeout, onward, .. } => {
            // Waits are the router's choice within bounds: see `readings`.
            *timeout = Timestamp::EPOCH;
            if let MemoAction::Forward(forward) = onward {
                (forward.retries, forward.timeout) = (None, None);
            }
            std::mem::take(&mut coin.amount)
        }
        FundsEffect::Deposit { coin, .. } | FundsEffect::Withdrawal { coin, .. } => std::mem::take(&mut coin.amount),
        FundsEffect::Swap { amount, pool, least, .. } => {
            // The pool is the router's choice: what counts is what comes of it at the least.
            (*pool, *least) = ([0; 32], None);
            std::mem::take(amount)
        }
        other => panic!("no sample does {other:?}"),
    };
    (same, taken)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn no_change_of_a_message_moves_more_or_to_somebody_else(
        sample in 0..5_usize,
        place in any::<prop::sample::Index>(),
        length in 0..4_usize,
        text in "[ -~]{0,4}",
    ) {
        let sample = [DEPOSIT, HOOKED, WITHDRAWAL, PACKETS, SWAP][sample];
        let honest = Offer::of_sample(sample).compare().unwrap();
        let changed = Offer::of_sample(sample).with_text(|msg| {
            let mut letters: Vec<char> = msg.chars().collect();
            let start = place.index(letters.len());
            let end = (start + length).min(letters.len());
            letters.splice(start..end, text.chars());
            letters.into_iter().collect()
        });
        if let Ok(ready) = changed.compare() {
            let ((was, most), (is, taken)) = (shape(&honest[0].effects[0]), shape(&ready[0].effects[0]));
            prop_assert_eq!(was, is);
            prop_assert_eq!(taken, most);
        }
    }
}
