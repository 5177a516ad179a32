//! `transfer --ics`: the reminder of a claim, and the sentence where there is nothing to be reminded of.

use std::fs;

use serde_json::{Value, json};

use super::{Chain, HASH, file, fixture, router_of};
use crate::{
    cli::program::Home,
    harness::{replay::Answer, settlement::proven},
};

/// A router that says that the withdrawal left its rollup so many seconds ago.
fn router(seconds_ago: i64, rest: &str) -> Chain {
    let at = jiff::Timestamp::now() - jiff::SignedDuration::from_secs(seconds_ago);
    let side = json!({"chain_id": "civitia-1", "tx_hash": HASH, "on_chain_at": at.to_string()});
    let status = json!({"state": "STATE_PENDING", "transfer_sequence": [{"op_init_transfer": {
        "from_chain_id": "civitia-1", "to_chain_id": "interwoven-1", "state": "OPINIT_TRANSFER_SENT",
        "txs": {"send_tx": side}}}]});
    let chains = json!({"chains": [{"chain_id": "interwoven-1", "pretty_name": "Initia", "rest": rest}]});
    router_of(vec![
        ("/v2/tx/status", Answer::json(status.to_string())),
        ("/v2/info/chains", Answer::json(chains.to_string())),
    ])
}

/// The calendar's lines, put together again.
fn unfolded(text: &str) -> Vec<String> {
    assert!(text.split("\r\n").all(|line| line.len() <= 75), "{text}");
    text.replace("\r\n ", "").split("\r\n").map(str::to_owned).collect()
}

#[test]
fn an_estimate_is_called_one_and_a_file_that_is_there_stays() {
    let (home, router) = (Home::empty(), router(60, ""));
    let route = file(&home, "route.json", &fixture("route-op-withdraw-composed"));
    let path = home.path().join("claim.ics");
    let look = format!("transfer civitia-1 {HASH} --route {route} --router {}", router.url());
    let shown = home.run(&format!("{look} --ics {}", path.display())).good();
    assert!(shown.contains("\"finalizing\""), "what is asked for is printed as ever: {shown}");
    let text = fs::read_to_string(&path).expect("it was written");
    let lines = unfolded(&text);
    for line in ["BEGIN:VCALENDAR", "SUMMARY:Withdrawal claimable on Initia (estimate)", "END:VCALENDAR"] {
        assert!(lines.iter().any(|known| known == line), "{text}");
    }
    assert!(text.contains("Estimate: the time of the transaction"), "{text}");
    assert!(home.run(&format!("{look} --ics {}", path.display())).err.contains("claim.ics"));
    let out = home.run(&format!("{look} --ics - --format table")).good();
    let bundle = home.path().join("bundle.json");
    home.run(&format!("{look} --ics - --bundle {}", bundle.display())).good();
    assert!(bundle.exists(), "what else is asked for is done");
    let begins = |text: &str| unfolded(text).into_iter().find(|line| line.starts_with("DTSTART:"));
    assert!(out.starts_with("BEGIN:VCALENDAR\r\n") && begins(&out) == begins(&text), "{out}");
}

