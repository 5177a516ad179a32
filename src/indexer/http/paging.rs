use base64::{Engine as _, engine::general_purpose::STANDARD};
use serde_json::{Map, Value};

use super::{
    reply::{HttpRefusal, MissingPart},
    request::QueryString,
    route::truth,
};
use crate::{
    domain::Height,
    indexer::index::{ChainPlace, Neighbours, PageRange, Previous},
    wire::Pagination,
};

/// Total of a list that the server cannot count.
pub(super) const UNKNOWN_TOTAL: i64 = -1;

const DEFAULT_LIMIT: u16 = 100;
const LIMITS: std::ops::RangeInclusive<i64> = 1..=1000;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CursorField {
    Height,
    Sequence,
    /// Block and position in the block, for transactions of a source without sequence numbers.
    Place,
}

impl CursorField {
    fn name(self) -> &'static str {
        match self {
            Self::Height => "height",
            Self::Sequence => "sequence",
            Self::Place => "index",
        }
    }
}

/// Paging parameters of every list, parsed as on the real server: lenient in format, strict in range
/// (`docs/apis/indexer.md` §2).
#[derive(Clone, Debug)]
pub(super) struct PageQuery {
    pub(super) limit: u16,
    pub(super) offset: u64,
    pub(super) descending: bool,
    pub(super) count_total: bool,
    pub(super) key: Option<PaginationKey>,
}

#[derive(Clone, Debug)]
pub(super) enum PaginationKey {
    Offset(u64),
    Cursor(Map<String, Value>),
}

impl PageQuery {
    pub(super) fn read(query: &QueryString) -> Result<Self, HttpRefusal> {
        let limit = number(query, "pagination.limit").unwrap_or(i64::from(DEFAULT_LIMIT));
        if !LIMITS.contains(&limit) {
            return Err(HttpRefusal::Bad("pagination.limit must be between 1 and 1000".to_owned()));
        }
        let offset = u64::try_from(number(query, "pagination.offset").unwrap_or(0))
            .map_err(|_| HttpRefusal::Bad("pagination.offset cannot be negative".to_owned()))?;
        Ok(Self {
            limit: u16::try_from(limit).unwrap_or(DEFAULT_LIMIT),
            offset,
            descending: boolean(query, "pagination.reverse"),
            count_total: boolean(query, "pagination.count_total"),
            key: query.first("pagination.key").filter(|key| !key.is_empty()).map(PaginationKey::read).transpose()?,
        })
    }
}

impl PaginationKey {
    fn read(key: &str) -> Result<Self, HttpRefusal> {
        let bytes = STANDARD
            .decode(key)
            .map_err(|_| HttpRefusal::Bad("pagination.key must be a valid base64 encoded string".to_owned()))?;
        if bytes.trim_ascii_start().first() == Some(&b'{') {
            return serde_json::from_slice(&bytes)
                .map(Self::Cursor)
                .map_err(|_| HttpRefusal::Unknown("invalid pagination.key format".to_owned()));
        }
        std::str::from_utf8(&bytes)
            .ok()
            .and_then(|text| text.parse::<i64>().ok())
            .and_then(|offset| u64::try_from(offset).ok())
            .map(Self::Offset)
            .ok_or_else(|| HttpRefusal::Unknown("pagination.key must decode to a nonnegative integer".to_owned()))
    }
}

/// Returns the height that the page key of a query names; `None` without a key, or for one of another form.
pub(crate) fn key_height(query: &str) -> Option<u64> {
    let query = QueryString::parse(query);
    match PaginationKey::read(query.first("pagination.key")?).ok()? {
        PaginationKey::Cursor(fields) => fields.get("height")?.as_u64(),
        PaginationKey::Offset(_) => None,
    }
}

pub(super) trait KeyForm {
    /// Encodes a position; the direction decides between its neighbours.
    fn number(&self, place: ChainPlace, descending: bool) -> Result<i64, HttpRefusal>;

    fn place(&self, number: i64) -> Result<ChainPlace, HttpRefusal>;
}

pub(super) struct PlainKeys;

impl KeyForm for PlainKeys {
    fn number(&self, _: ChainPlace, _: bool) -> Result<i64, HttpRefusal> {
        Err(HttpRefusal::Internal)
    }

    fn place(&self, _: i64) -> Result<ChainPlace, HttpRefusal> {
        Err(HttpRefusal::Internal)
    }
}

/// Query of a list that is paged by one number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Paging {
    pub(super) range: PageRange,
    pub(super) count_total: bool,
    /// Whether keys are row offsets, which the client requested with the key of an empty object.
    by_offset: bool,
    kind: CursorField,
    /// Difference between a number and its encoding in a key: number = key + offset.
    offset: i64,
}

impl Paging {
    pub(super) fn read(query: &QueryString, kind: CursorField) -> Result<Self, HttpRefusal> {
        Self::read_as(query, kind, 0, &PlainKeys)
    }

