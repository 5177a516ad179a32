//! Renders messages and events of the Wasm modules.

pub(super) mod bank;
mod verdict;

use super::{
    Wasm, calls,
    catalogue::{CW20S, SAVED_TOKEN, TOKEN_CODE},
    codes::{self, MessagePlan},
    packets,
    record::{ContractCall, CreatedContract, Cw20, VmFailure, VmMessage},
    state::LedgerState,
    steps::{ActionSteps, write_fields},
    world::{SingleContract, cw20, single_contract},
};
use crate::demo::ledger::PacketOutcome;
use crate::{
    demo::chain::{UnlistedToken, WasmContract},
    demo::ledger::{
        common::{
            record::{DepositRecord, Packet, PartyId, TxRecord},
            render::{
                BankEvents, HookEvents, NftEvents, Render, RenderView, body::coin, event_writer::EventWriter,
                packet::PacketView,
            },
            world::{Party, World},
        },
        derive,
        json::Json,
    },
    domain::{self, Address, Amount, Height},
    wire::protobuf::ProtoWriter,
};

/// Names and symbols of the CW-20 tokens, in the order of the catalogue.
const CW20_NAMES: [(&str, &str); CW20S.len()] =
    [("Coral", "CORAL"), ("Driftwood", "DRIFT"), ("Anchorage", "ANCH"), ("Buoy", "BUOY")];

/// Returns the CW-20 token whose contract has this address.
fn cw20_at(world: &World, contract: &Address) -> Option<Cw20> {
    let tokens = (0..).zip(CW20S).map(|(place, _)| Cw20(place));
    tokens.into_iter().find(|token| world.party(cw20(world, *token)).address == *contract)
}

/// Returns the user's CW-20 contract with this address.
fn made_token(state: &LedgerState, contract: &Address) -> Option<CreatedContract> {
    state.own.contract_at(contract).filter(|contract| contract.code == TOKEN_CODE).map(|contract| contract.made)
}

impl Render for Wasm {
    fn kind(message: &VmMessage) -> &'static str {
        match message {
            VmMessage::Execute { .. } => "/cosmwasm.wasm.v1.MsgExecuteContract",
            VmMessage::StoreCode { .. } => "/cosmwasm.wasm.v1.MsgStoreCode",
            VmMessage::Instantiate { contract, .. } if contract.is_salted => {
                "/cosmwasm.wasm.v1.MsgInstantiateContract2"
            }
            VmMessage::Instantiate { .. } => "/cosmwasm.wasm.v1.MsgInstantiateContract",
            VmMessage::Migrate { .. } => "/cosmwasm.wasm.v1.MsgMigrateContract",
            VmMessage::SetAdmin { admin: Some(_), .. } => "/cosmwasm.wasm.v1.MsgUpdateAdmin",
            VmMessage::SetAdmin { admin: None, .. } => "/cosmwasm.wasm.v1.MsgClearAdmin",
            VmMessage::SetLabel { .. } => "/cosmwasm.wasm.v1.MsgUpdateContractLabel",
            VmMessage::CreateDenom { .. } => "/miniwasm.tokenfactory.v1.MsgCreateDenom",
            VmMessage::Mint { .. } | VmMessage::MintUnknown { .. } => "/miniwasm.tokenfactory.v1.MsgMint",
            VmMessage::Burn { .. } => "/miniwasm.tokenfactory.v1.MsgBurn",
            VmMessage::ChangeAdmin { .. } => "/miniwasm.tokenfactory.v1.MsgChangeAdmin",
            VmMessage::SetMetadata { .. } => "/miniwasm.tokenfactory.v1.MsgSetDenomMetadata",
            VmMessage::SetSendHook { .. } => "/miniwasm.tokenfactory.v1.MsgSetBeforeSendHook",
            VmMessage::ReceiveNft { .. } => "/ibc.core.channel.v1.MsgRecvPacket",
            VmMessage::AnswerNft { packet_outcome: PacketOutcome::Expired, .. } => "/ibc.core.channel.v1.MsgTimeout",
            VmMessage::AnswerNft { .. } => "/ibc.core.channel.v1.MsgAcknowledgement",
        }
    }

    fn sender(message: &VmMessage) -> PartyId {
        match *message {
            VmMessage::Execute { sender, .. }
            | VmMessage::StoreCode { sender, .. }
            | VmMessage::Migrate { sender, .. }
            | VmMessage::SetAdmin { sender, .. }
            | VmMessage::SetLabel { sender, .. }
            | VmMessage::CreateDenom { sender, .. }
            | VmMessage::Mint { sender, .. }
            | VmMessage::MintUnknown { sender, .. }
            | VmMessage::Burn { sender, .. }
            | VmMessage::ChangeAdmin { sender, .. }
            | VmMessage::SetMetadata { sender, .. }
            | VmMessage::SetSendHook { sender, .. }
            | VmMessage::ReceiveNft { signer: sender, .. }
            | VmMessage::AnswerNft { signer: sender, .. } => sender,
            VmMessage::Instantiate { contract, .. } => contract.maker,
        }
    }

    fn names_module(message: &VmMessage) -> bool {
        matches!(message, VmMessage::ReceiveNft { .. } | VmMessage::AnswerNft { .. })
    }

    fn fields(view: &RenderView<'_>, json: &mut Json, message: &VmMessage) {
        match message {
            VmMessage::Execute { sender, call } => execute_fields(view, json, *sender, call),
            VmMessage::ReceiveNft { signer, nft_transfer } => {
                packets::fields(view, json, *signer, nft_transfer, None);
            }
            VmMessage::AnswerNft { signer, nft_transfer, packet_outcome } => {
                packets::fields(view, json, *signer, nft_transfer, Some(*packet_outcome));
            }
            _ => write_fields(view, json, &codes::message(view.world, message).fields),
        }
    }

    fn run(view: &RenderView<'_>, events: &mut EventWriter, message: &VmMessage) -> Vec<u8> {
        let MessagePlan { steps, response, .. } = codes::message(view.world, message);
        steps.render(view, events);
        response
    }

    fn failure(view: &RenderView<'_>, tx: &TxRecord<Self>, failure: VmFailure) -> (u32, &'static str, String) {
        verdict::verdict(view, tx, failure)
    }

    fn params(_: &RenderView<'_>, json: &mut Json) {
        json.key("code_upload_access").object(|json| {
            json.field("permission", "Everybody").value("addresses", "[]");
        });
        json.field("instantiate_default_permission", "Everybody");
    }

    fn unlisted_token(world: &World, state: &LedgerState, contract: &Address) -> Option<UnlistedToken> {
        if let Some(made) = made_token(state, contract) {
            let (name, symbol, decimals) = codes::MADE_TOKEN;
            let supply = codes::initial_balances(world, made).iter().map(|(_, amount)| amount).sum::<u128>();
            return Some(UnlistedToken { name, symbol, decimals, supply: Amount::from(supply) });
        }
        let token = cw20_at(world, contract)?;
        let place = usize::from(token.0);
        let ((name, symbol), decimals) = CW20_NAMES.get(place).zip(CW20S.get(place))?;
        Some(UnlistedToken { name, symbol, decimals: *decimals, supply: Amount::from(state.own.supply(token)) })
    }

    fn wasm_contract(world: &World, state: &LedgerState, contract: &Address) -> Option<WasmContract> {
        let account = |party: PartyId| world.party(party).address;
        if let Some(contract) = state.own.contract_at(contract) {
            return Some(WasmContract {
                code: contract.code,
                creator: Some(account(contract.made.maker)),
                admin: contract.admin.map(account),
                label: codes::label(contract.made, contract.is_renamed),
                created: Height::new(contract.created)?,
            });
        }
        let label = Self::unlisted_token(world, state, contract)?.name.to_owned();
        Some(WasmContract { code: TOKEN_CODE, creator: None, admin: None, label, created: Height::FIRST })
    }

    fn unlisted_balance(world: &World, state: &LedgerState, contract: &Address, party: PartyId) -> u128 {
        if let Some(made) = made_token(state, contract) {
            let holders = codes::initial_balances(world, made).into_iter();
            return holders.filter(|(holder, _)| *holder == party).map(|(_, amount)| amount).sum();
        }
        cw20_at(world, contract).map_or(0, |token| state.own.balance(token, party))
    }
}

