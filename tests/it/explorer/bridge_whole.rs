//! Transfers of the embedded world to their ends, by keys alone: filled in with the pickers, compared, acknowledged,
//! sent with the demo wallet and watched block by block, with the real worker and the rollup's indexer as the second
//! witness.

mod ends;
mod kept;
mod router;
mod signed;

use std::time::Duration;

use rollscope::demo::RollupOptions;

use crate::harness::{Builder, Explorer, chain_of};

/// Steps after which a transfer must have said what is waited for.
const PATIENCE: usize = 150;

const COLUMNS: u16 = 140;
const ROWS: u16 = 45;

/// INIT on the rollup as the optimistic bridge brings it, and as its ERC-20.
const PLAIN: &str = "l2/df41";
const WRAPPED: &str = "evm/5f2C";

/// A way as somebody fills it in: what is typed into the pickers of chain and asset, twice, and the amount.
#[derive(Clone, Copy)]
pub(super) struct Way {
    from: (&'static str, &'static str),
    to: (&'static str, &'static str),
    amount: &'static str,
    /// Keys that choose another of the routes.
    route: &'static str,
    /// How the page where it is made ready tells it.
    told: &'static str,
}

pub(super) const DEPOSIT: Way = Way {
    from: ("Initia", "uinit"),
    to: ("MiniEvm", WRAPPED),
    amount: "5",
    route: "",
    told: "5 INIT on Initia → 5 INIT on Rollscope MiniEvm",
};

/// An explorer of a rollup where days of finality are seconds, at rest.
fn explorer() -> Explorer {
    explorer_of(Explorer::builder())
}

fn explorer_of(builder: Builder) -> Explorer {
    let options = RollupOptions { time_scale: 20_000, ..chain_of(30) };
    let explorer = builder.size(COLUMNS, ROWS).rollup(options).start();
    explorer.settle();
    explorer
}

/// Chooses a chain and an asset of it in the pickers of the form's rows.
fn choose(explorer: &Explorer, [chain, asset]: [&str; 2], (name, denom): (&str, &str)) {
    explorer.press(chain).press("enter").type_text(name).press("enter");
    // Where the chain has nothing like the asset before, it asks for another by itself.
    let screen = explorer.screen();
    if !screen.contains("Asset to send from") && !screen.contains("Asset to receive on") {
        explorer.press(asset).press("enter");
    }
    explorer.type_text(denom).press("enter");
}

/// Fills in the form, which has the cursor.
pub(super) fn fill_in(explorer: &Explorer, way: &Way) {
    choose(explorer, ["g g", "g g l"], way.from);
    choose(explorer, ["g g j", "g g j l"], way.to);
    explorer.press("G enter ctrl-u").type_text(way.amount).press("enter");
    quote(explorer);
}

/// The form waits a moment for what else may be typed, and asks.
fn quote(explorer: &Explorer) {
    explorer.advance(Duration::from_millis(400));
}

/// Goes on with the chosen route, and sends it.
fn send(explorer: &Explorer, way: &Way) {
    explorer.press(way.route).press("tab enter").wait_for(way.told);
    sign(explorer);
}

/// The demo wallet signs and sends; what warns must be read before.
fn sign(explorer: &Explorer) {
    if explorer.screen().contains("a acknowledges") {
        explorer.press("S").wait_for("still needed: your acknowledgement of the warnings").press("a");
    }
    explorer.press("S").wait_for("┌ Transfer ");
}

/// Fills in, goes on and sends; ends on the transfer's page.
fn send_first(explorer: &Explorer, way: &Way) {
    explorer.press("6");
    fill_in(explorer, way);
    send(explorer, way);
}

fn send_another(explorer: &Explorer, way: &Way) {
    explorer.press("6 shift-tab");
    fill_in(explorer, way);
    send(explorer, way);
}

/// Makes blocks until the screen shows this.
fn walk(explorer: &Explorer, blocks: u32, text: &str) {
    walk_until(explorer, blocks, &format!("“{text}”"), |screen| screen.contains(text));
}

fn walk_until(explorer: &Explorer, blocks: u32, what: &str, is_reached: impl Fn(&str) -> bool) {
    for _ in 0..PATIENCE {
        if is_reached(&explorer.screen()) {
            return;
        }
        explorer.step(blocks);
    }
    panic!("no {what} after {PATIENCE} steps:\n{}", explorer.screen());
}

/// Panics where the screen lacks one of these.
fn assert_shown(explorer: &Explorer, texts: &[&str]) {
    let screen = explorer.screen();
    for text in texts {
        assert!(screen.contains(text), "“{text}” is not on the screen:\n{screen}");
    }
}
