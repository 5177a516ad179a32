//! The simulated transactions as bytes: what a node's `/block` has, and what their hashes are of.

use std::collections::BTreeMap;

use rollscope::{
    demo::ledger::{CommittedTx, Ledger, LedgerOptions},
    domain::{MsgType, Vm},
    wire::proto::{decode_tx, encode_tx, first_signer, tx_hash},
};
use rstest::rstest;
use serde_json::Value;

use super::{blocks, options};

/// Blocks that are looked at: in fewer not everything happens.
const BLOCKS: u64 = 700;

/// What is wrong with a transaction's bytes.
fn fault(tx: &CommittedTx) -> Option<String> {
    let raw = match encode_tx(&tx.body) {
        Ok(raw) => raw,
        Err(error) => return Some(error.to_string()),
    };
    if tx_hash(&raw) != tx.hash {
        return Some("its hash is another".to_owned());
    }
    let text = match decode_tx(&raw) {
        Ok(text) => text,
        Err(error) => return Some(error.to_string()),
    };
    let read: Value = serde_json::from_str(&text).ok()?;
    let served: Value = serde_json::from_str(&tx.body).ok()?;
    // As texts, so that the order of fields counts.
    let (read_text, served_text) = (read.to_string(), served.to_string());
    if read_text != served_text {
        let at = read_text.bytes().zip(served_text.bytes()).take_while(|(read, served)| read == served).count();
        let part = |text: &str| text.chars().skip(at.saturating_sub(60)).take(160).collect::<String>();
        return Some(format!("served {}\n  read {}", part(&served_text), part(&read_text)));
    }
    let signer = first_signer(&read);
    let has_key = !read["auth_info"]["signer_infos"][0]["public_key"].is_null();
    (signer != tx.signer.filter(|_| has_key)).then(|| format!("signed by {signer:?}, not by {:?}", tx.signer))
}

#[rstest]
fn every_transaction_is_what_its_bytes_say(#[values(Vm::Evm, Vm::Move, Vm::Wasm)] vm: Vm) {
    let mut ledger = Ledger::genesis(LedgerOptions { vm, ..options(7) }).expect("every virtual machine has a flavour");
    for _ in 0..BLOCKS {
        ledger.advance();
    }
    let (mut faults, mut types) = (BTreeMap::new(), BTreeMap::new());
    for tx in blocks(&ledger).flat_map(|block| block.txs) {
        let kinds = tx.message_types.iter().map(MsgType::as_str).collect::<Vec<_>>().join(" ");
        if let Some(fault) = fault(&tx) {
            faults.entry(kinds.clone()).or_insert(fault);
        }
        *types.entry(kinds).or_insert(0) += 1;
    }
    let told: Vec<String> = faults.iter().map(|(kinds, fault)| format!("{kinds}:\n  {fault}")).collect();
    assert!(told.is_empty(), "{}", told.join("\n"));
    assert!(types.len() > 20, "{types:?}");
}
