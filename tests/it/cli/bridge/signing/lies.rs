//! One field that a router or its node answers is changed at a time: what is offered says exactly what is signed.
//!
//! The oracle reads the document and the words of the page. Where channels and bridges lead, and the decimals of each
//! denom, are written here by hand.

use std::{
    sync::{Arc, OnceLock},
    thread,
    time::Duration,
};

use rollscope::domain::Timestamp;
use serde_json::{Value, json};
use tokio::runtime::Runtime;

use super::{AtNode, RECORDED, Signing, node_answer, own_networks};
use crate::{
    cli::{
        bridge::{file, fixture},
        chain::Chain,
        parse,
        program::Home,
    },
    harness::replay::Answer,
    signing_page::access::Visitor,
};

const NOBLE: &str = "noble10jr5un2e6jnpyaqqhzsq9j4luu0l4rg5s3qutv";
const SEED: u64 = 20_261_126;
/// Changes of each field on each scene that has it.
const ROUNDS: u64 = 6;
/// Programs at a time.
const AT_ONCE: usize = 4;

/// Yominet's wrapped INIT, and its wrapper.
const TOKEN: &str = "0x8843a2fD1c1E3b5CaDdB4B1C2f3E7A59dF3c2B41";
const WRAPPER: &str = "0x4eb08D5c1B0A821303A86C7b3AC805c2793dE783";

/// A call with these words.
fn call(signature: &str, words: &[&str]) -> String {
    let selector = alloy_primitives::keccak256(signature);
    let words: Vec<String> = words.iter().map(|word| format!("{:0>64}", word.trim_start_matches("0x"))).collect();
    let words = words.concat();
    format!("0x{}{words}", alloy_primitives::hex::encode(&selector[..4])).to_ascii_lowercase()
}

/// Converts all arrived INIT for the signer.
fn wrap() -> String {
    let denom = alloy_primitives::hex::encode("l2/8f73cfaf153520f511b4fc0bd71d60d64b4e19eff04a350e642718a3c1ab3b06");
    let signer = "294fac7d33ac5250dba7f3f233766637ac18ff69";
    let text = format!("{denom:0<192}");
    call("toLocal(address,string,uint8)", &[signer, "60", "6", "43", &text])
}

/// What a liar changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Field {
    Route,
    Messages,
    Memo,
    Hook,
    Assets,
    Chains,
    Rest,
}

use Field::{Assets, Chains, Hook, Memo, Messages, Rest, Route};

const FIELDS: [Field; 7] = [Route, Messages, Memo, Hook, Assets, Chains, Rest];

/// All answers of one order.
#[derive(Clone)]
struct Answers {
    /// What the person asks for: the signed messages or the hook.
    command: &'static str,
    route: Value,
    /// The messages' answer, or the hook's.
    signed: Value,
    assets: Value,
    chains: Value,
    /// Answers of the node, by path.
    rest: Vec<(&'static str, Value)>,
}

/// What the page offers: the document, the title, and the lines.
#[derive(Clone, Debug)]
pub(super) struct Offered {
    /// The document's bytes.
    text: String,
    pub(super) document: Value,
    pub(super) title: String,
    pub(super) lines: Vec<(String, String)>,
}

impl Answers {
    fn new(command: &'static str, route: &str, signed: &str) -> Self {
        let (route, signed) = (parse(&fixture(route)), parse(&fixture(signed)));
        let ids = route["required_chain_addresses"].as_array().cloned().unwrap_or_default();
        let chain =
            |id: &Value| json!({"chain_id": id, "chain_type": "cosmos", "bech32_prefix": "init", "rest": "REST"});
        let chains = json!({"chains": ids.iter().map(chain).collect::<Vec<_>>()});
        let rest = vec![
            ("/rest/cosmos/base/node/v1beta1/config", json!({"minimum_gas_price": "0.015uinit,1umin"})),
            ("/rest/cosmos/tx/v1beta1/simulate", json!({"gas_info": {"gas_used": "100001"}})),
            ("/rest/cosmos/auth/v1beta1/account_info/", json!({"info": {"account_number": "7", "sequence": "8"}})),
        ];
        Self { command, route, signed, assets: parse(&fixture("assets-initia-composed")), chains, rest }
    }

