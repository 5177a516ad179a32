//! Several chains in one server: each below its own name, whatever becomes of the others.

use std::fs;

use rollscope::{demo::Rollup, files::FileLock};
use rustix::process::Signal;
use serde_json::{Value, json};

use super::rollup;
use crate::{
    cli::{
        embedded::Served,
        parse,
        program::{Home, run},
    },
    harness::wait_until,
};

const BLOCKS: &str = "indexer/block/v1/blocks?pagination.limit=5";

/// The settings of a chain whose node is that of a rollup.
pub(super) fn network(name: &str, url: &str, data: &str) -> String {
    let node = format!("node = \"{url}/node/rpc\"\nrest = \"{url}/node/rest\"\njson_rpc = \"{url}/node/json-rpc\"");
    format!("[[networks]]\nname = \"{name}\"\n{node}\ndata = \"{data}\"\n")
}

/// Status and body of an answer, perhaps to another host name.
fn ask(url: &str, host: Option<&str>) -> (u16, Value) {
    let (url, host) = (url.to_owned(), host.map(str::to_owned));
    let asked = std::thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
        runtime.block_on(async {
            let client = rollscope::client::http_client().no_proxy().build().expect("a client");
            let request = client.get(url);
            let request = if let Some(host) = host { request.header("host", host) } else { request };
            let answer = request.send().await.expect("an answer");
            let status = answer.status().as_u16();
            (status, serde_json::from_str(&answer.text().await.expect("a body")).unwrap_or_default())
        })
    });
    asked.join().expect("no panic")
}

#[test]
fn each_chain_is_served_below_its_name_whatever_becomes_of_the_others() {
    let one = rollup(12);
    let other = rollup(9);
    let home = Home::empty();
    let file = home.path().join("fleet.toml");
    let gone = "http://127.0.0.1:1".to_owned();
    let chains = [("one", one.url()), ("other", other.url()), ("gone", gone), ("held", one.url())];
    fs::write(&file, chains.map(|(name, url)| network(name, &url, &format!("{name}.sqlite"))).concat()).unwrap();
    let lock = FileLock::take(&home.path().join("held.sqlite")).unwrap();
    let served = Served::start(&format!("--fleet {} --timeout 60s", file.display()));
    let url = |path: &str| format!("{}/{path}", served.url);
    let height = |name: &str| ask(&url(&format!("{name}/status")), None).1["height"].clone();
    wait_until("both chains are indexed", || height("one") == json!(12) && height("other") == json!(9));
    // Some blocks have receipts that the simulated node does not trace; they hold nothing up.
    wait_until("call frames", || ask(&url("one/status"), None).1["internal_tx_height"] == json!(12));

    let blocks = |rollup: &Rollup| parse(&run(&format!("blocks --limit 5 --indexer {}", rollup.url())).good());
    for (name, rollup) in [("one", &one), ("OTHER", &other)] {
        let (status, page) = ask(&url(&format!("{name}/{BLOCKS}")), None);
        assert_eq!((status, &page["blocks"]), (200, &blocks(rollup)["blocks"]), "{name}");
        let host = format!("{name}.rollups.example:8080");
        assert_eq!(ask(&url(BLOCKS), Some(&host)), (200, page), "a host name chooses the chain, too");
        assert_eq!(ask(&url("ready"), Some(&host)).0, 200);
    }
    // Commands take the URL like that of any indexer.
    let block = parse(&run(&format!("blocks 5 --indexer {}", url("other"))).good());
    assert_eq!(block["height"], json!("5"), "{block}");

    let (status, refused) = ask(&url("gone/status"), None);
    assert_eq!(status, 503, "{refused}");
    let (status, ready) = ask(&url("gone/ready"), None);
    assert!(status == 503 && ready["reasons"][0].as_str().is_some_and(|why| why.contains("127.0.0.1:1")), "{ready}");
    let (status, held) = ask(&url("held/ready"), None);
    assert!(status == 503 && held.to_string().contains("is in use by another rollscope"), "{held}");
    drop(lock);
    wait_until("the file that another program held", || height("held") == json!(12));
    let (status, ready) = ask(&url("ready"), None);
    assert_eq!((status, &ready["ready"], &ready["reasons"]["one"]), (200, &json!(true), &json!([])), "{ready}");
    assert!(ready["reasons"]["gone"][0].is_string(), "{ready}");
    assert_eq!((ask(&url("health"), None).0, ask(&url("gone/health"), None).0), (200, 200));
    assert_eq!(ask(&url("status"), None).0, 404, "which chain is meant is not guessed");

    let metrics = served.fetch("/metrics");
    // A chain whose node was never found has its series too: alerts fire for it.
    for line in [
        "rollscope_height{chain=\"one\"} 12",
        "rollscope_height{chain=\"other\"} 9",
        "rollscope_node_trouble{chain=\"one\"} 0",
        "rollscope_height{chain=\"gone\"} 0",
        "rollscope_node_trouble{chain=\"gone\"} 1",
        "rollscope_index_failed{chain=\"gone\"} 0",
    ] {
        assert!(metrics.lines().any(|told| told == line), "{line}: {metrics}");
    }
    assert!(metrics.contains("rollscope_node_requests_total{chain=\"one\",interface=\"rpc\""), "{metrics}");
    let described = metrics.lines().filter(|line| line.starts_with("# TYPE rollscope_height "));
    assert_eq!(described.count(), 1, "a metric is described once");
    assert!(metrics.lines().any(|line| line.starts_with("rollscope_http_connections ")), "{metrics}");

    // A second server of one of the files is refused for that chain alone.
    let again = format!("serve --node {}/node/rpc --data {}", one.url(), home.path().join("one.sqlite").display());
    assert!(run(&again).bad(1).contains("is in use by another rollscope"));
    fs::rename(home.path().join("other.sqlite"), home.path().join("away.sqlite")).unwrap();
    wait_until("it is noticed", || {
        ask(&url("other/ready"), None).1.to_string().contains("renamed or replaced while in use")
    });
    assert_eq!((height("other"), ask(&url("one/ready"), None).0), (json!(9), 200), "what is held is served on");
    let (code, log) = served.end(Signal::TERM);
    assert!(code == Some(0) && log.contains("chain{gone}"), "{log}");
    let left = |name: &str| home.path().join(name).exists();
    assert!(left("one.sqlite") && !left("one.sqlite-wal") && !left("gone.sqlite"));
}

#[test]
fn a_fleet_that_is_not_as_it_was_meant_does_not_start() {
    let home = Home::empty();
    let file = home.path().join("fleet.toml");
    fs::write(&file, "[[networks]]\nname = \"one\"\nnod = \"http://127.0.0.1:1\"\n").unwrap();
    let start = format!("serve --listen 127.0.0.1:0 --fleet {}", file.display());
    let said = run(&start).bad(2);
    assert!(
        said.contains("line 3, nod: unknown setting; did you mean node?")
            && said.contains("one has no node")
            && said.contains("one has no file for its index; write data = \"one.sqlite\""),
        "{said}"
    );
    assert!(run(&format!("{start} --data a.sqlite")).bad(2).contains("cannot be used with"));
}
