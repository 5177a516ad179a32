//! Parameters of a method. A URL has quoted strings and hex bytes; JSON has base64 bytes.

use std::collections::BTreeMap;

use alloy_primitives::hex;
use base64::{Engine as _, prelude::BASE64_STANDARD};
use serde_json::Value;

use super::MethodRefusal;
use crate::{domain::Height, indexer::http::QueryString};

/// Parameters of a call, by name.
#[derive(Debug, Default)]
pub(in crate::demo::node) struct RpcParams {
    values: BTreeMap<String, String>,
    /// Whether the parameters come from JSON.
    is_json: bool,
}

impl RpcParams {
    pub(in crate::demo::node) fn of_query(query: &QueryString) -> Self {
        let unquoted = |text: &str| {
            let inner = text.strip_prefix('"').and_then(|text| text.strip_suffix('"'));
            inner.unwrap_or(text).to_owned()
        };
        let values = query.pairs().map(|(name, value)| (name.to_owned(), unquoted(value)));
        Self { values: values.filter(|(_, value)| !value.is_empty()).collect(), is_json: false }
    }

    /// Parses parameters from an object, or from a list in the order of `names`.
    pub(in crate::demo::node) fn of_json(params: Option<&Value>, names: &[&str]) -> Result<Self, MethodRefusal> {
        let text = |value: &Value| match value {
            Value::Null => None,
            Value::String(text) => Some(text.clone()),
            other => Some(other.to_string()),
        };
        let given: Vec<(String, Option<String>)> = match params {
            None | Some(Value::Null) => Vec::new(),
            Some(Value::Object(fields)) => fields.iter().map(|(name, value)| (name.clone(), text(value))).collect(),
            Some(Value::Array(list)) => {
                names.iter().zip(list).map(|(name, value)| ((*name).to_owned(), text(value))).collect()
            }
            Some(_) => return Err(MethodRefusal::Params("params must be an object or a list".to_owned())),
        };
        let values = given.into_iter().filter_map(|(name, value)| Some((name, value.filter(|text| !text.is_empty())?)));
        Ok(Self { values: values.collect(), is_json: true })
    }

    pub(in crate::demo::node) fn text(&self, name: &str) -> Option<&str> {
        self.values.get(name).map(String::as_str)
    }

    pub(in crate::demo::node) fn number(&self, name: &str) -> Result<Option<i64>, MethodRefusal> {
        let read = |text: &str| {
            text.parse().map_err(|_| {
                MethodRefusal::Params(format!(
                    "error converting http params to arguments: strconv.ParseInt: parsing \"{text}\": invalid syntax"
                ))
            })
        };
        self.text(name).map(read).transpose()
    }

    /// Parses a height, which must be above 0; `None` if it is missing.
    pub(in crate::demo::node) fn height(&self, name: &str) -> Result<Option<Height>, MethodRefusal> {
        let Some(number) = self.number(name)? else { return Ok(None) };
        let height = u64::try_from(number).ok().and_then(Height::new);
        height.map(Some).ok_or_else(|| MethodRefusal::failed("height must be greater than 0"))
    }

    /// Parses bytes that are in hex even in JSON, such as the data of an ABCI query.
    pub(in crate::demo::node) fn hex(&self, name: &str) -> Option<Vec<u8>> {
        hex::decode(self.text(name)?).ok()
    }

    pub(in crate::demo::node) fn bytes(&self, name: &str) -> Option<Vec<u8>> {
        let text = self.text(name)?;
        if self.is_json {
            return BASE64_STANDARD.decode(text).ok();
        }
        hex::decode(text).ok()
    }
}