    /// 25 USDC from Echelon over Initia to Noble, by one packet with a memo that ends in five minutes.
    fn packets() -> Self {
        let mut answers = Self::new("msgs", "route-ibc-multihop-composed", "msgs-ibc-multihop-cosmos-tx-composed");
        let ends = Timestamp::now().after(Duration::from_secs(300)).as_nanos().to_string();
        answers.signed = parse(&answers.signed.to_string().replace("1763720400000000000", &ends));
        answers
    }

    /// 15 INIT from Initia into Civitia.
    fn deposit() -> Self {
        Self::new("msgs", "route-op-deposit-composed", "msgs-gas-warning-composed")
    }

    /// The hook that wraps 5 INIT on Yominet.
    fn hook() -> Self {
        let mut answers = Self::new("op-hook", "route-op-deposit-required-hook-composed", "op-hook-composed");
        let calls = [(TOKEN, call("approve(address,uint256)", &[WRAPPER, &"f".repeat(64)])), (WRAPPER, wrap())];
        let message = |(contract, input): (&str, String)| {
            let message = json!({"sender": RECORDED, "contract_addr": contract, "input": input, "value": "0"});
            json!({"msg_type_url": "/minievm.evm.v1.MsgCall", "msg": message.to_string()})
        };
        answers.signed["hook"] = calls.into_iter().map(message).collect();
        answers
    }

    /// The text of the first message.
    fn message(&mut self) -> &mut Value {
        let place = if self.command == "op-hook" { "/hook/1/msg" } else { "/txs/0/cosmos_tx/msgs/0/msg" };
        self.signed.pointer_mut(place).unwrap_or_else(|| panic!("no message at {place}"))
    }

    /// Changes one leaf of a field; `None` where the scene has no such field.
    fn with_lie(mut self, field: Field, dice: &mut Dice) -> Option<(Self, String)> {
        let is_hook = self.command == "op-hook";
        let told = match field {
            Hook if is_hook => within(self.message(), |message| change(message, dice)),
            Route | Messages | Memo if is_hook => return None,
            Route => change(&mut self.route, dice),
            Messages => within(self.message(), |message| change(message, dice)),
            Memo => {
                let mut told = None;
                within(self.message(), |message| {
                    told = message.get_mut("memo").map(|memo| within(memo, |memo| change(memo, dice)));
                    String::new()
                });
                told?
            }
            Assets => change(&mut self.assets, dice),
            Chains => change(&mut self.chains, dice),
            Rest => {
                let place = dice.below(self.rest.len());
                self.rest.get_mut(place).map(|(_, answer)| change(answer, dice))?
            }
            Hook => return None,
        };
        Some((self, format!("{field:?}: {told}")))
    }

    /// Plays the answers to the command; `None` if nothing is offered.
    fn play(self, runtime: &Runtime) -> Option<Offered> {
        self.play_among("", runtime).ok()
    }

