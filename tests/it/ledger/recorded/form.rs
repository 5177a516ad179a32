//! Forms of transactions: what stays when accounts, amounts and hashes are taken out.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt,
};

use serde_json::Value;

/// A transaction with its result, simulated or recorded.
pub(crate) struct SeenTx {
    /// `body`, `auth_info`, `signatures`.
    pub(crate) tx: Value,
    /// Whether its objects have their fields in the chain's order.
    pub(crate) is_ordered: bool,
    pub(crate) code: u64,
    pub(crate) codespace: String,
    pub(crate) log: String,
    pub(crate) events: Vec<SeenEvent>,
}

pub(crate) struct SeenEvent {
    pub(crate) kind: String,
    pub(crate) pairs: Vec<(String, String)>,
}

impl SeenEvent {
    fn value(&self, key: &str) -> Option<&str> {
        self.pairs.iter().find(|(name, _)| name == key).map(|(_, value)| value.as_str())
    }

    fn message(&self) -> Option<usize> {
        self.value("msg_index")?.parse().ok()
    }

    /// What a contract or a module says it did.
    fn act(&self) -> String {
        match self.kind.as_str() {
            "wasm" => {
                let acts = self.pairs.iter().filter(|(key, _)| key == "action" || key == "method");
                let acts = acts.map(|(_, value)| value.as_str()).collect::<Vec<_>>().join("+");
                match (acts.as_str(), self.value("token_id")) {
                    // Who does not name an act says something of their own.
                    ("", _) => self.pairs.iter().map(|(key, _)| key.as_str()).collect::<Vec<_>>().join("+"),
                    (_, Some(_)) => format!("{acts} an NFT"),
                    _ => acts,
                }
            }
            // Newer nodes repeat what the data holds.
            "move" => {
                let version = if self.pairs.len() > 4 { " repeated" } else { "" };
                format!("{}{version}", self.value("type_tag").unwrap_or_default())
            }
            "message" => self.pairs.first().map(|(key, _)| key.clone()).unwrap_or_default(),
            "fungible_token_packet" | "non_fungible_token_packet" => {
                let mut names = self.pairs.iter().map(|(key, _)| key.as_str()).filter(|key| *key != "msg_index");
                format!("{}…{}", names.next().unwrap_or_default(), names.next_back().unwrap_or_default())
            }
            _ => String::new(),
        }
    }

    fn place(&self) -> &'static str {
        match (self.message(), self.value("authz_msg_index")) {
            (None, _) => "outside of messages",
            (_, None) => "of a message",
            _ => "of an inner message",
        }
    }
}

/// Events that tell which way a message took; in what order they and all others come is compared.
const WAYS: &[&str] = &[
    "burn",
    "class_trace",
    "coinbase",
    "contract_created",
    "denomination_trace",
    "erc721_minted",
    "fungible_token_packet",
    "gas_refund",
    "ibccallbackerror-fungible_token_packet",
    "initiate_token_withdrawal",
    "non_fungible_token_packet",
    "send_packet",
    "tx",
    "use_feegrant",
];

/// What a form is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Aspect {
    /// An object of a transaction, by its type: names and order of its fields, and what kind of value each has.
    Object,
    /// What a contract is told.
    Call,
    /// Names and order of an event's attributes.
    Event,
    /// The events of a message, in order.
    Order,
    /// The reason of a failure.
    Failure,
}

/// Forms by what they are of, each with an object that has it.
#[derive(Default)]
pub(crate) struct Forms(BTreeMap<(Aspect, String), BTreeMap<String, Value>>);

/// A form that no record has, of something that records have.
pub(crate) struct Difference {
    pub(crate) aspect: Aspect,
    pub(crate) kind: String,
    pub(crate) form: String,
    recorded: Vec<String>,
}

impl fmt::Display for Difference {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{:?} of {}:\n  simulated {}", self.aspect, self.kind, self.form)?;
        self.recorded.iter().try_for_each(|form| write!(formatter, "\n  recorded  {form}"))
    }
}

