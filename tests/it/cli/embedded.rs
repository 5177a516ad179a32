//! The embedded rollup, served and asked from the command line.

use std::{
    io::{BufRead, BufReader, Read, Write as _},
    net::TcpStream,
    os::unix::net::UnixDatagram,
    process::{Child, Command, Stdio},
    time::Duration,
};

use rollscope::domain::Timestamp;
use rustix::process::{Pid, Signal, kill_process};
use serde_json::json;

use super::{
    parse,
    program::{Home, run},
};
use crate::harness::get;

/// A served rollup; it ends with the test.
pub(crate) struct Served {
    child: Child,
    pub(crate) url: String,
    /// Where it tells a service manager what it does.
    manager: UnixDatagram,
    // The folder of the manager's socket.
    _home: Home,
}

impl Served {
    pub(crate) fn start(arguments: &str) -> Self {
        Self::start_by(Command::new(env!("CARGO_BIN_EXE_rollscope")), None, arguments)
    }

    /// Starts it by a program that becomes it, and tells a service manager at this socket, else at a file.
    pub(crate) fn start_by(mut program: Command, manager: Option<(UnixDatagram, &str)>, arguments: &str) -> Self {
        let home = Home::empty();
        let socket = home.path().join("notify");
        let at_file = || (UnixDatagram::bind(&socket).expect("a socket can be made"), socket.clone().into_os_string());
        let (manager, socket) = manager.map_or_else(at_file, |(manager, name)| (manager, name.into()));
        manager.set_nonblocking(true).expect("a socket can be read without waiting");
        let mut child = program
            .env_clear()
            .env("HOME", home.path())
            .env("NOTIFY_SOCKET", socket)
            .args(["serve", "--listen", "127.0.0.1:0"])
            // A test that reads the log names the level.
            .args(["--log-level", "warn"].iter().filter(|_| !arguments.contains("--log-level")))
            .args(arguments.split_whitespace())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program can be started");
        let mut line = String::new();
        let out = child.stdout.take().expect("its output is piped");
        BufReader::new(out).read_line(&mut line).expect("its output can be read");
        let url = line.trim_end().to_owned();
        assert!(url.starts_with("http://127.0.0.1:") && !url.ends_with(":0"), "the first line is the address: {line}");
        Self { child, url, manager, _home: home }
    }

    /// What the service manager was told since it was last read.
    fn told(&self) -> String {
        let mut bytes = [0; 256];
        let length = self.manager.recv(&mut bytes).unwrap_or(0);
        String::from_utf8_lossy(&bytes[..length]).into_owned()
    }

    /// The body of a good answer.
    pub(crate) fn fetch(&self, path: &str) -> String {
        let url = format!("{}{path}", self.url);
        let fetched = std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
            runtime.block_on(async { get(url).await?.error_for_status()?.text().await })
        });
        fetched.join().expect("no panic").expect("a good answer")
    }

    fn ask(&self, arguments: &str) -> String {
        run(&format!("{arguments} --indexer {}", self.url)).good()
    }

    /// Its process.
    pub(crate) fn process(&self) -> u32 {
        self.child.id()
    }

    /// Sends a signal, and returns the exit status and what was complained of.
    pub(crate) fn end(mut self, signal: Signal) -> (Option<i32>, String) {
        assert_eq!(self.told(), "READY=1\n", "the address is printed when it is ready");
        kill_process(Pid::from_child(&self.child), signal).expect("the process is there");
        let ended = self.ended();
        let is_asked = matches!(signal, Signal::TERM | Signal::INT);
        assert_eq!(self.told(), if is_asked { "STOPPING=1\n" } else { "" });
        ended
    }

    /// Waits until the server ends by itself.
    pub(crate) fn ended(&mut self) -> (Option<i32>, String) {
        let mut complaint = String::new();
        let mut err = self.child.stderr.take().expect("its complaints are piped");
        err.read_to_string(&mut complaint).expect("they can be read");
        (self.child.wait().expect("it ends").code(), complaint)
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        // It has ended already where the test ended it.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn a_served_rollup_answers_and_ends_well_on_both_signals() {
    for signal in [Signal::TERM, Signal::INT] {
        let served = Served::start("--history 20");
        let status = parse(&served.ask("status"));
        assert!(status["height"].as_u64().is_some_and(|height| height >= 19), "{status}");
        assert_eq!(parse(&served.fetch("/ready")), json!({"ready": true}));
        let metrics = served.fetch("/metrics");
        assert!(metrics.contains("rollscope_http_requests_total{route=\"/status\",status=\"200\"} "), "{metrics}");
        assert_eq!(parse(&served.ask("blocks 19"))["chain_id"], status["chain_id"]);
        let table = served.ask("txs --height 19 --format table");
        assert!(table.starts_with("   Height  Hash"), "{table}");
        assert_eq!(served.end(signal), (Some(0), String::new()));
    }
}

