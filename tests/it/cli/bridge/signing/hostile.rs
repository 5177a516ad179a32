//! A router that lies, played to `route` and `msgs --sign`: nothing is offered, and the refusal names both values.

use std::{
    sync::{Arc, OnceLock},
    time::Duration,
};

use rollscope::domain::{Timestamp, Vm};
use serde_json::{Value, json};

use super::{AtNode, RECORDED, Signing, node_answer, own_networks};
use crate::cli::{
    bridge::{asking, file, fixture, json_answer, router_of},
    chain::Chain,
    parse,
    program::{Home, run},
};
use crate::harness::{player::NodePlayer, recording::Recording, replay::Answer};

const NOBLE: &str = "noble10jr5un2e6jnpyaqqhzsq9j4luu0l4rg5s3qutv";

/// Recorded quote of a transfer, and the messages that were given for it.
struct Scene {
    route: String,
    msgs: String,
    /// The router's list of assets.
    assets: String,
}

impl Scene {
    /// One transaction over two IBC channels, which times out in five minutes.
    fn packets() -> Self {
        let ends = Timestamp::now().after(Duration::from_secs(300)).as_nanos().to_string();
        let msgs = fixture("msgs-ibc-multihop-cosmos-tx-composed").replace("1763720400000000000", &ends);
        Self { route: fixture("route-ibc-multihop-composed"), msgs, assets: fixture("assets-initia-composed") }
    }

    /// A deposit of 15 INIT into the rollup of bridge 12.
    fn deposit() -> Self {
        let [route, msgs, assets] =
            ["route-op-deposit-composed", "msgs-gas-warning-composed", "assets-initia-composed"].map(fixture);
        Self { route, msgs, assets }
    }

    fn route(self, from: &str, to: &str) -> Self {
        assert!(self.route.contains(from), "{from}");
        Self { route: self.route.replacen(from, to, 1), ..self }
    }

    fn msgs(self, from: &str, to: &str) -> Self {
        assert!(self.msgs.contains(from), "{from}");
        Self { msgs: self.msgs.replace(from, to), ..self }
    }

    /// The command, with the addresses that the route requires.
    fn sign(&self) -> Signing {
        self.sign_on(Home::with_config(&own_networks("")), "")
    }

    fn sign_on(&self, home: Home, network: &str) -> Signing {
        let (msgs, assets) = (self.msgs.clone(), self.assets.clone());
        let required = parse(&self.route)["required_chain_addresses"].as_array().cloned().unwrap_or_default();
        let (url, chains): (Arc<OnceLock<String>>, _) = (Arc::default(), required.clone());
        let known = Arc::clone(&url);
        let router = Chain::scripted(move |seen| match seen.target.split('?').next().unwrap_or_default() {
            "/v2/fungible/msgs" => Answer::json(&msgs),
            "/v2/fungible/assets" => Answer::json(&assets),
            "/v2/info/chains" => {
                let rest = format!("{}/rest", known.get().map(String::as_str).unwrap_or_default());
                let chain =
                    |id: &Value| json!({"chain_id": id, "chain_type": "cosmos", "bech32_prefix": "init", "rest": rest});
                Answer::json(json!({"chains": chains.iter().map(chain).collect::<Vec<_>>()}).to_string())
            }
            _ => node_answer(seen, &AtNode::Takes),
        });
        url.set(router.url().to_owned()).expect("it was not known before");
        let route = file(&home, "route.json", &self.route);
        let address = |chain: &Value| {
            let address = if chain == "noble-1" { NOBLE } else { RECORDED };
            format!("--address {}={address}", chain.as_str().unwrap_or_default())
        };
        let addresses: Vec<String> = required.iter().map(address).collect();
        let arguments = format!(
            "msgs --route {route} {} --sign --accept-wait {network} --router {}",
            addresses.join(" "),
            router.url()
        );
        let mut signing = Signing::start(&home, &arguments);
        signing.keep(home, router);
        signing
    }

