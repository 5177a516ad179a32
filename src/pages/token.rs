//! The page of one token: what it is, its picture, how it changed hands.

mod draw;
mod lines;
mod state;

pub(super) use state::TokenPage;

use std::sync::Arc;

use self::state::TokenTab;
use crate::{
    app::{
        Context,
        hint::Hint,
        page::{Cx, Destination, Drawing, Export, Handled, Page, Surroundings, Tab, WebSubject, Wish, WordWork},
        prompt::CopyChoice,
    },
    columns::List,
    config::{Command, KeyScope},
    domain::{Target, text},
    msg::{Answer, PageId, PageNeed, Remote, TxQuery, TxScope},
    panes::{
        art::Reach,
        commands,
        lists::TxList,
        nft_records::{self, TokenRecord, choice},
        tx_list, words,
    },
    widgets::{
        canvas::Canvas,
        cursor::Cursor,
        document::Lines,
        layout::{Pane, Regions},
        list::{QueriedList, RemoteList},
    },
    wire::{self, ApiError},
};

fn no_metadata(key: &str) -> String {
    format!("this token's metadata is not here; {key} asks for it")
}

impl TokenPage {
    fn open_selected(&self, cx: &mut Cx<'_>) -> Handled {
        if let Some(address) = self.collection_under_cursor() {
            cx.open(Destination::Collection { address, record: None, owner: None, origin: None });
        } else if self.focus == Pane::Second {
            tx_list::open_selected(&self.txs, cx);
        } else {
            return Handled::Pass;
        }
        Handled::Done
    }

    fn show_raw(&mut self, cx: &mut Cx<'_>) {
        if self.art.metadata.value().is_some() {
            self.turn_tab();
        } else {
            cx.refuse(no_metadata(&cx.key(Command::Metadata)));
        }
    }

    fn ask_metadata(&mut self, cx: &mut Cx<'_>) {
        if self.uri().is_none() {
            return cx.refuse("this token names no metadata");
        }
        self.ask_anew();
        cx.wish(Wish::CancelExtras);
    }

    fn open_owned(&self, cx: &mut Cx<'_>) {
        match self.token.value().and_then(|token| token.owner_address()) {
            Some(owner) => cx.open(Destination::CollectionsOf(owner)),
            None => cx.refuse("this token's owner is not known"),
        }
    }

    /// What Enter does.
    fn open_hint(&self) -> Hint {
        if self.focus == Pane::Second {
            commands::open_row(&self.txs)
        } else if self.collection_under_cursor().is_some() {
            Hint::of(Command::Open).called("collection")
        } else {
            commands::open_line(Some(&self.document))
        }
    }
}

impl Page for TokenPage {
    fn title(&self) -> String {
        let id = text::clip(&self.name.token_id, 24);
        match self.token.value().map(|token| text::clip(&token.collection_name, 32)) {
            Some(name) if !name.trim().is_empty() => format!("{name} #{id}"),
            _ => format!("Token #{id}"),
        }
    }

    fn tab(&self) -> Tab {
        Tab::Nfts
    }

    fn scope(&self) -> KeyScope {
        KeyScope::NftPage
    }

    fn fit(&mut self, regions: &Regions, _cx: &Context) {
        let places = self.places(regions);
        self.txs.set_viewport(usize::from(regions.list_rows(places.history).height));
        let facts = regions.inner(places.facts);
        self.document.set_room(usize::from(facts.width), usize::from(facts.height));
    }

    fn draw(&self, canvas: &mut Canvas<'_>, cx: &Drawing<'_>) {
        draw::draw(canvas, cx, self);
    }

    fn commands(&self, cx: &Context, surroundings: &Surroundings) -> Vec<Hint> {
        let is_history = self.focus == Pane::Second;
        let has_metadata = self.art.metadata.value().is_some() || self.tab == TokenTab::Json;
        let key = cx.keymap.shown(self.scope().layers(), Command::Metadata).unwrap_or_default();
        let turn = |command: Command| Hint::of(command).needs(has_metadata, no_metadata(&key));
        let has_owner = self.token.value().is_some_and(|token| token.owner_address().is_some());
        let selected = self.txs.selected().filter(|_| is_history).map(|row| row.tx.txhash);
        let [_, signer, block, _] = commands::of_tx(selected.is_some(), selected, cx);
        let [before, after] = surroundings.siblings.hints(self.kind());
        let mut hints = vec![
            self.open_hint(),
            Hint::of(Command::Metadata).needs(self.uri().is_some(), "this token names no metadata"),
            turn(Command::RawJson).called(if self.tab == TokenTab::Json { "facts" } else { "JSON" }),
            Hint::of(Command::NextPane).called(if is_history { "facts" } else { "history" }),
            Hint::of(Command::OwnedNfts).called("owner's NFTs").needs(has_owner, "this token's owner is not known"),
            before,
            after,
            Hint::of(Command::Back),
            commands::filter_lines(self.document()),
            turn(Command::NextTab).spare(),
            turn(Command::PreviousTab).spare(),
            signer,
            block,
        ];
        hints.extend(commands::folds(self.document()));
        hints
    }

    fn restart(&mut self) -> Option<Destination> {
        *self = self.fresh();
        None
    }

    fn update(&mut self, cx: &mut Cx<'_>) {
        if matches!(self.token, Remote::Idle) {
            self.token.ask(cx.now);
            cx.fetch(PageNeed::Record, self.request());
        }
        let drops_art = self.drops_art();
        let wanted = self.want_art(Reach::of(cx), cx.now);
        self.make_lines(cx.size, cx.address_form(), &cx.key(Command::Metadata));
        if self.is_outdated() {
            cx.fetch(PageNeed::Record, self.request());
        }
        if drops_art {
            cx.wish(Wish::CancelExtras);
        }
        if let Some((need, request)) = wanted {
            cx.fetch(need, request);
        }
    }

