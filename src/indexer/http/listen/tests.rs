//! Slow, silent and greedy clients, with limits that are short enough for tests.

use std::{net::SocketAddr, sync::Arc, thread::JoinHandle};

use axum::routing::get;
use prometheus_client::metrics::gauge::Gauge;
use tokio::{
    net::TcpStream,
    sync::Notify,
    time::{Instant, timeout},
};

use super::*;

const GET: &[u8] = b"GET /small HTTP/1.1\r\nhost: a\r\n\r\n";
const GET_LARGE: &[u8] = b"GET /large HTTP/1.1\r\nhost: a\r\n\r\n";

/// Bytes that exceed all buffers of a connection.
const LARGE: usize = 32 << 20;

/// Returns limits that only the tested behaviour reaches.
fn limits() -> ListenLimits {
    let long = Duration::from_secs(600);
    ListenLimits {
        options: ListenOptions { connections: 4, ..ListenOptions::default() },
        spare_time: Duration::ZERO,
        idle_time: long,
        head_bytes: 16 * 1024,
        head_time: long,
        request_time: long,
        write_time: long,
        waiting_bytes: 4 * LARGE,
    }
}

fn with_connections(connections: usize) -> ListenLimits {
    ListenLimits { options: ListenOptions { connections, ..limits().options }, ..limits() }
}

struct Listening {
    address: SocketAddr,
    stop: CancellationToken,
    /// Told when a request to `/held` begins.
    held: Arc<Notify>,
    /// Ends a request to `/held`.
    release: Arc<Notify>,
    thread: Option<JoinHandle<()>>,
}

