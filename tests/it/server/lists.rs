use rollscope::domain::Address;
use rstest::rstest;
use serde_json::json;

use super::{
    chain::{self, CALL, EXEC, SEND, accounts, message_types, object, signer, txs_until},
    client::{Mode, Server, decoded, heights, key, sequences, total},
};

const BLOCKS: &str = "/indexer/block/v1/blocks";
const TXS: &str = "/indexer/tx/v1/txs";

/// Sequences up to the last of 30 blocks that pass, newest first.
fn newest(passes: impl Fn(u64) -> bool) -> Vec<u64> {
    (1..=txs_until(30)).rev().filter(|sequence| passes(*sequence)).collect()
}

#[rstest]
#[case(Mode::Specified)]
#[case(Mode::Quirks)]
#[tokio::test]
async fn records_have_the_exact_fields_types_and_order(#[case] mode: Mode) {
    let server = Server::start(mode, 30);
    let status = server.get("/status").await.text;
    let own = match mode {
        Mode::Specified => ",\"has_packets\":true,\"has_token_contracts\":true",
        Mode::Quirks => {
            ",\"tx_account_cleanup_sequence\":-1,\"tx_account_cleanup_deleted\":-1,\"tx_account_cleanup_inserted\":-1"
        }
    };
    assert_eq!(
        status,
        format!(
            "{{\"version\":\"{}\",\"commit_hash\":\"unknown\",\"chain_id\":\"test-1\",\"height\":30{own}}}",
            env!("CARGO_PKG_VERSION")
        )
    );
    let block = server.get("/indexer/block/v1/blocks/3").await.text;
    assert_eq!(
        block,
        format!(
            "{{\"block\":{{\"chain_id\":\"test-1\",\"height\":\"3\",\"hash\":\"{}0000000000000003\",\
             \"block_time\":\"500\",\"timestamp\":\"2026-01-01T00:00:01Z\",\"gas_used\":\"422\",\"gas_wanted\":\"800\",\
             \"tx_count\":\"4\",\"total_fee\":[{{\"denom\":\"uinit\",\"amount\":\"200\"}}],\"proposer\":{{\
             \"moniker\":\"seq \\u003c1\\u003e\",\"identity\":\"\",\"operator_address\":\"initvaloper1abc\"}}}}}}",
            "CD".repeat(24)
        )
    );
    let first = server.json("/indexer/block/v1/blocks/1").await;
    assert_eq!(
        (&first["block"]["block_time"], &first["block"]["hash"].as_str().map(str::len)),
        (&json!("0"), &Some(64))
    );
    let empty = server.json("/indexer/block/v1/blocks/5").await;
    assert_eq!((&empty["block"]["total_fee"], &empty["block"]["tx_count"]), (&json!([]), &json!("0")));
    assert_eq!(server.get("/indexer/block/v1/avg_blocktime").await.text, "{\"avg_block_time\":0.5}");
}

#[rstest]
#[case(Mode::Specified)]
#[case(Mode::Quirks)]
#[tokio::test]
async fn a_transaction_is_written_as_the_real_server_writes_it(#[case] mode: Mode) {
    let server = Server::start(mode, 30);
    let hash = chain::hash(12);
    let text = server.get(&format!("{TXS}/{hash}")).await.text;
    let log = format!(
        "{{\\\"address\\\":\\\"{}\\\",\\\"topics\\\":[\\\"0xdd\\\",\\\"0x{:0>64}\\\"],\\\"data\\\":\\\"0x\\\"}}",
        chain::account(0xcc).checksummed(),
        "07".repeat(20),
    );
    let expected = format!(
        "{{\"tx\":{{\"txhash\":\"{hash}\",\"height\":\"8\",\"codespace\":\"sdk\",\"code\":5,\"data\":\"12AB\",\
         \"raw_log\":\"failed \\u003ctag\\u003e \\u0026 \\\"q\\\"\",\"logs\":[],\"info\":\"\",\"gas_wanted\":\"200\",\
         \"gas_used\":\"112\",\"tx\":{{\"body\":{{\"messages\":[{{\"@type\":\"/{SEND}\",\
         \"note\":\"a\\u003cb\\u003e\\u0026c\"}}]}},\"auth_info\":{{}},\"signatures\":[\"c2ln\"]}},\
         \"timestamp\":\"2026-01-01T00:00:04.123456789Z\",\"events\":[{{\"type\":\"coin_spent\",\"attributes\":[\
         {{\"key\":\"spender\",\"index\":true,\"value\":\"{}\"}},{{\"key\":\"amount\",\"index\":true,\
         \"value\":\"12uinit\"}}]}},{{\"type\":\"call\",\"attributes\":[{{\"key\":\"ret\",\"index\":true,\
         \"value\":\"0x77\"}}]}},{{\"type\":\"evm\",\"attributes\":[{{\"key\":\"log\",\"index\":true,\"value\":\"{log}\"}}]}},\
         {{\"type\":\"empty\"}},{{\"type\":\"object\",\"attributes\":[{{\"key\":\"ids\",\"index\":true,\
         \"value\":\"x,0x{}\"}}]}}]}}}}",
        signer(12).bech32(),
        "ee".repeat(32),
    );
    assert_eq!(text, expected);
    let read: rollscope::wire::TxResponse = serde_json::from_str(&text).unwrap();
    assert_eq!(read.tx.message_types(), [rollscope::domain::MsgType::new(SEND)]);
    assert_eq!(read.tx.txhash, hash);
    // Every record of a list is the same bytes.
    let list = server.get(&format!("{TXS}?pagination.limit=1000")).await.text;
    assert!(list.contains(text.strip_prefix("{\"tx\":").and_then(|rest| rest.strip_suffix('}')).unwrap()));
}

