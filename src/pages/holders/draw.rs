//! The holders of a denom in rows, and why there are none.

use ratatui::layout::Rect;
use unicode_width::UnicodeWidthStr as _;

use super::{
    concentration::{Concentration, Ratio},
    figures,
    state::HoldersPage,
};
use crate::{
    app::{
        chain::health::{ChainTip, TipDistance},
        page::Drawing,
    },
    columns::{HolderFields, Holders, List, ListColumns},
    config::{Command, Meaning},
    domain::text,
    panes::{
        hints::{hints, key_of},
        rows::HolderRow,
        table::{self, ListFrame},
    },
    widgets::{
        canvas::{Canvas, Part, row, width_of},
        layout::Tier,
        list::PAGE,
    },
    wire::{ApiError, ErrorKind},
};

/// Columns of a whole 20-byte address in its longer form.
const WHOLE_ADDRESS: u16 = 43;
/// Columns of `100.00 %`.
const SHARE: u16 = 8;
/// Columns of a title that its beginning, its frame and the place in the list take.
const PROGRESS: usize = 38;

/// The holders of a denom, and the figures beside them or instead of them.
pub(super) fn draw(canvas: &mut Canvas<'_>, cx: &Drawing<'_>, page: &HoldersPage) {
    let (holders, figures) = cx.regions.rich_list(page.focus);
    if holders.height > 0 {
        let sentence = why_empty(cx, page);
        if sentence.is_empty() {
            draw_holders(canvas, cx, page, holders);
        } else {
            draw_sentence(canvas, cx, page, holders, sentence);
        }
    }
    if figures.height > 0 {
        figures::draw(canvas, cx, page, figures);
    }
}

/// `Rich list · INIT evm/2eE7…6e22 · at height 20,402, 3 behind`; whole words only where there is less room.
fn title(cx: &Drawing<'_>, page: &HoldersPage, room: u16) -> String {
    let Some(denom) = &page.denom else { return "Rich list".to_owned() };
    let symbol = cx.token(denom).map(|token| text::clip(&token.symbol, 16));
    let long = match &symbol {
        Some(symbol) if symbol != denom.as_str() => format!("{symbol} {}", denom.short()),
        _ => denom.short(),
    };
    let short = symbol.unwrap_or_else(|| denom.short());
    let known = || cx.chain.height().map(|height| ChainTip { height: height.get(), is_estimate: false });
    let behind = cx.chain.tip(cx.now).or_else(known).zip(page.height);
    let behind = behind.map(|(tip, height)| TipDistance::of_rich_list(tip, height)).filter(|behind| behind.blocks > 0);
    let behind = behind.map(|behind| behind.brief());
    let at = page.height.map(|height| match &behind {
        Some(behind) => format!(" · at height {}, {behind}", text::group(height)),
        None => format!(" · at height {}", text::group(height)),
    });
    let at = at.unwrap_or_default();
    let lag = behind.map_or_else(String::new, |behind| format!(" · {behind}"));
    let titles = [format!("{long}{at}"), format!("{short}{at}"), format!("{short}{lag}")];
    let fits = |title: &&String| title.width() + PROGRESS < usize::from(room);
    format!("Rich list · {}", titles.iter().find(fits).unwrap_or(&short))
}

/// Why there is nothing to list, as sentences with their meanings; none while a list is there or on its way.
fn why_empty(cx: &Drawing<'_>, page: &HoldersPage) -> Vec<Part> {
    let muted = |sentence: &str| (Meaning::Muted, sentence.to_owned());
    let choose = hints(cx, &[(Command::Filter, "chooses a denom")]);
    let Some(denom) = &page.denom else {
        if cx.awaits_first_rows {
            return vec![muted("Waiting for the first blocks: their fees name the denom to begin with.")];
        }
        let none = "No denom is known here: nothing that is loaded names one.";
        return vec![(Meaning::Text, none.to_owned()), (Meaning::Muted, format!("{choose}, as typed"))];
    };
    if !page.list.rows().is_empty() {
        return Vec::new();
    }
    if let Some(error) = page.list.state.error() {
        return refused(cx, error, &denom.short());
    }
    if page.list.state.value().is_none() {
        return Vec::new();
    }
    let keeps_none = cx.chain.status.value().is_some_and(|status| status.rich_list_height.is_none());
    if keeps_none {
        let sentence = "This server keeps no rich list: its status names no height of one, and its list is empty.";
        return vec![(Meaning::Text, sentence.to_owned())];
    }
    let sentence = format!("Nobody holds {}, or the rollup does not know this denom.", denom.short());
    vec![(Meaning::Text, sentence), (Meaning::Muted, choose)]
}

/// Whether the server says how far its rich list is.
fn keeps_one(cx: &Drawing<'_>) -> bool {
    cx.chain.status.value().is_some_and(|status| status.rich_list_height.is_some())
}

/// What a failed first page means.
fn refused(cx: &Drawing<'_>, error: &ApiError, denom: &str) -> Vec<Part> {
    let again = hints(cx, &[(Command::Filter, "chooses another denom"), (Command::Refresh, "asks again")]);
    let slow = "An EVM rollup looks an unknown denom up at its node for most of a minute, and then refuses it.";
    let (what, why) = match &error.kind {
        // A list that has a height exists: then it is the denom that is not known.
        ErrorKind::NotFound(_) | ErrorKind::Rejected { status: 404, .. } if !keeps_one(cx) => {
            ("This server keeps no rich list: it has no such list at all.".to_owned(), "")
        }
        ErrorKind::NotFound(_) | ErrorKind::Rejected { .. } => (format!("The server knows no denom {denom}."), slow),
        ErrorKind::Timeout(_) => (format!("No answer about {denom} in time."), slow),
        _ => (format!("Could not load the holders of {denom}."), error.advice()),
    };
    let reason = format!("✗ {}", error.brief());
    let parts =
        [(Meaning::Text, what), (Meaning::Bad, reason), (Meaning::Muted, why.to_owned()), (Meaning::Muted, again)];
    parts.into_iter().filter(|(_, sentence)| !sentence.is_empty()).collect()
}