impl Listening {
    fn start(limits: ListenLimits) -> Self {
        let (address, listener) = BoundListener::tcp("127.0.0.1:0".parse().unwrap()).unwrap();
        let stop = CancellationToken::new();
        let (held, release): (Arc<Notify>, Arc<Notify>) = Default::default();
        let (until, began, ended) = (stop.clone(), Arc::clone(&held), Arc::clone(&release));
        let thread = std::thread::spawn(move || {
            let app = Router::new()
                .route("/small", get(async || "hello"))
                .route("/large", get(async || vec![b'x'; LARGE]))
                .route(
                    "/held",
                    get(move || async move {
                        began.notify_one();
                        ended.notified().await;
                        "done"
                    }),
                )
                .route("/never", get(async || std::future::pending::<&'static str>().await));
            serve(listener, async { app }, limits, Gauge::default(), &until).unwrap();
        });
        Self { address, stop, held, release, thread: Some(thread) }
    }

    async fn connect(&self) -> TcpStream {
        TcpStream::connect(self.address).await.unwrap()
    }

    async fn asks(&self, request: &[u8]) -> TcpStream {
        let mut stream = self.connect().await;
        stream.write_all(request).await.unwrap();
        stream
    }

    /// Waits until a client that reads promptly gets a response; others have to be noticed as idle first.
    async fn is_served(&self) {
        let served = async {
            while !head_of(&mut self.asks(GET).await).await.starts_with("HTTP/1.1 200 ") {
                tokio::task::yield_now().await;
            }
        };
        timeout(Duration::from_secs(60), served).await.expect("it is served");
    }
}

impl Drop for Listening {
    fn drop(&mut self) {
        self.stop.cancel();
        drop(self.thread.take().map(JoinHandle::join));
    }
}

/// Returns the head of a response; empty if the connection closed without a response.
async fn head_of(stream: &mut TcpStream) -> String {
    let mut bytes = vec![0; 512];
    let read = timeout(Duration::from_secs(60), stream.read(&mut bytes)).await.expect("an answer, or an end");
    String::from_utf8_lossy(&bytes[..read.unwrap_or(0)]).into_owned()
}

/// Reads until the server closes the connection.
async fn ends(stream: &mut TcpStream) -> usize {
    let mut all = Vec::new();
    let read = timeout(Duration::from_secs(60), stream.read_to_end(&mut all)).await.expect("it is ended");
    read.unwrap_or(all.len())
}

#[tokio::test]
async fn the_silent_make_room_for_those_who_ask() {
    let server = Listening::start(limits());
    let mut silent = Vec::new();
    for _ in 0..4 {
        silent.push(server.connect().await);
    }
    // Twice the maximum connections: the longest idle connections are closed first. A keep-alive connection counts as
    // idle.
    let mut kept = Vec::new();
    for silent in &mut silent {
        let mut stream = server.asks(GET).await;
        assert!(head_of(&mut stream).await.starts_with("HTTP/1.1 200 "));
        kept.push(stream);
        assert_eq!(ends(silent).await, 0);
    }
    server.is_served().await;
    assert_eq!(ends(&mut kept[0]).await, 0);
    kept[3].write_all(GET).await.unwrap();
    assert!(head_of(&mut kept[3]).await.starts_with("HTTP/1.1 200 "), "nobody went without need");
}

#[tokio::test]
async fn whoever_is_being_answered_stays_and_whoever_reads_nothing_goes() {
    let server = Listening::start(with_connections(2));
    let mut asking = server.asks(b"GET /never HTTP/1.1\r\nhost: a\r\n\r\n").await;
    let mut greedy = server.asks(GET_LARGE).await;
    assert!(head_of(&mut greedy).await.starts_with("HTTP/1.1 200 "));
    for _ in 0..3 {
        server.is_served().await;
    }
    assert!(ends(&mut greedy).await < LARGE, "it was sent away in the middle");
    let mut nothing = [0; 1];
    let early = timeout(Duration::from_millis(1), asking.read(&mut nothing)).await;
    assert!(early.is_err(), "its answer is still being made");
}

#[tokio::test]
async fn heads_that_take_too_long_or_are_too_large_end() {
    let server = Listening::start(ListenLimits { head_time: Duration::from_millis(100), ..limits() });
    let mut kept = server.asks(GET).await;
    assert!(head_of(&mut kept).await.starts_with("HTTP/1.1 200 "));
    let begun = Instant::now();
    let mut slow = server.asks(b"GET /small HTTP/1.1\r\nho").await;
    ends(&mut slow).await;
    assert!(begun.elapsed() >= Duration::from_millis(100));
    kept.write_all(GET).await.unwrap();
    assert!(head_of(&mut kept).await.starts_with("HTTP/1.1 200 "), "no head had begun");
    drop(server);
    let server = Listening::start(ListenLimits { idle_time: Duration::from_millis(100), ..limits() });
    let mut silent = server.connect().await;
    assert_eq!(ends(&mut silent).await, 0);
    drop(server);
    let server = Listening::start(limits());
    let mut stream = server.asks(b"GET /small HTTP/1.1\r\nx-long: ").await;
    let long = vec![b'x'; 64 * 1024];
    // The server may close the connection before all bytes are sent.
    drop(stream.write_all(&long).await);
    let head = head_of(&mut stream).await;
    assert!(head.is_empty() || head.starts_with("HTTP/1.1 431 "), "{head}");
    server.is_served().await;
}

#[tokio::test]
async fn answers_that_nobody_reads_end_and_are_bounded_together() {
    let server = Listening::start(ListenLimits { write_time: Duration::from_millis(100), ..limits() });
    let mut greedy = server.asks(GET_LARGE).await;
    server.is_served().await;
    // The client reads only after the disconnection, which its writes detect.
    let given_up = async {
        while greedy.write_all(b"x").await.is_ok() {
            tokio::time::timeout(Duration::from_millis(5), std::future::pending::<()>()).await.unwrap_err();
        }
    };
    timeout(Duration::from_secs(60), given_up).await.expect("it is given up");
    assert!(ends(&mut greedy).await < LARGE);
    drop(server);

    let server = Listening::start(ListenLimits { waiting_bytes: LARGE + LARGE / 2, ..limits() });
    let mut first = server.asks(GET_LARGE).await;
    assert!(head_of(&mut first).await.starts_with("HTTP/1.1 200 "));
    let mut second = server.asks(GET_LARGE).await;
    assert!(head_of(&mut second).await.starts_with("HTTP/1.1 503 "), "two do not fit");
    server.is_served().await;
    drop(first);
    // The slot is free after the server detected the disconnection.
    let freed = async {
        while !head_of(&mut server.asks(GET_LARGE).await).await.starts_with("HTTP/1.1 200 ") {
            tokio::task::yield_now().await;
        }
    };
    timeout(Duration::from_secs(60), freed).await.expect("it is free again");
}

#[tokio::test]
async fn an_answer_that_is_never_made_is_refused_in_time_and_a_stop_waits_for_nobody() {
    let server = Listening::start(ListenLimits { request_time: Duration::from_millis(50), ..limits() });
    let mut stream = server.asks(b"GET /never HTTP/1.1\r\nhost: a\r\n\r\n").await;
    assert!(head_of(&mut stream).await.starts_with("HTTP/1.1 503 "));
    drop(server);
    let server = Listening::start(limits());
    let (mut silent, mut asking) = (server.connect().await, server.asks(GET_LARGE).await);
    server.is_served().await;
    drop(server);
    assert_eq!(ends(&mut silent).await, 0);
    assert!(ends(&mut asking).await <= LARGE + 512);
}

#[tokio::test]
async fn without_a_connection_that_was_idle_for_long_a_further_one_is_refused() {
    let server = Listening::start(ListenLimits { spare_time: Duration::from_secs(600), ..with_connections(2) });
    let (mut first, mut second) = (server.asks(GET).await, server.asks(GET).await);
    for kept in [&mut first, &mut second] {
        assert!(head_of(kept).await.starts_with("HTTP/1.1 200 "));
    }
    for request in [GET, b"".as_slice()] {
        let mut refused = server.asks(request).await;
        let mut answer = String::new();
        refused.read_to_string(&mut answer).await.expect("the response comes whole");
        let (head, body) = answer.split_once("\r\n\r\n").expect("a response");
        assert!(head.starts_with("HTTP/1.1 503 ") && head.contains("\r\nretry-after: 1\r\n"), "{head}");
        assert!(head.contains(&format!("\r\ncontent-length: {}\r\n", body.len())), "{answer}");
    }
    for kept in [&mut first, &mut second] {
        kept.write_all(GET).await.unwrap();
        assert!(head_of(kept).await.starts_with("HTTP/1.1 200 "), "it was not closed");
    }
    drop(first);
    server.is_served().await;
}

#[tokio::test]
async fn a_stop_waits_for_open_requests_and_takes_no_further_ones() {
    let options = ListenOptions { drain: Duration::from_secs(600), ..ListenOptions::default() };
    let server = Listening::start(ListenLimits { options, ..limits() });
    let mut idle = server.connect().await;
    let mut held = server.asks(b"GET /held HTTP/1.1\r\nhost: a\r\n\r\n").await;
    server.held.notified().await;
    server.stop.cancel();
    assert_eq!(ends(&mut idle).await, 0, "who asks nothing is not waited for");
    let closed = async {
        while TcpStream::connect(server.address).await.is_ok() {
            tokio::task::yield_now().await;
        }
    };
    timeout(Duration::from_secs(60), closed).await.expect("nobody else can connect");
    server.release.notify_one();
    let mut answer = String::new();
    held.read_to_string(&mut answer).await.expect("the response comes whole");
    assert!(answer.starts_with("HTTP/1.1 200 ") && answer.ends_with("done"), "{answer}");
}
