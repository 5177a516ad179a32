//! The messages of a route, and what of a request for them is refused.

use alloy_primitives::{hex, keccak256};
use rollscope::{
    demo::router::hook::sign_bytes,
    wire::{
        RawJson,
        router::{CosmosMessage, OpHookRequest, Operation, RouterTxKind},
    },
};
use serde_json::{Value, json};

use super::*;

fn cosmos(response: &MsgsResponse, place: usize) -> Vec<(String, Value)> {
    let RouterTxKind::Cosmos { msgs, .. } = &response.txs[place].kind else { panic!("a Cosmos transaction") };
    let read = |one: &CosmosMessage| {
        (one.msg_type_url.as_received().to_owned(), serde_json::from_str(one.msg.as_received()).expect("JSON"))
    };
    msgs.iter().map(read).collect()
}

fn routed(world: &RouterWorld, ask: &RouteRequest) -> Route {
    world.route(ask, now()).unwrap_or_else(|error| panic!("{error}"))
}

fn made(world: &RouterWorld, ask: &RouteRequest) -> MsgsResponse {
    msgs(world, &routed(world, ask)).unwrap_or_else(|error| panic!("{error}")).0
}

#[test]
fn packets_carry_what_comes_after_them() {
    let world = world(Vm::Evm);
    let local = denom(&world, EVM_ROLLUP, "INIT", 18);
    let there = denom(&world, "rollscope-wasm-1", "INIT", 6);
    let ask = request((EVM_ROLLUP, &local), ("rollscope-wasm-1", &there), 3_000_000_000_000_000_000);
    let response = made(&world, &ask);
    let messages = cosmos(&response, 0);
    let urls: Vec<_> = messages.iter().map(|(url, _)| url.as_str()).collect();
    let (call, transfer) = ("/minievm.evm.v1.MsgCall", "/ibc.applications.transfer.v1.MsgTransfer");
    assert_eq!(urls, [call, call, transfer]);
    let selector = hex::encode_prefixed(&keccak256("toRemote(address,string,uint256)")[..4]);
    assert!(messages[1].1["input"].as_str().unwrap().starts_with(&selector));
    let transfer = &messages[2].1;
    assert_eq!(transfer["token"], json!({ "denom": denom(&world, EVM_ROLLUP, "INIT", 6), "amount": "3000000" }));
    assert_eq!(transfer["timeout_timestamp"].to_string(), "1772366700000000000");
    let memo: Value = serde_json::from_str(transfer["memo"].as_str().unwrap()).unwrap();
    let action = &memo["move"]["message"];
    assert_eq!((&action["module_name"], &action["function_name"]), (&json!("swap_router"), &json!("swap_and_deposit")));
    assert_eq!(action["args"].as_array().unwrap().len(), 7);
    assert_eq!(response.msgs.len(), 3, "the older form has one entry for each message");
    assert!(response.msgs[2].get().contains("multi_chain_msg"));
    let tia = denom(&world, EVM_ROLLUP, "TIA", 6);
    let on_l1 = denom(&world, L1, "TIA", 6);
    let forwarded = made(&world, &request((EVM_ROLLUP, &tia), (L1, &on_l1), 5));
    let memo: Value = serde_json::from_str(cosmos(&forwarded, 0)[0].1["memo"].as_str().unwrap()).unwrap();
    assert_eq!((&memo["forward"]["channel"], &memo["forward"]["next"]), (&json!("channel-86"), &Value::Null));
    assert_eq!(memo["forward"]["receiver"].as_str(), world.wallet_address(&ChainId::new(L1)));
}

#[test]
fn swaps_say_the_least_that_they_take() {
    let world = world(Vm::Move);
    let route = routed(&world, &request((L1, "uinit"), (L1, USDC_ON_L1), 90_000_000_000));
    let (response, _) = msgs(&world, &route).unwrap();
    let least = response.min_amount_out.unwrap();
    assert_eq!(least, rollscope::domain::Slippage::DEFAULT.least_of(route.amount_out));
    let (url, swap) = &cosmos(&response, 0)[0];
    assert_eq!((url.as_str(), &swap["function_name"]), ("/initia.move.v1.MsgExecute", &json!("swap_script")));
    // The object of the L1's own coin, and the amount: as in real transactions.
    assert_eq!(swap["args"][1], "jkczvavPfUr8PRTw3UbJv1L7D86eS5lsk54ZW4vIkdk=");
    assert_eq!(swap["args"][2], "AARr9BQAAAA=");
}

