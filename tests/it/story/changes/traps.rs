//! The traps of reading events, one by one.

mod evm;
mod fee;

use rollscope::{
    domain::{Address, Vm},
    story::{AccountPart, Changes, Direction, Glossary, Style, Work, decode, effect_words, nft_words, text_of},
    wire::Tx,
};
use serde_json::{Value, json};

use super::{changes, event, rows, supply, told, tx};

const TRANSFER: &str = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";
const COLLECTOR: &str = "init17xpfvakm2amg962yls6f84z3kell8c5l70rnql";

fn who(byte: u8) -> Address {
    Address::Short([byte; 20])
}

fn word(address: Address) -> String {
    format!("0x{:0>64}", &address.hex()[2..])
}

fn number(number: u128) -> String {
    format!("0x{number:064x}")
}

/// A log as the machine writes it.
fn log(contract: Address, topics: &[String], data: &str) -> String {
    json!({"address": contract.checksummed(), "topics": topics, "data": data}).to_string()
}

fn moved(contract: Address, from: Address, to: Address, amount: u128) -> String {
    log(contract, &[TRANSFER.to_owned(), word(from), word(to)], &number(amount))
}

/// A run of the EVM in the first message.
fn run(logs: &[String]) -> Value {
    let logs: Vec<(&str, &str)> = logs.iter().map(|log| ("log", log.as_str())).collect();
    told("evm", &logs)
}

fn coins(kind: &str, who: &str, address: Address, amount: &str) -> Value {
    told(kind, &[(who, &address.bech32()), ("amount", amount)])
}

/// A movement of the bank, as it says it three times.
fn sent(from: Address, to: Address, amount: &str) -> [Value; 3] {
    [
        coins("coin_spent", "spender", from, amount),
        coins("coin_received", "receiver", to, amount),
        told("transfer", &[("recipient", &to.bech32()), ("sender", &from.bech32()), ("amount", amount)]),
    ]
}

fn row(address: Address, denom: &str, delta: &str) -> String {
    format!("{address} {denom} {delta}")
}

/// A movement of Move's standard library in the first message.
fn asset(name: &str, data: &Value) -> Value {
    told("move", &[("type_tag", &format!("0x1::fungible_asset::{name}")), ("data", &data.to_string())])
}

fn evm(denom_of: Address) -> String {
    format!("evm/{}", &denom_of.checksummed()[2..])
}

#[test]
fn what_one_sends_to_oneself_is_nothing() {
    let (token, one) = (who(9), who(1));
    let found = changes(&tx(&[run(&[moved(token, one, one, 70)])]), None);
    assert_eq!((rows(&found), found.is_conserved), (vec![], true));
    let found = changes(&tx(&sent(one, one, "5uinit")), None);
    assert_eq!((rows(&found), found.is_conserved, found.vm), (vec![], true, Some(Vm::Wasm)));
}

/// What a list shows of a transaction's effect on an account.
fn effect(tx: &Tx, account: Address) -> (String, Option<Direction>) {
    let words = effect_words(tx, account, &Glossary::default(), Style::Exact);
    (words.text, words.direction)
}

