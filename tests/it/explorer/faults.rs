//! Servers that cannot be reached, are something else, fail, lie, or take their time.

use std::{
    net::TcpListener,
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use rollscope::{
    config::{Network, NodeLocation},
    demo::faults::Fault,
    wire::{ApiError, ErrorKind, Step},
};
use rstest::rstest;
use tokio::sync::Notify;

use super::{
    Mode, explore, heights,
    scripted::{Server, chain, genesis, path},
};
use crate::harness::{Explorer, replay::Answer};

/// A server that does something else until it is told to be well.
fn sick(ill: impl Fn(&str) -> Option<Answer> + Send + Sync + 'static) -> (Server, Arc<AtomicBool>) {
    let well = Arc::new(AtomicBool::new(false));
    let is_well = Arc::clone(&well);
    let server = Server::new(move |seen, _| {
        let answer = if is_well.load(Ordering::SeqCst) { None } else { ill(path(seen)) };
        answer.unwrap_or_else(|| chain(seen, 40))
    });
    (server, well)
}

/// Seconds until the next try, as the screen says.
fn countdown(explorer: &Explorer) -> u64 {
    let screen = explorer.screen();
    let (_, rest) = screen.split_once("retrying in ").unwrap_or_else(|| panic!("no countdown:\n{screen}"));
    rest.split(' ').next().and_then(|number| number.parse().ok()).expect("a number of seconds")
}

#[test]
fn a_port_where_nobody_listens_is_named_and_tried_again() {
    let address = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let explorer = Explorer::builder().size(120, 30).server(&format!("http://{address}")).start();
    explorer.settle().wait_for("No connection").wait_for(&format!("no connection to http://{address}/status"));
    explorer.wait_for("check the address and port").wait_for("name ✓  connect ✗  answer ·");
    explorer.wait_for("r retry now").wait_for("F12 requests and answers").wait_for("(try 2)").wait_for("○ offline");
    // The waits grow, and never beyond a quarter of a minute.
    let mut waits = Vec::new();
    for attempt in 3..9 {
        waits.push(countdown(&explorer));
        explorer.advance(Duration::from_secs(countdown(&explorer))).wait_for(&format!("(try {attempt})"));
    }
    assert_eq!(waits, [1, 2, 4, 8, 15, 15]);
    explorer.advance(Duration::from_secs(5)).wait_for("retrying in 10 s");
    explorer.press("r").wait_for("(try 9)").press("f12").wait_for("failed").press("esc 2 3").wait_for("No connection");
    explorer.quit();
}

#[test]
fn the_explorer_comes_back_by_itself_when_the_port_opens() {
    let rollup = rollscope::demo::Rollup::start(crate::harness::chain_of(20), ([127, 0, 0, 1], 0).into()).unwrap();
    let address = rollup.address();
    drop(rollup);
    let explorer = Explorer::builder().size(100, 30).server(&format!("http://{address}")).start();
    explorer.settle().wait_for("connect ✗");
    let Ok(rollup) = rollscope::demo::Rollup::start(crate::harness::chain_of(20), address) else {
        // Another process took the port meanwhile: nothing can be learnt then.
        return;
    };
    rollup.wait_until_indexed().unwrap();
    explorer.advance(Duration::from_secs(1)).wait_for("● live").wait_for("height 20");
    explorer.press("2");
    assert_eq!(heights(&explorer).first(), Some(&20));
}

/// Looking a name up would leave the machine, and a handshake needs a server that knows TLS: here both errors are
/// scripted, the client's tests bring them about.
#[rstest]
#[case(Step::Name, "unknown host in https://nowhere.invalid/status", "name ✗  connect ·", "check the host's name")]
#[case(
    Step::Tls,
    "no secure connection to https://nowhere.invalid/status",
    "connect ✓  TLS ✗",
    "check http against https"
)]
fn names_and_handshakes_are_steps_too(#[case] step: Step, #[case] said: &str, #[case] steps: &str, #[case] more: &str) {
    let kind = ErrorKind::Offline { step, detail: "the transport's words".to_owned() };
    let explorer = Explorer::builder()
        .scripted(move |_| {
            Err(ApiError { kind: kind.clone(), url: "https://nowhere.invalid/status".into(), body: None })
        })
        .start();
    explorer.settle().wait_for(said).wait_for(steps).wait_for(more).wait_for("the transport's words");
}

