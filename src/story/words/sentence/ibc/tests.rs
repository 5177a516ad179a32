mod clients;
mod settlement;

use base64::{Engine, engine::general_purpose::STANDARD};
use serde_json::{Value, json};

use crate::{
    story::{
        movement::bridge::{BridgeIdentity, PacketWay},
        words::{
            phrase::{SentenceKind, Style, text_of},
            sentence::test_records::{ALICE, BOB, failed, init, record, said, short, story},
        },
    },
    wire::Tx,
};

/// Ends of the test channel: `channel-0` on the rollup, `channel-66` on the L1.
const ENDS: [&str; 2] = ["channel-66", "channel-0"];

/// End of a sentence without the message's usual events.
const LACKS: &str = "; the record has no such event.";

fn of(message: Value) -> String {
    said(&record(&[message], &[]))
}

fn with(message: Value, events: &[(&str, Value)]) -> String {
    said(&record(&[message], events))
}

fn core(name: &str, fields: &Value) -> Value {
    let mut message = fields.clone();
    message["@type"] = json!(format!("/ibc.core.{name}"));
    message
}

fn coins(memo: &str, path: &str) -> Value {
    json!({"denom": path, "amount": "1000000", "sender": ALICE, "receiver": BOB, "memo": memo})
}

fn nfts(ids: &[&str]) -> Value {
    json!({"classId": "move/ab", "classUri": "", "classData": STANDARD.encode(r#"{"name":"Reef"}"#), "tokenIds": ids,
           "tokenUris": [], "sender": ALICE, "receiver": BOB, "memo": ""})
}

/// Returns a packet in message form, and the attributes of its events.
fn packet([source, destination]: [&str; 2], data: &Value) -> (Value, Value) {
    let text = data.to_string();
    let message = json!({"sequence": "8", "source_port": "transfer", "source_channel": source,
                         "destination_port": "transfer", "destination_channel": destination,
                         "data": STANDARD.encode(&text)});
    let event = json!({"packet_sequence": "8", "packet_src_port": "transfer", "packet_src_channel": source,
                       "packet_dst_port": "transfer", "packet_dst_channel": destination,
                       "packet_data_hex": alloy_primitives::hex::encode(&text)});
    (message, event)
}

fn answered(event: &Value, answer: &str) -> (&'static str, Value) {
    let mut event = event.clone();
    event["packet_ack"] = json!(answer);
    ("write_acknowledgement", event)
}

/// Returns the application's event about an accepted packet.
fn taken(data: &Value) -> (&'static str, Value) {
    let kind = if data.get("tokenIds").is_some() { "non_fungible_token_packet" } else { "fungible_token_packet" };
    (kind, json!({"success": "true"}))
}

/// Returns a transaction with a received and credited packet.
fn credited(data: &Value, more: &[(&str, Value)]) -> Tx {
    let events: Vec<(&str, Value)> = [minted(), taken(data)].into_iter().chain(more.iter().cloned()).collect();
    received(data, DONE, &events)
}

/// Returns a movement beside the application's event, which alone is a claim.
fn minted() -> (&'static str, Value) {
    ("coinbase", json!({"minter": BOB, "amount": "1000000ibc/00"}))
}

/// Returns a transaction with a received packet and this acknowledgement.
fn received(data: &Value, answer: &str, more: &[(&str, Value)]) -> Tx {
    let (packet, event) = packet(ENDS, data);
    let message = core("channel.v1.MsgRecvPacket", &json!({"packet": packet, "signer": BOB}));
    let mut events = vec![("recv_packet", event.clone())];
    events.extend(more.iter().cloned());
    events.push(answered(&event, answer));
    record(&[message], &events)
}

fn sent(memo: &str, channel: &str) -> Tx {
    let message = json!({"@type": "/ibc.applications.transfer.v1.MsgTransfer", "source_port": "transfer",
                         "source_channel": channel, "sender": ALICE, "receiver": BOB, "token": init(1_000_000),
                         "memo": memo});
    let (_, event) = packet([channel, "channel-66"], &coins(memo, "uinit"));
    record(&[message], &[("send_packet", event)])
}

fn way(tx: &Tx) -> PacketWay {
    match &story(tx).bridge[0].identity {
        BridgeIdentity::Packet { way, .. } => *way,
        other => panic!("{other:?} is no packet"),
    }
}

const DONE: &str = r#"{"result":"AQ=="}"#;
const NO: &str = r#"{"error":"ABCI code: 5: error handling packet: see events for details"}"#;

#[test]
fn what_is_sent_says_where_to_and_what_is_asked_for_there() {
    assert_eq!(said(&sent("", "channel-0")), "A sent 1 INIT to B on interwoven-1 (channel-0, packet #8).");
    assert_eq!(said(&sent("", "channel-9")), "A sent 1 INIT to B over channel-9 (packet #8).");
    let channel = STANDARD.encode("\u{a}channel-59");
    let cases = [
        ("lunch", " with the memo “lunch”".to_owned()),
        (r#"{"opinit":"CgA="}"#, "; it carries a signed transaction for the rollup".to_owned()),
        (r#"{"wasm":{"async_callback":"init1c"}}"#, " with a callback to init1c".to_owned()),
        (
            r#"{"evm":{"message":{"contract_addr":"0x4eb08d5c1b0a821303a86c7b3ac805c2793de783","input":"0xa9059cbb00"}}}"#,
            "; with an EVM call there of transfer() on 0x4eb08D5c1B0A821303A86C7b3AC805c2793dE783".to_owned(),
        ),
        (
            r#"{"evm":{"message":{"contract_addr":"0x4eb08d5c1b0a821303a86c7b3ac805c2793de783","input":""},
                "async_callback":{"id":1,"contract_address":"0xab"}}}"#,
            "; with an EVM call there of 0x4eb08D5c1B0A821303A86C7b3AC805c2793dE783, with a callback to 0xab".to_owned(),
        ),
        (
            r#"{"move":{"message":{"module_address":"0x1","module_name":"dex","function_name":"swap_script"}}}"#,
            "; with a Move call there of 0x1::dex::swap_script".to_owned(),
        ),
        (
            r#"{"wasm":{"message":{"contract":"init1c","msg":{"swap":{}}}}}"#,
            "; with a call there of swap on init1c".to_owned(),
        ),
        (
            r#"{"forward":{"receiver":"osmo1r","port":"transfer","channel":"channel-5",
                "next":{"forward":{"receiver":"noble1r","channel":"channel-6","next":"{\"wasm\":{\"contract\":\"osmo1c\",\"msg\":{\"go\":{}}}}"}}}}"#,
            "; to be forwarded from there to osmo1r over channel-5 and on to noble1r over channel-6; with a call there of go on osmo1c".to_owned(),
        ),
    ];
    for (memo, told) in cases {
        let begin = "A sent 1 INIT to B on interwoven-1 (channel-0, packet #8)";
        assert_eq!(said(&sent(memo, "channel-0")), format!("{begin}{told}."), "{memo}");
    }
    let onward = format!(
        r#"{{"move":{{"message":{{"module_address":"0x1","module_name":"a","function_name":"nft_transfer","args":["{channel}"]}}}}}}"#
    );
    assert!(said(&sent(&onward, "channel-0")).ends_with("; with a Move call there that forwards it over channel-59."));
}

