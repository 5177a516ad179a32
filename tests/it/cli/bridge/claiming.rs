//! `claim`: a withdrawal of the embedded rollup to its end in the person's own wallet, and executors that lie or fail.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use base64::{Engine as _, prelude::BASE64_STANDARD};
use rstest::rstest;
use serde_json::{Value, json};
use tokio::sync::Notify;

use super::{
    answer,
    flow::{L1, ROLLUP, World},
    json_answer, parse, router_of,
    signing::{Signing, WALLET, browser},
};
use crate::{
    cli::{chain::Chain, program::Home},
    harness::{
        replay::Answer,
        settlement::{proven, proven_pair},
    },
    signing_page::wallet::TestKey,
};

/// Where a withdrawal stands, again and again until this is so.
fn wait_for(world: &World, claim: &str, stage: &str) -> Value {
    let begun = Instant::now();
    loop {
        let report = parse(&world.home.run(claim).good());
        if report["stage"] == stage {
            return report;
        }
        let known = ["unproposed", "proposed", "ready"];
        assert!(known.iter().any(|known| report["stage"] == **known), "{report}");
        assert!(begun.elapsed() < Duration::from_secs(240), "it never is {stage}: {report}");
    }
}

#[test]
fn a_withdrawal_is_claimed_in_the_persons_own_wallet() {
    let key = TestKey::new(33);
    let Some(mut browser) = browser(&key, true) else { return };
    let (world, me) = (World::start(), key.bech32("init"));
    world.ask("fund.json", &format!("demo-fund {me}"));
    let ends = format!("--from {ROLLUP}:{} --to {L1}:uinit --amount 1000000", world.init(6));
    let (file, _) = world.ask("route.json", &format!("route {ends} --op-withdraw"));
    let addresses = format!("--address {ROLLUP}={} --address {L1}={me}", world.address(ROLLUP));
    let (msgs, _) = world.ask("msgs.json", &format!("msgs --route {file} {addresses}"));
    let (_, sent) = world.ask("sent.json", &format!("demo-send --msgs {msgs}"));
    let tx = format!("{ROLLUP} {}", sent["tx_hash"].as_str().unwrap());
    world.ask("track.json", &format!("track {tx}"));
    // Nobody knows the hash of a second one.
    let (second, _) = world.ask("second.json", &format!("route {} --op-withdraw", ends.replace("1000000", "2000000")));
    let (second, _) = world.ask("second-msgs.json", &format!("msgs --route {second} {addresses}"));
    world.ask("second-sent.json", &format!("demo-send --msgs {second}"));
    let claim = format!("claim {tx} --indexer {0} --router {0}", world.served.url);
    let unsigned = world.home.path().join("claim");
    let early = world.home.run(&format!("{claim} --unsigned {}", unsigned.display()));
    if early.status != 0 {
        assert!(early.bad(1).contains("nothing to sign: "));
        assert!(!unsigned.exists(), "nothing is written before");
    }
    let ready = wait_for(&world, &claim, "ready");
    assert_eq!((&ready["amount"], &ready["to"], &ready["denom"]), (&json!("1000000"), &json!(me), &json!("uinit")));
    let time = |name: &str| ready[name].as_str().unwrap().parse::<rollscope::domain::Timestamp>().unwrap();
    assert!(time("proposed") < time("claimable") && time("claimable") <= time("as_of"), "{ready}");
    let table = world.home.run(&format!("{claim} --format table")).good();
    assert!(table.contains("Claimable: output") && table.contains("1 INIT"), "{table}");

    let all = format!("claim {ROLLUP} --all {me} --indexer {0} --router {0}", world.served.url);
    let begun = Instant::now();
    let found = loop {
        let found = parse(&world.home.run(&all).good());
        if found.as_array().unwrap().iter().all(|one| one["stage"] == "ready") {
            break found;
        }
        assert!(begun.elapsed() < Duration::from_secs(240), "they never are ready: {found}");
    };
    assert_eq!((&found[0]["amount"], &found[1]["amount"]), (&json!("1000000"), &json!("2000000")), "{found}");
    let mut signing = Signing::start(&world.home, &format!("{all} --sign"));
    browser.open(signing.hear("one-time address in your browser to sign: ").trim());
    browser.choose(WALLET);
    browser.until_asked("personal_sign");
    let (status, out, err) = signing.end();
    assert_eq!(status, Some(0), "{err}");
    let hash = parse(&out)["tx_hash"].as_str().unwrap().to_owned();
    assert!(err.contains(&format!("Claim {hash} on {L1}: signed")), "the hash is said before it is sent: {err}");
    assert!(err.contains("Claim 3 INIT of 2 withdrawals"), "{err}");
    assert!(err.contains("Claims    3 INIT") && !err.contains("Sends") && !err.contains("From "), "{err}");
    let out = world
        .home
        .run(&format!("transfer {tx} --route {file} --watch --indexer {0} --router {0}", world.served.url))
        .good();
    let last = out.lines().last().map(parse).unwrap();
    assert_eq!(last["phase"], "arrived", "{out}");
    assert_eq!((&last["next"], &last["times"]["claimable"]), (&Value::Null, &ready["claimable"]), "the L1 was asked");
    assert!(out.contains(&hash), "the router has the claim: {out}");
    wait_for(&world, &claim, "claimed");
    assert_eq!(parse(&world.home.run(&all).good()), json!([]));
    let none = world.home.run(&format!("{all} --sign")).bad(1);
    assert!(none.contains(&format!("nothing to sign: no withdrawal to {me} is claimable now")), "{none}");
    let again = world.home.run(&format!("{claim} --sign")).bad(1);
    assert!(again.contains("nothing to sign: The L1 confirms the claim"), "{again}");
}

