//! A transfer of every kind until it has arrived.

use super::{DEPOSIT, PLAIN, WRAPPED, Way, assert_shown, explorer, send_another, send_first, sign, walk, walk_until};
use crate::harness::Explorer;

/// What is said where the rollup's indexer shows the credit.
const AGREED: &str = "The router and the indexer of Rollscope MiniEvm agree: the funds arrived.";

/// Sends all of them, watches the board until none is under way, and gives the page of each, the newest first.
fn ended(explorer: &Explorer, ways: &[Way]) -> Vec<String> {
    send_first(explorer, &ways[0]);
    ways[1..].iter().for_each(|way| send_another(explorer, way));
    explorer.press("6 tab");
    assert_shown(explorer, &[&format!("6 Bridge •{}", ways.len())]);
    walk_until(explorer, 3, "end of all transfers", |screen| !screen.contains("6 Bridge •"));
    // Indexers are asked for a moment longer than the router.
    explorer.step(4);
    assert_eq!(explorer.bells(), ways.len(), "the end of each is told once");
    explorer.press("g g");
    let page = |_| {
        let screen = explorer.press("enter").screen();
        explorer.press("esc j");
        screen
    };
    (0..ways.len()).map(page).collect()
}

/// Each of these groups of texts is on one page.
fn assert_pages(pages: &[String], ends: &[&[&str]]) {
    for texts in ends {
        let is_page = |page: &&String| texts.iter().all(|text| page.contains(text));
        assert_eq!(pages.iter().filter(is_page).count(), 1, "{texts:?} is on one of these:\n{}", pages.join("\n\n"));
    }
}

#[test]
fn deposits_packets_and_a_swap_with_a_warning() {
    let plain =
        Way {
            to: ("MiniEvm", PLAIN), amount: "7", told: "7 INIT on Initia → 7 INIT on Rollscope MiniEvm", ..DEPOSIT
        };
    let swap = Way { to: ("Initia", "ibc/6490"), amount: "90,000", told: "90,000 INIT on Initia → ", ..DEPOSIT };
    let packets = Way {
        from: ("MiniEvm", "ibc/72B8"),
        to: ("MiniMove", "ibc/72B8"),
        amount: "1.5",
        route: "",
        told: "1.5 ETH on Rollscope MiniEvm → 1.5 ETH on Rollscope MiniMove",
    };
    let explorer = explorer();
    let pages = ended(&explorer, &[DEPOSIT, plain, swap, packets]);
    assert_pages(
        &pages,
        &[
            &["✓ arrived  Arrived: 5 INIT on Rollscope MiniEvm.", AGREED],
            &["✓ arrived  Arrived: 7 INIT on Rollscope MiniEvm.", AGREED],
            &["✓ arrived  Arrived: ", "USDC on Initia."],
            &["✓ arrived  Arrived: 1.5 ETH on Rollscope MiniMove."],
        ],
    );
    explorer.quit();
}

#[test]
fn dollars_from_ethereum_slowly_and_by_a_solver() {
    let slowly = Way {
        from: ("Rollscope Ethereum", "0x7700000000000000000000000000000000000201"),
        to: ("MiniEvm", "l2/cfdb"),
        amount: "60",
        route: "",
        told: "60 USDC on Rollscope Ethereum → 59.588 USDC on Rollscope MiniEvm",
    };
    let fast = Way {
        amount: "40",
        route: "]",
        told: "40 USDC on Rollscope Ethereum → 39.36 USDC on Rollscope MiniEvm",
        ..slowly
    };
    let explorer = explorer();
    let pages = ended(&explorer, &[slowly, fast]);
    assert_pages(
        &pages,
        &[
            &["✓ arrived  Arrived: 59.588 USDC on Rollscope MiniEvm.", "✓ 1 CCTP", "✓ 3 OP bridge", AGREED],
            &["✓ arrived  Arrived: 39.36 USDC on Rollscope MiniEvm.", "✓ 1 Go Fast", "✓ 3 OP bridge", AGREED],
        ],
    );
    explorer.quit();
}

#[test]
fn a_withdrawal_is_claimable_then_claimed_and_never_there_before() {
    let out = Way {
        from: ("MiniEvm", PLAIN),
        to: ("Initia", "uinit"),
        amount: "40",
        route: "] ]",
        told: "40 INIT on Rollscope MiniEvm → 40 INIT on Initia",
    };
    let explorer = explorer();
    send_first(&explorer, &out);
    walk(&explorer, 1, "◔ finalizing");
    assert_shown(&explorer, &["Withdrawal from Rollscope MiniEvm: ", "claimable on Initia from "]);
    assert!(!explorer.screen().contains("rrived"), "{}", explorer.screen());
    explorer.press(">").wait_for("no step is due: wait");
    walk_until(&explorer, 1, "the end of its finalization", |screen| {
        assert!(!screen.contains("rrived"), "{screen}");
        screen.contains("» claimable")
    });
    explorer.step(20);
    assert_shown(&explorer, &["» claimable", "> next: claim with the demo wallet"]);
    assert_shown(
        &explorer,
        &["claimable on Initia since ", "; its proof is valid. (L1, ", ", by the L1", "final since 20"],
    );
    assert_eq!(explorer.bells(), 1, "somebody is needed");
    explorer.press(">").wait_for("claimed by the demo wallet: ");
    walk(&explorer, 1, "✓ arrived");
    assert_shown(&explorer, &["✓ arrived  Arrived: 40 INIT on Initia.", "OPINIT_TRANSFER_RECEIVED"]);
    assert_shown(&explorer, &["Claimed by the demo wallet: "]);
    explorer.quit();
}

#[test]
fn a_fast_exit_is_swapped_on_the_l1() {
    let out = Way {
        from: ("MiniEvm", WRAPPED),
        to: ("Initia", "uinit"),
        amount: "1",
        route: "",
        told: "1 INIT on Rollscope MiniEvm → 0.99",
    };
    let explorer = explorer();
    send_first(&explorer, &out);
    walk(&explorer, 2, "✓ arrived");
    assert_shown(&explorer, &["✓ arrived  Arrived: 0.99", "INIT on Initia."]);
    assert_eq!(explorer.bells(), 1);
    explorer.quit();
}

#[test]
fn two_transactions_one_after_the_other() {
    let two = Way {
        from: ("Rollscope Ethereum", "0x7700000000000000000000000000000000000202"),
        to: ("Initia", "ibc/9A75"),
        amount: "3",
        route: "",
        told: "3 EURC on Rollscope Ethereum → 3 EURC on Initia",
    };
    let explorer = explorer();
    send_first(&explorer, &two);
    walk(&explorer, 3, "» send next");
    assert_shown(&explorer, &["Step 1 of 2 is done: your 3 EURC is on Noble. Transaction 2 is yours to send."]);
    assert_eq!(explorer.bells(), 1, "somebody is needed");
    explorer.press(">").wait_for("┌ Send transaction 2");
    sign(&explorer);
    walk(&explorer, 3, "✓ arrived");
    assert_shown(&explorer, &["✓ arrived  Arrived: 3 EURC on Initia.", "tx 1", "tx 2"]);
    explorer.quit();
}
