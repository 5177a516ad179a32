//! What accounts hold of tokens that no bank lists, by the word of the tokens' contracts, which may be any.

use std::sync::Arc;

use base64::{Engine as _, prelude::BASE64_STANDARD};
use rollscope::{
    client::{ClientOptions, IndexerClient, NodeAddresses, NodeClient},
    demo::{
        RollupOptions,
        ledger::{LedgerOptions, facts},
    },
    domain::{Address, Amount, Denom, Vm},
    msg::{PageRequest, TxQuery},
    story::contract_tokens,
    wire::{
        Tx,
        node::{DenomClaim, DenomFact, TokenAnswer, TokenBalance},
    },
};
use serde_json::{Value, json};

use super::options;
use crate::harness::{
    StartedRollup, chain_of, get,
    replay::{Answer, Replay, forward},
    rollup_of,
};

fn rollup(vm: Vm) -> StartedRollup {
    let options = chain_of(60);
    rollup_of(RollupOptions { ledger: LedgerOptions { vm, ..options.ledger }, ..options })
}

async fn node(url: &str) -> NodeClient {
    let addresses = NodeAddresses { node: format!("{url}/node/rpc"), ..NodeAddresses::default() };
    NodeClient::find(&addresses, ClientOptions::default(), 4).await.expect("it is a node")
}

async fn rest(url: &str, path: &str) -> Value {
    let answer = get(format!("{url}/node/rest{path}")).await.expect("an answer");
    serde_json::from_str(&answer.text().await.expect("a body")).expect("JSON")
}

fn smart(contract: &str, query: &Value) -> String {
    let query = BASE64_STANDARD.encode(query.to_string()).replace('+', "%2B").replace('/', "%2F");
    format!("/cosmwasm/wasm/v1/contract/{contract}/smart/{query}")
}

