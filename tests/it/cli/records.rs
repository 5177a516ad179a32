//! The commands for receipts, call frames, NFTs and holders.

use rstest::rstest;
use serde_json::{Value, json};

use super::{
    chain::Chain,
    parse,
    program::{Home, run},
};
use crate::harness::replay::{Answer, Seen, recordings};

const ACCOUNT: &str = "0xefefefefefefefefefefefefefefefefefefefef";
const COLLECTION: &str = "0x1111111111111111111111111111111111111111";
const DENOM: &str = "0xaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa";

/// The recorded answer for this path.
fn recorded(path: &str) -> Value {
    recordings().find(|line| line["path"] == path).expect("it is recorded")["json"].clone()
}

#[rstest]
#[case("evm-txs --limit 1", "/indexer/tx/v1/evm-txs?pagination.limit=1")]
#[case("internal-txs --limit 2", "/indexer/tx/v1/evm-internal-txs?pagination.limit=2")]
#[case("collections --limit 2", "/indexer/nft/v1/collections?pagination.limit=2")]
#[case("collections --limit 100 --name foo", "/indexer/nft/v1/collections/by_name/foo")]
#[case(
    "nfts --limit 3 --account 0xefefefefefefefefefefefefefefefefefefefef",
    "/indexer/nft/v1/tokens/by_account/0xefefefefefefefefefefefefefefefefefefefef?pagination.limit=3"
)]
#[case(
    "nft-txs 0x1111111111111111111111111111111111111111 1 --limit 1",
    "/indexer/nft/v1/txs/0x1111111111111111111111111111111111111111/1?pagination.limit=1"
)]
#[case(
    "holders 0xaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa --limit 3",
    "/indexer/richlist/v1/0xaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa?pagination.limit=3"
)]
fn a_page_of_json_is_the_answer_as_received(#[case] arguments: &str, #[case] path: &str) {
    let chain = Chain::recorded();
    let ask = |format: &str| run(&format!("{arguments} --format {format} --indexer {}", chain.url())).good();
    let body = recorded(path);
    assert_eq!(ask("json"), format!("{body}\n"));
    let field = body.as_object().and_then(|body| body.keys().next()).expect("it has its rows");
    let lines = ask("jsonl");
    assert_eq!(lines.lines().map(parse).collect::<Vec<_>>(), *body[field].as_array().unwrap());
    let rows = body[field].as_array().map_or(0, Vec::len);
    let (csv, table) = (ask("csv"), ask("table"));
    assert_eq!(csv::Reader::from_reader(csv.as_bytes()).records().flatten().count(), rows, "{csv}");
    assert_eq!(table.lines().count(), 1 + rows, "{table}");
}

#[test]
fn one_receipt_or_collection_is_the_inner_value() {
    let chain = Chain::recorded();
    let ask = |arguments: &str| run(&format!("{arguments} --indexer {}", chain.url())).good();
    let hash = format!("0x{:064x}", 12);
    let receipt = recorded("/indexer/tx/v1/evm-txs/0x000000000000000000000000000000000000000000000000000000000000000C");
    assert_eq!(ask(&format!("evm-txs {hash}")), format!("{}\n", receipt["tx"]));
    let table = ask(&format!("evm-txs {hash} --format table"));
    assert!(table.contains("✓ success") && table.contains("Gas used           21,000\n"), "{table}");
    let collection = recorded(&format!("/indexer/nft/v1/collections/{COLLECTION}"));
    assert_eq!(ask(&format!("collections {COLLECTION}")), format!("{}\n", collection["collection"]));
    let csv = ask(&format!("collections {COLLECTION} --format csv"));
    assert!(csv.starts_with("object_addr,name,origin_name,creator,length,height,timestamp\n0x1111"), "{csv}");
}

#[test]
fn csv_has_exact_integers_where_the_wire_has_hex() {
    let chain = Chain::recorded();
    let ask = |arguments: &str| run(&format!("{arguments} --format csv --indexer {}", chain.url())).good();
    let frames = ask("internal-txs --limit 2");
    assert!(
        frames.contains(",1,0,STATICCALL,0x0000000000000000000000000000000000000002,,,256,0,0xdead,0x01,\n"),
        "{frames}"
    );
    let receipts = ask("evm-txs --limit 1");
    assert!(
        receipts.contains(",24,0,1,2,0x0000000000000000000000000000000000000001,,,21000,0,21000,0\n"),
        "{receipts}"
    );
    let holders = ask(&format!("holders {DENOM} --limit 3"));
    let cells: Vec<Vec<&str>> = holders.lines().map(|line| line.split(',').take(2).collect()).collect();
    assert_eq!(
        cells,
        [
            ["account", "amount"],
            ["0xefefefefefefefefefefefefefefefefefefefef", "99999999999999999999999999"],
            ["0x0000000000000000000000000000000000000001", "1000"],
            ["0x0000000000000000000000000000000000000002", "1000"],
        ]
    );
    let ranked = run(&format!("holders {DENOM} --limit 3 --format table --indexer {}", chain.url())).good();
    assert!(ranked.starts_with("Rank                              Amount  Account\n   1  99,999,999,999"), "{ranked}");
    assert!(!ranked.contains('%'), "nobody looks at a share in a pipe: {ranked}");
}

