//! What clients ask besides routes: balances, what an asset is elsewhere, a route with its messages at once.

use super::*;

#[tokio::test]
async fn balances_are_those_that_the_chains_have() {
    let demo = Demo::start(Vm::Evm);
    let here = demo.chain_id().await;
    let (wallet, ethereum) = (demo.wallet(&here).await, demo.wallet(ETHEREUM).await);
    let init = demo.denom(&here, "INIT", 6).await;
    let body = json!({ "chains": {
        (here.as_str()): { "address": wallet, "denoms": [init, "unknown"] },
        (L1): { "address": demo.wallet(L1).await },
        ETHEREUM: { "address": ethereum.to_lowercase(), "denoms": [USDC_ON_ETHEREUM] },
    } });
    let answer = demo.good("/v2/info/balances", &body).await["chains"].clone();
    let held = demo.balance(&here, &init).await;
    let mine = &answer[&here]["denoms"];
    assert_eq!((&mine[&init]["amount"], &mine[&init]["decimals"]), (&json!(held.to_string()), &json!(6)));
    assert!(mine["unknown"]["error"]["message"].as_str().is_some_and(|why| why.contains("unknown")), "{mine}");
    assert!(mine["unknown"].get("amount").is_none(), "what is not known is no zero");
    let usdc = &answer[ETHEREUM]["denoms"][USDC_ON_ETHEREUM];
    let dollars = demo.balance(ETHEREUM, USDC_ON_ETHEREUM).await;
    assert_eq!(usdc["amount"], json!(dollars.to_string()), "whatever the case of the address");
    let formatted: f64 = usdc["formatted_amount"].as_str().unwrap().parse().unwrap();
    let worth: f64 = usdc["value_usd"].as_str().unwrap().parse().unwrap();
    let price: f64 = usdc["price"].as_str().unwrap().parse().unwrap();
    assert!((formatted * price - worth).abs() < 0.02, "{usdc}");
    let all = answer[L1]["denoms"].as_object().unwrap();
    assert!(all.len() > 3 && all.values().all(|one| one["amount"] != "0"), "all that are not zero: {all:?}");
    for (chain, address) in [(L1, "0x12"), (ETHEREUM, wallet.as_str()), ("celestia", wallet.as_str())] {
        let (code, answer) =
            demo.post("/v2/info/balances", &json!({ "chains": { (chain): { "address": address } } })).await;
        assert_eq!(code, 400, "{answer}");
        assert!(answer["message"].as_str().unwrap().contains(chain), "{answer}");
    }
    for chain in ["", "nobody-1"] {
        let (code, answer) =
            demo.post("/v2/info/balances", &json!({ "chains": { (chain): { "address": wallet } } })).await;
        assert_eq!(code, 404, "{answer}");
        assert!(answer["message"].as_str().unwrap().starts_with("chain ID not supported"), "{answer}");
    }
}

#[tokio::test]
async fn what_an_asset_can_become_is_what_routes_exist_to() {
    let demo = Demo::start(Vm::Evm);
    let from = json!({ "source_asset_chain_id": L1, "source_asset_denom": "uinit", "allow_multi_tx": false });
    let reach = demo.good("/v2/fungible/assets_from_source", &from).await["dest_assets"].clone();
    let (_, listed) = demo.get("/v2/fungible/assets").await;
    let (mut routed, mut refused) = (0, 0);
    for (chain, list) in listed["chain_to_assets_map"].as_object().unwrap() {
        for asset in list["assets"].as_array().unwrap() {
            if chain == L1 && asset["denom"] == "uinit" {
                continue;
            }
            let is_reached = reach[chain]["assets"].as_array().is_some_and(|assets| assets.contains(asset));
            let ask = json!({
                "amount_in": "2000000", "source_asset_chain_id": L1, "source_asset_denom": "uinit",
                "dest_asset_chain_id": chain, "dest_asset_denom": asset["denom"], "allow_unsafe": true,
            });
            let (code, answer) = demo.post("/v2/fungible/route", &ask).await;
            assert_eq!(code != 404, is_reached, "{chain} {}: {answer}", asset["denom"]);
            if is_reached { routed += 1 } else { refused += 1 }
        }
    }
    assert!(routed > 10 && refused > 0, "{routed} {refused}");
}

#[tokio::test]
async fn an_asset_is_recommended_where_it_is_the_same_one() {
    let demo = Demo::start(Vm::Evm);
    let here = demo.chain_id().await;
    let query =
        |chain: &str| json!({ "source_asset_chain_id": L1, "source_asset_denom": "uinit", "dest_chain_id": chain });
    let body = json!({ "requests": [query(&here), query("nowhere-1")] });
    let answer = demo.good("/v2/fungible/recommend_assets", &body).await;
    let entries = answer["recommendation_entries"].as_array().unwrap();
    let assets = entries[0]["recommendations"].as_array().unwrap();
    assert!(!assets.is_empty() && assets.iter().all(|one| one["asset"]["symbol"] == "INIT"), "{answer}");
    assert!(entries[1]["error"]["message"].as_str().unwrap().contains("nowhere-1"), "{answer}");
    let usdc = json!({ "assets": [{ "chain_id": L1, "denom": USDC_ON_L1 }, { "chain_id": L1, "denom": "unknown" }] });
    let origins = demo.good("/v2/fungible/ibc_origin_assets", &usdc).await["origin_assets"].clone();
    assert_eq!((&origins[0]["asset_found"], &origins[0]["asset"]["symbol"]), (&json!(true), &json!("USDC")));
    assert_ne!(origins[0]["asset"]["chain_id"], L1, "where it comes from");
    assert_eq!((&origins[1]["asset_found"], &origins[1]["asset"]), (&json!(false), &json!(null)));
    let (_, venues) = demo.get("/v2/fungible/venues").await;
    let names: Vec<&Value> = venues["venues"].as_array().unwrap().iter().map(|venue| &venue["name"]).collect();
    assert!(names.contains(&&json!("initia-dex")), "{names:?}");
}

#[tokio::test]
async fn a_route_comes_with_its_messages_and_these_can_be_sent() {
    let demo = Demo::start(Vm::Move);
    let here = demo.chain_id().await;
    let denom = demo.denom(&here, "INIT", 6).await;
    let mut ask = json!({
        "amount_in": "5000000", "source_asset_chain_id": L1, "source_asset_denom": "uinit",
        "dest_asset_chain_id": here, "dest_asset_denom": denom,
        "chain_ids_to_addresses": { (L1): demo.wallet(L1).await },
    });
    let (code, answer) = demo.post("/v2/fungible/msgs_direct", &ask).await;
    assert!(code == 400 && answer["message"].as_str().unwrap().contains(&here), "{answer}");
    ask["chain_ids_to_addresses"][&here] = json!(demo.wallet(&here).await);
    let answer = demo.good("/v2/fungible/msgs_direct", &ask).await;
    assert_eq!(answer["route"]["amount_out"], "5000000");
    let story = demo.follow(&demo.broadcast(&answer, 0).await).await;
    assert_eq!(story.release(), (here.as_str(), denom.as_str(), "5000000", true));
}
