//! Where the cursor is, how far it can go, and what Enter would open.

use super::Hint;
use crate::{
    app::{account::AccountTab, bridge::BridgeSide, tx_detail::TxDetail, view::View},
    config::Command,
    widgets::{
        document::Document,
        layout::Pane,
        list::{ListWindow, Row},
    },
};

/// What has the cursor.
enum Place<'a> {
    /// A row of a list: its place, how many there are, and whether more lie above.
    Row {
        place: usize,
        rows: usize,
        has_more_above: bool,
    },
    Document(&'a Document),
    Nothing,
}

fn row<R: Row>(list: &ListWindow<R>) -> Place<'_> {
    let has_more_above = list.has_rows_above() || list.unseen() > 0;
    Place::Row { place: list.cursor(), rows: list.rows().len(), has_more_above }
}

impl View {
    fn place(&self) -> Place<'_> {
        if let Some(document) = self.shown_document() {
            return Place::Document(document);
        }
        match self {
            Self::Overview(view) if view.focus == Pane::First => row(&view.blocks),
            Self::Overview(view) => row(&view.txs),
            Self::Blocks(view) => row(&view.list),
            Self::Txs(view) => row(&view.list),
            Self::Block(page) => row(&page.txs),
            Self::Nfts(view) => row(view.shown()),
            Self::RichList(view) => row(&view.list),
            Self::Collection(page) => row(&page.tokens),
            Self::Token(page) => row(&page.txs),
            Self::Account(page) => match page.tab {
                AccountTab::Txs => row(&page.txs.list),
                AccountTab::Tokens => row(&page.tokens),
                AccountTab::Collections => row(&page.collections),
                AccountTab::Holdings => Place::Nothing,
            },
            Self::Results(view) => row(&view.list),
            Self::Bridge(view) if view.side == BridgeSide::Transfers => row(&view.board.list),
            Self::Bridge(view) => {
                let last = crate::app::bridge::quote::Field::Amount as usize;
                Place::Row { place: view.quote.field as usize, rows: last + 1, has_more_above: false }
            }
            Self::Tx(_) | Self::Compare(_) | Self::Prepare(_) | Self::Transfer(_) => Place::Nothing,
        }
    }

    /// The document that has the cursor.
    pub(in crate::app) fn shown_document(&self) -> Option<&Document> {
        match self {
            Self::Blocks(view) if view.focus == Pane::Second => view.preview.as_ref().map(|(_, document)| document),
            Self::Txs(view) if view.focus == Pane::Second => view.preview.as_ref()?.1.document.as_ref(),
            Self::Block(page) => page.raw.as_ref(),
            Self::Tx(page) => page.detail.document.as_ref(),
            Self::Compare(page) => Some(&page.document),
            Self::Token(page) if page.focus == Pane::First => Some(&page.document),
            Self::Account(page) if page.tab == AccountTab::Holdings => Some(&page.holdings_document),
            Self::Bridge(view) if view.side == BridgeSide::Quote && view.quote.focus == Pane::Second => {
                Some(&view.quote.rail)
            }
            Self::Prepare(page) => Some(&page.document),
            Self::Transfer(page) => Some(page.shown()),
            _ => None,
        }
    }

    /// Whether a filter, a search, a pane or the events of a word lie over what the view shows at first: Esc takes them
    /// back one by one.
    pub(in crate::app) fn is_narrowed(&self) -> bool {
        let is_filtered = self.shown_document().is_some_and(|document| !document.filter().is_empty());
        is_filtered
            || match self {
                Self::Txs(view) => {
                    view.focus == Pane::Second
                        || !view.is_unfiltered()
                        || self.detail().is_some_and(TxDetail::is_among_events)
                }
                Self::Blocks(view) => view.focus == Pane::Second,
                Self::RichList(view) => view.focus == Pane::Second,
                Self::Tx(page) => page.detail.is_among_events(),
                Self::Nfts(view) => view.searched().is_some(),
                Self::Collection(page) => page.token_id.is_some(),
                Self::Account(page) => page.is_narrowed() || page.of_collection.is_some(),
                _ => false,
            }
    }
}

/// The commands that move the cursor, where there is room for it.
pub(super) fn motions(view: &View) -> Vec<Hint> {
    let (up, down) = match view.place() {
        Place::Row { place, rows, has_more_above } => (place > 0 || has_more_above, place + 1 < rows),
        Place::Document(document) => (!document.is_cursor_at(0), !document.is_cursor_at_end()),
        Place::Nothing => (false, false),
    };
    let moves = |commands: [Command; 4], holds: bool, why: &'static str| {
        commands.map(|command| {
            let hint = Hint::of(command).needs(holds, why);
            if matches!(command, Command::NextPage | Command::Top) { hint } else { hint.spare() }
        })
    };
    let mut hints = Vec::from(moves(
        [Command::Down, Command::HalfDown, Command::NextPage, Command::Bottom],
        down,
        "nothing lies below",
    ));
    hints.extend(moves([Command::Up, Command::HalfUp, Command::PreviousPage, Command::Top], up, "nothing lies above"));
    hints
}

/// Enter on a line that leads somewhere, or folds what hangs below it.
pub(super) fn open_line(document: Option<&Document>) -> Hint {
    let leads = document
        .is_some_and(|document| document.can_fold() || document.selected().is_some_and(|line| line.link.is_some()));
    Hint::of(Command::Open).needs(leads, "nothing is behind this line")
}

/// Enter on a row of a list.
pub(super) fn open_row<R: Row>(list: &ListWindow<R>) -> Hint {
    Hint::of(Command::Open).needs(list.selected().is_some(), "nothing is selected")
}

/// Looking for something in a document.
pub(super) fn filter_lines(document: Option<&Document>) -> Hint {
    Hint::of(Command::Filter).called("find").needs(document.is_some(), "nothing to filter here")
}

/// Folding in a document.
pub(super) fn folds(document: Option<&Document>) -> [Hint; 3] {
    const NOTHING: &str = "nothing can be folded here";
    let can_fold = document.is_some_and(Document::can_fold_around);
    let has_folds = document.is_some_and(Document::has_folds);
    [
        Hint::of(Command::ToggleFold).needs(can_fold, NOTHING),
        Hint::of(Command::FoldAll).needs(has_folds, NOTHING).spare(),
        Hint::of(Command::UnfoldAll).needs(has_folds, NOTHING).spare(),
    ]
}

/// Going from word to word of a story, or from event to event of those behind a word.
pub(super) fn words(detail: Option<&TxDetail>) -> [Hint; 2] {
    let is_among_events = detail.is_some_and(TxDetail::is_among_events);
    let hint =
        |command: Command, step: isize| {
            let document = detail.and_then(|detail| detail.document.as_ref());
            let can_step = document.is_some_and(|document| {
                if is_among_events { document.can_step_mark() } else { document.can_step_spot(step) }
            });
            let why = match (is_among_events, step > 0) {
                _ if detail.is_none() => "words are chosen in an open transaction",
                (true, _) => "no other event is behind this word",
                (false, true) => "no word that leads anywhere follows here",
                (false, false) => "no word that leads anywhere stands before this",
            };
            Hint::of(command).needs(can_step, why)
        };
    let [next, previous] = [hint(Command::NextWord, 1), hint(Command::PreviousWord, -1)];
    let previous = previous.spare();
    if is_among_events { [next.called("next event"), previous.called("event back")] } else { [next, previous] }
}
