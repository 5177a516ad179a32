//! The screens, a folder each. They never see each other; [`PAGES`] is the list of them.

mod account;
mod blank;
mod block;
mod blocks;
mod compare;
mod overview;
mod results;
#[cfg(test)]
mod tests;
mod tx;
mod txs;

use crate::app::{
    Context, Pages,
    page::{Destination, Page, Tab},
};

/// The list of pages, for the session.
pub const PAGES: Pages = Pages { open };

/// The page of a destination.
fn open(destination: Destination, cx: &Context) -> Box<dyn Page> {
    let blank = |tab| -> Box<dyn Page> { Box::new(blank::Blank(tab)) };
    match destination {
        Destination::Tab(Tab::Overview) => Box::new(overview::OverviewPage::new()),
        Destination::Tab(Tab::Blocks) => Box::new(blocks::BlocksPage::new()),
        Destination::Tab(Tab::Txs) => Box::new(txs::TxsPage::new()),
        Destination::Tab(Tab::Nfts) => blank(Tab::Nfts),
        Destination::Tab(Tab::RichList) | Destination::Holders(_) => blank(Tab::RichList),
        Destination::Tab(Tab::Bridge) | Destination::QuoteFrom(..) => blank(Tab::Bridge),
        Destination::Block(height, block) => Box::new(block::BlockPage::new(height, block, cx.now)),
        Destination::Tx { record, origin, spot } => tx::open(record, origin, spot, cx),
        Destination::Compare(marked, other) => compare::open(marked, other),
        Destination::Collection { .. } => blank(Tab::Nfts),
        Destination::Token { .. } => blank(Tab::Nfts),
        Destination::Account(address) => Box::new(account::AccountPage::new(address)),
        Destination::CollectionsOf(_) => blank(Tab::Nfts),
        Destination::Results(several) => Box::new(results::ResultsPage::new(several, cx.now)),
        Destination::Send(..) => blank(Tab::Bridge),
        Destination::SendNext(..) => blank(Tab::Bridge),
        Destination::Transfer(_) => blank(Tab::Bridge),
    }
}
