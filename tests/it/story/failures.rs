//! Why transactions failed, or completed with a problem.

use std::collections::BTreeSet;

use super::{movewasm::glossary, records};
use crate::harness::made::made;
use rollscope::{
    domain::Vm,
    story::{Explanation, Glossary, Story},
};

fn explained(name: &str) -> Option<Explanation> {
    let records = records()?;
    let (_, tx) = records.iter().find(|(found, _)| found == name).expect(name);
    Some(Story::of(tx, &glossary()).explanation.expect("it has a problem"))
}

#[test]
fn the_worked_failures_are_explained() {
    let Some(stopped) = explained("move-l1-fail-1") else { return };
    assert_eq!(
        stopped.text,
        "Message 1 stopped in 0x1::dex (function 7, offset 75): ARITHMETIC_ERROR, Subtraction overflow — a number fell \
         below zero. Nothing changed except the fee."
    );
    assert_eq!((stopped.title().as_str(), stopped.is_partial), ("VM failure (undefined 1)", false));
    let Some(mistyped) = explained("wasm-instantiate-2") else { return };
    assert_eq!(
        mistyped.text,
        "Message 1: the contract's creation failed — “Generic error: addr_validate errored: decoding bech32 failed: invalid \
         checksum (expected 3fextf got ywycq0)”. An address in the message is mistyped (initial_balances[0].address)."
    );
    assert_eq!(mistyped.title(), "instantiate failed (wasm 4)");
    let Some(hook) = explained("evm-op-deposit-2") else { return };
    assert_eq!(
        hook.text,
        "Message 1 completed with a problem: the hook failed: its sequence is 61, but \
         the account was already at 63. The tokens stayed with init1dw49mn7s2r5mskjdmus5hth80zz8wwaywycq06."
    );
    assert_eq!((hook.name.as_str(), hook.is_partial, hook.events.len()), ("hook failed", true, 1));
}

#[test]
fn every_failure_of_the_embedded_rollup_is_explained() {
    let mut names: BTreeSet<String> = BTreeSet::new();
    for vm in [Vm::Evm, Vm::Move, Vm::Wasm] {
        for tx in made(vm, 300) {
            let Some(explanation) = Story::of(&tx, &Glossary::default()).explanation else {
                assert!(tx.is_success(), "{}: a failure without a word", tx.raw_log.as_received());
                continue;
            };
            let (text, log) = (&explanation.text, &tx.raw_log);
            assert_eq!(explanation.is_partial, tx.is_success(), "{text}");
            let names_it = ["Message ", "The transaction ", "One of the "].iter().any(|start| text.starts_with(start));
            assert!(names_it && text.ends_with('.') && *log != *text, "{text}\n{log:?}");
            assert!(!text.contains(" failed with code "), "nothing more than the code is known: {text}");
            assert!(text.matches(". ").count() <= 3, "too long: {text}");
            if explanation.is_partial {
                assert!(!explanation.events.is_empty(), "{text}");
            }
            names.insert(explanation.title());
        }
    }
    let expected = [
        "VM failure (undefined 1)",
        "aborted (undefined 1)",
        "call failed (evm 3)",
        "client not active (client 29)",
        "code not stored (wasm 2)",
        "deposit sent back",
        "execute failed (wasm 5)",
        "hook failed",
        "instantiate failed (wasm 4)",
        "insufficient fee (sdk 13)",
        "insufficient funds (sdk 5)",
        "intrinsic gas too low (undefined 1)",
        "invalid hex (evm 6)",
        "migrate failed (wasm 11)",
        "no authorization (authz 2)",
        "no such channel (channel 3)",
        "no such code (wasm 28)",
        "no such contract (wasm 22)",
        "no such token (tokenfactory 15)",
        "not found (sdk 38)",
        "not supported (undefined 1)",
        "not the token's admin (tokenfactory 8)",
        "out of gas (evm 3)",
        "out of gas (evm 4)",
        "out of gas (sdk 11)",
        "packet not open (channel 20)",
        "packet refused",
        "recovered panic (undefined 111222)",
        "reverted (evm 23)",
        "sequence mismatch (sdk 32)",
        "token exists (tokenfactory 7)",
        "unauthorized (sdk 4)",
    ];
    assert_eq!(names, expected.map(ToOwned::to_owned).into());
}
