//! Balances, accounts and NFTs, held against the rich list and the index's NFTs.

#![expect(clippy::similar_names, reason = "granter and grantee are the field's words")]

use std::{
    collections::{BTreeMap, BTreeSet},
    time::Duration,
};

use alloy_primitives::hex;
use base64::{Engine as _, prelude::BASE64_STANDARD};
use rollscope::{
    client::{ClientOptions, NodeAddresses, NodeClient},
    demo::Rollup,
    domain::{Address, LocalPacket, PacketSide, Vm},
    wire::proto,
};
use rstest::rstest;
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

use super::{HISTORY, all, eth, rest, start, text, wallet};
use crate::{
    harness::gate::NodeGate,
    server::client::{ANYWHERE, Server, escape},
};

/// Every account's balances by denom at this height.
async fn balances(server: &Server, account: &str, height: u64) -> Vec<(String, String)> {
    let client = rollscope::client::http_client().no_proxy().build().expect("a client");
    let url = format!("{}/node/rest/cosmos/bank/v1beta1/balances/{account}", server.rollup.url());
    let answer = client.get(url).header("x-cosmos-block-height", height.to_string()).send().await.expect("an answer");
    assert_eq!(answer.status(), 200, "{account} at {height}");
    let page: Value = serde_json::from_str(&answer.text().await.expect("a body")).expect("JSON");
    let coins = page["balances"].as_array().expect("a list").iter();
    coins.map(|coin| (text(coin, "denom").to_owned(), text(coin, "amount").to_owned())).collect()
}

#[rstest]
#[case(Vm::Evm)]
#[case(Vm::Move)]
#[case(Vm::Wasm)]
#[tokio::test]
async fn every_balance_is_the_one_in_the_rich_list(#[case] vm: Vm) {
    let server = start(vm, HISTORY);
    server.rollup.step(3).expect("blocks are made");
    let status = server.json("/status").await;
    let at = status["rich_list_height"].as_u64().expect("a height");
    assert!(at > HISTORY && at < HISTORY + 3, "the rich list is behind, so this asks for the past: {status}");
    let mut listed = Vec::new();
    let supply = rest(&server, "/cosmos/bank/v1beta1/supply").await;
    let denoms: Vec<&str> =
        supply["supply"].as_array().expect("a list").iter().map(|coin| text(coin, "denom")).collect();
    assert!(denoms.len() >= 10, "{denoms:?}");
    for denom in denoms {
        let holders = server.json(&format!("/indexer/richlist/v1/{}?pagination.limit=1000", escape(denom))).await;
        for holder in holders["holders"].as_array().expect("a list") {
            let account: Address = text(holder, "account").parse().expect("an address");
            // Whoever has nothing left stays in the list.
            if text(holder, "amount") != "0" {
                listed.push((account.bech32(), denom.to_owned(), text(holder, "amount").to_owned()));
            }
        }
    }
    let accounts = rest(&server, "/cosmos/auth/v1beta1/accounts?pagination.limit=1000").await;
    let mut held = Vec::new();
    for account in accounts["accounts"].as_array().expect("a list") {
        let base = account.get("base_account").unwrap_or(account);
        for (denom, amount) in balances(&server, text(base, "address"), at).await {
            held.push((text(base, "address").to_owned(), denom, amount));
        }
    }
    listed.sort();
    held.sort();
    assert!(held.len() > 300, "{}", held.len());
    assert_eq!(listed, held);
}

