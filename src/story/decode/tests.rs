use serde_json::json;

use super::*;
use crate::wire::RawJson;

/// Returns a transaction with this body and these events in JSON.
fn tx(body: &str, events: &str) -> Tx {
    let record = json!({
        "txhash": "0".repeat(64), "height": "7", "timestamp": "2026-01-01T00:00:00Z", "tx": {},
    });
    let mut tx: Tx = serde_json::from_str(&record.to_string()).unwrap();
    tx.tx = RawJson::parse(body.to_owned()).unwrap();
    tx.events = RawJson::parse(events.to_owned()).unwrap();
    tx
}

const SEND: &str = r#"{"@type":"/a.b.MsgSend","n":1}"#;

fn problem(decoded: &Decoded) -> &str {
    decoded.problem.as_deref().unwrap_or_default()
}

#[test]
fn one_odd_part_does_not_lose_the_others() {
    let body = format!(
        r#"{{"body":{{"messages":[{SEND},7,{SEND}],"memo":12}},"auth_info":{{"signer_infos":[null,{{"mode_info":5}}],
        "fee":{{"amount":[{{"denom":"u","amount":"5"}},{{"denom":"v","amount":"-1"}},{{"denom":"w","amount":7}}]}}}}}}"#
    );
    let decoded = decode(&tx(&body, "[]"));
    let kinds: Vec<_> = decoded.messages.iter().map(|message| message.kind.short()).collect();
    assert_eq!(kinds, ["MsgSend", "unknown", "MsgSend"], "places stay what they are");
    assert_eq!(decoded.memo.as_deref(), Some("12"));
    let fee: Vec<_> = decoded.fee.iter().map(ToString::to_string).collect();
    assert_eq!(fee, ["5u", "7w"]);
    assert_eq!(problem(&decoded), "unreadable parts of the record: message 2, a coin of the fee");
}

