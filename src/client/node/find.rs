//! Search for the interfaces of a node, with proof that they belong to one chain.

mod proof;

use std::{
    pin::pin,
    sync::{Arc, Mutex},
    time::Duration,
};

use futures_util::{FutureExt as _, StreamExt as _, future::FusedFuture as _, stream::FuturesOrdered};
use serde_json::Value;
use tokio::time::{Instant, timeout};

pub(super) use self::proof::evm_tip;
use self::proof::{
    BlockProof, FoundRpc, InterfaceProof, JsonRpcProof, Peer, PeerKind, RestProof, RpcProof, rest_info, rpc_status,
};
use super::{
    NodeAddresses, NodeClient, NodeError, NodeInterface, NodeLinks,
    addresses::{candidates, is_below},
    failure,
    found::FoundAnswers,
};
use crate::{
    client::{
        base_url::{BaseUrl, BaseUrlError},
        exchanges::ExchangeRecorder,
        host_limit::HostLimits,
        indexer::IndexerClient,
        options::{ClientOptions, Observer},
        transport::Transport,
    },
    domain::{Height, Vm},
    wire::{ApiError, ErrorKind, ServerInterface, Status, node::NodeInfoAnswer},
};

/// Timeout for a guessed URL.
const GUESS: Duration = Duration::from_secs(2);

/// Minimum connection timeout for a guessed URL; the actual timeout is a multiple of the time that finding the RPC
/// took. Without it, a port that drops packets would cost the whole timeout of a guess.
const CONNECT: Duration = Duration::from_millis(250);

/// Reason for a failed search.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NodeFindError {
    #[error(transparent)]
    Url(#[from] BaseUrlError),
    /// Neither the given URL nor a URL near it answers.
    #[error("no node answers at {url}: {cause}; start the node or correct its URL")]
    Away { url: String, cause: Box<ApiError> },
    #[error("{url} is not a rollup node: give an RPC URL, such as http://localhost:26657")]
    NotANode { url: String },
    /// The server is an indexer; rollscope can use it with `--indexer`.
    #[error("{url} is an indexer, not a node: use --indexer")]
    Indexer { url: String, chain_id: String },
    /// The URL serves another interface, and no RPC near it proves to serve that interface's chain.
    #[error("{url} is a node's {interface}, and no RPC of its chain was found near it: give the RPC's URL")]
    NoRpc { url: String, interface: NodeInterface },
    #[error("{url} is not the {interface} of a node: correct the URL or omit it")]
    NotThatInterface {
        /// Interface that the user gave the URL for.
        interface: NodeInterface,
        url: String,
    },
    #[error("the {interface} at {url} serves {found}, but the RPC serves {expected}: give URLs of one chain")]
    OtherChain {
        interface: NodeInterface,
        url: String,
        expected: String,
        /// Chain that the interface reports, or the block that differs.
        found: String,
    },
    /// An indexer that the user named beside the node serves another chain.
    #[error("the node at {url} serves {found}, but the indexer at {indexer} serves {expected}")]
    OtherIndexer {
        url: String,
        indexer: String,
        /// Chain of the indexer.
        expected: String,
        /// Chain that the node reports, or the block that differs.
        found: String,
    },
    /// The interface neither proved nor disproved that it serves the chain.
    #[error("cannot tell whether the {interface} at {url} serves {expected}: {cause}; try again or omit it")]
    Unproven { interface: NodeInterface, url: String, expected: String, cause: Box<ApiError> },
    /// The chain is an L1 of rollups.
    #[error("{chain_id} is an L1, not a rollup: give the URL of a rollup's node")]
    Layer1 { chain_id: String },
    /// No interface answers queries of the application.
    #[error(
        "cannot tell the virtual machine of {chain_id}: neither a REST nor the RPC answers queries; give --rest URL"
    )]
    NoQueries { chain_id: String },
    /// The chain is neither an Initia rollup nor an L1.
    #[error("{chain_id} is not an Initia rollup: no EVM, Move or Wasm query succeeded")]
    NotARollup { chain_id: String },
    #[error(transparent)]
    Node(#[from] NodeError),
}

