use std::time::Duration;

use crate::{app::context::Context, config::Layer, widgets::layout::Regions};

/// Context for drawing a page: it can read but request nothing.
pub(crate) struct Drawing<'a> {
    pub(crate) context: &'a Context,
    pub(crate) regions: &'a Regions,
    /// Active key layers.
    pub(crate) layers: &'static [Layer],
    /// Number of the next retry, and the time until then.
    pub(crate) next_try: Option<(u32, Duration)>,
}
