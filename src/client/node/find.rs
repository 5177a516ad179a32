//! Search for the interfaces of a node, with proof that they belong to one chain.

use std::{sync::Arc, time::Duration};

use futures_util::{FutureExt as _, StreamExt as _, future::BoxFuture, stream::FuturesUnordered};
use serde::{Deserialize, de::DeserializeOwned};
use serde_json::{Value, json};
use tokio::time::Instant;

use super::{NodeAddresses, NodeClient, NodeError, NodeInterface, NodeLinks, addresses::candidates, failure, quantity};
use crate::{
    client::{
        base_url::{BaseUrl, BaseUrlError},
        decoding,
        exchanges::ExchangeRecorder,
        host_limit::HostLimit,
        options::ClientOptions,
        target::RequestTarget,
        transport::Transport,
    },
    domain::{Height, Vm},
    wire::{
        ApiError, ErrorKind,
        node::{
            BlockchainAnswer, EvmBlockHead, JsonRpcAnswer, JsonRpcCall, NodeInfoAnswer, NodeStatusAnswer, RpcAnswer,
        },
    },
};

/// Timeout for a guessed URL.
const GUESS: Duration = Duration::from_secs(2);

/// Minimum connection timeout for a guessed URL; the actual timeout is a multiple of the time that finding the RPC
/// took. Without it, a port that drops packets would cost the whole timeout of a guess.
const CONNECT: Duration = Duration::from_millis(250);

/// Distances from the newest block for comparisons, in blocks: nodes behind one URL differ by a few blocks, and a
/// lagging one lacks more.
const BELOW_TIP: [u64; 6] = [10, 40, 160, 640, 2_560, 10_240];

/// Number of blocks whose times must be equal: one equal time could be a coincidence.
const COMPARED: u64 = 3;

