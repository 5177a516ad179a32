//! What is said of Move and Wasm messages.

mod contracts;

use std::collections::BTreeSet;

use base64::{Engine, prelude::BASE64_STANDARD};
use rollscope::{
    domain::{Denom, Vm},
    story::{Glossary, Story, Style, text_of},
    wire::Tx,
};
use serde_json::{Value, json};
use sha3::{Digest, Sha3_256};

use super::records;
use crate::harness::made::made;

/// The tokens that the worked examples name.
pub(super) fn glossary() -> Glossary {
    let mut glossary = Glossary::default();
    for (denom, symbol) in [
        ("uinit", "INIT"),
        ("ibc/39B55F22F15FB09189045A993817CDF0D388D3FF8773B2E22B6DE7B222636EEA", "milkINIT"),
        ("ibc/B82A5B2051D2296EE838D076218D4F852A629C69B99E7430C4D388F37DB16A3A", "iUSD"),
        ("ibc/37A3FB4FED4CA04ED6D9E5DA36C6D27248645F0E22F585576A1488B8A89C5A50", "INIT"),
    ] {
        glossary.add_token(Denom::new(denom), symbol, 6);
    }
    glossary
}

/// Everything that is said of a transaction's messages.
pub(super) fn said(tx: &Tx, glossary: &Glossary) -> String {
    let story = Story::of(tx, glossary);
    for sentence in &story.sentences {
        let places = sentence.phrases.iter().flat_map(|phrase| &phrase.events);
        for place in places {
            assert!(*place < story.decoded.events.len(), "a phrase names an event that is not there");
        }
    }
    let sentences = story.sentences.iter().map(|sentence| text_of(&sentence.phrases, Style::Exact));
    sentences.collect::<Vec<_>>().join(" ")
}

#[test]
fn the_worked_examples_read_as_they_should() {
    let Some(records) = records() else { return };
    let glossary = glossary();
    let a = "init1veaum7vy45fzw5x4mflskgx5lnmwmxx5wm3x8p";
    let p = "init1dw49mn7s2r5mskjdmus5hth80zz8wwaywycq06";
    let pool = "init1ttp33s68n4gc77um47q2nj2nx365xjmy2vtdye4p9en2xjdf72hqdyslrm";
    let shares = "move/5ac318c3479d518f7b9baf80a9c9533475434b645316d266a12e66a349a9f2ae";
    let multisig = "init1dzuzj4pck02slqt8nkugyc99j6u2k86tu892jjhc034c2wa00vsqg4xsux";
    let examples = [
        (
            "move-l1-provide-1",
            format!(
                "{a} added 0.1 milkINIT and 0.168935 INIT to the stableswap pool {pool} and received 265227 {shares}."
            ),
        ),
        (
            "move-l1-fail-1",
            "init13fqnd2cwsxjn8a7047h7fahmnuc5zv9zw3z9yr tried to run \
             0xd8cba23cdaf8e969fd17c8eabecf82a4f002ee8d::drop_lp::provide; it failed."
                .to_owned(),
        ),
        (
            "wasm-cw721-transfer-1",
            format!(
                "{p} transferred NFT 2 of init1qyygux5t4s3a3l25k8psxjydhtudu5lnt0tk0szm8q4s27xa980scjvh6c to {a}, as \
                 the contract reports."
            ),
        ),
        ("wasm-instantiate-2", format!("{p} tried to create contract “ztest” from code 10; it failed.")),
        (
            "move-multisend-1",
            format!(
                "init13qfq5sx34m9uc5g72rl8tawtlve7j2nnfzv5cz executed proposal 115 of multisig {multisig}: {multisig} \
                 sent 6127.390019 iUSD to 71 accounts."
            ),
        ),
        (
            "move-l1-nft-mint-1",
            "init1ulw753hxh4mrc9ss7p2y7h8emjxxyw6uce0hk9 minted NFT 1 of \
             init1qktu60eh7g04n3m3wvdrr6f2cys57u45lz5x2sdffdg0qvy0fcsqk9gvt9 (“Favorite food”)."
                .to_owned(),
        ),
        (
            "move-l1-object-transfer-1",
            "init1ulw753hxh4mrc9ss7p2y7h8emjxxyw6uce0hk9 transferred the object \
             0x481b5e2a539721bfa9f9b35e702adb667c059d0a8e1a030be483178abd928235 to \
             init1t9k78msywte6jx4zrxkp94pa9u9laa9pqfpytk."
                .to_owned(),
        ),
        (
            "wasm-cw20-transfer-1",
            format!(
                "{p} sent 1000 cw20:init1fuyxwxlsgjkfjmxfthq8427dm2am3ya3cwcdr8gls29l7jadtazswg0k5g to \
                 init1c90j0nxt28ehunm53zfl2x8lrha27da8t3dmfl, as the contract reports."
            ),
        ),
    ];
    for (name, expected) in examples {
        let (_, tx) = records.iter().find(|(found, _)| found == name).expect(name);
        assert_eq!(said(tx, &glossary), expected, "{name}");
    }
}

