use serde::{Deserialize, Serialize};

use super::scalar::text;
use crate::domain::Height;

/// Pagination of every list (`docs/apis/indexer.md` §2.2).
///
/// `total` is not a row count on the real server: see `docs/apis/indexer.md` §2.5.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pagination {
    /// Cursor of the previous page; the real server sets it only in offset lists.
    #[serde(default)]
    pub previous_key: Option<String>,
    /// Cursor of the next page. The real server sets it even on the last page of block and transaction lists.
    #[serde(default)]
    pub next_key: Option<String>,
    /// A count, an estimate, a height, `"0"` if not requested, or `"-1"` if counting took too long.
    #[serde(with = "text", default)]
    pub total: i64,
    /// Lowest indexed block while history is still being indexed. The list's end is then unknown, and
    /// [`Pagination::next_key`] is set even on a short page. Not on the real server, which indexes upwards.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub oldest_height: Option<Height>,
}