#[tokio::test]
async fn balances_of_the_past_are_known_for_some_blocks_and_then_pruned() {
    let server = start(Vm::Evm, 120);
    let address = wallet(&server).await.bech32();
    let now = balances(&server, &address, 120).await;
    server.rollup.step(3).expect("blocks are made");
    assert_eq!(balances(&server, &address, 120).await, now, "what was true then is said now");
    let client = rollscope::client::http_client().no_proxy().build().expect("a client");
    for (path, height, code) in [
        (format!("/cosmos/bank/v1beta1/balances/{address}"), "5", 18),
        (format!("/cosmos/auth/v1beta1/accounts/{address}"), "122", 18),
        ("/cosmos/bank/v1beta1/supply".to_owned(), "999", 26),
    ] {
        let url = format!("{}/node/rest{path}", server.rollup.url());
        let answer = client.get(url).header("x-cosmos-block-height", height).send().await.expect("an answer");
        assert_eq!(answer.status(), 400, "{path} at {height}");
        let json: Value = serde_json::from_str(&answer.text().await.expect("a body")).expect("JSON");
        assert!(text(&json, "message").starts_with(&format!("codespace sdk code {code}: ")), "{json}");
    }
}

/// What the chain's own contract, object or contract says of an NFT: its owner and its URI.
async fn nft_on_chain(server: &Server, vm: Vm, token: &Value) -> (String, String) {
    let (collection, id) = (text(token, "collection_addr"), text(&token["nft"], "token_id"));
    match vm {
        Vm::Evm => {
            let word = alloy_primitives::U256::from_str_radix(id, 10).expect("a number");
            let call =
                |selector: &str| json!([{ "to": collection, "data": format!("{selector}{word:064x}") }, "latest"]);
            let owner = eth(server, "eth_call", call("0x6352211e")).await;
            let uri = eth(server, "eth_call", call("0xc87b56dd")).await;
            let owner = hex::decode(owner.as_str().expect("hex")).expect("hex");
            let uri = hex::decode(uri.as_str().expect("hex")).expect("hex");
            let length = usize::from(uri[62]) * 256 + usize::from(uri[63]);
            let owner = Address::from_bytes(&owner[12..]).expect("an address").bech32();
            (owner, String::from_utf8(uri[64..64 + length].to_vec()).expect("a text"))
        }
        Vm::Move => {
            let object = text(token, "object_addr");
            let resource = async |tag: &str| {
                let path = format!("/initia/move/v1/accounts/{object}/resources/by_struct_tag?struct_tag={tag}");
                let answer = rest(server, &path).await;
                let resource: Value = serde_json::from_str(text(&answer["resource"], "move_resource")).expect("JSON");
                resource["data"].clone()
            };
            let (nft, core) = (resource("0x1::nft::Nft").await, resource("0x1::object::ObjectCore").await);
            assert_eq!(text(&nft, "token_id"), id);
            let digits = text(&core, "owner").trim_start_matches("0x");
            let width = if digits.len() > 40 { 64 } else { 40 };
            let owner: Address = format!("0x{digits:0>width$}").parse().expect("an address");
            (owner.bech32(), text(&nft, "uri").to_owned())
        }
        Vm::Wasm => {
            let query = json!({ "all_nft_info": { "token_id": id } }).to_string();
            let contract: Address = collection.parse().expect("an address");
            let path = format!(
                "/cosmwasm/wasm/v1/contract/{}/smart/{}",
                contract.bech32(),
                escape(&BASE64_STANDARD.encode(query))
            );
            let answer = rest(server, &path).await;
            let uri = answer["data"]["info"]["token_uri"].as_str().unwrap_or_default();
            (text(&answer["data"]["access"], "owner").to_owned(), uri.to_owned())
        }
    }
}

#[rstest]
#[case(Vm::Evm)]
#[case(Vm::Move)]
#[case(Vm::Wasm)]
#[tokio::test]
async fn owners_and_uris_of_nfts_are_those_of_the_chain(#[case] vm: Vm) {
    let server = start(vm, HISTORY);
    let collections = all(&server, "/indexer/nft/v1/collections", "collections").await;
    let mut seen = 0;
    for collection in collections {
        let address = text(&collection, "object_addr");
        let tokens = all(&server, &format!("/indexer/nft/v1/tokens/by_collection/{address}"), "tokens").await;
        for token in tokens.iter().step_by(tokens.len() / 12 + 1) {
            let expected = (text(&token["nft"], "uri"), text(token, "owner"));
            let (owner, uri) = nft_on_chain(&server, vm, token).await;
            assert_eq!((uri.as_str(), owner.as_str()), expected, "{token}");
            seen += 1;
        }
    }
    assert!(seen > 30, "{seen}");
}

