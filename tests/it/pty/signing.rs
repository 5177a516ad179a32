//! The explorer killed with signal 9 while the person's own wallet signs the next transaction of a transfer: what the
//! state file has then is all that the next explorer knows.

use std::{
    path::PathBuf,
    sync::{Arc, Mutex, OnceLock},
};

use rollscope::{
    domain::{ChainId, Timestamp, TransferRecord},
    store::{Store, StoreScope},
};
use rustix::process::Signal;
use serde_json::{Value, json};
use tokio::{runtime::Runtime, sync::Notify};

use super::{
    EXPLORER,
    terminal::{Output, Pty},
};
use crate::{
    cli::{
        bridge::signing::{AtNode, turns},
        chain::Chain,
    },
    harness::{replay::Answer, rounds},
    signing_page::{
        visit::{Visit, address_on},
        wallet::TestKey,
    },
};

const FIRST: &str = "62DBC8BF5953B7021105C0D86637FBD1B6F58803CAAC78D9187EF529F8C97235";
const TXS: &str = "/rest/cosmos/tx/v1beta1/txs";
/// As over SSH, so that no browser of the machine is opened.
const ELSEWHERE: [(&str, &str); 1] = [("SSH_CONNECTION", "10.0.0.2 5 10.0.0.1 22")];
const SIZE: (u16, u16) = (140, 50);

/// Router, nodes and indexer behind one address, and a transfer whose second transaction is the person's to sign.
struct World {
    server: Chain,
    node: Arc<Mutex<AtNode>>,
    key: TestKey,
    runtime: Runtime,
    route: String,
}

impl World {
    fn new(seed: u8) -> Self {
        let key = TestKey::new(seed);
        let (route, messages) = turns::route_and_messages(&key.bech32("init"));
        let mut messages: Value = serde_json::from_str(&messages).unwrap_or_default();
        // What a person would read and acknowledge first.
        messages["warning"] = Value::Null;
        let messages = messages.to_string();
        let (node, url): (_, Arc<OnceLock<String>>) = (Arc::new(Mutex::new(AtNode::Takes)), Arc::default());
        let (own, base) = (Arc::clone(&node), Arc::clone(&url));
        let server = Chain::scripted(move |seen| match seen.target.split('?').next().unwrap_or_default() {
            "/status" => {
                let status = json!({"version": "", "commit_hash": "", "chain_id": "civitia-1", "height": 100});
                Answer::json(status.to_string())
            }
            // Of the second transaction the router never hears.
            "/v2/tx/status" if !seen.target.contains(FIRST) => Answer::typed(404, "application/json", r#"{"code":5}"#),
            _ => {
                let node = own.lock().map_or(AtNode::Takes, |node| node.clone());
                turns::answer(seen, base.get().map(String::as_str).unwrap_or_default(), &messages, &node)
            }
        });
        drop(url.set(server.url().to_owned()));
        let runtime = Runtime::new().unwrap_or_else(|error| panic!("a runtime: {error}"));
        Self { server, node, key, runtime, route }
    }

    fn set(&self, node: AtNode) {
        *self.node.lock().unwrap_or_else(|error| panic!("no handler panics: {error}")) = node;
    }

    fn arguments(&self) -> [&str; 4] {
        ["--indexer", self.server.url(), "--router", self.server.url()]
    }

    /// The explorer on the transfer's page.
    fn start(&self) -> Pty {
        let arguments = self.arguments();
        let me = self.key.bech32("init");
        let hash = FIRST.parse().unwrap_or_else(|error| panic!("a hash: {error}"));
        let record = TransferRecord {
            route: Some(self.route.as_str().into()),
            addresses: vec![me; 3],
            ..TransferRecord::of_hash(ChainId::new("interwoven-1"), &hash, Timestamp::now())
        };
        let mut pty = Pty::spawn_in(EXPLORER, &arguments, &ELSEWHERE, SIZE, |home| {
            std::fs::create_dir_all(home.join("rollscope"))?;
            let mut store = Store::open(&home.join("rollscope/state.sqlite")).map_err(std::io::Error::other)?;
            store.save(&StoreScope::new(self.server.url()), &record).map_err(std::io::Error::other)
        });
        Self::open(&mut pty);
        pty.wait_for("prepare and send transaction 2");
        pty
    }

    /// Another one on the same state file, on the same page.
    fn start_beside(&self, killed: &Pty) -> Pty {
        let mut pty = killed.spawn_beside(EXPLORER, &self.arguments());
        Self::open(&mut pty);
        pty
    }

    fn open(pty: &mut Pty) {
        pty.wait_for("rollscope").keys("6").wait_for("Amount").keys("shift-tab").wait_for("· by state");
        pty.wait_for("Initia → Initia").keys("enter").wait_for("› Transfer ");
    }

    /// The wallet's side, once the explorer offers the transaction.
    fn visit(&self, pty: &mut Pty) -> Visit<'_> {
        pty.keys("W").wait_for("/sign/");
        Visit::opening(&self.runtime, &address_on(&pty.read(Output::screen)))
    }

