//! Long lists: more rows than the explorer holds, from a server that gives a key on its last page too.

use std::{
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use proptest::{
    collection::vec,
    prelude::{Just, ProptestConfig, Strategy, prop_oneof},
    proptest,
};

use super::{
    hashes, heights,
    scripted::{Server, chain, short_hash},
    walk,
};
use crate::harness::Explorer;

fn upwards<T>(rows: impl Fn(&Explorer) -> Vec<T>) -> impl Fn(&Explorer) -> Vec<T> {
    move |explorer| rows(explorer).into_iter().rev().collect()
}

#[test]
fn three_thousand_blocks_are_walked_without_gap_or_repetition() {
    let server = Server::new(|seen, _| chain(seen, 3_250));
    let explorer = server.explorer().size(100, 100).start();
    explorer.press("2");
    let expected: Vec<u64> = (1..=3_250).rev().collect();
    assert_eq!(walk(&explorer, "n", heights), expected);
    explorer.wait_for("— the end —");
    let mut back = walk(&explorer, "p", upwards(heights));
    back.reverse();
    assert_eq!(back, expected);
}

#[test]
fn sixteen_hundred_transactions_are_walked_without_gap_or_repetition() {
    let server = Server::new(|seen, _| chain(seen, 1_600));
    let explorer = server.explorer().size(100, 100).start();
    explorer.press("3");
    let expected: Vec<String> = (1..=1_600).rev().map(short_hash).collect();
    assert_eq!(walk(&explorer, "n", hashes), expected);
    explorer.wait_for("— the end —");
    let mut back = walk(&explorer, "p", upwards(hashes));
    back.reverse();
    assert_eq!(back, expected);
}

/// What happens to a list between two walks.
#[derive(Clone, Debug)]
enum Happening {
    Keys(&'static str),
    Arrivals(u64),
    Away,
}

fn happenings() -> impl Strategy<Value = Vec<Happening>> {
    let key = prop_oneof![
        Just("j"),
        Just("k"),
        Just("n"),
        Just("p"),
        Just("ctrl-d"),
        Just("ctrl-u"),
        Just("G"),
        Just("g g"),
        Just("n n n"),
    ];
    let happening = prop_oneof![
        6 => key.prop_map(Happening::Keys),
        3 => prop_oneof![1_u64..30, 90..110_u64, 200..900_u64].prop_map(Happening::Arrivals),
        1 => Just(Happening::Away),
    ];
    vec(happening, 1..14)
}

/// The rows on screen are a piece of the chain: each height one less than the one above.
fn assert_consecutive(rows: &[u64], what: &Happening) {
    assert!(rows.windows(2).all(|pair| pair[0] == pair[1] + 1), "{what:?}: {rows:?}");
}

fn live(what: &[Happening]) {
    let height = Arc::new(AtomicU64::new(1_500));
    let tip = Arc::clone(&height);
    let server = Server::new(move |seen, _| chain(seen, tip.load(Ordering::SeqCst)));
    let explorer = server.explorer().size(100, 60).start();
    explorer.press("2");
    for happening in what {
        match happening {
            Happening::Keys(keys) => {
                explorer.press(keys);
            }
            Happening::Arrivals(count) => {
                let before = heights(&explorer);
                let is_followed = before[0] == height.load(Ordering::SeqCst) && explorer.screen().contains(" 1 of");
                height.fetch_add(*count, Ordering::SeqCst);
                explorer.advance(Duration::from_secs(2));
                if !is_followed {
                    assert_eq!(heights(&explorer), before, "{happening:?} moved what stood still");
                }
            }
            Happening::Away => {
                explorer.press("5 2");
            }
        }
        assert_consecutive(&heights(&explorer), happening);
    }
    let top = heights(&explorer)[0];
    let down = walk(&explorer, "n", heights);
    assert_eq!(down, (1..=top).rev().collect::<Vec<_>>());
    let mut up = walk(&explorer, "p", upwards(heights));
    up.reverse();
    assert_eq!(up, (1..=height.load(Ordering::SeqCst)).rev().collect::<Vec<_>>());
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 5, failure_persistence: None, max_shrink_iters: 20, ..ProptestConfig::default() })]

    #[test]
    fn arrivals_pages_and_moves_in_any_order_keep_the_rows_whole(what in happenings()) {
        live(&what);
    }
}
