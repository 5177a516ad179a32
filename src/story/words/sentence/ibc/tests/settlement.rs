//! Who was credited, where a packet went on, and what goes back: by the events, not by the packet.

use sha2::{Digest, Sha256};

use super::*;
use crate::domain::Address;

#[test]
fn ibc2_forward_elsewhere() {
    let forward = r#"{"forward":{"receiver":"osmo1r","channel":"channel-5","next":{"forward":{"receiver":"noble1r","channel":"channel-6"}}}}"#;
    let onward = |channel: &str, receiver: &str| {
        let mut data = coins("", "uinit");
        data["receiver"] = json!(receiver);
        let (_, event) = packet([channel, "channel-1"], &data);
        said(&credited(&coins(forward, "uinit"), &[("send_packet", event)]))
    };
    let arrival = "1 INIT arrived from interwoven-1: A → B (packet #8)";
    let as_asked = format!("{arrival}, passing through to osmo1r over channel-5 and on to noble1r over channel-6.");
    assert_eq!(onward("channel-5", "osmo1r"), as_asked);
    assert_eq!(onward("channel-7", "osmo1evil"), format!("{arrival}, passing through to osmo1evil over channel-7."));
    let unreadable = said(&credited(&coins(forward, "uinit"), &[("send_packet", json!({}))]));
    let waiting = format!("{arrival}; to be forwarded to osmo1r over channel-5 and on to noble1r over channel-6.");
    assert_eq!(unreadable, waiting);
}

#[test]
fn ibc2_json_note_credited_to_other() {
    let third = Address::Short([9; 20]).bech32();
    let to = |memo: &str, receiver: &str| {
        let event = ("fungible_token_packet", json!({"success": "true", "receiver": receiver}));
        said(&received(&coins(memo, "uinit"), DONE, &[minted(), event]))
    };
    let note = r#"{"note":"thanks"}"#;
    let arrival = "1 INIT arrived from interwoven-1: A → B (packet #8)";
    let lacks = "B asked to deliver packet #8 from interwoven-1 (1 INIT for B); the record has no event of a credit.";
    assert_eq!(to(note, &third), lacks);
    assert!(to(note, BOB).starts_with(arrival));
    let call = r#"{"evm":{"message":{"contract_addr":"0x4eb08d5c1b0a821303a86c7b3ac805c2793de783","input":""}}}"#;
    let forward = r#"{"forward":{"receiver":"osmo1r","channel":"channel-5"}}"#;
    let acting = |module: &str, length: usize| {
        let hash = Sha256::new().chain_update(Sha256::digest(module)).chain_update(format!("channel-0/{ALICE}"));
        Address::from_bytes(&hash.finalize()[..length]).expect("an account").bech32()
    };
    let accounts = [(call, acting("ibc-evm-hook-intermediary", 32)), (forward, acting("packetfowardmiddleware", 20))];
    let passing = to(forward, &accounts[1].1);
    let through = format!("1 INIT arrived from interwoven-1: A → {} (packet #8); to be forwarded", accounts[1].1);
    assert!(passing.starts_with(&through), "{passing}");
    assert!(to(call, &accounts[0].1).starts_with(arrival), "it acts for the sender");
    for (memo, _) in &accounts {
        assert!(to(memo, BOB).starts_with(arrival), "{memo}");
        assert_eq!(to(memo, &third), lacks, "{memo}");
    }
    assert_eq!(to(forward, &accounts[0].1), lacks, "a forward makes another account than a call");
    let callback = r#"{"wasm":{"async_callback":"init1c"}}"#;
    assert_eq!(to(callback, &acting("ibc-wasm-hook-intermediary", 32)), lacks, "a callback runs elsewhere");
}

#[test]
fn ibc2_nft_received_by_other() {
    let zero = "0".repeat(64);
    let third = Address::Short([9; 20]).bech32();
    let minted = |to: &str| {
        let to: Address = to.parse().expect("an account");
        let transfer = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";
        let topics = [transfer, &format!("0x{zero}"), &format!("0x{:0>64}", &to.hex()[2..]), &format!("0x{:064x}", 7)];
        let log = json!({"address": format!("0x{:0>40}", 9), "topics": topics, "data": "0x"});
        ("evm", json!({"log": log.to_string()}))
    };
    let packet = |to: &str| ("non_fungible_token_packet", json!({"success": "true", "receiver": to}));
    let told = |events: &[(&str, Value)]| {
        let tx = received(&nfts(&["7"]), DONE, events);
        (said(&tx), text_of(&story(&tx).bridge[0].phrases, Style::Exact))
    };
    let (sentence, bridge) = told(&[minted(BOB), packet(BOB)]);
    assert_eq!(sentence, "NFT “Reef” #7 arrived from interwoven-1 for B (packet #8).");
    assert!(bridge.ends_with("minted here as a voucher"), "{bridge}");
    let others = [vec![minted(&third), packet(&third)], vec![packet(&third)], vec![minted(&third), packet(BOB)]];
    for events in others {
        let (sentence, bridge) = told(&events);
        assert!(sentence.ends_with("; the record has no event of a credit."), "{sentence}");
        assert!(bridge.ends_with("received; no event shows a credit"), "{bridge}");
    }
}

#[test]
fn ibc2_nft_timeout_no_refund() {
    let (packet, event) = packet(["channel-0", "channel-66"], &nfts(&["7"]));
    let told = |more: &[(&str, Value)]| {
        let message = core("channel.v1.MsgTimeout", &json!({"packet": packet, "signer": BOB}));
        let events: Vec<_> = [("timeout_packet", event.clone())].into_iter().chain(more.iter().cloned()).collect();
        let tx = record(&[message], &events);
        (said(&tx), text_of(&story(&tx).bridge[0].phrases, Style::Exact))
    };
    let (sentence, bridge) = told(&[("evm", json!({}))]);
    assert!(sentence.ends_with("of A was due back, but the record has no refund event."), "{sentence}");
    assert!(bridge.ends_with("timed out; no event shows a refund here"), "{bridge}");
    let (sentence, bridge) = told(&[("timeout", json!({"refund_receiver": ALICE}))]);
    assert_eq!(sentence, "Packet #8 timed out; NFT “Reef” #7 returned to A.");
    assert!(bridge.ends_with("timed out and refunded here"), "{bridge}");
}

#[test]
fn ibc2_ica_refused() {
    let messages = received(&json!({"type": "TYPE_EXECUTE_TX", "data": "AA==", "memo": ""}), NO, &[]);
    let told = "A packet with messages for an interchain account from interwoven-1 (packet #8) was refused.";
    assert_eq!(said(&messages), told);
    assert!(text_of(&story(&messages).bridge[0].phrases, Style::Exact).ends_with(", refused here"));
    let why = story(&messages).explanation.expect("a reason").text;
    assert!(why.ends_with("see events for details”)."), "{why}");
}

#[test]
fn ibc2_other_refused() {
    let other = received(&json!([1, 2]), NO, &[]);
    assert_eq!(said(&other), "A packet from interwoven-1 (packet #8) was refused.");
    let tokens = received(&coins("", "uinit"), NO, &[]);
    assert!(said(&tokens).ends_with("; the source chain must refund the sender."));
    assert!(story(&tokens).explanation.expect("a reason").text.ends_with("; the source chain must refund the sender."));
}