impl HookEvents for Wasm {
    /// Returns one message: a call of the savings contract with the whole deposit.
    fn deposit_hook_messages(view: &RenderView<'_>, deposit: &DepositRecord) -> Vec<Vec<u8>> {
        let plan = calls::call(view.world, deposit.to, &ContractCall::Save { amount: deposit.amount });
        let coin = ProtoWriter::new().bytes(1, view.denom(SAVED_TOKEN)).bytes(2, deposit.amount.to_string()).finish();
        let call = ProtoWriter::new().bytes(1, view.party(deposit.to).bech32.as_bytes());
        let call =
            call.bytes(2, view.party(plan.contract).bech32.as_bytes()).bytes(3, plan.message(view)).bytes(5, coin);
        vec![ProtoWriter::any("/cosmwasm.wasm.v1.MsgExecuteContract", &call.finish())]
    }

    fn deposit_hook_events(view: &RenderView<'_>, events: &mut EventWriter, deposit: &DepositRecord, used: u128) {
        calls::call(view.world, deposit.to, &ContractCall::Save { amount: used }).steps.render(view, events);
    }

    fn arrival_hook_receiver(view: &RenderView<'_>, _: u8) -> String {
        view.party(single_contract(view.world, SingleContract::Postbox)).bech32.to_string()
    }

    fn arrival_hook_memo(view: &RenderView<'_>, json: &mut Json, packet: &Packet, _: u8) {
        let Packet { token, local: to, amount, .. } = *packet;
        let plan = calls::call(view.world, to, &ContractCall::HandOn { token, to, amount });
        json.key("wasm").object(|json| {
            json.key("message").object(|json| {
                json.field("contract", &view.party(plan.contract).bech32).value("msg", plan.message(view));
                json.key("funds").list(|json| coin(view, json, token, amount));
            });
        });
    }

    fn hook_party(packet_view: &PacketView) -> Party {
        let account = derive::hook_account(domain::Vm::Wasm, packet_view.channel.id, &packet_view.sender);
        Party::new(Address::Long(account))
    }

    fn arrival_hook_events(view: &RenderView<'_>, events: &mut EventWriter, packet: &Packet, _: u8, account: &Party) {
        let Packet { token, local, amount, .. } = *packet;
        let postbox = view.party(single_contract(view.world, SingleContract::Postbox));
        Self::bank_transfer(view, events, token, [account, postbox], amount);
        let mut steps = ActionSteps::new(view.world);
        calls::hand_on(&mut steps, token, local, amount);
        steps.render(view, events);
    }
}

/// On Wasm, contract calls move NFTs; no module does.
impl NftEvents for Wasm {}

fn execute_fields(view: &RenderView<'_>, json: &mut Json, sender: PartyId, call: &ContractCall) {
    let plan = calls::call(view.world, sender, call);
    json.field("sender", &view.party(sender).bech32).field("contract", &view.party(plan.contract).bech32);
    json.value("msg", plan.message(view));
    json.key("funds").list(|json| {
        if let Some((token, amount)) = plan.steps.funds() {
            coin(view, json, token, amount);
        }
    });
}
