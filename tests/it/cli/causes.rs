//! Failures name what was asked for and its true cause; hashes, symbols and networks are what they are said to be.

use rstest::rstest;
use serde_json::{Value, json};

use super::{
    chain::{self, Chain},
    embedded::Served,
    parse,
    program::{Home, run},
};
use crate::harness::replay::{Answer, Seen};

#[test]
fn a_status_that_a_proxy_cannot_give_is_no_empty_index() {
    let proxy = Chain::scripted(|_| Answer::typed(502, "text/html", "<html>Bad Gateway</html>"));
    let sentence = run(&format!("status --indexer {}", proxy.url())).bad(1);
    assert!(sentence.starts_with("the status: http://") && sentence.contains("failed (502)"), "{sentence}");
    assert!(!sentence.contains("no block yet"), "{sentence}");
    let starting = Chain::scripted(|_| Answer::text(500, "Internal Server Error"));
    let sentence = run(&format!("status --indexer {}", starting.url())).bad(1);
    assert!(sentence.contains("or the indexer has no block yet"), "{sentence}");
}

#[test]
fn an_answer_that_is_too_large_is_made_smaller_only_where_it_can_be() {
    const HEAD: &[u8] = b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 104857600\r\n\r\n{";
    let chain = Chain::scripted(|_| Answer::Garbage(HEAD));
    let sentence = run(&format!("status --indexer {}", chain.url())).bad(1);
    assert!(sentence.contains("larger than 32 MiB") && !sentence.contains("--limit"), "{sentence}");
    let sentence = run(&format!("txs --indexer {}", chain.url())).bad(1);
    assert!(sentence.contains("larger than 32 MiB; request smaller pages with --limit"), "{sentence}");
}

#[test]
fn nothing_is_tried_again_after_the_end() {
    let chain = Chain::scripted(|_| Answer::text(429, "slow down").with("retry-after", "18446744073709551615"));
    let sentence = run(&format!("blocks --indexer {}", chain.url())).bad(1);
    assert!(sentence.ends_with("limits requests for more than a day; try again later"), "{sentence}");
}

#[rstest]
#[case("blocks 31", "block 31: not found: block not found")]
#[case(
    "txs 0000000000000000000000000000000000000000000000000000000000000063",
    "transaction 0000000000000000000000000000000000000000000000000000000000000063: not found: transaction not found"
)]
#[case("collections 0x1", "collection 0x0000000000000000000000000000000000000001: not found: ")]
fn what_is_not_there_is_named(#[case] arguments: &str, #[case] expected: &str) {
    let chain = Chain::start(30);
    let sentence = run(&format!("{arguments} --indexer {}", chain.url())).bad(3);
    assert!(sentence.starts_with(expected), "{sentence}");
}

#[test]
fn a_hash_of_the_evm_finds_its_transaction() {
    let served = Served::start("--history 60");
    let indexer = format!("--indexer {}", served.url);
    let receipts = parse(&run(&format!("evm-txs --limit 1 {indexer}")).good());
    let hash = receipts["txs"][0]["transactionHash"].as_str().expect("a receipt").to_owned();
    let height = receipts["txs"][0]["blockNumber"].as_str().expect("a height").trim_start_matches("0x");
    let height = u64::from_str_radix(height, 16).expect("hexadecimal").to_string();
    for format in ["json", "csv"] {
        let ran = Home::empty().run(&format!("txs {hash} --format {format} {indexer}"));
        assert_eq!(ran.status, 0, "{ran:?}");
        assert!(ran.err.starts_with(&format!("note: {hash} is the EVM hash of ")), "{ran:?}");
        if format == "json" {
            let tx = parse(&ran.out);
            assert_eq!(tx["height"], height);
            assert!(ran.err.contains(tx["txhash"].as_str().expect("a hash")), "{ran:?}");
        }
    }
    let unknown = run(&format!("txs 0x{:064x} {indexer}", 77)).bad(3);
    assert!(unknown.contains("not found"), "{unknown}");

    let frames = parse(&run(&format!("internal-txs {hash} --limit 100 {indexer}")).good());
    let frames = frames["internal_txs"].as_array().expect("frames");
    let indices: Vec<i64> = frames.iter().filter_map(|frame| frame["index"].as_i64()).collect();
    assert_eq!(indices, (0..i64::try_from(indices.len()).unwrap()).collect::<Vec<_>>(), "the outer call comes first");
    let cosmos = parse(&run(&format!("txs {hash} {indexer}")).out)["txhash"].as_str().expect("a hash").to_owned();
    for format in ["json", "csv"] {
        let [by_evm, by_cosmos] =
            [&hash, &cosmos].map(|hash| run(&format!("internal-txs {hash} --limit 100 --format {format} {indexer}")));
        assert!(by_cosmos.err.contains(&format!("note: {cosmos} is the Cosmos hash of {hash}")), "{by_cosmos:?}");
        assert_eq!((by_cosmos.status, by_cosmos.out), (0, by_evm.good()), "{format}");
    }
    let unknown = run(&format!("internal-txs {:064x} {indexer}", 77)).bad(3);
    assert!(unknown.contains("not found"), "{unknown}");
}

