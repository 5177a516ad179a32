//! What accounts hold.

use serde_json::json;

use super::{NodeClient, NodeError, queries};
use crate::{
    domain::{Address, Coin, Denom},
    wire::node::{BalancesAnswer, NodeBalances},
};

const ALL_BALANCES: &str = "/cosmos.bank.v1beta1.Query/AllBalances";

/// Denoms in a page.
const PAGE: usize = 200;

/// Pages that are read of one account.
const PAGES: usize = 10;

impl NodeClient {
    /// What an account holds by the bank. On `MiniEVM` that includes the tokens that the chain has a denom for. All pages
    /// are of the first one's block, where the node says which that was.
    ///
    /// Of these tokens the contracts are asked, so far as the bank does not list them; that these fail is said for each.
    pub async fn balances(&self, account: Address, tokens: &[Denom]) -> Result<NodeBalances, NodeError> {
        let (mut coins, mut height, mut key) = (Vec::new(), None, String::new());
        for page in 0..PAGES {
            let request = json!({"address": account.bech32(), "pagination": queries::page_after(&key, PAGE)});
            let (answer, at) = self.query_state(ALL_BALANCES, &request, height).await?;
            let answer: BalancesAnswer =
                serde_json::from_value(answer).map_err(|error| self.misread(ALL_BALANCES, &error))?;
            // Where the first page's block is not known, that of a later page is not that of all.
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
}
