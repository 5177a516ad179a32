//! What a light EVM chain keeps of those who sign for themselves: their numbers, their allowances, and what they posted.

use std::collections::{BTreeMap, VecDeque};

use alloy_primitives::hex;
use serde::{Deserialize, Serialize};

use super::{LightChain, LightChains, LightTx, LightTxFailure, LightTxRequest, MOST_TXS};
use crate::{
    demo::posted::EthereumPayload,
    domain::{Amount, ChainId, Denom, Timestamp},
};

/// Of one chain; accounts are as the chain writes them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct EthereumPostings {
    /// The number of each signer's next transaction.
    nonces: BTreeMap<String, u64>,
    /// What a spender may take: by token, owner and spender.
    allowances: Vec<(AllowanceKey, Amount)>,
    txs: VecDeque<PostedPayload>,
}

/// Whose allowance of what for whom.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AllowanceKey {
    /// The token's contract.
    pub token: Denom,
    /// Who gives it.
    pub owner: String,
    /// Who may spend.
    pub spender: String,
}

/// A transaction that somebody signed; when and with what success says the chain's own record of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PostedPayload {
    /// The bytes in hex.
    pub raw: String,
    /// In the chain's own form.
    pub hash: String,
    /// Who signed it.
    pub from: String,
    /// What it used.
    pub gas: u64,
    /// What it paid per unit of gas.
    pub price: u128,
    /// What it logged; nothing where it failed.
    pub logs: Vec<PayloadLog>,
}

/// A log of a contract, in hex.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PayloadLog {
    /// Which contract's.
    pub address: String,
    /// Event and indexed arguments.
    pub topics: Vec<String>,
    /// The other arguments.
    pub data: String,
}

/// What came of a transaction, besides what it moved.
#[derive(Clone, Debug)]
pub(in crate::demo::router) struct PayloadEnd {
    pub(in crate::demo::router) posted: PostedPayload,
    pub(in crate::demo::router) nonce: u64,
    /// An allowance that is another from now on.
    pub(in crate::demo::router) allowance: Option<(AllowanceKey, Amount)>,
    /// Why it failed; what it moves then is its fee.
    pub(in crate::demo::router) failure: Option<String>,
}

impl LightChains {
    /// Takes a transaction that somebody signed into an EVM chain's next block; `None` where there is no such chain.
    pub(in crate::demo::router) fn post_payload(
        &mut self,
        chain: &ChainId,
        end: PayloadEnd,
        request: LightTxRequest<'_>,
        now: Timestamp,
    ) -> Option<LightTx> {
        let chain = self.0.get_mut(chain)?;
        // What is moved is moved whatever became of the call: then that is the fee alone.
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
    /// The number of an account's next transaction, once all is in a block that waits for one.
    pub(in crate::demo) fn next_nonce(&self, account: &str) -> u64 {
        self.ethereum.nonces.get(account).copied().unwrap_or(0)
    }

    /// The number of an account's next transaction as of the newest block.
    pub(in crate::demo) fn nonce(&self, account: &str, now: Timestamp) -> u64 {
        let is_waiting = |posted: &&PostedPayload| {
            posted.from == account && self.txs.iter().any(|tx| tx.tx_hash == posted.hash && tx.at > now)
        };
        let waiting = self.ethereum.txs.iter().filter(is_waiting).count() as u64;
        self.next_nonce(account).saturating_sub(waiting)
    }

    /// What a spender may take of a token.
    pub(in crate::demo) fn allowance(&self, key: &AllowanceKey) -> Amount {
        let found = self.ethereum.allowances.iter().find(|(one, _)| one == key);
        found.map_or(Amount::ZERO, |(_, amount)| *amount)
    }

    /// What somebody posted and what came of it, whether its block is there yet or not.
    pub(in crate::demo) fn payload(&self, hash: &str) -> Option<(&PostedPayload, &LightTx)> {
        let posted = self.ethereum.txs.iter().find(|posted| posted.hash == hash)?;
        Some((posted, self.txs.iter().find(|tx| tx.tx_hash == hash)?))
    }

    /// What somebody posted that is in a block, in the order of the block.
    pub(in crate::demo) fn payloads_in(&self, height: u64) -> Vec<(&PostedPayload, &LightTx)> {
        let in_block = self.txs.iter().filter(|tx| tx.height == height);
        in_block.filter_map(|tx| self.payload(&tx.tx_hash)).collect()
    }
}

impl PostedPayload {
    /// The transaction itself; `None` where the bytes were changed since.
    pub fn read(&self, chain_id: u64) -> Option<EthereumPayload> {
        EthereumPayload::read(&hex::decode(&self.raw).ok()?, chain_id).ok()
    }
}
