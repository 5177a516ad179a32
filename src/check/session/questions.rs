//! Queries of contracts and objects.

use alloy_primitives::U256;
use serde_json::Value;

use super::CheckSession;
use crate::{
    client::{NodeError, NodeInterface, StateQuestion},
    domain::{Address, Height},
    wire::ErrorKind,
};

impl CheckSession {
    /// Returns the results of EVM calls at a block, else at the newest; `None` for a revert.
    pub(super) async fn evm_calls(
        &self,
        contract: Address,
        inputs: &[Vec<u8>],
        at: Option<Height>,
    ) -> Result<Vec<Option<Vec<u8>>>, NodeError> {
        if self.node.url(NodeInterface::JsonRpc).is_none() {
            return Err(NodeError::Missing(NodeInterface::JsonRpc));
        }
        let calls: Vec<(Address, Vec<u8>)> = inputs.iter().map(|input| (contract, input.clone())).collect();
        self.node.eth_calls(&calls, at).await
    }

    /// Returns an object's resource of this type; `None` if the object lacks it.
    pub(super) async fn resource(
        &self,
        object: Address,
        kind: &str,
        at: Option<Height>,
    ) -> Result<Option<Value>, NodeError> {
        let answer = is_there(self.node.state(&StateQuestion::move_resource(object, kind), at).await)?;
        let text = answer.as_ref().and_then(|answer| answer.pointer("/resource/move_resource")?.as_str());
        let resource: Option<Value> = text.and_then(|text| serde_json::from_str(&text.replace("\\u0000", "")).ok());
        Ok(resource.and_then(|mut resource| resource.get_mut("data").map(Value::take)))
    }

    /// Returns a Wasm contract's response to a smart query; `None` if the contract refuses the query.
    pub(super) async fn smart(
        &self,
        contract: Address,
        query: &Value,
        at: Option<Height>,
    ) -> Result<Option<Value>, NodeError> {
        let answer = is_there(self.node.state(&StateQuestion::smart_query(contract, query), at).await)?;
        Ok(answer.and_then(|mut answer| answer.get_mut("data").map(Value::take)))
    }

    /// Returns the chain's record of a Wasm contract; `None` if missing.
    pub(super) async fn wasm_contract(&self, contract: Address) -> Result<Option<Value>, NodeError> {
        let answer = is_there(self.node.state(&StateQuestion::wasm_contract(contract), None).await)?;
        Ok(answer.and_then(|mut answer| answer.get_mut("contract_info").map(Value::take)))
    }
}

/// Converts a response of the node; `None` for a missing record or a contract's refusal.
fn is_there(answer: Result<Value, NodeError>) -> Result<Option<Value>, NodeError> {
    match answer {
        Ok(answer) => Ok(Some(answer)),
        Err(NodeError::Refused { .. } | NodeError::NoRecord) => Ok(None),
        Err(NodeError::Api(error)) => match &error.kind {
            ErrorKind::NotFound(_) => Ok(None),
            ErrorKind::Rejected { sentence, .. } if sentence.as_received().contains("not found") => Ok(None),
            _ => Err(NodeError::Api(error)),
        },
        Err(error) => Err(error),
    }
}

pub(super) fn word_number(returned: &[u8]) -> Option<u64> {
    let word: [u8; 32] = returned.try_into().ok()?;
    u64::try_from(U256::from_be_bytes(word)).ok()
}
