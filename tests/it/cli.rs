//! The command line: every command in every format, exit statuses, and what it says of mistakes.

pub(crate) mod bridge;
mod causes;
pub(crate) mod chain;
mod check;
mod doctor;
pub(crate) mod embedded;
pub(crate) mod foreign;
mod help;
mod keys;
mod lists;
mod local;
mod losses;
mod node;
mod personal;
pub(crate) mod program;
mod records;
mod settings;
mod story;

use chain::Chain;
use program::run;
use rstest::rstest;
use serde_json::{Value, json};

use crate::harness::replay::Answer;

pub(crate) fn parse(text: &str) -> Value {
    serde_json::from_str(text).expect("the output is JSON")
}

#[test]
fn json_of_one_thing_is_the_answer_as_received() {
    let chain = Chain::start(30);
    let ask = |arguments: &str| run(&format!("{arguments} --indexer {}", chain.url())).good();
    let status = ask("status");
    assert_eq!(
        status,
        "{\"version\":\"v1\",\"commit_hash\":\"abc\",\"chain_id\":\"test-1\",\"height\":30,\"rich_list_height\":25}\n"
    );
    assert_eq!(ask("status --format jsonl"), status);
    assert_eq!(ask("avg-blocktime --format json"), "{\"avg_block_time\":1.25}\n");
    assert_eq!(ask("blocks 7"), format!("{}\n", chain::block(7)), "the inner block");
    assert_eq!(ask("blocks 7 --format jsonl"), format!("{}\n", chain::block(7)));
    let hash = format!("0x{:064x}", 7);
    assert_eq!(ask(&format!("txs {hash}")), format!("{}\n", chain::tx(7)), "the inner tx");
}

#[test]
fn csv_of_one_thing_has_a_header_and_exact_integers() {
    let chain = Chain::start(30);
    let ask = |arguments: &str| run(&format!("--indexer {} {arguments} --format csv", chain.url())).good();
    assert_eq!(
        ask("status"),
        "chain_id,height,internal_tx_height,rich_list_height,version,commit_hash\ntest-1,30,,25,v1,abc\n"
    );
    assert_eq!(ask("avg-blocktime"), "avg_block_time\n1.25\n");
    let hash = format!("{:064X}", 7);
    let block = ask("blocks 7");
    assert!(block.starts_with("height,hash,timestamp,block_time_ms,tx_count,"), "{block}");
    assert!(block.contains(&format!("\n7,{hash},2026-01-31T12:00:07Z,1000,2,123456,200000,")), "{block}");
    assert!(block.contains("340282366920938463463374607431768211456uinit"), "{block}");
    assert!(block.contains(",Validator one,"), "hostile characters are gone: {block}");
    let tx = ask(&format!("txs {hash}"));
    assert!(tx.contains(&format!("\n{hash},4,2026-01-31T12:00:00.123456789Z,8,evm,150000,200000,")), "{tx}");
    assert!(tx.contains(",3000uinit,hello,\"reverted, \"\"why\"\"\"\n"), "{tx}");
}

#[test]
fn a_table_of_one_thing_names_every_value() {
    let chain = Chain::start(1234);
    let ask = |arguments: &str| run(&format!("--indexer {} {arguments} --format table", chain.url())).good();
    assert_eq!(
        ask("status"),
        "Chain                  test-1\n\
         Height                 1,234\n\
         Internal transactions  not indexed\n\
         Rich list              1,229  (5 behind)\n\
         Indexer                v1 abc\n"
    );
    assert_eq!(ask("avg-blocktime"), "Block time  1.250 s\n");
    let tx = ask(&format!("txs {:064X}", 7));
    assert!(tx.contains("✗ failed: code 8 of evm") && tx.contains("150,000 of 200,000  (75 %)"), "{tx}");
    assert!(tx.contains(chain::SEND) && tx.contains("reverted, \"why\""), "{tx}");
    let block = ask("blocks 1,234");
    assert!(block.contains("Block         1,234\n") && block.contains("Validator one  initvaloper1x"), "{block}");
}

