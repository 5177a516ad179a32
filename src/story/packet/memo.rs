use serde_json::{Map, Value, json};

use crate::{domain::MsgType, story::limits::Work};

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Memo {
    Empty,
    /// Forwarding over another channel.
    Forward {
        /// Final receiver, or the receiver on the next hop.
        receiver: String,
        port: String,
        channel: String,
        /// Instruction after the hop.
        next: Box<Memo>,
    },
    /// Call on the destination.
    Hook(Hook),
    /// Callback to a contract on the source chain, with the packet's outcome.
    Callback(String),
    SignedTransaction,
    /// Note or unknown content.
    Note(String),
}

/// Call on arrival of a packet, as a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Hook {
    pub(crate) kind: MsgType,
    /// Fields of the message, without its sender.
    pub(crate) fields: Map<String, Value>,
    /// Contract on the source chain that receives the outcome.
    pub(crate) callback: Option<String>,
}

impl Memo {
    /// Parses a memo; a memo that is not JSON of a known kind is a note.
    pub(crate) fn of(text: &str, work: &Work) -> Self {
        let text = text.trim();
        if text.is_empty() {
            return Self::Empty;
        }
        let value = serde_json::from_str::<Value>(text).ok();
        let known = value.as_ref().and_then(|value| Self::of_json(value, work, 0));
        known.unwrap_or_else(|| Self::Note(text.to_owned()))
    }

    /// Whether the destination may credit another account than the packet's receiver.
    pub(crate) fn is_instruction(&self) -> bool {
        match self {
            Self::Empty | Self::Callback(_) => false,
            Self::Forward { .. } | Self::Hook(_) | Self::SignedTransaction => true,
            // Middleware of the destination may know what is unknown here.
            Self::Note(note) => note.starts_with('{'),
        }
    }

    fn of_json(value: &Value, work: &Work, depth: usize) -> Option<Self> {
        if !work.takes_nested(depth) {
            return None;
        }
        if let Some(forward) = value.get("forward") {
            return Self::forward(forward, work, depth);
        }
        if value.get("opinit").is_some_and(Value::is_string) {
            return Some(Self::SignedTransaction);
        }
        let (flavour, body) = ["evm", "move", "wasm"].iter().find_map(|name| Some((*name, value.get(name)?)))?;
        let callback = body.get("async_callback").and_then(callback);
        match hook(flavour, body) {
            Some((kind, fields)) => Some(Self::Hook(Hook { kind: MsgType::new(kind), fields, callback })),
            None => callback.map(Self::Callback),
        }
    }

    fn forward(forward: &Value, work: &Work, depth: usize) -> Option<Self> {
        let text = |name: &str| forward.get(name).and_then(Value::as_str).map(ToOwned::to_owned);
        let next = match forward.get("next") {
            None | Some(Value::Null) => Self::Empty,
            Some(Value::String(text)) if text.trim().is_empty() => Self::Empty,
            Some(Value::String(text)) => {
                let value = serde_json::from_str::<Value>(text).ok();
                let known = value.and_then(|value| Self::of_json(&value, work, depth + 1));
                known.unwrap_or_else(|| Self::Note(text.clone()))
            }
            Some(value) => {
                Self::of_json(value, work, depth + 1).unwrap_or_else(|| Self::Note("more unreadable data".to_owned()))
            }
        };
        Some(Self::Forward {
            receiver: text("receiver")?,
            port: text("port").unwrap_or_else(|| "transfer".to_owned()),
            channel: text("channel")?,
            next: Box::new(next),
        })
    }
}

fn hook(flavour: &str, body: &Value) -> Option<(&'static str, Map<String, Value>)> {
    let object = |name: &str| body.get(name).and_then(Value::as_object).cloned();
    match flavour {
        "evm" => Some(("minievm.evm.v1.MsgCall", object("message")?)),
        "move" => match object("message_json") {
            Some(fields) => Some(("initia.move.v1.MsgExecuteJSON", fields)),
            None => Some(("initia.move.v1.MsgExecute", object("message")?)),
        },
        _ => {
            // Some senders omit the enclosing `message`.
            let fields = object("message").or_else(|| body.as_object().filter(|it| it.contains_key("msg")).cloned())?;
            Some(("cosmwasm.wasm.v1.MsgExecuteContract", fields))
        }
    }
}

