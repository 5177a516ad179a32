//! Ways to spoil a record.

use proptest::prelude::*;
use serde_json::{Value, json};

/// JSON of any form as text, with numbers that no machine word holds and objects that name a field twice.
pub(super) fn any_json() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        Just("null".to_owned()),
        any::<bool>().prop_map(|value| value.to_string()),
        any::<i64>().prop_map(|value| value.to_string()),
        Just(format!("-{}", "9".repeat(400))),
        Just("1e999999999".to_owned()),
        texts().prop_map(|text| Value::String(text).to_string()),
    ];
    leaf.prop_recursive(9, 200, 10, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..10).prop_map(|items| format!("[{}]", items.join(","))),
            prop::collection::vec((names(), inner), 0..10).prop_map(|fields| {
                let field = |(name, value): &(&str, String)| format!("\"{name}\":{value}");
                format!("{{{}}}", fields.iter().map(field).collect::<Vec<_>>().join(","))
            }),
        ]
    })
}

/// Names that records have, so that what is arbitrary is looked at.
fn names() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec![
        "body",
        "messages",
        "@type",
        "memo",
        "auth_info",
        "fee",
        "amount",
        "denom",
        "signer_infos",
        "mode_info",
        "single",
        "mode",
        "type",
        "attributes",
        "key",
        "value",
        "msgs",
        "packet",
        "data",
        "sender",
        "input",
        "msg",
    ])
}

/// Texts that records have, and others.
fn texts() -> impl Strategy<Value = String> {
    prop_oneof![
        "\\PC{0,40}",
        Just("\u{202e}\u{1b}[2J".to_owned()),
        prop::sample::select(vec![
            "tx",
            "evm",
            "move",
            "wasm",
            "transfer",
            "coin_spent",
            "msg_index",
            "0",
            "18446744073709551616",
            "log",
            "data",
            "/minievm.evm.v1.MsgCall",
            "/cosmos.authz.v1beta1.MsgExec",
            "/ibc.core.channel.v1.MsgRecvPacket",
            "/opinit.opchild.v1.MsgFinalizeTokenDeposit",
            "/initia.move.v1.MsgExecute",
            "{\"a\":[",
            "0x",
            "0xac9650d8",
            "1u,",
        ])
        .prop_map(ToOwned::to_owned),
    ]
}

/// Something that is done to a place of a record.
#[derive(Clone, Debug)]
pub(super) struct Twist {
    place: usize,
    way: Way,
}

#[derive(Clone, Debug)]
enum Way {
    Remove,
    Put(String),
    /// So deep that a reader with a stack would fall.
    Bury,
    Repeat(usize),
    /// Another form of the same value: a text for a number, a list for one thing.
    Retype,
    /// The text cut after this share of 255.
    Cut(u8),
    /// Another character at this share of 255.
    Spoil(u8, char),
    Exchange(usize),
}

pub(super) fn twists() -> impl Strategy<Value = Vec<Twist>> {
    let way = prop_oneof![
        3 => Just(Way::Remove),
        3 => any_json().prop_map(Way::Put),
        1 => Just(Way::Bury),
        1 => (2_usize..200).prop_map(Way::Repeat),
        2 => Just(Way::Retype),
        4 => any::<u8>().prop_map(Way::Cut),
        4 => (any::<u8>(), any::<char>()).prop_map(|(place, character)| Way::Spoil(place, character)),
        1 => any::<usize>().prop_map(Way::Exchange),
    ];
    prop::collection::vec((any::<usize>(), way).prop_map(|(place, way)| Twist { place, way }), 1..8)
}

/// Stands for JSON that no value of ours can hold; see [`text`].
const RAW: &str = "raw:";