#[test]
fn what_is_sent_is_one_move_over_a_bridge() {
    let tx = sent("", "channel-0");
    let told = &story(&tx).bridge[0];
    assert_eq!((way(&tx), told.counterparty.as_deref()), (PacketWay::Sent, Some("interwoven-1")));
    let text = short(&text_of(&told.phrases, Style::Exact));
    let line = "1 INIT to B on interwoven-1: packet #8 of transfer/channel-0 → transfer/channel-66, sent; left for \
                interwoven-1, this record does not show its arrival";
    assert_eq!(text, line, "nothing shows an escrow");
    let home = coins("", "transfer/channel-0/uinit");
    let (_, event) = packet(["channel-0", "channel-66"], &home);
    let spent = ("coin_spent", json!({"spender": ALICE, "amount": "1000000uinit"}));
    let tx = record(&[json!({"@type": "/a.MsgOdd"})], &[spent, ("send_packet", event)]);
    let text = text_of(&story(&tx).bridge[0].phrases, Style::Exact);
    let end = ", burned here; left for interwoven-1, this record does not show its arrival";
    assert!(text.starts_with("1 INIT to ") && text.ends_with(end), "{text}");
}

#[test]
fn what_arrives_is_told_with_what_came_of_it() {
    let tx = credited(&coins("", "uinit"), &[]);
    assert_eq!(said(&tx), "1 INIT arrived from interwoven-1: A → B (packet #8).");
    assert_eq!(way(&tx), PacketWay::Received);
    let moved = ("coin_received", json!({"receiver": BOB, "amount": "1000000uinit"}));
    let home = credited(&coins("", "transfer/channel-66/uinit"), &[moved]);
    assert_eq!(said(&home), "1 INIT arrived from interwoven-1: A → B (packet #8).", "what had left came home");
    assert!(text_of(&story(&home).bridge[0].phrases, Style::Exact).ends_with("released from escrow here"));
    let forward = r#"{"forward":{"receiver":"osmo1r","channel":"channel-5"}}"#;
    let arrival = "1 INIT arrived from interwoven-1: A → B (packet #8)";
    let waiting = said(&credited(&coins(forward, "uinit"), &[]));
    assert_eq!(waiting, format!("{arrival}; to be forwarded to osmo1r over channel-5."));
    let call = r#"{"evm":{"message":{"contract_addr":"0x4eb08d5c1b0a821303a86c7b3ac805c2793de783","input":""}}}"#;
    let ran = ("call", json!({"contract": "0x4eb08D5c1B0A821303A86C7b3AC805c2793dE783"}));
    let called = said(&credited(&coins(call, "uinit"), &[ran]));
    assert!(called.starts_with(&format!("{arrival}, and the attached call ")), "{called}");
    let asked =
        "; it requests a call of 0x4eb08D5c1B0A821303A86C7b3AC805c2793dE783 here; no event shows that the call ran.";
    assert_eq!(said(&credited(&coins(call, "uinit"), &[])), format!("{arrival}{asked}"));
    let back = json!({"receiver": BOB, "ibc_denom": "ibc/00", "amount": "1000000"});
    let migrated = credited(&coins("", "uinit"), &[("handle_migrated_token_deposit", back)]);
    assert!(said(&migrated).ends_with("(packet #8) and became its bridged form for B."));
}

