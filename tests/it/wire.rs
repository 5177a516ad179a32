//! The wire types against recorded answers of the real indexer, and the forms in which it writes values.

mod proto;
mod router;
mod signers;

use proptest::prelude::*;
use rollscope::{
    domain::{Address, Amount, Height, Timestamp, TxHash},
    wire::{
        AvgBlockTime, Block, BlockResponse, BlocksResponse, CollectionResponse, CollectionsResponse, EvmTx,
        EvmTxResponse, EvmTxsResponse, HexText, Holder, HoldersResponse, InternalTx, InternalTxsResponse, Pagination,
        Status, Token, TokensResponse, TxResponse, TxsResponse, Verbatim,
    },
};
use serde::{Serialize, de::DeserializeOwned};
use serde_json::{Value, json};

use crate::harness::replay::ROLLYTICS;

fn read_and_write<T: DeserializeOwned + Serialize>(text: &str) -> Value {
    let read: T = serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"));
    serde_json::to_value(&read).expect("what was read can be written")
}

/// Reads a recorded body as the type of its endpoint and writes it again.
fn again(path: &str, body: &str) -> Value {
    let path = path.split('?').next().unwrap_or_default();
    let parts: Vec<&str> = path.trim_start_matches('/').split('/').collect();
    match parts.as_slice() {
        ["status"] => read_and_write::<Status>(body),
        [_, "block", _, "avg_blocktime"] => read_and_write::<AvgBlockTime>(body),
        [_, "block", _, "blocks"] => read_and_write::<BlocksResponse>(body),
        [_, "block", _, "blocks", _] => read_and_write::<BlockResponse>(body),
        [_, "tx", _, "txs"] | [_, "tx", _, "txs", "by_account" | "by_height", _] | [_, "nft", _, "txs", _, _] => {
            read_and_write::<TxsResponse>(body)
        }
        [_, "tx", _, "txs", _] => read_and_write::<TxResponse>(body),
        [_, "tx", _, "evm-txs"] | [_, "tx", _, "evm-txs", "by_account" | "by_height", _] => {
            read_and_write::<EvmTxsResponse>(body)
        }
        [_, "tx", _, "evm-txs", _] => read_and_write::<EvmTxResponse>(body),
        [_, "tx", _, "evm-internal-txs", ..] => read_and_write::<InternalTxsResponse>(body),
        [_, "nft", _, "collections"] | [_, "nft", _, "collections", "by_account" | "by_name", _] => {
            read_and_write::<CollectionsResponse>(body)
        }
        [_, "nft", _, "collections", _] => read_and_write::<CollectionResponse>(body),
        [_, "nft", _, "tokens", "by_account" | "by_collection", _] => read_and_write::<TokensResponse>(body),
        [_, "richlist", _, _] => read_and_write::<HoldersResponse>(body),
        _ => panic!("no type for {path}"),
    }
}

/// The fields in their order with the JSON types of their values, and the values themselves.
fn same(before: &Value, after: &Value, place: &str) {
    match (before, after) {
        (Value::Object(before), Value::Object(after)) => {
            let names = |object: &serde_json::Map<String, Value>| object.keys().cloned().collect::<Vec<_>>();
            assert_eq!(names(before), names(after), "fields at {place}");
            before.iter().for_each(|(name, value)| same(value, &after[name], &format!("{place}.{name}")));
        }
        (Value::Array(before), Value::Array(after)) => {
            assert_eq!(before.len(), after.len(), "rows at {place}");
            before.iter().zip(after).enumerate().for_each(|(row, (b, a))| same(b, a, &format!("{place}[{row}]")));
        }
        _ => assert_eq!(before, after, "{place}"),
    }
}

#[test]
fn every_recorded_answer_is_written_as_it_was_read() {
    let (mut answers, mut refusals) = (0, 0);
    for line in ROLLYTICS.lines() {
        let line: Value = serde_json::from_str(line).unwrap();
        if line["status"] == 200 {
            let path = line["path"].as_str().unwrap();
            same(&line["json"], &again(path, &line["json"].to_string()), path);
            answers += 1;
        } else {
            assert!(line["text"].is_string() && line["type"] == "text/plain; charset=utf-8", "{line}");
            refusals += 1;
        }
    }
    assert_eq!((answers, refusals), (62, 33));
}

#[test]
fn unknown_fields_are_ignored_and_optional_ones_may_be_missing() {
    let status: Status = serde_json::from_value(json!({"chain_id": "x", "height": 5, "mood": [{"a": 1}]})).unwrap();
    assert_eq!((status.height.get(), status.internal_tx_height, status.version.as_str()), (5, None, ""));
    assert_eq!(
        serde_json::to_value(&status).unwrap(),
        json!({"version": "", "commit_hash": "", "chain_id": "x", "height": 5})
    );
    let pagination: Pagination = serde_json::from_value(json!({})).unwrap();
    assert_eq!((pagination.next_key, pagination.total), (None, 0));
}

