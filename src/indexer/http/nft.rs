//! NFT collections and tokens.

use super::{
    api::Api,
    reply::{HttpRefusal, Reply},
    request::{HttpRequest, QueryString},
    seeking::{SeekOrder, Seeking},
    value,
};
use crate::{
    domain::Address,
    indexer::index::{CollectionSelection, KeysetPage, KeysetPosition, TokenSelection, TokenSorting, sought},
    wire::{Collection, CollectionResponse, CollectionsResponse, TokensResponse},
};

/// The real server's database counts a table again after this number of changed rows plus this fraction of its rows.
const CHANGES: i64 = 50;
const CHANGES_PART: i64 = 10;

impl Api {
    /// Handles `GET /indexer/nft/v1/collections`.
    pub(super) fn collections(&self, request: &HttpRequest<'_>) -> Result<Reply, HttpRefusal> {
        self.collection_page(&CollectionSelection::All, &request.query)
    }

    /// Handles `GET /indexer/nft/v1/collections/by_account/{account}`: collections in which the account owns a token.
    pub(super) fn collections_by_account(&self, request: &HttpRequest<'_>) -> Result<Reply, HttpRefusal> {
        let account = value::account(&self.value(request.parameter(0)))?;
        self.collection_page(&CollectionSelection::Owned(account), &request.query)
    }

    fn collection_page(&self, scope: &CollectionSelection, query: &QueryString) -> Result<Reply, HttpRefusal> {
        let seeking = self.seeking(query, SeekOrder::Collections)?;
        self.needs_nfts()?;
        if seeking.is_misplaced() && matches!(scope, CollectionSelection::Owned(_)) {
            return Err(HttpRefusal::Internal);
        }
        let page = self.index.collections(scope, &seeking.seek, self.quirks, seeking.count_total)?;
        let counted = page.total.unwrap_or(0);
        let pagination = match (self.quirks, scope) {
            (false, _) => self.partial(seeking.paginate(&page))?,
            (true, CollectionSelection::All) if seeking.count_total => {
                seeking.paginate_really(&page, estimate(counted))
            }
            (true, _) => seeking.paginate_really(&page, counted),
        };
        Reply::json(&CollectionsResponse { collections: page.rows, pagination })
    }

    /// Handles `GET /indexer/nft/v1/collections/by_name/{name}`: collections whose name contains these letters and
    /// digits.
    pub(super) fn collections_by_name(&self, request: &HttpRequest<'_>) -> Result<Reply, HttpRefusal> {
        let name = sought(&self.value(request.parameter(0)));
        if !self.quirks {
            return self.collection_page(&CollectionSelection::Named(name), &request.query);
        }
        let mut seeking = self.seeking(&request.query, SeekOrder::Collections)?;
        seeking.forget_place();
        let page = self.seen_page(&name, &seeking)?;
        let pagination = seeking.paginate_really(&page, page.total.unwrap_or(0));
        Reply::json(&CollectionsResponse { collections: page.rows, pagination })
    }

    /// Searches the collections that earlier searches read, after reading newer collections (`docs/apis/indexer.md`
    /// §6.3).
    fn seen_page(&self, name: &str, seeking: &Seeking) -> Result<KeysetPage<Collection>, HttpRefusal> {
        let mut seen = self.seen.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let highest = seen.last().map_or(0, |last| last.collection.height.get());
        seen.extend(self.index.recent_collections(highest)?);
        let is_found = |text: &str| text.contains(name);
        let mut found: Vec<&Collection> = seen
            .iter()
            .filter(|seen| is_found(&seen.sought_name) || is_found(&seen.sought_origin))
            .map(|seen| &seen.collection)
            .collect();
        if seeking.seek.descending {
            found.reverse();
        }
        let total = i64::try_from(found.len()).ok();
        let skipped = usize::try_from(seeking.seek.offset).unwrap_or(usize::MAX);
        let rows: Vec<Collection> =
            found.into_iter().skip(skipped).take(usize::from(seeking.seek.limit)).cloned().collect();
        let height = rows.last().and_then(|last| i64::try_from(last.height.get()).ok());
        Ok(KeysetPage {
            last: height.map(|height| KeysetPosition::Collection { height, row: None }),
            rows,
            total,
            ..KeysetPage::default()
        })
    }