#[test]
fn wasm2_nft_sold_by_market() {
    let (market, seller, buyer, contract) = (who(5), who(6), who(1), Address::Long([9; 32]));
    let action = |name: &str, parties: &[(&str, &Address)]| {
        let parties: Vec<(&str, String)> = parties.iter().map(|(key, who)| (*key, who.bech32())).collect();
        let parties = parties.iter().map(|(key, who)| (*key, who.as_str()));
        let address = contract.bech32();
        let head = [("_contract_address", address.as_str()), ("action", name), ("token_id", "7")];
        told("wasm", &head.into_iter().chain(parties).collect::<Vec<_>>())
    };
    let mut events: Vec<Value> = sent(buyer, market, "5uinit").into();
    events.push(action("transfer_nft", &[("sender", &market), ("recipient", &buyer)]));
    events.extend(sent(market, seller, "5uinit"));
    let sold = tx(&events);
    let told = text_of(&nft_words(&changes(&sold, None).nfts[0], &Glossary::default()), Style::Exact);
    let asked = format!("moved to {buyer} at the request of {market}; the events do not name its owner");
    assert!(told.ends_with(&asked), "{told}");
    assert_eq!(effect(&sold, market), ("asked to move 1 NFT".to_owned(), None), "it never had the NFT");
    assert_eq!(effect(&sold, seller), ("+5 uinit".to_owned(), Some(Direction::In)));
    assert_eq!(effect(&sold, buyer), ("−5 uinit +1 NFT (reported)".to_owned(), Some(Direction::Both)));
    assert_eq!(AccountPart::of(&sold, market).direction, Direction::Both, "by the coins");
    let burned = tx(&[action("burn", &[("sender", &market)])]);
    assert_eq!(effect(&burned, market), ("asked to move 1 NFT".to_owned(), None));
    assert_eq!(AccountPart::of(&burned, market).direction, Direction::Mentioned);
    let minted = tx(&[action("mint", &[("minter", &market), ("owner", &buyer)])]);
    assert_eq!(effect(&minted, buyer), ("+1 NFT (reported)".to_owned(), Some(Direction::In)));
    assert_eq!(effect(&minted, market), ("no known change".to_owned(), None));
}

/// What the ante handler says of a fee.
fn fee(payer: Address, amount: &str) -> [Value; 3] {
    [
        event("coin_spent", &[("spender", &payer.bech32()), ("amount", amount)]),
        event("coin_received", &[("receiver", COLLECTOR), ("amount", amount)]),
        event("tx", &[("fee", amount), ("fee_payer", &payer.bech32())]),
    ]
}

#[test]
fn the_fee_is_apart_and_what_else_happened_outside_the_messages_is_not_lost() {
    let (one, two) = (who(1), who(2));
    let mut events: Vec<Value> = fee(one, "9uinit").into();
    events.extend(sent(one, two, "5uinit"));
    let found = changes(&tx(&events), None);
    assert_eq!(rows(&found), [row(one, "uinit", "-5"), row(two, "uinit", "5")]);
    assert_eq!(found.fee.net_paid.iter().map(ToString::to_string).collect::<Vec<_>>(), ["9uinit"]);
    assert_eq!((found.fee.payer, found.fee.granter, &found.fee.events), (Some(one), None, &vec![0, 1, 2]));
    // An old node that numbers no message: the same money, and the fee still apart.
    for event in &mut events {
        event["attributes"].as_array_mut().expect("attributes").retain(|attribute| attribute["key"] != "msg_index");
    }
    let unnumbered = changes(&tx(&events), None);
    assert_eq!((rows(&unnumbered), unnumbered.is_conserved), (rows(&found), true));
    assert_eq!(unnumbered.fee.net_paid, found.fee.net_paid);
}

#[test]
fn a_grant_pays_the_fee_and_a_refund_lowers_it() {
    let (one, two, token) = (who(1), who(2), who(9));
    let collector: Address = COLLECTOR.parse().expect("an address");
    let coin = |amount: u128| format!("{amount}{}", evm(token));
    let run = |log: String| event("evm", &[("log", &log)]);
    let mut events = vec![
        event("use_feegrant", &[("granter", &two.bech32()), ("grantee", &one.bech32())]),
        run(moved(token, two, collector, 90)),
    ];
    events.extend(fee(two, &coin(90)));
    events.push(event("tx", &[("acc_seq", &format!("{one}/3"))]));
    events.push(told("message", &[("action", "/x")]));
    events.push(event("gas_refund", &[("gas", "7"), ("coins", &coin(30))]));
    events.push(run(moved(token, collector, two, 30)));
    let found = changes(&tx(&events), None);
    assert_eq!(found.fee.net_paid.iter().map(ToString::to_string).collect::<Vec<_>>(), [coin(60)]);
    assert_eq!((found.fee.payer, found.fee.granter), (Some(two), Some(two)));
    assert_eq!((rows(&found), found.is_conserved), (vec![], true));
}

