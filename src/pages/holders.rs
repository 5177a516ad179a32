//! Rich list: the largest holders of a denom, and its concentration.

mod commands;
mod concentration;
mod denoms;
mod draw;
mod exports;
mod figures;
mod marked;
mod state;
#[cfg(test)]
mod tests;

pub(super) use state::HoldersPage;

use self::state::DenomSearch;
use crate::{
    app::{
        Context,
        hint::Hint,
        page::{
            Choice, Destination, Drawing, Focus, FocusMut, Handled, Held, Page, PageCx, PageEvent, Place, Selection,
            Tab, TakeAway, WebSubject,
        },
    },
    columns::List,
    config::{Command, KeyScope},
    domain::{Address, Target, text},
    panes::{commands::copy_request, lists::HolderList, nft_records::choice},
    story::TokenUnit,
    widgets::{
        canvas::Canvas,
        layout::Pane,
        list::{QueriedList, RemoteList},
    },
};

const NO_ADDRESS: &str = "this account has no valid address";

impl HoldersPage {
    fn selected_account(&self) -> Option<Address> {
        self.list.selected()?.holder.address()
    }

    fn open_selected(&self, cx: &mut PageCx<'_>) {
        match self.list.selected().map(|row| row.holder.address()) {
            Some(Some(address)) => cx.open(Destination::Account(address)),
            Some(None) => cx.refuse(NO_ADDRESS),
            None => {}
        }
    }
}

impl Page for HoldersPage {
    /// Returns `Rich list · GAS`.
    fn title(&self) -> String {
        match &self.denom {
            Some(denom) => format!("Rich list · {}", self.symbol.clone().unwrap_or_else(|| denom.short())),
            None => "Rich list".to_owned(),
        }
    }

    fn place(&self) -> Place {
        Place {
            denom: self.denom.clone(),
            wanted_denoms: self.look(),
            columns: (self.focus == Pane::First).then_some(List::Holders),
            is_loading: self.list.is_loading(),
            is_narrowed: self.focus == Pane::Second,
            ..Place::new(Tab::RichList, KeyScope::TxPage)
        }
    }

    fn draw(&self, canvas: &mut Canvas<'_>, cx: &Drawing<'_>) {
        draw::draw(canvas, cx, self);
    }

    fn commands(&self, _cx: &Context) -> Vec<Command> {
        commands::of(self.focus)
    }

    fn hint(&self, hint: Hint, cx: &Context) -> Hint {
        commands::hint(self, hint, cx)
    }

    fn on(&mut self, event: PageEvent<'_>, cx: &mut PageCx<'_>) {
        match event {
            PageEvent::ChainChanged => *self = Self::new(),
            PageEvent::ListChanged { is_refresh } => {
                // A refresh reloads the first page, so the figures start again.
                if is_refresh {
                    self.count_anew();
                }
                self.count();
                self.compare_with_mark();
                let reached = cx.context.chain.status.value().and_then(|status| status.rich_list_height);
                self.height = self.height.or(reached);
                self.read = self.read.or(Some(cx.context.now));
                if self.is_refused() {
                    self.list.failed_at = None;
                }
            }
            PageEvent::Chosen(Choice::Denom(denom)) => {
                self.remember_typed(&denom);
                self.search = Some(DenomSearch::Keep);
                cx.open(Destination::Holders(denom));
            }
            PageEvent::TurnTo(Destination::Holders(denom)) => self.show_named(denom, cx),
            PageEvent::KnowDenoms(known) => self.take_denoms(known, cx),
            _ => {}
        }
    }

    /// Updates the denom's name, which may arrive after the list.
    fn update(&mut self, cx: &mut PageCx<'_>) {
        let token = self.denom.as_ref().and_then(|denom| cx.context.token(denom));
        self.symbol = token.map(|token| text::clip(&token.symbol, 16));
        self.make_room(&cx.regions);
    }

    fn lists(&mut self) -> Vec<Box<dyn RemoteList + '_>> {
        let Some(denom) = self.denom.clone() else { return Vec::new() };
        vec![QueriedList::boxed(&mut self.list, HolderList(denom))]
    }

    fn focus(&self) -> Option<Focus<'_>> {
        Some(Focus::Cursor(&self.list))
    }

    fn focus_mut(&mut self) -> Option<FocusMut<'_>> {
        Some(FocusMut::Cursor(&mut self.list))
    }

    fn act(&mut self, command: Command, cx: &mut PageCx<'_>) -> Handled {
        match command {
            Command::Open => self.open_selected(cx),
            Command::Filter => self.search = Some(DenomSearch::Choose),
            Command::NextPane => self.focus = self.focus.other(),
            Command::PreviousSibling => self.step_denom(-1, cx),
            Command::NextSibling => self.step_denom(1, cx),
            Command::Mark => match self.turn_mark() {
                Ok(message) => cx.done(message),
                Err(why) => cx.refuse(why),
            },
            Command::Back if self.focus == Pane::Second => self.focus = Pane::First,
            _ => return Handled::Pass,
        }
        Handled::Done
    }

    fn selection(&self) -> Selection {
        let account = self.selected_account();
        Selection { account, web: account.map(WebSubject::Account), ..Selection::default() }
    }

    fn take_away<'a>(&'a self, cx: &'a Context) -> TakeAway<'a> {
        let copies = move || {
            let mut choices = self.copied(cx.address_form());
            let named =
                self.denom.as_ref().and_then(|denom| Some((cx.token(denom)?, cx.glossary.token_source(denom)?)));
            let symbol = |token: &TokenUnit| text::clean(&token.symbol).into_owned();
            choices.extend(named.map(|(token, who)| choice('n', format!("name, by {}", who.brief()), symbol(token))));
            choices.extend(self.request().and_then(|request| copy_request(&request, cx)));
            choices
        };
        self.offer_rows(TakeAway::new().copies_if(self.denom.is_some(), copies), cx)
    }

    fn held(&self) -> Held<'_> {
        let addresses = self.list.rows().iter().filter_map(|row| row.holder.address());
        let targets = addresses.map(|address| (Target::Account(address), None)).collect();
        Held { targets, typed_denoms: &self.typed, ..Held::default() }
    }
}
