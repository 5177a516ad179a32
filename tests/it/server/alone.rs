//! A node of which the RPC alone is open: what its state says is had all the same.

use rollscope::{
    client::NodeAddresses,
    domain::{Height, Vm},
    indexer::{
        index::{Index, IndexFeed, IndexIdentity},
        node::{FollowOptions, ServiceOptions},
    },
};
use rstest::rstest;
use serde_json::Value;

use super::{client::Server, node};
use crate::harness::{gate::NodeGate, player::Served};

/// Blocks of the rollup.
const HISTORY: usize = 40;

async fn served(vm: Vm, node: String) -> Served {
    // In the first block Move mints more NFTs than it is worth asking for. The bank is the same on all three, and
    // asking it of everybody takes the longest.
    let has_rich_list = vm == Vm::Evm;
    let follow = FollowOptions { has_rich_list, from: Height::new(2), ..FollowOptions::default() };
    let identity = IndexIdentity { vm, feed: IndexFeed::Node, facts: Vec::new() };
    let index = Index::in_memory(&identity, 20_000).expect("an index in memory");
    let addresses = NodeAddresses { node, ..NodeAddresses::default() };
    let options = ServiceOptions { follow, ..ServiceOptions::default() };
    let served = Served::of(addresses, index, options).await.expect("the node is found");
    let lowest = "/indexer/block/v1/blocks?pagination.reverse=false&pagination.limit=1";
    served.until(lowest, |page| page["blocks"][0]["height"] == "2").await;
    if has_rich_list {
        served.until("/status", |status| status["rich_list_height"].is_u64()).await;
    }
    served
}

fn rows<'a>(answer: &'a Value, name: &str) -> &'a [Value] {
    answer[name].as_array().map(Vec::as_slice).unwrap_or_default()
}

async fn whole(server: &Server, path: &str) -> Value {
    server.json(&format!("{path}?pagination.limit=1000")).await
}

async fn denoms(server: &Server) -> Vec<String> {
    let supply = server.json("/node/rest/cosmos/bank/v1beta1/supply").await;
    let denoms = rows(&supply, "supply").iter().map(|coin| coin["denom"].as_str().expect("a denom").to_owned());
    denoms.collect()
}

#[rstest]
#[case(Vm::Evm)]
#[case(Vm::Move)]
#[case(Vm::Wasm)]
#[tokio::test]
async fn with_the_rpc_alone_the_state_says_the_same(#[case] vm: Vm) {
    let server = node::start(vm, HISTORY as u64);
    let gate = NodeGate::start(&server.rollup.url(), "/node/rpc");
    let served = served(vm, gate.url.clone()).await;
    let mut blocks = served.json("/indexer/block/v1/blocks?pagination.limit=1000").await;
    assert!(rows(&blocks, "blocks").iter().all(|block| block["proposer"]["moniker"].as_str() > Some("")), "{blocks}");
    // A ledger knows its proposers at every height, a node only now.
    for block in blocks["blocks"].as_array_mut().expect("a list") {
        let proposer = block["proposer"].as_object_mut().expect("an object");
        assert!(proposer.remove("validator_height").is_some_and(|height| height.as_u64() >= Some(HISTORY as u64)));
    }
    let known = whole(&server, "/indexer/block/v1/blocks").await;
    assert_eq!(rows(&blocks, "blocks"), &rows(&known, "blocks")[..HISTORY - 1]);
    // Who holds what is the bank's word.
    let mut holders = 0;
    for denom in denoms(&server).await.iter().filter(|_| vm == Vm::Evm) {
        let path = format!("/indexer/richlist/v1/{}", denom.replace('/', "%2F"));
        let found = served.json(&format!("{path}?pagination.limit=1000")).await;
        assert_eq!(found["holders"], whole(&server, &path).await["holders"], "{denom}");
        holders += rows(&found, "holders").len();
    }
    assert!(vm != Vm::Evm || holders > 100, "{holders} holders");
    // What contracts and objects say of NFTs, of those that the blocks name.
    let mut nfts = 0;
    let collections = served.json("/indexer/nft/v1/collections?pagination.limit=1000").await;
    for address in rows(&collections, "collections").iter().map(|one| one["object_addr"].as_str()) {
        let address = address.expect("a collection has an address");
        let path = format!("/indexer/nft/v1/tokens/by_collection/{address}");
        let known = whole(&server, &path).await;
        for token in rows(&served.json(&format!("{path}?pagination.limit=1000")).await, "tokens") {
            let named = |other: &&Value| other["nft"]["token_id"] == token["nft"]["token_id"];
            let known = rows(&known, "tokens").iter().find(named).expect("the rollup has the NFT");
            assert_eq!((&token["nft"]["uri"], &token["owner_addr"]), (&known["nft"]["uri"], &known["owner_addr"]));
            assert_eq!(token["collection_name"], known["collection_name"]);
            nfts += usize::from(token["nft"]["uri"] != "");
        }
    }
    assert!(nfts > 0, "no NFT was named");
}
