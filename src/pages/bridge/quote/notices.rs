//! Warnings of a route by severity, for the comparison.

use crate::{
    config::Meaning,
    domain::text::clip,
    panes::route_warnings::{self, warnings_of},
    wire::router::Route,
};

/// Maximum columns of a notice.
const NOTICE: usize = 300;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum NoticeSeverity {
    /// Value is lost, or a price is unknown.
    Serious,
    /// The user should consider the notice.
    Warning,
    Note,
}

impl NoticeSeverity {
    /// Returns the sign of the severity, for terminals without colour.
    pub(crate) fn mark(self) -> &'static str {
        match self {
            Self::Serious => "‼",
            Self::Warning => "!",
            Self::Note => "i",
        }
    }

    pub(crate) fn meaning(self) -> Meaning {
        match self {
            Self::Serious => Meaning::Bad,
            Self::Warning => Meaning::Warning,
            Self::Note => Meaning::Muted,
        }
    }
}

/// Returns all warnings and notes of a route, most severe first, without control characters.
pub(crate) fn notices(route: &Route) -> Vec<(NoticeSeverity, String)> {
    let mut all: Vec<(NoticeSeverity, String)> = warnings_of(route)
        .into_iter()
        .map(|warning| {
            let severity = match warning.severity {
                route_warnings::Severity::Price => NoticeSeverity::Serious,
                route_warnings::Severity::Slippage | route_warnings::Severity::Router => NoticeSeverity::Warning,
                route_warnings::Severity::Note => NoticeSeverity::Note,
            };
            (severity, clip(&warning.text, NOTICE))
        })
        .collect();
    if route.txs_count() > 1 {
        let count = route.txs_count();
        all.push((NoticeSeverity::Note, format!("{count} transactions; each waits for the previous one")));
    }
    if route.required_op_hook {
        all.push((NoticeSeverity::Note, "signed hook required".to_owned()));
    }
    all.sort_by_key(|(severity, _)| *severity);
    all
}

/// Formats how many warnings and notes there are, after the sign of the most severe: `‼ 2 warnings, 1 note`.
pub(crate) fn counts(notices: &[(NoticeSeverity, String)]) -> Vec<(Meaning, String)> {
    let notes = notices.iter().filter(|(of, _)| *of == NoticeSeverity::Note).count();
    let words = |number: usize, what: &str| format!("{number} {what}{}", if number == 1 { "" } else { "s" });
    let worst = notices.iter().map(|(severity, _)| *severity).min().filter(|worst| *worst < NoticeSeverity::Note);
    let mut parts = Vec::new();
    if let Some(worst) = worst {
        let warnings = words(notices.len() - notes, "warning");
        parts.push((worst.meaning(), format!("{} {warnings}", worst.mark())));
    }
    match (notes, parts.is_empty()) {
        (0, true) => parts.push((Meaning::Text, "none".to_owned())),
        (0, false) => {}
        (notes, true) => parts.push((Meaning::Muted, words(notes, "note"))),
        (notes, false) => parts.push((Meaning::Muted, format!(", {}", words(notes, "note")))),
    }
    parts
}
