//! Quote side of the Bridge tab: a form, and its routes side by side.

mod asking;
mod asset_answers;
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
    asset_answers::AssetAnswers,
    comparison::RouteMeasure,
    form::QuoteForm,
    offers::{Offer, Offers, is_refusal},
};
use crate::{
    app::{
        Context,
        page::{Destination, PageCx},
    },
    domain::Timestamp,
    msg::{Remote, RouteVariant},
    widgets::{
        document::Document,
        layout::{Pane, Regions},
    },
    wire::ApiError,
};

#[derive(Debug, Default)]
pub(crate) struct QuoteSide {
    pub(crate) form: QuoteForm,
    pub(crate) field: FormField,
    /// Whether the form or the routes have the focus.
    pub(crate) focus: Pane,
    pub(crate) chosen: RouteVariant,
    pub(crate) offers: Offers,
    /// Hops of the selected route, with fees and warnings.
    pub(crate) route_lines: Document,
    /// Router's answers about the assets that the user may choose.
    answers: AssetAnswers,
    /// Whether the user changed the form. After a change, rollscope no longer fills the form in.
    is_touched: bool,
    /// Inputs of the route's lines: directory edition, own edition, columns, rows.
    made_of: (u64, u64, usize, u16),
    /// Incremented with each change of the lines.
    edition: u64,
    shown_age: Option<u64>,
}

impl QuoteSide {
    /// Fits the route's lines, and returns the rows they have.
    pub(crate) fn fit(&mut self, regions: &Regions, transfers: usize) -> u16 {
        let room = QuoteLayout::of(regions, self.measures().len(), transfers).route_lines;
        self.route_lines.fit(room);
        room.height
    }

    pub(crate) fn measures(&self) -> Vec<RouteMeasure> {
        let routes = RouteVariant::iter().filter_map(|variant| self.offers.get(variant).route());
        comparison::measures(routes.map(|route| &route.value))
    }

    /// Whether the first quote is pending.
    pub(crate) fn is_loading(&self) -> bool {
        self.offers.is_loading()
    }

    pub(crate) fn offer(&self) -> &Offer {
        self.offers.get(self.chosen)
    }

    /// Returns why the selected route is missing, for the pane below the table. A refusal is shown in the route's
    /// column.
    pub(crate) fn failure(&self) -> Option<&ApiError> {
        self.offer().state.error().filter(|error| !is_refusal(error))
    }

    /// Returns the age of the selected route, in whole seconds.
    pub(crate) fn age(&self, now: Timestamp) -> Option<u64> {
        self.offer().state.at().map(|at| now.since(at).as_secs())
    }

    /// Marks the lines of the selected route as outdated.
    fn touch_route_lines(&mut self) {
        self.edition += 1;
    }

    /// Drops the routes of the previous chain.
    pub(crate) fn restart(&mut self) {
        self.offers = Offers::default();
        self.answers.forget();
    }

    /// Edits the field, or continues with the route, on Enter.
    pub(crate) fn open(&mut self, cx: &mut PageCx<'_>) {
        match self.focus {
            Pane::First => self.edit_field(cx),
            Pane::Second => {
                let (request, offer) = (self.offers.request(self.chosen), self.offer());
                match (request, offer.route().cloned(), offer.state.at()) {
                    (Some(request), Some(route), Some(at)) => {
                        cx.open(Destination::Send(Box::new(request), route, at));
                    }
                    _ => cx.refuse(self.absence()),
                }
            }
        }
    }

    /// Returns why the selected column has no route.
    pub(super) fn absence(&self) -> &'static str {
        let is_open = matches!(self.offer().state, Remote::Idle | Remote::Loading { .. });
        if is_open && self.offers.has_question() {
            return "the router has not answered for this column yet";
        }
        "no such route; ← and → show the others"
    }

    /// Selects another route, on `[` and `]`.
    pub(crate) fn step_route(&mut self, step: isize) {
        self.chosen = offers::turned(self.chosen, step);
        self.touch_route_lines();
    }

    /// Selects the neighbouring column, on left and right; wraps around.
    pub(crate) fn step_column(&mut self, step: isize) {
        match self.focus {
            Pane::First => self.field = self.field.beside(),
            Pane::Second => self.step_route(step),
        }
    }

    /// Returns the time until the next quote is due.
    pub(crate) fn wake_in(&self, cx: &Context, now: Timestamp) -> Option<Duration> {
        let due = self.offers.due(cx.frozen).map(|due| due.since(now));
        let since = self.offer().state.at().filter(|_| !cx.frozen).map(|at| now.since(at));
        let second = since.map(|age| Duration::from_secs(age.as_secs() + 1).saturating_sub(age));
        [due, second].into_iter().flatten().min()
    }
}
