use proptest::prelude::*;
use serde_json::json;

use super::{
    table::{Presence, ProtoKind, ProtoSchema, ProtoTable},
    *,
};

/// Builder of bytes that match the table, or nearly match it, from a test's random numbers.
struct Builder<'a> {
    random: std::slice::Iter<'a, u8>,
}

impl Builder<'_> {
    fn next(&mut self) -> u8 {
        self.random.next().copied().unwrap_or_default()
    }

    fn number(&mut self) -> u64 {
        let few = u64::from(self.next());
        match self.next() % 4 {
            0 => few.cast_signed().wrapping_neg().cast_unsigned(),
            1 => few << 40,
            _ => few,
        }
    }

    fn bytes(&mut self) -> Vec<u8> {
        let length = self.next() % 5;
        (0..length).map(|_| self.next()).collect()
    }

    fn message(&mut self, schema: &ProtoSchema, depth: usize) -> Vec<u8> {
        let mut writer = ProtoWriter::new();
        for field in &schema.fields {
            let most = if field.is_repeated { 4 } else { 2 };
            for _ in 0..self.next() % most {
                writer = match field.kind {
                    ProtoKind::Bool | ProtoKind::Enum(_) => writer.number(field.number, u64::from(self.next() % 5)),
                    ProtoKind::Int32 | ProtoKind::Int64 | ProtoKind::Uint32 | ProtoKind::Uint64 => {
                        writer.number(field.number, self.number())
                    }
                    kind => writer.bytes(field.number, self.part(kind, depth)),
                };
            }
        }
        if self.next() == 0 { writer.bytes(900, self.bytes()).finish() } else { writer.finish() }
    }

    fn part(&mut self, kind: ProtoKind, depth: usize) -> Vec<u8> {
        let clock = |builder: &mut Self| values::clock_bytes((builder.number().cast_signed() % 1_000_000, 0));
        match kind {
            ProtoKind::Integer | ProtoKind::Decimal => self.number().cast_signed().to_string().into_bytes(),
            ProtoKind::Json => json!({"a": [self.next(), {"é\n": "\u{1}"}, 1e30], "b": null}).to_string().into_bytes(),
            ProtoKind::Time | ProtoKind::Duration => clock(self),
            ProtoKind::Message(name) if depth < 6 => {
                self.message(ProtoTable::get().message(name).expect("of the table"), depth + 1)
            }
            ProtoKind::Any if depth < 6 => self.any(depth),
            ProtoKind::Message(_) | ProtoKind::Any => Vec::new(),
            _ => self.bytes(),
        }
    }

    fn any(&mut self, depth: usize) -> Vec<u8> {
        let names = ProtoTable::get().names();
        let name = names[(usize::from(self.next()) << 8 | usize::from(self.next())) % names.len()];
        let value = match self.next() % 4 {
            0 => self.bytes(),
            _ => self.message(ProtoTable::get().message(name).expect("of the table"), depth + 1),
        };
        let url = if self.next().is_multiple_of(4) { "/not.in.the.Table".to_owned() } else { format!("/{name}") };
        ProtoWriter::any(&url, &value)
    }
}

/// Checks that a decoded message encodes to its shortest form, which decodes to an equal message.
fn goes_around(name: &str, bytes: &[u8]) -> Result<(), TestCaseError> {
    let Ok(text) = decode_message(name, bytes) else { return Ok(()) };
    let again = encode_message(name, &text);
    prop_assert!(again.is_ok(), "{name}: {} of {text}", again.unwrap_err());
    let again = again.unwrap_or_default();
    let read = decode_message(name, &again);
    prop_assert_eq!(read.as_deref(), Ok(text.as_str()), "{} of {:?} as {:?}", name, bytes, again);
    prop_assert_eq!(encode_message(name, &text), Ok(again));
    prop_assert!(serde_json::from_str::<&serde_json::value::RawValue>(&text).is_ok(), "{}", text);
    Ok(())
}

proptest! {
    #[test]
    fn what_is_written_is_read_back(place in any::<usize>(), random in prop::collection::vec(any::<u8>(), 0..400)) {
        let names = ProtoTable::get().names();
        let name = names[place % names.len()];
        let schema = ProtoTable::get().message(name).expect("of the table");
        let bytes = Builder { random: random.iter() }.message(schema, 0);
        goes_around(name, &bytes)?;
        goes_around(TX, &Builder { random: random.iter() }.message(ProtoTable::get().message(TX).expect("there"), 0))?;
    }

    #[test]
    fn any_bytes_are_read_or_refused(place in any::<usize>(), bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let names = ProtoTable::get().names();
        goes_around(names[place % names.len()], &bytes)?;
        goes_around("google.protobuf.Nothing", &bytes)?;
        let _ = TxRaw::read(&bytes);
    }

    #[test]
    fn broken_transactions_are_read_or_refused(
        random in prop::collection::vec(any::<u8>(), 0..300), at in any::<prop::sample::Index>(), byte in any::<u8>(),
    ) {
        let mut bytes = Builder { random: random.iter() }.message(ProtoTable::get().message(TX).expect("there"), 0);
        if !bytes.is_empty() {
            let at = at.index(bytes.len());
            bytes[at] = byte;
        }
        goes_around(TX, &bytes)?;
    }

    #[test]
    fn any_json_is_written_or_refused(text in "[\\[\\]{}\":,@a-z0-9. ]{0,60}") {
        for name in [TX, "cosmos.bank.v1beta1.MsgSend", "ibc.lightclients.tendermint.v1.ClientState"] {
            if let Ok(bytes) = encode_message(name, &text) {
                prop_assert!(decode_message(name, &bytes).is_ok());
            }
        }
    }
}

