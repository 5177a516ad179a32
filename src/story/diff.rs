//! Differences between two records: JSON values and events.

mod align;
mod path;

pub use align::Pair;
pub use path::{PathStep, ValuePath};

use serde_json::Value;

use self::align::{Budget, align};
use super::{
    decode::{Decoded, DecodedEvent, DecodedMessage, EventPhase},
    embedded_text::open_text,
    limits::MOST_DEPTH,
};

/// Maximum depth of a comparison; deeper values compare as a whole.
const DEEPEST: usize = 48;

/// Difference between two values; a side without a value is `None`.
#[derive(Clone, Debug, PartialEq)]
pub struct Difference {
    pub left: Option<(ValuePath, Value)>,
    pub right: Option<(ValuePath, Value)>,
}

impl Difference {
    /// Returns the left path; the right path if the left side lacks the value.
    pub fn path(&self) -> ValuePath {
        self.left.as_ref().or(self.right.as_ref()).map(|(path, _)| path.clone()).unwrap_or_default()
    }
}

/// Result of comparing two values.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ValueDiff {
    /// Differences in the order of the records.
    pub differences: Vec<Difference>,
    /// Equal leaves: path on the left, and value.
    pub equal: Vec<(ValuePath, Value)>,
}

/// Aligned pair in two lists of messages or events.
#[derive(Clone, Debug, PartialEq)]
pub struct Aligned {
    /// Indices in both lists.
    pub pair: Pair,
    /// Difference, if both sides exist.
    pub diff: ValueDiff,
}

#[derive(Clone, Copy, Default)]
struct Depth {
    values: usize,
    /// Decoded strings on the path.
    opened: usize,
}

/// Comparer of records with one budget for all comparisons.
#[derive(Debug, Default)]
pub struct Differ {
    budget: Budget,
}

impl Differ {
    /// Compares two values: coins as a whole, JSON strings by their content, lists by their longest common part.
    /// Swapping the sides mirrors the result.
    pub fn values(&self, left: &Value, right: &Value) -> ValueDiff {
        let mut diff = ValueDiff::default();
        self.push_values(&mut diff, (&ValuePath::default(), left), (&ValuePath::default(), right), Depth::default());
        diff
    }

    /// Aligns the messages of two transactions by type and compares their fields.
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

    /// Aligns the events of one phase in each transaction by type and compares their attributes. Indices refer to
    /// [`Decoded::events`].
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

    /// Compares attributes in order; keys may repeat.
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
                        // Equal content in another notation.
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
        // Items between two equal ones compare in order.
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

/// Whether an object is exactly `{denom, amount}`.
fn is_coin(value: &Value) -> bool {
    let is_text = |name: &str| value.get(name).is_some_and(Value::is_string);
    value.as_object().is_some_and(|fields| fields.len() == 2) && is_text("denom") && is_text("amount")
}

/// Serialises a value with sorted keys: equal for equal values, regardless of the order of fields.
fn canonical(value: &Value) -> String {
    let mut sorted = value.clone();
    sorted.sort_all_objects();
    sorted.to_string()
}
