//! Warnings about a route, the most severe first.

use alloy_primitives::U256;

use crate::{
    domain::{
        Amount, Slippage,
        text::{self, Foreign},
    },
    wire::router::{Route, Warning},
};

/// Maximum characters of a warning from a server.
const LONGEST: usize = 1000;
/// Maximum warnings, and maximum notes, from a server.
const MOST: usize = 20;
/// Decimals for parsing prices.
const PLACES: u8 = 18;

/// Severity of a warning, in descending order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Severity {
    /// Loss of value, or an unknown price.
    Price,
    /// Slippage tolerance that the sender set too high or too low.
    Slippage,
    Router,
    Note,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct RouteWarning {
    pub(crate) severity: Severity,
    /// Text without control characters.
    pub(crate) text: String,
    /// Identity for acknowledgement. It rounds figures to whole percents, since they change with every quote.
    pub(crate) key: String,
    /// Whether the warning is known before the router sends the messages.
    pub(crate) is_before_messages: bool,
}

/// Returns a route's warnings, the most severe first, then its notes.
pub(crate) fn warnings_of(route: &Route) -> Vec<RouteWarning> {
    let mut warnings = Vec::new();
    warnings.extend(route.warning.as_ref().map(|warning| titled(Severity::Price, warning)));
    warnings.extend(impact_warning(&route.swap_price_impact_percent));
    warnings.extend(loss_warning(&route.usd_amount_in, &route.usd_amount_out));
    warnings.extend(route.extra_warnings.iter().take(MOST).map(|text| plain(Severity::Router, &text.clipped(LONGEST))));
    warnings.extend(route.extra_infos.iter().take(MOST).map(|text| plain(Severity::Note, &text.clipped(LONGEST))));
    warnings
}

fn plain(severity: Severity, text: &str) -> RouteWarning {
    let text = text::clip(text.trim(), LONGEST);
    RouteWarning { severity, key: text.clone(), text, is_before_messages: true }
}

fn titled(severity: Severity, warning: &Warning) -> RouteWarning {
    plain(severity, &format!("{}: {}", title_of(&warning.kind), warning.message.clipped(LONGEST)))
}

pub(crate) fn warning_of_messages(warning: &Warning) -> RouteWarning {
    RouteWarning { is_before_messages: false, ..titled(Severity::Router, warning) }
}

/// Warns that rollscope does not know what the messages do.
pub(crate) fn warning_of_unverified(why: &str) -> RouteWarning {
    let text = format!("Messages not verified: {why}. Only the router tells what they do.");
    RouteWarning { is_before_messages: false, ..plain(Severity::Router, &text) }
}

/// Formats `BAD_PRICE_WARNING` as `Bad price`.
fn title_of(kind: &Foreign) -> String {
    let words = kind.clipped(60);
    let words = words.strip_suffix("_WARNING").unwrap_or(&words).replace('_', " ").to_lowercase();
    let mut letters = words.chars();
    match letters.next() {
        Some(first) => first.to_uppercase().chain(letters).collect(),
        None => "Warning".to_owned(),
    }
}

/// Warns if the price impact exceeds 5 %, whatever the router says (`docs/apis/router.md` §1.2).
fn impact_warning(percent: &str) -> Option<RouteWarning> {
    let impact = Amount::from_display(percent, PLACES).ok()?;
    let five = Amount::from_display("5", PLACES).ok()?;
    let whole = percent.split('.').next().unwrap_or_default();
    (impact > five).then(|| RouteWarning {
        key: format!("impact {whole}"),
        ..plain(
            Severity::Price,
            &format!("Price impact: the swap moves the price {} % against you.", text::clip(percent, 12)),
        )
    })
}

/// Warns if more than 5 % of the US dollar value is lost, beyond what rounding to cents explains.
fn loss_warning(amount_in: &str, amount_out: &str) -> Option<RouteWarning> {
    let before = Amount::from_display(amount_in, PLACES).ok()?;
    let after = Amount::from_display(amount_out, PLACES).ok()?;
    let lost = before.checked_sub(after)?.get();
    // In hundredths of a percent.
    let share_of = |part: U256| part.checked_mul(U256::from(10_000))?.checked_div(before.get());
    let share = share_of(lost)?;
    // Rounding to cents shifts each value by up to half a cent.
    let certain = lost.saturating_sub(Amount::from_display("0.01", PLACES).ok()?.get());
    (share_of(certain)? > U256::from(500)).then(|| {
        let percent = text::decimal(&share.to_string(), 2);
        let whole = percent.split('.').next().unwrap_or_default().to_owned();
        let (before, after) = (text::clip(amount_in, 24), text::clip(amount_out, 24));
        let sentence = format!("You lose {percent} % of the value: ${before} in, ${after} out.");
        RouteWarning { key: format!("loss {whole}"), ..plain(Severity::Price, &sentence) }
    })
}

/// Returns the warning that the funds of a withdrawal wait for a claim.
pub(crate) fn warning_of_claim(text: &str) -> RouteWarning {
    RouteWarning { key: "claim".to_owned(), ..plain(Severity::Router, text) }
}

pub(crate) fn warning_of_slippage(slippage: Slippage) -> Option<RouteWarning> {
    let sentence = slippage.warning()?;
    Some(plain(Severity::Slippage, &format!("{slippage} % slippage is {sentence}.")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn our_own_check_warns_over_five_percent_and_reads_odd_numbers_as_nothing() {
        assert!(impact_warning("5.01").is_some() && impact_warning("5").is_none() && impact_warning("-9").is_none());
        assert!(impact_warning("").is_none() && impact_warning("much").is_none());
        let loss = loss_warning("100.00", "93.336").unwrap();
        assert!(loss.text.contains("6.66 %"), "{}", loss.text);
        assert_eq!(loss.key, loss_warning("100.00", "93.40").unwrap().key, "the same whole percent is not news");
        assert!(
            loss_warning("100", "95").is_none() && loss_warning("1", "2").is_none() && loss_warning("", "1").is_none()
        );
        assert!(loss_warning("0", "0").is_none());
        assert!(loss_warning("0.11", "0.10").is_none(), "a cent is rounding");
        assert!(loss_warning("0.11", "0.05").is_some());
    }

    #[test]
    fn titles_are_words() {
        assert_eq!(title_of(&Foreign::new("BAD_PRICE_WARNING")), "Bad price");
        assert_eq!(title_of(&Foreign::new("INSUFFICIENT_GAS_AT_DEST_EOA")), "Insufficient gas at dest eoa");
        assert_eq!(title_of(&Foreign::new("")), "Warning");
    }
}
