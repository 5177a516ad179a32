use std::time::Duration;

use crate::{app::context::Context, config::Layer, widgets::layout::Regions};

/// Context in which a page draws. It can read data but not request any.
pub(crate) struct Drawing<'a> {
    pub(crate) context: &'a Context,
    pub(crate) regions: &'a Regions,
    pub(crate) layers: &'static [Layer],
    /// Number of the next retry, and the time until it.
    pub(crate) next_try: Option<(u32, Duration)>,
}