#[test]
fn what_nothing_shows_to_have_been_credited_did_not_arrive() {
    let bare = received(&coins("", "uinit"), DONE, &[]);
    let told = "B asked to deliver packet #8 from interwoven-1 (1 INIT for B); the record has no event of a credit.";
    assert_eq!(said(&bare), told);
    assert!(!story(&bare).changes.is_conserved);
    let text = text_of(&story(&bare).bridge[0].phrases, Style::Exact);
    assert!(text.ends_with(", received; no event shows a credit"), "{text}");
    let undone = ("fungible_token_packet", json!({"success": "false"}));
    assert_eq!(said(&received(&coins("", "uinit"), DONE, &[undone])), told);
}

#[test]
fn what_came_is_read_from_the_event_and_not_from_the_message() {
    let (packet, _) = packet(ENDS, &coins("", "uinit"));
    let mut more = coins("", "uinit");
    (more["amount"], more["receiver"]) = (json!("9000000"), json!(ALICE));
    let (_, event) = self::packet(ENDS, &more);
    let message = core("channel.v1.MsgRecvPacket", &json!({"packet": packet, "signer": BOB}));
    let events = [("recv_packet", event.clone()), minted(), taken(&more), answered(&event, DONE)];
    assert_eq!(with(message, &events), "9 INIT arrived from interwoven-1: A → A (packet #8).");
    let message = json!({"@type": "/ibc.applications.transfer.v1.MsgTransfer", "source_port": "transfer",
                         "source_channel": "channel-0", "sender": ALICE, "receiver": BOB, "token": init(1_000_000)});
    let (_, event) = self::packet(["channel-0", "channel-66"], &more);
    let told = with(message.clone(), &[("send_packet", event)]);
    assert_eq!(told, "A sent 9 INIT to A on interwoven-1 (channel-0, packet #8).");
    assert_eq!(of(message), format!("A asked to send 1 INIT to B on interwoven-1 (channel-0){LACKS}"));
}

