//! The rich list: who holds how much of a denom, and how concentrated it is.

mod concentration;
mod denoms;
mod draw;
mod figures;
mod state;

#[cfg(test)]
pub(super) use concentration::{Concentration, Ratio};
pub(super) use state::HoldersPage;

use self::state::DenomSearch;
use crate::{
    app::{
        Context,
        hint::Hint,
        known_denom::{DenomSearchDepth, KnownDenom},
        page::{Choice, Cx, Destination, Drawing, Export, Handled, Page, Surroundings, Tab, WebSubject},
        prompt::CopyChoice,
    },
    columns::List,
    config::{Command, KeyScope},
    domain::{Address, Denom, Target, text},
    panes::{commands::open_row, lists::HolderList, nft_records::choice},
    story::NameSource,
    widgets::{
        canvas::Canvas,
        cursor::Cursor,
        layout::{Pane, Regions, Tier},
        list::{QueriedList, RemoteList},
    },
};

const NO_ADDRESS: &str = "this account's text is no address";

impl HoldersPage {
    fn open_selected(&self, cx: &mut Cx<'_>) {
        match self.list.selected().map(|row| row.holder.address()) {
            Some(Some(address)) => cx.open(Destination::Account(address)),
            Some(None) => cx.refuse(NO_ADDRESS),
            None => {}
        }
    }
}

impl Page for HoldersPage {
    /// `Rich list · GAS`.
    fn title(&self) -> String {
        match &self.denom {
            Some(denom) => format!("Rich list · {}", self.symbol.clone().unwrap_or_else(|| denom.short())),
            None => "Rich list".to_owned(),
        }
    }

    fn tab(&self) -> Tab {
        Tab::RichList
    }

    fn scope(&self) -> KeyScope {
        KeyScope::Page
    }

    fn fit(&mut self, regions: &Regions, _cx: &Context) {
        self.make_room(regions);
    }

    fn draw(&self, canvas: &mut Canvas<'_>, cx: &Drawing<'_>) {
        draw::draw(canvas, cx, self);
    }

    fn commands(&self, cx: &Context, _surroundings: &Surroundings) -> Vec<Hint> {
        let has_address = self.list.selected().is_none_or(|row| row.holder.address().is_some());
        let open = open_row(&self.list).needs(has_address, NO_ADDRESS);
        let pane = Hint::of(Command::NextPane)
            .called(if self.focus == Pane::First { "figures" } else { "holders" })
            .needs(Tier::of(cx.size) != Tier::Wide, "there is no other pane here");
        let no_denom = "no further denom is known in this direction";
        let [before, after] = self.has_denoms_beside();
        let filter = Hint::of(Command::Filter).called("denom");
        let siblings = [
            Hint::of(Command::NextSibling).needs(after, no_denom),
            Hint::of(Command::PreviousSibling).needs(before, no_denom),
        ];
        let first = if self.focus == Pane::Second { [pane, filter, open] } else { [open, filter, pane] };
        let name = Hint::of(Command::NameAccount).needs(self.selected_account().is_some(), NO_ADDRESS).spare();
        first.into_iter().chain(siblings).chain([name]).collect()
    }

    fn restart(&mut self) -> Option<Destination> {
        *self = Self::new();
        None
    }

    /// A name may come after the list.
    fn update(&mut self, cx: &mut Cx<'_>) {
        let token = self.denom.as_ref().and_then(|denom| cx.token(denom));
        self.symbol = token.map(|token| text::clip(&token.symbol, 16));
    }

