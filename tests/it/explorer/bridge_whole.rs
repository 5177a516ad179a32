//! Transfers of the embedded world to their end: sent with its demo wallet, tracked by their hash with typed keys, walked
//! block by block, with the real worker and the rollup's indexer as the second witness.

use rollscope::{
    client::{ClientOptions, RouterClient},
    domain::ChainId,
    rollup::RollupOptions,
    wire::router::{Broadcast, BroadcastRequest, MsgsRequest, RouteRequest},
};

use crate::harness::{Explorer, chain_of};

/// Sends one unit of INIT from the rollup to the L1 with the demo wallet.
fn send(explorer: &Explorer, is_op_withdraw: bool) -> Broadcast {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    let client = RouterClient::new(&explorer.rollup().url(), ClientOptions::default()).expect("a server's address");
    runtime.block_on(async {
        let demo = client.demo().await.expect("it answers").expect("it is the embedded rollup");
        let wallet = demo.wallet.expect("it has a wallet");
        let (own, l1) = (ChainId::new(demo.chain_id), ChainId::new("interwoven-1"));
        let assets = client.assets(&[own.clone(), l1.clone()]).await.expect("it has assets");
        let init = |chain: &ChainId| {
            let assets = &assets.chain_to_assets_map[chain].assets;
            assets.iter().find(|asset| asset.symbol == "INIT").expect("it has INIT").denom.clone()
        };
        let request = RouteRequest {
            amount_in: "1000000000000000000".parse().expect("an amount"),
            source_asset_chain_id: own.clone(),
            source_asset_denom: init(&own),
            dest_asset_chain_id: l1.clone(),
            dest_asset_denom: init(&l1),
            allow_unsafe: Some(true),
            go_fast: None,
            is_op_withdraw: Some(is_op_withdraw),
            allow_multi_tx: None,
        };
        let route = client.route(&request).await.expect("there is a route").value;
        let address = |chain: &ChainId| wallet.addresses[chain].clone();
        let addresses = route.required_chain_addresses.iter().map(address).collect();
        let messages = MsgsRequest {
            amount_in: route.amount_in,
            amount_out: route.amount_out,
            source_asset_chain_id: own,
            source_asset_denom: route.source_asset_denom,
            dest_asset_chain_id: l1,
            dest_asset_denom: route.dest_asset_denom,
            address_list: addresses,
            operations: route.operations,
            slippage_tolerance_percent: "1".to_owned(),
            estimated_amount_out: route.estimated_amount_out,
            signed_op_hook: None,
        };
        let messages = client.msgs(&messages).await.expect("there are messages");
        let request = BroadcastRequest { msgs: messages.raw, tx_index: Some(0) };
        client.demo_broadcast(&request).await.expect("it is sent")
    })
}

fn explorer() -> Explorer {
    let options = RollupOptions { time_scale: 20_000, ..chain_of(60) };
    let explorer = Explorer::builder().size(100, 32).rollup(options).start();
    explorer.settle();
    explorer
}

/// Tracks what was sent, and makes blocks until its page says this.
fn watch(explorer: &Explorer, sent: &Broadcast, end: &str) {
    explorer.press("6 t").type_text(&sent.tx_hash).press("enter");
    if !explorer.screen().contains("Transfer ") {
        // The indexer does not have it yet, and cannot say of which chain it is.
        explorer.type_text(sent.chain_id.as_str()).press("enter");
    }
    for _ in 0..60 {
        if explorer.screen().contains(end) {
            return;
        }
        explorer.step(2);
    }
    panic!("it never says “{end}”:\n{}", explorer.screen());
}

#[test]
fn a_fast_exit_is_watched_until_it_is_there() {
    let explorer = explorer();
    let sent = send(&explorer, false);
    watch(&explorer, &sent, "✓ arrived");
    assert!(explorer.screen().contains("INIT on Initia"), "{}", explorer.screen());
    assert_eq!(explorer.bells(), 1);
    explorer.quit();
}

#[test]
fn a_withdrawal_is_never_there_before_it_is_claimed() {
    let explorer = explorer();
    let sent = send(&explorer, true);
    watch(&explorer, &sent, "finalizing");
    assert!(!explorer.screen().to_lowercase().contains("arrived"), "{}", explorer.screen());
    watch_on(&explorer, "✓ arrived");
    explorer.quit();
}

fn watch_on(explorer: &Explorer, end: &str) {
    for _ in 0..200 {
        if explorer.screen().contains(end) {
            return;
        }
        explorer.step(4);
    }
    panic!("it never says “{end}”:\n{}", explorer.screen());
}
