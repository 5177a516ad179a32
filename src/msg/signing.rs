//! Progress of signing in the browser wallet.

use std::sync::Arc;

use crate::{
    domain::{BroadcastHash, ChainId, TransferRecord},
    signing::{NotedRecord, OfferWords},
    wire::router::SignedOpHook,
};

/// Id of a signing page, unique within the session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SigningId(pub u64);

/// Update on an order for the browser wallet. The page's own claims are unproven.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SigningUpdate {
    /// The page waits for a browser.
    Served {
        address: String,
        /// SSH tunnel command for the browser's machine, if the terminal is remote.
        tunnel: Option<String>,
    },
    /// A browser opened the page.
    Opened,
    /// The user chose a wallet; cleaned.
    Connected {
        wallet: String,
        /// Account that will sign.
        account: String,
    },
    /// The user must confirm this text to continue.
    Asked(String),
    /// The page shows this now, including the fee.
    Shown(OfferWords),
    /// The wallet sent an approval; the transaction follows once that is in a block.
    ApprovalSent(BroadcastHash),
    /// The signature is valid and the hash stored; the broadcast is in progress.
    Signed(BroadcastHash),
    /// The transaction was or may have been broadcast; it is stored and must be tracked.
    Sent {
        record: Arc<TransferRecord>,
        /// Unknown fact about the transaction, as a sentence.
        doubt: Option<String>,
    },
    /// The claim of a kept transfer was or may have been broadcast; its record says so.
    ClaimSent {
        record: Arc<TransferRecord>,
        chain_id: ChainId,
        hash: BroadcastHash,
        /// Unknown fact about the claim, as a sentence.
        doubt: Option<String>,
    },
    Hook(SignedOpHook),
    /// Signing failed without a broadcast. The page has ended.
    Failed {
        /// Reason and advice.
        words: String,
        /// Kept transfer of the signing request, and the transaction to remove from it.
        refused: Option<Box<NotedRecord>>,
    },
    /// The wallet broadcast after the request ended: the transfer is stored and must be tracked.
    Late(Arc<TransferRecord>),
    /// The browser page has ended without a pending request.
    Gone,
}
