//! A rollup's own node from the command line: its index is made here, and served to everybody.

mod errors;
mod files;
mod fleet;
mod neighbours;
#[cfg(feature = "postgres")]
mod postgres;
mod sought;

use std::collections::{BTreeMap, BTreeSet};

use reqwest::{Method, header};
use rollscope::{
    demo::{
        Rollup, RollupOptions,
        ledger::{LedgerOptions, token_names},
    },
    domain::Vm,
};
use rustix::process::Signal;
use serde_json::{Value, json};

use super::{
    chain::Chain,
    embedded::Served,
    parse,
    program::{Home, run},
};
use crate::{
    harness::{StartedRollup, chain_of, get, rollup_of, wait_until},
    pty::terminal::Pty,
};

const OPEN_METRICS: &str = "application/openmetrics-text";
const EXPLORER: &str = env!("CARGO_BIN_EXE_rollscope");

/// A rollup of so many blocks, which is a node too.
pub(super) fn rollup(blocks: u64) -> StartedRollup {
    rollup_of(chain_of(blocks))
}

/// The arguments that name its node: none of its addresses is guessed, and a busy machine has time to answer.
fn node(rollup: &Rollup) -> String {
    let url = rollup.url();
    format!("--node {url}/node/rpc --rest {url}/node/rest --json-rpc {url}/node/json-rpc --timeout 60s")
}

/// The node without its first block, which takes longer than everything else: the simulation's state begins there.
fn above_the_first(rollup: &Rollup) -> String {
    format!("{} --from 5", node(rollup))
}

#[test]
fn commands_are_answered_from_the_node_alone() {
    let rollup = rollup(30);
    let of_node = |arguments: &str| parse(&run(&format!("{arguments} {}", node(&rollup))).good());
    let of_indexer = |arguments: &str| parse(&run(&format!("{arguments} --indexer {}", rollup.url())).good());
    let status = of_node("status");
    assert_eq!((&status["height"], &status["node"]["height"]), (&json!(30), &json!(30)));
    assert_eq!(of_node("blocks 30"), of_indexer("blocks 30"));
    let ran = run(&format!("status --node http://127.0.0.1:1 --node {}/node/rpc --timeout 60s", rollup.url()));
    assert!(ran.err.contains("http://127.0.0.1:1") && ran.err.contains("; rollscope uses http://"), "{ran:?}");
    assert_eq!(parse(&ran.out)["node"]["url"], "node 2 of 2");
    let (one, other) = (of_node("txs --height 29"), of_indexer("txs --height 29"));
    assert_eq!(without_hashes(&one["txs"]), without_hashes(&other["txs"]));
    let hash = one["txs"][0]["txhash"].as_str().expect("block 29 has a transaction").to_owned();
    assert_eq!(of_node(&format!("txs {hash}")), one["txs"][0]);
}

/// Commands that show names wait for the node for one second in all. A busy machine may take longer, so that each has
/// several tries.
fn tried<T>(run: impl Fn() -> Option<T>) -> T {
    (0..40).find_map(|_| run()).expect("the node is asked for names in time")
}

