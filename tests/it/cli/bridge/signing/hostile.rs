//! A router that lies, played to `route` and `msgs --sign`: nothing is offered, and the refusal names both values.

use std::time::Duration;

use rollscope::domain::Timestamp;
use serde_json::Value;

use super::{RECORDED, Signing};
use crate::cli::{
    bridge::{asking, file, fixture, json_answer, router_of},
    parse,
    program::{Home, run},
};

/// Recorded quote of a transfer, and the messages that were given for it.
struct Scene {
    route: String,
    msgs: String,
}

impl Scene {
    /// One transaction over two IBC channels, which times out in five minutes.
    fn packets() -> Self {
        let ends = Timestamp::now().after(Duration::from_secs(300)).as_nanos().to_string();
        let msgs = fixture("msgs-ibc-multihop-cosmos-tx-composed").replace("1763720400000000000", &ends);
        Self { route: fixture("route-ibc-multihop-composed"), msgs }
    }

    fn route(self, from: &str, to: &str) -> Self {
        assert!(self.route.contains(from), "{from}");
        Self { route: self.route.replacen(from, to, 1), ..self }
    }

    fn msgs(self, from: &str, to: &str) -> Self {
        assert!(self.msgs.contains(from), "{from}");
        Self { msgs: self.msgs.replace(from, to), ..self }
    }

    /// What `msgs --sign` says before it gives up, or gives an address.
    fn sign(&self) -> Signing {
        let router = router_of(vec![("/v2/fungible/msgs", json_answer(200, self.msgs.clone()))]);
        let home = Home::empty();
        let route = file(&home, "route.json", &self.route);
        let noble = "noble10jr5un2e6jnpyaqqhzsq9j4luu0l4rg5s3qutv";
        let address = |chain: &Value| {
            let chain = chain.as_str().unwrap_or_default();
            format!("--address {chain}={}", if chain == "noble-1" { noble } else { RECORDED })
        };
        let chains = parse(&self.route)["required_chain_addresses"].as_array().cloned().unwrap_or_default();
        let addresses: Vec<String> = chains.iter().map(address).collect();
        let signing = format!("msgs --route {route} {} --sign --router {}", addresses.join(" "), router.url());
        let mut signing = Signing::start(&home, &signing);
        signing.keep(home, router);
        signing
    }

    fn refused(&self) -> String {
        let (status, out, err) = self.sign().end();
        assert_eq!((status, out.as_str()), (Some(1), ""), "{err}");
        assert!(err.contains("nothing signed") && !err.contains("http://127.0.0.1"), "no page is offered: {err}");
        err
    }
}

#[test]
fn an_honest_packet_is_offered() {
    let mut signing = Scene::packets().sign();
    signing.hear("one-time address in your browser to sign: ");
    signing.kill();
}

#[test]
fn a_memo_with_a_second_destination_is_refused() {
    let evil = r#"{\\\"forward\\\":{\\\"receiver\\\":\\\"noble1evil\\\",\\\"port\\\":\\\"transfer\\\"}}"#;
    let merged = format!(r#"{{\\\"forward\\\":{{\\\"next\\\":{evil}}},\\\"forward\\\":{{"#);
    let err = Scene::packets().msgs(r#"{\\\"forward\\\":{"#, &merged).refused();
    assert!(err.contains("a memo with the key “forward” twice in one object"), "{err}");
    let err = Scene::packets().msgs(r#"\\\"next\\\":null"#, r#"\\\"next\\\":{},\\\"next\\\":null"#).refused();
    assert!(err.contains("a memo with the key “next” twice in one object"), "{err}");
    let err = Scene::packets().msgs(r#"\"sender\":"#, r#"\"sender\":\"init1evil\",\"sender\":"#).refused();
    assert!(err.contains("the MsgTransfer has the key “sender” twice in one object"), "{err}");
}

#[test]
fn waits_without_bounds_and_a_receiver_with_a_blank_are_refused() {
    let err = Scene::packets().msgs(r#"\\\"retries\\\":2"#, r#"\\\"retries\\\":250"#).refused();
    assert!(err.contains("the forward tries 250 more times; rollscope signs for at most a day"), "{err}");
    let scene = Scene::packets();
    let late = scene.msgs.split("timeout_timestamp\\\":").nth(1).unwrap_or_default()[..19].to_owned();
    let err = scene.msgs(&late, "7258118400000000000").refused();
    assert!(err.contains("the packet ends at 2200-01-01 00:00:00 UTC"), "{err}");
    let receiver = format!(r#"\"receiver\":\"{RECORDED}\""#);
    let blank = format!(r#"\"receiver\":\"{RECORDED} \""#);
    let err = Scene::packets().msgs(&receiver, &blank).refused();
    assert!(err.contains(&format!("the recipient is {RECORDED} , not {RECORDED}")), "{err}");
}

#[test]
fn a_route_that_answers_another_question_is_not_printed() {
    let honest = fixture("route-op-deposit-composed");
    for (from, to, why) in [
        (r#""amount_in":"15000000""#, r#""amount_in":"150000000""#, "the amount is 150000000, not 15000000"),
        (r#""amount_out":"15000000""#, r#""amount_out":"105000000""#, "is 105000000, not 15000000"),
        (r#"_denom":"uinit""#, r#"_denom":"uusdc""#, "the source denom is uusdc, not uinit"),
        (r#"_chain_id":"civitia-1""#, r#"_chain_id":"evil-1""#, "the destination chain is evil-1, not civitia-1"),
        (r#"_chain_id":"interwoven-1""#, r#"_chain_id":"evil-1""#, "the source chain is evil-1, not interwoven-1"),
    ] {
        assert!(honest.contains(from), "{from}");
        let answer = honest.replace(from, to);
        let router = router_of(vec![("/v2/fungible/route", json_answer(200, answer))]);
        for format in ["json", "table"] {
            let error = run(&format!("{} --format {format} --router {}", asking(&honest), router.url())).bad(1);
            assert!(error.contains("the router answered another question: ") && error.contains(why), "{error}");
        }
    }
}

#[test]
fn messages_and_routes_that_do_not_fit_each_other_are_refused() {
    let err = Scene::packets().msgs(r#"\"amount\":\"25000000\""#, r#"\"amount\":\"1500000\""#).refused();
    assert!(err.contains("the transaction sends only 1500000; the quote sends 25000000"), "{err}");
    let err = Scene::packets().msgs(r#"\"amount\":\"25000000\""#, r#"\"amount\":\"250000000\""#).refused();
    assert!(err.contains("the transaction sends 250000000; the quote sends 25000000"), "{err}");
    let err = Scene::packets().route(r#""amount_out":"25000000""#, r#""amount_out":"175000000""#).refused();
    assert!(err.contains("175000000") && err.contains("25000000"), "{err}");
    let chains = r#"["echelon-1","interwoven-1","noble-1"]"#;
    let listed = |chains: &str| format!(r#""required_chain_addresses":{chains}"#);
    let swapped = listed(r#"["interwoven-1","echelon-1","noble-1"]"#);
    let err = Scene::packets().route(&listed(chains), &swapped).refused();
    assert!(err.contains("the first required address is interwoven-1, not echelon-1"), "{err}");
}