/// Answers every list with nothing, and records what it was asked.
fn nothing(_: &Seen) -> Answer {
    let mut answer = json!({"pagination": {"previous_key": null, "next_key": null, "total": "0"}});
    for field in ["txs", "internal_txs", "collections", "tokens", "holders"] {
        answer[field] = json!([]);
    }
    Answer::json(answer.to_string())
}

#[rstest]
#[case(
    "evm-txs --account 0x1 --signer",
    "/indexer/tx/v1/evm-txs/by_account/0x0000000000000000000000000000000000000001?pagination.limit=20&is_signer=true"
)]
#[case(
    "evm-txs --height 4 --ascending",
    "/indexer/tx/v1/evm-txs/by_height/4?pagination.limit=20&pagination.reverse=false"
)]
#[case(
    "internal-txs --account 0x1 --key Mw==",
    "/indexer/tx/v1/evm-internal-txs/by_account/0x0000000000000000000000000000000000000001?pagination.key=Mw%3D%3D&pagination.limit=20"
)]
#[case(
    "internal-txs --height 4 --no-total",
    "/indexer/tx/v1/evm-internal-txs/by_height/4?pagination.limit=20&pagination.count_total=false"
)]
#[case(
    "internal-txs 000000000000000000000000000000000000000000000000000000000000000C",
    "/indexer/tx/v1/evm-internal-txs/0x000000000000000000000000000000000000000000000000000000000000000c?pagination.limit=20&pagination.reverse=false"
)]
#[case(
    "collections --account 0x1 --offset 7",
    "/indexer/nft/v1/collections/by_account/init1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqpqr5e3d?pagination.offset=7&pagination.limit=20"
)]
#[case(
    "nfts --account 0x1 --collection 0x2 --order-by height",
    "/indexer/nft/v1/tokens/by_account/init1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqpqr5e3d?pagination.limit=20&collection_addr=0x0000000000000000000000000000000000000002&order_by=height"
)]
#[case(
    "nfts --collection 0x2 --token-id 1/2",
    "/indexer/nft/v1/tokens/by_collection/0x0000000000000000000000000000000000000002?pagination.limit=20&token_id=1%2F2"
)]
#[case("nft-txs 0x2 77", "/indexer/nft/v1/txs/0x0000000000000000000000000000000000000002/77?pagination.limit=20")]
#[case("holders ibc/ABC", "/indexer/richlist/v1/ibc%2FABC?pagination.limit=20")]
fn options_reach_the_server(#[case] arguments: &str, #[case] expected: &str) {
    let chain = Chain::scripted(nothing);
    run(&format!("{arguments} --indexer {}", chain.url())).good();
    assert_eq!(chain.targets(), [expected]);
}

#[rstest]
#[case("nfts", "--account <ACCOUNT>")]
#[case("nfts --account 0x1 --order-by name", "possible values: token_id, height")]
#[case("evm-txs --signer", "--account <ACCOUNT>")]
#[case("evm-txs 12", "“12” is not a hash")]
#[case("evm-txs --account 0x1 --height 2", "cannot be used with")]
#[case("internal-txs --account 0x1 --height 2", "cannot be used with")]
#[case("collections 0x1 --limit 3", "cannot be used with")]
#[case("collections --account 0x1 --name a", "cannot be used with")]
#[case("nft-txs 0x1", "<TOKEN>")]
#[case("nft-txs zz 1", "“zz”")]
#[case("holders .", "write the token as the chain does")]
#[case("holder uinit", "a similar subcommand exists: 'holders'")]
fn bad_usage_ends_with_2(#[case] arguments: &str, #[case] expected: &str) {
    let sentence = run(arguments).bad(2);
    assert!(sentence.contains(expected), "{sentence}");
}

