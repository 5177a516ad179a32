//! Transaction page: story, messages, events, and the EVM's receipt and calls.

mod claims;
mod draw;
mod evm;
mod lines;
mod packets;
mod state;

pub(crate) use state::TxPage;

use std::sync::Arc;

use self::evm::EvmSide;
use crate::{
    app::{
        Context,
        hint::Hint,
        page::{
            Destination, Drawing, Export, Focus, FocusMut, Handled, Held, KnownTx, Page, PageCx, PageEffect, PageEvent,
            Place, Selection, Tab, TakeAway, TxName, TxPosition, TxTab,
        },
        prompt::CopyChoice,
    },
    config::{Command, KeyScope},
    domain::{Target, TxHash},
    msg::{PageId, Remote, Request},
    panes::tx_detail::{self, TxReading},
    widgets::canvas::Canvas,
};

const COMMANDS: &[&[Command]] = &[
    &[Command::Open, Command::Compare, Command::NextTab, Command::NextWord],
    &[Command::Filter, Command::ToggleFold, Command::Copy, Command::Mark],
    &[Command::Back, Command::PreviousSibling, Command::NextSibling],
    &[Command::RawJson, Command::PreviousTab, Command::PreviousWord],
    &[Command::FoldAll, Command::UnfoldAll, Command::OpenBlock],
    &[Command::OpenSigner, Command::NextPane],
];

/// Opens a transaction, with the records that the opener has. The cursor moves to `position`.
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

    fn place(&self) -> Place {
        let origin = match self.name {
            TxName::Cosmos(hash) => self.origin.map(|id| (id, Target::Tx(hash))),
            TxName::Evm(_) => None,
        };
        Place {
            kind: "transaction",
            origin,
            is_loading: self.loading_since().is_some()
                || (self.detail.tab == TxTab::Calls && self.evm.frames.is_loading()),
            is_narrowed: self.detail.is_among_events(),
            ..Place::new(Tab::Txs, KeyScope::TxPage)
        }
    }

    fn draw(&self, canvas: &mut Canvas<'_>, cx: &Drawing<'_>) {
        draw::draw(canvas, cx, self);
    }

    fn commands(&self, _cx: &Context) -> Vec<Command> {
        // The session decides whether Copy is available.
        let has_copies = |command: &Command| *command != Command::Copy || self.hash().is_some();
        COMMANDS.concat().into_iter().filter(has_copies).collect()
    }

    fn hint(&self, hint: Hint, _cx: &Context) -> Hint {
        match hint.command {
            Command::RawJson => hint.label(if self.detail.tab == TxTab::Raw { "story" } else { "JSON" }),
            Command::NextPane => hint.hidden_in_footer(),
            _ => tx_detail::hint(hint, Some(&self.detail)),
        }
    }

    fn on(&mut self, event: PageEvent<'_>, cx: &mut PageCx<'_>) {
        match event {
            PageEvent::ChainChanged => {
                cx.replace(Destination::Tx { record: KnownTx::Name(self.name), origin: self.origin, position: None });
            }
            PageEvent::Retry => {
                self.tx.forget_passing();
                self.evm.forget_passing();
            }
            PageEvent::Refresh => {
                self.tx.forget_failure();
                self.ask_again();
                self.detail.rebuild();
            }
            PageEvent::ClickTab(place) => self.detail.click_tab(place),
            PageEvent::TurnTo(Destination::Tx { record: KnownTx::Tx(tx), .. }) => {
                self.name = TxName::Cosmos(tx.txhash);
                self.tx = Remote::Ready { value: tx, at: cx.context.now };
                self.evm = EvmSide::default();
                self.detail.rebuild();
                cx.emit(PageEffect::CancelExtras(cx.id));
            }
            PageEvent::Shrink => {
                // On the Calls tab the loaded calls stay, so that the cursor keeps its line.
                if self.detail.tab != TxTab::Calls {
                    self.evm.drop_frames();
                }
                self.detail.shrink();
            }
            _ => {}
        }
    }

    fn update(&mut self, cx: &mut PageCx<'_>) {
        self.ask_record(cx);
        self.ask_evm(cx);
        let (context, regions) = (cx.context, cx.regions);
        let reading = TxReading::in_pane(context, &regions, regions.body);
        self.make_lines(context, &reading, cx.place_in_block);
        self.detail.fit(&regions, regions.body);
        self.ask_transfers(cx);
    }

    fn focus(&self) -> Option<Focus<'_>> {
        self.detail.document.as_ref().map(|document| Focus::Lines(document))
    }

    fn focus_mut(&mut self) -> Option<FocusMut<'_>> {
        self.detail.document.as_mut().map(|document| FocusMut::Lines(document))
    }

    fn act(&mut self, command: Command, cx: &mut PageCx<'_>) -> Handled {
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

    fn selection(&self) -> Selection {
        Selection { tx: self.tx.value().map(Arc::clone), ..Selection::default() }
    }

    fn take_away<'a>(&'a self, cx: &'a Context) -> TakeAway<'a> {
        let (tx, receipt) = (self.tx.value(), self.evm.receipt.value());
        let copies = move || {
            let names = self.detail.names().map(|names| CopyChoice::value('n', "names, and their sources", names));
            let of_evm = receipt.map(|receipt| {
                let (hash, json) =
                    (receipt.transaction_hash, serde_json::to_string_pretty(&**receipt).unwrap_or_default());
                [
                    CopyChoice::value('x', "EVM hash", hash.to_string()),
                    CopyChoice::document('r', "receipt as JSON", json),
                    CopyChoice::value('g', "curl command of the receipt", cx.curl(&Request::EvmTx(hash))),
                ]
            });
            of_evm.into_iter().flatten().chain(names).collect()
        };
        let exports =
            move || tx.map(|tx| Export::record(format!("tx-{}.json", self.name), &**tx)).into_iter().collect();
        TakeAway::new().copies_if(tx.is_some() || receipt.is_some(), copies).exports_if(tx.is_some(), exports)
    }

    fn held(&self) -> Held<'_> {
        Held { accounts: self.detail.accounts().to_vec(), ..Held::default() }
    }
}
