//! Readers beside a writer of the same file: an answer is never older than the index at the time of its request.

use std::{sync::atomic::AtomicBool, sync::atomic::Ordering, thread, time::Duration};

use super::*;
use crate::{
    domain::{BlockHash, Height, Timestamp, Vm},
    indexer::{
        http::{self, Api},
        index::{IndexFeed, IndexIdentity},
        source::{BlockProposer, CommittedBlock},
    },
};

const BLOCKS: u64 = 300;

fn block(at: u64) -> CommittedBlock {
    CommittedBlock {
        height: Height::new(at).unwrap(),
        hash: BlockHash::new([7; 32]),
        previous_hash: None,
        time: Timestamp::EPOCH.after(Duration::from_secs(at)),
        proposer: BlockProposer { consensus_address: None, validator: None },
        first_sequence: None,
        txs: Vec::new(),
        missing_txs: 0,
        events: Vec::new(),
    }
}

fn cache(index: &Arc<Index>) -> Arc<AnswerCache> {
    let api = Arc::new(Api::new(Arc::clone(index), false, false));
    let progress = watch::channel(NodeProgress::default()).1;
    Arc::new(AnswerCache::new(index, &Arc::new(http::routes(&api)), progress, Counter::default(), true))
}

async fn ask(cache: &AnswerCache, target: &str) -> Vec<u8> {
    let request = Request::builder().uri(target).body(Body::empty()).unwrap();
    let (_, response) = cache.answer(request, async { None }).await;
    assert_eq!(response.status(), StatusCode::OK, "{target}");
    axum::body::to_bytes(response.into_body(), usize::MAX).await.unwrap().into()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn no_answer_is_older_than_the_index_at_its_request() {
    let folder = tempfile::tempdir().unwrap();
    let identity = IndexIdentity { vm: Vm::Wasm, feed: IndexFeed::Node, facts: Vec::new() };
    let index = Arc::new(Index::in_file(&folder.path().join("index.sqlite"), &identity).unwrap());
    index.ingest(vec![block(1)], None).unwrap();
    let (cache, is_done) = (cache(&index), Arc::new(AtomicBool::new(false)));
    let readers = (0..4).map(|_| {
        let (cache, index, is_done) = (Arc::clone(&cache), Arc::clone(&index), Arc::clone(&is_done));
        tokio::spawn(async move {
            let mut asked = 0_u64;
            while !is_done.load(Ordering::Acquire) {
                let held = index.bounds().unwrap().unwrap().tip.get();
                let status: serde_json::Value = serde_json::from_slice(&ask(&cache, "/status").await).unwrap();
                assert!(status["height"].as_u64().unwrap() >= held, "{status} at {held}");
                asked += 1;
            }
            asked
        })
    });
    let readers: Vec<_> = readers.collect();
    let (writing, done) = (Arc::clone(&index), Arc::clone(&is_done));
    let writer = thread::spawn(move || {
        for at in 2..=BLOCKS {
            let previous = Timestamp::EPOCH.after(Duration::from_secs(at - 1));
            writing.ingest(vec![block(at)], Some(previous)).unwrap();
        }
        done.store(true, Ordering::Release);
    });
    let mut asked = 0;
    for reader in readers {
        asked += reader.await.unwrap();
    }
    writer.join().unwrap();
    assert!(asked > BLOCKS, "{asked} requests");
    assert!(cache.queries.get() < asked, "some answers were kept: {asked} requests");
    index.close();
}

#[tokio::test]
async fn kept_answers_stay_within_their_bytes() {
    let identity = IndexIdentity { vm: Vm::Wasm, feed: IndexFeed::Node, facts: Vec::new() };
    let index = Arc::new(Index::in_memory(&identity, 1_000).unwrap());
    index.ingest((1..=1_000).map(block).collect(), None).unwrap();
    let cache = cache(&index);
    let target = |at: usize| format!("/indexer/block/v1/blocks?pagination.limit=1000&at={at}");
    let size = ask(&cache, &target(0)).await.len();
    let most = MOST_BYTES / size + 2;
    for at in 1..most {
        ask(&cache, &target(at)).await;
        if at % 10 == 0 {
            // What is requested again and again stays.
            ask(&cache, &target(0)).await;
        }
    }
    let made = cache.queries.get();
    assert_eq!(made, most as u64, "each was made once");
    let bytes = cache.with_store(|store| (store.bytes, store.entries.len())).unwrap();
    assert!(bytes.0 <= MOST_BYTES && bytes.1 < most, "{bytes:?} of {most}");
    ask(&cache, &target(0)).await;
    assert_eq!(cache.queries.get(), made, "it was kept");
    ask(&cache, &target(1)).await;
    assert_eq!(cache.queries.get(), made + 1, "it made room");
}
