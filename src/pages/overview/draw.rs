use ratatui::layout::Rect;

use super::{OverviewPage, failures, index};
use crate::{
    app::page::Drawing,
    columns::List,
    config::Meaning,
    domain::text,
    panes::{block_list, rows::BlockRow, table::ListFrame, tx_list},
    widgets::{
        Hit,
        canvas::{Canvas, Part, row},
        layout::{Pane, Regions, Tier, cut_columns, cut_rows},
    },
};

/// Rows of a bar chart.
const STRIPS: u16 = 2;

const BARS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

/// Draws gauges and charts above the newest blocks and transactions.
pub(super) fn draw(canvas: &mut Canvas<'_>, cx: &Drawing<'_>, page: &OverviewPage) {
    let regions = cx.regions;
    let (top, blocks, txs) = regions.overview(page.focus);
    if regions.tier == Tier::Compact && top.height > 0 {
        index::draw(canvas, cx, page, top);
    }
    if regions.tier > Tier::Compact && top.height > 3 {
        let (left, right) = cut_columns(top, top.width / 2);
        index::draw(canvas, cx, page, left);
        draw_activity(canvas, page, regions, right);
    }
    let listing = ListFrame {
        pane: blocks,
        place: 0,
        title: "Newest blocks".to_owned(),
        is_focused: page.focus == Pane::First && !page.types.has_focus,
        empty: "no block in the index yet",
        is_sifted: false,
    };
    block_list::draw_rows(canvas, cx, &page.blocks, &listing);
    let listing = ListFrame {
        pane: txs,
        place: 1,
        title: "Newest transactions".to_owned(),
        is_focused: page.focus == Pane::Second && !page.types.has_focus,
        empty: "no transactions yet",
        is_sifted: false,
    };
    tx_list::draw_rows(canvas, cx, &page.txs, List::Txs, &listing);
}

pub(super) fn label(name: &str) -> Part {
    (Meaning::Key, format!(" {name:<10} "))
}

fn draw_activity(canvas: &mut Canvas<'_>, page: &OverviewPage, regions: &Regions, area: Rect) {
    let title = vec![(Meaning::Heading, "Activity".to_owned())];
    canvas.frame(area, regions.tier, page.types.has_focus, title, Vec::new());
    let inside = regions.inner(area);
    if page.blocks.rows().is_empty() {
        return;
    }
    let millis = |block: &BlockRow| u64::try_from(block.0.block_time).unwrap_or(0);
    draw_strip(canvas, row(inside, 0), page, "block time", millis, |value| {
        let tenths = (value + 50) / 100;
        format!("{}.{} s", tenths / 10, tenths % 10)
    });
    draw_strip(canvas, row(inside, 1), page, "txs/block", |block| block.0.tx_count, text::group);
    failures::draw(canvas, cut_rows(inside, STRIPS).1, &page.txs, &page.types);
}

/// Returns the area of failure rate, causes and message types, if it fits.
pub(super) fn activity(regions: &Regions, focus: Pane) -> Option<Rect> {
    let (top, ..) = regions.overview(focus);
    let is_shown = regions.tier > Tier::Compact && top.height > 3;
    is_shown.then(|| cut_rows(regions.inner(cut_columns(top, top.width / 2).1), STRIPS).1)
}

/// Draws one bar per block, the newest at the right, and marks the selected block. A click on a bar selects its block.
fn draw_strip(
    canvas: &mut Canvas<'_>,
    area: Rect,
    page: &OverviewPage,
    name: &str,
    value: impl Fn(&BlockRow) -> u64,
    write: impl Fn(u64) -> String,
) {
    let room = usize::from(area.width).saturating_sub(22);
    let blocks: Vec<Option<u64>> =
        page.blocks.rows().listed().take(room).map(|block| block.read().map(&value)).collect();
    let most = blocks.iter().flatten().max().copied().unwrap_or(0);
    canvas.parts(area, [label(name)]);
    for (place, block) in blocks.iter().enumerate() {
        let value = block.unwrap_or(0);
        let level = (value.saturating_mul(7)).checked_div(most).unwrap_or(0);
        let bar = usize::try_from(level).ok().and_then(|level| BARS.get(level)).filter(|_| value > 0).unwrap_or(&' ');
        let x = area.x + 12 + u16::try_from(blocks.len() - 1 - place).unwrap_or(0);
        let cell = Rect::new(x, area.y, 1, area.height.min(1));
        canvas.text(cell, Meaning::Link, &bar.to_string());
        if place == page.blocks.cursor() {
            canvas.mark_row(cell, true);
        }
        canvas.hit(cell, Hit::Row(0, place));
    }
    let newest = blocks.first().copied().flatten().map_or_else(String::new, |newest| format!("{} ", write(newest)));
    canvas.parts_right(area, vec![(Meaning::Muted, newest)]);
}
