//! Names of tokens, accounts and chains in commands, from the network's list, the user's files, the rollup's node and
//! the router.

use std::{collections::BTreeSet, future::Future, time::Duration};

use futures_util::future::join_all;

use super::{CommandError, abi::read_abi, indexer::Indexer, node};
use crate::{
    app::glossary_of,
    client::{ClientOptions, IndexerClient, NodeClient, NodeFindError, RouterClient, TokenContractsQuery, endpoints},
    domain::{Address, ChainId, Denom, Vm},
    msg::{EvmTxScope, InternalTxScope, PageRequest, TxQuery, TxScope},
    story::{AbiRegistry, Glossary, RevertedTx, Story, contract_tokens, returned_by},
    wire::{ApiError, Tx, router::Asset},
};

/// Timeout for the router's lists: names are optional.
const PATIENCE: Duration = Duration::from_secs(3);
/// Maximum collections of a transaction whose names are requested.
const MOST_COLLECTIONS: usize = 8;

/// Time of all requests of a command to the node for names: names are optional.
const NODE_PATIENCE: Duration = Duration::from_secs(1);
/// Number of newest transactions whose tokens a symbol may name.
const NEWEST: u16 = 100;
/// Maximum tokens of the index's list that a symbol may name.
const LISTED: u16 = 1000;
/// Maximum denoms per request, and requests per command.
const AT_ONCE: usize = 40;
const MOST_REQUESTS: usize = 25;

/// Names in a command, and the node that names further tokens.
pub(super) struct CommandNames {
    pub(super) glossary: Glossary,
    node: Option<NodeClient>,
    /// Client of the indexer, which has the calls of failed transactions.
    indexer: IndexerClient,
    /// Time left for requests.
    left: Duration,
}

impl CommandNames {
    /// Collects the names of the network, the router and the files, and those of the rollup's node. Fails if the node
    /// serves another chain than the indexer; a node that is away or slow only costs its names.
    pub(super) async fn collect(indexer: &Indexer) -> Result<Self, CommandError> {
        Self::with_node(indexer, glossary(indexer).await).await
    }

    /// Collects the names of the network and those of the rollup's node, as [`Self::collect`] does, without asking a
    /// router.
    pub(super) async fn of_chain(indexer: &Indexer) -> Result<Self, CommandError> {
        Self::with_node(indexer, glossary_of(&indexer.network, AbiRegistry::default())).await
    }

    pub(super) fn node(&self) -> Option<&NodeClient> {
        self.node.as_ref()
    }

    async fn with_node(indexer: &Indexer, glossary: Glossary) -> Result<Self, CommandError> {
        let mut names = Self { glossary, node: None, indexer: indexer.client.clone(), left: NODE_PATIENCE };
        let Some(location) = indexer.network.node.clone() else { return Ok(names) };
        let addresses = node::addresses(location);
        // A second attempt would take the time of the names that another request can still get.
        let options = ClientOptions { timeout: NODE_PATIENCE, tries: 1, ..ClientOptions::default() };
        let found = NodeClient::find_beside(&indexer.client, &addresses, options, AT_NODE);
        names.node = match names.in_time(found).await {
            Some(Err(error @ NodeFindError::OtherIndexer { .. })) => return Err(CommandError::failed(error)),
            found => found.and_then(Result::ok),
        };
        let Some(node) = names.node.clone() else { return Ok(names) };
        if let Some(Ok(told)) = names.in_time(node.names()).await {
            names.glossary.add_bridge_of_chain(&told);
            names.glossary.add_chain_names(&told);
        }
        Ok(names)
    }

    /// Asks the node for the denoms that were looked up without a certain name. Returns whether a name is new.
    pub(super) async fn look_up(&mut self) -> bool {
        let mut is_news = self.look_up_reasons().await;
        let Some(node) = self.node.clone() else { return is_news };
        let unnamed = self.glossary.take_unnamed();
        let fit: Vec<Denom> = unnamed.into_iter().filter(|denom| Denom::is_fit(denom.as_str())).collect();
        for denoms in fit.chunks(AT_ONCE).take(MOST_REQUESTS) {
            let Some(Ok(found)) = self.in_time(node.denom_facts(denoms)).await else { break };
            is_news |= self.glossary.add_facts(&found.facts);
        }
        is_news
    }

    /// Asks the indexer what the failed transactions without a recorded reason returned.
    async fn look_up_reasons(&mut self) -> bool {
        let (reverted, mut is_news) = (self.glossary.take_reverted(), false);
        for tx in reverted.into_iter().take(MOST_REQUESTS) {
            let client = self.indexer.clone();
            let Some(found) = self.in_time(returned(&client, tx)).await else { break };
            if let Some(data) = found {
                self.glossary.add_returned(tx, &data);
                is_news = true;
            }
        }
        is_news
    }

