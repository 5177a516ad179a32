//! Blocks and transactions.

use std::num::NonZeroU64;

use super::{
    api::{Api, absent},
    paging::{CursorField, KeyForm, Paging, PlainKeys, UNKNOWN_TOTAL},
    reply::{HttpRefusal, Reply, json},
    request::{HttpRequest, QueryString},
    value,
};
use crate::{
    domain::{LocalPacket, MsgType},
    indexer::index::{
        ChainPlace, FoundBlocks, Index, IndexFeed, Neighbours, PacketHash, PartLack, RecordKind, TxSelection,
    },
    wire::{Block, BlockPart, BlockResponse, BlocksResponse, Pagination},
};

impl Api {
    /// Handles `GET /indexer/block/v1/avg_blocktime`: seconds, formatted like a Go float.
    pub(super) fn avg_block_time(&self, _: &HttpRequest<'_>) -> Result<Reply, HttpRefusal> {
        let seconds = match self.index.recent_times()? {
            Some((oldest, newest, intervals)) => {
                let intervals = u32::try_from(intervals).unwrap_or(1);
                newest.since(oldest).as_secs_f64() / f64::from(intervals)
            }
            None => 0.0,
        };
        Ok(Reply::raw(format!("{{\"avg_block_time\":{seconds}}}").into_bytes()))
    }

    /// Handles `GET /indexer/block/v1/blocks`; the response always has a total.
    pub(super) fn blocks(&self, request: &HttpRequest<'_>) -> Result<Reply, HttpRefusal> {
        let paging = Paging::read(&request.query, CursorField::Height)?;
        let FoundBlocks { blocks, neighbours, bounds, oldest } =
            self.index.blocks(&self.index.chain_id(), &paging.range)?;
        let total = bounds.map_or(0, |held| if self.quirks { held.tip.get() } else { held.blocks() });
        let total = i64::try_from(total).unwrap_or(i64::MAX);
        let pagination = if self.quirks {
            paging.by_real_server(&neighbours, blocks.len(), total)
        } else {
            paging.by_specification(&neighbours, total, oldest, &PlainKeys)?
        };
        let blocks: Vec<Block> = blocks.into_iter().map(|block| self.in_mode(block)).collect();
        Reply::json(&BlocksResponse { blocks, pagination })
    }

    fn in_mode(&self, block: Block) -> Block {
        if self.quirks { Block { proposer: block.proposer.by_real_server(), ..block } } else { block }
    }

    /// Handles `GET /indexer/block/v1/blocks/{height}`.
    pub(super) fn block(&self, request: &HttpRequest<'_>) -> Result<Reply, HttpRefusal> {
        let height = value::height(&self.value(request.parameter(0)))?;
        let oldest = self.filling()?.filter(|oldest| height < *oldest);
        if let Some(block) = self.index.block(&self.index.chain_id(), height)? {
            return Reply::json(&BlockResponse { block: self.in_mode(block) });
        }
        self.needs_block(height)?;
        Err(absent("[NOT_FOUND] block not found", oldest))
    }

    /// Handles `GET /indexer/tx/v1/txs/{tx_hash}`.
    pub(super) fn tx(&self, request: &HttpRequest<'_>) -> Result<Reply, HttpRefusal> {
        let oldest = self.filling()?;
        let Some(hash) = value::tx_hash(&self.value(request.parameter(0)))? else {
            return Err(absent("[NOT_FOUND] transaction not found", oldest));
        };
        let heights: Vec<_> = self.index.txs_of(&hash)?.into_iter().map(|record| record.height).collect();
        let Some(body) = self.index.tx(&hash)? else {
            let lack = self.index.lack_of_tx(&hash)?.filter(|_| !self.quirks);
            let absent = || absent("[NOT_FOUND] transaction not found", oldest);
            return Err(lack.map_or_else(absent, HttpRefusal::from));
        };
        // The real server knows one record of a hash.
        let blocks = if heights.len() > 1 && !self.quirks {
            let heights: Vec<String> = heights.iter().map(ToString::to_string).collect();
            format!(",\"heights\":{}", json(&heights)?)
        } else {
            String::new()
        };
        Ok(Reply::raw([b"{\"tx\":".as_slice(), &body, blocks.as_bytes(), b"}"].concat()))
    }

