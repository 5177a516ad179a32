//! Keyset pages of lists that are sorted by several columns: each page starts after a row's position, not after a
//! number of rows.

use std::fmt::Write as _;

use crate::indexer::index::dialect::{Connection, StoreRow};
use rusqlite::types::Value;

use super::{IndexError, holders, integer};
use crate::domain::{Address, Balance};

/// Position of a row in its list. If the last parts are missing, the position is after all rows with equal first parts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum KeysetPosition {
    Collection {
        height: i64,
        row: Option<i64>,
    },
    TokenById {
        /// Token id, compared as text.
        token_id: String,
        height: i64,
        row: Option<i64>,
    },
    TokenByHeight {
        height: i64,
        /// Token id, compared as text.
        token_id: Option<String>,
        row: Option<i64>,
    },
    Holder {
        amount: Balance,
        account: Option<Address>,
    },
}

impl KeysetPosition {
    /// Returns the values of the sort columns, without the missing last parts.
    fn values(&self) -> Vec<Value> {
        let parts: [Option<Value>; 3] = match self {
            Self::Collection { height, row } => [Some((*height).into()), row.map(Value::from), None],
            Self::TokenById { token_id, height, row } => {
                [Some(token_id.clone().into()), Some((*height).into()), row.map(Value::from)]
            }
            Self::TokenByHeight { height, token_id, row } => {
                [Some((*height).into()), token_id.clone().map(Value::from), row.map(Value::from)]
            }
            Self::Holder { amount, account } => {
                let account = account.map(|account| Value::Blob(account.bytes().to_vec()));
                [Some(Value::Blob(holders::encode(*amount))), account, None]
            }
        };
        parts.into_iter().map_while(|part| part).collect()
    }
}

/// Start and length of a page.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Seek {
    /// Position after which the page starts; `None` for the list's start.
    pub after: Option<KeysetPosition>,
    /// Position before which the page ends. Only pages that are read backwards have one, so that they do not overlap.
    pub until: Option<KeysetPosition>,
    /// Number of rows to skip first.
    pub offset: u64,
    /// Maximum number of rows.
    pub limit: u16,
    pub descending: bool,
}

/// Range of the preceding page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeysetPrevious {
    /// Position after which the page starts; `None` for the list's start.
    pub after: Option<KeysetPosition>,
    /// Position before which the page ends; `None` for a full page.
    pub until: Option<KeysetPosition>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeysetPage<T> {
    /// Rows in list order.
    pub rows: Vec<T>,
    /// Position of the last row; `None` on an empty page.
    pub last: Option<KeysetPosition>,
    /// Whether rows follow the page.
    pub more: bool,
    /// Range of the previous page; `None` on the first page.
    pub before: Option<KeysetPrevious>,
    /// Number of rows in the list; `None` if not requested.
    pub total: Option<i64>,
}

impl<T> Default for KeysetPage<T> {
    fn default() -> Self {
        Self { rows: Vec::new(), last: None, more: false, before: None, total: Some(0) }
    }
}

/// List as a database query.
pub(super) struct KeysetList {
    pub(super) columns: &'static str,
    /// Tables and conditions of the query, from `FROM` on, including `WHERE`.
    pub(super) source: String,
    /// Values of the conditions `?1` and so on.
    pub(super) values: Vec<Value>,
    /// Sort columns, whose combination is unique.
    pub(super) order: &'static [&'static str],
    /// Row count, if a counter has it. The query then skips a large offset from the nearer end.
    pub(super) rows: Option<i64>,
}

struct KeysetRange<'a> {
    bounds: Vec<(&'static str, &'a KeysetPosition)>,
    descending: bool,
    limit: i64,
    offset: i64,
}

