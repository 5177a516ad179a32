//! Codes, users' contracts and the token factory: fields, steps and response of each message.

use super::{
    address::{checksum, wasm_code},
    calls,
    catalogue::{COUNTER_CODE, TOKEN_CODE, TOKENS},
    nft_transfers,
    record::{CreatedContract, VmMessage},
    state::Contract,
    steps::{ActionSteps, StepFields, StepValue},
    world::{self, SingleContract, made_address, single_contract},
};
use crate::{
    demo::ledger::{
        common::{
            record::{PartyId, TokenId},
            render::{base64, lower},
            world::{PartyRole, World},
        },
        json::Json,
    },
    events::names::{
        CHANGE_ADMIN, CREATE_DENOM, SET_BEFORE_SEND_HOOK, SET_DENOM_METADATA, STORE_CODE, TF_BURN, TF_MINT,
        UPDATE_CONTRACT_ADMIN, UPDATE_CONTRACT_LABEL,
    },
    wire::protobuf::ProtoWriter,
};

/// Result in a relayer's response: the packet was processed.
const DONE: u64 = 2;

/// Message: its fields, its steps and its response.
pub(crate) struct MessagePlan<'a> {
    /// Fields after the type; empty for calls and packets, which have nested fields.
    pub(crate) fields: StepFields,
    pub(crate) steps: ActionSteps<'a>,
    pub(crate) response: Vec<u8>,
}

/// Name, symbol and decimals of users' CW-20 tokens, which no list has.
pub(super) const MADE_TOKEN: (&str, &str, u8) = ("Seashell", "SHELL", 6);

/// Returns what a user's CW-20 contract hands out at its creation.
pub(super) fn initial_balances(world: &World, made: CreatedContract) -> [(PartyId, u128); 2] {
    [(made.maker, 1_000_000_000_000), (world.role(PartyRole::Admin), 5_000_000_000)]
}

/// Returns the label of a user's contract, before or after its change.
pub(super) fn label(made: CreatedContract, is_renamed: bool) -> String {
    let kind = if made.code == TOKEN_CODE { "token" } else { "counter" };
    format!("{kind} {}{}", made.instance, if is_renamed { ", renamed" } else { "" })
}

fn subdenom(number: u32) -> String {
    format!("shell{number}")
}

/// Returns the full denom, as the factory writes it: `factory/MAKER/SUBDENOM`.
pub(super) fn made_denom(world: &World, maker: PartyId, number: u32) -> String {
    format!("factory/{}/{}", world.party(maker).bech32, subdenom(number))
}