#[test]
fn withdrawals_and_sends_are_plain() {
    let world = world(Vm::Wasm);
    let rollup = world.rollup().chain_id;
    let init = denom(&world, rollup, "INIT", 6);
    let ask = RouteRequest { is_op_withdraw: Some(true), ..request((rollup, &init), (L1, "uinit"), 7) };
    let wallet = world.rollup().wallet.bech32();
    let (url, body) = cosmos(&made(&world, &ask), 0).remove(0);
    assert_eq!(url, "/opinit.opchild.v1.MsgInitiateTokenWithdrawal");
    assert_eq!(body, json!({ "sender": wallet, "to": wallet, "amount": { "denom": init, "amount": "7" } }));
    let mut send = msgs_request(&world, &routed(&world, &request((L1, "uinit"), (L1, "uinit"), 9)));
    let other = "init1gz9n8jnu9fgqw7vem9ud67gqjk5q4m2w0aejne".to_owned();
    send.address_list = vec![wallet.clone(), other.clone()];
    let (response, plans) = world.msgs(&send, now()).unwrap();
    let (url, body) = cosmos(&response, 0).remove(0);
    assert_eq!(url, "/cosmos.bank.v1beta1.MsgSend");
    let amount = json!([{ "denom": "uinit", "amount": "9" }]);
    assert_eq!(body, json!({ "from_address": wallet, "to_address": other, "amount": amount }));
    assert_eq!((&plans[0].steps[0].sender, &plans[0].steps[0].receiver), (&wallet, &other));
}

#[test]
fn evm_transactions_have_real_call_data() {
    let world = world(Vm::Evm);
    for (go_fast, signature, value) in [
        (Some(false), "relayTransfer(uint256,uint32,bytes32,address,uint256,string)", "90000000000000"),
        (Some(true), "submitOrder(bytes32,bytes32,uint256,uint256,uint32,uint64,bytes)", "40000000000000"),
    ] {
        let ask = RouteRequest { go_fast, ..request((ETHEREUM, USDC_ON_ETHEREUM), (L1, USDC_ON_L1), 500_000_000) };
        let response = made(&world, &ask);
        let RouterTxKind::Evm { data, value: wei, approvals, to, .. } = &response.txs[0].kind else { panic!("EVM") };
        assert!(data.as_received().starts_with(&hex::encode(&keccak256(signature)[..4])), "{data:?}");
        assert_eq!(
            (wei.as_received(), &approvals[0].spender, approvals[0].amount.as_received()),
            (value, to, "500000000")
        );
        assert_eq!(response.txs[0].operations_indices, [0, 1]);
        assert_eq!(response.min_amount_out, Some(routed(&world, &ask).amount_out));
    }
}

/// A request for the messages of a wrapped deposit, and the world it is for.
fn deposit() -> (RouterWorld, MsgsRequest) {
    let world = world(Vm::Evm);
    let wrapped = denom(&world, EVM_ROLLUP, "INIT", 18);
    let route = routed(&world, &request((L1, "uinit"), (EVM_ROLLUP, &wrapped), 5_000_000));
    let request = msgs_request(&world, &route);
    (world, request)
}

fn refusal(world: &RouterWorld, request: &MsgsRequest, now: Timestamp) -> String {
    let error = world.msgs(request, now).map(|_| ()).expect_err("a refusal");
    assert_eq!(error.status, 400, "{error}");
    error.message
}

