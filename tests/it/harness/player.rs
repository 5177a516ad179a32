//! A recorded rollup, played as its node over HTTP: RPC, REST and JSON-RPC, with what can go wrong between them.
//!
//! It runs on a thread of its own, so that a test that waits or blocks does not stop it.

mod answers;

use std::{
    collections::BTreeMap,
    io,
    net::{Ipv4Addr, SocketAddr, TcpListener},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    thread::{self, JoinHandle},
    time::Duration,
};

use axum::{
    Router,
    body::{Body, to_bytes},
    extract::Request,
    http::{Method, Response, header},
};
use futures_util::stream;
use rollscope::{
    client::{ClientOptions, NodeAddresses, NodeClient, NodeFindError},
    domain::Vm,
    indexer::{
        ChainMetrics, ListenAddress,
        index::{Index, IndexFeed, IndexIdentity},
        node::{ClientFeed, FIRST_RUN, NodeFallback, NodeService, ServiceOptions},
        progress::NodeProgress,
    },
};
use serde_json::Value;
use tokio::sync::{oneshot, watch};

use self::answers::{PlayedAnswer, Recorded};
use super::{
    index::{empty_index, reader_at},
    recording::Recording,
    replay::PATIENCE,
};

/// What becomes of one answer.
#[derive(Clone, Debug)]
pub(crate) enum Fault {
    /// This status, with a sentence that is not JSON.
    Status(u16),
    /// 429 with a Retry-After of so many seconds.
    Busy(u64),
    /// 200 with a web page.
    WebPage,
    /// Only its first half comes.
    Cut,
    /// Another answer comes.
    Instead(axum::body::Bytes),
    /// A byte of the last value is not UTF-8.
    NotUtf8,
    /// It comes this much later.
    Slow(Duration),
    /// It comes when this becomes true.
    Held(watch::Receiver<bool>),
}

/// Which answers become something else: by the request, and how often the same came before.
type FaultRule = Box<dyn Fn(&str, usize) -> Option<Fault> + Send>;

/// What is changed in answers, by the request.
type Lie = Box<dyn Fn(&str, &mut Value) + Send>;

/// What the node is like at the moment.
pub(crate) struct Stage {
    pub(crate) chain_id: String,
    /// Its newest block.
    pub(crate) tip: u64,
    /// Its oldest block.
    pub(crate) oldest: u64,
    /// The newest block of a second node that gives every other answer, as behind a load balancer.
    pub(crate) other_tip: Option<u64>,
    /// Above this height its blocks are others than the recorded ones, and without transactions.
    pub(crate) fork_above: Option<u64>,
    /// When this request comes, the oldest block becomes that one.
    pub(crate) pruned_on: Option<(String, u64)>,
    /// A block that REST cannot decode, as after an upgrade.
    pub(crate) undecodable: Option<u64>,
    /// Whether REST and the JSON-RPC are there.
    pub(crate) has_rest: bool,
    pub(crate) has_json_rpc: bool,
    pub(crate) fault: Option<FaultRule>,
    pub(crate) lie: Option<Lie>,
    /// How often each request came.
    pub(crate) asked: BTreeMap<String, usize>,
    /// The most requests that it had at once.
    pub(crate) most_at_once: usize,
    /// Requests that the recording has no answer to.
    pub(crate) unanswered: Vec<String>,
    at_once: usize,
    count: usize,
}

/// A node that plays a recording; it ends when dropped.
pub(crate) struct NodePlayer {
    url: String,
    pub(crate) vm: Vm,
    /// The newest recorded block.
    pub(crate) last: u64,
    stage: Arc<Mutex<Stage>>,
    stop: Option<oneshot::Sender<()>>,
    server: Option<JoinHandle<()>>,
}

