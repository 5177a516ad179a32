//! Renders blocks from records, as a node serves them.

#![expect(clippy::similar_names, reason = "granter and grantee, sender and spender are the field's words")]

pub(crate) mod body;
pub(crate) mod bridge;
pub(crate) mod event_writer;
pub(crate) mod header;
pub(crate) mod ibc;
pub(crate) mod kind;
mod nft;
mod operator;
pub(crate) mod packet;
mod rights;
mod sequencer;
mod signed;
mod verdict;
mod view;

use self::{
    event_writer::EventWriter,
    sequencer::proposer,
    signed::{SignedTxParts, fee, hash_of},
    verdict::{TxVerdict, verdict},
};
pub(crate) use self::{
    sequencer::{operator_account, sequencer_key, sequencer_public_key},
    signed::{hash, signature_bytes},
    view::{BankEvents, HookEvents, NftEvents, Render, RenderView},
};
use super::{
    catalogue::FEE_TOKEN,
    record::{BlockRecord, FeePayment, Msg, TokenId, TxOutcome, TxRecord},
    world::PartyRole,
};
pub(crate) use crate::demo::ledger::json::{base64, lower};
use crate::{
    demo::ledger::{CommittedBlock, CommittedTx, TxEvent},
    domain::{Amount, BlockHash, Coin, Denom, Height, MsgType},
    events::names::USE_FEEGRANT,
    wire::protobuf::ProtoWriter,
};

pub(crate) fn transactions<F: Render>(view: RenderView<'_>, record: &BlockRecord<F>) -> Vec<CommittedTx> {
    let numbered = (record.first_sequence..).zip(&record.txs);
    numbered.map(|(number, tx)| transaction(RenderView { number, ..view }, tx)).collect()
}

/// Renders the block of a record, with these transactions and the previous block's hash.
pub(crate) fn block<F: Render>(
    view: RenderView<'_>,
    height: Height,
    record: &BlockRecord<F>,
    txs: Vec<CommittedTx>,
    (hash, previous_hash): (BlockHash, Option<BlockHash>),
) -> CommittedBlock {
    CommittedBlock {
        missing_txs: 0,
        height,
        hash,
        previous_hash,
        time: view.clock.time(view.height),
        proposer: proposer(view.clock.seed, record.sequencer),
        first_sequence: Some(record.first_sequence),
        txs,
        events: Vec::new(),
    }
}

pub(crate) fn transaction<F: Render>(view: RenderView<'_>, tx: &TxRecord<F>) -> CommittedTx {
    let fee = fee(&view, tx);
    let (body, signature, hash) = if let Some(posted) = &tx.posted {
        (posted.tx.json().to_owned(), posted.tx.signature(), posted.tx.hash())
    } else {
        let signed = SignedTxParts::of(&view, tx, fee.as_ref());
        let body = signed.json();
        let hash = hash_of(&body);
        (body, signed.signature, hash)
    };
    let TxVerdict { code, codespace, raw_log } = verdict(&view, tx);
    let (events, data) = events(view, tx, fee.as_ref(), &signature);
    CommittedTx {
        hash,
        raw: tx.posted.as_ref().map(|posted| posted.tx.raw().into()),
        code,
        codespace: codespace.into(),
        data,
        raw_log,
        info: String::new(),
        gas_wanted: u64::from(tx.gas_wanted),
        gas_used: u64::from(tx.gas_used),
        fee: fee
            .into_iter()
            .map(|(denom, amount)| Coin { denom: Denom::new(denom), amount: Amount::from(amount) })
            .collect(),
        body,
        message_types: tx.posted.as_ref().map_or_else(
            || tx.messages.iter().map(|msg| MsgType::new(kind::kind(msg))).collect(),
            |posted| posted.tx.message_types(),
        ),
        signer: Some(view.party(tx.signer).address),
        events,
    }
}