#[rstest]
#[case("evm-txs", "evm routes are not available on this chain", 3, "only EVM rollups have receipts and call frames")]
#[case("holders uinit", "Cannot GET /indexer/richlist/v1/uinit", 1, "the server may be older")]
#[case("collections 0x1", "nft collection not found", 3, "not found: nft collection not found")]
fn what_is_not_there_is_told_from_what_is_off(
    #[case] arguments: &str,
    #[case] sentence: &'static str,
    #[case] status: i32,
    #[case] expected: &str,
) {
    let chain = Chain::scripted(move |_| Answer::text(404, sentence));
    let said = run(&format!("{arguments} --indexer {}", chain.url())).bad(status);
    assert!(said.contains(expected), "{said}");
}

#[test]
fn a_name_that_the_server_cannot_find_is_looked_for_here_and_said() {
    let chain = Chain::scripted(|seen| {
        if seen.target.contains("by_name") {
            return nothing(seen);
        }
        Answer::json(recorded("/indexer/nft/v1/collections?pagination.limit=2").to_string().replace("\"NA==\"", "null"))
    });
    let ask = |arguments: &str| Home::empty().run(&format!("{arguments} --indexer {}", chain.url()));
    let name =
        recorded("/indexer/nft/v1/collections?pagination.limit=2")["collections"][0]["collection"]["name"].clone();
    let name = name.as_str().unwrap().split_whitespace().next().unwrap().to_lowercase();
    let lines = ask(&format!("collections --name {name} --format jsonl"));
    assert_eq!((lines.status, lines.out.lines().count()), (0, 1), "{lines:?}");
    assert_eq!(lines.err, "note: the server did not search by name: 1 of 2 scanned rows match\n");
    let json = ask(&format!("collections --name {name}"));
    let answer = parse(&json.out);
    assert_eq!(answer["collections"], json!([parse(&lines.out)]));
    assert_eq!(answer["pagination"], json!({"previous_key": null, "next_key": null, "total": "1"}));
}

#[test]
fn rows_that_the_server_cannot_show_are_left_out_and_said() {
    let token =
        recorded(&format!("/indexer/nft/v1/tokens/by_account/{ACCOUNT}?pagination.limit=3"))["tokens"][0].clone();
    let chain = Chain::scripted(move |seen| {
        let of = |name: &str| {
            let value = seen.target.split(['?', '&']).find_map(|part| part.strip_prefix(name));
            value.map_or(0, |value| value.parse::<usize>().expect("it is a number"))
        };
        let (start, limit) = (of("pagination.offset="), of("pagination.limit="));
        let end = (start + limit).min(5);
        if (start..end).contains(&2) {
            return Answer::text(500, "Internal Server Error");
        }
        let numbered = |place: usize| {
            let mut token = token.clone();
            token["nft"]["token_id"] = json!(place.to_string());
            token
        };
        let rows: Vec<Value> = (start..end).map(numbered).collect();
        let pagination = json!({"previous_key": null, "next_key": (end == start + limit).then_some("x"), "total": "5"});
        Answer::json(json!({"tokens": rows, "pagination": pagination}).to_string())
    });
    for format in ["json", "jsonl"] {
        let ran = Home::empty().run(&format!("nfts --account {ACCOUNT} --format {format} --indexer {}", chain.url()));
        assert_eq!(ran.status, 0, "{ran:?}");
        assert_eq!(ran.err, "note: skipped 1 row that the server cannot serve\n", "{format}");
        let rows = if format == "json" {
            parse(&ran.out)["tokens"].as_array().map_or(0, Vec::len)
        } else {
            ran.out.lines().count()
        };
        assert_eq!(rows, 4, "{}", ran.out);
    }
}

#[test]
fn an_nft_that_no_server_can_find_is_said() {
    let chain = Chain::scripted(nothing);
    for format in ["json", "csv"] {
        let ran = Home::empty().run(&format!("nft-txs {COLLECTION} é --format {format} --indexer {}", chain.url()));
        assert_eq!(ran.status, 0);
        assert!(ran.err.starts_with("note: servers cannot look up this NFT id"), "{ran:?}");
    }
}

#[test]
fn rows_are_printed_with_what_this_version_does_not_know() {
    let (one, two) = (r#"{"account":"0x1", "rank" :1,"amount":"5"}"#, r#"{"account":"0x2", "rank" :2,"amount":"5"}"#);
    let body = format!(r#"{{"holders":[{one},\n{two}],"pagination":{{"next_key":null,"total":"2"}}}}"#);
    let chain = Chain::scripted(move |_| Answer::json(body.clone().replace("\\n", "\n")));
    let ask = |arguments: &str| run(&format!("holders x {arguments} --indexer {}", chain.url())).good();
    assert_eq!(ask("--format jsonl"), format!("{one}\n{two}\n"));
    assert_eq!(ask("--all --format json"), format!("[\n{one},\n{two}\n]\n"));
}
