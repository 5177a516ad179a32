//! Request at the browser wallet, and its stage.

use crate::{
    domain::{BroadcastHash, TransferId, text::Foreign},
    msg::{PageId, SigningId},
    signing::{ApprovalStep, OfferWords},
};

/// Origin of a signing request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum SigningOrigin {
    Page(PageId),
    /// A kept transfer, for the claim of its withdrawal.
    Claim(Vec<TransferId>),
    /// Page that requested the wallet's accounts; any page can use them.
    Accounts(PageId),
}

#[derive(Debug)]
pub(crate) struct BrowserSigning {
    pub(super) id: SigningId,
    pub(super) origin: SigningOrigin,
    /// Kept transfer that the transaction begins or continues.
    pub(super) transfer: Option<TransferId>,
    /// Whether the transaction is the last of the transfer.
    pub(super) is_last: bool,
    /// URL of the signing page, once it is served.
    pub(crate) address: Option<String>,
    /// Command for an SSH tunnel, if the browser runs on another machine.
    pub(crate) tunnel: Option<String>,
    pub(crate) is_opened: bool,
    pub(crate) wallet: Option<(Foreign, Foreign)>,
    pub(crate) approvals: Vec<(ApprovalStep, BroadcastHash)>,
    pub(crate) stage: BrowserStage,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum BrowserStage {
    /// rollscope reads account, gas and fee from the chain.
    Preparing,
    /// The user must confirm this text a second time.
    Asked(String),
    /// Description of the request on the browser page.
    Offered(OfferWords),
    /// The transaction is being broadcast and cannot be cancelled.
    Sending(BroadcastHash),
    /// The page waits for the next request.
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

    /// Whether this page requested the signature.
    pub(crate) fn is_of(&self, page: Option<PageId>) -> bool {
        matches!(self.origin, SigningOrigin::Page(own) | SigningOrigin::Accounts(own) if Some(own) == page)
    }

    /// Whether the signature claims this transfer's withdrawal.
    pub(crate) fn claims(&self, id: &TransferId) -> bool {
        matches!(&self.origin, SigningOrigin::Claim(own) if own.contains(id))
    }

    /// Whether the wallet has the request, or soon gets it.
    pub(crate) fn is_with_wallet(&self) -> bool {
        matches!(self.stage, BrowserStage::Preparing | BrowserStage::Asked(_) | BrowserStage::Offered(_))
    }

    /// Whether the transaction is being broadcast.
    pub(crate) fn is_sending(&self) -> bool {
        matches!(self.stage, BrowserStage::Sending(_))
    }

    /// Whether Esc can cancel the request, or close a page that waits after a hook.
    pub(crate) fn can_cancel(&self) -> bool {
        self.is_with_wallet() || self.stage == BrowserStage::Waiting && self.transfer.is_none()
    }

    /// Whether the open page waits for the next request of this page or transfer.
    pub(crate) fn awaits(&self, page: PageId, further: Option<&TransferId>) -> bool {
        let is_of_transfer = self.transfer.is_some() && self.transfer.as_ref() == further;
        let is_connected = matches!(self.origin, SigningOrigin::Accounts(_));
        let is_ours = is_connected || self.is_of(Some(page));
        self.stage == BrowserStage::Waiting && (is_of_transfer || self.transfer.is_none() && is_ours)
    }
}
