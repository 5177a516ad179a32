//! The newest hundred blocks come first: five at once, the others before anything older and anything else.

use std::{collections::BTreeSet, time::Duration};

use rollscope::{
    domain::{Timestamp, Vm},
    indexer::node::{FollowOptions, ServiceOptions},
};
use serde_json::Value;
use tokio::sync::watch;

use crate::harness::{
    Explorer,
    player::{Fault, NodePlayer, Served},
    recording::Recording,
};

/// The requests so far, in order.
type Order = watch::Sender<Vec<String>>;

/// A node that holds back the results of blocks below its newest five until it may give them.
fn holding(player: &NodePlayer) -> (Order, watch::Sender<bool>) {
    let order = Order::default();
    let (gate, opened) = watch::channel(false);
    let (seen, newest) = (order.clone(), player.last - 4);
    player.change(move |stage| {
        stage.fault = Some(Box::new(move |request, _| {
            seen.send_modify(|requests| requests.push(request.to_owned()));
            results_of(request).filter(|height| *height < newest).map(|_| Fault::Held(opened.clone()))
        }));
    });
    (order, gate)
}

/// The block whose results a request is for.
fn results_of(request: &str) -> Option<u64> {
    request.strip_prefix("/rpc/block_results?height=")?.parse().ok()
}

/// The headers that a request of a follower is for: who looks for the interfaces asks for fewer.
fn headers_of(request: &str) -> Option<(u64, u64)> {
    let (first, last) = request.strip_prefix("/rpc/blockchain?minHeight=")?.split_once("&maxHeight=")?;
    let (first, last): (u64, u64) = (first.parse().ok()?, last.parse().ok()?);
    (last > first + 5).then_some((first, last))
}

async fn heights(served: &Served) -> Vec<u64> {
    let page = served.json("/indexer/block/v1/blocks?pagination.limit=1000").await;
    let height = |block: &Value| block["height"].as_str()?.parse().ok();
    page["blocks"].as_array().expect("blocks").iter().filter_map(height).collect()
}

/// Waits until the requests are such.
async fn asked(order: &Order, what: &str, is_it: impl Fn(&[String]) -> bool) {
    let mut requests = order.subscribe();
    let waiting = requests.wait_for(|requests| is_it(requests));
    let came = tokio::time::timeout(Duration::from_secs(60), waiting).await.is_ok();
    assert!(came, "{what}: {:#?}", order.borrow());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_newest_five_wait_for_nothing_and_the_hundred_for_nothing_older() {
    let player = NodePlayer::start(&Recording::fixture("minievm-1.1", Vm::Evm));
    let tip = player.last;
    let (order, gate) = holding(&player);
    let served = player.served(ServiceOptions::default()).await;
    served.progress("the first blocks", |progress| progress.is_at_tip).await;
    assert_eq!(heights(&served).await, (tip - 4..=tip).rev().collect::<Vec<_>>());
    let is_under_way = |order: &[String]| order.iter().filter_map(|request| results_of(request)).count() > 5;
    asked(&order, "the next blocks", is_under_way).await;
    {
        let order = order.borrow();
        let headers: Vec<(u64, u64)> = order.iter().filter_map(|request| headers_of(request)).collect();
        let mut runs = headers.clone();
        runs.sort_unstable();
        let twenties = (0..6).rev().map(|run| (tip - 20 * run - 19, tip - 20 * run)).collect::<Vec<_>>();
        assert_eq!(runs, twenties, "by twenties, none twice, and that of the block before the hundred");
        assert_eq!(headers[..2].iter().copied().collect::<BTreeSet<_>>(), twenties[4..].iter().copied().collect());
    }
    assert_eq!(heights(&served).await.len(), 5, "they are there while the others are not");
    gate.send_replace(true);
    served.filled().await;
    served.until("/status", |status| status["rich_list_height"].is_u64()).await;

    // A copy: whoever answers holds the player's stage while it waits to note what was asked.
    let order = order.borrow().clone();
    let results = order.iter().position(|request| results_of(request) == Some(tip));
    let txs = order.iter().position(|request| request.contains("/cosmos/tx/v1beta1/txs/block/"));
    assert!(results < txs, "the newest blocks come while the other interfaces are proven: {order:#?}");
    let is_of_the_hundred = |request: &str| results_of(request).is_some_and(|height| height + 100 > tip);
    let hundred = order.iter().rposition(|request| is_of_the_hundred(request)).expect("they were asked for");
    assert_eq!(order.iter().filter(|request| is_of_the_hundred(request)).count(), 100, "none is asked for twice");
    let is_later = |request: &str| {
        results_of(request).is_some_and(|height| height + 100 <= tip)
            || ["debug_trace", "/auth/v1beta1/accounts?", "/bank/v1beta1/balances/"]
                .iter()
                .any(|later| request.contains(later))
    };
    let later = order.iter().position(|request| is_later(request)).expect("they come later");
    assert!(hundred < later, "{} comes before {}", order[later], order[hundred]);
    assert!(player.stage().most_at_once <= 16, "{} at once", player.stage().most_at_once);
}

#[test]
fn the_screen_has_five_at_once_and_the_hundred_without_a_key() {
    let recording = Recording::fixture("minievm-1.1", Vm::Evm);
    let player = NodePlayer::start(&recording);
    let tip = player.last;
    let (_order, gate) = holding(&player);
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().expect("one");
    let served = runtime.block_on(async {
        let follow = FollowOptions { has_rich_list: false, ..FollowOptions::default() };
        let served = player.served(ServiceOptions { follow, ..ServiceOptions::default() }).await;
        served.progress("the first blocks", |progress| progress.is_at_tip).await;
        served
    });
    let newest: Value = serde_json::from_str(recording.blocks.last().expect("blocks").block.get()).expect("JSON");
    let now = newest["result"]["block"]["header"]["time"].as_str().expect("a time").parse::<Timestamp>();
    let builder = Explorer::builder().size(100, 120).at(now.expect("a time")).without_router();
    let explorer = builder.server(&served.url()).start();
    explorer.press("2").wait_for(&format!("indexed down to {}", tip - 4));
    let group = rollscope::domain::text::group;
    let has = |height: u64| explorer.screen().contains(&format!(" {} ", group(height)));
    assert!(has(tip) && has(tip - 4) && !has(tip - 5), "{}", explorer.screen());
    gate.send_replace(true);
    runtime.block_on(served.until("/indexer/block/v1/blocks?pagination.limit=1000", |page| {
        page["blocks"].as_array().is_some_and(|blocks| blocks.len() >= 100)
    }));
    explorer.let_pass(std::time::Duration::from_secs(2)).wait_for(&format!(" {} ", group(tip - 99)));
    assert!((tip - 99..=tip).all(has), "{}", explorer.screen());
    explorer.quit();
}
