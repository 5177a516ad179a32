//! What is sent must have the form that the description gives; what is wrong is said without a parser's words.

use super::*;

fn good() -> Value {
    json!({
        "amount_in": "5000000", "source_asset_chain_id": L1, "source_asset_denom": "uinit",
        "dest_asset_chain_id": L1, "dest_asset_denom": USDC_ON_L1,
    })
}

#[tokio::test]
async fn values_of_another_type_are_refused_with_their_place() {
    let demo = Demo::start(Vm::Evm);
    assert_eq!(demo.post("/v2/fungible/route", &good()).await.0, 200);
    for (name, value, words) in [
        ("amount_in", json!(200), "amount_in: expected a digit string, found a number"),
        ("amount_in", json!("007"), "amount_in: “007” begins with 0"),
        ("amount_in", json!("1.5"), "amount_in: “1.5” is not an amount"),
        ("amount_in", json!("9".repeat(200)), "exceeds the limit of a chain"),
        ("source_asset_chain_id", json!(5), "source_asset_chain_id: expected text, found a number"),
        ("go_fast", json!("true"), "go_fast: expected true or false, found text"),
    ] {
        let mut body = good();
        body[name] = value;
        let (code, answer) = demo.post("/v2/fungible/route", &body).await;
        let message = answer["message"].as_str().unwrap();
        assert!(code == 400 && message.contains(words), "{message}");
    }
    let list = json!(["5000000", L1, "uinit", L1, USDC_ON_L1, true, null, null, null]);
    let (code, answer) = demo.post("/v2/fungible/route", &list).await;
    assert_eq!((code, answer["message"].as_str()), (400, Some("body: expected a JSON object, found a list")));
    let mut loose = good();
    (loose["go_fast"], loose["nobody_knows_this"]) = (Value::Null, json!([1]));
    assert_eq!(demo.post("/v2/fungible/route", &loose).await.0, 200, "null and other fields are no fault");
}

#[tokio::test]
async fn what_is_no_json_is_said_so() {
    let demo = Demo::start(Vm::Evm);
    for (text, words) in [
        ("", "body is empty"),
        ("{\"amount_in\": \"5\"", "incomplete JSON"),
        ("{\"amount_in\": 5x}", "not JSON from character"),
        ("{} {}", "text after the JSON"),
        ("null", "expected a JSON object, found null"),
        ("{\"tx_hash\":\"a\",\"tx_hash\":\"b\",\"chain_id\":\"c\"}", "duplicate field"),
    ] {
        let request = demo.client.post(demo.url("/v2/tx/track")).header("content-type", "application/json");
        let (code, answer) = demo.answer(request.body(text)).await;
        let message = answer["message"].as_str().unwrap();
        assert!(code == 400 && message.contains(words), "{text}: {message}");
        for word in ["struct", "elements", "line 1", "EOF"] {
            assert!(!message.contains(word), "{text}: {message}");
        }
    }
}

#[tokio::test]
async fn unknown_paths_and_other_methods_are_refused_as_json() {
    let demo = Demo::start(Vm::Evm);
    let (code, answer) = demo.get("/v2/nothing").await;
    assert_eq!((code, &answer["code"], &answer["details"]), (404, &json!(5), &json!([])));
    for path in ["/v2/fungible/route", "/op-hook", "/V2/tx/track"] {
        let response = demo.client.get(demo.url(path)).send().await.unwrap();
        assert_eq!((response.status().as_u16(), response.headers()["allow"].to_str().unwrap()), (405, "POST"));
        let answer: Value = serde_json::from_str(&response.text().await.unwrap()).unwrap();
        assert_eq!(answer["code"], 12, "{path}");
    }
    assert_eq!(demo.get("/nothing").await, (404, json!("Cannot GET /nothing")), "the index has its own words");
}

#[tokio::test]
async fn the_amounts_of_a_route_are_those_of_its_steps() {
    let demo = Demo::start(Vm::Evm);
    let here = demo.chain_id().await;
    let wrapped = demo.denom(&here, "INIT", 18).await;
    let mut body = good();
    for (name, value) in [
        ("amount_in", "1234567890123456789"),
        ("source_asset_chain_id", here.as_str()),
        ("source_asset_denom", wrapped.as_str()),
        ("dest_asset_denom", "uinit"),
    ] {
        body[name] = json!(value);
    }
    let (status, refusal) = demo.post("/v2/fungible/route", &body).await;
    let why = "0.000000890123456789 INIT would stay behind, because the rollup sends 6 decimals; send 1.234567 INIT";
    assert_eq!((status, refusal["message"].as_str()), (400, Some(why)), "{refusal}");
    body["amount_in"] = json!("1234567000000000000");
    let route = demo.good("/v2/fungible/route", &body).await;
    assert_eq!((&route["amount_in"], &route["operations"][0]["amount_in"]), (&body["amount_in"], &body["amount_in"]));
    assert_eq!(route.get("warning"), Some(&Value::Null), "there, and null");
}
