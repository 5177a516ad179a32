//! Search for a call that was prepared here and sent by an Ethereum wallet elsewhere.

use serde::{Deserialize, Serialize};

use super::ethereum::{EthereumCall, evm_address};
use crate::{
    domain::{Address, Amount, Timestamp},
    wire::node::EvmSentTx,
};

/// Call to search for; it matches if all of it is equal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SoughtCall {
    /// Chain number as in EIP-155.
    pub chain_number: u64,
    /// `0x` and 40 digits, as in the other fields.
    from: String,
    to: String,
    /// In wei.
    value: Amount,
    /// In hex.
    data: String,
}

/// Differences of a call by the same signer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CallLikeness {
    /// Paths of differing fields; empty for the exact call.
    pub differs: Vec<String>,
}

impl SoughtCall {
    pub fn new(call: &EthereumCall) -> Self {
        Self {
            chain_number: call.chain_id,
            from: call.from.hex(),
            to: call.to.hex(),
            value: call.value,
            data: alloy_primitives::hex::encode_prefixed(&call.data),
        }
    }

    /// Returns the signer; `None` if the text is not an address.
    pub fn signer(&self) -> Option<Address> {
        evm_address(&self.from)
    }

    /// Returns the differences from a transaction; `None` for another signer, for a call with another contract and
    /// other data, or for an unreadable one.
    pub fn compare(&self, tx: &EvmSentTx) -> Option<CallLikeness> {
        if evm_address(&tx.from)? != self.signer()? {
            return None;
        }
        let own = alloy_primitives::hex::decode(&self.data).ok()?;
        let is_same_to = tx.to.as_deref().and_then(evm_address) == Some(evm_address(&self.to)?);
        let is_same_data = tx.input.bytes()? == own;
        let is_same_value = tx.value.quantity()? == self.value;
        if !is_same_to && (!is_same_data || own.is_empty()) {
            return None;
        }
        let fields = [("to", is_same_to), ("value", is_same_value), ("input", is_same_data)];
        let differs = fields.iter().filter(|(_, is_same)| !is_same).map(|(name, _)| (*name).to_owned()).collect();
        Some(CallLikeness { differs })
    }
}

/// Whether a block is late enough. Block times have whole seconds, so the second of the call's creation counts.
pub fn is_since(block: Timestamp, made: Timestamp) -> bool {
    block.as_seconds() >= made.as_seconds()
}
