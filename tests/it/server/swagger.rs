mod answers;
pub(super) mod validator;

use rollscope::{demo::RollupOptions, domain::Vm};
use rstest::rstest;
use serde_json::{Value, json};

use super::{
    chain::options,
    client::{Mode, Server, stepped},
    state::{fee_denom, ledger, server, server_on},
};
use validator::Definitions;

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
        "side" => "sent".to_owned(),
        "port" => "transfer".to_owned(),
        "channel" => "channel-0".to_owned(),
        "sequence" => "1".to_owned(),
        "denom" => fee_denom().replace('/', "%2F"),
        "tx_hash" if !path.contains("evm-") => txs["txs"][0]["txhash"].as_str().unwrap().to_owned(),
        _ => panic!("what is {name} in {path}?"),
    };
    let paths = document["paths"].as_object().unwrap();
    assert!(paths.len() >= 16, "the specification has 16 endpoints");
    let posted: Vec<&String> =
        paths.iter().filter(|(_, methods)| methods["post"].is_object()).map(|(path, _)| path).collect();
    assert!(posted.len() >= 10, "{posted:?}");
    for path in &posted {
        assert_eq!(paths[*path]["post"]["parameters"][0]["in"], "body", "{path}");
        assert_eq!(server.get(path).await.status, 405, "{path}");
    }
    let is_read = |path: &String| !posted.contains(&path) && path != "/v2/tx/status";
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

/// What the description says of numbers and booleans is kept, also in the second of two values.
#[tokio::test]
async fn what_the_description_does_not_allow_is_refused() {
    let server = server(Mode::Specified, 10, 0);
    let document = server.json(DOCUMENT).await;
    let mut refused = 0;
    for (path, methods) in document["paths"].as_object().unwrap() {
        let parameters = methods["get"]["parameters"].as_array().into_iter().flatten();
        let is_strict = |parameter: &&Value| {
            parameter["in"] == "query" && (parameter["type"] == "boolean" || parameter["type"] == "integer")
        };
        let called = path.replace("{height}", "7").replace("{tx_hash}", &"a".repeat(64)).replace("{name}", "a");
        let called = called.replace("{account}", "0x1").replace("{collection_addr}", "0x1").replace("{token_id}", "1");
        let called = called.replace("{denom}", "0x12");
        for name in parameters.filter(is_strict).map(|parameter| parameter["name"].as_str().unwrap()) {
            for value in ["null", "", "[]", "0&NAME=null"] {
                let query = format!("{name}={}", value.replace("NAME", name));
                let answer = server.get(&format!("{called}?{query}")).await;
                assert_eq!(answer.status, 400, "{called}?{query}: {}", answer.text);
                refused += 1;
            }
        }
    }
    assert!(refused > 200, "{refused}");
}

