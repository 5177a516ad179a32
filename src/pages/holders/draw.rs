//! Draws the rich list, or the reason why it is empty.

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
        format::age_at,
        page::Drawing,
    },
    columns::{HolderFields, Holders, List, ListColumns},
    config::{Command, Meaning},
    domain::text,
    panes::{
        hints::{hints, key_of},
        rows::HolderRow,
        table::{self, ListFrame, RowOrigin},
    },
    widgets::{
        canvas::{Canvas, Part, row, width_of},
        layout::Tier,
        list::PAGE,
    },
    wire::{ApiError, ErrorKind},
};

/// Columns of a full 20-byte address in bech32.
const WHOLE_ADDRESS: u16 = 43;
/// Columns of `100.00 %`.
const SHARE: u16 = 8;
/// Columns of a title without the denom: start, frame and position.
const PROGRESS: usize = 38;

/// Draws the holders and figures, side by side or only one of them.
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

/// Returns `Rich list · INIT evm/2eE7…6e22 · at height 20,402, 3 behind`, without the parts that do not fit. Once
/// the server's list is newer, the age of the rows replaces the server's lag: `as of height 20,380, 22 s old`.
fn title(cx: &Drawing<'_>, page: &HoldersPage, room: u16) -> String {
    let Some(denom) = &page.denom else { return "Rich list".to_owned() };
    let symbol = cx.context.token(denom).map(|token| text::clip(&token.symbol, 16));
    let long = match &symbol {
        Some(symbol) if *symbol == denom.short_beside_name() => symbol.clone(),
        Some(symbol) if symbol != denom.as_str() => format!("{symbol} {}", denom.short_beside_name()),
        _ => denom.short(),
    };
    let (long, short) = match cx.context.glossary.personal_denom(denom) {
        Some(own) => (format!("{own} {long}"), own.to_string()),
        None => (long, symbol.unwrap_or_else(|| denom.short())),
    };
    let known = || cx.context.chain.height().map(|height| ChainTip { height: height.get(), is_estimate: false });
    let behind = cx.context.chain.tip(cx.context.now).or_else(known).zip(page.height);
    let behind = behind.map(|(tip, height)| TipDistance::of_rich_list(tip, height)).filter(|behind| behind.blocks > 0);
    let reached = cx.context.chain.status.value().and_then(|status| status.rich_list_height);
    let is_newest = page.height >= reached;
    let age = page.read.map(|at| format!("{} old", age_at(at, cx.context.now)));
    let state = if is_newest { behind.map(|behind| behind.brief()) } else { age };
    let (at, refresh) = if is_newest { ("at", String::new()) } else { ("as of", key_of(cx, Command::Refresh)) };
    let refresh = if refresh.is_empty() { refresh } else { format!(" · {refresh} refreshes") };
    let comma = state.as_ref().map_or_else(String::new, |state| format!(", {state}"));
    let at = page.height.map(|height| format!(" · {at} height {}{comma}", text::group(height))).unwrap_or_default();
    let brief = state.map_or_else(String::new, |state| format!(" · {state}"));
    let titles = [
        format!("{long}{at}{refresh}"),
        format!("{short}{at}{refresh}"),
        format!("{short}{at}"),
        format!("{short}{brief}"),
    ];
    let fits = |title: &&String| title.width() + PROGRESS < usize::from(room);
    format!("Rich list · {}", titles.iter().find(fits).unwrap_or(&short))
}

