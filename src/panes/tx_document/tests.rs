use base64::{Engine as _, prelude::BASE64_STANDARD};
use serde_json::{Value, json};

use super::*;
use crate::{
    app::page::TxLine,
    story::{Glossary, Story},
    widgets::document::Document,
    wire::Tx,
};

fn tx(messages: &Value, events: &Value) -> Tx {
    let record = json!({
        "txhash": "0".repeat(64), "height": "1", "timestamp": "2026-01-01T00:00:00Z",
        "tx": {"body": {"messages": messages}}, "events": events,
    });
    serde_json::from_str(&record.to_string()).unwrap()
}

fn lines(tx: &Tx, tab: TxTab) -> Vec<Line> {
    let mut glossary = Glossary::default();
    glossary.add_token(crate::domain::Denom::new("uinit"), "INIT", 6);
    let story = Story::of(tx, &glossary);
    let sheet = TxSheet {
        tx,
        story: &story,
        style: crate::domain::AddressStyle::default(),
        glossary: &glossary,
        beside: None,
        place: None,
        age: None,
        width: 90,
        height: 40,
        charged: None,
        packets: None,
        disputes: &[],
        claims: None,
    };
    tx_lines(&sheet, tab)
}

/// Returns the lines with their depth, as text.
fn written(lines: &[Line]) -> Vec<String> {
    let text = |line: &Line| line.pieces.iter().map(|piece| piece.text.as_str()).collect::<String>();
    lines.iter().map(|line| format!("{}{}", " ".repeat(line.depth.into()), text(line).trim_end())).collect()
}

#[test]
fn json_in_json_is_opened_so_deep_and_no_deeper() {
    let mut memo = r#"{"end":"here"}"#.to_owned();
    for level in 0..30 {
        memo = json!({ "level": level, "next": if level % 2 == 0 { memo } else { BASE64_STANDARD.encode(memo) } })
            .to_string();
    }
    let tx = self::tx(&json!([{"@type": "/a.b.MsgOdd", "memo": memo}]), &json!([]));
    let lines = self::lines(&tx, TxTab::Messages);
    let levels = lines.iter().filter(|line| line.pieces.iter().any(|piece| piece.text.starts_with("level"))).count();
    assert_eq!(levels, crate::story::MOST_DEPTH);
    let last = written(&lines).pop().unwrap();
    assert!(last.contains("folded"), "{last}");
    let copied = lines.iter().find(|line| line.pieces.iter().any(|piece| piece.text.starts_with("memo")));
    assert_eq!(copied.and_then(|line| line.copy.clone()), Some(memo), "whole, as received");
}

#[test]
fn records_without_end_make_so_many_lines_and_no_more() {
    let many = Value::from((0..30_000).collect::<Vec<_>>());
    let deep = (0..100).fold(json!(1), |inside, _| json!({ "a": inside }));
    let wide = tx(
        &json!([{"@type": "/a.b.MsgOdd", "many": many, "deep": deep}]),
        &json!([{"type": "odd", "attributes": [{"key": "k", "value": many.to_string()}]}]),
    );
    for tab in [TxTab::Messages, TxTab::Events] {
        let lines = self::lines(&wide, tab);
        assert_eq!(lines.len(), 20_001, "{tab}");
        assert!(written(&lines).pop().unwrap().contains("The first 20,000 lines"), "{tab}");
    }
    let deep = self::tx(&json!([{"@type": "/a.b.MsgOdd", "deep": deep}]), &json!([]));
    assert!(self::lines(&deep, TxTab::Messages).iter().all(|line| line.depth <= 25), "what lies deeper is in one line");
}

#[test]
fn odd_fields_under_known_names_do_no_harm() {
    let odd = json!([
        {"@type": "/minievm.evm.v1.MsgCall", "contract_addr": 7, "input": "0xzz", "value": {}},
        {"@type": "/minievm.evm.v1.MsgCall", "contract_addr": "0x0", "input": "0xa9059cbb00"},
        {"@type": "/initia.move.v1.MsgExecute", "function_name": 1, "args": [1, null, "é", "AQ==", ["x"]]},
        {"@type": "/opinit.opchild.v1.MsgFinalizeTokenDeposit", "base_denom": 1, "data": "////"},
        {"memo": "{\"opinit\":\"AAAA\"}"},
        {"@type": 5, "amount": [{"denom": "uinit", "amount": "-5"}, {"denom": "uinit", "amount": "1000000"}]},
    ]);
    let events = json!([
        {"type": "evm", "attributes": [{"key": "log", "value": "{\"address\":1}"}, {"key": "log", "value": "[]"}]},
        {"type": "move", "attributes": [{"key": "type_tag", "value": "x"}, {"key": "data", "value": "{"}]},
        {"type": "transfer", "attributes": [{"key": "amount", "value": "5uinit,"}, {"key": "sender"}]},
        {"type": "", "attributes": []},
    ]);
    let tx = tx(&odd, &events);
    let messages = written(&lines(&tx, TxTab::Messages)).join("\n");
    assert!(messages.contains("the data does not match this signature"), "{messages}");
    assert!(messages.contains("1 INIT  1000000uinit"), "{messages}");
    assert!(messages.contains("true or 1  AQ=="), "{messages}");
    let events = written(&lines(&tx, TxTab::Events));
    assert!(events.iter().any(|line| line.starts_with(" transfer")), "{events:?}");
    assert!(events.iter().any(|line| line.trim_start() == "amount 5uinit,  = 0.000005 INIT"), "{events:?}");
}

