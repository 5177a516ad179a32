//! Blocks as a node gives them, written out from records.

#![expect(clippy::similar_names, reason = "granter and grantee, sender and spender are the field's words")]

mod abi;
mod bank;
mod body;
mod bridge;
mod calls;
mod header;
mod ibc;
mod kind;
mod nft;
mod operator;
mod packet;
mod scribe;
mod verdict;

use alloy_primitives::hex;
use base64::{Engine, prelude::BASE64_STANDARD};
use sha2::{Digest, Sha256};

use self::{
    abi::Log,
    scribe::Scribe,
    verdict::{Verdict, verdict},
};
use super::{
    catalogue::{CHAIN_ID, FEE_TOKEN, GAS_PRICE, SEQUENCERS},
    plan::refunded_gas,
    record::{BlockRecord, Fee, Msg, Outcome, PartyId, Style, TokenId, TxRecord},
    world::{Party, Role, World},
};
use crate::{
    domain::{Address, Amount, BlockHash, Coin, Denom, Height, MsgType, TxHash},
    rollup::ledger::{CommittedBlock, CommittedTx, Event, Proposer, clock::Clock, derive, json::Json, proto::Proto},
};

/// What rendering needs to know besides a record.
#[derive(Clone, Copy)]
pub(crate) struct View<'a> {
    /// What never changes.
    pub(crate) world: &'a World,
    /// Times.
    pub(crate) clock: Clock,
    /// The block's height.
    pub(crate) height: u64,
}

impl<'a> View<'a> {
    /// `amount+denom`, as events write coins.
    pub(crate) fn coin(&self, token: TokenId, amount: u128) -> String {
        format!("{amount}{}", self.denom(token))
    }

    /// A token's denom.
    pub(crate) fn denom(&self, token: TokenId) -> &'a str {
        self.world.token(token).denom.as_str()
    }

    /// A token's contract.
    pub(crate) fn contract(&self, token: TokenId) -> &'a Party {
        self.world.party(self.world.token(token).contract)
    }

    /// A party.
    pub(crate) fn party(&self, id: PartyId) -> &'a Party {
        self.world.party(id)
    }

    /// The party with a part to play.
    pub(crate) fn role(&self, role: Role) -> &'a Party {
        self.world.party(self.world.role(role))
    }
}

/// The block of a record.
pub(crate) fn block(view: View<'_>, height: Height, record: &BlockRecord) -> CommittedBlock {
    let txs: Vec<CommittedTx> =
        (record.first_sequence..).zip(&record.txs).map(|(number, tx)| transaction(view, number, tx)).collect();
    let time = view.clock.time(view.height);
    let proposer = proposer(view.clock.seed, record.sequencer);
    let mut hasher = Sha256::new();
    hasher.update(CHAIN_ID);
    hasher.update(view.height.to_be_bytes());
    hasher.update(time.as_nanos().to_be_bytes());
    hasher.update(proposer.operator_address.as_bytes());
    hasher.update(record.digest.to_be_bytes());
    for tx in &txs {
        hasher.update(tx.hash.bytes());
    }
    let hash = BlockHash::new(hasher.finalize().into());
    CommittedBlock { height, hash, time, proposer, first_sequence: record.first_sequence, txs }
}

/// The operator account of a sequencer.
pub(crate) fn operator_account(seed: u64, sequencer: u8) -> Address {
    let mut bytes = [0; 20];
    let filler = derive::filler("sequencer", &[seed, u64::from(sequencer)], 20);
    bytes.iter_mut().zip(filler).for_each(|(to, from)| *to = from);
    Address::Short(bytes)
}

fn proposer(seed: u64, sequencer: u8) -> Proposer {
    let moniker = SEQUENCERS.get(usize::from(sequencer)).copied().unwrap_or(SEQUENCERS[0]);
    let operator_address = operator_account(seed, sequencer).bech32_as("initvaloper");
    Proposer { moniker: moniker.to_owned(), operator_address }
}

