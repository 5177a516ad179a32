//! What a flavour renders of its own, and the context of rendering.

use super::{event_writer::EventWriter, packet::PacketView};
use crate::{
    demo::{
        chain::{Cw20Token, EthereumTx},
        ledger::{
            CommittedBlock, EvmReceipts, EvmTraces,
            clock::BlockClock,
            common::{
                Flavour,
                record::{BlockRecord, DepositRecord, NftPacket, Packet, PartyId, TokenId, TxRecord},
                state::{Firsts, LedgerState},
                world::{Party, PartyRole, World},
            },
            json::Json,
        },
    },
    domain::Address,
};

/// Events of a flavour's bank.
pub(crate) trait BankEvents: Flavour {
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
}

/// Hooks of deposits and packets.
pub(crate) trait HookEvents: Flavour {
    /// Returns the messages of a deposit's signed transaction, each as an encoded `Any`.
    fn deposit_hook_messages(view: &RenderView<'_>, deposit: &DepositRecord) -> Vec<Vec<u8>>;

    /// Writes the events of that transaction; `used` is [`Run`](super::super::record::DepositHook::Run)'s amount.
    fn deposit_hook_events(view: &RenderView<'_>, events: &mut EventWriter, deposit: &DepositRecord, used: u128);

    /// Returns the receiver field of a packet with a hook.
    fn arrival_hook_receiver(view: &RenderView<'_>, hook: u8) -> String;

    fn arrival_hook_memo(view: &RenderView<'_>, json: &mut Json, packet: &Packet, hook: u8);

    /// Returns the account that runs a packet's hook.
    fn hook_party(packet_view: &PacketView) -> Party;

    /// Writes the events of a packet's hook, after the credit to its account.
    fn arrival_hook_events(view: &RenderView<'_>, events: &mut EventWriter, packet: &Packet, hook: u8, account: &Party);
}

/// Events of NFTs that a module sends and receives; none where a contract does.
pub(crate) trait NftEvents: Flavour {
    /// Writes the events of a bridged NFT leaving its owner.
    fn nft_left(_view: &RenderView<'_>, _events: &mut EventWriter, _packet: &NftPacket) {}

    /// Writes the events of a bridged NFT arriving at its owner.
    fn nft_arrived(_view: &RenderView<'_>, _events: &mut EventWriter, _packet: &NftPacket) {}
}

/// Rendering of a flavour's own messages and events, in the order of real nodes.
pub(crate) trait Render: BankEvents + HookEvents + NftEvents {
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

    /// Returns a party's balance of a CW-20 token.
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
