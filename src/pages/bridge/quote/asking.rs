//! Requests for quotes, and their answers.

use std::sync::Arc;

use strum::IntoEnumIterator as _;

use super::QuoteSide;
use crate::{
    app::page::{PageCx, PageEffect},
    msg::{PageNeed, RouteVariant, ask},
    pages::bridge::BridgePage,
    wire::{ApiError, Verbatim, router::Route},
};

impl QuoteSide {
    /// Requests quotes that are due, and the assets and balances that the selected route shows.
    pub(crate) fn update(&mut self, cx: &mut PageCx<'_>) {
        self.fill_in(cx);
        self.learn_assets(cx);
        self.adopt_decimals(cx.context);
        let (now, is_frozen) = (cx.context.now, cx.context.frozen);
        if self.offers.turn_to(self.form.request(), now) {
            self.touch_route_lines();
            let needs = RouteVariant::iter().map(PageNeed::Quote);
            let waiting: Vec<PageNeed> = needs.filter(|need| cx.is_waiting(*need)).collect();
            for need in waiting {
                cx.cancel(need);
            }
            cx.redraw();
        } else {
            let is_waiting = |variant| cx.is_waiting(PageNeed::Quote(variant));
            let asked = self.offers.take_due(is_frozen, now, is_waiting);
            cx.redraw_if(!asked.is_empty());
            for (variant, request) in asked {
                cx.request_for(
                    PageNeed::Quote(variant),
                    ask::route(request),
                    move |page: &mut BridgePage, result, cx| {
                        page.quote.take_quote(variant, result, cx);
                    },
                );
            }
        }
        self.make_route_lines(cx);
        self.note_age(cx);
    }

    fn take_quote(
        &mut self,
        variant: RouteVariant,
        result: Result<Arc<Verbatim<Route>>, ApiError>,
        cx: &mut PageCx<'_>,
    ) {
        for chain in result.iter().flat_map(|route| &route.value.chain_ids) {
            cx.emit(PageEffect::WantAssets(chain.clone()));
        }
        self.offers.settle(variant, result, cx.context.now);
        self.touch_route_lines();
    }

    /// Requests the quotes and the form's choices again, on `r`.
    pub(crate) fn refresh(&mut self, cx: &mut PageCx<'_>) {
        cx.emit(PageEffect::AskRouterAgain);
        self.answers.forget();
        self.offers.make_due(cx.context.now);
    }

    /// Redraws the quote's age at the end of each second.
    fn note_age(&mut self, cx: &mut PageCx<'_>) {
        let age = self.age(cx.context.now).filter(|_| !cx.context.frozen);
        let is_new = std::mem::replace(&mut self.shown_age, age) != age;
        cx.redraw_if(is_new);
    }
}
