//! Where things are: geometry that both the state machine (how many rows does a page have?) and the drawing ask.

use ratatui::layout::Rect;

/// How much room there is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Tier {
    /// Below 20×5: one line that says so.
    Tiny,
    /// Below 60×12: a single list without frames.
    Compact,
    /// The whole screen.
    Normal,
    /// From 110 columns: lists beside a preview.
    Wide,
}

/// Columns from which a list has a preview beside it.
const SPLIT_FROM: u16 = 110;
/// Columns of the rich list's figures beside the holders.
const FIGURES_LEAST: u16 = 40;
/// The same on a very wide screen.
const FIGURES_MOST: u16 = 64;
/// Rows of an account's facts, frame included.
const ACCOUNT_FACTS: u16 = 5;
/// Rows of a block's facts, frame included.
const BLOCK_FACTS: u16 = 7;
/// Rows of the overview's gauges and strips together, frames included.
pub(crate) const OVERVIEW_TOP: u16 = 12;
/// Rows of the index's health on a compact screen, a line for each of its heights.
const OVERVIEW_COMPACT: u16 = 3;
/// Rows of a compact list from which the first names its columns.
const COMPACT_NAMES_FROM: u16 = 9;
/// Fewer rows than this tell nothing: the lists take them.
const OVERVIEW_LEAST: u16 = 5;

impl Tier {
    /// The tier of a terminal.
    pub(crate) fn of((width, height): (u16, u16)) -> Self {
        match (width, height) {
            (0..20, _) | (_, 0..5) => Self::Tiny,
            (20..60, _) | (_, 5..12) => Self::Compact,
            (SPLIT_FROM.., _) => Self::Wide,
            _ => Self::Normal,
        }
    }
}

/// Which pane has the focus.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Pane {
    /// The first (left, upper) one.
    #[default]
    First,
    /// The second (right, lower) one.
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
    /// Network, height, lag.
    pub(crate) header: Rect,
    pub(crate) tabs: Rect,
    /// Everything between.
    pub(crate) body: Rect,
    /// Keys, messages.
    pub(crate) footer: Rect,
}

impl Regions {
    /// Cuts a terminal of this size.
    pub(crate) fn of(size: (u16, u16)) -> Self {
        let tier = Tier::of(size);
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

    /// The list's pane and, where there is room, the preview's.
    pub(crate) fn split(&self) -> (Rect, Option<Rect>) {
        if self.tier != Tier::Wide {
            return (self.body, None);
        }
        let left = (self.body.width * 11 / 20).clamp(60, 110);
        let (first, second) = cut_columns(self.body, left);
        (first, Some(second))
    }

    /// The holders and, beside them or instead of them, the figures of the rich list.
    pub(crate) fn rich_list(&self, focus: Pane) -> (Rect, Rect) {
        let all_or_none = |rect: Rect, is_shown: bool| if is_shown { rect } else { Rect { height: 0, ..rect } };
        if self.tier != Tier::Wide {
            let is_list = focus == Pane::First;
            return (all_or_none(self.body, is_list), all_or_none(self.body, !is_list));
        }
        let figures = (self.body.width * 3 / 10).clamp(FIGURES_LEAST, FIGURES_MOST);
        cut_columns(self.body, self.body.width - figures)
    }

    /// What lies within a pane's frame; compact screens have no frames.
    pub(crate) fn inner(&self, pane: Rect) -> Rect {
        if self.tier <= Tier::Compact { pane } else { shrink(pane) }
    }

    /// What a list fills within a pane, the line of column names first; a column stays free beside each frame.
    pub(crate) fn list_names(&self, pane: Rect) -> Rect {
        let inner = self.inner(pane);
        let margin = u16::from(self.tier > Tier::Compact && inner.width > 2);
        Rect::new(inner.x + margin, inner.y, inner.width - 2 * margin, inner.height)
    }

    /// Whether a list in this pane has a line of column names: a compact screen has one where rows are left.
    pub(crate) fn has_column_names(&self, pane: Rect) -> bool {
        self.tier > Tier::Compact || pane.height >= COMPACT_NAMES_FROM
    }

    /// The rows of a list within a pane: its frame and the line of column names are not rows.
    pub(crate) fn list_rows(&self, pane: Rect) -> Rect {
        let inner = self.list_names(pane);
        let names = u16::from(self.has_column_names(pane)).min(inner.height);
        Rect::new(inner.x, inner.y + names, inner.width, inner.height - names)
    }

    /// The lines of a document within a pane that has a line of tabs.
    pub(crate) fn document_rows(&self, pane: Rect) -> Rect {
        let inner = self.inner(pane);
        let tabs = 1.min(inner.height);
        Rect::new(inner.x, inner.y + tabs, inner.width, inner.height - tabs)
    }

    /// A block's facts and the pane below them.
    pub(crate) fn block_page(&self) -> (Rect, Rect) {
        let facts = if self.tier <= Tier::Compact { 2 } else { BLOCK_FACTS };
        cut_rows(self.body, facts)
    }

    /// An account's facts with its tabs, and the pane below them.
    pub(crate) fn account_page(&self) -> (Rect, Rect) {
        let facts = if self.tier <= Tier::Compact { 2 } else { ACCOUNT_FACTS };
        cut_rows(self.body, facts)
    }

    /// The overview: gauges and strips above, newest blocks and transactions below. Where there is little room only the
    /// list with the focus has any.
    pub(crate) fn overview(&self, focus: Pane) -> (Rect, Rect, Rect) {
        let top = match self.tier {
            Tier::Tiny => 0,
            Tier::Compact if self.body.height < OVERVIEW_COMPACT + COMPACT_NAMES_FROM => 0,
            Tier::Compact => OVERVIEW_COMPACT,
            _ if self.body.height < OVERVIEW_LEAST + 6 => 0,
            _ if self.body.height < OVERVIEW_TOP + 6 => self.body.height - 6,
            _ => OVERVIEW_TOP,
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

/// The room of a large overlay, such as help, within the whole screen.
pub(crate) fn overlay(screen: Rect) -> Rect {
    let margin = if screen.width > 60 { screen.width / 12 } else { 0 };
    let (width, height) = (screen.width - margin * 2, screen.height.saturating_sub(2).max(3).min(screen.height));
    Rect::new(screen.x + margin, screen.y + (screen.height - height) / 2, width, height)
}
