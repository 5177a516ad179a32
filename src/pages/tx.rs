//! The page of one transaction: its story, messages, events, and what the EVM says of it.

mod draw;
mod evm;
mod lines;
mod state;

pub(crate) use state::TxPage;

use std::sync::Arc;

use self::evm::EvmSide;
use crate::{
    app::{
        Context,
        hint::Hint,
        page::{
            Cx, Destination, Drawing, Export, Handled, KnownTx, Page, Surroundings, Tab, TxName, TxPosition, TxTab,
            Wish,
        },
        prompt::CopyChoice,
    },
    config::{Command, KeyScope},
    domain::{Address, Target, TxHash},
    msg::{Answer, PageId, PageNeed, Remote, Request},
    panes::{
        commands::of_tx,
        tx_detail::{self, TxReading},
    },
    widgets::{canvas::Canvas, cursor::Cursor, document::Lines, layout::Regions},
    wire::{self, ApiError},
};

/// The page of a transaction, with what of it is here; the cursor goes to a spot in it.
pub(super) fn open(
    record: KnownTx,
    origin: Option<PageId>,
    position: Option<TxPosition>,
    cx: &Context,
) -> Box<dyn Page> {
    let mut page = match record {
        KnownTx::Name(name) => TxPage::new(name, origin),
        KnownTx::Tx(tx) => {
            let mut page = TxPage::new(TxName::Cosmos(tx.txhash), origin);
            page.tx = Remote::Ready { value: tx, at: cx.now };
            page
        }
        KnownTx::Receipt(receipt) => {
            let mut page = TxPage::new(TxName::Evm(receipt.transaction_hash), origin);
            page.evm.receipt = Remote::Ready { value: receipt, at: cx.now };
            page
        }
    };
    if let Some(position) = position {
        page.detail.show(position.tab);
        page.detail.seek(position.lines);
    }
    Box::new(page)
}

impl TxPage {
    fn hash(&self) -> Option<TxHash> {
        self.tx.value().map(|tx| tx.txhash)
    }
}

impl Page for TxPage {
    fn title(&self) -> String {
        format!("Tx {}", self.name.short())
    }

    fn tab(&self) -> Tab {
        Tab::Txs
    }

    fn scope(&self) -> KeyScope {
        KeyScope::TxPage
    }

    fn fit(&mut self, regions: &Regions, _cx: &Context) {
        self.detail.fit(regions, regions.body);
    }

    fn draw(&self, canvas: &mut Canvas<'_>, cx: &Drawing<'_>) {
        draw::draw(canvas, cx, self);
    }

    fn commands(&self, cx: &Context, surroundings: &Surroundings) -> Vec<Hint> {
        let hash = self.hash();
        let [compare, signer, block, mark] = of_tx(hash.is_some(), hash, cx);
        let tabs = [
            Hint::of(Command::NextTab),
            Hint::of(Command::PreviousTab).spare(),
            Hint::of(Command::RawJson).called(if self.detail.tab == TxTab::Raw { "story" } else { "JSON" }),
        ];
        let mut hints = tx_detail::commands(&self.detail, tabs);
        hints.splice(1..1, [compare]);
        hints.splice(6..6, [Hint::of(Command::Copy), mark, Hint::of(Command::Back)]);
        hints.splice(9..9, surroundings.siblings.hints("transaction"));
        hints.extend([block, signer, Hint::of(Command::NextPane).spare()]);
        // The session knows whether there is something to copy.
        hints.retain(|hint| hint.command != Command::Copy || hash.is_some());
        hints
    }

    fn restart(&mut self) -> Option<Destination> {
        Some(Destination::Tx { record: KnownTx::Name(self.name), origin: self.origin, position: None })
    }

    fn update(&mut self, cx: &mut Cx<'_>) {
        if let Some(request) = self.first_need(cx.now) {
            cx.fetch(PageNeed::Record, request);
        }
        for (need, request) in self.evm_needs(cx.now) {
            cx.fetch(need, request);
        }
        let (context, regions) = (cx.context(), Regions::of(cx.size));
        let traced = context.chain.status.value().and_then(|status| status.internal_tx_height);
        let reading = TxReading::in_pane(context, &regions, regions.body);
        self.make_lines(&reading, traced, cx.surroundings.place_in_block);
    }