#[test]
fn messages_of_the_embedded_rollup_are_told() {
    for vm in [Vm::Move, Vm::Wasm] {
        let mut verbs = BTreeSet::new();
        for tx in made(vm, 120) {
            let story = Story::of(&tx, &Glossary::default());
            for sentence in &story.sentences {
                let kind = story.decoded.messages[sentence.message].kind.as_str();
                if !kind.contains(".move.") && !kind.contains("wasm.") {
                    continue;
                }
                let text = text_of(&sentence.phrases, Style::Exact);
                assert!(text.ends_with('.') && !text.contains("  "), "{text}");
                assert!(!text.contains(" of the unknown type "), "nobody knows {kind}: {text}");
                let proven = sentence.phrases.iter().any(|phrase| !phrase.events.is_empty());
                assert_eq!(proven, tx.is_success(), "what happened has events, what did not has none: {text}");
                verbs.extend(text.split(' ').nth(1).map(ToOwned::to_owned));
            }
        }
        assert!(verbs.len() > 8, "{vm:?}: {verbs:?}");
    }
}

const SENDER: &str = "init1kw2unuhgfa6mz6r0ehrzlr9k9ftjk7pql8u5fm";
const OTHER: &str = "init1veaum7vy45fzw5x4mflskgx5lnmwmxx5wm3x8p";
const CONTRACT: &str = "init1qyygux5t4s3a3l25k8psxjydhtudu5lnt0tk0szm8q4s27xa980scjvh6c";
const INIT: &str = "0x8e4733bdabcf7d4afc3d14f0dd46c9bf52fb0fce9e4b996c939e195b8bc891d9";

fn event(kind: &str, attributes: &[(&str, &str)]) -> Value {
    let own = attributes.iter().chain(&[("msg_index", "0")]);
    let attributes: Vec<Value> = own.map(|(key, value)| json!({"key": key, "value": value})).collect();
    json!({"type": kind, "attributes": attributes})
}

fn moved(tag: &str, data: &Value) -> Value {
    event("move", &[("type_tag", tag), ("data", &data.to_string())])
}

fn told_of(code: u32, message: &Value, events: &[Value]) -> String {
    let signed = json!({"type": "tx", "attributes": [{"key": "acc_seq", "value": format!("{SENDER}/1")}]});
    let events: Vec<&Value> = events.iter().chain([&signed]).collect();
    let record = json!({
        "txhash": "0".repeat(64), "height": "1", "timestamp": "2026-01-01T00:00:00Z", "code": code, "codespace": "x",
        "raw_log": if code == 0 { "" } else { "failed to execute message; message index: 0: no" },
        "tx": {"body": {"messages": [message]}}, "events": events,
    });
    let text = said(&serde_json::from_value(record).expect("a transaction"), &glossary());
    let short = [(SENDER, "P"), (OTHER, "A"), (CONTRACT, "K"), ("0.000005 INIT", "5 u")];
    short.iter().fold(text, |text, (long, letter)| text.replace(long, letter))
}

/// A call of the standard library with JSON arguments.
fn call(module: &str, function: &str, args: &[Value]) -> Value {
    let args: Vec<String> = args.iter().map(Value::to_string).collect();
    json!({"@type": "/initia.move.v1.MsgExecuteJSON", "sender": SENDER, "module_address": "0x1", "module_name": module,
        "function_name": function, "type_args": [], "args": args})
}

/// Text behind its length, in base64.
fn bcs_text(text: &str) -> String {
    let mut bytes = Vec::new();
    let mut length = text.len();
    while length >= 0x80 {
        bytes.push(u8::try_from(length & 0x7f).expect("seven bits") | 0x80);
        length >>= 7;
    }
    bytes.push(u8::try_from(length).expect("seven bits"));
    bytes.extend(text.bytes());
    BASE64_STANDARD.encode(bytes)
}

