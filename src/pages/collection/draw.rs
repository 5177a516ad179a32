//! Draws a collection: facts, and tokens as a table or as cards.

use ratatui::layout::Rect;

use super::state::{CollectionPage, OwnerSpread};
use crate::{
    app::page::{Drawing, Page as _},
    columns::{List, ends},
    config::{Command, Meaning},
    domain::text,
    msg::{ListedRow, Remote},
    panes::{
        hints::{key_of, spinner},
        nft_facts::{draw_absent, facts, label, short},
        nft_lists::draw_tokens,
        table::{self, ListFrame, RowOrigin},
    },
    widgets::{
        Hit,
        canvas::{Canvas, Part, centered, row},
        layout::Tier,
        picture,
    },
    wire,
};

/// Terminal columns from which rows of facts hold more.
const WIDE_FROM: u16 = 110;

pub(super) fn draw(canvas: &mut Canvas<'_>, cx: &Drawing<'_>, page: &CollectionPage) {
    let (above, below) = CollectionPage::places(cx.regions);
    draw_facts(canvas, cx, page, above);
    let mut title = page.tokens_title();
    if above.height == 0 {
        title = format!("{} · {title}", page.title());
    }
    if page.is_gallery && waits_for_pictures(page) {
        title = format!("{title} · {} fetches pictures", key_of(cx, Command::Metadata));
    }
    let listing = ListFrame {
        pane: below,
        place: 0,
        title,
        is_focused: true,
        empty: empty(page),
        origin: RowOrigin::History,
        hidden: &[],
    };
    if page.is_gallery {
        let area = table::draw_frame(canvas, cx, cx.regions, &page.tokens, &listing);
        draw_cards(canvas, cx, page, area);
        return;
    }
    draw_tokens(canvas, cx, &page.tokens, List::Nfts, &listing);
}

fn empty(page: &CollectionPage) -> &'static str {
    match (&page.token_id, page.owner) {
        (Some(_), _) => "no token with exactly this id; Esc clears the search",
        (None, Some(_)) => "this account owns no token of the collection now",
        (None, None) => "no tokens: none minted, or all burned",
    }
}

fn draw_facts(canvas: &mut Canvas<'_>, cx: &Drawing<'_>, page: &CollectionPage, area: Rect) {
    if area.height == 0 {
        return;
    }
    let symbol = page.symbol(cx.context.own_chain().as_ref());
    let symbol = symbol.map(|symbol| (Meaning::Muted, format!(" · symbol {symbol}, by the contract")));
    let title = [(Meaning::Heading, page.title())].into_iter().chain(symbol).collect();
    let size = page.collection.value().map(|collection| text::count_large(collection.collection.nfts.length, "token"));
    let right = size.map_or_else(Vec::new, |size| vec![(Meaning::Muted, size)]);
    canvas.frame(area, cx.regions.tier, false, title, right);
    let inner = cx.regions.inner(area);
    let Some(collection) = page.collection.value() else {
        canvas.parts(row(inner, 0), [label("address"), (Meaning::Link, page.address.bech32())]);
        canvas.parts(row(inner, 1), [label(""), (Meaning::Link, page.address.hex())]);
        let rest = Rect { y: inner.y + 2, height: inner.height.saturating_sub(2), ..inner };
        return draw_absent(canvas, cx, &page.collection, rest);
    };
    let mut lines = facts(cx, Some(page.address), collection);
    if cx.context.size.0 >= WIDE_FROM {
        // Both forms of the address in one row, so that the owners have room below an origin.
        let hex = lines.remove(1).into_iter().skip(1);
        if let Some(address) = lines.first_mut() {
            address.push((Meaning::Muted, "  ".to_owned()));
            address.extend(hex);
        }
    }
    lines.extend(page.owners.as_ref().map(|owners| owners_line(cx, page, owners)));
    for (place, line) in (0..).zip(lines) {
        canvas.parts(row(inner, place), line);
    }
}

/// Returns `220 owners of 280 tokens · largest: init14q…s2cq, 29 (10 %) · top 10: 96 (34 %) · 180 own one`, over all
/// tokens or the loaded tokens.
fn owners_line(cx: &Drawing<'_>, page: &CollectionPage, owners: &OwnerSpread) -> Vec<Part> {
    let is_all = page.tokens.is_whole() && page.token_id.is_none() && page.owner.is_none();
    let loaded = if is_all { "token" } else { "loaded token" };
    let (noun, tokens) = (if owners.owners == 1 { "owner" } else { "owners" }, text::count(owners.tokens, loaded));
    let top = short(cx, owners.top.parse().ok(), &owners.top);
    let share = |held: usize| (held * 100 + owners.tokens / 2).checked_div(owners.tokens).unwrap_or(0);
    let number = |number: usize| (Meaning::Number, text::group(number as u64));
    let muted = |text: String| (Meaning::Muted, text);
    let mut parts = vec![
        label("held by"),
        number(owners.owners),
        muted(format!(" {noun} of {tokens} · largest: ")),
        (Meaning::Link, top),
        muted(", ".to_owned()),
        number(owners.top_tokens),
        muted(format!(" ({} %)", share(owners.top_tokens))),
    ];
    if cx.context.size.0 >= WIDE_FROM && owners.owners > 10 {
        parts.extend([
            muted(" · top 10: ".to_owned()),
            number(owners.top_ten_tokens),
            muted(format!(" ({} %) · ", share(owners.top_ten_tokens))),
            number(owners.single_owners),
            muted(if owners.single_owners == 1 { " owns one" } else { " own one" }.to_owned()),
        ]);
    }
    parts
}

