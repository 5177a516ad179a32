//! What a route costs in all: the rate between what goes in and what comes out, and the share that is lost.

use alloy_primitives::U256;

use crate::{
    app::directory::Directory,
    domain::{Amount, text::decimal},
    wire::router::{FeeBehavior, Route},
};

/// Places after the point that rates and dollars are computed with.
const PLACES: u8 = 18;

/// `1 : 0.9969… · 0.3 %`: what one unit becomes, and the share of the value that does not arrive; what is not known is
/// left out.
pub(super) fn rate_and_cost(route: &Route, names: &Directory) -> String {
    let rate = rate(route, names).map(|rate| format!("1 : {}", rate.shown(PLACES)));
    let cost = cost(route, names);
    let known: Vec<String> = rate.into_iter().chain(cost).collect();
    if known.is_empty() { "not known".to_owned() } else { known.join(" · ") }
}

/// The amounts of both ends in one and the same unit, where both decimals are known.
fn ends(route: &Route, names: &Directory) -> Option<(U256, U256)> {
    let before = names.decimals(&route.source_asset_chain_id, &route.source_asset_denom)?;
    let after = names.decimals(&route.dest_asset_chain_id, &route.dest_asset_denom)?;
    let scaled = |amount: Amount, places: u8| {
        let factor = U256::from(10).checked_pow(U256::from(places))?;
        amount.get().checked_mul(factor)
    };
    Some((scaled(route.amount_in, after)?, scaled(route.amount_out, before)?))
}

/// What one display unit becomes, with [`PLACES`].
fn rate(route: &Route, names: &Directory) -> Option<Amount> {
    let (before, after) = ends(route, names)?;
    let one = U256::from(10).pow(U256::from(PLACES));
    // Amounts are cut where they are too long to be multiplied: nobody reads so many digits.
    let spare = after.leading_zeros().saturating_sub(1);
    let (before, after) = if spare < 60 { (before >> 60, after >> 60) } else { (before, after) };
    after.checked_mul(one)?.checked_div(before).map(Amount::new)
}

/// The share that does not arrive: exact where both ends are one asset, else by what both are worth.
fn cost(route: &Route, names: &Directory) -> Option<String> {
    let is_on_top = route.estimated_fees.iter().any(|fee| fee.behavior() == FeeBehavior::Additional);
    let on_top = if is_on_top { " + on top" } else { "" };
    if is_one_asset(route, names)
        && let Some((before, after)) = ends(route, names)
    {
        return Some(format!("{}{on_top}", percent(before, after)?));
    }
    let dollars = |text: &str| Some(Amount::from_display(text, PLACES).ok()?.get());
    let (before, after) = (dollars(&route.usd_amount_in)?, dollars(&route.usd_amount_out)?);
    Some(format!("≈ {}{on_top}", percent(before, after)?))
}

/// Whether what comes out is the very asset that goes in, by where both come from.
fn is_one_asset(route: &Route, names: &Directory) -> bool {
    let origin = |chain, denom| {
        let asset = names.asset(chain, denom)?;
        Some((asset.origin_chain_id.clone()?, asset.origin_denom.clone()?))
    };
    let before = origin(&route.source_asset_chain_id, &route.source_asset_denom);
    before.is_some() && before == origin(&route.dest_asset_chain_id, &route.dest_asset_denom)
}

/// The difference in percent of what was before, to a hundredth: `0.3 %`, and `−0.1 %` for a gain.
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