    fn refused(&self) -> String {
        let (status, out, err) = self.sign().end();
        assert_eq!((status, out.as_str()), (Some(1), ""), "{err}");
        assert!(err.contains("nothing signed") && !err.contains("http://127.0.0.1"), "no page is offered: {err}");
        err
    }
}

#[test]
fn an_honest_packet_is_offered() {
    let mut signing = Scene::packets().sign();
    signing.hear(&format!("You send 25 USDC to yourself over channel-0, and on to {NOBLE} over channel-3 (3 tries of"));
    signing.kill();
}

#[test]
fn a_memo_with_a_second_destination_is_refused() {
    let evil = r#"{\\\"forward\\\":{\\\"receiver\\\":\\\"noble1evil\\\",\\\"port\\\":\\\"transfer\\\"}}"#;
    let merged = format!(r#"{{\\\"forward\\\":{{\\\"next\\\":{evil}}},\\\"forward\\\":{{"#);
    let err = Scene::packets().msgs(r#"{\\\"forward\\\":{"#, &merged).refused();
    assert!(err.contains("a memo with the key “forward” twice in one object"), "{err}");
    let err = Scene::packets().msgs(r#"\\\"next\\\":null"#, r#"\\\"next\\\":{},\\\"next\\\":null"#).refused();
    assert!(err.contains("a memo with the key “next” twice in one object"), "{err}");
    let err = Scene::packets().msgs(r#"\"sender\":"#, r#"\"sender\":\"init1evil\",\"sender\":"#).refused();
    assert!(err.contains("the MsgTransfer has the key “sender” twice in one object"), "{err}");
}

#[test]
fn waits_without_bounds_and_a_receiver_with_a_blank_are_refused() {
    let err = Scene::packets().msgs(r#"\\\"retries\\\":2"#, r#"\\\"retries\\\":250"#).refused();
    assert!(err.contains("the forward tries 250 more times; rollscope signs for 30 seconds to a day"), "{err}");
    let scene = Scene::packets();
    let late = scene.msgs.split("timeout_timestamp\\\":").nth(1).unwrap_or_default()[..19].to_owned();
    let err = scene.msgs(&late, "7258118400000000000").refused();
    assert!(err.contains("the packet ends at 2200-01-01 00:00:00 UTC"), "{err}");
    let receiver = format!(r#"\"receiver\":\"{RECORDED}\""#);
    let blank = format!(r#"\"receiver\":\"{RECORDED} \""#);
    let err = Scene::packets().msgs(&receiver, &blank).refused();
    assert!(err.contains(&format!("the recipient is {RECORDED} , not {RECORDED}")), "{err}");
}

#[test]
fn a_route_that_answers_another_question_is_not_printed() {
    let honest = fixture("route-op-deposit-composed");
    for (from, to, why) in [
        (r#""amount_in":"15000000""#, r#""amount_in":"150000000""#, "the amount is 150000000, not 15000000"),
        (r#""amount_out":"15000000""#, r#""amount_out":"105000000""#, "is 105000000, not 15000000"),
        (r#"_denom":"uinit""#, r#"_denom":"uusdc""#, "the source denom is uusdc, not uinit"),
        (r#"_chain_id":"civitia-1""#, r#"_chain_id":"evil-1""#, "the destination chain is evil-1, not civitia-1"),
        (r#"_chain_id":"interwoven-1""#, r#"_chain_id":"evil-1""#, "the source chain is evil-1, not interwoven-1"),
    ] {
        assert!(honest.contains(from), "{from}");
        let answer = honest.replace(from, to);
        let router = router_of(vec![("/v2/fungible/route", json_answer(200, answer))]);
        for format in ["json", "table"] {
            let error = run(&format!("{} --format {format} --router {}", asking(&honest), router.url())).bad(1);
            assert!(error.contains("the router answered another question: ") && error.contains(why), "{error}");
        }
    }
}

#[test]
fn messages_and_routes_that_do_not_fit_each_other_are_refused() {
    let err = Scene::packets().msgs(r#"\"amount\":\"25000000\""#, r#"\"amount\":\"1500000\""#).refused();
    assert!(err.contains("the transaction sends only 1500000; the quote sends 25000000"), "{err}");
    let err = Scene::packets().msgs(r#"\"amount\":\"25000000\""#, r#"\"amount\":\"250000000\""#).refused();
    assert!(err.contains("the transaction sends 250000000; the quote sends 25000000"), "{err}");
    let err = Scene::packets().route(r#""amount_out":"25000000""#, r#""amount_out":"175000000""#).refused();
    assert!(err.contains("175000000") && err.contains("25000000"), "{err}");
    let chains = r#"["echelon-1","interwoven-1","noble-1"]"#;
    let listed = |chains: &str| format!(r#""required_chain_addresses":{chains}"#);
    let swapped = listed(r#"["interwoven-1","echelon-1","noble-1"]"#);
    let err = Scene::packets().route(&listed(chains), &swapped).refused();
    assert!(err.contains("the first required address is interwoven-1, not echelon-1"), "{err}");
}

#[test]
fn a_bridge_and_decimals_against_the_registry_are_refused() {
    let mut honest = Scene::deposit().sign();
    honest.hear("Deposit 15 INIT");
    honest.kill();
    let other = |scene: Scene| Scene {
        route: scene.route.replace(r#""op_init_bridge_id":"12""#, r#""op_init_bridge_id":"78""#),
        msgs: scene.msgs.replace(r#"\"bridge_id\":\"12\""#, r#"\"bridge_id\":\"78\""#),
        ..scene
    };
    let err = other(Scene::deposit()).refused();
    assert!(err.contains("the route goes over bridge 78, but bridge 12 is the bridge of civitia-1"), "{err}");
    for (denom, chain) in [
        ("uinit", "interwoven-1"),
        ("l2/2b2d36f666e98b9eecf70d6ec24b882b79f2c8e2af73f54f97b8b670dbb87605", "civitia-1"),
    ] {
        let list = json!({"chain_to_assets_map": {chain: {"assets": [
            {"denom": denom, "chain_id": chain, "symbol": "INIT", "decimals": 8},
        ]}}});
        let err = Scene { assets: list.to_string(), ..Scene::deposit() }.refused();
        assert!(err.contains("with 8 decimals, but the known decimals are 6"), "{err}");
    }
}

#[test]
fn a_channel_that_leads_elsewhere_by_the_registry_is_refused() {
    // Consistent in route and messages: channel-71 of the L1 leads to Osmosis, and channel-3 to Noble.
    let other = Scene::packets().route(r#""channel":"channel-3""#, r#""channel":"channel-71""#);
    let err = other.msgs("channel-3", "channel-71").refused();
    assert!(err.contains("channel-71 of interwoven-1 to noble-1, but that channel leads to osmosis-1"), "{err}");
}

#[test]
fn a_channel_that_only_the_router_knows_needs_its_own_yes_and_stays_marked() {
    let unknown = || {
        let scene = Scene::packets().route(r#""channel":"channel-3""#, r#""channel":"channel-999""#);
        let scene = scene.msgs("channel-3", "channel-999");
        // Over another channel, the coin arrives as a voucher.
        Scene { route: scene.route.replace("\"uusdc\"", &format!("\"{VOUCHER}\"")), ..scene }
    };
    let arrives = format!("--accept arrives:noble-1:{VOUCHER}");
    let unknown_on = |more: &str| unknown().sign_on(Home::with_config(&own_networks("")), &format!("{arrives} {more}"));
    let err = unknown().refused();
    let why = "only the router says that channel-999 of interwoven-1 leads to noble-1";
    assert!(err.contains(&format!("{why}; to accept this, add --accept-connection interwoven-1:channel-999")), "{err}");
    let (_, _, err) = unknown_on("--accept-connection interwoven-1:channel-99").end();
    assert!(err.contains("nothing signed") && !err.contains("http://127.0.0.1"), "another channel's yes: {err}");
    let mut accepted = unknown_on("--accept-connection interwoven-1:channel-999");
    accepted.hear(&format!("Arrives   unknown; the router says at least 25,000,000 {VOUCHER}"));
    accepted.hear(&format!("Unproven  {why}"));
    accepted.kill();
    let scene = Scene::packets().route(r#""channel":"channel-3""#, r#""channel":"channel-999""#);
    let err = scene.msgs("channel-3", "channel-999").refused();
    assert!(err.contains("is a voucher of ibc/6490") && err.contains("but the router says uusdc"), "{err}");
}

/// Voucher of nothing known.
const VOUCHER: &str = "ibc/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";
/// What bridge 77 makes of `uusdc`.
const BRIDGED: &str = "l2/fd11fe0e884a7ab6ee33c3b31de41b9d8d9619ee2f7154e466730665465ca5cb";

const MINE: &str = r#"[[networks]]
name = "mine"
chain_id = "mine-1"
indexer = "http://127.0.0.1:1"
bridge_id = 77
fees = [{ denom = "uinit", price = "0.015" }]
"#;

/// Withdrawal of 100,000,000 smallest units of a token from `mine-1`: route, messages and the router's decimals.
fn withdrawal(denom: &str, decimals: u8) -> (Value, Scene) {
    let route = json!({
        "amount_in": "100000000", "amount_out": "100000000", "source_asset_chain_id": "mine-1",
        "source_asset_denom": denom, "dest_asset_chain_id": "interwoven-1", "dest_asset_denom": "uusdc",
        "operations": [{"op_init_transfer": {"from_chain_id": "mine-1", "to_chain_id": "interwoven-1",
            "denom_in": denom, "denom_out": "uusdc", "op_init_bridge_id": "77"}, "tx_index": 0,
            "amount_in": "100000000", "amount_out": "100000000"}],
        "required_chain_addresses": ["mine-1", "interwoven-1"], "chain_ids": ["mine-1", "interwoven-1"],
        "does_swap": false, "required_op_hook": false,
    });
    let message = json!({"sender": RECORDED, "to": RECORDED, "amount": {"denom": denom, "amount": "100000000"}});
    let msgs = json!({"txs": [{"cosmos_tx": {"chain_id": "mine-1", "path": [], "signer_address": RECORDED, "msgs": [
        {"msg": message.to_string(), "msg_type_url": "/opinit.opchild.v1.MsgInitiateTokenWithdrawal"}]}}]});
    let asset = json!({"denom": denom, "chain_id": "mine-1", "symbol": "USDC", "decimals": decimals});
    let assets = json!({"chain_to_assets_map": {"mine-1": {"assets": [asset]}}});
    let scene = Scene { route: route.to_string(), msgs: msgs.to_string(), assets: assets.to_string() };
    (route, scene)
}

#[test]
fn decimals_of_the_chains_own_bank_win_over_the_routers() {
    let player = NodePlayer::start(&Recording::fixture("miniwasm-0.7", Vm::Wasm));
    player.change(|stage| (stage.chain_id, stage.has_rest) = ("mine-1".to_owned(), false));
    let settings = format!("{MINE}node = \"{}\"\n", player.addresses().node);
    let sign = |denom: &str, decimals: u8| {
        let scene = withdrawal(denom, decimals).1;
        let arrives = "-n mine --accept arrives:interwoven-1:uusdc";
        scene.sign_on(Home::with_config(&(own_networks("") + &settings)), arrives)
    };
    let gold = "factory/init12rexsld28l6z7zsnsxxngt0hez0tkhxcxgwsyw/gold";
    let (_, out, err) = sign(gold, 8).end();
    let refusal = format!("the router lists {gold} with 8 decimals, but the known decimals are 6");
    assert!(out.is_empty() && err.contains(&refusal), "{err}");
    let mut honest = sign(gold, 6);
    // Anyone can issue a token of this name.
    honest.hear(&format!("Withdraw 100 “GOLD” (exactly 100,000,000 {gold}) to Initia"));
    honest.kill();
    // A module made the metadata of a bridged token: its 0 decimals contradict nobody.
    let mut marked = sign(BRIDGED, 8);
    marked.hear("Withdraw 1 “USDC” by the router's units to Initia");
    marked.hear(&format!("Sends     1 “USDC” (by the router's units; exactly 100,000,000 {BRIDGED})"));
    marked.kill();
}

#[test]
fn decimals_of_the_settings_win_over_the_routers() {
    let settings = format!("{MINE}tokens = [{{ denom = \"{BRIDGED}\", symbol = \"COIN\", decimals = 6 }}]\n");
    let (route, _) = withdrawal(BRIDGED, 8);
    let sign_on = |settings: &str, route: &Value, decimals: u8| {
        let scene = Scene { route: route.to_string(), ..withdrawal(BRIDGED, decimals).1 };
        scene.sign_on(Home::with_config(&(own_networks("") + settings)), "-n mine")
    };
    let sign = |route: &Value, decimals: u8| sign_on(&settings, route, decimals);
    let (_, _, err) = sign(&route, 8).end();
    assert!(
        err.contains(&format!("the router lists {BRIDGED} with 8 decimals, but the known decimals are 6")),
        "{err}"
    );
    let mut honest = sign(&route, 6);
    honest.hear("Withdraw 100 COIN");
    honest.kill();
    let mut marked = sign_on(MINE, &route, 8);
    marked.hear("Withdraw 1 “USDC” by the router's units to Initia");
    marked.hear(&format!("Sends     1 “USDC” (by the router's units; exactly 100,000,000 {BRIDGED})"));
    marked.kill();
    // With an indexer alone, nobody but the router tells bridge, units and price: the first and the last ask.
    let alone: String =
        MINE.split_inclusive('\n').filter(|line| !line.starts_with("bridge") && !line.starts_with("fees")).collect();
    let sign_alone = |more: &str| {
        let scene = withdrawal(BRIDGED, 8).1;
        scene.sign_on(Home::with_config(&(own_networks("") + &alone)), &format!("-n mine {more}"))
    };
    let (_, _, err) = sign_alone("").end();
    let unproven = "only the router says that bridge 77 leads from mine-1 to interwoven-1";
    assert!(err.contains(&format!("{unproven}; to accept this, add --accept-connection mine-1:bridge-77")), "{err}");
    let accepted = "--accept-connection mine-1:bridge-77";
    let mut asked = sign_alone(accepted);
    asked.hear("only the router states the gas price of mine-1: confirm at a terminal, or add --accept-fee ");
    let (status, out, err) = asked.end();
    assert!(status == Some(1) && out.is_empty() && !err.contains("Sends"), "{err}");
    let mut marked = sign_alone(&format!("{accepted} --accept-fee 2101uinit --accept-fee 140002umin"));
    marked.hear(&format!("Unproven  {unproven}"));
    marked.kill();
    let mut other = route.clone();
    other["operations"][0]["op_init_transfer"]["op_init_bridge_id"] = json!("78");
    let (_, _, err) = sign(&other, 6).end();
    assert!(err.contains("the route goes over bridge 78, but bridge 77 is the bridge of mine-1"), "{err}");
}

#[test]
fn the_settings_of_a_network_that_was_not_chosen_count_against_the_router() {
    let (mut route, scene) = withdrawal(BRIDGED, 6);
    let settings = own_networks("") + MINE;
    let sign = |route: &Value| {
        let scene = Scene { route: route.to_string(), msgs: scene.msgs.clone(), assets: scene.assets.clone() };
        scene.sign_on(Home::with_config(&settings), "")
    };
    let mut honest = sign(&route);
    honest.hear("Over      bridge 77 from mine to Initia, known without the router");
    honest.kill();
    route["operations"][0]["op_init_transfer"]["op_init_bridge_id"] = json!("78");
    let (_, _, err) = sign(&route).end();
    assert!(err.contains("the route goes over bridge 78, but bridge 77 is the bridge of mine-1"), "{err}");
}
