//! What a transaction means: its messages, fee, events and failure, decoded from the raw record when somebody looks.

mod abi;
mod decode;
mod failure;

pub use abi::{selector_name, signature};
pub use decode::{Decoded, DecodedEvent, DecodedMessage, Phase, decode};
pub use failure::Failure;

use std::borrow::Cow;

use serde::Deserialize;

use crate::{domain::MsgType, wire::Tx};

/// What a list row says of a transaction, read without decoding more than the messages' heads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Headline {
    /// The types of all messages, in order.
    pub types: Vec<MsgType>,
    /// The function that the leading message calls, such as `transfer()`, where it is a known contract call.
    pub call: Option<Cow<'static, str>>,
}

impl Headline {
    /// Reads the heads of a transaction's messages; an unreadable body gives an empty headline.
    pub fn of(tx: &Tx) -> Self {
        #[derive(Deserialize)]
        struct Outer<'a> {
            #[serde(borrow)]
            body: Body<'a>,
        }
        #[derive(Deserialize)]
        struct Body<'a> {
            #[serde(borrow, default)]
            messages: Vec<Head<'a>>,
        }
        #[derive(Deserialize)]
        struct Head<'a> {
            #[serde(rename = "@type", borrow, default)]
            kind: Cow<'a, str>,
            #[serde(borrow, default)]
            input: Option<Cow<'a, str>>,
            #[serde(borrow, default)]
            module_name: Option<Cow<'a, str>>,
            #[serde(borrow, default)]
            function_name: Option<Cow<'a, str>>,
        }
        let messages =
            serde_json::from_str::<Outer<'_>>(tx.tx.get()).map(|outer| outer.body.messages).unwrap_or_default();
        let types: Vec<MsgType> = messages.iter().map(|head| MsgType::new(&head.kind)).collect();
        let call = messages.get(lead(&types)).and_then(|head| {
            if let (Some(module), Some(function)) = (&head.module_name, &head.function_name) {
                return Some(Cow::Owned(format!("{module}::{function}")));
            }
            head.input.as_deref().map(call_name)
        });
        Self { types, call }
    }

    /// The leading message's short type, with how many more there are: `MsgRecvPacket +1`.
    pub fn kind(&self) -> String {
        match (self.types.get(lead(&self.types)), self.types.len()) {
            (None, _) => "unreadable".to_owned(),
            (Some(only), 1) => only.short().to_owned(),
            (Some(leading), count) => format!("{} +{}", leading.short(), count - 1),
        }
    }
}

/// The place of the message that a row is named after: relayers update their light client first, which says nothing.
fn lead(types: &[MsgType]) -> usize {
    types.iter().position(|kind| kind.short() != "MsgUpdateClient").unwrap_or(0)
}

/// What an EVM call's input says: `transfer()`, the bare selector, or that it only sends value.
fn call_name(input: &str) -> Cow<'static, str> {
    let digits = input.strip_prefix("0x").unwrap_or(input);
    match digits.get(..8) {
        None => Cow::Borrowed("value only"),
        Some(selector) => match selector_name(selector) {
            Some(name) => Cow::Owned(format!("{name}()")),
            None => Cow::Owned(format!("0x{}", selector.to_ascii_lowercase())),
        },
    }
}
