use super::{
    api::{Api, lacks},
    paging::{PageQuery, PaginationKey, by_offset},
    reply::{HttpRefusal, Reply},
    request::{HttpRequest, decode},
    seeking::SeekOrder,
};
use crate::{
    domain::Vm,
    indexer::index::{KeysetPage, TokenKey},
    wire::{HoldersResponse, Pagination, TokenContract, TokenContractsResponse},
};

impl Api {
    /// Handles `GET /indexer/richlist/v1/{denom}`. An unknown token has an empty list; on an EVM rollup, a denom
    /// unknown to the node is an error (`docs/apis/indexer.md` §7).
    pub(super) fn holders(&self, request: &HttpRequest<'_>) -> Result<Reply, HttpRefusal> {
        let seeking = self.seeking(&request.query, SeekOrder::Holders)?;
        let denom = request.parameter(0);
        // The real server decodes only this escape in a path.
        let denom = if self.quirks { denom.replace("%2F", "/") } else { decode(denom).into_owned() };
        let has_state = self.has_state();
        let key = self.token_key(&denom).filter(|_| self.has_rich_list);
        let page = match &key {
            Some(key) => self.index.holders(key, &seeking.seek)?,
            None => None,
        };
        let is_partial = match &key {
            Some(key) if page.is_none() => self.index.is_partly_listed(key)?,
            _ => false,
        };
        // Above a gap, balances of contracts' tokens stay unknown: waiting does not help.
        if let Some(gap) = self.index.gaps()?.iter().next_back().filter(|_| is_partial) {
            return Err(HttpRefusal::NotFound(format!("[NOT_FOUND] the balances are unknown: {}", lacks(gap))));
        }
        if is_partial || page.is_none() && self.has_rich_list && !has_state {
            return Err(self.lacks_state()?);
        }
        if page.is_none() && self.has_rich_list && self.vm == Vm::Evm && !denom.starts_with("0x") {
            let unknown = || HttpRefusal::NotFound(format!("[NOT_FOUND] the index knows no token {denom}"));
            return Err(if self.quirks { unknown_denom(&denom) } else { unknown() });
        }
        let page = page.unwrap_or_else(KeysetPage::default);
        let total = page.total.filter(|_| seeking.count_total).unwrap_or(0);
        let pagination =
            if self.quirks { seeking.paginate_really(&page, total) } else { self.partial(seeking.paginate(&page))? };
        Reply::json(&HoldersResponse { holders: page.rows, pagination })
    }

    /// Handles `GET /indexer/token/v1/contracts`, which the real server lacks. Once the history is complete, the
    /// list grows at its newer end only, so that page keys are row offsets.
    pub(super) fn token_contracts(&self, request: &HttpRequest<'_>) -> Result<Reply, HttpRefusal> {
        let PageQuery { limit, offset, descending, count_total, key } = PageQuery::read(&request.query)?;
        let offset = if let Some(PaginationKey::Offset(offset)) = key { offset } else { offset };
        let (denoms, total) = self.index.contract_tokens(limit, offset, descending)?;
        let more = offset.saturating_add(denoms.len() as u64) < total && !denoms.is_empty();
        let counted = if count_total { i64::try_from(total).unwrap_or(i64::MAX) } else { 0 };
        let contracts = denoms.into_iter().map(|denom| TokenContract { denom: denom.to_string() }).collect();
        let pagination = Pagination { oldest_height: self.filling()?, ..by_offset(offset, limit, more, counted) };
        Reply::json(&TokenContractsResponse { contracts, pagination })
    }

    /// Returns the key for looking up a token; `None` if no such token can exist.
    fn token_key(&self, denom: &str) -> Option<TokenKey> {
        match self.vm {
            Vm::Evm if denom.starts_with("0x") => denom.parse().ok().map(TokenKey::Contract),
            Vm::Move => match denom.strip_prefix("move/").and_then(|metadata| metadata.parse().ok()) {
                Some(metadata) => Some(TokenKey::Metadata(metadata)),
                None => Some(TokenKey::Denom(denom.to_owned())),
            },
            Vm::Evm | Vm::Wasm => Some(TokenKey::Denom(denom.to_owned())),
        }
    }
}

/// Returns the real server's error for a denom that its node does not know.
fn unknown_denom(denom: &str) -> HttpRefusal {
    HttpRefusal::Node(format!(
        "exhausted all endpoints: [NETWORK_ERROR] network request to \
         http://node/minievm/evm/v1/contracts/by_denom?denom={denom} failed: HTTP 404: \
         {{\"code\":5,\"message\":\"denom not found\",\"details\":[]}}"
    ))
}