impl KeysetList {
    /// Reads a page; `read` converts a row and returns the row's position.
    pub(super) fn page<T>(
        &self,
        connection: &Connection,
        seek: &Seek,
        read: impl Fn(&StoreRow<'_>) -> Result<(T, KeysetPosition), IndexError>,
    ) -> Result<KeysetPage<T>, IndexError> {
        let limit = usize::from(seek.limit);
        let mut bounds = Vec::new();
        bounds.extend(seek.after.as_ref().map(|place| (beyond(seek.descending), place)));
        bounds.extend(seek.until.as_ref().map(|place| (beyond(!seek.descending), place)));
        let take = KeysetRange {
            bounds,
            descending: seek.descending,
            limit: i64::from(seek.limit) + 1,
            offset: integer(seek.offset),
        };
        let mut found = match self.other_end_of(&take) {
            Some(take) => {
                let mut found = self.take(connection, &take, &read)?;
                found.reverse();
                found
            }
            None => self.take(connection, &take, &read)?,
        };
        let more = found.len() > limit || (seek.until.is_some() && !found.is_empty());
        found.truncate(limit);
        let before = self.before(connection, seek, found.first().map(|(_, place)| place), &read)?;
        let last = found.last().map(|(_, place)| place.clone());
        Ok(KeysetPage { rows: found.into_iter().map(|(row, _)| row).collect(), last, more, before, total: None })
    }

    /// Returns the equivalent range from the other end of the list, if it skips fewer rows.
    fn other_end_of<'a>(&self, take: &KeysetRange<'a>) -> Option<KeysetRange<'a>> {
        let behind = self.rows?.checked_sub(take.offset).filter(|behind| *behind > 0 && take.bounds.is_empty())?;
        if behind >= take.offset {
            return None;
        }
        let limit = take.limit.min(behind);
        Some(KeysetRange { bounds: Vec::new(), descending: !take.descending, limit, offset: behind - limit })
    }

    /// Returns the previous page's range, found backwards from the first row or from the page's start.
    fn before<T>(
        &self,
        connection: &Connection,
        seek: &Seek,
        first: Option<&KeysetPosition>,
        read: &impl Fn(&StoreRow<'_>) -> Result<(T, KeysetPosition), IndexError>,
    ) -> Result<Option<KeysetPrevious>, IndexError> {
        if first.is_some() && seek.after.is_none() && seek.offset == 0 {
            return Ok(None);
        }
        let bound = match (first, &seek.after) {
            (Some(first), _) => Some((beyond(!seek.descending), first)),
            (None, Some(after)) => Some((from(!seek.descending), after)),
            (None, None) => None,
        };
        let take = KeysetRange {
            bounds: bound.into_iter().collect(),
            descending: !seek.descending,
            limit: i64::from(seek.limit) + 1,
            offset: 0,
        };
        let mut nearer = self.take(connection, &take, read)?;
        if nearer.len() > usize::from(seek.limit) {
            return Ok(nearer.pop().map(|(_, place)| KeysetPrevious { after: Some(place), until: None }));
        }
        Ok((!nearer.is_empty()).then(|| KeysetPrevious { after: None, until: first.cloned() }))
    }

    fn take<T>(
        &self,
        connection: &Connection,
        take: &KeysetRange<'_>,
        read: &impl Fn(&StoreRow<'_>) -> Result<(T, KeysetPosition), IndexError>,
    ) -> Result<Vec<(T, KeysetPosition)>, IndexError> {
        let mut values = self.values.clone();
        let mut sql = format!("SELECT {} {}", self.columns, self.source);
        for (comparison, place) in &take.bounds {
            let place = place.values();
            let columns = self.order.get(..place.len()).unwrap_or(self.order).join(", ");
            let marks: Vec<String> = (values.len() + 1..).take(place.len()).map(|at| format!("?{at}")).collect();
            let _ = write!(sql, " AND ({columns}) {comparison} ({})", marks.join(", "));
            values.extend(place);
        }
        let direction = if take.descending { " DESC" } else { "" };
        let order: Vec<String> = self.order.iter().map(|column| format!("{column}{direction}")).collect();
        let at = values.len();
        let _ = write!(sql, " ORDER BY {} LIMIT ?{} OFFSET ?{}", order.join(", "), at + 1, at + 2);
        values.extend([take.limit.into(), take.offset.into()]);
        let mut statement = connection.prepare_cached(&sql)?;
        let mut rows = statement.query(&values[..])?;
        let mut found = Vec::new();
        while let Some(row) = rows.next()? {
            found.push(read(&row)?);
        }
        Ok(found)
    }
}

/// Returns the comparison operator for rows after a position in list order.
fn beyond(descending: bool) -> &'static str {
    if descending { "<" } else { ">" }
}

/// Returns the comparison operator for rows at or after a position in list order.
fn from(descending: bool) -> &'static str {
    if descending { "<=" } else { ">=" }
}