/// The record as text, with what [`Way::Bury`] and [`Way::Put`] left to be written.
pub(super) fn text(record: &Value) -> String {
    match record {
        Value::String(text) => match text.strip_prefix(RAW) {
            Some(raw) => raw.to_owned(),
            None => record.to_string(),
        },
        Value::Array(items) => format!("[{}]", items.iter().map(text).collect::<Vec<_>>().join(",")),
        Value::Object(fields) => {
            let fields: Vec<_> =
                fields.iter().map(|(name, value)| format!("{}:{}", Value::from(name.as_str()), text(value))).collect();
            format!("{{{}}}", fields.join(","))
        }
        _ => record.to_string(),
    }
}

impl Twist {
    /// Does it to the record, in its body or its events.
    pub(super) fn apply(&self, record: &mut Value) {
        let mut paths = Vec::new();
        for part in ["tx", "events"] {
            collect(&record[part], &mut format!("/{part}"), &mut paths);
        }
        let path = |place: usize| paths.get(place % paths.len().max(1)).cloned();
        let Some(chosen) = path(self.place) else { return };
        match &self.way {
            Way::Remove => remove(record, &chosen),
            Way::Exchange(other) => {
                let taken = path(*other).and_then(|other| record.pointer(&other).cloned());
                put(record, &chosen, taken.unwrap_or_default());
            }
            way => {
                let twisted = record.pointer(&chosen).map(|value| way.twisted(value)).unwrap_or_default();
                put(record, &chosen, twisted);
            }
        }
    }
}

impl Way {
    fn twisted(&self, value: &Value) -> Value {
        match self {
            Self::Put(json) => Value::String(format!("{RAW}{json}")),
            Self::Bury => Value::String(format!("{RAW}{}{}", "[".repeat(3_000), "]".repeat(3_000))),
            Self::Repeat(count) => Value::Array(vec![value.clone(); *count]),
            Self::Retype => match value {
                Value::String(text) => text.parse::<i64>().map_or_else(|_| json!([text]), |number| json!(number)),
                Value::Array(items) => items.first().cloned().unwrap_or_default(),
                Value::Object(fields) => fields.values().cloned().collect(),
                other => Value::String(other.to_string()),
            },
            Self::Cut(share) => twist_text(value, |text, place| text.chars().take(place).collect(), *share),
            Self::Spoil(share, character) => twist_text(
                value,
                |text, place| {
                    text.chars().enumerate().map(|(at, c)| if at == place { *character } else { c }).collect()
                },
                *share,
            ),
            Self::Remove | Self::Exchange(_) => value.clone(),
        }
    }
}

fn twist_text(value: &Value, change: impl Fn(&str, usize) -> String, share: u8) -> Value {
    match value {
        Value::String(text) => Value::String(change(text, text.chars().count() * usize::from(share) / 255)),
        other => other.clone(),
    }
}

/// The places of everything within a value.
fn collect(value: &Value, path: &mut String, paths: &mut Vec<String>) {
    paths.push(path.clone());
    let length = path.len();
    let mut go = |name: &str, inner: &Value| {
        path.push('/');
        path.push_str(&name.replace('~', "~0").replace('/', "~1"));
        collect(inner, path, paths);
        path.truncate(length);
    };
    match value {
        Value::Array(items) => items.iter().enumerate().for_each(|(place, item)| go(&place.to_string(), item)),
        Value::Object(fields) => fields.iter().for_each(|(name, inner)| go(name, inner)),
        _ => {}
    }
}

fn put(record: &mut Value, path: &str, value: Value) {
    if let Some(place) = record.pointer_mut(path) {
        *place = value;
    }
}

fn remove(record: &mut Value, path: &str) {
    let Some((parent, name)) = path.rsplit_once('/') else { return };
    let name = name.replace("~1", "/").replace("~0", "~");
    match record.pointer_mut(parent) {
        Some(Value::Object(fields)) => drop(fields.shift_remove(&name)),
        Some(Value::Array(items)) => {
            if let Some(place) = name.parse::<usize>().ok().filter(|place| *place < items.len()) {
                items.remove(place);
            }
        }
        _ => {}
    }
}
