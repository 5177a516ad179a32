//! How many readers `serve --node` bears: the program runs in processes of its own, as the node and as the index.
//!
//! First as fast as 16 connections can ask, the same question again and again and a different one each time; then
//! readers that keep their connections and poll once a second. `ROLLSCOPE=PROGRAM` measures another build; a word after
//! `--` only the questions whose names have it. `ROLLSCOPE_BENCH_POSTGRES` names an empty database: then one reader and
//! three readers of it are compared.

#![expect(clippy::expect_used, reason = "a benchmark ends where it meets what cannot be")]

use std::{
    env, fs,
    io::{BufRead as _, BufReader},
    process::{Child, Command, Stdio},
    sync::Arc,
    time::{Duration, Instant},
};

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use serde_json::Value;
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpStream,
    time::{MissedTickBehavior, interval, sleep, timeout_at},
};

/// Connections of the first part.
const AT_ONCE: usize = 16;

const TXS: &str = "/indexer/tx/v1/txs?pagination.limit=";

/// A program that serves; it ends when dropped.
struct Served {
    child: Child,
    url: String,
}

impl Served {
    fn start(program: &str, arguments: &str) -> Self {
        let mut child = Command::new(program)
            .args(["serve", "--listen", "127.0.0.1:0"])
            .args(arguments.split(' '))
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program can be started");
        let out = child.stdout.take().expect("its output is piped");
        let mut line = String::new();
        BufReader::new(out).read_line(&mut line).expect("its output can be read");
        Self { child, url: line.trim_end().to_owned() }
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A connection that stays open.
struct Reader {
    stream: TcpStream,
    bytes: Vec<u8>,
}

impl Reader {
    async fn connect(url: &str) -> Option<Self> {
        let stream = TcpStream::connect(url.trim_start_matches("http://")).await.ok()?;
        stream.set_nodelay(true).ok()?;
        Some(Self { stream, bytes: Vec::with_capacity(64 * 1024) })
    }

    /// Asks, and returns the status; `None` if the connection ended. The body is left in `bytes`.
    async fn ask(&mut self, question: &str) -> Option<u16> {
        // A question may begin with the coding that its reader takes.
        let (coding, path) = question.split_once(' ').unwrap_or(("identity", question));
        let head = format!("GET {path} HTTP/1.1\r\nhost: a\r\naccept-encoding: {coding}\r\n\r\n");
        self.stream.write_all(head.as_bytes()).await.ok()?;
        self.bytes.clear();
        let head = loop {
            if self.stream.read_buf(&mut self.bytes).await.ok()? == 0 {
                return None;
            }
            if let Some(end) = self.bytes.windows(4).position(|part| part == b"\r\n\r\n") {
                break String::from_utf8_lossy(self.bytes.get(..end)?).to_ascii_lowercase();
            }
        };
        let status = head.get(9..12)?.parse().ok()?;
        let length = head.lines().find_map(|line| line.strip_prefix("content-length: "))?.parse::<usize>().ok()?;
        let mut left = (head.len() + 4 + length).saturating_sub(self.bytes.len());
        while left > 0 {
            match self.stream.read_buf(&mut self.bytes).await.ok()? {
                0 => return None,
                read => left = left.saturating_sub(read),
            }
        }
        self.bytes.drain(..head.len() + 4);
        Some(status)
    }
}

/// What readers met.
#[derive(Default)]
struct Met {
    times: Vec<Duration>,
    refused: usize,
    closed: usize,
}

impl Met {
    fn add(&mut self, status: Option<u16>, time: Duration) {
        match status {
            Some(200) => self.times.push(time),
            Some(_) => self.refused += 1,
            None => self.closed += 1,
        }
    }

    fn join(mut self, other: Self) -> Self {
        self.times.extend(other.times);
        Self { refused: self.refused + other.refused, closed: self.closed + other.closed, ..self }
    }

    fn say(mut self, name: &str, span: Duration) {
        self.times.sort_unstable();
        let at = |part: usize| {
            let place = self.times.len().saturating_sub(1) * part / 100;
            self.times.get(place).map_or(0.0, |time| time.as_secs_f64() * 1000.0)
        };
        let per_second = self.times.len() as u128 * 1000 / span.as_millis().max(1);
        println!(
            "{name}: {per_second} requests/s, p50 {:.1} ms, p99 {:.1} ms, longest {:.1} ms; {} refused, {} closed",
            at(50),
            at(99),
            at(100),
            self.refused,
            self.closed
        );
    }
}

/// Asks as fast as the connections can, which the servers share; `path` names the question by its number. Returns the
/// number of answers.
async fn race(
    urls: &[String],
    name: &str,
    span: Duration,
    path: impl Fn(u64) -> String + Send + Sync + 'static,
) -> usize {
    if !is_wanted(name) {
        return 0;
    }
    let (path, end) = (Arc::new(path), Instant::now() + span);
    let racers = (0..AT_ONCE as u64).zip(urls.iter().cycle().cloned()).map(|(own, url)| {
        let path = Arc::clone(&path);
        tokio::spawn(async move {
            let mut met = Met::default();
            let mut reader = Reader::connect(&url).await.expect("it listens");
            for number in (own..).step_by(AT_ONCE) {
                let begun = Instant::now();
                if begun >= end {
                    break;
                }
                let status = reader.ask(&path(number)).await;
                met.add(status, begun.elapsed());
                if status.is_none() {
                    reader = Reader::connect(&url).await.expect("it listens");
                }
            }
            met
        })
    });
    let mut met = Met::default();
    for racer in racers.collect::<Vec<_>>() {
        met = met.join(racer.await.expect("a reader ends"));
    }
    let answers = met.times.len();
    met.say(name, span);
    answers
}

/// Readers that poll once in a period, evenly spread over it.
async fn poll(url: &str, path: &'static str, readers: u32, period: Duration, rounds: u32) {
    if !is_wanted("readers that poll") {
        return;
    }
    let begun = Instant::now();
    let pollers = (0..readers).map(|own| {
        let url = url.to_owned();
        tokio::spawn(async move {
            sleep(period * own / readers).await;
            let mut met = Met::default();
            let Some(mut reader) = Reader::connect(&url).await else {
                met.closed = rounds as usize;
                return met;
            };
            let mut ticks = interval(period);
            ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
            for _ in 0..rounds {
                let tick = ticks.tick().await;
                let asked = timeout_at(tick + Duration::from_secs(30), reader.ask(path)).await.ok().flatten();
                met.add(asked, tick.elapsed());
                if asked.is_none()
                    && let Some(again) = Reader::connect(&url).await
                {
                    reader = again;
                }
            }
            met
        })
    });
    let mut met = Met::default();
    for poller in pollers.collect::<Vec<_>>() {
        met = met.join(poller.await.expect("a reader ends"));
    }
    met.say(&format!("{readers} readers of {path}"), begun.elapsed());
}

fn raise_file_limit() {
    let Rlimit { maximum, .. } = getrlimit(Resource::Nofile);
    // Where that fails, the readers that cannot connect are counted.
    let _ = setrlimit(Resource::Nofile, Rlimit { current: maximum, maximum });
}

/// The first word of an answer that begins so.
fn word<'a>(text: &'a str, start: &str) -> &'a str {
    let from = text.find(start).expect("the answer has one");
    let rest = text.get(from..).unwrap_or_default();
    rest.split(|letter: char| !letter.is_ascii_alphanumeric()).next().unwrap_or_default()
}

