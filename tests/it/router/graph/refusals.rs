//! Every refusal: its status, and a sentence that names what is wrong and what to do.

use super::*;

fn on_rollup(denom: &str) -> (&str, &str) {
    (EVM_ROLLUP, denom)
}

/// The status, the reason and the sentence of a refused request.
fn refused(world: &RouterWorld, request: &RouteRequest) -> (u16, Option<&'static str>, String) {
    match world.route(request, now()) {
        Ok(route) => panic!("a route of {} operations", route.operations.len()),
        Err(error) => {
            let body: serde_json::Value = serde_json::from_str(&error.body()).expect("JSON");
            assert_eq!(body["code"], if error.status == 404 { 5 } else { 3 });
            assert_eq!(body["details"][0]["reason"].as_str(), error.reason);
            (error.status, error.reason, error.message)
        }
    }
}

#[test]
fn what_cannot_be_routed_is_said() {
    let world = world(Vm::Evm);
    let init = denom(&world, EVM_ROLLUP, "INIT", 6);
    let local = denom(&world, EVM_ROLLUP, "INIT", 18);
    let gas = denom(&world, EVM_ROLLUP, "GAS", 18);
    let usdc = denom(&world, EVM_ROLLUP, "USDC", 6);
    let luma = denom(&world, EVM_ROLLUP, "LUMA", 18);
    let (euro, move_init) = (denom(&world, L1, "EURC", 6), denom(&world, "rollscope-move-1", "INIT", 6));
    let luma_on_l1 = denom(&world, L1, "LUMA", 18);
    let rollup = on_rollup;
    let dollars = (ETHEREUM, USDC_ON_ETHEREUM);
    let go_fast = |amount| RouteRequest { go_fast: Some(true), ..request(dollars, (L1, USDC_ON_L1), amount) };
    let forced = |from, to| RouteRequest { is_op_withdraw: Some(true), ..request(from, to, 5) };
    for (ask, status, words) in [
        (request(("nowhere-1", "uinit"), (L1, "uinit"), 5), 404, "unknown chain “nowhere-1”"),
        (request((L1, "uinit"), ("\u{1b}[2J", "x"), 5), 404, "unknown chain"),
        (request((L1, "ufoo"), (L1, "uinit"), 5), 404, "unknown asset “ufoo” on Initia"),
        (request((L1, "uinit"), rollup(&gas), 5), 404, "no route from INIT on Initia to GAS on Rollscope MiniEvm"),
        (request((L1, "uinit"), (L1, USDC_ON_L1), 0), 400, "amount_in is zero"),
        (request((L1, "uinit"), (L1, USDC_ON_L1), 1), 400, "it yields no USDC; send more"),
        (
            request((L1, "uinit"), (L1, USDC_ON_L1), 640_001_000_000),
            400,
            "the pool of INIT and USDC holds only 640,000 INIT",
        ),
        (
            request(rollup(&init), (L1, "uinit"), 4_000_000_000_000),
            400,
            "the pool of INIT and INIT holds only 3,000,000 INIT",
        ),
        (request(rollup(&local), (L1, "uinit"), 999_999_999_999), 400, "send at least 0.000001 INIT"),
        (request(dollars, (L1, USDC_ON_L1), 412_000), 400, "the relayer alone takes 0.412 USDC"),
        (request(dollars, (L1, USDC_ON_L1), 100_000_000_001), 400, "allow several transactions (allow_multi_tx)"),
        (request((ETHEREUM, EURC_ON_ETHEREUM), (L1, &euro), 5), 404, "two transactions work"),
        (go_fast(100_000_000_001), 400, "the relayer carries at most 100,000 USDC"),
        (forced((L1, "uinit"), rollup(&init)), 404, "no optimistic withdrawal from INIT on Initia"),
        (forced(rollup(&luma), (L1, &luma_on_l1)), 404, "for other routes omit is_op_withdraw"),
        (request(rollup(&luma), (L1, &luma_on_l1), 1 << 65), 400, "Initia cannot count more than 18.44"),
        (request((L1, "uinit"), ("rollscope-move-1", &move_init), 1 << 65), 400, "cannot count more than"),
        (request((ETHEREUM, "ethereum-native"), (L1, "uinit"), 5), 404, "no route from ETH on Rollscope Ethereum"),
        (request(rollup(&usdc), ("celestia", "utia"), 5_000_000), 404, "allow several (allow_multi_tx)"),
    ] {
        let (found, _, message) = refused(&world, &ask);
        assert!(found == status && message.contains(words), "{found} {message} instead of {words}");
        assert!(!message.contains('\u{1b}'), "{message}");
    }
    let mut all = request((L1, "uinit"), (L1, USDC_ON_L1), 5);
    all.amount_in = "9".repeat(77).parse().unwrap();
    assert_eq!(refused(&world, &all).0, 400);
}

#[test]
fn unsafe_routes_are_refused_with_a_reason_where_only_safe_ones_are_wanted() {
    let world = world(Vm::Wasm);
    let bad = request((L1, "uinit"), (L1, USDC_ON_L1), 90_000_000_000);
    let unknown = request((L1, "uinit"), (L1, MURK), 100_000_000);
    for (ask, reason) in [(bad, "BAD_PRICE_ERROR"), (unknown, "LOW_INFO_ERROR")] {
        let safe = RouteRequest { allow_unsafe: Some(false), ..ask.clone() };
        assert_eq!((refused(&world, &safe).0, refused(&world, &safe).1), (400, Some(reason)));
        let silent = RouteRequest { allow_unsafe: None, ..ask };
        assert!(world.route(&silent, now()).is_ok(), "absent means allowed");
    }
}

#[test]
fn other_destinations_and_amounts_are_named_by_decimals_of_their_own() {
    let world = world(Vm::Evm);
    let local = denom(&world, EVM_ROLLUP, "INIT", 18);
    let ask = request((EVM_ROLLUP, &local), (L1, "uinit"), 4_000_000_000_000_000_000_000_000);
    assert!(refused(&world, &ask).2.contains("4,000,000 INIT would go in"));
}
