//! Rendering of blocks from records, in the form of a node.

#![expect(clippy::similar_names, reason = "granter and grantee, sender and spender are the field's words")]

pub(crate) mod body;
pub(crate) mod bridge;
pub(crate) mod event_writer;
pub(crate) mod header;
pub(crate) mod ibc;
mod kind;
mod nft;
mod operator;
pub(crate) mod packet;
mod rights;
mod signed;
mod verdict;

use alloy_primitives::hex;
use base64::{Engine, prelude::BASE64_STANDARD};
use ed25519_dalek::SigningKey;

pub(crate) use self::signed::{hash, signature_bytes};
use self::{
    event_writer::EventWriter,
    packet::PacketView,
    signed::{SignedTxParts, fee, hash_of},
    verdict::{TxVerdict, verdict},
};
use super::{
    Flavour,
    catalogue::{FEE_TOKEN, SEQUENCERS},
    record::{BlockRecord, DepositRecord, FeePayment, Msg, NftPacket, Packet, PartyId, TokenId, TxOutcome, TxRecord},
    state::{Firsts, LedgerState},
    world::{Party, PartyRole, World},
};
use crate::{
    demo::{
        chain::{Cw20Token, EthereumTx},
        ledger::{
            BlockProposer, CommittedBlock, CommittedTx, EvmReceipts, EvmTraces, TxEvent, clock::BlockClock, derive,
            json::Json,
        },
    },
    domain::{Address, Amount, BlockHash, Coin, Denom, Height, MsgType},
    events::names::USE_FEEGRANT,
    proof::address_of,
    wire::protobuf::ProtoWriter,
};

/// Rendering of a flavour's own messages and events, in the order of real nodes.
pub(crate) trait Render: Flavour {
    /// Returns a VM message's type, such as `/minievm.evm.v1.MsgCall`.
    fn kind(message: &Self::Message) -> &'static str;

    /// Returns the signer of a VM message.
    fn sender(message: &Self::Message) -> PartyId;