async fn ask_json(url: &str, path: &str) -> Value {
    let mut reader = Reader::connect(url).await.expect("it listens");
    assert_eq!(reader.ask(path).await, Some(200), "{path}");
    serde_json::from_slice(&reader.bytes).expect("the answer is JSON")
}

/// Whether the question with this name is among those to measure.
fn is_wanted(name: &str) -> bool {
    env::args().skip(1).find(|argument| !argument.starts_with("--")).is_none_or(|part| name.contains(&part))
}

/// Waits until older blocks are filled: before, each answer is soon out of date.
async fn filled(url: &str) {
    loop {
        let status = ask_json(url, "/status").await;
        let is_listed = status.get("rich_list_height").is_some_and(Value::is_u64);
        if is_listed && status.pointer("/node/missing_blocks").and_then(Value::as_u64) == Some(0) {
            break;
        }
        sleep(Duration::from_millis(100)).await;
    }
}

/// Processor time of processes, in ticks of 10 ms.
fn ticks(is_counted: impl Fn(u32, &str) -> bool) -> u64 {
    let processes = fs::read_dir("/proc").into_iter().flatten().flatten();
    let stats = processes.filter_map(|process| fs::read_to_string(process.path().join("stat")).ok());
    let of_counted = stats.filter_map(|stat| {
        let (start, rest) = stat.rsplit_once(')')?;
        let (id, name) = start.split_once(" (")?;
        let field = |at: usize| rest.split(' ').nth(at)?.parse::<u64>().ok();
        is_counted(id.parse().ok()?, name).then(|| Some(field(12)? + field(13)?))?
    });
    of_counted.sum()
}

