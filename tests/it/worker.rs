//! The worker: replies, cancellation by slot, back-pressure, recents, and leaving.

mod bridge;

use std::{
    path::PathBuf,
    sync::Arc,
    time::{Duration, Instant},
};

use rollscope::{
    client::ClientOptions,
    domain::Height,
    msg::{Answer as Got, Instruction, Lane, PageId, PageNeed, PageRequest, Report, Request, Slot, Ticket},
    wire::{ErrorKind, ExchangeOutcome},
    worker::{OutcomeTurn, Worker, WorkerHandle, WorkerOptions},
};
use tokio::{
    runtime::Handle,
    sync::{Notify, mpsc::Receiver},
};

use crate::harness::replay::{Answer, PATIENCE, Replay};

const STATUS: &str = r#"{"chain_id":"x","height":5}"#;

fn spawn(url: &str, store: Option<PathBuf>) -> (WorkerHandle, Receiver<Report>) {
    let client = ClientOptions { first_wait: Duration::from_millis(1), ..ClientOptions::default() };
    let (indexer_url, network) = (url.to_owned(), "test".to_owned());
    let options = WorkerOptions {
        router_url: Some(indexer_url.clone()),
        indexer_url,
        node: None,
        other_nodes: Vec::new(),
        client,
        store,
        network,
        on_end: None,
        turn: OutcomeTurn::default(),
    };
    Worker::spawn(options, &Handle::current()).expect("the server's address is one")
}

fn ticket(slot: Slot, generation: u64) -> Ticket {
    Ticket { slot, generation }
}

async fn next(reports: &mut Receiver<Report>) -> Report {
    let report = tokio::time::timeout(PATIENCE, reports.recv()).await.expect("a report comes in time");
    report.expect("the worker runs")
}

/// The next reply; exchanges before it are counted by outcome.
async fn reply(reports: &mut Receiver<Report>) -> (Ticket, Result<Got, rollscope::wire::ApiError>) {
    loop {
        if let Report::Reply(ticket, result) = next(reports).await {
            return (ticket, result);
        }
    }
}

fn outcome(report: &Report) -> Option<ExchangeOutcome> {
    match report {
        Report::Exchange(exchange) => Some(exchange.outcome.clone()),
        _ => None,
    }
}

#[tokio::test]
async fn every_request_has_its_answer() {
    let server = Replay::recorded().await;
    let (worker, mut reports) = spawn(server.url(), None);
    let page = PageRequest::newest(2);
    let hash = format!("{:064X}", 12).parse().unwrap();
    let requests = [
        Request::Status,
        Request::AvgBlockTime,
        Request::Blocks(page.clone()),
        Request::Block(Height::new(6).unwrap()),
        Request::Txs(rollscope::msg::TxQuery::default(), page),
        Request::Tx(hash),
    ];
    for (generation, request) in (1..).zip(requests) {
        let ticket = ticket(Slot::Page(PageId(1), PageNeed::Record), generation);
        worker.send(Instruction::Fetch(ticket.clone(), request.clone()));
        let (answered, result) = reply(&mut reports).await;
        assert_eq!(answered, ticket);
        let fits = matches!(
            (&request, result.unwrap()),
            (Request::Status, Got::Status(_))
                | (Request::AvgBlockTime, Got::AvgBlockTime(_))
                | (Request::Blocks(_), Got::Blocks(_))
                | (Request::Block(_), Got::Block(_))
                | (Request::Txs(..), Got::Txs(_))
                | (Request::Tx(_), Got::Tx(_))
        );
        assert!(fits, "{request:?}");
    }
    assert_eq!(worker.client().exchanges().snapshot().len(), 6);
}

#[tokio::test]
async fn a_new_request_in_a_slot_cancels_the_one_before() {
    let server = Replay::scripted(|seen, _| match seen.target.as_str() {
        "/status" => Answer::json(STATUS),
        _ => Answer::Stall(b""),
    })
    .await;
    let (worker, mut reports) = spawn(server.url(), None);
    worker.send(Instruction::Fetch(ticket(Slot::Status, 1), Request::AvgBlockTime));
    server.wait_for(1).await;
    worker.send(Instruction::Fetch(ticket(Slot::Status, 2), Request::Status));
    let mut outcomes = Vec::new();
    let answered = loop {
        match next(&mut reports).await {
            Report::Reply(ticket, result) => break (ticket, result.is_ok()),
            other => outcomes.extend(outcome(&other)),
        }
    };
    assert_eq!(answered, (ticket(Slot::Status, 2), true));
    while outcomes.len() < 2 {
        outcomes.extend(outcome(&next(&mut reports).await));
    }
    assert!(outcomes.contains(&ExchangeOutcome::Cancelled) && outcomes.contains(&ExchangeOutcome::Status(200)));
}

