//! Parts of blocks that a node refuses: they are asked for again, left out and listed, and never stop other blocks.

use std::{
    net::{Ipv4Addr, SocketAddr},
    path::Path,
    sync::atomic::{AtomicBool, Ordering},
    time::Duration,
};

use axum::body::Bytes;
use rollscope::{
    domain::{Height, Vm},
    indexer::{
        index::{Index, IndexFeed, IndexIdentity},
        node::{FollowOptions, ServiceOptions},
    },
};
use rstest::rstest;
use serde_json::{Value, json};

use super::swagger::validator::Definitions;
use crate::harness::{
    player::{Fault, NodePlayer, Served},
    recording::{RecordedBlock, Recording},
};

/// A second of the schedule, so that a minute of it takes little more than a second.
const SECOND: Duration = Duration::from_millis(25);

fn player() -> NodePlayer {
    NodePlayer::start(&Recording::fixture("minievm-1.1", Vm::Evm).cut(160))
}

fn options() -> ServiceOptions {
    let follow = FollowOptions { has_rich_list: false, second: SECOND, ..FollowOptions::default() };
    ServiceOptions { follow, is_public: true, ..ServiceOptions::default() }
}

async fn served_from(player: &NodePlayer, file: Option<&Path>) -> Served {
    let identity = IndexIdentity { vm: player.vm, feed: IndexFeed::Node, facts: Vec::new() };
    let index = match file {
        Some(file) => Index::in_file(file, &identity),
        None => Index::in_memory(&identity, 20_000),
    };
    player.served_with(index.expect("an index"), options()).await.expect("the node is found")
}

async fn served(player: &NodePlayer) -> Served {
    served_from(player, None).await
}

/// Every record of the index, once it is complete.
async fn everything(served: &Served) -> Vec<Value> {
    served.filled().await;
    served
        .until("/status", |status| status["is_complete"] != false && status["internal_tx_height"] != Value::Null)
        .await;
    let mut pages = Vec::new();
    for path in ["block/v1/blocks", "tx/v1/txs", "tx/v1/evm-txs", "tx/v1/evm-internal-txs", "nft/v1/collections"] {
        pages.push(served.json(&format!("/indexer/{path}?pagination.limit=1000")).await);
    }
    pages
}

fn rpc_error(sentence: &str) -> Fault {
    let error = json!({"code": -32603, "message": "Internal error", "data": sentence});
    Fault::Instead(Bytes::from(json!({"jsonrpc": "2.0", "id": -1, "error": error}).to_string()))
}

/// The answer to a call, or to each of a batch, with which the JSON-RPC refuses it.
fn json_rpc_error(request: &str, sentence: &str) -> Fault {
    let error = |id: u64| json!({"jsonrpc": "2.0", "id": id, "error": {"code": -32000, "message": sentence}});
    let answer =
        if request.contains('[') && request.contains("\"id\":2") { json!([error(1), error(2)]) } else { error(1) };
    Fault::Instead(Bytes::from(answer.to_string()))
}

/// Whether this requests a part of a block: its results by RPC, or receipts or call frames by JSON-RPC.
fn is_of(request: &str, part: &str, is_refused: impl Fn(u64) -> bool) -> bool {
    let height = |text: &str| text.chars().take_while(char::is_ascii_alphanumeric).collect::<String>();
    match part {
        "results" => request
            .strip_prefix("/rpc/block_results?height=")
            .is_some_and(|rest| is_refused(height(rest).parse().unwrap_or(0))),
        part => {
            let method = if part == "receipts" { "eth_getBlockReceipts" } else { "debug_traceBlockByNumber" };
            let at = request.split("\"0x").nth(1).map(height);
            request.contains(method) && at.is_some_and(|at| is_refused(u64::from_str_radix(&at, 16).unwrap_or(0)))
        }
    }
}

