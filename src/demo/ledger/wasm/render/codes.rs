//! Fields and events of codes, users' contracts, and the token factory.

use super::{bank, base64, lower};
use crate::{
    demo::ledger::{
        common::{
            record::{PartyId, TokenId},
            render::{RenderView, body::coin, event_writer::EventWriter},
        },
        json::Json,
        wasm::{
            address::{checksum, wasm_code},
            catalogue::{COUNTER_CODE, TOKENS},
            record::{CreatedContract, VmMessage},
            world::{self, Account, SingleContract, made_address},
        },
    },
    events::names::{
        CHANGE_ADMIN, CREATE_DENOM, SET_BEFORE_SEND_HOOK, SET_DENOM_METADATA, STORE_CODE, TF_BURN, TF_MINT,
        UPDATE_CONTRACT_ADMIN, UPDATE_CONTRACT_LABEL,
    },
    wire::protobuf::ProtoWriter,
};

fn label(made: CreatedContract) -> String {
    format!("counter {}", made.instance)
}

fn subdenom(number: u32) -> String {
    format!("shell{number}")
}

/// Returns the full denom as the factory writes it: `factory/MAKER/SUBDENOM`.
pub(super) fn made_denom(view: &RenderView<'_>, maker: PartyId, number: u32) -> String {
    format!("factory/{}/{}", view.party(maker).bech32, subdenom(number))
}

/// Writes the fields of a message about a code, a contract or a denom.
pub(super) fn fields(view: &RenderView<'_>, json: &mut Json, message: &VmMessage) {
    json.field("sender", &view.party(super::sender(message)).bech32);
    match *message {
        VmMessage::StoreCode { code, .. } => {
            json.field("wasm_byte_code", &base64(wasm_code(code))).value("instantiate_permission", "null");
        }
        VmMessage::Instantiate { contract, is_mistyped } => instantiate_fields(view, json, contract, is_mistyped),
        VmMessage::Migrate { contract, code, .. } => {
            json.field("contract", &made_address(view.world, contract).bech32()).number("code_id", code);
            json.value("msg", "{}");
        }
        VmMessage::SetAdmin { contract, admin, .. } => {
            if let Some(admin) = admin {
                json.field("new_admin", &view.party(admin).bech32);
            }
            json.field("contract", &made_address(view.world, contract).bech32());
        }
        VmMessage::SetLabel { contract, .. } => {
            json.field("new_label", &format!("{}, renamed", label(contract)));
            json.field("contract", &made_address(view.world, contract).bech32());
        }
        _ => factory_fields(view, json, message),
    }
}

fn instantiate_fields(view: &RenderView<'_>, json: &mut Json, contract: CreatedContract, is_mistyped: bool) {
    let mut owner = view.party(contract.maker).bech32.to_string();
    if is_mistyped {
        owner.pop();
        owner.push('b');
    }
    json.field("admin", &view.party(contract.maker).bech32).number("code_id", contract.code);
    json.field("label", &label(contract)).key("msg").object(|json| {
        json.value("count", 0).field("owner", &owner);
    });
    json.value("funds", "[]");
    if contract.is_salted {
        json.field("salt", &base64(world::salt(contract))).value("fix_msg", "false");
    }
}

fn factory_fields(view: &RenderView<'_>, json: &mut Json, message: &VmMessage) {
    match *message {
        VmMessage::CreateDenom { number, .. } => {
            json.field("subdenom", &subdenom(number));
        }
        VmMessage::Mint { token, amount, to, .. } => {
            json.key("amount");
            coin(view, json, token, amount);
            json.field("mint_to_address", &view.party(to).bech32);
        }
        VmMessage::MintUnknown { sender, number } => {
            json.key("amount").object(|json| {
                json.field("denom", &made_denom(view, sender, number)).field("amount", "1000000");
            });
            json.field("mint_to_address", &view.party(sender).bech32);
        }
        VmMessage::Burn { token, amount, .. } => {
            json.key("amount");
            coin(view, json, token, amount);
        }
        VmMessage::ChangeAdmin { token, admin, .. } => {
            json.field("denom", view.denom(token)).field("new_admin", &view.party(admin).bech32);
        }
        VmMessage::SetMetadata { token, .. } => {
            json.key("metadata").object(|json| metadata_fields(view, json, token));
        }
        VmMessage::SetSendHook { token, .. } => {
            let hook = view.party(world::single_contract(view.world, SingleContract::Vault));
            json.field("denom", view.denom(token)).field("cosmwasm_address", &hook.bech32);
        }
        _ => {}
    }
}

/// Returns a token's symbol, decimals and display unit.
fn names(token: TokenId) -> (&'static str, u8, String) {
    let (symbol, decimals) = TOKENS.get(usize::from(token.0)).map_or(("", 0), |spec| (spec.symbol, spec.decimals));
    (symbol, decimals, symbol.to_lowercase())
}

fn metadata_fields(view: &RenderView<'_>, json: &mut Json, token: TokenId) {
    let (symbol, decimals, display) = names(token);
    let denom = view.denom(token);
    json.field("description", &format!("{symbol} of the rollup"));
    json.key("denom_units").list(|json| {
        for (name, exponent) in [(denom, 0), (&*display, decimals)] {
            json.object(|json| {
                json.field("denom", name).value("exponent", exponent).value("aliases", "[]");
            });
        }
    });
    json.field("base", denom).field("display", &display).field("name", symbol).field("symbol", symbol);
    json.field("uri", "").field("uri_hash", "");
}