#[test]
fn the_hook_goes_with_the_deposit_as_object_or_text() {
    let (world, mut request) = deposit();
    for hook in [request.signed_op_hook.clone(), Some(SignedOpHook::Text(SIGNED.to_owned()))] {
        request.signed_op_hook = hook;
        let (response, _) = world.msgs(&request, now()).unwrap();
        let (url, body) = cosmos(&response, 0).remove(0);
        assert_eq!((url.as_str(), &body["data"]), ("/opinit.ophost.v1.MsgInitiateTokenDeposit", &json!(SIGNED)));
        assert_eq!(body["bridge_id"], "77");
    }
    request.signed_op_hook = None;
    assert!(refusal(&world, &request, now()).contains("needs a signed hook"));
    request.signed_op_hook = Some(SignedOpHook::Text("%%".to_owned()));
    assert!(refusal(&world, &request, now()).contains("base64"));
    let other = SignedOpHook::object("init1gz9n8jnu9fgqw7vem9ud67gqjk5q4m2w0aejne", SIGNED).unwrap();
    request.signed_op_hook = Some(other);
    assert!(refusal(&world, &request, now()).contains("must be the recipient"));
}

#[test]
fn addresses_are_checked_in_their_order() {
    let world = world(Vm::Evm);
    let ask =
        RouteRequest { go_fast: Some(false), ..request((ETHEREUM, USDC_ON_ETHEREUM), (L1, USDC_ON_L1), 500_000_000) };
    let good = msgs_request(&world, &routed(&world, &ask));
    let [evm, noble, init] = [0, 1, 2].map(|place| good.address_list[place].clone());
    let with = |list: &[&str]| {
        let address_list = list.iter().map(|text| (*text).to_owned()).collect();
        refusal(&world, &MsgsRequest { address_list, ..good.clone() }, now())
    };
    assert!(
        with(&[&evm, &noble]).contains("has 2 addresses, but needs 3, in this order: 31337, noble-1, interwoven-1")
    );
    assert!(with(&[&init, &noble, &init]).contains("position 1, for 31337:"));
    assert!(with(&[&evm, &init, &init]).contains("write noble1…"));
    assert!(with(&[&evm, &noble, &evm]).contains("position 3, for interwoven-1:"));
    let mistyped = noble.replace(&noble[10..12], if &noble[10..11] == "q" { "pp" } else { "qq" });
    assert!(with(&[&evm, &mistyped, &init]).contains("checksum"));
    let swapped: String = evm
        .chars()
        .map(|c| if c.is_lowercase() && c != 'x' { c.to_ascii_uppercase() } else { c.to_ascii_lowercase() })
        .collect();
    assert!(with(&[&swapped, &noble, &init]).contains("checksum"));
    assert!(
        with(&[&evm, &noble, "init1zmnz4qk7v0xdpruy6fatyf3ph0dfm6v2n5xqnf3x6zfs3utxum5sjh4vpr"]).contains("length")
    );
}