/// The grants and allowances that transactions gave and that are left at a time: by granter and grantee, with the type
/// of message or the rest of the limit, and the end.
#[derive(Default)]
struct Given {
    grants: BTreeMap<(String, String, String), Option<String>>,
    allowances: BTreeMap<(String, String), (u128, String)>,
    /// How many were ever given, and how often one was used.
    ever: usize,
    used: usize,
}

impl Given {
    fn take(&mut self, tx: &Value) {
        let (time, fee) = (text(tx, "timestamp"), &tx["tx"]["auth_info"]["fee"]);
        let messages = tx["tx"]["body"]["messages"].as_array().expect("messages");
        self.grants.retain(|_, end| end.as_deref().is_none_or(|end| is_before(time, end)));
        self.allowances.retain(|_, (left, end)| *left > 0 && is_before(time, end));
        let spends = messages.first().and_then(|message| message["from_address"].as_str());
        if let (Some(granter), Some(grantee)) = (fee["granter"].as_str().filter(|granter| !granter.is_empty()), spends)
        {
            let price: u128 = text(&fee["amount"][0], "amount").parse().expect("a number");
            let allowance = self.allowances.get_mut(&(granter.to_owned(), grantee.to_owned()));
            let (left, _) = allowance.unwrap_or_else(|| panic!("an allowance of {granter} for {grantee}: {tx}"));
            *left = left.checked_sub(price).expect("the limit holds");
            self.used += 1;
        }
        for message in messages.iter().filter(|_| tx["code"] == 0) {
            let owned = |name: &str| message[name].as_str().unwrap_or_default().to_owned();
            let pair = || (owned("granter"), owned("grantee"));
            let kind = text(message, "@type").rsplit('.').next().unwrap_or_default();
            match kind {
                "MsgGrant" => {
                    let (granter, grantee) = pair();
                    let kind = text(&message["grant"]["authorization"], "msg").to_owned();
                    let end = message["grant"]["expiration"].as_str().map(str::to_owned);
                    self.grants.insert((granter, grantee, kind), end);
                    self.ever += 1;
                }
                "MsgRevoke" => drop(self.grants.remove(&(pair().0, pair().1, owned("msg_type_url")))),
                "MsgGrantAllowance" => {
                    let allowance = &message["allowance"];
                    let left = text(&allowance["spend_limit"][0], "amount").parse().expect("a number");
                    self.allowances.insert(pair(), (left, text(allowance, "expiration").to_owned()));
                    self.ever += 1;
                }
                "MsgRevokeAllowance" => drop(self.allowances.remove(&pair())),
                "MsgExec" => {
                    let inner = &message["msgs"][0];
                    let used = |(_, grantee, kind): &&(String, String, String)| {
                        *grantee == owned("grantee") && kind == text(inner, "@type")
                    };
                    // The one grant that no transaction gave: of genesis.
                    if text(inner, "@type").ends_with(".MsgUpdateOracle") {
                        let of_genesis = (text(inner, "sender").to_owned(), owned("grantee"));
                        self.grants.insert((of_genesis.0, of_genesis.1, text(inner, "@type").to_owned()), None);
                    }
                    assert!(self.grants.keys().any(|grant| used(&grant)), "nothing granted this: {tx}");
                    self.used += 1;
                }
                _ => {}
            }
        }
    }
}

fn is_before(time: &str, end: &str) -> bool {
    let read = |text: &str| text.parse::<rollscope::domain::Timestamp>().expect("a time");
    read(time) < read(end)
}

