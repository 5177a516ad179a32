//! A node that is slow, fails, prunes, forks, starts again, or is several: what is served of it over HTTP.

use std::{collections::BTreeSet, time::Duration};

use rollscope::{
    client::{ClientOptions, NodeClient, NodeFindError},
    domain::Vm,
    indexer::{
        index::{IndexFeed, IndexIdentity},
        node::{FollowOptions, ServiceOptions},
        progress::ReadyLimits,
    },
};
use serde_json::Value;

use crate::harness::{
    index::index_at,
    player::{Fault, NodePlayer, Served},
    recording::Recording,
};

pub(super) fn player() -> NodePlayer {
    NodePlayer::start(&Recording::fixture("minievm-1.1", Vm::Evm).cut(160))
}

pub(super) async fn served(player: &NodePlayer) -> Served {
    let follow = FollowOptions { has_rich_list: false, ..FollowOptions::default() };
    player.served(ServiceOptions { follow, ..ServiceOptions::default() }).await
}

/// All blocks and all transactions, as they are served.
pub(super) async fn everything(served: &Served) -> Vec<String> {
    let mut pages = Vec::new();
    for path in ["/indexer/block/v1/blocks", "/indexer/tx/v1/txs", "/indexer/tx/v1/evm-txs"] {
        let (status, text) = served.get(&format!("{path}?pagination.limit=1000")).await;
        assert_eq!(status, 200, "{path}: {text}");
        pages.push(text);
    }
    pages
}

pub(super) async fn expected(player: &NodePlayer) -> Vec<String> {
    let served = served(player).await;
    served.filled().await;
    everything(&served).await
}

/// The validator set of a live rollup, where the operator's bytes are not those of the consensus address.
const LIVE_OPERATOR: &str = "initvaloper18macu4m3h7dld4fp4yzsvdhnncyqh9226k9lfc";

#[tokio::test]
pub(crate) async fn the_proposer_is_the_validator_with_its_consensus_key() {
    let proposer_of = async |validators: Option<&str>, has_rest: bool, quirks: bool| {
        let mut recording = Recording::fixture("minievm-1.1", Vm::Evm).cut(12);
        for one in recording.state.iter_mut().filter(|one| one.path.starts_with("/opinit/opchild/v1/validators")) {
            match validators {
                Some(operator) => one.answer["validators"][0]["operator_address"] = operator.into(),
                None => one.answer["validators"] = serde_json::json!([]),
            }
        }
        let player = NodePlayer::start(&recording);
        player.change(|stage| (stage.has_rest, stage.has_json_rpc) = (has_rest, has_rest));
        let follow = FollowOptions { has_rich_list: false, ..FollowOptions::default() };
        let served = player.served(ServiceOptions { quirks, follow, ..ServiceOptions::default() }).await;
        let block = served.until("/indexer/block/v1/blocks/9", |_| true).await;
        block["block"]["proposer"].clone()
    };
    let bytes = "84D653BABDD1250C0712900DF1DBEC5B3CFB7400";
    let as_operator = "initvaloper1snt98w4a6yjscpcjjqxlrklvtv70kaqqssfs83";
    for (validators, has_rest, quirks, expected) in [
        (Some(LIVE_OPERATOR), true, false, [LIVE_OPERATOR, "rollreal", bytes, ""]),
        (Some(LIVE_OPERATOR), false, false, [LIVE_OPERATOR, "rollreal", bytes, "12"]),
        (None, true, false, ["", "", bytes, ""]),
        // The real server's operator is the consensus address, and nobody's name belongs to that.
        (Some(LIVE_OPERATOR), true, true, [as_operator, "", "", ""]),
        (Some(as_operator), true, true, [as_operator, "rollreal", "", ""]),
    ] {
        let proposer = proposer_of(validators, has_rest, quirks).await;
        let found = ["operator_address", "moniker", "consensus_address", "validator_height"]
            .map(|field| proposer[field].to_string().replace(['"'], "").replace("null", ""));
        assert_eq!(found, expected, "{validators:?}, REST {has_rest}, quirks {quirks}");
    }
}