#[test]
fn a_coin_that_calls_itself_like_the_native_one_is_not_it() {
    let ends = ["channel-9", "channel-77"];
    let data = coins("", "uinit");
    let (packet, event) = packet(ends, &data);
    let message = core("channel.v1.MsgRecvPacket", &json!({"packet": packet, "signer": BOB}));
    let events = [("recv_packet", event.clone()), minted(), taken(&data), answered(&event, DONE)];
    let told = with(message, &events);
    assert!(told.starts_with("1000000 ibc/") && !told.contains("INIT"), "{told}");
    assert!(told.contains(" arrived over channel-77: "), "{told}");
    assert!(told.ends_with("; the token is named “uinit” at its origin."), "{told}");
    // Two hops from the L1 its origin is unknown.
    let far = credited(&coins("", "transfer/channel-1/uinit"), &[]);
    assert!(!said(&far).contains("INIT"), "{}", said(&far));
}

#[test]
fn words_of_strangers_stand_in_quotes() {
    let hostile = "B on interwoven-1. Then C sent 5 INIT to A";
    let mut data = coins("”. Then C sent 5 INIT to “A", "uinit");
    data["receiver"] = json!(hostile);
    let (_, event) = packet(["channel-0", "channel-66"], &data);
    let message = json!({"@type": "/ibc.applications.transfer.v1.MsgTransfer", "source_port": "transfer",
                         "source_channel": "channel-0", "sender": ALICE, "receiver": hostile, "token": init(1_000_000)});
    let told = with(message, &[("send_packet", event)]);
    let quotes = "A sent 1 INIT to an unreadable recipient, “B on interwoven-1. Then C sent 5 INIT to A” on interwoven-1 \
                  (channel-0, packet #8) with the memo “\". Then C sent 5 INIT to \"A”.";
    assert_eq!(told, quotes);
}

#[test]
fn what_is_refused_says_that_it_goes_back_and_why_is_said_once() {
    let plain = received(&coins("", "uinit"), NO, &[]);
    assert_eq!(way(&plain), PacketWay::Refused);
    let refused = "1 INIT from interwoven-1 was refused: A → B (packet #8); the source chain must refund the sender.";
    assert_eq!(said(&plain), refused);
    let why = story(&plain).explanation.expect("a reason").text;
    assert!(why.contains("(“ABCI code: 5: error handling packet: see events for details”)"), "{why}");
    let undone = json!({"ibccallbackerror-success": "false", "ibccallbackerror-error": "B may not receive"});
    let event = received(&coins("", "uinit"), NO, &[("fungible_token_packet", undone)]);
    assert_eq!(said(&event), refused);
    let why = story(&event).explanation.expect("a reason").text;
    assert!(why.contains("(“B may not receive”)"), "the module's own reason tells more: {why}");
}

