use super::Request;
use crate::domain::{Address, ChainId, TransferId};

/// Names a page of the explorer's history.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PageId(pub u32);

/// One of a few requests of the same kind that a page has under way at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lane(pub u8);

/// Which of the routes that a quote compares.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, strum::EnumIter, strum::Display)]
pub enum RouteVariant {
    /// As the router likes best.
    #[default]
    Default,
    /// With `go_fast`: by a solver, where one takes the order; not always the quickest.
    #[strum(serialize = "Go Fast")]
    Fast,
    /// With `is_op_withdraw`.
    Optimistic,
}

/// What a page asks for beside the pages of its lists.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PageNeed {
    /// The record that the page is of.
    Record,
    /// The receipts of a transaction's block.
    Receipts,
    /// The transactions of a transaction's block.
    BlockTxs,
    /// The call frames of a transaction.
    Frames,
    /// A rich list in which an account is looked for.
    Holdings,
    /// What an account holds, by the node.
    Balances,
    /// The first tokens of the selected collection.
    Sample,
    /// The metadata of the NFT that the page is of.
    Metadata,
    /// Its picture.
    Picture,
    /// Metadata or picture of an NFT in a gallery.
    Art(Lane),
    /// Something that was pasted, looked up.
    Reading(Lane),
    /// A route for the form.
    Quote(RouteVariant),
    /// What one's account holds on a chain, beside the assets to choose from.
    Held,
    /// What the asset to send can become.
    Reach,
    /// The accepted route, asked for again before it is sent.
    Requote,
    /// What is to be signed as a hook.
    OpHook,
    /// The hook, signed by the demo wallet.
    Signature,
    /// The messages of a route.
    Messages,
    /// A file that a person named.
    File,
    /// The newest transactions of a signer, in which one that was signed elsewhere is looked for.
    Sought,
}

/// What an indexer says of a transfer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WitnessOf {
    /// Of the transaction that it began with.
    Source,
    /// Not an indexer, but the L1, of the transaction from which the bridge to the destination begins.
    Crossing,
    /// Of the funds' arrival.
    Arrival,
    /// Of what came back.
    Return,
    /// Not an indexer, but the executor and the L1, of an optimistic withdrawal.
    Settlement,
}

/// Who will use an answer, and what for. A new request in a slot replaces the one before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Slot {
    /// `/status`, polled.
    Status,
    /// The average block time, polled.
    AvgBlockTime,
    /// The oldest block that the index holds.
    OldestBlock,
    /// The block at the height of the newest status: its time dates that height.
    NewestBlock,
    /// A block that tells whether it is still the same chain.
    Anchor,
    /// Under which chain the store keeps what it keeps.
    Identity,
    /// A page of one of the page's lists, polled or further down.
    List(PageId, Box<Request>),
    /// Something else that the page wants to know.
    Page(PageId, PageNeed),
    /// The hash of what the demo wallet was given by this page: may have been sent, so it is waited for wherever one goes.
    Broadcast(PageId),
    /// Suggestions of the server for what is being typed.
    Suggestions,
    /// A go-to look-up: several readings of one text are tried at once.
    GoTo(Lane),
    /// The body of an answer, which is copied.
    CopiedBody,
    /// What a collection among the recents calls itself.
    NameOf(Address),
    /// The recents kept from earlier sessions.
    Recents,
    /// The person's own names of accounts.
    Labels,
    /// The view that the last session ended with.
    View,
    /// What the rollup's own node tells of names.
    NodeNames,
    /// What token contracts call themselves.
    ContractUnits,
    /// The router's chains.
    Chains,
    /// The router's assets of one chain.
    Assets(ChainId),
    /// Whether the server has a demo wallet.
    DemoInfo,
    /// The transfers kept from earlier sessions.
    Transfers,
    /// Whether a typed hash is of this chain.
    TrackLookUp,
    /// Whether a hash of a list is of this chain.
    ListedLookUp,
    /// The registration of a kept transfer's current transaction.
    Track(TransferId),
    /// The claim of a kept transfer's withdrawal, which the demo wallet was given.
    Claim(TransferId),
    /// What the executor and the L1 say of a withdrawal that the person's own wallet is to claim.
    ClaimProof(TransferId),
    /// The status of a kept transfer's current transaction.
    TransferStatus(TransferId),
    /// What an indexer says of a kept transfer.
    Witness(TransferId, WitnessOf),
}

/// A slot, and which of its requests: a reply of another generation is late and is dropped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ticket {
    /// Who asked.
    pub slot: Slot,
    /// Counts up in the whole session.
    pub generation: u64,
}
