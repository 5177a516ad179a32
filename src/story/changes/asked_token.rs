//! Tokens that messages ask Wasm contracts to hand out when they are created: CW-20 contracts emit no event for them.

use serde_json::{Map, Value};

use crate::{
    domain::{Amount, MsgType},
    story::decode::Decoded,
};

/// Largest power of ten that fits in 256 bits.
const MOST_DECIMALS: u64 = 77;

/// Maximum depth of messages within messages.
const DEPTH: usize = 4;

/// Token that a new contract is asked to be, by the form of CW-20's message.
pub(in crate::story) struct AskedToken<'a> {
    pub(in crate::story) name: &'a str,
    pub(in crate::story) symbol: &'a str,
    pub(in crate::story) decimals: u8,
    /// Accounts with their initial balances, in the smallest unit.
    pub(in crate::story) balances: Vec<(&'a str, Amount)>,
}

impl<'a> AskedToken<'a> {
    /// Reads the fields of a message that instantiates a contract; `None` for another form, or for unreadable balances.
    pub(in crate::story) fn of(message: &'a Map<String, Value>) -> Option<Self> {
        let asked = message.get("msg")?;
        let text = |name: &str| asked.get(name)?.as_str();
        let decimals = asked.get("decimals")?.as_u64().filter(|decimals| *decimals <= MOST_DECIMALS)?;
        let balance = |balance: &'a Value| {
            Some((balance.get("address")?.as_str()?, balance.get("amount")?.as_str()?.parse().ok()?))
        };
        let balances: Option<Vec<(&str, Amount)>> =
            asked.get("initial_balances")?.as_array()?.iter().map(balance).collect();
        Some(Self {
            name: text("name")?,
            symbol: text("symbol")?,
            decimals: u8::try_from(decimals).ok()?,
            balances: balances?,
        })
    }
}

/// Whether a message, or one within it, creates a contract and asks it to hand out tokens.
pub(super) fn hands_out_tokens(decoded: &Decoded) -> bool {
    decoded.messages.iter().any(|message| asks_to_hand_out(&message.kind, &message.fields, DEPTH))
}

fn asks_to_hand_out(kind: &MsgType, fields: &Map<String, Value>, depth: usize) -> bool {
    let balances = || fields.get("msg")?.get("initial_balances")?.as_array();
    let is_own = kind.short().contains("InstantiateContract") && balances().is_some_and(|list| !list.is_empty());
    let lists = ["msgs", "messages"].iter().filter_map(|name| fields.get(*name)?.as_array());
    let is_within = |inner: &Value| {
        let (kind, fields) = (inner.get("@type").and_then(Value::as_str), inner.as_object());
        kind.zip(fields).is_some_and(|(kind, fields)| asks_to_hand_out(&MsgType::new(kind), fields, depth - 1))
    };
    is_own || depth > 0 && lists.flatten().any(is_within)
}
