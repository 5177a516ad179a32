use std::collections::HashMap;

use super::{Changes, NftChange, NftName};

impl Changes {
    /// Returns the net movements of NFTs with their indices in [`Changes::nfts`]: an NFT minted and transferred in one
    /// transaction counts once, as minted to its final owner.
    pub fn nft_outcomes(&self) -> Vec<(usize, NftChange)> {
        let mut outcomes: Vec<(usize, NftChange)> = Vec::with_capacity(self.nfts.len());
        let mut minted: HashMap<&str, usize> = HashMap::new();
        for (place, change) in self.nfts.iter().enumerate() {
            if let NftName::Object { object } = &change.what
                && let Some((_, mint)) = minted.get(object.as_str()).and_then(|of| outcomes.get_mut(*of))
                && mint.to == change.from
            {
                mint.to = change.to;
                mint.events.extend(&change.events);
                continue;
            }
            if let (NftName::Nft { nft, .. }, None) = (&change.what, change.from) {
                minted.insert(nft.as_str(), outcomes.len());
            }
            outcomes.push((place, change.clone()));
        }
        outcomes
    }
}
