//! The network that was left for another one, shown again.

use std::{
    sync::{
        Arc, Mutex,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use tokio::sync::Notify;

use super::{
    heights,
    scripted::{Server, chain, path},
};
use crate::harness::{
    Explorer,
    replay::{Answer, Seen},
};

/// A chain whose answers wait while they are held.
#[derive(Clone, Default)]
struct HeldChain {
    height: Arc<AtomicU64>,
    /// A gate for each answer that is held; `None` while none is.
    gates: Arc<Mutex<Option<Vec<Arc<Notify>>>>>,
}

impl HeldChain {
    fn serve(&self) -> Server {
        let held = self.clone();
        Server::new(move |seen, _| {
            let answer = chain(seen, held.height.load(Ordering::SeqCst));
            match held.gates.lock().expect("no test panics with it").as_mut() {
                Some(gates) => {
                    let gate = Arc::new(Notify::new());
                    gates.push(Arc::clone(&gate));
                    Answer::After(gate, Box::new(answer))
                }
                None => answer,
            }
        })
    }

    fn hold(&self) {
        *self.gates.lock().expect("no test panics with it") = Some(Vec::new());
    }

    fn let_go(&self) {
        let gates = self.gates.lock().expect("no test panics with it").take();
        gates.into_iter().flatten().for_each(|gate| gate.notify_one());
    }
}

fn choose_another(explorer: &Explorer) {
    explorer.press(":").type_text("use https://far.example").press("enter").wait_for("┌ Network");
    explorer.keys("enter");
}

#[test]
fn a_network_returns_as_it_was_left_with_its_age_until_it_is_asked_again() {
    let held = HeldChain::default();
    held.height.store(40, Ordering::SeqCst);
    let server = held.serve();
    let explorer = server.explorer().size(120, 30).returning_after(Duration::from_secs(240)).start();
    explorer.press("2 j j enter").wait_for("› Block 38").press("esc").wait_gone("›").wait_for("● live");
    let before = heights(&explorer);
    assert_eq!(before[..3], [40, 39, 38]);
    held.hold();
    held.height.store(45, Ordering::SeqCst);
    choose_another(&explorer);
    explorer.wait_for("it was away").wait_for("last answer 4 min ago");
    assert_eq!(heights(&explorer), before, "the rows that were there");
    explorer.wait_for("height 40 · 4 min ");
    held.let_go();
    explorer.settle().wait_for("● live").wait_for("height 45 · 4 min ").wait_for("▲ 5 new");
    assert_eq!(heights(&explorer), before, "the cursor is on its row");
    explorer.press("enter").wait_for("› Block 38").press("esc").wait_gone("›").press("L").wait_for("› Block 38");

    explorer.press(":").type_text("use").press("enter").wait_for("┌ Network");
    explorer.wait_for("far-1").wait_for("kept until 13:05:00 UTC · 2 live transfers, paused");
    explorer.wait_for("kept networks return as you left them; the others open new").press("esc");
    explorer.advance(Duration::from_secs(60)).press(":").type_text("use").press("enter").wait_for("┌ Network");
    assert!(!explorer.screen().contains("kept"), "its time is over:\n{}", explorer.screen());
    explorer.press("esc");
    explorer.quit();
}

#[test]
fn a_frozen_screen_is_frozen_after_the_return() {
    let held = HeldChain::default();
    held.height.store(40, Ordering::SeqCst);
    let server = held.serve();
    let explorer = server.explorer().size(120, 30).returning_after(Duration::from_secs(240)).start();
    explorer.press("2 space").wait_for("■ frozen");
    let polls = || {
        let is_poll = |seen: &&Seen| path(seen) == "/status" || path(seen) == "/indexer/block/v1/blocks";
        server.seen().iter().filter(is_poll).count()
    };
    let asked = polls();
    held.height.store(45, Ordering::SeqCst);
    choose_another(&explorer);
    explorer.wait_for("it was away").settle().wait_for("■ frozen");
    assert_eq!((polls(), heights(&explorer)[0]), (asked, 40));
    explorer.quit();
}