    /// Writes the fields of a VM message after its type.
    fn fields(view: &RenderView<'_>, json: &mut Json, message: &Self::Message);

    /// Writes the events of a VM message after the generic one; returns its response.
    fn run(view: &RenderView<'_>, events: &mut EventWriter, message: &Self::Message) -> Vec<u8>;

    /// Whether nodes at this height repeat the fields of an event's JSON as attributes.
    fn repeats_data(_height: u64) -> bool {
        false
    }

    /// Whether an event of a VM message names its module, so that the generic event does not.
    fn names_module(_message: &Self::Message) -> bool {
        false
    }

    /// Returns code, codespace and reason of a VM failure; the caller adds the message's index.
    fn failure(view: &RenderView<'_>, tx: &TxRecord<Self>, failure: Self::VmFailure) -> (u32, &'static str, String);

    /// Writes the events of a bank transfer.
    fn bank_transfer(
        view: &RenderView<'_>,
        events: &mut EventWriter,
        token: TokenId,
        parties: [&Party; 2],
        amount: u128,
    );

    fn bank_mint(view: &RenderView<'_>, events: &mut EventWriter, token: TokenId, module: &Party, amount: u128);

    fn bank_burn(view: &RenderView<'_>, events: &mut EventWriter, token: TokenId, module: &Party, amount: u128);

    /// Writes the events of a bank transfer to several accounts; nothing if the bank lacks the message.
    fn bank_multi_send(
        _view: &RenderView<'_>,
        _writer: &mut EventWriter,
        _token: TokenId,
        _from: &Party,
        _outputs: &[(PartyId, u128)],
    ) {
    }

    /// Returns the messages of a deposit's signed transaction, each as an encoded `Any`.
    fn deposit_hook_messages(view: &RenderView<'_>, deposit: &DepositRecord) -> Vec<Vec<u8>>;

    /// Writes the events of that transaction; `used` is [`super::record::DepositHook::Run`]'s amount.
    fn deposit_hook_events(view: &RenderView<'_>, events: &mut EventWriter, deposit: &DepositRecord, used: u128);

    /// Returns the receiver field of a packet with a hook.
    fn arrival_hook_receiver(view: &RenderView<'_>, hook: u8) -> String;

    fn arrival_hook_memo(view: &RenderView<'_>, json: &mut Json, packet: &Packet, hook: u8);

    /// Returns the account that runs a packet's hook.
    fn hook_party(packet_view: &PacketView) -> Party;

    /// Writes the events of a packet's hook, after the credit to its account.
    fn arrival_hook_events(view: &RenderView<'_>, events: &mut EventWriter, packet: &Packet, hook: u8, account: &Party);

    /// Writes the events of a bridged NFT leaving its owner.
    fn nft_left(view: &RenderView<'_>, events: &mut EventWriter, packet: &NftPacket);

    /// Writes the events of a bridged NFT arriving at its owner.
    fn nft_arrived(view: &RenderView<'_>, events: &mut EventWriter, packet: &NftPacket);

    /// Writes the VM's parameters, as in an update of them.
    fn params(view: &RenderView<'_>, json: &mut Json);

    /// Returns the numbers of receipts and call frames for a block's transactions.
    fn ethereum_counts(_view: &RenderView<'_>, _txs: &[TxRecord<Self>]) -> (u64, u64) {
        (0, 0)
    }

    /// Returns the receipts of a rendered block; `None` without an Ethereum side.
    fn receipts(_view: &RenderView<'_>, _block: &CommittedBlock, _record: &BlockRecord<Self>) -> Option<EvmReceipts> {
        None
    }

    /// Returns the call frames of a block; `None` without an Ethereum side.
    fn traces(_view: &RenderView<'_>, _record: &BlockRecord<Self>) -> Option<EvmTraces> {
        None
    }

    /// Returns the Ethereum transactions of a rendered block in receipt order; `None` without an Ethereum side.
    fn ethereum_txs(
        _view: &RenderView<'_>,
        _block: &CommittedBlock,
        _record: &BlockRecord<Self>,
    ) -> Option<Vec<EthereumTx>> {
        None
    }

    /// Returns a token that a contract keeps instead of the bank.
    fn cw20(_world: &World, _state: &LedgerState<Self::Own>, _contract: &Address) -> Option<Cw20Token> {
        None
    }

    /// Returns a party's balance of such a token.
    fn cw20_balance(_world: &World, _state: &LedgerState<Self::Own>, _contract: &Address, _party: PartyId) -> u128 {
        0
    }

    /// Returns the transaction's memo: the user's, unless the wallet writes one.
    fn memo(tx: &TxRecord<Self>) -> String {
        tx.note.text().to_owned()
    }

    /// Writes the events after the messages of a successful transaction.
    fn after(_view: &RenderView<'_>, _writer: &mut EventWriter, _tx: &TxRecord<Self>) {}
}

/// Context of rendering besides the record.
#[derive(Clone, Copy)]
pub(crate) struct RenderView<'a> {
    pub(crate) world: &'a World,
    /// First transaction of each party with each token.
    pub(crate) firsts: &'a Firsts,
    pub(crate) clock: BlockClock,
    pub(crate) height: u64,
    /// Global number of the current transaction; 0 outside of any.
    pub(crate) number: u64,
}

impl<'a> RenderView<'a> {
    /// Formats `amount+denom`, as in events.
    pub(crate) fn coin(&self, token: TokenId, amount: u128) -> String {
        format!("{amount}{}", self.denom(token))
    }

    pub(crate) fn denom(&self, token: TokenId) -> &'a str {
        self.world.token(token).denom.as_str()
    }

    pub(crate) fn contract(&self, token: TokenId) -> &'a Party {
        self.world.party(self.world.token(token).contract)
    }

    pub(crate) fn party(&self, id: PartyId) -> &'a Party {
        self.world.party(id)
    }

    pub(crate) fn role(&self, role: PartyRole) -> &'a Party {
        self.world.party(self.world.role(role))
    }
}

pub(crate) fn transactions<F: Render>(view: RenderView<'_>, record: &BlockRecord<F>) -> Vec<CommittedTx> {
    let numbered = (record.first_sequence..).zip(&record.txs);
    numbered.map(|(number, tx)| transaction(RenderView { number, ..view }, tx)).collect()
}

/// Returns the block of a record with these transactions, chained to the previous hash.
pub(crate) fn block<F: Render>(
    view: RenderView<'_>,
    height: Height,
    record: &BlockRecord<F>,
    txs: Vec<CommittedTx>,
    (hash, previous_hash): (BlockHash, Option<BlockHash>),
) -> CommittedBlock {
    CommittedBlock {
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

/// Derives a sequencer's ed25519 secret key.
pub(crate) fn sequencer_key(seed: u64, sequencer: u8) -> [u8; 32] {
    let mut bytes = [0; 32];
    let filler = derive::filler("sequencer", &[seed, u64::from(sequencer)], 32);
    bytes.iter_mut().zip(filler).for_each(|(to, from)| *to = from);
    bytes
}

pub(crate) fn sequencer_public_key(seed: u64, sequencer: u8) -> [u8; 32] {
    SigningKey::from_bytes(&sequencer_key(seed, sequencer)).verifying_key().to_bytes()
}

/// Returns a sequencer's operator account, whose bytes are its consensus address.
pub(crate) fn operator_account(seed: u64, sequencer: u8) -> Address {
    Address::Short(address_of(&sequencer_public_key(seed, sequencer)))
}

fn proposer(seed: u64, sequencer: u8) -> BlockProposer {
    let moniker = SEQUENCERS.get(usize::from(sequencer)).copied().unwrap_or(SEQUENCERS[0]);
    let operator_address = operator_account(seed, sequencer).bech32_as("initvaloper");
    BlockProposer { moniker: moniker.to_owned(), operator_address }
}

fn transaction<F: Render>(view: RenderView<'_>, tx: &TxRecord<F>) -> CommittedTx {
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

/// Returns a transaction's events and its result data.
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

/// Writes the events before the messages: fee, sequence, signature.
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

/// Writes a message's events, beginning with the generic one; returns its response.
fn message<F: Render>(view: &RenderView<'_>, events: &mut EventWriter, msg: &Msg<F>) -> Vec<u8> {
    let mut attributes = vec![("action", kind::kind(msg).to_owned())];
    attributes.push(("sender", view.party(kind::sender(msg)).bech32.to_string()));
    attributes.extend(kind::module(msg).map(|module| ("module", module.to_owned())));
    events.emit("message", attributes);
    effects(view, events, msg)
}

/// Writes a message's events without the generic one; returns its response.
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

pub(crate) fn base64(bytes: impl AsRef<[u8]>) -> String {
    BASE64_STANDARD.encode(bytes)
}

pub(crate) fn lower(bytes: impl AsRef<[u8]>) -> String {
    hex::encode(bytes)
}
