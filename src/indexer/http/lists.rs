use std::sync::Mutex;

use super::{
    paging::{KeyKind, Paging},
    query::{Query, decode},
    reply::{Refusal, Reply, json},
    value,
};
use crate::{
    domain::{MsgType, Vm},
    indexer::index::{BlockPage, Index, Neighbours, SeenCollection, TxScope},
    wire::{BlockResponse, BlocksResponse, Pagination},
};

/// The lists and records of one index, by the specification or with the real server's quirks.
pub(super) struct Lists<'a> {
    pub(super) index: &'a Index,
    pub(super) chain_id: &'a str,
    pub(super) quirks: bool,
    pub(super) vm: Vm,
    pub(super) has_rich_list: bool,
    /// What searches by name have seen so far: the real server never looks at a collection twice.
    pub(super) seen: &'a Mutex<Vec<SeenCollection>>,
    /// The ids of NFTs whose collection is lost.
    pub(super) orphans: &'a [String],
}

impl Lists<'_> {
    /// A path parameter's value: the real server does not decode it.
    pub(super) fn parameter(&self, raw: &str) -> String {
        if self.quirks { raw.to_owned() } else { decode(raw).into_owned() }
    }

    /// `GET /indexer/block/v1/avg_blocktime`: seconds, written as Go writes a float.
    pub(super) fn avg_block_time(&self) -> Result<Reply, Refusal> {
        let seconds = match self.index.recent_times()? {
            Some((oldest, newest, intervals)) => {
                let intervals = u32::try_from(intervals).unwrap_or(1);
                newest.since(oldest).as_secs_f64() / f64::from(intervals)
            }
            None => 0.0,
        };
        Ok(Reply::raw(format!("{{\"avg_block_time\":{seconds}}}").into_bytes()))
    }

    /// `GET /indexer/block/v1/blocks`: always counted.
    pub(super) fn blocks(&self, query: &Query) -> Result<Reply, Refusal> {
        let paging = Paging::read(query, KeyKind::Height)?;
        let BlockPage { blocks, neighbours, bounds } = self.index.blocks(self.chain_id, &paging.range)?;
        let total = bounds.map_or(0, |held| if self.quirks { held.tip.get() } else { held.blocks() });
        let total = i64::try_from(total).unwrap_or(i64::MAX);
        let pagination = if self.quirks {
            paging.by_real_server(&neighbours, blocks.len(), total)
        } else {
            paging.by_specification(&neighbours, total)
        };
        Reply::json(&BlocksResponse { blocks, pagination })
    }

    /// `GET /indexer/block/v1/blocks/{height}`.
    pub(super) fn block(&self, height: &str) -> Result<Reply, Refusal> {
        let height = value::height(&self.parameter(height))?;
        match self.index.block(self.chain_id, height)? {
            Some(block) => Reply::json(&BlockResponse { block }),
            None => Err(Refusal::NotFound("[NOT_FOUND] block not found".to_owned())),
        }
    }

    /// `GET /indexer/tx/v1/txs/{tx_hash}`.
    pub(super) fn tx(&self, hash: &str) -> Result<Reply, Refusal> {
        let body = match value::tx_hash(&self.parameter(hash))? {
            Some(hash) => self.index.tx(&hash)?,
            None => None,
        };
        let body = body.ok_or_else(|| Refusal::NotFound("[NOT_FOUND] transaction not found".to_owned()))?;
        Ok(Reply::raw([b"{\"tx\":".as_slice(), &body, b"}"].concat()))
    }

    /// `GET /indexer/tx/v1/txs`.
    pub(super) fn txs(&self, query: &Query) -> Result<Reply, Refusal> {
        self.page(Some(TxScope::Chain), &self.message_types(query)?, query)
    }

    /// `GET /indexer/tx/v1/txs/by_account/{account}`: only the exact text `true` asks for signed ones.
    pub(super) fn txs_by_account(&self, account: &str, query: &Query) -> Result<Reply, Refusal> {
        let account = value::account(&self.parameter(account))?;
        let signed = query.first("is_signer") == Some("true");
        let scope = if signed { TxScope::Signer(account) } else { TxScope::Account(account) };
        self.page(Some(scope), &self.message_types(query)?, query)
    }

    /// `GET /indexer/tx/v1/txs/by_height/{height}`.
    pub(super) fn txs_by_height(&self, height: &str, query: &Query) -> Result<Reply, Refusal> {
        let height = value::height(&self.parameter(height))?;
        self.page(Some(TxScope::Height(height)), &self.message_types(query)?, query)
    }

    /// `GET /indexer/nft/v1/txs/{collection_addr}/{token_id}`: nothing for what is burned.
    pub(super) fn nft_txs(&self, collection: &str, token_id: &str, query: &Query) -> Result<Reply, Refusal> {
        let collection = value::collection(&self.parameter(collection))?;
        self.page(self.index.nft_scope(&collection, &self.parameter(token_id))?, &[], query)
    }

    /// Without a scope nothing can be in the list.
    fn page(&self, scope: Option<TxScope>, message_types: &[MsgType], query: &Query) -> Result<Reply, Refusal> {
        let paging = Paging::read(query, KeyKind::Sequence)?;
        let Some(scope) = scope else {
            let pagination = if self.quirks {
                paging.by_real_server(&Neighbours::default(), 0, 0)
            } else {
                paging.by_specification(&Neighbours::default(), 0)
            };
            return write_page(&[], &pagination);
        };
        if self.quirks && !message_types.is_empty() {
            match scope {
                TxScope::Account(_) | TxScope::Signer(_) => return Err(Refusal::Internal),
                TxScope::Height(_) if paging.has_cursor() => return Err(Refusal::Internal),
                TxScope::Height(_) | TxScope::Chain | TxScope::Nft(_) => {}
            }
        }
        let page = self.index.txs(scope, message_types, &paging.range, paging.count_total)?;
        let pagination = if self.quirks {
            let highest = page.bounds.map_or(0, |held| held.next_sequence.saturating_sub(1));
            let highest = i64::try_from(highest).unwrap_or(i64::MAX);
            let unfiltered = matches!(scope, TxScope::Chain) && message_types.is_empty();
            let total = page.total.map_or(0, |count| if unfiltered { highest } else { count });
            paging.by_real_server(&page.neighbours, page.rows, total)
        } else {
            paging.by_specification(&page.neighbours, page.total.unwrap_or(0))
        };
        write_page(&page.json, &pagination)
    }

    /// The message filter. By the specification repeated or with commas, and an unknown type matches nothing; the real
    /// server knows the repeated form only and drops unknown names, up to no filter at all (`wire/indexer.md` §5.3).
    fn message_types(&self, query: &Query) -> Result<Vec<MsgType>, Refusal> {
        if self.quirks {
            let exact = query.all("msgs").filter(|name| !name.starts_with('/')).map(MsgType::new);
            return Ok(self.index.known(&exact.collect::<Vec<_>>())?);
        }
        let names = query.all("msgs").flat_map(|names| names.split(',')).map(str::trim).filter(|name| !name.is_empty());
        Ok(names.map(MsgType::new).collect())
    }
}

fn write_page(txs: &[u8], pagination: &Pagination) -> Result<Reply, Refusal> {
    let pagination = json(pagination)?;
    let mut body = Vec::with_capacity(txs.len() + pagination.len() + 32);
    body.extend_from_slice(b"{\"txs\":[");
    body.extend_from_slice(txs);
    body.extend_from_slice(b"],\"pagination\":");
    body.extend_from_slice(pagination.as_bytes());
    body.push(b'}');
    Ok(Reply::raw(body))
}