    /// Handles `GET /indexer/nft/v1/collections/{collection_addr}`.
    pub(super) fn collection(&self, request: &HttpRequest<'_>) -> Result<Reply, HttpRefusal> {
        let address = value::collection(&self.value(request.parameter(0)))?;
        self.needs_nfts()?;
        match self.index.collection(&address, self.quirks)? {
            Some(collection) => Reply::json(&CollectionResponse { collection }),
            None => Err(HttpRefusal::NotFound("nft collection not found".to_owned())),
        }
    }

    /// Handles `GET /indexer/nft/v1/tokens/by_account/{account}`.
    pub(super) fn tokens_by_account(&self, request: &HttpRequest<'_>) -> Result<Reply, HttpRefusal> {
        let owner = Some(value::account(&self.value(request.parameter(0)))?);
        let collection = request.query.first("collection_addr").filter(|text| !text.is_empty());
        let collection = collection.map(value::collection).transpose()?;
        self.token_page(owner, collection, &request.query)
    }

    /// Handles `GET /indexer/nft/v1/tokens/by_collection/{collection_addr}`.
    pub(super) fn tokens_by_collection(&self, request: &HttpRequest<'_>) -> Result<Reply, HttpRefusal> {
        let collection = value::collection(&self.value(request.parameter(0)))?;
        self.token_page(None, Some(collection), &request.query)
    }

    fn token_page(
        &self,
        owner: Option<Address>,
        collection: Option<Address>,
        query: &QueryString,
    ) -> Result<Reply, HttpRefusal> {
        let order = token_order(query.first("order_by").unwrap_or_default())?;
        let token_id = query.first("token_id").filter(|text| !text.is_empty()).map(ToOwned::to_owned);
        let places = if order == TokenSorting::Height { SeekOrder::TokenHeight } else { SeekOrder::TokenId };
        let seeking = self.seeking(query, places)?;
        self.needs_nfts()?;
        let scope = TokenSelection { owner, collection, token_id };
        let page = self.index.tokens(&scope, order, &seeking.seek, seeking.count_total)?;
        let pagination = if self.quirks {
            seeking.paginate_really(&page, page.total.unwrap_or(0))
        } else {
            self.partial(seeking.paginate(&page))?
        };
        Reply::json(&TokensResponse { tokens: page.rows, pagination })
    }

    /// Parses the paging of a list sorted by several columns.
    pub(super) fn seeking(&self, query: &QueryString, order: SeekOrder) -> Result<Seeking, HttpRefusal> {
        if self.quirks { Seeking::by_real_server(query, order) } else { Seeking::by_specification(query, order) }
    }
}

/// Parses `order_by`; the default is the token id.
fn token_order(text: &str) -> Result<TokenSorting, HttpRefusal> {
    match text.trim().to_lowercase().as_str() {
        "" | "token_id" => Ok(TokenSorting::TokenId),
        "height" => Ok(TokenSorting::Height),
        _ => Err(HttpRefusal::Bad(format!("invalid order_by value '{text}', must be one of: token_id, height"))),
    }
}

/// Returns the real server's estimate: the number of rows at its last count, or -1 before the first count.
fn estimate(rows: i64) -> i64 {
    let mut counted = 0;
    loop {
        let next = counted + counted / CHANGES_PART + CHANGES + 1;
        if next > rows {
            return if counted == 0 { -1 } else { counted };
        }
        counted = next;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_estimate_is_unknown_at_first_and_stale_later() {
        for (rows, expected) in [(0, -1), (8, -1), (50, -1), (51, 51), (106, 51), (107, 107), (1_000, 937)] {
            assert_eq!(estimate(rows), expected, "{rows}");
        }
    }

    #[test]
    fn orders_are_read_in_any_case() {
        for (text, expected) in
            [("", TokenSorting::TokenId), (" Token_ID ", TokenSorting::TokenId), ("HEIGHT", TokenSorting::Height)]
        {
            assert_eq!(token_order(text).unwrap(), expected);
        }
        let refused = token_order("foo").unwrap_err().to_string();
        assert_eq!(refused, "invalid order_by value 'foo', must be one of: token_id, height");
    }
}
