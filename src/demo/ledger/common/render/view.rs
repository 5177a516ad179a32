//! Trait with which a flavour renders its VM, and the context of rendering.

use super::{event_writer::EventWriter, packet::PacketView};
use crate::{
    demo::{
        chain::{EthereumTx, UnlistedToken, WasmContract},
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

pub(crate) trait BankEvents: Flavour {
    fn bank_transfer(
        view: &RenderView<'_>,
        events: &mut EventWriter,
        token: TokenId,
        parties: [&Party; 2],
        amount: u128,
    );

    fn bank_mint(view: &RenderView<'_>, events: &mut EventWriter, token: TokenId, module: &Party, amount: u128);

    fn bank_burn(view: &RenderView<'_>, events: &mut EventWriter, token: TokenId, module: &Party, amount: u128);

    /// Writes the events of a bank transfer to several accounts; none if the bank does not support the message.
    fn bank_multi_send(
        _view: &RenderView<'_>,
        _writer: &mut EventWriter,
        _token: TokenId,
        _from: &Party,
        _outputs: &[(PartyId, u128)],
    ) {
    }
}

/// Renders hooks of deposits and packets.
pub(crate) trait HookEvents: Flavour {
    /// Returns the messages of a deposit's hook transaction, each encoded as an `Any`.
    fn deposit_hook_messages(view: &RenderView<'_>, deposit: &DepositRecord) -> Vec<Vec<u8>>;

    /// Writes the events of a deposit's hook transaction; `used` is the amount in
    /// [`Run`](super::super::record::DepositHook::Run).
    fn deposit_hook_events(view: &RenderView<'_>, events: &mut EventWriter, deposit: &DepositRecord, used: u128);

    /// Returns the receiver that a packet with this hook names.
    fn arrival_hook_receiver(view: &RenderView<'_>, hook: u8) -> String;

    fn arrival_hook_memo(view: &RenderView<'_>, json: &mut Json, packet: &Packet, hook: u8);

    fn hook_party(packet_view: &PacketView) -> Party;

    /// Writes the events of a packet's hook, after the credit to the hook's account.
    fn arrival_hook_events(view: &RenderView<'_>, events: &mut EventWriter, packet: &Packet, hook: u8, account: &Party);
}

/// Renders events of NFTs that a module sends and receives. On Wasm there are none, since a contract does both.
pub(crate) trait NftEvents: Flavour {
    /// Writes the events with which a bridged NFT leaves its owner.
    fn nft_left(_view: &RenderView<'_>, _events: &mut EventWriter, _packet: &NftPacket) {}

    /// Writes the events with which a bridged NFT reaches its owner.
    fn nft_arrived(_view: &RenderView<'_>, _events: &mut EventWriter, _packet: &NftPacket) {}
}

/// Renders a flavour's messages and events, in the order of real nodes.
pub(crate) trait Render: BankEvents + HookEvents + NftEvents {
    /// Returns a VM message's type, such as `/minievm.evm.v1.MsgCall`.
    fn kind(message: &Self::Message) -> &'static str;

    fn sender(message: &Self::Message) -> PartyId;

    /// Writes the fields of a VM message after its type.
    fn fields(view: &RenderView<'_>, json: &mut Json, message: &Self::Message);

    /// Writes the events of a VM message, after the generic event. Returns its response.
    fn run(view: &RenderView<'_>, events: &mut EventWriter, message: &Self::Message) -> Vec<u8>;

    /// Whether nodes at this height repeat an event's JSON fields as attributes.
    fn repeats_data(_height: u64) -> bool {
        false
    }

    /// Whether an event of the message names the module. Then the generic event does not.
    fn names_module(_message: &Self::Message) -> bool {
        false
    }

    /// Returns code, codespace and reason of a VM failure. The caller adds the message's index.
    fn failure(view: &RenderView<'_>, tx: &TxRecord<Self>, failure: Self::VmFailure) -> (u32, &'static str, String);

    /// Writes the VM's parameters, as a parameter update contains them.
    fn params(view: &RenderView<'_>, json: &mut Json);

    /// Returns how many receipts and call frames a block's transactions have.
    fn ethereum_counts(_view: &RenderView<'_>, _txs: &[TxRecord<Self>]) -> (u64, u64) {
        (0, 0)
    }

    /// Returns the receipts of a rendered block; `None` if the VM is not the EVM.
    fn receipts(_view: &RenderView<'_>, _block: &CommittedBlock, _record: &BlockRecord<Self>) -> Option<EvmReceipts> {
        None
    }

    /// Returns the call frames of a block; `None` if the VM is not the EVM.
    fn traces(_view: &RenderView<'_>, _record: &BlockRecord<Self>) -> Option<EvmTraces> {
        None
    }

    /// Returns the Ethereum transactions of a rendered block, in receipt order; `None` if the VM is not the EVM.
    fn ethereum_txs(
        _view: &RenderView<'_>,
        _block: &CommittedBlock,
        _record: &BlockRecord<Self>,
    ) -> Option<Vec<EthereumTx>> {
        None
    }

    /// Returns a token whose balances are in a contract instead of the bank.
    fn unlisted_token(_world: &World, _state: &LedgerState<Self::Own>, _contract: &Address) -> Option<UnlistedToken> {
        None
    }

    /// Returns a contract of the Wasm module that is no collection.
    fn wasm_contract(_: &World, _: &LedgerState<Self::Own>, _contract: &Address) -> Option<WasmContract> {
        None
    }

    /// Returns a party's balance of a token that the bank does not list.
    fn unlisted_balance(_world: &World, _state: &LedgerState<Self::Own>, _contract: &Address, _party: PartyId) -> u128 {
        0
    }

    /// Returns the transaction's memo, which the user or the wallet wrote.
    fn memo(tx: &TxRecord<Self>) -> String {
        tx.note.text().to_owned()
    }

    /// Writes the events that follow the messages of a successful transaction.
    fn after(_view: &RenderView<'_>, _writer: &mut EventWriter, _tx: &TxRecord<Self>) {}
}

/// Context for rendering a record.
#[derive(Clone, Copy)]
pub(crate) struct RenderView<'a> {
    pub(crate) world: &'a World,
    /// When each party first had each token.
    pub(crate) firsts: &'a Firsts,
    pub(crate) clock: BlockClock,
    pub(crate) height: u64,
    /// Global number of the current transaction; 0 outside a transaction.
    pub(crate) number: u64,
}

impl<'a> RenderView<'a> {
    /// Formats a coin as in events, `amount` and denom without a space.
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
