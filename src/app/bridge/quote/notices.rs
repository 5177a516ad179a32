//! What a route warns of, by how much it matters, as the comparison shows it.

use strum::IntoEnumIterator as _;

use crate::{
    app::bridge::prepare::warnings::{self, warnings_of},
    config::Meaning,
    domain::text::clip,
    wire::router::Route,
};

/// Columns of a notice at the most.
const NOTICE: usize = 300;

/// How much a notice matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, strum::EnumIter)]
pub(crate) enum Severity {
    /// Value is lost, or nobody can say whether.
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
            Self::Serious => "‼",
            Self::Warning => "!",
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
    let mut all: Vec<(Severity, String)> = warnings_of(route)
        .into_iter()
        .map(|warning| {
            let severity = match warning.severity {
                warnings::Severity::Price => Severity::Serious,
                warnings::Severity::Slippage | warnings::Severity::Router => Severity::Warning,
                warnings::Severity::Note => Severity::Note,
            };
            (severity, clip(&warning.text, NOTICE))
        })
        .collect();
    if route.txs_count() > 1 {
        let count = route.txs_count();
        all.push((Severity::Note, format!("it takes {count} transactions, the next when the one before has arrived")));
    }
    if route.required_op_hook {
        all.push((Severity::Note, "it needs a hook that is signed before its messages".to_owned()));
    }
    all.sort_by_key(|(severity, _)| *severity);
    all
}

/// How many there are of each severity that occurs: `‼ 1 ! 2`.
pub(crate) fn counts(notices: &[(Severity, String)]) -> Vec<(Meaning, String)> {
    let count = |severity: Severity| notices.iter().filter(|(of, _)| *of == severity).count();
    let part = |severity: Severity| match count(severity) {
        0 => None,
        number => Some((severity.meaning(), format!(" {} {number}", severity.mark()))),
    };
    Severity::iter().filter_map(part).collect()
}
