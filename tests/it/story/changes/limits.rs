//! What reading costs at the most, whatever the record holds.

use rollscope::story::{Changes, MOST_EVENTS, MOST_OWNER_TESTS, Work, decode};
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
