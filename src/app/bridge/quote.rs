//! The first side of the Bridge tab: a form, and the routes for it side by side.

mod asking;
mod carry;
pub(crate) mod comparison;
mod editing;
mod form;
pub(crate) mod layout;
pub(crate) mod notices;
mod offers;
mod rail;
mod start;

pub(crate) use form::{Entered, Field, Form};
pub(crate) use offers::{Offer, Offers, REFRESH, VARIANTS, is_refusal};

use std::time::Duration;

use strum::IntoEnumIterator as _;

use self::{comparison::Measure, layout::QuoteLayout};
use crate::{
    app::{App, navigation::Navigation, page::Tab, view::View},
    domain::Timestamp,
    msg::RouteVariant,
    widgets::{
        document::Document,
        layout::{Pane, Regions},
    },
    wire::ApiError,
};

/// The form and its routes.
#[derive(Debug, Default)]
pub(crate) struct QuoteSide {
    /// What is filled in.
    pub(crate) form: Form,
    /// The field with the cursor.
    pub(crate) field: Field,
    /// The form or the routes.
    pub(crate) focus: Pane,
    /// The route that is looked at.
    pub(crate) chosen: RouteVariant,
    /// The routes.
    pub(crate) offers: Offers,
    /// The chosen one hop by hop, with its fees and warnings.
    pub(crate) rail: Document,
    /// Whether a person changed the form: it is not filled in by itself any more.
    is_touched: bool,
    /// What the rail was made of: the directory's edition, this one's, and a column's width.
    made_of: (u64, u64, usize),
    /// Counts what changes the rail.
    edition: u64,
    /// The age on screen.
    shown_age: Option<u64>,
}

impl QuoteSide {
    /// Gives it its room.
    pub(crate) fn fit(&mut self, regions: &Regions) {
        let room = QuoteLayout::of(regions, self.measures().len()).rail;
        self.rail.set_room(usize::from(room.width), usize::from(room.height));
    }

    /// The measures that the routes are compared by.
    pub(crate) fn measures(&self) -> Vec<Measure> {
        let routes = RouteVariant::iter().filter_map(|variant| self.offers.get(variant).route());
        comparison::measures(routes.map(|route| &route.value))
    }

    /// Moves the cursor by so many rows; whether it moved.
    pub(crate) fn move_by(&mut self, rows: isize) -> bool {
        match self.focus {
            Pane::First => self.move_to((self.field as usize).saturating_add_signed(rows)),
            Pane::Second => self.rail.move_by(rows),
        }
    }

    /// Moves the cursor to a row; whether it moved.
    pub(crate) fn move_to(&mut self, place: usize) -> bool {
        if self.focus == Pane::Second {
            return self.rail.move_to(place);
        }
        // The last one for every place behind it; strum's `nth` overflows far behind its end.
        let field = Field::iter().nth(place.min(Field::Amount as usize)).unwrap_or(Field::Amount);
        std::mem::replace(&mut self.field, field) != field
    }

    /// Moves by screens.
    pub(crate) fn page_by(&mut self, screens: isize) -> bool {
        match self.focus {
            Pane::First => self.move_by(screens.saturating_mul(4)),
            Pane::Second => self.rail.page_by(screens),
        }
    }

    /// Moves by half a screen.
    pub(crate) fn half_page_by(&mut self, sign: isize) -> bool {
        match self.focus {
            Pane::First => self.move_by(sign.saturating_mul(2)),
            Pane::Second => self.rail.half_page_by(sign),
        }
    }

    /// Whether the cursor is on this row.
    pub(crate) fn is_cursor_at(&self, place: usize) -> bool {
        match self.focus {
            Pane::First => self.field as usize == place,
            Pane::Second => self.rail.is_cursor_at(place),
        }
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
    fn touch_rail(&mut self) {
        self.edition += 1;
    }
}

impl App {
    /// The side, whether it is shown or not.
    fn quote(&self) -> Option<&QuoteSide> {
        match self.navigation.view(Navigation::root(Tab::Bridge))? {
            View::Bridge(view) => Some(&view.quote),
            _ => None,
        }
    }

    fn quote_mut(&mut self) -> Option<&mut QuoteSide> {
        match self.navigation.view_mut(Navigation::root(Tab::Bridge))? {
            View::Bridge(view) => Some(&mut view.quote),
            _ => None,
        }
    }

    /// Enter on the form: edits the field, or goes on with the route.
    pub(in crate::app) fn open_in_quote(&mut self) {
        let Some(quote) = self.quote() else { return };
        match quote.focus {
            Pane::First => self.edit_field(quote.field),
            Pane::Second => {
                let request = quote.offers.request(quote.chosen);
                let offer = quote.offer();
                match (request, offer.route().cloned(), offer.state.at()) {
                    (Some(request), Some(route), Some(at)) => self.open_prepare(request, route, at),
                    _ => self.refuse("there is no such route; [ and ] show the others"),
                }
            }
        }
    }

    /// `[` and `]`: another of the routes.
    pub(in crate::app) fn step_route(&mut self, step: isize) {
        if let Some(quote) = self.quote_mut() {
            quote.chosen = offers::turned(quote.chosen, step);
            quote.touch_rail();
        }
        self.effects.redraw = true;
    }

    /// Until the next quote is due.
    pub(in crate::app) fn next_quote(&self, now: Timestamp) -> Option<Duration> {
        if !self.is_quote_shown() {
            return None;
        }
        let quote = self.quote()?;
        let due = quote.offers.due(self.frozen).map(|due| due.since(now));
        let since = quote.offer().state.at().filter(|_| !self.frozen).map(|at| now.since(at));
        let second = since.map(|age| Duration::from_secs(age.as_secs() + 1).saturating_sub(age));
        [due, second].into_iter().flatten().min()
    }
}
