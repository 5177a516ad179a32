//! The screens, a folder each. They never see each other; [`PAGES`] is the list of them.

mod blank;
mod bridge;
#[cfg(test)]
mod tests;
mod transfer;

use crate::app::{
    Context, Pages,
    page::{Destination, Page, Tab},
};

/// The list of pages, for the session.
pub const PAGES: Pages = Pages { open };

/// The page of a destination.
fn open(destination: Destination, _cx: &Context) -> Box<dyn Page> {
    let blank = |tab| -> Box<dyn Page> { Box::new(blank::Blank(tab)) };
    match destination {
        Destination::Tab(Tab::Overview) => blank(Tab::Overview),
        Destination::Tab(Tab::Blocks) => blank(Tab::Blocks),
        Destination::Tab(Tab::Txs) => blank(Tab::Txs),
        Destination::Tab(Tab::Nfts) => blank(Tab::Nfts),
        Destination::Tab(Tab::RichList) | Destination::Holders(_) => blank(Tab::RichList),
        Destination::Tab(Tab::Bridge) | Destination::QuoteFrom(..) => Box::new(bridge::BridgePage::default()),
        Destination::Block(..) => blank(Tab::Blocks),
        Destination::Tx { .. } => blank(Tab::Txs),
        Destination::Compare(..) => blank(Tab::Txs),
        Destination::Collection { .. } => blank(Tab::Nfts),
        Destination::Token { .. } => blank(Tab::Nfts),
        Destination::Account(_) => blank(Tab::Txs),
        Destination::CollectionsOf(_) => blank(Tab::Nfts),
        Destination::Results(_) => blank(Tab::Overview),
        Destination::Send(..) => blank(Tab::Bridge),
        Destination::SendNext(..) => blank(Tab::Bridge),
        Destination::Transfer(id) => Box::new(transfer::TransferPage::new(id)),
    }
}
