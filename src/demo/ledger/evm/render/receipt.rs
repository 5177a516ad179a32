//! Renders receipts as the node's EVM indexer builds them, from transactions and events.

use alloy_primitives::{U256, hex, keccak256};

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
        gas_price,
        record::{ContractCall, VmMessage},
    },
};
use crate::demo::{
    posted::{EthereumPayload, ethereum_chain_id},
    rlp::Rlp,
};
use crate::events::{ContractLog, EventRecord, keys};
use crate::wire::mirrored_hash;

/// Priority fee that wallets offer, per unit of gas, in the fee token's smallest unit.
pub(super) const TIP: u128 = 1;

/// How the node's EVM indexer presents a transaction.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Likeness<'a> {
    /// As the call or deployment that an Ethereum wallet signed.
    Signed(&'a VmMessage),
    /// As a Cosmos transaction with logs, without call, signer or price.
    Mirrored,
}

/// Returns how the EVM indexer presents a transaction; `None` if it has no receipt.
pub(crate) fn likeness(tx: &TxRecord<Evm>) -> Option<Likeness<'_>> {
    match &*tx.messages {
        [Msg::Vm(message)] if tx.style == SignMode::Ethereum && is_ethereum(message) => Some(Likeness::Signed(message)),
        messages => {
            let has_logs = pays(tx) || messages.iter().any(leaves_logs);
            (tx.outcome == TxOutcome::Success && has_logs).then_some(Likeness::Mirrored)
        }
    }
}

/// Whether an Ethereum transaction can contain the message: a call or deployment with valid input.
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

/// Whether a successful message emits logs. This matters only if the fee emits none.
fn leaves_logs(msg: &Msg) -> bool {
    match msg {
        Msg::Deposit(deposit) => !matches!(deposit.hook, DepositHook::Repeated | DepositHook::Refused { .. }),
        Msg::Receive { arrival, .. } => *arrival == PacketArrival::Accepted,
        Msg::Acknowledge { accepted, .. } => !accepted,
        Msg::Timeout { .. } | Msg::NftReceive { .. } => true,
        _ => false,
    }
}

pub(crate) fn count(txs: &[TxRecord<Evm>]) -> u64 {
    txs.iter().filter(|tx| likeness(tx).is_some()).count() as u64
}

pub(crate) fn receipts(view: &RenderView<'_>, block: &CommittedBlock, record: &BlockRecord<Evm>) -> EvmReceipts {
    let receipts = placed(alike(view, block, record, receipt));
    let header = Rlp::new().bytes(block.hash.bytes()).number(u128::from(view.height)).finish();
    EvmReceipts { block_hash: keccak256(header).0, first_sequence: Some(record.first_receipt), receipts }
}

/// Numbers the receipts and their logs from 1, as a node does.
fn placed(mut receipts: Vec<EvmReceipt>) -> Vec<EvmReceipt> {
    let mut cumulative_gas = 0;
    for (index, receipt) in (1..).zip(&mut receipts) {
        cumulative_gas += receipt.gas_used;
        (receipt.index, receipt.cumulative_gas) = (index, cumulative_gas);
    }
    receipts
}

/// Returns the Ethereum transactions of a block, without results, in receipt order.
pub(crate) fn ethereum_txs(
    view: &RenderView<'_>,
    block: &CommittedBlock,
    record: &BlockRecord<Evm>,
) -> Vec<EthereumTx> {
    alike(view, block, record, |view, tx, committed, likeness| {
        let signed = match likeness {
            Likeness::Signed(message) => Some(Box::new(payload(view, tx, message))),
            Likeness::Mirrored => None,
        };
        EthereumTx { cosmos: committed.hash, signed }
    })
}

/// Maps each transaction that has a receipt, with its presentation.
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

/// Returns target, input and value of a wallet's transaction. A deployment has no target.
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
    let payload = payload(view, tx, message);
    let to = payload.to;
    let created = (is_success && to.is_none()).then(|| created(&committed.events)).flatten();
    EvmReceipt { hash: payload.hash(), kind: payload.kind, from, to, created, gas_price: gas_price(tx), ..base }
}

/// Returns the signed payload: of the posted transaction, or a simulated payload.
fn payload(view: &RenderView<'_>, tx: &TxRecord<Evm>, message: &VmMessage) -> EthereumPayload {
    if let Some(posted) = tx.posted.as_ref().and_then(|posted| posted.tx.ethereum(chain_id())) {
        return posted;
    }
    let (to, input, value) = asked(view, message);
    let mut signature = [0; 65];
    signature.iter_mut().zip(signature_bytes(view, tx)).for_each(|(to, from)| *to = from);
    EthereumPayload {
        kind: 2,
        chain_id: chain_id(),
        nonce: u64::from(tx.sequence),
        tip: TIP,
        fee_cap: GAS_PRICE,
        gas: u64::from(tx.gas_wanted),
        to,
        value: U256::from(value),
        input,
        access_list: Vec::new(),
        signature,
    }
}

pub(crate) fn chain_id() -> u64 {
    ethereum_chain_id(CATALOGUE.chain_id)
}

/// Returns the contract that a `create` event names.
fn created(events: &[TxEvent]) -> Option<[u8; 20]> {
    let event = events.iter().find(|event| event.kind == "create")?;
    bytes_of(event.text(keys::CONTRACT)?)
}

/// Returns the logs of all `evm` events, in order.
fn logs(events: &[TxEvent]) -> Vec<ReceiptLog> {
    (0..).zip(events.iter().flat_map(EventRecord::logs)).filter_map(|(index, log)| read_log(index, log)).collect()
}

fn read_log(index: u64, log: &ContractLog) -> Option<ReceiptLog> {
    let topics = log.topics.iter().map(|topic| bytes_of(topic)).collect::<Option<_>>()?;
    Some(ReceiptLog { address: bytes_of(&log.address)?, topics, data: hex::decode(&log.data).ok()?, index })
}

fn bytes_of<const N: usize>(text: &str) -> Option<[u8; N]> {
    let mut bytes = [0; N];
    hex::decode_to_slice(text, &mut bytes).ok()?;
    Some(bytes)
}