#[test]
fn colours_come_only_when_asked_for() {
    let chain = Chain::start(30);
    let plain = run(&format!("--indexer {} txs --format table", chain.url())).good();
    assert!(!plain.contains('\u{1b}'));
    let colored = run(&format!("--indexer {} txs --format table --color always", chain.url())).good();
    assert!(colored.contains("\u{1b}[32m✓\u{1b}[0m") && colored.contains("\u{1b}[31m✗\u{1b}[0m"), "{colored}");
}

#[test]
fn what_is_not_there_ends_with_3() {
    let chain = Chain::start(30);
    let sentence = run(&format!("--indexer {} blocks 31", chain.url())).bad(3);
    assert_eq!(sentence, "block 31: not found: block not found; check the value; a new record may not be indexed yet");
    run(&format!("--indexer {} txs {:064X}", chain.url(), 99)).bad(3);
}

#[test]
fn a_server_that_cannot_be_used_ends_with_1_and_the_next_step() {
    // Nothing listens on a port that was just given back.
    let closed = std::net::TcpListener::bind("127.0.0.1:0").and_then(|listener| listener.local_addr()).unwrap();
    let sentence = run(&format!("--indexer http://{closed} status")).bad(1);
    assert!(sentence.contains("no connection to") && sentence.contains("check the address and port"), "{sentence}");

    let page = Chain::scripted(|_| Answer::typed(200, "text/html", "<html>"));
    let sentence = run(&format!("--indexer {} status", page.url())).bad(1);
    assert!(sentence.contains("text/html instead of JSON") && sentence.contains("curl -sS 'http://"), "{sentence}");
    assert!(!sentence.contains("F12"), "there is no F12 on the command line: {sentence}");

    let refusing = Chain::scripted(|_| Answer::text(400, "pagination.key must be\u{1b}[2J a key"));
    let sentence = run(&format!("--indexer {} blocks --key x", refusing.url())).bad(1);
    assert!(sentence.contains("rejected the request (400): pagination.key must be a key"), "{sentence}");

    let other = Chain::scripted(|_| Answer::json("{\"a\":1}"));
    let sentence = run(&format!("--indexer {} blocks 3", other.url())).bad(1);
    assert!(sentence.starts_with("block 3: unexpected response format of http://"), "{sentence}");
}

#[rstest]
#[case("status", "no network chosen: use --network, --indexer or --node")]
#[case("", "the explorer needs a terminal")]
#[case("demo", "the explorer needs a terminal")]
#[case("-n demo", "the explorer needs a terminal")]
#[case("-n caball status", "unknown network “caball”; did you mean cabal?")]
#[case("-n cabal --indexer http://a.example status", "cannot be used with")]
#[case("blocks --frmat json", "unexpected argument '--frmat' found; a similar argument exists: '--format'")]
#[case("--limt 3", "unexpected argument '--limt' found; did you mean blocks --limit?")]
#[case("txs --lisen x", "did you mean serve --listen?")]
#[case("blocks --format jsn", "a similar value exists: 'json'")]
#[case("txss", "unrecognized subcommand 'txss'; a similar subcommand exists: 'txs'")]
#[case("txs --signer", "--account <ACCOUNT>; see rollscope --help")]
#[case("txs abc", "“abc” is not a hash")]
#[case("txs --account init1nonsense", "“init1nonsense”")]
#[case("txs --height 0", "“0” is not a block height")]
#[case("txs --account 0x0000000000000000000000000000000000000001 --height 1", "cannot be used with")]
#[case("txs --msg MsgSand", "write the full type, such as cosmos.bank.v1beta1.MsgSend")]
#[case(
    "txs --msg MsgTransfer",
    "write ibc.applications.nft_transfer.v1.MsgTransfer or ibc.applications.transfer.v1.MsgTransfer"
)]
#[case("blocks 5 --limit 3", "cannot be used with")]
#[case("blocks --all --limit 3", "cannot be used with")]
#[case("blocks --key a --offset 3", "cannot be used with")]
#[case("blocks --limit 0", "0 is not in 1..")]
#[case("--timeout 10 status", "add the unit, such as 10s")]
#[case("--indexer localhost:80 status", "write http:// or https:// before it")]
#[case("serve --fault slow", "unknown fault “slow”: use latency=MS")]
#[case("serve --node http://a.example --indexer http://b.example", "serve reads the node alone: omit --indexer")]
#[case("serve --node http://a.example -n cabal", "serve reads the node alone: omit --network")]
#[case("-n demo --node http://a.example status", "the embedded rollup is its own node")]
#[case("status --rest http://a.example", "--rest needs --node, --indexer or the --network of a rollup")]
#[case("serve --vm evmm", "a similar value exists: 'evm'")]
#[case("serve --genesis-time yesterday", "“yesterday” is not a time")]
#[case("--config missing.toml status", "cannot read the settings file missing.toml")]
#[case("completions tcsh", "possible values: bash, elvish, fish, powershell, zsh")]
fn bad_usage_ends_with_2_and_one_sentence(#[case] arguments: &str, #[case] expected: &str) {
    let sentence = run(arguments).bad(2);
    assert!(sentence.contains(expected), "{sentence}");
}

