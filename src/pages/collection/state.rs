//! State of a collection page: facts and tokens.

use std::{collections::BTreeMap, sync::Arc};

use ratatui::layout::Rect;

use super::gallery::GalleryGrid;
use crate::{
    domain::{Address, ChainId, Timestamp, natural, text},
    msg::{Lane, ListedRow, Order, PageId, Picture, Remote, TokenOrder, Total},
    panes::{
        art::{Art, ArtAsk, Reach},
        rows::TokenRow,
    },
    widgets::{
        layout::{Regions, Tier},
        list::{ListWindow, Prefetch},
        picture::thumbnail,
    },
    wire,
};

/// Maximum tokens in memory.
const CAPACITY: usize = 2000;
/// Maximum size of a collection that the page loads completely, in tokens. Sorting by number needs all tokens.
const WHOLE: u64 = 1000;
/// Maximum columns of a symbol that a contract chose.
const SYMBOL: usize = 16;
/// Rows of the facts above the tokens, including the frame.
const FACTS: u16 = 7;
/// Minimum rows of the screen that leave room for the facts.
const FACTS_FROM: u16 = 16;
/// Concurrent requests for metadata or pictures.
const LANES: usize = 5;
/// Maximum tokens whose metadata and picture stay cached.
const ARTS: usize = 200;
/// Side of a cached picture in pixels. A cell shows two pixels; terminal graphics show more.
const SIDE: u32 = if cfg!(feature = "images") { 96 } else { 48 };

#[derive(Debug)]
pub(crate) struct CollectionPage {
    pub(crate) address: Address,
    pub(crate) owner: Option<Address>,
    pub(crate) collection: Remote<Arc<wire::Collection>>,
    /// What the contract says about itself, by the rollup's node.
    pub(super) contract: Remote<Arc<wire::node::ContractFacts>>,
    /// Whether the record came from an older list row, so that its size may be outdated.
    pub(super) is_record_old: bool,
    pub(crate) order_by: TokenOrder,
    pub(crate) order: Order,
    pub(crate) token_id: Option<Arc<str>>,
    pub(crate) tokens: ListWindow<TokenRow>,
    /// Whether the page shows tokens as cards instead of a table.
    pub(crate) is_gallery: bool,
    /// Whether the user allowed requests to every metadata host.
    pub(crate) is_asked: bool,
    pub(crate) origin: Option<PageId>,
    /// Distribution of the loaded tokens; `None` without tokens.
    pub(crate) owners: Option<OwnerSpread>,
    gallery: GalleryGrid,
    first_card: usize,
    arts: BTreeMap<String, Art>,
    lanes: [Option<String>; LANES],
}

/// Distribution of the loaded tokens among their owners.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct OwnerSpread {
    pub(crate) tokens: usize,
    /// Number of owners with at least one token.
    pub(crate) owners: usize,
    /// Address of the largest owner, as the server writes it.
    pub(crate) top: String,
    /// Number of tokens of the largest owner.
    pub(crate) top_tokens: usize,
    /// Number of tokens of the ten largest owners.
    pub(crate) top_ten_tokens: usize,
    /// Number of owners with exactly one token.
    pub(crate) single_owners: usize,
}

impl CollectionPage {
    pub(crate) fn new(address: Address) -> Self {
        Self {
            address,
            owner: None,
            collection: Remote::Idle,
            contract: Remote::Idle,
            is_record_old: false,
            order_by: TokenOrder::TokenId,
            order: Order::Ascending,
            token_id: None,
            tokens: ListWindow::new(CAPACITY),
            is_gallery: false,
            is_asked: false,
            origin: None,
            owners: None,
            gallery: GalleryGrid::of(Rect::default()),
            first_card: 0,
            arts: BTreeMap::new(),
            lanes: [const { None }; LANES],
        }
    }

    /// Creates the page; the record may be loaded already. `owner` filters the tokens. `origin` is the page that opened
    /// this one.
    pub(in crate::pages) fn open(
        address: Address,
        record: Option<Arc<wire::Collection>>,
        owner: Option<Address>,
        origin: Option<PageId>,
        now: Timestamp,
    ) -> Self {
        let is_record_old = record.is_some();
        let collection = record.map_or(Remote::Idle, |value| Remote::Ready { value, at: now });
        Self { owner, collection, is_record_old, origin, ..Self::new(address) }
    }

    /// Returns an empty page of this collection after a chain change, with the current view.
    pub(super) fn fresh(&self) -> Self {
        Self {
            owner: self.owner,
            token_id: self.token_id.clone(),
            origin: self.origin,
            order_by: self.order_by,
            order: self.order,
            is_gallery: self.is_gallery,
            is_asked: self.is_asked,
            ..Self::new(self.address)
        }
    }

