//! Comparison of routes: one text per row and route, in a fixed layout.

mod cost;

use strum::IntoEnumIterator as _;

use crate::{
    app::directory::Directory,
    domain::{
        Amount, LocalZone, Slippage, Timestamp,
        text::{clip, span},
    },
    story::Names,
    transfers::is_withdrawal,
    wire::router::{Fee, FeeBehavior, Operation, Route},
};

/// Text for routes without listed fees.
const NONE_LISTED: &str = "none listed";

#[derive(Clone, Copy, Debug, PartialEq, Eq, strum::EnumIter, strum::Display)]
pub(crate) enum RouteMeasure {
    #[strum(serialize = "receive")]
    Receive,
    /// Difference from the first route, in amount and time.
    #[strum(serialize = "difference")]
    Difference,
    /// Share of the value that is lost on the way, and output per unit of input.
    #[strum(serialize = "cost · rate")]
    Rate,
    /// Duration and arrival time.
    #[strum(serialize = "takes")]
    Takes,
    #[strum(serialize = "warnings")]
    Warnings,
    /// Row that says that no route lists a fee.
    #[strum(serialize = "fees")]
    Fees,
    /// Fees that the amount already excludes.
    #[strum(serialize = "fees deducted")]
    Deducted,
    /// Fees that the user pays on top.
    #[strum(serialize = "fees on top")]
    Additional,
    /// Fees that the router marks neither as deducted nor as additional.
    #[strum(serialize = "fees unclear")]
    Unclear,
    /// Price impact and minimum output.
    #[strum(serialize = "swap")]
    Swap,
    /// US dollar value of input and output.
    #[strum(serialize = "in dollars")]
    Dollars,
    #[strum(serialize = "to sign")]
    Signatures,
}

impl RouteMeasure {
    /// Returns the old and the new text, if the value changed enough to mark it.
    pub(crate) fn change(self, before: &Route, route: &Route, names: &Directory) -> Option<(String, String)> {
        let text = |route: &Route| match self {
            Self::Receive | Self::Takes | Self::Deducted | Self::Additional => Some(self.of(route, names)),
            // The minimum output follows from the amount, which has a mark of its own.
            Self::Swap => Some(impact(route)),
            // The rate follows from the amounts, which have marks of their own.
            Self::Difference
            | Self::Rate
            | Self::Warnings
            | Self::Fees
            | Self::Unclear
            | Self::Dollars
            | Self::Signatures => None,
        };
        text(before).zip(text(route)).filter(|(before, now)| before != now)
    }

    /// Returns the text for a route, independent of when it was quoted; empty for differences and warnings.
    pub(crate) fn of(self, route: &Route, names: &Directory) -> String {
        match self {
            Self::Receive => names.amount(&route.dest_asset_chain_id, &route.dest_asset_denom, route.amount_out),
            Self::Difference | Self::Warnings => String::new(),
            Self::Rate => cost::cost_and_rate(route, names),
            Self::Fees => NONE_LISTED.to_owned(),
            Self::Takes => route.seconds().map_or_else(|| "unknown".to_owned(), span),
            Self::Deducted => fees(route, names, |behavior| *behavior == FeeBehavior::Deducted),
            Self::Additional => fees(route, names, |behavior| *behavior == FeeBehavior::Additional),
            Self::Unclear => fees(route, names, |behavior| matches!(behavior, FeeBehavior::Other(_))),
            Self::Swap => swap(route, names),
            Self::Dollars => dollars(route),
            Self::Signatures => {
                let withdraws = route.operations.iter().any(|step| is_withdrawal(step, Some(route), names));
                let claim = if withdraws { " + claim" } else { "" };
                match route.txs_count() {
                    1 => format!("1 tx{claim}"),
                    count => format!("{count} txs{claim}"),
                }
            }
        }
    }
}

/// Returns the rows to show: one per kind of fee that some route has, or one row if no route lists a fee.
pub(crate) fn measures<'a>(routes: impl Iterator<Item = &'a Route>) -> Vec<RouteMeasure> {
    let fees: Vec<FeeBehavior> = routes.flat_map(|route| route.estimated_fees.iter().map(Fee::behavior)).collect();
    let has_row = |measure: &RouteMeasure| match measure {
        RouteMeasure::Fees => fees.is_empty(),
        RouteMeasure::Deducted => fees.contains(&FeeBehavior::Deducted),
        RouteMeasure::Additional => fees.contains(&FeeBehavior::Additional),
        RouteMeasure::Unclear => fees.iter().any(|behavior| matches!(behavior, FeeBehavior::Other(_))),
        _ => true,
    };
    RouteMeasure::iter().filter(has_row).collect()
}

