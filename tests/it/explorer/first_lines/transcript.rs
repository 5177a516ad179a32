//! Explorer and command follow by one engine: whatever router, indexer and L1 say, both say the same.

use std::{fs, time::Duration};

use rollscope::{
    config::Network,
    domain::{Timestamp, TransferRecord},
    store::{Store, StoreScope},
};
use rstest::rstest;
use serde_json::{Value, json};

use super::{
    ME, PlayedServer, Stage, event, hash, indexed, mine, named_arrival, received, record, seconds, start, status,
};
use crate::{
    cli::program::{Home, Ran},
    harness::{Explorer, replay::Answer},
};

/// When the transfer of the test was sent, by the machine's clock: the command has no other.
const AGE: Duration = Duration::from_secs(100);

/// The value with each time of the script moved to the time of the test.
fn moved(value: Value, sent: Timestamp) -> Value {
    match value {
        Value::String(text) => match text.parse::<Timestamp>() {
            Ok(at) => sent.after(at.since(start())).to_string().into(),
            Err(_) => text.into(),
        },
        Value::Array(all) => all.into_iter().map(|one| moved(one, sent)).collect(),
        Value::Object(fields) => fields.into_iter().map(|(key, value)| (key, moved(value, sent))).collect(),
        other => other,
    }
}

/// What everybody answers.
#[derive(Clone, Debug)]
struct Scene {
    own: &'static str,
    status: Option<Value>,
    outage: Option<u16>,
    track: Option<&'static str>,
    txs: Vec<Value>,
    txs_of_l1: Vec<Value>,
}

impl Scene {
    fn of(own: &'static str) -> Self {
        Self { own, status: None, outage: None, track: None, txs: Vec::new(), txs_of_l1: Vec::new() }
    }

    fn staged(stage: Stage) -> Self {
        Self { status: Some(status(stage)), ..Self::of("far-2") }
    }

    fn with(self, txs: &[Value]) -> Self {
        Self { txs: txs.to_vec(), ..self }
    }

    fn play(&self, server: &PlayedServer, sent: Timestamp) {
        let all = |txs: &[Value]| txs.iter().map(|tx| moved(tx.clone(), sent)).collect();
        let mut played = server.play();
        played.outage = self.outage.map(|code| Answer::typed(code, "text/html", "<html>"));
        if let Some(refusal) = self.track {
            played.track = Answer::typed(400, "application/json", refusal);
        }
        played.statuses = self.status.iter().map(|status| (hash(1), moved(status.clone(), sent))).collect();
        (played.txs, played.txs_of_l1) = (all(&self.txs), all(&self.txs_of_l1));
    }
}

/// The transaction with which it begins, on Noble.
fn sent_tx(code: u32) -> Value {
    let mut tx = indexed(
        &hash(1),
        "2026-01-31T12:00:04Z",
        &json!({"@type": "/ibc.applications.transfer.v1.MsgTransfer"}),
        &[
            event("send_packet", &[("packet_src_channel", "channel-0"), ("packet_sequence", "7")]),
            event("ibc_transfer", &[("sender", ME), ("receiver", "init1middle")]),
        ],
    );
    tx["code"] = code.into();
    tx
}

/// What gave the packet back.
fn timed_out() -> Value {
    let packet = json!({"source_channel": "channel-0", "sequence": "7"});
    let message = json!({"@type": "/ibc.core.channel.v1.MsgTimeout", "packet": packet});
    let credit = event("coin_received", &[("receiver", ME), ("amount", "100000000uusdc")]);
    indexed(&"EF".repeat(32), "2026-01-31T12:00:20Z", &message, &[credit])
}

fn on_l1() -> Value {
    let data = json!({"denom": "uusdc", "amount": "99900000", "sender": "init1middle", "receiver": ME}).to_string();
    let attributes = [
        ("packet_src_port", "transfer"),
        ("packet_src_channel", "channel-9"),
        ("packet_dst_port", "transfer"),
        ("packet_dst_channel", "channel-3"),
        ("packet_sequence", "44"),
        ("packet_data", &data),
    ];
    let message = json!({"@type": "/ibc.core.channel.v1.MsgRecvPacket"});
    indexed(&hash(2), "2026-01-31T12:00:31Z", &message, &[event("send_packet", &attributes)])
}

