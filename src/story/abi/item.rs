use std::sync::Arc;

use alloy_primitives::{hex, keccak256};

use super::parameter::{Parameter, in_brackets, parse_signature};

/// What a hash may stand for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum ItemKind {
    Function,
    Event,
    Error,
}

/// A function, event or error.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct AbiItem {
    pub(super) name: Arc<str>,
    /// `transfer(address,uint256)`.
    pub(super) signature: Arc<str>,
    pub(super) parameters: Vec<Parameter>,
    /// The user's file that it is from.
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

    /// The hash that stands for it, in lower-case hex without `0x`: 4 bytes, of an event 32.
    pub(super) fn hash(&self, kind: ItemKind) -> String {
        let hash = keccak256(self.signature.as_bytes());
        hex::encode(match kind {
            ItemKind::Event => hash.as_slice(),
            ItemKind::Function | ItemKind::Error => &hash[..4],
        })
    }
}
