//! An explorer under random keys and a server under readers, for as long as `.ci/long` says: what they hold of the
//! machine does not grow.

use std::{
    fs,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

use rustix::process::Pid;
use tokio::runtime::Runtime;

use super::{EXPLORER, Pty};

const READERS: usize = 8;
/// Between two keys.
const PACE: Duration = Duration::from_millis(30);
/// Keys that neither leave the explorer nor write outside of it.
const KEYS: [&str; 28] = [
    "1",
    "2",
    "3",
    "4",
    "5",
    "6",
    "j",
    "k",
    "h",
    "l",
    "n",
    "p",
    "g",
    "G",
    "enter",
    "esc",
    "esc",
    "tab",
    "shift-tab",
    "space",
    "pgdn",
    "pgup",
    "home",
    "end",
    "?",
    "f12",
    "f",
    "r",
];
const PATHS: [&str; 6] = [
    "/status",
    "/indexer/block/v1/blocks?pagination.limit=20",
    "/indexer/tx/v1/txs?pagination.limit=100",
    "/indexer/tx/v1/evm-txs?pagination.limit=100",
    "/indexer/block/v1/avg_blocktime",
    "/metrics",
];

/// What a process holds.
#[derive(Clone, Copy, Debug)]
struct Held {
    memory_kib: u64,
    files: usize,
    tasks: usize,
}

impl Held {
    fn of(process: Pid) -> Self {
        let folder = format!("/proc/{}", process.as_raw_pid());
        let count = |name: &str| fs::read_dir(format!("{folder}/{name}")).expect("the process runs").count();
        let status = fs::read_to_string(format!("{folder}/status")).expect("the process runs");
        let memory =
            status.lines().find_map(|line| line.strip_prefix("VmRSS:")?.split_whitespace().next()?.parse().ok());
        Self { memory_kib: memory.expect("its memory"), files: count("fd"), tasks: count("task") }
    }

    /// The middle values of some looks.
    fn middle(looks: &[Self]) -> Self {
        fn middle<T: Ord>(values: impl Iterator<Item = T>) -> T {
            let mut values: Vec<T> = values.collect();
            values.sort();
            values.swap_remove(values.len() / 2)
        }
        Self {
            memory_kib: middle(looks.iter().map(|held| held.memory_kib)),
            files: middle(looks.iter().map(|held| held.files)),
            tasks: middle(looks.iter().map(|held| held.tasks)),
        }
    }

    /// Compares the second quarter of the looks with the last one. The first is the start's.
    fn assert_flat(name: &str, looks: &[Self]) {
        let quarter = looks.len() / 4;
        let (early, late) = (Self::middle(&looks[quarter..2 * quarter]), Self::middle(&looks[3 * quarter..]));
        eprintln!("{name}: {early:?}, then {late:?}");
        assert!(late.memory_kib <= early.memory_kib + early.memory_kib / 10 + 8 * 1024, "{name}: memory grows");
        assert!(late.files <= early.files + 4 && late.tasks <= early.tasks + 2, "{name}: files or tasks grow");
    }
}

/// A sequence that looks random and is the same each time.
struct Sequence(u64);

impl Sequence {
    fn pick<T: Copy>(&mut self, of: &[T]) -> T {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        of[usize::try_from(self.0 % of.len() as u64).unwrap_or_default()]
    }
}

async fn read_for(url: String, seed: u64, is_over: Arc<AtomicBool>, read: Arc<AtomicU64>) {
    let client = rollscope::client::http_client().no_proxy().build().expect("a client");
    let mut sequence = Sequence(seed);
    while !is_over.load(Ordering::Relaxed) {
        let answer = client.get(format!("{url}{}", sequence.pick(&PATHS))).send().await.expect("it answers");
        assert!(answer.status().is_success() && !answer.bytes().await.expect("a whole answer").is_empty());
        read.fetch_add(1, Ordering::Relaxed);
        tokio::time::sleep(PACE).await;
    }
}

#[test]
#[ignore = "takes minutes: .ci/long runs it"]
fn memory_descriptors_and_tasks_stay_flat_under_random_keys_and_readers() {
    let seconds = std::env::var("ROLLSCOPE_SOAK").map_or(60, |seconds| seconds.parse().expect("a number of seconds"));
    let serve = ["serve", "--listen", "127.0.0.1:0", "--history", "2000", "--data", "soak.sqlite"];
    let mut server = Pty::spawn(EXPLORER, &serve, &[], (120, 36));
    server.wait_until("the address", |output| output.screen().lines().any(|line| line.starts_with("http://")));
    let url = server.read(|output| {
        let screen = output.screen();
        screen.lines().find(|line| line.starts_with("http://")).map(|line| line.trim_end().to_owned())
    });
    let url = url.expect("it was waited for");
    let runtime = Runtime::new().expect("a runtime");
    let (is_over, read) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicU64::new(0)));
    let readers: Vec<_> = (1..=READERS as u64)
        .map(|seed| runtime.spawn(read_for(url.clone(), seed, Arc::clone(&is_over), Arc::clone(&read))))
        .collect();

    let mut explorer = Pty::spawn(EXPLORER, &["--indexer", &url, "--router", &url], &[], (120, 36));
    explorer.wait_for("rollscope");
    let (begun, mut next, mut keys) = (Instant::now(), Instant::now(), Sequence(7));
    let (mut of_server, mut of_explorer, mut pressed) = (Vec::new(), Vec::new(), 0_u64);
    while begun.elapsed() < Duration::from_secs(seconds) {
        explorer.keys(keys.pick(&KEYS));
        pressed += 1;
        if Instant::now() >= next {
            next += Duration::from_secs(1);
            of_server.push(Held::of(server.pid()));
            of_explorer.push(Held::of(explorer.pid()));
        }
        thread::park_timeout(PACE);
    }
    is_over.store(true, Ordering::Relaxed);
    for reader in readers {
        runtime.block_on(reader).expect("no reader failed");
    }
    // Escape closes what is open; with the key after it in one piece, it would be Alt.
    for _ in 0..8 {
        explorer.keys("esc");
        thread::park_timeout(4 * PACE);
    }
    explorer.keys("2").wait_for("[2 Blocks]");
    eprintln!("{seconds} s, {pressed} keys, {} answers to {READERS} readers", read.load(Ordering::Relaxed));
    Held::assert_flat("server", &of_server);
    Held::assert_flat("explorer", &of_explorer);
}
