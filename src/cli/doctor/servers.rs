//! The chosen network's servers: indexer, router, and the interfaces of its node.

use std::time::{Duration, Instant};

use super::{DoctorFinding, FindingState, ServerAnswer};
use crate::{
    cli::{CommandError, indexer, networks, node},
    client::{ClientOptions, NodeClient, NodeFindError, NodeInterface, RouterClient, endpoints},
    config::{Network, Settings},
    domain::{
        Height, Timestamp,
        text::{age, clean, clip, group},
    },
};

/// Maximum width of a chain id, in terminal columns.
const CHAIN: usize = 40;
/// Age of the newest block from which on chain, server or clock may be behind.
const OLD: Duration = Duration::from_secs(5 * 60);
/// A block's time may lie ahead by this much: clocks of servers differ.
const AHEAD: Duration = Duration::from_secs(5);
/// Blocks behind the node from which on an indexer's lag is a warning.
const LAG: u64 = 100;

/// Findings of one server, with what the comparison of servers needs.
#[derive(Default)]
struct ExaminedServer {
    findings: Vec<DoctorFinding>,
    /// Chain and height, if the server answered.
    chain: Option<(String, u64)>,
    /// Time of its newest block.
    newest: Option<Timestamp>,
}

pub(super) async fn examine(network: &Network, settings: &Settings) -> Vec<DoctorFinding> {
    let chain = network.chain_id.as_deref().unwrap_or("of unknown id");
    let mut findings = vec![DoctorFinding::good("network", format!("{}, chain {chain}", network.name))];
    let (indexer, (node, client)) =
        tokio::join!(Box::pin(examine_indexer(network, settings)), Box::pin(examine_node(network, settings)));
    let chain_id = network.chain_id.clone().or_else(|| Some(node.chain.as_ref().or(indexer.chain.as_ref())?.0.clone()));
    let router = Box::pin(examine_router(network, chain_id.as_deref(), settings)).await;
    let compared = Box::pin(compare(network, settings, (&indexer, &node), client)).await;
    let clock = node.newest.or(indexer.newest).map(|newest| examine_clock(newest, Timestamp::now()));
    findings.extend(indexer.findings);
    findings.extend(node.findings);
    findings.push(router);
    findings.extend(compared);
    findings.extend(clock);
    findings
}

/// Finding of a server that serves a chain, which must be the network's.
fn answered(
    name: &'static str,
    url: &str,
    (chain_id, height): (&str, u64),
    time: Duration,
    network: &Network,
) -> DoctorFinding {
    let (url, shown) = (clean(url), clip(chain_id, CHAIN));
    let milliseconds = networks::milliseconds(time);
    let expected = network.chain_id.as_ref().filter(|expected| *expected != chain_id);
    let finding = if let Some(expected) = expected {
        let what = format!("{url} serves {shown}, and {} is {}", network.name, clip(expected, CHAIN));
        DoctorFinding::problem(name, what, "check the network's address and chain_id")
    } else {
        let what = format!("{url} serves {shown}, height {}, {} ms", group(height), group(milliseconds));
        DoctorFinding::good(name, what)
    };
    DoctorFinding { answer: Some(ServerAnswer { chain_id: chain_id.to_owned(), height, milliseconds }), ..finding }
}

async fn examine_indexer(network: &Network, settings: &Settings) -> ExaminedServer {
    let (name, url) = ("indexer", &network.indexer);
    if url.is_empty() {
        return ExaminedServer::default();
    }
    let begun = Instant::now();
    let chain = match networks::ask_indexer(url, settings).await {
        Ok(chain) => (chain.chain_id, chain.height),
        Err(error) => {
            return ExaminedServer {
                findings: vec![DoctorFinding::failure(name, &error)],
                ..ExaminedServer::default()
            };
        }
    };
    let finding = answered(name, url, (&chain.0, chain.1), begun.elapsed(), network);
    let newest = async {
        let client = indexer::client(url, settings).ok()?;
        let block = client.one(endpoints::block(Height::new(chain.1)?)).await.ok()?;
        Some(block.timestamp)
    };
    let newest = newest.await;
    ExaminedServer { findings: vec![finding], chain: Some(chain), newest }
}

async fn examine_node(network: &Network, settings: &Settings) -> (ExaminedServer, Option<NodeClient>) {
    let Some(location) = &network.node else { return (ExaminedServer::default(), None) };
    match node::find(location, settings).await {
        Ok(client) => (examine_interfaces(&client, network).await, Some(client)),
        // The explorer uses such a URL as the indexer's.
        Err(NodeFindError::Indexer { url, .. }) if network.indexer.is_empty() => {
            let network = Network { indexer: url, node: None, ..network.clone() };
            (examine_indexer(&network, settings).await, None)
        }
        Err(error) => {
            let findings = vec![DoctorFinding::failure("node", &error)];
            (ExaminedServer { findings, ..ExaminedServer::default() }, None)
        }
    }
}

