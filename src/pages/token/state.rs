//! What the page of a token knows: what it is, its picture, how it changed hands.

use std::{collections::BTreeMap, sync::Arc};

use ratatui::layout::Rect;

use super::lines::{metadata_lines, token_lines};
use crate::{
    app::format::AddressForm,
    domain::{Address, Height, Timestamp, TxHash},
    msg::{
        Answer, ListPage, PageId, PageNeed, PageRequest, Remote, Request, TokenName, TokenOrder, TokenQuery, TokenScope,
    },
    panes::{
        art::{Art, ArtPart, Reach},
        rows::TxRow,
    },
    story::{NftMove, nft_moves},
    widgets::{
        document::Document,
        layout::{Pane, Regions, Tier, cut_rows},
        list::ListWindow,
    },
    wire::{self, ApiError, ErrorKind},
};

/// Transactions of a token that its history keeps at the most.
const HISTORY_CAPACITY: usize = 300;
/// Rows of the screen from which facts and history have room at once.
const BOTH_FROM: u16 = 16;
/// Columns of a screen from which the facts leave room for a picture.
const PICTURE_FROM: u16 = 60;

/// What the page's first pane shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum TokenTab {
    /// The token, its description and traits.
    #[default]
    Facts,
    /// Its metadata as received.
    Json,
}

#[derive(Debug)]
pub(crate) struct TokenPage {
    pub(crate) name: TokenName,
    pub(crate) token: Remote<Arc<wire::Token>>,
    pub(crate) txs: ListWindow<TxRow>,
    /// The list it was opened from.
    pub(crate) origin: Option<PageId>,
    /// The facts or the history.
    pub(crate) focus: Pane,
    /// Facts or metadata.
    pub(crate) tab: TokenTab,
    pub(crate) art: Art,
    /// Whether metadata was asked for, wherever it lies.
    pub(crate) is_asked: bool,
    /// What the first pane shows, in lines.
    pub(crate) document: Document,
    has_picture: bool,
    made_for: Option<Stamp>,
    revision: u32,
    moves: BTreeMap<TxHash, Vec<NftMove>>,
    asked_after: Option<Height>,
    /// Whether what is awaited of the art belongs to another URI.
    is_art_outdated: bool,
}

/// What the lines were made for: other lines are made when any of it changes.
type Stamp = (u32, TokenTab, AddressForm, usize, String);

/// The room of each part of the page; a part without room is empty.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TokenPlaces {
    /// Facts, description, traits.
    pub(crate) facts: Rect,
    pub(crate) picture: Rect,
    pub(crate) history: Rect,
}

impl TokenPage {
    /// The page before anything came.
    pub(crate) fn new(name: TokenName, origin: Option<PageId>) -> Self {
        Self {
            name,
            token: Remote::Idle,
            txs: ListWindow::new(HISTORY_CAPACITY),
            origin,
            focus: Pane::First,
            tab: TokenTab::Facts,
            art: Art::default(),
            is_asked: false,
            document: Document::new(Vec::new()),
            has_picture: false,
            made_for: None,
            revision: 0,
            moves: BTreeMap::new(),
            asked_after: None,
            is_art_outdated: false,
        }
    }

    /// Where its metadata lies, where it says so.
    pub(crate) fn uri(&self) -> Option<&str> {
        uri_of(&self.token)
    }

    /// What brings the token: the list of its collection, narrowed to its id.
    pub(super) fn request(&self) -> Request {
        let scope = TokenScope::Collection(self.name.collection);
        let token_id = Some(Arc::clone(&self.name.token_id));
        let query = TokenQuery { scope, token_id, order_by: TokenOrder::default() };
        Request::Tokens(query, PageRequest { count_total: false, ..PageRequest::newest(1) })
    }

    /// The narrowed list came: its only row is the token.
    pub(super) fn take_only(&mut self, tokens: ListPage<Arc<wire::Token>>, now: Timestamp) {
        let absent = || ApiError {
            kind: ErrorKind::NotFound("the collection has no such token: burned, or never minted".to_owned()),
            url: "".into(),
            body: None,
        };
        self.settle(tokens.items.into_iter().next().ok_or_else(absent), now);
    }

    /// The token came, or cannot be had.
    pub(crate) fn settle(&mut self, result: Result<Arc<wire::Token>, ApiError>, now: Timestamp) {
        let before = self.token.value().cloned();
        self.token.settle(result, now);
        let is_other = |before: Arc<wire::Token>| uri_of(&self.token) != Some(before.nft.uri.as_str());
        if before.is_some_and(is_other) {
            self.art = Art::default();
            self.is_art_outdated = true;
        }
        self.revision += 1;
    }

    /// Metadata is asked for wherever it lies, and again where it came.
    pub(crate) fn ask_anew(&mut self) {
        self.is_asked = true;
        self.art = Art::default();
        self.revision += 1;
    }

    /// What the token's art lacks and as what it is asked for.
    pub(crate) fn want_art(&mut self, reach: Reach, now: Timestamp) -> Option<(PageNeed, Request)> {
        let reach = if self.is_asked { Reach::Everywhere } else { reach };
        let uri = uri_of(&self.token).unwrap_or_default();
        let request = self.art.want(uri, reach, now);
        self.has_picture = self.art.may_have_picture(uri, reach);
        let request = request?;
        self.revision += 1;
        Some((self.art.awaited()?.need(), request))
    }

    pub(crate) fn take_art(&mut self, need: PageNeed, result: Result<Answer, ApiError>, now: Timestamp) {
        if let Some(part) = ArtPart::of_need(need) {
            self.art.take(part, result, now);
            self.revision += 1;
        }
    }

