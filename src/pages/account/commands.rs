use super::{AccountPage, AccountTab, balance_history::NO_DENOM};
use crate::{
    app::{Context, hint::Hint},
    config::Command,
    panes::{
        commands::{self, FOLDS},
        tx_list::NOT_OF_ACCOUNT,
    },
};

pub(super) const COMMANDS: &[&[Command]] = &[
    &[Command::Open, Command::Compare, Command::NextTab, Command::SignerOnly],
    &[Command::Filter, Command::FailedOnly, Command::OwnedNfts],
    &[Command::NameAccount, Command::Mark, Command::OpenSigner],
    &[Command::OpenBlock, Command::NextSibling, Command::PreviousSibling],
    &[Command::NextPane, Command::PreviousTab],
    FOLDS,
];

/// Adapts a command's hint to the current tab.
pub(super) fn hint(page: &AccountPage, hint: Hint, cx: &Context) -> Hint {
    let is_history = page.tab == AccountTab::Txs;
    match hint.command {
        Command::Open if page.tab == AccountTab::Tokens => commands::open_token(hint, &page.tokens),
        Command::Open if page.tab == AccountTab::Collections => commands::open_collection(hint, &page.collections),
        Command::Filter if is_history => Hint::new(Command::Filter),
        Command::SignerOnly if !is_history => hint.enabled_if(false, NOT_OF_ACCOUNT),
        Command::FailedOnly => page.txs.hint(hint).enabled_if(is_history, "this filter needs the transactions tab"),
        Command::NameAccount => Hint::new(Command::NameAccount).label("name"),
        Command::NextPane => hint.hidden_in_footer(),
        Command::NextSibling if is_history => {
            Hint::new(hint.command).label("next denom").enabled_if(page.denom_beside(1, cx).is_some(), NO_DENOM)
        }
        Command::PreviousSibling if is_history => Hint::new(hint.command)
            .label("previous denom")
            .enabled_if(page.denom_beside(-1, cx).is_some(), NO_DENOM)
            .hidden_in_footer(),
        _ => page.txs.hint(hint),
    }
}
