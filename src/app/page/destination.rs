//! Destinations: each names a page by the record that it shows. Pages never use each other; they ask for a destination.

use std::{fmt, sync::Arc};

use super::Tab;
use crate::{
    domain::{
        Address, Denom, EvmTxHash, Height, MsgType, Several, Target, Timestamp, TransferId, TransferRecord, TxHash,
    },
    msg::{PageId, TokenName},
    story::diff::ValuePath,
    wire::{
        self, Verbatim,
        router::{AssetRelease, Route, RouteRequest},
    },
};

/// Record that proves that a target exists.
#[derive(Clone, Debug)]
pub(crate) enum FoundTarget {
    Block(Arc<wire::Block>),
    Tx(Arc<wire::Tx>),
    Receipt(Arc<wire::EvmTx>),
    Account(Arc<wire::Tx>),
    Collection(Arc<wire::Collection>),
    Token(Arc<wire::Token>),
    Denom,
    /// Transactions of transfers over a bridge, from the node. The indexer has their records.
    Transfers(Vec<Arc<wire::Tx>>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TxName {
    Cosmos(TxHash),
    /// EVM hash. The Cosmos transaction is unknown, or not proven to match.
    Evm(EvmTxHash),
}

impl TxName {
    /// Returns the first and last digits of the hash.
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
    /// Result and meaning.
    #[default]
    Story,
    Messages,
    Events,
    Logs,
    Calls,
    /// Record as received.
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

/// Identity of a line in a transaction's tabs. An index counts the lines of its kind.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum TxLine {
    Verdict,
    /// Sentence about this message.
    Sentence(usize),
    /// Number of maintenance messages that are folded.
    Upkeep,
    BridgeMoves,
    BridgeMove(usize),
    /// Step of a transfer in another transaction, or of another packet.
    BridgeStep(usize, usize),
    NftChanges,
    NftChange(usize),
    Balances,
    NoBalances,
    /// Balance change of this account in the list.
    Balance(usize),
    Supplies,
    Supply(usize),
    Fee,
    Message(usize),
    Field(usize, ValuePath),
    Event(usize),
    Log(usize),
    /// Call with this index in the trace.
    Call(i64),
}

/// Place on a transaction's page: tab and lines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct TxPosition {
    pub(crate) tab: TxTab,
    /// Candidate lines for the cursor, the most precise first. The cursor moves to the first existing line.
    pub(crate) lines: Vec<TxLine>,
}

#[derive(Clone, Debug)]
pub(crate) enum KnownTx {
    Name(TxName),
    Tx(Arc<wire::Tx>),
    Receipt(Arc<wire::EvmTx>),
}

/// Page, named by the record that it shows.
#[derive(Clone, Debug)]
pub(crate) enum Destination {
    Tab(Tab),
    /// Block, and its record if loaded.
    Block(Height, Option<Arc<wire::Block>>),
    Tx {
        record: KnownTx,
        /// Page with the list that opened it.
        origin: Option<PageId>,
        position: Option<TxPosition>,
    },
    /// Comparison of two transactions; the first is the marked one.
    Compare(Arc<wire::Tx>, Arc<wire::Tx>),
    Collection {
        address: Address,
        record: Option<Arc<wire::Collection>>,
        owner: Option<Address>,
        /// Page with the list that opened it.
        origin: Option<PageId>,
    },
    Token {
        name: TokenName,
        record: Option<Arc<wire::Token>>,
        /// Page with the list that opened it.
        origin: Option<PageId>,
        /// Whether the user allowed requests to every metadata host.
        is_asked: bool,
    },
    Account(Address),
    /// Account, with the cursor on this transaction of its history.
    AccountAt(Address, TxHash),
    /// Collections of which an account owns tokens.
    CollectionsOf(Address),
    TxsOf(MsgType),
    Holders(Denom),
    /// Table of pasted entries.
    Results(Several),
    /// Bridge tab, with a quote form for funds that a failed transfer released. Chain and denom of the destination are
    /// set if known.
    QuoteFrom(AssetRelease, Option<(crate::domain::ChainId, Denom)>),
    /// Send page of a route, with its request and the time of its quote.
    Send(Box<RouteRequest>, Arc<Verbatim<Route>>, Timestamp),
    /// Send page for a transaction of a kept transfer, by index.
    SendNext(Box<TransferRecord>, Arc<Verbatim<Route>>, usize),
    /// Like [`SendNext`](Self::SendNext), but the browser wallet gets its order at once.
    SignNext(Box<TransferRecord>, Arc<Verbatim<Route>>, usize),
    Transfer(TransferId),
    /// Bridge tab, with the board of all transfers.
    Transfers,
}

impl Destination {
    /// Returns the destination of a target; `None` if it has no page.
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
            Target::Chain(_) | Target::Transfer(_) => return None,
        })
    }

    /// Returns the destination of a record that a lookup found, which needs no further request; `None` if such records
    /// have no page.
    pub(crate) fn found(found: FoundTarget) -> Option<Self> {
        match found {
            FoundTarget::Tx(tx) => Some(Self::loaded_tx(tx, None)),
            FoundTarget::Receipt(receipt) => {
                Some(Self::Tx { record: KnownTx::Receipt(receipt), origin: None, position: None })
            }
            FoundTarget::Block(block) => Some(Self::Block(block.height, Some(block))),
            FoundTarget::Collection(record) => {
                Some(Self::Collection { address: record.address()?, record: Some(record), owner: None, origin: None })
            }
            FoundTarget::Token(token) => Self::loaded_token(token, None),
            FoundTarget::Account(_) | FoundTarget::Denom | FoundTarget::Transfers(_) => None,
        }
    }

    fn tx(name: TxName) -> Self {
        Self::Tx { record: KnownTx::Name(name), origin: None, position: None }
    }

    /// Returns the destination of a transaction that is already loaded.
    pub(crate) fn loaded_tx(tx: Arc<wire::Tx>, origin: Option<PageId>) -> Self {
        Self::Tx { record: KnownTx::Tx(tx), origin, position: None }
    }

    /// Returns the destination of a token that is already loaded; `None` if the server shortened its collection's
    /// address.
    pub(crate) fn loaded_token(token: Arc<wire::Token>, origin: Option<PageId>) -> Option<Self> {
        let name = TokenName { collection: token.collection()?, token_id: token.nft.token_id.as_received().into() };
        Some(Self::Token { name, record: Some(token), origin, is_asked: false })
    }

    /// Returns the target to list among the recents; `None` for a page that they exclude.
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

    /// Returns the target if a page of the target shows all of this destination: no line to move to, no owner.
    pub(crate) fn plain_target(&self) -> Option<Target> {
        let has_more = match self {
            Self::Tx { position, .. } => position.is_some(),
            Self::Collection { owner, .. } => owner.is_some(),
            Self::Token { is_asked, .. } => *is_asked,
            Self::AccountAt(..) => true,
            _ => false,
        };
        self.target().filter(|_| !has_more)
    }

    /// Returns the name in the record, as in `Tidal Glyphs` or `Tidal Glyphs #1`; untrusted text.
    pub(crate) fn record_name(&self) -> Option<String> {
        match self {
            Self::Collection { record: Some(record), .. } => Some(record.collection.name.clipped(160)),
            Self::Token { record: Some(record), .. } => {
                Some(format!("{} #{}", record.collection_name.clipped(160), record.nft.token_id.clipped(160)))
            }
            _ => None,
        }
        .filter(|name| !name.trim().is_empty())
    }

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
