//! What a node's state is asked for: page by page, as of one block.

use base64::{Engine as _, prelude::BASE64_STANDARD};
use rollscope::{
    client::{ClientOptions, NodeAddresses, NodeClient},
    domain::{Address, Height, LocalPacket, PacketSide},
    wire::{node::NodeBalances, proto},
};
use rstest::rstest;
use serde_json::{Value, json};

use crate::harness::replay::{Answer, Replay};

const BALANCES: &str = "/cosmos.bank.v1beta1.Query/AllBalances";

fn rpc(result: &Value) -> Answer {
    Answer::json(json!({"jsonrpc": "2.0", "id": -1, "result": result}).to_string())
}

/// The answer to a state query, as of a height; 0 where the node does not say.
fn state(code: u32, value: &[u8], height: u64) -> Answer {
    rpc(&json!({"response": {"code": code, "log": if code == 0 { "" } else { "unknown query path" },
        "value": BASE64_STANDARD.encode(value), "height": height.to_string(), "codespace": ""}}))
}

/// A rollup on Move with the RPC alone, which answers state queries so.
async fn rpc_node(answer: impl Fn(&str) -> Option<Answer> + Send + Sync + 'static) -> (NodeClient, Replay) {
    let node = Replay::scripted(move |seen, _| {
        let target = seen.target.as_str();
        match target.split('?').next().unwrap_or_default() {
            "/status" => rpc(&json!({"node_info": {"network": "moving-1"}, "sync_info": {
                "latest_block_height": "90", "latest_block_time": "2026-01-31T12:00:00Z", "catching_up": false,
                "latest_block_hash": "00", "earliest_block_height": "1"}})),
            "/abci_query" if target.contains("initia.move.v1.Query/Params") => state(0, b"", 90),
            "/abci_query" => answer(target).unwrap_or_else(|| state(6, b"", 0)),
            _ => Answer::text(404, "404 page not found"),
        }
    })
    .await;
    let addresses = NodeAddresses { node: node.url().to_owned(), ..NodeAddresses::default() };
    let client = NodeClient::find(&addresses, ClientOptions::default(), 4).await.expect("it is a node");
    (client, node)
}

/// The balances of an account that holds two pages of one denom each.
async fn balances(heights: [u64; 2]) -> NodeBalances {
    let (client, _node) = rpc_node(move |target| {
        let coin = |denom: &str, next: &str| {
            let answer =
                json!({"balances": [{"denom": denom, "amount": "7"}], "pagination": {"next_key": next, "total": "0"}});
            proto::encode_answer(BALANCES, &answer).expect("the message is known")
        };
        // The second question carries the key of the first answer.
        let key = alloy_primitives::hex::encode(b"next");
        target.contains(BALANCES).then(|| {
            if target.contains(&key) {
                state(0, &coin("b", ""), heights[1])
            } else {
                state(0, &coin("a", "bmV4dA=="), heights[0])
            }
        })
    })
    .await;
    client.balances(Address::Short([7; 20]), &[]).await.expect("it answers")
}

#[rstest]
#[case([90, 90], Height::new(90))]
// Of a first page whose block nobody knows the second does not tell.
#[case([0, 91], None)]
#[tokio::test]
async fn balances_are_of_the_first_pages_block(#[case] heights: [u64; 2], #[case] expected: Option<Height>) {
    let balances = balances(heights).await;
    assert_eq!((balances.chain_id.as_str(), balances.height, balances.is_whole), ("moving-1", expected, true));
    assert_eq!(balances.coins.iter().map(|coin| coin.denom.as_str()).collect::<Vec<_>>(), ["a", "b"]);
}

