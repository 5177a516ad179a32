use std::{
    sync::{Arc, Mutex},
    time::Duration,
};

use rollscope::{
    client::{ClientOptions, IndexerClient, Observer},
    domain::Height,
    wire::{ApiError, ErrorKind, Exchange, ExchangeOutcome},
};
use tokio::sync::mpsc;

use super::{client_of, options};
use crate::harness::replay::{Answer, PATIENCE, Replay};

const STATUS: &str = r#"{"chain_id":"x","height":5}"#;

/// What an observer was told, in order.
#[derive(Default)]
struct Told(Mutex<Vec<String>>);

/// Hands over each wait that is about to be waited.
struct Waits(mpsc::UnboundedSender<Duration>);

impl Observer for Waits {
    fn exchange(&self, _: &Arc<Exchange>) {}

    fn retrying(&self, _: u32, wait: Duration, _: &ApiError) {
        self.0.send(wait).expect("the test listens");
    }
}

impl Observer for Told {
    fn exchange(&self, exchange: &Arc<Exchange>) {
        let line = match &exchange.outcome {
            ExchangeOutcome::Status(status) => format!("status {status}"),
            ExchangeOutcome::Failed(_) => "failed".to_owned(),
            ExchangeOutcome::Cancelled => "cancelled".to_owned(),
        };
        self.0.lock().expect("no test panics here").push(line);
    }

    fn retrying(&self, attempt: u32, _: Duration, error: &ApiError) {
        assert!(error.is_transient());
        self.0.lock().expect("no test panics here").push(format!("retrying after {attempt}"));
    }
}

#[tokio::test]
async fn a_passing_failure_is_tried_again_and_told() {
    let answers = vec![Answer::text(503, "busy"), Answer::Truncated(STATUS.to_owned(), 5), Answer::json(STATUS)];
    let server = Replay::in_turn(answers).await;
    let told = Arc::new(Told::default());
    let client = client_of(&server).observed(Arc::clone(&told) as Arc<dyn Observer>);
    assert_eq!(client.status().await.unwrap().height, Height::new(5).unwrap());
    let lines = ["status 503", "retrying after 1", "failed", "retrying after 2", "status 200"];
    assert_eq!(*told.0.lock().unwrap(), lines);
    let ids: Vec<u64> = client.exchanges().snapshot().iter().map(|exchange| exchange.id).collect();
    assert_eq!(ids, [1, 2, 3]);
}

#[tokio::test]
async fn three_tries_are_the_most() {
    let server = Replay::always(Answer::text(500, "Internal Server Error")).await;
    assert!(client_of(&server).status().await.is_err());
    assert_eq!(server.seen().len(), 3);
}

#[tokio::test]
async fn what_will_not_change_is_asked_once() {
    for answer in [
        Answer::text(404, "[NOT_FOUND] block not found"),
        Answer::text(400, "no"),
        Answer::json("{}"),
        Answer::typed(200, "text/html", "<html>"),
    ] {
        let server = Replay::always(answer).await;
        assert!(client_of(&server).status().await.is_err());
        assert_eq!(server.seen().len(), 1);
    }
}

#[tokio::test]
async fn retry_after_is_honoured_and_a_long_one_is_not_waited_for() {
    let server = Replay::always(Answer::text(429, "slow down").with("retry-after", "7")).await;
    let (sender, mut waits) = mpsc::unbounded_channel();
    let client = client_of(&server).observed(Arc::new(Waits(sender)));
    let asking = tokio::spawn(async move { client.status().await });
    let wait = tokio::time::timeout(PATIENCE, waits.recv()).await.unwrap();
    assert_eq!(wait, Some(Duration::from_secs(7)));
    asking.abort();
    let date = "Fri, 01 Jan 2100 00:00:00 GMT";
    for value in ["60", date] {
        let server = Replay::always(Answer::text(503, "later").with("retry-after", value)).await;
        assert!(client_of(&server).status().await.is_err());
        assert_eq!(server.seen().len(), 1, "{value}");
    }
    let past = Answer::text(503, "later").with("retry-after", "Fri, 01 Jan 2010 00:00:00 GMT");
    let server = Replay::in_turn(vec![past, Answer::json(STATUS)]).await;
    assert!(client_of(&server).status().await.is_ok());
}

#[tokio::test]
async fn our_own_timeout_is_repeated_once_only() {
    let server = Replay::always(Answer::Stall(b"")).await;
    let timeout = Duration::from_millis(60);
    let client = IndexerClient::new(server.url(), ClientOptions { timeout, tries: 9, ..options() }).unwrap();
    let error = client.status().await.unwrap_err();
    assert_eq!(error.kind, ErrorKind::Timeout(timeout));
    assert!(error.to_string().ends_with("within 0.06 s"), "{error}");
    assert_eq!(client.exchanges().snapshot().len(), 2);
}

#[tokio::test]
async fn the_timeout_covers_a_body_that_stalls() {
    let start = b"HTTP/1.1 200 OK\r\ncontent-length: 100\r\ncontent-type: application/json\r\n\r\n{\"a\":";
    let server = Replay::in_turn(vec![Answer::json(STATUS), Answer::Stall(start)]).await;
    let hasty = ClientOptions { timeout: Duration::from_secs(1), tries: 1, ..options() };
    let client = IndexerClient::new(server.url(), hasty).unwrap();
    assert!(client.status().await.is_ok());
    let error = client.status().await.unwrap_err();
    assert!(matches!(error.kind, ErrorKind::Timeout(_)), "{error:?}");
    assert_eq!(error.body.as_deref(), Some("{\"a\":"));
}

#[tokio::test]
async fn a_spent_budget_ends_the_tries() {
    let server = Replay::always(Answer::text(500, "Internal Server Error")).await;
    let hurried = ClientOptions { budget: Duration::ZERO, ..options() };
    let client = IndexerClient::new(server.url(), hurried).unwrap();
    assert!(client.status().await.is_err());
    assert_eq!(server.seen().len(), 1);
}
