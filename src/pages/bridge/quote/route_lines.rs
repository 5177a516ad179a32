//! Lines of the selected route: hops, fees and warnings.

use strum::IntoEnumIterator as _;
use unicode_width::UnicodeWidthStr as _;

use super::{
    QuoteSide,
    comparison::{self, RouteMeasure, fee_text},
    notices::notices,
};
use crate::{
    app::{directory::Directory, page::PageCx},
    config::Meaning,
    domain::{
        Amount,
        text::{clip, decimal, span},
    },
    story::Names,
    transfers::HopProtocol,
    widgets::{document::Line, layout::Regions},
    wire::router::{Fee, FeeBehavior, Operation, Route},
};

/// Maximum columns of a hop's protocol, chain and output on a wide screen.
const WIDE: [usize; 3] = [26, 24, 30];
/// [`WIDE`] for a narrow screen.
const NARROW: [usize; 3] = [18, 12, 20];
/// Fee or time that the router does not tell for a hop.
const UNKNOWN: &str = "—";
/// Minimum columns of a screen for [`WIDE`].
const WIDE_FROM: u16 = 100;

impl QuoteSide {
    /// Builds the lines of the selected route, if they are outdated.
    pub(super) fn make_route_lines(&mut self, cx: &mut PageCx<'_>) {
        let most = if cx.context.size.0 < WIDE_FROM { NARROW } else { WIDE };
        // The height of the table decides how much room the lines have.
        let room = self.fit(&Regions::new(cx.context.size), cx.context.transfers.all().len());
        let made_of = (cx.context.directory.edition, self.edition, most[0], room);
        if self.made_of == made_of {
            return;
        }
        let lines = match self.offer().route() {
            Some(route) => {
                let before = self.offer().before.as_ref().map(|before| &before.value);
                let mut lines = lines(&route.value, &cx.context.directory, most, room);
                lines.push(changes(&route.value, before, &cx.context.directory));
                lines
            }
            None => Vec::new(),
        };
        self.made_of = made_of;
        self.route_lines.replace_lines(lines);
        cx.redraw();
    }
}

fn lines(route: &Route, names: &Directory, most: [usize; 3], room: u16) -> Vec<Line> {
    let hops: Vec<HopTexts> =
        (0..).zip(&route.operations).map(|(place, step)| HopTexts::new(route, place, step, names, most)).collect();
    let rest = lines_below_hops(route, names);
    let count = hops.len();
    // The line of changes comes last.
    let mut lines = if 2 * count + 1 + rest.len() < usize::from(room) {
        stops_and_hops(route, &hops, names)
    } else {
        hop_lines(&hops)
    };
    if count == 0 {
        lines.push(Line::default().with(Meaning::Warning, "the router lists no steps"));
    }
    lines.extend(rest);
    lines
}

/// Returns one line per hop.
fn hop_lines(hops: &[HopTexts]) -> Vec<Line> {
    let widest = |text: fn(&HopTexts) -> &str| hops.iter().map(|hop| text(hop).width()).max().unwrap_or(0);
    let widths = [widest(|hop| &hop.protocol), widest(|hop| &hop.chains), widest(|hop| &hop.amount)];
    hops.iter().enumerate().map(|(place, hop)| hop.line(place, hops.len(), widths)).collect()
}

/// Returns a line for each chain with the amount there, and one for each hop between them.
fn stops_and_hops(route: &Route, hops: &[HopTexts], names: &Directory) -> Vec<Line> {
    let Some(first) = hops.first() else { return Vec::new() };
    let start = names.amount(&route.source_asset_chain_id, &route.source_asset_denom, route.amount_in);
    let wide = |texts: &mut dyn Iterator<Item = &str>| texts.map(str::width).max().unwrap_or(0);
    let chains = wide(&mut hops.iter().map(|hop| hop.to.as_str()).chain([first.from.as_str()]));
    let amounts = wide(&mut hops.iter().map(|hop| hop.amount.as_str()).chain([start.as_str()]));
    let protocols = wide(&mut hops.iter().map(|hop| hop.protocol.as_str()));
    let stop = |chain: &str, amount: &str| {
        let line = Line::default().with(Meaning::Link, "● ").with(Meaning::Text, pad(chain, chains));
        let indent = " ".repeat(amounts.saturating_sub(amount.width()));
        line.with(Meaning::Number, format!("{indent}{amount}")).copying(amount.to_owned())
    };
    let mut lines = vec![stop(&first.from, &start)];
    for hop in hops {
        let line = Line::default().with(Meaning::Link, "│   ").with(Meaning::Kind, pad(&hop.protocol, protocols));
        lines.push(hop.with_costs(line, |text| text != UNKNOWN));
        lines.push(stop(&hop.to, &hop.amount));
    }
    lines
}

