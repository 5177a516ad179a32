//! A rollup's own node: rollscope indexes the node locally, and commands query that index like any other indexer.

use std::{
    net::{Ipv4Addr, SocketAddr},
    ops::ControlFlow,
};

use tokio::runtime::Runtime;

use super::{
    CommandError,
    arguments::{DataPlace, HistoryArguments},
    open_files, serve,
};
use crate::{
    client::{ClientOptions, HostLimits, NodeAddresses, NodeClient, NodeFindError, NodeInterface, TxPlace},
    config::{Network, NodeLocation, Settings},
    demo::KEPT_TXS,
    domain::{Height, TxHash, text},
    files::FileLock,
    indexer::{
        ChainMetrics, ListenAddress, ListenOptions,
        index::{Index, IndexFeed, IndexIdentity},
        node::{
            ClientFeed, FIRST_RUN, FollowOptions, NodeFallback, NodeService, ServiceOptions, StandbyServer,
            feed::HeldChain, prove_held,
        },
        progress::ReadyLimits,
    },
    wire::node::NodeStatusAnswer,
};

/// Maximum concurrent requests to one host.
pub(super) const AT_ONCE: usize = 16;

/// Audience of the index.
#[derive(Clone, Debug)]
pub(super) struct Serving {
    pub(super) listen: ListenAddress,
    pub(super) limits: ListenOptions,
    /// Whether other machines use the server: web pages may then read it, and it has metrics.
    pub(super) is_public: bool,
    pub(super) quirks: bool,
    pub(super) has_rich_list: bool,
    pub(super) ready: ReadyLimits,
    /// Record for which the index is made; `None` for the whole history.
    pub(super) sought: Option<SoughtRecord>,
}

impl Serving {
    /// Creates the audience of an index that only this process uses.
    pub(super) fn own() -> Self {
        Self {
            listen: SocketAddr::from((Ipv4Addr::LOCALHOST, 0)).into(),
            limits: ListenOptions::default(),
            is_public: false,
            quirks: false,
            has_rich_list: true,
            ready: ReadyLimits::default(),
            sought: None,
        }
    }
}

impl Serving {
    /// Returns the options of a service that follows the whole history.
    pub(super) fn options(&self) -> ServiceOptions {
        ServiceOptions {
            quirks: self.quirks,
            follow: FollowOptions { has_rich_list: self.has_rich_list, ..FollowOptions::default() },
            is_public: self.is_public,
            ready: self.ready,
            listen: self.limits,
        }
    }
}

/// Record that one command shows: its block is all that it needs of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SoughtRecord {
    Block(Height),
    /// Transaction with this Cosmos or EVM hash.
    Tx(TxHash),
}

impl SoughtRecord {
    async fn place(self, client: &NodeClient) -> TxPlace {
        match self {
            Self::Tx(hash) => client.tx_place(*hash.bytes()).await,
            Self::Block(height) => {
                let is_held = client.status().await.is_ok_and(|NodeStatusAnswer { sync_info: held, .. }| {
                    (held.earliest_block_height..=held.latest_block_height).contains(&height.get())
                });
                if is_held { TxPlace::Block(height) } else { TxPlace::Unknown }
            }
        }
    }
}

/// Node with the index that is to follow it.
pub(super) struct PreparedNode {
    /// Runtime of the requests to the node: it owns their connections.
    pub(super) runtime: Runtime,
    pub(super) client: NodeClient,
    pub(super) fallback: Option<NodeFallback>,
    pub(super) index: Index,
    pub(super) follow: FollowOptions,
    /// The network with the URLs of its node's interfaces.
    pub(super) network: Network,
    /// A sentence for each interface that was not found.
    pub(super) notes: Vec<String>,
    /// Place of the wanted record.
    place: TxPlace,
}

/// Server at a network's node URL, with notes for the user.
pub(super) enum Reached {
    /// The URL is a node's: the network with the local index's address, the service, a sentence for each interface that
    /// was not found, and the place of the wanted record.
    Node(Box<Network>, NodeService, Vec<String>, TxPlace),
    /// The URL is an indexer's; rollscope uses it as the indexer.
    Indexer(Box<Network>, String),
}

/// Node that answered, with those that take over when it fails.
pub(super) struct FoundNode {
    client: NodeClient,
    /// Whether the network names another node before this one.
    is_replacement: bool,
    pub(super) fallback: Option<NodeFallback>,
    /// URLs of the other nodes.
    others: Vec<String>,
    /// A sentence for each node that did not answer.
    notes: Vec<String>,
}

