//! How long a page of 100 transactions takes to become wire types (budget: 1 ms for 600 kB, bodies left raw).

#![expect(clippy::expect_used, reason = "a benchmark ends where it meets what cannot be")]

use std::{fmt::Write as _, hint::black_box};

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use rollscope::wire::TxsResponse;

/// A page as the indexer writes it: events with escaped JSON in their attributes make up most of it.
fn page() -> String {
    let mut events = String::new();
    for number in 0..22 {
        let comma = if number == 0 { "" } else { "," };
        let log = r#"{\"address\":\"0x8f73d1ee62c3f7a6ab0ae0f0b3e0d4d5d1f03b06\",\"topics\":[\"0xddf252ad\"],\"data\":\"0x19\"}"#;
        // Writing into a String cannot fail.
        let _ = write!(
            events,
            r#"{comma}{{"type":"evm","attributes":[{{"key":"contract","value":"0x8f73d1ee62c3f7a6","index":true}},{{"key":"log","value":"{log}","index":true}}]}}"#
        );
    }
    let rows: Vec<String> = (1..=100)
        .map(|number| {
            format!(
                r#"{{"txhash":"{number:064X}","height":"{number}","codespace":"","code":0,"data":"1226","raw_log":"","logs":[],"info":"","gas_wanted":"200000","gas_used":"100000","tx":{{"body":{{"messages":[{{"@type":"/minievm.evm.v1.MsgCall","sender":"init1k9qe","input":"0x{:0300}"}}],"memo":""}},"auth_info":{{"fee":{{"amount":[{{"denom":"GAS","amount":"3100"}}]}}}},"signatures":["c2ln"]}},"timestamp":"2026-01-31T12:00:00.123456789Z","events":[{events}]}}"#,
                0
            )
        })
        .collect();
    format!(
        r#"{{"txs":[{}],"pagination":{{"previous_key":null,"next_key":"eyJzZXF1ZW5jZSI6MX0=","total":"41207"}}}}"#,
        rows.join(",")
    )
}

fn decode(criterion: &mut Criterion) {
    let page = page();
    let mut group = criterion.benchmark_group("decode");
    group.throughput(Throughput::Bytes(page.len() as u64));
    group.bench_function(format!("100 txs, {} kB", page.len() / 1000), |bencher| {
        bencher.iter(|| {
            let read: TxsResponse = serde_json::from_slice(black_box(page.as_bytes())).expect("the page is one");
            read
        });
    });
    group.finish();
}

criterion_group!(benches, decode);
criterion_main!(benches);