#[test]
fn commands_name_tokens_by_the_nodes_word_where_no_list_does() {
    let rollup = rollup(30);
    let url = rollup.url();
    let home = Home::with_config(&format!(
        "[[networks]]\nname = \"mine\"\nindexer = \"{url}\"\nnode = \"{url}/node/rpc\"\nrest = \"{url}/node/rest\"\n\
         json_rpc = \"{url}/node/json-rpc\"\n"
    ));
    let names = token_names(Vm::Evm, chain_of(30).ledger.seed);
    let known: BTreeMap<&str, u8> = names.iter().map(|name| (name.denom.as_str(), name.decimals)).collect();
    let of_bank = tried(|| {
        let stories = home.run("-n mine txs --limit 40 --story").good();
        let stories: Vec<Value> = stories.lines().map(parse).collect();
        let tokens = stories.iter().filter_map(|story| story["tokens"].as_array()).flatten();
        let tokens: Vec<Value> = tokens.filter(|token| token["named_by"] == "bank").cloned().collect();
        (!tokens.is_empty()).then_some(tokens)
    });
    for token in of_bank {
        let denom = token["denom"].as_str().expect("a denom");
        assert_eq!(token["decimals"], known[denom], "{token}");
    }
    let unknown = tried(|| {
        let ran = home.run("-n mine holders NONSENSE");
        ran.err.contains("is called NONSENSE").then(|| ran.bad(3))
    });
    assert!(unknown.starts_with("no token here is called NONSENSE; the chain has "), "{unknown}");
    let erc20 = names.iter().find(|name| name.denom.as_str().starts_with("evm/")).expect("the rollup has ERC-20s");
    assert!(unknown.contains(&format!("{} ({})", erc20.denom, erc20.symbol)), "{unknown}");
    // The chain comes before a router, which is not even asked for what the chain names.
    let holders = format!("-n mine --router http://127.0.0.1:1 holders {}", erc20.symbol);
    let ran = tried(|| Some(home.run(&holders)).filter(|ran| ran.status == 0));
    assert!(ran.err.contains(erc20.denom.as_str()) && !ran.err.contains("router"), "{ran:?}");
    // A node beside an indexer tells as much.
    for pair in ["-n mine".to_owned(), format!("--indexer {url} {}", node(&rollup))] {
        let ran = tried(|| Some(home.run(&format!("{pair} holders {}", erc20.symbol))).filter(|ran| ran.status == 0));
        assert!(ran.err.contains(erc20.denom.as_str()), "{ran:?}");
    }
    let other = rollup_of(RollupOptions { ledger: LedgerOptions { seed: 8, ..chain_of(30).ledger }, ..chain_of(30) });
    let ran = tried(|| {
        let ran = home.run(&format!("txs --limit 1 --story --indexer {url} --node {}/node/rpc", other.url()));
        (ran.status == 1).then_some(ran)
    });
    let names_both = format!("the node at {}/node/rpc serves another block ", other.url());
    assert!(ran.err.contains(&names_both) && ran.err.contains(&format!("the indexer at {url} serves")), "{ran:?}");
    let away = home.run(&format!("txs --limit 1 --story --indexer {url} --node http://127.0.0.1:1"));
    assert_eq!(away.status, 0, "a node that is away costs names only: {away:?}");
}

#[test]
fn the_explorer_shows_a_chain_from_its_node_alone() {
    let rollup = rollup(60);
    let node = node(&rollup);
    let mut pty = Pty::spawn(EXPLORER, &node.split(' ').collect::<Vec<_>>(), &[], (130, 36));
    pty.wait_for("height 60").wait_for("node       at 60").keys("3").wait_for("Txs · ").wait_for("✓");
    rollup.step(2).expect("it makes blocks");
    pty.wait_for("height 62").keys("1").wait_for("node       at 62").keys("q");
    assert_eq!(pty.wait_exit(), 0);
}

#[test]
fn the_explorer_says_that_it_takes_an_indexer_for_what_it_is() {
    let indexer = Chain::start(30);
    let mut pty = Pty::spawn(EXPLORER, &["--node", indexer.url()], &[], (130, 36));
    pty.wait_for("height 30").wait_for("is an indexer of test-1, not a node: rollscope uses its indexer API").keys("q");
    assert_eq!(pty.wait_exit(), 0);
}

/// Transactions without their hashes, which are those of their bytes on the node.
fn without_hashes(txs: &Value) -> Vec<Value> {
    let mut txs = txs.as_array().expect("a list").clone();
    assert!(!txs.is_empty());
    for tx in &mut txs {
        tx["txhash"] = Value::Null;
    }
    txs
}

async fn ask(url: String, method: Method, headers: &[(header::HeaderName, &str)]) -> reqwest::Response {
    let client = rollscope::client::http_client().no_proxy().build().expect("a client can be made");
    let mut request = client.request(method, url);
    for (name, value) in headers {
        request = request.header(name, *value);
    }
    request.send().await.expect("it answers")
}