const SEND: &str = "cosmos.bank.v1beta1.MsgSend";

#[test]
fn empty_fields_are_written_by_their_kinds() {
    let read = decode_message("ibc.applications.transfer.v1.MsgTransfer", &[]).unwrap();
    let height = r#"{"revision_number":"0","revision_height":"0"}"#;
    assert_eq!(
        read,
        format!(
            "{{\"source_port\":\"\",\"source_channel\":\"\",\"token\":{{\"denom\":\"\",\"amount\":\"0\"}},\"sender\":\"\",\
             \"receiver\":\"\",\"timeout_height\":{height},\"timeout_timestamp\":\"0\",\"memo\":\"\"}}"
        )
    );
    let written = encode_message("ibc.applications.transfer.v1.MsgTransfer", "{}").unwrap();
    // Required fields are present: a zero coin, and a height.
    assert_eq!(written, [0x1a, 3, 0x12, 1, b'0', 0x32, 0]);
    let grant = decode_message("cosmos.authz.v1beta1.MsgGrant", &[]).unwrap();
    assert_eq!(grant, r#"{"granter":"","grantee":"","grant":{"authorization":null,"expiration":null}}"#);
    let plan = decode_message("cosmos.upgrade.v1beta1.Plan", &[]).unwrap();
    assert!(plan.contains(r#""time":"0001-01-01T00:00:00Z","height":"0""#), "{plan}");
}

#[test]
fn what_the_table_lacks_stays_and_hides_nothing() {
    let any = |url: &str, value: &[u8]| ProtoWriter::any(url, value);
    let send = encode_message(SEND, r#"{"from_address":"a","amount":[{"denom":"x","amount":"7"}]}"#).unwrap();
    let more = [send.as_slice(), &[0xf8, 0x07, 5]].concat();
    let body = ProtoWriter::new()
        .bytes(1, any("/not.in.Table", b"abc"))
        .bytes(1, any(&format!("/{SEND}"), &[0xff]))
        .bytes(1, any(&format!("/{SEND}"), &more))
        .bytes(2, "memo")
        .finish();
    let raw = ProtoWriter::new().bytes(1, body).finish();
    let text = decode_tx(&raw).unwrap();
    assert_eq!(
        text,
        r#"{"body":{"messages":[{"@type":"/not.in.Table","@value":"YWJj"},"#.to_owned()
            + r#"{"@type":"/cosmos.bank.v1beta1.MsgSend","@value":"/w=="},"#
            + r#"{"@type":"/cosmos.bank.v1beta1.MsgSend","from_address":"a","to_address":"","#
            + r#""amount":[{"denom":"x","amount":"7"}],"@unknown":"+AcF"}],"memo":"memo","timeout_height":"0","#
            + r#""extension_options":[],"non_critical_extension_options":[]},"auth_info":null,"signatures":[]}"#
    );
    assert_eq!(encode_tx(&text), Ok(raw));
}

#[test]
fn errors_say_where() {
    let wrong = [
        (r#"{"body":{"messages":[{"@type":"/a.b.C","x":1}]}}"#, "body.messages[0]: a.b.C is not in the table"),
        (r#"{"auth_info":{"fee":{"amount":[{"denom":1}]}}}"#, "auth_info.fee.amount[0].denom: the value is not text"),
        (r#"{"auth_info":{"fee":{"gas_limit":"-1"}}}"#, "auth_info.fee.gas_limit: the value is not a whole number"),
        (r#"{"body":{"mood":1}}"#, "body.mood: unknown field of the message"),
        (r#"{"signatures":["_"]}"#, "signatures[0]: the value is not base64"),
        ("[]", "the value is not an object"),
    ];
    for (json, error) in wrong {
        let said = encode_tx(json).unwrap_err().to_string();
        assert!(said.starts_with(error), "{said}");
    }
    let broken = decode_tx(&[0x0a, 3, 0x12, 9, 1]).unwrap_err();
    assert_eq!(broken.to_string(), "body: the bytes are not protobuf fields");
    let encoding = decode_tx(&[0x12, 4, 0x12, 2, 0x12, 0]).unwrap_err();
    assert_eq!(encoding.to_string(), "auth_info.fee.gas_limit: the field's encoding does not fit a number");
    assert!(TxRaw::read(&[0x22, 0]).unwrap_err().to_string().starts_with("4: "));
}

#[test]
fn depth_and_size_are_bounded() {
    let exec = |inner: Vec<u8>| {
        ProtoWriter::any("/cosmos.authz.v1beta1.MsgExec", &ProtoWriter::new().bytes(2, inner).finish())
    };
    let deep = (0..500).fold(ProtoWriter::any("/a.b.C", &[]), |inner, _| exec(inner));
    let body = ProtoWriter::new().bytes(1, deep).finish();
    let text = decode_tx(&ProtoWriter::new().bytes(1, body).finish()).unwrap();
    assert!(text.matches("\"@value\"").count() == 1 && text.matches("MsgExec").count() < 40, "{}", text.len());
    assert!(encode_tx(&text).is_ok());
    // The JSON needs six letters for each of these bytes.
    let memo = ProtoWriter::new().bytes(2, [1].repeat(MAX_JSON / 6)).finish();
    let error = decode_tx(&ProtoWriter::new().bytes(1, memo).finish()).unwrap_err();
    assert_eq!(error.problem(), &ProtoProblem::Size(MAX_JSON));
}

#[test]
fn queries_have_their_messages() {
    let path = "/cosmos.bank.v1beta1.Query/AllBalances";
    let request = encode_request(path, &json!({"address": "init1x", "pagination": {"limit": 1000}})).unwrap();
    assert_eq!(request, [b"\x0a\x06init1x\x12\x03".as_slice(), &[0x18, 0xe8, 0x07]].concat());
    assert_eq!(decode_request(path, &request).unwrap()["pagination"]["limit"], "1000");
    let simulate = encode_request("/cosmos.tx.v1beta1.Service/Simulate", &json!({"tx_bytes": "AAE="})).unwrap();
    assert_eq!(simulate, [0x12, 2, 0, 1]);
    let smart = "/cosmwasm.wasm.v1.Query/SmartContractState";
    let asked = json!({"address": "init1y", "query_data": {"token_info": {}}});
    let request = encode_request(smart, &asked).unwrap();
    assert!(request.ends_with(b"\x12\x11{\"token_info\":{}}"), "{request:?}");
    assert_eq!(decode_request(smart, &request), Ok(asked));
    for path in ["", "/", "/a.b.Query", "/a.b.Query/None", "Query/X"] {
        assert!(matches!(encode_request(path, &json!({})).unwrap_err().problem(), ProtoProblem::Type(_)), "{path}");
    }
}

#[test]
fn fields_that_older_chains_lack_are_only_shown_where_they_are() {
    let schema = ProtoTable::get().message("opinit.ophost.v1.BridgeConfig").unwrap();
    let fast = schema.fields.iter().find(|field| field.name == "fast_bridge_config").unwrap();
    assert_eq!(fast.presence, Presence::Chosen);
    assert!(!decode_message("opinit.ophost.v1.BridgeConfig", &[]).unwrap().contains("fast_bridge"));
    // Older chains encode this Cosmos integer as a number.
    let old = decode_message("minievm.evm.v1.MsgCreate2", &[0x18, 7]).unwrap();
    assert!(old.contains(r#""salt":"7""#), "{old}");
}

#[test]
fn keys_are_read_of_their_json() {
    let key = json!({"@type": PublicKeyType::SECP, "key": "AtQaCqFnshaZQp6rIkvAPyzThvCvXSDO+9AzbxVErqJP"});
    let tx = json!({"auth_info": {"signer_infos": [{"public_key": key}, {"public_key": null}]}});
    let signer = first_signer(&tx).map(|address| address.bech32_as("cosmos"));
    assert_eq!(signer.as_deref(), Some("cosmos1h806c7khnvmjlywdrkdgk2vrayy2mmvf9rxk2r"));
    let both = json!({"@type": PublicKeyType::MULTISIG, "threshold": 1, "public_keys": [key, key]});
    assert!(public_key(&both).and_then(|key| key.address()).is_some());
    for none in
        [json!(null), json!({"@type": "/a.b.C", "key": "AA=="}), json!({"@type": PublicKeyType::SECP, "key": "AA=="})]
    {
        assert_eq!(public_key(&none), None);
        assert_eq!(public_key(&json!({"@type": PublicKeyType::MULTISIG, "threshold": 1, "public_keys": [none]})), None);
    }
    assert_eq!(first_signer(&json!({"auth_info": {"signer_infos": []}})), None);
}

/// Strategy for the type URLs under test.
struct PublicKeyType;

impl PublicKeyType {
    const SECP: &str = crate::domain::PublicKey::SECP256K1;
    const MULTISIG: &str = crate::domain::PublicKey::MULTISIG;
}
