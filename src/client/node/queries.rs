//! State queries of a node.

use std::sync::Arc;

use alloy_primitives::hex;
use base64::{Engine as _, prelude::BASE64_STANDARD};
use serde::{Serialize, de::DeserializeOwned};
use serde_json::{Value, json};

use super::{NodeClient, NodeError, NodeInterface, failure};
use crate::{
    client::{decoding, target::RequestTarget},
    domain::{Address, Height},
    wire::{
        ApiError, ErrorKind,
        node::{AbciQueryAnswer, JsonRpcCall},
        proto,
    },
};

/// Maximum calls per batch: some nodes refuse larger batches.
const BATCH: usize = 100;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StateAnswer {
    /// Protobuf bytes of the response.
    pub value: Vec<u8>,
    /// Height of the queried state; `None` if the node omits it.
    pub height: Option<Height>,
}

impl NodeClient {
    /// Sends a GET to REST, at a height or at the newest block.
    pub async fn rest<T: DeserializeOwned + Send + 'static>(
        &self,
        path: &str,
        at: Option<Height>,
    ) -> Result<T, NodeError> {
        self.rest_answer(RequestTarget { at, ..RequestTarget::get(path) }).await.map(|(answer, _)| answer)
    }

    /// Sends a POST to REST, at a height or at the newest block. Use it only for queries: the client retries it.
    pub async fn rest_post<T: DeserializeOwned + Send + 'static>(
        &self,
        path: &str,
        body: &impl Serialize,
        at: Option<Height>,
    ) -> Result<T, NodeError> {
        self.rest_answer(RequestTarget { at, ..RequestTarget::post(path, body) }).await.map(|(answer, _)| answer)
    }

    /// Sends a request to REST; returns the answer and the height of the queried state, if the node tells it.
    pub(super) async fn rest_answer<T: DeserializeOwned + Send + 'static>(
        &self,
        target: RequestTarget,
    ) -> Result<(T, Option<Height>), NodeError> {
        let received = failure::not_refused(self.ask(NodeInterface::Rest, target).await?)?;
        let height = received.height;
        decoding::decode(received).await.map(|answer| (answer, height)).map_err(NodeError::Api)
    }

    /// Sends a protobuf query to the application, by a path such as `/cosmos.bank.v1beta1.Query/AllBalances`.
    pub async fn abci_query(&self, path: &str, data: &[u8], at: Option<Height>) -> Result<StateAnswer, NodeError> {
        let height = at.map_or_else(String::new, |height| format!("&height={height}"));
        let path = format!("/abci_query?path=%22{path}%22&data=0x{}{height}", hex::encode(data));
        let url: Arc<str> = format!("{}{path}", self.shared.rpc.base.as_str()).into();
        let AbciQueryAnswer { response } = self.rpc(path).await?;
        if response.code != 0 {
            return Err(failure::of_application(&response, &url));
        }
        let value = BASE64_STANDARD.decode(&response.value).map_err(|_| NodeError::empty(&url))?;
        Ok(StateAnswer { value, height: Height::new(response.height) })
    }

    /// Sends a query by its gRPC path, with the request as REST's JSON; returns the response and its height.
    pub async fn query_state(
        &self,
        path: &str,
        request: &Value,
        at: Option<Height>,
    ) -> Result<(Value, Option<Height>), NodeError> {
        let data = proto::encode_request(path, request).map_err(|error| self.misread(path, &error))?;
        let answer = self.abci_query(path, &data, at).await?;
        let value = proto::decode_answer(path, &answer.value).map_err(|error| self.misread(path, &error))?;
        Ok((value, answer.height))
    }

    /// Creates the error for a response that does not match the query.
    pub(super) fn misread(&self, path: &str, error: &impl ToString) -> NodeError {
        let kind = ErrorKind::BadShape { path: path.to_owned(), detail: error.to_string() };
        NodeError::Api(ApiError { kind, url: self.shared.rpc.base.as_str().into(), body: None })
    }

    /// Calls contracts at a height or at the newest block; returns the results in order, `None` for a revert.
    pub async fn eth_calls(
        &self,
        calls: &[(Address, Vec<u8>)],
        at: Option<Height>,
    ) -> Result<Vec<Option<Vec<u8>>>, NodeError> {
        let block = at.map_or_else(|| "latest".to_owned(), super::quantity);
        let mut returned = Vec::with_capacity(calls.len());
        let (mut left, mut size) = (calls, BATCH);
        while !left.is_empty() {
            let (chunk, rest) = left.split_at(size.min(left.len()));
            match self.eth_call_batch(chunk, &block).await {
                // Some nodes take fewer calls at once.
                Err(error) if error.may_be_of_size() && chunk.len() > 1 => size = chunk.len().div_ceil(2),
                answered => {
                    returned.extend(answered?);
                    left = rest;
                }
            }
        }
        Ok(returned)
    }

    async fn eth_call_batch(
        &self,
        calls: &[(Address, Vec<u8>)],
        block: &str,
    ) -> Result<Vec<Option<Vec<u8>>>, NodeError> {
        let call = |(id, (to, data)): (u64, &(Address, Vec<u8>))| {
            let params = vec![json!({"to": to.hex(), "data": hex::encode_prefixed(data)}), json!(block)];
            JsonRpcCall::new(id, "eth_call", params)
        };
        let batch: Vec<JsonRpcCall> = (1..).zip(calls).map(call).collect();
        let url: Arc<str> = self.url(NodeInterface::JsonRpc).unwrap_or_default().into();
        let answers = self.batch(&batch).await?.into_iter();
        answers.map(|answer| failure::call_result(&answer.ok_or_else(|| NodeError::empty(&url))?, &url)).collect()
    }
}

/// Returns the page of `rows` after a key for a state query; an empty key is the list's start.
pub(super) fn page_after(key: &str, rows: usize) -> Value {
    let limit = rows.to_string();
    if key.is_empty() { json!({"limit": limit}) } else { json!({"key": key, "limit": limit}) }
}
