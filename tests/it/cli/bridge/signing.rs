//! `msgs --sign`: the program, a wallet in Chromium, and a chain that takes what was signed or does not.

mod ethereum;
mod expiry;
mod fees;
mod hook;
mod hostile;
mod lies;
mod simulated;
pub(crate) mod turns;
mod waits;

use std::{
    fs,
    io::{BufRead as _, BufReader, Read as _},
    process::{Child, Command, Stdio},
    sync::{
        Arc, OnceLock,
        atomic::{AtomicU32, Ordering},
        mpsc,
    },
    thread,
    time::Duration,
};

use base64::{Engine as _, prelude::BASE64_STANDARD};
use rollscope::{
    domain::TransferRecord,
    store::{Store, StoreScope},
};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};
use tokio::sync::Notify;

use super::{Chain, Home, file, fixture, parse};
use crate::{
    cli::embedded::Served,
    harness::replay::{Answer, Seen},
    signing_page::{
        browser::Browser,
        wallet::{SCRIPT, TestKey},
    },
};

/// Whom the recorded messages are of.
const RECORDED: &str = "init19986clfn43f9pka870erxanxx7kp3lmfcrz898";
const TXS: &str = "/rest/cosmos/tx/v1beta1/txs";
pub(super) const WALLET: &str = "Test Wallet";
/// Denom in which `civitia-1` takes fees, by the registry.
const FEE_DENOM: &str = "l2/2b2d36f666e98b9eecf70d6ec24b882b79f2c8e2af73f54f97b8b670dbb87605";
const L1: &str = "interwoven-1";
const ROLLUP: &str = "rollscope-evm-1";
const PATIENCE: Duration = Duration::from_secs(120);

/// The program while it waits for the wallet.
pub(super) struct Signing {
    child: Child,
    complaints: mpsc::Receiver<String>,
    heard: Vec<String>,
    /// Folder and server that must outlive it.
    around: Option<(Home, Chain)>,
}

impl Signing {
    pub(super) fn start(home: &Home, arguments: &str) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_rollscope"))
            .env_clear()
            .env("HOME", home.path())
            .env("XDG_CONFIG_HOME", home.path().join("config"))
            .env("XDG_STATE_HOME", home.path().join("state"))
            .args(arguments.split_whitespace())
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program can be started");
        let err = child.stderr.take().expect("its complaints are piped");
        let (sender, complaints) = mpsc::channel();
        thread::spawn(move || {
            for line in BufReader::new(err).lines().map_while(Result::ok) {
                drop(sender.send(line));
            }
        });
        Self { child, complaints, heard: Vec::new(), around: None }
    }

    /// The part of the line that it is waited for, behind these words.
    pub(super) fn hear(&mut self, words: &str) -> String {
        loop {
            let line = self.complaints.recv_timeout(PATIENCE);
            let line = line.unwrap_or_else(|_| panic!("it says “{words}”, not only {:?}", self.heard));
            self.heard.push(line.clone());
            if let Some((_, rest)) = line.split_once(words) {
                return rest.to_owned();
            }
        }
    }

    /// The part of the line behind these words; `None` if the program ends without it.
    fn hear_or_end(&mut self, words: &str) -> Option<String> {
        let lines = std::iter::from_fn(|| self.complaints.recv_timeout(PATIENCE).ok());
        lines.into_iter().find_map(|line| Some(line.split_once(words)?.1.to_owned()))
    }

    fn keep(&mut self, home: Home, chain: Chain) {
        self.around = Some((home, chain));
    }

    pub(super) fn kill(mut self) {
        self.child.kill().expect("it runs");
        self.child.wait().expect("it ends");
    }

    /// Status, output, and what was complained of.
    pub(super) fn end(mut self) -> (Option<i32>, String, String) {
        let mut out = String::new();
        self.child.stdout.take().expect("its output is piped").read_to_string(&mut out).expect("it can be read");
        let status = self.child.wait().expect("it ends").code();
        self.heard.extend(self.complaints.iter());
        (status, out, self.heard.join("\n"))
    }
}

