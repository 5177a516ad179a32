//! Several transfers followed by one command, and their bundles.

use std::{
    fs,
    io::{BufRead, BufReader, Write as _},
    process::Stdio,
    sync::atomic::{AtomicUsize, Ordering},
};

use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};

use super::{Chain, HASH, json_answer, parse};
use crate::{
    cli::program::{Home, Ran},
    harness::replay::Answer,
};

const OTHER: &str = "cdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcd";
const THIRD: &str = "efefefefefefefefefefefefefefefefefefefefefefefefefefefefefefefef";

/// A router that says of the first that it arrived, of the other that it failed, of the third always that it moves, and
/// knows no more.
fn router() -> Chain {
    router_after(0)
}

/// A router that reports the first transfer as moving this many times before it arrives.
fn router_after(moves: usize) -> Chain {
    let asked = AtomicUsize::new(0);
    let unknown = || json_answer(404, r#"{"code":5,"message":"tx not found","details":[]}"#);
    let pending = || Answer::json(r#"{"state":"STATE_PENDING"}"#);
    Chain::scripted(move |seen| {
        let about = format!("{}{}", seen.target, seen.body).to_lowercase();
        let known = [HASH, OTHER, THIRD].into_iter().find(|hash| about.contains(hash));
        match (seen.target.split('?').next(), known) {
            (Some("/v2/tx/track"), Some(_)) => Answer::json("{}"),
            (Some("/v2/tx/status"), Some(HASH)) if asked.fetch_add(1, Ordering::SeqCst) < moves => pending(),
            (Some("/v2/tx/status"), Some(HASH)) => Answer::json(
                r#"{"state":"STATE_COMPLETED_SUCCESS","transfer_asset_release":{"chain_id":"noble-1","denom":"uusdc","amount":"7","released":true}}"#,
            ),
            (Some("/v2/tx/status"), Some(OTHER)) => Answer::json(r#"{"state":"STATE_COMPLETED_ERROR"}"#),
            (Some("/v2/tx/status"), Some(_)) => pending(),
            (Some("/v2/tx/track" | "/v2/tx/status"), None) => unknown(),
            _ => Answer::text(404, "404 page not found"),
        }
    })
}

fn list(home: &Home, arguments: &str, list: &str, router: &Chain) -> Ran {
    let mut command = home.command(&format!("{arguments} --router {}", router.url()));
    Ran::of(&command.write_stdin(list).output().expect("the program can be started"))
}

#[test]
fn several_are_followed_until_the_last_has_ended_and_the_worst_is_the_exit_status() {
    let (home, unknown) = (Home::empty(), "12".repeat(32));
    let ran = list(
        &home,
        "transfer - --watch --tries 1 --format json",
        &format!("noble-1 {HASH}\nosmosis-1 {OTHER}\nnoble-1 {unknown}\n"),
        &router_after(1),
    );
    let lines: Vec<Value> = ran.out.lines().map(parse).collect();
    let phases = |hash: &str| -> Vec<&str> {
        let of = |line: &&Value| line["tx_hash"].as_str().is_some_and(|name| name.eq_ignore_ascii_case(hash));
        lines.iter().filter(of).filter_map(|line| line["phase"].as_str()).collect()
    };
    assert_eq!(phases(HASH), ["moving", "arrived"], "{ran:?}");
    assert_eq!((phases(OTHER), phases(&unknown).len()), (vec!["failed_held"], 0), "{ran:?}");
    assert!(lines.iter().all(|line| line["chain_id"].is_string()), "{ran:?}");
    assert_eq!(ran.status, 4, "{ran:?}");
    let complaints: Vec<&str> = ran.err.lines().collect();
    assert!(complaints[0].starts_with(&format!("note: noble-1 {unknown}: not found: tx not found")), "{ran:?}");
    assert_eq!(complaints[1..], ["rollscope: 1 of 3 transfers ended in failure"]);

    let ran = list(&home, "transfer noble-1 - --watch --tries 1", &format!("{HASH}\n{unknown}"), &router());
    assert_eq!(ran.status, 3, "one that is not known is the worst of these: {ran:?}");
    assert!(ran.out.contains("\"arrived\""), "and the other is followed to its end: {ran:?}");
}

#[test]
fn each_line_names_its_transfer_in_every_form() {
    let both = format!("{HASH}\n{OTHER}");
    let csv = list(&Home::empty(), "transfer noble-1 - --watch --format csv", &both, &router());
    let lines: Vec<&str> = csv.out.lines().collect();
    assert!(lines[0].starts_with("chain_id,tx_hash,phase,headline,"), "{csv:?}");
    assert_eq!(lines.len(), 3, "one header for all: {csv:?}");
    assert!(lines[1..].iter().all(|line| line.starts_with("noble-1,")), "{csv:?}");
    let table = list(&Home::empty(), "transfer noble-1 - --watch --format table", &both, &router());
    assert_eq!(table.status, 4, "{table:?}");
    let of = |hash: &str| table.out.lines().filter(|line| line.contains(&format!("  noble-1 {hash}  "))).count();
    assert_eq!((of(&HASH.to_uppercase()), of(&OTHER.to_uppercase())), (1, 1), "{table:?}");
    assert_eq!(table.out.lines().count(), 2, "{table:?}");
}

#[test]
fn each_gets_a_bundle_of_its_own_with_nothing_of_the_others() {
    let (home, router) = (Home::empty(), router());
    let folder = home.path().join("bundles");
    let follow = format!("transfer noble-1 {HASH} {OTHER} --watch --bundle {}", folder.display());
    let ran = list(&home, &follow, "", &router);
    assert_eq!(ran.status, 4, "{ran:?}");
    let file = |hash: &str| folder.join(format!("transfer-noble-1-{}.json", hash.to_uppercase()));
    for (own, other, state) in [(HASH, OTHER, "STATE_COMPLETED_SUCCESS"), (OTHER, HASH, "STATE_COMPLETED_ERROR")] {
        let text = fs::read_to_string(file(own)).expect("it has a file");
        assert!(!text.to_lowercase().contains(other), "{text}");
        let bundle = parse(&text);
        let last = bundle["statuses"].as_array().and_then(|all| all.last()).expect("a status");
        assert_eq!((&last["body"]["state"], &bundle["facts"]["chain_id"]), (&json!(state), &json!("noble-1")));
        assert!(bundle["router"].as_array().is_some_and(|all| !all.is_empty()), "{text}");
    }
    let asked = router.targets().len();
    let again = list(&home, &format!("transfer noble-1 {HASH} {OTHER} --bundle {}", folder.display()), "", &router);
    assert!(again.bad(2).contains("exists: choose another folder"), "files are not written over");
    assert_eq!(router.targets().len(), asked, "and it is said before anything is asked");
    let taken = home.path().join("file");
    fs::write(&taken, "").expect("a file can be written");
    let ran = list(&home, &format!("transfer noble-1 {HASH} {OTHER} --bundle {}", taken.display()), "", &router);
    assert!(ran.bad(2).contains("--bundle needs a folder for several transfers"));
}

#[test]
fn what_is_of_one_transfer_is_refused_with_the_reason() {
    let (home, router) = (Home::empty(), router());
    for (flags, words) in [
        ("--route r.json", "--route is the plan of one transfer, but you named 2"),
        ("--bundle b --msgs m.json", "--msgs is the signed data of one transfer, but you named 2"),
        ("--ics c.ics", "--ics is the reminder of one transfer, but you named 2"),
    ] {
        let sentence = list(&home, &format!("transfer noble-1 {HASH} {OTHER} {flags}"), "", &router).bad(2);
        assert!(sentence.contains(words) && sentence.contains("use one command per transfer"), "{sentence}");
    }
    let many: Vec<String> = (0..101).map(|number| format!("{number:064x}")).collect();
    let sentence = list(&home, "transfer noble-1 - --watch", &many.join("\n"), &router).bad(2);
    assert!(sentence.contains("--watch follows at most 100 transfers, but you named 101"), "{sentence}");
    let many: Vec<String> = (0..1001).map(|number| format!("{number:064x}")).collect();
    let sentence = list(&home, "transfer noble-1 -", &many.join("\n"), &router).bad(2);
    assert!(sentence.contains("standard input names more than 1000 transactions"), "nothing is cut off: {sentence}");
    assert_eq!(router.targets().len(), 0);
}

#[test]
fn ctrl_c_ends_all_of_them() {
    let (home, router) = (Home::empty(), router());
    let mut child = std::process::Command::new(env!("CARGO_BIN_EXE_rollscope"))
        .env_clear()
        .env("HOME", home.path())
        .args(["transfer", "noble-1", "-", "--watch", "--router", router.url()])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("the program can be started");
    let list = format!("{OTHER}\n{THIRD}\n");
    child.stdin.take().expect("its input is piped").write_all(list.as_bytes()).expect("it reads");
    let lines = BufReader::new(child.stdout.take().expect("its output is piped")).lines();
    let mut open = vec!["failed_held".to_owned(), "moving".to_owned()];
    for line in lines.map_while(Result::ok) {
        let phase = parse(&line)["phase"].as_str().map(str::to_owned);
        open.retain(|awaited| Some(awaited) != phase.as_ref());
        if open.is_empty() {
            break;
        }
    }
    assert!(open.is_empty(), "{open:?}");
    kill_process(Pid::from_child(&child), Signal::INT).expect("the process is there");
    assert_eq!(child.wait().expect("it ends").code(), Some(130));
}
