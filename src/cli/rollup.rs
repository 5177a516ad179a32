use std::{
    net::{Ipv4Addr, SocketAddr},
    path::PathBuf,
};

use super::{CommandError, arguments::RollupArguments};
use crate::{
    config::{DEMO, KnownChannel, KnownToken, NamedAccount, Network, NodeLocation},
    demo::{
        Genesis, Rollup, RollupOptions,
        ledger::{LedgerOptions, RollupFacts, facts, token_names},
    },
    domain::{ContractRole, Timestamp},
};

#[derive(Debug, Default)]
pub(super) struct Files {
    pub(super) data: Option<PathBuf>,
    /// File for the router's transfers, if the index has no file.
    pub(super) journal: Option<PathBuf>,
}

pub(super) fn start(arguments: &RollupArguments, files: Files, listen: SocketAddr) -> Result<Rollup, CommandError> {
    start_with(options(arguments, files), listen)
}

pub(super) fn start_with(options: RollupOptions, listen: SocketAddr) -> Result<Rollup, CommandError> {
    Rollup::start(options, listen).map_err(CommandError::failed)
}

pub(super) fn options(arguments: &RollupArguments, files: Files) -> RollupOptions {
    RollupOptions {
        genesis: if arguments.genesis_time.is_some() { Genesis::Fixed } else { Genesis::HistoryAgo },
        history: arguments.history,
        quirks: arguments.quirks,
        no_rich_list: arguments.no_rich_list,
        data: files.data,
        journal: files.journal,
        time_scale: arguments.time_scale,
        router_states: arguments.router_states,
        faults: arguments.faults.clone(),
        ..RollupOptions::new(LedgerOptions {
            vm: arguments.vm,
            seed: arguments.seed,
            genesis_time: arguments.genesis_time.unwrap_or(Timestamp::EPOCH),
            block_time: arguments.block_time,
            accounts: arguments.accounts,
        })
    }
}

/// Starts the embedded rollup for one command, and waits until the rollup answers, so that its start does not count as
/// latency.
pub(super) fn start_for_command() -> Result<Rollup, CommandError> {
    let any_port = SocketAddr::from((Ipv4Addr::LOCALHOST, 0));
    let rollup = start(&RollupArguments::default(), Files::default(), any_port)?;
    rollup.wait_until_ready().map_err(CommandError::failed)?;
    Ok(rollup)
}

pub(super) fn network(arguments: &RollupArguments, rollup: &Rollup) -> Network {
    let url = rollup.url();
    let tokens = token_names(arguments.vm, arguments.seed);
    let tokens = tokens.iter().map(|name| KnownToken {
        denom: name.denom.to_string(),
        symbol: name.symbol.to_owned(),
        decimals: name.decimals,
    });
    let facts = facts(arguments.vm, arguments.seed);
    let accounts = facts.accounts.iter();
    Network {
        name: DEMO.to_owned(),
        chain_id: Some(facts.chain_id.to_owned()),
        vm: Some(arguments.vm),
        l1: Some(facts.l1_chain_id.to_owned()),
        bridge_id: Some(facts.bridge_id),
        channels: channels(&facts),
        accounts: accounts
            .map(|(address, name)| NamedAccount {
                address: *address,
                name: (*name).to_owned(),
                role: facts.wrapper.filter(|wrapper| wrapper == address).map(|_| ContractRole::Wrapper),
            })
            .collect(),
        indexer: url.clone(),
        router: Some(url.clone()),
        executor: Some(format!("{url}/executor")),
        node: Some(NodeLocation { node: rollup.node_url(), ..NodeLocation::default() }),
        // Only this server has the metadata of the rollup's NFTs.
        ipfs_gateway: Some(format!("{url}/demo/v1/ipfs")),
        tokens: tokens.collect(),
        ..Network::default()
    }
}

fn channels(facts: &RollupFacts) -> Vec<KnownChannel> {
    let channels = facts.channels.iter().map(|channel| KnownChannel {
        port: channel.port.to_owned(),
        channel: channel.id.to_owned(),
        chain: channel.chain_id.to_owned(),
    });
    channels.collect()
}
