//! Names of tokens, accounts and chains in commands, from the network's list, the user's files and the router.

use std::{collections::BTreeSet, time::Duration};

use futures_util::future::join_all;

use super::{abi::read_abi, indexer::Indexer};
use crate::{
    app::glossary_of,
    client::{RouterClient, endpoints},
    domain::{Address, ChainId},
    story::{Glossary, Story},
    wire::{Tx, router::Asset},
};

/// Timeout for the router's lists: names are optional.
const PATIENCE: Duration = Duration::from_secs(3);
/// Maximum collections of a transaction whose names are requested.
const MOST_COLLECTIONS: usize = 8;

/// Collects names from the network, the router and the user's ABI files; prints warnings about the files. Without the
/// router's lists, tokens show their denoms.
pub(super) async fn glossary(indexer: &Indexer) -> Glossary {
    let mut warnings = Vec::new();
    let abi = read_abi(indexer.abi.as_deref(), &mut warnings);
    for warning in &warnings {
        eprintln!("warning: {warning}");
    }
    let mut glossary = glossary_of(&indexer.network, abi);
    if let Some(router) = indexer.router.as_ref().filter(|_| !indexer.is_embedded())
        && tokio::time::timeout(PATIENCE, learn(&mut glossary, router, indexer)).await.is_err()
    {
        tracing::debug!("the router's names arrived too late");
    }
    glossary
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
        glossary.add_own_name(address, &name);
    }
}

async fn learn(glossary: &mut Glossary, router: &RouterClient, indexer: &Indexer) {
    let own = match &indexer.network.chain_id {
        Some(id) => ChainId::new(id.as_str()),
        None => match indexer.client.status().await {
            Ok(status) => ChainId::new(status.chain_id.as_str()),
            Err(_) => return,
        },
    };
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
