use super::TxsPage;
use crate::widgets::document::Document;
use crate::{
    app::{Context, hint::Hint},
    config::Command,
    panes::{
        commands::{folds, of_selected, open_row},
        tx_detail,
    },
    widgets::layout::{Pane, Regions},
};

/// What can be done in the list and in its preview, most useful first.
pub(super) fn commands(page: &TxsPage, cx: &Context) -> Vec<Hint> {
    let has_room = Regions::of(cx.size).split().1.is_some();
    let detail = page.preview.as_ref().filter(|_| has_room).map(|(_, detail)| detail);
    let tabs = |command| Hint::of(command).needs(detail.is_some(), "nothing is open that has tabs");
    let next_pane = Hint::of(Command::NextPane).needs(detail.is_some(), "there is no other pane here");
    let of_list = [page.txs.failed_only_hint(), page.txs.signer_only_hint()];
    let of_preview = [tabs(Command::NextTab), tabs(Command::PreviousTab).spare(), tabs(Command::RawJson)];
    let mut hints = Vec::new();
    if let (Pane::Second, Some(detail)) = (page.focus, detail) {
        hints.extend(tx_detail::commands(detail, of_preview));
        hints.insert(2, next_pane);
        hints.extend(of_selected(&page.txs.list, cx));
        hints.extend(of_list);
        return hints;
    }
    let [compare, of_tx @ ..] = of_selected(&page.txs.list, cx);
    hints.extend([open_row(&page.txs.list), compare, Hint::of(Command::Filter), next_pane]);
    hints.extend(of_list);
    hints.extend(of_tx);
    hints.extend(tx_detail::word_commands(detail));
    hints.extend(of_preview);
    hints.extend(folds::<Document>(None));
    hints
}