/// Returns the events of a transaction, and its result data.
fn events<F: Render>(
    view: RenderView<'_>,
    tx: &TxRecord<F>,
    fee: Option<&(String, u128)>,
    signature: &str,
) -> (Vec<TxEvent>, Vec<u8>) {
    let mut events = EventWriter::new(F::repeats_data(view.height));
    if tx.outcome.is_before_fee() {
        return (events.finish(), Vec::new());
    }
    ante(&view, &mut events, tx, fee, signature);
    if tx.outcome != TxOutcome::Success {
        return (events.finish(), Vec::new());
    }
    let mut data = ProtoWriter::new();
    for (index, msg) in tx.messages.iter().enumerate() {
        events.enter(Some(index));
        let response = message(&view, &mut events, msg);
        data = data.bytes(2, ProtoWriter::any(&format!("{}Response", kind::kind(msg)), &response));
    }
    events.enter(None);
    F::after(&view, &mut events, tx);
    (events.finish(), data.finish())
}

/// Writes the events that precede the messages: fee, sequence number, signature.
fn ante<F: Render>(
    view: &RenderView<'_>,
    events: &mut EventWriter,
    tx: &TxRecord<F>,
    fee: Option<&(String, u128)>,
    signature: &str,
) {
    let signer = view.party(tx.signer);
    let mut payer = signer;
    if let FeePayment::Granter(granter) = tx.fee {
        payer = view.party(granter);
        for kind in [USE_FEEGRANT, "update_feegrant"] {
            let (granter, grantee) = (payer.bech32.to_string(), signer.bech32.to_string());
            events.emit(kind, vec![("granter", granter), ("grantee", grantee)]);
        }
    }
    if let Some((_, amount)) = fee.filter(|(_, amount)| *amount > 0) {
        F::bank_transfer(view, events, TokenId(FEE_TOKEN), [payer, view.role(PartyRole::FeeCollector)], *amount);
    }
    let declared = fee.map_or_else(String::new, |(denom, amount)| format!("{amount}{denom}"));
    events.emit("tx", vec![("fee", declared), ("fee_payer", payer.bech32.to_string())]);
    events.emit("tx", vec![("acc_seq", format!("{}/{}", signer.bech32, tx.sequence))]);
    events.emit("tx", vec![("signature", signature.to_owned())]);
}

/// Writes a message's events, starting with the generic `message` event. Returns the message's response.
fn message<F: Render>(view: &RenderView<'_>, events: &mut EventWriter, msg: &Msg<F>) -> Vec<u8> {
    let mut attributes = vec![("action", kind::kind(msg).to_owned())];
    attributes.push(("sender", view.party(kind::sender(msg)).bech32.to_string()));
    attributes.extend(kind::module(msg).map(|module| ("module", module.to_owned())));
    events.emit("message", attributes);
    effects(view, events, msg)
}

/// Writes a message's events without the generic `message` event. Returns the message's response.
fn effects<F: Render>(view: &RenderView<'_>, events: &mut EventWriter, msg: &Msg<F>) -> Vec<u8> {
    match msg {
        Msg::Send { from, to, token, amount } => {
            F::bank_transfer(view, events, *token, [view.party(*from), view.party(*to)], *amount);
            Vec::new()
        }
        Msg::MultiSend { from, token, outputs } => {
            F::bank_multi_send(view, events, *token, view.party(*from), outputs);
            Vec::new()
        }
        Msg::Exec { inner, .. } => {
            let mut results = ProtoWriter::new();
            for (index, msg) in inner.iter().enumerate() {
                events.enter_inner(Some(index));
                results = results.bytes(1, effects(view, events, msg));
            }
            events.enter_inner(None);
            results.finish()
        }
        Msg::Grant { .. }
        | Msg::Revoke { .. }
        | Msg::AllowFees { .. }
        | Msg::RevokeFees { .. }
        | Msg::PruneAllowances { .. } => rights::rights(view, events, msg),
        Msg::Vm(message) => F::run(view, events, message),
        Msg::Deposit(deposit) => bridge::deposit::<F>(view, events, deposit),
        Msg::Withdraw { sender, to, token, amount, sequence } => {
            let sender = view.party(*sender);
            let ends = (sender, to.as_deref().unwrap_or(&sender.bech32));
            bridge::withdraw::<F>(view, events, ends, *token, *amount, *sequence)
        }
        Msg::UpdateOracle { .. } | Msg::RelayOracle { .. } | Msg::SetBridgeInfo { .. } => {
            bridge::information(view, events, msg)
        }
        Msg::Execute { act, .. } => operator::act::<F>(view, events, *act),
        _ => ibc::packet(view, events, msg),
    }
}