    /// Parses the query of a list whose keys encode positions, or numbers minus an offset.
    pub(super) fn read_as(
        query: &QueryString,
        kind: CursorField,
        key_offset: i64,
        keys: &dyn KeyForm,
    ) -> Result<Self, HttpRefusal> {
        let PageQuery { limit, offset, descending, count_total, key } = PageQuery::read(query)?;
        let range = PageRange { after: None, until: None, offset, limit, descending };
        let mut paging = Self { range, count_total, by_offset: false, kind, offset: key_offset };
        match key {
            Some(PaginationKey::Offset(offset)) => paging.range.offset = offset,
            Some(PaginationKey::Cursor(cursor)) => paging.start_at_cursor(&cursor, keys)?,
            None => {}
        }
        Ok(paging)
    }

    /// Whether a cursor of this list's own kind determines the start.
    pub(super) fn has_cursor(&self) -> bool {
        self.range.after.is_some()
    }

    /// Applies a cursor. Its fields determine its kind; a cursor of another list is ignored.
    fn start_at_cursor(&mut self, cursor: &Map<String, Value>, keys: &dyn KeyForm) -> Result<(), HttpRefusal> {
        let has = |name| cursor.contains_key(name);
        let kind = match (has("sequence"), has("height"), has("token_id")) {
            (true, _, _) => CursorField::Sequence,
            (false, true, true) => return Ok(()),
            (false, true, false) if has("index") => CursorField::Place,
            (false, true, false) => CursorField::Height,
            (false, false, _) => {
                self.by_offset = true;
                return Ok(());
            }
        };
        if kind != self.kind {
            return Ok(());
        }
        let until = cursor.get("until");
        let (after, until) = if kind == CursorField::Place {
            let descending = self.range.descending;
            let number = |place: ChainPlace, descending| keys.number(place, descending);
            let until = until.and_then(Value::as_object).and_then(place_of);
            (
                place_of(cursor).map(|place| number(place, descending)).transpose()?,
                until.map(|place| number(place, !descending)).transpose()?,
            )
        } else {
            let number = |value: &Value| Some(whole(value)?.saturating_add(self.offset));
            (cursor.get(kind.name()).and_then(number), until.and_then(number))
        };
        if let Some(after) = after {
            self.range = PageRange { after: Some(after), until, offset: 0, ..self.range };
        }
        Ok(())
    }

    /// Builds the pagination by the specification: it has a key only if the list has rows in that direction.
    ///
    /// `oldest` is the lowest indexed block while older blocks are missing. The end of the list is then unknown: a page
    /// with rows has a key, and the total is unknown.
    pub(super) fn by_specification(
        &self,
        neighbours: &Neighbours,
        total: i64,
        oldest: Option<Height>,
        keys: &dyn KeyForm,
    ) -> Result<Pagination, HttpRefusal> {
        if let Some(oldest) = oldest.filter(|_| neighbours.last.is_none() || !self.range.descending) {
            return Err(HttpRefusal::NotIndexedYet { what: MissingPart::Blocks, oldest });
        }
        let more = neighbours.more || oldest.is_some();
        // The total stays 0 if the client did not request it.
        let total = if oldest.is_some() && total != 0 { UNKNOWN_TOTAL } else { total };
        if self.by_offset {
            return Ok(Pagination { oldest_height: oldest, ..self.by_offset(more, total) });
        }
        Ok(Pagination {
            previous_key: neighbours.previous.map(|previous| self.cursor_back(previous, keys)).transpose()?,
            next_key: neighbours.last.filter(|_| more).map(|last| self.cursor(last, None, keys)).transpose()?,
            total,
            oldest_height: oldest,
            is_partial: false,
        })
    }

    /// Builds the pagination as the real server does (`docs/apis/indexer.md` §2.4).
    pub(super) fn by_real_server(&self, neighbours: &Neighbours, rows: usize, total: i64) -> Pagination {
        if self.by_offset {
            return self.by_offset(rows == usize::from(self.range.limit), total);
        }
        let previous_key = if rows == 0 { self.offset_back() } else { None };
        let next_key = neighbours.last.map(|last| self.number_key(last, None));
        Pagination { previous_key, next_key, total, oldest_height: None, is_partial: false }
    }

    fn by_offset(&self, more: bool, total: i64) -> Pagination {
        by_offset(self.range.offset, self.range.limit, more, total)
    }

    fn offset_back(&self) -> Option<String> {
        offset_back(self.range.offset, self.range.limit)
    }

    fn number_key(&self, after: i64, until: Option<i64>) -> String {
        let until = until.map(|until| format!(",\"until\":{}", until - self.offset)).unwrap_or_default();
        STANDARD.encode(format!("{{\"{}\":{}{until}}}", self.kind.name(), after - self.offset))
    }

    fn cursor(&self, after: i64, until: Option<i64>, keys: &dyn KeyForm) -> Result<String, HttpRefusal> {
        if self.kind != CursorField::Place {
            return Ok(self.number_key(after, until));
        }
        let fields = |number| {
            let ChainPlace { height, index } = keys.place(number)?;
            Ok::<_, HttpRefusal>(format!("\"height\":{height},\"index\":{index}"))
        };
        let until =
            until.map(|until| Ok::<_, HttpRefusal>(format!(",\"until\":{{{}}}", fields(until)?))).transpose()?;
        Ok(STANDARD.encode(format!("{{{}{}}}", fields(after)?, until.unwrap_or_default())))
    }