pub(super) fn message<'a>(world: &'a World, message: &VmMessage) -> MessagePlan<'a> {
    let mut steps = ActionSteps::new(world);
    let out = &mut steps;
    let address = |contract| StepValue::from(made_address(world, contract).bech32());
    let response = ProtoWriter::new();
    let (fields, response) = match *message {
        VmMessage::Execute { sender, ref call } => {
            steps = calls::call(world, sender, call).steps;
            (Vec::new(), response)
        }
        VmMessage::ReceiveNft { ref nft_transfer, .. } => {
            nft_transfers::arrive(out, nft_transfer);
            (Vec::new(), response.uint(1, DONE))
        }
        VmMessage::AnswerNft { ref nft_transfer, packet_outcome, .. } => {
            nft_transfers::answer(out, nft_transfer, packet_outcome);
            (Vec::new(), response.uint(1, DONE))
        }
        VmMessage::StoreCode { sender, code } => {
            out.change(|state| state.own.codes += 1);
            let checksum = checksum(code);
            out.emit(STORE_CODE, vec![("code_checksum", lower(checksum).into()), ("code_id", code.into())]);
            let mut fields = vec![("sender", sender.into()), ("wasm_byte_code", base64(wasm_code(code)).into())];
            fields.push(("instantiate_permission", StepValue::Json("null".into())));
            (fields, response.uint(1, u64::from(code)).bytes(2, checksum))
        }
        VmMessage::Instantiate { contract, is_mistyped } => {
            create(out, contract);
            let created = made_address(world, contract).bech32();
            (creation_fields(world, contract, is_mistyped), response.bytes(1, created))
        }
        VmMessage::Migrate { sender, contract, code } => {
            out.change(move |state| {
                if let Some(contract) = state.own.contract(contract) {
                    contract.code = code;
                }
            });
            out.emit("migrate", vec![("code_id", code.into()), ("_contract_address", address(contract))]);
            out.emit("wasm", vec![("_contract_address", address(contract)), ("action", "migrate".into())]);
            let mut fields = vec![("sender", sender.into()), ("contract", address(contract))];
            fields.extend([("code_id", code.into()), ("msg", StepValue::Json("{}".into()))]);
            (fields, response)
        }
        VmMessage::SetAdmin { sender, contract, admin } => {
            out.change(move |state| {
                if let Some(contract) = state.own.contract(contract) {
                    contract.admin = admin;
                }
            });
            let new_admin = admin.map_or_else(|| "".into(), StepValue::from);
            let said = vec![("_contract_address", address(contract)), ("new_admin_address", new_admin)];
            out.emit(UPDATE_CONTRACT_ADMIN, said);
            let mut fields = vec![("sender", sender.into())];
            fields.extend(admin.map(|admin| ("new_admin", admin.into())));
            fields.push(("contract", address(contract)));
            (fields, response)
        }
        VmMessage::SetLabel { sender, contract } => {
            out.change(move |state| {
                if let Some(contract) = state.own.contract(contract) {
                    contract.is_renamed = true;
                }
            });
            let label = label(contract, true);
            let said = vec![("_contract_address", address(contract)), ("new_label", label.clone().into())];
            out.emit(UPDATE_CONTRACT_LABEL, said);
            let fields = vec![("sender", sender.into()), ("new_label", label.into()), ("contract", address(contract))];
            (fields, response)
        }
        VmMessage::CreateDenom { sender, number } => {
            out.change(move |state| {
                state.own.denoms += 1;
                state.own.newest_denom = Some((sender, number));
            });
            let denom = made_denom(world, sender, number);
            out.emit(CREATE_DENOM, vec![("creator", sender.into()), ("new_token_denom", denom.clone().into())]);
            (vec![("sender", sender.into()), ("subdenom", subdenom(number).into())], response.bytes(1, denom))
        }
        _ => (factory(out, message), response),
    };
    MessagePlan { fields, steps, response: response.finish() }
}

