use alloy_primitives::{Bloom, hex};

use super::{
    record::error_at,
    record_error::{RecordError, RecordPlace, RecordProblem},
};
use crate::{
    domain::Height,
    indexer::{
        index::bloom_of,
        source::{EvmReceipt, EvmReceipts, ReceiptLog},
    },
    wire::{
        BlockPart, HexText, LackReason, UndecodedPart,
        node::{EvmReceiptAnswer, ReceiptLogAnswer},
    },
};

/// Converts the receipts of a block, in the node's order, and names those that cannot be decoded by their places in the
/// node's list.
///
/// Only the receipts contain the hash of the block's EVM header: without receipts, the hash is all zeros.
pub fn receipts(
    height: Height,
    answers: &[EvmReceiptAnswer],
) -> Result<(EvmReceipts, Vec<UndecodedPart>), RecordError> {
    let (mut receipts, mut undecoded) = (EvmReceipts::default(), Vec::new());
    for (place, answer) in answers.iter().enumerate() {
        let at = error_at(height, RecordPlace::Receipt(place));
        if answer.block_number.small() != Some(height.get()) {
            let other = answer.block_number.small().and_then(Height::new);
            let problem = other.map_or(form("blockNumber", "a height in hex"), RecordProblem::OtherBlock);
            return Err(at(problem));
        }
        let block_hash = fixed(&answer.block_hash, "blockHash", HASH).map_err(&at)?;
        if place > 0 && block_hash != receipts.block_hash {
            return Err(at(form("blockHash", "the hash in the first receipt")));
        }
        receipts.block_hash = block_hash;
        match receipt(answer) {
            Ok(receipt) => receipts.receipts.push(receipt),
            Err(problem) => undecoded.push(UndecodedPart {
                height,
                part: BlockPart::Receipts,
                index: Some(place as u64),
                cause: problem.to_string().into(),
                reason: LackReason::Undecoded,
            }),
        }
    }
    Ok((receipts, undecoded))
}

const HASH: &str = "32 bytes in hex";
const ADDRESS: &str = "20 bytes in hex";
const NUMBER: &str = "a number in hex";

fn receipt(answer: &EvmReceiptAnswer) -> Result<EvmReceipt, RecordProblem> {
    let named = |text: &Option<String>, field| {
        let text = text.as_deref().filter(|text| !text.is_empty());
        text.map(|text| fixed(text, field, ADDRESS)).transpose()
    };
    let logs = answer.logs.iter().enumerate().map(log).collect::<Result<Vec<_>, _>>()?;
    let computed = bloom_of(&logs);
    let bloom = match answer.logs_bloom.0.as_str() {
        "" => computed,
        text => Bloom::from(fixed::<256>(text, "logsBloom", "256 bytes in hex")?),
    };
    let is_success = match answer.status.0.as_str() {
        // A reverted transaction has no logs.
        "" if !logs.is_empty() => true,
        _ => number(&answer.status, "status")? == 1,
    };
    Ok(EvmReceipt {
        hash: fixed(&answer.transaction_hash, "transactionHash", HASH)?,
        kind: match answer.kind.0.as_str() {
            "" => 0,
            _ => number(&answer.kind, "type")?.try_into().map_err(|_| form("type", "a number of one byte"))?,
        },
        index: number(&answer.transaction_index, "transactionIndex")?,
        is_success,
        from: fixed(&answer.from, "from", ADDRESS)?,
        to: named(&answer.to, "to")?,
        created: named(&answer.contract_address, "contractAddress")?,
        gas_used: number(&answer.gas_used, "gasUsed")?,
        cumulative_gas: number(&answer.cumulative_gas_used, "cumulativeGasUsed")?,
        gas_price: price(&answer.effective_gas_price)?,
        other_bloom: (bloom != computed).then(|| Box::new(bloom)),
        logs,
    })
}

fn log((place, answer): (usize, &ReceiptLogAnswer)) -> Result<ReceiptLog, RecordProblem> {
    let topics = answer.topics.iter().map(|topic| fixed(&topic.0, "topics", HASH)).collect::<Result<_, _>>()?;
    Ok(ReceiptLog {
        address: fixed(&answer.address, "address", ADDRESS)?,
        topics,
        data: data(&answer.data, "data")?,
        index: if answer.log_index.0.is_empty() { place as u64 } else { number(&answer.log_index, "logIndex")? },
    })
}

fn price(text: &HexText) -> Result<u128, RecordProblem> {
    if text.0.is_empty() {
        return Ok(EvmReceipt::UNKNOWN_PRICE);
    }
    let price = text.quantity().and_then(|price| u128::try_from(price.get()).ok());
    price.ok_or(form("effectiveGasPrice", "a number in hex of at most 128 bits"))
}

/// Creates the error for a malformed field.
pub(super) fn form(field: &'static str, expected: &'static str) -> RecordProblem {
    RecordProblem::Form { field, expected }
}

/// Parses hex of a fixed length after `0x`.
pub(super) fn fixed<const N: usize>(
    text: &str,
    field: &'static str,
    expected: &'static str,
) -> Result<[u8; N], RecordProblem> {
    let mut bytes = [0; N];
    let digits = text.strip_prefix("0x").ok_or(form(field, expected))?;
    hex::decode_to_slice(digits, &mut bytes).map_err(|_| form(field, expected))?;
    Ok(bytes)
}

/// Parses hex of any length; empty if missing.
pub(super) fn data(text: &HexText, field: &'static str) -> Result<Vec<u8>, RecordProblem> {
    if text.0.is_empty() { Ok(Vec::new()) } else { text.bytes().ok_or(form(field, "bytes in hex")) }
}

/// Parses a number of 64 bits.
pub(super) fn number(text: &HexText, field: &'static str) -> Result<u64, RecordProblem> {
    text.small().ok_or(form(field, NUMBER))
}
