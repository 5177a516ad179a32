//! Pages, one folder each. Pages never import each other; the session opens them through [`PAGES`].

mod account;
mod block;
mod blocks;
mod bridge;
mod collection;
mod collections;
mod compare;
mod holders;
mod overview;
mod results;
mod send;
#[cfg(test)]
mod tests;
mod token;
mod transfer;
mod tx;
mod txs;

use crate::app::{
    Context, Pages,
    page::{Destination, Page, Tab},
};

pub const PAGES: Pages = Pages { open };

fn open(destination: Destination, cx: &Context) -> Box<dyn Page> {
    match destination {
        Destination::Tab(Tab::Overview) => Box::new(overview::OverviewPage::new()),
        Destination::Tab(Tab::Blocks) => Box::new(blocks::BlocksPage::new()),
        Destination::Tab(Tab::Txs) | Destination::TxsOf(_) => Box::new(txs::TxsPage::new()),
        Destination::Tab(Tab::Nfts) => Box::new(collections::CollectionsPage::new(None)),
        Destination::Tab(Tab::RichList) | Destination::Holders(_) => Box::new(holders::HoldersPage::new()),
        Destination::Tab(Tab::Bridge) | Destination::QuoteFrom(..) | Destination::Transfers => {
            Box::new(bridge::BridgePage::default())
        }
        Destination::Block(height, block) => Box::new(block::BlockPage::new(height, block, cx.now)),
        Destination::Tx { record, origin, position } => tx::open(record, origin, position, cx),
        Destination::Compare(marked, other) => compare::open(marked, other),
        Destination::Collection { address, record, owner, origin } => {
            Box::new(collection::CollectionPage::open(address, record, owner, origin, cx.now))
        }
        Destination::Token { name, record, origin, is_asked } => {
            Box::new(token::TokenPage::open(name, record, origin, is_asked, cx.now))
        }
        Destination::Account(address) => Box::new(account::AccountPage::new(address)),
        Destination::AccountAt(address, hash) => Box::new(account::AccountPage::at(address, hash)),
        Destination::CollectionsOf(owner) => Box::new(collections::CollectionsPage::new(Some(owner))),
        Destination::Results(several) => Box::new(results::ResultsPage::new(several, cx.now)),
        Destination::Send(request, route, quoted) => send::open(*request, route, quoted),
        Destination::SendNext(record, route, tx) => send::open_next(&record, route, tx),
        Destination::SignNext(record, route, tx) => send::sign_next(&record, route, tx),
        Destination::Transfer(id) => Box::new(transfer::TransferPage::new(id)),
    }
}
