//! State queries that REST and the application answer equally, so that the RPC alone suffices.

use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::{NodeClient, NodeError, NodeInterface, queries::page_after};
use crate::{
    client::target::RequestTarget,
    domain::{Address, Denom, Height, LocalPacket},
    wire::node::{OpchildValidator, ValidatorsAnswer},
};

/// Maximum validators per response: a rollup has at most a hundred validators.
const VALIDATORS: usize = 1_000;

/// State query in both formats: gRPC and REST.
#[derive(Clone, Debug, PartialEq)]
pub struct StateQuestion {
    /// gRPC path.
    query: &'static str,
    /// Request as REST's JSON.
    request: Value,
    /// REST path.
    path: String,
    /// Whether REST takes the request in a body.
    is_post: bool,
}

impl StateQuestion {
    fn get(query: &'static str, request: Value, path: String) -> Self {
        Self { query, request, path, is_post: false }
    }

    fn validators() -> Self {
        let request = json!({"pagination": page_after("", VALIDATORS)});
        let path = format!("/opinit/opchild/v1/validators?pagination.limit={VALIDATORS}");
        Self::get("/opinit.opchild.v1.Query/Validators", request, path)
    }

    pub fn accounts(key: &str, rows: usize) -> Self {
        let path = format!("/cosmos/auth/v1beta1/accounts?{}", page_of(key, rows));
        let request = json!({"pagination": page_after(key, rows)});
        Self::get("/cosmos.auth.v1beta1.Query/Accounts", request, path)
    }

    pub fn balances(account: Address, key: &str, rows: usize) -> Self {
        let account = account.bech32();
        let path = format!("/cosmos/bank/v1beta1/balances/{account}?{}", page_of(key, rows));
        let request = json!({"address": account, "pagination": page_after(key, rows)});
        Self::get("/cosmos.bank.v1beta1.Query/AllBalances", request, path)
    }

    /// Queries the ERC-20 contract of a denom.
    pub fn contract_of(denom: &Denom) -> Self {
        let path = format!("/minievm/evm/v1/contracts/by_denom?denom={}", escape(denom.as_str()));
        Self::get("/minievm.evm.v1.Query/ContractAddrByDenom", json!({"denom": denom.as_str()}), path)
    }

    /// Queries the denoms of the bank with their supply.
    pub fn supply(rows: usize) -> Self {
        let path = format!("/cosmos/bank/v1beta1/supply?{}", page_of("", rows));
        Self::get("/cosmos.bank.v1beta1.Query/TotalSupply", json!({"pagination": page_after("", rows)}), path)
    }

    pub fn denom_metadata(denom: &Denom) -> Self {
        let path = format!("/cosmos/bank/v1beta1/denoms_metadata_by_query_string?denom={}", escape(denom.as_str()));
        Self::get("/cosmos.bank.v1beta1.Query/DenomMetadataByQueryString", json!({"denom": denom.as_str()}), path)
    }

    /// Queries the L1 denom of an `l2/` denom.
    pub fn base_denom(denom: &Denom) -> Self {
        let path = format!("/opinit/opchild/v1/base_denom?denom={}", escape(denom.as_str()));
        Self::get("/opinit.opchild.v1.Query/BaseDenom", json!({"denom": denom.as_str()}), path)
    }

    /// Queries the path of a voucher by the hash in its denom.
    pub fn denom_trace(hash: &str) -> Self {
        let path = format!("/ibc/apps/transfer/v1/denom_traces/{}", escape(hash));
        Self::get("/ibc.applications.transfer.v1.Query/DenomTrace", json!({"hash": hash}), path)
    }

    /// Queries the path of a voucher where ibc-go 10 has replaced traces.
    pub fn ibc_denom(hash: &str) -> Self {
        let path = format!("/ibc/apps/transfer/v1/denoms/{}", escape(hash));
        Self::get("/ibc.applications.transfer.v1.Query/Denom", json!({"hash": hash}), path)
    }

    /// Queries the newest transactions with an event that matches a query.
    pub(super) fn txs(query: &str, most: u16) -> Self {
        let path = format!("/cosmos/tx/v1beta1/txs?query={}&order_by=ORDER_BY_DESC&limit={most}", escape(query));
        let request = json!({"query": query, "order_by": "ORDER_BY_DESC", "limit": most.to_string()});
        Self::get("/cosmos.tx.v1beta1.Service/GetTxsEvent", request, path)
    }

    /// Queries the commitment of a packet that the chain sent.
    pub(super) fn packet_commitment(LocalPacket { port, channel, sequence, .. }: &LocalPacket) -> Self {
        let place = format!("channels/{}/ports/{}", escape(channel), escape(port));
        let path = format!("/ibc/core/channel/v1/{place}/packet_commitments/{sequence}");
        let request = json!({"port_id": port, "channel_id": channel, "sequence": sequence.to_string()});
        Self::get("/ibc.core.channel.v1.Query/PacketCommitment", request, path)
    }

    pub fn evm_params() -> Self {
        Self::get("/minievm.evm.v1.Query/Params", json!({}), "/minievm/evm/v1/params".to_owned())
    }

