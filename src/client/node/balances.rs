use serde_json::json;

use super::{NodeClient, NodeError, NodeInterface, StateQuestion, queries};
use crate::{
    domain::{Address, Coin, Denom, Height},
    wire::node::{BalancesAnswer, NodeBalances},
};

const ALL_BALANCES: &str = "/cosmos.bank.v1beta1.Query/AllBalances";

const PAGE: usize = 200;

/// Maximum pages per account.
const PAGES: usize = 10;

impl NodeClient {
    /// Requests an account's bank balances, which on `MiniEVM` include tokens that have a denom. All pages have the
    /// block of the first page if the node reports it. The RPC does; without RPC queries, REST answers.
    ///
    /// Also queries the contracts of `tokens` that the bank does not list; reports each failure.
    pub async fn balances(&self, account: Address, tokens: &[Denom]) -> Result<NodeBalances, NodeError> {
        let (mut coins, mut height, mut key) = (Vec::new(), None, String::new());
        let mut is_by_rest = false;
        for page in 0..PAGES {
            let by_rpc = if is_by_rest { None } else { self.page_by_rpc(account, &key, height).await? };
            is_by_rest = by_rpc.is_none();
            let (answer, at) = match by_rpc {
                Some(answered) => answered,
                None => {
                    (self.state::<BalancesAnswer>(&StateQuestion::balances(account, &key, PAGE), None).await?, None)
                }
            };
            // Without the block of the first page, no block holds for all pages.
            if page == 0 {
                height = at;
            }
            let read = answer.balances.into_iter();
            coins.extend(read.map(|coin| Coin { denom: Denom::new(&*coin.denom), amount: coin.amount }));
            key = answer.pagination.next_key;
            if key.is_empty() {
                break;
            }
        }
        let tokens = self.token_balances(account, tokens, &coins, height).await;
        Ok(NodeBalances { chain_id: self.chain_id().to_owned(), height, coins, is_whole: key.is_empty(), tokens })
    }

    /// Requests a page with its block from the RPC; `None` if the RPC refuses state queries, so that REST can try.
    async fn page_by_rpc(
        &self,
        account: Address,
        key: &str,
        at: Option<Height>,
    ) -> Result<Option<(BalancesAnswer, Option<Height>)>, NodeError> {
        let request = json!({"address": account.bech32(), "pagination": queries::page_after(key, PAGE)});
        match self.query_state(ALL_BALANCES, &request, at).await {
            Ok((answer, at)) => {
                let answer = serde_json::from_value(answer).map_err(|error| self.misread(ALL_BALANCES, &error))?;
                Ok(Some((answer, at)))
            }
            Err(error) if at.is_none() && !error.is_transient() && self.url(NodeInterface::Rest).is_some() => Ok(None),
            Err(error) => Err(error),
        }
    }
}
