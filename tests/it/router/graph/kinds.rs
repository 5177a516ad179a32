//! A route of every kind, on every virtual machine where it makes sense.

use rollscope::{
    demo::router::plan::StepKind,
    wire::router::{Fee, FeeBehavior, Operation},
};

use super::*;

/// What a route is made of, in one line: the kinds of its operations, each with its transaction.
fn rail(route: &Route) -> String {
    let one = |operation: &Operation| format!("{}{}", operation.kind, operation.tx_index);
    route.operations.iter().map(one).collect::<Vec<_>>().join(" ")
}

fn routed(world: &RouterWorld, request: &RouteRequest) -> Route {
    let route = world.route(request, now()).unwrap_or_else(|error| panic!("{error}"));
    assert_sound(world, &route);
    route
}

/// The rollup's form of INIT that comes over the optimistic bridge.
fn bridged_init(world: &RouterWorld) -> String {
    denom(world, world.rollup().chain_id, "INIT", 6)
}

#[test]
fn deposits_arrive_with_a_hook_only_where_they_are_wrapped() {
    for vm in VMS {
        let world = world(vm);
        let rollup = world.rollup().chain_id;
        let plain = routed(&world, &request((L1, "uinit"), (rollup, &bridged_init(&world)), 5_000_000));
        assert_eq!((rail(&plain).as_str(), plain.required_op_hook), ("op_init_transfer0", false));
        assert_eq!(plain.amount_out, plain.amount_in);
        assert_eq!(plain.usd_amount_in, "0.53");
        let wrapped = denom(&world, EVM_ROLLUP, "INIT", 18);
        let wrapped = routed(&world, &request((L1, "uinit"), (EVM_ROLLUP, &wrapped), 5_000_000));
        assert_eq!((rail(&wrapped).as_str(), wrapped.required_op_hook), ("op_init_transfer0", true));
        assert_eq!(wrapped.amount_out, Amount::from(5_000_000_000_000_000_000));
        let (_, plans) = msgs(&world, &wrapped).unwrap();
        let hook = Some(SIGNED.to_owned());
        assert_eq!(plans[0].steps[0].kind, StepKind::OpDeposit { bridge_id: "77".into(), hook });
    }
}

#[test]
fn withdrawals_are_forced_or_fast() {
    for vm in VMS {
        let world = RouterWorld::new(vm, 7, 10_080);
        let rollup = world.rollup().chain_id;
        let mut forms = vec![(bridged_init(&world), 1)];
        if vm == Vm::Evm {
            forms.push((denom(&world, rollup, "INIT", 18), 1_000_000_000_000));
        }
        for (form, unit) in forms {
            let mut ask = request((rollup, &form), (L1, "uinit"), 40_000_000 * unit);
            let fast = routed(&world, &ask);
            assert_eq!((rail(&fast).as_str(), fast.does_swap), ("transfer0 swap0", true));
            let out = fast.amount_out;
            assert!(out < Amount::from(40_000_000) && out > Amount::from(39_700_000), "a small loss: {out}");
            assert_eq!(fast.swap_venue.as_ref().map(|venue| venue.name.as_received()), Some("initia-minitswap"));
            ask.is_op_withdraw = Some(true);
            let forced = routed(&world, &ask);
            assert_eq!((rail(&forced).as_str(), forced.amount_out), ("op_init_transfer0", Amount::from(40_000_000)));
            assert_eq!(forced.estimated_route_duration_seconds, Some(60));
            assert!(forced.extra_warnings[0].as_received().contains("7 days"), "{:?}", forced.extra_warnings);
            assert!(forced.extra_infos[0].as_received().contains("60 s"), "{:?}", forced.extra_infos);
            assert!(fast.extra_warnings.is_empty() && fast.seconds() < forced.seconds());
        }
        // What has no pool on the L1 leaves optimistically without being forced.
        let usdc = denom(&world, rollup, "USDC", 6);
        let only = routed(&world, &request((rollup, &usdc), (L1, USDC_ON_L1), 1_000_000));
        assert_eq!(rail(&only), "op_init_transfer0");
    }
}

#[test]
fn an_amount_finer_than_the_rollup_sends_is_refused() {
    let world = world(Vm::Evm);
    let form = denom(&world, EVM_ROLLUP, "INIT", 18);
    let refused = world.route(&request((EVM_ROLLUP, &form), (L1, "uinit"), 2_000_000_000_000_345), now()).unwrap_err();
    assert!(refused.to_string().contains("0.000000000000000345 INIT would stay behind"), "{refused}");
    let route = routed(&world, &request((EVM_ROLLUP, &form), (L1, "uinit"), 2_000_000_000_000_000));
    assert_eq!(route.operations[0].amount_in, Some(Amount::from(2_000_000_000_000_000)));
}