impl NodePlayer {
    /// The whole recording, without faults.
    pub(crate) fn start(recording: &Recording) -> Self {
        let recorded = Recorded::new(recording);
        let last = recorded.last();
        let stage = Arc::new(Mutex::new(Stage {
            chain_id: recorded.chain_id(),
            tip: last,
            oldest: 1,
            other_tip: None,
            fork_above: None,
            pruned_on: None,
            undecodable: None,
            has_rest: true,
            has_json_rpc: true,
            fault: None,
            lie: None,
            asked: BTreeMap::new(),
            most_at_once: 0,
            unanswered: Vec::new(),
            at_once: 0,
            count: 0,
        }));
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a loopback port is free");
        listener.set_nonblocking(true).expect("a listener can be asked without waiting");
        let url = format!("http://{}", listener.local_addr().expect("a bound listener has an address"));
        let (stop, stopped) = oneshot::channel::<()>();
        let played = Arc::new((recorded, Arc::clone(&stage)));
        let server = thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
            runtime.block_on(async {
                let listener = tokio::net::TcpListener::from_std(listener).expect("it listens already");
                let router = Router::new().fallback(move |request: Request| answer(Arc::clone(&played), request));
                tokio::select! {
                    ended = async { axum::serve(listener, router).await } => ended.expect("it serves until it is told"),
                    _ = stopped => {}
                }
            });
        });
        Self { url, vm: recording.vm, last, stage, stop: Some(stop), server: Some(server) }
    }

    /// Changes what the node is like.
    pub(crate) fn change(&self, change: impl FnOnce(&mut Stage)) {
        change(&mut lock(&self.stage));
    }

    /// What the node is like.
    pub(crate) fn stage(&self) -> MutexGuard<'_, Stage> {
        lock(&self.stage)
    }

    /// Where its interfaces are.
    pub(crate) fn addresses(&self) -> NodeAddresses {
        let stage = self.stage();
        let named = |is_there: bool, path: &str| is_there.then(|| format!("{}/{path}", self.url));
        NodeAddresses {
            node: format!("{}/rpc", self.url),
            rest: named(stage.has_rest, "rest"),
            json_rpc: named(stage.has_json_rpc && self.vm == Vm::Evm, "json-rpc"),
        }
    }

    /// The program's own index of this node, in memory.
    pub(crate) async fn served(&self, options: ServiceOptions) -> Served {
        let identity = IndexIdentity { vm: self.vm, feed: IndexFeed::Node, facts: Vec::new() };
        self.served_with(empty_index(&identity), options).await.expect("the node is found")
    }

    pub(crate) async fn served_with(&self, index: Index, options: ServiceOptions) -> Result<Served, NodeFindError> {
        Served::of(self.addresses(), index, options).await
    }
}

impl Drop for NodePlayer {
    fn drop(&mut self) {
        drop(self.stop.take());
        if let Some(server) = self.server.take() {
            // A panic was reported when it happened.
            drop(server.join());
        }
    }
}

/// A running index of a node, and a way to ask it.
pub(crate) struct Served {
    service: Option<NodeService>,
    client: reqwest::Client,
}

impl Served {
    /// The index of the node at these addresses; an error where no node is found.
    pub(crate) async fn of(
        addresses: NodeAddresses,
        index: Index,
        options: ServiceOptions,
    ) -> Result<Self, NodeFindError> {
        Self::at(SocketAddr::from((Ipv4Addr::LOCALHOST, 0)).into(), vec![addresses], index, options).await
    }

