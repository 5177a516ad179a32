//! Lines for an account's positions in rich lists.

use super::{
    balances::{AMOUNT, PLACES},
    holdings::{HolderRank, Holding, LOOKED_THROUGH},
};
use crate::{
    config::Meaning,
    domain::{
        Target,
        text::{clip, count, group},
    },
    story::Glossary,
    widgets::document::Line,
};

/// Returns a heading that states the search, and a line per rich list. `left_out` counts the known denoms that are not
/// searched.
pub(super) fn lines(holdings: &[Holding], left_out: usize, glossary: &Glossary) -> Vec<Line> {
    let depth = group(u64::from(LOOKED_THROUGH));
    let which = match left_out {
        0 => "each known denom".to_owned(),
        more => format!("{} known denoms; {} not searched", holdings.len(), count(more, "other")),
    };
    let note = format!("Ranks among the {depth} largest holders of {which}. Enter opens the list.");
    let note = Line::at(0).with(Meaning::Muted, note);
    // Tokens without a list come last.
    let is_unlisted = |holding: &&Holding| matches!(&holding.place, HolderRank::Failed(error) if error.is_not_found());
    let (unlisted, listed): (Vec<_>, Vec<_>) = holdings.iter().partition(is_unlisted);
    [note].into_iter().chain(listed.into_iter().chain(unlisted).map(|holding| line(holding, glossary))).collect()
}

/// Returns symbol, rank and amount, or why they are missing.
fn line(holding: &Holding, glossary: &Glossary) -> Line {
    let token = glossary.token(&holding.denom);
    let symbol = token.map_or_else(String::new, |token| clip(&token.symbol, 10));
    let denom = if token.is_some() { holding.denom.short_beside_name() } else { holding.denom.short() };
    let line = Line::at(0)
        .with(Meaning::Kind, format!("{symbol:<11}"))
        .with(Meaning::Muted, format!("{denom:<24} "))
        .leading_to(Some(Target::Denom(holding.denom.clone())));
    match &holding.place {
        HolderRank::Waiting => line.with(Meaning::Muted, "…"),
        HolderRank::Looking => line.with(Meaning::Muted, "looking…"),
        HolderRank::Found { rank, amount } => {
            let shown = token.map_or_else(|| amount.display(0), |token| amount.fixed(token.decimals, PLACES));
            line.with(Meaning::Key, format!("{:>8}  ", format!("#{}", group(rank.get()))))
                .with(Meaning::Number, format!("{shown:>AMOUNT$}"))
                .with(Meaning::Muted, if token.is_none() { "  smallest unit" } else { "" })
                .copying(amount.to_string())
        }
        HolderRank::Absent(0, _) => line.with(Meaning::Muted, "no holders: the server has no list of this denom"),
        HolderRank::Absent(_, true) => line.with(Meaning::Muted, "not a holder"),
        HolderRank::Absent(count, false) => {
            line.with(Meaning::Muted, format!("not among the {} largest", group(*count as u64)))
        }
        HolderRank::Failed(error) if error.is_not_found() => {
            line.with(Meaning::Muted, "the server has no rich list of this token")
        }
        HolderRank::Failed(error) => line.with(Meaning::Bad, format!("✗ {}", error.brief())),
    }
}