    /// Handles `GET /indexer/tx/v1/txs`.
    pub(super) fn txs(&self, request: &HttpRequest<'_>) -> Result<Reply, HttpRefusal> {
        self.page(Some(TxSelection::Chain), &self.message_types(&request.query)?, &request.query)
    }

    /// Handles `GET /indexer/tx/v1/txs/by_account/{account}`.
    pub(super) fn txs_by_account(&self, request: &HttpRequest<'_>) -> Result<Reply, HttpRefusal> {
        let account = value::account(&self.value(request.parameter(0)))?;
        let signed = self.asks_for_signer(&request.query);
        let scope =
            if signed { TxSelection::Signer(account) } else { TxSelection::Account(account, self.account_rules()) };
        self.page(Some(scope), &self.message_types(&request.query)?, &request.query)
    }

    /// Handles `GET /indexer/tx/v1/txs/by_height/{height}`.
    pub(super) fn txs_by_height(&self, request: &HttpRequest<'_>) -> Result<Reply, HttpRefusal> {
        let height = value::height(&self.value(request.parameter(0)))?;
        self.needs_block(height)?;
        // A list without the rows says that it is partial; the block tells how many they are.
        if let Some(lack @ PartLack::BelowFloor(_)) = self.index.lack_of(height, BlockPart::Results, None)?
            && !self.quirks
        {
            return Err(lack.into());
        }
        self.page(Some(TxSelection::Height(height)), &self.message_types(&request.query)?, &request.query)
    }

    /// Handles `GET /indexer/nft/v1/txs/{collection_addr}/{token_id}`; the list of a burned token is empty.
    pub(super) fn nft_txs(&self, request: &HttpRequest<'_>) -> Result<Reply, HttpRefusal> {
        let collection = value::collection(&self.value(request.parameter(0)))?;
        self.needs_nfts()?;
        let token_id = self.value(request.parameter(1));
        let scope = self.index.nft_scope(&collection, &token_id, self.account_rules())?;
        self.page(scope, &[], &request.query)
    }

    /// Handles `GET /indexer/ibc/v1/packets/{side}/{port}/{channel}/{sequence}`, which the real server lacks.
    pub(super) fn packet_txs(&self, request: &HttpRequest<'_>) -> Result<Reply, HttpRefusal> {
        let part = |place| self.value(request.parameter(place));
        let unreadable = |name, text| HttpRefusal::Bad(format!("[INVALID_VALUE] invalid value for {name}: {text}"));
        let end = LocalPacket {
            side: part(0).parse().map_err(|_| unreadable("side", part(0)))?,
            port: part(1),
            channel: part(2),
            sequence: part(3).parse::<NonZeroU64>().map_err(|_| unreadable("sequence", part(3)))?.get(),
        };
        self.page(Some(TxSelection::Packet(PacketHash::of(&end))), &[], &request.query)
    }