#[tokio::test]
pub(crate) async fn a_node_that_fails_every_third_request_once_is_waited_for() {
    let player = player();
    let expected = expected(&player).await;
    player.change(|stage| {
        stage.asked.clear();
        stage.fault = Some(Box::new(|request, before| {
            // Which one fails is the request's own: the order in which they come is not fixed.
            let sum: usize = request.bytes().map(usize::from).sum();
            let is_found = !request.contains("/status") && !request.contains("node_info") && !request.contains("eth_");
            let fails = before == 0 && is_found && sum.is_multiple_of(3);
            fails.then(|| match sum % 5 {
                0 => Fault::Status(500),
                1 => Fault::Busy(0),
                2 => Fault::WebPage,
                3 => Fault::Cut,
                _ => Fault::Slow(Duration::from_millis(30)),
            })
        }));
    });
    let served = served(&player).await;
    served.filled().await;
    assert_eq!(everything(&served).await, expected);
}

#[tokio::test]
pub(crate) async fn a_node_that_prunes_meanwhile_ends_history_where_it_does() {
    let player = player();
    player.change(|stage| stage.pruned_on = Some(("/rpc/block_results?height=70".to_owned(), 81)));
    let served = served(&player).await;
    // Blocks above 70 that were read ahead of it may be there already.
    let is_end = |oldest: u64| (71..=81).contains(&oldest);
    let oldest = |status: &Value| status["oldest_height"].as_u64().filter(|oldest| is_end(*oldest));
    let status = served.until("/status", |status| oldest(status).is_some() && status["is_complete"] == true).await;
    assert_eq!(status["height"], 160);
    let first = "/indexer/block/v1/blocks?pagination.reverse=false&pagination.limit=1";
    let height = oldest(&status).expect("it was told").to_string();
    assert_eq!(served.json(first).await["blocks"][0]["height"], height);
}

#[tokio::test]
pub(crate) async fn blocks_that_were_rolled_back_are_undone_to_the_fork() {
    let player = player();
    let last = player.last;
    player.change(|stage| stage.tip = last - 2);
    let served = served(&player).await;
    served.filled().await;
    let kept = served.json("/indexer/block/v1/blocks/140").await;
    let undone = served.json("/indexer/block/v1/blocks/141").await;
    player.change(|stage| (stage.fork_above, stage.tip) = (Some(140), last));
    let newest = last.to_string();
    served.until("/indexer/block/v1/blocks", |page| page["blocks"][0]["height"] == newest).await;
    let progress = served.progress("a note", |progress| !progress.notes.is_empty()).await;
    assert!(progress.notes[0].contains("after block 140: the index dropped 18 blocks"), "{:?}", progress.notes);
    assert_eq!(served.json("/indexer/block/v1/blocks/140").await, kept);
    let again = served.json("/indexer/block/v1/blocks/141").await;
    assert_ne!(again, undone);
    assert!(again["block"]["hash"].as_str().is_some_and(|hash| hash.starts_with("F0F0F0F0")), "{again}");
    // What the other blocks held is gone with them.
    let page = served.json("/indexer/tx/v1/txs?pagination.limit=1").await;
    let height = page["txs"][0]["height"].as_str().and_then(|height| height.parse::<u64>().ok());
    assert!(height.is_some_and(|height| height <= 140), "{page}");
}

#[tokio::test]
pub(crate) async fn a_chain_that_began_again_is_begun_anew() {
    let player = player();
    let served = served(&player).await;
    served.filled().await;
    player.change(|stage| (stage.fork_above, stage.tip) = (Some(0), 30));
    served.until("/status", |status| status["height"] == 30).await;
    let progress = served.progress("a note", |progress| !progress.notes.is_empty()).await;
    assert!(progress.notes[0].contains("differs from the indexed block"), "{:?}", progress.notes);
    served.filled().await;
    let first = served.json("/indexer/block/v1/blocks/1").await;
    assert!(first["block"]["hash"].as_str().is_some_and(|hash| hash.starts_with("F0F0F0F0")), "{first}");
}