/// Refuses a part of these blocks in the node's words.
fn refuse(player: &NodePlayer, part: &'static str, is_refused: impl Fn(u64) -> bool + Send + 'static) {
    player.change(|stage| {
        stage.fault = Some(Box::new(move |request, _| {
            is_of(request, part, &is_refused).then(|| match part {
                "results" => rpc_error("could not find results for height #0"),
                part => json_rpc_error(request, &format!("failed to get {part}: invalid message index: 0")),
            })
        }));
    });
}

/// A block in the middle with a receipt and calls.
fn odd(recording: &Recording) -> u64 {
    let has = |list: &Option<Box<serde_json::value::RawValue>>| list.as_ref().is_some_and(|list| list.get().len() > 2);
    let odd = recording.blocks.iter().find(|block| block.height > 60 && has(&block.receipts) && has(&block.traces));
    odd.expect("one has receipts").height
}

#[rstest]
#[case("results", "results")]
#[case("receipts", "receipts")]
#[case("traces", "call_frames")]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_refused_part_is_left_out_and_comes_later(#[case] refused: &'static str, #[case] part: &str) {
    let recording = Recording::fixture("minievm-1.1", Vm::Evm).cut(160);
    let (player, odd) = (NodePlayer::start(&recording), odd(&recording));
    let expected = everything(&served(&player).await).await;
    refuse(&player, refused, move |height| height == odd);
    let served = served(&player).await;
    served.filled().await;
    let status = served.until("/status", |status| status["node"]["left_out"] == 1).await;
    let listed = &status["node"]["left_out_parts"][0];
    assert_eq!((&listed["height"], &listed["part"], &listed["reason"]), (&json!(odd), &json!(part), &json!("refused")));
    assert_eq!((&status["node"]["undecoded"], &status["node"]["trouble"]), (&json!(0), &Value::Null), "{status}");
    let definitions = Definitions::of(&served.json("/swagger/doc.json").await);
    let described = |name: &str, answer: &Value| {
        let faults = definitions.faults(&json!({"$ref": format!("#/definitions/{name}")}), answer);
        assert_eq!(faults, Vec::<String>::new(), "{name}: {answer}");
    };
    described("Status", &status);
    for height in odd - 1..=odd + 1 {
        let block = served.json(&format!("/indexer/block/v1/blocks/{height}")).await;
        let mut clean = expected[0]["blocks"].as_array().expect("a list").iter();
        let clean = clean.find(|block| block["height"].as_str() == Some(&*height.to_string())).expect("the block");
        assert_eq!((&block["block"]["hash"], &block["block"]["tx_count"]), (&clean["hash"], &clean["tx_count"]));
    }
    if refused == "results" {
        let mut txs = expected[1]["txs"].as_array().expect("a list").iter();
        let lost = txs.find(|tx| tx["height"].as_str() == Some(&*odd.to_string())).expect("it has transactions");
        let hash = lost["txhash"].as_str().expect("a hash");
        let (code, words) = served.get(&format!("/indexer/tx/v1/txs/{hash}")).await;
        assert_eq!(code, 503, "{words}");
        assert!(words.contains(&format!("lacks the results of block {odd}")), "{words}");
        let page = served.json(&format!("/indexer/tx/v1/txs/by_height/{odd}")).await;
        assert_eq!((&page["txs"], &page["pagination"]["total"]), (&json!([]), &json!("0")));
        assert_eq!(page["pagination"]["is_partial"], true, "{page}");
        described("TxsResponse", &page);
    } else {
        let path = if refused == "receipts" { "evm-txs" } else { "evm-internal-txs" };
        assert_eq!(served.get(&format!("/indexer/tx/v1/{path}/by_height/{odd}")).await.0, 503);
    }
    let asked: usize = {
        let stage = player.stage();
        stage.asked.iter().filter(|(request, _)| is_of(request, refused, |at| at == odd)).map(|(_, times)| times).sum()
    };
    assert!((5..=12).contains(&asked), "asked {asked} times");
    player.change(|stage| stage.fault = None);
    served.until("/status", |status| status["node"]["left_out"] == 0).await;
    assert_eq!(everything(&served).await, expected, "as if nothing had been refused");
}

