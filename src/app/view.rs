//! The screens' states: what each shows, where its cursor is.

use std::{fmt, sync::Arc};

pub(crate) use crate::msg::PageId;

use super::{
    account::{AccountPage, AccountTab},
    bridge::{BridgeView, prepare::PreparePage},
    compare::ComparePage,
    evm_side::EvmSide,
    nfts::{CollectionPage, NftsView, TokenPage},
    results::ResultsView,
    rich_list::RichListView,
    transfers::TransferPage,
    tx_detail::TxDetail,
};
use crate::app::page::{Tab, TxName};
use crate::{
    domain::{EvmTxHash, Height, TxHash},
    msg::{CollectionScope, Remote, TxQuery, TxScope},
    panes::{
        lists::TxList,
        rows::{BlockRow, TxRow},
    },
    widgets::{
        document::Document,
        layout::Pane,
        list::{ListWindow, QueriedList, RemoteList},
    },
    wire,
};

/// Rows that a list of blocks holds at the most.
const BLOCK_CAPACITY: usize = 2000;
/// Rows that a list of transactions holds at the most; each keeps its record of several kilobytes.
const TX_CAPACITY: usize = 600;

/// A screen.
#[derive(Debug)]
#[expect(clippy::large_enum_variant, reason = "history holds at most sixty")]
pub(crate) enum View {
    /// Tab 1.
    Overview(OverviewView),
    /// Tab 2.
    Blocks(BlocksView),
    /// Tab 3, and the transactions of an account.
    Txs(TxsView),
    /// Tab 4.
    Nfts(NftsView),
    /// Tab 5.
    RichList(RichListView),
    /// Tab 6.
    Bridge(BridgeView),
    /// One block.
    Block(BlockPage),
    /// One transaction.
    Tx(TxPage),
    /// Two transactions compared.
    Compare(ComparePage),
    /// One NFT collection.
    Collection(CollectionPage),
    /// One NFT.
    Token(TokenPage),
    /// One account.
    Account(AccountPage),
    /// Several things that were pasted at once.
    Results(ResultsView),
    /// A route being made ready to be sent.
    Prepare(PreparePage),
    /// One transfer.
    Transfer(TransferPage),
}

/// The chain and its index at a glance.
#[derive(Debug)]
pub(crate) struct OverviewView {
    /// The newest blocks.
    pub(crate) blocks: ListWindow<BlockRow>,
    /// The newest transactions.
    pub(crate) txs: ListWindow<TxRow>,
    /// Blocks or transactions.
    pub(crate) focus: Pane,
}

/// The list of blocks.
#[derive(Debug)]
pub(crate) struct BlocksView {
    /// The blocks.
    pub(crate) list: ListWindow<BlockRow>,
    /// The list or the preview.
    pub(crate) focus: Pane,
    /// The selected block in lines, where the screen has room.
    pub(crate) preview: Option<(Height, Document)>,
}

/// A list of transactions.
#[derive(Debug)]
pub(crate) struct TxsView {
    /// Which ones.
    pub(crate) query: TxQuery,
    /// The transactions.
    pub(crate) list: ListWindow<TxRow>,
    /// Whether only failed ones are kept.
    pub(crate) failed_only: bool,
    /// The list or the preview.
    pub(crate) focus: Pane,
    /// The selected transaction in lines, where the screen has room.
    pub(crate) preview: Option<(TxHash, TxDetail)>,
}

/// The page of one block.
#[derive(Debug)]
pub(crate) struct BlockPage {
    /// Which one.
    pub(crate) height: Height,
    /// The block.
    pub(crate) block: Remote<Arc<wire::Block>>,
    /// Its transactions, in block order from the last.
    pub(crate) txs: ListWindow<TxRow>,
    /// The block as JSON instead of its transactions.
    pub(crate) raw: Option<Document>,
}

/// The page of one transaction.
#[derive(Debug)]
pub(crate) struct TxPage {
    /// Which one.
    pub(crate) name: TxName,
    /// The record.
    pub(crate) tx: Remote<Arc<wire::Tx>>,
    /// What the EVM says of it.
    pub(crate) evm: EvmSide,
    /// Its tabs.
    pub(crate) detail: TxDetail,
    /// The list it was opened from: its neighbours are the siblings.
    pub(crate) origin: Option<PageId>,
}

impl View {
    /// The state of a tab nobody has looked at yet.
    pub(crate) fn of_tab(tab: Tab, id: PageId) -> Self {
        match tab {
            Tab::Overview => Self::Overview(OverviewView {
                blocks: ListWindow::new(300),
                txs: ListWindow::new(300),
                focus: Pane::First,
            }),
            Tab::Blocks => {
                Self::Blocks(BlocksView { list: ListWindow::new(BLOCK_CAPACITY), focus: Pane::First, preview: None })
            }
            Tab::Txs => Self::txs(TxQuery::default()),
            Tab::Nfts => Self::Nfts(NftsView::new(CollectionScope::All)),
            Tab::RichList => Self::RichList(RichListView::new()),
            Tab::Bridge => Self::Bridge(BridgeView::new(id)),
        }
    }

    /// A list of transactions.
    pub(crate) fn txs(query: TxQuery) -> Self {
        Self::Txs(TxsView::new(query))
    }

