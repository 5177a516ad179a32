use std::fmt;

use alloy_primitives::{U256, hex, keccak256};
use serde::{Deserialize, Serialize};

use super::{Pagination, scalar::number};
use crate::domain::{Address, Amount, EvmTxHash, Height, TxHash, text::Foreign};

/// Computes the hash of the Ethereum transaction that mirrors a Cosmos transaction: unsigned, zero gas, with the Cosmos
/// hash as data. Every node derives this hash, and no other transaction has it, so a receipt with it proves the Cosmos
/// transaction.
pub fn mirrored_hash(cosmos: TxHash) -> EvmTxHash {
    // RLP list of 41 bytes: five empty fields, 32 bytes of data, and three empty signature parts.
    let list = [&[0xe9, 0x80, 0x80, 0x80, 0x80, 0x80, 0xa0], cosmos.bytes().as_slice(), &[0x80, 0x80, 0x80]].concat();
    EvmTxHash::new(keccak256(list).0)
}

/// Hex text as an EVM node writes it, kept as received: `0x5208`, `0x0100`, `0x`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct HexText(pub String);

impl HexText {
    /// Parses a number of any size. A bare `0x` is 0, and leading zeros are allowed (`docs/apis/indexer.md` §5.5).
    pub fn quantity(&self) -> Option<Amount> {
        let digits = self.0.strip_prefix("0x")?;
        if digits.is_empty() {
            return Some(Amount::ZERO);
        }
        U256::from_str_radix(digits, 16).ok().map(Amount::new)
    }

    /// Parses a number of at most 64 bits.
    pub fn small(&self) -> Option<u64> {
        self.quantity()?.get().try_into().ok()
    }

    pub fn bytes(&self) -> Option<Vec<u8>> {
        hex::decode(self.0.strip_prefix("0x")?).ok()
    }
}

impl fmt::Display for HexText {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

/// Receipt of an EVM transaction, as returned by the node's `eth_getBlockReceipts` (`docs/apis/indexer.md` §5.4). A
/// receipt has neither value, input, nonce and time, nor a link to the Cosmos transaction.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct EvmTx {
    /// Lower-case hex with `0x`.
    pub block_hash: String,
    pub block_number: HexText,
    /// Deployed contract; null without a deployment.
    pub contract_address: Option<String>,
    /// Gas used in the block up to and including this transaction.
    pub cumulative_gas_used: HexText,
    /// Price per unit of gas, in the fee token's smallest unit.
    pub effective_gas_price: HexText,
    pub from: String,
    pub gas_used: HexText,
    /// Logs in order; a node may send null.
    pub logs: Option<Vec<EvmLog>>,
    /// Bloom filter of 256 bytes, in hex.
    pub logs_bloom: String,
    /// `0x1` for success, `0x0` for failure.
    pub status: HexText,
    /// Called account; `""` for a deployment.
    #[serde(default)]
    pub to: String,
    pub transaction_hash: EvmTxHash,
    pub transaction_index: HexText,
    /// Transaction type, such as `0x2`.
    #[serde(rename = "type")]
    pub kind: HexText,
}

impl EvmTx {
    pub fn height(&self) -> Option<Height> {
        self.block_number.small().and_then(Height::new)
    }

    pub fn is_success(&self) -> bool {
        self.status.small() == Some(1)
    }

    /// Returns the logs; empty if the node sent null.
    pub fn logs(&self) -> &[EvmLog] {
        self.logs.as_deref().unwrap_or_default()
    }

    pub fn sender(&self) -> Option<Address> {
        self.from.parse().ok()
    }

    /// Returns the called account or the deployed contract.
    pub fn target(&self) -> Option<Address> {
        self.to.parse().ok().or_else(|| self.contract_address.as_ref()?.parse().ok())
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct EvmLog {
    pub address: String,
    pub topics: Vec<HexText>,
    pub data: HexText,
    pub block_number: HexText,
    pub transaction_hash: EvmTxHash,
    pub transaction_index: HexText,
    pub block_hash: String,
    /// Index among the block's logs.
    pub log_index: HexText,
    /// Always false: the chain has no reorganisations.
    pub removed: bool,
}

/// Response of `GET /indexer/tx/v1/evm-txs`, `…/by_account/{account}`, `…/by_height/{height}`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EvmTxsResponse<T = EvmTx> {
    /// Receipts, newest first by default.
    pub txs: Vec<T>,
    pub pagination: Pagination,
}

/// Response of `GET /indexer/tx/v1/evm-txs/{tx_hash}`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EvmTxResponse {
    pub tx: EvmTx,
}