    /// Returns a page of the selection; without a selection, an empty page.
    fn page(
        &self,
        scope: Option<TxSelection>,
        message_types: &[MsgType],
        query: &QueryString,
    ) -> Result<Reply, HttpRefusal> {
        let (paging, keys) = self.record_paging(query, RecordKind::Tx)?;
        let Some(scope) = scope else {
            let pagination = if self.quirks {
                paging.by_real_server(&Neighbours::default(), 0, 0)
            } else {
                paging.by_specification(&Neighbours::default(), 0, self.filling()?, &keys)?
            };
            return write_page(Vec::new(), &pagination);
        };
        if self.quirks && !message_types.is_empty() {
            match scope {
                TxSelection::Account(..) | TxSelection::Signer(_) => return Err(HttpRefusal::Internal),
                TxSelection::Height(_) if paging.has_cursor() => return Err(HttpRefusal::Internal),
                _ => {}
            }
        }
        let page = self.index.txs(scope, message_types, &paging.range, paging.count_total)?;
        let pagination = if self.quirks {
            let highest = page.bounds.map_or(0, |held| held.next_sequence.saturating_sub(1));
            let unfiltered = matches!(scope, TxSelection::Chain) && message_types.is_empty();
            let total = match (page.total, page.offset) {
                (None, _) => 0,
                // Records below the first stored block are unknown, so the total is too.
                (Some(_), None) if !matches!(scope, TxSelection::Height(_)) => UNKNOWN_TOTAL,
                (Some(_), Some(offset)) if unfiltered => i64::try_from(highest - offset).unwrap_or(i64::MAX),
                (Some(count), _) => count,
            };
            paging.by_real_server(&page.neighbours, page.rows, total)
        } else {
            let pagination = paging.by_specification(&page.neighbours, page.total.unwrap_or(0), page.oldest, &keys)?;
            Pagination { is_partial: page.is_partial, ..pagination }
        };
        write_page(page.json, &pagination)
    }

    /// Parses the query of a record list. Its keys are the chain's own sequence numbers if the source has them, else
    /// positions. In quirks mode keys are always numbers, the chain's own after they are known.
    pub(super) fn record_paging<'a>(
        &'a self,
        query: &QueryString,
        kind: RecordKind,
    ) -> Result<(Paging, PlaceKeys<'a>), HttpRefusal> {
        let keys = PlaceKeys { index: &self.index, kind };
        let paging = match self.index.feed() {
            IndexFeed::Simulation => Paging::read(query, CursorField::Sequence)?,
            IndexFeed::Node if self.quirks => {
                let offset = self.index.offset_of(kind)?.unwrap_or(0);
                Paging::read_as(query, CursorField::Sequence, offset, &keys)?
            }
            IndexFeed::Node => Paging::read_as(query, CursorField::Place, 0, &keys)?,
        };
        Ok((paging, keys))
    }

    /// Parses the message filter. By the specification it is repeated or comma-separated, and an unknown type matches
    /// nothing. The real server accepts only the repeated parameter and drops unknown names, which can leave no filter
    /// at all (`docs/apis/indexer.md` §5.3).
    fn message_types(&self, query: &QueryString) -> Result<Vec<MsgType>, HttpRefusal> {
        if self.quirks {
            let exact = query.all("msgs").filter(|name| !name.starts_with('/')).map(MsgType::new);
            return Ok(self.index.known(&exact.collect::<Vec<_>>())?);
        }
        let names = query.all("msgs").flat_map(|names| names.split(',')).map(str::trim).filter(|name| !name.is_empty());
        Ok(names.map(MsgType::new).collect())
    }
}

/// Keys that encode positions of records.
pub(super) struct PlaceKeys<'a> {
    index: &'a Index,
    kind: RecordKind,
}

impl KeyForm for PlaceKeys<'_> {
    fn number(&self, place: ChainPlace, descending: bool) -> Result<i64, HttpRefusal> {
        Ok(self.index.sequence(self.kind, place, descending)?)
    }

    fn place(&self, number: i64) -> Result<ChainPlace, HttpRefusal> {
        Ok(self.index.place(self.kind, number)?)
    }
}

/// Returns the response with these objects, in the buffer that holds them.
fn write_page(txs: Vec<u8>, pagination: &Pagination) -> Result<Reply, HttpRefusal> {
    let pagination = json(pagination)?;
    let mut body = txs;
    body.splice(..0, *b"{\"txs\":[");
    body.extend_from_slice(b"],\"pagination\":");
    body.extend_from_slice(pagination.as_bytes());
    body.push(b'}');
    Ok(Reply::raw(body))
}
