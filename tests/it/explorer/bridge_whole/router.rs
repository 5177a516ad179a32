//! A router that fails in every way over HTTP, and recovers.

use std::{
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use serde_json::{Value, json};

use super::assert_shown;
use crate::{
    explorer::scripted::{self, Server, path},
    harness::{Explorer, replay::Answer},
};

/// What the router does when it is asked about transfers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mood {
    Unknown,
    Limited,
    Html,
    Hanging,
    Moving,
    Arrived,
}

fn hash() -> String {
    "C4".repeat(32)
}

fn chains() -> Value {
    let chain = |id: &str, name: &str| json!({"chain_id": id, "pretty_name": name, "chain_type": "cosmos"});
    json!({"chains": [chain("noble-1", "Noble"), chain("far-2", "Far")]})
}

fn assets() -> Value {
    let asset = json!({"denom": "uusdc", "chain_id": "far-2", "symbol": "USDC", "decimals": 6});
    json!({"chain_to_assets_map": {"far-2": {"assets": [asset]}}})
}

fn transfer(has_arrived: bool) -> Value {
    let tx = |chain: &str| json!({"chain_id": chain, "tx_hash": hash(), "explorer_link": ""});
    let (state, hop) = if has_arrived {
        ("STATE_COMPLETED_SUCCESS", "TRANSFER_SUCCESS")
    } else {
        ("STATE_PENDING", "TRANSFER_PENDING")
    };
    let arrival = if has_arrived { tx("far-2") } else { Value::Null };
    let txs = json!({"send_tx": tx("noble-1"), "receive_tx": arrival});
    let hop =
        json!({"ibc_transfer": {"from_chain_id": "noble-1", "to_chain_id": "far-2", "state": hop, "packet_txs": txs}});
    let next = if has_arrived { Value::Null } else { json!({"transfer_sequence_index": 0}) };
    let release = json!({"chain_id": "far-2", "denom": "uusdc", "amount": "7000000", "released": true});
    let release = if has_arrived { release } else { Value::Null };
    json!({"state": state, "transfer_sequence": [hop], "next_blocking_transfer": next, "transfer_asset_release": release,
        "error": null})
}

fn answer(mood: Mood, body: &Value) -> Answer {
    match mood {
        Mood::Unknown => Answer::typed(404, "application/json", r#"{"code":5,"message":"tx not found","details":[]}"#),
        Mood::Limited => Answer::typed(429, "application/json", r#"{"message":"slow down"}"#).with("retry-after", "40"),
        Mood::Html => Answer::typed(502, "text/html", "<html><body><h1>502 Bad Gateway</h1></body></html>"),
        Mood::Hanging => Answer::Stall(b""),
        Mood::Moving | Mood::Arrived => Answer::json(body.to_string()),
    }
}

/// A router whose mood the test changes, and how often it was asked for a status.
struct Router {
    mood: Arc<Mutex<Mood>>,
    asked: Arc<AtomicUsize>,
    server: Server,
}

impl Router {
    fn start() -> Self {
        let (mood, asked) = (Arc::new(Mutex::new(Mood::Unknown)), Arc::new(AtomicUsize::new(0)));
        let (present, count) = (Arc::clone(&mood), Arc::clone(&asked));
        let server = Server::new(move |seen, _| {
            let mood = *present.lock().expect("nobody panics with it");
            match path(seen) {
                "/v2/info/chains" => Answer::json(chains().to_string()),
                "/v2/fungible/assets" => Answer::json(assets().to_string()),
                "/v2/tx/track" => answer(mood, &json!({"tx_hash": hash(), "explorer_link": ""})),
                "/v2/tx/status" => {
                    count.fetch_add(1, Ordering::SeqCst);
                    answer(mood, &transfer(mood == Mood::Arrived))
                }
                _ => scripted::chain(seen, 3),
            }
        });
        Self { mood, asked, server }
    }

    fn turn(&self, mood: Mood) {
        *self.mood.lock().expect("nobody panics with it") = mood;
    }

    fn asked(&self) -> usize {
        self.asked.load(Ordering::SeqCst)
    }
}

fn seconds(count: u64) -> Duration {
    Duration::from_secs(count)
}

/// Lets time pass until the page says this.
fn wait(explorer: &Explorer, text: &str) {
    for _ in 0..90 {
        if explorer.screen().contains(text) {
            return;
        }
        explorer.advance(seconds(1));
    }
    panic!("it never says “{text}”:\n{}", explorer.screen());
}

#[test]
fn a_page_outlives_every_failure_of_its_router() {
    let router = Router::start();
    let builder = Explorer::builder().size(120, 36).at(scripted::genesis()).timeout(Duration::from_millis(500));
    let explorer = builder.server(router.server.url()).start();
    explorer.press("6 t").type_text(&format!("noble-1 {}", hash())).press("enter").wait_for("? unknown");
    wait(&explorer, "try 3 of 31 failed: ");
    router.turn(Mood::Moving);
    wait(&explorer, "▶ moving");
    assert_shown(&explorer, &["Noble → Far", "✓ the router tracks the transaction"]);

    router.turn(Mood::Limited);
    wait(&explorer, "limits requests for 40 s");
    let asked = router.asked();
    explorer.advance(seconds(20)).advance(seconds(19));
    assert_eq!(router.asked(), asked, "it is left alone for as long as it wants");
    router.turn(Mood::Html);
    wait(&explorer, "502");
    assert!(router.asked() > asked);
    router.turn(Mood::Hanging);
    wait(&explorer, "no response from the server within");
    assert_shown(&explorer, &["▶ moving", "Noble → Far"]);
    assert_eq!(explorer.bells(), 0, "nothing of this is an end");

    router.turn(Mood::Arrived);
    wait(&explorer, "✓ arrived  Arrived: 7 USDC on Far.");
    assert_eq!(explorer.bells(), 1);
    explorer.advance(seconds(5));
    assert!(!explorer.screen().contains("no answer"), "{}", explorer.screen());
    explorer.quit();
}
