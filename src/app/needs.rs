//! What the screen needs by itself: first loads, further pages, polls; and when time must be told to it.

use std::time::Duration;

use super::{
    App,
    bridge::BridgeSide,
    format::TimeForm,
    tx_detail::{Reader, TxDetail},
    tx_document::tx_lines,
    view::View,
};
use crate::{
    app::page::Tab,
    msg::{PageNeed, Remote, Request, Slot},
    widgets::{
        document::Document,
        layout::{self, Pane},
    },
};

impl App {
    /// Called after every update: fits the screen to its room and asks for what it lacks.
    pub(super) fn meet_needs(&mut self) {
        self.cancel_forgotten();
        self.meet_identity_needs();
        self.meet_detail_need();
        self.context.awaits_first_rows = self.is_awaiting_first_rows();
        self.choose_denom();
        self.meet_evm_needs();
        self.meet_account_needs();
        self.refresh_previews();
        self.meet_nft_needs();
        self.meet_directory_needs();
        self.meet_quote_needs();
        self.meet_prepare_needs();
        self.meet_transfer_needs();
        self.hold_behind_preview();
        let size = self.size;
        super::fitting::fit(self.navigation.current_mut(), size);
        if let Some(modal) = &mut self.modal {
            super::fitting::fit_modal(modal, size);
        }
        self.put_rows_into_words();
        self.meet_list_needs();
        self.meet_result_needs();
        if !self.frozen {
            self.poll_chain();
        }
    }

    fn cancel_forgotten(&mut self) {
        for id in self.navigation.take_forgotten() {
            self.cancel_page(id);
        }
    }

    /// Stops waiting for second things of the view on screen.
    pub(super) fn cancel_extras(&mut self) {
        let id = self.navigation.current_id();
        self.cancel_where(|slot| matches!(slot, Slot::Page(of, need) if *of == id && *need != PageNeed::Record));
    }

    fn meet_detail_need(&mut self) {
        let id = self.navigation.current_id();
        let now = self.now;
        let request = match self.navigation.current_mut() {
            View::Block(page) if matches!(page.block, Remote::Idle) => {
                page.block.ask(now);
                Request::Block(page.height)
            }
            View::Tx(page) => match page.first_need(now) {
                Some(request) => request,
                None => return,
            },
            View::Collection(page) if matches!(page.collection, Remote::Idle) => {
                page.collection.ask(now);
                Request::Collection(page.address)
            }
            View::Token(page) if matches!(page.token, Remote::Idle) => {
                page.token.ask(now);
                page.request()
            }
            _ => return,
        };
        self.fetch(Slot::Page(id, PageNeed::Record), request);
    }

    /// Asks for whatever is due of the chain as a whole.
    pub(super) fn poll_chain(&mut self) {
        let due = |at: Option<crate::domain::Timestamp>| at.is_some_and(|at| at <= self.now);
        let (status, average, oldest) =
            (due(self.chain.status_due), due(self.chain.average_due), due(self.chain.oldest_due));
        if status && !self.is_waiting(&Slot::Status) {
            self.chain.status_due = None;
            self.context.chain.status.ask(self.context.now);
            self.fetch(Slot::Status, Request::Status);
        }
        if average && !self.is_waiting(&Slot::AvgBlockTime) {
            self.chain.average_due = None;
            self.context.chain.average.ask(self.context.now);
            self.fetch(Slot::AvgBlockTime, Request::AvgBlockTime);
        }
        if oldest && self.wants_oldest() && !self.is_waiting(&Slot::OldestBlock) {
            self.chain.oldest_due = None;
            self.context.chain.oldest.ask(self.context.now);
            self.fetch(Slot::OldestBlock, Request::OldestBlock);
        }
    }

    /// The height in the header needs its block's time, where no list on screen brings it.
    pub(super) fn date_height(&mut self) {
        let brings_blocks = matches!(self.navigation.current(), View::Overview(_) | View::Blocks(_));
        if let (Some(height), false) = (self.chain.height(), brings_blocks) {
            self.fetch(Slot::NewestBlock, Request::Block(height));
        }
    }

    /// Where the index begins is shown on the overview only.
    fn wants_oldest(&self) -> bool {
        self.navigation.current().tab() == Tab::Overview
    }

    /// Until the next poll is due.
    pub(super) fn next_poll(&self, now: crate::domain::Timestamp) -> Option<Duration> {
        let oldest = self.chain.oldest_due.filter(|_| self.wants_oldest());
        [self.chain.status_due, self.chain.average_due, oldest].into_iter().flatten().map(|at| at.since(now)).min()
    }

