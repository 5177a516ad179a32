//! Receipts, as the node's EVM indexer makes them from a block's transactions and their events.

use std::borrow::Cow;

use alloy_primitives::{hex, keccak256};
use serde::Deserialize;

use super::calls;
use crate::demo::chain::EthereumTx;
use crate::demo::ledger::{
    CommittedBlock, CommittedTx, EvmReceipt, EvmReceipts, ReceiptLog, TxEvent,
    common::{
        record::{BlockRecord, DepositHook, FeePayment, PacketArrival, SignMode, TxOutcome, TxRecord},
        render::{RenderView, signature_bytes},
    },
    evm::{
        Evm, Msg,
        catalogue::{CATALOGUE, GAS_PRICE},
        record::{ContractCall, VmMessage},
    },
    rlp::Rlp,
};
use crate::wire::mirrored_hash;

/// The highest chain id that every wallet can read.
const HIGHEST_CHAIN_ID: u64 = 4_503_599_627_370_476;

/// What wallets offer the proposer on top, per unit of gas.
pub(super) const TIP: u128 = 1;

/// The Ethereum transaction that a transaction is to the node's EVM indexer.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Likeness<'a> {
    /// A wallet signed it: this call or deployment.
    Signed(&'a VmMessage),
    /// It is shown as one without call, signer or price, because it left logs.
    Mirrored,
}

/// What a transaction is to the EVM indexer; `None` where it makes no receipt.
pub(crate) fn likeness(tx: &TxRecord<Evm>) -> Option<Likeness<'_>> {
    match &*tx.messages {
        [Msg::Vm(message)] if tx.style == SignMode::Ethereum && is_ethereum(message) => Some(Likeness::Signed(message)),
        messages => {
            let has_logs = pays(tx) || messages.iter().any(leaves_logs);
            (tx.outcome == TxOutcome::Success && has_logs).then_some(Likeness::Mirrored)
        }
    }
}

/// Whether an Ethereum transaction can ask for this: a call or a deployment, in hex that can be read.
fn is_ethereum(message: &VmMessage) -> bool {
    match message {
        VmMessage::Call { call, .. } => !matches!(call, ContractCall::Ping { application: u8::MAX, .. }),
        VmMessage::Create { salt, .. } => salt.is_none(),
    }
}

fn pays(tx: &TxRecord<Evm>) -> bool {
    match tx.fee {
        FeePayment::Signer | FeePayment::Granter(_) => true,
        FeePayment::Declared => tx.posted.as_ref().is_some_and(|posted| posted.fee > 0),
        FeePayment::Zero | FeePayment::Empty | FeePayment::TooLittle => false,
    }
}

/// Whether a message that succeeds leaves logs; asked only where no fee leaves one.
fn leaves_logs(msg: &Msg) -> bool {
    match msg {
        Msg::Deposit(deposit) => !matches!(deposit.hook, DepositHook::Repeated | DepositHook::Refused { .. }),
        Msg::Receive { arrival, .. } => *arrival == PacketArrival::Accepted,
        Msg::Acknowledge { accepted, .. } => !accepted,
        Msg::Timeout { .. } | Msg::NftReceive { .. } => true,
        _ => false,
    }
}

/// How many receipts these transactions make.
pub(crate) fn count(txs: &[TxRecord<Evm>]) -> u64 {
    txs.iter().filter(|tx| likeness(tx).is_some()).count() as u64
}

/// The receipts of a block that was written out from this record.
pub(crate) fn receipts(view: &RenderView<'_>, block: &CommittedBlock, record: &BlockRecord<Evm>) -> EvmReceipts {
    let receipts = placed(alike(view, block, record, receipt));
    let header = Rlp::new().bytes(block.hash.bytes()).number(u128::from(view.height)).finish();
    EvmReceipts { block_hash: keccak256(header).0, first_sequence: Some(record.first_receipt), receipts }
}

/// The same with what follows from their order: a node counts from 1.
fn placed(mut receipts: Vec<EvmReceipt>) -> Vec<EvmReceipt> {
    let mut cumulative_gas = 0;
    for (index, receipt) in (1..).zip(&mut receipts) {
        cumulative_gas += receipt.gas_used;
        (receipt.index, receipt.cumulative_gas) = (index, cumulative_gas);
    }
    receipts
}

/// What the Ethereum transactions of a block asked for, in the order of its receipts.
pub(crate) fn ethereum_txs(
    view: &RenderView<'_>,
    block: &CommittedBlock,
    record: &BlockRecord<Evm>,
) -> Vec<EthereumTx> {
    alike(view, block, record, |view, tx, committed, likeness| {
        let Likeness::Signed(message) = likeness else {
            let input = committed.hash.bytes().to_vec();
            return EthereumTx { nonce: 0, gas: 0, value: 0, tip: 0, input, signature: None };
        };
        let (_, input, value) = asked(view, message);
        EthereumTx {
            nonce: u64::from(tx.sequence),
            gas: u64::from(tx.gas_wanted),
            value,
            tip: TIP,
            input,
            signature: Some(signature_bytes(view, tx)),
        }
    })
}

