//! What two records have in common: nothing is missed, nothing is made up, and the sides may change places.

use proptest::prelude::*;
use rollscope::story::{
    DecodedEvent, EventPhase, decode,
    diff::{Differ, Difference, Pair, PathStep, ValueDiff, ValuePath},
};
use serde_json::{Map, Value, json};

fn values(left: &Value, right: &Value) -> ValueDiff {
    Differ::default().values(left, right)
}

fn written(diff: &ValueDiff) -> Vec<String> {
    let side = |side: &Option<(ValuePath, Value)>| match side {
        Some((path, value)) => format!("{path} {value}"),
        None => "nothing".to_owned(),
    };
    diff.differences.iter().map(|one| format!("{} | {}", side(&one.left), side(&one.right))).collect()
}

#[test]
fn fields_are_compared_by_their_paths() {
    let left = json!({"from": "a", "amount": [{"denom": "uinit", "amount": "5"}], "ids": ["1", "2"], "gone": 1});
    let right =
        json!({"amount": [{"denom": "uinit", "amount": "7"}], "from": "a", "ids": ["0", "1", "2"], "new": null});
    let expected = [
        r#"amount[0] {"denom":"uinit","amount":"5"} | amount[0] {"denom":"uinit","amount":"7"}"#,
        r#"nothing | ids[0] "0""#,
        "gone 1 | nothing",
        "nothing | new null",
    ];
    assert_eq!(written(&values(&left, &right)), expected);
}