#[tokio::test]
async fn every_hash_is_found_in_every_form() {
    let server = Server::start(Mode::Specified, 30);
    for sequence in 1..=txs_until(30) {
        let hash = chain::hash(sequence);
        for form in [hash.to_string(), format!("0x{hash}"), hash.to_string().to_lowercase()] {
            let tx = server.json(&format!("{TXS}/{form}")).await;
            assert_eq!(tx["tx"]["txhash"], json!(hash.to_string()));
        }
    }
}

#[rstest]
#[case(Mode::Specified)]
#[case(Mode::Quirks)]
#[tokio::test]
async fn accounts_are_found_by_every_membership(#[case] mode: Mode) {
    let server = Server::start(mode, 30);
    let mut checked = 0;
    for account in (1..=10).chain([0xcc, 0x77]).map(chain::account).chain([object()]) {
        for form in [account.bech32(), account.hex(), account.hex().trim_start_matches("0x").to_uppercase()] {
            let page = server.json(&format!("{TXS}/by_account/{form}?pagination.limit=1000")).await;
            let expected = newest(|sequence| accounts(sequence).contains(&account));
            assert_eq!((sequences(&page), total(&page)), (expected.clone(), i64::try_from(expected.len()).unwrap()));
            checked += expected.len();
            let page = server.json(&format!("{TXS}/by_account/{form}?is_signer=true&pagination.limit=1000")).await;
            let expected = newest(|sequence| signer(sequence) == account);
            assert_eq!((sequences(&page), total(&page)), (expected.clone(), i64::try_from(expected.len()).unwrap()));
        }
    }
    assert!(checked > 300, "{checked}");
    // With the quirks only the exact text asks for signed ones.
    let asks_strictly = mode == Mode::Quirks;
    for not_asked in ["0", "false"].into_iter().chain(["1", "TRUE", "True", ""].into_iter().filter(|_| asks_strictly)) {
        let page = server.json(&format!("{TXS}/by_account/{}?is_signer={not_asked}", object())).await;
        assert_eq!(sequences(&page), newest(|sequence| accounts(sequence).contains(&object())));
    }
    let unknown = server.get(&format!("{TXS}/by_account/0x778899")).await.text;
    assert_eq!(unknown, "{\"txs\":[],\"pagination\":{\"previous_key\":null,\"next_key\":null,\"total\":\"0\"}}");
}

#[rstest]
#[case(Mode::Specified)]
#[case(Mode::Quirks)]
#[tokio::test]
async fn heights_hold_their_own_transactions(#[case] mode: Mode) {
    let server = Server::start(mode, 30);
    for height in 1..=31 {
        let page = server.json(&format!("{TXS}/by_height/{height}?pagination.reverse=false")).await;
        let expected: Vec<u64> =
            if height > 30 { vec![] } else { (txs_until(height - 1) + 1..=txs_until(height)).collect() };
        assert_eq!((total(&page), sequences(&page)), (i64::try_from(expected.len()).unwrap(), expected));
    }
    let page = server.json(&format!("{TXS}/by_height/3?msgs={SEND}")).await;
    let expected = newest(|sequence| (4..=7).contains(&sequence) && message_types(sequence).contains(&SEND));
    assert_eq!((total(&page), sequences(&page)), (i64::try_from(expected.len()).unwrap(), expected));
}

/// Sequences with a message of one of these types, newest first.
fn having(names: &[&str]) -> Vec<u64> {
    newest(|sequence| message_types(sequence).iter().any(|name| names.contains(name)))
}