/// Returns the contract or Move module that receives the outcome.
fn callback(value: &Value) -> Option<String> {
    let text = |name: &str| value.get(name).and_then(Value::as_str);
    match (value, text("contract_address"), text("module_address"), text("module_name")) {
        (Value::String(contract), ..) if !contract.is_empty() => Some(contract.clone()),
        (_, Some(contract), ..) => Some(contract.to_owned()),
        (_, None, Some(address), Some(module)) => Some(format!("{address}::{module}")),
        _ => None,
    }
}

impl Hook {
    /// Returns the hook as a message from the account that runs it.
    pub(crate) fn message_of(&self, sender: &str) -> Map<String, Value> {
        let mut fields = self.fields.clone();
        fields.insert("sender".to_owned(), json!(sender));
        fields
    }

    pub(crate) fn text(&self, name: &str) -> Option<&str> {
        self.fields.get(name).and_then(Value::as_str)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Memo {
        Memo::of(text, &Work::default())
    }

    #[test]
    fn a_forward_is_followed_to_its_end() {
        let last = r#"{"forward":{"receiver":"c","port":"transfer","channel":"channel-3"}}"#;
        let quoted = Value::from(last).to_string();
        for next in [last, &quoted] {
            let memo = read(&format!(r#"{{"forward":{{"receiver":"b","channel":"channel-2","next":{next}}}}}"#));
            let Memo::Forward { receiver, next, port, .. } = memo else { panic!("{next}") };
            assert_eq!((receiver.as_str(), port.as_str()), ("b", "transfer"));
            assert!(matches!(*next, Memo::Forward { receiver, next, .. } if receiver == "c" && *next == Memo::Empty));
        }
    }

    #[test]
    fn hooks_are_messages_of_their_machine() {
        let cases = [
            (r#"{"evm":{"message":{"contract_addr":"0x1","input":"0x"}}}"#, "MsgCall"),
            (r#"{"move":{"message":{"module_name":"a"}}}"#, "MsgExecute"),
            (r#"{"move":{"message_json":{"module_name":"a"}}}"#, "MsgExecuteJSON"),
            (r#"{"wasm":{"message":{"contract":"c","msg":{"go":{}}}}}"#, "MsgExecuteContract"),
            (r#"{"wasm":{"contract":"c","msg":{"go":{}}}}"#, "MsgExecuteContract"),
        ];
        for (text, kind) in cases {
            let Memo::Hook(hook) = read(text) else { panic!("{text}") };
            assert_eq!(hook.kind.short(), kind, "{text}");
            assert_eq!(hook.message_of("s").get("sender"), Some(&json!("s")));
        }
    }

    #[test]
    fn a_callback_alone_is_no_call() {
        let module = r#"{"move":{"async_callback":{"id":1,"module_address":"0xb8","module_name":"nft_transfer"}}}"#;
        assert_eq!(read(module), Memo::Callback("0xb8::nft_transfer".to_owned()));
        let contract = r#"{"evm":{"async_callback":{"id":"7","contract_address":"0xab"}}}"#;
        assert_eq!(read(contract), Memo::Callback("0xab".to_owned()));
        assert_eq!(read(r#"{"wasm":{"async_callback":"init1c"}}"#), Memo::Callback("init1c".to_owned()));
        assert_eq!(read(r#"{"opinit":"CgA="}"#), Memo::SignedTransaction);
    }

    #[test]
    fn what_is_of_no_known_kind_is_a_note() {
        assert_eq!(read("  "), Memo::Empty);
        for text in ["for lunch", r#"{"forward":{}}"#, r#"{"evm":7}"#, "{", "[1]", r#"{"ibc_callback":"x"}"#] {
            assert_eq!(read(text), Memo::Note(text.to_owned()));
        }
        let mut deep = r#"{"forward":{"receiver":"z","channel":"channel-1"}}"#.to_owned();
        for _ in 0..60 {
            deep = format!(r#"{{"forward":{{"receiver":"b","channel":"channel-2","next":{deep}}}}}"#);
        }
        let work = Work::default();
        assert!(matches!(Memo::of(&deep, &work), Memo::Forward { .. }));
        assert!(work.is_cut(), "it is opened only so far");
    }
}