    /// Plays the answers, with settings that name Yominet's REST at this path of the same server; gives the refusal if
    /// nothing is offered.
    fn play_among(self, rest_path: &str, runtime: &Runtime) -> Result<Offered, String> {
        let url: Arc<OnceLock<String>> = Arc::default();
        let known = Arc::clone(&url);
        let required = ["echelon-1", "interwoven-1", "noble-1", "civitia-1", "yominet-1"];
        let Self { command, route, signed, assets, chains, rest } = self;
        let (signed, assets, chains) = (signed.to_string(), assets.to_string(), chains.to_string());
        let chain = Chain::scripted(move |seen| match seen.target.split('?').next().unwrap_or_default() {
            "/v2/fungible/msgs" | "/op-hook" => Answer::json(&signed),
            "/v2/fungible/assets" => Answer::json(&assets),
            "/v2/info/chains" => {
                let base = format!("{}/rest", known.get().map(String::as_str).unwrap_or_default());
                Answer::json(chains.replace("\"REST\"", &format!("\"{base}\"")))
            }
            path => match rest.iter().find(|(own, _)| path.starts_with(own)) {
                Some((_, answer)) => Answer::json(answer.to_string()),
                None => node_answer(seen, &AtNode::Takes),
            },
        });
        url.set(chain.url().to_owned()).map_err(|url| format!("{url} was known before"))?;
        let named = format!("name = \"yominet\"\nrest = \"{}{rest_path}\"", chain.url());
        let settings = own_networks("");
        let settings = if rest_path.is_empty() { settings } else { settings.replace("name = \"yominet\"", &named) };
        let home = Home::with_config(&settings);
        let path = file(&home, "route.json", &route.to_string());
        let whole = if command == "op-hook" {
            format!("--from-address {RECORDED} --to-address {RECORDED}")
        } else {
            let asked = route["required_chain_addresses"].as_array().cloned().unwrap_or_default();
            let asked = required.iter().filter(|id| asked.contains(&json!(id)));
            let address = |id: &&str| format!("--address {id}={}", if *id == "noble-1" { NOBLE } else { RECORDED });
            asked.map(address).collect::<Vec<_>>().join(" ")
        };
        let mut signing =
            Signing::start(&home, &format!("{command} --route {path} {whole} --sign --router {}", chain.url()));
        let offered = match signing.hear_or_end("one-time address in your browser to sign: ") {
            Some(address) => runtime.block_on(async { next_offer(&Visitor::try_opening(address.trim()).await?).await }),
            None => None,
        };
        let Some(offered) = offered else { return Err(signing.end().2) };
        signing.kill();
        Ok(offered)
    }
}

pub(super) async fn next_offer(visitor: &Visitor) -> Option<Offered> {
    let mut seen = 0;
    loop {
        let state = visitor.try_next(seen).await?;
        seen = state["version"].as_u64().unwrap_or_default();
        let shown = &state["stage"];
        match shown["kind"].as_str() {
            Some("offer") => {
                let words = &shown["words"];
                let lines = words["lines"].as_array().cloned().unwrap_or_default();
                let line =
                    |line: &Value| (line["name"].as_str().unwrap_or_default().to_owned(), text_of(&line["runs"]));
                let text = shown["offer"]["text"].as_str().unwrap_or_default();
                return Some(Offered {
                    text: text.to_owned(),
                    document: parse(text),
                    title: text_of(&words["title"]),
                    lines: lines.iter().map(line).collect(),
                });
            }
            Some("ended") => return None,
            _ => {}
        }
    }
}

fn text_of(runs: &Value) -> String {
    runs.as_array().into_iter().flatten().filter_map(|run| run[0].as_str()).collect()
}

/// Changes a text that contains JSON.
fn within(text: &mut Value, change: impl FnOnce(&mut Value) -> String) -> String {
    let mut inner = parse(text.as_str().unwrap_or_default());
    let told = change(&mut inner);
    *text = inner.to_string().into();
    told
}

/// Generator of numbers: splitmix64.
struct Dice(u64);

impl Dice {
    fn roll(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    fn below(&mut self, end: usize) -> usize {
        usize::try_from(self.roll() % end.max(1) as u64).unwrap_or_default()
    }
}

/// Changes one leaf of a document; tells which, and to what.
fn change(document: &mut Value, dice: &mut Dice) -> String {
    let mut paths = Vec::new();
    leaves(document, String::new(), &mut paths);
    let path = paths.swap_remove(dice.below(paths.len()));
    let Some(leaf) = document.pointer_mut(&path) else { return String::new() };
    let others: &[&str] = match leaf.as_str() {
        Some(text) if text.starts_with("init1") || text.starts_with("noble1") => {
            &["init1kw2unuhgfa6mz6r0ehrzlr9k9ftjk7pql8u5fm", "noble1dyw0geqa2cy0ppdjcxfpzusjpwmq85r5a35hqe", ""]
        }
        Some(text) if text.starts_with("channel-") => &["channel-71", "channel-99", "channel-3"],
        Some(text) if text.ends_with("-1") => &["osmosis-1", "evil-1", "interwoven-1"],
        Some(text) if text.starts_with("0x") => &["0x", "0x00", "0x4eb08D5c1B0A821303A86C7b3AC805c2793dE784"],
        Some(text) if text.parse::<u128>().is_ok() => &["150000000", "1", "78", "0", "25000001"],
        Some(_) => &["uinit", "USDC", "evil", ""],
        None => &[],
    };
    *leaf = match leaf {
        Value::Bool(is) => Value::Bool(!*is),
        Value::Number(number) => json!(number.as_u64().unwrap_or_default().wrapping_add([1, 2, 12][dice.below(3)])),
        _ if others.is_empty() => json!("evil"),
        _ => json!(others[dice.below(others.len())]),
    };
    format!("{path} is {leaf}")
}

fn leaves(value: &Value, path: String, found: &mut Vec<String>) {
    match value {
        Value::Object(fields) if !fields.is_empty() => {
            fields.iter().for_each(|(name, value)| leaves(value, format!("{path}/{}", name.replace('/', "~1")), found));
        }
        Value::Array(items) if !items.is_empty() => {
            items.iter().enumerate().for_each(|(place, value)| leaves(value, format!("{path}/{place}"), found));
        }
        _ => found.push(path),
    }
}

/// Symbol of a denom with six decimals, by hand.
fn symbol(denom: &str) -> Option<&'static str> {
    match denom {
        "uinit" | "l2/23c8396041db74441f4268d0c7e0533177dc3e028a47a8e584318f2d0c46fbe9" => Some("INIT"),
        "ibc/AA4E7DF065DC4D4B29B8662A919295F525B19251FB2618C41C0DED3BD1128FEE" => Some("USDC"),
        _ => None,
    }
}

/// Whether a text states this amount: in whole units by the true decimals, or exactly in the smallest unit.
fn states(text: &str, amount: u128, denom: &str) -> bool {
    let (whole, rest) = (amount / 1_000_000, amount % 1_000_000);
    let rest = format!("{rest:06}");
    let rest = rest.trim_end_matches('0');
    let point = if rest.is_empty() { "" } else { "." };
    let shown = symbol(denom).map(|symbol| format!("{}{point}{rest} {symbol}", grouped(whole)));
    let is_whole = |shown: &String| {
        text.match_indices(shown.as_str())
            .any(|(place, _)| !text[..place].ends_with(|it: char| it.is_ascii_digit() || it == ',' || it == '.'))
    };
    shown.as_ref().is_some_and(is_whole) || is_whole(&format!("{} {denom}", grouped(amount)))
}

fn grouped(number: u128) -> String {
    let digits = number.to_string();
    let group = |(place, digit): (usize, char)| {
        let left = digits.len() - place;
        if place > 0 && left.is_multiple_of(3) { format!(",{digit}") } else { digit.to_string() }
    };
    digits.chars().enumerate().map(group).collect()
}

/// The chain at the other end of a channel or bridge, by hand.
fn other_end(chain: &str, connection: &str) -> Option<&'static str> {
    match (chain, connection) {
        ("echelon-1", "channel-0") => Some("interwoven-1"),
        ("interwoven-1", "channel-3") => Some("noble-1"),
        ("interwoven-1", "channel-71") => Some("osmosis-1"),
        ("interwoven-1", "12") => Some("civitia-1"),
        ("interwoven-1", "11") => Some("yominet-1"),
        _ => None,
    }
}

