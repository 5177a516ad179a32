//! Draws the three rows of the form.

use ratatui::layout::Rect;
use unicode_width::UnicodeWidthStr as _;

use super::super::{FormField, QuoteSide, form::QuoteForm};
use crate::{
    app::page::Drawing,
    config::Meaning,
    domain::{Amount, ChainId, Denom, text::clip},
    signing::least_usual_fee,
    story::Names,
    widgets::{
        Hit,
        canvas::{Canvas, Part, fitting, row},
        layout::Pane,
    },
};

/// Columns of the row labels.
const NAMES: u16 = 8;
/// Maximum columns of a cell.
const CELL: u16 = 64;

/// Draws the rows, and marks the cursor's cell.
pub(super) fn draw(canvas: &mut Canvas<'_>, cx: &Drawing<'_>, quote: &QuoteSide, area: Rect) {
    let form = &quote.form;
    let (from, to) = (&form.source, &form.destination);
    let chain = |chain: Option<&ChainId>| chain_parts(cx, chain);
    let asset = |chain: Option<&ChainId>, denom: Option<&Denom>| asset_parts(cx, chain, denom);
    let cells = [
        (FormField::SourceChain, chain(from.chain.as_ref())),
        (FormField::SourceAsset, asset(from.chain.as_ref(), from.denom.as_ref())),
        (FormField::DestinationChain, chain(to.chain.as_ref())),
        (FormField::DestinationAsset, asset(to.chain.as_ref(), to.denom.as_ref())),
        (FormField::Amount, amount_parts(cx, form)),
    ];
    for (place, name) in (0..).zip(["From", "To", "Amount"]) {
        canvas.text(row(area, place), Meaning::Key, name);
    }
    for (field, parts) in cells {
        let cell = place_of(field, area);
        canvas.parts(cell, parts);
        if field == quote.field {
            canvas.mark_row(cell, quote.focus == Pane::First);
        }
        canvas.hit(cell, Hit::Row(0, field as usize));
    }
    let amount = row(area, 2);
    let taken = (NAMES + amount_width(area)).min(amount.width);
    let note = Rect { x: amount.x + taken, width: amount.width - taken, ..amount };
    canvas.parts(note, amount_note(cx, quote, note.width));
}

fn amount_width(area: Rect) -> u16 {
    (area.width.saturating_sub(NAMES) / 2).min(CELL)
}

/// Returns the area of a field. Each end has a row, with the chain at the left.
fn place_of(field: FormField, area: Rect) -> Rect {
    let line = row(
        area,
        match field {
            FormField::SourceChain | FormField::SourceAsset => 0,
            FormField::DestinationChain | FormField::DestinationAsset => 1,
            FormField::Amount => 2,
        },
    );
    let width = amount_width(area);
    let is_second = matches!(field, FormField::SourceAsset | FormField::DestinationAsset);
    let x = (NAMES + if is_second { width } else { 0 }).min(line.width);
    Rect { x: line.x + x, width: width.saturating_sub(1).min(line.width - x), ..line }
}

fn chain_parts(cx: &Drawing<'_>, chain: Option<&ChainId>) -> Vec<Part> {
    let Some(chain) = chain else { return unset("which chain?") };
    let name = Names::chain(&cx.context.directory, chain);
    let id = if name == chain.as_str() { String::new() } else { format!("  {}", clip(chain.as_str(), 40)) };
    vec![(Meaning::Kind, name), (Meaning::Muted, id)]
}

fn asset_parts(cx: &Drawing<'_>, chain: Option<&ChainId>, denom: Option<&Denom>) -> Vec<Part> {
    let (Some(chain), Some(denom)) = (chain, denom) else { return unset("which asset?") };
    let symbol = cx.context.directory.denom(chain, denom);
    let short = denom.short();
    let more = if symbol == short { String::new() } else { format!("  {short}") };
    vec![(Meaning::Kind, symbol), (Meaning::Muted, more)]
}

fn amount_parts(cx: &Drawing<'_>, form: &QuoteForm) -> Vec<Part> {
    match (form.amount, form.source.pair()) {
        (Some(entered), Some((chain, denom))) => {
            vec![(Meaning::Number, cx.context.directory.amount(chain, denom, entered.amount))]
        }
        _ => unset("how much?"),
    }
}

fn unset(question: &str) -> Vec<Part> {
    vec![(Meaning::Muted, question.to_owned())]
}

/// Returns the note on the amount: its unit if the decimals are unknown, and the balance of the connected wallet or the
/// demo wallet, in the longest form that fits.
fn amount_note(cx: &Drawing<'_>, quote: &QuoteSide, width: u16) -> Vec<Part> {
    let form = &quote.form;
    let Some((chain, denom)) = form.source.pair() else { return Vec::new() };
    let decimals = cx.context.directory.decimals(chain, denom);
    let unit = decimals.is_none().then(|| (Meaning::Warning, "in the smallest unit: decimals unknown  ".to_owned()));
    let (article, owner, held, source) = match &cx.context.transfers.accounts {
        Some(_) => match quote.answers.of_wallet(chain, denom) {
            Some((accounts, held)) => ("", accounts.wallet.clipped(24), held, ", by the router"),
            None => return unit.into_iter().collect(),
        },
        None => match cx.context.directory.held(chain, denom) {
            Some(held) => ("the ", "demo wallet".to_owned(), held, ""),
            None => return unit.into_iter().collect(),
        },
    };
    let whole = cx.context.directory.amount(chain, denom, held);
    let ticker = cx.context.directory.denom(chain, denom);
    let cut = decimals.map_or_else(|| whole.clone(), |decimals| format!("{} {ticker}", held.shown(decimals)));
    let entered = form.amount.map(|entered| entered.amount).unwrap_or_default();
    let (meaning, forms) = if entered > held {
        let named = |text: &str| format!("▲ over {article}{owner}'s {text}{source}");
        (Meaning::Warning, [named(&whole), named(&cut), format!("▲ over {cut}{source}")])
    } else if let Some(note) = fee_note(cx, quote, (chain, denom), entered) {
        (Meaning::Warning, [note.clone(), note.clone(), note])
    } else {
        let named = |text: &str| format!("{owner} has {text}{source}");
        (Meaning::Muted, [named(&whole), named(&cut), format!("has {cut}{source}")])
    };
    let room = usize::from(width).saturating_sub(unit.iter().map(|(_, text)| text.width()).sum());
    let note = fitting(room, &forms);
    unit.into_iter().chain([(meaning, note)]).collect()
}

/// Warns that the wallet cannot pay the fee of even the cheapest transaction beside the amount. Settings and registry
/// tell the price; `None` if they do not, or if the balance is unknown.
fn fee_note(
    cx: &Drawing<'_>,
    quote: &QuoteSide,
    (chain, denom): (&ChainId, &Denom),
    entered: Amount,
) -> Option<String> {
    let directory = &cx.context.directory;
    let fee = least_usual_fee(&directory.trust(chain, cx.context.own_chain().as_ref()).fees)?;
    let (held, source) = match &cx.context.transfers.accounts {
        Some(_) => (quote.answers.for_fee(chain, &fee.denom)?, ", by the router"),
        None => (directory.held(chain, &fee.denom)?, ""),
    };
    let spent = if fee.denom.is_same(denom) { entered } else { Amount::ZERO };
    let left = held.checked_sub(spent).filter(|left| *left < fee.amount)?;
    let [fee, left] = [fee.amount, left].map(|amount| directory.amount(chain, &fee.denom, amount));
    Some(format!("▲ fee about {fee}, left {left}{source}"))
}
