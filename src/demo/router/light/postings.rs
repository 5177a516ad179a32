//! What a light chain keeps of those who sign for themselves: the numbers of their signatures, their keys, and what they
//! posted.

use std::collections::{BTreeMap, VecDeque};

use serde::{Deserialize, Serialize};

use super::{LightChain, LightChains, LightTx, LightTxRequest, MOST_TXS};
use crate::{
    demo::{
        ledger::derive,
        posted::{AnteAccount, PostedTx},
    },
    domain::{ChainId, PublicKey, Timestamp, TxHash},
};

/// Those who sign for themselves on one chain.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct LightPostings {
    signers: BTreeMap<String, LightSigner>,
    txs: VecDeque<PostedTx>,
}

/// Somebody who has signed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct LightSigner {
    /// The number of the next signature.
    sequence: u64,
    /// The type of the key.
    key_type: String,
    /// The key, compressed, in hex.
    key: String,
}

impl LightChains {
    /// Takes a transaction that somebody signed with this key into a chain's next block; `None` where there is no such
    /// chain.
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

    /// An account that has received something; its number follows from its address.
    pub(in crate::demo) fn account(&self, address: &str) -> Option<AnteAccount> {
        self.balances.get(address)?;
        // Small, as real ones are: some clients count no further than 2^31.
        let hash = derive::sha256(address);
        let number = u32::from_be_bytes([0, hash[0], hash[1], hash[2]]);
        let signer = self.postings.signers.get(address);
        let key = signer
            .and_then(|signer| PublicKey::of(&signer.key_type, &alloy_primitives::hex::decode(&signer.key).ok()?));
        Some(AnteAccount { number: u64::from(number), sequence: signer.map_or(0, |signer| signer.sequence), key })
    }

    /// What somebody posted, whether its block is there yet or not.
    pub(in crate::demo) fn posted(&self, hash: &TxHash) -> Option<&PostedTx> {
        self.postings.txs.iter().find(|posted| posted.hash() == *hash)
    }

    /// The transactions of a block, those first that were posted with their bytes.
    pub(in crate::demo) fn block(&self, height: u64) -> Vec<(&LightTx, Option<&PostedTx>)> {
        let with_bytes = |tx| (tx, self.bytes_of(tx));
        self.txs.iter().filter(|tx| tx.height == height).map(with_bytes).collect()
    }

    fn bytes_of(&self, tx: &LightTx) -> Option<&PostedTx> {
        self.posted(&tx.tx_hash.parse().ok()?)
    }

    /// When a block is made.
    pub(in crate::demo) fn time(&self, height: u64) -> Timestamp {
        let seconds =
            i64::try_from(height).unwrap_or(i64::MAX).saturating_mul(self.seconds()).saturating_add(super::GENESIS);
        Timestamp::from_nanos(i128::from(seconds) * 1_000_000_000)
    }
}
