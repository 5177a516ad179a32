use serde::{Deserialize, Serialize};

use super::{Pagination, scalar::number};
use crate::domain::{Address, Height, Timestamp, text::Foreign};

/// NFT collection (`docs/apis/indexer.md` §6.1).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Collection {
    /// Contract, or on Move the object: `0x…` in lower case on every VM. Real servers may list text that is too short
    /// for an address.
    pub object_addr: String,
    pub collection: CollectionFacts,
    /// Block of the collection's creation, or in which the indexer first saw the collection. A JSON number.
    #[serde(with = "number")]
    pub height: Height,
    pub timestamp: Timestamp,
}

impl Collection {
    /// Returns the collection's address; `None` if the text is not an address.
    pub fn address(&self) -> Option<Address> {
        self.object_addr.parse().ok()
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CollectionFacts {
    /// Creator, `init1…` on every VM.
    #[serde(default)]
    pub creator: String,
    #[serde(default)]
    pub name: Foreign,
    /// Class name on the chain of origin; empty unless the collection arrived over IBC.
    #[serde(default)]
    pub origin_name: Foreign,
    #[serde(default)]
    pub nfts: NftTable,
}

impl CollectionFacts {
    /// Returns the creator; `None` if the text is not an address.
    pub fn creator_address(&self) -> Option<Address> {
        self.creator.parse().ok()
    }
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct NftTable {
    /// Always empty on real servers.
    #[serde(default)]
    pub handle: String,
    /// Number of tokens at the last mint or burn; may be stale.
    #[serde(default)]
    pub length: u64,
}

/// Response of `GET /indexer/nft/v1/collections`, `…/by_account/{account}`, `…/by_name/{name}`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CollectionsResponse<T = Collection> {
    /// Collections, newest first by default.
    pub collections: Vec<T>,
    pub pagination: Pagination,
}

/// Response of `GET /indexer/nft/v1/collections/{collection_addr}`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CollectionResponse {
    pub collection: Collection,
}

/// NFT (`docs/apis/indexer.md` §6.1).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Token {
    /// Address of the collection, `0x…` in lower case on every VM.
    pub collection_addr: String,
    /// Hostile text: clean it before display.
    #[serde(default)]
    pub collection_name: Foreign,
    /// Class name of the collection on the chain of origin.
    #[serde(default)]
    pub collection_origin_name: Foreign,
    /// Object of the token, `0x…`; only on Move.
    #[serde(default)]
    pub object_addr: String,
    /// Owner, `init1…` on every VM.
    #[serde(default)]
    pub owner: String,
    pub nft: Nft,
    /// Block of the token's last mint, transfer or change of URI. A JSON number.
    #[serde(with = "number")]
    pub height: Height,
    pub timestamp: Timestamp,
}

impl Token {
    /// Returns the collection's address; `None` if the text is not an address.
    pub fn collection(&self) -> Option<Address> {
        self.collection_addr.parse().ok()
    }

    /// Returns the address of the token's object; `None` except on Move.
    pub fn object(&self) -> Option<Address> {
        self.object_addr.parse().ok()
    }

    /// Returns the owner; `None` if the text is not an address.
    pub fn owner_address(&self) -> Option<Address> {
        self.owner.parse().ok()
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Nft {
    /// Token id: a decimal number on EVM, any text elsewhere; hostile.
    pub token_id: Foreign,
    /// URI of the metadata: `https:`, `ipfs:` or `data:`; empty if unknown; hostile.
    #[serde(default)]
    pub uri: Foreign,
}

/// Response of `GET /indexer/nft/v1/tokens/by_account/{account}`, `…/by_collection/{collection_addr}`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TokensResponse<T = Token> {
    /// Tokens by token id as text, or by height; descending by default.
    pub tokens: Vec<T>,
    pub pagination: Pagination,
}