/// Explains an empty list; nothing if the list has rows or is loading.
fn why_empty(cx: &Drawing<'_>, page: &HoldersPage) -> Vec<Part> {
    let muted = |sentence: &str| (Meaning::Muted, sentence.to_owned());
    let choose = hints(cx, &[(Command::Filter, "chooses a denom")]);
    let Some(denom) = &page.denom else {
        if cx.context.awaits_first_rows {
            return vec![muted("Waiting for the first blocks: their fees name a denom.")];
        }
        let none = "No known denom in the loaded data.";
        return vec![(Meaning::Text, none.to_owned()), (Meaning::Muted, choose)];
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
    let keeps_none = cx.context.chain.status.value().is_some_and(|status| status.rich_list_height.is_none());
    if keeps_none {
        let sentence = "This server has no rich list: its status has no rich list height and the list is empty.";
        return vec![(Meaning::Text, sentence.to_owned())];
    }
    let sentence = format!("No holders of {}, or the rollup does not know this denom.", denom.short());
    vec![(Meaning::Text, sentence), (Meaning::Muted, choose)]
}

/// Whether the server's status has a rich list height.
fn keeps_one(cx: &Drawing<'_>) -> bool {
    cx.context.chain.status.value().is_some_and(|status| status.rich_list_height.is_some())
}

/// Explains the error of the first page.
fn refused(cx: &Drawing<'_>, error: &ApiError, denom: &str) -> Vec<Part> {
    let again = hints(cx, &[(Command::Filter, "choose another denom"), (Command::Refresh, "retry")]);
    let slow = "An EVM rollup takes up to a minute to reject an unknown denom.";
    let (what, why) = match &error.kind {
        // The server has rich lists, so only the denom can be unknown.
        ErrorKind::NotFound(_) | ErrorKind::Rejected { status: 404, .. } if !keeps_one(cx) => {
            ("This server has no rich list.".to_owned(), "")
        }
        ErrorKind::NotFound(_) | ErrorKind::Rejected { .. } => {
            (format!("The server does not know the denom {denom}."), slow)
        }
        ErrorKind::Timeout(_) => (format!("The server did not answer about {denom} in time."), slow),
        _ => (format!("Cannot load the holders of {denom}."), error.advice()),
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
        origin: RowOrigin::Elsewhere,
        hidden: &[],
    };
    let (columns, forms) = (&holders.columns, cx.context.forms());
    table::draw(canvas, cx, cx.regions, &page.list, &listing, &columns.fitted, |row| {
        columns.cells(&holders.fields(page, row), &forms)
    });
    if cx.regions.tier == Tier::Normal {
        draw_summary(canvas, cx, &page.concentration, area);
    }
}

/// Draws the figures on the lower frame if they have no pane of their own.
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

/// Widths of the holders' columns. All rows share them, so that scrolling moves no column.
struct HolderColumns {
    columns: ListColumns<Holders>,
    decimals: u8,
    fraction: u8,
}

impl HolderColumns {
    fn of(cx: &Drawing<'_>, page: &HoldersPage, area: Rect) -> Self {
        let concentration = &page.concentration;
        let token = page.denom.as_ref().and_then(|denom| cx.context.token(denom));
        let decimals = token.map_or(0, |token| token.decimals);
        let fraction = Holders::shown_fraction(concentration.fraction_digits(decimals));
        let whole = concentration.widest().saturating_sub(usize::from(decimals)).max(1);
        let sign = usize::from(concentration.negatives() > 0);
        let amount = sign + whole + (whole - 1) / 3 + if fraction > 0 { usize::from(fraction) + 1 } else { 0 };
        let title = if token.is_some() { "amount" } else { "amount, smallest unit" };
        let share = if page.list.has_ended() { "total share" } else { "loaded share" };
        let rank = text::group(concentration.counted().max(u64::from(PAGE))).width().max(5);
        let mut columns = table::columns::<Holders>(cx, cx.regions, List::Holders, area);
        columns.adapt("rank", |header| header.wide(narrow(rank)));
        columns.adapt("amount", |header| header.titled(title).wide(narrow(amount.max(title.width()))));
        let is_small = cx.regions.tier <= Tier::Compact;
        columns
            .adapt("share", |header| if is_small { header.titled("share").wide(SHARE) } else { header.titled(share) });
        if page.mark().is_some() {
            columns.adapt("since", |header| header.titled("since the mark").wide(narrow((amount + 5).max(14))));
        } else {
            columns.take_out("since");
        }
        fit_other_form(&mut columns);
        Self { columns, decimals, fraction }
    }

    fn fields<'a>(&self, page: &HoldersPage, row: &'a HolderRow) -> HolderFields<'a> {
        let (concentration, balance) = (&page.concentration, row.holder.amount);
        let change = page.mark().and_then(|mark| mark.change_of(row));
        HolderFields {
            holder: &row.holder,
            rank: Some(row.rank),
            share: Some(concentration.share(balance).map_or_else(|| "–".to_owned(), Ratio::percent)),
            bar: Some(concentration.height(balance).steps(usize::from(Holders::BAR) * 8)),
            since: change.and_then(|change| change.shown(row, self.decimals, self.fraction)),
            decimals: self.decimals,
            fraction: self.fraction,
            ..HolderFields::new(&row.holder)
        }
    }
}

/// Adds a column for the other address format, if it fits beside a full address.
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
