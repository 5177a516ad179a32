use std::{net::SocketAddr, path::PathBuf};

use serde_json::value::RawValue;

use super::{
    CommandError,
    arguments::RollupArguments,
    rollup::{self, Files},
};
use crate::{
    client::{ClientOptions, IndexerClient},
    config::{Network, NetworkChoice, Settings},
    demo::Rollup,
};

/// The chosen indexer. Holds the embedded rollup where that was chosen, which ends with it.
pub(super) struct Indexer {
    pub(super) client: IndexerClient,
    /// What is known of its network.
    pub(super) network: Network,
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
                Ok(Self { client, network: network.as_ref().clone(), abi: settings.abi.clone(), _rollup: None })
            }
            Some(NetworkChoice::Embedded) => {
                let any_port = SocketAddr::from(([127, 0, 0, 1], 0));
                let arguments = RollupArguments::default();
                let rollup = rollup::start(&arguments, Files::default(), any_port)?;
                if need == IndexPart::WholeHistory {
                    rollup.wait_until_indexed().map_err(CommandError::failed)?;
                }
                let network = rollup::network(&arguments, &rollup.url());
                Ok(Self { client: client(&rollup.url(), settings)?, network, abi: settings.abi.clone(), _rollup: Some(rollup) })
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
    let options = ClientOptions { timeout: settings.timeout, ..ClientOptions::default() };
    IndexerClient::new(indexer, options).map_err(|error| CommandError::Usage(error.to_string()))
}

/// The value of a body's field, as received: the answer for one block is `{"block": …}`.
pub(super) fn inner(body: &[u8], field: &str) -> Option<String> {
    let fields: std::collections::HashMap<String, Box<RawValue>> = serde_json::from_slice(body).ok()?;
    fields.get(field).map(|value| value.get().to_owned())
}
