//! Pages as in the Cosmos SDK, by offset or by key. Here a key is the offset in base64.

use base64::{Engine as _, prelude::BASE64_STANDARD};
use serde_json::{Value, json};

use super::rest::RestRefusal;
use crate::indexer::http::QueryString;

/// Default number of items in a page.
const DEFAULT_LIMIT: usize = 100;

#[derive(Clone, Copy, Debug)]
pub(super) struct PageAsked {
    pub(super) offset: usize,
    pub(super) limit: usize,
    is_reverse: bool,
    counts: bool,
}

impl PageAsked {
    /// Parses `pagination.*`. Rejects text that is not a number, like the gateway.
    pub(super) fn read(query: &QueryString) -> Result<Self, RestRefusal> {
        let number = |name: &str| {
            let text = query.first(name).unwrap_or("0");
            text.parse::<usize>().map_err(|_| {
                RestRefusal::invalid(format!(
                    "parsing field \"{}\": strconv.ParseUint: parsing \"{text}\": invalid syntax",
                    name.trim_start_matches("pagination.")
                ))
            })
        };
        let is_set = |name: &str| query.first(name).is_some_and(|text| text == "true" || text == "1");
        let (mut offset, limit) = (number("pagination.offset")?, number("pagination.limit")?);
        let mut counts = is_set("pagination.count_total");
        if let Some(key) = query.first("pagination.key").filter(|key| !key.is_empty()) {
            let text = BASE64_STANDARD.decode(key).ok().and_then(|bytes| String::from_utf8(bytes).ok());
            let place = text.and_then(|text| text.parse().ok());
            offset = place.ok_or_else(|| RestRefusal::invalid("invalid pagination key".to_owned()))?;
        } else if limit == 0 {
            counts = true;
        }
        let limit = if limit == 0 { DEFAULT_LIMIT } else { limit };
        Ok(Self { offset, limit, is_reverse: is_set("pagination.reverse"), counts })
    }

    /// Writes a page of a list, in the field `name`.
    pub(super) fn cut<T>(&self, name: &str, mut items: Vec<T>, write: impl Fn(&T) -> Value) -> Value {
        if self.is_reverse {
            items.reverse();
        }
        let end = self.offset.saturating_add(self.limit);
        let page: Vec<Value> = items.iter().skip(self.offset).take(self.limit).map(write).collect();
        let next = (end < items.len()).then(|| BASE64_STANDARD.encode(end.to_string()));
        let total = if self.counts { items.len() } else { 0 };
        json!({ name: page, "pagination": { "next_key": next, "total": total.to_string() } })
    }
}
