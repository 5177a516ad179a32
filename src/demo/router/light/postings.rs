//! Transactions that clients posted to a light chain: sequence numbers, keys and bytes.

use std::collections::{BTreeMap, VecDeque};

use serde::{Deserialize, Serialize};

use super::{BLOCK_SECONDS, LightChain, LightChains, LightTx, LightTxRequest, MOST_TXS};
use crate::{
    demo::{
        ledger::derive,
        posted::{AnteAccount, PostedTx},
    },
    domain::{ChainId, PublicKey, Timestamp, TxHash},
};

/// Signers and posted transactions of one chain.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct LightPostings {
    signers: BTreeMap<String, LightSigner>,
    txs: VecDeque<PostedTx>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct LightSigner {
    sequence: u64,
    key_type: String,
    /// Compressed key in hex.
    key: String,
}

impl LightChains {
    /// Adds a signed transaction to the next block of a chain; `None` if the chain is unknown.
    pub(in crate::demo::router) fn post(
        &mut self,
        chain: &ChainId,
        (posted, key): (&PostedTx, &PublicKey),
        request: LightTxRequest<'_>,
        now: Timestamp,
    ) -> Option<LightTx> {
        self.0.get_mut(chain).map(|chain| chain.post(posted, key, request, now))
    }
}

impl LightChain {
    fn post(&mut self, posted: &PostedTx, key: &PublicKey, request: LightTxRequest<'_>, now: Timestamp) -> LightTx {
        let mut sent = self.send(request, now);
        sent.tx_hash = posted.hash().to_string();
        if let Some(error) = &mut sent.error {
            let wanted = posted.gas();
            error.message =
                format!("out of gas in location: WriteFlat; gasWanted: {wanted}, gasUsed: {}: out of gas", wanted + 1);
        }
        if let Some(last) = self.txs.back_mut() {
            last.clone_from(&sent);
        }
        let (key_type, key) = match key {
            PublicKey::EthSecp256k1(key) => (PublicKey::ETH_SECP256K1, key.to_vec()),
            PublicKey::Secp256k1(key) => (PublicKey::SECP256K1, key.to_vec()),
            PublicKey::Ed25519(key) => (PublicKey::ED25519, key.to_vec()),
            PublicKey::Multisig { .. } => (PublicKey::MULTISIG, Vec::new()),
        };
        let key = alloy_primitives::hex::encode(key);
        let signer = LightSigner { sequence: posted.sequence() + 1, key_type: key_type.to_owned(), key };
        self.postings.signers.insert(posted.signer().to_owned(), signer);
        self.postings.txs.push_back(posted.clone());
        if self.postings.txs.len() > MOST_TXS {
            self.postings.txs.pop_front();
        }
        sent
    }

    /// Returns an account that has received funds. Its address determines its number.
    pub(in crate::demo) fn account(&self, address: &str) -> Option<AnteAccount> {
        self.balances.get(address)?;
        // Account numbers are small, as on real chains: some clients support only 31 bits.
        let hash = derive::sha256(address);
        let number = u32::from_be_bytes([0, hash[0], hash[1], hash[2]]);
        let signer = self.postings.signers.get(address);
        let key = signer
            .and_then(|signer| PublicKey::new(&signer.key_type, &alloy_primitives::hex::decode(&signer.key).ok()?));
        Some(AnteAccount { number: u64::from(number), sequence: signer.map_or(0, |signer| signer.sequence), key })
    }

    /// Returns a posted transaction, even before its block exists.
    pub(in crate::demo) fn posted(&self, hash: &TxHash) -> Option<&PostedTx> {
        self.postings.txs.iter().find(|posted| posted.hash() == *hash)
    }

    /// Returns a block's transactions with the bytes of the posted transactions, which come first.
    pub(in crate::demo) fn block(&self, height: u64) -> Vec<(&LightTx, Option<&PostedTx>)> {
        let with_bytes = |tx| (tx, self.bytes_of(tx));
        self.txs.iter().filter(|tx| tx.height == height).map(with_bytes).collect()
    }

    fn bytes_of(&self, tx: &LightTx) -> Option<&PostedTx> {
        self.posted(&tx.tx_hash.parse().ok()?)
    }

    pub(in crate::demo) fn time(height: u64) -> Timestamp {
        let seconds =
            i64::try_from(height).unwrap_or(i64::MAX).saturating_mul(BLOCK_SECONDS).saturating_add(super::GENESIS);
        Timestamp::from_nanos(i128::from(seconds) * 1_000_000_000)
    }
}