/// Compares what a request costs one reader of a database, and each of three.
async fn measure_readers(program: &str, data: &str, url: &str, span: Duration) {
    filled(url).await;
    let tip = ask_json(url, "/status").await.get("height").and_then(Value::as_u64).expect("a height");
    for readers in [1, 3, 1, 3] {
        let served: Vec<Served> = (0..readers)
            .map(|_| Served::start(program, &format!("--read-only --data {data} --log-level error")))
            .collect();
        let urls: Vec<String> = served.iter().map(|served| served.url.clone()).collect();
        let (of_readers, of_server) = (
            || ticks(|id, _| served.iter().any(|served| served.child.id() == id)),
            || ticks(|_, name| name == "postgres"),
        );
        for (name, path) in [("pages", TXS), ("by height", "/indexer/tx/v1/txs/by_height/")] {
            let question = move |number: u64| {
                let height = 1 + number * 7_919 % tip;
                if path == TXS { format!("{TXS}100&pagination.offset={height}") } else { format!("{path}{height}") }
            };
            let before = (of_readers(), of_server());
            let answers = race(&urls, &format!("{readers} readers, {name}"), span, question).await as u64;
            let each = |ticks: u64| ticks * 10_000 / answers.max(1);
            let (reader, database) = (each(of_readers() - before.0), each(of_server() - before.1));
            println!("processor time of a request: {reader} us of the reader, {database} us of the database");
        }
    }
}

async fn measure(url: &str, span: Duration, is_test: bool) {
    filled(url).await;
    let tip = ask_json(url, "/status").await.get("height").and_then(Value::as_u64).expect("a height");
    let newest = ask_json(url, &format!("{TXS}1")).await.to_string();
    let account = word(&newest, "init1").to_owned();
    let fee = ask_json(url, &format!("{TXS}100")).await.to_string();
    // A symbol in a message is no denom of the bank.
    let mut lists = fee
        .split("\"denom\":\"")
        .skip(1)
        .filter_map(|rest| rest.split('"').next())
        .map(|denom| format!("/indexer/richlist/v1/{}?pagination.limit=100", denom.replace('/', "%2F")));
    let mut reader = Reader::connect(url).await.expect("it listens");
    let rich_list = loop {
        let path = lists.next().expect("a denom with a rich list");
        if reader.ask(&path).await == Some(200) {
            break path;
        }
        reader = Reader::connect(url).await.expect("it listens");
    };
    let urls = [url.to_owned()];
    println!("the same question, {AT_ONCE} connections, {tip} blocks:");
    for (name, path) in [
        ("/status", "/status".to_owned()),
        ("100 transactions", format!("{TXS}100")),
        ("100 transactions, zstd", format!("zstd {TXS}100")),
        ("an account's 100", format!("/indexer/tx/v1/txs/by_account/{account}?pagination.limit=100")),
        ("an account's 100, zstd", format!("zstd /indexer/tx/v1/txs/by_account/{account}?pagination.limit=100")),
        ("100 receipts", "/indexer/tx/v1/evm-txs?pagination.limit=100".to_owned()),
        ("a rich list", rich_list),
    ] {
        let mut reader = Reader::connect(url).await.expect("it listens");
        assert_eq!(reader.ask(&path).await, Some(200), "{path}");
        let name = format!("{name}, {} kB", reader.bytes.len() / 1000);
        race(&urls, &name, span, move |_| path.clone()).await;
    }
    println!("a different question each time:");
    let counted = ask_json(url, &format!("{TXS}1&pagination.count_total=true")).await;
    let total = counted.pointer("/pagination/total").and_then(Value::as_str).and_then(|total| total.parse().ok());
    let pages = total.unwrap_or(0_u64).saturating_sub(100).max(1);
    race(&urls, "pages", span, move |number| format!("{TXS}100&pagination.offset={}", number % pages)).await;
    race(&urls, "by height", span, move |number| format!("/indexer/tx/v1/txs/by_height/{}", 1 + number % tip)).await;
    println!("readers that poll:");
    let (rounds, period) = if is_test { (2, span) } else { (20, Duration::from_secs(1)) };
    let readers: &[u32] = if is_test { &[1, 16] } else { &[1, 16, 256, 1_000] };
    for readers in readers {
        poll(url, "/indexer/tx/v1/txs?pagination.limit=20", *readers, period, rounds).await;
    }
    poll(url, "/status", if is_test { 16 } else { 4_000 }, period, rounds).await;
}

fn main() {
    let is_test = env::args().any(|argument| argument == "--test");
    raise_file_limit();
    let program = env::var("ROLLSCOPE").unwrap_or_else(|_| env!("CARGO_BIN_EXE_rollscope").to_owned());
    let blocks = if is_test { 60 } else { 2_000 };
    let node = Served::start(&program, &format!("--history {blocks} --accounts 60 --block-time 1s --log-level error"));
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let file = folder.path().join("index.sqlite");
    let url = &node.url;
    let interfaces = format!("--node {url}/node/rpc --rest {url}/node/rest --json-rpc {url}/node/json-rpc");
    let database = env::var("ROLLSCOPE_BENCH_POSTGRES").ok();
    let data = database.clone().unwrap_or_else(|| file.display().to_string());
    let served = Served::start(&program, &format!("{interfaces} --data {data} --log-level error"));
    let span = if is_test { Duration::from_millis(200) } else { Duration::from_secs(5) };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime can be built");
    match database {
        Some(_) => runtime.block_on(measure_readers(&program, &data, &served.url, span)),
        None => runtime.block_on(measure(&served.url, span, is_test)),
    }
}
