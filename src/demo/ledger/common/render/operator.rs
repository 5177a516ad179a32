//! What the admin does as the opchild module.

use super::{
    View, base64,
    body::{authority, coin},
    scribe::Scribe,
};
use crate::demo::ledger::{
    common::{
        catalogue::{FEE_TOKEN, SEQUENCERS},
        record::{Act, PartyId, TokenId},
        render::Render,
        world::Role,
    },
    derive,
    json::Json,
};

/// The events of the admin's act; the response is empty. Parameters and lists change without a word.
pub(crate) fn act<F: Render>(view: &View<'_>, scribe: &mut Scribe, act: Act) -> Vec<u8> {
    match act {
        Act::SpendFeePool { recipient, amount } => {
            let parties = [view.role(Role::FeeCollector), view.party(recipient)];
            F::bank_transfer(view, scribe, TokenId(FEE_TOKEN), parties, amount);
        }
        Act::AddValidator(place) => scribe.emit("add_validator", vec![("validator", validator(view, place))]),
        Act::RemoveValidator(place) => scribe.emit("remove_validator", vec![("validator", validator(view, place))]),
        _ => {}
    }
    Vec::new()
}

fn validator(view: &View<'_>, place: u8) -> String {
    super::operator_account(view.clock.seed, place).bech32_as("initvaloper")
}

/// The message that the admin has the module execute.
pub(crate) fn act_message<F: Render>(view: &View<'_>, json: &mut Json, act: Act) {
    let name = |id: PartyId| &*view.party(id).bech32;
    json.object(|json| {
        let mut begin = |kind: &str| {
            json.field("@type", kind).field("authority", authority(view));
        };
        match act {
            Act::AddFeeWhitelist(id) => {
                begin("/opinit.opchild.v1.MsgAddFeeWhitelistAddresses");
                addresses(json, name(id));
            }
            Act::RemoveFeeWhitelist(id) => {
                begin("/opinit.opchild.v1.MsgRemoveFeeWhitelistAddresses");
                addresses(json, name(id));
            }
            Act::AddExecutor(id) => {
                begin("/opinit.opchild.v1.MsgAddBridgeExecutor");
                addresses(json, name(id));
            }
            Act::RemoveExecutor(id) => {
                begin("/opinit.opchild.v1.MsgRemoveBridgeExecutor");
                addresses(json, name(id));
            }
            Act::UpdateMinGasPrices => {
                begin("/opinit.opchild.v1.MsgUpdateMinGasPrices");
                json.key("min_gas_prices").list(|json| min_gas_price(view, json));
            }
            Act::SpendFeePool { recipient, amount } => {
                begin("/opinit.opchild.v1.MsgSpendFeePool");
                json.field("recipient", name(recipient));
                json.key("amount").list(|json| coin(view, json, TokenId(FEE_TOKEN), amount));
            }
            Act::UpdateVmParams => {
                begin(F::UPDATE_PARAMS);
                json.key("params").object(|json| F::params(view, json));
            }
            Act::UpdateParams => {
                begin("/opinit.opchild.v1.MsgUpdateParams");
                json.key("params").object(|json| params(view, json));
            }
            Act::UpdateAdmin => {
                begin("/opinit.opchild.v1.MsgUpdateAdmin");
                json.field("new_admin", &view.role(Role::Admin).bech32);
            }
            Act::AddValidator(place) => {
                begin("/opinit.opchild.v1.MsgAddValidator");
                joining(view, json, place, "validator_address");
            }
            Act::UpdateSequencer(place) => {
                begin("/opinit.opchild.v1.MsgUpdateSequencer");
                joining(view, json, place, "sequencer_address");
            }
            Act::RemoveValidator(place) => {
                begin("/opinit.opchild.v1.MsgRemoveValidator");
                json.field("validator_address", &validator(view, place));
            }
        }
    });
}

/// Who comes to propose blocks; `field` names the address.
fn joining(view: &View<'_>, json: &mut Json, place: u8, field: &str) {
    json.field("moniker", SEQUENCERS.get(usize::from(place)).copied().unwrap_or(SEQUENCERS[0]));
    json.field(field, &validator(view, place));
    json.key("pubkey").object(|json| {
        let key = derive::filler("consensus key", &[view.clock.seed, u64::from(place)], 32);
        json.field("@type", "/cosmos.crypto.ed25519.PubKey").field("key", &base64(key));
    });
}

fn addresses(json: &mut Json, address: &str) {
    json.key("addresses").list(|json| {
        json.string(address);
    });
}

fn min_gas_price(view: &View<'_>, json: &mut Json) {
    let milli = view.world.catalogue.gas_price_milli;
    let price = format!("{}.{:03}000000000000000", milli / 1000, milli % 1000);
    json.object(|json| {
        json.field("denom", view.denom(TokenId(FEE_TOKEN))).field("amount", &price);
    });
}

fn params(view: &View<'_>, json: &mut Json) {
    json.value("max_validators", 1).value("historical_entries", 10_000);
    json.key("min_gas_prices").list(|json| min_gas_price(view, json));
    json.key("bridge_executors").list(|json| {
        json.string(&view.role(Role::Executor).bech32);
    });
    json.field("admin", &view.role(Role::Admin).bech32).value("fee_whitelist", "[]").field("hook_max_gas", "1000000");
}
