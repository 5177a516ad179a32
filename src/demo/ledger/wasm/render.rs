//! How the Wasm rollup's own messages and events are written out.

mod bank;
mod calls;
mod codes;
mod contract;
mod nfts;
mod requests;
mod verdict;
mod voyages;

use self::requests::{Request, request};
use super::{
    Wasm,
    catalogue::SAVED_TOKEN,
    record::{Call, Failure, Vm},
    world::{Single, single},
};
use crate::{
    demo::ledger::{
        common::{
            record::{Deposit, NftPacket, Packet, PartyId, TokenId, TxRecord},
            render::{Render, View, base64, body::coin, lower, packet::Letter, scribe::Scribe},
            state::Fate,
            world::Party,
        },
        derive,
        json::Json,
    },
    domain::{self, Address},
    wire::protobuf::ProtoWriter,
};

impl Render for Wasm {
    fn kind(message: &Vm) -> &'static str {
        match message {
            Vm::Execute { .. } => "/cosmwasm.wasm.v1.MsgExecuteContract",
            Vm::StoreCode { .. } => "/cosmwasm.wasm.v1.MsgStoreCode",
            Vm::Instantiate { contract, .. } if contract.is_salted => "/cosmwasm.wasm.v1.MsgInstantiateContract2",
            Vm::Instantiate { .. } => "/cosmwasm.wasm.v1.MsgInstantiateContract",
            Vm::Migrate { .. } => "/cosmwasm.wasm.v1.MsgMigrateContract",
            Vm::SetAdmin { admin: Some(_), .. } => "/cosmwasm.wasm.v1.MsgUpdateAdmin",
            Vm::SetAdmin { admin: None, .. } => "/cosmwasm.wasm.v1.MsgClearAdmin",
            Vm::SetLabel { .. } => "/cosmwasm.wasm.v1.MsgUpdateContractLabel",
            Vm::CreateDenom { .. } => "/miniwasm.tokenfactory.v1.MsgCreateDenom",
            Vm::Mint { .. } | Vm::MintUnknown { .. } => "/miniwasm.tokenfactory.v1.MsgMint",
            Vm::Burn { .. } => "/miniwasm.tokenfactory.v1.MsgBurn",
            Vm::ChangeAdmin { .. } => "/miniwasm.tokenfactory.v1.MsgChangeAdmin",
            Vm::SetMetadata { .. } => "/miniwasm.tokenfactory.v1.MsgSetDenomMetadata",
            Vm::SetSendHook { .. } => "/miniwasm.tokenfactory.v1.MsgSetBeforeSendHook",
            Vm::ReceiveNft { .. } => "/ibc.core.channel.v1.MsgRecvPacket",
            Vm::AnswerNft { fate: Fate::Expired, .. } => "/ibc.core.channel.v1.MsgTimeout",
            Vm::AnswerNft { .. } => "/ibc.core.channel.v1.MsgAcknowledgement",
        }
    }

    fn sender(message: &Vm) -> PartyId {
        sender(message)
    }

    fn names_module(message: &Vm) -> bool {
        matches!(message, Vm::ReceiveNft { .. } | Vm::AnswerNft { .. })
    }

    fn fields(view: &View<'_>, json: &mut Json, message: &Vm) {
        match message {
            Vm::Execute { sender, call } => execute_fields(view, json, *sender, call),
            Vm::ReceiveNft { signer, voyage } => voyages::fields(view, json, *signer, voyage, None),
            Vm::AnswerNft { signer, voyage, fate } => voyages::fields(view, json, *signer, voyage, Some(*fate)),
            _ => codes::fields(view, json, message),
        }
    }

    fn run(view: &View<'_>, scribe: &mut Scribe, message: &Vm) -> Vec<u8> {
        match message {
            Vm::Execute { sender, call } => calls::events(view, scribe, *sender, call),
            Vm::ReceiveNft { voyage, .. } => {
                voyages::received(view, scribe, voyage);
                return ProtoWriter::new().uint(1, DONE).finish();
            }
            Vm::AnswerNft { voyage, fate, .. } => {
                voyages::answered(view, scribe, voyage, *fate);
                return ProtoWriter::new().uint(1, DONE).finish();
            }
            _ => return codes::events(view, scribe, message),
        }
        Vec::new()
    }

    fn failure(view: &View<'_>, tx: &TxRecord<Self>, failure: Failure) -> (u32, &'static str, String) {
        verdict::verdict(view, tx, failure)
    }

    fn bank_transfer(view: &View<'_>, scribe: &mut Scribe, token: TokenId, parties: [&Party; 2], amount: u128) {
        bank::transfer(view, scribe, token, parties, amount);
    }

    fn bank_mint(view: &View<'_>, scribe: &mut Scribe, token: TokenId, module: &Party, amount: u128) {
        bank::mint(view, scribe, token, module, amount);
    }

    fn bank_burn(view: &View<'_>, scribe: &mut Scribe, token: TokenId, module: &Party, amount: u128) {
        bank::burn(view, scribe, token, module, amount);
    }

    fn bank_multi_send(
        view: &View<'_>,
        scribe: &mut Scribe,
        token: TokenId,
        from: &Party,
        outputs: &[(PartyId, u128)],
    ) {
        bank::multi_send(view, scribe, token, from, outputs);
    }

    /// One call of the savings contract with all that arrives.
    fn deposit_hook_messages(view: &View<'_>, deposit: &Deposit) -> Vec<Vec<u8>> {
        let Request { contract, message, .. } = request(view, &Call::Save { amount: deposit.amount });
        let coin = ProtoWriter::new().bytes(1, view.denom(SAVED_TOKEN)).bytes(2, deposit.amount.to_string()).finish();
        let call = ProtoWriter::new().bytes(1, view.party(deposit.to).bech32.as_bytes());
        let call = call.bytes(2, contract.bech32.as_bytes()).bytes(3, message).bytes(5, coin);
        vec![ProtoWriter::any("/cosmwasm.wasm.v1.MsgExecuteContract", &call.finish())]
    }

    fn deposit_hook_events(view: &View<'_>, scribe: &mut Scribe, deposit: &Deposit, used: u128) {
        calls::save(view, scribe, view.party(deposit.to), used);
    }

    fn arrival_hook_receiver(view: &View<'_>, _: u8) -> String {
        view.party(single(view.world, Single::Postbox)).bech32.to_string()
    }

    fn arrival_hook_memo(view: &View<'_>, json: &mut Json, packet: &Packet, _: u8) {
        let Packet { token, local: to, amount, .. } = *packet;
        let Request { contract, message, .. } = request(view, &Call::HandOn { token, to, amount });
        json.key("wasm").object(|json| {
            json.key("message").object(|json| {
                json.field("contract", &contract.bech32).value("msg", message);
                json.key("funds").list(|json| coin(view, json, token, amount));
            });
        });
    }

    fn hook_party(letter: &Letter) -> Party {
        let account = derive::hook_account(domain::Vm::Wasm, letter.channel.id, &letter.sender);
        Party::new(Address::Long(account))
    }

    fn arrival_hook_events(view: &View<'_>, scribe: &mut Scribe, packet: &Packet, _: u8, account: &Party) {
        calls::hand_on(view, scribe, packet.token, [account, view.party(packet.local)], packet.amount);
    }

    /// NFTs leave by calls of their contract here, never by a module's message.
    fn nft_left(_: &View<'_>, _: &mut Scribe, _: &NftPacket) {}

    /// NFTs arrive at the ICS-721 contract here, never at a module.
    fn nft_arrived(_: &View<'_>, _: &mut Scribe, _: &NftPacket) {}

    fn params(_: &View<'_>, json: &mut Json) {
        json.key("code_upload_access").object(|json| {
            json.field("permission", "ACCESS_TYPE_EVERYBODY").value("addresses", "[]");
        });
        json.field("instantiate_default_permission", "ACCESS_TYPE_EVERYBODY");
    }
}

/// Done, in a relayer's response.
const DONE: u64 = 2;

/// Whose signature a message needs.
fn sender(message: &Vm) -> PartyId {
    match *message {
        Vm::Execute { sender, .. }
        | Vm::StoreCode { sender, .. }
        | Vm::Migrate { sender, .. }
        | Vm::SetAdmin { sender, .. }
        | Vm::SetLabel { sender, .. }
        | Vm::CreateDenom { sender, .. }
        | Vm::Mint { sender, .. }
        | Vm::MintUnknown { sender, .. }
        | Vm::Burn { sender, .. }
        | Vm::ChangeAdmin { sender, .. }
        | Vm::SetMetadata { sender, .. }
        | Vm::SetSendHook { sender, .. }
        | Vm::ReceiveNft { signer: sender, .. }
        | Vm::AnswerNft { signer: sender, .. } => sender,
        Vm::Instantiate { contract, .. } => contract.maker,
    }
}

fn execute_fields(view: &View<'_>, json: &mut Json, sender: PartyId, call: &Call) {
    let Request { contract, message, funds } = request(view, call);
    json.field("sender", &view.party(sender).bech32).field("contract", &contract.bech32).value("msg", message);
    json.key("funds").list(|json| {
        if let Some((token, amount)) = funds {
            coin(view, json, token, amount);
        }
    });
}