fn draw_sentence(canvas: &mut Canvas<'_>, cx: &Drawing<'_>, page: &HoldersPage, area: Rect, sentences: Vec<Part>) {
    canvas.frame(area, cx.regions.tier, true, vec![(Meaning::Heading, title(cx, page, area.width))], Vec::new());
    let room = cx.regions.list_names(area);
    let mut place = u16::from(room.height > 5);
    for (meaning, sentence) in sentences {
        for line in text::wrap(&sentence, usize::from(room.width.min(100)), 4) {
            canvas.text(row(room, place), meaning, &line);
            place += 1;
        }
    }
}

fn draw_holders(canvas: &mut Canvas<'_>, cx: &Drawing<'_>, page: &HoldersPage, area: Rect) {
    let holders = HolderColumns::of(cx, page, area);
    let listing = ListFrame {
        pane: area,
        place: 0,
        title: title(cx, page, area.width),
        is_focused: true,
        empty: "",
        is_sifted: false,
    };
    let (columns, forms) = (&holders.columns, cx.forms());
    table::draw(canvas, cx, cx.regions, &page.list, &listing, &columns.fitted, |row| {
        columns.cells(&holders.fields(&page.concentration, row), &forms)
    });
    if cx.regions.tier == Tier::Normal {
        draw_summary(canvas, cx, &page.concentration, area);
    }
}

/// The figures in a line on the lower frame, where they have no pane of their own.
fn draw_summary(canvas: &mut Canvas<'_>, cx: &Drawing<'_>, concentration: &Concentration, area: Rect) {
    let Some(gini) = concentration.gini().filter(|_| area.width > 4 && area.height > 3) else { return };
    let line = Rect::new(area.x + 2, area.bottom() - 1, area.width - 4, 1);
    let top = concentration.tops().find(|(count, _)| *count == 10).and_then(|(_, share)| share).unwrap_or_default();
    let key = key_of(cx, Command::NextPane);
    let mut parts = vec![
        (Meaning::Muted, " top 10 ".to_owned()),
        (Meaning::Number, top.percent()),
        (Meaning::Muted, " · Gini ".to_owned()),
        (Meaning::Number, gini.decimal()),
        (Meaning::Muted, format!(" of {} loaded · {key} more ", text::group(concentration.counted()))),
    ];
    if width_of(&parts) > line.width {
        parts.truncate(4);
    }
    canvas.parts_right(line, parts);
}

/// How the holders' columns are cut: the same for every row, so that nothing jumps while one scrolls.
struct HolderColumns {
    columns: ListColumns<Holders>,
    decimals: u8,
    fraction: usize,
}

impl HolderColumns {
    fn of(cx: &Drawing<'_>, page: &HoldersPage, area: Rect) -> Self {
        let concentration = &page.concentration;
        let token = page.denom.as_ref().and_then(|denom| cx.token(denom));
        let decimals = token.map_or(0, |token| token.decimals);
        let fraction = Holders::shown_fraction(concentration.fraction_digits(decimals), decimals);
        let whole = concentration.widest().saturating_sub(usize::from(decimals)).max(1);
        let sign = usize::from(concentration.negatives() > 0);
        let amount = sign + whole + (whole - 1) / 3 + if fraction > 0 { fraction + 1 } else { 0 };
        let title = if token.is_some() { "amount" } else { "amount, smallest unit" };
        let share = if page.list.has_ended() { "% of all" } else { "% of loaded" };
        let rank = text::group(concentration.counted().max(u64::from(PAGE))).width().max(5);
        let mut columns = table::columns::<Holders>(cx, cx.regions, List::Holders, area);
        columns.adapt("rank", |header| header.wide(narrow(rank)));
        columns.adapt("amount", |header| header.titled(title).wide(narrow(amount.max(title.width()))));
        let is_small = cx.regions.tier <= Tier::Compact;
        columns
            .adapt("share", |header| if is_small { header.titled("share").wide(SHARE) } else { header.titled(share) });
        fit_other_form(&mut columns);
        Self { columns, decimals, fraction }
    }

    fn fields<'a>(&self, concentration: &Concentration, row: &'a HolderRow) -> HolderFields<'a> {
        let balance = row.holder.amount;
        HolderFields {
            holder: &row.holder,
            rank: Some(row.rank),
            share: Some(concentration.share(balance).map_or_else(|| "–".to_owned(), Ratio::percent)),
            bar: Some(concentration.height(balance).steps(usize::from(Holders::BAR) * 8)),
            decimals: self.decimals,
            fraction: self.fraction,
            ..HolderFields::new(&row.holder)
        }
    }
}

/// The other form of an address stands where the account leaves room beside a whole address, and takes that room.
fn fit_other_form(columns: &mut ListColumns<Holders>) {
    const OTHER: &str = "other_form";
    let Some(other) = columns.take_out(OTHER) else { return };
    match columns.width_of("account") {
        Some(width) if width <= WHOLE_ADDRESS + Holders::SHORT_ADDRESS => {}
        Some(width) => columns.put_back(&other, (width - WHOLE_ADDRESS - 1).min(WHOLE_ADDRESS)),
        None => columns.put_back(&other, WHOLE_ADDRESS),
    }
}

fn narrow(width: usize) -> u16 {
    u16::try_from(width).unwrap_or(u16::MAX)
}
