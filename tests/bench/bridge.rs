//! The bridge in process: finding a route, and saying where a transfer stands.
//!
//! A quote is asked every 10 s and a status every second at the most, so neither has a budget of its own; what runs in
//! `update` must stay far below the 1 ms that a key may take (design §9).

use std::{fs, hint::black_box, sync::Arc};

use criterion::{Criterion, criterion_group, criterion_main};
use rollscope::{
    demo::router::world::World,
    domain::{Amount, ChainId, Denom, Timestamp, TransferRecord, Vm},
    story::transfer::{Names, standing},
    wire::router::{RouteRequest, TransferStatus},
};

/// Chains and denoms as they are.
struct Plain;

impl Names for Plain {
    fn chain(&self, chain: &ChainId) -> String {
        chain.to_string()
    }

    fn amount(&self, _chain: &ChainId, denom: &Denom, amount: Amount) -> String {
        format!("{amount} {denom}")
    }

    fn denom(&self, _chain: &ChainId, denom: &Denom) -> String {
        denom.to_string()
    }
}

fn fixture(name: &str) -> serde_json::Value {
    let path = format!("{}/tests/fixtures/router/{name}.json", env!("CARGO_MANIFEST_DIR"));
    serde_json::from_str(&fs::read_to_string(path).expect("a fixture")).expect("JSON")
}

fn find_routes(criterion: &mut Criterion) {
    let world = World::new(Vm::Evm, 1, 10_080);
    let now = Timestamp::EPOCH;
    let rollup = ChainId::new("rollscope-evm-1");
    let bridged = world.assets(std::slice::from_ref(&rollup)).chain_to_assets_map.remove(&rollup).and_then(|list| {
        list.assets.into_iter().find(|asset| asset.symbol == "INIT" && asset.denom.as_str().starts_with("l2/"))
    });
    let bridged = bridged.expect("INIT over the optimistic bridge").denom;
    for (name, [from, denom, to, wanted], is_there) in [
        ("deposit", ["interwoven-1", "uinit", rollup.as_str(), bridged.as_str()], true),
        ("forwarded", ["celestia", "utia", "interwoven-1", "uinit"], true),
        ("nowhere", ["celestia", "utia", "celestia", "nothing"], false),
    ] {
        let request = RouteRequest {
            amount_in: Amount::from(5_000_000),
            source_asset_chain_id: ChainId::new(from),
            source_asset_denom: Denom::new(denom),
            dest_asset_chain_id: ChainId::new(to),
            dest_asset_denom: Denom::new(wanted),
            allow_unsafe: Some(true),
            go_fast: None,
            is_op_withdraw: None,
            allow_multi_tx: Some(true),
        };
        assert_eq!(world.route(&request, now).is_ok(), is_there, "{name}");
        criterion
            .bench_function(&format!("route/{name}"), |bencher| bencher.iter(|| black_box(world.route(&request, now))));
    }
}

fn judge(criterion: &mut Criterion) {
    let body = fixture("status-3-pending-hop1-composed")["response"]["body"].to_string();
    criterion.bench_function("status/decode", |bencher| {
        bencher.iter(|| serde_json::from_str::<TransferStatus>(black_box(&body)).expect("a status"));
    });
    let hash = "6AC37246BF2F7038E20D47104615ACAAA6A15936FB3BD9E5ABB92A823E26EE5B".parse().expect("a hash");
    let mut record = TransferRecord::of_hash(ChainId::new("echelon-1"), &hash, Timestamp::EPOCH);
    record.route = Some(fixture("route-ibc-multihop-composed")["response"]["body"].to_string().into());
    record.txs[0].status = Some((Arc::from(body), Timestamp::EPOCH));
    criterion.bench_function("transfer/standing", |bencher| {
        bencher.iter(|| black_box(standing(black_box(&record), &[], &Plain, Timestamp::EPOCH)));
    });
}

criterion_group!(benches, find_routes, judge);
criterion_main!(benches);
