//! Arrivals are told from their equals by the number that the chain before gave them: the L1 is asked for it.

use rollscope::{
    config::Network,
    domain::{ChainId, TransferRecord},
    msg::{Answer as Told, Instruction, Request},
    wire::{ApiError, ErrorKind},
};
use rstest::rstest;
use serde_json::{Value, json};

use super::{
    first_lines::{ME, PlayedServer, event, folder, indexed, mine, seconds},
    transfers::{Stage, hash, record, start, status},
};
use crate::harness::{Explorer, replay::Answer};

const NOT_SHOWN: &str = "The transfer goes to Far as deposit #44 of bridge 12; the index does not show it yet.";
const SENT_BACK: &str = "deposit #44 of bridge 12 without a credit: the funds go back";
const SOMEBODY: &str = "init1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqpqr5e3";

/// The attributes of an event that tell which packet it is about.
fn packet(sequence: &'static str) -> [(&'static str, &'static str); 5] {
    [
        ("packet_src_port", "transfer"),
        ("packet_src_channel", "channel-9"),
        ("packet_dst_port", "transfer"),
        ("packet_dst_channel", "channel-3"),
        ("packet_sequence", sequence),
    ]
}

/// The transaction of the L1 that sends on: a packet with this number to this account.
fn sent_packet(sequence: &'static str, to: &str) -> Value {
    let data = json!({"denom": "uusdc", "amount": "99900000", "sender": "init1middle", "receiver": to}).to_string();
    let mut attributes = packet(sequence).to_vec();
    attributes.push(("packet_data", &data));
    let message = json!({"@type": "/ibc.core.channel.v1.MsgRecvPacket"});
    indexed(&hash(2), "2026-01-31T12:00:31Z", &message, &[event("send_packet", &attributes)])
}