#[rstest]
#[case("results", 101)]
#[case("traces", 90)]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_node_that_refuses_all_older_blocks_has_a_floor(#[case] part: &'static str, #[case] lowest: u64) {
    let player = player();
    let expected = everything(&served(&player).await).await;
    refuse(&player, part, move |height| height < lowest);
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("chain.sqlite");
    {
        let served = served_from(&player, Some(&file)).await;
        served.filled().await;
        let status = served.until("/status", |status| status["node"]["floors"][0]["height"] != Value::Null).await;
        let floor = &status["node"]["floors"][0];
        let definitions = Definitions::of(&served.json("/swagger/doc.json").await);
        let faults = definitions.faults(&json!({"$ref": "#/definitions/Status"}), &status);
        assert_eq!(faults, Vec::<String>::new(), "{status}");
        let height = floor["height"].as_u64().expect("a height");
        assert!(height <= lowest && height + 12 > lowest, "{status}");
        assert_eq!(status["node"]["left_out"], 0, "{status}");
        served.until("/status", |status| status["is_complete"] != false).await;
        let path = if part == "results" { "txs" } else { "evm-internal-txs" };
        let (code, words) = served.get(&format!("/indexer/tx/v1/{path}/by_height/60")).await;
        assert_eq!(code, 404, "{words}");
        assert!(words.contains(&format!("of blocks from {height} on")), "{words}");
        let notes = served.json("/status").await["node"]["notes"].to_string();
        assert_eq!(notes.matches("from").count(), 1, "told once: {notes}");
    }
    // At the next start the node has them again.
    player.change(|stage| stage.fault = None);
    let served = served_from(&player, Some(&file)).await;
    served.until("/status", |status| status["node"]["floors"] == Value::Null).await;
    assert_eq!(everything(&served).await, expected);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_node_that_discards_results_is_followed_from_its_newest_block() {
    let player = player();
    let tip = player.last - 8;
    player.change(|stage| {
        stage.tip = tip;
        stage.fault = Some(Box::new(move |request, _| {
            is_of(request, "results", |height| height < tip)
                .then(|| rpc_error("node is not persisting finalize block responses"))
        }));
    });
    let served = served(&player).await;
    served.filled().await;
    let status = served.json("/status").await;
    assert_eq!(status["node"]["floors"][0]["height"], tip, "{status}");
    let notes = status["node"]["notes"].to_string();
    assert!(notes.contains("discard_abci_responses = false"), "{notes}");
    let block = served.json(&format!("/indexer/block/v1/blocks/{}", tip - 3)).await;
    assert_eq!(block["block"]["height"], (tip - 3).to_string());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_refused_new_block_holds_back_none_below_it_and_not_for_ever() {
    let player = player();
    player.change(|stage| stage.tip = 100);
    refuse(&player, "results", |height| height == 104);
    let served = served(&player).await;
    served.filled().await;
    player.change(|stage| stage.tip = 106);
    served.until("/status", |status| status["height"] == 103).await;
    let trouble = served.progress("a sentence", |progress| progress.trouble.is_some()).await.trouble;
    assert!(trouble.is_some_and(|words| words.contains("does not send block 104 whole")), "it is told");
    player.change(|stage| stage.tip = 114);
    let status = served.until("/status", |status| status["height"] == 114).await;
    assert_eq!(status["node"]["left_out_parts"][0]["height"], 104, "{status}");
    assert_eq!(served.json("/indexer/block/v1/blocks/104").await["block"]["height"], "104");
}

/// The receipts of a block, as recorded.
fn receipts_of(block: &RecordedBlock) -> Vec<Value> {
    block.receipts.as_ref().and_then(|list| serde_json::from_str(list.get()).ok()).unwrap_or_default()
}

/// A gateway with one wrong backend: the JSON-RPC has another block at the height, by its header, or, made in the same
/// second, by its transactions.
#[rstest]
#[case("receipts", "/1/result/timestamp", json!("0x1"))]
#[case("receipts", "/1/result/hash", json!(format!("0x{}", "cd".repeat(32))))]
#[case("receipts", "/0/result/0/transactionHash", json!(format!("0x{}", "ab".repeat(32))))]
#[case("receipts", "/0/result/0/from", json!(format!("0x{}", "cd".repeat(20))))]
#[case("call_frames", "/0/result/hash", json!(format!("0x{}", "ef".repeat(32))))]
#[case("call_frames", "/0/result/hash", json!(format!("0x{}", "12".repeat(32))))]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_of_another_block_of_the_json_rpc_is_not_taken(
    #[case] part: &'static str,
    #[case] place: &'static str,
    #[case] other: Value,
) {
    let recording = Recording::fixture("minievm-1.1", Vm::Evm).cut(160);
    let is_signed = place.ends_with("from");
    let fits = |block: &&RecordedBlock| {
        let from = receipts_of(block).first().map(|first| first["from"] != format!("0x{}", "0".repeat(40)));
        block.height > 20 && block.height < 150 && from == Some(is_signed)
    };
    let odd = recording.blocks.iter().find(fits).expect("one has such receipts").height;
    let player = NodePlayer::start(&recording);
    let expected = everything(&served(&player).await).await;
    let asked = if part == "receipts" { "receipts" } else { "traces" };
    player.change(|stage| {
        stage.lie = Some(Box::new(move |request, answer| {
            if request.contains("eth_getBlockByNumber")
                && is_of(request, asked, |at| at == odd)
                && let Some(value) = answer.pointer_mut(place)
            {
                *value = other.clone();
            }
        }));
    });
    let served = served(&player).await;
    served.filled().await;
    let status = served.until("/status", |status| status["node"]["left_out"] == 1).await;
    let listed = &status["node"]["left_out_parts"][0];
    assert_eq!((&listed["height"], &listed["part"]), (&json!(odd), &json!(part)), "{status}");
    assert!(listed["cause"].as_str().is_some_and(|cause| cause.contains("has another block")), "{status}");
    player.change(|stage| stage.lie = None);
    served.until("/status", |status| status["node"]["left_out"] == 0).await;
    assert_eq!(everything(&served).await, expected);
}