#[tokio::test]
pub(crate) async fn another_chain_at_the_same_address_is_said() {
    let player = player();
    let served = served(&player).await;
    served.filled().await;
    player.change(|stage| (stage.chain_id, stage.fork_above) = ("other-1".to_owned(), Some(0)));
    let status = served.until("/status", |status| status["chain_id"] == "other-1").await;
    assert_eq!(status["height"], 160);
    let progress = served.progress("a note", |progress| !progress.notes.is_empty()).await;
    assert!(progress.notes[0].contains("the node now serves other-1"), "{:?}", progress.notes);
}

#[tokio::test]
pub(crate) async fn nodes_behind_a_load_balancer_undo_nothing() {
    let player = player();
    let expected = expected(&player).await;
    player.change(|stage| stage.other_tip = Some(157));
    let served = served(&player).await;
    served.until("/status", |status| status["height"] == 160).await;
    served.filled().await;
    assert_eq!(everything(&served).await, expected);
    let progress = served.progress("the last look", |_| true).await;
    assert_eq!(progress.notes, Vec::<String>::new());
}

/// The address answers from the first moment, and says why there is no block.
#[tokio::test]
pub(crate) async fn an_empty_index_is_refused_with_the_nodes_problem_and_then_served() {
    let player = player();
    player.change(|stage| {
        stage.fault = Some(Box::new(|request, _| request.contains("/block_results").then_some(Fault::Status(500))));
    });
    let follow = FollowOptions { has_rich_list: false, ..FollowOptions::default() };
    let served = player.served(ServiceOptions { follow, is_public: true, ..ServiceOptions::default() }).await;
    let trouble = served.progress("trouble", |progress| progress.trouble.is_some()).await.trouble.expect("some");
    for path in ["/status", "/indexer/block/v1/blocks"] {
        assert_eq!(served.get(path).await, (503, format!("no block is indexed yet: {trouble}")));
    }
    assert_eq!(served.get("/health").await.0, 200);
    let is_told = |status, answer: &Value| {
        let reasons = answer["reasons"].to_string();
        status == 503 && reasons.contains("no block is indexed yet") && reasons.contains("500")
    };
    served.until_answered("/ready", is_told).await;
    player.change(|stage| stage.fault = None);
    served.filled().await;
    served.until("/ready", |answer| answer["ready"] == true).await;
}

#[tokio::test]
pub(crate) async fn what_a_file_holds_is_served_while_the_node_lacks_what_follows() {
    let player = player();
    let folder = tempfile::tempdir().expect("a folder");
    let file = || {
        let identity = IndexIdentity { vm: Vm::Evm, feed: IndexFeed::Node, facts: Vec::new() };
        index_at(&folder.path().join("chain.sqlite"), &identity).expect("a file")
    };
    let follow = FollowOptions { has_rich_list: false, ..FollowOptions::default() };
    let ready = ReadyLimits { trouble: Duration::ZERO, ..ReadyLimits::default() };
    let options = ServiceOptions { follow, is_public: true, ready, ..ServiceOptions::default() };
    player.change(|stage| stage.tip = 60);
    player.served_with(file(), options).await.expect("the node is found").filled().await;
    player.change(|stage| (stage.tip, stage.oldest) = (160, 100));
    let served = player.served_with(file(), options).await.expect("the node is found");
    assert_eq!(served.json("/status").await["height"], 60, "at once");
    assert_eq!(served.json("/indexer/block/v1/blocks/60").await["block"]["height"], "60");
    let is_pruned = |text: &str| text.contains("the node has pruned blocks 61 to 99") && text.contains("--allow-gap");
    served.progress("trouble", |progress| progress.trouble.as_deref().is_some_and(is_pruned)).await;
    // A store that is slow to answer is a reason before these.
    let is_told = |status, answer: &Value| {
        let reasons = answer["reasons"].to_string();
        status == 503 && reasons.contains("61 to 99") && reasons.contains("older than the node's")
    };
    served.until_answered("/ready", is_told).await;
}

/// Lists with their field.
const LISTS: [(&str, &str); 4] = [
    ("block/v1/blocks", "blocks"),
    ("tx/v1/txs", "txs"),
    ("tx/v1/evm-txs", "txs"),
    ("tx/v1/evm-internal-txs", "internal_txs"),
];

