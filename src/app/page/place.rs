//! Attributes of a page that the session reads, such as its tab and its polled data.

use std::ops::Range;

use super::ShownTransfers;
use crate::{
    app::known_denom::DenomSearchDepth,
    columns::List,
    config::KeyScope,
    domain::{Denom, Target, TxView},
    msg::PageId,
};

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, strum::EnumIter, strum::Display)]
pub(crate) enum Tab {
    #[default]
    Overview,
    Blocks,
    Txs,
    #[strum(serialize = "NFTs")]
    Nfts,
    #[strum(serialize = "Rich list")]
    RichList,
    Bridge,
}

impl Tab {
    pub(crate) const COUNT: usize = 6;
    /// All tabs, in the order of their keys.
    pub(crate) const ALL: [Self; Self::COUNT] =
        [Self::Overview, Self::Blocks, Self::Txs, Self::Nfts, Self::RichList, Self::Bridge];
}

/// Number of rows that arrived above a list that stands still.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Unseen {
    pub(crate) rows: usize,
    /// Whether `rows` is a lower bound.
    pub(crate) is_least: bool,
    /// Whether too many rows arrived to scroll through them.
    pub(crate) is_far: bool,
}

#[derive(Debug)]
pub(crate) struct Place {
    pub(crate) tab: Tab,
    pub(crate) scope: KeyScope,
    /// Noun for the page's record, such as `token`.
    pub(crate) kind: &'static str,
    /// Page that opened this page, and the record in the list of that page.
    pub(crate) origin: Option<(PageId, Target)>,
    /// Targets that the page shows, besides the target that opened it.
    pub(crate) targets: Vec<Target>,
    /// List whose columns the user can choose.
    pub(crate) columns: Option<List>,
    pub(crate) transfers: ShownTransfers,
    pub(crate) denom: Option<Denom>,
    /// How deep to search for denoms. The result comes as [`PageEvent::KnowDenoms`].
    pub(crate) wanted_denoms: Option<DenomSearchDepth>,
    /// Rows that arrived above the list with the cursor.
    pub(crate) unseen: Option<Unseen>,
    pub(crate) visible_lists: Range<usize>,
    pub(crate) shows: &'static [Shows],
    /// Whether the page shows that first rows are loading.
    pub(crate) is_loading: bool,
    /// Whether Esc would undo a search, a change of pane, or a list's filter. The session itself knows of filtered
    /// documents.
    pub(crate) is_narrowed: bool,
    /// View of the list with the cursor, which the user can save.
    pub(crate) view: Option<TxView>,
}

impl Place {
    /// Creates a place with only a tab and a key layer.
    pub(crate) fn new(tab: Tab, scope: KeyScope) -> Self {
        Self {
            tab,
            scope,
            kind: "page",
            origin: None,
            targets: Vec::new(),
            columns: None,
            transfers: ShownTransfers::None,
            denom: None,
            wanted_denoms: None,
            unseen: None,
            visible_lists: 0..usize::MAX,
            shows: &[],
            is_loading: false,
            is_narrowed: false,
            view: None,
        }
    }

    pub(crate) fn shows(&self, what: Shows) -> bool {
        self.shows.contains(&what)
    }
}

/// Visible content; it determines the session's polls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shows {
    /// New blocks, which need no separate request for the newest.
    NewBlocks,
    /// State of the chain: where the index begins, and whether it has rows.
    WholeChain,
    RouterNames,
    Wallet,
    Marked,
    /// Unclaimed withdrawals of the user's accounts.
    Claims,
}