/// The declared fee; `None` is an empty list, `GAS` of zero is what relayers declare.
fn fee(view: &View<'_>, tx: &TxRecord) -> Option<(String, u128)> {
    let price = u128::from(tx.gas_wanted) * GAS_PRICE;
    let denom = view.denom(TokenId(FEE_TOKEN)).to_owned();
    match tx.fee {
        Fee::Signer | Fee::Granter(_) => Some((denom, price)),
        Fee::TooLittle => Some((denom, 1)),
        Fee::Zero => Some(("GAS".to_owned(), 0)),
        Fee::Empty => None,
    }
}

/// A transaction; `number` is its global one.
fn transaction(view: View<'_>, number: u64, tx: &TxRecord) -> CommittedTx {
    let signature = signature(&view, number, tx);
    let fee = fee(&view, tx);
    let (body, auth_info) = (body::body(&view, tx), body::auth_info(&view, tx, fee.as_ref()));
    let hash =
        Sha256::digest(Proto::new().bytes(1, &body).bytes(2, &auth_info).bytes(3, signature.as_bytes()).finish());
    let mut json = Json::new();
    json.object(|json| {
        json.value("body", &body).value("auth_info", &auth_info);
        json.key("signatures").list(|json| {
            json.string(&signature);
        });
    });
    let Verdict { code, codespace, raw_log } = verdict(&view, tx);
    let (events, data) = events(view, tx, fee.as_ref(), &signature);
    CommittedTx {
        hash: TxHash::new(hash.into()),
        code,
        codespace,
        data,
        raw_log,
        gas_wanted: u64::from(tx.gas_wanted),
        gas_used: u64::from(tx.gas_used),
        fee: fee
            .into_iter()
            .map(|(denom, amount)| Coin { denom: Denom::new(denom), amount: Amount::from(amount) })
            .collect(),
        body: json.finish(),
        message_types: tx.messages.iter().map(|msg| MsgType::new(kind::kind(msg))).collect(),
        signer: Address::Short(view.party(tx.signer).bytes),
        events,
    }
}

/// The signature in base64: bytes that the seed and the transaction's number fix. Nobody verifies them.
fn signature(view: &View<'_>, number: u64, tx: &TxRecord) -> String {
    let mut bytes = derive::filler("signature", &[view.clock.seed, number, u64::from(tx.sequence)], 64);
    if tx.style == Style::Ethereum {
        bytes.push(u8::from(number % 2 == 1));
    }
    BASE64_STANDARD.encode(bytes)
}

/// The events of a transaction and its result data.
fn events(view: View<'_>, tx: &TxRecord, fee: Option<&(String, u128)>, signature: &str) -> (Vec<Event>, Vec<u8>) {
    let mut scribe = Scribe::new(view);
    if tx.outcome.is_before_fee() {
        return (scribe.finish(), Vec::new());
    }
    ante(&view, &mut scribe, tx, fee, signature);
    if tx.outcome != Outcome::Success {
        return (scribe.finish(), Vec::new());
    }
    let mut data = Proto::new();
    for (index, msg) in tx.messages.iter().enumerate() {
        scribe.enter(Some(index));
        let response = message(&view, &mut scribe, msg);
        data = data.bytes(2, Proto::any(&format!("{}Response", kind::kind(msg)), &response));
    }
    scribe.enter(None);
    if tx.style == Style::Ethereum {
        refund(&view, &mut scribe, tx);
    }
    (scribe.finish(), data.finish())
}