#[test]
fn events_without_attributes_stand_among_the_others() {
    let send = json!([{"@type": "/cosmos.bank.v1beta1.MsgSend", "from_address": "init1dw49mn7s2r5mskjdmus5hth80zz8wwaywycq06",
        "to_address": "init1kw2unuhgfa6mz6r0ehrzlr9k9ftjk7pql8u5fm", "amount": [{"denom": "uinit", "amount": "5"}]}]);
    let of_message = |key: &str, value: &str| json!({"key": key, "value": value});
    let transfer = json!({"type": "transfer", "attributes": [
        of_message("recipient", "init1kw2unuhgfa6mz6r0ehrzlr9k9ftjk7pql8u5fm"),
        of_message("sender", "init1dw49mn7s2r5mskjdmus5hth80zz8wwaywycq06"),
        of_message("amount", "5uinit"), of_message("msg_index", "0")]});
    let bare = [
        json!({"type": "ping", "attributes": []}),
        json!({"type": "ping"}),
        json!({"type": "ping", "attributes": null}),
        json!({"type": "ping", "attributes": [{"key": "msg_index", "value": "0"}]}),
    ];
    let [first, second, third, of_the_message] = bare;
    let with = tx(&send, &json!([first, second, of_the_message, transfer, third]));
    let events = written(&lines(&with, TxTab::Events));
    assert_eq!(events.iter().filter(|line| line.trim() == "ping").count(), 4, "{events:?}");
    let (with, without) = (Story::of(&with, &Glossary::default()), tx(&send, &json!([transfer])));
    let without = Story::of(&without, &Glossary::default());
    assert_eq!(with.decoded.problem, None, "none of them is odd");
    let text = |story: &Story| crate::story::text_of(&story.sentences[0].phrases, crate::story::Style::Exact);
    assert_eq!((text(&with), with.sentences[0].kind), (text(&without), without.sentences[0].kind));
    assert!(text(&with).contains(" sent 5 uinit to ") && with.changes.is_conserved == without.changes.is_conserved);
}

#[test]
fn a_field_is_found_again_by_its_path() {
    let tx = tx(&json!([{"@type": "/a.b.MsgOdd", "memo": "{\"a\":[{\"b\":\"x\"}]}"}]), &json!([]));
    let mut document = Document::new(lines(&tx, TxTab::Messages));
    let path = crate::story::diff::ValuePath::default().key("memo").then(crate::story::diff::PathStep::Opened).key("a");
    assert!(document.reveal(TxLine::Field(0, path.clone())));
    assert_eq!(document.copied().as_deref(), Some(r#"[{"b":"x"}]"#));
    assert!(!document.reveal(TxLine::Field(1, path)), "of another message");
}

#[test]
fn that_nothing_changed_is_said_once_whatever_a_log_says() {
    let failed = |log: &str| {
        let record = json!({
            "txhash": "0".repeat(64), "height": "1", "timestamp": "2026-01-01T00:00:00Z", "code": 5, "codespace": "wasm",
            "raw_log": format!("failed to execute message; message index: 0: {log}: execute wasm contract failed"),
            "tx": {"body": {"messages": [{
                "@type": "/cosmwasm.wasm.v1.MsgExecuteContract",
                "msg": {"transfer": {"recipient": "init1kw2unuhgfa6mz6r0ehrzlr9k9ftjk7pql8u5fa"}},
            }]}},
            "events": [],
        });
        let story = written(&lines(&serde_json::from_value(record).unwrap(), TxTab::Story));
        story.into_iter().filter(|line| line.contains("Nothing changed")).collect::<Vec<_>>()
    };
    assert_eq!(failed("no"), ["  Nothing changed except the fee."], "below the verdict, and not again");
    let imitated = failed("Nothing changed: addr_validate errored");
    assert_eq!(
        imitated.get(1).map(String::as_str),
        Some("Nothing changed."),
        "what is true of the balances: {imitated:?}"
    );
}

#[test]
fn fee_and_refund_are_a_line_each_until_they_are_unfolded_or_found() {
    let event = |kind: &str, message: Option<&str>, who: &str| {
        let index = message.map(|index| json!({"key": "msg_index", "value": index}));
        let attributes: Vec<Value> = [json!({"key": "who", "value": who})].into_iter().chain(index).collect();
        json!({"type": kind, "attributes": attributes})
    };
    let tx = |events: &[Value]| self::tx(&json!([{"@type": "/a.b.MsgOdd"}]), &json!(events));
    let fee = [event("coin_spent", None, "payer"), event("tx", None, "collector")];
    let work = [event("odd", Some("0"), "worker"), event("refund", None, "returned")];
    let whole = tx(&[fee.clone(), work].concat());
    let mut document = Document::new(lines(&whole, TxTab::Events));
    let shown = |document: &Document<TxLine>| -> Vec<String> {
        document.rows().iter().map(|row| row.pieces.iter().map(|piece| piece.text.as_str()).collect()).collect()
    };
    document.fit(ratatui::layout::Rect::new(0, 0, 90, 40));
    let folded = shown(&document);
    assert_eq!((folded.len(), folded[0].as_str()), (4, "Before the messages: fee and signature  2 events"));
    assert!(folded[3].starts_with("After the messages  1 event"), "{folded:?}");
    document.toggle_fold();
    assert_eq!(shown(&document).len(), 6);
    document.toggle_fold();
    for (word, kind) in [("payer", "coin_spent"), ("returned", "refund")] {
        document.set_filter(word);
        let found = shown(&document);
        assert!(found.len() == 3 && found[1].starts_with(kind) && found[2].contains(word), "{found:?}");
    }
    // Without events of a message nothing else would be left.
    let mut failed = Document::new(lines(&tx(&fee), TxTab::Events));
    failed.fit(ratatui::layout::Rect::new(0, 0, 90, 40));
    assert_eq!(shown(&failed).len(), 3);
}