#[test]
fn where_there_is_no_time_the_reason_is_said_and_nothing_is_written() {
    let home = Home::empty();
    let route = file(&home, "route.json", &fixture("route-op-withdraw-composed"));
    let path = home.path().join("claim.ics");
    let ask = |router: &Chain, more: &str| {
        home.run(&format!("transfer civitia-1 {HASH} --ics {} {more} --router {}", path.display(), router.url()))
    };
    let arrived = router_of(vec![(
        "/v2/tx/status",
        Answer::json(
            r#"{"state":"STATE_COMPLETED_SUCCESS","transfer_asset_release":{"chain_id":"interwoven-1","denom":"uinit","amount":"7","released":true}}"#,
        ),
    )]);
    let failed = router_of(vec![("/v2/tx/status", Answer::json(r#"{"state":"STATE_COMPLETED_ERROR"}"#))]);
    let of_route = format!("--route {route}");
    for (ran, status, words) in [
        (ask(&router(60, ""), ""), 1, "no reminder, since the claim time is unknown: choose"),
        (
            ask(&router(700_000, ""), &of_route),
            1,
            "since the withdrawal is already claimable: rollscope claim civitia-1 6AC3",
        ),
        (ask(&arrived, ""), 1, "since no withdrawal is in its challenge period: Arrived"),
        (ask(&failed, ""), 4, "ailed"),
    ] {
        assert!(ran.status == status && ran.err.contains(words), "{words}: {ran:?}");
        assert!(!path.exists(), "{ran:?}");
    }
    let together = ask(&arrived, "--watch");
    assert!(together.status == 2 && together.err.contains("cannot be used with"), "{together:?}");
}

/// An indexer of Civitia, the executor of its bridge and the L1 in one; the withdrawal's output has this long a period.
fn settlement(period: &str, change: impl Fn(&mut Value)) -> Chain {
    let (mut withdrawal, output) = proven();
    change(&mut withdrawal);
    let of_event = [
        ("from", "init1from"),
        ("to", "init1to"),
        ("denom", "l2/x"),
        ("base_denom", "uinit"),
        ("amount", "500"),
        ("l2_sequence", "7"),
    ];
    let of_event: Vec<Value> = of_event.iter().map(|(key, value)| json!({"key": key, "value": value})).collect();
    let tx = json!({"tx": {
        "height": "5", "txhash": HASH.to_uppercase(), "codespace": "", "code": 0, "data": "", "raw_log": "", "logs": [],
        "info": "", "gas_wanted": "1", "gas_used": "1", "timestamp": "2026-01-31T11:00:00Z",
        "tx": {"@type": "/cosmos.tx.v1beta1.Tx", "body": {"messages": []}, "auth_info": {}, "signatures": []},
        "events": [{"type": "initiate_token_withdrawal", "attributes": of_event}],
    }});
    let bridge = json!({"bridge_config": {"finalization_period": period}}).to_string();
    let answers = [
        ("/status", json!({"chain_id": "civitia-1", "height": 9}).to_string()),
        ("/withdrawal/7", withdrawal.to_string()),
        ("/opinit/ophost/v1/bridges/9", bridge),
        ("/opinit/ophost/v1/bridges/9/outputs/3", output.to_string()),
        ("/opinit/ophost/v1/bridges/9/withdrawals/claimed/by_hash", json!({"claimed": false}).to_string()),
    ];
    Chain::scripted(move |seen| {
        let path = seen.target.split('?').next().unwrap_or_default();
        let found = answers.iter().find(|(known, _)| *known == path).map(|(_, body)| body.clone());
        let of_tx = path.starts_with("/indexer/tx/v1/txs/").then(|| tx.to_string());
        found.or(of_tx).map_or_else(|| Answer::text(404, "404 page not found"), Answer::json)
    })
}

#[test]
fn the_l1s_time_is_a_fact_and_a_wrong_proof_has_none() {
    let reminder = |settlement: &Chain| {
        let router = router(60, settlement.url());
        let network = format!(
            "[[networks]]\nname = \"civ\"\nchain_id = \"civitia-1\"\nindexer = \"{0}\"\nexecutor = \"{0}\"\nrouter = \"{1}\"\n",
            settlement.url(),
            router.url()
        );
        let home = Home::with_config(&network);
        let route = file(&home, "route.json", &fixture("route-op-withdraw-composed"));
        home.run(&format!("transfer civitia-1 {HASH} --network civ --route {route} --ics -"))
    };
    let text = reminder(&settlement("3153600000s", |_| ())).good();
    let lines = unfolded(&text).join("\n");
    assert!(lines.contains("\nDTSTART:21260107T120000Z\n"), "{lines}");
    assert!(lines.contains("\nSUMMARY:Withdrawal claimable on Initia\n") && !lines.contains("estimate"), "{lines}");
    assert!(lines.contains("DESCRIPTION:From the L1: output 3 of 2026-01-31T12:00:00Z"), "{lines}");
    let sentence =
        reminder(&settlement("3153600000s", |withdrawal| withdrawal["withdrawal_proofs"] = json!([]))).bad(1);
    assert!(sentence.contains("no reminder, since the claim time is unknown"), "{sentence}");
}