/// The value of a figure.
fn figure(text: &str, name: &str) -> Option<u64> {
    text.lines().find_map(|line| line.strip_prefix(name)?.trim().parse().ok())
}

/// The metrics that alerts, the dashboard and the operators' document name.
fn packaged_metrics() -> BTreeSet<String> {
    let texts = [
        include_str!("../../../assets/packaging/alerts.yml"),
        include_str!("../../../assets/packaging/dashboard.json"),
        include_str!("../../../docs/operations.md"),
    ];
    let named = texts.iter().flat_map(|text| text.split(|letter: char| letter != '_' && !letter.is_ascii_lowercase()));
    let metrics = named.filter(|word| word.starts_with("rollscope_") || word.starts_with("process_"));
    metrics.map(str::to_owned).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_served_can_be_measured_and_read_by_web_pages() {
    let rollup = rollup(40);
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("config.toml");
    let settings = "[serve]\nlog_format = \"json\"\nlog_level = \"error\"\nlisten_on = \"x\"\ndrain = \"soon\"\n";
    std::fs::write(&file, settings).expect("a file");
    let options = format!("--log-level info --config {}", file.display());
    let served = Served::start(&format!("{} {options}", above_the_first(&rollup)));
    assert_eq!(parse(&served.fetch("/health")), json!({"status": "ok"}));
    assert_eq!(parse(&served.fetch("/version"))["version"], env!("CARGO_PKG_VERSION"));
    assert_eq!(parse(&served.fetch("/ready")), json!({"ready": true}));
    for path in ["/status", "/indexer/block/v1/blocks/40", "/indexer/block/v1/blocks/39", "/no/1", "/no/2", "/no/3"] {
        get(format!("{}{path}", served.url)).await.expect("it answers");
    }
    // The newest blocks come from the search, which is not counted; older ones follow.
    let is_counted = || {
        let start = "rollscope_node_requests_total{interface=\"rpc\",status=\"200\"} ";
        figure(&served.fetch("/metrics"), start).is_some_and(|count| count > 1)
    };
    wait_until("requests to the RPC", is_counted);
    let answer = get(format!("{}/metrics", served.url)).await.expect("it answers");
    assert_eq!(answer.headers()[header::CONTENT_TYPE], "text/plain; version=0.0.4; charset=utf-8");
    let text = answer.text().await.expect("text");
    assert_eq!(figure(&text, "rollscope_height "), Some(40), "{text}");
    let build = format!("rollscope_build_info{{version=\"{}\"}} 1", env!("CARGO_PKG_VERSION"));
    for line in ["# TYPE rollscope_http_requests_total counter", "rollscope_undecoded_parts 0", build.as_str()] {
        assert!(text.lines().any(|found| found == line), "{line}: {text}");
    }
    for interface in ["rpc", "rest", "json_rpc"] {
        let start = format!("rollscope_node_requests_total{{interface=\"{interface}\",status=\"200\"}} ");
        assert!(figure(&text, &start).is_some_and(|count| count > 1), "{start}: {text}");
    }
    assert!(figure(&text, "process_resident_memory_bytes ").is_some_and(|bytes| bytes > 1 << 20), "{text}");
    assert_eq!(figure(&text, "rollscope_node_height "), Some(40));
    assert_eq!(figure(&text, "rollscope_lag_blocks "), Some(0));
    assert_eq!(figure(&text, "rollscope_node_trouble "), Some(0));
    let requests: Vec<&str> = text.lines().filter(|line| line.starts_with("rollscope_http_requests_total{")).collect();
    let counted = |route: &str, status: u16, count: u64| {
        let line = format!("rollscope_http_requests_total{{route=\"{route}\",status=\"{status}\"}} {count}");
        assert!(requests.contains(&line.as_str()), "{line} is not in {requests:#?}");
    };
    counted("/indexer/block/v1/blocks/{height}", 200, 2);
    counted("other", 404, 3);
    assert_eq!(requests.len(), 3, "paths that nobody has are one: {requests:?}");
    assert!(text.contains("rollscope_http_request_duration_seconds_bucket{le="), "{text}");
    let absent: Vec<String> =
        packaged_metrics().into_iter().filter(|name| !text.contains(&format!("\n{name}"))).collect();
    assert_eq!(absent, Vec::<String>::new(), "alerts and the dashboard ask for what is there");
    let open = ask(format!("{}/metrics", served.url), Method::GET, &[(header::ACCEPT, OPEN_METRICS)]).await;
    assert!(open.headers()[header::CONTENT_TYPE].to_str().is_ok_and(|kind| kind.starts_with(OPEN_METRICS)));
    let open = open.text().await.expect("text");
    assert!(open.ends_with("# EOF\n") && open.contains("# TYPE rollscope_http_requests counter\n"), "{open}");

    let page = [(header::ORIGIN, "https://explorer.example")];
    let answer = ask(format!("{}/status", served.url), Method::GET, &page).await;
    assert_eq!(answer.headers()[header::ACCESS_CONTROL_ALLOW_ORIGIN], "*");
    let asks = [page[0].clone(), (header::ACCESS_CONTROL_REQUEST_METHOD, "GET")];
    let preflight = ask(format!("{}/indexer/tx/v1/txs", served.url), Method::OPTIONS, &asks).await;
    assert!(preflight.status().is_success(), "{preflight:?}");
    assert_eq!(preflight.headers()[header::ACCESS_CONTROL_ALLOW_METHODS], "GET, HEAD", "reading only");
    let written = ask(format!("{}/status", served.url), Method::POST, &page).await;
    assert_eq!(written.status().as_u16(), 405);
    let (code, log) = served.end(Signal::TERM);
    let lines: Vec<Value> = log.lines().map(parse).collect();
    assert!(lines.iter().all(|line| line["time"].is_string()), "{log}");
    let messages = lines.iter().map(|line| (line["level"].as_str(), line["message"].as_str().unwrap_or_default()));
    let messages: Vec<_> = messages.collect();
    let [(Some("WARN"), unusable), (Some("WARN"), unknown), said @ ..] = messages.as_slice() else { panic!("{log}") };
    assert!(unknown.contains(" line 4, serve.listen_on: unknown setting; did you mean listen?"), "{log}");
    assert!(unusable.contains(" line 5, serve.drain: invalid value 'soon' for '--drain <TIME>'"), "{log}");
    let start = format!("following the node at {}/node/rpc", rollup.url());
    assert_eq!((code, said), (Some(0), &[(Some("INFO"), start.as_str()), (Some("INFO"), "stopped")][..]), "{log}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_tip_is_followed_and_a_node_that_ends_is_told_of() {
    let rollup = rollup(30);
    let served = Served::start(&format!("{} --ready-trouble 1ms", above_the_first(&rollup)));
    let status =
        async || -> Value { parse(&get(format!("{}/status", served.url)).await.unwrap().text().await.unwrap()) };
    rollup.step(3).expect("it makes blocks");
    while status().await["height"] != 33 {
        tokio::task::yield_now().await;
    }
    drop(rollup);
    let trouble = loop {
        if let Some(trouble) = status().await["node"]["trouble"].as_str() {
            break trouble.to_owned();
        }
    };
    assert_eq!(status().await["height"], 33, "what was indexed stays");
    let unready = get(format!("{}/ready", served.url)).await.unwrap();
    assert_eq!((unready.status().as_u16(), &unready.headers()[header::RETRY_AFTER]), (503, &"1".parse().unwrap()));
    assert_eq!(parse(&unready.text().await.unwrap()), json!({"ready": false, "reasons": [trouble]}));
    let text = get(format!("{}/metrics", served.url)).await.unwrap().text().await.unwrap();
    assert_eq!(figure(&text, "rollscope_node_trouble "), Some(1), "{text}");
    let (code, said) = served.end(Signal::INT);
    assert_eq!(code, Some(0));
    assert!(said.contains(&trouble) && said.contains("retrying"), "{said}");
}
