//! Renders calls and logs of the ERC-1155 contract.

use super::abi::{AbiArg, AbiLog, TOPICS, ZERO, input, number};
use crate::demo::ledger::{common::world::Party, derive::number_word};

/// Encodes the call that mints one kind to the caller.
pub(crate) fn mint(me: &Party, kind: u8, count: u64) -> String {
    let arguments = [AbiArg::Word(me.word()), id(kind), amount(count), AbiArg::Text("")];
    input("mint(address,uint256,uint256,bytes)", &arguments)
}

/// Encodes the call that mints two kinds to the caller.
pub(crate) fn mint_batch(me: &Party, kinds: [u8; 2], count: u64) -> String {
    let [ids, counts] = pair(kinds, count);
    let arguments = [AbiArg::Word(me.word()), ids, counts, AbiArg::Text("")];
    input("mintBatch(address,uint256[],uint256[],bytes)", &arguments)
}

/// Encodes the call that transfers items of one kind.
pub(crate) fn give(me: &Party, to: &Party, kind: u8, count: u64) -> String {
    let arguments = [AbiArg::Word(me.word()), AbiArg::Word(to.word()), id(kind), amount(count), AbiArg::Text("")];
    input("safeTransferFrom(address,address,uint256,uint256,bytes)", &arguments)
}

/// Creates the log of a transfer of one kind; without a sender, of its mint.
pub(crate) fn moved(contract: &Party, operator: &Party, from: Option<&Party>, to: &Party, item: (u8, u64)) -> AbiLog {
    let topics = vec![TOPICS.transfer_single, operator.word(), from.map_or(ZERO, Party::word), to.word()];
    AbiLog::new(contract, topics, &[id(item.0), amount(item.1)])
}

pub(crate) fn made(contract: &Party, owner: &Party, kinds: [u8; 2], count: u64) -> AbiLog {
    let topics = vec![TOPICS.transfer_batch, owner.word(), ZERO, owner.word()];
    AbiLog::new(contract, topics, &pair(kinds, count))
}

fn id(kind: u8) -> AbiArg<'static> {
    number(u128::from(kind))
}

fn amount(count: u64) -> AbiArg<'static> {
    number(u128::from(count))
}

/// Returns the arguments for two kinds and their counts: twice as many of the second.
fn pair(kinds: [u8; 2], count: u64) -> [AbiArg<'static>; 2] {
    let ids = kinds.map(|kind| number_word(u128::from(kind))).to_vec();
    let counts = [count, count * 2].map(|count| number_word(u128::from(count))).to_vec();
    [AbiArg::Words(ids), AbiArg::Words(counts)]
}
