//! The Bridge tab: quotes on its first side, all transfers on its second; and the page where a route is made ready to be
//! sent. What the router says of chains and assets is in `directory`, shared by all of them.

pub(crate) mod prepare;
pub(crate) mod quote;

use super::{transfers::Board, view::PageId};
use crate::widgets::layout::Regions;
use quote::QuoteSide;

/// The sides of the Bridge tab.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, strum::EnumIter, strum::Display)]
pub(crate) enum BridgeSide {
    /// A form and the routes for it.
    #[default]
    Quote,
    /// All transfers, live ones first.
    Transfers,
}

impl BridgeSide {
    /// The other one.
    pub(crate) fn other(self) -> Self {
        match self {
            Self::Quote => Self::Transfers,
            Self::Transfers => Self::Quote,
        }
    }
}

/// The sixth tab.
#[derive(Debug)]
pub(crate) struct BridgeView {
    /// Which side is shown.
    pub(crate) side: BridgeSide,
    /// The form and its routes.
    pub(crate) quote: QuoteSide,
    /// The transfers.
    pub(crate) board: Board,
}

impl BridgeView {
    /// Before anything was typed.
    pub(crate) fn new(_id: PageId) -> Self {
        Self { side: BridgeSide::default(), quote: QuoteSide::default(), board: Board::new() }
    }

    /// Gives both sides their room.
    pub(crate) fn fit(&mut self, regions: &Regions) {
        self.quote.fit(regions);
        self.board.fit(regions);
    }
}
