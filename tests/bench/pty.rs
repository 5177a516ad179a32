//! What a person at a terminal feels, measured through a pseudo-terminal on the binary itself: the time to the first
//! frame and to the first rows, the time from a key to its frame, and what the explorer costs while nothing happens.
//! `cargo bench --bench pty`; the budgets are those of the design. `ROLLSCOPE=PROGRAM` measures another build. After
//! `--`, `names` measures only what a node costs that never answers a question about a name, beside one that does, and
//! `long` only a list of 100,000 transactions.

#![expect(clippy::expect_used, clippy::panic, reason = "a benchmark ends where it meets what cannot be")]

#[path = "../it/pty/terminal.rs"]
#[expect(dead_code, reason = "the tests use more of it")]
mod terminal;

use std::{
    env,
    fmt::Display,
    fs,
    io::{BufRead, BufReader},
    process::{Child, Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use axum::{
    body::{Body, to_bytes},
    extract::Request,
    http::Response,
};
use rustix::process::Pid;
use serde_json::{Value, json};
use terminal::{Output, Pty};

const SIZE: (u16, u16) = (200, 50);
const END_OF_FRAME: &[u8] = b"\x1b[?2026l";
/// A transaction in a list.
const FIRST_ROW: &str = "✓";
const STARTS: usize = 10;
const KEYS: usize = 300;
/// Longer than the loop's frame time, so that each key is the first change after quiet.
const BETWEEN_KEYS: Duration = Duration::from_millis(20);
const QUIET: Duration = Duration::from_secs(4);
const PATIENCE: Duration = Duration::from_secs(2);

fn explorer() -> String {
    env::var("ROLLSCOPE").unwrap_or_else(|_| env!("CARGO_BIN_EXE_rollscope").to_owned())
}

fn main() {
    // `cargo test --all-targets` runs benches too, without this.
    if !env::args().any(|argument| argument == "--bench") {
        println!("measures only under cargo bench");
        return;
    }
    let profile = if cfg!(debug_assertions) { "debug: no budget holds for it" } else { "bench: as release, thin LTO" };
    println!("{}\nprofile {profile}; {} by {}\n", explorer(), SIZE.0, SIZE.1);
    println!("{:<44}{:>24}   budget", "", "measured");
    for (word, measure) in [("names", measure_names as fn()), ("long", measure_long_list)] {
        if env::args().any(|argument| argument == word) {
            return measure();
        }
    }
    measure_starts("exec", STARTS, start_embedded);
    measure_embedded();
    measure_remote();
    measure_names();
    measure_long_list();
}

fn row(what: &str, measured: impl Display, budget: &str) {
    println!("{what:<44}{measured:>24}   {budget}");
}

fn milliseconds(span: Duration) -> String {
    format!("{:.2} ms", span.as_secs_f64() * 1e3)
}

/// The value under which this share of the sorted values lies.
fn percentile(sorted: &[Duration], percent: usize) -> Duration {
    let last = sorted.len().saturating_sub(1);
    sorted.get(last * percent / 100).copied().unwrap_or_default()
}

fn frames(output: &Output) -> usize {
    output.bytes.windows(END_OF_FRAME.len()).filter(|window| *window == END_OF_FRAME).count()
}

/// Where the first frame that ends at or after this place ends.
fn frame_end(output: &Output, from: usize) -> Option<usize> {
    let rest = output.bytes.get(from..)?;
    let position = rest.windows(END_OF_FRAME.len()).position(|window| window == END_OF_FRAME)?;
    Some(from + position + END_OF_FRAME.len() - 1)
}

fn start_embedded() -> Pty {
    Pty::spawn(&explorer(), &["demo", "--seed", "1"], &[], SIZE)
}

fn measure_starts(what: &str, starts: usize, start: impl Fn() -> Pty) {
    let (mut first_frames, mut first_rows) = (Vec::new(), Vec::new());
    for _ in 0..starts {
        let started = Instant::now();
        let mut pty = start();
        pty.wait_until("a frame", |output| frame_end(output, 0).is_some());
        let frame = pty.read(|output| frame_end(output, 0).and_then(|place| output.arrival(place)));
        first_frames.extend(frame.map(|at| at - started));
        pty.wait_for(FIRST_ROW);
        first_rows.push(started.elapsed());
        pty.keys("ctrl-c").wait_exit();
    }
    first_frames.sort_unstable();
    first_rows.sort_unstable();
    let budgets = if what == "exec" { ("25 ms", "300 ms") } else { ("the same in both", "the same in both") };
    let told = |name: &str, percent: usize, spans: &[Duration], budget: &str| {
        row(&format!("{what} to first {name}"), milliseconds(percentile(spans, percent)), budget);
    };
    for (order, percent) in [("median", 50), ("worst", 100)] {
        told(&format!("frame, {order} of {starts}"), percent, &first_frames, budgets.0);
        told(&format!("rows, {order} of {starts}"), percent, &first_rows, budgets.1);
    }
}

/// Queries about names and units: parts of a path, or of a JSON-RPC body (selectors of `symbol` and `decimals`). The
/// index itself asks contracts for the names of NFT collections.
const NAME_QUERIES: [&str; 10] = [
    "denoms_metadata",
    "DenomMetadata",
    "base_denom",
    "BaseDenom",
    "denom_traces",
    "/transfer/v1/denoms",
    "/smart/",
    "/evm/v1/denoms",
    "95d89b41",
    "313ce567",
];
/// Starts of each of the two explorers on a node.
const NODE_STARTS: usize = 5;

/// The explorer on a node that answers questions about names, and on the node behind a proxy that never does.
fn measure_names() {
    let Some(server) = Server::start(&[]) else {
        println!("\nrollscope serve does not start: nothing measured on a node");
        return;
    };
    for answers_names in [true, false] {
        let proxy = Proxy::start(&server.url, if answers_names { Answering::All } else { Answering::NoNames });
        let node = format!("{}/node/rpc", proxy.url);
        let what = if answers_names { "node with names" } else { "node silent on names" };
        let start = || Pty::spawn(&explorer(), &["--node", &node], &[], SIZE);
        measure_starts(what, NODE_STARTS, start);
        let mut pty = start();
        pty.wait_for(FIRST_ROW).keys("3").wait_for("Txs · ").keys("space");
        thread::sleep(Duration::from_secs(1));
        println!("{what}:");
        measure_keys(&mut pty, "key", ["j", "k"]);
        pty.keys("ctrl-c").wait_exit();
    }
}

/// How a proxy changes what the server behind it answers.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Answering {
    All,
    NoNames,
    LongList,
}

/// A proxy in front of a server; ends when dropped.
struct Proxy {
    url: String,
    _runtime: tokio::runtime::Runtime,
}

impl Proxy {
    fn start(upstream: &str, answering: Answering) -> Self {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build();
        let runtime = runtime.expect("a runtime for the proxy");
        let client = rollscope::client::http_client().no_proxy().build().expect("a client for the proxy");
        let upstream = upstream.to_owned();
        let app = axum::Router::new().fallback(move |request: Request| {
            let (client, upstream) = (client.clone(), upstream.clone());
            async move { forward(request, &client, &upstream, answering).await }
        });
        let listener = runtime.block_on(tokio::net::TcpListener::bind("127.0.0.1:0")).expect("a free port");
        let url = format!("http://{}", listener.local_addr().expect("it was just bound"));
        runtime.spawn(async { axum::serve(listener, app).await });
        Self { url, _runtime: runtime }
    }
}

async fn forward(request: Request, client: &reqwest::Client, upstream: &str, answering: Answering) -> Response<Body> {
    let (head, body) = request.into_parts();
    let mut path = head.uri.to_string();
    let key = path.split("pagination.key=").nth(1).and_then(|rest| rest.split('&').next()?.parse().ok());
    let is_long = answering == Answering::LongList && path.starts_with("/indexer/tx/v1/txs?");
    if is_long {
        path = format!("/indexer/tx/v1/txs?pagination.limit={PAGE}&pagination.reverse=true");
    }
    let body = to_bytes(body, 1 << 24).await.expect("a request of this machine is whole");
    let text = String::from_utf8_lossy(&body);
    if answering == Answering::NoNames && NAME_QUERIES.iter().any(|query| path.contains(query) || text.contains(query))
    {
        std::future::pending::<()>().await;
    }
    let sent = client.request(head.method, format!("{upstream}{path}")).header("content-type", "application/json");
    let answer = sent.body(body).send().await.expect("the node behind the proxy answers");
    let response = Response::builder().status(answer.status()).header("content-type", "application/json");
    let body = answer.bytes().await.expect("the node's answer is whole");
    let body = if is_long { long_page(&body, key.unwrap_or_default()).into() } else { body };
    response.body(Body::from(body)).expect("an answer that was received can be sent")
}

/// The explorer with the rollup inside.
fn measure_embedded() {
    let mut pty = start_embedded();
    pty.wait_for(FIRST_ROW).keys("3").wait_for("Txs · ");
    let busy = measure_quiet(&pty);
    row("following, rollup inside: share of a core", percent(busy.cpu), "reported apart");
    row("memory, rollup inside", mebibytes(pty.pid()), "80 MiB");
    pty.keys("ctrl-c").wait_exit();
}

/// The explorer on a rollup in another process.
fn measure_remote() {
    let Some(server) = Server::start(&[]) else {
        println!("\nrollscope serve does not start: nothing measured on a remote network");
        return;
    };
    let arguments = ["--indexer", server.url.as_str(), "--router", server.url.as_str()];
    let mut pty = Pty::spawn(&explorer(), &arguments, &[], SIZE);
    pty.wait_for(FIRST_ROW);
    row("memory after start, remote", mebibytes(pty.pid()), "20 MiB");
    row("of it pages of files", memory(pty.pid(), "RssFile:"), "");
    pty.keys("3").wait_for("Txs · ");
    let following = measure_quiet(&pty);
    row("following, remote: share of a core", percent(following.cpu), "0.50 %");
    row("following, remote: frames in a second", rate(following.frames), "");
    pty.keys("space");
    // What was under way when it froze may still come.
    thread::sleep(Duration::from_secs(1));
    measure_keys(&mut pty, "key", ["j", "k"]);
    // Each shows a transaction for the first time.
    measure_keys(&mut pty, "key to a new row,", ["j", "j"]);
    thread::sleep(Duration::from_secs(1));
    let frozen = measure_quiet(&pty);
    row("frozen: frames", frozen.frames, "0");
    row("frozen: bytes", frozen.bytes, "0");
    row("frozen: share of a core", percent(frozen.cpu), "0.00 %");
    pty.keys("ctrl-c").wait_exit();
}

const LONG_LIST: usize = 100_000;
/// Rows of a page that the explorer asks for.
const PAGE: usize = 100;
const END_OF_LIST: &str = "— the end —";
/// Presses between two looks at the whole screen, and the most of them.
const BETWEEN_LOOKS: usize = 20;
const MOST_PRESSES: usize = 4_000;
/// Few enough to stay among the rows in memory.
const PAGES_UP: usize = 5;

/// Pages through a list of 100,000 transactions to its end, and times keys there and some pages above.
fn measure_long_list() {
    let Some(server) = Server::start(&["--history", "2000", "--block-time", "1h"]) else {
        println!("\nrollscope serve does not start: nothing measured on a long list");
        return;
    };
    let proxy = Proxy::start(&server.url, Answering::LongList);
    let arguments = ["--indexer", proxy.url.as_str(), "--router", server.url.as_str()];
    let mut pty = Pty::spawn(&explorer(), &arguments, &[], SIZE);
    pty.wait_for(FIRST_ROW).keys("3").wait_for("Txs · ").keys("space");
    let (mut presses, begun) = (0, Instant::now());
    let is_at_end = |pty: &Pty| pty.read(|output| output.screen().contains(END_OF_LIST));
    while presses < MOST_PRESSES {
        presses += 1;
        let has_frame = press(&mut pty, "pgdn").is_some();
        if (!has_frame || presses % BETWEEN_LOOKS == 0) && is_at_end(&pty) {
            break;
        }
    }
    let what = if is_at_end(&pty) { "presses to its end" } else { "presses, and no end" };
    row("rows of the long list", LONG_LIST, "");
    row(what, format!("{presses} in {:.0} s", begun.elapsed().as_secs_f64()), "");
    measure_keys(&mut pty, "key at the end", ["k", "j"]);
    for _ in 0..PAGES_UP {
        press(&mut pty, "pgup");
    }
    measure_keys(&mut pty, "key above the end", ["j", "k"]);
    row("memory after the long list", mebibytes(pty.pid()), "");
    pty.keys("ctrl-c").wait_exit();
}

/// A page of the long list: the server's newest transactions with other hashes, further down for each page.
fn long_page(newest: &[u8], page: usize) -> Vec<u8> {
    let mut answer: Value = serde_json::from_slice(newest).expect("a page is JSON");
    let rows = answer.get_mut("txs").and_then(Value::as_array_mut).expect("a page has transactions");
    let tip: usize = rows.first().and_then(|row| row["height"].as_str()?.parse().ok()).expect("a height");
    for (place, row) in rows.iter_mut().enumerate() {
        let hash = row["txhash"].as_str().map(|hash| format!("{page:08X}{}", hash.get(8..).unwrap_or_default()));
        row["txhash"] = hash.expect("a hash").into();
        row["height"] = (tip - page - usize::from(place >= PAGE / 2)).to_string().into();
    }
    let next = (page + 1 < LONG_LIST / PAGE).then(|| (page + 1).to_string());
    let pagination = answer.get_mut("pagination").expect("a page has its place");
    *pagination = json!({"previous_key": null, "next_key": next, "total": LONG_LIST.to_string()});
    serde_json::to_vec(&answer).expect("JSON is written")
}

/// Presses a key and returns the time until its frame is complete; `None` without a frame.
fn press(pty: &mut Pty, key: &str) -> Option<Duration> {
    let from = pty.read(|output| output.bytes.len());
    let pressed = Instant::now();
    pty.keys(key);
    while pressed.elapsed() < PATIENCE {
        if let Some(at) = pty.read(|output| frame_end(output, from).and_then(|place| output.arrival(place))) {
            return Some(at.saturating_duration_since(pressed));
        }
        thread::sleep(Duration::from_micros(200));
    }
    None
}

/// Presses these keys by turns, and times each until its frame is complete.
fn measure_keys(pty: &mut Pty, what: &str, keys: [&str; 2]) {
    let mut spans = Vec::new();
    for key in keys.into_iter().cycle().take(KEYS) {
        thread::sleep(BETWEEN_KEYS);
        spans.extend(press(pty, key));
    }
    spans.sort_unstable();
    row(&format!("{what} to frame, p50"), milliseconds(percentile(&spans, 50)), "1.2 ms");
    row(&format!("{what} to frame, p99"), milliseconds(percentile(&spans, 99)), "3 ms");
    row("keys that brought a frame", format!("{} of {KEYS}", spans.len()), "all");
}

/// What came and what was used in a quiet time.
struct Quiet {
    frames: usize,
    bytes: usize,
    /// Share of one core.
    cpu: f64,
}

fn measure_quiet(pty: &Pty) -> Quiet {
    let look = || (pty.read(frames), pty.read(|output| output.bytes.len()), cpu_time(pty.pid()));
    let begun = Instant::now();
    let before = look();
    thread::sleep(QUIET);
    let after = look();
    let cpu = (after.2.saturating_sub(before.2)).as_secs_f64() / begun.elapsed().as_secs_f64();
    Quiet { frames: after.0 - before.0, bytes: after.1 - before.1, cpu }
}

/// What all living threads have run so far, to the nanosecond where the system counts so finely.
fn cpu_time(pid: Pid) -> Duration {
    let tasks = fs::read_dir(format!("/proc/{}/task", pid.as_raw_pid())).expect("a running program has threads");
    tasks
        .filter_map(|task| fs::read_to_string(task.ok()?.path().join("schedstat")).ok())
        .filter_map(|line| line.split_whitespace().next()?.parse().ok())
        .map(Duration::from_nanos)
        .sum()
}

fn percent(share: f64) -> String {
    format!("{:.2} %", share * 100.0)
}

fn rate(frames: usize) -> String {
    format!("{:.1}", f64::from(u32::try_from(frames).unwrap_or(u32::MAX)) / QUIET.as_secs_f64())
}

/// The memory that the process holds now.
fn mebibytes(pid: Pid) -> String {
    memory(pid, "VmRSS:")
}

/// A part of the process's memory, by its name in Linux's status of a process.
fn memory(pid: Pid, part: &str) -> String {
    let status = fs::read_to_string(format!("/proc/{}/status", pid.as_raw_pid())).unwrap_or_default();
    let kibibytes = status
        .lines()
        .find_map(|line| line.strip_prefix(part))
        .and_then(|rest| rest.split_whitespace().next()?.parse::<u32>().ok());
    kibibytes.map_or_else(|| "unknown".to_owned(), |count| format!("{:.1} MiB", f64::from(count) / 1024.0))
}

/// `rollscope serve` in a process of its own. Killed when dropped.
struct Server {
    child: Child,
    url: String,
}

impl Server {
    fn start(history: &[&str]) -> Option<Self> {
        let mut child = Command::new(explorer())
            .args(["serve", "--listen", "127.0.0.1:0", "--seed", "1"])
            .args(history)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .ok()?;
        let output = child.stdout.take()?;
        let mut server = Self { child, url: String::new() };
        BufReader::new(output).read_line(&mut server.url).ok()?;
        server.url.truncate(server.url.trim_end().len());
        server.url.starts_with("http").then_some(server)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
