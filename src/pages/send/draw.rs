//! Draws the page that prepares a route.

use super::{SendPage, state::SendView};
use crate::{
    app::page::Drawing,
    config::Meaning,
    widgets::{canvas::Canvas, document},
};

impl SendPage {
    pub(super) fn draw_on(&self, canvas: &mut Canvas<'_>, cx: &Drawing<'_>) {
        let regions = cx.regions;
        let right = match self.view {
            SendView::Json => vec![(Meaning::Muted, "the messages as JSON".to_owned())],
            SendView::WebBridge => vec![(Meaning::Muted, "web bridge link".to_owned())],
            SendView::Steps => Vec::new(),
        };
        canvas.frame(regions.body, regions.tier, true, vec![(Meaning::Heading, self.name())], right);
        let inner = regions.inner(regions.body);
        if self.view == SendView::WebBridge {
            return self.draw_link(canvas, inner);
        }
        document::draw::draw(canvas, inner, &self.document, true, 0);
    }
}
