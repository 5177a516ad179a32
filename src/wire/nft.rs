use serde::{Deserialize, Serialize};

use super::{Pagination, scalar::number};
use crate::domain::{Address, Height, Timestamp};

/// A collection of NFTs (`docs/apis/indexer.md` §6.1).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Collection {
    /// `0x…` in lower case on every VM: the contract, or the object on Move. Real servers may list one whose text is
    /// too short to be an address.
    pub object_addr: String,
    /// Name, creator and size.
    pub collection: CollectionFacts,
    /// When it was created, or first seen by the indexer. A JSON number.
    #[serde(with = "number")]
    pub height: Height,
    /// The time of that block.
    pub timestamp: Timestamp,
}

impl Collection {
    /// The collection's address, where the text is one.
    pub fn address(&self) -> Option<Address> {
        self.object_addr.parse().ok()
    }
}

/// What a collection is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CollectionFacts {
    /// `init1…` on every VM.
    #[serde(default)]
    pub creator: String,
    /// Name; hostile text.
    #[serde(default)]
    pub name: String,
    /// Its class name on the chain it came from; empty unless it came over IBC.
    #[serde(default)]
    pub origin_name: String,
    /// Its tokens.
    #[serde(default)]
    pub nfts: NftTable,
}

impl CollectionFacts {
    /// Who created it, where the text is an address.
    pub fn creator_address(&self) -> Option<Address> {
        self.creator.parse().ok()
    }
}

/// How many tokens a collection has.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct NftTable {
    /// Always empty on real servers.
    #[serde(default)]
    pub handle: String,
    /// Number of tokens at the last mint or burn; may be stale.
    #[serde(default)]
    pub length: u64,
}

/// `GET /indexer/nft/v1/collections`, `…/by_account/{account}`, `…/by_name/{name}`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CollectionsResponse<T = Collection> {
    /// Newest first unless asked otherwise.
    pub collections: Vec<T>,
    /// Cursors and total.
    pub pagination: Pagination,
}

/// `GET /indexer/nft/v1/collections/{collection_addr}`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CollectionResponse {
    /// The collection.
    pub collection: Collection,
}

/// An NFT (`docs/apis/indexer.md` §6.1).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Token {
    /// The collection, `0x…` in lower case on every VM.
    pub collection_addr: String,
    /// The collection's name; hostile text.
    #[serde(default)]
    pub collection_name: String,
    /// The collection's class name on the chain it came from.
    #[serde(default)]
    pub collection_origin_name: String,
    /// The token's own object, `0x…`; filled only on Move.
    #[serde(default)]
    pub object_addr: String,
    /// `init1…` on every VM.
    #[serde(default)]
    pub owner: String,
    /// Id and metadata.
    pub nft: Nft,
    /// Its last mint, transfer or change of URI. A JSON number.
    #[serde(with = "number")]
    pub height: Height,
    /// The time of that block.
    pub timestamp: Timestamp,
}

impl Token {
    /// The collection's address, where the text is one.
    pub fn collection(&self) -> Option<Address> {
        self.collection_addr.parse().ok()
    }

    /// The token's own address, where it has one.
    pub fn object(&self) -> Option<Address> {
        self.object_addr.parse().ok()
    }

    /// Who owns it, where the text is an address.
    pub fn owner_address(&self) -> Option<Address> {
        self.owner.parse().ok()
    }
}

/// Which token of its collection, and where its metadata lies.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Nft {
    /// Decimal text on EVM, any text elsewhere; hostile.
    pub token_id: String,
    /// Where its metadata lies: `https:`, `ipfs:`, `data:`; empty when unknown; hostile.
    #[serde(default)]
    pub uri: String,
}

/// `GET /indexer/nft/v1/tokens/by_account/{account}`, `…/by_collection/{collection_addr}`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TokensResponse<T = Token> {
    /// By token id as text, or by height; descending unless asked otherwise.
    pub tokens: Vec<T>,
    /// Cursors and total.
    pub pagination: Pagination,
}
