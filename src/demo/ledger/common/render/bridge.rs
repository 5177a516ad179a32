//! Renders the OPinit bridge and the oracle.

use super::{Render, RenderView, base64, body::coin, event_writer::EventWriter};
use crate::{
    demo::ledger::{
        common::{
            catalogue::{L1_CHAIN_ID, L1_CLIENT, NFT_CHANNEL, OriginSpec},
            record::{DepositHook, DepositRecord, Msg, TokenId},
            world::{Party, PartyRole},
        },
        derive,
        json::Json,
    },
    domain::Address,
    events::names::{
        FINALIZE_TOKEN_DEPOSIT, INITIATE_TOKEN_WITHDRAWAL, ORACLE_DATA_RELAY, SET_BRIDGE_INFO, UPDATE_ORACLE,
    },
    wire::protobuf::ProtoWriter,
};

/// Currency pairs of the oracle with their initial prices, 8 decimals.
const PRICES: [(&str, u64); 4] =
    [("BTC/USD", 10_412_300_000_000), ("ETH/USD", 391_250_000_000), ("INIT/USD", 41_200_000), ("TIA/USD", 163_400_000)];

pub(crate) fn base_denom(view: &RenderView<'_>, token: TokenId) -> &'static str {
    match view.world.catalogue.origin(token.0) {
        OriginSpec::Bridged(base) => base,
        _ => "",
    }
}

/// Returns the depositor on the L1: usually the receiver's own account there, sometimes a 32-byte object.
pub(crate) fn depositor(view: &RenderView<'_>, deposit: &DepositRecord) -> String {
    if let Some(from) = &deposit.from {
        return from.to_string();
    }
    let receiver = view.party(deposit.to);
    if deposit.sequence % 7 == 3 || matches!(deposit.hook, DepositHook::Refused { .. }) {
        return Address::Long(derive::sha256(receiver.address.bytes())).bech32();
    }
    receiver.bech32.to_string()
}

/// Returns the L1 height at which the deposit was made.
fn deposited_at(view: &RenderView<'_>) -> u64 {
    view.clock.l1_height(view.height).saturating_sub(9)
}

pub(crate) fn deposit_fields<F: Render>(view: &RenderView<'_>, json: &mut Json, deposit: &DepositRecord) {
    json.field("sender", &view.party(deposit.executor).bech32);
    json.field("from", &depositor(view, deposit)).field("to", &view.party(deposit.to).bech32);
    json.key("amount");
    coin(view, json, deposit.token, deposit.amount);
    json.number("sequence", deposit.sequence).number("height", deposited_at(view));
    json.field("base_denom", base_denom(view, deposit.token));
    match hook_sequence(deposit) {
        Some(sequence) => json.field("data", &base64(hook_tx::<F>(view, deposit, sequence))),
        None => json.value("data", "null"),
    };
}

fn hook_sequence(deposit: &DepositRecord) -> Option<u32> {
    match deposit.hook {
        DepositHook::Run { sequence, .. }
        | DepositHook::RunExact { sequence, .. }
        | DepositHook::Stale { sequence, .. }
        | DepositHook::TakenBack { sequence, .. } => Some(sequence),
        _ => None,
    }
}

fn hook_signature(view: &RenderView<'_>, deposit: &DepositRecord, sequence: u32) -> Vec<u8> {
    derive::filler("hook", &[view.clock.seed, deposit.sequence, u64::from(sequence)], 64)
}

fn hook_tx<F: Render>(view: &RenderView<'_>, deposit: &DepositRecord, sequence: u32) -> Vec<u8> {
    let user = view.party(deposit.to);
    let messages = F::deposit_hook_messages(view, deposit);
    let body = messages.into_iter().fold(ProtoWriter::new(), |body, message| body.bytes(1, message));
    let key = user.key.map(|key| {
        let bytes = ProtoWriter::new().bytes(1, key.compressed).finish();
        ProtoWriter::any(key.kind.type_url(), &bytes)
    });
    let mode = ProtoWriter::new().bytes(1, ProtoWriter::new().uint(1, 191).finish()).finish();
    let signer = key.into_iter().fold(ProtoWriter::new(), |signer, key| signer.bytes(1, key));
    let signer = signer.bytes(2, mode).uint(3, u64::from(sequence)).finish();
    let auth = ProtoWriter::new().bytes(1, signer).bytes(2, ProtoWriter::new().uint(2, 1).finish()).finish();
    let signature = hook_signature(view, deposit, sequence);
    ProtoWriter::new().bytes(1, body.finish()).bytes(2, auth).bytes(3, signature).finish()
}

/// Writes the events of a deposit. Returns its response: 2 for success, 1 for a repetition.
pub(crate) fn deposit<F: Render>(view: &RenderView<'_>, events: &mut EventWriter, deposit: &DepositRecord) -> Vec<u8> {
    let DepositRecord { sequence, to, token, amount, hook, .. } = *deposit;
    if hook == DepositHook::Repeated {
        return ProtoWriter::new().uint(1, 1).finish();
    }
    let (receiver, module) = (view.party(to), view.role(PartyRole::OpChild));
    let refused = matches!(hook, DepositHook::Refused { .. });
    if !refused {
        F::bank_mint(view, events, token, module, amount);
        F::bank_transfer(view, events, token, [module, receiver], amount);
    }
    let reason = hook_events::<F>(view, events, deposit);
    let mut attributes = vec![
        ("l1_sequence", sequence.to_string()),
        ("sender", depositor(view, deposit)),
        ("recipient", receiver.bech32.to_string()),
        ("denom", view.denom(token).to_owned()),
        ("base_denom", base_denom(view, token).to_owned()),
        ("amount", amount.to_string()),
        ("finalize_height", deposited_at(view).to_string()),
        ("success", reason.is_none().to_string()),
    ];
    attributes.extend(reason.map(|reason| ("reason", reason)));
    events.emit(FINALIZE_TOKEN_DEPOSIT, attributes);
    if let DepositHook::TakenBack { .. } = hook {
        F::bank_transfer(view, events, token, [receiver, module], amount);
        F::bank_burn(view, events, token, module, amount);
    }
    if let DepositHook::Refused { withdrawal } | DepositHook::TakenBack { withdrawal, .. } = hook {
        withdrawal_event(view, events, [&receiver.bech32, &depositor(view, deposit)], token, amount, withdrawal);
    }
    ProtoWriter::new().uint(1, 2).finish()
}

/// Writes the events of a deposit's hook. Returns the failure reason if it fails.
fn hook_events<F: Render>(view: &RenderView<'_>, events: &mut EventWriter, deposit: &DepositRecord) -> Option<String> {
    let user = view.party(deposit.to);
    if let Some(sequence) = hook_sequence(deposit) {
        events.emit("tx", vec![("acc_seq", format!("{}/{sequence}", user.bech32))]);
        events.emit("tx", vec![("signature", base64(hook_signature(view, deposit, sequence)))]);
    }
    match deposit.hook {
        DepositHook::None | DepositHook::Repeated => None,
        DepositHook::Refused { .. } => {
            Some(format!("deposit failed; {} is not allowed to receive funds: unauthorized", user.bech32))
        }
        DepositHook::Stale { sequence, expected } | DepositHook::TakenBack { sequence, expected, .. } => Some(format!(
            "hook failed; Failed to run AnteHandler: account sequence mismatch, expected {expected}, got {sequence}: \
             incorrect account sequence"
        )),
        DepositHook::Run { amount, .. } | DepositHook::RunExact { amount, .. } => {
            F::deposit_hook_events(view, events, deposit, amount);
            None
        }
    }
}

fn withdrawal_event(
    view: &RenderView<'_>,
    events: &mut EventWriter,
    [from, to]: [&str; 2],
    token: TokenId,
    amount: u128,
    sequence: u64,
) {
    let attributes = vec![
        ("from", from.to_owned()),
        ("to", to.to_owned()),
        ("denom", view.denom(token).to_owned()),
        ("base_denom", base_denom(view, token).to_owned()),
        ("amount", amount.to_string()),
        ("l2_sequence", sequence.to_string()),
    ];
    events.emit(INITIATE_TOKEN_WITHDRAWAL, attributes);
}

pub(crate) fn withdraw<F: Render>(
    view: &RenderView<'_>,
    events: &mut EventWriter,
    (sender, to): (&Party, &str),
    token: TokenId,
    amount: u128,
    sequence: u64,
) -> Vec<u8> {
    let module = view.role(PartyRole::OpChild);
    F::bank_transfer(view, events, token, [sender, module], amount);
    F::bank_burn(view, events, token, module, amount);
    withdrawal_event(view, events, [&sender.bech32, to], token, amount, sequence);
    ProtoWriter::new().uint(1, sequence).finish()
}

/// Writes the events of messages with which the executor informs the rollup. Their responses are empty.
pub(crate) fn information<F: Render>(view: &RenderView<'_>, events: &mut EventWriter, msg: &Msg<F>) -> Vec<u8> {
    let height = view.clock.l1_height(view.height).to_string();
    match msg {
        Msg::UpdateOracle { sender } => {
            let from = view.party(*sender).bech32.to_string();
            events.emit(UPDATE_ORACLE, vec![("from", from), ("height", height)]);
        }
        Msg::RelayOracle { .. } => {
            let (bridge, pairs) = (view.world.catalogue.bridge_id.to_string(), PRICES.len().to_string());
            let attributes = vec![("bridge_id", bridge), ("l1_block_height", height), ("num_currency_pair", pairs)];
            events.emit(ORACLE_DATA_RELAY, attributes);
        }
        _ => {
            let attributes = vec![
                ("bridge_id", view.world.catalogue.bridge_id.to_string()),
                ("bridge_addr", Address::Long(derive::bridge_account(view.world.catalogue.bridge_id)).bech32()),
                ("l1_chain_id", L1_CHAIN_ID.to_owned()),
                ("l1_client_id", L1_CLIENT.to_owned()),
            ];
            events.emit(SET_BRIDGE_INFO, attributes);
        }
    }
    Vec::new()
}

/// Writes the fields of the executor's messages, after the sender.
pub(crate) fn information_fields<F: Render>(view: &RenderView<'_>, json: &mut Json, msg: &Msg<F>) {
    let (height, l1_height) = (view.height, view.clock.l1_height(view.height));
    match msg {
        Msg::UpdateOracle { .. } => {
            json.number("height", l1_height).field("data", &base64(derive::filler("votes", &[height], 360)));
        }
        Msg::RelayOracle { .. } => {
            json.key("oracle_data").object(|json| oracle_data(view, json, l1_height));
        }
        _ => {
            json.key("bridge_info").object(|json| bridge_info(view, json));
        }
    }
}

fn oracle_data(view: &RenderView<'_>, json: &mut Json, l1_height: u64) {
    let height = view.height;
    json.number("bridge_id", view.world.catalogue.bridge_id)
        .field("oracle_price_hash", &base64(derive::filler("prices", &[height], 32)));
    json.key("prices").list(|json| {
        for (id, (pair, price)) in (0u64..).zip(PRICES) {
            let moved = price + price / 100_000 * (height % 977);
            json.object(|json| {
                json.field("currency_pair", pair).number("price", moved).number("decimals", 8);
                json.number("nonce", l1_height / 2).number("currency_pair_id", id);
            });
        }
    });
    json.number("l1_block_height", l1_height).number("l1_block_time", view.clock.nanos_after(height, 0));
    json.field("proof", &base64(derive::filler("oracle proof", &[height], 240)));
    json.key("proof_height").object(|json| {
        json.number("revision_number", 1).number("revision_height", l1_height + 1);
    });
}

fn bridge_info(view: &RenderView<'_>, json: &mut Json) {
    json.number("bridge_id", view.world.catalogue.bridge_id);
    json.field("bridge_addr", &Address::Long(derive::bridge_account(view.world.catalogue.bridge_id)).bech32());
    json.field("l1_chain_id", L1_CHAIN_ID).field("l1_client_id", L1_CLIENT);
    let there = view.world.catalogue.channels[NFT_CHANNEL].there;
    let channels = format!(r#"{{"perm_channels":[{{"port_id":"nft-transfer","channel_id":"{there}"}}]}}"#);
    json.key("bridge_config").object(|json| {
        json.field("challenger", &view.role(PartyRole::Relayer).bech32)
            .field("proposer", &view.role(PartyRole::Admin).bech32);
        json.key("batch_info").object(|json| {
            json.field("submitter", &view.role(PartyRole::Executor).bech32).field("chain_type", "CELESTIA");
        });
        json.field("submission_interval", "60s").field("finalization_period", "604800s");
        json.field("submission_start_height", "1").value("oracle_enabled", "true");
        json.field("metadata", &base64(channels));
    });
}
