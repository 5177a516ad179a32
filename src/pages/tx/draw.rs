//! Draws a transaction on the full screen.

use super::TxPage;
use crate::{
    app::page::{Drawing, TxName},
    config::{Command, Meaning},
    domain::Target,
    panes::{hints::hints, table, tx_detail::DetailFrame},
    widgets::canvas::{Canvas, row},
};

pub(super) fn draw(canvas: &mut Canvas<'_>, cx: &Drawing<'_>, page: &TxPage) {
    let (body, mut title) = (cx.regions.body, vec![(Meaning::Heading, format!("Tx {}", page.name))]);
    let target = match page.name {
        TxName::Cosmos(hash) => Target::Tx(hash),
        TxName::Evm(hash) => Target::EvmTx(hash),
    };
    // A name given to the other hash of the transaction is the page's too.
    let mut targets = std::iter::once(target).chain(page.targets());
    if let Some(own) = targets.find_map(|target| cx.context.glossary.shown_personal_name(&target)) {
        title = vec![
            (Meaning::Heading, "Tx ".to_owned()),
            (Meaning::PersonalName, own.to_string()),
            (Meaning::Heading, format!(" {}", page.name)),
        ];
    }
    if let Some(is_success) = page.is_success() {
        let is_partial = page.detail.story().is_some_and(|story| !story.partial.is_empty());
        let (meaning, mark) = match (is_success, is_partial) {
            (true, false) => (Meaning::Good, "✓ "),
            (true, true) => (Meaning::Warning, "! "),
            (false, _) => (Meaning::Bad, "✗ "),
        };
        title.insert(0, (meaning, mark.to_owned()));
        if cx.context.marked_hash().is_some_and(|marked| page.name == TxName::Cosmos(marked)) {
            title.insert(0, (Meaning::Match, "◆ ".to_owned()));
        }
        page.detail.draw(canvas, cx, DetailFrame { pane: body, place: 0, title, is_focused: true });
        return;
    }
    canvas.frame(body, cx.regions.tier, true, title, Vec::new());
    let area = cx.regions.inner(body);
    if let Some(error) = page.error() {
        canvas.text(row(area, 1), Meaning::Bad, &format!(" ✗ {}", error.brief()));
        canvas.text(row(area, 2), Meaning::Text, &format!("   {}", error.advice()));
        let keys = [(Command::Refresh, "retry"), (Command::Back, "back"), (Command::Inspector, "show the answer")];
        canvas.text(row(area, 3), Meaning::Muted, &format!("   {}", hints(cx, &keys)));
    } else {
        let since = page.loading_since().unwrap_or(cx.context.now);
        canvas.text(row(area, 1), Meaning::Muted, &table::loading(cx, since));
    }
}
