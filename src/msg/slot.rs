use std::mem::Discriminant;

use super::Request;
use crate::domain::{Address, ChainId, TransferId};

/// Page in the explorer's history.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PageId(pub u32);

/// Number that separates concurrent requests of one kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lane(pub u8);

/// Kind of route that a quote compares.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, strum::EnumIter, strum::Display)]
pub enum RouteVariant {
    /// Default of the router.
    #[default]
    Default,
    /// Route with `go_fast`: a solver fills the order; not always the fastest route.
    #[strum(serialize = "Go Fast")]
    Fast,
    /// Route with `is_op_withdraw`.
    Optimistic,
}

/// Purpose of a page's request, except for requests of lists.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PageNeed {
    /// The page's only request of this kind.
    Kind(Discriminant<Request>),
    Record,
    /// Metadata or picture of an NFT in a gallery.
    Art(Lane),
    /// Lookup of pasted text.
    Reading(Lane),
    Quote(RouteVariant),
    /// Transactions of a packet.
    Packet,
    /// Blocks before a block.
    Neighbours,
}

/// Part of a transfer for which evidence is requested.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WitnessOf {
    /// First transaction, from the indexer of its chain.
    Source,
    /// Duration, from the router's route for the same funds.
    Estimate,
    /// L1 transaction that enters the destination's bridge, from the L1.
    Crossing,
    /// Arrival, from the destination's indexer.
    Arrival,
    /// Refund, from the indexer of the refunded chain.
    Return,
    /// Optimistic withdrawal, from its executor and the L1.
    Settlement,
    /// Whether a transaction can still be included, from the node of its terms.
    Expiry,
}

/// Place of a request. A new request in a slot cancels the previous request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Slot {
    /// Polled `/status`.
    Status,
    AvgBlockTime,
    /// Oldest block of the index.
    OldestBlock,
    /// Block of the newest status, requested for its time.
    NewestBlock,
    /// Block that identifies the chain.
    Anchor,
    /// Chain of the stored recents and transfers.
    Identity,
    /// Page of a list on one of the explorer's pages.
    List(PageId, Box<Request>),
    Page(PageId, PageNeed),
    /// Broadcast by the demo wallet. Never cancelled: the transaction may be on chain.
    Broadcast(PageId),
    /// Suggestions of the server for the typed text.
    Suggestions,
    /// Lookup of the go-to input; several targets of one text are looked up concurrently.
    GoTo(Lane),
    /// Servers of a network that a link or file describes.
    OfferedNetwork,
    /// Whole list that is written to a file.
    Export,
    /// Response body that the user copies.
    CopiedBody,
    /// Name of a collection among the recents.
    NameOf(Address),
    Recents,
    Personal,
    /// Stored view of the last session.
    View,
    NodeNames,
    /// Names and units of the denoms on screen.
    DenomReports,
    /// What the calls of a failed transaction on screen returned.
    Returned,
    /// Name of a collection on screen.
    CollectionName,
    Chains,
    Assets(ChainId),
    /// Description of the demo wallet, if the server has one.
    DemoInfo,
    /// Change of the embedded rollup's faults.
    DemoFaults,
    Transfers,
    /// Lookup of a typed hash on this chain.
    TrackLookUp,
    /// Lookup of a hash from a list on this chain.
    ListedLookUp,
    /// Registration of a transfer's current transaction with the router.
    Track(TransferId),
    /// Claim by the demo wallet.
    Claim(TransferId),
    /// Proof for a claim by the user's own wallet.
    ClaimProof(TransferId),
    /// Proofs for the claims of an account's withdrawals by the user's own wallet.
    ClaimProofs(Address),
    /// Simulation of a claim by the user's own wallet.
    ClaimSimulation,
    /// Unclaimed withdrawals of an account.
    OpenWithdrawals(Address),
    TransferStatus(TransferId),
    Witness(TransferId, WitnessOf),
}

/// Slot with a generation: the session drops a reply of an older generation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ticket {
    pub slot: Slot,
    /// Number that increases with every request of the session.
    pub generation: u64,
}