    /// Returns the symbol that the contract tells, in quotes, if the node belongs to this chain.
    pub(super) fn symbol(&self, chain: Option<&ChainId>) -> Option<String> {
        let facts =
            self.contract.value().filter(|facts| chain.is_some_and(|chain| chain.as_str() == facts.chain_id))?;
        let token = facts.contract.as_ref()?.token.as_ref()?;
        (!token.symbol.is_empty()).then(|| text::quoted_within(&token.symbol, SYMBOL))
    }

    /// Returns the title of the tokens' pane: owner, filter and order.
    pub(crate) fn tokens_title(&self) -> String {
        let whose = self.owner.map(|owner| format!(" of {}", owner.short())).unwrap_or_default();
        if let Some(id) = &self.token_id {
            return format!("Tokens{whose} · id “{}” only", text::clip(id, 24));
        }
        let order = match (self.order_by, self.order) {
            (TokenOrder::TokenId, Order::Ascending) => " by id ↑",
            (TokenOrder::TokenId, Order::Descending) => " by id ↓",
            (TokenOrder::Height, Order::Descending) => " · newest move first",
            (TokenOrder::Height, Order::Ascending) => " · oldest move first",
        };
        // Servers sort IDs as text. The client can sort a complete list by number.
        let is_by_text =
            self.order_by == TokenOrder::TokenId && self.tokens.rows().len() > 1 && !self.tokens.is_whole();
        let note = if is_by_text { ", as text" } else { "" };
        format!("Tokens{whose}{order}{note}")
    }

    /// Returns the areas of the facts and of the tokens.
    pub(crate) fn places(regions: &Regions) -> (Rect, Rect) {
        let body = regions.body;
        let has_room = regions.tier > Tier::Compact && body.height >= FACTS_FROM;
        let facts = if has_room { FACTS } else { 0 };
        let below = Rect { y: body.y + facts, height: body.height - facts, ..body };
        (Rect { height: facts, ..body }, below)
    }

    /// Fits the tokens to the screen and sets how many to load ahead.
    pub(super) fn make_room(&mut self, regions: &Regions) {
        let (_, pane) = Self::places(regions);
        let is_small = |total: u64| total <= WHOLE;
        let total = match self.tokens.total {
            Total::Exact(total) | Total::About(total) => Some(total),
            Total::Unknown => self.collection.value().map(|collection| collection.collection.nfts.length),
        };
        // The total is the server's claim. The page stops loading ahead once the list exceeds the total.
        let is_small = total.is_some_and(is_small) && is_small(self.tokens.rows().len() as u64);
        let is_wanted_whole = self.order_by == TokenOrder::TokenId && is_small;
        self.tokens.prefetch = if is_wanted_whole { Prefetch::All } else { Prefetch::Near };
        if !self.is_gallery {
            self.tokens.fit(regions.list_rows(pane));
            return;
        }
        self.gallery = GalleryGrid::of(regions.list_names(pane));
        self.tokens.set_viewport(self.gallery.count());
        let columns = usize::from(self.gallery.columns);
        let line = self.tokens.cursor() / columns;
        let lowest = (line + 1).saturating_sub(usize::from(self.gallery.rows));
        self.first_card = (self.first_card / columns).clamp(lowest, line) * columns;
    }

    /// Returns the grid, and the index of the first visible card among the loaded tokens.
    pub(crate) fn cards(&self) -> (GalleryGrid, usize) {
        (self.gallery, self.first_card)
    }

    /// Moves the cursor by lines of cards within its column. Returns whether it moved.
    pub(super) fn move_lines(&mut self, lines: isize) -> bool {
        let step = lines.saturating_mul(isize::try_from(self.gallery.columns).unwrap_or(1));
        match self.tokens.cursor().checked_add_signed(step) {
            Some(place) if place < self.tokens.rows().len() => self.tokens.move_to(place),
            Some(_) if self.tokens.is_whole() || lines > 1 => self.tokens.move_to(usize::MAX),
            _ if lines < -1 => self.tokens.move_to(0),
            _ => false,
        }
    }

    /// Moves the cursor by half a screen of cards.
    pub(super) fn move_half(&mut self, sign: isize) -> bool {
        self.move_lines(sign * isize::try_from(self.gallery.rows.div_ceil(2)).unwrap_or(1))
    }

    /// Selects the next sort order and requests the tokens again.
    pub(super) fn turn_order(&mut self) {
        (self.order_by, self.order) = match (self.order_by, self.order) {
            (TokenOrder::TokenId, Order::Ascending) => (TokenOrder::TokenId, Order::Descending),
            (TokenOrder::TokenId, Order::Descending) => (TokenOrder::Height, Order::Descending),
            (TokenOrder::Height, Order::Descending) => (TokenOrder::Height, Order::Ascending),
            (TokenOrder::Height, Order::Ascending) => (TokenOrder::TokenId, Order::Ascending),
        };
        self.tokens.clear();
        self.first_card = 0;
    }

    /// Moves the cursor, while the user types, to the loaded token with this ID.
    pub(super) fn point_at(&mut self, id: &str) {
        self.tokens.select_where(|row| row.0.nft.token_id == id);
    }