#[test]
fn what_a_text_holds_is_compared_too() {
    let left = json!({"memo": r#"{"evm":{"input":"0x01","data":"eyJhIjp7ImIiOjF9fQ=="}}"#});
    let right = json!({"memo": r#"{"evm":{"data":"eyJhIjp7ImIiOjJ9fQ==","input":"0x01"}}"#});
    assert_eq!(written(&values(&left, &right)), ["memo › evm.data › a.b 1 | memo › evm.data › a.b 2"]);
    let spaced = json!({"memo": r#"{"evm": {"input":"0x01","data":"eyJhIjp7ImIiOjF9fQ=="}}"#});
    let written = written(&values(&left, &spaced));
    assert_eq!(written.len(), 1, "the same content, written otherwise, is still not the same: {written:?}");
    assert!(written[0].starts_with("memo \""), "{written:?}");
}

/// The difference of the sides in changed places, in an order that does not depend on the sides.
fn mirrored(diff: &ValueDiff) -> Vec<String> {
    let swap = |one: &Difference| Difference { left: one.right.clone(), right: one.left.clone() };
    let swapped = ValueDiff { differences: diff.differences.iter().map(swap).collect(), equal: Vec::new() };
    sorted(&swapped)
}

fn sorted(diff: &ValueDiff) -> Vec<String> {
    let mut written = written(diff);
    written.sort();
    written
}

fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        (0..4_u8).prop_map(Value::from),
        "[a-c]{0,2}".prop_map(Value::from),
        Just(json!({"denom": "uinit", "amount": "5"})),
        Just(Value::from(r#"{"a":[1,2]}"#)),
        Just(Value::from("eyJhIjoxfQ==")),
    ];
    leaf.prop_recursive(4, 48, 6, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(Value::from),
            prop::collection::btree_map("[a-e]", inner, 0..5)
                .prop_map(|fields| Value::Object(fields.into_iter().collect::<Map<_, _>>())),
        ]
    })
}

/// Every leaf of a value with its path.
fn leaves(value: &Value, path: &ValuePath, out: &mut Vec<ValuePath>) {
    match value {
        Value::Object(fields) => fields.iter().for_each(|(name, value)| leaves(value, &path.key(name), out)),
        Value::Array(items) => {
            items.iter().enumerate().for_each(|(place, value)| leaves(value, &path.then(PathStep::Index(place)), out));
        }
        _ => out.push(path.clone()),
    }
}

fn at<'v>(value: &'v mut Value, path: &str) -> &'v mut Value {
    let pointer: String = path.replace(['.', '['], "/").replace(']', "");
    let pointer = if pointer.is_empty() || pointer.starts_with('/') { pointer } else { format!("/{pointer}") };
    value.pointer_mut(&pointer).expect("the path of a leaf")
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_value_does_not_differ_from_itself(value in any_json()) {
        let diff = values(&value, &value);
        prop_assert!(diff.differences.is_empty(), "{:?}", written(&diff));
    }

    #[test]
    fn values_that_differ_have_a_difference_and_its_mirror(left in any_json(), right in any_json()) {
        let diff = values(&left, &right);
        prop_assert_eq!(diff.differences.is_empty(), left == right);
        prop_assert_eq!(mirrored(&diff), sorted(&values(&right, &left)));
    }

    #[test]
    fn every_changed_leaf_is_found(value in any_json(), chosen in any::<prop::sample::Index>()) {
        let mut paths = Vec::new();
        leaves(&value, &ValuePath::default(), &mut paths);
        prop_assume!(!paths.is_empty());
        let path = chosen.get(&paths);
        let mut changed = value.clone();
        *at(&mut changed, &path.to_string()) = Value::from("changed");
        let diff = values(&value, &changed);
        let is_there = |found: &ValuePath| path.to_string().starts_with(&found.to_string());
        prop_assert!(diff.differences.iter().any(|one| is_there(&one.path())), "{path}: {:?}", written(&diff));
        prop_assert_eq!(diff.differences.len(), 1, "{:?}", written(&diff));
    }
}

/// The embedded rollup's transactions of a few blocks.
fn made() -> Vec<rollscope::wire::Tx> {
    let rollup = crate::harness::rollup_of(crate::harness::chain_of(60));
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    let client = rollscope::client::IndexerClient::new(&rollup.url(), rollscope::client::ClientOptions::default());
    let page = rollscope::msg::PageRequest::newest(100);
    let answer = runtime.block_on(client.expect("an address").list(&rollscope::msg::TxQuery::default(), &page));
    answer.expect("the rollup answers").items.iter().map(|tx| rollscope::wire::Tx::clone(tx)).collect()
}

#[test]
fn records_differ_in_what_was_changed_and_in_nothing_else() {
    let mut changed = 0;
    for tx in made() {
        let decoded = decode(&tx);
        let differ = Differ::default();
        for aligned in differ.messages(&decoded.messages, &decoded.messages) {
            assert!(matches!(aligned.pair, Pair::Both(i, j) if i == j), "{:?}", aligned.pair);
            assert!(aligned.diff.differences.is_empty());
        }
        let phases: Vec<EventPhase> = decoded.events.iter().map(|event| event.phase).collect();
        for phase in phases {
            for aligned in differ.events((&decoded, phase), (&decoded, phase)) {
                assert!(matches!(aligned.pair, Pair::Both(i, j) if i == j), "{:?}", aligned.pair);
                assert!(aligned.diff.differences.is_empty());
            }
        }
        // One event more at the front, one attribute changed, one event less at the end.
        let mut other = decoded.clone();
        let phase = other.events.first().map_or(EventPhase::Before, |event| event.phase);
        let (first, last) = (other.events.iter().filter(|event| event.phase == phase).count(), other.events.len());
        if first < 3 {
            continue;
        }
        other.events.remove(first - 1);
        other.events[1].attributes.push(("odd".to_owned(), "1".to_owned()));
        other.events.insert(0, DecodedEvent::new("new".to_owned(), Vec::new(), phase));
        assert_eq!(other.events.len(), last);
        let aligned = Differ::default().events((&decoded, phase), (&other, phase));
        let only_left: Vec<_> = aligned.iter().filter(|one| matches!(one.pair, Pair::Left(_))).collect();
        let only_right: Vec<_> = aligned.iter().filter(|one| matches!(one.pair, Pair::Right(_))).collect();
        assert_eq!((only_left.len(), only_right.len()), (1, 1), "{aligned:?}");
        assert_eq!(only_right[0].pair, Pair::Right(0));
        let within: Vec<String> = aligned.iter().flat_map(|one| written(&one.diff)).collect();
        assert_eq!(within, [r#"nothing | odd "1""#]);
        changed += 1;
    }
    assert!(changed > 20, "only {changed} records were long enough");
}