#[rstest]
#[case(&format!("msgs={SEND}"), &[SEND])]
#[case(&format!("msgs={EXEC}"), &[EXEC])]
#[case(&format!("msgs={EXEC}&msgs={CALL}"), &[EXEC, CALL])]
#[case(&format!("msgs={SEND}&msgs={CALL}&msgs={SEND}"), &[SEND, CALL])]
#[case(&format!("msgs={SEND}&msgs=unknown.Msg"), &[SEND])]
#[tokio::test]
async fn message_types_repeated_mean_any_of_them(#[case] query: &str, #[case] names: &[&str]) {
    for mode in [Mode::Specified, Mode::Quirks] {
        let server = Server::start(mode, 30);
        let page = server.json(&format!("{TXS}?{query}&pagination.limit=1000")).await;
        assert_eq!((total(&page), sequences(&page)), (i64::try_from(having(names).len()).unwrap(), having(names)));
        let page = server.json(&format!("{TXS}?{query}&pagination.limit=5&pagination.offset=3")).await;
        assert_eq!(sequences(&page), having(names).into_iter().skip(3).take(5).collect::<Vec<_>>());
    }
}

#[tokio::test]
async fn the_specified_filter_takes_commas_and_matches_nothing_unknown() {
    let server = Server::start(Mode::Specified, 30);
    let page = server.json(&format!("{TXS}?msgs={SEND},{EXEC}&msgs={CALL}&pagination.limit=1000")).await;
    assert_eq!(sequences(&page), newest(|_| true));
    let page = server.json(&format!("{TXS}?msgs={EXEC},unknown.Msg&pagination.limit=1000")).await;
    assert_eq!(sequences(&page), having(&[EXEC]));
    for unknown in ["unknown.Msg", "cosmos.bank.v1beta1.msgsend", "unknown.Msg,other.Msg"] {
        let page = server.json(&format!("{TXS}?msgs={unknown}")).await;
        assert_eq!((sequences(&page), total(&page)), (vec![], 0));
    }
    let page = server.json(&format!("{TXS}?msgs=&pagination.limit=1000")).await;
    assert_eq!(sequences(&page), newest(|_| true));
}

#[tokio::test]
async fn the_specified_filter_combines_with_accounts() {
    let server = Server::start(Mode::Specified, 30);
    for names in [vec![SEND], vec![EXEC], vec![SEND, EXEC], vec![SEND, CALL, EXEC]] {
        let filter = names.join(",");
        let matches = |sequence| message_types(sequence).iter().any(|name| names.contains(name));
        let check = async |path: String, expected: Vec<u64>| {
            let page = server.json(&format!("{path}msgs={filter}&pagination.limit=1000")).await;
            assert_eq!((total(&page), sequences(&page)), (i64::try_from(expected.len()).unwrap(), expected), "{path}");
        };
        let touching = |account: Address| newest(move |s| accounts(s).contains(&account) && matches(s));
        check(format!("{TXS}/by_account/{}?", object()), touching(object())).await;
        check(format!("{TXS}/by_account/{}?", chain::account(0xcc)), touching(chain::account(0xcc))).await;
        let signed = newest(|s| signer(s) == chain::account(3) && matches(s));
        check(format!("{TXS}/by_account/{}?is_signer=true&", chain::account(3)), signed).await;
    }
}

#[tokio::test]
async fn the_real_filter_drops_unknown_names_up_to_no_filter_at_all() {
    let server = Server::start(Mode::Quirks, 30);
    for unfiltered in ["unknown.Msg", "", &format!("{SEND},{CALL}"), &format!("/{SEND}")] {
        let page = server.json(&format!("{TXS}?msgs={unfiltered}&pagination.limit=1000")).await;
        assert_eq!((sequences(&page), total(&page)), (newest(|_| true), 42), "{unfiltered}");
    }
}

#[tokio::test]
async fn the_real_filter_fails_where_the_real_server_fails() {
    let server = Server::start(Mode::Quirks, 30);
    let failed = (500, "Internal Server Error");
    let account = chain::account(3);
    assert_eq!(server.get(&format!("{TXS}/by_account/{account}?msgs={SEND}")).await.refusal(), failed);
    assert_eq!(server.get(&format!("{TXS}/by_account/{account}?msgs={SEND}&is_signer=true")).await.refusal(), failed);
    assert_eq!(server.get(&format!("{TXS}/by_account/{account}?msgs=unknown.Msg")).await.status, 200);
    let cursor = key("{\"sequence\":6}");
    assert_eq!(server.get(&format!("{TXS}/by_height/3?msgs={SEND}&{cursor}")).await.refusal(), failed);
    let by_offset = server.json(&format!("{TXS}/by_height/3?msgs={SEND}&pagination.offset=1")).await;
    assert_eq!(sequences(&by_offset), newest(|s| (4..=7).contains(&s) && message_types(s).contains(&SEND))[1..]);
    let specified = Server::start(Mode::Specified, 30);
    let page = specified.json(&format!("{TXS}/by_height/3?msgs={SEND}&{cursor}")).await;
    assert_eq!(sequences(&page), newest(|s| (4..=5).contains(&s) && message_types(s).contains(&SEND)));
}

