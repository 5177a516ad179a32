//! Request at the browser wallet, and its stage.

use crate::{
    domain::{BroadcastHash, TransferId},
    msg::{PageId, SigningId},
    signing::OfferWords,
};

/// Owner of a signing request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum SigningOrigin {
    /// Send page.
    Page(PageId),
    /// Kept transfer whose withdrawal is claimed.
    Claim(TransferId),
}

#[derive(Debug)]
pub(crate) struct BrowserSigning {
    pub(super) id: SigningId,
    pub(super) origin: SigningOrigin,
    /// Transfer that continues with the transaction, once kept.
    pub(super) transfer: Option<TransferId>,
    /// Whether this is the last transaction of the transfer.
    pub(super) is_last: bool,
    /// URL of the page, once served.
    pub(crate) address: Option<String>,
    /// SSH tunnel command that the browser's machine needs.
    pub(crate) tunnel: Option<String>,
    pub(crate) is_opened: bool,
    /// Name of the wallet, and its account.
    pub(crate) wallet: Option<(String, String)>,
    pub(crate) approvals: Vec<BroadcastHash>,
    pub(crate) stage: BrowserStage,
}

/// Stage of a signing request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum BrowserStage {
    /// Querying the chain for account, gas and fee.
    Preparing,
    /// Waiting for a second confirmation of this text.
    Asked(String),
    /// Request on the browser page, with these words.
    Offered(OfferWords),
    /// Broadcasting: cannot be cancelled.
    Sending(BroadcastHash),
    /// Open for the next request.
    Waiting,
}

impl BrowserSigning {
    pub(super) fn new(id: SigningId, origin: SigningOrigin, transfer: Option<TransferId>, is_last: bool) -> Self {
        Self {
            id,
            origin,
            transfer,
            is_last,
            address: None,
            tunnel: None,
            is_opened: false,
            wallet: None,
            approvals: Vec::new(),
            stage: BrowserStage::Preparing,
        }
    }

    /// Whether this page owns the request.
    pub(crate) fn is_of(&self, page: Option<PageId>) -> bool {
        matches!(self.origin, SigningOrigin::Page(own) if Some(own) == page)
    }

    /// Whether the request claims this transfer's withdrawal.
    pub(crate) fn claims(&self, id: &TransferId) -> bool {
        matches!(&self.origin, SigningOrigin::Claim(own) if own == id)
    }

    /// Whether the wallet has the request, or is about to get it.
    pub(crate) fn is_with_wallet(&self) -> bool {
        matches!(self.stage, BrowserStage::Preparing | BrowserStage::Asked(_) | BrowserStage::Offered(_))
    }

    /// Whether Esc can cancel the request; includes a page that waits behind a hook.
    pub(crate) fn can_cancel(&self) -> bool {
        self.is_with_wallet() || self.stage == BrowserStage::Waiting && self.transfer.is_none()
    }

    /// Whether the open request waits for the next request of this page or transfer.
    pub(crate) fn awaits(&self, page: PageId, further: Option<&TransferId>) -> bool {
        let is_of_transfer = self.transfer.is_some() && self.transfer.as_ref() == further;
        self.stage == BrowserStage::Waiting && (is_of_transfer || self.transfer.is_none() && self.is_of(Some(page)))
    }
}
