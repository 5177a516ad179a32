//! Search for a call that rollscope prepared and that an Ethereum wallet sent elsewhere.

use serde::{Deserialize, Serialize};

use super::ethereum::{EthereumCall, evm_address};
use crate::{
    domain::{Address, Amount, Timestamp},
    wire::node::EvmSentTx,
};

/// Call to search for; a transaction matches if all fields are equal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SoughtCall {
    /// Chain id as in EIP-155.
    pub chain_number: u64,
    /// Sender: `0x` and 40 hex digits; `to` has this format too.
    from: String,
    to: String,
    /// Transferred value in wei.
    value: Amount,
    /// Call data in hex.
    data: String,
}

/// Differences between the call and a transaction of its signer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CallLikeness {
    /// Paths of the fields that differ; empty for the exact call.
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

    /// Compares a transaction with the call; `None` for another signer, for other contract and other data, or for an
    /// unreadable transaction.
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

/// Whether a block may contain the call. Block times have whole seconds, so the second in which the call was created
/// counts.
pub fn is_since(block: Timestamp, made: Timestamp) -> bool {
    block.as_seconds() >= made.as_seconds()
}
