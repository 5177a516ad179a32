//! The routing API's requests, transfers that are kept, and files.

use std::{fs, sync::Arc};

use rollscope::{
    client::ClientOptions,
    domain::{Anchor, BlockHash, BroadcastHash, ChainId, ChainSighting, Height, Timestamp, TransferRecord},
    msg::{Answer as Got, Identification, Instruction, PageId, PageNeed, Report, Request, Slot},
    signing::RecordDraft,
    store::{Store, StoreScope},
    wire::{
        ErrorKind, ExchangeOutcome,
        router::{BroadcastRequest, OpHookRequest, RouteRequest, TrackRequest},
    },
    worker::{OutcomeTurn, Worker, WorkerHandle, WorkerOptions},
};
use tokio::{runtime::Handle, sync::mpsc::Receiver};

use super::{next, reply, spawn, ticket};
use crate::harness::replay::{Answer, Replay};

fn fixture(name: &str) -> String {
    let path = format!("{}/tests/fixtures/router/{name}.json", env!("CARGO_MANIFEST_DIR"));
    let all: serde_json::Value = serde_json::from_str(&fs::read_to_string(path).expect("it is there")).expect("JSON");
    all["response"]["body"].to_string()
}

async fn ask(worker: &WorkerHandle, reports: &mut Receiver<Report>, request: Request) -> Result<Got, ErrorKind> {
    worker.send(Instruction::Fetch(ticket(Slot::Page(PageId(1), PageNeed::Record), 1), request));
    reply(reports).await.1.map_err(|error| error.kind)
}

fn route_request() -> RouteRequest {
    let text = r#"{"amount_in":"15000000","source_asset_chain_id":"interwoven-1",
        "source_asset_denom":"uinit","dest_asset_chain_id":"civitia-1",
        "dest_asset_denom":"l2/2b2d36f666e98b9eecf70d6ec24b882b79f2c8e2af73f54f97b8b670dbb87605"}"#;
    serde_json::from_str(text).expect("a request")
}

fn tracked() -> TrackRequest {
    TrackRequest { tx_hash: "AB".to_owned(), chain_id: ChainId::new("a") }
}

fn hook_request() -> OpHookRequest {
    let text = r#"{"source_address":"a","source_asset_chain_id":"a","source_asset_denom":"x","dest_address":"b",
        "dest_asset_chain_id":"b","dest_asset_denom":"y"}"#;
    serde_json::from_str(text).expect("a request")
}

