use std::{fmt, sync::Arc};

/// The type of a message, fully qualified and without the leading slash: `cosmos.bank.v1beta1.MsgSend`.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct MsgType(Arc<str>);

impl MsgType {
    /// Reads a type name; a leading `/`, as `@type` has it, is dropped.
    pub fn new(text: &str) -> Self {
        Self(text.strip_prefix('/').unwrap_or(text).into())
    }

    /// The fully qualified name.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The last part, as people say it: `MsgSend`.
    pub fn short(&self) -> &str {
        self.0.rsplit('.').next().unwrap_or(&self.0)
    }
}

impl fmt::Display for MsgType {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}
