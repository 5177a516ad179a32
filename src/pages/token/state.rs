//! State of a token page: facts, picture and ownership history.

use std::{collections::BTreeMap, sync::Arc};

use ratatui::layout::Rect;

use super::lines::{metadata_lines, token_lines};
use crate::{
    app::format::AddressForm,
    domain::{Address, Height, Timestamp, TxHash},
    msg::{
        Ask, ListPage, Metadata, PageId, PageRequest, Picture, Remote, TokenName, TokenOrder, TokenQuery, TokenScope,
        ask,
    },
    panes::{
        art::{Art, ArtAsk, Reach},
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

/// Maximum transactions of a token's history in memory.
const HISTORY_CAPACITY: usize = 300;
/// Minimum rows of a screen with facts and history.
const BOTH_FROM: u16 = 16;
/// Minimum columns of a screen with a picture beside the facts.
const PICTURE_FROM: u16 = 60;

/// Content of the first pane.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum TokenTab {
    #[default]
    Facts,
    /// The metadata's JSON.
    Json,
}

#[derive(Debug)]
pub(crate) struct TokenPage {
    pub(crate) name: TokenName,
    pub(crate) token: Remote<Arc<wire::Token>>,
    pub(crate) txs: ListWindow<TxRow>,
    pub(crate) origin: Option<PageId>,
    pub(crate) focus: Pane,
    pub(crate) tab: TokenTab,
    pub(crate) art: Art,
    /// Whether the user allowed requests to every metadata host.
    pub(crate) is_asked: bool,
    /// Lines of the first pane.
    pub(crate) document: Document,
    has_picture: bool,
    made_for: Option<Stamp>,
    revision: u32,
    moves: BTreeMap<TxHash, Vec<NftMove>>,
    asked_after: Option<Height>,
    /// Whether pending requests for metadata or picture belong to an old URI.
    is_art_outdated: bool,
}

/// Inputs of the lines; the page rebuilds its lines when one changes.
type Stamp = (u32, TokenTab, AddressForm, usize, String);

/// Areas of the page; a pane without room has an empty area.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TokenPlaces {
    pub(crate) facts: Rect,
    pub(crate) picture: Rect,
    pub(crate) history: Rect,
}

impl TokenPage {
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

    /// Returns the URI of the metadata, if the token has one.
    pub(crate) fn uri(&self) -> Option<&str> {
        uri_of(&self.token)
    }

    /// Returns the request for the token: the list of its collection, filtered by id.
    pub(super) fn ask_record(&self) -> Ask<ListPage<Arc<wire::Token>>> {
        let scope = TokenScope::Collection(self.name.collection);
        let token_id = Some(Arc::clone(&self.name.token_id));
        let query = TokenQuery { scope, token_id, order_by: TokenOrder::default() };
        ask::tokens(query, PageRequest { count_total: false, ..PageRequest::newest(1) })
    }

    /// Takes the filtered list, whose only row is the token.
    pub(super) fn take_only(&mut self, tokens: Result<ListPage<Arc<wire::Token>>, ApiError>, now: Timestamp) {
        let absent = || ApiError {
            kind: ErrorKind::NotFound("the collection has no such token: burned, or never minted".into()),
            url: "".into(),
            body: None,
        };
        self.settle(tokens.and_then(|tokens| tokens.items.into_iter().next().ok_or_else(absent)), now);
    }

    pub(crate) fn settle(&mut self, result: Result<Arc<wire::Token>, ApiError>, now: Timestamp) {
        let before = self.token.value().cloned();
        self.token.settle(result, now);
        let is_other = |before: Arc<wire::Token>| uri_of(&self.token) != Some(before.nft.uri.as_received());
        if before.is_some_and(is_other) {
            self.art = Art::default();
            self.is_art_outdated = true;
        }
        self.revision += 1;
    }

    /// Requests metadata again, from any host.
    pub(crate) fn ask_anew(&mut self) {
        self.is_asked = true;
        self.art = Art::default();
        self.revision += 1;
    }

    /// Returns the next request for metadata or picture.
    pub(crate) fn want_art(&mut self, reach: Reach, now: Timestamp) -> Option<ArtAsk> {
        let reach = if self.is_asked { Reach::Everywhere } else { reach };
        let uri = uri_of(&self.token).unwrap_or_default();
        let ask = self.art.want(uri, reach, now);
        self.has_picture = self.art.may_have_picture(uri, reach);
        self.revision += u32::from(ask.is_some());
        ask
    }

    pub(crate) fn take_metadata(&mut self, result: Result<Arc<Metadata>, ApiError>, now: Timestamp) {
        self.art.take_metadata(result, now);
        self.revision += 1;
    }

    pub(crate) fn take_picture(&mut self, result: Result<Arc<Picture>, ApiError>, now: Timestamp) {
        self.art.take_picture(result, now);
        self.revision += 1;
    }

    /// Whether the token's URI changed, so that answers for the old URI no longer count.
    pub(crate) fn drops_art(&mut self) -> bool {
        std::mem::take(&mut self.is_art_outdated)
    }

    /// Opens a token; the record may be loaded already. `origin` is the page that opened this one. `is_asked` allows
    /// requests to every metadata host.
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

    /// Returns an empty page of this token after a chain change, with the current view.
    pub(super) fn fresh(&self) -> Self {
        Self { tab: self.tab, is_asked: self.is_asked, ..Self::new(self.name.clone(), self.origin) }
    }

    /// Drops large data that the page can request again.
    pub(in crate::pages) fn let_go(&mut self) {
        if self.art.shrink() {
            self.document = Document::new(Vec::new());
            self.made_for = None;
        }
        self.revision += 1;
    }

    /// Builds missing lines, and finds the token's transfers in new history.
    pub(super) fn make_lines(&mut self, size: (u16, u16), form: AddressForm, hint: &str) {
        let regions = Regions::new(size);
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

    /// Whether the history has a transfer that is newer than the token's record; true once per transfer.
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

    /// Returns how a transaction of the history moved the token.
    pub(crate) fn moves(&self, hash: &TxHash) -> &[NftMove] {
        self.moves.get(hash).map_or(&[], Vec::as_slice)
    }

    /// Returns the visible rows of the history that did not move the token.
    pub(super) fn other_rows(&mut self) -> impl Iterator<Item = &mut TxRow> {
        let moves = &self.moves;
        let is_move = |row: &TxRow| moves.get(&row.tx.txhash).is_some_and(|moves| !moves.is_empty());
        self.txs.visible_mut().filter(move |row| !row.tx.is_success() || !is_move(row))
    }

    /// Returns the collection if the cursor is on its line.
    pub(super) fn collection_under_cursor(&self) -> Option<Address> {
        let is_there = self.focus == Pane::First
            && self.tab == TokenTab::Facts
            && self.document.selected().is_some_and(|line| line.copy == Some(self.name.collection.hex()));
        is_there.then_some(self.name.collection)
    }

    /// Switches between facts and metadata.
    pub(super) fn turn_tab(&mut self) {
        self.tab = match self.tab {
            TokenTab::Facts => TokenTab::Json,
            TokenTab::Json => TokenTab::Facts,
        };
        self.focus = Pane::First;
    }

    /// Lays out the panes: side by side on wide screens, else one above the other. If only one list fits, the focused
    /// list gets the room.
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
    token.value().map(|token| token.nft.uri.as_received()).filter(|uri| !uri.trim().is_empty())
}