/// Formats metadata in protobuf's text form, as in the event.
fn metadata_text(view: &RenderView<'_>, token: TokenId) -> String {
    let (symbol, decimals, display) = names(token);
    let denom = view.denom(token);
    format!(
        "description:\"{symbol} of the rollup\" denom_units:<denom:\"{denom}\" > denom_units:<denom:\"{display}\" \
         exponent:{decimals} > base:\"{denom}\" display:\"{display}\" name:\"{symbol}\" symbol:\"{symbol}\" "
    )
}

/// Writes the events of a message about a code, a contract or a denom; returns its response.
pub(super) fn events(view: &RenderView<'_>, events: &mut EventWriter, message: &VmMessage) -> Vec<u8> {
    match *message {
        VmMessage::StoreCode { code, .. } => {
            let checksum = checksum(code);
            events.emit(STORE_CODE, vec![("code_checksum", lower(checksum)), ("code_id", code.to_string())]);
            return ProtoWriter::new().uint(1, u64::from(code)).bytes(2, checksum).finish();
        }
        VmMessage::Instantiate { contract, .. } => return instantiated(view, events, contract),
        VmMessage::Migrate { contract, code, .. } => {
            let address = made_address(view.world, contract).bech32();
            events.emit("migrate", vec![("code_id", code.to_string()), ("_contract_address", address.clone())]);
            events.emit("wasm", vec![("_contract_address", address), ("action", "migrate".to_owned())]);
        }
        VmMessage::SetAdmin { contract, admin, .. } => {
            let address = made_address(view.world, contract).bech32();
            let admin = admin.map_or_else(String::new, |admin| view.party(admin).bech32.to_string());
            let attributes = vec![("_contract_address", address), ("new_admin_address", admin)];
            events.emit(UPDATE_CONTRACT_ADMIN, attributes);
        }
        VmMessage::SetLabel { contract, .. } => {
            let address = made_address(view.world, contract).bech32();
            let attributes =
                vec![("_contract_address", address), ("new_label", format!("{}, renamed", label(contract)))];
            events.emit(UPDATE_CONTRACT_LABEL, attributes);
        }
        _ => return factory_events(view, events, message),
    }
    Vec::new()
}

fn instantiated(view: &RenderView<'_>, events: &mut EventWriter, contract: CreatedContract) -> Vec<u8> {
    let address = made_address(view.world, contract).bech32();
    let code = contract.code.to_string();
    events.emit("instantiate", vec![("_contract_address", address.clone()), ("code_id", code)]);
    // On instantiation only the counter emits an event; most codes of users emit none.
    if contract.code == COUNTER_CODE {
        let owner = view.party(contract.maker).bech32.to_string();
        let method = ("method", "instantiate".to_owned());
        let said = vec![("_contract_address", address.clone()), method, ("owner", owner), ("count", "0".to_owned())];
        events.emit("wasm", said);
    }
    ProtoWriter::new().bytes(1, address).finish()
}

fn factory_events(view: &RenderView<'_>, events: &mut EventWriter, message: &VmMessage) -> Vec<u8> {
    let module = view.party(world::account(view.world, Account::Factory));
    let name = |id| view.party(id).bech32.to_string();
    match *message {
        VmMessage::CreateDenom { sender, number } => {
            let denom = made_denom(view, sender, number);
            events.emit(CREATE_DENOM, vec![("creator", name(sender)), ("new_token_denom", denom.clone())]);
            return ProtoWriter::new().bytes(1, denom).finish();
        }
        VmMessage::Mint { token, amount, to, .. } => {
            bank::mint(view, events, token, module, amount);
            bank::transfer(view, events, token, [module, view.party(to)], amount);
            events.emit(TF_MINT, vec![("mint_to_address", name(to)), ("amount", view.coin(token, amount))]);
        }
        VmMessage::Burn { sender, token, amount } => {
            bank::transfer(view, events, token, [view.party(sender), module], amount);
            bank::burn(view, events, token, module, amount);
            events.emit(TF_BURN, vec![("burn_from_address", name(sender)), ("amount", view.coin(token, amount))]);
        }
        VmMessage::ChangeAdmin { token, admin, .. } => {
            let attributes = vec![("denom", view.denom(token).to_owned()), ("new_admin", name(admin))];
            events.emit(CHANGE_ADMIN, attributes);
        }
        VmMessage::SetMetadata { token, .. } => {
            let attributes =
                vec![("denom", view.denom(token).to_owned()), ("denom_metadata", metadata_text(view, token))];
            events.emit(SET_DENOM_METADATA, attributes);
        }
        VmMessage::SetSendHook { token, .. } => {
            let hook = name(world::single_contract(view.world, SingleContract::Vault));
            let attributes = vec![("denom", view.denom(token).to_owned()), ("before_send_hook_address", hook)];
            events.emit(SET_BEFORE_SEND_HOOK, attributes);
        }
        _ => {}
    }
    Vec::new()
}
