//! Readers of a database, as it comes and goes.

use std::time::{Duration, Instant};

use rollscope::{
    domain::Vm,
    indexer::{
        index::{Index, IndexFeed, IndexIdentity, PostgresUrl},
        node::{FollowOptions, ServiceOptions},
    },
};

use crate::harness::{
    index::open_database,
    player::{NodePlayer, Served},
    postgres::{CutProxy, PostgresServer},
    recording::Recording,
};

const BLOCKS: &str = "/indexer/block/v1/blocks?pagination.limit=5";

#[tokio::test]
async fn a_page_is_refused_for_a_moment_while_the_database_is_away() {
    let Some(server) = PostgresServer::start() else { return };
    let url: PostgresUrl = format!("{}&schema=rs_one", server.create_database()).parse().expect("a URL");
    let player = NodePlayer::start(&Recording::fixture("minievm-1.1", Vm::Evm).cut(20));
    let identity = IndexIdentity { vm: Vm::Evm, feed: IndexFeed::Node, facts: Vec::new() };
    let index = open_database(&url, &identity).expect("the tables can be made");
    let follow = FollowOptions { has_rich_list: false, ..FollowOptions::default() };
    let options = ServiceOptions { follow, ..ServiceOptions::default() };
    let writer = player.served_with(index, options).await.expect("the node is found");
    writer.filled().await;
    let reader = Index::read_only_postgres(&url, "rs_one").expect("the tables are there");
    let reader = Served::of_reader(reader, ServiceOptions { is_public: true, ..ServiceOptions::default() });
    assert_eq!(reader.json(BLOCKS).await["blocks"], writer.json(BLOCKS).await["blocks"]);
    drop(server);
    let (status, refusal) = reader.get(BLOCKS).await;
    assert_eq!(status, 503, "{refusal}");
    assert!(refusal.contains("the database of the index does not answer now"), "{refusal}");
    assert_eq!(reader.get("/health").await.0, 200, "the process itself is well");
}

/// A database that swallows packets answers nobody for a minute; probes of writer and reader do not wait for it.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn probes_wait_for_no_database_that_hangs() {
    let Some(server) = PostgresServer::start() else { return };
    let proxy = CutProxy::start(server.port());
    let url = format!("{}&schema=rs_one", server.create_database());
    let through = url.replace(&format!(":{}/", server.port()), &format!(":{}/", proxy.port()));
    let url: PostgresUrl = through.parse().expect("a URL");
    let player = NodePlayer::start(&Recording::fixture("minievm-1.1", Vm::Evm).cut(20));
    let identity = IndexIdentity { vm: Vm::Evm, feed: IndexFeed::Node, facts: Vec::new() };
    let follow = FollowOptions { has_rich_list: false, ..FollowOptions::default() };
    let options = ServiceOptions { follow, is_public: true, ..ServiceOptions::default() };
    let index = tokio::task::block_in_place(|| open_database(&url, &identity).expect("the tables can be made"));
    let writer = player.served_with(index, options).await.expect("the node is found");
    writer.filled().await;
    let reader = tokio::task::block_in_place(|| Index::read_only_postgres(&url, "rs_one").expect("they are there"));
    let reader = Served::of_reader(reader, options);
    for served in [&writer, &reader] {
        served.until("/ready", |ready| ready["ready"] == true).await;
    }
    proxy.cut(true);
    for served in [&writer, &reader] {
        // What waits for the database holds all of its connections.
        let pages = (0..6).map(|page| format!("{BLOCKS}&pagination.offset={page}"));
        let waiting: Vec<_> = pages.map(|page| tokio::spawn(reqwest::get(format!("{}{page}", served.url())))).collect();
        for _ in 0..2 {
            for (path, expected) in [
                ("/health", "ok"),
                ("/version", "rollscope"),
                ("/ready", "ready"),
                ("/metrics", "rollscope_height 20\nrollscope"),
            ] {
                let asked = Instant::now();
                let (_, body) = served.get(path).await;
                // A busy machine needs more than the 80 ms that a sample is waited for, and less than a database.
                assert!(asked.elapsed() < Duration::from_secs(10), "{path}: {:?}", asked.elapsed());
                let expected = expected.split('\n').all(|part| body.contains(part));
                assert!(expected, "{path}: {body}");
            }
        }
        waiting.iter().for_each(tokio::task::JoinHandle::abort);
    }
    proxy.cut(false);
}

/// On a chain at rest nothing is written, so that no write finds out that another process was elected.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_follower_that_lost_its_lease_ends_without_a_new_block() {
    let Some(server) = PostgresServer::start() else { return };
    let database = server.create_database();
    for (schema, tip) in [("rs_one", 20), ("rs_two", 35)] {
        let url: PostgresUrl = format!("{database}&schema={schema}").parse().expect("a URL");
        let player = NodePlayer::start(&Recording::fixture("minievm-1.1", Vm::Evm).cut(tip));
        let identity = IndexIdentity { vm: Vm::Evm, feed: IndexFeed::Node, facts: Vec::new() };
        let index = tokio::task::block_in_place(|| open_database(&url, &identity).expect("the tables can be made"));
        let follow = FollowOptions { has_rich_list: false, ..FollowOptions::default() };
        let options = ServiceOptions { follow, is_public: true, ..ServiceOptions::default() };
        let running = player.served_with(index, options).await.expect("the node is found");
        running.filled().await;
        // Everything is written by then.
        let mut last = running.json("/status").await;
        loop {
            tokio::time::sleep(Duration::from_millis(300)).await;
            let now = running.json("/status").await;
            if now == last {
                break;
            }
            last = now;
        }
        let elect = format!(
            "BEGIN; UPDATE {schema}.epoch SET epoch = epoch + 1; UPDATE {schema}.lease SET holder = 'another'; COMMIT"
        );
        let place = database.clone();
        tokio::task::block_in_place(|| server.run("psql", &["-d", &place, "-X", "-q", "-c", &elect]));
        let elected = Instant::now();
        let ended = async {
            while running.get("/metrics").await.1.contains("rollscope_index_failed 0") {
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
        };
        tokio::time::timeout(Duration::from_secs(20), ended).await.expect("it ends");
        assert!(elected.elapsed() < Duration::from_secs(10), "{:?}", elected.elapsed());
        let (status, reasons) = running.get("/ready").await;
        assert_eq!(status, 503, "{reasons}");
        assert!(reasons.contains("another process (another) follows this rollup"), "{reasons}");
    }
}
