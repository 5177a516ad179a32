//! What is fixed about a rollup, against the ledger that is made of it.

use std::collections::BTreeSet;

use rollscope::{
    demo::ledger::{Ledger, LedgerOptions, RollupFacts, TokenOrigin, facts, user},
    domain::{Amount, Vm},
};

use super::options;

const VMS: [Vm; 3] = [Vm::Evm, Vm::Move, Vm::Wasm];

fn genesis(vm: Vm, seed: u64) -> (Ledger, RollupFacts) {
    let ledger = Ledger::genesis(LedgerOptions { vm, ..options(seed) }).expect("a flavour of each machine");
    (ledger, facts(vm, seed))
}

#[test]
fn facts_are_those_of_the_ledger() {
    for vm in VMS {
        let (ledger, facts) = genesis(vm, 7);
        assert_eq!((facts.vm, facts.chain_id), (vm, ledger.chain_id()));
        let told: Vec<_> = facts.tokens.iter().map(|token| (token.denom.clone(), token.contract)).collect();
        let real: Vec<_> = ledger.tokens().into_iter().map(|token| (token.denom, token.contract)).collect();
        assert_eq!(told, real);
        let escrows: BTreeSet<_> = facts.channels.iter().map(|channel| channel.escrow).collect();
        assert_eq!(escrows.len(), 4);
        let left = ledger.balance(&facts.channels[0].escrow, &facts.tokens[2].denom);
        assert!(vm != Vm::Evm || !left.is_zero(), "the escrow of the first channel holds what left");
        for index in 0..50 {
            assert_eq!(ledger.account(index), Some(user(7, index)));
        }
    }
}

#[test]
fn wrapped_pairs_are_named_with_what_they_wrap() {
    let evm = facts(Vm::Evm, 3);
    let pairs: Vec<_> = evm.tokens.iter().filter_map(|token| Some((token, token.wraps.as_ref()?))).collect();
    assert_eq!(pairs.len(), 2);
    for (local, remote) in pairs {
        let remote = evm.tokens.iter().find(|token| token.denom == *remote).expect("the other side");
        assert_eq!((local.symbol, local.decimals, remote.decimals), (remote.symbol, 18, 6));
        assert_ne!(remote.origin, TokenOrigin::Native);
    }
    assert!(evm.wrapper.is_some_and(|wrapper| {
        let ledger = Ledger::genesis(options(3)).expect("the EVM flavour exists");
        !ledger.balance(&wrapper, &evm.tokens[2].denom).is_zero()
    }));
    assert!([Vm::Move, Vm::Wasm].into_iter().all(|vm| facts(vm, 3).wrapper.is_none()));
}

#[test]
fn the_wallet_has_plenty_of_all_that_can_be_bridged() {
    for (vm, seed) in VMS.into_iter().flat_map(|vm| (1..=5).chain([7, 11]).map(move |seed| (vm, seed))) {
        let (ledger, facts) = genesis(vm, seed);
        for (place, token) in facts.tokens.iter().enumerate() {
            if place > 0 && token.origin == TokenOrigin::Native && token.wraps.is_none() {
                continue;
            }
            // Coins on Move are counted in 64 bits, which do not hold a thousand tokens of 18 decimals.
            let whole = 10u128.pow(u32::from(token.decimals)) * 1_000;
            let enough = if vm == Vm::Move { whole.min(u128::from(u64::MAX) / 10_000) } else { whole };
            let held = ledger.balance(&facts.wallet, &token.denom);
            assert!(held >= Amount::from(enough), "{vm} {seed}: {held} of {} {}", token.symbol, token.denom);
        }
    }
}