#[test]
fn events_of_an_attached_action_are_not_the_fee_payers() {
    let (one, two) = (who(1), who(2));
    let mut events: Vec<Value> = fee(one, "").into();
    events.extend(sent(one, two, "5uinit"));
    events.push(told("tx", &[("fee", "8uinit"), ("fee_payer", &two.bech32())]));
    events.push(told("tx", &[("acc_seq", &format!("{two}/13"))]));
    let found = changes(&tx(&events), Some(Vm::Wasm));
    assert_eq!((found.fee.payer, found.fee.net_paid.len()), (Some(one), 0));
}

#[test]
fn a_failed_transaction_keeps_its_fee_only() {
    let (one, two) = (who(1), who(2));
    let mut events: Vec<Value> = fee(one, "9uinit").into();
    events.extend(sent(one, two, "5uinit"));
    let mut failed = tx(&events);
    (failed.code, failed.codespace) = (5, "sdk".into());
    let found = changes(&failed, None);
    assert!(rows(&found).is_empty() && supply(&found).is_empty() && found.is_conserved);
    assert_eq!(found.fee.net_paid.len(), 1);
    let mut refused = tx(&[]);
    refused.code = 32;
    let found = changes(&refused, Some(Vm::Evm));
    assert!(found.fee.net_paid.is_empty() && found.is_conserved, "without events the fee was not paid either");
    assert!(!changes(&tx(&[]), None).is_conserved, "a success without a single event is cut");
}

#[test]
fn one_sender_to_many_adds_up() {
    let events = [
        coins("coin_spent", "spender", who(1), "12uinit,3ibc/AA"),
        coins("coin_received", "receiver", who(2), "7uinit"),
        coins("coin_received", "receiver", who(3), "5uinit,3ibc/AA"),
        told("transfer", &[("recipient", &who(2).bech32()), ("amount", "7uinit")]),
    ];
    let found = changes(&tx(&events), None);
    let expected = [
        row(who(1), "ibc/AA", "-3"),
        row(who(3), "ibc/AA", "3"),
        row(who(1), "uinit", "-12"),
        row(who(3), "uinit", "5"),
        row(who(2), "uinit", "7"),
    ];
    assert_eq!((rows(&found).as_slice(), found.is_conserved), (expected.as_slice(), true));
    assert!(!changes(&tx(&events[..2]), None).is_conserved, "half of it is not the truth");
}

#[test]
fn sums_past_256_bits_are_not_wrapped() {
    let most = format!("{}uinit", alloy_primitives::U256::MAX);
    let mut events: Vec<Value> = sent(who(1), who(2), &most).into();
    assert!(changes(&tx(&events), None).is_conserved, "the largest amount itself is fine");
    events.extend(sent(who(1), who(2), "1uinit"));
    assert!(!changes(&tx(&events), None).is_conserved);
    let past = format!("{}0uinit", alloy_primitives::U256::MAX);
    assert!(!changes(&tx(&sent(who(1), who(2), &past)), None).is_conserved);
}

#[test]
fn contracts_of_wasm_speak_for_themselves() {
    let (contract, nft, one, two) = (Address::Long([9; 32]), Address::Long([8; 32]), who(1), who(2));
    let act = |contract: Address, action: &str, rest: &[(&str, &str)]| {
        told("wasm", &[&[("_contract_address", contract.bech32().as_str()), ("action", action)], rest].concat())
    };
    let (first, second) = (one.bech32(), two.bech32());
    let events = [
        act(contract, "mint", &[("to", &first), ("amount", "10")]),
        act(contract, "send_from", &[("from", &first), ("to", &second), ("by", &second), ("amount", "4")]),
        act(contract, "burn_from", &[("from", &second), ("by", &first), ("amount", "1")]),
        act(contract, "increase_allowance", &[("owner", &first), ("spender", &second), ("amount", "99")]),
        act(contract, "transfer", &[("from", "not an address"), ("to", &second), ("amount", "99")]),
        act(contract, "transfer", &[("from", &first), ("to", &second), ("amount", "-1")]),
        act(nft, "mint", &[("minter", &first), ("owner", &second), ("token_id", "a/1")]),
        act(nft, "send_nft", &[("sender", &second), ("recipient", &first), ("token_id", "a/1")]),
        act(nft, "burn", &[("sender", &first), ("token_id", "a/1")]),
        act(nft, "approve", &[("sender", &first), ("token_id", "a/1")]),
    ];
    let found = changes(&tx(&events), None);
    let denom = format!("cw20:{contract}");
    assert_eq!(rows(&found), [row(two, &denom, "3"), row(one, &denom, "6")]);
    assert_eq!((supply(&found), found.is_conserved), (vec![format!("{denom} 9")], true));
    assert!(found.balances.iter().all(|change| change.is_reported));
    let sides: Vec<_> = found.nfts.iter().map(|change| (change.from, change.to)).collect();
    assert_eq!(sides, [(None, Some(two)), (Some(two), Some(one)), (Some(one), None)]);
}

