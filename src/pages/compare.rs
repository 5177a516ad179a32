//! Comparison of two transactions: the marked transaction, and the open or selected transaction.

mod comparing;
mod draw;
mod lines;
mod rows;
mod state;

pub(crate) use state::ComparePage;

use std::sync::Arc;

use crate::{
    app::{
        Context,
        hint::Hint,
        page::{
            Destination, Drawing, Focus, FocusMut, Handled, Held, KnownTx, Page, PageCx, PageEvent, Place, Selection,
            Shows, Tab, TxName,
        },
    },
    config::{Command, KeyScope},
    widgets::canvas::Canvas,
    wire::Tx,
};

const COMMANDS: &[&[Command]] = &[
    &[Command::Open, Command::Back, Command::NextTab, Command::ToggleFold],
    &[Command::Filter, Command::FoldAll, Command::UnfoldAll],
    &[Command::PreviousTab, Command::NextPane, Command::OpenBlock],
    &[Command::OpenSigner, Command::Mark, Command::Compare],
];

pub(super) fn open(marked: Arc<Tx>, other: Arc<Tx>) -> Box<dyn Page> {
    Box::new(ComparePage::new(marked, other))
}

impl Page for ComparePage {
    fn title(&self) -> String {
        format!("Compare {} with {}", self.left.txhash.short(), self.right.txhash.short())
    }

    fn place(&self) -> Place {
        Place { shows: &[Shows::Marked], ..Place::new(Tab::Txs, KeyScope::TxPage) }
    }

    fn draw(&self, canvas: &mut Canvas<'_>, cx: &Drawing<'_>) {
        draw::draw(canvas, cx, self);
    }

    fn commands(&self, _cx: &Context) -> Vec<Command> {
        COMMANDS.concat()
    }

    fn hint(&self, hint: Hint, _cx: &Context) -> Hint {
        match hint.command {
            Command::Open if self.position().is_some() => Hint::new(Command::Open),
            Command::NextTab => hint.label("other side"),
            Command::PreviousTab | Command::NextPane => hint.label("other side").hidden_in_footer(),
            Command::Compare => Hint::new(Command::Compare).enabled_if(false, "this comparison is open; Esc goes back"),
            _ => hint,
        }
    }

    fn on(&mut self, event: PageEvent<'_>, cx: &mut PageCx<'_>) {
        match event {
            // A new chain invalidates both records; the page looks the chosen transaction up again.
            PageEvent::ChainChanged => {
                let record = KnownTx::Name(TxName::Cosmos(self.right.txhash));
                cx.replace(Destination::Tx { record, origin: None, position: None });
            }
            PageEvent::Shrink => self.sections = None,
            _ => {}
        }
    }

    fn update(&mut self, cx: &mut PageCx<'_>) {
        let rows = cx.regions.document_rows(cx.regions.body);
        self.make_lines(cx.context.address_style.clone(), &Arc::clone(&cx.context.glossary), usize::from(rows.width));
        self.document.fit(rows);
    }

    fn focus(&self) -> Option<Focus<'_>> {
        Some(Focus::Lines(&self.document))
    }

    fn focus_mut(&mut self) -> Option<FocusMut<'_>> {
        Some(FocusMut::Lines(&mut self.document))
    }

    fn act(&mut self, command: Command, cx: &mut PageCx<'_>) -> Handled {
        match command {
            Command::Open => {
                let Some((tx, position)) = self.position() else { return Handled::Pass };
                let record = KnownTx::Tx(Arc::clone(tx));
                cx.open(Destination::Tx { record, origin: Some(cx.id), position: Some(position.clone()) });
            }
            Command::NextTab | Command::PreviousTab | Command::NextPane => self.side = self.side.other(),
            _ => return Handled::Pass,
        }
        Handled::Done
    }

    fn selection(&self) -> Selection {
        Selection { tx: Some(Arc::clone(self.chosen())), ..Selection::default() }
    }

    fn held(&self) -> Held<'_> {
        Held { accounts: self.accounts.clone(), ..Held::default() }
    }
}
