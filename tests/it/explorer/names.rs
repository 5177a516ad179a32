//! What accounts, tokens and channels are called: short forms that no two share, and names from a router that is named
//! beside a bare indexer.

use std::{collections::BTreeSet, sync::Arc};

use rollscope::{
    config::{NamedAccount, Network},
    domain::Address,
};
use serde_json::{Value, json};
use tokio::sync::Notify;

use super::scripted::{Server, chain, page, parameter, path, short_hash, tx};
use crate::harness::{
    Builder, Explorer,
    replay::{Answer, Seen},
};

/// The fee token of the chain, which only its router names.
const GAS: &str = "evm/2eE7007DF876084d4C74685e90bB7f4cd7c86e22";
/// `transfer/channel-3/uatom`, hashed.
const ATOM: &str = "ibc/A4DB47A9D3CF9A068D454513891B526702455D3EF08FB9EB558C561F9DC2B701";

/// An account of twenty bytes with these at both ends.
fn account(middle: u8) -> Address {
    let mut bytes = [middle; 20];
    bytes[..4].copy_from_slice(&0x6baa_6baa_u32.to_be_bytes());
    bytes[16..].copy_from_slice(&0x0012_3456_u32.to_be_bytes());
    Address::Short(bytes)
}

/// The transfer with this number: 1.5 GAS from one account to another that looks alike.
fn send(number: u64) -> Value {
    let mut tx = tx(number);
    let (from, to) = (account(1).bech32(), account(2).bech32());
    let amount = json!([{"denom": GAS, "amount": "1500000000000000000"}]);
    tx["tx"]["body"]["messages"] =
        json!([{"@type": "/cosmos.bank.v1beta1.MsgSend", "from_address": from, "to_address": to, "amount": amount}]);
    let coin = format!("1500000000000000000{GAS}");
    let event = |kind: &str, attributes: &[(&str, &str)]| {
        let attributes = attributes.iter().chain(&[("msg_index", "0")]);
        let attributes: Vec<Value> = attributes.map(|(key, value)| json!({"key": key, "value": value})).collect();
        json!({"type": kind, "attributes": attributes})
    };
    let signed = format!("{from}/7");
    tx["events"] = json!([
        {"type": "tx", "attributes": [{"key": "acc_seq", "value": signed}]},
        event("coin_spent", &[("spender", &from), ("amount", &coin)]),
        event("coin_received", &[("receiver", &to), ("amount", &coin)]),
        event("transfer", &[("recipient", &to), ("sender", &from), ("amount", &coin)]),
    ]);
    tx
}

fn failed(number: u64) -> Value {
    let mut tx = send(number);
    (tx["code"], tx["codespace"], tx["events"]) = (json!(11), json!("sdk"), json!([]));
    tx["raw_log"] = json!("out of gas in location: ReadFlat; gasWanted: 2, gasUsed: 3: out of gas");
    tx
}

fn assets(seen: &Seen) -> Answer {
    let own = json!([
        {"denom": GAS, "chain_id": "scripted-1", "symbol": "GAS", "name": "Gas", "decimals": 18},
        {"denom": ATOM, "chain_id": "scripted-1", "origin_denom": "uatom", "origin_chain_id": "hub-1",
         "trace": "transfer/channel-3", "symbol": "ATOM", "decimals": 6},
    ]);
    let listed = if parameter(seen, "chain_ids") == Some("scripted-1") { own } else { json!([]) };
    Answer::json(json!({"chain_to_assets_map": {"scripted-1": {"assets": listed}}}).to_string())
}

/// An indexer of so many transfers with a router, which gives its assets when it is told to, if it is asked to wait.
fn server(height: u64, hold: Option<Arc<Notify>>) -> Server {
    Server::new(move |seen, _| match path(seen) {
        "/v2/info/chains" => {
            let chain = json!({"chain_id": "scripted-1", "chain_name": "scripted", "chain_type": "cosmos"});
            Answer::json(json!({"chains": [chain]}).to_string())
        }
        "/v2/fungible/assets" => match &hold {
            Some(sign) => Answer::After(Arc::clone(sign), Box::new(assets(seen))),
            None => assets(seen),
        },
        "/indexer/tx/v1/txs" => {
            page(seen, "txs", height, |number| if number % 7 == 3 { failed(number) } else { send(number) })
        }
        of_account if of_account.starts_with("/indexer/tx/v1/txs/by_account/") => page(seen, "txs", height, send),
        of_owner if of_owner.starts_with("/indexer/nft/v1/collections/by_account/") => {
            let collection = json!({"name": "Tidal Glyphs", "creator": account(1).bech32(), "nfts": {"length": 3}});
            let row = json!({"object_addr": account(9).hex(), "collection": collection, "height": "5",
                "timestamp": super::scripted::genesis().to_string()});
            Answer::json(json!({"collections": [row], "pagination": {"next_key": null, "total": "1"}}).to_string())
        }
        "/indexer/nft/v1/collections" => {
            Answer::json(json!({"collections": [], "pagination": {"next_key": null, "total": "0"}}).to_string())
        }
        holders if holders.starts_with("/indexer/richlist/v1/") => {
            let rows: Vec<Value> = [1, 2]
                .map(|middle| json!({"account": account(middle).hex(), "amount": "1234567890123456789012"}))
                .to_vec();
            Answer::json(json!({"holders": rows, "pagination": {"next_key": null, "total": "2"}}).to_string())
        }
        _ => chain(seen, height),
    })
}