    /// The index of the first of these nodes, served at this address; the others take over.
    pub(crate) async fn at(
        listen: ListenAddress,
        nodes: Vec<NodeAddresses>,
        index: Index,
        options: ServiceOptions,
    ) -> Result<Self, NodeFindError> {
        let client = rollscope::client::http_client().no_proxy().timeout(PATIENCE);
        let client = match &listen {
            ListenAddress::Unix(path) => client.unix_socket(path.clone()),
            ListenAddress::Tcp(_) => client,
        };
        let client = client.build().expect("a client");
        let started = tokio::task::spawn_blocking(move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
            let find = NodeClient::find_to_follow(&nodes[0], ClientOptions::default(), 16, FIRST_RUN);
            let found = runtime.block_on(find)?;
            let metrics = ChainMetrics::of_server();
            let fallback = NodeFallback::new(nodes, 0, ClientOptions::default(), 16);
            let feed = ClientFeed::with_fallback(&found, &metrics, fallback);
            let service = NodeService::start(runtime, feed, index, metrics, &listen, options);
            Ok::<_, NodeFindError>(service.expect("the address is free"))
        });
        let service = started.await.expect("it starts")?;
        Ok(Self { service: Some(service), client })
    }

    /// A reader of a file that another index writes.
    pub(crate) fn reading(file: &std::path::Path, options: ServiceOptions) -> Self {
        Self::of_reader(reader_at(file).expect("the index is read"), options)
    }

    /// A reader of what another index writes.
    pub(crate) fn of_reader(index: Index, options: ServiceOptions) -> Self {
        let listen = SocketAddr::from((Ipv4Addr::LOCALHOST, 0)).into();
        let service = NodeService::read(index, &listen, options).expect("the address is free");
        let client = rollscope::client::http_client().no_proxy().timeout(PATIENCE).build().expect("a client");
        Self { service: Some(service), client }
    }

    fn service(&self) -> &NodeService {
        self.service.as_ref().expect("it runs until it is dropped")
    }

    /// Where it listens.
    pub(crate) fn url(&self) -> String {
        let url = self.service().url();
        // The path of a socket is the client's; the URL then names no address.
        if url.starts_with("unix:") { "http://socket".to_owned() } else { url }
    }

    /// Status and body.
    pub(crate) async fn get(&self, path: &str) -> (u16, String) {
        // What the real server would have kept says nothing of what is there now.
        let request = self.client.get(format!("{}{path}", self.url())).header("cache-control", "no-store");
        let response = request.send().await.expect("the server answers");
        (response.status().as_u16(), response.text().await.expect("the answer comes whole"))
    }

    pub(crate) async fn json(&self, path: &str) -> Value {
        let (status, text) = self.get(path).await;
        assert_eq!(status, 200, "{path}: {text}");
        serde_json::from_str(&text).expect("the answer is JSON")
    }

    /// Waits until the follower has come this far.
    pub(crate) async fn progress(&self, what: &str, is_there: impl Fn(&NodeProgress) -> bool) -> NodeProgress {
        let mut progress = self.service().progress();
        let reached = tokio::time::timeout(PATIENCE * 6, progress.wait_for(|progress| is_there(progress))).await;
        let Ok(reached) = reached else { panic!("{what}: {:?}", self.service().progress().borrow()) };
        reached.unwrap_or_else(|_| panic!("{what}: {:?}", self.service().failure())).clone()
    }

    /// Waits until every block is in.
    pub(crate) async fn filled(&self) {
        self.progress("every block", |progress| progress.is_at_tip && progress.missing == 0).await;
        // The figure is of the last look at the tip; the lowest block is asked for itself.
        self.until("/indexer/block/v1/blocks?pagination.reverse=false&pagination.limit=1", |answer| {
            answer["blocks"][0]["height"] == "1"
        })
        .await;
    }

    /// Waits until an answer is such.
    pub(crate) async fn until(&self, path: &str, is_such: impl Fn(&Value) -> bool) -> Value {
        self.until_answered(path, |status, answer| status == 200 && is_such(answer)).await
    }

    /// Waits until an answer of any status is such.
    pub(crate) async fn until_answered(&self, path: &str, is_such: impl Fn(u16, &Value) -> bool) -> Value {
        let mut last = (0, Value::Null);
        let asked = async {
            loop {
                let (status, text) = self.get(path).await;
                let answer = serde_json::from_str(&text).unwrap_or(Value::String(text));
                if is_such(status, &answer) {
                    return answer;
                }
                last = (status, answer);
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        };
        let answered = tokio::time::timeout(PATIENCE * 6, asked).await;
        answered.unwrap_or_else(|_| panic!("{path}: {last:?}, {:?}", self.service().progress().borrow()))
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        // It waits for what is being written: a test's own thread may be a runtime's.
        if let Some(service) = self.service.take() {
            drop(thread::spawn(move || drop(service)).join());
        }
    }
}

