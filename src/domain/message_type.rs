use std::{fmt, sync::Arc};

use super::Vm;

/// Fully qualified message type without the leading slash: `cosmos.bank.v1beta1.MsgSend`.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct MsgType(Arc<str>);

impl MsgType {
    /// Parses a type name; drops the leading `/` of an `@type`.
    pub fn new(text: &str) -> Self {
        Self(text.strip_prefix('/').unwrap_or(text).into())
    }

    /// Returns the fully qualified name.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    pub fn vm(&self) -> Option<Vm> {
        [("minievm.", Vm::Evm), ("initia.move.", Vm::Move), ("cosmwasm.", Vm::Wasm), ("miniwasm.", Vm::Wasm)]
            .into_iter()
            .find_map(|(prefix, vm)| self.0.starts_with(prefix).then_some(vm))
    }

    /// Returns the last part of the name, such as `MsgSend`.
    pub fn short(&self) -> &str {
        self.0.rsplit('.').next().unwrap_or(&self.0)
    }
}

impl fmt::Display for MsgType {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}
