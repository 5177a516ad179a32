use std::collections::BTreeSet;

use super::{
    super::{integer, prepare::Prepared},
    record::pack_receipt,
    sequences::hash_key,
};
use crate::{
    domain::Height,
    indexer::source::{EvmReceipt, EvmReceipts, ReceiptLog},
};

#[derive(Debug, Default)]
pub(crate) struct PreparedReceipts {
    pub(super) blocks: Vec<ReceiptBlock>,
    pub(super) receipts: Vec<PreparedReceipt>,
    /// Whether the source has no sequence numbers; the numbers of this batch then start at 0 until the write.
    pub(super) is_unnumbered: bool,
}

#[derive(Debug)]
pub(super) struct ReceiptBlock {
    pub(super) height: i64,
    pub(super) hash: [u8; 32],
    pub(super) first_sequence: i64,
    pub(super) count: i64,
}

#[derive(Debug)]
pub(super) struct PreparedReceipt {
    pub(super) sequence: i64,
    pub(super) height: i64,
    pub(super) hash_key: i64,
    pub(super) sender: [u8; 20],
    pub(super) accounts: BTreeSet<[u8; 20]>,
    pub(super) body: Vec<u8>,
}

impl Prepared {
    /// Adds the receipts of blocks; every block of an EVM rollup needs its receipts.
    #[must_use]
    pub fn with_receipts(mut self, blocks: Vec<(Height, EvmReceipts)>) -> Self {
        for (height, block) in blocks {
            self.receipts.add(integer(height.get()), block);
        }
        self
    }
}

impl PreparedReceipts {
    fn add(&mut self, height: i64, block: EvmReceipts) {
        let first_sequence = integer(block.first_sequence.unwrap_or(self.receipts.len() as u64));
        self.is_unnumbered |= block.first_sequence.is_none();
        let count = i64::try_from(block.receipts.len()).unwrap_or(i64::MAX);
        self.blocks.push(ReceiptBlock { height, hash: block.block_hash, first_sequence, count });
        for (sequence, receipt) in (first_sequence..).zip(block.receipts) {
            let (sender, accounts, hash_key) = (receipt.from, accounts_of(&receipt), hash_key(&receipt.hash));
            let body = pack_receipt(&receipt);
            self.receipts.push(PreparedReceipt { sequence, height, hash_key, sender, accounts, body });
        }
    }
}

/// Returns all accounts in a receipt: sender, callee or new contract, and accounts in logs (`docs/apis/indexer.md`
/// §5.2).
pub(in crate::indexer::index) fn accounts_of(receipt: &EvmReceipt) -> BTreeSet<[u8; 20]> {
    let named = std::iter::once(receipt.from).chain(receipt.to).chain(receipt.created);
    named.chain(receipt.logs.iter().flat_map(accounts_of_log)).collect()
}

/// Returns the emitter of a log, and those later topics that look like addresses.
fn accounts_of_log(log: &ReceiptLog) -> impl Iterator<Item = [u8; 20]> {
    let topics = log.topics.iter().skip(1).filter_map(|topic| {
        let (zeros, address) = topic.split_at_checked(12)?;
        if zeros.iter().all(|byte| *byte == 0) { address.try_into().ok() } else { None }
    });
    std::iter::once(log.address).chain(topics)
}

#[cfg(test)]
mod tests {
    use alloy_primitives::Bloom;

    use super::{super::record::unpack_receipt, *};

    fn topic(last: u8) -> [u8; 32] {
        let mut topic = [0; 32];
        topic[31] = last;
        topic
    }

    #[test]
    fn receipts_name_everybody_and_come_back_whole() {
        let logs = vec![ReceiptLog {
            address: [4; 20],
            topics: vec![topic(9), topic(5), [6; 32]],
            data: vec![7; 32],
            index: 3,
        }];
        let one = EvmReceipt {
            hash: [1; 32],
            kind: 2,
            index: 1,
            is_success: true,
            from: [2; 20],
            to: Some([3; 20]),
            created: None,
            gas_used: 100,
            cumulative_gas: 100,
            gas_price: 5,
            logs,
            other_bloom: Some(Box::new(Bloom::with_last_byte(9))),
        };
        let other = EvmReceipt { to: None, created: Some([8; 20]), gas_used: 11, other_bloom: None, ..one.clone() };
        let mut prepared = PreparedReceipts::default();
        let receipts = vec![one.clone(), other.clone()];
        prepared.add(7, EvmReceipts { block_hash: [0; 32], first_sequence: Some(40), receipts });
        let [first, second] = prepared.receipts.as_slice() else { panic!("two receipts") };
        let mut five = [0; 20];
        five[19] = 5;
        assert_eq!(first.accounts, BTreeSet::from([[2; 20], [3; 20], [4; 20], five]));
        assert_eq!(second.accounts, BTreeSet::from([[2; 20], [8; 20], [4; 20], five]));
        assert_eq!((first.sequence, second.sequence), (40, 41));
        let stored = |receipt: &PreparedReceipt| unpack_receipt(&receipt.body).unwrap();
        assert_eq!((stored(first), stored(second)), (one, other));
    }
}
