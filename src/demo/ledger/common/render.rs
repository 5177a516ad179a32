//! Blocks as a node gives them, written out from records.

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
use sha2::{Digest, Sha256};

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
    demo::chain::{Cw20Token, EthereumTx},
    demo::ledger::{
        BlockProposer, CommittedBlock, CommittedTx, EvmReceipts, EvmTraces, TxEvent, clock::BlockClock, derive,
        json::Json,
    },
    domain::{Address, Amount, BlockHash, Coin, Denom, Height, MsgType},
    wire::protobuf::ProtoWriter,
};

/// How a flavour writes out what only it does. Events are written in the order of real nodes.
pub(crate) trait Render: Flavour {
    /// The type of a message to the virtual machine, `/minievm.evm.v1.MsgCall` and the like.
    fn kind(message: &Self::Message) -> &'static str;

    /// Whose signature a message to the virtual machine needs.
    fn sender(message: &Self::Message) -> PartyId;

    /// The fields of a message to the virtual machine, after its type.
    fn fields(view: &RenderView<'_>, json: &mut Json, message: &Self::Message);

    /// The events of a message to the virtual machine, after its own one; gives its response.
    fn run(view: &RenderView<'_>, events: &mut EventWriter, message: &Self::Message) -> Vec<u8>;

    /// Whether nodes of this height repeat the fields of an event's JSON as attributes.
    fn repeats_data(_height: u64) -> bool {
        false
    }

    /// Whether an event of a message to the virtual machine names a module, so that the message's own event does not.
    fn names_module(_message: &Self::Message) -> bool {
        false
    }

    /// Code, codespace and reason of a failure of the virtual machine; the message's place is put before.
    fn failure(view: &RenderView<'_>, tx: &TxRecord<Self>, failure: Self::VmFailure) -> (u32, &'static str, String);

    /// The events of a movement by the bank, from the first party to the second.
    fn bank_transfer(
        view: &RenderView<'_>,
        events: &mut EventWriter,
        token: TokenId,
        parties: [&Party; 2],
        amount: u128,
    );

    /// The events of tokens made by a module.
    fn bank_mint(view: &RenderView<'_>, events: &mut EventWriter, token: TokenId, module: &Party, amount: u128);

    /// The events of tokens unmade by a module.
    fn bank_burn(view: &RenderView<'_>, events: &mut EventWriter, token: TokenId, module: &Party, amount: u128);

    /// The events of a bank send to several accounts; nothing where the bank has no such message.
    fn bank_multi_send(
        _view: &RenderView<'_>,
        _writer: &mut EventWriter,
        _token: TokenId,
        _from: &Party,
        _outputs: &[(PartyId, u128)],
    ) {
    }

    /// The messages of the signed transaction that comes with a deposit, each an encoded `Any`.
    fn deposit_hook_messages(view: &RenderView<'_>, deposit: &DepositRecord) -> Vec<Vec<u8>>;

    /// The events of that transaction; `used` is [`super::record::DepositHook::Run`]'s amount.
    fn deposit_hook_events(view: &RenderView<'_>, events: &mut EventWriter, deposit: &DepositRecord, used: u128);

    /// Who a packet with a hook is for, as its receiver field has it.
    fn arrival_hook_receiver(view: &RenderView<'_>, hook: u8) -> String;

    /// The fields of the memo of a packet with a hook.
    fn arrival_hook_memo(view: &RenderView<'_>, json: &mut Json, packet: &Packet, hook: u8);

    /// The account that runs a packet's hook.
    fn hook_party(packet_view: &PacketView) -> Party;

    /// The events of a packet's hook, after the tokens came to its account.
    fn arrival_hook_events(view: &RenderView<'_>, events: &mut EventWriter, packet: &Packet, hook: u8, account: &Party);

    /// The events of an NFT of the bridged class that is taken off its owner to leave.
    fn nft_left(view: &RenderView<'_>, events: &mut EventWriter, packet: &NftPacket);

    /// The events of an NFT of the bridged class that comes to its owner.
    fn nft_arrived(view: &RenderView<'_>, events: &mut EventWriter, packet: &NftPacket);

    /// The virtual machine's parameters, as an update of them has them.
    fn params(view: &RenderView<'_>, json: &mut Json);

    /// How many receipts and how many call frames the node makes of a block's transactions.
    fn ethereum_counts(_view: &RenderView<'_>, _txs: &[TxRecord<Self>]) -> (u64, u64) {
        (0, 0)
    }

    /// The receipts of a block that was written out from this record; `None` where there is no Ethereum side.
    fn receipts(_view: &RenderView<'_>, _block: &CommittedBlock, _record: &BlockRecord<Self>) -> Option<EvmReceipts> {
        None
    }

    /// The call frames of a block; `None` where there is no Ethereum side.
    fn traces(_view: &RenderView<'_>, _record: &BlockRecord<Self>) -> Option<EvmTraces> {
        None
    }

    /// The Ethereum transactions of a block that was written out from this record, in the order of its receipts; `None`
    /// where there is no Ethereum side.
    fn ethereum_txs(
        _view: &RenderView<'_>,
        _block: &CommittedBlock,
        _record: &BlockRecord<Self>,
    ) -> Option<Vec<EthereumTx>> {
        None
    }

    /// A token that a contract keeps instead of the bank.
    fn cw20(_world: &World, _state: &LedgerState<Self::Own>, _contract: &Address) -> Option<Cw20Token> {
        None
    }

    /// What a party holds of such a token.
    fn cw20_balance(_world: &World, _state: &LedgerState<Self::Own>, _contract: &Address, _party: PartyId) -> u128 {
        0
    }

    /// The transaction's memo: what a person wrote, where wallets write none.
    fn memo(tx: &TxRecord<Self>) -> String {
        tx.note.text().to_owned()
    }

    /// The events after the messages of a transaction that succeeded.
    fn after(_view: &RenderView<'_>, _writer: &mut EventWriter, _tx: &TxRecord<Self>) {}
}

/// What rendering needs to know besides a record.
#[derive(Clone, Copy)]
pub(crate) struct RenderView<'a> {
    pub(crate) world: &'a World,
    /// When each party first got each token.
    pub(crate) firsts: &'a Firsts,
    /// Times.
    pub(crate) clock: BlockClock,
    pub(crate) height: u64,
    /// The global number of the transaction being written; 0 outside of any.
    pub(crate) number: u64,
}

impl<'a> RenderView<'a> {
    /// `amount+denom`, as events write coins.
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

    /// The party with a part to play.
    pub(crate) fn role(&self, role: PartyRole) -> &'a Party {
        self.world.party(self.world.role(role))
    }
}

/// The block of a record.
pub(crate) fn block<F: Render>(view: RenderView<'_>, height: Height, record: &BlockRecord<F>) -> CommittedBlock {
    let txs: Vec<CommittedTx> = (record.first_sequence..)
        .zip(&record.txs)
        .map(|(number, tx)| transaction(RenderView { number, ..view }, tx))
        .collect();
    let time = view.clock.time(view.height);
    let proposer = proposer(view.clock.seed, record.sequencer);
    let mut hasher = Sha256::new();
    hasher.update(view.world.catalogue.chain_id);
    hasher.update(view.height.to_be_bytes());
    hasher.update(time.as_nanos().to_be_bytes());
    hasher.update(proposer.operator_address.as_bytes());
    hasher.update(record.digest.to_be_bytes());
    for tx in &txs {
        hasher.update(tx.hash.bytes());
    }
    let hash = BlockHash::new(hasher.finalize().into());
    CommittedBlock {
        height,
        hash,
        previous_hash: None,
        time,
        proposer,
        first_sequence: Some(record.first_sequence),
        txs,
        events: Vec::new(),
    }
}

/// The operator account of a sequencer.
pub(crate) fn operator_account(seed: u64, sequencer: u8) -> Address {
    let mut bytes = [0; 20];
    let filler = derive::filler("sequencer", &[seed, u64::from(sequencer)], 20);
    bytes.iter_mut().zip(filler).for_each(|(to, from)| *to = from);
    Address::Short(bytes)
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

/// The events of a transaction and its result data.
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

/// What happens before the messages: the fee, the number, the signature.
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
        for kind in ["use_feegrant", "update_feegrant"] {
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

/// The events of a message, beginning with its own one; gives its response.
fn message<F: Render>(view: &RenderView<'_>, events: &mut EventWriter, msg: &Msg<F>) -> Vec<u8> {
    let mut attributes = vec![("action", kind::kind(msg).to_owned())];
    attributes.push(("sender", view.party(kind::sender(msg)).bech32.to_string()));
    attributes.extend(kind::module(msg).map(|module| ("module", module.to_owned())));
    events.emit("message", attributes);
    effects(view, events, msg)
}

/// The events of what a message does, without its own one; gives its response.
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

/// Bytes in base64.
pub(crate) fn base64(bytes: impl AsRef<[u8]>) -> String {
    BASE64_STANDARD.encode(bytes)
}

/// Bytes in lower-case hex.
pub(crate) fn lower(bytes: impl AsRef<[u8]>) -> String {
    hex::encode(bytes)
}
