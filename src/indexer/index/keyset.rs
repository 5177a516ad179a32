//! Pages of lists whose order takes several columns: each page starts after a place, not after a number of rows.

use std::fmt::Write as _;

use rusqlite::{Connection, Row, params_from_iter, types::Value};

use super::{IndexError, holders, integer};
use crate::domain::{Address, Balance};

/// Where a row stands in its list. Parts that are missing at the end skip all rows that are equal in the others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum KeysetPosition {
    /// In a list of collections.
    Collection {
        /// Its height.
        height: i64,
        /// Its number in the index.
        row: Option<i64>,
    },
    /// In a list of NFTs by token id.
    TokenById {
        /// Its id, compared as text.
        token_id: String,
        /// Its height.
        height: i64,
        /// Its number in the index.
        row: Option<i64>,
    },
    /// In a list of NFTs by height.
    TokenByHeight {
        /// Its height.
        height: i64,
        /// Its id, compared as text.
        token_id: Option<String>,
        /// Its number in the index.
        row: Option<i64>,
    },
    /// In a list of holders.
    Holder {
        /// What they hold.
        amount: Balance,
        /// Who it is.
        account: Option<Address>,
    },
}

impl KeysetPosition {
    /// The values of the order's columns, as far as they are known.
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

/// Where a page starts and how long it is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Seek {
    /// Start after this place.
    pub after: Option<KeysetPosition>,
    /// End before this place: set by keys of the page before, so that pages walked backwards do not overlap.
    pub until: Option<KeysetPosition>,
    /// Skip so many rows first.
    pub offset: u64,
    /// Rows at the most.
    pub limit: u16,
    /// From the greatest down.
    pub descending: bool,
}

/// The page before a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeysetPrevious {
    /// It starts after this place; at the start of the list where there is none.
    pub after: Option<KeysetPosition>,
    /// It ends before this place, where it may be shorter than a page.
    pub until: Option<KeysetPosition>,
}

/// A page and what lies around it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeysetPage<T> {
    /// In list order.
    pub rows: Vec<T>,
    /// Where the last row stands; `None` on an empty page.
    pub last: Option<KeysetPosition>,
    /// Whether rows follow.
    pub more: bool,
    /// The page before; `None` on the first page.
    pub before: Option<KeysetPrevious>,
    /// How many rows the list has, where that was asked.
    pub total: Option<i64>,
}

impl<T> Default for KeysetPage<T> {
    /// A list with nothing in it.
    fn default() -> Self {
        Self { rows: Vec::new(), last: None, more: false, before: None, total: Some(0) }
    }
}

/// A list as the database reads it.
pub(super) struct KeysetList {
    /// What each row is made of.
    pub(super) columns: &'static str,
    /// Tables and conditions, from `FROM` on, with a `WHERE`.
    pub(super) source: String,
    /// The values of its conditions, `?1` and so on.
    pub(super) values: Vec<Value>,
    /// The columns of its order; no two rows are equal in all of them.
    pub(super) order: &'static [&'static str],
    /// How many rows it has, where a counter knows: a large offset is then skipped from the nearer end.
    pub(super) rows: Option<i64>,
}

/// Some rows of a list.
struct KeysetRange<'a> {
    bounds: Vec<(&'static str, &'a KeysetPosition)>,
    descending: bool,
    limit: i64,
    offset: i64,
}

impl KeysetList {
    /// Reads a page; `read` makes a row and says where it stands.
    pub(super) fn page<T>(
        &self,
        connection: &Connection,
        seek: &Seek,
        read: impl Fn(&Row<'_>) -> Result<(T, KeysetPosition), IndexError>,
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

    /// The same rows of the whole list in the other direction, where fewer are to be skipped there.
    fn other_end_of<'a>(&self, take: &KeysetRange<'a>) -> Option<KeysetRange<'a>> {
        let behind = self.rows?.checked_sub(take.offset).filter(|behind| *behind > 0 && take.bounds.is_empty())?;
        if behind >= take.offset {
            return None;
        }
        let limit = take.limit.min(behind);
        Some(KeysetRange { bounds: Vec::new(), descending: !take.descending, limit, offset: behind - limit })
    }

    /// Looks back from the first row, or from where the page would have started.
    fn before<T>(
        &self,
        connection: &Connection,
        seek: &Seek,
        first: Option<&KeysetPosition>,
        read: &impl Fn(&Row<'_>) -> Result<(T, KeysetPosition), IndexError>,
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
        read: &impl Fn(&Row<'_>) -> Result<(T, KeysetPosition), IndexError>,
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
        let mut rows = statement.query(params_from_iter(values))?;
        let mut found = Vec::new();
        while let Some(row) = rows.next()? {
            found.push(read(row)?);
        }
        Ok(found)
    }
}

/// The comparison for what follows a place in list order.
fn beyond(descending: bool) -> &'static str {
    if descending { "<" } else { ">" }
}

/// The comparison for a place and what follows it.
fn from(descending: bool) -> &'static str {
    if descending { "<=" } else { ">=" }
}
