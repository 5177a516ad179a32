//! What two records have in common and where they differ: JSON values and events.

mod align;
mod path;

pub use align::Pair;
pub use path::{PathStep, ValuePath};

use serde_json::Value;

use self::align::{Budget, align};
use super::{Decoded, DecodedEvent, DecodedMessage, EventPhase, open_text, work::MOST_DEPTH};

/// How deep two values are compared; what lies deeper is compared as a whole.
const DEEPEST: usize = 48;

/// Where two values differ. Where only one of them has something, the other side is `None`.
#[derive(Clone, Debug, PartialEq)]
pub struct Difference {
    /// Where it is on the left, and what.
    pub left: Option<(ValuePath, Value)>,
    /// Where it is on the right, and what.
    pub right: Option<(ValuePath, Value)>,
}

impl Difference {
    /// Where it is: on the left, where it is there.
    pub fn path(&self) -> ValuePath {
        self.left.as_ref().or(self.right.as_ref()).map(|(path, _)| path.clone()).unwrap_or_default()
    }
}

/// What comparing two values gave.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ValueDiff {
    /// What differs, in the order of the records.
    pub differences: Vec<Difference>,
    /// What is equal: path on the left and value, leaf by leaf.
    pub equal: Vec<(ValuePath, Value)>,
}

/// One place in two lists of messages or events.
#[derive(Clone, Debug, PartialEq)]
pub struct Aligned {
    /// The places in the two records.
    pub pair: Pair,
    /// How they differ, where both have one.
    pub diff: ValueDiff,
}

/// How deep a value lies.
#[derive(Clone, Copy, Default)]
struct Depth {
    /// Values that it is within.
    values: usize,
    /// Texts that were opened to reach it.
    opened: usize,
}

/// Compares records; what it may cost is counted over all comparisons.
#[derive(Debug, Default)]
pub struct Differ {
    budget: Budget,
}

impl Differ {
    /// Compares two values. Coins are compared as a whole, texts that hold JSON by what they hold, lists by what they
    /// have in common. The same differences, mirrored, come out when the sides change places.
    pub fn values(&self, left: &Value, right: &Value) -> ValueDiff {
        let mut diff = ValueDiff::default();
        self.push_values(&mut diff, (&ValuePath::default(), left), (&ValuePath::default(), right), Depth::default());
        diff
    }

    /// Aligns the messages of two transactions by type, and compares their fields.
    pub fn messages(&self, left: &[DecodedMessage], right: &[DecodedMessage]) -> Vec<Aligned> {
        let text = |message: &DecodedMessage| (message.kind.clone(), canonical(&Value::Object(message.fields.clone())));
        let pairs = align(left, right, &self.budget, text, |message| message.kind.clone());
        let compare = |pair| match pair {
            Pair::Both(i, j) => match (left.get(i), right.get(j)) {
                (Some(one), Some(other)) => {
                    self.values(&Value::Object(one.fields.clone()), &Value::Object(other.fields.clone()))
                }
                _ => ValueDiff::default(),
            },
            Pair::Left(_) | Pair::Right(_) => ValueDiff::default(),
        };
        pairs.into_iter().map(|pair| Aligned { pair, diff: compare(pair) }).collect()
    }

    /// Aligns the events that two transactions emitted in one phase each by type, and compares their attributes. The
    /// places are those in [`Decoded::events`].
    pub fn events(&self, left: (&Decoded, EventPhase), right: (&Decoded, EventPhase)) -> Vec<Aligned> {
        let of = |(decoded, phase): (&Decoded, EventPhase)| -> Vec<(usize, DecodedEvent)> {
            let events = decoded.events.iter().enumerate().filter(|(_, event)| event.phase == phase);
            events.map(|(place, event)| (place, event.clone())).collect()
        };
        let (left, right) = (of(left), of(right));
        let whole = |(_, event): &(usize, DecodedEvent)| (event.kind.clone(), event.attributes.clone());
        let pairs = align(&left, &right, &self.budget, whole, |(_, event)| event.kind.clone());
        let place = |events: &[(usize, DecodedEvent)], index: usize| events.get(index).map_or(0, |(place, _)| *place);
        let compare = |pair| match pair {
            Pair::Both(i, j) => {
                let diff = match (left.get(i), right.get(j)) {
                    (Some((_, one)), Some((_, other))) => self.attributes(&one.attributes, &other.attributes),
                    _ => ValueDiff::default(),
                };
                Aligned { pair: Pair::Both(place(&left, i), place(&right, j)), diff }
            }
            Pair::Left(i) => Aligned { pair: Pair::Left(place(&left, i)), diff: ValueDiff::default() },
            Pair::Right(j) => Aligned { pair: Pair::Right(place(&right, j)), diff: ValueDiff::default() },
        };
        pairs.into_iter().map(compare).collect()
    }