/// A browser whose wallet signs with this key, or looks at the request for ever.
pub(super) fn browser(key: &TestKey, does_sign: bool) -> Option<Browser> {
    let mut wallet = key.wallet();
    let silent = move |method: &str, parameters: &Value| match method {
        "personal_sign" if !does_sign => None,
        _ => wallet(method, parameters),
    };
    Browser::start(SCRIPT, Box::new(silent))
}

/// What the scripted node does with what it is sent.
#[derive(Clone)]
pub(crate) enum AtNode {
    Takes,
    Refuses,
    /// Another transaction of the account came between simulation and broadcast of the first.
    IsAhead(Arc<AtomicU32>),
    Breaks,
    Waits(Arc<Notify>),
    /// Takes it; some of its or the router's answers are these, by path.
    Tells(Vec<(&'static str, Value)>),
    /// Takes it; the router never answers that it watches.
    TakesUntracked,
}

/// A router, and the node of a rollup, for a withdrawal of the key's account.
struct World {
    home: Home,
    chain: Chain,
    arguments: String,
}

impl World {
    fn new(key: &TestKey, node: AtNode) -> Self {
        let me = key.bech32("init");
        let msgs = fixture("msgs-op-withdraw-cosmos-tx-composed").replace(RECORDED, &me);
        let url: Arc<OnceLock<String>> = Arc::default();
        let known = Arc::clone(&url);
        let chain = Chain::scripted(move |seen| {
            let base = known.get().map(String::as_str).unwrap_or_default();
            answer(seen, base, &msgs, &node)
        });
        url.set(chain.url().to_owned()).expect("it was not known before");
        let home = Home::with_config(&own_networks(""));
        let route = file(&home, "route.json", &fixture("route-op-withdraw-composed"));
        let addresses = format!("--address civitia-1={me} --address interwoven-1={me}");
        let arguments = format!("msgs --route {route} {addresses} --sign --accept-wait --router {}", chain.url());
        Self { home, chain, arguments }
    }

    fn start(&self) -> Signing {
        Signing::start(&self.home, &self.arguments)
    }

    fn kept(&self) -> Vec<TransferRecord> {
        kept_in(&self.home, self.chain.url())
    }

    /// How often something was sent.
    fn sent(&self) -> usize {
        self.chain.targets().iter().filter(|target| *target == TXS).count()
    }
}

/// Settings in which the known networks have no server outside of this machine; `civitia` are more of that network's.
pub(super) fn own_networks(civitia: &str) -> String {
    let network = |name: &str| {
        let (nowhere, more) = ("http://127.0.0.1:1", if name == "civitia" { civitia } else { "" });
        format!("[[networks]]\nname = \"{name}\"\nindexer = \"{nowhere}\"\nnode = \"{nowhere}\"\n{more}\n")
    };
    rollscope::config::Networks::built_in().all().iter().map(|known| network(&known.name)).collect()
}

/// The transfers of a router in the state file.
fn kept_in(home: &Home, router: &str) -> Vec<TransferRecord> {
    let path = home.path().join("state/rollscope/state.sqlite");
    let store = Store::open(&path).expect("the state file is there");
    store.transfers(&StoreScope::new(router)).expect("it can be read")
}

fn answer(seen: &Seen, base: &str, msgs: &str, node: &AtNode) -> Answer {
    let json = |value: &Value| Answer::json(value.to_string());
    let path = seen.target.split('?').next().unwrap_or_default();
    match path {
        "/v2/fungible/msgs" => Answer::json(msgs),
        "/v2/info/chains" => json(&json!({"chains": [
            {"chain_id": "civitia-1", "chain_type": "cosmos", "bech32_prefix": "init", "rest": format!("{base}/rest"),
                "fee_assets": [{"denom": "uusdc", "gas_price": {"average": "100"}}]},
            {"chain_id": "interwoven-1", "chain_type": "cosmos", "bech32_prefix": "init", "pretty_name": "Initia"},
        ]})),
        "/v2/fungible/assets" => Answer::json(fixture("assets-initia-composed")),
        "/v2/tx/track" if matches!(node, AtNode::TakesUntracked) => {
            Answer::After(Arc::default(), Box::new(Answer::text(500, "never")))
        }
        "/v2/tx/status" => Answer::typed(404, "application/json", r#"{"code":5,"message":"tx not found"}"#),
        "/v2/tx/track" => {
            let asked = parse(&seen.body);
            json(&json!({"tx_hash": asked["tx_hash"], "explorer_link": ""}))
        }
        _ => node_answer(seen, node),
    }
}

/// What the node of any chain answers.
fn node_answer(seen: &Seen, node: &AtNode) -> Answer {
    let json = |value: &Value| Answer::json(value.to_string());
    let path = seen.target.split('?').next().unwrap_or_default();
    if let AtNode::Tells(answers) = node
        && let Some((_, answer)) = answers.iter().find(|(told, _)| *told == path)
    {
        let is_error = answer.get("message").is_some();
        return if is_error { Answer::typed(500, "application/json", answer.to_string()) } else { json(answer) };
    }
    match path {
        "/rest/cosmos/base/node/v1beta1/config" => json(&json!({"minimum_gas_price": "0.015uinit,1umin"})),
        "/rest/cosmos/tx/v1beta1/simulate" => json(&json!({"gas_info": {"gas_used": "100001"}})),
        TXS => {
            let raw = BASE64_STANDARD.decode(parse(&seen.body)["tx_bytes"].as_str().unwrap_or_default());
            let hash = alloy_primitives::hex::encode_upper(Sha256::digest(raw.unwrap_or_default()));
            let taken = json(&json!({"tx_response": {"txhash": hash, "code": 0, "raw_log": ""}}));
            match node {
                AtNode::Refuses => json(&json!({"tx_response": {"code": 13, "raw_log": "insufficient fee"}})),
                AtNode::IsAhead(sent) if sent.fetch_add(1, Ordering::Relaxed) == 0 => {
                    json(&json!({"tx_response": {"code": 32, "raw_log": "expected 9, got 8"}}))
                }
                AtNode::Takes | AtNode::Tells(_) | AtNode::TakesUntracked | AtNode::IsAhead(_) => taken,
                AtNode::Breaks => Answer::Garbage(b"gone"),
                AtNode::Waits(sign) => Answer::After(Arc::clone(sign), Box::new(taken)),
            }
        }
        _ if path.starts_with("/rest/cosmos/auth/v1beta1/account_info/") => {
            let is_ahead = matches!(node, AtNode::IsAhead(sent) if sent.load(Ordering::Relaxed) > 0);
            json(&json!({"info": {"account_number": "7", "sequence": if is_ahead { "9" } else { "8" }}}))
        }
        _ if path.starts_with("/rest/") => {
            Answer::typed(404, "application/json", r#"{"code":5,"message":"not found"}"#)
        }
        _ => Answer::text(404, "404 page not found"),
    }
}

#[test]
fn what_the_wallet_signed_is_kept_sent_once_and_watched() {
    let key = TestKey::new(21);
    let Some(mut browser) = browser(&key, true) else { return };
    let world = World::new(&key, AtNode::Takes);
    let mut signing = world.start();
    browser.open(signing.hear("one-time address in your browser to sign: ").trim());
    browser.choose(WALLET);
    browser.until_asked("personal_sign");
    let page = browser.wait("document.querySelector('#outcome.good')?.textContent");
    let (status, out, err) = signing.end();
    assert_eq!(status, Some(0), "{err}");
    let sent = parse(&out);
    let hash = sent["tx_hash"].as_str().unwrap();
    assert_eq!(page, format!("Sent: {hash}. The terminal follows the transaction."));
    assert_eq!((sent["chain_id"].as_str(), world.sent()), (Some("civitia-1"), 1));
    let kept = world.kept();
    assert_eq!((kept.len(), kept[0].id.hash.as_str()), (1, hash));
    let texts: Vec<&str> = kept[0].changes.iter().map(|change| change.text.as_str()).collect();
    assert_eq!(texts, ["signed in the browser wallet; about to broadcast", "sent"]);
    assert!(kept[0].route.is_some() && kept[0].addresses.len() == 2, "it can be followed with its route");
    for line in ["You withdraw 40".to_owned(), "for at most 140002 gas".to_owned(), format!("{WALLET} signs as")] {
        assert!(err.contains(&line), "{line}: {err}");
    }
    let document = browser.asked.iter().find(|(method, _)| method == "personal_sign").map(|(_, it)| it[0].clone());
    let document = alloy_primitives::hex::decode(document.as_ref().and_then(Value::as_str).unwrap()).unwrap();
    let document = parse(&String::from_utf8(document).unwrap());
    assert_eq!((&document["account_number"], &document["sequence"]), (&json!("7"), &json!("8")));
    let fee = json!({"amount": [{"amount": "2101", "denom": FEE_DENOM}], "gas": "140002"});
    assert_eq!(document["fee"], fee, "1.4 times the gas, the registry's price rounded up, not the router's 100 uusdc");
    assert!(world.chain.targets().iter().any(|target| target == "/v2/tx/track"));
}

#[test]
fn a_router_that_swaps_the_receiver_opens_no_page() {
    let key = TestKey::new(21);
    let world = World::new(&TestKey::new(22), AtNode::Takes);
    let me = key.bech32("init");
    let other = TestKey::new(22).bech32("init");
    let arguments = world.arguments.replace(&other, &me);
    let (status, out, err) = Signing::start(&world.home, &arguments).end();
    assert_eq!((status, out.as_str()), (Some(1), ""));
    assert!(err.contains("nothing signed: the messages differ from the quote"), "{err}");
    assert!(!err.contains("http://"), "no address was given: {err}");
}

#[test]
fn what_the_node_refuses_is_not_sent_again_and_stays_open() {
    let key = TestKey::new(23);
    let Some(mut browser) = browser(&key, true) else { return };
    let world = World::new(&key, AtNode::Refuses);
    let mut signing = world.start();
    browser.open(signing.hear("one-time address in your browser to sign: ").trim());
    browser.choose(WALLET);
    browser.until_asked("personal_sign");
    browser.wait("document.querySelector('#outcome.bad')?.textContent.includes('code 13')");
    let (status, out, err) = signing.end();
    assert_eq!((status, out.as_str(), world.sent()), (Some(1), "", 1));
    assert!(err.contains("code 13") && err.contains("insufficient fee"), "{err}");
    let words = "The funds may be spent nevertheless; nothing can prove later that no block includes the transaction";
    assert!(err.contains(words), "only the router names the node: {err}");
    let kept = world.kept();
    assert!(kept.len() == 1 && !kept[0].is_over, "{kept:?}");
}

#[test]
fn a_sequence_that_another_transaction_took_is_signed_again_on_the_same_page() {
    let key = TestKey::new(39);
    let Some(mut browser) = browser(&key, true) else { return };
    let world = World::new(&key, AtNode::IsAhead(Arc::default()));
    let mut signing = world.start();
    browser.open(signing.hear("one-time address in your browser to sign: ").trim());
    browser.choose(WALLET);
    let note = browser.wait("!document.getElementById('note').hidden && document.getElementById('note').textContent");
    let note = note.as_str().unwrap_or_default().to_owned();
    assert!(note.contains("code 32: expected 9, got 8") && note.contains("a second signature sends twice"), "{note}");
    let signatures = |browser: &Browser| browser.asked.iter().filter(|(method, _)| method == "personal_sign").count();
    assert_eq!((signatures(&browser), world.sent()), (1, 1), "the second waits for a click");
    browser.choose(WALLET);
    browser.wait("document.querySelector('#outcome.good')?.textContent");
    let (status, out, err) = signing.end();
    assert_eq!((status, world.sent(), signatures(&browser)), (Some(0), 2, 2), "{err}");
    let sent = parse(&out)["tx_hash"].as_str().unwrap_or_default().to_owned();
    let kept = world.kept();
    let second = kept.iter().find(|record| record.id.hash.as_str() == sent);
    assert_eq!((kept.len(), second.map(|record| record.txs.len())), (2, Some(1)), "each has a record of its own");
}

#[test]
fn a_line_that_breaks_while_sending_leaves_the_hash() {
    let key = TestKey::new(24);
    let Some(mut browser) = browser(&key, true) else { return };
    let world = World::new(&key, AtNode::Breaks);
    let mut signing = world.start();
    browser.open(signing.hear("one-time address in your browser to sign: ").trim());
    browser.choose(WALLET);
    browser.until_asked("personal_sign");
    browser.wait("document.querySelector('#outcome.bad')?.textContent.includes('unknown whether')");
    let (status, _, err) = signing.end();
    let kept = world.kept();
    assert_eq!((status, world.sent(), kept.len()), (Some(1), 1, 1), "{err}");
    assert!(!kept[0].is_over && err.contains(kept[0].id.hash.as_str()), "{err}");
}

#[test]
fn killed_before_the_signature_nothing_is_kept_or_sent() {
    let key = TestKey::new(25);
    let Some(mut browser) = browser(&key, false) else { return };
    let world = World::new(&key, AtNode::Takes);
    let mut signing = world.start();
    browser.open(signing.hear("one-time address in your browser to sign: ").trim());
    browser.choose(WALLET);
    browser.until_asked("personal_sign");
    signing.kill();
    assert_eq!((world.sent(), world.kept().len()), (0, 0));
    let gone = browser.wait("document.querySelector('#outcome.bad')?.textContent");
    assert!(gone.as_str().is_some_and(|words| words.starts_with("rollscope has ended.")), "{gone}");
}

#[test]
fn killed_while_sending_the_hash_is_kept_and_nothing_sent_twice() {
    let key = TestKey::new(26);
    let Some(mut browser) = browser(&key, true) else { return };
    let sign = Arc::new(Notify::new());
    let world = World::new(&key, AtNode::Waits(Arc::clone(&sign)));
    let mut signing = world.start();
    browser.open(signing.hear("one-time address in your browser to sign: ").trim());
    browser.choose(WALLET);
    browser.until_asked("personal_sign");
    let hash = signing.hear("signed ").split(';').next().unwrap_or_default().to_owned();
    while world.sent() == 0 {
        world.chain.wait_for(world.chain.targets().len() + 1);
    }
    signing.kill();
    let kept = world.kept();
    assert_eq!((world.sent(), kept.len(), kept[0].id.hash.as_str()), (1, 1, hash.as_str()));
    assert_eq!(
        kept[0].changes.last().map(|change| change.text.as_str()),
        Some("signed in the browser wallet; about to broadcast")
    );
}

#[test]
fn killed_after_the_send_the_hash_is_kept_as_sent_and_followed_from_there() {
    let key = TestKey::new(28);
    let Some(mut browser) = browser(&key, true) else { return };
    let world = World::new(&key, AtNode::TakesUntracked);
    let mut signing = world.start();
    browser.open(signing.hear("one-time address in your browser to sign: ").trim());
    browser.choose(WALLET);
    browser.until_asked("personal_sign");
    let hash = signing.hear("signed ").split(';').next().unwrap_or_default().to_owned();
    // The router is being asked to watch it, and says nothing.
    while !world.chain.targets().iter().any(|target| target == "/v2/tx/track") {
        world.chain.wait_for(world.chain.targets().len() + 1);
    }
    signing.kill();
    let kept = world.kept();
    assert_eq!((world.sent(), kept.len(), kept[0].id.hash.as_str()), (1, 1, hash.as_str()));
    assert!(!kept[0].is_over && kept[0].changes.last().is_some_and(|change| change.text == "sent"), "{kept:?}");
}

/// The embedded world with time that flies, where the key's account has coins.
struct EmbeddedWorld {
    served: Served,
    home: Home,
    route: String,
    addresses: String,
}

impl EmbeddedWorld {
    /// With a route of one INIT to the asset of the rollup that is meant.
    fn new(key: &TestKey, is_meant: impl Fn(&Value) -> bool) -> Self {
        let served = Served::start("--history 20 --block-time 200ms --time-scale 604800");
        let (home, me) = (Home::empty(), key.bech32("init"));
        let assets = fund(&served.url, &me);
        let listed = assets["chain_to_assets_map"][ROLLUP]["assets"].as_array().cloned().unwrap_or_default();
        let denom = listed.iter().find(|asset| asset["symbol"] == "INIT" && is_meant(asset));
        let denom = denom.and_then(|asset| asset["denom"].as_str()).unwrap_or_else(|| panic!("no such: {listed:?}"));
        let ends = format!("--from {L1}:uinit --to {ROLLUP}:{denom} --amount 1000000");
        let route = home.run(&format!("route {ends} --indexer {0} --router {0}", served.url)).good();
        let chains = parse(&route)["required_chain_addresses"].as_array().cloned().unwrap_or_default();
        let address = |chain: &Value| format!("--address {}={me}", chain.as_str().unwrap_or_default());
        let addresses: Vec<String> = chains.iter().map(address).collect();
        let bridge = parse(&route)["operations"][0]["op_init_transfer"]["op_init_bridge_id"].clone();
        let known = format!("--accept-connection {L1}:bridge-{}", bridge.as_str().unwrap_or_default());
        let route = file(&home, "route.json", &route);
        Self { served, home, route, addresses: format!("{} {known}", addresses.join(" ")) }
    }

    fn run(&self, arguments: &str) -> Signing {
        Signing::start(&self.home, &format!("{arguments} --indexer {0} --router {0}", self.served.url))
    }

    /// Where a transfer ended, watched to its end.
    fn end_of(&self, chain: &str, hash: &str) -> Value {
        let watch = format!("transfer {chain} {hash} --route {} --watch --router {}", self.route, self.served.url);
        let watched = self.home.run(&watch).good();
        watched.lines().last().map(parse).unwrap_or_default()
    }
}

/// The faucet pays, in a block that lies before the account can pay; gives the rollup's assets.
fn fund(url: &str, me: &str) -> Value {
    let runtime = tokio::runtime::Runtime::new().unwrap_or_else(|error| panic!("a runtime: {error}"));
    let asked = runtime.block_on(async {
        let http = rollscope::client::http_client().no_proxy().build()?;
        let given = http.post(format!("{url}/demo/v1/fund")).header("content-type", "application/json");
        given.body(json!({"address": me}).to_string()).send().await?.error_for_status()?;
        http.get(format!("{url}/v2/fungible/assets?chain_ids={ROLLUP}")).send().await?.text().await
    });
    parse(&asked.unwrap_or_else(|error| panic!("the embedded world answers: {error}")))
}

#[test]
fn a_deposit_that_the_browsers_wallet_signed_arrives() {
    let key = TestKey::new(27);
    let Some(mut browser) = browser(&key, true) else { return };
    let is_plain = |asset: &Value| {
        asset["decimals"] == 6 && asset["denom"].as_str().is_some_and(|denom| !denom.starts_with("ibc/"))
    };
    let world = EmbeddedWorld::new(&key, is_plain);
    let mut signing = world.run(&format!("msgs --route {} {} --sign", world.route, world.addresses));
    browser.open(signing.hear("one-time address in your browser to sign: ").trim());
    browser.choose(WALLET);
    browser.until_asked("personal_sign");
    let (status, out, err) = signing.end();
    assert_eq!(status, Some(0), "{err}");
    let hash = parse(&out)["tx_hash"].as_str().unwrap().to_owned();
    assert_eq!(world.end_of(L1, &hash)["phase"], "arrived");
    assert!(fs::metadata(world.home.path().join("state/rollscope/state.sqlite")).is_ok());
}