#[test]
fn nfts_and_other_packets_are_told() {
    let tx = credited(&nfts(&["1", "2"]), &[]);
    assert_eq!(said(&tx), "NFTs “Reef” #1 and #2 arrived from interwoven-1 for B (packet #8).");
    let many = credited(&nfts(&["1", "2", "3", "4", "5", "6"]), &[]);
    assert!(said(&many).starts_with("NFTs “Reef” #1, #2, #3, #4 and 2 more arrived"), "{}", said(&many));
    assert!(said(&received(&nfts(&["1"]), DONE, &[])).contains("no event of a credit"));
    // Any contract may have a channel and report anything about it.
    let text = serde_json::to_string(&tx).unwrap();
    let text = text.replace(r#""destination_port":"transfer""#, r#""destination_port":"wasm.init1x""#);
    let text = text.replace(r#""packet_dst_port","value":"transfer""#, r#""packet_dst_port","value":"wasm.init1x""#);
    let taken: Tx = serde_json::from_str(&text).unwrap();
    assert!(said(&taken).ends_with(" for B (packet #8), as the contract reports."), "{}", said(&taken));
    assert_eq!(story(&taken).sentences[0].kind, SentenceKind::Reported);
    let messages = received(&json!({"type": "TYPE_EXECUTE_TX", "data": "AA==", "memo": ""}), DONE, &[]);
    assert_eq!(
        said(&messages),
        "A packet with messages for an interchain account arrived from interwoven-1 (packet #8)."
    );
    let other = received(&json!([1, 2]), DONE, &[]);
    assert_eq!(said(&other), "A packet arrived from interwoven-1 (packet #8).");
    assert_eq!(way(&other), PacketWay::Received);
    let send = json!({"@type": "/ibc.applications.nft_transfer.v1.MsgTransfer", "source_port": "nft-transfer",
                      "source_channel": "channel-7", "class_id": "move/ab", "token_ids": ["1"], "sender": ALICE,
                      "receiver": BOB, "memo": ""});
    let (_, mut left) = packet(["channel-7", "channel-66"], &nfts(&["1"]));
    left["packet_src_port"] = json!("nft-transfer");
    let shown = with(send.clone(), &[("send_packet", left)]);
    assert_eq!(shown, "A sent NFT “Reef” #1 to B over channel-7 (packet #8).");
    assert_eq!(of(send.clone()), format!("A asked to send NFT 1 of move/ab to B over channel-7{LACKS}"));
    assert_eq!(said(&failed(&[send])), "A tried to send NFT 1 of move/ab to B over channel-7; it failed.");
}

#[test]
fn what_was_brought_before_did_nothing() {
    let (packet, _) = packet(ENDS, &coins("", "uinit"));
    let message = |name: &str| core(&format!("channel.v1.{name}"), &json!({"packet": packet, "signer": BOB}));
    let cases = [
        (
            "MsgRecvPacket",
            "B relayed packet #8 from interwoven-1 (1 INIT for B); no event shows an effect, so it was probably handled already.",
            "B tried to deliver packet #8 from interwoven-1 (1 INIT for B); it failed.",
        ),
        (
            "MsgAcknowledgement",
            "B relayed the answer to packet #8 over channel-66; no event shows an effect, so it was probably handled already.",
            "B tried to relay the answer to packet #8 over channel-66 (1 INIT, A → B); it failed.",
        ),
        (
            "MsgTimeout",
            "B relayed the timeout of packet #8 over channel-66; no event shows an effect, so it was probably handled already.",
            "B tried to relay the timeout of packet #8 over channel-66 (1 INIT, A → B); it failed.",
        ),
    ];
    for (name, was, tried) in cases {
        assert_eq!(of(message(name)), was);
        assert_eq!(said(&failed(&[message(name)])), tried);
    }
    let unread = core("channel.v1.MsgRecvPacket", &json!({"packet": {"sequence": []}, "signer": BOB}));
    assert_eq!(of(unread), "B relayed an unreadable packet.");
}

#[test]
fn answers_say_what_became_of_what_was_sent() {
    let (packet, event) = packet(["channel-0", "channel-66"], &coins("", "uinit"));
    let answer = |answer: &str, more: &[(&str, Value)]| {
        let fields = json!({"packet": packet, "acknowledgement": STANDARD.encode(answer), "signer": BOB});
        let mut events = vec![("acknowledge_packet", event.clone())];
        events.extend(more.iter().cloned());
        record(&[core("channel.v1.MsgAcknowledgement", &fields)], &events)
    };
    let done = answer(DONE, &[]);
    assert_eq!(
        said(&done),
        "interwoven-1 confirmed packet #8 with 1 INIT for B.",
        "only the application says who was reached"
    );
    assert_eq!(way(&done), PacketWay::Acknowledged);
    let wrapped = format!(r#"{{"app_acknowledgement":"{}","underlying_app_success":false}}"#, STANDARD.encode(NO));
    let back = ("coin_received", json!({"receiver": ALICE, "amount": "1000000uinit"}));
    let refused = answer(&wrapped, std::slice::from_ref(&back));
    let begin = "interwoven-1 refused packet #8 (“ABCI code: 5: error handling packet: see events for details”)";
    let told = format!("{begin}; 1 INIT returned to A");
    assert_eq!(said(&refused), format!("{told}."));
    assert_eq!(way(&refused), PacketWay::Rejected);
    let lacking = answer(&wrapped, &[]);
    let lost = "; 1 INIT of A was due back, but the record has no refund event.";
    assert_eq!(said(&lacking), format!("{begin}{lost}"));
    let line = text_of(&story(&lacking).bridge[0].phrases, Style::Exact);
    assert!(line.ends_with("refused there; no event shows a refund here"), "{line}");
    // What carried a received packet on refuses that too, and nothing is due to the account between them.
    let (_, mut carried) = self::packet(ENDS, &coins("", "uinit"));
    carried["packet_sequence"] = json!("3");
    let with_it = "; packet #3 received over channel-0 is refused with it, so the source chain must refund the sender.";
    let passed_back = answer(&wrapped, &[answered(&carried, NO)]);
    assert_eq!(said(&passed_back), format!("{begin}{with_it}"));
    assert!(story(&passed_back).changes.is_conserved);
    let elsewhere = answer(&wrapped, &[answered(&carried, DONE)]);
    assert_eq!(said(&elsewhere), format!("{begin}{lost}"), "an acceptance is no refusal");
    let failed = json!({"reason": "ibc ack", "error": "out of gas"});
    let callback = answer(&wrapped, &[back, ("hook_failed", failed)]);
    assert_eq!(said(&callback), format!("{told}; the callback to the sender's contract failed: “out of gas”."));
    assert_eq!(said(&answer("{}", &[])), "interwoven-1 answered packet #8 in an unknown format.");
    // The application's own event determines parties and amount.
    let own = json!({"denom": "uinit", "amount": "2000000", "sender": BOB, "receiver": ALICE});
    assert_eq!(
        said(&answer(DONE, &[("fungible_token_packet", own)])),
        "interwoven-1 confirmed packet #8: 2 INIT reached A."
    );
}

#[test]
fn what_is_passed_on_has_not_reached_its_receiver() {
    let forward = r#"{"forward":{"receiver":"celestia1qqq","port":"transfer","channel":"channel-4"}}"#;
    let call = r#"{"wasm":{"message":{"contract":"init1c","msg":{"go":{}}}}}"#;
    for (memo, told) in [
        (forward, ": 1 INIT accepted there, to be passed on to celestia1qqq over channel-4."),
        (call, ": 1 INIT accepted there; with a call there of go on init1c."),
        (r#"{"odd":1}"#, ": 1 INIT accepted there with the memo “{\"odd\":1}”."),
        (r#"{"evm":{"async_callback":{"id":"7","contract_address":"0xab"}}}"#, ": 1 INIT reached B."),
        ("lunch", ": 1 INIT reached B."),
    ] {
        let data = coins(memo, "uinit");
        let (packet, event) = packet(["channel-0", "channel-66"], &data);
        let fields = json!({"packet": packet, "acknowledgement": STANDARD.encode(DONE), "signer": BOB});
        let own = json!({"denom": "uinit", "amount": "1000000", "sender": ALICE, "receiver": BOB});
        let events = [("acknowledge_packet", event), ("fungible_token_packet", own)];
        let tx = record(&[core("channel.v1.MsgAcknowledgement", &fields)], &events);
        assert_eq!(said(&tx), format!("interwoven-1 confirmed packet #8{told}"), "{memo}");
        let line = text_of(&story(&tx).bridge[0].phrases, Style::Exact);
        assert_eq!(line.contains("accepted there, to be passed on to celestia1qqq"), memo == forward, "{line}");
    }
}

#[test]
fn what_expired_came_back() {
    let (packet, event) = packet(["channel-0", "channel-66"], &coins("", "transfer/channel-0/uinit"));
    for name in ["MsgTimeout", "MsgTimeoutOnClose"] {
        let message = core(&format!("channel.v1.{name}"), &json!({"packet": packet, "signer": BOB}));
        let refund = json!({"receiver": ALICE, "amount": "1000000ibc/37A3FB4FED4CA04ED6D9E5DA36C6D27248645F0E22F585576A1488B8A89C5A50"});
        let tx = record(&[message], &[("timeout_packet", event.clone()), ("coin_received", refund)]);
        assert_eq!(said(&tx), "Packet #8 timed out; 1 INIT returned to A.");
        assert_eq!((way(&tx), story(&tx).bridge[0].search.as_deref()), (PacketWay::TimedOut, None));
    }
}

#[test]
fn packets_within_other_messages_are_moves_too() {
    let (packet, event) = packet(["channel-0", "channel-66"], &coins("", "uinit"));
    let inner = core("channel.v1.MsgTimeout", &json!({"packet": packet, "signer": BOB}));
    let exec = json!({"@type": "/cosmos.authz.v1beta1.MsgExec", "grantee": ALICE, "msgs": [inner]});
    let mut event = event;
    event["authz_msg_index"] = json!("0");
    let back = json!({"receiver": ALICE, "amount": "1000000uinit", "authz_msg_index": "0"});
    let tx = record(&[exec], &[("timeout_packet", event), ("coin_received", back)]);
    assert_eq!(said(&tx), "A, acting for B: Packet #8 timed out; 1 INIT returned to A.");
    assert!(text_of(&story(&tx).bridge[0].phrases, Style::Exact).starts_with("1 INIT to "));
}

#[test]
fn names_that_cannot_stand_in_a_query_give_none() {
    let (_, mut event) = packet(["channel-0", "channel-66"], &coins("", "uinit"));
    event["packet_src_port"] = json!("x' OR tx.height > '0");
    let tx = record(&[json!({"@type": "/a.MsgOdd"})], &[("send_packet", event)]);
    assert_eq!(story(&tx).bridge[0].search, None);
}

#[test]
fn clients_connections_and_channels_are_told() {
    let update = core("client.v1.MsgUpdateClient", &json!({"client_id": "07-tendermint-3", "signer": BOB}));
    let packet = json!({"client_id": "07-tendermint-3", "consensus_height": "1-99"});
    let tx = record(std::slice::from_ref(&update), &[("update_client", packet)]);
    assert_eq!(said(&tx), "Relayer updated IBC client 07-tendermint-3 to height 1-99.");
    assert!(story(&tx).sentences[0].is_noise);
    assert_eq!(of(update.clone()), format!("Relayer asked to update IBC client 07-tendermint-3{LACKS}"));
    assert_eq!(said(&failed(&[update])), "Relayer tried to update IBC client 07-tendermint-3; it failed.");
    let create = core("client.v1.MsgCreateClient", &json!({"client_state": {"chain_id": "moo-1"}, "signer": BOB}));
    let tx = record(&[create], &[("create_client", json!({"client_id": "07-tendermint-4"}))]);
    assert_eq!(said(&tx), "Relayer created IBC client 07-tendermint-4, whose chain calls itself moo-1.");
    let confirm = core("connection.v1.MsgConnectionOpenConfirm", &json!({"connection_id": "connection-3"}));
    let event = ("connection_open_confirm", json!({"connection_id": "connection-3"}));
    assert_eq!(with(confirm.clone(), &[event]), "Relayer opened connection-3.");
    assert_eq!(of(confirm), format!("Relayer asked to open connection-3{LACKS}"));
    let begin = core("connection.v1.MsgConnectionOpenInit", &json!({"client_id": "07-tendermint-3"}));
    let event = json!({"connection_id": "connection-3", "client_id": "07-tendermint-3"});
    let told = with(begin, &[("connection_open_init", event)]);
    assert_eq!(told, "Relayer began to open connection-3 over 07-tendermint-3.");
    let channel = |step: &str, id: &str| {
        core(&format!("channel.v1.MsgChannel{step}"), &json!({"port_id": "transfer", "channel_id": id}))
    };
    let shown = |step: &str, id: &str, kind| {
        with(channel(step, id), &[(kind, json!({"port_id": "transfer", "channel_id": id}))])
    };
    assert_eq!(
        shown("OpenAck", "channel-0", "channel_open_ack"),
        "Relayer opened channel-0 of port transfer to interwoven-1."
    );
    assert_eq!(
        shown("CloseConfirm", "channel-9", "channel_close_confirm"),
        "Relayer closed channel-9 of port transfer."
    );
    let other = shown("CloseConfirm", "channel-9", "channel_open_ack");
    assert_eq!(other, format!("Relayer asked to close channel-9 of port transfer{LACKS}"), "the event of another step");
}

#[test]
fn what_relayers_and_other_chains_arrange_is_told() {
    let account = "/ibc.applications.interchain_accounts.controller.v1.";
    let fee = json!({"recv_fee": [init(1_000_000)], "ack_fee": [init(500_000)], "timeout_fee": []});
    let id = json!({"port_id": "transfer", "channel_id": "channel-0", "sequence": "8"});
    let cases = [
        (
            format!("{account}MsgRegisterInterchainAccount"),
            json!({"owner": ALICE, "connection_id": "connection-0"}),
            "channel_open_init",
            ["registered", "register"],
            "an interchain account over connection-0",
        ),
        (
            format!("{account}MsgSendTx"),
            json!({"owner": ALICE, "connection_id": "connection-0"}),
            "send_packet",
            ["sent", "send"],
            "messages to its interchain account over connection-0",
        ),
        (
            "/ibc.applications.fee.v1.MsgPayPacketFee".to_owned(),
            json!({"signer": ALICE, "source_port_id": "transfer", "source_channel_id": "channel-0", "fee": fee}),
            "incentivized_ibc_packet",
            ["put up", "put up"],
            "at most 1.5 INIT for any relayer the next packet of channel-0",
        ),
        (
            "/ibc.applications.fee.v1.MsgPayPacketFeeAsync".to_owned(),
            json!({"packet_id": id, "packet_fee": {"fee": fee, "refund_address": ALICE}}),
            "incentivized_ibc_packet",
            ["put up", "put up"],
            "at most 1.5 INIT for any relayer packet #8 of channel-0",
        ),
        (
            "/ibc.applications.fee.v1.MsgRegisterPayee".to_owned(),
            json!({"relayer": ALICE, "payee": BOB, "channel_id": "channel-0"}),
            "register_payee",
            ["asked to have", "have"],
            "its fees over channel-0 paid to B",
        ),
        (
            "/ibc.applications.fee.v1.MsgRegisterCounterpartyPayee".to_owned(),
            json!({"relayer": ALICE, "counterparty_payee": "osmo1p", "channel_id": "channel-0"}),
            "register_counterparty_payee",
            ["asked to have", "have"],
            "its fees over channel-0 paid to osmo1p",
        ),
    ];
    for (kind, mut fields, event, [past, base], rest) in cases {
        fields["@type"] = json!(kind);
        assert_eq!(with(fields.clone(), &[(event, json!({}))]), format!("A {past} {rest}."));
        assert_eq!(of(fields), format!("A asked to {base} {rest}{LACKS}"));
    }
    assert_eq!(
        of(json!({"@type": "/ibc.core.client.v1.MsgRecoverClient", "signer": ALICE})),
        "A ran MsgRecoverClient."
    );
}

#[test]
fn forwarding_is_told_where_its_module_says_so() {
    let cases = [
        (
            "MsgRegisterAccount",
            json!({"recipient": BOB, "channel": "channel-3", "fallback": ""}),
            ["created", "create"],
            "a forwarding address to B over channel-3",
        ),
        ("MsgClearAccount", json!({"address": BOB}), ["sent on", "send on"], "the balance of the forwarding address B"),
        (
            "MsgSetAllowedDenoms",
            json!({"denoms": ["uusdc"]}),
            ["set", "set"],
            "the denoms allowed for forwarding: uusdc",
        ),
        ("MsgSetMemo", json!({"memo": "hello, B"}), ["set", "set"], "a memo for forwarding: “hello, B”"),
    ];
    for (name, mut fields, [past, base], rest) in cases {
        (fields["@type"], fields["signer"]) = (json!(format!("/noble.forwarding.v1.{name}")), json!(ALICE));
        let event = ("noble.forwarding.v1.AnEvent", json!({}));
        assert_eq!(with(fields.clone(), &[event]), format!("A {past} {rest}."));
        assert_eq!(of(fields.clone()), format!("A ran {name} (asking to {base} {rest})."));
        assert_eq!(said(&failed(&[fields])), format!("A tried to {base} {rest}; it failed."));
    }
}
