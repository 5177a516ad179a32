use crate::{
    app::{
        Context,
        page::{Handled, TxLine},
    },
    domain::{TxHash, TxView},
    msg::TxQuery,
    panes::{
        tx_detail::{TxDetail, TxReading},
        tx_document::tx_lines,
        tx_list::{self, TxListPane},
    },
    widgets::{
        document::Document,
        layout::{Pane, Regions},
    },
};

#[derive(Debug)]
pub(crate) struct TxsPage {
    pub(in crate::pages) txs: TxListPane,
    pub(in crate::pages) focus: Pane,
    /// Hash and lines of the selected transaction's preview, if the screen has room.
    pub(super) preview: Option<(TxHash, TxDetail)>,
}

impl TxsPage {
    pub(in crate::pages) fn new() -> Self {
        Self { txs: TxListPane::new(TxQuery::default()), focus: Pane::First, preview: None }
    }

    /// Applies `act` to the preview, whether or not it has the focus.
    pub(super) fn in_detail(&mut self, act: impl FnOnce(&mut TxDetail)) {
        if let Some((_, detail)) = &mut self.preview {
            act(detail);
        }
    }

    /// Filters the list as a saved view does.
    pub(super) fn show_view(&mut self, view: &TxView) {
        (self.focus, self.preview) = (Pane::First, None);
        self.txs.show_view(view);
    }

    /// Returns the preview's lines while it has the focus.
    pub(super) fn read(&self) -> Option<&Document<TxLine>> {
        self.preview.as_ref().filter(|_| self.focus == Pane::Second)?.1.document.as_ref()
    }

    pub(super) fn is_filtered(&self) -> bool {
        self.read().is_some_and(|document| !document.filter().is_empty())
    }

    /// Builds the preview's lines if there is room beside the list.
    pub(super) fn refresh_preview(&mut self, cx: &Context) {
        let regions = Regions::new(cx.size);
        let (Some(pane), Some(tx)) = (regions.split().1, tx_list::selected(&self.txs.list)) else {
            (self.preview, self.focus) = (None, Pane::First);
            return;
        };
        let (hash, detail) = self.preview.get_or_insert_with(|| (tx.txhash, TxDetail::default()));
        if *hash != tx.txhash {
            *hash = tx.txhash;
            detail.rebuild();
        }
        let reading = TxReading::in_pane(cx, &regions, pane);
        detail.make_lines(Some(&tx), &reading, |tab, story| match story {
            Some(story) => tx_lines(&reading.sheet(&tx, story, None, None), tab),
            None => Vec::new(),
        });
    }

    /// Undoes one step on Esc, in this order: filter, event search, focus, list filter.
    pub(super) fn back(&mut self) -> Handled {
        if self.is_filtered() {
            return Handled::Pass;
        }
        let is_read = self.focus == Pane::Second;
        if is_read && self.preview.as_mut().is_some_and(|(_, detail)| detail.leave_events()) {
            return Handled::Done;
        }
        if is_read {
            self.focus = Pane::First;
        } else if !self.txs.is_unfiltered() {
            self.txs.failed_only = false;
            self.txs.change_query(TxQuery::default());
            self.preview = None;
        } else {
            return Handled::Pass;
        }
        Handled::Done
    }
}