    /// Whether the token has got another URI since the last time, so that nobody waits for what was asked for before.
    pub(crate) fn drops_art(&mut self) -> bool {
        std::mem::take(&mut self.is_art_outdated)
    }

    /// The page of a token, whose record may be here. `origin` is the page whose list it is opened from; `is_asked` says
    /// that a person asked for metadata from wherever it lies.
    pub(in crate::pages) fn open(
        name: TokenName,
        record: Option<Arc<wire::Token>>,
        origin: Option<PageId>,
        is_asked: bool,
        now: Timestamp,
    ) -> Self {
        let mut page = Self { is_asked, ..Self::new(name, origin) };
        if let Some(token) = record {
            page.settle(Ok(token), now);
        }
        page
    }

    /// The same token of another chain, shown in the same way.
    pub(super) fn fresh(&self) -> Self {
        Self { tab: self.tab, is_asked: self.is_asked, ..Self::new(self.name.clone(), self.origin) }
    }

    /// Lets go of what is large and can be fetched again.
    pub(super) fn let_go(&mut self) {
        self.txs.shrink();
        if self.art.shrink() {
            self.document = Document::new(Vec::new());
            self.made_for = None;
        }
        self.revision += 1;
    }

    /// Makes the lines and reads the moves that are not made and read yet.
    pub(super) fn make_lines(&mut self, size: (u16, u16), form: AddressForm, hint: &str) {
        let regions = Regions::of(size);
        let width = usize::from(regions.inner(self.places(&regions).facts).width);
        let stamp = (self.revision, self.tab, form, width, hint.to_owned());
        if self.made_for.as_ref() != Some(&stamp) {
            let lines = match (self.tab, self.art.metadata.value()) {
                (TokenTab::Json, Some(metadata)) => metadata_lines(metadata, width),
                _ => token_lines(self, form, width, hint),
            };
            self.document.replace_lines(lines);
            self.made_for = Some(stamp);
        }
        self.read_moves();
    }

    fn read_moves(&mut self) {
        let object = self.token.value().and_then(|token| token.object());
        let (name, moves) = (&self.name, &mut self.moves);
        if moves.len() > 2 * HISTORY_CAPACITY {
            moves.clear();
        }
        for TxRow { tx, .. } in self.txs.rows().iter() {
            let read = || nft_moves(tx, name.collection, &name.token_id, object);
            moves.entry(tx.txhash).or_insert_with(read);
        }
    }

    /// Whether the history knows of a move that the token's record does not, and this was not asked about yet.
    pub(super) fn is_outdated(&mut self) -> bool {
        let is_move = |row: &&TxRow| self.moves.get(&row.tx.txhash).is_some_and(|moves| !moves.is_empty());
        let newest = self.txs.rows().iter().filter(is_move).map(|row| row.tx.height).max();
        let known = self.token.value().map(|token| token.height).max(self.asked_after);
        let is_outdated = known.is_some() && newest > known;
        if is_outdated {
            self.asked_after = newest;
        }
        is_outdated
    }

    /// How the token changed hands in a transaction of its history.
    pub(crate) fn moves(&self, hash: &TxHash) -> &[NftMove] {
        self.moves.get(hash).map_or(&[], Vec::as_slice)
    }

    /// The rows of the history that are on screen and tell of no move of the token, but what else happened.
    pub(super) fn other_rows(&mut self) -> impl Iterator<Item = &mut TxRow> {
        let moves = &self.moves;
        let is_move = |row: &TxRow| moves.get(&row.tx.txhash).is_some_and(|moves| !moves.is_empty());
        self.txs.visible_mut().filter(move |row| !row.tx.is_success() || !is_move(row))
    }

    /// Whether the line under the cursor is that of the collection.
    pub(super) fn collection_under_cursor(&self) -> Option<Address> {
        let is_there = self.focus == Pane::First
            && self.tab == TokenTab::Facts
            && self.document.selected().is_some_and(|line| line.copy == Some(self.name.collection.hex()));
        is_there.then_some(self.name.collection)
    }

    /// Facts, or the metadata as received.
    pub(super) fn turn_tab(&mut self) {
        self.tab = match self.tab {
            TokenTab::Facts => TokenTab::Json,
            TokenTab::Json => TokenTab::Facts,
        };
        self.focus = Pane::First;
    }

    /// Where everything is: beside each other on wide screens, below each other on others; where there is room for one
    /// list only, the one with the focus has it.
    pub(crate) fn places(&self, regions: &Regions) -> TokenPlaces {
        let body = regions.body;
        let none = Rect { width: 0, height: 0, ..body };
        if let (left, Some(right)) = regions.split() {
            let picture = if self.has_picture { (right.height * 11 / 20).min(right.width / 2) } else { 0 };
            let (picture, history) = cut_rows(right, picture);
            return TokenPlaces { facts: left, picture, history };
        }
        let has_both = regions.tier > Tier::Compact && body.height >= BOTH_FROM;
        if !has_both && self.focus == Pane::Second {
            return TokenPlaces { facts: none, picture: none, history: body };
        }
        let (top, history) = if has_both { cut_rows(body, body.height * 3 / 5) } else { (body, none) };
        let columns = if self.has_picture && body.width >= PICTURE_FROM { 2 * (top.height - 2) + 2 } else { 0 };
        let columns = columns.min(body.width * 2 / 5);
        let facts = Rect { width: top.width - columns, ..top };
        TokenPlaces { facts, picture: Rect { x: facts.right(), width: columns, ..top }, history }
    }
}

fn uri_of(token: &Remote<Arc<wire::Token>>) -> Option<&str> {
    token.value().map(|token| token.nft.uri.as_str()).filter(|uri| !uri.trim().is_empty())
}