/// All rows of each list, page by page.
async fn all_rows(served: &Served, limit: u32, is_reverse: bool) -> Vec<Vec<Value>> {
    let mut all = Vec::new();
    for (path, name) in LISTS {
        let (mut rows, mut key) = (Vec::new(), String::new());
        loop {
            let query = format!("pagination.limit={limit}&pagination.reverse={is_reverse}{key}");
            let page = served.json(&format!("/indexer/{path}?{query}")).await;
            rows.extend(page[name].as_array().unwrap_or_else(|| panic!("{path}: {page}")).clone());
            let Some(next) = page["pagination"]["next_key"].as_str() else { break };
            let next = next.replace('+', "%2B").replace('/', "%2F").replace('=', "%3D");
            key = format!("&pagination.key={next}");
        }
        all.push(rows);
    }
    all
}

#[tokio::test]
pub(crate) async fn an_index_goes_on_above_blocks_that_its_node_has_pruned() {
    let player = player();
    let is_kept = |record: &&Value| {
        let height = |value: &Value| value.as_u64().or_else(|| value.as_str()?.parse().ok());
        let height = height(&record["height"])
            .or_else(|| u64::from_str_radix(record["blockNumber"].as_str()?.trim_start_matches("0x"), 16).ok());
        !(61..=99).contains(&height.expect("a record names its block"))
    };
    // Call frames of new blocks come after them.
    let whole = |status: &Value| {
        let is_at_tip = |part: &str| status[part] == status["height"];
        status["is_complete"] != false && is_at_tip("rich_list_height") && is_at_tip("internal_tx_height")
    };
    let options = |allows_gap: bool| {
        let follow = FollowOptions { allows_gap, ..FollowOptions::default() };
        ServiceOptions { follow, is_public: true, ..ServiceOptions::default() }
    };
    let mut expected: Vec<Vec<Value>> = {
        let served = player.served(options(false)).await;
        served.until("/status", whole).await;
        let kept = |rows: Vec<Value>| rows.iter().filter(is_kept).cloned().collect();
        all_rows(&served, 1000, true).await.into_iter().map(kept).collect()
    };
    // The time of the block below it was pruned, as with the first block of any index.
    let first = expected[0].iter_mut().find(|block| block["height"] == "100").expect("the first above the gap");
    first["block_time"] = "0".into();
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("chain.sqlite");
    let file = || {
        let identity = IndexIdentity { vm: Vm::Evm, feed: IndexFeed::Node, facts: Vec::new() };
        index_at(&path, &identity).expect("a file")
    };
    player.change(|stage| stage.tip = 60);
    {
        let served = player.served_with(file(), options(true)).await.expect("the node is found");
        let status = served.until("/status", |status| whole(status) && status["height"] == 60).await;
        assert!(status["gaps"].is_null(), "{status}");
    }
    player.change(|stage| (stage.tip, stage.oldest) = (150, 100));
    let gaps = serde_json::json!([{"from": 61, "to": 99}]);
    let check = async |served: &Served| {
        let status = served.json("/status").await;
        assert_eq!(
            (&status["gaps"], &status["oldest_height"], &status["is_complete"]),
            (&gaps, &100.into(), &true.into())
        );
        for is_reverse in [true, false] {
            for limit in [1000, 7] {
                let mut found = all_rows(served, limit, is_reverse).await;
                for rows in found.iter_mut().filter(|_| !is_reverse) {
                    rows.reverse();
                }
                for ((path, _), (found, expected)) in LISTS.iter().zip(found.iter().zip(&expected)) {
                    assert!(found == expected, "{path} {is_reverse} {limit}: {} of {}", found.len(), expected.len());
                }
            }
        }
        let page = served.json("/indexer/block/v1/blocks?pagination.limit=1&pagination.count_total=true").await;
        assert_eq!(page["pagination"]["total"], "121");
        for path in ["block/v1/blocks/80", "tx/v1/txs/by_height/80", "tx/v1/evm-txs/by_height/61", "nft/v1/collections"]
        {
            let (status, sentence) = served.get(&format!("/indexer/{path}")).await;
            let reason = "the index lacks blocks 61 to 99, which its node had pruned";
            assert!(status == 404 && sentence.ends_with(reason), "{path}: {status} {sentence}");
        }
    };
    {
        let served = player.served_with(file(), options(true)).await.expect("the node is found");
        served.until("/status", |status| whole(status) && status["height"] == 150).await;
        // Blocks and their call frames above the gap go and come.
        player.change(|stage| (stage.fork_above, stage.tip) = (Some(120), 149));
        served
            .until("/indexer/block/v1/blocks/149", |block| {
                block["block"]["hash"].as_str().is_some_and(|hash| hash.starts_with("F0"))
            })
            .await;
        player.change(|stage| (stage.fork_above, stage.tip) = (None, 160));
        let status = served.until("/status", |status| whole(status) && status["height"] == 160).await;
        let notes = status["node"]["notes"].to_string();
        assert!(notes.contains("the index lacks blocks 61 to 99"), "{notes}");
        check(&served).await;
        let reader = Served::reading(&path, options(false));
        check(&reader).await;
    }
    // The gap stays, whatever the options are then.
    let served = player.served_with(file(), options(false)).await.expect("the node is found");
    served.until("/status", whole).await;
    check(&served).await;
}

