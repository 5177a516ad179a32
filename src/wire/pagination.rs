use serde::{Deserialize, Serialize};

use super::scalar::text;
use crate::domain::Height;

/// The pagination object of every list (`docs/apis/indexer.md` §2.2).
///
/// `total` is not a row count on the real server: see `docs/apis/indexer.md` §2.5.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pagination {
    /// Cursor of the page before; only offset lists of the real server ever fill it.
    #[serde(default)]
    pub previous_key: Option<String>,
    /// Cursor of the next page. The real server sends one on the last page of block and tx lists too.
    #[serde(default)]
    pub next_key: Option<String>,
    /// A count, an estimate, a height, `"0"` when not asked for, or `"-1"` when counting took too long.
    #[serde(with = "text", default)]
    pub total: i64,
    /// While history is being indexed: the lowest block that the list is read from. Its end is not known yet then, and
    /// [`Pagination::next_key`] is there on a short page too. Not on the real server, which indexes upwards.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub oldest_height: Option<Height>,
}