/// Blocks half a day apart, so that grants expire.
#[tokio::test]
async fn grants_and_allowances_are_what_transactions_left_of_them() {
    let mut options = super::options(Vm::Evm, 160);
    options.ledger.block_time = Duration::from_secs(43_200);
    let rollup = Rollup::start(options, ANYWHERE).expect("it starts");
    rollup.wait_until_indexed().expect("it indexes");
    let server = Server::of(rollup);
    let mut given = Given::default();
    for tx in all(&server, "/indexer/tx/v1/txs", "txs").await {
        given.take(&tx);
    }
    let block = rest(&server, "/cosmos/base/tendermint/v1beta1/blocks/latest").await;
    let now = text(&block["block"]["header"], "time").to_owned();
    given.grants.retain(|_, end| end.as_deref().is_none_or(|end| is_before(&now, end)));
    given.allowances.retain(|_, (_, end)| is_before(&now, end));
    let (left, all_given) = (given.grants.len() + given.allowances.len(), given.ever);
    assert!(left > 3 && all_given > left + 3 && given.used > 1, "{left} of {all_given} left, {} used", given.used);

    let granters: BTreeSet<&String> = given.grants.keys().map(|(granter, ..)| granter).collect();
    let mut listed = BTreeMap::new();
    for granter in &granters {
        let answer = rest(&server, &format!("/cosmos/authz/v1beta1/grants/granter/{granter}")).await;
        for grant in answer["grants"].as_array().expect("a list") {
            let of = |name: &str| text(grant, name).to_owned();
            let kind = text(&grant["authorization"], "msg").to_owned();
            let end = grant["expiration"].as_str().map(str::to_owned);
            listed.insert((of("granter"), of("grantee"), kind), end);
        }
    }
    assert_eq!(listed, given.grants);
    let (granter, grantee, kind) = given.grants.keys().next().expect("a grant");
    let pair = format!("/cosmos/authz/v1beta1/grants?granter={granter}&grantee={grantee}&msg_type_url=");
    assert_eq!(rest(&server, &format!("{pair}{kind}")).await["grants"].as_array().map(Vec::len), Some(1));
    assert_eq!(server.get(&format!("/node/rest{pair}/a.MsgB")).await.status, 404);
    let nobody = Address::Short([7; 20]).bech32();
    let none = rest(&server, &format!("/cosmos/authz/v1beta1/grants/granter/{nobody}")).await;
    assert_eq!(none, json!({"grants": [], "pagination": {"next_key": null, "total": "0"}}));

    for ((granter, grantee), (left, end)) in &given.allowances {
        let answer = rest(&server, &format!("/cosmos/feegrant/v1beta1/allowance/{granter}/{grantee}")).await;
        let allowance = &answer["allowance"]["allowance"];
        assert_eq!(
            (text(&allowance["spend_limit"][0], "amount"), text(allowance, "expiration")),
            (left.to_string().as_str(), end.as_str())
        );
        let of_grantee = rest(&server, &format!("/cosmos/feegrant/v1beta1/allowances/{grantee}")).await;
        assert!(of_grantee["allowances"].as_array().expect("a list").contains(&answer["allowance"]), "{of_grantee}");
    }
    let none = server.get(&format!("/node/rest/cosmos/feegrant/v1beta1/allowance/{nobody}/{nobody}")).await;
    assert_eq!(none.status, 500, "{}", none.text);
    assert!(none.text.contains("fee-grant not found"), "{}", none.text);
}

/// The events of a kind, with their attributes.
async fn events_of(server: &Server, kind: &str) -> Vec<BTreeMap<String, String>> {
    let txs = all(server, "/indexer/tx/v1/txs", "txs").await;
    let events = txs.iter().flat_map(|tx| tx["events"].as_array().cloned().unwrap_or_default());
    let attribute = |one: &Value| (text(one, "key").to_owned(), text(one, "value").to_owned());
    let attributes = |event: Value| event["attributes"].as_array().expect("a list").iter().map(attribute).collect();
    events.filter(|event| event["type"] == kind).map(attributes).collect()
}

