//! Geometry of screens. Both the state machine (rows per page) and drawing use it.

use ratatui::layout::Rect;

/// Size class of a terminal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Tier {
    /// Below 20×5: only a line that asks for a larger terminal.
    Tiny,
    /// Below 60×12: one list without frames.
    Compact,
    Normal,
    /// From 110 columns: lists next to a preview.
    Wide,
}

/// Minimum columns for a list with a preview.
const SPLIT_FROM: u16 = 110;
/// Minimum columns of the rich list's figures beside the holders.
const FIGURES_LEAST: u16 = 40;
/// Maximum columns of the rich list's figures.
const FIGURES_MOST: u16 = 64;
/// Lines of an account's facts, in each half of a wide screen.
const ACCOUNT_FACTS: u16 = 3;
/// Rows of an account's tabs and of the frame around them and the facts.
const ACCOUNT_FRAME: u16 = 3;
/// Rows of the chart of an account's balance with its frame, and least rows of its pane with the list below.
const ACCOUNT_CHART: u16 = 8;
const ACCOUNT_CHART_FROM: u16 = 22;
/// Rows of the pane with a block's facts, including its frame.
const BLOCK_FACTS: u16 = 7;
/// Columns of a block's facts beside its transactions.
const BLOCK_FACTS_LEAST: u16 = 44;
const BLOCK_FACTS_MOST: u16 = 80;
/// Rows of the selected block's facts above its transactions, including their frame.
const BLOCK_PREVIEW: u16 = 12;
/// Rows of the overview's gauges and strips, including their frames, and of its charts from this height of the body on.
pub(crate) const OVERVIEW_TOP: u16 = 12;
const OVERVIEW_CHARTS: [(u16, u16); 2] = [(44, 18), (32, 14)];
/// Rows of the indexer's state on a compact screen, one per height.
const OVERVIEW_COMPACT: u16 = 3;
/// Minimum rows of a compact list with column names.
const COMPACT_NAMES_FROM: u16 = 9;
/// Minimum rows of the overview's top pane; the layout hides a smaller pane.
const OVERVIEW_LEAST: u16 = 5;

