//! Packets of IBC v2, and what a packet proves of its receiver and its credit.

use super::*;

/// Returns a packet of IBC v2 in message form, and the attributes of its events.
fn packet_of_clients([source, destination]: [&str; 2], data: &Value) -> (Value, Value) {
    use crate::wire::proto::encode_message;
    let tokens = encode_message("ibc.applications.transfer.v1.FungibleTokenPacketData", &data.to_string()).unwrap();
    let payload = json!({"source_port": "transfer", "destination_port": "transfer", "version": "ics20-1",
                         "encoding": "application/x-protobuf", "value": STANDARD.encode(tokens)});
    let message = json!({"sequence": "8", "source_client": source, "destination_client": destination,
                         "timeout_timestamp": "1795451169", "payloads": [payload]});
    let encoded = encode_message("ibc.core.channel.v2.Packet", &message.to_string()).unwrap();
    let event = json!({"packet_sequence": "8", "packet_source_client": source, "packet_dest_client": destination,
                       "packet_timeout_timestamp": "1795451169",
                       "encoded_packet_hex": alloy_primitives::hex::encode(encoded)});
    (message, event)
}

fn answered_clients(event: &Value, answer: &[u8]) -> (&'static str, Value) {
    let mut event = event.clone();
    let list = json!({"app_acknowledgements": [STANDARD.encode(answer)]}).to_string();
    let list = crate::wire::proto::encode_message("ibc.core.channel.v2.Acknowledgement", &list).unwrap();
    event["encoded_acknowledgement_hex"] = json!(alloy_primitives::hex::encode(list));
    ("write_acknowledgement", event)
}

#[test]
fn packets_between_clients_are_told_like_those_of_channels() {
    const HERE: [&str; 2] = ["08-wasm-5", "07-tendermint-9"];
    let data = coins("", "uinit");
    let (message, event) = packet_of_clients(["07-tendermint-9", "08-wasm-5"], &data);
    let transfer = json!({"@type": "/ibc.applications.transfer.v1.MsgTransfer", "source_port": "transfer",
                          "source_channel": "07-tendermint-9", "sender": ALICE, "receiver": BOB, "token": init(1_000_000),
                          "memo": ""});
    let core = |name: &str, fields: Value| core(&format!("channel.v2.{name}"), &fields);
    let send = core(
        "MsgSendPacket",
        json!({"source_client": "07-tendermint-9", "signer": ALICE,
                                            "timeout_timestamp": "1795451169", "payloads": message["payloads"]}),
    );
    for message in [transfer, send] {
        let tx = record(&[message], &[("send_packet", event.clone())]);
        assert_eq!(said(&tx), "A sent 1 INIT to B over 07-tendermint-9 (packet #8).");
        assert_eq!(way(&tx), PacketWay::Sent);
    }
    let (message, event) = packet_of_clients(HERE, &data);
    let path = "transfer/07-tendermint-9/uinit";
    let voucher = crate::story::names::denoms::DenomTrace::of(path).denom();
    let credit = ("coin_received", json!({"receiver": BOB, "amount": format!("1000000{voucher}")}));
    let receive = core("MsgRecvPacket", json!({"packet": message, "signer": BOB}));
    let received = |answer: &[u8], more: &[(&str, Value)]| {
        let mut events = vec![("recv_packet", event.clone())];
        events.extend(more.iter().cloned());
        events.push(answered_clients(&event, answer));
        record(std::slice::from_ref(&receive), &events)
    };
    let tx = received(DONE.as_bytes(), &[credit, taken(&data)]);
    assert!(said(&tx).contains("arrived over 07-tendermint-9: A → B (packet #8)"), "{}", said(&tx));
    assert_eq!(way(&tx), PacketWay::Received);
    let refusal = alloy_primitives::hex!("4774d4a575993f963b1c06573736617a457abef8589178db8d10c94b4ab511ab");
    let tx = received(&refusal, &[]);
    assert_eq!(way(&tx), PacketWay::Refused);
    assert!(!story(&tx).partial.is_empty(), "a success with a refused packet");
    let (message, event) = packet_of_clients(["07-tendermint-9", "08-wasm-5"], &data);
    let back = ("coin_received", json!({"receiver": ALICE, "amount": "1000000uinit"}));
    let expire = core("MsgTimeout", json!({"packet": message, "signer": BOB}));
    let tx = record(&[expire], &[("timeout_packet", event.clone()), back.clone()]);
    assert_eq!(said(&tx), "Packet #8 timed out; 1 INIT returned to A.");
    for (answer, expected) in [(DONE.as_bytes(), PacketWay::Acknowledged), (&refusal, PacketWay::Rejected)] {
        let list = json!({"app_acknowledgements": [STANDARD.encode(answer)]});
        let tell = core("MsgAcknowledgement", json!({"packet": message, "acknowledgement": list, "signer": BOB}));
        assert_eq!(way(&record(&[tell], &[("acknowledge_packet", event.clone())])), expected);
    }
}

#[test]
fn a_receiver_elsewhere_is_told_as_the_packet_has_it() {
    for receiver in ["0x00000000000000000000000000000000000000aa", "cosmos1vqugprpqsjd8xhlzr4lxjqn7xa3w5x2x7v4x2q"] {
        let mut data = coins("", "uinit");
        data["receiver"] = json!(receiver);
        let message = json!({"@type": "/ibc.applications.transfer.v1.MsgTransfer", "source_port": "transfer",
                             "source_channel": "channel-0", "sender": ALICE, "receiver": receiver,
                             "token": init(1_000_000), "memo": ""});
        let (_, event) = packet(["channel-0", "channel-66"], &data);
        let tx = record(&[message], &[("send_packet", event)]);
        assert_eq!(said(&tx), format!("A sent 1 INIT to {receiver} on interwoven-1 (channel-0, packet #8)."));
        assert!(text_of(&story(&tx).bridge[0].phrases, Style::Exact).contains(receiver), "the bridge's line too");
    }
}

#[test]
fn an_arrival_that_only_the_application_claims_is_no_credit() {
    let data = coins("", "uinit");
    let claimed = received(&data, DONE, &[taken(&data)]);
    assert!(said(&claimed).contains("the record has no event of a credit"), "{}", said(&claimed));
    let path = "transfer/channel-0/uinit";
    let voucher = crate::story::names::denoms::DenomTrace::of(path).denom();
    let credit = ("coin_received", json!({"receiver": BOB, "amount": format!("1000000{voucher}")}));
    assert!(!said(&credited(&data, &[credit])).contains("no event of a credit"));
}
