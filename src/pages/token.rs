//! Token page: facts, picture and ownership history.

mod draw;
mod lines;
mod state;

pub(super) use state::TokenPage;

use self::state::TokenTab;
use crate::{
    app::{
        Context,
        hint::Hint,
        page::{
            Destination, Drawing, Export, Focus, FocusMut, Handled, Neighbour, Page, PageCx, PageEffect, PageEvent,
            Place, Selection, Tab, TakeAway, WebSubject,
        },
        prompt::CopyChoice,
    },
    columns::{List, ends},
    config::{Command, KeyScope},
    domain::Target,
    msg::{PageId, PageNeed, Remote, TxQuery, TxScope},
    panes::{
        art::{ArtAsk, Reach},
        commands::FOLDS,
        lists::TxList,
        nft_records::{self, TokenRecord, choice},
        tx_list, words,
    },
    widgets::{
        canvas::Canvas,
        layout::Pane,
        list::{QueriedList, RemoteList},
    },
};

const COMMANDS: &[&[Command]] = &[
    &[Command::Open, Command::Metadata, Command::RawJson, Command::NextPane],
    &[Command::OwnedNfts, Command::PreviousSibling, Command::NextSibling],
    &[Command::Back, Command::Filter, Command::NextTab, Command::PreviousTab],
    &[Command::OpenSigner, Command::OpenBlock],
    FOLDS,
];

const NO_URI: &str = "this token has no metadata link";
const NO_OWNER: &str = "this token's owner is unknown";

fn no_metadata(key: &str) -> String {
    format!("metadata not loaded; {key} fetches it")
}

impl TokenPage {
    fn open_selected(&self, cx: &mut PageCx<'_>) -> Handled {
        if let Some(address) = self.collection_under_cursor() {
            cx.open(Destination::Collection { address, record: None, owner: None, origin: None });
        } else if self.focus == Pane::Second {
            tx_list::open_selected(&self.txs, cx);
        } else {
            return Handled::Pass;
        }
        Handled::Done
    }

    fn show_raw(&mut self, cx: &mut PageCx<'_>) {
        if self.art.metadata.value().is_some() {
            self.turn_tab();
        } else {
            cx.refuse(no_metadata(&cx.key(Command::Metadata)));
        }
    }

    fn ask_metadata(&mut self, cx: &mut PageCx<'_>) {
        if self.uri().is_none() {
            return cx.refuse(NO_URI);
        }
        self.ask_anew();
        cx.emit(PageEffect::CancelExtras(cx.id));
    }

    fn open_owned(&self, cx: &mut PageCx<'_>) {
        match self.token.value().and_then(|token| token.owner_address()) {
            Some(owner) => cx.open(Destination::CollectionsOf(owner)),
            None => cx.refuse(NO_OWNER),
        }
    }
}

impl TokenPage {
    fn fetch_record(&self, cx: &mut PageCx<'_>) {
        let take = |page: &mut Self, result, cx: &mut PageCx<'_>| page.take_only(result, cx.context.now);
        cx.request_for(PageNeed::Record, self.ask_record(), take);
    }
}

impl Page for TokenPage {
    fn title(&self) -> String {
        let id = ends(&self.name.token_id, 24);
        match self.token.value().map(|token| token.collection_name.clipped(32)) {
            Some(name) if !name.trim().is_empty() => format!("{name} #{id}"),
            _ => format!("Token #{id}"),
        }
    }

    fn place(&self) -> Place {
        let (collection, token_id) = (self.name.collection, self.name.token_id.clone());
        let target = Target::Token { collection, token_id };
        Place {
            kind: "token",
            origin: self.origin.map(|id| (id, target)),
            columns: (self.focus == Pane::Second).then_some(List::NftTxs),
            is_loading: self.token.is_loading() || self.txs.is_loading() || self.art.is_loading(),
            ..Place::new(Tab::Nfts, KeyScope::NftPage)
        }
    }

    fn draw(&self, canvas: &mut Canvas<'_>, cx: &Drawing<'_>) {
        draw::draw(canvas, cx, self);
    }

    fn commands(&self, _cx: &Context) -> Vec<Command> {
        COMMANDS.concat()
    }

    fn hint(&self, hint: Hint, cx: &Context) -> Hint {
        let (is_history, is_json) = (self.focus == Pane::Second, self.tab == TokenTab::Json);
        match hint.command {
            Command::Open if !is_history && self.collection_under_cursor().is_some() => {
                Hint::new(Command::Open).label("collection")
            }
            Command::Metadata => hint.enabled_if(self.uri().is_some(), NO_URI),
            Command::RawJson | Command::NextTab | Command::PreviousTab => {
                let has_metadata = self.art.metadata.value().is_some() || is_json;
                let key = cx.keymap.shown(KeyScope::NftPage.layers(), Command::Metadata).unwrap_or_default();
                let hint = hint.enabled_if(has_metadata, no_metadata(&key));
                match hint.command {
                    Command::RawJson => hint.label(if is_json { "facts" } else { "JSON" }),
                    _ => hint.hidden_in_footer(),
                }
            }
            Command::NextPane => hint.label(if is_history { "facts" } else { "history" }),
            Command::OwnedNfts => {
                let has_owner = self.token.value().is_some_and(|token| token.owner_address().is_some());
                hint.label("owner's NFTs").enabled_if(has_owner, NO_OWNER)
            }
            _ => hint,
        }
    }

