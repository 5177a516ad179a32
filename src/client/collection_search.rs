//! Search of collections by name: servers search differently (`docs/apis/indexer.md` §6.3).
//!
//! The real server compares only letters and digits, cannot decode an encoded character, and may miss existing
//! collections. The client therefore sends the name without other characters. If the server finds nothing, or the name
//! has other letters, the client scans all collections.

use std::{collections::HashSet, sync::Arc};

use super::{
    indexer::IndexerClient,
    paging::{offset_key, offset_of, value},
    rows::RowForm,
};
use crate::{
    domain::text::letters_and_digits,
    msg::{CollectionScope, ListPage, Note, PageRequest, PageStart, Total},
    wire::{ApiError, Collection},
};

/// Rows per scanned page: the server's maximum.
const SCAN_PAGE: u16 = 1000;

/// Maximum scanned pages.
const SCAN_PAGES: usize = 5;

impl IndexerClient {
    /// Returns a page of collections by name: from the server, else from a scan.
    pub(super) async fn named_collections<R: RowForm<Collection>>(
        &self,
        scope: &CollectionScope,
        page: &PageRequest,
    ) -> Result<ListPage<Arc<R>>, ApiError> {
        let (CollectionScope::Name(name) | CollectionScope::NameAtServer(name)) = scope else {
            return self.page(scope, page).await;
        };
        let mut found = ListPage { items: Vec::new(), next: None, total: Total::Unknown, notes: Vec::new() };
        if let Some(plain) = sendable(name) {
            found = self.page(&CollectionScope::NameAtServer(plain.into()), page).await?;
        }
        if found.items.is_empty() && matches!(scope, CollectionScope::Name(_)) {
            return self.search(name, page).await;
        }
        Ok(found)
    }

    /// Scans the list of all collections. The page key is an offset among the matches, as on the server, so the server
    /// and this scan can continue each other's list.
    async fn search<R: RowForm<Collection>>(
        &self,
        name: &str,
        page: &PageRequest,
    ) -> Result<ListPage<Arc<R>>, ApiError> {
        let filter = NameFilter::new(name);
        let mut request =
            PageRequest { cursor: PageStart::Start, limit: SCAN_PAGE, order: page.order, count_total: false };
        let (mut fitting, mut scanned, mut is_whole) = (Vec::new(), 0, false);
        // Collections of one height have no order, so a row may repeat on the next page.
        let mut seen = HashSet::new();
        for _ in 0..SCAN_PAGES {
            let rows: ListPage<Arc<R>> = self.page(&CollectionScope::All, &request).await?;
            let (rows, rest) = rows.into_listed();
            scanned += rows.len();
            // An unreadable row may match, so it stays.
            fitting.extend(rows.into_iter().filter(|row| {
                let fits = |row: &Arc<R>| {
                    let collection = value(row);
                    filter.fits(collection) && seen.insert(collection.object_addr.clone())
                };
                row.read().is_none_or(fits)
            }));
            let Some(next) = rest.next else {
                is_whole = true;
                break;
            };
            request.cursor = PageStart::Key(next);
        }
        let start = offset_of(&page.cursor).unwrap_or_default();
        let end = start.saturating_add(u64::from(page.limit));
        let found = fitting.len() as u64;
        let skip = usize::try_from(start).unwrap_or(usize::MAX);
        let rest = ListPage {
            items: Vec::new(),
            next: (end < found).then(|| offset_key(end)),
            total: if is_whole { Total::Exact(found) } else { Total::Unknown },
            notes: vec![Note::FilteredHere { scanned }],
        };
        Ok(ListPage::of_listed(fitting.into_iter().skip(skip).take(page.limit.into()).collect(), rest))
    }
}

/// Returns the part of a name that every server accepts: letters and digits, if the name is ASCII.
fn sendable(name: &str) -> Option<String> {
    Some(letters_and_digits(name)).filter(|plain| name.is_ascii() && !plain.is_empty())
}

struct NameFilter {
    normal: String,
    exact: String,
}

impl NameFilter {
    fn new(name: &str) -> Self {
        Self { normal: letters_and_digits(name), exact: name.trim().to_lowercase() }
    }

    /// Whether a collection matches. A name without letters and digits must match literally.
    fn fits(&self, collection: &Collection) -> bool {
        let facts = &collection.collection;
        [&facts.name, &facts.origin_name].into_iter().any(|name| match self.normal.as_str() {
            "" => name.as_received().to_lowercase().contains(&self.exact),
            normal => letters_and_digits(name.as_received()).contains(normal),
        })
    }
}
