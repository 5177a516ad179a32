//! A server on a loopback port that answers with recorded lines, or as a test scripts it.
//!
//! It writes raw HTTP/1.1, one request a connection, so that tests can also break the protocol.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex},
    time::Duration,
};

use rollscope::domain::Address;
use serde_json::Value;
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::{TcpListener, TcpStream},
    sync::{Notify, watch},
    task::{JoinHandle, JoinSet},
};

/// The recorded answers of the real indexer.
pub(crate) const ROLLYTICS: &str = include_str!("../../fixtures/rollytics.jsonl");

/// Long enough for a busy machine; no test waits this long when it passes.
pub(crate) const PATIENCE: Duration = Duration::from_secs(60);

/// What a request is answered with.
#[derive(Clone)]
pub(crate) enum Answer {
    /// Status, further header lines, body.
    Full(u16, Vec<(&'static str, String)>, Vec<u8>),
    /// A JSON body of which only the first so many bytes are sent, though all are announced.
    Truncated(String, usize),
    /// These bytes instead of HTTP.
    Garbage(&'static [u8]),
    /// These bytes, and then nothing until the client hangs up.
    Stall(&'static [u8]),
    /// The answer, once the test has given the sign.
    After(Arc<Notify>, Box<Answer>),
}

impl Answer {
    pub(crate) fn json(body: impl Into<String>) -> Self {
        Self::typed(200, "application/json", body)
    }

    pub(crate) fn text(status: u16, body: impl Into<String>) -> Self {
        Self::typed(status, "text/plain; charset=utf-8", body)
    }

    pub(crate) fn typed(status: u16, content_type: &str, body: impl Into<String>) -> Self {
        Self::Full(status, vec![("content-type", content_type.to_owned())], body.into().into_bytes())
    }

    pub(crate) fn with(self, name: &'static str, value: impl Into<String>) -> Self {
        let Self::Full(status, mut headers, body) = self else { panic!("only a full answer has headers") };
        headers.push((name, value.into()));
        Self::Full(status, headers, body)
    }
}

/// A running server; it ends when dropped.
pub(crate) struct Replay {
    url: String,
    seen: Arc<watch::Sender<Vec<Seen>>>,
    server: JoinHandle<()>,
}

/// A request as it came.
#[derive(Clone, Debug)]
pub(crate) struct Seen {
    /// Path and query exactly as sent.
    pub(crate) target: String,
    /// Header lines in lower case.
    pub(crate) headers: String,
    /// `GET` or `POST`.
    pub(crate) method: String,
    /// What was sent with it.
    pub(crate) body: String,
}

type Handler = dyn Fn(&Seen, usize) -> Answer + Send + Sync;

impl Replay {
    /// A server that answers by this function of the request and its number, from 0.
    pub(crate) async fn scripted(handler: impl Fn(&Seen, usize) -> Answer + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a loopback port is free");
        let url = format!("http://{}", listener.local_addr().expect("a bound listener has an address"));
        let seen = Arc::new(watch::Sender::new(Vec::new()));
        let server = tokio::spawn(serve(listener, Arc::new(handler), Arc::clone(&seen)));
        Self { url, seen, server }
    }

    /// A server that gives the same answer to everything.
    pub(crate) async fn always(answer: Answer) -> Self {
        Self::scripted(move |_, _| answer.clone()).await
    }

    /// A server that gives these answers in turn, and the last one for ever.
    pub(crate) async fn in_turn(answers: Vec<Answer>) -> Self {
        Self::scripted(move |_, number| answers[number.min(answers.len() - 1)].clone()).await
    }

    /// A server that answers the recorded requests of the EVM rollup, in whatever order their query has.
    pub(crate) async fn recorded() -> Self {
        let recordings: HashMap<String, Answer> = recordings()
            .map(|line| (normal(line["path"].as_str().expect("a line has a path")), replay(&line)))
            .collect();
        Self::scripted(move |seen, _| {
            recordings.get(&normal(&seen.target)).cloned().unwrap_or_else(|| Answer::text(599, "not recorded"))
        })
        .await
    }

    pub(crate) fn url(&self) -> &str {
        &self.url
    }

    /// The requests so far.
    pub(crate) fn seen(&self) -> Vec<Seen> {
        self.seen.borrow().clone()
    }

    /// Waits until so many requests have come.
    pub(crate) async fn wait_for(&self, count: usize) {
        let mut seen = self.seen.subscribe();
        let arrived = seen.wait_for(|seen| seen.len() >= count);
        tokio::time::timeout(PATIENCE, arrived).await.expect("the requests come in time").expect("the server runs");
    }

    /// Waits until one like this has come.
    pub(crate) async fn wait_for_one(&self, is_it: impl Fn(&Seen) -> bool) {
        let mut seen = self.seen.subscribe();
        let arrived = seen.wait_for(|seen| seen.iter().any(&is_it));
        tokio::time::timeout(PATIENCE, arrived).await.expect("the request comes in time").expect("the server runs");
    }
}

impl Drop for Replay {
    fn drop(&mut self) {
        self.server.abort();
    }
}

/// The recorded lines of the EVM rollup.
pub(crate) fn recordings() -> impl Iterator<Item = Value> {
    let lines = ROLLYTICS.lines().map(|line| serde_json::from_str::<Value>(line).expect("a recorded line is JSON"));
    lines.filter(|line| line["vm"] == "evm")
}

fn replay(line: &Value) -> Answer {
    let status = line["status"].as_u64().and_then(|status| u16::try_from(status).ok()).expect("a line has a status");
    let kind = line["type"].as_str().expect("a line has a type");
    match line["text"].as_str() {
        Some(text) => Answer::typed(status, kind, text),
        None => Answer::typed(status, kind, line["json"].to_string()),
    }
}

/// The request as the real server reads it: paths in any case, accounts in either form, parameters in any order, 100
/// rows by default.
fn normal(target: &str) -> String {
    let (path, query) = target.split_once('?').unwrap_or((target, ""));
    let mut parameters: Vec<&str> = query.split('&').filter(|part| *part != "pagination.limit=100").collect();
    parameters.sort_unstable();
    let part = |part: &str| match part.parse::<Address>() {
        Ok(account) if part.starts_with("init1") => account.hex(),
        _ => part.to_lowercase(),
    };
    let path: Vec<String> = path.split('/').map(part).collect();
    format!("{}?{}", path.join("/"), parameters.join("&"))
}

async fn serve(listener: TcpListener, handler: Arc<Handler>, seen: Arc<watch::Sender<Vec<Seen>>>) {
    let count = Arc::new(Mutex::new(0));
    // Aborted with this task, and all connections with it.
    let mut connections = JoinSet::new();
    while let Ok((stream, _)) = listener.accept().await {
        let (handler, seen, count) = (Arc::clone(&handler), Arc::clone(&seen), Arc::clone(&count));
        connections.spawn(async move {
            let mut stream = stream;
            let Some(request) = read_request(&mut stream).await else { return };
            let answer = {
                let mut count = count.lock().expect("no handler panics");
                let answer = handler(&request, *count);
                *count += 1;
                answer
            };
            seen.send_modify(|all| all.push(request));
            write_answer(&mut stream, answer).await;
        });
    }
}

async fn read_request(stream: &mut TcpStream) -> Option<Seen> {
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        head.push(stream.read_u8().await.ok()?);
    }
    let head = String::from_utf8(head).ok()?;
    let (line, headers) = head.split_once("\r\n")?;
    let (headers, mut words) = (headers.to_lowercase(), line.split(' '));
    let length = headers.lines().find_map(|line| line.strip_prefix("content-length:")?.trim().parse().ok());
    let mut body = vec![0; length.unwrap_or(0)];
    stream.read_exact(&mut body).await.ok()?;
    let (method, target) = (words.next()?.to_owned(), words.next()?.to_owned());
    Some(Seen { target, headers, method, body: String::from_utf8(body).ok()? })
}

async fn write_answer(stream: &mut TcpStream, mut answer: Answer) {
    while let Answer::After(sign, then) = answer {
        sign.notified().await;
        answer = *then;
    }
    let bytes = match answer {
        Answer::Full(status, headers, body) => {
            let mut bytes = head(status, &headers, body.len()).into_bytes();
            bytes.extend(body);
            bytes
        }
        Answer::Truncated(body, length) => {
            let json = [("content-type", "application/json".to_owned())];
            format!("{}{}", head(200, &json, body.len()), &body[..length]).into_bytes()
        }
        Answer::Garbage(bytes) => bytes.to_vec(),
        Answer::After(..) => return,
        Answer::Stall(bytes) => {
            let _ = stream.write_all(bytes).await;
            // Ends when the client hangs up.
            let _ = stream.read_u8().await;
            return;
        }
    };
    // The client may have hung up; tests look at what it made of the answer.
    let _ = stream.write_all(&bytes).await;
    let _ = stream.shutdown().await;
}

fn head(status: u16, headers: &[(&'static str, String)], length: usize) -> String {
    let mut head = format!("HTTP/1.1 {status} Scripted\r\ncontent-length: {length}\r\nconnection: close\r\n");
    for (name, value) in headers {
        head += name;
        head += ": ";
        head += value;
        head += "\r\n";
    }
    head + "\r\n"
}

/// Status, content type and body of what a server answers to this request.
pub(crate) fn forward(server: &str, seen: &Seen) -> (u16, String, Vec<u8>) {
    use std::io::{Read as _, Write as _};
    let host = server.trim_start_matches("http://");
    let mut stream = std::net::TcpStream::connect(host).expect("the rollup listens");
    let Seen { target, method, body, .. } = seen;
    let kind = if body.is_empty() { "" } else { "content-type: application/json\r\n" };
    let length = body.len();
    let head = format!("{method} {target} HTTP/1.1\r\nhost: {host}\r\n{kind}content-length: {length}\r\n");
    let request = format!("{head}connection: close\r\n\r\n{body}");
    stream.write_all(request.as_bytes()).expect("it takes a request");
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).expect("it answers");
    let end = answer.windows(4).position(|bytes| bytes == b"\r\n\r\n").expect("an answer has a head");
    let head = String::from_utf8_lossy(&answer[..end]).to_lowercase();
    let status = head.split(' ').nth(1).and_then(|code| code.parse().ok()).expect("a head has a status");
    let kind = head.lines().find_map(|line| line.strip_prefix("content-type: ")).unwrap_or("text/plain");
    assert!(!head.contains("chunked"), "bodies come whole");
    (status, kind.to_owned(), answer[end + 4..].to_vec())
}