/// A rollup on Move with RPC and REST, whose REST answers so.
async fn rest_node(answer: impl Fn(&str) -> Option<Answer> + Send + Sync + 'static) -> (NodeClient, Replay) {
    let node = Replay::scripted(move |seen, _| match seen.target.split('?').next().unwrap_or_default() {
        "/status" => rpc(&json!({"node_info": {"network": "moving-1"}, "sync_info": {
            "latest_block_height": "90", "latest_block_time": "2026-01-31T12:00:00Z", "catching_up": false,
            "latest_block_hash": "00", "earliest_block_height": "1"}})),
        "/cosmos/base/tendermint/v1beta1/node_info" => Answer::json(
            r#"{"default_node_info":{"network":"moving-1"},"application_version":{"app_name":"minimove"}}"#,
        ),
        "/cosmos/base/tendermint/v1beta1/blocks/latest" => {
            let header = json!({"chain_id": "moving-1", "height": "90", "time": "2026-01-31T12:00:00Z"});
            Answer::json(json!({"block_id": {"hash": "AA=="}, "block": {"header": header}}).to_string())
        }
        _ => answer(&seen.target).unwrap_or_else(|| Answer::text(404, "404 page not found")),
    })
    .await;
    let addresses =
        NodeAddresses { node: node.url().to_owned(), rest: Some(node.url().to_owned()), ..NodeAddresses::default() };
    let client = NodeClient::find(&addresses, ClientOptions::default(), 4).await.expect("it is a node");
    (client, node)
}

/// Some gateways pass a refusal on with HTTP 200: that is no account that has nothing.
#[rstest]
#[case::refused(r#"{"code":12,"message":"Not Implemented","details":[]}"#, None)]
#[case::nothing(r#"{"balances":[],"pagination":{"next_key":null,"total":"0"}}"#, Some(0))]
#[case::something(r#"{"balances":[{"denom":"a","amount":"7"}],"pagination":{"next_key":null,"total":"1"}}"#, Some(1))]
#[tokio::test]
async fn a_refusal_with_success_is_not_an_empty_account(#[case] answer: &'static str, #[case] coins: Option<usize>) {
    let (client, _node) =
        rest_node(move |path| path.contains("/bank/v1beta1/balances/").then(|| Answer::json(answer))).await;
    let balances: Result<Value, _> = client.rest("/cosmos/bank/v1beta1/balances/init1", None).await;
    match coins {
        Some(coins) => assert_eq!(balances.expect("it answers")["balances"].as_array().map(Vec::len), Some(coins)),
        None => assert!(balances.is_err_and(|error| error.to_string().contains("Not Implemented"))),
    }
}

#[tokio::test]
async fn transactions_are_searched_by_each_query_and_told_once() {
    let answer = |numbers: &[u8], total: &str| {
        let tx = |number: &u8| json!({"txhash": format!("{number:064X}"), "height": "7", "timestamp": "2026-01-31T12:00:00Z", "tx": {}});
        let txs: Vec<Value> = numbers.iter().map(tx).collect();
        Answer::json(json!({"txs": [], "tx_responses": txs, "pagination": null, "total": total}).to_string())
    };
    let (client, _node) = rest_node(move |target| {
        let query = target.strip_prefix("/cosmos/tx/v1beta1/txs?query=")?;
        Some(match query.strip_suffix("&order_by=ORDER_BY_DESC&limit=20")? {
            "a.b%3D%271%27" => answer(&[1, 2], "2"),
            "a.c%3D%271%27" => answer(&[2, 3], "2"),
            "many" => answer(&[4], "5"),
            "silent" => answer(&[4], ""),
            _ => Answer::typed(
                500,
                "application/json",
                r#"{"code":2,"message":"transaction indexing is disabled","details":[]}"#,
            ),
        })
    })
    .await;
    let find = async |queries: &[&str]| {
        let queries: Vec<String> = queries.iter().map(ToString::to_string).collect();
        client.find_txs(&queries, 20).await
    };
    let found = find(&["a.b='1'", "a.c='1'"]).await.expect("found");
    let last = |found: &rollscope::wire::node::SearchedTxs| {
        found.txs.iter().map(|tx| tx.txhash.to_string().pop()).collect::<Option<String>>()
    };
    assert_eq!((last(&found).as_deref(), found.is_whole), (Some("123"), true));
    for part in ["many", "silent"] {
        assert!(!find(&[part]).await.expect("found").is_whole, "{part}");
    }
    assert!(find(&["a.b='1'", "none"]).await.is_err(), "a search that fails in part is no answer");
}

