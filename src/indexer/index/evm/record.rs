use alloy_primitives::{Bloom, BloomInput, hex};

use super::{
    super::IndexError,
    pack::{Packer, Unpacker},
};
use crate::{
    domain::{EvmTxHash, Height},
    indexer::source::{EvmFrame, EvmReceipt, FrameKind, ReceiptLog},
    wire::{self, HexText, InternalTx},
};

/// Where a receipt stands in its block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ReceiptPlace {
    pub(super) height: Height,
    /// The hash of the block's EVM header.
    pub(super) block_hash: [u8; 32],
    /// Its place among the block's receipts, from 1: the node counts so.
    pub(super) index: u64,
}

/// A receipt as it is stored: with what those before it in the block come to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct StoredReceipt {
    pub(super) receipt: EvmReceipt,
    /// Gas used in the block up to and with this one.
    pub(super) cumulative_gas: u64,
    /// The place of its first log among the block's.
    pub(super) first_log: u64,
}

const SUCCESS: u8 = 1;
const CALLED: u8 = 2;
const CREATED: u8 = 4;

impl StoredReceipt {
    /// The receipt in few bytes; its hash comes first.
    pub(super) fn pack(&self) -> Vec<u8> {
        let Self { receipt, cumulative_gas, first_log } = self;
        let mut packer = Packer::default();
        packer.fixed(&receipt.hash);
        packer.byte(receipt.kind);
        let flag = |is_set: bool, flag| if is_set { flag } else { 0 };
        let (called, created) = (flag(receipt.to.is_some(), CALLED), flag(receipt.created.is_some(), CREATED));
        packer.byte(flag(receipt.is_success, SUCCESS) | called | created);
        packer.fixed(&receipt.from);
        receipt.to.iter().chain(&receipt.created).for_each(|address| packer.fixed(address));
        packer.number(u128::from(receipt.gas_used));
        packer.number(receipt.gas_price);
        packer.number(u128::from(*cumulative_gas));
        packer.number(u128::from(*first_log));
        packer.length(receipt.logs.len());
        for log in &receipt.logs {
            packer.fixed(&log.address);
            packer.length(log.topics.len());
            log.topics.iter().for_each(|topic| packer.word(topic));
            packer.data(&log.data);
        }
        packer.finish()
    }

    pub(super) fn unpack(bytes: &[u8]) -> Result<Self, IndexError> {
        let mut unpacker = Unpacker::new(bytes);
        let (hash, kind, flags) = (unpacker.fixed()?, unpacker.byte()?, unpacker.byte()?);
        let from = unpacker.fixed()?;
        let mut address = |flag| if flags & flag == 0 { Ok(None) } else { unpacker.fixed().map(Some) };
        let (to, created) = (address(CALLED)?, address(CREATED)?);
        let (gas_used, gas_price) = (unpacker.number()?, unpacker.wide()?);
        let (cumulative_gas, first_log) = (unpacker.number()?, unpacker.number()?);
        let logs = (0..unpacker.length()?).map(|_| unpack_log(&mut unpacker)).collect::<Result<_, _>>()?;
        let is_success = flags & SUCCESS != 0;
        let receipt = EvmReceipt { hash, kind, is_success, from, to, created, gas_used, gas_price, logs };
        Ok(Self { receipt, cumulative_gas, first_log })
    }

    /// The receipt as the node writes it (`docs/apis/indexer.md` §5.4).
    pub(super) fn into_wire(self, place: ReceiptPlace) -> wire::EvmTx {
        let Self { receipt, cumulative_gas, first_log } = self;
        let block_hash = hex::encode_prefixed(place.block_hash);
        let block_number = quantity(u128::from(place.height.get()));
        let transaction_index = quantity(u128::from(place.index));
        let transaction_hash = EvmTxHash::new(receipt.hash);
        let logs_bloom = hex::encode_prefixed(bloom(&receipt.logs));
        let logs = (first_log..)
            .zip(receipt.logs)
            .map(|(place, log)| wire::EvmLog {
                address: hex::encode_prefixed(log.address),
                topics: log.topics.iter().map(|topic| HexText(hex::encode_prefixed(topic))).collect(),
                data: HexText(hex::encode_prefixed(log.data)),
                block_number: block_number.clone(),
                transaction_hash,
                transaction_index: transaction_index.clone(),
                block_hash: block_hash.clone(),
                log_index: quantity(u128::from(place)),
                removed: false,
            })
            .collect();
        wire::EvmTx {
            block_hash,
            block_number,
            contract_address: receipt.created.map(hex::encode_prefixed),
            cumulative_gas_used: quantity(u128::from(cumulative_gas)),
            effective_gas_price: quantity(receipt.gas_price),
            from: hex::encode_prefixed(receipt.from),
            gas_used: quantity(u128::from(receipt.gas_used)),
            logs: Some(logs),
            logs_bloom,
            status: quantity(u128::from(receipt.is_success)),
            to: receipt.to.map(hex::encode_prefixed).unwrap_or_default(),
            transaction_hash,
            transaction_index,
            kind: quantity(u128::from(receipt.kind)),
        }
    }
}