/// Adds the steps of a message about an existing denom. Returns the message's fields.
fn factory(out: &mut ActionSteps<'_>, message: &VmMessage) -> StepFields {
    match *message {
        VmMessage::Mint { sender, token, amount, to } => {
            out.mint(token, to, amount);
            out.emit(TF_MINT, vec![("mint_to_address", to.into()), ("amount", StepValue::Coin(token, amount))]);
            vec![("sender", sender.into()), ("amount", StepValue::Coin(token, amount)), ("mint_to_address", to.into())]
        }
        VmMessage::MintUnknown { sender, number } => {
            let denom = made_denom(out.world, sender, number);
            let coin = format!(r#"{{"denom":"{denom}","amount":"1000000"}}"#);
            vec![
                ("sender", sender.into()),
                ("amount", StepValue::Json(coin.into())),
                ("mint_to_address", sender.into()),
            ]
        }
        VmMessage::Burn { sender, token, amount } => {
            out.burn(token, sender, amount);
            out.emit(TF_BURN, vec![("burn_from_address", sender.into()), ("amount", StepValue::Coin(token, amount))]);
            vec![("sender", sender.into()), ("amount", StepValue::Coin(token, amount))]
        }
        VmMessage::ChangeAdmin { sender, token, admin } => {
            out.change(move |state| state.own.set_denom_admin(token.0, admin));
            out.emit(CHANGE_ADMIN, vec![("denom", StepValue::Denom(token)), ("new_admin", admin.into())]);
            vec![("sender", sender.into()), ("denom", StepValue::Denom(token)), ("new_admin", admin.into())]
        }
        VmMessage::SetMetadata { sender, token } => {
            let metadata = metadata_text(out.world, token).into();
            out.emit(SET_DENOM_METADATA, vec![("denom", StepValue::Denom(token)), ("denom_metadata", metadata)]);
            vec![("sender", sender.into()), ("metadata", StepValue::Json(metadata_json(out.world, token).into()))]
        }
        VmMessage::SetSendHook { sender, token } => {
            let hook = single_contract(out.world, SingleContract::Vault);
            let said = vec![("denom", StepValue::Denom(token)), ("before_send_hook_address", hook.into())];
            out.emit(SET_BEFORE_SEND_HOOK, said);
            vec![("sender", sender.into()), ("denom", StepValue::Denom(token)), ("cosmwasm_address", hook.into())]
        }
        _ => Vec::new(),
    }
}

/// Adds the steps of an instantiation, which makes the creator the admin.
fn create(out: &mut ActionSteps<'_>, contract: CreatedContract) {
    let (address, code) = (made_address(out.world, contract), contract.code);
    out.change(move |state| {
        let count = if contract.is_salted { &mut state.own.salts } else { &mut state.own.instances };
        *count += 1;
        let (created, admin) = (state.height, Some(contract.maker));
        state.own.made.push(Contract { made: contract, address, created, code, admin, is_renamed: false });
    });
    let address = address.bech32();
    out.emit("instantiate", vec![("_contract_address", address.clone().into()), ("code_id", code.into())]);
    // Of the codes that users instantiate, only the counter emits an event.
    if code == COUNTER_CODE {
        let mut said = vec![("_contract_address", address.into()), ("method", "instantiate".into())];
        said.extend([("owner", contract.maker.into()), ("count", "0".into())]);
        out.emit("wasm", said);
    }
}

fn creation_fields(world: &World, contract: CreatedContract, is_mistyped: bool) -> StepFields {
    let maker = contract.maker;
    let mut owner = world.party(maker).bech32.to_string();
    if is_mistyped {
        owner.pop();
        owner.push('b');
    }
    let message = match contract.code {
        TOKEN_CODE => token_message(world, contract),
        _ => format!(r#"{{"count":0,"owner":"{owner}"}}"#),
    };
    let mut fields = vec![("sender", maker.into()), ("admin", maker.into()), ("code_id", contract.code.into())];
    fields.extend([("label", label(contract, false).into()), ("msg", StepValue::Json(message.into()))]);
    fields.push(("funds", StepValue::Json("[]".into())));
    if contract.is_salted {
        fields.push(("salt", base64(world::salt(contract)).into()));
        fields.push(("fix_msg", StepValue::Json("false".into())));
    }
    fields
}

/// Returns the message that creates a CW-20 token with its initial balances.
fn token_message(world: &World, contract: CreatedContract) -> String {
    let (name, symbol, decimals) = MADE_TOKEN;
    let mut json = Json::new();
    json.object(|json| {
        json.field("name", name).field("symbol", symbol).value("decimals", decimals);
        json.key("initial_balances").list(|json| {
            for (holder, amount) in initial_balances(world, contract) {
                json.object(|json| {
                    json.field("address", &world.party(holder).bech32).field("amount", &amount.to_string());
                });
            }
        });
    });
    json.finish()
}

/// Returns a token's symbol, decimals, display unit and denom.
fn names(world: &World, token: TokenId) -> (&'static str, u8, String, &str) {
    let (symbol, decimals) = TOKENS.get(usize::from(token.0)).map_or(("", 0), |spec| (spec.symbol, spec.decimals));
    (symbol, decimals, symbol.to_lowercase(), world.token(token).denom.as_str())
}

fn metadata_json(world: &World, token: TokenId) -> String {
    let (symbol, decimals, display, denom) = names(world, token);
    let mut json = Json::new();
    json.object(|json| {
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
    });
    json.finish()
}

/// Formats the metadata as in its event, in protobuf's text format.
fn metadata_text(world: &World, token: TokenId) -> String {
    let (symbol, decimals, display, denom) = names(world, token);
    format!(
        "description:\"{symbol} of the rollup\" denom_units:<denom:\"{denom}\" > denom_units:<denom:\"{display}\" \
         exponent:{decimals} > base:\"{denom}\" display:\"{display}\" name:\"{symbol}\" symbol:\"{symbol}\" "
    )
}
