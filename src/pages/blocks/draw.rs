use super::BlocksPage;
use crate::{
    app::page::Drawing,
    config::Meaning,
    domain::text,
    panes::{block_list, table::ListFrame},
    widgets::{canvas::Canvas, document, layout::Pane},
};

/// Draws the list and, if there is room, the selected block beside it.
pub(super) fn draw(canvas: &mut Canvas<'_>, cx: &Drawing<'_>, page: &BlocksPage) {
    let (rows, preview) = cx.regions.split();
    let listing = ListFrame {
        pane: rows,
        place: 0,
        title: "Blocks".to_owned(),
        is_focused: page.focus == Pane::First,
        empty: "no block in the index yet",
        is_sifted: false,
    };
    block_list::draw_rows(canvas, cx, &page.list, &listing);
    if let (Some(area), Some((height, lines))) = (preview, &page.preview) {
        let title = vec![(Meaning::Heading, format!("Block {}", text::group(height.get())))];
        let is_focused = page.focus == Pane::Second;
        canvas.frame(area, cx.regions.tier, is_focused, title, Vec::new());
        document::draw::draw(canvas, cx.regions.inner(area), lines, is_focused, 1);
    }
}