#[test]
fn move2_router_swaps_for_other() {
    let other = json!({"@type": "/initia.move.v1.MsgExecute", "sender": SENDER, "module_address": "0xAB",
        "module_name": "router", "function_name": "go", "args": []});
    let mut swap = json!({"account": OTHER, "offer_coin": INIT, "return_coin": INIT});
    (swap["offer_amount"], swap["return_amount"]) = (json!("5"), json!("5"));
    let told = told_of(0, &other, &[moved("0x1::dex::SwapEvent", &swap)]);
    assert_eq!(told, "P ran 0xab::router::go, with a swap of 5 u for 5 u.", "it does not say whose");
    let own = call("dex", "swap_script", &[json!("0xab"), json!(INIT), json!("5"), json!(null)]);
    swap["account"] = json!(SENDER);
    assert_eq!(told_of(0, &own, &[moved("0x1::dex::SwapEvent", &swap)]), "P swapped 5 u for 5 u.");
}

#[test]
fn known_functions_of_move_are_told_of_success_and_failure() {
    let swap = json!({"offer_coin": INIT, "return_coin": "0x5", "offer_amount": "5", "return_amount": "7"});
    let message =
        call("stableswap", "swap_script", &[json!("0xab"), json!(INIT), json!("0x5"), json!("5"), json!(null)]);
    let back = format!("move/{:064x}", 5);
    let swapped = told_of(0, &message, &[moved("0x1::stableswap::SwapEvent", &swap)]);
    assert_eq!(swapped, format!("P swapped 5 u for 7 {back}."));
    assert!(told_of(1, &message, &[]).starts_with("P tried to swap 5 u in the stableswap pool init1"));
    let other = json!({"@type": "/initia.move.v1.MsgExecute", "sender": SENDER, "module_address": "0xAB",
        "module_name": "router", "function_name": "go", "args": []});
    let hop = json!({"offer_coin": "0x5", "return_coin": INIT, "offer_amount": "7", "return_amount": "5"});
    let route = [moved("0x1::dex::SwapEvent", &swap), moved("0x1::dex::SwapEvent", &hop)];
    assert_eq!(told_of(0, &other, &route), "P ran 0xab::router::go, with a swap of 5 u for 5 u.");
    let back_and_back = [moved("0x1::dex::SwapEvent", &swap), moved("0x1::dex::SwapEvent", &swap)];
    assert_eq!(told_of(0, &other, &back_and_back), "P ran 0xab::router::go, with a swap in 2 steps.");

    let withdrawn = json!({"coin_a": INIT, "coin_b": "0x5", "coin_a_amount": "5", "coin_b_amount": "7",
        "liquidity_token": "0x6", "liquidity": "9"});
    let message = call("dex", "withdraw_liquidity_script", &[json!("0x6"), json!("9")]);
    let text = told_of(0, &message, &[moved("0x1::dex::WithdrawEvent", &withdrawn)]);
    assert!(text.starts_with(&format!("P withdrew 5 u and 7 {back} from the pool init1")), "{text}");
    assert!(text.ends_with(&format!(" for 9 move/{:064x}.", 6)), "{text}");

    let bad = call("coin", "transfer", &[json!({"x": 1}), json!(null)]);
    assert_eq!(told_of(0, &bad, &[]), "P ran 0x1::coin::transfer.");
}

/// A movement of an asset out of or into somebody's own store.
fn asset(tag: &str, party: &str, token: &str, amount: &str) -> Value {
    let word = |text: &str| -> [u8; 32] {
        let bytes = text.parse::<rollscope::domain::Address>().expect("an account").bytes().to_vec();
        let mut word = [0; 32];
        word[32 - bytes.len()..].copy_from_slice(&bytes);
        word
    };
    let store = Sha3_256::new().chain_update(word(party)).chain_update(word(token)).chain_update([0xfc]).finalize();
    let store = alloy_primitives::hex::encode_prefixed(store);
    let data = json!({"store_addr": store, "metadata_addr": token, "amount": amount});
    moved(&format!("0x1::fungible_asset::{tag}"), &data)
}

