use std::{
    path::PathBuf,
    time::{Duration, Instant},
};

use serde_json::value::RawValue;

use super::{
    CommandError,
    arguments::{HistoryArguments, RollupArguments},
    node::{self, Reached, Serving, SoughtRecord},
    rollup,
};
use crate::{
    client::{ClientOptions, IndexerClient, RouterClient, TxPlace},
    config::{Network, NetworkChoice, Settings},
    demo::Rollup,
    domain::{
        Height, TxHash,
        text::{self, clip, group},
    },
    indexer::node::NodeService,
    wire::ApiError,
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
    /// End of a search in the service's index while it is filling; `None` if the index holds what it needs.
    deadline: Option<Instant>,
    /// Place of the wanted record on the service's node.
    place: TxPlace,
}

/// Interval between looks into an index that is filling.
const LOOK: Duration = Duration::from_millis(200);

/// Part of the embedded rollup's index that a command needs; other networks ignore it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum IndexPart {
    /// Newest blocks, which the rollup indexes first.
    NewestBlocks,
    WholeHistory,
    /// One record: of a node, only its block is read.
    Record(SoughtRecord),
}

impl IndexPart {
    /// Returns the need of a command that shows the transaction with a Cosmos or EVM hash, or records of one block, if
    /// one is given.
    pub(super) fn of_txs(hash: Option<TxHash>, block: Option<Height>) -> Self {
        let record = hash.map(SoughtRecord::Tx).or(block.map(SoughtRecord::Block));
        record.map_or(Self::WholeHistory, Self::Record)
    }

    fn serving(self) -> Serving {
        let sought = if let Self::Record(record) = self { Some(record) } else { None };
        Serving { sought, ..Serving::own() }
    }
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
            Some(NetworkChoice::Node(network)) => match node::start(network, settings, history, &need.serving())? {
                Reached::Indexer(network, note) => {
                    eprintln!("{note}: rollscope uses its indexer API");
                    Self::with(client(&network.indexer, settings)?, *network, settings, None)
                }
                Reached::Node(network, service, notes, place) => {
                    for note in &notes {
                        eprintln!("{note}");
                    }
                    node::wait(&service)?;
                    let patience = match place {
                        TxPlace::Block(_) => None,
                        // What the node's index lacks can only be in the blocks that are read already.
                        TxPlace::Absent => Some(Duration::ZERO),
                        TxPlace::Unknown => Some(settings.timeout),
                    };
                    let tries = if place == TxPlace::Absent { 1 } else { ClientOptions::default().tries };
                    let client = IndexerClient::new(&network.indexer, ClientOptions { tries, ..options(settings) });
                    let indexer = Self::with(client.map_err(CommandError::failed)?, *network, settings, None)?;
                    let deadline = patience.map(|patience| Instant::now() + patience);
                    Ok(Self { service: Some(service), deadline, place, ..indexer })
                }
            },
            Some(NetworkChoice::Embedded) => {
                let rollup = rollup::start_for_command()?;
                if need != IndexPart::NewestBlocks {
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
        Ok(Self {
            client,
            network,
            router,
            abi: settings.abi.clone(),
            rollup,
            service: None,
            deadline: None,
            place: TxPlace::Unknown,
        })
    }

    /// Repeats a search while the index of a node is filling, up to the timeout. The search returns the server's answer
    /// that the record is absent.
    pub(super) async fn until_found<T>(
        &self,
        subject: &str,
        find: impl AsyncFn() -> Result<Result<T, ApiError>, CommandError>,
    ) -> Result<T, CommandError> {
        loop {
            let oldest = self.oldest_so_far().await;
            let absent = match find().await? {
                Ok(found) => return Ok(found),
                Err(absent) => absent,
            };
            // An index that was complete before the search lacks the record for good.
            let Some((oldest, deadline)) = oldest.zip(self.deadline) else {
                return Err(CommandError::about(subject, absent));
            };
            if Instant::now() >= deadline {
                return Err(self.unfound(subject, &group(oldest)));
            }
            tokio::time::sleep(LOOK).await;
        }
    }

    /// Returns the lowest block of an index that is filling.
    async fn oldest_so_far(&self) -> Option<u64> {
        self.deadline?;
        let status = self.client.status().await.ok()?;
        status.oldest_height.filter(|_| status.is_complete == Some(false))
    }

    /// Creates the error for a record that a node's blocks do not have down to `oldest`.
    fn unfound(&self, subject: &str, oldest: &str) -> CommandError {
        if self.place == TxPlace::Absent {
            return CommandError::NotFound(format!(
                "{subject} is neither in the node's index nor in its newest blocks, read down to {oldest}; check the \
                 hash and the chain"
            ));
        }
        let node = self.network.node.as_ref().map_or("URL", |location| &location.node);
        CommandError::Failed(format!(
            "{subject} is not in the blocks read so far, down to {oldest}; raise --timeout, or keep an index: rollscope \
             serve --node {} --data FILE",
            text::clean(node)
        ))
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
