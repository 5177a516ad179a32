//! Quotes for the three variants of a route, and when to request them.

use std::{sync::Arc, time::Duration};

use strum::IntoEnumIterator as _;

use crate::{
    domain::Timestamp,
    msg::{Remote, RouteVariant},
    wire::{
        ApiError, ErrorKind, Step, Verbatim,
        router::{Route, RouteRequest},
    },
};

/// Time from the last change of the form to the request.
const DEBOUNCE: Duration = Duration::from_millis(300);
/// Interval between requests while the side is shown. Quotes are valid for about as long.
pub(crate) const REFRESH: Duration = Duration::from_secs(10);
/// Pause after a refusal, since many users share the real routers.
const REST: Duration = Duration::from_secs(60);

/// Number of routes that the table compares.
pub(crate) const VARIANTS: usize = 3;

/// Returns the variant `step` places away, wrapping around.
pub(super) fn turned(variant: RouteVariant, step: isize) -> RouteVariant {
    let place = (variant as usize).saturating_add(VARIANTS).saturating_add_signed(step);
    RouteVariant::iter().nth(place % VARIANTS).unwrap_or_default()
}

fn request_of(variant: RouteVariant, plain: &RouteRequest) -> RouteRequest {
    RouteRequest {
        go_fast: (variant == RouteVariant::Fast).then_some(true),
        is_op_withdraw: (variant == RouteVariant::Optimistic).then_some(true),
        ..plain.clone()
    }
}

/// Quote for one variant, or why there is none.
#[derive(Debug, Default)]
pub(crate) struct Offer {
    pub(crate) state: Remote<Arc<Verbatim<Route>>>,
    /// Answer before the latest. The table marks differences until the next answer.
    pub(crate) before: Option<Arc<Verbatim<Route>>>,
    rests_until: Option<Timestamp>,
}

impl Offer {
    pub(crate) fn route(&self) -> Option<&Arc<Verbatim<Route>>> {
        self.state.value()
    }

    fn settle(&mut self, result: Result<Arc<Verbatim<Route>>, ApiError>, now: Timestamp) {
        self.rests_until = None;
        match result {
            Ok(route) => {
                self.before = self.route().cloned();
                self.state.settle(Ok(route), now);
            }
            Err(error) => {
                if is_refusal(&error) {
                    // The router no longer offers the route. That is an answer, not a failure.
                    (self.state, self.before) = (Remote::Idle, None);
                    self.rests_until = Some(now.after(REST));
                } else if let ErrorKind::RateLimited(Some(wait)) = error.kind {
                    self.rests_until = Some(now.after(wait));
                }
                self.state.settle(Err(error), now);
            }
        }
    }
}

/// Whether the router refused the request, rather than failed.
pub(crate) fn is_refusal(error: &ApiError) -> bool {
    error.step() == Step::Status && !error.is_transient() && !error.is_unknown_route()
}

#[derive(Debug, Default)]
pub(crate) struct Offers {
    all: [Offer; VARIANTS],
    /// Request without routing preferences; `None` for an incomplete form.
    plain: Option<RouteRequest>,
    due: Option<Timestamp>,
    /// Whether the user waits for the quotes. Then even a frozen screen requests them.
    is_urgent: bool,
}

impl Offers {
    pub(crate) fn get(&self, variant: RouteVariant) -> &Offer {
        let [default, fast, optimistic] = &self.all;
        match variant {
            RouteVariant::Default => default,
            RouteVariant::Fast => fast,
            RouteVariant::Optimistic => optimistic,
        }
    }

    fn get_mut(&mut self, variant: RouteVariant) -> &mut Offer {
        let [default, fast, optimistic] = &mut self.all;
        match variant {
            RouteVariant::Default => default,
            RouteVariant::Fast => fast,
            RouteVariant::Optimistic => optimistic,
        }
    }

    /// Whether a variant waits for its first answer.
    pub(super) fn is_loading(&self) -> bool {
        self.all.iter().any(|offer| offer.state.is_loading())
    }

    /// Sets the request of the form. Returns whether it changed, which drops answers to the old request.
    pub(super) fn turn_to(&mut self, plain: Option<RouteRequest>, now: Timestamp) -> bool {
        if plain == self.plain {
            return false;
        }
        let due = plain.is_some().then(|| now.after(DEBOUNCE));
        *self = Self { all: Default::default(), plain, due, is_urgent: true };
        true
    }

    /// Marks all requests as due.
    pub(super) fn make_due(&mut self, now: Timestamp) {
        if self.plain.is_some() {
            (self.due, self.is_urgent) = (Some(now), true);
            self.all.iter_mut().for_each(|offer| offer.rests_until = None);
        }
    }

    /// Returns when the next requests are due. A frozen screen waits.
    pub(super) fn due(&self, is_frozen: bool) -> Option<Timestamp> {
        self.due.filter(|_| self.is_urgent || !is_frozen)
    }

    /// Returns the requests that are due, except for variants with a pending request.
    pub(super) fn take_due(
        &mut self,
        is_frozen: bool,
        now: Timestamp,
        is_waiting: impl Fn(RouteVariant) -> bool,
    ) -> Vec<(RouteVariant, RouteRequest)> {
        let Some(plain) = self.plain.clone().filter(|_| self.due(is_frozen).is_some_and(|due| due <= now)) else {
            return Vec::new();
        };
        (self.due, self.is_urgent) = (Some(now.after(REFRESH)), false);
        let mut asked = Vec::new();
        for variant in RouteVariant::iter().filter(|variant| !is_waiting(*variant)) {
            let offer = self.get_mut(variant);
            if offer.rests_until.is_none_or(|until| until <= now) {
                offer.state.ask(now);
                asked.push((variant, request_of(variant, &plain)));
            }
        }
        asked
    }

    pub(super) fn settle(
        &mut self,
        variant: RouteVariant,
        result: Result<Arc<Verbatim<Route>>, ApiError>,
        now: Timestamp,
    ) {
        self.get_mut(variant).settle(result, now);
    }

    /// Whether the form is complete, so that there is something to request.
    pub(crate) fn has_question(&self) -> bool {
        self.plain.is_some()
    }

    pub(super) fn request(&self, variant: RouteVariant) -> Option<RouteRequest> {
        self.plain.as_ref().map(|plain| request_of(variant, plain))
    }
}
