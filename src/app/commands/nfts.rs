//! Collections, one collection, one token.

use super::{
    Hint,
    cursor::{filter_lines, folds, open_line, open_row},
    documents::Siblings,
    lists::{open_collection, open_token},
    of_tx,
};
use crate::{
    app::{
        App,
        context::Context,
        nfts::{CollectionPage, NftsView, TokenPage, TokenTab},
        view::View,
    },
    config::Command,
    widgets::layout::Pane,
};

pub(super) fn collections(view: &NftsView) -> Vec<Hint> {
    vec![open_collection(view.shown()), Hint::of(Command::Filter).called("search")]
}

pub(super) fn collection(page: &CollectionPage, siblings: Siblings) -> Vec<Hint> {
    let has_owner = page.tokens.selected().is_some_and(|row| row.0.owner_address().is_some());
    let card = |command: Command| Hint::of(command).needs(page.is_gallery, "a table has no tabs; v shows cards");
    let [before, after] = siblings.hints("collection");
    vec![
        open_token(&page.tokens),
        Hint::of(Command::Gallery).called(if page.is_gallery { "table" } else { "gallery" }),
        Hint::of(Command::TokenOrder).called("order"),
        Hint::of(Command::Filter).called("token id"),
        Hint::of(Command::Metadata),
        Hint::of(Command::OwnedNfts).called("owner's NFTs").needs(has_owner, "no token with an owner is selected"),
        before,
        after,
        Hint::of(Command::Back),
        card(Command::NextTab).spare(),
        card(Command::PreviousTab).spare(),
        card(Command::NextPane).spare(),
    ]
}

pub(super) fn token(page: &TokenPage, cx: &Context, siblings: Siblings) -> Vec<Hint> {
    let is_history = page.focus == Pane::Second;
    let document = Some(&page.document).filter(|_| !is_history);
    let open = if is_history {
        open_row(&page.txs)
    } else if page.collection_under_cursor().is_some() {
        Hint::of(Command::Open).called("collection")
    } else {
        open_line(document)
    };
    let has_metadata = page.art.metadata.value().is_some() || page.tab == TokenTab::Json;
    let turn = |command: Command| {
        let key = cx.keymap.shown(crate::config::KeyScope::NftPage.layers(), Command::Metadata).unwrap_or_default();
        Hint::of(command).needs(has_metadata, format!("this token's metadata is not here; {key} asks for it"))
    };
    let has_owner = page.token.value().is_some_and(|token| token.owner_address().is_some());
    let selected = page.txs.selected().filter(|_| is_history).map(|row| row.tx.txhash);
    let [_, signer, block, _] = of_tx(selected.is_some(), selected, cx);
    let [before, after] = siblings.hints("token");
    let mut hints = vec![
        open,
        Hint::of(Command::Metadata).needs(page.uri().is_some(), "this token names no metadata"),
        turn(Command::RawJson).called(if page.tab == TokenTab::Json { "facts" } else { "JSON" }),
        Hint::of(Command::NextPane).called(if is_history { "facts" } else { "history" }),
        Hint::of(Command::OwnedNfts).called("owner's NFTs").needs(has_owner, "this token's owner is not known"),
        before,
        after,
        Hint::of(Command::Back),
        filter_lines(document),
        turn(Command::NextTab).spare(),
        turn(Command::PreviousTab).spare(),
        signer,
        block,
    ];
    hints.extend(folds(document));
    hints
}

impl App {
    /// The neighbours of a collection in the list it was opened from.
    pub(super) fn collection_siblings(&self, page: &CollectionPage) -> Siblings {
        let Some(View::Nfts(view)) = page.origin.and_then(|id| self.navigation.view(id)) else {
            return Siblings::NoList;
        };
        let key = page.address.hex();
        let is_there = |step| view.shown().neighbour(&key, step).is_some_and(|row| row.0.address().is_some());
        Siblings::Beside(is_there(-1), is_there(1))
    }

    /// The neighbours of a token in the list it was opened from.
    pub(super) fn token_siblings(&self, page: &TokenPage) -> Siblings {
        let list = match page.origin.and_then(|id| self.navigation.view(id)) {
            Some(View::Collection(page)) => &page.tokens,
            Some(View::Account(page)) => &page.tokens,
            _ => return Siblings::NoList,
        };
        let key = page.key();
        Siblings::Beside(list.neighbour(&key, -1).is_some(), list.neighbour(&key, 1).is_some())
    }
}