#[rstest]
#[case::web_page(
    Answer::typed(200, "text/html", "<html>It works!</html>"),
    "No status",
    "answered with text/html instead of JSON",
    "status ✓  shape ✗",
    "It works!"
)]
#[case::other_json(
    Answer::json(r#"{"result": {"node_info": {}}}"#),
    "No status",
    "unexpected response format",
    "status ✓  shape ✗",
    "node_info"
)]
#[case::server_error(
    Answer::text(500, "Internal Server Error"),
    "No status",
    "failed (500)",
    "answer ✓  status ✗",
    "or the indexer has no block yet"
)]
#[case::not_there(
    Answer::text(404, "Cannot GET /status"),
    "No status",
    "Cannot GET /status",
    "answer ✓  status ✗",
    "check the"
)]
#[case::garbage(
    Answer::Garbage(b"SSH-2.0-OpenSSH_9.6\r\n"),
    "No connection",
    "the connection to",
    "answer ✗",
    "try again"
)]
#[case::cut_off(Answer::Truncated(r#"{"chain_id": "x", "height": 5}"#.to_owned(), 12), "No connection", "the connection to", "answer ✗", "try again")]
fn a_bad_server_is_told_apart_and_recovered_from(
    #[case] answer: Answer,
    #[case] title: &str,
    #[case] sentence: &str,
    #[case] step: &str,
    #[case] more: &str,
) {
    let (server, well) = sick(move |_| Some(answer.clone()));
    let explorer = server.explorer().size(140, 30).start();
    explorer.settle().wait_for(title).wait_for(sentence).wait_for(step).wait_for(more);
    explorer.wait_for(&format!("tried   {}/status", server.url())).wait_for("retrying in 1 s");
    well.store(true, Ordering::SeqCst);
    explorer.advance(Duration::from_secs(1)).wait_for("● live").wait_for("height 40").wait_gone(sentence);
    explorer.advance(Duration::from_secs(2)).press("2");
    assert_eq!(heights(&explorer).first(), Some(&40));
}

#[test]
fn a_look_up_that_fails_speaks_of_what_was_pasted() {
    let (server, _) = sick(|path| {
        let is_look_up = ["/indexer/tx/v1/", "/indexer/nft/v1/"].iter().any(|part| path.starts_with(part));
        is_look_up.then(|| Answer::text(500, "Internal Server Error"))
    });
    let explorer = server.explorer().size(160, 30).start();
    explorer.wait_for("● live").press("/").paste(&"C941".repeat(16)).press("enter");
    explorer.wait_for("search for a Cosmos or EVM transaction").wait_for("the server failed (500)");
    assert!(!explorer.screen().contains("collections/0x"), "{}", explorer.screen());
}

#[test]
fn a_list_that_fails_says_so_while_the_rest_works_and_comes_back() {
    let (server, well) =
        sick(|path| (path == "/indexer/block/v1/blocks").then(|| Answer::text(500, "Internal Server Error")));
    let explorer = server.explorer().size(120, 30).start();
    explorer.press("2").wait_for("● live").wait_for("failed (500)").wait_for("r retry");
    explorer.press("3").wait_for("0028…0119").press("2").wait_for("failed (500)");
    well.store(true, Ordering::SeqCst);
    for _ in 0..6 {
        explorer.advance(Duration::from_secs(2));
    }
    assert_eq!(heights(&explorer).first(), Some(&40), "{}", explorer.screen());
}

#[test]
fn a_further_page_that_fails_is_said_below_the_last_row() {
    let fails = Arc::new(AtomicBool::new(true));
    let is_ill = Arc::clone(&fails);
    let server = Server::new(move |seen, _| {
        if seen.target.contains("key=") && is_ill.load(Ordering::SeqCst) {
            return Answer::text(500, "Internal Server Error");
        }
        chain(seen, 140)
    });
    let explorer = server.explorer().start();
    explorer.press("2 G").wait_for("; r retry").wait_for("failed (500)");
    assert_eq!(heights(&explorer).last(), Some(&41));
    fails.store(false, Ordering::SeqCst);
    explorer.press("r G").wait_gone("failed (500)").wait_for("— the end —");
    assert_eq!(heights(&explorer).last(), Some(&1));
}

#[test]
fn good_rows_stay_with_their_age_while_the_server_is_gone() {
    let explorer = explore(Mode::Specified, 40);
    explorer.press("2");
    let before = heights(&explorer);
    explorer.rollup().set_faults(vec![Fault::Error500]);
    explorer.step(3).wait_for("○ stale, retry in");
    assert_eq!(heights(&explorer), before);
    explorer.press("r").wait_for("stale 3 s (status)").advance(Duration::from_secs(60)).wait_for("stale 1 min");
    explorer.rollup().set_faults(Vec::new());
    explorer.advance(Duration::from_secs(15)).wait_for("● live").wait_gone("stale");
    assert_eq!(heights(&explorer)[0], 43);
}

