use std::fmt;

use alloy_primitives::{U256, hex, keccak256};
use serde::{Deserialize, Serialize};

use super::{Pagination, scalar::number};
use crate::domain::{Address, Amount, EvmTxHash, Height, TxHash};

/// The hash of the Ethereum transaction that stands for a Cosmos one: unsigned, asking for nothing, with the Cosmos hash as
/// its data. Every node makes it so, and nothing else has this hash: a receipt that names it is of this transaction.
pub fn mirrored_hash(cosmos: TxHash) -> EvmTxHash {
    // Five fields that are empty, 32 bytes, and a signature of three empty parts, as a list of 41 bytes.
    let list = [&[0xe9, 0x80, 0x80, 0x80, 0x80, 0x80, 0xa0], cosmos.bytes().as_slice(), &[0x80, 0x80, 0x80]].concat();
    EvmTxHash::new(keccak256(list).0)
}

/// Hex text as an EVM node writes it, kept as received: `0x5208`, `0x0100`, `0x`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct HexText(pub String);

impl HexText {
    /// The number it stands for; a bare `0x` is 0 and leading zeros are fine (`docs/apis/indexer.md` §5.5).
    pub fn quantity(&self) -> Option<Amount> {
        let digits = self.0.strip_prefix("0x")?;
        if digits.is_empty() {
            return Some(Amount::ZERO);
        }
        U256::from_str_radix(digits, 16).ok().map(Amount::new)
    }

    /// The same where it fits in 64 bits.
    pub fn small(&self) -> Option<u64> {
        self.quantity()?.get().try_into().ok()
    }

    /// The bytes it stands for.
    pub fn bytes(&self) -> Option<Vec<u8>> {
        hex::decode(self.0.strip_prefix("0x")?).ok()
    }
}

impl fmt::Display for HexText {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

/// The receipt of an EVM transaction, as the node's `eth_getBlockReceipts` gives it (`docs/apis/indexer.md` §5.4). It
/// has no value, input, nonce or time, and no link to the Cosmos transaction.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct EvmTx {
    /// The block's hash, `0x` and lower case.
    pub block_hash: String,
    /// The block's height, hex.
    pub block_number: HexText,
    /// The contract that was deployed, else null.
    pub contract_address: Option<String>,
    /// Gas used in the block up to and with this one, hex.
    pub cumulative_gas_used: HexText,
    /// Hex, in the fee token's smallest unit.
    pub effective_gas_price: HexText,
    /// Who sent it.
    pub from: String,
    /// Hex.
    pub gas_used: HexText,
    /// Logs in order; a node may give null.
    pub logs: Option<Vec<EvmLog>>,
    /// 256 bytes, hex.
    pub logs_bloom: String,
    /// `0x1` success, `0x0` failure.
    pub status: HexText,
    /// Who was called; `""` for a deployment.
    #[serde(default)]
    pub to: String,
    /// The EVM's hash of the transaction.
    pub transaction_hash: EvmTxHash,
    /// Its place among the block's EVM transactions, hex.
    pub transaction_index: HexText,
    /// `0x2` and the like.
    #[serde(rename = "type")]
    pub kind: HexText,
}

impl EvmTx {
    /// The block's height.
    pub fn height(&self) -> Option<Height> {
        self.block_number.small().and_then(Height::new)
    }

    /// Whether it succeeded.
    pub fn is_success(&self) -> bool {
        self.status.small() == Some(1)
    }

    /// The logs, none where the node gave null.
    pub fn logs(&self) -> &[EvmLog] {
        self.logs.as_deref().unwrap_or_default()
    }

    /// Who sent it, where the text is an address.
    pub fn sender(&self) -> Option<Address> {
        self.from.parse().ok()
    }

    /// Who was called, or what was deployed.
    pub fn target(&self) -> Option<Address> {
        self.to.parse().ok().or_else(|| self.contract_address.as_ref()?.parse().ok())
    }
}

/// A log in a receipt.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct EvmLog {
    /// The contract.
    pub address: String,
    /// Up to four words, hex.
    pub topics: Vec<HexText>,
    /// Hex.
    pub data: HexText,
    /// The block's height, hex.
    pub block_number: HexText,
    /// The EVM's hash of the transaction.
    pub transaction_hash: EvmTxHash,
    /// Its place among the block's EVM transactions, hex.
    pub transaction_index: HexText,
    /// The block's hash.
    pub block_hash: String,
    /// Its place among the block's logs, hex.
    pub log_index: HexText,
    /// Always false on a chain without reorganisations.
    pub removed: bool,
}

/// `GET /indexer/tx/v1/evm-txs`, `…/by_account/{account}`, `…/by_height/{height}`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EvmTxsResponse<T = EvmTx> {
    /// Newest first unless asked otherwise.
    pub txs: Vec<T>,
    /// Cursors and total.
    pub pagination: Pagination,
}

/// `GET /indexer/tx/v1/evm-txs/{tx_hash}`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EvmTxResponse {
    /// The receipt.
    pub tx: EvmTx,
}

/// A call frame of a traced EVM transaction (`docs/apis/indexer.md` §5.5). Quantities are even-length hex and may have
/// leading zeros; a missing one is `0x`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct InternalTx {
    /// The block. A JSON number.
    #[serde(with = "number")]
    pub height: Height,
    /// The EVM's hash of the transaction.
    pub hash: EvmTxHash,
    /// The frame that called this one; -1 for the outer call.
    pub parent_index: i64,
    /// Its number, depth first; 0 for the outer call.
    pub index: i64,
    /// `CALL`, `STATICCALL`, `DELEGATECALL`, `CREATE` and the like.
    #[serde(rename = "type")]
    pub kind: String,
    /// The caller; `""` when none.
    #[serde(default)]
    pub from: String,
    /// The callee; `""` when none.
    #[serde(default)]
    pub to: String,
    /// Call data.
    #[serde(default)]
    pub input: HexText,
    /// What it returned; always `0x` for the outer call.
    #[serde(default)]
    pub output: HexText,
    /// Value sent, in the fee token's smallest unit.
    #[serde(default)]
    pub value: HexText,
    /// Gas given.
    #[serde(default)]
    pub gas: HexText,
    /// Gas used.
    #[serde(default, rename = "gasUsed")]
    pub gas_used: HexText,
}

/// `GET /indexer/tx/v1/evm-internal-txs` and its `by_account`, `by_height` and `{tx_hash}` forms, all of them lists.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct InternalTxsResponse<T = InternalTx> {
    /// Newest first unless asked otherwise, so that a trace comes out backwards.
    pub internal_txs: Vec<T>,
    /// Cursors and total.
    pub pagination: Pagination,
}
