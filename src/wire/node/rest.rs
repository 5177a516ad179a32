//! REST interface of the Cosmos SDK: gRPC responses as JSON.

use crate::domain::text::Foreign;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{NodeTx, lenient};
use crate::{
    domain::Address,
    wire::{Tx, WireCoin, tx::RawJson},
};

/// gRPC error, such as `{"code":12,"message":"Not Implemented","details":[]}`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GrpcError {
    #[serde(deserialize_with = "lenient::number")]
    pub code: i64,
    #[serde(default, deserialize_with = "lenient::foreign_only")]
    pub message: Foreign,
}

impl GrpcError {
    pub const UNIMPLEMENTED: i64 = 12;
    pub const NOT_FOUND: i64 = 5;

    /// Whether the error is temporary: cancelled, timed out, exhausted, aborted, unavailable.
    pub fn is_passing(&self) -> bool {
        matches!(self.code, 1 | 4 | 8 | 10 | 14)
    }

    /// Reads an error body sent with HTTP 200: it has only a non-zero code, a message and details.
    pub fn read_alone(body: &[u8]) -> Option<Self> {
        #[derive(Deserialize)]
        #[serde(deny_unknown_fields)]
        struct Alone {
            code: i64,
            message: Foreign,
            #[serde(rename = "details")]
            _details: serde::de::IgnoredAny,
        }
        let Alone { code, message, .. } = serde_json::from_slice(body).ok()?;
        (code != 0).then_some(Self { code, message })
    }

    /// Reads the error from a response body; `None` if the body has no error.
    pub fn read(body: &[u8]) -> Option<Self> {
        serde_json::from_slice(body).ok()
    }
}

/// Response of `/cosmos/base/tendermint/v1beta1/node_info`.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct NodeInfoAnswer {
    pub default_node_info: RestNodeInfo,
    #[serde(default, deserialize_with = "lenient::or_default")]
    pub application_version: ApplicationVersion,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct RestNodeInfo {
    pub network: String,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ApplicationVersion {
    /// Name of the application: `minievm`, `minimove` or `miniwasm`, unless the operator changed it.
    #[serde(default, deserialize_with = "lenient::text_only")]
    pub name: String,
    /// Name of the binary, such as `minitiad`.
    #[serde(default, deserialize_with = "lenient::text_only")]
    pub app_name: String,
    /// Version of the application, such as `v1.1.12`.
    #[serde(default, deserialize_with = "lenient::text_only")]
    pub version: String,
}

/// Response of `/cosmos/base/tendermint/v1beta1/blocks/latest` and `…/blocks/{height}`.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct LatestBlockAnswer {
    /// Block id with the hash in base64.
    pub block_id: super::BlockId,
    pub block: RestBlock,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct RestBlock {
    /// Header with hashes and addresses in base64.
    pub header: super::BlockHeader,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RestPagination {
    /// Base64 key of the next page; null after the last page, and for a block's transactions already after the first
    /// page.
    #[serde(default, deserialize_with = "lenient::or_default")]
    pub next_key: String,
    /// Number of rows; 0 unless requested.
    #[serde(default, deserialize_with = "lenient::number")]
    pub total: u64,
}

/// Response of `/cosmos/tx/v1beta1/txs/block/{height}`.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct BlockTxsAnswer {
    #[serde(default, deserialize_with = "lenient::or_default")]
    pub txs: Vec<NodeTx>,
    /// Unreliable: `next_key` is null after the first page.
    #[serde(default, deserialize_with = "lenient::or_default")]
    pub pagination: RestPagination,
}

/// Response of `/cosmos/tx/v1beta1/txs?query=…`.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct TxSearchAnswer {
    #[serde(default, deserialize_with = "lenient::or_default")]
    pub tx_responses: Vec<Tx>,
    /// Number of matches, as text; empty if the node omits it.
    #[serde(default, deserialize_with = "lenient::text_only")]
    pub total: String,
}

/// Transactions that a node's index of transactions has for some queries, each once.
#[derive(Clone, Debug, Default)]
pub struct SearchedTxs {
    pub txs: Vec<Arc<Tx>>,
    /// Whether these are all matches.
    pub is_whole: bool,
}