impl Forms {
    pub(crate) fn add(&mut self, seen: &SeenTx) {
        let messages = seen.tx["body"]["messages"].as_array().expect("a transaction has messages");
        if seen.is_ordered {
            let mut frame = seen.tx.clone();
            frame["body"]["messages"] = Value::Null;
            self.note(Aspect::Object, "the transaction", &frame);
            self.objects(&seen.tx);
        }
        let first = messages.first().map(short).unwrap_or_default();
        // What a contract says itself is its own.
        let is_own = matches!((seen.codespace.as_str(), seen.code), ("wasm", 5) | ("evm", 23));
        if seen.code != 0 && !is_own {
            let cause = seen.log.rsplit(": ").next().unwrap_or_default();
            let kind = format!("{first} {} {} {}", seen.codespace, seen.code, without_values(cause));
            self.name(Aspect::Failure, kind, without_values(&seen.log));
        }
        let mut orders: BTreeMap<Option<usize>, Vec<&SeenEvent>> = BTreeMap::new();
        for event in &seen.events {
            let names = event.pairs.iter().map(|(key, _)| key.clone()).collect();
            self.name(Aspect::Event, format!("{} {} {}", event.kind, event.act(), event.place()), collapsed(names));
            orders.entry(event.message()).or_default().push(event);
        }
        for (message, events) in orders {
            let mut kind = message.and_then(|place| messages.get(place)).map_or_else(
                || {
                    if events.iter().any(|event| event.kind == "coin_spent") { "outside, paid" } else { "outside" }
                        .to_owned()
                },
                kind_of,
            );
            events
                .iter()
                .filter(|event| event.kind == "wasm")
                .for_each(|event| kind = format!("{kind} {}", event.act()));
            let ways = WAYS.iter().filter(|way| events.iter().any(|event| event.kind == **way));
            kind.extend(ways.map(|way| format!(" with {way}")));
            kind.push_str(if seen.code == 0 { "" } else { " failed" });
            self.name(Aspect::Order, kind, collapsed(events.iter().map(|event| event.kind.clone()).collect()));
        }
    }

    fn objects(&mut self, value: &Value) {
        match value {
            Value::Object(fields) => {
                if let Some(kind) = fields.get("@type").and_then(Value::as_str) {
                    self.note(Aspect::Object, kind, value);
                    if let (Some(told), "/cosmwasm.wasm.v1.MsgExecuteContract") = (fields.get("msg"), kind) {
                        let name = told.as_object().and_then(|told| told.keys().next()).map_or("", String::as_str);
                        let item = if told[name].get("token_id").is_some() { " an NFT" } else { "" };
                        self.note(Aspect::Call, &format!("{name}{item}"), told);
                        return;
                    }
                }
                fields.values().for_each(|field| self.objects(field));
            }
            Value::Array(list) => list.iter().for_each(|one| self.objects(one)),
            _ => {}
        }
    }

    fn note(&mut self, aspect: Aspect, kind: &str, value: &Value) {
        let forms = self.0.entry((aspect, kind.to_owned())).or_default();
        forms.entry(form(value)).or_insert_with(|| value.clone());
    }

    fn name(&mut self, aspect: Aspect, kind: String, form: String) {
        self.0.entry((aspect, kind)).or_default().entry(form).or_insert(Value::Null);
    }

    /// What here is unlike all there, and of how many kinds both have some.
    pub(crate) fn unlike(&self, real: &Self) -> (Vec<Difference>, usize) {
        let (mut differences, mut compared) = (Vec::new(), 0);
        for ((aspect, kind), forms) in &self.0 {
            let Some(recorded) = real.0.get(&(*aspect, kind.clone())) else { continue };
            compared += 1;
            let is_known = |form: &String, value: &Value| match value {
                Value::Null => recorded.contains_key(form),
                value => recorded.values().any(|real| fits(real, value, false)),
            };
            for (form, _) in forms.iter().filter(|(form, value)| !is_known(form, value)) {
                let (kind, form, recorded) = (kind.clone(), form.clone(), recorded.keys().cloned().collect());
                differences.push(Difference { aspect: *aspect, kind, form, recorded });
            }
        }
        (differences, compared)
    }
}

