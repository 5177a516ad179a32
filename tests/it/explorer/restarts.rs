//! The chain behind the address is another one than before: begun anew, or with another id. And servers that only look
//! so: replicas that lag behind one another.

use std::{
    sync::{Arc, Mutex},
    time::Duration,
};

use rollscope::{
    domain::Timestamp,
    msg::{Instruction, Slot},
};
use serde_json::{Value, json};

use super::{
    heights,
    scripted::{self, Server, genesis, page, path},
};
use crate::harness::{
    Explorer,
    replay::{Answer, Seen},
};

/// A chain as a server tells it.
#[derive(Clone, Debug)]
struct Chain {
    id: &'static str,
    /// Differs in the hashes of another chain, whatever its id.
    salt: u64,
    height: u64,
    /// When its first block was made, in seconds after the tests' genesis.
    begun: u64,
    /// The lowest block that the index still has.
    oldest: u64,
    /// How the router says that every transfer stands; empty where it knows none.
    routed: &'static str,
    /// Whether nobody answers.
    is_away: bool,
}

impl Chain {
    const fn of(salt: u64, height: u64) -> Self {
        Self { id: "demo-evm-1", salt, height, begun: 0, oldest: 1, routed: "STATE_PENDING", is_away: false }
    }

    fn block(&self, height: u64) -> Value {
        let mut block = scripted::block(height);
        block["chain_id"] = self.id.into();
        block["hash"] = self.hash(height).into();
        block["timestamp"] = genesis().after(Duration::from_secs(self.begun + height)).to_string().into();
        block
    }

    fn hash(&self, height: u64) -> String {
        format!("{:032X}{height:032X}", self.salt)
    }

    fn tx(&self, number: u64) -> Value {
        let mut tx = scripted::tx(number);
        tx["txhash"] = format!("{:04X}{:060X}", 0x1000 * self.salt + number, number).into();
        tx
    }

    fn transfer_status(&self) -> Answer {
        let is_over = self.routed != "STATE_PENDING";
        let hop = if is_over { "TRANSFER_SUCCESS" } else { "TRANSFER_PENDING" };
        let sent = json!({"chain_id": self.id, "tx_hash": "7087".repeat(16), "explorer_link": ""});
        let txs =
            json!({"send_tx": sent, "receive_tx": null, "acknowledge_tx": null, "timeout_tx": null, "error": null});
        let transfer = json!({"from_chain_id": self.id, "to_chain_id": "far-2", "state": hop, "packet_txs": txs});
        let next = if is_over { Value::Null } else { json!({"transfer_sequence_index": 0}) };
        let status = json!({"state": self.routed, "transfer_sequence": [{"ibc_transfer": transfer}],
            "next_blocking_transfer": next, "error": null, "transfer_asset_release": null});
        Answer::json(status.to_string())
    }

