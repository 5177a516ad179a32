//! The REST interface of the Cosmos SDK: gRPC's answers in JSON.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{NodeTx, lenient};
use crate::{
    domain::Address,
    wire::{WireCoin, tx::RawJson},
};

/// Why REST does not answer: `{"code":12,"message":"Not Implemented","details":[]}` and the like.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GrpcError {
    /// gRPC's number of the error.
    #[serde(deserialize_with = "lenient::number")]
    pub code: i64,
    /// The sentence.
    #[serde(default, deserialize_with = "lenient::text_only")]
    pub message: String,
}

impl GrpcError {
    /// The node has no such query.
    pub const UNIMPLEMENTED: i64 = 12;
    /// What was asked for is not there.
    pub const NOT_FOUND: i64 = 5;

    /// Whether it is of the moment: cancelled, out of time, exhausted, aborted, unavailable.
    pub fn is_passing(&self) -> bool {
        matches!(self.code, 1 | 4 | 8 | 10 | 14)
    }

    /// The same of an answer that claims to be a success: nothing but a code that is none of success, a sentence and
    /// details.
    pub fn read_alone(body: &[u8]) -> Option<Self> {
        #[derive(Deserialize)]
        #[serde(deny_unknown_fields)]
        struct Alone {
            code: i64,
            message: String,
            #[serde(rename = "details")]
            _details: serde::de::IgnoredAny,
        }
        let Alone { code, message, .. } = serde_json::from_slice(body).ok()?;
        (code != 0).then_some(Self { code, message })
    }

    /// The error in the body of an answer; `None` where it is none.
    pub fn read(body: &[u8]) -> Option<Self> {
        serde_json::from_slice(body).ok()
    }
}

/// `/cosmos/base/tendermint/v1beta1/node_info`.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct NodeInfoAnswer {
    /// The node.
    pub default_node_info: RestNodeInfo,
    /// The application.
    #[serde(default, deserialize_with = "lenient::or_default")]
    pub application_version: ApplicationVersion,
}

/// A node as REST has it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct RestNodeInfo {
    /// The chain's id.
    pub network: String,
}

/// The application that a node runs.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ApplicationVersion {
    /// `minievm` and the like, where nobody changed it.
    #[serde(default, deserialize_with = "lenient::text_only")]
    pub name: String,
    /// The program: `minitiad`.
    #[serde(default, deserialize_with = "lenient::text_only")]
    pub app_name: String,
    /// `v1.1.12`.
    #[serde(default, deserialize_with = "lenient::text_only")]
    pub version: String,
}

/// `/cosmos/base/tendermint/v1beta1/blocks/latest` and `…/blocks/{height}`.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct LatestBlockAnswer {
    /// The block's hash, in base64 here.
    pub block_id: super::BlockId,
    /// The block.
    pub block: RestBlock,
}

/// A block as REST has it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct RestBlock {
    /// Its header, whose hashes and addresses are in base64.
    pub header: super::BlockHeader,
}

/// Where a list goes on.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RestPagination {
    /// Base64; null at the end, and too early in lists of a block's transactions.
    #[serde(default, deserialize_with = "lenient::or_default")]
    pub next_key: String,
    /// How many there are; 0 where that was not asked for.
    #[serde(default, deserialize_with = "lenient::number")]
    pub total: u64,
}

/// `/cosmos/tx/v1beta1/txs/block/{height}`.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct BlockTxsAnswer {
    /// The transactions in order.
    #[serde(default, deserialize_with = "lenient::or_default")]
    pub txs: Vec<NodeTx>,
    /// Not to be relied on: `next_key` is null after the first page already.
    #[serde(default, deserialize_with = "lenient::or_default")]
    pub pagination: RestPagination,
}

/// `/opinit/opchild/v1/validators`.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ValidatorsAnswer {
    /// The rollup's validators of today.
    #[serde(default, deserialize_with = "lenient::or_default")]
    pub validators: Vec<OpchildValidator>,
    /// Where the list goes on.
    #[serde(default, deserialize_with = "lenient::or_default")]
    pub pagination: RestPagination,
}

/// A validator.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OpchildValidator {
    /// Its name.
    #[serde(default, deserialize_with = "lenient::text_only")]
    pub moniker: String,
    /// `initvaloper1…`.
    pub operator_address: String,
}

/// `/cosmos/bank/v1beta1/balances/{address}`.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct BalancesAnswer {
    /// What the account holds, by denom.
    #[serde(default, deserialize_with = "lenient::or_default")]
    pub balances: Vec<WireCoin>,
    /// Where the list goes on.
    #[serde(default, deserialize_with = "lenient::or_default")]
    pub pagination: RestPagination,
}

/// `/cosmos/auth/v1beta1/accounts` and `…/module_accounts`.
#[derive(Clone, Debug, Deserialize)]
pub struct AccountsAnswer {
    /// Accounts of several types.
    #[serde(default, deserialize_with = "lenient::or_default")]
    pub accounts: Vec<RawJson>,
    /// Where the list goes on.
    #[serde(default, deserialize_with = "lenient::or_default")]
    pub pagination: RestPagination,
}

impl AccountsAnswer {
    /// The addresses of those whose type is known; the base account lies deeper in some.
    pub fn addresses(&self) -> impl Iterator<Item = Address> {
        self.accounts.iter().filter_map(|raw| {
            let account: Value = serde_json::from_str(raw.get()).ok()?;
            let paths = ["/address", "/base_account/address", "/base_vesting_account/base_account/address"];
            paths.iter().find_map(|path| account.pointer(path)?.as_str()?.parse().ok())
        })
    }
}

/// `POST /minievm/evm/v1/call`.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct EvmCallAnswer {
    /// What the call returns, hex.
    #[serde(default, deserialize_with = "lenient::text_only")]
    pub response: String,
    /// Why it gave up; empty on success.
    #[serde(default, deserialize_with = "lenient::text_only")]
    pub error: String,
}
