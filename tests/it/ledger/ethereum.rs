//! Receipts and call frames, held against the Cosmos side of the same blocks.

use std::collections::{BTreeMap, BTreeSet};

use alloy_primitives::{U256, hex, keccak256};
use rollscope::{
    demo::ledger::{CommittedBlock, CommittedTx, EvmFrame, EvmReceipt, EvmReceipts, EvmTraces, FrameKind, Ledger},
    domain::{Address, Height},
};
use serde_json::Value;

use super::{BLOCKS, LazyLock, blocks, ledger};

/// A block with both sides.
type Side = (CommittedBlock, EvmReceipts, EvmTraces);

fn sides(ledger: &Ledger) -> impl Iterator<Item = Side> + '_ {
    blocks(ledger).map(|block| {
        let receipts = ledger.receipts(&block).expect("the EVM flavour gives receipts");
        let traces = ledger.traces(block.height).expect("the EVM flavour is traced");
        (block, receipts, traces)
    })
}

static HISTORY: LazyLock<Vec<Side>> = LazyLock::new(|| sides(&ledger(7, BLOCKS)).collect());

fn body(tx: &CommittedTx) -> Value {
    serde_json::from_str(&tx.body).expect("a body is JSON")
}

fn is_ethereum_signed(body: &Value) -> bool {
    body["auth_info"]["signer_infos"][0]["mode_info"]["single"]["mode"] == 9999
}

/// The logs of all `evm` events, in order, as address, topics and data in lower case.
fn event_logs(tx: &CommittedTx) -> Vec<String> {
    let events = tx.events.iter().filter(|event| event.kind == "evm").flat_map(|event| event.values("log"));
    let texts = events.map(str::to_lowercase);
    texts.map(|text| serde_json::from_str::<Value>(&text).expect("a log is JSON").to_string()).collect()
}

fn receipt_logs(receipt: &EvmReceipt) -> Vec<String> {
    let log = |log: &rollscope::demo::ledger::ReceiptLog| {
        let topics: Vec<String> = log.topics.iter().map(hex::encode_prefixed).collect();
        let (address, data) = (hex::encode_prefixed(log.address), hex::encode_prefixed(&log.data));
        serde_json::json!({"address": address, "topics": topics, "data": data}).to_string()
    };
    receipt.logs.iter().map(log).collect()
}

/// The transactions that have receipts, by the rule alone: signed by an Ethereum wallet, or done and with logs.
fn with_receipt(block: &CommittedBlock) -> Vec<(&CommittedTx, bool)> {
    let txs = block.txs.iter().map(|tx| (tx, is_ethereum_signed(&body(tx))));
    txs.filter(|(tx, signed)| *signed || (tx.code == 0 && !event_logs(tx).is_empty())).collect()
}

fn bytes(text: &str) -> Vec<u8> {
    hex::decode(text).expect("hex")
}

#[test]
fn receipts_repeat_the_cosmos_side_in_order() {
    let (mut next, mut hashes, mut signed_count, mut failed) = (1, BTreeSet::new(), 0, 0);
    for (block, receipts, _) in HISTORY.iter() {
        assert_eq!(receipts.first_sequence, Some(next), "block {}", block.height);
        next += receipts.receipts.len() as u64;
        let txs = with_receipt(block);
        let told: Vec<_> = txs.iter().map(|(tx, _)| &tx.message_types).collect();
        assert_eq!(txs.len(), receipts.receipts.len(), "receipts of block {}: {told:?}", block.height);
        assert!(hashes.insert(receipts.block_hash), "the hash of block {}", block.height);
        for ((tx, signed), receipt) in txs.into_iter().zip(&receipts.receipts) {
            let what = format!("{} in block {}", tx.hash, block.height);
            assert!(hashes.insert(receipt.hash), "the hash of {what}");
            assert_eq!(receipt.is_success, tx.code == 0, "{what}");
            assert_eq!(receipt.gas_used, tx.gas_used, "{what}");
            let logs = if receipt.is_success { event_logs(tx) } else { Vec::new() };
            assert_eq!(receipt_logs(receipt), logs, "the logs of {what}");
            if signed {
                check_signed(tx, receipt, &what);
                signed_count += 1;
                failed += u32::from(!receipt.is_success);
            } else {
                check_mirrored(tx, receipt, &what);
            }
        }
    }
    assert!(signed_count > 1_000 && failed > 20, "{signed_count} were signed by wallets, {failed} failed");
    assert!(next - 1 > signed_count * 3 / 2, "{next} receipts");
}