/// A transaction of the destination that brings a packet, which is taken or refused.
fn came_packet(sequence: &'static str, is_taken: bool) -> Value {
    let mut answer = packet(sequence).to_vec();
    answer.push(("packet_ack", if is_taken { r#"{"result":"AQ=="}"# } else { r#"{"error":"ABCI code: 5"}"# }));
    let mut events = vec![event("recv_packet", &packet(sequence)), event("write_acknowledgement", &answer)];
    if is_taken {
        events.push(event("coin_received", &[("receiver", ME), ("amount", "99800000uusdc")]));
    }
    let message = json!({"@type": "/ibc.core.channel.v1.MsgRecvPacket"});
    let number: u8 = sequence.parse().expect("a small number");
    indexed(&format!("{number:02X}").repeat(32), "2026-01-31T12:01:10Z", &message, &events)
}

#[rstest]
#[case::its_own(&[came_packet("43", true), came_packet("44", true)], "Arrived", "Far received packet #44 of channel-9: the sequence numbers match")]
#[case::an_equal_one(&[came_packet("43", true)], "On its way: hop 2 of 2", "The transfer goes to Far as packet #44 of channel-9; the index")]
#[case::refused(&[came_packet("44", false)], "On its way: hop 2 of 2", "packet #44 of channel-9 without a credit")]
fn a_packet_is_known_by_its_number(#[case] came: &[Value], #[case] first: &str, #[case] note: &str) {
    let (server, folder) = (PlayedServer::start("far-2"), folder());
    server.play().txs_of_l1 = vec![sent_packet("44", ME)];
    server.play().txs = came.to_vec();
    server.set(Stage::SecondHop);
    let explorer = server.opened(&mine(), folder.path());
    explorer.advance(seconds(20)).advance(seconds(20)).advance(seconds(20)).wait_for(first).press("g g").wait_for(note);
    assert_eq!(explorer.screen().contains("rrived"), first == "Arrived", "{}", explorer.screen());
    explorer.quit();
}

/// Without a number two equal arrivals for two equal transfers are nobody's; with it each has its own.
#[test]
fn of_two_equal_transfers_each_has_its_own() {
    let (server, folder) = (PlayedServer::start("far-2"), folder());
    let first = TransferRecord { label: "first".to_owned(), ..mine() };
    let other = TransferRecord { addresses: mine().addresses, label: "second".to_owned(), ..record(5) };
    let mut second = status(Stage::SecondHop);
    second["transfer_sequence"][0]["ibc_transfer"]["packet_txs"]["send_tx"]["tx_hash"] = hash(5).into();
    second["transfer_sequence"][1]["ibc_transfer"]["packet_txs"]["send_tx"]["tx_hash"] = hash(6).into();
    let mut sent_second = sent_packet("45", ME);
    sent_second["txhash"] = hash(6).into();
    server.play().txs_of_l1 = vec![sent_packet("44", ME), sent_second];
    server.play().txs = vec![came_packet("45", true)];
    server.play().statuses = vec![(hash(1), status(Stage::SecondHop)), (hash(5), second)];
    let explorer = server.board(&[first, other], folder.path());
    explorer.advance(seconds(20)).advance(seconds(20)).advance(seconds(20));
    explorer.wait_for("✓ arrived").wait_for("▶ moving");
    let screen = explorer.settle().screen();
    let line = |words: &str| screen.lines().find(|line| line.contains(words)).expect(words).to_owned();
    assert!(line("✓ arrived").contains("second") && line("▶ moving").contains("first"), "{screen}");
    explorer.quit();
}

#[rstest]
#[case::to_somebody_else(sent_packet("44", SOMEBODY))]
#[case::failed({ let mut tx = sent_packet("44", ME); tx["code"] = 5.into(); tx })]
#[case::of_another_hash({ let mut tx = sent_packet("44", ME); tx["txhash"] = hash(7).into(); tx })]
fn a_number_of_somebody_else_is_no_number(#[case] sent: Value) {
    let (server, folder) = (PlayedServer::start("far-2"), folder());
    server.play().txs_of_l1 = vec![sent];
    server.play().txs = vec![came_packet("44", true)];
    server.set(Stage::SecondHop);
    let explorer = server.opened(&mine(), folder.path());
    explorer.advance(seconds(20)).advance(seconds(20)).advance(seconds(20));
    // Account, denom, amount and time still do.
    explorer.wait_for("Arrived").press("g g");
    assert!(!explorer.screen().contains('#'), "{}", explorer.screen());
    explorer.quit();
}

/// A deposit from the L1 by one transaction, which nobody but the L1 and the index speaks of.
fn deposited() -> TransferRecord {
    let operation = json!({"tx_index": 0, "amount_in": "100000000", "amount_out": "100000000",
        "op_init_transfer": {"from_chain_id": "interwoven-1", "to_chain_id": "far-2", "denom_in": "uusdc", "denom_out": "l2/df41",
            "op_init_bridge_id": "12", "bridge_id": "OPINIT"}});
    let route = json!({
        "amount_in": "100000000", "amount_out": "100000000", "source_asset_chain_id": "interwoven-1",
        "source_asset_denom": "uusdc", "dest_asset_chain_id": "far-2", "dest_asset_denom": "l2/df41",
        "operations": [operation], "required_chain_addresses": ["interwoven-1", "far-2"],
        "chain_ids": ["interwoven-1", "far-2"], "does_swap": false, "estimated_route_duration_seconds": 30, "txs_required": 1,
    });
    TransferRecord {
        route: Some(route.to_string().into()),
        addresses: [ME, ME].map(str::to_owned).to_vec(),
        ..TransferRecord::of_hash(ChainId::new("interwoven-1"), &hash(2).parse().expect("a hash"), start())
    }
}

fn began(to: &str) -> Value {
    let attributes = [
        ("bridge_id", "12"),
        ("l1_sequence", "44"),
        ("from", ME),
        ("to", to),
        ("l1_denom", "uusdc"),
        ("l2_denom", "l2/df41"),
    ];
    let message = json!({"@type": "/opinit.ophost.v1.MsgInitiateTokenDeposit"});
    indexed(&hash(2), "2026-01-31T12:00:04Z", &message, &[event("initiate_token_deposit", &attributes)])
}

/// What became of a deposit where it came.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Came {
    Credited,
    SentBack,
    /// Credited for a moment, and then taken away again with its failed hook.
    TakenBack,
    /// Its hook failed, and no event says who has it.
    Unsaid,
}

fn finished(l1_sequence: &str, came: Came) -> Value {
    let (success, reason) = match came {
        Came::Credited => ("true", ""),
        Came::SentBack => ("false", "deposit failed; nobody is there"),
        Came::TakenBack | Came::Unsaid => ("false", "hook failed; out of gas"),
    };
    let attributes = [
        ("l1_sequence", l1_sequence),
        ("sender", ME),
        ("recipient", ME),
        ("denom", "l2/df41"),
        ("base_denom", "uusdc"),
        ("amount", "100000000"),
        ("success", success),
        ("reason", reason),
    ];
    let mut events = vec![event("finalize_token_deposit", &attributes)];
    if matches!(came, Came::Credited | Came::TakenBack) {
        events.insert(0, event("coin_received", &[("receiver", ME), ("amount", "100000000l2/df41")]));
    }
    if matches!(came, Came::SentBack | Came::TakenBack) {
        events.push(event("initiate_token_withdrawal", &[("from", ME), ("to", ME), ("l2_sequence", "9")]));
    }
    let message = json!({"@type": "/opinit.opchild.v1.MsgFinalizeTokenDeposit"});
    indexed(&"EF".repeat(32), "2026-01-31T12:00:40Z", &message, &events)
}

#[rstest]
#[case::its_own(
    finished("44", Came::Credited),
    true,
    "Far received deposit #44 of bridge 12: the sequence numbers match"
)]
#[case::an_equal_one(finished("43", Came::Credited), false, NOT_SHOWN)]
#[case::refused(finished("44", Came::SentBack), false, SENT_BACK)]
#[case::taken_back(finished("44", Came::TakenBack), false, SENT_BACK)]
#[case::nobody_says(finished("44", Came::Unsaid), false, NOT_SHOWN)]
fn a_deposit_is_known_by_its_number_though_the_router_fails(
    #[case] came: Value,
    #[case] is_there: bool,
    #[case] note: &str,
) {
    let (server, folder) = (PlayedServer::start("far-2"), folder());
    server.play().txs_of_l1 = vec![began(ME)];
    server.play().txs = vec![came];
    let explorer = server.opened(&deposited(), folder.path());
    explorer.settle();
    server.play().outage = Some(Answer::typed(503, "text/html", "<html>"));
    explorer.advance(seconds(20)).advance(seconds(20)).advance(seconds(20)).press("g g").wait_for(note);
    assert_eq!(explorer.screen().contains("rrived"), is_there, "{}", explorer.screen());
    explorer.quit();
}

