//! Where one can go: every page by what it is opened for. Pages never see each other; they ask for a destination.

use std::{fmt, sync::Arc};

use super::Tab;
use crate::{
    domain::{
        Address, Denom, EvmTxHash, Height, MsgType, Several, Target, Timestamp, TransferId, TransferRecord, TxHash,
    },
    msg::{Answer, PageId, TokenName},
    story::diff::ValuePath,
    wire::{
        self, Verbatim,
        router::{AssetRelease, Route, RouteRequest},
    },
};

/// By which of its two hashes a transaction is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TxName {
    /// The chain's own.
    Cosmos(TxHash),
    /// The EVM's; its Cosmos transaction is not known, or not proven to be the same.
    Evm(EvmTxHash),
}

impl TxName {
    /// First and last digits.
    pub(crate) fn short(self) -> String {
        match self {
            Self::Cosmos(hash) => hash.short(),
            Self::Evm(hash) => hash.short(),
        }
    }
}

impl fmt::Display for TxName {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Cosmos(hash) => hash.fmt(formatter),
            Self::Evm(hash) => hash.fmt(formatter),
        }
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, strum::EnumIter, strum::Display)]
pub(crate) enum TxTab {
    /// What it means, and whether it worked.
    #[default]
    Story,
    /// What it asked for.
    Messages,
    /// What it emitted.
    Events,
    /// What its contracts logged.
    Logs,
    /// The calls within it.
    Calls,
    /// The record as received.
    Raw,
}

impl TxTab {
    pub(crate) fn all(has_evm: bool) -> &'static [Self] {
        if has_evm {
            &[Self::Story, Self::Messages, Self::Events, Self::Logs, Self::Calls, Self::Raw]
        } else {
            &[Self::Story, Self::Messages, Self::Events, Self::Raw]
        }
    }
}

/// What a line of a transaction's tabs is; of several of a kind by its place among them.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum TxLine {
    Verdict,
    /// What is said of the message at this place.
    Sentence(usize),
    /// How many messages more are of upkeep.
    Upkeep,
    BridgeMoves,
    BridgeMove(usize),
    NftChanges,
    NftChange(usize),
    Balances,
    NoBalances,
    /// An account that gained or lost.
    Balance(usize),
    Supplies,
    Supply(usize),
    Fee,
    Message(usize),
    /// What lies within the message at this place.
    Field(usize, ValuePath),
    Event(usize),
    Log(usize),
    /// By its index in the trace.
    Call(i64),
}

/// A place within a transaction's page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct TxPosition {
    pub(crate) tab: TxTab,
    /// The line that the cursor goes to: the first of these that is there.
    pub(crate) lines: Vec<TxLine>,
}

/// What of a transaction is here already.
#[derive(Clone, Debug)]
pub(crate) enum KnownTx {
    /// Its hash alone.
    Name(TxName),
    Tx(Arc<wire::Tx>),
    /// The receipt that the EVM gave it.
    Receipt(Arc<wire::EvmTx>),
}

/// A page, by what it is opened for.
#[derive(Clone, Debug)]
pub(crate) enum Destination {
    /// A tab's own page.
    Tab(Tab),
    /// A block, with its record where that is here.
    Block(Height, Option<Arc<wire::Block>>),
    Tx {
        record: KnownTx,
        /// The page whose list it is opened from.
        origin: Option<PageId>,
        /// Where the cursor goes.
        position: Option<TxPosition>,
    },
    /// Two transactions, the marked one first.
    Compare(Arc<wire::Tx>, Arc<wire::Tx>),
    Collection {
        address: Address,
        record: Option<Arc<wire::Collection>>,
        /// The one account whose tokens of it are shown.
        owner: Option<Address>,
        /// The page whose list it is opened from.
        origin: Option<PageId>,
    },
    Token {
        name: TokenName,
        record: Option<Arc<wire::Token>>,
        /// The page whose list it is opened from.
        origin: Option<PageId>,
        /// Whether a person asked for metadata from wherever it lies.
        is_asked: bool,
    },
    Account(Address),
    /// An account's history, at this transaction.
    AccountAt(Address, TxHash),
    /// The collections of which an account owns tokens.
    CollectionsOf(Address),
    /// The transactions with a message of this type, in their tab.
    TxsOf(MsgType),
    /// The holders of a denom, in the rich list's tab.
    Holders(Denom),
    /// Several things that were pasted at once.
    Results(Several),
    /// A form for a route from where funds were released, in the Bridge tab; to this chain and denom, where it is known.
    QuoteFrom(AssetRelease, Option<(crate::domain::ChainId, Denom)>),
    /// A route to be made ready: what it answers, and when it came.
    Send(Box<RouteRequest>, Arc<Verbatim<Route>>, Timestamp),
    /// The transaction of a kept transfer with this number, which is to be sent next.
    SendNext(Box<TransferRecord>, Arc<Verbatim<Route>>, usize),
    /// The same, to be signed in the browser at once.
    SignNext(Box<TransferRecord>, Arc<Verbatim<Route>>, usize),
    Transfer(TransferId),
    /// The list of all transfers, in the Bridge tab.
    Transfers,
}

