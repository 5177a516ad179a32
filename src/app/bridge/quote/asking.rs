//! When the router is asked, and what its answers do.

use strum::IntoEnumIterator as _;

use crate::{
    app::{App, bridge::BridgeSide, navigation::Navigation, page::Tab, view::View},
    msg::{Answer, PageNeed, Request, RouteVariant, Slot},
    wire::ApiError,
};

fn slot(variant: RouteVariant) -> Slot {
    Slot::Page(Navigation::root(Tab::Bridge), PageNeed::Quote(variant))
}

impl App {
    /// Whether the side is on screen, and there is somebody to ask.
    pub(super) fn is_quote_shown(&self) -> bool {
        let is_shown = matches!(self.navigation.current(), View::Bridge(view) if view.side == BridgeSide::Quote);
        is_shown && self.has_router()
    }

    /// Asks for quotes that are due.
    pub(in crate::app) fn meet_quote_needs(&mut self) {
        if !self.is_quote_shown() {
            return;
        }
        self.fill_in();
        self.adopt_decimals();
        let (now, is_frozen) = (self.now, self.frozen);
        let waiting: Vec<RouteVariant> =
            RouteVariant::iter().filter(|variant| self.is_waiting(&slot(*variant))).collect();
        let Some(quote) = self.quote_mut() else { return };
        let plain = quote.form.request();
        if quote.offers.turn_to(plain, now) {
            quote.touch_rail();
            for variant in waiting {
                self.cancel(&slot(variant));
            }
            self.effects.redraw = true;
        } else {
            let asked = quote.offers.take_due(is_frozen, now, |variant| waiting.contains(&variant));
            self.effects.redraw |= !asked.is_empty();
            for (variant, request) in asked {
                self.fetch(slot(variant), Request::Route(request));
            }
        }
        self.make_rail();
        self.note_age();
    }

    /// A quote came.
    pub(in crate::app) fn take_quote(&mut self, need: PageNeed, result: Result<Answer, ApiError>) {
        let now = self.now;
        let PageNeed::Quote(variant) = need else { return };
        let result = match result {
            Ok(Answer::Route(route)) => Ok(route),
            Ok(_) => return,
            Err(error) => Err(error),
        };
        let Some(quote) = self.quote_mut() else { return };
        let chains = result.as_ref().map(|route| route.value.chain_ids.clone()).unwrap_or_default();
        quote.offers.settle(variant, result, now);
        quote.touch_rail();
        for chain in &chains {
            self.directory.want(chain);
        }
        self.effects.redraw = true;
    }

    /// `r`: asks again, also for what the form chooses from.
    pub(in crate::app) fn refresh_quotes(&mut self) {
        if !self.is_quote_shown() {
            return;
        }
        let now = self.now;
        self.directory.forget_failures();
        if let Some(quote) = self.quote_mut() {
            quote.offers.make_due(now);
        }
    }

    /// The age on screen is drawn anew when its second is over.
    fn note_age(&mut self) {
        let (now, is_frozen) = (self.now, self.frozen);
        let Some(quote) = self.quote_mut() else { return };
        let age = quote.age(now).filter(|_| !is_frozen);
        let is_new = std::mem::replace(&mut quote.shown_age, age) != age;
        self.effects.redraw |= is_new;
    }
}