#[test]
fn coins_went_where_the_stores_say() {
    let message = call("coin", "transfer", &[json!(OTHER), json!(INIT), json!("5")]);
    let sent = |amount| asset("WithdrawEvent", SENDER, INIT, amount);
    let got = |party, amount| asset("DepositEvent", party, INIT, amount);
    assert_eq!(told_of(0, &message, &[sent("5"), got(OTHER, "5")]), "P sent 5 u to A.");
    assert_eq!(told_of(0, &message, &[sent("6"), got(OTHER, "6")]), "P sent 0.000006 INIT to A.", "the events count");
    assert_eq!(
        told_of(0, &message, &[sent("6"), got(OTHER, "5")]),
        "P sent 0.000006 INIT to A, where 5 u arrived.",
        "a token may keep a part"
    );
    // Neither side alone, nor another's store, nor another's module bears it out.
    let fake = moved("0xbad::fungible_asset::DepositEvent", &json!({}));
    for events in [vec![], vec![sent("5")], vec![sent("5"), got(CONTRACT, "5")], vec![got(OTHER, "5"), fake]] {
        let text = told_of(0, &message, &events);
        assert!(text.starts_with("P asked to send 5 u to A"), "{text}");
    }
    let itself = call("coin", "transfer", &[json!(SENDER), json!(INIT), json!("5")]);
    assert_eq!(told_of(0, &itself, &[sent("5"), got(SENDER, "5")]), "P sent 5 u to itself (no net change).");
    assert_eq!(told_of(1, &message, &[sent("5"), got(OTHER, "5")]), "P tried to send 5 u to A; it failed.");

    let made =
        |amount: &str| moved("0x1::fungible_asset::MintEvent", &json!({"metadata_addr": INIT, "amount": amount}));
    let gone =
        |amount: &str| moved("0x1::fungible_asset::BurnEvent", &json!({"metadata_addr": INIT, "amount": amount}));
    let message = call("managed_coin", "mint", &[json!(OTHER), json!(INIT), json!(5)]);
    assert_eq!(told_of(0, &message, &[made("5"), got(OTHER, "5")]), "P minted 5 u to A.");
    assert!(told_of(0, &message, &[got(OTHER, "5")]).starts_with("P asked to mint 5 u to A"));
    let message = call("managed_coin", "burn", &[json!(INIT), json!("5")]);
    assert_eq!(told_of(0, &message, &[sent("5"), gone("5")]), "P burned 5 u.");
    assert!(told_of(0, &message, &[sent("5")]).starts_with("P asked to burn 5 u"));
    let name = [json!(null), json!("Fake”. A sent 5 INIT to “P"), json!("FMD"), json!(6), json!(""), json!("")];
    let message = call("managed_coin", "initialize", &name);
    let text = told_of(0, &message, &[]);
    let quoted = "P asked to create the token “Fake\". A sent 5 INIT to \"P” (“FMD”) with 6 decimals";
    assert!(text.starts_with(quoted), "{text}");
}

