//! Light chains beside the rollup. Each has a height by the clock, balances, and transactions with their movements, but
//! no index.

mod ethereum;
mod postings;

use std::collections::{BTreeMap, VecDeque};

use alloy_primitives::{hex, keccak256};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

pub(in crate::demo::router) use self::ethereum::PayloadEnd;
pub use self::ethereum::{AllowanceKey, PayloadLog, PostedPayload};
use self::{ethereum::EthereumPostings, postings::LightPostings};
use crate::domain::{Amount, Balance, ChainId, Denom, Timestamp};

/// Maximum accounts with balances per chain. Transactions may name further accounts.
const MOST_ACCOUNTS: usize = 1_000;

/// Maximum transactions per chain; it drops the oldest.
const MOST_TXS: usize = 300;

/// Block time in seconds.
const BLOCK_SECONDS: i64 = 2;

/// Genesis of all light chains, in seconds since 1970: the start of 2024.
const GENESIS: i64 = 1_704_067_200;

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LightChains(BTreeMap<ChainId, LightChain>);

/// Chain that has balances and transactions, but no index.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LightChain {
    is_evm: bool,
    /// Number of transactions so far. Each hash includes it and so is unique.
    count: u64,
    balances: BTreeMap<String, BTreeMap<Denom, Amount>>,
    txs: VecDeque<LightTx>,
    /// Transactions that clients posted, and their signers.
    #[serde(default)]
    postings: LightPostings,
    #[serde(default)]
    ethereum: EthereumPostings,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LightTx {
    pub tx_hash: String,
    pub height: u64,
    /// Time of the block.
    pub at: Timestamp,
    pub success: bool,
    pub what: String,
    /// Balance changes; empty if the transaction failed.
    pub events: Vec<BalanceMovement>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<LightTxFailure>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LightTxFailure {
    /// Codespace of the error; empty on an EVM chain.
    #[serde(default)]
    pub codespace: String,
    pub code: u32,
    /// Error log of the chain.
    pub message: String,
}

impl LightTxFailure {
    pub(super) const fn of_call(message: String) -> Self {
        Self { codespace: String::new(), code: 0, message }
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BalanceMovement {
    pub kind: MovementSide,
    /// Account in the address format of its chain.
    pub account: String,
    pub denom: Denom,
    pub amount: Amount,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MovementSide {
    Spent,
    Received,
}

impl BalanceMovement {
    pub fn spent(account: &str, denom: &Denom, amount: Amount) -> Self {
        Self { kind: MovementSide::Spent, account: account.to_owned(), denom: denom.clone(), amount }
    }

    pub fn received(account: &str, denom: &Denom, amount: Amount) -> Self {
        Self { kind: MovementSide::Received, account: account.to_owned(), denom: denom.clone(), amount }
    }
}

impl BalanceMovement {
    /// Returns the change of the account's balance.
    pub fn delta(&self) -> Balance {
        match self.kind {
            MovementSide::Spent => Balance::below_zero(self.amount),
            MovementSide::Received => Balance::from(self.amount),
        }
    }
}

impl LightChains {
    /// Adds a chain, unless it exists. `start` returns its initial balances.
    pub fn open(&mut self, chain: ChainId, is_evm: bool, start: impl FnOnce() -> Vec<BalanceMovement>) {
        self.0.entry(chain).or_insert_with(|| {
            let (balances, txs, postings) = (BTreeMap::new(), VecDeque::new(), LightPostings::default());
            let ethereum = EthereumPostings::default();
            let mut opened = LightChain { is_evm, count: 0, balances, txs, postings, ethereum };
            for movement in start() {
                opened.apply(&movement);
            }
            opened
        });
    }

    pub fn get(&self, chain: &ChainId) -> Option<&LightChain> {
        self.0.get(chain)
    }

    /// Adds a transaction to the next block of a chain; `None` if the chain is unknown.
    pub fn send(&mut self, chain: &ChainId, request: LightTxRequest<'_>, now: Timestamp) -> Option<LightTx> {
        self.0.get_mut(chain).map(|chain| chain.send(request, now))
    }
}

/// Transaction that has no block yet.
#[derive(Clone, Debug)]
pub struct LightTxRequest<'a> {
    pub what: String,
    pub message: &'a [u8],
    /// Whether the transaction will succeed.
    pub success: bool,
    pub events: Vec<BalanceMovement>,
}

impl LightChain {
    pub fn height(&self, now: Timestamp) -> u64 {
        u64::try_from((now.as_seconds() - GENESIS) / BLOCK_SECONDS).unwrap_or(0)
    }

    pub fn balance(&self, account: &str, denom: &Denom) -> Amount {
        self.balances.get(account).and_then(|held| held.get(denom)).copied().unwrap_or_default()
    }

    pub fn balances(&self, account: &str) -> BTreeMap<Denom, Amount> {
        self.balances.get(account).cloned().unwrap_or_default()
    }

    /// Returns the transaction with this hash, in the chain's format, if its block exists.
    pub fn tx(&self, tx_hash: &str, now: Timestamp) -> Option<&LightTx> {
        self.txs.iter().find(|tx| tx.tx_hash == tx_hash && tx.at <= now)
    }

    fn send(&mut self, request: LightTxRequest<'_>, now: Timestamp) -> LightTx {
        let height = self.height(now) + 1;
        let seconds = i64::try_from(height).unwrap_or(i64::MAX).saturating_mul(BLOCK_SECONDS).saturating_add(GENESIS);
        let tx = LightTx {
            tx_hash: self.hash(request.message),
            height,
            at: Timestamp::from_nanos(i128::from(seconds) * 1_000_000_000),
            success: request.success,
            what: request.what,
            events: if request.success { request.events } else { Vec::new() },
            error: (!request.success).then(|| self.failure()),
        };
        for movement in &tx.events {
            self.apply(movement);
        }
        self.count += 1;
        self.txs.push_back(tx.clone());
        if self.txs.len() > MOST_TXS {
            self.txs.pop_front();
        }
        tx
    }

    /// Returns the failure for a transaction that is to fail: out of gas, or reverted.
    fn failure(&self) -> LightTxFailure {
        if self.is_evm {
            return LightTxFailure::of_call("execution reverted".to_owned());
        }
        let message = "out of gas in location: WriteFlat; gasWanted: 200000, gasUsed: 202140: out of gas";
        LightTxFailure { codespace: "sdk".to_owned(), code: 11, message: message.to_owned() }
    }

    /// Computes a hash, in the chain's format, over the messages and a counter.
    fn hash(&self, message: &[u8]) -> String {
        let bytes = [message, &self.count.to_be_bytes()].concat();
        if self.is_evm { hex::encode_prefixed(keccak256(bytes)) } else { hex::encode_upper(Sha256::digest(bytes)) }
    }

    fn apply(&mut self, movement: &BalanceMovement) {
        if self.balances.len() >= MOST_ACCOUNTS && !self.balances.contains_key(&movement.account) {
            return;
        }
        let held = self.balances.entry(movement.account.clone()).or_default();
        let before = held.get(&movement.denom).copied().unwrap_or_default();
        let after = match movement.kind {
            MovementSide::Spent => before.checked_sub(movement.amount).unwrap_or_default(),
            MovementSide::Received => before.checked_add(movement.amount).unwrap_or(before),
        };
        held.insert(movement.denom.clone(), after);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chains() -> (LightChains, ChainId) {
        let mut chains = LightChains::default();
        let id = ChainId::new("interwoven-1");
        let start = || vec![BalanceMovement::received("init1a", &Denom::new("uinit"), Amount::from(100))];
        chains.open(id.clone(), false, start);
        (chains, id)
    }

    fn request(success: bool) -> LightTxRequest<'static> {
        let denom = Denom::new("uinit");
        let events = vec![
            BalanceMovement::spent("init1a", &denom, Amount::from(30)),
            BalanceMovement::received("init1b", &denom, Amount::from(30)),
        ];
        LightTxRequest { what: "a send".to_owned(), message: b"send", success, events }
    }

    #[test]
    fn a_transaction_is_in_the_next_block_and_moves_what_it_says() {
        let (mut chains, id) = chains();
        let now: Timestamp = "2026-01-31T12:00:00.5Z".parse().unwrap();
        let tx = chains.send(&id, request(true), now).unwrap();
        let chain = chains.get(&id).unwrap();
        assert_eq!((tx.at.to_string().as_str(), tx.height), ("2026-01-31T12:00:02Z", chain.height(now) + 1));
        assert_eq!(chain.tx(&tx.tx_hash, now), None, "its block is not there yet");
        assert_eq!(chain.tx(&tx.tx_hash, tx.at), Some(&tx));
        let denom = Denom::new("uinit");
        assert_eq!(chain.balance("init1a", &denom), Amount::from(70));
        assert_eq!(chain.balances("init1b"), BTreeMap::from([(denom, Amount::from(30))]));
    }

    #[test]
    fn one_that_fails_moves_nothing_and_no_two_hashes_are_the_same() {
        let (mut chains, id) = chains();
        let failed = chains.send(&id, request(false), Timestamp::EPOCH).unwrap();
        let other = chains.send(&id, request(false), Timestamp::EPOCH).unwrap();
        assert!(failed.events.is_empty());
        assert_eq!(failed.error.map(|error| error.code), Some(11));
        assert_ne!(failed.tx_hash, other.tx_hash);
        assert_eq!(failed.tx_hash.len(), 64);
        assert_eq!(chains.get(&id).unwrap().balance("init1a", &Denom::new("uinit")), Amount::from(100));
        let evm = ChainId::new("31337");
        chains.open(evm.clone(), true, Vec::new);
        let tx = chains.send(&evm, request(true), Timestamp::EPOCH).unwrap();
        assert!(tx.tx_hash.starts_with("0x") && tx.tx_hash.len() == 66);
    }

    #[test]
    fn what_is_kept_is_bounded() {
        let (mut chains, id) = chains();
        for _ in 0..=MOST_TXS {
            chains.send(&id, request(true), Timestamp::EPOCH).unwrap();
        }
        assert_eq!(chains.get(&id).unwrap().txs.len(), MOST_TXS);
    }
}
