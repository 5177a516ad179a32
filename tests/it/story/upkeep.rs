//! Of a recorded chain's calls and logs only those that move the fee are told apart, and all of those.

use std::{collections::BTreeMap, sync::Arc};

use rollscope::{
    domain::{TxHash, Vm},
    story::{ContractLog, FeePlaces, FeeUpkeep, Glossary, Story, decode, pair},
    wire::{EvmTx, InternalTx, Tx},
};
use serde_json::{Value, json};

use crate::harness::recording::{RecordedBlock, Recording};

/// Where every fee goes, as an argument of a call.
const COLLECTOR: &str = "000000000000000000000000f1829676db577682e944fc3493d451b67ff3e29f";
const DECIMALS: &str = "0x313ce567";
const SUDO_TRANSFER: &str = "0x1988513b";

/// A transaction with its receipt and its calls, depth first.
struct Traced {
    tx: Arc<Tx>,
    receipt: Arc<EvmTx>,
    frames: Vec<Arc<InternalTx>>,
}

fn push_frames(frames: &mut Vec<Arc<InternalTx>>, call: &Value, parent: i64, receipt: &EvmTx) {
    let index = i64::try_from(frames.len()).expect("few calls");
    let text = |name: &str| call[name].as_str().unwrap_or("0x").to_owned();
    let frame = json!({
        "height": receipt.height(), "hash": receipt.transaction_hash, "parent_index": parent, "index": index,
        "type": text("type"), "from": text("from"), "to": call["to"].as_str().unwrap_or_default(),
        "input": text("input"), "output": text("output"), "error": call["error"],
    });
    frames.push(Arc::new(serde_json::from_value(frame).expect("a call")));
    for inner in call["calls"].as_array().into_iter().flatten() {
        push_frames(frames, inner, index, receipt);
    }
}

fn traced(block: &RecordedBlock, known: &BTreeMap<TxHash, Arc<Tx>>) -> Vec<Traced> {
    let parse = |raw: &Option<Box<serde_json::value::RawValue>>| -> Value {
        raw.as_ref().map_or(Value::Null, |raw| serde_json::from_str(raw.get()).expect("JSON"))
    };
    let mut receipts = parse(&block.receipts);
    // The indexer writes a missing callee as an empty text.
    for receipt in receipts.as_array_mut().into_iter().flatten().filter(|receipt| receipt["to"].is_null()) {
        receipt["to"] = "".into();
    }
    let receipts: Vec<EvmTx> = serde_json::from_value(receipts).unwrap_or_default();
    let receipts: Vec<Arc<EvmTx>> = receipts.into_iter().map(Arc::new).collect();
    let txs = block.hashes().into_iter().filter_map(|hash| known.get(&hash.parse().expect("a hash")).cloned());
    let txs: Vec<Arc<Tx>> = txs.collect();
    let traces = parse(&block.traces);
    let pairs = pair(&txs, &receipts);
    let of = |(receipt, place): (&Arc<EvmTx>, Option<usize>)| {
        let hash = receipt.transaction_hash.to_string();
        let trace = traces.as_array()?.iter().find(|trace| trace["txHash"] == hash.as_str())?;
        let mut frames = Vec::new();
        push_frames(&mut frames, &trace["result"], -1, receipt);
        Some(Traced { tx: Arc::clone(txs.get(place?)?), receipt: Arc::clone(receipt), frames })
    };
    let places = pairs.into_iter().map(|pair| pair.map(|(place, _)| place));
    receipts.iter().zip(places).filter_map(of).collect()
}

fn recorded() -> Vec<Traced> {
    let recording = Recording::fixture("minievm-1.1", Vm::Evm);
    let txs = recording.indexer.iter().filter_map(|record| {
        let tx: Tx = serde_json::from_value(record.answer.get("tx")?.clone()).ok()?;
        Some((tx.txhash, Arc::new(tx)))
    });
    let known: BTreeMap<TxHash, Arc<Tx>> = txs.collect();
    recording.blocks.iter().flat_map(|block| traced(block, &known)).collect()
}

/// Whether a call reads decimals, or moves a token from or to the account of the fees.
fn is_upkeep(frame: &InternalTx) -> bool {
    let (input, from) = (&frame.input.0, frame.from.trim_start_matches("0x").trim_start_matches('0'));
    from.is_empty() && input == DECIMALS || from == "1" && input.starts_with(SUDO_TRANSFER) && input.contains(COLLECTOR)
}

fn folded(places: &FeePlaces) -> Vec<usize> {
    places.taken.clone().chain(places.returned.clone()).collect()
}