#[test]
fn networks_are_listed_in_every_format() {
    let json = parse(&run("networks").good());
    let cabal = json.as_array().and_then(|all| all.iter().find(|one| one["name"] == "cabal")).expect("cabal is listed");
    assert_eq!(cabal["chain_id"], "cabal-1");
    assert_eq!(cabal.get("ok"), None, "nothing was asked");
    let lines = run("networks --format jsonl").good();
    assert_eq!(lines.lines().map(parse).collect::<Vec<_>>(), *json.as_array().unwrap());
    let csv = run("networks --format csv").good();
    assert!(csv.starts_with("name,chain_id,vm,indexer,router\ncabal,cabal-1,evm,https://"), "{csv}");
    let table = run("networks --format table").good();
    assert!(table.lines().any(|line| line.starts_with("yominet ") && line.contains("yominet-1")), "{table}");
    assert_eq!(table.lines().count(), 1 + json.as_array().unwrap().len());
}

#[test]
fn networks_are_asked_for_their_status() {
    let chain = Chain::start(30);
    let config = |id: &str, url: &str| format!("[[networks]]\nname=\"mine\"\nchain_id=\"{id}\"\nindexer=\"{url}\"\n");
    let home = program::Home::with_config(&config("test-1", chain.url()));
    let json = parse(&home.run("networks --check -n mine").good());
    assert_eq!(
        (&json[0]["ok"], &json[0]["height"], json.as_array().map(Vec::len)),
        (&json!(true), &json!(30), Some(1))
    );
    assert!(json[0]["milliseconds"].is_u64());
    let csv = home.run("networks --check -n mine --format csv").good();
    assert!(csv.lines().nth(1).is_some_and(|line| line.contains(",30,") && line.ends_with(",true,")), "{csv}");

    let home = program::Home::with_config(&config("other-1", chain.url()));
    let ran = home.run("networks --check -n mine --format table");
    assert_eq!(ran.status, 1);
    assert!(ran.out.contains("✗ serves test-1"), "{ran:?}");
    assert_eq!(ran.err, "rollscope: 1 of 1 networks serve another chain; check address and chain_id\n");

    let failing = Chain::scripted(|_| Answer::text(404, "nothing here"));
    let home = program::Home::with_config(&config("test-1", failing.url()));
    let ran = home.run("networks --check -n mine");
    assert_eq!(ran.status, 1);
    assert_eq!(ran.err, "rollscope: 1 of 1 networks did not answer; try again later\n");
    assert_eq!(parse(&ran.out)[0]["ok"], false);
}