    /// Returns the denoms of the bank's supply, then the contract tokens that the index lists, or where it lists none
    /// those that the newest transactions moved; `None` if the node does not tell the supply in time.
    pub(super) async fn denoms(&mut self) -> Option<Vec<Denom>> {
        let node = self.node.clone()?;
        let mut denoms = self.in_time(node.supply_denoms()).await?.ok()?;
        let moved = contracts(self.indexer.clone(), node.vm());
        let moved = self.in_time(moved).await.and_then(Result::ok).unwrap_or_default();
        denoms.extend(moved.into_iter().filter(|denom| !denoms.contains(denom)).collect::<Vec<_>>());
        Some(denoms)
    }

    /// Waits for a request as long as the command may wait for names in all.
    async fn in_time<T>(&mut self, request: impl Future<Output = T>) -> Option<T> {
        let begun = tokio::time::Instant::now();
        let answered = tokio::time::timeout(self.left, request).await.ok();
        self.left = self.left.saturating_sub(begun.elapsed());
        answered
    }
}

/// Returns the newest contract tokens that the index lists, else those that its newest transactions moved.
async fn contracts(client: IndexerClient, vm: Vm) -> Result<BTreeSet<Denom>, ApiError> {
    let page = |limit| PageRequest { count_total: false, ..PageRequest::newest(limit) };
    if client.status().await?.has_token_contracts == Some(true) {
        let listed = client.list(&TokenContractsQuery, &page(LISTED)).await?;
        return Ok(listed.items.iter().map(|token| Denom::new(token.denom.as_str())).collect());
    }
    let newest = client.list(&TxQuery::default(), &page(NEWEST)).await?;
    Ok(newest.items.iter().flat_map(|tx| contract_tokens(tx, Some(vm))).collect())
}

/// Returns what a failed transaction returned, by the trace of its calls.
async fn returned(client: &IndexerClient, tx: RevertedTx) -> Option<Vec<u8>> {
    let page = PageRequest::whole();
    let query = TxQuery { scope: TxScope::Height(tx.height), msgs: Vec::new() };
    let receipts = client.list(&EvmTxScope::Height(tx.height), &page).await.ok()?.whole()?;
    let txs = client.list(&query, &page).await.ok()?.whole()?;
    let calls = InternalTxScope::Tx(tx.receipt(&txs, &receipts)?.transaction_hash);
    returned_by(&client.list(&calls, &page).await.ok()?.whole()?)
}

/// Concurrent requests to the node.
const AT_NODE: usize = 4;

/// Collects names from the network, the router and the user's ABI files; prints warnings about the files. Without the
/// router's lists, tokens show their denoms.
async fn glossary(indexer: &Indexer) -> Glossary {
    let mut glossary = glossary_of(&indexer.network, own_abi(indexer));
    if let Some(router) = indexer.router.as_ref().filter(|_| !indexer.is_embedded())
        && tokio::time::timeout(PATIENCE, learn(&mut glossary, router, indexer)).await.is_err()
    {
        tracing::debug!("the router's names arrived too late");
    }
    glossary
}

/// Reads the user's ABI files beside the built-in ABI; prints warnings about the files.
pub(super) fn own_abi(indexer: &Indexer) -> AbiRegistry {
    let mut warnings = Vec::new();
    let abi = read_abi(indexer.abi.as_deref(), &mut warnings);
    for warning in &warnings {
        eprintln!("warning: {warning}");
    }
    abi
}

/// Requests the names of the collections whose NFTs a transaction moved, with a short timeout.
pub(super) async fn learn_collections(glossary: &mut Glossary, indexer: &Indexer, tx: &Tx) {
    let story = Story::of(tx, glossary);
    let moved = story.changes.nfts.iter().filter_map(|change| change.what.collection());
    let unnamed: BTreeSet<Address> = moved.filter(|address| glossary.own_name(*address).is_none()).collect();
    let asked = unnamed.into_iter().take(MOST_COLLECTIONS).map(|address| async move {
        let answer = tokio::time::timeout(PATIENCE, indexer.client.one(endpoints::collection(address))).await;
        Some((address, answer.ok()?.ok()?.collection.name))
    });
    for (address, name) in join_all(asked).await.into_iter().flatten().filter(|(_, name)| !name.is_empty()) {
        glossary.add_own_name(address, name.as_received());
    }
}

/// Returns the chain of the indexer, by the network or by the indexer itself.
pub(super) async fn own_chain(indexer: &Indexer) -> Option<ChainId> {
    if let Some(id) = &indexer.network.chain_id {
        return Some(ChainId::new(id.as_str()));
    }
    indexer.client.status().await.ok().map(|status| ChainId::new(status.chain_id.as_str()))
}

async fn learn(glossary: &mut Glossary, router: &RouterClient, indexer: &Indexer) {
    let Some(own) = own_chain(indexer).await else { return };
    glossary.add_assets(&assets(router, &own).await);
    if let Some(l1) = glossary.l1_chain_id.as_deref().map(ChainId::new) {
        glossary.add_l1_assets(&assets(router, &l1).await);
    }
}

/// Returns the router's assets of a chain; empty if the router does not answer.
async fn assets(router: &RouterClient, chain: &ChainId) -> Vec<Asset> {
    let answer = router.assets(std::slice::from_ref(chain)).await.ok();
    answer.and_then(|mut answer| answer.chain_to_assets_map.remove(chain)).map(|list| list.assets).unwrap_or_default()
}
