//! Records of about 1 MiB that cost as much as they can, each in a way of its own. Tests and benchmarks share this.

use rollscope::{
    domain::Address,
    wire::{RawJson, Tx},
};
use serde_json::json;

const MIB: usize = 1 << 20;
const ONE: Address = Address::Short([0x11; 20]);
const TWO: Address = Address::Short([0x22; 20]);
const TRANSFER: &str = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";

/// A record with this name, messages and events; the texts are the items of the two lists.
fn record(messages: &str, events: &str) -> Tx {
    let body = format!(r#"{{"body":{{"messages":[{messages}],"memo":""}},"auth_info":{{"fee":{{"amount":[]}}}}}}"#);
    let tx = json!({"txhash": "0".repeat(64), "height": "7", "timestamp": "2026-01-01T00:00:00Z", "tx": {}});
    let mut tx: Tx = serde_json::from_str(&tx.to_string()).expect("a record of the wire");
    tx.tx = RawJson::parse(body).expect("the messages are JSON");
    tx.events = RawJson::parse(format!("[{events}]")).expect("the events are JSON");
    tx
}

/// So many different items that they fill a part of a MiB.
fn fill(part: usize, item: impl Fn(usize) -> String) -> String {
    let mut text = String::with_capacity(MIB);
    for number in 0.. {
        let next = item(number);
        if text.len() + next.len() + 1 > MIB / part {
            break;
        }
        if number > 0 {
            text.push(',');
        }
        text.push_str(&next);
    }
    text
}

fn send() -> String {
    message("cosmos.bank.v1beta1.MsgSend", &format!(r#""from_address":"{ONE}","to_address":"{TWO}","amount":[]"#))
}

fn message(kind: &str, fields: &str) -> String {
    format!(r#"{{"@type":"/{kind}",{fields}}}"#)
}

fn event(kind: &str, attributes: &[(&str, &str)], message: usize) -> String {
    let mut list: Vec<_> = attributes.iter().map(|(key, value)| json!({"key": key, "value": value})).collect();
    list.push(json!({"key": "msg_index", "value": message.to_string()}));
    json!({"type": kind, "attributes": list}).to_string()
}

/// An account of its own for each number.
fn account(number: usize) -> Address {
    let mut bytes = [0x33; 20];
    bytes[..8].copy_from_slice(&(number as u64).to_be_bytes());
    Address::Short(bytes)
}

fn word(address: Address) -> String {
    format!("0x{:0>64}", address.hex().trim_start_matches("0x"))
}

fn log(number: usize, message: usize) -> String {
    let topics = [TRANSFER.to_owned(), word(account(number)), word(account(number + 1))];
    let log =
        json!({"address": account(number % 50).checksummed(), "topics": topics, "data": format!("0x{number:064x}")});
    event("evm", &[("log", &log.to_string())], message)
}

fn store(number: usize) -> String {
    let data =
        json!({"store_addr": format!("0x{number:x}"), "metadata_addr": format!("0x{:x}", number % 7), "amount": "1"});
    let kind = if number.is_multiple_of(2) { "WithdrawEvent" } else { "DepositEvent" };
    event("move", &[("type_tag", &format!("0x1::fungible_asset::{kind}")), ("data", &data.to_string())], 0)
}

fn token(number: usize) -> String {
    let (from, to) = (account(number).bech32(), account(number + 1).bech32());
    let attributes =
        [("_contract_address", ONE.bech32()), ("action", "transfer".to_owned()), ("from", from), ("to", to)];
    let mut attributes: Vec<(&str, &str)> = attributes.iter().map(|(key, value)| (*key, value.as_str())).collect();
    attributes.push(("amount", "1"));
    event("wasm", &attributes, 0)
}

fn coin(number: usize) -> String {
    event("coin_received", &[("receiver", &account(number).bech32()), ("amount", &format!("{number}u{number}"))], 0)
}

fn nested(open: &str, close: &str, kernel: &str) -> String {
    let count = MIB / (open.len() + close.len()) / 2;
    format!("{}{kernel}{}", open.repeat(count), close.repeat(count))
}

fn call(input: &str) -> String {
    message("minievm.evm.v1.MsgCall", &format!(r#""sender":"{ONE}","contract_addr":"{}","input":"{input}""#, TWO.hex()))
}

/// All of them, by name.
pub(super) fn worst() -> Vec<(&'static str, Tx)> {
    let mut all = floods();
    all.extend(families());
    all.extend(depths());
    all
}

fn floods() -> Vec<(&'static str, Tx)> {
    let both = |one: &dyn Fn(usize) -> String, other: &dyn Fn(usize) -> String| (fill(2, one), fill(2, other));
    let (sends, transfers) = both(&|_| send(), &|number| event("transfer", &[("amount", "1u")], number));
    let (empty, bare) = both(&|_| "{}".to_owned(), &|_| "{}".to_owned());
    let (calls, logs) = both(&|_| call("0xa9059cbb"), &|number| log(number, number % 50));
    let attributes = fill(1, |_| r#"{"key":"k","value":""}"#.to_owned());
    let coins = fill(1, |number| format!("1u{number}"));
    let received = event("coin_received", &[("receiver", &ONE.bech32()), ("amount", &coins)], 0);
    vec![
        ("events that say nothing", record("", &fill(1, |_| "{}".to_owned()))),
        ("messages that say nothing", record(&fill(1, |_| "{}".to_owned()), "")),
        ("both", record(&empty, &bare)),
        ("messages with an event each", record(&sends, &transfers)),
        ("EVM calls with logs", record(&calls, &logs)),
        ("EVM logs", record(&call(""), &fill(1, |number| log(number, 0)))),
        ("coins", record(&send(), &fill(1, coin))),
        ("coins in one event", record(&send(), &received)),
        ("stores on Move", record(&message("initia.move.v1.MsgExecute", r#""sender":"x""#), &fill(1, store))),
        ("contract tokens", record(&message("cosmwasm.wasm.v1.MsgExecuteContract", r#""msg":{}"#), &fill(1, token))),
        ("attributes", record(&send(), &format!(r#"{{"type":"transfer","attributes":[{attributes}]}}"#))),
        ("numbers", record(&message("a.b.MsgOdd", &format!(r#""n":[{}]"#, fill(1, |_| "7".to_owned()))), "")),
        ("fields", record(&format!("{{{}}}", fill(1, |number| format!(r#""{number}":0"#))), "")),
    ]
}

/// As many messages of one kind as there are events of theirs: whoever seeks its own among all of them is slow.
fn families() -> Vec<(&'static str, Tx)> {
    let record =
        |one: &dyn Fn(usize) -> String, other: &dyn Fn(usize) -> String| record(&fill(2, one), &fill(2, other));
    let packet = |number: usize| {
        let data = "eyJkZW5vbSI6InUiLCJhbW91bnQiOiIxIiwic2VuZGVyIjoiYSIsInJlY2VpdmVyIjoiYiJ9";
        let ends = r#""source_port":"transfer","source_channel":"channel-1","destination_port":"transfer","destination_channel":"channel-2""#;
        message(
            "ibc.core.channel.v1.MsgRecvPacket",
            &format!(r#""packet":{{"sequence":"{number}",{ends},"data":"{data}"}},"signer":"{ONE}""#),
        )
    };
    let received = |number: usize| {
        event(
            "recv_packet",
            &[
                ("packet_sequence", &number.to_string()),
                ("packet_src_port", "transfer"),
                ("packet_src_channel", "channel-1"),
                ("packet_dst_port", "transfer"),
                ("packet_dst_channel", "channel-2"),
            ],
            number,
        )
    };
    let wasm = |_| {
        let fields =
            format!(r#""sender":"{ONE}","contract":"{TWO}","msg":{{"transfer":{{"recipient":"{ONE}"}}}},"funds":[]"#);
        message("cosmwasm.wasm.v1.MsgExecuteContract", &fields)
    };
    let acted = |number: usize| {
        event("wasm", &[("_contract_address", &TWO.bech32()), ("action", "transfer"), ("amount", "1")], number)
    };
    let call = |_| {
        let target =
            r#""module_address":"0x1","module_name":"coin","function_name":"transfer","type_args":[],"args":[]"#;
        message("initia.move.v1.MsgExecute", &format!(r#""sender":"{ONE}",{target}"#))
    };
    let object = |number: usize| {
        let kind = ["CreateEvent", "TransferEvent", "DeleteEvent"][number % 3];
        let data =
            json!({"object": format!("0x{:x}", number / 3), "owner": ONE.hex(), "from": ONE.hex(), "to": TWO.hex()});
        let tag = format!("0x1::object::{kind}");
        event("move", &[("type_tag", &tag), ("data", &data.to_string())], number % 400)
    };
    let burned = |number: usize| {
        let data = json!({"collection": "0x5", "token_id": number.to_string(), "nft": format!("0x{number:x}")});
        event("move", &[("type_tag", "0x1::collection::BurnEvent"), ("data", &data.to_string())], number % 400)
    };
    let deposit = |number: usize| {
        let fields = format!(
            r#""sender":"{ONE}","from":"{ONE}","to":"{TWO}","amount":{{"denom":"l2/aa","amount":"1"}},"sequence":"{number}","data":null"#
        );
        message("opinit.opchild.v1.MsgFinalizeTokenDeposit", &fields)
    };
    let arrived = |number: usize| {
        event("finalize_token_deposit", &[("l1_sequence", &number.to_string()), ("success", "true")], number)
    };
    vec![
        ("packets with their events", record(&packet, &received)),
        ("contract calls with their events", record(&wasm, &acted)),
        ("Move calls with objects", record(&call, &object)),
        ("Move calls with burned NFTs", record(&call, &burned)),
        ("deposits with their events", record(&deposit, &arrived)),
    ]
}

fn depths() -> Vec<(&'static str, Tx)> {
    let inner = fill(1, |_| send());
    let exec = |inner: &str| message("cosmos.authz.v1beta1.MsgExec", &format!(r#""grantee":"{ONE}","msgs":[{inner}]"#));
    let chain = nested(r#"{"@type":"/cosmos.authz.v1beta1.MsgExec","msgs":["#, "]}", "");
    let admin = message("opinit.opchild.v1.MsgExecuteMessages", &format!(r#""sender":"{ONE}","messages":[{inner}]"#));
    let lists = nested("[", "]", "");
    let offsets = format!("0xac9650d8{:064x}{}", 32, format!("{:064x}", 0x2_000).repeat(MIB / 64 - 2));
    let memo = nested(r#"{\"forward\":{\"next\":"#, "}}", "1");
    let send_away =
        format!(r#""sender":"{ONE}","receiver":"{memo}","memo":"{memo}","token":{{"denom":"u","amount":"1"}}"#);
    vec![
        ("messages in a message", record(&exec(&inner), "")),
        ("messages of the admin", record(&admin, "")),
        ("messages within messages", record(&chain, "")),
        ("lists within lists", record(&message("a.b.MsgOdd", &format!(r#""n":{lists}"#)), "")),
        (
            "lists in an event",
            record(&send(), &format!(r#"{{"type":"a","attributes":[{{"key":"k","value":{lists}}}]}}"#)),
        ),
        ("a call of calls", record(&call(&offsets), "")),
        ("a call of zeros", record(&call(&format!("0xac9650d8{}", "0".repeat(MIB - 200))), "")),
        ("a memo of hops", record(&message("ibc.applications.transfer.v1.MsgTransfer", &send_away), "")),
        ("one long text", record(&call(&"\u{202e}".repeat(MIB / 3)), "")),
    ]
}
