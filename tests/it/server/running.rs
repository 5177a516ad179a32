use std::{net::TcpListener, sync::mpsc, time::Duration};

use rollscope::{
    demo::{ClockMode, Genesis, Rollup, RollupError, RollupOptions},
    domain::{Timestamp, Vm},
    indexer::index::IndexError,
};
use serde_json::json;

use super::{
    chain::{HandMade, options, txs_until},
    client::{ANYWHERE, Server, stepped, total},
};

fn start(options: RollupOptions) -> Result<Rollup, RollupError> {
    Rollup::start_with(options, ANYWHERE, |ledger| Ok(HandMade::boxed(ledger)))
}

#[tokio::test]
async fn steps_are_indexed_when_they_return() {
    let server = Server::with(stepped(10));
    for height in 11..=15 {
        assert_eq!(server.rollup.step(1).unwrap().get(), height);
        assert_eq!(server.json("/status").await["height"], json!(height));
    }
    assert_eq!(server.rollup.step(500).unwrap().get(), 515);
    let txs = server.json("/indexer/tx/v1/txs?pagination.limit=1").await;
    assert_eq!(total(&txs), i64::try_from(txs_until(515)).unwrap());
}

#[tokio::test]
async fn a_long_history_is_indexed_from_the_newest_down_to_the_first() {
    let server = Server::with(stepped(1_234));
    let demo = server.json("/demo/v1").await;
    assert_eq!(demo["index"], json!({"from_height": 1, "height": 1234, "tip": 1234}));
    let oldest = server.json("/indexer/block/v1/blocks?pagination.limit=1&pagination.reverse=false").await;
    assert_eq!((&oldest["blocks"][0]["height"], &oldest["blocks"][0]["block_time"]), (&json!("1"), &json!("0")));
}

#[test]
fn a_stop_frees_the_port_and_ends_the_threads() {
    let server = Server::with(stepped(10));
    let address = server.rollup.address();
    let (ended, waiting) = mpsc::channel();
    std::thread::spawn(move || {
        // Joins both threads.
        drop(server);
        let _ = ended.send(());
    });
    waiting.recv_timeout(Duration::from_secs(10)).expect("the threads end");
    TcpListener::bind(address).expect("nobody listens there any more");
}

#[test]
fn a_taken_port_is_named() {
    let taken = TcpListener::bind(ANYWHERE).unwrap();
    let address = taken.local_addr().unwrap();
    let error = Rollup::start_with(stepped(1), address, |ledger| Ok(HandMade::boxed(ledger))).unwrap_err();
    assert!(error.to_string().contains(&address.to_string()), "{error}");
}

#[test]
fn a_ledger_that_cannot_be_made_is_said_and_every_request_fails() {
    let mut ledger = options(7);
    ledger.accounts = 3;
    let rollup = Rollup::start(RollupOptions { ledger, ..stepped(10) }, ANYWHERE).unwrap();
    let error = rollup.wait_until_ready().unwrap_err().to_string();
    assert!(error.contains("too small"), "{error}");
    assert_eq!(rollup.failure(), Some(error));
    let server = Server::of(rollup);
    assert!(server.raw("GET /indexer/tx/v1/txs").ends_with("\r\n\r\nInternal Server Error"));
}

#[test]
fn the_wall_clock_makes_the_history_at_once_and_cannot_be_stepped() {
    let wall = RollupOptions { clock: ClockMode::Wall, genesis: Genesis::HistoryAgo, ..stepped(40) };
    let rollup = start(wall).unwrap();
    rollup.wait_until_indexed().unwrap();
    assert!(matches!(rollup.step(1), Err(RollupError::NotStepped)));
}