impl NodeFindError {
    /// Converts to the error type of the other clients; `url` is the probed URL.
    pub fn into_api_error(self, url: &str) -> ApiError {
        match self {
            Self::Node(error) => error.into_api_error(url),
            Self::Away { cause, .. } => *cause,
            error @ Self::OtherIndexer { .. } => {
                ApiError { kind: ErrorKind::OtherChain(error.to_string()), url: url.into(), body: None }
            }
            error => ApiError { kind: ErrorKind::Node(error.to_string()), url: url.into(), body: None },
        }
    }
}

/// Interface that was not found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MissingInterface {
    pub interface: NodeInterface,
    /// Features that need the interface, as a short sentence.
    pub loss: &'static str,
}

impl NodeClient {
    /// Finds a node: the interfaces that the user named, and the others near the given URL. A named URL is what it
    /// answers as. A guessed URL counts only if it proves to serve the named interface's chain.
    pub async fn find(
        addresses: &NodeAddresses,
        options: ClientOptions,
        limits: impl Into<HostLimits>,
    ) -> Result<Self, NodeFindError> {
        Box::pin(Self::find_to_follow(addresses, options, limits, 0)).await
    }

    /// Like [`Self::find`]; requests the `newest` blocks while the other interfaces are proven, since a follower needs
    /// them next.
    pub async fn find_to_follow(
        addresses: &NodeAddresses,
        options: ClientOptions,
        limits: impl Into<HostLimits>,
        newest: u64,
    ) -> Result<Self, NodeFindError> {
        let finder =
            NodeFinder { options, recorder: Arc::default(), limits: limits.into(), connect: GUESS, observer: None };
        finder.find(addresses, newest).await
    }

    /// Finds a node beside an indexer, which must serve the node's chain. The indexer's observer learns whether the
    /// named URL answers; guessed URLs say nothing of the node.
    pub async fn find_beside(
        indexer: &IndexerClient,
        addresses: &NodeAddresses,
        options: ClientOptions,
        at_once: usize,
    ) -> Result<Self, NodeFindError> {
        let (limits, observer) = (at_once.into(), indexer.observer.clone());
        let finder = NodeFinder { options, recorder: Arc::default(), limits, connect: GUESS, observer };
        let (found, status) = tokio::join!(Box::pin(finder.find(addresses, 0)), Box::pin(indexer.status()));
        let found = found?;
        Box::pin(found.refuse_other_chain(indexer, status.map_err(NodeError::Api)?)).await?;
        Ok(found)
    }
    /// Fails if an indexer with this status serves another chain than this node. Chains with one id are told apart by a
    /// block that both servers have.
    pub async fn refuse_other_chain(&self, indexer: &IndexerClient, status: Status) -> Result<(), NodeFindError> {
        let (rpc, transport) = (&self.shared.rpc, &indexer.shared.transport);
        let found = if status.chain_id == self.chain_id() {
            let other = proof::other_block(rpc, transport, BlockProof::IndexerHash, status.height.get());
            let other = Box::pin(other).await;
            other.ok().flatten().map(other_block)
        } else {
            Some(self.chain_id().to_owned())
        };
        let Some(found) = found else { return Ok(()) };
        let (url, indexer) = (rpc.base.as_str().to_owned(), transport.base.as_str().to_owned());
        Err(NodeFindError::OtherIndexer { url, indexer, expected: status.chain_id, found })
    }