/// A message's type without the slash.
fn short(message: &Value) -> String {
    message["@type"].as_str().unwrap_or_default().trim_start_matches('/').to_owned()
}

/// A message with those within it, and what a module is asked for.
fn kind_of(message: &Value) -> String {
    let own = short(message);
    if own.ends_with(".MsgExecute") {
        let text = |key: &str| message[key].as_str().unwrap_or_default();
        return format!("{own} {}::{}", text("module_name"), text("function_name"));
    }
    let list = message.get("msgs").or_else(|| message.get("messages")).and_then(Value::as_array);
    let inner: BTreeSet<String> = list.into_iter().flatten().map(short).collect();
    if inner.is_empty() { own } else { format!("{own}({})", inner.into_iter().collect::<Vec<_>>().join(",")) }
}

/// Names and kinds of values.
fn form(value: &Value) -> String {
    match value {
        Value::Object(fields) => {
            let is_typed = fields.contains_key("@type");
            let fields = fields.iter().map(|(key, value)| match key.as_str() {
                "msg" if is_typed => key.clone(),
                _ => format!("{key}:{}", form(value)),
            });
            format!("{{{}}}", fields.collect::<Vec<_>>().join(","))
        }
        Value::Array(list) => {
            let kinds: BTreeSet<String> = list.iter().map(form).collect();
            format!("[{}]", kinds.into_iter().collect::<Vec<_>>().join("|"))
        }
        Value::String(_) => "text".to_owned(),
        Value::Number(_) => "number".to_owned(),
        Value::Bool(_) => "bool".to_owned(),
        Value::Null => "null".to_owned(),
    }
}

/// Whether a simulated value has the form of a recorded one. What is null or an empty list in one of them is only
/// absent there; objects with a type of their own are compared by themselves.
fn fits(real: &Value, simulated: &Value, is_inner: bool) -> bool {
    match (real, simulated) {
        (Value::Null, _) | (_, Value::Null) => true,
        (Value::Object(real), Value::Object(simulated)) => {
            let is_typed = |fields: &serde_json::Map<String, Value>| fields.contains_key("@type");
            if is_inner && is_typed(real) && is_typed(simulated) {
                return true;
            }
            let told_apart = is_typed(real);
            real.keys().eq(simulated.keys())
                && real.iter().all(|(key, value)| {
                    (told_apart && key == "msg") || simulated.get(key).is_some_and(|other| fits(value, other, true))
                })
        }
        (Value::Array(real), Value::Array(simulated)) => {
            real.is_empty() || simulated.iter().all(|one| real.iter().any(|other| fits(other, one, true)))
        }
        _ => form(real) == form(simulated),
    }
}

/// Neighbours that repeat each other count once, also in groups.
fn collapsed(mut names: Vec<String>) -> String {
    for size in 1..=8 {
        let mut place = 0;
        while place + 2 * size <= names.len() {
            if names[place..place + size] == names[place + size..place + 2 * size] {
                names.drain(place..place + size);
            } else {
                place += 1;
            }
        }
    }
    names.join(" ")
}

/// A reason without the words that hold a digit: accounts, hashes, amounts.
fn without_values(log: &str) -> String {
    let is_part = |letter: char| letter.is_ascii_alphanumeric() || letter == '/';
    let mut text = String::new();
    let mut rest = log;
    while let Some(start) = rest.find(is_part) {
        let (between, more) = rest.split_at(start);
        let end = more.find(|letter| !is_part(letter)).unwrap_or(more.len());
        let (word, more) = more.split_at(end);
        text.push_str(between);
        text.push_str(if word.contains(|letter: char| letter.is_ascii_digit()) { "#" } else { word });
        rest = more;
    }
    text + rest
}
