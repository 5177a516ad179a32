//! Examination of a network's servers: what each interface answers, and whether all serve one chain.

use std::time::Instant;

use super::{
    host_limit::HostLimits,
    indexer::IndexerClient,
    node::{MissingInterface, NodeAddresses, NodeClient, NodeFindError, NodeInterface},
    options::ClientOptions,
};
use crate::wire::{ApiError, ServerAnswer, ServerInterface, ServerReport, ServerReports, ServerUrls};

/// Examined servers with the clients of those that answered.
#[derive(Default)]
pub struct ExaminedServers {
    pub found: ServerReports,
    /// Interfaces of the node that were neither named nor found.
    pub missing: Vec<MissingInterface>,
    pub node: Option<NodeClient>,
    pub indexer: Option<IndexerClient>,
    /// URL of an indexer that was named as a node's.
    other_indexer: Option<String>,
}

impl From<NodeInterface> for ServerInterface {
    fn from(interface: NodeInterface) -> Self {
        match interface {
            NodeInterface::Rpc => Self::Rpc,
            NodeInterface::Rest => Self::Rest,
            NodeInterface::JsonRpc => Self::JsonRpc,
        }
    }
}

impl ExaminedServers {
    /// Asks each of the named servers. Interfaces of the node that have no name are searched near it.
    pub async fn examine(urls: &ServerUrls, options: &ClientOptions, limits: impl Into<HostLimits>) -> Self {
        let node = Box::pin(examine_node(urls, options, limits.into()));
        let (mut indexer, mut examined) = tokio::join!(Box::pin(examine_indexer(urls, options)), node);
        // The explorer uses the URL of an indexer as one, even if it was named as a node's.
        if let (None, Some(url)) = (&indexer, examined.other_indexer.take()) {
            examined.found.reports.clear();
            indexer =
                Box::pin(examine_indexer(&ServerUrls { indexer: Some(url), ..ServerUrls::default() }, options)).await;
        }
        if let Some((report, client)) = indexer {
            examined.found.reports.insert(0, report);
            examined.indexer = client;
        }
        if let (Some(node), Some(indexer)) = (&examined.node, &examined.indexer)
            && let Ok(status) = indexer.status().await
            && let Err(error) = Box::pin(node.refuse_other_chain(indexer, status)).await
        {
            examined.found.conflict = Some(error.to_string());
        }
        examined
    }
}

async fn examine_indexer(urls: &ServerUrls, options: &ClientOptions) -> Option<(ServerReport, Option<IndexerClient>)> {
    let url = urls.indexer.clone()?;
    let begun = Instant::now();
    let (result, client) = match IndexerClient::new(&url, options.clone()) {
        Ok(client) => match client.status().await {
            Ok(status) => (Ok(answer(status.chain_id, status.height.get(), begun)), Some(client)),
            Err(error) => (Err(sentence(&error)), None),
        },
        Err(error) => (Err(error.to_string()), None),
    };
    Some((ServerReport { interface: ServerInterface::Indexer, url, result }, client))
}

async fn examine_node(urls: &ServerUrls, options: &ClientOptions, limits: HostLimits) -> ExaminedServers {
    let ServerUrls { node, rest, json_rpc, .. } = urls.clone();
    let Some(node) = node else { return ExaminedServers::default() };
    let mut addresses = NodeAddresses { node, rest, json_rpc };
    let mut examined = ExaminedServers::default();
    let client = loop {
        let error = match NodeClient::find(&addresses, options.clone(), limits.clone()).await {
            Ok(client) => break client,
            Err(error) => error,
        };
        if let NodeFindError::Indexer { url, .. } = &error {
            examined.other_indexer = Some(url.clone());
        }
        let interface = named_interface(&error).unwrap_or(NodeInterface::Rpc);
        let url = match interface {
            NodeInterface::Rpc => Some(addresses.node.clone()),
            NodeInterface::Rest => addresses.rest.take(),
            NodeInterface::JsonRpc => addresses.json_rpc.take(),
        };
        // The others are examined without it.
        let goes_on = interface != NodeInterface::Rpc && url.is_some();
        let url = url.unwrap_or_else(|| addresses.node.clone());
        let report = ServerReport { interface: interface.into(), url, result: Err(error.to_string()) };
        examined.found.reports.push(report);
        if !goes_on {
            return examined;
        }
    };
    for interface in [NodeInterface::Rpc, NodeInterface::Rest, NodeInterface::JsonRpc] {
        let is_examined = examined.found.reports.iter().any(|report| report.interface == interface.into());
        let Some(url) = client.url(interface).filter(|_| !is_examined) else { continue };
        let begun = Instant::now();
        let tip = client.tip(interface).await;
        let result = tip.map(|height| answer(client.chain_id().to_owned(), height, begun));
        let result = result.map_err(|error| error.to_string());
        examined.found.reports.push(ServerReport { interface: interface.into(), url: url.to_owned(), result });
    }
    examined.found.reports.sort_by_key(|report| report.interface);
    examined.missing = client.missing().to_vec();
    examined.node = Some(client);
    examined
}

/// Returns the interface whose named URL caused the failure.
fn named_interface(error: &NodeFindError) -> Option<NodeInterface> {
    match error {
        NodeFindError::NotThatInterface { interface, .. }
        | NodeFindError::OtherChain { interface, .. }
        | NodeFindError::Unproven { interface, .. } => Some(*interface),
        _ => None,
    }
}

fn answer(chain_id: String, height: u64, begun: Instant) -> ServerAnswer {
    let milliseconds = u64::try_from(begun.elapsed().as_millis()).unwrap_or(u64::MAX);
    ServerAnswer { chain_id, height, milliseconds }
}

fn sentence(error: &ApiError) -> String {
    format!("{error}; {}", error.advice())
}
