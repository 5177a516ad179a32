//! Progress of signing in the browser wallet.

use std::sync::Arc;

use crate::{
    domain::{BroadcastHash, ChainId, TransferRecord, text::Foreign},
    signing::{ApprovalStep, NotedRecord, OfferWords, WalletAccounts},
    wire::router::SignedOpHook,
};

/// Id of a signing page, unique within the session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SigningId(pub u64);

/// Update about an order in the browser wallet. Statements of the browser page are unproven.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SigningUpdate {
    /// The page waits for a browser.
    Served {
        address: String,
        /// SSH tunnel command for the browser's machine; `None` if the terminal runs on that machine.
        tunnel: Option<String>,
    },
    Opened,
    /// The user chose a wallet; cleaned texts.
    Connected {
        wallet: Foreign,
        account: Foreign,
    },
    /// The user must confirm this text to continue.
    Asked(String),
    /// The page now shows this text, including the fee.
    Shown(OfferWords),
    /// The wallet changed an allowance; the next request follows after a block includes this transaction.
    ApprovalSent(ApprovalStep, BroadcastHash),
    /// The signature is valid and the hash is stored; the broadcast is in progress.
    Signed(BroadcastHash),
    /// The transaction was broadcast, or may have been; the transfer is stored and must be tracked.
    Sent {
        record: Arc<TransferRecord>,
        /// Sentence about the uncertainty of the broadcast; `None` if certain.
        doubt: Option<String>,
    },
    /// The claim of stored transfers was broadcast, or may have been; the transfers' records contain it.
    ClaimSent {
        records: Vec<Arc<TransferRecord>>,
        chain_id: ChainId,
        hash: BroadcastHash,
        /// Sentence about the uncertainty of the claim; `None` if certain.
        doubt: Option<String>,
    },
    Hook(SignedOpHook),
    /// The wallet showed its accounts; the page stays open.
    Accounts(WalletAccounts),
    /// Signing failed without a broadcast, and the page is closed.
    Failed {
        /// Reason and advice for the user.
        words: String,
        /// Stored transfers of the signing request, with the transaction to remove from them.
        refused: Vec<NotedRecord>,
    },
    /// The wallet broadcast after the request ended: the transfer is stored and must be tracked.
    Late(Arc<TransferRecord>),
    /// The browser page closed without a pending request.
    Gone,
}