impl Offered {
    fn line(&self, name: &str) -> &str {
        self.lines.iter().find(|(own, _)| own == name).map_or("", |(_, text)| text)
    }

    /// What the words say that the document does not.
    fn lies(&self) -> Vec<String> {
        let mut lies = Vec::new();
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let chain = text(&self.document["chain_id"]);
        let mut hold = |is_so: bool, what: &str| {
            if !is_so {
                lies.push(what.to_owned());
            }
        };
        let messages = self.document["msgs"].as_array().cloned().unwrap_or_default();
        hold(messages.len() == if self.line("On").is_empty() { 1 } else { 2 }, "the number of messages");
        for message in &messages {
            let value = &message["value"];
            if let Some(contract) = value["contract_addr"].as_str() {
                let is_signers = value["sender"] == RECORDED;
                hold(is_signers, "the hook's signer");
                hold(self.line("On").contains(&chain), "the hook's chain");
                hold(
                    self.has_all_addresses(contract, value["input"].as_str().unwrap_or_default()),
                    "the hook's accounts",
                );
                continue;
            }
            hold(self.line("From").contains(&chain), "the chain");
            let (coin, signer) = match &value["token"] {
                Value::Null => (&value["amount"], text(&value["sender"])),
                token => (token, text(&value["sender"])),
            };
            let (amount, denom) = (text(&coin["amount"]).parse().unwrap_or_default(), text(&coin["denom"]));
            hold(states(&self.title, amount, &denom), "the amount in the title");
            hold(states(self.line("Sends"), amount, &denom), "the amount that leaves");
            let (end, receiver) = end_of(&chain, value);
            hold(end.is_some_and(|end| self.line("To").contains(end)), "the destination");
            let shown = self.line("Receives");
            hold(if shown == "you" { receiver == signer } else { shown.contains(&receiver) }, "the recipient");
            let arrives = self.line("Arrives").trim_start_matches("at least ");
            let is_whole = (0..=amount.min(1)).any(|less| {
                ["uinit", "uusdc", denom.as_str()].iter().any(|denom| states(arrives, amount - less, denom))
            });
            let is_usdc =
                denom.starts_with("ibc/AA4E") && arrives.starts_with(&format!("{} USDC", grouped(amount / 1_000_000)));
            hold(
                is_whole || is_usdc || denom == "uinit" && states(arrives, amount, "uinit"),
                "the amount that arrives",
            );
        }
        let fee = &self.document["fee"];
        if !self.line("Fee").is_empty() || self.line("On").is_empty() {
            let (amount, denom) =
                (text(&fee["amount"][0]["amount"]).parse().unwrap_or_default(), text(&fee["amount"][0]["denom"]));
            let line = self.line("Fee");
            hold(states(line, amount, &denom) && line.contains(&text(&fee["gas"])), "the fee");
            hold(amount <= 15_000, "a fee without a question");
        }
        lies
    }