#[rstest]
#[case(Fault::Error500, "No status", "status ✗")]
#[case(Fault::Malformed, "No status", "shape ✗")]
#[case(Fault::Truncated, "No connection", "answer ✗")]
fn a_fault_of_the_rollup_is_shown_and_passes(#[case] fault: Fault, #[case] title: &str, #[case] step: &str) {
    let options = rollscope::demo::RollupOptions { faults: vec![fault], ..crate::harness::chain_of(20) };
    let explorer = Explorer::builder().size(120, 30).rollup(options).start();
    explorer.settle().wait_for(title).wait_for(step);
    explorer.rollup().set_faults(Vec::new());
    explorer.advance(Duration::from_secs(1)).wait_for("● live").wait_for("height 20");
}

#[test]
fn the_header_says_which_of_the_servers_fails() {
    let closed = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let is_routers = |path: &str| path.starts_with("/v2/") || path.starts_with("/demo/");
    let (server, _) = sick(move |path| is_routers(path).then(|| Answer::text(503, "Service Unavailable")));
    let node = NodeLocation { node: format!("http://{closed}"), ..NodeLocation::default() };
    let network = Network { node: Some(node), ..Network::default() };
    let now = genesis().after(Duration::from_secs(3600));
    let explorer = Explorer::builder().size(160, 30).network(network).at(now).server(server.url()).start();
    explorer.wait_for("● indexer  ○ RPC no answer").press("6").wait_for("○ RPC no answer  ○ router 503");
    explorer.wait_for("height 40").resize(72, 24).wait_gone("height 40").wait_for("○ RPC no answer  ○ router 503");
    explorer.resize(160, 30).advance(Duration::from_secs(120)).wait_for("○ router 503 2 min ago");
    explorer.advance(Duration::from_secs(601)).wait_gone("router 503");
}

#[test]
fn a_slow_rollup_is_shown_all_the_same() {
    let explorer = explore(Mode::Specified, 20);
    explorer.rollup().set_faults(vec![Fault::Latency(Duration::from_millis(30))]);
    explorer.press("2").wait_for("1 of 20").step(1);
    assert_eq!(heights(&explorer)[0], 21);
    explorer.press("f8").wait_for("Fault of the embedded rollup").wait_for("latency=30");
    explorer.type_text("stuck").press("enter").wait_for("! fault latency=30 +1");
    for fault in ["stuck", "latency=30"] {
        explorer
            .press("f8")
            .wait_for("Fault of the embedded rollup")
            .type_text(fault)
            .press("enter")
            .wait_gone("Fault of");
    }
    explorer.wait_gone("! fault");
}

#[rstest]
fn a_stalled_index_shows_as_lag_and_catches_up(#[values(Mode::Specified, Mode::Quirks)] mode: Mode) {
    let explorer = explore(mode, 40);
    explorer.rollup().set_faults(vec![Fault::StallIndex]);
    explorer.step(30).wait_for("height 40").wait_for("blocks behind");
    explorer.rollup().set_faults(Vec::new());
    explorer.step(1).wait_for("height 71").wait_for("   at the tip");
}

#[test]
fn a_slow_answer_shows_that_it_is_awaited_and_for_how_long() {
    let sign = Arc::new(Notify::new());
    let gate = Arc::clone(&sign);
    let server = Server::new(move |seen, _| match path(seen) {
        "/indexer/block/v1/blocks/7" => {
            let block = serde_json::json!({"block": super::scripted::block(7)}).to_string();
            Answer::After(Arc::clone(&gate), Box::new(Answer::json(block)))
        }
        path if path.contains("by_height") => Answer::json(r#"{"txs": [], "pagination": {"total": "0"}}"#),
        _ => chain(seen, 40),
    });
    let explorer = server.explorer().start();
    explorer.settle().keys("/ 7 enter").wait_for("loading…");
    explorer.let_pass(Duration::from_secs(5)).wait_for("loading… 5 s");
    sign.notify_one();
    explorer.settle().wait_for(&format!("{:064X}", 7)).wait_gone("loading…");
    explorer.wait_for("this block has no transactions");
}

#[test]
fn who_leaves_before_the_answer_is_not_disturbed_by_it() {
    let signs: Arc<Mutex<Vec<Arc<Notify>>>> = Arc::default();
    let gates = Arc::clone(&signs);
    let server = Server::new(move |seen, _| {
        let answer = chain(seen, 40);
        if !path(seen).contains("/blocks/") {
            return answer;
        }
        let gate = Arc::new(Notify::new());
        gates.lock().expect("no test panics with it").push(Arc::clone(&gate));
        Answer::After(gate, Box::new(Answer::json(serde_json::json!({"block": super::scripted::block(7)}).to_string())))
    });
    let explorer = server.explorer().start();
    explorer.settle().keys("/ 7 enter").wait_for("loading…").keys("]").wait_for("Block 6 ").keys("3");
    explorer.wait_for("0028…0119");
    let screen = explorer.screen();
    signs.lock().unwrap().iter().for_each(|gate| gate.notify_one());
    explorer.settle();
    assert_eq!(explorer.screen(), screen);
}
