//! The only vocabulary between the explorer's state machine (`app`) and the side that does things (`worker`).

mod listed;
mod metadata;
mod question;
mod remote;
mod signing;
mod slot;

use std::{sync::Arc, time::Duration};

use crate::{
    domain::{
        Address, ChainId, ChainSighting, Denom, EvmTxHash, Height, KeptView, MsgType, TransferId, TransferRecord,
        TxHash,
    },
    signing::SigningOrder,
    wire::{
        self, ApiError, Exchange, Verbatim,
        opinit::SettlementAnswers,
        router::{
            Asset, BalancesRequest, BalancesResponse, Broadcast, BroadcastRequest, ChainInfo, DemoInfo, MsgsRequest,
            MsgsResponse, OpHook, OpHookRequest, ReachRequest, ReachResponse, Route, RouteRequest, SignedOpHook,
            TrackRequest, TrackResponse, TransferStatus,
        },
    },
};

pub(crate) use remote::Remote;

pub use signing::{SigningId, SigningNews};

pub use listed::{ListedRow, UnreadableRow};
pub use question::{L1Question, SettlementQuestion};
pub use slot::{Lane, PageId, PageNeed, RouteVariant, Slot, Ticket, WitnessOf};

pub use metadata::{Metadata, Picture, Trait, is_inline};

/// From the newest down, or from the oldest up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Order {
    /// Newest first; the wire's `pagination.reverse=true`, its default.
    #[default]
    Descending,
    /// Oldest first.
    Ascending,
}

/// A cursor as the server gave it. Bound to its endpoint, filter and order: never reuse it for another list.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct PageKey(pub Arc<str>);

/// Where a page starts.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub enum PageStart {
    /// At the list's beginning.
    #[default]
    Start,
    /// After a key, exclusively.
    Key(PageKey),
    /// After this many rows.
    Offset(u64),
}

/// Which page of a list.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct PageRequest {
    /// Where it starts.
    pub cursor: PageStart,
    /// Rows at the most, 1 to 1000.
    pub limit: u16,
    /// In which direction.
    pub order: Order,
    /// Whether to ask for a total: slow on large chains, so only the first page should.
    pub count_total: bool,
}

impl PageRequest {
    /// The newest `limit` rows, counted.
    pub fn newest(limit: u16) -> Self {
        Self { cursor: PageStart::Start, limit, order: Order::Descending, count_total: true }
    }

    /// The page whose only row is the oldest one.
    pub fn oldest() -> Self {
        Self { cursor: PageStart::Start, limit: 1, order: Order::Ascending, count_total: false }
    }
}

/// Which transactions.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct TxQuery {
    /// Of whom or where.
    pub scope: TxScope,
    /// Only those with a message of one of these types; empty means all.
    pub msgs: Vec<MsgType>,
}

/// Of whom or where the transactions are.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub enum TxScope {
    /// The whole chain.
    #[default]
    All,
    /// Touching an account.
    Account {
        /// Whose.
        address: Address,
        /// Only those it signed first.
        signer_only: bool,
    },
    /// In one block.
    Height(Height),
    /// Of one NFT; the server has no message filter for these.
    Token(TokenName),
}

/// Names an NFT.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TokenName {
    /// Its collection.
    pub collection: Address,
    /// Its id, as the server has it.
    pub token_id: Arc<str>,
}

impl TokenName {
    /// Whether a server that does not decode paths, as real ones do not, can find the NFT's transactions by its id: all
    /// of its characters may stand in a path as they are.
    pub fn is_addressable(&self) -> bool {
        let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~!$&'()*+,;=:@".contains(&byte);
        self.is_askable() && self.token_id.bytes().all(is_plain)
    }

    /// Whether any server can be asked by its id: an empty one, or dots that lead elsewhere, would change the path.
    pub fn is_askable(&self) -> bool {
        !matches!(&*self.token_id, "" | "." | "..")
    }
}

/// Which collections.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub enum CollectionScope {
    /// All of the chain.
    #[default]
    All,
    /// Those of which an account owns at least one token.
    Owner(Address),
    /// Those whose name or class name holds this text; letters and digits alone count, in any case.
    Name(Arc<str>),
    /// The same in one request: only what the server itself finds.
    NameAtServer(Arc<str>),
}

/// Which NFTs.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct TokenQuery {
    /// Of whom or of what.
    pub scope: TokenScope,
    /// Only the ones with exactly this id.
    pub token_id: Option<Arc<str>>,
    /// What they are ordered by.
    pub order_by: TokenOrder,
}

/// Of whom or of what NFTs are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TokenScope {
    /// Owned by an account.
    Owner {
        /// Whose.
        address: Address,
        /// Only those of this collection.
        collection: Option<Address>,
    },
    /// All of a collection.
    Collection(Address),
}

