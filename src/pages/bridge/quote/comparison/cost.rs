//! Total cost of a route: the exchange rate, and the share of the value that is lost.

use alloy_primitives::U256;

use crate::{
    app::directory::Directory,
    domain::{Amount, text::decimal},
    wire::router::{Asset, FeeBehavior, Route},
};

/// Decimals for computing rates and US dollars.
const PLACES: u8 = 18;

/// Minimum value in US dollars for a cost computed from prices.
const LEAST_DOLLARS: &str = "20";

/// Formats the lost share of the value, and the output per unit, as far as known: `0.3 % · 1 : 0.9969…`. With
/// additional fees the share is a minimum: `> 0.3 %`.
pub(super) fn cost_and_rate(route: &Route, names: &Directory) -> String {
    let rate = rate(route, names).map(|rate| format!("1 : {}", rate.shown(PLACES)));
    let cost = cost(route, names);
    let known: Vec<String> = cost.into_iter().chain(rate).collect();
    if known.is_empty() { "unknown".to_owned() } else { known.join(" · ") }
}

/// Returns input and output in one unit; `None` if decimals are unknown.
fn ends(route: &Route, names: &Directory) -> Option<(U256, U256)> {
    let before = names.decimals(&route.source_asset_chain_id, &route.source_asset_denom)?;
    let after = names.decimals(&route.dest_asset_chain_id, &route.dest_asset_denom)?;
    let scaled = |amount: Amount, places: u8| {
        let factor = U256::from(10).checked_pow(U256::from(places))?;
        amount.get().checked_mul(factor)
    };
    Some((scaled(route.amount_in, after)?, scaled(route.amount_out, before)?))
}

/// Returns the output per display unit of input, with [`PLACES`] decimals.
fn rate(route: &Route, names: &Directory) -> Option<Amount> {
    let (before, after) = ends(route, names)?;
    let one = U256::from(10).pow(U256::from(PLACES));
    // Drops digits that would overflow the multiplication; the text shows fewer anyway.
    let spare = after.leading_zeros().saturating_sub(1);
    let (before, after) = if spare < 60 { (before >> 60, after >> 60) } else { (before, after) };
    after.checked_mul(one)?.checked_div(before).map(Amount::new)
}

/// Returns the lost share: exact if both ends are one asset, else from their value in US dollars.
fn cost(route: &Route, names: &Directory) -> Option<String> {
    let is_on_top = route.estimated_fees.iter().any(|fee| fee.behavior() == FeeBehavior::Additional);
    let more = if is_on_top { "> " } else { "" };
    if is_one_asset(route, names)
        && let Some((before, after)) = ends(route, names)
    {
        return Some(format!("{more}{}", percent(before, after)?));
    }
    let dollars = |text: &str| Some(Amount::from_display(text, PLACES).ok()?.get());
    let (before, after) = (dollars(&route.usd_amount_in)?, dollars(&route.usd_amount_out)?);
    // Prices are rounded to cents, which would dominate a smaller value.
    if before < Amount::from_display(LEAST_DOLLARS, PLACES).ok()?.get() {
        return None;
    }
    Some(format!("≈ {more}{}", percent(before, after)?))
}

/// Whether output and input are one asset, by their origins or, if unknown, their tickers.
fn is_one_asset(route: &Route, names: &Directory) -> bool {
    let before = names.asset(&route.source_asset_chain_id, &route.source_asset_denom);
    let after = names.asset(&route.dest_asset_chain_id, &route.dest_asset_denom);
    let Some((before, after)) = before.zip(after) else { return false };
    let origin = |asset: &Asset| asset.origin_chain_id.clone().zip(asset.origin_denom.clone());
    match (origin(before), origin(after)) {
        (Some(before), Some(after)) => before == after,
        _ => !before.symbol.is_empty() && before.symbol == after.symbol,
    }
}

/// Formats the difference in percent, to hundredths: `0.3 %`, or `−0.1 %` for a gain.
fn percent(before: U256, after: U256) -> Option<String> {
    let (sign, difference) =
        if after > before { ("−", after.checked_sub(before)?) } else { ("", before.checked_sub(after)?) };
    let hundredths = difference.checked_mul(U256::from(10_000))?.checked_div(before)?;
    Some(format!("{sign}{} %", decimal(&hundredths.to_string(), 2)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_exact_to_a_hundredth_and_a_gain_has_its_sign() {
        let share = |before: u64, after: u64| percent(U256::from(before), U256::from(after));
        assert_eq!(share(10_000, 9_970).as_deref(), Some("0.3 %"));
        assert_eq!(share(10_000, 10_000).as_deref(), Some("0 %"));
        assert_eq!(share(10_000, 10_010).as_deref(), Some("−0.1 %"));
        assert_eq!(share(3, 2).as_deref(), Some("33.33 %"));
        assert_eq!(share(0, 5), None, "nothing has no share");
    }
}