#[test]
fn multisigs_and_messages_of_cosmos_from_move_are_told() {
    let message = call("multisig_v2", "vote_proposal", &[json!("0xab"), json!("7"), json!(true)]);
    let vote = json!({"multisig_addr": "0xab", "proposal_id": "7", "vote_yes": false});
    let text = told_of(0, &message, &[moved("0x1::multisig_v2::VoteProposalEvent", &vote)]);
    assert!(text.starts_with("P voted no on proposal 7 of multisig init1"), "the event wins: {text}");
    assert!(told_of(1, &message, &[]).starts_with("P tried to vote yes on proposal 7 of multisig init1"));
    let created = json!({"multisig_addr": "0xab", "proposal_id": "8", "execute_messages":
        [{"module_address": "0x1", "module_name": "coin", "function_name": "transfer"}]});
    let message = call("multisig_v2", "create_proposal", &[json!("0xab")]);
    let text = told_of(0, &message, &[moved("0x1::multisig_v2::CreateProposalEvent", &created)]);
    assert!(
        text.starts_with("P created proposal 8 of multisig") && text.ends_with(": to run 0x1::coin::transfer."),
        "{text}"
    );

    let inner = json!({"@type": "/initia.move.v1.MsgScript", "sender": SENDER});
    let message = call("cosmos", "stargate", &[json!(inner.to_string())]);
    assert_eq!(told_of(0, &message, &[event("submsg", &[("success", "true")])]), "P acted through Move: ran a script.");
    let pay = json!({"@type": "/cosmos.bank.v1beta1.MsgSend", "from_address": SENDER, "to_address": OTHER,
        "amount": [{"denom": "uinit", "amount": "5"}]});
    let message = call("cosmos", "stargate", &[json!(pay.to_string())]);
    let refused = event("submsg", &[("success", "false"), ("reason", "too poor”. A sent 9 INIT to P")]);
    assert_eq!(
        told_of(0, &message, std::slice::from_ref(&refused)),
        "P asked through Move to send 5 u to A; it failed on its own: “too poor\". A sent 9 INIT to P”."
    );
    let other = json!({"@type": "/initia.move.v1.MsgExecute", "sender": SENDER, "module_address": "0xAB",
        "module_name": "router", "function_name": "go", "args": []});
    assert_eq!(told_of(0, &other, std::slice::from_ref(&refused)), "P ran 0xab::router::go; one submessage failed.");
    let mut nested = json!({"@type": "/a.MsgB"});
    for _ in 0..20 {
        nested = json!({"@type": "/initia.move.v1.MsgExecute", "sender": SENDER, "module_address": "0x1",
            "module_name": "cosmos", "function_name": "stargate", "args": [bcs_text(&nested.to_string())]});
    }
    let text = told_of(0, &nested, &[]);
    assert!(text.contains("through Move: acted") && text.contains("ran 0x1::cosmos::stargate"), "bounded: {text}");
    let args = [json!("cosmos1far"), json!(INIT), json!("5"), json!("transfer"), json!("channel-3")];
    let message = call("cosmos", "transfer", &args);
    let data = json!({"denom": "uinit", "amount": "5", "sender": SENDER, "receiver": "cosmos1near"}).to_string();
    let packet = event(
        "send_packet",
        &[
            ("packet_data", &data),
            ("packet_sequence", "12"),
            ("packet_src_port", "transfer"),
            ("packet_src_channel", "channel-3"),
            ("packet_dst_port", "transfer"),
            ("packet_dst_channel", "channel-9"),
        ],
    );
    let text = told_of(0, &message, &[packet]);
    assert_eq!(text, "P sent 5 u to cosmos1near over channel-3 (packet #12).", "the packet counts");
    assert!(told_of(0, &message, &[]).starts_with("P asked to send 5 u to cosmos1far over channel-3"));
    assert!(
        told_of(0, &message, &[refused])
            .starts_with("P asked to send 5 u to cosmos1far over channel-3 through Move; it failed")
    );
    let message = call("cosmos", "delegate", &[json!("initvaloper1x"), json!(INIT), json!("5")]);
    let staked = event("delegate", &[("validator", "initvaloper1x"), ("amount", "5uinit")]);
    assert_eq!(told_of(0, &message, &[staked]), "P delegated 5 u to initvaloper1x.");
    assert!(told_of(0, &message, &[]).starts_with("P asked to delegate"));
}

#[test]
fn publications_scripts_and_governance_are_told() {
    let publish = json!({"@type": "/initia.move.v1.MsgPublish", "sender": SENDER, "code_bytes": ["", ""], "upgrade_policy": "IMMUTABLE"});
    let published =
        |name: &str| moved("0x1::code::ModulePublishedEvent", &json!({"module_id": name, "upgrade_policy": 2}));
    let both = [published("0xab::shop"), published("0xab::raffle")];
    assert_eq!(told_of(0, &publish, &both), "P published 0xab::shop and 0xab::raffle, immutable from now on.");
    assert_eq!(told_of(1, &publish, &[]), "P tried to publish 2 modules, immutable from now on; it failed.");
    let many: Vec<Value> = (0..40).map(|number| published(&format!("0xab::m{number}"))).collect();
    assert!(told_of(0, &publish, &many).contains("0xab::m11 and 28 more"), "{}", told_of(0, &publish, &many));
    let governed = json!({"@type": "/initia.move.v1.MsgGovExecute", "authority": OTHER, "sender": "0x1",
        "module_address": "0x1", "module_name": "vip", "function_name": "update", "args": []});
    assert_eq!(told_of(0, &governed, &[]), "A ran 0x1::vip::update as init1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqpqr5e3d.");
    let listed = json!({"@type": "/initia.move.v1.MsgWhitelist", "authority": OTHER, "metadata_lp": INIT, "reward_weight": "0.4"});
    let own = event("message", &[("action", "/initia.move.v1.MsgWhitelist"), ("sender", OTHER)]);
    assert_eq!(
        told_of(0, &listed, &[own]),
        "A added the liquidity token INIT to the staking list with reward weight 0.4."
    );
    assert_eq!(told_of(0, &listed, &[]), "A ran MsgWhitelist.", "nothing shows more");
    assert!(told_of(0, &publish, &[]).starts_with("P asked to publish 2 modules"));
    let script = json!({"@type": "/initia.move.v1.MsgScriptJSON", "sender": SENDER});
    assert_eq!(told_of(0, &script, &[]), "P ran a script.");
}