/// What a list of NFTs is ordered by; the page's order says in which direction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, strum::Display, strum::EnumString)]
#[strum(serialize_all = "snake_case")]
pub enum TokenOrder {
    /// By id, compared as text by the server: 1, 10, 2.
    #[default]
    TokenId,
    /// By the height of the last mint, transfer or change.
    Height,
}

/// Which EVM receipts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum EvmTxScope {
    /// The whole chain's.
    #[default]
    All,
    /// Touching an account.
    Account {
        /// Whose.
        address: Address,
        /// Only those it sent.
        signer_only: bool,
    },
    /// In one block.
    Height(Height),
}

/// Which call frames.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum InternalTxScope {
    /// The whole chain's.
    #[default]
    All,
    /// From or to an account.
    Account(Address),
    /// In one block.
    Height(Height),
    /// Of one EVM transaction.
    Tx(EvmTxHash),
}

/// What the worker is asked to fetch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Request {
    /// `/status`.
    Status,
    /// `/indexer/block/v1/avg_blocktime`.
    AvgBlockTime,
    /// The first block of the ascending list: where the index begins.
    OldestBlock,
    /// A page of blocks.
    Blocks(PageRequest),
    /// One block.
    Block(Height),
    /// A page of transactions.
    Txs(TxQuery, PageRequest),
    /// One transaction.
    Tx(TxHash),
    /// A page of EVM receipts.
    EvmTxs(EvmTxScope, PageRequest),
    /// One EVM receipt.
    EvmTx(EvmTxHash),
    /// A page of call frames.
    InternalTxs(InternalTxScope, PageRequest),
    /// A page of NFT collections.
    Collections(CollectionScope, PageRequest),
    /// One NFT collection.
    Collection(Address),
    /// A page of NFTs.
    Tokens(TokenQuery, PageRequest),
    /// A page of a token's holders.
    Holders(Denom, PageRequest),
    /// The metadata at an NFT's URI, from wherever that leads.
    Metadata(Arc<str>),
    /// The picture at a URI that metadata names.
    Picture(Arc<str>),
    /// Settles under which chain recents and transfers of this network are kept.
    Identify(ChainSighting),
    /// The same as this request of the indexer for one thing, but for the body of the answer to the byte.
    Body(Box<Request>),
    /// The recents of this network from the store.
    Recents,
    /// The person's own names of accounts on this network, from the store.
    Labels,
    /// The view that the last session on this network ended with, from the store.
    View,
    /// `GET /v2/info/chains` of the router.
    Chains,
    /// `GET /v2/fungible/assets` of the router for one chain.
    Assets(ChainId),
    /// `POST /v2/fungible/route`.
    Route(RouteRequest),
    /// `POST /op-hook`.
    OpHook(OpHookRequest),
    /// `POST /v2/fungible/msgs`.
    Msgs(Arc<MsgsRequest>),
    /// `POST /v2/tx/track`.
    Track(TrackRequest),
    /// The same for what the router gave up on: `POST /v2/tx/retry_track`, and where there is none the other.
    TrackAgain(TrackRequest),
    /// `GET /v2/tx/status`.
    TransferStatus(TrackRequest),
    /// `GET /demo/v1`: what only the embedded rollup answers.
    DemoInfo,
    /// `POST /demo/v1/sign`, with an op-hook answer verbatim.
    DemoSign(Arc<Verbatim<OpHook>>),
    /// `POST /demo/v1/broadcast`.
    DemoBroadcast(Arc<BroadcastRequest>),
    /// `POST /v2/info/balances`.
    RouterBalances(Arc<BalancesRequest>),
    /// `POST /v2/fungible/assets_from_source`.
    Reach(ReachRequest),
    /// `POST /demo/v1/claim`, with the transaction that started the withdrawal.
    DemoClaim(TrackRequest),
    /// Where an optimistic withdrawal stands, by its executor and the L1.
    Settlement(Arc<SettlementQuestion>),
    /// A transaction of an L1, by its own REST.
    L1Tx(Arc<L1Question>),
    /// The kept transfers of this network from the store.
    Transfers,
    /// What the rollup's own node tells of names.
    NodeNames,
    /// What the contracts behind these denoms call their tokens.
    ContractUnits(Arc<[Denom]>),
    /// What an account holds by the bank of the rollup's own node, and of these tokens (`evm/` and `cw20:`) by their own
    /// contracts where the bank does not list them.
    Balances(Address, Arc<[Denom]>),
    /// The text of a file that a person named; at most a megabyte.
    File(Arc<str>),
}

impl Request {
    /// Which page of a list it asks for.
    pub fn page(&self) -> Option<&PageRequest> {
        match self {
            Self::Blocks(page)
            | Self::Txs(_, page)
            | Self::EvmTxs(_, page)
            | Self::InternalTxs(_, page)
            | Self::Collections(_, page)
            | Self::Tokens(_, page)
            | Self::Holders(_, page) => Some(page),
            _ => None,
        }
    }