    /// Detects the virtual machine by the application's name, else by the modules that answer a query of their
    /// parameters.
    async fn find_vm(&self, info: Option<&NodeInfoAnswer>) -> Result<Vm, NodeFindError> {
        let named = info.and_then(|info| {
            let names = [&info.application_version.name, &info.application_version.app_name];
            let of = |name: &str| names.iter().any(|known| known.eq_ignore_ascii_case(name));
            [("minievm", Vm::Evm), ("minimove", Vm::Move), ("miniwasm", Vm::Wasm)]
                .into_iter()
                .find_map(|(name, vm)| of(name).then_some(vm))
        });
        if let Some(vm) = named {
            return Ok(vm);
        }
        let chain_id = self.chain_id().to_owned();
        let mut has_answer = false;
        if self.knows("/opinit/ophost/v1/params", "/opinit.ophost.v1.Query/Params", &mut has_answer).await? {
            return Err(NodeFindError::Layer1 { chain_id });
        }
        for (rest, abci, vm) in [
            ("/minievm/evm/v1/params", "/minievm.evm.v1.Query/Params", Vm::Evm),
            ("/initia/move/v1/params", "/initia.move.v1.Query/Params", Vm::Move),
            ("/cosmwasm/wasm/v1/codes/params", "/cosmwasm.wasm.v1.Query/Params", Vm::Wasm),
        ] {
            if self.knows(rest, abci, &mut has_answer).await? {
                return Ok(vm);
            }
        }
        Err(if has_answer { NodeFindError::NotARollup { chain_id } } else { NodeFindError::NoQueries { chain_id } })
    }

    /// Whether the application supports this query; notes an answer of the application, also a refusal.
    async fn knows(&self, rest: &str, abci: &str, has_answer: &mut bool) -> Result<bool, NodeFindError> {
        let asked: Result<(), NodeError> = match self.url(NodeInterface::Rest) {
            Some(_) => self.rest::<Value>(rest, None).await.map(drop),
            None => self.abci_query(abci, &[], None).await.map(drop),
        };
        match asked {
            Ok(()) => Ok(true),
            Err(error) if error.is_transient() => Err(error.into()),
            Err(error) => {
                // The RPC refuses an unknown method, too.
                let is_of_rpc = self.url(NodeInterface::Rest).is_none() && !matches!(error, NodeError::NoMethod);
                *has_answer |= error.is_refusal() && !is_of_rpc;
                Ok(false)
            }
        }
    }
}

/// Runs a job, and beside it another, which is cancelled when it takes longer by more than `patience`.
async fn beside<T>(job: impl Future<Output = T>, other: impl Future<Output = ()>, patience: Duration) -> T {
    let (mut job, mut other) = (pin!(job), pin!(other.fuse()));
    let result = loop {
        tokio::select! {
            biased;
            result = &mut job => break result,
            () = &mut other, if !other.is_terminated() => {}
        }
    };
    if !other.is_terminated() {
        drop(timeout(patience, other).await);
    }
    result
}

/// Returns the interfaces that were not found, with the features that need them.
fn missing(links: &NodeLinks) -> Vec<MissingInterface> {
    let mut missing = Vec::new();
    if links.rest.is_none() {
        let loss = "rollscope shows messages of unknown types as bytes";
        missing.push(MissingInterface { interface: NodeInterface::Rest, loss });
    }
    if links.json_rpc.is_none() && links.vm == Vm::Evm {
        let loss = "rollscope shows neither receipts nor call frames";
        missing.push(MissingInterface { interface: NodeInterface::JsonRpc, loss });
    }
    missing
}

/// Prober of URLs.
struct NodeFinder {
    options: ClientOptions,
    recorder: Arc<ExchangeRecorder>,
    limits: HostLimits,
    /// Connection timeout for a guessed URL.
    connect: Duration,
    /// Observer of the request to the named URL.
    observer: Option<Arc<dyn Observer>>,
}

