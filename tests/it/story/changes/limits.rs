//! What reading costs at the most, whatever the record holds.

use std::collections::BTreeMap;

use proptest::prelude::*;
use rollscope::{
    domain::{Balance, Denom, Vm},
    story::{Changes, MOST_EVENTS, MOST_OWNER_TESTS, Work, decode},
};
use serde_json::{Value, json};

use super::{event, told, tx};

fn read(events: &[Value]) -> (Changes, Work) {
    let (tx, work) = (tx(events), Work::default());
    let changes = Changes::of(&tx, &decode(&tx), None, &work);
    (changes, work)
}

#[test]
fn more_events_than_are_read_do_not_add_up() {
    let one = rollscope::domain::Address::Short([1; 20]).bech32();
    let pair = [
        told("coin_spent", &[("spender", &one), ("amount", "1uinit")]),
        told("coin_received", &[("receiver", &one), ("amount", "1uinit")]),
    ];
    let mut events: Vec<Value> = pair.iter().cloned().cycle().take(MOST_EVENTS).collect();
    let (changes, work) = read(&events);
    assert!(changes.is_conserved && !work.is_cut() && work.events() == MOST_EVENTS);
    events.extend(pair);
    let (changes, work) = read(&events);
    assert!(!changes.is_conserved && work.is_cut() && work.events() == MOST_EVENTS);
}

#[test]
fn a_list_of_very_many_coins_is_not_read() {
    let one = rollscope::domain::Address::Short([1; 20]).bech32();
    let coins: Vec<String> = (0..MOST_EVENTS * 2).map(|number| format!("1coin{number}")).collect();
    let coins = coins.join(",");
    let (changes, work) = read(&[told("coin_spent", &[("spender", &one), ("amount", &coins)])]);
    assert!(!changes.is_conserved && changes.balances.is_empty() && work.is_cut());
    let (changes, work) = read(&[event("tx", &[("fee", &coins), ("fee_payer", &one)])]);
    assert!(!changes.is_conserved && changes.fee.net_paid.is_empty() && work.is_cut());
}

#[test]
fn logs_and_items_count_as_events() {
    let logs: Vec<(&str, &str)> = vec![("log", "{\"address\":\"0x1\"}"); MOST_EVENTS + 5];
    let (changes, work) = read(&[event("evm", &logs)]);
    assert!(!changes.is_conserved && work.is_cut() && work.events() == MOST_EVENTS);
}

#[test]
fn owners_of_stores_are_sought_within_a_limit() {
    let stores = (0..300_u32).flat_map(|number| {
        let part = |name: &str| {
            let data = json!({
                "store_addr": format!("0x{number:064x}"), "metadata_addr": format!("0x{:x}", number % 150 + 1),
                "amount": "1",
            });
            told("move", &[("type_tag", &format!("0x1::fungible_asset::{name}")), ("data", &data.to_string())])
        };
        [part("WithdrawEvent"), part("DepositEvent")]
    });
    let names = (0..3_000_u32).map(|number| told("note", &[("of", &format!("0x{number:040x}"))]));
    let events: Vec<Value> = stores.chain(names).collect();
    let (changes, work) = read(&events);
    assert_eq!(work.owner_tests(), MOST_OWNER_TESTS);
    assert!(work.is_cut() && changes.balances.is_empty());
    assert!(changes.is_conserved, "whose a store is changes no sum");
}

