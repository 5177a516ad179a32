use std::fmt;

/// Why bytes are no message of the table, or JSON is none, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProtoError {
    /// Names and places in lists, the innermost first.
    place: Vec<String>,
    problem: ProtoProblem,
}

/// What is wrong.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ProtoProblem {
    /// The bytes end within a field, or are no fields at all.
    #[error("the bytes are no fields of protobuf")]
    Broken,
    /// A text where the table has a number, or the other way round.
    #[error("the field is encoded as another kind of value than {0}")]
    Encoding(&'static str),
    /// More messages within messages than any chain accepts.
    #[error("messages lie more than {0} deep in each other")]
    Depth(usize),
    /// The JSON would be larger than any transaction.
    #[error("the JSON would be larger than {0} bytes")]
    Size(usize),
    /// The value is not what the field's kind writes.
    #[error("the value is not {0}")]
    Value(&'static str),
    /// The message has no such field.
    #[error("the message has no such field")]
    Field,
    /// The table has no message of this name.
    #[error("{0} is not in the table of message types")]
    Type(String),
}

impl ProtoError {
    pub(super) fn new(problem: ProtoProblem) -> Self {
        Self { place: Vec::new(), problem }
    }

    /// The same error, of a field within another.
    pub(super) fn within(mut self, place: &str) -> Self {
        self.place.push(place.to_owned());
        self
    }

    /// The same error, of a value of a list.
    pub(super) fn at(self, index: usize) -> Self {
        self.within(&format!("[{index}]"))
    }

    /// What is wrong, wherever it is.
    pub fn problem(&self) -> &ProtoProblem {
        &self.problem
    }
}

impl From<ProtoProblem> for ProtoError {
    fn from(problem: ProtoProblem) -> Self {
        Self::new(problem)
    }
}

impl fmt::Display for ProtoError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (nth, part) in self.place.iter().rev().enumerate() {
            let dot = if nth == 0 || part.starts_with('[') { "" } else { "." };
            write!(formatter, "{dot}{part}")?;
        }
        if !self.place.is_empty() {
            formatter.write_str(": ")?;
        }
        write!(formatter, "{}", self.problem)
    }
}

impl std::error::Error for ProtoError {}