#[test]
fn nfts_of_move_are_told() {
    let nft = json!({"collection": "0xab", "token_id": "4", "nft": "0xcd"});
    let text = told_of(0, &call("simple_nft", "burn", &[json!("0xcd")]), &[moved("0x1::collection::BurnEvent", &nft)]);
    assert!(text.starts_with("P burned NFT 4 of init1"), "{text}");
    let mint = call(
        "simple_nft",
        "mint",
        &[json!("Moths"), json!(""), json!("4"), json!(""), json!([]), json!([]), json!([]), json!(OTHER)],
    );
    assert_eq!(told_of(1, &mint, &[]), "P tried to mint NFT 4 of “Moths” for A; it failed.");
    let given = json!({"object": "0xcd", "from": "0x1", "to": "0x667bcdf984ad122750d5da7f0b20d4fcf6ed98d4"});
    let events = [moved("0x1::collection::MintEvent", &nft), moved("0x1::object::TransferEvent", &given)];
    let text = told_of(0, &mint, &events);
    assert!(text.starts_with("P minted NFT 4 of init1") && text.ends_with(" for A."), "{text}");
    assert!(!text.contains("Moths"), "the name is another collection's: {text}");
    assert!(told_of(0, &mint, &events[1..]).starts_with("P asked to mint NFT 4 of “Moths” for A"));
    let launch = json!({"@type": "/initia.move.v1.MsgExecute", "sender": SENDER, "module_address": "0xef",
        "module_name": "pad", "function_name": "go", "args": []});
    let text = told_of(0, &launch, &events);
    assert!(
        text.starts_with("P ran 0xef::pad::go, with a mint of NFT 4 of init1") && text.ends_with(" for A."),
        "{text}"
    );
    let made = call("simple_nft", "create_collection", &[json!(""), json!(null), json!("Moths")]);
    assert_eq!(told_of(1, &made, &[]), "P tried to create the collection “Moths”; it failed.");
}

#[test]
fn a_multisig_pays_accounts_and_each_is_counted_once() {
    let message = call("multisig_v2", "execute_proposal", &[json!("0xab"), json!("7")]);
    let multisig = format!("0x{:064x}", 0xab);
    let done = moved("0x1::multisig_v2::ExecuteProposalEvent", &json!({"multisig_addr": "0xab", "proposal_id": "7"}));
    let spent = |amount: &str| event("coin_spent", &[("spender", &multisig), ("amount", amount)]);
    let got = |who: &str, amount: &str| event("coin_received", &[("receiver", who), ("amount", amount)]);
    let (one, two) = (got(OTHER, "2uinit"), got(OTHER, "3uinit"));
    let text = told_of(0, &message, &[done.clone(), spent("5uinit"), one.clone(), two]);
    assert!(text.ends_with(" sent 5 u in 2 payments to A."), "{text}");
    let three = got(CONTRACT, "3uinit");
    let text = told_of(0, &message, &[done.clone(), spent("5uinit"), one.clone(), three]);
    assert!(text.ends_with(" sent 5 u to 2 accounts."), "{text}");
    let text = told_of(0, &message, &[done, spent("9uinit"), one]);
    assert!(!text.contains("sent"), "what does not add up is not told: {text}");
}

#[test]
fn swaps_of_the_minitswap_are_read() {
    let Some(records) = records() else { return };
    let (_, tx) = records.iter().find(|(name, _)| name == "move-l1-ibc-recv-1").expect("the record");
    let text = said(tx, &glossary());
    assert!(text.ends_with("::entry_point::swap_and_action, with a swap of it for 40.801114 INIT."), "{text}");
}
