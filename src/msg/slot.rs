use std::mem::Discriminant;

use super::Request;
use crate::domain::{Address, ChainId, TransferId};

/// Page in the explorer's history.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PageId(pub u32);

/// One of several concurrent requests of a kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lane(pub u8);

/// One of the routes that a quote compares.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, strum::EnumIter, strum::Display)]
pub enum RouteVariant {
    /// The router's default.
    #[default]
    Default,
    /// With `go_fast`: by a solver that fills the order; not always the fastest.
    #[strum(serialize = "Go Fast")]
    Fast,
    /// With `is_op_withdraw`.
    Optimistic,
}

/// Tells a page's requests apart, its lists aside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PageNeed {
    /// The page's only pending request of this kind.
    Kind(Discriminant<Request>),
    Record,
    /// Metadata or picture of an NFT in a gallery.
    Art(Lane),
    /// Lookup of pasted text.
    Reading(Lane),
    Quote(RouteVariant),
}

/// Part of a transfer that evidence concerns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WitnessOf {
    /// The first transaction, by its indexer.
    Source,
    /// The L1 transaction that enters the bridge to the destination, by the L1.
    Crossing,
    /// The arrival, by the destination's indexer.
    Arrival,
    /// The refund, by the indexer of the chain it returns to.
    Return,
    /// An optimistic withdrawal, by its executor and the L1.
    Settlement,
}

/// Identifies a request for cancelling. A new request in a slot replaces the previous one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Slot {
    /// `/status`, polled.
    Status,
    /// The average block time, polled.
    AvgBlockTime,
    /// The oldest block that the index holds.
    OldestBlock,
    /// The block of the newest status, for its time.
    NewestBlock,
    /// A block that identifies the chain.
    Anchor,
    /// Chain of the stored recents and transfers.
    Identity,
    /// Page of one of the explorer page's lists.
    List(PageId, Box<Request>),
    Page(PageId, PageNeed),
    /// Broadcast by the demo wallet. Never cancelled: the transaction may be on chain.
    Broadcast(PageId),
    /// The server's suggestions for the typed text.
    Suggestions,
    /// Lookup of the go-to input; several readings of one text run concurrently.
    GoTo(Lane),
    /// Response body to copy.
    CopiedBody,
    /// Name of a collection among the recents.
    NameOf(Address),
    Recents,
    /// Stored labels of accounts.
    Labels,
    /// Stored last view.
    View,
    /// Names by the rollup's own node.
    NodeNames,
    /// Symbols and decimals by token contracts.
    ContractUnits,
    Chains,
    Assets(ChainId),
    /// Whether the server has a demo wallet.
    DemoInfo,
    Transfers,
    /// Whether a typed hash is on this chain.
    TrackLookUp,
    /// Whether a hash of a list is on this chain.
    ListedLookUp,
    /// Registers a transfer's current transaction with the router.
    Track(TransferId),
    /// Claim by the demo wallet.
    Claim(TransferId),
    /// Proof for a claim by the user's own wallet.
    ClaimProof(TransferId),
    TransferStatus(TransferId),
    Witness(TransferId, WitnessOf),
}

/// Slot with a generation: a reply with an older generation is late and dropped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ticket {
    pub slot: Slot,
    /// Increases with every request of the session.
    pub generation: u64,
}
