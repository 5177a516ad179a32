//! Transactions that clients posted to a light EVM chain: nonces, allowances and payloads.

use std::collections::{BTreeMap, VecDeque};

use alloy_primitives::hex;
use serde::{Deserialize, Serialize};

use super::{LightChain, LightChains, LightTx, LightTxFailure, LightTxRequest, MOST_TXS};
use crate::{
    demo::posted::EthereumPayload,
    domain::{Amount, ChainId, Denom, Timestamp},
};

/// Transactions that clients posted to one chain. Accounts have the chain's format.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct EthereumPostings {
    /// Next nonce of each signer.
    nonces: BTreeMap<String, u64>,
    /// ERC-20 allowances by token, owner and spender.
    allowances: Vec<(AllowanceKey, Amount)>,
    /// Allowances at the newest block that pending transactions change, with the time of their block.
    #[serde(default)]
    until: Vec<(AllowanceKey, Amount, Timestamp)>,
    txs: VecDeque<PostedPayload>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AllowanceKey {
    pub token: Denom,
    pub owner: String,
    pub spender: String,
}

/// Posted transaction. The chain's own record has its block and success.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PostedPayload {
    /// Raw bytes in hex.
    pub raw: String,
    pub hash: String,
    pub from: String,
    pub gas: u64,
    /// Gas price that the sender paid.
    pub price: u128,
    /// Logs; empty if the transaction failed.
    pub logs: Vec<PayloadLog>,
}

/// Log of a contract, in hex.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PayloadLog {
    pub address: String,
    /// Topics: the event, then its indexed arguments.
    pub topics: Vec<String>,
    pub data: String,
}

/// Result of a transaction, without its balance changes.
#[derive(Clone, Debug)]
pub(in crate::demo::router) struct PayloadEnd {
    pub(in crate::demo::router) posted: PostedPayload,
    pub(in crate::demo::router) nonce: u64,
    pub(in crate::demo::router) allowance: Option<(AllowanceKey, Amount)>,
    /// Failure reason. A failure changes no balance except for the fee.
    pub(in crate::demo::router) failure: Option<String>,
}

impl EthereumPostings {
    fn allowance(&self, key: &AllowanceKey) -> Amount {
        let found = self.allowances.iter().find(|(one, _)| one == key);
        found.map_or(Amount::ZERO, |(_, amount)| *amount)
    }
}

impl LightChains {
    /// Adds a posted transaction to the next block of an EVM chain; `None` if the chain is unknown.
    pub(in crate::demo::router) fn post_payload(
        &mut self,
        chain: &ChainId,
        end: PayloadEnd,
        request: LightTxRequest<'_>,
        now: Timestamp,
    ) -> Option<LightTx> {
        let chain = self.0.get_mut(chain)?;
        // A failed transaction has balance changes too: its fee.
        let mut sent = chain.send(request, now);
        sent.tx_hash.clone_from(&end.posted.hash);
        sent.success = end.failure.is_none();
        sent.error = end.failure.map(LightTxFailure::of_call);
        if let Some(last) = chain.txs.back_mut() {
            last.clone_from(&sent);
        }
        let kept = &mut chain.ethereum;
        kept.nonces.insert(end.posted.from.clone(), end.nonce + 1);
        if let Some((key, amount)) = end.allowance {
            let former = kept.allowance(&key);
            kept.until.retain(|(_, _, at)| *at > now);
            kept.until.push((key.clone(), former, sent.at));
            kept.allowances.retain(|(one, _)| *one != key);
            kept.allowances.push((key, amount));
        }
        kept.txs.push_back(end.posted);
        if kept.txs.len() > MOST_TXS {
            kept.txs.pop_front();
        }
        Some(sent)
    }
}

impl LightChain {
    /// Returns an account's next nonce, after all pending transactions.
    pub(in crate::demo) fn next_nonce(&self, account: &str) -> u64 {
        self.ethereum.nonces.get(account).copied().unwrap_or(0)
    }

    /// Returns an account's next nonce at the newest block.
    pub(in crate::demo) fn nonce(&self, account: &str, now: Timestamp) -> u64 {
        let is_waiting = |posted: &&PostedPayload| {
            posted.from == account && self.txs.iter().any(|tx| tx.tx_hash == posted.hash && tx.at > now)
        };
        let waiting = self.ethereum.txs.iter().filter(is_waiting).count() as u64;
        self.next_nonce(account).saturating_sub(waiting)
    }

    /// Returns an allowance after all pending transactions.
    pub(in crate::demo) fn next_allowance(&self, key: &AllowanceKey) -> Amount {
        self.ethereum.allowance(key)
    }

    /// Returns an allowance at the newest block.
    pub(in crate::demo) fn allowance(&self, key: &AllowanceKey, now: Timestamp) -> Amount {
        let former = self.ethereum.until.iter().find(|(one, _, at)| one == key && *at > now);
        former.map_or_else(|| self.next_allowance(key), |(_, amount, _)| *amount)
    }

    /// Returns a posted transaction and its result, even before its block exists.
    pub(in crate::demo) fn payload(&self, hash: &str) -> Option<(&PostedPayload, &LightTx)> {
        let posted = self.ethereum.txs.iter().find(|posted| posted.hash == hash)?;
        Some((posted, self.txs.iter().find(|tx| tx.tx_hash == hash)?))
    }

    /// Returns the posted transactions of a block, in order.
    pub(in crate::demo) fn payloads_in(&self, height: u64) -> Vec<(&PostedPayload, &LightTx)> {
        let in_block = self.txs.iter().filter(|tx| tx.height == height);
        in_block.filter_map(|tx| self.payload(&tx.tx_hash)).collect()
    }
}

impl PostedPayload {
    /// Parses the raw transaction; `None` if its bytes are invalid.
    pub fn read(&self, chain_id: u64) -> Option<EthereumPayload> {
        EthereumPayload::read(&hex::decode(&self.raw).ok()?, chain_id).ok()
    }
}