    fn take(&mut self, need: PageNeed, result: Result<Answer, ApiError>, cx: &mut Cx<'_>) {
        match (need, result) {
            (PageNeed::Record, Ok(Answer::Tokens(tokens))) => self.take_only(tokens, cx.now),
            (PageNeed::Record, Ok(_)) => {}
            (PageNeed::Record, Err(error)) => self.settle(Err(error), cx.now),
            (_, result) => self.take_art(need, result, cx.now),
        }
        cx.redraw();
    }

    fn lists(&mut self) -> Vec<Box<dyn RemoteList + '_>> {
        let query = TxQuery { scope: TxScope::Token(self.name.clone()), msgs: Vec::new() };
        vec![QueriedList::boxed(&mut self.txs, TxList::of(query))]
    }

    fn retry(&mut self) {
        self.token.forget_passing();
    }

    /// What is known stays meanwhile.
    fn refresh(&mut self, cx: &mut Cx<'_>) {
        cx.fetch(PageNeed::Record, self.request());
    }

    fn is_loading(&self) -> bool {
        self.token.is_loading() || self.txs.state.is_loading() || self.txs.fetching.is_some() || self.art.is_loading()
    }

    fn column_list(&self) -> Option<List> {
        (self.focus == Pane::Second).then_some(List::NftTxs)
    }

    fn cursor(&self) -> Option<&dyn Cursor> {
        Some(match self.focus {
            Pane::First => &self.document,
            Pane::Second => &self.txs,
        })
    }

    fn cursor_mut(&mut self) -> Option<&mut dyn Cursor> {
        Some(match self.focus {
            Pane::First => &mut self.document,
            Pane::Second => &mut self.txs,
        })
    }

    fn document(&self) -> Option<&dyn Lines> {
        (self.focus == Pane::First).then_some(&self.document as &dyn Lines)
    }

    fn document_mut(&mut self) -> Option<&mut dyn Lines> {
        (self.focus == Pane::First).then_some(&mut self.document as &mut dyn Lines)
    }

    fn focus(&mut self, pane: Pane) {
        self.focus = pane;
    }

    fn act(&mut self, command: Command, cx: &mut Cx<'_>) -> Handled {
        match command {
            Command::Open => return self.open_selected(cx),
            Command::NextPane => self.focus = self.focus.other(),
            Command::NextTab | Command::PreviousTab => self.turn_tab(),
            Command::RawJson => self.show_raw(cx),
            Command::Metadata => self.ask_metadata(cx),
            Command::OwnedNfts => self.open_owned(cx),
            _ => return Handled::Pass,
        }
        Handled::Done
    }

    fn turn_to(&mut self, destination: Destination, cx: &mut Cx<'_>) {
        if let Destination::Token { name, record, origin, .. } = destination {
            let (focus, tab) = (self.focus, self.tab);
            *self = Self::open(name, record, origin, self.is_asked, cx.now);
            (self.focus, self.tab) = (focus, tab);
            cx.wish(Wish::CancelAll);
        }
    }

    fn kind(&self) -> &'static str {
        "token"
    }

    fn origin(&self) -> Option<(PageId, Target)> {
        let (collection, token_id) = (self.name.collection, self.name.token_id.clone());
        Some((self.origin?, Target::Token { collection, token_id }))
    }

    fn neighbour(&self, of: &Target, step: isize, id: PageId) -> Option<Result<Destination, &'static str>> {
        tx_list::neighbour(&self.txs, of, step, id)
    }

    fn has_list_of(&self, of: &Target) -> bool {
        matches!(of, Target::Tx(_))
    }

    fn select(&mut self, target: &Target) {
        tx_list::select(&mut self.txs, target);
    }

    fn selected_tx(&self) -> Option<Arc<wire::Tx>> {
        if self.focus == Pane::Second { tx_list::selected(&self.txs) } else { None }
    }

    fn copies(&self, cx: &Context) -> Vec<CopyChoice> {
        if self.focus == Pane::Second {
            return Vec::new();
        }
        let token = self.token.value();
        let mut choices = token.map_or_else(Vec::new, |token| nft_records::of_token(token));
        choices.push(choice('h', "collection, 0x…", self.name.collection.hex()));
        if let Some(object) = token.and_then(|token| token.object()) {
            choices.push(choice('b', "object address", object.hex()));
        }
        if let Some(metadata) = self.art.metadata.value() {
            choices.push(CopyChoice::document('m', "metadata as JSON", metadata.raw.get().to_owned()));
        }
        choices.extend(nft_records::curl(cx, 'c', "curl command of the record", &self.request()));
        choices
    }

    fn has_copies(&self, _cx: &Context) -> bool {
        self.focus == Pane::First || self.txs.selected().is_some()
    }

    fn export(&self, _cx: &Context) -> Vec<Export> {
        let metadata = self.art.metadata.value().map(|metadata| &metadata.raw);
        let record = self.token.value().map(|token| TokenRecord { token, metadata });
        record.into_iter().map(|record| Export::record("token.json", &record)).collect()
    }

    fn has_export(&self, _cx: &Context) -> bool {
        self.token.value().is_some()
    }

    fn web_subject(&self) -> Option<WebSubject> {
        (self.focus == Pane::First).then_some(WebSubject::Account(self.name.collection))
    }

    fn put_into_words(&mut self, cx: &Context, work: &mut WordWork) {
        let regions = Regions::of(cx.size);
        if regions.list_rows(self.places(&regions).history).height > 0 {
            words::summarize(self.other_rows(), None, cx, work);
        }
    }

    fn shrink(&mut self) {
        self.let_go();
    }
}