#[test]
fn only_operations_of_this_router_are_taken() {
    let world = world(Vm::Move);
    let ask =
        RouteRequest { go_fast: Some(false), ..request((ETHEREUM, USDC_ON_ETHEREUM), (L1, "uinit"), 500_000_000) };
    let good = msgs_request(&world, &routed(&world, &ask));
    assert!(world.msgs(&good, now()).is_ok());
    let tampered = |place: usize, from: &str, to: &str| {
        let mut request = good.clone();
        let text = request.operations[place].raw.get().replace(from, to);
        assert_ne!(text, request.operations[place].raw.get(), "{from}");
        request.operations[place] = Operation::from_json(RawJson::parse(text).unwrap()).unwrap();
        refusal(&world, &request, now())
    };
    for (place, from, to) in [
        (0, r#""fee_amount":"412000""#, r#""fee_amount":"1""#),
        (0, r#""amount_out":"499588000""#, r#""amount_out":"499999999""#),
        (0, r#""tx_index":0"#, r#""tx_index":1"#),
        (0, r#""smart_relay":true"#, r#""smart_relay":false"#),
        (1, "channel-129", "channel-130"),
        (1, r#""port":"transfer""#, r#""port":"wasm""#),
        (1, "null}", r#"null,"more":1}"#),
        (2, r#""swap_amount_in":"499588000""#, r#""swap_amount_in":"1""#),
    ] {
        assert!(tampered(place, from, to).contains(&format!("operation {place}")), "{from}");
    }
    assert!(tampered(0, "2026-03-01T12:05:00Z", "2027-03-01T12:05:00Z").contains("smart_relay_fee_quote"));
    let late = "2026-03-01T12:05:01Z".parse().unwrap();
    assert!(refusal(&world, &good, late).contains("relay fee quote has expired"));
    let none = MsgsRequest { operations: Vec::new(), ..good.clone() };
    assert!(refusal(&world, &none, now()).contains("operations"));
    let part = MsgsRequest { operations: good.operations[..2].to_vec(), ..good.clone() };
    assert!(refusal(&world, &part, now()).contains("do not end at the destination"));
    let more = MsgsRequest { amount_out: Amount::from(1), ..good.clone() };
    assert!(refusal(&world, &more, now()).contains("amount_out"));
    let less = MsgsRequest { amount_in: Amount::from(499_000_000), ..good.clone() };
    assert!(refusal(&world, &less, now()).contains("operation 0"));
    for slippage in ["0", "100.1", "-1", "x"] {
        let odd = MsgsRequest { slippage_tolerance_percent: slippage.to_owned(), ..good.clone() };
        assert!(refusal(&world, &odd, now()).contains("slippage_tolerance_percent"), "{slippage}");
    }
}

#[test]
fn a_quote_that_aged_a_little_is_still_taken() {
    let world = world(Vm::Evm);
    let ask = request((L1, "uinit"), (L1, USDC_ON_L1), 70_000_000);
    let good = msgs_request(&world, &routed(&world, &ask));
    let later = |seconds: u64| now().after(std::time::Duration::from_secs(seconds));
    let outs: std::collections::BTreeSet<_> =
        (0..30).map(|slot| world.route(&ask, later(slot * 12)).unwrap().amount_out).collect();
    assert!(outs.len() > 5, "the price wanders");
    assert!((0..30).all(|slot| world.msgs(&good, later(slot * 12)).is_ok()));
}

#[test]
fn hooks_are_for_what_is_wrapped() {
    let world = world(Vm::Move);
    let wallet = world.rollup().wallet.bech32();
    let wrapped = denom(&world, EVM_ROLLUP, "INIT", 18);
    let ask = |chain: &str, denom: &str| OpHookRequest {
        source_address: wallet.clone(),
        source_asset_chain_id: ChainId::new(L1),
        source_asset_denom: Denom::new("uinit"),
        dest_address: wallet.clone(),
        dest_asset_chain_id: ChainId::new(chain),
        dest_asset_denom: Denom::new(denom),
    };
    let hook = world.op_hook(&ask(EVM_ROLLUP, &wrapped)).unwrap();
    assert_eq!((hook.chain_id.as_str(), hook.hook.len()), (EVM_ROLLUP, 2));
    let bytes = String::from_utf8(sign_bytes(&hook, 4, 9).unwrap()).unwrap();
    let document: Value = serde_json::from_str(&bytes).unwrap();
    assert!(bytes.starts_with(r#"{"account_number":"4","chain_id":"rollscope-evm-1","fee""#), "{bytes}");
    assert_eq!((&document["sequence"], &document["msgs"][1]["type"]), (&json!("9"), &json!("evm/MsgCall")));
    assert_eq!(document["msgs"][1]["value"]["sender"], wallet);
    for chain in [EVM_ROLLUP, "rollscope-move-1", "rollscope-wasm-1"] {
        let error = world.op_hook(&ask(chain, &denom(&world, chain, "INIT", 6))).unwrap_err();
        assert!(error.status == 400 && error.message.contains("op hook is not required"), "{error}");
    }
    let odd = OpHookRequest { dest_address: "nobody".to_owned(), ..ask(EVM_ROLLUP, &wrapped) };
    assert!(world.op_hook(&odd).unwrap_err().message.contains("dest_address"));
    assert_eq!(world.op_hook(&ask("nowhere-1", "x")).unwrap_err().status, 404);
}