/// An account that holds some of a CW-20 token, with that and all that moved in the newest transactions.
async fn holder(url: &str) -> (Address, Denom, Vec<Denom>) {
    let indexer = IndexerClient::new(url, options()).expect("its address is one");
    let page = indexer.list(&TxQuery::default(), &PageRequest::newest(500)).await.expect("transactions");
    let of = |tx: &Arc<Tx>| contract_tokens(tx, Some(Vm::Wasm));
    let mut tokens: Vec<Denom> = page.items.iter().flat_map(of).collect();
    tokens.sort();
    tokens.dedup();
    assert!(!tokens.is_empty(), "CW-20 tokens move");
    for tx in &page.items {
        let events: Vec<Value> = serde_json::from_str(tx.events.get()).expect("events");
        for denom in of(tx) {
            let contract = denom.as_str().trim_start_matches("cw20:").to_owned();
            let values = events.iter().filter(|event| event["type"] == "wasm").flat_map(|event| {
                let attributes = event["attributes"].as_array().cloned().unwrap_or_default();
                attributes.into_iter().filter(|one| one["key"] == "to" || one["key"] == "from")
            });
            for account in values.filter_map(|one| one["value"].as_str()?.parse::<Address>().ok()) {
                let query = json!({"balance": {"address": account.bech32()}});
                let answer = rest(url, &smart(&contract, &query)).await;
                if answer["data"]["balance"].as_str().is_some_and(|balance| balance != "0") {
                    return (account, denom, tokens);
                }
            }
        }
    }
    panic!("nobody holds a CW-20 token");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_cw20_contract_says_what_an_account_holds() {
    let rollup = tokio::task::spawn_blocking(|| rollup(Vm::Wasm)).await.expect("it starts");
    let url = rollup.url();
    let (account, denom, tokens) = holder(&url).await;
    let balances = node(&url).await.balances(account, &tokens).await.expect("it answers");
    assert!(balances.tokens.iter().any(|token| token.denom == denom));
    for TokenBalance { denom, answer } in &balances.tokens {
        let contract = denom.as_str().trim_start_matches("cw20:");
        let found = rest(&url, &smart(contract, &json!({"balance": {"address": account.bech32()}}))).await;
        let expected: Amount = found["data"]["balance"].as_str().and_then(|text| text.parse().ok()).expect("an amount");
        assert_eq!((*answer, expected.is_zero()), (TokenAnswer::Held(expected), false));
    }
    let nobody = node(&url).await.balances(Address::Short([0xee; 20]), &tokens).await.expect("it answers");
    assert_eq!(nobody.tokens, [], "what one has none of is not listed");
    hands_out_what_it_was_asked_to(&url).await;
    tokio::task::spawn_blocking(move || drop(rollup)).await.expect("it ends");
}

/// A contract that a user created as a token answers what its message asked for. No event tells of these balances, and
/// no list of the rollup names the token.
async fn hands_out_what_it_was_asked_to(url: &str) {
    let page = IndexerClient::new(url, options()).expect("its address is one");
    let page = page.list(&TxQuery::default(), &PageRequest::newest(500)).await.expect("transactions");
    let created = page.items.iter().find_map(|tx| {
        let (record, events): (Value, Value) = (
            serde_json::from_str(tx.tx.get()).expect("a body"),
            serde_json::from_str(tx.events.get()).expect("events"),
        );
        let message = record["body"]["messages"][0].clone();
        let event = events.as_array()?.iter().find(|event| event["type"] == "instantiate")?;
        let contract = event["attributes"][0]["value"].as_str()?.to_owned();
        message["msg"]["initial_balances"].is_array().then_some((tx, message, contract))
    });
    let (tx, message, contract) = created.expect("users create tokens");
    assert_eq!(contract_tokens(tx, Some(Vm::Wasm)).len(), 0, "no event names the token");
    let denom = Denom::new(format!("cw20:{contract}"));
    let mut sum = Amount::ZERO;
    for balance in message["msg"]["initial_balances"].as_array().expect("balances") {
        let text = |name: &str| balance[name].as_str().expect("a text");
        let (holder, amount): (Address, Amount) =
            (text("address").parse().expect("an address"), text("amount").parse().expect("an amount"));
        let found = node(url).await.balances(holder, std::slice::from_ref(&denom)).await.expect("it answers");
        assert_eq!(found.tokens, [TokenBalance { denom: denom.clone(), answer: TokenAnswer::Held(amount) }]);
        sum = Amount::new(sum.get() + amount.get());
    }
    let info = rest(url, &smart(&contract, &json!({"token_info": {}}))).await;
    for name in ["name", "symbol", "decimals"] {
        assert_eq!(info["data"][name], message["msg"][name], "{info}");
    }
    assert_eq!((info["data"]["total_supply"].as_str(), sum.is_zero()), (Some(&*sum.to_string()), false), "{info}");
    let about = rest(url, &format!("/cosmwasm/wasm/v1/contract/{contract}")).await;
    for (field, asked) in [("creator", "sender"), ("admin", "admin"), ("label", "label"), ("code_id", "code_id")] {
        assert_eq!(about["contract_info"][field], message[asked], "{about}");
    }
    let height = tx.height.to_string();
    assert_eq!(about["contract_info"]["created"]["block_height"].as_str(), Some(&*height), "{about}");
    let supply = rest(url, "/cosmos/bank/v1beta1/supply?pagination.limit=1000").await;
    assert!(!supply.to_string().contains(&contract) && supply["supply"].as_array().is_some_and(|all| all.len() == 12));
}

/// What becomes of a token whose contract answers so.
async fn said(url: &str, lie: Option<Answer>) -> Vec<TokenAnswer> {
    let (account, denom, _) = holder(url).await;
    let server = url.to_owned();
    let proxy = Replay::scripted(move |seen, _| {
        let asked = seen.target.rsplit('/').next().map(|text| text.replace("%2B", "+").replace("%2F", "/"));
        let asked = asked.and_then(|text| BASE64_STANDARD.decode(text).ok());
        let is_balance = asked.is_some_and(|query| query.starts_with(b"{\"balance\""));
        match &lie {
            Some(lie) if is_balance => lie.clone(),
            _ => {
                let (status, kind, body) = forward(&server, seen);
                Answer::Full(status, vec![("content-type", kind)], body)
            }
        }
    })
    .await;
    let found = node(proxy.url()).await.balances(account, std::slice::from_ref(&denom)).await.expect("it answers");
    assert!(!found.coins.is_empty(), "the bank's word stands, whatever the contract says");
    assert!(found.tokens.iter().all(|token| token.denom == denom));
    found.tokens.into_iter().map(|token| token.answer).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_contract_that_answers_anything_is_shown_as_that() {
    let rollup = tokio::task::spawn_blocking(|| rollup(Vm::Wasm)).await.expect("it starts");
    let url = rollup.url();
    assert!(matches!(said(&url, None).await[..], [TokenAnswer::Held(_)]));
    let data = |data: Value| Some(Answer::json(json!({"data": data}).to_string()));
    for garbage in [
        json!({"balance": "many"}),
        json!({"balance": "-5"}),
        json!({"balance": 5}),
        json!({"balance": "9".repeat(90)}),
        json!({}),
        json!(null),
        json!("\u{1b}[2J"),
    ] {
        assert_eq!(said(&url, data(garbage.clone())).await, [TokenAnswer::NoAmount], "{garbage}");
    }
    let refusal = r#"{"code":2,"message":"Error parsing into type: query wasm contract failed","details":[]}"#;
    assert_eq!(said(&url, Some(Answer::typed(400, "application/json", refusal))).await, [TokenAnswer::NoAmount]);
    assert_eq!(said(&url, Some(Answer::text(404, "<html>"))).await, [TokenAnswer::Unanswered]);
    assert_eq!(said(&url, data(json!({"balance": "0"}))).await, []);
    tokio::task::spawn_blocking(move || drop(rollup)).await.expect("it ends");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_the_bank_lists_under_another_name_is_not_said_twice() {
    let rollup = tokio::task::spawn_blocking(|| rollup(Vm::Evm)).await.expect("it starts");
    let url = rollup.url();
    let (collection, owner) = owned(&url).await;
    let node = node(&url).await;
    let bank = node.balances(owner, &[]).await.expect("it answers");
    let mut tokens = vec![Denom::new(format!("evm/{}", collection.trim_start_matches("0x")))];
    for coin in &bank.coins {
        let denom = coin.denom.as_str().replace('/', "%2F");
        let answer = rest(&url, &format!("/minievm/evm/v1/contracts/by_denom?denom={denom}")).await;
        let contract = answer["address"].as_str().map(|address| address.trim_start_matches("0x").to_owned());
        tokens.extend(contract.map(|contract| Denom::new(format!("evm/{contract}"))));
    }
    assert!(tokens.len() > 1, "the bank's tokens have contracts");
    let found = node.balances(owner, &tokens).await.expect("it answers");
    assert_eq!(found.coins, bank.coins);
    let [TokenBalance { denom, answer: TokenAnswer::Held(amount) }] = &*found.tokens else { panic!("{found:?}") };
    assert_eq!((denom, amount.is_zero()), (&tokens[0], false), "only this contract is in no bank");
    is_named_by_its_contract_alone(&url, &node).await;
    tokio::task::spawn_blocking(move || drop(rollup)).await.expect("it ends");
}

/// A token that users move, but no list names: only its contract tells what it is and who has how much.
async fn is_named_by_its_contract_alone(url: &str, node: &NodeClient) {
    let page = IndexerClient::new(url, options()).expect("its address is one");
    let page = page.list(&TxQuery::default(), &PageRequest::newest(500)).await.expect("transactions");
    let listed = get(format!("{url}/v2/fungible/assets?chain_ids=rollscope-evm-1")).await.expect("an answer");
    let listed = listed.text().await.expect("a body").to_lowercase();
    let supply = rest(url, "/cosmos/bank/v1beta1/supply?pagination.limit=1000").await.to_string().to_lowercase();
    let facts: Vec<String> = facts(Vm::Evm, chain_of(60).ledger.seed)
        .tokens
        .into_iter()
        .filter_map(|token| Some(token.contract?.hex().trim_start_matches("0x").to_lowercase()))
        .collect();
    let mut tokens = page.items.iter().flat_map(|tx| contract_tokens(tx, Some(Vm::Evm)));
    let digits = |denom: &Denom| denom.as_str().trim_start_matches("evm/").to_lowercase();
    let denom = tokens.find(|denom| !facts.contains(&digits(denom))).expect("users move the token");
    for (list, told) in [("router", &listed), ("bank", &supply)] {
        assert!(told.contains("evm/") && !told.contains(&digits(&denom)), "{list}: {told}");
    }
    let found = node.denom_facts(std::slice::from_ref(&denom)).await.expect("it answers").facts;
    let [DenomFact { claim: DenomClaim::Unit { symbol, decimals, .. }, .. }] = &*found else { panic!("{found:?}") };
    assert_eq!((symbol.as_str(), *decimals), ("OIL", 8));
    let wallet = rollscope::demo::ledger::user(chain_of(60).ledger.seed, 0);
    let found = node.balances(wallet, std::slice::from_ref(&denom)).await.expect("it answers");
    assert!(found.coins.iter().all(|coin| coin.denom != denom), "the bank does not list it");
    let [TokenBalance { answer: TokenAnswer::Held(amount), .. }] = &*found.tokens else { panic!("{found:?}") };
    assert!(!amount.is_zero());
}

/// A collection and somebody who owns some of it: its contract answers as a token's does.
async fn owned(url: &str) -> (String, Address) {
    let read = async |path: String| -> Value {
        let answer = get(path).await.expect("an answer");
        serde_json::from_str(&answer.text().await.expect("a body")).expect("JSON")
    };
    let collections = read(format!("{url}/indexer/nft/v1/collections")).await;
    for collection in collections["collections"].as_array().expect("collections") {
        let address = collection["object_addr"].as_str().expect("an address");
        let tokens = read(format!("{url}/indexer/nft/v1/tokens/by_collection/{address}")).await;
        if let Some(owner) = tokens["tokens"][0]["owner"].as_str() {
            return (address.to_owned(), owner.parse().expect("an address"));
        }
    }
    panic!("no collection has tokens");
}
