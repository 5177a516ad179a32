use std::{net::SocketAddr, path::PathBuf};

use serde_json::value::RawValue;

use super::{
    CommandError,
    arguments::RollupArguments,
    rollup::{self, Files},
};
use crate::{
    client::{ClientOptions, IndexerClient, RouterClient},
    config::{Network, NetworkChoice, Settings},
    demo::Rollup,
};

/// The chosen indexer. Holds the embedded rollup where that was chosen, which ends with it.
pub(super) struct Indexer {
    pub(super) client: IndexerClient,
    /// What is known of its network.
    pub(super) network: Network,
    /// The routing API beside it, which names tokens and chains; none of the embedded rollup, whose own list is whole.
    pub(super) router: Option<RouterClient>,
    /// Where the user's ABI files are.
    pub(super) abi: Option<PathBuf>,
    _rollup: Option<Rollup>,
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
    pub(super) fn connect(settings: &Settings, need: IndexPart) -> Result<Self, CommandError> {
        match &settings.destination {
            Some(NetworkChoice::Network(network)) => {
                let client = client(&network.indexer, settings)?;
                let router = settings.router.as_ref().or(network.router.as_ref());
                // Names are optional: an address that is none says so where it is needed.
                let router = router.and_then(|url| RouterClient::new(url, options(settings)).ok());
                let (network, abi) = (network.as_ref().clone(), settings.abi.clone());
                Ok(Self { client, network, router, abi, _rollup: None })
            }
            Some(NetworkChoice::Embedded) => {
                let any_port = SocketAddr::from(([127, 0, 0, 1], 0));
                let arguments = RollupArguments::default();
                let rollup = rollup::start(&arguments, Files::default(), any_port)?;
                if need == IndexPart::WholeHistory {
                    rollup.wait_until_indexed().map_err(CommandError::failed)?;
                }
                let network = rollup::network(&arguments, &rollup.url());
                let client = client(&rollup.url(), settings)?;
                Ok(Self { client, network, router: None, abi: settings.abi.clone(), _rollup: Some(rollup) })
            }
            None => Err(CommandError::Usage(
                "no network is chosen: name one with --network or --indexer, or take --network demo, the embedded rollup"
                    .to_owned(),
            )),
        }
    }
}

/// A client of the indexer at this address, as patient as the settings say.
pub(super) fn client(indexer: &str, settings: &Settings) -> Result<IndexerClient, CommandError> {
    IndexerClient::new(indexer, options(settings)).map_err(|error| CommandError::Usage(error.to_string()))
}

fn options(settings: &Settings) -> ClientOptions {
    ClientOptions { timeout: settings.timeout, ..ClientOptions::default() }
}

/// The value of a body's field, as received: the answer for one block is `{"block": …}`.
pub(super) fn inner(body: &[u8], field: &str) -> Option<String> {
    let fields: std::collections::HashMap<String, Box<RawValue>> = serde_json::from_slice(body).ok()?;
    fields.get(field).map(|value| value.get().to_owned())
}