    fn answer(&self, seen: &Seen) -> Answer {
        let single = path(seen).strip_prefix("/indexer/block/v1/blocks/").and_then(|height| height.parse().ok());
        match (path(seen), single) {
            _ if self.is_away => Answer::text(503, "away"),
            ("/v2/tx/track", _) if !self.routed.is_empty() => Answer::json(r#"{"success": true}"#),
            ("/v2/tx/status", _) if !self.routed.is_empty() => self.transfer_status(),
            ("/status", _) => Answer::json(json!({"chain_id": self.id, "height": self.height}).to_string()),
            ("/indexer/block/v1/avg_blocktime", _) => Answer::json(r#"{"avg_block_time": 1.0}"#),
            ("/indexer/block/v1/blocks", _) if seen.target.contains("pagination.reverse=false") => {
                let block = self.block(self.oldest);
                Answer::json(json!({"blocks": [block], "pagination": {"next_key": null, "total": "0"}}).to_string())
            }
            ("/indexer/block/v1/blocks", _) => page(seen, "blocks", self.height, |height| self.block(height)),
            ("/indexer/tx/v1/txs", _) => page(seen, "txs", self.height, |number| self.tx(number)),
            (_, Some(height)) if (self.oldest..=self.height).contains(&height) => {
                Answer::json(json!({"block": self.block(height)}).to_string())
            }
            (path, _) if path.contains("by_height") => {
                Answer::json(r#"{"txs": [], "pagination": {"next_key": null, "total": "0"}}"#)
            }
            _ => Answer::text(404, "[NOT_FOUND] not found"),
        }
    }
}

/// A server whose chain the test replaces.
struct World {
    server: Server,
    chain: Arc<Mutex<Chain>>,
}

impl World {
    fn new(chain: Chain) -> Self {
        let chain = Arc::new(Mutex::new(chain));
        let now = Arc::clone(&chain);
        let server = Server::new(move |seen, _| now.lock().expect("no test panics with it").answer(seen));
        Self { server, chain }
    }

    fn set(&self, chain: Chain) {
        *self.chain.lock().expect("no test panics with it") = chain;
    }

    /// An explorer that is started when the chain's newest block has just been made.
    fn explorer(&self) -> Explorer {
        let (begun, height) = {
            let chain = self.chain.lock().expect("no test panics with it");
            (chain.begun, chain.height)
        };
        self.server.explorer().size(120, 30).at(at(begun + height)).start()
    }
}

fn at(second: u64) -> Timestamp {
    genesis().after(Duration::from_secs(second))
}

fn seconds(seconds: u64) -> Duration {
    Duration::from_secs(seconds)
}

/// How often these heights were asked for to tell chains apart.
fn anchors_asked(explorer: &Explorer) -> usize {
    let is_anchor =
        |command: &&Instruction| matches!(command, Instruction::Fetch(ticket, _) if ticket.slot == Slot::Anchor);
    explorer.commands().iter().filter(is_anchor).count()
}

#[test]
fn a_chain_that_begins_anew_takes_everything_of_the_old_one_with_it() {
    let world = World::new(Chain::of(1, 402));
    let explorer = world.explorer();
    explorer.settle().wait_for("height 402").wait_for(" 401 ").wait_for("1192…0192");
    world.set(Chain { begun: 403, ..Chain::of(2, 4) });
    explorer.advance(seconds(6));
    let screen = explorer.screen();
    assert!(screen.contains("height 4 "), "{screen}");
    assert!(screen.contains("the chain restarted: demo-evm-1; rollscope reloads all lists"), "{screen}");
    for gone in ["402", "401", "398", "1192…0192", "behind"] {
        assert!(!screen.contains(gone), "“{gone}” is of the chain that is gone:\n{screen}");
    }
    assert!(screen.contains("2004…0004"), "the new chain's transactions:\n{screen}");
    // It is said once.
    world.set(Chain { begun: 403, ..Chain::of(2, 30) });
    for _ in 0..4 {
        explorer.advance(seconds(6));
    }
    assert!(!explorer.screen().contains("restarted"), "{}", explorer.screen());
    assert!(explorer.screen().contains("height 30"), "{}", explorer.screen());
    explorer.quit();
}

#[test]
fn a_list_that_is_read_and_one_that_is_covered_start_over() {
    let world = World::new(Chain::of(1, 502));
    let explorer = world.explorer();
    explorer.press("3 j j 2 j j j");
    assert_eq!(heights(&explorer).first(), Some(&502));
    world.set(Chain { begun: 503, ..Chain::of(2, 5) });
    explorer.advance(seconds(2));
    assert_eq!(heights(&explorer), [5, 4, 3, 2, 1], "{}", explorer.screen());
    explorer.press("3");
    let screen = explorer.screen();
    assert!(screen.contains("2005…0005") && !screen.contains("11F6…"), "{screen}");
}

#[test]
fn a_page_is_asked_for_again_and_says_where_nothing_is() {
    let world = World::new(Chain::of(1, 60));
    let explorer = world.explorer();
    explorer.resize(200, 50).press("/").type_text("50").press("enter").press("/").type_text("3").press("enter");
    assert!(explorer.screen().contains(&Chain::of(1, 60).hash(3)), "{}", explorer.screen());
    world.set(Chain { begun: 61, ..Chain::of(2, 5) });
    explorer.advance(seconds(2));
    assert!(explorer.screen().contains(&Chain::of(2, 5).hash(3)), "{}", explorer.screen());
    explorer.press("esc");
    let screen = explorer.screen();
    assert!(screen.contains("Block 50") && !screen.contains(&Chain::of(1, 60).hash(50)), "{screen}");
    assert!(screen.contains("Block 50 is 45 blocks ahead"), "{screen}");
}

#[test]
fn another_chain_id_at_the_same_address_is_another_chain() {
    let world = World::new(Chain { id: "hostile-1", ..Chain::of(1, 40) });
    let explorer = world.explorer();
    explorer.settle().wait_for("hostile-1").wait_for("1028…0028");
    // Higher, and with the same hashes: the id alone proves it.
    world.set(Chain { id: "evil-2", ..Chain::of(1, 41) });
    explorer.advance(seconds(2));
    explorer.wait_for("the server now serves evil-2 instead of hostile-1; rollscope reloads all lists");
    explorer.wait_for("evil-2 ").wait_for("height 41");
    assert!(!explorer.screen().contains("hostile-1 ●"));
}

#[test]
fn replicas_that_lag_drop_nothing() {
    let world = World::new(Chain::of(1, 100));
    let explorer = world.explorer();
    explorer.press("2 j j");
    let before = explorer.screen();
    assert_eq!(heights(&explorer).first(), Some(&100));
    for height in [98, 100, 98, 99, 100] {
        world.set(Chain::of(1, height));
        explorer.advance(seconds(1));
        explorer.advance(Duration::from_millis(100));
        assert_eq!(heights(&explorer).first(), Some(&100), "{}", explorer.screen());
        assert!(explorer.screen().contains("height 100"), "{}", explorer.screen());
        assert!(!explorer.screen().contains("restarted"), "{}", explorer.screen());
    }
    assert_eq!(heights(&explorer).len(), before.lines().count() - 6, "no row is lost");
    assert_eq!(anchors_asked(&explorer), 2, "once for each time that the height fell");
}

/// Also where the new chain's first block comes before the status that tells of it, and would be taken for a kept one.
#[test]
fn a_lower_height_without_a_block_to_compare_is_said_and_drops_nothing() {
    // The index has lost its beginning, and the new chain is not as long yet.
    let world = World::new(Chain { oldest: 300, ..Chain::of(1, 402) });
    let explorer = world.explorer();
    explorer.settle().wait_for("height 402");
    // Where the index begins is asked on the overview only: its answer could come before the status and be compared
    // with.
    explorer.press("2").settle();
    world.set(Chain { begun: 403, ..Chain::of(2, 4) });
    explorer.advance(seconds(1));
    explorer.wait_for("the server's height fell to 4 from 402");
    assert!(explorer.screen().contains("height 402"), "{}", explorer.screen());
    // Where the new chain reaches a kept height its hash tells.
    world.set(Chain { begun: 403, ..Chain::of(2, 300) });
    explorer.advance(seconds(9)).advance(seconds(1));
    explorer.wait_for("height 300").wait_for("the chain restarted");
    assert!(!explorer.screen().contains(" 402"), "{}", explorer.screen());
}

#[test]
fn a_chain_that_was_away_and_comes_back_longer_is_recognised() {
    let world = World::new(Chain::of(1, 60));
    let explorer = world.explorer();
    // No list of blocks is on screen, and the height only grows: the block that is asked for on return tells.
    explorer.press("3");
    world.set(Chain { is_away: true, ..Chain::of(1, 60) });
    explorer.advance(seconds(1)).wait_for("stale");
    world.set(Chain { begun: 61, ..Chain::of(2, 90) });
    explorer.advance(seconds(2)).wait_for("the chain restarted").wait_for("205A…005A");
    assert!(!explorer.screen().contains("103C…"), "{}", explorer.screen());
}

#[test]
fn a_server_that_mixes_chains_is_not_asked_without_end() {
    let world = World::new(Chain::of(1, 60));
    let explorer = world.explorer();
    explorer.press("2");
    let before = world.server.seen().len();
    for salt in [2, 1, 2, 1] {
        world.set(Chain::of(salt, 60));
        explorer.advance(Duration::from_millis(300));
    }
    assert!(world.server.seen().len() - before < 60, "{}", world.server.seen().len() - before);
    assert!(heights(&explorer).first() == Some(&60), "{}", explorer.screen());
}

/// The questions about this transaction, to the router and to the indexer.
fn asked_of(world: &World, hash: &str) -> usize {
    world.server.seen().iter().filter(|seen| seen.target.contains(hash) || seen.body.contains(hash)).count()
}

#[test]
fn transfers_of_the_chain_before_are_kept_marked_and_not_asked_about() {
    let hash = "7087".repeat(16);
    let world = World::new(Chain::of(1, 60));
    let explorer = world.explorer();
    explorer.press("6 t").type_text(&format!("demo-evm-1 {hash}")).press("enter");
    explorer.advance(seconds(3)).wait_for("▶ moving");
    let before = asked_of(&world, &hash);
    assert!(before >= 3, "it was registered, polled, and looked for in the index: {before}");

    world.set(Chain { begun: 80, routed: "", ..Chain::of(2, 5) });
    explorer.advance(seconds(2));
    let asked = asked_of(&world, &hash);
    explorer.wait_for("∅ chain gone").wait_for("Chain gone; last known: ");
    explorer.wait_for("The transfer belongs to the old demo-evm-1; this address now serves a new chain");
    explorer.wait_for("This address no longer serves demo-evm-1, the transfer's chain.");
    explorer.wait_for("polling stopped: this address no longer serves the chain");
    explorer.advance(seconds(60)).press("r").advance(seconds(60)).press("R");
    assert_eq!(asked_of(&world, &hash), asked, "nobody is asked about it any more");
    assert!(!explorer.screen().contains("▶ moving"), "{}", explorer.screen());
    explorer.press("esc shift-tab").wait_for("∅ chain gone");

    // The same hash on the new chain is another transfer: it is asked about, and nothing of the old one is told.
    explorer.press("t").type_text(&format!("demo-evm-1 {hash}")).press("enter");
    explorer.advance(seconds(2));
    assert!(asked_of(&world, &hash) > asked, "{}", explorer.screen());
    let screen = explorer.screen();
    assert!(screen.contains("? unknown") && !screen.contains("gone"), "{screen}");
    explorer.quit();
}

#[test]
fn a_hash_that_is_over_is_asked_for_all_the_same() {
    let hash = "7087".repeat(16);
    let world = World::new(Chain { routed: "STATE_COMPLETED_SUCCESS", ..Chain::of(1, 60) });
    let explorer = world.explorer();
    explorer.press("6 t").type_text(&format!("demo-evm-1 {hash}")).press("enter");
    explorer.advance(seconds(3)).wait_for("✓ arrived").press("esc").advance(seconds(60));
    let before = asked_of(&world, &hash);
    explorer.press("t").type_text(&format!("demo-evm-1 {hash}")).press("enter").advance(seconds(1));
    assert!(asked_of(&world, &hash) > before, "{}", explorer.screen());
}

/// What was kept at one address is neither shown nor asked about at another, unless that has the same chain.
#[test]
fn addresses_share_what_is_kept_only_where_they_have_the_same_chain() {
    let hash = "7087".repeat(16);
    let home = tempfile::tempdir().expect("a folder");
    let state = home.path().join("state.sqlite");
    let open = |world: &World| {
        let builder = Explorer::builder().size(120, 30).at(at(60)).state_file(state.clone());
        let explorer = builder.server(world.server.url()).start();
        explorer.press("6 shift-tab");
        explorer
    };
    let first = World::new(Chain::of(1, 60));
    let explorer = open(&first);
    explorer.press("t").type_text(&format!("demo-evm-1 {hash}")).press("enter").wait_for("▶ moving");
    explorer.quit();

    let other = World::new(Chain { id: "other-1", ..Chain::of(2, 60) });
    let explorer = open(&other);
    explorer.advance(seconds(5));
    assert!(!explorer.screen().contains("7087"), "{}", explorer.screen());
    explorer.quit();
    let anew = World::new(Chain::of(3, 60));
    let explorer = open(&anew);
    explorer.advance(seconds(5));
    assert!(!explorer.screen().contains("7087"), "the same id is not the same chain:\n{}", explorer.screen());
    explorer.quit();
    assert_eq!((asked_of(&other, &hash), asked_of(&anew, &hash)), (0, 0));

    let again = World::new(Chain::of(1, 65));
    let explorer = open(&again);
    explorer.advance(seconds(5)).wait_for("moving");
    assert!(asked_of(&again, &hash) > 0);
    explorer.quit();
}

#[test]
fn a_chain_that_began_anew_between_two_sessions_marks_its_transfers() {
    let hash = "7087".repeat(16);
    let home = tempfile::tempdir().expect("a folder");
    let world = World::new(Chain::of(1, 60));
    let open = || {
        let builder = Explorer::builder().size(120, 30).at(at(60)).state_file(home.path().join("state.sqlite"));
        let explorer = builder.server(world.server.url()).start();
        explorer.press("6 shift-tab");
        explorer
    };
    let explorer = open();
    explorer.press("t").type_text(&format!("demo-evm-1 {hash}")).press("enter").wait_for("▶ moving");
    explorer.quit();
    world.set(Chain { begun: 10, routed: "", ..Chain::of(2, 5) });
    let explorer = open();
    explorer.wait_for("∅ chain gone").press("enter").wait_for("The transfer belongs to the old demo-evm-1");
    let asked = asked_of(&world, &hash);
    explorer.advance(seconds(30));
    assert_eq!(asked_of(&world, &hash), asked);
    explorer.quit();
}

/// A session begins with what the last one looked at; a page of a chain that is gone is not opened, its tab is.
#[test]
fn the_last_view_comes_back_on_the_same_chain_alone() {
    let home = tempfile::tempdir().expect("a folder");
    let state = home.path().join("state.sqlite");
    let world = World::new(Chain::of(1, 60));
    let open = || {
        let builder = Explorer::builder().size(120, 30).at(at(60)).state_file(state.clone());
        builder.server(world.server.url()).start()
    };
    let explorer = open();
    explorer.wait_for("[1 Overview]").press("2 :").type_text("42").press("enter").wait_for("Block 42 ");
    // What is kept last is what the store has when it ends.
    explorer.settle();
    explorer.quit();
    let explorer = open();
    explorer.wait_for("[2 Blocks]").wait_for("Block 42 ").press("esc").wait_for("Blocks").press("4").settle();
    explorer.quit();
    let explorer = open();
    explorer.wait_for("[4 NFTs]").press("2 :").type_text("42").press("enter").wait_for("Block 42 ").settle();
    explorer.quit();
    world.set(Chain::of(2, 60));
    let explorer = open();
    explorer.wait_for("[2 Blocks]").advance(seconds(5));
    assert!(!explorer.screen().contains("Block 42 "), "{}", explorer.screen());
    explorer.quit();
}
