//! The three answers to one question, and when they are asked for.

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

/// From the last change of the form to the question.
const DEBOUNCE: Duration = Duration::from_millis(300);
/// From one question to the next while the side is looked at; quotes are said to hold about as long.
pub(crate) const REFRESH: Duration = Duration::from_secs(10);
/// A refusal holds for a while: real routers are shared by many.
const REST: Duration = Duration::from_secs(60);

/// How many routes are compared.
pub(crate) const VARIANTS: usize = 3;

/// The variant so many steps on, around the end.
pub(super) fn turned(variant: RouteVariant, step: isize) -> RouteVariant {
    let place = (variant as usize).saturating_add(VARIANTS).saturating_add_signed(step);
    RouteVariant::iter().nth(place % VARIANTS).unwrap_or_default()
}

/// The question for a variant.
fn request_of(variant: RouteVariant, plain: &RouteRequest) -> RouteRequest {
    RouteRequest {
        go_fast: (variant == RouteVariant::Fast).then_some(true),
        is_op_withdraw: (variant == RouteVariant::Optimistic).then_some(true),
        ..plain.clone()
    }
}

/// One of the routes, or why there is none.
#[derive(Debug, Default)]
pub(crate) struct Offer {
    /// The newest answer.
    pub(crate) state: Remote<Arc<Verbatim<Route>>>,
    /// The answer before it: what differs is marked until the next one.
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
                    // Not a failed refresh but a new answer: the route is offered no longer.
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

/// Whether the router itself says no, which is no failure of it.
pub(crate) fn is_refusal(error: &ApiError) -> bool {
    error.step() == Step::Status && !error.is_transient() && !error.is_unknown_route()
}

/// All three, for one state of the form.
#[derive(Debug, Default)]
pub(crate) struct Offers {
    all: [Offer; VARIANTS],
    /// What they answer; `None` while the form lacks something.
    plain: Option<RouteRequest>,
    due: Option<Timestamp>,
    /// Whether a person waits for them, so that a frozen screen asks too.
    is_urgent: bool,
}

impl Offers {
    pub(crate) fn get(&self, variant: RouteVariant) -> &Offer {
        &self.all[variant as usize]
    }

    /// Whether one is awaited for the first time.
    pub(super) fn is_loading(&self) -> bool {
        self.all.iter().any(|offer| offer.state.is_loading())
    }

    /// The form has become this; says whether that is something else, so that what is on its way is for nobody.
    pub(super) fn turn_to(&mut self, plain: Option<RouteRequest>, now: Timestamp) -> bool {
        if plain == self.plain {
            return false;
        }
        let due = plain.is_some().then(|| now.after(DEBOUNCE));
        *self = Self { all: Default::default(), plain, due, is_urgent: true };
        true
    }

    /// Asks again at once.
    pub(super) fn make_due(&mut self, now: Timestamp) {
        if self.plain.is_some() {
            (self.due, self.is_urgent) = (Some(now), true);
            self.all.iter_mut().for_each(|offer| offer.rests_until = None);
        }
    }

    /// When the next questions are due, on a screen that is frozen or not.
    pub(super) fn due(&self, is_frozen: bool) -> Option<Timestamp> {
        self.due.filter(|_| self.is_urgent || !is_frozen)
    }

    /// The questions that are due, but for those that still wait for their answer.
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
            let offer = &mut self.all[variant as usize];
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
        self.all[variant as usize].settle(result, now);
    }

    /// Whether the form lacks nothing, so that there is something to ask.
    pub(crate) fn has_question(&self) -> bool {
        self.plain.is_some()
    }

    pub(super) fn request(&self, variant: RouteVariant) -> Option<RouteRequest> {
        self.plain.as_ref().map(|plain| request_of(variant, plain))
    }
}
