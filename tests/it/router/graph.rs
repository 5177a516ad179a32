//! The router's graph: routes of every kind on every virtual machine, the messages for them, and every refusal.

mod kinds;
mod messages;
mod properties;
mod refusals;
mod shapes;

use rollscope::{
    demo::router::{error::RouterError, plan::Plan, world::RouterWorld},
    domain::{Amount, ChainId, Denom, Timestamp, Vm},
    wire::router::{MsgsRequest, MsgsResponse, Route, RouteRequest, SignedOpHook},
};

const VMS: [Vm; 3] = [Vm::Evm, Vm::Move, Vm::Wasm];
const L1: &str = "interwoven-1";
const USDC_ON_L1: &str = "ibc/6490A7EAB61059BFC1CDDEB05917DD70BDF3A611654162A1A47DB930D40D8AF4";
/// The EVM chain that takes the place of Ethereum.
const ETHEREUM: &str = "31337";
const USDC_ON_ETHEREUM: &str = "0x7700000000000000000000000000000000000201";
const EURC_ON_ETHEREUM: &str = "0x7700000000000000000000000000000000000202";
const EVM_ROLLUP: &str = "rollscope-evm-1";
/// A signed hook, as far as the router looks at it.
const SIGNED: &str = "c2lnbmVkIGhvb2s=";
const MURK: &str = "move/9c41e07ab58d23f6e1907cc4b25d8f3a60e7d19b84f2635ac0178d4be9f3526a";

fn now() -> Timestamp {
    "2026-03-01T12:00:00Z".parse().expect("a time")
}

fn world(vm: Vm) -> RouterWorld {
    RouterWorld::new(vm, 7, 1)
}

/// The denom of the first asset of a chain with this ticker and so many decimals.
fn denom(world: &RouterWorld, chain: &str, symbol: &str, decimals: u8) -> String {
    let assets = world.assets(&[ChainId::new(chain)]);
    let list = &assets.chain_to_assets_map.get(&ChainId::new(chain)).expect("a chain with assets").assets;
    let found = list.iter().find(|asset| asset.symbol.as_received() == symbol && asset.decimals == Some(decimals));
    found.unwrap_or_else(|| panic!("{symbol} on {chain}")).denom.as_str().to_owned()
}

/// A request; the texts are chain, denom and amount.
fn request(from: (&str, &str), to: (&str, &str), amount_in: u128) -> RouteRequest {
    RouteRequest {
        amount_in: Amount::from(amount_in),
        source_asset_chain_id: ChainId::new(from.0),
        source_asset_denom: Denom::new(from.1),
        dest_asset_chain_id: ChainId::new(to.0),
        dest_asset_denom: Denom::new(to.1),
        allow_unsafe: Some(true),
        go_fast: None,
        is_op_withdraw: None,
        allow_multi_tx: None,
    }
}

/// The demo wallet's addresses for a route.
fn addresses(world: &RouterWorld, route: &Route) -> Vec<String> {
    let address = |chain| world.wallet_address(chain).expect("the wallet has an address everywhere").to_owned();
    route.required_chain_addresses.iter().map(address).collect()
}

/// What a client sends for a route, with a signed hook where the route needs one.
fn msgs_request(world: &RouterWorld, route: &Route) -> MsgsRequest {
    let address_list = addresses(world, route);
    let signer = address_list.last().cloned().unwrap_or_default();
    let hook = SignedOpHook::object(&signer, SIGNED).expect("JSON");
    MsgsRequest {
        amount_in: route.amount_in,
        amount_out: route.amount_out,
        source_asset_chain_id: route.source_asset_chain_id.clone(),
        source_asset_denom: route.source_asset_denom.clone(),
        dest_asset_chain_id: route.dest_asset_chain_id.clone(),
        dest_asset_denom: route.dest_asset_denom.clone(),
        address_list,
        operations: route.operations.clone(),
        slippage_tolerance_percent: "0.5".to_owned(),
        estimated_amount_out: route.estimated_amount_out,
        signed_op_hook: Some(hook).filter(|_| route.required_op_hook),
    }
}

fn msgs(world: &RouterWorld, route: &Route) -> Result<(MsgsResponse, Vec<Plan>), RouterError> {
    world.msgs(&msgs_request(world, route), now())
}

/// What holds for every route: the amounts are handed on, the messages are made, and the plans are the route.
fn assert_sound(world: &RouterWorld, route: &Route) {
    let operations = &route.operations;
    assert!(!operations.is_empty());
    for pair in operations.windows(2) {
        assert_eq!(pair[0].amount_out, pair[1].amount_in);
        assert_eq!(pair[0].denom_out(), pair[1].denom_in());
        assert_eq!(pair[0].to_chain(), pair[1].from_chain());
        assert!(pair[0].tx_index == pair[1].tx_index || pair[0].tx_index + 1 == pair[1].tx_index);
    }
    let (first, last) = (&operations[0], &operations[operations.len() - 1]);
    assert!(first.amount_in <= Some(route.amount_in));
    assert_eq!(
        (first.from_chain(), first.denom_in()),
        (Some(&route.source_asset_chain_id), Some(&route.source_asset_denom))
    );
    assert_eq!((last.to_chain(), last.denom_out()), (Some(&route.dest_asset_chain_id), Some(&route.dest_asset_denom)));
    assert_eq!(last.amount_out, Some(route.amount_out));
    let (response, plans) = msgs(world, route).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(response.txs.len(), plans.len());
    assert_eq!(Some(u32::try_from(plans.len()).expect("few")), route.txs_required);
    let indices: Vec<u32> = response.txs.iter().flat_map(|tx| tx.operations_indices.clone()).collect();
    assert_eq!(indices, (0..u32::try_from(operations.len()).expect("few")).collect::<Vec<_>>());
    let steps: Vec<_> =
        plans.iter().flat_map(|plan| plan.steps.iter().map(move |step| (plan.tx_index, step))).collect();
    assert_eq!(steps.len(), operations.len());
    for ((tx_index, step), operation) in steps.into_iter().zip(operations) {
        assert_eq!(tx_index, operation.tx_index);
        assert_eq!((Some(step.amount_in), Some(step.amount_out)), (operation.amount_in, operation.amount_out));
        assert_eq!((Some(&step.from), Some(&step.to)), (operation.from_chain(), operation.to_chain()));
        assert_eq!((Some(&step.denom_in), Some(&step.denom_out)), (operation.denom_in(), operation.denom_out()));
        assert_eq!(step.kind.is_local(), operation.kind.is_local());
        assert!(!step.sender.is_empty() && !step.receiver.is_empty() && step.seconds > 0);
    }
}
