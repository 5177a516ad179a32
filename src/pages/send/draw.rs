//! The page where a route is made ready.

use super::SendPage;
use crate::{
    app::page::Drawing,
    config::Meaning,
    widgets::{canvas::Canvas, document},
};

impl SendPage {
    pub(super) fn draw_on(&self, canvas: &mut Canvas<'_>, cx: &Drawing<'_>) {
        let regions = cx.regions;
        let right = if self.is_raw { vec![(Meaning::Muted, "the messages as JSON".to_owned())] } else { Vec::new() };
        canvas.frame(regions.body, regions.tier, true, vec![(Meaning::Heading, self.name())], right);
        document::draw::draw(canvas, regions.inner(regions.body), &self.document, true, 0);
    }
}
