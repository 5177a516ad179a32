//! Whatever string of an answer controls a terminal, no command writes what it controls with.

use std::{
    collections::BTreeSet,
    sync::{Arc, Mutex},
};

use serde_json::Value;

use super::{
    bridge::{HASH, file, fixture},
    chain::Chain,
    program::Home,
};
use crate::harness::{
    chain_of,
    replay::{Answer, Seen, forward},
    rollup_of,
};

/// Escape, C1, NUL, and a mark that writes from right to left.
pub(crate) const CONTROLS: &str = "\u{1b}]52;c;aGk=\u{7}\u{1b}[31m\u{9b}2J\u{202e}\0ZQX";

/// Server whose answers have the controls behind each string of one name.
struct Hostile {
    server: Chain,
    script: Arc<Mutex<Script>>,
}

#[derive(Default)]
struct Script {
    /// Name whose strings are hostile; none at first.
    name: Option<String>,
    /// Endpoints with the names of their strings.
    seen: BTreeSet<(String, String)>,
}

impl Hostile {
    fn before(rollup: String) -> Self {
        let script: Arc<Mutex<Script>> = Arc::default();
        let shared = Arc::clone(&script);
        let server = Chain::scripted(move |seen| {
            let (status, kind, body) = answer(&rollup, seen);
            let Ok(mut answer) = serde_json::from_slice::<Value>(&body) else {
                return Answer::typed(status, &kind, String::from_utf8_lossy(&body));
            };
            let endpoint = endpoint(&seen.target);
            let mut script = shared.lock().unwrap_or_else(|error| panic!("no handler panics: {error}"));
            let Script { name, seen } = &mut *script;
            spoil(&mut answer, "", &mut |key, text| {
                seen.insert((endpoint.clone(), key.to_owned()));
                if name.as_deref() == Some(key) {
                    text.push_str(CONTROLS);
                }
            });
            Answer::typed(status, &kind, answer.to_string())
        });
        Self { server, script }
    }

    /// Runs a command while the strings of this name are hostile. Returns what was written, and the strings' places.
    fn run(&self, home: &Home, command: &str, name: Option<&str>) -> (String, BTreeSet<(String, String)>) {
        let script = || self.script.lock().unwrap_or_else(|error| panic!("no handler panics: {error}"));
        *script() = Script { name: name.map(str::to_owned), seen: BTreeSet::new() };
        let ran = home.run(&format!("{command} --indexer {0} --router {0}", self.server.url()));
        (ran.out + &ran.err, std::mem::take(&mut script().seen))
    }
}

/// Answers of the router from its samples, others from the rollup.
fn answer(rollup: &str, seen: &Seen) -> (u16, String, Vec<u8>) {
    let sample = match seen.target.split('?').next() {
        Some("/v2/fungible/route") => "route-swap-price-impact-warning-composed",
        Some("/v2/fungible/msgs") => "msgs-op-deposit-with-hook-cosmos-tx-composed",
        Some("/v2/tx/status") => "status-6a-completed-error-packet-timeout-composed",
        Some("/v2/tx/track") => "track-initia-composed",
        Some("/v2/info/chains") => "chains-initia-composed",
        Some("/v2/fungible/assets") => "assets-initia-composed",
        _ => return forward(rollup, seen),
    };
    (200, "application/json".to_owned(), fixture(sample).into_bytes())
}

/// The path without what differs from row to row.
fn endpoint(target: &str) -> String {
    let path = target.split('?').next().unwrap_or_default();
    path.split('/').filter(|part| part.len() < 30 && part.parse::<u64>().is_err()).collect::<Vec<_>>().join("/")
}

pub(crate) fn spoil(value: &mut Value, key: &str, each: &mut impl FnMut(&str, &mut String)) {
    match value {
        Value::Object(fields) => fields.iter_mut().for_each(|(name, value)| spoil(value, name, each)),
        Value::Array(items) => items.iter_mut().for_each(|value| spoil(value, key, each)),
        Value::String(text) => each(key, text),
        _ => {}
    }
}

pub(crate) fn is_plain(sign: char) -> bool {
    sign == '\n' || !sign.is_control() && sign != '\u{202e}'
}

#[test]
fn no_string_of_any_answer_controls_the_terminal() {
    let rollup = rollup_of(chain_of(60));
    let get = |path: &str| -> Value {
        let seen =
            Seen { target: path.to_owned(), method: "GET".to_owned(), headers: String::new(), body: String::new() };
        serde_json::from_slice(&forward(&rollup.url(), &seen).2).expect("JSON")
    };
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let tx = text(&get("/indexer/tx/v1/txs?pagination.limit=1")["txs"][0]["txhash"]);
    let evm = text(&get("/indexer/tx/v1/evm-txs?pagination.limit=1")["txs"][0]["transactionHash"]);
    let collection = text(&get("/indexer/nft/v1/collections")["collections"][0]["object_addr"]);
    let home = Home::empty();
    let deposit = file(&home, "route.json", &fixture("route-op-deposit-required-hook-composed"));
    let hostile = Hostile::before(rollup.url());
    let ends = "--from interwoven-1:uinit --to interwoven-1:uusdc --amount 1000000";
    let addresses = "--address interwoven-1=init1a --address yominet-1=init1b";
    let (mut covered, mut runs, mut shown) = (BTreeSet::new(), 0, 0);
    for command in [
        "status --format table".to_owned(),
        "blocks 40 --format table".to_owned(),
        "blocks --limit 5 --format table".to_owned(),
        format!("txs {tx} --format table"),
        format!("txs {tx} --story"),
        "txs --limit 20 --format table".to_owned(),
        format!("evm-txs {evm} --format table"),
        format!("internal-txs {evm} --format table"),
        "collections --limit 3 --format table".to_owned(),
        format!("nfts --collection {collection} --limit 3 --format table"),
        "holders uinit --limit 3 --format table".to_owned(),
        format!("route {ends} --format table"),
        format!("msgs --route {deposit} {addresses}"),
        format!("transfer echelon-1 {HASH} --format table"),
        "doctor".to_owned(),
    ] {
        let (honest, places) = hostile.run(&home, &command, None);
        assert!(honest.chars().all(is_plain), "{command}: {honest:?}");
        // Its report is no record of an answer: it words all that it asks for once more.
        let is_report = command == "doctor";
        let new = places.iter().filter(|place| is_report || !covered.contains(*place));
        let names: BTreeSet<String> = new.map(|(_, name)| name.clone()).collect();
        covered.extend(places);
        for name in names {
            let (written, _) = hostile.run(&home, &command, Some(&name));
            runs += 1;
            shown += usize::from(written.contains("ZQX"));
            let found: Vec<char> = written.chars().filter(|sign| !is_plain(*sign)).collect();
            assert!(found.is_empty(), "{command}: {name} brings {found:?}: {written:?}");
        }
    }
    println!(
        "{runs} runs with the strings of one name changed, of {} endpoints' names; {shown} showed them",
        covered.len()
    );
    assert!(shown > 20, "{shown} of {runs}");
}