    fn cursor_back(&self, previous: Previous, keys: &dyn KeyForm) -> Result<String, HttpRefusal> {
        self.cursor(previous.after, previous.until, keys)
    }
}

/// Builds the pagination of a page whose keys are row offsets.
pub(super) fn by_offset(offset: u64, limit: u16, more: bool, total: i64) -> Pagination {
    let next = offset.saturating_add(u64::from(limit));
    Pagination {
        previous_key: offset_back(offset, limit),
        next_key: more.then(|| STANDARD.encode(next.to_string())),
        total,
        oldest_height: None,
        is_partial: false,
    }
}

fn offset_back(offset: u64, limit: u16) -> Option<String> {
    let back = offset.checked_sub(u64::from(limit))?;
    Some(STANDARD.encode(back.to_string()))
}

fn place_of(cursor: &Map<String, Value>) -> Option<ChainPlace> {
    let height = u64::try_from(whole(cursor.get("height")?)?).ok()?;
    Some(ChainPlace { height, index: whole(cursor.get("index")?)? })
}

/// Parses a number as Go does; `None` if missing or invalid.
fn number(query: &QueryString, name: &str) -> Option<i64> {
    query.first(name)?.parse().ok()
}

/// Parses a boolean as Go does; true if missing or invalid.
fn boolean(query: &QueryString, name: &str) -> bool {
    query.first(name).and_then(truth).unwrap_or(true)
}

/// Returns a JSON number without a fraction; `None` for other values, which are no cursors.
pub(super) fn whole(value: &Value) -> Option<i64> {
    let number = value.as_number()?;
    number.as_i64().or_else(|| {
        let text = number.as_str();
        let (whole, fraction) = text.split_once('.')?;
        fraction.bytes().all(|digit| digit == b'0').then(|| whole.parse().ok()).flatten()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Paging, String> {
        Paging::read(&QueryString::parse(text), CursorField::Height).map_err(|refusal| refusal.to_string())
    }

    fn key(json: &str) -> String {
        format!("pagination.key={}", STANDARD.encode(json).replace('=', "%3D").replace('+', "%2B"))
    }

    #[test]
    fn what_is_no_number_or_boolean_is_the_default() {
        let default = read("").unwrap();
        assert_eq!((default.range.limit, default.range.descending, default.count_total), (100, true, true));
        for text in [
            "pagination.limit=x",
            "pagination.limit=",
            "limit=5",
            "pagination.limit=99999999999999999999",
            "pagination.reverse=no",
            "pagination.offset=x",
            "pagination.key=",
        ] {
            assert_eq!(read(text).unwrap(), default, "{text}");
        }
        for no in ["0", "f", "F", "FALSE", "false", "False"] {
            assert!(!read(&format!("pagination.reverse={no}")).unwrap().range.descending);
            assert!(!read(&format!("pagination.count_total={no}")).unwrap().count_total);
        }
    }

    #[test]
    fn ranges_and_keys_are_strict() {
        for (text, sentence) in [
            ("pagination.limit=0", "pagination.limit must be between 1 and 1000"),
            ("pagination.limit=1001", "pagination.limit must be between 1 and 1000"),
            ("pagination.offset=-1", "pagination.offset cannot be negative"),
            ("pagination.key=!!!", "pagination.key must be a valid base64 encoded string"),
            ("pagination.key=e30", "pagination.key must be a valid base64 encoded string"),
            ("pagination.key=YWJj", "pagination.key must decode to a nonnegative integer"),
            ("pagination.key=LTE%3D", "pagination.key must decode to a nonnegative integer"),
            (&key("{\"height\":"), "invalid pagination.key format"),
        ] {
            assert_eq!(read(text), Err(sentence.to_owned()), "{text}");
        }
    }

    #[test]
    fn a_cursor_is_used_only_when_it_fits() {
        assert_eq!(read(&key("{\"height\":7}")).unwrap().range.after, Some(7));
        assert_eq!(read(&key(" {\"height\":7.0}")).unwrap().range.after, Some(7));
        for json in [
            "{\"height\":\"7\"}",
            "{\"height\":1.5}",
            "{\"height\":1e30}",
            "{\"sequence\":7}",
            "{\"height\":7,\"token_id\":\"1\"}",
        ] {
            let paging = read(&format!("pagination.offset=3&{}", key(json))).unwrap();
            assert_eq!((paging.range.after, paging.range.offset, paging.by_offset), (None, 3, false), "{json}");
        }
        let paging = read(&format!("pagination.offset=3&{}", key("{\"height\":7}"))).unwrap();
        assert_eq!((paging.range.after, paging.range.offset), (Some(7), 0));
        assert!(read("pagination.key=e30%3D").unwrap().by_offset);
        assert_eq!(read("pagination.offset=3&pagination.key=Nw%3D%3D").unwrap().range.offset, 7);
    }
}
