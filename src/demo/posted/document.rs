//! Amino sign document as a node builds it: sorted keys, without empty fields except those that the chain always
//! writes.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::{PostedTx, TxRefusal};

#[derive(Clone, Copy)]
enum AminoField {
    /// String, base64 bytes or list; omitted if it is empty.
    Text,
    /// Number; omitted if it is zero.
    Number,
    Always,
    /// List, never omitted; `null` if it is empty.
    List,
    /// [`AminoField::List`] on newer chains. Older chains do not have the field.
    NewerList,
    /// Height on another chain; zero parts are omitted.
    Height,
}

use AminoField::{Always, Height, List, NewerList, Number, Text};

type AminoMessage = (&'static str, &'static str, &'static [(&'static str, AminoField)]);

const MESSAGES: &[AminoMessage] = &[
    (
        "/cosmos.bank.v1beta1.MsgSend",
        "cosmos-sdk/MsgSend",
        &[("from_address", Text), ("to_address", Text), ("amount", Always)],
    ),
    (
        "/ibc.applications.transfer.v1.MsgTransfer",
        "cosmos-sdk/MsgTransfer",
        &[
            ("source_port", Text),
            ("source_channel", Text),
            ("token", Always),
            ("sender", Text),
            ("receiver", Text),
            ("timeout_height", Height),
            ("timeout_timestamp", Number),
            ("memo", Text),
        ],
    ),
    (
        "/opinit.ophost.v1.MsgInitiateTokenDeposit",
        "ophost/MsgInitiateTokenDeposit",
        &[("sender", Text), ("bridge_id", Number), ("to", Text), ("amount", Always), ("data", Text)],
    ),
    (
        "/opinit.ophost.v1.MsgFinalizeTokenWithdrawal",
        "ophost/MsgFinalizeTokenWithdrawal",
        &[
            ("sender", Text),
            ("bridge_id", Number),
            ("output_index", Number),
            ("withdrawal_proofs", Text),
            ("from", Text),
            ("to", Text),
            ("sequence", Number),
            ("amount", Always),
            ("version", Text),
            ("storage_root", Text),
            ("last_block_hash", Text),
        ],
    ),
    (
        "/opinit.opchild.v1.MsgInitiateTokenWithdrawal",
        "opchild/MsgInitiateTokenWithdrawal",
        &[("sender", Text), ("to", Text), ("amount", Always)],
    ),
    (
        "/minievm.evm.v1.MsgCall",
        "evm/MsgCall",
        &[
            ("sender", Text),
            ("contract_addr", Text),
            ("input", Text),
            ("value", Always),
            ("access_list", List),
            ("auth_list", NewerList),
        ],
    ),
    (
        "/initia.move.v1.MsgExecute",
        "move/MsgExecute",
        &[
            ("sender", Text),
            ("module_address", Text),
            ("module_name", Text),
            ("function_name", Text),
            ("type_args", Text),
            ("args", Text),
        ],
    ),
];

impl PostedTx {
    /// Returns two sign documents in JSON, by the rules of newer and of older chains.
    pub(super) fn documents(&self, chain_id: &str, account: u64) -> Result<Vec<String>, TxRefusal> {
        let mut documents = vec![self.document(chain_id, account, true)?, self.document(chain_id, account, false)?];
        documents.dedup();
        Ok(documents)
    }

    fn document(&self, chain_id: &str, account: u64, is_newer: bool) -> Result<String, TxRefusal> {
        let coin =
            |coin: &crate::domain::Coin| json!({ "denom": coin.denom.as_str(), "amount": coin.amount.to_string() });
        let messages: Vec<Value> =
            self.written.iter().map(|message| amino(message, is_newer)).collect::<Result<_, _>>()?;
        let mut document = json!({
            "account_number": account.to_string(),
            "chain_id": chain_id,
            "fee": {
                "amount": self.fee.iter().map(coin).collect::<Vec<_>>(),
                "gas": self.gas.to_string(),
            },
            "memo": self.memo,
            "msgs": messages,
            "sequence": self.sequence.to_string(),
        });
        if let (true, Some(fields)) = (self.timeout_height > 0, document.as_object_mut()) {
            fields.insert("timeout_height".to_owned(), self.timeout_height.to_string().into());
        }
        Ok(escaped(&sorted(document).to_string()))
    }
}

fn amino(message: &Value, is_newer: bool) -> Result<Value, TxRefusal> {
    let kind = message["@type"].as_str().unwrap_or_default();
    let unknown = || TxRefusal::sdk(37, format!("this simulated chain cannot encode {kind} as Amino JSON"));
    let (_, name, fields) = MESSAGES.iter().find(|(known, ..)| *known == kind).ok_or_else(unknown)?;
    let value: serde_json::Map<String, Value> = fields
        .iter()
        .filter_map(|(field, form)| Some(((*field).to_owned(), form.written(&message[*field], is_newer)?)))
        .collect();
    Ok(json!({ "type": name, "value": value }))
}

impl AminoField {
    fn written(self, value: &Value, is_newer: bool) -> Option<Value> {
        let is_empty = match value {
            Value::Null => true,
            Value::String(text) => text.is_empty(),
            Value::Array(items) => items.is_empty(),
            _ => false,
        };
        match self {
            Self::Text => (!is_empty).then(|| value.clone()),
            Self::Number => (value != "0" && !is_empty).then(|| value.clone()),
            Self::Always => Some(value.clone()),
            Self::NewerList if !is_newer && is_empty => None,
            Self::List | Self::NewerList => Some(if is_empty { Value::Null } else { value.clone() }),
            Self::Height => {
                let part = |name: &&str| Self::Number.written(&value[*name], is_newer).is_some();
                let parts = ["revision_number", "revision_height"].into_iter().filter(part);
                Some(Value::Object(parts.map(|name| (name.to_owned(), value[name].clone())).collect()))
            }
        }
    }
}

/// Sorts the keys of every object.
fn sorted(value: Value) -> Value {
    match value {
        Value::Object(fields) => {
            let ordered: BTreeMap<String, Value> =
                fields.into_iter().map(|(key, value)| (key, sorted(value))).collect();
            Value::Object(ordered.into_iter().collect())
        }
        Value::Array(items) => items.into_iter().map(sorted).collect(),
        other => other,
    }
}

/// Escapes characters as Go's JSON encoder does. These characters occur only in strings.
fn escaped(json: &str) -> String {
    let mut written = String::with_capacity(json.len());
    for character in json.chars() {
        match character {
            '&' => written.push_str("\\u0026"),
            '<' => written.push_str("\\u003c"),
            '>' => written.push_str("\\u003e"),
            '\u{2028}' => written.push_str("\\u2028"),
            '\u{2029}' => written.push_str("\\u2029"),
            other => written.push(other),
        }
    }
    written
}