    /// Whether it asks for a further page of a list.
    pub fn is_further(&self) -> bool {
        self.page().is_some_and(|page| page.cursor != PageStart::Start)
    }
}

/// What a total is worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Total {
    /// Counted by the server for just this list.
    Exact(u64),
    /// A height, a highest sequence or a planner's estimate: shown with `≈`.
    About(u64),
    /// Not asked for, or the server gave up counting (-1).
    Unknown,
}

impl Total {
    /// The total after so many rows more, for lists that are not counted again.
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

/// Something about a page that the person should be told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Note {
    /// The server ignored the message filter; rows were filtered here, out of so many.
    FilterIgnoredByServer {
        /// Rows that came before filtering.
        scanned: usize,
    },
    /// The server cannot filter this list, or not reliably; rows were filtered here, out of so many.
    FilteredHere {
        /// Rows that came before filtering.
        scanned: usize,
    },
    /// The server answered with the same key or rows again; paging stopped here.
    RepeatedKey,
    /// Nothing came, and real servers never find what has an id like this: it would have to be percent-encoded in the
    /// path, which they do not decode (`docs/apis/indexer.md` §6.2).
    IdNotAddressable,
    /// Older rows are still being indexed, so what the list holds in all is not known yet.
    Filling {
        /// The lowest block that it was read from.
        oldest: Height,
    },
    /// The server cannot show these rows; the page goes on behind them.
    LeftOut {
        /// How many, on this page.
        rows: usize,
    },
    /// This row of the page cannot be read.
    Unreadable(Arc<UnreadableRow>),
    /// The page was empty and named a next one all the same; paging stopped here.
    EmptyPage,
}

/// A page, cleaned of the server's traps: `next` is present only where a next page may hold rows.
#[derive(Clone, Debug)]
pub struct ListPage<T> {
    /// The rows in list order, without those that cannot be read: the notes tell of these.
    pub items: Vec<T>,
    /// Where the next page starts.
    pub next: Option<PageKey>,
    /// What the server says of the whole.
    pub total: Total,
    /// What the person should be told.
    pub notes: Vec<Note>,
}

impl Note {
    /// Whether more rows may still come at the list's end.
    pub fn is_filling(&self) -> bool {
        matches!(self, Self::Filling { .. })
    }

    /// How many rows came before they were filtered on this side, where the note tells of that.
    pub fn scanned(&self) -> Option<usize> {
        match self {
            Self::FilterIgnoredByServer { scanned } | Self::FilteredHere { scanned } => Some(*scanned),
            Self::RepeatedKey
            | Self::IdNotAddressable
            | Self::LeftOut { .. }
            | Self::Filling { .. }
            | Self::Unreadable(_)
            | Self::EmptyPage => None,
        }
    }

    /// The row that it tells of, where that cannot be read.
    pub fn unreadable(&self) -> Option<&Arc<UnreadableRow>> {
        if let Self::Unreadable(row) = self { Some(row) } else { None }
    }
}

impl<T> ListPage<T> {
    /// The page with other rows made of these.
    pub fn map<R>(self, make: impl Fn(T) -> R) -> ListPage<R> {
        let items = self.items.into_iter().map(make).collect();
        ListPage { items, next: self.next, total: self.total, notes: self.notes }
    }

    /// How many rows came, those included that were filtered out on this side.
    pub fn scanned(&self) -> usize {
        self.notes.iter().find_map(Note::scanned).unwrap_or_else(|| self.items.len() + self.unreadable().count())
    }
}