/// Reason for a failed search.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NodeFindError {
    #[error(transparent)]
    Url(#[from] BaseUrlError),
    /// Neither the given URL nor a URL near it answers.
    #[error("no node answers at {url}: {cause}; start the node or correct --node")]
    Away { url: String, cause: Box<ApiError> },
    #[error("{url} is not a rollup node: give --node an RPC URL, such as http://localhost:26657")]
    NotANode { url: String },
    /// The server is an indexer; rollscope can use it with `--indexer`.
    #[error("{url} is an indexer, not a node: use --indexer")]
    Indexer { url: String, chain_id: String },
    /// The URL serves another interface, and no RPC was found near it.
    #[error("found no RPC of {chain_id} near {url}: give --node the RPC's URL")]
    NoRpc { url: String, chain_id: String },
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
    /// The interface neither proved nor disproved that it serves the chain.
    #[error("cannot tell whether the {interface} at {url} serves {expected}: {cause}; try again or omit it")]
    Unproven { interface: NodeInterface, url: String, expected: String, cause: Box<ApiError> },
    /// The chain is an L1 of rollups.
    #[error("{chain_id} is an L1, not a rollup: give --node the URL of a rollup")]
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
    /// Finds a node: probes the given URL as every interface, and searches for the other interfaces near it.
    pub async fn find(
        addresses: &NodeAddresses,
        options: ClientOptions,
        at_once: usize,
    ) -> Result<Self, NodeFindError> {
        let limit = HostLimit::new(at_once);
        let mut finder = NodeFinder { options, recorder: Arc::default(), limit, at_once, connect: GUESS };
        BaseUrl::parse(&addresses.node)?;
        let begun = Instant::now();
        let (rpc, chain_id) = finder.rpc(addresses).await?;
        finder.connect = (begun.elapsed() * 4).clamp(CONNECT, GUESS);
        let (rest, json_rpc) =
            tokio::join!(finder.rest(addresses, &chain_id), finder.json_rpc(addresses, &rpc, &chain_id));
        let (rest, json_rpc) = (rest?, json_rpc?);
        let (rest, info) = match rest {
            Some((transport, info)) => (Some(transport), Some(info)),
            None => (None, None),
        };
        let shared = NodeLinks {
            rpc,
            rest,
            json_rpc,
            chain_id,
            vm: Vm::Evm,
            version: info.as_ref().map(|info| info.application_version.version.clone()).unwrap_or_default(),
            missing: Vec::new(),
        };
        let mut client = Self { shared: Arc::new(shared), observer: None };
        let vm = client.find_vm(info.as_ref()).await?;
        if let Some(shared) = Arc::get_mut(&mut client.shared) {
            shared.vm = vm;
            shared.missing = missing(shared);
        }
        Ok(client)
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
    limit: Arc<HostLimit>,
    at_once: usize,
    /// Connection timeout for a guessed URL.
    connect: Duration,
}

/// Result of probing a URL as one interface.
type Proven<T> = Result<T, ApiError>;

/// Status of an indexer, recognised by two top-level fields that no other server has.
#[derive(Deserialize)]
struct IndexerStatus {
    chain_id: String,
    #[serde(rename = "height")]
    _height: u64,
}

impl NodeFinder {
    /// Creates a connection to a URL. Connections to the known host share its limit; each other host has its own limit.
    fn transport(&self, url: &str, known: &str, is_guess: bool) -> Result<Transport, BaseUrlError> {
        let host = |url: &str| reqwest::Url::parse(url).ok().and_then(|url| url.host_str().map(str::to_owned));
        let limit = if host(url) == host(known) { Arc::clone(&self.limit) } else { HostLimit::new(self.at_once) };
        let options = if is_guess {
            let (timeout, connect_timeout) = (self.options.timeout.min(GUESS), Some(self.connect));
            ClientOptions { timeout, connect_timeout, tries: 1, ..self.options.clone() }
        } else {
            self.options.clone()
        };
        let transport = Transport::new(BaseUrl::parse(url)?, options);
        let transport = transport.with_classifier(failure::classify, Arc::clone(&self.recorder));
        // Wrong guesses are no outage of the host.
        Ok(if is_guess { transport } else { transport.limited(limit) })
    }

    /// Finds the RPC at the given URL, else at URLs guessed from it.
    async fn rpc(&self, addresses: &NodeAddresses) -> Result<(Transport, String), NodeFindError> {
        let known = addresses.node.as_str();
        let found = self.first(known, NodeInterface::Rpc, &RpcProof).await;
        let cause = match found {
            Ok((transport, status)) => return Ok((transport, status)),
            Err(cause) => cause,
        };
        // The URL is not an RPC: find out which interface it is.
        let named = self.transport(known, known, false)?;
        if let Ok(indexer) = get::<IndexerStatus>(&named, "/status").await {
            return Err(NodeFindError::Indexer { url: known.to_owned(), chain_id: indexer.chain_id });
        }
        if let Ok(info) = rest_info(&named).await {
            return Err(NodeFindError::NoRpc { url: known.to_owned(), chain_id: info.default_node_info.network });
        }
        let url = known.to_owned();
        Err(match cause {
            Some(cause) if !cause.has_answer() => NodeFindError::Away { url, cause: Box::new(cause) },
            Some(cause) if cause.is_transient() => NodeFindError::Away { url, cause: Box::new(cause) },
            _ => NodeFindError::NotANode { url },
        })
    }

    /// Finds the REST interface at its given URL or near the node; `None` if no interface there serves this chain.
    async fn rest(
        &self,
        addresses: &NodeAddresses,
        chain_id: &str,
    ) -> Result<Option<(Transport, NodeInfoAnswer)>, NodeFindError> {
        let interface = NodeInterface::Rest;
        let Some(url) = &addresses.rest else {
            return Ok(self.first(&addresses.node, interface, &RestProof { chain_id }).await.ok());
        };
        let transport = self.transport(url, &addresses.node, false)?;
        let info = rest_info(&transport).await;
        let info = info.map_err(|cause| not_that(interface, url, chain_id, cause))?;
        let found = info.default_node_info.network.clone();
        if found != chain_id {
            let (url, expected) = (url.clone(), chain_id.to_owned());
            return Err(NodeFindError::OtherChain { interface, url, expected, found });
        }
        Ok(Some((transport, info)))
    }

    /// Finds the JSON-RPC at its given URL or near the node; `None` if no interface there serves this chain.
    async fn json_rpc(
        &self,
        addresses: &NodeAddresses,
        rpc: &Transport,
        chain_id: &str,
    ) -> Result<Option<Transport>, NodeFindError> {
        let interface = NodeInterface::JsonRpc;
        if let Some(url) = &addresses.json_rpc {
            let transport = self.transport(url, &addresses.node, false)?;
            let tip = evm_tip(&transport).await.map_err(|cause| not_that(interface, url, chain_id, cause))?;
            let (url, expected) = (url.clone(), chain_id.to_owned());
            return match compare_times(rpc, &transport, tip).await {
                Ok(None) => Ok(Some(transport)),
                Ok(Some(height)) => {
                    let found = format!("another block {height}");
                    Err(NodeFindError::OtherChain { interface, url, expected, found })
                }
                Err(cause) => Err(NodeFindError::Unproven { interface, url, expected, cause: Box::new(cause) }),
            };
        }
        let found = self.first(&addresses.node, interface, &JsonRpcProof { rpc }).await;
        Ok(found.ok().map(|(transport, ())| transport))
    }

    /// Returns the first candidate URL that proves to be the interface, with its response; else the failure of the
    /// given URL.
    async fn first<P: InterfaceProof>(
        &self,
        named: &str,
        interface: NodeInterface,
        proof: &P,
    ) -> Result<(Transport, P::Found), Option<ApiError>> {
        let mut of_named = None;
        let mut asked: FuturesUnordered<_> = candidates(named, interface)
            .into_iter()
            .enumerate()
            .filter_map(|(place, url)| Some((place, self.transport(&url, named, place > 0).ok()?, url)))
            .map(|(place, transport, url)| prove(proof, place, transport, url))
            .collect();
        while let Some((place, answer, transport, url)) = asked.next().await {
            match answer {
                // A proven URL is no longer a guess, so it gets the full timeout.
                Ok(answer) if place > 0 => {
                    return Ok((self.transport(&url, named, false).unwrap_or(transport), answer));
                }
                Ok(answer) => return Ok((transport, answer)),
                Err(error) if place == 0 => of_named = Some(error),
                Err(_) => {}
            }
        }
        Err(of_named)
    }
}

/// Proof that a URL serves a certain interface of a node.
trait InterfaceProof: Sync {
    type Found: Send;

    fn prove<'a>(&'a self, transport: &'a Transport) -> BoxFuture<'a, Proven<Self::Found>>;
}

async fn prove<P: InterfaceProof>(
    proof: &P,
    place: usize,
    transport: Transport,
    url: String,
) -> (usize, Proven<P::Found>, Transport, String) {
    let proven = proof.prove(&transport).await;
    (place, proven, transport, url)
}

/// Proof by the node's status.
struct RpcProof;

impl InterfaceProof for RpcProof {
    type Found = String;

    fn prove<'a>(&'a self, transport: &'a Transport) -> BoxFuture<'a, Proven<String>> {
        rpc_chain_id(transport).boxed()
    }
}

/// Proof by the node's chain id, which must equal the RPC's.
struct RestProof<'a> {
    chain_id: &'a str,
}

