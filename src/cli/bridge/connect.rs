use std::path::PathBuf;

use super::super::{BridgeCommand, CommandError, explore::outcome_program, rollup};
use crate::{
    client::{ClientOptions, IndexerClient, RouterClient},
    config::{Network, NetworkChoice, Networks, Settings},
    demo::Rollup,
    domain::ChainId,
    wire::{ApiError, ErrorKind},
    worker::OutcomeProgram,
};

/// Place of stored transfers: the state file, and the network's name in it.
#[derive(Clone, Debug)]
pub(super) struct RecordsPlace {
    pub(super) file: PathBuf,
    pub(super) network: String,
}

/// Chosen routing API. Owns the embedded rollup if the user chose it.
pub(in crate::cli) struct Router {
    pub(super) client: RouterClient,
    /// Router's URL, if the user named it.
    pub(super) named: Option<String>,
    /// Client of the chosen indexer, for the source transaction; `None` without an indexer.
    pub(super) indexer: Option<IndexerClient>,
    /// Chain id and node URL of the chosen network; `None` unless both are known.
    pub(super) node: Option<(ChainId, String)>,
    pub(super) network: Option<Network>,
    /// All named networks, with the user's settings.
    pub(super) networks: Networks,
    /// URL of the network's bridge executor; `None` if unknown.
    pub(super) executor: Option<String>,
    /// Timeouts and retries for clients of other servers.
    pub(super) options: ClientOptions,
    /// Place of stored transfers; `None` without a home folder.
    pub(super) records: Option<RecordsPlace>,
    /// Program that receives the outcomes of followed transfers.
    pub(super) on_end: Option<OutcomeProgram>,
    _rollup: Option<Rollup>,
}

impl Router {
    /// Connects to the routing API from the settings, else to the network's.
    pub(in crate::cli) fn connect(settings: &Settings, command: &BridgeCommand) -> Result<Self, CommandError> {
        if let Some(lack) = command.lack() {
            return Err(CommandError::Usage(lack.to_owned()));
        }
        let (url, rollup) = match (&settings.router, &settings.destination) {
            (Some(url), _) => (url.clone(), None),
            (None, Some(NetworkChoice::Network(network) | NetworkChoice::Node(network))) => {
                (network.router.clone().ok_or_else(|| unknown(&network.name))?, None)
            }
            (None, Some(NetworkChoice::Embedded)) if command.needs_memory() => return Err(no_lasting_rollup()),
            (None, Some(NetworkChoice::Embedded)) => {
                let rollup = rollup::start_for_command()?;
                (rollup.url(), Some(rollup))
            }
            (None, None) => return Err(unchosen()),
        };
        let options = ClientOptions { timeout: settings.timeout, ..ClientOptions::default() };
        let indexer = match &settings.destination {
            Some(NetworkChoice::Network(network)) => IndexerClient::new(&network.indexer, options.clone()).ok(),
            _ => None,
        };
        let network = match &settings.destination {
            Some(NetworkChoice::Network(network) | NetworkChoice::Node(network)) => network.key().to_owned(),
            _ => url.clone(),
        };
        let records = settings.paths.as_ref().map(|paths| RecordsPlace { file: paths.state_file(), network });
        let client =
            RouterClient::new(&url, options.clone()).map_err(|error| CommandError::Usage(error.to_string()))?;
        let node = match &settings.destination {
            Some(NetworkChoice::Network(network) | NetworkChoice::Node(network)) => {
                let chain = network.chain_id.as_deref().map(ChainId::new);
                chain.zip(network.node.as_ref().map(|location| location.node.clone()))
            }
            _ => None,
        };
        let network = match &settings.destination {
            Some(NetworkChoice::Network(network) | NetworkChoice::Node(network)) => Some((**network).clone()),
            _ => None,
        };
        let executor = match &settings.destination {
            Some(NetworkChoice::Network(network) | NetworkChoice::Node(network)) => network.executor.clone(),
            _ => None,
        };
        let on_end = outcome_program(settings);
        let networks = settings.networks().clone();
        Ok(Self {
            named: settings.router.clone(),
            client,
            indexer,
            node,
            network,
            networks,
            executor,
            options,
            records,
            on_end,
            _rollup: rollup,
        })
    }

    /// Converts a failed request for scripts; suggests a POST that shows an unreadable response.
    pub(super) fn failure(&self, error: ApiError) -> CommandError {
        match &error.kind {
            ErrorKind::BadShape { .. } | ErrorKind::NotJson { .. } => {
                let exchanges = self.client.exchanges().snapshot();
                let last = exchanges.iter().rev().find(|exchange| exchange.url == error.url);
                let curl = last.map(|exchange| exchange.curl()).unwrap_or_default();
                CommandError::Failed(format!("{error}; check the URL: {curl} shows the response"))
            }
            _ => error.into(),
        }
    }
}

const HOW: &str = "set a router with --router URL or ROLLSCOPE_ROUTER";

fn unknown(network: &str) -> CommandError {
    CommandError::Usage(format!("no router configured for {network}: {HOW}"))
}

fn unchosen() -> CommandError {
    CommandError::Usage(format!("no router chosen: {HOW}, or use --network demo, the embedded rollup"))
}

fn no_lasting_rollup() -> CommandError {
    let advice = "the embedded rollup of one command keeps no state: start `rollscope serve` and give its address \
     with --router";
    CommandError::Usage(advice.to_owned())
}
