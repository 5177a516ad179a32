use std::fmt;

use alloy_primitives::{Bloom, BloomInput, U256, hex};

use super::{
    super::IndexError,
    pack::{Packer, Unpacker},
};
use crate::{
    domain::{EvmTxHash, Height, text::Foreign},
    indexer::source::{EvmFrame, EvmReceipt, FrameKind, ReceiptLog},
    wire::{self, HexText, InternalTx},
};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ReceiptPlace {
    pub(super) height: Height,
    pub(super) block_hash: [u8; 32],
}

const SUCCESS: u8 = 1;
const CALLED: u8 = 2;
const CREATED: u8 = 4;
const OTHER_BLOOM: u8 = 8;

pub(super) fn pack_receipt(receipt: &EvmReceipt) -> Vec<u8> {
    let mut packer = Packer::default();
    packer.fixed(&receipt.hash);
    packer.byte(receipt.kind);
    let flag = |is_set: bool, flag| if is_set { flag } else { 0 };
    packer.byte(
        flag(receipt.is_success, SUCCESS)
            | flag(receipt.to.is_some(), CALLED)
            | flag(receipt.created.is_some(), CREATED)
            | flag(receipt.other_bloom.is_some(), OTHER_BLOOM),
    );
    packer.fixed(&receipt.from);
    receipt.to.iter().chain(&receipt.created).for_each(|address| packer.fixed(address));
    receipt.other_bloom.iter().for_each(|bloom| packer.fixed(bloom.as_slice()));
    packer.number(u128::from(receipt.index));
    packer.number(u128::from(receipt.gas_used));
    packer.number(u128::from(receipt.cumulative_gas));
    packer.number(receipt.gas_price);
    packer.length(receipt.logs.len());
    for log in &receipt.logs {
        packer.fixed(&log.address);
        packer.number(u128::from(log.index));
        packer.length(log.topics.len());
        log.topics.iter().for_each(|topic| packer.word(topic));
        packer.data(&log.data);
    }
    packer.finish()
}

pub(super) fn unpack_receipt(bytes: &[u8]) -> Result<EvmReceipt, IndexError> {
    let mut unpacker = Unpacker::new(bytes);
    let (hash, kind, flags) = (unpacker.fixed()?, unpacker.byte()?, unpacker.byte()?);
    let from = unpacker.fixed()?;
    let mut address = |flag| if flags & flag == 0 { Ok(None) } else { unpacker.fixed().map(Some) };
    let (to, created) = (address(CALLED)?, address(CREATED)?);
    let other_bloom =
        if flags & OTHER_BLOOM == 0 { None } else { Some(Box::new(Bloom::from(unpacker.fixed::<256>()?))) };
    let (index, gas_used, cumulative_gas) = (unpacker.number()?, unpacker.number()?, unpacker.number()?);
    let gas_price = unpacker.wide()?;
    let logs = (0..unpacker.length()?).map(|_| unpack_log(&mut unpacker)).collect::<Result<_, _>>()?;
    let is_success = flags & SUCCESS != 0;
    Ok(EvmReceipt {
        hash,
        kind,
        index,
        is_success,
        from,
        to,
        created,
        gas_used,
        cumulative_gas,
        gas_price,
        logs,
        other_bloom,
    })
}

/// Converts a receipt to the node's JSON type, given the block's EVM hash.
pub(crate) fn receipt_on_the_wire(receipt: &EvmReceipt, height: Height, block_hash: [u8; 32]) -> wire::EvmTx {
    on_the_wire(receipt.clone(), ReceiptPlace { height, block_hash })
}

