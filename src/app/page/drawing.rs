use std::{ops::Deref, time::Duration};

use crate::{app::context::Context, config::Layer, widgets::layout::Regions};

/// What a page is drawn with: it can read and ask for nothing.
pub(crate) struct Drawing<'a> {
    pub(crate) context: &'a Context,
    pub(crate) regions: &'a Regions,
    /// The keys that are in force on it.
    pub(crate) layers: &'static [Layer],
    /// The try that what is awaited on screen comes to next, and how long it waits for it.
    pub(crate) next_try: Option<(u32, Duration)>,
}

impl Deref for Drawing<'_> {
    type Target = Context;

    fn deref(&self) -> &Context {
        self.context
    }
}
