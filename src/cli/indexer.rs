use std::{net::SocketAddr, path::PathBuf};

use serde_json::value::RawValue;

use super::{
    CommandError,
    arguments::{HistoryArguments, RollupArguments},
    node::{self, Reached, Serving},
    rollup::{self, Files},
};
use crate::{
    client::{ClientOptions, IndexerClient, RouterClient},
    config::{Network, NetworkChoice, Settings},
    demo::Rollup,
    domain::text::{self, clip},
    indexer::node::NodeService,
};

/// Columns of a chain's id in a sentence.
const CHAIN: usize = 40;

/// The chosen indexer. Holds the embedded rollup where that was chosen, which ends with it.
pub(super) struct Indexer {
    pub(super) client: IndexerClient,
    /// What is known of its network.
    pub(super) network: Network,
    /// The routing API beside it, which names tokens and chains.
    pub(super) router: Option<RouterClient>,
    /// Where the user's ABI files are.
    pub(super) abi: Option<PathBuf>,
    rollup: Option<Rollup>,
    /// The index of a node, where that was chosen, which ends with it.
    service: Option<NodeService>,
}

/// How much of the embedded rollup's index a command needs; a network's is as complete as it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum IndexPart {
    /// The newest blocks, which are indexed first.
    NewestBlocks,
    WholeHistory,
}

impl Indexer {
    /// The indexer of the network that the settings chose; a command that asks needs one to be chosen.
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
                    eprintln!("{note}: it is used as one");
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
                let any_port = SocketAddr::from(([127, 0, 0, 1], 0));
                let arguments = RollupArguments::default();
                let rollup = rollup::start(&arguments, Files::default(), any_port)?;
                if need == IndexPart::WholeHistory {
                    rollup.wait_until_indexed().map_err(CommandError::failed)?;
                }
                let network = rollup::network(&arguments, &rollup);
                Self::with(client(&rollup.url(), settings)?, network, settings, Some(rollup))
            }
            None => Err(CommandError::Usage(
                "no network is chosen: name one with --network, --indexer or --node, or take --network demo, the embedded rollup"
                    .to_owned(),
            )),
        }
    }
}

impl Indexer {
    /// Whether it is of the embedded rollup, whose own list of names is whole.
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

    /// Refuses to go on where the server is of another chain than the network is said to be. One that does not say which
    /// is asked what the command asks, whose failure tells more; where the network has a node, that one is offered.
    pub(super) async fn refuse_another_chain(&self) -> Result<(), CommandError> {
        let node = self.network.node.as_ref().filter(|_| self.service.is_none());
        let expected = self.network.chain_id.as_ref();
        if expected.is_none() && node.is_none() {
            return Ok(());
        }
        match (self.client.status().await, expected, node) {
            (Ok(status), Some(expected), _) if status.chain_id != *expected => Err(CommandError::Failed(format!(
                "{} answers for {}, and {} is {}; check the network's address and chain_id",
                self.network.indexer,
                clip(&status.chain_id, CHAIN),
                self.network.name,
                clip(expected, CHAIN),
            ))),
            (Err(error), _, Some(node)) => Err(CommandError::Failed(format!(
                "{error}; without the indexer its node will do: give --node {}",
                text::clean(&node.node),
            ))),
            (Ok(_) | Err(_), ..) => Ok(()),
        }
    }
}

fn options(settings: &Settings) -> ClientOptions {
    ClientOptions { timeout: settings.timeout, ..ClientOptions::default() }
}

/// A client of the indexer at this address, as patient as the settings say.
pub(super) fn client(indexer: &str, settings: &Settings) -> Result<IndexerClient, CommandError> {
    IndexerClient::new(indexer, options(settings)).map_err(|error| CommandError::Usage(error.to_string()))
}

/// The value of a body's field, as received: the answer for one block is `{"block": …}`.
pub(super) fn inner(body: &[u8], field: &str) -> Option<String> {
    let fields: std::collections::HashMap<String, Box<RawValue>> = serde_json::from_slice(body).ok()?;
    fields.get(field).map(|value| value.get().to_owned())
}
