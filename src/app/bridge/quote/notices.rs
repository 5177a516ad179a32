//! What a route warns of, by how much it matters.

use strum::IntoEnumIterator as _;

use crate::{
    config::Meaning,
    domain::{Amount, text::clip},
    wire::router::Route,
};

/// Columns of a notice at the most.
const NOTICE: usize = 300;
/// Percent of price impact from which one is warned whatever the router says.
const IMPACT: &str = "5";

/// How much a notice matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, strum::EnumIter)]
pub(crate) enum Severity {
    /// The price is bad.
    Serious,
    /// Something to think about.
    Warning,
    /// Good to know.
    Note,
}

impl Severity {
    /// Its mark: meaning is never in colour alone.
    pub(crate) fn mark(self) -> &'static str {
        match self {
            Self::Serious => "✗",
            Self::Warning => "▲",
            Self::Note => "i",
        }
    }

    /// Its look.
    pub(crate) fn meaning(self) -> Meaning {
        match self {
            Self::Serious => Meaning::Bad,
            Self::Warning => Meaning::Warning,
            Self::Note => Meaning::Muted,
        }
    }
}

/// All that a route warns of or tells, what matters most first; cleaned.
pub(crate) fn notices(route: &Route) -> Vec<(Severity, String)> {
    let mut all = Vec::new();
    let is_bad = route.warning.as_ref().is_some_and(|warning| warning.kind == "BAD_PRICE_WARNING");
    if let Some(warning) = &route.warning {
        let severity = if is_bad { Severity::Serious } else { Severity::Warning };
        let text = if warning.message.is_empty() { &warning.kind } else { &warning.message };
        all.push((severity, clip(text, NOTICE)));
    }
    if !is_bad && is_over(&route.swap_price_impact_percent, IMPACT) {
        let percent = clip(&route.swap_price_impact_percent, 10);
        all.push((Severity::Warning, format!("the swap moves the price by {percent} %")));
    }
    all.extend(route.extra_warnings.iter().map(|text| (Severity::Warning, clip(text, NOTICE))));
    if route.txs_count() > 1 {
        let count = route.txs_count();
        all.push((Severity::Note, format!("it takes {count} transactions, the next when the one before has arrived")));
    }
    if route.required_op_hook {
        all.push((Severity::Note, "it needs a hook that the recipient signs".to_owned()));
    }
    all.extend(route.extra_infos.iter().map(|text| (Severity::Note, clip(text, NOTICE))));
    all.sort_by_key(|(severity, _)| *severity);
    all
}

/// How many there are of each severity that occurs: `✗ 1 ▲ 2`.
pub(crate) fn counts(notices: &[(Severity, String)]) -> Vec<(Meaning, String)> {
    let count = |severity: Severity| notices.iter().filter(|(of, _)| *of == severity).count();
    let part = |severity: Severity| match count(severity) {
        0 => None,
        number => Some((severity.meaning(), format!(" {} {number}", severity.mark()))),
    };
    Severity::iter().filter_map(part).collect()
}

/// Whether a decimal text is over another; a negative one is not.
fn is_over(text: &str, limit: &str) -> bool {
    let exact = |text: &str| Amount::from_display(text, 18).ok();
    matches!((exact(text), exact(limit)), (Some(value), Some(limit)) if value > limit)
}
