//! Between the session and its pages: a page acts with the context and wishes, and the session carries the wishes out.

use super::{
    App,
    page::{Cx, Destination, Page, Siblings, Surroundings, Wish},
    toast::ToastKind,
};
use crate::{
    domain::Target,
    msg::{PageId, PageNeed, Slot},
};

impl App {
    /// Lets the page on screen act.
    pub(super) fn with_current<R>(&mut self, act: impl FnOnce(&mut dyn Page, &mut Cx<'_>) -> R) -> R {
        let id = self.navigation.current_id();
        let (result, wishes) = {
            let surroundings = self.surroundings();
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
            Wish::Fetch(need, request) => self.fetch(Slot::Page(id, need), request),
            Wish::Cancel(need) => self.cancel(&Slot::Page(id, need)),
            Wish::CancelExtras => {
                self.cancel_where(|slot| matches!(slot, Slot::Page(of, need) if *of == id && *need != PageNeed::Record))
            }
            Wish::CancelAll => self.cancel_page(id),
            Wish::Open(destination) => self.open_page(*destination),
            Wish::OpenTarget(target) => self.open_target(&target),
            Wish::Leave => self.travel(false),
            Wish::Modal(modal) => self.open_modal(*modal),
            Wish::CloseModal => self.modal = None,
            Wish::Say(kind, text) => self.say(kind, text),
            Wish::Host(effect) => self.effects.host.push(effect),
            Wish::SawBlock(block) => self.chain.saw_block(&block),
            Wish::WantAssets(chain) => self.directory.want(&chain),
            Wish::AskRouterAgain => self.directory.forget_failures(),
            Wish::Depart(departure, request) => self.depart(departure, request),
            Wish::Transfer(wish) => self.take_transfer_wish(wish),
            Wish::TrackOwn(hash) => self.track_own(hash),
            Wish::Run(command) => self.act(command),
            Wish::Redraw => self.effects.redraw = true,
        }
    }

    /// What lies around the page on screen in the list that it was opened from.
    pub(super) fn surroundings(&self) -> Surroundings {
        let Some((id, target)) = self.navigation.current().origin() else { return Surroundings::default() };
        let Some(origin) = self.navigation.page(id) else { return Surroundings::default() };
        let is_there = |step| matches!(origin.neighbour(&target, step, id), Some(Ok(_)));
        let siblings =
            if origin.has_list_of(&target) { Siblings::Beside(is_there(-1), is_there(1)) } else { Siblings::NoList };
        let place_in_block = if let Target::Tx(hash) = &target { origin.place_in_block(hash) } else { None };
        Surroundings { siblings, place_in_block }
    }

    /// The neighbour of the page on screen in the list it was opened from takes its place.
    pub(super) fn open_sibling(&mut self, step: isize) {
        let title = self.navigation.current().kind();
        let origin = self.navigation.current().origin();
        let list = origin.and_then(|(id, target)| Some((id, target.clone(), self.navigation.page_mut(id)?)));
        let Some((id, target, page)) = list.filter(|(_, target, page)| page.has_list_of(target)) else {
            return self.refuse(format!("this {title} was not opened from a list"));
        };
        match page.neighbour(&target, step, id) {
            None => self.refuse(format!("no further {title} is loaded in this direction")),
            Some(Err(why)) => self.refuse(why),
            Some(Ok(destination)) => {
                if let Some(target) = destination.target() {
                    page.select(&target);
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
            self.remember_target(&target);
        }
        if let Some(tab) = destination.home() {
            self.open_tab(tab);
            self.with_current(|page, cx| page.turn_to(destination, cx));
            return;
        }
        if let Destination::Transfer(id) = &destination
            && !self.watch_transfer(id)
        {
            return;
        }
        let page = (self.open_with)(destination, &self.context);
        self.navigation.open(page);
    }

    /// Opens what a text was understood as.
    pub(super) fn open_target(&mut self, target: &Target) {
        match Destination::of(target) {
            Some(destination) => self.open_page(destination),
            None => {
                let sentence = self.describe_chain(&target.text());
                self.say(ToastKind::Told, sentence);
            }
        }
    }
}