    fn lists(&mut self) -> Vec<Box<dyn RemoteList + '_>> {
        let Some(denom) = self.denom.clone() else { return Vec::new() };
        vec![QueriedList::boxed(&mut self.list, HolderList(denom))]
    }

    /// A refresh brought the first page anew: figures start anew with it.
    fn list_changed(&mut self, is_refresh: bool, cx: &Context) {
        if is_refresh {
            self.count_anew();
        }
        self.count();
        let reached = cx.chain.status.value().and_then(|status| status.rich_list_height);
        self.height = self.height.or(reached);
        if self.is_refused() {
            self.list.failed_at = None;
        }
    }

    fn is_loading(&self) -> bool {
        self.list.state.is_loading() || self.list.fetching.is_some()
    }

    fn column_list(&self) -> Option<List> {
        (self.focus == Pane::First).then_some(List::Holders)
    }

    fn cursor(&self) -> Option<&dyn Cursor> {
        Some(&self.list)
    }

    fn cursor_mut(&mut self) -> Option<&mut dyn Cursor> {
        Some(&mut self.list)
    }

    fn act(&mut self, command: Command, cx: &mut Cx<'_>) -> Handled {
        match command {
            Command::Open => self.open_selected(cx),
            Command::Filter => self.search = Some(DenomSearch::Choose),
            Command::NextPane => self.focus = self.focus.other(),
            Command::PreviousSibling => self.step_denom(-1, cx),
            Command::NextSibling => self.step_denom(1, cx),
            Command::Back if self.is_narrowed() => self.focus = Pane::First,
            _ => return Handled::Pass,
        }
        Handled::Done
    }

    fn is_narrowed(&self) -> bool {
        self.focus == Pane::Second
    }

    fn chosen(&mut self, choice: Choice, cx: &mut Cx<'_>) {
        if let Choice::Denom(denom) = choice {
            self.remember_typed(&denom);
            self.search = Some(DenomSearch::Keep);
            cx.open(Destination::Holders(denom));
        }
    }

    fn turn_to(&mut self, destination: Destination, cx: &mut Cx<'_>) {
        if let Destination::Holders(denom) = destination {
            self.show_named(denom, cx);
        }
    }

    fn copies(&self, cx: &Context) -> Vec<CopyChoice> {
        let mut choices = self.copied(cx.address_form());
        if let Some(denom) = &self.denom
            && let (Some(token), Some(source)) = (cx.token(denom), cx.glossary.token_source(denom))
        {
            let who = match source {
                NameSource::Network => "name, by the network's list",
                NameSource::Router => "name, by the router",
                NameSource::Bridge => "name, proven by the denom",
                NameSource::Bank => "name, by the chain's own bank",
                NameSource::Contract => "name, as its contract calls itself",
                NameSource::Transaction => "name, by a transaction",
            };
            choices.push(choice('n', who, text::clean(&token.symbol).into_owned()));
        }
        let request = self.request();
        choices.extend(request.map(|request| choice('u', "curl command of this screen", cx.curl(&request))));
        choices
    }

    fn has_copies(&self, _cx: &Context) -> bool {
        self.denom.is_some()
    }

    fn export(&self, _cx: &Context) -> Vec<Export> {
        self.exported().into_iter().collect()
    }

    fn has_export(&self, _cx: &Context) -> bool {
        self.denom.is_some() && !self.list.rows().is_empty()
    }

    fn selected_account(&self) -> Option<Address> {
        self.list.selected()?.holder.address()
    }

    fn web_subject(&self) -> Option<WebSubject> {
        self.list.selected()?.holder.address().map(WebSubject::Account)
    }

    fn known(&self) -> Vec<(Target, Option<String>)> {
        let addresses = self.list.rows().iter().filter_map(|row| row.holder.address());
        addresses.map(|address| (Target::Account(address), None)).collect()
    }

    fn wanted_denoms(&self, _cx: &Context) -> Option<DenomSearchDepth> {
        self.look()
    }

    fn typed_denoms(&self) -> Vec<Denom> {
        self.typed.clone()
    }

    fn shown_denom(&self) -> Option<Denom> {
        self.denom.clone()
    }

    fn know_denoms(&mut self, known: Vec<KnownDenom>, cx: &mut Cx<'_>) {
        self.take_denoms(known, cx);
    }

    fn shrink(&mut self) {
        self.list.shrink();
    }
}