#[test]
fn raw_parts_keep_their_bytes() {
    let part = r#"{"b" :1.50, "a":[ 123456789012345678901234567890, "\u003c" ],"b":2}"#;
    let tx = format!(
        r#"{{"tx":{{"txhash":"{}","height":"1","tx":{part},"timestamp":"2026-01-31T12:00:00Z","events": [ ]}}}}"#,
        "0".repeat(64)
    );
    let read: TxResponse = serde_json::from_str(&tx).unwrap();
    assert_eq!((read.tx.tx.get(), read.tx.events.get(), read.tx.logs.get()), (part, "[ ]", "[]"));
    assert!(serde_json::to_string(&read).unwrap().contains(part));
}

#[test]
fn deep_nesting_is_no_danger_to_whoever_looks() {
    let deep = format!("{{\"body\":{{\"messages\":{}{}}}}}", "[".repeat(200_000), "]".repeat(200_000));
    let tx = format!(
        r#"{{"tx":{{"txhash":"{}","height":"1","tx":{deep},"timestamp":"2026-01-31T12:00:00Z"}}}}"#,
        "0".repeat(64)
    );
    let read: TxResponse = serde_json::from_str(&tx).unwrap();
    assert_eq!(read.tx.message_types(), []);
    let looked: Result<Value, _> = serde_json::from_str(read.tx.tx.get());
    assert!(looked.unwrap_err().to_string().contains("recursion limit"));
}

const HASH: &str = "0x00000000000000000000000000000000000000000000000000000000000000ab";

#[test]
fn receipts_keep_their_texts_and_may_lack_logs_and_target() {
    let receipt = json!({
        "blockHash": HASH, "blockNumber": "0x018", "contractAddress": null, "cumulativeGasUsed": "0x5208",
        "effectiveGasPrice": "0x", "from": "0x0000000000000000000000000000000000000001", "gasUsed": "0x00",
        "logs": null, "logsBloom": "0x00", "status": "0x0", "transactionHash": HASH, "transactionIndex": "0x1",
        "type": "0x2", "mood": 1,
    });
    let read: EvmTx = serde_json::from_str(&receipt.to_string()).unwrap();
    assert_eq!((read.height(), read.is_success(), read.logs().len()), (Height::new(24), false, 0));
    assert_eq!((read.target(), read.effective_gas_price.small()), (None, Some(0)));
    let written = serde_json::to_value(&read).unwrap();
    assert_eq!(
        (&written["logs"], &written["to"], &written["blockNumber"]),
        (&json!(null), &json!(""), &json!("0x018"))
    );
    let mut deployed = receipt;
    deployed["contractAddress"] = json!("0x0000000000000000000000000000000000000002");
    let read: EvmTx = serde_json::from_str(&deployed.to_string()).unwrap();
    assert_eq!(read.target(), "0x2".parse().ok());
}