impl InterfaceProof for RestProof<'_> {
    type Found = NodeInfoAnswer;

    fn prove<'a>(&'a self, transport: &'a Transport) -> BoxFuture<'a, Proven<NodeInfoAnswer>> {
        let proven = async {
            let info = rest_info(transport).await?;
            let is_same = info.default_node_info.network == self.chain_id;
            if is_same { Ok(info) } else { Err(ApiError::of_another_kind()) }
        };
        proven.boxed()
    }
}

/// Proof by the newest blocks, whose times must equal those of the RPC.
struct JsonRpcProof<'a> {
    rpc: &'a Transport,
}

impl InterfaceProof for JsonRpcProof<'_> {
    type Found = ();

    fn prove<'a>(&'a self, transport: &'a Transport) -> BoxFuture<'a, Proven<()>> {
        let proven = async {
            let tip = evm_tip(transport).await?;
            match compare_times(self.rpc, transport, tip).await? {
                None => Ok(()),
                Some(_) => Err(ApiError::of_another_kind()),
            }
        };
        proven.boxed()
    }
}

fn not_that(interface: NodeInterface, url: &str, chain_id: &str, cause: ApiError) -> NodeFindError {
    let (url, expected) = (url.to_owned(), chain_id.to_owned());
    if cause.is_transient() || !cause.has_answer() {
        NodeFindError::Unproven { interface, url, expected, cause: Box::new(cause) }
    } else {
        NodeFindError::NotThatInterface { interface, url }
    }
}

