//! Renders the actions that the admin executes as the opchild module.

use super::{
    RenderView, base64,
    body::{authority, coin},
    event_writer::EventWriter,
};
use crate::demo::ledger::{
    common::{
        catalogue::{FEE_TOKEN, SEQUENCERS},
        record::{AdminAct, PartyId, TokenId},
        render::Render,
        world::PartyRole,
    },
    json::Json,
};

/// Writes the events of an admin's action, whose response is empty. Changes of parameters and lists emit no events.
pub(crate) fn act<F: Render>(view: &RenderView<'_>, events: &mut EventWriter, act: AdminAct) -> Vec<u8> {
    match act {
        AdminAct::SpendFeePool { recipient, amount } => {
            let parties = [view.role(PartyRole::FeeCollector), view.party(recipient)];
            F::bank_transfer(view, events, TokenId(FEE_TOKEN), parties, amount);
        }
        AdminAct::AddValidator(place) => events.emit("add_validator", vec![("validator", validator(view, place))]),
        AdminAct::RemoveValidator(place) => {
            events.emit("remove_validator", vec![("validator", validator(view, place))]);
        }
        _ => {}
    }
    Vec::new()
}

fn validator(view: &RenderView<'_>, place: u8) -> String {
    super::operator_account(view.clock.seed, place).bech32_as("initvaloper")
}

/// Writes the message that the module executes for the admin.
pub(crate) fn act_message<F: Render>(view: &RenderView<'_>, json: &mut Json, act: AdminAct) {
    let name = |id: PartyId| &*view.party(id).bech32;
    json.object(|json| {
        let mut begin = |kind: &str| {
            json.field("@type", kind).field("authority", authority(view));
        };
        match act {
            AdminAct::AddFeeWhitelist(id) => {
                begin("/opinit.opchild.v1.MsgAddFeeWhitelistAddresses");
                addresses(json, name(id));
            }
            AdminAct::RemoveFeeWhitelist(id) => {
                begin("/opinit.opchild.v1.MsgRemoveFeeWhitelistAddresses");
                addresses(json, name(id));
            }
            AdminAct::AddExecutor(id) => {
                begin("/opinit.opchild.v1.MsgAddBridgeExecutor");
                addresses(json, name(id));
            }
            AdminAct::RemoveExecutor(id) => {
                begin("/opinit.opchild.v1.MsgRemoveBridgeExecutor");
                addresses(json, name(id));
            }
            AdminAct::UpdateMinGasPrices => {
                begin("/opinit.opchild.v1.MsgUpdateMinGasPrices");
                json.key("min_gas_prices").list(|json| min_gas_price(view, json));
            }
            AdminAct::SpendFeePool { recipient, amount } => {
                begin("/opinit.opchild.v1.MsgSpendFeePool");
                json.field("recipient", name(recipient));
                json.key("amount").list(|json| coin(view, json, TokenId(FEE_TOKEN), amount));
            }
            AdminAct::UpdateVmParams => {
                begin(F::UPDATE_PARAMS);
                json.key("params").object(|json| F::params(view, json));
            }
            AdminAct::UpdateParams => {
                begin("/opinit.opchild.v1.MsgUpdateParams");
                json.key("params").object(|json| params(view, json));
            }
            AdminAct::UpdateAdmin => {
                begin("/opinit.opchild.v1.MsgUpdateAdmin");
                json.field("new_admin", &view.role(PartyRole::Admin).bech32);
            }
            AdminAct::AddValidator(place) => {
                begin("/opinit.opchild.v1.MsgAddValidator");
                joining(view, json, place, "validator_address");
            }
            AdminAct::UpdateSequencer(place) => {
                begin("/opinit.opchild.v1.MsgUpdateSequencer");
                joining(view, json, place, "sequencer_address");
            }
            AdminAct::RemoveValidator(place) => {
                begin("/opinit.opchild.v1.MsgRemoveValidator");
                json.field("validator_address", &validator(view, place));
            }
        }
    });
}

/// Writes a proposer that joins; `field` is the name of the address field.
fn joining(view: &RenderView<'_>, json: &mut Json, place: u8, field: &str) {
    json.field("moniker", SEQUENCERS.get(usize::from(place)).copied().unwrap_or(SEQUENCERS[0]));
    json.field(field, &validator(view, place));
    json.key("pubkey").object(|json| {
        let key = super::sequencer_public_key(view.clock.seed, place);
        json.field("@type", "/cosmos.crypto.ed25519.PubKey").field("key", &base64(key));
    });
}

fn addresses(json: &mut Json, address: &str) {
    json.key("addresses").list(|json| {
        json.string(address);
    });
}

fn min_gas_price(view: &RenderView<'_>, json: &mut Json) {
    let milli = view.world.catalogue.gas_price_milli;
    let price = format!("{}.{:03}000000000000000", milli / 1000, milli % 1000);
    json.object(|json| {
        json.field("denom", view.denom(TokenId(FEE_TOKEN))).field("amount", &price);
    });
}

fn params(view: &RenderView<'_>, json: &mut Json) {
    json.value("max_validators", 1).value("historical_entries", 10_000);
    json.key("min_gas_prices").list(|json| min_gas_price(view, json));
    json.key("bridge_executors").list(|json| {
        json.string(&view.role(PartyRole::Executor).bech32);
    });
    json.field("admin", &view.role(PartyRole::Admin).bech32)
        .value("fee_whitelist", "[]")
        .field("hook_max_gas", "1000000");
}
