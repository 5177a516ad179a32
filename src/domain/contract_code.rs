use serde::{Deserialize, Serialize};

use super::{Address, ChainId, Timestamp};

/// Code of a contract at one time, as a node tells it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ContractCode {
    /// Keccak-256 of EVM code, or the checksum of Wasm code; in hex.
    pub hash: String,
    /// Contracts whose code a proxy runs as its own.
    pub implementations: Vec<ProxyImplementation>,
    /// Who can replace the code; `None` if nothing shows that it can be replaced.
    pub admin: Option<CodeAdmin>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProxyImplementation {
    /// Address with checksum.
    pub address: String,
    /// Hash like [`ContractCode::hash`].
    pub hash: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum CodeAdmin {
    /// Address in the chain's format.
    Account(String),
    /// The code decides, and no known place names the account.
    Unknown,
}

/// Contract that the user accepted, with its code at that time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AcceptedContract {
    pub chain_id: ChainId,
    pub address: Address,
    pub code: ContractCode,
    pub at: Timestamp,
}

/// Part of a contract's code that differs from the accepted one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, strum::Display)]
#[strum(serialize_all = "snake_case")]
pub enum CodeChange {
    Code,
    Implementation,
    Admin,
}

impl ContractCode {
    /// Returns the first difference from an accepted code.
    pub fn change_from(&self, accepted: &Self) -> Option<CodeChange> {
        if self.hash != accepted.hash {
            return Some(CodeChange::Code);
        }
        if self.implementations != accepted.implementations {
            return Some(CodeChange::Implementation);
        }
        (self.admin != accepted.admin).then_some(CodeChange::Admin)
    }
}
