use std::fmt;

/// Protobuf or JSON that does not match the table, with its path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProtoError {
    /// Field names and list indices, innermost first.
    place: Vec<String>,
    problem: ProtoProblem,
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ProtoProblem {
    /// A field is truncated, or the bytes are not protobuf.
    #[error("the bytes are not protobuf fields")]
    Broken,
    /// The wire type of a field differs from the type in the table.
    #[error("the field's encoding does not fit {0}")]
    Encoding(&'static str),
    /// Nesting deeper than any chain accepts.
    #[error("messages nest more than {0} levels deep")]
    Depth(usize),
    /// JSON larger than any transaction's JSON.
    #[error("the JSON would be larger than {0} bytes")]
    Size(usize),
    /// The value does not match the field's type.
    #[error("the value is not {0}")]
    Value(&'static str),
    #[error("unknown field of the message")]
    Field,
    #[error("{0} is not in the table of message types")]
    Type(String),
}

impl ProtoError {
    pub(super) fn new(problem: ProtoProblem) -> Self {
        Self { place: Vec::new(), problem }
    }

    /// Adds the enclosing field to the path.
    pub(super) fn within(mut self, place: &str) -> Self {
        self.place.push(place.to_owned());
        self
    }

    /// Adds the list index to the path.
    pub(super) fn at(self, index: usize) -> Self {
        self.within(&format!("[{index}]"))
    }

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