async fn answer(played: Arc<(Recorded, Arc<Mutex<Stage>>)>, request: Request) -> Response<Body> {
    let (parts, body) = request.into_parts();
    let body = to_bytes(body, usize::MAX).await.unwrap_or_default();
    let target = parts.uri.path_and_query().map_or("/", |target| target.as_str()).to_owned();
    let is_post = parts.method == Method::POST;
    let (answer, fault) = {
        let mut stage = lock(&played.1);
        stage.count += 1;
        stage.at_once += 1;
        stage.most_at_once = stage.most_at_once.max(stage.at_once);
        let answer = played.0.answer(&mut stage, &target, is_post.then_some(&body));
        let before = stage.asked.entry(answer.request.clone()).or_insert(0);
        *before += 1;
        let before = *before - 1;
        let fault = stage.fault.as_ref().and_then(|rule| rule(&answer.request, before));
        (answer, fault)
    };
    let response = broken(answer, fault).await;
    lock(&played.1).at_once -= 1;
    response
}

async fn broken(answer: PlayedAnswer, fault: Option<Fault>) -> Response<Body> {
    let text = |status: u16, kind: &str, body: String| {
        let response = Response::builder().status(status).header(header::CONTENT_TYPE, kind);
        response.body(Body::from(body)).expect("a response")
    };
    match fault {
        None => text(answer.status, "application/json", answer.body),
        Some(Fault::Status(status)) => text(status, "text/plain", "the gateway has no answer".to_owned()),
        Some(Fault::Busy(seconds)) => {
            let mut response = text(429, "text/plain", "too many requests".to_owned());
            response.headers_mut().insert(header::RETRY_AFTER, seconds.into());
            response
        }
        Some(Fault::WebPage) => text(200, "text/html", "<html><body>Welcome</body></html>".to_owned()),
        Some(Fault::Instead(body)) => {
            let response = Response::builder().header(header::CONTENT_TYPE, "application/json");
            response.body(Body::from(body)).expect("a response")
        }
        Some(Fault::Cut) => {
            let half = answer.body.as_bytes()[..answer.body.len() / 2].to_vec();
            let parts = [Ok(half), Err(io::Error::from(io::ErrorKind::ConnectionReset))];
            let response = Response::builder().status(answer.status).header(header::CONTENT_TYPE, "application/json");
            response.body(Body::from_stream(stream::iter(parts))).expect("a response")
        }
        Some(Fault::NotUtf8) => {
            let mut body = answer.body.into_bytes();
            let value = br#""value":""#;
            let at = body.windows(value.len()).rposition(|part| part == value).expect("a value");
            body.insert(at + value.len(), 0xff);
            let response = Response::builder().header(header::CONTENT_TYPE, "application/json");
            response.body(Body::from(body)).expect("a response")
        }
        Some(Fault::Slow(delay)) => {
            tokio::time::sleep(delay).await;
            text(answer.status, "application/json", answer.body)
        }
        Some(Fault::Held(mut gate)) => {
            // Nobody opens it any more: the test is over.
            drop(gate.wait_for(|is_open| *is_open).await);
            text(answer.status, "application/json", answer.body)
        }
    }
}

/// A test that failed while it changed something left it whole.
fn lock(stage: &Mutex<Stage>) -> MutexGuard<'_, Stage> {
    stage.lock().unwrap_or_else(PoisonError::into_inner)
}
