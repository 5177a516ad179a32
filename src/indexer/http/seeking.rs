use base64::{Engine as _, engine::general_purpose::STANDARD};
use serde_json::{Map, Value, json};

use super::{
    paging::{self, PageQuery, PaginationKey, whole},
    reply::HttpRefusal,
    request::QueryString,
};
use crate::{
    indexer::index::{KeysetPage, KeysetPosition, KeysetPrevious, Seek},
    wire::Pagination,
};

/// Sort order of a list by several columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SeekOrder {
    Collections,
    TokenId,
    TokenHeight,
    Holders,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum SeekKeys {
    /// Server's default: row positions in the specification, row offsets on the real server.
    Usual,
    /// Row offsets, which the client requested with the key of an empty object.
    Offset,
    /// Row positions, which the client requested with the key of an empty object.
    Place,
}

/// Query of a list sorted by several columns.
#[derive(Clone, Debug)]
pub(super) struct Seeking {
    pub(super) seek: Seek,
    pub(super) count_total: bool,
    keys: SeekKeys,
    /// Whether the key had an invalid height.
    is_misplaced: bool,
}

impl Seeking {
    /// Parses a query by the specification.
    pub(super) fn by_specification(query: &QueryString, order: SeekOrder) -> Result<Self, HttpRefusal> {
        let (mut seeking, cursor) = Self::read(query)?;
        if let Some(cursor) = cursor {
            let after = order.place(&cursor);
            let until = cursor.get("until").and_then(Value::as_object).and_then(|until| order.place(until));
            if after.is_some() || until.is_some() {
                seeking.keys = SeekKeys::Place;
                seeking.seek = Seek { after, until, offset: 0, ..seeking.seek };
            }
        }
        Ok(seeking)
    }

    /// Parses a query as the real server does: row positions have no tie-break, and lists of holders have no row
    /// positions.
    pub(super) fn by_real_server(query: &QueryString, order: SeekOrder) -> Result<Self, HttpRefusal> {
        let (mut seeking, cursor) = Self::read(query)?;
        let Some(mut cursor) = cursor else { return Ok(seeking) };
        cursor.retain(|field, _| matches!(field.as_str(), "height" | "token_id" | "sequence"));
        let is_foreign = cursor.contains_key("sequence")
            || order == SeekOrder::Holders
            || (order == SeekOrder::Collections && cursor.contains_key("token_id"));
        if let Some(place) = order.place(&cursor).filter(|_| !is_foreign) {
            seeking.keys = SeekKeys::Place;
            // The height alone does not replace the offset in a list of tokens.
            if cursor.len() > 1 || order == SeekOrder::Collections {
                seeking.seek.offset = 0;
            }
            seeking.seek.after = Some(place);
        } else {
            seeking.is_misplaced = cursor.contains_key("height");
        }
        Ok(seeking)
    }

    fn read(query: &QueryString) -> Result<(Self, Option<Map<String, Value>>), HttpRefusal> {
        let PageQuery { limit, offset, descending, count_total, key } = PageQuery::read(query)?;
        let seek = Seek { after: None, until: None, offset, limit, descending };
        let mut seeking = Self { seek, count_total, keys: SeekKeys::Usual, is_misplaced: false };
        match key {
            None => Ok((seeking, None)),
            Some(PaginationKey::Offset(offset)) => {
                seeking.seek.offset = offset;
                Ok((seeking, None))
            }
            Some(PaginationKey::Cursor(cursor)) => {
                if !["sequence", "height", "amount", "until"].iter().any(|field| cursor.contains_key(*field)) {
                    seeking.keys = SeekKeys::Offset;
                }
                Ok((seeking, Some(cursor)))
            }
        }
    }

    /// Whether the key had an invalid height, which crashes one list of the real server.
    pub(super) fn is_misplaced(&self) -> bool {
        self.is_misplaced
    }

    /// Starts at the first row but keeps answering with row positions, as the real server's search does.
    pub(super) fn forget_place(&mut self) {
        self.seek.after = None;
    }

    /// Builds the pagination by the specification: it has a key only if the list has rows in that direction.
    pub(super) fn paginate<T>(&self, page: &KeysetPage<T>) -> Pagination {
        let total = page.total.filter(|_| self.count_total).unwrap_or(0);
        if self.keys == SeekKeys::Offset {
            return paging::by_offset(self.seek.offset, self.seek.limit, page.more, total);
        }
        Pagination {
            previous_key: page.before.as_ref().map(key_back),
            next_key: page.last.as_ref().filter(|_| page.more).map(|last| encode(&fields(last))),
            total,
            oldest_height: None,
            is_partial: false,
        }
    }

    /// Builds the pagination as the real server does (`docs/apis/indexer.md` §2.4).
    pub(super) fn paginate_really<T>(&self, page: &KeysetPage<T>, total: i64) -> Pagination {
        if self.keys != SeekKeys::Place {
            let is_full = page.rows.len() == usize::from(self.seek.limit);
            return paging::by_offset(self.seek.offset, self.seek.limit, is_full, total);
        }
        let next_key = page.last.as_ref().map(|last| {
            let mut fields = fields(last);
            fields.remove("row");
            if matches!(self.seek.after, Some(KeysetPosition::TokenByHeight { token_id: None, .. })) {
                fields.remove("token_id");
            }
            encode(&fields)
        });
        Pagination { previous_key: None, next_key, total, oldest_height: None, is_partial: false }
    }
}

impl SeekOrder {
    /// Decodes the position in a cursor; `None` if a required field is missing or of another type.
    fn place(self, cursor: &Map<String, Value>) -> Option<KeysetPosition> {
        let number = |name| cursor.get(name).and_then(whole);
        let text = |name| cursor.get(name).and_then(Value::as_str);
        let row = number("row");
        match self {
            Self::Collections => Some(KeysetPosition::Collection { height: number("height")?, row }),
            Self::TokenId => Some(KeysetPosition::TokenById {
                token_id: text("token_id")?.to_owned(),
                height: number("height")?,
                row,
            }),
            Self::TokenHeight => {
                let token_id = text("token_id").map(ToOwned::to_owned);
                Some(KeysetPosition::TokenByHeight { height: number("height")?, token_id, row })
            }
            Self::Holders => Some(KeysetPosition::Holder {
                amount: text("amount")?.parse().ok()?,
                account: text("account").and_then(|account| account.parse().ok()),
            }),
        }
    }
}

/// Encodes a position as fields of a cursor, height before token id, as on the real server.
fn fields(place: &KeysetPosition) -> Map<String, Value> {
    let fields = match place {
        KeysetPosition::Collection { height, row } => json!({"height": height, "row": row}),
        KeysetPosition::TokenById { token_id, height, row } => {
            json!({"height": height, "token_id": token_id, "row": row})
        }
        KeysetPosition::TokenByHeight { height, token_id, row } => {
            json!({"height": height, "token_id": token_id, "row": row})
        }
        KeysetPosition::Holder { amount, account } => {
            json!({"amount": amount.to_string(), "account": account.map(|account| account.hex())})
        }
    };
    let Value::Object(mut fields) = fields else { return Map::new() };
    fields.retain(|_, value| !value.is_null());
    fields
}

fn key_back(before: &KeysetPrevious) -> String {
    let mut key = before.after.as_ref().map(fields).unwrap_or_default();
    key.extend(before.until.as_ref().map(|until| ("until".to_owned(), Value::Object(fields(until)))));
    if key.is_empty() { STANDARD.encode("0") } else { encode(&key) }
}

fn encode(fields: &Map<String, Value>) -> String {
    STANDARD.encode(Value::Object(fields.clone()).to_string())
}