/// Phase and sentence of each printed line, and the exit status.
type Printed = (Vec<String>, i32);

/// What a command prints.
fn told(ran: &Ran) -> Printed {
    let line = |line: &str| {
        let facts: Value = serde_json::from_str(line).expect("a line of JSON");
        let word = |key: &str| facts[key].as_str().unwrap_or_default().to_owned();
        format!("{}: {}", word("phase"), without_clock(&word("headline")))
    };
    (ran.out.lines().map(line).collect(), ran.status)
}

/// A sentence without the times that pass.
fn without_clock(line: &str) -> String {
    let is_clock = |word: &&str| {
        let parts = word.trim_end_matches([',', '.']).split(':');
        parts.clone().count() > 1 && parts.into_iter().all(|part| part.parse::<u32>().is_ok())
    };
    line.split(' ').filter(|word| !is_clock(word)).collect::<Vec<_>>().join(" ")
}

/// What an explorer says that has the transfer on its page: its word and its sentence.
fn shown(server: &PlayedServer, home: &Home) -> String {
    let state = home.path().join("state/rollscope/state.sqlite");
    let builder = Explorer::builder().size(220, 40).at(Timestamp::now()).state_file(state);
    let explorer = builder.server(server.url()).start();
    explorer.settle().press("6 shift-tab enter").settle();
    explorer.advance(seconds(2)).settle();
    explorer.press("y h");
    let line = explorer.copied().last().cloned().unwrap_or_default();
    let begins: String = line.chars().take(24).collect();
    let screen = explorer.screen();
    let row = screen.lines().find(|row| row.contains(&begins)).unwrap_or_default();
    let sign = row.split(&begins).next().unwrap_or_default();
    let word = sign.trim_matches(|sign: char| !sign.is_alphabetic());
    explorer.quit();
    format!("{word}: {}", without_clock(&line))
}

/// Explorer, one look, and a watch where the transfer is at its end.
fn play(scene: &Scene, is_watched: bool) -> (String, Printed, Option<Printed>) {
    let (home, server) = (Home::empty(), PlayedServer::start(scene.own));
    let sent = Timestamp::now().before(AGE).cut_to_seconds();
    scene.play(&server, sent);
    let mut record = TransferRecord { created: sent, ..mine() };
    record.txs[0].at = sent;
    let folder = home.path().join("state/rollscope");
    fs::create_dir_all(&folder).expect("a folder can be made");
    let mut store = Store::open(&folder.join("state.sqlite")).expect("a state file");
    store.save(&StoreScope::new(Network::unnamed(server.url().to_owned()).key()), &record).expect("it is kept");
    drop(store);
    fs::write(home.path().join("route.json"), record.route.as_deref().unwrap_or_default()).expect("a file");
    let url = server.url();
    let route = home.path().join("route.json");
    let command = |more: &str| {
        let name = format!("transfer noble-1 {} --route {} {more}", hash(1), route.display());
        told(&home.run(&format!("{name} --format jsonl --router {url} --indexer {url}")))
    };
    let look = command("");
    let watch = is_watched.then(|| command("--watch --tries 1"));
    (shown(&server, &home), look, watch)
}

/// The word of the explorer for a phase of the command.
fn word(phase: &str) -> &str {
    match phase {
        "failed_at_source" => "failed",
        "failed_released" => "released",
        phase => phase,
    }
}

