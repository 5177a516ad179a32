//! Registering a transaction and following it.

use std::{
    io::{BufRead, BufReader},
    process::Stdio,
    sync::atomic::{AtomicUsize, Ordering},
};

use rustix::process::{Pid, Signal, kill_process};

use super::{Chain, HASH, fixture, json_answer, parse, run};
use crate::{cli::program::Home, harness::replay::Answer};

const UNKNOWN: &str = r#"{"code":5,"message":"tx not found","details":[]}"#;
const TRACKED: &str = r#"{"tx_hash":"x","explorer_link":""}"#;

/// A router that takes the transaction and gives these states in turn, the last one for ever.
fn router_of(states: Vec<Answer>) -> Chain {
    let asked = AtomicUsize::new(0);
    Chain::scripted(move |seen| match seen.target.split('?').next() {
        Some("/v2/tx/track" | "/v2/tx/retry_track") => Answer::json(TRACKED),
        Some("/v2/tx/status") => states[asked.fetch_add(1, Ordering::SeqCst).min(states.len() - 1)].clone(),
        _ => Answer::text(404, "404 page not found"),
    })
}

fn status(name: &str) -> Answer {
    Answer::json(fixture(name))
}

#[test]
fn a_registration_is_repeated_until_it_is_taken_and_its_hash_has_the_chains_form() {
    let asked = AtomicUsize::new(0);
    let bodies = std::sync::Arc::new(std::sync::Mutex::new(Vec::new()));
    let seen_bodies = std::sync::Arc::clone(&bodies);
    let router = Chain::scripted(move |seen| {
        seen_bodies.lock().expect("no handler panics").push(seen.body.clone());
        match asked.fetch_add(1, Ordering::SeqCst) {
            0 => json_answer(404, UNKNOWN),
            _ => Answer::json(TRACKED),
        }
    });
    let out = run(&format!("track 42161 {HASH} --router {}", router.url())).good();
    assert_eq!(out, format!("{TRACKED}\n"));
    let bodies = bodies.lock().unwrap();
    assert_eq!(bodies.len(), 2);
    assert_eq!(parse(&bodies[0])["tx_hash"], format!("0x{HASH}"));
    assert_eq!(parse(&bodies[0])["chain_id"], "42161");
}

#[test]
fn a_registration_that_is_refused_to_the_end_is_3_and_another_refusal_1() {
    let router = Chain::scripted(|_| json_answer(404, UNKNOWN));
    let ran = run(&format!("track interwoven-1 {HASH} --tries 1 --router {}", router.url()));
    let sentence = ran.bad(3);
    assert!(sentence.starts_with("not found: tx not found; check chain and hash"), "{sentence}");
    let watched = run(&format!("transfer interwoven-1 {HASH} --watch --tries 1 --router {}", router.url()));
    assert_eq!((watched.status, watched.out.lines().count()), (3, 0), "{watched:?}");

    let invalid = r#"{"code":3,"message":"tx is invalid on chain","details":[]}"#;
    let router = Chain::scripted(move |_| json_answer(400, invalid));
    let sentence = run(&format!("track interwoven-1 {HASH} --router {}", router.url())).bad(1);
    assert!(sentence.contains("rejected the request (400): tx is invalid on chain"), "{sentence}");
    let watched = run(&format!("transfer interwoven-1 {HASH} --watch --router {}", router.url()));
    let lines: Vec<_> = watched.out.lines().map(parse).collect();
    assert_eq!((watched.status, lines.len(), &lines[0]["phase"]), (4, 1, &"failed_at_source".into()), "{watched:?}");
    assert!(lines[0]["headline"].as_str().unwrap().starts_with("The router reports a failed transaction on"));
    let asked = router.targets().iter().filter(|target| target.starts_with("/v2/tx/track")).count();
    assert_eq!(asked, 2, "a 400 is asked for once by each command");
}