#[test]
fn keys_that_are_repeated_do_not_hide_anything() {
    let (contract, one, two) = (Address::Long([9; 32]), who(1).bech32(), who(2).bech32());
    let (address, other) = (contract.bech32(), Address::Long([8; 32]).bech32());
    let merged = told(
        "wasm",
        &[
            ("_contract_address", &address),
            ("action", "transfer"),
            ("from", &one),
            ("to", &two),
            ("amount", "4"),
            ("action", "transfer"),
            ("from", &one),
            ("to", &two),
            ("amount", "5"),
            ("_contract_address", &other),
            ("action", "mint"),
            ("to", &one),
            ("amount", "1"),
        ],
    );
    let found = changes(&tx(&[merged]), None);
    let expected =
        [format!("{one} cw20:{other} 1"), format!("{one} cw20:{address} -9"), format!("{two} cw20:{address} 9")];
    let mut told_rows = rows(&found);
    told_rows.sort();
    let mut expected = expected.to_vec();
    expected.sort();
    assert_eq!(told_rows, expected);
    // Newer nodes of Move repeat the fields of the data behind it: the first word counts.
    let (store, metadata) = (format!("0x{}", "5".repeat(64)), format!("0x{}", "6".repeat(64)));
    let data = json!({"store_addr": store, "metadata_addr": metadata, "amount": "7"}).to_string();
    let flattened = told(
        "move",
        &[
            ("type_tag", "0x1::fungible_asset::DepositEvent"),
            ("data", &data),
            ("amount", "700"),
            ("data", "{}"),
            ("type_tag", "0x1::fungible_asset::WithdrawEvent"),
        ],
    );
    let found = changes(&tx(&[flattened]), None);
    assert_eq!(rows(&found), [format!("store:{store} move/{} 7", &metadata[2..])]);
    assert!(!found.is_conserved, "nobody gave it and nobody minted it");
}

#[test]
fn stores_of_move_get_their_owners_in_every_way() {
    let metadata = format!("0x{}", "6".repeat(64));
    let store = |byte: &str| format!("0x{}", byte.repeat(64));
    let part = |name: &str, store: &str, amount: &str| {
        asset(name, &json!({"store_addr": store, "metadata_addr": metadata, "amount": amount}))
    };
    let created = json!({"owner_addr": who(3).hex(), "store_addr": store("3"), "metadata_addr": metadata});
    let events = [
        asset("MintEvent", &json!({"metadata_addr": metadata, "amount": "9"})),
        part("WithdrawEvent", &store("1"), "8"),
        asset("WithdrawOwnerEvent", &json!({"owner": who(1).hex()})),
        part("DepositEvent", &store("2"), "5"),
        asset("WithdrawOwnerEvent", &json!({"owner": who(9).hex()})),
        told(
            "move",
            &[("type_tag", "0x1::primary_fungible_store::PrimaryStoreCreatedEvent"), ("data", &created.to_string())],
        ),
        part("DepositEvent", &store("3"), "12"),
        told("message", &[("action", "/x")]),
        asset("DepositOwnerEvent", &json!({"owner": who(9).hex()})),
    ];
    let found = changes(&tx(&events), Some(Vm::Evm));
    let denom = format!("move/{}", &metadata[2..]);
    let expected = [row(who(1), &denom, "-8"), format!("store:{} {denom} 5", store("2")), row(who(3), &denom, "12")];
    assert_eq!(rows(&found), expected);
    assert_eq!((supply(&found), found.is_conserved, found.vm), (vec![format!("{denom} 9")], true, Some(Vm::Move)));
    assert_eq!(found.balances[0].events, [1, 2], "the movement, and who says whose it is");
}

