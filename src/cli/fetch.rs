use std::{net::SocketAddr, sync::Arc};

use serde_json::value::RawValue;

use super::{Failure, arguments::RollupArguments, record::Record, rollup};
use crate::{
    client::{ClientOptions, IndexerClient},
    config::{Destination, Settings},
    msg::{Page, PageRequest, TxQuery},
    rollup::Rollup,
    wire::{ApiError, Block, ErrorKind, Pagination, Tx, TxsResponse},
};

/// The chosen indexer. Holds the embedded rollup where that was chosen, which ends with it.
pub(super) struct Indexer {
    /// Asks it.
    pub(super) client: IndexerClient,
    _rollup: Option<Rollup>,
}

/// How much of the embedded rollup's index a command needs; a network's is as complete as it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Need {
    /// The newest blocks, which are indexed first.
    Newest,
    /// The whole history.
    History,
}

impl Indexer {
    /// The indexer of the network that the settings chose; a command that asks needs one to be chosen.
    pub(super) fn connect(settings: &Settings, need: Need) -> Result<Self, Failure> {
        match &settings.destination {
            Some(Destination::Network(network)) => {
                Ok(Self { client: client(&network.indexer, settings)?, _rollup: None })
            }
            Some(Destination::Embedded) => {
                let any_port = SocketAddr::from(([127, 0, 0, 1], 0));
                let rollup = rollup::start(&RollupArguments::default(), None, any_port)?;
                if need == Need::History {
                    rollup.wait_until_indexed().map_err(Failure::failed)?;
                }
                Ok(Self { client: client(&rollup.url(), settings)?, _rollup: Some(rollup) })
            }
            None => Err(Failure::Usage(
                "no network is chosen: name one with --network or --indexer, or take --network demo, the embedded rollup"
                    .to_owned(),
            )),
        }
    }
}

/// A client of the indexer at this address, as patient as the settings say.
pub(super) fn client(indexer: &str, settings: &Settings) -> Result<IndexerClient, Failure> {
    let options = ClientOptions { timeout: settings.timeout, ..ClientOptions::default() };
    IndexerClient::new(indexer, options).map_err(|error| Failure::Usage(error.to_string()))
}

/// A list of the indexer API.
pub(super) trait List {
    /// What it lists.
    type Item: Record;
    /// What its items are called, many of them.
    const NAME: &'static str;

    /// A page of it, cleaned.
    async fn page(&self, client: &IndexerClient, request: &PageRequest) -> Result<Page<Arc<Self::Item>>, ApiError>;
    /// The answer's body for a page, as received.
    async fn body(&self, client: &IndexerClient, request: &PageRequest) -> Result<Vec<u8>, ApiError>;
}

/// The blocks of the chain.
pub(super) struct Blocks;

impl List for Blocks {
    type Item = Block;
    const NAME: &'static str = "blocks";

    async fn page(&self, client: &IndexerClient, request: &PageRequest) -> Result<Page<Arc<Block>>, ApiError> {
        client.blocks(request).await
    }

    async fn body(&self, client: &IndexerClient, request: &PageRequest) -> Result<Vec<u8>, ApiError> {
        client.blocks_raw(request).await
    }
}

/// Transactions of the chain, of an account or of a block.
pub(super) struct Txs(pub(super) TxQuery);

impl List for Txs {
    type Item = Tx;
    const NAME: &'static str = "transactions";

    async fn page(&self, client: &IndexerClient, request: &PageRequest) -> Result<Page<Arc<Tx>>, ApiError> {
        client.txs(&self.0, request).await
    }

    /// As received where the server filtered by message type as asked; else a body of the same form, filtered here.
    async fn body(&self, client: &IndexerClient, request: &PageRequest) -> Result<Vec<u8>, ApiError> {
        let all = self.0.msgs.is_empty();
        match client.txs_raw(&self.0, request).await {
            Ok(body) if all || self.is_filtered(&body) => Ok(body),
            Err(error) if all || !matches!(error.kind, ErrorKind::Server { .. }) => Err(error),
            Ok(_) | Err(_) => Ok(compose(&self.page(client, request).await?)),
        }
    }
}

impl Txs {
    fn is_filtered(&self, body: &[u8]) -> bool {
        serde_json::from_slice::<TxsResponse>(body)
            .is_ok_and(|answer| answer.txs.iter().all(|tx| tx.holds_any(&self.0.msgs)))
    }
}

/// A page as the server would have written it. Its total is unknown, which the server writes as -1.
fn compose(page: &Page<Arc<Tx>>) -> Vec<u8> {
    #[derive(serde::Serialize)]
    struct Body<'a> {
        txs: Vec<&'a Tx>,
        pagination: Pagination,
    }
    let next_key = page.next.as_ref().map(|key| key.0.to_string());
    let pagination = Pagination { previous_key: None, next_key, total: -1 };
    let txs = page.items.iter().map(AsRef::as_ref).collect();
    serde_json::to_vec(&Body { txs, pagination }).unwrap_or_default()
}

/// The value of a body's field, as received: the answer for one block is `{"block": …}`.
pub(super) fn inner(body: &[u8], field: &str) -> Option<String> {
    let fields: std::collections::HashMap<String, Box<RawValue>> = serde_json::from_slice(body).ok()?;
    fields.get(field).map(|value| value.get().to_owned())
}
