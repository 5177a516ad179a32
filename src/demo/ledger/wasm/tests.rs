//! Tests of CW-20 balances, which neither the bank nor the ledger's own queries cover.

use std::{collections::BTreeMap, time::Duration};

use super::{
    Flavour, Wasm,
    catalogue::{CATALOGUE, CW20S},
    record::Cw20,
    world,
};
use crate::{
    demo::ledger::{
        TxEvent,
        clock::BlockClock,
        common::{
            plan::Planner,
            record::BlockRecord,
            render::{self, RenderView},
            world::World,
        },
        rng::Rng,
    },
    domain::Timestamp,
};

/// Number of simulated blocks.
const BLOCKS: u64 = 400;

fn text<'a>(event: &'a TxEvent, key: &str) -> Option<&'a str> {
    event.value(key)
}

/// Balances by contract and account.
type Balances = BTreeMap<(String, String), u128>;

/// Applies an action that a CW-20 contract reports to the balances.
fn follow(balances: &mut Balances, event: &TxEvent) {
    let (Some(contract), Some(action)) = (text(event, "_contract_address"), text(event, "action")) else { return };
    let Some(amount) = text(event, "amount").and_then(|amount| amount.parse::<u128>().ok()) else { return };
    let is_move = matches!(action, "transfer" | "send" | "transfer_from");
    if let Some(from) = text(event, "from").filter(|_| is_move || action == "burn") {
        let balance = balances.get_mut(&(contract.to_owned(), from.to_owned())).expect("a balance");
        *balance = balance.checked_sub(amount).expect("nobody overspends");
    }
    if let Some(to) = text(event, "to").filter(|_| is_move || action == "mint") {
        *balances.entry((contract.to_owned(), to.to_owned())).or_default() += amount;
    }
}

#[test]
fn cw20_balances_that_follow_from_the_events_are_the_state() {
    let seed = 7;
    let world = World::new(&CATALOGUE, seed, 200, Wasm::layout(seed));
    let mut state = Wasm::genesis(seed, &world);
    let tokens = || (0..).map(Cw20).take(CW20S.len());
    let balances = |state: &super::LedgerState| -> Balances {
        let of = |token| world.parties().map(move |(id, party)| (token, id, party.bech32.to_string()));
        let all = tokens().flat_map(of).filter(|(token, id, _)| state.own.balance(*token, *id) > 0);
        let contract = |token| world.party(world::cw20(&world, token)).bech32.to_string();
        all.map(|(token, id, name)| ((contract(token), name), state.own.balance(token, id))).collect()
    };
    let mut told = balances(&state);
    let clock = BlockClock { genesis: Timestamp::EPOCH, block_time: Duration::from_secs(1), seed, identity: seed };
    let mut followed = 0;
    for height in 1..=BLOCKS {
        let txs = Planner::<Wasm>::new(&world, &mut state, Rng::new(seed, height), height, Vec::new()).plan();
        let record = BlockRecord {
            first_sequence: 1,
            first_receipt: 1,
            first_frame: 1,
            app_hash: [0; 32],
            sequencer: 0,
            next_sequencer: 0,
            txs,
        };
        let view = RenderView { world: &world, firsts: &state.firsts, clock, height, number: 0 };
        for event in
            render::transactions(view, &record).iter().flat_map(|tx| &tx.events).filter(|event| event.kind == "wasm")
        {
            follow(&mut told, event);
            followed += 1;
        }
    }
    told.retain(|_, amount| *amount > 0);
    assert!(followed > 300, "only {followed} events of contracts");
    assert_eq!(told, balances(&state));
    for token in tokens() {
        let sum: u128 = world.parties().map(|(id, _)| state.own.balance(token, id)).sum();
        assert_eq!(sum, state.own.supply(token));
    }
}