#[tokio::test]
async fn every_request_of_the_routing_api_is_answered() {
    let bodies = [
        ("/v2/info/chains", fixture("chains-initia-composed")),
        ("/v2/fungible/assets", fixture("assets-initia-composed")),
        ("/v2/fungible/route", fixture("route-op-deposit-composed")),
        ("/op-hook", fixture("op-hook-composed")),
        ("/v2/tx/track", fixture("track-initia-composed")),
        ("/v2/tx/status", fixture("status-2-pending-hop0-composed")),
        ("/demo/v1", r#"{"chain_id":"x","wallet":{}}"#.to_owned()),
        ("/demo/v1/sign", r#"{"signer":"s","hook":"QUJD"}"#.to_owned()),
        ("/demo/v1/broadcast", format!(r#"{{"chain_id":"a","tx_hash":"{}"}}"#, "AB".repeat(32))),
    ];
    let server = Replay::scripted(move |seen, _| {
        let path = seen.target.split('?').next().unwrap_or_default();
        let body = bodies.iter().find(|(known, _)| *known == path);
        body.map_or_else(|| Answer::text(404, "?"), |(_, body)| Answer::json(body))
    })
    .await;
    let home = tempfile::tempdir().unwrap();
    let file = home.path().join("state.sqlite");
    let (worker, mut reports) = spawn(server.url(), Some(file.clone()));
    let mut ask = async |request| ask(&worker, &mut reports, request).await.expect("it is answered");
    assert!(matches!(ask(Request::Chains).await, Got::Chains(chains) if !chains.is_empty()));
    let chain = ChainId::new("interwoven-1");
    assert!(
        matches!(ask(Request::Assets(chain.clone())).await, Got::Assets(of, assets) if of == chain && !assets.is_empty())
    );
    let none = ChainId::new("nowhere-1");
    assert!(matches!(ask(Request::Assets(none)).await, Got::Assets(_, assets) if assets.is_empty()));
    assert!(
        matches!(ask(Request::Route(route_request())).await, Got::Route(route) if !route.value.operations.is_empty())
    );
    let Got::OpHook(hook) = ask(Request::OpHook(hook_request())).await else { panic!("no hook") };
    assert!(matches!(ask(Request::Track(tracked())).await, Got::Tracked(_)));
    let status = ask(Request::TransferStatus(tracked())).await;
    assert!(matches!(status, Got::TransferStatus(status) if status.value.state == "STATE_PENDING"));
    assert!(matches!(ask(Request::DemoInfo).await, Got::DemoInfo(Some(_))));
    assert!(
        matches!(ask(Request::DemoSign(Arc::new(hook.value.clone()))).await, Got::SignedHook(hook) if hook.hook() == "QUJD")
    );
    let broadcast: BroadcastRequest = serde_json::from_str(r#"{"msgs":{"txs":[]},"tx_index":0}"#).unwrap();
    let draft = RecordDraft { route: "{}".into(), addresses: vec!["me".to_owned()], kept: None };
    let sent = ask(Request::DemoBroadcast(Arc::new(broadcast), Arc::new(draft), Timestamp::EPOCH)).await;
    assert!(matches!(sent, Got::Broadcast(sent) if sent.tx_hash.starts_with("ABAB")));
    // The answer comes after the transfer is in the file: a program that is killed then has lost nothing.
    let kept = Store::open(&file).and_then(|store| store.transfers(&StoreScope::new("test")));
    let kept = kept.expect("the state file can be read");
    assert_eq!(kept.len(), 1);
    assert_eq!((kept[0].route.as_deref(), kept[0].addresses.as_slice()), (Some("{}"), &["me".to_owned()][..]));
}

#[tokio::test]
async fn without_a_routing_api_nothing_is_asked_and_that_is_said() {
    let server = Replay::always(Answer::json("{}")).await;
    let options = WorkerOptions {
        indexer_url: server.url().to_owned(),
        router_url: None,
        node: None,
        other_nodes: Vec::new(),
        client: ClientOptions::default(),
        store: None,
        network: "test".to_owned(),
        on_end: None,
        turn: OutcomeTurn::default(),
    };
    let (worker, mut reports) = Worker::spawn(options, &Handle::current()).unwrap();
    for request in [Request::Chains, Request::Route(route_request()), Request::TransferStatus(tracked())] {
        assert_eq!(ask(&worker, &mut reports, request).await.unwrap_err(), ErrorKind::NoRouter);
    }
    assert!(matches!(ask(&worker, &mut reports, Request::DemoInfo).await, Ok(Got::DemoInfo(None))));
    assert!(server.seen().is_empty() && worker.router().is_none());
}

#[tokio::test]
async fn a_newer_status_request_cancels_the_one_before_and_the_log_has_both() {
    let server = Replay::scripted(|_, number| match number {
        0 => Answer::Stall(b""),
        _ => Answer::json(r#"{"state":"STATE_PENDING"}"#),
    })
    .await;
    let (worker, mut reports) = spawn(server.url(), None);
    let slot = Slot::TransferStatus(record(3).id);
    worker.send(Instruction::Fetch(ticket(slot.clone(), 1), Request::TransferStatus(tracked())));
    server.wait_for(1).await;
    worker.send(Instruction::Fetch(ticket(slot, 2), Request::TransferStatus(tracked())));
    assert_eq!(reply(&mut reports).await.0.generation, 2);
    let log = worker.client().exchanges().snapshot();
    assert!(log.iter().any(|exchange| exchange.outcome == ExchangeOutcome::Cancelled));
    assert!(log.iter().any(|exchange| exchange.outcome == ExchangeOutcome::Status(200)));
}

fn record(number: u32) -> TransferRecord {
    let hash: BroadcastHash = format!("{number:064X}").parse().expect("a hash");
    TransferRecord::of_hash(ChainId::new("a-1"), &hash, Timestamp::from_nanos(i128::from(number)))
}

async fn kept(worker: &WorkerHandle, reports: &mut Receiver<Report>) -> Vec<TransferRecord> {
    match ask(worker, reports, Request::Transfers).await {
        Ok(Got::Transfers(transfers)) => transfers,
        other => panic!("no transfers: {other:?}"),
    }
}

#[tokio::test]
async fn no_transfer_is_dropped_however_fast_they_come() {
    let home = tempfile::tempdir().unwrap();
    let file = home.path().join("state.sqlite");
    let (worker, reports) = spawn("http://127.0.0.1:1", Some(file.clone()));
    for number in 1..=400 {
        worker.send(Instruction::Keep(Arc::new(record(number))));
    }
    let labelled = TransferRecord { label: "rent".to_owned(), ..record(400) };
    worker.send(Instruction::Keep(Arc::new(labelled.clone())));
    worker.send(Instruction::Forget(record(399).id));
    // Leaving waits until all is written.
    drop((worker, reports));
    let (worker, mut reports) = spawn("http://127.0.0.1:1", Some(file));
    let all = kept(&worker, &mut reports).await;
    assert_eq!(all.len(), 399);
    assert_eq!(all[0], labelled, "the newest first, as it was kept last");
    assert!(all.iter().all(|transfer| transfer.id != record(399).id));
}

#[tokio::test]
async fn a_transfer_that_cannot_be_written_is_told_of_and_written_later() {
    let home = tempfile::tempdir().unwrap();
    let file = home.path().join("state.sqlite");
    fs::create_dir(&file).unwrap();
    let (worker, mut reports) = spawn("http://127.0.0.1:1", Some(file.clone()));
    worker.send(Instruction::Keep(Arc::new(record(1))));
    let Report::Warning(warning) = next(&mut reports).await else { panic!("a warning is expected") };
    assert!(warning.starts_with("cannot save a transfer; rollscope retries"), "{warning}");
    fs::remove_dir(&file).unwrap();
    assert_eq!(kept(&worker, &mut reports).await, [record(1)]);
    drop((worker, reports));
    let (worker, mut reports) = spawn("http://127.0.0.1:1", Some(file));
    assert_eq!(kept(&worker, &mut reports).await, [record(1)], "it is in the file");
}

/// The first block of the chain with this number.
fn sighting(chain: u8) -> ChainSighting {
    let first = Anchor { height: Height::FIRST, hash: BlockHash::new([chain; 32]), at: Timestamp::EPOCH };
    ChainSighting { chain_id: ChainId::new("a-1"), anchors: [first].into_iter().collect() }
}

#[tokio::test]
async fn what_is_kept_goes_by_the_chain_that_is_there() {
    let home = tempfile::tempdir().unwrap();
    let (worker, mut reports) = spawn("http://127.0.0.1:1", Some(home.path().join("state.sqlite")));
    worker.send(Instruction::Keep(Arc::new(record(1))));
    let identified = ask(&worker, &mut reports, Request::Identify(sighting(1))).await;
    assert!(matches!(identified, Ok(Got::Identified(Identification { is_news: false, .. }))), "{identified:?}");
    worker.send(Instruction::CloseChainScope);
    // What is kept before the new chain is known is its own all the same.
    worker.send(Instruction::Keep(Arc::new(record(2))));
    let identified = ask(&worker, &mut reports, Request::Identify(sighting(2))).await;
    assert!(matches!(identified, Ok(Got::Identified(_))), "{identified:?}");
    let all = kept(&worker, &mut reports).await;
    let gone: Vec<_> = all.iter().map(|record| (record.created.as_nanos(), record.gone_chain.is_some())).collect();
    assert_eq!(gone, [(2, false), (1, true)]);
}

#[tokio::test]
async fn files_are_read_up_to_a_size() {
    let home = tempfile::tempdir().unwrap();
    let path = |name: &str| -> Arc<str> { home.path().join(name).display().to_string().into() };
    fs::write(home.path().join("small"), "{\"hook\": 1}").unwrap();
    fs::write(home.path().join("large"), vec![b'x'; (1 << 20) + 1]).unwrap();
    fs::write(home.path().join("bytes"), [0xff, 0xfe]).unwrap();
    let (worker, mut reports) = spawn("http://127.0.0.1:1", None);
    let read = ask(&worker, &mut reports, Request::File(path("small"))).await;
    assert!(matches!(read, Ok(Got::File(text)) if &*text == "{\"hook\": 1}"));
    for (name, why) in [("large", "larger than 1 MiB"), ("bytes", "UTF-8"), ("absent", "No such file"), ("", "regular")]
    {
        let Err(ErrorKind::Unreadable(sentence)) = ask(&worker, &mut reports, Request::File(path(name))).await else {
            panic!("{name} cannot be read");
        };
        assert!(sentence.contains(why), "{sentence}");
    }
}

#[tokio::test]
async fn transfers_that_could_not_be_kept_are_known_at_the_end() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("state.sqlite");
    // A folder in its place is no damage: it stays where it is, and nothing can be written.
    std::fs::create_dir(&path).unwrap();
    let (worker, _reports) = spawn("http://127.0.0.1:9", Some(path.clone()));
    let unkept = worker.unkept_transfers();
    for number in [3, 1] {
        worker.send(Instruction::Keep(Arc::new(record(number))));
    }
    worker.send(Instruction::Forget(record(2).id));
    drop(worker);
    assert_eq!(unkept.ids(), [record(1).id, record(3).id]);
    std::fs::remove_dir(&path).unwrap();
    let (worker, _reports) = spawn("http://127.0.0.1:9", Some(path));
    let unkept = worker.unkept_transfers();
    worker.send(Instruction::Keep(Arc::new(record(1))));
    drop(worker);
    assert_eq!(unkept.ids(), []);
}