/// The chain id that the L1 tells of itself.
fn l1_info() -> (&'static str, Answer) {
    let info = json!({ "default_node_info": { "network": L1 } });
    ("/cosmos/base/tendermint/v1beta1/node_info", Answer::json(info.to_string()))
}

/// A server that is the executor and the L1 at once, and answers so.
fn server(withdrawal: Answer, output: Answer, period: &str, is_claimed: bool) -> Chain {
    let bridge = json!({ "bridge_config": { "finalization_period": period } }).to_string();
    router_of(vec![
        l1_info(),
        ("/withdrawal/7", withdrawal),
        ("/opinit/ophost/v1/bridges/9", Answer::json(bridge)),
        ("/opinit/ophost/v1/bridges/9/outputs/3", output),
        (
            "/opinit/ophost/v1/bridges/9/withdrawals/claimed/by_hash",
            Answer::json(json!({ "claimed": is_claimed }).to_string()),
        ),
    ])
}

fn look(server: &Chain, more: &str) -> String {
    let url = server.url();
    format!("claim some-1 7 --executor {url} --l1-rest {url} {more}")
}

#[test]
fn what_the_l1_says_makes_the_times_facts() {
    let (withdrawal, output) = proven();
    let of = |period: &str, is_claimed: bool| {
        let server = server(Answer::json(withdrawal.to_string()), Answer::json(output.to_string()), period, is_claimed);
        parse(&Home::empty().run(&look(&server, "")).good())
    };
    let ready = of("3600s", false);
    assert_eq!((&ready["stage"], &ready["claimable"]), (&json!("ready"), &json!("2026-01-31T13:00:00Z")));
    let waiting = of("3153600000s", false);
    assert_eq!(waiting["stage"], "proposed");
    assert!(waiting["sentence"].as_str().unwrap().contains("claimable from 2126-"), "{waiting}");
    let unknown = of("soon", false);
    assert_eq!((&unknown["stage"], &unknown["claimable"]), (&json!("proposed"), &Value::Null));
    assert_eq!(of("3153600000s", true)["stage"], "claimed");
}