#[rstest]
#[case::failed_on_chain(
    Scene::of("noble-1").with(&[sent_tx(5)]),
    "failed_at_source: Failed at the source: only the fee left the account on Noble.",
    (4, true)
)]
#[case::moving(Scene::staged(Stage::SecondHop), "moving: On its way: hop 2 of 2, Initia → Far, of about", (0, false))]
#[case::success(
    Scene::staged(Stage::Success).with(&[named_arrival()]),
    "arrived: Arrived: 99.8 USDC on Far.",
    (0, true)
)]
#[case::refunded(
    Scene::staged(Stage::Refunded),
    "failed_released: Did not complete. Your 99,800,000 smallest units of uusdc is on Initia.",
    (4, true)
)]
#[case::abandoned(
    Scene::staged(Stage::Abandoned),
    "abandoned: The router abandoned tracking; the funds' location is unknown.",
    (5, true)
)]
#[case::credited(
    Scene::staged(Stage::SecondHop).with(&[received("99800000", "2026-01-31T12:00:40Z")]),
    "arrived: Arrived: 99.8 USDC on Far, as the indexer shows; no router confirmation yet.",
    (0, true)
)]
#[case::credited_without_router(
    Scene { outage: Some(503), ..Scene::of("far-2").with(&[received("99800000", "2026-01-31T12:00:40Z")]) },
    "arrived: Arrived: 99,800,000 smallest units of uusdc on far-2, as the indexer shows; the router does not answer.",
    (0, false)
)]
#[case::of_another_number(
    Scene { txs_of_l1: vec![on_l1()], ..Scene::staged(Stage::SecondHop).with(&[received("99800000", "2026-01-31T12:00:40Z")]) },
    "moving: On its way: hop 2 of 2, Initia → Far, of about",
    (0, false)
)]
#[case::gave_back(
    Scene { status: Some(status(Stage::FirstHop)), ..Scene::of("noble-1").with(&[sent_tx(0), timed_out()]) },
    "failed_released: Did not complete: the packet timed out. Your 100 USDC is on Noble.",
    (4, true)
)]
fn explorer_and_command_say_the_same(
    #[case] scene: Scene,
    #[case] line: &str,
    #[case] (status, is_watched): (i32, bool),
) {
    let (explorer, look, watch) = play(&scene, is_watched);
    let (phase, sentence) = line.split_once(": ").expect("a phase and a sentence");
    assert_eq!(explorer, format!("{}: {sentence}", word(phase)), "the explorer");
    assert_eq!(look, (vec![line.to_owned()], status), "one look");
    if let Some((lines, ended)) = watch {
        assert_eq!((lines.last().map(String::as_str), ended), (Some(line), status), "a watch: {lines:?}");
    }
}

/// One look has nothing watched, so that it ends with 3 where the explorer has it watched and hears of a refusal.
#[rstest]
#[case::unknown(Scene::of("far-2"), "forgotten", None)]
#[case::refused(
    Scene { track: Some(r#"{"code":3,"message":"tx is invalid on chain","details":[]}"#), ..Scene::of("far-2") },
    "failed",
    Some(4)
)]
fn what_the_router_does_not_know_one_look_does_not_register(
    #[case] scene: Scene,
    #[case] word: &str,
    #[case] end: Option<i32>,
) {
    let (explorer, look, watch) = play(&scene, end.is_some());
    assert!(explorer.starts_with(word), "{explorer}");
    assert_eq!(look, (Vec::new(), 3));
    assert_eq!(watch.as_ref().map(|(_, end)| *end), end);
    if let Some((lines, _)) = watch {
        assert!(explorer.ends_with(lines[0].split_once(": ").expect("a sentence").1), "{lines:?} {explorer}");
    }
}

/// Each transfer of a command has the others as rivals: one credit is neither's.
#[test]
fn two_equal_transfers_of_one_command_do_not_claim_one_credit() {
    let (home, server) = (Home::empty(), PlayedServer::start("far-2"));
    let sent = Timestamp::now().before(AGE).cut_to_seconds();
    Scene::of("far-2").with(&[received("99800000", "2026-01-31T12:00:40Z")]).play(&server, sent);
    let folder = home.path().join("state/rollscope");
    fs::create_dir_all(&folder).expect("a folder can be made");
    let mut store = Store::open(&folder.join("state.sqlite")).expect("a state file");
    let scope = StoreScope::new(Network::unnamed(server.url().to_owned()).key());
    for number in [1, 5] {
        let mut kept = TransferRecord { created: sent, addresses: mine().addresses, ..record(number) };
        kept.txs[0].at = sent;
        store.save(&scope, &kept).expect("it is kept");
    }
    drop(store);
    let url = server.url();
    let look = |hashes: &str| {
        told(&home.run(&format!("transfer noble-1 {hashes} --format jsonl --router {url} --indexer {url}")))
    };
    let (one, two) = (look(&hash(1)), look(&format!("{} {}", hash(1), hash(5))));
    assert!(one.0[0].starts_with("arrived"), "{one:?}");
    assert!(two.0.len() == 2 && two.0.iter().all(|line| !line.starts_with("arrived")), "{two:?}");
}
