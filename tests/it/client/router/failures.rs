use std::{
    sync::{Arc, Mutex},
    time::Duration,
};

use rollscope::{
    client::{ClientOptions, Observer, RouterClient},
    wire::{
        ApiError, ErrorKind, Exchange, ExchangeOutcome, RawJson,
        router::{BroadcastRequest, Refusal},
    },
};
use tokio::sync::mpsc;

use super::{super::options, client_of, fixture, request, tracked};
use crate::harness::replay::{Answer, PATIENCE, Replay};

fn json(status: u16, body: impl Into<String>) -> Answer {
    Answer::typed(status, "application/json; charset=utf-8", body)
}

async fn route_error(answer: Answer) -> ApiError {
    let server = Replay::always(answer).await;
    client_of(&server).route(&request()).await.expect_err("it is refused")
}

#[tokio::test]
async fn refusals_of_a_route_say_what_can_be_done() {
    let error = route_error(json(404, fixture("route-error-404-no-route-composed"))).await;
    assert_eq!(error.kind, ErrorKind::NoRoute("no routes found".into()));
    assert!(error.is_not_found() && !error.is_transient());
    assert_eq!(error.to_string(), "no route: no routes found");

    let error = route_error(json(404, r#"{"code":5,"message":"unknown asset","details":[]}"#)).await;
    assert_eq!(error.kind, ErrorKind::NoRoute("unknown asset".into()));

    let error = route_error(json(500, fixture("route-error-skip-service-composed"))).await;
    assert_eq!(error.kind, ErrorKind::NoRoute("no routes found".into()), "whatever the status is");

    let error = route_error(json(400, fixture("route-error-400-low-info-composed"))).await;
    assert_eq!(error.kind, ErrorKind::UnsafeRoute("unable to determine route safety".into()));
    assert!(error.advice().contains("allow unsafe routes"), "{}", error.advice());
    let reason = error.body.as_deref().and_then(|body| Refusal::read(body.as_bytes())).unwrap().reason;
    assert_eq!(reason, "LOW_INFO_ERROR");

    let error = route_error(json(400, fixture("route-error-400-with-info-composed"))).await;
    assert!(
        matches!(&error.kind, ErrorKind::Notice(info) if info.as_received().starts_with("The fast bridge has too little"))
    );
    assert!(error.to_string().starts_with("The fast bridge"), "a notice speaks for itself: {error}");
}

#[tokio::test]
async fn sentences_are_found_in_every_form_of_body() {
    for (answer, kind) in [
        (
            json(
                400,
                r#"{"message":["amount_in must be a number","x\u001b[2J"],"error":"Bad Request","statusCode":400}"#,
            ),
            ErrorKind::Rejected { status: 400, sentence: "amount_in must be a number; x".into() },
        ),
        (json(400, r#"{"error":"only this"}"#), ErrorKind::Rejected { status: 400, sentence: "only this".into() }),
        (
            Answer::text(401, "invalid\napi key"),
            ErrorKind::Rejected { status: 401, sentence: "invalid api key".into() },
        ),
        (
            Answer::text(404, "404 page not found"),
            ErrorKind::Rejected { status: 404, sentence: "404 page not found".into() },
        ),
        (
            json(404, r#"{"message":"Cannot POST /v2/fungible/route","error":"Not Found","statusCode":404}"#),
            ErrorKind::Rejected { status: 404, sentence: "Cannot POST /v2/fungible/route".into() },
        ),
        (Answer::typed(404, "text/html", "<html>"), ErrorKind::NotJson { content_type: "text/html".into() }),
        (
            Answer::typed(502, "text/html", "<html><h1>502 Bad Gateway</h1></html>"),
            ErrorKind::Server { status: 502, sentence: "Bad Gateway".into() },
        ),
        (
            json(500, r#"{"code":2,"message":"internal server error","details":[]}"#),
            ErrorKind::Server { status: 500, sentence: "internal server error".into() },
        ),
    ] {
        assert_eq!(route_error(answer).await.kind, kind);
    }
    let bad = route_error(json(200, r#"{"amount_in":"1"}"#)).await;
    assert!(matches!(&bad.kind, ErrorKind::BadShape { detail, .. } if detail.contains("amount_out")), "{bad}");
}

#[tokio::test]
async fn a_transaction_that_is_not_known_is_no_failure_and_asked_once() {
    let server = Replay::always(json(404, r#"{"code":5,"message":"tx not found","details":[]}"#)).await;
    let client = client_of(&server);
    let untracked = ErrorKind::Untracked("tx not found".into());
    assert_eq!(client.status(&tracked()).await.unwrap_err().kind, untracked);
    let error = client.track(&tracked()).await.unwrap_err();
    assert_eq!(error.kind, untracked);
    assert!(error.is_not_found() && error.advice().contains("some seconds"));
    assert_eq!(server.seen().len(), 2);
}

/// Hands over each wait that is about to be waited.
struct Waits(mpsc::UnboundedSender<Duration>);

impl Observer for Waits {
    fn exchange(&self, _: &Arc<Exchange>) {}

    fn retrying(&self, _: u32, wait: Duration, _: &ApiError) {
        self.0.send(wait).expect("the test listens");
    }
}

#[tokio::test]
async fn a_server_recovers_while_it_is_watched() {
    let status = fixture("status-4b-completed-success-composed");
    let hasty = ClientOptions { timeout: Duration::from_millis(300), tries: 4, ..options() };
    let answers = vec![
        json(404, r#"{"code":5,"message":"tx not found","details":[]}"#),
        Answer::text(429, "too many requests").with("retry-after", "0"),
        Answer::typed(502, "text/html", "<html>"),
        Answer::Stall(b""),
        Answer::json(status),
    ];
    let server = Replay::in_turn(answers).await;
    let client = RouterClient::new(server.url(), hasty).unwrap();
    assert!(matches!(client.status(&tracked()).await.unwrap_err().kind, ErrorKind::Untracked(_)));
    let found = client.status(&tracked()).await.unwrap();
    assert_eq!(found.value.state, "STATE_COMPLETED_SUCCESS");
    assert_eq!(server.seen().len(), 5);
}

#[tokio::test]
async fn retry_after_is_honoured_with_a_text_too() {
    let server = Replay::always(Answer::text(429, "too many requests").with("retry-after", "7")).await;
    let (sender, mut waits) = mpsc::unbounded_channel();
    let client = client_of(&server).observed(Arc::new(Waits(sender)));
    let asking = tokio::spawn(async move { client.route(&request()).await });
    let wait = tokio::time::timeout(PATIENCE, waits.recv()).await.unwrap();
    assert_eq!(wait, Some(Duration::from_secs(7)));
    asking.abort();
    let server =
        Replay::always(json(429, fixture("route-error-429-rate-limited-composed")).with("retry-after", "99")).await;
    let error = client_of(&server).route(&request()).await.unwrap_err();
    assert_eq!((error.kind, server.seen().len()), (ErrorKind::RateLimited(Some(Duration::from_secs(99))), 1));
}

#[tokio::test]
async fn waits_are_four_times_as_long_as_an_indexers() {
    let server = Replay::always(Answer::text(503, "busy")).await;
    let (sender, mut waits) = mpsc::unbounded_channel();
    let client = RouterClient::new(server.url(), ClientOptions::default()).unwrap().observed(Arc::new(Waits(sender)));
    let asking = tokio::spawn(async move { client.chains().await });
    let wait = tokio::time::timeout(PATIENCE, waits.recv()).await.unwrap().unwrap();
    assert!(wait >= Duration::from_secs(1), "{wait:?}");
    asking.abort();
}

#[tokio::test]
async fn a_broadcast_is_never_repeated() {
    let raw = RawJson::parse("{}".to_owned()).unwrap();
    let broadcast = BroadcastRequest { msgs: raw.clone(), tx_index: None };
    for answer in [Answer::text(503, "busy"), Answer::text(429, "slow"), Answer::Truncated("{\"a\":1}".to_owned(), 2)] {
        let server = Replay::always(answer).await;
        let client = client_of(&server);
        assert!(client.demo_broadcast(&broadcast).await.unwrap_err().is_transient());
        assert!(client.demo_sign(&raw).await.is_err());
        assert_eq!(server.seen().len(), 2, "one of each");
    }
    let server = Replay::always(Answer::Stall(b"")).await;
    let hasty = ClientOptions { timeout: Duration::from_millis(50), ..options() };
    let error = RouterClient::new(server.url(), hasty).unwrap().demo_broadcast(&broadcast).await.unwrap_err();
    assert!(matches!(error.kind, ErrorKind::Timeout(_)));
    assert_eq!(server.seen().len(), 1);
}

#[tokio::test]
async fn a_route_has_half_as_much_time_again() {
    let server = Replay::always(Answer::Stall(b"")).await;
    let hasty = ClientOptions { timeout: Duration::from_millis(60), tries: 1, ..options() };
    let client = RouterClient::new(server.url(), hasty).unwrap();
    let of = |error: ApiError| error.kind;
    let timeout = |milliseconds| ErrorKind::Timeout(Duration::from_millis(milliseconds));
    assert_eq!(client.route(&request()).await.map_err(of).unwrap_err(), timeout(90));
    assert_eq!(client.status(&tracked()).await.map_err(of).unwrap_err(), timeout(60));
}

/// Keeps what it was told.
#[derive(Default)]
struct Told(Mutex<Vec<Arc<Exchange>>>);

impl Observer for Told {
    fn exchange(&self, exchange: &Arc<Exchange>) {
        self.0.lock().expect("no test panics here").push(Arc::clone(exchange));
    }

    fn retrying(&self, _: u32, _: Duration, _: &ApiError) {}
}

#[tokio::test]
async fn who_does_not_wait_any_more_cancels() {
    let server = Replay::always(Answer::Stall(b"")).await;
    let told = Arc::new(Told::default());
    let client = client_of(&server).observed(Arc::clone(&told) as Arc<dyn Observer>);
    let asking = tokio::spawn(async move { client.route(&request()).await });
    server.wait_for(1).await;
    asking.abort();
    assert!(asking.await.unwrap_err().is_cancelled());
    let [exchange] = told.0.lock().unwrap().clone().try_into().expect("one exchange");
    assert_eq!((&exchange.outcome, exchange.method), (&ExchangeOutcome::Cancelled, "POST"));
    assert_eq!(*exchange.sent, *server.seen()[0].body);
}

#[tokio::test]
async fn a_redirection_of_what_is_sent_is_told_of() {
    for status in [301, 302, 303, 307, 308] {
        let moved = Answer::text(status, "").with("location", "/elsewhere");
        let server = Replay::always(moved).await;
        let error = client_of(&server).route(&request()).await.unwrap_err();
        let sentence = error.to_string();
        assert!(sentence.contains(&format!("({status}): redirect to /elsewhere")), "{sentence}");
        assert!(error.advice().contains("the URL of the redirect"), "{}", error.advice());
        assert_eq!(server.seen().len(), 1, "what is sent stays at its server");
    }
}

#[tokio::test]
async fn what_was_given_up_is_tracked_as_at_first_where_there_is_no_other_way() {
    let missing = [
        Answer::text(404, "404 page not found"),
        json(404, r#"{"code":5,"message":"Not Found","details":[]}"#),
        json(405, "{}"),
    ];
    for missing in missing {
        let server = Replay::scripted(move |seen, _| match seen.target.as_str() {
            "/v2/tx/retry_track" => missing.clone(),
            _ => Answer::json(r#"{"tx_hash":"x"}"#),
        })
        .await;
        client_of(&server).track_again(&tracked()).await.unwrap();
        assert_eq!(server.seen()[1].target, "/v2/tx/track");
    }
    let server = Replay::always(json(400, r#"{"code":3,"message":"tx is invalid"}"#)).await;
    client_of(&server).track_again(&tracked()).await.unwrap_err();
    assert_eq!(server.seen().len(), 1, "what is refused is not asked for in another way");
}
