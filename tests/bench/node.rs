//! How fast a rollup is indexed from its node: the embedded rollup, in a process of its own on loopback, is the node.
//!
//! Says the time to the first rows, blocks and transactions per second down to the first block, the processor's time
//! and memory of the index's side alone, and the size of the file.

#![expect(clippy::expect_used, reason = "a benchmark ends where it meets what cannot be")]

use std::{
    fs,
    io::{BufRead as _, BufReader},
    path::Path,
    process::{Child, Command, Stdio},
    sync::Arc,
    time::{Duration, Instant},
};

use rollscope::{
    client::{ClientOptions, NodeAddresses, NodeClient},
    indexer::{
        ChainMetrics,
        index::{Index, IndexFeed, IndexIdentity},
        node::{ClientFeed, FollowOptions, NodeFollower},
    },
};
use tokio_util::sync::CancellationToken;

/// Requests at once.
const AT_ONCE: usize = 16;

/// A node; it ends when dropped.
struct ServedNode {
    child: Child,
    url: String,
}

impl ServedNode {
    fn start(blocks: u64) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_rollscope"))
            .args(["serve", "--listen", "127.0.0.1:0", "--history", &blocks.to_string(), "--block-time", "1h"])
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program can be started");
        let out = child.stdout.take().expect("its output is piped");
        let mut line = String::new();
        BufReader::new(out).read_line(&mut line).expect("its output can be read");
        Self { child, url: line.trim_end().to_owned() }
    }
}

impl Drop for ServedNode {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Processor time of this process so far, and the most memory that it had, in kB; 0 where the system does not say.
fn used() -> (Duration, u64) {
    let stat = fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields: Vec<u64> = stat
        .rsplit_once(") ")
        .map_or("", |(_, rest)| rest)
        .split(' ')
        .map(|field| field.parse().unwrap_or(0))
        .collect();
    // Ticks in user and system mode, of which a second has a hundred.
    let ticks = fields.get(11).unwrap_or(&0) + fields.get(12).unwrap_or(&0);
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peak =
        status.lines().find_map(|line| line.strip_prefix("VmHWM:")?.trim().strip_suffix(" kB")?.trim().parse().ok());
    (Duration::from_millis(ticks * 10), peak.unwrap_or(0))
}

/// Indexes all that the node has, and says how fast.
async fn follow(url: &str, name: &str, index: Index, file: Option<&Path>) {
    let (begun, (cpu, _)) = (Instant::now(), used());
    let addresses = NodeAddresses { node: url.to_owned(), ..NodeAddresses::default() };
    let client = NodeClient::find(&addresses, ClientOptions::default(), AT_ONCE).await.expect("it is a node");
    let index = Arc::new(index);
    let options = FollowOptions { has_rich_list: false, ..FollowOptions::default() };
    let follower = NodeFollower::new(ClientFeed::new(&client, &ChainMetrics::of_server()), Arc::clone(&index), options);
    let (mut progress, stop) = (follower.progress(), CancellationToken::new());
    let until = stop.clone();
    let following = tokio::spawn(async move { Box::pin(follower.run(&until)).await });
    progress.wait_for(|progress| progress.is_at_tip).await.expect("it follows");
    let first = begun.elapsed();
    progress.wait_for(|progress| progress.missing == 0).await.expect("it follows");
    let (span, (after, peak)) = (begun.elapsed(), used());
    stop.cancel();
    following.await.expect("it ends").expect("the index can be written");
    let held = index.bounds().expect("it can be read").expect("it holds blocks");
    index.close();
    let per_second = |count: u64| u128::from(count) * 1000 / span.as_millis().max(1);
    let cpu_millis = after.saturating_sub(cpu).as_millis() * 100 / u128::from(held.blocks());
    let size = file.and_then(|file| fs::metadata(file).ok()).map_or_else(String::new, |found| {
        format!(", {} kB a 1,000 transactions", found.len() / 1024 * 1000 / held.txs().max(1))
    });
    println!(
        "{name}: first rows after {} ms; {} blocks in {} ms, {} blocks/s, {} txs/s; {cpu_millis} ms of a processor a \
         100 blocks, peak {} MiB{size}",
        first.as_millis(),
        held.blocks(),
        span.as_millis(),
        per_second(held.blocks()),
        per_second(held.txs()),
        peak / 1024,
    );
}

fn main() {
    let is_test = std::env::args().any(|argument| argument == "--test");
    let node = ServedNode::start(if is_test { 150 } else { 3_000 });
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
    runtime.expect("a runtime can be built").block_on(async {
        let folder = tempfile::tempdir().expect("a temporary folder can be made");
        let file = folder.path().join("node.sqlite");
        let identity = IndexIdentity { vm: rollscope::domain::Vm::Evm, feed: IndexFeed::Node, facts: Vec::new() };
        let memory = Index::in_memory(&identity, 20_000).expect("memory can be had");
        follow(&node.url, "in memory", memory, None).await;
        let kept = Index::in_file(&file, &identity).expect("a file can be made");
        follow(&node.url, "in a file", kept, Some(&file)).await;
    });
}