#[test]
fn packets_are_forwarded_through_the_l1() {
    for vm in VMS {
        let world = world(vm);
        let here = world.rollup().chain_id;
        for other in world.rollups().iter().filter(|other| other.chain_id != here) {
            let (from, to) = (denom(&world, here, "ETH", 6), denom(&world, other.chain_id, "ETH", 6));
            let route = routed(&world, &request((here, &from), (other.chain_id, &to), 1_500_000));
            assert_eq!((rail(&route).as_str(), route.seconds()), ("transfer0 transfer0", Some(40)));
            assert_eq!(route.chain_ids.len(), 3);
            assert_eq!(route.chain_ids, route.required_chain_addresses);
            let init = denom(&world, other.chain_id, "INIT", 6);
            let route = routed(&world, &request((here, &bridged_init(&world)), (other.chain_id, &init), 9_000_000));
            assert_eq!(rail(&route), "transfer0 swap0 op_init_transfer0");
        }
        let (tia, usdc) = (denom(&world, here, "TIA", 6), denom(&world, here, "USDC", 6));
        let route = routed(&world, &request((here, &tia), (here, &tia), 5));
        assert_eq!((rail(&route).as_str(), route.required_chain_addresses.len()), ("bank_send0", 2));
        let direct = routed(&world, &request((here, &tia), ("celestia", "utia"), 5));
        assert_eq!(rail(&direct), "transfer0");
        let up = routed(&world, &request(("noble-1", "uusdc"), (here, &usdc), 25_000_000));
        assert_eq!((rail(&up).as_str(), up.amount_out), ("transfer0 op_init_transfer0", Amount::from(25_000_000)));
        let swapped = routed(&world, &request(("celestia", "utia"), (here, &usdc), 25_000_000));
        assert_eq!(rail(&swapped), "transfer0 swap0 op_init_transfer0");
    }
}

