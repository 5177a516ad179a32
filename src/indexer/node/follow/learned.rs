//! The node's data on NFTs, kept so that a retry after a failure does not request it again.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::{MutexGuard, PoisonError},
};

use futures_util::{StreamExt as _, TryStreamExt as _, stream};

use tokio::time::sleep;

use super::{NodeFollower, PAUSE, StepError};
use crate::{
    domain::{Address, Height},
    indexer::{
        index::{Prepared, UnknownNft},
        node::feed::{FeedError, NodeFeed},
        source::{NftCollection, OwnedNft},
    },
};

/// Maximum contracts, or blocks with NFTs, that are requested concurrently.
const AT_ONCE: usize = 8;

/// Data on contracts and NFTs that is not written yet.
#[derive(Debug, Default)]
pub(super) struct LearnedNfts {
    /// Contracts that emit NFT events but are no collections.
    others: BTreeSet<Address>,
    collections: BTreeMap<Address, NftCollection>,
    /// NFTs in unwritten blocks; `None` if the node does not know the NFT.
    nfts: BTreeMap<NftAt, Option<OwnedNft>>,
}

impl LearnedNfts {
    fn count(&self) -> usize {
        self.others.len() + self.collections.len() + self.nfts.len()
    }
}

type NftAt = (Height, Address, String);

fn key(nft: &UnknownNft) -> NftAt {
    (nft.height, nft.collection, nft.token_id.clone())
}

impl<F: NodeFeed> NodeFollower<F> {
    /// Requests the data on all new NFTs. Retries failed requests without fetching the blocks again.
    pub(super) async fn learn_all_nfts(&self, prepared: &mut Prepared) -> Result<(), StepError> {
        loop {
            let known = self.learned().count();
            match self.learn_nfts(prepared).await {
                Err(StepError::Feed(
                    FeedError::Away(_)
                    | FeedError::Busy(_)
                    | FeedError::Unreadable(_)
                    | FeedError::Refused(_)
                    | FeedError::Malformed(_),
                )) if self.learned().count() > known => {
                    sleep(PAUSE.0).await;
                }
                done => return done,
            }
        }
    }

    /// Requests the data on new NFTs that events lack.
    async fn learn_nfts(&self, prepared: &mut Prepared) -> Result<(), StepError> {
        let unknown = self.index.unknown_collections(prepared)?;
        let asked = unknown.clone().into_iter().map(|(address, at)| self.ask_collection(address, at));
        stream::iter(asked).buffer_unordered(AT_ONCE).try_collect::<()>().await?;
        for (address, _) in &unknown {
            if let Some(collection) = self.learned().collections.get(address).cloned() {
                prepared.learn_collection(collection);
            }
        }
        let unknown = self.index.unknown_nfts(prepared)?;
        self.ask_nfts(&unknown).await?;
        let learned = self.learned();
        for found in unknown.iter().filter_map(|nft| learned.nfts.get(&key(nft))).flatten() {
            prepared.learn_nft(found.clone());
        }
        Ok(())
    }

    /// Requests a contract that is not known yet.
    async fn ask_collection(&self, address: Address, at: Height) -> Result<(), StepError> {
        let is_known = {
            let learned = self.learned();
            learned.others.contains(&address) || learned.collections.contains_key(&address)
        };
        if is_known {
            return Ok(());
        }
        match self.feed.collection(address, at).await? {
            Some(collection) => drop(self.learned().collections.insert(address, collection)),
            None => drop(self.learned().others.insert(address)),
        }
        Ok(())
    }

    /// Requests unknown NFTs block by block; keeps the received data if another block fails.
    async fn ask_nfts(&self, unknown: &[UnknownNft]) -> Result<(), StepError> {
        let mut of_blocks: BTreeMap<Height, Vec<UnknownNft>> = BTreeMap::new();
        for nft in unknown.iter().filter(|nft| !self.learned().nfts.contains_key(&key(nft))) {
            of_blocks.entry(nft.height).or_default().push(nft.clone());
        }
        let asked = of_blocks.into_iter().map(|(at, nfts)| self.ask_nfts_of_block(at, nfts));
        stream::iter(asked).buffer_unordered(AT_ONCE).try_collect().await
    }

    async fn ask_nfts_of_block(&self, at: Height, nfts: Vec<UnknownNft>) -> Result<(), StepError> {
        let mut answers: BTreeMap<NftAt, Option<OwnedNft>> = nfts.iter().map(|nft| (key(nft), None)).collect();
        for found in self.feed.nfts(nfts).await? {
            answers.insert((at, found.collection, found.token_id.clone()), Some(found));
        }
        self.learned().nfts.extend(answers);
        Ok(())
    }

    /// Requests the data on restored NFTs that was never requested from the node.
    pub(super) async fn learn_restored_nfts(&self) -> Result<(), StepError> {
        let asked = self.index.unnamed_nfts()?;
        if asked.is_empty() {
            return Ok(());
        }
        let found = self.feed.nfts(asked.clone()).await?;
        Ok(self.index.name_nfts(&asked, &found)?)
    }

    /// Drops data that is stored, or that belongs to an abandoned chain.
    pub(super) fn forget_learned(&self) {
        let mut learned = self.learned();
        learned.collections.clear();
        learned.nfts.clear();
    }

    /// Forgets the contracts that are no collections, after a chain change.
    pub(super) fn forget_others(&self) {
        self.learned().others.clear();
    }

    fn learned(&self) -> MutexGuard<'_, LearnedNfts> {
        // No code panics halfway through a change, so a poisoned lock holds valid data.
        self.learned.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