    /// Attributes in order; keys may repeat.
    fn attributes(&self, left: &[(String, String)], right: &[(String, String)]) -> ValueDiff {
        let mut diff = ValueDiff::default();
        let value =
            |attribute: &(String, String)| (ValuePath::default().key(&attribute.0), Value::String(attribute.1.clone()));
        for pair in align(left, right, &self.budget, Clone::clone, |(key, _)| key.clone()) {
            let sides = match pair {
                Pair::Both(i, j) => (left.get(i), right.get(j)),
                Pair::Left(i) => (left.get(i), None),
                Pair::Right(j) => (None, right.get(j)),
            };
            match sides {
                (Some(one), Some(other)) => {
                    let ((path, one), (_, other)) = (value(one), value(other));
                    self.push_values(&mut diff, (&path, &one), (&path, &other), Depth { values: 1, opened: 0 });
                }
                (one, other) => {
                    diff.differences.push(Difference { left: one.map(value), right: other.map(value) });
                }
            }
        }
        diff
    }

    fn push_values(&self, diff: &mut ValueDiff, left: (&ValuePath, &Value), right: (&ValuePath, &Value), depth: Depth) {
        let below = Depth { values: depth.values + 1, ..depth };
        match (left.1, right.1) {
            _ if depth.values >= DEEPEST => push_leaf(diff, left, right),
            (one, other) if is_coin(one) && is_coin(other) => push_leaf(diff, left, right),
            (Value::Object(one), Value::Object(other)) if !(one.is_empty() && other.is_empty()) => {
                for (name, value) in one {
                    let (here, there) = (left.0.key(name), right.0.key(name));
                    match other.get(name) {
                        Some(same) => self.push_values(diff, (&here, value), (&there, same), below),
                        None => diff.differences.push(only_left(here, value)),
                    }
                }
                for (name, value) in other.iter().filter(|(name, _)| !one.contains_key(*name)) {
                    diff.differences.push(only_right(right.0.key(name), value));
                }
            }
            (Value::Array(one), Value::Array(other)) if !(one.is_empty() && other.is_empty()) => {
                self.push_lists(diff, (left.0, one), (right.0, other), below);
            }
            (Value::String(one), Value::String(other)) if one != other && depth.opened < MOST_DEPTH => {
                match (open_text(one), open_text(other)) {
                    (Some(one), Some(other)) if one.form == other.form => {
                        let before = diff.differences.len();
                        let (here, there) = (left.0.then(PathStep::Opened), right.0.then(PathStep::Opened));
                        let below_text = Depth { opened: depth.opened + 1, ..below };
                        self.push_values(diff, (&here, &one.value), (&there, &other.value), below_text);
                        // The same content, written otherwise.
                        if diff.differences.len() == before {
                            push_leaf(diff, left, right);
                        }
                    }
                    _ => push_leaf(diff, left, right),
                }
            }
            _ => push_leaf(diff, left, right),
        }
    }

    fn push_lists(
        &self,
        diff: &mut ValueDiff,
        (here, left): (&ValuePath, &[Value]),
        (there, right): (&ValuePath, &[Value]),
        depth: Depth,
    ) {
        // Whatever lies between two equal items is compared in order.
        for pair in align(left, right, &self.budget, canonical, |_| ()) {
            match pair {
                Pair::Both(i, j) => {
                    let paths = (here.then(PathStep::Index(i)), there.then(PathStep::Index(j)));
                    if let (Some(one), Some(other)) = (left.get(i), right.get(j)) {
                        self.push_values(diff, (&paths.0, one), (&paths.1, other), depth);
                    }
                }
                Pair::Left(i) => {
                    diff.differences.extend(left.get(i).map(|value| only_left(here.then(PathStep::Index(i)), value)));
                }
                Pair::Right(j) => {
                    diff.differences
                        .extend(right.get(j).map(|value| only_right(there.then(PathStep::Index(j)), value)));
                }
            }
        }
    }
}

fn push_leaf(diff: &mut ValueDiff, left: (&ValuePath, &Value), right: (&ValuePath, &Value)) {
    if left.1 == right.1 {
        diff.equal.push((left.0.clone(), left.1.clone()));
    } else {
        let side = |(path, value): (&ValuePath, &Value)| Some((path.clone(), value.clone()));
        diff.differences.push(Difference { left: side(left), right: side(right) });
    }
}

fn only_left(path: ValuePath, value: &Value) -> Difference {
    Difference { left: Some((path, value.clone())), right: None }
}

fn only_right(path: ValuePath, value: &Value) -> Difference {
    Difference { left: None, right: Some((path, value.clone())) }
}

/// `{denom, amount}` and nothing else.
fn is_coin(value: &Value) -> bool {
    let is_text = |name: &str| value.get(name).is_some_and(Value::is_string);
    value.as_object().is_some_and(|fields| fields.len() == 2) && is_text("denom") && is_text("amount")
}

/// The value as text with sorted keys: equal for equal values, whatever the order of their fields.
fn canonical(value: &Value) -> String {
    let mut sorted = value.clone();
    sorted.sort_all_objects();
    sorted.to_string()
}
