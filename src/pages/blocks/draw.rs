use super::{BlockPreview, BlocksPage};
use crate::{
    app::page::Drawing,
    config::Meaning,
    domain::text,
    panes::{
        block_list,
        table::{ListFrame, RowOrigin},
        tx_list,
    },
    widgets::{canvas::Canvas, document, layout::Pane},
};

/// Draws the list and, if there is room, the selected block's facts and transactions beside it.
pub(super) fn draw(canvas: &mut Canvas<'_>, cx: &Drawing<'_>, page: &BlocksPage) {
    let (rows, preview) = cx.regions.blocks_page();
    let extent = &cx.context.chain.extent;
    let hidden = if page.leaves_out_empty { block_list::empty_below(&page.list, extent) } else { Vec::new() };
    let listing = ListFrame {
        pane: rows,
        place: 0,
        title: if page.leaves_out_empty { "Blocks · with transactions" } else { "Blocks" }.to_owned(),
        is_focused: page.focus == Pane::First,
        empty: if page.leaves_out_empty { "no block with transactions yet" } else { "no block in the index yet" },
        origin: RowOrigin::filtered_if(page.leaves_out_empty),
        hidden: &hidden,
    };
    block_list::draw_rows(canvas, cx, &page.list, &listing);
    let (Some((above, below)), Some(BlockPreview { height, facts, txs, .. })) = (preview, &page.preview) else {
        return;
    };
    let title = vec![(Meaning::Heading, format!("Block {}", text::group(height.get())))];
    canvas.frame(above, cx.regions.tier, false, title, Vec::new());
    document::draw::draw_still(canvas, cx.regions.inner(above), facts);
    let listing = ListFrame {
        pane: below,
        place: 1,
        title: "Its transactions".to_owned(),
        is_focused: page.focus == Pane::Second,
        empty: "this block has no transactions",
        origin: RowOrigin::Elsewhere,
        hidden: &[],
    };
    tx_list::draw_rows_of_block(canvas, cx, txs, &listing);
}
