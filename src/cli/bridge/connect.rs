use std::{path::PathBuf, sync::Arc};

use super::super::{BridgeCommand, CommandError, explore::outcome_program, rollup};
use crate::{
    app,
    client::{ClientOptions, IndexerClient, RouterClient, endpoints::Endpoint},
    config::{Network, NetworkChoice, Networks, Paths, Settings},
    demo::Rollup,
    domain::ChainId,
    wire::{
        ApiError, ErrorKind, Exchange,
        router::{ChainInfo, DemoInfo},
    },
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
    /// `None` where none was chosen: `claim` needs only executor and L1.
    client: Option<RouterClient>,
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
    rollup: Option<Rollup>,
}

impl Router {
    /// Connects to the routing API from the settings, else to the network's.
    pub(in crate::cli) fn connect(settings: &Settings, command: &BridgeCommand) -> Result<Self, CommandError> {
        if let Some(lack) = command.lack() {
            return Err(CommandError::Usage(lack.to_owned()));
        }
        let (url, rollup) = match (&settings.router, &settings.destination) {
            (Some(url), _) => (Some(url.clone()), None),
            (None, Some(NetworkChoice::Network(network) | NetworkChoice::Node(network))) => {
                (network.router.clone(), None)
            }
            (None, Some(NetworkChoice::Embedded)) if command.needs_memory() => return Err(no_lasting_rollup()),
            (None, Some(NetworkChoice::Embedded)) => {
                let rollup = rollup::start_for_command()?;
                (Some(rollup.url()), Some(rollup))
            }
            (None, None) => (None, None),
        };
        let options = ClientOptions { timeout: settings.timeout, ..ClientOptions::default() };
        let network = match &settings.destination {
            Some(NetworkChoice::Network(network) | NetworkChoice::Node(network)) => Some((**network).clone()),
            _ => None,
        };
        if url.is_none() && !command.needs_no_router() {
            return Err(network.as_ref().map_or_else(unchosen, |network| unknown(&network.name)));
        }
        let indexer = match &settings.destination {
            Some(NetworkChoice::Network(network)) => IndexerClient::new(&network.indexer, options.clone()).ok(),
            _ => None,
        };
        let key = network.as_ref().map(|network| network.key().to_owned()).or_else(|| url.clone());
        let place = |(paths, network): (&Paths, String)| RecordsPlace { file: paths.state_file(), network };
        let records = settings.paths.as_ref().zip(key).map(place);
        let client = url.map(|url| RouterClient::new(&url, options.clone())).transpose();
        let client = client.map_err(|error| CommandError::Usage(error.to_string()))?;
        let node = network.as_ref().and_then(|network| {
            let chain = network.chain_id.as_deref().map(ChainId::new);
            chain.zip(network.node.as_ref().map(|location| location.node.clone()))
        });
        let executor = network.as_ref().and_then(|network| network.executor.clone());
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
            rollup,
        })
    }

    /// Returns the client of the routing API; fails if none was chosen.
    pub(super) fn client(&self) -> Result<&RouterClient, CommandError> {
        self.client.as_ref().ok_or_else(unchosen)
    }

    /// Returns the router's URL.
    pub(super) fn base_url(&self) -> Option<String> {
        self.client.as_ref().map(|client| client.base_url().join(""))
    }

    /// Requests a body exactly as received.
    pub(super) async fn raw<W, T>(&self, endpoint: Endpoint<W, T>) -> Result<Vec<u8>, CommandError> {
        self.client()?.raw(endpoint).await.map_err(|error| self.failure(error))
    }

    /// Returns the embedded rollup's description, if the router is the user's own server; `None` also if the router
    /// does not answer.
    pub(super) async fn demo(&self) -> Option<DemoInfo> {
        let is_own = |info: &DemoInfo| {
            let named = self.network.as_ref().zip(self.base_url());
            named.is_some_and(|(network, router)| app::is_own_simulation(&router, network, info))
        };
        let info = self.client.as_ref()?.demo().await.ok().flatten()?;
        Some(info).filter(|info| self.rollup.is_some() || is_own(info))
    }

    /// Returns the router's chains; none if it does not answer.
    pub(super) async fn chains(&self) -> Vec<ChainInfo> {
        match &self.client {
            Some(client) => client.chains().await.unwrap_or_default(),
            None => Vec::new(),
        }
    }

    /// Returns the recent exchanges with the router.
    pub(super) fn exchanges(&self) -> Vec<Arc<Exchange>> {
        self.client.as_ref().map(|client| client.exchanges().snapshot()).unwrap_or_default()
    }

    /// Converts a failed request for scripts; suggests a POST that shows an unreadable response.
    pub(super) fn failure(&self, error: ApiError) -> CommandError {
        match &error.kind {
            ErrorKind::BadShape { .. } | ErrorKind::NotJson { .. } => {
                let exchanges = self.exchanges();
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
