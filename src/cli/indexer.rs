use std::path::PathBuf;

use serde_json::value::RawValue;

use super::{
    CommandError,
    arguments::{HistoryArguments, RollupArguments},
    node::{self, Reached, Serving},
    rollup,
};
use crate::{
    client::{ClientOptions, IndexerClient, RouterClient},
    config::{Network, NetworkChoice, Settings},
    demo::Rollup,
    domain::text::{self, clip},
    indexer::node::NodeService,
};

/// Maximum width of a chain id in a sentence, in terminal columns.
const CHAIN: usize = 40;

/// Chosen indexer. Owns the embedded rollup if the user chose it.
pub(super) struct Indexer {
    pub(super) client: IndexerClient,
    pub(super) network: Network,
    /// Client of the routing API, which names tokens and chains.
    pub(super) router: Option<RouterClient>,
    /// Folder of the user's ABI files.
    pub(super) abi: Option<PathBuf>,
    rollup: Option<Rollup>,
    /// Service that indexes a node; `None` if the user chose an indexer.
    service: Option<NodeService>,
}

/// Part of the embedded rollup's index that a command needs; other networks ignore it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum IndexPart {
    /// Newest blocks, which the rollup indexes first.
    NewestBlocks,
    WholeHistory,
}

impl Indexer {
    /// Connects to the chosen network's indexer; fails if the user chose no network.
    pub(super) fn connect(
        settings: &Settings,
        need: IndexPart,
        history: &HistoryArguments,
    ) -> Result<Self, CommandError> {
        match &settings.destination {
            Some(NetworkChoice::Network(network)) => {
                let client = client(&network.indexer, settings)?;
                Self::with(client, network.as_ref().clone(), settings, None)
            }
            Some(NetworkChoice::Node(network)) => match node::start(network, settings, history, Serving::own())? {
                Reached::Indexer(network, note) => {
                    eprintln!("{note}: rollscope uses its indexer API");
                    Self::with(client(&network.indexer, settings)?, *network, settings, None)
                }
                Reached::Node(network, service, notes) => {
                    for note in &notes {
                        eprintln!("{note}");
                    }
                    node::wait(&service)?;
                    let indexer = Self::with(client(&network.indexer, settings)?, *network, settings, None)?;
                    Ok(Self { service: Some(service), ..indexer })
                }
            },
            Some(NetworkChoice::Embedded) => {
                let rollup = rollup::start_for_command()?;
                if need == IndexPart::WholeHistory {
                    rollup.wait_until_indexed().map_err(CommandError::failed)?;
                }
                let network = rollup::network(&RollupArguments::default(), &rollup);
                Self::with(client(&rollup.url(), settings)?, network, settings, Some(rollup))
            }
            None => Err(CommandError::Usage(
                "no network chosen: use --network, --indexer or --node; --network demo starts the embedded rollup"
                    .to_owned(),
            )),
        }
    }
}

impl Indexer {
    /// Whether the indexer serves the embedded rollup, whose own list of names is complete.
    pub(super) fn is_embedded(&self) -> bool {
        self.rollup.is_some()
    }

    fn with(
        client: IndexerClient,
        network: Network,
        settings: &Settings,
        rollup: Option<Rollup>,
    ) -> Result<Self, CommandError> {
        let url = settings.router.as_ref().or(network.router.as_ref());
        let router = url.map(|url| RouterClient::new(url, options(settings))).transpose();
        let router = router.map_err(|error| CommandError::Usage(error.to_string()))?;
        Ok(Self { client, network, router, abi: settings.abi.clone(), rollup, service: None })
    }

    /// Fails if the server serves another chain than the network's. If the server does not name its chain, the
    /// command's own request will report the failure; the error offers the network's node.
    pub(super) async fn refuse_another_chain(&self) -> Result<(), CommandError> {
        let node = self.network.node.as_ref().filter(|_| self.service.is_none());
        let expected = self.network.chain_id.as_ref();
        if expected.is_none() && node.is_none() {
            return Ok(());
        }
        match (self.client.status().await, expected, node) {
            (Ok(status), Some(expected), _) if status.chain_id != *expected => Err(CommandError::Failed(format!(
                "{} serves {}, and {} is {}; check the network's address and chain_id",
                self.network.indexer,
                clip(&status.chain_id, CHAIN),
                self.network.name,
                clip(expected, CHAIN),
            ))),
            (Err(error), _, Some(node)) => Err(CommandError::Failed(format!(
                "{error}; to read the node instead: --node {}",
                text::clean(&node.node),
            ))),
            (Ok(_) | Err(_), ..) => Ok(()),
        }
    }
}

fn options(settings: &Settings) -> ClientOptions {
    ClientOptions { timeout: settings.timeout, ..ClientOptions::default() }
}

/// Creates a client of an indexer with the timeout of the settings.
pub(super) fn client(indexer: &str, settings: &Settings) -> Result<IndexerClient, CommandError> {
    IndexerClient::new(indexer, options(settings)).map_err(|error| CommandError::Usage(error.to_string()))
}

/// Returns a field of a response body as received, because a single block comes as `{"block": …}`.
pub(super) fn inner(body: &[u8], field: &str) -> Option<String> {
    let fields: std::collections::HashMap<String, Box<RawValue>> = serde_json::from_slice(body).ok()?;
    fields.get(field).map(|value| value.get().to_owned())
}
