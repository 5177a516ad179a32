use super::{AccountPage, AccountTab};
use crate::{
    app::{Context, hint::Hint, page::Page as _},
    config::Command,
    panes::{commands, tx_list},
};

/// What can be done in the tab one is in.
pub(super) fn commands(page: &AccountPage, cx: &Context) -> Vec<Hint> {
    let open = match page.tab {
        AccountTab::Txs => commands::open_row(&page.txs.list),
        AccountTab::Tokens => commands::open_token(&page.tokens),
        AccountTab::Collections => commands::open_collection(&page.collections),
        AccountTab::Balances | AccountTab::Holdings => commands::open_line(page.document()),
    };
    let is_history = page.tab == AccountTab::Txs;
    let [compare, signer, block, mark] =
        if is_history { commands::of_selected(&page.txs.list, cx) } else { commands::of_tx(false, None, cx) };
    let filter = match page.tab {
        AccountTab::Txs => Hint::of(Command::Filter),
        AccountTab::Balances | AccountTab::Holdings => commands::filter_lines(page.document()),
        AccountTab::Tokens | AccountTab::Collections => {
            Hint::of(Command::Filter).needs(false, "nothing to filter here")
        }
    };
    let signer_only = if is_history { page.txs.signer_only_hint() } else { tx_list::no_signer_only() };
    let failed_only =
        page.txs.failed_only_hint().needs(is_history, "only transactions fail: they are on the first tab");
    let mut hints = vec![
        open,
        compare,
        Hint::of(Command::NextTab),
        signer_only,
        filter,
        failed_only,
        Hint::of(Command::OwnedNfts),
        Hint::of(Command::NameAccount).called("name"),
        mark,
        signer,
        block,
        Hint::of(Command::NextPane).spare(),
        Hint::of(Command::PreviousTab).spare(),
    ];
    hints.extend(commands::folds(page.document()));
    hints
}