fn check_signed(tx: &CommittedTx, receipt: &EvmReceipt, what: &str) {
    let body = body(tx);
    let message = &body["body"]["messages"][0];
    assert_eq!((receipt.kind, receipt.gas_price), (2, 5_000_000_000), "{what}");
    assert_eq!(Some(Address::Short(receipt.from)), tx.signer, "{what}");
    let to = message["contract_addr"].as_str().map(bytes);
    assert_eq!(receipt.to.map(|to| to.to_vec()), to, "{what}");
    let event = tx.events.iter().find(|event| event.kind == "create");
    let created = event.and_then(|event| event.value("contract"));
    assert_eq!(receipt.created.map(|made| made.to_vec()), created.map(bytes), "{what}");
    assert!(receipt.to.is_some() != message["code"].is_string(), "{what}");
}

/// The hash is that of an unsigned Ethereum transaction that says nothing but the Cosmos hash.
fn check_mirrored(tx: &CommittedTx, receipt: &EvmReceipt, what: &str) {
    assert_eq!((receipt.kind, receipt.gas_price, receipt.to, receipt.created), (0, 0, None, None), "{what}");
    assert_eq!(receipt.from, [0; 20], "{what}");
    let text = [hex!("e98080808080a0").as_slice(), tx.hash.bytes(), &[0x80; 3]].concat();
    assert_eq!(receipt.hash, keccak256(text).0, "{what}");
}

#[test]
fn frames_are_trees_in_order_whose_gas_adds_up() {
    let (mut next, mut kinds) = (1, BTreeMap::new());
    for (block, _, traces) in HISTORY.iter() {
        assert_eq!(traces.first_sequence, Some(next), "block {}", block.height);
        next += traces.traces.iter().map(|trace| trace.frames.len() as u64).sum::<u64>();
        for trace in &traces.traces {
            check_tree(&trace.frames, &format!("receipt {} in block {}", trace.receipt, block.height));
            for frame in &trace.frames {
                *kinds.entry(frame.kind.as_str()).or_insert(0) += 1;
            }
        }
    }
    for kind in ["CALL", "STATICCALL", "DELEGATECALL", "CREATE"] {
        assert!(kinds.get(kind).is_some_and(|count| *count > 5), "{kind} in {kinds:?}");
    }
}

fn check_tree(frames: &[EvmFrame], what: &str) {
    let mut open: Vec<u32> = Vec::new();
    let mut spent: BTreeMap<u32, u64> = BTreeMap::new();
    for (index, frame) in (0..).zip(frames) {
        match frame.parent {
            None => assert_eq!(index, 0, "only the outer call of {what} has no caller"),
            Some(parent) => {
                while open.last().is_some_and(|last| *last != parent) {
                    open.pop();
                }
                assert_eq!(open.last(), Some(&parent), "frame {index} of {what} comes after its caller's others");
                let caller = &frames[parent as usize];
                assert!(frame.gas_used > 0 && frame.gas_used <= frame.gas, "gas of frame {index} of {what}");
                assert!(frame.gas < caller.gas.max(caller.gas_used), "gas of frame {index} of {what}");
                *spent.entry(parent).or_default() += frame.gas_used;
                // Code behind a proxy calls in the proxy's name.
                let name = if caller.kind == FrameKind::DelegateCall { Some(caller.from) } else { caller.to };
                let chain = frame.from[..19] == [0; 19] && frame.from[19] == 1;
                assert!(chain || Some(frame.from) == name, "the caller of frame {index} of {what}");
            }
        }
        let has_value = matches!(frame.kind, FrameKind::Call | FrameKind::Create);
        assert_eq!(frame.value.is_some(), has_value, "the value of frame {index} of {what}");
        open.push(index);
    }
    for (index, gas) in spent {
        assert!(gas < frames[index as usize].gas_used, "what frame {index} of {what} called used {gas}");
    }
}

#[test]
fn frames_tell_what_the_transaction_asked_for_and_what_its_logs_say() {
    let (mut untraced, mut traced) = (0, 0);
    for (block, receipts, traces) in HISTORY.iter() {
        let txs = with_receipt(block);
        let by_place: BTreeMap<u64, &[EvmFrame]> =
            traces.traces.iter().map(|trace| (trace.receipt, trace.frames.as_slice())).collect();
        assert!(by_place.keys().all(|place| *place < txs.len() as u64), "block {}", block.height);
        for (place, ((tx, signed), receipt)) in (0..).zip(txs.into_iter().zip(&receipts.receipts)) {
            let what = format!("{} in block {}", tx.hash, block.height);
            let Some(frames) = by_place.get(&place) else {
                assert!(!signed || tx.raw_log.contains("intrinsic gas too low"), "{what} has no frames");
                untraced += u32::from(signed);
                continue;
            };
            assert!(signed, "{what} has no call of its own");
            traced += 1;
            check_outer(tx, receipt, &frames[0], &what);
            check_logs(receipt, frames, &what);
        }
    }
    assert!(traced > 1_000 && untraced > 0, "{traced} and {untraced}");
}

