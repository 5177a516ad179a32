//! What accounts hold.

use serde_json::{Value, json};

use super::{NodeClient, NodeError};
use crate::{
    domain::{Address, Coin, Denom, Height},
    wire::{
        ApiError, ErrorKind,
        node::{BalancesAnswer, NodeBalances},
        proto,
    },
};

const ALL_BALANCES: &str = "/cosmos.bank.v1beta1.Query/AllBalances";

/// Denoms in a page.
const PAGE: usize = 200;

/// Pages that are read of one account.
const PAGES: usize = 10;

impl NodeClient {
    /// What an account holds by the bank. On `MiniEVM` that includes the tokens that the chain has a denom for. All pages
    /// are of the first one's block, where the node says which that was.
    pub async fn balances(&self, account: Address) -> Result<NodeBalances, NodeError> {
        let (mut coins, mut height, mut key) = (Vec::new(), None, String::new());
        for _ in 0..PAGES {
            let request = page_request(account, &key);
            let (answer, at) = self.query_state(ALL_BALANCES, &request, height).await?;
            let answer: BalancesAnswer =
                serde_json::from_value(answer).map_err(|error| self.misread(ALL_BALANCES, &error))?;
            height = height.or(at);
            let read = answer.balances.into_iter();
            coins.extend(read.map(|coin| Coin { denom: Denom::new(&*coin.denom), amount: coin.amount }));
            key = answer.pagination.next_key;
            if key.is_empty() {
                break;
            }
        }
        Ok(NodeBalances { chain_id: self.chain_id().to_owned(), height, coins, is_whole: key.is_empty() })
    }

    /// The answer of the application to a query by its gRPC path, in the JSON of REST, and as of which block.
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

    /// An answer of another form than the query's.
    pub(super) fn misread(&self, path: &str, error: &impl ToString) -> NodeError {
        let kind = ErrorKind::BadShape { path: path.to_owned(), detail: error.to_string() };
        NodeError::Api(ApiError { kind, url: self.shared.rpc.base.as_str().into(), body: None })
    }
}

fn page_request(account: Address, key: &str) -> Value {
    let limit = PAGE.to_string();
    let pagination = if key.is_empty() { json!({"limit": limit}) } else { json!({"key": key, "limit": limit}) };
    json!({"address": account.bech32(), "pagination": pagination})
}