/// Answers that contradict each other: a header with a wrong number of transactions, or with another hash, once.
#[rstest]
#[case("num_txs")]
#[case("hash")]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_header_that_was_wrong_once_is_forgotten(#[case] field: &'static str) {
    let recording = Recording::fixture("minievm-1.1", Vm::Evm).cut(160);
    let (player, odd) = (NodePlayer::start(&recording), odd(&recording));
    let expected = everything(&served(&player).await).await;
    player.change(|stage| {
        stage.lie = Some(Box::new({
            let told = AtomicBool::new(false);
            move |request, answer| {
                if !request.starts_with("/rpc/blockchain") {
                    return;
                }
                let metas = answer["result"]["block_metas"].as_array_mut();
                let meta = metas
                    .into_iter()
                    .flatten()
                    .find(|meta| meta["header"]["height"].as_str() == Some(&*odd.to_string()));
                if let Some(meta) = meta.filter(|_| !told.swap(true, Ordering::Relaxed)) {
                    match field {
                        "num_txs" => meta["num_txs"] = "9".into(),
                        _ => meta["block_id"]["hash"] = "AB".repeat(32).into(),
                    }
                }
            }
        }));
    });
    let served = served(&player).await;
    assert_eq!(everything(&served).await, expected);
    assert_eq!(served.json("/status").await["node"]["left_out"], 0);
}