impl FoundNode {
    /// Finds the first of a network's nodes that answers, or returns the failure of the first; requests the `newest`
    /// blocks for a follower.
    pub(super) async fn find(
        location: NodeLocation,
        options: ClientOptions,
        limits: HostLimits,
        newest: u64,
    ) -> Result<Self, NodeFindError> {
        let others =
            location.others.iter().map(|node| NodeAddresses { node: node.clone(), ..NodeAddresses::default() });
        let nodes: Vec<NodeAddresses> = others.collect();
        let nodes = [vec![addresses(location)], nodes].concat();
        let (mut failures, mut place) = (Vec::new(), 0);
        let client = loop {
            let Some(node) = nodes.get(place) else { break None };
            match NodeClient::find_to_follow(node, options.clone(), limits.clone(), newest).await {
                Ok(client) => break Some(client),
                Err(error @ (NodeFindError::Away { .. } | NodeFindError::Node(_))) => failures.push(error),
                Err(error) => return Err(error),
            }
            place += 1;
        };
        let Some(client) = client else { return Err(failures.swap_remove(0)) };
        let used = nodes.get(place).map_or("", |node| &node.node);
        let note = |error| match error {
            NodeFindError::Away { cause, .. } => format!("{cause}; rollscope uses {used}"),
            error => format!("{error}; rollscope uses {used}"),
        };
        let told = failures.into_iter().map(note).collect();
        let (before, after) = nodes.split_at(place);
        let others = after.iter().skip(1).chain(before).map(|node| node.node.clone()).collect();
        let fallback = NodeFallback::new(nodes, place, options, limits);
        Ok(Self { client, is_replacement: place > 0, fallback, others, notes: told })
    }
}

pub(super) fn addresses(location: NodeLocation) -> NodeAddresses {
    let NodeLocation { node, rest, json_rpc, .. } = location;
    NodeAddresses { node, rest, json_rpc }
}

/// Starts the index of a network's node and serves it as an indexer.
pub(super) fn start(
    network: &Network,
    settings: &Settings,
    history: &HistoryArguments,
    serving: &Serving,
) -> Result<Reached, CommandError> {
    let location = network.node.clone().unwrap_or_default();
    open_files::check_limit(history.data.is_some())?;
    // Lock first, so that a file of another process stays unchanged.
    let lock = history.lock()?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(CommandError::failed)?;
    // One record needs its own block alone.
    let newest = if serving.sought.is_none() { FIRST_RUN } else { 0 };
    let find = FoundNode::find(location.clone(), history.options(settings.timeout), AT_ONCE.into(), newest);
    let found = match runtime.block_on(find) {
        Err(error @ NodeFindError::Indexer { .. }) => {
            let note = not_found(&error);
            let network = Network { indexer: location.node, node: None, ..network.clone() };
            return Ok(Reached::Indexer(Box::new(network), note));
        }
        found => found,
    };
    let mut standby = None;
    let mut wait = |holder: &str| stand_by(&mut standby, serving, holder);
    let node = prepare(network, runtime, found, history, lock, serving, &mut wait)?;
    // Readers that came while it waited find the service at the same port.
    let listen = standby.map_or_else(|| serving.listen.clone(), |server| server.address().clone());
    let options = ServiceOptions { follow: node.follow, ..serving.options() };
    let metrics = ChainMetrics::of_server();
    let feed = ClientFeed::with_fallback(&node.client, &metrics, node.fallback);
    let service = NodeService::start(node.runtime, feed, node.index, metrics, &listen, options);
    let service = service.map_err(CommandError::failed)?;
    let network = Network { indexer: service.url(), is_indexed_here: true, ..node.network };
    Ok(Reached::Node(Box::new(network), service, node.notes, node.place))
}

/// Says why no node was found.
fn not_found(error: &NodeFindError) -> String {
    match error {
        NodeFindError::Indexer { url, chain_id } => {
            format!("{} is an indexer of {}, not a node", text::clean(url), text::clean(chain_id))
        }
        error => error.to_string(),
    }
}

/// Serves the reason for waiting while another process writes the index; only a server waits.
fn stand_by(standby: &mut Option<StandbyServer>, serving: &Serving, holder: &str) -> ControlFlow<()> {
    if !serving.is_public {
        return ControlFlow::Break(());
    }
    let reason = wait_reason(holder);
    let is_news = match standby {
        Some(server) => server.set_reason(reason.clone()),
        None => match StandbyServer::start(&serving.listen, serving.options(), reason.clone()) {
            Ok(server) => {
                // A server that is told to stop must not wait for its reader.
                let said = serve::say_address(&server.address().to_string());
                said.unwrap_or_else(|error| tracing::warn!("cannot print the address: {error}"));
                *standby = Some(server);
                true
            }
            Err(error) => {
                tracing::error!("{error}");
                return ControlFlow::Break(());
            }
        },
    };
    if is_news {
        tracing::info!("{reason}");
    }
    ControlFlow::Continue(())
}