fn check_outer(tx: &CommittedTx, receipt: &EvmReceipt, outer: &EvmFrame, what: &str) {
    let body = body(tx);
    let message = &body["body"]["messages"][0];
    let input = message["input"].as_str().or_else(|| message["code"].as_str()).expect("an input");
    assert_eq!(outer.input, bytes(input), "{what}");
    assert_eq!(outer.value.map(|value| value.to_string()).as_deref(), message["value"].as_str(), "{what}");
    assert_eq!((outer.from, outer.gas, outer.gas_used), (receipt.from, tx.gas_wanted, tx.gas_used), "{what}");
    if let Some(contract) = receipt.to.or(receipt.created) {
        assert_eq!(outer.to, Some(contract), "{what}");
    }
}

/// Every ERC-20 movement of the message was asked for by a frame that called the token with that amount, and every
/// contract that left a log was called.
fn check_logs(receipt: &EvmReceipt, frames: &[EvmFrame], what: &str) {
    let count = receipt.logs.len();
    // The first log is the fee's, the last the refund's: the chain moves those itself.
    for log in receipt.logs.iter().skip(1).take(count.saturating_sub(2)) {
        let called = |frame: &&EvmFrame| frame.to == Some(log.address);
        assert!(frames.iter().any(|frame| called(&frame)), "{what}: 0x{} was called", hex::encode(log.address));
        let is_movement = log.topics.len() == 3 && log.data.len() == 32;
        let moved = frames.iter().filter(called).any(|frame| frame.input.windows(32).any(|word| word == log.data));
        let paid = frames.iter().any(|frame| {
            frame.value.is_some_and(|value| U256::from(value) == U256::try_from_be_slice(&log.data).unwrap_or_default())
        });
        if is_movement && log.topics[0] == keccak256("Transfer(address,address,uint256)").0 {
            assert!(moved || paid, "{what}: no frame moves {}", hex::encode(&log.data));
        }
    }
}

#[test]
fn refusals_inside_say_what_the_raw_log_says() {
    let mut reasons: BTreeMap<&str, u32> = BTreeMap::new();
    for (block, receipts, traces) in HISTORY.iter() {
        let txs = with_receipt(block);
        for trace in &traces.traces {
            let place = usize::try_from(trace.receipt).expect("small");
            let (tx, receipt) = (txs[place].0, &receipts.receipts[place]);
            for frame in trace.frames.iter().skip(1) {
                let Some((selector, words)) = frame.output.split_at_checked(4) else { continue };
                let last = |words: &[u8]| U256::from_be_slice(&words[words.len() - 32..]);
                let (kind, reason) = match selector {
                    [0x08, 0xc3, 0x79, 0xa0] => {
                        let length = usize::try_from(U256::from_be_slice(&words[32..64])).expect("short");
                        ("Error", String::from_utf8(words[64..64 + length].to_vec()).expect("text"))
                    }
                    [0x4e, 0x48, 0x7b, 0x71] if last(words) == U256::from(0x11) => ("Panic", "underflow".to_owned()),
                    [0x4e, 0x48, 0x7b, 0x71] if last(words) == U256::from(0x12) => ("Panic", "division".to_owned()),
                    [0x4e, 0x48, 0x7b, 0x71] => ("Panic", "out-of-bounds".to_owned()),
                    _ => continue,
                };
                assert!(!receipt.is_success && tx.raw_log.contains(&reason), "{reason}: {}", tx.raw_log);
                *reasons.entry(kind).or_default() += 1;
            }
        }
    }
    assert!(reasons.contains_key("Error") && reasons.contains_key("Panic"), "{reasons:?}");
}

#[test]
fn the_same_seed_gives_the_same_receipts_and_traces_in_any_order() {
    let first: Vec<String> = sides(&ledger(7, 120)).map(|side| format!("{side:?}")).collect();
    let mut longer = ledger(7, 150);
    let again: Vec<String> = sides(&longer).take(120).map(|side| format!("{side:?}")).collect();
    assert_eq!(first, again);
    assert_ne!(first, sides(&ledger(8, 120)).map(|side| format!("{side:?}")).collect::<Vec<_>>());
    let at = |height| Height::new(height).expect("above zero");
    let block = longer.block(at(50)).expect("made");
    longer.prune_below(at(60));
    assert_eq!((longer.receipts(&block), longer.traces(at(50))), (None, None));
    assert_eq!(longer.traces(at(151)), None);
    assert_eq!(longer.traces(at(60)).map(|traces| format!("{traces:?}")), {
        sides(&ledger(7, 60)).last().map(|(_, _, traces)| format!("{traces:?}"))
    });
}
