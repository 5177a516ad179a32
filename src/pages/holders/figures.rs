//! Figures of a denom's concentration: shares of the largest holders, Gini coefficient, histogram and Lorenz curve.

use ratatui::layout::Rect;
use unicode_width::UnicodeWidthStr as _;

use super::{
    concentration::{Concentration, HistogramBar, Ratio},
    marked::MarkedList,
    state::HoldersPage,
};
use crate::{
    app::{format::age_at, page::Drawing},
    columns::eighths_bar,
    config::Meaning,
    domain::text,
    msg::Total,
    widgets::{
        canvas::{Canvas, Part, row},
        layout::Tier,
    },
};

/// Minimum columns for the Lorenz curve beside the other figures.
const SIDE_BY_SIDE: u16 = 70;
/// Minimum rows of the Lorenz curve, with heading and axis.
const LORENZ_LEAST: u16 = 9;
/// Maximum holders to name that left since the mark.
const MOST_LEFT: usize = 3;
/// Columns of the labels.
const NAME: usize = 12;
/// Maximum columns of an amount beside a bar. A column with a wider amount shows powers of ten.
const WIDEST_LABEL: usize = 13;
/// Bits of a braille cell's dots: by column, then by row from the top.
const DOTS: [[u8; 4]; 2] = [[0x01, 0x02, 0x04, 0x40], [0x08, 0x10, 0x20, 0x80]];

pub(super) fn draw(canvas: &mut Canvas<'_>, cx: &Drawing<'_>, page: &HoldersPage, area: Rect) {
    let is_alone = cx.regions.tier != Tier::Wide;
    let heading = vec![(if is_alone { Meaning::Heading } else { Meaning::Text }, "Concentration".to_owned())];
    canvas.frame(area, cx.regions.tier, is_alone, heading, Vec::new());
    let room = cx.regions.list_names(area);
    let concentration = &page.concentration;
    if concentration.positives() == 0 {
        let sentence = if concentration.counted() == 0 {
            "no holders loaded"
        } else {
            "no loaded holder has a \
         balance"
        };
        canvas.text(row(room, u16::from(room.height > 5)), Meaning::Muted, sentence);
        return;
    }
    let unit = AmountUnit::of(cx, page);
    if room.width >= SIDE_BY_SIDE {
        let width = (room.width * 2 / 5).min(room.height.saturating_sub(2) * 2);
        let left = Rect { width: room.width - width - 2, ..room };
        let below = draw_facts(canvas, cx, page, &unit, left);
        draw_histogram(canvas, concentration, &unit, below);
        draw_lorenz(canvas, concentration, Rect { x: room.right() - width, width, ..room });
        return;
    }
    let below = draw_facts(canvas, cx, page, &unit, room);
    let bars = u16::try_from(concentration.histogram().len()).unwrap_or(u16::MAX);
    let for_histogram = (bars + 2).min(below.height.saturating_sub(LORENZ_LEAST + 1));
    if for_histogram < bars.min(6) + 2 {
        draw_histogram(canvas, concentration, &unit, below);
        return;
    }
    draw_histogram(canvas, concentration, &unit, Rect { height: for_histogram, ..below });
    let rest = Rect { y: below.y + for_histogram + 1, height: below.height - for_histogram - 1, ..below };
    draw_lorenz(canvas, concentration, rest);
}

struct AmountUnit {
    symbol: Option<String>,
    decimals: u8,
}

impl AmountUnit {
    fn of(cx: &Drawing<'_>, page: &HoldersPage) -> Self {
        match page.denom.as_ref().and_then(|denom| cx.context.token(denom)) {
            Some(token) => Self { symbol: Some(text::clip(&token.symbol, 12)), decimals: token.decimals },
            None => Self { symbol: None, decimals: 0 },
        }
    }

    fn name(&self) -> &str {
        self.symbol.as_deref().unwrap_or("smallest unit")
    }