#[test]
fn nobody_knows_how_long_packets_to_injective_take() {
    for vm in VMS {
        let world = world(vm);
        let here = world.rollup().chain_id;
        let route = routed(&world, &request(("injective-1", "inj"), (here, &denom(&world, here, "INJ", 18)), 700));
        assert_eq!((rail(&route).as_str(), route.estimated_route_duration_seconds), ("transfer0", None));
        assert!(serde_json::to_string(&route).unwrap().contains(r#""estimated_route_duration_seconds":null"#));
    }
}

#[test]
fn swaps_warn_of_what_moves_the_price() {
    let world = world(Vm::Move);
    let small = routed(&world, &request((L1, "uinit"), (L1, USDC_ON_L1), 100_000_000));
    assert_eq!((rail(&small).as_str(), small.warning.as_ref()), ("swap0", None));
    assert_eq!(small.required_chain_addresses.len(), 1);
    assert_eq!((small.swap_price_impact_percent.as_str(), small.usd_amount_in.as_str()), ("0.01", "10.50"));
    assert_eq!(small.estimated_fees[0].behavior(), FeeBehavior::Deducted);
    let large = routed(&world, &request((L1, "uinit"), (L1, USDC_ON_L1), 90_000_000_000));
    assert_eq!(large.warning.as_ref().map(|warning| warning.kind.as_received()), Some("BAD_PRICE_WARNING"));
    assert_eq!(large.swap_price_impact_percent, "12.32");
    let unpriced = routed(&world, &request((L1, "uinit"), (L1, MURK), 100_000_000));
    assert_eq!(unpriced.warning.as_ref().map(|warning| warning.kind.as_received()), Some("LOW_INFO_WARNING"));
    assert_eq!((unpriced.swap_price_impact_percent.as_str(), unpriced.usd_amount_out.as_str()), ("", ""));
    assert_eq!(unpriced.estimated_fees[0].behavior(), FeeBehavior::Other(String::new()), "it is not said everywhere");
    // Through two pools that meet in INIT.
    let far = routed(&world, &request((L1, USDC_ON_L1), (L1, MURK), 1_000_000));
    assert_eq!((rail(&far).as_str(), far.swap_venues.len()), ("swap0", 1));
    let mixed = denom(&world, EVM_ROLLUP, "INIT", 6);
    let mixed = routed(&world, &request((EVM_ROLLUP, &mixed), (L1, USDC_ON_L1), 90_000_000));
    assert_eq!((rail(&mixed).as_str(), mixed.swap_venues.len()), ("transfer0 swap0", 2));
}

#[test]
fn dollars_come_from_ethereum_slowly_or_fast() {
    for vm in VMS {
        let world = world(vm);
        let here = world.rollup().chain_id;
        let usdc = denom(&world, here, "USDC", 6);
        let (slowly, fast) =
            ("cctp_transfer0 transfer0 op_init_transfer0", "go_fast_transfer0 transfer0 op_init_transfer0");
        let ask =
            |amount, go_fast| RouteRequest { go_fast, ..request((ETHEREUM, USDC_ON_ETHEREUM), (here, &usdc), amount) };
        // Cheap enough, so chosen unasked.
        let chosen = routed(&world, &ask(500_000_000, None));
        assert_eq!(rail(&chosen), fast);
        let slow = routed(&world, &ask(500_000_000, Some(false)));
        assert_eq!((rail(&slow).as_str(), slow.amount_out), (slowly, Amount::from(499_588_000)));
        assert!(slow.seconds() > Some(1_000) && chosen.seconds() < Some(200));
        assert!(chosen.amount_out < slow.amount_out, "fast is dearer");
        let behaviors: Vec<_> = slow.estimated_fees.iter().map(Fee::behavior).collect();
        assert_eq!(behaviors, [FeeBehavior::Deducted, FeeBehavior::Additional]);
        assert_eq!(slow.operations[0].facts.relay_quote_expires, "2026-03-01T12:05:00Z");
        // Too dear for so little, but taken when asked for.
        assert_eq!(rail(&routed(&world, &ask(40_000_000, None))), slowly);
        assert_eq!(rail(&routed(&world, &ask(40_000_000, Some(true)))), fast);
        // More than Go Fast carries: the slow way, and a word about it.
        let large = routed(&world, &ask(60_000_000_000, Some(true)));
        assert_eq!(rail(&large), slowly);
        assert!(large.extra_infos[0].as_received().starts_with("Not by Go Fast"), "{:?}", large.extra_infos);
    }
}

#[test]
fn what_the_relayer_does_not_carry_takes_two_transactions() {
    for vm in VMS {
        let world = world(vm);
        let here = world.rollup().chain_id;
        let (usdc, euro) = (denom(&world, here, "USDC", 6), denom(&world, L1, "EURC", 6));
        let mut ask = request((ETHEREUM, USDC_ON_ETHEREUM), (here, &usdc), 200_000_000_000);
        ask.allow_multi_tx = Some(true);
        let two = routed(&world, &ask);
        assert_eq!(rail(&two), "cctp_transfer0 transfer1 op_init_transfer1");
        assert_eq!((two.txs_required, two.amount_out), (Some(2), Amount::from(200_000_000_000)));
        assert!(two.extra_warnings[0].as_received().contains("Two signatures"), "{:?}", two.extra_warnings);
        let (response, plans) = msgs(&world, &two).unwrap();
        assert_eq!(response.txs[1].chain_id().map(ChainId::as_str), Some("noble-1"));
        assert_eq!((plans[1].tx_index, plans[1].signer.starts_with("noble1")), (1, true));
        ask = request((ETHEREUM, EURC_ON_ETHEREUM), (L1, &euro), 1_000_000);
        ask.allow_multi_tx = Some(true);
        assert_eq!(rail(&routed(&world, &ask)), "cctp_transfer0 transfer1");
    }
}

#[test]
fn the_wallet_can_pay_for_every_kind() {
    for vm in VMS {
        let world = world(vm);
        let own = ChainId::new(world.rollup().chain_id);
        let start = world.wallet_start();
        assert!(start.iter().all(|(chain, denom, amount)| {
            *chain != own && !amount.is_zero() && world.asset(chain, denom).is_some()
        }));
        let held = |chain: &str, denom: &str| {
            let found = start.iter().find(|(one, other, _)| one.as_str() == chain && other.as_str() == denom);
            found.map(|(.., amount)| *amount).unwrap()
        };
        assert!(held(ETHEREUM, USDC_ON_ETHEREUM) > Amount::from(200_000_000_000));
        assert!(held(L1, "uinit") > Amount::from(90_000_000_000));
        for chain in world.chains() {
            let address = world.wallet_address(&chain.chain_id).unwrap();
            assert!(address.starts_with(if chain.chain_type == "evm" { "0x" } else { &chain.bech32_prefix }));
        }
        assert_eq!(world.wallet_address(&own).map(str::to_owned), Some(world.rollup().wallet.bech32()));
        assert_eq!(world.chains().len(), 8);
        let usdc = world.asset(&ChainId::new(L1), &Denom::new(USDC_ON_L1)).unwrap();
        assert_eq!(usdc.trace, "transfer/channel-3");
    }
}

#[test]
fn the_world_has_every_token_of_its_rollup() {
    for vm in VMS {
        let world = world(vm);
        let chain = ChainId::new(world.rollup().chain_id);
        for token in &world.rollup().tokens {
            let asset = world.asset(&chain, &token.denom).unwrap_or_else(|| panic!("{}", token.denom));
            assert_eq!((asset.symbol.as_received(), asset.decimals), (token.symbol, Some(token.decimals)));
        }
    }
}
