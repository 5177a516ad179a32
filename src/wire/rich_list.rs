use serde::{Deserialize, Serialize};

use super::Pagination;
use crate::domain::{Address, Balance};

/// Holder of a token (`docs/apis/indexer.md` §7).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Holder {
    /// Address: `0x…` in lower case on EVM rollups, `init1…` elsewhere.
    pub account: String,
    /// Integer text in the smallest unit; a real server may send zero and negative amounts.
    pub amount: Balance,
}

impl Holder {
    /// Returns the address of the account; `None` if the text is not an address.
    pub fn address(&self) -> Option<Address> {
        self.account.parse().ok()
    }
}

/// Response of `GET /indexer/richlist/v1/{denom}`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct HoldersResponse<T = Holder> {
    /// Holders, largest amount first by default; equal amounts have no defined order.
    pub holders: Vec<T>,
    pub pagination: Pagination,
}
