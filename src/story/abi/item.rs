use std::sync::Arc;

use alloy_primitives::{hex, keccak256};

use super::parameter::{Parameter, in_brackets, parse_signature};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum ItemKind {
    Function,
    Event,
    Error,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct AbiItem {
    pub(super) name: Arc<str>,
    /// `transfer(address,uint256)`.
    pub(super) signature: Arc<str>,
    pub(super) parameters: Vec<Parameter>,
    /// User's file with the item; `None` for embedded items.
    pub(super) source: Option<Arc<str>>,
}

impl ItemKind {
    pub(super) fn parse(text: &str) -> Option<Self> {
        match text {
            "function" => Some(Self::Function),
            "event" => Some(Self::Event),
            "error" => Some(Self::Error),
            _ => None,
        }
    }
}

impl AbiItem {
    pub(super) fn parse(text: &str) -> Option<Self> {
        let (name, parameters) = parse_signature(text)?;
        Some(Self::new(name, parameters, None))
    }

    pub(super) fn new(name: &str, parameters: Vec<Parameter>, source: Option<Arc<str>>) -> Self {
        let signature = format!("{name}{}", in_brackets(&parameters)).into();
        Self { name: name.into(), signature, parameters, source }
    }

    /// Returns the item's hash in lower-case hex without `0x`: 4 bytes, 32 for an event.
    pub(super) fn hash(&self, kind: ItemKind) -> String {
        let hash = keccak256(self.signature.as_bytes()).0;
        match (kind, hash) {
            (ItemKind::Event, hash) => hex::encode(hash),
            (ItemKind::Function | ItemKind::Error, [a, b, c, d, ..]) => hex::encode([a, b, c, d]),
        }
    }
}
