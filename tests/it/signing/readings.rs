//! Texts that a chain reads again: one reading only, written anew, with the waits that a router chooses.

use rollscope::{
    signing::{FundsEffect, ReadyForm, ReadyTx, SigningRefusal},
    story::{Style, signing_sentences, text_of},
};
use serde_json::{Value, json};

use super::guard::{DEPOSIT, HOOKED, Offer, PACKETS, PlainNames, SWAP, WITHDRAWAL, refused};

const EVIL: &str = r#"{\"forward\":{\"receiver\":\"noble1evil\",\"port\":\"transfer\",\"channel\":\"channel-7\"}}"#;

/// The packets with another text in the memo.
fn with_memo(from: &str, to: &str) -> Offer {
    let honest = Offer::of_sample(PACKETS).text();
    let offer = Offer::of_sample(PACKETS).with_text(|msg| msg.replacen(from, to, 1));
    assert_ne!(offer.text(), honest, "{from}");
    offer
}

/// The memo of the message that is signed.
fn signed_memo(ready: &[ReadyTx]) -> Value {
    let ReadyForm::Cosmos(messages) = &ready[0].form else { panic!("{ready:?}") };
    let amino: Value = serde_json::from_str(&messages[0].amino()).unwrap_or_default();
    json!(amino["value"]["memo"])
}

fn told(ready: &[ReadyTx]) -> String {
    let sentences = signing_sentences(&ready[0], &PlainNames);
    sentences.iter().map(|sentence| text_of(&sentence.phrases, Style::Exact)).collect::<Vec<_>>().join("\n")
}

