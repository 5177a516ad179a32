//! When the router is asked, and what its answers do.

use strum::IntoEnumIterator as _;

use super::QuoteSide;
use crate::{
    app::page::{Cx, Wish},
    msg::{Answer, PageNeed, Request, RouteVariant},
    wire::ApiError,
};

impl QuoteSide {
    /// Asks for quotes that are due, and shows what is known of the chosen one.
    pub(crate) fn update(&mut self, cx: &mut Cx<'_>) {
        self.fill_in(cx);
        self.learn_assets(cx);
        self.adopt_decimals(cx);
        let (now, is_frozen) = (cx.now, cx.frozen);
        if self.offers.turn_to(self.form.request(), now) {
            self.touch_route_lines();
            let needs = RouteVariant::iter().map(PageNeed::Quote);
            let waiting: Vec<PageNeed> = needs.filter(|need| cx.is_waiting(*need)).collect();
            for need in waiting {
                cx.wish(Wish::Cancel(need));
            }
            cx.redraw();
        } else {
            let is_waiting = |variant| cx.is_waiting(PageNeed::Quote(variant));
            let asked = self.offers.take_due(is_frozen, now, is_waiting);
            cx.redraw_if(!asked.is_empty());
            for (variant, request) in asked {
                cx.fetch(PageNeed::Quote(variant), Request::Route(request));
            }
        }
        self.make_route_lines(cx);
        self.note_age(cx);
    }

    /// A quote came.
    pub(crate) fn take(&mut self, need: PageNeed, result: Result<Answer, ApiError>, cx: &mut Cx<'_>) {
        let PageNeed::Quote(variant) = need else { return self.take_assets(result, cx) };
        let result = match result {
            Ok(Answer::Route(route)) => Ok(route),
            Ok(_) => return,
            Err(error) => Err(error),
        };
        for chain in result.iter().flat_map(|route| &route.value.chain_ids) {
            cx.wish(Wish::WantAssets(chain.clone()));
        }
        self.offers.settle(variant, result, cx.now);
        self.touch_route_lines();
    }

    /// `r`: asks again, also for what the form chooses from.
    pub(crate) fn refresh(&mut self, cx: &mut Cx<'_>) {
        cx.wish(Wish::AskRouterAgain);
        self.answers.forget();
        self.offers.make_due(cx.now);
    }

    /// The age on screen is drawn anew when its second is over.
    fn note_age(&mut self, cx: &mut Cx<'_>) {
        let age = self.age(cx.now).filter(|_| !cx.frozen);
        let is_new = std::mem::replace(&mut self.shown_age, age) != age;
        cx.redraw_if(is_new);
    }
}