/// A pattern that a text matches promises that it is read: it may name nothing, but it is not refused as unreadable.
#[rstest]
#[case("/indexer/block/v1/blocks?pagination.key=AAAA", 404)]
#[case("/indexer/nft/v1/collections?pagination.key=e30%3D", 200)]
#[case("/indexer/tx/v1/txs/by_account/init1bqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqq", 400)]
#[case("/indexer/tx/v1/txs/by_account/init1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqq", 404)]
#[case("/indexer/nft/v1/tokens/by_account/0x1?collection_addr=", 200)]
#[case("/indexer/richlist/v1/nothing", 404)]
#[case("/indexer/block/v1/blocks?pagination.key=AAB%3D", 400)]
#[tokio::test]
async fn patterns_tell_what_is_read_from_what_is_not(#[case] path: &str, #[case] status: u16) {
    let server = server(Mode::Specified, 10, 0);
    let document = server.json(DOCUMENT).await;
    let listed = &document["paths"]["/indexer/nft/v1/tokens/by_account/{account}"]["get"]["parameters"];
    let pattern = |name: &str| {
        let found = listed.as_array().unwrap().iter().find(|parameter| parameter["name"] == name).unwrap();
        regex::Regex::new(found["pattern"].as_str().unwrap()).unwrap()
    };
    let (bare, query) = path.split_once('?').unwrap_or((path, ""));
    let fits = match query.split_once('=') {
        Some((name, value)) => pattern(name).is_match(&value.replace("%3D", "=")),
        None => bare.contains("richlist") || pattern("account").is_match(bare.rsplit('/').next().unwrap()),
    };
    assert_eq!(fits, status != 400, "{path}");
    assert_eq!(server.get(path).await.status, status, "{path}");
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

/// Every wrong version of a value: a field less, a field more, another kind of value, anywhere in it.
fn spoiled(definitions: &Definitions, schema: &Value, value: &Value) -> Vec<(String, Value)> {
    let schema = definitions.resolve(schema);
    let mut wrong = Vec::new();
    match value {
        Value::Object(fields) => {
            let required = schema["required"].as_array().cloned().unwrap_or_default();
            for name in required.iter().filter_map(Value::as_str) {
                let mut fields = fields.clone();
                fields.remove(name);
                wrong.push((format!("without {name}"), Value::Object(fields)));
            }
            if schema["additionalProperties"] == false {
                let mut fields = fields.clone();
                fields.insert("surprise".to_owned(), json!(1));
                wrong.push(("with a surprise".to_owned(), Value::Object(fields)));
            }
            for (name, inner) in fields {
                let Some(schema) = schema["properties"].get(name) else { continue };
                for (what, spoiled) in spoiled(definitions, schema, inner) {
                    let mut fields = fields.clone();
                    fields.insert(name.clone(), spoiled);
                    wrong.push((format!("{name}: {what}"), Value::Object(fields)));
                }
            }
        }
        Value::Array(items) => {
            wrong.push(("no list".to_owned(), json!({})));
            if let Some(first) = items.first() {
                for (what, spoiled) in spoiled(definitions, &schema["items"], first) {
                    let mut items = items.clone();
                    items[0] = spoiled;
                    wrong.push((format!("[0]: {what}"), Value::Array(items)));
                }
            }
        }
        Value::String(_) if schema["type"] == "string" => wrong.push(("a number".to_owned(), json!(5))),
        Value::Number(_) if schema["type"] != Value::Null => wrong.push(("a text".to_owned(), json!("5"))),
        Value::Bool(_) if schema["type"] == "boolean" => wrong.push(("a text".to_owned(), json!("true"))),
        _ => {}
    }
    wrong
}

#[rstest]
#[case("/status", "/status")]
#[case("/indexer/block/v1/blocks", "/indexer/block/v1/blocks?pagination.limit=1")]
#[case("/indexer/tx/v1/txs", "/indexer/tx/v1/txs?pagination.limit=1")]
#[case("/indexer/tx/v1/evm-txs", "/indexer/tx/v1/evm-txs?pagination.limit=1")]
#[case("/indexer/tx/v1/evm-internal-txs", "/indexer/tx/v1/evm-internal-txs?pagination.limit=1")]
#[case("/indexer/nft/v1/collections", "/indexer/nft/v1/collections?pagination.limit=1")]
#[case("/v2/info/chains", "/v2/info/chains")]
#[tokio::test]
async fn a_wrong_answer_is_found(#[case] path: &str, #[case] asked: &str) {
    let server = server(Mode::Specified, 30, 0);
    let document = server.json(DOCUMENT).await;
    let definitions = Definitions::of(&document);
    let schema = &document["paths"][path]["get"]["responses"]["200"]["schema"];
    let answer = server.json(asked).await;
    assert_eq!(definitions.faults(schema, &answer), Vec::<String>::new());
    let wrong = spoiled(&definitions, schema, &answer);
    assert!(wrong.len() > 8, "{path}: {}", wrong.len());
    for (what, value) in wrong {
        assert!(!definitions.faults(schema, &value).is_empty(), "{path}: {what} was not found");
    }
}

#[tokio::test]
async fn values_of_another_form_are_found() {
    let server = server(Mode::Specified, 30, 0);
    let document = server.json(DOCUMENT).await;
    let definitions = Definitions::of(&document);
    let block = server.json("/indexer/block/v1/blocks/7").await["block"].clone();
    for (field, value) in [
        ("height", json!("0")),
        ("height", json!("-7")),
        ("hash", json!("abcd")),
        ("hash", json!(block["hash"].as_str().unwrap().to_lowercase())),
        ("timestamp", json!("yesterday")),
        ("tx_count", json!("many")),
        ("chain_id", json!(null)),
    ] {
        let mut wrong = block.clone();
        wrong[field] = value;
        let schema = json!({"$ref": "#/definitions/Block"});
        assert_eq!(definitions.faults(&schema, &wrong).len(), 1, "{field}: {wrong}");
    }
    let status = |field: &str, value: Value| {
        let mut status = json!({"version": "", "commit_hash": "", "chain_id": "a", "height": 5});
        status[field] = value;
        definitions.faults(&json!({"$ref": "#/definitions/Status"}), &status).len()
    };
    assert_eq!(status("tx_account_cleanup_sequence", json!(-1)), 0);
    for (field, value) in [
        ("tx_account_cleanup_sequence", json!(-2)),
        ("height", json!(0)),
        ("height", json!(1.5)),
        ("rich_list_height", json!(null)),
        ("is_complete", json!("false")),
    ] {
        assert_eq!(status(field, value), 1, "{field}");
    }
}

#[rstest]
#[case(Vm::Evm, 8)]
#[case(Vm::Move, 0)]
#[case(Vm::Wasm, 0)]
#[tokio::test]
async fn every_operation_is_described_whole(#[case] vm: Vm, #[case] of_evm: usize) {
    let server = server_on(vm, Mode::Specified, 3, 0);
    let document = server.json(DOCUMENT).await;
    let paths = document["paths"].as_object().unwrap();
    assert_eq!(paths.keys().filter(|path| path.contains("/evm-")).count(), of_evm);
    let mut ids = std::collections::BTreeSet::new();
    for (path, verbs) in paths {
        for (verb, operation) in verbs.as_object().unwrap() {
            let id = operation["operationId"].as_str().unwrap();
            assert!(!id.is_empty() && ids.insert(id.to_owned()), "{verb} {path}: {id}");
            let good = &operation["responses"]["200"]["schema"];
            assert!(good["$ref"].is_string(), "{verb} {path} says nothing of its answer");
            for status in ["405", "500"] {
                assert!(operation["responses"][status].is_object(), "{verb} {path}: {status}");
            }
            for parameter in operation["parameters"].as_array().unwrap() {
                let is_body = parameter["in"] == "body";
                assert!(is_body || parameter["description"].as_str().is_some_and(|text| !text.is_empty()), "{path}");
                assert!(!is_body || parameter["schema"]["$ref"].is_string(), "{path}: {parameter}");
                let is_bare = parameter["type"] == "integer" && parameter["minimum"].is_null();
                assert!(!is_bare, "{path}: {parameter}");
            }
            assert_eq!(verb == "post", operation["parameters"].as_array().unwrap().iter().any(|it| it["in"] == "body"));
        }
    }
    let of = |path: &str, name: &str| {
        let parameters = paths[path]["get"]["parameters"].as_array().unwrap();
        parameters.iter().find(|parameter| parameter["name"] == name).unwrap().clone()
    };
    let limit = of("/indexer/tx/v1/txs", "pagination.limit");
    assert_eq!((&limit["minimum"], &limit["maximum"], &limit["default"]), (&json!(1), &json!(1000), &json!(100)));
    let order = of("/indexer/nft/v1/tokens/by_account/{account}", "order_by");
    assert_eq!((&order["enum"], &order["default"]), (&json!(["token_id", "height"]), &json!("token_id")));
    assert_eq!(of("/v2/tx/status", "tx_hash")["required"], json!(true));
    assert_eq!(of("/indexer/tx/v1/txs/by_height/{height}", "height")["type"], json!("integer"));
}
