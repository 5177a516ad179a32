use ratatui::layout::Rect;
use unicode_width::UnicodeWidthStr as _;

use super::{
    AccountPage, AccountTab, contract_lines, lines_across,
    summary::{AccountHead, HeadLine},
};
use crate::{
    app::page::{Drawing, Page as _},
    columns::List,
    config::Meaning,
    domain::text,
    panes::{
        nft_lists,
        table::{ListFrame, RowOrigin},
        tx_list,
    },
    widgets::{
        Hit,
        canvas::{Canvas, row},
        document::{self, Document},
        layout::{Tier, cut_columns, cut_rows},
    },
};

/// Columns of a line's name in the head.
const LABEL_COLUMNS: u16 = 10;
/// Columns of an address of 20 bytes with its name, and of a gap.
const ADDRESS_COLUMNS: u16 = 56;

/// Draws both formats of the address, the tabs and the current tab.
pub(super) fn draw(canvas: &mut Canvas<'_>, cx: &Drawing<'_>, page: &AccountPage) {
    let regions = cx.regions;
    let (facts, below) = regions.account_page(lines_across(cx.context));
    let mut title = vec![(Meaning::Heading, page.title())];
    if let Some((name, source)) = &page.name {
        if text::is_personal_name(name) {
            title = vec![(Meaning::Heading, "Account ".to_owned()), (Meaning::PersonalName, name.clone())];
        }
        title.push((Meaning::Muted, format!(" · name from {}", source.who())));
    }
    let chain = cx.context.own_chain();
    let headline = contract_lines::headline(&page.contract, &cx.context.glossary, chain.as_ref());
    title.extend(headline.map(|words| (Meaning::Text, format!(" · {words}"))));
    canvas.frame(facts, regions.tier, false, title, Vec::new());
    draw_facts(canvas, cx, page, regions.inner(facts));
    match page.tab {
        AccountTab::Txs => draw_txs(canvas, cx, page),
        AccountTab::Tokens => draw_tokens(canvas, cx, page, below),
        AccountTab::Collections => draw_collections(canvas, cx, page, below),
        AccountTab::Contract => draw_document(canvas, cx, below, "Contract", &page.contract.document),
        AccountTab::Balances => draw_document(canvas, cx, below, "Balances", &page.balances.document),
        AccountTab::Withdrawals => page.withdrawals.draw(canvas, cx, below),
        AccountTab::Holdings => draw_document(canvas, cx, below, "Ranks in the rich lists", &page.holdings.document),
    }
}

fn draw_document(canvas: &mut Canvas<'_>, cx: &Drawing<'_>, area: Rect, title: &str, shown: &Document) {
    let title = vec![(Meaning::Heading, title.to_owned())];
    canvas.frame(area, cx.regions.tier, true, title, Vec::new());
    document::draw::draw(canvas, cx.regions.inner(area), shown, true, 0);
}

fn draw_facts(canvas: &mut Canvas<'_>, cx: &Drawing<'_>, page: &AccountPage, area: Rect) {
    let tabs_row = match cx.regions.tier {
        Tier::Tiny | Tier::Compact => {
            canvas.parts(row(area, 0), vec![(Meaning::Link, format!(" {}", page.address.bech32()))]);
            1
        }
        Tier::Normal => {
            let AccountHead { left, right, .. } = page.head(cx, area.width, area.width);
            let lines = left.into_iter().take(2).chain(right.into_iter().take(1));
            draw_lines(canvas, area, lines)
        }
        Tier::Wide => {
            let (left, right) = cut_columns(area, ADDRESS_COLUMNS.max(area.width / 2));
            let room = |area: Rect| area.width.saturating_sub(LABEL_COLUMNS + 1);
            let head = page.head(cx, room(left), room(area));
            let halves = draw_lines(canvas, left, head.left).max(draw_lines(canvas, right, head.right));
            let (_, below) = cut_rows(area, halves);
            halves + draw_lines(canvas, below, head.across)
        }
    };
    draw_tabs(canvas, cx, row(area, tabs_row), page);
}

/// Draws a name and a value per row; returns the number of rows.
fn draw_lines(canvas: &mut Canvas<'_>, area: Rect, lines: impl IntoIterator<Item = HeadLine>) -> u16 {
    let mut rows = 0;
    for (name, value) in lines {
        let label = (Meaning::Key, format!(" {name:<8} "));
        canvas.parts(row(area, rows), std::iter::once(label).chain(value));
        rows += 1;
    }
    rows
}

fn draw_tabs(canvas: &mut Canvas<'_>, cx: &Drawing<'_>, area: Rect, page: &AccountPage) {
    let mut x = area.x;
    for (place, tab) in page.tabs(cx.context).enumerate() {
        let count = page.count(tab, cx).map(|count| format!(" {count}")).unwrap_or_default();
        let (meaning, label) = if tab == page.tab {
            (Meaning::ActiveTab, format!("[{tab}{count}]"))
        } else {
            (Meaning::Muted, format!(" {tab}{count} "))
        };
        let width = u16::try_from(label.width()).unwrap_or(u16::MAX);
        if x + width > area.right() || area.height == 0 {
            return;
        }
        let cell = Rect::new(x, area.y, width, 1);
        canvas.text(cell, meaning, &label);
        canvas.hit(cell, Hit::PageTab(place));
        x += width;
    }
}

fn draw_txs(canvas: &mut Canvas<'_>, cx: &Drawing<'_>, page: &AccountPage) {
    let (chart, area) = page.chart_and_list(cx.context, cx.regions);
    if chart.height > 0 {
        page.draw_balance(canvas, cx, chart);
    }
    let listing = ListFrame {
        pane: area,
        place: 0,
        title: page.txs.title(),
        is_focused: true,
        empty: if page.is_history_narrowed() {
            "no match for the filter; Esc clears it"
        } else {
            "no transactions of this account"
        },
        origin: RowOrigin::filtered_if(page.txs.failed_only),
        hidden: &[],
    };
    tx_list::draw_rows(canvas, cx, &page.txs.list, List::AccountTxs, &listing);
}

fn draw_tokens(canvas: &mut Canvas<'_>, cx: &Drawing<'_>, page: &AccountPage, area: Rect) {
    let title = match &page.of_collection {
        Some((_, name)) => format!("NFTs · {} · Esc shows collections", text::clip(name, 32)),
        None => "NFTs · all".to_owned(),
    };
    let listing = ListFrame {
        pane: area,
        place: 0,
        title,
        is_focused: true,
        empty: "no NFTs",
        origin: RowOrigin::History,
        hidden: &[],
    };
    nft_lists::draw_tokens(canvas, cx, &page.tokens, List::AccountNfts, &listing);
}

fn draw_collections(canvas: &mut Canvas<'_>, cx: &Drawing<'_>, page: &AccountPage, area: Rect) {
    let listing = ListFrame {
        pane: area,
        place: 0,
        title: "Collections of its NFTs · Enter opens one".to_owned(),
        is_focused: true,
        empty: "no collections: the account owns no NFTs",
        origin: RowOrigin::History,
        hidden: &[],
    };
    nft_lists::draw_collection_rows(canvas, cx, &page.collections, List::AccountCollections, &listing);
}