/// A rich list of one denom, and what the router calls tokens.
fn with_symbols(assets: &'static [(&'static str, &'static str)]) -> Chain {
    Chain::scripted(move |seen: &Seen| match seen.target.split('?').next().unwrap_or_default() {
        "/status" => Answer::json(r#"{"chain_id": "test-1", "height": 40, "rich_list_height": 35}"#),
        "/v2/fungible/assets" => {
            let asset =
                |(denom, symbol): &(&str, &str)| json!({"denom": denom, "chain_id": "test-1", "symbol": symbol});
            let assets: Vec<Value> = assets.iter().map(asset).collect();
            Answer::json(json!({"chain_to_assets_map": {"test-1": {"assets": assets}}}).to_string())
        }
        path => {
            let denom = path.strip_prefix("/indexer/richlist/v1/").expect("nothing else is asked").to_owned();
            let rows = [json!({"account": denom, "amount": "-5"})];
            let pagination = json!({"previous_key": null, "next_key": null, "total": "1"});
            Answer::json(json!({"holders": rows, "pagination": pagination}).to_string())
        }
    })
}

#[test]
fn a_symbol_is_found_in_the_networks_list_and_the_routers() {
    let chain = with_symbols(&[("l2%2Faa", "INIT"), ("evm/bb", "GAS"), ("evm/cc", "USDC"), ("evm/dd", "USDC")]);
    let config = format!(
        "[[networks]]\nname = \"mine\"\nindexer = \"{}\"\ntokens = [{{ denom = \"evm/own\", symbol = \"OWN\", decimals = 6 }}]\n",
        chain.url()
    );
    let home = Home::with_config(&config);
    let holders =
        |arguments: &str| home.run(&format!("-n mine --router {} holders {arguments} --format csv", chain.url()));
    let denom = |arguments: &str| {
        let ran = holders(arguments);
        assert_eq!(ran.status, 0, "{ran:?}");
        let row = ran.out.lines().nth(1).expect("a row").to_owned();
        (row.split(',').next().expect("a cell").to_owned(), ran.err)
    };
    assert_eq!(denom("OWN"), ("evm%2Fown".to_owned(), "note: OWN is evm/own\n".to_owned()));
    assert_eq!(denom("gas"), ("evm%2Fbb".to_owned(), "note: gas is evm/bb\n".to_owned()));
    assert_eq!(denom("evm/zz"), ("evm%2Fzz".to_owned(), String::new()), "a denom is taken as it is");
    assert_eq!(denom("uinit"), ("uinit".to_owned(), String::new()), "so is what nobody calls so");
    let named = |arguments: &str| holders(arguments).out.lines().nth(1).map(|row| row.ends_with(",OWN,6,network"));
    assert_eq!((named("OWN"), named("evm/zz")), (Some(true), Some(false)));
    let sentence = holders("USDC").bad(2);
    assert_eq!(sentence, "2 tokens have the symbol USDC: give evm/cc or evm/dd");
}

#[test]
fn the_routers_symbols_are_those_of_the_chain_that_is_asked() {
    let served = Served::start("--history 60");
    // Whether its history has come as far as the first holder does not matter.
    let ran = run(&format!("holders GAS --limit 1 --indexer {0} --router {0}", served.url));
    assert!(ran.err.starts_with("note: GAS is evm/"), "{ran:?}");
    let without = run(&format!("holders GAS --limit 1 --indexer {}", served.url));
    assert_eq!((without.status, without.out.as_str()), (3, ""), "{without:?}");
    assert!(without.err.starts_with("note: nothing here names GAS, so it is taken for a denom;"), "{without:?}");
    assert!(without.err.contains("\nrollscope: the holders of GAS: not found"), "{without:?}");
}

#[test]
fn holders_in_a_file_say_of_which_height_they_are() {
    let chain = with_symbols(&[]);
    let csv = run(&format!("holders evm/aa --format csv --indexer {}", chain.url())).good();
    let mut lines = csv.lines();
    assert_eq!(lines.next(), Some("account,amount,height,time,symbol,decimals,named_by"));
    let cells: Vec<&str> = lines.next().expect("a row").split(',').collect();
    assert_eq!(cells[1..3], ["-5", "35"], "a number below zero stays one: {csv}");
    assert!(cells[3].starts_with("20") && cells[3].ends_with('Z'), "{csv}");
    // A server that says of no height has none.
    let silent = Chain::scripted(|seen| match seen.target.as_str() {
        "/status" => Answer::json(r#"{"chain_id": "test-1", "height": 40}"#),
        _ => Answer::json(r#"{"holders":[{"account":"0x1","amount":"5"}],"pagination":{"next_key":null,"total":"1"}}"#),
    });
    let csv = run(&format!("holders evm/aa --format csv --indexer {}", silent.url())).good();
    assert!(csv.lines().nth(1).is_some_and(|line| line.starts_with("0x1,5,,20")), "{csv}");
}

#[test]
fn no_text_in_a_file_is_a_formula() {
    let texts = ["=cmd|'/C calc'!A0", "@SUM(1+1)", "+1+1", "-1+1", "\t=1+1", "\r=1", " =1", "-5"];
    let chain = Chain::scripted(move |_| {
        let row = |(place, text): (usize, &&str)| {
            let mut block = chain::block(40 - place as u64);
            block["proposer"]["moniker"] = json!(text);
            block
        };
        let rows: Vec<Value> = texts.iter().enumerate().map(row).collect();
        let pagination = json!({"previous_key": null, "next_key": null, "total": "8"});
        Answer::json(json!({"blocks": rows, "pagination": pagination}).to_string())
    });
    let csv = run(&format!("blocks --format csv --indexer {}", chain.url())).good();
    let mut reader = csv::Reader::from_reader(csv.as_bytes());
    let place = reader.headers().unwrap().iter().position(|name| name == "proposer_moniker").unwrap();
    let rows: Vec<csv::StringRecord> = reader.records().collect::<Result<_, _>>().unwrap();
    let cells: Vec<&str> = rows.iter().map(|row| &row[place]).collect();
    assert_eq!(cells, ["'=cmd|'/C calc'!A0", "'@SUM(1+1)", "'+1+1", "'-1+1", "' =1+1", "' =1", "' =1", "'-5"]);
    assert_eq!(&rows[0][0], "40", "numbers stay numbers");
}

#[test]
fn a_network_of_another_chain_is_refused() {
    let chain = Chain::start(30);
    let config = |id: &str| format!("[[networks]]\nname=\"mine\"\nchain_id=\"{id}\"\nindexer=\"{}\"\n", chain.url());
    let home = Home::with_config(&config("other-9"));
    for command in ["status", "blocks", "blocks 3", "txs --all --format csv", "holders x", "avg-blocktime"] {
        let sentence = home.run(&format!("-n mine {command}")).bad(1);
        assert!(sentence.contains("serves test-1, and mine is other-9"), "{command}: {sentence}");
    }
    let ran = home.run("networks --check -n mine --format json");
    assert_eq!((ran.status, &parse(&ran.out)[0]["ok"]), (1, &json!(false)), "{ran:?}");
    assert_eq!(parse(&ran.out)[0]["error"], "serves test-1");
    let home = Home::with_config(&config("test-1"));
    home.run("-n mine status").good();
    home.run("-n mine blocks 3").good();
}