/// What a request brought.
#[derive(Clone, Debug)]
pub enum Answer {
    /// `/status`.
    Status(Box<wire::Status>),
    /// Seconds per block.
    AvgBlockTime(f64),
    /// The oldest block that the index holds; `None` while it is empty.
    OldestBlock(Option<Arc<wire::Block>>),
    /// A page of blocks.
    Blocks(ListPage<Arc<wire::Block>>),
    /// One block.
    Block(Arc<wire::Block>),
    /// A page of transactions.
    Txs(ListPage<Arc<wire::Tx>>),
    /// One transaction.
    Tx(Arc<wire::Tx>),
    /// A page of EVM receipts.
    EvmTxs(ListPage<Arc<wire::EvmTx>>),
    /// One EVM receipt.
    EvmTx(Arc<wire::EvmTx>),
    /// A page of call frames.
    InternalTxs(ListPage<Arc<wire::InternalTx>>),
    /// A page of NFT collections.
    Collections(ListPage<Arc<wire::Collection>>),
    /// One NFT collection.
    Collection(Arc<wire::Collection>),
    /// A page of NFTs.
    Tokens(ListPage<Arc<wire::Token>>),
    /// A page of holders.
    Holders(ListPage<Arc<wire::Holder>>),
    /// What an NFT's metadata says.
    Metadata(Arc<Metadata>),
    /// An NFT's picture.
    Picture(Arc<Picture>),
    /// The network's chain is settled.
    Identified {
        /// Whether other recents and transfers are of this network now than those that were read before.
        is_news: bool,
        /// Heights whose blocks would tell whether kept chains of the same id are this one.
        wanted: Vec<Height>,
    },
    /// The body of an answer as received.
    Body(Arc<str>),
    /// Recents, newest first, as they were typed or opened.
    Recents(Vec<String>),
    /// The person's own names of accounts.
    Labels(Vec<(Address, String)>),
    /// The view that the last session ended with, where there was one.
    View(Option<KeptView>),
    /// The router's chains.
    Chains(Arc<Vec<ChainInfo>>),
    /// The assets of one chain; empty where the router lists none.
    Assets(ChainId, Arc<Vec<Asset>>),
    /// A route, with its JSON.
    Route(Arc<Verbatim<Route>>),
    /// What is to be signed as a hook, with its JSON.
    OpHook(Arc<Verbatim<OpHook>>),
    /// What is to be signed, with its JSON.
    Msgs(Arc<Verbatim<MsgsResponse>>),
    /// The router watches the transaction.
    Tracked(TrackResponse),
    /// How a transaction's transfers stand, with the JSON.
    TransferStatus(Arc<Verbatim<TransferStatus>>),
    /// What the embedded rollup says of itself; `None` from every other server.
    DemoInfo(Option<Arc<DemoInfo>>),
    /// What accounts hold, as the router says.
    RouterBalances(Arc<BalancesResponse>),
    /// What an asset can become.
    Reach(Arc<ReachResponse>),
    /// A hook signed by the demo wallet.
    SignedHook(SignedOpHook),
    /// A transaction sent by the demo wallet; of a claim that on the L1.
    Broadcast(Broadcast),
    /// Where an optimistic withdrawal stands.
    Settlement(Arc<SettlementAnswers>),
    /// The kept transfers, newest first.
    Transfers(Vec<TransferRecord>),
    /// What the rollup's own node tells of names.
    NodeNames(Arc<wire::node::NodeNames>),
    /// What token contracts call themselves.
    ContractUnits(Arc<wire::node::NodeUnits>),
    /// What an account holds.
    Balances(Arc<wire::node::NodeBalances>),
    /// The text of a file.
    File(Arc<str>),
}

/// From the state machine to the worker.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Instruction {
    /// Fetch this; whatever the slot was waiting for is cancelled.
    Fetch(Ticket, Request),
    /// Nobody waits for this slot any more.
    Cancel(Slot),
    /// Keep this as the newest recent of the network.
    Remember(String),
    /// Keep this as the person's own name of the account; an empty one takes it away.
    Label(Address, String),
    /// Keep this as the view that the session ended with, should it end now.
    KeepView(KeptView),
    /// Keep this transfer, or what changed of it.
    Keep(Arc<TransferRecord>),
    /// Keep this transfer no longer.
    Forget(TransferId),
    /// A transfer has come to this outcome: the person's program is given the facts, unless it was.
    TellOutcome(Arc<TransferOutcome>),
    /// Another chain is at the network's address: nothing that is kept from now on is of the one before.
    PartWithChain,
    /// The wallet in the browser is asked for this: on the page of this name where that is open, else on a new one.
    Sign(SigningId, SigningOrder),
    /// The page of this name ends, for this reason; what is being sent goes on.
    StopSigning(SigningId, &'static str),
    /// The person says yes to what was asked of them on the way ([`SigningNews::Asked`]).
    AllowSigning(SigningId),
}

/// How a transfer ended, for the program that is told of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TransferOutcome {
    /// Which.
    pub id: TransferId,
    /// The word for it, of which each transfer has each once.
    pub outcome: &'static str,
    /// All that is known, as one line of JSON.
    pub facts: String,
}

/// From the worker to the state machine.
#[derive(Clone, Debug)]
pub enum Report {
    /// The end of a request.
    Reply(Ticket, Result<Answer, ApiError>),
    /// A try failed; the next one comes after the wait.
    Retrying {
        /// Which request.
        ticket: Ticket,
        /// Which try failed, from 1.
        attempt: u32,
        /// Until the next one.
        wait: Duration,
        /// Why.
        error: ApiError,
    },
    /// One exchange is over, retried ones included.
    Exchange(Arc<Exchange>),
    /// Something the person should know that is no request's end: the recents cannot be kept, for instance.
    Warning(String),
    /// News of what was handed to the wallet in the browser.
    Signing(SigningId, SigningNews),
}
