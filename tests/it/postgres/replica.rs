//! Readers of one database behind a balancer that sends each page elsewhere, one of them to a replica that lags.

use std::sync::{
    Arc,
    atomic::{AtomicU64, Ordering},
};

use rollscope::{
    domain::Vm,
    indexer::{
        index::{Index, IndexFeed, IndexIdentity, PostgresUrl},
        node::{FollowOptions, ServiceOptions},
    },
};

use crate::{
    harness::{
        index::open_database,
        player::{NodePlayer, Served},
        postgres::PostgresServer,
        recording::{RecordedBlock, Recording},
        rounds,
    },
    server::client::escape,
};

/// Lists, the field of their rows, and the name by which a row is known.
const LISTS: [(&str, &str, &str); 2] =
    [("/indexer/block/v1/blocks", "blocks", "height"), ("/indexer/tx/v1/txs", "txs", "txhash")];

/// Walks a list from its newest row to its oldest, each page by the next reader. A page that is refused, because the
/// replica lacks its key still, is asked for again.
async fn walked(
    readers: &[Served],
    first: usize,
    list: (&str, &str, &str),
    counts: &[AtomicU64; 2],
    grow: impl Fn(u64),
) -> Vec<String> {
    let (path, field, name) = list;
    let (mut rows, mut key, mut place) = (Vec::new(), String::new(), first);
    loop {
        let reader = readers.get(place % readers.len()).expect("a reader");
        let (status, body) = reader.get(&format!("{path}?pagination.limit=7{key}")).await;
        grow(1 + counts[0].fetch_add(1, Ordering::Relaxed));
        if status == 503 {
            counts[1].fetch_add(1, Ordering::Relaxed);
            continue;
        }
        assert_eq!(status, 200, "{body}");
        let page: serde_json::Value = serde_json::from_str(&body).expect("the answer is JSON");
        let named = page[field].as_array().expect("rows").iter();
        rows.extend(named.map(|row| row[name].as_str().expect("a name").to_owned()));
        let Some(next) = page["pagination"]["next_key"].as_str() else { return rows };
        key = format!("&pagination.key={}", escape(next));
        place += 1;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn readers_and_a_lagging_replica_leave_no_gap_and_double_nothing() {
    let Some(server) = PostgresServer::start() else { return };
    let text = format!("{}&schema=rs_one", server.create_database());
    let url: PostgresUrl = text.parse().expect("a URL");
    let recording = Recording::fixture("minievm-1.1", Vm::Evm);
    let player = Arc::new(NodePlayer::start(&recording));
    let (begun, last) = (player.last / 2, player.last);
    player.change(|stage| stage.tip = begun);
    let identity = IndexIdentity { vm: Vm::Evm, feed: IndexFeed::Node, facts: Vec::new() };
    let index = open_database(&url, &identity).expect("the tables can be made");
    let follow = FollowOptions { has_rich_list: false, ..FollowOptions::default() };
    let options = ServiceOptions { follow, ..ServiceOptions::default() };
    let writer = player.served_with(index, options).await.expect("the node is found");
    writer.filled().await;

    let replica = server.replica(300);
    let behind: PostgresUrl =
        text.replace(&server.port().to_string(), &replica.port().to_string()).parse().expect("a URL");
    let readers: Vec<Served> = [&url, &url, &url, &behind]
        .into_iter()
        .map(|url| Index::read_only_postgres(url, "rs_one").expect("the schema is an index"))
        .map(|index| Served::of_reader(index, ServiceOptions::default()))
        .collect();
    let (readers, counts) = (Arc::new(readers), Arc::new([AtomicU64::new(0), AtomicU64::new(0)]));
    let requests = if rounds() == 1 { 1_000 } else { 4_000 * rounds() };
    let walkers = (0..4_usize).map(|own| {
        let (readers, counts, player) = (Arc::clone(&readers), Arc::clone(&counts), Arc::clone(&player));
        tokio::spawn(async move {
            // The chain grows over the whole time.
            let grow = |asked: u64| {
                player.change(|stage| stage.tip = begun + (last - begun) * asked.min(requests) / requests);
            };
            let mut walks = Vec::new();
            while counts[0].load(Ordering::Relaxed) < requests {
                let which = (own + walks.len()) % LISTS.len();
                walks.push((which, walked(&readers, own + walks.len(), LISTS[which], &counts, grow).await));
            }
            walks
        })
    });
    let walkers: Vec<_> = walkers.collect();
    let mut walks = Vec::new();
    for walker in walkers {
        walks.extend(walker.await.expect("a walker ends well"));
    }
    writer.until("/status", |status| status["height"] == serde_json::json!(last)).await;
    let heights: Vec<String> = (1..=last).rev().map(|height| height.to_string()).collect();
    let hashes = recording.blocks.iter().flat_map(RecordedBlock::hashes);
    let whole = [heights, hashes.collect::<Vec<_>>().into_iter().rev().collect()];
    let shortest = walks.iter().filter(|(which, _)| *which == 0).map(|(_, rows)| rows.len()).min();
    assert!(shortest.is_some_and(|rows| rows as u64 >= begun && (rows as u64) < last), "{shortest:?}");
    for (which, rows) in &walks {
        assert!(whole[*which].ends_with(rows), "a walk of {} rows of {}", rows.len(), LISTS[*which].0);
    }
    for reader in readers.iter() {
        reader.until("/status", |status| status["height"] == serde_json::json!(last)).await;
    }
    let [asked, refused] = &*counts;
    println!("{} walks of {asked:?} pages, {refused:?} refused because the replica lagged", walks.len());
}
