//! A call that was made here, sent by an Ethereum wallet somewhere else and is looked for on its chain.

use serde::{Deserialize, Serialize};

use super::ethereum::{EthereumCall, evm_address};
use crate::{
    domain::{Address, Amount, Timestamp},
    wire::node::EvmSentTx,
};

/// What is looked for: a call is the same where all of it is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SoughtCall {
    /// The chain, as EIP-155 has it.
    pub chain_number: u64,
    /// Who signs: `0x` and 40 digits, as the others.
    from: String,
    to: String,
    /// In wei.
    value: Amount,
    /// In hex.
    data: String,
}

/// What differs in a call by the same signer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CallLikeness {
    /// The fields with other values; none where it is the very call.
    pub differs: Vec<String>,
}

impl SoughtCall {
    /// This call.
    pub fn of(call: &EthereumCall) -> Self {
        Self {
            chain_number: call.chain_id,
            from: call.from.hex(),
            to: call.to.hex(),
            value: call.value,
            data: alloy_primitives::hex::encode_prefixed(&call.data),
        }
    }

    /// Who signs; `None` where that is no address.
    pub fn signer(&self) -> Option<Address> {
        evm_address(&self.from)
    }

    /// What differs between this and a transaction; `None` of another signer's, of one that neither calls the same contract
    /// nor says the same to another, and of what cannot be read.
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

/// A block's time has whole seconds: what was sent in the second in which the call was made may be it.
pub fn is_since(block: Timestamp, made: Timestamp) -> bool {
    block.as_seconds() >= made.as_seconds()
}
