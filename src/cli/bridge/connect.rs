use std::net::SocketAddr;

use super::super::{BridgeCommand, CommandError, RollupArguments, explore::outcome_program, rollup};
use super::signing::RecordsPlace;
use crate::{
    client::{ClientOptions, IndexerClient, RouterClient},
    config::{Network, NetworkChoice, Settings},
    demo::Rollup,
    domain::ChainId,
    wire::{ApiError, ErrorKind},
    worker::OutcomeProgram,
};

/// The chosen routing API. Holds the embedded rollup where that was chosen, which ends with it.
pub(in crate::cli) struct Router {
    pub(super) client: RouterClient,
    /// The chosen indexer, where there is one beside it: it tells of the source transaction.
    pub(super) indexer: Option<IndexerClient>,
    /// The chosen network's chain and the address of its node, where both are known.
    pub(super) node: Option<(ChainId, String)>,
    /// The chosen network.
    pub(super) network: Option<Network>,
    /// The API of the executor of the chosen network's bridge, where it is known.
    pub(super) executor: Option<String>,
    /// How patient clients of other addresses are.
    pub(super) options: ClientOptions,
    /// Where transfers are kept; `None` without a home folder.
    pub(super) records: Option<RecordsPlace>,
    /// What is given the outcomes of transfers that are followed.
    pub(super) on_end: Option<OutcomeProgram>,
    _rollup: Option<Rollup>,
}

impl Router {
    /// The routing API that the settings chose: the one that was named, else the network's.
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
                let any_port = SocketAddr::from(([127, 0, 0, 1], 0));
                let rollup = rollup::start(&RollupArguments::default(), rollup::Files::default(), any_port)?;
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
        Ok(Self { client, indexer, node, network, executor, options, records, on_end, _rollup: rollup })
    }

    /// What a failed request means to a script: as elsewhere, but that a POST is what shows an unreadable answer again.
    pub(super) fn failure(&self, error: ApiError) -> CommandError {
        match &error.kind {
            ErrorKind::BadShape { .. } | ErrorKind::NotJson { .. } => {
                let exchanges = self.client.exchanges().snapshot();
                let last = exchanges.iter().rev().find(|exchange| exchange.url == error.url);
                let curl = last.map(|exchange| exchange.curl()).unwrap_or_default();
                CommandError::Failed(format!("{error}; check the address, {curl} shows the answer"))
            }
            _ => error.into(),
        }
    }
}

const HOW: &str = "give its address with --router URL or ROLLSCOPE_ROUTER";

fn unknown(network: &str) -> CommandError {
    CommandError::Usage(format!("no routing API is known for {network}: {HOW}"))
}

fn unchosen() -> CommandError {
    CommandError::Usage(format!("no routing API is chosen: {HOW}, or take --network demo, the embedded rollup"))
}

fn no_lasting_rollup() -> CommandError {
    let advice = "the embedded rollup of one command forgets everything: start `rollscope serve` and give its address \
                  with --router";
    CommandError::Usage(advice.to_owned())
}