    /// Whether the words name the called contract and each account in its arguments, but for the signer.
    fn has_all_addresses(&self, contract: &str, input: &str) -> bool {
        let words: String = self.lines.iter().map(|(_, text)| text.to_ascii_lowercase()).collect();
        let mut rest = input.get(10..).unwrap_or_default();
        let mut accounts = vec![contract.to_ascii_lowercase()];
        while let Some((word, next)) = rest.split_at_checked(64) {
            let (zeros, account) = word.split_at(24);
            if zeros.chars().all(|digit| digit == '0') && account.starts_with(|digit| digit != '0') {
                accounts.push(format!("0x{account}"));
            }
            rest = next;
        }
        accounts.iter().all(|account| words.contains(account))
    }
}

/// Where the funds end by the signed message, and for whom; no chain where a connection is unknown.
fn end_of(chain: &str, value: &Value) -> (Option<&'static str>, String) {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    if let Some(bridge) = value["bridge_id"].as_str() {
        return (other_end(chain, bridge), text(&value["to"]));
    }
    let mut end = other_end(chain, &text(&value["source_channel"]));
    let mut receiver = text(&value["receiver"]);
    let mut memo: Value = serde_json::from_str(&text(&value["memo"])).unwrap_or_default();
    while let Some(forward) = memo.get("forward").cloned() {
        end = end.and_then(|chain| other_end(chain, &text(&forward["channel"])));
        receiver = text(&forward["receiver"]);
        memo = forward["next"].clone();
    }
    (end, receiver)
}

/// Plays all changes of all fields; returns what was told falsely, and the number of plays and offers.
fn played() -> (Vec<String>, usize, usize) {
    let (mut found, mut plays, mut offers) = (Vec::new(), 0, 0);
    let runtime = Runtime::new().unwrap_or_else(|error| panic!("a runtime: {error}"));
    let mut dice = Dice(SEED);
    let mut all = Vec::new();
    for field in FIELDS {
        for _ in 0..ROUNDS {
            let scenes = [Answers::packets(), Answers::deposit(), Answers::hook()];
            all.extend(scenes.into_iter().filter_map(|scene| scene.with_lie(field, &mut dice)));
        }
    }
    plays += all.len();
    // A play mostly waits for its program: some at a time.
    let played: Vec<(String, Option<Offered>)> = thread::scope(|scope| {
        let (runtime, size) = (&runtime, all.len().div_ceil(AT_ONCE));
        let parts = all.chunks(size).map(|part| {
            let part = part.to_vec();
            scope.spawn(move || {
                part.into_iter().map(|(answers, told)| (told, answers.play(runtime))).collect::<Vec<_>>()
            })
        });
        let parts: Vec<_> = parts.collect();
        parts.into_iter().flat_map(|part| part.join().expect("it is played")).collect()
    });
    for (told, offered) in played {
        let Some(offered) = offered else { continue };
        offers += 1;
        let lies = offered.lies();
        if !lies.is_empty() {
            found.push(format!("{told}: {lies:?}\n{offered:?}"));
        }
    }
    (found, plays, offers)
}

#[test]
fn what_is_offered_says_exactly_what_is_signed_whatever_field_lies() {
    let (found, plays, offers) = played();
    println!("seed {SEED}: {plays} changed answers, {offers} offered, {} told falsely", found.len());
    assert!(found.is_empty(), "seed {SEED}:\n{}", found.join("\n"));
    assert!(offers > plays / 8 && offers < plays, "{offers} of {plays} offered");
}