/// The chain keeps a sent packet's commitment until the packet is settled: so REST says, and the RPC alone.
async fn packets_are_pending_until_they_are_settled(server: &Server) {
    let mut sent = BTreeMap::new();
    for event in events_of(server, "send_packet").await {
        let part = |name: &str| event[&format!("packet_{name}")].clone();
        let sequence: u64 = part("sequence").parse().expect("a number");
        let timeout: u64 = part("timeout_timestamp").parse().expect("nanoseconds");
        let hashed = [&timeout.to_be_bytes()[..], &[0; 16], &Sha256::digest(part("data"))].concat();
        sent.insert((part("src_port"), part("src_channel"), sequence), BASE64_STANDARD.encode(Sha256::digest(hashed)));
    }
    let mut open = sent.clone();
    for kind in ["acknowledge_packet", "timeout_packet"] {
        for event in events_of(server, kind).await {
            let part = |name: &str| event[&format!("packet_{name}")].clone();
            let sequence = part("sequence").parse().expect("a number");
            open.remove(&(part("src_port"), part("src_channel"), sequence)).expect("it was sent");
        }
    }
    assert!(!open.is_empty() && open.len() < sent.len(), "{open:?} of {}", sent.len());
    let gate = NodeGate::start(&server.rollup.url(), "/node/rpc");
    let addresses = NodeAddresses { node: gate.url.clone(), ..NodeAddresses::default() };
    let client = NodeClient::find(&addresses, ClientOptions::default(), 4).await.expect("it is a node");
    for (port, channel, sequence) in sent.keys().cloned() {
        let commitment = open.get(&(port.clone(), channel.clone(), sequence));
        let path = format!("/ibc/core/channel/v1/channels/{channel}/ports/{port}/packet_commitments");
        let one = server.get(&format!("/node/rest{path}/{sequence}")).await;
        let listed = rest(server, &format!("{path}?pagination.limit=1000")).await;
        let listed = listed["commitments"].as_array().expect("a list").iter();
        let listed: Vec<_> = listed.filter(|one| text(one, "sequence") == sequence.to_string()).collect();
        match commitment {
            Some(commitment) => {
                assert_eq!(one.json()["commitment"], **commitment, "{channel} #{sequence}");
                assert_eq!(listed.iter().map(|one| text(one, "data")).collect::<Vec<_>>(), [commitment]);
            }
            None => assert_eq!((one.status, listed.len()), (404, 0), "{channel} #{sequence}"),
        }
        let packet = LocalPacket { side: PacketSide::Sent, port, channel, sequence };
        assert_eq!(client.is_packet_pending(&packet).await.ok(), Some(commitment.is_some()), "{packet}");
    }
    let absent = LocalPacket {
        side: PacketSide::Sent,
        port: "transfer".to_owned(),
        channel: "channel-0".to_owned(),
        sequence: 1_000_000,
    };
    assert_eq!(client.is_packet_pending(&absent).await.ok(), Some(false));
}

/// Who has a block's bytes from the RPC knows its transactions by their SHA-256; the RPC finds them by that.
async fn served_bytes_are_found_by_their_hash(server: &Server) {
    let newest = server.json("/indexer/tx/v1/txs?pagination.limit=1").await;
    let height = text(&newest["txs"][0], "height").to_owned();
    let block = server.json(&format!("/node/rpc/block?height={height}")).await;
    let txs = block["result"]["block"]["data"]["txs"].as_array().expect("transactions").clone();
    assert!(!txs.is_empty());
    for (place, bytes) in txs.iter().enumerate() {
        let hash = Sha256::digest(BASE64_STANDARD.decode(bytes.as_str().expect("base64")).expect("base64"));
        let found = server.json(&format!("/node/rpc/tx?hash=0x{}", hex::encode(hash))).await;
        let found = &found["result"];
        assert_eq!((&found["tx"], text(found, "height")), (bytes, height.as_str()));
        assert_eq!((text(found, "hash"), found["index"].as_u64()), (&*hex::encode_upper(hash), Some(place as u64)));
    }
    let unknown = server.get(&format!("/node/rpc/tx?hash=0x{}", "ab".repeat(32))).await;
    assert!(unknown.status == 500 && unknown.text.contains("not found"), "{unknown:?}");
}

