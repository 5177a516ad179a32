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
        let right = match (self.is_raw, self.is_link) {
            (true, _) => vec![(Meaning::Muted, "the messages as JSON".to_owned())],
            (_, true) => vec![(Meaning::Muted, "a link to a web bridge".to_owned())],
            _ => Vec::new(),
        };
        canvas.frame(regions.body, regions.tier, true, vec![(Meaning::Heading, self.name())], right);
        let inner = regions.inner(regions.body);
        if self.is_link {
            return self.draw_link(canvas, inner);
        }
        document::draw::draw(canvas, inner, &self.document, true, 0);
    }
}