    fn kept(&self, home: &std::path::Path) -> TransferRecord {
        let path: PathBuf = home.join("rollscope/state.sqlite");
        let store = Store::open(&path).unwrap_or_else(|error| panic!("the state file: {error}"));
        let kept = store.transfers(&StoreScope::new(self.server.url()));
        let mut kept = kept.unwrap_or_else(|error| panic!("it can be read: {error}"));
        assert_eq!(kept.len(), 1, "one transfer");
        kept.remove(0)
    }

    /// How often something was sent.
    fn sent(&self) -> usize {
        self.server.targets().iter().filter(|target| *target == TXS).count()
    }

    /// The next explorer knows the second transaction, and has nothing to send.
    fn assert_not_sent_again(&self, killed: &Pty) {
        let hash = self.kept(killed.home()).txs[1].hash.short();
        let mut next = self.start_beside(killed);
        next.wait_for(&hash).keys("W").wait_for("you have no transaction to sign now").keys("ctrl-c");
        assert_eq!(next.wait_exit(), 0);
        assert_eq!((self.sent(), self.kept(next.home()).txs.len()), (1, 2));
    }
}

fn kill(pty: &mut Pty) {
    pty.signal(Signal::KILL);
    pty.wait_exit();
}

/// How often both tests run; between them they kill three times.
fn worlds() -> impl Iterator<Item = World> {
    (0..rounds().div_ceil(3)).map(|round| World::new(u8::try_from(91 + round % 100).unwrap_or_default()))
}

#[test]
fn killed_before_the_signature_and_while_it_is_sent_nothing_is_lost_or_sent_twice() {
    worlds().for_each(|world| kill_before_and_while_sent(&world));
}

fn kill_before_and_while_sent(world: &World) {
    let mut first = world.start();
    world.visit(&mut first).stage("offer");
    kill(&mut first);
    assert_eq!((world.kept(first.home()).txs.len(), world.sent()), (1, 0), "nothing was signed");

    world.set(AtNode::Waits(Arc::new(Notify::new())));
    let mut second = world.start_beside(&first);
    second.wait_for("prepare and send transaction 2");
    let mut visit = world.visit(&mut second);
    let offer = visit.stage("offer");
    visit.sign(&offer, &world.key);
    second.wait_for("; broadcasting");
    world.server.wait_for_target(TXS);
    kill(&mut second);
    world.set(AtNode::Takes);
    world.assert_not_sent_again(&second);
}

#[test]
fn killed_after_the_send_the_transfer_goes_on_from_there() {
    worlds().for_each(|world| kill_after_the_send(&world));
    eprintln!("killed {} times while signing: nothing lost or sent twice", 3 * rounds().div_ceil(3));
}

fn kill_after_the_send(world: &World) {
    let mut first = world.start();
    let mut visit = world.visit(&mut first);
    let offer = visit.stage("offer");
    visit.sign(&offer, &world.key);
    assert_eq!(visit.stage("ended")["is_good"], true);
    kill(&mut first);
    let kept = world.kept(first.home());
    assert!(kept.changes.iter().any(|change| change.text == "sent"), "{:?}", kept.changes);
    world.assert_not_sent_again(&first);
}
