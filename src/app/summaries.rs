//! Rows of transactions in words: made for the rows on screen only, off the draw path, a few at a time.

use std::{sync::Arc, time::Duration};

use super::{App, account::AccountTab, view::View};
use crate::{
    columns::{Columns, List},
    domain::Address,
    panes::rows::{Telling, TxRow},
    widgets::layout::Regions,
};

/// Rows that are put into words in one update at the most: more than nearly every screen has.
const MOST_ROWS: usize = 100;
/// How much is read for that, in bytes: a hundred ordinary records have half of it.
const MOST_BYTES: usize = 1 << 20;
/// Until the rest follows.
const REST: Duration = Duration::from_millis(1);

impl App {
    /// Puts the rows on screen into words that are not yet. Where they are too many the rest follows soon.
    pub(super) fn put_rows_into_words(&mut self) {
        let regions = Regions::of(self.size);
        let mut telling = Telling { form: self.address_form, glossary: Arc::clone(&self.glossary), account: None };
        let (account, rows) = told_rows(self.navigation.current_mut(), &regions, &self.context.columns);
        telling.account = account;
        let (mut count, mut bytes) = (0, 0);
        self.has_untold_rows = false;
        for row in rows.filter(|row| !row.is_told(&telling)) {
            if count >= MOST_ROWS || bytes >= MOST_BYTES {
                self.has_untold_rows = true;
                break;
            }
            row.tell(&telling);
            (count, bytes) = (count + 1, bytes + row.weight());
        }
        self.effects.redraw |= count > 0;
    }

    /// Until the rows on screen that are left are put into words.
    pub(super) fn next_words(&self) -> Option<Duration> {
        self.has_untold_rows.then_some(REST)
    }
}

/// The rows on screen that say in words what a transaction did, and whose history they are.
fn told_rows<'a>(
    view: &'a mut View,
    regions: &Regions,
    columns: &Columns,
) -> (Option<Address>, Box<dyn Iterator<Item = &'a mut TxRow> + 'a>) {
    let (list, pane, account) = match view {
        View::Overview(view) => (&mut view.txs, regions.overview(view.focus).2, None),
        View::Txs(view) => (&mut view.list, regions.split().0, None),
        View::Block(page) if page.raw.is_none() => (&mut page.txs, regions.block_page().1, None),
        View::Account(page) if page.tab == AccountTab::Txs => {
            (&mut page.txs.list, regions.account_page().1, Some(page.address))
        }
        View::Token(page) if regions.list_rows(page.places(regions).history).height > 0 => {
            return (None, Box::new(page.other_rows()));
        }
        _ => return (None, Box::new(std::iter::empty())),
    };
    let kind = if account.is_some() { List::AccountTxs } else { List::Txs };
    let rows = regions.list_rows(pane);
    let has_words = rows.height > 0 && columns.have_words(kind, rows.width);
    if has_words { (account, Box::new(list.visible_mut())) } else { (None, Box::new(std::iter::empty())) }
}
