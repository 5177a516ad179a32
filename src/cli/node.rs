//! A rollup's own node: rollscope indexes it locally and queries that index like any other.

use std::net::SocketAddr;

use super::{CommandError, arguments::HistoryArguments};
use crate::{
    client::{ClientOptions, NodeAddresses, NodeClient, NodeFindError},
    config::{Network, NodeLocation, Settings},
    demo::KEPT_TXS,
    domain::text,
    files::FileLock,
    indexer::{
        index::{Index, IndexFeed, IndexIdentity},
        node::{ClientFeed, FollowOptions, NodeService, ServiceOptions},
    },
};

/// Maximum concurrent requests to one host.
const AT_ONCE: usize = 16;

/// Audience of a node's index.
#[derive(Clone, Copy, Debug)]
pub(super) struct Serving {
    pub(super) listen: SocketAddr,
    /// Served to other machines: web pages may read it, and it has metrics.
    pub(super) is_public: bool,
    pub(super) quirks: bool,
    pub(super) has_rich_list: bool,
}

impl Serving {
    /// Creates a service for this process only.
    pub(super) fn own() -> Self {
        let listen = SocketAddr::from(([127, 0, 0, 1], 0));
        Self { listen, is_public: false, quirks: false, has_rich_list: true }
    }
}

/// Server at a network's node URL, with notes for the user.
pub(super) enum Reached {
    /// Index of the node, the network with its address, and a sentence for each missing interface.
    Node(Box<Network>, NodeService, Vec<String>),
    /// The address is an indexer's; rollscope uses it as the indexer.
    Indexer(Box<Network>, String),
}

pub(super) fn addresses(location: NodeLocation) -> NodeAddresses {
    let NodeLocation { node, rest, json_rpc } = location;
    NodeAddresses { node, rest, json_rpc }
}

/// Starts the index of a network's node and serves it like any other network.
pub(super) fn start(
    network: &Network,
    settings: &Settings,
    history: &HistoryArguments,
    serving: Serving,
) -> Result<Reached, CommandError> {
    let location = network.node.clone().unwrap_or_default();
    // Lock first: a file that another program writes stays untouched.
    let lock = history.data.as_deref().map(FileLock::take).transpose().map_err(CommandError::failed)?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(CommandError::failed)?;
    let client = match runtime.block_on(find(&location, settings)) {
        Ok(client) => client,
        Err(NodeFindError::Indexer { chain_id, .. }) => {
            let (address, chain_id) = (text::clean(&location.node), text::clean(&chain_id));
            let note = format!("{address} is an indexer of {chain_id}, not a node");
            let network = Network { indexer: location.node, node: None, ..network.clone() };
            return Ok(Reached::Indexer(Box::new(network), note));
        }
        Err(error) => return Err(CommandError::Failed(error.to_string())),
    };
    let missing = client.missing().iter().map(|missing| format!("found no {}: {}", missing.interface, missing.loss));
    let notes = missing.collect();
    if let Some(expected) = network.chain_id.as_ref().filter(|expected| **expected != client.chain_id()) {
        return Err(CommandError::Failed(format!(
            "the node at {} serves {}, and {} is {expected}; check the network's node and chain_id",
            location.node,
            text::clean(client.chain_id()),
            network.name,
        )));
    }
    let vm = client.vm();
    // Other users of the network find the node's interfaces at once.
    let NodeAddresses { node, rest, json_rpc } = client.addresses();
    let found = NodeLocation { node, rest, json_rpc };
    let identity = IndexIdentity { vm, feed: IndexFeed::Node, facts: Vec::new() };
    let index = match history.data.as_deref().zip(lock) {
        Some((path, lock)) => Index::in_locked_file(path, lock, &identity),
        None => Index::in_memory(&identity, KEPT_TXS),
    };
    let index = index.map_err(CommandError::failed)?;
    // Refuse another chain's file before serving; one that changes chain later is put aside.
    index.claim(client.chain_id()).inspect_err(|_| index.close()).map_err(CommandError::failed)?;
    let chain_id = Some(client.chain_id().to_owned());
    let network = Network { chain_id, vm: Some(vm), node: Some(found), ..network.clone() };
    let follow = FollowOptions { from: history.from, has_rich_list: serving.has_rich_list, ..FollowOptions::default() };
    let options = ServiceOptions { quirks: serving.quirks, follow, is_public: serving.is_public };
    let service = NodeService::start(runtime, ClientFeed::new(client), index, serving.listen, options);
    let service = service.map_err(CommandError::failed)?;
    Ok(Reached::Node(Box::new(Network { indexer: service.url(), ..network }), service, notes))
}

/// Creates a node's client, which finds the missing interfaces near the given one.
pub(super) async fn find(location: &NodeLocation, settings: &Settings) -> Result<NodeClient, NodeFindError> {
    let options = ClientOptions { timeout: settings.timeout, ..ClientOptions::default() };
    NodeClient::find(&addresses(location.clone()), options, AT_ONCE).await
}

/// Waits until the newest blocks are indexed.
pub(super) fn wait(service: &NodeService) -> Result<(), CommandError> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(CommandError::failed)?;
    runtime.block_on(service.first_blocks()).map_err(CommandError::Failed)
}
