//! The Bridge tab and the page where a route is made ready.

mod entry;
mod prepare;
mod quote;

pub(super) use entry::{draw_entry, draw_pick};
pub(super) use prepare::draw as draw_prepare;

use super::transfers;
use crate::app::page::Drawing;
use crate::{
    app::{
        App,
        bridge::{BridgeSide, BridgeView},
    },
    widgets::{canvas::Canvas, layout::Regions},
};

/// The side that is shown.
pub(super) fn draw(canvas: &mut Canvas<'_>, cx: &Drawing<'_>, view: &BridgeView, regions: &Regions) {
    match view.side {
        BridgeSide::Quote => quote::draw(canvas, cx, &view.quote, regions),
        BridgeSide::Transfers => transfers::draw_board(canvas, cx, &view.board, regions),
    }
}