async fn examine_interfaces(client: &NodeClient, network: &Network) -> ExaminedServer {
    let mut server = ExaminedServer::default();
    for interface in [NodeInterface::Rpc, NodeInterface::Rest, NodeInterface::JsonRpc] {
        let (name, option) = match interface {
            NodeInterface::Rpc => ("RPC", "--node"),
            NodeInterface::Rest => ("REST", "--rest"),
            NodeInterface::JsonRpc => ("JSON-RPC", "--json-rpc"),
        };
        let Some(url) = client.url(interface) else {
            let missing = client.missing().iter().find(|missing| missing.interface == interface);
            let advice = format!("name its URL with {option}");
            server.findings.extend(missing.map(|missing| {
                DoctorFinding::warning(name, format!("none found near the RPC: {}", missing.loss), &advice)
            }));
            continue;
        };
        let begun = Instant::now();
        let finding = match client.tip(interface).await {
            Ok(height) => {
                if interface == NodeInterface::Rpc {
                    server.chain = Some((client.chain_id().to_owned(), height));
                }
                answered(name, url, (client.chain_id(), height), begun.elapsed(), network)
            }
            Err(error) => DoctorFinding::failure(name, &error),
        };
        server.findings.push(finding);
    }
    if let Ok(status) = client.status().await {
        server.newest = status.sync_info.latest_block_time;
        if status.sync_info.catching_up {
            let advice = "wait until it has caught up with the chain";
            server.findings.push(DoctorFinding::warning("RPC", "the node is still syncing", advice));
        }
    }
    server
}

async fn examine_router(network: &Network, chain_id: Option<&str>, settings: &Settings) -> DoctorFinding {
    let name = "router";
    let Some(url) = settings.router.as_ref().or(network.router.as_ref()) else {
        return DoctorFinding::warning(name, "none: no quotes, and no search for transfers", "name one with --router");
    };
    let options = ClientOptions { timeout: settings.timeout, ..ClientOptions::default() };
    let client = match RouterClient::new(url, options) {
        Ok(client) => client,
        Err(error) => return DoctorFinding::failure(name, &error),
    };
    let begun = Instant::now();
    let chains = match client.chains().await {
        Ok(chains) => chains,
        Err(error) => return DoctorFinding::failure(name, &CommandError::from(error)),
    };
    let what = format!(
        "{} knows {} chains, {} ms",
        clean(url),
        group(chains.len() as u64),
        group(networks::milliseconds(begun.elapsed()))
    );
    match chain_id.filter(|chain_id| chains.iter().all(|chain| chain.chain_id.as_str() != *chain_id)) {
        Some(chain_id) => {
            let what = format!("{what}, but not {}", clip(chain_id, CHAIN));
            DoctorFinding::warning(name, what, "it has no routes for this chain; name another with --router")
        }
        None => DoctorFinding::good(name, what),
    }
}

/// Compares the indexer's chain with the node's, by chain id and blocks.
async fn compare(
    network: &Network,
    settings: &Settings,
    (indexer, node): (&ExaminedServer, &ExaminedServer),
    client: Option<NodeClient>,
) -> Option<DoctorFinding> {
    let name = "one chain";
    let ((_, held), (_, tip)) = (indexer.chain.as_ref()?, node.chain.as_ref()?);
    let api = indexer::client(&network.indexer, settings).ok()?;
    let status = api.status().await.ok()?;
    if let Err(error) = client?.refuse_other_chain(&api, status).await {
        return Some(DoctorFinding::problem(name, error.to_string(), "give URLs of one chain"));
    }
    let behind = tip.saturating_sub(*held);
    let state = if behind > LAG { FindingState::Warning } else { FindingState::Good };
    let what = match behind {
        0 => "indexer and node serve the same chain, at the same height".to_owned(),
        behind => format!("indexer and node serve the same chain; the indexer is {} blocks behind", group(behind)),
    };
    let advice = if behind > LAG { "the overview of the explorer shows whether it catches up" } else { "" };
    Some(DoctorFinding::new(name, state, what, advice))
}

/// Compares this machine's clock with the newest block's time: a block of the future proves a wrong clock, a fresh one
/// a right clock, and an old one nothing.
fn examine_clock(newest: Timestamp, now: Timestamp) -> DoctorFinding {
    let name = "clock";
    let ahead = newest.since(now);
    if ahead > AHEAD {
        let what =
            format!("the newest block is {} ahead of this clock: this clock or the sequencer's is wrong", age(ahead));
        return DoctorFinding::problem(name, what, "compare this clock with a time server");
    }
    let old = now.since(newest);
    let what = format!("the newest block is {} old by this clock", age(old));
    if old > OLD {
        let what = format!("{what}: the chain or its servers stand still, or the clock is wrong");
        return DoctorFinding::warning(
            name,
            what,
            "compare this clock with a time server, and the height with another server",
        );
    }
    DoctorFinding::good(name, what)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_block_of_the_future_is_a_problem_of_the_clock() {
        let now = Timestamp::EPOCH.after(Duration::from_hours(1000));
        let state = |newest: Timestamp| examine_clock(newest, now).state;
        assert_eq!(state(now.after(Duration::from_secs(5))), FindingState::Good);
        assert_eq!(state(now.after(Duration::from_secs(6))), FindingState::Problem);
        assert_eq!(state(now.before(Duration::from_secs(300))), FindingState::Good);
        assert_eq!(state(now.before(Duration::from_secs(301))), FindingState::Warning);
    }
}