#[test]
fn attributes_are_kept_whatever_their_values_are() {
    let events = r#"[
        {"type":"tx","attributes":[{"key":"fee","value":""},{"key":"acc_seq","value":null}]},
        {"type":"a","attributes":[{"key":"n","value":12},{"key":"t","value":true},{"key":"o","value":{"x":[1]}},
            {"key":"q","value":"\"é\u00e9"},{"key":"msg_index","value":1}]},
        5.5,
        {"type":"b","attributes":null},
        {"type":"c","attributes":[{"value":"x"},{"key":"k"}]},
        {"attributes":[]}
    ]"#;
    let decoded = decode(&tx(r#"{"body":{"messages":[]}}"#, events));
    let places: Vec<_> = decoded.events.iter().map(|event| (event.kind.as_str(), event.phase)).collect();
    let after = EventPhase::After;
    let expected = [
        ("tx", EventPhase::Before),
        ("a", EventPhase::Message(1)),
        ("", after),
        ("b", after),
        ("c", after),
        ("", after),
    ];
    assert_eq!(places, expected);
    let values: Vec<_> = decoded.events[1].attributes.iter().map(|(_, value)| value.as_str()).collect();
    assert_eq!(values, ["12", "true", r#"{"x":[1]}"#, "\"éé"]);
    assert_eq!(decoded.events[4].attributes, [("k".to_owned(), String::new())]);
    assert_eq!(problem(&decoded), "unreadable parts of the record: event 3, event 5, event 6");
}

#[test]
fn a_message_too_deep_or_too_large_is_read_field_by_field() {
    let deep = format!("{}{}", "[".repeat(5_000), "]".repeat(5_000));
    let large = vec!["0"; MOST_VALUES + 10].join(",");
    let message = format!(r#"{{"@type":"/a.MsgOdd","deep":{deep},"large":[{large}],"sender":"me"}}"#);
    let decoded = decode(&tx(&format!(r#"{{"body":{{"messages":[{message},{SEND}]}}}}"#), "[]"));
    assert_eq!(decoded.messages[0].kind.short(), "MsgOdd");
    let names: Vec<_> = decoded.messages[0].fields.keys().collect();
    assert_eq!(names, ["sender"]);
    assert_eq!(decoded.messages[1].kind.short(), "MsgSend");
    assert_eq!(problem(&decoded), "unreadable parts of the record: “deep” of message 1, “large” of message 1");
}

#[test]
fn an_event_of_no_message_that_can_be_read_is_a_problem() {
    let event = |index: &str| format!(r#"[{{"type":"a","attributes":[{{"key":"msg_index","value":"{index}"}}]}}]"#);
    let read = |index: &str| decode(&tx(r#"{"body":{"messages":[]}}"#, &event(index))).problem;
    assert_eq!((read("0"), read("")), (None, None));
    for odd in ["-1", "one", "99999999999999999999999"] {
        assert_eq!(read(odd).as_deref(), Some("unreadable parts of the record: event 1"), "{odd}");
    }
}

#[test]
fn what_is_missing_is_named_and_counted() {
    assert_eq!(problem(&decode(&tx("{}", "{}"))), "unreadable parts of the record: the body, the events");
    assert_eq!(
        problem(&decode(&tx(r#"{"body":{"memo":"x"}}"#, "null"))),
        "unreadable parts of the record: the messages"
    );
    let decoded = decode(&tx(r#"{"body":{"messages":[1,2,3,4,5]}}"#, "[]"));
    assert_eq!(problem(&decoded), "unreadable parts of the record: message 1, message 2, message 3 and 2 more");
    assert_eq!(decoded.messages.len(), 5);
}

#[test]
fn of_fields_that_come_twice_the_last_one_counts() {
    let body = format!(r#"{{"body":5,"body":{{"messages":[],"messages":[{SEND}]}},"auth_info":null,"auth_info":[]}}"#);
    let decoded = decode(&tx(&body, r#"[{"type":"a","type":"b","attributes":[{"key":"x","key":"y","value":"1"}]}]"#));
    assert_eq!((decoded.messages.len(), decoded.problem.as_deref()), (1, None));
    assert_eq!((decoded.events[0].kind.as_str(), decoded.events[0].attributes[0].1.as_str()), ("b", "1"));
}

#[test]
fn the_sign_mode_tells_an_ethereum_wallet() {
    let signed = |info: &str| {
        let body = format!(r#"{{"body":{{"messages":[],"memo":"m"}},"auth_info":{{"signer_infos":[{info}]}}}}"#);
        let decoded = decode(&tx(&body, "[]"));
        (decoded.is_ethereum_signed, decoded.memo.is_some())
    };
    assert_eq!(signed(r#"{"mode_info":{"single":{"mode":9999}}}"#), (true, false));
    assert_eq!(signed(r#"{"mode_info":{"single":{"mode":"SIGN_MODE_DIRECT"}}}"#), (false, true));
    assert_eq!(signed(r#"{"mode_info":{"multi":{}}}"#), (false, true));
}

#[test]
fn names_that_are_no_text_do_no_harm() {
    let body = r#"{"\ud800":1,"body":{"messages":[{"@type":"/a.MsgOdd","\ud800":1,"b":"\ud800","c":2}]}}"#;
    let decoded = decode(&tx(body, r#"[{"type":"\ud800","attributes":[{"key":"\udfff","value":"\ud800"}]}]"#));
    assert_eq!(decoded.messages[0].kind.short(), "MsgOdd");
    assert_eq!(decoded.messages[0].fields.get("c"), Some(&json!(2)));
    assert_eq!(decoded.events[0].attributes.len(), 1);
}

#[test]
fn a_row_reads_only_what_its_leading_message_needs() {
    let update = r#"{"@type":"/ibc.core.client.v1.MsgUpdateClient","header":{"a":1}}"#;
    let events = r#"[{"type":"tx","attributes":[{"key":"acc_seq","value":"x/1"}]},
        {"type":"a","attributes":[{"key":"k","value":"v"},{"key":"msg_index","value":"0"}]},
        {"type":"b","attributes":[{"key":"k","value":"v"},{"key":"msg_index","value":"1"}]},
        {"type":"c","attributes":[{"key":"k","value":"v"}]}]"#;
    let tx = tx(&format!(r#"{{"body":{{"messages":[{update},{SEND},{SEND}]}}}}"#), events);
    let (decoded, leading) = decode_leading(&tx);
    assert_eq!(leading, 1);
    let fields: Vec<_> = decoded.messages.iter().map(|message| (message.kind.short(), message.fields.len())).collect();
    assert_eq!(fields, [("MsgUpdateClient", 0), ("MsgSend", 1), ("MsgSend", 0)]);
    let read: Vec<_> = decoded.events.iter().map(|event| event.attributes.len()).collect();
    assert_eq!(read, [1, 0, 1, 0]);
    let kinds = |decoded: &Decoded| decoded.events.iter().map(|event| event.kind.clone()).collect::<Vec<_>>();
    assert_eq!(kinds(&decoded), kinds(&decode(&tx)));
}

#[test]
fn lists_beyond_all_measure_are_cut_and_that_is_said() {
    let many = |item: &str| format!("[{}]", vec![item; loose::MOST_ITEMS + 5].join(","));
    let event = r#"{"type":"a","attributes":[]}"#;
    let decoded = decode(&tx(r#"{"body":{"messages":[]}}"#, &many(event)));
    assert_eq!(decoded.events.len(), loose::MOST_ITEMS);
    assert_eq!(problem(&decoded), "unreadable parts of the record: the events after the first 60000");
    let fields: Vec<String> = (0..MOST_VALUES + 5).map(|number| format!("\"{number}\":0")).collect();
    let decoded = decode(&tx(&format!(r#"{{"body":{{"messages":[{{{}}}]}}}}"#, fields.join(",")), "[]"));
    assert_eq!(decoded.messages[0].fields.len(), MOST_VALUES);
    assert!(problem(&decoded).ends_with("and 2 more"), "{}", problem(&decoded));
}