/// An explorer of `--indexer URL --router URL`.
fn bare(server: &Server) -> Builder {
    server.explorer().network(Network::unnamed(server.url().to_owned())).server(server.url())
}

/// The words on screen that are both ends of an address in this form.
fn short_forms(screen: &str, prefix: &str) -> BTreeSet<String> {
    let words = screen.split(|sign: char| !sign.is_alphanumeric() && sign != '…');
    words.filter(|word| word.starts_with(prefix) && word.contains('…')).map(str::to_owned).collect()
}

#[test]
fn a_router_beside_a_bare_indexer_names_tokens_on_every_page() {
    let server = server(6, None);
    let explorer = bare(&server).start();
    explorer.press("3").wait_for("sent 1.5 GAS to ");
    explorer.press("enter").wait_for("1.5 GAS");
    assert!(!explorer.screen().contains("1,500,000"), "{}", explorer.screen());
    explorer.press("y").wait_for("GAS, by the router: evm/2eE7007").press("esc");
    explorer.press("5 f").type_text("gas").press("enter").wait_for("Rich list · GAS");
    explorer.wait_for(" 1,234.5678 ").press("y").wait_for("name, by the router");
    explorer.press("esc").press("/").type_text("GAS").wait_for("GAS · evm/2eE700…c86e22");
}

#[test]
fn names_that_come_late_tell_everything_anew_and_nothing_waits_for_them() {
    let sign = Arc::new(Notify::new());
    let server = server(6, Some(Arc::clone(&sign)));
    let explorer = bare(&server).start();
    explorer.keys("3").wait_for("sent 1,500,000,000,000,000,000 evm/2eE700…");
    sign.notify_one();
    explorer.wait_for("sent 1.5 GAS to ").wait_gone("1,500,000,000,000,000,000");
}

#[test]
fn two_accounts_with_the_same_ends_are_told_apart_on_every_screen() {
    let server = server(6, None);
    let explorer = bare(&server).size(140, 40).start();
    explorer.press("3").wait_for("sent 1.5 GAS to ");
    let usual = |address: Address| rollscope::domain::AddressForm::Hex.short(address).to_lowercase();
    assert_eq!(usual(account(1)), usual(account(2)), "by six characters they look alike");
    for (keys, columns) in [("x", 140), ("enter", 140), ("5", 70)] {
        let shown = short_forms(&explorer.resize(columns, 40).press(keys).settle().screen().to_lowercase(), "0x6baa");
        assert_eq!(shown.len(), 2, "after {keys}: each account in one way, {shown:?}\n{}", explorer.screen());
    }
}

#[test]
fn rows_of_failures_begin_with_the_message() {
    let server = server(6, None);
    let explorer = bare(&server).start();
    explorer.press("3").wait_for("MsgSend · ran out of gas");
}

#[test]
fn the_history_of_a_signer_opens_at_the_transaction_that_one_comes_from() {
    let server = server(150, None);
    let explorer = bare(&server).start();
    explorer.press("3").settle();
    // It lies on the second page of either list.
    explorer.press("G").press("G").wait_for("150 of");
    for _ in 0..31 {
        explorer.keys("up");
    }
    explorer.wait_for("119 of").press("enter").wait_for("1.5 GAS").press("a").wait_for("119 of");
    assert!(explorer.screen().contains(&short_hash(32)), "{}", explorer.screen());
}

#[test]
fn accounts_of_the_settings_are_found_by_their_names() {
    let server = server(9, None);
    let named = NamedAccount { address: account(1), name: "Treasury".to_owned(), role: None };
    let network = Network { accounts: vec![named], ..Network::default() };
    let explorer = Explorer::builder().network(network).server(server.url()).size(120, 30).start();
    explorer.press("/").type_text("treas").wait_for("Treasury").press("enter");
    explorer.wait_for("Account Treasury").wait_for("name from the network's list").wait_for(&account(1).bech32());
    explorer
        .press("c")
        .type_text("Our safe")
        .press("enter")
        .wait_for("Account ‹Our safe›")
        .wait_for("is now ‹Our safe›");
    explorer
        .press("3")
        .wait_for("‹Our safe› sent 1.5")
        .press("/")
        .type_text("our")
        .wait_for("‹Our safe› · init1")
        .press("esc");
    explorer.quit();
}

#[test]
fn collections_are_found_by_their_owner() {
    let server = server(6, None);
    let explorer = bare(&server).start();
    explorer.press("4 f").paste(&account(2).bech32()).wait_for("Tidal Glyphs").press("enter").wait_for("NFTs of init1");
    let asked = format!("/indexer/nft/v1/collections/by_account/{}", account(2));
    assert!(server.seen().iter().any(|seen| path(seen) == asked), "the server is asked for the owner's");
}