/// Response of `/opinit/opchild/v1/validators`.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ValidatorsAnswer {
    #[serde(default, deserialize_with = "lenient::or_default")]
    pub validators: Vec<OpchildValidator>,
    #[serde(default, deserialize_with = "lenient::or_default")]
    pub pagination: RestPagination,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OpchildValidator {
    #[serde(default, deserialize_with = "lenient::foreign_only")]
    pub moniker: Foreign,
    /// Bech32 address, `initvaloper1…`.
    pub operator_address: String,
    /// JSON with `@type` and `key`.
    #[serde(default)]
    pub consensus_pubkey: serde_json::Value,
}

/// Response of `/cosmos/bank/v1beta1/balances/{address}`.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct BalancesAnswer {
    /// Balances, ordered by denom.
    #[serde(default, deserialize_with = "lenient::or_default")]
    pub balances: Vec<WireCoin>,
    #[serde(default, deserialize_with = "lenient::or_default")]
    pub pagination: RestPagination,
}

/// Response of `/cosmos/auth/v1beta1/accounts` and `…/module_accounts`.
#[derive(Clone, Debug, Deserialize)]
pub struct AccountsAnswer {
    #[serde(default, deserialize_with = "lenient::or_default")]
    pub accounts: Vec<RawJson>,
    #[serde(default, deserialize_with = "lenient::or_default")]
    pub pagination: RestPagination,
}

impl AccountsAnswer {
    /// Returns the addresses of the accounts whose type is known; some types nest the base account.
    pub fn addresses(&self) -> impl Iterator<Item = Address> {
        self.accounts.iter().filter_map(|raw| {
            let account: Value = serde_json::from_str(raw.get()).ok()?;
            let paths = ["/address", "/base_account/address", "/base_vesting_account/base_account/address"];
            paths.iter().find_map(|path| account.pointer(path)?.as_str()?.parse().ok())
        })
    }
}

/// Response of `POST /minievm/evm/v1/call`.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct EvmCallAnswer {
    /// Return data in hex.
    #[serde(default, deserialize_with = "lenient::text_only")]
    pub response: String,
    /// Reason of the revert; empty on success.
    #[serde(default, deserialize_with = "lenient::foreign_only")]
    pub error: Foreign,
}

/// Response of MiniEVM's queries for one contract, such as `GET /minievm/evm/v1/contracts/by_denom`.
#[derive(Clone, Debug, Deserialize)]
pub struct EvmContractAnswer {
    pub address: String,
}

/// Response of `GET /minievm/evm/v1/codes/{contract_addr}`.
#[derive(Clone, Debug, Deserialize)]
pub struct EvmCodeAnswer {
    /// Code in hex.
    pub code: String,
}

/// Response of `GET /minievm/evm/v1/states/{contract_addr}/{key}`.
#[derive(Clone, Debug, Deserialize)]
pub struct EvmStateAnswer {
    /// Storage word in hex.
    pub value: String,
}

/// Response of `GET /cosmwasm/wasm/v1/contract/{address}`.
#[derive(Clone, Debug, Deserialize)]
pub struct WasmContractAnswer {
    pub contract_info: WasmContractInfo,
}

#[derive(Clone, Debug, Deserialize)]
pub struct WasmContractInfo {
    pub code_id: String,
    #[serde(default)]
    pub creator: String,
    /// Account that can migrate the contract; empty if none can.
    #[serde(default)]
    pub admin: String,
    #[serde(default)]
    pub label: Foreign,
    #[serde(default)]
    pub created: Option<WasmCreation>,
}

#[derive(Clone, Debug, Deserialize)]
pub struct WasmCreation {
    #[serde(deserialize_with = "lenient::number")]
    pub block_height: u64,
}

/// Response of `GET /cosmwasm/wasm/v1/code/{code_id}`, without the code itself.
#[derive(Clone, Debug, Deserialize)]
pub struct WasmCodeAnswer {
    pub code_info: WasmCodeInfo,
}

#[derive(Clone, Debug, Deserialize)]
pub struct WasmCodeInfo {
    /// Checksum in hex.
    pub data_hash: String,
}
