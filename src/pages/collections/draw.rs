//! Draws the list of collections and, if there is room, a preview beside it.

use ratatui::layout::Rect;
use unicode_width::UnicodeWidthStr as _;

use super::CollectionsPage;
use crate::{
    app::page::{Drawing, Page as _},
    columns::{List, ends},
    config::Meaning,
    domain::text,
    msg::Remote,
    panes::{
        nft_facts::{draw_wrapped, facts, short},
        nft_lists::draw_collection_rows,
        table::{ListFrame, RowOrigin},
    },
    widgets::canvas::{Canvas, row},
    wire,
};

pub(super) fn draw(canvas: &mut Canvas<'_>, cx: &Drawing<'_>, page: &CollectionsPage) {
    let (area, preview) = cx.regions.split();
    let list = page.shown();
    let empty = match (page.searched(), page.owner()) {
        (Some(_), _) if page.may_look_deeper() => "no match on the server; Enter scans all collections",
        (Some(_), _) => "no collection matches; Esc clears the search",
        (None, Some(_)) => "this account owns no NFTs",
        (None, None) => "no collections",
    };
    let listing = ListFrame {
        pane: area,
        place: 0,
        title: page.title(),
        is_focused: true,
        empty,
        origin: RowOrigin::History,
        hidden: &[],
    };
    draw_collection_rows(canvas, cx, list, List::Collections, &listing);
    if let (Some(beside), Some(selected)) = (preview, list.selected()) {
        draw_preview(canvas, cx, page, &selected.0, beside);
    }
}

/// Returns the name, or a placeholder for a name without visible characters.
fn named(name: &str) -> String {
    let name = text::clip(name, 80);
    if name.trim().is_empty() { "(no name)".to_owned() } else { name }
}

fn draw_preview(
    canvas: &mut Canvas<'_>,
    cx: &Drawing<'_>,
    page: &CollectionsPage,
    collection: &wire::Collection,
    area: Rect,
) {
    let title = vec![(Meaning::Heading, text::clip(&named(collection.collection.name.as_received()), 40))];
    let tokens = text::count_large(collection.collection.nfts.length, "token");
    canvas.frame(area, cx.regions.tier, false, title, vec![(Meaning::Muted, tokens)]);
    let inner = cx.regions.inner(area);
    let lines = facts(cx, collection.address(), collection);
    let used = draw_wrapped(canvas, inner, lines) + 1;
    let below = Rect::new(inner.x, inner.y + used.min(inner.height), inner.width, inner.height.saturating_sub(used));
    draw_sample(canvas, cx, page, below);
}

fn draw_sample(canvas: &mut Canvas<'_>, cx: &Drawing<'_>, page: &CollectionsPage, area: Rect) {
    let Some(sample) = page.sample() else { return };
    let Some(tokens) = sample.value() else {
        return match sample {
            Remote::Failed { error } => canvas.text(row(area, 0), Meaning::Muted, &format!(" ✗ {}", error.brief())),
            _ => canvas.text(row(area, 0), Meaning::Muted, " …"),
        };
    };
    let heading = if page.owner().is_some() { " First tokens of this account" } else { " First tokens" };
    canvas.text(row(area, 0), Meaning::Heading, heading);
    if tokens.is_empty() {
        canvas.text(row(area, 1), Meaning::Muted, " no tokens left");
    }
    let widest = tokens.iter().map(|token| token.nft.token_id.as_received().width()).max().unwrap_or_default();
    for (place, token) in (1..).zip(tokens) {
        let owner = short(cx, token.owner_address(), &token.owner);
        let room = usize::from(area.width).saturating_sub(owner.width() + 4);
        let width = room.min(widest);
        let id = text::pad(&ends(token.nft.token_id.as_received(), width.max(1)), width + 2);
        canvas.parts(
            row(area, place),
            [(Meaning::Text, format!(" {id}")), (Meaning::Link, owner), (Meaning::Text, " ".to_owned())],
        );
    }
}
