use std::{borrow::Cow, collections::BTreeSet};

use crate::{
    domain::{Address, MsgType},
    story::{
        abi::selector_name,
        decode::{is_noise, lead},
        partial_failure::PartialFailure,
    },
    wire::{MessageHead, Tx},
};

/// Summary of a transaction for list rows: the heads of its messages, and what failed within it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MessageSummary {
    /// Types of all messages, in order.
    pub types: Vec<MsgType>,
    /// Function called by the leading message, such as `transfer()`, if it is a known contract call.
    pub call: Option<Cow<'static, str>>,
    /// What failed although the transaction succeeded; each kind once.
    pub partial: BTreeSet<PartialFailure>,
}

impl MessageSummary {
    /// Whether the transaction or a part of it failed.
    pub fn has_failure(&self, tx: &Tx) -> bool {
        !tx.is_success() || !self.partial.is_empty()
    }

    /// Reads the heads of a transaction's messages; an unreadable body gives an empty summary.
    pub fn of(tx: &Tx) -> Self {
        let heads = tx.message_heads();
        let types: Vec<MsgType> = heads.iter().map(MessageHead::kind).collect();
        let call = heads.get(lead(&types)).and_then(|head| match head.move_function() {
            Some((module, function)) => Some(Cow::Owned(format!("{module}::{function}"))),
            None => head.input().as_deref().map(call_name),
        });
        Self { types, call, partial: PartialFailure::all_of(tx) }
    }

    /// Returns the leading message's short type and the number of others: `MsgRecvPacket +1`.
    pub fn kind(&self) -> String {
        match (self.types.get(lead(&self.types)), self.types.len()) {
            (None, _) => "unreadable".to_owned(),
            (Some(only), 1) => only.short().to_owned(),
            (Some(leading), count) => format!("{} +{}", leading.short(), count - 1),
        }
    }

    /// Returns the function of the leading message, else its short type, and the number of others.
    pub fn method(&self) -> Cow<'_, str> {
        match (&self.call, self.types.len()) {
            (None, _) => Cow::Owned(self.kind()),
            (Some(call), 0 | 1) => Cow::Borrowed(call),
            (Some(call), count) => Cow::Owned(format!("{call} +{}", count - 1)),
        }
    }

    /// Counts the messages besides the leading one, without updates of light clients.
    pub fn others(&self) -> usize {
        let leading = lead(&self.types);
        let others = self.types.iter().enumerate().filter(|(place, kind)| *place != leading && !is_noise(kind));
        others.count()
    }
}

/// Returns the function that each message of a transaction calls on this contract, in order: `transfer()` on the EVM,
/// `mint` on Wasm.
pub fn called_functions(tx: &Tx, contract: Address) -> impl Iterator<Item = String> {
    let function = move |head: &MessageHead<'_>| {
        head.contract().filter(|text| text.parse() == Ok(contract))?;
        match head.kind().short() {
            "MsgCall" => head.input().map(|input| call_name(&input).into_owned()),
            "MsgExecuteContract" => Some(head.action().unwrap_or_else(|| "unknown function".to_owned())),
            _ => None,
        }
    };
    tx.message_heads().into_iter().filter_map(move |head| function(&head)).collect::<Vec<_>>().into_iter()
}

/// Describes an EVM call's input: `transfer()`, the bare selector, or a plain value transfer.
fn call_name(input: &str) -> Cow<'static, str> {
    let digits = input.strip_prefix("0x").unwrap_or(input);
    match digits.get(..8) {
        None if digits.is_empty() => Cow::Borrowed("value only"),
        None => Cow::Borrowed("unknown function"),
        Some(selector) => match selector_name(selector) {
            Some(name) => Cow::Owned(format!("{name}()")),
            None => Cow::Owned(format!("0x{}", selector.to_ascii_lowercase())),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headline(messages: &str) -> MessageSummary {
        MessageSummary::of(&record(messages))
    }

    fn record(messages: &str) -> Tx {
        let record = format!(
            r#"{{"txhash":"{}","height":"1","timestamp":"2026-01-01T00:00:00Z","tx":{{"body":{{"messages":{messages}}}}}}}"#,
            "0".repeat(64)
        );
        serde_json::from_str(&record).unwrap()
    }

    #[test]
    fn a_row_is_named_after_what_matters() {
        let relayed =
            r#"[{"@type":"/ibc.core.client.v1.MsgUpdateClient"},{"@type":"/ibc.core.channel.v1.MsgRecvPacket"}]"#;
        assert_eq!(headline(relayed).kind(), "MsgRecvPacket +1");
        let call = r#"[{"@type":"/minievm.evm.v1.MsgCall","input":"0xa9059cbb00"}]"#;
        assert_eq!(headline(call).call.as_deref(), Some("transfer()"));
        let moved = r#"[{"@type":"/initia.move.v1.MsgExecute","module_name":"coin","function_name":"transfer"}]"#;
        assert_eq!(headline(moved).call.as_deref(), Some("coin::transfer"));
        assert_eq!(headline("[]").kind(), "unreadable");
    }

    #[test]
    fn calls_of_a_contract_are_named_by_their_functions() {
        let contract = Address::Short([7; 20]);
        let (hex, other) = (contract.checksummed(), Address::Short([8; 20]).hex());
        let messages = serde_json::json!([
            {"@type": "/minievm.evm.v1.MsgCall", "contract_addr": hex, "input": "0xa9059cbb00"},
            {"@type": "/minievm.evm.v1.MsgCall", "contract_addr": other, "input": "0xa9059cbb00"},
            {"@type": "/cosmwasm.wasm.v1.MsgExecuteContract", "contract": contract.bech32(), "msg": {"mint": {}}},
            {"@type": "/cosmwasm.wasm.v1.MsgExecuteContract", "contract": contract.bech32(), "msg": "bWludA=="},
            {"@type": "/cosmwasm.wasm.v1.MsgUpdateAdmin", "contract": contract.bech32(), "msg": {"mint": {}}},
        ]);
        let called: Vec<String> = called_functions(&record(&messages.to_string()), contract).collect();
        assert_eq!(called, ["transfer()", "mint", "unknown function"]);
    }

    #[test]
    fn fields_of_other_forms_under_known_names_do_no_harm() {
        let odd = r#"[{"@type":"/a.b.MsgOdd","input":{"x":1},"module_name":7,"function_name":"esc\"aped"}]"#;
        let headline = headline(odd);
        assert_eq!((headline.kind().as_str(), headline.call), ("MsgOdd", None));
    }
}
