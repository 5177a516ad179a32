//! Parameters, answers and errors of JSON-RPC methods.

use alloy_primitives::hex;
use serde_json::Value;

use crate::{
    demo::{
        ledger::abi::{AbiArg, data},
        node::view::NodeView,
    },
    domain::{Address, Height},
};

/// Error of a JSON-RPC method.
#[derive(Debug)]
pub(in crate::demo::node) struct EthRefusal {
    pub(super) code: i32,
    pub(super) message: String,
    /// Return data of the reverted call, in hex.
    pub(super) data: Option<String>,
}

impl EthRefusal {
    pub(in crate::demo::node) fn params(message: impl Into<String>) -> Self {
        Self::of(-32_602, message)
    }

    pub(in crate::demo::node) fn failed(message: impl Into<String>) -> Self {
        Self::of(-32_000, message)
    }

    pub(super) fn of(code: i32, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), data: None }
    }

    /// Returns the error of a call that reverted with this reason.
    pub(in crate::demo::node) fn reverted(reason: &str) -> Self {
        if reason.is_empty() {
            return Self::of(3, "execution reverted");
        }
        let data = hex::encode_prefixed(data("Error(string)", &[AbiArg::Text(reason)]));
        Self { data: Some(data), ..Self::of(3, format!("execution reverted: {reason}")) }
    }
}

pub(in crate::demo::node) type EthAnswer = Result<Value, EthRefusal>;

/// Formats a number as Ethereum does: hex without leading zeros.
pub(in crate::demo::node) fn quantity(number: u128) -> Value {
    format!("{number:#x}").into()
}

/// Parameters of a request, by position.
pub(in crate::demo::node) struct EthParams<'a>(pub(super) &'a [Value]);

impl EthParams<'_> {
    pub(in crate::demo::node) fn value(&self, place: usize) -> &Value {
        self.0.get(place).unwrap_or(&Value::Null)
    }

    pub(in crate::demo::node) fn text(&self, place: usize) -> Result<&str, EthRefusal> {
        let text = self.value(place).as_str();
        text.ok_or_else(|| EthRefusal::params(format!("missing value for required argument {place}")))
    }

    pub(in crate::demo::node) fn is_set(&self, place: usize) -> bool {
        self.value(place).as_bool().unwrap_or(false)
    }

    pub(in crate::demo::node) fn account(&self, place: usize) -> Result<Address, EthRefusal> {
        read_account(self.text(place)?)
    }

    pub(in crate::demo::node) fn hash(&self, place: usize) -> Result<[u8; 32], EthRefusal> {
        read_hash(self.text(place)?)
    }

    /// Returns the block that a number or tag names; without one, the newest.
    pub(super) fn height(&self, view: &NodeView<'_>, place: usize) -> Result<Option<Height>, EthRefusal> {
        read_height(view, self.value(place))
    }

    /// Refuses a state query at any block but the newest.
    pub(super) fn check_newest(&self, view: &NodeView<'_>, place: usize) -> Result<(), EthRefusal> {
        let named = self.height(view, place)?;
        if named == Some(view.tip) { Ok(()) } else { Err(Self::pruned(view, named)) }
    }

    /// Selects the block of a balance query.
    pub(super) fn look_at(&self, view: &NodeView<'_>, place: usize) -> Result<Option<Height>, EthRefusal> {
        let named = self.height(view, place)?;
        let is_kept = named.is_some_and(|height| view.look_at(height));
        if is_kept { Ok(named) } else { Err(Self::pruned(view, named)) }
    }

    pub(super) fn pruned(view: &NodeView<'_>, named: Option<Height>) -> EthRefusal {
        let (height, tip) = (named.map_or_else(|| "0".to_owned(), |height| height.to_string()), view.tip);
        let why = format!("failed to load state at height {height}; version does not exist (latest height: {tip})");
        EthRefusal::failed(format!("codespace sdk code 18: invalid request: {why}"))
    }
}

pub(in crate::demo::node) fn read_account(text: &str) -> Result<Address, EthRefusal> {
    let address = NodeView::address(text).filter(|address| text.starts_with("0x") && address.bytes().len() == 20);
    address.ok_or_else(|| EthRefusal::params(format!("invalid argument: {text} is not an address")))
}

pub(super) fn read_hash(text: &str) -> Result<[u8; 32], EthRefusal> {
    let mut hash = [0; 32];
    let read = hex::decode_to_slice(text, &mut hash);
    read.map(|()| hash).map_err(|_| EthRefusal::params(format!("invalid argument: {text} is not a hash")))
}

pub(in crate::demo::node) fn read_number(text: &str) -> Result<u128, EthRefusal> {
    let number = text.strip_prefix("0x").and_then(|digits| u128::from_str_radix(digits, 16).ok());
    number.ok_or_else(|| EthRefusal::params(format!("invalid argument: {text} is not a hex number")))
}

/// Parses a block number or tag; `None` for block 0.
pub(super) fn read_height(view: &NodeView<'_>, named: &Value) -> Result<Option<Height>, EthRefusal> {
    let text = match named {
        Value::Null => return Ok(Some(view.tip)),
        Value::Object(fields) => fields.get("blockNumber").and_then(Value::as_str).unwrap_or("latest"),
        other => other.as_str().unwrap_or_default(),
    };
    match text {
        "latest" | "pending" | "safe" | "finalized" => Ok(Some(view.tip)),
        "earliest" => Ok(Some(Height::FIRST)),
        text => Ok(u64::try_from(read_number(text)?).ok().and_then(Height::new)),
    }
}
