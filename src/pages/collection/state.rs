//! The page of one collection: its facts, its tokens as a table or as cards.

use std::{collections::BTreeMap, sync::Arc};

use ratatui::layout::Rect;

use super::{gallery::GalleryGrid, natural::natural};
use crate::{
    domain::{Address, Timestamp, text},
    msg::{Answer, Lane, Order, PageId, PageNeed, Remote, Request, TokenOrder, Total},
    panes::{
        art::{Art, Reach},
        rows::TokenRow,
    },
    widgets::{
        layout::{Regions, Tier},
        list::{ListWindow, Prefetch},
        picture::thumbnail,
    },
    wire::{self, ApiError},
};

/// Tokens that the list keeps at the most.
const CAPACITY: usize = 2000;
/// Collections up to this size are loaded whole, so that their tokens can be shown as people count.
const WHOLE: u64 = 1000;
/// Lines of facts above the tokens, frame included.
const FACTS: u16 = 7;
/// Rows of the screen from which there is room for the facts.
const FACTS_FROM: u16 = 16;
/// Metadata and pictures fetched at once.
const LANES: usize = 5;
/// Tokens whose art is kept for the gallery.
const ARTS: usize = 200;
/// The side of the pictures that are kept for the gallery, in pixels: two in a cell are few, a terminal's own are many.
const SIDE: u32 = if cfg!(feature = "images") { 96 } else { 48 };

#[derive(Debug)]
pub(crate) struct CollectionPage {
    pub(crate) address: Address,
    /// Only the tokens of this account.
    pub(crate) owner: Option<Address>,
    pub(crate) collection: Remote<Arc<wire::Collection>>,
    /// Whether the record is a list's row of a while ago: its size may have changed.
    pub(super) is_record_old: bool,
    pub(crate) order_by: TokenOrder,
    pub(crate) order: Order,
    /// Only the token with exactly this id.
    pub(crate) token_id: Option<Arc<str>>,
    pub(crate) tokens: ListWindow<TokenRow>,
    /// Cards instead of a table.
    pub(crate) is_gallery: bool,
    /// Whether metadata was asked for, wherever it lies.
    pub(crate) is_asked: bool,
    pub(crate) origin: Option<PageId>,
    /// Who owns the loaded tokens.
    pub(crate) owners: Option<OwnerSpread>,
    gallery: GalleryGrid,
    first_card: usize,
    arts: BTreeMap<String, Art>,
    lanes: [Option<String>; LANES],
}

/// How the loaded tokens are spread over their owners.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct OwnerSpread {
    /// Tokens counted.
    pub(crate) tokens: usize,
    /// How many own at least one of them.
    pub(crate) owners: usize,
    /// Who owns most of them, as the server writes it.
    pub(crate) top: String,
    /// How many of them.
    pub(crate) top_tokens: usize,
}