#[tokio::test]
async fn the_wall_clock_makes_blocks_when_they_are_due() {
    let mut ledger = options(7);
    ledger.genesis_time = Timestamp::now().before(Duration::from_secs(20));
    let server = Server::with(RollupOptions { clock: ClockMode::Wall, ledger, ..stepped(5) });
    // 40 half seconds have passed; the history of 5 is only what comes first.
    let height = async || server.json("/status").await["height"].as_u64().unwrap();
    let reached = async {
        while height().await < 41 {
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(Duration::from_secs(20), reached).await.expect("blocks go on");
}

#[tokio::test]
async fn a_file_is_resumed_where_it_ended() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("rollup.sqlite");
    let with_file = || RollupOptions { data: Some(path.clone()), ..stepped(30) };
    let before = {
        let server = Server::with(with_file());
        server.rollup.step(20).unwrap();
        server.get("/indexer/tx/v1/txs?pagination.limit=1000").await.text
    };
    let server = Server::with(with_file());
    assert_eq!(server.json("/status").await["height"], json!(50));
    assert_eq!(server.get("/indexer/tx/v1/txs?pagination.limit=1000").await.text, before);
    assert_eq!(server.rollup.step(5).unwrap().get(), 55);
    let page = server.json("/indexer/tx/v1/txs?pagination.limit=1").await;
    assert_eq!(total(&page), i64::try_from(txs_until(55)).unwrap());
}

#[test]
fn a_file_of_another_chain_is_refused_by_name() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("rollup.sqlite");
    let with = |ledger| RollupOptions { data: Some(path.clone()), ledger, ..stepped(10) };
    start(with(options(7))).unwrap().wait_until_indexed().unwrap();
    let mut other_vm = options(7);
    other_vm.vm = Vm::Move;
    let mut other_genesis = options(7);
    other_genesis.genesis_time = Timestamp::EPOCH;
    for (ledger, name) in [(options(8), "seed"), (other_vm, "virtual machine"), (other_genesis, "genesis time")] {
        let error = start(with(ledger)).unwrap_err();
        assert!(
            matches!(&error, RollupError::Index(IndexError::Belongs { name: found, .. }) if *found == name),
            "{error}"
        );
        assert!(error.to_string().contains("another rollup"), "{error}");
    }
    // Without a genesis time of one's own the file's is taken.
    let kept = RollupOptions { genesis: Genesis::HistoryAgo, ..with(options(7)) };
    start(kept).unwrap().wait_until_indexed().unwrap();
}

#[test]
fn a_chain_that_changed_its_mind_is_noticed() {
    let folder = tempfile::tempdir().unwrap();
    let data = Some(folder.path().join("rollup.sqlite"));
    let with_file = RollupOptions { data, ..stepped(10) };
    start(with_file.clone()).unwrap().wait_until_indexed().unwrap();
    let rollup = Rollup::start_with(with_file, ANYWHERE, |_| Ok(Box::new(Other(10)))).unwrap();
    let error = rollup.wait_until_indexed().unwrap_err().to_string();
    assert!(error.contains("block 10 differs"), "{error}");
    assert!(rollup.step(1).unwrap_err().to_string().contains("differs"));
}

/// A chain with the same name and other blocks.
struct Other(u64);

impl rollscope::indexer::source::Source for Other {
    fn chain_id(&self) -> &str {
        super::chain::CHAIN_ID
    }

    fn tip(&self) -> Option<rollscope::domain::Height> {
        rollscope::domain::Height::new(self.0)
    }

    fn time(&self, _: rollscope::domain::Height) -> Timestamp {
        Timestamp::EPOCH
    }

    fn block(&self, height: rollscope::domain::Height) -> Option<rollscope::demo::ledger::CommittedBlock> {
        let mut block = super::chain::block(options(7).genesis_time, height.get());
        block.hash = rollscope::domain::BlockHash::new([1; 32]);
        Some(block)
    }
}

impl rollscope::demo::chain::BlockProducer for Other {
    fn due(&self, _: rollscope::domain::Height) -> Timestamp {
        Timestamp::EPOCH
    }

    fn advance(&mut self) -> rollscope::domain::Height {
        self.0 += 1;
        super::chain::height(self.0)
    }

    fn prune_below(&mut self, _: rollscope::domain::Height) {}
}
