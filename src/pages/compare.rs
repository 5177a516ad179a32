//! Two transactions side by side: one is marked, the other open or selected.

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
        page::{Cx, Destination, Drawing, Handled, KnownTx, Page, Surroundings, Tab, TxName},
    },
    config::{Command, KeyScope},
    domain::Address,
    panes::commands::{filter_lines, folds, of_tx, open_line},
    widgets::{canvas::Canvas, cursor::Cursor, document::Lines, layout::Regions},
    wire::Tx,
};

/// The comparison of the marked transaction with another one.
pub(super) fn open(marked: Arc<Tx>, other: Arc<Tx>) -> Box<dyn Page> {
    Box::new(ComparePage::new(marked, other))
}

impl Page for ComparePage {
    fn title(&self) -> String {
        format!("Compare {} with {}", self.left.txhash.short(), self.right.txhash.short())
    }

    fn tab(&self) -> Tab {
        Tab::Txs
    }

    fn scope(&self) -> KeyScope {
        KeyScope::TxPage
    }

    fn fit(&mut self, regions: &Regions, _cx: &Context) {
        let rows = regions.document_rows(regions.body);
        self.document.set_room(usize::from(rows.width), usize::from(rows.height));
    }

    fn draw(&self, canvas: &mut Canvas<'_>, cx: &Drawing<'_>) {
        draw::draw(canvas, cx, self);
    }

    fn commands(&self, cx: &Context, _surroundings: &Surroundings) -> Vec<Hint> {
        let document = Some(&self.document);
        let [_, signer, block, mark] = of_tx(true, Some(self.chosen().txhash), cx);
        let open = if self.position().is_some() { Hint::of(Command::Open) } else { open_line(document) };
        let side = |command| Hint::of(command).called("other side");
        let [fold, fold_all, unfold_all] = folds(document);
        vec![
            open,
            Hint::of(Command::Back),
            side(Command::NextTab),
            fold,
            filter_lines(document),
            fold_all,
            unfold_all,
            side(Command::PreviousTab).spare(),
            side(Command::NextPane).spare(),
            block,
            signer,
            mark,
            Hint::of(Command::Compare).needs(false, "these two are compared here; Esc goes back"),
        ]
    }

    /// Two records of a chain that is gone compare nothing; the one that was chosen is looked for.
    fn restart(&mut self) -> Option<Destination> {
        let record = KnownTx::Name(TxName::Cosmos(self.right.txhash));
        Some(Destination::Tx { record, origin: None, position: None })
    }

    fn update(&mut self, cx: &mut Cx<'_>) {
        let regions = Regions::of(cx.size);
        let width = usize::from(regions.document_rows(regions.body).width);
        self.make_lines(cx.address_style.clone(), &Arc::clone(&cx.glossary), width);
    }

    fn accounts(&self) -> Vec<Address> {
        self.accounts.clone()
    }

    fn cursor(&self) -> Option<&dyn Cursor> {
        Some(&self.document)
    }

    fn cursor_mut(&mut self) -> Option<&mut dyn Cursor> {
        Some(&mut self.document)
    }

    fn document(&self) -> Option<&dyn Lines> {
        Some(&self.document)
    }

    fn document_mut(&mut self) -> Option<&mut dyn Lines> {
        Some(&mut self.document)
    }

    fn act(&mut self, command: Command, cx: &mut Cx<'_>) -> Handled {
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

    fn selected_tx(&self) -> Option<Arc<Tx>> {
        Some(Arc::clone(self.chosen()))
    }

    fn shows_marked(&self) -> bool {
        true
    }

    fn shrink(&mut self) {
        self.sections = None;
    }
}