/// Values as events have them, and others.
const VALUES: [&str; 22] = [
    "init1veaum7vy45fzw5x4mflskgx5lnmwmxx5wm3x8p",
    "init17xpfvakm2amg962yls6f84z3kell8c5l70rnql",
    "init1ttp33s68n4gc77um47q2nj2nx365xjmy2vtdye4p9en2xjdf72hqdyslrm",
    "0x1",
    "0x4eb08D5c1B0A821303A86C7b3AC805c2793dE783",
    "7uinit",
    "7uinit,9ibc/AA",
    "115792089237316195423570985008687907853269984665640564039457584007913129639935uinit",
    "",
    "\u{0}\u{202e}",
    "transfer",
    "mint",
    "burn",
    "3",
    "{}",
    "0x1::fungible_asset::DepositEvent",
    "0x1::fungible_asset::WithdrawOwnerEvent",
    "0x1::collection::BurnEvent",
    r#"{"store_addr":"0x5","metadata_addr":"0x8e4733bdabcf7d4afc3d14f0dd46c9bf52fb0fce9e4b996c939e195b8bc891d9","amount":"7"}"#,
    r#"{"owner":"0x667bcdf984ad122750d5da7f0b20d4fcf6ed98d4","object":"0x9","collection":"0x1","token_id":"1","nft":"0x9"}"#,
    r#"{"address":"0x4eb08D5c1B0A821303A86C7b3AC805c2793dE783","topics":["0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef","0x0000000000000000000000000000000000000000000000000000000000000000","0x0000000000000000000000004eb08d5c1b0a821303a86c7b3ac805c2793de783"],"data":"0xffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"}"#,
    r#"{"address":"0x1","topics":["0x4a39dc06d4c0dbc64b70af90fd698a233a518aa5d07e595d983b8c0526c8f7fb","","",""],"data":"0x"}"#,
];
const KINDS: [&str; 12] = [
    "coin_spent",
    "coin_received",
    "coinbase",
    "burn",
    "evm",
    "move",
    "wasm",
    "tx",
    "gas_refund",
    "use_feegrant",
    "execute",
    "erc20_created",
];
const KEYS: [&str; 22] = [
    "spender",
    "receiver",
    "minter",
    "burner",
    "amount",
    "log",
    "type_tag",
    "data",
    "_contract_address",
    "action",
    "from",
    "to",
    "owner",
    "token_id",
    "fee",
    "fee_payer",
    "coins",
    "granter",
    "sender",
    "contract",
    "denom",
    "msg_index",
];

fn any_event() -> impl Strategy<Value = Value> {
    let value = prop_oneof![9 => prop::sample::select(VALUES.as_slice()).prop_map(str::to_owned), 1 => ".{0,20}"];
    let attribute = (prop::sample::select(KEYS.as_slice()), value);
    let attributes = prop::collection::vec(attribute, 0..8);
    (prop::sample::select(KINDS.as_slice()), attributes).prop_map(|(kind, attributes)| {
        let attributes: Vec<_> = attributes.iter().map(|(key, value)| (*key, value.as_str())).collect();
        event(kind, &attributes)
    })
}

fn negative(delta: Balance) -> Balance {
    match delta.amount() {
        Some(amount) => Balance::below_zero(amount),
        None => Balance::from(delta.magnitude()),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn no_record_is_said_to_add_up_where_it_does_not(events in prop::collection::vec(any_event(), 0..12)) {
        let tx = tx(&events);
        let decoded = decode(&tx);
        for hint in [None, Some(Vm::Evm), Some(Vm::Move), Some(Vm::Wasm)] {
            let changes = Changes::of(&tx, &decoded, hint, &Work::default());
            let mut sums: BTreeMap<&Denom, Option<Balance>> = BTreeMap::new();
            let rows = changes.balances.iter().map(|change| (&change.denom, change.delta));
            let burns = changes.supply.iter().map(|change| (&change.denom, negative(change.delta)));
            for (denom, delta) in rows.chain(burns) {
                let sum = sums.entry(denom).or_insert(Some(Balance::default()));
                *sum = sum.and_then(|sum| sum.checked_add(delta));
            }
            for (denom, sum) in sums {
                // A fee that went elsewhere than to the collector of fees is a row of whoever got it.
                let fee = changes.fee.net_paid.iter().find(|coin| coin.denom == *denom).map(|coin| coin.amount);
                let is_even = sum.is_none_or(|sum| sum.magnitude().is_zero() || sum.amount() == fee);
                prop_assert!(!changes.is_conserved || is_even, "{denom}: {sum:?} of {changes:?}");
            }
        }
    }
}