/// Something of each transaction that makes a receipt.
fn alike<T>(
    view: &RenderView<'_>,
    block: &CommittedBlock,
    record: &BlockRecord<Evm>,
    make: impl Fn(&RenderView<'_>, &TxRecord<Evm>, &CommittedTx, Likeness<'_>) -> T,
) -> Vec<T> {
    (record.first_sequence..)
        .zip(record.txs.iter().zip(&block.txs))
        .filter_map(|(number, (tx, committed))| {
            Some(make(&RenderView { number, ..*view }, tx, committed, likeness(tx)?))
        })
        .collect()
}

/// Whom a wallet's transaction calls, with what input and payment; nobody for a deployment.
fn asked(view: &RenderView<'_>, message: &VmMessage) -> (Option<[u8; 20]>, Vec<u8>, u128) {
    match message {
        VmMessage::Call { sender, call } => {
            let request = calls::request(view, *sender, call);
            (Some(request.contract.tail()), hex::decode(&request.input).unwrap_or_default(), request.value)
        }
        VmMessage::Create { sender, nonce, .. } => (None, calls::init_code(view.party(*sender), *nonce), 0),
    }
}

fn receipt(view: &RenderView<'_>, tx: &TxRecord<Evm>, committed: &CommittedTx, likeness: Likeness<'_>) -> EvmReceipt {
    let is_success = committed.code == 0;
    let logs = if is_success { logs(&committed.events) } else { Vec::new() };
    let base = EvmReceipt {
        hash: *mirrored_hash(committed.hash).bytes(),
        kind: 0,
        index: 0,
        is_success,
        from: [0; 20],
        to: None,
        created: None,
        gas_used: committed.gas_used,
        cumulative_gas: 0,
        gas_price: 0,
        logs,
        other_bloom: None,
    };
    let Likeness::Signed(message) = likeness else { return base };
    let from = view.party(tx.signer).tail();
    let (to, input, value) = asked(view, message);
    let created = (is_success && to.is_none()).then(|| created(&committed.events)).flatten();
    let payload = Payload { tx, to, value, input: &input, signature: &signature_bytes(view, tx) };
    EvmReceipt { hash: payload.hash(), kind: 2, from, to, created, gas_price: GAS_PRICE, ..base }
}

/// What a wallet signed, with the signature.
struct Payload<'a> {
    tx: &'a TxRecord<Evm>,
    to: Option<[u8; 20]>,
    value: u128,
    input: &'a [u8],
    signature: &'a [u8],
}

impl Payload<'_> {
    /// The hash of the transaction as EIP-1559 writes it; the node puts it together again from the Cosmos transaction.
    fn hash(&self) -> [u8; 32] {
        let part = |from, to| self.signature.get(from..to).unwrap_or_default();
        let gas = u128::from(self.tx.gas_wanted);
        let head = Rlp::new().number(u128::from(chain_id())).number(u128::from(self.tx.sequence));
        let list =
            head.number(TIP).number(GAS_PRICE).number(gas).bytes(self.to.as_ref().map_or(&[], <[u8; 20]>::as_slice));
        let list = list.number(self.value).bytes(self.input).list(&Rlp::new());
        let signed = list.integer(part(64, 65)).integer(part(0, 32)).integer(part(32, 64));
        keccak256([&[2], signed.finish().as_slice()].concat()).0
    }
}

/// The EVM's number of the chain: the start of its id's hash, cut to what wallets can read.
pub(crate) fn chain_id() -> u64 {
    let start = keccak256(CATALOGUE.chain_id).0.first_chunk().map_or(0, |start| u64::from_be_bytes(*start));
    start % HIGHEST_CHAIN_ID
}

/// The contract that the `create` event names.
fn created(events: &[TxEvent]) -> Option<[u8; 20]> {
    let event = events.iter().find(|event| event.kind == "create")?;
    bytes_of(event.value("contract")?)
}

/// The logs of all `evm` events, in order.
fn logs(events: &[TxEvent]) -> Vec<ReceiptLog> {
    let runs = events.iter().filter(|event| event.kind == "evm");
    let texts = runs.flat_map(|event| event.values("log"));
    (0..).zip(texts).filter_map(|(index, json)| read_log(index, json)).collect()
}

fn read_log(index: u64, json: &str) -> Option<ReceiptLog> {
    #[derive(Deserialize)]
    struct EventLog<'a> {
        #[serde(borrow)]
        address: Cow<'a, str>,
        #[serde(borrow)]
        topics: Vec<Cow<'a, str>>,
        #[serde(borrow)]
        data: Cow<'a, str>,
    }
    let text: EventLog<'_> = serde_json::from_str(json).ok()?;
    let topics = text.topics.iter().map(|topic| bytes_of(topic)).collect::<Option<_>>()?;
    Some(ReceiptLog { address: bytes_of(&text.address)?, topics, data: hex::decode(&*text.data).ok()?, index })
}

fn bytes_of<const N: usize>(text: &str) -> Option<[u8; N]> {
    let mut bytes = [0; N];
    hex::decode_to_slice(text, &mut bytes).ok()?;
    Some(bytes)
}
