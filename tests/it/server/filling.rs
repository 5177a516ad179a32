//! While history is being indexed nothing is told as if it were whole.

use std::{
    sync::{Arc, Condvar, Mutex},
    time::Duration,
};

use rollscope::{
    client::{BlocksQuery, ClientOptions, IndexerClient, endpoints},
    demo::{
        Rollup, RollupOptions,
        chain::BlockProducer,
        ledger::{CommittedBlock, LedgerOptions},
    },
    domain::{Height, Timestamp},
    indexer::source::Source,
    msg::{Note, PageRequest, PageStart, Total},
    wire::ErrorKind,
};
use serde_json::{Value, json};

use super::{
    chain::{HandMade, account, height, txs_until},
    client::{ANYWHERE, Server, escape, heights, stepped, total},
};

const TIP: u64 = 500;
/// The lowest of the newest hundred, which are indexed first.
const EDGE: u64 = 401;

const BLOCKS: &str = "/indexer/block/v1/blocks";
const TXS: &str = "/indexer/tx/v1/txs";

/// Keeps the blocks below [`EDGE`] back until it is opened.
#[derive(Clone, Default)]
struct Gate(Arc<(Mutex<bool>, Condvar)>);

impl Gate {
    fn open(&self) {
        *self.0.0.lock().expect("nobody panicked") = true;
        self.0.1.notify_all();
    }

    fn pass(&self) {
        drop(
            self.0
                .1
                .wait_while(self.0.0.lock().expect("nobody panicked"), |is_open| !*is_open)
                .expect("nobody panicked"),
        );
    }
}

struct Gated {
    chain: Box<dyn BlockProducer>,
    gate: Gate,
}

impl Source for Gated {
    fn chain_id(&self) -> &str {
        self.chain.chain_id()
    }

    fn tip(&self) -> Option<Height> {
        self.chain.tip()
    }

    fn time(&self, height: Height) -> Timestamp {
        self.chain.time(height)
    }

    fn block(&self, height: Height) -> Option<CommittedBlock> {
        // The block below the first chunk is asked for its time.
        if height.get() + 1 < EDGE {
            self.gate.pass();
        }
        self.chain.block(height)
    }
}

impl BlockProducer for Gated {
    fn due(&self, height: Height) -> Timestamp {
        self.chain.due(height)
    }

    fn advance(&mut self) -> Height {
        self.chain.advance()
    }

    fn prune_below(&mut self, height: Height) {
        self.chain.prune_below(height);
    }
}

/// A server that has indexed the newest hundred blocks and waits for the others.
struct Filling {
    server: Server,
    gate: Gate,
}

impl Filling {
    fn start(options: RollupOptions) -> Self {
        let gate = Gate::default();
        let own = gate.clone();
        let make = move |ledger: LedgerOptions| {
            let chain: Box<dyn BlockProducer> = Box::new(Gated { chain: HandMade::boxed(ledger), gate: own });
            Ok(chain)
        };
        let rollup = Rollup::start_with(options, ANYWHERE, make).expect("it starts");
        Self { server: Server::of(rollup), gate }
    }

    fn ready() -> Self {
        let filling = Self::start(stepped(TIP));
        filling.server.rollup.wait_until_ready().expect("the newest blocks are in");
        filling
    }

    fn fill(&self) {
        self.gate.open();
        self.server.rollup.wait_until_indexed().expect("it indexes");
    }
}

impl Drop for Filling {
    fn drop(&mut self) {
        // Its thread would wait for ever.
        self.gate.open();
    }
}

/// Asserts that the answer is the refusal of what is not indexed yet.
fn assert_unindexed(answer: &str, path: &str) {
    let head = answer.to_ascii_lowercase();
    assert!(head.starts_with("http/1.1 503 "), "{path}: {answer}");
    assert!(head.contains("\r\nretry-after: 1\r\n"), "{path}: {answer}");
    assert!(head.contains(&format!("\r\nx-oldest-height: {EDGE}\r\n")), "{path}: {answer}");
    assert!(head.contains("content-type: text/plain") && answer.contains("the index is still"), "{path}: {answer}");
}

fn next(page: &Value) -> String {
    format!("pagination.key={}", escape(page["pagination"]["next_key"].as_str().expect("a key")))
}

#[tokio::test]
async fn the_end_of_a_list_is_told_only_where_it_is_one() {
    let filling = Filling::ready();
    let server = &filling.server;
    let first = server.json(&format!("{BLOCKS}?pagination.limit=60")).await;
    let second = server.json(&format!("{BLOCKS}?pagination.limit=60&{}", next(&first))).await;
    assert_eq!(heights(&second).last(), Some(&EDGE), "the page is short, and has a key all the same");
    assert_eq!(heights(&second).len(), 40);
    for page in [&first, &second] {
        assert_eq!(page["pagination"]["oldest_height"], json!(EDGE.to_string()));
        assert_eq!(total(page), -1);
    }
    let beyond = format!("{BLOCKS}?pagination.limit=60&{}", next(&second));
    assert_unindexed(&server.raw(&format!("GET {beyond}")), &beyond);

    let txs = server.json(&format!("{TXS}?pagination.limit=1000&pagination.count_total=false")).await;
    assert_eq!(total(&txs), 0, "nobody asked");
    let beyond = format!("{TXS}?{}", next(&txs));
    assert_unindexed(&server.raw(&format!("GET {beyond}")), &beyond);
    let of_account = format!("{TXS}/by_account/{}?pagination.limit=5", account(1).hex());
    let page = server.json(&of_account).await;
    assert_eq!((total(&page), &page["pagination"]["oldest_height"]), (-1, &json!(EDGE.to_string())));

    filling.fill();
    let first = server.json(&format!("{BLOCKS}?pagination.limit=1000")).await;
    assert_eq!((heights(&first).len() as u64, total(&first)), (TIP, TIP.cast_signed()));
    assert_eq!(first["pagination"], json!({"previous_key": null, "next_key": null, "total": TIP.to_string()}));
    let txs = server.json(&format!("{TXS}?pagination.limit=1")).await;
    assert_eq!(total(&txs), txs_until(TIP).cast_signed());
}