fn draw_cards(canvas: &mut Canvas<'_>, cx: &Drawing<'_>, page: &CollectionPage, area: Rect) {
    let (gallery, first) = page.cards();
    if page.tokens.rows().is_empty() {
        return;
    }
    for (place, token) in page.tokens.shown(first..first + gallery.count()).enumerate() {
        let index = first + place;
        let (picture, words) = gallery.card(place);
        if let Some(token) = token.read() {
            draw_art(canvas, cx, page, &token.0, picture);
            let width = usize::from(words.width);
            canvas.text(row(words, 0), Meaning::Link, &card_name(page, &token.0, width));
            let owner = token.0.owner_address();
            // A card is narrower than the usual form of an address.
            let owner = owner.map_or_else(|| token.0.owner.clone(), |owner| cx.context.address_style.write(owner));
            canvas.text(row(words, 1), Meaning::Muted, &ends(&owner, width));
        } else {
            table::draw_unreadable(canvas, cx, row(words, 0));
        }
        let card = picture.union(words).intersection(area);
        canvas.hit(card, Hit::Row(0, index));
        if index == page.tokens.cursor() {
            canvas.mark_row(words, true);
        }
    }
}

/// Whether a card's picture was not asked for, although its token names metadata.
fn waits_for_pictures(page: &CollectionPage) -> bool {
    let (gallery, first) = page.cards();
    let mut tokens = page.tokens.shown(first..first + gallery.count()).filter_map(ListedRow::read);
    let is_idle = |token_id| page.art(token_id).is_none_or(|art| matches!(art.metadata, Remote::Idle));
    tokens.any(|token| !token.0.nft.uri.is_empty() && is_idle(token.0.nft.token_id.as_received()))
}

/// Returns a card's title: `#12` for a numeric ID; a long ID has both ends.
fn card_name(page: &CollectionPage, token: &wire::Token, width: usize) -> String {
    let id = &token.nft.token_id;
    let is_number =
        !id.is_empty() && id.as_received().len() < 8 && id.as_received().bytes().all(|byte| byte.is_ascii_digit());
    let id = if is_number { format!("#{}", id.as_received()) } else { ends(id.as_received(), width.min(24)) };
    let name = page
        .art(token.nft.token_id.as_received())
        .and_then(|art| art.metadata.value())
        .map(|metadata| metadata.name.trim());
    match name {
        Some(name) if !name.is_empty() && !name.contains(token.nft.token_id.as_received()) => {
            text::clip(&format!("{id} {name}"), width)
        }
        _ => id,
    }
}

/// Draws the picture of a card, or the reason why it is missing.
fn draw_art(canvas: &mut Canvas<'_>, cx: &Drawing<'_>, page: &CollectionPage, token: &wire::Token, area: Rect) {
    let art = page.art(token.nft.token_id.as_received());
    if let Some(image) = art.and_then(|art| art.picture.value()) {
        return picture::draw(canvas, area, image);
    }
    canvas.frame(area, Tier::Normal, false, Vec::new(), Vec::new());
    let (meaning, words) = match art {
        Some(art) if art.is_loading() => (Meaning::Muted, spinner(cx.context).to_owned()),
        Some(art) if art.picture.error().is_some() => (Meaning::Bad, "✗ picture".to_owned()),
        Some(art) if art.metadata.error().is_some() => (Meaning::Bad, "✗ metadata".to_owned()),
        Some(art) if matches!(art.metadata, Remote::Ready { .. }) => (Meaning::Muted, "no picture".to_owned()),
        _ if token.nft.uri.is_empty() => (Meaning::Muted, "no metadata".to_owned()),
        // The list's title names the key.
        _ => return,
    };
    let width = u16::try_from(unicode_width::UnicodeWidthStr::width(words.as_str())).unwrap_or(u16::MAX);
    let inner = Rect::new(area.x + 1, area.y, area.width.saturating_sub(2), area.height);
    canvas.text(centered(inner, width, 1), meaning, &words);
}