/// Results of another block with as many transactions: the next header tells, and the node is right later.
#[rstest]
#[case(json!({"code": 7}))]
#[case(json!({"gas_used": "1"}))]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn results_that_contradict_the_next_header_are_not_taken(#[case] other: Value) {
    let recording = Recording::fixture("minievm-1.1", Vm::Evm).cut(160);
    let (player, odd) = (NodePlayer::start(&recording), odd(&recording));
    let expected = everything(&served(&player).await).await;
    player.change(|stage| {
        stage.lie = Some(Box::new(move |request, answer| {
            if is_of(request, "results", |at| at == odd) {
                for (field, value) in other.as_object().expect("fields") {
                    answer["result"]["txs_results"][0][field] = value.clone();
                }
            }
        }));
    });
    let served = served(&player).await;
    served.filled().await;
    let status = served.until("/status", |status| status["node"]["left_out"] == 1).await;
    let part = &status["node"]["left_out_parts"][0];
    assert_eq!((&part["height"], &part["reason"]), (&json!(odd), &json!("contradicts")), "{status}");
    let contradicts = format!("of block {odd} contradict the chain");
    let is_told = |status, answer: &Value| status == 503 && answer["reasons"].to_string().contains(&contradicts);
    served.until_answered("/ready", is_told).await;
    player.change(|stage| stage.lie = None);
    served.until("/status", |status| status["node"]["left_out"] == 0).await;
    assert_eq!(everything(&served).await, expected);
}

/// Two EVM chains behind one address whose blocks are of the same second: the new block does not follow the one before.
#[rstest]
#[case("parentHash")]
#[case("number")]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn receipts_beside_a_header_with_another_parent_are_not_taken(#[case] field: &'static str) {
    let recording = Recording::fixture("minievm-1.1", Vm::Evm).cut(160);
    let has = |block: &RecordedBlock| !receipts_of(block).is_empty();
    let pair = recording.blocks.windows(2).rfind(|pair| pair.iter().all(has)).expect("two in a row");
    let (player, next) = (NodePlayer::start(&recording), pair[1].height);
    player.change(|stage| stage.tip = next - 1);
    let served = served(&player).await;
    served.filled().await;
    player.change(|stage| {
        stage.tip = next;
        stage.lie = Some(Box::new(move |request, answer| {
            if is_of(request, "receipts", |at| at == next) {
                answer[1]["result"][field] = format!("0x{}", "cd".repeat(32)).into();
            }
        }));
    });
    // Only the hash of the parent tells.
    if field == "parentHash" {
        let told = served.progress("a sentence", |progress| progress.trouble.is_some()).await.trouble;
        assert!(told.is_some_and(|words| words.contains(&format!("JSON-RPC has another block {next}"))));
        assert_eq!(served.json("/status").await["height"], next - 1);
        player.change(|stage| stage.lie = None);
    }
    let status = served.until("/status", |status| status["height"] == next).await;
    assert_eq!(status["node"]["left_out"], 0, "{status}");
}

/// A node that is wrong of its newest block: the next header tells, and the index takes the block back.
#[rstest]
#[case(json!({"code": 7}))]
#[case(json!({"gas_used": "1"}))]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn results_of_the_newest_block_are_held_against_the_next_header_when_it_comes(
    #[case] other: Value,
    #[values(false, true)] is_restarted: bool,
) {
    let recording = Recording::fixture("minievm-1.1", Vm::Evm).cut(160);
    let (player, odd) = (NodePlayer::start(&recording), odd(&recording));
    let expected = everything(&served(&player).await).await;
    player.change(|stage| {
        stage.tip = odd;
        stage.lie = Some(Box::new(move |request, answer| {
            if is_of(request, "results", |at| at == odd) {
                for (field, value) in other.as_object().expect("fields") {
                    answer["result"]["txs_results"][0][field] = value.clone();
                }
            }
        }));
    });
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("index.sqlite");
    let mut served = served_from(&player, Some(&file)).await;
    served.filled().await;
    let page = format!("/indexer/tx/v1/txs/by_height/{odd}");
    let taken = served.json(&page).await;
    if is_restarted {
        drop(served);
        player.change(|stage| stage.tip = odd + 1);
        served = served_from(&player, Some(&file)).await;
    }
    player.change(|stage| stage.tip = odd + 1);
    let noted = |status: &Value| status["node"]["notes"].to_string().contains("contradict the next header");
    served.until("/status", noted).await;
    player.change(|stage| {
        stage.tip = 160;
        stage.lie = None;
    });
    served.until("/status", |status| status["height"] == 160 && status["internal_tx_height"] == 160).await;
    assert_ne!(served.json(&page).await["txs"], taken["txs"]);
    assert_eq!(everything(&served).await, expected);
    assert_eq!(served.json("/status").await["node"]["left_out"], 0);
}

