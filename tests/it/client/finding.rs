//! A JSON-RPC is of another chain only where a block of both differs; a failure or a lag proves nothing.

use std::sync::atomic::{AtomicUsize, Ordering};

use rollscope::client::{NodeAddresses, NodeClient, NodeFindError, NodeInterface};
use rstest::rstest;
use serde_json::{Value, json};

use crate::harness::replay::{Answer, Replay, Seen};

/// Newest block of the RPC.
const TIP: u64 = 900;

/// What the JSON-RPC does.
#[derive(Clone, Copy, Debug)]
enum Gateway {
    Honest,
    /// Has no block above this height, though it names the tip.
    LagsAt(u64),
    /// Its blocks are a second later.
    OtherTimes,
    /// Fails with this status so often, then is honest.
    Fails(u16, usize),
    /// Fails with this status whenever it is asked for a block.
    FailsForBlocks(u16),
    /// A web page.
    Page,
}

fn result(value: &Value) -> Answer {
    Answer::json(json!({"jsonrpc": "2.0", "id": 1, "result": value}).to_string())
}

fn number(seen: &Seen, name: &str) -> u64 {
    let value = seen.target.split(['?', '&']).find_map(|part| part.strip_prefix(name)?.strip_prefix('='));
    value.and_then(|value| value.parse().ok()).unwrap_or_default()
}

async fn rpc() -> Replay {
    Replay::scripted(|seen, _| match seen.target.split('?').next().unwrap_or_default() {
        "/status" => result(&json!({"node_info": {"network": "evm-1"}, "sync_info": {
            "latest_block_height": TIP.to_string(), "latest_block_time": "2026-01-31T12:00:00Z", "catching_up": false,
            "latest_block_hash": "00", "earliest_block_height": "1"}})),
        "/blockchain" => {
            let meta = |height: u64| {
                let time = format!("2026-01-31T{:02}:{:02}:{:02}Z", height / 3600, height / 60 % 60, height % 60);
                json!({"block_id": {"hash": format!("{height:064X}")}, "num_txs": "0",
                    "header": {"chain_id": "evm-1", "height": height.to_string(), "time": time}})
            };
            let heights = number(seen, "minHeight")..=number(seen, "maxHeight");
            result(&json!({"last_height": TIP.to_string(), "block_metas": heights.map(meta).collect::<Vec<_>>()}))
        }
        "/cosmos/base/tendermint/v1beta1/node_info" => {
            Answer::json(r#"{"default_node_info":{"network":"evm-1"},"application_version":{"app_name":"minievm"}}"#)
        }
        _ => Answer::text(404, "404 page not found"),
    })
    .await
}

async fn json_rpc(gateway: Gateway) -> Replay {
    const MIDNIGHT: u64 = 1_769_817_600;
    let failed = AtomicUsize::new(0);
    Replay::scripted(move |seen, _| {
        let asked: Value = serde_json::from_str(&seen.body).unwrap_or_default();
        let is_block = asked["method"] == "eth_getBlockByNumber";
        match gateway {
            Gateway::Page => return Answer::typed(200, "text/html", "<html>hello</html>"),
            Gateway::Fails(status, times) if failed.fetch_add(1, Ordering::Relaxed) < times => {
                return Answer::typed(status, "text/html", "<html>bad gateway</html>").with("retry-after", "0");
            }
            Gateway::FailsForBlocks(status) if is_block => return Answer::typed(status, "text/html", "<html></html>"),
            _ => {}
        }
        if !is_block {
            return result(&json!(format!("{TIP:#x}")));
        }
        let digits = asked["params"][0].as_str().unwrap_or_default().trim_start_matches("0x").to_owned();
        let height = u64::from_str_radix(&digits, 16).unwrap_or_default();
        let time = MIDNIGHT + height + u64::from(matches!(gateway, Gateway::OtherTimes));
        match gateway {
            Gateway::LagsAt(tip) if height > tip => result(&Value::Null),
            _ => result(&json!({"hash": "0x00", "number": format!("{height:#x}"), "timestamp": format!("{time:#x}")})),
        }
    })
    .await
}

/// Whether a JSON-RPC that the user named is found.
async fn find(gateway: Gateway) -> Result<bool, NodeFindError> {
    let (node, json_rpc) = (rpc().await, json_rpc(gateway).await);
    let addresses = NodeAddresses {
        node: node.url().to_owned(),
        rest: Some(node.url().to_owned()),
        json_rpc: Some(json_rpc.url().to_owned()),
    };
    let client = NodeClient::find(&addresses, super::options(), 4).await?;
    Ok(client.url(NodeInterface::JsonRpc).is_some())
}

#[rstest]
#[case::honest(Gateway::Honest)]
#[case::thirty_blocks_behind(Gateway::LagsAt(TIP - 30))]
#[case::far_behind(Gateway::LagsAt(5))]
#[case::refused_twice(Gateway::Fails(429, 2))]
#[case::a_bad_gateway_once(Gateway::Fails(502, 1))]
#[tokio::test]
async fn a_lag_or_a_passing_failure_keeps_the_json_rpc(#[case] gateway: Gateway) {
    assert_eq!(find(gateway).await, Ok(true));
}

#[rstest]
#[case::always_a_bad_gateway(Gateway::Fails(502, usize::MAX))]
#[case::always_refused(Gateway::Fails(429, usize::MAX))]
#[case::blocks_fail(Gateway::FailsForBlocks(502))]
#[case::no_block_in_common(Gateway::LagsAt(0))]
#[tokio::test]
async fn what_cannot_be_compared_is_no_other_chain(#[case] gateway: Gateway) {
    let error = find(gateway).await.expect_err("nothing proves it");
    assert!(matches!(error, NodeFindError::Unproven { .. }), "{error}");
    assert!(error.to_string().starts_with("cannot tell whether the JSON-RPC at http"), "{error}");
}

#[tokio::test]
async fn another_time_at_one_height_is_another_chain() {
    let error = find(Gateway::OtherTimes).await.expect_err("it is of another chain");
    assert!(matches!(&error, NodeFindError::OtherChain { found, .. } if found == "another block 888"), "{error}");
    let error = find(Gateway::Page).await.expect_err("it is no JSON-RPC");
    assert!(matches!(error, NodeFindError::NotThatInterface { .. }), "{error}");
}