    /// The list of transactions that is on screen, be it a tab's or an account's.
    pub(crate) fn txs_view(&self) -> Option<&TxsView> {
        match self {
            Self::Txs(view) => Some(view),
            Self::Account(page) if page.tab == AccountTab::Txs => Some(&page.txs),
            _ => None,
        }
    }

    /// The same, to change it.
    pub(crate) fn txs_view_mut(&mut self) -> Option<&mut TxsView> {
        match self {
            Self::Txs(view) => Some(view),
            Self::Account(page) if page.tab == AccountTab::Txs => Some(&mut page.txs),
            _ => None,
        }
    }

    /// The page of a block.
    pub(crate) fn block(height: Height) -> Self {
        let txs = ListWindow::new(TX_CAPACITY);
        Self::Block(BlockPage { height, block: Remote::Idle, txs, raw: None })
    }

    /// The page of a transaction.
    pub(crate) fn tx(name: TxName, origin: Option<PageId>) -> Self {
        Self::Tx(TxPage { name, tx: Remote::Idle, evm: EvmSide::default(), detail: TxDetail::default(), origin })
    }

    /// What the view shows, as history and titles say it.
    pub(crate) fn title(&self) -> String {
        match self {
            Self::Overview(_) => "Overview".to_owned(),
            Self::Blocks(_) => "Blocks".to_owned(),
            Self::Txs(view) => view.title(),
            Self::Nfts(view) => view.title(),
            Self::RichList(view) => view.title(),
            Self::Collection(page) => page.title(),
            Self::Token(page) => page.title(),
            Self::Account(page) => page.title(),
            Self::Results(view) => view.title(),
            Self::Bridge(view) => format!("Bridge · {}", view.side),
            Self::Prepare(page) => page.title(),
            Self::Transfer(page) => page.title(),
            Self::Block(page) => format!("Block {}", crate::domain::text::group(page.height.get())),
            Self::Tx(page) => format!("Tx {}", page.name.short()),
            Self::Compare(page) => page.title(),
        }
    }

    /// The tab whose name is marked while the view is shown.
    pub(crate) fn tab(&self) -> Tab {
        match self {
            Self::Overview(_) | Self::Results(_) => Tab::Overview,
            Self::Blocks(_) | Self::Block(_) => Tab::Blocks,
            Self::Txs(_) | Self::Tx(_) | Self::Compare(_) | Self::Account(_) => Tab::Txs,
            Self::Nfts(_) | Self::Collection(_) | Self::Token(_) => Tab::Nfts,
            Self::RichList(_) => Tab::RichList,
            Self::Bridge(_) | Self::Prepare(_) | Self::Transfer(_) => Tab::Bridge,
        }
    }

    /// Gives back what can be fetched or made again while the view is covered.
    pub(crate) fn shrink(&mut self) {
        match self {
            Self::Overview(_) | Self::Bridge(_) | Self::Prepare(_) | Self::Transfer(_) | Self::Results(_) => {}
            Self::Blocks(view) => view.list.shrink(),
            Self::Txs(view) => {
                view.list.shrink();
                if let Some((_, detail)) = &mut view.preview {
                    detail.shrink();
                }
            }
            Self::Block(page) => page.txs.shrink(),
            Self::Nfts(view) => view.shrink(),
            Self::RichList(view) => view.list.shrink(),
            Self::Collection(page) => page.shrink(),
            Self::Token(page) => page.shrink(),
            Self::Account(page) => page.shrink(),
            Self::Tx(page) => page.shrink(),
            Self::Compare(page) => page.shrink(),
        }
    }
}

impl TxsView {
    /// The transactions of this query, in the list with this slot number.
    pub(crate) fn new(query: TxQuery) -> Self {
        let list = ListWindow::new(TX_CAPACITY);
        Self { query, list, failed_only: false, focus: Pane::First, preview: None }
    }

    /// Its list.
    pub(super) fn listing(&mut self) -> Box<dyn RemoteList + '_> {
        let query = TxList { query: self.query.clone(), failed_only: self.failed_only };
        QueriedList::boxed(&mut self.list, query)
    }

    /// `Txs · MsgSend · signer`.
    pub(crate) fn title(&self) -> String {
        let mut parts = vec!["Txs".to_owned()];
        match &self.query.scope {
            TxScope::All if self.query.msgs.is_empty() => parts.push("all".to_owned()),
            TxScope::All => {}
            TxScope::Account { address, signer_only } => {
                parts.push(address.short());
                if *signer_only {
                    parts.push("signer only".to_owned());
                }
            }
            TxScope::Height(height) => parts.push(format!("block {height}")),
            TxScope::Token(token) => parts.push(format!("token {}", crate::domain::text::clip(&token.token_id, 24))),
        }
        match self.query.msgs.as_slice() {
            [] => {}
            [one] => parts.push(one.short().to_owned()),
            [first, rest @ ..] => parts.push(format!("{} +{} types", first.short(), rest.len())),
        }
        if self.failed_only {
            parts.push("failed only".to_owned());
        }
        parts.join(" · ")
    }

    /// Whether this list shows all of the chain.
    pub(crate) fn is_unfiltered(&self) -> bool {
        self.query == TxQuery::default() && !self.failed_only
    }
}