/// Returns notices, fees, the least amount and the chains of a route.
fn lines_below_hops(route: &Route, names: &Directory) -> Vec<Line> {
    let mut lines = Vec::new();
    for (severity, text) in notices(route) {
        let line = Line::default().with(severity.meaning(), format!("{} {text}", severity.mark()));
        lines.push(line.copying(text));
    }
    lines.extend(route.estimated_fees.iter().map(|fee| fee_line(fee, names)));
    if let Some(least) = comparison::least(route) {
        let least = names.amount(&route.dest_asset_chain_id, &route.dest_asset_denom, least);
        let line = Line::default().with(Meaning::Key, "at least ").with(Meaning::Number, least);
        lines.push(line.with(Meaning::Muted, " at 0.5 % slippage"));
    }
    let way: Vec<String> = route.chain_ids.iter().map(|chain| Names::chain(names, chain)).collect();
    lines.push(Line::default().with(Meaning::Key, "touches  ").with(Meaning::Text, clip(&way.join(", "), 300)));
    lines
}

/// Returns the changes since the previous answer in exactly one line, which may be blank, so that the lines below do
/// not move.
fn changes(route: &Route, before: Option<&Route>, names: &Directory) -> Line {
    let Some(before) = before else { return Line::default() };
    let change = |measure: RouteMeasure| {
        let (old, new) = measure.change(before, route, names)?;
        Some(format!("{measure} {old} → {new}"))
    };
    let changes: Vec<String> = RouteMeasure::iter().filter_map(change).collect();
    if changes.is_empty() {
        Line::default()
    } else {
        Line::default().with(Meaning::Key, "changed  ").with(Meaning::Warning, changes.join(" · "))
    }
}

struct HopTexts {
    protocol: String,
    chains: String,
    from: String,
    to: String,
    amount: String,
    fee: String,
    time: String,
    /// Number of the signed transaction that executes the hop, if there are several.
    tx: Option<u32>,
}

impl HopTexts {
    fn new(route: &Route, place: u32, step: &Operation, names: &Directory, most: [usize; 3]) -> Self {
        let (from, to) = (step.from_chain(), step.to_chain());
        let name = |chain| clip(&Names::chain(names, chain), most[1]);
        let chains = match (from, to) {
            (Some(from), Some(to)) if from != to => format!("{} → {}", name(from), name(to)),
            (_, Some(chain)) | (Some(chain), None) => format!("on {}", name(chain)),
            (None, None) => "chain unknown".to_owned(),
        };
        let unknown = || "chain unknown".to_owned();
        let amount = match (to, step.denom_out(), step.amount_out) {
            (Some(chain), Some(denom), Some(amount)) => names.amount(chain, denom, amount),
            (_, _, Some(amount)) => amount.display(0),
            _ => "amount unknown".to_owned(),
        };
        Self {
            protocol: clip(&HopProtocol::of_operation(step).to_string(), most[0]),
            chains,
            from: from.or(to).map_or_else(unknown, name),
            to: to.or(from).map_or_else(unknown, name),
            amount: clip(&amount, most[2]),
            fee: fee_of(route, place, names),
            time: time_of(route, step),
            tx: (route.txs_count() > 1).then_some(step.tx_index),
        }
    }

    fn line(&self, place: usize, count: usize, [protocol, chains, amount]: [usize; 3]) -> Line {
        let bracket = match (place, count) {
            (_, 1) => "─ ",
            (0, _) => "┌ ",
            _ if place + 1 == count => "└ ",
            _ => "├ ",
        };
        let line = Line::default()
            .with(Meaning::Frame, bracket)
            .with(Meaning::Kind, pad(&self.protocol, protocol))
            .with(Meaning::Text, pad(&self.chains, chains))
            .with(
                Meaning::Number,
                format!("{}{}", " ".repeat(amount.saturating_sub(self.amount.width())), self.amount),
            );
        self.with_costs(line, |_| true).copying(self.amount.clone())
    }