    /// Makes the lines of what is selected or open, where they are not made yet.
    pub(super) fn refresh_previews(&mut self) {
        let regions = layout::Regions::of(self.size);
        let preview = regions.split().1;
        let has_preview = preview.is_some();
        let place = self.place_in_block();
        let network = &self.context.network;
        let reader = Reader {
            form: self.address_form,
            glossary: &self.context.glossary,
            width: usize::from(regions.document_rows(preview.unwrap_or(regions.body)).width),
            now: (self.shown_time_form() == TimeForm::Age).then_some(self.now),
            place,
        };
        match self.navigation.current_mut() {
            View::Txs(view) => {
                let selected = view.list.selected().map(|row| row.tx.clone()).filter(|_| has_preview);
                let Some(tx) = selected else {
                    (view.preview, view.focus) = (None, Pane::First);
                    return;
                };
                let (hash, detail) = view.preview.get_or_insert_with(|| (tx.txhash, TxDetail::default()));
                if *hash != tx.txhash {
                    *hash = tx.txhash;
                    detail.rebuild();
                }
                detail.make_lines(Some(&tx), &reader, |tab, story| match story {
                    Some(story) => tx_lines(&reader.sheet(&tx, story, None, None, None), tab),
                    None => Vec::new(),
                });
            }
            View::Blocks(view) => {
                let selected = view.list.selected().map(|row| row.0.clone()).filter(|_| has_preview);
                match selected {
                    None => (view.preview, view.focus) = (None, Pane::First),
                    Some(block) if view.preview.as_ref().is_some_and(|(height, _)| *height == block.height) => {}
                    Some(block) => {
                        let lines = super::facts::block_lines(&block, network);
                        view.preview = Some((block.height, Document::new(lines)));
                    }
                }
            }
            View::Tx(page) => {
                let traced = self.context.chain.status.value().and_then(|status| status.internal_tx_height);
                let width = usize::from(regions.document_rows(regions.body).width);
                page.make_lines(&Reader { width, ..reader }, traced);
            }
            View::Block(page) => {
                if let (Some(block), Some(document)) = (page.block.value(), &mut page.raw)
                    && document.counts().1 == 0
                {
                    *document = Document::new(crate::widgets::document::json::json_lines(
                        &serde_json::to_string(&**block).unwrap_or_default(),
                    ));
                }
            }
            View::Overview(_)
            | View::Nfts(_)
            | View::RichList(_)
            | View::Collection(_)
            | View::Token(_)
            | View::Results(_)
            | View::Bridge(_)
            | View::Prepare(_)
            | View::Transfer(_) => {}
            View::Account(page) => page.make_lines(network),
            View::Compare(page) => {
                page.make_lines(reader.form, reader.glossary, usize::from(regions.document_rows(regions.body).width));
            }
        }
    }

    /// While a preview is read its list stands still: a row that arrives must not put another text there.
    fn hold_behind_preview(&mut self) {
        match self.navigation.current_mut() {
            View::Txs(view) => view.list.follow(view.focus == Pane::Second),
            View::Blocks(view) => view.list.follow(view.focus == Pane::Second),
            _ => {}
        }
    }

    /// Whether something on screen is awaited for the first time.
    pub(super) fn is_loading_visibly(&self) -> bool {
        if self
            .modal
            .as_ref()
            .is_some_and(|modal| matches!(modal, super::modal::Modal::GoTo(go_to) if go_to.is_waiting()))
        {
            return true;
        }
        if self.chain.failures > 0 && self.chain.status.value().is_none() && self.is_waiting(&Slot::Status) {
            return true;
        }
        match self.navigation.current() {
            View::Overview(view) => view.blocks.state.is_loading() || view.txs.state.is_loading(),
            View::Blocks(view) => view.list.state.is_loading() || view.list.fetching.is_some(),
            View::Txs(view) => view.list.state.is_loading() || view.list.fetching.is_some(),
            View::Block(page) => page.block.is_loading() || page.txs.state.is_loading() || page.txs.fetching.is_some(),
            View::Tx(page) => page.is_loading(),
            View::Nfts(view) => view.is_loading(),
            View::RichList(view) => view.list.state.is_loading() || view.list.fetching.is_some(),
            View::Collection(page) => page.is_loading(),
            View::Token(page) => page.is_loading(),
            View::Account(page) => page.is_loading(),
            View::Results(view) => view.is_loading(),
            View::Bridge(view) => view.side == BridgeSide::Quote && view.quote.is_loading(),
            View::Prepare(page) => page.is_loading(),
            View::Transfer(_) | View::Compare(_) => false,
        }
    }

    /// Whether the screen shows how long ago something was, or counts down.
    pub(super) fn shows_ages(&self) -> bool {
        !self.frozen && (self.time_form == TimeForm::Age || self.chain.failures > 0)
    }

    /// Until the next age on screen changes: seconds while anything is younger than a minute.
    pub(super) fn next_age_step(&self, now: crate::domain::Timestamp) -> Option<Duration> {
        if !self.shows_ages() || self.chain.status.value().is_none() && self.chain.failures == 0 {
            return None;
        }
        let into_second = Duration::from_nanos(u64::try_from(now.as_nanos().rem_euclid(1_000_000_000)).unwrap_or(0));
        Some(Duration::from_secs(1).saturating_sub(into_second).max(Duration::from_millis(20)))
    }
}
