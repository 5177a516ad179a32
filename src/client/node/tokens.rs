//! Balances of accounts from token contracts.

use std::collections::BTreeSet;

use alloy_primitives::U256;
use futures_util::{StreamExt as _, stream};
use serde_json::{Value, json};

use super::{NodeClient, NodeError, StateQuestion};
use crate::{
    domain::{Address, Amount, Coin, Denom, Height, Vm},
    wire::node::{TokenAnswer, TokenBalance},
};

/// Selector of `balanceOf(address)`.
const BALANCE_OF: [u8; 4] = [0x70, 0xa0, 0x82, 0x31];

/// Number of concurrent requests where the node supports no batch.
const AT_ONCE: usize = 8;

impl NodeClient {
    /// Requests an account's balances from the contracts of these denoms, at the bank's height if the node still has
    /// that state. Skips zero balances, and tokens that the bank lists under this or another denom.
    pub(super) async fn token_balances(
        &self,
        account: Address,
        tokens: &[Denom],
        coins: &[Coin],
        at: Option<Height>,
    ) -> Vec<TokenBalance> {
        let listed: BTreeSet<String> = coins.iter().map(|coin| coin.denom.as_str().to_lowercase()).collect();
        let is_unlisted = |denom: &&Denom| !listed.contains(&denom.as_str().to_lowercase());
        let asked: Vec<(&Denom, Address)> = tokens
            .iter()
            .filter(is_unlisted)
            .filter_map(|denom| Some((denom, contract_of(denom, self.vm())?)))
            .collect();
        let answers = match self.vm() {
            Vm::Evm => self.erc20_answers(account, &asked, at).await,
            Vm::Wasm => {
                let contracts: Vec<Address> = asked.iter().map(|(_, contract)| *contract).collect();
                let answers = stream::iter(contracts).map(|contract| self.cw20_answer(account, contract, at));
                answers.buffered(AT_ONCE).collect().await
            }
            Vm::Move => Vec::new(),
        };
        let mut found = Vec::new();
        for ((denom, contract), answer) in asked.into_iter().zip(answers) {
            if let TokenAnswer::Held(amount) = answer
                && (amount.is_zero() || self.is_of_bank(contract, amount, coins).await)
            {
                continue;
            }
            found.push(TokenBalance { denom: denom.clone(), answer });
        }
        found
    }

    async fn erc20_answers(
        &self,
        account: Address,
        asked: &[(&Denom, Address)],
        at: Option<Height>,
    ) -> Vec<TokenAnswer> {
        let input = [BALANCE_OF.as_slice(), &account.word()].concat();
        let calls: Vec<(Address, Vec<u8>)> = asked.iter().map(|(_, contract)| (*contract, input.clone())).collect();
        if calls.is_empty() {
            return Vec::new();
        }
        let mut returned = self.contract_calls(&calls, at).await;
        if returned.is_err() && at.is_some() {
            returned = self.contract_calls(&calls, None).await;
        }
        let amount = |returned: Option<Vec<u8>>| match returned.map(<[u8; 32]>::try_from) {
            Some(Ok(word)) => TokenAnswer::Held(Amount::new(U256::from_be_bytes(word))),
            _ => TokenAnswer::NoAmount,
        };
        match returned {
            Ok(returned) => returned.into_iter().map(amount).collect(),
            Err(_) => vec![TokenAnswer::Unanswered; calls.len()],
        }
    }

    async fn cw20_answer(&self, account: Address, contract: Address, at: Option<Height>) -> TokenAnswer {
        let question = StateQuestion::smart_query(contract, &json!({"balance": {"address": account.bech32()}}));
        let answer: Result<Value, NodeError> = self.state(&question, at).await;
        match answer {
            Ok(answer) => {
                let amount = answer.pointer("/data/balance").and_then(|balance| balance.as_str()?.parse().ok());
                amount.map_or(TokenAnswer::NoAmount, TokenAnswer::Held)
            }
            Err(error) if error.is_refusal() => TokenAnswer::NoAmount,
            Err(_) => TokenAnswer::Unanswered,
        }
    }

    /// Whether the bank lists an EVM contract's token under the denom that the chain maps the contract to.
    async fn is_of_bank(&self, contract: Address, amount: Amount, coins: &[Coin]) -> bool {
        if self.vm() != Vm::Evm {
            return false;
        }
        let same: Vec<&Denom> = coins.iter().filter(|coin| coin.amount == amount).map(|coin| &coin.denom).collect();
        for denom in same {
            let answer: Result<Value, NodeError> = self.state(&StateQuestion::contract_of(denom), None).await;
            let address = answer.ok().and_then(|answer| answer.get("address")?.as_str()?.parse::<Address>().ok());
            if address == Some(contract) {
                return true;
            }
        }
        false
    }
}

fn contract_of(denom: &Denom, vm: Vm) -> Option<Address> {
    match vm {
        Vm::Evm => format!("0x{}", denom.as_str().strip_prefix("evm/")?).parse().ok(),
        Vm::Wasm => denom.as_str().strip_prefix("cw20:")?.parse().ok(),
        Vm::Move => None,
    }
}