#[test]
fn the_address_is_printed_when_the_history_is_in() {
    let served = Served::start("--history 600 --accounts 60 --block-time 24h --max-connections 8");
    let status = parse(&served.ask("status"));
    assert!(status.get("oldest_height").is_none(), "{status}");
    let oldest = parse(&served.ask("blocks --ascending --limit 1"));
    assert_eq!(oldest["blocks"][0]["height"], "1", "the first question already finds all of it");
    assert_eq!(oldest["pagination"]["total"], status["height"].to_string());

    let address = served.url.strip_prefix("http://").expect("a URL");
    let mut kept = Vec::new();
    let refused = loop {
        let mut stream = TcpStream::connect(address).expect("it listens");
        stream.write_all(b"GET /health HTTP/1.1\r\nHost: x\r\n\r\n").expect("it reads");
        let mut answer = [0; 512];
        let length = stream.read(&mut answer).expect("it answers");
        let answer = String::from_utf8_lossy(&answer[..length]).into_owned();
        if !answer.starts_with("HTTP/1.1 200 ") {
            break answer;
        }
        kept.push(stream);
        assert!(kept.len() <= 8, "no more than the maximum");
    };
    assert!(refused.starts_with("HTTP/1.1 503 ") && refused.contains("\r\nretry-after: 1\r\n"), "{refused}");
    assert!(!kept.is_empty(), "{refused}");
}

#[test]
fn the_same_seed_and_time_give_the_same_bytes() {
    // Blocks are far apart, so that none comes due while the test runs.
    let genesis = Timestamp::now().before(Duration::from_secs(20 * 24 * 60 * 60)).cut_to_seconds();
    let options = format!("--history 20 --block-time 24h --genesis-time {genesis}");
    let (one, two) = (Served::start(&options), Served::start(&options));
    let other = Served::start(&format!("{options} --seed 2"));
    let block = one.ask("blocks 19");
    assert_eq!(block, two.ask("blocks 19"));
    assert_ne!(block, other.ask("blocks 19"));
}

#[test]
fn faults_and_quirks_reach_the_server() {
    let failing = Served::start("--history 20 --fault error500");
    let sentence = run(&format!("status --indexer {}", failing.url)).bad(1);
    assert!(sentence.contains("failed (500)"), "{sentence}");

    // The page of the three oldest blocks; the real server gives a key on its last page too.
    let last_page = "blocks --limit 3 --key eyJoZWlnaHQiOjR9";
    let (quirky, plain) = (Served::start("--history 20 --quirks"), Served::start("--history 20"));
    assert!(parse(&quirky.ask(last_page))["pagination"]["next_key"].is_string());
    assert!(parse(&plain.ask(last_page))["pagination"]["next_key"].is_null());
}

#[test]
fn an_address_in_use_is_said() {
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap();
    let sentence = run(&format!("serve --listen {address} --history 20")).bad(1);
    assert!(sentence.contains(&format!("cannot listen on {address}")) && sentence.contains("--listen"), "{sentence}");
}

#[test]
fn a_file_of_another_seed_is_refused() {
    let home = Home::empty();
    let file = home.path().join("rollup.sqlite");
    let served = Served::start(&format!("--history 20 --data {}", file.display()));
    served.ask("blocks 19");
    assert_eq!(served.end(Signal::TERM).0, Some(0));
    let sentence = run(&format!("serve --listen 127.0.0.1:0 --history 20 --seed 9 --data {}", file.display())).bad(1);
    assert!(sentence.contains("seed"), "{sentence}");
}

#[test]
fn the_demo_network_answers_commands() {
    let status = parse(&run("-n demo status").good());
    assert!(status["height"].as_u64().is_some_and(|height| height >= 4999), "{status}");
}