    fn on(&mut self, event: PageEvent<'_>, cx: &mut PageCx<'_>) {
        match event {
            PageEvent::ChainChanged => *self = self.fresh(),
            PageEvent::Retry => self.token.forget_passing(),
            // The old record stays on screen until the new one arrives.
            PageEvent::Refresh => self.fetch_record(cx),
            PageEvent::Focus(pane) => self.focus = pane,
            PageEvent::TurnTo(Destination::Token { name, record, origin, .. }) => {
                let (focus, tab) = (self.focus, self.tab);
                *self = Self::open(name, record, origin, self.is_asked, cx.context.now);
                (self.focus, self.tab) = (focus, tab);
                cx.emit(PageEffect::CancelPage(cx.id));
            }
            PageEvent::Shrink => self.let_go(),
            _ => {}
        }
    }

    fn update(&mut self, cx: &mut PageCx<'_>) {
        if matches!(self.token, Remote::Idle) {
            self.token.ask(cx.context.now);
            self.fetch_record(cx);
        }
        let drops_art = self.drops_art();
        let wanted = self.want_art(Reach::of(cx.context), cx.context.now);
        self.make_lines(cx.context.size, cx.context.address_form(), &cx.key(Command::Metadata));
        if self.is_outdated() {
            self.fetch_record(cx);
        }
        if drops_art {
            cx.emit(PageEffect::CancelExtras(cx.id));
        }
        match wanted {
            Some(ArtAsk::Metadata(ask)) => {
                cx.request(ask, |page: &mut Self, result, cx| page.take_metadata(result, cx.context.now));
            }
            Some(ArtAsk::Picture(ask)) => {
                cx.request(ask, |page: &mut Self, result, cx| page.take_picture(result, cx.context.now));
            }
            None => {}
        }
        let places = self.places(&cx.regions);
        let rows = cx.regions.list_rows(places.history);
        self.txs.fit(rows);
        self.document.fit(cx.regions.inner(places.facts));
        if rows.height > 0 {
            words::summarize(self.other_rows(), None, cx);
        }
    }

    fn lists(&mut self) -> Vec<Box<dyn RemoteList + '_>> {
        let query = TxQuery { scope: TxScope::Token(self.name.clone()), msgs: Vec::new() };
        vec![QueriedList::boxed(&mut self.txs, TxList::of(query))]
    }

    fn focus(&self) -> Option<Focus<'_>> {
        Some(match self.focus {
            Pane::First => Focus::Lines(&self.document),
            Pane::Second => Focus::Cursor(&self.txs),
        })
    }

    fn focus_mut(&mut self) -> Option<FocusMut<'_>> {
        Some(match self.focus {
            Pane::First => FocusMut::Lines(&mut self.document),
            Pane::Second => FocusMut::Cursor(&mut self.txs),
        })
    }

    fn act(&mut self, command: Command, cx: &mut PageCx<'_>) -> Handled {
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

    fn neighbour(&self, of: &Target, step: isize, id: PageId) -> Neighbour {
        Neighbour::among_txs(&tx_list::records(&self.txs).collect::<Vec<_>>(), of, step, id)
    }

    fn selection(&self) -> Selection {
        match self.focus {
            Pane::First => Selection { web: Some(WebSubject::Account(self.name.collection)), ..Selection::default() },
            Pane::Second => Selection { tx: tx_list::selected(&self.txs), ..Selection::default() },
        }
    }

    fn take_away<'a>(&'a self, cx: &'a Context) -> TakeAway<'a> {
        let token = self.token.value();
        let copies = move || {
            let mut choices = token.map_or_else(Vec::new, |token| nft_records::of_token(token));
            choices.push(choice('h', "collection, 0x…", self.name.collection.hex()));
            let object = token.and_then(|token| token.object());
            choices.extend(object.map(|object| choice('b', "object address", object.hex())));
            let json = self.art.metadata.value().map(|metadata| metadata.raw.get().to_owned());
            choices.extend(json.map(|json| CopyChoice::document('m', "metadata as JSON", json)));
            choices.extend(cx.curl('c', "curl command of the record", self.ask_record().request()));
            choices
        };
        TakeAway::new().copies_if(self.focus == Pane::First, copies).exports_if(token.is_some(), move || {
            let metadata = self.art.metadata.value().map(|metadata| &metadata.raw);
            let record = token.map(|token| TokenRecord { token, metadata });
            record.into_iter().map(|record| Export::record("token.json", &record)).collect()
        })
    }
}
