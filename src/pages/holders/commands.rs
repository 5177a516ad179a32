//! Commands of the rich list.

use super::{HoldersPage, NO_ADDRESS};
use crate::{
    app::{Context, hint::Hint},
    config::Command,
    widgets::layout::{Pane, Tier},
};

/// Returns the commands while this pane is shown, in the footer's order.
pub(super) fn of(focus: Pane) -> Vec<Command> {
    let ends = [Command::Open, Command::NextPane];
    let [first, last] = if focus == Pane::Second { [ends[1], ends[0]] } else { ends };
    let more = [Command::NextSibling, Command::PreviousSibling, Command::Mark, Command::NameAccount];
    [&[first, Command::Filter, last][..], &more].concat()
}

/// Adapts the hint of a command to the list.
pub(super) fn hint(page: &HoldersPage, hint: Hint, cx: &Context) -> Hint {
    let fresh = Hint::new(hint.command);
    let no_denom = "no further known denom";
    match hint.command {
        Command::Open => {
            let has_address = page.list.selected().is_none_or(|row| row.holder.address().is_some());
            hint.enabled_if(has_address, NO_ADDRESS)
        }
        Command::NextPane => hint
            .label(if page.focus == Pane::First { "figures" } else { "holders" })
            .enabled_if(Tier::for_size(cx.size) != Tier::Wide, "this page has one pane"),
        Command::Filter => fresh.label("denom"),
        Command::Mark => {
            let label = if page.mark().is_some() { "unmark" } else { "mark" };
            fresh.label(label).enabled_if(!page.list.rows().is_empty(), "no holders to mark")
        }
        Command::PreviousSibling => fresh.enabled_if(page.has_denoms_beside()[0], no_denom),
        Command::NextSibling => fresh.enabled_if(page.has_denoms_beside()[1], no_denom),
        Command::NameAccount => fresh.enabled_if(page.selected_account().is_some(), NO_ADDRESS).hidden_in_footer(),
        _ => hint,
    }
}