/// What happens before the messages: the fee, the number, the signature.
fn ante(view: &View<'_>, scribe: &mut Scribe<'_>, tx: &TxRecord, fee: Option<&(String, u128)>, signature: &str) {
    let signer = view.party(tx.signer);
    let mut payer = signer;
    if let Fee::Granter(granter) = tx.fee {
        payer = view.party(granter);
        for kind in ["use_feegrant", "update_feegrant"] {
            let (granter, grantee) = (payer.bech32.to_string(), signer.bech32.to_string());
            scribe.emit(kind, vec![("granter", granter), ("grantee", grantee)]);
        }
    }
    if let Some((_, amount)) = fee.filter(|(_, amount)| *amount > 0) {
        scribe.bank_transfer(TokenId(FEE_TOKEN), payer, view.role(Role::FeeCollector), *amount);
    }
    let declared = fee.map_or_else(String::new, |(denom, amount)| format!("{amount}{denom}"));
    scribe.emit("tx", vec![("fee", declared), ("fee_payer", payer.bech32.to_string())]);
    scribe.emit("tx", vec![("acc_seq", format!("{}/{}", signer.bech32, tx.sequence))]);
    scribe.emit("tx", vec![("signature", signature.to_owned())]);
}

/// Gas given back after an Ethereum-signed transaction: a call of the fee token, without bank events.
fn refund(view: &View<'_>, scribe: &mut Scribe<'_>, tx: &TxRecord) {
    let gas = refunded_gas(tx.gas_wanted, tx.gas_used);
    let amount = u128::from(gas) * GAS_PRICE;
    let token = view.contract(TokenId(FEE_TOKEN));
    let coins = view.coin(TokenId(FEE_TOKEN), amount);
    scribe.emit("gas_refund", vec![("gas", gas.to_string()), ("coins", coins)]);
    scribe.call(token, &[]);
    let (from, to) = (view.role(Role::FeeCollector), view.party(tx.signer));
    scribe.logs(&[Log::transfer(token, from.word(), to.word(), amount)]);
}

/// The events of a message, beginning with its own one; gives its response.
fn message(view: &View<'_>, scribe: &mut Scribe<'_>, msg: &Msg) -> Vec<u8> {
    let mut attributes = vec![("action", kind::kind(msg).to_owned())];
    attributes.push(("sender", view.party(kind::sender(msg)).bech32.to_string()));
    attributes.extend(kind::module(msg).map(|module| ("module", module.to_owned())));
    scribe.emit("message", attributes);
    effects(view, scribe, msg)
}

/// The events of what a message does, without its own one; gives its response.
fn effects(view: &View<'_>, scribe: &mut Scribe<'_>, msg: &Msg) -> Vec<u8> {
    match msg {
        Msg::Send { from, to, token, amount } => {
            scribe.bank_transfer(*token, view.party(*from), view.party(*to), *amount);
            Vec::new()
        }
        Msg::Exec { inner, .. } => {
            let mut results = Proto::new();
            for (index, msg) in inner.iter().enumerate() {
                scribe.enter_inner(Some(index));
                results = results.bytes(1, effects(view, scribe, msg));
            }
            scribe.enter_inner(None);
            results.finish()
        }
        Msg::Grant { .. }
        | Msg::Revoke { .. }
        | Msg::AllowFees { .. }
        | Msg::RevokeFees { .. }
        | Msg::PruneAllowances { .. } => bank::rights(view, scribe, msg),
        Msg::Call { sender, call } => calls::call(view, scribe, *sender, call),
        Msg::Create { sender, nonce, salt } => calls::create(view, scribe, *sender, *nonce, *salt),
        Msg::Deposit(deposit) => bridge::deposit(view, scribe, deposit),
        Msg::Withdraw { sender, token, amount, sequence } => {
            bridge::withdraw(view, scribe, view.party(*sender), *token, *amount, *sequence)
        }
        Msg::UpdateOracle { .. } | Msg::RelayOracle { .. } | Msg::SetBridgeInfo { .. } => {
            bridge::information(view, scribe, msg)
        }
        Msg::Execute { act, .. } => operator::act(view, scribe, *act),
        _ => ibc::packet(view, scribe, msg),
    }
}

/// Bytes in base64.
fn base64(bytes: impl AsRef<[u8]>) -> String {
    BASE64_STANDARD.encode(bytes)
}

/// Bytes in lower-case hex.
fn lower(bytes: impl AsRef<[u8]>) -> String {
    hex::encode(bytes)
}
