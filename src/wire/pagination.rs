use serde::{Deserialize, Serialize};

use super::scalar::text;
use crate::domain::Height;

/// Pagination of every list (`docs/apis/indexer.md` §2.2).
///
/// On the real server `total` is not a row count: see `docs/apis/indexer.md` §2.5.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pagination {
    /// Cursor of the previous page. The real server sets it only in lists with offsets.
    #[serde(default)]
    pub previous_key: Option<String>,
    /// Cursor of the next page. The real server sets it even on the last page of block and transaction lists.
    #[serde(default)]
    pub next_key: Option<String>,
    /// Row count, estimate or height; `"0"` if the client did not request it; `"-1"` if counting took too long.
    #[serde(with = "text", default)]
    pub total: i64,
    /// Lowest indexed block, while the server still indexes history. The end of the list is then unknown, and
    /// [`Pagination::next_key`] is set even on a short page. The real server, which indexes upwards, lacks the field.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub oldest_height: Option<Height>,
    /// Whether the list lacks rows of blocks whose results the node refuses. The real server lacks the field.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_partial: bool,
}