impl CollectionPage {
    /// The page before anything came.
    pub(crate) fn new(address: Address) -> Self {
        Self {
            address,
            owner: None,
            collection: Remote::Idle,
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

    /// The page of a collection, whose record may be here. `owner` is the one account whose tokens of it are shown,
    /// `origin` the page whose list it is opened from.
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

    /// The same collection of another chain, shown in the same way.
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

    /// What the tokens' pane says: whose, which, in which order.
    pub(crate) fn tokens_title(&self) -> String {
        let whose = self.owner.map(|owner| format!(" of {}", owner.short())).unwrap_or_default();
        if let Some(id) = &self.token_id {
            return format!("Tokens{whose} · only id “{}”", text::clip(id, 24));
        }
        let order = match (self.order_by, self.order) {
            (TokenOrder::TokenId, Order::Ascending) => " by id ↑",
            (TokenOrder::TokenId, Order::Descending) => " by id ↓",
            (TokenOrder::Height, Order::Descending) => " · newest moved first",
            (TokenOrder::Height, Order::Ascending) => " · oldest moved first",
        };
        // Servers sort ids as texts; those that are all here are sorted by their numbers.
        let is_by_text =
            self.order_by == TokenOrder::TokenId && self.tokens.rows().len() > 1 && !self.tokens.is_whole();
        let note = if is_by_text { ", as text" } else { "" };
        format!("Tokens{whose}{order}{note}")
    }

    /// The facts above the tokens, and the tokens' pane.
    pub(crate) fn places(regions: &Regions) -> (Rect, Rect) {
        let body = regions.body;
        let has_room = regions.tier > Tier::Compact && body.height >= FACTS_FROM;
        let facts = if has_room { FACTS } else { 0 };
        let below = Rect { y: body.y + facts, height: body.height - facts, ..body };
        (Rect { height: facts, ..body }, below)
    }

    /// Gives its tokens the room they have on the screen, and says how far they are loaded ahead.
    pub(super) fn make_room(&mut self, regions: &Regions) {
        let (_, pane) = Self::places(regions);
        let is_small = |total: u64| total <= WHOLE;
        let total = match self.tokens.total {
            Total::Exact(total) | Total::About(total) => Some(total),
            Total::Unknown => self.collection.value().map(|collection| collection.collection.nfts.length),
        };
        // The total is the server's word: a list that goes on beyond it is not loaded ahead any more.
        let is_small = total.is_some_and(is_small) && is_small(self.tokens.rows().len() as u64);
        let is_wanted_whole = self.order_by == TokenOrder::TokenId && is_small;
        self.tokens.prefetch = if is_wanted_whole { Prefetch::All } else { Prefetch::Near };
        if !self.is_gallery {
            self.tokens.set_viewport(usize::from(regions.list_rows(pane).height));
            return;
        }
        self.gallery = GalleryGrid::of(regions.list_names(pane));
        self.tokens.set_viewport(self.gallery.count());
        let columns = usize::from(self.gallery.columns);
        let line = self.tokens.cursor() / columns;
        let lowest = (line + 1).saturating_sub(usize::from(self.gallery.rows));
        self.first_card = (self.first_card / columns).clamp(lowest, line) * columns;
    }

    /// The grid, and the place of the first card on screen among the tokens held.
    pub(crate) fn cards(&self) -> (GalleryGrid, usize) {
        (self.gallery, self.first_card)
    }

    /// Moves the cursor by lines of cards; it stays in its column. Says whether anything changed.
    pub(super) fn move_lines(&mut self, lines: isize) -> bool {
        let step = lines.saturating_mul(isize::try_from(self.gallery.columns).unwrap_or(1));
        match self.tokens.cursor().checked_add_signed(step) {
            Some(place) if place < self.tokens.rows().len() => self.tokens.move_to(place),
            Some(_) if self.tokens.is_whole() || lines > 1 => self.tokens.move_to(usize::MAX),
            _ if lines < -1 => self.tokens.move_to(0),
            _ => false,
        }
    }

    /// Moves by half a screen of cards.
    pub(super) fn move_half(&mut self, sign: isize) -> bool {
        self.move_lines(sign * isize::try_from(self.gallery.rows.div_ceil(2)).unwrap_or(1))
    }

    /// Turns to the next order; the tokens are asked for anew.
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

    /// Moves the cursor to the loaded token with this id, while it is typed.
    pub(super) fn point_at(&mut self, id: &str) {
        let found = self.tokens.rows().places().find(|(_, row)| row.0.nft.token_id == id).map(|(place, _)| place);
        if let Some(place) = found {
            self.tokens.move_to(place);
        }
    }

    /// Shows only the token with this id; an empty one takes that back.
    pub(super) fn narrow(&mut self, id: &str) {
        self.token_id = Some(id.trim()).filter(|id| !id.is_empty()).map(Into::into);
        self.tokens.clear();
        self.first_card = 0;
    }

    /// After tokens came: where all are held they are shown as people count, and their owners are counted.
    pub(super) fn arrange(&mut self) {
        if self.order_by == TokenOrder::TokenId {
            let order = self.order;
            self.tokens.arrange(|a, b| {
                let ids = natural(&a.0.nft.token_id, &b.0.nft.token_id);
                if order == Order::Descending { ids.reverse() } else { ids }
            });
        }
        self.owners = OwnerSpread::of(self.tokens.rows().iter().map(|row| row.0.owner.as_str()));
    }

    /// Whether metadata or a picture on screen is awaited.
    pub(super) fn is_art_awaited(&self) -> bool {
        self.is_gallery && self.lanes.iter().any(Option::is_some)
    }

    /// The art of a token, as far as it came.
    pub(crate) fn art(&self, token_id: &str) -> Option<&Art> {
        self.arts.get(token_id)
    }

    /// Metadata and pictures are asked for wherever they lie, and again where they came.
    pub(super) fn ask_anew(&mut self) {
        self.is_asked = true;
        self.is_gallery = true;
        self.arts.clear();
        self.lanes = [const { None }; LANES];
    }

    /// What the cards on screen lack, a few at a time: each lane of requests has one token.
    pub(super) fn want_art(&mut self, reach: Reach, now: Timestamp) -> Vec<(PageNeed, Request)> {
        if !self.is_gallery {
            return Vec::new();
        }
        let reach = if self.is_asked { Reach::Everywhere } else { reach };
        let visible: Vec<Arc<wire::Token>> = {
            let rows = self.tokens.rows().iter().skip(self.first_card).take(self.gallery.count());
            rows.map(|row| Arc::clone(&row.0)).collect()
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
                let art = self.arts.entry(token.nft.token_id.clone()).or_default();
                if art.is_loading() {
                    return None;
                }
                Some((token.nft.token_id.clone(), art.want(&token.nft.uri, reach, now)?))
            });
            let Some((id, request)) = next else { break };
            *place = Some(id);
            asked.push((PageNeed::Art(Lane(lane)), request));
        }
        asked
    }

    /// What a lane asked for came.
    pub(super) fn take_art(&mut self, need: PageNeed, result: Result<Answer, ApiError>, now: Timestamp) {
        let PageNeed::Art(Lane(lane)) = need else { return };
        let Some(id) = self.lanes.get_mut(usize::from(lane)).and_then(Option::take) else { return };
        let Some(art) = self.arts.get_mut(&id) else { return };
        let result = result.map(|answer| match answer {
            Answer::Picture(picture) => Answer::Picture(thumbnail(&picture, SIDE)),
            other => other,
        });
        if let Some(part) = art.awaited() {
            art.take(part, result, now);
        }
        art.slim();
    }

    /// Lets go of the art that came: it can be fetched again.
    pub(super) fn drop_arts(&mut self) {
        self.arts.retain(|_, art| art.is_loading());
    }
}

impl OwnerSpread {
    /// Counts; `None` where nothing is loaded.
    fn of<'a>(owners: impl Iterator<Item = &'a str>) -> Option<Self> {
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        for owner in owners {
            *counts.entry(owner).or_default() += 1;
        }
        let (top, top_tokens) = counts.iter().max_by_key(|(_, count)| **count)?;
        Some(Self {
            tokens: counts.values().sum(),
            owners: counts.len(),
            top: (*top).to_owned(),
            top_tokens: *top_tokens,
        })
    }
}