/// Says why a process waits that may not write the index.
pub(super) fn wait_reason(holder: &str) -> String {
    format!("{holder} follows this rollup into the database; waiting until it ends")
}

/// Opens the index of a found node. `wait` is called while another process writes it.
#[cfg_attr(not(feature = "postgres"), expect(unused_variables, reason = "a file is not waited for"))]
pub(super) fn prepare(
    network: &Network,
    runtime: Runtime,
    found: Result<FoundNode, NodeFindError>,
    history: &HistoryArguments,
    lock: Option<FileLock>,
    serving: &Serving,
    wait: &mut dyn FnMut(&str) -> ControlFlow<()>,
) -> Result<PreparedNode, CommandError> {
    let found = found.map_err(|error| CommandError::Failed(not_found(&error)))?;
    let FoundNode { client, is_replacement, fallback, others, mut notes } = found;
    let missing = client.missing().iter().map(|missing| format!("found no {}: {}", missing.interface, missing.loss));
    notes.extend(missing);
    if let Some(expected) = network.chain_id.as_ref().filter(|expected| **expected != client.chain_id()) {
        return Err(CommandError::Failed(format!(
            "the node at {} serves {}, and {} is {expected}; check the network's node and chain_id",
            network.node.as_ref().map_or("", |location| &location.node),
            text::clean(client.chain_id()),
            network.name,
        )));
    }
    // A file keeps more than one record.
    let sought = serving.sought.filter(|_| history.data.is_none());
    let place = sought.map_or(TxPlace::Unknown, |sought| runtime.block_on(sought.place(&client)));
    let only = if let TxPlace::Block(height) = place { Some(height) } else { None };
    if let (Some(SoughtRecord::Tx(_)), TxPlace::Unknown) = (sought, place) {
        notes.push("the node has no index of transactions; reading its blocks, newest first".to_owned());
    }
    let vm = client.vm();
    // Keep the URLs: other clients of the node then need not search for its interfaces.
    let NodeAddresses { node, rest, json_rpc } = client.addresses();
    let found = NodeLocation { node, rest, json_rpc, others };
    let identity = IndexIdentity { vm, feed: IndexFeed::Node, facts: Vec::new() };
    let index = match (&history.data, lock) {
        (Some(DataPlace::File(path)), Some(lock)) => Index::in_locked_file(path, lock, &identity),
        #[cfg(feature = "postgres")]
        (Some(DataPlace::Postgres(url)), _) => Index::in_postgres(url, client.chain_id(), &identity, wait),
        _ => Index::in_memory(&identity, KEPT_TXS),
    };
    let index = index.map_err(CommandError::failed)?;
    // Refuse a file of another chain before serving. If the chain changes later, the file is put aside.
    index.claim(client.chain_id()).inspect_err(|_| index.close()).map_err(CommandError::failed)?;
    if is_replacement {
        runtime.block_on(refuse_fork(&client, &index)).inspect_err(|_| index.close())?;
    }
    let chain_id = Some(client.chain_id().to_owned());
    let network = Network { chain_id, vm: Some(vm), node: Some(found), ..network.clone() };
    let has_rich_list = serving.has_rich_list && only.is_none();
    let (from, allows_gap) = (only.or(history.from), history.allow_gap);
    let follow = FollowOptions { from, to: only, has_rich_list, allows_gap, ..FollowOptions::default() };
    Ok(PreparedNode { runtime, client, fallback, index, follow, network, notes, place })
}

/// Fails if a node that replaces another does not have the blocks of an index.
async fn refuse_fork(client: &NodeClient, index: &Index) -> Result<(), CommandError> {
    let (chain_id, held) = (index.chain_id(), index.bounds().map_err(CommandError::failed)?);
    let hash_of = |height| index.block_hash(height).ok().flatten();
    let held = HeldChain { chain_id: &chain_id, tip: held.map(|held| held.tip), hash_of: &hash_of };
    let proven = prove_held(client, held).await;
    let url = client.url(NodeInterface::Rpc).unwrap_or_default();
    proven.map_err(|why| CommandError::Failed(format!("the index does not go on with {url}: {why}")))
}

/// Creates a client of a node; finds the interfaces that the user did not give near the given URL.
pub(super) async fn find(location: &NodeLocation, settings: &Settings) -> Result<NodeClient, NodeFindError> {
    let options = ClientOptions { timeout: settings.timeout, ..ClientOptions::default() };
    NodeClient::find(&addresses(location.clone()), options, AT_ONCE).await
}

/// Waits until the node's newest blocks are indexed.
pub(super) fn wait(service: &NodeService) -> Result<(), CommandError> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(CommandError::failed)?;
    runtime.block_on(service.first_blocks()).map_err(CommandError::Failed)
}