/// Converts a receipt to the node's JSON type (`docs/apis/indexer.md` §5.4).
pub(super) fn on_the_wire(receipt: EvmReceipt, place: ReceiptPlace) -> wire::EvmTx {
    let block_hash = hex::encode_prefixed(place.block_hash);
    let block_number = quantity(u128::from(place.height.get()));
    let transaction_index = quantity(u128::from(receipt.index));
    let transaction_hash = EvmTxHash::new(receipt.hash);
    let logs_bloom = receipt.other_bloom.as_deref().copied().unwrap_or_else(|| bloom_of(&receipt.logs));
    let logs = receipt
        .logs
        .into_iter()
        .map(|log| wire::EvmLog {
            address: hex::encode_prefixed(log.address),
            topics: log.topics.iter().map(|topic| HexText(hex::encode_prefixed(topic))).collect(),
            data: HexText(hex::encode_prefixed(log.data)),
            block_number: block_number.clone(),
            transaction_hash,
            transaction_index: transaction_index.clone(),
            block_hash: block_hash.clone(),
            log_index: quantity(u128::from(log.index)),
            removed: false,
        })
        .collect();
    wire::EvmTx {
        block_hash,
        block_number,
        contract_address: receipt.created.map(hex::encode_prefixed),
        cumulative_gas_used: quantity(u128::from(receipt.cumulative_gas)),
        effective_gas_price: match receipt.gas_price {
            EvmReceipt::UNKNOWN_PRICE => HexText::default(),
            price => quantity(price),
        },
        from: hex::encode_prefixed(receipt.from),
        gas_used: quantity(u128::from(receipt.gas_used)),
        logs: Some(logs),
        logs_bloom: hex::encode_prefixed(logs_bloom),
        status: quantity(u128::from(receipt.is_success)),
        to: receipt.to.map(hex::encode_prefixed).unwrap_or_default(),
        transaction_hash,
        transaction_index,
        kind: quantity(u128::from(receipt.kind)),
    }
}

fn unpack_log(unpacker: &mut Unpacker<'_>) -> Result<ReceiptLog, IndexError> {
    let (address, index) = (unpacker.fixed()?, unpacker.number()?);
    let topics = (0..unpacker.length()?).map(|_| unpacker.word()).collect::<Result<_, _>>()?;
    Ok(ReceiptLog { address, topics, data: unpacker.data()?, index })
}

/// Computes a receipt's bloom filter over emitters and topics.
pub(crate) fn bloom_of(logs: &[ReceiptLog]) -> Bloom {
    let mut bloom = Bloom::ZERO;
    for log in logs {
        bloom.accrue(BloomInput::Raw(&log.address));
        log.topics.iter().for_each(|topic| bloom.accrue(BloomInput::Raw(topic)));
    }
    bloom
}

/// Formats a number in hex as a node does: without leading zeros.
fn quantity(number: u128) -> HexText {
    HexText(format!("{number:#x}"))
}

/// Formats a number in hex as the indexer does: in whole bytes (`docs/apis/indexer.md` §5.5).
fn whole_bytes(number: impl fmt::LowerHex) -> HexText {
    let digits = format!("{number:x}");
    let zero = if digits.len().is_multiple_of(2) { "" } else { "0" };
    HexText(format!("0x{zero}{digits}"))
}

/// Flag in the byte of a frame's kind: the frame has no callee.
const NOWHERE: u8 = 0x80;
/// Flag in the byte of a frame's kind: the call failed, and its error is stored. Files of older versions lack it.
const FAILED: u8 = 0x40;

pub(super) fn pack_frames(frames: &[EvmFrame]) -> Vec<u8> {
    let mut packer = Packer::default();
    for frame in frames {
        packer.number(frame.parent.map_or(0, |parent| u128::from(parent) + 1));
        packer.byte(
            FrameKind::ALL
                .iter()
                .position(|kind| *kind == frame.kind)
                .and_then(|at| u8::try_from(at).ok())
                .unwrap_or(0)
                | if frame.to.is_none() { NOWHERE } else { 0 }
                | if frame.error.is_some() { FAILED } else { 0 },
        );
        packer.fixed(&frame.from);
        frame.to.iter().for_each(|to| packer.fixed(to));
        packer.data(&frame.input);
        packer.data(&frame.output);
        frame.error.iter().for_each(|error| packer.data(error.as_bytes()));
        packer.byte(u8::from(frame.value.is_some()));
        frame.value.iter().for_each(|value| packer.word(&value.to_be_bytes::<32>()));
        packer.number(u128::from(frame.gas));
        packer.number(u128::from(frame.gas_used));
    }
    packer.finish()
}