#[tokio::test]
pub(crate) async fn a_status_is_of_one_moment() {
    let player = player();
    let slow = |request: &str, _| request.contains("/block_results").then_some(Fault::Slow(Duration::from_millis(10)));
    player.change(|stage| stage.fault = Some(Box::new(slow)));
    let served = served(&player).await;
    served.progress("the tip", |progress| progress.is_at_tip).await;
    let heights = |status: &Value| {
        let number = |value: &Value| value.as_u64();
        let (tip, oldest) =
            (number(&status["height"]).expect("a height"), number(&status["oldest_height"]).unwrap_or(1));
        let frames = number(&status["internal_tx_height"]).unwrap_or(0);
        assert!(frames <= tip && number(&status["node"]["height"]) >= Some(tip), "{status}");
        assert_eq!(number(&status["node"]["missing_blocks"]), Some(oldest - 1), "{status}");
        (tip, oldest)
    };
    let mut seen = BTreeSet::new();
    while seen.first().is_none_or(|(_, oldest)| *oldest > 1) {
        seen.insert(heights(&served.json("/status").await));
    }
    assert!(seen.len() > 2, "it was asked while it was filled: {seen:?}");
    // Blocks and their call frames go together, and come together.
    for (fork_above, tip) in [(Some(100), 158), (None, 160), (Some(60), 157), (None, 160)] {
        player.change(|stage| (stage.fork_above, stage.tip) = (fork_above, tip));
        let settled = |status: &Value| {
            let frames = status["internal_tx_height"].as_u64().unwrap_or(0);
            assert!(Some(frames) <= status["height"].as_u64(), "{status}");
            status["height"] == tip && frames == tip
        };
        served.until("/status", settled).await;
    }
}

#[tokio::test]
pub(crate) async fn a_tip_that_the_node_does_not_have_is_reported() {
    let player = player();
    let served = served(&player).await;
    served.filled().await;
    player.change(|stage| {
        stage.lie = Some(Box::new(|request, answer| {
            if request == "/rpc/status" {
                answer["result"]["sync_info"]["latest_block_height"] = i64::MAX.to_string().into();
            }
        }));
    });
    let progress = served.progress("trouble", |progress| progress.trouble.is_some()).await;
    let trouble = progress.trouble.expect("some");
    let expected = "the node reports block 9223372036854775807 as its newest, but does not send the blocks up to it";
    assert_eq!(trouble, expected);
    player.change(|stage| stage.lie = None);
    served.progress("no trouble", |progress| progress.trouble.is_none()).await;
    assert_eq!(served.json("/status").await["height"], 160);
}

#[tokio::test]
pub(crate) async fn a_node_that_answers_no_query_is_not_called_another_kind_of_chain() {
    let player = player();
    player.change(|stage| {
        stage.has_rest = false;
        stage.fault = Some(Box::new(|request, _| request.contains("/abci_query").then_some(Fault::Status(404))));
    });
    let found = NodeClient::find(&player.addresses(), ClientOptions::default(), 16).await.map(|_| ());
    assert_eq!(found, Err(NodeFindError::NoQueries { chain_id: player.stage().chain_id.clone() }));
}