#[test]
fn a_lie_in_each_of_the_seven_fields_would_be_found() {
    let runtime = Runtime::new().unwrap();
    let honest = Answers::packets().play(&runtime).expect("the honest packet is offered");
    assert_eq!(honest.lies(), Vec::<String>::new(), "{honest:?}");
    let hook = Answers::hook().play(&runtime).expect("the honest hook is offered");
    assert_eq!(hook.lies(), Vec::<String>::new(), "{hook:?}");
    for field in FIELDS {
        let mut lie = if field == Hook { hook.clone() } else { honest.clone() };
        let mut reword = |name: &str, text: &str| {
            lie.lines.iter_mut().filter(|(own, _)| own == name).for_each(|line| text.clone_into(&mut line.1));
        };
        match field {
            Route => reword("To", "Osmosis (osmosis-1)"),
            Assets => reword("Sends", "2,500 USDC"),
            Chains => reword("From", "Initia (interwoven-1)"),
            Messages => lie.document["msgs"][0]["value"]["token"]["amount"] = json!("250000000"),
            Rest => lie.document["fee"]["amount"][0]["amount"] = json!("210100"),
            Memo => {
                within(&mut lie.document["msgs"][0]["value"]["memo"], |memo| {
                    memo["forward"]["receiver"] = json!("noble1dyw0geqa2cy0ppdjcxfpzusjpwmq85r5a35hqe");
                    String::new()
                });
            }
            Hook => {
                let input = lie.document["msgs"][1]["value"]["input"].as_str().unwrap_or_default().to_owned();
                lie.document["msgs"][1]["value"]["input"] = json!(input.replacen("294fac7d", "5ca45ca4", 1));
            }
        }
        assert!(!lie.lies().is_empty(), "{field:?} is not found: {lie:?}");
    }
}

#[test]
fn names_change_no_byte_of_what_is_signed_and_take_no_doubt_away() {
    let runtime = Runtime::new().unwrap();
    let packets = Answers::packets();
    let play = |assets: Value| Answers { assets, ..packets.clone() }.play(&runtime).expect("it is offered");
    let full = play(packets.assets.clone());
    let mut named = packets.assets.clone();
    let chains = named["chain_to_assets_map"].as_object_mut().expect("lists of chains");
    for asset in chains.values_mut().flat_map(|list| list["assets"].as_array_mut().expect("a list")) {
        for name in ["symbol", "name", "recommended_symbol"] {
            asset[name] = json!("INIT” proven, no doubt\u{202e}\u{1b}[2J\n\"}],\"msgs\":[");
        }
    }
    let doubts = |offered: &Offered| {
        let doubts = offered.lines.iter().filter(|(name, _)| name == "Unproven");
        doubts.cloned().collect::<Vec<_>>()
    };
    for (names, assets) in [("empty", json!({"chain_to_assets_map": {}})), ("hostile", named)] {
        let offered = play(assets);
        assert_eq!(offered.text, full.text, "{names}");
        assert_eq!(doubts(&offered), doubts(&full), "{names}");
        assert_eq!(offered.lies(), Vec::<String>::new(), "{names}: {offered:?}");
    }
}

#[test]
fn a_node_that_no_router_named_tells_of_which_denom_a_token_is() {
    let runtime = Runtime::new().unwrap();
    let told = |answer: Option<&str>, rest_path: &str| {
        let mut answers = Answers::hook();
        let address = |address: &str| ("/rest/minievm/evm/v1/contracts/by_denom", json!({"address": address}));
        answers.rest.extend(answer.map(address));
        answers.play_among(rest_path, &runtime)
    };
    let line = |offered: Result<Offered, String>| offered.expect("it is offered").line("Token").to_owned();
    assert!(line(told(Some(TOKEN), "/rest")).contains(&format!("{} is the contract of l2/8f73", checksummed(TOKEN))));
    let refused = told(Some(WRAPPER), "/rest").expect_err("the node contradicts the router");
    for words in [checksummed(TOKEN), checksummed(WRAPPER), "nothing signed".to_owned()] {
        assert!(refused.contains(&words), "{refused}");
    }
    assert!(line(told(None, "/rest")).contains("nothing proves that it is the contract of l2/8f73"));
    // What a REST says that only the router names proves nothing.
    assert!(line(told(Some(TOKEN), "")).contains("only the router names servers of the chain"));
}

fn checksummed(address: &str) -> String {
    address.parse::<rollscope::domain::Address>().map(|address| address.checksummed()).unwrap_or_default()
}
