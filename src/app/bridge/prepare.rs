//! The page where a route is made ready: warnings acknowledged, addresses, hook, messages; then it is sent by the demo
//! wallet, or elsewhere and its hash typed in.

use std::sync::Arc;

use crate::{
    app::{
        App,
        document::Document,
        layout::Regions,
        view::{View, ViewId},
    },
    domain::TransferRecord,
    msg::Answer,
    wire::{ApiError, Verbatim, router::Route},
};

/// A route being made ready.
#[derive(Debug)]
pub(crate) struct PreparePage {
    /// The route, with its JSON.
    pub(crate) route: Arc<Verbatim<Route>>,
    /// The steps in lines.
    pub(crate) document: Document,
}

impl PreparePage {
    /// With a route that was chosen.
    pub(crate) fn new(route: Arc<Verbatim<Route>>) -> Self {
        Self { route, document: Document::new(Vec::new()) }
    }

    /// What it shows.
    pub(crate) fn title(&self) -> String {
        "Send".to_owned()
    }

    /// Gives it its room.
    pub(crate) fn fit(&mut self, regions: &Regions) {
        let inner = regions.inner(regions.body);
        self.document.set_room(usize::from(inner.width), usize::from(inner.height));
    }

    /// Whether something is awaited for the first time.
    pub(crate) fn is_loading(&self) -> bool {
        false
    }
}

impl App {
    /// Opens the page for a route.
    pub(in crate::app) fn open_prepare(&mut self, route: Arc<Verbatim<Route>>) {
        self.navigation.open(|_| View::Prepare(PreparePage::new(route)));
        self.effects.redraw = true;
    }

    /// Opens the page again for the transaction of a kept transfer with this number, which is to be sent next.
    pub(in crate::app) fn open_prepare_next(&mut self, _record: &TransferRecord, _tx: usize) {}

    /// Asks for what the page lacks, and makes its lines.
    pub(in crate::app) fn meet_prepare_needs(&mut self) {}

    /// An answer for the page came; `what` is the number of its slot.
    pub(in crate::app) fn take_prepared(&mut self, _id: ViewId, _what: u8, _result: Result<Answer, ApiError>) {}

    /// Enter on a line of the page.
    pub(in crate::app) fn open_in_prepare(&mut self) {}

    /// The slippage was typed.
    pub(in crate::app) fn enter_slippage(&mut self, _text: &str) -> Result<(), String> {
        Ok(())
    }

    /// An address was typed.
    pub(in crate::app) fn enter_address(&mut self, _place: usize, _text: &str) -> Result<(), String> {
        Ok(())
    }

    /// The signed hook was typed, pasted, or its file named.
    pub(in crate::app) fn enter_signed_hook(&mut self, _text: &str) -> Result<(), String> {
        Ok(())
    }

    /// The hash of a transaction that was sent elsewhere was typed.
    pub(in crate::app) fn enter_sent_hash(&mut self, _place: usize, _text: &str) -> Result<(), String> {
        Ok(())
    }

    /// Asks for the slippage.
    pub(in crate::app) fn edit_slippage(&mut self) {}

    /// Acknowledges the warnings.
    pub(in crate::app) fn acknowledge(&mut self) {}

    /// Signs and sends with the demo wallet, where there is one.
    pub(in crate::app) fn demo_send(&mut self) {}
}
