//! Routes against their questions: the samples fit, and none does after a change of one value.

use rollscope::wire::router::{Route, RouteRequest};
use serde_json::{Value, json};

use super::{fixture, from, samples};

/// The question that a route answers.
fn question(route: &Value) -> RouteRequest {
    from(route)
}

fn check(asked: &RouteRequest, answer: &Value) -> Result<(), String> {
    let route: Route = from(answer);
    route.check_answer(asked).and_then(|()| route.check_addresses()).map_err(|misfit| misfit.to_string())
}

#[test]
fn every_sample_fits_its_question() {
    let mut checked = 0;
    for sample in samples().iter().filter(|sample| sample.path() == "/v2/fungible/route" && sample.status() == 200) {
        let route: Route = from(sample.answer());
        assert_eq!(route.check_answer(&question(sample.answer())), Ok(()), "{}", sample.name);
        // Over Axelar a router lists a chain on the way first, and the way back last.
        assert_eq!(route.check_addresses().is_ok(), sample.name != "route-axelar-then-swap", "{}", sample.name);
        checked += 1;
    }
    assert!(checked >= 9, "{checked}");
}

#[test]
fn a_route_that_answers_another_question_is_told_with_both_values() {
    let honest = fixture("route-ibc-multihop-composed").answer().clone();
    let asked = question(&honest);
    let usdc = honest["source_asset_denom"].as_str().unwrap();
    for (pointer, lie, words) in [
        ("/amount_in", json!("250000000"), "the amount is 250000000, not 25000000".to_owned()),
        ("/amount_out", json!("175000000"), "the amount of the last step is 25000000, not 175000000".to_owned()),
        ("/source_asset_denom", json!("uinit"), format!("the source denom is uinit, not {usdc}")),
        ("/source_asset_chain_id", json!("evil-1"), "the source chain is evil-1, not echelon-1".to_owned()),
        ("/dest_asset_chain_id", json!("evil-1"), "the destination chain is evil-1, not noble-1".to_owned()),
        ("/dest_asset_denom", json!("uevil"), "the destination denom is uevil, not uusdc".to_owned()),
        (
            "/operations/0/transfer/denom_in",
            json!("uevil"),
            format!("the denom that step 1 takes is uevil, not {usdc}"),
        ),
        (
            "/operations/1/transfer/denom_out",
            json!("uevil"),
            "the denom of the last step is uevil, not uusdc".to_owned(),
        ),
        (
            "/operations/1/transfer/to_chain_id",
            json!("evil-1"),
            "the chain of the last step is evil-1, not noble-1".to_owned(),
        ),
        (
            "/operations/0/transfer/to_chain_id",
            json!("evil-1"),
            "the chain that step 2 takes is interwoven-1, not evil-1".to_owned(),
        ),
        ("/operations/1/amount_in", json!("7"), "the amount that step 2 takes is 7, not 25000000".to_owned()),
        ("/operations/0/amount_in", json!("7"), "the amount that step 1 takes is 7, not 25000000".to_owned()),
        (
            "/required_chain_addresses",
            json!(["interwoven-1", "noble-1"]),
            "the first required address is interwoven-1, not echelon-1".to_owned(),
        ),
        (
            "/required_chain_addresses",
            json!(["echelon-1", "interwoven-1"]),
            "the last required address is interwoven-1, not noble-1".to_owned(),
        ),
        ("/required_chain_addresses", json!([]), "the first required address is missing, not echelon-1".to_owned()),
    ] {
        let mut answer = honest.clone();
        *answer.pointer_mut(pointer).unwrap() = lie;
        assert_eq!(check(&asked, &answer), Err(words), "{pointer}");
    }
}

#[test]
fn a_bridge_of_a_token_does_not_multiply_it() {
    let deposit = fixture("route-op-deposit-composed").answer().clone();
    let wrapped = fixture("route-op-deposit-required-hook-composed").answer().clone();
    let with_output = |route: &Value, amount: &str| {
        let mut answer = route.clone();
        (answer["amount_out"], answer["operations"][0]["amount_out"]) = (json!(amount), json!(amount));
        check(&question(route), &answer)
    };
    assert_eq!(with_output(&deposit, "15000000"), Ok(()));
    for amount in ["105000000", "15000001", "14999999", "150000000"] {
        let words = format!("the amount that step 1 yields is {amount}, not 15000000");
        assert_eq!(with_output(&deposit, amount), Err(words));
    }
    // The other form of the token has other decimals.
    assert_eq!(with_output(&wrapped, "5000000000000000000"), Ok(()));
    let more = "35000000000000000000";
    assert_eq!(with_output(&wrapped, more), Err(format!("the amount that step 1 yields is {more}, not 5000000")));
}