impl NodeFinder {
    async fn find(mut self, addresses: &NodeAddresses, newest: u64) -> Result<NodeClient, NodeFindError> {
        BaseUrl::with_keys(&addresses.node)?;
        let begun = Instant::now();
        let (rpc, named) = self.rpc(&addresses.node).await?;
        self.connect = (begun.elapsed() * 4).clamp(CONNECT, GUESS);
        let (named_rest, named_json_rpc) = match named {
            Some(Peer { transport, kind: PeerKind::Rest(info) }) => (Some((transport, *info)), None),
            Some(Peer { transport, kind: PeerKind::JsonRpc }) => (None, Some(transport)),
            Some(Peer { kind: PeerKind::Indexer(_), .. }) | None => (None, None),
        };
        let shared = NodeLinks {
            rpc: Arc::clone(&rpc.transport),
            rest: None,
            json_rpc: None,
            chain_id: rpc.chain_id.clone(),
            vm: Vm::Evm,
            version: String::new(),
            missing: Vec::new(),
            found: Mutex::new(FoundAnswers::new(begun, rpc.status.clone())),
            heads: Mutex::default(),
        };
        let mut client = NodeClient { shared: Arc::new(shared), observer: None, meter: None };
        let proven = async {
            tokio::join!(self.rest(addresses, named_rest, &rpc), self.json_rpc(addresses, named_json_rpc, &rpc))
        };
        // Nothing is proven by the newest blocks, so slow ones are not waited for.
        let newest = Box::pin(client.read_newest(&rpc.status, newest));
        let (rest, json_rpc) = beside(Box::pin(proven), newest, self.connect).await;
        let (rest, json_rpc) = (rest?, json_rpc?);
        let (rest, info) = match rest {
            Some((transport, info)) => (Some(transport.named(ServerInterface::Rest)), Some(info)),
            None => (None, None),
        };
        if let Some(shared) = Arc::get_mut(&mut client.shared) {
            let json_rpc = json_rpc.map(|transport| transport.named(ServerInterface::JsonRpc));
            (shared.rest, shared.json_rpc) = (rest, json_rpc);
            shared.version = info.as_ref().map(|info| info.application_version.version.clone()).unwrap_or_default();
        }
        let vm = client.find_vm(info.as_ref()).await?;
        if let Some(shared) = Arc::get_mut(&mut client.shared) {
            shared.vm = vm;
            shared.missing = missing(shared);
        }
        Ok(client)
    }

    /// Creates a connection to a URL, within the limit of its host.
    fn transport(&self, url: &str, is_guess: bool) -> Result<Transport, BaseUrlError> {
        let options = if is_guess {
            let (timeout, connect_timeout) = (self.options.timeout.min(GUESS), Some(self.connect));
            ClientOptions { timeout, connect_timeout, tries: 1, ..self.options.clone() }
        } else {
            self.options.clone()
        };
        let base = BaseUrl::with_keys(url)?;
        let limit = self.limits.of(&base);
        let transport = Transport::new(base, options);
        let transport = transport.with_classifier(failure::classify, Arc::clone(&self.recorder));
        // Wrong guesses are no outage of the host.
        Ok(if is_guess { transport } else { transport.limited(limit) })
    }

    /// Finds the RPC at the given URL, else near it. Returns it with the other server that the given URL turned out to
    /// be.
    async fn rpc(&self, url: &str) -> Result<(FoundRpc, Option<Peer>), NodeFindError> {
        let transport = self.transport(url, false)?.named(ServerInterface::Rpc);
        let cause = match rpc_status(&transport, self.observer.as_deref()).await {
            Ok(status) => return Ok((FoundRpc::new(transport, status), None)),
            Err(cause) => cause,
        };
        let named = if cause.has_answer() { Peer::identify(transport).await } else { None };
        // A server that tells no block proves nothing about its neighbours; only URLs below it are its own.
        let guesses = candidates(url, NodeInterface::Rpc).into_iter().skip(1);
        let guesses = guesses.filter(|guess| named.is_some() || is_below(url, guess));
        if let Some((transport, status)) = self.first(url, guesses, &RpcProof { named: named.as_ref() }).await {
            return Ok((FoundRpc::new(transport, status), named));
        }
        let url = url.to_owned();
        Err(match named.map(|named| named.kind) {
            Some(PeerKind::Indexer(chain_id)) => NodeFindError::Indexer { url, chain_id },
            Some(PeerKind::Rest(_)) => NodeFindError::NoRpc { url, interface: NodeInterface::Rest },
            Some(PeerKind::JsonRpc) => NodeFindError::NoRpc { url, interface: NodeInterface::JsonRpc },
            None if !cause.has_answer() || cause.is_transient() => NodeFindError::Away { url, cause: Box::new(cause) },
            None => NodeFindError::NotANode { url },
        })
    }