#[test]
fn frames_nfts_and_holders_may_lack_what_is_optional() {
    let frame: InternalTx = serde_json::from_str(&format!(
        r#"{{"height":"24","hash":"{HASH}","parent_index":-1,"index":0,"type":"CREATE"}}"#
    ))
    .unwrap();
    assert_eq!((frame.height.get(), frame.parent_index, frame.to.as_str()), (24, -1, ""));
    assert_eq!(serde_json::to_value(&frame).unwrap()["height"], json!(24), "a number, whatever it was");
    assert!(serde_json::from_str::<InternalTx>(r#"{"height":0,"hash":"x","parent_index":0,"index":0}"#).is_err());
    let token: Token = serde_json::from_str(
        r#"{"collection_addr":"0x1","nft":{"token_id":"a/b"},"height":7,"timestamp":"2025-11-01T09:00:07.25+09:00"}"#,
    )
    .unwrap();
    assert_eq!((token.nft.uri.as_received(), token.owner_address(), token.object()), ("", None, None));
    assert_eq!(token.timestamp.to_string(), "2025-11-01T00:00:07.25Z");
    let holder = |amount: &str| serde_json::from_str::<Holder>(&format!(r#"{{"account":"0x1","amount":{amount}}}"#));
    assert!(holder(r#""-5""#).unwrap().amount.is_negative());
    assert_eq!(serde_json::to_value(holder(r#""-5""#).unwrap()).unwrap()["amount"], json!("-5"));
    for bad in [r#""--5""#, r#""1.5""#, r#""""#, "null", r#""0x5""#] {
        assert!(holder(bad).is_err(), "{bad}");
    }
}

#[test]
fn verbatim_rows_keep_what_this_version_does_not_know() {
    let row = r#"{ "account":"0x1", "new":{"b":1.50,"a":2},"amount":"7"}"#;
    let body = format!(r#"{{"holders":[{row}],"pagination":{{}}}}"#);
    let read: HoldersResponse<Verbatim<Holder>> = serde_json::from_str(&body).unwrap();
    assert_eq!((read.holders[0].raw.get(), read.holders[0].value.amount.to_string().as_str()), (row, "7"));
    let broken = serde_json::from_str::<Verbatim<Holder>>(r#"{"account":"0x1"}"#).unwrap_err();
    assert!(broken.to_string().contains("missing field `amount`"), "{broken}");
}

fn block(field: &str, value: &Value) -> serde_json::Result<Block> {
    let mut block = json!({
        "chain_id": "x", "height": "1", "hash": "0".repeat(64), "block_time": "0", "timestamp": "2026-01-31T12:00:00Z",
        "gas_used": "0", "gas_wanted": "0", "tx_count": "0", "total_fee": [], "proposer": {},
    });
    block[field] = value.clone();
    // As text, because that is how it comes: a tree of values would hide what the reader makes of numbers.
    serde_json::from_str(&block.to_string())
}

#[test]
fn numbers_that_cannot_be_are_refused() {
    for bad in [json!("0"), json!(0), json!("-1"), json!(1.5), json!("1e3"), json!(null), json!({}), json!("")] {
        assert!(block("height", &bad).is_err(), "{bad}");
    }
    assert!(block("gas_used", &json!("18446744073709551616")).is_err());
    assert!(block("timestamp", &json!("2026-01-31 12:00")).is_err());
}

proptest! {
    #[test]
    fn numbers_come_as_text_or_as_numbers(height in 1..=u64::MAX, gas in any::<u64>()) {
        for value in [json!(height), json!(height.to_string())] {
            prop_assert_eq!(block("height", &value).unwrap().height.get(), height);
        }
        for value in [json!(gas), json!(gas.to_string())] {
            prop_assert_eq!(block("gas_used", &value).unwrap().gas_used, gas);
        }
        let written = serde_json::to_value(block("gas_used", &json!(gas)).unwrap()).unwrap();
        prop_assert_eq!(&written["gas_used"], &json!(gas.to_string()));
        let status: Status = serde_json::from_str(&format!(r#"{{"chain_id":"x","height":"{height}"}}"#)).unwrap();
        prop_assert_eq!(status.height.get(), height);
        prop_assert_eq!(&serde_json::to_value(&status).unwrap()["height"], &json!(height));
    }

    #[test]
    fn quantities_are_read_with_any_zeros_before_them(number in any::<u128>(), zeros in 0..8_usize) {
        let text = HexText(format!("0x{}{number:x}", "0".repeat(zeros)));
        prop_assert_eq!(text.quantity(), Some(Amount::from(number)), "{}", text);
        prop_assert_eq!(HexText(format!("{number:x}g")).quantity(), None);
        let written = serde_json::to_value(&text).unwrap();
        prop_assert_eq!(written, json!(text.0));
    }

    #[test]
    fn amounts_are_exact_beyond_64_bits(digits in "[1-9][0-9]{0,75}") {
        let amount: Amount = serde_json::from_value(json!(digits)).unwrap();
        prop_assert_eq!(amount.to_string(), digits.clone());
        let bare: Amount = serde_json::from_str(&digits).unwrap();
        prop_assert_eq!(bare, amount);
        prop_assert_eq!(serde_json::to_string(&amount).unwrap(), format!("\"{digits}\""));
    }

    #[test]
    fn moments_are_the_same_in_every_precision_and_zone(
        nanos in 0..4_000_000_000_000_000_000_i128, digits in 0..=9_usize, hours in -12..=14_i64,
    ) {
        let grain = 10_i128.pow(u32::try_from(9 - digits).unwrap());
        let moment = Timestamp::from_nanos(nanos - nanos % grain);
        let local = moment.to_string();
        let shift = std::time::Duration::from_secs(hours.unsigned_abs() * 3600);
        let shifted = if hours < 0 { moment.before(shift) } else { moment.after(shift) };
        let zone = format!("{}{:02}:00", if hours < 0 { '-' } else { '+' }, hours.abs());
        let zoned = shifted.to_string().replace('Z', &zone);
        for text in [&local, &zoned] {
            let read: Timestamp = serde_json::from_value(json!(text)).unwrap();
            prop_assert_eq!(read, moment, "{}", text);
        }
    }

    #[test]
    fn hashes_are_the_same_in_every_case_and_prefix(bytes in any::<[u8; 32]>()) {
        let hash = TxHash::new(bytes);
        let upper = hash.to_string();
        for text in [upper.clone(), upper.to_lowercase(), format!("0x{}", upper.to_lowercase()), format!("0X{upper}")] {
            prop_assert_eq!(serde_json::from_value::<TxHash>(json!(text)).unwrap(), hash);
        }
        prop_assert_eq!(serde_json::to_value(hash).unwrap(), json!(upper));
        prop_assert!(upper[1..].parse::<TxHash>().is_err());
    }

    #[test]
    fn addresses_are_the_same_in_every_form(bytes in any::<[u8; 32]>(), is_short in any::<bool>()) {
        let address = Address::from_bytes(if is_short { &bytes[..20] } else { &bytes }).unwrap();
        let hex = address.hex();
        for text in [address.bech32(), address.bech32().to_uppercase(), hex.clone(), hex[2..].to_uppercase(), address.checksummed()] {
            prop_assert_eq!(text.parse::<Address>().unwrap(), address, "{}", text);
        }
    }

    #[test]
    fn heights_read_what_they_write(height in 1..=u64::MAX) {
        let height = Height::new(height).unwrap();
        prop_assert_eq!(serde_json::from_value::<Height>(serde_json::to_value(height).unwrap()).unwrap(), height);
    }
}