#[tokio::test]
async fn a_cancelled_slot_sends_its_exchange_and_nothing_else() {
    let server = Replay::always(Answer::Stall(b"")).await;
    let (worker, mut reports) = spawn(server.url(), None);
    worker.send(Instruction::Fetch(ticket(Slot::Page(PageId(3), PageNeed::Record), 1), Request::Status));
    server.wait_for(1).await;
    assert_eq!(worker.busy_slots(), 1);
    worker.send(Instruction::Cancel(Slot::Page(PageId(3), PageNeed::Record)));
    assert_eq!(worker.busy_slots(), 0);
    assert_eq!(outcome(&next(&mut reports).await), Some(ExchangeOutcome::Cancelled));
    drop(worker);
    assert!(tokio::time::timeout(PATIENCE, reports.recv()).await.unwrap().is_none(), "no reply follows");
}

#[tokio::test]
async fn a_late_reply_carries_its_old_generation() {
    let sign = Arc::new(Notify::new());
    let held = Answer::After(Arc::clone(&sign), Box::new(Answer::json(STATUS)));
    let server = Replay::in_turn(vec![held, Answer::json(STATUS)]).await;
    let (worker, mut reports) = spawn(server.url(), None);
    worker.send(Instruction::Fetch(ticket(Slot::GoTo(Lane(0)), 7), Request::Status));
    server.wait_for(1).await;
    sign.notify_one();
    // Its reply is on the way, perhaps in the channel, when the next request goes out.
    let first = next(&mut reports).await;
    assert_eq!(outcome(&first), Some(ExchangeOutcome::Status(200)));
    worker.send(Instruction::Fetch(ticket(Slot::GoTo(Lane(0)), 8), Request::Status));
    let mut generations = vec![reply(&mut reports).await.0.generation];
    if generations == [7] {
        generations.push(reply(&mut reports).await.0.generation);
    }
    assert!(generations == [8] || generations == [7, 8], "{generations:?}");
}

#[tokio::test]
async fn retries_are_reported_with_their_ticket() {
    let server = Replay::in_turn(vec![Answer::text(503, "busy"), Answer::json(STATUS)]).await;
    let (worker, mut reports) = spawn(server.url(), None);
    let asked = ticket(Slot::Page(PageId(4), PageNeed::Record), 1);
    worker.send(Instruction::Fetch(asked.clone(), Request::Status));
    assert_eq!(outcome(&next(&mut reports).await), Some(ExchangeOutcome::Status(503)));
    let Report::Retrying { ticket, attempt, error, .. } = next(&mut reports).await else { panic!("no retry") };
    assert_eq!((&ticket, attempt), (&asked, 1));
    assert!(matches!(error.kind, ErrorKind::Server { status: 503, .. }));
    assert_eq!(outcome(&next(&mut reports).await), Some(ExchangeOutcome::Status(200)));
    assert!(matches!(next(&mut reports).await, Report::Reply(answered, Ok(_)) if answered == asked));
}

#[tokio::test]
async fn errors_are_replies() {
    let server = Replay::always(Answer::text(404, "[NOT_FOUND] block not found")).await;
    let (worker, mut reports) = spawn(server.url(), None);
    worker.send(Instruction::Fetch(ticket(Slot::Page(PageId(1), PageNeed::Record), 1), Request::Block(Height::FIRST)));
    assert!(reply(&mut reports).await.1.unwrap_err().is_not_found());
}

#[tokio::test]
async fn one_request_a_slot_however_many_are_sent() {
    let server = Replay::always(Answer::Stall(b"")).await;
    let (worker, mut reports) = spawn(server.url(), None);
    for generation in 0..5_000 {
        let slot = Slot::Page(PageId(u32::try_from(generation % 3).unwrap()), PageNeed::Record);
        worker.send(Instruction::Fetch(ticket(slot, generation), Request::Status));
        assert!(worker.busy_slots() <= 3);
    }
    // Most were cancelled before they were sent; three are left.
    drop(worker);
    let mut replies = 0;
    while let Some(report) = tokio::time::timeout(PATIENCE, reports.recv()).await.expect("the channel closes") {
        replies += u32::from(matches!(report, Report::Reply(..)));
    }
    assert_eq!(replies, 0);
}