    /// Finds the REST interface at its given URL or near the node; `None` if no interface there serves this chain.
    async fn rest(
        &self,
        addresses: &NodeAddresses,
        named: Option<(Transport, NodeInfoAnswer)>,
        rpc: &FoundRpc,
    ) -> Result<Option<(Transport, NodeInfoAnswer)>, NodeFindError> {
        let interface = NodeInterface::Rest;
        let Some(url) = &addresses.rest else {
            if named.is_some() {
                return Ok(named);
            }
            let urls = candidates(&addresses.node, interface);
            return Ok(self.first(&addresses.node, urls, &RestProof { rpc }).await);
        };
        let transport = self.transport(url, false)?;
        let info = rest_info(&transport).await;
        let info = info.map_err(|cause| not_that(interface, url, &rpc.chain_id, cause))?;
        let network = &info.default_node_info.network;
        let other = (*network != rpc.chain_id).then(|| network.clone());
        // A REST without the block keeps the name that the user gave it.
        let other = match other {
            Some(other) => Some(other),
            None => rpc.other_block(&transport, BlockProof::RestHash, rpc.tip).await.ok().flatten().map(other_block),
        };
        match other {
            Some(found) => Err(other_chain(interface, url, rpc, found)),
            None => Ok(Some((transport, info))),
        }
    }

    /// Finds the JSON-RPC at its given URL or near the node; `None` if no interface there serves this chain.
    async fn json_rpc(
        &self,
        addresses: &NodeAddresses,
        named: Option<Transport>,
        rpc: &FoundRpc,
    ) -> Result<Option<Transport>, NodeFindError> {
        let interface = NodeInterface::JsonRpc;
        let Some(url) = &addresses.json_rpc else {
            if named.is_some() {
                return Ok(named);
            }
            let urls = candidates(&addresses.node, interface);
            let found = self.first(&addresses.node, urls, &JsonRpcProof { rpc }).await;
            return Ok(found.map(|(transport, ())| transport));
        };
        let transport = self.transport(url, false)?;
        let tip = evm_tip(&transport).await.map_err(|cause| not_that(interface, url, &rpc.chain_id, cause))?;
        match rpc.other_block(&transport, BlockProof::JsonRpcTimes, tip).await {
            Ok(None) => Ok(Some(transport)),
            Ok(Some(height)) => Err(other_chain(interface, url, rpc, other_block(height))),
            Err(cause) => {
                let (url, expected) = (url.clone(), rpc.chain_id.clone());
                Err(NodeFindError::Unproven { interface, url, expected, cause: Box::new(cause) })
            }
        }
    }

    /// Returns the first of the URLs, in their order, that proves to be the interface, with its response.
    async fn first<P: InterfaceProof>(
        &self,
        named: &str,
        urls: impl IntoIterator<Item = String>,
        proof: &P,
    ) -> Option<(Transport, P::Found)> {
        let mut asked: FuturesOrdered<_> = urls
            .into_iter()
            .filter_map(|url| {
                let is_guess = url != named.trim_end_matches('/');
                let transport = self.transport(&url, is_guess).ok()?;
                Some(async move {
                    let answer = proof.prove(&transport, is_guess).await;
                    (answer, transport, url)
                })
            })
            .collect();
        while let Some((answer, transport, url)) = asked.next().await {
            if let Ok(answer) = answer {
                // A proven URL is no longer a guess, so it gets the full timeout.
                return Some((self.transport(&url, false).unwrap_or(transport), answer));
            }
        }
        None
    }
}

/// Names a block that differs, as the chain that an interface was found to serve.
fn other_block(height: Height) -> String {
    format!("another block {height}")
}

fn other_chain(interface: NodeInterface, url: &str, rpc: &FoundRpc, found: String) -> NodeFindError {
    NodeFindError::OtherChain { interface, url: url.to_owned(), expected: rpc.chain_id.clone(), found }
}

fn not_that(interface: NodeInterface, url: &str, chain_id: &str, cause: ApiError) -> NodeFindError {
    let (url, expected) = (url.to_owned(), chain_id.to_owned());
    if cause.is_transient() || !cause.has_answer() {
        NodeFindError::Unproven { interface, url, expected, cause: Box::new(cause) }
    } else {
        NodeFindError::NotThatInterface { interface, url }
    }
}
