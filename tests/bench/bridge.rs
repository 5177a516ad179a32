//! The bridge in process: finding a route, and saying where a transfer stands.
//!
//! A quote is asked every 10 s and a status every second at the most, so neither has a budget of its own; what runs in
//! `update` must stay far below the 1 ms that a key may take.

#![expect(clippy::expect_used, clippy::indexing_slicing, reason = "a benchmark ends where it meets what cannot be")]

use std::{fs, hint::black_box, sync::Arc};

use criterion::{BatchSize, Criterion, criterion_group, criterion_main};
use rollscope::{
    app::{App, AppOptions, Effect, Event},
    config::{Announcements, Key, KeyCode, Keymap, Network},
    demo::router::world::RouterWorld,
    domain::{Amount, ChainId, Denom, LocalZone, Timestamp, TransferChange, TransferRecord, Vm},
    msg::{Answer, Instruction, Report, Request},
    story::Names,
    transfers::{Evidence, RouterAnswers, status_view},
    wire::router::{RouteRequest, TransferStatus},
};

/// Transfers that are kept at the most.
const KEPT: u64 = 500;

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
    let world = RouterWorld::new(Vm::Evm, 1, 10_080);
    let now = Timestamp::EPOCH;
    let rollup = ChainId::new("rollscope-evm-1");
    let bridged = world.assets(std::slice::from_ref(&rollup)).chain_to_assets_map.remove(&rollup).and_then(|list| {
        list.assets
            .into_iter()
            .find(|asset| asset.symbol.as_received() == "INIT" && asset.denom.as_str().starts_with("l2/"))
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
    criterion.bench_function("transfer/status view", |bencher| {
        let answers = RouterAnswers::of(&record);
        let of = |record| status_view(record, &answers, Evidence::default(), &Plain, Timestamp::EPOCH);
        bencher.iter(|| black_box(of(black_box(&record))));
    });
}

/// Transfers of an earlier session, all over but every twentieth: routes of 1.7 kB, statuses of 4.6 and 2.9 kB.
fn kept() -> Vec<TransferRecord> {
    let text = |name: &str| Arc::<str>::from(fixture(name)["response"]["body"].to_string());
    let route = text("route-ibc-multihop-composed");
    let (done, pending) = (text("status-4b-completed-success-composed"), text("status-3-pending-hop1-composed"));
    let record = |number: u64| {
        let hash = format!("{number:064X}").parse().expect("a hash");
        let mut record = TransferRecord::of_hash(ChainId::new("echelon-1"), &hash, Timestamp::EPOCH);
        record.is_over = !number.is_multiple_of(20);
        // Each has a text of its own, as the store gives it.
        let copy = |text: &Arc<str>| Arc::<str>::from(text.to_string());
        record.route = Some(copy(&route));
        record.txs[0].status = Some((copy(if record.is_over { &done } else { &pending }), Timestamp::EPOCH));
        record.changes = vec![TransferChange { at: Timestamp::EPOCH, text: "as it was".into() }];
        record
    };
    (0..KEPT).map(record).collect()
}

/// Answers with the kept transfers wherever they are asked for; nobody else answers.
fn serve(app: &mut App, effects: Vec<Effect>, records: &[TransferRecord]) {
    let mut waiting = effects;
    while let Some(effect) = waiting.pop() {
        if let Effect::Worker(Instruction::Fetch(ticket, Request::Transfers)) = effect {
            let event = Event::Report(Report::Reply(ticket, Ok(Answer::Transfers(records.to_vec()))));
            waiting.extend(app.update(event, Timestamp::EPOCH));
        }
    }
}

fn press(app: &mut App, key: Key, records: &[TransferRecord]) {
    let effects = app.update(Event::Key(key), Timestamp::EPOCH);
    serve(app, effects, records);
}

fn started(records: &[TransferRecord]) -> App {
    let router = Some("http://router.example".to_owned());
    let options = AppOptions {
        network: Network { name: "bench".to_owned(), router, ..Network::default() },
        networks: rollscope::config::Networks::default(),
        kept: Vec::new(),
        abi: rollscope::story::AbiRegistry::default(),
        keymap: Keymap::built_in(),
        warnings: Vec::new(),
        log_file: None,
        folder: "/exports".into(),
        announcements: Announcements::default(),
        zone: LocalZone::default(),
        columns: rollscope::columns::Columns::default(),
        pages: rollscope::pages::PAGES,
        path_of: rollscope::client::path_of,
    };
    let (mut app, effects) = App::new(options, (200, 50), Timestamp::EPOCH);
    serve(&mut app, effects, records);
    press(&mut app, Key::char('6'), records);
    app
}

fn open_board(criterion: &mut Criterion) {
    let records = kept();
    let mut group = criterion.benchmark_group("board of 500 kept transfers");
    group.sample_size(20);
    group.bench_function("read from the store at the start", |bencher| {
        bencher.iter_batched_ref(|| (), |()| black_box(started(&records)), BatchSize::LargeInput);
    });
    let mut app = started(&records);
    group.bench_function("opened, and read again", |bencher| {
        bencher.iter(|| {
            press(&mut app, Key::char('l'), &records);
            press(&mut app, Key::char('h'), &records);
        });
    });
    press(&mut app, Key::char('l'), &records);
    press(&mut app, Key::plain(KeyCode::Enter), &records);
    let mut second = 0;
    group.bench_function("a second on a transfer's page", |bencher| {
        bencher.iter(|| {
            second += 1;
            let now = Timestamp::EPOCH.after(std::time::Duration::from_secs(second));
            black_box(app.update(Event::Tick, now));
        });
    });
    group.finish();
}

criterion_group!(benches, find_routes, judge, open_board);
criterion_main!(benches);