    /// Formats the smallest amount of each bar: `from 10,000`, `from 0.001`; if one is too wide, all as `from 10^24`.
    fn labels(&self, bars: &[HistogramBar]) -> Vec<String> {
        let decimals = usize::from(self.decimals);
        let number = |bar: &HistogramBar| {
            let power = bar.digits.saturating_sub(1);
            match power.checked_sub(decimals) {
                Some(zeros) => text::group_digits(&format!("1{}", "0".repeat(zeros))),
                None => format!("0.{}1", "0".repeat(decimals - power - 1)),
            }
        };
        let power = |bar: &HistogramBar| match bar.digits.saturating_sub(1).checked_sub(decimals) {
            Some(power) => format!("10^{power}"),
            None => format!("10^-{}", decimals + 1 - bar.digits),
        };
        let are_short = bars.iter().all(|bar| number(bar).width() <= WIDEST_LABEL);
        bars.iter().map(|bar| format!("from {}", if are_short { number(bar) } else { power(bar) })).collect()
    }
}

/// Returns lines that say which holders the figures cover.
fn basis(page: &HoldersPage) -> Vec<String> {
    let concentration = &page.concentration;
    let counted = text::group(concentration.counted());
    let is_all = page.is_whole();
    let over = match page.list.total {
        _ if is_all => format!("over all {counted} holders"),
        // While loading, a holder moved between pages, or a new one appeared.
        Total::Exact(total) if page.list.has_ended() => format!("over {counted} of {} holders", text::group(total)),
        Total::Exact(total) => format!("over the {counted} largest of {}", text::group(total)),
        Total::About(total) => format!("over the {counted} largest of ≈ {}", text::group(total)),
        Total::Unknown => format!("over the {counted} largest loaded"),
    };
    let mut sentences = vec![over];
    let left_out: Vec<String> = [(concentration.zeros(), "zero"), (concentration.negatives(), "below zero")]
        .into_iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, what)| format!("{} {what}", text::group(count)))
        .collect();
    if !left_out.is_empty() {
        sentences.push(format!("excluded: {}", left_out.join(", ")));
    }
    if !concentration.is_ordered() {
        sentences.push("inexact: amounts changed during load".to_owned());
    }
    sentences
}

/// Draws the coverage and one line per figure. Returns the remaining area.
fn draw_facts(canvas: &mut Canvas<'_>, cx: &Drawing<'_>, page: &HoldersPage, unit: &AmountUnit, area: Rect) -> Rect {
    let concentration = &page.concentration;
    let mut lines: Vec<Vec<Part>> = Vec::new();
    for sentence in basis(page) {
        let wrapped = text::wrap(&sentence, usize::from(area.width), 2);
        lines.extend(wrapped.into_iter().map(|line| vec![(Meaning::Text, line)]));
    }
    let is_roomy = area.height > 12;
    if is_roomy {
        lines.push(Vec::new());
    }
    let room = usize::from(area.width).saturating_sub(NAME);
    let sum = text::decimal(&concentration.sum_digits(), unit.decimals);
    lines.extend(sum_lines(&sum, unit, usize::from(area.width)));
    let gini = concentration.gini().unwrap_or_default();
    lines.push(figure("Gini", &gini.decimal(), gini, room));
    for (count, share) in concentration.tops() {
        let share = share.unwrap_or_default();
        lines.push(figure(&format!("top {count}"), &share.percent(), share, room));
    }
    if is_roomy {
        lines.push(Vec::new());
    }
    if let Some(mark) = page.mark() {
        lines.extend(change_lines(cx, mark, usize::from(area.width)));
        lines.extend(is_roomy.then(Vec::new));
    }
    let used = u16::try_from(lines.len()).unwrap_or(u16::MAX).min(area.height);
    for (place, line) in (0..used).zip(lines) {
        canvas.parts(row(area, place), line);
    }
    Rect { y: area.y + used, height: area.height - used, ..area }
}