#[rstest]
#[case::pending(200, r#"{"commitment":"AA==","proof":null,"proof_height":{}}"#, Some(true))]
#[case::settled(404, r#"{"code":5,"message":"packet commitment hash not found","details":[]}"#, Some(false))]
#[case::no_such_query(501, r#"{"code":12,"message":"Not Implemented","details":[]}"#, None)]
#[case::gone(404, "404 page not found", None)]
#[tokio::test]
async fn a_packet_without_its_commitment_is_settled(
    #[case] status: u16,
    #[case] body: &'static str,
    #[case] expected: Option<bool>,
) {
    let (client, _node) = rest_node(move |target| {
        let path = "/ibc/core/channel/v1/channels/channel-0/ports/transfer/packet_commitments/4";
        (target == path).then(|| Answer::typed(status, "application/json", body))
    })
    .await;
    let [port, channel] = ["transfer", "channel-0"].map(str::to_owned);
    let packet = LocalPacket { side: PacketSide::Sent, port, channel, sequence: 4 };
    assert_eq!(client.is_packet_pending(&packet).await.ok(), expected);
}

const SEARCH: &str = "/cosmos.tx.v1beta1.Service/GetTxsEvent";
const COMMITMENT: &str = "/ibc.core.channel.v1.Query/PacketCommitment";

/// A node without REST is searched by its application, which answers as REST does.
#[tokio::test]
async fn transactions_are_searched_over_the_rpc_alone() {
    let (client, node) = rpc_node(|target| {
        let body = json!({"messages": [], "memo": "hello", "timeout_height": "0", "extension_options": [],
            "non_critical_extension_options": []});
        let fee = json!({"amount": [], "gas_limit": "5", "payer": "", "granter": ""});
        let tx = json!({"@type": "/cosmos.tx.v1beta1.Tx", "body": body,
            "auth_info": {"signer_infos": [], "fee": fee, "tip": null}, "signatures": []});
        let attribute = json!({"key": "packet_sequence", "value": "4", "index": true});
        let found = json!({"height": "7", "txhash": "0A".repeat(32), "codespace": "", "code": 3, "data": "",
            "raw_log": "", "logs": [], "info": "", "gas_wanted": "5", "gas_used": "4", "tx": tx,
            "timestamp": "2026-01-31T12:00:00Z", "events": [{"type": "send_packet", "attributes": [attribute]}]});
        let answer = json!({"txs": [], "tx_responses": [found], "pagination": null, "total": "1"});
        let value = || proto::encode_answer(SEARCH, &answer).expect("the message is known");
        target.contains(SEARCH).then(|| state(0, &value(), 90))
    })
    .await;
    let found = client.find_txs(&["a.b='1'".to_owned()], 20).await.expect("found");
    let [tx] = found.txs.as_slice() else { panic!("{found:?}") };
    assert_eq!((tx.height.get(), tx.code, tx.gas_used, found.is_whole), (7, 3, 4, true));
    assert!(tx.tx.get().contains("\"memo\":\"hello\"") && tx.events.get().contains("packet_sequence"), "{tx:?}");
    let asked = node.seen().into_iter().map(|seen| seen.target).find(|target| target.contains(SEARCH));
    let asked = asked.expect("the application is asked");
    let data = asked.rsplit("data=0x").next().expect("its data");
    let fields = proto::decode_request(SEARCH, &alloy_primitives::hex::decode(data).expect("hex")).expect("a request");
    assert_eq!(
        (&fields["query"], &fields["order_by"], &fields["limit"]),
        (&json!("a.b='1'"), &json!("ORDER_BY_DESC"), &json!("20"))
    );
}

#[rstest]
#[case::pending(0, "", Some(true))]
#[case::settled(22, "sdk", Some(false))]
#[case::no_such_query(6, "sdk", None)]
#[case::another_module(22, "wasm", None)]
#[tokio::test]
async fn a_packets_commitment_is_asked_of_the_rpc_alone(
    #[case] code: u32,
    #[case] codespace: &'static str,
    #[case] expected: Option<bool>,
) {
    let (client, _node) = rpc_node(move |target| {
        let answer = json!({"commitment": "AA==", "proof": "", "proof_height": {}});
        let value = proto::encode_answer(COMMITMENT, &answer).expect("the message is known");
        target.contains(COMMITMENT).then(|| {
            rpc(&json!({"response": {"code": code, "log": "rpc error: code = NotFound desc = x: key not found",
                "value": if code == 0 { BASE64_STANDARD.encode(value) } else { String::new() }, "height": "90",
                "codespace": codespace}}))
        })
    })
    .await;
    let [port, channel] = ["transfer", "channel-0"].map(str::to_owned);
    let packet = LocalPacket { side: PacketSide::Sent, port, channel, sequence: 4 };
    assert_eq!(client.is_packet_pending(&packet).await.ok(), expected);
}