#[test]
fn burned_nfts_of_move_have_the_owner_that_the_record_tells() {
    let (collection, nft) = ("0x5", "0xabc");
    let data = json!({"collection": collection, "token_id": "7", "nft": nft}).to_string();
    let burn = told("move", &[("type_tag", "0x1::collection::BurnEvent"), ("data", &data)]);
    let call = |function: &str| {
        let sender = who(1).hex();
        told(
            "execute",
            &[("sender", &sender), ("module_addr", "0x1"), ("module_name", "simple_nft"), ("function_name", function)],
        )
    };
    let deleted = json!({"object": nft, "owner": who(2).hex(), "version": "1"}).to_string();
    let deleted = told("move", &[("type_tag", "0x1::object::DeleteEvent"), ("data", &deleted)]);
    let owner = |events: &[Value]| changes(&tx(events), None).nfts.first().expect("a burn").from;
    assert_eq!(owner(std::slice::from_ref(&burn)), None);
    assert_eq!(owner(&[call("burn"), burn.clone()]), Some(who(1)));
    assert_eq!(owner(&[call("swap"), burn.clone()]), None);
    assert_eq!(owner(&[call("burn"), burn.clone(), deleted.clone()]), Some(who(2)), "the object knows best");
    assert_eq!(owner(&[deleted, burn]), Some(who(2)));
}

#[test]
fn the_machine_is_told_by_the_events_not_by_the_hint() {
    let evm_run = || run(&[moved(who(9), who(1), who(2), 1)]);
    assert_eq!(changes(&tx(&[evm_run()]), Some(Vm::Wasm)).vm, Some(Vm::Evm));
    assert_eq!(changes(&tx(&sent(who(1), who(2), "1uinit")), Some(Vm::Move)).vm, Some(Vm::Wasm));
    let quiet = tx(&[event("tx", &[("fee", "")])]);
    assert_eq!((changes(&quiet, None).vm, changes(&quiet, Some(Vm::Move)).vm), (None, Some(Vm::Move)));
    let mut call: Tx = quiet;
    call.tx = serde_json::from_str(r#"{"body":{"messages":[{"@type":"/minievm.evm.v1.MsgCall"}]}}"#).expect("JSON");
    assert_eq!(changes(&call, None).vm, Some(Vm::Evm));
}

#[test]
fn a_record_that_cannot_be_read_is_never_said_to_add_up() {
    let mut broken = tx(&[]);
    broken.events = serde_json::from_str(r#"{"not":"a list"}"#).expect("JSON");
    assert!(!Changes::of(&broken, &decode(&broken), None, &Work::default()).is_conserved);
    for amount in ["x", "5", "-5uinit", "5uinit,,x"] {
        let found = changes(&tx(&[coins("coin_spent", "spender", who(1), amount)]), None);
        assert!(!found.is_conserved && rows(&found).is_empty(), "{amount}");
    }
    let nameless = [told("coin_spent", &[("amount", "5uinit")]), coins("coin_received", "receiver", who(1), "5uinit")];
    assert!(!changes(&tx(&nameless), None).is_conserved);
    let twice = r#"{"store_addr":"0x1","store_addr":"0x2","metadata_addr":"0x3","amount":"1"}"#;
    let odd = told("move", &[("type_tag", "0x1::fungible_asset::DepositEvent"), ("data", twice)]);
    assert!(!changes(&tx(&[odd]), None).is_conserved);
}