    /// Filters by token ID; an empty ID removes the filter.
    pub(super) fn narrow(&mut self, id: &str) {
        self.token_id = Some(id.trim()).filter(|id| !id.is_empty()).map(Into::into);
        self.tokens.clear();
        self.first_card = 0;
    }

    /// Counts owners after tokens arrived, and sorts a complete list by number.
    pub(super) fn arrange(&mut self) {
        if self.order_by == TokenOrder::TokenId {
            let order = self.order;
            self.tokens.arrange(|a, b| {
                let ids = natural(a.0.nft.token_id.as_received(), b.0.nft.token_id.as_received());
                if order == Order::Descending { ids.reverse() } else { ids }
            });
        }
        self.owners = OwnerSpread::of(self.tokens.rows().iter().map(|row| row.0.owner.as_str()));
    }

    /// Whether metadata or pictures of visible cards are still loading.
    pub(super) fn is_art_awaited(&self) -> bool {
        self.is_gallery && self.lanes.iter().any(Option::is_some)
    }

    pub(crate) fn art(&self, token_id: &str) -> Option<&Art> {
        self.arts.get(token_id)
    }

    /// Requests metadata and pictures again, now from any host.
    pub(super) fn ask_anew(&mut self) {
        self.is_asked = true;
        self.is_gallery = true;
        self.arts.clear();
        self.lanes = [const { None }; LANES];
    }

    /// Returns requests for missing metadata and pictures of visible cards, one token per free lane.
    pub(super) fn want_art(&mut self, reach: Reach, now: Timestamp) -> Vec<(Lane, ArtAsk)> {
        if !self.is_gallery {
            return Vec::new();
        }
        let reach = if self.is_asked { Reach::Everywhere } else { reach };
        let visible: Vec<Arc<wire::Token>> = {
            let rows = self.tokens.shown(self.first_card..self.first_card + self.gallery.count());
            rows.filter_map(ListedRow::read).map(|row| Arc::clone(&row.0)).collect()
        };
        if self.arts.len() > ARTS {
            self.arts.retain(|id, art| art.is_loading() || visible.iter().any(|token| token.nft.token_id == *id));
        }
        let mut asked = Vec::new();
        for (lane, place) in (0..).zip(&mut self.lanes) {
            if place.is_some() {
                continue;
            }
            let next = visible.iter().find_map(|token| {
                let art = self.arts.entry(token.nft.token_id.as_received().to_owned()).or_default();
                if art.is_loading() {
                    return None;
                }
                Some((token.nft.token_id.clone(), art.want(token.nft.uri.as_received(), reach, now)?))
            });
            let Some((id, ask)) = next else { break };
            *place = Some(id.as_received().to_owned());
            asked.push((Lane(lane), ask));
        }
        asked
    }

    /// Frees a lane and applies `settle` to the metadata and picture of its token.
    pub(super) fn in_lane(&mut self, Lane(lane): Lane, settle: impl FnOnce(&mut Art)) {
        let Some(id) = self.lanes.get_mut(usize::from(lane)).and_then(Option::take) else { return };
        let Some(art) = self.arts.get_mut(&id) else { return };
        settle(art);
        art.slim();
    }

    /// Drops loaded metadata and pictures; the page can request them again.
    pub(super) fn drop_arts(&mut self) {
        self.arts.retain(|_, art| art.is_loading());
    }
}

pub(super) fn card_picture(picture: &Arc<Picture>) -> Arc<Picture> {
    thumbnail(picture, SIDE)
}

impl OwnerSpread {
    /// Counts tokens per owner; `None` without tokens.
    fn of<'a>(owners: impl Iterator<Item = &'a str>) -> Option<Self> {
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        for owner in owners {
            *counts.entry(owner).or_default() += 1;
        }
        let (top, top_tokens) = counts.iter().max_by_key(|(_, count)| **count)?;
        let mut sizes: Vec<usize> = counts.values().copied().collect();
        sizes.sort_unstable_by(|one, other| other.cmp(one));
        Some(Self {
            tokens: counts.values().sum(),
            owners: counts.len(),
            top: (*top).to_owned(),
            top_tokens: *top_tokens,
            top_ten_tokens: sizes.iter().take(10).sum(),
            single_owners: sizes.iter().filter(|size| **size == 1).count(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::OwnerSpread;

    #[test]
    fn the_largest_owners_and_those_of_one_token_are_counted() {
        let names: Vec<String> = (0..12).map(|number| format!("owner{number}")).collect();
        let owners =
            names.iter().enumerate().flat_map(|(place, name)| vec![name.as_str(); 12_usize.saturating_sub(place)]);
        let spread = OwnerSpread::of(owners).expect("there are tokens");
        assert_eq!((spread.tokens, spread.owners, spread.top.as_str(), spread.top_tokens), (78, 12, "owner0", 12));
        assert_eq!((spread.top_ten_tokens, spread.single_owners), (78 - 2 - 1, 1));
        assert_eq!(OwnerSpread::of(std::iter::empty()), None);
    }
}