/// Call frame of a traced EVM transaction (`docs/apis/indexer.md` §5.5). Quantities are hex of even length and may have
/// leading zeros; a missing quantity is `0x`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct InternalTx {
    #[serde(with = "number")]
    pub height: Height,
    pub hash: EvmTxHash,
    /// Index of the calling frame; -1 for the outermost call.
    pub parent_index: i64,
    /// Depth-first index; 0 for the outermost call.
    pub index: i64,
    /// Kind of call: `CALL`, `STATICCALL`, `DELEGATECALL`, `CREATE` and others.
    #[serde(rename = "type")]
    pub kind: String,
    /// Caller; `""` if missing.
    #[serde(default)]
    pub from: String,
    /// Callee; `""` if missing.
    #[serde(default)]
    pub to: String,
    #[serde(default)]
    pub input: HexText,
    /// Return data. The real server has always `0x` for the outermost call.
    #[serde(default)]
    pub output: HexText,
    /// Error of a failed call in the tracer's words. Only our server has it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<Foreign>,
    /// Transferred value, in the fee token's smallest unit.
    #[serde(default)]
    pub value: HexText,
    #[serde(default)]
    pub gas: HexText,
    #[serde(default, rename = "gasUsed")]
    pub gas_used: HexText,
    /// Whether a caller of the call failed, so that the call has no effect. Only our server has it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub undone: bool,
}

impl InternalTx {
    /// Returns the coins that the call moved; `None` for a call that moves none: it failed, is undone, or runs code in
    /// its caller's place.
    pub fn moved(&self) -> Option<Amount> {
        let is_in_place = matches!(self.kind.as_str(), "DELEGATECALL" | "STATICCALL" | "CALLCODE");
        if is_in_place || self.error.is_some() || self.undone { None } else { self.value.quantity() }
    }

    /// Removes what the real server never has: errors, and the output of the outermost call.
    pub fn remove_additions(&mut self) {
        self.error = None;
        self.undone = false;
        if self.parent_index < 0 {
            "0x".clone_into(&mut self.output.0);
        }
    }
}

/// Response of `GET /indexer/tx/v1/evm-internal-txs` and its `by_account`, `by_height` and `{tx_hash}` variants, which
/// all return lists.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct InternalTxsResponse<T = InternalTx> {
    /// Frames, newest first by default: a trace is then in reverse order.
    pub internal_txs: Vec<T>,
    pub pagination: Pagination,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_call_that_had_an_effect_of_its_own_moved_its_value() {
        let frame = |kind: &str, more: serde_json::Value| {
            let mut frame = serde_json::json!({
                "height": 7, "hash": format!("0x{}", "ab".repeat(32)), "parent_index": 0, "index": 1, "type": kind,
                "value": "0x05",
            });
            let fields = more.as_object().unwrap().clone();
            frame.as_object_mut().unwrap().extend(fields);
            serde_json::from_value::<InternalTx>(frame).unwrap().moved()
        };
        let none = serde_json::json!({});
        for kind in ["CALL", "CREATE", "CREATE2", "SELFDESTRUCT"] {
            assert_eq!(frame(kind, none.clone()), Some(Amount::from(5)), "{kind}");
            assert_eq!(frame(kind, serde_json::json!({"error": "out of gas"})), None, "{kind}");
            assert_eq!(frame(kind, serde_json::json!({"undone": true})), None, "{kind}");
        }
        for kind in ["DELEGATECALL", "STATICCALL", "CALLCODE"] {
            assert_eq!(frame(kind, none.clone()), None, "{kind}");
        }
    }
}