#[tokio::test]
async fn slots_are_forgotten_when_their_request_ends() {
    let server = Replay::always(Answer::json(STATUS)).await;
    let (worker, mut reports) = spawn(server.url(), None);
    for number in 0..20 {
        worker.send(Instruction::Fetch(
            ticket(Slot::Page(PageId(number), PageNeed::Record), u64::from(number)),
            Request::Status,
        ));
    }
    for _ in 0..20 {
        assert!(reply(&mut reports).await.1.is_ok());
    }
    // The last entries go right after their replies were taken.
    let emptied = async {
        while worker.busy_slots() > 0 {
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(PATIENCE, emptied).await.unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_reader_that_lags_loses_no_reply_and_blocks_no_sender() {
    let server = Replay::always(Answer::json(STATUS)).await;
    let (worker, mut reports) = spawn(server.url(), None);
    for number in 0..600 {
        worker.send(Instruction::Fetch(ticket(Slot::Page(PageId(number), PageNeed::Record), 1), Request::Status));
    }
    // Nothing was read so far: the channel is full and the rest waits in its tasks.
    server.wait_for(256).await;
    let mut answered = Vec::new();
    while answered.len() < 600 {
        let slot = reply(&mut reports).await.0.slot;
        if !answered.contains(&slot) {
            answered.push(slot);
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn leaving_with_a_full_channel_does_not_hang() {
    let server = Replay::always(Answer::json(STATUS)).await;
    let (worker, mut reports) = spawn(server.url(), None);
    for number in 0..400 {
        worker.send(Instruction::Fetch(ticket(Slot::Page(PageId(number), PageNeed::Record), 1), Request::Status));
    }
    server.wait_for(256).await;
    worker.send(Instruction::Remember("8".to_owned()));
    let started = Instant::now();
    drop(worker);
    assert!(started.elapsed() < PATIENCE);
    let mut replies = 0;
    while let Some(report) = tokio::time::timeout(PATIENCE, reports.recv()).await.expect("the channel closes") {
        replies += u32::from(matches!(report, Report::Reply(..)));
    }
    assert!(replies <= 256, "{replies} replies, though only 256 reports had found room");
}

#[tokio::test]
async fn recents_outlive_the_worker() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("state/state.sqlite");
    let (worker, _reports) = spawn("http://127.0.0.1:9", Some(path.clone()));
    assert!(!path.exists(), "nothing is opened before it is needed");
    worker.send(Instruction::Remember("a".to_owned()));
    worker.send(Instruction::Remember("b".to_owned()));
    drop(worker);
    let (worker, mut reports) = spawn("http://127.0.0.1:9", Some(path));
    worker.send(Instruction::Fetch(ticket(Slot::Recents, 1), Request::Recents));
    let Ok(Got::Recents(recents)) = reply(&mut reports).await.1 else { panic!("no recents") };
    assert_eq!(recents, ["b", "a"]);
}

#[tokio::test]
async fn a_damaged_state_file_is_begun_anew_and_one_that_cannot_be_used_is_a_warning() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("state.sqlite");
    std::fs::write(&path, "no database ".repeat(200)).unwrap();
    let (worker, mut reports) = spawn("http://127.0.0.1:9", Some(path.clone()));
    worker.send(Instruction::Remember("kept".to_owned()));
    let Report::Warning(text) = next(&mut reports).await else { panic!("nothing is said") };
    assert!(text.starts_with("the state file was damaged: rollscope started a new file"), "{text}");
    assert!(text.contains("kept the old file as state.sqlite.damaged-2"), "{text}");
    assert!(worker.unkept_transfers().ids().is_empty());
    drop(worker);
    let (worker, mut reports) = spawn("http://127.0.0.1:9", Some(path.clone()));
    worker.send(Instruction::Fetch(ticket(Slot::Recents, 1), Request::Recents));
    let Ok(Got::Recents(recents)) = reply(&mut reports).await.1 else { panic!("no recents") };
    assert_eq!(recents, ["kept"], "in the file that was begun anew");
    drop(worker);
    std::fs::remove_file(&path).unwrap();
    std::fs::create_dir(&path).unwrap();
    let (worker, mut reports) = spawn("http://127.0.0.1:9", Some(path));
    worker.send(Instruction::Fetch(ticket(Slot::Recents, 1), Request::Recents));
    let (mut warning, mut recents) = (None, None);
    while warning.is_none() || recents.is_none() {
        match next(&mut reports).await {
            Report::Warning(text) => warning = Some(text),
            Report::Reply(_, result) => recents = Some(result.unwrap()),
            other => panic!("{other:?}"),
        }
    }
    assert!(warning.unwrap().starts_with("cannot save recents and transfers"));
    assert!(matches!(recents, Some(Got::Recents(recents)) if recents.is_empty()));
    worker.send(Instruction::Remember("a".to_owned()));
    worker.send(Instruction::Fetch(ticket(Slot::Recents, 2), Request::Recents));
    let Ok(Got::Recents(recents)) = reply(&mut reports).await.1 else { panic!("no recents") };
    assert_eq!(recents, ["a"], "they last as long as the worker");
}

#[tokio::test]
async fn an_address_that_is_none_is_refused_at_the_start() {
    let options = WorkerOptions {
        indexer_url: "indexer.example".to_owned(),
        router_url: None,
        node: None,
        other_nodes: Vec::new(),
        client: ClientOptions::default(),
        store: None,
        network: "test".to_owned(),
        on_end: None,
        turn: OutcomeTurn::default(),
    };
    let refused = Worker::spawn(options, &Handle::current()).err().expect("no address");
    assert!(refused.to_string().contains("write it like https://indexer.example"), "{refused}");
}

#[tokio::test]
async fn a_gallery_fetches_each_thing_once_and_few_at_a_time() {
    let sign = Arc::new(Notify::new());
    let held = Arc::clone(&sign);
    let server = Replay::scripted(move |seen, _| match seen.target.as_str() {
        "/status" => Answer::json(STATUS),
        target => {
            let metadata = Answer::json(format!(r#"{{"name":"{target}"}}"#));
            Answer::After(Arc::clone(&held), Box::new(metadata))
        }
    })
    .await;
    let (worker, mut reports) = spawn(server.url(), None);
    let ask = |number: u32, path: &str| {
        let uri = format!("{}{path}", server.url()).into();
        worker
            .send(Instruction::Fetch(ticket(Slot::Page(PageId(number), PageNeed::Record), 1), Request::Metadata(uri)));
    };
    (0..6).for_each(|number| ask(number, &format!("/{}", number % 5)));
    server.wait_for(4).await;
    worker.send(Instruction::Fetch(ticket(Slot::Status, 1), Request::Status));
    assert_eq!(reply(&mut reports).await.0.slot, Slot::Status);
    assert_eq!(server.seen().len(), 5, "four of the five, and the status");
    worker.send(Instruction::Fetch(
        ticket(Slot::Page(PageId(1), PageNeed::Art(Lane(0))), 1),
        Request::Metadata("data:,{}".into()),
    ));
    assert_eq!(
        reply(&mut reports).await.0.slot,
        Slot::Page(PageId(1), PageNeed::Art(Lane(0))),
        "what lies in the URI waits for no visit"
    );
    let mut names = Vec::new();
    for _ in 0..6 {
        // One is let through at a time; whoever comes later finds the permit or waits for the next.
        sign.notify_one();
        let Ok(Got::Metadata(metadata)) = reply(&mut reports).await.1 else { panic!("all are there") };
        names.push(metadata.name.clone());
    }
    names.sort();
    assert_eq!(names, ["/0", "/0", "/1", "/2", "/3", "/4"]);
    assert_eq!(server.seen().len(), 6, "what two asked for was fetched once");
}

#[tokio::test]
async fn a_picture_goes_through_the_worker() {
    let server = Replay::always(Answer::text(404, "gone")).await;
    let (worker, mut reports) = spawn(server.url(), None);
    let mut bytes = Vec::new();
    let mut file = png::Encoder::new(&mut bytes, 1, 1).write_header().unwrap();
    file.write_image_data(&[7]).unwrap();
    file.finish().unwrap();
    let uri = format!("data:image/png;base64,{}", base64::Engine::encode(&base64::prelude::BASE64_STANDARD, bytes));
    worker.send(Instruction::Fetch(
        ticket(Slot::Page(PageId(1), PageNeed::Art(Lane(0))), 1),
        Request::Picture(uri.into()),
    ));
    let Ok(Got::Picture(picture)) = reply(&mut reports).await.1 else { panic!("a picture was asked for") };
    assert_eq!(picture.pixel(0, 0), Some([7, 7, 7, 255]));
    let uri = format!("{}/gone.png", server.url());
    for generation in 2..4 {
        worker.send(Instruction::Fetch(
            ticket(Slot::Page(PageId(1), PageNeed::Art(Lane(0))), generation),
            Request::Picture(uri.as_str().into()),
        ));
        let error = reply(&mut reports).await.1.unwrap_err();
        assert_eq!(error.kind, ErrorKind::NotFound("gone".into()));
    }
    assert_eq!(server.seen().len(), 2, "a failure is not kept");
}