#[test]
fn a_key_given_twice_is_refused_at_every_level() {
    let evil_next = format!(r#"\"next\":{EVIL},\"next\":null"#);
    let hidden = format!(r#"{{\"forward\":{{\"next\":{EVIL}}},\"forward\":{{"#);
    for (from, to) in [
        (r#"{\"forward\":{"#, hidden.as_str()),
        (r#"\"next\":null"#, &evil_next),
        (r#"\"next\":null"#, &format!(r#"\"next\":{EVIL},\"next\":\"\""#)),
        (r#"\"receiver\":"#, r#"\"receiver\":\"noble1evil\",\"receiver\":"#),
        (r#"\"retries\":2"#, r#"\"retries\":2,\"retries\":2"#),
        // The second spelling is the key's escaped form.
        (r#"\"retries\":2"#, r#"\"retries\":2,\"\\u0072etries\":2"#),
    ] {
        let refusal = refused(&with_memo(from, to));
        assert!(refusal.to_string().contains("twice in one object"), "{to}: {refusal}");
    }
    for sample in [DEPOSIT, HOOKED, WITHDRAWAL, PACKETS, SWAP] {
        let doubled = |text: &str| {
            let first: Value = serde_json::from_str(text).unwrap();
            let (name, value) = first.as_object().unwrap().iter().next().unwrap();
            format!("{{\"{name}\":{value},{}", &text[1..])
        };
        let refusal = refused(&Offer::of_sample(sample).with_text(doubled));
        assert!(refusal.to_string().contains("twice in one object"), "{refusal}");
    }
    let refusal =
        refused(&Offer::of_sample(DEPOSIT).with_text(|msg| msg.replace("\"denom\"", "\"denom\":1,\"denom\"")));
    assert!(refusal.to_string().contains("the key “denom” twice"), "within a coin: {refusal}");
}

#[test]
fn a_further_step_is_an_object_or_nothing() {
    for next in [r#"\"\""#, r"{}", r"[]", r#"\"{\\\"forward\\\":{}}\""#] {
        let refusal = refused(&with_memo(r#"\"next\":null"#, &format!(r#"\"next\":{next}"#)));
        assert!(matches!(refusal, SigningRefusal::Undecodable(_)), "{next}: {refusal}");
    }
}

#[test]
fn the_memo_that_is_signed_is_written_anew() {
    let honest = Offer::of_sample(PACKETS);
    let given: Value = serde_json::from_str(&honest.text()).unwrap();
    let mut meant: Value = serde_json::from_str(given["memo"].as_str().unwrap()).unwrap();
    assert!(meant["forward"].as_object_mut().unwrap().remove("next").unwrap().is_null());
    let spaced = with_memo(r#"{\"forward\":{"#, r#" {\n\"forward\" : { "#);
    let signed = signed_memo(&spaced.compare().unwrap());
    assert_eq!(signed, signed_memo(&honest.compare().unwrap()), "blanks of the router are not signed");
    assert_eq!(serde_json::from_str::<Value>(signed.as_str().unwrap()).unwrap(), meant);
    let note = Offer::of_sample(PACKETS).with("/memo", &json!("  for the rent "));
    let refusal = refused(&note);
    assert!(matches!(refusal, SigningRefusal::Step { .. }), "a note sends nothing on: {refusal}");
}

#[test]
fn receivers_are_the_very_texts() {
    for (sample, pointer) in [(DEPOSIT, "/to"), (HOOKED, "/to"), (WITHDRAWAL, "/to"), (PACKETS, "/receiver")] {
        let offer = Offer::of_sample(sample);
        let fields: Value = serde_json::from_str(&offer.text()).unwrap();
        let honest = fields.pointer(pointer).and_then(Value::as_str).unwrap().to_owned();
        let account: rollscope::domain::Address = honest.parse().unwrap();
        for odd in [format!("{honest} "), format!(" {honest}"), honest.to_uppercase(), account.hex()] {
            let refusal = refused(&Offer::of_sample(sample).with(pointer, &json!(odd)));
            assert!(matches!(&refusal, SigningRefusal::Receiver { found, .. } if *found == odd), "{refusal}");
        }
    }
}

#[test]
fn waits_are_bounded_and_told() {
    let outer = "/timeout_timestamp";
    for (end, why) in [
        (json!(0), "the packet has no time limit"),
        (json!(1_763_720_100_000_000_000_u64), "the packet ended at 2025-11-21 10:15:00 UTC"),
        (json!("7258118400000000000"), "the packet ends at 2200-01-01 00:00:00 UTC"),
        (json!(1_763_806_500_000_000_001_u64), "the packet ends at 2025-11-22 10:15:00 UTC"),
    ] {
        let refusal = refused(&Offer::of_sample(PACKETS).with(outer, &end));
        assert!(refusal.to_string().starts_with(why), "{refusal}");
    }
    let height = json!({"revision_number": "1", "revision_height": "9"});
    let refusal = refused(&Offer::of_sample(PACKETS).with("/timeout_height", &height));
    assert!(refusal.to_string().contains("a timeout at a block height"), "{refusal}");
    let timeout = r#"\"timeout\":1763720400000000000"#;
    for (from, to, why) in [
        (r#"\"retries\":2"#, r#"\"retries\":250"#, "the forward tries 250 more times"),
        (timeout, r#"\"timeout\":1"#, "the forward waits 0 s per try"),
        (timeout, r#"\"timeout\":86400000000001"#, "the forward waits 1 d per try"),
        (timeout, r#"\"timeout\":7258118400000000000"#, "the forward waits 84006 d per try"),
    ] {
        let refusal = refused(&with_memo(from, to));
        assert!(refusal.to_string().starts_with(why), "{refusal}");
    }
    for (to, words) in [
        (r#"\"timeout\":600000000000"#, " (3 tries of up to 10 min each)"),
        (r#"\"timeout\":0"#, " (3 tries)"),
        // Routers write the date of the packet, which chains read as a wait.
        (r#"\"timeout\":1763720400000000000"#, " (3 tries of up to 20413 d 10 h each)"),
    ] {
        let offer = Offer::of_sample(PACKETS).with_text(|msg| msg.replace(timeout, to));
        let ready = offer.compare().unwrap();
        assert!(matches!(ready[0].effects[0], FundsEffect::Packet { .. }));
        let told = told(&ready);
        assert!(told.contains(words), "{told}");
        assert!(told.contains("; it comes back if not received by 2025-11-21 10:20:00 UTC."), "{told}");
    }
}