async fn get<T: DeserializeOwned + Send + 'static>(transport: &Transport, path: &str) -> Proven<T> {
    decoding::decode(transport.ask(&RequestTarget::get(path), None, None).await?).await
}

async fn call<T: DeserializeOwned>(
    transport: &Transport,
    method: &'static str,
    params: Vec<Value>,
) -> Proven<Option<T>> {
    let target = RequestTarget::post("", &JsonRpcCall::new(1, method, params));
    let received = transport.ask(&target, None, None).await?;
    let url = Arc::clone(&received.url);
    let answer: JsonRpcAnswer = decoding::decode(received).await?;
    failure::json_rpc_result(&answer, &url).map_err(|error| match error {
        NodeError::Api(error) => error,
        other => {
            let kind = ErrorKind::Rejected { status: 200, sentence: other.to_string() };
            ApiError { kind, url, body: None }
        }
    })
}

async fn rpc_chain_id(transport: &Transport) -> Proven<String> {
    let answer: RpcAnswer<NodeStatusAnswer> = get(transport, "/status").await?;
    let status = answer.result.ok_or_else(ApiError::of_another_kind)?;
    Ok(status.node_info.network)
}

async fn rest_info(transport: &Transport) -> Proven<NodeInfoAnswer> {
    get(transport, "/cosmos/base/tendermint/v1beta1/node_info").await
}

/// Returns the height of a JSON-RPC's newest block.
async fn evm_tip(transport: &Transport) -> Proven<u64> {
    let text: Option<String> = call(transport, "eth_blockNumber", Vec::new()).await?;
    let digits = text.as_deref().and_then(|text| text.strip_prefix("0x"));
    digits.and_then(|digits| u64::from_str_radix(digits, 16).ok()).ok_or_else(ApiError::of_another_kind)
}

/// Compares the times of blocks that both interfaces have, the newest first: returns the height of a block that
/// differs, or `None` for one chain. A block that only one of them has proves nothing. `eth_chainId` proves nothing
/// either: it is a hash.
async fn compare_times(rpc: &Transport, json_rpc: &Transport, tip: u64) -> Proven<Option<Height>> {
    let distances = BELOW_TIP.into_iter().filter(|distance| tip > distance + COMPARED);
    // A young chain is compared at its tip; last of all come the first blocks.
    let young = Some(tip).filter(|tip| *tip <= BELOW_TIP[0] + COMPARED);
    for last in young.into_iter().chain(distances.map(|distance| tip - distance)).chain([COMPARED.min(tip)]) {
        let first = last.saturating_sub(COMPARED - 1).max(1);
        let path = format!("/blockchain?minHeight={first}&maxHeight={last}");
        let headers: RpcAnswer<BlockchainAnswer> = match get(rpc, &path).await {
            // The RPC lacks these blocks.
            Err(error) if !error.is_transient() => continue,
            headers => headers?,
        };
        let metas = headers.result.map(|answer| answer.block_metas).unwrap_or_default();
        let mut is_equal = !metas.is_empty();
        for meta in &metas {
            let height: Height = meta.header.height;
            let params = vec![json!(quantity(height)), json!(false)];
            let head: Option<EvmBlockHead> = call(json_rpc, "eth_getBlockByNumber", params).await?;
            let Some(head) = head else {
                is_equal = false;
                continue;
            };
            let seconds = head.timestamp.small().and_then(|seconds| i64::try_from(seconds).ok());
            if seconds != Some(meta.header.time.as_seconds()) {
                return Ok(Some(height));
            }
        }
        if is_equal {
            return Ok(None);
        }
    }
    let kind = ErrorKind::NodeNotYet("the two have no block in common".to_owned());
    Err(ApiError { kind, url: json_rpc.base.as_str().into(), body: None })
}
