//! NFTs that leave and arrive through the ICS-721 contract.

use super::{
    base64,
    calls::single,
    contract::{execute, named, says},
    lower, nfts,
    requests::{collection, nft_uri},
};
use crate::demo::ledger::{
    common::{
        catalogue::NFT_CHANNEL,
        record::PartyId,
        render::{
            View,
            ibc::{bare_packet_event, packet_event, packet_fields},
            packet::{Letter, answer, foreign, wrapped, wrapped_answer},
            scribe::Scribe,
        },
        state::Fate,
    },
    json::Json,
    wasm::{
        catalogue::{BRIDGED_COLLECTION, COLLECTION_CODE, COLLECTIONS, TICKERS},
        record::Voyage,
        world::{self, Single},
    },
};

/// What the ICS-721 contract answers when it took an NFT in; modules say it in another byte.
const TAKEN: &str = r#"{"result":"MQ=="}"#;

/// The class as the sending side has it.
fn class(view: &View<'_>, voyage: &Voyage) -> String {
    let origin = COLLECTIONS.get(usize::from(voyage.collection)).and_then(|spec| spec.origin);
    let contract = &collection(view, voyage.collection).bech32;
    let channel = &view.world.catalogue.channels[NFT_CHANNEL];
    match (origin, voyage.is_outgoing) {
        (Some(_), true) => world::bridged_class(&single(view, Single::Ics721).address),
        (Some(origin), false) => origin.to_owned(),
        (None, true) => contract.to_string(),
        (None, false) => format!("{}/{}/{contract}", channel.port, channel.there),
    }
}