fn unpack_log(unpacker: &mut Unpacker<'_>) -> Result<ReceiptLog, IndexError> {
    let address = unpacker.fixed()?;
    let topics = (0..unpacker.length()?).map(|_| unpacker.word()).collect::<Result<_, _>>()?;
    Ok(ReceiptLog { address, topics, data: unpacker.data()? })
}

/// The filter over emitters and topics that stands in a receipt.
fn bloom(logs: &[ReceiptLog]) -> Bloom {
    let mut bloom = Bloom::ZERO;
    for log in logs {
        bloom.accrue(BloomInput::Raw(&log.address));
        log.topics.iter().for_each(|topic| bloom.accrue(BloomInput::Raw(topic)));
    }
    bloom
}

/// A number as a node writes it: no leading zeros.
fn quantity(number: u128) -> HexText {
    HexText(format!("{number:#x}"))
}

/// A number as the indexer keeps it: whole bytes (`docs/apis/indexer.md` §5.5).
fn whole_bytes(number: u128) -> HexText {
    let digits = format!("{number:x}");
    let zero = if digits.len().is_multiple_of(2) { "" } else { "0" };
    HexText(format!("0x{zero}{digits}"))
}

/// Beside a frame's kind: it leads nowhere.
const NOWHERE: u8 = 0x80;

/// The frames of one transaction in few bytes.
pub(super) fn pack_frames(frames: &[EvmFrame]) -> Vec<u8> {
    let mut packer = Packer::default();
    for frame in frames {
        packer.number(frame.parent.map_or(0, |parent| u128::from(parent) + 1));
        packer.byte(
            match frame.kind {
                FrameKind::Call => 0,
                FrameKind::StaticCall => 1,
                FrameKind::DelegateCall => 2,
                FrameKind::Create => 3,
            } | if frame.to.is_none() { NOWHERE } else { 0 },
        );
        packer.fixed(&frame.from);
        frame.to.iter().for_each(|to| packer.fixed(to));
        packer.data(&frame.input);
        // The indexer keeps no output of the outer call.
        packer.data(if frame.parent.is_none() { &[] } else { &frame.output });
        packer.byte(u8::from(frame.value.is_some()));
        packer.number(frame.value.unwrap_or(0));
        packer.number(u128::from(frame.gas));
        packer.number(u128::from(frame.gas_used));
    }
    packer.finish()
}

/// So many frames again.
pub(super) fn unpack_frames(bytes: &[u8], count: u64) -> Result<Vec<EvmFrame>, IndexError> {
    let mut unpacker = Unpacker::new(bytes);
    (0..count).map(|_| unpack_frame(&mut unpacker)).collect()
}

fn unpack_frame(unpacker: &mut Unpacker<'_>) -> Result<EvmFrame, IndexError> {
    let parent = unpacker.number()?.checked_sub(1).map(u32::try_from).transpose().map_err(|_| IndexError::Body)?;
    let mark = unpacker.byte()?;
    let kind = match mark & !NOWHERE {
        0 => FrameKind::Call,
        1 => FrameKind::StaticCall,
        2 => FrameKind::DelegateCall,
        3 => FrameKind::Create,
        _ => return Err(IndexError::Body),
    };
    let from = unpacker.fixed()?;
    let to = if mark & NOWHERE == 0 { Some(unpacker.fixed()?) } else { None };
    let (input, output) = (unpacker.data()?, unpacker.data()?);
    let has_value = unpacker.byte()? != 0;
    let value = unpacker.wide().map(|value| has_value.then_some(value))?;
    Ok(EvmFrame { parent, kind, from, to, input, output, value, gas: unpacker.number()?, gas_used: unpacker.number()? })
}

/// A frame as the indexer writes it (`docs/apis/indexer.md` §5.5); `index` is its place in the transaction.
pub(super) fn internal_tx(frame: &EvmFrame, height: Height, hash: [u8; 32], index: u64) -> InternalTx {
    InternalTx {
        height,
        hash: EvmTxHash::new(hash),
        parent_index: frame.parent.map_or(-1, i64::from),
        index: i64::try_from(index).unwrap_or(i64::MAX),
        kind: frame.kind.as_str().to_owned(),
        from: hex::encode_prefixed(frame.from),
        to: frame.to.map(hex::encode_prefixed).unwrap_or_default(),
        input: HexText(hex::encode_prefixed(&frame.input)),
        output: HexText(hex::encode_prefixed(&frame.output)),
        value: frame.value.map_or_else(|| HexText("0x".to_owned()), whole_bytes),
        gas: whole_bytes(u128::from(frame.gas)),
        gas_used: whole_bytes(u128::from(frame.gas_used)),
    }
}