/// Formats when a route quoted at `at` would arrive, in this zone: the time of day for today, otherwise with the date.
/// Routes under a minute include seconds.
pub(crate) fn arrival(route: &Route, at: Timestamp, zone: &LocalZone) -> Option<String> {
    let seconds = route.seconds()?;
    let arrival = at.after(std::time::Duration::from_secs(seconds));
    let (now, then) = (zone.day_and_clock(at), zone.day_and_clock(arrival));
    let is_today = now.get(..10) == then.get(..10);
    let (start, end) = match (is_today, seconds) {
        (true, 0..60) => (11, 19),
        (true, _) => (11, 16),
        (false, _) => (5, 16),
    };
    then.get(start..end).map(ToOwned::to_owned)
}

/// Formats the difference from another route between the same assets, as in `−0.137896, +7 d`.
pub(crate) fn difference(route: &Route, other: &Route, names: &Directory) -> String {
    let decimals = names.decimals(&route.dest_asset_chain_id, &route.dest_asset_denom).unwrap_or(0);
    let amount = match (route.amount_out.checked_sub(other.amount_out), other.amount_out.checked_sub(route.amount_out))
    {
        (Some(more), _) if !more.is_zero() => format!("+{}", more.display(decimals)),
        (_, Some(less)) if !less.is_zero() => format!("−{}", less.display(decimals)),
        _ => "same amount".to_owned(),
    };
    let time = match (route.seconds(), other.seconds()) {
        (Some(own), Some(others)) if own > others => format!("+{}", span(own - others)),
        (Some(own), Some(others)) if own < others => format!("−{}", span(others - own)),
        (Some(_), Some(_)) => "same time".to_owned(),
        _ => "time unknown".to_owned(),
    };
    format!("{amount}, {time}")
}

/// Whether two answers describe one route, whatever the expiry of its relayer quotes.
pub(crate) fn is_twin(one: &Route, other: &Route) -> bool {
    let step = |operation: &Operation| {
        let ends = (operation.from_chain().cloned(), operation.to_chain().cloned());
        let denoms = (operation.denom_in().cloned(), operation.denom_out().cloned());
        (operation.kind.clone(), ends, denoms, operation.amount_in, operation.amount_out, operation.tx_index)
    };
    let fee = |fee: &Fee| (fee.amount, fee.origin_asset.clone(), fee.fee_behavior.clone(), fee.fee_type.clone());
    let words = |route: &Route| (route.warning.clone(), route.extra_warnings.clone(), route.extra_infos.clone());
    (one.amount_out, one.seconds(), one.txs_count()) == (other.amount_out, other.seconds(), other.txs_count())
        && one.operations.iter().map(step).eq(other.operations.iter().map(step))
        && one.estimated_fees.iter().map(fee).eq(other.estimated_fees.iter().map(fee))
        && words(one) == words(other)
}

/// Formats a fee in its own asset.
pub(crate) fn fee_text(fee: &Fee, names: &Directory) -> String {
    let Some(amount) = fee.amount else { return "amount unknown".to_owned() };
    match &fee.origin_asset {
        Some(asset) => match (names.decimals(&asset.chain_id, &asset.denom), asset.decimals) {
            (None, Some(decimals)) => {
                let symbol = if asset.symbol.is_empty() { asset.denom.short() } else { asset.symbol.clipped(24) };
                format!("{} {symbol}", amount.display(decimals))
            }
            _ => names.amount(&asset.chain_id, &asset.denom, amount),
        },
        None => format!("{} of an unnamed asset", amount.display(0)),
    }
}

fn fees(route: &Route, names: &Directory, is_one: impl Fn(&FeeBehavior) -> bool) -> String {
    let fees: Vec<String> =
        route.estimated_fees.iter().filter(|fee| is_one(&fee.behavior())).map(|fee| fee_text(fee, names)).collect();
    if fees.is_empty() { NONE_LISTED.to_owned() } else { fees.join(", ") }
}

/// Returns the minimum output of a swap, at the default slippage of real clients.
pub(crate) fn least(route: &Route) -> Option<Amount> {
    route.does_swap.then(|| Slippage::DEFAULT.least_of(route.amount_out))
}

fn swap(route: &Route, names: &Directory) -> String {
    let Some(least) = least(route) else { return "none".to_owned() };
    let least = names.amount(&route.dest_asset_chain_id, &route.dest_asset_denom, least);
    format!("{}, min {least}", impact(route))
}

/// Formats the price impact of the swap.
fn impact(route: &Route) -> String {
    match route.swap_price_impact_percent.as_str() {
        "" => "impact ?".to_owned(),
        percent => format!("{} %", clip(percent, 10)),
    }
}

fn dollars(route: &Route) -> String {
    let side = |text: &str| if text.is_empty() { "?".to_owned() } else { format!("${}", clip(text, 20)) };
    match (route.usd_amount_in.as_str(), route.usd_amount_out.as_str()) {
        ("", "") => "unknown".to_owned(),
        (before, after) => format!("{} → {}", side(before), side(after)),
    }
}
