//! The screens, a folder each. They never see each other; [`PAGES`] is the list of them.

mod blank;
mod collection;
mod collections;
mod holders;
#[cfg(test)]
mod tests;
mod token;

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
        Destination::Tab(Tab::Overview) => blank(Tab::Overview),
        Destination::Tab(Tab::Blocks) => blank(Tab::Blocks),
        Destination::Tab(Tab::Txs) => blank(Tab::Txs),
        Destination::Tab(Tab::Nfts) => Box::new(collections::CollectionsPage::new(None)),
        Destination::Tab(Tab::RichList) | Destination::Holders(_) => Box::new(holders::HoldersPage::new()),
        Destination::Tab(Tab::Bridge) | Destination::QuoteFrom(..) => blank(Tab::Bridge),
        Destination::Block(..) => blank(Tab::Blocks),
        Destination::Tx { .. } => blank(Tab::Txs),
        Destination::Compare(..) => blank(Tab::Txs),
        Destination::Collection { address, record, owner, origin } => {
            Box::new(collection::CollectionPage::open(address, record, owner, origin, cx.now))
        }
        Destination::Token { name, record, origin, is_asked } => {
            Box::new(token::TokenPage::open(name, record, origin, is_asked, cx.now))
        }
        Destination::Account(_) => blank(Tab::Txs),
        Destination::CollectionsOf(owner) => Box::new(collections::CollectionsPage::new(Some(owner))),
        Destination::Results(_) => blank(Tab::Overview),
        Destination::Send(..) => blank(Tab::Bridge),
        Destination::SendNext(..) => blank(Tab::Bridge),
        Destination::Transfer(_) => blank(Tab::Bridge),
    }
}
