//! Between the session and its pages: a page acts with the context and wishes, and the session carries the wishes out.

use super::{
    App,
    go_to::KnownNames,
    modal::Modal,
    page::{Cx, Destination, Page, Surroundings, Wish},
    prompt::{PickChoice, PickPurpose, Prompt},
};
use crate::{
    domain::Target,
    msg::{PageId, PageNeed, Slot},
};

/// Names of what was opened that are kept at the most.
const MOST_NAMES: usize = 500;

impl App {
    /// Lets the page on screen act.
    pub(super) fn with_current<R>(&mut self, act: impl FnOnce(&mut dyn Page, &mut Cx<'_>) -> R) -> R {
        let id = self.navigation.current_id();
        let (result, wishes) = {
            let surroundings = self.screen().surroundings();
            let Self { context, navigation, requests, .. } = self;
            let page = navigation.current_mut();
            let mut wishes = Vec::new();
            let layers = page.scope().layers();
            let mut cx = Cx::new(context, requests, &mut wishes, (id, layers, surroundings));
            (act(page, &mut cx), wishes)
        };
        self.carry_out(id, wishes);
        result
    }

    /// Lets a page act that may be covered; `None` where it is not remembered any more.
    pub(super) fn with_page<R>(&mut self, id: PageId, act: impl FnOnce(&mut dyn Page, &mut Cx<'_>) -> R) -> Option<R> {
        let (result, wishes) = {
            let Self { context, navigation, requests, .. } = self;
            let page = navigation.page_mut(id)?;
            let mut wishes = Vec::new();
            let layers = page.scope().layers();
            let mut cx = Cx::new(context, requests, &mut wishes, (id, layers, Surroundings::default()));
            (act(page, &mut cx), wishes)
        };
        self.carry_out(id, wishes);
        Some(result)
    }

    fn carry_out(&mut self, id: PageId, wishes: Vec<Wish>) {
        for wish in wishes {
            self.fulfil(id, wish);
        }
    }

    fn fulfil(&mut self, id: PageId, wish: Wish) {
        match wish {
            Wish::Fetch(need, request) => self.requests.fetch(Slot::Page(id, need), request),
            Wish::Cancel(need) => self.requests.cancel_where(|slot| *slot == Slot::Page(id, need)),
            Wish::CancelExtras => self
                .requests
                .cancel_where(|slot| matches!(slot, Slot::Page(of, need) if *of == id && *need != PageNeed::Record)),
            Wish::CancelAll => self.requests.cancel_page(id),
            Wish::Open(destination) => self.open_page(*destination),
            Wish::OpenTarget(target) => self.open_target(&target),
            Wish::Ask(prompt) => self.open_modal(Modal::Prompt(*prompt)),
            Wish::CloseModal => self.modal = None,
            Wish::Describe(purpose, choices) => {
                self.effects.redraw |= describe_choices(&mut self.modal, purpose, &choices);
            }
            Wish::Say(kind, text) => self.toasts.say(kind, text),
            Wish::SawBlock(block) => self.chain.saw_block(&block),
            Wish::WantAssets(chain) => self.directory.want(&chain),
            Wish::AskRouterAgain => self.directory.forget_failures(),
            Wish::Depart(departure, request) => {
                self.with_transfers(|transfers, cx| transfers.depart(departure, request, cx));
            }
            Wish::Sign(departure, order) => {
                self.with_transfers(|transfers, cx| transfers.sign(departure, *order, cx));
            }
            Wish::Transfer(wish) => self.with_transfers(|transfers, cx| transfers.take_wish(wish, cx)),
            Wish::TrackOwn(hash) => self.with_transfers(|transfers, cx| transfers.track_own(hash, cx)),
            Wish::Redraw => self.effects.redraw = true,
        }
    }

    /// The neighbour of the page on screen in the list it was opened from takes its place.
    pub(super) fn open_sibling(&mut self, step: isize) {
        let title = self.navigation.current().kind();
        let origin = self.navigation.current().origin();
        let list = origin.and_then(|(id, target)| Some((id, target.clone(), self.navigation.page_mut(id)?)));
        let Some((id, target, page)) = list.filter(|(_, target, page)| page.has_list_of(target)) else {
            return self.toasts.refuse(format!("this {title} was not opened from a list"));
        };
        match page.neighbour(&target, step, id) {
            None => self.toasts.refuse(format!("no further {title} is loaded in this direction")),
            Some(Err(why)) => self.toasts.refuse(why),
            Some(Ok(destination)) => {
                if let Some(target) = destination.target() {
                    page.select(&target);
                    self.navigation.note_target(target);
                }
                self.with_current(|page, cx| page.turn_to(destination, cx));
                self.effects.redraw = true;
            }
        }
    }

    /// Opens a page, and remembers what it is of.
    pub(crate) fn open_page(&mut self, destination: Destination) {
        self.effects.redraw = true;
        if let Some(target) = destination.target() {
            self.remember(&target);
            if let Some(name) = destination.record_name().filter(|_| self.opened_names.len() < MOST_NAMES) {
                self.opened_names.insert(target, name);
            }
        }
        if let Some(tab) = destination.home() {
            self.open_tab(tab);
            self.with_current(|page, cx| page.turn_to(destination, cx));
            return;
        }
        if let Destination::Transfer(id) = &destination
            && !self.with_transfers(|transfers, cx| transfers.watch(id, cx))
        {
            return;
        }
        let target = destination.target();
        let page = (self.open_with)(destination, &self.context);
        self.navigation.open(page);
        if let Some(target) = target {
            self.navigation.note_target(target);
        }
    }

    /// Opens what a text was understood as.
    pub(super) fn open_target(&mut self, target: &Target) {
        if let Some(destination) = Destination::of(target) {
            return self.open_page(destination);
        }
        let names = KnownNames::new(&self.context, &self.navigation, &self.recents, None);
        let sentence = names.describe_chain(&target.text());
        self.toasts.inform(sentence);
    }
}

/// Puts new details in the open list, where it is of this purpose: its rows stay where they are. Whether it is.
fn describe_choices(modal: &mut Option<Modal>, purpose: PickPurpose, choices: &[PickChoice]) -> bool {
    let Some(Modal::Prompt(Prompt::Pick(pick))) = modal else { return false };
    if pick.purpose != purpose {
        return false;
    }
    pick.picker.change(|choice| {
        if let Some(known) = choices.iter().find(|known| known.value == choice.value) {
            choice.detail.clone_from(&known.detail);
        }
    });
    true
}
