//! What the simulation says of itself is so, on every virtual machine: keys, gas, memos, what became of deposits.

use std::{collections::BTreeSet, sync::LazyLock};

use alloy_primitives::keccak256;
use base64::{Engine as _, prelude::BASE64_STANDARD};
use k256::{PublicKey, elliptic_curve::sec1::ToSec1Point as _};
use ripemd::{Digest as _, Ripemd160};
use rollscope::{
    demo::ledger::{CommittedBlock, CommittedTx, Ledger, LedgerOptions, TxEvent, facts},
    domain::{Address, Vm},
};
use serde_json::Value;
use sha2::Sha256;

use super::{blocks, options};

const VMS: [Vm; 3] = [Vm::Evm, Vm::Move, Vm::Wasm];

/// The first blocks of each virtual machine.
static HISTORIES: LazyLock<Vec<(Vm, Vec<CommittedBlock>)>> = LazyLock::new(|| {
    let history = |vm| {
        let mut ledger = Ledger::genesis(LedgerOptions { vm, ..options(7) }).expect("a flavour of each machine");
        (0..900).for_each(|_| _ = ledger.advance());
        (vm, blocks(&ledger).collect())
    };
    VMS.map(history).into()
});

fn txs(blocks: &[CommittedBlock]) -> impl Iterator<Item = &CommittedTx> {
    blocks.iter().flat_map(|block| &block.txs)
}

fn body(tx: &CommittedTx) -> Value {
    serde_json::from_str(&tx.body).expect("the body is JSON")
}

fn values<'a>(event: &'a TxEvent, key: &str) -> Vec<&'a str> {
    event.values(key).collect()
}

/// The account of a key by the rules of real chains, written down a second time.
fn address_of(key: &Value) -> Address {
    let bytes = BASE64_STANDARD.decode(key["key"].as_str().expect("a key")).expect("the key is base64");
    let point = PublicKey::from_sec1_bytes(&bytes).expect("the key lies on the curve");
    let hash: Vec<u8> = match key["@type"].as_str() {
        Some("/cosmos.crypto.secp256k1.PubKey") => Ripemd160::digest(Sha256::digest(&bytes)).to_vec(),
        Some("/initia.crypto.v1beta1.ethsecp256k1.PubKey") => {
            keccak256(&point.to_sec1_point(false).as_bytes()[1..])[12..].to_vec()
        }
        other => panic!("no such key: {other:?}"),
    };
    Address::Short(hash.try_into().expect("20 bytes"))
}

#[test]
fn every_signer_has_the_key_that_gives_its_address() {
    for (vm, history) in HISTORIES.iter() {
        let (mut accounts, mut kinds) = (BTreeSet::new(), BTreeSet::new());
        for tx in txs(history) {
            let key = &body(tx)["auth_info"]["signer_infos"][0]["public_key"];
            assert_eq!(Some(address_of(key)), tx.signer, "{vm} {}", tx.hash);
            kinds.insert(key["@type"].to_string());
            accounts.extend(tx.signer);
            let signed = tx.events.iter().flat_map(|event| values(event, "acc_seq")).next();
            assert!(
                signed.is_none_or(|signed| tx.signer.is_some_and(|signer| signed.starts_with(&signer.bech32()))),
                "{vm} {}",
                tx.hash
            );
        }
        assert_eq!(kinds.len(), 2, "people and programs on {vm}");
        assert!(accounts.len() > 100, "only {} accounts signed on {vm}", accounts.len());
        assert_eq!(facts(*vm, 7).wallet, facts(Vm::Evm, 7).wallet, "one wallet on all rollups");
    }
}

#[test]
fn an_evm_that_runs_out_of_gas_has_used_all_that_was_asked_for() {
    let (_, history) = &HISTORIES[0];
    let (mut ended, mut others) = (0, 0);
    for tx in txs(history).filter(|tx| tx.codespace == "evm") {
        if tx.raw_log.contains("out of gas") || tx.raw_log.contains("invalid opcode") {
            assert_eq!(tx.gas_used, tx.gas_wanted, "{} {}", tx.hash, tx.raw_log);
            ended += 1;
        } else {
            assert!(tx.gas_used < tx.gas_wanted, "{} {}", tx.hash, tx.raw_log);
            others += 1;
        }
    }
    assert!(ended > 5 && others > 5, "{ended} ran out, {others} did not");
    for (vm, history) in HISTORIES.iter() {
        let beyond: Vec<_> = txs(history).filter(|tx| tx.codespace == "sdk" && tx.code == 11).collect();
        assert!(beyond.len() > 1, "none reached its limit on {vm}");
        assert!(beyond.iter().all(|tx| tx.gas_used > tx.gas_wanted), "{vm}");
    }
}

#[test]
fn every_nft_of_the_first_day_is_minted_in_the_first_block() {
    for (vm, history) in HISTORIES.iter() {
        let first = &history[0];
        assert!(first.txs.len() < 100, "{} transactions on {vm}", first.txs.len());
        let mints: usize = first.txs.iter().map(|tx| mints(*vm, tx)).sum();
        assert!(mints >= 1_500, "{mints} on {vm}");
    }
}

