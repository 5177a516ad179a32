//! Messages between the explorer's state machine (`app`) and the `worker`; the two share no other types.

pub mod ask;
mod listed;
mod metadata;
mod question;
mod remote;
mod signing;
mod slot;

use std::{sync::Arc, time::Duration};

use crate::{
    domain::{Address, EvmTxHash, Height, KeptView, LocalPacket, MsgType, PersonalEntry, TransferId, TransferRecord},
    signing::SigningOrder,
    wire::{ApiError, Exchange},
};

pub(crate) use remote::Remote;

pub use signing::{SigningId, SigningUpdate};

pub use ask::{Answer, Ask, Identification, Request};
pub use listed::{ListedRow, UnreadableRow};
pub use question::{AccountQuestion, L1Question, OpenQuestion, SettlementQuestion};
pub use slot::{Lane, PageId, PageNeed, RouteVariant, Slot, Ticket, WitnessOf};

pub use metadata::{Metadata, Picture, Trait, is_inline};

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Order {
    /// Newest first: `pagination.reverse=true` on the wire, the server's default.
    #[default]
    Descending,
    /// Oldest first.
    Ascending,
}

/// Cursor as received. It belongs to one endpoint, filter and order: never reuse it for another list.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct PageKey(pub Arc<str>);

#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub enum PageStart {
    #[default]
    Start,
    /// Position after the row with this key.
    Key(PageKey),
    /// Position after this number of rows.
    Offset(u64),
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct PageRequest {
    pub cursor: PageStart,
    /// Maximum number of rows, from 1 to 1000.
    pub limit: u16,
    pub order: Order,
    /// Whether to request a total. Counting is slow on large chains, so only the first page should request it.
    pub count_total: bool,
}

impl PageRequest {
    /// Returns the page of the newest `limit` rows, with a total.
    pub fn newest(limit: u16) -> Self {
        Self { cursor: PageStart::Start, limit, order: Order::Descending, count_total: true }
    }

    /// Returns the page of a block's or transaction's records, the oldest first, without a total.
    pub fn whole() -> Self {
        Self { cursor: PageStart::Start, limit: 500, order: Order::Ascending, count_total: false }
    }

