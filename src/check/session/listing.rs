//! Whole lists of the indexer, with the total as received.

use serde::Deserialize;
use serde_json::Value;

use crate::{
    check::ListedRows,
    client::{IndexerClient, ListEndpoint},
    msg::{ListPage, ListedRow, Order, PageKey, PageRequest, PageStart},
    wire::ApiError,
};

/// Maximum rows of a page.
const PAGE: u16 = 1_000;

/// Returns all rows of a list in the chain's order, with the total.
pub(super) async fn whole<Q: ListEndpoint>(client: &IndexerClient, query: &Q) -> Result<ListedRows, ApiError> {
    let mut asked = PageRequest { cursor: PageStart::Start, limit: PAGE, order: Order::Ascending, count_total: true };
    let (page, body) = client.list_and_body(query, &asked).await?;
    let total = body.as_deref().and_then(total_of);
    let (mut rows, mut next) = taken(page);
    while let Some(key) = next {
        asked = PageRequest { cursor: PageStart::Key(key), count_total: false, ..asked };
        let (more, further) = taken(client.list_verbatim(query, &asked).await?);
        // An empty page has no usable next key.
        next = further.filter(|_| !more.is_empty());
        rows.extend(more);
    }
    Ok(ListedRows { rows, total })
}

/// Returns the rows of a page as received, and the start of the next page.
pub(super) fn taken<T>(page: ListPage<std::sync::Arc<crate::wire::Verbatim<T>>>) -> (Vec<Value>, Option<PageKey>) {
    let (rows, rest) = page.into_listed();
    let value = |row: ListedRow<std::sync::Arc<crate::wire::Verbatim<T>>>| {
        let json = match &row {
            ListedRow::Read(row) => row.raw.get(),
            ListedRow::Unreadable(row) => &*row.raw,
        };
        serde_json::from_str(json).unwrap_or_else(|_| Value::from(json))
    };
    (rows.into_iter().map(value).collect(), rest.next)
}

/// Returns the total in a response body; `None` if the indexer stopped counting.
pub(super) fn total_of(body: &[u8]) -> Option<u64> {
    #[derive(Deserialize)]
    struct Counted {
        pagination: CountedRows,
    }
    #[derive(Deserialize)]
    struct CountedRows {
        total: String,
    }
    serde_json::from_slice::<Counted>(body).ok()?.pagination.total.parse().ok()
}