/// The L1 of a network that has a name is known, so that a router that was never there is not needed either; that of a
/// simulation, which has the same chain id, is not the real one.
#[rstest]
#[case::of_a_name(Some("interwoven-1"), true)]
#[case::of_no_name(None, false)]
fn the_l1_of_a_known_network_is_asked_without_a_router(#[case] l1: Option<&str>, #[case] is_asked: bool) {
    let down = || ApiError { kind: ErrorKind::Timeout(seconds(1)), url: "http://router.example".into(), body: None };
    let network = Network { name: "one".to_owned(), l1: l1.map(str::to_owned), ..Network::default() };
    let explorer =
        Explorer::builder().size(150, 36).at(start()).network(network).scripted(move |request| match request {
            Request::Status => {
                let status = json!({"version": "", "commit_hash": "", "chain_id": "far-2", "height": 100});
                Ok(Told::Status(Box::new(serde_json::from_value(status).expect("a status"))))
            }
            Request::Transfers => Ok(Told::Transfers(vec![deposited()])),
            _ => Err(down()),
        });
    let explorer = explorer.start();
    explorer.settle().press("6 shift-tab enter").advance(seconds(5));
    let asked: Vec<String> = explorer
        .commands()
        .into_iter()
        .filter_map(|command| match command {
            Instruction::Fetch(_, Request::L1Tx(question)) => Some(question.rest.clone()),
            _ => None,
        })
        .collect();
    assert_eq!(asked.first().map(String::as_str), is_asked.then_some("https://rest.initia.xyz"), "{asked:?}");
    explorer.quit();
}