/// Returns the lines about what changed since the list was marked, with the holders that left.
fn change_lines(cx: &Drawing<'_>, mark: &MarkedList, width: usize) -> Vec<Vec<Part>> {
    let changes = &mark.changes;
    let height = mark.height.map(|height| format!("height {}, ", text::group(height))).unwrap_or_default();
    let within = changes.within.map_or_else(String::new, |ranks| format!(", first {}", text::group(ranks)));
    let since = format!("{height}{} ago{within}", age_at(mark.at, cx.context.now));
    let counts = [
        (changes.entered, "entered"),
        (changes.left.len(), "left"),
        (changes.moved, "moved"),
        (changes.amounts, "amounts"),
    ];
    let counts = counts.map(|(count, what)| format!("{} {what}", text::group(count as u64))).join(" · ");
    let mut lines = vec![vec![name("since"), (Meaning::Text, text::clip(&since, width.saturating_sub(NAME)))]];
    lines.extend(
        text::wrap(&counts, width.saturating_sub(2), 2)
            .into_iter()
            .map(|line| vec![(Meaning::Text, format!("  {line}"))]),
    );
    let left = changes.left.iter().take(MOST_LEFT).map(|(rank, account)| {
        let account = account
            .parse()
            .map_or_else(|_| text::clip(account, 20), |address| cx.context.address_form().short(address));
        vec![(Meaning::Muted, format!("  left {rank} ")), (Meaning::Link, account)]
    });
    lines.extend(left);
    lines
}

/// Returns the lines of the sum: one with label and unit if it fits, else several.
fn sum_lines(sum: &str, unit: &AmountUnit, width: usize) -> Vec<Vec<Part>> {
    let forms = [format!("{sum} {}", unit.name()), sum.to_owned()];
    if let Some(total) = forms.into_iter().find(|total| total.width() + NAME <= width) {
        return vec![vec![name("sum"), (Meaning::Number, total)]];
    }
    let wrapped = text::wrap(sum, width, 3).into_iter().map(|line| vec![(Meaning::Number, line)]);
    std::iter::once(vec![name("sum"), (Meaning::Muted, unit.name().to_owned())]).chain(wrapped).collect()
}

fn name(text: &str) -> Part {
    (Meaning::Key, format!("{text:<NAME$}"))
}

/// Returns the line of a ratio: `Gini        0.8123   ████████`.
fn figure(label: &str, value: &str, share: Ratio, room: usize) -> Vec<Part> {
    let for_bar = room.saturating_sub(11).min(40);
    vec![
        name(label),
        (Meaning::Number, format!("{value:>9}  ")),
        (Meaning::Number, eighths_bar(share.min(Ratio::ONE).steps(for_bar * 8))),
    ]
}

/// Draws the number of holders per power of ten, largest first. The last line sums up bars without room.
fn draw_histogram(canvas: &mut Canvas<'_>, concentration: &Concentration, unit: &AmountUnit, area: Rect) {
    if area.height < 3 {
        return;
    }
    canvas.text(row(area, 0), Meaning::Muted, &format!("holders by amount, {}", unit.name()));
    let bars = concentration.histogram();
    let rows = usize::from(area.height - 1);
    let shown = if bars.len() <= rows { bars.len() } else { rows - 1 };
    let most = bars.iter().map(|bar| bar.count).max().unwrap_or(1);
    let labels = unit.labels(bars.get(..shown).unwrap_or_default());
    let for_label = labels.iter().map(|label| label.width()).max().unwrap_or(0).max(NAME - 1);
    let for_count = text::group(most).len().max(3);
    let for_bar = usize::from(area.width).saturating_sub(for_label + for_count + 13).min(40);
    let at = |place: usize| row(area, u16::try_from(place + 1).unwrap_or(u16::MAX));
    for (place, (bar, label)) in bars.iter().zip(labels).enumerate() {
        canvas.parts(at(place), histogram_line(bar, most, (format!("{label:>for_label$} "), for_bar, for_count)));
    }
    let rest = bars.get(shown..).unwrap_or_default();
    if !rest.is_empty() {
        let count: u64 = rest.iter().map(|bar| bar.count).sum();
        canvas.text(at(shown), Meaning::Muted, &format!("{:>11} less", text::group(count)));
    }
}

/// Returns the line of a bar: `from 10,000 ▇▇▇▇▇▇      12   45.10 %`.
fn histogram_line(bar: &HistogramBar, most: u64, (label, for_bar, for_count): (String, usize, usize)) -> Vec<Part> {
    let eighths = u128::from(bar.count) * (for_bar as u128 * 8) / u128::from(most.max(1));
    let eighths = usize::try_from(eighths).unwrap_or(0).max(usize::from(bar.count > 0));
    let drawn = eighths_bar(eighths);
    let gap = " ".repeat(for_bar.saturating_sub(drawn.chars().count()));
    let share = if bar.count == 0 { String::new() } else { bar.share.percent() };
    vec![
        (Meaning::Key, label),
        (Meaning::Number, drawn),
        (Meaning::Number, format!("{gap} {:>for_count$}", text::group(bar.count))),
        (Meaning::Muted, format!("  {share:>9}")),
    ]
}