pub(super) fn unpack_frames(bytes: &[u8], count: u64) -> Result<Vec<EvmFrame>, IndexError> {
    let mut unpacker = Unpacker::new(bytes);
    (0..count).map(|_| unpack_frame(&mut unpacker)).collect()
}

fn unpack_frame(unpacker: &mut Unpacker<'_>) -> Result<EvmFrame, IndexError> {
    let parent = unpacker.number()?.checked_sub(1).map(u32::try_from).transpose().map_err(|_| IndexError::Body)?;
    let mark = unpacker.byte()?;
    let kind = *FrameKind::ALL.get(usize::from(mark & !(NOWHERE | FAILED))).ok_or(IndexError::Body)?;
    let from = unpacker.fixed()?;
    let to = if mark & NOWHERE == 0 { Some(unpacker.fixed()?) } else { None };
    let (input, output) = (unpacker.data()?, unpacker.data()?);
    let error = if mark & FAILED == 0 { None } else { Some(unpacker.data()?) };
    let error = error.map(String::from_utf8).transpose().map_err(|_| IndexError::Body)?;
    let has_value = unpacker.byte()? != 0;
    let value = if has_value { Some(U256::from_be_bytes(unpacker.word()?)) } else { None };
    let (gas, gas_used) = (unpacker.number()?, unpacker.number()?);
    Ok(EvmFrame { parent, kind, from, to, input, output, error, value, gas, gas_used })
}

/// Whether a caller of this frame, directly or not, failed.
fn is_undone(frames: &[EvmFrame], frame: &EvmFrame) -> bool {
    let caller = |frame: &EvmFrame| frames.get(usize::try_from(frame.parent?).ok()?);
    std::iter::successors(caller(frame), |frame| caller(frame)).any(|caller| caller.error.is_some())
}

/// Converts a frame of a transaction to the indexer's JSON type (`docs/apis/indexer.md` §5.5); `None` if the
/// transaction has no frame at this position.
pub(crate) fn internal_tx(frames: &[EvmFrame], index: usize, height: Height, hash: [u8; 32]) -> Option<InternalTx> {
    let frame = frames.get(index)?;
    Some(InternalTx {
        height,
        hash: EvmTxHash::new(hash),
        parent_index: frame.parent.map_or(-1, i64::from),
        index: i64::try_from(index).unwrap_or(i64::MAX),
        undone: is_undone(frames, frame),
        kind: frame.kind.as_str().to_owned(),
        from: hex::encode_prefixed(frame.from),
        to: frame.to.map(hex::encode_prefixed).unwrap_or_default(),
        input: HexText(hex::encode_prefixed(&frame.input)),
        output: HexText(hex::encode_prefixed(&frame.output)),
        error: frame.error.clone().map(Foreign::from),
        value: frame.value.map_or_else(|| HexText("0x".to_owned()), whole_bytes),
        gas: whole_bytes(frame.gas),
        gas_used: whole_bytes(frame.gas_used),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_failed_call_did_is_undone() {
        let frame = |parent: Option<u32>, error: Option<&str>| EvmFrame {
            parent,
            kind: FrameKind::Call,
            from: [1; 20],
            to: Some([2; 20]),
            input: Vec::new(),
            output: Vec::new(),
            error: error.map(str::to_owned),
            value: Some(U256::from(5)),
            gas: 1,
            gas_used: 1,
        };
        let frames = [
            frame(None, None),
            frame(Some(0), Some("out of gas")),
            frame(Some(1), None),
            frame(Some(2), None),
            frame(Some(0), None),
        ];
        let undone = |index| internal_tx(&frames, index, Height::FIRST, [0; 32]).unwrap().undone;
        assert_eq!([0, 1, 2, 3, 4].map(undone), [false, false, true, true, false]);
        assert!(internal_tx(&frames, 5, Height::FIRST, [0; 32]).is_none());
    }
}