#[test]
fn nothing_that_was_asked_for_counts_as_the_fee() {
    let all = recorded();
    let (mut taken, mut returned, mut asked, mut priced) = (0, 0, 0, 0);
    for Traced { tx, receipt, frames } in &all {
        let upkeep = FeeUpkeep::of(&decode(tx));
        let places = upkeep.calls(frames);
        let direct = |place: &usize| frames[*place].parent_index == 0;
        assert!(folded(&places).iter().filter(|place| direct(place)).all(|place| is_upkeep(&frames[*place])), "{tx:?}");
        let payments = |range: &std::ops::Range<usize>| {
            frames[range.clone()].iter().filter(|frame| frame.input.0.starts_with(SUDO_TRANSFER)).count()
        };
        assert!(payments(&places.taken) <= 1 && payments(&places.returned) <= 1, "{tx:?}");
        taken += payments(&places.taken);
        returned += payments(&places.returned);
        // Each call of a message is among the calls that stay.
        for message in &decode(tx).messages {
            let (Some(to), Some(input)) = (message.fields.get("contract_addr"), message.fields.get("input")) else {
                continue;
            };
            let (to, input) = (to.as_str().expect("text").to_lowercase(), input.as_str().expect("text"));
            let is_it = |frame: &Arc<InternalTx>| frame.to.to_lowercase() == to && frame.input.0 == input;
            let stays = &frames[places.asked(frames.len())];
            assert_eq!(stays.iter().any(is_it), frames.iter().any(is_it), "{tx:?}");
            asked += usize::from(stays.iter().any(is_it));
        }
        if payments(&places.returned) > 0 {
            // The receipt's price is in the denom of the fee: what came back is the refunded gas at that price.
            let fee = Story::of(tx, &Glossary::default()).changes.fee;
            let price = receipt.effective_gas_price.quantity().expect("a price").get();
            let offered = fee.declared[0].amount.get();
            let back = offered - fee.net_paid.first().map(|coin| coin.amount.get()).unwrap_or_default();
            assert_eq!(price * alloy_primitives::U256::from(fee.refunded_gas), back, "{tx:?}");
            priced += 1;
        }
        let logs: Vec<ContractLog> = receipt.logs().iter().map(ContractLog::of_receipt).collect();
        let of_logs = upkeep.logs(&logs);
        for place in folded(&of_logs) {
            assert!(logs[place].topics[1..].iter().any(|topic| topic.contains(COLLECTOR)), "{tx:?}");
        }
        // The receipt of a failure has no logs.
        let paid = if logs.is_empty() { 0 } else { payments(&places.taken) + payments(&places.returned) };
        assert_eq!(of_logs.taken.len() + of_logs.returned.len(), paid, "{tx:?}");
    }
    let counts = format!("{taken} taken, {returned} returned, {asked} asked, {priced} priced");
    assert!(taken > 580 && returned > 60 && asked > 60 && priced > 60, "{counts}");
}

#[test]
fn a_payment_of_another_amount_or_another_caller_is_not_the_fee() {
    let all = recorded();
    let paid = |traced: &&Traced| {
        let places = FeeUpkeep::of(&decode(&traced.tx)).calls(&traced.frames);
        !places.taken.is_empty() && !places.returned.is_empty()
    };
    let Traced { tx, frames, .. } = all.iter().find(paid).expect("a fee with a rest");
    let upkeep = FeeUpkeep::of(&decode(tx));
    let changed = |change: &dyn Fn(&mut InternalTx)| {
        let mut frames = frames.clone();
        frames.iter_mut().map(Arc::make_mut).for_each(change);
        upkeep.calls(&frames)
    };
    let is_payment = |frame: &InternalTx| frame.input.0.starts_with(SUDO_TRANSFER);
    let other_amount = changed(&|frame| {
        if is_payment(frame) {
            frame.input.0.replace_range(frame.input.0.len() - 6.., "abcdef");
        }
    });
    assert_eq!(other_amount, FeePlaces::default());
    let other_caller = changed(&|frame| {
        if is_payment(frame) {
            "0x0000000000000000000000000000000000000002".clone_into(&mut frame.from);
        }
    });
    assert_eq!(other_caller, FeePlaces::default());
    let of_a_user = changed(&|frame| {
        if frame.parent_index < 0 {
            "0x1111111111111111111111111111111111111111".clone_into(&mut frame.from);
        }
    });
    assert_eq!(of_a_user, FeePlaces::default());
}