    /// Adds fee and time, as far as they are wanted, and the transaction.
    fn with_costs(&self, mut line: Line, is_wanted: impl Fn(&str) -> bool) -> Line {
        for (name, text) in [("  fee ", &self.fee), ("  time ", &self.time)] {
            if is_wanted(text) {
                line = line.with(Meaning::Key, name).with(Meaning::Text, text);
            }
        }
        match self.tx {
            Some(tx) => line.with(Meaning::Muted, format!("  tx {}", tx.saturating_add(1))),
            None => line,
        }
    }
}

/// Pads a text to this width, plus two columns.
fn pad(text: &str, width: usize) -> String {
    format!("{text}{}", " ".repeat(width.saturating_sub(text.width()) + 2))
}

/// Formats the fees of a hop, and their share of all fees if these can be added up.
fn fee_of(route: &Route, place: u32, names: &Directory) -> String {
    let own: Vec<&Fee> = route.estimated_fees.iter().filter(|fee| fee.operation_index == Some(place)).collect();
    if own.is_empty() {
        return UNKNOWN.to_owned();
    }
    let texts: Vec<String> = own.iter().map(|fee| fee_text(fee, names)).collect();
    let share = share(&own, &route.estimated_fees);
    match share {
        Some(share) => format!("{} ({share})", texts.join(", ")),
        None => texts.join(", "),
    }
}

/// Returns the share of some fees in all fees; `None` unless all fees are in one asset or have a US dollar value.
fn share(own: &[&Fee], all: &[Fee]) -> Option<String> {
    let asset = |fee: &Fee| fee.origin_asset.as_ref().map(|asset| (asset.chain_id.clone(), asset.denom.clone()));
    let first = all.first().and_then(asset)?;
    let is_one_asset = all.iter().all(|fee| asset(fee).as_ref() == Some(&first));
    let worth = |fee: &Fee| if is_one_asset { fee.amount } else { Amount::from_display(&fee.usd_amount, 18).ok() };
    let add = |sum: Amount, fee: &Fee| sum.checked_add(worth(fee)?);
    let part = own.iter().try_fold(Amount::ZERO, |sum, fee| add(sum, fee))?;
    percent(part, all.iter().try_fold(Amount::ZERO, add)?)
}

/// Formats a share in percent, rounded down to tenths.
fn percent(part: Amount, whole: Amount) -> Option<String> {
    let thousand = part.get().checked_mul(alloy_primitives::U256::from(1000))?;
    let tenths = thousand.checked_div(whole.get())?;
    Some(format!("{} %", decimal(&tenths.to_string(), 1)))
}

/// Formats the time of a hop and its share. The router reports only a total, which is the hop's if no other hop leaves
/// its chain.
fn time_of(route: &Route, step: &Operation) -> String {
    let far = route.operations.iter().filter(|step| !step.kind.is_local()).count();
    let is_all = route.operations.len() == 1 || (far == 1 && !step.kind.is_local());
    match route.seconds() {
        Some(seconds) if is_all => format!("{} (100 %)", span(seconds)),
        _ => UNKNOWN.to_owned(),
    }
}

fn fee_line(fee: &Fee, names: &Directory) -> Line {
    let behavior = match fee.behavior() {
        FeeBehavior::Deducted => "deducted from the amount",
        FeeBehavior::Additional => "paid on top",
        FeeBehavior::Other(_) => "deducted or on top: unknown",
    };
    let mut words = vec![behavior.to_owned()];
    words.extend(
        [&fee.fee_type, &fee.bridge_id].into_iter().filter(|word| !word.is_empty()).map(|word| word.clipped(24)),
    );
    words.extend(fee.chain_id.as_ref().map(|chain| format!("on {}", Names::chain(names, chain))));
    if !fee.usd_amount.is_empty() {
        words.push(format!("${}", clip(&fee.usd_amount, 20)));
    }
    let text = fee_text(fee, names);
    let line = Line::default().with(Meaning::Key, "fee      ").with(Meaning::Number, &text);
    line.with(Meaning::Muted, format!(" {}", words.join(" · "))).copying(text)
}