impl Destination {
    /// What a text that was understood so leads to; `None` where it has no page.
    pub(crate) fn of(target: &Target) -> Option<Self> {
        Some(match target {
            Target::Block(height) => Self::Block(*height, None),
            Target::Tx(hash) => Self::tx(TxName::Cosmos(*hash)),
            Target::EvmTx(hash) => Self::tx(TxName::Evm(*hash)),
            Target::Account(address) => Self::Account(*address),
            Target::Collection(address) => {
                Self::Collection { address: *address, record: None, owner: None, origin: None }
            }
            Target::Token { collection, token_id } => {
                let name = TokenName { collection: *collection, token_id: Arc::clone(token_id) };
                Self::Token { name, record: None, origin: None, is_asked: false }
            }
            Target::Denom(denom) => Self::Holders(denom.clone()),
            Target::Chain(_) => return None,
        })
    }

    /// What a look-up of a target found, without asking for it again; `None` where only the target leads there.
    pub(crate) fn found(answer: Answer) -> Option<Self> {
        match answer {
            Answer::Tx(tx) => Some(Self::loaded_tx(tx, None)),
            Answer::EvmTx(receipt) => {
                Some(Self::Tx { record: KnownTx::Receipt(receipt), origin: None, position: None })
            }
            Answer::Block(block) => Some(Self::Block(block.height, Some(block))),
            Answer::Collection(record) => {
                Some(Self::Collection { address: record.address()?, record: Some(record), owner: None, origin: None })
            }
            Answer::Tokens(page) => Self::loaded_token(page.items.into_iter().next()?, None),
            _ => None,
        }
    }

    fn tx(name: TxName) -> Self {
        Self::Tx { record: KnownTx::Name(name), origin: None, position: None }
    }

    /// A transaction whose record is here.
    pub(crate) fn loaded_tx(tx: Arc<wire::Tx>, origin: Option<PageId>) -> Self {
        Self::Tx { record: KnownTx::Tx(tx), origin, position: None }
    }

    /// A token whose record is here; `None` where the server cut its collection's address.
    pub(crate) fn loaded_token(token: Arc<wire::Token>, origin: Option<PageId>) -> Option<Self> {
        let name = TokenName { collection: token.collection()?, token_id: token.nft.token_id.as_str().into() };
        Some(Self::Token { name, record: Some(token), origin, is_asked: false })
    }

    /// What it is of, as it is remembered among the recents; `None` where it is not.
    pub(crate) fn target(&self) -> Option<Target> {
        Some(match self {
            Self::Block(height, _) => Target::Block(*height),
            Self::Tx { record, .. } => match record {
                KnownTx::Name(TxName::Cosmos(hash)) => Target::Tx(*hash),
                KnownTx::Name(TxName::Evm(hash)) => Target::EvmTx(*hash),
                KnownTx::Tx(tx) => Target::Tx(tx.txhash),
                KnownTx::Receipt(receipt) => Target::EvmTx(receipt.transaction_hash),
            },
            Self::Collection { address, .. } => Target::Collection(*address),
            Self::Token { name, .. } => {
                Target::Token { collection: name.collection, token_id: Arc::clone(&name.token_id) }
            }
            Self::Account(address) | Self::AccountAt(address, _) => Target::Account(*address),
            Self::Holders(denom) => Target::Denom(denom.clone()),
            _ => return None,
        })
    }

    /// What its record calls it: `Tidal Glyphs`, `Tidal Glyphs #1`; hostile text.
    pub(crate) fn record_name(&self) -> Option<String> {
        match self {
            Self::Collection { record: Some(record), .. } => Some(record.collection.name.clone()),
            Self::Token { record: Some(record), .. } => {
                Some(format!("{} #{}", record.collection_name, record.nft.token_id))
            }
            _ => None,
        }
        .filter(|name| !name.trim().is_empty())
    }

    /// The tab in whose own page it is shown, for what has no page of its own.
    pub(crate) fn home(&self) -> Option<Tab> {
        match self {
            Self::Tab(tab) => Some(*tab),
            Self::TxsOf(_) => Some(Tab::Txs),
            Self::Holders(_) => Some(Tab::RichList),
            Self::QuoteFrom(..) | Self::Transfers => Some(Tab::Bridge),
            _ => None,
        }
    }
}