/// The roots that the index computes are those of the next headers, so that a restart takes nothing right back.
#[rstest]
#[case("minievm-1.1", Vm::Evm)]
#[case("miniwasm-0.7", Vm::Wasm)]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn results_of_stored_blocks_have_the_root_of_the_next_header(#[case] chain: &str, #[case] vm: Vm) {
    let recording = Recording::fixture(chain, vm);
    let player = NodePlayer::start(&recording);
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("index.sqlite");
    let served = served_from(&player, Some(&file)).await;
    served.filled().await;
    drop(served);
    let identity = IndexIdentity { vm, feed: IndexFeed::Node, facts: Vec::new() };
    let index = Index::in_file(&file, &identity).expect("the file is whole");
    let mut compared = 0;
    for pair in recording.blocks.windows(2).filter(|pair| pair[1].height == pair[0].height + 1) {
        let height = Height::new(pair[0].height).expect("a height");
        let Some(root) = index.results_hash(height).expect("the index is read") else { continue };
        let next: Value = serde_json::from_str(pair[1].block.get()).expect("a recorded block is JSON");
        let told = &next["result"]["block"]["header"]["last_results_hash"];
        assert_eq!(&json!(alloy_primitives::hex::encode_upper(root)), told, "block {height}");
        compared += 1;
    }
    assert!(compared > 100, "{compared} blocks");
}

/// The headers prove what another node says, so the block is taken from it at once.
#[rstest]
#[case("results")]
#[case("block")]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_contradicts_the_chain_is_taken_from_another_node(#[case] what: &'static str) {
    let recording = Recording::fixture("minievm-1.1", Vm::Evm).cut(160);
    let (first, second, odd) = (NodePlayer::start(&recording), NodePlayer::start(&recording), odd(&recording));
    let expected = everything(&served(&first).await).await;
    first.change(|stage| {
        stage.lie = Some(Box::new(move |request, answer| {
            if what == "results" && is_of(request, "results", |at| at == odd) {
                answer["result"]["txs_results"][0]["code"] = 9.into();
            }
            // The bytes are those of no transaction of the header, which REST tells as well.
            if what == "block" && request == format!("/rpc/block?height={odd}") {
                answer["result"]["block"]["data"]["txs"][0] = "AAAA".into();
            }
        }));
    });
    let identity = IndexIdentity { vm: Vm::Evm, feed: IndexFeed::Node, facts: Vec::new() };
    let index = Index::in_memory(&identity, 20_000).expect("an index");
    let listen = SocketAddr::from((Ipv4Addr::LOCALHOST, 0)).into();
    let nodes = vec![first.addresses(), second.addresses()];
    let served = Served::at(listen, nodes, index, options()).await.expect("the node is found");
    assert_eq!(everything(&served).await, expected);
    let status = served.json("/status").await;
    assert_eq!((&status["node"]["left_out"], &status["node"]["undecoded"]), (&json!(0), &json!(0)), "{status}");
    assert_eq!(status["node"]["url"], "node 1 of 2", "the node itself stays in use");
}

/// A pause of days is told at once, with the time after which the index asks all the same.
#[rstest]
#[case(86_400)]
#[case(34_560_000)]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_long_pause_that_a_node_asks_for_is_told(#[case] seconds: u64) {
    let player = player();
    player.change(|stage| stage.tip = 100);
    let served = served(&player).await;
    served.filled().await;
    player.change(|stage| {
        stage.tip = 110;
        let is_asked = AtomicBool::new(false);
        stage.fault = Some(Box::new(move |request, _| {
            (request.starts_with("/rpc") && !is_asked.swap(true, Ordering::Relaxed)).then_some(Fault::Busy(seconds))
        }));
    });
    let told = served.progress("a sentence", |progress| progress.trouble.is_some()).await.trouble.unwrap_or_default();
    assert!(told.contains("asks again in 10 min") || told.contains("asks again in 9 min"), "{told}");
    assert_eq!(served.get("/health").await.0, 200);
}
