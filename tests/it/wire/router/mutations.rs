//! Samples that somebody broke: whatever comes over the wire is read or refused, and nothing panics.

use proptest::{prelude::*, sample::Index};
use rollscope::wire::router::{
    AssetsResponse, ChainsResponse, HopSlot, MsgsResponse, OpHook, Refusal, Route, TrackResponse, TransferStatus,
};
use serde_json::{Value, json};

use super::samples::samples;

/// What is put where something else was.
fn values() -> impl Strategy<Value = Value> {
    prop_oneof![
        Just(json!(null)),
        Just(json!("")),
        Just(json!([])),
        Just(json!({})),
        Just(json!(-1)),
        Just(json!(4_294_967_295_u32)),
        Just(json!(1.5)),
        Just(json!(true)),
        Just(json!("\u{1b}[2J\u{202e}")),
        Just(json!([[{}, null]])),
        Just(json!({"transfer": {"op_init_transfer": {}}})),
        Just(serde_json::from_str("123456789012345678901234567890123456789e99").expect("it is a number")),
        "[0-9a-zA-Z_/-]{0,40}".prop_map(Value::String),
    ]
}

/// How many values there are in a tree, itself included.
fn count(value: &Value) -> usize {
    1 + match value {
        Value::Object(fields) => fields.values().map(count).sum(),
        Value::Array(items) => items.iter().map(count).sum(),
        _ => 0,
    }
}

/// Puts a value in the place with this number, counted from the root.
fn replace(tree: &mut Value, place: &mut usize, new: &Value) {
    if *place == 0 {
        *tree = new.clone();
    }
    *place = place.wrapping_sub(1);
    match tree {
        Value::Object(fields) => fields.values_mut().for_each(|inner| replace(inner, place, new)),
        Value::Array(items) => items.iter_mut().for_each(|inner| replace(inner, place, new)),
        _ => {}
    }
}

/// Reads a body as everything that it could be, and looks at what was read.
fn look(text: &str) {
    if let Ok(route) = serde_json::from_str::<Route>(text) {
        assert!(route.txs_count() >= 1);
        let _ = route.seconds();
        for operation in &route.operations {
            let _ = (operation.from_chain(), operation.to_chain(), operation.denom_in(), operation.denom_out());
        }
        assert!(serde_json::to_string(&route).is_ok());
    }
    if let Ok(status) = serde_json::from_str::<TransferStatus>(text) {
        for hop in &status.transfer_sequence {
            let _ = hop.tx(&HopSlot::SendTx);
        }
        assert!(serde_json::to_string(&status).is_ok());
    }
    if let Ok(msgs) = serde_json::from_str::<MsgsResponse>(text) {
        msgs.txs.iter().for_each(|tx| drop(tx.chain_id().cloned()));
        assert!(serde_json::to_string(&msgs).is_ok());
    }
    if let Ok(chains) = serde_json::from_str::<ChainsResponse>(text) {
        chains.chains.iter().for_each(|chain| drop((chain.kind(), chain.name().cloned())));
    }
    let _ = serde_json::from_str::<AssetsResponse>(text);
    let _ = serde_json::from_str::<OpHook>(text);
    let _ = serde_json::from_str::<TrackResponse>(text);
    let _ = Refusal::read(text.as_bytes());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]
    #[test]
    fn broken_samples_are_read_or_refused(
        changes in prop::collection::vec((any::<Index>(), values()), 1..4), cut in any::<Index>(),
    ) {
        for sample in samples() {
            let mut tree = sample.answer().clone();
            for (place, value) in &changes {
                let mut place = place.index(count(&tree));
                replace(&mut tree, &mut place, value);
            }
            let text = tree.to_string();
            look(&text);
            let end = cut.index(text.len() + 1);
            look(text.get(..end).unwrap_or_default());
        }
    }
}