/// What is said of a collection: its name and ticker.
fn class_data(voyage: &Voyage) -> String {
    let place = usize::from(voyage.collection);
    let name = COLLECTIONS.get(place).map_or("", |spec| spec.name);
    let ticker = TICKERS.get(place).copied().unwrap_or_default();
    format!(r#"{{"name":"{name}","symbol":"{ticker}","num_tokens":null}}"#)
}

fn letter(view: &View<'_>, voyage: &Voyage) -> Letter {
    let channel = &view.world.catalogue.channels[NFT_CHANNEL];
    let local = view.party(voyage.local);
    let (here, there) = (local.bech32.to_string(), foreign(channel, local));
    let (sender, receiver) = if voyage.is_outgoing { (here, there) } else { (there, here) };
    let class = class(view, voyage);
    let mut json = Json::new();
    json.object(|json| {
        json.field("classId", &class).field("classData", &base64(class_data(voyage)));
        json.key("tokenIds").list(|json| {
            json.string(&voyage.id.to_string());
        });
        json.key("tokenUris").list(|json| {
            json.string(&nft_uri(voyage.collection, voyage.id));
        });
        json.field("sender", &sender).field("receiver", &receiver);
    });
    let timeout = match voyage.patience {
        Some(blocks) => view.clock.nanos_after(voyage.sent + u64::from(blocks), 0),
        None => view.clock.nanos_after(voyage.sent, 600),
    };
    Letter {
        channel,
        port_here: world::nft_port(&single(view, Single::Ics721).address),
        outgoing: voyage.is_outgoing,
        sequence: voyage.sequence,
        data: json.finish(),
        timeout,
        sender,
        receiver,
        memo: String::new(),
        denom: class,
    }
}

/// What the ICS-721 contract is asked with a token that shall leave.
pub(super) fn order(view: &View<'_>, voyage: &Voyage) -> String {
    let letter = letter(view, voyage);
    let mut json = Json::new();
    json.object(|json| {
        json.field("receiver", &letter.receiver).field("channel_id", letter.channel.id);
        json.key("timeout").object(|json| {
            json.value("block", "null").number("timestamp", letter.timeout);
        });
        json.value("memo", "null");
    });
    json.finish()
}

/// The fields of a relayer's message: what arrives, or the answer to what left; `None` is an arrival.
pub(super) fn fields(view: &View<'_>, json: &mut Json, signer: PartyId, voyage: &Voyage, fate: Option<Fate>) {
    let letter = letter(view, voyage);
    match fate {
        None => packet_fields(view, json, &letter, ["proof_commitment", ""], signer),
        Some(Fate::Expired) => packet_fields(view, json, &letter, ["proof_unreceived", ""], signer),
        Some(fate) => {
            let answer = wrapped_answer(fate == Fate::Accepted);
            packet_fields(view, json, &letter, ["proof_acked", &answer], signer);
        }
    }
}

/// The events of the ICS-721 contract when it was given a token that shall leave.
pub(super) fn sent(view: &View<'_>, scribe: &mut Scribe, voyage: &Voyage) {
    let bridge = single(view, Single::Ics721);
    let letter = letter(view, voyage);
    let said = vec![
        ("method", "execute_receive_nft".to_owned()),
        ("token_id", voyage.id.to_string()),
        ("class_id", letter.denom.clone()),
        ("class_data", format!("Binary({})", lower(class_data(voyage)))),
        ("channel_id", letter.channel.id.to_owned()),
    ];
    execute(scribe, bridge);
    says(scribe, bridge, said);
    bare_packet_event(scribe, "send_packet", &letter, true, Vec::new());
}

/// The events of an arrival.
pub(super) fn received(view: &View<'_>, scribe: &mut Scribe, voyage: &Voyage) {
    let letter = letter(view, voyage);
    let bridge = single(view, Single::Ics721);
    packet_event(scribe, "recv_packet", &letter, true, Vec::new());
    let is_home = voyage.collection != BRIDGED_COLLECTION;
    let said = vec![
        ("method", "receive_ibc_packet".to_owned()),
        ("nft_contract", collection(view, voyage.collection).bech32.to_string()),
        ("is_redemption", is_home.to_string()),
        ("class_id", letter.denom.clone()),
        ("local_channel", letter.channel.id.to_owned()),
        ("counterparty_channel", letter.channel.there.to_owned()),
    ];
    says(scribe, bridge, said);
    execute(scribe, bridge);
    execute(scribe, bridge);
    if is_home {
        redeem(view, scribe, voyage);
    } else {
        create(view, scribe, voyage);
    }
    scribe.emit("reply", vec![("_contract_address", bridge.bech32.to_string())]);
    let mut said = vec![("module", "wasm".to_owned()), ("_contract_address", bridge.bech32.to_string())];
    said.push(("success", "true".to_owned()));
    scribe.emit("ibc_packet_received", said);
    let ack = wrapped(TAKEN, true);
    let hex = lower(&ack);
    packet_event(scribe, "write_acknowledgement", &letter, true, vec![("packet_ack", ack), ("packet_ack_hex", hex)]);
}

fn method(view: &View<'_>, scribe: &mut Scribe, name: &str) {
    says(scribe, single(view, Single::Ics721), vec![("method", name.to_owned())]);
}

/// What the contract says of a class and its tokens.
fn vouchers(view: &View<'_>, scribe: &mut Scribe, kind: &'static str, class: String, voyage: &Voyage, ids: String) {
    let contract = collection(view, voyage.collection).bech32.to_string();
    let said = vec![("class_id", class), ("nft_contract", contract), ("token_ids", ids)];
    named(scribe, kind, single(view, Single::Ics721), said);
}

/// A token that had left comes out of the contract's keeping.
fn redeem(view: &View<'_>, scribe: &mut Scribe, voyage: &Voyage) {
    let bridge = single(view, Single::Ics721);
    method(view, scribe, "callback_redeem_vouchers");
    let class = collection(view, voyage.collection).bech32.to_string();
    let ids = format!("[TokenId(\"{}\")]", voyage.id);
    vouchers(view, scribe, "wasm-ics721_receive_redeem_vouchers", class, voyage, ids);
    nfts::give(view, scribe, voyage.collection, voyage.id, [bridge, view.party(voyage.local)]);
    execute(scribe, bridge);
    method(view, scribe, "callback_redeem_outgoing_channel_entries");
}

/// A token of the L1's class is made here; the first one brings its collection along.
fn create(view: &View<'_>, scribe: &mut Scribe, voyage: &Voyage) {
    let bridge = single(view, Single::Ics721);
    let class = world::bridged_class(&bridge.address);
    method(view, scribe, "callback_create_vouchers");
    let uri = nft_uri(voyage.collection, voyage.id);
    let ids = format!("[Token {{ id: TokenId(\"{}\"), uri: Some(\"{uri}\"), data: None }}]", voyage.id);
    vouchers(view, scribe, "wasm-ics721_receive_create_vouchers", class.clone(), voyage, ids);
    if voyage.is_first {
        let contract = collection(view, voyage.collection);
        let code = ("code_id", COLLECTION_CODE.to_string());
        named(scribe, "instantiate", contract, vec![code]);
        let maker = bridge.bech32.to_string();
        says(scribe, contract, vec![("minter", maker.clone()), ("creator", maker)]);
        named(scribe, "reply", bridge, Vec::new());
        let said = vec![("method", "instantiate_cw721_reply".to_owned()), ("class_id", class)];
        says(scribe, bridge, [said, vec![("cw721_addr", contract.bech32.to_string())]].concat());
    }
    execute(scribe, bridge);
    method(view, scribe, "callback_mint");
    nfts::mint(view, scribe, voyage.collection, voyage.id, view.party(voyage.local));
    execute(scribe, bridge);
    method(view, scribe, "callback_save_incoming_channel_entries");
}

/// The events of the answer to what left.
pub(super) fn answered(view: &View<'_>, scribe: &mut Scribe, voyage: &Voyage, fate: Fate) {
    let letter = letter(view, voyage);
    let bridge = single(view, Single::Ics721);
    let kind = if fate == Fate::Expired { "timeout_packet" } else { "acknowledge_packet" };
    packet_event(scribe, kind, &letter, false, Vec::new());
    let ids = ("token_ids", format!("[TokenId(\"{}\")]", voyage.id));
    if fate == Fate::Accepted {
        let said = vec![
            ("method", "acknowledge".to_owned()),
            ("sender", letter.sender),
            ("receiver", letter.receiver),
            ("classId", letter.denom),
            ids,
        ];
        says(scribe, bridge, said);
        if voyage.collection == BRIDGED_COLLECTION {
            nfts::burn(view, scribe, voyage.collection, voyage.id, bridge);
        }
        return;
    }
    let error = if fate == Fate::Expired { "packet timeout" } else { answer(false) };
    let said = vec![
        ("method", "handle_packet_fail".to_owned()),
        ids,
        ("class_id", letter.denom),
        ("channel_id", letter.channel.id.to_owned()),
        ("address_refunded", letter.sender),
        ("error", error.to_owned()),
    ];
    says(scribe, bridge, said);
    nfts::give(view, scribe, voyage.collection, voyage.id, [bridge, view.party(voyage.local)]);
}
