//! What goes wrong on the way, and what outlives the program.

use rollscope::demo::faults::{Fault, Refusing};

use super::{
    COLUMNS, DEPOSIT, PLAIN, ROWS, Way, assert_shown, explorer, explorer_of, quote, send, send_first, walk, walk_until,
};
use crate::harness::Explorer;

#[test]
fn a_refund_midway_leads_to_a_new_route_from_where_the_funds_are() {
    let out = Way {
        from: ("MiniEvm", PLAIN),
        to: ("Celestia", "utia"),
        amount: "90",
        route: "",
        told: "90 INIT on Rollscope MiniEvm → ",
    };
    let explorer = explorer();
    send_first(&explorer, &out);
    walk(&explorer, 1, "Initia → Celestia, ");
    explorer.rollup().set_faults(vec![Fault::Refund(Refusing::Refused)]);
    walk(&explorer, 1, "! released");
    assert_shown(&explorer, &["Did not complete. Your ", " is on Initia."]);
    explorer.rollup().set_faults(Vec::new());
    explorer.press(">").wait_for("[Quote] Transfers");
    quote(&explorer);
    assert_shown(&explorer, &["From    Initia  interwoven-1", "To      Celestia  celestia"]);
    send(&explorer, &Way { told: " on Initia → ", ..out });
    walk(&explorer, 2, "✓ arrived");
    assert_shown(&explorer, &["TIA on Celestia."]);
    explorer.quit();
}

#[test]
fn what_was_given_up_goes_on_when_it_is_tracked_again() {
    let explorer = explorer();
    send_first(&explorer, &DEPOSIT);
    walk(&explorer, 1, "▶ moving");
    explorer.rollup().set_faults(vec![Fault::Abandoned]);
    walk(&explorer, 1, "◌ abandoned");
    assert_shown(&explorer, &["The router abandoned tracking; the funds' location is unknown."]);
    explorer.rollup().set_faults(Vec::new());
    explorer.press("R");
    assert_shown(&explorer, &["the router tracks the transfer again; requesting its status"]);
    walk(&explorer, 2, "✓ arrived  Arrived: 5 INIT on Rollscope MiniEvm.");
    explorer.quit();
}

#[test]
fn the_next_session_goes_on_with_the_same_file_and_the_same_rollup() {
    let home = tempfile::tempdir().unwrap();
    let file = home.path().join("state.sqlite");
    let first = explorer_of(Explorer::builder().state_file(file.clone()));
    send_first(&first, &DEPOSIT);
    walk(&first, 1, "▶ moving");
    first.press("c").type_text("rent").press("enter");
    let (rollup, now) = first.leave();
    let second = Explorer::builder().size(COLUMNS, ROWS).state_file(file).joining(rollup, now).start();
    second.settle();
    assert_shown(&second, &["6 Bridge •1"]);
    second.press("7").wait_for("rent").wait_for("▶ moving").press("1");
    walk_until(&second, 2, "its end", |screen| !screen.contains("6 Bridge •"));
    assert_eq!(second.bells(), 1, "its end is told on whatever screen");
    second.press("7 enter").wait_for("┌ Transfer ");
    assert_shown(&second, &["✓ arrived  Arrived: 5 INIT on Rollscope MiniEvm.", "5 INIT on Initia → 5 INIT on"]);
    assert_shown(&second, &["Sent by the demo wallet"]);
    second.quit();
}