    /// Returns a page with only the oldest row.
    pub fn oldest() -> Self {
        Self { cursor: PageStart::Start, limit: 1, order: Order::Ascending, count_total: false }
    }
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct TxQuery {
    pub scope: TxScope,
    /// Keeps transactions with a message of one of these types; an empty list keeps all.
    pub msgs: Vec<MsgType>,
}

impl TxQuery {
    /// Returns the query for an account's whole history.
    pub fn history(address: Address) -> Self {
        Self { scope: TxScope::Account { address, signer_only: false }, msgs: Vec::new() }
    }
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub enum TxScope {
    /// The whole chain.
    #[default]
    All,
    Account {
        address: Address,
        /// Whether to keep only transactions whose first signer is the account.
        signer_only: bool,
    },
    Height(Height),
    /// History of one NFT. The server has no message filter for it.
    Token(TokenName),
    /// Transactions with an event about one packet; only servers whose status says so have the list.
    Packet(LocalPacket),
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TokenName {
    pub collection: Address,
    /// Token id as received.
    pub token_id: Arc<str>,
}

impl TokenName {
    /// Whether the id needs no percent-encoding in a path. Servers that do not decode paths can find only such NFTs.
    pub fn is_addressable(&self) -> bool {
        let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~!$&'()*+,;=:@".contains(&byte);
        self.is_askable() && self.token_id.bytes().all(is_plain)
    }

    /// Whether a request can contain the id: an empty id, `.` and `..` would change the path.
    pub fn is_askable(&self) -> bool {
        !matches!(&*self.token_id, "" | "." | "..")
    }
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub enum CollectionScope {
    #[default]
    All,
    /// Collections in which an account owns at least one token.
    Owner(Address),
    /// Collections whose name or class name contains this text; only letters and digits count, in any case.
    Name(Arc<str>),
    /// As [`Name`](Self::Name), but in one request: only matches that the server finds.
    NameAtServer(Arc<str>),
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct TokenQuery {
    pub scope: TokenScope,
    /// Keeps only the NFT with exactly this id.
    pub token_id: Option<Arc<str>>,
    pub order_by: TokenOrder,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TokenScope {
    Owner {
        address: Address,
        /// Keeps only NFTs of this collection.
        collection: Option<Address>,
    },
    Collection(Address),
}

/// Sort key of a list of NFTs; [`PageRequest::order`] gives the direction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, strum::Display, strum::EnumString)]
#[strum(serialize_all = "snake_case")]
pub enum TokenOrder {
    /// By id. The server compares ids as text: 1, 10, 2.
    #[default]
    TokenId,
    /// By the height of the NFT's last mint, transfer or change.
    Height,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum EvmTxScope {
    #[default]
    All,
    Account {
        address: Address,
        /// Whether to keep only transactions that the account sent.
        signer_only: bool,
    },
    Height(Height),
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum InternalTxScope {
    #[default]
    All,
    Account(Address),
    Height(Height),
    Tx(EvmTxHash),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Total {
    /// Number of rows that the server counted for this list.
    Exact(u64),
    /// Height, highest sequence number or estimate of the database; shown with `≈`.
    About(u64),
    /// Not requested, or the server stopped counting (-1).
    Unknown,
}

impl Total {
    /// Returns the total plus `rows`, for a list that grows without a new count.
    #[must_use]
    pub fn plus(self, rows: usize) -> Self {
        let rows = u64::try_from(rows).unwrap_or(u64::MAX);
        match self {
            Self::Exact(total) => Self::Exact(total.saturating_add(rows)),
            Self::About(total) => Self::About(total.saturating_add(rows)),
            Self::Unknown => Self::Unknown,
        }
    }
}

/// Note for the user about a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Note {
    /// The server ignored the message filter, so the client filtered the rows.
    FilterIgnoredByServer {
        /// Number of rows before filtering.
        scanned: usize,
    },
    /// The server cannot filter this list reliably, so the client filtered the rows.
    FilteredHere {
        /// Number of rows before filtering.
        scanned: usize,
    },
    /// The server repeated a key or rows; paging stopped here.
    RepeatedKey,
    /// The list is empty. Real servers never find this id: its path needs percent-encoding, which they do not decode
    /// (`docs/apis/indexer.md` §6.2).
    IdNotAddressable,
    /// The index still backfills, so the size of the list is unknown.
    Filling {
        /// Lowest indexed block.
        oldest: Height,
    },
    /// The server failed on these rows; the page continues after them.
    LeftOut { rows: usize },
    /// A row does not match the API's schema.
    Unreadable(Arc<UnreadableRow>),
    /// The page was empty although a next page exists; paging stopped here.
    EmptyPage,
    /// The page was short but named this next page, as real servers' last pages do.
    ShortPage(PageKey),
}

/// Page without the server's flaws: `next` is present only if a next page may have rows.
#[derive(Clone, Debug)]
pub struct ListPage<T> {
    /// Rows in list order, without unreadable rows: see [`Note::Unreadable`].
    pub items: Vec<T>,
    pub next: Option<PageKey>,
    pub total: Total,
    pub notes: Vec<Note>,
}

impl Note {
    /// Whether backfilling may still add rows at the list's end.
    pub fn is_filling(&self) -> bool {
        matches!(self, Self::Filling { .. })
    }

    /// Returns the number of rows before the client filtered them; `None` for other notes.
    pub fn scanned(&self) -> Option<usize> {
        match self {
            Self::FilterIgnoredByServer { scanned } | Self::FilteredHere { scanned } => Some(*scanned),
            Self::RepeatedKey
            | Self::IdNotAddressable
            | Self::LeftOut { .. }
            | Self::Filling { .. }
            | Self::Unreadable(_)
            | Self::EmptyPage
            | Self::ShortPage(_) => None,
        }
    }

    pub fn short_page(&self) -> Option<&PageKey> {
        if let Self::ShortPage(key) = self { Some(key) } else { None }
    }

    pub fn unreadable(&self) -> Option<&Arc<UnreadableRow>> {
        if let Self::Unreadable(row) = self { Some(row) } else { None }
    }
}

impl<T> ListPage<T> {
    pub fn map<R>(self, make: impl Fn(T) -> R) -> ListPage<R> {
        let items = self.items.into_iter().map(make).collect();
        ListPage { items, next: self.next, total: self.total, notes: self.notes }
    }

    /// Returns the number of rows that the server sent, including filtered rows.
    pub fn scanned(&self) -> usize {
        self.notes.iter().find_map(Note::scanned).unwrap_or_else(|| self.items.len() + self.unreadable().count())
    }
}

/// Message from the state machine to the worker.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Instruction {
    /// Sends a request, and cancels the previous request in its slot.
    Fetch(Ticket, Request),
    Cancel(Slot),
    /// Stores the network's newest recent.
    Remember(String),
    /// Stores the user's entry; an empty text deletes it.
    KeepPersonal(PersonalEntry),
    /// Stores the current view, which the next session opens.
    KeepView(KeptView),
    Keep(Arc<TransferRecord>),
    /// Deletes a stored transfer.
    Forget(TransferId),
    /// Passes a transfer's outcome to the `on_end` program; each outcome once.
    TellOutcome(Arc<TransferOutcome>),
    /// Ends the stored scope of the chain, because another chain answers at the network's address.
    CloseChainScope,
    /// Sends an order to the browser wallet, on the open page with this id or on a new page.
    Sign(SigningId, SigningOrder),
    /// Closes the signing page with a reason. A broadcast in progress continues.
    StopSigning(SigningId, &'static str),
    /// Confirms the question in [`SigningUpdate::Asked`].
    AllowSigning(SigningId),
}

/// Outcome of a transfer, for the `on_end` program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TransferOutcome {
    pub id: TransferId,
    /// Name of the outcome, reported at most once per transfer.
    pub outcome: &'static str,
    /// The transfer as one line of JSON.
    pub facts: String,
}

/// Message from the worker to the state machine.
#[derive(Clone, Debug)]
pub enum Report {
    Reply(Ticket, Result<Answer, ApiError>),
    /// An attempt failed; the next attempt follows after `wait`.
    Retrying {
        ticket: Ticket,
        /// Number of the failed attempt, from 1.
        attempt: u32,
        wait: Duration,
        error: ApiError,
    },
    /// An HTTP exchange ended; each retry is an exchange.
    Exchange(Arc<Exchange>),
    /// Rows of a whole list that were received so far, of the server's total.
    Progress(Ticket, u64, Total),
    /// One of several nodes answered a request of the explorer; with its configured URL.
    NodeInUse(String),
    /// Problem outside of a request, such as a failure to store recents.
    Warning(String),
    /// Progress of an order in the browser wallet.
    Signing(SigningId, SigningUpdate),
}
