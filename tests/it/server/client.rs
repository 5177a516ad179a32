//! A server of the hand-made chain, and ways to ask it.

use std::{
    io::{Read as _, Write as _},
    net::{Ipv4Addr, SocketAddr, TcpStream},
    time::Duration,
};

use base64::{Engine as _, engine::general_purpose::STANDARD};
use rollscope::demo::{ClockMode, Rollup, RollupOptions};
use serde_json::Value;

use super::chain::{HandMade, options};

/// Which behaviour a server has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mode {
    Specified,
    Quirks,
}

pub(super) struct Server {
    pub(super) rollup: Rollup,
    client: reqwest::Client,
}

#[derive(Debug)]
pub(super) struct Answer {
    pub(super) status: u16,
    pub(super) content_type: String,
    pub(super) text: String,
}

impl Answer {
    pub(super) fn json(&self) -> Value {
        assert_eq!((self.status, self.content_type.as_str()), (200, "application/json"), "{}", self.text);
        serde_json::from_str(&self.text).expect("the body is JSON")
    }

    /// An error's status and sentence; errors are never JSON.
    pub(super) fn refusal(&self) -> (u16, &str) {
        assert_eq!(self.content_type, "text/plain; charset=utf-8", "{}", self.text);
        (self.status, &self.text)
    }
}

pub(super) const ANYWHERE: SocketAddr = SocketAddr::new(std::net::IpAddr::V4(Ipv4Addr::LOCALHOST), 0);

pub(super) fn stepped(history: u64) -> RollupOptions {
    RollupOptions { clock: ClockMode::Stepped, history, ..RollupOptions::new(options(7)) }
}

impl Server {
    /// A server with so many blocks, all indexed.
    pub(super) fn start(mode: Mode, history: u64) -> Self {
        Self::with(RollupOptions { quirks: mode == Mode::Quirks, ..stepped(history) })
    }

    pub(super) fn with(options: RollupOptions) -> Self {
        let rollup = Rollup::start_with(options, ANYWHERE, |ledger| Ok(HandMade::boxed(ledger))).expect("it starts");
        rollup.wait_until_indexed().expect("it indexes");
        Self::of(rollup)
    }

    pub(super) fn of(rollup: Rollup) -> Self {
        let client =
            rollscope::client::http_client().no_proxy().timeout(Duration::from_secs(20)).build().expect("a client");
        Self { rollup, client }
    }

    pub(super) async fn try_get(&self, path: &str) -> Result<Answer, reqwest::Error> {
        // What the real server would have kept says nothing of what is there now.
        let request = self.client.get(format!("{}{path}", self.rollup.url())).header("cache-control", "no-store");
        self.send(request).await
    }

    pub(super) async fn get(&self, path: &str) -> Answer {
        self.try_get(path).await.expect("the server answers")
    }

    pub(super) async fn json(&self, path: &str) -> Value {
        self.get(path).await.json()
    }

    pub(super) async fn put_faults(&self, body: &'static str) -> Answer {
        let request = self.client.put(format!("{}/demo/v1/faults", self.rollup.url()));
        self.send(request.header("content-type", "application/json").body(body)).await.expect("the server answers")
    }

    /// Sends JSON.
    pub(super) async fn post(&self, path: &str, body: &Value) -> Answer {
        let request = self.client.post(format!("{}{path}", self.rollup.url()));
        let request = request.header("content-type", "application/json").body(body.to_string());
        self.send(request).await.expect("the server answers")
    }

    async fn send(&self, request: reqwest::RequestBuilder) -> Result<Answer, reqwest::Error> {
        let response = request.send().await?;
        let content_type = response.headers().get("content-type").map_or("", |value| value.to_str().unwrap_or("?"));
        let (status, content_type) = (response.status().as_u16(), content_type.to_owned());
        Ok(Answer { status, content_type, text: response.text().await? })
    }

    /// Sends a request line as it is and gives back the whole answer, head and body.
    pub(super) fn raw(&self, method_and_path: &str) -> String {
        self.raw_with(method_and_path, &["Host: x"], "")
    }

    pub(super) fn raw_with(&self, method_and_path: &str, headers: &[&str], body: &str) -> String {
        let mut stream = TcpStream::connect(self.rollup.address()).expect("it listens");
        stream.set_read_timeout(Some(Duration::from_secs(20))).expect("a timeout can be set");
        let headers = headers.iter().fold(String::new(), |all, header| all + header + "\r\n");
        let length = body.len();
        write!(
            stream,
            "{method_and_path} HTTP/1.1\r\n{headers}Content-Length: {length}\r\nConnection: close\r\n\r\n{body}"
        )
        .expect("it reads");
        let mut text = String::new();
        stream.read_to_string(&mut text).expect("it answers");
        text
    }
}

/// A key as a query parameter.
pub(super) fn key(json: &str) -> String {
    format!("pagination.key={}", escape(&STANDARD.encode(json)))
}

pub(crate) fn escape(key: &str) -> String {
    key.replace('+', "%2B").replace('/', "%2F").replace('=', "%3D")
}

/// A key of an answer, decoded.
pub(super) fn decoded(key: &Value) -> Option<String> {
    let bytes = STANDARD.decode(key.as_str()?).expect("a key is padded base64");
    Some(String::from_utf8(bytes).expect("a key is text"))
}

pub(super) fn heights(page: &Value) -> Vec<u64> {
    let blocks = page["blocks"].as_array().expect("a list of blocks");
    blocks.iter().map(|block| block["height"].as_str().and_then(|text| text.parse().ok()).expect("a height")).collect()
}

/// The sequences of a page's transactions, read back from their gas.
pub(super) fn sequences(page: &Value) -> Vec<u64> {
    let txs = page["txs"].as_array().expect("a list of txs");
    let gas = |tx: &Value| tx["gas_used"].as_str().and_then(|text| text.parse::<u64>().ok()).expect("gas");
    txs.iter().map(|tx| gas(tx) - 100).collect()
}

pub(super) fn total(page: &Value) -> i64 {
    page["pagination"]["total"].as_str().and_then(|text| text.parse().ok()).expect("a total in a string")
}