    fn take(&mut self, need: PageNeed, result: Result<Answer, ApiError>, cx: &mut Cx<'_>) {
        if need == PageNeed::Record {
            self.take_record(result, cx.now);
        } else if let Some(further) = self.take_extra(need, result, cx.now) {
            cx.fetch(need, further);
        }
    }

    fn accounts(&self) -> Vec<Address> {
        self.detail.accounts().to_vec()
    }

    fn retry(&mut self) {
        self.tx.forget_passing();
        self.evm.forget_passing();
    }

    fn refresh(&mut self, _cx: &mut Cx<'_>) {
        self.tx.forget_failure();
        self.evm.ask_again();
        self.detail.rebuild();
    }

    fn is_loading(&self) -> bool {
        self.loading_since().is_some() || (self.detail.tab == TxTab::Calls && self.evm.frames.is_loading())
    }

    fn cursor(&self) -> Option<&dyn Cursor> {
        self.document().map(|document| document as _)
    }

    fn cursor_mut(&mut self) -> Option<&mut dyn Cursor> {
        self.document_mut().map(|document| document as _)
    }

    fn document(&self) -> Option<&dyn Lines> {
        self.detail.document.as_ref().map(|document| document as &dyn Lines)
    }

    fn document_mut(&mut self) -> Option<&mut dyn Lines> {
        self.detail.document.as_mut().map(|document| document as &mut dyn Lines)
    }

    fn act(&mut self, command: Command, cx: &mut Cx<'_>) -> Handled {
        match command {
            Command::NextPane => self.detail.turn_tab(1),
            Command::RawJson => {
                let is_raw = self.detail.tab == TxTab::Raw;
                self.detail.show(if is_raw { TxTab::default() } else { TxTab::Raw });
            }
            Command::FlipAddress => {
                self.detail.rebuild();
                return Handled::Pass;
            }
            _ => return self.detail.act(command, self.hash(), cx),
        }
        Handled::Done
    }

    fn click_tab(&mut self, place: usize, _cx: &Context) {
        self.detail.click_tab(place);
    }

    fn is_narrowed(&self) -> bool {
        let is_filtered = self.document().is_some_and(|document| !document.filter().is_empty());
        is_filtered || self.detail.is_among_events()
    }

    fn turn_to(&mut self, destination: Destination, cx: &mut Cx<'_>) {
        if let Destination::Tx { record: KnownTx::Tx(tx), .. } = destination {
            self.name = TxName::Cosmos(tx.txhash);
            self.tx = Remote::Ready { value: tx, at: cx.now };
            self.evm = EvmSide::default();
            self.detail.rebuild();
            cx.wish(Wish::CancelExtras);
        }
    }

    fn kind(&self) -> &'static str {
        "transaction"
    }

    fn origin(&self) -> Option<(PageId, Target)> {
        match self.name {
            TxName::Cosmos(hash) => Some((self.origin?, Target::Tx(hash))),
            TxName::Evm(_) => None,
        }
    }

    fn selected_tx(&self) -> Option<Arc<wire::Tx>> {
        self.tx.value().map(Arc::clone)
    }

    fn copies(&self, cx: &Context) -> Vec<CopyChoice> {
        let choice = CopyChoice::value;
        let names = self.detail.names().map(|names| choice('n', "names, and by whom", names));
        let Some(receipt) = self.evm.receipt.value() else { return names.into_iter().collect() };
        let mut choices = vec![
            choice('x', "EVM hash", receipt.transaction_hash.to_string()),
            CopyChoice::document('r', "receipt as JSON", serde_json::to_string_pretty(&**receipt).unwrap_or_default()),
            choice('g', "curl command of the receipt", cx.curl(&Request::EvmTx(receipt.transaction_hash))),
        ];
        choices.extend(names);
        choices
    }

    fn has_copies(&self, _cx: &Context) -> bool {
        self.tx.value().is_some() || self.evm.receipt.value().is_some()
    }

    fn export(&self, _cx: &Context) -> Vec<Export> {
        let record = self.tx.value().map(|tx| Export::record(format!("tx-{}.json", self.name), &**tx));
        record.into_iter().collect()
    }

    fn has_export(&self, _cx: &Context) -> bool {
        self.tx.value().is_some()
    }

    fn shrink(&mut self) {
        // The place in the calls is kept where one looked at them.
        if self.detail.tab != TxTab::Calls {
            self.evm.drop_frames();
        }
        self.detail.shrink();
    }
}