#[rstest]
#[case(Mode::Specified)]
#[case(Mode::Quirks)]
#[tokio::test]
async fn a_total_is_counted_only_when_asked_for(#[case] mode: Mode) {
    let server = Server::start(mode, 30);
    for list in [TXS.to_owned(), format!("{TXS}/by_height/3"), format!("{TXS}/by_account/{}", object())] {
        assert_ne!(total(&server.json(&list).await), 0);
        assert_eq!(total(&server.json(&format!("{list}?pagination.count_total=false")).await), 0);
    }
    assert_eq!(total(&server.json(&format!("{BLOCKS}?pagination.count_total=false")).await), 30);
}

#[rstest]
#[case(Mode::Specified)]
#[case(Mode::Quirks)]
#[tokio::test]
async fn keys_work_in_every_form(#[case] mode: Mode) {
    let server = Server::start(mode, 30);
    let page = async |query: &str| server.json(&format!("{BLOCKS}?pagination.limit=3&{query}")).await;
    assert_eq!(heights(&page("").await), [30, 29, 28]);
    assert_eq!(heights(&page("pagination.reverse=false").await), [1, 2, 3]);
    assert_eq!(heights(&page(&key("{\"height\":20}")).await), [19, 18, 17]);
    assert_eq!(heights(&page(&format!("{}&pagination.reverse=false", key("{\"height\":20}"))).await), [21, 22, 23]);
    assert_eq!(heights(&page(&format!("{}&pagination.offset=9", key("{\"height\":20}"))).await), [19, 18, 17]);
    assert_eq!(heights(&page("pagination.offset=5").await), [25, 24, 23]);
    let by_number = page(&key("5")).await;
    assert_eq!(heights(&by_number), [25, 24, 23]);
    assert_eq!(decoded(&by_number["pagination"]["next_key"]).as_deref(), Some("{\"height\":23}"));
    for ignored in ["{\"height\":\"20\"}", "{\"height\":1.5}", "{\"height\":1e30}", "{\"sequence\":20}"] {
        assert_eq!(heights(&page(&key(ignored)).await), [30, 29, 28], "{ignored}");
    }
    let by_offset = page(&format!("{}&pagination.offset=6", key("{}"))).await;
    assert_eq!(heights(&by_offset), [24, 23, 22]);
    assert_eq!(decoded(&by_offset["pagination"]["next_key"]).as_deref(), Some("9"));
    assert_eq!(decoded(&by_offset["pagination"]["previous_key"]).as_deref(), Some("3"));
}

#[tokio::test]
async fn the_ends_of_a_list_differ_between_the_modes() {
    let (specified, quirks) = (Server::start(Mode::Specified, 30), Server::start(Mode::Quirks, 30));
    for (query, next, previous) in [
        // The last page: the real server gives a key all the same.
        (key("{\"height\":4}"), "{\"height\":1}", None),
        // An empty page after the last one.
        (key("{\"height\":1}"), "", None),
        // An empty page by offset: the only previous key of the real server.
        ("pagination.offset=33".to_owned(), "", Some("30")),
    ] {
        let path = format!("{BLOCKS}?pagination.limit=3&{query}");
        let real = quirks.json(&path).await["pagination"].clone();
        assert_eq!(decoded(&real["next_key"]).unwrap_or_default(), next, "{query}");
        assert_eq!(decoded(&real["previous_key"]).as_deref(), previous, "{query}");
        let ours = specified.json(&path).await["pagination"].clone();
        assert_eq!(ours["next_key"], json!(null), "{query}");
        assert!(ours["previous_key"].is_string(), "{query}");
    }
    for server in [&specified, &quirks] {
        let whole = server.json(&format!("{BLOCKS}?pagination.limit=30&{}", key("{}"))).await;
        let expected = std::ptr::eq(server, &raw const quirks).then(|| "30".to_owned());
        assert_eq!(decoded(&whole["pagination"]["next_key"]), expected, "a full last page by offset");
    }
}