    pub fn opchild_params() -> Self {
        Self::get("/opinit.opchild.v1.Query/Params", json!({}), "/opinit/opchild/v1/params".to_owned())
    }

    /// Queries an EVM contract by a call from the zero address.
    pub fn evm_call(contract: Address, input: &[u8]) -> Self {
        let request = json!({
            "sender": Address::Short([0; 20]).bech32(), "contract_addr": contract.hex(),
            "input": alloy_primitives::hex::encode_prefixed(input), "value": "0",
        });
        Self { query: "/minievm.evm.v1.Query/Call", request, path: "/minievm/evm/v1/call".to_owned(), is_post: true }
    }

    pub fn evm_code(account: Address) -> Self {
        let account = account.hex();
        let path = format!("/minievm/evm/v1/codes/{account}");
        Self::get("/minievm.evm.v1.Query/Code", json!({"contract_addr": account}), path)
    }

    /// Queries the bank's denom of an ERC-20 contract.
    pub fn denom_of_contract(contract: Address) -> Self {
        let contract = contract.hex();
        let path = format!("/minievm/evm/v1/denoms/{contract}");
        Self::get("/minievm.evm.v1.Query/Denom", json!({"contract_addr": contract}), path)
    }

    pub fn move_resource(object: Address, struct_tag: &str) -> Self {
        let object = object.hex();
        let path = format!("/initia/move/v1/accounts/{object}/resources/by_struct_tag?struct_tag={struct_tag}");
        Self::get("/initia.move.v1.Query/Resource", json!({"address": object, "struct_tag": struct_tag}), path)
    }

    pub fn smart_query(contract: Address, query: &Value) -> Self {
        use base64::{Engine as _, prelude::BASE64_STANDARD};
        let contract = contract.bech32();
        let text = BASE64_STANDARD.encode(query.to_string()).replace('+', "%2B").replace('/', "%2F");
        let path = format!("/cosmwasm/wasm/v1/contract/{contract}/smart/{text}");
        let request = json!({"address": contract, "query_data": query});
        Self::get("/cosmwasm.wasm.v1.Query/SmartContractState", request, path)
    }

    pub fn wasm_contract(contract: Address) -> Self {
        let contract = contract.bech32();
        let path = format!("/cosmwasm/wasm/v1/contract/{contract}");
        Self::get("/cosmwasm.wasm.v1.Query/ContractInfo", json!({"address": contract}), path)
    }
}

impl NodeClient {
    /// Sends a state query at a height or at the newest block: to REST, or without REST to the application.
    pub async fn state<T: DeserializeOwned + Send + 'static>(
        &self,
        question: &StateQuestion,
        at: Option<Height>,
    ) -> Result<T, NodeError> {
        self.state_and_height(question, at).await.map(|(answer, _)| answer)
    }

    /// Sends a state query as [`NodeClient::state`] does; also returns the height of the state, if the node tells it.
    async fn state_and_height<T: DeserializeOwned + Send + 'static>(
        &self,
        question: &StateQuestion,
        at: Option<Height>,
    ) -> Result<(T, Option<Height>), NodeError> {
        let StateQuestion { query, request, path, is_post } = question;
        match self.url(NodeInterface::Rest) {
            Some(_) if *is_post => self.rest_answer(RequestTarget { at, ..RequestTarget::post(path, request) }).await,
            Some(_) => self.rest_answer(RequestTarget { at, ..RequestTarget::get(path) }).await,
            None => {
                let (answer, height) = self.query_state(query, request, at).await?;
                let answer = serde_json::from_value(answer).map_err(|error| self.misread(query, &error))?;
                Ok((answer, height))
            }
        }
    }

    /// Sends a state query at the newest block; `None` if the node refuses it.
    pub(super) async fn state_if_any<T: DeserializeOwned + Send + 'static>(
        &self,
        question: &StateQuestion,
    ) -> Result<Option<T>, NodeError> {
        match self.state(question, None).await {
            Err(error) if error.is_refusal() => Ok(None),
            answered => answered.map(Some),
        }
    }

    /// Requests the rollup's current validators, and the height of that state, if the node tells it.
    pub async fn validators(&self) -> Result<(Vec<OpchildValidator>, Option<Height>), NodeError> {
        let question = StateQuestion::validators();
        let (answer, height) = self.state_and_height::<ValidatorsAnswer>(&question, None).await?;
        Ok((answer.validators, height))
    }
}

/// Formats the paging parameters of REST for the page after a key; an empty key is the list's start.
fn page_of(key: &str, rows: usize) -> String {
    let key = if key.is_empty() { String::new() } else { format!("&pagination.key={}", escape(key)) };
    format!("pagination.limit={rows}{key}")
}

fn escape(text: &str) -> String {
    text.bytes()
        .map(|byte| match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b'~' => char::from(byte).to_string(),
            other => format!("%{other:02X}"),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_of_pages_are_escaped() {
        assert_eq!(escape("FP+a/b=="), "FP%2Ba%2Fb%3D%3D");
    }
}
