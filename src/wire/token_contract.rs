use serde::{Deserialize, Serialize};

use super::Pagination;

/// Token whose contract reported a movement of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TokenContract {
    /// `evm/…` of an ERC-20, or `cw20:…`.
    pub denom: String,
}

/// Response of `GET /indexer/token/v1/contracts`, which the real server lacks.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TokenContractsResponse<T = TokenContract> {
    /// In the order in which the index found them, by default the newest first.
    pub contracts: Vec<T>,
    pub pagination: Pagination,
}
