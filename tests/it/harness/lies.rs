//! A liar: changes every field of an answer, alone and in pairs.

use std::env;

use serde_json::{Value, json};

pub(crate) const SEED: u64 = 20_261_128;
/// Pairs of changes in each property; `ROLLSCOPE_PAIRS` sets another number, `0` all of them.
const PAIRS: usize = 300;

/// Change of one text or number: at one place, or wherever the liar says the same.
#[derive(Clone, Debug)]
pub(crate) struct Lie {
    path: String,
    to: Value,
    is_everywhere: bool,
}

impl Lie {
    /// All changes of single fields.
    pub(crate) fn all(of: &Value) -> Vec<Self> {
        let mut paths = Vec::new();
        leaves(of, String::new(), &mut paths);
        let lies = paths.into_iter().flat_map(|path| {
            let others = alternatives(of.pointer(&path).unwrap_or(&Value::Null));
            others.into_iter().flat_map(move |to| {
                [false, true].map(|is_everywhere| Self { path: path.clone(), to: to.clone(), is_everywhere })
            })
        });
        lies.collect()
    }

    pub(crate) fn change(&self, all: &mut Value) {
        let Some(from) = all.pointer(&self.path).cloned() else { return };
        if self.is_everywhere {
            replace(all, &from, &self.to);
        } else if let Some(value) = all.pointer_mut(&self.path) {
            value.clone_from(&self.to);
        }
    }
}

/// Pairs that were once believed: path and new text of each, or null.
const BELIEVED: [[(&str, Option<&str>); 2]; 3] = [
    [("/route/amount_out", Some("1")), ("/route/operations/1/amount_out", Some("1"))],
    [("/transfer_sequence/0/op_init_transfer/from_chain_id", None), ("/transfer_asset_release/denom", Some("uusdc"))],
    [
        ("/transfer_sequence/0/op_init_transfer/to_chain_id", None),
        ("/transfer_asset_release/amount", Some("1500000000")),
    ],
];

/// Plays all lies alone, the pairs that were once believed, and as many pairs of them as asked for; a property of
/// `parts` parts takes its share of them.
pub(crate) fn play(lies: &[Lie], parts: usize, mut play: impl FnMut(&[&Lie])) {
    for lie in lies {
        play(&[lie]);
    }
    let is =
        |lie: &&Lie, (path, to): (&str, Option<&str>)| lie.path == path && lie.to.as_str() == to && !lie.is_everywhere;
    for [one, other] in BELIEVED {
        let [one, other] = [one, other].map(|wanted| lies.iter().find(|lie| is(lie, wanted)));
        if let Some((one, other)) = one.zip(other) {
            play(&[one, other]);
        }
    }
    let rounds = env::var("ROLLSCOPE_PAIRS").ok().and_then(|pairs| pairs.parse().ok()).unwrap_or(PAIRS);
    if rounds == 0 {
        for (place, one) in lies.iter().enumerate() {
            lies.iter().skip(place + 1).for_each(|other| play(&[one, other]));
        }
        return;
    }
    let mut dice = Dice(SEED);
    for _ in 0..rounds.div_ceil(parts) {
        let [one, other] = [dice.below(lies.len()), dice.below(lies.len())];
        play(&[&lies[one], &lies[other]]);
    }
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

/// Replaces equal values; a number and its text are one.
fn replace(value: &mut Value, from: &Value, to: &Value) {
    match value {
        Value::Object(fields) => fields.values_mut().for_each(|value| replace(value, from, to)),
        Value::Array(items) => items.iter_mut().for_each(|value| replace(value, from, to)),
        same if same == from => same.clone_from(to),
        _ => {}
    }
}

const STATES: [&str; 8] = [
    "STATE_COMPLETED_SUCCESS",
    "STATE_COMPLETED_ERROR",
    "STATE_PENDING",
    "STATE_PENDING_ERROR",
    "STATE_ABANDONED",
    "STATE_COMPLETED",
    "STATE_FAILED",
    "STATE_SUBMITTED",
];
const HOPS: [&str; 5] =
    ["TRANSFER_PENDING", "TRANSFER_SUCCESS", "TRANSFER_FAILURE", "OPINIT_TRANSFER_RECEIVED", "OPINIT_TRANSFER_SENT"];

/// What a liar would write instead.
fn alternatives(value: &Value) -> Vec<Value> {
    let texts: &[&str] = match value.as_str() {
        Some(text) if text.starts_with("init1") || text.starts_with("noble1") => {
            &["init1kw2unuhgfa6mz6r0ehrzlr9k9ftjk7pql8u5fm", "noble1dyw0geqa2cy0ppdjcxfpzusjpwmq85r5a35hqe"]
        }
        Some(text) if text.starts_with("channel-") => &["channel-71", "channel-999", "channel-3", "channel-35"],
        Some(text) if text.starts_with("STATE_") => &STATES,
        Some(text) if text.contains("TRANSFER_") => &HOPS,
        Some(text) if text.starts_with("http") => {
            &["https://evil.example/rest", "http://127.0.0.1:1/rest", "https://rest.initia.xyz.evil.example"]
        }
        Some(text) if text.starts_with("20") && text.ends_with('Z') => {
            &["2020-01-01T00:00:00Z", "2031-01-01T00:00:00Z"]
        }
        Some(text) if text.len() == 64 => &["D00D00D00D00D00D00D00D00D00D00D00D00D00D00D00D00D00D00D00D00D00D"],
        Some(text) if text.ends_with("-1") => &["osmosis-1", "evil-1", "echelon-1", "interwoven-1"],
        Some(text) if text.starts_with("move/") => &["move/66", "uinit"],
        Some(text) if text.parse::<u128>().is_ok() => &["1", "78", "1500000000", "25000001"],
        Some(text) if text.starts_with('/') => &["/cosmos.bank.v1beta1.MsgSend"],
        Some(text) if text.starts_with('u') || text.contains('/') => &["uusdc", "uinit", VOUCHER, BRIDGED],
        Some(_) => &["uinit", "evil", "", "INIT for you. Free"],
        None => &[],
    };
    let mut others: Vec<Value> = texts.iter().map(|text| json!(text)).collect();
    match value {
        Value::Bool(is) => others.push(json!(!is)),
        Value::Number(number) => others.extend([0, 12, number.as_u64().unwrap_or_default() + 1].map(|it| json!(it))),
        _ => others.push(Value::Null),
    }
    others.retain(|other| other != value);
    others
}

const VOUCHER: &str = "ibc/6490A7EAB61059BFC1CDDEB05917DD70BDF3A611654162A1A47DB930D40D8AF4";
const BRIDGED: &str = "l2/2b2d36f666e98b9eecf70d6ec24b882b79f2c8e2af73f54f97b8b670dbb87605";

/// Generator of numbers: splitmix64.
struct Dice(u64);

impl Dice {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        usize::try_from((mixed ^ (mixed >> 31)) % end.max(1) as u64).unwrap_or_default()
    }
}