/// Draws the Lorenz curve and the line of equality. The poorest holder is at the left.
fn draw_lorenz(canvas: &mut Canvas<'_>, concentration: &Concentration, area: Rect) {
    if area.height < LORENZ_LEAST || area.width < 16 {
        return;
    }
    canvas.parts(
        row(area, 0),
        [
            (Meaning::Muted, "Lorenz line ".to_owned()),
            (Meaning::Number, "⠤⠒".to_owned()),
            (Meaning::Muted, "  equal ⠐⠄".to_owned()),
        ],
    );
    let height = (area.height - 2).min(area.width / 2);
    let plot = Rect { y: area.y + 1, height, ..area };
    let line = dots_of_lorenz(concentration, plot);
    for (y, cells) in (plot.y..plot.bottom()).zip(&line) {
        for (x, (meaning, dots)) in (plot.x..plot.right()).zip(cells) {
            let braille = char::from_u32(0x2800 + u32::from(*dots)).filter(|_| *dots > 0);
            if let Some(braille) = braille {
                canvas.text(Rect::new(x, y, 1, 1), *meaning, &braille.to_string());
            }
        }
    }
    let axis = Rect { y: plot.bottom(), height: 1, ..area };
    canvas.text(axis, Meaning::Muted, "poorest");
    canvas.parts_right(axis, vec![(Meaning::Muted, "richest".to_owned())]);
}

/// Returns the plot's cells by row from the top, each with its braille dots. The curve covers the line of equality.
fn dots_of_lorenz(concentration: &Concentration, plot: Rect) -> Vec<Vec<(Meaning, u8)>> {
    let (columns, rows) = (usize::from(plot.width) * 2, usize::from(plot.height) * 4);
    let mut cells = vec![vec![(Meaning::Muted, 0_u8); usize::from(plot.width)]; usize::from(plot.height)];
    let mut set = |column: usize, height: usize, meaning: Meaning| {
        let above = rows - 1 - height.min(rows - 1);
        let Some(cell) = cells.get_mut(above / 4).and_then(|row| row.get_mut(column / 2)) else { return };
        if cell.0 != meaning {
            *cell = (meaning, 0);
        }
        cell.1 |= DOTS.as_flattened().get(column % 2 * 4 + above % 4).copied().unwrap_or_default();
    };
    for column in (0..columns).step_by(3) {
        set(column, column * (rows - 1) / (columns - 1), Meaning::Muted);
    }
    let mut before = 0;
    for (column, point) in concentration.lorenz(columns as u64 - 1).into_iter().enumerate() {
        let height = point.min(Ratio::ONE).steps(rows - 1);
        for between in before.min(height)..=height {
            set(column, between, Meaning::Number);
        }
        before = height;
    }
    cells
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_have_one_form_and_all_bars_begin_below_each_other() {
        let bars = |digits: std::ops::RangeInclusive<usize>| -> Vec<HistogramBar> {
            digits.rev().map(|digits| HistogramBar { digits, count: 3, share: Ratio::ONE }).collect()
        };
        let labels = |decimals, digits| AmountUnit { symbol: None, decimals }.labels(&bars(digits));
        assert_eq!(labels(6, 5..=8), ["from 10", "from 1", "from 0.1", "from 0.01"]);
        assert_eq!(labels(6, 6..=7), ["from 1", "from 0.1"]);
        assert_eq!(labels(0, 9..=10), ["from 1,000,000,000", "from 100,000,000"]);
        assert_eq!(labels(0, 10..=12), ["from 10^11", "from 10^10", "from 10^9"]);
        assert!(labels(18, 1..=30).iter().all(|label| label.starts_with("from 10^")));
        assert_eq!(labels(18, 1..=30).last().map(String::as_str), Some("from 10^-18"));
    }
}