#[rstest]
#[case(Vm::Evm)]
#[case(Vm::Move)]
#[case(Vm::Wasm)]
#[tokio::test]
async fn classes_of_bridged_nfts_lead_to_where_they_came_from(#[case] vm: Vm) {
    let server = start(vm, 150);
    packets_are_pending_until_they_are_settled(&server).await;
    served_bytes_are_found_by_their_hash(&server).await;
    let traces = rest(&server, "/ibc/apps/nft_transfer/v1/class_traces").await;
    let classes: BTreeSet<String> =
        events_of(&server, "class_trace").await.into_iter().map(|event| event["class_id"].clone()).collect();
    assert_eq!(classes.len(), usize::from(vm != Vm::Wasm), "{classes:?}");
    assert_eq!(traces["class_traces"].as_array().map(Vec::len), Some(classes.len()), "{traces}");
    let absent = server.get(&format!("/node/rest/ibc/apps/nft_transfer/v1/class_traces/{}", "AB".repeat(32))).await;
    assert_eq!(absent.status, 404);
    for class in classes {
        let hash = class.trim_start_matches("ibc/");
        let answer = rest(&server, &format!("/ibc/apps/nft_transfer/v1/class_traces/{hash}")).await;
        let trace = &answer["class_trace"];
        let whole = format!("{}/{}", text(trace, "path"), text(trace, "base_class_id"));
        assert_eq!(hex::encode_upper(Sha256::digest(whole)), hash);
        if vm != Vm::Evm {
            continue;
        }
        let infos = format!("/node/rest/minievm/evm/v1/erc721/origin_token_infos/{class}?token_ids=");
        let left: BTreeSet<String> =
            events_of(&server, "erc721_burned").await.into_iter().map(|event| event["token_id"].clone()).collect();
        let arrived = events_of(&server, "erc721_minted").await;
        let arrived: Vec<_> = arrived.iter().filter(|event| event.contains_key("token_origin_id")).collect();
        assert!(arrived.len() > 1, "{arrived:?}");
        for event in arrived {
            let answer = server.get(&format!("{infos}{}", event["token_id"])).await;
            if !left.contains(&event["token_id"]) {
                let info = &answer.json()["token_infos"][0];
                assert_eq!(text(info, "token_origin_id"), event["token_origin_id"]);
                assert!(!text(info, "token_uri").is_empty(), "{info}");
            }
        }
        assert_eq!(server.get(&format!("{infos}1")).await.status, 500, "it is none of them");
        assert_eq!(server.get(&infos).await.status, 400);
        let other = infos.replace(&class, &format!("ibc/{}", "AB".repeat(32)));
        assert_eq!(server.get(&format!("{other}1")).await.status, 404);
    }
}

#[tokio::test]
async fn coins_of_the_l1_have_the_metadata_that_its_module_makes() {
    let server = start(Vm::Evm, 20);
    let of = |path: &str| format!("/node/interwoven-1/rest/initia/move/v1/{path}");
    // Known from the real chain.
    let metadata = "0x8e4733bdabcf7d4afc3d14f0dd46c9bf52fb0fce9e4b996c939e195b8bc891d9";
    assert_eq!(server.json(&of("metadata?denom=uinit")).await, json!({ "metadata": metadata }));
    assert_eq!(server.json(&of(&format!("denom?metadata={metadata}"))).await, json!({ "denom": "uinit" }));
    for (path, status) in [("metadata?denom=unobody", 404), ("denom?metadata=0x7", 404), ("denom?metadata=x", 400)] {
        assert_eq!(server.get(&of(path)).await.status, status, "{path}");
    }
    assert_eq!(server.post(&of("view/json"), &json!({})).await.status, 501);
}