/// NFTs that a transaction's events say are new.
fn mints(vm: Vm, tx: &CommittedTx) -> usize {
    let zero = format!("\"0x{}\"", "0".repeat(64));
    let of_event = |event: &TxEvent| match vm {
        Vm::Evm => {
            values(event, "log").iter().filter(|log| log.contains(&zero) && log.contains("\"data\":\"0x\"")).count()
        }
        Vm::Move => usize::from(values(event, "type_tag") == ["0x1::collection::MintEvent"]),
        Vm::Wasm => usize::from(event.kind == "wasm" && values(event, "action") == ["mint"]),
    };
    tx.events.iter().map(of_event).sum()
}

#[test]
fn people_write_memos_in_all_scripts_and_nobody_writes_for_the_wallet() {
    for (vm, history) in HISTORIES.iter() {
        let wallet = facts(*vm, 7).wallet;
        let mut memos = BTreeSet::new();
        for tx in txs(history) {
            let memo = body(tx)["body"]["memo"].as_str().expect("a memo is text").to_owned();
            let is_of_machine = memo.is_empty() || memo.starts_with("{\"type\":");
            assert!(is_of_machine || tx.signer != Some(wallet), "{vm} {}", tx.hash);
            if !is_of_machine {
                memos.insert(memo);
            }
        }
        let has = |fits: fn(&char) -> bool| memos.iter().any(|memo| memo.chars().any(|letter| fits(&letter)));
        assert!(has(|letter| matches!(letter, '<' | '&')), "signs of HTML on {vm}: {memos:?}");
        assert!(has(|letter| letter.len_utf8() == 4), "emoji on {vm}: {memos:?}");
        assert!(has(|letter| letter.len_utf8() == 3), "three bytes to a letter on {vm}: {memos:?}");
    }
}

#[test]
fn deposits_whose_hook_fails_stay_or_are_taken_back() {
    for (vm, history) in HISTORIES.iter() {
        let (mut kept, mut taken) = (0, 0);
        for tx in txs(history) {
            let failed =
                |event: &TxEvent| values(event, "reason").iter().any(|reason| reason.starts_with("hook failed"));
            if !tx.events.iter().any(failed) {
                continue;
            }
            let last = tx.events.last().expect("it has events");
            if last.kind == "finalize_token_deposit" {
                kept += 1;
                assert!(!tx.events.iter().any(|event| event.kind == "burn"), "{vm} {}", tx.hash);
                continue;
            }
            taken += 1;
            assert_eq!(last.kind, "initiate_token_withdrawal", "{vm} {}", tx.hash);
            let amount = |kind: &str| -> Vec<&str> {
                tx.events.iter().filter(|event| event.kind == kind).flat_map(|event| values(event, "amount")).collect()
            };
            assert_eq!(amount("burn"), amount("coinbase"), "all that was made is burned: {vm} {}", tx.hash);
            assert_eq!(amount("initiate_token_withdrawal"), amount("finalize_token_deposit"), "{vm} {}", tx.hash);
        }
        assert!(kept > 0 && taken > 0, "{kept} stayed and {taken} went back on {vm}");
    }
}

#[test]
fn newer_move_nodes_repeat_the_fields_of_events() {
    let (_, history) = &HISTORIES[1];
    let (mut older, mut newer) = (0, 0);
    for block in history {
        for event in block.txs.iter().flat_map(|tx| &tx.events).filter(|event| event.kind == "move") {
            let data: serde_json::Map<String, Value> =
                serde_json::from_str(values(event, "data")[0]).expect("an object");
            let told = event.pairs().skip(2).filter(|(name, _)| !name.ends_with("msg_index"));
            let told: Vec<(String, String)> = told.map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
            if told.is_empty() {
                older += 1;
                assert_eq!(newer, 0, "one upgrade");
                continue;
            }
            newer += 1;
            let text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
            let mut fields: Vec<_> = data.iter().map(|(name, value)| (name.clone(), text(value))).collect();
            fields.sort();
            assert_eq!(told, fields);
        }
    }
    assert!(older > 1_000 && newer > 1_000, "{older} before and {newer} after the upgrade");
}

#[test]
fn frames_of_contracts_that_were_not_made_lead_nowhere() {
    let mut ledger = Ledger::genesis(options(7)).expect("the EVM flavour exists");
    (0..900).for_each(|_| _ = ledger.advance());
    let (mut made, mut failed) = (0, 0);
    for block in blocks(&ledger) {
        let receipts = ledger.receipts(&block).expect("the EVM has receipts").receipts;
        for trace in ledger.traces(block.height).expect("and frames").traces {
            let outer = &trace.frames[0];
            let receipt = &receipts[usize::try_from(trace.receipt).expect("a small number")];
            if receipt.to.is_some() || !outer.kind.as_str().starts_with("CREATE") {
                assert!(outer.to.is_some());
            } else if receipt.is_success {
                assert_eq!(outer.to, receipt.created);
                made += 1;
            } else {
                assert_eq!(outer.to, None);
                failed += 1;
            }
        }
    }
    assert!(made > 2 && failed > 1, "{made} were made and {failed} were not");
}