/// A service manager in a container has a socket with a name and no file.
#[cfg(target_os = "linux")]
#[test]
fn a_manager_without_a_file_is_told_and_paths_for_operators_are_read_only() {
    use std::os::{linux::net::SocketAddrExt as _, unix::net::SocketAddr};

    for (name, history) in [("rollscope-test-one", "20"), ("rollscope-test-two/with.dots", "25")] {
        let name = format!("{name}-{}", std::process::id());
        let address = SocketAddr::from_abstract_name(&name).expect("a name");
        let manager = UnixDatagram::bind_addr(&address).expect("a socket can be made");
        let program = Command::new(env!("CARGO_BIN_EXE_rollscope"));
        let arguments = format!("--history {history}");
        let served = Served::start_by(program, Some((manager, &format!("@{name}"))), &arguments);
        let status = |method: &'static str, path: &str| {
            let address = served.url.strip_prefix("http://").expect("a URL");
            let mut stream = TcpStream::connect(address).expect("it listens");
            let request = format!("{method} {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
            stream.write_all(request.as_bytes()).expect("it reads");
            let mut answer = String::new();
            stream.read_to_string(&mut answer).expect("it answers");
            answer
        };
        for path in ["/health", "/ready", "/version", "/metrics"] {
            for method in ["POST", "DELETE"] {
                let answer = status(method, path);
                assert!(answer.starts_with("HTTP/1.1 405 ") && answer.contains("allow: GET, HEAD"), "{answer}");
            }
            assert!(status("HEAD", path).starts_with("HTTP/1.1 200 "), "{path}");
        }
        let now = Timestamp::now();
        let answer = status("GET", "/version");
        let dates = [now, now.before(Duration::from_secs(1))].map(|time| format!("date: {}", time.http_date()));
        assert!(dates.iter().any(|date| answer.contains(date)), "{answer}");
        assert_eq!(served.end(Signal::TERM), (Some(0), String::new()));
    }
}

/// Settings of an option that may be repeated are a list.
#[test]
fn repeated_options_of_serve_are_a_list_in_the_settings() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("config.toml");
    for (settings, status, warning) in [
        ("fault = [\"latency=1\", \"error500\"]", 500, None),
        ("fault = \"error500\"", 500, None),
        ("fault = [\"latency=1\", \"nonsense\"]", 200, Some("serve.fault")),
        ("drain = [\"1s\", \"2s\"]", 200, Some("this option has one value")),
        ("fault = [[\"error500\"]]", 200, Some("or a list, found")),
    ] {
        std::fs::write(&file, format!("[serve]\n{settings}\n")).expect("a file");
        let served = Served::start(&format!("--history 20 --config {}", file.display()));
        let url = format!("{}/indexer/block/v1/blocks", served.url);
        let runtime = tokio::runtime::Runtime::new().expect("a runtime");
        assert_eq!(runtime.block_on(get(url)).expect("it answers").status().as_u16(), status, "{settings}");
        let (code, log) = served.end(Signal::TERM);
        assert_eq!(code, Some(0), "{log}");
        assert!(warning.is_none_or(|warning| log.contains(warning)), "{settings}: {log}");
        assert_eq!(log.is_empty(), warning.is_none(), "{settings}: {log}");
    }
}

/// Settings are checked without a server, so that a restart does not find out.
#[test]
fn settings_of_serve_are_checked_without_serving() {
    let folder = tempfile::tempdir().expect("a folder");
    let (file, fleet) = (folder.path().join("config.toml"), folder.path().join("fleet.toml"));
    let one = "[[networks]]\nname = \"one\"\nnode = \"http://127.0.0.1:1\"\n";
    for (settings, chains, refused) in [
        ("drain = \"5s\"", format!("{one}data = \"one.sqlite\"\n"), None),
        ("drain = \"soon\"", format!("{one}data = \"one.sqlite\"\n"), Some("1 setting cannot be used")),
        ("drian = \"5s\"\nquirks = 7", format!("{one}data = \"one.sqlite\"\n"), Some("2 settings cannot be used")),
        ("drain = \"5s\"", one.to_owned(), Some("one")),
    ] {
        std::fs::write(&file, format!("[serve]\n{settings}\n")).expect("a file");
        std::fs::write(&fleet, chains).expect("a file");
        let ran = run(&format!("serve --check-config --config {} --fleet {}", file.display(), fleet.display()));
        match refused {
            None => assert_eq!(ran.good(), "the settings can be used, with 1 chain\n"),
            Some(words) => {
                assert!(ran.status == 2 && ran.out.is_empty(), "{ran:?}");
                assert!(ran.err.contains(words), "{settings}: {ran:?}");
            }
        }
    }
    assert!(!folder.path().join("one.sqlite").exists());
    assert_eq!(run("serve --check-config").good(), "the settings can be used\n");
}