#[rstest]
#[case(Vm::Evm, &[("/minievm.evm.v1.Query/Params", "/minievm/evm/v1/params", json!({}))])]
#[case(Vm::Move, &[("/initia.move.v1.Query/Params", "/initia/move/v1/params", json!({}))])]
#[case(Vm::Wasm, &[("/cosmwasm.wasm.v1.Query/Params", "/cosmwasm/wasm/v1/codes/params", json!({}))])]
#[tokio::test]
async fn queries_in_protobuf_say_what_rest_says(#[case] vm: Vm, #[case] own: &[(&str, &str, Value)]) {
    let server = start(vm, 20);
    let wallet = wallet(&server).await.bech32();
    let balances = format!("/cosmos/bank/v1beta1/balances/{wallet}");
    let limited = format!("{balances}?pagination.limit=2&pagination.offset=1");
    let account = format!("/cosmos/auth/v1beta1/accounts/{wallet}");
    let shared = [
        ("/cosmos.bank.v1beta1.Query/AllBalances", balances.as_str(), json!({ "address": wallet })),
        (
            "/cosmos.bank.v1beta1.Query/AllBalances",
            limited.as_str(),
            json!({ "address": wallet, "pagination": { "limit": "2", "offset": "1" } }),
        ),
        ("/cosmos.bank.v1beta1.Query/TotalSupply", "/cosmos/bank/v1beta1/supply", json!({})),
        ("/cosmos.auth.v1beta1.Query/Account", account.as_str(), json!({ "address": wallet })),
        ("/opinit.opchild.v1.Query/Params", "/opinit/opchild/v1/params", json!({})),
        ("/opinit.opchild.v1.Query/BridgeInfo", "/opinit/opchild/v1/bridge_info", json!({})),
        ("/opinit.opchild.v1.Query/Validators", "/opinit/opchild/v1/validators", json!({})),
        ("/ibc.core.channel.v1.Query/Channels", "/ibc/core/channel/v1/channels", json!({})),
        (
            "/ibc.core.channel.v1.Query/PacketCommitments",
            "/ibc/core/channel/v1/channels/channel-0/ports/transfer/packet_commitments",
            json!({ "port_id": "transfer", "channel_id": "channel-0" }),
        ),
        ("/ibc.applications.transfer.v1.Query/DenomTraces", "/ibc/apps/transfer/v1/denom_traces", json!({})),
    ];
    for (method, path, request) in shared.iter().chain(own) {
        let data = hex::encode(proto::encode_request(method, request).expect("it is in the table"));
        let question = json!({
            "jsonrpc": "2.0", "id": 1, "method": "abci_query", "params": { "path": method, "data": data },
        });
        let answer = server.post("/node/rpc", &question).await.json();
        let response = &answer["result"]["response"];
        assert_eq!((&response["code"], &response["log"]), (&json!(0), &json!("")), "{method}: {answer}");
        let bytes = BASE64_STANDARD.decode(response["value"].as_str().unwrap_or_default()).expect("base64");
        let read = proto::decode_answer(method, &bytes).expect("it is in the table");
        let said = rest(&server, path).await;
        for (name, value) in said.as_object().expect("an object") {
            assert_eq!(&read[name], value, "{method} {name}");
        }
    }
    let unknown = server.json("/node/rpc/abci_query?path=%22/a.Query/B%22").await;
    assert_eq!(unknown["result"]["response"]["code"], 6);
    let method = "/cosmos.auth.v1beta1.Query/Account";
    for (address, code, beginning) in [
        (Address::Short([7; 20]).bech32(), 22, "rpc error: code = NotFound desc = "),
        ("init1nobody".to_owned(), 18, "rpc error: code = InvalidArgument desc = "),
    ] {
        let data = hex::encode(proto::encode_request(method, &json!({ "address": address })).expect("in the table"));
        let refused = server.json(&format!("/node/rpc/abci_query?path=%22{method}%22&data=0x{data}")).await;
        let response = &refused["result"]["response"];
        assert_eq!(response["code"], code, "{response}");
        assert!(text(response, "log").starts_with(beginning), "{response}");
    }
}