#[tokio::test]
async fn what_lies_below_is_not_said_to_be_missing() {
    let filling = Filling::ready();
    let server = &filling.server;
    let unknown = "AB".repeat(32);
    let below = [
        format!("{BLOCKS}/{}", EDGE - 1),
        format!("{BLOCKS}/1"),
        format!("{BLOCKS}?pagination.reverse=false"),
        format!("{BLOCKS}?pagination.offset=100"),
        format!("{TXS}?pagination.reverse=false"),
        format!("{TXS}?msgs=never.Seen"),
        format!("{TXS}/{unknown}"),
        format!("{TXS}/by_height/7"),
        format!("{TXS}/by_account/0x77"),
        format!("{TXS}/by_account/0x77?is_signer=true"),
        format!("/indexer/tx/v1/evm-txs/{unknown}"),
        format!("/indexer/tx/v1/evm-internal-txs/{unknown}"),
    ];
    for path in &below {
        assert_unindexed(&server.raw(&format!("GET {path}")), path);
    }
    // What is held is whole, and what is above the tip is not there.
    let block = server.json(&format!("{TXS}/by_height/{}", EDGE + 2)).await;
    assert!(block["pagination"]["oldest_height"].is_null() && total(&block) > 0, "{block}");
    assert_eq!(server.get(&format!("{BLOCKS}/{EDGE}")).await.status, 200);
    assert_eq!(server.get(&format!("{BLOCKS}/{}", TIP + 1)).await.refusal().0, 404);

    filling.fill();
    for path in [&below[6], &below[10], &below[11]] {
        assert_eq!(server.get(path).await.refusal().0, 404, "{path}");
    }
    for path in below.iter().take(6).chain(&below[7..10]) {
        let page = server.json(path).await;
        assert!(page["pagination"]["oldest_height"].is_null(), "{path}: {page}");
    }
}

#[tokio::test]
async fn status_says_how_far_down_the_index_is() {
    let filling = Filling::ready();
    let status = filling.server.json("/status").await;
    assert_eq!(
        (&status["height"], &status["oldest_height"], &status["is_complete"]),
        (&json!(TIP), &json!(EDGE), &json!(false))
    );
    filling.fill();
    let status = filling.server.json("/status").await;
    assert!(status.get("oldest_height").is_none() && status.get("is_complete").is_none(), "{status}");
}

#[tokio::test]
async fn the_client_understands_an_index_that_fills() {
    let filling = Filling::ready();
    let options = ClientOptions { tries: 1, ..ClientOptions::default() };
    let client = IndexerClient::new(&filling.server.rollup.url(), options).expect("the form is known");
    let status = client.status().await.expect("the form is known");
    assert_eq!((status.oldest_height, status.is_complete), (Some(EDGE), Some(false)));
    assert_eq!(client.oldest_block().await.expect("the form is known").map(|block| block.height), Some(height(EDGE)));

    let page = client.list(&BlocksQuery, &PageRequest::newest(1_000)).await.expect("the form is known");
    assert_eq!((page.items.len(), page.total), (100, Total::Unknown));
    assert_eq!(page.notes, [Note::Filling { oldest: height(EDGE) }]);
    let further = PageRequest { cursor: PageStart::Key(page.next.expect("more will come")), ..PageRequest::newest(9) };
    let error = client.list(&BlocksQuery, &further).await.unwrap_err();
    assert_eq!(error.kind, ErrorKind::NotIndexedYet { oldest: height(EDGE) });
    let error = client.one(endpoints::block(height(3))).await.unwrap_err();
    assert!(error.is_transient() && !error.is_not_found(), "{error}");
    assert!(error.to_string().contains("the oldest indexed block is 401"), "{error}");

    filling.fill();
    let page = client.list(&BlocksQuery, &further).await.expect("the form is known");
    assert_eq!((page.items.len(), page.notes), (9, vec![]), "the key holds when the others are there");
    assert_eq!(client.oldest_block().await.expect("the form is known").map(|block| block.height), Some(Height::FIRST));
}

#[tokio::test]
async fn with_quirks_nobody_is_answered_before_history_is_in() {
    let filling = Filling::start(RollupOptions { quirks: true, ..stepped(TIP) });
    let mut status = Box::pin(filling.server.json("/status"));
    assert!(tokio::time::timeout(Duration::from_millis(150), &mut status).await.is_err());
    filling.gate.open();
    let status = status.await;
    assert_eq!(status["height"], json!(TIP));
    assert!(status.get("oldest_height").is_none(), "{status}");
    let demo = filling.server.json("/demo/v1").await;
    assert_eq!(demo["index"]["from_height"], json!(1));
}
