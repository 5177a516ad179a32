//! The guided tour: what each caption says is on the screen, and a key takes over.

use std::num::NonZeroU8;

use crate::harness::{Explorer, chain_of};

/// What each stop must show, in the tour's order.
const STOPS: [&str; 16] = [
    "┌ Index ",
    " of the newest ",
    "Blocks · with transactions",
    "failed only: ",
    "✗ failed: ",
    "  ✓ ",
    "▸",
    "┌ Tokens ",
    "owner",
    "Gini",
    "[Quote] Transfers",
    "✓ Addresses",
    "▶ moving",
    "┌ Transfers ",
    "y copy as curl",
    "[1 Overview]",
];

#[test]
fn the_tour_shows_what_its_captions_say_and_a_key_takes_over() {
    let speed = NonZeroU8::new(4).expect("not zero");
    let explorer = Explorer::builder().size(120, 36).rollup(chain_of(80)).tour(speed).start();
    for (place, shown) in (1..).zip(STOPS) {
        let caption = format!(" {place}/{} ", STOPS.len());
        for _ in 0..60 {
            let screen = explorer.settle().screen();
            if screen.contains(&caption) && screen.contains(shown) {
                break;
            }
            let last = screen.lines().last().unwrap_or_default().to_owned();
            assert!(!last.contains(&format!(" {}/{} ", place + 1, STOPS.len())), "{shown} at stop {place}:\n{screen}");
            explorer.step(1);
        }
        explorer.wait_for(&caption).wait_for(shown);
        if place == 3 {
            explorer.press("space").wait_for("3/16 paused, Space goes on").step(9).wait_for("3/16 paused");
            explorer.press("space").wait_gone("paused");
        }
    }
    explorer.press("2").wait_gone(" 16/16 ").wait_for("[2 Blocks]").wait_for("? help");
    explorer.quit();

    let explorer = Explorer::builder().size(80, 24).rollup(chain_of(20)).tour(speed).start();
    explorer.wait_for(" 1/16 ").press("right right").wait_for(" 2/16 ");
    explorer.quit();
}