#[test]
fn several_are_claimed_together_and_those_of_others_are_left_out() {
    let me = TestKey::new(34).bech32("init");
    let ([(first, _), (second, _)], output) = proven_pair(&me);
    let listed = |to: &str| {
        let other = json!({ "to": to, "sequence": 9, "from": "init1from", "bridge_id": 9,
            "amount": { "denom": "uinit", "amount": "1" } });
        json!({ "withdrawals": [other, second, first] }).to_string()
    };
    // The executor answers 7 only once it is asked for 8 as well: they are asked for together.
    let answers: Vec<(&'static str, Answer)> = vec![
        l1_info(),
        (Box::leak(format!("/withdrawals/{me}").into_boxed_str()), Answer::json(listed("init1thief"))),
        ("/withdrawal/7", Answer::json(first.to_string())),
        ("/withdrawal/8", Answer::json(second.to_string())),
        (
            "/opinit/ophost/v1/bridges/9",
            Answer::json(json!({ "bridge_config": { "finalization_period": "1s" } }).to_string()),
        ),
        ("/opinit/ophost/v1/bridges/9/outputs/3", Answer::json(output.to_string())),
        (
            "/opinit/ophost/v1/bridges/9/withdrawals/claimed/by_hash",
            Answer::json(json!({ "claimed": false }).to_string()),
        ),
    ];
    let both: Arc<Notify> = Arc::default();
    let server = Chain::scripted(move |seen| match seen.target.as_str() {
        "/withdrawal/7" => Answer::After(Arc::clone(&both), Box::new(answer(&answers, seen))),
        target => {
            if target == "/withdrawal/8" {
                both.notify_one();
            }
            answer(&answers, seen)
        }
    });
    let url = server.url();
    let servers = format!("--executor {url} --l1-rest {url}");
    let ran = Home::empty().run(&format!("claim some-1 --all {me} {servers} --format table"));
    assert!(ran.err.contains("the executor also returned 1 withdrawal to other accounts"), "{ran:?}");
    let numbers: Vec<&str> = ran.out.lines().skip(1).filter_map(|line| line.split_whitespace().next()).collect();
    assert_eq!((ran.status, numbers), (0, vec!["7", "8"]), "{ran:?}");
    for named in [format!("--all {me}"), "7 8".to_owned()] {
        let home = Home::empty();
        let folder = home.path().join("claim");
        home.run(&format!("claim some-1 {named} {servers} --unsigned {}", folder.display()));
        let file = parse(&std::fs::read_to_string(folder.join("claim.unsigned.json")).unwrap());
        let messages = file["body"]["messages"].as_array().unwrap();
        let sequences: Vec<&Value> = messages.iter().map(|message| &message["sequence"]).collect();
        assert_eq!(sequences, [&json!("7"), &json!("8")], "{file}");
    }
}

