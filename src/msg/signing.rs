//! What goes on while the wallet in the browser signs.

use std::sync::Arc;

use crate::{
    domain::{BroadcastHash, ChainId, TransferRecord},
    signing::{NotedRecord, OfferWords},
    wire::router::SignedOpHook,
};

/// Names a page in the browser, from its opening to its end. Counts up in the whole session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SigningId(pub u64);

/// Something that happened to what was handed to the browser's wallet. What the page says of itself is only said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SigningNews {
    /// The page waits for a browser.
    Served {
        /// Where; works once.
        address: String,
        /// What must run beside the browser first, where this terminal is of another machine.
        tunnel: Option<String>,
    },
    /// A browser has it.
    Opened,
    /// The person chose a wallet; cleaned.
    Connected {
        /// As it calls itself.
        wallet: String,
        /// The account that it will sign with.
        account: String,
    },
    /// It goes on only with a second yes of the person, to this.
    Asked(String),
    /// The page shows this now, fee included.
    Shown(OfferWords),
    /// The wallet sent an allowance; the transaction follows when that is in a block.
    ApprovalSent(BroadcastHash),
    /// The signature is right and the hash is kept; it is being sent.
    Signed(BroadcastHash),
    /// It was sent, or may have been: it is kept and to be followed.
    Sent {
        /// As it is kept.
        record: Arc<TransferRecord>,
        /// What is not known of it, in words.
        doubt: Option<String>,
    },
    /// The claim of what a kept transfer withdrew was sent, or may have been: it is noted in that.
    ClaimSent {
        /// The transfer as it is kept.
        record: Arc<TransferRecord>,
        /// Where it was sent.
        chain_id: ChainId,
        /// Its hash.
        hash: BroadcastHash,
        /// What is not known of it, in words.
        doubt: Option<String>,
    },
    /// The hook was signed.
    Hook(SignedOpHook),
    /// Nothing was sent, in words why. The page is over.
    Failed {
        /// Why, and what to do.
        words: String,
        /// The kept transfer, where something was signed for it, and the transaction that is none of it.
        refused: Option<Box<NotedRecord>>,
    },
    /// The wallet sent it after nobody waited any more: it is kept and to be followed.
    Late(Arc<TransferRecord>),
    /// The page in the browser is over, with nothing under way.
    Gone,
}
