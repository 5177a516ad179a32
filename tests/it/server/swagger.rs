use rollscope::{demo::RollupOptions, domain::Vm};
use rstest::rstest;
use serde_json::{Value, json};

use super::{
    chain::options,
    client::{Mode, Server, stepped},
    state::{fee_denom, ledger, server},
};

const DOCUMENT: &str = "/swagger/doc.json";

#[rstest]
#[case(Mode::Specified, "1.0.0")]
#[case(Mode::Quirks, "")]
#[tokio::test]
async fn every_path_of_the_document_is_served(#[case] mode: Mode, #[case] version: &str) {
    let server = server(mode, 30, 0);
    let document = server.json(DOCUMENT).await;
    assert_eq!(document["swagger"], "2.0");
    assert_eq!((&document["info"]["title"], &document["info"]["version"]), (&json!("Rollytics API"), &json!(version)));
    let ledger = ledger(30);
    let nft = &ledger.nfts()[0];
    let txs = server.json("/indexer/tx/v1/txs?pagination.limit=1").await;
    let value = |path: &str, name: &str| match name {
        "height" => "7".to_owned(),
        "account" => nft.owner.hex(),
        "name" => "lantern".to_owned(),
        "collection_addr" => nft.collection.hex(),
        "token_id" => nft.token_id.clone(),
        "denom" => fee_denom().replace('/', "%2F"),
        "tx_hash" if !path.contains("evm-") => txs["txs"][0]["txhash"].as_str().unwrap().to_owned(),
        _ => panic!("what is {name} in {path}?"),
    };
    let paths = document["paths"].as_object().unwrap();
    assert!(paths.len() >= 16, "the specification has 16 endpoints");
    let posted = ["/v2/fungible/route", "/op-hook", "/v2/fungible/msgs", "/v2/tx/track", "/v2/tx/retry_track"];
    for path in posted {
        assert_eq!(paths[path]["post"]["parameters"][0]["in"], "body", "{path}");
        assert_eq!(server.get(path).await.refusal().0, 405, "{path}");
    }
    let is_read = |path: &str| !posted.contains(&path) && path != "/v2/tx/status";
    for (path, methods) in paths.iter().filter(|(path, _)| !path.contains("/evm-") && is_read(path)) {
        let parameters = methods["get"]["parameters"].as_array().unwrap();
        let mut called = path.clone();
        let mut query = String::from("?");
        for parameter in parameters {
            let name = parameter["name"].as_str().unwrap();
            match parameter["in"].as_str() {
                Some("path") => called = called.replace(&format!("{{{name}}}"), &value(path, name)),
                _ => query.push_str(&asked(name, nft.collection.hex().as_str())),
            }
        }
        assert!(!called.contains('{'), "every parameter in the path is described: {path}");
        assert_eq!(server.get(&called).await.status, 200, "{called}");
        // by_account with a known message type is the real server's own failure.
        let answer = server.get(&format!("{called}{query}")).await;
        assert_eq!(answer.status, 200, "{called}{query}: {}", answer.text);
        assert!(methods["get"]["summary"].as_str().is_some_and(|summary| !summary.is_empty()));
    }
}

/// A parameter with a value that changes nothing.
fn asked(name: &str, collection: &str) -> String {
    match name {
        "pagination.key" => "pagination.key=MA%3D%3D&".to_owned(),
        "pagination.offset" => "pagination.offset=0&".to_owned(),
        "pagination.limit" => "pagination.limit=10&".to_owned(),
        "pagination.count_total" | "pagination.reverse" | "is_signer" => format!("{name}=true&"),
        "msgs" => "msgs=unknown.Msg&".to_owned(),
        "collection_addr" => format!("collection_addr={collection}&"),
        "token_id" => "token_id=1&".to_owned(),
        "chain_ids" => "chain_ids=interwoven-1&".to_owned(),
        "order_by" => "order_by=height&".to_owned(),
        other => panic!("what is {other}?"),
    }
}

#[tokio::test]
async fn other_machines_have_no_evm_paths() {
    let mut ledger = options(7);
    ledger.vm = Vm::Wasm;
    let server = Server::with(RollupOptions { ledger, ..stepped(3) });
    let document: Value = server.json(DOCUMENT).await;
    assert!(document["paths"].as_object().unwrap().keys().all(|path| !path.contains("/evm-")));
    assert!(document["paths"]["/indexer/richlist/v1/{denom}"].is_object());
}

#[test]
fn the_short_address_leads_to_the_page() {
    let server = Server::start(Mode::Specified, 3);
    for path in ["/swagger", "/Swagger/"] {
        let answer = server.raw(&format!("GET {path}")).to_ascii_lowercase();
        assert!(answer.starts_with("http/1.1 301 "), "{answer}");
        assert!(answer.contains("\r\nlocation: /swagger/index.html\r\n"), "{answer}");
    }
    let page = server.raw("GET /swagger/index.html");
    assert!(page.contains("text/html") && page.contains("/indexer/nft/v1/collections/{collection_addr}"), "{page}");
    assert!(server.raw("POST /swagger/doc.json").starts_with("HTTP/1.1 405 "));
}