#[test]
fn one_look_prints_the_status_as_received_and_ends_by_what_it_says() {
    for (name, end) in [
        ("status-1-submitted-composed", 0),
        ("status-2-pending-hop0-composed", 0),
        ("status-4b-completed-success-composed", 0),
        ("status-6a-completed-error-packet-timeout-composed", 4),
        ("status-6c-completed-error-source-tx-failed-composed", 4),
        ("status-7-abandoned-composed", 5),
        ("status-8-spec-literal-completed-composed", 0),
        ("status-9-spec-literal-failed-composed", 4),
    ] {
        let router = router_of(vec![status(name)]);
        let look =
            |format: &str| run(&format!("transfer echelon-1 {HASH} --format {format} --router {}", router.url()));
        let json = look("json");
        let told = parse(&json.out);
        assert_eq!((json.status, &told["status"]), (end, &parse(&fixture(name))), "{name}");
        assert!(json.out.trim_end().ends_with(&format!("\"status\":{}}}", fixture(name))), "verbatim: {name}");
        assert!(told["headline"].is_string() && told["source"] == "router" && told["age_seconds"].is_u64(), "{told}");
        assert_eq!(json.err.lines().count(), usize::from(end != 0), "{name}: {}", json.err);
        let table = look("table");
        assert_eq!(table.status, end, "{name}");
        let says_arrived = table.out.lines().next().unwrap_or_default().to_lowercase().contains("arrived");
        assert_eq!(says_arrived, name.contains("success"), "{name}: {}", table.out);
        let csv = look("csv").out;
        assert!(csv.starts_with("phase,headline,hop,"), "{csv}");
    }
    for state in ["STATE_UNKNOWN", "STATE_SO_NEW"] {
        let router = router_of(vec![Answer::json(format!(r#"{{"state":"{state}"}}"#))]);
        let ran = run(&format!("transfer echelon-1 {HASH} --router {}", router.url()));
        assert_eq!(
            (ran.status, &parse(&ran.out)["phase"]),
            (6, &"strange".into()),
            "unknown is not under way: {ran:?}"
        );
        assert_eq!(ran.err.lines().count(), 1, "{ran:?}");
    }
    let router = Chain::scripted(|_| json_answer(404, UNKNOWN));
    let sentence = run(&format!("transfer a {HASH} --router {}", router.url())).bad(3);
    assert!(sentence.contains("tx not found") && sentence.contains("rollscope track"), "{sentence}");
}

#[test]
fn a_watch_in_a_pipe_is_a_line_for_each_change() {
    let success = "status-4b-completed-success-composed";
    let router = router_of(vec![status("status-2-pending-hop0-composed"), status(success)]);
    let out = run(&format!("transfer echelon-1 {HASH} --watch --router {}", router.url())).good();
    let lines: Vec<_> = out.lines().map(parse).collect();
    let phases: Vec<&str> = lines.iter().filter_map(|line| line["phase"].as_str()).collect();
    assert_eq!(phases, ["moving", "arrived"], "nothing is said before anybody is asked");
    assert!(out.lines().all(|line| line.starts_with("{\"headline\":\"")), "where the funds are comes first: {out}");
    assert_eq!(lines[1]["status"], parse(&fixture(success)));
}

#[test]
fn a_watch_ends_by_how_the_transfer_ends_though_the_server_stumbles() {
    let failed =
        router_of(vec![json_answer(404, UNKNOWN), status("status-6a-completed-error-packet-timeout-composed")]);
    // The route says how long it takes: 0 s after that the transfer is overdue, and asked for every second.
    let watch = |router: &Chain| run(&format!("transfer interwoven-1 {HASH} --watch --router {}", router.url()));
    let ran = watch(&failed);
    assert_eq!(ran.status, 4, "{ran:?}");
    let last = ran.out.lines().last().map(parse).unwrap();
    assert!(ran.err.contains(last["headline"].as_str().unwrap()), "{ran:?}");

    let abandoned = router_of(vec![status("status-7-abandoned-composed")]);
    assert_eq!(watch(&abandoned).status, 5);
    assert!(abandoned.targets().iter().any(|target| target == "/v2/tx/retry_track"), "it was asked to go on");

    let broken = router_of(vec![Answer::text(400, "no such thing")]);
    assert_eq!(watch(&broken).status, 1);
}

#[test]
fn a_watch_in_a_pipe_calls_chains_and_amounts_as_the_router_does() {
    let release = r#"{"chain_id":"noble-1","denom":"uusdc","amount":"24983211","released":true}"#;
    let body = format!(r#"{{"state":"STATE_COMPLETED_SUCCESS","transfer_asset_release":{release}}}"#);
    let router = Chain::scripted(move |seen| match seen.target.split('?').next() {
        Some("/v2/tx/track") => Answer::json(TRACKED),
        Some("/v2/tx/status") => Answer::json(&body),
        Some("/v2/info/chains") => Answer::json(r#"{"chains":[{"chain_id":"noble-1","pretty_name":"No\u009b2Jble"}]}"#),
        Some("/v2/fungible/assets") if seen.target.contains("yominet") => json_answer(500, "{}"),
        Some("/v2/fungible/assets") => Answer::json(
            r#"{"chain_to_assets_map":{"noble-1":{"assets":[
                {"denom":"uusdc","chain_id":"noble-1","symbol":"USDC","decimals":6}]}}}"#,
        ),
        _ => Answer::text(404, "404 page not found"),
    });
    let watch = |format: &str| {
        run(&format!("transfer echelon-1 {HASH} --watch --format {format} --router {}", router.url())).good()
    };
    for format in ["json", "jsonl"] {
        let out = watch(format);
        let last = out.lines().last().map(parse).expect("a line");
        assert_eq!(last["headline"], "Arrived: 24.983211 USDC on Noble.", "{format}: {out}");
    }
    let csv = watch("csv");
    let lines: Vec<&str> = csv.lines().collect();
    assert_eq!(lines.len(), 2, "a heading and a line for each change: {csv}");
    assert!(lines[0].starts_with("phase,headline,hop,"), "{csv}");
    assert_eq!(lines[1], "arrived,Arrived: 24.983211 USDC on Noble.,,,,,,");
}

#[test]
fn a_watch_asks_the_indexer_of_the_chain_where_the_transfer_starts() {
    let asked = AtomicUsize::new(0);
    let router = router_of(vec![status("status-2-pending-hop0-composed")]);
    let indexer = Chain::scripted(move |seen| match seen.target.split('?').next() {
        Some("/status") => Answer::json(
            r#"{"version":"v1","commit_hash":"a","chain_id":"echelon-1","height":5,"last_evm_internal_tx_height":0,
                "last_rich_list_height":0,"last_nft_height":0}"#,
        ),
        Some(path) if path.starts_with("/indexer/tx/v1/txs/") && asked.fetch_add(1, Ordering::SeqCst) > 0 => {
            Answer::json(failed_tx())
        }
        _ => json_answer(404, r#"{"message":"transaction not found"}"#),
    });
    let watch = format!("transfer echelon-1 {HASH} --watch --router {} --indexer {}", router.url(), indexer.url());
    let ran = run(&watch);
    let lines: Vec<_> = ran.out.lines().map(parse).collect();
    assert_eq!(ran.status, 4, "{ran:?} {:?}", indexer.targets());
    assert!(lines[0]["notes"].to_string().contains("the indexer of echelon-1"), "{ran:?}");
    let last = lines.last().expect("a line");
    assert!(last["headline"].as_str().unwrap().starts_with("Failed at the source"), "{ran:?}");
    assert!(
        last["notes"].to_string().contains("the indexer of echelon-1 reports that the transaction failed"),
        "{ran:?}"
    );
}

/// A transaction that is on chain and failed.
fn failed_tx() -> String {
    let tx = serde_json::json!({
        "height": "5", "txhash": HASH.to_uppercase(), "codespace": "sdk", "code": 11, "data": "",
        "raw_log": "out of gas", "logs": [], "info": "", "gas_wanted": "1", "gas_used": "1",
        "tx": {"@type": "/cosmos.tx.v1beta1.Tx", "body": {"messages": []}, "auth_info": {}, "signatures": []},
        "timestamp": "2025-11-21T10:00:00Z", "events": [],
    });
    serde_json::json!({ "tx": tx }).to_string()
}

#[test]
fn an_interrupted_watch_ends_with_130() {
    let router = router_of(vec![status("status-2-pending-hop0-composed")]);
    let home = Home::empty();
    let mut child = std::process::Command::new(env!("CARGO_BIN_EXE_rollscope"))
        .env_clear()
        .env("HOME", home.path())
        .args(["transfer", "echelon-1", HASH, "--watch", "--router", router.url()])
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("the program can be started");
    let lines = BufReader::new(child.stdout.take().expect("its output is piped")).lines();
    let moving = lines.map_while(Result::ok).find(|line| parse(line)["phase"] == "moving");
    assert!(moving.is_some());
    kill_process(Pid::from_child(&child), Signal::INT).expect("the process is there");
    assert_eq!(child.wait().expect("it ends").code(), Some(130));
}

#[test]
fn a_bundle_has_all_that_is_known_with_addresses_masked() {
    let body =
        r#"{"state":"STATE_COMPLETED_ERROR","error":{"message":"for init19986clfn43f9pka870erxanxx7kp3lmfcrz898"}}"#;
    let router = router_of(vec![Answer::json(body)]);
    let home = Home::empty();
    let bundle = |name: &str, more: &str| {
        let path = home.path().join(name);
        let ran =
            run(&format!("transfer echelon-1 {HASH} --bundle {} {more} --router {}", path.display(), router.url()));
        (ran, std::fs::read_to_string(&path).unwrap_or_default())
    };
    let (ran, text) = bundle("plain.json", "");
    assert_eq!(ran.status, 4, "{ran:?}");
    let written = parse(&text);
    assert_eq!(written["statuses"][0]["body"], parse(body));
    assert_eq!((&written["facts"]["phase"], &written["facts"]["source"]), (&"failed_held".into(), &"router".into()));
    let exchanges = written["router"].as_array().expect("what the router answered");
    assert!(
        exchanges.iter().any(|it| it["url"].as_str().unwrap().contains("/v2/tx/status") && it["body"] == parse(body))
    );
    assert!(text.contains("init19986"), "{text}");
    let (ran, masked) = bundle("masked.json", "--mask");
    assert_eq!(ran.status, 4);
    assert!(
        !masked.contains("init19986") && masked.contains("for address-1") && masked.contains(&HASH.to_uppercase()),
        "{masked}"
    );
    let (ran, again) = bundle("plain.json", "");
    assert_eq!((ran.status, again.len()), (1, text.len()), "a file that is there is not written over: {ran:?}");
}