#[test]
fn what_no_output_covers_yet_has_no_time() {
    let (mut withdrawal, output) = proven();
    let none = server(Answer::json(withdrawal.to_string()), json_answer(404, r#"{"code":5}"#), "1s", false);
    let report = parse(&Home::empty().run(&look(&none, "")).good());
    assert_eq!(report["stage"], "unproposed", "the L1 has no such output yet: {report}");
    withdrawal["output_index"] = json!(0);
    withdrawal["withdrawal_proofs"] = Value::Null;
    let none = server(Answer::json(withdrawal.to_string()), Answer::json(output.to_string()), "1s", false);
    let report = parse(&Home::empty().run(&look(&none, "")).good());
    assert_eq!((&report["stage"], &report["claimable"]), (&json!("unproposed"), &Value::Null));
}

#[test]
fn the_l1s_silence_is_said_and_nothing_is_claimed() {
    let (withdrawal, _) = proven();
    let server = server(Answer::json(withdrawal.to_string()), Answer::text(500, "no"), "1s", false);
    let report = parse(&Home::empty().run(&look(&server, "")).good());
    assert_eq!(report["stage"], "unconfirmed", "{report}");
    let folder = Home::empty();
    let sentence =
        Home::empty().run(&look(&server, &format!("--unsigned {}", folder.path().join("x").display()))).bad(1);
    assert!(sentence.contains("its state on the L1 is unknown"), "{sentence}");
}

#[rstest]
#[case::amount("amount", json!({ "denom": "uinit", "amount": "501" }), "does not lead from this withdrawal")]
#[case::recipient("to", json!("init1thief"), "does not lead from this withdrawal")]
#[case::proof("withdrawal_proofs", json!([]), "does not lead from this withdrawal")]
#[case::short("withdrawal_proofs", json!(["AAAA"]), "Invalid executor response: the proof")]
#[case::block("last_block_hash", json!(BASE64_STANDARD.encode([9; 32])), "the L1 has another root for output 3")]
#[case::version("version", json!(""), "Invalid executor response: the version")]
fn a_wrong_proof_is_said_and_never_signed(#[case] name: &str, #[case] value: Value, #[case] sentence: &str) {
    let (mut withdrawal, output) = proven();
    withdrawal[name] = value;
    let server = server(Answer::json(withdrawal.to_string()), Answer::json(output.to_string()), "1s", false);
    let report = parse(&Home::empty().run(&look(&server, "")).good());
    assert_eq!(report["stage"], "disproven", "{report}");
    assert!(report["sentence"].as_str().unwrap().contains(sentence), "{report}");
    let refusal = Home::empty().run(&look(&server, "--sign")).bad(1);
    assert!(refusal.contains("nothing to sign: ") && refusal.contains(sentence), "{refusal}");
}

#[test]
fn another_withdrawal_and_no_answer_are_failures() {
    let (mut withdrawal, output) = proven();
    withdrawal["sequence"] = json!(8);
    let output = Answer::json(output.to_string());
    let other = server(Answer::json(withdrawal.to_string()), output.clone(), "1s", false);
    let sentence = Home::empty().run(&look(&other, "")).bad(1);
    assert!(sentence.contains("the executor returned another withdrawal; rollscope ignores it"), "{sentence}");
    for answer in [
        Answer::typed(200, "text/html", "<html>hello</html>"),
        json_answer(200, r#"{"sequence":"seven"}"#),
        json_answer(404, "{}"),
        json_answer(500, r#"{"error":"failed to get withdrawal: not found"}"#),
        Answer::Garbage(b"gone"),
    ] {
        let failing = server(answer, output.clone(), "1s", false);
        Home::empty().run(&look(&failing, "")).bad(1);
    }
    let nobody = router_of(Vec::new());
    for servers in [String::new(), format!("--router {}", nobody.url())] {
        let sentence = Home::empty().run(&format!("claim some-1 7 {servers}")).bad(2);
        assert!(sentence.contains("unknown executor of this rollup: give --executor URL"), "{sentence}");
    }
    let sentence = Home::empty().run(&format!("claim some-1 7 --executor {}", nobody.url())).bad(2);
    assert!(sentence.contains("unknown L1 of some-1: "), "{sentence}");
}

/// The settings know the rollup's L1 and bridge: another L1, and the executor of another rollup, are refused.
#[rstest]
#[case::as_known(L1, 9, None)]
#[case::l1("elsewhere-1", 9, Some((2, "--l1-rest serves interwoven-1, but the L1 of some-1 is elsewhere-1")))]
#[case::bridge(L1, 8, Some((1, "the executor serves bridge 9, but some-1 has bridge 8: check --executor")))]
fn what_the_settings_know_of_the_bridge_is_compared(
    #[case] l1: &str,
    #[case] bridge: u64,
    #[case] refusal: Option<(i32, &str)>,
) {
    let (withdrawal, output) = proven();
    let server = server(Answer::json(withdrawal.to_string()), Answer::json(output.to_string()), "1s", false);
    let config = format!(
        "[[networks]]\nname = \"some\"\nchain_id = \"some-1\"\nindexer = \"{}\"\nl1 = \"{l1}\"\nbridge_id = {bridge}\n",
        server.url()
    );
    let ran = Home::with_config(&config).run(&look(&server, "--network some"));
    match refusal {
        None => assert_eq!(parse(&ran.good())["stage"], "ready"),
        Some((status, sentence)) => assert!(ran.bad(status).contains(sentence), "{sentence}"),
    }
}

#[test]
fn the_claim_is_written_for_the_l1s_own_command_line() {
    let (withdrawal, output) = proven();
    let server = server(Answer::json(withdrawal.to_string()), Answer::json(output.to_string()), "1s", false);
    let home = Home::empty();
    let folder = home.path().join("claim");
    let ran = home.run(&look(&server, &format!("--signer init1payer --unsigned {}", folder.display())));
    assert_eq!(ran.status, 0, "{ran:?}");
    let file = parse(&std::fs::read_to_string(folder.join("claim.unsigned.json")).unwrap());
    let message = &file["body"]["messages"][0];
    assert_eq!(message["@type"], "/opinit.ophost.v1.MsgFinalizeTokenWithdrawal");
    assert_eq!((&message["sender"], &message["to"]), (&json!("init1payer"), &json!("init1to")));
    assert_eq!(message["withdrawal_proofs"], withdrawal["withdrawal_proofs"]);
    assert_eq!(message["output_index"], "3");
    let howto = std::fs::read_to_string(folder.join("HOWTO.txt")).unwrap();
    assert!(howto.contains("tx sign claim.unsigned.json") && howto.contains("against the L1 output"), "{howto}");
}
