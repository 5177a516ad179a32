//! Messages of an encoded signed transaction, such as a deposit's hook (`docs/apis/story.md` §4).

mod schema;

use base64::{Engine, engine::general_purpose::STANDARD};
use serde_json::{Map, Value};

use self::schema::{FieldForm, schema_of};
use crate::{
    domain::MsgType,
    story::limits::Work,
    wire::protobuf::{ProtoField as Field, ProtoFields as Fields, bytes_of, text_of},
};

/// Message of a signed transaction: its type and its fields in the JSON format of records.
pub type SignedMessage = (MsgType, Map<String, Value>);

/// Decodes the messages of a base64 transaction; `None` if invalid. Skips fields of unknown types, and messages beyond
/// the limits.
pub fn signed_messages(base64: &str, work: &Work) -> Option<Vec<SignedMessage>> {
    let bytes = STANDARD.decode(base64.trim()).ok()?;
    let body = Fields::new(&bytes).first(1)?;
    let mut messages = Vec::new();
    for field in Fields::new(body) {
        let field = field?;
        if field.number == 1 {
            messages.push(message(field.bytes?, work, 0)?);
        }
    }
    (!messages.is_empty()).then_some(messages)
}

/// Decodes an `Any` into type and message.
fn message(any: &[u8], work: &Work, depth: usize) -> Option<SignedMessage> {
    let kind = MsgType::new(text_of(Fields::new(any).first(1)?)?);
    let body = Fields::new(any).first(2).unwrap_or_default();
    let mut fields = Map::new();
    if work.takes_nested(depth) {
        for field in Fields::new(body) {
            let field = field?;
            let known = schema_of(kind.as_str()).iter().find(|(number, ..)| *number == field.number);
            if let Some((_, name, form)) = known {
                put(&mut fields, name, *form, &field, (work, depth));
            }
        }
    }
    Some((kind, fields))
}

/// Adds a field in the JSON format of records; skips a field of the wrong type.
fn put(fields: &mut Map<String, Value>, name: &str, form: FieldForm, field: &Field<'_>, nested: (&Work, usize)) {
    let text = || text_of(field.bytes?).map(Value::from);
    let base64 = || Some(Value::from(STANDARD.encode(field.bytes?)));
    let (value, is_list) = match form {
        FieldForm::Text => (text(), false),
        FieldForm::Texts => (text(), true),
        FieldForm::Number => (field.number_value.map(|number| Value::from(number.to_string())), false),
        FieldForm::Base64 => (base64(), false),
        FieldForm::Base64List => (base64(), true),
        FieldForm::Coin => (field.bytes.and_then(coin), false),
        FieldForm::Coins => (field.bytes.and_then(coin), true),
        FieldForm::Json => (field.bytes.and_then(|bytes| serde_json::from_slice(bytes).ok()), false),
        FieldForm::Messages => (field.bytes.and_then(|bytes| inner(bytes, nested)), true),
    };
    let Some(value) = value else { return };
    if !is_list {
        fields.insert(name.to_owned(), value);
        return;
    }
    let list = fields.entry(name).or_insert_with(|| Value::Array(Vec::new()));
    if let Some(list) = list.as_array_mut() {
        list.push(value);
    }
}

fn coin(bytes: &[u8]) -> Option<Value> {
    let (denom, amount) = (bytes_of(bytes, 1)?, bytes_of(bytes, 2)?);
    Some(serde_json::json!({"denom": text_of(denom)?, "amount": text_of(amount)?}))
}

/// Decodes a nested message, with its type among the fields.
fn inner(any: &[u8], (work, depth): (&Work, usize)) -> Option<Value> {
    let (kind, mut fields) = message(any, work, depth + 1)?;
    fields.insert("@type".to_owned(), Value::from(format!("/{kind}")));
    Some(Value::Object(fields))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::protobuf::ProtoWriter;

    fn bytes_field(number: u64, bytes: &[u8]) -> Vec<u8> {
        ProtoWriter::new().bytes(number, bytes).finish()
    }

    fn any(kind: &str, body: &[u8]) -> Vec<u8> {
        [bytes_field(1, kind.as_bytes()), bytes_field(2, body)].concat()
    }

    fn signed(messages: &[Vec<u8>]) -> String {
        let body: Vec<u8> = messages.iter().flat_map(|message| bytes_field(1, message)).collect();
        STANDARD.encode([bytes_field(1, &body), bytes_field(2, b""), bytes_field(3, b"signature")].concat())
    }

    #[test]
    fn known_messages_are_read_as_a_record_has_them() {
        let coin = [bytes_field(1, b"uinit"), bytes_field(2, b"5")].concat();
        let send = [bytes_field(1, b"a"), bytes_field(2, b"b"), bytes_field(3, &coin), bytes_field(3, &coin)].concat();
        let call = [bytes_field(1, b"a"), bytes_field(2, b"c"), bytes_field(3, br#"{"go":{}}"#)].concat();
        let data = signed(&[
            any("/cosmos.bank.v1beta1.MsgSend", &send),
            any("/cosmwasm.wasm.v1.MsgExecuteContract", &call),
            any("/a.b.MsgOdd", b"\xff\xff"),
        ]);
        let told = signed_messages(&data, &Work::default());
        assert_eq!(told, None, "bytes that are no fields are no message");
        let data = signed(&[
            any("/cosmos.bank.v1beta1.MsgSend", &send),
            any("/cosmwasm.wasm.v1.MsgExecuteContract", &call),
            any("/a.b.MsgOdd", b""),
        ]);
        let messages = signed_messages(&data, &Work::default()).unwrap();
        let coin = serde_json::json!({"denom": "uinit", "amount": "5"});
        assert_eq!(messages[0].1["amount"], serde_json::json!([coin, coin]));
        assert_eq!(messages[1].1["msg"], serde_json::json!({"go": {}}));
        assert_eq!((messages[2].0.short(), messages[2].1.len()), ("MsgOdd", 0));
    }

    #[test]
    fn messages_within_messages_are_opened_only_so_deep() {
        let mut message = any("/cosmos.bank.v1beta1.MsgSend", &bytes_field(1, b"a"));
        for _ in 0..50 {
            message = any("/cosmos.authz.v1beta1.MsgExec", &bytes_field(2, &message));
        }
        let work = Work::default();
        let messages = signed_messages(&signed(&[message]), &work).unwrap();
        assert_eq!(messages.len(), 1);
        assert!(work.is_cut());
    }

    #[test]
    fn hostile_bytes_are_no_transaction() {
        let long_length = STANDARD.encode([0x0a, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f]);
        for data in ["", "%%%", "AAAA", "Cg==", "CgEK", "/////w==", &long_length] {
            assert_eq!(signed_messages(data, &Work::default()), None, "{data}");
        }
    }
}
