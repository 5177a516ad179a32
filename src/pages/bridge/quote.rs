//! The first side of the Bridge tab: a form, and the routes for it side by side.

mod asking;
mod carry;
mod choosing;
mod comparison;
mod cursor;
mod draw;
mod editing;
mod form;
mod layout;
mod notices;
mod offers;
mod route_lines;
mod start;

pub(super) use draw::draw;
pub(in crate::pages) use form::FormField;
pub(in crate::pages) use layout::QuoteLayout;

use std::time::Duration;

use strum::IntoEnumIterator as _;

use self::{
    comparison::RouteMeasure,
    form::QuoteForm,
    offers::{Offer, Offers, is_refusal},
};
use crate::{
    app::{
        Context,
        page::{Cx, Destination},
    },
    domain::Timestamp,
    msg::RouteVariant,
    widgets::{
        document::Document,
        layout::{Pane, Regions},
    },
    wire::ApiError,
};

#[derive(Debug, Default)]
pub(crate) struct QuoteSide {
    pub(crate) form: QuoteForm,
    /// The field with the cursor.
    pub(crate) field: FormField,
    /// The form or the routes.
    pub(crate) focus: Pane,
    /// The route that is looked at.
    pub(crate) chosen: RouteVariant,
    pub(crate) offers: Offers,
    /// The chosen one hop by hop, with its fees and warnings.
    pub(crate) route_lines: Document,
    /// What the router said of the assets to choose from.
    answers: choosing::AssetAnswers,
    /// Whether a person changed the form: it is not filled in by itself any more.
    is_touched: bool,
    /// What the lines of the route were made of: the directory's edition, this one's, and a column's width.
    made_of: (u64, u64, usize),
    /// Counts what changes them.
    edition: u64,
    /// The age on screen.
    shown_age: Option<u64>,
}

impl QuoteSide {
    pub(crate) fn fit(&mut self, regions: &Regions, transfers: usize) {
        let room = QuoteLayout::of(regions, self.measures().len(), transfers).route_lines;
        self.route_lines.set_room(usize::from(room.width), usize::from(room.height));
    }

    /// The measures that the routes are compared by.
    pub(crate) fn measures(&self) -> Vec<RouteMeasure> {
        let routes = RouteVariant::iter().filter_map(|variant| self.offers.get(variant).route());
        comparison::measures(routes.map(|route| &route.value))
    }

    /// Whether a quote is awaited for the first time.
    pub(crate) fn is_loading(&self) -> bool {
        self.offers.is_loading()
    }

    /// The route that is looked at.
    pub(crate) fn offer(&self) -> &Offer {
        self.offers.get(self.chosen)
    }

    /// Why the chosen route is not there, for the pane below the table: a refusal is told in its column.
    pub(crate) fn failure(&self) -> Option<&ApiError> {
        self.offer().state.error().filter(|error| !is_refusal(error))
    }

    /// How old the chosen route is, in whole seconds.
    pub(crate) fn age(&self, now: Timestamp) -> Option<u64> {
        self.offer().state.at().map(|at| now.since(at).as_secs())
    }

    /// The chosen route, or what it is made of, is another.
    fn touch_route_lines(&mut self) {
        self.edition += 1;
    }

    /// Drops the routes: they were of the chain before.
    pub(crate) fn restart(&mut self) {
        self.offers = Offers::default();
        self.answers.forget();
    }

    /// Enter: edits the field, or goes on with the route.
    pub(crate) fn open(&mut self, cx: &mut Cx<'_>) {
        match self.focus {
            Pane::First => self.edit_field(cx),
            Pane::Second => {
                let (request, offer) = (self.offers.request(self.chosen), self.offer());
                match (request, offer.route().cloned(), offer.state.at()) {
                    (Some(request), Some(route), Some(at)) => {
                        cx.open(Destination::Send(Box::new(request), route, at));
                    }
                    _ => cx.refuse("there is no such route; ← and → show the others"),
                }
            }
        }
    }

    /// `[` and `]`: another of the routes.
    pub(crate) fn step_route(&mut self, step: isize) {
        self.chosen = offers::turned(self.chosen, step);
        self.touch_route_lines();
    }

    /// Left and right: the column beside, around at the end.
    pub(crate) fn step_column(&mut self, step: isize) {
        match self.focus {
            Pane::First => self.field = self.field.beside(),
            Pane::Second => self.step_route(step),
        }
    }

    /// Until the next quote is due.
    pub(crate) fn wake_in(&self, cx: &Context, now: Timestamp) -> Option<Duration> {
        let due = self.offers.due(cx.frozen).map(|due| due.since(now));
        let since = self.offer().state.at().filter(|_| !cx.frozen).map(|at| now.since(at));
        let second = since.map(|age| Duration::from_secs(age.as_secs() + 1).saturating_sub(age));
        [due, second].into_iter().flatten().min()
    }
}
