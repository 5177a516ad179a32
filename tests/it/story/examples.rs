//! The worked examples of the decoding reference, each told whole: sentences, fee, balances, supply, NFTs, bridge,
//! failure. What a sentence must say stands here as its parts in order; an address may be in any of its forms.

mod cases;
mod chains;

use rollscope::{
    domain::Address,
    story::{BridgeIdentity, PacketTrail, Story, StoryRecord},
    wire::Tx,
};
use serde_json::{Map, Value, json};

use super::records;

/// What must be told of a record.
struct ExampleCase {
    record: &'static str,
    chain: chains::Chain,
    /// The parts of each message's sentence, in order.
    sentences: Vec<Vec<&'static str>>,
    /// Who paid how much, besides which nothing was paid; the payer is named also where nothing was.
    fee: (&'static str, Vec<(&'static str, &'static str)>),
    balances: Balances,
    /// Denom and delta.
    supply: Vec<(&'static str, &'static str)>,
    /// Contract, token, from, to.
    nfts: Vec<(&'static str, &'static str, Option<&'static str>, Option<&'static str>)>,
    bridge: Vec<BridgeIdentity>,
    /// The parts of the failure's explanation; none where all went well.
    failure: Vec<&'static str>,
    memo: Option<&'static str>,
}

enum Balances {
    /// Account, denom and delta of every cell.
    Are(Vec<(&'static str, &'static str, &'static str)>),
    /// So many cells of one denom that add up to nothing, these among them.
    Include(usize, Vec<(&'static str, &'static str, &'static str)>),
}

impl Default for ExampleCase {
    fn default() -> Self {
        Self {
            record: "",
            chain: chains::Chain::Interwoven,
            sentences: Vec::new(),
            fee: ("", Vec::new()),
            balances: Balances::Are(Vec::new()),
            supply: Vec::new(),
            nfts: Vec::new(),
            bridge: Vec::new(),
            failure: Vec::new(),
            memo: None,
        }
    }
}

/// What is wrong with a story, all of it, so that one run shows everything.
#[derive(Default)]
struct Complaints(Vec<String>);

impl Complaints {
    fn unless(&mut self, is_right: bool, complaint: impl FnOnce() -> String) {
        if !is_right {
            self.0.push(complaint());
        }
    }

    fn same(&mut self, what: &str, told: &Value, expected: &Value) {
        self.unless(told == expected, || format!("{what}\n    told     {told}\n    expected {expected}"));
    }
}

#[track_caller]
fn check(case: &ExampleCase) {
    let Some(records) = records() else { return };
    let (_, tx) = records.iter().find(|(name, _)| name == case.record).expect("the record is there");
    let story = Story::of(tx, &case.chain.glossary());
    let mut complaints = Complaints::default();
    check_words(case, &story, &mut complaints);
    check_numbers(case, tx, &story, &mut complaints);
    let text = complaints.0.join("\n");
    assert!(complaints.0.is_empty(), "{}:\n{text}", case.record);
}

fn check_words(case: &ExampleCase, story: &Story, complaints: &mut Complaints) {
    let told: Vec<String> = story
        .sentences
        .iter()
        .map(|sentence| rollscope::story::text_of(&sentence.phrases, rollscope::story::Style::Exact))
        .collect();
    complaints.unless(told.len() == case.sentences.len(), || format!("{} sentences: {told:?}", told.len()));
    for (text, parts) in told.iter().zip(&case.sentences) {
        complaints.unless(says(text, parts), || format!("sentence\n    told     {text}\n    expected {parts:?}"));
        complaints.unless(text.ends_with('.'), || format!("no full stop: {text}"));
    }
    let events = story.decoded.events.len();
    let places = story.sentences.iter().flat_map(|sentence| &sentence.phrases).flat_map(|phrase| &phrase.events);
    complaints.unless(places.clone().all(|place| *place < events), || "an event that is not there".to_owned());
    let failure = story.explanation.as_ref().map(|explanation| explanation.text.as_str());
    let is_right = match failure {
        None => case.failure.is_empty(),
        Some(text) => !case.failure.is_empty() && says(text, &case.failure),
    };
    complaints.unless(is_right, || format!("failure\n    told     {failure:?}\n    expected {:?}", case.failure));
    let memo = story.decoded.memo.as_deref();
    complaints.unless(memo == case.memo, || format!("memo\n    told     {memo:?}\n    expected {:?}", case.memo));
    let moves: Vec<&BridgeIdentity> = story.bridge.iter().map(|moved| &moved.identity).collect();
    let expected: Vec<&BridgeIdentity> = case.bridge.iter().collect();
    complaints.unless(moves == expected, || format!("bridge\n    told     {moves:?}\n    expected {expected:?}"));
}

/// Whether a text has these parts in order.
fn says(text: &str, parts: &[&str]) -> bool {
    let mut rest = text;
    parts.iter().all(|part| {
        let found = forms(part).iter().filter_map(|form| Some((rest.find(form.as_str())?, form.len()))).min();
        found.and_then(|(start, length)| rest.get(start + length..)).map(|after| rest = after).is_some()
    })
}

/// An address in all its forms; anything else as it is.
fn forms(part: &str) -> Vec<String> {
    match part.parse::<Address>() {
        Ok(address) => vec![address.bech32(), address.checksummed(), address.hex()],
        Err(_) => vec![part.to_owned()],
    }
}

fn check_numbers(case: &ExampleCase, tx: &Tx, story: &Story, complaints: &mut Complaints) {
    let record =
        serde_json::to_string(&StoryRecord::of(tx, story, &case.chain.glossary(), ("", &PacketTrail::default())))
            .expect("a story can be written");
    let record: Value = serde_json::from_str(&record).expect("what was written can be read");
    let (payer, paid) = &case.fee;
    let number = |text: &str| serde_json::from_str::<Value>(text).expect("a number");
    let paid: Map<String, Value> = paid.iter().map(|(denom, amount)| ((*denom).to_owned(), number(amount))).collect();
    complaints.same("payer", &record["fee"]["payer"], &json!(payer));
    complaints.same("net fee", &record["fee"]["net_paid"], &Value::Object(paid));
    complaints.same("conserved", &record["conserved"], &json!(true));
    check_balances(&case.balances, &record["balances"], complaints);
    let supply: Vec<Value> = case.supply.iter().map(|(denom, delta)| json!({"denom": denom, "delta": delta})).collect();
    complaints.same("supply", &sorted(&record["supply"]), &sorted(&json!(supply)));
    let nft = |(contract, token, from, to): &(&str, &str, Option<&str>, Option<&str>)| {
        let mut nft = json!({"msg": record["nft"][0]["msg"], "contract": contract, "token_id": token, "to": to});
        nft["from"] = json!(from);
        // A CW-721 contract names who asked for the move, not the owner.
        if from.is_some() && record["vm"] == "wasm" {
            nft["inferred"] = json!(true);
        }
        nft
    };
    complaints.same("NFTs", &record["nft"], &json!(case.nfts.iter().map(nft).collect::<Vec<_>>()));
}

fn check_balances(expected: &Balances, told: &Value, complaints: &mut Complaints) {
    let cell =
        |(account, denom, delta): &(&str, &str, &str)| json!({"account": account, "denom": denom, "delta": delta});
    match expected {
        Balances::Are(cells) => {
            let cells: Vec<Value> = cells.iter().map(cell).collect();
            complaints.same("balances", &sorted(told), &sorted(&json!(cells)));
        }
        Balances::Include(count, cells) => {
            let told = told.as_array().expect("a list");
            complaints.unless(told.len() == *count, || format!("{} cells", told.len()));
            for cell in cells.iter().map(cell) {
                complaints.unless(told.contains(&cell), || format!("no cell {cell}"));
            }
            let deltas = told.iter().filter_map(|cell| cell["delta"].as_str()?.parse::<i128>().ok());
            let sum: i128 = deltas.sum();
            complaints.unless(sum == 0, || format!("the cells add up to {sum}"));
        }
    }
}

/// The items of a list in an order of their own, as only their order among equals is ours.
fn sorted(list: &Value) -> Value {
    let mut items: Vec<Value> = list.as_array().cloned().unwrap_or_default();
    items.sort_by_key(ToString::to_string);
    let by_name = |item: Value| match item {
        Value::Object(fields) => {
            let mut fields: Vec<_> = fields.into_iter().collect();
            fields.sort_by(|one, other| one.0.cmp(&other.0));
            Value::Object(fields.into_iter().collect())
        }
        other => other,
    };
    items.into_iter().map(by_name).collect()
}
