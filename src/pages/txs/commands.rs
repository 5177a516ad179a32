use super::TxsPage;
use crate::{
    app::{Context, hint::Hint},
    config::Command,
    panes::{
        commands::{FOLDS, OF_TX},
        tx_detail,
    },
    widgets::layout::{Pane, Regions},
};

const IN_LIST: &[&[Command]] = &[
    &[Command::Open, Command::Compare, Command::Filter, Command::NextPane],
    &[Command::FailedOnly, Command::SignerOnly, Command::OpenSigner],
    &[Command::OpenBlock, Command::Mark, Command::NextWord],
    &[Command::PreviousWord, Command::NextTab, Command::PreviousTab],
    &[Command::RawJson],
    FOLDS,
];
const IN_PREVIEW: &[&[Command]] = &[
    &[Command::Open, Command::NextTab, Command::NextPane, Command::NextWord],
    &[Command::Filter, Command::ToggleFold, Command::RawJson],
    &[Command::PreviousTab, Command::PreviousWord, Command::FoldAll],
    &[Command::UnfoldAll],
    OF_TX,
    &[Command::FailedOnly, Command::SignerOnly],
];

/// Returns the commands of the list or of its preview, most useful first.
pub(super) fn commands(page: &TxsPage, cx: &Context) -> Vec<Command> {
    if page.focus == Pane::Second && has_preview(page, cx) { IN_PREVIEW.concat() } else { IN_LIST.concat() }
}

pub(super) fn hint(page: &TxsPage, hint: Hint, cx: &Context) -> Hint {
    let has_preview = has_preview(page, cx);
    let is_in_list = page.focus == Pane::First || !has_preview;
    let detail = page.preview.as_ref().filter(|_| has_preview).map(|(_, detail)| detail);
    match hint.command {
        Command::Open if is_in_list => hint,
        Command::Filter if is_in_list => Hint::new(Command::Filter),
        Command::NextTab | Command::PreviousTab | Command::RawJson => {
            hint.enabled_if(has_preview, "this page has no tabs")
        }
        Command::NextPane => hint.enabled_if(has_preview, "this page has one pane"),
        Command::FailedOnly | Command::SignerOnly => page.txs.hint(hint),
        _ => tx_detail::hint(hint, detail),
    }
}

/// Whether the selected transaction has a preview that fits beside the list.
fn has_preview(page: &TxsPage, cx: &Context) -> bool {
    page.preview.is_some() && Regions::new(cx.size).split().1.is_some()
}
