//! Renders body and signatures of a transaction as JSON, as in a node's REST API.

use super::{Render, RenderView, base64, bridge, ibc, kind, operator};
use crate::demo::ledger::{
    clock::days_after,
    common::{
        Flavour,
        catalogue::FEE_TOKEN,
        record::{FeePayment, Msg, PartyId, Right, SignMode, TokenId, TxRecord},
        world::PartyRole,
    },
    json::Json,
};

pub(crate) fn body<F: Render>(view: &RenderView<'_>, tx: &TxRecord<F>) -> String {
    let mut json = Json::new();
    json.object(|json| {
        json.key("messages").list(|json| tx.messages.iter().for_each(|msg| message(view, json, msg)));
        json.field("memo", &F::memo(tx)).field("timeout_height", "0");
        json.value("extension_options", "[]").value("non_critical_extension_options", "[]");
    });
    json.finish()
}

/// Writes the auth info: keys, sign modes, sequence numbers and fee.
pub(crate) fn auth_info<F: Flavour>(view: &RenderView<'_>, tx: &TxRecord<F>, fee: Option<&(String, u128)>) -> String {
    let mut json = Json::new();
    json.object(|json| {
        json.key("signer_infos").list(|json| {
            json.object(|json| signer_info(view, json, tx));
        });
        json.key("fee").object(|json| {
            json.key("amount").list(|json| {
                if let Some((denom, amount)) = fee {
                    json.object(|json| {
                        json.field("denom", denom).number("amount", amount);
                    });
                }
            });
            let granter = if let FeePayment::Granter(granter) = tx.fee { &*view.party(granter).bech32 } else { "" };
            json.number("gas_limit", tx.gas_wanted).field("payer", "").field("granter", granter);
        });
        json.value("tip", "null");
    });
    json.finish()
}

fn signer_info<F: Flavour>(view: &RenderView<'_>, json: &mut Json, tx: &TxRecord<F>) {
    // Transactions may omit a key that the chain knows.
    let Some(key) = view.party(tx.signer).key else {
        json.value("public_key", "null");
        return mode_info(json, tx);
    };
    json.key("public_key").object(|json| {
        json.field("@type", key.kind.type_url()).field("key", &base64(key.compressed));
    });
    mode_info(json, tx);
}

fn mode_info<F: Flavour>(json: &mut Json, tx: &TxRecord<F>) {
    json.key("mode_info").object(|json| {
        json.key("single").object(|json| {
            match tx.style {
                SignMode::Ethereum => json.value("mode", "9999"),
                SignMode::Personal => json.field("mode", "SIGN_MODE_EIP_191"),
                SignMode::Direct => json.field("mode", "SIGN_MODE_DIRECT"),
            };
        });
    });
    json.number("sequence", tx.sequence);
}

pub(crate) fn coin(view: &RenderView<'_>, json: &mut Json, token: TokenId, amount: u128) {
    json.object(|json| {
        json.field("denom", view.denom(token)).number("amount", amount);
    });
}

pub(crate) fn message<F: Render>(view: &RenderView<'_>, json: &mut Json, msg: &Msg<F>) {
    json.object(|json| {
        json.field("@type", kind::kind(msg));
        fields(view, json, msg);
    });
}

fn fields<F: Render>(view: &RenderView<'_>, json: &mut Json, msg: &Msg<F>) {
    let name = |id: PartyId| &*view.party(id).bech32;
    match msg {
        Msg::Send { from, to, token, amount } => {
            json.field("from_address", name(*from)).field("to_address", name(*to));
            json.key("amount").list(|json| coin(view, json, *token, *amount));
        }
        Msg::MultiSend { from, token, outputs } => multi_send(view, json, (*from, *token), outputs),
        Msg::Exec { grantee, inner } => {
            json.field("grantee", name(*grantee));
            json.key("msgs").list(|json| inner.iter().for_each(|msg| message(view, json, msg)));
        }
        Msg::Grant { granter, grantee, right, days } => {
            json.field("granter", name(*granter)).field("grantee", name(*grantee));
            json.key("grant").object(|json| grant::<F>(view, json, *right, *days));
        }
        Msg::Revoke { granter, grantee, right } => {
            json.field("granter", name(*granter)).field("grantee", name(*grantee));
            json.field("msg_type_url", kind::allowed::<F>(*right));
        }
        Msg::AllowFees { granter, grantee, limit, days } => {
            json.field("granter", name(*granter)).field("grantee", name(*grantee));
            json.key("allowance").object(|json| {
                json.field("@type", "/cosmos.feegrant.v1beta1.BasicAllowance");
                json.key("spend_limit").list(|json| coin(view, json, TokenId(FEE_TOKEN), *limit));
                json.field("expiration", &expiration(view, *days));
            });
        }
        Msg::PruneAllowances { pruner } => {
            json.field("pruner", name(*pruner));
        }
        Msg::RevokeFees { granter, grantee } => {
            json.field("granter", name(*granter)).field("grantee", name(*grantee));
        }
        Msg::Vm(message) => F::fields(view, json, message),
        Msg::Deposit(deposit) => bridge::deposit_fields::<F>(view, json, deposit),
        Msg::Withdraw { sender, to, token, amount, .. } => {
            json.field("sender", name(*sender)).field("to", to.as_deref().unwrap_or(name(*sender)));
            json.key("amount");
            coin(view, json, *token, *amount);
        }
        Msg::UpdateOracle { sender } | Msg::RelayOracle { sender } | Msg::SetBridgeInfo { sender } => {
            json.field("sender", name(*sender));
            bridge::information_fields(view, json, msg);
        }
        Msg::Execute { sender, act } => {
            json.field("sender", name(*sender));
            json.key("messages").list(|json| operator::act_message::<F>(view, json, *act));
        }
        _ => ibc::fields(view, json, msg),
    }
}

fn multi_send(view: &RenderView<'_>, json: &mut Json, (from, token): (PartyId, TokenId), outputs: &[(PartyId, u128)]) {
    let side = |json: &mut Json, party: PartyId, amount: u128| {
        json.object(|json| {
            json.field("address", &view.party(party).bech32);
            json.key("coins").list(|json| coin(view, json, token, amount));
        });
    };
    let whole = outputs.iter().map(|(_, amount)| amount).sum();
    json.key("inputs").list(|json| side(json, from, whole));
    json.key("outputs").list(|json| outputs.iter().for_each(|(to, amount)| side(json, *to, *amount)));
}

fn grant<F: Flavour>(view: &RenderView<'_>, json: &mut Json, right: Right, days: u16) {
    json.key("authorization").object(|json| {
        json.field("@type", "/cosmos.authz.v1beta1.GenericAuthorization").field("msg", kind::allowed::<F>(right));
    });
    match days {
        0 => json.value("expiration", "null"),
        days => json.field("expiration", &expiration(view, days)),
    };
}

fn expiration(view: &RenderView<'_>, days: u16) -> String {
    days_after(view.clock.time(view.height), days).to_string()
}

/// Returns the address of the opchild module, for which the admin acts.
pub(crate) fn authority<'a>(view: &RenderView<'a>) -> &'a str {
    &view.role(PartyRole::OpChild).bech32
}