impl Tier {
    pub(crate) fn for_size((width, height): (u16, u16)) -> Self {
        match (width, height) {
            (0..20, _) | (_, 0..5) => Self::Tiny,
            (20..60, _) | (_, 5..12) => Self::Compact,
            (SPLIT_FROM.., _) => Self::Wide,
            _ => Self::Normal,
        }
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Pane {
    #[default]
    First,
    Second,
}

impl Pane {
    pub(crate) fn other(self) -> Self {
        match self {
            Self::First => Self::Second,
            Self::Second => Self::First,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Regions {
    pub(crate) tier: Tier,
    pub(crate) header: Rect,
    pub(crate) tabs: Rect,
    pub(crate) body: Rect,
    pub(crate) footer: Rect,
}

impl Regions {
    /// Lays out a terminal of `size` columns and rows.
    pub(crate) fn new(size: (u16, u16)) -> Self {
        let tier = Tier::for_size(size);
        let (width, height) = size;
        let row = |y: u16, rows: u16| Rect::new(0, y.min(height), width, rows.min(height.saturating_sub(y)));
        match tier {
            Tier::Tiny => {
                Self { tier, header: row(0, 0), tabs: row(0, 0), body: row(0, height), footer: row(height, 0) }
            }
            Tier::Compact => {
                Self { tier, header: row(0, 1), tabs: row(1, 0), body: row(1, height - 2), footer: row(height - 1, 1) }
            }
            Tier::Normal | Tier::Wide => {
                Self { tier, header: row(0, 1), tabs: row(1, 1), body: row(2, height - 3), footer: row(height - 1, 1) }
            }
        }
    }

    /// Returns the list's pane, and the preview's if there is room.
    pub(crate) fn split(&self) -> (Rect, Option<Rect>) {
        if self.tier != Tier::Wide {
            return (self.body, None);
        }
        let left = (self.body.width * 11 / 20).clamp(60, 110);
        let (first, second) = cut_columns(self.body, left);
        (first, Some(second))
    }

    /// Returns the panes of holders and figures side by side; on a narrow screen, only the focused pane.
    pub(crate) fn rich_list(&self, focus: Pane) -> (Rect, Rect) {
        let all_or_none = |rect: Rect, is_shown: bool| if is_shown { rect } else { Rect { height: 0, ..rect } };
        if self.tier != Tier::Wide {
            let is_list = focus == Pane::First;
            return (all_or_none(self.body, is_list), all_or_none(self.body, !is_list));
        }
        let figures = (self.body.width * 3 / 10).clamp(FIGURES_LEAST, FIGURES_MOST);
        cut_columns(self.body, self.body.width - figures)
    }

    /// Returns the inside of a pane's frame; compact screens have no frames.
    pub(crate) fn inner(&self, pane: Rect) -> Rect {
        if self.tier <= Tier::Compact { pane } else { shrink(pane) }
    }

    /// Returns the area of a list in a pane, column names first; one column stays free beside each frame.
    pub(crate) fn list_names(&self, pane: Rect) -> Rect {
        let inner = self.inner(pane);
        let margin = u16::from(self.tier > Tier::Compact && inner.width > 2);
        Rect::new(inner.x + margin, inner.y, inner.width - 2 * margin, inner.height)
    }

    /// Whether a list in this pane has column names; on compact screens only if there are enough rows.
    pub(crate) fn has_column_names(&self, pane: Rect) -> bool {
        self.tier > Tier::Compact || pane.height >= COMPACT_NAMES_FROM
    }

    /// Returns the rows of a list in a pane, without frame and column names.
    pub(crate) fn list_rows(&self, pane: Rect) -> Rect {
        let inner = self.list_names(pane);
        let names = u16::from(self.has_column_names(pane)).min(inner.height);
        Rect::new(inner.x, inner.y + names, inner.width, inner.height - names)
    }

    /// Returns the lines of a document in a pane with tabs.
    pub(crate) fn document_rows(&self, pane: Rect) -> Rect {
        let inner = self.inner(pane);
        let tabs = 1.min(inner.height);
        Rect::new(inner.x, inner.y + tabs, inner.width, inner.height - tabs)
    }

    /// Returns the areas of a block's facts and of its transactions: side by side on a wide screen. Without a block the
    /// facts take all of a wide screen.
    pub(crate) fn block_page(&self, has_block: bool) -> (Rect, Rect) {
        match (self.tier, has_block) {
            (Tier::Tiny | Tier::Compact, _) => cut_rows(self.body, 2),
            (Tier::Normal, _) => cut_rows(self.body, BLOCK_FACTS),
            (Tier::Wide, false) => cut_rows(self.body, self.body.height),
            (Tier::Wide, true) => {
                let facts = (self.body.width * 2 / 5).clamp(BLOCK_FACTS_LEAST, BLOCK_FACTS_MOST);
                let (txs, facts) = cut_columns(self.body, self.body.width - facts);
                (facts, txs)
            }
        }
    }

    /// Returns the panes of the list of blocks, of the selected block's facts, and of its transactions.
    pub(crate) fn blocks_page(&self) -> (Rect, Option<(Rect, Rect)>) {
        let (list, preview) = self.split();
        (list, preview.map(|preview| cut_rows(preview, BLOCK_PREVIEW)))
    }

    /// Returns the areas of an account's facts with its tabs and of the pane below. On a wide screen the facts have two
    /// halves and `across` lines below them.
    pub(crate) fn account_page(&self, across: u16) -> (Rect, Rect) {
        let facts = match self.tier {
            Tier::Tiny | Tier::Compact => 2,
            Tier::Normal => ACCOUNT_FACTS + ACCOUNT_FRAME,
            Tier::Wide => ACCOUNT_FACTS + across + ACCOUNT_FRAME,
        };
        cut_rows(self.body, facts)
    }

    /// Returns the areas of the chart of an account's balance, if there is room, and of the list below it.
    pub(crate) fn account_chart(&self, below: Rect) -> (Rect, Rect) {
        let has_room = self.tier > Tier::Compact && below.height >= ACCOUNT_CHART_FROM;
        cut_rows(below, if has_room { ACCOUNT_CHART } else { 0 })
    }

    /// Returns the areas of the overview: top, blocks and transactions. A small screen shows only the focused list.
    pub(crate) fn overview(&self, focus: Pane) -> (Rect, Rect, Rect) {
        let top = match self.tier {
            Tier::Tiny => 0,
            Tier::Compact if self.body.height < OVERVIEW_COMPACT + COMPACT_NAMES_FROM => 0,
            Tier::Compact => OVERVIEW_COMPACT,
            _ if self.body.height < OVERVIEW_LEAST + 6 => 0,
            _ if self.body.height < OVERVIEW_TOP + 6 => self.body.height - 6,
            _ => OVERVIEW_CHARTS
                .into_iter()
                .find(|(from, _)| self.body.height >= *from)
                .map_or(OVERVIEW_TOP, |(_, rows)| rows),
        };
        let (top, lists) = cut_rows(self.body, top);
        if self.tier <= Tier::Compact {
            let (blocks, txs) = cut_rows(lists, if focus == Pane::First { lists.height } else { 0 });
            return (top, blocks, txs);
        }
        let (blocks, txs) = cut_columns(lists, lists.width * 9 / 20);
        (top, blocks, txs)
    }
}

pub(crate) fn cut_rows(area: Rect, rows: u16) -> (Rect, Rect) {
    let rows = rows.min(area.height);
    let below = Rect::new(area.x, area.y + rows, area.width, area.height - rows);
    (Rect { height: rows, ..area }, below)
}

pub(crate) fn cut_columns(area: Rect, columns: u16) -> (Rect, Rect) {
    let columns = columns.min(area.width);
    let right = Rect::new(area.x + columns, area.y, area.width - columns, area.height);
    (Rect { width: columns, ..area }, right)
}

pub(crate) fn shrink(pane: Rect) -> Rect {
    let (x, y) = (1.min(pane.width), 1.min(pane.height));
    Rect::new(pane.x + x, pane.y + y, pane.width.saturating_sub(2), pane.height.saturating_sub(2))
}

/// Returns the area of a large overlay, such as help, on the screen.
pub(crate) fn overlay(screen: Rect) -> Rect {
    let margin = if screen.width > 60 { screen.width / 12 } else { 0 };
    let (width, height) = (screen.width - margin * 2, screen.height.saturating_sub(2).max(3).min(screen.height));
    Rect::new(screen.x + margin, screen.y + (screen.height - height) / 2, width, height)
}
