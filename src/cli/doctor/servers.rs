//! The chosen network's servers: indexer, router, and the interfaces of its node.

use std::time::{Duration, Instant};

use super::{DoctorFinding, FindingState};
use crate::{
    cli::{CommandError, node::AT_ONCE},
    client::{ClientOptions, ExaminedServers, NodeInterface, RouterClient, endpoints},
    config::{Network, Settings},
    domain::{
        Height, Timestamp,
        text::{age, clean, clip, group},
    },
    wire::{ServerInterface, ServerReport, ServerUrls},
};

/// Maximum width of a chain id, in terminal columns.
const CHAIN: usize = 40;
/// Age of the newest block from which on chain, server or clock may be behind.
const OLD: Duration = Duration::from_secs(5 * 60);
/// A block's time may lie ahead by this much: clocks of servers differ.
const AHEAD: Duration = Duration::from_secs(5);
/// Blocks behind the node from which on an indexer's lag is a warning.
const LAG: u64 = 100;

pub(super) async fn examine(network: &Network, settings: &Settings) -> Vec<DoctorFinding> {
    let chain = network.chain_id.as_deref().unwrap_or("of unknown id");
    let mut findings = vec![DoctorFinding::good("network", format!("{}, chain {chain}", clean(&network.name)))];
    let options = ClientOptions { timeout: settings.timeout, ..ClientOptions::default() };
    let examined = Box::pin(ExaminedServers::examine(&urls(network), &options, AT_ONCE)).await;
    findings.extend(examined.found.reports.iter().map(|report| examine_report(report, network)));
    let missing = examined.missing.iter().map(|missing| {
        let (name, option) = match missing.interface {
            NodeInterface::Rpc => ("RPC", "--node"),
            NodeInterface::Rest => ("REST", "--rest"),
            NodeInterface::JsonRpc => ("JSON-RPC", "--json-rpc"),
        };
        let what = format!("none found near the RPC: {}", missing.loss);
        DoctorFinding::warning(name, what, &format!("name its URL with {option}"))
    });
    findings.extend(missing);
    let served = examined.found.reports.iter().find_map(|report| report.result.as_ref().ok());
    let chain_id = network.chain_id.clone().or_else(|| served.map(|answer| answer.chain_id.clone()));
    findings.push(Box::pin(examine_router(network, chain_id.as_deref(), settings, options)).await);
    findings.extend(compare(&examined));
    findings.extend(Box::pin(examine_newest(&examined)).await);
    findings
}

fn urls(network: &Network) -> ServerUrls {
    let node = network.node.clone();
    let (rest, json_rpc) = node.as_ref().map_or((None, None), |node| (node.rest.clone(), node.json_rpc.clone()));
    let indexer = Some(network.indexer.clone()).filter(|indexer| !indexer.is_empty());
    ServerUrls { indexer, node: node.map(|node| node.node), rest, json_rpc }
}

/// Judges a server's answer: its chain must be the network's.
fn examine_report(report: &ServerReport, network: &Network) -> DoctorFinding {
    let name = report.interface.name();
    let answer = match &report.result {
        Ok(answer) => answer.clone(),
        Err(failure) => return DoctorFinding::failure(name, &clean(failure)),
    };
    let (url, shown) = (clean(&report.url), clip(&answer.chain_id, CHAIN));
    let finding = if let Some(expected) = network.chain_id.as_ref().filter(|expected| **expected != answer.chain_id) {
        let what = format!("{url} serves {shown}, and {} is {}", clean(&network.name), clip(expected, CHAIN));
        DoctorFinding::problem(name, what, "check the network's address and chain_id")
    } else {
        let (height, time) = (group(answer.height), group(answer.milliseconds));
        DoctorFinding::good(name, format!("{url} serves {shown}, height {height}, {time} ms"))
    };
    DoctorFinding { answer: Some(answer), ..finding }
}

async fn examine_router(
    network: &Network,
    chain_id: Option<&str>,
    settings: &Settings,
    options: ClientOptions,
) -> DoctorFinding {
    let name = "router";
    let Some(url) = settings.router.as_ref().or(network.router.as_ref()) else {
        return DoctorFinding::warning(name, "none: no quotes, and no search for transfers", "name one with --router");
    };
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
        group(u64::try_from(begun.elapsed().as_millis()).unwrap_or(u64::MAX))
    );
    match chain_id.filter(|chain_id| chains.iter().all(|chain| chain.chain_id.as_str() != *chain_id)) {
        Some(chain_id) => {
            let what = format!("{what}, but not {}", clip(chain_id, CHAIN));
            DoctorFinding::warning(name, what, "it has no routes for this chain; name another with --router")
        }
        None => DoctorFinding::good(name, what),
    }
}

/// Compares the indexer with the node.
fn compare(examined: &ExaminedServers) -> Option<DoctorFinding> {
    let name = "one chain";
    if let Some(conflict) = &examined.found.conflict {
        return Some(DoctorFinding::problem(name, clean(conflict), "give URLs of one chain"));
    }
    let height = |interface| {
        let report = examined.found.reports.iter().find(|report| report.interface == interface)?;
        report.result.as_ref().ok().map(|answer| answer.height)
    };
    let behind = height(ServerInterface::Rpc)?.saturating_sub(height(ServerInterface::Indexer)?);
    let what = match behind {
        0 => "indexer and node serve the same chain, at the same height".to_owned(),
        behind => format!("indexer and node serve the same chain; the indexer is {} blocks behind", group(behind)),
    };
    Some(if behind > LAG {
        DoctorFinding::warning(name, what, "the overview of the explorer shows whether it catches up")
    } else {
        DoctorFinding::new(name, FindingState::Good, what, "")
    })
}

/// Examines the newest block of the node, else of the indexer.
async fn examine_newest(examined: &ExaminedServers) -> Option<DoctorFinding> {
    if let Some(node) = &examined.node {
        let held = node.status().await.ok()?.sync_info;
        if held.catching_up {
            let advice = "wait until it has caught up with the chain";
            return Some(DoctorFinding::warning("RPC", "the node is still syncing", advice));
        }
        return held.latest_block_time.map(|newest| examine_clock(newest, Timestamp::now()));
    }
    let indexer = examined.indexer.as_ref()?;
    let height = Height::new(indexer.status().await.ok()?.height.get())?;
    let block = indexer.one(endpoints::block(height)).await.ok()?;
    Some(examine_clock(block.timestamp, Timestamp::now()))
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
